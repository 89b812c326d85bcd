"""Before the start: the rules and the seat order, the message where people join and leave, starting, and a rematch.

What cannot be done raises TableError, which says why.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord
from discord.utils import escape_markdown

import engine
from bot.chat import codes
from bot.chat.answers import FAILURES, out_of_reach, show_privately
from bot.chat.client import Bot
from bot.chat.rights import must_be_able_to_post
from bot.chat.screen import Button, Option, Screen
from bot.core import clockwork, constitution, opponents, pace
from bot.core.errors import NotSeated, TableError
from bot.core.keyed import Locks
from bot.core.moves import turn_key
from bot.core.notices import LOBBY, LobbyNotice, TurnNotice, queued, say_notice, turn_notice
from bot.core.opponents import ABOUT, is_person, level_of
from bot.core.table import Table
from bot.core.table_settings import SeatOrder, Start, TableSettings, agreed_lines, players_of, title_of
from bot.rooms.seats import handing, posts
from bot.rooms.seats.options import (
    host_must_not_see,
    must_have_room,
    option_name,
    options_beside,
    read_options,
    rules_lines,
    without_rule,
)
from bot.rooms.seats.screen import leaving_screen
from bot.rooms.turn.asking import leave_screen
from bot.words.lexicon import clean_name, listed, mentions, unlike
from opponents import LEVELS, Level
from renderer.text import UNKNOWN
from renderer.text import clean as drawn
from storage import VACANT, AlreadySeated, Game, Notice, OutboxItem, Seat, Store

IMPORTED = {
    "order": "The seats of an imported game are those of its record.",
    "opponents": "The seats of an imported game are kept for those whom its host named.",
    "rules": "An imported game keeps the rules of its record.",
    "start": "An imported game begins as soon as everybody has accepted.",
}


def must_prepare(what: str, game: Game, user: int) -> TableSettings:
    """The settings of a game that has not started, of which the person may decide this."""
    constitution.must(what, game, constitution.roles_of(user, game))
    settings = TableSettings.read(game.settings)
    if settings.invited:
        raise TableError(IMPORTED[what])
    return settings


def _seat_order(settings: TableSettings, seats: Sequence[Seat]) -> tuple[list[Seat], str, str]:
    """The seats in their new order, how it came about (to be published), and the seed if it was drawn."""
    if settings.seats == "joined":
        return [*seats], "Seats in the order people joined", ""
    if settings.seats in SETTLED:
        place = {user: number for number, user in enumerate(settings.order)}
        ordered = sorted(seats, key=lambda seat: place.get(seat.user_id, len(place)))
        return ordered, SETTLED[settings.seats], ""
    seed = secrets.token_hex(8)
    ordered = sorted(seats, key=lambda seat: hashlib.sha256(f"{seed}:{seat.user_id}".encode()).hexdigest())
    return ordered, f"Seats drawn with seed `{seed}` (SHA-256 of “seed:user id” for each player, lowest first)", seed


def must_be_able_to_join(game: Game, user: int, seats: Sequence[Seat]) -> None:
    if game.status in ("finished", "abandoned"):
        raise TableError(f"{constitution.PAST[game.status]} `/game create` sets up another one.")
    if any(seat.user_id == user for seat in seats):
        raise TableError("You already have a seat in this game.")
    if game.status == "running":
        players = listed(escape_markdown(seat.name) for seat in seats)
        raise TableError(
            f"This game has begun, with {players}: nobody else can join. `/game status` lets you watch, and "
            "`/seat take` takes a seat that is open."
        )


def must_be_able_to_leave(game: Game, user: int, seats: Sequence[Seat]) -> None:
    if game.status in ("finished", "abandoned"):
        raise TableError(constitution.PAST[game.status])
    invited = [one for one, _ in TableSettings.read(game.settings).invited]
    if game.status != "running" and user not in invited and all(seat.user_id != user for seat in seats):
        raise TableError("You have no seat in this game, so there is none to leave.")


async def seat_opponent(store: Store, game: Game, user: int, what: str, interaction: int | None = None) -> None:
    """Seat an opponent of a level ("regular"), or remove the opponent in a seat ("p3"). Raises TableFull too."""
    must_prepare("opponents", game, user)
    seats = await store.seats(game.id)
    level = next((one for one in LEVELS if one == what), None)
    while level is not None:
        number, name = opponents.newcomer(level, await store.seats(game.id))
        with suppress(AlreadySeated):  # by another press, in between
            await store.join(game.id, number, name, limit=players_of(game)[1], interaction_id=interaction)
            return
    found = next((one for one in seats if f"p{one.seat}" == what and opponents.level_of(one.user_id)), None)
    if found is None:
        raise TableError("That opponent is no longer in the game.")
    await store.leave(game.id, found.user_id, interaction_id=interaction)


async def change_rules(store: Store, game: Game, user: int, word: str, interaction: int | None = None) -> None:
    """Choose a preset ("as_most_people_play"), or an option, or leave it out again; others who have joined are told.

    Raises Stale once the game has begun.
    """
    must_prepare("rules", game, user)
    recipe, now = engine.TITLES[game.title], json.loads(game.options)
    options = _rules_with(game, word, await store.seats(game.id))
    what = f"{'without ' if word in now else ''}**{option_name(recipe, word)}**"
    text = f"<@{user}> has changed the rules: {what}. Anybody who has joined may leave again."
    told = await told_to_others(store, game, user, text)
    await store.change_game(
        game.id, options=json.dumps(options), expected_version=game.version, interaction_id=interaction, notices=told
    )


def _rules_with(game: Game, word: str, seats: Sequence[Seat]) -> list[str]:
    """The game's options with another preset, with an option, or without it.

    Raises TableError if the game cannot be played by them, or not by those who have joined or with such a host.
    """
    recipe, now = engine.TITLES[game.title], json.loads(game.options)
    if word in recipe.presets:
        presets = {option for preset in recipe.presets.values() for option in preset.options}
        wanted = [*recipe.presets[word].options, *(option for option in now if option not in presets)]
    else:
        wanted = [option for option in now if option != word] if word in now else [*now, word]
    options = read_options(game.title, ",".join(wanted))
    if TableSettings.read(game.settings).host_acts:
        host_must_not_see(game.title, options)
    must_have_room(game.title, options, len(seats) - 1)
    return options


async def told_to_others(store: Store, game: Game, user: int, text: str) -> list[Notice]:
    """The notice to those who have joined apart from this person; nothing if nobody has."""
    seats = await store.seats(game.id)
    return [say_notice(text)] if any(opponents.is_person(one.user_id) and one.user_id != user for one in seats) else []


async def accept(store: Store, game: Game, user: int, interaction: int | None) -> bool:
    """Take the seat that an imported game keeps for the person; whether it has begun, since they were the last."""
    settings = TableSettings.read(game.settings)
    names = dict(settings.invited)
    if user not in names:
        raise TableError("The seats of this game are kept for the people its host named when importing it.")

    async def write() -> bool:
        joined = await store.join(game.id, user, names[user], limit=len(names), interaction_id=interaction)
        seats = [*await store.seats(game.id), joined]  # read last: nobody else joins any more
        if len(seats) < len(names):
            return False
        numbers = {seat.user_id: seat.seat for seat in seats}
        await store.start_game(game.id, order=[numbers[one] for one in names])
        await store.outbox.post(game.id, [queued(TurnNotice(f"imported:{game.seq}"))])
        if settings.over:
            await store.set_status(game.id, "finished")
        return True

    return await store.together(write)


async def start(
    store: Store, game: Game, user: int, interaction: int | None, seats: Sequence[Seat] | None = None
) -> Game:
    """Begin the game; `seats` where not all of them are stored yet. Raises TableError."""
    settings = must_prepare("start", game, user)
    seats = await store.seats(game.id) if seats is None else seats
    recipe = engine.TITLES[game.title]
    if not any(opponents.is_person(seat.user_id) for seat in seats):
        raise TableError("Somebody must play with the opponents: join, then start.")
    low, high = players_of(game)
    if not low <= len(seats) <= high:
        number = f"{low} to {high}" if low < high else f"{high}"
        raise TableError(f"{recipe.name} needs {number} players; joined so far: {len(seats)}.")
    seated, how, seed = _seat_order(settings, seats)
    title = engine.build(game.title, len(seats), json.loads(game.options))
    beginning = engine.start(title, [seat.name for seat in seated])
    names = ", ".join(f"{place}. {escape_markdown(seat.name)}" for place, seat in enumerate(seated, start=1))
    text = f"**{title.name} begins.** {how}: {names}. {escape_markdown(seated[0].name)} goes first."
    key = turn_key(title, [], beginning)
    sitting = [replace(seat, seat=number) for number, seat in enumerate(seated, start=1)]
    return await store.start_game(
        game.id,
        order=[seat.seat for seat in seated],
        settings=replace(settings, seed=seed).text(),
        expected_version=game.version,
        interaction_id=interaction,
        notices=[say_notice(text), turn_notice(key)],
        clock=clockwork.on_move(key, await clockwork.around(store, game, sitting)),
    )


SEATED: dict[SeatOrder, str] = {
    "random": "Seats will be drawn at random.",
    "joined": "Seats will be in the order people joined.",
    "chosen": "The host has chosen the seats.",
    "moved up": "All move up one seat, and whoever sat first sits last.",
}
SETTLED: dict[SeatOrder, str] = {"chosen": "Seats chosen by the host", "moved up": "Everybody has moved up one seat"}
"""How an order came about that was settled before the start, as everybody is told then."""
STARTS: dict[Start, str] = {
    "by_host": "The host starts the game.",
    "when_full": "The game starts when all seats are taken.",
}
RATED = "- A rated game: its result counts in `/server table`, unless it is stopped or a seat changes hands."
NOT_RATED = "- Not rated, as some seats are played by the bot."
CANCELLED = ["", "*This game was cancelled.*"]
CONTINUES = "It continues here once everybody has accepted:"
OPENS = "It is over. All can look back on it here once everybody has accepted:"
OPENED = f"✓ The others can join below. Start when everybody is there. {SEATED['moved up']}"


def lobby_screen(game: Game, seats: Sequence[Seat], viewer: int | None = None) -> Screen:
    """The game before its start, with what can be done; for a viewer who alone sees it, with what they may do."""
    screen = Screen(game=game.id, seq=0, footer=f"Game {game.id}")
    settings = TableSettings.read(game.settings)
    if settings.invited:
        return _invitation(screen, game, settings, seats, viewer)
    recipe, options = engine.TITLES[game.title], json.loads(game.options)
    low, high = players_of(game)
    number = f"{high}" if settings.players else f"{low} to {high}"
    lines = [f"### A game of {title_of(game).name}", f"For {number} players. Hosted by <@{game.host_id}>."]
    lines += [*rules_lines(recipe, options), *_terms(settings, seats)]
    people = [_seated(number, seat) for number, seat in enumerate(seats, start=1)]
    lines += ["", f"**Players ({len(seats)})**", *(people or ["*nobody yet*"])]
    if game.status == "open":
        lines += ["", f"{SEATED[settings.seats]} {STARTS[settings.start]}"]
        joined, hosts = viewer in {seat.user_id for seat in seats}, viewer in (None, game.host_id)
        screen.buttons(
            *([] if joined else [Button("Join", "join", "success")]),
            *([Button("Leave", "leave")] if joined or viewer is None else []),
            *([Button("Start", "start", "primary")] if hosts else []),
        )
        if hosts:
            screen.select("opponents", "Opponents played by the bot…", _opponents(seats, len(seats) < high))
            screen.select("rules", "The rules…", _choices(game, seats))
    screen.text = "\n".join(lines + CANCELLED if game.status == "abandoned" else lines)
    return screen


def _terms(settings: TableSettings, seats: Sequence[Seat]) -> list[str]:
    lines = ["- The host may act for other players; the log says when."] if settings.host_acts else []
    if settings.teaching:
        lines.append("- A teaching game: decisions are explained to each player the first time.")
    if settings.pace.name != "none":
        lines.append(f"- **Pace:** {pace.told(settings.pace)}.")
    if settings.rated:
        lines.append(RATED if all(is_person(seat.user_id) for seat in seats) else NOT_RATED)
    return [*lines, *agreed_lines(settings)]


def _choices(game: Game, seats: Sequence[Seat]) -> list[Option]:
    """What the host can make of the rules: another preset, options with it, or without."""
    recipe, options = engine.TITLES[game.title], json.loads(game.options)
    word = recipe.preset_of(options)
    presets = [
        Option(option_name(recipe, other), codes.join("rules", other), preset.told(options))
        for other, preset in recipe.presets.items()
        if other != word
    ]
    alone = recipe.as_most_play.options if len(recipe.as_most_play.options) == 1 else frozenset()
    without = [option for option in options if option not in alone]
    beside = [option for option in options_beside(recipe, options) if option not in alone]
    found = [
        *presets,
        *(Option(f"Without {option_name(recipe, option)}", codes.join("rules", option)) for option in without),
        *(
            Option(f"With {option_name(recipe, one)}", codes.join("rules", one), without_rule(recipe.options[one]))
            for one in beside
        ),
    ]
    return [one for one in found if _suits(game, one.code.partition("|")[2], seats)]


def _suits(game: Game, word: str, seats: Sequence[Seat]) -> bool:
    """Whether the rules can be changed so, as the table is now."""
    try:
        _rules_with(game, word, seats)
    except TableError:
        return False
    return True


def _seated(number: int, seat: Seat) -> str:
    level = level_of(seat.user_id)
    return f"{number}. {escape_markdown(seat.name)}{f', {level}' if level is not None else ''}"


def _opponents(seats: Sequence[Seat], room: bool) -> list[Option]:
    """The opponents that the host can seat, while there is room, and those who can go."""
    add = [Option(f"Seat a {level} opponent", codes.join("opponent", level), ABOUT[level]) for level in LEVELS if room]
    gone = [
        Option(f"Remove {seat.name}", codes.join("opponent", f"p{seat.seat}"))
        for seat in seats
        if level_of(seat.user_id) is not None
    ]
    return [*add, *gone]


def _invitation(
    screen: Screen, game: Game, settings: TableSettings, seats: Sequence[Seat], viewer: int | None
) -> Screen:
    """The message in which those whom an imported game would seat agree to it."""
    seated = {seat.user_id for seat in seats}
    lines = [
        f"### An imported game of {title_of(game).name}",
        f"<@{game.host_id}> has imported it with {game.seq} {'move' if game.seq == 1 else 'moves'}.",
    ]
    if game.status == "open":
        lines.append(OPENS if settings.over else CONTINUES)
        asked = viewer is None or viewer in dict(settings.invited)
        accepts = [Button("Accept", "join", "success")] if asked and viewer not in seated else []
        screen.buttons(*accepts, *([Button("Decline", "leave", "danger")] if asked else []))
    lines += [
        f"{number}. {escape_markdown(name)}: <@{user}> {'✓' if user in seated else '…'}"
        for number, (user, name) in enumerate(settings.invited, start=1)
    ]
    screen.text = "\n".join(lines + CANCELLED if game.status == "abandoned" else lines)
    return screen


# Joining and leaving


def seat_name(user: discord.abc.User) -> str:
    """What they are called at the table: by their account's name where pictures lack the letters of what they go by."""
    name = clean_name(user.display_name, user.name)
    return clean_name(user.name) if drawn(name) == UNKNOWN else name


