"""1890: laying and upgrading track, and the places of station tokens."""

from __future__ import annotations

import pytest
from tables import allows, refuses, stop, table, tokens_at
from tables_1890 import minor, railway

from engine import State, Title, decision, legal
from engine.actions import LayTile, Pass, PlaceToken, Route, RunTrains
from engine.board.board import keeps_track
from engine.board.tiles import turned
from engine.printed import COLOURS
from engine.steps import track
from engine.steps.common import own_turn
from engine.titles.t1890.track import NAMED, NOT_AFTER, OWN_TILES, another_hex, lay_left

# Where and how often


@pytest.mark.rule("1890-TRK-01")
def test_one_lay_or_upgrade_in_a_turn_and_none_is_needed() -> None:
    t, s = railway().cash(p1=0).build()
    s = allows(t, s, LayTile("p1", "Hankyu", "E12", "57", 1))
    assert s.step != "track"
    s.step = "track"
    refuses(t, s, LayTile("p1", "Hankyu", "E10", "57", 1), "1890-TRK-01")
    t, s = railway().build()
    assert allows(t, s, Pass("p1")).step != "track"


@pytest.mark.rule("1890-TRK-02", "1890-COR-03", "1890-PHS-05")
@pytest.mark.parametrize("phase", ["1", "2½", "3"])
def test_jr_may_lay_two_tiles_in_two_hexes_before_phase_4(phase: str) -> None:
    t, s = railway("JR", phase=phase).build()
    s = allows(t, s, LayTile("p1", "JR", "F3", "57", 1))
    assert s.step == "track"
    if phase != "1":
        refuses(t, s, LayTile("p1", "JR", "F3", "14", 1), "1890-TRK-02")
    s = allows(t, s, LayTile("p1", "JR", "F7", "57", 1))
    assert s.step != "track"
    t, s = railway("JR", phase="4").build()
    assert allows(t, s, LayTile("p1", "JR", "F3", "57", 1)).step != "track"


@pytest.mark.rule("1890-VAR-03")
def test_a_plain_jr_lays_one_tile() -> None:
    t, s = railway("JR", "track", "scenario_a", "plain_jr").build()
    assert allows(t, s, LayTile("p1", "JR", "F3", "57", 1)).step != "track"


@pytest.mark.rule("1890-TRK-03")
def test_the_hex_is_connected_to_an_own_token_by_track_however_far() -> None:
    t, s = railway().tile("E12", "57", 1).tile("E10", "57", 1).build()
    refuses(t, s, LayTile("p1", "Hankyu", "D11", "8", 0), "1890-TRK-03")
    far = railway().tile("E12", "57", 0).tile("D13", "9", 0).tile("F11", "202", 1)
    t, s = far.build()
    allows(t, s, LayTile("p1", "Hankyu", "C14", "9", 0))
    refuses(t, s, LayTile("p1", "Hankyu", "C14", "9", 1), "1890-TRK-03")


@pytest.mark.rule("1890-TRK-04")
def test_for_an_upgrade_connection_is_enough() -> None:
    """The new track of D13 is of no use to Hankyu: no train of it could run over it."""
    t, s = railway().tile("E12", "57", 0).tile("D13", "9", 0).token("Sanyo", "F3").build()
    allows(t, s, LayTile("p1", "Hankyu", "D13", "20", 0))
    refuses(t, s, LayTile("p1", "Hankyu", "B17", "825", 0), "1890-TRK-04")


# Colours


@pytest.mark.rule("1890-TRK-05", "1890-TRK-06", "1890-PHS-01", "1890-PHS-02", "1890-PHS-05")
def test_yellow_first_green_from_phase_2_brown_from_phase_4() -> None:
    two, three = "yellow green", "yellow green brown"
    opened = {"1": "yellow", "1½": "yellow", "2": two, "2½": two, "3": two, "4": three, "6": three}
    for phase, colours in opened.items():
        t, s = railway(phase=phase).tile("E12", "57", 0).build()
        assert " ".join(t.phase(s).colours) == colours
        if "green" in colours:
            allows(t, s, LayTile("p1", "Hankyu", "E12", "14", 0))
        else:
            refuses(t, s, LayTile("p1", "Hankyu", "E12", "14", 0), "1890-TRK-05")
        refuses(t, s, LayTile("p1", "Hankyu", "E12", "63", 0), "1890-TRK-05")
    t, s = railway(phase="3").tile("E12", "57", 0).tile("E12", "14", 0).build()
    refuses(t, s, LayTile("p1", "Hankyu", "E12", "63", 0), "1890-TRK-05")
    t, s = railway(phase="4").tile("E12", "57", 0).tile("E12", "14", 0).build()
    allows(t, s, LayTile("p1", "Hankyu", "E12", "63", 0))


