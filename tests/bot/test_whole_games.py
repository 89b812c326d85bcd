"""Whole games, played as people play them."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest
from club import Club, text
from player import take_turn
from typist import type_turn

MOST_TURNS = 3000


async def play(
    club: Club,
    players: int,
    seed: int,
    turns: int = MOST_TURNS,
    turn_of: Callable[[Club, random.Random], Awaitable[None]] = take_turn,
) -> int:
    """Play until the game is over, with components alone unless told otherwise; how many turns it took."""
    await club.begin(players)
    chance = random.Random(seed)
    for turn in range(turns):
        if (await club.table()).position.over:
            return turn
        await turn_of(club, chance)
        if turn % 10 == 0:
            club.forget_transcript()
    return turns


async def test_some_turns_with_true_pictures(club: Club) -> None:
    await play(club, 3, seed=1, turns=60)
    table = await club.table()
    assert len(table.told) >= 50


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize(("players", "seed"), [(3, 4), (6, 1)])
async def test_a_game_is_played_to_its_end_with_components_alone(club: Club, players: int, seed: int) -> None:
    turns = await play(club, players, seed)
    table = await club.table()
    assert table.position.over, turns
    assert "The game is over" in text(club.channel.history()[-1])


async def test_a_game_is_played_to_its_end_with_commands_alone_and_true_pictures(club: Club) -> None:
    turns = await play(club, 4, seed=4, turn_of=type_turn)
    assert (await club.table()).position.over, turns
