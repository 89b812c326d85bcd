"""1860: which tiles fit where, how many a turn has, and how far upgrades reach."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, keep, refuses, table
from tables_1860 import OPEN, east_coast, lay, railway, without_director

from engine import Title, decision, legal
from engine.actions import LayTile, Pass
from engine.board.board import keeps_track
from engine.board.reach import reach
from engine.board.tiles import turned
from engine.facts import TileLaid
from engine.steps.track import same_label
from engine.titles.t1860.distance import Limit
from engine.titles.t1860.own import own
from engine.titles.t1860.track import may_build, same_stations


def lays_in(t: Title, s, hex_id: str) -> set[str]:  # type: ignore[no-untyped-def]
    return {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == hex_id}


def sandown(*trains: str, phase: str = "3", **more: object) -> Table:
    """IOW's coast on to Sandown (J8), whose green tile leads to Newchurch (I7) and Shanklin (I9)."""
    return east_coast("track", *trains, phase=phase, **more).tile("J8", "12", 1)


def cowes(*trains: str, phase: str = "3", options: tuple[str, ...] = (), cement: tuple[str, int] = ("742", 3)) -> Table:
    """C&N from Cowes (town and halt on the way out) by Cement Mills (F4) to Newport (G5)."""
    laid = railway("C&N", "track", *trains, phase=phase, options=options)
    return laid.tile("F2", "787").tile("F4", *cement)


# How much in a turn


@pytest.mark.rule("1860-TRK-01", "1860-TRK-03")
def test_the_second_tile_may_build_on_the_first_and_is_the_last() -> None:
    t, s = sandown("2+1").build()
    assert not lays_in(t, s, "H6")
    s = allows(t, s, lay("I7", "744", 5))
    assert decision(t, s).step == "track"
    s = allows(t, s, lay("H6", "9", 2))
    assert decision(t, s).step != "track"


@pytest.mark.rule("1860-TRK-01")
def test_two_tiles_laid_leave_no_third() -> None:
    laid = sandown("2+1").tile("K7", "9", 0).tile("H6", "9", 2)
    t, s = laid.own(layer=1, laid=("K7", "H6")).build()
    for action in (lay("I7", "744", 5), lay("I9", "57", 1), lay("J4", "12", 0)):
        refuses(t, s, action, "1860-TRK-01")
    assert not may_build(t, s)


@pytest.mark.rule("1860-TRK-02")
def test_the_second_of_two_has_no_large_station() -> None:
    t, s = sandown("2+1").build()
    s = allows(t, s, lay("I7", "744", 5))
    for tile, rotation in (("5", 3), ("57", 1), ("115", 4)):
        refuses(t, s, lay("I9", tile, rotation), "1860-TRK-01")


@pytest.mark.rule("1860-TRK-02")
def test_a_large_station_is_the_only_lay() -> None:
    t, s = sandown("2+1").build()
    after = allows(t, s, lay("I9", "57", 1))
    assert decision(t, after).step != "track"
    s.board = s.board.with_tile("I9", "57", 1)
    keep(s, laid=("I9",))
    refuses(t, s, lay("I7", "744", 5), "1860-TRK-01")


@pytest.mark.rule("1860-TRK-01")
def test_an_upgrade_is_the_only_lay_and_follows_none() -> None:
    t, s = sandown("2+1").build()
    after = allows(t, s, lay("J4", "12", 0))
    assert decision(t, after).step != "track"
    yellow = allows(t, s, lay("I7", "744", 5))
    refuses(t, yellow, lay("J4", "12", 0), "1860-TRK-01")
    s.board = s.board.with_tile("J4", "12", 0)
    keep(s, laid=("J4",))
    refuses(t, s, lay("I7", "744", 5), "1860-TRK-01")


@pytest.mark.rule("1860-TRK-01")
def test_a_green_tile_without_a_large_station_ends_the_turns_track_too() -> None:
    t, s = sandown("4+2").tile("I7", "745", 5).build()
    green = next(a for a in legal(t, s, "p1") if isinstance(a, LayTile) and a.hex == "I7")
    assert decision(t, allows(t, s, green)).step != "track"