@pytest.mark.rule("1890-TRK-07", "1890-TRK-22", "1890-SET-20")
def test_track_does_not_lead_into_the_sea_over_rivers_or_against_blank_sides() -> None:
    t, s = railway("Hanshin").build()
    refuses(t, s, LayTile("p1", "Hanshin", "F9", "57", 0), "1890-TRK-07")  # the bay
    t, s = railway().tile("E12", "57", 1).build()
    refuses(t, s, LayTile("p1", "Hankyu", "E10", "57", 1), "1890-TRK-07")  # the Muko
    t, s = railway("Sanyo").tile("F3", "57", 0).tile("E4", "8", 4).build()
    refuses(t, s, LayTile("p1", "Sanyo", "E6", "7", 1), "1890-TRK-07")  # Tanigami has no track there
    t, s = railway("Hankyu", "track", "scenario_a").tile("E12", "57", 2).build()
    refuses(t, s, LayTile("p1", "Hankyu", "F13", "57", 2), "1890-TRK-07")  # the Yodo, here the map's edge too


# The edges of the scenarios A and B


ANYWHERE = {
    own_turn, lay_left, another_hex, track.colour_open, track.in_supply, track.not_blocked_by_private,
    track.terrain_affordable, track.reachable, track.upgrade_joined,
}  # fmt: skip
"""Guards that look at more than the hex, its tile and what is printed around."""


def last_colour(t: Title, s: State, hex_id: str) -> str:
    """The last colour to which one tile after another can bring the hex."""
    guards = [guard for guard in t.rounds["OR"].by_name["track"].by_action[LayTile].guards if guard not in ANYWHERE]
    boards, known = [s.board], set()
    for board in boards:  # grows while it is read
        here = s.copy()
        here.board = board
        for tile in t.supply:
            for rotation in range(6):
                lay = LayTile("p1", "JR", hex_id, tile, rotation)
                if (tile, rotation) not in known and not any(guard(t, here, lay) for guard in guards):
                    known.add((tile, rotation))
                    boards.append(board.with_tile(hex_id, tile, rotation))
    return boards[-1].face(hex_id).face.colour


def special_cities(t: Title) -> set[str]:
    """Those with tiles of their own, and those that are printed yellow."""
    yellow = {name for name, hex_ in t.hexes.items() if hex_.face.colour == "yellow" and hex_.face.stops}
    return {str(name) for name in t.hexes if name in NAMED} | {str(name) for name in yellow}


@pytest.mark.second
@pytest.mark.rule("1890-SET-20", "1890-TRK-07", "1890-TRK-17", "1890-TRK-19")
@pytest.mark.parametrize("options", [("scenario_a",), ("scenario_b",), (), ("scenario_d",)], ids="ABCD")
def test_every_special_city_of_a_scenario_can_be_brought_to_its_last_colour(options: tuple[str, ...]) -> None:
    t, s = railway("JR", "track", *options).build()
    cities = special_cities(t)
    assert {"F5", "B17", "G12", "F11", "F9", "E14"} <= cities
    assert {name: last_colour(t, s, name) for name in cities} == dict.fromkeys(cities, "brown")


@pytest.mark.rule("1890-VAR-19", "1890-SET-20", "1890-TRK-07")
def test_by_the_letter_osaka_and_kyoto_stay_yellow_where_track_must_not_end_at_the_scenarios_edge() -> None:
    edges = {"scenario_a": {"G12", "B17"}, "scenario_b": {"G12", "H13", "E16", "G14"}}
    for scenario, stuck in edges.items():
        t, s = railway("JR", "track", scenario, "closed_edges").build()
        assert {name for name in special_cities(t) if last_colour(t, s, name) == "yellow"} == stuck
        refuses(t, s, LayTile("p1", "JR", "G12", "823", 1), "1890-TRK-07")
        t, s = railway("JR", "track", scenario).build()
        after = allows(t, s, LayTile("p1", "JR", "G12", "823", 1))
        assert after.board.face("G12").exits > {2, 3}


