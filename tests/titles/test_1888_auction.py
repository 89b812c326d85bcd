"""1888-N: the auction of the privates."""

from __future__ import annotations

import pytest
from tables import all_pass, allows, facts, play, refuses, table

from engine import State, Title, decision
from engine.actions import Bid, BuyPrivate, Pass, SellShares
from engine.facts import PriceLowered, TrainExported
from engine.viewing import table_view


def opening(players: int = 3, *options: str) -> tuple[Title, State]:
    return table("1888", players, *options).opening().build()


@pytest.mark.rule("1888-AUC-02", "1888-AUC-03")
def test_buy_the_cheapest_bid_on_others_or_pass() -> None:
    t, s = opening()
    assert [row.id for row in table_view(t, s).players if row.priority] == ["p1"]
    refuses(t, s, BuyPrivate("p1", "TA"), "1888-AUC-02")
    refuses(t, s, Bid("p1", "KT", 30), "1888-AUC-02")
    s = play(t, s, Pass("p1"), Bid("p2", "TA", 55), Pass("p3"), BuyPrivate("p1", "KT"))
    assert (s.owner["KT"], s.owner["TA"]) == ("p1", "p2")


@pytest.mark.rule("1888-AUC-04")
def test_a_bid_tops_value_and_bids_by_five() -> None:
    t, s = opening()
    refuses(t, s, Bid("p1", "YRF", 129), "1888-AUC-04")
    s = allows(t, s, Bid("p1", "YRF", 142))
    refuses(t, s, Bid("p2", "YRF", 146), "1888-AUC-04")
    allows(t, s, Bid("p2", "YRF", 147))


@pytest.mark.rule("1888-AUC-05", "1888-AUC-06")
def test_bids_are_set_aside_and_can_be_raised() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "FC", 500), Bid("p2", "FC", 505), Pass("p3"))
    refuses(t, s, Bid("p1", "YRF", 301), "1888-AUC-05")
    s = allows(t, s, Bid("p1", "FC", 790))
    assert s.bids["FC"] == {"p2": 505, "p1": 790}
    s = play(t, s, Pass("p2"), Pass("p3"))
    refuses(t, s, BuyPrivate("p1", "KT"), "1888-AUC-05")


@pytest.mark.rule("1888-AUC-07", "1888-AUC-10")
def test_a_single_bid_wins_and_the_turn_goes_on_from_the_buyer() -> None:
    t, s = opening()
    s = play(t, s, Pass("p1"), Bid("p2", "TA", 60), BuyPrivate("p3", "KT"))
    assert (s.owner["TA"], s.cash["p2"]) == ("p2", 740)
    assert decision(t, s).players == ("p1",)


def contested(*options: str) -> tuple[Title, State]:
    """Heng Shan with bids of p2 (80), p3 (85) and p1 (90) when it is uncovered."""
    t, s = opening(4, *options)
    s = play(t, s, Pass("p1"), Bid("p2", "HS", 80), Bid("p3", "HS", 85), BuyPrivate("p4", "KT"))
    s = allows(t, s, Bid("p1", "HS", 90))
    return t, allows(t, s, BuyPrivate("p2", "TA"))


@pytest.mark.rule("1888-AUC-08")
def test_the_lowest_bidder_speaks_first_then_clockwise() -> None:
    t, s = contested()
    assert decision(t, s).players == ("p2",)
    refuses(t, s, Bid("p2", "FC", 160), "1888-AUC-02")
    refuses(t, s, Bid("p2", "HS", 551), "1888-AUC-05")
    s = allows(t, s, Bid("p2", "HS", 95))
    assert decision(t, s).players == ("p3",)
    s = allows(t, s, Bid("p3", "HS", 100))
    assert decision(t, s).players == ("p1",)


def bids_out_of_turn(*options: str) -> tuple[Title, State]:
    """Heng Shan with bids of p2 (80), p1 (85) and p3 (90) when it is uncovered."""
    t, s = opening(3, *options)
    s = play(t, s, Pass("p1"), Bid("p2", "HS", 80), Pass("p3"), Bid("p1", "HS", 85), BuyPrivate("p2", "KT"))
    s = play(t, s, Bid("p3", "HS", 90), BuyPrivate("p1", "TA"))
    assert s.contested == "HS"
    assert decision(t, s).players == ("p2",)
    return t, allows(t, s, Bid("p2", "HS", 95))


