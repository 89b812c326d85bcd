"""Games written for 18xx.games: read back they give the same result, and recorded games keep their pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import pytest
from bookkeeper import disagreements
from tables import keep, price_at, table
from tastes import eager

from engine import CLOSED, TITLES, Entry, State, Title, apply, build, decision, judge, legal, scores, start, to_json
from engine import actions as act
from engine.actions import Action
from engine.facts import CompanyChanged, Passed, RoundBegan
from engine.flow import enter
from engine.ids import BANK, IPO, OR, CorpId, PlayerId, PrivateId
from engine.rounds.waterfall import unsold
from records import native
from records.dialect import DIALECTS
from records.errors import BadRecord
from records.export_18xx import _Move, _Writer, export
from records.files import parse, play
from records.json_18xx import effective
from records.known import Memory, parting
from records.simulate import Picker, choose_among, steps

SHARED = Path(__file__).parents[2].parent / "shared"
ABSENT = pytest.param(Path(), marks=pytest.mark.skip(reason="the recorded games of ../shared are absent"))
RECORDS: Sequence[object] = [
    pytest.param(path, marks=pytest.mark.slow if number % 5 else [])
    for number, path in enumerate(sorted(SHARED.glob("games/random/*/*.json")))
] or [ABSENT]
NAMES = ("Ann", "Ben", "Cho", "Dee", "Eve", "Fay")
ANN, BHI = PlayerId("p1"), CorpId("BHI&R")


def first(count: int | None, title: Title, seed: int) -> list[Action]:
    """The first actions of a random game; all without a number."""
    return [action for action, _ in islice(steps(title, NAMES[: title.players], seed), count)]


def replay(title: Title, actions: list[Action]) -> State:
    state = start(title, NAMES[: title.players])
    for action in actions:
        state = apply(title, state, action)
    return state


def wire(record: dict) -> dict:
    """The record as it comes out of a file."""
    return parse(json.dumps(record).encode())


PLAYED: list[tuple[str, int, int, tuple[str, ...]]] = [
    ("1889", 2, 6, ()), ("1889", 2, 6, ("online",)), ("1889", 2, 6, ("beginner", "online")),
    ("1889", 2, 6, ("open_treasuries",)),
    ("1888", 3, 6, ("online",)), ("1860", 2, 4, ("online",)), ("1860", 2, 3, ("small_map", "online")),
]  # fmt: skip
"""Titles with their fewest and most players, and with options."""
SHORT: list[tuple[str, int, tuple[str, ...], int]] = [
    ("1889", 2, (), 10), ("1889", 6, ("online",), 2), ("1889", 2, ("beginner", "online"), 4),
    ("1889", 6, ("open_treasuries",), 5), ("1888", 3, ("online",), 6), ("1860", 2, ("small_map", "online"), 6),
]  # fmt: skip
"""With the seeds of eager games, which come to late phases in fewer moves."""
SETUPS = [
    *((*one, eager) for one in SHORT),
    *(
        # a game by the book without what 18xx.games does otherwise
        pytest.param(title, count, options, count if options else count + 30, choose_among, marks=pytest.mark.slow)
        for title, least, most, options in PLAYED
        for count in range(least, most + 1)
    ),
]


def whole(title: Title, seed: int, pick: Picker = eager) -> tuple[list[Action], State]:
    """A game to its end: its actions and its last position."""
    played = list(steps(title, NAMES[: title.players], seed, pick))
    return [action for action, _ in played], played[-1][1]


@pytest.mark.parametrize(("name", "players", "options", "seed", "pick"), SETUPS)
@pytest.mark.long
def test_an_exported_game_read_again_ends_alike(
    name: str, players: int, options: tuple[str, ...], seed: int, pick: Picker
) -> None:
    title = build(name, players, options)
    names = NAMES[:players]
    actions, state = whole(title, seed, pick)
    record = export(title, names, actions)
    again = play(wire(record))
    assert bool(again.state.over) == bool(state.over)
    assert state.over
    assert not again.differences
    assert scores(again.title, again.state) == scores(title, state)
    assert again.difference() is None
    if "online" in options:
        assert not list(disagreements(title, names, actions, record["actions"]))


@pytest.mark.long
def test_a_share_of_a_company_without_a_train_is_sold_at_the_price_that_is_stated() -> None:
    title = build("1860", 3, ["online"])
    actions = first(40, title, seed=1)
    told = export(title, NAMES[:3], actions)["actions"]
    assert told[36]["type"] == "sell_shares"
    sale = actions[36]
    assert isinstance(sale, act.SellShares)
    assert told[36]["share_price"] == price_at(title, *replay(title, actions[:36]).cell[sale.corp]) // 2


GOES_BY_ITSELF = {
    "a turn in which only they see something to do": (2, 6, 24),
    "the turn of somebody who can only exchange": (4, 23, 61),
    "the rest of a turn after a sale and an exchange": (3, 56, 48),
    "a token from which another's home token has cut the company off": (3, 10, 210),
    "a run in receivership": (2, 309, 56),
    "a purchase in receivership": (3, 575545, 120),
}


@pytest.mark.rule("1860-VAR-15")
@pytest.mark.parametrize(("players", "seed", "count"), GOES_BY_ITSELF.values(), ids=list(GOES_BY_ITSELF))
def test_what_goes_by_itself_by_the_book_is_done_by_a_player_there(players: int, seed: int, count: int) -> None:
    title = build("1860", players, [])
    actions = first(count, title, seed=seed)
    there = play(wire(export(title, NAMES[:players], actions))).state
    here = replay(title, actions)
    for part in ("round", "turn", "operating", "cash", "shares", "trains"):
        assert getattr(there, part) == getattr(here, part)


@pytest.mark.second
@pytest.mark.rule("1860-TOK-03", "1860-VAR-15")
def test_whom_anothers_home_token_cuts_off_passes_its_token_there_too() -> None:
    title = build("1860", 3, [])
    told = export(title, NAMES[:3], first(210, title, seed=10))["actions"][-8:]
    twice = [one for one, then in pairwise(told) if (one["type"], one["entity"]) == (then["type"], then["entity"])]
    assert [one["type"] for one in twice] == ["pass"]


@pytest.mark.rule("1860-PRV-05", "1860-PRV-14", "1860-VAR-15")
@pytest.mark.parametrize(
    ("phase", "private", "actions"),
    [
        ("3", "BHC", [act.BuyShare(ANN, BHI, IPO), act.Pass(ANN), act.BuyShare(ANN, BHI, IPO)]),
        ("6", "CMH", [act.BuyPrivate(ANN, PrivateId("YHC")), act.BuyShare(ANN, BHI, IPO)]),
    ],
)
def test_two_turns_in_a_row_are_two_there_though_an_exchange_prolongs_the_first_in_one_game_only(
    phase: str, private: str, actions: list[Action]
) -> None:
    """Ben can do nothing. By the book Ann may still swap BHC; there she is asked again for a private bought late."""
    (title, here), (theirs, there) = (
        table("1860", 2, *options)
        .phase(phase)
        .par(BHI)
        .shares(BHI, p1=2)
        .private(**{private: ANN, "YHC": BANK})
        .cash(p1=500, p2=0)
        .build()
        for options in ((), ("online",))
    )
    writer = _Writer(theirs, DIALECTS["1860"], there, 0, same_rules=False)
    for number, action in enumerate(actions, start=1):
        before, here = here, apply(title, here, action)
        writer.retell(_Move(number, before, action, here))
    assert (writer.state.round, writer.state.cash, writer.state.shares) == (here.round, here.cash, here.shares)


@pytest.mark.rule("1860-PRV-05", "1860-VAR-15")
def test_an_exchange_that_ends_a_turn_goes_on_there_to_the_player_who_is_next_here() -> None:
    """Ben can do nothing; there he is asked for the private in the bank."""
    cash = {"p1": 500, "p2": 1, "p3": 500}
    (title, here), (theirs, there) = (
        table("1860", 3, *options).phase("3").par(BHI).shares(BHI, p1=2).private(BHC=ANN, YHC=BANK).cash(**cash).build()
        for options in ((), ("online",))
    )
    writer = _Writer(theirs, DIALECTS["1860"], there, 0, same_rules=False)
    swap = act.ExchangePrivate(ANN, PrivateId("BHC"))
    for number, action in enumerate(
        [act.BuyShare(ANN, BHI, IPO), swap, act.BuyShare(PlayerId("p3"), BHI, IPO)], start=1
    ):
        before, here = here, apply(title, here, action)
        writer.retell(_Move(number, before, action, here))
    assert [(item["type"], item["entity"]) for item in writer.written[2:]] == [("pass", 2), ("buy_shares", 3)]


@pytest.mark.rule("1860-MKT-09", "1860-VAR-15")
@pytest.mark.parametrize(
    ("here", "there", "parted"),
    [
        (("IOW", "C&N"), ("C&N", "IOW"), True),
        pytest.param(("IOW",), ("IOW", "C&N"), True, id="C&N in receivership"),
        pytest.param(("IOW", "C&N"), ("C&N",), False, id="already asked next"),
    ],
)
def test_another_order_of_companies_stops_the_export_with_its_rule(
    here: tuple[CorpId, ...], there: tuple[CorpId, ...], parted: bool
) -> None:
    positions = []
    for order in (here, there):
        positions.append(table("1860", 2, "online").build()[1])
        positions[-1].round, positions[-1].operating, positions[-1].queue = OR, order[0], order[1:]
    ours, theirs = positions
    writer = _Writer(build("1860", 2, ["online"]), DIALECTS["1860"], theirs, 0, same_rules=False)
    assert writer.is_ahead_of(ours) is (not parted)
    if parted:
        with pytest.raises(BadRecord, match=r"Action 7 by Ann is followed by another .*\[1860-MKT-09\]"):
            writer.compare(_Move(7, ours, act.Pass(ANN), ours))


@pytest.mark.rule("1860-EMR-25", "1860-VAR-15")
@pytest.mark.parametrize(("column", "why"), [(17, r": .*\[1860-EMR-25\]\."), (18, r"\.")])
def test_another_price_stops_the_export_with_who_has_less_or_more_and_why(column: int, why: str) -> None:
    (_, ours), (title, theirs) = (
        table("1860", 2, "online").par(BHI, 68, (0, at)).cash(p1=cash).build() for at, cash in ((18, 100), (column, 96))
    )
    writer = _Writer(title, DIALECTS["1860"], theirs, 0, same_rules=False)
    with pytest.raises(BadRecord, match=rf"Action 7 by Ann leaves Ann with £96 on 18xx\.games, not £100{why} A game"):
        writer.compare(_Move(7, ours, act.SellShares(ANN, BHI, 1), ours))


@pytest.mark.rule("1888-TOK-03", "1888-VAR-01")
def test_another_price_of_a_token_is_named() -> None:
    title = build("1888", 5)
    actions = [action for action, _ in islice(steps(title, NAMES[:5], 20, eager), 47)]
    with pytest.raises(BadRecord, match=r"Action 47 by \w+ leaves CDL with .*420 .* not .*380: .*\[1888-TOK-03\]"):
        export(title, NAMES[:5], actions)


@pytest.mark.long
def test_a_game_that_would_stand_still_there_is_not_exported_as_if_it_had_gone_on() -> None:
    """By the book a leased train earns what is fixed; on 18xx.games its director is asked for a route."""
    title = build("1860", 3, ["simplified_insolvency"])
    actions = first(116, title, seed=212)
    export(title, NAMES[:3], actions[:115])
    with pytest.raises(BadRecord, match="Action 116"):
        export(title, NAMES[:3], actions)


@pytest.mark.long
def test_the_stated_revenue_counts_the_stations_that_give_way_to_halts() -> None:
    title = build("1860", 2, ["online"])
    actions = first(70, title, seed=110)
    told = export(title, NAMES[:2], actions)["actions"]
    (route,) = told[65]["routes"]
    assert (route["revenue"], route["subsidy"], told[65]["subsidy"]) == (50, 10 * route["halts"], 10 * route["halts"])


@pytest.mark.rule("1889-VAR-07")
@pytest.mark.parametrize(("online", "advised"), [([], True), (["online"], False)])
@pytest.mark.long
def test_a_loose_tile_stops_the_export_where_it_lies(online: list[str], advised: bool) -> None:
    """Who plays with `online` already is not told to."""
    title = build("1889", 3, ["loose_tiles", *online])
    actions = first(100, title, seed=1)
    with pytest.raises(BadRecord, match=r"\[1889-TRK-04\]") as refused:
        export(title, NAMES[:3], actions)
    assert ("the option online" in str(refused.value)) is advised
    named = re.match(r"Action (\d+) ", str(refused.value))
    assert named is not None
    number = int(named[1])
    assert isinstance(actions[number - 1], act.LayTile)
    assert export(title, NAMES[:3], actions[: number - 1])["settings"]["optional_rules"] == []


@pytest.mark.rule("1889-EMR-06", "1889-VAR-05")
@pytest.mark.long
def test_a_bankrupt_who_sells_up_otherwise_there_stops_the_export() -> None:
    """Who has sold shares of a company for a train sells up the rest of it here, and keeps it there."""
    title = build("1889", 6, ["beginner", "open_treasuries"])
    actions, state = whole(title, seed=54)
    assert state.over == "bankrupt"
    with pytest.raises(BadRecord, match=rf"Action {len(actions)} by \w+ leaves other shares"):
        export(title, NAMES, actions)
    assert export(title, NAMES, actions[:-1])["status"] == "active"


@pytest.mark.second
@pytest.mark.rule("1889-SEC-03", "1889-VAR-05")
@pytest.mark.parametrize(("players", "seed", "passed"), [(4, 2, 83), (5, 44, 49)], ids=["other", "same company next"])
def test_a_round_that_only_a_secret_treasury_keeps_open_does_not_stop_the_export(
    players: int, seed: int, passed: int
) -> None:
    title = build("1889", players)
    names = NAMES[:players]
    actions = [action for action, _ in islice(steps(title, names, seed, eager), passed + 4)]
    before, after = replay(title, actions[:passed]), replay(title, actions[: passed + 1])
    assert (before.or_number, type(actions[passed]), after.or_number) == (1, act.Pass, 2)
    here, again = replay(title, actions), play(wire(export(title, names, actions))).state
    assert (again.cash, again.board.placed) == (here.cash, here.board.placed)


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


def to_the_wall() -> list[Action]:
    """1888-N by the book, up to the turn in which JHR has bought the Great Wall."""

    def liked(action: Action) -> int:
        match action:
            case act.BuyPrivate():
                return 0
            case act.Par(corp="JHR", by="p1") | act.CompanyBuysPrivate(private="CW"):
                return 1
            case act.BuyShare(corp="JHR", source="ipo") | act.BuyTrain(source="bank"):
                return 2
            case act.RunTrains() | act.Dividend(kind="withhold"):
                return 3
            case act.LayTile():
                return 4
        return 5 if isinstance(action, act.Pass) else 9

    title = build("1888", 3)
    state, actions = start(title, NAMES[:3]), []
    while state.owner["CW"] != "JHR":
        actions.append(min(legal(title, state, decision(title, state).players[0]), key=liked))
        state = apply(title, state, actions[-1])
    return actions


WALL = (act.LayPowerTile("p1", "CW", "D2", "7", 3), act.LayPowerTile("p1", "CW", "D4", "9", 1))


@pytest.mark.rule("1888-PRV-10", "1888-VAR-01")
@pytest.mark.parametrize("between", [act.Pass("p1"), act.CompanyBuysPrivate("p1", "JHR", "KT", 13)])
def test_the_second_wall_tile_of_a_turn_is_told_beside_the_first(between: Action) -> None:
    title, before = build("1888", 3), to_the_wall()
    record = export(title, NAMES[:3], [*before, WALL[0], between, WALL[1]])
    told = [(item["type"], item["entity"], item.get("hex")) for item in record["actions"][len(before) :]]
    assert told[:2] == [("lay_tile", "CW", "D2"), ("lay_tile", "CW", "D4")]
    assert told[2][:2] == ("pass" if isinstance(between, act.Pass) else "buy_company", "JHR")
    assert {"D2", "D4"} <= set(play(wire(record)).state.board.placed)


@pytest.mark.rule("1888-PRV-10", "1888-VAR-01")
@pytest.mark.parametrize("then", [(), (act.Pass("p1"),)])
def test_a_second_wall_tile_that_is_not_laid_is_declined(then: tuple[Action, ...]) -> None:
    title, before = build("1888", 3), to_the_wall()
    record = export(title, NAMES[:3], [*before, WALL[0], *then])
    told = [(item["type"], item["entity"]) for item in record["actions"][len(before) :]]
    assert told == [("lay_tile", "CW"), ("pass", "CW"), *([("pass", "JHR")] if then else [])]
    assert not play(wire(record)).state.pending


@pytest.mark.rule("1888-PRV-10", "1888-VAR-01")
def test_a_ferry_that_is_laid_whole_here_is_told_tile_by_tile() -> None:
    title = build("1888", 3)

    def ferry_first(t: Title, s: State, options: list[Action], chance: Random) -> Action:
        ferries = [one for one in options if isinstance(one, act.LayPowerTile) and one.private == "YRF"]
        return ferries[0] if ferries else eager(t, s, options, chance)

    actions = [action for action, _ in islice(steps(title, NAMES[:3], 3, ferry_first), 66)]
    assert isinstance(actions[-1], act.LayPowerTile)
    record = export(title, NAMES[:3], actions)
    assert [one["entity"] for one in record["actions"] if one["type"] == "lay_tile"][-2:] == ["YRF", "YRF"]
    assert play(wire(record)).state.board.placed == replay(title, actions).board.placed


@pytest.mark.rule("1860-EMR-20", "1860-VAR-15")
@pytest.mark.broad
def test_a_game_that_18xx_games_could_not_go_on_with_is_refused_with_the_reason() -> None:
    title = build("1860", 4, ["online", "reenter_hexes"])
    state, actions = start(title, NAMES[:4]), []
    for action, after in steps(title, NAMES[:4], seed=334):
        actions.append(action)
        if parting(title, state, after):
            break
        state = after
    told = rf"beyond action {len(actions)}: 18xx\.games asks nobody .* \[1860-EMR-20, 1860-VAR-15\]"
    with pytest.raises(BadRecord, match=told):
        export(title, NAMES[:4], actions)
    assert export(title, NAMES[:4], actions[:-1])["status"] == "active"


@pytest.mark.rule("1860-EMR-20", "1860-VAR-15")
@pytest.mark.parametrize("able", [False, True])
def test_18xx_games_begins_no_round_anew_where_nobody_could_go_on_with_the_old_one(able: bool) -> None:
    laid = table("1860", 3, "online").own(layer=4).par("IOW", 74, (0, 1)).shares("IOW", p1=2)
    t, s = laid.cash(p1=1000, p2=1000, p3=1000).set(operated=frozenset({"IOW"})).build()
    everything = frozenset(t.corporations) | frozenset(s.owner)
    s.sold = {"p1": everything - {"IOW"}, "p2": everything, "p3": frozenset() if able else everything}
    after = apply(t, s, act.SellShares("p1", "IOW", 2))
    assert after.round == "SR"
    assert ("1860-EMR-20" in parting(t, s, after, Memory(t))) is not able


@pytest.mark.rule("1860-EMR-20", "1860-VAR-15")
@pytest.mark.parametrize(("able", "moves", "short"), [(False, 1, False), (False, 2, True), (True, 2, False)])
def test_18xx_games_does_not_hear_those_again_whom_the_old_round_passed_over(
    able: bool, moves: int, short: bool
) -> None:
    laid = table("1860", 3, "online").own(layer=4).par("IOW", 74, (0, 1)).shares("IOW", p1=2)
    t, s = laid.cash(p1=1000, p2=1000, p3=1000).set(operated=frozenset({"IOW"}), priority="p3").build()
    everything = frozenset(t.corporations) | frozenset(s.owner)
    s.sold = {"p1": everything - {"IOW"}, "p2": frozenset() if able else everything}
    memory, found = Memory(t), []
    for action in (act.SellShares("p1", "IOW", 2), act.Pass("p3"), act.Pass("p1"))[: moves + 1]:
        after = apply(t, s, action)
        found.append(parting(t, s, after, memory))
        s = after
    assert (s.round, s.up) == ("SR", ("p1", "p2")[moves - 1])
    assert found[:-1] == [""] * moves
    assert ("does not hear those again" in found[-1]) is short


@pytest.mark.rule("1860-EMR-20", "1860-VAR-15")
def test_nothing_parts_where_nobody_can_do_anything_in_the_old_round_or_the_new() -> None:
    laid = table("1860", 3, "online").stock("p1", 1).own(layer=4).par("IOW", 74, (0, 1)).shares("IOW", p1=2)
    laid = laid.cash(p1=0, p2=0, p3=0).private(BHC="p2").set(operated=frozenset({"IOW"}))
    t, s = laid.build()
    after = apply(t, s, act.SellShares("p1", "IOW", 2))
    assert [fact.round for fact in after.facts if isinstance(fact, RoundBegan)][:2] == ["SR", "OR"]
    assert not parting(t, s, after, Memory(t))


@pytest.mark.rule("1860-EMR-20", "1860-EMR-21")
def test_a_bankruptcy_in_the_operating_round_after_it_does_not_begin_a_stock_round_anew() -> None:
    t, s = table("1860", 3, "online").par("IOW", 74).build()
    after = s.copy()
    bankrupt = CompanyChanged("IOW", "bankrupt", True)
    later = [RoundBegan("OR", 2, 1), bankrupt, RoundBegan("SR", 3, 1), Passed("p1", "shares")]
    after.facts = later
    assert not parting(t, s, after)
    after.facts = [bankrupt, *later[2:]]
    assert "1860-EMR-20" in parting(t, s, after)


def cut_off(*, started: bool) -> tuple[Title, State]:
    """1889: KO, whose way leads to I4 through the home of SR, which has one place, before or after SR's first turn."""
    laid = table("1889", 3, "online").operating("KO").cash(KO=100)
    laid = laid.tile("K4", "440", 0).tile("J3", "9", 5).tile("I2", "5", 5).tile("I4", "439", 3)
    return (laid.par("SR").shares("SR", p2=5) if started else laid).build()


