"""1890: the initial stock round."""

from __future__ import annotations

import pytest
from tables import NAMES, all_pass, allows, facts, offered, play, price_at, refuses, table

from engine import BANK, IPO, State, Title, build, decision, legal, start
from engine.actions import Bid, BuyPrivate, BuyShare, Par, Pass, SellShares, TradePrivate
from engine.facts import AuctionBegan, PriceLowered, PrivateSold
from engine.ids import RESERVED
from engine.viewing import table_view

A, B, D = "scenario_a", "scenario_b", "scenario_d"


def opening(players: int = 3, *options: str) -> tuple[Title, State]:
    return table("1890", players, *options).opening().build()


def sell_up_to(s: State, *sold: str, owner: str = "p3") -> State:
    """Privates that somebody has already."""
    for private in sold:
        s.owner[private] = owner
    return s


# Turns


@pytest.mark.rule("1890-AUC-01", "1890-AUC-03")
def test_nothing_else_is_for_sale_before_all_privates_are_sold() -> None:
    t, s = opening()
    kinds = {type(action) for player in s.players for action in legal(t, s, player)}
    assert kinds == {BuyPrivate, Bid, Pass}
    for action in (Par("p1", "Hankyu", 0, 4), BuyShare("p1", "JR", IPO), SellShares("p1", "JR", 1)):
        refuses(t, s, action, "1890-AUC-03")
    refuses(t, s, TradePrivate("p1", "A", 20), "1890-AUC-03")


@pytest.mark.rule("1890-AUC-02")
def test_only_the_first_is_bought_and_all_later_ones_are_bid_on() -> None:
    t, s = opening()
    refuses(t, s, BuyPrivate("p1", "B"), "1890-AUC-02")
    refuses(t, s, Bid("p1", "A", 25), "1890-AUC-02")
    assert play(t, s, BuyPrivate("p1", "A")).cash["p1"] == 840 - 20
    assert {a.private for a in legal(t, s, "p1") if isinstance(a, Bid)} == set(t.privates) - {
        "A", "K1", "K2", "K3", "K4",
    }  # fmt: skip
    refuses(t, s, Bid("p1", "K1", 300), "1890-AUC-02")


@pytest.mark.rule("1890-AUC-02")
def test_the_printed_order_is_not_that_of_the_prices() -> None:
    t, s = opening(2)
    s = sell_up_to(s, *"ABCDE", owner="p2")
    s = play(t, s, BuyPrivate("p1", "F"), Par("p1", "Subway", 0, 4))
    assert s.owner["F"] == "p1"
    refuses(t, s, BuyPrivate("p2", "M2"), "1890-AUC-02")
    assert play(t, s, BuyPrivate("p2", "M1")).cash["p2"] == 1260 - 100


@pytest.mark.rule("1890-AUC-03", "1890-AUC-04")
def test_one_purchase_bid_or_pass_and_the_priority_card_moves_on() -> None:
    t, s = opening()
    for action, following in ((BuyPrivate("p1", "A"), "p2"), (Bid("p2", "C", 75), "p3"), (Pass("p3"), "p1")):
        s = play(t, s, action)
        assert decision(t, s).players == (following,)
        assert [row.id for row in table_view(t, s).players if row.priority] == [following]


@pytest.mark.rule("1890-AUC-05")
def test_first_bid_is_face_and_5_later_ones_the_highest_and_5() -> None:
    t, s = opening()
    refuses(t, s, Bid("p1", "M4", 164), "1890-AUC-05")
    s = play(t, s, Bid("p1", "M4", 165))
    refuses(t, s, Bid("p2", "M4", 169), "1890-AUC-05")
    s = play(t, s, Bid("p2", "M4", 170))
    play(t, s, Bid("p3", "M4", 176))


