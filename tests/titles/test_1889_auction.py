"""1889: the initial stock round."""

from __future__ import annotations

import pytest
from tables import allows, facts, play, refuses, table

from engine import BANK, BadAction, State, Title, apply, decision, judge, legal
from engine.actions import Bid, BuyPrivate, BuyShare, ExchangePrivate, Par, Pass, SellShares
from engine.facts import CashMoved, PriceLowered, PrivateSold
from engine.money import free_cash
from engine.viewing import table_view


def opening(players: int = 4, *options: str) -> tuple[Title, State]:
    return table("1889", players, *options).opening().build()


def passes(t: Title, s: State, count: int) -> State:
    for _ in range(count):
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s


@pytest.mark.rule("1889-AUC-01", "1889-SET-09")
def test_privates_are_offered_in_order_from_the_priority_holder() -> None:
    t, s = opening()
    assert [row.id for row in table_view(t, s).players if row.priority] == ["p1"]
    for player, private in zip(("p1", "p2", "p3", "p4", "p1"), "ABCDE", strict=True):
        assert decision(t, s).players == (player,)
        s = allows(t, s, BuyPrivate(player, private))
        assert s.owner[private] == player


@pytest.mark.rule("1889-AUC-02")
def test_a_turn_is_one_purchase_bid_or_pass() -> None:
    t, s = opening()
    kinds = {type(action) for action in legal(t, s, "p1")}
    assert kinds == {BuyPrivate, Bid, Pass}
    for action in (BuyPrivate("p1", "A"), Bid("p1", "G", 155), Pass("p1")):
        assert decision(t, allows(t, s, action)).players == ("p2",)


@pytest.mark.rule("1889-AUC-03")
def test_only_the_cheapest_is_bought_and_it_is_not_bid_on() -> None:
    t, s = opening()
    refuses(t, s, BuyPrivate("p1", "B"), "1889-AUC-03")
    refuses(t, s, Bid("p1", "A", 25), "1889-AUC-02")


@pytest.mark.rule("1889-AUC-02")
def test_sold_privates_take_no_bid() -> None:
    t, s = opening()
    s = play(t, s, BuyPrivate("p1", "A"))
    refuses(t, s, Bid("p2", "A", 100), "1889-AUC-02")
    assert "sold" in refuses(t, s, BuyPrivate("p2", "A"), "1889-AUC-03")


@pytest.mark.rule("1889-AUC-04")
def test_bids_rise_by_five() -> None:
    t, s = opening()
    refuses(t, s, Bid("p1", "F", 84), "1889-AUC-04")
    refuses(t, s, Bid("p1", "F", 0), "1889-AUC-04")
    refuses(t, s, Bid("p1", "F", -85), "1889-AUC-04")
    s = play(t, s, Bid("p1", "F", 87))
    assert "¥92" in refuses(t, s, Bid("p2", "F", 91), "1889-AUC-04")
    allows(t, s, Bid("p2", "F", 92))


@pytest.mark.rule("1889-AUC-05", "1889-AUC-06")
def test_own_bid_may_be_raised_and_the_old_amount_is_free() -> None:
    t, s = opening(2)
    s = play(t, s, Bid("p1", "E", 300), Pass("p2"))
    s = play(t, s, Bid("p1", "E", 420))
    assert s.bids["E"] == {"p1": 420}
    assert free_cash(s, "p1") == 0


@pytest.mark.rule("1889-AUC-06")
def test_bids_are_set_aside() -> None:
    t, s = opening(2)
    s = play(t, s, Bid("p1", "E", 400), Pass("p2"))
    assert free_cash(s, "p1") == 20
    refuses(t, s, Bid("p1", "B", 35), "1889-AUC-06")
    after = allows(t, s, BuyPrivate("p1", "A"))
    assert after.cash["p1"] == 400
    after = play(t, after, Pass("p2"))
    assert "¥0" in refuses(t, after, BuyPrivate("p1", "B"), "1889-AUC-06")
    assert refuses(t, s, Bid("p1", "E", 421), "1889-AUC-06").startswith("You can bid at most ¥420.")


@pytest.mark.rule("1889-AUC-06")
def test_example_with_a_bid_on_g() -> None:
    t, s = opening(4)
    s = play(t, s, Bid("p1", "G", 155), Pass("p2"), Pass("p3"), Pass("p4"))
    refuses(t, s, Bid("p1", "F", 266), "1889-AUC-06")
    allows(t, s, Bid("p1", "F", 265))


@pytest.mark.rule("1889-AUC-06")
def test_a_raise_leaves_other_bids_set_aside() -> None:
    t, s = opening(2)
    s = play(t, s, Bid("p1", "B", 35), Bid("p2", "B", 40), Bid("p1", "E", 300), BuyPrivate("p2", "A"))
    assert s.contested == "B"
    assert "¥120: the rest of your cash is set aside" in refuses(t, s, Bid("p1", "B", 121), "1889-AUC-06")
    allows(t, s, Bid("p1", "B", 120))


