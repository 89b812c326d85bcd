"""The bot: discord.py's client with its store, tables and sender. What it answers and says, its rooms know."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
import time
from collections.abc import Collection, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot import metrics
from bot.chat import registering, signs
from bot.chat.answers import FAILURES, HandedOver, acknowledge, answer_error, explain, launch
from bot.chat.arrivals import Arrivals
from bot.chat.connection import Requests
from bot.chat.health import EVERY, Heart
from bot.chat.layout import ChooseOption, PressButton
from bot.chat.leasing import LAST_WORDS, Gateway, Leasing, Sessions
from bot.chat.messages import Messages, Retirer
from bot.chat.room import Room, Rooms
from bot.chat.sender import COMPARED, Present, Sender
from bot.core.keyed import Lately
from bot.core.notices import read_notice
from bot.core.position import Scene
from bot.core.tables import Tables
from bot.core.work import Drawers, Work, give_back
from bot.settings import Settings, Wanted
from bot.version import rules
from storage import ARRIVED, Due, Message, OutboxItem, Session, Shards, Store, Unavailable

log = logging.getLogger("tetsudo.bot")
T = TypeVar("T")
KEEP_SENT = 7 * 24 * 3600
"""Seconds for which sent notices are kept."""
AT_ONCE = 20
"""How many rows that are due are claimed in one go: hundreds of the same minute are spread over the next ones."""
BEAT = 60
"""Seconds between two signs of life, by which outages are noticed."""


@contextmanager
def _noting(what: str) -> Iterator[None]:
    """Log what goes wrong, so that whatever is done at intervals goes on."""
    try:
        yield
    except (Unavailable, OSError) as error:
        log.warning("%s: %s", what, error)
    except Exception:
        log.exception(what)


AS_IT_IS: dict[str, Any] = {
    "intents": discord.Intents(guilds=True),
    "allowed_mentions": discord.AllowedMentions.none(),
    "help_command": None,
    # Installed by a person it would be offered where it is no member and can post nothing.
    "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
}
"""What the library is told of every bot of ours."""


class Tree(app_commands.CommandTree["Bot"]):
    """The slash commands; every error becomes a private answer."""

    async def interaction_check(self, interaction: discord.Interaction[Bot], /) -> bool:
        """Let each interaction through once, as Discord may deliver one twice, and acknowledge commands at once."""
        if not interaction.client.is_new(interaction):
            return False
        try:
            if dict(interaction.data or {}).get("type") == registering.ENTRY_POINT:
                await launch(interaction)  # there is nothing else that this command does
                return False
            if interaction.type is discord.InteractionType.application_command:
                await acknowledge(interaction, shows=True)
        except (HandedOver, *FAILURES) as error:
            await answer_error(interaction, error)
            return False
        return True

    async def on_error(self, interaction: discord.Interaction[Bot], error: app_commands.AppCommandError) -> None:
        """Answer the person who typed the command, privately and in a sentence."""
        original = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        await answer_error(interaction, original)


class Bot(commands.AutoShardedBot):
    """One bot process, with one shard or many. The store stays open as long as it runs."""

    def __init__(self, store: Store, settings: Settings, rooms: Iterable[Room], *, parts: Path | None = None) -> None:
        """`parts` is the file in which parts of pictures are kept."""
        shards = settings.shards or Wanted()
        self.requests = Requests(settings.requests)
        super().__init__(
            commands.when_mentioned,
            tree_cls=Tree,
            shard_count=shards.count,
            http_trace=self.requests.trace(),
            **AS_IT_IS,
        )
        self.shard_ids = list(shards.named) or None
        if shards.count:
            self.requests.share(shards.named or range(shards.count), shards.count)
        self.store = store
        store.play_by(rules())
        store.tell_times(metrics.database_took)
        self.settings = settings
        drawers = Drawers(settings.drawers, settings.cache << 20, parts) if settings.drawers else None
        threads = ThreadPoolExecutor(settings.workers, thread_name_prefix="work")
        self.work = Work(threads, drawers, settings.send_deadline / 2)
        self.tables = Tables(store, self.work, self.advance)
        self.rooms = Rooms(rooms)
        self._connected: set[int] = set()
        """The shards that can be reached."""
        self.retirer = Retirer(self.retire, settings.send_deadline, self.clock)
        self.messages = Messages(self, self.retirer)
        self.present = Present(self, self.messages, self.retirer)
        self.sender = Sender(self, self.messages, self.present, self.retirer)
        self._kept: dict[type[Any], Any] = {}
        self.sessions = Sessions(self.http.get_bot_gateway)
        self.leases = store.leases() if shards.shared else None
        self.leasing = None if self.leases is None else Leasing(self, self.leases, shards.named)
        if self.leasing is not None:
            # The library names its own class of connections, and has no setting for it.
            discord.shard.DiscordWebSocket = Gateway  # type: ignore[misc]
        self.arrivals = Arrivals(self)
        self._wanted = shards
        self.heart = Heart(self)
        self._surveys: set[asyncio.Task[None]] = set()
        self._surveying = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None
        self._delivered = Lately[int, tuple[str, float] | None]()
        """Interactions lately: of what kind and when they came, None once Discord has the first answer."""
        self.replayed = Lately[int, None]()
        """Interactions lately that came to another process before."""
        self.requests.answered, self.requests.limited = self._answered, self._limited
        self._seen = Lately[tuple[int, int], float]()
        self._under_way: set[asyncio.Task[Any]] = set()
        """What is being done about interactions."""
        self._ending = False
        self._signs: asyncio.Task[None] | None = None
        self._up = asyncio.Event()
        """Set once the first shard is connected: what can wait would only delay that."""
        self._beaten: int | None = None
        self.sweep.change_interval(seconds=settings.retry_seconds)

    # What rooms keep

    def keep(self, one: T) -> T:
        """Keep what a room needs for as long as the bot runs; there is one of each type."""
        self._kept[type(one)] = one
        return one

    def its(self, kind: type[T]) -> T:
        kept: T = self._kept[kind]
        return kept

    # What rooms say

    async def say(self, item: OutboxItem) -> None:
        """Post the notice, or edit the message that it is about, as its room does; then it is done, or dropped.

        Raises discord.HTTPException, TableError or a storage error: then it waits.
        """
        notice = read_notice(item.kind, item.body)
        await self.rooms.saying(notice)(self, item, notice)

    async def retire(self, message: Message) -> None:
        """Replace an old message with what happened, without controls; a question that is still open stays.

        It says how its answers stand, which Discord may have failed to show, or which were given on the board.
        So does what stands in a channel that the game has left and that is closed to the bot.
        """
        table = await self.tables.get(message.game)
        if await self.rooms.stands(table, message):
            if (screen := await self.rooms.asks(table, message)) is not None:
                await self.messages.edit(message.channel_id, message.message_id, screen)
            return
        try:
            await self.messages.edit(message.channel_id, message.message_id, await self.rooms.left(table, message))
        except discord.Forbidden:
            if message.channel_id == table.game.channel_id:
                raise
        await self.store.messages.retire([message.message_id])

    async def lost(self, item: OutboxItem, error: discord.HTTPException) -> bool:
        """Deal with a notice for somebody outside the table that cannot be posted; False if it waits."""
        return any([await one.lost(self, item, error) for one in self.rooms.all])

    def advance(self, game_id: str) -> None:
        """Let a game go on that is waiting for nobody."""
        for room in self.rooms.all:
            room.advance(self, game_id)

    async def acted(self, interaction: discord.Interaction[Any]) -> None:
        """Tell a person who has just moved whatever else is for them."""
        for room in self.rooms.all:
            await room.acted(self, interaction)

    async def scene_of(self, place: str, user: int) -> Scene:
        """The table of a game, or the person's board, by what controls carry. Raises TableError."""
        board = self.rooms.board_at(place)
        return await self.tables.get(place) if board is None else await board.scene(self, place, user)

    def wake(self) -> None:
        self.sender.wake()

    # Connecting

    async def setup_hook(self) -> None:
        """Register controls and commands, then start what runs at intervals."""
        self.add_dynamic_items(PressButton, ChooseOption)
        for room in self.rooms.all:
            for cog in room.cogs:
                await self.add_cog(cog())
        if self.leasing is not None and self.leases is not None:
            self.shard_count = await self.leasing.join(self._wanted.count, await self.sessions.recommended())
            self.sessions.slots = self.leases
            self._listening = asyncio.create_task(self._listen())
        else:
            await self.store.outbox.release(self.owner)  # claimed by a process of ours that was killed
            for area in self.rooms.due:
                await getattr(self.store, area).release(self.owner)
            if self.shard_count is None:
                self.shard_count = await self.sessions.recommended()
            if 0 in (self.shard_ids or (0,)):  # once for all: every shard has one process, and one of them is the first
                await self.register()
            self._bring_signs(upload=0 in (self.shard_ids or (0,)))  # likewise
            self._in_time(self._check_rules(None))
        if self.settings.endpoint is not None:
            self.arrivals.open(None if self.leases is None or self.leasing is None else self.store.inbox(self.leases))
        self.sweep.start()
        self.compare.start()
        self.pulse.start()
        self.tidy.start()

    async def register(self) -> None:
        known = await registering.register(self, self.tree, activity=self.settings.activity is not None)
        log.info("commands registered", extra={"groups": known})

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
        """Whether this process handles what happens on this server and in its games."""
        return self.leasing is None or self.leasing.shards.has(guild_id)

    def servers(self) -> int:
        """How many servers are on the shards that this process serves."""
        return sum(self.is_ours(one.id) for one in self.guilds)

    def connections(self) -> tuple[int, int]:
        """How many shards this process serves at the moment, and how many of them are connected."""
        own = self.shard_ids or range(self.shard_count or 1) if self.leasing is None else self.leasing.shards.own
        return len(own), sum(number in own and not one.is_closed() for number, one in self.shards.items())

    @property
    def owner(self) -> str:
        """The name in which rows are claimed: the process's, or the account's where one process serves a file."""
        assert self.user is not None
        return self.leases.owner if self.leases is not None else f"bot {self.user.id}"

    def session(self, shard: int) -> Session | None:
        """The session of a shard, which another process could go on with; None without one."""
        if self.get_shard(shard) is None:
            return None
        there = self._get_websocket(shard_id=shard)
        return there.session if isinstance(there, Gateway) else None

    def doubted(self) -> None:
        """Others may have our shards soon, and send what we were sending."""
        self.sender.stop()

    def parted(self) -> None:
        """No shard is ours any more: others may send what we were sending, and read its games."""
        self.sender.stop()
        for task in self._surveys:
            task.cancel()

    def took(self, shards: Shards) -> None:
        """These shards are ours from now on."""
        self.wake()
        self.arrivals.wake()
        self._in_time(self._look_after(shards))

    def _in_time(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done beside what people do."""
        task = asyncio.create_task(work)
        self._surveys.add(task)
        task.add_done_callback(self._surveys.discard)

    async def _look_after(self, shards: Shards) -> None:
        """What is done once for all games, or for all servers, by whoever has their shard."""
        if 0 in shards.own:
            try:
                await self._register_once()
            except (Unavailable, *FAILURES) as error:
                log.warning("commands were not registered: %s", error)
        self._bring_signs(upload=0 in shards.own)
        await self.compare()
        await self._check_rules(shards)

    def _bring_signs(self, *, upload: bool) -> None:
        """Show the signs, if the host wants them; whoever serves the first shard uploads what is missing."""
        if self._signs is not None:
            self._signs.cancel()
        if self.settings.signs:
            self._signs = asyncio.create_task(signs.bring(self, upload=upload))

    async def _register_once(self) -> None:
        """Tell Discord of the commands, unless some process has told it of the same ones. Raises Unavailable."""
        assert self.leases is not None
        assert self.application_id is not None
        told = json.dumps([one.to_dict(self.tree) for one in self.tree.get_commands()], sort_keys=True)
        commands = hashlib.sha256(told.encode()).hexdigest()
        if await self.leases.registered(self.application_id) != commands:
            await self.register()
            await self.leases.register(self.application_id, commands)

    async def _listen(self) -> None:
        """Do what another process queued for our shards as soon as it says so; the rest is found at intervals."""
        async for about in self.store.hints():
            (self.arrivals if about == ARRIVED else self.sender).wake()

    async def on_ready(self) -> None:
        """Connected, with all shards: send what waits in the outbox."""
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        self._connected |= set(self.shards) or {0}
        self.sender.wake()

    async def on_shard_ready(self, shard_id: int) -> None:
        """One of several shards is connected: it need not wait for the others."""
        metrics.GATEWAY.labels("began").inc()
        self._connected.add(shard_id)
        self._up.set()
        if self.leasing is not None:
            await self.leasing.began(shard_id)
        self.sender.wake()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A shard is back after a lost connection, or goes on here: what could not be sent may go out now."""
        metrics.GATEWAY.labels("resumed").inc()
        self._connected.add(shard_id)
        self._up.set()
        if self.leasing is not None:
            self.leasing.resumed(shard_id)
        await self.sender.resumed(Shards((shard_id,), self.shard_count or 1))

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard has lost its connection. Without any, nobody's time runs."""
        metrics.GATEWAY.labels("lost").inc()
        if (there := self.get_shard(shard_id)) is None or there.is_closed():
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
        with _noting("what is due failed"):
            await self.tick()
        with _noting("notices wait"):
            await self.sender.sweep()
        self.tables.let_go()
        await self.work.do(give_back)

    async def tick(self) -> int:
        """Do what is due; how much that was. Nothing while Discord cannot be reached, as nobody can answer then."""
        if not self._connected:
            return 0
        done = 0
        try:
            await self._beat()
            for room in self.rooms.all:
                done += await room.looks(self) or 0
            for area in self.rooms.due:
                done += await self.do_due(area)
        except Unavailable as error:
            log.warning("what is due waits: %s", error)
        if done:
            self.wake()
        return done

    async def do_due(self, area: str) -> int:
        """Do what is due in one area of the storage, row by row; how much that was. Raises Unavailable.

        What goes wrong with one row is logged, and tried again when its claim has run out.
        """
        waiting: Due = getattr(self.store, area)
        keys = dict.fromkeys(await waiting.claim(self.owner, limit=AT_ONCE, shards=self.serving))
        for key in keys:
            try:
                await self.rooms.due[area](self, key)
            except Unavailable:
                raise
            except Exception as error:
                known = explain(error) is not None or isinstance(error, FAILURES)
                level = logging.WARNING if known else logging.ERROR
                log.log(level, "%s: what is due waits: %r", area, error, exc_info=not known, extra={"key": key})
        return len(keys)

    async def _beat(self) -> None:
        """Note now and then that the bot is alive: while it is not, no clock runs."""
        now = self.clock()
        if self._beaten is not None and 0 <= now - self._beaten < BEAT:
            return
        found = await self.store.clocks.beat()
        self._beaten = now
        if found is not None:
            log.warning("all clocks stood still", extra={"from": found.stopped_at, "to": found.resumed_at})

    @tasks.loop(seconds=COMPARED)
    async def compare(self) -> None:
        with _noting("turns were not compared"):
            await self.present.compare(self.serving)

    @tasks.loop(seconds=EVERY)
    async def pulse(self) -> None:
        """Show that the event loop is alive."""
        with _noting("could not write a heartbeat"):
            await self.heart.beat()

    @tasks.loop(hours=24)
    async def tidy(self) -> None:
        """Delete notices sent long ago."""
        with _noting("could not delete old notices"):
            await self.store.outbox.prune(self.clock() - KEEP_SENT)

    async def up(self) -> None:
        """Wait until the first shard is connected."""
        await self._up.wait()

    @sweep.before_loop
    @compare.before_loop
    async def _when_up(self) -> None:
        await self.up()

    async def _check_rules(self, shards: Shards | None) -> None:
        """Find the games on these shards that changed rules affect, and tell their channels."""
        await self.up()
        async with self._surveying:
            with _noting("running games were not checked"):
                if touched := await self.tables.survey(shards):
                    log.warning("changed rules affect %s games: `tetsudo rules` lists those that wait", touched)
                    self.sender.wake()

    def clock(self) -> int:
        """The time, the same for the bot as for its store: whole seconds since 1970, UTC."""
        return self.store.clock()

    def is_new(self, interaction: discord.Interaction[Bot]) -> bool:
        """Whether this is the interaction's first delivery, and ours. The store also remembers what it did."""
        came = self.arrivals.came(interaction.id)
        if self._ending:  # Discord says that it failed, and the person tries again
            return False
        if came is None and not self.is_ours(interaction.guild_id):
            log.warning("for another process", extra={"interaction": interaction.id})
            return False
        if came is None and interaction.id in self._delivered:
            log.info("delivered twice", extra={"interaction": interaction.id})
            return False
        if interaction.type is discord.InteractionType.autocomplete and interaction.id in self.replayed:
            return False  # whoever typed has typed on
        metrics.INTERACTIONS.labels(interaction.type.name).inc()
        self.store.has_written = False
        if (task := asyncio.current_task()) is not None:
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        self._delivered[interaction.id] = interaction.type.name, time.monotonic() if came is None else came.at
        if interaction.guild_id is not None:
            self._seen[interaction.guild_id, interaction.user.id] = time.monotonic()
        return True

    def interacted(self, body: dict[str, Any]) -> Collection[asyncio.Task[Any]]:
        """Begin with what an interaction asks, as if it had come over the gateway; the tasks that do it.

        The library names none of the tasks that it begins.
        """
        before = asyncio.all_tasks()
        self._connection.parsers["INTERACTION_CREATE"](body)
        return asyncio.all_tasks() - before

    def _answered(self, interaction: int) -> None:
        if (came := self._delivered.get(interaction)) is not None:
            kind, at = came
            metrics.ACKNOWLEDGED.labels(kind).observe(time.monotonic() - at)
            self._delivered[interaction] = None

    def _limited(self, seconds: float) -> None:
        """Let requests go on soon after this: the library does not where the one that met the limit is broken off."""
        asyncio.get_running_loop().call_later(seconds + 1, lambda: self.http._global_over.set())

    def seen(self, guild: int, user: int, seconds: float) -> bool:
        """Whether the person has used the bot on this server within this many seconds."""
        return time.monotonic() - self._seen.get((guild, user), -seconds - 1) <= seconds

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log what an event handler raised; a database that cannot be used now is no fault of the program."""
        error = sys.exception()
        if isinstance(error, Unavailable):
            log.warning("%s had no effect: %s", event_method, error)
        else:
            log.exception("in %s", event_method)

    async def end(self) -> None:
        """Break off what rooms have under way."""

    async def close(self) -> None:
        """Hand over what others can take, disconnect, stop what runs at intervals, and remove the heartbeat."""
        if self.leasing is not None:
            await self.leasing.drain()
        self._ending = True
        self.arrivals.close()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LAST_WORDS)
        for task in (*self._surveys, *filter(None, (self._listening, self._signs))):
            task.cancel()
        for loop in (self.sweep, self.compare, self.pulse, self.tidy):
            loop.cancel()
        await self.end()
        await super().close()
        if self.work.drawers is not None:
            self.work.drawers.close()
        self.heart.stop()