@pytest.mark.rule("1890-AUC-06")
def test_money_of_bids_is_set_aside() -> None:
    t, s = opening(3, A)
    s = play(t, s, Bid("p1", "F", 300), Pass("p2"), Pass("p3"), Bid("p1", "M5", 190), Pass("p2"), Pass("p3"))
    refuses(t, s, Bid("p1", "D", 115), "1890-AUC-06")
    row = next(row for row in table_view(t, s, None).players if row.id == "p1")
    assert (row.cash, row.free_cash) == (500, 10)
    refuses(t, s, BuyPrivate("p1", "A"), "1890-AUC-06")


@pytest.mark.rule("1890-AUC-07")
def test_an_own_bid_may_be_raised_with_only_the_difference() -> None:
    t, s = opening(3, A)
    s = play(t, s, Bid("p1", "F", 300), Pass("p2"), Pass("p3"))
    refuses(t, s, Bid("p1", "F", 304), "1890-AUC-05")
    s = play(t, s, Bid("p1", "F", 500))
    assert s.bids["F"] == {"p1": 500}


# Resolution


@pytest.mark.rule("1890-AUC-08")
def test_a_single_bidder_gets_the_next_company_at_his_bid() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "B", 60), BuyPrivate("p2", "A"))
    assert s.owner["B"] == "p1"
    assert s.cash["p1"] == 840 - 60
    assert [fact.private for fact in facts(s, PrivateSold)] == ["A", "B"]


@pytest.mark.rule("1890-AUC-09", "1890-AUC-10")
def test_several_bidders_raise_in_turn_from_the_left_of_the_highest() -> None:
    t, s = opening(4)
    s = play(t, s, Bid("p1", "B", 45), Bid("p2", "B", 50), Bid("p3", "B", 55), BuyPrivate("p4", "A"))
    assert facts(s, AuctionBegan)[0].private == "B"
    assert decision(t, s).players == ("p1",), "p3 bid most, p4 nothing"
    refuses(t, s, Bid("p1", "B", 59), "1890-AUC-05")
    refuses(t, s, Bid("p1", "C", 75), "1890-AUC-02")
    refuses(t, s, Bid("p1", "B", 631), "1890-AUC-06")
    s = play(t, s, Bid("p1", "B", 60))
    assert decision(t, s).players == ("p2",)
    s = play(t, s, Pass("p2"))
    assert decision(t, s).players == ("p3",)
    s = play(t, s, Bid("p3", "B", 65), Pass("p1"))
    assert s.owner["B"] == "p3"
    assert [s.cash[player] for player in s.players] == [630, 630, 630 - 65, 630 - 20]


@pytest.mark.rule("1890-AUC-09", "1890-AUC-10")
def test_the_next_clockwise_speaks_before_the_lowest() -> None:
    t, s = opening(4)
    s = play(t, s, Pass("p1"), Pass("p2"), Bid("p3", "B", 45), Pass("p4"))
    s = play(t, s, Bid("p1", "B", 50), Pass("p2"), Pass("p3"), Bid("p4", "B", 55), Pass("p1"), BuyPrivate("p2", "A"))
    assert decision(t, s).players == ("p1",)
    s = play(t, s, Bid("p1", "B", 60))
    assert decision(t, s).players == ("p3",)
    assert decision(t, play(t, s, Bid("p3", "B", 65))).players == ("p4",)


@pytest.mark.rule("1890-AUC-11")
def test_the_sale_goes_down_the_list_while_there_are_bids() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "B", 45), Bid("p2", "C", 75), Bid("p3", "E", 165), BuyPrivate("p1", "A"))
    assert (s.owner["B"], s.owner["C"], s.owner["D"], s.owner["E"]) == ("p1", "p2", BANK, BANK)
    s = play(t, s, BuyPrivate("p2", "D"))
    assert (s.owner["D"], s.owner["E"]) == ("p2", "p3")


@pytest.mark.rule("1890-AUC-12")
def test_play_goes_on_after_the_purchaser_who_started_the_sale() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "B", 45), Bid("p2", "B", 50), BuyPrivate("p3", "A"), Pass("p1"))
    assert s.owner["B"] == "p2"
    assert decision(t, s).players == ("p1",)
    assert s.priority == "p1"


# Game turns