@pytest.mark.rule("1890-SET-20")
def test_osaka_higashi_is_reached_in_scenario_b() -> None:
    t, s = railway("JR", "track", "scenario_b").tile("G12", "823", 1).build()
    assert s.board.grid.beyond["G12", 5] == ("H13", 2)
    assert any(isinstance(a, LayTile) and a.hex == "H13" for a in legal(t, s, "p1"))


@pytest.mark.rule("1890-SET-20", "1890-RTE-05")
def test_no_train_leaves_the_scenario_by_track_that_ends_at_its_edge() -> None:
    t, s = railway("JR", "run", "scenario_a").tile("G12", "823", 1).trains("JR", "3").build()
    assert s.board.face("G12").exits == {0, 2, 3, 5}
    for side in (0, 5):
        refuses(t, s, RunTrains("p1", "JR", (Route("3", ("G12.0", side, "H13.0")),)), "1890-RTE-05")


@pytest.mark.rule("1890-TRK-22", "1890-TRK-07")
def test_no_river_lies_between_hirakata_and_the_hexes_south_of_the_uji() -> None:
    t, s = railway("Keihan", phase="4").tile("E16", "206", 0).build()
    assert s.board.grid.beyond["E16", 4] == ("E18", 1)
    assert s.board.grid.beyond["E18", 0] == ("F17", 3)
    after = allows(t, s, LayTile("p1", "Keihan", "E16", "193", 0))
    assert after.board.face("E16").exits == {0, 3, 4, 5}


@pytest.mark.rule("1890-TRK-08")
def test_track_may_end_at_the_blank_side_of_a_hex() -> None:
    t, s = railway().tile("E12", "57", 0).build()
    after = allows(t, s, LayTile("p1", "Hankyu", "D13", "9", 0))
    assert after.board.face("C14").exits == frozenset()


@pytest.mark.rule("1890-TRK-09")
@pytest.mark.parametrize("hex_id", ["D5", "D19", "G20"])
def test_grey_hexes_take_no_tile(hex_id: str) -> None:
    t, s = railway(phase="4").build()
    for tile in ("57", "9", "14", "63"):
        refuses(t, s, LayTile("p1", "Hankyu", hex_id, tile, 0), "1890-TRK-05")


# Which tile


@pytest.mark.rule("1890-TRK-11")
def test_yellow_tiles_match_the_cities_of_the_hex() -> None:
    t, s = railway().build()
    for tile in ("9", "58", "56"):
        refuses(t, s, LayTile("p1", "Hankyu", "E12", tile, 0), "1890-TRK-11")
    t, s = railway().tile("E12", "57", 0).build()
    refuses(t, s, LayTile("p1", "Hankyu", "D13", "57", 0), "1890-TRK-11")
    t, s = minor("M5").build()
    refuses(t, s, LayTile("p1", "M5", "D7", "57", 1), "1890-TRK-11")
    refuses(t, s, LayTile("p1", "M5", "D7", "9", 1), "1890-TRK-11")
    allows(t, s, LayTile("p1", "M5", "D7", "58", 1))


@pytest.mark.rule("1890-TRK-12")
def test_tiles_of_small_cities_never_upgrade() -> None:
    t, _ = railway().build()
    for tile in t.supply:
        face = t.tiles[tile].face
        if face.stops and face.stops[0].kind == "town":
            assert face.colour == "yellow"
    t, s = minor("M5", phase="4").tile("D7", "4", 1).build()
    assert not [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "D7"]


def cost_of(t: Title, hex_id: str) -> int:
    terrain = t.hexes[hex_id].terrain
    return terrain.cost if terrain else 0


@pytest.mark.rule("1890-TRK-13")
def test_one_hex_has_two_small_cities_and_costs_80() -> None:
    t, _ = table("1890", 3).build()
    double = [name for name, hex_ in t.hexes.items() if [stop.kind for stop in hex_.face.stops] == ["town", "town"]]
    assert double == ["G16"]
    assert cost_of(t, "G16") == 80
    t, s = railway("Kinki", "track", "plain_kinki", phase="1").tile("H15", "6", 1).build()
    lays = [a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "G16"]
    assert {a.tile for a in lays} == {"1", "2", "56", "69"}
    assert allows(t, s, lays[0]).cash["Kinki"] == 900 - 80
    refuses(t, s, LayTile("p1", "Kinki", "G16", "58", 0), "1890-TRK-11")


