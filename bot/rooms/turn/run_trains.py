"""Running trains: the proposed best routes, or routes that a player types as hexes."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core.errors import TableError, UnknownControl
from bot.core.position import Position, Proposal
from bot.rooms.turn import pictures
from bot.rooms.turn.written_routes import how, write_routes
from bot.words.labels import earnings, so_far, together
from engine.actions import RunTrains
from engine.viewing import route_views
from engine.views import RouteView

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


async def proposals(position: Position, seat: str, corp: str) -> list[Proposal]:
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
    further = search_button(position, known)
    if further is not None:
        screen.text += "-# Searching further may take a few minutes.\n"
        screen.buttons(further)
    screen.text += f"-# {how(write_routes(position.board(), known[0].action.routes[:1]))}"
    screen.buttons(Button("Type other routes…", codes.join("ask", "RunTrains", corp)))
    return screen


def search_button(position: Position, known: Sequence[Proposal]) -> Button | None:
    """The button that extends the search, if something is unproved and more effort is allowed."""
    if all(one.best.proved for one in known) or position.effort >= MOST_EFFORT:
        return None
    return Button("Search further", codes.join("further", known[0].action.corp, position.effort + 1))


def unproved(position: Position, known: Sequence[Proposal]) -> list[str]:
    """A line about the best routes found so far; nothing if they are proved best."""
    return [f"*{so_far(position.lexicon(), one.routes, one.best)}*" for one in known[:1] if not one.best.proved]


def read_effort(written: str) -> int:
    """Parse the effort that a button asks for. Raises TableError."""
    if not written.isdecimal() or not 0 < int(written) <= MOST_EFFORT:
        raise UnknownControl()
    return int(written)


def drawn(position: Position, action: RunTrains) -> tuple[RouteView, ...]:
    """The routes as the renderer wants them."""
    return route_views(position.title, position.state, action.corp, action.routes)


def _told(view: RouteView, position: Position) -> str:
    stops = " – ".join(position.lexicon().stop(stop) for stop, _ in view.stops)
    return f"{view.train}-train {stops} = {earnings(position.lexicon(), view.value, view.subsidy)}"