@pytest.mark.rule("1890-AUC-13", "1890-AUC-14")
def test_when_all_pass_the_operating_round_comes_and_bids_stay() -> None:
    t, s = opening()
    s = play(t, s, Bid("p1", "M2", 205), BuyPrivate("p2", "A"), Pass("p3"))
    before = dict(s.cash)
    s = all_pass(t, s)
    assert (s.round, s.turn) == ("ISR", 2)
    assert s.cash["p2"] == before["p2"] + 5, "Arima paid in the operating round between"
    assert s.bids == {"M2": {"p1": 205}}
    while decision(t, s).players != ("p1",):
        s = play(t, s, Pass(decision(t, s).players[0]))
    free = s.cash["p1"] - 205
    refuses(t, s, Bid("p1", "M1", free + 1), "1890-AUC-06")
    allows(t, s, Bid("p1", "M1", free))
    assert table_view(t, s, None).round == "Initial stock round 2"


@pytest.mark.rule("1890-AUC-13")
def test_a_minor_that_is_sold_operates_before_the_sale_goes_on() -> None:
    t, s = opening()
    s = play(t, sell_up_to(s, *"ABCDEF"), BuyPrivate("p1", "M1"))
    s = all_pass(t, s)
    assert (s.round, s.operating, s.turn) == ("OR", "M1", 1)
    assert decision(t, s).players == ("p1",)
    s = play(t, s, Pass("p1"), Pass("p1"))
    assert (s.round, s.turn) == ("ISR", 2)
    refuses(t, s, BuyPrivate(decision(t, s).players[0], "M3"), "1890-AUC-02")


@pytest.mark.rule("1890-AUC-15")
def test_arima_gets_cheaper_with_every_game_turn_that_it_stays() -> None:
    t, s = opening()
    for price, turn in ((15, 2), (10, 3), (5, 4)):
        s = all_pass(t, s)
        assert facts(s, PriceLowered)[0].price == price
        assert s.turn == turn
    row = next(row for row in table_view(t, s, None).privates if row.id == "A")
    assert (row.price, row.value) == (5, 20)


@pytest.mark.rule("1890-AUC-15")
def test_no_other_company_gets_cheaper() -> None:
    t, s = opening()
    s = all_pass(t, play(t, s, BuyPrivate("p1", "A")))
    assert not facts(s, PriceLowered)
    first = decision(t, s).players[0]
    assert play(t, s, BuyPrivate(first, "B")).cash[first] == s.cash[first] - 40


@pytest.mark.rule("1890-AUC-16")
def test_the_face_value_of_arima_stays() -> None:
    t, s = opening()
    s = all_pass(t, all_pass(t, s))
    first = decision(t, s).players[0]
    s = play(t, s, BuyPrivate(first, "A"))
    assert s.cash[first] == 840 - 10
    worth = {row.id: row.worth for row in table_view(t, s, None).players}
    assert worth[first] == 840 - 10 + 20


@pytest.mark.rule("1890-AUC-17")
def test_at_nothing_the_priority_holder_must_take_arima_with_all_consequences() -> None:
    t, s = opening()
    s = play(t, s, Pass("p1"), Bid("p2", "B", 45), Bid("p3", "C", 75))
    for _ in range(4):
        s = all_pass(t, s)
    assert s.turn == 5
    assert s.owner["A"] == "p1"
    assert s.cash["p1"] == 840
    assert (s.owner["B"], s.owner["C"]) == ("p2", "p3"), "the bids after it were resolved"
    assert decision(t, s).players == ("p2",)
    assert s.priority == "p2"


@pytest.mark.rule("1890-AUC-18")
@pytest.mark.parametrize(("options", "last"), [((A,), "M5"), ((), "M5"), ((D,), "M5")])
def test_a_stock_round_follows_at_once_when_all_are_sold(options: tuple[str, ...], last: str) -> None:
    t, s = opening(3, *options)
    s = sell_up_to(s, *(private for private in t.privates if private != last and s.owner[private] != RESERVED))
    s = play(t, s, Pass("p1"), BuyPrivate("p2", last))
    assert (s.round, s.turn) == ("SR", 1)
    assert decision(t, s).players == ("p3",)


