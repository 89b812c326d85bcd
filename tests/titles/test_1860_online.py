"""1860 by option `online`: where 18xx.games asks, refuses or waits otherwise than the rule book."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, offered, refuses, table
from tables_1860 import at, railway

from engine import BANK, IPO, POOL, State, Title, decision, legal
from engine.actions import BuyPrivate, BuyShare, BuyTrain, ExchangePrivate, LayTile, Par, Pass, Route, RunTrains
from engine.facts import TrainsRan
from engine.titles.t1860.companies import in_receivership
from engine.titles.t1860.own import own

EVERYTHING = {"C&N": 74, "IOW": 74, "IWNJ": 62, "FYN": 62, "NGStL": 58, "BHI&R": 58, "S&C": 54, "VYSC": 54}


def without_director(cash: int, *options: str) -> tuple[Title, State]:
    """The director's certificate of IOW, at 74, lies alone in the pool; p1 has a share."""
    laid = table("1860", 3, *options).par("IOW", 74).shares("IOW", p1=1, pool=2).cash(p1=cash)
    t, s = laid.build()
    s.president["IOW"] = POOL
    assert in_receivership(s, "IOW")
    return t, s


@pytest.mark.rule("1860-VAR-15", "1860-EMR-14")
def test_who_buys_into_the_directors_certificate_pays_a_share_but_has_the_price_of_two() -> None:
    into = BuyShare("p1", "IOW", POOL)
    after = allows(*without_director(148, "online"), into)
    assert (after.president["IOW"], after.cash["p1"]) == ("p1", 74)
    assert "£148" in refuses(*without_director(147, "online"), into, "1860-EMR-14")
    refuses(*without_director(148), into, "1860-EMR-14")


@pytest.mark.rule("1860-VAR-15")
@pytest.mark.parametrize(("cash", "asked"), [(147, False), (148, True)])
def test_a_directors_certificate_that_only_money_could_buy_is_reason_to_ask(cash: int, asked: bool) -> None:
    others = {corp: par for corp, par in EVERYTHING.items() if corp != "IOW"}
    laid = table("1860", 3, "online").par("IOW", 74).shares("IOW", p2=1, p3=7, pool=2).cash(p1=cash, p2=0, p3=0)
    for corp, par in others.items():
        laid.par(corp, par).shares(corp, p2=5, p3=5)
    t, s = laid.build()
    s.president["IOW"], s.up = POOL, "p1"
    assert t.rounds["SR"].steps[0].asks(t, s) is asked
    assert [type(action) for action in legal(t, s, "p1")] == [Pass]


@pytest.mark.rule("1860-VAR-15")
def test_a_fortune_is_no_reason_to_ask_where_every_share_has_been_bought() -> None:
    laid = table("1860", 3, "online").cash(p1=2000, p2=0, p3=0)
    for corp, par in EVERYTHING.items():
        laid.par(corp, par).shares(corp, p2=5, p3=5)
    t, s = laid.build()
    s.up = "p1"
    assert not t.rounds["SR"].steps[0].asks(t, s)


# The pass after a purchase from phase 6 on


def late(*options: str, phase: str = "6") -> Table:
    return table("1860", 3, *options).phase(phase).par("IOW", 74).cash(p1=900, p2=900, p3=900).own(layer=4)


@pytest.mark.rule("1860-VAR-15", "1860-PRV-14")
@pytest.mark.parametrize(
    ("options", "phase", "private", "asked"),
    [
        (("online",), "6", "BHC", True),
        (("online",), "5", "BHC", False),
        (("online",), "6", "FFC", False),
        ((), "6", "BHC", False),
    ],
)
def test_who_buys_a_private_late_is_asked_once_more(
    options: tuple[str, ...], phase: str, private: str, asked: bool
) -> None:
    t, s = late(*options, phase=phase).private(BHC=BANK, FFC=BANK).build()
    after = allows(t, s, BuyPrivate("p1", private))
    assert (after.up == "p1") is asked
    if asked:
        assert [type(action) for action in legal(t, after, "p1")] == [Pass]
        passed = allows(t, after, Pass("p1"))
        assert (passed.up, passed.passes, passed.last_actor) == ("p2", 0, "p1")
        assert not own(passed).bought


@pytest.mark.rule("1860-VAR-15", "1860-PRV-14")
def test_who_starts_a_company_late_with_its_private_in_hand_is_asked_once_more() -> None:
    t, s = late("online").private(BHC="p1", YHC="p2", FFC=BANK).build()
    started = allows(t, s, Par("p1", "BHI&R", *at(58)))
    assert started.up == "p1"
    assert set(map(type, legal(t, started, "p1"))) == {Pass, ExchangePrivate}
    assert allows(t, started, ExchangePrivate("p1", "BHC")).up == "p2", "nothing is left to wait for"
    assert allows(t, s, Par("p1", "FYN", *at(62))).up == "p2", "its private is another player's"


