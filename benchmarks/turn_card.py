"""What a turn's card and consequences take, and how large its pictures are, in recorded games and in random ones.

    python benchmarks/turn_card.py [--every N] FILE...      18xx.games records and games of our own
    python benchmarks/turn_card.py --play 1890,scenario_a   a game of this title with these options, by an eager player

Every Nth decision of a person is shown as the bot shows it. Prints median, 99 of 100 and the most of: the processor
milliseconds for telling what each choice leads to, for making and drawing the card, and for both together, which should
be less than 30 (99 of 100: less than 150); and the KiB of the card and of all the turn's pictures, which should be less
than 250 in the median.
"""

import argparse
import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from tastes import eager

import engine
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn import pictures
from bot.rooms.turn import screen as turn
from engine import State, Title
from engine.actions import LayTile
from records.files import parse, play
from records.simulate import choose

PLAYERS = 3
WARM_UP = 12
"""Decisions before the first that counts."""


def decisions(found: Iterable[tuple[Title, State]]) -> Iterator[tuple[Title, State]]:
    """The positions in which a person decides."""
    for title, state in found:
        up = engine.decision(title, state).players
        if up and up[0] in state.players:
            yield title, state


def recorded(name: str) -> list[tuple[Title, State]]:
    """The positions of a recorded game."""
    found: list[tuple[Title, State]] = []

    def watch(title: Title, ids: Any, index: int, state: State, record: Any) -> None:
        found.append((title, state))

    play(parse(Path(name).read_bytes()), watch, as_recorded=True)
    return found


def played(game: str, seed: int) -> Iterator[tuple[Title, State]]:
    """The positions of a game played at random, by somebody who builds and buys trains: "1890,scenario_a"."""
    title_id, *options = game.split(",")
    title = engine.build(title_id, PLAYERS, options)
    state, random = engine.start(title, ("Ann", "Ben", "Cho")), Random(seed)
    while not state.over:
        yield title, state
        state = engine.apply(title, state, choose(title, state, random, eager))


async def measure(work: Work, title: Title, state: State, seq: int, found: dict[str, list[float]]) -> None:
    """Time one decision's consequences and card, and weigh its pictures; the rest of the turn is asked before."""
    position = Position(title, state, seq, dict(state.names), work)
    seat = position.up[0]
    choices = await position.actions(seat)
    routes = next((one.routes for one in await position.proposals(seat) if one.legal), ())
    began = time.process_time()
    await position.foreseen(seat)
    told = time.process_time()
    card = await pictures.card_image(position)
    drawn = time.process_time()
    found["consequences, ms"].append((told - began) * 1000)
    found["card, ms"].append((drawn - told) * 1000)
    found["both, ms"].append((drawn - began) * 1000)
    if card is not None:
        found["card, KiB"].append(len(card.png) / 1024)
    lays = tuple(dict.fromkeys(one.hex for one in choices if isinstance(one, LayTile)))
    images = await turn.images(position, routes, turn.focus(position, choices, routes), lays)
    found["all pictures, KiB"].append(sum(len(image.png) for image in images) / 1024)


async def main() -> None:
    parser = argparse.ArgumentParser(description="What a turn's card and consequences take.")
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--play", action="append", default=[], metavar="TITLE[,OPTION...]", help="a random game")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--every", type=int, default=5, help="measure every so many decisions")
    options = parser.parse_args()
    found: dict[str, list[float]] = defaultdict(list)
    with ThreadPoolExecutor(1) as pool:
        work = Work(pool)
        for game in [*map(recorded, options.files), *(played(one, options.seed) for one in options.play)]:
            for seq, (title, state) in enumerate(decisions(game)):
                if seq < WARM_UP:
                    await measure(work, title, state, seq, defaultdict(list))
                elif seq % options.every == 0:
                    await measure(work, title, state, seq, found)
    for what, values in found.items():
        middle, high = median(values), quantiles(values, n=100)[98]
        print(f"{what:18} {len(values):5} decisions  median {middle:6.1f}  99% {high:6.1f}  most {max(values):6.1f}")


if __name__ == "__main__":
    asyncio.run(main())
