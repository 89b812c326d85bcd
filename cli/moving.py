"""`tetsudo move-to`: all games from a file to PostgreSQL, or back. What is left stays as it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from cli.files import Failure
from cli.looking import Found, looked_over
from storage import Address, Place, Store, serving, sole_user
from storage.sqlite.backup import one_file, to_disk


async def move(source: Place, target: Place) -> Found:
    """Copy all games, and prove that they are the same there. Raises Failure or StorageError."""
    _must_differ(source, target)
    async with serving(source, wait_seconds=0), Store.still(source) as old:
        if wrong := await old.check():
            raise Failure(f"{source} is not sound; nothing was moved: {wrong[0]} `tetsudo verify` lists everything.")
        async with _made(target) as place:
            async with Store.open(place) as new:
                await old.copy_to(new)
            if isinstance(place, Path):
                await asyncio.to_thread(one_file, place)
            return await _proved(old, place, source)


async def _proved(old: Store, place: Place, source: Place) -> Found:
    """Look the copy over, as it is on disk. Raises Failure where it is not the same."""
    async with Store.still(place) as new:
        wrong = await old.differences(new)
        found = await looked_over(new)
    if not wrong and found.problems:  # a game that cannot be replayed is no worse there than it was
        wrong = [one for one in found.problems if one not in (await looked_over(old)).problems]
    if wrong:
        raise Failure(f"the copy is not sound: do not use it. {source} is as it was. {wrong[0]}")
    return found


@asynccontextmanager
async def _made(target: Place) -> AsyncIterator[Place]:
    """Where to copy to: the database itself, or a file that gets its name once all is well."""
    if isinstance(target, Address):
        async with serving(target, wait_seconds=0):
            yield target
        return
    part = target.with_name(target.name + ".part")
    with sole_user(target, wait_seconds=0):
        _remove(part)
        try:
            yield part
            part.replace(target)
            to_disk(target.parent)
        finally:
            _remove(part)


def _remove(path: Path) -> None:
    for companion in ("", "-wal", "-shm"):
        with suppress(OSError):
            path.with_name(path.name + companion).unlink(missing_ok=True)


def _must_differ(source: Place, target: Place) -> None:
    if isinstance(target, Path):
        if target.exists():
            raise Failure(f"{target} exists already: nothing was moved.")
        if not target.parent.is_dir():
            raise Failure(f"The folder {target.parent} does not exist: nothing was moved.")
    if isinstance(source, Address) and isinstance(target, Address):
        raise Failure("Both are PostgreSQL, which has its own tools: pg_dump and pg_restore.")
    if isinstance(source, Path) and isinstance(target, Path):
        raise Failure("Both are files: `tetsudo backup` copies one.")
