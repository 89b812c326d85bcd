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

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "programs"))

import hindsight
import presses

from bot.core.table import Table
from engine.actions import Action
from records.files import Replay, parse, play

COMING = 4
"""How many presses it is worth not to have to come."""


async def costs_of(table: Table, left: Sequence[Action]) -> list[int]:
    """The presses of each move by hand; several that one press does cost what that costs, once."""
    discord, costs = presses.Discord(), [0] * len(left)
    while table.position.seq < len(left):
        start = table.position.seq
        costs[start], done = await presses.shortest(discord, table, left[start:])
        await presses.go_on(table, left, start + done)
    return costs


async def count(games: Sequence[Replay]) -> dict[str, list[tuple[hindsight.Tally, hindsight.Tally]]]:
    """What programs save in each game, by title: if people want to press least, and if they want to come least."""
    found: dict[str, list[tuple[hindsight.Tally, hindsight.Tally]]] = {}
    async for one, table, left in presses.again(games):
        costs = await costs_of(table, left)
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
