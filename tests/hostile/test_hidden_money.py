"""What is secret reaches nobody else: whatever others are shown stays the same when only the secret is another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tables import NAMES
from walks import walk

import engine
from bot.chat.screen import Screen, Select
from bot.core.moves import EVENTS, Move
from bot.core.position import Position
from bot.core.table import Table
from bot.core.work import Work
from bot.rooms.past import history, since
from bot.rooms.past.history import Bookmark
from bot.rooms.seats import screen as seats
from bot.rooms.turn import asking, cards, deals, pictures
from bot.rooms.turn import screen as turn
from bot.rooms.watching import room as watching
from engine import TITLES, State, Title
from engine.actions import Pass
from engine.ids import CorpId, PlayerId
from engine.secrets import hidden_purses, treasury_visible
from storage import Game, Seat, Watch

PLAYERS = 3
SECRETIVE = [
    title
    for title, recipe in TITLES.items()
    if not engine.build(title, max(recipe.players[0], PLAYERS)).policy.secrecy.open_treasuries
]


async def nothing(*args: Any) -> list[Any]:
    return []


async def no_times(*args: Any) -> dict[int, int]:
    return {}


async def none(*args: Any) -> None:
    return None


NO_OFFERS: Any = SimpleNamespace(
    offers=SimpleNamespace(declined=nothing, open=nothing),
    messages=SimpleNamespace(of_game=nothing),
    times=no_times,
    clock=lambda: 0,
    clocks=SimpleNamespace(of_game=none, breaks=nothing),
    people=SimpleNamespace(of=no_times),
    notes=SimpleNamespace(of=none),
)
"""A store without games: no offer was declined, no message sent, no note written, no clock runs."""


EVERYTHING = Watch(1, "abc123", "follow", 99, 0, ",".join(EVENTS), 60, 0, 0, None)
"""Somebody who follows all that happens."""


def table_at(title: Title, state: State, work: Work) -> Table:
    """A table in memory that stands at this position."""
    game = Game("abc123", 1, 2, title.id, "[]", "{}", "running", 11, 0, 0, None, None, 1, 1)
    seats = [Seat(game.id, number + 1, 11 + number, NAMES[number], 0, None) for number in range(PLAYERS)]
    table = Table(NO_OFFERS, work, game, seats)
    table.moves = [Move(1, Pass(PlayerId("p1")), 11, None, state)]
    table.position = Position(title, state, 1, table.names, work)
    return table


def words(screen: Screen) -> list[Any]:
    """Everything that a message says, the ids of its controls and the descriptions of its pictures too."""
    found: list[Any] = [screen.text, screen.footer, [image.alt for image in screen.images]]
    for row in screen.rows:
        if isinstance(row, Select):
            found += [row.hint, *((option.label, option.code, option.note) for option in row.options)]
        else:
            found += [(button.label, button.code) for button in row]
    return found


async def shown(table: Table, viewer: str, corps: tuple[CorpId, CorpId]) -> list[Any]:
    """What the public and one viewer can get to see."""
    screens = [
        await turn.turn_screen(table),
        await turn.past_screen(table, 0),
        await cards.hand_screen(table, PlayerId(viewer)),
        *(cards.company_screen(table, corp, who) for corp in corps for who in (None, PlayerId(viewer))),
        *(cards.player_screen(table, seat) for seat in table.seats),
        *[await history.browser_screen(table, Bookmark(1, view), PlayerId(viewer)) for view in history.VIEWS],
        *[await since.since_screen(table, 0, who, "") for who in (None, PlayerId(viewer))],
        await seats.catch_up_screen(table, PlayerId(viewer)),
        await watching.board_screen(table, ""),
        watching.digest_screen(watching.digest_text(table, EVERYTHING) or "", table.game, 1, ""),
        *[await history.chart_screen(table, name, PlayerId(viewer)) for name in history.CHART_NAMES],
    ]
    drawn = [one for screen in screens for one in screen.images]
    drawn += [await pictures.table_image(table.position, who) for who in (None, viewer)]
    return [*map(words, screens), *((one.png, one.alt) for one in drawn)]


def told_apart(title: Title, state: State) -> tuple[CorpId, CorpId, str] | None:
    """Two companies with secret money and a player who may know neither's."""
    running = [corp for corp in title.corporations if state.cash.get(corp, 0) > 0 and corp in state.cell]
    for one in running:
        for other in running:
            for viewer in state.players:
                hidden = all(not treasury_visible(title, state, corp, viewer) for corp in (one, other))
                if one != other and hidden and viewer not in engine.decision(title, state).players:
                    return one, other, viewer
    return None


@pytest.mark.parametrize("title_id", SECRETIVE)
@pytest.mark.long
async def test_the_money_of_a_company_is_told_to_nobody_else(title_id: str) -> None:
    title = engine.build(title_id, PLAYERS)
    tried = 0
    with ThreadPoolExecutor(1) as pool:
        work = Work(pool)
        for number, (state, _, _) in enumerate(walk(title, 11, 260)):
            found = told_apart(title, state)
            if found is None or number % 12:
                continue
            one, other, viewer = found
            moved = min(5, state.cash[one])
            cash = {**state.cash, one: state.cash[one] - moved, other: state.cash[other] + moved}
            again = replace(state, cash=cash)
            before = await shown(table_at(title, state, work), viewer, (one, other))
            after = await shown(table_at(title, again, work), viewer, (one, other))
            for left, right in zip(before, after, strict=True):
                assert left == right
            president = state.president_of(one)
            if president is not None:  # who may know it is shown it
                hands = [await cards.hand_screen(table_at(title, at, work), president) for at in (state, again)]
                assert words(hands[0]) != words(hands[1])
            tried += 1
            if tried == 3:
                return
    raise AssertionError(f"only {tried} positions")


SECRETS = [*((title, ()) for title in SECRETIVE), ("1890", ("hidden_cash",)), ("1890", ("scenario_a", "hidden_cash"))]


async def questions(title: Title, state: State, seat: PlayerId, work: Work) -> dict[str, list[Any]]:
    """What the seat is asked once more, of all that it may do."""
    table = table_at(title, state, work)
    asked = [(action, await deals.asked_again(table, action, None)) for action in engine.legal(title, state, seat)]
    return {repr(one): words(asking.sure_screen(table, one, said)) for one, said in asked if said is not None}


@pytest.mark.parametrize(("title_id", "options"), SECRETS)
@pytest.mark.long
async def test_what_asks_once_more_tells_nothing_of_the_money_of_others(
    title_id: str, options: tuple[str, ...]
) -> None:
    title = engine.build(title_id, PLAYERS, options)
    tried = 0
    with ThreadPoolExecutor(1) as pool:
        work = Work(pool)
        for seed in range(3, 15):
            for state, _, _ in walk(title, seed, 400):
                if tried >= 8:
                    return
                for seat in state.players:
                    hidden = [one for one in hidden_purses(title, state, seat) if state.cash.get(one, 0) > 0]
                    before = await questions(title, state, seat, work) if len(hidden) > 1 else {}
                    if not before:
                        continue
                    moved = min(5, state.cash[hidden[0]])
                    less, more = state.cash[hidden[0]] - moved, state.cash[hidden[1]] + moved
                    again = replace(state, cash={**state.cash, hidden[0]: less, hidden[1]: more})
                    assert await questions(title, again, seat, work) == before
                    tried += 1
    assert tried >= 3


def test_there_is_a_title_with_secrets() -> None:
    assert SECRETIVE
