"""The sender: takes notices from the outbox and posts them in their channels.

A notice is stored together with its cause, so nothing is lost if the bot stops in between. Whoever stores one
wakes the sender; a loop retries what could not be sent.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import discord

from bot.play import clockwork, undoing
from bot.play.clock import LATE
from bot.play.errors import TableError
from bot.play.notices import (
    LOBBY,
    ArchivedNotice,
    BoardNotice,
    FollowNotice,
    LateNotice,
    OfferNotice,
    RingNotice,
    SayNotice,
    TurnNotice,
    UndoNotice,
    read_notice,
    seat_matter,
    turn_of,
)
from bot.play.table import Table
from bot.screens import asking, deals, lobby, seats, turn
from bot.screens import late as late_screens
from bot.screens import watching as watching_screens
from bot.screens.finish import present_screen
from bot.screens.rings import CLOSED
from bot.screens.screen import Button, Screen
from bot.ui import watching
from bot.ui.answers import explain, show_privately
from bot.ui.layout import files, view
from bot.ui.posting import THREAD_IS_LOCKED, trouble
from bot.ui.retirer import Retirer
from bot.ui.seating import look_for_absent
from storage import VACANT, Game, Message, OutboxItem, Unavailable

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
LOOK_BACK = 2000
"""How many messages after an earlier attempt, and how many before, are searched for what it sent."""
CLOCKS = 300
"""Seconds by which Discord's clock may differ from ours."""
SAME_TURN, MOST_PINGS = 3600, 3
"""In so many seconds the people of one turn are pinged so often at most."""
THREAD_IS_ARCHIVED = 50083
CANNOT_MESSAGE, UNKNOWN_USER, NO_MUTUAL_GUILDS = 50007, 10013, 50278
NEWS, OFFERED, ASKED = "something was said to you", "an offer waits for your answer", "the table decides about somebody"
"""What people are told later whom a message may not ping at once, after the channel."""


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
        self._retirer = Retirer(self._retire_of, bot.settings.send_deadline, bot.clock)

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
                await self._retire(table, message.channel_id, message.message_id, message.kind)
        await self.announce(table.game.id)
        await self._edit(lost.channel.id, lost.id, Screen("*This position was lost when an older copy was restored.*"))

    async def redraw(self, channel_id: int, message_id: int, screen: Screen) -> bool:
        """Show something else in a message; False if it is gone."""
        return await self._edit(channel_id, message_id, screen)

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
                await self._say(item)
            if not _is_watch(item):
                self.troubles.pop(item.game, None)
                self._witnesses.pop(item.game, None)
        except (discord.NotFound, discord.Forbidden) as error:
            if _is_watch(item):
                await self._end_watch(item, error)
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

    async def _say(self, item: OutboxItem) -> None:
        match read_notice(item.kind, item.body):
            case TurnNotice():
                await self._say_turn(item)
            case UndoNotice(seq, ping):
                await self._say_undo(item, seq, ping)
            case OfferNotice(action):
                await self._say_offer(item, action)
            case SayNotice(text, ping, about):
                if not await self._sent_before(item, remember=bool(about)):
                    screen = seats.notice_screen(text, about, item.game, item.seq)
                    free = await clockwork.pinged_for(self.bot.store, item.game, ping, item.id, NEWS)
                    await self._post(item, screen, free, remember=bool(about))
            case RingNotice() as ring:
                await self._say_ring(item, ring)
            case LateNotice(seat, ping):
                await self._say_late(item, seat, ping)
            case ArchivedNotice():
                if not await self._sent_before(item, remember=True):
                    table = await self.bot.tables.get(item.game)
                    await self._post(item, late_screens.archived_screen(table, item.seq), [], remember=True)

            case FollowNotice() as told:
                await self._say_follow(item, told)
            case BoardNotice(number):
                await self._say_board(item, number)

    # Watching

    async def _say_follow(self, item: OutboxItem, told: FollowNotice) -> None:
        """Tell a follower, unless they follow no more, or may not."""
        watch = await self.bot.store.watches.get(told.watch)
        place = None if watch is None else await watching.place_of(self.bot, watch)
        if watch is None or place is None:
            if watch is not None:
                await self.bot.store.watches.stop(watch.id)
            await self.bot.store.outbox.drop(item, "nobody follows any more")
            return
        if await self._sent_before(item, place=place):
            return
        game = await self.bot.store.game(item.game)
        link = await watching.link_to(self.bot, game)
        await self._post(item, watching_screens.digest_screen(told.text, item.game, item.seq, link), [], place=place)

    async def _say_board(self, item: OutboxItem, number: int) -> None:
        """Show the game as it is now on a live board: in the message that there is, or a new one."""
        store = self.bot.store
        watch = await store.watches.get(number)
        if watch is None:
            await store.outbox.drop(item, "the board has ended")
            return
        table = await self.bot.tables.get(item.game)
        screen = await watching_screens.board_screen(table, await watching.link_to(self.bot, table.game))
        place = await self.channel(watch.channel_id)
        known = watch.message_id
        if known is None and (earlier := await self._earlier(item, place)) is not None:
            known = earlier.id
            await store.watches.shown(watch.id, known)
        if known is not None and await self._edit(watch.channel_id, known, screen):
            await store.outbox.done(item)
            return
        message = await self._send_to(place, screen, [], item.nonce)

        async def write() -> None:
            await store.watches.shown(watch.id, message.id)
            await store.outbox.done(item, message_id=message.id)

        await store.together(write)

    async def _end_watch(self, item: OutboxItem, error: discord.HTTPException) -> None:
        """A follower cannot be told, or a board not be shown, any more."""
        log.warning("a watch ends: %s", error.text, extra=_about(item))
        notice = read_notice(item.kind, item.body)
        watch = (
            await self.bot.store.watches.get(notice.watch) if isinstance(notice, FollowNotice | BoardNotice) else None
        )
        if watch is not None:
            await watching.ended(self.bot, watch)
        await self.bot.store.outbox.drop(item, "nobody can be told")

    # Turns

    async def _say_turn(self, item: OutboxItem) -> None:
        """Show a turn in one message: post it when the turn begins, and edit it as the turn goes on."""
        started = time.perf_counter()
        table = await self.bot.tables.get(item.game)
        if table.position.chance:
            await table.begin()  # a notice of its own follows
        if await self._sent_before(item, remember=True):
            for message in await self.bot.store.messages.live(item.game):
                if message.kind != item.kind and item.seq == table.position.seq and _has_passed(table, message):
                    self._retirer.add(item.game, message)
            return
        if item.seq < table.position.seq:
            await self.bot.store.outbox.drop(item, "the position has passed")
            return
        screen = await present_screen(table, await self._learned(table))
        live = await self.bot.store.messages.live(item.game)
        here = table.game.channel_id
        same = [message for message in live if message.kind == item.kind and message.channel_id == here]
        edited = bool(same) and await self._edit(same[-1].channel_id, same[-1].message_id, screen)
        if edited:
            await self.bot.store.outbox.done(item)
        else:
            await self._post(item, screen, await self._to_ping(item, table), remember=True)
        spent = round(1000 * (time.perf_counter() - started))
        self.bot.counts.turn_shown(spent)
        log.info("turn shown", extra={**_about(item), "ms": spent})
        for message in live:
            if (message.kind != item.kind or message.channel_id != here or not edited) and _has_passed(table, message):
                self._retirer.add(item.game, message)
        if not edited:
            await look_for_absent(self.bot, table)

    async def _learned(self, table: Table) -> frozenset[str]:
        """In a teaching game, what whoever is up needs no more tips on."""
        if not table.settings.teaching or len(table.position.up) != 1 or table.position.chance:
            return frozenset()
        return await self.bot.store.lessons.of_user(table.seats[table.position.up[0]].user_id)

    async def _to_ping(self, item: OutboxItem, table: Table) -> list[int]:
        """Those who are up and may be disturbed, unless the turn was begun again and again by undo, redo and moves.

        Whoever may not be is told later.
        """
        since = self.bot.clock() - SAME_TURN
        if await self.bot.store.messages.posted_since(item.game, item.kind, since) >= MOST_PINGS:
            return []
        up = (table.seats[seat].user_id for seat in table.position.up if seat in table.seats)
        users = [user for user in dict.fromkeys(up) if user != VACANT]
        return await clockwork.pinged_for_turn(self.bot.store, table.game, users)

    async def _retire_of(self, game_id: str, message: Message) -> None:
        await self._retire(await self.bot.tables.get(game_id), message.channel_id, message.message_id, message.kind)

    async def _retire(self, table: Table, channel: int, message: int, kind: str) -> None:
        """Replace an old message with what happened, without controls; a question that is still open stays."""
        if kind.startswith(f"{LATE}:") and (await clockwork.clock_of(self.bot.store, table.game.id)).late is not None:
            return
        if kind == LOBBY:
            screen = lobby.lobby_screen(table.game, list(table.seats.values()))
        elif (key := turn_of(kind)) is not None:
            screen = await turn.past_screen(table, key.start)
        elif matter := seat_matter(kind):
            screen = seats.past_notice(table, matter)
        elif kind.startswith("offer:"):
            screen = Screen("*This offer has lapsed.*")
        elif kind.startswith("undo:"):
            screen = Screen("*This request has lapsed.*")
        else:
            screen = Screen(late_screens.SETTLED)
        await self._edit(channel, message, screen)
        await self.bot.store.messages.retire([message])

    async def _say_undo(self, item: OutboxItem, seq: int, ping: tuple[int, ...]) -> None:
        """Ask for an undo, unless the request no longer stands."""
        if await self._sent_before(item, remember=True):
            return
        table = await self.bot.tables.get(item.game)
        try:
            asked = await undoing.request(table, seq)
        except TableError:
            await self.bot.store.outbox.drop(item, "the request no longer stands")
            return
        screen = await asking.request_screen(table, asked)
        await self._post(item, screen, list(ping), remember=True)

    async def _say_offer(self, item: OutboxItem, action: str) -> None:
        offers = [one for one in await self.bot.store.offers.open(item.game) if one.body == action]
        if not offers:
            await self.bot.store.outbox.drop(item, "the offer is closed")
            return
        if await self._sent_before(item, remember=True):
            return
        table = await self.bot.tables.get(item.game)
        screen = deals.offer_screen(table, offers[-1])
        asked = [table.seats[offers[-1].to_seat].user_id]
        free = await clockwork.pinged_for(self.bot.store, item.game, asked, item.id, OFFERED)
        await self._post(item, screen, free, remember=True)

    # Time

    async def _say_late(self, item: OutboxItem, seat: str, ping: Sequence[int]) -> None:
        """Ask the others what to do about a seat whose time is up."""
        if await self._sent_before(item, remember=True):
            return
        table = await self.bot.tables.get(item.game)
        screen = await late_screens.late_screen(table, seat)
        if screen is None:
            await self.bot.store.outbox.drop(item, "nobody is late any more")
            return
        free = await clockwork.pinged_for(self.bot.store, item.game, ping, item.id, ASKED)
        await self._post(item, screen, free, remember=True)

    async def _say_ring(self, item: OutboxItem, ring: RingNotice) -> None:
        """Tell a person what waits for them: by direct message, or in answer to the turn's message."""
        person = (await clockwork.people_of(self.bot.store, [ring.user]))[ring.user]
        screen = Screen(ring.text, game=item.game, seq=item.seq)
        if ring.silence:
            screen.buttons(Button("Not for this turn", "silence"))
        if ring.dm and not person.closed:
            place = await self._direct(ring.user)
            if place is not None and await self._sent_before(item, place=place):
                return
            if place is not None and await self._post_to(item, place, screen):
                return
            await clockwork.change_person(self.bot.store, ring.user, lambda one, now: replace(one, closed=True))
            person = replace(person, closed=True)
        if await self._sent_before(item):
            return
        if ring.waits and not (await clockwork.clock_of(self.bot.store, item.game)).waits_for(ring.user):
            await self.bot.store.outbox.drop(item, "the game waits for somebody else")
            return
        if ring.dm:
            screen.text = f"<@{ring.user}>: {ring.text}\n{CLOSED}"
        free = [ring.user] if person.reachable(self.bot.clock()) == self.bot.clock() else []
        await self._post(item, screen, free, remember=False, reply=True)

    async def can_message(self, user: int, text: str) -> bool:
        """Send somebody a direct message; False if they accept none of the bot's."""
        place = await self._direct(user)
        if place is None:
            return False
        try:
            await place.send(view=view(Screen(text)), allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as error:
            if not _closed(error):
                raise
            return False
        return True

    async def _direct(self, user: int) -> Any | None:
        """The person's direct messages; None if they are closed to the bot."""
        try:
            return await (self.bot.get_user(user) or await self.bot.fetch_user(user)).create_dm()
        except discord.HTTPException as error:
            if not _closed(error):
                raise
            return None

    async def _post_to(self, item: OutboxItem, place: Any, screen: Screen) -> bool:
        """Send a direct message; False if they are closed to the bot."""
        try:
            message = await place.send(
                view=view(screen), allowed_mentions=discord.AllowedMentions.none(), nonce=item.nonce
            )
        except discord.HTTPException as error:
            if not _closed(error):
                raise
            return False
        await self.bot.store.outbox.done(item, message_id=message.id)
        return True

    async def _turn_message(self, game: Game) -> discord.MessageReference | None:
        """The message of the present turn, to answer it; None if there is none in the game's channel."""
        live = await self.bot.store.messages.live(game.id)
        here = [one for one in live if turn_of(one.kind) is not None and one.channel_id == game.channel_id]
        if not here:
            return None
        number = here[-1].message_id
        return discord.MessageReference(message_id=number, channel_id=game.channel_id, fail_if_not_exists=False)

    # Messages

    async def channel(self, channel_id: int) -> Any:
        """The channel or thread, fetched from Discord if not cached."""
        return self.bot.get_channel(channel_id) or await self.bot.fetch_channel(channel_id)

    async def _sent_before(self, item: OutboxItem, *, remember: bool = False, place: Any | None = None) -> bool:
        """Whether an earlier attempt got through unnoticed; if so, record it, so that nobody is pinged twice.

        `place` is where, if not in the game's channel.
        """
        if item.unsure_since is None:
            return False
        game = await self.bot.store.game(item.game)
        earlier = await self._earlier(item, place or await self.channel(game.channel_id))
        if earlier is None:
            return False
        await self.bot.store.outbox.done(item, channel_id=game.channel_id if remember else None, message_id=earlier.id)
        log.info("had been sent before", extra=_about(item))
        return True

    async def _earlier(self, item: OutboxItem, channel: Any) -> discord.Message | None:
        """What an earlier attempt sent to the channel without our knowing.

        Discord itself only remembers a message's nonce for some minutes. Raises HTTPException if the channel cannot be
        read: then nobody knows, and the notice waits.
        """
        if item.unsure_since is None or self.bot.user is None:
            return None
        async for message in _around(channel, item.unsure_since):
            if message.author.id != self.bot.user.id or not _says(message, item):
                continue
            if not await self.bot.store.outbox.is_recorded(message.id):
                return message
        return None

    async def _post(
        self,
        item: OutboxItem,
        screen: Screen,
        people: Sequence[int],
        *,
        remember: bool = False,
        place: Any | None = None,
        reply: bool = False,
    ) -> None:
        """Post, in the game's channel unless told, and ping these people; as a `reply`, to the turn's message."""
        game = await self.bot.store.game(item.game)
        answered = await self._turn_message(game) if reply else None
        place = place or await self.channel(game.channel_id)
        message = await self._send_to(place, screen, people, item.nonce, answered)
        await self.bot.store.outbox.done(item, channel_id=game.channel_id if remember else None, message_id=message.id)

    async def _send_to(
        self,
        place: Any,
        screen: Screen,
        people: Sequence[int],
        nonce: str,
        answered: discord.MessageReference | None = None,
    ) -> discord.Message:
        users = [discord.Object(one) for one in people]
        message: discord.Message = await place.send(
            view=view(screen),
            files=files(screen.images),
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False),
            nonce=nonce,
            **({} if answered is None else {"reference": answered}),
        )
        return message

    async def _edit(self, channel_id: int, message_id: int, screen: Screen) -> bool:
        """Edit a message; False if it is gone."""
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
        self._retirer.edited(channel.id, message_id)
        await channel.get_partial_message(message_id).edit(
            view=view(screen), attachments=files(screen.images), allowed_mentions=discord.AllowedMentions.none()
        )