async def join(bot: Bot, game: Game, interaction: discord.Interaction[Any], *, once: bool = True) -> None:
    """Give the person a seat. Raises TableError and storage errors. `once`: remember that this interaction joined."""
    user, seats = interaction.user, await bot.store.seats(game.id)
    must_be_able_to_join(game, user.id, seats)
    number = interaction.id if once else None
    if TableSettings.read(game.settings).invited:
        if await accept(bot.store, game, user.id, number):
            await (await bot.tables.get(game.id)).reclock()
            bot.advance(game.id)
            bot.sender.witnessed(game.id, interaction)
        return
    name = unlike(seat_name(user), {seat.name for seat in seats})
    if once:
        await _must_be_able_to_start(interaction, game, len(seats) + 1)

    async def write() -> bool:
        joined = await bot.store.join(game.id, user.id, name, limit=players_of(game)[1], interaction_id=number)
        now = await bot.store.game(game.id)  # as it was just before: nobody else changes it any more
        now = replace(now, version=now.version + 1)
        return once and await _filled(bot.store, now, user.id, [*await bot.store.seats(game.id), joined])

    if await bot.store.together(write):
        bot.advance(game.id)
    bot.sender.wake()


async def when_full(interaction: discord.Interaction[Any], game_id: str) -> None:
    """Once all seats are taken, start the game if that was agreed, or tell its host. Raises TableError."""
    bot = interaction.client
    game, seats = await bot.store.game(game_id), await bot.store.seats(game_id)
    await _must_be_able_to_start(interaction, game, len(seats))
    if await _filled(bot.store, game, interaction.user.id, seats):
        bot.advance(game_id)
    bot.sender.wake()


