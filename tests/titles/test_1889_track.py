"""1889: track and station tokens."""

from __future__ import annotations

import pytest
from tables import Table, allows, facts, refuses, table, tokens_at

from engine import BANK, BadAction, judge, legal
from engine.actions import LayTile, Pass, PlaceToken
from engine.board.tiles import turned
from engine.facts import TileLaid, TokenPlaced
from engine.viewing import board_view


def lay(corp: str, hex_id: str, tile: str, rotation: int, by: str = "p1") -> LayTile:
    return LayTile(by, corp, hex_id, tile, rotation)


def awa(*options: str) -> Table:
    """AR in its track step: K8 runs from Naruto (L7) to the coast town J9."""
    return table("1889", 3, *options).operating("AR").tile("K8", "57", 1).cash(AR=500)


def kotohira_line(corp: str = "KO") -> Table:
    """KO in its track step: Takamatsu (K4) joined to Marugame (I2) through J3, and on to H3."""
    return table("1889").operating(corp).tile("J3", "9", 2).tile("I2", "6", 5).cash(**{corp: 500})


# Where and when


@pytest.mark.rule("1889-TRK-01", "1889-OR-04")
def test_one_tile_at_most_in_a_turn() -> None:
    t, s = awa().build()
    assert allows(t, s, Pass("p1")).step != "track"
    s = allows(t, s, lay("AR", "J9", "58", 4))
    assert s.step != "track"
    refuses(t, s, lay("AR", "J11", "6", 1), "1889-OR-08")
    t, s = awa().set(lays=("yellow",)).build()
    refuses(t, s, lay("AR", "J9", "58", 4), "1889-TRK-01")


@pytest.mark.rule("1889-TRK-02")
def test_yellow_on_empty_hexes_then_one_colour_at_a_time() -> None:
    t, s = awa().phase("5").build()
    refuses(t, s, lay("AR", "J9", "12", 0), "1889-TRK-02")
    refuses(t, s, lay("AR", "K8", "6", 2), "1889-TRK-02")
    refuses(t, s, lay("AR", "K8", "448", 0), "1889-TRK-02")
    t, s = table("1889").operating("KO").phase("3").build()
    refuses(t, s, lay("KO", "K4", "57", 0), "1889-TRK-02")
    allows(t, s, lay("KO", "K4", "440", 0))


@pytest.mark.rule("1889-TRK-03", "1889-PHS-02", "1889-PHS-03", "1889-PHS-05")
def test_colours_open_with_the_phases() -> None:
    for phase in ("2", "3", "4", "5", "6", "D"):
        t, s = awa().phase(phase).build()
        if phase == "2":
            assert "phase 2" in refuses(t, s, lay("AR", "K8", "15", 1), "1889-TRK-03")
        else:
            allows(t, s, lay("AR", "K8", "15", 1))
        t, s = table("1889").operating("AR").tile("K8", "15", 1).phase(phase).build()
        if phase in "234":
            refuses(t, s, lay("AR", "K8", "448", 1), "1889-TRK-03")
        else:
            allows(t, s, lay("AR", "K8", "448", 1))


@pytest.mark.rule("1889-TRK-04")
@pytest.mark.parametrize("options", [(), ("online",), ("beginner",)])
def test_a_yellow_tile_joins_track_that_the_company_reaches(options: tuple[str, ...]) -> None:
    t, s = table("1889", 3, *options).operating("AR").tile("K8", "57", 1).build()
    refuses(t, s, lay("AR", "F3", "57", 0), "1889-TRK-04")
    refuses(t, s, lay("AR", "J9", "58", 0), "1889-TRK-04")
    allows(t, s, lay("AR", "J9", "58", 4))


