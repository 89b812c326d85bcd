"""The review of a game that is over."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, selects, text
from player import private_answer
from test_finish import ended
from test_opponents import begin

import engine
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.past.reviewing import (
    CHANGED,
    NOT_OVER,
    NOTHING,
    Reviews,
    because,
    chances_chart,
    job_at,
    review_of_job,
    review_screen,
)
from bot.rooms.past.workshop import NOT_FIRST, STOPPED, job_of
from bot.words.lexicon import lexicon
from engine.actions import BuyShare, Dividend
from engine.ids import PlayerId
from engine.past import rounds_of
from engine.state import State
from engine.title import Title
from opponents import Choice, Reason
from opponents.coach import Review, Slip


def other_kind(action: Dividend) -> Dividend:
    return replace(action, kind="withhold" if action.kind == "pay" else "pay")


def found_in(table: Table, firsts: tuple[int, int] = (31, 24)) -> Review:
    """A review in which each seat's first dividend would better have been the other kind."""
    states, seats = table.states(), table.position.state.players
    slips = []
    for seat in seats:
        own = [
            (at, move.action)
            for at, move in enumerate(table.moves)
            if isinstance(move.action, Dividend) and move.action.by == seat and states[at].income
        ]
        slips.append(
            tuple(
                Slip(at, seat, Choice(action, 100), Choice(other_kind(action), 160), 0.02, 60, firsts)
                for at, action in own[:1]
            )
        )
    return Review(tuple((40, 30, 30) for _ in range(1 + len(rounds_of(states)))), tuple(slips))


@pytest.fixture
async def table(club: Club, monkeypatch: pytest.MonkeyPatch) -> Table:
    over: Table = await ended(club)
    monkeypatch.setattr(Reviews, "_made", AsyncMock(return_value=found_in(over)))
    return over


async def asked(club: Club) -> Any:
    return private_answer(await club.aiko.slash(club.channel, "game review"))


@pytest.mark.broad
async def test_a_decision_that_cost_much_is_shown_with_the_better_one_to_try_out(club: Club, table: Table) -> None:
    answer = await asked(club)
    assert text(answer).startswith("### What cost **Aiko** most")
    assert "Better: " in text(answer)
    assert "Cost: about ¥60; *24 instead of 31*." in text(answer)
    assert re.search(r"^1\. \*\*\S+:\*\* ", text(answer), re.MULTILINE), "the round runs into who did it"
    one = await first_decision(club, answer)
    assert "**Done:** " in text(one)
    assert "Aiko** then finishes first in 24 instead of 31 of 100 ways." in text(one)
    board = private_answer(await club.aiko.click(one, label="Try it out"))
    assert "### Trying out: Line 1" in text(board)
    assert "ahead of the game" in text(board)
    kept = await table.store.branches.of_user(table.id, club.aiko.id)
    assert len(kept) == 1
    again = private_answer(await club.aiko.click(board, label="Back"))
    assert "### Trying out: Line 1" in text(again), "though the game went on otherwise"

    await equal_chances_are_not_told_to_differ(table)
    await everybody_is_reviewed(club, table, await asked(club))


async def first_decision(club: Club, answer: Any) -> Any:
    (name, options), *_ = selects(answer).items()
    return private_answer(await club.aiko.select(answer, [next(iter(options))["value"]], custom_id=name))


