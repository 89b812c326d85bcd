"""Games written for 18xx.games: read back they give the same result, and recorded games keep their pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bookkeeper import disagreements
from tables import price_at

from engine import Entry, State, Title, apply, build, scores, start
from engine import actions as act
from engine.actions import Action
from records import native
from records.dialect import DIALECTS
from records.errors import BadRecord
from records.export_18xx import export
from records.files import parse, play
from records.json_18xx import effective
from records.simulate import simulate

SHARED = Path(__file__).parents[2].parent / "shared"
ABSENT = pytest.param(Path(), marks=pytest.mark.skip(reason="the recorded games of ../shared are absent"))
RECORDS: Sequence[object] = [
    pytest.param(path, marks=pytest.mark.slow if number % 3 else [])
    for number, path in enumerate(sorted(SHARED.glob("games/random/*/*.json")))
] or [ABSENT]
NAMES = ("Ann", "Ben", "Cho", "Dee", "Eve", "Fay")


def carried(title: Title, names: tuple[str, ...], actions: list[Action]) -> tuple[list[Action], dict[str, Any]]:
    """The game, up to the first action that 18xx.games refuses, and its record."""
    try:
        return actions, export(title, names, actions)
    except BadRecord as refused:
        named = re.match(r"Action (\d+) is refused by 18xx\.games.*\[1889-TRK-04\]", str(refused))
        if named is None or int(named[1]) < 30:  # the auction and the first stock round are carried over
            raise
        return carried(title, names, actions[: int(named[1]) - 1])


def replay(title: Title, actions: list[Action]) -> State:
    state = start(title, NAMES[: title.players])
    for action in actions:
        state = apply(title, state, action)
    return state


def wire(record: dict) -> dict:
    """The record as it comes out of a file."""
    return parse(json.dumps(record).encode())


SETUPS = [
    pytest.param(title, count, tuple(options), marks=[] if count in (least, most) else pytest.mark.slow)
    for title, least, most, *options in (
        ("1889", 2, 6), ("1889", 2, 6, "online"), ("1889", 2, 6, "beginner", "online"),
        ("1889", 2, 6, "open_treasuries"),
        ("1888", 3, 6, "online"), ("1860", 2, 4, "online"), ("1860", 2, 3, "small_map", "online"),
    )
    for count in range(least, most + 1)
]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "options"), SETUPS)
def test_an_exported_game_read_again_ends_alike(name: str, players: int, options: tuple[str, ...]) -> None:
    title = build(name, players, options)
    names = NAMES[:players]
    actions, record = carried(title, names, simulate(title, names, seed=players)[0])
    state = replay(title, actions)
    again = play(wire(record))
    assert bool(again.state.over) == bool(state.over)
    assert state.over or "online" not in options
    assert not again.differences
    assert scores(again.title, again.state) == scores(title, state)
    assert again.difference() is None
    if "online" in options:
        assert not list(disagreements(title, names, actions, record["actions"]))


def test_a_share_of_a_company_without_a_train_is_sold_at_the_price_that_is_stated() -> None:
    title = build("1860", 3, ["online"])
    actions = simulate(title, NAMES[:3], seed=1)[0][:40]
    told = export(title, NAMES[:3], actions)["actions"]
    assert told[36]["type"] == "sell_shares"
    sale = actions[36]
    assert isinstance(sale, act.SellShares)
    assert told[36]["share_price"] == price_at(title, *replay(title, actions[:36]).cell[sale.corp]) // 2


def test_the_stated_revenue_counts_the_stations_that_give_way_to_halts() -> None:
    title = build("1860", 2, ["online"])
    actions = simulate(title, NAMES[:2], seed=100)[0][:110]
    told = export(title, NAMES[:2], actions)["actions"]
    (route,) = told[98]["routes"]
    assert (route["revenue"], route["subsidy"], told[98]["subsidy"]) == (40, 10 * route["halts"], 10 * route["halts"])


@pytest.mark.rule("1889-AUC-10", "1889-VAR-05")
def test_an_auction_is_retold_in_the_order_of_the_lowest_bidder() -> None:
    title = build("1889", 4)
    p1, p2, p3, p4 = "p1", "p2", "p3", "p4"
    actions = [
        act.Bid(p1, "B", 35), act.Bid(p2, "B", 40), act.Bid(p3, "B", 45), act.BuyPrivate(p4, "A"),
        act.Bid(p1, "B", 50), act.Bid(p2, "B", 55), act.Pass(p3), act.Bid(p1, "B", 60), act.Pass(p2),
    ]  # fmt: skip
    told = export(title, NAMES[:4], actions)["actions"][4:]
    assert [(item["type"], item["entity"], item.get("price")) for item in told] == [
        ("bid", 1, 60),
        ("pass", 2, None),
        ("pass", 3, None),
    ]
    again = play(wire(export(title, NAMES[:4], actions)))
    assert again.state.owner["B"] == "p1"
    assert again.state.cash["p1"] == 420 - 60


PORT = act.LayPowerTile("p1", "B", "J9", "437", 0)


def to_a_contest(*laid: Action) -> list[Action]:
    """1889 for four, up to an auction of C between p2 and p3 in which p2 has bid 50; B is p1's."""
    return [
        act.Bid("p1", "B", 35), act.Bid("p2", "C", 45), act.Bid("p3", "C", 50), act.BuyPrivate("p4", "A"),
        *laid, act.Bid("p2", "C", 55),
    ]  # fmt: skip


