"""1889: powers of the private companies."""

from __future__ import annotations

import pytest
from tables import Table, allows, ends_round, facts, offered, refuses, table

from engine import BANK, IPO, certificates, consent, decision, legal
from engine.actions import BuyTrain, CompanyBuysPrivate, ExchangePrivate, LayPowerTile, LayTile, Pass, SellShares
from engine.facts import Floated, PresidentChanged, PrivateSold, SharesMoved
from engine.rounds.operating import pay_privates
from engine.viewing import table_view


def port(by: str, hex_id: str = "J9", rotation: int = 4, tile: str = "437") -> LayPowerTile:
    return LayPowerTile(by, "B", hex_id, tile, rotation)


# Sales to companies


@pytest.mark.rule("1889-PRV-02")
@pytest.mark.parametrize(
    ("private", "low", "high"),
    [("A", 10, 40), ("B", 15, 60), ("C", 20, 80), ("D", 25, 100), ("E", 30, 120), ("F", 40, 160)],
)
def test_half_to_double(private: str, low: int, high: int) -> None:
    t, s = table("1889").operating("AR").phase("3").private(**{private: "p2"}).cash(AR=500).build()
    for price in (low - 1, high + 1, 0, -low, 10**9):
        refuses(t, s, CompanyBuysPrivate("p1", "AR", private, price), "1889-PRV-02")
    for price in (low, low + 1, high):
        sale = CompanyBuysPrivate("p1", "AR", private, price)
        after = allows(t, s, sale)
        assert after.owner[private] == "AR"
        assert (after.cash["AR"], after.cash["p2"]) == (500 - price, 420 + price)
        assert consent(t, s, sale) == "p2"


@pytest.mark.rule("1889-PRV-02", "1889-SEC-04")
def test_the_treasury_pays_and_the_price_is_announced() -> None:
    t, s = table("1889").operating("AR").phase("4").private(F="p2").cash(AR=50).build()
    assert "¥50" in refuses(t, s, CompanyBuysPrivate("p1", "AR", "F", 51), "1889-PRV-02")
    s = allows(t, s, CompanyBuysPrivate("p1", "AR", "F", 50))
    assert facts(s, PrivateSold) == [PrivateSold("F", "p2", "AR", 50)]


@pytest.mark.rule("1889-PRV-02")
def test_only_the_operating_company_buys() -> None:
    laid = table("1889").operating("AR").par("SR").shares("SR", p1=5).phase("3")
    t, s = laid.private(F="p1").cash(AR=500, SR=500).build()
    refuses(t, s, CompanyBuysPrivate("p1", "SR", "F", 80), "1889-PRV-02")


@pytest.mark.rule("1889-PRV-03")
def test_no_other_way_to_sell_a_private() -> None:
    t, s = table("1889").private(A="p1", F="p1").build()
    assert {type(action).__name__ for action in legal(t, s, "p1")} <= {"Par", "BuyShare", "SellShares", "Pass"}
    refuses(t, s, CompanyBuysPrivate("p1", "AR", "F", 80), "1889-SR-02")


@pytest.mark.rule("1889-PRV-16")
def test_a_company_keeps_its_private() -> None:
    t, s = table("1889").operating("AR").par("SR").shares("SR", p1=5).phase("3").private(F="SR").cash(AR=500).build()
    refuses(t, s, CompanyBuysPrivate("p1", "AR", "F", 80), "1889-PRV-16")
    t, s = table("1889").operating("AR").phase("3").private(F="AR").cash(AR=500).build()
    refuses(t, s, CompanyBuysPrivate("p1", "AR", "F", 80), "1889-PRV-16")


@pytest.mark.rule("1889-PRV-14", "1889-SR-15")
def test_a_companys_private_pays_into_its_treasury_and_counts_for_nobody() -> None:
    t, s = table("1889").operating("AR").private(F="AR", A="p2").cash(AR=0).build()
    assert certificates(t, s, "p1") == 4
    assert certificates(t, s, "p2") == 1
    new = s.copy()
    pay_privates(t, new)
    assert (new.cash["AR"], new.cash["p2"]) == (20, 425)


# B: the ferry


@pytest.mark.rule("1889-PRV-04")
@pytest.mark.parametrize("hex_id", ["B11", "G10", "I12", "J9"])
def test_the_port_on_a_coastal_town_without_connection(hex_id: str) -> None:
    t, s = table("1889").private(B="p1").build()
    offered = [action for action in legal(t, s, "p1") if isinstance(action, LayPowerTile) and action.hex == hex_id]
    assert offered
    after = allows(t, s, offered[0])
    assert after.board.placed[hex_id][0] == "437"
    assert after.owner["B"] == "p1", "it stays open"
    assert after.supply["437"] == 0
    assert (after.cash, after.up, after.passes) == (s.cash, "p1", 0)
    refuses(t, after, port("p1", "J9" if hex_id != "J9" else "I12"), "1889-PRV-05")


