"""What companies earn with given trains: asked of the router, and kept with the board."""

from functools import cache

from engine import State, Title
from engine.board.board import Board, Grid
from engine.board.reach import reach
from engine.ids import RESERVED, CorpId, HexId, Rank
from engine.router import best_runs
from opponents.growth import PLAIN, average_stop

EFFORT = 20_000
"""States that the router may look at for one estimate."""


def homed(t: Title, s: State, corp: CorpId) -> Board:
    """The board with a token of the company at its home, where it has none yet."""
    board = s.board
    if board.token_stops(corp):
        return board
    key = ("homed", corp)
    known: Board | None = board.memo.get(key)
    if known is None:
        known = board
        for hex_id, printed in t.corporations[corp].homes:
            index = known.printed_stop(hex_id, printed)
            if known.stop(hex_id, index).kind == "city" and None in known.places(hex_id, index):
                known = known.with_token(hex_id, index, corp)
        board.memo[key] = known
    return known


def revenue(t: Title, s: State, corp: CorpId, trains: tuple[Rank, ...], allowed: int = EFFORT) -> int:
    """The highest revenue that the company could run for now with these trains, as far as a short search finds it;
    without any, with what it runs though it does not own it."""
    tried = s.copy()
    tried.board = board = homed(t, s, corp)
    tried.trains[corp] = trains
    if not trains:
        return max((best.total for best in t.policy.routes.bests(t, tried, corp, 0)), default=0)
    runners = t.policy.routes.runners(t, tried, corp)
    best = 0
    for rules in t.policy.routes.aims(t, tried, corp):
        cars = tuple(runners) if rules.trains is None else rules.trains
        marks = (rules.through, rules.bypass, rules.home, rules.once, rules.goal, rules.subsidy is None, rules.bonuses)
        key = ("earning", corp, cars, s.phase, marks, allowed)
        total: int | None = board.memo.get(key)
        if total is None:
            total = board.memo[key] = best_runs(board, corp, cars, rules, allowed=allowed).total
        best = max(best, total)
    return best


def stop_values(t: Title, s: State, corp: CorpId) -> tuple[int, ...]:
    """What the stops bring that the company's tokens reach, the highest first."""
    board = homed(t, s, corp)
    key = ("stop values", corp, s.phase)
    known: tuple[int, ...] | None = board.memo.get(key)
    if known is None:
        tier = t.phase(s).tier
        values = []
        for stop in reach(board, corp, ()).stops:
            printed = board.stop(*stop)
            values.append(dict(printed.tiers)[tier] if printed.tiers else printed.revenue)
        known = board.memo[key] = tuple(sorted(values, reverse=True))
    return known


def standing(t: Title, s: State, corp: CorpId) -> tuple[tuple[int, ...], float]:
    """What the stops bring that the company reaches, and what an average stop will.

    While it reaches few, this goes by what is near its home: a printed city alone earns nothing.
    """
    values = stop_values(t, s, corp)
    if len(values) > 2:
        return values, average_stop(values)
    return values if len(values) == 2 else (), PLAIN * surroundings(t, corp)


def unformed(t: Title, s: State, corp: CorpId) -> bool:
    """Whether no sale floats the company and it is still to be formed."""
    return bool(t.corporations[corp].formed_in) and corp not in s.floated


def awaited(t: Title, s: State) -> bool:
    """Whether shares wait for the owners of minor companies: other minors are given up when they need a train."""
    return any(s.held(corp, RESERVED) for corp in t.corporations)


def opening(t: Title, s: State, corp: CorpId) -> int:
    """The first phase in which the company can lay track or run: that with the colour all around its token waits for.

    In 1890 the Subway begins between printed yellow tiles. A company that no sale floats begins when it is formed.
    """
    if unformed(t, s, corp):
        return [phase.name for phase in t.phases].index(t.corporations[corp].formed_in)
    board = homed(t, s, corp)
    key = ("opening", corp)
    known: int | None = board.memo.get(key)
    if known is None:
        reached = reach(board, corp, ())
        colours = t.phases[-1].colours
        known = 0
        if len(reached.stops) == 1:
            met = {board.face(hex_id).face.colour for hex_id in reached.hexes | {side[0] for side in reached.sides}}
            better = {colours[place] for place, before in enumerate(("white", *colours[:-1])) if before in met}
            known = next((index for index, phase in enumerate(t.phases) if better & set(phase.colours)), 0)
        board.memo[key] = known
    return known


