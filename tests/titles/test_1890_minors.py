"""1890: minors begin, operate by number and pay half; Kobe Electric becomes a late private."""

from __future__ import annotations

import pytest
from tables import allows, facts, keep, refuses, stop, table, tokens_at
from tables_1890 import minor, turn_over

from engine import POOL, State, Title, decision
from engine.actions import (
    BuyPrivate,
    BuyTrain,
    CompanyBuysPrivate,
    ExchangePrivate,
    LayTile,
    Pass,
    PlaceToken,
    RunTrains,
    SellShares,
    TradePrivate,
)
from engine.depot import bank_trains
from engine.facts import DividendDecided, TurnBegan
from engine.shares import certificates, worth
from engine.titles.t1890.own import own


@pytest.mark.rule("1890-MIN-01", "1890-FLT-06")
@pytest.mark.parametrize(("sym", "capital"), [("M1", 100), ("M2", 200), ("M3", 100), ("M4", 320), ("M5", 200)])
def test_a_minor_starts_with_its_capital_whatever_was_paid(sym: str, capital: int) -> None:
    t, s = table("1890", 3).opening().cash(p1=800).build()
    for private in t.privates:
        s.owner[private] = "bank" if private == sym else "closed"
    s.owner["K1"] = "reserved"
    after = allows(t, s, BuyPrivate("p1", sym))
    assert after.cash[sym] == capital
    assert after.president[sym] == "p1"
    assert sym in after.floated


@pytest.mark.rule("1890-MIN-02")
def test_a_minor_is_never_sold() -> None:
    t, s = table("1890", 3).stock().private(M2="p1").cash(p2=500).build()
    refuses(t, s, SellShares("p1", "M2", 1), "1890-SR-07")
    t, s = table("1890", 3).stock(up="p2").private(M2="p1").cash(p2=500).build()
    refuses(t, s, TradePrivate("p2", "M2", 100), "1890-SR-13")
    t, s = table("1890", 3).phase("2").operating("Hankyu").private(M2="p1").cash(Hankyu=500).build()
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "M2", 200), "1890-MIN-02")
    refuses(t, s, CompanyBuysPrivate("p1", "Hankyu", "M2", 1), "1890-MIN-02")  # not that another price would do


def first_turn(*minors: str) -> tuple[Title, State]:
    """The first operating round with these minors of p1, just begun."""
    found = table("1890", 3).stock().private(**dict.fromkeys(minors, "p1")).cash(**dict.fromkeys(minors, 100))
    t, s = found.build()
    s.floated = frozenset(minors)
    for corp in minors:
        s.president[corp] = "p1"
    s.passes = 2
    return t, allows(t, s, Pass("p1"))


@pytest.mark.rule("1890-MIN-03", "1890-MIN-05", "1890-OR-02")
def test_minors_operate_by_number_and_place_their_homes_in_their_first_turn() -> None:
    t, s = first_turn("M4", "M2", "M1")
    assert (s.operating, tokens_at(s, "J15")) == ("M1", ("M1",))
    assert tokens_at(s, "H13") == (None,)
    s = turn_over(t, s)
    assert (s.operating, tokens_at(s, "H13")) == ("M2", ("M2",))
    s = turn_over(t, s)
    assert s.operating == "M4"
    assert (tokens_at(s, "B17", 2), tokens_at(s, "H19")) == (("M4",), ("M4",))
    t, s = first_turn("M5")
    assert tokens_at(s, "D5") == ("M5",)


@pytest.mark.rule("1890-OR-02")
def test_minors_come_before_public_companies() -> None:
    t, s = minor("M5").par("JR").shares("JR", p1=6).build()
    s.queue = ("JR",)
    s = turn_over(t, s)
    assert s.operating == "JR"
    t, s = first_turn("M3", "M5")
    assert [fact.corp for fact in facts(s, TurnBegan)] == ["M3"]


