"""Notes in the log on how a move came about. Only this module writes and reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

How = Literal[
    "by the host", "agreed by all", "imported", "offer", "drawn by chance", "standing pass", "nothing else to do"
]
AUTOMATIC: frozenset[How] = frozenset(("drawn by chance", "standing pass", "nothing else to do"))
"""Moves that the bot makes on its own."""
_PLAIN: dict[str, How] = {"by the host": "by the host", "agreed by all": "agreed by all", "imported": "imported"}
_OFFER = re.compile(r"offer (\d+) accepted")


@dataclass(frozen=True, slots=True)
class Note:
    """How a row of the log came about, where a player did not simply act for their own seat."""

    how: How
    offer: int = 0
    """The id of the accepted offer."""

    @property
    def automatic(self) -> bool:
        """Whether no person acted."""
        return self.how in AUTOMATIC

    def __str__(self) -> str:
        """As stored in the log."""
        if self.how == "offer":
            return f"offer {self.offer} accepted"
        return f"auto: {self.how}" if self.automatic else self.how


def read_note(text: str | None) -> Note | None:
    """The note on a row; None if there is none, or none that this version understands."""
    if not text:
        return None
    if match := _OFFER.fullmatch(text):
        return Note("offer", int(match[1]))
    if text in _PLAIN:
        return Note(_PLAIN[text])
    how = text.removeprefix("auto: ")
    return next((Note(one) for one in AUTOMATIC if one == how), None)
