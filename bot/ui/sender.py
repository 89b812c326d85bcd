"""The sender: takes notices from the outbox and has them said in their channels.

A notice is stored together with its cause, so nothing is lost if the bot stops in between. Whoever stores one
wakes the sender; a loop retries what could not be sent. `saying` knows what each says.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import discord

from bot.play.notices import turn_of
from bot.play.table import Table
from bot.screens.screen import Screen
from bot.ui.answers import explain, show_privately
from bot.ui.messages import THREAD_IS_ARCHIVED
from bot.ui.posting import THREAD_IS_LOCKED, trouble
from bot.ui.saying.notice import is_watch, say
from bot.ui.saying.turns import retire
from bot.ui.saying.watching import end_watch
from storage import OutboxItem, Unavailable

if TYPE_CHECKING:
    from bot.ui.client import Bot

log = logging.getLogger("tetsudo.sender")
PAUSES = (5, 15, 60, 300, 900, 3600)
"""Seconds to wait after each failure; the last one repeats."""
GIVE_UP = 60 * 24
AT_ONCE = 20
"""How many notices are sent at a time."""
GRACE = 60
"""Seconds by which a claim outlives the longest send."""


class Sender:
    """Sends notices. A process runs one drain at a time."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._drain: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._under_way: set[int] = set()
        self._broken_off = False
        """Whether notices may be claimed in our name that nobody is sending."""
        self._retries = 0
        """How often `retry` was called: a send that fails in the meantime is retried at once."""
        self.troubles: dict[str, str] = {}
        """By game: why nothing can be posted in its channel at the moment, and what to do about it."""
        self._witnesses: dict[str, discord.Interaction[Any]] = {}

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

    @property
    def owner(self) -> str:
        """In whose name notices are claimed: the process's, or the account's where one at a time serves a file."""
        assert self.bot.user is not None
        if self.bot.leases is not None:
            return self.bot.leases.owner
        return f"bot {self.bot.user.id}"

    async def retry(self) -> None:
        """Retry everything now, since a channel was reopened or the bot was let back in."""
        self._retries += 1
        if await self.bot.store.outbox.hurry():
            self.wake()

    async def announce(self, game_id: str) -> None:
        """Post where a game stands in its channel, as if the turn had just begun."""
        table = await self.bot.tables.get(game_id)
        await self.bot.store.outbox.post(game_id, [table.shown()])
        self.wake()

    async def show_anew(self, table: Table, lost: discord.Message) -> None:
        """Close the message of a position that is no longer stored, and post where the game stands."""
        for message in await self.bot.store.messages.live(table.game.id):
            if turn_of(message.kind) is not None:
                await retire(self.bot, table.game.id, message)
        await self.announce(table.game.id)
        await self.bot.messages.edit(
            lost.channel.id, lost.id, Screen("*This position was lost when an older copy was restored.*")
        )

    async def idle(self) -> None:
        """Wait until nothing is being sent."""
        while (task := self._busy()) is not None:
            await asyncio.shield(task)

    def _busy(self) -> asyncio.Task[None] | None:
        return next((one for one in (self._drain, self.bot.retirer.task) if one is not None and not one.done()), None)

    async def _run(self) -> None:
        """Send what is due, several at a time. A slow one only holds back those behind it in its lane."""
        sending: set[asyncio.Task[None]] = set()
        try:
            if self._broken_off:
                await self.bot.store.outbox.release(self.owner)
                self._broken_off = False
            while True:
                self._woken.clear()
                if len(sending) < AT_ONCE:
                    items = await self.bot.store.outbox.claim(
                        self.owner,
                        limit=AT_ONCE - len(sending),
                        lease_seconds=int(self.bot.settings.send_deadline) + GRACE,
                        under_way=self._under_way,
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
        outbox, retries = self.bot.store.outbox, self._retries
        self._under_way.add(item.id)
        try:
            async with asyncio.timeout(self.bot.settings.send_deadline):
                await say(self.bot, item)
            if not is_watch(item):
                self.troubles.pop(item.game, None)
                self._witnesses.pop(item.game, None)
        except (discord.NotFound, discord.Forbidden) as error:
            if is_watch(item):
                await end_watch(self.bot, item, error)
                return
            await self._cannot(item, error, at_once=self._retries > retries)
        except Unavailable:
            raise
        except Exception as error:
            if isinstance(error, discord.HTTPException) and error.code in (THREAD_IS_LOCKED, THREAD_IS_ARCHIVED):
                await self._cannot(item, error, at_once=self._retries > retries)
                return
            pause = PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            self.bot.counts.add("notices_put_off")
            known = explain(error) or isinstance(error, discord.HTTPException | TimeoutError | OSError)
            log.warning("a notice waits %s s: %r", pause, error, exc_info=None if known else error, extra=_about(item))
            if item.attempts > GIVE_UP:
                await outbox.drop(item, repr(error)[:200])
            else:
                await outbox.failed(item, repr(error)[:200], self.bot.clock() + pause)
        finally:
            self._under_way.discard(item.id)

    async def _cannot(self, item: OutboxItem, error: discord.HTTPException, *, at_once: bool) -> None:
        """The channel is gone: give up on the notice. It is closed to the bot: keep trying. Whoever acted is told."""
        why = (
            "channel or message is gone" if isinstance(error, discord.NotFound) else "the channel is closed to the bot"
        )
        log.warning("%s: %s", why, error.text, extra=_about(item))
        if isinstance(error, discord.NotFound) or item.attempts > GIVE_UP:
            await self.bot.store.outbox.drop(item, why)
        else:
            pause = 0 if at_once else PAUSES[min(item.attempts - 1, len(PAUSES) - 1)]
            await self.bot.store.outbox.failed(item, why, self.bot.clock() + pause, refused=True)
        game = await self.bot.store.game(item.game)
        self.troubles[item.game] = trouble(error, game.channel_id)
        await self._tell_witness(item.game)

    async def _tell_witness(self, game_id: str) -> None:
        """Tell whoever acted last, once, that nobody sees the turn yet."""
        witness = self._witnesses.pop(game_id, None)
        if witness is None or not witness.response.is_done():
            return
        try:
            await show_privately(witness, Screen(self.troubles[game_id]), anew=True)
        except discord.HTTPException as error:
            log.warning("nobody could be told: %s", error, extra={"game": game_id})


def _about(item: OutboxItem) -> dict[str, Any]:
    return {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts}