@pytest.mark.rule("1890-TRK-14")
def test_an_upgrade_keeps_track_and_tokens_and_the_old_tile_returns() -> None:
    t, s = railway().tile("E12", "57", 0).build()
    refuses(t, s, LayTile("p1", "Hankyu", "E12", "14", 1), "1890-TRK-14")
    after = allows(t, s, LayTile("p1", "Hankyu", "E12", "14", 0))
    assert tokens_at(after, "E12") == ("Hankyu", None)
    assert after.supply["57"] == t.supply["57"]
    assert after.supply["14"] == t.supply["14"] - 1
    s.supply["14"] = 0
    refuses(t, s, LayTile("p1", "Hankyu", "E12", "14", 0), "1890-TRK-14")


UPGRADES = {
    "57": "14 15 205 206", "6": "12 14 15 205 206", "7": "18 26 27 28 29", "8": "16 19 23 24 25 28 29",
    "9": "18 19 20 23 24 26 27", "14": "63 74", "15": "63 74 193", "12": "63 74 193", "205": "63 74 193",
    "206": "63 74 193", "16": "43 70", "18": "43", "19": "45 46", "20": "44 47", "23": "41 43 45 47",
    "24": "42 43 46 47", "25": "40 45 46", "26": "42 44 45", "27": "41 44 46", "28": "39 46 70", "29": "39 45 70",
}  # fmt: skip
"""The printed table of tiles, without those of named hexes."""


@pytest.mark.rule("1890-TRK-14")
def test_the_upgrades_are_those_of_the_printed_table() -> None:
    t, _ = railway().build()
    for old, wanted in UPGRADES.items():
        face = t.tiles[old].face
        next_colour = COLOURS[COLOURS.index(face.colour) + 1]
        found = {
            tile
            for tile in t.supply
            if t.tiles[tile].face.colour == next_colour
            and tile not in OWN_TILES
            and tile not in NOT_AFTER.get(old, ())
            and len(t.tiles[tile].face.stops) == len(face.stops)
            and any(keeps_track(turned(face, 0), turned(t.tiles[tile].face, turn)) for turn in range(6))
        }
        assert found == set(wanted.split()), old


@pytest.mark.rule("1890-TRK-14")
def test_43_does_not_follow_on_28() -> None:
    t, s = railway(phase="4").tile("E12", "57", 0).tile("D13", "9", 0).tile("D13", "18", 0).build()
    allows(t, s, LayTile("p1", "Hankyu", "D13", "43", 0))
    t, s = railway(phase="4").tile("E12", "57", 0).tile("D13", "8", 4).tile("D13", "28", 0).build()
    refuses(t, s, LayTile("p1", "Hankyu", "D13", "43", 4), "1890-TRK-14")


@pytest.mark.rule("1890-TRK-14", "1890-TRK-20")
def test_nishinomiyas_brown_tile_follows_on_the_green_ones_of_the_printed_table() -> None:
    followed = set()
    for tile, turn in (("12", 1), ("15", 1), ("205", 1), ("206", 4)):
        t, s = railway("Hanshin", phase="4").tile("F9", tile, turn).build()
        if any(isinstance(a, LayTile) and a.tile == "465N" for a in legal(t, s, "p1")):
            followed.add(tile)
    assert followed == {"15", "205", "206"}
    t, s = railway("Hanshin", phase="4").tile("F9", "12", 1).build()
    refuses(t, s, LayTile("p1", "Hanshin", "F9", "465N", 3), "1890-TRK-14")


@pytest.mark.rule("1890-TRK-15", "1890-TRK-16")
def test_terrain_is_paid_by_the_treasury_and_mountains_once() -> None:
    t, s = railway("Hankyu", "track", "scenario_d", cash=119).tile("E12", "57", 0).tile("D13", "9", 0).build()
    refuses(t, s, LayTile("p1", "Hankyu", "C14", "9", 0), "1890-TRK-15")
    t, s = railway("Hankyu", "track", "scenario_d", cash=120).tile("E12", "57", 0).tile("D13", "9", 0).build()
    s = allows(t, s, LayTile("p1", "Hankyu", "C14", "9", 0))
    assert s.cash["Hankyu"] == 0
    t, s = railway(cash=0).tile("E12", "57", 0).tile("D13", "9", 0).tile("C14", "9", 0).build()
    allows(t, s, LayTile("p1", "Hankyu", "C14", "20", 0))


