"""A press, and what every handler of one asks first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from bot.chat import codes
from bot.chat.answers import show_privately
from bot.chat.client import Bot
from bot.chat.screen import Screen
from bot.core.errors import NotYourTurn, Outdated, TableError, UnknownControl
from bot.core.scene import Scene
from bot.core.table import Table
from engine.ids import PlayerId


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

    @property
    def code(self) -> str:
        """What the control carries, whole."""
        return codes.join(self.word, *self.parts)

    async def table(self) -> Table:
        """The game's table. Raises UnknownControl if the control names what its game does not have.

        Whatever only a table can do is not to be had from a line's board.
        """
        if self.bot.boards.has(self.game):
            raise UnknownControl()
        table = await self.bot.tables.get(self.game)
        codes.must_be_of(table.title, self.word, self.parts)
        return table

    async def scene(self) -> Scene:
        """The game's table, or the line that the person tries out. Raises as `table` does, and TableError."""
        scene = await self.bot.scene_of(self.game, self.user)
        codes.must_be_of(scene.title, self.word, self.parts)
        return scene

    async def show(self, screen: Screen) -> None:
        """Answer privately; what is opened from a line's board leads back there."""
        if self.bot.boards.has(self.game):
            screen.buttons(self.bot.boards.back)
        await show_privately(self.interaction, screen)

    def check_fresh(self, scene: Scene) -> None:
        """Raise Outdated unless the control was made for the current position."""
        if scene.position.seq != self.seq:
            raise Outdated()


async def asked(given: Press) -> tuple[Scene, PlayerId]:
    """Where the person acts, and their seat, which must be asked now. Raises Outdated, NotSeated or NotYourTurn."""
    scene = await given.scene()
    given.check_fresh(scene)
    seat = scene.seat_for(given.user)
    if seat not in scene.position.up:
        refuse_idle(scene, seat)
    return scene, seat


async def acting_seat(scene: Scene, user: int, code: str) -> PlayerId:
    """The first seat that the code may be meant for and that can do it; the last one where none can."""
    seats = scene.seats_for(user)
    if len(seats) > 1 and not code.startswith("RunTrains"):
        for seat in seats[:-1]:
            if code in map(codes.action_code, await scene.position.actions(seat)):
                return seat
        return seats[-1]
    return seats[0]


def refuse_idle(scene: Scene, seat: PlayerId) -> None:
    if seat not in scene.position.up:
        raise NotYourTurn.waits_for(scene.names.get(one, one) for one in scene.position.up)
    raise TableError("There is nothing to choose from now.")
