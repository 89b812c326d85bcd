"""Records that cannot be read or played: a clear message, bounded effort."""

from __future__ import annotations

import copy
import json
import re
import time
from functools import cache
from itertools import islice
from typing import Any

import pytest
from counted import Counted

from engine import build, start
from records.errors import BadRecord
from records.export_18xx import export
from records.files import LARGEST, parse, play
from records.json_18xx import MOST, effective, header
from records.routes_18xx import NoSuchRoute, path_of
from records.simulate import steps


@cache
def a_record() -> dict[str, Any]:
    title = build("1889", 3, ["online"])
    names = ("Ann", "Ben", "Cho")
    return export(title, names, [action for action, _ in islice(steps(title, names, seed=4), 120)])


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
        (b'{"players": ["\\ud800"]}', "half a character"),
    ],
    ids=["empty", "binary", "cut off", "a list", "nested", "a huge number", "too large", "half a letter"],
)
def test_what_is_no_game_file_is_named(data: bytes, words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        parse(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"title": "1830"}, "1830"),
        ({"title": None}, "game null is unknown"),
        ({"players": None}, "players"),
        ({"players": []}, "2 to 6"),
        ({"players": [{"id": number} for number in range(9)]}, "2 to 6"),
        ({"players": ["Ann", "Ben"]}, "players"),
        ({"actions": None}, "actions"),
        ({"actions": ["pass"]}, "Action 1"),
        ({"settings": "none"}, "settings"),
        ({"settings": {"optional_rules": [{}]}}, r"unknown here: \{\}"),
        ({"settings": {"optional_rules": [5]}}, "unknown here: 5"),
        ({"settings": {"optional_rules": 5}}, "not a list"),
        ({"settings": {"seed": None, "optional_rules": "abc"}}, "not a list"),
        ({"settings": {"seed": True}}, "seed is true"),
        ({"players": [{"id": 1}, {"id": 1}, {"id": 2}]}, "two players with the id 1"),
        ({"players": [{"id": True}, {"id": 2}]}, "malformed ids"),
    ],
)
def test_a_header_that_makes_no_sense_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        play({**a_record(), **change})


def test_an_option_that_changes_nothing_beside_another_is_read() -> None:
    record = {"title": "1888", "players": [{"id": 1}, {"id": 2}, {"id": 3}]}
    assert header({**record, "settings": {"optional_rules": ["north", "small_bank"]}}).title.options == {"online"}
    with pytest.raises(BadRecord, match="unknown here: small_bank without north"):
        header({**record, "settings": {"optional_rules": ["small_bank"]}})


@pytest.mark.parametrize(
    "rules",
    [
        ["original_game"],
        ["original_game", "no_skip_towns"],
        ["re_enter_hexes", "no_skip_towns", "two_player_map", "original_insolvency"],
    ],
)
def test_the_first_edition_may_be_chosen_whole_or_in_its_parts(rules: list[str]) -> None:
    """That trains of 1860 skip no small stations is played here as one of these parts alone."""
    record = {"title": "1860", "players": [{"id": 1}, {"id": 2}, {"id": 3}]}
    options = header({**record, "settings": {"optional_rules": rules}}).title.options
    assert options - {"reenter_hexes"} == {"online", "first_edition", "original_insolvency", "small_map"}
    for alone in (["no_skip_towns"], ["no_skip_towns", "two_player_map"]):
        with pytest.raises(BadRecord, match="no_skip_towns without two_player_map and original_insolvency"):
            header({**record, "settings": {"optional_rules": alone}})


def test_a_record_of_no_game_is_refused() -> None:
    with pytest.raises(BadRecord, match="does not say which game"):
        play({key: value for key, value in a_record().items() if key != "title"})


def broken(position: int, **change: Any) -> dict[str, Any]:
    record = copy.deepcopy(a_record())
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
    record = copy.deepcopy(a_record())
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
        {"log": [{"kind": "undo", "target": 1}]},
        {"log": [{"kind": "undo", "target": -1}]},
        {"log": [{"kind": "redo"}]},
        {"log": [None]},
    ],
)
def test_our_own_file_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    body = {"tetsudo": 1, "title": "1889", "options": [], "players": ["Ann", "Ben"], "log": []}
    with pytest.raises(BadRecord):
        play(json.loads(json.dumps({**body, **change})))


def test_a_record_of_undos_takes_no_more_effort_for_being_long() -> None:
    half = MOST // 2
    actions = [{"type": "pass", "id": Counted(number)} for number in range(1, half + 1)]
    actions += [{"type": "undo", "id": MOST - left, "action_id": Counted(left + 1)} for left in reversed(range(half))]
    assert [one["id"] for one in effective({"actions": actions})] == [1]
    assert 0 < Counted.compared <= half * 15


