"""What a person changes of their own settings: with buttons, lists, two forms, and by moving when they are away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord import ui

from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.press import Form, Submitted
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.errors import TableError, UnknownControl
from bot.core.hours import NIGHTS, zones
from bot.core.person import WHERE, Person
from bot.core.written import HOW_HOURS, read_absence, read_week, written_week
from bot.rooms.mine.screen import AFTER, KEPT, mine_screen
from bot.rooms.time.rings import all_waiting, summary
from storage import PersonTicked

Interaction = discord.Interaction[Any]
T = TypeVar("T")
MOST_LETTERS = 400
CLEARED = "You are not pinged from 23:00 to 8:00 there; *Quiet hours…* changes that."
CLOSED = "You do not accept my direct messages, so I cannot tell you there. Allow them from members of this server."
TRY_OUT = "I will tell you here when it is your turn."


async def settings(bot: Bot, interaction: Interaction, zone: str = "") -> None:
    """Show what the person has set, after setting their zone if that is given. Raises TableError."""
    person, done = await _known(bot, interaction.user.id), ""
    if zone:
        person, done = await set_zone(bot, interaction.user.id, zone)
    await _show(bot, interaction, person, done)


async def set_zone(bot: Bot, user: int, zone: str) -> tuple[Person, str]:
    """Set the person's zone; nights are quiet from then on. Raises TableError for a zone that nobody knows."""
    known = next((one for one in zones() if one.casefold() == zone.strip().casefold()), None)
    if known is None:
        raise TableError(f"I know no time zone “{zone[:40]}”. Begin to type the nearest large city: it is suggested.")
    first = not (await _known(bot, user)).zone
    person = await clockwork.change_person(
        bot.store, user, lambda one, now: replace(one, zone=known, quiet=one.quiet or (NIGHTS if first else ()))
    )
    return person, f"{KEPT} {CLEARED}" if first and person.quiet == NIGHTS else KEPT


async def pressed(bot: Bot, interaction: Interaction, parts: list[str]) -> None:
    """Change one thing, and show everything. Raises TableError and UnknownControl."""
    user, (word, *rest) = interaction.user.id, parts
    done = KEPT
    if word == "back":
        await come_back(bot, interaction)
        return
    if word == "zone":
        person, done = await set_zone(bot, user, rest[0])
    elif word == "where":
        where = next((one for one in WHERE if one == rest[0]), None)
        if where is None:
            raise UnknownControl()
        await _must_be_open(bot, user, where)
        person = await _change(bot, user, lambda one: replace(one, where=where, closed=False))
    elif word == "after" and int(rest[0]) in AFTER:
        person = await _change(bot, user, lambda one: replace(one, after=int(rest[0])))
    elif word == "digest" and int(rest[0]) < 24:
        person = await _change(bot, user, lambda one: replace(one, digest=int(rest[0])))
    elif word == "show":
        person, done = await _known(bot, user), ""
    else:
        raise UnknownControl()
    await _show(bot, interaction, person, done)


MOST_MUTED = 50
NOBODY_MUTES = "You cannot mute yourself: the bot pings you for your own turns only."


async def mute(bot: Bot, interaction: Interaction, game: str, other: int, off: bool) -> None:
    """Mute a person, or a game, or lift that; turns are told as ever. Raises TableError."""
    user = interaction.user.id
    if other == user:
        raise TableError(NOBODY_MUTES)

    def how(one: Person) -> Person:
        if other:
            return replace(one, muted_people=_with(one.muted_people, other, off))
        return replace(one, muted_games=_with(one.muted_games, game, off))

    await _show(bot, interaction, await _change(bot, user, how), KEPT)


def _with(muted: tuple[T, ...], what: T, off: bool) -> tuple[T, ...]:
    """The latest of what is muted, with this or without it."""
    others = tuple(one for one in muted if one != what)
    return others if off else (*others, what)[-MOST_MUTED:]


async def come_back(bot: Bot, interaction: Interaction) -> None:
    """End the person's absence, and greet them with what waits."""
    user = interaction.user.id
    if (await _known(bot, user)).away is None:
        raise TableError("You are not away.")
    await show_privately(interaction, Screen(await greeting(bot, user)))


