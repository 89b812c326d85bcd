"""1888-N: what is in the box, companies, phases, information."""

from __future__ import annotations

import pytest
from tables import allows, facts, refuses, table
from tables_1888 import railway

from engine import BANK, TITLES, BadAction, apply, build, decision, legal, start
from engine.actions import BuyTrain, EndGame, LayTile, Pass
from engine.facts import PhaseBegan, TrainBought
from engine.viewing import table_view


@pytest.mark.rule("1888-SET-01", "1888-SET-02", "1888-SET-03")
@pytest.mark.parametrize(("players", "cash"), [(2, 1200), (3, 800), (4, 600), (5, 480), (6, 400)])
def test_players_and_money(players: int, cash: int) -> None:
    t = build("1888", players)
    s = start(t, list("abcdef"[:players]))
    assert [s.cash[player] for player in s.players] == [cash] * players
    assert s.cash[BANK] == 9000 - players * cash
    assert sum(s.cash.values()) == 9000


@pytest.mark.rule("1888-SET-01")
def test_no_single_player_and_no_seven() -> None:
    for players in (1, 7):
        with pytest.raises(BadAction):
            build("1888", players)


@pytest.mark.rule("1888-SET-01", "1888-SR-06", "1888-VAR-01", "1888-VAR-02")
def test_two_players_online_with_the_prototype_only() -> None:
    with pytest.raises(BadAction, match="3 to 6"):
        build("1888", 2, ["online"])
    assert build("1888", 2).cert_limit == 28
    assert build("1888", 2, ["online", "prototype"]).cert_limit == 20
    assert "for two only with prototype" in TITLES["1888"].options["online"]


@pytest.mark.rule("1888-SET-04", "1888-AUC-01", "1888-PRV-01")
@pytest.mark.parametrize("players", range(2, 7))
def test_six_privates_in_ascending_order(players: int) -> None:
    privates = build("1888", players).privates.values()
    assert [(private.value, private.revenue) for private in privates] == [
        (25, 5), (50, 10), (75, 15), (100, 20), (125, 25), (150, 30),
    ]  # fmt: skip


@pytest.mark.rule("1888-SET-05", "1888-SET-06")
def test_trains() -> None:
    found = {rank: (train.count, train.price) for rank, train in build("1888", 3).trains.items()}
    assert found == {"2": (7, 80), "3": (6, 180), "4": (5, 300), "5": (3, 500), "6": (2, 630), "D": (None, 900)}


@pytest.mark.rule("1888-SET-07", "1888-SET-08")
def test_companies_shares_and_tokens() -> None:
    t, s = table("1888").opening().build()
    assert len(t.corporations) == 8
    assert all(sum(held.values()) == 10 for held in s.shares.values())
    counts = {corp.id: len(corp.token_costs) for corp in t.corporations.values()}
    assert {corp for corp, count in counts.items() if count == 4} == {"CDL", "HJR", "TJL"}
    assert sum(counts.values()) == 27


@pytest.mark.rule("1888-SET-09")
def test_the_first_seat_has_priority_and_play_is_clockwise() -> None:
    t, s = table("1888").opening().build()
    assert s.priority == "p1"
    assert decision(t, s).players == ("p1",)
    assert decision(t, allows(t, s, Pass("p1"))).players == ("p2",)


@pytest.mark.rule("1888-SET-10")
def test_three_barriers() -> None:
    t = build("1888", 3)
    beyond = t.grid.beyond
    for near, side, far in (("C15", 4, "C17"), ("C15", 5, "D16"), ("F12", 4, "F14")):
        assert (near, side) not in beyond
        assert (far, (side + 3) % 6) not in beyond


@pytest.mark.rule("1888-SET-11")
@pytest.mark.parametrize("hex_id", ["A17", "D14", "E17", "H2", "I5", "A19"])
def test_no_tiles_on_grey_sea_and_red(hex_id: str) -> None:
    t, s = railway().build()
    refuses(t, s, LayTile("p1", "JHR", hex_id, "9", 0), "1888-TRK-10")


@pytest.mark.rule("1888-SET-11")
def test_the_pieces_are_for_their_privates() -> None:
    t, s = railway().build()
    for private_tile in ("L41", "L39", "L40a", "L40b"):
        assert not any(isinstance(a, LayTile) and a.tile == private_tile for a in legal(t, s, "p1"))


@pytest.mark.rule("1888-SET-12")
def test_no_action_binds_players_by_a_deal() -> None:
    t, s = table("1888").opening().build()
    assert {type(a).__name__ for a in legal(t, s, "p1")} == {"BuyPrivate", "Bid", "Pass"}


@pytest.mark.rule("1888-COR-01")
def test_homes_and_destinations() -> None:
    t, s = table("1888").opening().build()
    found = {
        corp.id: (t.hexes[corp.homes[0][0]].name, t.hexes[goal.hex].name, goal.bonus)
        for corp in t.corporations.values()
        for goal in t.policy.routes.destinations(t, s, corp.id)
    }
    assert found == {
        "JHR": ("Beijing", "Tangshan", 30), "SSL": ("Shenyang & Anshan", "Qinhuangdao", 20),
        "CDL": ("Changchun", "Dalian", 20), "HJR": ("Handan", "Jinan", 20), "LYR": ("Yantai", "Qingdao", 20),
        "TJL": ("Taiyuan", "Xinxiang & Jiaozuo", 20), "JZR": ("Beijing", "Zhangjiakou & Xuanhua", 40),
        "ZDR": ("Zibo", "Dongying", 40),
    }  # fmt: skip