async def _must_be_able_to_start(interaction: discord.Interaction[Any], game: Game, count: int) -> None:
    """Raise TableError if the game is to start by itself with so many seats, and cannot be posted here."""
    starts = TableSettings.read(game.settings).start == "when_full" and count >= players_of(game)[1]
    if starts and game.status == "open" and interaction.channel_id == game.channel_id:
        await must_be_able_to_post(interaction)


async def _filled(store: Store, game: Game, user: int, seats: Sequence[Seat]) -> bool:
    """Start the game if these are all its seats and that was agreed, or tell its host; whether it starts."""
    if game.status != "open" or len(seats) < players_of(game)[1]:
        return False
    starts = TableSettings.read(game.settings).start == "when_full"
    if starts:
        await start(store, game, game.host_id, None, seats)
    elif user != game.host_id:
        full = f"The table is full: <@{game.host_id}>, you can start the game."
        await store.outbox.post(game.id, [say_notice(full, [game.host_id], by=user)])
    return starts


async def leaving(bot: Bot, game_id: str, user: int) -> Screen:
    """Asks whether the person gives up their seat, or declines the one kept for them. Raises TableError."""
    game = await bot.store.game(game_id)
    must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    running = game.status == "running"
    return leaving_screen(await bot.tables.get(game_id), user) if running else leave_screen(game, user)


