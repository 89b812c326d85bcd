"""1889: what the game starts with, and the printed things against the facts of the box."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tables import NAMES, table

from engine import BANK, BadAction, build, decision, start
from engine.ids import IPO
from engine.viewing import table_view

FACTS = Path(__file__).parents[2].parent / "shared" / "facts" / "1889.json"
needs_facts = pytest.mark.skipif(not FACTS.exists(), reason="no facts beside this repository (../shared/facts)")


@pytest.fixture(scope="module")
def box() -> dict[str, Any]:
    return json.loads(FACTS.read_text())


@pytest.mark.rule("1889-SET-01")
@pytest.mark.parametrize("players", [0, 1, 7, -2])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(BadAction, match="2 to 6 players"):
        build("1889", players)


@pytest.mark.rule("1889-SET-01")
def test_one_name_for_each_seat() -> None:
    with pytest.raises(ValueError, match="3 players"):
        start(build("1889", 3), ["Ann", "Ben"])


@pytest.mark.rule("1889-SET-02", "1889-SET-03", "1889-SR-14")
@pytest.mark.parametrize(
    ("players", "cash", "limit"), [(2, 420, 25), (3, 420, 19), (4, 420, 14), (5, 390, 12), (6, 390, 11)]
)
def test_money_and_certificate_limit(players: int, cash: int, limit: int) -> None:
    t, s = table("1889", players).opening().build()
    assert [s.cash[player] for player in s.players] == [cash] * players
    assert s.cash[BANK] == 7000 - players * cash
    assert t.cert_limit == limit


@pytest.mark.rule("1889-SET-04", "1889-PRV-11", "1889-PRV-12")
@pytest.mark.parametrize(
    ("players", "privates"), [(2, "ABCDE"), (3, "ABCDEF"), (4, "ABCDEFG"), (5, "ABCDEFG"), (6, "ABCDEFG")]
)
def test_privates_in_play(players: int, privates: str) -> None:
    _, s = table("1889", players).opening().build()
    assert "".join(s.owner) == privates
    assert set(s.owner.values()) == {BANK}


@pytest.mark.rule("1889-SET-05", "1889-SET-06", "1889-TRN-17")
def test_trains() -> None:
    t, s = table("1889").build()
    assert {rank: (train.price, train.count) for rank, train in t.trains.items()} == {
        "2": (80, 6), "3": (180, 5), "4": (300, 4), "5": (450, 3), "6": (630, 2), "D": (1100, None),
    }  # fmt: skip
    assert s.depot == {"2": 6, "3": 5, "4": 4, "5": 3, "6": 2}
    assert {rank: train.rusts_on for rank, train in t.trains.items()} == {
        "2": "4", "3": "6", "4": "D", "5": None, "6": None, "D": None,
    }  # fmt: skip


@pytest.mark.rule("1889-SET-07", "1889-SET-10")
def test_every_company_is_whole_in_the_offering() -> None:
    _, s = table("1889").opening().build()
    assert list(s.shares) == ["AR", "IR", "SR", "KO", "TR", "KU", "UR"]
    assert all(held == {IPO: 10} for held in s.shares.values())
    assert set(s.president.values()) == {IPO}
    assert all(not trains for trains in s.trains.values())
    assert not s.par
    assert not s.cell


@pytest.mark.rule("1889-SET-08", "1889-COR-01")
def test_tokens_and_homes() -> None:
    t, s = table("1889").opening().build()
    assert {corp: len(costs) for corp, costs in s.tokens.items()} == {
        "AR": 2, "IR": 2, "SR": 2, "KO": 2, "TR": 3, "KU": 1, "UR": 3,
    }  # fmt: skip
    assert all(costs == (0, 40, 40)[: len(costs)] for costs in s.tokens.values())
    homes = {corp.id: t.hexes[corp.homes[0][0]].name for corp in t.corporations.values()}
    assert homes == {
        "AR": "Tokushima", "IR": "Matsuyama", "SR": "Marugame", "KO": "Takamatsu", "TR": "Kouchi", "KU": "Kubokawa",
        "UR": "Uwajima",
    }  # fmt: skip


@pytest.mark.rule("1889-SET-09")
def test_seats_are_in_the_drawn_order_and_the_first_has_priority() -> None:
    t, s = table("1889", 4).opening().build()
    assert list(s.names.values()) == list(NAMES[:4])
    assert s.priority == "p1"
    assert decision(t, s).players == ("p1",)
    assert s.after("p3") == ("p4", "p1", "p2", "p3")


@pytest.mark.rule("1889-SET-11", "1889-VAR-01f")
def test_extra_tiles_are_in_the_beginner_game_alone() -> None:
    plain, _ = table("1889").build()
    beginner, _ = table("1889", 3, "beginner").build()
    online, _ = table("1889", 3, "beginner", "online").build()
    assert sum(plain.supply.values()) == 63
    assert sum(beginner.supply.values()) == 71
    extra = {tile: count - plain.supply[tile] for tile, count in beginner.supply.items() if count != plain.supply[tile]}
    assert extra == {"6": 2, "7": 1, "8": 1, "9": 1, "57": 1, "23": 1, "24": 1}
    assert sum(online.supply.values()) == 70
    assert "Beg57" not in online.supply


@pytest.mark.rule("1889-SET-12", "1889-COR-02")
def test_all_companies_are_alike_and_no_name_on_the_map_matters() -> None:
    t, _ = table("1889").build()
    assert {(corp.float_shares, corp.kind) for corp in t.corporations.values()} == {(5, "public")}
    assert all(not printed.impassable and not printed.joined for printed in t.hexes.values())


@pytest.mark.rule("1889-PRV-01", "1889-PRV-07", "1889-PRV-11")
def test_privates_cost_and_pay_as_printed() -> None:
    t, _ = table("1889", 4).build()
    assert {sym: (private.value, private.revenue) for sym, private in t.privates.items()} == {
        "A": (20, 5), "B": (30, 5), "C": (40, 10), "D": (50, 15), "E": (60, 15), "F": (80, 20), "G": (150, 30),
    }  # fmt: skip
    assert len(t.privates["A"].powers) == 1
    assert not t.privates["F"].powers


# The box


@needs_facts
@pytest.mark.rule("1889-SET-11")
def test_tile_counts_and_faces(box: dict[str, Any]) -> None:
    t, _ = table("1889").build()
    assert dict(t.supply) == box["tiles"]
    faces = json.loads((FACTS.parent / "tiles.json").read_text())
    for number in t.supply:
        assert _track(t.tiles[number].face) == {tuple(sorted(piece)) for piece in faces[number]["paths"]}, number
        assert t.tiles[number].face.colour == faces[number].get("color", t.tiles[number].face.colour), number


def _track(face: Any) -> set[tuple[str, ...]]:
    return {
        tuple(sorted(f"e{end}" if isinstance(end, int) else f"s{ord(end) - 97}" for end in piece))
        for piece in face.track
    }


@needs_facts
@pytest.mark.rule("1889-SET-12", "1889-TRK-13", "1889-REV-02")
def test_hexes(box: dict[str, Any]) -> None:
    t, _ = table("1889").build()
    assert set(t.hexes) == set(box["hexes"])
    for name, facts in box["hexes"].items():
        printed = t.hexes[name]
        face = printed.face
        assert face.colour == facts["color"], name
        assert face.label == (facts["label"] or ""), name
        assert _track(face) == {tuple(sorted(piece)) for piece in facts["paths"]}, name
        assert (printed.name or None) == facts["name"], name
        assert printed.icons == tuple(facts["icons"]), name
        assert not facts["borders"]
        cost = printed.terrain.cost if printed.terrain else None
        assert cost == (facts["terrain"][0]["cost"] if facts["terrain"] else None), name
        for stop, wanted in zip(face.stops, facts["stops"], strict=True):
            revenue = dict(stop.tiers) if stop.tiers else stop.revenue
            assert (stop.kind, revenue) == (wanted["kind"], wanted["revenue"]), name
            assert stop.slots == wanted.get("slots", 0), name


@needs_facts
@pytest.mark.rule("1889-MKT-01", "1889-SR-25")
def test_market(box: dict[str, Any]) -> None:
    t, _ = table("1889").build()
    ours = [
        [(cell.price, cell.zone, cell.par, cell.arrow) for cell in row if cell is not None] for row in t.market.rows
    ]
    words = {"normal": "normal", "no_cert": "yellow", "no_cert_no_cap": "orange"}
    theirs = [
        [(cell["price"], words[cell["zone"]], cell.get("par", False), cell.get("arrow", "")) for cell in row if cell]
        for row in box["market"]
    ]
    assert ours == theirs
    assert sorted(cell.price for row in t.market.rows for cell in row if cell and cell.par) == box["par_prices"]


@needs_facts
@pytest.mark.rule("1889-PHS-02", "1889-PHS-03", "1889-PHS-04", "1889-PHS-05", "1889-TRN-12")
def test_phases(box: dict[str, Any]) -> None:
    t, _ = table("1889", 6).build()
    for phase, facts in zip(t.phases, box["phases"], strict=True):
        assert phase.name == facts["name"]
        assert phase.train_limit["public"] == facts["train_limit"]
        assert list(phase.colours) == facts["tiles"]
        assert phase.operating_rounds == facts["operating_rounds"]
        assert phase.tier == facts["revenue_tier"]
        assert phase.buys_privates == facts["company_may_buy_privates"]
        assert phase.starts_on == (None if facts["starts_on"] == "start" else facts["starts_on"])


@needs_facts
def test_every_train(box: dict[str, Any]) -> None:
    t, _ = table("1889", 6).build()
    for train, facts in zip(t.trains.values(), box["trains"], strict=True):
        assert (train.rank, train.price, train.rusts_on) == (facts["name"], facts["price"], facts["rusts_on"])
        assert train.count == (None if facts["count"] == "unlimited" else facts["count"])
        assert train.reach == (None if facts["distance"] == "unlimited" else facts["distance"])


@needs_facts
def test_every_company(box: dict[str, Any]) -> None:
    t, _ = table("1889", 6).build()
    for corp, facts in zip(t.corporations.values(), box["corporations"], strict=True):
        assert (corp.id, corp.name, corp.colour) == (facts["sym"], facts["name"], facts["color_hex"])
        assert corp.homes == tuple((home["hex"], home["stop"]) for home in facts["home"])
        assert list(corp.token_costs) == facts["token_costs"]
        assert corp.float_shares * 10 == facts["float_percent"]


@needs_facts
def test_every_private(box: dict[str, Any]) -> None:
    t, _ = table("1889", 6).build()
    for private, facts in zip(t.privates.values(), box["privates"], strict=True):
        assert (private.id, private.name, private.value, private.revenue) == tuple(
            facts[key] for key in ("sym", "name", "value", "revenue")
        )


@needs_facts
@pytest.mark.rule("1889-VAR-01a", "1889-VAR-01b")
def test_beginner_privates(box: dict[str, Any]) -> None:
    beginner = box["variants"]["beginner"]
    values = {facts["sym"]: (facts["value"], facts["revenue"]) for facts in beginner["privates"]}
    for players in range(2, 7):
        t, _ = table("1889", players, "beginner").build()
        assert list(t.privates) == beginner["privates_in_play"][str(players)]
        assert all(values[sym] == (private.value, private.revenue) for sym, private in t.privates.items())


@needs_facts
@pytest.mark.rule("1889-TRK-07", "1889-TRK-16", "1889-TRK-23", "1889-TRK-17")
def test_upgrades_that_the_guards_allow_are_the_printed_list(box: dict[str, Any]) -> None:
    """Colour, label, stops and kept track together give exactly the chart of upgrades."""
    from engine.board.board import keeps_track
    from engine.board.tiles import turned
    from engine.printed import COLOURS

    t, _ = table("1889").build()
    for old, wanted in box["upgrades"].items():
        before = t.tiles[old].face
        index = COLOURS.index(before.colour) + 1
        found = {
            new
            for new in t.supply
            for after in (t.tiles[new].face,)
            if index < len(COLOURS)
            and after.colour == COLOURS[index]
            and after.label == before.label
            and [stop.kind for stop in after.stops] == [stop.kind for stop in before.stops]
            and any(keeps_track(turned(before, 0), turned(after, turn)) for turn in range(6))
        }
        assert found == set(wanted), old


@pytest.mark.rule("1889-SET-10")
def test_the_table_shows_the_start() -> None:
    t, s = table("1889", 4).opening().build()
    view = table_view(t, s)
    assert len(view.players) == 4
    assert len(view.companies) == 7
    assert all(row.ipo == 10 for row in view.companies)
