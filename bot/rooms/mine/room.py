"""What is a person's own, as the house finds it: /my, their cards, games, settings and notes.

What they have set for themself is in one place: their zone, quiet hours, where they are told, and absences. They change
it with buttons, lists and two forms, and by moving when they are away. `/turns` is the same as `/my games`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, folded, matching, table_here
from bot.chat.messages import link
from bot.chat.press import Drafts, Form, Press, showing
from bot.chat.rights import GONE, seems_gone
from bot.chat.room import Room
from bot.chat.screen import MAX_TEXT, Button, Option, Screen
from bot.core import clockwork
from bot.core.errors import TableError, UnknownControl
from bot.core.hours import LIKELY, NIGHTS, local, zones
from bot.core.notices import LOBBY, turn_of
from bot.core.pace import GENTLE
from bot.core.person import WHERE, Person, Where
from bot.core.table import Table
from bot.core.written import HOW_HOURS, read_absence, read_week, written_week
from bot.rooms.page.room import TAKEN_BACK, Doors
from bot.rooms.programs.room import programs_screen
from bot.rooms.time.rings import all_waiting, fitting, news_line, summary, waiting
from bot.rooms.turn import cards
from bot.rooms.turn.screen import task_of
from engine import PlayerId
from storage import Game, OwedPing, PersonTicked

T = TypeVar("T")
TOLD: dict[Where, str] = {
    "channel": "in the game's channel",
    "dm": "by direct message",
    "both": "in the channel and by direct message",
    "digest": "only once a day, all games together, by direct message",
}
AFTER = (6, 12, 24, 36, 48, 72, 96, 168)
"""Hours until the first reminder that can be chosen."""
CHOICES: dict[str, Sequence[Any]] = {"where": WHERE, "after": AFTER, "digest": range(24)}
"""What can be chosen from lists, by the field that it sets."""
MOST_LETTERS, MOST_MUTED = 400, 50
KEPT = "✓ Saved."
CLEARED = "You are not pinged from 23:00 to 8:00 there; *Quiet hours…* changes that."
CLOSED = "You do not accept my direct messages, so I cannot tell you there. Allow them from members of this server."
TRY_OUT = "I will tell you here what waits for you."
AWAY = "You are not pinged, your clocks stand still, and your seats are kept, for 14 days in all (*Fast* tables: 7)."
FROM = "A date, a weekday, or “3 days”. Empty: from now on."
UNTIL = "A date, a weekday, or “2 weeks”. Empty: until you are back."


def mine_screen(person: Person, games: Sequence[Game], now: int, locale: str, done: str) -> Screen:
    """Everything that the person has set, with what changes it; `games` are those that they have muted."""
    lines = [done] if done else []
    lines += ["### Your settings, at every table", _zone_line(person, now), _quiet_line(person), _told_line(person)]
    if person.closed and person.where != "channel":
        lines.append("-# I cannot send you direct messages: allow them from members of our server, then choose again.")
    lines += [_away_line(person, now), *_muted_line(person, games)]
    screen = Screen("\n".join(lines))
    screen.select("where", f"Notify me {TOLD[person.where]}", [_option("where", one, TOLD[one]) for one in WHERE])
    if person.where == "digest":
        hours = [_option("digest", str(hour), f"at {_hour(person, hour)}") for hour in CHOICES["digest"]]
        screen.select("digest", f"Every day at {_hour(person, person.digest)}", hours)
    else:
        hours = [_option("after", str(one), f"after {one} h") for one in AFTER]
        screen.select("after", f"First reminder after {person.after} h", hours)
    guess = LIKELY.get(locale)
    buttons = [Button("Quiet hours…", codes.join("mine", "quiet")), Button("Away…", codes.join("mine", "away"))]
    if guess and not person.zone:
        buttons.insert(0, Button(f"My zone is {guess}", codes.join("mine", "zone", guess), "primary"))
    if person.away is not None and not person.was_away(now):
        buttons.append(Button("I am back", codes.join("mine", "back"), "success"))
    return screen.buttons(*buttons)


def _option(word: str, value: str, label: str) -> Option:
    return Option(label[0].upper() + label[1:], codes.join("mine", word, value))


def _zone_line(person: Person, now: int) -> str:
    if not person.zone:
        return "**Time zone:** not known. `/my settings zone:` sets it, so that nobody pings you at night."
    return f"**Time zone:** {person.zone}, where it is {local(person.zone, now):%H:%M} now."


def _quiet_line(person: Person) -> str:
    if not any(person.quiet):
        return "**Quiet hours:** none."
    written = written_week(person.quiet, ", ")
    return f"**Quiet hours:** {written}. You are not pinged then, and your time stands still where the pace says so."


def _told_line(person: Person) -> str:
    if person.where == "digest":
        why = "" if person.zone else ", until your time zone is known"
        return f"**Notified** {TOLD['digest']}, at {_hour(person, person.digest)}{why}."
    return f"**Notified** {TOLD[person.where]}; at *Gentle* tables reminded every {person.after} h, {GENTLE} times."


def _hour(person: Person, hour: int) -> str:
    """The hour of a digest: theirs, or UTC for somebody whose zone is not known."""
    return f"{hour}:00" if person.zone else f"{hour}:00 UTC"


def _away_line(person: Person, now: int) -> str:
    """Whether and until when the person is away, for themself."""
    if person.away is None or person.was_away(now):
        return "**Away:** no."
    begin = "" if person.away[0] <= now else f" from <t:{person.away[0]}:f>"
    end = "until you are back" if person.away[1] is None else f"until <t:{person.away[1]}:f>"
    return f"**Away:**{begin} {end}. {AWAY} Your next move ends it."


def _muted_line(person: Person, games: Sequence[Game]) -> list[str]:
    """Because of whom and of which games the person is not pinged."""
    people = ", ".join(f"<@{one}>" for one in person.muted_people)
    places = ", ".join(f"the game in <#{one.channel_id}>" for one in games)
    by_person = f"**Muted:** {people}. Nothing that they ask pings you; `/my mute person: off:True` ends this."
    by_game = f"**Muted:** {places}. You are pinged only for your own turns; `/my mute off:True` there ends this."
    return [*([by_person] if people else []), *([by_game] if places else [])]


# Changing it


async def _set_zone(bot: Bot, user: int, zone: str) -> tuple[Person, str]:
    """Set the person's zone; nights are quiet from then on. Raises TableError for a zone that nobody knows."""
    known = _zone_named(zone)
    if known is None:
        raise TableError(
            f"I do not know the time zone “{zone[:40]}”. Start typing the nearest large city and pick one."
        )
    first = not (await clockwork.person_of(bot.store, user)).zone
    nights = NIGHTS if first else ()
    person = await _change(bot, user, lambda one: replace(one, zone=known, quiet=one.quiet or nights))
    return person, f"{KEPT} {CLEARED}" if first and person.quiet == NIGHTS else KEPT


