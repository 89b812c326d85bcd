"""The house: all rooms together, what they keep, and the way from a press or a form to its room."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import discord
from discord.ext import commands

from bot.chat.answers import answer_error, in_private
from bot.chat.client import Bot
from bot.chat.layout import is_ours
from bot.chat.press import FORM_ID, Drafts, Press
from bot.chat.room import Room
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.core.work import Work
from bot.rooms.guide.room import ROOM as GUIDE
from bot.rooms.learning.room import ROOM as LEARNING
from bot.rooms.mine.room import ROOM as MINE
from bot.rooms.opponents.room import ROOM as OPPONENTS
from bot.rooms.opponents.room import Opponents, Thinkers
from bot.rooms.page.room import ROOM as PAGE
from bot.rooms.past.room import ROOM as PAST
from bot.rooms.past.room import FilmCommands, LookingBack
from bot.rooms.programs.room import ROOM as PROGRAMS
from bot.rooms.puzzles.room import ROOM as PUZZLES
from bot.rooms.seats.game_files import FilesCommands
from bot.rooms.seats.room import ROOM as SEATS
from bot.rooms.seats.setup import SetupCommands
from bot.rooms.server.room import ROOM as SERVER
from bot.rooms.time.room import ROOM as TIME
from bot.rooms.trying.room import ROOM as TRYING
from bot.rooms.turn.commands import Undoing
from bot.rooms.turn.pictures import Ahead
from bot.rooms.turn.room import ROOM as TURN
from bot.rooms.turn.shown import Looking, Reference
from bot.rooms.watching.room import ROOM as WATCHING
from bot.rooms.watching.room import Watching
from bot.settings import Settings
from storage import Store

RESTORED = (
    "Nothing was done: an older copy of this game has been restored, and this position was lost. "
    "The game continues in a new message."
)


class GameCommands(
    SetupCommands,
    FilesCommands,
    LookingBack,
    Undoing,
    Reference,
    Watching,
    commands.GroupCog,
    group_name="game",
    group_description="Create, join, change and end games",
):
    """The commands of /game, from all rooms."""


class ShowCommands(
    Looking,
    FilmCommands,
    commands.GroupCog,
    group_name="show",
    group_description="Look at the map, the market and what people hold",
):
    """The commands of /show, from all rooms."""


GROUPS = Room(cogs=(GameCommands, ShowCommands))
"""The commands in which several rooms come together."""
ROOMS = (
    GROUPS,
    LEARNING,
    OPPONENTS,
    TURN,
    PAST,
    PROGRAMS,
    TRYING,
    SEATS,
    TIME,
    WATCHING,
    PAGE,
    MINE,
    SERVER,
    GUIDE,
    PUZZLES,
)


class House(Bot):
    def __init__(self, store: Store, settings: Settings, *, parts: Path | None = None) -> None:
        """`parts` is the file in which parts of pictures are kept; only with it are maps drawn ahead."""
        super().__init__(store, settings, ROOMS, parts=parts)
        self.aside = Work(ThreadPoolExecutor(1, thread_name_prefix="boards"), self.work.drawers, self.work.patience)
        """For what is looked at beside games, in a thread of its own: games keep theirs."""
        self.ahead = self.keep(Ahead(self.work, self.aside, drawing=parts is not None))
        self.tables.when_loaded = self.ahead.add
        self.thinkers = self.keep(Thinkers(settings.thinkers, self.work))
        self.opponents = self.keep(Opponents(self))
        self.keep(Drafts())
        for one in ROOMS:
            for kept in one.keeps(self):
                self.keep(kept)

    async def pressed(self, interaction: discord.Interaction[Any], game: str, seq: int, code: str) -> None:
        if not self.is_new(interaction):
            return
        try:
            word, parts = self.rooms.read(code)
            await self._press(Press(self, interaction, game, seq, word, parts))
        except Exception as error:
            await answer_error(interaction, error)

    async def _press(self, given: Press) -> None:
        """Do what a control says, in its room. Raises errors that `answers.explain` can explain."""
        handle = self.rooms.handler(given.word)
        board = self.rooms.board_at(given.game)
        if board is not None:
            await board.guarded(given.interaction, given.game, lambda: handle(given))
            return
        try:
            await handle(given)
        except Outdated as error:
            table = await given.table()
            message = given.interaction.message
            if given.seq <= table.position.seq or in_private(given.interaction) or message is None:
                await self.present.look(table.game.id)  # they are referred to the newest message
                raise
            # A game only goes backwards if a backup was restored, or by damage; no message has working controls then.
            await self.sender.show_anew(table, message)
            raise TableError(RESTORED) from error

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle forms here, so that one opened before a restart still works, and controls that are none of ours."""
        if interaction.type is discord.InteractionType.component and not is_ours(interaction):
            await answer_error(interaction, UnknownControl())
        if interaction.type is discord.InteractionType.modal_submit and self.is_new(interaction):
            try:
                await self._submitted(interaction)
            except Exception as error:
                await answer_error(interaction, error)

    async def _submitted(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a submitted form, in its room. Raises errors that `answers.explain` can explain."""
        data: dict[str, Any] = dict(interaction.data or {})
        match = re.fullmatch(FORM_ID, str(data.get("custom_id", "")))
        word, parts = self.rooms.read(match["code"] if match else "")
        handle = self.rooms.handler(word, form=True)
        assert match is not None
        await handle(Press(self, interaction, match["game"], int(match["seq"]), word, parts))

    async def tick(self) -> int:
        """Do what is due, and let go of what nobody uses; how much was due."""
        self.thinkers.let_go()
        return await super().tick()

    async def end(self) -> None:
        """Break off what rooms have under way."""
        for one in ROOMS:
            await one.ends(self)
        await self.opponents.close()
        await self.ahead.close()
        self.thinkers.close()
