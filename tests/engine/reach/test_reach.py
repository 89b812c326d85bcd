"""What a company reaches, against following every trail: on strewn boards, in random and in recorded games."""

from __future__ import annotations

import json
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from every_title import random_games, recorded_games, strewn
from test_board_laws import small_board
from trails import TooMany, every_trail, every_way

from engine import build
from engine.board.board import Board
from engine.board.reach import goes_on, reach
from engine.ids import CorpId
from engine.titles import TITLES

PARTS = ("sides", "stops", "segments", "hexes", "joined")
TITLE = {title: build(title, recipe.players[0]) for title, recipe in TITLES.items()}


def afresh(board: Board) -> Board:
    """The same board, of which nobody has asked anything."""
    return Board(board.grid, board.placed, board.tokens)


def compare(board: Board, corp: CorpId, name: str) -> bool:
    """Whether there were few enough trails to compare; fails on a difference."""
    try:
        wanted = every_trail(board, corp)
    except TooMany:
        return False
    got = reach(afresh(board), corp)
    for part in PARTS:
        assert getattr(got, part) == getattr(wanted, part), f"{part}, {name}"
    return True


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_small_boards(title: str) -> None:
    assert sum(compare(*small_board(TITLE[title], seed), f"seed {seed}") for seed in range(200)) > 185


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_many_small_boards(title: str) -> None:
    assert sum(compare(*small_board(TITLE[title], seed), f"seed {seed}") for seed in range(200, 8000)) > 7000


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_strewn_boards(title: str) -> None:
    assert sum(compare_strewn(title, seed) for seed in range(30)) > 15


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_many_strewn_boards(title: str) -> None:
    assert sum(compare_strewn(title, seed) for seed in range(30, 1200)) > 600


def compare_strewn(title: str, seed: int) -> bool:
    asked = strewn(title, seed)
    return compare(asked.state.board, asked.corp, asked.name)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_positions_of_games(title: str) -> None:
    """Whoever runs trains in random games and in the recorded ones, if they are at hand."""
    questions = (*islice(random_games(title, 900), 600), *recorded_games(title))
    assert sum(compare(asked.state.board, asked.corp, asked.name) for asked in questions) > 500


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_going_on_by_a_side_that_may_have_been_crossed(title: str) -> None:
    """Trails that come to a place, and may leave by a side or have all crossed it."""
    seen: Counter[bool] = Counter()
    for seed in range(150):
        board, corp = small_board(TITLE[title], seed)
        try:
            ways = every_way(board, corp)
        except TooMany:
            continue
        for (here, start), crossed in ways.items():
            for end in range(6):
                number = board.grid.side_numbers.get((here, end))
                if number is not None and end != start:
                    free = any(not sides & 1 << number for sides in crossed)
                    assert goes_on(board, corp, here, start, end) == free, f"seed {seed}, {here} {start} {end}"
                    seen[free] += 1
    assert seen[True] > 1000
    assert seen[False] > 100


def test_a_crowded_board_takes_no_time() -> None:
    """A position of a random game of 1890 in which following trails took several seconds."""
    stored = json.loads((Path(__file__).parent / "crowded.json").read_text())
    board = Board(TITLE["1890"].grid, stored["placed"], stored["tokens"])
    began = time.process_time()
    found = reach(board, stored["corp"])
    assert time.process_time() - began < 0.5
    assert (len(found.sides), len(found.stops), len(found.segments)) == tuple(stored["reached"])
