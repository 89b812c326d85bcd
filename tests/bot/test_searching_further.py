"""Routes that are not proved best: what is told, and searching further from the turn's message and from one's own."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from club import Club, buttons, text
from player import answer, private_answer
from test_company_turns import play_until

from bot.core.errors import STALE
from bot.core.moves import Note
from bot.core.position import Position
from bot.core.table import Table
from engine import best_routes
from engine.actions import RunTrains
from engine.board.board import Board
from engine.ids import Rank
from engine.steps import run

BOARD = Path(__file__).parents[2] / "benchmarks" / "boards" / "1889-brown-2.json"
FIRST = "¥630 found; not proved best, at most ¥660."
FURTHER = "Search further"


async def dense(club: Club, monkeypatch: pytest.MonkeyPatch, states: int = 1_000) -> Table:
    """A company runs three 4-trains on a dense board; the first search and the second prove nothing, the third does."""
    table = await play_until(club, "run")
    monkeypatch.setattr(best_routes, "STATES", states)
    s = table.position.state.copy()
    assert s.operating is not None
    body = json.loads(BOARD.read_text().replace(f'"{s.operating}"', '"XX"').replace('"AR"', f'"{s.operating}"'))
    placed = {name: (tile, turn) for name, (tile, turn) in body["placed"].items()}
    s.board = Board(table.title.grid, placed, {stop: tuple(places) for stop, places in body["tokens"].items()})
    s.trains[s.operating] = (Rank("4"),) * 3
    s.phase = next(number for number, phase in enumerate(table.title.phases) if phase.name == body["phase"])
    table.position = Position(table.title, s, table.position.seq, table.names, table.work)
    await club.announces(table)
    return table


def runner(club: Club, table: Table) -> Any:
    return club.who(table.position.up[0], table)


@pytest.mark.broad
async def test_an_unproved_proposal_says_so_and_is_searched_further_until_it_is_proved(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    member, packet = runner(club, table), club.packet()
    assert FIRST in text(packet)
    assert any(label.startswith("Run, pay ¥") for label in buttons(packet))

    second = private_answer(await member.click(packet, label=FURTHER))
    assert "**¥630**" in text(second)
    assert FIRST in text(second)
    assert second.attachments

    club.forget_transcript()
    shown = private_answer(await member.click(second, label=FURTHER))
    assert "this may take a few minutes" in str(club.env.backend.transcript), "said at once"
    assert "**¥660**" in text(shown)
    assert "not proved" not in text(shown)
    assert FURTHER not in buttons(shown)

    assert "**¥660**" in await answer(member.click(packet, label=FURTHER)), "what was found is kept"

    await member.click(shown, label="Run for ¥660")
    assert isinstance(table.moves[-1].action, RunTrains)
    assert table.position.state.income == 660


@pytest.mark.broad
async def test_what_was_proposed_first_still_runs(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await dense(club, monkeypatch)
    member, packet = runner(club, table), club.packet()
    await table.position.proposals(table.position.up[0], 2)
    corp = str(table.position.state.operating)
    await member.click(packet, label=next(label for label in buttons(packet) if label.startswith("Run, pay")))
    assert table.position.state.last_run[corp] == 630


@pytest.mark.broad
async def test_the_command_runs_the_best_found_so_far_and_says_what_is_known(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    answer = private_answer(await runner(club, table).slash(club.channel, "run"))
    assert "runs for ¥630" in text(answer)
    assert FIRST in text(answer)


@pytest.mark.broad
async def test_the_command_runs_what_was_found_by_searching_further(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    await table.position.proposals(table.position.up[0], 2)
    answer = private_answer(await runner(club, table).slash(club.channel, "run"))
    assert "runs for ¥660" in text(answer)
    assert "not proved" not in text(answer)


@pytest.mark.broad
async def test_the_bot_searches_no_further_than_twice(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await dense(club, monkeypatch, states=1)
    member, shown = runner(club, table), club.packet()
    assert "found; not proved best, at most" in text(shown)
    for _ in range(2):
        shown = private_answer(await member.click(shown, label=FURTHER))
    assert "not proved best" in text(shown)
    assert FURTHER not in buttons(shown)


@pytest.mark.broad
async def test_only_who_runs_the_company_searches_on(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await dense(club, monkeypatch)
    packet, up = club.packet(), runner(club, table)
    for member in club.members[:3]:
        if member is not up:
            answer = private_answer(await member.click(packet, label=FURTHER))
            assert "not your turn" in text(answer) or "no seat" in text(answer)
    assert table.position.effort == 0


@pytest.mark.broad
async def test_a_host_who_acts_for_others_searches_on_and_runs_what_is_found(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    host = club.aiko
    assert runner(club, table) is not host
    table.settings = replace(table.settings, host_acts=True)
    shown = private_answer(await host.click(club.packet(), label=FURTHER))
    shown = private_answer(await host.click(shown, label=FURTHER))
    await host.click(shown, label="Run for ¥660")
    assert table.position.state.income == 660
    assert table.moves[-1].note == Note("host")


@pytest.mark.broad
async def test_a_press_after_the_turn_is_answered_and_searches_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    before, member = table.position, runner(club, table)
    packet = club.packet()
    shown, late = [private_answer(await member.click(packet, label="Other routes…")) for _ in range(2)]
    await member.click(shown, label="Run for ¥630")
    assert await answer(member.click(late, label=FURTHER)) == STALE
    assert before.effort == 0


@pytest.mark.broad
async def test_a_search_that_the_game_overtakes_ends_in_a_message(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await dense(club, monkeypatch)
    member, packet = runner(club, table), club.packet()
    begun, wait = asyncio.Event(), asyncio.Event()
    search = table.work.search

    async def slow(*args: Any) -> Any:
        begun.set()
        await wait.wait()
        return await search(*args)

    monkeypatch.setattr(table.work, "search", slow)
    asked: list[int] = []
    bests_of = run.bests_of

    def counted(t: Any, s: Any, corp: Any, effort: int = 0) -> Any:
        asked.append(effort)
        return bests_of(t, s, corp, effort)

    monkeypatch.setattr(run, "bests_of", counted)
    press = asyncio.create_task(member.click(packet, label=FURTHER))
    await begun.wait()
    await table.submit((await table.position.actions(table.position.up[0]))[0], user=member.id)
    wait.set()
    assert STALE in text(private_answer(await press))
    assert 1 not in asked, "nobody waits for it any more"


@pytest.mark.broad
async def test_the_button_of_routes_found_further_works_after_a_restart(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await dense(club, monkeypatch)
    member, position = runner(club, table), table.position
    shown = private_answer(await member.click(club.packet(), label=FURTHER))
    shown = private_answer(await member.click(shown, label=FURTHER))
    position.state.board.memo.clear()
    table.position = Position(table.title, position.state, position.seq, table.names, table.work)
    await member.click(shown, label="Run for ¥660")
    assert table.position.state.income == 660