@pytest.mark.rule("1889-TOK-04", "1889-TOK-09", "1889-VAR-05")
def test_18xx_games_goes_on_asking_whom_a_home_token_has_cut_off() -> None:
    t, s = cut_off(started=False)
    _, closed = cut_off(started=True)
    asked, passed_over = apply(t, s, act.Pass("p1")), apply(t, closed, act.Pass("p1"))
    assert asked.step == "token"
    assert passed_over.step != "token"
    memory = Memory(t)
    assert not parting(t, closed, passed_over, Memory(t)), "it has not looked yet"
    for before, after in ((s, asked), (closed, passed_over)):
        assert not memory.asked_on
        assert not parting(t, before, after, memory)
    assert memory.asked_on
    memory = Memory(t)
    assert not parting(t, closed, passed_over, memory)
    assert re.search(r"for none before somebody builds \[1889-TOK-04, 1889-VAR-05\]", parting(t, s, asked, memory))


@pytest.mark.rule("1889-TOK-04", "1889-VAR-05")
def test_18xx_games_looks_anew_once_somebody_has_built() -> None:
    t, s = cut_off(started=False)
    _, closed = cut_off(started=True)
    memory = Memory(t)
    parting(t, s, apply(t, s, act.Pass("p1")), memory)
    lay = next(action for action in legal(t, closed, "p1") if isinstance(action, act.LayTile))
    assert not parting(t, closed, apply(t, closed, lay), memory)
    assert not parting(t, closed, apply(t, closed, act.Pass("p1")), memory)
    assert not memory.asked_on


