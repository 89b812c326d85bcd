"""1890: what privates close, pay and do, who may buy them, and the late privates."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, offered, refuses, table, tokens_at
from tables_1890 import market, minor, railway

from bot.words.lexicon import lexicon
from bot.words.narration import narrate
from engine import BANK, CLOSED, State, Title, consent, decision, legal
from engine.actions import (
    BuyPassage,
    BuyPrivate,
    BuyTrain,
    CompanyBuysPrivate,
    LayPowerTile,
    LayTile,
    Pass,
    PlaceToken,
    Route,
    RunTrains,
    TradePrivate,
)
from engine.facts import CashMoved, PassageGained, PrivateClosed, PrivatePays, TokenPlaced
from engine.ids import RESERVED
from engine.powers import GivesShare
from engine.shares import certificates
from engine.titles.t1890.own import own
from engine.viewing import board_view, table_view

A, B, D = "scenario_a", "scenario_b", "scenario_d"


def next_round(t: Title, s: State) -> State:
    """All pass until the next operating round begins."""
    number = (s.turn, s.or_number)
    while not s.over and (s.round != "OR" or (s.turn, s.or_number) == number):
        player = decision(t, s).players[0]
        quiet = offered(t, s, Pass, player)
        s = allows(t, s, quiet[0] if quiet else next(legal(t, s, player)))
    return s


def income(s: State, who: str) -> int:
    """What somebody got from privates in the last action."""
    return sum(fact.amount for fact in facts(s, CashMoved) if fact.why == "private income" and fact.target == who)


def closed(t: Title, s: State) -> dict[str, tuple[str, ...]]:
    return {view.id: view.blocked_by for view in board_view(t, s).hexes if view.blocked_by}


# Incomes


@pytest.mark.rule("1890-PRV-01")
def test_privates_pay_their_owners_at_the_start_of_each_operating_round() -> None:
    t, s = market().private(A="p1", C="p2", E="Hankyu", K1="p3").par("Hankyu").build()
    s = next_round(t, s)
    assert [income(s, who) for who in ("p1", "p2", "p3", "Hankyu")] == [5, 15, 40, 25]


# What they close


@pytest.mark.rule("1890-TRK-10")
def test_a_hex_is_closed_until_a_public_company_owns_its_private() -> None:
    t, s = railway("Hankyu").tile("E12", "57", 1).tile("E10", "57", 1).tile("E8", "9", 1).private(A="p2").build()
    for owner, shut in (("p2", True), (BANK, True), ("Hankyu", False), ("Sanyo", False), (CLOSED, False)):
        s.owner["A"] = owner
        assert ("D7" in closed(t, s)) == shut, owner


@pytest.mark.rule("1890-TRK-10")
def test_a_closed_hex_takes_no_tile() -> None:
    t, s = railway("Hanshin", phase="2").tile("F9", "57", 1).tile("F7", "57", 1).private(B="p2").build()
    refuses(t, s, LayTile("p1", "Hanshin", "F5", "820", 0), "1890-TRK-10")
    s.owner["B"] = "Hanshin"
    allows(t, s, LayTile("p1", "Hanshin", "F5", "820", 0))


@pytest.mark.rule("1890-TRK-10")
def test_phase_4_opens_all_closed_hexes_though_hankai_stays() -> None:
    owners = dict.fromkeys("ABCEF", "p1")
    t, s = railway(phase="3").private(**owners).build()
    assert set(closed(t, s)) == {"D7", "F5", "I12", "J11", "B17", "B19", "G12", "H11", "H13"}
    t, s = railway(phase="4").private(**owners).build()
    assert {hex_id: by for hex_id, by in closed(t, s).items() if by != ("F",)} == {}


@pytest.mark.rule("1890-PRV-11")
def test_ome_closes_the_osaka_hexes_until_the_subways_first_turn_begins() -> None:
    t, s = railway("Hankyu", phase="2", held={"p1": 5}).private(F="p2").build()
    assert {hex_id for hex_id, by in closed(t, s).items() if by == ("F",)} == {"G12", "H11", "H13"}
    t, s = railway("Subway", phase="2").private(F="p2").build()
    assert closed(t, s) == {}
    t, s = railway("Hankyu", phase="2").private(F="p2").par("Subway").set(operated=frozenset({"Subway"})).build()
    assert closed(t, s) == {}


@pytest.mark.rule("1890-PRV-11", "1890-TRK-10")
@pytest.mark.parametrize("phase", ["4", "6"])
def test_phase_4_does_not_open_the_osaka_hexes_before_the_subways_first_turn(phase: str) -> None:
    t, s = railway("JR", phase=phase).private(F="p2").build()
    refuses(t, s, LayTile("p1", "JR", "G12", "823", 1), "1890-TRK-10")
    s.operated |= {"Subway"}
    allows(t, s, LayTile("p1", "JR", "G12", "823", 1))
    t, s = railway("JR", phase=phase).private(F="p2").own(closed=("Subway",)).build()
    allows(t, s, LayTile("p1", "JR", "G12", "823", 1))


@pytest.mark.rule("1890-PRV-11", "1890-TRK-10", "1890-PHS-05")
def test_phase_4_opens_the_hexes_of_ome_in_the_short_scenarios() -> None:
    t, s = railway("JR", "track", B, phase="3").private(F="p2").build()
    refuses(t, s, LayTile("p1", "JR", "G12", "823", 1), "1890-TRK-10")
    t, s = railway("JR", "track", B, phase="4").private(F="p2").build()
    assert closed(t, s) == {}


@pytest.mark.rule("1890-PRV-11", "1890-PRV-13")
def test_ome_of_the_short_scenarios_is_a_plain_private() -> None:
    t, s = railway("Hankyu", "track", B, phase="2", cash=240).private(F="p2").build()
    assert {hex_id for hex_id, by in closed(t, s).items() if by == ("F",)} == {"G12", "H13"}
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "F", 59), "1890-PRV-02")
    after = allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "F", 240))
    assert closed(t, after) == {}
    assert "F" in {fact.private for fact in facts(pushed_to_phase_4(B), PrivateClosed)}


# Sale to companies


@pytest.mark.rule("1890-PRV-02", "1890-AUC-16")
def test_a_company_pays_half_to_double_face() -> None:
    t, s = railway(phase="2").private(A="p2").build()
    for price, fits in ((9, False), (10, True), (33, True), (40, True), (41, False)):
        action = CompanyBuysPrivate("p1", "Hankyu", "A", price)
        if not fits:
            refuses(t, s, action, "1890-PRV-02")
            continue
        after = allows(t, s, action)
        assert after.owner["A"] == "Hankyu"
        assert after.cash["p2"] == s.cash["p2"] + price
        assert consent(t, s, action) == "p2"
    s.cash["Hankyu"] = 32
    assert "¥32" in refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 33), "1890-PRV-02")


@pytest.mark.rule("1890-PRV-02")
@pytest.mark.parametrize(("phase", "open_"), [("1", False), ("1½", False), ("2", True), ("3", True), ("4", False)])
def test_companies_buy_in_phases_2_and_3(phase: str, open_: bool) -> None:
    t, s = railway(phase=phase).private(B="p2").build()
    choices = offered(t, s, CompanyBuysPrivate)
    assert bool(choices) == open_
    if not open_:
        refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "B", 40), "1890-OR-04")


@pytest.mark.rule("1890-PRV-02")
def test_minors_buy_nothing_and_minors_and_late_privates_are_not_for_sale() -> None:
    t, s = minor("M2", phase="2").private(B="p2").build()
    refuses(t, s, CompanyBuysPrivate("p1", "M2", "B", 40), "1890-PRV-02")
    t, s = railway(phase="2").private(M1="p2", K1="p2", B="K2").build()
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "M1", 100), "1890-MIN-02")
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "K1", 200), "1890-SR-26")


@pytest.mark.rule("1890-PRV-13")
@pytest.mark.parametrize("options", [(), (D,)])
def test_companies_cannot_buy_ome(options: tuple[str, ...]) -> None:
    t, s = railway("Hankyu", "track", *options, phase="2").private(F="p2").build()
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "F", 220), "1890-PRV-13")


@pytest.mark.rule("1890-PRV-03")
def test_abilities_work_at_once_for_the_buyer() -> None:
    t, s = railway("Hankyu", phase="2").private(A="p2").build()
    s = allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40))
    assert "D7" not in closed(t, s)
    assert any(isinstance(a, LayPowerTile) for a in legal(t, s, "p1"))


@pytest.mark.rule("1890-PRV-05")
def test_arimas_owner_lays_an_extra_tile_there_without_connection() -> None:
    t, s = railway("Hankyu", phase="2").private(A="Hankyu").build()
    s2 = allows(t, s, LayPowerTile("p1", "A", "D7", "58", 0))
    assert s2.board.placed["D7"] == ("58", 0)
    assert s2.lays == ()
    assert any(isinstance(a, LayTile) for a in legal(t, s2, "p1")), "the turn's own tile is still to come"
    refuses(t, s2, LayPowerTile("p1", "A", "D7", "4", 0), "1890-PRV-05")
    refuses(t, s, LayPowerTile("p1", "A", "D9", "57", 0), "1890-PRV-05")
    s.supply["4"] = 0
    refuses(t, s, LayPowerTile("p1", "A", "D7", "4", 0), "1890-TRK-14")
    refuses(t, s, LayPowerTile("p1", "A", "D7", "57", 0), "1890-PRV-05")


@pytest.mark.rule("1890-PRV-05")
@pytest.mark.parametrize("step", ["token", "trains", "privates"])
def test_a_company_that_buys_arima_as_the_last_thing_in_its_turn_is_asked_for_its_tile(step: str) -> None:
    t, s = railway("Hankyu", step, "open_treasuries", phase="2", cash=40).private(A="p2").build()
    s = allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40))
    assert (decision(t, s).step, decision(t, s).subject) == ("last tile", "A")
    refuses(t, s, LayPowerTile("p1", "A", "I18", "58", 0), "1890-PRV-05")
    laid = allows(t, s, LayPowerTile("p1", "A", "D7", "58", 0))
    assert "D7" in laid.board.placed
    assert "A" in laid.used
    for after in (laid, allows(t, s, Pass("p1"))):
        assert (after.step, after.pending) == ("track", ()), "of the next turn"
    s.supply["58"] = 0
    refuses(t, s, LayPowerTile("p1", "A", "D7", "58", 0), "1890-TRK-14")


@pytest.mark.rule("1890-PRV-05")
def test_nobody_is_asked_for_arimas_tile_who_has_more_to_decide_or_can_lay_none() -> None:
    t, s = railway("Hankyu", "trains", phase="2").private(A="p2").build()
    assert not allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40)).pending
    t, s = railway("Hankyu", "privates", phase="2").private(A="Hankyu", C="p2").build()
    assert allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "C", 40)).step == "track", "of the next turn"
    t, s = railway("Hankyu", "privates", phase="2").private(A="p2").tile("D7", "58", 0).build()
    assert allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 40)).step == "track", "of the next turn"


@pytest.mark.rule("1890-PRV-05")
def test_arimas_tile_replaces_none_that_lies_there() -> None:
    t, s = railway("Hankyu", phase="2").private(A="Hankyu").tile("D7", "58", 0).build()
    refuses(t, s, LayPowerTile("p1", "A", "D7", "4", 0), "1890-PRV-05")


@pytest.mark.rule("1890-PRV-02")
@pytest.mark.parametrize("owner", ["Sanyo", "Hankyu", BANK, CLOSED])
def test_companies_buy_privates_of_players_alone(owner: str) -> None:
    t, s = railway("Hankyu", phase="2").par("Sanyo").shares("Sanyo", p1=6).private(A="p1").build()
    allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 20))
    s.owner["A"] = owner
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "A", 20), "1890-PRV-02")


@pytest.mark.rule("1890-COR-18", "1890-PRV-05")
@pytest.mark.parametrize(("owner", "options", "gain"), [("Hankyu", (), 10), ("Sanyo", (), 0), ("Hankyu", (D,), 0)])
def test_hankyu_gets_10_for_arimas_yellow_tile_too(owner: str, options: tuple[str, ...], gain: int) -> None:
    t, s = railway(owner, "track", *options, phase="2").private(A=owner).build()
    assert allows(t, s, LayPowerTile("p1", "A", "D7", "58", 0)).cash[owner] == 900 + gain


@pytest.mark.rule("1890-PRV-05")
@pytest.mark.parametrize("owner", ["p1", "Sanyo", BANK, CLOSED])
def test_only_the_company_that_owns_arima_lays_it(owner: str) -> None:
    t, s = railway("Hankyu", phase="2").private(A=owner).build()
    refuses(t, s, LayPowerTile("p1", "A", "D7", "58", 0), "1890-PRV-05")
    assert not any(isinstance(a, LayPowerTile) for a in legal(t, s, "p1"))


@pytest.mark.rule("1890-PRV-06", "1890-PRV-09")
def test_privates_without_powers() -> None:
    t, s = railway("Hankyu", phase="2", cash=900).private(B="Hankyu", D="Hankyu", E="Hankyu").build()
    assert not any(isinstance(a, LayPowerTile) for a in legal(t, s, "p1"))
    assert [type(power).__name__ for power in t.privates["B"].powers] == ["Blocks"]
    a_title = table("1890", 3, A).title
    assert [type(power).__name__ for power in a_title.privates["E"].powers] == ["Blocks"]


@pytest.mark.rule("1890-PRV-08", "1890-PRV-09")
def test_the_share_that_came_with_a_private_stays_with_the_player() -> None:
    t, s = railway("Hankyu", phase="2").private(D="p1").shares("Hanshin", p1=1).build()
    after = allows(t, s, CompanyBuysPrivate("p1", "Hankyu", "D", 110))
    assert after.held("Hanshin", "p1") == 1
    for scenario, expected in (((B,), "Keihan"), ((), "Keihan"), ((D,), "Keihan")):
        powers = table("1890", 3, *scenario).title.privates["E"].powers
        assert [power.corp for power in powers if isinstance(power, GivesShare)] == [expected]


# The closing


def pushed_to_phase_4(*options: str) -> State:
    """The first 5-train has just been bought."""
    owners = {private: "p1" for private in table("1890", 3, *options).title.privates if private[0] != "M"}
    found = railway("Hankyu", "trains", *options, phase="3", cash=600).private(**owners)
    t, s = found.build()
    s.depot.update({"4": 0, "3": 0, "5": 2})
    return allows(t, s, BuyTrain("p1", "Hankyu", "5", BANK, 450))


@pytest.mark.rule("1890-PRV-04", "1890-PRV-12", "1890-PRV-25")
def test_phase_4_closes_privates_but_not_hankai_ome_and_late_ones() -> None:
    s = pushed_to_phase_4()
    assert {fact.private for fact in facts(s, PrivateClosed)} >= {"A", "B", "D", "E"}
    assert {s.owner[private] for private in ("C", "F", "K1", "K3", "K4")} == {"p1"}
    s = pushed_to_phase_4(A)
    assert [fact.private for fact in facts(s, PrivateClosed)] == ["A", "B", "E", "D", "F"]


@pytest.mark.rule("1890-PRV-07")
def test_hankai_pays_5_from_phase_4_counts_as_certificate_and_is_not_for_sale() -> None:
    s = pushed_to_phase_4(D)
    assert facts(s, PrivatePays) == [PrivatePays("C", 5)]
    t, s = railway("Hankyu", "track", D, phase="4").private(C="p1").set(revenue={"C": 5}).build()
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "C", 70), "1890-OR-04")
    assert not t.policy.privates.blocks(t, s, "C")
    note = t.policy.privates.note(t, s, "C")
    assert "until a company owns it or phase 4 begins" in note
    assert "no company can buy it" in note
    assert "not for sale" not in note, "another player may buy it"
    rows = {row.id: row for row in table_view(t, s, None).players}
    assert rows["p1"].certs == 6
    later = next_round(t, s)
    assert income(later, "p1") == 5


@pytest.mark.rule("1890-PRV-10")
def test_ome_counts_nothing_at_the_end() -> None:
    t, s = table("1890", 3).opening().build()
    for private in "ABCDE":
        s.owner[private] = "p3"
    s = allows(t, s, BuyPrivate("p1", "F"))
    worth = {row.id: row.worth for row in table_view(t, s, None).players}
    assert worth["p1"] == 840 - 220
    assert worth["p3"] == 840 + 20 + 40 + 70 + 110 + 160


@pytest.mark.rule("1890-PRV-12")
@pytest.mark.parametrize(("phase", "options"), [("1", ()), ("5", ()), ("5", ("earthquake",)), ("1", ("air_raids",))])
def test_ome_closes_when_the_subway_buys_a_train(phase: str, options: tuple[str, ...]) -> None:
    t, s = railway("Subway", "trains", *options, phase=phase).private(F="p2").build()
    s.depot.update({"2": 3} if phase == "1" else {"6": 1})
    rank, price = ("2", 80) if phase == "1" else ("6", 630)
    other = railway("Hankyu", "trains", *options, phase=phase).private(F="p2").build()
    other[1].depot.update({"2": 3} if phase == "1" else {"6": 1})
    assert allows(*other, BuyTrain("p1", "Hankyu", rank, BANK, price)).owner["F"] == "p2"
    after = allows(t, s, BuyTrain("p1", "Subway", rank, BANK, price))
    assert after.owner["F"] == CLOSED


# Between players


def at_market(**owners: str) -> Table:
    return market().private(**owners).cash(p1=300, p2=50)


@pytest.mark.rule("1890-SR-13")
def test_a_private_passes_between_players_at_any_agreed_price() -> None:
    t, s = at_market(B="p2").build()
    for price in (0, 1, 40, 137, 300):
        action = TradePrivate("p1", "B", price)
        assert consent(t, s, action) == "p2"
        after = allows(t, s, action)
        assert after.owner["B"] == "p1"
        assert (after.cash["p1"], after.cash["p2"]) == (300 - price, 50 + price)
        assert sum(after.cash.values()) == t.bank
    refuses(t, s, TradePrivate("p1", "B", 301), "1890-SR-13")
    refuses(t, s, TradePrivate("p1", "B", -1), "1890-SR-13")


@pytest.mark.rule("1890-SR-13")
def test_nobody_is_asked_whether_somebody_makes_them_a_gift() -> None:
    t, s = at_market(B="p3").cash(p2=0).stock(up="p1").build()
    s = allows(t, s, Pass("p1"))
    assert decision(t, s).players == ("p3",)


@pytest.mark.rule("1890-SR-13", "1890-SR-12")
def test_the_trade_is_the_purchase_of_the_turn() -> None:
    t, s = at_market(A="p2", B="p2").par("Hankyu", 80).shares("Hankyu", p3=2, p1=1).build()
    s = allows(t, s, TradePrivate("p1", "B", 40))
    refuses(t, s, TradePrivate("p1", "A", 20), "1890-SR-12")
    assert not [a for a in legal(t, s, "p1") if type(a).__name__ == "BuyShare"]
    s = allows(t, s, Pass("p1"))
    assert decision(t, s).players == ("p2",)


@pytest.mark.rule("1890-SR-13", "1890-MIN-02", "1890-SR-26")
def test_nothing_else_passes_between_players() -> None:
    t, s = at_market(M1="p2", K1="p2", A="p1", B="Hankyu").par("Hankyu").build()
    for private in ("M1", "K1", "A", "B", "C"):
        refuses(t, s, TradePrivate("p1", private, 50), "1890-SR-13")


@pytest.mark.rule("1890-SR-13", "1890-SR-15")
def test_the_certificate_limit_binds_the_buyer_of_a_private() -> None:
    t, s = market(players=7).private(A="p1", B="p1", C="p2").par("Hankyu").shares("Hankyu", p1=6).build()
    s.shares["JR"] = {"ipo": 7, "p1": 3}
    refuses(t, s, TradePrivate("p1", "C", 10), "1890-SR-15")


# Late privates


@pytest.mark.rule("1890-SR-25")
def test_late_privates_are_sold_from_the_second_game_turn() -> None:
    t, s = market(turn=1).private(K1=RESERVED).cash(p1=600).build()
    refuses(t, s, BuyPrivate("p1", "K1"), "1890-SR-25")
    t, s = market(turn=2).private(K1=RESERVED).cash(p1=600).build()
    allows(t, s, BuyPrivate("p1", "K1"))
    refuses(t, s, BuyPrivate("p1", "A"), "1890-SR-25")


@pytest.mark.rule("1890-SR-26", "1890-SR-12", "1890-PRV-25")
def test_a_late_private_costs_its_face_value_and_counts_one() -> None:
    t, s = market().private(K1=RESERVED, K3=RESERVED).cash(p1=479).par("Hankyu").shares("Hankyu", p3=2, p1=1).build()
    refuses(t, s, BuyPrivate("p1", "K4"), "1890-SR-25")
    after = allows(t, s, BuyPrivate("p1", "K1"))
    assert (after.cash["p1"], after.cash[BANK]) == (279, s.cash[BANK] + 200)
    refuses(t, after, BuyPrivate("p1", "K3"), "1890-SR-12")
    assert table_view(t, after, None).players[0].certs == 1 + 1
    t, s = market().private(K3=RESERVED).cash(p1=279).build()
    refuses(t, s, BuyPrivate("p1", "K3"), "1890-SR-26")


@pytest.mark.rule("1890-PRV-25", "1890-SR-15")
def test_at_the_certificate_limit_no_late_private_is_bought() -> None:
    found = market(players=7).private(A="p1", B="p1", K1=RESERVED).par("Hankyu").shares("Hankyu", p1=6)
    t, s = found.cash(p1=600).build()
    s.shares["JR"] = {"ipo": 8, "p1": 2}
    assert certificates(t, s, "p1") == t.cert_limit - 1
    allows(t, s, BuyPrivate("p1", "K1"))
    s.shares["JR"] = {"ipo": 7, "p1": 3}
    refuses(t, s, BuyPrivate("p1", "K1"), "1890-SR-15")
    assert not any(isinstance(a, BuyPrivate) for a in legal(t, s, "p1"))


@pytest.mark.rule("1890-PRV-14")
@pytest.mark.parametrize(
    ("owner", "token", "phase", "paid"),
    [("p2", True, "2", 40), ("p2", False, "2", 0), (RESERVED, True, "2", 0), ("p2", True, "6", 40)],
)
def test_keifuku_brings_keihan_40_for_its_token_in_kyoto(owner: str, token: bool, phase: str, paid: int) -> None:
    found = market(phase=phase).private(K1=owner).par("Keihan").shares("Keihan", p3=6)
    if token:
        found.token("Keihan", "B17", 1)
    t, s = found.build()
    s = next_round(t, s)
    assert income(s, "Keihan") == paid
    assert income(s, "p2") == (40 if owner == "p2" else 0)


@pytest.mark.rule("1890-PRV-24")
def test_semboku_brings_each_company_in_sakai_40() -> None:
    found = market().par("Nankai").shares("Nankai", p3=6).par("Sanyo").shares("Sanyo", p3=6).private(K4="p1")
    t, s = found.par("JR", 100).shares("JR", p3=6).token("Nankai", "J11", 0).token("JR", "J11", 1).build()
    s = next_round(t, s)
    assert [income(s, who) for who in ("Nankai", "JR", "Sanyo", "p1")] == [40, 40, 0, 70]
    t, s = found.private(K4=RESERVED).build()


@pytest.mark.rule("1890-PRV-24")
def test_semboku_unowned_brings_nothing() -> None:
    t, s = market().par("Nankai").shares("Nankai", p3=6).private(K4=RESERVED).token("Nankai", "J11", 0).build()
    assert income(next_round(t, s), "Nankai") == 0


@pytest.mark.rule("1890-PRV-23")
def test_kita_osaka_pays_100_once_after_the_first_6_train() -> None:
    t, s = railway("Hankyu", "trains", phase="4", cash=700).private(K3="p2").trains("Hankyu", "5").par("Sanyo").build()
    s.depot.update({"5": 0, "6": 2, "D": 6})
    s.or_count = 3
    s.queue = ("Sanyo",)
    s = allows(t, s, BuyTrain("p1", "Hankyu", "6", BANK, 630))
    s = next_round(t, s)
    assert income(s, "p2") == 100
    s = next_round(t, s)
    assert income(s, "p2") == 60


# Kobe Rapid


def kobe(step: str = "token", corp: str = "Hanshin", *options: str, tile: str = "820") -> Table:
    """Hanshin is joined to Kobe, which shows a tile with several places."""
    found = railway(corp, step, *options, phase="3" if tile == "820" else "4").tile("F5", tile, 0)
    return found.tile("F7", "57", 1).tile("F9", "57", 1)


@pytest.mark.rule("1890-PRV-15", "1890-PRV-16", "1890-PRV-19")
def test_kobe_rapid_sends_the_tokens_home_and_takes_a_place() -> None:
    found = market(phase="4").tile("F5", "830", 0).private(K2=RESERVED).cash(p1=500)
    found.par("JR", 100).shares("JR", p2=6).par("Hanshin").shares("Hanshin", p3=6).par("Sanyo").shares("Sanyo", p3=6)
    t, s = found.token("Hanshin", "F5").token("Sanyo", "F5").build()
    assert tokens_at(s, "F5") == ("JR", "Hanshin", "Sanyo")
    assert (s.tokens["Hanshin"], s.tokens["Sanyo"]) == ((100,), ())
    s = allows(t, s, BuyPrivate("p1", "K2"))
    assert sorted(token or "" for token in tokens_at(s, "F5")) == ["", "JR", "K2"]
    assert (s.tokens["Hanshin"], s.tokens["Sanyo"]) == ((100, 100), (100,))
    assert s.cash["p1"] == 260
    assert sorted(own(s).passage) == ["Hanshin", "Sanyo"]
    assert facts(s, TokenPlaced)[0].corp == "K2"
    lines = narrate(s.facts, lexicon(s.names, t))
    assert "The token of **Hanshin** returns from F5 Kobe." in lines
    assert "**Hanshin** may pass the token of K2 Kobe Rapid Transit Railway." in lines
    s = next_round(t, s)
    assert income(s, "p1") == 0
    assert s.operating != "K2"
    assert s.trains["K2"] == ()


@pytest.mark.rule("1890-PRV-21")
def test_kobe_rapid_waits_for_two_places_in_kobe() -> None:
    t, s = market(phase="2").private(K2=RESERVED).cash(p1=500).build()
    refuses(t, s, BuyPrivate("p1", "K2"), "1890-PRV-21")
    t, s = market(phase="2").private(K2=RESERVED).cash(p1=500).tile("F5", "820", 0).build()
    assert tokens_at(allows(t, s, BuyPrivate("p1", "K2")), "F5") == ("K2", None)


@pytest.mark.rule("1890-PRV-18")
def test_the_right_of_passage_costs_100_and_is_the_turns_token() -> None:
    t, s = kobe().private(K2="p2").token("K2", "F5").build()
    after = allows(t, s, BuyPassage("p1", "Hanshin"))
    assert after.cash["Hanshin"] == 800
    assert after.cash[BANK] == s.cash[BANK] + 100
    assert after.tokens["Hanshin"] == s.tokens["Hanshin"]
    assert own(after).passage == ("Hanshin",)
    assert facts(after, PassageGained)[0].cost == 100
    assert not [a for a in legal(t, after, "p1") if isinstance(a, PlaceToken | BuyPassage)]
    s.cash["Hanshin"] = 99
    refuses(t, s, BuyPassage("p1", "Hanshin"), "1890-PRV-18")


def test_who_can_have_the_right_of_passage_is_told_what_it_is_whatever_money_there_is() -> None:
    t, s = kobe().private(K2="p2").token("K2", "F5").build()
    what = "for ¥100, in place of a token, trains of Hanshin pass Kobe as if Kobe Rapid were not there"
    said = f"The right of passage: {what}."
    assert t.policy.milestones.reminder(t, s) == said
    s.cash["Hanshin"] = 0
    assert t.policy.milestones.reminder(t, s) == said
    s.cash["Hanshin"] = 900
    assert t.policy.milestones.reminder(t, allows(t, s, BuyPassage("p1", "Hanshin"))) == ""
    t, s = kobe().private(K2=RESERVED).build()
    assert t.policy.milestones.reminder(t, s) == ""


@pytest.mark.rule("1890-PRV-18")
def test_the_right_needs_kobe_rapid_and_a_connection_and_comes_before_a_token() -> None:
    t, s = kobe().private(K2=RESERVED).build()
    refuses(t, s, BuyPassage("p1", "Hanshin"), "1890-PRV-18")
    t, s = railway("Hankyu", "token", phase="3").tile("F5", "820", 0).private(K2="p2").token("K2", "F5").build()
    refuses(t, s, BuyPassage("p1", "Hankyu"), "1890-PRV-18")
    t, s = kobe().private(K2="p2").token("K2", "F5").build()
    placed = allows(t, s, PlaceToken("p1", "Hanshin", "F7.0"))
    assert placed.step != "token"
    s.tokened = True
    refuses(t, s, BuyPassage("p1", "Hanshin"), "1890-PRV-18")


@pytest.mark.rule("1890-PRV-19")
def test_who_needs_no_right_and_who_cannot_have_it() -> None:
    t, s = kobe().private(K2="p2").token("K2", "F5").own(passage=("Hanshin",)).build()
    refuses(t, s, BuyPassage("p1", "Hanshin"), "1890-PRV-19")
    t, s = kobe().private(K2="p2").token("K2", "F5").token("Hanshin", "F5").build()
    refuses(t, s, BuyPassage("p1", "Hanshin"), "1890-PRV-19")
    for corp in ("JR", "Subway"):
        t, s = kobe("token", corp).private(K2="p2").token("K2", "F5").build()
        refuses(t, s, BuyPassage("p1", corp), "1890-PRV-19")


# Hanshin F9 - Ashiya F7 - Kobe F5 - Akashi F3
THROUGH = Route("4", ("F9.0", 1, "F7.0", 1, "F5.0", 1, "F3.0"))
TO_KOBE = Route("3", ("F9.0", 1, "F7.0", 1, "F5.0"))


def full_kobe(step: str = "run", *options: str) -> Table:
    """Kobe holds JR and Kobe Rapid alone, so that it is full; Akashi lies behind."""
    found = kobe(step, "Hanshin", *options).private(K2="p2").token("K2", "F5").par("JR", 100).shares("JR", p3=5)
    return found.tile("F3", "57", 1).trains("Hanshin", "4")


@pytest.mark.rule("1890-PRV-17")
def test_with_the_right_a_train_passes_kobe_rapids_token() -> None:
    t, s = full_kobe().build()
    refuses(t, s, RunTrains("p1", "Hanshin", (THROUGH,)), "1890-RTE-01")
    t, s = full_kobe().own(passage=("Hanshin",)).build()
    after = allows(t, s, RunTrains("p1", "Hanshin", (THROUGH,)))
    assert after.income == 20 + 20 + 50 + 20
    assert THROUGH in [route for a in legal(t, s, "p1") if isinstance(a, RunTrains) for route in a.routes]


@pytest.mark.rule("1890-PRV-17")
def test_for_track_and_tokens_kobe_rapid_blocks_like_any_other() -> None:
    t, s = full_kobe("token").tile("F3", "14", 0).own(passage=("Hanshin",)).build()
    refuses(t, s, PlaceToken("p1", "Hanshin", "F3.0"), "1890-TOK-04")
    t, s = full_kobe("track").own(passage=("Hanshin",)).build()
    assert not [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex in ("F3", "E2", "E4")]


@pytest.mark.rule("1890-PRV-20")
@pytest.mark.parametrize("options", [(), ("tigers_die",)])
def test_each_route_through_kobe_without_a_token_there_pays_half_of_kobe(options: tuple[str, ...]) -> None:
    t, s = full_kobe("run", *options).build()
    s.trains["Hanshin"] = ("3",)
    after = allows(t, s, RunTrains("p1", "Hanshin", (TO_KOBE,)))
    assert income(after, "p2") == 25
    assert after.income == 20 + 20 + 50, "the company loses nothing"


@pytest.mark.rule("1890-PRV-20")
def test_two_routes_pay_twice() -> None:
    # Hankyu, on its own ways to Kobe from both sides: F7 - F5 and D5 - E4 - F5
    found = railway("Hankyu", "run", phase="3").tile("F5", "820", 0).tile("F7", "57", 1).tile("E4", "8", 3)
    found.token("Hankyu", "F7").token("Hankyu", "D5").private(K2="p2").token("K2", "F5").trains("Hankyu", "2", "2")
    t, s = found.build()
    legal_runs = offered(t, s, RunTrains)
    assert legal_runs
    after = allows(t, s, legal_runs[0])
    assert len(legal_runs[0].routes) == 2
    assert income(after, "p2") == 50


@pytest.mark.rule("1890-PRV-20")
@pytest.mark.parametrize(("token", "owner"), [(True, "p2"), (False, RESERVED)])
def test_nothing_is_paid_by_companies_in_kobe_or_before_kobe_rapid_is_sold(token: bool, owner: str) -> None:
    found = kobe("run").private(K2=owner).trains("Hanshin", "3").par("JR", 100).shares("JR", p3=5)
    if token:
        found = (
            kobe("run", tile="830").private(K2=owner).trains("Hanshin", "3").token("K2", "F5").token("Hanshin", "F5")
        )
    t, s = found.build()
    assert income(allows(t, s, RunTrains("p1", "Hanshin", (TO_KOBE,))), "p2") == 0


@pytest.mark.rule("1890-PRV-22")
def test_places_that_get_free_later_are_tokened_as_usual() -> None:
    found = kobe("token", tile="830").private(K2="p2").token("K2", "F5").par("JR", 100).shares("JR", p3=5)
    t, s = found.own(passage=("Hanshin",)).build()
    after = allows(t, s, PlaceToken("p1", "Hanshin", "F5.0"))
    assert sorted(filter(None, tokens_at(after, "F5"))) == ["Hanshin", "JR", "K2"]


@pytest.mark.rule("1890-PRV-22", "1890-PRV-16")
def test_a_returned_token_is_placed_again_for_100() -> None:
    found = kobe("token", tile="830").private(K2="p2").token("K2", "F5").par("JR", 100).shares("JR", p3=5)
    t, s = found.build()
    s.tokens["Hanshin"] = (100, 100)
    after = allows(t, s, PlaceToken("p1", "Hanshin", "F5.0"))
    assert after.cash["Hanshin"] == s.cash["Hanshin"] - 100


@pytest.mark.rule("1890-TRN-12")
def test_kobe_rapid_owns_no_trains() -> None:
    t, s = railway("Hankyu", "trains").build()
    assert all(phase.train_limit["late"] == 0 for phase in t.phases)
    assert "K2" not in s.floated


@pytest.mark.rule("1890-PRV-07")
def test_a_hankai_that_closed_with_its_company_is_said_to_pay_nothing() -> None:
    t, s = railway("Hankyu", "trains", phase="3", cash=600).private(C=CLOSED).build()
    s.depot.update({"4": 0, "3": 0, "5": 2})
    assert not facts(allows(t, s, BuyTrain("p1", "Hankyu", "5", BANK, 450)), PrivatePays)


@pytest.mark.rule("1890-PRV-07")
def test_hankai_pays_5_in_the_round_after_the_first_5_train() -> None:
    s = pushed_to_phase_4(D)
    t = table("1890", 3, D).title
    s.owner["F"] = CLOSED
    assert income(next_round(t, s), "p1") == 5
