"""Notes in the log on how a move came about. Only this module writes and reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

How = Literal[
    "by the host",
    "by a moderator",
    "by the bot, cautiously",
    "passed by the others",
    "agreed by all",
    "imported",
    "offer",
    "after a suggestion",
    "drawn by chance",
    "standing pass",
    "nothing else to do",
]
SUGGESTED: How = "after a suggestion"
AUTOMATIC: frozenset[How] = frozenset(("drawn by chance", "standing pass", "nothing else to do"))
"""Moves that the bot makes on its own."""
_PLAIN: tuple[How, ...] = (
    *("by the host", "by a moderator", "by the bot, cautiously", "passed by the others", "agreed by all", "imported"),
    SUGGESTED,
)
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
    how = text.removeprefix("auto: ")
    known = _PLAIN if how == text else AUTOMATIC
    return next((Note(one) for one in known if one == how), None)
