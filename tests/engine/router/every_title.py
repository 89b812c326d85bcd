"""Questions to the router as they come up in play, for every title of the registry: from random games, from recorded
ones, and on the title's own map with tiles, tokens and trains strewn at random. The same for the same seeds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tables import Table, keep
from walks import some_title, walk

from engine import State, Title, start
from engine import apply as apply_action
from engine.actions import Action, RunTrains
from engine.board.board import Board, rotations
from engine.board.tiles import turned
from engine.facts import TrainsRan
from engine.ids import CorpId, HexId, PlayerId, TileId
from engine.printed import Face
from engine.titles.t1890.late import IN_KOBE
from engine.titles.t1890.printed import HANSHIN, KOBE, KOBE_RAPID, NISHINOMIYA
from records.files import play

GAMES = Path(__file__).parents[3].parent / "shared" / "games"
"""Recorded games; they may be absent."""
Placed = dict[HexId, tuple[TileId, int]]
SOLID = ("gray", "red", "blue")


@dataclass(frozen=True, slots=True)
class Question:
    name: str
    """Where it comes from."""
    title: Title
    state: State
    corp: CorpId
    seat: PlayerId | None = None
    """Who is asked for routes, in a position of a game in which somebody is."""


# From games


def in_play(moves: Iterator[tuple[State, Action, State]], t: Title, name: str) -> Iterator[Question]:
    """Every turn in which a company runs; one that runs without being asked as the position is after it."""
    for number, (before, action, after) in enumerate(moves):
        if isinstance(action, RunTrains):
            yield Question(f"{name}, action {number}", t, before, action.corp, action.by)
            continue
        for fact in after.facts:
            if isinstance(fact, TrainsRan) and after.operating == fact.corp:
                yield Question(f"{name}, action {number}", t, after, fact.corp)


def random_games(title_id: str, seed: int) -> Iterator[Question]:
    """From random games with drawn players and options, one after the other without end."""
    while True:
        t = some_title(title_id, Random(seed))
        yield from in_play(walk(t, seed), t, f"{title_id}, random game {seed} {sorted(t.options)}")
        seed += 1


def recorded_games(title_id: str) -> Iterator[Question]:
    """From the recorded games of the title, if there are any at hand."""
    for path in sorted(GAMES.glob(f"*/{title_id}*/*.json")):
        played = play(json.loads(path.read_text()))
        yield from in_play(_moves(played.title, played.names, played.actions), played.title, path.stem)


def _moves(t: Title, names: tuple[str, ...], actions: tuple[Action, ...]) -> Iterator[tuple[State, Action, State]]:
    state = start(t, names)
    for action in actions:
        before, state = state, apply_action(t, state, action)
        yield before, action, state


# Strewn


def strewn(title_id: str, seed: int) -> Question:
    """A company about to run on a patch of the map with random tiles around its home, and rivals' tokens in cities.

    The patch leads, more often than not, to something that matters for this company: where it earns a bonus, another
    home, a place where a private lays a tile of its own.
    """
    rng = Random(f"{title_id} {seed}")
    t = some_title(title_id, rng)
    phase = rng.choice((*t.phases, *t.phases[len(t.phases) // 2 :]))
    runners = [corp for corp in t.corporations.values() if corp.kind in phase.train_limit and _homes(t, corp.id)]
    corp = rng.choice(runners).id
    ranks = rng.choices(list(t.trains), k=rng.choice((1, 2, 2, 3)))
    if rng.random() < 0.3:
        ranks = [ranks[0]] * len(ranks)
    par = next(cell.price for row in t.market.rows for cell in row if cell and cell.par)
    laid = Table(title_id, t.players, *t.options).phase(phase.name).par(corp, par).shares(corp, p1=6).no_homes()
    t, s = laid.trains(corp, *ranks).operating(corp, "run").build()
    s.board = _with_homes(t, s.board, corp)
    patch = _patch(t, rng, _homes(t, corp)[0], _goals(t, s, corp), rng.randint(6, 60))
    s.board = _with_homes(t, Board(t.grid, _lay(t, rng, patch, set(phase.colours))), corp)
    PARTICULARS.get(title_id, lambda t, s, corp, rng: None)(t, s, corp, rng)
    s.board = _with_tokens(t, rng, s.board, corp, patch)
    return Question(f"{title_id}, strewn {seed} {sorted(t.options)}", t, s, corp)


def _homes(t: Title, corp: CorpId) -> list[HexId]:
    owner = t.corporations[corp].tokens_of or corp
    return [home for home, _ in t.corporations[owner].homes if home in t.hexes]


def _goals(t: Title, s: State, corp: CorpId) -> list[HexId]:
    bonuses = [bonus for rules in t.policy.routes.aims(t, s, corp) for bonus in rules.bonuses]
    places = sorted({stop[0] for bonus in bonuses for stop in bonus.one | bonus.other})
    special = [name for name in GOALS.get(t.id, ()) if name in t.hexes]
    return [*places * 3, *special * 3, *_homes(t, corp)[1:], *own_tiles(t)]


def own_tiles(t: Title) -> dict[HexId, list[TileId]]:
    """The tiles that privates lay, by hex."""
    found: dict[HexId, list[TileId]] = {}
    for private in t.privates.values():
        for power in private.powers:
            for hex_id in getattr(power, "hexes", ()):
                found.setdefault(hex_id, []).extend(getattr(power, "tiles", ()))
    return {hex_id: tiles for hex_id, tiles in found.items() if tiles}


def _patch(t: Title, rng: Random, home: HexId, goals: list[HexId], size: int) -> list[HexId]:
    """Hexes from the home to a goal, if one is drawn, and others beside them, so many at least."""
    came: dict[HexId, HexId] = {home: home}
    for here in (queue := [home]):
        around = [t.grid.beyond[here, side][0] for side in range(6) if (here, side) in t.grid.beyond]
        for there in rng.sample(around, len(around)):
            if there not in came:
                came[there] = here
                queue.append(there)
    goal = rng.choice(goals) if goals and rng.random() < 0.7 else home
    patch = [goal] if goal in came else [home]
    while patch[-1] != home:
        patch.append(came[patch[-1]])
    while len(patch) < size and (beside := _beside(t, patch)):
        patch.append(rng.choice(beside))
    return patch


def _beside(t: Title, patch: list[HexId]) -> list[HexId]:
    around = {t.grid.beyond[name, side][0] for name in patch for side in range(6) if (name, side) in t.grid.beyond}
    return sorted(around - set(patch))


def _lay(t: Title, rng: Random, patch: list[HexId], colours: set[str]) -> Placed:
    """Tiles of these colours where any fits, turned so that much track meets; again when neighbours are known."""
    placed: Placed = {}
    special = own_tiles(t)
    for name in patch * 3:
        placed.pop(name, None)
        tiles = [tile for tile in t.supply if t.tiles[tile].face.colour in colours and suits(t, name, tile)]
        if name in special and rng.random() < 0.7:
            tiles = special[name]
        ways = [
            (tile, rotation)
            for tile in tiles
            for rotation in rotations(turned(t.hexes[name].face, 0), t.tiles[tile].face)
            if t.tiles[tile].fixed_rotation in (None, rotation) and _stays_on_map(t, name, tile, rotation)
        ]
        if ways:
            tried = rng.choices(ways, k=12)
            placed[name] = max(tried, key=lambda way: _meeting(t, name, way, placed))
    return placed


def suits(t: Title, name: HexId, tile: TileId) -> bool:
    """Whether the tile has the label and the stops of the hex. The mountain of 1888-N lies in its own place alone."""
    printed, face = t.hexes[name].face, t.tiles[tile].face
    if any(stop.subsidy for stop in face.stops):
        return False
    return printed.colour not in SOLID and printed.label == face.label and _kinds(printed) == _kinds(face)


def _kinds(face: Face) -> list[str]:
    return sorted("town" if stop.kind == "halt" else stop.kind for stop in face.stops)


def _stays_on_map(t: Title, name: HexId, tile: TileId, rotation: int) -> bool:
    return all((name, side) in t.grid.beyond for side in turned(t.tiles[tile].face, rotation).exits)


def _meeting(t: Title, name: HexId, way: tuple[TileId, int], placed: Placed) -> int:
    """How much track the tile has, and of its sides how many meet track, less those that run into nothing."""
    good = len(t.tiles[way[0]].face.track)
    for side in turned(t.tiles[way[0]].face, way[1]).exits:
        there, entry = t.grid.beyond[name, side]
        face = turned(t.tiles[placed[there][0]].face, placed[there][1]) if there in placed else None
        printed = turned(t.hexes[there].face, 0)
        good += 3 if entry in (face or printed).exits else -2 if face or printed.face.colour in SOLID else 0
    return good


def _with_homes(t: Title, board: Board, corp: CorpId) -> Board:
    owner = t.corporations[corp].tokens_of or corp
    for home, index in t.corporations[owner].homes:
        if home in t.hexes:
            index = board.printed_stop(home, index)
            if None in board.places(home, index) and not board.has_token(home, index, owner):
                board = board.with_token(home, index, owner)
    return board


def _with_tokens(t: Title, rng: Random, board: Board, corp: CorpId, patch: list[HexId]) -> Board:
    """Up to two more tokens of the company in the patch, and cities there full of others'."""
    owner = t.corporations[corp].tokens_of or corp
    rivals = [other for other in t.corporations if other not in (corp, owner)]
    cities = [
        (name, index)
        for name in patch
        for index, stop in enumerate(board.faces[name].face.stops)
        if stop.kind == "city" and None in board.places(name, index) and not board.has_token(name, index, owner)
    ]
    rng.shuffle(cities)
    more = rng.randint(0, 2)
    for number, city in enumerate(cities):
        if number < more:
            board = board.with_token(*city, owner)
        elif rng.random() < 0.4:
            while None in board.places(*city):
                board = board.with_token(*city, rng.choice(rivals))
    return board