@pytest.mark.rule("1860-TRK-01")
def test_nothing_need_be_laid_and_the_count_begins_anew_with_each_turn() -> None:
    t, s = sandown("2+1").par("C&N", 74).shares("C&N", p2=5).set(queue=("C&N",)).build()
    keep(s, paid={})
    s = allows(t, s, lay("I7", "744", 5))
    while s.operating == "IOW":
        s = allows(t, s, next(a for a in legal(t, s, "p1") if not isinstance(a, LayTile)))
    assert (decision(t, s).players, s.operating, s.step) == (("p2",), "C&N", "track")
    assert not own(s).laid


@pytest.mark.rule("1860-OR-01")
def test_only_the_company_whose_turn_it_is_lays() -> None:
    t, s = sandown("2+1").par("C&N", 74).shares("C&N", p1=5).build()
    refuses(t, s, lay("F2", "787", 0, "C&N"), "1860-OR-01")


# What fits where


@pytest.mark.rule("1860-TRK-06", "1860-TRK-13")
@pytest.mark.parametrize(
    ("hexes", "tiles"),
    [
        (("D8", "E3", "E7", "E11", "F8", "G13", "H2", "H6", "K7", "D4"), {"7", "8", "9"}),
        (("A5", "C5", "F4", "G1", "H10", "K5", "C7"), {"741", "742", "743"}),
        (("H4", "I7"), {"744", "745"}),
        (("A7", "B4", "B6", "F12", "I9", "J4", "J8", "L6"), {"5", "6", "57", "115"}),
        (("E9", "G9", "J6"), {"746"}),
        (("F2",), {"787"}),
    ],
)
def test_which_yellow_tiles_an_empty_hex_takes(hexes: tuple[str, ...], tiles: set[str]) -> None:
    t, s = railway("IOW", "track").build()
    for hex_id in hexes:
        fitting = {
            tile
            for tile in t.supply
            if t.tiles[tile].face.colour == "yellow"
            and same_label(t, s, lay(hex_id, tile, 0)) is None
            and same_stations(t, s, lay(hex_id, tile, 0)) is None
        }
        assert fitting == tiles, hex_id


@pytest.mark.rule("1860-TRK-13", "1860-TRK-14")
@pytest.mark.parametrize(
    ("hex_id", "green", "brown"),
    [
        ("I3", {"758"}, {"786"}),
        ("F2", {"788"}, {"789"}),
        ("G5", {"763"}, {"773"}),
        ("I11", {"760"}, {"774"}),
        ("G7", {"761"}, {"775"}),
        ("J6", {"757", "762"}, {"770"}),
    ],
)
def test_lettered_hexes_have_tiles_of_their_own(hex_id: str, green: set[str], brown: set[str]) -> None:
    t, s = railway("IOW", "track").build()
    for colour, tiles in (("green", green), ("brown", brown)):
        of_letter = [tile for tile in t.supply if t.tiles[tile].face.colour == colour]
        assert {tile for tile in of_letter if same_label(t, s, lay(hex_id, tile, 0)) is None} == tiles
        for tile in tiles:
            refusal = same_label(t, s, lay("J4", tile, 0))
            assert refusal is not None
            assert "hex marked" in refusal


@pytest.mark.rule("1860-TRK-08")
def test_every_tile_of_the_box_follows_one_whose_track_and_stations_it_keeps() -> None:
    t, _ = railway("IOW", "track").build()
    before = {"green": "yellow", "brown": "green"}
    firsts = [turned(t.hexes[name].face, 0) for name in ("I3", "G5", "G7", "I11")]
    for tile in t.supply:
        face = t.tiles[tile].face
        if face.colour == "yellow":
            continue
        olds = [turned(t.tiles[old].face, 0) for old in t.supply if t.tiles[old].face.colour == before[face.colour]]
        olds += firsts if face.colour == "green" else []
        assert any(
            old.face.label == face.label and keeps_track(old, turned(face, rotation))
            for old in olds
            for rotation in range(6)
        ), tile


@pytest.mark.rule("1860-TRK-08")
def test_an_upgrade_that_would_turn_old_track_is_refused() -> None:
    t, s = sandown("2+1").build()
    refuses(t, s, lay("J4", "12", 1), "1860-TRK-08")
    refuses(t, s, lay("J4", "205", 0), "1860-TRK-08")
    after = allows(t, s, lay("J4", "205", 5))
    assert s.board.face("J4").exits < after.board.face("J4").exits


