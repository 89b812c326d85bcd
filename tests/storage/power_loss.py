"""What a disk may hold after the power fails: everything flushed, and any part of what was written since.

    python tests/storage/power_loss.py 2000        cut the power at 2,000 random moments of a recorded run

A process is recorded below SQLite (`power_recorder.c`). At a cut, each sector of 512 bytes that was written after its
file's last flush is there, is not, or holds zeros where the file had ended; the order of writing does not matter.
"""

from __future__ import annotations

import asyncio
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from storage import StorageError, Store  # noqa: E402 (the folder above must be known first)

SECTOR = 512
FOLDER = "games"


@dataclass(frozen=True, slots=True)
class Deed:
    """What reached a file: `kind` is w (data written), a (told), t (cut to `offset`), s (flushed), u (removed)."""

    kind: str
    path: str
    offset: int
    data: bytes


@dataclass(slots=True)
class OnDisk:
    """A file: what is sure to be there, and what was done since the last flush."""

    sure: bytearray | None = None
    since: list[Deed] = field(default_factory=list)


def record(folder: Path, moves: int) -> list[Deed]:
    """Let a process play so many moves in the folder; everything that it did to the files there."""
    library, trace, games = folder / "recorder.so", folder / "trace", folder / FOLDER
    games.mkdir()
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, HERE / "power_recorder.c", "-ldl"], check=True)
    env = os.environ | {"LD_PRELOAD": str(library), "POWER_FOLDER": str(games), "POWER_TRACE": str(trace)}
    command = [sys.executable, str(HERE / "child.py"), "recorded", str(games), str(moves)]
    subprocess.run(command, check=True, env=env | {"PYTHONPATH": str(HERE.parents[1])}, stdout=subprocess.DEVNULL)
    return list(_deeds(trace.read_bytes()))


def _deeds(trace: bytes) -> Sequence[Deed]:
    deeds, at = [], 0
    while at < len(trace):
        kind, offset, path_length, length = struct.unpack_from("=cQQQ", trace, at)
        at += 25
        path = Path(trace[at : at + path_length].decode()).name
        deeds.append(Deed(kind.decode(), path, offset, trace[at + path_length : at + path_length + length]))
        at += path_length + length
    return deeds


def after_a_cut(deeds: Sequence[Deed], chance: random.Random, *, flushes: bool = True) -> tuple[dict[str, bytes], int]:
    """The files after the power failed there, and the last move told before; without `flushes`, none had any effect."""
    files: dict[str, OnDisk] = {}
    told = 0
    for deed in deeds:
        one = files.setdefault(deed.path, OnDisk())
        if deed.kind == "a":
            told = int(deed.data)
        elif deed.kind == "s" and deed.path == FOLDER:
            for other in files.values():
                _remove(other)
        elif deed.kind == "s" and flushes:
            one.sure = _with(one.sure, one.since)
            one.since = []
        elif deed.kind != "s":
            one.since.append(deed)
    kept = {
        path: _survivor(one, chance) for path, one in files.items() if path.startswith("games.") and "-shm" not in path
    }
    return {path: bytes(data) for path, data in kept.items() if data is not None}, told


def _remove(file: OnDisk) -> None:
    """What flushing the folder makes sure: that a removed file is gone."""
    gone = max((number for number, deed in enumerate(file.since, start=1) if deed.kind == "u"), default=0)
    if gone:
        file.sure, file.since = None, file.since[gone:]


def _survivor(file: OnDisk, chance: random.Random) -> bytearray | None:
    """What is left of a file: at times all or nothing of what is not sure, at times any sectors in any order."""
    mood = chance.choice(("nothing", "all", "some", "some", "most"))
    if mood == "nothing" or not file.since:
        return file.sure
    if mood == "all":
        return _with(file.sure, file.since)
    share = 0.5 if mood == "some" else 0.95
    deeds = [one for deed in file.since for one in _sectors(deed) if chance.random() < share]
    removed = any(deed.kind == "u" for deed in deeds)
    chance.shuffle(deeds)
    zeroed = [Deed("w", one.path, one.offset, bytes(len(one.data))) for one in deeds if chance.random() < 0.02]
    known = len(file.sure or b"")
    zeroed = [one for one in zeroed if one.offset >= known]
    return None if removed else _with(file.sure, [*deeds, *zeroed])


def _sectors(deed: Deed) -> list[Deed]:
    if deed.kind != "w":
        return [deed]
    starts = range(deed.offset - deed.offset % SECTOR, deed.offset + len(deed.data), SECTOR)
    parts = [(max(one, deed.offset), min(one + SECTOR, deed.offset + len(deed.data))) for one in starts]
    return [Deed("w", deed.path, low, deed.data[low - deed.offset : high - deed.offset]) for low, high in parts]


def _with(before: bytearray | None, deeds: Sequence[Deed]) -> bytearray | None:
    """The file after these deeds; None where there is none."""
    now = None if before is None else bytearray(before)
    for deed in deeds:
        if deed.kind == "u":
            now = None
            continue
        now = bytearray() if now is None else now
        if deed.kind == "t":
            now = now[: deed.offset].ljust(deed.offset, b"\0")
        else:
            now.extend(bytes(max(0, deed.offset - len(now))))
            now[deed.offset : deed.offset + len(deed.data)] = deed.data
    return now


async def loss(files: dict[str, bytes], told: int, folder: Path) -> str:
    """What is wrong with the games that are left, in a sentence; nothing if all that was told is there, and sound."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        for path, data in files.items():
            (Path(name) / path).write_bytes(data)
        try:
            async with Store.open(Path(name) / "games.sqlite") as store:
                wrong = await store.check()
                there = max([one.seq for one in await store.games()], default=0)
        except StorageError as error:
            return str(error)
    if wrong:
        return wrong[0]
    return f"{told} moves were told, {there} are there." if there < told else ""


async def losses(
    deeds: Sequence[Deed], cuts: int, folder: Path, seed: int = 1, *, flushes: bool = True
) -> list[tuple[int, str]]:
    """Cut the power so many times at random; where something was lost, and what."""
    chance, found = random.Random(seed), []
    for _ in range(cuts):
        at = chance.randrange(len(deeds) + 1)
        files, told = after_a_cut(deeds[:at], chance, flushes=flushes)
        if files and (wrong := await loss(files, told, folder)):
            found.append((at, wrong))
    return found


def main(cuts: int) -> int:
    """Cut the power so many times; return 1 if anything was lost."""
    with tempfile.TemporaryDirectory() as name:
        deeds = record(Path(name), 300)
        found = asyncio.run(losses(deeds, cuts, Path(name), random.randrange(10**9)))
    for at, wrong in found:
        print(f"after {at} of {len(deeds)}: {wrong}")
    print(f"{cuts} cuts within {len(deeds)} writes and flushes: {len(found)} with losses.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
