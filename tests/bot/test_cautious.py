"""The cautious policy over random games of all titles: always something legal, and nothing that is a person's."""

from __future__ import annotations

from random import Random

import pytest
from tastes import eager
from walks import some_title, walk

import engine
from bot.core.moves import same_turn
from bot.core.orders import Orders
from bot.core.outcome import cautious, cautious_turn
from engine import actions as a
from engine.actions import BuyTrain, Dividend, Pass, RunTrains
from engine.facts import TurnBegan
from engine.ids import CHANCE, PlayerId
from engine.steps.run import proposals
from engine.titles import TITLES
from records.simulate import Picker, choose_among

FORBIDDEN = (
    a.Bid, a.BidToChoose, a.SellShares, a.SellPrivate, a.TradePrivate, a.CompanyBuysPrivate, a.ExchangePrivate,
    a.ClosePrivate, a.LayTile, a.LayPowerTile, a.GoBankrupt, a.EndGame,
)  # fmt: skip
"""What it does only where the rules leave nothing else, as a sale of shares for a train that must be bought."""

MOST = 400
"""Moves after which an eager game is in its late phases."""


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.parametrize(
    ("seed", "most", "pick"),
    [
        (3, MOST, eager),
        pytest.param(3, 1500, choose_among, marks=pytest.mark.slow),
        pytest.param(8, 1500, choose_among, marks=pytest.mark.slow),
    ],
)
@pytest.mark.long
def test_it_always_finds_a_legal_move_and_never_one_that_is_not_for_a_bot(
    title: str, seed: int, most: int, pick: Picker
) -> None:
    random, asked = Random(seed), 0
    t = some_title(title, random)
    for s, _, _ in walk(t, seed, most, pick):
        for seat in engine.decision(t, s).players:
            if seat == CHANCE or random.random() >= 0.4:
                continue
            asked += 1
            action = cautious(t, s, PlayerId(seat))
            assert action is not None
            assert engine.judge(t, s, action) is None
            legal = list(engine.legal(t, s, PlayerId(seat)))
            own = [one for one in legal if engine.consent(t, s, one) in (None, seat)]
            if isinstance(action, FORBIDDEN):
                assert all(isinstance(one, FORBIDDEN) for one in own), "only where the rules leave nothing else"
            if isinstance(action, BuyTrain):
                assert Pass(PlayerId(seat)) not in legal, "only what must be bought"
                assert action.price == min(one.price for one in own if isinstance(one, BuyTrain))
                assert engine.consent(t, s, action) in (None, seat)
    assert asked > 40


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.long
def test_it_runs_the_best_routes_and_pays(title: str) -> None:
    random, ran = Random(3), 0
    t = some_title(title, random)
    for s, _, _ in walk(t, 3, MOST, eager):
        (seat, *_) = engine.decision(t, s).players
        verbs = engine.present_step(t, s).by_action
        if RunTrains in verbs:
            best = [run for run, _ in proposals(t, s, seat) if engine.judge(t, s, run) is None]
            assert not best or cautious(t, s, seat) == best[0]
            ran += bool(best)
        if Dividend in verbs:
            action = cautious(t, s, seat)
            pays = [one for one in engine.legal(t, s, seat) if isinstance(one, Dividend) and one.kind == "pay"]
            assert not pays or action == pays[0]
        if ran > 12:
            return
    assert ran


@pytest.mark.parametrize("title", sorted(TITLES))
@pytest.mark.long
def test_a_turn_is_played_to_its_end_and_every_move_says_whose_it_was(title: str) -> None:
    random, turns = Random(3), 0
    t = some_title(title, random)
    for s, _, _ in walk(t, 3, MOST, eager):
        asked = engine.decision(t, s)
        if CHANCE in asked.players or random.random() < 0.85:
            continue
        moves = cautious_turn(t, s, asked.players[0], 1, Orders())
        assert moves
        end = moves[-1].state
        another = any(isinstance(fact, TurnBegan) for one in moves for fact in one.state.facts)
        over = another or not same_turn(asked, engine.decision(t, end)) or asked.subject is None or end.over
        assert over or len(asked.players) > 1
        for one in moves:
            if not one.automatic:
                assert str(one.note) == "by the bot, cautiously"
        turns += 1
    assert turns > 5
