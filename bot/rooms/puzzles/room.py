"""The puzzle of the day, as the house finds it: /puzzle, its answers, posting it once a day, and who found how many."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from random import choice

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.chat.press import Press, showing
from bot.chat.rights import channel_is_gone, moderates, must_be_able_to_post
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core.errors import TableError, UnknownControl
from bot.core.hours import DAY
from bot.rooms.past.history import ordinal
from bot.rooms.puzzles.laid import Laid, OnTable, for_practice, name_of, shelf
from bot.words.lexicon import listed
from storage import PuzzleAnswer, PuzzleDay

log = logging.getLogger("tetsudo.puzzles")
WEEK = 7 * DAY
"""Seconds for which a channel may refuse before its puzzles end."""
NOT_YOURS = "Only those who may manage this channel or the server can start or stop its puzzles."
STARTED = "✓ A puzzle a day in this channel at this time, the first at once if today had none. `/puzzle stop` ends it."
RUNNING = "This channel has a puzzle a day already. `/puzzle stop` ends it."
STOPPED = "✓ No more puzzles in this channel. The last one is over, and the results are kept."
NONE = "This channel has no puzzles."
OVER = "This puzzle is over, so it no longer counts."
PAUSED = "This channel’s puzzles have been stopped. Press again in a day to read what was right."
HOW = "Right answers out of all given; in a row: how many of the latest were right."
MOST, MOST_NAMED = 20, 10
"""How many people are listed, and how many are named beneath a puzzle."""


class PuzzleCommands(commands.GroupCog, group_name="puzzle", group_description="A puzzle a day, and for yourself"):
    @app_commands.command()
    async def start(self, interaction: Interaction) -> None:
        """Post a puzzle a day in this channel or thread"""
        _must_manage(interaction)
        await must_be_able_to_post(interaction)
        channel, server = interaction.channel_id or 0, interaction.guild_id or 0
        if not await interaction.client.store.puzzles.start(channel, server, interaction.user.id):
            raise TableError(RUNNING)
        await show_privately(interaction, Screen(STARTED))
        await interaction.client.do_due("puzzles")

    @app_commands.command()
    async def stop(self, interaction: Interaction) -> None:
        """Post no more puzzles in this channel or thread"""
        _must_manage(interaction)
        stopped = await interaction.client.store.puzzles.stop(interaction.channel_id or 0)
        await show_privately(interaction, Screen(STOPPED if stopped else NONE))

    @app_commands.command()
    async def now(self, interaction: Interaction) -> None:
        """A puzzle for yourself: seen by you only, and not counted"""
        bot = interaction.client
        laid = await bot.its(OnTable).of(choice(for_practice(bot.clock() // DAY)))
        await show_privately(interaction, await _practice(laid))

    @app_commands.command()
    async def results(self, interaction: Interaction) -> None:
        """Who has found how many of this channel's puzzles"""
        given = await interaction.client.store.puzzles.answers(interaction.channel_id or 0)
        await show_privately(interaction, results_screen(given, interaction.user.id))


def _must_manage(interaction: Interaction) -> None:
    if not moderates(interaction, interaction.channel_id or 0):
        raise TableError(NOT_YOURS)


# Posting


async def post(bot: Bot, channel_id: int) -> None:
    """Post the puzzle that is due in a channel, unless that was done; one that is gone for good wants none."""
    store = bot.store.puzzles
    begun = await store.begin(channel_id, name_of)
    if begun is None:
        return
    day, new = begun
    try:
        message = day.message_id or await _earlier(bot, day, new=new) or await _send(bot, day)
    except (discord.Forbidden, discord.NotFound) as error:
        await _refused(bot, channel_id, error)
    else:
        await store.posted(day, message)


async def _earlier(bot: Bot, day: PuzzleDay, *, new: bool) -> int | None:
    """The day's message, if an earlier attempt got through unnoticed."""
    if new:
        return None
    place = await bot.messages.channel(day.channel_id)
    async for message in bot.messages.bearing(_nonce(day), place, day.begun_at):
        return message.id
    return None


async def _send(bot: Bot, day: PuzzleDay) -> int:
    laid = await bot.its(OnTable).of(day.puzzle)
    screen = Screen(f"### Puzzle of the day\n{laid.question}", images=[await laid.picture()])
    screen.footer = f"{laid.where} · Your first answer counts, and only you see whether it is right."
    screen.buttons(*_buttons(laid, "day", day.day))
    if told := await _last(bot, day):
        screen.text = f"{told}\n{screen.text}"
    place = await bot.messages.channel(day.channel_id)
    return (await bot.messages.send(place, screen, nonce=_nonce(day))).id


async def _last(bot: Bot, day: PuzzleDay) -> str:
    """What was right in the puzzle before, and who found it; "" where there was none."""
    before = await bot.store.puzzles.latest(day.channel_id, day.day)
    if before is None or before.puzzle not in shelf():
        return ""
    laid = await bot.its(OnTable).of(before.puzzle)
    given = [one for one in await bot.store.puzzles.answers(day.channel_id) if one.day == before.day]
    return f"-# The last puzzle: **{laid.right}** was right. {found_by(given)}"


async def _refused(bot: Bot, channel_id: int, error: discord.HTTPException) -> None:
    """Try again tomorrow; no longer where the channel is gone, or has refused for a week."""
    store = bot.store.puzzles
    await store.refused(channel_id, error.text or "refused")
    channel = await store.of_channel(channel_id)
    since = bot.clock() if channel is None else channel.refused_since or bot.clock()
    log.warning("no puzzle could be posted: %s", error.text, extra={"channel": channel_id})
    if bot.clock() - since >= WEEK or await channel_is_gone(bot, channel_id):
        await store.stop(channel_id)
        log.warning("the puzzles of a channel end", extra={"channel": channel_id})


