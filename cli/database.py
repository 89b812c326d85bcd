"""`tetsudo backup`, `restore`, `verify`, `rules` and `move-to`: copying all games, and proving them intact."""

import argparse
import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from bot.settings import SettingsError, from_environment
from cli.failure import Failure, counted
from cli.looking import Examined, Found, chosen, examined, looked_over
from storage import BEFORE, Address, BadAddress, Place, StorageError, Store, Unavailable, place_of, serving, sole_user
from storage.sqlite.backup import copy_to, one_file, to_disk
from storage.sqlite.connection import keep_private

COMPANIONS = ("-wal", "-shm")
T = TypeVar("T")


def add_commands(command: Any) -> None:
    backup = command("backup", _backup, help="copy all games to a file while the bot runs")
    backup.add_argument("to", type=Path, metavar="FILE", help="a file that does not exist yet")
    place_option(backup)

    restore = command("restore", _restore, help="replace the games with a backup; the bot must not be running")
    restore.add_argument("source", type=Path, metavar="FILE", help="a file that `tetsudo backup` made")
    place_option(restore)

    verify = command("verify", _verify, help="check every stored game: the file, the checksums, and a replay")
    verify.add_argument("game", nargs="*", help="only these games, by their ids")
    place_option(verify)

    rules = command("rules", _rules, help="list the games that changed rules affect, and let them go on")
    rules.add_argument("game", nargs="*", help="only these games, by their ids")
    rules.add_argument(
        "--go-on", action="store_true", help="let them go on, even if moves are lost; not while the bot runs"
    )
    place_option(rules)

    move = command("move-to", _move, help="copy all games from a file to PostgreSQL, or back; no bot may run")
    move.add_argument("to", type=_place, metavar="PLACE", help="postgresql://USER@HOST/DATABASE, or a new file")
    place_option(move)


def place_option(parser: argparse.ArgumentParser) -> None:
    """Let the command say where the games are."""
    parser.add_argument(
        "--database", type=_place, metavar="FILE", help="the file, or PostgreSQL's address (else TETSUDO_DB)"
    )


def _place(text: str) -> Place:
    try:
        return place_of(text)
    except BadAddress as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def place_in(args: argparse.Namespace) -> Place:
    """Where the games are, or will be. Raises Failure."""
    if args.database is not None:
        return place_of(args.database)
    try:
        return from_environment(need_token=False).database
    except SettingsError as error:
        raise Failure(str(error)) from error


def existing(args: argparse.Namespace) -> Place:
    """Where the games are. Raises Failure if it is a file that does not exist, or in which nothing was written."""
    place = place_in(args)
    if isinstance(place, Path):
        if not place.exists():
            raise Failure(f"{place} does not exist.")
        if place.is_file() and not place.stat().st_size:
            raise Failure(f"{place} is empty: nothing was ever stored in it.")
    return place


def _backup(args: argparse.Namespace) -> int:
    path, began = existing(args), time.monotonic()
    if isinstance(path, Address):
        raise Failure(
            f"The games are in PostgreSQL ({path}), which has its own tool: pg_dump --format=custom --file={args.to} "
            f"ADDRESS. To copy them into a file of Tetsudo's, stop the bot and use `tetsudo move-to {args.to}`."
        )
    run(copy_to(path, args.to))  # as it is: opening it would upgrade it
    size = args.to.stat().st_size
    print(f"{args.to}: {size:,} bytes, checked, in {time.monotonic() - began:.1f} s.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    """Restore a backup: check it first, keep what it replaces, and put it into place in one step.

    Whenever this is ended, there is a whole file in place: the old one, or the restored one.
    """
    path = place_in(args)
    if isinstance(path, Address):
        raise Failure(
            f"The games are in PostgreSQL ({path}), which has its own tool: stop the bot, make an empty database, and "
            f"pg_restore --no-owner --dbname=ADDRESS {args.source}. Then `tetsudo verify` checks it."
        )
    if not args.source.is_file():
        raise Failure(f"{args.source} {'is not a file' if args.source.exists() else 'does not exist'}.")
    if path.exists() and path.samefile(args.source):
        raise Failure(f"{args.source} is the games' own file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sole_user(path, wait_seconds=0), _folder_beside(path) as folder:
            copy = folder / path.name
            _copy_of(args.source, copy)
            if _is_empty(copy):
                raise Failure(f"{args.source} is empty, so it is no backup; nothing was changed.")
            try:
                problems, beside = asyncio.run(_sound(copy))
            except StorageError as error:  # which names the copy
                raise Failure(f"nothing was changed. {error}".replace(str(copy), str(args.source))) from error
            if problems:
                raise Failure(f"{args.source} is not sound; nothing was changed: {problems[0]}")
            one_file(copy)
            to_disk(copy)
            kept = _keep(path)
            _leave_alone(path)
            copy.replace(path)
            to_disk(path.parent)
    except Unavailable as error:
        raise Failure(f"nothing was changed. {error}") from error
    except OSError as error:
        raise Failure(f"{path} cannot be replaced: {error.strerror}. {error.filename or ''}".strip()) from error
    for one in beside:
        print(one)
    print(f"{path} has been restored from {args.source}." + (f" The old file is kept as {kept}." if kept else ""))
    return 0


@contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """A folder for the copy that is checked first; what a restore that was killed has left in it goes."""
    folder = path.with_name(f".restore-{path.name}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_of(source: Path, copy: Path) -> None:
    """Copy the source, together with its -wal if there is one."""
    keep_private(copy)
    shutil.copyfile(source, copy)
    log = source.with_name(source.name + "-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(copy.name + "-wal"))


def _is_empty(path: Path) -> bool:
    """Whether there is not a single table, as in a file of which nothing was written."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    return False  # what is wrong with it is said in words later


def _keep(path: Path) -> Path | None:
    """Give the current file another name beside its own; it stays in place.

    Where it has a -wal or -shm, it is copied with them: under a second name of the same file a copy of the log would
    be applied to games that have gone on, if this restore is not finished.
    """
    if not path.exists():
        return None
    number, kept = 1, path.with_name(path.name + BEFORE)
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}{BEFORE}-{number}")
    companions = [one for one in COMPANIONS if path.with_name(path.name + one).exists()]
    for companion in companions:
        shutil.copyfile(path.with_name(path.name + companion), kept.with_name(kept.name + companion))
        to_disk(kept.with_name(kept.name + companion))
    if companions or not _linked(path, kept):
        part = kept.with_name(kept.name + ".part")
        shutil.copyfile(path, part)
        to_disk(part)
        part.replace(kept)
    to_disk(path.parent)
    return kept