@pytest.mark.rule("1889-TRK-04")
@pytest.mark.parametrize("rotation", range(3))
def test_no_yellow_tile_is_offered_apart_from_the_track(rotation: int) -> None:
    t, s = table("1889").operating("AR").tile("K8", "6", rotation).build()
    offered = [one for one in legal(t, s, "p1") if isinstance(one, LayTile)]
    assert offered
    for one in offered:
        beyond = (
            s.board.grid.beyond.get((one.hex, side)) for side in turned(t.tiles[one.tile].face, one.rotation).exits
        )
        assert any(step and step[1] in s.board.face(step[0]).exits for step in beyond), one


@pytest.mark.rule("1889-VAR-07")
@pytest.mark.parametrize("others", [(), ("online",)])
def test_loose_tiles_come_to_a_hex_that_is_reached_whichever_way_they_lie(others: tuple[str, ...]) -> None:
    t, s = table("1889", 3, "loose_tiles", *others).operating("AR").tile("K8", "57", 1).build()
    refuses(t, s, lay("AR", "F3", "57", 0), "1889-VAR-07")
    allows(t, s, lay("AR", "J9", "58", 4))
    s = allows(t, s, lay("AR", "J9", "58", 0))
    assert s.board.placed["J9"] == ("58", 0)


@pytest.mark.rule("1889-TRK-05")
def test_new_track_need_lead_to_no_stop() -> None:
    t, s = table("1889").operating("KO").cash(KO=500).build()
    s = allows(t, s, lay("KO", "J3", "9", 2))
    assert s.board.placed["J3"] == ("9", 2)
    t, s = table("1889").operating("KO").build()
    allows(t, s, lay("KO", "J3", "8", 3))


@pytest.mark.rule("1889-TRK-06")
def test_the_home_hex_is_open_to_its_company() -> None:
    t, s = table("1889").operating("AR").build()
    s = allows(t, s, lay("AR", "K8", "6", 2))
    assert s.lays == ("yellow",)
    t, s = table("1889").operating("SR").build()
    refuses(t, s, lay("SR", "K8", "6", 2), "1889-TRK-04")


@pytest.mark.rule("1889-TRK-07")
def test_an_upgrade_keeps_the_old_track() -> None:
    t, s = table("1889").operating("AR").tile("K8", "6", 2).phase("3").build()
    refuses(t, s, lay("AR", "K8", "15", 4), "1889-TRK-07")
    after = allows(t, s, lay("AR", "K8", "15", 1))
    assert tokens_at(after, "K8") == ("AR", None)


@pytest.mark.rule("1889-TRK-07")
def test_57_becomes_every_green_city_that_keeps_its_track() -> None:
    t, s = table("1889").operating("AR").tile("K8", "57", 1).phase("3").build()
    found = {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "K8"}
    assert found == {"15", "205", "206"}, "14 would lead to the sea"


@pytest.mark.rule("1889-TRK-08", "1889-TRK-09")
def test_an_upgrade_of_plain_track_needs_new_track_of_use() -> None:
    t, s = kotohira_line().phase("3").build()
    refuses(t, s, lay("KO", "J3", "23", 2), "1889-TRK-08")  # new track 2-0, which KO enters from nowhere
    s = allows(t, s, lay("KO", "J3", "23", 5))  # new track 5-3, towards Okayama


@pytest.mark.rule("1889-TRK-08")
def test_a_city_that_is_worth_more_may_be_upgraded_from_afar() -> None:
    t, s = kotohira_line().phase("3").build()
    allows(t, s, lay("KO", "I2", "15", 4))
    t, s = table("1889").operating("AR").tile("K8", "6", 2).tile("I2", "6", 5).phase("3").build()
    refuses(t, s, lay("AR", "I2", "15", 4), "1889-TRK-08")


@pytest.mark.rule("1889-TRK-08", "1889-TRK-24")
def test_a_full_city_of_others_may_be_upgraded_by_who_reaches_it() -> None:
    t, s = kotohira_line().par("SR").shares("SR", p2=5).phase("3").build()
    assert tokens_at(s, "I2") == ("SR",)
    allows(t, s, lay("KO", "I2", "15", 4))


