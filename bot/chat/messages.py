"""Messages on Discord: posted once, found again where an answer was lost, edited, sent directly, reduced in the end."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar

import discord

from bot.chat.answers import TOO_LATE, UNKNOWN_MESSAGE
from bot.chat.connection import Connection
from bot.chat.layout import files, view
from bot.chat.screen import Screen
from bot.core.keyed import Lately
from bot.core.notices import turn_of
from storage import Game, Message, OutboxItem

log = logging.getLogger("tetsudo.messages")
LOOK_BACK = 2000
"""How many messages after an earlier attempt, and how many before, are searched for what it sent."""
CLOCKS = 300
"""Seconds by which Discord's clock may differ from ours."""
THREAD_IS_ARCHIVED = 50083
MAY_NOT_REPLY = 160002
ANSWERABLE = 840
"""Seconds for which a press is answered: Discord allows 900."""
LEFT_OUT = "-# The pictures are too large for Discord; `/show` has them one by one."
T = TypeVar("T")
CANNOT_MESSAGE, UNKNOWN_USER, NO_MUTUAL_GUILDS = 50007, 10013, 50278


class Messages:
    """What the bot posts and edits, in channels, threads and direct messages. Raises discord.HTTPException."""

    def __init__(self, bot: Connection, retirer: Retirer) -> None:
        self.bot = bot
        self._retirer = retirer
        self._presses = Lately[int, tuple[discord.Interaction[Any], float]]()
        """The last press on a message for all, by the message, and when it was."""

    async def channel(self, channel_id: int) -> Any:
        """The channel or thread, fetched from Discord if not cached."""
        return self.bot.get_channel(channel_id) or await self.bot.fetch_channel(channel_id)

    # Notices

    async def post(
        self,
        item: OutboxItem,
        screen: Screen,
        people: Sequence[int],
        *,
        remember: bool = False,
        place: Any | None = None,
        reply: bool = False,
        told: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Post, in the game's channel unless told, and ping these people; as a `reply`, to the turn's message.

        Where the bot may not read what was said before, it replies to nothing, or the turns would wait behind it.
        `told` is done once it is posted, and before the notice counts as sent.
        """
        game = await self.bot.store.game(item.game)
        answered = await self._turn_message(game) if reply else None
        place = place or await self.channel(game.channel_id)
        try:
            message = await self.send(place, screen, people, item.nonce, answered)
        except discord.Forbidden as error:
            if error.code != MAY_NOT_REPLY:
                raise
            message = await self.send(place, screen, people, item.nonce)
        if told is not None:
            await told()
        await self.bot.store.outbox.done(item, channel_id=game.channel_id if remember else None, message_id=message.id)

    async def sent_before(self, item: OutboxItem, *, remember: bool = False, place: Any | None = None) -> bool:
        """Whether an earlier attempt got through unnoticed; if so, record it, so that nobody is pinged twice.

        `place` is where, if not in the game's channel. A question that was settled meanwhile loses its controls.
        """
        if item.unsure_since is None:
            return False
        game = await self.bot.store.game(item.game)
        earlier = await self.earlier(item, place or await self.channel(game.channel_id))
        if earlier is None:
            return False
        await self.bot.store.outbox.done(item, channel_id=game.channel_id if remember else None, message_id=earlier.id)
        if remember and turn_of(item.kind) is None and (found := await self.bot.store.messages.find(earlier.id)):
            self._retirer.add(found)
        log.info("had been sent before", extra={"game": item.game, "seq": item.seq, "kind": item.kind})
        return True

    async def earlier(self, item: OutboxItem, channel: Any) -> discord.Message | None:
        """What an earlier attempt sent to the channel without our knowing.

        Discord itself only remembers a message's nonce for some minutes. Raises HTTPException if the channel cannot be
        read: then nobody knows, and the notice waits.
        """
        if item.unsure_since is None:
            return None
        async for message in self.bearing(item.nonce, channel, item.unsure_since):
            if await self.bot.store.outbox.body_of(message.id) is None:  # which no notice is known to have become
                return message
        return None

    async def bearing(self, nonce: str, channel: Any, since: int) -> AsyncIterator[discord.Message]:
        """The bot's own messages in the channel that were sent with this nonce, from about then on."""
        async for message in around(channel, since):
            own = self.bot.user is not None and message.author.id == self.bot.user.id
            if own and any(getattr(one, "id", None) == _mark(nonce) for one in message.components):
                yield message

    async def _turn_message(self, game: Game) -> discord.MessageReference | None:
        """The message of the present turn, to answer it; None if there is none in the game's channel."""
        live = await self.bot.store.messages.live(game.id)
        here = [one for one in live if turn_of(one.kind) is not None and one.channel_id == game.channel_id]
        if not here:
            return None
        number = here[-1].message_id
        return discord.MessageReference(message_id=number, channel_id=game.channel_id, fail_if_not_exists=False)

    # Messages

    async def send(
        self,
        place: Any,
        screen: Screen,
        people: Sequence[int] = (),
        nonce: str | None = None,
        answered: discord.MessageReference | None = None,
    ) -> discord.Message:
        """Send a message that pings nobody but these people; by its `nonce` it is found again.

        Of a message that was sent with it lately and deleted since, Discord says that it is unknown: then it is sent
        anew.
        """
        users = [discord.Object(one) for one in people]

        async def give(screen: Screen, once: str | None = nonce) -> discord.Message:
            shown = view(screen)
            if nonce is not None:
                shown.children[0].id = _mark(nonce)
            try:
                message: discord.Message = await place.send(
                    view=shown,
                    files=files(screen.images),
                    allowed_mentions=discord.AllowedMentions(
                        everyone=False, roles=False, users=users, replied_user=False
                    ),
                    nonce=once,
                    **({} if answered is None else {"reference": answered}),
                )
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE or once is None:
                    raise
                return await give(screen, None)
            return message

        return await _given(give, screen)

    async def edit(self, channel_id: int, message_id: int, screen: Screen) -> bool:
        """Show something else in a message; False if it is gone."""
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
        press, at = self._presses.get(message_id, (None, 0.0))
        if press is not None and time.monotonic() - at < ANSWERABLE:
            try:
                await self._show(press.edit_original_response, screen)
                return
            except discord.HTTPException as error:
                if error.code not in TOO_LATE:
                    raise
                self._presses.pop(message_id, None)
        self._retirer.edited(channel.id, message_id)
        await self._show(channel.get_partial_message(message_id).edit, screen)

    @staticmethod
    async def _show(edit: Callable[..., Awaitable[Any]], screen: Screen) -> None:
        nobody = discord.AllowedMentions.none()
        await _given(
            lambda screen: edit(view=view(screen), attachments=files(screen.images), allowed_mentions=nobody), screen
        )

    def pressed(self, interaction: discord.Interaction[Any]) -> None:
        """Edit the message that was pressed as the answer to the press, which Discord does not count, while it lasts.

        The press was acknowledged with that to come. Only edits: posts have a nonce, so that none is made twice, which
        an answer cannot have.
        """
        message = interaction.message
        if message is not None:
            self._presses[message.id] = interaction, time.monotonic()

    # Direct messages

    async def direct(self, user: int) -> Any | None:
        """The person's direct messages; None if they are closed to the bot."""
        try:
            return await (self.bot.get_user(user) or await self.bot.fetch_user(user)).create_dm()
        except discord.HTTPException as error:
            if not closed(error):
                raise
            return None

    async def send_direct(self, place: Any, screen: Screen, nonce: str | None = None) -> discord.Message | None:
        """Send a direct message; None if they are closed to the bot."""
        try:
            return await self.send(place, screen, nonce=nonce)
        except discord.HTTPException as error:
            if not closed(error):
                raise
            return None

    async def can_message(self, user: int, text: str) -> bool:
        """Send somebody a direct message; False if they accept none of the bot's."""
        place = await self.direct(user)
        return place is not None and await self.send_direct(place, Screen(text)) is not None


async def _given(give: Callable[[Screen], Awaitable[T]], screen: Screen) -> T:
    """Give Discord the screen; without its pictures where they are too large for it."""
    try:
        return await give(screen)
    except discord.HTTPException as error:
        if error.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE or not screen.images:
            raise
        log.warning("posted without its pictures: %s", error.text, extra={"game": screen.game})
        return await give(replace(screen, images=[], text=f"{screen.text}\n{LEFT_OUT}"))


def closed(error: discord.HTTPException) -> bool:
    """Whether the person accepts no direct messages of the bot, or is nobody."""
    return error.code in (CANNOT_MESSAGE, UNKNOWN_USER, NO_MUTUAL_GUILDS)


async def around(channel: Any, seconds: int) -> AsyncIterator[discord.Message]:
    """Messages posted from then on, and then those of shortly before by Discord's clock, the nearest first."""
    then, before = (
        discord.Object(discord.utils.time_snowflake(datetime.fromtimestamp(at, UTC)))
        for at in (seconds, seconds - CLOCKS)
    )
    async for message in channel.history(limit=LOOK_BACK, after=then, oldest_first=True):
        yield message
    async for message in channel.history(limit=LOOK_BACK, after=before, before=then, oldest_first=False):
        yield message


def _mark(nonce: str) -> int:
    """What the first part of a notice's message has as its id; those that Discord gives out itself are small."""
    return 1 << 28 | int(nonce[:7], 16)


def link(game: Game, message: Message) -> str:
    return f"https://discord.com/channels/{game.guild_id or '@me'}/{message.channel_id}/{message.message_id}"


OLD = 3500
"""Seconds after which a message is old: Discord allows about three edits of old messages in six seconds a channel."""
PAUSE = 6.0
"""Seconds since a channel's last edit of an old message before one that can wait is made."""


class Retirer:
    """Past messages, and a task that reduces them one at a time with `retire(message)`.

    No turn waits for it. What it has not done when the bot stops, it does when the game's next turn is shown. `clock`
    tells the time, by which messages are old.
    """

    def __init__(self, retire: Callable[[Message], Awaitable[None]], deadline: float, clock: Callable[[], int]) -> None:
        self._retire = retire
        self._deadline = deadline
        self._clock = clock
        self._past: dict[int, Message] = {}
        self._last_edits: dict[int, float] = {}
        self.task: asyncio.Task[None] | None = None
        """What is under way; done, or None, when there is nothing to do."""

    def add(self, message: Message) -> None:
        self._past[message.message_id] = message
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._run())

    def edited(self, channel: int, message: int) -> None:
        """Note an edit, whoever makes it: those of old messages share a limit."""
        if self._is_old(message):
            now = time.monotonic()
            self._last_edits = {one: at for one, at in self._last_edits.items() if now - at < PAUSE}
            self._last_edits[channel] = now

    async def _run(self) -> None:
        while self._past:
            soonest = min(self._past.values(), key=self._pause)
            if (pause := self._pause(soonest)) > 0:
                await asyncio.sleep(pause)
                continue
            del self._past[soonest.message_id]
            try:
                async with asyncio.timeout(self._deadline):
                    await self._retire(soonest)
            except Exception as error:
                log.warning("could not remove the buttons of an old message: %r", error, extra={"game": soonest.game})

    def _pause(self, past: Message) -> float:
        """Seconds to wait, so that turns keep most of what Discord allows for old messages."""
        if not self._is_old(past.message_id):
            return 0
        return self._last_edits.get(past.channel_id, -PAUSE) + PAUSE - time.monotonic()

    def _is_old(self, message: int) -> bool:
        return self._clock() - discord.utils.snowflake_time(message).timestamp() >= OLD
