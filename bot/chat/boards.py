"""Where one acts: at a game's table, or on a board of one's own beside it. Which boards there are, a room says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from bot.chat.screen import Button
from bot.core.scene import Scene
from engine.actions import Action


class Boards(Protocol):
    """Boards beside games, whose controls carry a place of their own instead of a game's id."""

    back: Button
    """Leads from a list or a picture back to the board."""

    def has(self, place: str) -> bool:
        """Whether a control belongs to such a board."""

    async def scene(self, place: str, user: int) -> Scene:
        """The person's board. Raises UnknownControl and TableError."""

    async def move(self, interaction: Any, scene: Scene, actions: Sequence[Action], seen: int | None) -> None:
        """Play the actions of one press on the board, and show it. Raises what the rules object to, and TableError."""

    async def guarded(self, interaction: Any, place: str, handle: Callable[[], Awaitable[None]]) -> None:
        """Do what was pressed on a board; what cannot be done is said there."""