@pytest.mark.rule("1889-PRV-04")
def test_the_port_only_there_and_only_without_a_tile() -> None:
    t, s = table("1889").private(B="p1").tile("J9", "58", 4).build()
    refuses(t, s, port("p1", "J9"), "1889-TRK-02")
    refuses(t, s, port("p1", "J5"), "1889-PRV-04")
    refuses(t, s, port("p1", "I12", tile="58"), "1889-PRV-04")
    refuses(t, s, port("p1", "I12", 0), "1889-TRK-13")


@pytest.mark.rule("1889-PRV-04", "1889-PRV-15")
def test_the_port_is_its_player_owners() -> None:
    t, s = table("1889").private(B="p1").build()
    refuses(t, s, port("p2"), "1889-PRV-05")
    t, s = table("1889").operating("AR").private(B="AR").build()
    refuses(t, s, port("p1"), "1889-PRV-05")


@pytest.mark.rule("1889-PRV-05")
@pytest.mark.parametrize("step", ["track", "token", "run", "dividend", "trains"])
def test_in_the_turns_of_the_owners_companies_and_between_turns(step: str) -> None:
    t, s = table("1889").operating("AR", step).private(B="p1").tile("K8", "57", 1).set(income=10).build()
    allows(t, s, port("p1"))
    t, s = table("1889").operating("AR", step).private(B="p2").tile("K8", "57", 1).set(income=10).build()
    assert "another player" in refuses(t, s, port("p2"), "1889-PRV-05")


@pytest.mark.rule("1889-PRV-05", "1889-VAR-05")
def test_during_the_opening_auction_by_the_book_alone() -> None:
    t, s = table("1889").opening().private(B="p1").build()
    allows(t, s, port("p1"))
    t, s = table("1889", 3, "online").opening().private(B="p1").build()
    assert "auction" in refuses(t, s, port("p1"), "1889-VAR-05")
    t, s = table("1889", 3, "online").stock().private(B="p1").build()
    allows(t, s, port("p1"))


@pytest.mark.rule("1889-PRV-05")
def test_between_company_turns() -> None:
    turn = table("1889").operating("AR", "track", begun=False).trains("AR", "2").tile("K8", "57", 1)
    t, s = turn.private(B="p2").build()
    after = allows(t, s, port("p2"))
    assert decision(t, after).players == ("p1",)
    assert not after.begun
    s = allows(t, s, Pass("p1"))
    refuses(t, s, port("p2"), "1889-PRV-05")


@pytest.mark.rule("1889-PRV-05")
def test_in_any_players_stock_turn() -> None:
    t, s = table("1889").private(B="p3").build()
    after = allows(t, s, port("p3"))
    assert decision(t, after).players == ("p1",)


@pytest.mark.rule("1889-PRV-05", "1889-VAR-05")
def test_online_only_in_the_track_step() -> None:
    for step, allowed in (("track", True), ("token", False), ("trains", False)):
        t, s = table("1889", 3, "online").operating("AR", step).private(B="p1").tile("K8", "57", 1).build()
        if allowed:
            allows(t, s, port("p1"))
        else:
            refuses(t, s, port("p1"), "1889-VAR-05")


# C: Ohzu


def ohzu(**board: str) -> Table:
    return table("1889").operating("AR").phase("3").private(C="p2").cash(AR=500)


SALE = CompanyBuysPrivate("p1", "AR", "C", 40)


@pytest.mark.rule("1889-PRV-06", "1889-PRV-15")
def test_the_seller_lays_green_on_ohzu_at_once() -> None:
    t, s = ohzu().build()
    s = allows(t, s, SALE)
    assert decision(t, s).players == ("p2",)
    assert decision(t, s).step == "bonus tile"
    refuses(t, s, Pass("p1"), "1889-OR-08")
    choices = offered(t, s, LayPowerTile, "p2")
    assert {action.tile for action in choices} == {"12", "13", "14", "15", "205", "206"}
    assert {action.hex for action in choices} == {"C4"}
    s = allows(t, s, choices[0])
    assert s.board.placed["C4"][0] == choices[0].tile
    assert s.owner["C"] == "AR", "C stays open"
    assert s.lays == (), "beside the company's own lay"
    assert (decision(t, s).players, s.step) == (("p1",), "track")
    allows(t, s, LayTile("p1", "AR", "K8", "57", 1))


