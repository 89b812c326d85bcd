"""1860: what is in the box, figure by figure."""

from __future__ import annotations

import pytest
from tables import allows, price_at, refuses, table
from tables_1860 import par, price_of

from engine import BANK, State, Title, certificates, legal, start
from engine.actions import BuyPrivate, BuyTrain, Par, Pass
from engine.ids import CREDITS, RESERVED
from engine.titles import TITLES
from engine.titles.t1860.printed import CORPORATIONS, LAYERS, PAR_RANGE, phases
from engine.viewing import table_view


def box(players: int = 3, *options: str) -> tuple[Title, State]:
    return table("1860", players, *options).opening().build()


@pytest.mark.rule("1860-SET-02")
def test_players_take_their_money_from_ten_thousand() -> None:
    for players, each in ((2, 1000), (3, 670), (4, 500)):
        _, s = box(players)
        assert s.cash[BANK] == 10_000 - players * each


@pytest.mark.rule("1860-SET-02", "1860-FLT-06")
def test_credits_come_from_nowhere_and_go_nowhere() -> None:
    t, s = table("1860", 3).operating("IOW", "token").par("IOW", 74).tile("J4", "6", 0).cash(IOW=500).build()
    place = next(action for action in legal(t, s, "p1") if not isinstance(action, Pass))
    after = allows(t, s, place)
    assert (after.cash["IOW"], after.cash[BANK]) == (460, s.cash[BANK])
    assert after.cash[CREDITS] == s.cash[CREDITS] + 40


@pytest.mark.rule("1860-SET-04")
def test_nine_certificates_of_ten_shares() -> None:
    t, s = box()
    for corp in t.corporations:
        assert s.shares[corp] == {"ipo": 10}
    t, s = table("1860", 3).par("IOW", 74).shares("IOW", p1=10).build()
    assert certificates(t, s, "p1") == 9


@pytest.mark.rule("1860-SET-04", "1860-SR-25", "1860-SR-15")
@pytest.mark.parametrize(
    ("corp", "layer", "bases", "home", "lowest", "highest"),
    [
        ("C&N", 1, 4, "Cowes", 74, 100),
        ("IOW", 1, 4, "Ryde Esplanade", 74, 100),
        ("IWNJ", 2, 3, "Merstone", 62, 82),
        ("FYN", 2, 3, "Yarmouth", 62, 82),
        ("NGStL", 3, 2, "Godshill", 58, 68),
        ("BHI&R", 3, 2, "Bembridge", 58, 68),
        ("S&C", 4, 2, "Chale", 54, 62),
        ("VYSC", 4, 2, "Shorwell", 54, 62),
    ],
)
def test_the_table_of_companies(corp: str, layer: int, bases: int, home: str, lowest: int, highest: int) -> None:
    t, _ = box()
    printed = t.corporations[corp]
    assert [t.hexes[hex_id].name for hex_id, _ in printed.homes] == [home]
    assert len(printed.token_costs) == bases
    assert LAYERS[printed.id] == layer
    assert PAR_RANGE[layer] == (lowest, highest)
    assert printed.float_shares == 5


@pytest.mark.rule("1860-SET-08", "1860-TOK-02")
def test_bases_are_free_then_forty_then_a_hundred_each() -> None:
    for printed in CORPORATIONS.values():
        assert printed.token_costs == (0, 40, 100, 100)[: len(printed.token_costs)]
        assert printed.homes[0][1] == 0, "the home is the town of the hex"


@pytest.mark.rule("1860-SR-15", "1860-MKT-01")
def test_par_is_a_par_space_of_the_companys_own_range() -> None:
    prices = {1: [74, 82, 90, 100], 2: [62, 68, 74, 82], 3: [58, 62, 68], 4: [54, 58, 62]}
    t, s = table("1860", 3).cash(p1=1000).own(layer=4).build()
    offered: dict[str, list[int]] = {}
    for action in legal(t, s, "p1"):
        if isinstance(action, Par):
            offered.setdefault(action.corp, []).append(price_at(t, action.row, action.col))
    assert offered == {corp: prices[layer] for corp, layer in LAYERS.items()}
    for corp, wrong in (("IOW", 68), ("IOW", 105), ("FYN", 58), ("FYN", 90), ("S&C", 50), ("S&C", 68)):
        refuses(t, s, par("p1", corp, wrong), "1860-SR-15")


@pytest.mark.rule("1860-SET-06")
def test_what_the_trains_of_the_box_can_do() -> None:
    t, s = box()
    for rank, train in t.trains.items():
        large, small = rank.split("+")
        assert (train.reach, train.small) == (int(large), int(small))
    assert s.depot == {"2+1": 5, "3+2": 4, "4+2": 3, "5+3": 2, "6+3": 2, "7+4": 1, "8+4": 1}


@pytest.mark.rule("1860-SET-06", "1860-TRN-01")
def test_nine_plus_fives_never_run_out() -> None:
    t, s = table("1860", 3).par("IOW", 74).operating("IOW", "trains").phase("9").cash(IOW=9000).build()
    for _ in range(2):
        s = allows(t, s, BuyTrain("p1", "IOW", "9+5", BANK, 800))
        assert "9+5" not in s.depot


