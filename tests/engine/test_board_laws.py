"""Tiles, markets, shares and reach: what holds for any of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import NAMES

from engine import IPO, POOL, Title, build, start
from engine.board.board import Board, Grid, carry_stops, keeps_track
from engine.board.hexes import across, hex_at, opposite, position
from engine.board.reach import reach, reaches
from engine.board.tile_list import TILES as FACES
from engine.board.tiles import Turned, turned
from engine.ids import CorpId, HexId, StopId, TileId
from engine.market import down, in_order, left, put, right, up
from engine.shares import settle_presidency, shift, successor
from engine.titles import TITLES

TILE = st.sampled_from(sorted(FACES))
TURN = st.integers(0, 5)
TITLE = {title: build(title, recipe.players[0]) for title, recipe in TITLES.items()}


# Tiles


@pytest.mark.long
@given(TILE)
def test_six_turns_are_none(tile: str) -> None:
    face = FACES[TileId(tile)].face
    assert turned(face, 6).segments == turned(face, 0).segments
    for turn in range(6):
        here, further = turned(face, turn), turned(face, (turn + 1) % 6)
        assert {(end + 1) % 6 for end in here.exits} == further.exits
        assert len(here.segments) == len(face.track)


@pytest.mark.second
@given(TILE, TURN)
def test_ends_are_joined_both_ways(tile: str, turn: int) -> None:
    face = turned(FACES[TileId(tile)].face, turn)
    for end, others in enumerate(face.from_end):
        for other in others:
            assert end in face.from_end[other]
            assert (min(end, other), max(end, other)) in face.segments


@pytest.mark.second
@given(TILE, TURN)
def test_every_tile_keeps_its_own_track(tile: str, turn: int) -> None:
    face = turned(FACES[TileId(tile)].face, turn)
    assert keeps_track(face, face)
    assert None not in carry_stops(face, face)


@pytest.mark.long
@given(TILE, TILE, TURN, TURN)
def test_kept_track_has_all_old_exits_and_turning_both_changes_nothing(old: str, new: str, a: int, b: int) -> None:
    before, after = (FACES[TileId(tile)].face for tile in (old, new))
    kept = keeps_track(turned(before, a), turned(after, b))
    if kept:
        assert turned(before, a).exits <= turned(after, b).exits
        assert len(turned(before, a).segments) <= len(turned(after, b).segments)
    assert kept == keeps_track(turned(before, (a + 1) % 6), turned(after, (b + 1) % 6))


@pytest.mark.long
@given(st.sampled_from(["flat", "pointy"]), st.integers(0, 40), st.integers(0, 40), TURN)
def test_neighbours_are_mutual(layout: str, x: int, y: int, side: int) -> None:
    here = hex_at(layout, x + 2, y + 2)  # type: ignore[arg-type]
    assert position(layout, here) == (x + 2, y + 2)  # type: ignore[arg-type]
    assert across(layout, across(layout, here, side), opposite(side)) == here


# Markets


@pytest.mark.parametrize("title", TITLES)
def test_moves_stay_on_the_chart(title: str) -> None:
    t = TITLE[title]
    cells = [(row, col) for row, line in enumerate(t.market.rows) for col, cell in enumerate(line) if cell]
    for at in cells:
        for target in (up(t, at), left(t, at), right(t, at), *(down(t, at, steps) for steps in range(12))):
            assert t.market.cell(*target) is not None
        if up(t, at) != at:
            assert down(t, up(t, at)) == at
        if down(t, at) != at:
            assert up(t, down(t, at)) == at
        if right(t, at)[0] == at[0] and right(t, at) != at:
            assert left(t, right(t, at)) == at
        if left(t, at)[0] == at[0] and left(t, at) != at:
            assert right(t, left(t, at)) == at
        assert down(t, at, 0) == at
        assert down(t, down(t, at, 2), 3) == down(t, at, 5)


@settings(max_examples=60)
@given(st.sampled_from(sorted(TITLES)), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 60)), max_size=20))
@pytest.mark.long
def test_share_price_order_is_total_and_by_price(title: str, moves: list[tuple[int, int]]) -> None:
    t = TITLE[title]
    s = start(t, NAMES[: t.players])
    cells = [(row, col) for row, line in enumerate(t.market.rows) for col, cell in enumerate(line) if cell]
    corps = list(t.corporations)
    for corp, cell in moves:
        put(s, corps[corp % len(corps)], cells[cell % len(cells)])
    order = in_order(t, s, s.cell)
    assert order == in_order(t, s, reversed(list(s.cell)))
    prices = [t.market.cell(*s.cell[corp]).price for corp in order]  # type: ignore[union-attr]
    assert prices == sorted(prices, reverse=True)


# Shares


@pytest.mark.long
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 3)), max_size=30), st.integers(0, 3))
def test_the_president_always_has_most(moves: list[tuple[int, int, int]], first: int) -> None:
    t = build(min(TITLES), 4)
    s = start(t, NAMES[:4])
    corp = next(iter(t.corporations))
    holders = [*s.players]
    s.president[corp] = holders[first]
    shift(s, corp, IPO, holders[first], 2, 0)
    for source, target, count in moves:
        giver = (*holders[:3], IPO)[source]
        taker = (*holders[1:], POOL)[target]
        if giver == taker or s.held(corp, giver) < count:
            continue
        left_over = s.held(corp, giver) - count
        if s.president[corp] == giver and left_over < 2 and successor(t, s, corp, giver, left_over) is None:
            continue
        before = s.president[corp]
        shift(s, corp, giver, taker, count, 0)
        settle_presidency(t, s, corp)
        assert sum(s.shares[corp].values()) == 10
        president = s.president[corp]
        assert (
            all(s.held(corp, player) <= s.held(corp, president) for player in s.players) or s.held(corp, president) < 2
        )
        if president != before:
            assert s.held(corp, president) > s.held(corp, before)


# Reach


def small_board(t: Title, seed: int) -> tuple[Board, CorpId]:
    """A patch of the map with any tiles on it, two tokens of one company and some of another."""
    random = Random(seed)
    grid = Grid(t.layout, t.hexes, FACES)
    names = sorted(t.hexes)
    patch = [random.choice(names)]
    while len(patch) < 8:
        around = {grid.beyond[name, side][0] for name in patch for side in range(6) if (name, side) in grid.beyond}
        patch.append(random.choice(sorted(around - set(patch))))
    tiles = [tile for tile, printed in FACES.items() if printed.face.colour in ("yellow", "green", "brown")]
    placed = {name: (random.choice(tiles), random.randrange(6)) for name in patch if random.random() < 0.9}
    board = Board(grid, placed)
    ours, theirs = list(t.corporations)[:2]
    cities = [
        (name, index) for name in patch for index, stop in enumerate(board.face(name).face.stops) if stop.kind == "city"
    ]
    random.shuffle(cities)
    for number, (name, index) in enumerate(cities[:4]):
        board = board.with_token(name, index, ours if number % 2 == 0 else theirs)
    return board, ours


Found = tuple[set[tuple[HexId, int]], set[tuple[HexId, int]], set[tuple[HexId, int, int]]]


def every_trail(board: Board, corp: CorpId, most: int) -> Found | None:
    """Sides entered, stops met and track used by all trails of the company, tried one by one; None if too many."""
    sides: set[tuple[HexId, int]] = set()
    stops: set[tuple[HexId, int]] = set()
    track: set[tuple[HexId, int, int]] = set()
    steps = 0

    def follow(here: HexId, end: int, crossed: frozenset[frozenset[tuple[HexId, int]]]) -> None:
        nonlocal steps
        steps += 1
        if steps > most:
            return
        face: Turned = board.face(here)
        for other in face.from_end[end]:
            if other >= 6:
                track.add((here, min(end, other), max(end, other)))
                stops.add((here, other - 6))
                inner = frozenset({(here, end), (here, other)})
                if not board.ends_trails(here, other - 6, corp) and (end < 6 or inner not in crossed):
                    follow(here, other, crossed | ({inner} if end >= 6 else set()))
                continue
            beyond = board.grid.beyond.get((here, other))
            if beyond is None:
                track.add((here, min(end, other), max(end, other)))
                continue
            side = frozenset({(here, other), beyond})
            if side not in crossed:
                track.add((here, min(end, other), max(end, other)))
                sides.add(beyond)
                follow(*beyond, crossed | {side})

    for origin in board.token_stops(corp):
        stops.add(origin)
        follow(origin[0], 6 + origin[1], frozenset())
    return None if steps > most else (sides, stops, track)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_reach_is_what_trying_every_trail_finds(title: str) -> None:
    compared = 0
    for seed in range(400):
        board, corp = small_board(TITLE[title], seed)
        wanted = every_trail(board, corp, most=4000)
        if wanted is None or not board.token_stops(corp):
            continue
        compared += 1
        got = reach(board, corp)
        bare = {
            (name, side)
            for name, index in board.token_stops(corp)
            if not board.face(name).segments
            for side in range(6)
        }
        assert got.stops == wanted[1], f"stops, seed {seed}"
        assert got.sides == wanted[0] | bare, f"sides, seed {seed}"
        assert got.segments == wanted[2], f"track, seed {seed}"
    assert compared > 250


@pytest.mark.parametrize("title", TITLES)
def test_track_that_only_a_used_side_leads_to_is_not_reached(title: str) -> None:
    """Boards on which a trail comes back to a side that it has crossed."""
    for seed in (3282, 3474, 5264):
        board, corp = small_board(TITLE[title], seed)
        wanted = every_trail(board, corp, most=4000)
        assert wanted is not None
        assert reach(board, corp).segments == wanted[2], f"seed {seed}"


def test_track_that_only_a_roundabout_trail_leads_to_is_reached() -> None:
    """A board from a random game: the first trails stop short at F8, a longer one goes on."""
    text = (
        "F6 611 3, F4 47 4, C9 8892 2, F2 3 3, F8 70 0, G7 41 3, G9 611 1, E3 611 2, B8 26 2, B6 1 0, B4 42 1, C3 14 5,"
        " D2 8 3"
    )
    placed = {HexId(name): (TileId(tile), int(rotation)) for name, tile, rotation in map(str.split, text.split(","))}
    tokens = {StopId("C9.0"): ("JHR", "TJL", "JZR", None), StopId("G9.0"): ("JHR", "HJR")}
    board = Board(TITLE["1888"].grid, placed, tokens)
    assert reaches(board, "JHR", lambda found: ("F8", 1, 3) in found.segments)
