"""`tetsudo backup`, `restore` and `verify`: copying all games, and proving them intact."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.settings import SettingsError, from_environment
from cli.files import Failure
from cli.rules import Examined, GoOn, examine
from storage import BrokenLog, Game, StorageError, Store, Unavailable, sole_user
from storage.sqlite.backup import copy_to
from storage.sqlite.connection import keep_private

COMPANIONS = ("-wal", "-shm")


def add_commands(commands: Any) -> None:
    """Add `backup`, `restore` and `verify` to the parsers of the command line."""
    backup = commands.add_parser("backup", help="copy all games to a file while the bot runs")
    backup.add_argument("to", type=Path, metavar="FILE", help="a file that does not exist yet")
    _database(backup)
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="replace the games with a backup; the bot must not be running")
    restore.add_argument("source", type=Path, metavar="FILE", help="a file that `tetsudo backup` made")
    _database(restore)
    restore.set_defaults(run=_restore)

    verify = commands.add_parser("verify", help="check every stored game: the file, the checksums, and a replay")
    verify.add_argument("game", nargs="*", help="only these games, by their ids")
    _database(verify)
    verify.set_defaults(run=_verify)

    rules = commands.add_parser("rules", help="list the games that changed rules affect, and let them go on")
    rules.add_argument("game", nargs="*", help="only these games, by their ids")
    rules.add_argument(
        "--go-on", action="store_true", help="let them go on, even if moves are lost; not while the bot runs"
    )
    _database(rules)
    rules.set_defaults(run=_rules)


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
    _run(copy_to(path, args.to))  # as it is: opening it would upgrade it
    size = args.to.stat().st_size
    print(f"{args.to}: {size:,} bytes, checked, in {time.monotonic() - began:.1f} s.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    """Restore a backup: check it first, keep what it replaces, and put it into place in one step."""
    path = _path(args)
    if not args.source.is_file():
        raise Failure(f"{args.source} does not exist.")
    if path.exists() and path.samefile(args.source):
        raise Failure(f"{args.source} is the games' own file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sole_user(path, wait_seconds=0), tempfile.TemporaryDirectory(dir=path.parent, prefix=".restore") as folder:
            copy = Path(folder) / path.name
            _copy_of(args.source, copy)
            problems = _run(_problems(copy, ()))
            if problems:
                raise Failure(f"{args.source} is not sound; nothing was changed: {problems[0]}")
            _one_file(copy)
            kept = _set_aside(path)
            copy.replace(path)
    except Unavailable as error:
        raise Failure(f"nothing was changed. {error}") from error
    except OSError as error:
        raise Failure(f"{path} cannot be replaced: {error.strerror}. {error.filename or ''}".strip()) from error
    print(f"{path} has been restored from {args.source}." + (f" The old file is kept as {kept}." if kept else ""))
    return 0


def _copy_of(source: Path, copy: Path) -> None:
    """Copy the source, together with its -wal and -shm if there are any."""
    keep_private(copy)
    shutil.copyfile(source, copy)
    for companion in COMPANIONS[:1]:
        beside = source.with_name(source.name + companion)
        if beside.exists():
            shutil.copyfile(beside, copy.with_name(copy.name + companion))


def _one_file(path: Path) -> None:
    """Merge the write-ahead log into the file itself."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")


def _set_aside(path: Path) -> Path | None:
    """Rename the current file with its -wal and -shm, which would otherwise be applied to the restored one."""
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
        copy = Path(folder) / path.name  # consistent while games go on, and the file itself stays untouched
        _run(copy_to(path, copy))
        problems = _run(_problems(copy, args.game))
        games, rows = (0, 0) if problems else _run(_counts(copy, args.game))
        touched = [] if problems else _run(_examined(copy, args.game))
        problems += [one.text for one in touched if one.change is None]
        touched = [one for one in touched if one.change is not None]
    for one in (*problems, *(one.text for one in touched)):
        print(one)
    if problems:
        print(f"Problems: {len(problems)}. docs/storage.md explains how to restore a backup.")
        return 1
    state = f"are sound; changed rules affect {len(touched)}" if touched else "are sound and replay"
    print(f"{path}: {games} games with {rows:,} actions {state}, in {time.monotonic() - began:.1f} s.")
    return 0


def _rules(args: argparse.Namespace) -> int:
    path = _existing(args)
    if args.go_on:
        try:
            with sole_user(path, wait_seconds=0):
                examined = _run(_examined(path, args.game, go_on="always"))
        except Unavailable as error:
            raise Failure(f"nothing was changed. {error}") from error
    else:
        with tempfile.TemporaryDirectory(prefix="tetsudo-rules-") as folder:
            copy = Path(folder) / path.name
            _run(copy_to(path, copy))
            examined = _run(_examined(copy, args.game))
    for one in examined:
        print(one.gone_on if args.go_on else one.text)
    stuck = [one for one in examined if not one.goes_on]
    print(f"Affected by changed rules: {len(examined)}; unable to go on: {len(stuck)}.")
    return 1 if stuck else 0


async def _problems(path: Path, only: Any) -> list[str]:
    """What is wrong, a sentence each: of the file, of the checksums, of games of which nothing can be made."""
    async with Store.open(path) as store:
        games = [await store.game(one) for one in only] or await _all(store)
        problems = await store.changed_elsewhere(*only) if only else await store.check()
        for game in games:
            try:
                await store.verify(game.id)
            except BrokenLog as error:
                if str(error) not in problems:
                    problems.append(str(error))
        return problems


async def _examined(path: Path, only: Any, go_on: GoOn = "never") -> list[Examined]:
    async with Store.open(path) as store:
        games = [await store.game(one) for one in only] or await _all(store)
        return [one for game in games if (one := await examine(store, game, go_on)) is not None]


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