@pytest.mark.rule("1889-TRK-10", "1889-TRK-14")
def test_rotation_is_free_where_the_old_track_is_kept() -> None:
    t, s = table("1889").operating("KO").tile("J3", "9", 2).tile("J5", "58", 0).phase("3").cash(KO=500).build()
    found = {action.rotation for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.tile == "23"}
    assert found == {5}
    for rotation in (6, -1, 60):
        with pytest.raises(BadAction):
            judge(t, s, lay("KO", "J3", "23", rotation))
    for hex_id in ("Z9", "", "K5"):
        with pytest.raises(BadAction):
            judge(t, s, lay("KO", hex_id, "9", 0))


@pytest.mark.rule("1889-TRK-11")
def test_the_replaced_tile_returns_to_the_stock() -> None:
    t, s = awa().phase("3").build()
    assert s.supply["57"] == 1
    s = allows(t, s, lay("AR", "K8", "15", 1))
    assert (s.supply["57"], s.supply["15"]) == (2, 2)


@pytest.mark.rule("1889-TRK-12")
def test_no_tile_left() -> None:
    t, s = awa().build()
    s.supply["58"] = 0
    assert "58" in refuses(t, s, lay("AR", "J9", "58", 4), "1889-TRK-12")


@pytest.mark.rule("1889-TRK-13")
def test_track_does_not_end_against_the_sea_or_blank_grey_sides() -> None:
    t, s = table("1889").operating("AR").build()
    refuses(t, s, lay("AR", "K8", "5", 0), "1889-TRK-13")  # K10 is sea
    t, s = table("1889").operating("KO").cash(KO=500).build()
    refuses(t, s, lay("KO", "K6", "8", 1), "1889-TRK-13")  # J7 has no track towards K6
    t, s = table("1889").operating("SR").build()
    refuses(t, s, lay("SR", "I2", "57", 0), "1889-TRK-13")


@pytest.mark.rule("1889-TRK-13")
def test_track_may_end_against_the_blank_side_of_a_tile() -> None:
    t, s = table("1889").operating("KO").tile("K8", "6", 2).cash(KO=500).build()
    allows(t, s, lay("KO", "K6", "9", 0))


@pytest.mark.rule("1889-TRK-15", "1889-TRK-16")
def test_tiles_fit_the_stops_of_the_hex() -> None:
    t, s = awa().phase("3").build()
    refuses(t, s, lay("AR", "J9", "8", 4), "1889-TRK-15")
    refuses(t, s, lay("AR", "J9", "57", 1), "1889-TRK-15")
    t, s = awa().tile("J9", "58", 4).phase("3").build()
    refuses(t, s, lay("AR", "J9", "12", 4), "1889-TRK-15")
    refuses(t, s, lay("AR", "J9", "23", 4), "1889-TRK-15")
    assert not [action for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "J9"]


@pytest.mark.rule("1889-TRK-15")
def test_first_tiles_are_those_of_the_manifest() -> None:
    t, s = table("1889").operating("KO").cash(KO=500).build()
    plain = {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "J3"}
    town = {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "J5"}
    assert plain == {"7", "8", "9"}
    assert town == {"3", "58"}
    t, s = table("1889").operating("AR").build()
    assert {action.tile for action in legal(t, s, "p1") if isinstance(action, LayTile)} == {"5", "6", "57"}


@pytest.mark.rule("1889-TRK-17")
def test_lettered_tiles_and_hexes() -> None:
    t, s = table("1889").operating("SR").tile("I2", "57", 0).cash(SR=500).build()
    assert "H" in refuses(t, s, lay("SR", "I4", "57", 0), "1889-TRK-17")
    allows(t, s, lay("SR", "I4", "438", 3))
    t, s = table("1889").operating("SR").build()
    refuses(t, s, lay("SR", "I2", "438", 4), "1889-TRK-17")
    t, s = table("1889").operating("TR").phase("5").cash(TR=500).build()
    refuses(t, s, lay("TR", "F9", "448", 0), "1889-TRK-17")
    refuses(t, s, lay("TR", "F9", "466", 0), "1889-TRK-17")


