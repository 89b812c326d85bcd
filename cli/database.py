"""`tetsudo backup`, `restore` and `verify`: copies of all games, and the proof that they are what was played."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import engine
from bot.settings import SettingsError, from_environment
from cli.files import Failure
from engine.actions import from_json
from engine.errors import EngineError
from storage import BrokenLog, Game, LogRow, StorageError, Store, Unavailable, sole_user
from storage.backup import copy_to

COMPANIONS = ("-wal", "-shm")


def add_commands(commands: Any) -> None:
    backup = commands.add_parser("backup", help="copy all games to a file while the bot runs")
    backup.add_argument("to", type=Path, metavar="FILE", help="a file that does not exist yet")
    _database(backup)
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="put a backup in the place of the games; the bot must not run")
    restore.add_argument("source", type=Path, metavar="FILE", help="a file that `tetsudo backup` made")
    _database(restore)
    restore.set_defaults(run=_restore)

    verify = commands.add_parser("verify", help="check every stored game: the file, the checksums, and a replay")
    verify.add_argument("game", nargs="*", help="only these games, by their ids")
    _database(verify)
    verify.set_defaults(run=_verify)


def _database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--database", type=Path, metavar="FILE", help="the file with the games (else TETSUDO_DB)")


def _path(args: argparse.Namespace) -> Path:
    if args.database is not None:
        return Path(args.database)
    try:
        return from_environment(need_token=False).database
    except SettingsError as error:
        raise Failure(str(error)) from error


def _existing(args: argparse.Namespace) -> Path:
    path = _path(args)
    if not path.exists():
        raise Failure(f"{path} does not exist.")
    return path


def _backup(args: argparse.Namespace) -> int:
    path, began = _existing(args), time.monotonic()
    _run(copy_to(path, args.to))  # as it is: opening it would bring it to the version of this program
    size = args.to.stat().st_size
    print(f"{args.to}: {size:,} bytes, checked, in {time.monotonic() - began:.1f} s.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    """Check the backup first; keep what it replaces; put it into place in one step."""
    path = _path(args)
    if not args.source.is_file():
        raise Failure(f"{args.source} does not exist.")
    if path.exists() and path.samefile(args.source):
        raise Failure(f"{args.source} is the file with the games itself.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sole_user(path, wait_seconds=0), tempfile.TemporaryDirectory(dir=path.parent, prefix=".restore") as folder:
            copy = Path(folder) / path.name
            _copy_of(args.source, copy)
            problems = _run(_problems(copy, ()))
            if problems:
                raise Failure(f"{args.source} is not sound, nothing was changed: {problems[0]}")
            _one_file(copy)
            kept = _set_aside(path)
            copy.replace(path)
    except Unavailable as error:
        raise Failure(f"nothing was changed. {error}") from error
    except OSError as error:
        raise Failure(f"{path} cannot be replaced: {error.strerror}. {error.filename or ''}".strip()) from error
    print(f"{path} is restored from {args.source}." + (f" What was there is kept as {kept}." if kept else ""))
    return 0


def _copy_of(source: Path, copy: Path) -> None:
    """A copy with what is in the companions of the source, if there are any."""
    shutil.copyfile(source, copy)
    for companion in COMPANIONS[:1]:
        beside = source.with_name(source.name + companion)
        if beside.exists():
            shutil.copyfile(beside, copy.with_name(copy.name + companion))


def _one_file(path: Path) -> None:
    """Bring what is in the write-ahead log into the file itself."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")


def _set_aside(path: Path) -> Path | None:
    """Rename the present file and its companions, which would otherwise be played into the restored one."""
    if not path.exists():
        for companion in COMPANIONS:
            path.with_name(path.name + companion).unlink(missing_ok=True)
        return None
    number, kept = 1, path.with_name(f"{path.name}.before-restore")
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.before-restore-{number}")
    for companion in ("", *COMPANIONS):
        beside = path.with_name(path.name + companion)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + companion))
    return kept


def _verify(args: argparse.Namespace) -> int:
    path, began = _existing(args), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tetsudo-verify-") as folder:
        copy = Path(folder) / path.name  # of one moment, while games go on, and nothing in the file changes
        _run(copy_to(path, copy))
        found = _run(_problems(copy, args.game))
        games, rows = (0, 0) if found else _run(_counts(copy, args.game))
    for one in found:
        print(one)
    if found:
        print(f"Wrong: {len(found)}. docs/storage.md tells how to restore a backup.")
        return 1
    print(f"{path}: {games} games with {rows:,} actions are sound and replay, in {time.monotonic() - began:.1f} s.")
    return 0


async def _problems(path: Path, only: Any) -> list[str]:
    """What is wrong, a sentence each: of the file, of the checksums, of the replay of each game."""
    async with Store.open(path) as store:
        games = [await store.game(one) for one in only] or await _all(store)
        found = [] if only else await store.check()
        for game in games:
            try:
                await store.verify(game.id)
            except BrokenLog as error:
                if str(error) not in found:
                    found.append(str(error))
                continue
            wrong = await asyncio.to_thread(
                replays, game, [seat.name for seat in await store.seats(game.id)], await store.log(game.id)
            )
            if wrong:
                found.append(f"Game {game.id} {wrong}")
        return found


def replays(game: Game, names: list[str], rows: list[LogRow]) -> str | None:
    """Play the log with the present rules; what is wrong, or None. A game that has not begun has nothing to play."""
    if game.status == "open" or (game.status == "abandoned" and not rows):
        return None
    try:
        title = engine.build(game.title, len(names), json.loads(game.options))
        entries = []
        for row in rows:
            body = json.loads(row.body)
            action = from_json(body) if row.kind == "action" else None
            entries.append(engine.Entry(row.seq, row.kind, action, None if action else body.get("to")))
        state = engine.replay(title, names, entries)
    except (EngineError, ValueError, KeyError, TypeError) as error:
        return f"does not replay: {error}"
    if bool(state.over) != (game.status == "finished"):
        return f"is {game.status}, but its log says otherwise."
    return None


async def _all(store: Store) -> list[Game]:
    return await store.games("open", "running", "finished", "abandoned")


async def _counts(path: Path, only: Any) -> tuple[int, int]:
    async with Store.open(path) as store:
        games = [await store.game(one) for one in only] or await _all(store)
        return len(games), sum(game.seq for game in games)


def _run(work: Any) -> Any:
    try:
        return asyncio.run(work)
    except StorageError as error:
        raise Failure(str(error)) from error