async def greeting(bot: Bot, user: int) -> str:
    """End an absence; what waits for the person, who needs no ping any more."""
    person = await clockwork.change_person(bot.store, user, lambda one, now: one.back(now))
    store = bot.store
    missed = [one for one in await store.people.owed(user) if one.kind.startswith(clockwork.SAID)]
    await store.people.change(
        user, lambda text, now, owed: PersonTicked(text, clockwork.due_of(person, (), now), told=tuple(owed))
    )
    waits = await all_waiting(store, user)
    await clockwork.heard(store, [one.game.id for one in waits], [user])
    news = [f"<#{(await store.game(one.game)).channel_id}>: {one.body}" for one in missed]
    first, *rows = summary(waits, news) or ["No game waits."]
    return "\n".join([f"✓ Welcome back. {first}", *rows])


async def moved_while_away(bot: Bot, interaction: Interaction) -> None:
    """Whoever moves is back: greet them with what else waits."""
    person = await _known(bot, interaction.user.id)
    if person.is_away(bot.clock()):
        text = await greeting(bot, interaction.user.id)
        await show_privately(interaction, Screen(text), anew=True)


async def _must_be_open(bot: Bot, user: int, where: str) -> None:
    """Say hello by direct message to whoever wants them. Raises TableError if they are closed."""
    if where != "channel" and not await bot.messages.can_message(user, TRY_OUT):
        raise TableError(CLOSED)


async def _known(bot: Bot, user: int) -> Person:
    return (await clockwork.people_of(bot.store, [user]))[user]


async def _change(bot: Bot, user: int, how: Callable[[Person], Person]) -> Person:
    return await clockwork.change_person(bot.store, user, lambda one, now: how(one))


async def _show(bot: Bot, interaction: Interaction, person: Person, done: str) -> None:
    await show_privately(interaction, mine_screen(person, bot.clock(), str(interaction.locale), done))


# Forms


class MineForm(Form):
    """What a person types about themselves."""

    def __init__(self, title: str, word: str) -> None:
        super().__init__(title, "", 0, f"mine|{word}")

    def add(self, name: str, label: str, hint: str, default: str, *, long: bool = False) -> MineForm:
        """Add a field, which may be left empty."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        entry: ui.TextInput[Any] = ui.TextInput(
            custom_id=name, style=style, default=default or None, max_length=MOST_LETTERS, required=False
        )
        self.add_item(ui.Label(text=label, description=hint, component=entry))
        return self


async def ask(bot: Bot, interaction: Interaction, word: str) -> None:
    """Open the form for quiet hours or an absence."""
    person = await _known(bot, interaction.user.id)
    if word == "quiet":
        if not person.zone:
            raise TableError("Tell me your time zone first: `/my settings zone:`.")
        form = MineForm("Quiet hours", word)
        form.add("hours", "When nobody pings you", HOW_HOURS[:100], written_week(person.quiet), long=True)
    else:
        form = MineForm("Away", word)
        form.add("since", "From", "A date, a weekday, or “3 days”. Empty: from now on.", "")
        form.add("until", "Until, and including", "A date, a weekday, or “2 weeks”. Empty: until you are back.", "")
    await interaction.response.send_modal(form)


async def submitted(given: Submitted) -> None:
    """Take what a form says. Raises TableError, which says how to write it."""
    await acknowledge(given.interaction, shows=True)
    bot, user, word, fields = given.bot, given.user, given.parts[0], given.fields
    if word == "quiet":
        week = read_week(fields.get("hours", ""))
        person, done = await _change(bot, user, lambda one: replace(one, quiet=week)), KEPT
    elif word == "away":
        zone, now = (await _known(bot, user)).zone, bot.clock()
        span = read_absence(fields.get("since", ""), fields.get("until", ""), zone, now)
        person, done = await clockwork.change_person(bot.store, user, lambda one, at: one.leaving(span, at)), KEPT
    else:
        raise UnknownControl()
    await _show(bot, given.interaction, person, done)