@pytest.mark.rule("1889-TRK-18", "1889-VAR-01a")
def test_no_company_lays_the_port() -> None:
    t, s = awa().build()
    assert "Mitsubishi Ferry" in refuses(t, s, lay("AR", "J9", "437", 4), "1889-TRK-18")
    t, s = awa("beginner").build()
    assert "Ferry" not in refuses(t, s, lay("AR", "J9", "437", 4), "1889-TRK-18"), "no private has a power"


@pytest.mark.rule("1889-TRK-19")
def test_terrain_is_paid_from_the_treasury_alone() -> None:
    t, s = table("1889").operating("KO").cash(KO=70, p1=1000).build()
    text = refuses(t, s, lay("KO", "K6", "9", 0), "1889-TRK-19")
    assert "¥80" in text
    assert "¥70" in text
    t, s = table("1889").operating("KO").cash(KO=80).build()
    bank = s.cash[BANK]
    s = allows(t, s, lay("KO", "K6", "9", 0))
    assert (s.cash["KO"], s.cash[BANK]) == (0, bank + 80)
    assert facts(s, TileLaid) == [TileLaid("KO", "K6", "9", 0, 80)]


@pytest.mark.rule("1889-TRK-20")
def test_only_kotohira_costs_again() -> None:
    t, s = table("1889").operating("KO").tile("K6", "9", 0).phase("3").cash(KO=5).build()
    allows(t, s, lay("KO", "K6", "24", 3))
    position = table("1889").operating("SR").tile("I2", "57", 0).phase("5").cash(SR=240)
    t, s = position.build()
    for tile, left in (("438", 160), ("439", 80), ("492", 0)):
        s.step, s.lays = "track", ()
        s = allows(t, s, lay("SR", "I4", tile, 3))
        assert s.cash["SR"] == left


@pytest.mark.rule("1889-TRK-21")
def test_kouchi_costs_eighty() -> None:
    for cash in (79, 80):
        t, s = table("1889").operating("TR").phase("5").cash(TR=cash).build()
        free = next(
            turn for turn in range(6) if getattr(judge(t, s, lay("TR", "F9", "465", turn)), "rule", "") != "1889-TRK-07"
        )
        if cash == 79:
            refuses(t, s, lay("TR", "F9", "465", free), "1889-TRK-19")
        else:
            assert allows(t, s, lay("TR", "F9", "465", free)).cash["TR"] == 0


@pytest.mark.rule("1889-TRK-22", "1889-PRV-07")
def test_privates_block_while_a_player_owns_them() -> None:
    for owner, blocked in (("p1", True), ("p2", True), ("KO", False), ("closed", False), ("bank", False)):
        t, s = table("1889").operating("KO").private(A=owner).phase("3").build()
        if blocked:
            assert "Takamatsu E-Railroad" in refuses(t, s, lay("KO", "K4", "440", 0), "1889-TRK-22")
        else:
            allows(t, s, lay("KO", "K4", "440", 0))
        t, s = table("1889").operating("AR").token("AR", "C4").private(C=owner).phase("3").build()
        if blocked:
            refuses(t, s, lay("AR", "C4", "12", 0), "1889-TRK-22")
        else:
            assert [action for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "C4"]


@pytest.mark.rule("1889-TRK-23")
@pytest.mark.parametrize("hex_id", ["B3", "B7", "G14", "J7", "F1", "J1", "L7"])
def test_grey_and_red_hexes_take_nothing(hex_id: str) -> None:
    t, s = awa().phase("5").build()
    assert "No tile can be laid" in refuses(t, s, lay("AR", hex_id, "57", 0), "1889-TRK-02")