def _zone_typed(text: str) -> str:
    """As zones are written, without the time that the list shows beside them."""
    return folded(text.partition(",")[0]).replace(" ", "_")


def _zone_named(typed: str) -> str | None:
    """The zone as it is written, or by its city alone where there is one such city: "berlin", "New York"."""
    wanted = _zone_typed(typed)
    of_city = [one for one in zones() if one.rpartition("/")[2].casefold() == wanted]
    return next((one for one in zones() if one.casefold() == wanted), of_city[0] if len(of_city) == 1 else None)


async def pressed(given: Press) -> None:
    """Change one thing, and show everything, or open a form. Raises TableError and UnknownControl."""
    bot, user, interaction = given.bot, given.user, given.interaction
    word, value = given.parts[0], "".join(given.parts[1:])
    if word in ("quiet", "away"):
        await interaction.response.send_modal(await _form(given))
        return
    await acknowledge(interaction, shows=True)
    done = KEPT
    if word == "back":
        if (await clockwork.person_of(bot.store, user)).away is None:
            raise TableError("You are not away.")
        await show_privately(interaction, Screen(await _greeting(bot, user)))
        return
    if word == "zone":
        person, done = await _set_zone(bot, user, value)
    elif word in CHOICES:
        chosen = [one for one in CHOICES[word] if str(one) == value]
        if not chosen:
            raise UnknownControl()
        changed: dict[str, Any] = {word: chosen[0]}
        if word in ("where", "digest"):  # the first digest comes at the next such hour
            changed["digested"] = bot.clock()
        if word == "where":
            if value != "channel" and not await bot.messages.can_message(user, TRY_OUT):
                raise TableError(CLOSED)
            changed["closed"] = False
        person = await _change(bot, user, lambda one: replace(one, **changed))
    else:
        person, done = await clockwork.person_of(bot.store, user), ""
    await _show(interaction, person, done)


