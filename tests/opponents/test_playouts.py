"""Playouts of stock rounds by the engine itself, for reviews and puzzles."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest
from learners import learners, titled

from engine import State, Title, apply, decision
from engine.actions import Pass
from engine.ids import OR, SR, PlayerId
from opponents import quick
from opponents.prospects import Valuation
from opponents.question import ask
from opponents.quick import Figures, Playouts, Quick, beliefs
from opponents.weights import STANDARD

TITLES = ("1888", "1889", "1890")
"""Where presidents pay for trains."""


def in_stock_round(title: Title, turn: int) -> State:
    """The start of a stock round of a learners' game."""
    return next(state for state in learners(title) if state.round == SR and state.turn == turn and not state.pending)


def playouts(title: Title, state: State) -> Playouts:
    return Playouts(ask(title, state, decision(title, state).players[0]), "seed")


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.long
def test_a_playout_is_a_game_of_the_engine(title_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the operating round every position is what `apply` makes of the one before."""
    title = titled(title_id, 3)
    state, made = in_stock_round(title, 2), []

    def noted(t: Title, before: State, action: object) -> State:
        after = apply(t, before, action)  # type: ignore[arg-type]
        made.append((before, after))
        return after

    monkeypatch.setattr(quick, "apply", noted)
    ahead = playouts(title, state)
    end = ahead.played(ahead.q.s, ahead.draw(0))
    assert end.over or end.round == OR
    assert all(after is before for (_, after), (before, _) in pairwise(made))
    assert end == made[-1][1]


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.long
def test_figures_worked_out_once_are_those_of_the_position(title_id: str) -> None:
    """What is kept of one position is right for the next: of each share, after each move of a stock round."""
    title = titled(title_id, 3)
    state = in_stock_round(title, 3)
    ahead = playouts(title, state)
    figures = ahead.draw(0)
    player = Quick(figures)
    compared = 0
    for _ in range(25):
        if state.round != SR or state.over:
            break
        fresh = Figures(title, figures.course, STANDARD, {})
        for corp in title.corporations:
            known, now = figures.share(state, corp), fresh.share(state, corp)
            prospect = Valuation(title, state, figures.course, STANDARD).prospect(corp) if now else None
            if corp in state.floated and now is not None and known is not None and prospect is not None:
                assert known == now
                assert now.worth == prospect.paid + prospect.price
                compared += 1
        state = player.move(state)
    assert compared > 5


def test_whoever_passes_in_a_stock_round_is_taken_to_be_done() -> None:
    """Otherwise to put off a purchase looks as good as to make it, in turn after turn."""
    title = titled("1889", 3)
    state = in_stock_round(title, 2)
    seat = state.up
    state.cash |= dict.fromkeys(state.players, 400)
    ahead = playouts(title, state)
    draw = ahead.draw(0)
    after = apply(title, state, Pass(seat))

    def shares(position: State) -> int:
        return sum(position.held(corp, seat) for corp in title.corporations)

    assert shares(ahead.played(after, draw, done=True)) == shares(state)
    assert shares(ahead.played(after, draw, done=False)) > shares(state)


@pytest.mark.long
@pytest.mark.parametrize(
    "title_id", [pytest.param(one, marks=() if one == "1889" else pytest.mark.slow) for one in TITLES]
)
def test_quick_players_play_stock_rounds_to_their_end(title_id: str) -> None:
    """Within what a playout looks ahead, and without leaving much money idle while shares are for sale."""
    title = titled(title_id, 3)
    for state in islice((s for s in learners(title) if s.round == SR and not s.pending), 0, 200, 9):
        ahead = playouts(title, state)
        for number in range(2):
            end = ahead.played(ahead.q.s, ahead.draw(number))
            assert end.over or end.round != SR


def test_what_is_drawn_is_the_same_in_all_turns_of_a_round() -> None:
    title = titled("1889", 3)
    state = in_stock_round(title, 2)
    later = apply(title, state, Pass(state.up))
    tastes = []
    for position in (state, later, state):
        q = ask(title, position, PlayerId("p1"), seed=5)
        tastes.append(Playouts(q, beliefs(q)).draw(1).tastes)
    assert tastes[0] == tastes[1] == tastes[2]
    other = ask(title, state, PlayerId("p1"), seed=6)
    assert Playouts(other, beliefs(other)).draw(1).tastes != tastes[0]