@pytest.mark.rule("1889-TRK-23")
def test_brown_is_the_last_colour() -> None:
    t, s = table("1889").operating("AR").tile("K8", "448", 1).phase("D").build()
    assert not [action for action in legal(t, s, "p1") if isinstance(action, LayTile) and action.hex == "K8"]
    assert judge(t, s, lay("AR", "K8", "611", 1)) is not None


@pytest.mark.rule("1889-TRK-24", "1889-TOK-09")
def test_a_full_city_of_others_stops_tracing_a_reserved_place_does_not() -> None:
    t, s = kotohira_line().build()
    allows(t, s, lay("KO", "H3", "9", 1))
    t, s = kotohira_line().par("SR").shares("SR", p2=5).build()
    refuses(t, s, lay("KO", "H3", "9", 1), "1889-TRK-04")
    t, s = kotohira_line().token("KO", "I2").build()
    allows(t, s, lay("KO", "H3", "9", 1))


@pytest.mark.rule("1889-TRK-25")
def test_tokens_and_reservations_stay_with_their_city() -> None:
    t, s = kotohira_line().phase("3").build()
    assert t.policy.companies.waiting_homes(t, s, "I2", 0) == ["SR"]
    s = allows(t, s, lay("KO", "I2", "15", 4))
    assert t.policy.companies.waiting_homes(t, s, "I2", 0) == ["SR"]
    stop = next(hexagon for hexagon in board_view(t, s).hexes if hexagon.id == "I2").stops[0]
    assert stop.reserved == ("SR",)
    assert len(stop.slots) == 2
    t, s = awa().phase("3").build()
    assert tokens_at(allows(t, s, lay("AR", "K8", "15", 1)), "K8") == ("AR", None)


@pytest.mark.rule("1889-OR-03", "1889-OR-08")
def test_only_the_operating_company_and_its_president_build() -> None:
    t, s = awa().par("SR").shares("SR", p2=5).build()
    refuses(t, s, lay("SR", "I2", "5", 0), "1889-OR-03")
    assert "Ann" in refuses(t, s, lay("AR", "J9", "58", 4, by="p2"), "1889-OR-08")


# Tokens


@pytest.mark.rule("1889-OR-03")
def test_only_the_operating_company_places_tokens() -> None:
    t, s = awa_tokens().par("SR").shares("SR", p1=5).cash(SR=100).build()
    refuses(t, s, PlaceToken("p1", "SR", "J11.0"), "1889-OR-03")


def awa_tokens(step: str = "token") -> Table:
    """AR joined through J9 to the city Anan (J11)."""
    return table("1889").operating("AR", step).tile("K8", "57", 1).tile("J9", "58", 4).tile("J11", "6", 1).cash(AR=100)


@pytest.mark.rule("1889-TOK-01", "1889-OR-09")
def test_home_tokens_are_placed_when_the_round_begins() -> None:
    laid = table("1889").par("AR").par("SR", 90).par("KO", 80).shares("AR", p1=5)
    t, s = laid.shares("SR", p2=5).shares("KO", p3=4).no_homes().set(passes=2, up="p3").build()
    s = allows(t, s, Pass("p3"))
    assert (s.round, s.operating, s.step) == ("OR", "AR", "track")
    assert tokens_at(s, "K8") == ("AR",)
    assert tokens_at(s, "I2") == ("SR",), "also of those that operate later"
    assert tokens_at(s, "K4") == (None,), "KO has not floated"
    assert s.tokens["AR"] == (40,)
    assert [(fact.corp, fact.cost, fact.home) for fact in facts(s, TokenPlaced)] == [("AR", 0, True), ("SR", 0, True)]


@pytest.mark.rule("1889-TOK-02", "1889-TOK-03")
def test_one_token_for_forty_in_each_turn() -> None:
    t, s = awa_tokens().build()
    after = allows(t, s, PlaceToken("p1", "AR", "J11.0"))
    assert after.cash["AR"] == 60
    assert tokens_at(after, "J11") == ("AR",)
    assert after.tokens["AR"] == ()
    t, s = awa_tokens().set(tokened=True).build()
    refuses(t, s, PlaceToken("p1", "AR", "J11.0"), "1889-TOK-02")


