"""What anybody may look at from the message of a turn."""

from __future__ import annotations

from typing import Any

import pytest
from club import Club, read_code, selects, text
from player import more, private_answer
from tables import table
from test_decision_cards import lines
from test_few_presses import operating
from walks import whole_game

import engine
import renderer
from bot.chat.screen import Screen, Select
from bot.core.errors import UnknownControl
from bot.core.moves import Move, lately
from bot.core.position import Position
from bot.core.secrecy import public_choices, secret_kinds
from bot.core.work import Work
from bot.rooms.turn.screen import LOOKS, add_decision, part_shown, places_marked
from engine.actions import BuyShare, CompanyBuysPrivate, LayTile, PlaceToken, Route
from engine.ids import IPO, CorpId, HexId, PlayerId, PrivateId, split_stop


@pytest.mark.broad
@pytest.mark.pictures
async def test_everything_in_the_list_opens_and_the_map_in_parts(club: Club) -> None:
    table = await club.begin(2)
    opened: dict[str, Any] = {}
    for what in LOOKS:
        beside = await more(club.aiko, club.packet())
        custom_id = next(name for name in selects(beside) if name.endswith(":look"))
        pressed = await club.aiko.select(beside, [f"show|{what}"], custom_id=custom_id)
        opened[what] = private_answer(pressed)
        assert opened[what].attachments or text(opened[what]).startswith("### "), what
        assert "out of date" not in text(opened[what]), what
    parts: Any = private_answer(await club.aiko.click(opened["map"], label="Closer"))
    assert len(parts.attachments) == renderer.parts_of(table.position.board()) > 1


async def test_the_crop_shows_where_a_token_can_go_though_the_treasury_is_secret(work: Work) -> None:
    t, states, _ = whole_game("1889")
    s = next(state for state in states if state.step == "token")
    position = Position(t, s, 5, dict(s.names), work)
    choices = await public_choices(position)
    places = {split_stop(one.stop)[0] for one in choices if isinstance(one, PlaceToken)}
    assert places
    assert PlaceToken in secret_kinds(position)
    assert places <= set(await part_shown(position, choices, ()))


@pytest.mark.parametrize("ran", [(), (Route("2", ("K4.0", 0, "K8.0")),)])
async def test_the_crop_shows_where_the_tile_of_a_private_goes(ran: tuple[Route, ...], work: Work) -> None:
    """Also where the company has run in its turn: the map showed the routes instead, and half of the hex."""
    t, s = operating("track").private(C="p2").build()
    s.routes = ran
    s = engine.apply(t, s, CompanyBuysPrivate(PlayerId("p1"), CorpId("AR"), PrivateId("C"), 40))
    position = Position(t, s, 5, dict(s.names), work)
    assert engine.decision(t, s).step == "bonus tile"
    choices = await public_choices(position)
    assert "C4" in await part_shown(position, choices, ())
    assert (await part_shown(position, choices, ()))[0] == "C4"
    assert places_marked(choices) == ("C4",)


async def test_a_home_tile_laid_in_a_stock_round_is_shown_with_what_is_around_it(work: Work) -> None:
    laid = table("1860", 3).par("FYN", 62, (0, 3)).shares("FYN", p1=4).cash(p1=1000)
    s = engine.apply(*laid.set(lays=("green",)).build(), BuyShare(PlayerId("p1"), CorpId("FYN"), IPO))
    position = Position(laid.title, s, 5, dict(s.names), work)
    assert engine.decision(laid.title, s).step == "home tile"
    assert await part_shown(position, await public_choices(position), ()) == ("B4",)
    assert not any("green" in one for one in lines(laid.title, s))


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
@pytest.mark.parametrize("every", [2, pytest.param(1, marks=pytest.mark.slow)])
async def test_the_crop_shows_a_hex_where_a_tile_can_be_laid(work: Work, title_id: str, every: int) -> None:
    t, states, actions = whole_game(title_id)
    moves, laying, seen = list[Move](), 0, 0
    for s, action in zip(states[1:], actions, strict=True):
        moves.append(Move(len(moves) + 1, action, None, None, s))
        if s.over or LayTile not in engine.present_step(t, s).by_action:
            continue
        laying += 1
        if laying % every:
            continue
        position = Position(t, s, 5, dict(s.names), work, built=lately(t, moves, states[0])[1])
        choices = await public_choices(position)
        lays = {one.hex for one in choices if isinstance(one, LayTile)}
        shown = set(await part_shown(position, choices, ()))
        assert not shown or not lays or shown & lays
        seen += bool(lays - shown)
    assert seen, "no crop left anything out"


@pytest.mark.long
@pytest.mark.parametrize(("at", "said"), [(206, ""), (256, " (6 of 10 in the picture)")])
async def test_a_list_of_hexes_says_how_many_of_them_the_map_shows_unless_all(work: Work, at: int, said: str) -> None:
    t, states, _ = whole_game("1888")
    position, screen = Position(t, states[at], 5, dict(states[at].names), work), Screen()
    await add_decision(screen, position, ())
    (hexes,) = (row for row in screen.rows if isinstance(row, Select))
    assert hexes.hint == f"Lay a tile on…{said}"


async def test_the_crop_shows_what_the_turn_built(work: Work) -> None:
    t, s = operating("trains").build()
    for built in ((), (HexId("G8"),)):
        position = Position(t, s, 5, dict(s.names), work, built=built)
        shown = await part_shown(position, await public_choices(position), ())
        assert ("G8" in shown) is bool(built)


@pytest.mark.parametrize("code", ["show|moon", "show", "show|map|1", "show|maps"])
def test_no_id_asks_for_anything_else(code: str) -> None:
    with pytest.raises(UnknownControl):
        read_code(code)
