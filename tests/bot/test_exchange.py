"""Carrying games over from and to files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from club import Club, text
from player import private_answer

from bot.play.errors import TableError
from bot.play.game_files import LARGEST, bring_in, fetch, record_of, replay

pytestmark = pytest.mark.usefixtures("plain_pictures")


async def test_an_exported_game_can_be_imported_elsewhere(club: Club) -> None:
    table = await club.begin(3)
    for _ in range(5):
        await club.who(table.position.up[0], table).click(club.packet(), label="Pass")
    other = club.guild.create_text_channel("elsewhere")
    played = replay(record_of(table).encode())
    users = [member.id for member in club.members[:3]]
    game = await bring_in(club.bot.store, played, users, channel=other.id, guild=club.guild.id, host=users[0])
    again = await club.bot.tables.get(game.id)
    assert [one.action for one in again.moves] == [one.action for one in table.moves]
    club.bot.sender.wake()
    await club.bot.sender.idle()
    assert "your turn" in text(other.last_message)


async def test_export_gives_a_file(club: Club) -> None:
    await club.begin(2)
    answer = private_answer(await club.members[0].slash(club.channel, "game export"))
    assert [file.filename.endswith(".json") for file in answer.attachments] == [True]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe\x00", "not text"),
        (b"{", "not JSON"),
        (b"[1]", "not a game"),
        (b"{}", "unknown"),
        (json.dumps({"title": "1830"}).encode(), "unknown"),
        (b"[" * 100_000, "cannot be imported"),
    ],
)
def test_garbage_is_refused_with_the_reason(data: bytes, words: str) -> None:
    with pytest.raises(TableError, match=words):
        replay(data)


async def test_an_illegal_action_is_named_by_its_position(club: Club) -> None:
    table = await club.begin(2)
    record = json.loads(record_of(table))
    record["actions"] = [{"type": "buy_shares", "entity": 1, "entity_type": "player", "id": 1, "shares": ["AR_1"]}]
    with pytest.raises(TableError, match="1"):
        replay(json.dumps(record).encode())


async def test_a_huge_file_is_not_even_fetched() -> None:
    class File:
        size = LARGEST + 1

    file: Any = File()
    with pytest.raises(TableError, match="the most I can read"):
        await fetch(file)