@pytest.mark.rule("1889-PRV-05", "1889-VAR-05")
def test_a_port_laid_during_an_auction_is_told_when_the_auctions_are_over() -> None:
    title = build("1889", 4)
    rest = [act.BuyPrivate(seat, private) for seat, private in (("p1", "D"), ("p2", "E"), ("p3", "F"), ("p4", "G"))]
    actions = [*to_a_contest(PORT), act.Pass("p3"), *rest, act.Pass("p1")]
    record = export(title, NAMES[:4], actions)
    assert [item["type"] for item in record["actions"]][-2:] == ["lay_tile", "pass"]
    assert play(wire(record)).state.board.placed["J9"] == ("437", 0)


@pytest.mark.rule("1889-PRV-05", "1889-VAR-05")
def test_what_cannot_be_told_yet_is_named() -> None:
    title = build("1889", 4)
    with pytest.raises(BadRecord, match=r"Action 5 .*opening auction"):
        export(title, NAMES[:4], to_a_contest(PORT))
    with pytest.raises(BadRecord, match="auction is in progress"):
        export(title, NAMES[:4], to_a_contest())


def test_a_running_game_is_exported_as_active() -> None:
    title = build("1889", 3)
    record = export(title, NAMES[:3], [act.BuyPrivate("p1", "A")])
    assert record["status"] == "active"
    assert record["acting"] == [2]
    assert not play(wire(record)).state.over


def test_a_game_ended_by_agreement_ends_there_too() -> None:
    title = build("1889", 3)
    record = export(title, NAMES[:3], [act.BuyPrivate("p1", "A"), act.EndGame("p2")])
    assert record["actions"][-1]["type"] == "end_game"
    assert play(wire(record)).state.over == "agreed"


def test_options_that_18xx_games_does_not_know_are_named() -> None:
    title = build("1889", 3, ["manual_setup"])
    with pytest.raises(BadRecord, match="manual_setup"):
        export(title, NAMES[:3], [])


FIGURES = ("price", "share_price", "extra_revenue", "subsidy", "kind", "rotation", "hex", "variant")


def figures(part: dict) -> tuple:
    """What a recorded action states, but for the numbers of pieces and people."""
    routes = [tuple(route.get(key) for key in ("revenue", "subsidy", "halts")) for route in part.get("routes", ())]
    entity = None if part["entity_type"] == "player" else part["entity"]
    percent = None if part["type"] == "buy_shares" else part.get("percent")  # certificates are compared below
    return (part["type"], entity, routes, percent, *(part.get(key) for key in FIGURES))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game_exported_again_states_the_same_figures_and_certificates(path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    played = play(record)
    again = export(played.title, played.names, played.actions)["actions"]
    recorded = [part for action in effective(record) for part in (action, *action.get("auto_actions", ()))]
    recorded = [part for part in recorded if not part["type"].startswith("program")]
    assert [part["type"] for part in again] == [part["type"] for part in recorded]
    assert [figures(part) for part in again] == [figures(part) for part in recorded]
    told = [part["shares"] for part in again if "shares" in part]
    wanted = [part["shares"] for part in recorded if "shares" in part]
    other = next((pair for pair in zip(told, wanted, strict=True) if pair[0] != pair[1]), None)
    assert other is None or other[1][0].endswith("_0"), "only who takes over a company has a choice of certificates"


def test_the_seed_of_a_deal_deals_the_same() -> None:
    title = build("1889", 6, ["beginner"])
    dialect = DIALECTS["1889"]
    dealt = tuple(reversed(list(title.privates)))
    assert dialect.deal(title, dialect.seed_for(title, dealt)) == dealt


def test_our_own_files_keep_a_game() -> None:
    title = build("1889", 2)
    names = NAMES[:2]
    actions, state = simulate(title, names, seed=1)
    entries = tuple(Entry(seq, "action", action) for seq, action in enumerate(actions, start=1))
    again = play(wire(native.write(native.Game(title, names, entries), state)))
    assert again.actions == tuple(actions)
    assert again.state.to_dict() == state.to_dict()
    assert again.difference() is None


def test_undo_and_redo_are_kept_in_our_own_files() -> None:
    title = build("1889", 2)
    entries = (
        Entry(1, "action", act.BuyPrivate("p1", "A")),
        Entry(2, "action", act.Pass("p2")),
        Entry(3, "undo", target=1),
        Entry(4, "redo"),
        Entry(5, "undo"),
    )
    body = native.write(native.Game(title, NAMES[:2], entries), start(title, NAMES[:2]))
    assert native.read(wire(body)).entries == entries
    assert play(wire({**body, "finished": False})).state.up == "p2"
