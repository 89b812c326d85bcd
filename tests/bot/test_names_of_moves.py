"""Names of moves and of choices: what somebody picks by its name is what was meant.

A phone takes the first of several choices that read the same. `test_every_title` looks at the names in random games.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from club import Club, text
from player import private_answer
from tables import table

from bot.chat.codes import action_code
from bot.chat.commands import matching
from bot.chat.layout import shorten, told_apart, view
from bot.chat.screen import MAX_OPTION, Option, Screen
from bot.core.position import Position
from bot.core.work import Work
from bot.words.labels import Labels, in_full
from bot.words.lexicon import joined
from engine import build, legal
from engine.actions import BuyPrivate, BuyShare, DiscardTrain, LayPowerTile, LayTile, PlaceToken, SellShares
from engine.board.tiles import turned
from engine.ids import IPO, POOL
from engine.state import State
from engine.title import Title
from engine.titles import TITLES


def labels_of(t: Title, s: State, seat: str = "p1") -> Labels:
    with ThreadPoolExecutor(1) as pool:
        return Position(t, s, 1, dict(s.names), Work(pool)).labels(seat)


def test_a_lay_says_which_hexes_its_track_joins() -> None:
    t, s = table("1889", 3).operating("AR").build()
    labels = labels_of(t, s)
    said = [in_full(labels, LayTile("p1", "AR", "G10", "437", turn)) for turn in range(6)]
    assert said[0] == "AR: Lay tile 437 on G10 Nangoku, joining G12-F9"
    assert len(set(said)) == 6


def test_a_private_s_lay_says_whose_it_is_and_what_it_joins() -> None:
    t, s = table("1889", 3).private(B="p1").build()
    said = in_full(labels_of(t, s), LayPowerTile("p1", "B", "G10", "437", 3))
    assert said == "B Mitsubishi Ferry: lay tile 437 on G10 Nangoku, joining G8-H11"


@pytest.mark.rule("1860-SR-06")
@pytest.mark.parametrize(("trains", "said"), [((), "£41 a share, half its price"), (("2+1",), "£82 a share")])
def test_a_sale_at_half_the_price_says_so(trains: tuple[str, ...], said: str) -> None:
    t, s = table("1860").par("C&N", 82, (0, 22)).shares("C&N", p1=3, p2=2).trains("C&N", *trains).build()
    assert labels_of(t, s).note(SellShares("p1", "C&N", 1)) == f"{said} · Cowes & Newport"


def test_trains_that_several_companies_must_discard_are_told_apart() -> None:
    """Two buttons read "Discard a 3-train", and one "Discard a 4-train" that the company of the heading had not."""
    laid = table("1889", 3, "online").par("AR", 100, (0, 3)).par("IR", 90, (1, 3)).shares("AR", p1=5).shares("IR", p1=5)
    laid = laid.phase("5").trains("AR", "3", "3", "3").trains("IR", "3", "4", "4").operating("AR", "trains")
    t, s = laid.pending("discard", "p1", "IR").pending("discard", "p1", "AR").build()
    found = [labels_of(t, s).of(one) for one in legal(t, s, "p1") if isinstance(one, DiscardTrain)]
    assert sorted(found) == ["Discard AR's 3-train", "Discard IR's 3-train", "Discard IR's 4-train"]


@pytest.mark.parametrize(
    ("tile", "turn", "said"),
    [
        ("57", 0, "joining K6-K2"),
        ("20", 0, "joining K6-K2 and J5-L3"),
        ("25", 1, "joining J5-K2 and J5-L5"),
        ("5", 0, "joining K6-J5"),
    ],
)
def test_track_that_does_not_meet_is_told_apart(tile: str, turn: int, said: str) -> None:
    t, s = table("1889", 3).operating("AR").build()
    assert labels_of(t, s).of(LayTile("p1", "AR", "K4", tile, turn)).endswith(said)


@pytest.mark.parametrize("key", TITLES)
def test_turns_that_are_told_alike_differ_in_nothing_but_twin_stops(key: str) -> None:
    t = build(key, TITLES[key].players[0])
    for name, tile in t.tiles.items():
        faces = [turned(tile.face, rotation) for rotation in range(6)]
        slots = [6 + index for index, stop in enumerate(tile.face.stops) if stop.slots]
        for one in faces:
            for other in faces:
                if joined(one) == joined(other):
                    assert [one.from_end[end] for end in slots] == [other.from_end[end] for end in slots], name
                    assert one.exits == other.exits


def test_two_cities_of_one_hex_are_told_apart() -> None:
    t, s = table("1888", 3).par("JHR", 85).operating("JHR").tile("B20", "8858", 0).build()
    labels = labels_of(t, s)
    first, second = (labels.of(PlaceToken("p1", "JHR", f"B20.{city}")) for city in (0, 1))
    assert first != second
    assert "the city joining" in first


def test_a_share_says_whether_it_comes_from_the_market() -> None:
    t, s = table("1889", 3).par("AR", 75).shares("AR", p1=2, pool=1).build()
    labels = labels_of(t, s)
    assert labels.of(BuyShare("p1", "AR", IPO)) == "AR for ¥75"
    assert labels.of(BuyShare("p1", "AR", POOL)) == "AR for ¥75 from the open market"


def test_choices_of_one_name_are_numbered_and_stay_short_enough() -> None:
    long = "x" * 150
    names = told_apart(["a", "a", "a (2)", long, long, "a"])
    assert len(set(names)) == len(names)
    assert names[:2] == ["a", "a (2)"]
    assert all(len(name) <= MAX_OPTION for name in names)
    assert names[4].endswith("… (2)")


def test_an_autocomplete_has_each_value_and_each_name_once() -> None:
    found = matching([("Oslo", "a"), ("Oslo", "a"), ("Oslo", "b"), ("Rome", "c")], "os")
    assert [(one.name, one.value) for one in found] == [("Oslo", "a"), ("Oslo (2)", "b")]


def test_a_list_has_no_two_options_of_one_name() -> None:
    screen = Screen("x", game="g", seq=1)
    screen.select("all", "Which?", [Option("same", f"c{n}") for n in range(3)])
    row = view(screen).to_components()[1]
    assert [one["label"] for one in row["components"][0]["options"]] == ["same", "same (2)", "same (3)"]


async def test_a_move_chosen_by_its_name_is_the_one_that_is_made(club: Club) -> None:
    await club.begin(3)
    member = club.who("p1", await club.table())
    offered = await member.autocomplete(club.channel, "do", "move", "")
    names = [one["name"] for one in offered]
    assert len(set(names)) == len(names)
    await member.slash(club.channel, "do", move=names[0])
    moved = (await club.table()).moves[-1].action
    assert action_code(moved) == offered[0]["value"]


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (40, "Eight: A10, Kobe, Himeji and Okayama"),
        (12, "Eight: A10…"),
        (8, "Eight…"),
        (3, "Ei…"),
        (17, "Eight: A10, Kobe…"),
    ],
)
def test_what_is_too_long_ends_after_a_whole_word(limit: int, told: str) -> None:
    assert shorten("Eight: A10, Kobe, Himeji and Okayama", limit) == told
    assert len(told) <= limit


def test_a_word_that_is_too_long_by_itself_is_cut() -> None:
    assert shorten("Shikoku " + "x" * 90, 50) == "Shikoku " + "x" * 41 + "…"


async def test_any_move_can_be_done_by_its_name(club: Club) -> None:
    table = await club.begin(3)
    first = club.who("p1", table)
    move = next(one for one in await table.position.actions("p1") if isinstance(one, BuyPrivate))
    name = in_full(table.position.labels("p1"), move)
    refused = await first.slash(club.channel, "do", move="fly to the moon")
    assert "is not possible now" in text(private_answer(refused))
    assert name in text(private_answer(refused))
    idle = private_answer(await club.who("p2", table).slash(club.channel, "do", move="pass"))
    assert "It is not your turn: the game is waiting for" in text(idle)
    await first.slash(club.channel, "do", move=name)
    assert [one.action for one in table.moves] == [move]
    await table.end_here()
    over = private_answer(await first.slash(club.channel, "do", move=name))
    assert text(over) == "The game is already over."
