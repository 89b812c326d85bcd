"""How many taps a decision takes on the board, beside the presses that it takes in the chat, by kind and title.

    python benchmarks/taps.py [--moves 150] [--titles 1889 ...]

Every decision of games that are played by chance is looked for in the markup of the page of whoever makes it: an opened
list, a hex, a tile, an amount that is entered, and whatever is confirmed are a tap each; in the chat a choice from a
list is one press. Moving the map and opening the board are none.
"""

import argparse
import asyncio
import json
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from presses import Discord, again, as_offered, go_on, meant, shortest, without_pictures

import engine
from board import place
from board.view import Views
from bot.core.table import Table
from bot.rooms.turn import deals
from engine.action_json import from_json
from engine.actions import ACTIONS, Action, EndGame, LayPowerTile, LayTile, RunTrains, StateRevenue
from records.files import Replay
from records.simulate import choose

Cost = tuple[int, int]
"""Taps, and how many of the wanted actions they do."""
PART = re.compile(r'<(?P<close>/)?details|data-act="(?P<act>[^"]*)"(?: data-field="(?P<field>\w+)")?|data-end')
FAR = 4
"""Taps for what is drawn by hand: two stops, another train and that it is meant, at least."""


async def taps(views: Views, table: Table, wanted: Sequence[Action]) -> Cost | None:
    """What the next of the wanted actions takes on the page; None for what is not on it."""
    user = table.seats[wanted[0].by].user_id
    first = await as_offered(table, wanted[0])
    wanted = [first, *wanted[1:]]
    view = await views.of(table, user)
    if isinstance(first, LayTile | LayPowerTile):
        sheet = await place.sheet(table.position, view.asked, table.viewer_for(user), first.hex)
        tries = [from_json(json.loads(unescape(one))[0]) for one in re.findall(r'data-try="([^"]*)"', sheet)]
        return (3 if tries.index(first) else 2, 1) if first in tries else None
    found = list(_ways(table, view.parts["turn"], wanted))
    if not found and isinstance(first, RunTrains | StateRevenue):
        return FAR, 1
    if not found:
        return None
    number, cost = min((-done, cost) for cost, done in found)
    return cost, -number


def _ways(table: Table, markup: str, wanted: Sequence[Action]) -> Any:
    folded = 0
    for one in PART.finditer(markup):
        if "details" in one[0]:
            folded += -1 if one["close"] else 1
        elif one["act"] is not None:
            done = [from_json(body) for body in json.loads(unescape(one["act"]))]
            entered = 0
            if one["field"] and type(done[0]) is type(wanted[0]):
                body = {name: getattr(wanted[0], name) for name in done[0].__dataclass_fields__}
                entered = int(body[one["field"]] != getattr(done[0], one["field"]))
                same = all(getattr(done[0], name) == value for name, value in body.items() if name != one["field"])
                done = [wanted[0]] if same else done
            if meant(table, done, wanted):
                yield 1 + folded + entered, len(done)


async def add(title: str, table: Table, left: Sequence[Action], counted: dict[Any, list[Cost]]) -> None:
    """Play the game again and note what each decision takes on the board and in the chat."""
    views, discord = Views(), Discord()
    while table.position.seq < len(left):
        rest = left[table.position.seq :]
        spent, done = await shortest(discord, table, rest)
        found = await taps(views, table, rest)
        kind = type(rest[0]).__name__
        if found is not None and found[1] == done:
            sure = await deals.asked_again(table, rest[0], None) is not None  # in both
            counted[title, kind].append((found[0] + sure, spent + sure))
        await go_on(table, left, table.position.seq + done)


async def count(games: Sequence[Replay]) -> dict[Any, list[Cost]]:
    """By title and kind: taps and presses of each decision."""
    counted: dict[Any, list[Cost]] = defaultdict(list)
    async for played, table, left in again(games):
        await add(played.title.id, table, left, counted)
    return counted


def by_chance(title_id: str, seed: int, moves: int) -> Replay:
    """The first moves of a game that is played by chance."""
    players = max(3, engine.TITLES[title_id].players[0])
    title, chance = engine.build(title_id, players), Random(seed)
    state, actions = engine.start(title, [f"Player {number}" for number in range(1, players + 1)]), list[Action]()
    while len(actions) < moves and not state.over:
        action = choose(title, state, chance)
        if isinstance(action, EndGame) or engine.consent(title, state, action) is not None:
            continue
        actions.append(action)
        state = engine.apply(title, state, action)
    return Replay(title, tuple(state.names.values()), {}, tuple(actions), state, None)


def main() -> None:
    parser = argparse.ArgumentParser(description="How many taps a decision takes.")
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--titles", nargs="+", default=list(engine.TITLES))
    given = parser.parse_args()
    without_pictures()
    counted = asyncio.run(count([by_chance(title, 3, given.moves) for title in given.titles]))
    titles = list(dict.fromkeys(title for title, _ in counted))
    print("decision: taps on the board / presses in the chat, on average")
    print("| | " + " | ".join(titles) + " |\n| --- |" + " --- |" * len(titles))
    for kind in (kind for kind in ACTIONS if any((title, kind) in counted for title in titles)):
        cells = []
        for title in titles:
            some = counted.get((title, kind), [])
            touched, pressed = ([one[n] for one in some] for n in (0, 1))
            cells.append(f"{mean(touched):.1f} / {mean(pressed):.1f} ({len(some)})" if some else "")
        print(f"| {kind} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
