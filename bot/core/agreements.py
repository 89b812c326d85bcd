"""What a table agrees to when people join, besides its pace, in words: the lobby tells it, and a change asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.core.settings import TableSettings

TERMS: dict[str, dict[Any, str]] = {
    "undo": {
        "own": "whoever made the last move takes it back, and beyond that those concerned must agree",
        "anyone": "any player takes back the last move",
    },
    "newcomers": {
        "anybody": "anybody on this server takes an open seat",
        "vote": "whoever a majority of the players accepts takes an open seat",
    },
    "suggest": {True: "the bot suggests moves to whoever asks", False: "nobody is given suggestions by the bot"},
}
"""By setting: what each value means."""
LASTING = "Once the game runs, this and the pace change only if everybody agrees."


def told_terms(terms: Mapping[str, Any]) -> str:
    """Some terms as a sentence without its full stop."""
    parts = [values[terms[name]] for name, values in TERMS.items() if name in terms]
    parts += [f"<@{terms['host']}> is the host, who may act for other players"] if "host" in terms else []
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def agreed_line(settings: TableSettings) -> str:
    """What whoever joins agrees to."""
    return f"{told_terms({name: getattr(settings, name) for name in TERMS})}. {LASTING}"