@pytest.mark.rule("1889-AUC-07")
def test_who_passed_acts_again() -> None:
    t, s = opening(2)
    s = play(t, s, Pass("p1"), Bid("p2", "E", 65), BuyPrivate("p1", "A"))
    assert s.owner["A"] == "p1"


@pytest.mark.rule("1889-AUC-08", "1889-AUC-13", "1889-AUC-23")
def test_a_single_bid_wins_at_once() -> None:
    t, s = opening(3)
    s = play(t, s, Bid("p1", "B", 40), BuyPrivate("p2", "A"))
    assert s.owner["B"] == "p1"
    assert s.cash["p1"] == 420 - 40
    assert s.cash[BANK] == 7000 - 3 * 420 + 20 + 40
    assert decision(t, s).players == ("p3",)
    assert [(sold.private, sold.price) for sold in facts(s, PrivateSold)] == [("A", 20), ("B", 40)]


def contested() -> tuple[Title, State]:
    """Bids on B: p1 90, p3 85, p4 95, in this order; p2 then buys A."""
    t, s = opening(4)
    s = play(t, s, Pass("p1"), Pass("p2"), Bid("p3", "B", 85), Pass("p4"))
    s = play(t, s, Bid("p1", "B", 90), Pass("p2"), Pass("p3"), Bid("p4", "B", 95))
    return t, play(t, s, Pass("p1"), BuyPrivate("p2", "A"))


@pytest.mark.rule("1889-AUC-09", "1889-AUC-10")
def test_the_auction_goes_clockwise_from_the_highest_bidder() -> None:
    t, s = contested()
    assert decision(t, s).step == "auction"
    assert decision(t, s).players == ("p1",)
    refuses(t, s, Bid("p2", "B", 200), "1889-AUC-02")
    refuses(t, s, Bid("p4", "B", 200), "1889-AUC-02")
    refuses(t, s, Bid("p1", "B", 99), "1889-AUC-04")
    s = play(t, s, Bid("p1", "B", 100))
    assert decision(t, s).players == ("p3",)
    s = play(t, s, Bid("p3", "B", 105))
    assert decision(t, s).players == ("p4",)
    s = play(t, s, Pass("p4"))
    assert decision(t, s).players == ("p1",)
    s = play(t, s, Pass("p1"))
    assert s.owner["B"] == "p3"
    assert s.cash["p3"] == 420 - 105


@pytest.mark.rule("1889-AUC-10", "1889-VAR-05")
def test_online_the_lowest_bidder_acts() -> None:
    t, s = opening(4, "online")
    s = play(t, s, Pass("p1"), Pass("p2"), Bid("p3", "B", 85), Pass("p4"))
    s = play(t, s, Bid("p1", "B", 90), Pass("p2"), Pass("p3"), Bid("p4", "B", 95))
    s = play(t, s, Pass("p1"), BuyPrivate("p2", "A"))
    assert decision(t, s).players == ("p3",)
    s = play(t, s, Bid("p3", "B", 100))
    assert decision(t, s).players == ("p1",)


@pytest.mark.rule("1889-AUC-09")
def test_other_privates_cannot_be_bid_on_in_an_auction() -> None:
    t, s = contested()
    refuses(t, s, Bid("p1", "C", 100), "1889-AUC-02")


@pytest.mark.rule("1889-AUC-11")
def test_the_highest_bidder_is_not_asked() -> None:
    t, s = contested()
    s = play(t, s, Pass("p1"))
    assert decision(t, s).players == ("p3",)
    s = play(t, s, Pass("p3"))
    assert s.owner["B"] == "p4"
    assert s.cash["p4"] == 420 - 95


@pytest.mark.rule("1889-AUC-12", "1889-AUC-13")
def test_resolution_goes_on_and_losers_get_their_money_back() -> None:
    t, s = opening(3)
    s = play(t, s, Bid("p1", "B", 35), Bid("p2", "B", 40), Bid("p3", "C", 45))
    s = play(t, s, Bid("p1", "D", 55), BuyPrivate("p2", "A"))
    assert decision(t, s).players == ("p1",)
    s = play(t, s, Pass("p1"))
    assert (s.owner["B"], s.owner["C"], s.owner["D"]) == ("p2", "p3", "p1")
    assert s.cash["p1"] == free_cash(s, "p1") == 420 - 55
    assert decision(t, s).step == "offer"
    assert decision(t, s).players == ("p3",), "left of p2, whose purchase set it off"


@pytest.mark.rule("1889-AUC-14", "1889-OR-02", "1889-AUC-18")
def test_when_all_pass_only_sold_privates_pay_and_the_round_resumes() -> None:
    t, s = opening(3)
    s = play(t, s, BuyPrivate("p1", "A"), Bid("p2", "F", 100))
    s = passes(t, s, 3)
    assert s.cash["p1"] == 420 - 20 + 5
    assert [(move.target, move.amount) for move in facts(s, CashMoved)] == [("p1", 5)]
    assert decision(t, s).step == "offer"
    assert decision(t, s).players == ("p3",), "left of p2, the last to bid"
    assert s.discount == {}, "only A ever gets cheaper"
    assert s.bids["F"] == {"p2": 100}