@pytest.mark.rule("1889-PRV-06")
def test_the_right_is_lost_when_it_is_not_used() -> None:
    t, s = ohzu().build()
    s = allows(t, allows(t, s, SALE), Pass("p2"))
    assert "C" in s.used
    assert decision(t, s).players == ("p1",)
    refuses(t, s, LayPowerTile("p2", "C", "C4", "12", 0), "1889-PRV-05")


@pytest.mark.rule("1889-PRV-06")
def test_ohzus_tile_keeps_track_and_edges() -> None:
    t, s = ohzu().build()
    s = allows(t, s, SALE)
    refuses(t, s, LayPowerTile("p2", "C", "C4", "12", 3), "1889-PRV-06")
    refuses(t, s, LayPowerTile("p2", "C", "C4", "57", 0), "1889-PRV-04")
    refuses(t, s, LayPowerTile("p2", "C", "K8", "12", 0), "1889-PRV-04")
    refuses(t, s, LayPowerTile("p1", "C", "C4", "12", 0), "1889-OR-08")
    refuses(t, s, LayPowerTile("p2", "C", "C4", "12", 1), "1889-TRK-13")
    s.supply["12"] = 0
    refuses(t, s, LayPowerTile("p2", "C", "C4", "12", 0), "1889-TRK-12")


@pytest.mark.rule("1889-PRV-06")
def test_first_ohzu_then_other_powers() -> None:
    t, s = ohzu().private(B="p2").build()
    s = allows(t, s, SALE)
    assert "tile of C" in refuses(t, s, port("p2"), "1889-PRV-06")
    for seller, by in (("p1", "p1"), ("p2", "p1")):  # who runs the company could lay the port in this turn
        t, s = table("1889").operating("AR").phase("3").private(B=by, C=seller).cash(AR=500).build()
        assert offered(t, s, LayPowerTile, by)
        s = allows(t, s, SALE)
        assert {one.private for one in offered(t, s, LayPowerTile, seller)} == {"C"}
        refuses(t, s, port(by), "1889-PRV-06" if by == seller else "1889-OR-08")
        assert offered(t, allows(t, s, Pass(seller)), LayPowerTile, by)


# D: mountains


@pytest.mark.rule("1889-PRV-08", "1889-PRV-15", "1889-TRK-20")
def test_mountains_without_a_river_are_free_for_the_owner_of_d() -> None:
    from engine.steps.track import lay_cost

    t, s = table("1889").operating("AR").private(D="AR").build()
    costs = {hex_id: lay_cost(t, s, "AR", hex_id) for hex_id, printed in t.hexes.items() if printed.terrain}
    assert {hex_id for hex_id, cost in costs.items() if cost} == {"H5", "I6", "I4", "F9", "K6"}
    assert {cost for cost in costs.values() if cost} == {80}
    for owner in ("p1", "SR", "closed"):
        s.owner["D"] = owner
        assert lay_cost(t, s, "AR", "H9") == 80


# E: a share of IR


@pytest.mark.rule("1889-PRV-09")
def test_e_is_exchanged_for_a_share_at_any_time() -> None:
    for board in (table("1889").stock("p1"), table("1889").stock("p2"), table("1889").operating("AR", "run")):
        t, s = board.private(E="p2").build()
        assert {row.company.id: row.buyable for row in table_view(t, s).companies}["IR"] == 10, "none is kept"
        after = allows(t, s, ExchangePrivate("p2", "E"))
        assert (after.held("IR", "p2"), after.held("IR", IPO)) == (1, 9)
        assert after.owner["E"] == "closed"
        assert after.cash == s.cash
        assert facts(after, SharesMoved) == [SharesMoved("IR", IPO, "p2", 1, 0)]
        assert decision(t, after).players == decision(t, s).players
        assert not after.bought


@pytest.mark.rule("1889-PRV-09", "1889-SR-02")
def test_whoever_could_sell_or_buy_once_e_is_exchanged_has_his_turn() -> None:
    """p1 has no money, and nothing to sell but the share that E brings."""
    found = table("1889").stock("p3").par("IR").shares("IR", p2=5).par("AR").shares("AR", p1=2, p3=1)
    t, s = found.private(E="p1").cash(p1=0).build()
    s = allows(t, s, Pass("p3"))
    assert decision(t, s).players == ("p1",)
    s = allows(t, allows(t, s, ExchangePrivate("p1", "E")), SellShares("p1", "IR", 1))
    assert s.cash["p1"] == 100


