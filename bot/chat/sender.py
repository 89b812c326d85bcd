"""The sender: takes notices from the outbox and has them said, and shows anew the turns that nobody sees.

A notice is stored together with its cause, so nothing is lost if the bot stops in between. Whoever stores one
wakes the sender; a loop retries what could not be sent. Still a notice can be lost, with a message that was deleted, a
channel that came back, a copy that was restored: so now and then, at the start, and when people look for a turn, what
stands in a channel is compared with the position.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeGuard

import discord
from discord.abc import GuildChannel

from bot import metrics
from bot.chat.answers import FAILURES, explain, show_privately
from bot.chat.connection import Connection
from bot.chat.messages import THREAD_IS_ARCHIVED, Messages, Retirer
from bot.chat.rights import THREAD_IS_LOCKED, channel_is_gone, trouble
from bot.chat.screen import Screen
from bot.core import clock as clocks
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.hours import DAY
from bot.core.keyed import Lately
from bot.core.notices import TURNS, LateNotice, asked_anew, is_watch, queued, turn_notice, turn_of
from bot.core.table import Table
from storage import Game, Notice, OutboxItem, Shards, StorageError, Unavailable

log = logging.getLogger("tetsudo.sender")
QUESTIONS = ("offer:%", "undo:%", "vote:%", "seat:%", "late:%")
"""The kinds of messages that ask, until that is settled."""
COMPARED = 300.0
"""Seconds between two comparisons."""
LOOKED = 60
"""Seconds for which a message that was there is taken to be there."""


class Present:
    """Looks for turns that nobody sees."""

    def __init__(self, bot: Connection, messages: Messages, retirer: Retirer) -> None:
        self.bot, self._messages, self._retirer = bot, messages, retirer
        self._hopeless: dict[str, int] = {}
        """Games whose turn cannot be shown, by their version: not before something has happened to them."""
        self._open: dict[str, tuple[int, int]] = {}
        """Games beside whose turn only open questions stand, by their version, and when that was so."""
        self._seen: dict[str, int] = {}
        """When a game's message was last looked for, and there."""

    async def compare(self, shards: Shards | None) -> int:
        """Show what is not shown in the games on these shards; how many that were.

        Past messages lose their controls that a process had not come to when it ended.
        """
        store, shown = self.bot.store, 0
        unshown = await store.messages.unshown(TURNS, shards)
        for game in unshown:
            shown += await self._try(game, self._show)
        unreduced = await store.messages.unreduced(TURNS, QUESTIONS, shards)
        for game in unreduced:
            version, at = self._open.get(game.id, (-1, 0))
            if version != game.version or not 0 <= self.bot.clock() - at < DAY:
                await self._try(game, self._reduce)
        found = {one.id for one in (*unshown, *unreduced)}
        self._hopeless = {game: version for game, version in self._hopeless.items() if game in found}
        self._open = {game: one for game, one in self._open.items() if game in found}
        if shown:
            self.bot.wake()
        return shown

    async def _try(self, game: Game, what: Callable[[Game], Awaitable[bool]]) -> bool:
        """What this returns; False for a game of which nothing can be shown. Raises Unavailable."""
        if self._hopeless.get(game.id) == game.version:
            return False
        self._hopeless.pop(game.id, None)
        try:
            return await what(game)
        except Unavailable:
            raise
        except (TableError, StorageError) as error:
            log.warning("the turn cannot be shown: %s", error, extra={"game": game.id})
            self._hopeless[game.id] = game.version
            return False

    async def _reduce(self, game: Game) -> bool:
        """Reduce all but the present turn's message, unless the game has ended without a result; questions may stay.

        Where somebody has moved since the game was found, the next turn's message is to come, and reduces them.
        """
        table = await self.bot.tables.get(game.id)
        if table.position.seq != game.seq:
            return False
        its = None if game.status == "abandoned" else (table.shown().kind, game.channel_id)
        beside = [one for one in await self.bot.store.messages.live(game.id) if (one.kind, one.channel_id) != its]
        past = [one for one in beside if not await self.bot.rooms.stands(table, one)]
        for message in beside:
            self._retirer.add(message)
        if not past:
            self._open[game.id] = game.version, self.bot.clock()
        return True

    async def gone(self, game_id: str) -> None:
        """The game's channel is gone, so nothing can be shown before it is moved."""
        self._hopeless[game_id] = (await self.bot.store.game(game_id)).version

    async def look(self, game_id: str) -> None:
        """Somebody looks for the game's turn: if its message is gone, show it anew, and ask anew about who is late."""
        store, now = self.bot.store, self.bot.clock()
        game = await store.game(game_id)
        if game.status != "running" or 0 <= now - self._seen.get(game_id, now - LOOKED) < LOOKED:
            return
        live = [one for one in await store.messages.live(game_id) if turn_of(one.kind) is not None]
        here = [one for one in live if one.channel_id == game.channel_id]
        if here and not await self.is_there(here[-1].channel_id, here[-1].message_id):
            await store.messages.retire([here[-1].message_id])
        if await store.messages.unshown(TURNS, game=game_id):
            with suppress(TableError):
                await self._show(game)
            self.bot.wake()
        else:
            self._seen = {one: at for one, at in self._seen.items() if 0 <= now - at < LOOKED}
            self._seen[game_id] = now
        late = (await clockwork.clock_of(store, game_id)).late
        if late is not None and await self.forget_gone(game_id, f"{clocks.LATE}:{late.seat}"):
            await store.outbox.post(game_id, [queued(LateNotice(late.seat))])
            self.bot.wake()

    async def questions(self, table: Table) -> list[Notice]:
        """What the game's channel is asked by now, so that another can be; about who is late also if it was gone."""
        store, rooms = self.bot.store, self.bot.rooms
        late = (await clockwork.clock_of(store, table.id)).late
        asked = [queued(LateNotice(late.seat))] if late is not None and late.asked else []
        for message in await store.messages.live(table.id):
            if await rooms.stands(table, message) and (body := await store.outbox.body_of(message.message_id)):
                asked.append(asked_anew(message.kind, body))
        return list(dict.fromkeys(asked))

    async def forget_gone(self, game_id: str, kind: str) -> bool:
        """Messages of this kind ask nobody any more if somebody deleted them; whether there were such."""
        live = await self.bot.store.messages.live(game_id)
        live = [one for one in live if one.kind == kind or one.kind.startswith(f"{kind}:")]
        gone = [one.message_id for one in live if not await self.is_there(one.channel_id, one.message_id)]
        await self.bot.store.messages.retire(gone)
        return bool(gone)

    async def is_there(self, channel_id: int, message_id: int) -> bool:
        """Whether the message is in the channel, as far as anybody can tell."""
        try:
            await (await self._messages.channel(channel_id)).get_partial_message(message_id).fetch()
        except discord.NotFound:
            return False
        except FAILURES:
            return True
        return True

    async def _show(self, game: Game) -> bool:
        """Queue a notice that shows the game; False if it is archived. Raises TableError or a storage error."""
        if (await clockwork.clock_of(self.bot.store, game.id)).archived is not None:
            return False
        table = await self.bot.tables.get(game.id)
        log.warning("the turn is not shown: it is shown anew", extra={"game": game.id, "seq": table.position.seq})
        await self.bot.store.outbox.post(game.id, [turn_notice(table.key, again=True)])
        return True


