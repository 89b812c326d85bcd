"""Ids of controls and forms that fit their patterns, though the bot never put them there."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club
from player import answer
from simcord.actors import _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.results import InteractionResult
from test_company_turns import play_until
from test_review import found_in

from bot.core.table import Table
from bot.rooms.past.reviewing import Reviews
from bot.rooms.turn.run_trains import MOST_EFFORT

OUT_OF_DATE = "This button is out of date."


async def press(club: Club, table: Table, code: str) -> InteractionResult:
    """Press in the newest message as if the bot had put this button there."""
    backend, custom_id = club.env.backend, f"b:{table.id}:{table.position.seq}:{code}"
    button = {"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": custom_id}
    shown = backend.get_message(club.channel.id, club.packet().id)
    message = {
        **serializers.message_payload(backend, shown),
        "components": [{"type": 1, "id": 1, "components": [button]}],
    }
    data = {"custom_id": custom_id, "component_type": 2, "id": 2}
    return await _sent(club, table, 3, data, extra={"message": message}, source_message_id=shown.id)


async def submit(club: Club, table: Table, code: str) -> InteractionResult:
    """Submit an empty form as if the bot had opened it."""
    data = {"custom_id": f"m:{table.id}:{table.position.seq}:{code}", "components": []}
    return await _sent(club, table, 5, data)


async def _sent(club: Club, table: Table, kind: int, data: dict[str, Any], **more: Any) -> InteractionResult:
    up = table.position.up[0] if table.position.up else "p1"
    return await _dispatch_actor_interaction(club.who(up, table), kind, club.channel, data, **more)


async def test_a_bid_where_none_is_asked_for_opens_no_form(club: Club) -> None:
    table = await play_until(club, "shares")
    assert "nothing to choose from now" in await answer(press(club, table, "ask|Bid"))


@pytest.mark.parametrize("code", ["program|seen", "program|off|1"])
async def test_a_form_of_programs_is_one_that_makes_a_program(club: Club, code: str) -> None:
    assert OUT_OF_DATE in await answer(submit(club, await club.begin(2), code))


@pytest.mark.parametrize("code", ["review|p9", "review|p9|0", "instead|p9|0"])
async def test_nobody_is_reviewed_who_did_not_play(club: Club, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    table = await club.begin(3)
    await table.end_here()
    await club.says()
    monkeypatch.setattr(Reviews, "_made", AsyncMock(return_value=found_in(table)))
    assert OUT_OF_DATE in await answer(press(club, table, code))


async def test_no_search_goes_further_than_the_bot_offers(club: Club) -> None:
    table = await club.begin(3)
    for code in (f"further|AR|{MOST_EFFORT + 1}", f"run|AR|0123456789|{MOST_EFFORT + 1}|pay"):
        assert OUT_OF_DATE in await answer(press(club, table, code))
