"""Two games that differ only in hidden money: to everybody else their boards are the same, byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from boarding import Page, Party, page, party
from tables import richer

import engine
from board.limits import Limits
from bot.rooms.past import history
from bot.rooms.seats import handing
from engine.actions import Action, EndGame, Pass
from engine.ids import CHANCE, PlayerId
from engine.state import State
from records.simulate import choose

MORE = 160
SEEN_BY = (3, 0)
"""Another player, and whoever only watches."""
CHARTS = [f"chart/{name}.png" for name in history.CHART_NAMES]


async def shown(here: Party, user: int, *more: str) -> dict[str, str]:
    """Every byte that the person's page gets, and of some hexes that they tap, without what is random by design."""
    here.board.limits = Limits(per_second=1e6)
    count, hexes = len(here.table.moves), [cell.id for cell in here.table.position.board().hexes][::9]
    wanted = ["", "parts", *(f"ask/{one}" for one in ("undo", "why", "lines", "follow")), "rules?q=money", *more]
    wanted += [f"at/{number}" for number in (0, count // 2, count)]
    wanted += [f"hex/{one}{more}" for one in hexes for more in ("", "/runs")]
    async with page(here, user) as one:
        found = {what: await read(one, what) for what in wanted}
        found["live"] = await news(one)
        found["routes"] = json.dumps(await one.post("routes", {"trains": None}))
        found["undo"] = json.dumps(await one.post("undo", {"way": "no", "row": 1, "id": 1, "seen": 0}))
        return {what: plain(words, here, one.csrf) for what, words in found.items()}


async def read(one: Page, what: str) -> str:
    async with one.session.get(f"{one.at}/{what}") as answer:
        return f"{answer.status} {(await answer.read()).hex() if what.endswith('.png') else await answer.text()}"


async def news(one: Page) -> str:
    """The first that a page is told which shows nothing yet."""
    async with one.session.get(f"{one.at}/live?stamp=") as answer:
        told = ""
        while "data:" not in told or not told.endswith("\n\n"):
            told += (await answer.content.readany()).decode()
        return told


def plain(words: str, here: Party, csrf: str) -> str:
    """Without ids of the game and of the session, and what is made of them."""
    words = words.replace(here.table.game.id, "GAME").replace(csrf, "CSRF")
    return re.sub(r'(stamp[\\"=:\s]+)[0-9a-f]{18}', r"\1STAMP", words)


async def made(here: Party, action: Action) -> None:
    await here.table.submit(action, user=here.user_of(action.by))


@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize(
    ("options", "seed", "moves", "every"),
    [
        ('["hidden_cash"]', 12, 48, 12),
        pytest.param('["hidden_cash"]', 12, 60, 6, marks=pytest.mark.slow),
        pytest.param('["hidden_cash", "open_treasuries"]', 5, 60, 6, marks=pytest.mark.slow),
    ],
)
@pytest.mark.broad
async def test_boards_tell_nothing_of_hidden_money(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, seed: int, moves: int, every: int
) -> None:
    random, script, seen = Random(seed), list[Action](), dict[int, dict[int, dict[str, str]]]()
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    with monkeypatch.context() as first:
        richer(first, "p1", MORE)
        first.setattr("bot.core.outcome.RANDOM", Random(seed))
        async with party(tmp_path / "1", "1890", 3, options) as here:
            table = here.table
            other = _elsewhere(here)
            while len(script) < moves and not table.position.over:
                action = _allowed_in_both(here, other, random)
                before = len(table.moves)
                await made(here, action)
                script.append(action)
                for move in table.moves[before:]:
                    other = engine.apply(table.title, other, move.action)
                if len(script) % every == 0 or _is_laid_by(here, "p3"):
                    more = CHARTS if len(script) == moves else ()
                    seen[len(script)] = {user: await shown(here, user, *more) for user in SEEN_BY}
            own = await shown(here, 1)
            drawn = iter([move.action for move in table.moves if move.action.by == CHANCE])
    with monkeypatch.context() as second:
        richer(second, "p2", MORE)
        second.setattr("bot.core.outcome.RANDOM.choice", lambda offered: next(drawn))
        async with party(tmp_path / "2", "1890", 3, options) as there:
            for number, action in enumerate(script, 1):
                await made(there, action)
                for user, then in seen.get(number, {}).items():
                    now = await shown(there, user, *(CHARTS if number == moves else ()))
                    assert {name for name in now if now[name] != then[name]} == set(), number
            assert (await shown(there, 1))["parts"] != own["parts"], "what differs is there to be seen by its owner"


def _is_laid_by(here: Party, seat: str) -> bool:
    """Whether this player is to lay track, and so is told what each tile leads to."""
    return here.table.position.decision.step == "track" and seat in here.table.position.up


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


@pytest.mark.second
@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize("user", [0, 9])
async def test_who_has_no_seat_does_not_see_a_seat_that_was_left_as_their_own(tmp_path: Path, user: int) -> None:
    async with party(tmp_path, "1890", 3, '["hidden_cash"]') as here, page(here, user) as one:
        before = await one.parts()
        await handing.leave(here.table, here.user_up(), 1)
        after = await one.parts()
    assert after["players"] == before["players"]
    assert "Your turn" not in after["head"]
    assert "data-act" not in after["turn"]


@pytest.mark.long
@pytest.mark.rule("1890-VAR-05")
async def test_whoever_looks_back_from_the_end_sees_all_money_as_in_the_chat(tmp_path: Path) -> None:
    async with party(tmp_path, "1890", 3, '["hidden_cash"]') as here, page(here, 1) as one:
        up = here.user_up()
        await here.table.submit(Pass(here.table.seat_for(up)), user=up)
        during = await read(one, "at/1")
        await here.table.end_here()
        after = await read(one, "at/1")
    assert "secret" in during
    assert "secret" not in after