@pytest.mark.rule("1889-PRV-09", "1889-VAR-05")
@pytest.mark.parametrize(("options", "par"), [((), False), (("online",), True)])
def test_an_exchange_that_opens_nothing_is_no_reason_to_be_asked_and_online_none_is(
    options: tuple[str, ...], par: bool
) -> None:
    found = table("1889", 3, *options).stock("p3").par("AR").shares("AR", p1=2, p3=1).private(E="p1").cash(p1=0)
    t, s = (found.par("IR").shares("IR", p2=5) if par else found).build()
    assert decision(t, allows(t, s, Pass("p3"))).players == ("p2",)


@pytest.mark.rule("1889-PRV-09", "1889-PRV-10")
def test_only_a_player_owner_exchanges_e() -> None:
    t, s = table("1889").operating("AR").private(E="AR").build()
    refuses(t, s, ExchangePrivate("p1", "E"), "1889-PRV-09")
    t, s = table("1889").private(E="p2", F="p1").build()
    refuses(t, s, ExchangePrivate("p1", "E"), "1889-PRV-09")
    refuses(t, s, ExchangePrivate("p1", "F"), "1889-PRV-09")


@pytest.mark.rule("1889-PRV-09")
def test_the_share_comes_from_the_offering() -> None:
    t, s = table("1889").par("IR").shares("IR", p2=5, pool=5).private(E="p1").build()
    refuses(t, s, ExchangePrivate("p1", "E"), "1889-PRV-09")


@pytest.mark.rule("1889-PRV-09", "1889-SR-12")
def test_sixty_percent_applies_to_the_exchange() -> None:
    t, s = table("1889").par("IR").shares("IR", p1=6).private(E="p1").build()
    assert "60 %" in refuses(t, s, ExchangePrivate("p1", "E"), "1889-PRV-09")


@pytest.mark.rule("1889-PRV-09", "1889-SR-25")
def test_the_exchange_may_float_change_the_president_and_precede_par() -> None:
    t, s = table("1889").par("IR", 80).shares("IR", president="p2", p1=2, p2=2).private(E="p1").build()
    s = allows(t, s, ExchangePrivate("p1", "E"))
    assert facts(s, PresidentChanged) == [PresidentChanged("IR", "p2", "p1")]
    assert facts(s, Floated) == [Floated("IR", 800)]
    from engine.actions import Par

    t, s = table("1889").private(E="p2").build()
    s = allows(t, allows(t, s, ExchangePrivate("p2", "E")), Par("p1", "IR", 5, 3))
    assert s.president["IR"] == "p1"
    assert s.held("IR", "p2") == 1


@pytest.mark.rule("1889-PRV-09")
def test_the_exchange_is_allowed_at_the_certificate_limit() -> None:
    laid = table("1889", 6).par("AR").par("SR").par("IR").shares("AR", p1=6)
    t, s = laid.shares("SR", p1=5).shares("IR", p2=3).private(A="p1", E="p1").build()
    assert certificates(t, s, "p1") == t.cert_limit
    s = allows(t, s, ExchangePrivate("p1", "E"))
    assert certificates(t, s, "p1") == t.cert_limit


@pytest.mark.rule("1889-END-09")
def test_a_share_without_par_is_worth_nothing_and_cannot_be_sold() -> None:
    from engine import worth

    t, s = table("1889").private(E="p1").build()
    s = allows(t, s, ExchangePrivate("p1", "E"))
    assert worth(t, s, "p1") == 420
    refuses(t, s, SellShares("p1", "IR", 1), "1889-END-09")
    t, s = table("1889").par("AR", 90).shares("AR", p1=3).build()
    assert worth(t, s, "p1") == 420 + 270


# G


@pytest.mark.rule("1889-PRV-12")
def test_g_pays_thirty_then_fifty() -> None:
    t, s = table("1889", 4).operating("AR").private(G="p2").build()
    new = s.copy()
    pay_privates(t, new)
    assert new.cash["p2"] == s.cash["p2"] + 30
    t, s = table("1889", 4).operating("AR", "trains").phase("4").trains("AR", "4").cash(AR=900).private(G="p2").build()
    s.depot["4"] = 0
    s = allows(t, s, BuyTrain("p1", "AR", "5", BANK, 450))
    before = s.cash["p2"]
    while s.round == "OR":
        s = allows(t, s, Pass(decision(t, s).players[0]))
    s = ends_round(t, s)
    assert s.cash["p2"] == before + 50, "in the next operating round"
