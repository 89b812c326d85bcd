"""Processes that are killed, and processes that work on one file at the same time."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from postgres_server import PostgresServer

from storage import Duplicate, Notice, Row, Store

Start = Callable[..., "subprocess.Popen[str]"]


async def new_game(place: str, *rows: str) -> str:
    async with Store.open(place) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        if rows:
            await store.append(game.id, 0, [Row("action", row) for row in rows])
        return game.id


def killed_while_appending(child: subprocess.Popen[str], after: int, pause: float) -> list[list[str]]:
    """Let the child acknowledge `after` appends and work on for `pause` seconds; the lines it printed."""
    assert child.stdout is not None
    lines: list[list[str]] = []
    while sum(line[0] == "done" for line in lines) < after:
        line = child.stdout.readline()
        assert line, child.communicate()[1]
        lines.append(line.split())
    time.sleep(pause)
    child.send_signal(signal.SIGKILL)
    lines += [line.split() for line in child.stdout]
    child.communicate()
    return lines


@pytest.mark.parametrize("runs", [5, pytest.param(20, marks=pytest.mark.slow)])
@pytest.mark.long
def test_what_was_acknowledged_survives_kill_9_at_any_time(place: str, start_child: Start, runs: int) -> None:
    dice = random.Random(1889)
    game = asyncio.run(new_game(place))
    acknowledged: list[str] = []
    for run in range(runs):
        child = start_child("endless", place, game, run)
        lines = killed_while_appending(child, dice.randrange(1, 12), dice.random() * 0.01)
        acknowledged += [line[1] for line in lines if line[0] == "done"]
        in_flight = lines[-1][1]
        asyncio.run(everything_is_there_once(place, game, acknowledged, in_flight))
        acknowledged.append(in_flight)  # the person pressed again


async def everything_is_there_once(place: str, game: str, acknowledged: list[str], in_flight: str) -> None:
    async with Store.open(place) as store:
        length = await store.verify(game)
        log = await store.log(game)
        times = Counter(row.body for row in log)
        assert length == len(log) == (await store.game(game)).seq
        assert set(times.values()) <= {1}
        assert set(acknowledged) <= {row.body for row in log[::2]} <= {*acknowledged, in_flight}
        assert [row.body + "+" for row in log[::2]] == [row.body for row in log[1::2]]  # no half appends
        rows = [Row("action", in_flight), Row("action", in_flight + "+")]
        again = store.append(game, length, rows, interaction_id=in_flight, notices=[Notice("turn", in_flight)])
        if in_flight in times:
            with pytest.raises(Duplicate):
                await again
        else:
            assert await again == length + 2
        assert await store.outbox.waiting(game) == (await store.verify(game)) // 2


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.broad
def test_a_process_that_crashes_before_any_statement_of_an_append_leaves_all_or_nothing(
    place: str, engine: str, start_child: Start, request: pytest.FixtureRequest, every: int
) -> None:
    """Killed before one statement or another of one append, until the append finishes first."""
    first_written = None
    game = asyncio.run(new_game(place, "first"))
    for statement in range(1, 40, every):
        if engine == "postgres":
            server: PostgresServer = request.getfixturevalue("postgres")
            here = server.new_database(place.rpartition("/")[2])
        else:
            here = shutil.copyfile(place, f"{place}{statement}")
        child = start_child("crashes", here, game, statement)
        out, errors = child.communicate()
        written = asyncio.run(all_or_nothing(here, game))
        assert written or "done" not in out
        if written:
            first_written = first_written or statement
        if child.returncode == 0:
            break
        assert child.returncode == -signal.SIGKILL, errors
    assert first_written is not None
    assert first_written > 8


async def all_or_nothing(place: str, game: str) -> bool:
    async with Store.open(place) as store:
        written = await store.verify(game) == 2
        assert [row.body for row in await store.log(game)] == ["first", "last"][: 1 + written]
        assert await store.outbox.waiting() == written
        if written:
            with pytest.raises(Duplicate):
                await store.append(game, 1, [Row("action", "last")], interaction_id="last")
        else:
            assert await store.append(game, 1, [Row("action", "last")], interaction_id="last") == 2
        assert await store.check() == []
        return written


@pytest.mark.broad
def test_two_processes_cannot_fork_a_game(place: str, start_child: Start) -> None:
    game = asyncio.run(new_game(place))
    children = [start_child("shares", place, game, name, 60) for name in ("ann", "bob")]
    outputs: dict[int, str] = {}
    readers = [
        threading.Thread(target=lambda n=n, c=c: outputs.update({n: c.communicate()[0]}))
        for n, c in enumerate(children)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    lines = [line.split() for output in outputs.values() for line in output.splitlines()]
    acknowledged = {int(line[1]): line[2] for line in lines if line[0] == "done"}
    assert sum(line[0] == "done" for line in lines) == len(acknowledged) == 120  # no seq was given twice

    async def look() -> None:
        async with Store.open(place) as store:
            assert await store.verify(game) == 120
            assert {row.seq: row.body for row in await store.log(game)} == acknowledged

    asyncio.run(look())


@pytest.mark.long
async def test_a_second_store_on_the_file_sees_every_commit_at_once(place: str) -> None:
    game = await new_game(place)
    async with Store.open(place) as one, Store.open(place) as two:
        for seq in range(0, 20, 2):
            await one.append(game, seq, [Row("action", "one")])
            assert (await two.game(game)).seq == seq + 1
            await two.append(game, seq + 1, [Row("action", "two")])
            assert len(await one.log(game)) == seq + 2
        assert await one.verify(game) == 20
