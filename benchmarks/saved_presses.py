"""How many presses programs would have saved: recorded games, with the moves that programs could have made.

    python benchmarks/saved_presses.py FILE...

The presses of every move are those of `benchmarks/presses.py`, the shortest way on the bot's own screens. Then each
player switches on what the turn's message, *More…* or a form offers there, if it saves presses of what they did next,
and switches it off, or plays a turn by hand, before it would do otherwise. All of that counts: a press in the
message, two by way of *More…*, three for a form and one for whatever is changed in it, two to switch off or step in.
The game is played again with these programs and comes out the same (`tests/programs/hindsight.py`).

The people of this model know what they want for as long as a program goes on, as only hindsight can; real ones plan
less far, and let a program do what is not quite what they would have done. Of routes that bring the same, those that
are offered count as run.

Twice, as two kinds of people would: for the fewest presses, and for the fewest visits, where not having to come for a
turn is worth a few presses more. Prints a line for each title and aim, averages of a game.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "programs"))

import hindsight
import presses

from bot.core import outcome
from bot.core.work import Work
from engine.actions import EndGame
from engine.ids import CHANCE
from records.files import Replay, parse, play
from storage import Store

COMING = 4
"""How many presses it is worth not to have to come."""


async def costs_of(played: Replay, number: int, store: Store, work: Work) -> list[int]:
    """The presses of each move by hand; several that one press does cost what that costs, once."""
    table = await presses.begun(store, work, number, played)
    discord = presses.Discord()
    left = [one for one in played.actions if not isinstance(one, EndGame)]
    draws = iter([one for one in left if one.by == CHANCE])
    outcome.RANDOM = SimpleNamespace(choice=lambda offered: next(draws))  # type: ignore[assignment]
    await table.go_on()
    costs = [0] * len(left)
    while table.position.seq < len(left):
        start = table.position.seq
        costs[start], done = await presses.shortest(discord, table, left[start:])
        while table.position.seq < start + done:
            action = left[table.position.seq]
            await table.submit(action, user=table.seats[action.by].user_id)
    return costs


async def count(games: Sequence[Replay]) -> dict[str, list[tuple[hindsight.Tally, hindsight.Tally]]]:
    """What programs save in each game, by title: if people want to press least, and if they want to come least."""
    found: dict[str, list[tuple[hindsight.Tally, hindsight.Tally]]] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        async with Store.open(Path(folder) / "games.sqlite3") as store:
            for number, one in enumerate(games, start=1):
                costs = await costs_of(one, number, store, Work(pool))
                game = hindsight.played(one.title, one.names, one.actions)
                tallies = [hindsight.replayed(game, costs, coming)[1] for coming in (0, COMING)]
                found.setdefault(one.title.id, []).append((tallies[0], tallies[1]))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How many presses programs would have saved.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    presses.without_pictures()
    games = [play(parse(Path(name).read_bytes())) for name in parser.parse_args().files]
    for title, pairs in asyncio.run(count(games)).items():
        for goal, tallies in zip(("fewest presses", "fewest visits"), zip(*pairs, strict=True), strict=True):
            print(f"{title} games {len(pairs)}, {goal}: {line(tallies)}")


def line(tallies: Sequence[hindsight.Tally]) -> str:
    """What programs save on average, in words."""

    def average(name: str) -> float:
        return sum(getattr(one, name) for one in tallies) / len(tallies)

    hand, visits = average("by_hand"), average("visits")
    less = average("saved") - average("spent")
    return (
        f"presses {hand:.0f} by hand, {hand - less:.0f} with programs ({less / hand:.0%} saved); "
        f"visits {visits:.0f} by hand, {visits - average('spared'):.0f} with programs "
        f"({average('spared') / visits:.0%} spared); {average('on'):.0f} programs made {average('moves'):.0f} moves"
    )


if __name__ == "__main__":
    main()