@pytest.mark.rule("1889-AUC-15", "1889-AUC-14", "1889-AUC-18", "1889-AUC-19")
def test_a_gets_cheaper_while_it_is_unsold() -> None:
    t, s = opening(3)
    s = play(t, s, Bid("p1", "D", 60))
    s = passes(t, s, 3)
    assert [(low.private, low.price) for low in facts(s, PriceLowered)] == [("A", 15)]
    assert decision(t, s).players == ("p2",)
    s = passes(t, s, 3)
    assert [low.price for low in facts(s, PriceLowered)] == [10]
    assert s.bids["D"] == {"p1": 60}, "bids survive"
    assert decision(t, s).players == ("p2",), "nobody acted: the same player begins"
    s = play(t, s, BuyPrivate("p2", "A"))
    assert s.cash["p2"] == 410


@pytest.mark.rule("1889-AUC-16", "1889-END-07", "1889-PRV-02")
def test_a_cheap_a_keeps_its_face_value() -> None:
    from engine import worth
    from engine.steps.privates import price_range

    t, s = opening(2)
    s = passes(t, s, 4)
    s = play(t, s, BuyPrivate("p1", "A"))
    assert s.cash["p1"] == 410
    assert worth(t, s, "p1") == 430
    assert price_range(t, "A") == (10, 40)


@pytest.mark.rule("1889-AUC-17", "1889-AUC-18")
def test_a_for_nothing_must_be_taken() -> None:
    t, s = opening(3)
    s = play(t, s, Bid("p1", "B", 50))
    s = passes(t, s, 12)
    assert s.owner["A"] == "p2", "first after the last bidder"
    assert s.cash["p2"] == 420
    assert s.owner["B"] == "p1", "bids are resolved as after any purchase"
    assert s.cash["p1"] == 370
    assert decision(t, s).players == ("p3",)


def to_last_private(players: int = 2) -> tuple[Title, State]:
    t, s = opening(players)
    while [private for private, owner in s.owner.items() if owner == BANK][1:]:
        first = next(private for private, owner in s.owner.items() if owner == BANK)
        s = apply(t, s, BuyPrivate(decision(t, s).players[0], first))
    return t, s


@pytest.mark.rule("1889-AUC-20")
def test_the_next_player_begins_the_ordinary_turns() -> None:
    t, s = to_last_private()
    assert decision(t, s).players == ("p1",)
    s = play(t, s, BuyPrivate("p1", "E"))
    assert (s.round, s.turn, s.step) == ("SR", 1, "shares")
    assert decision(t, s).players == ("p2",)


@pytest.mark.rule("1889-AUC-21")
def test_nothing_is_sold_in_the_whole_first_stock_round() -> None:
    t, s = to_last_private()
    s = play(t, s, BuyPrivate("p1", "E"), Par("p2", "AR", 5, 3), Par("p1", "SR", 5, 3))
    s = play(t, s, BuyShare("p2", "AR", "ipo"), Pass("p1"))
    refuses(t, s, SellShares("p2", "AR", 1), "1889-AUC-21")


@pytest.mark.rule("1889-AUC-21")
def test_sales_are_open_from_the_second_stock_round() -> None:
    board = table("1889").par("AR").shares("AR", p1=4, p2=2)
    t, s = board.stock(turn=2).build()
    allows(t, s, SellShares("p1", "AR", 1))
    t, s = table("1889").par("AR").shares("AR", p1=4, p2=2).stock(turn=1).build()
    refuses(t, s, SellShares("p1", "AR", 1), "1889-AUC-21")


@pytest.mark.rule("1889-AUC-22", "1889-PRV-09")
def test_no_share_can_be_had_while_a_private_is_unsold() -> None:
    t, s = opening(3)
    for player, private in zip(("p1", "p2", "p3", "p1", "p2"), "ABCDE", strict=True):
        s = apply(t, s, BuyPrivate(player, private))
    assert s.owner["E"] == "p2"
    assert "unsold" in refuses(t, s, ExchangePrivate("p2", "E"), "1889-PRV-09")
    assert judge(t, s, Par("p3", "AR", 5, 3)) is not None
    assert judge(t, s, BuyShare("p3", "AR", "ipo")) is not None
    s = apply(t, s, BuyPrivate("p3", "F"))
    allows(t, s, ExchangePrivate("p2", "E"))


@pytest.mark.rule("1889-SEC-06")
def test_bids_are_public() -> None:
    from engine.viewing import table_view

    t, s = opening(3)
    s = play(t, s, Bid("p1", "C", 45), Bid("p2", "C", 50))
    row = next(row for row in table_view(t, s, None).privates if row.id == "C")
    assert row.bids == (("p1", 45), ("p2", 50))


def test_things_that_do_not_exist_are_not_understood() -> None:
    t, s = opening(3)
    for action in (BuyPrivate("p1", "Z"), Bid("p1", "G", 200), Par("p1", "XX", 0, 3)):
        with pytest.raises(BadAction):
            judge(t, s, action)
