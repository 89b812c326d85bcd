"""Paces, clocks and reminders, as the house finds them: /pace, buttons, what is said and what is due.

What follows from what is due is stored in the same transaction.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import tell
from bot.chat.client import Bot
from bot.chat.commands import PACES as PRESETS
from bot.chat.commands import Interaction
from bot.chat.layout import shorten
from bot.chat.press import Press, of_table, telling
from bot.chat.rights import GONE, seems_gone, was_removed
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core import clock as clocks
from bot.core import clockwork, constitution
from bot.core.errors import OVER, TableError
from bot.core.notices import ARCHIVED, ArchivedNotice, LateNotice, RingNotice
from bot.core.pace import PACES, THEN, Pace, chosen, own, told
from bot.core.person import Person
from bot.core.table import Table
from bot.core.table_settings import TableSettings
from bot.rooms.seats import agreeing
from bot.rooms.time import late
from bot.rooms.time.rings import CLOSED, Ringing, all_waiting, waiting
from storage import Game, Message, OutboxItem, Ping, UnknownGame

HOURS = app_commands.Range[int, 0, 720]


class PaceCommands(commands.Cog):
    @app_commands.command()
    @app_commands.describe(
        pace="One of the usual paces",
        bank="Hours each player starts with",
        increment="Hours added after each turn",
        cap="The most hours a player can have",
        quiet_free="Whether a player's time stands still in their quiet hours",
        weekends_free="Whether time stands still on weekends",
        then="What happens when somebody's time is up",
        agree="Whether you agree to the pace that was proposed",
    )
    @app_commands.choices(
        pace=[*PRESETS, app_commands.Choice(name="Custom: bank, increment and cap", value="own")],
        then=[
            app_commands.Choice(name=shorten(text[0].upper() + text[1:], 100), value=key) for key, text in THEN.items()
        ],
    )
    async def pace(
        self,
        interaction: Interaction,
        pace: str | None = None,
        bank: HOURS | None = None,
        increment: HOURS | None = None,
        cap: HOURS | None = None,
        quiet_free: bool | None = None,
        weekends_free: bool | None = None,
        then: str | None = None,
        agree: bool | None = None,
    ) -> None:
        """Show how much time the players have, or propose another pace"""
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if game.status == "finished":
            raise TableError(OVER)
        numbers = _given(bank=bank, increment=increment, cap=cap)
        others = _given(quiet_free=quiet_free, weekends_free=weekends_free, then=then)
        wanted = _wanted(TableSettings.read(game.settings).pace, pace, numbers, others)
        await tell(interaction, await _done(interaction, game, wanted, agree), game.id)


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _wanted(now: Pace, name: str | None, numbers: dict[str, int], others: dict[str, Any]) -> Pace | None:
    """The pace that the options describe; None if they describe none. Raises TableError."""
    if name == "own" or numbers:
        base = now if now.timed else PACES["steady"]
        made = own(**{"bank": base.bank, "increment": base.increment, "cap": base.cap} | numbers)
    elif name is not None:
        made = chosen(name)
    elif not others:
        return None
    else:
        made = now
    if others and not made.timed:
        raise TableError("That needs a clock: choose a pace that has one.")
    return replace(made, **others)


async def _done(interaction: Interaction, game: Game, wanted: Pace | None, agrees: bool | None) -> str:
    """Set the pace or vote on it, or just tell it."""
    bot, user = interaction.client, interaction.user.id
    if game.status == "open":
        if wanted is None:
            return f"**Pace:** {told(TableSettings.read(game.settings).pace)}."
        return await agreeing.set_in_lobby(bot, game, user, wanted, interaction.id)
    table = await bot.tables.get(game.id)
    if wanted is not None:
        await bot.present.forget_gone(game.id, "vote:pace")
        return await agreeing.propose(table, user, wanted, interaction.id)
    if agrees is not None:
        return await agreeing.agree(table, "pace", user, agrees, interaction.id)
    return "\n".join(await clockwork.status_lines(table))


# Presses


async def _late(table: Table, given: Press) -> str:
    way, seat = given.parts
    return await late.vote(given.bot, given.interaction, table, way, seat, given.seq)


async def _wake(given: Press) -> str:
    table = await given.table()
    constitution.must_play("wake", table, given.user)
    if (await clockwork.clock_of(table.store, table.game.id)).archived is None:
        raise TableError("This game is not archived: it goes on.")
    await table.reclock(clocks.woken, shows=True)
    return "✓ The game goes on."


async def _silence(given: Press) -> str:
    """Send the person no more reminders of what waits for them: one reminder may be of several games."""
    bot, user = given.bot, given.user
    games = [one.game for one in await all_waiting(bot, user)]
    if given.game not in [game.id for game in games]:
        raise TableError("The game is not waiting for you.")
    for game in games:
        await clockwork.change(bot.store, game, partial(clocks.silenced, user=user))
    return f"✓ No more reminders for {'this turn' if len(games) == 1 else 'these turns'}."


# What is said


async def _say_ring(bot: Bot, item: OutboxItem, ring: RingNotice) -> None:
    """Tell a person what waits for them: by direct message, or in answer to the turn's message."""
    person = await clockwork.person_of(bot.store, ring.user)
    screen = Screen(ring.text, game=item.game, seq=item.seq)
    if ring.silence:
        screen.buttons(Button("No more reminders", "silence"))
    heard = partial(clockwork.heard, bot.store, ring.turns, [ring.user])
    if ring.dm and not person.closed:
        if await _told_directly(bot, item, ring, person, screen, heard):
            return
        person = await clockwork.change_person(bot.store, ring.user, lambda one, now: replace(one, closed=True))
    if ring.private:
        await bot.store.outbox.drop(item, "only they may read it, and they accept no direct messages")
        return
    if await bot.messages.sent_before(item):
        await heard()
        return
    if ring.waits and not (await clockwork.clock_of(bot.store, item.game)).waits_for(ring.user):
        await bot.store.outbox.drop(item, "the game waits for somebody else")
        return
    if await _put_off(bot, item, ring, person):
        return
    if ring.dm:
        screen.text = f"<@{ring.user}>: {ring.text}\n{CLOSED}"
    await bot.present.look(item.game)  # what is answered may have been deleted
    await bot.messages.post(item, screen, [ring.user], reply=True, told=heard)


