"""How many commands there still is room for, and the one that does any move."""

from __future__ import annotations

import discord
import pytest
from club import Club, text
from discord import app_commands
from player import private_answer

from bot.words.labels import in_full
from engine.actions import BuyPrivate

MOST_SUBCOMMANDS = 25
MOST_COMMANDS = 100
ROOM = 4
"""Places that are to stay free in every group, for what is to come."""


@pytest.mark.pictures
async def test_groups_have_room_for_more(club: Club) -> None:
    commands = club.bot.tree.get_commands(type=discord.AppCommandType.chat_input)
    left = {
        group.name: MOST_SUBCOMMANDS - len(group.commands)
        for group in commands
        if isinstance(group, app_commands.Group)
    }
    assert {"game", "show", "my", "seat"} <= set(left)
    assert min(left.values()) >= ROOM, left
    assert len(commands) <= MOST_COMMANDS // 4


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