@pytest.mark.rule("1888-PHS-01")
def test_phase_one_and_the_first_two_train() -> None:
    t, s = railway("JHR", "trains", phase="1").build()
    assert (t.phase(s).name, t.phase(s).colours, t.train_limit(s, "JHR")) == ("1", ("yellow",), 4)
    s = allows(t, s, BuyTrain("p1", "JHR", "2", BANK, 80))
    assert facts(s, PhaseBegan) == [PhaseBegan("2")]
    assert t.phase(s).tier == "yellow"


@pytest.mark.rule(
    "1888-PHS-02", "1888-PHS-03", "1888-PHS-04", "1888-PHS-05", "1888-TRK-10", "1888-OR-05", "1888-TRN-06"
)
def test_phases() -> None:
    found = [
        (phase.name, phase.colours[-1], phase.train_limit["public"], phase.operating_rounds, phase.buys_privates)
        for phase in build("1888", 3).phases
    ]
    assert found == [
        ("1", "yellow", 4, 1, False), ("2", "yellow", 4, 1, False), ("3", "green", 4, 2, True),
        ("4", "green", 3, 2, True), ("5", "brown", 2, 3, False), ("6", "brown", 2, 3, False),
        ("7", "gray", 2, 3, False),
    ]  # fmt: skip


@pytest.mark.rule("1888-PHS-02", "1888-PHS-03", "1888-TRN-11")
def test_the_first_four_scraps_the_twos() -> None:
    t, s = (
        railway("JHR", "trains", phase="3")
        .trains("JHR", "2", "3")
        .set(depot={"2": 0, "3": 0, "4": 5, "5": 3, "6": 2})
        .build()
    )
    s = allows(t, s, BuyTrain("p1", "JHR", "4", BANK, 300))
    assert s.trains["JHR"] == ("3", "4")
    assert t.phase(s).name == "4"


@pytest.mark.rule("1888-PHS-05", "1888-TRN-11")
def test_the_first_six_scraps_the_threes() -> None:
    t, s = (
        railway("JHR", "trains", phase="5")
        .trains("JHR", "3")
        .set(depot={"2": 0, "3": 0, "4": 0, "5": 0, "6": 2})
        .build()
    )
    assert allows(t, s, BuyTrain("p1", "JHR", "6", BANK, 630)).trains["JHR"] == ("6",)


@pytest.mark.rule("1888-PHS-05", "1888-TRN-11", "1888-TRN-02")
def test_the_first_d_scraps_the_fours() -> None:
    t, s = railway("JHR", "trains", phase="6").trains("JHR", "4").set(depot={}).build()
    s.depot = dict.fromkeys(("2", "3", "4", "5", "6"), 0)
    s = allows(t, s, BuyTrain("p1", "JHR", "D", BANK, 900))
    assert s.trains["JHR"] == ("D",)
    assert t.phase(s).name == "7"


@pytest.mark.rule("1888-SEC-01")
def test_all_holdings_are_open() -> None:
    t, s = railway(cash=77).cash(p2=55).build()
    for viewer in ("p1", "p3", None):
        shown = table_view(t, s, viewer)
        assert {row.company.id: row.treasury for row in shown.companies}["JHR"] == 77
        assert {row.id: row.cash for row in shown.players}["p2"] == 55


@pytest.mark.rule("1888-SEC-01")
def test_all_know_what_companies_pay_each_other_for_trains() -> None:
    t, s = railway("JHR", "trains").par("SSL", 85).trains("SSL", "3").build()
    bought = facts(allows(t, s, BuyTrain("p1", "JHR", "3", "SSL", 60)), TrainBought)
    assert [(fact.price, fact.secret) for fact in bought] == [(60, False)]


@pytest.mark.rule("1888-SR-12", "1888-END-06")
def test_the_table_shows_what_shares_and_privates_are_worth() -> None:
    """A share brings its price whether or not the company has trains or has operated."""
    t, s = railway().par("SSL", 75).trains("JHR", "3").private(KT="p2").build()
    s.operated |= {"SSL"}
    shown = table_view(t, s, None)
    assert {row.company.id: row.sells_for for row in shown.companies if row.sells_for} == {"JHR": 85, "SSL": 75}
    assert [(row.value, row.sells_for) for row in shown.privates if row.id == "KT"] == [(25, 25)]


@pytest.mark.rule("1888-VAR-02")
def test_prototype() -> None:
    t = build("1888", 4, ["prototype"])
    assert t.bank == 10000
    assert {corp.float_shares for corp in t.corporations.values()} == {5}
    assert (t.supply["4"], t.supply["43"], build("1888", 4).supply["43"]) == (5, 2, 1)


@pytest.mark.rule("1888-END-07")
def test_the_top_of_the_market_ends_nothing() -> None:
    t, s = railway("JHR", "dividend").par("JHR", 85, at=(0, 17)).set(income=100).trains("JHR", "3").build()
    from engine.actions import Dividend

    after = allows(t, s, Dividend("p1", "JHR", "pay"))
    assert after.cell["JHR"] == (0, 17)
    assert not after.over


@pytest.mark.rule("1888-END-06")
def test_score() -> None:
    from engine import worth

    t, s = railway(held={"p1": 6, "p2": 2}).private(KT="p2", FC="JHR").cash(p2=100).build()
    assert worth(t, s, "p2") == 100 + 25 + 2 * 85


@pytest.mark.rule("1888-END-06")
def test_a_game_may_be_stopped_and_scored() -> None:
    t, s = railway().build()
    assert apply(t, s, EndGame("p2")).over == "agreed"
