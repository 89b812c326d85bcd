"""How a command says that it failed, and leaves nothing half done behind."""

import os
from contextlib import suppress
from pathlib import Path


class Failure(Exception):
    """Something the user can fix: printed without a traceback, exit code 1."""


def counted(count: int, word: str) -> str:
    """The word with its count: "1 game", "1,204 games"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def must_take(path: Path) -> None:
    """Raise Failure where no file can be written: asked before what takes long."""
    place = path.resolve()
    if not (place.exists() or os.access(place.parent, os.W_OK)):
        raise Failure(f"{path} cannot be written: the folder is not there, or not open to you.")


def written_whole(path: Path, data: bytes) -> None:
    """Write a file beside and put it in its place once it is whole. Raises Failure."""
    place = path.resolve()
    part = place.with_name(f"{place.name}.part")
    try:
        if place.exists() and not place.is_file():  # a pipe or a device
            place.write_bytes(data)
            return
        part.write_bytes(data)
        part.replace(place)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise Failure(f"{path} cannot be written: {error.strerror}") from error