@pytest.mark.rule("1860-EMR-21", "1860-VAR-15")
@pytest.mark.parametrize(("cash", "trains", "passed_over"), [(230, (), True), (260, (), False), (230, ("2+1",), False)])
def test_18xx_games_passes_over_the_purchase_after_a_company_that_goes_bankrupt_idle(
    cash: int, trains: tuple[str, ...], passed_over: bool
) -> None:
    laid = table("1860", 3, "online").operating("C&N", "track", then=("IOW",)).par("C&N", 74, at=(0, 2)).par("IOW", 74)
    laid = laid.tile("F2", "787").tile("J4", "6", 0).tile("J6", "746", 0).trains("C&N", *trains).trains("IOW", "2+1")
    t, s = laid.cash(IOW=cash).build()
    if trains:
        s.step, s.income = "dividend", 10
        keep(s, ran=True, paid={})
    memory, found = Memory(t), []
    moves = [act.Dividend("p1", "C&N", "withhold") if trains else act.Pass("p1"), act.Pass("p1")]
    while (s.operating, s.step) != ("IOW", "trains"):
        ways = (act.RunTrains, act.Dividend)
        able = (one for one in legal(t, s, "p1") if isinstance(one, ways) and getattr(one, "kind", "") != "pay")
        after = apply(t, s, moves.pop(0) if moves else next(able, act.Pass("p1")))
        found.append(parting(t, s, after, memory))
        s = after
    assert found[:-1] == [""] * len(found[:-1])
    assert bool(found[-1]) is passed_over
    assert ("[1860-EMR-21, 1860-VAR-15]" in found[-1]) is passed_over


