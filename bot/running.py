"""Running trains: the best routes as proposed, or routes that a player writes down by their hexes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import engine
from bot import codes, pictures
from bot.errors import TableError
from bot.labels import earnings, so_far, together
from bot.parts import Button, Screen
from bot.position import Position, Proposal
from engine.actions import Route, RunTrains
from engine.board.hexes import across
from engine.errors import Refused
from engine.ids import CorpId, PlayerId, Rank, StopId, stop_id
from engine.viewing import route_views
from engine.views import BoardView, HexView, RouteView

MOST_READINGS = 200
MOST_SHOWN = 4
"""Proposals that are drawn; further ones are in the list of the turn."""
MOST_EFFORT = 2
"""How often the bot searches on where no routes are proved best: minutes, and less than Discord waits for an answer."""
HOW = (
    "One line for each train: its rank, a colon and the hexes that it visits in order, such as `3: K4 J5 I6`. "
    "Name every hex on the way."
)


async def proposed(position: Position, seat: str, mark: str, effort: int) -> RunTrains:
    """The proposal whose digest is on the button, drawn after so much effort or less."""
    for less in range(max(effort, position.effort), -1, -1):
        for one in await position.proposals(seat, less):
            if codes.digest(one.action) == mark:
                return one.action
    raise TableError("Those routes are no longer the ones proposed. Open the newest message of the game.")


async def proposals(position: Position, seat: str, corp: str) -> list[Proposal]:
    """What is proposed for the company. Raises TableError where that is nothing."""
    known = [one for one in await position.proposals(seat) if one.action.corp == corp]
    if not known:
        raise TableError(f"{corp} has no trains to run now.")
    return known


async def routes_screen(position: Position, game: str, seat: str, corp: str) -> Screen:
    """The proposals in words and in pictures, the way to search on, and the way to run something else."""
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
    further = search_button(position, known)
    if further is not None:
        screen.text += "-# Searching further may take some minutes.\n"
        screen.buttons(further)
    screen.text += f"-# {HOW}"
    screen.buttons(Button("Write own routes…", codes.join("ask", "RunTrains", corp)))
    return screen


def search_button(position: Position, known: Sequence[Proposal]) -> Button | None:
    """The button that searches on, where something is not proved and more effort is allowed."""
    if all(one.best.proved for one in known) or position.effort >= MOST_EFFORT:
        return None
    return Button("Search further", codes.join("further", known[0].action.corp, position.effort + 1))


def unproved(position: Position, known: Sequence[Proposal]) -> list[str]:
    """A line about the best routes found so far; none where they are proved best."""
    return [f"*{so_far(position.lexicon(), one.routes, one.best)}*" for one in known[:1] if not one.best.proved]


def read_effort(written: str) -> int:
    """The effort that a button asks for."""
    if not written.isdecimal() or not 0 < int(written) <= MOST_EFFORT:
        raise TableError("This button is incomplete.")
    return int(written)


def drawn(position: Position, action: RunTrains) -> tuple[RouteView, ...]:
    """The routes as the renderer wants them."""
    return route_views(position.title, position.state, action.corp, action.routes)


def _told(view: RouteView, position: Position) -> str:
    stops = " – ".join(position.lexicon().stop(stop) for stop, _ in view.stops)
    return f"{view.train}-train {stops} = {earnings(position.lexicon(), view.value, view.subsidy)}"


def read_routes(text: str, position: Position, seat: str, corp: str) -> RunTrains:
    """The routes that a player wrote. Raises TableError with what is wrong, or Refused if no reading is legal."""
    lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
    if not lines:
        raise TableError(f"No route was written. {HOW}")
    readings = [list(islice(_line(line, position.board()), MOST_READINGS)) for line in lines]
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


def _line(line: str, board: BoardView) -> Iterator[Route]:
    """Every way to read "3: K4 J5 I6" on the track that lies there."""
    rank, colon, written = line.partition(":")
    written, halting, wanted = written.casefold().partition("halts")
    halts = _number(wanted) if halting else None
    hexes = [word.upper() for word in re.split(r"[\s,>–-]+", written) if word]
    if not colon or len(hexes) < 1:
        raise TableError(f"“{line[:60]}” is not a route. {HOW}")
    cells = {str(cell.id): cell for cell in board.hexes}
    for hex_id in hexes:
        if hex_id not in cells:
            raise TableError(f"There is no hex {hex_id[:12]} on the map.")
    found = False
    for path in _paths(board, cells, hexes):
        found = True
        parts = tuple(part if isinstance(part, int) else StopId(part) for part in path)
        yield Route(Rank(rank.strip().removesuffix("-train").upper() or "?"), parts, halts)
    if not found:
        raise TableError(f"No track runs along {' '.join(hexes)}. A route begins and ends at a stop.")


def _number(written: str) -> int:
    if not written.strip().isdecimal() or len(written) > 4:
        raise TableError(f"“halts {written.strip()[:20]}” is not clear: write at how many halts the train calls.")
    return int(written)


def _paths(board: BoardView, cells: dict[str, HexView], hexes: Sequence[str]) -> Iterator[tuple[str | int, ...]]:
    """All paths over the hexes in this order that begin and end at a stop."""
    for path in _steps(board, cells, hexes, 0, None):
        if len([part for part in path if isinstance(part, str)]) >= 2:
            yield path


def _steps(
    board: BoardView, cells: dict[str, HexView], hexes: Sequence[str], index: int, entered: int | None
) -> Iterator[tuple[str | int, ...]]:
    """The rest of the path from hex `index`, entered by a side."""
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
    """What a path does between entering and leaving a hex: through a stop, two joined stops, or plain track."""
    if not first and not last and leave is None:
        return
    joined = {pair for a, b in cell.track for pair in ((a, b), (b, a))}
    for stop in range(len(cell.stops)):
        end = 6 + stop
        arrives = first or (entered, end) in joined
        if arrives and (last or (end, leave) in joined):
            yield (stop_id(cell.id, stop),)
        for other in range(len(cell.stops)):
            onward = 6 + other
            if arrives and other != stop and (end, onward) in joined and (last or (onward, leave) in joined):
                yield (stop_id(cell.id, stop), stop_id(cell.id, other))
    if not first and not last and (entered, leave) in joined:
        yield ()


def _side_to(board: BoardView, here: str, there: str) -> int:
    for side in range(6):
        if across(board.layout, here, side) == there:
            return side
    raise TableError(f"{here} and {there} are not neighbours; name every hex on the way.")