@pytest.mark.rule("1860-VAR-15", "1860-PRV-05")
def test_a_private_is_exchanged_in_anybodys_turn_of_a_stock_round() -> None:
    t, s = table("1860", 3, "online").stock("p2").private(YHC="p1").par("FYN", 74).shares("FYN", p3=2).build()
    after = allows(t, s, ExchangePrivate("p1", "YHC"))
    assert (after.held("FYN", "p1"), after.up, after.passes) == (1, "p2", s.passes)
    t, s = table("1860", 3, "online").private(YHC="p1").par("FYN", 74).operating("FYN").build()
    assert "stock round" in refuses(t, s, ExchangePrivate("p1", "YHC"), "1860-PRV-05")


@pytest.mark.rule("1860-VAR-15", "1860-VAR-02c")
def test_nobody_is_asked_once_more_where_no_private_is_exchanged() -> None:
    t, s = late("online", "variable_privates").private(BHC="p1", FFC=BANK).build()
    assert allows(t, s, Par("p1", "BHI&R", *at(58))).up == "p2"


# No home tile, a fixed lease, a bankrupt seller


@pytest.mark.rule("1860-VAR-15", "1860-FLT-03", "1860-FLT-04")
def test_a_director_without_a_home_tile_to_lay_is_asked_to_pass() -> None:
    for options in ((), ("online",)):
        t, s = table("1860", 3, *options).par("FYN", 62).shares("FYN", p1=4).cash(p1=900).build()
        floats = BuyShare("p1", "FYN", IPO)
        asked = allows(t, s, floats)
        assert decision(t, asked).step == "home tile"
        refuses(t, asked, Pass("p1"), "1860-FLT-03" if options else "1860-SR-03")
        for tile in ("5", "6", "57", "115"):
            s.supply[tile] = 0
        bare = allows(t, s, floats)
        assert bool(bare.pending) is bool(options)
        if options:
            assert list(legal(t, bare, "p1")) == [Pass("p1")]
            bare = allows(t, bare, Pass("p1"))
        assert (bare.pending, bare.up) == ((), "p2")
        assert bare.board.token_stops("FYN") == (("B4", 0),)


@pytest.mark.rule("1860-VAR-15", "1860-VAR-13")
def test_the_simplified_lease_earns_by_its_calls() -> None:
    laid = table("1860", 3, "simplified_insolvency", "online").operating("IOW", "token").par("IOW", 74)
    t, s = laid.tile("J4", "6", 0).tile("J6", "746", 0).cash(IOW=100).phase("3").build()
    keep(s, insolvent=("IOW",))
    s.step = "track"
    asked = allows(t, s, Pass("p1"))
    asked = asked if asked.step == "run" else allows(t, asked, Pass("p1"))
    assert decision(t, asked).step == "run"
    proposed = offered(t, asked, RunTrains)
    for run, calls in ((proposed[0], 3), (RunTrains("p1", "IOW", (Route("3+2", ("I3.0", 5, "J4.0")),)), 2)):
        after = allows(t, asked, run)
        assert facts(after, TrainsRan)[0].revenue == 40 + calls * 20
        assert after.cash["IOW"] == 100 + 40 + calls * 20


@pytest.mark.rule("1860-VAR-15", "1860-VAR-09", "1860-TRK-10")
def test_spare_large_calls_serve_no_new_track_in_the_first_edition() -> None:
    """From Cowes over three small stations to a fourth: the 3+2 calls there with a spare large call, and goes on."""
    upgrade = LayTile("p1", "C&N", "C7", "750", 2)
    for options in (("first_edition",), ("first_edition", "online")):
        laid = railway("C&N", "track", "3+2", phase="3", options=options, players=2)
        laid.tile("F2", "787").tile("F4", "748", 1).tile("E5", "749", 4).tile("D6", "749", 4)
        t, s = laid.tile("C7", "742", 2).build()
        if "online" in options:
            assert "3+2" in refuses(t, s, upgrade, "1860-TRK-09")
            s.trains["C&N"] = ("7+4",)
        allows(t, s, upgrade)


@pytest.mark.rule("1860-TRN-04")
@pytest.mark.parametrize("options", [(), ("online",)])
@pytest.mark.parametrize("bankrupt", [False, True])
def test_a_bankrupt_company_that_has_a_director_again_is_no_seller(options: tuple[str, ...], bankrupt: bool) -> None:
    laid = table("1860", 3, *options).operating("IOW", "run").par("IOW", 74).trains("IOW").cash(IOW=100)
    laid.tile("J4", "6", 0).par("FYN", 62).shares("FYN", p2=2).trains("FYN", "2+1")
    t, s = laid.build()
    keep(s, bankrupt=("FYN",) if bankrupt else ())
    s.step = "trains"
    assert t.rounds["OR"].by_name["trains"].asks(t, s) is not bankrupt
    deals = offered(t, s, BuyTrain)
    assert bool(deals) is not bankrupt