# What comes with a certificate


@pytest.mark.rule("1890-AUC-19")
@pytest.mark.parametrize("options", [(), (D,)])
def test_the_buyer_of_ome_sets_the_par_of_the_subway(options: tuple[str, ...]) -> None:
    t, s = opening(3, *options)
    s = play(t, sell_up_to(s, *"ABCDE"), BuyPrivate("p1", "F"))
    assert decision(t, s).players == ("p1",)
    assert list(legal(t, s, "p1")) == offered(t, s, Par)
    assert {(a.corp, price_at(t, a.row, a.col)) for a in offered(t, s, Par)} == {
        ("Subway", price) for price in (65, 70, 75, 80, 90, 100)
    }  # fmt: skip
    assert s.pending[-1].subject == "F"  # not its company: games in progress keep it so
    refuses(t, s, Par("p1", "Hankyu", 0, 4), "1890-AUC-21")
    refuses(t, s, Par("p1", "Subway", 0, 5), "1890-SR-19")
    s = play(t, s, Par("p1", "Subway", 1, 4))
    assert s.cash["p1"] == 840 - 220, "no further payment"
    assert (s.held("Subway", "p1"), s.president["Subway"], s.par["Subway"]) == (2, "p1", 90)
    assert s.cell["Subway"] == (1, 4)
    assert "Subway" not in s.floated


@pytest.mark.rule("1890-AUC-20")
def test_the_buyer_of_osaka_electric_sets_the_par_of_kinki() -> None:
    t, s = opening()
    s = play(t, sell_up_to(s, *"ABCDEF", "M1"), BuyPrivate("p1", "M2"), Par("p1", "Kinki", 3, 4))
    assert (s.par["Kinki"], s.cell["Kinki"]) == (75, (3, 4))
    assert s.held("Kinki", "p1") == 0
    assert s.cash["p1"] == 840 - 200
    assert s.cash["M2"] == 200


@pytest.mark.rule("1890-AUC-21")
def test_the_par_is_set_before_the_next_company_is_resolved() -> None:
    t, s = opening()
    s = sell_up_to(s, *"ABCD")
    s = play(t, s, Bid("p1", "F", 225), Bid("p2", "M1", 105), BuyPrivate("p3", "E"))
    assert s.owner["F"] == "p1"
    assert s.owner["M1"] == BANK
    assert decision(t, s).players == ("p1",)
    s = play(t, s, Par("p1", "Subway", 5, 4))
    assert s.owner["M1"] == "p2"
    assert decision(t, s).players == ("p1",)


@pytest.mark.rule("1890-AUC-22")
@pytest.mark.parametrize(("options", "keihan"), [((A,), False), ((B,), True), ((), True), ((D,), True)])
def test_tramways_bring_a_share(options: tuple[str, ...], keihan: bool) -> None:
    t, s = opening(3, *options)
    before = [private for private in t.privates if private not in "DE" and s.owner[private] != RESERVED]
    s = sell_up_to(s, *before, owner="p3")
    first, second = (private for private in t.privates if private in "DE")
    s = play(t, s, BuyPrivate("p1", first), BuyPrivate("p2", second))
    with_hanshin = "p1" if first == "D" else "p2"
    assert s.held("Hanshin", with_hanshin) == 1
    assert s.held("Hanshin", IPO) == 9
    if "Keihan" in t.corporations:
        assert s.held("Keihan", IPO) == (9 if keihan else 10)
    assert "Hanshin" not in s.par


def test_a_whole_sale_leaves_every_yen_where_it_belongs() -> None:
    for options in ((), (A,), (B,), (D,)):
        t = build("1890", 2, options)
        s = start(t, NAMES[:2])
        while s.round == "ISR":
            player = decision(t, s).players[0]
            s = allows(t, s, next(a for a in legal(t, s, player) if not isinstance(a, Bid)))
        assert sum(s.cash.values()) == t.bank
        assert BANK not in s.owner.values()
