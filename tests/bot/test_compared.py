"""A line beside the game: what companies could run for, now and then."""

from __future__ import annotations

from itertools import islice

import pytest
from walks import walk

import engine
from bot.rooms.trying.screen import compared_card, could_run
from bot.words.lexicon import lexicon
from engine.actions import RunTrains
from engine.ids import CorpId
from engine.router import Best
from engine.state import State
from engine.steps.run import proposals
from engine.title import Title
from engine.viewing import table_view
from renderer.card import Card


def running(title: Title, seed: int, count: int) -> list[State]:
    """Positions of random games in which somebody is asked to run trains."""
    played = (step for one in range(seed, seed + 8) for step in walk(title, one, 400))
    return [*islice((before for before, action, _ in played if isinstance(action, RunTrains)), count)]


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_a_company_could_run_for_what_would_be_proposed_to_it(title_id: str) -> None:
    title = engine.build(title_id, 3)
    states = running(title, 5, 12)
    assert len(states) == 12
    for state in states:
        seat = engine.decision(title, state).players[0]
        proposed = [best for _, best in proposals(title, state, seat)]
        assert state.operating is not None
        found = could_run(title, [state])[0]
        assert found[state.operating].total == max(best.total for best in proposed)
        assert all(state.trains[corp] or one.total for corp, one in found.items())


@pytest.mark.second
def test_companies_named_first_are_looked_at_first_and_none_once_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title = engine.build("1889", 3)
    state = running(title, 5, 12)[-1]
    having = [corp for corp in title.corporations if state.trains[corp] and corp in state.floated]
    assert next(iter(could_run(title, [state], [having[-1]])[0])) == having[-1]
    monkeypatch.setattr("bot.rooms.trying.screen.SECONDS", 0)
    assert could_run(title, [state, state], having) == [{}, {}]


def test_where_no_routes_were_found_yet_it_is_not_taken_for_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    title = engine.build("1889", 3)
    state = running(title, 5, 1)[0]
    corp = state.operating
    assert corp is not None
    unproved = Best((), 0, False, 740)
    monkeypatch.setattr("bot.rooms.trying.screen.bests_of", lambda *asked: (unproved,))
    assert could_run(title, [state], [corp])[0][corp] == unproved


def shown(card: Card, corp: CorpId) -> list[str]:
    row = next(row for section in card.sections for row in section.rows if row.token == corp)
    return [cell.text for cell in row.cells] + [f"{fact.label} {fact.figure}" for fact in row.facts]


def test_the_card_tells_best_runs_apart_from_the_last_ones() -> None:
    title = engine.build("1889", 3)
    state = running(title, 5, 1)[0]
    corp = state.operating
    assert corp is not None
    after = state.copy()
    after.last_run[corp] = 130
    before, then = (table_view(title, one, None) for one in (state, after))
    names = lexicon(state.names, title)
    runs = [{corp: Best((), 90, True, 90)}, {corp: Best((), 120, False, 130)}]
    said = shown(compared_card("Line 1", before, then, runs, names), corp)
    assert said[4:6] == ["¥90", "≥ ¥120"]
    assert any(one.startswith("last run ") and one.endswith("→ ¥130") for one in said)
    same = shown(compared_card("Line 1", before, before, [runs[0], runs[0]], names), corp)
    assert same[4:6] == ["¥90", "="]
    assert not any(one.startswith("last run") for one in same)


@pytest.mark.long
def test_a_phase_that_begins_on_the_line_is_told_and_another_is_not() -> None:
    title = engine.build("1889", 3)
    states = running(title, 1, 12)
    early, late = (table_view(title, states[number], None) for number in (0, -1))
    assert early.phase != late.phase
    names = lexicon(states[0].names, title)
    for then, told in ((late, [f"{early.phase} → {late.phase}"]), (early, [])):
        card = compared_card("Line 1", early, then, [{}, {}], names)
        facts = [fact for section in card.sections for row in section.rows for fact in row.facts]
        assert [fact.figure for fact in facts if fact.label == "phase"] == told
