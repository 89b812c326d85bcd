"""1860: what is in the box, and the opening auctions."""

from __future__ import annotations

import pytest
from tables import allows, play, refuses, table
from tables_1860 import col

from engine import BANK, State, Title, build, decision, legal, start
from engine.actions import BidToChoose, BuyPrivate, Par, Pass
from engine.board.board import keeps_track
from engine.board.tiles import turned
from engine.errors import BadAction
from engine.ids import RESERVED
from engine.titles.t1860.auction import cheapest, first_priority
from engine.viewing import table_view


def opening(players: int = 4) -> tuple[Title, State]:
    return table("1860", players).opening().build()


@pytest.mark.rule("1860-SET-01", "1860-SET-03", "1860-SR-20")
def test_players_cash_and_certificate_limit() -> None:
    for players, cash, limit in ((2, 1000, 32), (3, 670, 21), (4, 500, 16)):
        t, s = opening(players)
        assert {s.cash[player] for player in s.players} == {cash}
        assert t.cert_limit == limit
    for players in (1, 5):
        with pytest.raises(BadAction):
            build("1860", players)


@pytest.mark.rule("1860-SET-02")
def test_companies_have_money_of_their_own() -> None:
    t, s = table("1860", 3).par("IOW", 100).shares("IOW", p1=4).stock().build()
    s.cash["p1"] = 500
    from engine.actions import BuyShare

    after = allows(t, s, BuyShare("p1", "IOW", "ipo"))
    assert after.cash["IOW"] == 1000
    assert after.cash[BANK] == s.cash[BANK] + 100, "the capital does not come from the bank"


@pytest.mark.rule("1860-SET-04", "1860-SET-08")
def test_companies_and_their_bases() -> None:
    t, s = opening()
    tokens = {corp: len(costs) for corp, costs in s.tokens.items()}
    assert tokens == {"C&N": 4, "IOW": 4, "IWNJ": 3, "FYN": 3, "NGStL": 2, "BHI&R": 2, "S&C": 2, "VYSC": 2}
    assert t.corporations["IOW"].token_costs == (0, 40, 100, 100)


@pytest.mark.rule("1860-SET-05", "1860-SET-07", "1860-SET-09")
def test_privates_and_what_they_reserve() -> None:
    t, s = opening()
    values = {private.id: (private.value, private.revenue) for private in t.privates.values()}
    assert values == {"BHC": (30, 5), "YHC": (50, 10), "CMH": (90, 20), "RPSC": (130, 30), "FFC": (200, 25)}
    from engine.titles.t1860.stock import reserved

    assert [reserved(t, s, corp) for corp in t.corporations] == [1, 1, 0, 1, 0, 1, 0, 0]
    assert s.owner["FFC"] == RESERVED


@pytest.mark.rule("1860-SET-06", "1860-TRN-08")
def test_trains() -> None:
    t, _ = opening()
    assert [(rank, train.price, train.count) for rank, train in t.trains.items()] == [
        ("2+1", 250, 5), ("3+2", 300, 4), ("4+2", 350, 3), ("5+3", 400, 2), ("6+3", 500, 2), ("7+4", 600, 1),
        ("8+4", 700, 1), ("9+5", 800, None),
    ]  # fmt: skip
    assert {rank: train.rusts_on for rank, train in t.trains.items() if train.rusts_on} == {
        "2+1": "4+2", "3+2": "6+3", "4+2": "7+4", "5+3": "8+4",
    }  # fmt: skip


@pytest.mark.rule("1860-SET-10")
def test_nobody_can_give_money_or_papers_to_a_player() -> None:
    t, _ = opening()
    kinds = {verb.action.__name__ for verb in t.every_verb()}
    assert "CompanyBuysPrivate" not in kinds
    assert not any("Give" in kind for kind in kinds)


@pytest.mark.rule("1860-AUC-01", "1860-AUC-02", "1860-AUC-03")
def test_bidding_goes_round_and_rises_by_five() -> None:
    t, s = opening()
    assert decision(t, s).players == ("p1",)
    refuses(t, s, BidToChoose("p1", 4), "1860-AUC-03")
    s = allows(t, s, BidToChoose("p1", 12))
    refuses(t, s, BidToChoose("p2", 16), "1860-AUC-03")
    s = play(t, s, BidToChoose("p2", 17), Pass("p3"), Pass("p4"), Pass("p1"))
    assert decision(t, s).step == "choose"
    offered = {action.private for action in legal(t, s, "p2") if isinstance(action, BuyPrivate)}
    assert offered == {"BHC", "YHC", "CMH", "RPSC"}
    assert {action.corp for action in legal(t, s, "p2") if isinstance(action, Par)} == {"C&N", "IOW"}


@pytest.mark.rule("1860-AUC-02")
def test_everybody_sees_who_bid_what_and_who_is_still_in() -> None:
    t, s = opening()
    s = play(t, s, BidToChoose("p1", 10), Pass("p2"))
    assert [row.right_bid for row in table_view(t, s).players] == [10, None, 0, 0]
    s = play(t, s, Pass("p3"), Pass("p4"))
    assert decision(t, s).step == "choose"
    assert {row.right_bid for row in table_view(t, s).players} == {None}


@pytest.mark.rule("1860-AUC-04")
def test_a_bid_leaves_enough_for_the_cheapest() -> None:
    t, s = opening()
    refuses(t, s, BidToChoose("p1", 475), "1860-AUC-04")
    allows(t, s, BidToChoose("p1", 470))
    for private in ("BHC", "YHC", "CMH", "RPSC"):
        s.owner[private] = "p2"
    assert cheapest(t, s) == 148


