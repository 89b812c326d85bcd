"""Games in threads: each holds its own, beside one in the channel."""

from __future__ import annotations

import random
from dataclasses import replace

from club import Club, text
from player import take_turn

from engine.ids import PlayerId


def thread(club: Club, name: str) -> Club:
    """A thread of the club's channel, with the same people."""
    owner = club.members[0].id
    club.env.backend.create_thread(club.channel.id, name, owner)
    made = next(one for one in club.channel.threads if one.name == name)
    return replace(club, channel=made)


async def test_a_channel_and_its_threads_hold_a_game_each(club: Club) -> None:
    tables = [club, thread(club, "china"), thread(club, "wight")]
    titles = ("1889", "1888", "1860")
    for place, title in zip(tables, titles, strict=True):
        table = await place.begin(3, title)
        assert table.title.id == title
    chance = random.Random(5)
    for _ in range(15):
        for place in tables:
            await take_turn(place, chance)
    for place, title in zip(tables, titles, strict=True):
        table = await place.table()
        assert table.title.id == title
        assert len(table.moves) >= 15
        assert "your turn" in text(place.packet())
    waiting = await club.who(PlayerId("p1"), await club.table()).slash(club.channel, "turns")
    shown = text(waiting.followups[-1] if waiting.followups else waiting.response)
    assert all(f"<#{place.channel.id}>" in shown for place in tables)