@pytest.mark.broad
async def test_what_is_tried_out_says_in_full_what_it_is(
    club: Club, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    bought = [(at, one.action) for at, one in enumerate(table.moves) if isinstance(one.action, BuyShare)]
    at, action = next((at, action) for at, action in bought if action.by == "p1")
    slip = Slip(at, PlayerId("p1"), Choice(action, 100), Choice(action, 160), 0.02, 60, (31, 24))

    async def made(self: Reviews, job: object) -> Review:
        return replace(found_in(table), slips=((slip,), (), ()))

    monkeypatch.setattr(Reviews, "_made", made)
    one = await first_decision(club, await asked(club))
    board = private_answer(await club.aiko.click(one, label="Try it out"))
    assert text(board).startswith(f"**Buy a share of {action.corp} for ¥")


async def equal_chances_are_not_told_to_differ(table: Table) -> None:
    assert "instead of" in (await review_screen(table, found_in(table), PlayerId("p1"))).text
    said = (await review_screen(table, found_in(table, (0, 0)), PlayerId("p1"))).text
    assert "Better: " in said
    assert "instead of" not in said
    assert "Cost: about ¥60." in said


async def everybody_is_reviewed(club: Club, table: Table, answer: Any) -> None:
    """Whoever erred nowhere is told so."""
    for seat, slips in zip(table.names, found_in(table).slips, strict=True):
        if seat != "p1":
            other = private_answer(await club.aiko.click(answer, label=table.names[seat]))
            assert text(other).startswith(f"### What cost **{table.names[seat]}** most")
            assert (NOTHING in text(other)) == (not slips)


@pytest.mark.broad
async def test_a_decision_of_a_game_that_goes_on_again_is_not_tried_out_any_more(club: Club, table: Table) -> None:
    one = await first_decision(club, await asked(club))
    await table.undo(user=club.aiko.id, agreed=tuple(table.seats))
    said = text(private_answer(await club.aiko.click(one, label="Try it out")))
    assert said.startswith(f"⚠️ {NOT_OVER}\n### Your lines")


@pytest.mark.broad
async def test_a_decision_of_a_game_that_ended_anew_is_not_opened_by_its_old_number(club: Club, table: Table) -> None:
    everything, one = await asked(club), await first_decision(club, await asked(club))
    await table.undo(user=club.aiko.id, agreed=tuple(table.seats))
    await table.end_here()
    assert table.position.over
    assert CHANGED in text(private_answer(await club.aiko.click(one, label="Try it out")))
    assert text(await first_decision(club, everything)) == CHANGED


@pytest.mark.broad
async def test_no_review_is_shown_of_a_game_that_went_on_again_while_it_was_made(
    club: Club, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def made(self: Reviews, job: object) -> Review:
        found = found_in(table)
        await table.undo(user=club.aiko.id, agreed=tuple(table.seats))
        return found

    monkeypatch.setattr(Reviews, "_made", made)
    assert text(await asked(club)) == NOT_OVER


async def test_a_game_that_goes_on_is_not_reviewed(club: Club) -> None:
    await club.begin(2)
    assert text(await asked(club)) == NOT_OVER


async def test_whoever_asked_for_a_review_can_stop_it_and_nobody_else() -> None:
    reviews, (title, beginning) = Reviews(), new_game()
    job = job_of(title, beginning, [], "")

    async def never(made: object) -> Review:
        await asyncio.Event().wait()
        raise AssertionError

    reviews._made = never  # type: ignore[method-assign, assignment]
    task = asyncio.create_task(reviews.make(job, 1))
    await asyncio.sleep(0)
    with pytest.raises(TableError, match=NOT_FIRST):
        reviews.stop(job, 2)
    await asyncio.sleep(0)
    assert not task.done()
    reviews.stop(job, 1)
    with pytest.raises(TableError, match=STOPPED):
        await asyncio.wait_for(task, 5)
    assert not reviews.has(job)
    reviews.stop(job, 2)  # pressed as it ended


def new_game() -> tuple[Title, State]:
    title = engine.build("1889", 2)
    return title, engine.start(title, ("Aiko", "Ben"))


def test_the_other_process_reviews_the_very_game_and_the_chart_is_of_all_its_rounds() -> None:
    title, beginning = new_game()
    found = review_of_job(job_of(title, beginning, [], ""))
    assert found.slips == ((), ())
    view = chances_chart(title, [beginning], found)
    assert [len(one.values) for one in view.curves] == [len(view.stops)] * 2
    assert sum(one.values[0] or 0 for one in view.curves) == 100


async def test_a_review_knows_which_opponents_sat_there(club: Club) -> None:
    table = await begin(club, level="learner")
    await table.end_here()
    job = await job_at(table)
    assert job.levels == {"p2": "learner", "p3": "learner"}
    (start, *_) = review_of_job(replace(job, actions=[])).chances
    assert start[0] > max(start[1:])


def slip(made: tuple[Reason, ...], better: tuple[Reason, ...]) -> Slip:
    pay, keep = Dividend("p1", "AR", "pay"), Dividend("p1", "AR", "withhold")
    return Slip(3, "p1", Choice(pay, 0, made), Choice(keep, 9, better), 0.1, 300, (40, 30))


@pytest.mark.parametrize(
    ("made", "better", "said"),
    [
        (("contribution", 300), ("contribution", 0), "has to add about ¥300 for trains"),
        (("worth", 2000), ("worth", 2400), "are worth about ¥400 more"),
        (("rivals", 2500), ("rivals", 2000), "keeps the best rival about ¥500 lower"),
        (("worth", 2400), ("worth", 2000), "What follows from it"),
        (("worth", 2000), ("worth", 2030), "What follows from it"),
        (("rivals", 2012), ("rivals", 2000), "What follows from it"),
    ],
)
def test_the_reason_is_the_figure_that_decides(made: Any, better: Any, said: str) -> None:
    names = lexicon({}, engine.build("1889", 2))
    assert said in because(slip((Reason(*made),), (Reason(*better),)), names)
