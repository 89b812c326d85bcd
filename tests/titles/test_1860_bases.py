"""1860: where a company may build its bases, when, and for how much."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses, tokens_at
from tables_1860 import east_coast, lay, railway, without_director

from engine import decision, legal
from engine.actions import Pass, PlaceToken
from engine.facts import TokenPlaced
from engine.steps.token import not_reserved


def base(stop: str, corp: str = "IOW") -> PlaceToken:
    return PlaceToken("p1", corp, stop)


def coast(*trains: str, cash: int = 500, phase: str = "2") -> Table:
    return east_coast("token", *trains, cash=cash, phase=phase).tile("J8", "57", 0)


@pytest.mark.rule("1860-TOK-01")
def test_the_step_is_over_once_a_base_is_built() -> None:
    t, s = coast().build()
    after = allows(t, s, base("J6.0"))
    assert after.tokened
    assert decision(t, after).step != "token"
    s.tokened = True
    refuses(t, s, base("J8.0"), "1860-TOK-01")


@pytest.mark.rule("1860-TOK-01", "1860-FLT-02")
def test_the_home_base_is_free_and_of_the_charters_bases() -> None:
    _, s = coast().build()
    assert tokens_at(s, "I3") == ("IOW",)
    assert s.tokens["IOW"] == (40, 100, 100)


@pytest.mark.rule("1860-TOK-02")
def test_forty_for_the_second_a_hundred_for_each_later_one() -> None:
    t, s = coast().build()
    paid = []
    for stop in ("J4.0", "J6.0", "J8.0"):
        s = allows(t, s, base(stop))
        paid.append(facts(s, TokenPlaced)[0].cost)
        s.step, s.tokened = "token", False
    assert paid == [40, 100, 100]
    assert s.cash["IOW"] == 500 - 240
    assert s.tokens["IOW"] == ()


@pytest.mark.rule("1860-SET-08")
def test_a_company_without_bases_left_builds_none() -> None:
    t, s = coast().build()
    s.tokens["IOW"] = ()
    refuses(t, s, base("J6.0"), "1860-SET-08")
    assert not t.rounds["OR"].by_name["token"].asks(t, s)


@pytest.mark.rule("1860-TOK-02")
@pytest.mark.parametrize(("built", "cost"), [(0, 40), (1, 100)])
def test_the_treasury_pays(built: int, cost: int) -> None:
    for cash, enough in ((cost - 1, False), (cost, True)):
        laid = coast(cash=cash)
        if built:
            laid.token("IOW", "J4")
        t, s = laid.build()
        if enough:
            assert allows(t, s, base("J6.0")).cash["IOW"] == 0
        else:
            refuses(t, s, base("J6.0"), "1860-TOK-02")
            assert not t.rounds["OR"].by_name["token"].asks(t, s)


@pytest.mark.rule("1860-TOK-03")
def test_a_base_needs_an_empty_circle_that_track_leads_to() -> None:
    t, s = coast().par("S&C", 54).shares("S&C", p2=5).token("S&C", "J6").build()
    assert "no free place" in refuses(t, s, base("J6.0"), "1860-TOK-03")
    refuses(t, s, base("J8.0"), "1860-TOK-03")
    allows(t, s, base("J4.0"))
    refuses(t, s, base("I9.0"), "1860-TOK-03")


@pytest.mark.rule("1860-TOK-03")
def test_villages_and_the_pier_have_no_circle() -> None:
    t, s = railway("IOW", "token").tile("J4", "57", 2).tile("K5", "742", 0).tile("I3", "758", 0).build()
    assert "has no city" in refuses(t, s, base("K5.0"), "1860-TOK-03")
    refuses(t, s, base("J2.0"), "1860-TOK-03")
    assert [action.stop for action in legal(t, s, "p1") if isinstance(action, PlaceToken)] == ["J4.0"]


@pytest.mark.rule("1860-TOK-03")
def test_distance_and_trains_do_not_matter() -> None:
    t, s = coast().build()
    assert s.trains["IOW"] == ()
    allows(t, s, base("J8.0"))


@pytest.mark.rule("1860-TOK-03", "1860-TRK-19", "1860-EMR-17")
def test_not_past_a_tokened_out_station_be_its_bases_up_or_down() -> None:
    for state in ("insolvent", "bankrupt"):
        t, s = coast().par("S&C", 54).shares("S&C", p2=5).no_homes().token("IOW", "I3").token("S&C", "J4").build()
        keep(s, **{state: ("S&C",)})
        refuses(t, s, base("J6.0"), "1860-TOK-03")
        refuses(t, s, base("J4.0"), "1860-TOK-03")


@pytest.mark.rule("1860-TOK-04")
def test_one_base_in_a_hex() -> None:
    t, s = railway("NGStL", "token", phase="5").tile("G9", "770", 0).build()
    assert tokens_at(s, "G9") == ("NGStL", None)
    refuses(t, s, base("G9.0", "NGStL"), "1860-TOK-04")


def bembridge(tile: str, rotation: int, *, started: bool) -> Table:
    """IOW's track leads by St. Helens and K7 to Bembridge (L6), home of BHI&R."""
    laid = railway("IOW", "token", phase="5").tile("J4", "57", 2).tile("K5", "742", 0).tile("K7", "7", 3)
    if started:
        laid.par("BHI&R", 58).shares("BHI&R", p2=5)
    return laid.tile("L6", tile, rotation)