@pytest.mark.rule("1890-TRK-15", "1890-TRK-17")
def test_printed_yellow_cities_are_upgraded_at_once_and_their_cost_is_due_then() -> None:
    yellow = {"G12": 80, "H11": 80, "H13": 80, "I12": 80, "F5": 0, "B17": 80, "H19": 80, "E16": 0, "J15": 0}
    t, s = railway("JR", phase="2").build()
    for hex_id, price in yellow.items():
        assert t.hexes[hex_id].face.colour == "yellow"
        assert cost_of(t, hex_id) == price
    after = allows(t, s, LayTile("p1", "JR", "G12", "823", 1))
    assert after.cash["JR"] == 900 - 80
    t, s = railway("JR", phase="4").tile("G12", "823", 1).build()
    assert allows(t, s, LayTile("p1", "JR", "G12", "833", 1)).cash["JR"] == 900 - 80


@pytest.mark.rule("1890-TRK-18")
@pytest.mark.parametrize("hex_id", ["E14", "G14", "J11"])
def test_yellow_framed_hexes_start_green_with_two_cities_that_brown_joins(hex_id: str) -> None:
    assert NAMED[hex_id] == {"green": ("210", "211"), "brown": ("217",)}
    t, s = railway(phase="1").tile("E12", "57", 1).build()
    refuses(t, s, LayTile("p1", "Hankyu", "E14", "57", 1), "1890-TRK-05")
    refuses(t, s, LayTile("p1", "Hankyu", "E14", "210", 3), "1890-TRK-05")
    t, s = railway(phase="2").tile("E12", "57", 1).build()
    s = allows(t, s, LayTile("p1", "Hankyu", "E14", "210", 3))
    assert len(s.board.face("E14").face.stops) == 2
    laid = railway(phase="4").tile("E12", "57", 1).tile("E14", "210", 3)
    t, s = laid.token("JR", "E14", 0).token("Sanyo", "E14", 1).build()
    s = allows(t, s, LayTile("p1", "Hankyu", "E14", "217", 3))
    assert set(tokens_at(s, "E14")) == {"JR", "Sanyo"}


@pytest.mark.rule("1890-TRK-19", "1890-TRK-20", "1890-TRK-21")
def test_named_hexes_take_their_tiles_only() -> None:
    named = {
        "F11": "202, 821 822, 831", "I12": "821 822, 831", "F5": "820, 830", "B17": "825, 835", "H13": "824, 834",
        "G12": "823, 833", "H11": "12, 839", "F9": "465N",
    }  # fmt: skip
    for hex_id, text in named.items():
        assert ", ".join(" ".join(tiles) for tiles in NAMED[hex_id].values()) == text
    t, s = railway("Hanshin", phase="1").build()
    allows(t, s, LayTile("p1", "Hanshin", "F9", "57", 1))
    t, s = railway("Hanshin", phase="4").tile("F9", "57", 1).tile("F9", "14", 1).build()
    refuses(t, s, LayTile("p1", "Hanshin", "F9", "63", 0), "1890-TRK-19")
    t, s = railway("Hanshin", phase="4").tile("F9", "57", 1).tile("F9", "15", 1).build()
    turns = [a.rotation for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.tile == "465N"]
    assert turns
    t, s = railway().build()
    refuses(t, s, LayTile("p1", "Hankyu", "E12", "202", 0), "1890-TRK-19")
    t, s = railway("Subway", phase="2").build()
    refuses(t, s, LayTile("p1", "Subway", "H11", "205", 0), "1890-TRK-19")
    allows(t, s, LayTile("p1", "Subway", "H11", "12", 3))


# What companies gain by laying


