"""The estimate of how a game ends, and the coach who uses it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table
from walks import whole_game

import engine
from engine.actions import BuyShare, Dividend, ExchangePrivate, Pass
from engine.ids import SR, CorpId, PlayerId, PrivateId
from engine.secrets import hidden_purses
from engine.shares import worth
from opponents import advice, advise
from opponents.advice import FOLLOWING, counsel
from opponents.choice import Choice
from opponents.coach import CLEAR, MOST, chances, led_to, review
from opponents.estimate import Estimate, estimate, known_at, rounded
from opponents.levels import Levels
from opponents.question import ask

leads = st.lists(st.floats(-1, 4), min_size=2, max_size=7).map(tuple)


@pytest.mark.long
@given(leads, st.floats(0.001, 1))
def test_chances_add_up_and_whoever_leads_has_the_best(found: tuple[float, ...], spread: float) -> None:
    firsts = Estimate(found, spread, 1000.0, 0.3).firsts()
    assert sum(firsts) == 100
    assert min(firsts) >= 0
    best = found.index(max(found))
    assert firsts[best] >= max(firsts) - 4, "as far as few ways tell"
    if len(set(found)) == 1:
        assert max(firsts) - min(firsts) <= 1


@given(leads, st.floats(0.001, 1), st.floats(0, 1))
@pytest.mark.long
def test_who_is_further_ahead_has_no_smaller_chance(found: tuple[float, ...], spread: float, more: float) -> None:
    before = Estimate(found, spread, 1000.0, 0.3)
    assert before.moved(0, more).firsts()[0] >= before.firsts()[0] - 1


@pytest.mark.long
@given(leads, st.floats(0.001, 1))
def test_half_of_all_ways_end_in_the_range_that_is_told(found: tuple[float, ...], spread: float) -> None:
    low, high = Estimate(found, 0.1, 1000.0 * len(found), spread).range(0)
    assert 0 <= low <= high
    assert low <= max(0.0, 1000 * (1 + found[0])) <= max(high, 0.0) or found[0] < -1


@pytest.mark.long
@given(st.lists(st.floats(0, 100), min_size=1, max_size=7))
def test_rounding_keeps_the_sum(parts: list[float]) -> None:
    found = rounded(parts)
    assert sum(found) == round(sum(parts))
    assert all(abs(one - part) <= 1 for one, part in zip(found, parts, strict=True))


@pytest.mark.long
@pytest.mark.parametrize("title_id", engine.TITLES)
def test_the_estimate_is_exact_at_the_end_and_fair_before(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    found = estimate(title, states[-1])
    each = found.together / 3
    assert [round(each * (1 + lead)) for lead in found.leads] == [
        worth(title, states[-1], seat) for seat in states[-1].players
    ]
    for state in states[:: max(1, len(states) // 6)]:
        one = estimate(title, state)
        assert one == estimate(title, state), "the same position says the same"
        assert len(one.leads) == 3
        if not state.over:
            assert one.spread > 0


@pytest.mark.long
def test_who_plays_better_has_the_better_chances_the_more_so_the_longer_the_game_goes_on() -> None:
    title, states, _ = whole_game("1889")
    gains = []
    for state in (states[len(states) // 4], states[3 * len(states) // 4]):
        people, (first, second, third) = estimate(title, state), state.players
        mixed = estimate(title, state, {first: "learner", second: "strong"})
        better = [one - other for one, other in zip(mixed.leads, people.leads, strict=True)]
        assert better[0] < better[2] < better[1]
        assert sum(better) == pytest.approx(0), "what one gains the others lose"
        regular = estimate(title, state, {first: "learner", second: "strong", third: "regular"})
        assert regular.leads == pytest.approx(mixed.leads), "a person counts as a regular"
        alike = estimate(title, state, dict.fromkeys(state.players, "strong"))
        assert alike.leads == pytest.approx(people.leads)
        gains.append(better[1])
    assert gains[0] > gains[1] > 0


@pytest.mark.broad
def test_advice_and_reviews_know_who_sits_at_the_table() -> None:
    title, states, _ = whole_game("1889")
    at = next(at for at, one in enumerate(states) if one.round == SR)
    seat = engine.decision(title, states[at]).players[0]
    others = [one for one in states[at].players if one != seat]
    strong: Levels = dict.fromkeys(others, "strong")
    learners: Levels = dict.fromkeys(others, "learner")
    hard, people, easy = (counsel(title, states[at], seat, levels=one) for one in (strong, {}, learners))
    assert hard.choices == people.choices == easy.choices
    assert hard.end[0].amount < people.end[0].amount < easy.end[0].amount
    hard_start, easy_start = (review(title, states[:1], [], levels=one).chances[0] for one in (strong, learners))
    mine = states[0].players.index(seat)
    assert hard_start[mine] < easy_start[mine]


def test_to_pay_at_the_end_of_a_game_is_better_than_to_withhold() -> None:
    title, states, actions = whole_game("1889")
    q = next(
        ask(title, state, action.by)
        for state, action in reversed(list(zip(states, actions, strict=False)))
        if isinstance(action, Dividend) and state.income >= 100 and state.held(action.corp, action.by) >= 5
    )
    pay, keep = (next(one for one in q.options if getattr(one, "kind", "") == kind) for kind in ("pay", "withhold"))
    found = led_to(q, [pay, keep])
    assert found is not None
    paid, kept = (one.leads[q.s.players.index(q.seat)] for one in found)
    assert paid > kept


@pytest.mark.broad
def test_what_a_review_tells_was_done_otherwise_was_possible_and_cost_enough() -> None:
    title, states, actions = whole_game("1889")
    states, actions = states[12:36], actions[12:35]
    seen = review(title, states, actions)
    assert any(seen.slips)
    for slips in seen.slips:
        costs = [one.worth for one in slips]  # as people read them
        assert costs == sorted(costs, reverse=True)
        assert len(costs) <= MOST
        for one in slips:
            assert one.cost >= CLEAR
            assert one.firsts[0] >= one.firsts[1]
            assert actions[one.at] == one.made.action != one.better.action
            assert engine.judge(title, states[one.at], one.better.action) is None


@pytest.mark.broad
def test_the_chances_of_a_game_begin_alike_and_end_with_who_won() -> None:
    title, states, _ = whole_game("1889")
    found = chances(title, states)
    assert all(sum(one) == 100 for one in found)
    best = max(worth(title, states[-1], seat) for seat in states[-1].players)
    assert [one > 0 for one in found[-1]] == [worth(title, states[-1], seat) == best for seat in states[-1].players]


@pytest.mark.broad
def test_what_is_hidden_from_a_seat_does_not_change_how_its_decision_is_judged() -> None:
    title, states, _ = whole_game("1890", "hidden_cash")
    state = next(one for one in states if one.round == SR and engine.decision(title, one).players[0] in one.names)
    seat = engine.decision(title, state).players[0]
    first, second = (one for one in hidden_purses(title, state, seat) if one in state.names)
    other = state.copy()
    other.cash |= {first: state.cash[first] - 1, second: state.cash[second] + 1}
    one, two = ask(title, state, seat), ask(title, other, seat)
    assert led_to(one, one.options[:2]) == led_to(two, two.options[:2]) is not None


@given(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), st.floats(0, 1))
def test_what_is_known_near_the_end_and_far_from_it_is_told_between(
    known: tuple[float, float], distance: float
) -> None:
    assert known_at(known, 0) == pytest.approx(known[0])
    assert known_at(known, 1) == pytest.approx(known[1])
    assert min(known) - 1e-9 <= known_at(known, distance) <= max(known) + 1e-9


@pytest.mark.long
def test_what_follows_is_possible_move_by_move_and_ends_before_the_own_turn() -> None:
    title, states, _ = whole_game("1889")
    state = next(one for one in states if one.round == SR)
    seat = engine.decision(title, state).players[0]
    found = counsel(title, state, seat)
    assert len(found.follows) <= FOLLOWING
    after = state
    for action in (found.choices[0].action, *found.follows):
        after = engine.apply(title, after, action)
    assert all(action.by != seat for action in found.follows)
    assert found.choices == advise(title, state, seat, "strong"), "ranked by the chances, a strong plays worse"
    firsts, ends = found.end
    assert 0 <= firsts.amount <= 100
    assert ends.before is not None
    assert 0 <= ends.before <= ends.amount


def test_what_follows_a_merger_is_possible_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minor of 1890 that is to become Kinki still has its turn; Kanan was expected to join before that."""
    found = table("1890", 3).phase("2").par("Kinki", 80).shares("Kinki", {"reserved": 6}, president="reserved")
    found.private(M1="p3", M2="p1", M3="p2", M4="p2").cash(M1=75, M2=150, M3=60, M4=100)
    title, after = found.operating("M2", then=("M1", "M3", "M4")).rounds(3, 1, 2).build()
    after.floated -= {CorpId("Kinki")}
    becomes = ExchangePrivate(PlayerId("p1"), PrivateId("M2"))
    monkeypatch.setattr(advice, "advise", lambda *given: [Choice(becomes, 1.0)])
    follows = counsel(title, after, PlayerId("p1")).follows
    assert any(isinstance(one, ExchangePrivate) for one in follows)
    for action in (becomes, *follows):
        assert engine.judge(title, after, action) is None
        after = engine.apply(title, after, action)


def test_what_follows_ends_before_a_move_that_is_not_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is thought to have more money than they do may be expected to buy what they cannot pay for."""
    title, state = table("1889", 3).par("AR", 80).shares("AR", president="p1", p1=5).build()
    seat = engine.decision(title, state).players[0]
    monkeypatch.setattr(advice, "choose", lambda *given: Choice(BuyShare(given[2], CorpId("AR"), "pool"), 1.0))
    found = next(one for one in advise(title, state, seat, "regular") if isinstance(one.action, Pass))
    monkeypatch.setattr(advice, "advise", lambda *given: [found])
    assert counsel(title, state, seat).follows == []
