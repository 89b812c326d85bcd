"""The history in pictures: move by move, the map, the market or what everybody held, as they were."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import renderer
from bot.chat import codes
from bot.chat.screen import Button, Image, Option, Screen, where
from bot.core.errors import TableError
from bot.core.moments import Moment, all_of, in_force
from bot.core.position import Position
from bot.core.table import Table
from bot.rooms.opponents.advice import explained
from bot.rooms.past.history import heading, turns_of
from engine.errors import BadAction
from engine.facts import TrainsRan
from engine.ids import PlayerId
from engine.past import changed_hexes, moved_tokens, rounds_of
from engine.secrets import revealed
from engine.viewing import board_view, market_view, route_views, table_view
from engine.views import RouteView
from renderer.drawer import Drawing

VIEWS = {"map": "Map", "market": "Market", "table": "Holdings"}
NONE = "Nothing has been played yet."
NONE_SINCE = "Nothing has been played since the rules of the game changed; `/game history` tells what was before."
TAKEN_BACK = "*taken back*"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the reader is: at which row of the log, looking at what, with undone moves or without."""

    seq: int
    view: str = "map"
    undone: bool = False

    def code(self, control: str) -> str:
        """What leads there; `control` is a letter that tells apart controls that lead to one place."""
        return codes.join("past", self.seq, self.view, "u" if self.undone else "", control)


def place_of(parts: Sequence[str]) -> Place:
    """The place in the arguments of a code."""
    return Place(int(parts[0]), parts[1], parts[2] == "u")


async def browser_screen(table: Table, place: Place, viewer: PlayerId | None) -> Screen:
    """One move with its picture, as far as the viewer may know, and the ways to the others. Raises TableError."""
    moments = await all_of(table) if place.undone else in_force(table)
    if not moments:
        raise TableError(NONE_SINCE if table.past else NONE)
    seqs = [one.move.seq for one in moments]
    number = min(bisect_left(seqs, place.seq), len(seqs) - 1)
    here = replace(place, seq=seqs[number])
    screen = Screen(game=table.game.id, seq=table.position.seq, footer=where(table.position))
    screen.text = await _told(table, moments, number)
    screen.images = [await _picture(table, moments[number], place.view, viewer)]
    may_ask = viewer is not None and not moments[number].undone and not moments[number].move.automatic
    back = [Button("Take back from here…", codes.join("undo", "from", here.seq))] if may_ask else []
    _ways(screen, seqs, number, here, back)
    if explained(table, moments[number]) is not None:
        screen.buttons(Button("Why?", codes.join("reasons", here.seq)))
    _jumps(screen, table, moments, here)
    return screen


def at_move(table: Table, number: int) -> Place:
    """Where the move of this number is, counted from 1; the last one for a higher number."""
    return Place(table.seq_of(number))


async def _told(table: Table, moments: Sequence[Moment], number: int) -> str:
    moment = moments[number]
    seq = moment.move.seq
    times = await table.store.times(table.game.id, seq - 1)
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    shown = bisect_left([one.seq for one in turns], seq) - 1
    head = heading(table.game, times.get(seq), turns[shown] if shown >= 0 else None)
    lines = moment.told(table) or [_label(table, moment)]
    if moment.undone:
        lines = [f"~~{line}~~ {TAKEN_BACK}" for line in lines]
    return "\n".join([f"### Move {number + 1} of {len(moments)}", f"-# {head}", *(f"- {line}" for line in lines)])


def _label(table: Table, moment: Moment) -> str:
    before = Position(table.title, moment.before, moment.move.seq, table.names, table.work)
    return before.labels().of(moment.move.action)


async def _picture(table: Table, moment: Moment, view: str, viewer: PlayerId | None) -> Image:
    title, move, local = table.title, moment.move, table.settings.names == "local"

    def prepare() -> Drawing:
        if view == "market":
            return partial(renderer.market_picture, market_view(title, move.state, moved_tokens(move.state.facts)))
        if view == "table":
            known = revealed(title) if table.position.over else title
            return partial(renderer.table_picture, table_view(known, move.state, viewer))
        board = board_view(title, move.state, changed_hexes(move.state.facts))
        return partial(renderer.map_picture, board, routes=_routes(table, moment), local_names=local)

    picture = await table.work.draw(prepare)
    return Image(f"{view}-{move.seq}.png", picture.png, picture.alt)


def _routes(table: Table, moment: Moment) -> tuple[RouteView, ...]:
    """What ran in this move."""
    found: list[RouteView] = []
    for fact in moment.move.state.facts:
        if isinstance(fact, TrainsRan):
            try:
                found += route_views(table.title, moment.before, fact.corp, [route for route, _ in fact.routes])
            except BadAction:  # a record may state runs that cannot be traced
                continue
    return tuple(found)


def _ways(screen: Screen, seqs: Sequence[int], number: int, here: Place, back: Sequence[Button]) -> None:
    last = len(seqs) - 1
    steps = (("First", 0), ("◀ Back", max(number - 1, 0)), ("Forward ▶", min(number + 1, last)), ("Last", last))
    screen.buttons(*(Button(label, replace(here, seq=seqs[to]).code(str(n))) for n, (label, to) in enumerate(steps)))
    other = [Button(label, replace(here, view=key).code("v")) for key, label in VIEWS.items() if key != here.view]
    undone = Button("Without undone" if here.undone else "With undone", replace(here, undone=not here.undone).code("u"))
    screen.buttons(*other, undone, Button("As text", codes.join("astext", here.seq)), *back)


def _jumps(screen: Screen, table: Table, moments: Sequence[Moment], here: Place) -> None:
    """A list of the rounds, the latest of them if there are more than two lists hold."""
    states = [moments[0].before, *(one.move.state for one in moments if not one.undone)]
    seqs = [one.move.seq for one in moments if not one.undone]
    options = [
        Option(one.name, replace(here, seq=seqs[min(one.start, len(seqs) - 1)]).code("r"))
        for one in rounds_of(states)
        if one.end > one.start
    ]
    if len(options) > 1:
        screen.select("rounds", "Go to a round…", options[-50:])