def _linked(path: Path, name: Path) -> bool:
    """Give the file a second name; False on a file system without hard links."""
    try:
        os.link(path, name)
    except OSError:
        return False
    return True


def _leave_alone(path: Path) -> None:
    """Take away the file's -wal and -shm, which would be applied to another in its place.

    What they hold is first written into the file, as far as it can still be read.
    """
    with suppress(Unavailable):
        if path.exists():
            one_file(path)
    for companion in COMPANIONS:
        path.with_name(path.name + companion).unlink(missing_ok=True)


def _verify(args: argparse.Namespace) -> int:
    place, began = existing(args), time.monotonic()
    found = run(_looked_over(place, args.game))
    for one in (*found.problems, *(one.text for one in found.touched)):
        print(one)
    if found.problems:
        print(f"Problems: {len(found.problems)}. docs/storage.md explains how to restore a backup.")
        return 1
    state, ends = ("is sound", "replays") if found.games == 1 else ("are sound", "replay")
    state += f"; changed rules affect {len(found.touched)}" if found.touched else f" and {ends}"
    print(f"{place}: {_told(found)} {state}, in {time.monotonic() - began:.1f} s.")
    return 0


def _told(found: Found) -> str:
    return f"{counted(found.games, 'game')} with {counted(found.rows, 'row')}"


def _move(args: argparse.Namespace) -> int:
    source, began = existing(args), time.monotonic()
    copy = run(moved(source, args.to))
    for one in copy.touched:
        print(one.text)
    print(
        f"{_told(copy)} {'is' if copy.games == 1 else 'are'} in {args.to} now, in {time.monotonic() - began:.1f} s. "
        f"Every row is the same there, every checksum holds, and every game replays. {source} is as it was. Set "
        "TETSUDO_DB to the new place before you start the bot again, and no longer use the old one."
    )
    return 0


def _rules(args: argparse.Namespace) -> int:
    place = existing(args)
    if args.go_on:
        found = run(_gone_on(place, args.game), "nothing was changed. ")
    else:
        found = run(_examined_still(place, args.game))
    for one in found:
        print(one.gone_on if args.go_on else one.text)
    stuck = sum(not one.goes_on for one in found)
    waiting = 0 if args.go_on else sum(one.waits for one in found)
    print(
        f"Affected by changed rules: {len(found)}; waiting for you: {waiting}; unable to go on: {stuck}."
        + (" `tetsudo rules --go-on` lets those that wait go on." if waiting else "")
    )
    return 1 if waiting or stuck else 0


async def _looked_over(place: Place, only: Sequence[str]) -> Found:
    async with Store.still(place) as store:
        return await looked_over(store, only)


async def _sound(path: Path) -> tuple[list[str], list[str]]:
    """What is wrong with the games themselves, and what is only damaged beside them."""
    async with Store.open(path) as store:
        problems = await store.check()
        return problems, [] if problems else await store.damaged_beside()


async def _examined_still(place: Place, only: Sequence[str]) -> list[Examined]:
    async with Store.still(place) as store:
        return await examined(store, await chosen(store, only))


async def _gone_on(place: Place, only: Sequence[str]) -> list[Examined]:
    async with serving(place, wait_seconds=0), Store.open(place) as store:
        return await examined(store, await chosen(store, only), go_on="always")


# Moving: what is left stays as it was


async def moved(source: Place, target: Place) -> Found:
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
    for companion in ("", *COMPANIONS):
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


def run(work: Coroutine[Any, Any, T], left: str = "") -> T:
    """What the work returns; what the storage refuses is a Failure, which says first what is `left`."""
    try:
        return asyncio.run(work)
    except StorageError as error:
        raise Failure(f"{left}{error}") from error