@pytest.mark.rule("1890-MIN-04")
def test_osaka_railway_runs_from_the_token_of_osaka_electric() -> None:
    t, s = (
        minor("M3", "run", cash=100).private(M2="p2").token("M2", "H13").tile("H15", "57", 1).trains("M3", "2").build()
    )
    assert s.tokens["M3"] == ()
    route = next(iter(t.rounds["OR"].by_name["run"].verbs[0].candidates(t, s, "p1")))
    assert isinstance(route, RunTrains)
    assert {part for part in route.routes[0].path if isinstance(part, str)} == {stop("H13"), stop("H15")}
    assert allows(t, s, route).cash["p1"] == s.cash["p1"] + 30
    t, s = minor("M3", cash=100).private(M2="p2").token("M2", "H13").build()
    allows(t, s, LayTile("p1", "M3", "H15", "57", 1))


@pytest.mark.rule("1890-TRK-01", "1890-TOK-08")
def test_a_minor_lays_a_tile_but_places_no_token_beside_its_home() -> None:
    t, s = minor("M5").build()
    refuses(t, s, PlaceToken("p1", "M5", stop("D5")), "1890-OR-03")
    s = allows(t, s, LayTile("p1", "M5", "D7", "4", 1))
    assert s.step != "token"
    t, s = minor("M4", "token").build()
    refuses(t, s, PlaceToken("p1", "M4", stop("B17", 1)), "1890-TOK-09")


@pytest.mark.rule("1890-DIV-04", "1890-DIV-05")
def test_a_minor_pays_half_to_its_owner_and_keeps_half() -> None:
    """50 gives 25 each."""
    t, s = minor("M5", "run", cash=0).tile("D3", "58", 4).trains("M5", "2").build()
    (run,) = t.rounds["OR"].by_name["run"].verbs[0].candidates(t, s, "p1")
    s = allows(t, s, run)
    assert (s.cash["p1"], s.cash["M5"]) == (840 + 15, 15)
    t, s = minor("M5", "dividend", cash=0).build()
    s.income = 50
    t.rounds["OR"].proceed(t, s)
    assert (s.cash["p1"], s.cash["M5"]) == (840 + 25, 25)
    assert [fact.kind for fact in facts(s, DividendDecided)] == ["half"]
    assert "M5" not in s.cell


@pytest.mark.rule("1890-TRN-11", "1890-EMR-04")
def test_a_minor_with_a_route_must_own_a_train_and_its_owner_helps() -> None:
    t, s = minor("M5", "trains", cash=10).tile("D3", "58", 4).cash(p1=500).build()
    refuses(t, s, Pass("p1"), "1890-TRN-09")
    s = allows(t, s, BuyTrain("p1", "M5", "2", "bank", 80))
    assert (s.cash["M5"], s.cash["p1"], s.trains["M5"]) == (0, 430, ("2",))


@pytest.mark.rule("1890-MIN-06")
def test_what_a_minor_becomes_is_not_chosen() -> None:
    t, s = minor("M5", "trains").build()
    refuses(t, s, ExchangePrivate("p1", "M5", "Hankyu", "ipo"), "1890-MIN-06")


@pytest.mark.rule("1890-MIN-17", "1890-MIN-18")
def test_kobe_electric_becomes_a_late_private_in_its_own_turn() -> None:
    t, s = minor("M5", "trains", cash=150).trains("M5", "2").private(A="p2").build()
    before = certificates(t, s, "p1"), worth(t, s, "p1")
    s = allows(t, s, ExchangePrivate("p1", "M5"))
    assert s.operating != "M5"
    assert (s.owner["M5"], s.cash["M5"], s.trains["M5"]) == ("p1", 0, ())
    assert (s.train_pool, s.depot["2"]) == ((), (t.trains["2"].count or 0) + 1)
    assert tokens_at(s, "D5") == (None,)
    assert (certificates(t, s, "p1"), worth(t, s, "p1")) == (before[0] - 1, before[1] - 100)
    assert s.revenue.get("M5", t.privates["M5"].revenue) == 0
    s.round, s.step, s.operating, s.pending = "OR", "track", "M4", ()
    refuses(t, s, ExchangePrivate("p1", "M5"), "1890-MIN-18")


