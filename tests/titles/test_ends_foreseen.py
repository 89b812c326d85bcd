"""What is said of the end while a game is played, against how it went on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from tables import facts
from walks import walk

from engine import State, Title, build
from engine.facts import DividendDecided
from engine.ids import OR, CorpId
from engine.titles.t1860.companies import british


@cache
def played(title_id: str, seed: int, *options: str) -> tuple[Title, list[State]]:
    """A random game: all its positions up to the last decision, and the end.

    It is short, as the bank has little, and British Rail comes early where trains of each rank are few.
    """
    title = build(title_id, 3, options)
    few = {rank: replace(train, count=train.count and 1) for rank, train in title.trains.items()}
    title = replace(title, bank=3000, trains=few if title_id == "1860" else title.trains)
    steps = list(walk(title, seed))
    return title, [*(before for before, _, _ in steps), steps[-1][2]]


@pytest.mark.parametrize(
    ("title_id", "seed", "options"),
    [
        pytest.param("1889", 2, (), marks=pytest.mark.rule("1889-END-03")),  # the bank breaks one round earlier
        pytest.param("1888", 4, (), marks=pytest.mark.rule("1888-END-02")),
        pytest.param("1890", 2, (), marks=pytest.mark.rule("1890-END-03")),
        pytest.param("1890", 2, ("scenario_a",), marks=pytest.mark.rule("1890-END-03")),
        pytest.param("1860", 2, (), marks=pytest.mark.rule("1860-END-02")),
        pytest.param("1860", 1, (), marks=pytest.mark.rule("1860-END-19")),  # by British Rail
    ],
)
@pytest.mark.long
def test_what_is_known_to_be_the_last_is_the_last(title_id: str, seed: int, options: tuple[str, ...]) -> None:
    t, (*asked, end) = played(title_id, seed, *options)
    milestones = t.policy.milestones
    in_last = {
        index for index, s in enumerate(asked) if (s.round, s.turn, s.or_number) == (OR, end.turn, end.or_number)
    }
    known = [index for index, s in enumerate(asked) if milestones.ending(t, s)]
    known_last = [index for index, s in enumerate(asked) if s.round == OR and milestones.last_round(t, s)]
    assert {asked[index].turn for index in known} == {end.turn}, "no other stock round begins"
    assert set(known_last) <= in_last
    assert known[-1] == known_last[-1] == len(asked) - 1
    if end.over == "turns":
        assert set(known_last) == in_last


@pytest.mark.parametrize(("title_id", "seed"), [("1889", 2), ("1888", 4), ("1890", 2)])
@pytest.mark.long
def test_companies_that_pay_nothing_go_on(title_id: str, seed: int) -> None:
    t, positions = played(title_id, seed)
    some = [s for s in positions if s.floated][::50]
    assert len(some) > 3
    for s in some:
        assert set(t.policy.milestones.running_on(t, s, dict.fromkeys(s.floated, 0))) == set(s.floated)


@pytest.mark.rule("1860-END-17", "1860-END-18", "1860-END-19")
@pytest.mark.long
def test_under_british_rail_who_pays_least_operates_no_more_in_1860() -> None:
    t, positions = played("1860", 1)
    asked, paid = dict[int, State](), dict[int, dict[CorpId, int]]()
    for before, after in pairwise(positions):
        if british(before) and (decided := facts(after, DividendDecided)):
            asked[before.or_number] = before
            paid.setdefault(before.or_number, {})[decided[0].corp] = decided[0].revenue
    assert len(paid) > 2
    for this, following in pairwise(sorted(paid)):
        left = t.policy.milestones.running_on(t, asked[this], paid[this])
        assert set(left) == set(paid[following]) < set(paid[this])


@pytest.mark.rule("1860-END-07", "1860-END-11")
@pytest.mark.parametrize("seed", [2, 1])
@pytest.mark.long
def test_what_ends_1860_is_foreseeable_until_british_rail_may_and_whoever_is_asked_is_reminded(seed: int) -> None:
    t, (first, *_, last, end) = played("1860", seed)
    milestones = t.policy.milestones
    assert milestones.foreseeable(first)
    assert not milestones.reminder(t, first)
    assert milestones.foreseeable(last) is (end.over == "bank")
    assert bool(milestones.reminder(t, last)) is (end.over == "nationalisation")