async def leave(bot: Bot, game_id: str, user: int, interaction: int) -> str:
    """Give up the person's seat, or decline the one kept for them, which cancels the game; what to tell them.

    Raises TableError, and Stale where a seat is declined once the game has begun.
    """
    game = await bot.store.game(game_id)
    must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    if game.status == "running":
        return await handing.leave(await bot.tables.get(game_id), user, interaction)
    invited = bool(TableSettings.read(game.settings).invited)
    if invited:
        said = say_notice(f"<@{user}> declined, so the imported game does not continue here.")
        await bot.store.set_status(game.id, "abandoned", expected="open", interaction_id=interaction, notices=[said])
    else:
        await bot.store.leave(game.id, user, interaction_id=interaction)
    await redraw_lobby(bot, game_id)
    return "✓ You have declined." if invited else "✓ You have left."


class Redrawing(Locks):
    """Lets one after the other draw a lobby anew, by its game: so what was read last is what is seen."""


async def redraw_lobby(bot: Bot, game_id: str) -> None:
    """Show the lobby as it is now; one that was deleted is posted anew while people can join."""
    async with bot.its(Redrawing).of(game_id):
        game = await bot.store.game(game_id)
        screen = lobby_screen(game, await bot.store.seats(game_id))
        for message in await bot.store.messages.live(game_id):
            if message.kind == LOBBY:
                try:
                    shown = await bot.messages.edit(message.channel_id, message.message_id, screen)
                    if not shown and game.status == "open":
                        await bot.store.messages.retire([message.message_id])
                        await bot.store.outbox.post(game_id, [queued(LobbyNotice())])
                        bot.sender.wake()
                except FAILURES as error:
                    if out_of_reach(error):
                        await redraw_later(bot, game_id)  # else the next press draws it anew


