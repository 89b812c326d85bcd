"""Whole games, played as people play them."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

import pytest
from club import Club, text
from player import take_turn
from typist import type_turn

import engine

MOST_TURNS = 3000


async def play(
    club: Club,
    players: int,
    seed: int,
    title: str = "1889",
    turns: int = MOST_TURNS,
    turn_of: Callable[[Club, random.Random], Awaitable[None]] = take_turn,
    **created: str,
) -> int:
    """Play until the game is over, with components alone unless told otherwise; how many turns it took."""
    await club.begin(players, title, **created)
    chance = random.Random(seed)
    for turn in range(turns):
        if (await club.table()).position.over:
            return turn
        await turn_of(club, chance)
        if turn % 10 == 0:
            club.forget_transcript()
    return turns


BOXES = [
    *((title, "") for title in sorted(set(engine.TITLES) - {"1890"})),
    pytest.param("1890", "", marks=pytest.mark.slow),
    pytest.param("1890", "scenario_a", marks=pytest.mark.slow),
    ("1890", "hidden_cash hidden_train_price"),
]


@pytest.mark.long
@pytest.mark.parametrize(("title", "options"), BOXES)
@pytest.mark.pictures
async def test_some_turns_with_true_pictures(club: Club, title: str, options: str) -> None:
    await play(club, 3, 1, title, turns=12, options=options)
    table = await club.table()
    assert len(table.moves) >= 9


@pytest.mark.long
@pytest.mark.parametrize(("title", "options"), BOXES)
async def test_some_turns_with_commands_alone(club: Club, title: str, options: str) -> None:
    await play(club, 4, 2, title, turns=18, turn_of=type_turn, options=options)
    table = await club.table()
    assert len(table.moves) >= 18


@pytest.mark.parametrize(
    ("title", "players", "seed", "options"),
    [
        pytest.param("1889", 3, 4, "", marks=pytest.mark.slow),
        pytest.param("1889", 6, 1, "", marks=pytest.mark.slow),
        pytest.param("1888", 3, 1, "", marks=pytest.mark.slow),
        pytest.param("1888", 5, 1, "", marks=pytest.mark.slow),
        pytest.param("1860", 2, 1, "", marks=pytest.mark.slow),
        pytest.param("1860", 4, 1, "", marks=pytest.mark.slow),
        pytest.param("1890", 2, 1, "scenario_a", marks=pytest.mark.slow),
        pytest.param("1890", 4, 1, "scenario_a hidden_cash", marks=pytest.mark.slow),
        pytest.param("1890", 3, 1, "", marks=pytest.mark.slow),
        pytest.param("1890", 5, 1, "hidden_cash hidden_train_price", marks=pytest.mark.slow),
    ],
)
async def test_a_game_is_played_to_its_end_with_components_alone(
    club: Club, title: str, players: int, seed: int, options: str
) -> None:
    turns = await play(club, players, seed, title, options=options)
    table = await club.table()
    assert table.position.over, turns
    assert "The game is over" in text(club.channel.history()[-1])


@pytest.mark.slow
@pytest.mark.pictures
async def test_a_game_is_played_to_its_end_with_commands_alone_and_true_pictures(club: Club) -> None:
    turns = await play(club, 4, seed=4, turn_of=type_turn)
    assert (await club.table()).position.over, turns


@pytest.mark.slow
@pytest.mark.parametrize("title", sorted(set(engine.TITLES) - {"1889"}))
async def test_a_game_of_any_title_is_played_to_its_end_with_commands_alone(club: Club, title: str) -> None:
    turns = await play(club, 3, 4, title, turn_of=type_turn)
    assert (await club.table()).position.over, turns
