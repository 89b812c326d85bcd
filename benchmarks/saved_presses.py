"""How many presses programs would have saved: recorded games, with the moves that programs could have made.

    python benchmarks/saved_presses.py FILE...

The presses of every move are those of `benchmarks/presses.py`, the shortest way on the bot's own screens. Then each
player switches on whatever program saves most of what they did next, as only hindsight can know, at the presses that
this takes (`tests/programs/hindsight.py`); the game is played again with these programs and comes out the same.

Prints `TITLE games N by hand M a game, with programs M (P % fewer)` for each title, and what the programs did.
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

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "tests" / "programs"))

import hindsight
import presses

from bot.play import outcome
from bot.play.work import Work
from engine.actions import EndGame
from engine.ids import CHANCE
from records.files import Played, parse, play
from storage import Store


async def costs_of(played: Played, number: int, store: Store, work: Work) -> list[int]:
    """The presses of each move by hand; several that one press does cost what that costs, once."""
    table = await presses.begun(store, work, number, played)
    discord = presses.Discord()
    left = [one for one in played.actions if not isinstance(one, EndGame)]
    draws = iter([one for one in left if one.by == CHANCE])
    outcome.RANDOM = SimpleNamespace(choice=lambda offered: next(draws))  # type: ignore[assignment]
    await table.begin()
    costs = [0] * len(left)
    while table.position.seq < len(left):
        start = table.position.seq
        costs[start], done = await presses.shortest(discord, table, left[start:])
        while table.position.seq < start + done:
            action = left[table.position.seq]
            await table.submit(action, user=table.seats[action.by].user_id)
    return costs


async def count(games: Sequence[Played]) -> dict[str, list[hindsight.Tally]]:
    """What programs save in each game, by title."""
    found: dict[str, list[hindsight.Tally]] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        async with Store.open(Path(folder) / "games.sqlite3") as store:
            for number, one in enumerate(games, start=1):
                costs = await costs_of(one, number, store, Work(pool))
                game = hindsight.played(one.title, one.names, one.actions)
                _, tally = hindsight.replayed(game, costs)
                found.setdefault(one.title.id, []).append(tally)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How many presses programs would have saved.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    presses.without_pictures()
    games = [play(parse(Path(name).read_bytes())) for name in parser.parse_args().files]
    for title, tallies in asyncio.run(count(games)).items():
        number = len(tallies)
        hand = sum(one.by_hand for one in tallies) / number
        saved = sum(one.saved - one.spent for one in tallies) / number
        print(
            f"{title} games {number} by hand {hand:.0f} a game, with programs {hand - saved:.0f} ({saved / hand:.0%})"
        )
        on, moves = (sum(getattr(one, name) for one in tallies) / number for name in ("on", "moves"))
        print(f"  {on:.0f} programs made {moves:.0f} moves a game")


if __name__ == "__main__":
    main()
