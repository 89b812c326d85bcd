"""Telling people at once, and privately, that a program of theirs stopped: as long as Discord allows it.

A private answer can be followed by others for fifteen minutes. Whoever has looked at their programs since then, or
switched one on, reads it there and then; the list that they have open is mended. Everybody else finds it on top of
*More…*, *My hand* and the list, and by direct message if they want to be told so.
"""

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

import discord

from bot.chat.client import Bot
from bot.chat.layout import view
from bot.core.orders import Halt
from bot.core.table import Table
from bot.rooms.programs.screen import programs_screen
from bot.words.programs import stopped
from engine.ids import PlayerId

log = logging.getLogger("tetsudo.programs")
LASTS = 14 * 60
"""Seconds for which a private answer can be followed; Discord allows fifteen minutes."""


@dataclass(frozen=True)
class Open:
    """A private answer that can still be followed."""

    seat: PlayerId
    interaction: discord.Interaction[Any]
    until: int
    listed: bool
    """Whether it shows the list of programs."""
    told: tuple[Halt, ...]
    """What was said to have stopped by then."""
    kept: tuple[int, ...]
    """Which programs were on."""


class OpenLists:
    """The latest private answer about programs, by game and person, kept in memory alone."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._open: dict[tuple[str, int], Open] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, table: Table, seat: PlayerId, interaction: discord.Interaction[Any], *, listed: bool = True) -> None:
        """Follow this answer from now on."""
        now, desk = self.bot.clock(), table.orders.desk(seat)
        self._open = {key: one for key, one in self._open.items() if one.until > now}
        kept = tuple(one.number for one in desk.kept)
        self._open[table.game.id, interaction.user.id] = Open(seat, interaction, now + LASTS, listed, desk.told, kept)

    def wake(self, game: str) -> None:
        """Tell of what has stopped in this game, beside all else."""
        if any(key[0] == game for key in self._open):
            task = asyncio.create_task(self._tell(game))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def idle(self) -> None:
        """Wait until all that has stopped is told."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _tell(self, game: str) -> None:
        table = await self.bot.tables.get(game)
        for key, one in [(key, one) for key, one in self._open.items() if key[0] == game]:
            desk = table.orders.desk(one.seat)
            kept = tuple(each.number for each in desk.kept)
            if one.until <= self.bot.clock() or table.viewer_for(key[1]) != one.seat:
                self._open.pop(key, None)
            elif (kept, desk.told) != (one.kept, one.told):
                self.add(table, one.seat, one.interaction, listed=one.listed)
                await self._follow(table, one, [halt for halt in desk.told if halt not in one.told])

    async def _follow(self, table: Table, one: Open, halts: list[Halt]) -> None:
        names = table.position.lexicon()
        told = [stopped(halt.program, halt.cause, names) for halt in halts if not halt.cause.natural]
        try:
            if one.listed:
                await one.interaction.edit_original_response(view=view(programs_screen(table, one.seat)))
            if told:
                await one.interaction.followup.send("\n".join(told), ephemeral=True)
        except discord.HTTPException as error:
            log.info("a stop could not be told: %s", error, extra={"game": table.game.id})
