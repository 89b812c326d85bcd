"""A hex that was tapped: what lies there, and what the viewer may place, drawn as it would lie."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import engine
from board import map_parts
from board.markup import Html, el, text
from board.turn import BY_TOUCH, OnOffer, by_hex, choice, written
from bot.core.position import Position
from bot.words.consequences import Trial, consequences
from bot.words.labels import Labels, together
from bot.words.lexicon import Lexicon, without_twins
from engine import BoardView, CorpId, HexId, HexView, PlayerId, State, TableView, Title, route_views
from engine import actions as a
from engine.facts import TileLaid
from engine.steps.run import bests_of
from engine.viewing import Rows, blocking, hex_view
from renderer import vector
from renderer.geometry import half_size

Lay = a.LayTile | a.LayPowerTile
QUICK, MOST_SECONDS = 0.2, 1.0
"""How long the best run may take to find before a tile is laid, and with all tiles, to be told at all."""


@dataclass(frozen=True, slots=True)
class TriedLay:
    """A lay that was tried: the hex as it looks then, and what it costs and leads to."""

    action: Lay
    view: HexView
    cost: int
    follows: str


async def sheet(position: Position, found: OnOffer | None, viewer: str | None, hex_id: str) -> Html:
    """What can be seen and done on a hex."""
    board, names = position.board(), position.lexicon()
    here = next((one for one in board.hexes if one.id == hex_id), None)
    if here is None:
        return el("p", "There is no such hex on this map.")
    head = el("header", el("h2", names.hex(hex_id)), el("p", map_parts.lying(here, names), cls="notes"))
    if found is None:
        return head
    some = list(by_hex(found, hex_id))
    lays = without_twins(position.title, [one for one in some if isinstance(one, BY_TOUCH)])
    tried = await position.work.do(_tried, position, lays, viewer, found.labels.table, names)
    made: list[Html] = [head]
    for private in dict.fromkeys(getattr(one.action, "private", None) for one in tried):
        group = [one for one in tried if getattr(one.action, "private", None) == private]
        made += [el("h3", f"With {names.private(private)}")] if private else []
        made.append(el("div", [_tile(board, one, found.labels) for one in group], cls="tiles-to-lay"))
    tokens = [one for one in some if isinstance(one, a.PlaceToken)]
    made += [_token(one, found.labels) for one in tokens]
    return text(made)


async def runs(position: Position, found: OnOffer | None, hex_id: str) -> dict[str, str]:
    """What the tiles that may be laid on a hex make of the company's best run, by their actions as the page has them.

    Nothing where the best runs are not found quickly.
    """
    lays = [] if found is None else [one for one in by_hex(found, hex_id) if isinstance(one, a.LayTile)]
    if found is None or not lays:
        return {}
    return await position.work.do(_runs, position, without_twins(position.title, lays), found.labels.names)


def _runs(position: Position, lays: Sequence[a.LayTile], names: Lexicon) -> dict[str, str]:
    t, s, began = position.title, position.state, time.monotonic()
    before = _earned(t, s, lays[0].corp, names)
    if before is None or time.monotonic() - began > QUICK:
        return {}
    made = {}
    for one in lays:
        after = _earned(t, engine.apply(t, s, one), one.corp, names)
        if after is None or time.monotonic() - began > MOST_SECONDS:
            return {}
        if before == after == names.money(0):
            continue
        then = f" → {after}" if after != before else ", as now"
        made[written([one])] = f"run {before}{then}"
    return made


def _earned(t: Title, s: State, corp: CorpId, names: Lexicon) -> str | None:
    """What the routes bring that would be proposed; None where these are not proved best, or there is no train."""
    best = next(iter(t.policy.routes.sensible(t, s, bests_of(t, s, corp))), None)
    if best is None:
        return names.money(0) if s.trains[corp] else None
    return together(names, route_views(t, s, corp, best.routes)) if best.proved else None


def _tried(
    position: Position, lays: Sequence[Any], viewer: str | None, before: TableView, names: Lexicon
) -> list[TriedLay]:
    t, s = position.title, position.state
    seat = None if viewer is None else PlayerId(viewer)
    made = []
    for one in lays:
        after = engine.apply(t, s, one)
        follows = consequences(Trial(one, before, Rows(t, after, seat), after.facts, names))
        cost = sum(fact.cost for fact in after.facts if isinstance(fact, TileLaid))
        made.append(TriedLay(one, hex_view(t, after, HexId(one.hex), blocking(t, after)), cost, follows))
    return made


def _tile(board: BoardView, laid: TriedLay, labels: Labels) -> Html:
    action, names = laid.action, labels.names
    drawn = vector.drawn_hex(laid.view, vector.look_of(board.layout), board.companies)
    joins = labels.joins(action)
    notes = [f"joins {joins}" if joins else "", laid.follows]
    cost = names.money(laid.cost) if laid.cost else "free"
    number = laid.view.printed_number or str(action.tile)
    confirm = f"Lay tile {number}" + (f" for {cost}" if laid.cost else "")
    wide, high = (round(1.04 * side * vector.UNIT) for side in half_size(board.layout))
    told = el("span", "Tile ", cls="said"), f"{number} · {cost}", el("span", f", {notes[0] or 'turned'}", cls="said")
    shapes = el("g", map(Html, drawn), cls="drawn")
    picture = el("svg", shapes, viewBox=f"-{wide} -{high} {2 * wide} {2 * high}", aria_hidden="true")
    return el(
        "button", picture, el("small", told), type="button", cls="tile", data_hex=action.hex,
        data_try=written([action]), data_confirm=confirm,
        data_note=" · ".join(filter(None, notes)), aria_pressed="false",
    )  # fmt: skip


def _token(action: a.PlaceToken, labels: Labels) -> Html:
    cost = labels.token_cost(action)
    label = "Place a token" + (f" for {labels.names.money(cost)}" if cost else "")
    return choice(
        [action], label, " · ".join(filter(None, [labels.city(action.stop), labels.note(action)])), style="primary"
    )
