"""1890: what map and table show of companies that are gone, of kept places, limits, and privates worth nothing."""

from __future__ import annotations

import pytest
from tables import allows, keep, table

from engine import State, Title
from engine.actions import BuyPrivate, ExchangePrivate
from engine.board.board import rotations
from engine.board.tiles import turned
from engine.ids import HexId, PlayerId, PrivateId, TileId
from engine.titles.t1890.companies import close_company
from engine.viewing import board_view, table_view


def kept(t: Title, s: State) -> dict[str, tuple[str, ...]]:
    """Who keeps a place where, as the map shows it."""
    return {
        f"{view.id}.{index}": stop.reserved
        for view in board_view(t, s).hexes
        for index, stop in enumerate(view.stops)
        if stop.reserved
    }


@pytest.mark.rule("1890-TOK-06")
def test_the_map_shows_the_places_kept_for_homes_to_come() -> None:
    t, s = table("1890", 3).opening().build()
    assert kept(t, s) == {
        "B17.0": ("JR",), "B17.2": ("M4",), "D5.0": ("M5",), "E12.0": ("Hankyu",), "E16.0": ("Keihan",),
        "F3.0": ("Sanyo",), "F5.0": ("JR",), "F9.0": ("Hanshin",), "G12.0": ("JR",), "H11.0": ("Subway",),
        "H13.0": ("M2",), "H19.0": ("M4",), "H19.1": ("JR",), "I12.0": ("Nankai",), "J15.0": ("M1",),
    }  # fmt: skip


@pytest.mark.rule("1890-TOK-06", "1890-COR-05")
def test_a_closed_company_keeps_no_place() -> None:
    t, s = table("1890", 3).par("Hankyu").shares("Hankyu", p1=6).build()
    assert "E12.0" not in kept(t, s)
    close_company(t, s, "Hankyu")
    assert "E12.0" not in kept(t, s)


@pytest.mark.rule("1890-TOK-06", "1890-MIN-13", "1890-MIN-14")
def test_a_merged_minor_keeps_no_place() -> None:
    laid = table("1890", 3).phase("4").par("Kinki").shares("Kinki", p1=4, reserved=2)
    t, s = laid.private(M4="p2").operating("Kinki", begun=False).build()
    keep(s, formed=True)
    s.floated |= {"M4"}
    assert {where for where, corps in kept(t, s).items() if "M4" in corps} == {"B17.2", "H19.0"}
    s = allows(t, s, ExchangePrivate("p2", "M4"))
    assert not any("M4" in corps for corps in kept(t, s).values())


@pytest.mark.rule("1890-TOK-06")
@pytest.mark.parametrize(("hex_id", "tile"), [("B17", "825"), ("H19", "15")])
def test_green_kyoto_and_nara_show_both_kept_places(hex_id: str, tile: str) -> None:
    found = table("1890", 3).phase("3")
    printed, green = found.title.hexes[HexId(hex_id)].face, found.title.tiles[TileId(tile)].face
    rotation = rotations(turned(printed, 0), green)[0]
    t, s = found.tile(hex_id, tile, rotation).build()
    assert kept(t, s)[f"{hex_id}.0"] == ("JR", "M4")


@pytest.mark.rule("1890-VAR-11b", "1890-COR-19")
def test_an_ordinary_kinki_keeps_its_four_places() -> None:
    t, s = table("1890", 3, "scenario_d").opening().build()
    assert {where for where, corps in kept(t, s).items() if "Kinki" in corps} == {"H13.0", "J15.0", "H19.0", "B17.2"}


@pytest.mark.rule("1890-TRN-05")
def test_the_table_tells_the_train_limits_of_minors_and_jr() -> None:
    t, s = table("1890", 3).build()
    assert table_view(t, s).train_limit == "4 (minors 2, JR 6)"
    t, s = table("1890", 3).phase("3").build()
    assert table_view(t, s).train_limit == "3 (minors 1, JR 4)"
    t, s = table("1889", 3).build()
    assert table_view(t, s).train_limit == "4"
    t, s = table("1860", 3, "no_train_limit").build()
    assert table_view(t, s).train_limit == ""


def shown_value(t: Title, s: State, private: str) -> int:
    return next(row.value for row in table_view(t, s).privates if row.id == private)


@pytest.mark.rule("1890-PRV-10", "1890-MIN-18", "1890-END-04")
def test_privates_that_count_nothing_are_shown_worth_nothing() -> None:
    t, s = table("1890", 3).opening().build()
    assert (shown_value(t, s, "F"), shown_value(t, s, "M5")) == (220, 100)
    for private in "ABCDE":
        s.owner[PrivateId(private)] = PlayerId("p3")
    s = allows(t, s, BuyPrivate("p1", "F"))
    assert shown_value(t, s, "F") == 0
    t, s = table("1890", 3).private(M5="p2").operating("M5", begun=False).build()
    s = allows(t, s, ExchangePrivate("p2", "M5"))
    assert shown_value(t, s, "M5") == 0