@pytest.mark.rule("1860-TRK-08")
def test_one_colour_follows_the_other() -> None:
    t, s = sandown("2+1", phase="5").build()
    refuses(t, s, lay("J4", "57", 0), "1860-TRK-08")
    refuses(t, s, lay("J4", "771", 0), "1860-TRK-08")
    refuses(t, s, lay("I9", "12", 0), "1860-TRK-08")
    refuses(t, s, lay("J2", "758", 0), "1860-TRK-08")


@pytest.mark.rule("1860-TRK-07", "1860-PHS-02", "1860-PHS-04")
@pytest.mark.parametrize(
    ("phase", "green", "russet"),
    [("2", False, False), ("3", True, False), ("4", True, False), ("5", True, True), ("9", True, True)],
)
def test_green_from_phase_three_russet_from_phase_five(phase: str, green: bool, russet: bool) -> None:
    t, s = sandown("2+1", phase=phase).build()
    if green:
        allows(t, s, lay("J4", "12", 0))
    else:
        assert "Green" in refuses(t, s, lay("J4", "12", 0), "1860-TRK-07")
    t, s = east_coast("track", "4+2", phase=phase).tile("J4", "12", 0).build()
    if russet:
        allows(t, s, lay("J4", "771", 0))
    else:
        assert "Brown" in refuses(t, s, lay("J4", "771", 0), "1860-TRK-07")


@pytest.mark.rule("1860-TRK-06", "1860-SET-02")
def test_a_tile_that_is_used_up_cannot_be_laid() -> None:
    t, s = sandown("2+1").build()
    s.supply["744"] = 0
    assert "No tile 744" in refuses(t, s, lay("I7", "744", 5), "1860-TRK-06")
    assert lays_in(t, s, "I7") == {"745"}


@pytest.mark.rule("1860-TRK-08")
def test_a_tile_that_is_replaced_can_be_laid_again() -> None:
    t, s = sandown("2+1").build()
    left = s.supply["6"], s.supply["12"]
    after = allows(t, s, lay("J4", "12", 0))
    assert (after.supply["6"], after.supply["12"]) == (left[0] + 1, left[1] - 1)


@pytest.mark.rule("1860-TRK-05")
@pytest.mark.parametrize(
    ("hex_id", "tile", "rotation"),
    [("K5", "743", 1), ("L6", "57", 0), ("I7", "744", 0), ("F4", "742", 4)],
)
def test_track_runs_neither_into_the_sea_nor_against_a_barrier(hex_id: str, tile: str, rotation: int) -> None:
    t, s = railway("IOW", "track").build()
    refuses(t, s, lay(hex_id, tile, rotation), "1860-TRK-05")


@pytest.mark.rule("1860-TRK-15")
def test_shide_faces_south_and_blackwater_north() -> None:
    t, s = railway("IWNJ", "track", "3+2", phase="3").build()
    for hex_id, tile in (("G5", "763"), ("G7", "761"), ("I3", "758")):
        refuses(t, s, lay(hex_id, tile, 3, "IWNJ"), "1860-TRK-15")
    newport = s.board.with_tile("G5", "763", 0).face("G5")
    values = [stop.revenue for stop in newport.face.stops]
    assert values == [50, 30]
    shide = {end for pair in newport.segments if 7 in pair for end in pair if end < 6}
    assert shide == {0}
    merstone = s.board.with_tile("G7", "761", 0).face("G7")
    blackwater = {end for pair in merstone.segments if 7 in pair for end in pair if end < 6}
    assert merstone.face.stops[1].kind == "halt"
    assert blackwater == {3}


@pytest.mark.rule("1860-TRK-15", "1860-REV-03", "1860-RTE-02")
def test_the_upgraded_esplanade_leads_to_the_pier() -> None:
    t, s = sandown("2+1").build()
    assert ("J2", 0) not in reach(s.board, "IOW").stops
    after = allows(t, s, lay("I3", "758", 0))
    assert ("J2", 0) in reach(after.board, "IOW").stops


# Where a company may build