async def _around(channel: Any, seconds: int) -> AsyncIterator[discord.Message]:
    """Messages posted from then on, and then those of shortly before by Discord's clock, the nearest first."""
    then, before = (
        discord.Object(discord.utils.time_snowflake(datetime.fromtimestamp(at, UTC)))
        for at in (seconds, seconds - CLOCKS)
    )
    async for message in channel.history(limit=LOOK_BACK, after=then, oldest_first=True):
        yield message
    async for message in channel.history(limit=LOOK_BACK, after=before, before=then, oldest_first=False):
        yield message


def _says(message: discord.Message, item: OutboxItem) -> bool:
    """Whether the message shows this notice, going by its text or the ids of its controls."""
    shown = json.dumps([one.to_dict() for one in message.components])
    notice = read_notice(item.kind, item.body)
    if isinstance(notice, SayNotice | FollowNotice | RingNotice):
        return json.dumps(notice.text)[1:-1] in shown
    if isinstance(notice, BoardNotice):
        return watching_screens.board_mark(item.game) in shown
    if isinstance(notice, LateNotice | ArchivedNotice):
        return f":{item.game}:{item.seq}:{'late|' if isinstance(notice, LateNotice) else 'wake'}" in shown
    if any(f":{item.game}:{item.seq}:{word}" in shown for word in ("late|", "wake", "silence")):
        return False
    answers = any(f":{item.game}:{item.seq}:{word}|" in shown for word in ("yes", "no"))
    return f":{item.game}:{item.seq}:" in shown and answers == isinstance(notice, OfferNotice)


def _is_watch(item: OutboxItem) -> bool:
    """Whether it is for somebody outside the table, who says nothing about the table's channel."""
    return isinstance(read_notice(item.kind, item.body), FollowNotice | BoardNotice)


def _has_passed(table: Table, message: Message) -> bool:
    """Whether a message with controls has nothing more to offer once another turn is shown."""
    matter = seat_matter(message.kind)
    return not matter or not seats.stands(table, matter)


def _closed(error: discord.HTTPException) -> bool:
    """Whether the person accepts no direct messages of the bot, or is nobody."""
    return error.code in (CANNOT_MESSAGE, UNKNOWN_USER, NO_MUTUAL_GUILDS)


def _about(item: OutboxItem) -> dict[str, Any]:
    return {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts}
