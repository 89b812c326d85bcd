"""The decision card of a position, for the tests and measurements that need many of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import engine
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.turn import pictures
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.makers import card_of as card_made
from engine import State, Title
from engine.actions import RunTrains
from engine.ids import PlayerId
from engine.steps.run import proposals
from engine.viewing import route_views
from renderer.card import Card


def position_of(t: Title, s: State) -> Position:
    """The position as a game that has just begun in it, with the names that it holds itself."""
    return Position(t, s, 0, dict(s.names), Work(ThreadPoolExecutor(1)))


def asked(t: Title, s: State, viewer: str | None = None) -> Asked:
    """What the viewer (None: everybody) may know of the present decision, with the best routes where trains run."""
    position = position_of(t, s)
    found = pictures.asked(position, None if viewer is None else PlayerId(viewer))
    if RunTrains not in engine.present_step(t, s).by_action:
        return found
    run = next((run for run, _ in proposals(t, s, position.up[0])), None)
    return found if run is None else replace(found, run=run, routes=route_views(t, s, run.corp, run.routes))


def card_if_any(t: Title, s: State, viewer: str | None = None) -> Card | None:
    """The card; None for a step without one."""
    return card_made(asked(t, s, viewer))


def card_of(t: Title, s: State, viewer: str | None = None) -> Card:
    """The card of a step that has one."""
    card = card_if_any(t, s, viewer)
    assert card is not None
    return card