async def redraw_later(bot: Bot, game_id: str) -> None:
    """Update the message once Discord is well again."""
    await bot.store.outbox.post(game_id, [queued(LobbyNotice(again=True))])


async def say_lobby(bot: Bot, item: OutboxItem, notice: LobbyNotice) -> None:
    """Post the message where people join or accept, which pings nobody, and close the one where the game was before."""
    store, messages = bot.store, bot.messages
    async with bot.its(Redrawing).of(item.game):
        game = await store.game(item.game)
        place, screen = await messages.channel(game.channel_id), lobby_screen(game, await store.seats(game.id))
        lobbies = [one for one in await store.messages.live(game.id) if one.kind == LOBBY]
        if notice.again:
            for message in lobbies:
                await messages.edit(message.channel_id, message.message_id, screen)
            await store.outbox.done(item)
            return
        for message in lobbies:
            moved = Screen(f"*This game can now be joined in <#{place.id}>.*")
            try:
                await messages.edit(message.channel_id, message.message_id, moved)
            except discord.HTTPException as error:
                if out_of_reach(error):
                    raise
            await store.messages.retire([message.message_id])
        await posts.follow(bot, game, place, opened=notice.opened)
        there = posts.first_message(place) if notice.opened else None
        if there is None and (earlier := await messages.earlier(item, place)) is not None:
            there = earlier.id
        if there is not None and await messages.edit(place.id, there, screen):
            await store.outbox.done(item, channel_id=place.id, message_id=there)
        else:
            await messages.post(item, screen, [], remember=True)


