"""What a player could raise by selling: the sum of the largest sales of each company, as they are really made."""

from __future__ import annotations

from collections import defaultdict

import pytest
from tables import table
from tastes import eager
from walks import walk

import engine
from engine.actions import SellShares
from engine.ids import SR, CorpId, PlayerId
from engine.market import price
from engine.steps.shares import liquidity


@pytest.mark.long
@pytest.mark.parametrize("title", engine.TITLES)
def test_it_is_what_the_largest_sales_bring(title: str) -> None:
    t = engine.build(title, 3, [])
    compared = 0
    for s, _, _ in walk(t, 3, 200, eager):
        if s.over or s.round != SR or s.step != "shares":
            continue
        seat = engine.decision(t, s).players[0]
        brings: dict[CorpId, int] = defaultdict(int)
        for sale in engine.legal(t, s, seat):
            if isinstance(sale, SellShares):
                after = engine.apply(t, s, sale)
                brings[sale.corp] = max(brings[sale.corp], after.cash[seat] - s.cash[seat])
        if brings:
            compared += 1
            assert liquidity(t, s, seat) == sum(brings.values())
    assert compared > 10


@pytest.mark.rule("1889-SR-11")
def test_the_room_in_the_market_bounds_it() -> None:
    free, full = table("1889", 3).par("AR", 100), table("1889", 3).par("AR", 100)
    raised = [
        liquidity(*one.build(), PlayerId("p2"))
        for one in (free.shares("AR", p1=5, p2=3), full.shares("AR", p1=3, p2=3, pool=4))
    ]
    assert raised == [300, 100]


def test_what_is_done_in_a_turn_binds_nobody_else() -> None:
    t, s = table("1889", 3).par("AR", 100).shares("AR", p1=5, p2=3).build()
    s = engine.apply(t, s, SellShares(PlayerId("p1"), CorpId("AR"), 1))
    assert s.up == "p1"
    assert liquidity(t, s, PlayerId("p2")) == 3 * price(t, s, CorpId("AR")) == 270