@pytest.mark.rule("1860-TRK-04", "1860-TRK-19")
def test_no_track_past_a_station_full_of_others_bases() -> None:
    t, s = sandown("2+1").build()
    allows(t, s, lay("I7", "744", 5))
    for state in ("", "bankrupt"):
        t, s = (
            sandown("2+1").par("S&C", 54).shares("S&C", p2=5).no_homes().token("S&C", "J4").token("IOW", "I3").build()
        )
        keep(s, **{state or "insolvent": ("S&C",)})
        refuses(t, s, lay("I7", "744", 5), "1860-TRK-04")
    t, s = sandown("2+1").par("S&C", 54).shares("S&C", p2=5).no_homes().token("IOW", "J4").token("S&C", "J6").build()
    refuses(t, s, lay("I7", "744", 5), "1860-TRK-04")


@pytest.mark.rule("1860-TRK-04")
def test_any_base_will_do_and_trains_do_not_matter_for_yellow_tiles() -> None:
    t, s = sandown().build()
    assert s.trains["IOW"] == ()
    allows(t, s, lay("I7", "744", 5))
    t, s = sandown().no_homes().token("IOW", "J8").build()
    allows(t, s, lay("I7", "744", 5))
    t, s = sandown().no_homes().token("IOW", "F12").build()
    refuses(t, s, lay("I7", "744", 5), "1860-TRK-04")


@pytest.mark.rule("1860-TRK-04")
def test_a_yellow_tile_meets_the_track_it_builds_on() -> None:
    t, s = sandown().build()
    refuses(t, s, lay("I9", "57", 0), "1860-TRK-05")
    refuses(t, s, lay("I9", "115", 2), "1860-TRK-04")


@pytest.mark.rule("1860-TRK-04", "1860-VAR-12", "1860-VAR-15")
@pytest.mark.parametrize("options", [(), ("reenter_hexes",), ("online",)])
def test_no_train_comes_back_to_a_hex_on_its_way_to_a_yellow_tile(options: tuple[str, ...]) -> None:
    """S&C's line from Chale (F12) crosses itself in E7 before it leads to D8."""
    laid = railway("S&C", "track", phase="3", options=(*OPEN, *options)).tile("F12", "57", 2).tile("E11", "8", 3)
    laid.tile("E9", "746", 0).tile("E7", "19", 4).tile("D6", "741", 4).tile("E5", "742", 5).tile("F6", "741", 1)
    t, s = laid.build()
    if options:
        allows(t, s, lay("D8", "8", 2, "S&C"))
    else:
        assert "twice" in refuses(t, s, lay("D8", "8", 2, "S&C"), "1860-TRK-04")
        assert not lays_in(t, s, "D8")


@pytest.mark.rule("1860-TRK-04")
@pytest.mark.parametrize("options", [(), ("reenter_hexes",), ("online",)])
def test_a_base_on_a_hex_without_track_is_joined_by_any_tile_there(options: tuple[str, ...]) -> None:
    t, s = railway("S&C", "track", options=options).build()
    assert {action.hex for action in legal(t, s, "p1") if isinstance(action, LayTile)} == {"F12"}
    allows(t, s, lay("F12", "57", 2, "S&C"))
    refuses(t, s, lay("E11", "8", 3, "S&C"), "1860-TRK-04")


@pytest.mark.rule("1860-TRK-16")
def test_terrain_is_paid_once_and_to_nobody() -> None:
    line = railway("IOW", "track", "3+2", phase="3", cash=60).tile("J4", "57", 2)
    t, s = line.build()
    bank = s.cash["bank"]
    after = allows(t, s, lay("K5", "742", 0))
    assert (after.cash["IOW"], after.cash["bank"]) == (0, bank)
    assert facts(after, TileLaid)[0].cost == 60
    t, s = railway("IOW", "track", "3+2", phase="3", cash=59).tile("J4", "57", 2).build()
    refuses(t, s, lay("K5", "742", 0), "1860-TRK-16")
    t, s = railway("IOW", "track", "3+2", phase="3", cash=0).tile("J4", "57", 2).tile("K5", "742", 0).build()
    assert facts(allows(t, s, lay("K5", "748", 0)), TileLaid)[0].cost == 0


