"""What charts show of whole games."""

from __future__ import annotations

import random

import pytest
from walks import whole_game

from engine import TITLES
from engine.charting import CHARTS, chart, revenue_curves, train_counts, worth_curves, worth_parts, worth_sources
from engine.facts import DividendDecided, RoundBegan
from engine.ids import OR
from engine.past import rounds_of
from engine.shares import worth

pytestmark = pytest.mark.long


@pytest.mark.parametrize("title_id", TITLES)
def test_the_parts_of_worth_add_up_to_the_worth_of_the_engine_at_every_position(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    for state in states[::7]:
        for player in state.players:
            assert sum(worth_parts(title, state, player)) == worth(title, state, player)
    chance = random.Random(1)
    for upto in chance.sample(range(1, len(states)), 12):
        view = worth_sources(title, states[:upto])
        assert [sum(parts) for _, parts in view.rows] == [worth(title, states[upto - 1], one) for one in NAMES_BY_SEAT]


NAMES_BY_SEAT = ("p1", "p2", "p3")


@pytest.mark.parametrize("title_id", TITLES)
def test_curves_have_a_figure_for_the_start_and_the_end_of_every_round(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    view = worth_curves(title, states)
    began = sum(isinstance(fact, RoundBegan) for state in states[1:] for fact in state.facts)
    assert len(view.stops) == began + 2  # the start, and what comes before the first round
    for curve, player in zip(view.curves, states[-1].players, strict=True):
        assert len(curve.values) == len(view.stops)
        assert curve.values[0] == worth(title, states[0], player)
        assert curve.values[-1] == worth(title, states[-1], player)
    indices = [one.end for one in rounds_of(states)]
    assert indices == sorted(indices)
    assert indices[-1] == len(states) - 1


@pytest.mark.parametrize("title_id", TITLES)
def test_the_revenue_of_all_rounds_is_what_was_paid_or_withheld(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    view = revenue_curves(title, states)
    number, decided = -1, dict[tuple[str, int], int]()
    for fact in (fact for state in states[1:] for fact in state.facts):
        if isinstance(fact, RoundBegan) and fact.round == OR:
            number += 1
        elif isinstance(fact, DividendDecided):
            decided[fact.corp, number] = decided.get((fact.corp, number), 0) + fact.revenue
    assert len(view.stops) == number + 1
    told = {(one.name, at): value for one in view.curves for at, value in enumerate(one.values) if value is not None}
    assert told == decided, "also where a company runs by itself in the move that ended the round before"


def test_a_game_that_goes_on_in_the_middle_of_a_round_calls_it_by_its_name() -> None:
    """As where the rules changed under it. What was earned in the rest of a round was added to the next."""
    title, states, _ = whole_game("1889")
    whole, rounds = revenue_curves(title, states), rounds_of(states)
    for number, one in enumerate(rounds):
        later = rounds_of(states[one.start :])
        assert [(this.name, this.turn, this.operating) for this in later] == [
            (this.name, this.turn, this.operating) for this in rounds[number:]
        ]
        if one.operating:
            column = whole.stops.index(one.name)
            rest = {curve.name: curve.values for curve in revenue_curves(title, states[one.start :]).curves}
            assert all(curve.values[column:] == rest[curve.name] for curve in whole.curves if curve.name in rest)


@pytest.mark.parametrize("title_id", TITLES)
def test_trains_are_counted_by_rank(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    view = train_counts(title, states)
    ends = [one for one in rounds_of(states) if one.operating]
    for column, one in enumerate(ends):
        owned = sum(len(trains) for trains in states[one.end].trains.values())
        assert sum(counts[column] for _, counts in view.rows) == owned


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("title_id", TITLES)
def test_every_chart_can_be_drawn_from_the_first_position_on(title_id: str, name: str) -> None:
    from renderer import chart_picture

    title, states, _ = whole_game(title_id)
    for upto in (1, 2, 30, len(states)):
        picture = chart_picture(chart(title, states[:upto], name))
        assert picture.width == 1000
        assert picture.alt