async def _told_directly(
    bot: Bot, item: OutboxItem, ring: RingNotice, person: Person, screen: Screen, heard: Callable[[], Awaitable[None]]
) -> bool:
    """Send it as a direct message; False if the person accepts none of the bot's."""
    place = await bot.messages.direct(ring.user)
    if place is None:
        return False
    if await bot.messages.sent_before(item, place=place):
        await heard()
        return True
    if await _put_off(bot, item, ring, person):
        return True
    games = {*ring.turns, *(game for game, _, _ in ring.pings)}
    if any([await seems_gone(bot, await bot.store.game(one)) for one in games]):
        screen.text += f"\n⚠ {GONE}"
    message = await bot.messages.send_direct(place, screen, item.nonce)
    if message is None:
        return False
    await heard()
    await bot.store.outbox.done(item, message_id=message.id)
    return True


async def _put_off(bot: Bot, item: OutboxItem, ring: RingNotice, person: Person) -> bool:
    """Let somebody who may not be disturbed by now hear of it later: what they were owed, they are owed again.

    As when Discord was out of reach since it was queued. False if they may be disturbed.
    """
    store, now = bot.store, bot.clock()
    at = person.reachable(now)
    if at == now:
        return False

    async def write() -> None:
        for game, kind, body in ring.pings:
            await store.people.owe(game, [Ping(ring.user, kind, body, at or now)])
        await store.outbox.drop(item, "they may not be disturbed any more")

    await store.together(write)
    return True


async def _say_late(bot: Bot, item: OutboxItem, asked: LateNotice) -> None:
    """Ask the others what to do about a seat whose time is up."""
    if await bot.messages.sent_before(item, remember=True):
        return
    screen = await late.late_screen(await bot.tables.get(item.game), asked.seat)
    if screen is None:
        await bot.store.outbox.drop(item, "nobody is late any more")
        return
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, "late")
    await bot.messages.post(item, screen, free, remember=True)


async def _say_archived(bot: Bot, item: OutboxItem, _: Any) -> None:
    if not await bot.messages.sent_before(item, remember=True):
        screen = Screen(late.ARCHIVED, game=item.game, seq=item.seq).buttons(Button("Wake it", "wake", "primary"))
        await bot.messages.post(item, screen, [], remember=True)


async def _stands(table: Table, message: Message, seat: str) -> bool:
    """Whether the others are still asked about somebody who is late, or an archived game can be woken."""
    clock = await clockwork.clock_of(table.store, table.game.id)
    return (clock.archived if message.kind == ARCHIVED else clock.late) is not None


async def _asks(table: Table, _: Message, seat: str) -> Screen | None:
    return await late.late_screen(table, seat)


async def _left(*_: object) -> Screen:
    return Screen(agreeing.SETTLED)


# What is due


async def _look(bot: Bot, game_id: str) -> None:
    """Take the step of a game's clock that is due."""
    store = bot.store
    game = await store.game(game_id)
    if game.status != "running":
        await clockwork.change(store, game, clocks.stopped)
        return
    if (await clockwork.clock_of(store, game_id)).thinks:
        bot.advance(game_id)  # the game stays claimed: until then nobody looks again
        return
    if await bot.tables.waits(game) or await was_removed(bot, game):
        await clockwork.change(store, game, clocks.held)
        return
    await clockwork.change(store, game, clocks.looked)
    clock = await clockwork.clock_of(store, game_id)
    if clock.late is not None and not clock.late.asked:
        await late.as_agreed(bot, game_id, clock.late.seat)


async def _ring(bot: Bot, user: int) -> None:
    store, now = bot.store, bot.clock()
    person = await clockwork.person_of(store, user)
    greets = person.was_away(now) and person.reachable(now) == now
    games = {}
    for game in {one.game for one in await store.people.owed(user)}:
        try:
            games[game] = await waiting(bot, await store.game(game), user)
        except UnknownGame:
            continue
    due = greets or person.digest_due(now)
    ringing = Ringing(user, games, tuple(await all_waiting(bot, user)) if due else (), greets)

    async def write() -> None:
        if greets:
            await clockwork.change_person(store, user, lambda one, at: one.back(at))
        await store.people.change(user, ringing.told)

    await store.together(write)


ROOM = Room(
    presses={"late": telling(of_table(_late)), "wake": telling(_wake), "silence": telling(_silence)},
    codes={"late": r"(?:wait|pass|bot|open)\|p\d"},
    says={RingNotice: _say_ring, LateNotice: _say_late, ArchivedNotice: _say_archived},
    left=dict.fromkeys((clocks.LATE, ARCHIVED), _left),
    stands=dict.fromkeys((clocks.LATE, ARCHIVED), _stands),
    asks={clocks.LATE: _asks},
    due={"clocks": _look, "people": _ring},
    cogs=(PaceCommands,),
)
