"""Known cases where 18xx.games allows what our rules refuse even with the option `online`, named in the refusal."""

from __future__ import annotations

from engine import Refused, State, Title
from engine.actions import ExchangePrivate, LayPowerTile, Pass


def known_difference(t: Title, s: State, refusal: Refused) -> str:
    """A sentence about the known difference behind a refused action, or an empty text."""
    action = refusal.action
    if t.id == "1860" and isinstance(action, ExchangePrivate) and refusal.rule == "1860-PRV-05":
        return "18xx.games allows an exchange out of turn too [1860-VAR-15]."
    between = bool(s.pending) and s.pending[-1].step == "second tile" and not isinstance(action, LayPowerTile | Pass)
    if t.id == "1888" and between:
        return "18xx.games allows other actions between the two tiles of a private [1888-VAR-01]."
    return ""
