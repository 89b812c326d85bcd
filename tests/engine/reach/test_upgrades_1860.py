"""Which upgrades serve trains of 1860, told from the board before them, against measuring the board after them anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from every_title import Question, random_games, strewn
from test_upgrades import Upgrade, afresh, upgrades
from trails import TooMany

from engine.board.board import Board
from engine.board.reach import Segment, reach
from engine.board.upgrades import change
from engine.ids import CorpId
from engine.titles.t1860.distance import Distances, Limit, Way, called, distances, upgraded_distances
from engine.titles.t1860.upgrades import beyond, comes_to, serves, values

LENGTHS = (Limit(2, 1), Limit(4, 2), Limit(5, 99), Limit(9, 5), Limit(3, 2, apart=True))
TRAINS = (Limit(2, 1, once=True), Limit(4, 2, once=True), Limit(5, 99, once=True))


def in_order(found: Distances) -> Distances:
    return {end: sorted(ways) for end, ways in found.items()}


def every_train(board: Board, corp: CorpId, limit: Limit, most: int = 20_000) -> tuple[Distances, set[Segment]]:
    """All ways that enter no hex twice, found by following each, and the track that they come onto."""
    ways: Distances = {}
    track: set[Segment] = set()
    numbers, beyond = board.grid.hex_numbers, board.grid.beyond
    stack = [((0, 0, 0), here, 6 + stop, frozenset[int]()) for here, stop in board.token_stops(corp)]
    for _ in range(most):
        if not stack:
            return {end: least(found) for end, found in ways.items()}, track
        way, here, end, before = stack.pop()
        ways.setdefault((here, end), []).append(way)
        if end >= 6:
            way = called(board, here, end, way)
            if board.ends_trails(here, end - 6, corp) or not limit.passes(way):
                continue
        for other in board.face(here).from_end[end]:
            there = beyond.get((here, other))
            if other >= 6 and other not in before:
                stack.append((way, here, other, before | {end}))
            elif there and not way[2] >> numbers[there[0]] & 1:
                stack.append(((*way[:2], way[2] | 1 << numbers[here]), *there, frozenset()))
            if other < 6 or limit.calls(board.stop(here, other - 6).kind, [way]):
                track.add((here, min(end, other), max(end, other)))
    raise TooMany


def least(ways: list[Way]) -> list[Way]:
    """The ways but for those with all the calls and hexes of another."""

    def better(one: Way, other: Way) -> bool:
        return one != other and one[0] <= other[0] and one[1] <= other[1] and not one[2] & ~other[2]

    return [way for way in sorted(set(ways)) if not any(better(one, way) for one in ways)]


def costs(ways: list[Way]) -> list[Way]:
    """The least calls on these ways, whatever hexes they left."""
    return least([(large, small, 0) for large, small, _ in ways])


def serves_plainly(board: Board, corp: CorpId, upgrade: Upgrade, limit: Limit, *, raises: bool) -> bool:
    """Whether a train calls in the hex, at stops worth more (or else) or near new track that a trail runs over."""
    hex_id, new = upgrade[0], afresh(board.with_tile(*upgrade))
    found = distances(new, corp, limit)
    if not comes_to(new, hex_id, limit, found):
        return False
    now, before = values(new, hex_id, limit, found), values(board, hex_id, limit, distances(board, corp, limit))
    if any(sum(one >= worth for one in now) > sum(one >= worth for one in before) for worth in now if worth):
        return True
    if not raises and now != before:
        return True
    if limit.once:
        track = every_train(new, corp, limit)[1]
        return any((hex_id, *ends) in track for ends in new.face(hex_id).segments - board.face(hex_id).segments)
    return any(
        (hex_id, *ends) in reach(new, corp).segments
        for ends in new.face(hex_id).segments - board.face(hex_id).segments
        if limit.uses([cost for end in ends for cost in beyond(new, corp, found, hex_id, end)])
    )


def compare(asked: Question, random: Random) -> Counter[str]:
    board, corp = asked.state.board, asked.corp
    seen: Counter[str] = Counter()
    fitting = upgrades(asked.title, board)
    for upgrade in random.sample(fitting, min(25, len(fitting))):
        limit, hex_id, name = random.choice(LENGTHS + TRAINS), upgrade[0], f"{asked.name}: {upgrade}"
        known, new = afresh(board), board.with_tile(*upgrade)
        measured = upgraded_distances(known, afresh(new), corp, hex_id, limit)
        plainly = in_order(distances(afresh(new), corp, limit))
        if limit.once:
            assert plainly == every_train(new, corp, limit)[0], name
            inside = {end: costs(ways) for end, ways in plainly.items() if end[0] == hex_id}
            assert {end: costs(ways) for end, ways in measured.items()} == inside, name
        else:
            assert in_order(measured) == plainly, name
        raises = random.random() < 0.5
        answer = serves_plainly(board, corp, upgrade, limit, raises=raises)
        reach(known, corp, ())
        for asked_of in (known, afresh(board)):
            assert serves(asked_of, corp, *upgrade, limit, raises) == answer, name
        before, after = board.face(hex_id), new.face(hex_id)
        seen[f"serves: {answer}"] += 1
        seen["only by a hex twice"] += not answer and serves(board, corp, *upgrade, replace(limit, once=False), raises)
        seen["shorter"] += plainly != in_order(distances(known, corp, limit))
        if not change(before, after).renumbered:
            kinds = zip(before.face.stops, after.face.stops, strict=False)
            seen["another kind"] += any(old.kind != stop.kind for old, stop in kinds)
    return seen


def compare_all(first: int, last: int, turns: int) -> Counter[str]:
    """On boards strewn at random, tangled but without halts; and from games, every tenth of so many turns."""
    strewn_boards = [strewn("1860", seed) for seed in range(first, last)]
    played = islice(random_games("1860", first), 0, turns, 10)
    random = Random(first)
    return sum((compare(asked, random) for asked in (*strewn_boards, *played)), Counter[str]())


@pytest.mark.rule("1860-TRK-09", "1860-TRK-10", "1860-TRK-11")
@pytest.mark.long
def test_upgrades_that_serve() -> None:
    seen = compare_all(0, 6, 90)
    assert min(seen["serves: True"], seen["serves: False"], seen["shorter"], seen["another kind"]) > 15


@pytest.mark.slow
@pytest.mark.rule("1860-TRK-09", "1860-TRK-10", "1860-TRK-11")
def test_many_upgrades_that_serve() -> None:
    seen = compare_all(0, 200, 3_000)
    assert min(seen["serves: True"], seen["serves: False"], seen["shorter"], seen["another kind"]) > 300
    assert seen["only by a hex twice"]
