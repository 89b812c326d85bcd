"""The bot: discord.py's client with its store, tables and sender."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import json
import logging
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot import memory
from bot.chat.answers import answer_error
from bot.chat.drafts import Drafts
from bot.chat.health import EVERY, Counts, Heart
from bot.chat.layout import ChooseOption, PressButton, is_ours
from bot.chat.leasing import Leasing
from bot.chat.messages import Messages
from bot.chat.present import EVERY as COMPARED
from bot.chat.present import Present
from bot.chat.requests import Pace
from bot.chat.retirer import Retirer
from bot.chat.sender import Sender
from bot.chat.sessions import Sessions
from bot.core.drawers import Drawers
from bot.core.errors import TableError, UnknownControl
from bot.core.tables import Tables
from bot.core.work import Work
from bot.rooms.opponents.playing import Opponents
from bot.rooms.opponents.thinkers import Thinkers
from bot.rooms.past.filming import Films
from bot.rooms.seats import handing as seats
from bot.rooms.trying.lines import TryOuts
from bot.rooms.turn.ahead import Ahead
from bot.rooms.turn.saying import retire
from bot.rooms.watching.watching import tell_watchers
from bot.settings import Settings
from bot.shards import Wanted
from bot.ui.ticker import Ticker
from storage import Shards, StorageError, Store, Unavailable

log = logging.getLogger("tetsudo.bot")
KEEP_SENT = 7 * 24 * 3600
"""Seconds for which sent notices are kept."""
REMEMBERED = 1000
"""How many interaction ids are remembered, to notice one delivered twice; and how many people, as seen lately."""
COMMANDS = (
    *("game", "show", "my", "seat", "turn", "shares", "privates", "company", "trains", "rule", "watching", "pace"),
    "stats",
)
"""The modules of `bot.ui.commands`, each with a `setup`."""


class Tree(app_commands.CommandTree["Bot"]):
    """The slash commands; every error becomes a private answer."""

    async def interaction_check(self, interaction: discord.Interaction[Bot], /) -> bool:
        """Let each interaction through once: Discord may deliver one twice."""
        return interaction.client.is_new(interaction)

    async def on_error(self, interaction: discord.Interaction[Bot], error: app_commands.AppCommandError) -> None:
        """Answer the person who typed the command, privately and in a sentence."""
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await answer_error(interaction, original)


class Bot(commands.AutoShardedBot):
    """One bot process, with one shard or many. The store stays open as long as it runs."""

    def __init__(
        self, store: Store, settings: Settings, executor: Executor | None = None, *, parts: Path | None = None
    ) -> None:
        """`parts` is the file in which parts of pictures are kept; only with it are maps drawn ahead."""
        shards = settings.shards or Wanted()
        self.pace = Pace(settings.requests)
        super().__init__(
            commands.when_mentioned,
            tree_cls=Tree,
            shard_count=shards.count,
            http_trace=self.pace.trace(),
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            help_command=None,
            # Installed by a person it would be offered where it is no member and can post nothing.
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
        )
        self.shard_ids = list(shards.named) or None
        if shards.count:
            self.pace.share(shards.named or range(shards.count), shards.count)
        self.store = store
        self.settings = settings
        drawers = Drawers(settings.drawers, settings.cache << 20, parts) if settings.drawers else None
        self.work = Work(executor or ThreadPoolExecutor(settings.workers, thread_name_prefix="work"), drawers)
        self.tables = Tables(store, self.work)
        aside = Work(executor or ThreadPoolExecutor(1, thread_name_prefix="boards"), drawers)  # games keep theirs
        self.trying = TryOuts(self.tables, aside)
        self.ahead = Ahead(self.work, aside, drawing=parts is not None)
        self._connected: set[int] = set()
        """The shards that can be reached."""
        self.messages = Messages(self)
        self.retirer = Retirer(partial(retire, self), settings.send_deadline, self.clock)
        self.sender = Sender(self)
        self.present = Present(self)
        self.ticker = Ticker(self)
        self.thinkers = Thinkers(settings.thinkers, self.work)
        self.opponents = Opponents(self)
        self.drafts = Drafts()
        self.films = Films()
        self.counts = Counts()
        self.sessions = Sessions(self.http.get_bot_gateway)
        self.leases = store.leases() if shards.shared else None
        self.leasing = None if self.leases is None else Leasing(self, self.leases, shards.named)
        self._wanted = shards
        self.heart = Heart(self)
        self._survey: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._delivered: dict[int, None] = {}
        self._seen: dict[tuple[int, int], float] = {}
        self._up = asyncio.Event()
        """Set once the first shard is connected."""
        self.sweep.change_interval(seconds=settings.retry_seconds)

    async def setup_hook(self) -> None:
        """Register controls and commands, then start what runs at intervals."""
        self.add_dynamic_items(PressButton, ChooseOption)
        for name in COMMANDS:
            await importlib.import_module(f"bot.ui.commands.{name}").setup(self)
        if self.leasing is not None and self.leases is not None:
            self.shard_count = await self.leasing.join(self._wanted.count, await self.sessions.recommended())
            self.sessions.slots = self.leases
            self._listening = asyncio.create_task(self._listen())
        else:
            await self.store.watches.release(self.sender.owner)
            await self.store.outbox.release(self.sender.owner)  # claimed by a process of ours that was killed
            await self.ticker.start()
            if self.shard_count is None:
                self.shard_count = await self.sessions.recommended()
            if 0 in (self.shard_ids or (0,)):  # once for all: every shard has one process, and one of them is the first
                await self.register()
            self._survey = asyncio.create_task(self._check_rules(None))
        self.sweep.start()
        self.compare.start()
        self.pulse.start()
        self.tidy.start()

    async def register(self) -> None:
        """Tell Discord of the commands."""
        commands_known = await self.tree.sync()
        log.info("commands registered", extra={"groups": len(commands_known)})

    async def launch_shards(self) -> None:
        """Connect all shards, or those that are free where several processes share them."""
        if self.leasing is None:
            await super().launch_shards()
            return
        self._connection.shard_count = self.shard_count
        self.leasing.begin()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Sessions begin one after another, over all processes; none of a shard that others serve."""
        await self.sessions.may_begin(shard_id or 0)
        if self.leasing is not None and shard_id not in self.leasing.shards.own:
            raise asyncio.CancelledError  # the library gives this shard up

    @property
    def serving(self) -> Shards | None:
        """The shards whose games this process serves; None for all there are."""
        return None if self.leasing is None else self.leasing.shards

    def is_ours(self, guild_id: int | None) -> bool:
        """Whether what happens on this server, and in its games, is for this process."""
        return self.leasing is None or self.leasing.serves(guild_id)

    def connections(self) -> tuple[int, int]:
        """How many shards this process serves at the moment, and how many of them are connected."""
        own = self.shard_ids or range(self.shard_count or 1) if self.leasing is None else self.leasing.shards.own
        return len(own), sum(number in own and not one.is_closed() for number, one in self.shards.items())

    def took(self, shards: Shards) -> None:
        """These shards are ours from now on."""
        self.sender.wake()
        if self._survey is not None:
            self._survey.cancel()
        self._survey = asyncio.create_task(self._look_after(shards))

    async def _look_after(self, shards: Shards) -> None:
        """What is done once for all games, or for all servers, by whoever has their shard."""
        if 0 in shards.own:
            try:
                await self._register_once()
            except (discord.HTTPException, Unavailable, OSError) as error:
                log.warning("commands were not registered: %s", error)
        await self.compare()
        await self._check_rules(self.serving)

    async def _register_once(self) -> None:
        """Tell Discord of the commands unless it was told of the same, by any process. Raises Unavailable."""
        assert self.leases is not None
        assert self.application_id is not None
        told = json.dumps([one.to_dict(self.tree) for one in self.tree.get_commands()], sort_keys=True)
        commands = hashlib.sha256(told.encode()).hexdigest()
        if await self.leases.registered(self.application_id) != commands:
            await self.register()
            await self.leases.register(self.application_id, commands)

    async def _listen(self) -> None:
        """Send what another process queued for our shards as soon as it says so; the sweep finds the rest."""
        async for _ in self.store.hints():
            self.sender.wake()

    async def on_ready(self) -> None:
        """Connected, with all shards: send what waits in the outbox."""
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        self._connected |= set(self.shards) or {0}
        self.sender.wake()

    @property
    def online(self) -> bool:
        """Whether Discord can be reached: nothing is due while nobody can answer."""
        return bool(self._connected)

    async def on_shard_ready(self, shard_id: int) -> None:
        """One of several shards is connected: it need not wait for the others."""
        self._connected.add(shard_id)
        self._up.set()
        self.sender.wake()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A shard is back after a lost connection: what could not be sent may go out now."""
        self._connected.add(shard_id)
        await self.sender.resumed(Shards((shard_id,), self.shard_count or 1))

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard has lost its connection. Without any, nobody's time runs."""
        self._connected.discard(shard_id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage: its channels can be posted in again."""
        await self.sender.reopened(guild)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Invited, perhaps again: show the games that were going on here."""
        await self.sender.reopened(guild)
        for game in await self.store.games_of_guild(guild.id, "running"):
            await self.sender.announce(game.id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Changed permissions of a channel may be what waiting messages need."""
        if before.overwrites != after.overwrites:
            await self.sender.reopened(after.guild, after)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Changed permissions of a role of the bot's may be what waiting messages need."""
        if before.permissions != after.permissions and after in after.guild.me.roles:
            await self.sender.reopened(after.guild)

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        """A thread that was reopened or unlocked can be posted in again."""
        if (before.archived, before.locked) != (after.archived, after.locked):
            await self.sender.reopened(after.guild, after)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Added to a thread, by a mention for instance."""
        await self.sender.reopened(thread.guild, thread)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot was given a role, or may speak again. Without the intent for members Discord tells of no other."""
        if self.user is not None and after.id == self.user.id:
            await self.sender.reopened(after.guild)

    @tasks.loop(seconds=20)
    async def sweep(self) -> None:
        """Do what is due, retry what could not be sent, and drop idle games."""
        try:
            await self.ticker.tick()
        except Exception:
            log.exception("what is due failed")
        try:
            await self.sender.sweep()
        except Unavailable as error:
            log.warning("notices wait: %s", error)
        self.tables.let_go()
        self.thinkers.let_go()
        await self.work.do(memory.give_back)
        await self._end_loans()
        await tell_watchers(self)

    @tasks.loop(seconds=COMPARED)
    async def compare(self) -> None:
        """Show the turns that are not shown."""
        try:
            await self.present.compare(self.serving)
        except Unavailable as error:
            log.warning("turns were not compared: %s", error)
        except Exception:
            log.exception("turns were not compared")

    async def _end_loans(self) -> None:
        """Give back the seats whose loans are over."""
        try:
            for loan in await self.store.tenures.loans_over(await self.store.time()):
                try:
                    if not self.is_ours((await self.store.game(loan.game)).guild_id):
                        continue
                    await seats.end_loan(await self.tables.get(loan.game), loan)
                except (TableError, StorageError) as error:
                    log.warning("a loan did not end: %s", error, extra={"game": loan.game})
                self.sender.wake()
        except Unavailable as error:
            log.warning("loans were not looked at: %s", error)

    @tasks.loop(seconds=EVERY)
    async def pulse(self) -> None:
        """Show that the event loop is alive."""
        try:
            await self.heart.beat()
        except (OSError, Unavailable) as error:
            log.warning("could not write a heartbeat: %s", error)

    @tasks.loop(hours=24)
    async def tidy(self) -> None:
        """Delete notices sent long ago."""
        try:
            await self.store.outbox.prune(self.clock() - KEEP_SENT)
        except Unavailable as error:
            log.warning("could not delete old notices: %s", error)

    @sweep.before_loop
    @compare.before_loop
    async def _when_up(self) -> None:
        await self._up.wait()

    async def _check_rules(self, shards: Shards | None) -> None:
        """Find the games on these shards that changed rules affect, and tell their channels."""
        await self._up.wait()  # reading games would only delay the connection
        try:
            touched = await self.tables.survey(shards, self.ahead.add)
        except Unavailable as error:
            log.warning("running games were not checked: %s", error)
            return
        if touched:
            log.warning("changed rules affect %s running games: `tetsudo rules` lists those that wait", touched)
            self.sender.wake()

    def clock(self) -> int:
        """The time, the same for the bot as for its store: whole seconds since 1970, UTC."""
        return self.store.clock()

    def is_new(self, interaction: discord.Interaction[Bot]) -> bool:
        """Whether this is the interaction's first delivery, and ours. The store also remembers what it did."""
        if not self.is_ours(interaction.guild_id):
            log.warning("for another process", extra={"interaction": interaction.id})
            return False
        if interaction.id in self._delivered:
            log.info("delivered twice", extra={"interaction": interaction.id})
            return False
        self.counts.add(f"interactions_{interaction.type.name}")
        self._delivered[interaction.id] = None
        if interaction.guild_id is not None:
            self._seen.pop((interaction.guild_id, interaction.user.id), None)
            self._seen[interaction.guild_id, interaction.user.id] = time.monotonic()
        self._forget_old(self._delivered)
        self._forget_old(self._seen)
        return True

    @staticmethod
    def _forget_old(remembered: dict[Any, Any]) -> None:
        while len(remembered) > REMEMBERED:
            del remembered[next(iter(remembered))]

    def seen(self, guild: int, user: int, seconds: float) -> bool:
        """Whether the person has used the bot on this server in the last so many seconds."""
        return time.monotonic() - self._seen.get((guild, user), -seconds - 1) <= seconds

    async def pressed(self, interaction: discord.Interaction[Bot], game: str, seq: int, code: str) -> None:
        """Handle a pressed button or a chosen option."""
        from bot.ui.presses.handlers import press

        if not self.is_new(interaction):
            return
        try:
            await press(self, interaction, game, seq, code)
        except Exception as error:
            await answer_error(interaction, error)

    async def on_interaction(self, interaction: discord.Interaction[Bot]) -> None:
        """Handle forms here, so that one opened before a restart still works, and controls that are none of ours."""
        if interaction.type is discord.InteractionType.component and not is_ours(interaction):
            await answer_error(interaction, UnknownControl())
        if interaction.type is discord.InteractionType.modal_submit and self.is_new(interaction):
            from bot.ui.forms import submitted

            try:
                await submitted(self, interaction)
            except Exception as error:
                await answer_error(interaction, error)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log what an event handler raised; a database that cannot be used now is no fault of the program."""
        error = sys.exception()
        if isinstance(error, Unavailable):
            log.warning("%s had no effect: %s", event_method, error)
        else:
            log.exception("in %s", event_method)

    async def close(self) -> None:
        """Hand over what others can take, disconnect, stop what runs at intervals, and remove the heartbeat."""
        if self.leasing is not None:
            await self.leasing.drain()
        for task in (self._survey, self._listening):
            if task is not None:
                task.cancel()
        for loop in (self.sweep, self.compare, self.pulse, self.tidy):
            loop.cancel()
        await self.films.close()
        await self.opponents.close()
        await self.ahead.close()
        self.thinkers.close()
        await super().close()
        if self.work.drawers is not None:
            self.work.drawers.close()
        self.heart.stop()