PAUSES = (5, 15, 60, 300, 900, 3600)
"""Seconds to wait after each failure; the last one repeats."""
GIVE_UP = 60 * 24
AT_ONCE = 20
"""How many notices are sent at a time."""
PAUSED = (
    "⚠ Discord has refused so many of my messages, here or elsewhere, that I will post nothing for about {minutes} "
    "min. Nothing is lost."
)
GRACE = 60
"""Seconds by which a claim outlives the longest send."""


class Sender:
    """Sends notices. A process runs one drain at a time."""

    def __init__(self, bot: Connection, messages: Messages, present: Present, retirer: Retirer) -> None:
        self.bot, self._messages, self._present, self._retirer = bot, messages, present, retirer
        self._drain: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._under_way: set[int] = set()
        self._broken_off = False
        """Whether notices may be claimed in our name that nobody is sending."""
        self._events = 0
        self._reopened: dict[int, int] = {}
        """The last event by which something on a server was opened: a send that fails meanwhile is retried at once."""
        self._hurried: set[str] = set()
        """Games whose notices were hurried since the last sweep; what happens to them until then counts at the next."""
        self._later: set[str] = set()
        self._troubles = Lately[str, str]()
        """By game: why nothing can be posted in its channel at the moment, and what to do about it."""
        self._witnesses = Lately[str, discord.Interaction[Any]]()

    def wake(self) -> None:
        """Start sending what is due."""
        self._woken.set()
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Break off whatever is being sent: others may send it by now."""
        if self._drain is not None:
            self._drain.cancel()
            self._drain = None
            self._broken_off = True

    def witnessed(self, game_id: str, interaction: discord.Interaction[Any]) -> None:
        """Send what is waiting, and tell this person if it cannot be posted."""
        self._witnesses[game_id] = interaction
        self.wake()

    async def reopened(self, guild: discord.Guild, place: GuildChannel | discord.Thread | None = None) -> None:
        """Retry what waits on a server, or in one of its channels or threads: it may be open to the bot again.

        A game is hurried so once between two sweeps, or whoever changes permissions again and again could have us
        make thousands of requests that Discord refuses.
        """
        self._events += 1
        self._reopened[guild.id] = self._events
        waiting = await self.bot.store.outbox.put_off(guild.id)
        await self._once({game for game, channel in waiting if _is_at(guild, channel, place)})

    async def sweep(self) -> None:
        """Send what is due, and what was reopened once more in the meantime."""
        games, self._later, self._hurried = self._later, set(), set()
        if not self._under_way:
            self._reopened.clear()
        await self._hurry(games)
        self.wake()

    async def _once(self, games: set[str]) -> None:
        self._later |= games & self._hurried
        await self._hurry(games - self._hurried)

    async def _hurry(self, games: set[str]) -> None:
        self._hurried |= games
        if await self.bot.store.outbox.hurry(games):
            self.wake()

    async def resumed(self, shards: Shards) -> None:
        """Retry what may have been lost with the connection of these shards."""
        if await self.bot.store.outbox.hurry_unsure(shards):
            self.wake()

    def trouble(self, game_id: str) -> str:
        """Why nothing can be posted in a game's channel at the moment, and what to do about it; "" if it can."""
        if minutes := -(-self.bot.requests.refusals.resumes_in // 60):
            return PAUSED.format(minutes=minutes)
        return self._troubles.get(game_id, "")

    def moved(self, game_id: str) -> None:
        """The game is in another channel: why nothing could be posted in its old one is nobody's trouble any more."""
        self._troubles.pop(game_id, None)

    async def announce(self, game_id: str) -> None:
        """Post where a game stands in its channel, as if the turn had just begun."""
        table = await self.bot.tables.get(game_id)
        await self.bot.store.outbox.post(game_id, [table.shown()])
        self.wake()

    async def show_anew(self, table: Table, lost: discord.Message) -> None:
        """Close the message of a position that is no longer stored, and post where the game stands."""
        for message in await self.bot.store.messages.live(table.game.id):
            if turn_of(message.kind) is not None:
                await self.bot.retire(message)
        await self.announce(table.game.id)
        await self._messages.edit(
            lost.channel.id, lost.id, Screen("*This position was lost when an older copy was restored.*")
        )

    async def idle(self) -> None:
        """Wait until nothing is being sent."""
        while (task := self._busy()) is not None:
            await asyncio.shield(task)

    def _busy(self) -> asyncio.Task[None] | None:
        return next((one for one in (self._drain, self._retirer.task) if one is not None and not one.done()), None)

    async def _run(self) -> None:
        """Send what is due, several at a time. A slow one only holds back those behind it in its lane."""
        sending: set[asyncio.Task[None]] = set()
        try:
            if self._broken_off:
                await self.bot.store.outbox.release(self.bot.owner)
                self._broken_off = False
            while True:
                self._woken.clear()
                refusals = self.bot.requests.refusals
                if len(sending) < AT_ONCE and not refusals.stopped and self.bot.requests.may_send():
                    items = await self.bot.store.outbox.claim(
                        self.bot.owner,
                        limit=AT_ONCE - len(sending),
                        lease_seconds=int(self.bot.settings.send_deadline) + GRACE,
                        under_way=self._under_way,
                        again=not refusals.careful,
                        shards=self.bot.serving,
                    )
                    sending |= {asyncio.create_task(self._send(item)) for item in items}
                if not sending and not self._woken.is_set():
                    return
                sending = await self._any(sending)
        except Unavailable as error:
            log.warning("notices wait: %s", error)
            self._broken_off = True
        except asyncio.CancelledError:
            for task in sending:
                task.cancel()
            raise
        await asyncio.gather(*sending, return_exceptions=True)

    async def _any(self, sending: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """Wait until one is sent or `wake` is called; return those still being sent. Raises Unavailable."""
        woken = asyncio.create_task(self._woken.wait())
        try:
            done, _ = await asyncio.wait({*sending, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            woken.cancel()
        for task in done & sending:
            task.result()
        return sending - done

    async def _send(self, item: OutboxItem) -> None:
        outbox, began = self.bot.store.outbox, self._events
        self._under_way.add(item.id)
        if item.attempts == 1:
            metrics.NOTICE_WAITED.observe(max(0, self.bot.clock() - item.created_at))
        try:
            async with asyncio.timeout(self.bot.settings.send_deadline):
                await self.bot.say(item)
            if not is_watch(item.kind):
                self._troubles.pop(item.game, None)
                self._witnesses.pop(item.game, None)
        except Unavailable:
            raise
        except Exception as error:
            if isinstance(error, discord.NotFound | discord.Forbidden) and is_watch(item.kind):
                if await self.bot.lost(item, error):
                    return
            elif _is_closed(error):
                await self._cannot(item, error, began)
                return
            pause = PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            metrics.PUT_OFF.labels("failed").inc()
            known = explain(error) or isinstance(error, FAILURES)
            log.warning("a notice waits %s s: %r", pause, error, exc_info=None if known else error, extra=_about(item))
            if item.attempts > GIVE_UP:
                await outbox.drop(item, repr(error)[:200])
            else:
                await outbox.failed(item, repr(error)[:200], self.bot.clock() + pause)
        finally:
            self._under_way.discard(item.id)

    async def _cannot(self, item: OutboxItem, error: discord.HTTPException, began: int) -> None:
        """The channel is gone: give up on the notice. It is closed to the bot: keep trying. Whoever acted is told."""
        game = await self.bot.store.game(item.game)
        gone = isinstance(error, discord.NotFound) and await channel_is_gone(self.bot, game.channel_id)
        why = "the channel is gone" if gone else "the channel is closed to the bot"
        log.warning("%s: %s", why, error.text, extra=_about(item))
        if gone or item.attempts > GIVE_UP:
            await self.bot.store.outbox.drop(item, why)
            await self._present.gone(item.game)
        else:
            pause = PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            metrics.PUT_OFF.labels("closed").inc()
            said = f"{why}, says Discord: {error.text}"[:200]
            await self.bot.store.outbox.failed(item, said, self.bot.clock() + pause, refused=True)
            if self._reopened.get(game.guild_id or 0, 0) > began:
                await self._once({item.game})
        self._troubles[item.game] = trouble(error, game.channel_id, gone=gone)
        await self._tell_witness(item.game)

    async def _tell_witness(self, game_id: str) -> None:
        """Tell whoever acted last, once, that nobody sees the turn yet."""
        witness = self._witnesses.pop(game_id, None)
        if witness is None or not witness.response.is_done():
            return
        try:
            await show_privately(witness, Screen(self._troubles[game_id]), anew=True)
        except FAILURES as error:
            log.warning("nobody could be told: %s", error, extra={"game": game_id})


def _is_closed(error: Exception) -> TypeGuard[discord.HTTPException]:
    """Whether Discord lets the bot post nothing there, now or ever."""
    if isinstance(error, discord.NotFound | discord.Forbidden):
        return True
    return isinstance(error, discord.HTTPException) and error.code in (THREAD_IS_LOCKED, THREAD_IS_ARCHIVED)


def _is_at(guild: discord.Guild, channel_id: int, place: GuildChannel | discord.Thread | None) -> bool:
    """Whether a game's channel is this place or a thread of it, as one that is not known may be."""
    if place is None or channel_id == place.id:
        return True
    here = guild.get_channel_or_thread(channel_id)
    if isinstance(place, discord.Thread):
        return False
    return here is None or (isinstance(here, discord.Thread) and here.parent_id == place.id)


def _about(item: OutboxItem) -> dict[str, Any]:
    return {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts}
