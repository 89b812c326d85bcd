"""Positions that follow each other share what is the same, and say the same as if they did not."""

from __future__ import annotations

import pytest
from walks import whole_game

import engine
from engine.stored import Fingerprints, fingerprint, pack

NAMES = ("Aiko", "Ben", "Chloe")


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_positions_that_share_say_what_they_said(title_id: str) -> None:
    title, states, actions = whole_game(title_id)
    shared = states[0].copy()
    kept, prints = [(shared, fingerprint(shared))], Fingerprints()
    for alone, action in zip(states[1:250], actions, strict=False):
        after = engine.apply(title, shared, action)
        after.share(shared)
        shared = after
        assert pack(shared) == pack(alone)
        assert prints.of(shared) == fingerprint(alone)
        kept.append((shared, fingerprint(shared)))
    assert all(fingerprint(state) == said for state, said in kept), "a later move changed an earlier position"


def test_what_did_not_change_is_kept_once() -> None:
    title, (state, *_), actions = whole_game("1889")
    after = engine.apply(title, state, actions[0])
    assert after.supply is not state.supply
    after.share(state)
    assert after.supply is state.supply
    assert after.depot is state.depot


def test_the_order_of_what_is_in_order_is_no_accident() -> None:
    """The highest bid is the last, so two auctions with the same bids in another order are not the same."""
    title = engine.build("1889", 3)
    first = engine.start(title, NAMES)
    private = next(iter(title.privates))
    one, two, _ = first.players
    first.bids = {private: {one: 20, two: 25}}
    second = first.copy()
    second.bids = {private: {two: 25, one: 20}}
    second.share(first)
    assert list(second.bids[private]) == [two, one]


def test_a_board_is_asked_again_after_it_was_forgotten() -> None:
    title, (*_, last), _ = whole_game("1889")
    corp = next(corp for corp in title.corporations if last.board.token_stops(corp))
    before = last.board.token_stops(corp)
    last.board.forget()
    assert last.board.memo == {}
    assert last.board.token_stops(corp) == before
