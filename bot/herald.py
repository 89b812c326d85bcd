"""The sender: takes what is to be said from the outbox and says it in the channels.

A notice was written together with what it tells about, so nothing is lost when the bot stops in between.
Draining is started by whoever wrote a notice; a loop tries again what could not be sent.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import discord

from bot import deals, lobby, packet
from bot.components import files, view
from bot.errors import explain
from bot.parts import Screen
from bot.table import Table, turn_key
from storage import Notice, OutboxItem, Unavailable

if TYPE_CHECKING:
    from bot.client import Bot

log = logging.getLogger("tetsudo.herald")
PAUSES = (5, 15, 60, 300, 900, 3600)
"""Seconds to wait after each failure; the last repeats."""
GIVE_UP = 60 * 24
AT_ONCE = 20
"""How many notices are being sent at a time."""
LOOK_BACK = 100
"""How many messages are looked through for one that an earlier attempt sent."""
CLOCKS = 300
"""Seconds by which Discord's clock and ours may differ."""
THREAD_IS_ARCHIVED = 50083


class Herald:
    """Sends notices. One drain runs at a time in a process."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._drain: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._under_way: set[int] = set()

    def wake(self) -> None:
        """Send what is waiting, now."""
        self._woken.set()
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._run())

    async def retry(self) -> None:
        """Try now what was waiting for a better time: a channel was opened again, or the bot was allowed back."""
        if await self.bot.store.outbox.release(but=self._under_way):
            self.wake()

    async def announce(self, game_id: str) -> None:
        """Show where a game stands, in its channel, as if the turn began now."""
        table = await self.bot.tables.get(game_id)
        kind = f"turn:{turn_key(table.title, table.told, table.beginning)}"
        await self.bot.store.outbox.post(game_id, [Notice(kind, "{}")])
        self.wake()

    async def show_anew(self, table: Table, lost: discord.Message) -> None:
        """Close a message of a position that is no longer stored, and show where the game stands in a new one."""
        for message in await self.bot.store.messages.live(table.game.id):
            if message.kind.startswith("turn:"):
                await self._retire(table, message.channel_id, message.message_id, message.kind)
        await self.announce(table.game.id)
        await self._edit(lost.channel.id, lost.id, Screen("*This position was lost: an older copy was restored.*"))

    async def idle(self) -> None:
        """Wait until nothing is being sent."""
        while self._drain is not None and not self._drain.done():
            await asyncio.shield(self._drain)

    async def _run(self) -> None:
        """Send what is due, some at a time. A slow one holds back only those behind it in its lane."""
        sending: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._woken.clear()
                if len(sending) < AT_ONCE:
                    items = await self.bot.store.outbox.claim(limit=AT_ONCE - len(sending))
                    sending |= {asyncio.create_task(self._send(item)) for item in items}
                if not sending and not self._woken.is_set():
                    return
                sending = await self._any(sending)
        except Unavailable as error:
            log.warning("notices wait: %s", error)
        await asyncio.gather(*sending, return_exceptions=True)

    async def _any(self, sending: set[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """Wait until one is sent or somebody wakes; those still under way. Raises Unavailable."""
        woken = asyncio.create_task(self._woken.wait())
        done, _ = await asyncio.wait({*sending, woken}, return_when=asyncio.FIRST_COMPLETED)
        woken.cancel()
        for task in done & sending:
            task.result()
        return sending - done

    async def _send(self, item: OutboxItem) -> None:
        outbox = self.bot.store.outbox
        self._under_way.add(item.id)
        try:
            async with asyncio.timeout(self.bot.settings.send_deadline):
                await self._say(item)
        except (discord.NotFound, discord.Forbidden) as error:
            await self._cannot(item, error)
        except Unavailable:
            raise
        except Exception as error:
            pause = PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            self.bot.counts.add("notices_put_off")
            known = explain(error) or isinstance(error, discord.HTTPException | TimeoutError | OSError)
            log.warning("a notice waits %s s: %r", pause, error, exc_info=None if known else error, extra=_about(item))
            if item.attempts > GIVE_UP:
                await outbox.drop(item, repr(error)[:200])
            else:
                await outbox.failed(item, repr(error)[:200], int(time.time()) + pause)
        finally:
            self._under_way.discard(item.id)

    async def _cannot(self, item: OutboxItem, error: discord.HTTPException) -> None:
        """The channel is gone, or closed to the bot: try for a day, then give the notice up."""
        why = "no permission in channel" if isinstance(error, discord.Forbidden) else "channel or message is gone"
        log.warning("%s: %s", why, error.text, extra=_about(item))
        if isinstance(error, discord.NotFound) or item.attempts > len(PAUSES) + 22:
            await self.bot.store.outbox.drop(item, why)
        else:
            pause = PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            await self.bot.store.outbox.failed(item, why, int(time.time()) + pause)

    async def _say(self, item: OutboxItem) -> None:
        kind = item.kind.partition(":")[0]
        if kind == "turn":
            await self._say_turn(item)
        elif kind == "offer":
            await self._say_offer(item)
        else:
            body = json.loads(item.body)
            screen = Screen(text=body["text"], game=item.game, seq=item.seq)
            pinged = [discord.Object(user) for user in body.get("ping", [])]
            if await self._sent_before(item):
                return
            await self._post(item, screen, pinged, remember=False)

    # Turns

    async def _say_turn(self, item: OutboxItem) -> None:
        """One message for a turn: posted when it begins, changed as it goes on, reduced when it is over."""
        started = time.perf_counter()
        table = await self.bot.tables.get(item.game)
        if item.seq > table.position.seq:  # written by another process, or by a table that was let go
            await table.refresh()
        if await self._sent_before(item, remember=True):
            for message in await self.bot.store.messages.live(item.game):
                if message.kind != item.kind and item.seq == table.position.seq:
                    await self._retire(table, message.channel_id, message.message_id, message.kind)
            return
        if item.seq < table.position.seq:
            await self.bot.store.outbox.drop(item, "the position passed")
            return
        screen = await packet.turn_screen(table)
        live = await self.bot.store.messages.live(item.game)
        here = table.game.channel_id
        same = [message for message in live if message.kind == item.kind and message.channel_id == here]
        edited = bool(same) and await self._edit(same[-1].channel_id, same[-1].message_id, screen)
        if edited:
            await self.bot.store.outbox.done(item)
        else:
            people = [discord.Object(table.seats[seat].user_id) for seat in table.position.up if seat in table.seats]
            await self._post(item, screen, people, remember=True)
        spent = round(1000 * (time.perf_counter() - started))
        self.bot.counts.turn_shown(spent)
        log.info("turn shown", extra={**_about(item), "ms": spent})
        for message in live:
            if message.kind != item.kind or message.channel_id != here or not edited:
                await self._retire(table, message.channel_id, message.message_id, message.kind)

    async def _retire(self, table: Table, channel: int, message: int, kind: str) -> None:
        """Take the controls off a message of the past and leave what happened."""
        if kind.startswith("turn:"):
            screen = packet.past_screen(table, kind)
        elif kind == "lobby":
            screen = lobby.lobby_screen(table.game, list(table.seats.values()))
        else:
            screen = Screen("*The offer has lapsed.*")
        try:
            await self._edit(channel, message, screen)
        except discord.HTTPException as error:
            log.warning("an old message keeps its buttons: %s", error, extra={"game": table.game.id})
        await self.bot.store.messages.retire([message])

    async def _say_offer(self, item: OutboxItem) -> None:
        body = json.loads(item.body)
        offers = [one for one in await self.bot.store.offers.open(item.game) if one.body == body["action"]]
        if not offers:
            await self.bot.store.outbox.drop(item, "the offer is closed")
            return
        if await self._sent_before(item, remember=True):
            return
        table = await self.bot.tables.get(item.game)
        screen = deals.offer_screen(table, offers[-1])
        await self._post(item, screen, [discord.Object(table.seats[offers[-1].to_seat].user_id)], remember=True)

    # Messages

    async def channel(self, channel_id: int) -> Any:
        """The channel or thread, asked from Discord if it is not known here."""
        return self.bot.get_channel(channel_id) or await self.bot.fetch_channel(channel_id)

    async def _sent_before(self, item: OutboxItem, *, remember: bool = False) -> bool:
        """Whether an earlier attempt got through although nobody noted it; then note it, and ping nobody again.

        Discord itself knows the nonce of a repeated message for some minutes only.
        """
        if item.attempts < 2 or self.bot.user is None:
            return False
        game = await self.bot.store.game(item.game)
        channel = await self.channel(game.channel_id)
        since = discord.utils.time_snowflake(datetime.fromtimestamp(item.created_at - CLOCKS, UTC))
        try:
            async for message in channel.history(limit=LOOK_BACK, after=discord.Object(since), oldest_first=False):
                if message.author.id != self.bot.user.id or not _says(message, item):
                    continue
                if not await self.bot.store.outbox.is_recorded(message.id):
                    where = game.channel_id if remember else None
                    await self.bot.store.outbox.done(item, channel_id=where, message_id=message.id)
                    log.info("was sent before", extra=_about(item))
                    return True
        except discord.HTTPException as error:
            log.warning("earlier messages cannot be read: %s", error, extra=_about(item))
        return False

    async def _post(self, item: OutboxItem, screen: Screen, people: list[discord.Object], *, remember: bool) -> None:
        game = await self.bot.store.game(item.game)
        channel = await self.channel(game.channel_id)
        message = await channel.send(
            view=view(screen),
            files=files(screen.images),
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=people),
            nonce=item.nonce,
        )
        await self.bot.store.outbox.done(item, channel_id=game.channel_id if remember else None, message_id=message.id)

    async def _edit(self, channel_id: int, message_id: int, screen: Screen) -> bool:
        """Change a message; False if it is gone."""
        try:
            channel = await self.channel(channel_id)
            await self._change(channel, message_id, screen)
        except discord.NotFound:
            return False
        except discord.HTTPException as error:
            if error.code != THREAD_IS_ARCHIVED:
                raise
            await channel.edit(archived=False)
            await self._change(channel, message_id, screen)
        return True

    async def _change(self, channel: Any, message_id: int, screen: Screen) -> None:
        await channel.get_partial_message(message_id).edit(
            view=view(screen), attachments=files(screen.images), allowed_mentions=discord.AllowedMentions.none()
        )


def _says(message: discord.Message, item: OutboxItem) -> bool:
    """Whether the message is the one that the notice asks for, by its text or the ids of its controls."""
    shown = json.dumps([one.to_dict() for one in message.components])
    kind = item.kind.partition(":")[0]
    if kind == "say":
        return json.dumps(json.loads(item.body)["text"])[1:-1] in shown
    answers = any(f":{item.game}:{item.seq}:{word}|" in shown for word in ("yes", "no"))
    return f":{item.game}:{item.seq}:" in shown and answers == (kind == "offer")


def _about(item: OutboxItem) -> dict[str, Any]:
    return {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts}