@pytest.mark.parametrize("title", ["1889", "1888", "1860"])
@pytest.mark.parametrize(("turn", "round_", "ends"), [(99, "SR", False), (100, "SR", True), (100, "OR", False)])
def test_the_end_of_a_round_in_the_hundredth_turn_is_a_known_difference(
    title: str, turn: int, round_: str, ends: bool
) -> None:
    t, before = table(title, 3, "online").stock("p1", turn).build()
    after = before.copy()
    after.round, before.round = "OR", round_
    assert bool(parting(t, before, after)) is ends


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


@pytest.mark.second
@pytest.mark.rule("1860-END-21", "1860-VAR-15")
def test_a_game_in_which_nobody_can_do_anything_is_told_as_ended_by_agreement() -> None:
    title = build("1860", 2, ["online"])
    state, actions = start(title, NAMES[:2]), []
    while not state.over:
        seat = decision(title, state).players[0]
        bids = (act.BidToChoose(seat, amount) for amount in range(state.cash[seat], 0, -1))
        wasted = next((bid for bid in bids if judge(title, state, bid) is None), None)
        kinds = (act.SellPrivate, act.BuyPrivate, act.SellShares, act.Pass)
        able = [action for action in legal(title, state, seat) if not isinstance(action, act.EndGame)]
        others = (action for kind in kinds for action in able if isinstance(action, kind))
        actions.append(wasted or next(others, able[0]))
        state = apply(title, state, actions[-1])
    assert state.over == "stuck"
    record = export(title, NAMES[:2], actions)
    assert (record["status"], record["game_end_reason"]) == ("finished", "manually_ended")
    assert record["actions"][-1]["type"] == "end_game"
    again = play(wire(record))
    assert (again.state.over, again.departures) == ("stuck", ())