def won(players: int = 4, bid: int = 20) -> tuple[Title, State]:
    """p1 has won the first auction for this bid and chooses."""
    t, s = opening(players)
    s = allows(t, s, BidToChoose("p1", bid))
    for player in s.players[1:]:
        s = allows(t, s, Pass(player))
    return t, s


@pytest.mark.rule("1860-AUC-02", "1860-AUC-05")
def test_the_winner_pays_bid_and_value_and_the_left_neighbour_begins_next() -> None:
    t, s = won()
    assert s.cash["p1"] == 480
    after = allows(t, s, BuyPrivate("p1", "RPSC"))
    assert (after.cash["p1"], after.owner["RPSC"]) == (350, "p1")
    assert decision(t, after).players == ("p2",)
    refuses(t, s, BuyPrivate("p1", "FFC"), "1860-AUC-05")


@pytest.mark.rule("1860-AUC-06", "1860-AUC-07")
def test_only_what_can_be_paid_is_chosen_and_a_par_is_set_at_once() -> None:
    t, s = won(bid=400)
    refuses(t, s, BuyPrivate("p1", "RPSC"), "1860-AUC-06")
    refuses(t, s, Par("p1", "IOW", 0, col(74)), "1860-AUC-07")
    t, s = won(bid=5)
    refuses(t, s, Par("p1", "IOW", 0, col(68)), "1860-SR-15")
    refuses(t, s, Par("p1", "IWNJ", 0, col(74)), "1860-AUC-01")
    for par in (74, 82, 90, 100):
        after = allows(t, s, Par("p1", "IOW", 0, col(par)))
        assert (after.cash["p1"], after.par["IOW"], after.president["IOW"]) == (495 - 2 * par, par, "p1")


@pytest.mark.rule("1860-AUC-08")
def test_the_first_to_pass_must_choose_when_nobody_bids() -> None:
    t, s = opening()
    for player in s.players:
        s = allows(t, s, Pass(player))
    assert (decision(t, s).players, decision(t, s).step, s.cash["p1"]) == (("p1",), "choose", 500)
    assert Pass("p1") not in list(legal(t, s, "p1"))


@pytest.mark.rule("1860-AUC-09", "1860-AUC-10")
def test_who_cannot_pay_the_cheapest_gives_all_his_cash() -> None:
    t, s = opening()
    for private in ("BHC", "YHC", "CMH"):
        s.owner[private] = "p2"
    s.cash["p1"] = 60
    assert [type(action) for action in legal(t, s, "p1")] == [Pass]
    for player in s.players:
        s = allows(t, s, Pass(player))
    after = allows(t, s, BuyPrivate("p1", "RPSC"))
    assert (after.cash["p1"], after.owner["RPSC"]) == (0, "p1")
    refuses(t, s, Par("p1", "IOW", 0, col(74)), "1860-AUC-07")


@pytest.mark.rule("1860-AUC-11", "1860-AUC-12")
def test_priority_after_the_auctions() -> None:
    t, s = table("1860", 3).cash(p1=100, p2=300, p3=200).build()
    assert first_priority(t, s) == "p2"
    t, s = table("1860", 3).cash(p1=100, p2=100, p3=80).private(CMH="p1", YHC="p2", BHC="p3").build()
    assert first_priority(t, s) == "p3"


@pytest.mark.rule("1860-AUC-11")
def test_nobody_has_the_priority_deal_before_the_auctions_are_over() -> None:
    t, s = opening(3)
    assert not any(row.priority for row in table_view(t, s, None).players)
    t, s = table("1860", 3).stock().build()
    assert [row.id for row in table_view(t, s, None).players if row.priority] == [s.priority]


@pytest.mark.rule("1860-AUC-13")
def test_the_first_stock_round_follows() -> None:
    t, s = opening(2)
    lots = ["BHC", "YHC", "CMH", "RPSC", "C&N", "IOW"]
    for lot in lots:
        while s.step == "bid":
            s = allows(t, s, Pass(s.up))
        s = allows(t, s, BuyPrivate(s.up, lot) if lot in t.privates else Par(s.up, lot, 0, col(74)))
    assert (s.round, s.turn) == ("SR", 1)


@pytest.mark.rule("1860-MKT-01")
def test_the_market_is_one_list_of_two_tiers() -> None:
    t, _ = opening()
    prices = [cell.price for cell in t.market.rows[0] if cell]
    assert len(prices) == 55
    assert prices == sorted(prices)
    assert (prices[0], prices[7], prices[-1]) == (0, 40, 340)
    assert all(index % 2 == 0 for index, cell in enumerate(t.market.rows[0]) if cell and cell.par)


@pytest.mark.rule("1860-TRK-06", "1860-TRK-08", "1860-TRK-14")
@pytest.mark.parametrize(
    ("old", "new"),
    [("741", "747"), ("744", "754"), ("754", "782"), ("746", "757"), ("787", "788"), ("788", "789"), ("763", "773")],
)
def test_upgrades_keep_track_and_stations(old: str, new: str) -> None:
    t, _ = opening()
    faces = (t.tiles[old].face, t.tiles[new].face)
    assert any(keeps_track(turned(faces[0], 0), turned(faces[1], rotation)) for rotation in range(6))


def test_start_needs_a_name_for_each_seat() -> None:
    with pytest.raises(ValueError, match="players"):
        start(build("1860", 2), ["Ann"])
