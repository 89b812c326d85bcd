"""1888-N: trains, export, emergencies, the end of the game."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, play, refuses, table
from tables_1888 import railway

from engine import BANK, POOL, State, Title, apply, consent, decision, judge, legal, scores
from engine.actions import BuyShare, BuyTrain, DiscardTrain, GoBankrupt, Pass, RunTrains, SellShares
from engine.facts import PhaseBegan, TrainExported


def stack(phase: str, **left: int) -> dict[str, int]:
    """What the bank has in this phase: everything from its train on."""
    counts = {"2": 7, "3": 6, "4": 5, "5": 3, "6": 2}
    return {rank: left.get(f"left_{rank}", 0 if rank < phase else count) for rank, count in counts.items()}


def buying(phase: str, *trains: str, cash: int = 2000, options: tuple[str, ...] = (), **left: int) -> Table:
    found = railway("JHR", "trains", *options, phase=phase, cash=cash).trains("JHR", *trains)
    return found.set(depot=stack(phase, **left))


def buy(rank: str, price: int, source: str = BANK, trade_in: str | None = None) -> BuyTrain:
    return BuyTrain("p1", "JHR", rank, source, price, trade_in)


@pytest.mark.rule("1888-TRN-01")
def test_any_number_of_trains_as_the_last_step() -> None:
    t, s = buying("2").build()
    for _ in range(4):
        s = allows(t, s, buy("2", 80))
    assert s.trains["JHR"] == ("2",) * 4
    assert not any(isinstance(a, BuyTrain) for a in legal(t, s, "p1"))


@pytest.mark.rule("1888-TRN-02")
def test_ascending_order_and_d_only_after_the_sixes() -> None:
    t, s = buying("6", "5", left_6=1).build()
    refuses(t, s, buy("D", 900), "1888-TRN-02")
    s = allows(t, s, buy("6", 630))
    t, s = buying("6", "5", left_6=0).build()
    allows(t, s, buy("D", 900))
    refuses(*buying("2").build(), buy("3", 180), "1888-TRN-02")


@pytest.mark.rule("1888-TRN-03", "1888-TRN-10")
def test_a_train_must_be_owned_even_without_a_route() -> None:
    t, s = buying("2").build()
    refuses(t, s, Pass("p1"), "1888-TRN-03")
    objection = judge(t, s, Pass("p1"))
    assert objection is not None
    assert objection.text.startswith("JHR must own a train; ")
    s = allows(t, s, buy("2", 80))
    allows(t, s, Pass("p1"))
    refuses(t, s, DiscardTrain("p1", "JHR", "2"), "1888-OR-06")


@pytest.mark.rule("1888-TRN-04", "1888-TRN-05")
@pytest.mark.parametrize(("old", "left"), [("4", ()), ("5", ("5",)), ("6", ("6",))])
def test_trade_in_for_a_d_at_the_limit(old: str, left: tuple[str, ...]) -> None:
    t, s = buying("6", old, "5", left_6=0).build()
    refuses(t, s, buy("D", 900), "1888-TRN-07")
    refuses(t, s, buy("D", 900, trade_in=old), "1888-TRN-13")
    s = allows(t, s, buy("D", 700, trade_in=old))
    assert (s.trains["JHR"], s.train_pool, s.cash["JHR"]) == (("5", "D"), left, 1300)
    refuses(*buying("5", "3", left_5=1).build(), buy("5", 300, trade_in="3"), "1888-TRN-04")


@pytest.mark.rule("1888-TRN-06", "1888-TRN-07")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2)])
def test_train_limit(phase: str, limit: int) -> None:
    t, s = buying(phase, *[phase] * limit).build()
    assert t.train_limit(s, "JHR") == limit
    refuses(t, s, buy(phase, t.trains[phase].price), "1888-TRN-07")


@pytest.mark.rule("1888-TRN-07", "1888-TRN-08")
def test_the_example_of_the_first_five() -> None:
    t, s = buying("4", "3", "4", left_4=0).par("SSL", 90).shares("SSL", p2=6).trains("SSL", "3", "4", "4").build()
    s = allows(t, s, buy("5", 500))
    assert decision(t, s).players == ("p1",), "first the buyer"
    refuses(t, s, DiscardTrain("p2", "SSL", "3"), "1888-TRN-08")
    refuses(t, s, DiscardTrain("p1", "JHR", "2"), "1888-TRN-08")
    s = play(t, s, DiscardTrain("p1", "JHR", "3"), DiscardTrain("p2", "SSL", "4"))
    assert s.train_pool == ("3", "4")
    assert s.cash["SSL"] == 0, "without compensation"


@pytest.mark.rule("1888-TRN-08", "1888-VAR-01")
def test_online_anybody_over_the_limit_may_discard_first() -> None:
    found = buying("4", "3", "4", left_4=0, options=("online",)).par("SSL", 90).shares("SSL", p2=6)
    t, s = found.trains("SSL", "3", "4", "4").build()
    s = play(t, s, buy("5", 500), DiscardTrain("p2", "SSL", "4"))
    allows(t, s, DiscardTrain("p1", "JHR", "3"))


@pytest.mark.rule("1888-TRN-09")
def test_trains_between_companies_from_phase_three() -> None:
    def found(phase: str, *options: str) -> tuple[Title, State]:
        return buying(phase, "2", options=options).par("SSL", 85).shares("SSL", p2=6).trains("SSL", "2").build()

    refuses(*found("2"), buy("2", 10, "SSL"), "1888-TRN-09")
    refuses(*found("3"), buy("2", 0, "SSL"), "1888-TRN-13")
    t, s = found("3")
    s = allows(t, s, buy("2", 1, "SSL"))
    assert (s.trains["JHR"], s.trains["SSL"], s.cash["SSL"]) == (("2", "2"), (), 1)


@pytest.mark.rule("1888-TRN-09", "1888-VAR-01")
def test_online_trains_change_hands_from_the_start() -> None:
    found = buying("2", "2", options=("online",)).par("SSL", 85).shares("SSL", p2=6).trains("SSL", "2")
    allows(*found.build(), buy("2", 10, "SSL"))


@pytest.mark.rule("1888-TRN-12", "1888-TRN-18")
def test_a_purchase_or_an_export_begins_a_phase() -> None:
    t, s = buying("2", "2", left_2=0).build()
    assert facts(allows(t, s, buy("3", 180)), PhaseBegan) == [PhaseBegan("3")]
    assert facts(last_turn("3", left_3=0)[1], PhaseBegan) == [PhaseBegan("4")]


def last_turn(phase: str, *trains: str, **left: int) -> tuple[Title, State]:
    """The position after the last turn of a set of operating rounds."""
    owned = trains or (phase,)
    laid = buying(phase, *owned, cash=0).set(depot=stack(phase, **left))
    t, s = laid.rounds(3, 2, 2).build()
    s = allows(t, s, Pass("p1"))
    return t, s


@pytest.mark.rule("1888-TRN-13")
def test_pool_trains_cost_face_value() -> None:
    t, s = buying("5", "4").market_trains("4").build()
    refuses(t, s, buy("4", 200, POOL), "1888-TRN-13")
    s = allows(t, s, buy("4", 300, POOL))
    assert (s.trains["JHR"], s.train_pool) == (("4", "4"), ())


@pytest.mark.rule("1888-TRN-14")
def test_a_new_train_does_not_run_in_this_turn() -> None:
    t, s = buying("2").build()
    s = allows(t, s, buy("2", 80))
    refuses(t, s, RunTrains("p1", "JHR", ()), "1888-OR-06")


@pytest.mark.rule("1888-TRN-15")
def test_who_sold_its_last_train_must_buy() -> None:
    found = buying("3", "3").par("SSL", 80).shares("SSL", p2=6).trains("SSL", "2")
    t, s = found.operating("JHR", "trains", then=("SSL",)).cash(SSL=500).build()
    s = allows(t, s, buy("2", 100, "SSL"))
    assert s.trains["SSL"] == ()
    s.round, s.operating, s.queue, s.step, s.begun = "OR", "SSL", (), "trains", True
    refuses(t, s, Pass("p2"), "1888-TRN-03")


@pytest.mark.rule("1888-TRN-16")
def test_one_director_needs_no_consent() -> None:
    found = buying("3", "3").par("SSL", 80).trains("SSL", "3")
    t, s = found.shares("SSL", p1=6).build()
    assert consent(t, s, buy("3", 10, "SSL")) is None
    t, s = buying("3", "3").par("SSL", 80).trains("SSL", "3").shares("SSL", p2=6).build()
    assert consent(t, s, buy("3", 10, "SSL")) == "p2"


@pytest.mark.rule("1888-TRN-17")
def test_a_train_is_exported_after_each_set() -> None:
    _, s = last_turn("3", left_3=2)
    assert facts(s, TrainExported) == [TrainExported("3")]
    assert (s.round, s.depot["3"]) == ("SR", 1)
    t, s = buying("3", "3", cash=0, left_3=2).rounds(3, 1, 2).build()
    assert not facts(allows(t, s, Pass("p1")), TrainExported), "not within the set"


@pytest.mark.rule("1888-TRN-18")
def test_the_exported_four_scraps_the_twos() -> None:
    t, s = last_turn("3", "2", "3", left_3=0)
    assert (t.phase(s).name, s.trains["JHR"]) == ("4", ("3",))


@pytest.mark.rule("1888-TRN-19")
def test_fives_stay() -> None:
    _, s = last_turn("5")
    assert not facts(s, TrainExported)
    assert s.depot["5"] == 3


@pytest.mark.rule("1888-TRN-20")
def test_excess_trains_go_before_the_stock_round() -> None:
    t, s = last_turn("3", "3", "3", "3", "3", left_3=0)
    assert (s.round, decision(t, s).step) == ("SR", "discard")
    refuses(t, s, Pass("p1"), "1888-SR-01")
    s = allows(t, s, DiscardTrain("p1", "JHR", "3"))
    assert (decision(t, s).step, s.train_pool) == ("shares", ("3",))


# Emergencies


def needy(cash: int = 100, own: int = 50, *options: str, **held: int) -> Table:
    """JHR needs a 5 for 500; p1 also holds shares of SSL at 85."""
    found = buying("5", cash=own, options=options).par("SSL", 85).shares("SSL", held or {"p1": 5, "p2": 2})
    return found.cash(p1=cash)


@pytest.mark.rule("1888-EMR-01", "1888-EMR-03")
def test_the_director_adds_cash_then_sells() -> None:
    t, s = needy(450).build()
    refuses(t, s, SellShares("p1", "SSL", 1), "1888-EMR-01")
    s = allows(t, s, buy("5", 500))
    assert (s.cash["p1"], s.cash["JHR"]) == (0, 0)
    t, s = needy(400).build()
    refuses(t, s, buy("5", 500), "1888-EMR-02")
    s = play(t, s, SellShares("p1", "SSL", 1), buy("5", 500))
    assert (s.cash["p1"], s.cash["JHR"]) == (35, 0), "exactly what was missing"


@pytest.mark.rule("1888-EMR-02")
def test_only_the_cheapest_of_bank_and_pool() -> None:
    t, s = needy(1000).market_trains("6").build()
    refuses(t, s, buy("6", 630, POOL), "1888-EMR-02")
    t, s = needy(1000).market_trains("4").build()
    refuses(t, s, buy("5", 500), "1888-EMR-02")
    allows(t, s, buy("4", 300, POOL))
    t, s = needy(1000).trains("SSL", "3").build()
    refuses(t, s, buy("3", 60, "SSL"), "1888-EMR-02")


@pytest.mark.rule("1888-EMR-04")
def test_the_treasury_may_buy_from_another_company() -> None:
    t, s = needy(0).trains("SSL", "3").build()
    s = allows(t, s, buy("3", 50, "SSL"))
    allows(t, s, Pass("p1"))


@pytest.mark.rule("1888-EMR-05")
def test_sale_rules_hold() -> None:
    t, s = needy(0, 50, p1=4, p2=1, pool=4).build()
    refuses(t, s, SellShares("p1", "SSL", 2), "1888-SR-11")
    s = allows(t, s, SellShares("p1", "SSL", 1))
    assert s.cell["SSL"] == (4, 3)
    t, s = needy(0, 50, p1=4, p2=1).build()
    refuses(t, s, SellShares("p1", "SSL", 3), "1888-SR-20")
    s = allows(t, s, SellShares("p1", "SSL", 1))
    allows(t, s, SellShares("p1", "SSL", 1))


@pytest.mark.rule("1888-EMR-06")
def test_no_company_changes_its_director() -> None:
    t, s = needy(0, 50, p1=3, p2=2).build()
    refuses(t, s, SellShares("p1", "SSL", 2), "1888-EMR-06")
    allows(t, s, SellShares("p1", "SSL", 1))


@pytest.mark.rule("1888-EMR-06", "1888-VAR-01")
def test_online_only_the_needy_company_keeps_its_director() -> None:
    t, s = needy(0, 50, "online", p1=3, p2=2).build()
    s = allows(t, s, SellShares("p1", "SSL", 2))
    assert s.president["SSL"] == "p2"
    t, s = needy(0, 50, "online", p1=1, p2=6).shares("JHR", p1=4, p2=3, pool=0).build()
    refuses(t, s, SellShares("p1", "JHR", 2), "1888-EMR-06")


@pytest.mark.rule("1888-EMR-07")
def test_no_more_than_needed() -> None:
    t, s = needy(370).build()
    refuses(t, s, SellShares("p1", "SSL", 2), "1888-EMR-07")
    allows(t, s, SellShares("p1", "SSL", 1))


@pytest.mark.rule("1888-EMR-07", "1888-VAR-01")
def test_online_a_directors_certificate_alone_may_be_sold_whole_where_half_would_do() -> None:
    t, s = needy(370, 50, "online", p1=2, p2=2).build()
    allows(t, s, SellShares("p1", "SSL", 1))
    assert allows(t, s, SellShares("p1", "SSL", 2)).president["SSL"] == "p2"
    for held in ({"p1": 3, "p2": 2}, {"p1": 2, "p2": 3}):
        t, s = needy(370, 50, "online", **held).build()
        refuses(t, s, SellShares("p1", "SSL", 2), "1888-EMR-07")


@pytest.mark.rule("1888-EMR-08", "1888-END-01")
def test_bankruptcy_ends_the_game_and_the_bankrupt_may_win() -> None:
    t, s = needy(0, 50, p1=5, p2=2).build()
    refuses(t, s, GoBankrupt("p1", "JHR"), "1888-EMR-08")
    t, s = needy(0, 0, p1=2, p2=2).shares("JHR", p1=6, p2=0).cash(p2=0, p3=0).build()
    s.cell["SSL"] = (8, 0)
    s.cell["JHR"] = (8, 0)
    s = allows(t, s, GoBankrupt("p1", "JHR"))
    assert s.over == "bankrupt"
    assert s.bankrupt == {"p1"}
    assert scores(t, s)[0][0] == "p1"


@pytest.mark.rule("1888-EMR-05", "1888-SR-05", "1888-SR-10", "1888-SR-12")
def test_what_no_stock_round_lets_him_sell_he_cannot_sell_here() -> None:
    t, s = needy(0, 0, p1=2, p2=2).shares("CDL", p1=1).build()
    refuses(t, s, SellShares("p1", "SSL", 3), "1888-SR-05")
    refuses(t, s, SellShares("p1", "CDL", 1), "1888-SR-12")
    t, s = needy(0, 400, p1=8, p2=2).build()
    refuses(t, s, SellShares("p1", "SSL", 1), "1888-SR-10")


@pytest.mark.rule("1888-EMR-08")
def test_no_sale_spoils_the_purchase() -> None:
    """Two shares at 85 bring 170 together, less one by one."""
    t, s = needy(0, 330, p1=2, p2=5).shares("JHR", p1=3, p2=2, pool=5).build()
    s.president["SSL"] = "p2"
    refuses(t, s, SellShares("p1", "SSL", 1), "1888-EMR-08")
    s = allows(t, s, SellShares("p1", "SSL", 2))
    allows(t, s, buy("5", 500))


@pytest.mark.rule("1888-TRN-01")
def test_only_the_company_whose_turn_it_is_buys() -> None:
    t, s = buying("3").par("SSL", 85).shares("SSL", p1=6).cash(SSL=900).build()
    refuses(t, s, BuyTrain("p1", "SSL", "3", BANK, 180), "1888-TRN-01")


@pytest.mark.rule("1888-EMR-08")
def test_bankruptcy_is_for_the_company_whose_turn_it_is() -> None:
    t, s = needy(0, 0, p1=2, p2=2).build()
    s.cell["SSL"] = s.cell["JHR"] = (8, 0)
    assert "It is JHR's turn" in refuses(t, s, GoBankrupt("p1", "SSL"), "1888-EMR-08")


# The end


@pytest.mark.rule("1888-END-02", "1888-END-04", "1888-END-05")
def test_a_bank_broken_in_an_operating_round_ends_the_game_with_the_set() -> None:
    t, s = buying("5", "5", cash=0).rounds(3, 1, 2).bank(0).private(KT="p2").build()
    s = allows(t, s, Pass("p1"))
    assert (s.broken, s.cash[BANK], s.over) == (True, -5, "")
    assert s.or_number == 2
    while not s.over:
        s = apply(t, s, next(a for a in legal(t, s, "p1") if isinstance(a, Pass)))
    assert (s.over, s.or_number) == ("bank", 2)


@pytest.mark.rule("1888-END-05")
def test_an_empty_bank_is_not_broken() -> None:
    t, s = buying("5", "5", cash=0).rounds(3, 1, 2).bank(0).build()
    assert not allows(t, s, Pass("p1")).broken


@pytest.mark.rule("1888-END-03")
def test_a_bank_broken_in_a_stock_round_leaves_one_set() -> None:
    t, s = table("1888").phase("5").par("JHR", 85).shares("JHR", p1=6).trains("JHR", "5").bank(0).build()
    s = allows(t, s, SellShares("p1", "JHR", 1))
    assert s.broken
    s = play(t, s, Pass("p1"), BuyShare("p2", "JHR", "pool"))
    assert s.broken, "it stays so"
    while not s.over:
        seat = decision(t, s).players[0]
        s = apply(t, s, next(a for a in legal(t, s, seat) if isinstance(a, Pass)))
    assert (s.over, s.or_number, s.or_count, s.turn) == ("bank", 3, 3, 2)