def potential(values: tuple[int, ...], reach: float) -> float:
    """What a train that calls at so many stops may earn of these values, the highest first."""
    whole = int(reach)
    more = (reach - whole) * values[whole] if whole < len(values) else 0.0
    return sum(values[:whole]) + more if len(values) > 1 else 0.0


def outlook(t: Title, s: State, corp: CorpId) -> float:
    """What the map promises a company beyond its revenue of today: stops it reaches, and cities near its track."""
    board = homed(t, s, corp)
    key = ("outlook", corp, s.phase)
    known: float | None = board.memo.get(key)
    if known is None:
        reached = reach(board, corp, ())
        promise = sum(value * FAINTER**place for place, value in enumerate(stop_values(t, s, corp)))
        met = {hex_id for hex_id, _ in reached.stops}
        places = places_of(board.grid)
        near = _neighbours(board.grid)
        edge = {hex_id for hex_id, _ in reached.sides} | reached.hexes
        seen = set(edge)
        for weight in NEAR:
            # Sums of whole numbers: those of others depend on the order of the set, which is another in each process
            promise += weight * sum(places.get(hex_id, 0) for hex_id in edge - met)
            edge = {other for hex_id in edge for other in near[hex_id]} - seen
            seen |= edge
        known = board.memo[key] = promise
    return known


def surroundings(t: Title, corp: CorpId) -> float:
    """How much better than others the company can begin, about 1: by the stops next to its homes, and two away."""
    homes = tuple((own, tuple(hex_id for hex_id, _ in other.homes)) for own, other in t.corporations.items())
    return _surroundings(t.grid, homes)[corp]


@cache
def _surroundings(grid: Grid, homes: tuple[tuple[CorpId, tuple[HexId, ...]], ...]) -> dict[CorpId, float]:
    near, places = _neighbours(grid), places_of(grid)
    found = {}
    for corp, hexes in homes:
        first = {other for hex_id in hexes for other in near[hex_id]} - set(hexes)
        second = {other for hex_id in first for other in near[hex_id]} - first - set(hexes)
        found[corp] = sum(places.get(hex_id, 0) for hex_id in first) + FARTHER * sum(
            places.get(hex_id, 0) for hex_id in second
        )
    usual = sum(found.values()) / max(len(found), 1) or 1.0
    return {corp: min(HOME_MOST, max(HOME_LEAST, (worth / usual) ** 0.5)) for corp, worth in found.items()}


FARTHER = 0.3
"""What a stop counts that is two hexes from a home, beside one next to it."""
HOME_LEAST, HOME_MOST = 0.7, 1.3
FAINTER = 0.9
"""What each further stop counts of the one before, the best first."""
NEAR = (0.45, 0.2, 0.1, 0.05)
"""What a city counts that track leads to, that is next to such a hex, two away ..."""


@cache
def _neighbours(grid: Grid) -> dict[HexId, tuple[HexId, ...]]:
    near: dict[HexId, list[HexId]] = {hex_id: [] for hex_id in grid.hexes}
    for (hex_id, _), (other, _) in grid.beyond.items():
        near[hex_id].append(other)
    return {hex_id: tuple(others) for hex_id, others in near.items()}


@cache
def places_of(grid: Grid) -> dict[HexId, int]:
    """The hexes with stops, and what each is thought to be worth."""
    found = {}
    for hex_id, printed in grid.hexes.items():
        worths = [
            max([stop.revenue, *(value for _, value in stop.tiers)]) if stop.tiers or stop.revenue else _BARE[stop.kind]
            for stop in printed.face.stops
        ]
        if worths:
            found[hex_id] = max(worths)
    return found


_BARE = {"city": 30, "town": 12, "halt": 5, "offboard": 30}
