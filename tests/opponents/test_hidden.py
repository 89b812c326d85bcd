"""What a seat may not see changes nothing in what it decides."""

from __future__ import annotations

from random import Random

import pytest
from learners import learners, titled
from tables import table
from tastes import eager

from cli.matches import moves
from engine import BANK, CHANCE, State, Title, apply, build, decision, start
from engine.ids import SR, CorpId, PlayerId
from engine.secrets import hidden_purses
from engine.stored import state_of
from opponents import LEVELS, choose
from opponents.question import ask
from opponents.quick import Playouts, beliefs
from opponents.sight import seen
from records.simulate import choose as random_move

GAMES = (("1889", ()), ("1860", ()), ("1890", ("hidden_cash", "hidden_train_price")), ("1890", ()))


FIRST = {"1860": 10}
"""Seeds of the first random games in which two purses are hidden where somebody looks; 0 for the others."""


def shifted(title: Title, state: State, seat: PlayerId) -> State | None:
    """The same position but for money in purses that the seat may not look into; None where there are no two."""
    hidden = [
        holder for holder in hidden_purses(title, state, seat) if holder in state.names or holder in state.floated
    ]
    full = [holder for holder in hidden if state.cash[holder] >= 2 and holder not in _bidders(state)]
    if not full or len(hidden) < 2:
        return None
    other = state_of(title, state.names, state.to_dict())
    source = full[0]
    target = next(holder for holder in hidden if holder != source)
    amount = state.cash[source] // 2
    other.cash[source] -= amount
    other.cash[target] += amount
    return other


def _bidders(state: State) -> set[str]:
    return {bidder for bids in state.bids.values() for bidder in bids}


@pytest.mark.parametrize(("title_id", "options"), GAMES)
@pytest.mark.long
def test_positions_that_differ_in_what_is_hidden_give_the_same_decision(
    title_id: str, options: tuple[str, ...]
) -> None:
    title, tried = build(title_id, 3, options), 0
    for seed in range(FIRST.get(title_id, 0), 30):
        random, state = Random(seed), start(title, ["Ann", "Ben", "Cho"])
        for step in range(400):
            if state.over:
                break
            asked = decision(title, state).players
            other = shifted(title, state, asked[0]) if asked != (CHANCE,) and step % 29 == 0 else None
            if other is not None:
                tried += 1
                assert seen(title, state, asked[0]).cash == seen(title, other, asked[0]).cash
                for level in LEVELS if tried < 3 else LEVELS[:-1]:  # the strong think long
                    assert choose(title, state, asked[0], level) == choose(title, other, asked[0], level)
                if tried == 4:
                    return
            state = apply(title, state, random_move(title, state, random, eager))
    raise AssertionError(f"only {tried} positions")


@pytest.mark.parametrize(("title_id", "options"), [GAMES[0], GAMES[2]])
@pytest.mark.long
def test_playouts_do_not_depend_on_what_is_hidden(title_id: str, options: tuple[str, ...]) -> None:
    title, tried = build(title_id, 3, options), 0
    for _, state in moves(title, ("learner",) * 3, seed=2):
        seat = decision(title, state).players[0]
        other = shifted(title, state, seat) if state.round == SR and state.turn > 1 and not state.pending else None
        if other is not None:
            ends = []
            for position in (state, other):
                q = ask(title, position, seat, seed=3)
                playouts = Playouts(q, beliefs(q))
                ends.append([playouts.played(q.s, playouts.draw(number)).shares for number in range(6)])
            assert ends[0] == ends[1]
            tried += 1
        if tried == 3:
            return
    raise AssertionError(f"only {tried} positions")


@pytest.mark.long
def test_the_estimates_add_up_to_what_is_known_to_be_hidden() -> None:
    title = build("1889", 3)
    random, state = Random(2), start(title, ["Ann", "Ben", "Cho"])
    for _ in range(400):
        if state.over:
            break
        seat = state.players[0]
        estimated = seen(title, state, seat)
        hidden = hidden_purses(title, state, seat)
        real, thought = (sum(one.cash[holder] for holder in hidden) for one in (state, estimated))
        assert real - len(hidden) <= thought <= real
        assert all(estimated.cash[holder] == state.cash[holder] for holder in state.cash if holder not in hidden)
        assert estimated.cash[BANK] == state.cash[BANK]
        state = apply(title, state, random_move(title, state, random, eager))


def test_what_is_open_is_seen_as_it_is() -> None:
    title = build("1889", 3, ["open_treasuries"])
    state = start(title, ["Ann", "Ben", "Cho"])
    assert seen(title, state, state.players[0]) is state


@pytest.mark.long
def test_the_money_of_a_company_that_has_just_floated_is_known() -> None:
    """Also beside companies that have spent some of theirs, whose estimates are made to fit the sum."""
    title, seen_some = titled("1889", 3), False
    for state in learners(title):
        fresh = state.floated - state.operated
        if not fresh or not state.operated:
            continue
        estimated = seen(title, state, state.players[0])
        assert all(estimated.cash[corp] == state.cash[corp] for corp in fresh)
        seen_some = True
    assert seen_some


def test_a_company_that_cannot_have_its_capital_any_more_is_estimated_like_others() -> None:
    made = table("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=5, p2=2).operating("AR", "track").cash(AR=300)
    title, state = made.build()
    seat = PlayerId("p3")
    assert CorpId("AR") in state.floated - state.operated
    hidden = hidden_purses(title, state, seat)
    assert "AR" in hidden
    real, thought = (sum(one.cash[holder] for holder in hidden) for one in (state, seen(title, state, seat)))
    assert real - len(hidden) <= thought <= real
