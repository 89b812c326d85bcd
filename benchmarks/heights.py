"""How high a turn's message is on a phone, and how much of it can be pressed: whole games in the playground's page.

    python benchmarks/heights.py FILE...                  games of ours or 18xx.games records (tetsudo simulate --out)
    python benchmarks/heights.py --shots FOLDER FILE...   a picture of each message as well

Every kind of turn (round and step) is shown early, in the middle and late in each game, at the width of
a phone. Prints a line for each: the least, median and greatest height in pixels, presses and choices of lists, and
those above the limit. Needs Chromium and the packages of the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.async_api import async_playwright
from presses import begun

import engine
from bot.chat.layout import files, view
from bot.chat.screen import Screen, Select
from bot.core import outcome
from bot.core.table import Table
from bot.rooms.turn import screen as turn
from engine.actions import EndGame
from engine.ids import CHANCE
from playground.page import page
from playground.room import Room, room
from records.files import Played, parse, play

WINDOW: Any = {"width": 390, "height": 2400}
"""As wide as a phone, and as high as any message, so that all of it is on a picture."""
LIMIT = 620
READY = "() => simcordPreview.ready && !simcordPreview.pendingQuery"
TO_THE_FOOT = """() => {
    const channel = document.getElementById('channel-timeline');
    channel.scrollTop = channel.scrollHeight;
    document.getElementById('new-messages')?.click();
}"""
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
PICTURES_MS = 300


@dataclass(frozen=True)
class Measured:
    """One message on the phone."""

    seq: int
    height: int
    presses: int
    choices: int


def pressable(screen: Screen) -> tuple[int, int]:
    """How many buttons and lists a message has, and how many choices its lists."""
    lists = [row for row in screen.rows if isinstance(row, Select)]
    buttons = sum(len(row) for row in screen.rows if not isinstance(row, Select))
    return buttons + len(lists), sum(len(one.options) for one in lists)


def moments(seqs: dict[str, list[int]], few: int) -> set[int]:
    """Of each kind of turn the first, the last and some between."""
    chosen: set[int] = set()
    for some in seqs.values():
        last = len(some) - 1
        chosen |= {some[round(number * last / max(1, few - 1))] for number in range(few)}
    return chosen


def kinds(played: Played) -> dict[str, list[int]]:
    """At which moves each kind of turn was asked of a person."""
    found: dict[str, list[int]] = defaultdict(list)
    state = engine.start(played.title, played.names)
    for seq, action in enumerate(played.actions):
        if action.by != CHANCE and not isinstance(action, EndGame):
            found[f"{state.round} {engine.decision(played.title, state).step}"].append(seq)
        state = engine.apply(played.title, state, action)
    return found


async def shown(here: Room, window: Any, screen: Screen, shot: Path | None) -> int:
    """The height of the message in the page, in pixels."""
    place: Any = here.bot.get_channel(here.channel.id)
    message = await place.send(view=view(screen), files=files(screen.images))
    await here.env.settle()
    one = window.locator(f"[data-message-id='{message.id}']").last
    await window.evaluate(TO_THE_FOOT)
    await one.wait_for()
    await window.wait_for_function(READY)
    await window.wait_for_timeout(PICTURES_MS)
    box = await one.bounding_box()
    if shot is not None:
        await one.screenshot(path=str(shot))
    await message.delete()
    return round(box["height"])


async def measure(
    here: Room, window: Any, played: Played, number: int, few: int, shots: Path | None
) -> dict[str, list[Measured]]:
    """Each kind of turn of the game."""
    steps = kinds(played)
    wanted = moments(steps, few)
    of = {seq: name for name, some in steps.items() for seq in some}
    table: Table = await begun(here.bot.store, here.bot.work, number, played)
    left = [one for one in played.actions if not isinstance(one, EndGame)]
    draws = iter([one for one in left if one.by == CHANCE])
    outcome.RANDOM = SimpleNamespace(choice=lambda offered: next(draws))  # type: ignore[assignment]
    await table.go_on()
    found: dict[str, list[Measured]] = defaultdict(list)
    while (seq := table.position.seq) < len(left):
        if seq in wanted:
            screen = await turn.turn_screen(table)
            name = of[seq]
            shot = shots / f"{played.title.id}-{name.replace(' ', '-')}-{seq}.png" if shots else None
            height = await shown(here, window, screen, shot)
            found[name].append(Measured(seq, height, *pressable(screen)))
        action = left[seq]
        await table.submit(action, user=table.seats[action.by].user_id)
    return found


def report(title: str, found: dict[str, list[Measured]]) -> None:
    """A line for each kind of turn."""
    for name, some in found.items():
        heights = sorted(one.height for one in some)
        presses = [one.presses for one in some]
        over = ", ".join(f"{one.seq}: {one.height}" for one in some if one.height > LIMIT)
        print(
            f"{title} {name:24} {heights[0]:5} {median(heights):6g} {heights[-1]:5} px"
            f"  presses {min(presses)}-{max(presses)}, choices {max(one.choices for one in some)}"
            + (f"  over {LIMIT}: {over}" if over else ""),
            flush=True,
        )


async def run(games: Sequence[Played], few: int, shots: Path | None) -> None:
    """Measure the games in one browser."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "x.sqlite3"
        async with (
            room(place, "1889", 3, humans=3) as here,
            page(here) as channel,
            async_playwright() as driver,
        ):
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            window = await browser.new_page(viewport=WINDOW)
            await window.goto(channel.url)
            await window.wait_for_selector(".channel-message")
            for number, played in enumerate(games, start=1):
                report(played.title.id, await measure(here, window, played, number, few, shots))
            await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="How high a turn's message is on a phone.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--few", type=int, default=3, help="how many positions of each kind of turn")
    parser.add_argument("--shots", type=Path, help="where to put pictures of the messages")
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    games = [play(parse(Path(name).read_bytes())) for name in options.files]
    asyncio.run(run(games, options.few, options.shots))


if __name__ == "__main__":
    main()
