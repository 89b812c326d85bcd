"""What the board costs: bytes and time to the first board, a tap's answer, a move's way to many boards, memory.

    PYTHONPATH=.:tests:tests/board python -m benchmarks.boards_at_once [--boards 50] [--only first|spread|memory]

Prints a table. Times are of this machine with everything on it, the browser included; beside them stands the processor
time of the bot's own process, which other work on the machine hardly changes.
"""

import argparse
import asyncio
import gzip
import json
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

import aiohttp
import psutil
from boarding import Party, begun, party
from browsing import PHONE, browser

from board.assets import ASSETS
from engine import TITLES
from engine.actions import Pass

MARKED = "[...document.querySelectorAll('.hex[aria-label*=\"be laid\"]')].map(one => one.id)"
TAP = """id => new Promise((done) => {
  const began = performance.now(), sheet = document.getElementById("focus");
  new MutationObserver((_, watch) => {
    if (!sheet.querySelector(".confirm") || sheet.dataset.hex !== id.slice(4)) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done((performance.now() - began) / 1000)));
  }).observe(sheet, {childList: true, subtree: true, attributes: true});
  document.getElementById(id).dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
})"""
"""Opens a hex; tells after how many seconds its tiles were painted."""


def quantiles(times: Sequence[float]) -> str:
    """Median and 99 of 100, in milliseconds."""
    ordered = sorted(times)
    at = min(len(ordered) - 1, round(0.99 * len(ordered)))
    return f"p50 {1000 * statistics.median(ordered):.0f} ms, p99 {1000 * ordered[at]:.0f} ms"


class Took:
    """Seconds, of a clock and of this process's processor time."""

    wall = processor = 0.0

    def __str__(self) -> str:
        return f"{1000 * self.wall:.0f} ms ({1000 * self.processor:.0f} ms of processor)"


@contextmanager
def measured() -> Iterator[Took]:
    """How long it takes what is done meanwhile."""
    took, wall, processor = Took(), time.perf_counter(), time.process_time()
    yield took
    took.wall, took.processor = time.perf_counter() - wall, time.process_time() - processor


async def first_board(title: str) -> None:
    """Bytes and time of the first board in the middle of a game, from nothing and again, and of taps."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder), title, max(3, TITLES[title].players[0])) as here, browser() as made:
            await here.play(lambda one: one.decision.step == "track" and len(one.state.board.placed) > 8, seed=3)
            link, at = here.link(here.user_up()), f"{here.url}/b/{here.table.game.id}/{here.user_up()}"
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                with measured() as first:
                    page = await _get(session, link)
                with measured() as again:
                    await _get(session, link)
                marks = [str(hex_id) for hex_id in (await _asked(here)).marks]
                costs = []
                for one in marks[:8]:
                    with measured() as tap:
                        await _get(session, f"{at}/hex/{one}")
                    costs.append(tap.processor)
            window = await (await made.new_context(**PHONE)).new_page()
            with measured() as shown:
                await window.goto(link)
                await window.wait_for_selector("#hexes .hex")
            taps = []
            for one in (await window.evaluate(MARKED))[:8]:
                taps.append(await window.evaluate(TAP, one))
            packed = len(gzip.compress(page.encode(), 6))
            print(f"{title}: page {len(page):,} bytes, {packed:,} compressed; made in {first}, again {again}")
            print(f"  shown in {1000 * shown.wall:.0f} ms; {len(marks)} marks; tap to tiles {quantiles(taps)}")
            print(f"  a tap takes of processor: first {quantiles(costs)}")


async def _get(session: aiohttp.ClientSession, url: str) -> str:
    async with session.get(url) as answer:
        assert answer.status == 200, answer.status
        return await answer.text()


async def _asked(here: Party) -> Any:
    return (await here.board.views.of(here.table, here.user_up())).asked


async def _listen(link: str, at: str, heard: Any, door: asyncio.Semaphore) -> None:
    """A board without a browser: it tells each position that it was sent, and when."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with door:
            page = await _get(session, link)
        stamp = page.partition('data-stamp="')[2].partition('"')[0]
        forever = aiohttp.ClientTimeout(None)
        async with session.get(f"{at}/live", params={"stamp": stamp}, timeout=forever, read_bufsize=2**20) as news:
            heard.put((-1, 0.0))
            async for line in news.content:
                if line.startswith(b"data: "):
                    heard.put((json.loads(line[6:])["seq"], time.perf_counter()))


def _boards(boards: Sequence[tuple[str, str]], heard: Any) -> None:
    """Many of them, in a process of their own, so that the bot's processor time is its own."""

    async def listen() -> None:
        door = asyncio.Semaphore(4)
        await asyncio.gather(*(_listen(link, at, heard, door) for link, at in boards))

    asyncio.run(listen())


async def spread(boards: int, moves: int = 12) -> None:
    """How soon a move is on this many boards of one game, from its storing."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder)) as here:
            links = [(here.link(user), _at(here, user)) for user in (one % 4 for one in range(boards))]
            listener, heard = await _opened(links)
            times, costs = [], []
            for _ in range(moves):
                seat = here.table.position.up[0]
                await here.table.submit(Pass(seat), user=here.user_of(seat))
                stored, seq = time.perf_counter(), here.table.position.seq
                with measured() as took:
                    times += [await asyncio.to_thread(_arrived, heard, seq) - stored for _ in range(boards)]
                costs.append(took.processor)
            listener.terminate()
            print(f"a move on {boards} boards, from its storing: {quantiles(times)}; of processor {quantiles(costs)}")


def _at(here: Party, user: int) -> str:
    return f"{here.url}/b/{here.table.game.id}/{user or 'watch'}"


async def _opened(links: Sequence[tuple[str, str]]) -> tuple[Any, Any]:
    """The process of boards that are open now, and what it hears."""
    spawned = multiprocessing.get_context("spawn")
    heard = spawned.Queue()
    listener = spawned.Process(target=_boards, args=(links, heard), daemon=True)
    listener.start()
    for _ in links:
        await asyncio.to_thread(heard.get)
    return listener, heard


def _arrived(heard: Any, seq: int) -> float:
    """When the next board showed this position."""
    try:
        while (told := heard.get(timeout=60))[0] != seq:
            pass
    except Empty:
        raise AssertionError("a board was not told") from None
    when: float = told[1]
    return when


async def memory(boards: int = 200, games: int = 20) -> None:
    """Memory of open boards over that of the games alone."""
    with tempfile.TemporaryDirectory() as folder:
        async with party(Path(folder)) as here:
            tables = [await begun(here.host.tables, "1889", 3, channel=100 + one) for one in range(games)]
            process = psutil.Process()
            before = process.memory_info().rss
            links = []
            for number in range(boards):
                one = Party(tables[number % games], here.board, here.host, here.url)
                user = number // games if number < 4 * games else 0  # one person has no more than twenty open
                links.append((one.link(user), _at(one, user)))
            listener, _ = await _opened(links)
            grown = (process.memory_info().rss - before) / 2**20
            print(f"{here.board.live.boards} boards of {games} games: {grown:.0f} MB more")
            listener.terminate()


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--only", choices=("first", "spread", "memory"))
    given = parser.parse_args()
    sizes = {name: len(packed) for name, packed in ASSETS.packed.items() if not name.startswith("beside")}
    print(f"style, script and font: {sum(sizes.values()):,} bytes compressed ({sizes})")
    for title in TITLES if given.only in (None, "first") else ():
        await first_board(title)
    if given.only in (None, "spread"):
        await spread(given.boards)
    if given.only in (None, "memory"):
        await memory()


if __name__ == "__main__":
    asyncio.run(main())
