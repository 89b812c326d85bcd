"""The decision card of a position, for the tests and measurements that need many of them."""

from __future__ import annotations

from dataclasses import replace

import engine
from bot.rooms.turn.decision.asked import Asked, asked_in
from bot.rooms.turn.decision.card import card_of as card_made
from bot.words.lexicon import lexicon
from engine import State, Title
from engine.actions import RunTrains
from engine.ids import PlayerId
from engine.steps.run import proposals
from engine.viewing import board_view, route_views
from renderer.card import Card


def asked(t: Title, s: State, viewer: str | None = None) -> Asked:
    """What the viewer (None: everybody) may know of the present decision, with the best routes where trains run."""
    seat = engine.decision(t, s).players[0]
    board = board_view(t, s)
    names = lexicon(s.names, t)
    found = asked_in(t, s, board, names, None if viewer is None else PlayerId(viewer), seat)
    if RunTrains not in engine.present_step(t, s).by_action:
        return found
    run = next((run for run, _ in proposals(t, s, seat)), None)
    return found if run is None else replace(found, run=run, routes=route_views(t, s, run.corp, run.routes))


def card_of(t: Title, s: State, viewer: str | None = None) -> Card | None:
    """The card; None for a step without one."""
    return card_made(asked(t, s, viewer))