@pytest.mark.rule("1890-COR-15")
def test_the_subways_first_turn_lays_in_osaka_for_nothing_where_it_is_connected() -> None:
    t, s = railway("Subway", "track", "open_treasuries", phase="2", cash=0).build()
    after = allows(t, s, LayTile("p1", "Subway", "H11", "12", 3))
    assert after.cash["Subway"] == 0
    assert (after.or_number, after.board.placed["H11"]) == (2, ("12", 3))
    refuses(t, s, LayTile("p1", "Subway", "I12", "821", 1), "1890-TRK-04")
    s.operated |= {"Subway"}
    refuses(t, s, LayTile("p1", "Subway", "H11", "12", 3), "1890-TRK-15")


@pytest.mark.rule("1890-COR-15", "1890-COR-20")
def test_elsewhere_the_subway_pays_as_all_do_and_in_osaka_the_others_pay() -> None:
    t, s = railway("Subway", phase="2", cash=79).tile("F7", "57", 1).token("Subway", "F7").build()
    refuses(t, s, LayTile("p1", "Subway", "F9", "57", 1), "1890-TRK-15")
    osaka = ("G12", "H11", "H13", "I12")
    assert [track.lay_cost(t, s, "Subway", hex_id) for hex_id in (*osaka, "F9", "H19")] == [0, 0, 0, 0, 80, 80]
    assert [track.lay_cost(t, s, "JR", hex_id) for hex_id in osaka] == [80] * 4
    t, s = railway("JR", "track", "scenario_b", phase="2", cash=79).build()
    refuses(t, s, LayTile("p1", "JR", "G12", "823", 1), "1890-TRK-15")


@pytest.mark.rule("1890-COR-18", "1890-COR-19", "1890-COR-20")
def test_hankyu_gets_10_for_a_yellow_tile_in_scenario_c_only() -> None:
    t, s = railway().build()
    assert allows(t, s, LayTile("p1", "Hankyu", "E12", "57", 0)).cash["Hankyu"] == 910
    t, s = railway().tile("E12", "57", 0).build()
    assert allows(t, s, LayTile("p1", "Hankyu", "E12", "14", 0)).cash["Hankyu"] == 900
    for scenario in ("scenario_a", "scenario_b", "scenario_d"):
        t, s = railway("Hankyu", "track", scenario).build()
        assert allows(t, s, LayTile("p1", "Hankyu", "E12", "57", 0)).cash["Hankyu"] == 900
    t, s = railway("Sanyo").build()
    assert allows(t, s, LayTile("p1", "Sanyo", "F3", "57", 1)).cash["Sanyo"] == 900


# Tokens


@pytest.mark.rule("1890-TOK-01", "1890-COR-01")
def test_home_tokens_are_free_and_placed_in_the_first_turn() -> None:
    t, s = railway("Sanyo", "trains").no_homes().par("JR").shares("JR", p1=6).build()
    s.queue = ("JR",)
    assert s.board.token_stops("JR") == ()
    while s.operating == "Sanyo":
        s = allows(t, s, Pass("p1"))
    places = {t.hexes[hex_id].name for hex_id, _ in s.board.token_stops("JR")}
    assert places == {"Osaka Kita", "Kyoto", "Nara", "Kobe"}
    assert (s.cash["JR"], s.tokens["JR"]) == (0, (40, 100))


@pytest.mark.rule("1890-TOK-02", "1890-TOK-03", "1890-TOK-09")
def test_one_token_a_turn_for_40_then_100() -> None:
    t, s = railway("Hankyu", "token").tile("E12", "57", 1).tile("E10", "57", 1).build()
    s = allows(t, s, PlaceToken("p1", "Hankyu", stop("E10")))
    assert (s.cash["Hankyu"], s.tokens["Hankyu"]) == (860, (100, 100))
    s.step = "token"
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("F11")), "1890-TOK-02")
    s.tokened, s.cash["Hankyu"] = False, 99
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("F11")), "1890-TOK-03")
    s.tokens["Hankyu"] = ()
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("F11")), "1890-TOK-09")


@pytest.mark.rule("1890-TOK-04", "1890-TOK-05")
def test_a_token_needs_a_free_place_in_a_connected_city() -> None:
    found = railway("Hankyu", "token").tile("E12", "57", 1).tile("E10", "57", 1)
    t, s = found.token("Sanyo", "E10").build()
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("E10")), "1890-TOK-04")
    t, s = railway("Hankyu", "token").tile("E12", "57", 1).build()
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("D15")), "1890-TOK-04")
    assert "no city" in refuses(t, s, PlaceToken("p1", "Hankyu", stop("D7")), "1890-TOK-04")
    t, s = railway("Hankyu", "token").tile("E12", "57", 1).tile("E12", "14", 1).tile("E10", "57", 1).build()
    refuses(t, s, PlaceToken("p1", "Hankyu", stop("E12")), "1890-TOK-05")


