"""Whether an upgrade is of use, told from the board before it, against following every trail on the board after it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from every_title import strewn
from trails import TooMany, every_trail

from engine import Title
from engine.board.board import Board, rotations
from engine.board.reach import reach
from engine.board.tiles import turned
from engine.board.upgrades import change, upgrade_is_used
from engine.ids import CorpId, HexId, TileId
from engine.printed import COLOURS
from engine.titles import TITLES

Upgrade = tuple[HexId, TileId, int]


def upgrades(t: Title, board: Board) -> list[Upgrade]:
    """Every tile of a later colour that keeps the track of a hex, whatever its letter and its stops."""
    return [
        (hex_id, tile, rotation)
        for hex_id in board.placed
        for tile, printed in t.tiles.items()
        if printed.face.colour in COLOURS and colour(board, hex_id) < COLOURS.index(printed.face.colour)
        for rotation in rotations(board.face(hex_id), printed.face)
        if board.face(hex_id).segments
    ]


def afresh(board: Board) -> Board:
    """The same board, of which nobody has asked anything."""
    return Board(board.grid, board.placed, board.tokens)


def colour(board: Board, hex_id: HexId) -> int:
    shown = board.face(hex_id).face.colour
    return COLOURS.index(shown) if shown in COLOURS else len(COLOURS)


def wanted(board: Board, corp: CorpId, upgrade: Upgrade) -> bool:
    """Whether a trail on the board after it runs over track that was not there, or to a stop of another worth."""
    hex_id, tile, rotation = upgrade
    before, after = board.face(hex_id), turned(board.grid.tiles[tile].face, rotation)
    old = before.face.stops
    dearer = {6 + n for n, stop in enumerate(after.face.stops) if n >= len(old) or stop.revenue != old[n].revenue}
    reached = every_trail(board.with_tile(*upgrade), corp).segments
    return any(
        here == hex_id and ((low, high) not in before.segments or {low, high} & dearer) for here, low, high in reached
    )


def compare(title: str, seed: int) -> Counter[str]:
    asked = strewn(title, seed)
    t, board, corp = asked.title, asked.state.board, asked.corp
    seen: Counter[str] = Counter()
    fitting = upgrades(t, board)
    for upgrade in Random(seed).sample(fitting, min(25, len(fitting))):
        try:
            answer = wanted(board, corp, upgrade)
        except TooMany:
            continue
        known = afresh(board)
        reach(known, corp, ())
        for asked_of in (known, afresh(board)):
            assert upgrade_is_used(asked_of, corp, *upgrade) == answer, f"{asked.name}: {upgrade}"
        before, after = board.face(upgrade[0]), board.with_tile(*upgrade).face(upgrade[0])
        seen[f"used: {answer}"] += 1
        seen["renumbered"] += change(before, after).renumbered
    return seen


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_upgrades(title: str) -> None:
    seen = sum((compare(title, seed) for seed in range(10)), Counter[str]())
    assert seen["used: True"] > 30
    assert seen["used: False"] > 7


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_many_upgrades(title: str) -> None:
    seen = sum((compare(title, seed) for seed in range(10, 700)), Counter[str]())
    assert seen["used: True"] > 2000
    assert seen["used: False"] > 500
