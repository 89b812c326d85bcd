"""Forms that were refused, so that they can be opened again with what was entered and what was wrong.

They are kept in memory alone: after a restart a form opens as if for the first time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

MOST = 500
"""How many are kept, of all people together."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is entered in a form, by field, and why it was refused; both are empty at first."""

    entered: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


class Drafts:
    """The refused forms, the latest of each kind by person and game."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, str, tuple[str, ...]], Draft] = OrderedDict()

    def of(self, user: int, game: str, parts: Sequence[str]) -> Draft:
        """What the person last entered in this form; an empty draft if nothing that was refused."""
        return self._kept.get((user, game, tuple(parts)), Draft())

    def keep(self, user: int, game: str, parts: Sequence[str], draft: Draft) -> None:
        """Remember a refused form."""
        self._kept[user, game, tuple(parts)] = draft
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def forget(self, user: int, game: str, parts: Sequence[str]) -> None:
        """Drop the form; none is no error."""
        self._kept.pop((user, game, tuple(parts)), None)
