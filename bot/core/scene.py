"""Where somebody acts: the table of a game, or a line of moves that they try out from it.

Screens and presses take either, so that trying out has the same buttons, lists and pictures as the game.
"""

from __future__ import annotations

from typing import Protocol

from bot.core.position import Position
from engine.ids import PlayerId
from engine.title import Title


class Scene(Protocol):
    """A position, and whose moves a person makes in it."""

    @property
    def id(self) -> str:
        """What controls carry of it."""

    @property
    def title(self) -> Title:
        """The game's title, as it is played here."""

    @property
    def position(self) -> Position:
        """Where it stands."""

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat."""

    def seat_for(self, user: int) -> PlayerId:
        """The seat that the person acts for. Raises NotSeated."""

    def seats_for(self, user: int) -> list[PlayerId]:
        """The seats that an action may be meant for, the likeliest first, and last the one that is refused."""

    def viewer_for(self, user: int) -> PlayerId | None:
        """With whose knowledge the person looks; None for what everybody may know."""
