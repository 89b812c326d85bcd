"""Routes that are drawn by touch: hexes in order become track, and the engine says what they earn."""

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from board.turn import written
from bot.core.errors import TableError, explain
from bot.core.position import Position
from bot.rooms.turn import run_trains
from bot.words.labels import earnings, together
from engine import BadAction, BoardView, CorpId, Rank, Refused, RouteView, route_views
from engine.actions import Route, RunTrains
from engine.board.hexes import across
from renderer import vector

MOST_TRAINS, MOST_HEXES = 12, 80


Drawn = tuple[str, list[str]]
"""A train, and the hexes of its route."""


def begin(position: Position, routes: Sequence[Route], trains: Sequence[str]) -> list[Drawn]:
    """The trains of the company, each with the hexes of its best route, to begin with."""
    board, left = position.board(), list(routes)
    made: list[Drawn] = []
    for train in trains:
        route = next((one for one in left if one.train == train), None)
        if route is not None:
            left.remove(route)
        made.append((train, [] if route is None else run_trains.hexes_of(board, route)))
    return made


def read(body: object) -> list[Drawn]:
    """Each train with its hexes, of a request. Raises BadAction."""
    if not isinstance(body, list) or len(body) > MOST_TRAINS:
        raise BadAction("Routes must be a short list.")
    found = []
    for one in body:
        train, hexes = (one.get("train"), one.get("hexes")) if isinstance(one, Mapping) else (None, None)
        whole = isinstance(hexes, list) and len(hexes) <= MOST_HEXES and all(isinstance(part, str) for part in hexes)
        if not isinstance(train, str) or len(train) > 20 or not isinstance(hexes, list) or not whole:
            raise BadAction("A route names its train and its hexes.")
        found.append((train, [part[:12] for part in hexes]))
    return found


def drawn(position: Position, seat: str, corp: str, trains: Sequence[Drawn]) -> dict[str, Any]:
    """What the trains earn on these hexes, or what is wrong with them, as the page reads it."""
    board, names = position.board(), position.lexicon()
    hexes = [_filled(board, some) for _, some in trains]
    said, views, problem = [], list[RouteView](), ""
    ready = list[list[str]]()  # a first hex alone is no fault yet
    for (train, _), some in zip(trains, hexes, strict=True):
        try:
            view = _alone(position, seat, corp, train, some)
        except (TableError, Refused, BadAction):  # the problem of all says why
            view = None
        nothing = "no route" if len(some) > 1 else ""
        said.append(nothing if view is None else earnings(names, view.value, view.subsidy))
        ready.append(some if view is not None or nothing else [])
        views += [view] if view is not None else [RouteView(Rank(train), (), (), 0)]
    action: RunTrains | None = None
    total = together(names, views)
    words = "\n".join(f"{train}: {' '.join(some)}" for (train, _), some in zip(trains, ready, strict=True) if some)
    if words:
        try:
            action = run_trains.read_routes(words, position, seat, corp)
            views_now = iter(route_views(position.title, position.state, CorpId(corp), action.routes))
            views = [next(views_now) if some else one for one, some in zip(views, ready, strict=True)]
            total = together(names, views)
            earned = [earnings(names, one.value, one.subsidy) for one in views]
            said = [told if some else "" for told, some in zip(earned, ready, strict=True)]
        except (TableError, Refused, BadAction) as error:
            problem = (explain(error) or "").replace("\n-# ", " ")
    return {
        "trains": [train for train, _ in trains], "hexes": hexes, "said": said, "total": total, "problem": problem,
        "svg": vector.routes_layer(board, views), "action": None if action is None else written([action]),
    }  # fmt: skip


def _alone(position: Position, seat: str, corp: str, train: str, hexes: Sequence[str]) -> RouteView | None:
    """The route of one train by itself. Raises TableError and BadAction."""
    if len(hexes) < 1:
        return None
    ways = islice(run_trains.ways(f"{train}: {' '.join(hexes)}", position, seat), run_trains.MOST_READINGS)
    best: RouteView | None = None
    for way in ways:
        try:
            (view,) = route_views(position.title, position.state, CorpId(corp), (way,))
        except BadAction:
            continue
        if best is None or view.value > best.value:
            best = view
    return best


def _filled(board: BoardView, hexes: Sequence[str]) -> list[str]:
    """The hexes with those between them that track leads through, where some were left out."""
    made: list[str] = []
    for one in hexes:
        if made and one == made[-1]:
            continue
        made += _between(board, made[-1], one) if made else []
        made.append(one)
    return made[:MOST_HEXES]


def _between(board: BoardView, start: str, end: str) -> list[str]:
    """The fewest hexes that join two along track; none where they are neighbours or nothing joins them."""
    cells = {str(one.id): one for one in board.hexes}
    if start not in cells or end not in cells:
        return []
    came: dict[str, str] = {start: ""}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == end:
            break
        for side in {side for pair in cells[here].track for side in pair if side < 6}:
            there = str(across(board.layout, here, side))
            back = (side + 3) % 6
            if there in cells and there not in came and any(back in pair for pair in cells[there].track):
                came[there] = here
                waiting.append(there)
    if end not in came:
        return []
    path = [end]
    while came[path[-1]]:
        path.append(came[path[-1]])
    return path[-2:0:-1]