@pytest.mark.rule("1860-TOK-05")
def test_the_home_of_another_company_is_kept_for_it() -> None:
    t, s = bembridge("115", 1, started=False).build()
    assert "BHI&R" in refuses(t, s, base("L6.0"), "1860-TOK-05")


@pytest.mark.rule("1860-TOK-05")
def test_beyond_the_place_of_the_home_base_there_is_room() -> None:
    t, s = bembridge("776", 1, started=False).build()
    after = allows(t, s, base("L6.0"))
    assert tokens_at(after, "L6").count(None) == 1
    assert not_reserved(t, after, PlaceToken("p2", "C&N", "L6.0")) is not None
    assert not_reserved(t, after, PlaceToken("p2", "BHI&R", "L6.0")) is None
    t, s = bembridge("776", 1, started=True).build()
    assert set(tokens_at(allows(t, s, base("L6.0")), "L6")) == {"BHI&R", "IOW"}


@pytest.mark.rule("1860-TOK-06")
def test_bases_keep_their_station_when_the_hex_is_upgraded() -> None:
    t, s = east_coast("track", "4+2", phase="3").token("IOW", "J6").build()
    after = allows(t, s, lay("J6", "762", 0))
    assert tokens_at(after, "J6") == ("IOW",)
    t, s = railway("IOW", "track", "2+1", phase="5").tile("G5", "763", 0).no_homes().token("IOW", "G5", 1).build()
    after = allows(t, s, lay("G5", "773", 0))
    assert (tokens_at(after, "G5", 0), tokens_at(after, "G5", 1)) == ((None, None), ("IOW",))


@pytest.mark.rule("1860-TOK-06", "1860-TRK-14")
def test_the_place_at_ventnor_is_that_of_the_printed_town() -> None:
    t, s = railway("IOW", "track", "2+1", phase="3").no_homes().token("IOW", "I11").build()
    after = allows(t, s, lay("I11", "760", 0))
    assert (tokens_at(after, "I11", 0), tokens_at(after, "I11", 1)) == (("IOW",), (None,))


@pytest.mark.rule("1860-TOK-07")
def test_no_bases_for_the_insolvent_the_ownerless_and_after_southern() -> None:
    t, s = coast().build()
    step = t.rounds["OR"].by_name["token"]
    assert step.asks(t, s)
    keep(s, insolvent=("IOW",))
    assert not step.asks(t, s)
    keep(s, insolvent=("C&N",))
    keep(s, southern="formed")
    assert step.asks(t, s)
    keep(s, southern="over")
    assert not step.asks(t, s)
    keep(s, southern="")
    without_director(s)
    assert not step.asks(t, s)


@pytest.mark.rule("1860-OR-01")
def test_only_the_company_whose_turn_it_is_builds() -> None:
    t, s = coast().par("C&N", 74).shares("C&N", p1=5).build()
    refuses(t, s, base("J6.0", "C&N"), "1860-OR-01")


@pytest.mark.rule("1860-TOK-01")
def test_no_base_need_be_built() -> None:
    t, s = coast().build()
    assert allows(t, s, Pass("p1")).tokens["IOW"] == (40, 100, 100)