# What one title alone keeps, and matters for running


def _on_the_island(t: Title, s: State, corp: CorpId, rng: Random) -> None:
    """1860: after the Southern or British Rail, with bankrupt neighbours, or without a train of its own."""
    if rng.random() < 0.2:
        keep(s, southern="over")
        keep(s, british=rng.random() < 0.5)
    if rng.random() < 0.3:
        keep(s, bankrupt=tuple(other for other in t.corporations if other != corp and rng.random() < 0.4))
    if rng.random() < 0.15 and "simplified_insolvency" not in t.options:
        s.trains[corp] = ()
        keep(s, insolvent=(corp,))


def _around_osaka(t: Title, s: State, corp: CorpId, rng: Random) -> None:
    """1890: Kobe Rapid has its token, and the company perhaps the right to pass it; the Tigers play for Hanshin."""
    if corp == HANSHIN and rng.random() < 0.7:
        s.board = s.board.with_tile(NISHINOMIYA, TileId("465N"), rng.randrange(6))
    if KOBE_RAPID in t.corporations and None in s.board.places(*IN_KOBE) and rng.random() < 0.7:
        s.board = s.board.with_token(*IN_KOBE, KOBE_RAPID)
        keep(s, passage=(corp,) if rng.random() < 0.6 else ())


GOALS = {"1890": (KOBE,)}
PARTICULARS: dict[str, Callable[[Title, State, CorpId, Random], None]] = {"1860": _on_the_island, "1890": _around_osaka}
