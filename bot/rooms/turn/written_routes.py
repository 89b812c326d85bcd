"""Routes as a player types them, by their hexes: reading them on the track that is on the map, and writing them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import engine
from bot.core.errors import TableError
from bot.core.position import Position
from engine.actions import Route, RunTrains
from engine.board.hexes import across
from engine.errors import Refused
from engine.ids import CorpId, PlayerId, Rank, StopId, split_stop, stop_id
from engine.steps.run import proposals
from engine.views import BoardView, HexView

MOST_READINGS = 200


def how(example: str) -> str:
    """How to type routes; `example` is a line for a train, "" for none."""
    such = f", such as `{example}`" if example else ""
    return f"One line for each train: its rank, a colon and its hexes in order{such}. Name every hex on the way."


def example(position: Position, seat: str) -> str:
    """The first line of the best routes here, "" if there are none."""
    verbs = engine.present_step(position.title, position.state).by_action
    best = next(proposals(position.title, position.state, PlayerId(seat)), None) if RunTrains in verbs else None
    return write_routes(position.board(), best[0].routes[:1]) if best is not None else ""


def write_routes(board: BoardView, routes: Sequence[Route]) -> str:
    """The routes as `read_routes` reads them, a line each."""
    return "\n".join(_written(board, route) for route in routes)


def _written(board: BoardView, route: Route) -> str:
    hexes: list[str] = []
    for part in route.path:
        here = across(board.layout, hexes[-1], part) if isinstance(part, int) else split_stop(part)[0]
        if not hexes or hexes[-1] != here:
            hexes.append(here)
    halts = "" if route.halts is None else f" halts {route.halts}"
    return f"{route.train}: {' '.join(hexes)}{halts}"


def read_routes(text: str, position: Position, seat: str, corp: str) -> RunTrains:
    """Parse typed routes. Raises TableError with what is wrong, or Refused if no way to read them is legal."""
    lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
    if not lines:
        raise TableError(f"You have not typed a route. {how(example(position, seat))}")
    readings = [list(islice(_line(line, position, seat), MOST_READINGS)) for line in lines]
    refused: Refused | None = None
    for routes in islice(_product(readings), MOST_READINGS):
        action = RunTrains(PlayerId(seat), CorpId(corp), tuple(routes))
        answer = engine.judge(position.title, position.state, action)
        if answer is None:
            return action
        refused = refused or answer
    assert refused is not None
    raise refused


def _product(readings: Sequence[Sequence[Route]]) -> Iterator[list[Route]]:
    if not readings:
        yield []
        return
    for first in readings[0]:
        for rest in _product(readings[1:]):
            yield [first, *rest]


def _line(line: str, position: Position, seat: str) -> Iterator[Route]:
    """Every way to read "3: K4 J5 I6" on the current track."""
    board = position.board()
    rank, colon, written = line.partition(":")
    written, halting, wanted = written.casefold().partition("halts")
    halts = _number(wanted) if halting else None
    hexes = [word.upper() for word in re.split(r"[\s,>–-]+", written) if word]
    if not colon or len(hexes) < 1:
        raise TableError(f"“{line[:60]}” is not a route. {how(example(position, seat))}")
    cells = {str(cell.id): cell for cell in board.hexes}
    for hex_id in hexes:
        if hex_id not in cells:
            raise TableError(f"There is no hex {hex_id[:12]} on the map.")
    readable = False
    for path in _paths(board, cells, hexes):
        readable = True
        parts = tuple(part if isinstance(part, int) else StopId(part) for part in path)
        yield Route(Rank(rank.strip().removesuffix("-train").upper() or "?"), parts, halts)
    if not readable:
        raise TableError(f"No track runs along {' '.join(hexes)}. A route begins and ends at a stop.")


def _number(written: str) -> int:
    if not written.strip().isdecimal() or len(written) > 4:
        raise TableError(f"“halts {written.strip()[:20]}” is unclear: write how many halts the train calls at.")
    return int(written)


def _paths(board: BoardView, cells: dict[str, HexView], hexes: Sequence[str]) -> Iterator[tuple[str | int, ...]]:
    """All paths through these hexes, in order, that begin and end at a stop."""
    for path in _steps(board, cells, hexes, 0, None):
        if len([part for part in path if isinstance(part, str)]) >= 2:
            yield path


def _steps(
    board: BoardView, cells: dict[str, HexView], hexes: Sequence[str], index: int, entered: int | None
) -> Iterator[tuple[str | int, ...]]:
    """All ways to go on from hex `index`, entered through a side."""
    cell = cells[hexes[index]]
    last = index == len(hexes) - 1
    leave = None if last else _side_to(board, hexes[index], hexes[index + 1])
    for inside in _inside(cell, entered, leave, first=index == 0, last=last):
        if last:
            yield inside
        elif leave is not None:
            for rest in _steps(board, cells, hexes, index + 1, (leave + 3) % 6):
                yield (*inside, leave, *rest)


def _inside(
    cell: HexView, entered: int | None, leave: int | None, *, first: bool, last: bool
) -> Iterator[tuple[str | int, ...]]:
    """All ways to cross a hex: on plain track, or through one stop or several that are joined, each once."""
    if not first and not last and leave is None:
        return
    joined = {pair for a, b in cell.track for pair in ((a, b), (b, a))}
    stops = range(6, 6 + len(cell.stops))
    waiting: list[tuple[int, ...]] = [(end,) for end in stops if first or (entered, end) in joined]
    while waiting:
        ends = waiting.pop(0)
        if last or (ends[-1], leave) in joined:
            yield tuple(stop_id(cell.id, end - 6) for end in ends)
        waiting += [(*ends, end) for end in stops if end not in ends and (ends[-1], end) in joined]
    if not first and not last and (entered, leave) in joined:
        yield ()


def _side_to(board: BoardView, here: str, there: str) -> int:
    for side in range(6):
        if across(board.layout, here, side) == there:
            return side
    raise TableError(f"{here} and {there} are not neighbours: name every hex on the way.")
