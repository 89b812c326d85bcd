"""Records that cannot be read or played: a clear message, bounded effort."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from counted import Counted

from engine import build
from records.errors import BadRecord
from records.export_18xx import export
from records.files import LARGEST, parse, play
from records.json_18xx import MOST, effective
from records.simulate import simulate


def a_record() -> dict[str, Any]:
    title = build("1889", 3, ["online"])
    names = ("Ann", "Ben", "Cho")
    actions, _ = simulate(title, names, seed=4)
    return export(title, names, actions[:120])


RECORD = a_record()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b'{"title": "1889"', "not JSON"),
        (b"[1, 2]", "not a game"),
        (b"[" * 200_000, "JSON"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "JSON"),
        (b" " * (LARGEST + 1), "the most that can be read"),
    ],
    ids=["empty", "binary", "cut off", "a list", "nested", "a huge number", "too large"],
)
def test_what_is_no_game_file_is_named(data: bytes, words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        parse(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"title": "1830"}, "1830"),
        ({"title": None}, "unknown"),
        ({"players": None}, "players"),
        ({"players": []}, "2 to 6"),
        ({"players": [{"id": 1}] * 9}, "2 to 6"),
        ({"players": ["Ann", "Ben"]}, "players"),
        ({"actions": None}, "actions"),
        ({"actions": ["pass"]}, "Action 1"),
        ({"settings": "none"}, "settings"),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        play({**RECORD, **change})


def broken(position: int, **change: Any) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    record["actions"][position].update(change)
    return record


@pytest.mark.parametrize(
    "change",
    [
        {"type": "conquer"},
        {"entity": 99},
        {"entity": None},
        {"entity": {"a": 1}},
        {"price": "many", "type": "bid", "company": "TR", "entity": 1, "entity_type": "player"},
        {"type": "bid", "company": "XX", "price": 20, "entity": 1, "entity_type": "player"},
        {"type": "bid", "company": "TR", "price": -5, "entity": 1, "entity_type": "player"},
        {"type": "lay_tile", "hex": "Z99", "tile": "9-0", "rotation": 0, "entity": "AR", "entity_type": "corporation"},
        {"type": "lay_tile", "hex": "K8", "tile": "9-0", "rotation": 77, "entity": "AR", "entity_type": "corporation"},
        {"type": "place_token", "city": "no", "slot": 0, "entity": "AR", "entity_type": "corporation"},
        {"type": "run_routes", "routes": [{"train": "2-0", "connections": [["K8", "A8"]]}], "entity": "AR",
         "entity_type": "corporation"},
        {"type": "buy_shares", "shares": [], "entity": 1, "entity_type": "player"},
        {"type": "sell_shares", "shares": ["AR_1"], "percent": 10**12, "entity": 1, "entity_type": "player"},
        {"type": "play", "entity": 1},
    ],
)  # fmt: skip
@pytest.mark.parametrize("position", [0, 60])
def test_an_action_that_cannot_be_played_is_named(change: dict[str, Any], position: int) -> None:
    with pytest.raises(BadRecord, match=f"{position + 1}"):
        play(broken(position, **change))


def test_an_illegal_action_is_refused_with_its_position_and_rule() -> None:
    record = copy.deepcopy(RECORD)
    record["actions"] = [
        record["actions"][0],
        {"type": "bid", "company": "UTF", "price": 100_000, "entity": 2, "entity_type": "player", "id": 2},
    ]
    with pytest.raises(BadRecord):
        play(record)


def test_our_own_file_with_an_illegal_entry_names_it() -> None:
    body = {
        "tetsudo": 1, "title": "1889", "options": [], "players": ["Ann", "Ben"],
        "log": [{"seq": 1, "kind": "action", "action": {"do": "Bid", "by": "p1", "private": "A", "amount": 25}}],
    }  # fmt: skip
    with pytest.raises(BadRecord, match=r"Entry 1 .*1889-AUC-02"):
        play(body)


@pytest.mark.parametrize(
    "change",
    [
        {"tetsudo": 2},
        {"options": ["flying"]},
        {"options": "online"},
        {"players": 3},
        {"log": {}},
        {"log": [{"kind": "action"}]},
        {"log": [{"kind": "action", "action": {"do": "Bid", "by": "p1", "private": "A", "amount": "20"}}]},
        {"log": [{"kind": "action", "action": {"do": "Bid", "by": "p1", "amount": 20}}]},
        {"log": [{"kind": "undo", "target": "start"}]},
        {"log": [None]},
    ],
)
def test_our_own_file_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    body = {"tetsudo": 1, "title": "1889", "options": [], "players": ["Ann", "Ben"], "log": []}
    with pytest.raises(BadRecord):
        play(json.loads(json.dumps({**body, **change})))


def test_a_record_of_undos_takes_no_more_effort_for_being_long() -> None:
    half = MOST // 2
    actions = [{"type": "pass", "id": Counted(number)} for number in range(half)]
    actions += [{"type": "undo", "id": half + number, "action_id": Counted(half - number)} for number in range(half)]
    assert [one["id"] for one in effective({"actions": actions})] == [0, 1]
    assert 0 < Counted.compared <= half * 15
