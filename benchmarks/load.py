"""Load on the real bot through the stand-in for Discord: acknowledgements, turn packets, memory, starts.

    python benchmarks/load.py play --games 50 --seconds 60 --think 5     games played at random at once
    python benchmarks/load.py play --games 10 --films                    while films are made, one after the other
    python benchmarks/load.py idle --games 200                           memory for each game that is loaded
    python benchmarks/load.py long --rows 1500                           a turn of a long game and of a fresh one
    python benchmarks/load.py start --games 50000                        seconds from the start to readiness
    python benchmarks/load.py share --processes 4 --games 40             processes that share shards, on PostgreSQL

The bot is a process of its own; the stand-in and the players are in this one, on the same processors.
"""

import argparse
import asyncio
import json
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, closing
from itertools import cycle
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "wire")]

# ruff: noqa: E402 (the folders above must be known first)

from postgres_server import PostgresServer
from wire_people import NoAnswer, Person, answered, until
from wire_play import Party, seq_of
from wire_process import BotProcess, settled
from wire_process import rows as rows_of
from wire_server import Server

import engine
from bot.core.log import read
from bot.core.moves import turn_key
from bot.core.notices import turn_notice
from engine.action_json import to_json
from records.simulate import simulate
from storage import LogRow, Notice, Row, Store

NAMES = ("Aiko", "Ben", "Chloe")
ORIGINALS = 40
UNREAD = "SELECT count(*) FROM games WHERE rules IS NULL"
COPIED = {"games": "id"} | dict.fromkeys(("seats", "log", "snapshots", "clocks", "messages"), "game")


