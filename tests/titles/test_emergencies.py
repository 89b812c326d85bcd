"""Forced purchases in every title: what may be sold in which order, what else pays, and what a bankrupt keeps."""

from __future__ import annotations

import pytest
import tables_1888
import tables_1890
from tables import Table, allows, offered, play, refuses, table

from engine import BANK, POOL, apply, decision, judge, legal, worth
from engine.actions import (
    Bid,
    BuyPrivate,
    BuyTrain,
    ExchangePrivate,
    GoBankrupt,
    LayTile,
    Par,
    Pass,
    RunTrains,
    SellShares,
)
from engine.board.tile_list import TILES
from engine.board.tiles import turned
from engine.market import price


def awa(cash: int, treasury: int, *options: str, phase: str = "4") -> Table:
    """AR of 1889 needs a 4 for 300 (in phase 2 a 2 for 80); nothing of AR itself can be sold."""
    found = table("1889", 3, *options).operating("AR", "trains").tile("K8", "57", 1).phase(phase)
    return found.shares("AR", p1=2, p2=2, pool=1).cash(p1=cash, AR=treasury)


def sell(corp: str, count: int) -> SellShares:
    return SellShares("p1", corp, count)


BROKE = GoBankrupt("p1", "AR")
FOUR = BuyTrain("p1", "AR", "4", BANK, 300)


# The order of sales


@pytest.mark.rule("1889-EMR-06", "1889-EMR-11")
def test_shares_of_one_company_are_sold_in_several_sales_and_bankruptcy_waits_for_all_of_them() -> None:
    t, s = awa(40, 0).par("KO", 100).shares("KO", p2=5, p1=3).build()
    s = allows(t, s, sell("KO", 1))
    refuses(t, s, BROKE, "1889-EMR-11")
    s = allows(t, s, sell("KO", 2))
    assert s.cash["p1"] == 40 + 100 + 2 * 90
    assert allows(t, s, FOUR).cash["p1"] == 20


@pytest.mark.rule("1889-EMR-06", "1889-EMR-11", "1889-VAR-05")
def test_online_each_company_is_sold_in_one_block_after_which_bankruptcy_may_come() -> None:
    t, s = awa(20, 0, "online").par("KO", 100).shares("KO", p2=5, p1=3).build()
    s = allows(t, s, sell("KO", 1))
    refuses(t, s, sell("KO", 1), "1889-SR-08")
    allows(t, s, BROKE)


@pytest.mark.rule("1889-EMR-11")
def test_no_sale_spoils_the_purchase() -> None:
    """Three shares at 100 bring 300 together, 100 + 90 + 80 one by one."""
    t, s = awa(0, 0).par("KO", 100).shares("KO", p2=5, p1=3).build()
    assert "¥300" in refuses(t, s, sell("KO", 1), "1889-EMR-11")
    refuses(t, s, sell("KO", 2), "1889-EMR-11")
    allows(t, allows(t, s, sell("KO", 3)), FOUR)
    t, s = awa(0, 0).par("KO", 100).shares("KO", p2=5, p1=2).build()
    allows(t, s, sell("KO", 1))  # nothing pays, whatever he does
    allows(t, s, BROKE)


@pytest.mark.rule("1889-EMR-03")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_after_a_sale_no_train_of_another_company_is_bought(options: tuple[str, ...]) -> None:
    found = awa(20, 10, *options).par("SR").shares("SR", p1=5, p2=2).trains("SR", "4")
    t, s = found.par("KO").shares("KO", p2=5, p1=4).build()
    offer = BuyTrain("p1", "AR", "4", "SR", 1)
    allows(t, s, offer)
    s = allows(t, s, sell("KO", 3))
    refuses(t, s, offer, "1889-EMR-03")