def _with(muted: tuple[T, ...], what: T, off: bool) -> tuple[T, ...]:
    """The latest of what is muted, with this or without it."""
    others = tuple(one for one in muted if one != what)
    return others if off else (*others, what)[-MOST_MUTED:]


async def _change(bot: Bot, user: int, how: Callable[[Person], Person]) -> Person:
    return await clockwork.change_person(bot.store, user, lambda one, now: how(one))


async def _show(interaction: Interaction, person: Person, done: str) -> None:
    bot = interaction.client
    games = [await bot.store.game(one) for one in person.muted_games]
    screen = mine_screen(person, games, bot.clock(), str(interaction.locale), done)
    await show_privately(interaction, screen)


# Coming back


async def moved_while_away(bot: Bot, interaction: Interaction) -> None:
    """Whoever moves is back: greet them with what else waits."""
    user = interaction.user.id
    if (await clockwork.person_of(bot.store, user)).is_away(bot.clock()):
        await show_privately(interaction, Screen(await _greeting(bot, user)), anew=True)


async def _greeting(bot: Bot, user: int) -> str:
    """End an absence; what waits for the person, who needs no ping any more."""
    store = bot.store
    person = await clockwork.change_person(store, user, lambda one, now: one.back(now))
    missed = list[OwedPing]()

    def told(text: str, now: int, owed: Sequence[OwedPing]) -> PersonTicked:
        missed[:] = [one for one in owed if one.kind.startswith(clockwork.SAID)]
        return PersonTicked(text, clockwork.due_of(person, (), now), told=tuple(owed))

    await store.people.change(user, told)
    waits = await all_waiting(bot, user)
    await clockwork.heard(store, [one.game.id for one in waits], [user])
    here = {game: await waiting(bot, await store.game(game), user) for game in {one.game for one in missed}}
    news = [news_line(here[one.game].place, one) for one in missed if not here[one.game].is_over(one)]
    first, *rows = summary(waits, news) or ["No game is waiting."]
    return "\n".join([f"✓ Welcome back. {first}", *rows])


# Forms


async def _form(given: Press) -> Form:
    """For quiet hours or an absence. Raises TableError."""
    person = await clockwork.person_of(given.bot.store, given.user)
    draft = given.bot.its(Drafts).of(given.user, given.game, given.parts)
    if given.parts == ["away"]:
        form = Form("Away", "", 0, "mine|away", draft)
        form.text("since", "From", "", FROM, most=MOST_LETTERS, required=False)
        form.text("until", "Until, and including", "", UNTIL, most=MOST_LETTERS, required=False)
        return form
    if not person.zone:
        raise TableError("Tell me your time zone first: `/my settings zone:`.")
    form = Form("Quiet hours", "", 0, "mine|quiet", draft)
    quiet = written_week(person.quiet)
    form.text("hours", "When nobody pings you", quiet, HOW_HOURS[:100], most=MOST_LETTERS, long=True, required=False)
    return form


