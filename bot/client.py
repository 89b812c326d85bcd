"""The bot: discord.py's client with the store, the tables and the sender."""

from __future__ import annotations

import importlib
import logging
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.components import ChooseOption, PressButton
from bot.errors import answer_error
from bot.health import EVERY, Counts, Heart
from bot.herald import Herald
from bot.position import Work
from bot.settings import Settings
from bot.tables import Tables
from storage import Store, Unavailable

log = logging.getLogger("tetsudo.bot")
KEEP_SENT = 7 * 24 * 3600
"""Seconds for which notices that were sent are kept."""
REMEMBERED = 1000
"""How many interactions are known by their ids, to notice one that is delivered twice."""
COMMANDS = ("game", "stock", "company", "trains", "turns")
"""Modules of `bot.commands`, each with a `setup`."""


class Tree(app_commands.CommandTree["Bot"]):
    """Slash commands; every error becomes a private answer."""

    async def interaction_check(self, interaction: discord.Interaction[Bot], /) -> bool:
        return interaction.client.is_new(interaction)

    async def on_error(self, interaction: discord.Interaction[Bot], error: app_commands.AppCommandError) -> None:
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await answer_error(interaction, original)


class Bot(commands.Bot):
    """One process of the bot. The store is open for as long as it runs."""

    def __init__(self, store: Store, settings: Settings, executor: Executor | None = None) -> None:
        super().__init__(
            commands.when_mentioned,
            tree_cls=Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            help_command=None,
        )
        self.store = store
        self.settings = settings
        self.work = Work(executor or ThreadPoolExecutor(settings.workers, thread_name_prefix="work"))
        self.tables = Tables(store, self.work)
        self.herald = Herald(self)
        self.counts = Counts()
        self.heart = Heart(self)
        self._delivered: dict[int, None] = {}
        self.sweep.change_interval(seconds=settings.retry_seconds)

    async def setup_hook(self) -> None:
        await self.store.outbox.release()  # what a process that was killed had claimed
        self.add_dynamic_items(PressButton, ChooseOption)
        for name in COMMANDS:
            await importlib.import_module(f"bot.commands.{name}").setup(self)
        commands_known = await self.tree.sync()
        log.info("commands registered", extra={"groups": len(commands_known)})
        self.sweep.start()
        self.pulse.start()
        self.tidy.start()

    async def on_ready(self) -> None:
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        self.herald.wake()

    async def on_resumed(self) -> None:
        await self.herald.retry()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.herald.retry()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Invited, perhaps again: games that were going on here go on."""
        await self.herald.retry()
        for game in await self.store.games_of_guild(guild.id, "running"):
            await self.herald.announce(game.id)

    async def on_guild_channel_update(self, before: Any, after: Any) -> None:
        if before.overwrites != after.overwrites:
            await self.herald.retry()

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            await self.herald.retry()

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        if (before.archived, before.locked) != (after.archived, after.locked):
            await self.herald.retry()

    @tasks.loop(seconds=20)
    async def sweep(self) -> None:
        """Try again what could not be sent, and let go of games that rest."""
        self.herald.wake()
        self.tables.let_go()

    @tasks.loop(seconds=EVERY)
    async def pulse(self) -> None:
        """Say that the event loop goes round."""
        try:
            await self.heart.beat()
        except (OSError, Unavailable) as error:
            log.warning("no sign of life can be written: %s", error)

    @tasks.loop(hours=24)
    async def tidy(self) -> None:
        """Forget what was sent long ago."""
        try:
            await self.store.outbox.prune(int(time.time()) - KEEP_SENT)
        except Unavailable as error:
            log.warning("old notices stay: %s", error)

    @sweep.before_loop
    async def _when_ready(self) -> None:
        await self.wait_until_ready()

    def is_new(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether the interaction was not delivered before. What it did is also remembered in the store."""
        if interaction.id in self._delivered:
            log.info("delivered twice", extra={"interaction": interaction.id})
            return False
        self.counts.add(f"interactions_{interaction.type.name}")
        self._delivered[interaction.id] = None
        while len(self._delivered) > REMEMBERED:
            del self._delivered[next(iter(self._delivered))]
        return True

    async def pressed(self, interaction: discord.Interaction[Any], game: str, seq: int, code: str) -> None:
        """A button or an option of a list was chosen."""
        from bot.presses import press

        if not self.is_new(interaction):
            return
        try:
            await press(self, interaction, game, seq, code)
        except Exception as error:
            await answer_error(interaction, error)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms are answered here, so that one opened before a restart still works."""
        if interaction.type is discord.InteractionType.modal_submit and self.is_new(interaction):
            from bot.forms import submitted

            try:
                await submitted(self, interaction)
            except Exception as error:
                await answer_error(interaction, error)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("in %s", event_method)

    async def close(self) -> None:
        for loop in (self.sweep, self.pulse, self.tidy):
            loop.cancel()
        await super().close()
        self.heart.stop()
