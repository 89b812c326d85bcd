"""1890: the four scenarios, what is in the box, the map, information."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest
from tables import NAMES, allows, keep, table
from tables_1890 import market, railway

from engine import BANK, IPO, BadAction, Title, build, decision, legal, start
from engine.actions import BuyShare, BuyTrain, LayTile, Par, PlaceToken
from engine.board.hexes import across
from engine.ids import RESERVED
from engine.titles.t1890.map import HEXES, WEST, YODO
from engine.viewing import board_view, table_view

A, B, D = "scenario_a", "scenario_b", "scenario_d"
SCENARIOS: list[tuple[tuple[str, ...], int]] = [((A,), 4), ((B,), 4), ((), 7), ((D,), 7)]
NAMED = pytest.mark.parametrize(("options", "most"), SCENARIOS, ids="ABCD")


def cards(t: Title) -> dict[str, tuple[int, int]]:
    return {sym: (private.value, private.revenue) for sym, private in t.privates.items()}


def trains(t: Title) -> dict[str, int | None]:
    return {rank: train.count for rank, train in t.trains.items()}


# Scenarios, players and money


@pytest.mark.rule("1890-SET-01")
def test_one_scenario_is_chosen_before_the_game() -> None:
    assert [build("1890", 3, options).name for options, _ in SCENARIOS] == [
        "1890: Hanshin Railways", "1890: Keihanshin Railways", "1890: Osaka", "1890: Simplified",
    ]  # fmt: skip
    for two in combinations((A, B, D), 2):
        with pytest.raises(BadAction, match="A game has one scenario"):
            build("1890", 3, two)


@pytest.mark.rule("1890-SET-02")
@NAMED
def test_players(options: tuple[str, ...], most: int) -> None:
    for players in range(1, 9):
        if 2 <= players <= most:
            assert build("1890", players, options).players == players
        else:
            with pytest.raises(BadAction):
                build("1890", players, options)


@pytest.mark.rule("1890-SET-03", "1890-SET-04")
@pytest.mark.parametrize(
    ("options", "bank", "shares"),
    [
        ((A,), 6000, {2: 750, 3: 500, 4: 375}),
        ((B,), 6000, {2: 750, 3: 500, 4: 375}),
        ((), 12000, {2: 1260, 3: 840, 4: 630, 5: 504, 6: 420, 7: 360}),
        ((D,), 12000, {2: 1260, 3: 840, 4: 630, 5: 504, 6: 420, 7: 360}),
    ],
    ids="ABCD",
)
def test_bank_and_starting_cash(options: tuple[str, ...], bank: int, shares: dict[int, int]) -> None:
    for players, cash in shares.items():
        s = start(build("1890", players, options), NAMES[:players])
        assert [s.cash[player] for player in s.players] == [cash] * players
        assert sum(s.cash.values()) == bank
        assert cash * players == (1500 if bank == 6000 else 2520)


@pytest.mark.rule("1890-SET-05")
def test_certificate_limits() -> None:
    options: tuple[str, ...]
    for options in ((A,), (B,)):
        assert [build("1890", n, options).cert_limit for n in (2, 3, 4)] == [16, 12, 10]
    for options in ((), (D,)):
        assert [build("1890", n, options).cert_limit for n in range(2, 8)] == [26, 18, 15, 13, 11, 10]


@pytest.mark.rule("1890-SET-06")
@NAMED
def test_seats_are_in_clockwise_order_and_the_first_has_priority(options: tuple[str, ...], most: int) -> None:
    t = build("1890", most, options)
    s = start(t, NAMES[:most])
    assert list(s.names.values()) == list(NAMES[:most])
    assert s.priority == "p1"
    assert decision(t, s).players == ("p1",)
    assert s.after(s.players[-1])[0] == "p1"


# Trains


@pytest.mark.rule("1890-SET-07", "1890-SET-08", "1890-SET-12")
def test_trains_of_the_short_scenarios() -> None:
    counts = {"2": 5, "3": 4, "4": 3, "5": 2, "6": 1}
    assert trains(build("1890", 3, [A])) == counts | {"D": 5}
    assert trains(build("1890", 3, [B])) == counts | {"D": 6}


@pytest.mark.rule("1890-SET-09", "1890-SET-10", "1890-SET-12")
def test_trains_of_the_long_scenarios() -> None:
    rest = {"2+2": 3, "3": 5, "4": 4, "5": 3, "6": 2, "D": 6}
    assert trains(build("1890", 3)) == {"2": 9, "3+3": 2, **rest}
    assert trains(build("1890", 3, [D])) == {"2": 6, **rest}
    assert list(build("1890", 3).trains) == ["2", "2+2", "3", "3+3", "4", "5", "6", "D"]


@pytest.mark.rule("1890-SET-11")
@NAMED
def test_train_prices(options: tuple[str, ...], most: int) -> None:
    prices = {"2": 80, "2+2": 120, "3": 180, "3+3": 230, "4": 300, "5": 450, "6": 630, "D": 1100}
    t = build("1890", 2, options)
    assert {rank: train.price for rank, train in t.trains.items()} == {rank: prices[rank] for rank in t.trains}
    built, s = railway("Hankyu", "trains", *options, phase="5", cash=800).trains("Hankyu", "5").build()
    s.depot.update({"D": 2})
    after = allows(built, s, BuyTrain("p1", "Hankyu", "D", "bank", 800, "5"))
    assert after.trains["Hankyu"] == ("D",)


@pytest.mark.rule("1890-SET-22")
def test_no_half_phases_without_their_trains() -> None:
    names = [[phase.name for phase in build("1890", 3, options).phases] for options in ((A,), (B,), (), (D,))]
    whole = ["1", "2", "3", "4", "5", "6"]
    assert names == [
        whole, whole, ["1", "1½", "2", "2½", "3", "4", "5", "6"], ["1", "1½", "2", "3", "4", "5", "6"],
    ]  # fmt: skip


# Privates and companies


@pytest.mark.rule("1890-SET-13")
def test_privates_of_a() -> None:
    assert cards(build("1890", 3, [A])) == {
        "A": (20, 5), "B": (40, 10), "E": (60, 15), "D": (110, 20), "F": (120, 30), "M5": (100, 0),
    }  # fmt: skip
    assert list(build("1890", 3, [A]).privates) == ["A", "B", "E", "D", "F", "M5"]


@pytest.mark.rule("1890-SET-14")
def test_privates_of_b() -> None:
    t = build("1890", 3, [B])
    assert cards(t) == {
        "A": (20, 5), "B": (40, 10), "D": (110, 20), "F": (120, 30), "E": (160, 25), "M5": (100, 0),
    }  # fmt: skip
    assert list(t.privates) == ["A", "B", "D", "F", "E", "M5"]


LONG = {"A": (20, 5), "B": (40, 10), "C": (70, 15), "D": (110, 20), "E": (160, 25), "F": (220, 40)}


@pytest.mark.rule("1890-SET-15", "1890-SET-18")
def test_privates_minors_and_late_privates_of_c() -> None:
    t, s = table("1890").opening().build()
    minors = {"M1": (100, 0), "M2": (200, 0), "M3": (100, 0), "M4": (160, 0), "M5": (100, 0)}
    late = {"K1": (200, 40), "K2": (240, 0), "K3": (280, 60), "K4": (320, 70)}
    assert cards(t) == LONG | minors | late
    assert list(t.privates) == [*LONG, *minors, *late]
    assert {s.owner[sym] for sym in (*LONG, *minors)} == {BANK}
    assert {s.owner[sym] for sym in late} == {RESERVED}


@pytest.mark.rule("1890-SET-16", "1890-SET-18")
def test_privates_of_d() -> None:
    assert cards(build("1890", 3, [D])) == LONG | {"M5": (100, 0)}


@pytest.mark.rule("1890-SET-17")
def test_public_companies() -> None:
    west = {"Hanshin", "Hankyu", "JR", "Sanyo"}
    found = [
        {corp.id for corp in build("1890", 3, options).corporations.values() if corp.certificate is None}
        for options, _ in SCENARIOS
    ]
    everywhere = west | {"Keihan", "Subway", "Nankai", "Kinki"}
    assert found == [west, west | {"Keihan"}, everywhere, everywhere]


@pytest.mark.rule("1890-SET-23")
@NAMED
def test_one_presidents_certificate_and_eight_others(options: tuple[str, ...], most: int) -> None:
    t, s = market(*options).cash(p1=2000).build()
    for corp in t.corporations.values():
        if corp.certificate is None:
            assert sum(s.shares[corp.id].values()) == 10
    after = allows(t, s, Par("p1", "Hankyu", 0, 4))
    assert after.held("Hankyu", "p1") == 2
    assert after.held("Hankyu", IPO) == 8
    assert after.president["Hankyu"] == "p1"


@pytest.mark.rule("1890-SET-24")
def test_purchases_go_to_the_bank_and_incomes_come_from_it() -> None:
    t, s = market().par("Hankyu", 80).shares("Hankyu", p1=2).cash(p1=500).build()
    bought = allows(t, s, BuyShare("p1", "Hankyu", IPO))
    assert bought.cash[BANK] == s.cash[BANK] + 80
    t, s = railway("Hankyu", "trains").build()
    assert allows(t, s, BuyTrain("p1", "Hankyu", "3", "bank", 180)).cash[BANK] == s.cash[BANK] + 180
    t, s = railway("Hankyu", "token").tile("E12", "57", 1).tile("E10", "57", 1).build()
    placed = allows(t, s, PlaceToken("p1", "Hankyu", "E10.0"))
    assert placed.cash[BANK] == s.cash[BANK] + 40
    t, s = railway("Hankyu").tile("E12", "57", 2).tile("D11", "8", 3).cash(Hankyu=300).build()
    lay = next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "C12")
    assert allows(t, s, lay).cash[BANK] == s.cash[BANK] + 120 - 10  # the bank adds 10 for Hankyu's land


# The map


@pytest.mark.rule("1890-SET-19")
def test_how_much_of_the_map_is_played() -> None:
    assert len(HEXES) == 83
    assert [len(build("1890", 3, options).hexes) for options, _ in SCENARIOS] == [37, 44, 83, 83]
    assert set(YODO) - set(WEST) == {"B19", "C18", "D17", "E16", "F15", "G14", "H13"}
    for east in set(YODO) - set(WEST) - {"B19", "H13"}:
        near = {across("pointy", east, side) for side in range(6)}
        assert near & set(WEST), f"{east} lies at the Yodo"
    assert {"B17", "G12"} <= set(WEST)


@pytest.mark.rule("1890-SET-20")
def test_nothing_leads_out_of_the_scenario() -> None:
    options: tuple[str, ...]
    for options in ((A,), (B,)):
        t = build("1890", 3, options)
        assert all(near in t.hexes and far[0] in t.hexes for (near, _), far in t.grid.beyond.items())
    t, s = railway("Hankyu", "track", A).cash(Hankyu=500).tile("E12", "57", 1).tile("E14", "210", 0).build()
    for action in legal(t, s, "p1"):
        assert not isinstance(action, LayTile) or action.hex in WEST


@pytest.mark.rule("1890-SET-20")
def test_jr_has_no_home_in_nara_where_nara_is_not_played() -> None:
    options: tuple[str, ...]
    for options in ((A,), (B,)):
        jr = build("1890", 3, options).corporations["JR"]
        assert [hex_id for hex_id, _ in jr.homes] == ["G12", "B17", "F5"]
        assert jr.token_costs == (0, 0, 0, 40, 100)
    jr = build("1890", 3).corporations["JR"]
    assert [hex_id for hex_id, _ in jr.homes] == ["G12", "B17", "H19", "F5"]
    assert jr.token_costs == (0, 0, 0, 0, 40, 100)


@pytest.mark.rule("1890-SET-21")
def test_track_of_a_private_that_is_not_played_closes_nothing() -> None:
    t = build("1890", 3, [A])
    s = start(t, NAMES[:3])
    closed = {view.id: view.blocked_by for view in board_view(t, s).hexes if view.blocked_by}
    assert closed == {"D7": ("A",), "F5": ("B",), "B17": ("E",), "G12": ("F",)}
    t = build("1890", 3)
    s = start(t, NAMES[:3])
    assert {view.id for view in board_view(t, s).hexes if view.blocked_by} == {
        "D7", "F5", "I12", "J11", "B17", "B19", "G12", "H11", "H13",
    }  # fmt: skip


def test_every_place_has_its_japanese_name() -> None:
    for name, printed in HEXES.items():
        assert bool(printed.name) == bool(printed.name_local) or name == "B19"
    assert (HEXES["G12"].name, HEXES["G12"].name_local) == ("Osaka Kita", "大阪北")


def test_what_is_uncertain_is_on_the_map() -> None:
    page = Path(__file__).parents[2] / "docs" / "osaka.md"
    doubts = re.findall(r"^\| ([A-Z]\d.*?) \|", page.read_text(), re.MULTILINE)
    assert doubts
    assert {hex_id for doubt in doubts for hex_id in doubt.split(", ")} <= {*HEXES, "A20"}


def test_closed_sides_are_closed_from_both_hexes() -> None:
    for name, printed in HEXES.items():
        for side in printed.impassable:
            other = across("pointy", name, side)
            assert other in HEXES, f"{name}: side {side} leads nowhere"
            assert (side + 3) % 6 in HEXES[other].impassable, f"{name} and {other}"


# Information


@pytest.mark.rule("1890-SEC-01")
def test_cash_and_certificates_of_players_are_public() -> None:
    t, s = market().par("Hankyu", 80).shares("Hankyu", p1=3, p2=2).cash(p1=333).private(A="p2").build()
    rows = {row.id: row for row in table_view(t, s, None).players}
    assert (rows["p1"].cash, rows["p1"].shares) == (333, (("Hankyu", 3),))
    assert rows["p2"].privates == ("A",)


@pytest.mark.rule("1890-SEC-02")
def test_trains_and_privates_of_companies_are_public_but_not_their_money() -> None:
    found = railway("Hankyu", cash=480, held={"p1": 6, "p2": 2}).trains("Hankyu", "3")
    t, s = found.private(B="Hankyu").build()
    for viewer, money in ((None, None), ("p2", None), ("p1", 480)):
        row = next(row for row in table_view(t, s, viewer).companies if row.company.id == "Hankyu")
        assert (row.trains, row.privates, row.treasury) == (("3",), ("B",), money)


@pytest.mark.rule("1890-VAR-20")
def test_open_treasuries_show_the_money_of_companies_and_minors_to_all() -> None:
    found = railway("Hankyu", "track", "open_treasuries", cash=480, held={"p1": 6, "p2": 2})
    t, s = found.cash(M5=70).build()
    for viewer in (None, "p1", "p2"):
        told = {row.company.id: row.treasury for row in table_view(t, s, viewer).companies}
        assert (told["Hankyu"], told["M5"]) == (480, 70)


@pytest.mark.rule("1890-COR-21", "1890-MIN-16")
def test_the_table_tells_companies_and_minors_that_have_closed() -> None:
    t, s = railway("Hankyu").build()
    keep(s, closed=("Sanyo", "M2"))
    told = {row.company.id: row.status for row in table_view(t, s, None).companies}
    assert {name: told[name] for name in ("Hankyu", "Sanyo", "M2")} == {"Hankyu": "", "Sanyo": "closed", "M2": "closed"}


@pytest.mark.rule("1890-SR-20", "1890-END-04")
def test_the_table_shows_what_shares_and_privates_are_worth() -> None:
    """A share brings its price whether or not the company has trains or has operated."""
    t, s = railway("Hankyu").par("Sanyo", 65).trains("Hankyu", "2").private(A="p2").build()
    s.operated |= {"Sanyo"}
    shown = table_view(t, s, None)
    assert {row.company.id: row.sells_for for row in shown.companies if row.sells_for} == {"Hankyu": 80, "Sanyo": 65}
    assert [(row.value, row.sells_for) for row in shown.privates if row.id == "A"] == [(20, 20)]


@pytest.mark.rule("1890-SEC-03")
def test_bank_cash_is_visible() -> None:
    t, s = market().cash(p1=100).build()
    assert table_view(t, s, "p2").bank == s.cash[BANK]


@NAMED
def test_what_a_private_does_names_hexes_of_the_map_alone(options: tuple[str, ...], most: int) -> None:
    """Scenario A's Keishin closed "Kyoto (B17) and east of it (B19)", and there is no B19."""
    t = build("1890", 3, options)
    named = [one for private in t.privates.values() for one in re.findall(r"\(([A-N]\d.*?)\)", private.note)]
    assert named
    assert set(", ".join(named).split(", ")) <= set(t.hexes)