async def create(
    interaction: discord.Interaction[Any],
    title: str,
    options: str,
    settings: TableSettings,
    levels: Sequence[Level],
    thread: discord.Thread | None = None,
    notices: Sequence[Notice] = (),
) -> Game:
    """A new game here or in the thread, which whoever creates it joins with opponents of these levels.

    All in one, or others would take the opponents' seats. Raises ChannelTaken, Duplicate, or TableFull.
    """
    store, user = interaction.client.store, interaction.user

    async def write() -> Game:
        game: Game = await store.create_game(
            channel_id=(interaction.channel_id or 0) if thread is None else thread.id,
            guild_id=interaction.guild_id,
            host_id=user.id,
            title=title,
            options=options,
            settings=settings.text(),
            interaction_id=interaction.id,
        )
        most = players_of(game)[1]
        seats = [await store.join(game.id, user.id, seat_name(user), limit=most)]
        for level in levels:
            number, name = opponents.newcomer(level, seats)
            seats.append(await store.join(game.id, number, name, limit=most))
        await store.outbox.post(game.id, [queued(LobbyNotice(thread is not None)), *notices])
        return game

    made: Game = await store.together(write)
    interaction.client.sender.witnessed(made.id, interaction)
    return made


# A rematch


async def rematch(bot: Bot, interaction: discord.Interaction[Any], table: Table) -> None:
    """Open a game like this one in its channel, hosted by whoever asks, and ask the others to join.

    All move up one seat, and whoever sat first sits last. Raises TableError, NotSeated and storage errors.
    """
    user, before, people = interaction.user.id, table.game, _people_of(table)
    table.must_not_be_abandoned()
    if user not in people:
        raise NotSeated()
    if not table.position.over:
        raise TableError("This game is not over.")
    here = await bot.store.game_in_channel(interaction.channel_id or 0)
    if here is not None and here.status == "open":
        raise TableError("The next game is being set up here already: **Join** or `/game join` to play.")
    await must_be_able_to_post(interaction)
    order = (*people[1:], *people[:1])
    settings = replace(table.settings, seats="moved up", order=order, seed="", invited=(), over=False)
    seats = [(seat, level_of(row.user_id)) for seat, row in table.seats.items()]
    levels = [level for seat, level in seats if level is not None and table.tenures.loan(seat) is None]
    others = [one for one in people if one != user]
    words = f"<@{user}> would like a rematch: {mentions(others)}, **Join** or `/game join` to play."
    asked = [say_notice(words, others, by=user)] if others else []
    await create(interaction, before.title, before.options, settings, levels, notices=asked)
    await show_privately(interaction, Screen(OPENED))


def _people_of(table: Table) -> list[int]:
    """Whose game it was, in seat order: those who had lent their seat, or for whom an opponent played on, too."""
    lent = {one.seat: one.owner_id for one in table.tenures.loans}
    users = [user for seat, row in table.seats.items() for user in (lent.get(seat, VACANT), row.user_id)]
    return list(dict.fromkeys(filter(is_person, users)))