async def submitted(given: Press) -> None:
    """Take what a form says."""
    await acknowledge(given.interaction, shows=True)
    async with given.taking(given.parts, given.code):
        await _show(given.interaction, *await _submit(given))


async def _submit(given: Press) -> tuple[Person, str]:
    """The person as a form says, and what was done. Raises TableError, which says how to write it."""
    bot, user, word, fields = given.bot, given.user, given.parts[0], given.fields
    done = KEPT
    if word == "quiet":
        week = read_week(fields.get("hours", ""))
        person = await _change(bot, user, lambda one: replace(one, quiet=week))
    elif word == "away":
        before, now = await clockwork.person_of(bot.store, user), bot.clock()
        span = read_absence(fields.get("since", ""), fields.get("until", ""), before.zone, now)
        if before.is_away(now) and span[0] > now:  # they are back until then
            done = await _greeting(bot, user)
        person = await clockwork.change_person(bot.store, user, lambda one, at: one.leaving(span, at))
    else:
        raise UnknownControl()
    return person, done


SPACE = MAX_TEXT - 100
"""Characters for the list of games, without what follows it."""
MOST_NOTED = 1000
"""Of a note that a person writes down for themself in a game, which *My hand* shows; nobody else sees it."""
ALONE = "Only you see it, in My hand. Leave it empty to delete it."