@pytest.mark.rule("1889-EMR-02", "1889-EMR-03", "1889-EMR-11")
def test_a_new_president_is_not_bound_by_what_the_one_before_sold() -> None:
    found = table("1889").operating("IR", "trains").tile("E2", "57", 1).phase("4").cash(IR=100, p1=0, p2=0)
    found.shares("IR", president="p1", p1=2, p2=2, p3=1).par("KO").shares("KO", p3=5, p1=3).private(E="p2")
    t, s = found.par("SR").shares("SR", president="p2", p1=2, p2=2, pool=5).trains("SR", "4").build()
    s = allows(t, allows(t, s, sell("KO", 2)), ExchangePrivate("p2", "E"))
    assert decision(t, s).players == ("p2",)
    refuses(t, s, GoBankrupt("p2", "IR"), "1889-EMR-11")
    allows(t, s, BuyTrain("p2", "IR", "4", "SR", 100))


@pytest.mark.rule("1888-EMR-02", "1888-VAR-01")
def test_1888_too_has_no_other_train_than_the_one_sold_for_but_online() -> None:
    for options in ((), ("online",)):
        found = tables_1888.railway("TJL", "trains", *options, phase="4", cash=10, held={"p1": 6})
        found.par("SSL", 70).shares("SSL", p1=5, p2=3).trains("SSL", "4").par("JZR", 90).shares("JZR", p2=4, p1=3)
        t, s = found.cash(p1=40).build()
        s = allows(t, s, sell("JZR", 3))
        offer = BuyTrain("p1", "TJL", "4", "SSL", 1)
        if options:
            allows(t, s, offer)
        else:
            refuses(t, s, offer, "1888-EMR-02")


@pytest.mark.rule("1890-EMR-01")
def test_1890_too_has_no_other_train_than_the_one_sold_for() -> None:
    found = with_route(60).par("Sanyo", 65).shares("Sanyo", p1=2, p2=4).trains("Sanyo", "2")
    t, s = found.par("Nankai", 90).shares("Nankai", p2=2).build()
    offer = BuyTrain("p1", "Hankyu", "2", "Sanyo", 60)
    allows(t, s, offer)
    refuses(t, allows(t, s, sell("Sanyo", 2)), offer, "1890-EMR-01")


# What else pays


@pytest.mark.rule("1889-EMR-11")
def test_a_train_of_another_own_company_comes_before_bankruptcy_a_strangers_does_not() -> None:
    own = awa(0, 10).par("SR").shares("SR", p1=2, p2=2, pool=5).trains("SR", "3")
    t, s = own.build()
    assert "SR" in refuses(t, s, BROKE, "1889-EMR-11")
    allows(t, s, BuyTrain("p1", "AR", "3", "SR", 10))
    t, s = awa(0, 10).par("SR").shares("SR", p2=2, p1=2, pool=5, president="p2").trains("SR", "3").build()
    allows(t, s, BROKE)
    t, s = awa(0, 0).par("SR").shares("SR", p1=2, p2=2, pool=5).trains("SR", "3").build()
    allows(t, s, BROKE)  # nothing in the treasury to pay with
    online = awa(0, 10, "online").par("SR").shares("SR", p1=2, p2=2, pool=5).trains("SR", "3")
    allows(*online.build(), BROKE)


@pytest.mark.rule("1889-EMR-03", "1889-EMR-11")
def test_a_sale_that_bars_the_only_train_within_reach_is_refused() -> None:
    found = awa(0, 10).par("SR").shares("SR", p1=2, p2=2, pool=5).trains("SR", "3").par("KO").shares("KO", p2=5, p1=1)
    t, s = found.build()
    refuses(t, s, sell("KO", 1), "1889-EMR-11")


