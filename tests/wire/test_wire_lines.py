"""`kill -9` while somebody tries moves out: a line is as before the press or after it, and the game knows nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from wire_checker import Wrong
from wire_crashes import ForkServer
from wire_lines import Kept, LineRun, change, take
from wire_people import answered, buttons, tool, until
from wire_play import playing, seq_of
from wire_process import rows, settled
from wire_server import Server


async def test_a_line_is_as_before_the_press_or_after_it_when_the_bot_is_killed(tmp_path: Path) -> None:
    run = LineRun(tmp_path, seed=4)
    await run.run(4)
    assert sum(run.crashed_at.values()) == 4


@pytest.mark.slow
@pytest.mark.parametrize(("title", "turns", "seed"), [("1889", 3, 1), ("1889", 30, 2), ("1860", 12, 3), ("1890", 6, 4)])
async def test_lines_outlast_many_kills(tmp_path: Path, title: str, turns: int, seed: int) -> None:
    run = LineRun(tmp_path, seed, title, turns=turns)
    await run.run(60)
    assert run.done["one decision more"] >= 5
    assert run.done["nothing"] >= 5


@pytest.mark.parametrize(
    ("point", "stored"),
    [
        ("before http", 0),
        ("standing_orders>before sql COMMIT", 0),
        pytest.param("standing_orders>after sql COMMIT", 1, marks=pytest.mark.slow),
        ("standing_orders>after sql COMMIT>before http", 1),
    ],
)
async def test_a_line_is_made_a_program_wholly_or_not_at_all_when_the_bot_is_killed(
    server: Server, database: Path, tmp_path: Path, point: str, stored: int
) -> None:
    async with ForkServer(tmp_path) as forks:
        bot = await forks.start(server, database, f"signal:{point}:1")
        await bot.connected()
        table = await playing(server, database)
        first, second, third = table.people
        board = await tool(server, second, table.packet(), "Try out")
        for _ in range(2):
            board = await answered(server, await second.click(board, buttons(board)["Pass"]))
        asked = await answered(server, await take(second, board, "Make these my programs"))
        bot.arm()
        await second.click(asked, buttons(asked)["Play them for me"])
        await until(server, lambda: bot.ended, what="its crash")
        assert point.split(">")[-1] in await bot.end()
        orders = [json.loads(body)["programs"] for (body,) in rows(database, "SELECT body FROM standing_orders")]
        assert [len(kept) for kept in orders] == [1] * stored
        assert table.seq() == 0
        bot = await forks.start(server, database)
        await bot.connected()
        await first.click(table.packet(), buttons(table.packet())["Pass"])
        await until(server, lambda: table.seq() == 1 + len(orders), what="the moves")
        await settled(server, database)
        asked_now = third if orders else second
        assert table.up(table.packet()) is asked_now
        assert [user for user, one in server.world.pings if seq_of(one) == table.seq()] == [asked_now.id]
        await bot.end()


def test_the_comparison_finds_what_one_press_cannot_do() -> None:
    one = Kept("Line 1", 2, ('["a", ""]', '["b", ""]'))
    assert change({1: one}, {1: Kept("Line 1", 3, (*one.steps, '["c", ""]'))}) == "one decision more"
    assert change({1: one}, {1: Kept("Line 1", 3, one.steps[:1])}) == "one decision less"
    assert change({1: one}, {1: one, 2: Kept("Line 2", 0, one.steps)}) == "a line more"
    for wrong in (
        {},
        {1: Kept("Line 1", 4, (*one.steps, '["c", ""]'))},
        {1: Kept("Line 1", 3, ('["b", ""]', '["a", ""]', '["c", ""]'))},
        {1: Kept("Line 1", 3, (*one.steps, '["c", "auto: nothing else to do"]'))},
        {1: one, 2: Kept("Line 2", 0, one.steps), 3: Kept("Line 3", 0, one.steps)},
        {1: one, 2: Kept("Line 2", 0, one.steps[1:])},
    ):
        with pytest.raises(Wrong):
            change({1: one}, wrong)