@pytest.mark.rule("1860-TRK-17", "1860-EMR-02")
def test_an_insolvent_company_lays_what_is_free_and_upgrades_nothing() -> None:
    t, s = sandown(phase="3").build()
    keep(s, insolvent=("IOW",))
    refuses(t, s, lay("J4", "12", 0), "1860-TRK-12")
    allows(t, s, lay("I7", "744", 5))
    t, s = sandown(phase="3").tile("I7", "744", 5).build()
    allows(t, s, lay("H6", "9", 2))
    keep(s, insolvent=("IOW",))
    refuses(t, s, lay("H6", "9", 2), "1860-TRK-17")


@pytest.mark.rule("1860-TRK-17", "1860-EMR-10")
def test_nobody_builds_for_a_company_without_director() -> None:
    t, s = sandown("2+1").build()
    without_director(s)
    assert not t.rounds["OR"].by_name["track"].asks(t, s)
    for options in ((), ("accelerated_track",)):
        t, s = sandown("2+1", options=options).build()
        without_director(s)
        keep(s, laid=("J4",))
        assert not t.rounds["OR"].by_name["track"].asks(t, s)


@pytest.mark.rule("1860-TRK-18", "1860-PHS-10")
def test_building_is_open_through_the_set_of_southern_and_then_over() -> None:
    for southern, asked in (("formed", True), ("over", False)):
        for options in ((), ("accelerated_track",)):
            t, s = sandown("2+1", options=options).own(layer=1, southern=southern).build()
            assert t.rounds["OR"].by_name["track"].asks(t, s) is asked


# Upgrades and trains


@pytest.mark.rule("1860-TRK-09")
def test_brading_is_too_far_for_a_two_plus_one_from_ryde() -> None:
    for trains, within in ((("2+1",), False), (("3+2",), True), (("2+1", "2+1"), False), (("2+1", "3+2"), True)):
        t, s = east_coast("track", *trains, phase="3").build()
        if within:
            allows(t, s, lay("J6", "762", 0))
        else:
            assert "2+1" in refuses(t, s, lay("J6", "762", 0), "1860-TRK-09")


@pytest.mark.rule("1860-TRK-09")
def test_an_additional_base_brings_brading_nearer() -> None:
    t, s = east_coast("track", "2+1", phase="3").token("IOW", "J4").build()
    allows(t, s, lay("J6", "762", 0))


@pytest.mark.rule("1860-TRK-09", "1860-TRK-19")
def test_no_upgrade_past_a_tokened_out_station() -> None:
    for state in ("insolvent", "bankrupt"):
        t, s = east_coast("track", "5+3", phase="3").par("S&C", 54).shares("S&C", p2=5).token("S&C", "J4").build()
        keep(s, **{state: ("S&C",)})
        assert not lays_in(t, s, "J6")
        allows(t, s, lay("J4", "12", 0))


@pytest.mark.rule("1860-TRK-10")
def test_halts_on_the_way_need_not_be_counted() -> None:
    t, s = cowes("2+1").build()
    assert [stop.kind for stop in s.board.face("F2").face.stops] == ["city", "town", "halt"]
    allows(t, s, lay("G5", "763", 0, "C&N"))


@pytest.mark.rule("1860-TRK-10", "1860-VAR-11")
def test_small_stations_count_and_spare_large_calls_serve_them() -> None:
    station = ("748", 3)
    t, s = cowes("2+1", phase="5", cement=station).build()
    allows(t, s, lay("F4", "766", 3, "C&N"))
    refuses(t, s, lay("G5", "763", 0, "C&N"), "1860-TRK-09")
    t, s = cowes("3+2", phase="5", cement=station).build()
    allows(t, s, lay("G5", "763", 0, "C&N"))
    for option in ("skip_small_stations", "online"):
        t, s = cowes("2+1", phase="5", cement=station, options=(option,)).build()
        allows(t, s, lay("G5", "763", 0, "C&N"))


@pytest.mark.rule("1860-TRK-10", "1860-VAR-11")
def test_skipping_does_not_lengthen_the_large_calls() -> None:
    t, s = east_coast("track", "2+1", phase="3", options=("skip_small_stations",)).build()
    refuses(t, s, lay("J6", "762", 0), "1860-TRK-09")


@pytest.mark.rule("1860-TRK-12")
def test_without_a_train_nothing_is_upgraded() -> None:
    t, s = sandown(phase="5").build()
    for action in (lay("J4", "12", 0), lay("I3", "758", 0), lay("J6", "762", 0)):
        refuses(t, s, action, "1860-TRK-12")


