"""The board of the real program in a real browser: killed and started again, beside the chat, over two processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from browsing import DESKTOP, IN_ONE_LOOP, PHONE, Window, window
from wire_frame import passed_on
from wire_people import answered, buttons
from wire_play import Move, Party, party
from wire_process import BotProcess, rows, settled
from wire_server import Server

pytestmark = [pytest.mark.long, IN_ONE_LOOP]
PASS = "#turn .choice.pass"


async def link(table: Party, person: Any) -> str:
    """Their link to the board, by `/my board`."""
    said = (await answered(table.server, await person.slash(table.channel, "my board"))).text
    return said.partition("](")[2].partition(")")[0]


async def shows(page: Any, seq: int) -> None:
    await page.locator(f"body[data-seq='{seq}']").wait_for(state="attached", timeout=60_000)


async def test_boards_outlive_a_kill_and_nothing_is_done_twice(
    tmp_path: Path, chromium: Any, unused_tcp_port: int
) -> None:
    async with Server() as server:
        table = await party(server, tmp_path / "games.sqlite3")
        async with BotProcess(server, table.database, real=True, TETSUDO_BOARD=str(unused_tcp_port)) as bot:
            await table.begin()
            up = table.up(table.packet())
            next_up = next(one for one in table.people if one is not up)
            pages = [await (await chromium.new_context(**how)).new_page() for how in (PHONE, DESKTOP)]
            for page, person in zip(pages, (up, next_up), strict=True):
                await page.goto(await link(table, person))
            mine = pages[0]
            old = await mine.evaluate("({seen: document.body.dataset.seq, csrf: document.body.dataset.csrf})")
            await bot.kill()
            for page in pages:
                await page.locator("#banner.bad", has_text="cannot reach the bot").wait_for(timeout=60_000)
            await mine.locator(PASS).click()
            await bot.start()
            for page in pages:
                await page.locator("#banner").wait_for(state="hidden", timeout=60_000)
            assert table.seq() == 0
            await mine.locator(PASS).click()
            for page in pages:
                await shows(page, 1)
            await settled(server, table.database)
            assert table.seq() == 1
            await table.turn()  # in the chat
            for page in pages:
                await shows(page, table.seq())
            body = {"actions": [{"do": "Pass", "by": "p1"}], "seen": int(old["seen"]), "id": 5}
            sent = {"method": "POST", "headers": {"X-Board": old["csrf"], "Content-Type": "application/json"}}
            said = await mine.evaluate(
                "async ([sent, body]) => (await fetch('act', {...sent, body: JSON.stringify(body)})).status",
                [sent, body],
            )
            assert said == 409
            assert table.seq() == 2


async def test_two_boards_and_the_chat_are_one_game(tmp_path: Path, chromium: Any, unused_tcp_port: int) -> None:
    async with Server() as server:
        table = await party(server, tmp_path / "games.sqlite3")
        async with BotProcess(server, table.database, TETSUDO_BOARD=str(unused_tcp_port)):
            await table.begin()
            up = table.up(table.packet())
            async with (
                window(chromium, await link(table, up), PHONE) as phone,
                window(chromium, await link(table, up), DESKTOP) as desk,
            ):
                packet = table.packet()
                await asyncio.gather(up.click(packet, buttons(packet)["Pass"]), pressed(phone), pressed(desk))
                for one in (phone, desk):
                    await shows(one.page, 1)
                    one.errors = [error for error in one.errors if "409" not in error and "422" not in error]
                await settled(server, table.database)
                assert table.seq() == 1
                assert rows(table.database, "SELECT count(*) FROM log")[0][0] == 1
                assert table.up(table.packet()) is not up


async def pressed(one: Window) -> None:
    """Press at once; whoever is faster has moved, and the others are told."""
    await one.page.evaluate("button => document.querySelector(button)?.click()", PASS)


@asynccontextmanager
async def before(first: int, second: int) -> AsyncIterator[tuple[int, list[int]]]:
    """A proxy before two processes, and the statuses of presses: only every third press comes to the second."""
    turns, statuses = cycle((first, first, second)), list[int]()

    async def answer(request: web.Request) -> web.StreamResponse:
        port = next(turns) if request.method == "POST" else first
        answered = await passed_on(request, f"http://127.0.0.1:{port}", keep_host=True)
        if request.method == "POST":
            statuses.append(answered.status)
        return answered

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield int(runner.addresses[0][1]), statuses
    finally:
        await runner.cleanup()


async def test_a_page_follows_and_plays_a_game_that_another_process_has(
    address: str, tmp_path: Path, chromium: Any, unused_tcp_port_factory: Any
) -> None:
    having, other = unused_tcp_port_factory(), unused_tcp_port_factory()
    async with Server() as server, before(other, having) as (port, statuses), AsyncExitStack() as stack:
        server.world.recommended, server.world.starts.concurrency = 2, 16
        table = await party(server, address, shard=(0, 2))
        url = f"http://127.0.0.1:{port}"
        for number, own in enumerate((having, other)):
            where = {"TETSUDO_SHARDS": f"{number}/2", "TETSUDO_BOARD": str(own), "TETSUDO_BOARD_URL": url}
            bot = BotProcess(server, address, real=False, **where)
            bot.log_file = tmp_path / f"{number}.log"
            await stack.enter_async_context(bot)
        await table.begin()
        second = table.people[1]
        async with window(chromium, await link(table, second), DESKTOP) as shown:
            await table.turn(first=Move(buttons(table.packet())["Pass"], None, "Pass"))  # in the chat
            await shows(shown.page, 1)
            await shown.page.locator(PASS).click()
            await shows(shown.page, 2)
            await settled(server, address)
            assert table.seq() == 2
            assert statuses[:2] == [421, 421]  # the browser tries once more by itself, then the page does
            shown.errors = [one for one in shown.errors if "421" not in one]
