"""How high messages are on a phone, and how much of them can be pressed: whole games in the playground's page.

    python benchmarks/heights.py FILE...                  games of ours or 18xx.games records (tetsudo simulate --out)
    python benchmarks/heights.py --answers FILE...        what is answered privately in those turns, and the end
    python benchmarks/heights.py --shots FOLDER FILE...   a picture of each message as well

Every kind of turn (round and step) is shown early, in the middle and late in each game, at the width of
a phone. Prints a line for each: the least, median and greatest height in pixels, presses and choices of lists, and
those above the limit with what they are made of. Needs Chromium and the packages of the tests.
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from PIL import Image
from playwright.async_api import async_playwright
from presses import begun, go_on

import engine
from bot.chat.layout import files, view
from bot.chat.screen import Screen, Select
from bot.core.table import Table
from bot.rooms.opponents.room import Thinkers, suggest_screen
from bot.rooms.past.history import final_screen
from bot.rooms.past.since import since_own_screen
from bot.rooms.trying.lines import TryOuts
from bot.rooms.trying.screen import board_screen
from bot.rooms.turn import screen as turn
from bot.rooms.turn.cards import hand_screen
from bot.rooms.turn.shown import what_if_screen
from bot.rooms.turn.why_not import why_not_screen
from engine.actions import EndGame, Pass
from engine.ids import CHANCE, PlayerId
from playground.page import page
from playground.server import LocalServer, local_server
from records.files import Replay, parse, play

WINDOW: Any = {"width": 390, "height": 2400}
"""As wide as a phone, and as high as any message, so that all of it is on a picture."""
LIMIT = 620
SHOWN = 350
"""How wide a picture is shown, in pixels."""
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
    made_of: str


def parts(screen: Screen) -> str:
    """What takes the room of a message: "pictures 301+188, 4 lines, 2 lists, 3 rows of buttons"."""
    sizes = [Image.open(BytesIO(image.png)).size for image in screen.images]
    pictures = "+".join(str(round(high * min(1, SHOWN / wide))) for wide, high in sizes)
    lists = sum(isinstance(row, Select) for row in screen.rows)
    counts = {"lines": screen.text.count("\n") + 1, "lists": lists, "rows of buttons": len(screen.rows) - lists}
    asides = {"beside a button": len(screen.asides)}
    told = [f"{count} {name}" for name, count in (counts | asides).items() if count]
    return ", ".join([*([f"pictures {pictures}"] if sizes else []), *told])


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


def kinds(played: Replay) -> dict[str, list[int]]:
    """At which moves each kind of turn was asked of a person."""
    found: dict[str, list[int]] = defaultdict(list)
    state = engine.start(played.title, played.names)
    for seq, action in enumerate(played.actions):
        if action.by != CHANCE and not isinstance(action, EndGame):
            found[f"{state.round} {engine.decision(played.title, state).step}"].append(seq)
        state = engine.apply(played.title, state, action)
    return found


Answer = Callable[[LocalServer, Table, PlayerId], Awaitable[Screen | None]]


async def _if_passed(here: LocalServer, table: Table, seat: PlayerId) -> Screen | None:
    legal = await table.position.actions(seat)
    return await what_if_screen(table, seat) if Pass(seat) in legal else None


async def _tried(here: LocalServer, table: Table, seat: PlayerId) -> Screen:
    """The board of a new line, which is forgotten again."""
    trying, user = here.bot.its(TryOuts), table.seats[seat].user_id
    one = await trying.begin(table, user)
    screen = await board_screen(one)
    await trying.remove(table, user, one.branch.id)
    return screen


async def _suggested(here: LocalServer, table: Table, seat: PlayerId) -> Screen:
    return await suggest_screen(table, seat, await here.bot.its(Thinkers).counsel(table.asks(seat, "strong")))


ANSWERS: dict[str, Answer] = {
    "More…": lambda here, table, seat: turn.more_screen(table, table.seats[seat].user_id),
    "What happened?": lambda here, table, seat: since_own_screen(table, seat),
    "My hand": lambda here, table, seat: hand_screen(table, seat),
    "Try out": _tried,
    "Suggest": _suggested,
    "Why not?": lambda here, table, seat: why_not_screen(table, seat),
    "What if I pass?": _if_passed,
}
"""What is answered privately to whoever is up; None where it cannot be asked."""


async def shown(here: LocalServer, window: Any, screen: Screen, shot: Path | None) -> int:
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


async def screens(here: LocalServer, table: Table, step: str, answers: bool) -> dict[str, Screen]:
    """The turn's message, or the answers to whoever is up, by what they are called."""
    if not answers:
        return {step: await turn.turn_screen(table)}
    made = {name: await answer(here, table, table.position.up[0]) for name, answer in ANSWERS.items()}
    return {name: screen for name, screen in made.items() if screen is not None}


async def measure(
    here: LocalServer, window: Any, played: Replay, number: int, few: int, shots: Path | None, answers: bool
) -> dict[str, list[Measured]]:
    """Each kind of turn of the game, or of its private answers."""
    steps = kinds(played)
    wanted = moments(steps, few)
    of = {seq: name for name, some in steps.items() for seq in some}
    table, left = await begun(here.bot.store, here.bot.work, number, played)
    found: dict[str, list[Measured]] = defaultdict(list)

    async def note(name: str, screen: Screen) -> None:
        shot = shots / f"{played.title.id}-{name.replace(' ', '-')}-{seq}.png" if shots else None
        found[name].append(Measured(seq, await shown(here, window, screen, shot), *pressable(screen), parts(screen)))

    while (seq := table.position.seq) < len(left):
        if seq in wanted:
            for name, screen in (await screens(here, table, of[seq], answers)).items():
                await note(name, screen)
        await go_on(table, left, seq + 1)
    if answers and table.position.over:
        await note("The end", await final_screen(table))
    return found


def report(title: str, found: dict[str, list[Measured]]) -> None:
    """A line for each kind of turn."""
    for name, some in found.items():
        heights = sorted(one.height for one in some)
        presses = [one.presses for one in some]
        over = "; ".join(f"{one.seq}: {one.height} ({one.made_of})" for one in some if one.height > LIMIT)
        print(
            f"{title} {name:24} {heights[0]:5} {median(heights):6g} {heights[-1]:5} px"
            f"  presses {min(presses)}-{max(presses)}, choices {max(one.choices for one in some)}"
            + (f"  over {LIMIT}: {over}" if over else ""),
            flush=True,
        )


async def run(games: Sequence[Replay], few: int, shots: Path | None, answers: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "x.sqlite3"
        async with (
            local_server(place, "1889", 3, humans=3) as here,
            page(here) as channel,
            async_playwright() as driver,
        ):
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            window = await browser.new_page(viewport=WINDOW)
            await window.goto(channel.url)
            await window.wait_for_selector(".channel-message")
            for number, played in enumerate(games, start=1):
                report(played.title.id, await measure(here, window, played, number, few, shots, answers))
            await browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="How high a turn's message is on a phone.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--few", type=int, default=3, help="how many positions of each kind of turn")
    parser.add_argument("--answers", action="store_true", help="private answers and the end, instead of turns")
    parser.add_argument("--shots", type=Path, help="where to put pictures of the messages")
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    games = [play(parse(Path(name).read_bytes())) for name in options.files]
    asyncio.run(run(games, options.few, options.shots, options.answers))


if __name__ == "__main__":
    main()