@pytest.mark.rule("1860-TRK-11")
def test_a_station_worth_more_is_reason_enough() -> None:
    t, s = east_coast("track", "2+1", phase="5").tile("J4", "12", 0).build()
    allows(t, s, lay("J4", "771", 0))


@pytest.mark.rule("1860-TRK-11", "1860-VAR-15")
def test_a_station_worth_less_is_no_reason() -> None:
    """A 2+1 from Merstone ends at Shide, which is full of others' bases and falls from 30 to 20."""
    for options in ((), ("online",)):
        laid = railway("IWNJ", "track", "2+1", phase="5", options=(*OPEN, *options)).par("C&N", 74)
        t, s = laid.tile("G7", "761").tile("G5", "763").token("C&N", "G5", 1).build()
        if options:
            allows(t, s, lay("G5", "773", 0, "IWNJ"))
        else:
            refuses(t, s, lay("G5", "773", 0, "IWNJ"), "1860-TRK-09")
    t, s = railway("IWNJ", "track", "3+2", phase="5").tile("G7", "761").tile("G5", "763").build()
    allows(t, s, lay("G5", "773", 0, "IWNJ"))


@pytest.mark.rule("1860-TRK-11")
def test_what_no_train_could_use_is_no_upgrade() -> None:
    t, s = cowes("2+1", phase="5", cement=("749", 3)).build()
    assert not lays_in(t, s, "G5"), "no track leads there"
    t, s = cowes(phase="5").trains("C&N", "2+1").build()
    refuses(t, s, lay("I11", "760", 0, "C&N"), "1860-TRK-09")


@pytest.mark.rule("1860-TRK-09", "1860-TRK-11", "1860-VAR-12", "1860-VAR-15")
@pytest.mark.parametrize("options", [(), ("reenter_hexes",), ("online",)])
def test_no_train_comes_back_to_the_hex_whose_new_track_it_would_use(options: tuple[str, ...]) -> None:
    """IOW's only line comes to the new track of H2 over the old one, round by G1 and G3."""
    laid = railway("IOW", "track", "5+3", phase="3", options=(*OPEN, *options)).tile("J4", "5", 1).tile("I5", "742", 2)
    laid.tile("H4", "745", 3).tile("H2", "8", 0).tile("G1", "741", 5).tile("G3", "741", 3)
    t, s = laid.build()
    if options:
        allows(t, s, lay("H2", "16", 5))
    else:
        refuses(t, s, lay("H2", "16", 5), "1860-TRK-09")
        assert not lays_in(t, s, "H2")


@pytest.mark.rule("1860-TRK-14", "1860-PHS-02")
def test_printed_towns_wait_for_green() -> None:
    t, s = cowes("2+1", phase="2").build()
    refuses(t, s, lay("G5", "763", 0, "C&N"), "1860-TRK-07")
    t, s = railway("IWNJ", "track", "2+1", phase="3").build()
    after = allows(t, s, lay("G7", "761", 0, "IWNJ"))
    assert after.board.places("G7", 0) == ("IWNJ",)


@pytest.mark.rule("1860-TRK-01")
def test_passing_ends_the_track_step() -> None:
    t, s = sandown("2+1").build()
    assert decision(t, allows(t, s, Pass("p1"))).step != "track"


@pytest.mark.rule("1860-TRK-04")
def test_the_first_track_leads_away_from_the_home_base() -> None:
    t, s = table("1860", 3).operating("IOW").par("IOW", 74).build()
    assert {action.hex for action in legal(t, s, "p1") if isinstance(action, LayTile)} == {"J4"}


@pytest.mark.rule("1860-TRK-10")
@pytest.mark.parametrize(
    ("large", "small", "city", "town"),
    [
        (0, 0, True, True),
        (0, 3, True, True),
        (0, 4, False, False),
        (1, 2, True, True),
        (2, 1, True, True),
        (3, 0, False, True),
        (3, 1, False, False),
    ],
)  # fmt: skip
def test_a_large_call_that_served_a_small_station_is_gone_for_large_ones(
    large: int, small: int, city: bool, town: bool
) -> None:
    """A 3+1 has four calls, of which three are large."""
    train = Limit(3, 1)
    assert train.calls_at("city", large, small) is city
    assert train.calls_at("town", large, small) is town