def undone(*added: dict[str, Any]) -> dict[str, Any]:
    """The record's first 20 actions, and what comes after them."""
    numbered = [{**action, "id": 21 + number} for number, action in enumerate(added)]
    return {**a_record(), "actions": [*a_record()["actions"][:20], *numbered], "result": {}, "status": "active"}


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ([{"type": "undo", "action_id": 77}], r"^Action 21 \(undo\) goes back to action 77, which is not before it"),
        ([{"type": "undo", "action_id": 21}], r"^Action 21 \(undo\) goes back to action 21, which is not before it"),
        ([{"type": "undo", "action_id": {}}], r"^Action 21 \(undo\) goes back to action {}, which is not before it"),
        ([{"type": "redo"}], r"^Action 21 \(redo\) restores nothing: nothing was undone"),
        ([{"type": "undo"}, {"type": "redo"}, {"type": "redo"}], r"^Action 23 \(redo\) restores nothing"),
    ],
)
def test_an_undo_or_redo_of_what_is_not_there_is_named(added: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(BadRecord, match=words):
        play(undone(*added))


@pytest.mark.parametrize("target", [0, 5, 20])
def test_an_undo_goes_back_to_its_action_or_to_the_start(target: int) -> None:
    assert len(effective(undone({"type": "undo", "action_id": target}))) == target


def test_notes_in_the_log_are_actions_without_effect() -> None:
    note = {"type": "log", "entity": 1, "entity_type": "player", "message": "Ann rolled a die"}
    plain, noted = play(undone()), play(undone(note))
    assert noted.state.to_dict() == plain.state.to_dict()
    undo = play(undone(note, {"type": "undo"}))
    assert undo.state.to_dict() == plain.state.to_dict(), "the undo takes back the note"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"entity": 77}, "names the player 77, who is not among the record's"),
        ({"entity": "Anvil"}, "names the player 'Anvil', who is not among the record's"),
        ({"entity_type": "player", "type": "bid", "entity": 1, "company": "XX", "price": 20}, "private 'XX'"),
        ({"entity_type": "player", "type": "bid", "entity": 1, "company": "TR", "price": "many"}, "price is 'many'"),
        ({"entity_type": "corporation", "type": "buy_train", "entity": "AR"}, "does not say its train"),
        ({"entity_type": "player", "type": "par", "entity": 1, "corporation": "XX", "share_price": "1,2,3"}, "'XX'"),
        ({"entity_type": "player", "type": "par", "entity": 1, "corporation": "AR", "share_price": "9"}, "share_price"),
        ({"entity_type": "player", "type": "buy_shares", "entity": 1, "shares": 5}, "shares"),
        ({"entity_type": "player", "type": "buy_shares", "entity": 1, "shares": []}, "shares"),
        ({"entity_type": "corporation", "type": "place_token", "entity": "AR", "city": "57-3-0"}, "city '57-3-0'"),
        ({"entity_type": "corporation", "type": "run_routes", "entity": "AR", "routes": [{}]}, "train"),
        ({"entity_type": "corporation", "type": "run_routes", "entity": "AR"}, "routes"),
        ({"auto_actions": [5]}, "auto_actions"),
        ({"auto_actions": 7}, "auto_actions"),
        ({"auto_actions": [{"type": "conquer"}]}, "conquer"),
        ({"type": "conquer"}, "is of a kind that is unknown"),
        ({"entity": True}, "names the player true"),
        ({"entity": None}, "names the player null"),
        ({"entity_type": "Anvil"}, "entity_type is 'Anvil'"),
        ({"entity_type": None}, "entity_type is null"),
        ({"entity_type": "corporation", "type": "buy_train", "entity": "AR", "train": None}, "train is null"),
        ({"entity_type": "corporation", "type": "discard_train", "entity": "AR", "train": -1}, "train is -1"),
        ({"entity_type": "corporation", "type": "lay_tile", "entity": "AR", "hex": 5}, "hex is 5"),
        ({"entity_type": "corporation", "type": "lay_tile", "entity": "AR", "hex": "K8", "rotation": 0, "tile": []},
         "tile is []"),
        ({"entity_type": "corporation", "type": "place_token", "entity": "AR", "city": None}, "city is null"),
        ({"entity_type": "player", "type": "par", "entity": 1, "corporation": "AR", "share_price": None}, "is null"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_action_is_said_in_words(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRecord) as refused:
        play(broken(3, **change))
    text = str(refused.value)
    assert text.startswith("Action 4 (")
    assert words in text
    assert "\n" not in text
    assert not re.search(r"Error|object is not|unpack|None|True|False|invalid literal", text)


def test_what_is_wrong_is_quoted_only_as_far_as_a_line_goes() -> None:
    with pytest.raises(BadRecord) as refused:
        play(broken(3, entity=["Anvil"] * 1000))
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("result", [False, True, 5, "Ann wins", [], {"1": "many"}, {"1": True}, {"1": None}])
def test_a_result_that_is_none_is_refused(result: Any) -> None:
    with pytest.raises(BadRecord, match="result"):
        play({**a_record(), "result": result})


@pytest.mark.parametrize("result", [None, {}])
def test_a_record_need_not_claim_a_result(result: Any) -> None:
    assert play({**a_record(), "result": result}).departures == ()


def test_a_result_that_differs_or_leaves_somebody_out_is_named() -> None:
    assert play(a_record()).departures == ()
    other = {**a_record()["result"], "2": 1}
    assert play({**a_record(), "result": other}).departures == (
        f"Ben has {a_record()['result']['2']} at the end, the record's result says 1.",
    )
    (text,) = play({**a_record(), "result": {"7": 1}}).departures
    assert text == f"Ann has {a_record()['result']['1']} at the end, the record's result does not name them."


def test_many_players_take_no_more_effort_for_being_many() -> None:
    began = time.process_time()
    with pytest.raises(BadRecord, match="2 to 6"):
        play({**a_record(), "players": [{"id": number} for number in range(40_000)]})
    assert time.process_time() - began < 2


@pytest.mark.second
def test_a_route_with_its_hexes_out_of_order_takes_bounded_effort() -> None:
    title = build("1889", 3, ["online"])
    board, hexes = start(title, ("Ann", "Ben", "Cho")).board, list(title.hexes)
    began = time.process_time()
    for many in (14, len(hexes)):
        with pytest.raises(NoSuchRoute):
            path_of(board, {"hexes": [*hexes[:many], hexes[0]]})
    with pytest.raises(NoSuchRoute):
        path_of(board, {"hexes": ["Z99"] * 2 + [f"Z{number}" for number in range(20)]})
    assert time.process_time() - began < 10
