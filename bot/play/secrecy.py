"""What a decision's choices would reveal about hidden money."""

from __future__ import annotations

import engine
from bot.play.position import Position
from bot.text.labels import telling
from engine.actions import Action

Kinds = frozenset[type[Action]]


def secret_kinds(position: Position) -> Kinds:
    """Kinds of action whose choices would reveal money that is hidden from the public."""
    hidden: Kinds = frozenset()
    if any(row.operating and row.treasury is None for row in position.table().companies):
        hidden |= telling("company", "sale")
    if cash_hidden(position):
        hidden |= telling("player") if position.decision.subject is None else telling("player", "sale")
    return hidden


def standing_kinds(position: Position) -> Kinds:
    """Kinds that the public is shown whether or not anything can be afforded."""
    if not position.up or not cash_hidden(position):
        return frozenset()
    return telling("player") & set(engine.present_step(position.title, position.state).by_action)


def cash_hidden(position: Position) -> bool:
    """Whether the money of whoever must decide is hidden from the public."""
    return any(row.cash is None for row in position.table().players)
