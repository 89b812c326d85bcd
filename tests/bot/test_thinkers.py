"""Processes in which opponents think, which may die at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

import pytest
from errands import dies, ponders, wrong

import engine
from bot.core import work
from bot.core.errors import TableError
from bot.core.thinking import Thought, packed, think
from bot.core.work import Work
from bot.rooms.opponents import room as module
from bot.rooms.opponents.room import Thinkers
from engine.actions import Pass
from engine.ids import PlayerId

pytestmark = pytest.mark.long

WORK = Work(ThreadPoolExecutor(1))


@pytest.fixture(scope="module")
def kept() -> Iterator[Thinkers]:
    made = Thinkers(1, WORK)
    yield made
    made.close()


@pytest.fixture
def thinkers(kept: Thinkers) -> Thinkers:
    """One for all tests: to start a process takes longer than most that it thinks about."""
    kept.pool.broken = 0
    return kept


def first(title: str = "1889", options: tuple[str, ...] = ()) -> Thought:
    """The first decision of a game."""
    built = engine.build(title, 3, list(options))
    state = engine.start(built, ["Aiko", "Hikari (bot)", "Kodama (bot)"])
    return Thought(built, state, PlayerId("p1"), "regular", 7, {PlayerId("p2"): "strong"})


@pytest.mark.broad
async def test_a_process_answers_as_a_thread_does(thinkers: Thinkers) -> None:
    for question in (first(), first("1890", ("scenario_a", "hidden_cash"))):
        here = await Thinkers(0, WORK).choice(question)
        assert await thinkers.choice(question) == here
        assert (await thinkers.advice(question))[0] == here
        assert await thinkers.counsel(question) == await Thinkers(0, WORK).counsel(question)
        assert await thinkers.agrees(question, Pass(PlayerId("p2"))) in (True, False)
        assert think(packed(question), attrgetter("levels"), ()) == question.levels


@pytest.mark.broad
async def test_a_thinker_killed_in_mid_thought_costs_nothing_but_time(thinkers: Thinkers) -> None:
    await thinkers.choice(first())
    (process,) = thinkers.pool.processes()
    os.kill(process, signal.SIGKILL)
    assert (await thinkers.choice(first())).action.by == "p1"
    assert thinkers.pool.processes() != (process,)


@pytest.mark.broad
async def test_a_question_that_kills_thinkers_is_given_up_and_others_are_answered(thinkers: Thinkers) -> None:
    with pytest.raises(TableError):
        await thinkers._ask(first(), dies)
    assert thinkers.pool.broken == work.TRIES
    assert (await thinkers.choice(first())).action.by == "p1"


@pytest.mark.broad
async def test_a_thought_without_end_is_given_up_and_others_are_answered(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    await thinkers.choice(first())
    monkeypatch.setattr(module, "LONGEST", 0.3)
    with pytest.raises(TableError):
        await asyncio.wait_for(thinkers._ask(first(), ponders), 20)
    monkeypatch.undo()
    assert (await thinkers.choice(first())).action.by == "p1"


@pytest.mark.broad
async def test_what_thinking_raises_is_raised_and_breaks_nothing(thinkers: Thinkers) -> None:
    with pytest.raises(ValueError, match="no such decision"):
        await thinkers._ask(first(), wrong)
    assert thinkers.pool.broken == 0


async def test_thinkers_end_when_nobody_has_asked_for_long(thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    await thinkers.choice(first())
    thinkers.let_go()
    assert thinkers.pool.processes()
    monkeypatch.setattr(module, "IDLE", -1.0)
    asking = asyncio.create_task(thinkers.choice(first()))
    await asyncio.sleep(0)
    thinkers.let_go()
    await asking
    assert thinkers.pool.processes()
    thinkers.let_go()
    assert thinkers.pool.processes() == ()
