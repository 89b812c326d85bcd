"""A press, and what every handler of one asks first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot.play.errors import NotYourTurn, Outdated, TableError
from bot.play.table import Table
from bot.screens import codes
from engine.ids import PlayerId

if TYPE_CHECKING:
    from bot.ui.client import Bot


@dataclass(frozen=True, slots=True)
class Press:
    """A press: who, where, and the control's code."""

    bot: Bot
    interaction: discord.Interaction[Any]
    game: str
    seq: int
    word: str
    parts: list[str]

    @property
    def user(self) -> int:
        return self.interaction.user.id

    async def table(self) -> Table:
        """The game's table. Raises UnknownControl if the control names what its game does not have."""
        table = await self.bot.tables.get(self.game)
        codes.must_be_of(table.title, self.word, self.parts)
        return table

    def check_fresh(self, table: Table) -> None:
        """Raise Outdated unless the control was made for the current position."""
        if table.position.seq != self.seq:
            raise Outdated()


Handler = Callable[[Press], Awaitable[None]]


async def asked(given: Press) -> tuple[Table, PlayerId]:
    """The table and the person's seat, which must be asked now. Raises Outdated, NotSeated or NotYourTurn."""
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    if seat not in table.position.up:
        refuse_idle(table, seat)
    return table, seat


def refuse_idle(table: Table, seat: PlayerId) -> None:
    if seat not in table.position.up:
        raise NotYourTurn.waits_for(table.names.get(one, one) for one in table.position.up)
    raise TableError("There is nothing to choose from now.")
