"""The small line below what the bot shows."""

from __future__ import annotations

from bot.core.position import Position


def where(position: Position) -> str:
    """Title, round, phase and bank in one line."""
    view = position.table()
    return f"{view.title} · {view.round} · phase {view.phase} · bank {position.lexicon().money(view.bank)}"
