"""What drawing the pictures of turns takes while many games are played at random, in processor time of one core.

    python benchmarks/turns.py                     50 games of all titles, 1,500 turns, drawn ahead as by a bot
    python benchmarks/turns.py --cold              the same without drawing ahead, from nothing
    python benchmarks/turns.py --drawers 4         by as many processes, and how many turns a second they would reach
    python benchmarks/turns.py --profile FILE      also where the time goes, for `python -m pstats FILE`

Each game begins somewhere in its first three quarters. A turn is a position that is shown to people; its pictures are
those of the message that the bot would post. Drawing counts, not the rules, nor what a start draws in advance. What is
drawn ahead while nobody waits, when a game is read and after each turn, is counted apart.
"""

import argparse
import asyncio
import cProfile
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))


import engine
import renderer
from bot.core.moves import Move, turn_start
from bot.core.position import Position, Stretch
from bot.core.secrecy import public_choices
from bot.core.work import Drawers, Work
from bot.main import warm_up
from bot.rooms.turn import screen as turn
from bot.rooms.turn.controls import in_lists
from engine import State, Title
from engine.actions import LayTile, RunTrains
from records.simulate import simulate
from renderer.cache import DEFAULT
from renderer.packing import DRAWN
from renderer.shared import SharedParts

NAMES = ("Aiko", "Ben", "Chloe")
PICTURES = ("map_picture", "market_picture", "card_picture", "table_picture")


class Clock:
    """Times every picture that is drawn, in the processor time of the thread that draws it."""

    def __init__(self, profile: cProfile.Profile | None, drawn: Sequence[str] = PICTURES) -> None:
        self.profile = profile
        self.turn = 0.0
        """Milliseconds since the turn began."""
        self.each: dict[str, list[float]] = defaultdict(list)
        self.sizes: list[int] = []
        for name in drawn:
            setattr(renderer, name, self.timed(name, getattr(renderer, name)))

    def timed(self, name: str, draw: Callable[..., renderer.Picture]) -> Callable[..., renderer.Picture]:
        def drawn(*args: Any, **kwargs: Any) -> renderer.Picture:
            if self.profile is not None:
                self.profile.enable()
            began = time.thread_time()
            picture = draw(*args, **kwargs)
            spent = (time.thread_time() - began) * 1000
            if self.profile is not None:
                self.profile.disable()
            self.turn += spent
            self.each[name].append(spent)
            self.sizes.append(len(picture.png))
            return picture

        return drawn


class Game:
    """One game, somewhere in its course."""

    def __init__(self, title: Title, actions: Sequence[Any], upto: int) -> None:
        self.title = title
        self.beginning: State = engine.start(title, NAMES)
        self.moves: list[Move] = []
        self.stretch = Stretch(title, self.beginning)
        self.coming = iter(actions)
        for _ in range(upto):
            self.step()

    @property
    def state(self) -> State:
        return self.moves[-1].state if self.moves else self.beginning

    def step(self) -> bool:
        action = next(self.coming, None)
        if action is None:
            return False
        state = engine.apply(self.title, self.state, action)
        self.moves.append(Move(len(self.moves) + 1, action, None, None, state))
        return True

    def shown(self, work: Work) -> Position | None:
        """The next position that people see; None at the end of the game."""
        while self.step():
            if self.state.over:
                return None
            if engine.decision(self.title, self.state).players[0] in self.state.players:
                start = turn_start(self.title, self.moves, self.beginning)
                before = turn_start(self.title, self.moves[:start], self.beginning)
                facts = [fact for one in self.moves[before:] for fact in one.state.facts]
                return self.position(work, facts)
        return None

    def position(self, work: Work, facts: Sequence[Any] = ()) -> Position:
        """Where the game stands, after these facts."""
        self.stretch = self.stretch.reached([self.beginning, *(one.state for one in self.moves)])
        names = dict(self.state.names)
        return Position(self.title, self.state, len(self.moves), names, work, facts, stretch=self.stretch)


async def show(position: Position) -> None:
    """What `turn.turn_screen` draws."""
    choices = await public_choices(position)
    best = next((action for action in choices if isinstance(action, RunTrains)), None)
    labels = await position.full_labels(choices[0].by, told=in_lists(choices)) if choices else position.labels()
    routes = tuple(labels.runs[best]) if best is not None else ()
    around = await turn.part_shown(position, choices, routes)
    lays = tuple(dict.fromkeys(one.hex for one in choices if isinstance(one, LayTile)))
    await turn.images(position, routes, around, lays)