@pytest.mark.rule("1860-PHS-01", "1860-PHS-02", "1860-PHS-04", "1860-TRN-05", "1860-OR-03")
def test_the_table_of_phases() -> None:
    told = [
        (phase.name, phase.starts_on or "", phase.operating_rounds, phase.train_limit["public"], phase.colours[-1])
        for phase in phases(limited=True)
    ]
    assert told == [
        ("2", "", 1, 4, "yellow"),
        ("3", "3+2", 2, 4, "green"),
        ("4", "4+2", 2, 3, "green"),
        ("5", "5+3", 3, 3, "brown"),
        ("6", "6+3", 3, 2, "brown"),
        ("7", "7+4", 3, 2, "brown"),
        ("8", "8+4", 3, 2, "brown"),
        ("9", "9+5", 3, 2, "brown"),
    ]


@pytest.mark.rule("1860-SET-09", "1860-PRV-11")
def test_fishbourne_is_neither_auctioned_nor_paid_before_its_time() -> None:
    t, s = box()
    assert s.owner["FFC"] == RESERVED
    assert BuyPrivate("p1", "FFC") not in list(legal(t, s, "p1"))
    t, s = table("1860", 3).stock().private(FFC=RESERVED).cash(p1=1000).build()
    refuses(t, s, BuyPrivate("p1", "FFC"), "1860-PRV-03")


@pytest.mark.rule("1860-MKT-01")
def test_every_price_of_the_market() -> None:
    t, _ = box()
    cells = [cell for cell in t.market.rows[0] if cell]
    assert [cell.price for cell in cells[:14]] == [0, 7, 14, 20, 26, 31, 36, 40, 44, 47, 50, 52, 54, 56]
    assert [cell.price for cell in cells[14:28]] == [58, 60, 62, 65, 68, 71, 74, 78, 82, 86, 90, 95, 100, 105]
    assert [cell.price for cell in cells[28:40]] == [110, 116, 122, 128, 134, 142, 150, 158, 166, 174, 182, 191]
    assert [cell.price for cell in cells[40:]] == [200, *range(210, 350, 10)]
    assert t.market.tiers


@pytest.mark.rule("1860-SR-11", "1860-SR-12", "1860-MKT-01")
def test_red_letters_lie_below_40_and_above_150() -> None:
    t, _ = box()
    zones = {cell.price: cell.zone for cell in t.market.rows[0] if cell}
    assert {price for price, zone in zones.items() if zone == "normal"} == {p for p in zones if 40 <= p <= 150}
    assert (zones[0], zones[340]) == ("bankrupt", "end")
    assert {zones[price] for price in (7, 36, 158, 330)} == {"red letter"}


@pytest.mark.rule("1860-SET-03")
def test_the_right_number_of_certificates_and_trains_is_shown_to_all() -> None:
    t, s = box(4)
    view = table_view(t, s, None)
    assert view.cert_limit == 16
    assert [row.left for row in view.depot][:3] == [5, 4, 3]


@pytest.mark.rule("1860-VAR-14", "1860-VAR-09")
def test_the_small_map_lacks_the_west_and_two_tiles() -> None:
    plain, small = box(2)[0], box(2, "small_map")[0]
    assert set(plain.hexes) - set(small.hexes) == {"A5", "A7", "E11"}
    lacking = {tile: plain.supply[tile] - small.supply[tile] for tile in plain.supply}
    assert {tile: count for tile, count in lacking.items() if count} == {"776": 1, "770": 1}
    assert plain.hexes["B4"].impassable
    assert not small.hexes["B4"].impassable
    assert box(2, "first_edition")[0].hexes == small.hexes


@pytest.mark.rule("1860-TRK-16")
def test_difficult_terrain_is_where_the_map_says() -> None:
    t, _ = box()
    terrain = {name: hex_.terrain for name, hex_ in t.hexes.items() if hex_.terrain}
    assert set(terrain) == {"C7", "D4", "E7", "F8", "G13", "H2", "H6", "H10", "H12", "K5"}
    assert {land.cost for land in terrain.values()} == {60}
    olive = {name for name, land in terrain.items() if land.kinds == {"water"}}
    assert olive == {"D4", "H2", "K5"}, "north of Calbourne, Fishbourne and St. Helens"


@pytest.mark.rule("1860-TRK-05")
def test_red_barriers_close_both_sides_of_an_edge() -> None:
    t, _ = box()
    for here, side, there, back in (("F2", 4, "G1", 1), ("F2", 5, "G3", 2), ("F4", 4, "G3", 1), ("I5", 0, "I7", 3)):
        assert (here, side) not in t.grid.beyond
        assert (there, back) not in t.grid.beyond
    assert t.grid.beyond["I9", 3] == ("I7", 0)
    assert ("I9", 0) not in t.grid.beyond


@pytest.mark.rule("1860-SET-01")
def test_the_game_wants_one_name_for_each_seat() -> None:
    t = TITLES["1860"].build(3, frozenset())
    assert list(start(t, ("Ann", "Ben", "Cho")).names) == ["p1", "p2", "p3"]
    assert list(TITLES["1860"].players) == [2, 3, 4]


@pytest.mark.rule("1860-SEC-01", "1860-SEC-03")
def test_cash_trains_and_prices_of_all_are_shown_to_all() -> None:
    t, s = table("1860", 3).par("IOW", 82).shares("IOW", p1=5).trains("IOW", "3+2").cash(p2=333).build()
    view = table_view(t, s, "p3")
    rows = {row.company.id: row for row in view.companies}
    assert rows["IOW"].trains == ("3+2",)
    assert {row.id: row.cash for row in view.players}["p2"] == 333
    assert price_of(t, s) == 82
