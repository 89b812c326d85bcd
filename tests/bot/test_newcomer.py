"""A newcomer's first game in the page, against two opponents, to its end: one press after another."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from club import Club, buttons, text
from player import take_turn

from bot.core.opponents import is_person
from playground.server import local_server

MOST_TURNS = 900
TITLES = ("1889", "1888", "1860", "1890")


@pytest.mark.slow
@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("title", TITLES)
async def test_a_newcomer_plays_a_whole_game_against_two_opponents(tmp_path: Path, title: str) -> None:
    async with local_server(tmp_path / "x.sqlite3", title) as here:
        club, chance = Club(here.env, None, here.channel, here.people), random.Random(1889)
        (table,) = here.bot.tables.loaded()
        place: Any = here.bot.get_channel(here.channel.id)
        await place.get_partial_message(here.channel.history()[-1].id).delete()  # it leads to the guide
        for _ in range(MOST_TURNS):
            if table.position.over:
                break
            before = len(here.channel.history())
            await take_turn(club, chance)
            club.forget_transcript()
            told = here.channel.history()[before:]
            assert sum("your turn" in text(one) for one in told) <= 1
            assert table.position.over or table.position.up == ("p1",)
        assert table.position.over
        assert {one.user for one in table.moves if one.user and not is_person(one.user)}
        last = club.packet()
        assert "The game is over" in text(last)
        assert "Rematch" in buttons(last)
        assert here.env.errors == []
