"""Running trains: the proposed best routes, or routes that a player types as hexes."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, product

import engine
from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core.errors import TableError
from bot.core.position import Position, ProposedRun
from bot.core.written import narrow
from bot.rooms.turn import pictures
from bot.words.labels import earnings, so_far, together
from engine import BoardView, CorpId, HexView, PlayerId, Rank, Refused, RouteView, StopId
from engine.actions import Route, RunTrains
from engine.board.hexes import across
from engine.ids import split_stop, stop_id
from engine.steps import run

MOST_READINGS = 200


def how(example: str) -> str:
    """How to type routes; `example` is a line for a train, "" for none."""
    such = f", such as `{example}`" if example else ""
    return f"One line for each train: its rank, a colon and its hexes in order{such}. Name every hex on the way."


def example(position: Position, seat: str) -> str:
    """The first line of the best routes here, "" if there are none."""
    verbs = engine.present_step(position.title, position.state).by_action
    best = next(run.proposals(position.title, position.state, PlayerId(seat)), None) if RunTrains in verbs else None
    return write_routes(position.board(), best[0].routes[:1]) if best is not None else ""


def write_routes(board: BoardView, routes: Sequence[Route]) -> str:
    """The routes as `read_routes` reads them, a line each."""
    return "\n".join(_written(board, route) for route in routes)


def hexes_of(board: BoardView, route: Route) -> list[str]:
    hexes: list[str] = []
    for part in route.path:
        here = across(board.layout, hexes[-1], part) if isinstance(part, int) else split_stop(part)[0]
        if not hexes or hexes[-1] != here:
            hexes.append(here)
    return hexes


def _written(board: BoardView, route: Route) -> str:
    hexes = hexes_of(board, route)
    halts = "" if route.halts is None else f" halts {route.halts}"
    return f"{route.train}: {' '.join(hexes)}{halts}"


def read_routes(text: str, position: Position, seat: str, corp: str) -> RunTrains:
    """Parse typed routes. Raises TableError with what is wrong, or Refused if no way to read them is legal."""
    lines = [line.strip() for line in re.split(r"[\n;]", narrow(text)) if line.strip()]
    if not lines:
        raise TableError(f"You have not typed a route. {how(example(position, seat))}")
    readings = [list(islice(ways(line, position, seat), MOST_READINGS)) for line in lines]
    refused: Refused | None = None
    for routes in islice(product(*readings), MOST_READINGS):
        action = RunTrains(PlayerId(seat), CorpId(corp), routes)
        answer = engine.judge(position.title, position.state, action)
        if answer is None:
            return action
        refused = refused or answer
    assert refused is not None
    raise refused


def ways(line: str, position: Position, seat: str) -> Iterator[Route]:
    """Every way to read "3: K4 J5 I6" on the current track. Raises TableError."""
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
            raise TableError(f"There is no hex {hex_id[:12]} on this map.")
    readable = False
    for path in _steps(board, cells, hexes, 0, None):
        if sum(isinstance(part, str) for part in path) < 2:
            continue
        readable = True
        parts = tuple(part if isinstance(part, int) else StopId(part) for part in path)
        yield Route(Rank(rank.strip().removesuffix("-train").upper() or "?"), parts, halts)
    if not readable:
        raise TableError(f"No track runs along {' '.join(hexes)}. A route begins and ends at a stop.")


def _number(written: str) -> int:
    if not written.strip().isdecimal() or len(written) > 4:
        raise TableError(f"“halts {written.strip()[:20]}” is unclear: write how many halts the train calls at.")
    return int(written)


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


MOST_SHOWN = 4
"""How many proposals are drawn; the turn's list has the others."""
MOST_EFFORT = 2
"""How many times a search for best routes may be extended: minutes, but less than Discord waits for an answer."""


async def proposed(position: Position, seat: str, mark: str, effort: int) -> RunTrains:
    """The proposal whose digest is on the button, found with at most this effort. Raises TableError."""
    for less in range(max(effort, position.effort), -1, -1):
        for one in await position.proposals(seat, less):
            if codes.digest(one.action) == mark:
                return one.action
    raise TableError("Those routes are no longer proposed. Look at the game's newest message.")


async def proposals(position: Position, seat: str, corp: str) -> list[ProposedRun]:
    """The proposals for the company. Raises TableError if there are none."""
    known = [one for one in await position.proposals(seat) if one.action.corp == corp]
    if not known:
        raise TableError(f"{corp} has no trains to run now.")
    return known


async def routes_screen(position: Position, game: str, seat: str, corp: str) -> Screen:
    """The proposals in words and pictures, with buttons to search further or type other routes."""
    known = await proposals(position, seat, corp)
    screen = Screen(game=game, seq=position.seq)
    names = position.lexicon()
    for number, one in enumerate(known[:MOST_SHOWN]):
        if one.legal:
            total = together(names, one.routes)
            screen.text += f"**{total}**: " + "; ".join(_told(view, position) for view in one.routes) + "\n"
            screen.images.append(await pictures.map_image(position, routes=one.routes, name=f"routes{number}"))
            screen.buttons(Button(f"Run for {total}", codes.action_code(one.action, position.effort), "success"))
        if not one.best.proved:
            screen.text += f"*{so_far(names, one.routes, one.best)}*\n"
    if further := search_button(position, known):
        screen.text += "-# Searching further may take a few minutes.\n"
        screen.buttons(*further)
    screen.text += f"-# {how(write_routes(position.board(), known[0].action.routes[:1]))}"
    return screen.buttons(Button("Type other routes…", codes.join("ask", "RunTrains", corp)))


def search_button(position: Position, known: Sequence[ProposedRun]) -> list[Button]:
    """The button that extends the search, if something is unproved and more effort is allowed."""
    if all(one.best.proved for one in known) or position.effort >= MOST_EFFORT:
        return []
    return [Button("Search further", codes.join("further", known[0].action.corp, position.effort + 1))]


def unproved(position: Position, known: Sequence[ProposedRun]) -> list[str]:
    """A line about the best routes found so far; nothing if they are proved best."""
    return [f"*{so_far(position.lexicon(), one.routes, one.best)}*" for one in known[:1] if not one.best.proved]


def _told(view: RouteView, position: Position) -> str:
    stops = " – ".join(position.lexicon().stop(stop) for stop, _ in view.stops)
    return f"{view.train}-train {stops} = {earnings(position.lexicon(), view.value, view.subsidy)}"