@pytest.mark.rule("1889-TOK-03")
def test_the_treasury_pays_for_the_token() -> None:
    t, s = awa_tokens().cash(AR=39, p1=500).build()
    assert "¥40" in refuses(t, s, PlaceToken("p1", "AR", "J11.0"), "1889-TOK-03")


@pytest.mark.rule("1889-TOK-04")
def test_a_token_needs_a_free_place_joined_to_an_own_token() -> None:
    t, s = awa_tokens().token("UR", "J11").build()
    refuses(t, s, PlaceToken("p1", "AR", "J11.0"), "1889-TOK-04")
    t, s = awa_tokens().tile("G12", "57", 0).build()
    refuses(t, s, PlaceToken("p1", "AR", "G12.0"), "1889-TOK-04")
    assert "no city" in refuses(t, s, PlaceToken("p1", "AR", "J9.0"), "1889-TOK-04")
    for stop in ("J11.1", "Z1.0", "J11", "J11.x", ""):
        with pytest.raises(BadAction):
            judge(t, s, PlaceToken("p1", "AR", stop))


@pytest.mark.rule("1889-TOK-05")
def test_the_last_place_at_home_is_kept() -> None:
    t, s = table("1889").operating("AR", "token").token("UR", "F9").cash(AR=100).build()
    text = refuses(t, s, PlaceToken("p1", "AR", "F9.0"), "1889-TOK-05")
    assert "TR" in text


@pytest.mark.rule("1889-TOK-05")
def test_a_further_place_at_home_is_free() -> None:
    line = table("1889").operating("AR", "token").tile("G8", "9", 1).tile("H7", "57", 1).token("AR", "H7").cash(AR=100)
    t, s = line.set(tokens={**line.state.tokens, "AR": (40, 40, 40)}).build()
    s = allows(t, s, PlaceToken("p1", "AR", "F9.0"))
    assert tokens_at(s, "F9") == ("AR", None)


@pytest.mark.rule("1889-TOK-06")
def test_a_place_made_by_this_turns_upgrade_can_be_used() -> None:
    position = table("1889").operating("KO").tile("K6", "9", 0).tile("K8", "6", 1).par("AR").shares("AR", p2=5)
    t, s = position.phase("3").cash(KO=40).build()
    s = allows(t, s, lay("KO", "K8", "15", 1))
    assert s.step == "token"
    s = allows(t, s, PlaceToken("p1", "KO", "K8.0"))
    assert tokens_at(s, "K8") == ("AR", "KO")


@pytest.mark.rule("1889-TOK-07")
def test_nothing_moves_or_removes_a_token() -> None:
    t, s = awa().phase("3").build()
    assert {verb.action.__name__ for verb in t.every_verb() if "Token" in verb.action.__name__} == {"PlaceToken"}
    after = allows(t, s, lay("AR", "K8", "15", 1))
    assert after.board.token_stops("AR") == s.board.token_stops("AR")


@pytest.mark.rule("1889-TOK-08")
def test_one_token_in_a_hex() -> None:
    t, s = table("1889").operating("AR", "token").tile("K8", "15", 1).cash(AR=100).build()
    refuses(t, s, PlaceToken("p1", "AR", "K8.0"), "1889-TOK-08")


@pytest.mark.rule("1889-TOK-10")
def test_without_tokens_left_the_step_is_skipped() -> None:
    t, s = table("1889").operating("KU").tile("C10", "57", 1).cash(KU=500).build()
    assert s.tokens["KU"] == ()
    s = allows(t, s, Pass("p1"))
    assert s.step == "trains"
    t, s = awa_tokens().build()
    s.tokens["AR"] = ()
    refuses(t, s, PlaceToken("p1", "AR", "J11.0"), "1889-TOK-10")