@pytest.mark.rule("1860-END-21", "1860-VAR-15")
def test_a_game_that_18xx_games_runs_through_to_its_last_turn_is_not_told_to_end() -> None:
    title = build("1860", 2, ["online"])
    s = start(title, NAMES[:2])
    s.cash.update(p1=20, p2=20)
    s.owner.update(dict.fromkeys(s.owner, CLOSED))
    s.pending = ()
    enter(title, s, "SR")
    assert s.over == "stuck"
    writer = _Writer(title, DIALECTS["1860"], s, 0, same_rules=True)
    assert not writer.asked_for_ever()
    assert writer.record(NAMES[:2])["game_end_reason"] == "dnf"


@pytest.mark.parametrize("count", [150, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("title", "option"),
    [
        ("1889", "open_treasuries"), ("1889", "loose_tiles"), ("1888", "no_stalled_exports"),
        ("1860", "open_treasuries"), ("1860", "skip_small_stations"),
    ],
)  # fmt: skip
@pytest.mark.long
def test_what_18xx_games_does_anyway_is_left_out_of_its_options(title: str, option: str, count: int | None) -> None:
    plain, chosen = build(title, 3, ["online"]), build(title, 3, [option, "online"])
    actions = first(count, plain, seed=12)
    assert export(chosen, NAMES[:3], actions) == export(plain, NAMES[:3], actions)


@pytest.mark.rule("1888-VAR-03", "1888-AUC-14")
@pytest.mark.parametrize(("options", "told"), [(["no_stalled_exports"], True), ([], False)])
def test_an_auction_that_stalls_before_kaiping_is_sold_can_be_told_only_if_it_exports_nothing(
    options: list[str], told: bool
) -> None:
    title = build("1888", 3, options)
    state, actions = start(title, NAMES[:3]), list[Action]()
    while state.round != "SR":
        asked = decision(title, state).players[0]
        actions.append(act.Pass(asked) if len(actions) < 3 else act.BuyPrivate(asked, unsold(state)[0]))
        state = apply(title, state, actions[-1])
    assert (state.depot["2"] == 7) is told
    if told:
        assert not play(wire(export(title, NAMES[:3], actions))).differences
    else:
        with pytest.raises(BadRecord, match=r"Action 3 by \w+ leaves other trains"):
            export(title, NAMES[:3], actions)


REFUSED = {
    "1889": {"manual_setup", "manual_train_limit", "eight_diesels"},
    "1888": set(),
    "1860": {
        "variable_privates", "any_company_order", "destinations", "accelerated_track", "no_train_limit", "two_sevens",
    },
}  # fmt: skip


def refusal_of(title: str, option: str) -> str:
    """Why a game with this option cannot be exported; empty if it can."""
    try:
        export(build(title, 3, [option]), NAMES[:3], [])
    except BadRecord as error:
        return str(error)
    return ""


@pytest.mark.parametrize("title", sorted(DIALECTS))
def test_every_option_has_a_counterpart_or_is_left_out_or_refused_by_name(title: str) -> None:
    refusals = {option: refusal_of(title, option) for option in TITLES[title].options}
    assert {option for option, text in refusals.items() if text} == REFUSED[title]
    assert all(option in refusals[option] for option in REFUSED[title])


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
@pytest.mark.long
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


@pytest.mark.broad
def test_our_own_files_keep_a_game() -> None:
    title = build("1889", 2)
    actions, state = whole(title, seed=17)
    again = play(wire(native.written(title, actions, state)))
    assert again.actions == tuple(actions)
    assert again.state.to_dict() == state.to_dict()
    assert again.difference() is None


def test_undo_and_redo_are_read_from_our_own_files() -> None:
    title = build("1889", 2)
    entries = (
        Entry(1, "action", act.BuyPrivate("p1", "A")),
        Entry(2, "action", act.Pass("p2")),
        Entry(3, "undo", target=1),
        Entry(4, "redo"),
        Entry(5, "undo"),
    )
    body = native.written(title, (), start(title, NAMES[:2]))
    body["log"] = [
        {"kind": one.kind, "action": one.action and to_json(one.action), "target": one.target} for one in entries
    ]
    assert native.read(wire(body)).entries == entries
    assert play(wire(body)).state.up == "p2"