@pytest.mark.rule("1890-TOK-06")
def test_home_places_of_the_unstarted_stay_free_extra_places_may_be_used() -> None:
    """JR lays to Suita and Nishinomiya: Hanshin's home is there."""
    found = railway("JR", "token").tile("F7", "57", 1).tile("F9", "57", 1)
    t, s = found.build()
    refuses(t, s, PlaceToken("p1", "JR", stop("F9")), "1890-TOK-06")
    t, s = railway("JR", "token").tile("F7", "57", 1).tile("F9", "57", 1).tile("F9", "14", 1).build()
    s = allows(t, s, PlaceToken("p1", "JR", stop("F9")))
    assert tokens_at(s, "F9") == ("JR", None)


@pytest.mark.rule("1890-TOK-07")
def test_tokens_stay_when_a_tile_is_replaced() -> None:
    t, s = railway("JR", phase="2").token("Sanyo", "G12").build()
    s = allows(t, s, LayTile("p1", "JR", "G12", "823", 1))
    assert tokens_at(s, "G12") == ("JR", "Sanyo", None)


@pytest.mark.rule("1890-VAR-11a", "1890-VAR-11b", "1890-COR-19")
def test_an_ordinary_kinki_gets_free_tokens_phase_by_phase_where_it_is_connected() -> None:
    found = railway("Sanyo", "trains", "plain_kinki", phase="2").par("Kinki").shares("Kinki", p1=6).rounds(2, 1, 2)
    t, s = found.tile("H13", "824", 0).tile("I14", "8", 0).tile("J13", "7", 3).build()
    assert s.tokens["Kinki"] == (40, 100, 0, 0, 0)
    while s.or_number == 1:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    assert tokens_at(s, "J15") == ("Kinki",)
    assert s.tokens["Kinki"] == (40, 100, 0, 0)
    assert tokens_at(s, "H19") == (None,)
    t, s = railway("JR", "token", "plain_kinki").build()
    refuses(t, s, PlaceToken("p1", "JR", stop("B17", 2)), "1890-TOK-05")
    t, s = railway("Keihan", "token", "plain_kinki").tile("C18", "57", 0).build()
    s.board = s.board.with_tile("D17", "8", 0)
    refuses(t, s, PlaceToken("p1", "Keihan", stop("B17", 2)), "1890-TOK-06")


@pytest.mark.rule("1890-VAR-11a")
@pytest.mark.parametrize("option", ["plain_kinki", "scenario_d"])
def test_an_ordinary_kinki_has_its_home_when_its_first_round_begins_and_what_is_joined_to_it(option: str) -> None:
    """Before a company that operates sooner has its turn."""
    found = table("1890", 3, option).phase("2").par("Kinki", 70).shares("Kinki", p1=6).no_homes()
    found.par("Sanyo").shares("Sanyo", p2=6).cash(p1=0, p2=0, p3=0)
    t, s = found.tile("H13", "824", 0).tile("I14", "8", 0).tile("J13", "7", 3).build()
    while s.round != "OR":
        s = allows(t, s, Pass(decision(t, s).players[0]))
    assert s.operating == "Sanyo"
    assert "Kinki" in tokens_at(s, "H13")
    assert tokens_at(s, "J15") == ("Kinki",)
    assert s.tokens["Kinki"] == (40, 100, 0, 0)


@pytest.mark.rule("1890-TRK-02")
def test_who_laid_last_in_a_hex_may_upgrade_it_in_the_next_turn() -> None:
    t, s = railway("Hankyu", phase="2½").rounds(3, 1, 2).build()
    s = allows(t, s, LayTile("p1", "Hankyu", "E12", "57", 1))
    while s.or_number == 1 or s.step != "track" or s.operating != "Hankyu":
        s = allows(t, s, Pass(decision(t, s).players[0]))
    allows(t, s, LayTile("p1", "Hankyu", "E12", "15", 1))
