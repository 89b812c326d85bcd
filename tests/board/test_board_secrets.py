"""Two games that differ only in hidden money: to everybody else their boards are the same, byte for byte."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from boarding import Party, party

import engine
from board import place
from engine.actions import Action, EndGame
from engine.ids import CHANCE, PlayerId
from engine.state import State
from records.simulate import choose

MORE, MOVES, EVERY = 160, 60, 4
SEEN_BY = (3, 0)
"""Another player, and whoever only watches."""


def richer(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    """The game that begins next has more in a player's purse."""
    real = engine.start

    def start(title: Any, names: list[str], *rest: Any) -> State:
        state = real(title, names, *rest)
        state.cash[PlayerId(seat)] += MORE
        return state

    monkeypatch.setattr("engine.start", start)


async def shown(here: Party, user: int) -> dict[str, str]:
    """Every byte that the person's page gets of the position, and of some hexes that they tap."""
    view, table = await here.board.views.of(here.table, user), here.table
    some = [cell.id for cell in table.position.board().hexes][::9]
    taps = {f"tap {one}": await place.sheet(table.position, view.asked, table.viewer_for(user), one) for one in some}
    return {**view.parts, **taps}


async def made(here: Party, action: Action) -> None:
    await here.table.submit(action, user=here.user_of(action.by))


@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize(
    ("options", "seed"),
    [('["hidden_cash"]', 12), pytest.param('["hidden_cash", "open_treasuries"]', 5, marks=pytest.mark.slow)],
)
@pytest.mark.long
async def test_boards_tell_nothing_of_hidden_money(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, seed: int
) -> None:
    random, script, seen = Random(seed), list[Action](), list[dict[int, dict[str, str]]]()
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    with monkeypatch.context() as first:
        richer(first, "p1")
        first.setattr("bot.core.outcome.RANDOM", Random(seed))
        async with party(tmp_path / "1", "1890", 3, options) as here:
            table = here.table
            other = _elsewhere(here)
            while len(script) < MOVES and not table.position.over:
                action = _allowed_in_both(here, other, random)
                before = len(table.moves)
                await made(here, action)
                script.append(action)
                for move in table.moves[before:]:
                    other = engine.apply(table.title, other, move.action)
                if len(script) % EVERY == 0:
                    seen.append({user: await shown(here, user) for user in SEEN_BY})
            own = await shown(here, 1)
            drawn = iter([move.action for move in table.moves if move.action.by == CHANCE])
    with monkeypatch.context() as second:
        richer(second, "p2")
        second.setattr("bot.core.outcome.RANDOM.choice", lambda offered: next(drawn))
        async with party(tmp_path / "2", "1890", 3, options) as there:
            for number, action in enumerate(script, 1):
                await made(there, action)
                for user in SEEN_BY if number % EVERY == 0 else ():
                    now, then = await shown(there, user), seen[number // EVERY - 1][user]
                    assert {name for name in now if now[name] != then[name]} == set(), number
            assert (await shown(there, 1))["players"] != own["players"], "what differs is there to be seen by its owner"


def _elsewhere(here: Party) -> State:
    """The position as the other game has it."""
    state = here.table.beginning.copy()
    state.cash[PlayerId("p1")] -= MORE
    state.cash[PlayerId("p2")] += MORE
    for move in here.table.moves:
        state = engine.apply(here.table.title, state, move.action)
    return state


def _allowed_in_both(here: Party, other: State, random: Random) -> Action:
    t, s = here.table.title, here.table.position.state
    for _ in range(80):
        action = choose(t, s, random)
        if engine.consent(t, s, action) or isinstance(action, EndGame):
            continue
        if engine.judge(t, other, action) is None:
            return action
    raise AssertionError("nothing is allowed in both")