async def make_games(
    server: Server, place: Path | str, titles: Sequence[str], count: int, seed: int, shards: int = 1, most: int = 10_000
) -> list[Party]:
    """Games of three in channels of their own, each somewhere in its first half, with their turns to be announced.

    They are on one server of each shard, and of `most` moves at most.
    """
    chance = random.Random(seed)
    guilds = [server.world.guild(shard=(number, shards)) for number in range(shards)]
    played = {title: await asyncio.to_thread(simulate, engine.build(title, 3), NAMES, seed) for title in titles}
    made = []
    async with Store.open(place) as store:
        for number in range(count):
            title = titles[number % len(titles)]
            actions = played[title][0]
            upto = chance.randrange(5, min(most, len(actions) // 2))
            people = [Person(server, server.world.person(name.lower(), name)) for name in NAMES]
            table = Party(server, server.world.channel(guilds[number % shards], f"rails{number}"), people, place)
            table.chance = random.Random(seed + number)
            table.game = await stored(store, table, title, [Row("action", json.dumps(to_json(one)), by_seat=one.by)
                                                            for one in actions[:upto]])  # fmt: skip
            made.append(table)
    return made


async def stored(store: Store, table: Party, title: str, rows: list[Row]) -> str:
    """A running game with this log; its id."""
    channel = table.channel
    game = await store.create_game(
        channel_id=channel.id, guild_id=channel.guild, host_id=table.people[0].id, title=title
    )
    for person in table.people:
        await store.join(game.id, person.id, person.account.shown, limit=6)
    await store.start_game(game.id)
    notice = await asyncio.to_thread(notice_of, title, rows)
    await store.append(game.id, 0, rows, notices=[notice])
    return game.id


def notice_of(title: str, rows: Sequence[Row]) -> Notice:
    """The turn that the log leads to."""
    built = engine.build(title, 3)
    logged = [LogRow("", seq, row.kind, row.body, None, None, None, 0, None, "") for seq, row in enumerate(rows, 1)]
    beginning = engine.start(built, NAMES)
    moves = read(built, beginning, logged).moves
    return turn_notice(turn_key(built, moves, beginning))


def part(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def told(name: str, values: Sequence[float]) -> str:
    shares = " ".join(f"p{round(100 * one)} {1000 * part(values, one):.0f}" for one in (0.5, 0.95, 0.99, 1.0))
    return f"{name:28} {shares} ms ({len(values)})"


def memory(pid: int) -> float:
    """Megabytes that the process holds."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024


def cpu(pid: int) -> float:
    """Seconds of processor time that the process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100


async def at_rest(pid: int) -> None:
    """Wait until the process has drawn ahead what it draws at its start."""
    before = -1.0
    while (now := cpu(pid)) - before > 0.1:
        before = now
        await asyncio.sleep(2)


async def play(args: argparse.Namespace, folder: Path) -> None:
    async with Server() as server:
        tables = await make_games(server, folder / "games.sqlite3", args.titles, args.games, args.seed)
        async with BotProcess(server, folder / "games.sqlite3", real=not args.profile, **profiled(args)) as bot:
            await until(server, lambda: all(one.channel.last is not None for one in tables), 300, "all turns")
            await settled(server, folder / "games.sqlite3", 300)
            assert bot.process is not None
            await at_rest(bot.process.pid)
            before, began = cpu(bot.process.pid), time.monotonic()
            server.world.requests.clear()
            packets, failures = await played_on(server, tables, args)
            spent, used = time.monotonic() - began, cpu(bot.process.pid) - before
            print(
                f"{args.games} games of {', '.join(args.titles)}, a move each {args.think} s on average, {spent:.0f} s"
            )
            print(told("acknowledged after", [ack for one in tables for ack in one.acks]))
            print(told("turn shown after", packets))
            print(f"{len(packets) / spent:.1f} turns a second; the bot used {100 * used / spent:.0f} % of a processor, "
                  f"{1000 * used / max(len(packets), 1):.0f} ms a turn, {memory(bot.process.pid):.0f} MB")  # fmt: skip
            print(f"{len(counted(server)) / max(len(packets), 1):.2f} requests a turn count: {kinds(server)}")
            print(f"refused by Discord: {server.world.invalid[:3]}; failures: {failures[:3]} ({len(failures)})")
            if args.profile:
                await bot.stop()


def counted(server: Server) -> list[str]:
    """Requests that Discord counts against its limit a second: method and path."""
    uncounted = ("/callback", "/webhooks/")
    return [f"{one[1]} {one[2]}" for one in server.world.requests if not any(part in one[2] for part in uncounted)]


def kinds(server: Server) -> dict[str, int]:
    return dict(Counter(re.sub(r"\d{5,}", ":id", one) for one in counted(server)).most_common(6))


def profiled(args: argparse.Namespace) -> dict[str, str]:
    return {"WIRE_PROFILE": str(Path(args.profile).absolute()), "WIRE_PIXELS": "0"} if args.profile else {}


async def played_on(server: Server, tables: Sequence[Party], args: argparse.Namespace) -> tuple[list[float], list[str]]:
    """All games until the time is over: after how many seconds turns were shown, and what failed."""
    ends, packets, failures, films = time.monotonic() + args.seconds, list[float](), list[str](), list[float]()
    viewing = asyncio.create_task(viewer(server, tables, films)) if args.films else None
    await asyncio.gather(*(player(one, args.think, ends, packets, failures) for one in tables))
    if viewing is not None:
        viewing.cancel()
        print(told("films of whole games after", films))
    return packets, failures


async def player(table: Party, think: float, ends: float, packets: list[float], failures: list[str]) -> None:
    """Play on until then. Shown is counted from the last press of a turn."""
    while time.monotonic() < ends and not table.over():
        await asyncio.sleep(table.chance.expovariate(1 / think) if think else 0)
        try:
            given = await table.turn()
        except NoAnswer as error:
            failures.append(str(error))
            continue
        if seq_of(table.packet()) >= 0:
            packets.append(time.time() - given.made)


async def viewer(server: Server, tables: Sequence[Party], made: list[float]) -> None:
    """One after the other, ask for the film of each game so far; `made` has the seconds each took."""
    for table in cycle(tables):
        began = time.monotonic()
        given = await table.people[0].slash(table.channel, "show film")
        await until(server, lambda seen=given: bool(seen.answers and seen.answers[-1].files), 600, "a film")  # type: ignore[misc]
        made.append(time.monotonic() - began)


async def idle(args: argparse.Namespace, folder: Path) -> None:
    async with Server() as server:
        tables = await make_games(server, folder / "games.sqlite3", args.titles, args.games, args.seed)
        async with Store.open(folder / "games.sqlite3") as store:
            while items := await store.outbox.claim("us", limit=500):
                for item in items:
                    await store.outbox.done(item)
        async with BotProcess(server, folder / "games.sqlite3", real=True) as bot:
            await answered(server, await tables[0].people[0].slash(tables[0].channel, "game status"))
            await asyncio.sleep(8)  # until the titles are warm
            assert bot.process is not None
            base = memory(bot.process.pid)
            for table in tables[1:]:
                await answered(server, await table.people[0].slash(table.channel, "game status"))
            loaded = memory(bot.process.pid)
            await asyncio.sleep(args.rest)
            full = memory(bot.process.pid)
            print(f"all loaded {loaded:.0f} MB; after a rest of {args.rest:.0f} s:")
            print(f"base {base:.0f} MB; {args.games} games loaded {full:.0f} MB: "
                  f"{(full - base) / (args.games - 1):.2f} MB a game")  # fmt: skip


async def long(args: argparse.Namespace, folder: Path) -> None:
    async with Server() as server:
        database = folder / "games.sqlite3"
        fresh, old = await make_games(server, database, ["1889"], 2, args.seed)
        async with Store.open(database) as store:
            rows = await store.log(old.game)
            more = [Row(kind, "{}") for _ in range((args.rows - len(rows)) // 2) for kind in ("undo", "redo")]
            logged = [Row(row.kind, row.body) for row in rows]
            notice = await asyncio.to_thread(notice_of, "1889", logged)
            await store.append(old.game, len(rows), more, notices=[notice])
        async with BotProcess(server, database, real=True):
            await settled(server, database)
            await asyncio.sleep(8)
            for name, table in (("fresh", fresh), ("long", old)):
                began = time.monotonic()
                shown: list[float] = []
                for _ in range(15):
                    given = await table.turn()
                    shown.append(time.time() - given.made)
                    await settled(server, database)
                print(told(f"{name}, {table.seq()} rows", shown), f"{time.monotonic() - began:.1f} s")


async def start(args: argparse.Namespace, folder: Path) -> None:
    """A start on so many games, nearly all of them copies of a few of up to 40 moves whose turns are shown."""
    async with Server() as server:
        database = folder / "games.sqlite3"
        tables = await make_games(server, database, args.titles, min(args.games, ORIGINALS), args.seed, most=40)
        async with BotProcess(server, database, real=True):
            await settled(server, database, 300)
            await until(server, lambda: not rows_of(database, UNREAD)[0][0], 300, "all games read")
        copied(database, args.games)
        bot = BotProcess(server, database, real=True)
        began = time.monotonic()
        async with bot:
            assert bot.process is not None
            pid, ready = bot.process.pid, time.monotonic() - began
            await answered(server, await tables[-1].people[0].slash(tables[-1].channel, "game status"))
            first = time.monotonic() - began
            print(f"{args.games} stored games: connected after {ready:.2f} s, first answer after {first:.2f} s, "
                  f"by then {cpu(pid):.1f} s of processor and {memory(pid):.0f} MB")  # fmt: skip
            for _ in range(round(args.rest / 10)):
                before = cpu(pid)
                await asyncio.sleep(10)
                print(f"after {time.monotonic() - began:.0f} s: {cpu(pid):.1f} s of processor, {memory(pid):.0f} MB")
                if cpu(pid) - before < 0.5:
                    break


def copied(database: Path, number: int) -> None:
    """Copy the games until there are so many, each in a channel of its own, of servers that the bot is not on."""
    with closing(sqlite3.connect(database)) as file, file:
        file.execute("PRAGMA synchronous = OFF")
        games = [game for (game,) in file.execute("SELECT id FROM games WHERE status = 'running'")]
        for table, key in COPIED.items():
            asked = [file.execute(f"SELECT * FROM {table} WHERE {key} = ?", (game,)) for game in games]
            names = [column[0] for column in asked[0].description]
            originals = [one.fetchall() for one in asked]
            file.executemany(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                (row for copy in range(len(games), number) for row in _copies(table, names, originals, copy)),
            )


def _copies(table: str, names: list[str], originals: list[list[Any]], copy: int) -> Iterator[tuple[Any, ...]]:
    """The rows of one game, as those of another."""
    for number, row in enumerate(originals[copy % len(originals)]):
        new = {"id": f"c{copy:05}" if table == "games" else None, "game": f"c{copy:05}", "channel_id": 10**17 + copy,
               "guild_id": (copy % 5000 + 1) << 22, "message_id": copy * 1000 + number}  # fmt: skip
        yield tuple(new.get(name, value) for name, value in zip(names, row, strict=True))


async def share(args: argparse.Namespace, folder: Path) -> None:
    """Turns of games that several processes share, then what happens when one of them is killed."""
    postgres = await asyncio.to_thread(PostgresServer, fsync="on")
    try:
        async with Server() as server, AsyncExitStack() as stack:
            server.world.recommended, server.world.starts.concurrency = args.shards, 16
            server.world.starts.seconds = 5.0
            database = postgres.new_database()
            tables = await make_games(server, database, args.titles, args.games, args.seed, args.shards)
            size = int(postgres.psql(database, "SELECT pg_database_size(current_database())"))
            moves = int(postgres.psql(database, "SELECT count(*) FROM log"))
            bots = []
            for number in range(args.processes):
                bot = BotProcess(server, database, real=True, TETSUDO_SHARDS="auto")
                bot.log_file = folder / f"bot{number}.log"
                bots.append(await stack.enter_async_context(bot))
            await until(server, lambda: shared_out(server, database, args), 120, "shards shared out")
            await until(server, lambda: all(one.channel.last is not None for one in tables), 300, "all turns")
            await settled(server, database, 300)
            pids = [bot.process.pid for bot in bots if bot.process is not None]
            before, began, asked = sum(map(cpu, pids)), time.monotonic(), len(server.world.requests)
            server.world.requests.clear()
            packets, failures = await played_on(server, tables, args)
            spent, used = time.monotonic() - began, sum(map(cpu, pids)) - before
            print(f"{args.processes} processes, {args.shards} shards, {args.games} games of {', '.join(args.titles)}, "
                  f"a move each {args.think} s on average, {spent:.0f} s")  # fmt: skip
            print(told("acknowledged after", [ack for one in tables for ack in one.acks]))
            print(told("turn shown after", packets))
            print(
                f"{len(packets) / spent:.1f} turns a second; {100 * used / spent:.0f} % of a processor, "
                f"{sum(map(memory, pids)):.0f} MB in all; "
                f"{len(counted(server)) / max(len(packets), 1):.1f} requests a turn that count"
            )
            refused = sum(status == 429 for *_, status in server.world.requests)
            print(f"429: {refused}; sessions too early: {server.world.starts.too_early}; failures: {len(failures)}; "
                  f"{asked} requests before")  # fmt: skip
            played = int(postgres.psql(database, "SELECT count(*) FROM log")) - moves
            grown = int(postgres.psql(database, "SELECT pg_database_size(current_database())")) - size
            print(f"{played} rows of the log, the database grew by {grown / 2**20:.1f} MB: "
                  f"{grown / max(played, 1):.0f} bytes a row")  # fmt: skip
            if args.processes > 1:
                await bots[0].kill()
                died = time.monotonic()
                await until(server, lambda: served(server, args), 120, "the other processes")
                print(f"all shards served {time.monotonic() - died:.1f} s after kill -9")
    finally:
        postgres.remove()


def served(server: Server, args: argparse.Namespace) -> bool:
    return {number for number, _ in server.listening()} == set(range(args.shards))


def shared_out(server: Server, database: str, args: argparse.Namespace) -> bool:
    """Whether every process has its fair share, and all are connected."""
    counts = [row[0] for row in rows_of(database, "SELECT count(*) FROM shards GROUP BY process")]
    return len(counts) == args.processes and max(counts) - min(counts) <= 1 and served(server, args)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "idle", "long", "start", "share"))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--titles", type=lambda text: text.split(","), default=["1889", "1888"])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=5.0, help="mean seconds between the moves of a game")
    parser.add_argument("--films", action="store_true", help="one person asks for films of whole games all the time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--rest", type=float, default=150.0, help="seconds of idleness after which memory is measured")
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--profile", default="", metavar="FILE", help="where the bot writes what its threads did")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tetsudo-load-") as folder:
        asyncio.run(
            {"play": play, "idle": idle, "long": long, "start": start, "share": share}[args.what](args, Path(folder))
        )


if __name__ == "__main__":
    main()