def games(titles: Sequence[str], chance: random.Random) -> Iterator[Game]:
    """Games of these titles in turn, endlessly for those that end."""
    number = 0
    while True:
        title = engine.build(titles[number % len(titles)], len(NAMES))
        actions, _ = simulate(title, NAMES, 1000 + number)
        yield Game(title, actions, chance.randrange(5, len(actions) * 3 // 4))
        number += 1


async def play(args: argparse.Namespace, clock: Clock, drawers: Drawers | None = None) -> list[float]:
    """Milliseconds of each turn; those of the drawers are counted for all turns from now on alike."""
    chance = random.Random(args.seed)
    coming = games(args.titles, chance)
    playing = [next(coming) for _ in range(args.games)]
    found: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        work = Work(pool, drawers)
        for one in playing:
            draw_ahead(args, clock, one.position(work))
        while len(found) < args.turns:
            number = chance.randrange(len(playing))
            position = playing[number].shown(work)
            if position is None:
                playing[number] = next(coming)
                draw_ahead(args, clock, playing[number].position(work))
                continue
            clock.turn = 0.0
            before = spent(drawers)
            await show(position)
            found.append(clock.turn + spent(drawers) - before)
            clock.each[f"turns, {position.title.id}"].append(found[-1])
            draw_ahead(args, clock, position)
    return found


def draw_ahead(args: argparse.Namespace, clock: Clock, position: Position) -> None:
    """What `bot.rooms.turn.pictures` does for a game that was read or shown."""
    if args.cold or args.drawers:
        return
    board = position.board()
    began = time.thread_time()
    for draw in renderer.hexes_ahead(board, position.local_names):
        draw()
    clock.each["ahead"].append((time.thread_time() - began) * 1000)


def spent(drawers: Drawers | None) -> float:
    """Milliseconds of processor time that the drawers have used."""
    found = 0.0
    for process in drawers.pool.processes() if drawers is not None else ():
        words = Path(f"/proc/{process}/schedstat").read_text().split()
        found += int(words[0]) / 1e6
    return found


def told(name: str, values: Sequence[float]) -> str:
    ordered = sorted(values)
    parts = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.9, 0.99, 1.0)]
    shares = "".join(f"{one:8.1f}" for one in parts)
    return f"{name:16}{len(ordered):6}{sum(ordered) / len(ordered):8.1f}{shares}"


def report(turns: Sequence[float]) -> Sequence[float]:
    """Tell of all turns, and of their second half, which is returned."""
    print(f"{'':16}{'count':>6}{'mean':>8}{'p50':>8}{'p90':>8}{'p99':>8}{'most':>8}")
    print(told("pictures, turn", turns))
    print(told("second half", later := turns[len(turns) // 2 :]))
    return later


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--titles", type=lambda text: text.split(","), default=list(engine.TITLES))
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--drawers", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--profile", default="", metavar="FILE")
    args = parser.parse_args()
    if args.drawers:
        drawers = Drawers(args.drawers, DEFAULT)
        warm_up(drawers)
        try:
            turns = asyncio.run(play(args, Clock(None, ()), drawers))
        finally:
            drawers.close()
        later = report(turns)
        print(
            f"{args.drawers} processors would reach {1000 * args.drawers * len(later) / sum(later):.0f} turns a second"
        )
        return
    profile = cProfile.Profile() if args.profile else None
    with tempfile.TemporaryDirectory() as folder:
        parts = SharedParts(Path(folder) / "parts.drawn", DEFAULT)
        DRAWN.share(parts)
        warm_up()
        clock = Clock(profile)
        turns = asyncio.run(play(args, clock))
        DRAWN.share(None)
        parts.close()
    print(f"{args.games} games of {', '.join(args.titles)}; milliseconds of processor time\n")
    report(turns)
    for name, values in clock.each.items():
        print(told(name.removesuffix("_picture"), values))
    print(f"\nKiB a picture: {sum(clock.sizes) / len(clock.sizes) / 1024:.0f} on average")
    if profile is not None:
        profile.dump_stats(args.profile)


if __name__ == "__main__":
    main()