@pytest.mark.rule("1889-EMR-11", "1889-PRV-09")
def test_e_is_exchanged_before_bankruptcy() -> None:
    t, s = awa(130, 100).par("IR", 100).shares("IR", p2=5).private(E="p1").build()
    assert "E" in refuses(t, s, BROKE, "1889-EMR-11")
    s = play(t, s, ExchangePrivate("p1", "E"), sell("IR", 1))
    assert allows(t, s, FOUR).cash["p1"] == 30
    t, s = awa(90, 100).par("IR", 100).shares("IR", p2=5).private(E="p1").build()
    allows(t, s, BROKE)  # a share would not do
    allows(*awa(130, 100, "online").par("IR", 100).shares("IR", p2=5).private(E="p1").build(), BROKE)


@pytest.mark.rule("1888-EMR-08", "1888-VAR-01")
def test_1888_a_train_of_another_own_company_comes_before_bankruptcy() -> None:
    for options in ((), ("online",)):
        found = tables_1888.railway("TJL", "trains", *options, phase="6", cash=10, held={"p1": 2, "p2": 2, "p3": 2})
        t, s = found.par("SSL", 70).shares("SSL", p1=3, p2=3).trains("SSL", "6").cash(p1=0).build()
        if options:
            allows(t, s, GoBankrupt("p1", "TJL"))
        else:
            refuses(t, s, GoBankrupt("p1", "TJL"), "1888-EMR-08")


def with_route(cash: int, **held: int) -> Table:
    """Hankyu of 1890 with a route, no train and this treasury in phase 2 (a 3 costs 180); p1 has no money."""
    found = tables_1890.railway("Hankyu", "trains", phase="2", cash=cash, held=held or {"p1": 2, "p2": 2, "p3": 1})
    return found.tile("E12", "57", 1).tile("E10", "57", 1).cash(p1=0)


HANKYU_BROKE = GoBankrupt("p1", "Hankyu")


@pytest.mark.rule("1890-EMR-07", "1890-EMR-11")
def test_1890_a_partial_sale_opens_no_bankruptcy() -> None:
    t, s = with_route(0).par("Sanyo", 100).shares("Sanyo", p1=3, p3=4, president="p3").build()
    s = allows(t, s, sell("Sanyo", 1))
    refuses(t, s, HANKYU_BROKE, "1890-EMR-11")
    s = allows(t, s, sell("Sanyo", 1))
    allows(t, s, BuyTrain("p1", "Hankyu", "3", BANK, 180))


@pytest.mark.rule("1890-EMR-11")
def test_1890_a_train_of_another_own_company_comes_before_bankruptcy() -> None:
    found = with_route(20, p1=5, pool=5).par("Sanyo", 65).shares("Sanyo", p1=2, president="p1", pool=5)
    t, s = found.trains("Sanyo", "3", "3").build()
    refuses(t, s, HANKYU_BROKE, "1890-EMR-11")
    t, s = with_route(20, p1=5, pool=5).par("Sanyo", 65).shares("Sanyo", p1=2, president="p1", pool=5).build()
    allows(t, s, HANKYU_BROKE)


@pytest.mark.rule("1890-EMR-11", "1890-MIN-17")
def test_kobe_electric_becomes_a_late_private_before_its_owner_goes_bankrupt() -> None:
    for rotation in range(6):
        t, s = tables_1890.minor("M5", "trains", cash=0).tile("D3", "58", rotation).cash(p1=0).build()
        if judge(t, s, Pass("p1")) is not None:
            break
    refuses(t, s, Pass("p1"), "1890-TRN-09")
    assert "M5" in refuses(t, s, GoBankrupt("p1", "M5"), "1890-EMR-11")
    assert offered(t, s, ExchangePrivate)
    assert not allows(t, s, ExchangePrivate("p1", "M5")).over


# Money set aside for bids


@pytest.mark.rule("1890-AUC-14", "1890-EMR-10")
def test_money_of_a_bid_stays_out_of_a_forced_purchase() -> None:
    found = tables_1890.minor("M2", "trains", cash=20).private(M3="p2", M4="bank", M5="bank").tile("H15", "57", 1)
    t, s = found.cash(p1=110).set(bids={"M5": {"p1": 105}}).build()
    refuses(t, s, Pass("p1"), "1890-TRN-09")
    refuses(t, s, BuyTrain("p1", "M2", "2", BANK, 80), "1890-EMR-02")
    assert allows(t, s, GoBankrupt("p1", "M2")).over == "bankrupt"
    t, s = found.cash(p1=165).build()
    s = allows(t, s, BuyTrain("p1", "M2", "2", BANK, 80))
    assert s.cash["p1"] == 105