@pytest.mark.rule("1890-MIN-18", "1890-TRN-01")
def test_the_train_of_kobe_electric_is_sold_by_the_bank_again_in_its_order() -> None:
    found = table("1890", 3).phase("2").par("Sanyo").shares("Sanyo", p1=6).private(M5="p2").trains("M5", "2")
    t, s = found.operating("Sanyo", "trains").cash(Sanyo=900).build()
    s.floated |= {"M5"}
    assert bank_trains(t, s) == ["3"]
    s = turn_over(t, allows(t, s, ExchangePrivate("p2", "M5")))
    assert (bank_trains(t, s), s.train_pool) == (["2"], ())


@pytest.mark.rule("1890-MIN-18", "1890-TRN-10")
def test_a_train_that_came_back_to_the_bank_rusts_there() -> None:
    found = table("1890", 3).phase("5").par("Sanyo").shares("Sanyo", p1=6).operating("Sanyo", "trains").cash(Sanyo=1100)
    t, s = found.build()
    s.depot.update({"4": 1, "6": 1, "D": 2})
    assert bank_trains(t, s) == ["4", "D"]
    assert allows(t, s, BuyTrain("p1", "Sanyo", "D", "bank", 1100)).depot["4"] == 0


@pytest.mark.rule("1890-MIN-18")
def test_tanigami_is_open_once_kobe_electric_is_a_late_private() -> None:
    found = table("1890", 3).phase("2").par("Sanyo").shares("Sanyo", p1=6).operating("Sanyo", "token").cash(Sanyo=300)
    t, s = found.tile("F3", "57", 0).tile("E4", "9", 0).private(M5="p2").build()
    refuses(t, s, PlaceToken("p1", "Sanyo", stop("D5")), "1890-TOK-06")
    s.owner["M5"] = "p2"
    keep(s, closed=("M5",))
    allows(t, s, PlaceToken("p1", "Sanyo", stop("D5")))


@pytest.mark.rule("1890-MIN-06", "1890-MIN-17")
def test_a_change_is_declared_between_turns_or_for_the_end_of_the_present_turn() -> None:
    found = table("1890", 3).phase("2").par("Sanyo").shares("Sanyo", p1=6).private(M5="p2").cash(M5=70)
    t, s = found.operating("Sanyo", begun=False).build()
    s.floated |= {"M5"}
    at_once = allows(t, s, ExchangePrivate("p2", "M5"))
    assert (at_once.cash["M5"], at_once.operating) == (0, "Sanyo")
    s.begun = True
    later = allows(t, s, ExchangePrivate("p2", "M5"))
    assert later.cash["M5"] == 70
    refuses(t, later, ExchangePrivate("p2", "M5"), "1890-MIN-18")
    later = turn_over(t, later)
    assert later.cash["M5"] == 0


@pytest.mark.rule("1890-MIN-06")
def test_a_change_is_the_owners_and_belongs_to_operating_rounds() -> None:
    found = table("1890", 3).phase("2").par("Sanyo").shares("Sanyo", p1=6).private(M5="p2", A="p1")
    t, s = found.operating("Sanyo", begun=False).build()
    refuses(t, s, ExchangePrivate("p1", "M5"), "1890-MIN-06")
    refuses(t, s, ExchangePrivate("p1", "A"), "1890-MIN-06")
    t, s = table("1890", 3).stock(up="p2").private(M5="p2").build()
    refuses(t, s, ExchangePrivate("p2", "M5"), "1890-MIN-06")
    assert decision(t, s).players == ("p2",)
    assert POOL not in s.shares["Sanyo"]


@pytest.mark.rule("1890-VAR-08")
@pytest.mark.parametrize(("options", "left", "late"), [(("close_minors",), 0, ("M5",)), ((), 60, ())])
def test_close_minors_turns_kobe_electric_into_a_late_private_with_the_first_six(
    options: tuple[str, ...], left: int, late: tuple[str, ...]
) -> None:
    found = table("1890", 3, *options).phase("5").par("Sanyo").shares("Sanyo", p1=6).private(M5="p2")
    t, s = found.operating("Sanyo", "trains").cash(Sanyo=700, M5=60).build()
    s.floated |= {"M5"}
    s = turn_over(t, s)
    assert (s.cash["M5"], own(s).uncounted) == (left, late)
