"""The tiles to choose from, in the picture and by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from club import Club, buttons
from decisions import position_of
from player import private_answer
from tables import table

import renderer
from bot.core.table import Table
from bot.rooms.turn import cards, pictures
from engine import judge
from engine.actions import LayTile


async def test_it_is_drawn_with_tokens_where_they_come_to_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bases in Beijing share no city on its green tile."""
    t, s = table("1888", 3).operating("JHR", "track").par("JHR", 90).par("JZR", 90).no_homes().build()
    s.board = s.board.with_token("C9", 0, "JZR").with_token("C9", 1, "JHR")
    seen: list[Any] = []
    told: list[str] = []

    def drawn(view: Any, hex_id: Any, choices: Any, stops: Any, joined: Any) -> renderer.Picture:
        told.extend(joined)
        seen.extend([stop.slots for stop in one] for one in stops)
        return renderer.Picture(b"", 1, 1, "")

    monkeypatch.setattr(renderer, "tile_choices_picture", drawn)
    position = position_of(t, s)
    await pictures.choices_image(position, "C9", [("L42", 0)])
    assert seen[0] == [("JZR",), (None,), (None,), ("JHR",)]
    assert told == ["C7, B10, C11 and D10"]


async def with_twins(club: Club, **supply: int) -> Table:
    """AR is to lay a tile; four more of some tiles have a name of their own, as they have on 18xx.games."""
    running = await club.begin(3, options="beginner, online")
    _, laid = table("1889", 3, "beginner", "online").operating("AR").cash(AR=500).build()
    laid.supply.update(supply)
    running.moves = [replace(running.moves[0], state=laid)]
    running._arrive(1)
    return running


async def test_tiles_that_look_alike_are_one_choice(club: Club) -> None:
    running = await with_twins(club)
    member = club.who("p1", running)
    tiles = await member.autocomplete(club.channel, "lay", "tile", "", hex="K8")
    assert sorted((one["name"], one["value"]) for one in tiles) == [("5", "5"), ("57", "57"), ("6", "6")]
    turns = await member.autocomplete(club.channel, "lay", "rotation", "", hex="K8", tile="6")
    assert [one["value"] for one in turns] == [1, 2]
    shown = private_answer(await member.slash(club.channel, "lay", hex="K8"))
    assert list(buttons(shown)) == [str(number) for number in range(1, 7)]
    assert "**6** ×4" in cards.tiles_screen(running).text


@pytest.mark.parametrize(("left", "laid"), [({"6": 2}, "6"), ({"6": 0}, "Beg6")])
async def test_a_tile_that_is_typed_by_its_number_is_one_that_is_left(
    club: Club, left: dict[str, int], laid: str
) -> None:
    running = await with_twins(club, **left)
    await club.who("p1", running).slash(club.channel, "lay", hex="K8", tile="6", rotation=1)
    assert running.position.state.board.placed["K8"][0] == laid


def test_a_refusal_calls_a_tile_by_its_number() -> None:
    t, s = table("1890", 3).operating("Hanshin").build()
    assert "465 is brown" in str(judge(t, s, LayTile("p1", "Hanshin", "F9", "465N", 3)))