def leads(lay: LayTile, hex_id: str, tile: str, side: int) -> bool:
    """Whether the lay is of this tile in this hex, with track to this side."""
    return (lay.hex, lay.tile) == (hex_id, tile) and side in turned(TILES[lay.tile].face, lay.rotation).exits


@pytest.mark.rule("1890-AUC-14")
def test_no_game_from_the_first_move_on_spends_what_was_bid() -> None:
    """Ann bids all but ten of what she has on Kobe Electric, then her minors need trains."""
    t, s = table("1890").opening().build()

    def up() -> str:
        return decision(t, s).players[0]

    buyers = {"A": "p2", "B": "p3", "C": "p2", "D": "p3", "E": "p2", "F": "p3", "M1": "p2", "M2": "p1", "M3": "p1"}
    for private, buyer in buyers.items():
        while up() != buyer:
            s = apply(t, s, Pass(up()))
        s = apply(t, s, BuyPrivate(buyer, private))
        if decision(t, s).step == "set par":
            s = apply(t, s, next(a for a in legal(t, s, buyer) if isinstance(a, Par)))
    while up() != "p1":
        s = apply(t, s, Pass(up()))
    s = apply(t, s, Bid("p1", "M5", s.cash["p1"] - 10))
    while s.round != "OR" or s.operating != "M2":
        s = apply(t, s, Pass(up()))
    s = apply(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and leads(a, "H15", "6", 3)))
    s = apply(t, s, BuyTrain("p1", "M2", "2", BANK, 80))
    while s.operating == "M2":
        s = apply(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, Pass | RunTrains)))
    s = apply(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "G16"))
    short = 80 - s.cash["M3"]
    assert s.cash["p1"] >= short > 10
    refuses(t, s, BuyTrain("p1", "M3", "2", BANK, 80), "1890-EMR-02")
    assert "M2" in refuses(t, s, GoBankrupt("p1", "M3"), "1890-EMR-11")
    s = allows(t, s, BuyTrain("p1", "M3", "2", "M2", 1))
    assert s.cash["p1"] >= s.bids["M5"]["p1"]


# What a bankrupt keeps


@pytest.mark.rule("1888-EMR-08", "1888-END-01")
def test_1888_a_bankrupt_keeps_what_he_has() -> None:
    found = tables_1888.railway("TJL", "trains", phase="6", cash=10, held={"p1": 2, "p2": 2, "p3": 2})
    t, s = found.par("SSL", 70).shares("SSL", p1=3, p2=4).cash(p1=40).build()
    before = worth(t, s, "p1")
    after = allows(t, s, GoBankrupt("p1", "TJL"))
    assert (after.over, after.bankrupt) == ("bankrupt", frozenset({"p1"}))
    assert (worth(t, after, "p1"), after.cash["p1"], after.held("SSL", "p1")) == (before, 40, 3)
    assert price(t, after, "SSL") == 70


@pytest.mark.rule("1888-END-01", "1888-VAR-01")
def test_online_a_bankrupt_of_1888_sells_up() -> None:
    found = tables_1888.railway("TJL", "trains", "online", phase="6", cash=10, held={"p1": 2, "p2": 2, "p3": 2})
    t, s = found.par("SSL", 70).shares("SSL", p1=3, p2=4).cash(p1=40).build()
    after = allows(t, s, GoBankrupt("p1", "TJL"))
    assert (after.cash["p1"], after.held("SSL", "p1"), after.held("SSL", POOL)) == (0, 0, 3)
