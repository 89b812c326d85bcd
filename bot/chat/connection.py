"""The bot as the parts of `chat` know it: what it stands on, what it counts, and what Discord is asked through it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import discord

from bot.chat.requests import Requests
from bot.core.tables import Tables
from bot.settings import Settings
from storage import Shards, Store


class Counts:
    """Counters since the start, for whoever hosts the bot."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.slowest_turn_ms = 0
        self.lag_ms = 0

    def add(self, name: str, number: int = 1) -> None:
        """Count `number` more events of this name."""
        self.counts[name] += number

    def turn_shown(self, milliseconds: int) -> None:
        """Count a turn that took this many milliseconds to show."""
        self.add("turns_shown")
        self.add("turns_shown_ms", milliseconds)
        self.slowest_turn_ms = max(self.slowest_turn_ms, milliseconds)


class Connection(Protocol):
    """One process of the bot, connected to Discord."""

    store: Store
    settings: Settings
    tables: Tables
    requests: Requests
    counts: Counts

    @property
    def user(self) -> discord.ClientUser | None:
        """The bot's own account, once it is known."""

    @property
    def guilds(self) -> Any:
        """The servers that this process knows of."""

    @property
    def serving(self) -> Shards | None:
        """The shards whose games this process serves; None for all there are."""

    @property
    def owner(self) -> str:
        """In whose name rows are claimed."""

    def is_ours(self, guild_id: int | None) -> bool:
        """Whether what happens on this server is for this process."""

    def connections(self) -> tuple[int, int]:
        """How many shards this process serves at the moment, and how many of them are connected."""

    def is_ws_ratelimited(self) -> bool:
        """Whether the gateway lets the bot send nothing at the moment."""

    def clock(self) -> int:
        """Whole seconds since 1970, UTC."""

    def get_channel(self, id: int, /) -> Any:
        """A channel that is known; None if it is not."""

    @property
    def fetch_channel(self) -> Callable[[int], Awaitable[Any]]:
        """Asks Discord for a channel."""

    def get_user(self, id: int, /) -> Any:
        """A person who is known; None if they are not."""

    @property
    def fetch_user(self) -> Callable[[int], Awaitable[Any]]:
        """Asks Discord for a person."""
