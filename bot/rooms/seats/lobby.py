"""The message where people join a game: joining, leaving, and a rematch with the same people."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord
from discord.utils import escape_markdown

import engine
from bot.chat import codes
from bot.chat.answers import show_privately, show_publicly
from bot.chat.client import Bot
from bot.chat.layout import view
from bot.chat.rights import must_be_able_to_post
from bot.chat.screen import Button, Option, Screen
from bot.core.clockwork import pace_line
from bot.core.errors import NotSeated, TableError
from bot.core.notices import LOBBY, say_notice
from bot.core.opponents import ABOUT, is_person, level_of
from bot.core.settings import SeatOrder, Start, TableSettings, agreed_line, buildable, players_of, title_of
from bot.core.table import Table
from bot.rooms.seats import handing, opening, posts
from bot.rooms.seats.screen import leaving_screen
from bot.rooms.turn.asking import leave_screen
from bot.words.lexicon import clean_name, mentions, unlike
from engine.titles import Recipe
from opponents import LEVELS
from storage import Game, Seat

SEATED: dict[SeatOrder, str] = {
    "random": "Seats will be drawn at random.",
    "joined": "Seats will be in the order people joined.",
    "chosen": "The host has chosen the seats.",
}
STARTS: dict[Start, str] = {
    "by_host": "The host starts the game.",
    "when_full": "The game starts when all seats are taken.",
}
FULL = "The table is full: <@{}>, you can start the game."
RATED = "- A rated game: its result counts in `/server table`, unless it is stopped or a seat changes hands."
NOT_RATED = "- Not rated, as the bot plays opponents."
MOVED = "*People join this game in <#{}> now.*"
CANCELLED = ["", "*This game was cancelled.*"]
NOT_OVER = "This game is not over."
ASKED = "{who} would like a rematch: {others}, **Join** above if you play."
OPENED = "✓ The others can join below. Start when everybody is there: you sit one seat further along than last time."


def lobby_screen(game: Game, seats: Sequence[Seat]) -> Screen:
    """The message where people join, with its buttons."""
    screen = Screen(game=game.id, seq=0, footer=f"Game {game.id}")
    settings = TableSettings.read(game.settings)
    if settings.invited:
        return _invitation(screen, game, settings, seats)
    recipe, options = engine.TITLES[game.title], json.loads(game.options)
    low, high = players_of(game)
    number = f"{high}" if settings.players else f"{low} to {high}"
    lines = [f"### A game of {title_of(game).name}", f"For {number} players. Hosted by <@{game.host_id}>."]
    lines += [*_rules(recipe, options), *_terms(settings, seats)]
    people = [_seated(number, seat) for number, seat in enumerate(seats, start=1)]
    lines += [f"**Players ({len(seats)})**", *(people or ["*nobody yet*"])]
    if game.status == "open":
        lines += ["", f"{SEATED[settings.seats]} {STARTS[settings.start]}"]
        screen.buttons(Button("Join", "join", "success"), Button("Leave", "leave"), Button("Start", "start", "primary"))
        screen.select("opponents", "Opponents played by the bot…", _opponents(seats, len(seats) < high))
        screen.select("rules", "The rules…", _choices(recipe, options))
    screen.text = "\n".join(lines + CANCELLED if game.status == "abandoned" else lines)
    return screen


def _rules(recipe: Recipe, options: Sequence[str]) -> list[str]:
    """By which rules the game is played: the preset, and what was chosen beside it."""
    word = recipe.preset_of(options)
    preset = recipe.presets[word]
    chosen = [option for option in options if option not in preset.options]
    return [
        f"- **{option_name(recipe, word)}**: {preset.about}.",
        *(f"- **{option_name(recipe, option)}**: {without_rule(recipe.options[option])}" for option in chosen),
    ]


def _terms(settings: TableSettings, seats: Sequence[Seat]) -> list[str]:
    """What is agreed to in addition to the rules."""
    lines = ["- The host may act for other players; the log says when."] if settings.host_acts else []
    if settings.teaching:
        lines.append("- A teaching game: decisions are explained to each player the first time.")
    lines += filter(None, [pace_line(settings.pace)])
    if settings.rated:
        lines.append(RATED if all(is_person(seat.user_id) for seat in seats) else NOT_RATED)
    return [*lines, f"- {agreed_line(settings)}"]


def _choices(recipe: Recipe, options: Sequence[str]) -> list[Option]:
    """What the host can make of the rules: another preset, options with it, or without."""
    word = recipe.preset_of(options)
    presets = [
        Option(option_name(recipe, other), codes.join("rules", other), preset.about)
        for other, preset in recipe.presets.items()
        if other != word
    ]
    alone = recipe.as_most_play.options if len(recipe.as_most_play.options) == 1 else frozenset()
    without = [option for option in options if option not in alone]
    beside = [option for option in opening.options_beside(recipe, options) if option not in alone]
    return [
        *presets,
        *(Option(f"Without {option_name(recipe, option)}", codes.join("rules", option)) for option in without),
        *(
            Option(f"With {option_name(recipe, one)}", codes.join("rules", one), without_rule(recipe.options[one]))
            for one in beside
        ),
    ]


def _seated(number: int, seat: Seat) -> str:
    level = level_of(seat.user_id)
    return f"{number}. {escape_markdown(seat.name)}{f', {level}' if level is not None else ''}"


def _opponents(seats: Sequence[Seat], room: bool) -> list[Option]:
    """The opponents that the host can seat, while there is room, and those who can go."""
    add = [Option(f"Seat a {level} opponent", codes.join("opponent", level), ABOUT[level]) for level in LEVELS if room]
    gone = [
        Option(f"Without {seat.name}", codes.join("opponent", f"p{seat.seat}"))
        for seat in seats
        if level_of(seat.user_id) is not None
    ]
    return [*add, *gone]


def _invitation(screen: Screen, game: Game, settings: TableSettings, seats: Sequence[Seat]) -> Screen:
    """The message in which those whom an imported game would seat agree to it."""
    seated = {seat.user_id for seat in seats}
    lines = [
        f"### An imported game of {title_of(game).name}",
        f"<@{game.host_id}> has imported it with {game.seq} moves.",
    ]
    if game.status == "open":
        lines.append("It continues here once everybody has accepted:")
        screen.buttons(Button("Accept", "join", "success"), Button("Decline", "leave", "danger"))
    lines += [
        f"{number}. {escape_markdown(name)}: <@{user}> {'✓' if user in seated else '…'}"
        for number, (user, name) in enumerate(settings.invited, start=1)
    ]
    screen.text = "\n".join(lines + CANCELLED if game.status == "abandoned" else lines)
    return screen


def option_name(recipe: Recipe, option: str) -> str:
    """An option's name for people: "Open treasuries", "Scenario A", "Plain JR"."""
    letters = {corp.casefold(): str(corp) for corp in buildable(recipe.id, frozenset())[0].corporations}
    words = [letters.get(word, word.upper() if len(word) == 1 else word) for word in option.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def without_rule(text: str) -> str:
    """An option's description without the rule ID at its end."""
    return text.rpartition(" (")[0] or text


# Joining and leaving


async def join(bot: Bot, game_id: str, interaction: discord.Interaction[Any], *, once: bool = True) -> None:
    """Give the person a seat. Raises TableError and storage errors. `once`: remember that this interaction joined."""
    game, user, seats = await bot.store.game(game_id), interaction.user, await bot.store.seats(game_id)
    opening.must_be_able_to_join(game, user.id, seats)
    number = interaction.id if once else None
    if TableSettings.read(game.settings).invited:
        if await opening.accept(bot.store, game, user.id, number):
            await (await bot.tables.get(game.id)).reclock()
            bot.advance(game.id)
            bot.sender.witnessed(game.id, interaction)
        return
    name = unlike(clean_name(user.display_name, user.name), {seat.name for seat in seats})
    await bot.store.join(game.id, user.id, name, limit=players_of(game)[1], interaction_id=number)
    if once:
        await when_full(interaction, game.id)


async def when_full(interaction: discord.Interaction[Any], game_id: str) -> None:
    """Once all seats are taken, start the game if that was agreed, or tell its host. Raises TableError."""
    bot, user = interaction.client, interaction.user.id
    game = await bot.store.game(game_id)
    if game.status != "open" or len(await bot.store.seats(game_id)) < players_of(game)[1]:
        return
    if TableSettings.read(game.settings).start == "when_full":
        if interaction.channel_id == game.channel_id:
            await must_be_able_to_post(interaction)
        await opening.start(bot.store, game, game.host_id, None)
        bot.advance(game_id)
    elif user != game.host_id:
        await bot.store.outbox.post(game_id, [say_notice(FULL.format(game.host_id), [game.host_id], by=user)])
    bot.sender.wake()


async def leaving(bot: Bot, game_id: str, user: int) -> Screen:
    """Asks whether the person gives up their seat, or declines the one kept for them. Raises TableError."""
    game = await bot.store.game(game_id)
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    running = game.status == "running"
    return leaving_screen(await bot.tables.get(game_id), user) if running else leave_screen(game, user)


async def leave(bot: Bot, game_id: str, user: int, interaction: int) -> str:
    """Give up the person's seat, or decline the one kept for them; what to tell them. Raises TableError."""
    game = await bot.store.game(game_id)
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    if game.status == "running":
        return await handing.leave(await bot.tables.get(game_id), user, interaction)
    invited = bool(TableSettings.read(game.settings).invited)
    if invited:
        await opening.decline(bot.store, game, user, interaction)
    else:
        await bot.store.leave(game.id, user, interaction_id=interaction)
    await redraw_lobby(bot, game_id)
    return "✓ You have declined." if invited else "✓ You have left."


async def redraw_lobby(bot: Bot, game_id: str) -> None:
    """Update the message where people join the game."""
    game = await bot.store.game(game_id)
    screen = lobby_screen(game, await bot.store.seats(game_id))
    for message in await bot.store.messages.live(game_id):
        if message.kind == LOBBY:
            try:
                channel = await bot.messages.channel(message.channel_id)
                await channel.get_partial_message(message.message_id).edit(
                    view=view(screen), allowed_mentions=discord.AllowedMentions.none()
                )
            except discord.HTTPException:
                return


async def open_lobby(
    interaction: discord.Interaction[Any], game: Game, told: str, thread: discord.Thread | None = None
) -> None:
    """Post the message where people join or accept, which pings nobody; in a `thread` that was opened for the game."""
    bot = interaction.client
    screen = lobby_screen(game, await bot.store.seats(game.id))
    if thread is None:
        message = await show_publicly(interaction, screen, told)
        channel, number = message.channel.id, message.id
    else:
        channel, number = thread.id, await posts.begin(bot, thread, screen)
        await show_privately(interaction, Screen(f"{told} <#{channel}>"))
    await bot.store.messages.add(game.id, 0, LOBBY, channel, number)
    await posts.follow(bot, game, thread or interaction.channel, opened=thread is not None)


async def move_lobby(interaction: discord.Interaction[Any], game: Game, told: str) -> None:
    """Post the message where people join where the game is now, and close the one where it was, if that is there."""
    bot = interaction.client
    for message in await bot.store.messages.live(game.id):
        if message.kind == LOBBY:
            with suppress(discord.HTTPException):
                await bot.messages.edit(message.channel_id, message.message_id, Screen(MOVED.format(game.channel_id)))
            await bot.store.messages.retire([message.message_id])
    await open_lobby(interaction, game, told)


async def create(
    interaction: discord.Interaction[Any],
    title: str,
    options: str,
    settings: TableSettings,
    opponents: Sequence[str],
    thread: discord.Thread | None = None,
) -> Game:
    """A new game here or in the thread, which whoever creates it joins with opponents of these levels.

    Raises TableError.
    """
    bot, user = interaction.client, interaction.user.id
    game: Game = await bot.store.create_game(
        channel_id=(interaction.channel_id or 0) if thread is None else thread.id,
        guild_id=interaction.guild_id,
        host_id=user,
        title=title,
        options=options,
        settings=settings.text(),
        interaction_id=interaction.id,
    )
    await join(bot, game.id, interaction, once=False)
    for level in opponents:
        await opening.seat_opponent(bot.store, game, user, level)
    return game


# A rematch


async def rematch(bot: Bot, interaction: discord.Interaction[Any], table: Table) -> None:
    """Open a game like this one in its channel, hosted by whoever asks, and ask the others to join.

    Seats are one place further than last time. Raises TableError, NotSeated and storage errors.
    """
    user, before = interaction.user.id, table.game
    if not table.seats_of(user):
        raise NotSeated()
    if not table.position.over:
        raise TableError(NOT_OVER)
    await must_be_able_to_post(interaction)
    people = _people_of(table)
    order = (*people[1:], *people[:1])
    settings = replace(table.settings, seats="chosen", order=order, seed="", imported=False, invited=(), over=False)
    seats = [(seat, level_of(row.user_id)) for seat, row in table.seats.items()]
    levels = [level for seat, level in seats if level is not None and table.tenures.loan(seat) is None]
    game = await create(interaction, before.title, before.options, settings, levels)
    await open_lobby(interaction, game, OPENED)
    others = [one for one in people if one != user]
    if others:
        words = ASKED.format(who=f"<@{user}>", others=mentions(others))
        await bot.store.outbox.post(game.id, [say_notice(words, others, by=user)])
        bot.sender.wake()


def _people_of(table: Table) -> list[int]:
    """Whose game it was, in seat order: those for whom an opponent played on are asked too."""
    whose = [(table.tenures.loan(seat), row.user_id) for seat, row in table.seats.items()]
    users = [loan.owner_id if loan is not None and not is_person(user) else user for loan, user in whose]
    return list(dict.fromkeys(filter(is_person, users)))
