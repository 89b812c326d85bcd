"""What the board costs: bytes and time to the first board, a tap's answer, a move's way to many boards, memory.

    PYTHONPATH=.:tests/board python -m benchmarks.board [--boards 50]

Prints a table. Times are of this machine with everything on it, the browser included.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import psutil
from boarding import PHONE, Party, begun, browser, party

from board.assets import ASSETS
from engine import TITLES
from engine.actions import Pass

MARKED = "[...document.querySelectorAll('.hex[aria-label*=\"be laid\"]')].map(one => one.id)"
OPEN = "id => document.querySelector(`#focus[data-hex='${id.slice(4)}'] .confirm`)"


def quantiles(times: list[float]) -> str:
    """Median and 99 of 100, in milliseconds."""
    ordered = sorted(times)
    at = min(len(ordered) - 1, round(0.99 * len(ordered)))
    return f"p50 {1000 * statistics.median(ordered):.0f} ms, p99 {1000 * ordered[at]:.0f} ms"


async def first_board(title: str) -> None:
    """Bytes and time of the first board in the middle of a game, from nothing and again, and of taps."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder), title, max(3, TITLES[title].players[0])) as here, browser() as made:
            await here.play(lambda one: one.decision.step == "track" and len(one.state.board.placed) > 8, seed=3)
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                took = []
                for _ in range(2):
                    began = time.perf_counter()
                    async with session.get(here.link(here.user_up())) as answer:
                        page = await answer.text()
                    took.append(time.perf_counter() - began)
            packed = len(gzip.compress(page.encode(), 6))
            context = await made.new_context(**PHONE)
            window = await context.new_page()
            began = time.perf_counter()
            await window.goto(here.link(here.user_up()))
            await window.wait_for_selector("#hexes .hex")
            shown = time.perf_counter() - began
            hexes = await window.evaluate("[...document.querySelectorAll('#marks .mark')].length")
            taps = []
            marked = await window.evaluate(MARKED)
            for one in marked[:8]:
                began = time.perf_counter()
                await window.evaluate("id => document.getElementById(id).focus()", one)
                await window.keyboard.press("Enter")
                await window.wait_for_function(OPEN, arg=one)
                taps.append(time.perf_counter() - began)
            print(
                f"{title}: page {len(page):,} bytes, {packed:,} compressed; made in {1000 * took[0]:.0f} ms, "
                f"again {1000 * took[1]:.0f}; shown in {1000 * shown:.0f} ms; {hexes} marks; "
                f"tap to tiles {quantiles(taps) if taps else '-'}"
            )


async def listening(here: Party, user: int, heard: asyncio.Queue[float]) -> None:
    """A board without a browser: it hears of a move and fetches the difference."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(here.link(user)) as answer:
            stamp = (await answer.text()).partition('data-stamp="')[2].partition('"')[0]
        at = f"{here.url}/b/{here.table.game.id}/{user or 'watch'}"
        async with session.get(f"{at}/live", timeout=aiohttp.ClientTimeout(None)) as news:
            async for line in news.content:
                if line.startswith(b"data: 0"):
                    heard.put_nowait(0.0)
                if not line.startswith(b"data: 1"):
                    continue
                async with session.get(f"{at}/parts", params={"stamp": stamp}) as answer:
                    stamp = (await answer.json())["stamp"]
                heard.put_nowait(time.perf_counter())


async def spread(boards: int, moves: int = 12) -> None:
    """How soon a move is on this many boards of one game, from its submission."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder)) as here:
            heard: asyncio.Queue[float] = asyncio.Queue()
            tasks = [asyncio.create_task(listening(here, one % 4, heard)) for one in range(boards)]
            for _ in range(boards):
                await heard.get()
            times: list[float] = []
            for _ in range(moves):
                seat = here.table.position.up[0]
                await here.table.submit(Pass(seat), user=here.user_of(seat))
                stored = time.perf_counter()
                times += [max(0.0, await heard.get() - stored) for _ in range(boards)]
                await asyncio.sleep(0.5)
                while not heard.empty():  # the look at the version tells of the same move again
                    heard.get_nowait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            print(f"a move on {boards} boards, from its storing: {quantiles(times)}")


async def memory(boards: int = 200, games: int = 20) -> None:
    """Memory of open boards over that of the games alone."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder)) as here, AsyncExitStack() as stack:
            tables = [await begun(here.host.tables, "1889", 3, channel=100 + one) for one in range(games)]
            process = psutil.Process()
            before = process.memory_info().rss
            many = aiohttp.TCPConnector(limit=0)
            jar = aiohttp.CookieJar(unsafe=True)
            session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar, connector=many))
            for number in range(boards):
                table = tables[number % games]
                one = Party(table, here.board, here.host, here.url)
                user = number // games if number < 4 * games else 0  # one person has no more than twenty open
                async with session.get(one.link(user)) as answer:
                    await answer.read()
                at = f"{here.url}/b/{table.game.id}/{user or 'watch'}/live"
                await stack.enter_async_context(session.get(at, timeout=aiohttp.ClientTimeout(None)))
            grown = (process.memory_info().rss - before) / 2**20
            print(f"{here.board.live.boards} boards of {games} games: {grown:.0f} MB more, those who listen included")


async def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=50)
    boards = parser.parse_args().boards
    sizes = {name: packed for name, _, packed in ASSETS.sizes() if not name.startswith("beside")}
    print(f"style, script and font: {sum(sizes.values()):,} bytes compressed ({sizes})")
    for title in TITLES:
        await first_board(title)
    await spread(boards)
    await memory()


if __name__ == "__main__":
    asyncio.run(main())
