"""Boards for the router's tests: the printed map of 1889 with tiles and tokens strewn over a part of it."""

from __future__ import annotations

import random
from unittest.mock import patch

from engine.board.board import Board, Grid
from engine.board.routes import StopRef
from engine.board.tile_list import TILES
from engine.ids import CorpId, HexId, Rank
from engine.router import RunRules, Train
from engine.router import best as router
from engine.titles.t1889.map import HEXES

GRID = Grid("flat", HEXES, TILES)
CORP, RIVAL = CorpId("AR"), CorpId("TR")

PLAIN = ("7", "8", "9", "23", "24", "25", "26", "27", "28", "29", "16", "19", "20",
         "39", "40", "41", "42", "43", "45", "46", "47", "70")  # fmt: skip
CITY = ("5", "6", "57", "12", "13", "14", "15", "205", "206", "448", "611", "63")
TOWN = ("3", "58", "4", "437")
LABELLED = {
    "K4": ("440", "466"),
    "I4": ("438", "439", "492"),
    "F9": ("465",),
    "C4": ("12", "14", "15", "205", "448", "611"),
}
TWO_TOWNS = ("1", "2", "55", "56", "69")
ISLAND = ("741", "742", "743", "744", "745", "750", "751", "752", "753", "754", "755", "747", "749", "773", "787",
          "788", "761", "763", "775", "782", "12", "13", "14", "205", "611", "57", "16", "19", "20", "45")  # fmt: skip
TWO_CITIES = ("210", "211", "8858", "8863")


SWEEPING = patch.multiple(router, LISTING=0, LISTING_LIMITED=0, LISTING_LINKED=0, SLOWER=1)
"""Within this the router takes every network to have too many routes to list."""


def train(rank: str) -> Train:
    """The train with this rank: "4" calls at four stops, "D" at any number, "2+1" at two large and one small, which may
    be all small, and "2/1" the same where each call is for its own kind alone.
    """
    large, _, small = rank.replace("/", "+").partition("+")
    return Train(Rank(rank), None if rank == "D" else int(large), int(small or 0), apart="/" in rank)


def value(board: Board, tier: str = "brown") -> RunRules:
    """The printed values, off-board areas at one tier."""

    def worth(stop: StopRef, train: Train) -> int:
        printed = board.stop(*stop)
        return dict(printed.tiers).get(tier, printed.revenue)

    return RunRules(worth)


def strewn(seed: int, hexes: int, *, odd: bool = False, island: bool = False) -> Board:
    """A connected patch of `hexes` hexes with random tiles, a few tokens of CORP and blocked cities.

    With `odd` tiles with several stops, joined or not, lie on any hex; with `island` tiles with halts.
    """
    rng = random.Random(seed)
    names = sorted(HEXES)
    patch = [rng.choice(names)]
    if island:
        names = [name for name in names if HEXES[name].face.colour == "white"]
        patch = [rng.choice(names)]
    while len(patch) < hexes:
        around = [GRID.beyond[name, side][0] for name in patch for side in range(6) if (name, side) in GRID.beyond]
        patch.append(rng.choice(sorted(set(around) & set(names) - set(patch))))
    placed = {
        HexId(name): (rng.choice(ISLAND) if island else _tile(rng, HexId(name), odd), rng.randrange(6))
        for name in patch
    }
    board = Board(GRID, {name: (tile, turn) for name, (tile, turn) in placed.items() if tile})
    cities = [
        (name, index)
        for name in patch
        for index, stop in enumerate(board.faces[HexId(name)].face.stops)
        if stop.kind == "city"
    ]
    rng.shuffle(cities)
    for number, stop in enumerate(cities):
        if number < 1 + seed % 3:
            board = board.with_token(*stop, CORP)
        elif rng.random() < 0.3:
            while None in board.places(*stop):
                board = board.with_token(*stop, RIVAL)
    return board


def _tile(rng: random.Random, name: HexId, odd: bool) -> str:
    printed = HEXES[name].face
    if printed.colour in ("gray", "red"):
        return ""
    if odd and rng.random() < 0.35:
        return rng.choice((*TWO_TOWNS, *TWO_CITIES, "744", "754", "773", "787", "788"))
    if name in LABELLED:
        return rng.choice(LABELLED[name])
    kinds = {stop.kind for stop in printed.stops}
    return rng.choice(CITY if "city" in kinds else TOWN if "town" in kinds else PLAIN)