class My(commands.GroupCog, group_name="my", group_description="Your cards, your games and your settings"):
    @app_commands.command()
    async def hand(self, interaction: Interaction) -> None:
        """Your own cards, and what only you may see"""
        await show_privately(interaction, await cards.hand_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def programs(self, interaction: Interaction) -> None:
        """What moves for you, known to you alone: buy, pass, bid, run a company"""
        await show_privately(interaction, programs_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def games(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)

    @app_commands.command()
    @app_commands.describe(zone="Your time zone, by the nearest large city")
    async def settings(self, interaction: Interaction, zone: TEXT | None = None) -> None:
        """Your time zone, quiet hours, where you are told, and when you are away"""
        bot, user = interaction.client, interaction.user.id
        person, done = await _set_zone(bot, user, zone) if zone else (await clockwork.person_of(bot.store, user), "")
        await _show(interaction, person, done)

    @app_commands.command()
    @app_commands.describe(
        person="Whose pings to mute; leave out to mute this channel's game", off="Whether to lift the mute"
    )
    async def mute(self, interaction: Interaction, person: discord.Member | None = None, off: bool = False) -> None:
        """No more pings because of a person, or in this channel's game but for your turns"""
        bot, user = interaction.client, interaction.user.id
        if person is None:
            game = (await bot.tables.game_in(interaction.channel_id or 0)).id
            now = await _change(bot, user, lambda one: replace(one, muted_games=_with(one.muted_games, game, off)))
        elif (other := person.id) != user:
            now = await _change(bot, user, lambda one: replace(one, muted_people=_with(one.muted_people, other, off)))
        else:
            raise TableError("You cannot mute yourself: the bot pings you for your own turns only.")
        await _show(interaction, now, KEPT)

    @app_commands.command()
    @app_commands.describe(off="Take back all your links and close all your open boards")
    async def board(self, interaction: Interaction, off: bool = False) -> None:
        """A link to this channel's board, on which you see and play the game by touch"""
        doors = interaction.client.its(Doors)
        if off:
            await doors.close(interaction.user.id)
            await show_privately(interaction, Screen(TAKEN_BACK))
            return
        table = await table_here(interaction)
        await show_privately(interaction, await doors.screen(table.game.id, interaction.user.id))

    @settings.autocomplete("zone")
    async def _zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        now, wanted = interaction.client.clock(), _zone_typed(current)
        fitting = [one for one in zones() if wanted in one.casefold()]
        if not wanted:
            fitting = [*filter(None, [LIKELY.get(str(interaction.locale))]), *fitting]
        named = [(f"{one}, {local(one, now):%H:%M} now", one) for one in fitting[:100]]
        return matching(named, "")


async def _own_seat(interaction: Interaction) -> tuple[Table, PlayerId]:
    """The channel's table, and the person's seat there. Raises TableError."""
    table = await table_here(interaction)
    return table, cards.own_seat(table, interaction.user.id)


class Turns(commands.Cog):
    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def turns(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)


async def _show_games(interaction: Interaction) -> None:
    """Show the person's games: first those that wait for them, the longest waiting first."""
    bot, user = interaction.client, interaction.user.id
    rows = [await _row(bot, game, user) for game in await bot.store.games_of_user(user)]
    waiting = [text for _, text in sorted((since, text) for since, text in rows if since)]
    others = [text for since, text in rows if not since]
    lines = ["**Your turn**", *waiting] if waiting else ["No game is waiting for you."]
    lines += ["**Other games**", *others] if others else []
    await show_privately(interaction, Screen("\n".join(fitting(lines, SPACE, "… and {} more"))))


async def _row(bot: Bot, game: Game, user: int) -> tuple[int, str]:
    """Since when the game waits for the person, 0 if it does not, and its line."""
    live = [one for one in await bot.store.messages.live(game.id) if turn_of(one.kind) or one.kind == LOBBY]
    place = f"- <#{game.channel_id}> ([message]({link(game, live[-1])}))" if live else f"- <#{game.channel_id}>"
    gone = f"\n  ⚠ {GONE}" if await seems_gone(bot, game) else ""
    if game.status == "open":
        return 0, f"{place}: not started yet, created <t:{game.created_at}:R>{gone}"
    try:
        table = await bot.tables.get(game.id)
    except Exception as error:
        return 0, f"{place}: cannot be opened. {explain(error) or ''}{gone}"
    position, view = table.position, table.position.table()
    if (await clockwork.clock_of(bot.store, game.id)).archived is not None:
        return 0, f"{place}: {view.title}, archived, since nobody has moved for long"
    times = await bot.store.times(game.id, after=game.seq - 1)
    since = times.get(game.seq) or game.started_at or game.created_at
    clock, trouble = " ".join(await clockwork.clock_lines(table)), bot.sender.trouble(game.id)
    asked = f"asked <t:{since}:R>{f'. {clock}' if clock else ''}"
    asked += f"\n  {trouble}" if trouble else gone
    if set(table.seats_of(user)) & set(table.awaited):
        return since, f"{place}: **{view.title}**, {view.round}: {task_of(position)}, {asked}"
    return 0, f"{place}: {view.title}, waiting for {table.waits_for()}, {asked}"


async def _note(given: Press) -> None:
    """Open the note as it is. Raises TableError for somebody without a seat."""
    seats = await given.bot.store.seats(given.game)
    if all(seat.user_id != given.user for seat in seats):
        raise TableError(cards.NO_HAND)
    form = Form("Your note", given.game, given.seq, "note")
    now = await given.bot.store.notes.of(given.game, given.user)
    form.text("note", "Your note", now, ALONE, most=MOST_NOTED, long=True, required=False)
    await given.interaction.response.send_modal(form)


async def _noted(given: Press) -> Screen:
    """Keep what was written, and show it in the person's hand. Raises TableError for somebody without a seat."""
    table = await given.table()
    seat = cards.own_seat(table, given.user)
    await given.bot.store.notes.write(table.game.id, given.user, given.fields.get("note", "").strip())
    return await cards.hand_screen(table, seat)


CODES = (
    r"show|back|quiet|away|where\|(?:channel|dm|both|digest)|after\|\d{1,3}|digest\|\d{1,2}"
    r"|zone\|[A-Za-z0-9_+/-]{1,50}"
)
ROOM = Room(
    presses={"mine": pressed, "note": _note},
    codes={"mine": CODES},
    forms={"mine": submitted, "note": showing(_noted)},
    acted=moved_while_away,
    cogs=(My, Turns),
)