@pytest.mark.rule("1888-AUC-08", "1888-VAR-01")
def test_after_the_first_it_goes_clockwise_not_by_the_lowest() -> None:
    t, s = bids_out_of_turn()
    assert decision(t, s).players == ("p3",)
    assert decision(t, allows(t, s, Bid("p3", "HS", 100))).players == ("p1",)
    t, s = bids_out_of_turn("online")
    assert decision(t, s).players == ("p1",), "the lowest bid is 85"


@pytest.mark.rule("1888-AUC-08", "1888-VAR-01")
def test_online_the_lowest_bidder_always_speaks() -> None:
    t, s = contested("online")
    s = allows(t, s, Bid("p2", "HS", 95))
    assert decision(t, s).players == ("p3",)
    s = allows(t, s, Bid("p3", "HS", 100))
    assert decision(t, s).players == ("p1",)
    s = allows(t, s, Bid("p1", "HS", 200))
    assert decision(t, s).players == ("p2",)


@pytest.mark.rule("1888-AUC-08", "1888-AUC-09")
def test_the_winner_pays_his_bid_and_losers_are_free() -> None:
    t, s = contested()
    s = allows(t, s, Pass("p2"))
    refuses(t, s, Bid("p3", "HS", 94), "1888-AUC-04")
    s = play(t, s, Bid("p3", "HS", 95), Pass("p1"))
    assert (s.owner["HS"], s.cash["p3"], s.cash["p1"]) == ("p3", 505, 600)
    assert not s.bids.get("HS")


@pytest.mark.rule("1888-AUC-10")
def test_resolution_goes_on_with_the_next_private() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "TA", 55), Bid("p2", "HS", 80), BuyPrivate("p3", "KT"))
    assert (s.owner["TA"], s.owner["HS"]) == ("p1", "p2")
    assert decision(t, s).players == ("p1",)


@pytest.mark.rule("1888-AUC-11", "1888-AUC-12", "1888-AUC-14", "1888-VAR-01", "1888-VAR-03")
@pytest.mark.parametrize(("options", "left"), [((), 6), (("online",), 7), (("no_stalled_exports",), 7)])
def test_kaiping_falls_by_five_and_the_round_ends_a_set(options: tuple[str, ...], left: int) -> None:
    t, s = opening(3, *options)
    s = all_pass(t, s)
    assert facts(s, PriceLowered) == [PriceLowered("KT", 20)]
    assert s.depot["2"] == left
    assert t.phase(s).name == ("1" if options else "2")
    assert s.cash["p1"] == 800
    s = allows(t, s, BuyPrivate("p1", "KT"))
    assert s.cash["p1"] == 780


@pytest.mark.rule("1888-AUC-13")
def test_at_nothing_the_starting_player_takes_it() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "TA", 55), Pass("p2"), Pass("p3"), Pass("p1"))
    for _ in range(4):
        s = all_pass(t, s)
    assert s.owner["KT"] != "bank"
    assert s.owner["TA"] == "p1", "bids on what follows are resolved"


@pytest.mark.rule("1888-AUC-11", "1888-AUC-15", "1888-AUC-17")
def test_when_all_pass_privates_pay_and_a_train_is_exported() -> None:
    t, s = opening()
    s = play(t, s, BuyPrivate("p1", "KT"), Bid("p2", "FC", 155))
    for player in ("p3", "p1", "p2"):
        s = allows(t, s, Pass(player))
    assert s.cash["p1"] == 800 - 25 + 5
    assert facts(s, TrainExported) == [TrainExported("2")]
    assert s.depot["2"] == 6
    assert t.phase(s).name == "2", "an export begins the phase"
    assert s.bids["FC"] == {"p2": 155}
    assert (s.round, s.turn) == ("ISR", 1)


@pytest.mark.rule("1888-AUC-16", "1888-SR-04")
def test_the_round_goes_on_without_sales() -> None:
    t, s = opening()
    for private, player in zip(t.privates, ("p1", "p2", "p3", "p1", "p2", "p3"), strict=True):
        s = allows(t, s, BuyPrivate(player, private))
    assert (s.round, s.turn) == ("SR", 1)
    assert decision(t, s).players == ("p1",), "the left neighbour of the last buyer"
    from engine.actions import Par

    s = play(t, s, Par("p1", "JHR", 3, 3), Pass("p2"), Pass("p3"))
    refuses(t, s, SellShares("p1", "JHR", 1), "1888-SR-04")