def _nonce(day: PuzzleDay) -> str:
    return hashlib.sha256(f"puzzle {day.channel_id} {day.day} {day.begun_at}".encode()).hexdigest()[:25]


# Answers


def _buttons(laid: Laid, way: str, about: object) -> list[Button]:
    return [
        Button(answer, codes.join("puzzle", way, *((about, place) if way == "day" else (place, about))))
        for place, answer in enumerate(laid.answers)
    ]


@showing
async def _puzzle(given: Press) -> Screen:
    """An answer, or another puzzle for oneself."""
    way, *rest = given.parts
    if way == "day":
        return await _counted(given, int(rest[0]), int(rest[1]))
    if way == "try":
        laid = await given.bot.its(OnTable).of(rest[1])
        another = Button("Another", codes.join("puzzle", "another", laid.name), "primary")
        return (await _solved(laid, int(rest[0]))).buttons(another)
    known = for_practice(given.bot.clock() // DAY)
    after = known.index(rest[0]) + 1 if rest[0] in known else 0
    return await _practice(await given.bot.its(OnTable).of(known[after % len(known)]))


async def _counted(given: Press, number: int, place: int) -> Screen:
    """Count an answer to the puzzle of a day, if it is the person's first; and tell what is right."""
    store = given.bot.store.puzzles
    day = await store.day(given.interaction.channel_id or 0, number)
    if day is None:
        raise UnknownControl()
    laid = await given.bot.its(OnTable).of(day.puzzle)
    if place >= len(laid.answers):
        raise UnknownControl()
    answer = await store.answer(day, given.user, place, hit=place == laid.puzzle.right)
    if answer is None and day.day >= given.bot.clock() // DAY:  # it counts again if they are started anew today
        raise TableError(PAUSED)
    screen = await _solved(laid, place if answer is None else answer.answer)
    if answer is None:
        screen.text += f"\n{OVER}"
    elif answer.answer != place:
        screen.text = f"You have answered before, *{laid.answers[answer.answer]}*, and that counts.\n{screen.text}"
    return screen


def verdict(given: str, right: str) -> str:
    """Whether the answer is right, and otherwise which is; moves are quoted, as they are sentences themselves."""
    if given == right:
        return f"### ✅ {right}"
    wrong, instead = (f"“{one}”" for one in (given, right)) if " " in given + right else (given, right)
    return f"### ❌ Not {wrong}, but {instead}"


async def _solved(laid: Laid, place: int) -> Screen:
    if place >= len(laid.answers):
        raise UnknownControl()
    head = verdict(laid.answers[place], laid.right)
    why, images = await laid.solution(place)
    return Screen(f"{head}\n{laid.question}\n\n{why}", images=images, footer=laid.where)


async def _practice(laid: Laid) -> Screen:
    screen = Screen(f"### A puzzle for you\n{laid.question}", images=[await laid.picture()], footer=laid.where)
    another = Button("Another", codes.join("puzzle", "another", laid.name))
    return screen.buttons(*_buttons(laid, "try", laid.name)).beside(another)


# Results


@dataclass(frozen=True, slots=True)
class Score:
    user: int
    right: int
    answered: int
    row: int
    """How many of the last were right, one after the other."""


def scores(given: Sequence[PuzzleAnswer]) -> list[Score]:
    """Everybody's answers, the oldest first, added up: who found most comes first, of equals who missed least."""
    hits: dict[int, list[int]] = {}
    for one in given:
        hits.setdefault(one.user_id, []).append(one.hit)
    found = [Score(user, sum(one), len(one), [*one[::-1], 0].index(0)) for user, one in hits.items()]
    return sorted(found, key=lambda one: (-one.right, one.answered))


def results_screen(given: Sequence[PuzzleAnswer], user: int) -> Screen:
    """The best of a channel, and the person who asks."""
    found = scores(given)
    if not found:
        return Screen("Nobody has answered a puzzle in this channel yet. `/puzzle start` posts one a day.")
    ranks = [(-one.right, one.answered) for one in found]
    lines = [
        _line(ranks.index(rank), one)
        for number, (one, rank) in enumerate(zip(found, ranks, strict=True))
        if number < MOST or one.user == user
    ]
    return Screen("\n".join(["### Puzzles of this channel", *lines]), footer=HOW)


def _line(place: int, one: Score) -> str:
    """The place in words: Discord counts the lines of a numbered list by itself, also where a place is shared."""
    row = f" · {one.row} in a row" if one.row > 1 else ""
    return f"- {ordinal(place)} <@{one.user}> **{one.right}** of {one.answered}{row}"


def found_by(given: Sequence[PuzzleAnswer]) -> str:
    """Who found the right answer, of how many."""
    right = [one.user_id for one in given if one.hit]
    if not given:
        return "Nobody answered."
    of_all = f"out of {len(given)} who answered"
    if not right:
        return f"Nobody found it, {of_all}."
    more = [f"{len(right) - MOST_NAMED} more"] if len(right) > MOST_NAMED else []
    return f"{listed([*(f'<@{one}>' for one in right[:MOST_NAMED]), *more])} found it, {of_all}."


ROOM = Room(
    presses={"puzzle": _puzzle},
    codes={"puzzle": r"day\|\d{1,6}\|[0-4]|(?:try\|[0-4]|another)\|\d{4}-\d{1,4}-\d{1,4}"},
    cogs=(PuzzleCommands,),
    due={"puzzles": post},
    keeps=lambda bot: (OnTable(bot.aside),),
)
