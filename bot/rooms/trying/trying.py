"""Boards that people try out on: showing them, moving on them, and what goes wrong there."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.layout import shorten
from bot.chat.press import Draft, Drafts, Form, Submitted
from bot.core.errors import TableError, UnknownControl
from bot.core.position import Scene
from bot.core.table import Table
from bot.core.written import read_amount
from bot.rooms.trying.line import together
from bot.rooms.trying.lines import Dropped, TryOut, TryOuts
from bot.rooms.trying.screen import TO_BOARD, board_screen, form_refused_screen, lines_screen
from bot.words.lexicon import LONGEST_NAME
from engine.actions import Action
from engine.errors import EngineError
from storage import TooManyBranches

PLACE = re.compile(r"(?P<game>[0-9a-zA-Z]+)-(?P<line>[0-9]{1,12})")
NAME = "What you call this line"
AMOUNTS = "A line for each: who, a colon, how much."
AMOUNTS_TOGETHER = "A line for each: who, a colon, how much; {} together."
MOST_AMOUNTS = 1000
FULL = "⚠️ That line is one too many: delete one first."
UNREAD = "Write a line for each, as “{}: {}”."


def is_line(place: str) -> bool:
    """Whether a control belongs to the board of a line, and not to a game's table."""
    return PLACE.fullmatch(place) is not None


async def line_of(bot: Bot, place: str, user: int) -> TryOut:
    """The person's line. Raises UnknownControl, Dropped and TableError."""
    match = PLACE.fullmatch(place)
    if match is None:
        raise UnknownControl()
    return await bot.its(TryOuts).get(match["game"], int(match["line"]), user)


async def guarded(
    bot: Bot, interaction: discord.Interaction[Any], place: str, handle: Callable[[], Awaitable[None]]
) -> None:
    """Do what was pressed on a board; what cannot be done is said on the board, which stays."""
    try:
        await handle()
    except TooManyBranches:
        await show_lines(bot, interaction, await bot.tables.get(place.partition("-")[0]), FULL)
    except (TableError, EngineError) as error:
        await acknowledge(interaction, shows=True)
        user, said = interaction.user.id, f"⚠️ {explain(error)}"
        game = place.partition("-")[0]
        if not isinstance(error, Dropped):
            try:
                one = await line_of(bot, place, user)
            except TableError as gone:
                said = f"⚠️ {gone}"
            else:
                await show(interaction, one, said)
                return
        await show_lines(bot, interaction, await bot.tables.get(game), said)


async def show(interaction: discord.Interaction[Any], one: TryOut, said: str = "") -> None:
    """Show a line's board."""
    await show_privately(interaction, await board_screen(one, said))


async def show_lines(bot: Bot, interaction: discord.Interaction[Any], table: Table, *said: str) -> None:
    """Show the person's lines of a game."""
    lines, dropped = await bot.its(TryOuts).of(table, interaction.user.id)
    await show_privately(interaction, lines_screen(table, lines, [*said, *dropped]))


# Forms


def form_of(bot: Bot, user: int, one: TryOut, way: str) -> Form:
    """The form that the person opens, as they left it if it was refused at this very position of the line."""
    make = name_form if way == "name" else amounts_form
    return make(one, bot.its(Drafts).of(user, one.id, _draft_key(one, way)))


def _form(title: str, one: TryOut, way: str, draft: Draft) -> Form:
    return Form(title, one.id, one.position.seq, codes.join("board", way), draft)


def _draft_key(one: TryOut, way: str) -> tuple[str, str]:
    return way, str(one.position.seq)


def name_form(one: TryOut, draft: Draft) -> Form:
    """What the line shall be called."""
    form = _form("Name this line", one, "name", draft)
    entry: ui.TextInput[Any] = ui.TextInput(
        custom_id="name", default=draft.entered.get("name") or one.name, max_length=LONGEST_NAME
    )
    form.add_item(ui.Label(text=NAME, component=entry))
    return form


def amounts_form(one: TryOut, draft: Draft) -> Form:
    """What is assumed to be in the hidden purses, a line for each."""
    form, names = _form("What is assumed", one, "assume", draft), one.position.lexicon()
    lines = [f"{names.plain_player(holder)}: {amount}" for holder, amount in one.assumed.items()]
    entry: ui.TextInput[Any] = ui.TextInput(
        custom_id="amounts",
        style=discord.TextStyle.paragraph,
        default=draft.entered.get("amounts") or shorten("\n".join(lines), MOST_AMOUNTS),
        max_length=MOST_AMOUNTS,
    )
    total = together(one.table.title, one.laid.origin, one.line.viewer)
    about = AMOUNTS if total is None else AMOUNTS_TOGETHER.format(names.money(total))
    form.add_item(ui.Label(text="Money that you cannot see", description=about, component=entry))
    return form


def read_amounts(one: TryOut, text: str) -> dict[str, int]:
    """The amounts by holder, in the order of the lines or by name. Raises TableError."""
    names = one.position.lexicon()
    holders = {names.plain_player(holder).casefold(): holder for holder in one.assumed}
    amounts: dict[str, int] = {}
    for line in filter(str.strip, text.splitlines()):
        who, colon, amount = line.rpartition(":")
        holder = holders.get(who.strip().casefold())
        if not colon or holder is None:
            raise TableError(
                UNREAD.format(*next(iter((names.plain_player(key), value) for key, value in one.assumed.items())))
            )
        amounts[holder] = read_amount(amount)
    return amounts


async def submitted(given: Submitted) -> None:
    """Take what a form of a board says; what is refused is said with a button that opens it again, as it was left.

    Raises TableError where the line is gone.
    """
    await acknowledge(given.interaction, shows=True)
    await guarded(given.bot, given.interaction, given.game, partial(_submit, given))


async def _submit(given: Submitted) -> None:
    bot, fields, interaction = given.bot, given.fields, given.interaction
    one, way = await line_of(bot, given.game, given.user), "".join(given.parts)
    if way not in ("name", "assume"):
        raise UnknownControl()
    try:
        if way == "name":
            shown = await bot.its(TryOuts).rename(one, fields.get("name", ""))
        else:
            shown = await bot.its(TryOuts).assume(one, read_amounts(one, fields.get("amounts", "")))
    except (TableError, EngineError) as error:
        problem = explain(error) or ""
        bot.its(Drafts).keep(given.user, one.id, _draft_key(one, way), Draft(fields, problem))
        await show_privately(interaction, form_refused_screen(one, way, problem))
        return
    bot.its(Drafts).forget(given.user, one.id, _draft_key(one, way))
    await show(interaction, shown)


class LineBoards:
    """The boards of lines that people try out, as presses and forms find them."""

    back = TO_BOARD

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def has(self, place: str) -> bool:
        """Whether a control belongs to the board of a line, and not to a game's table."""
        return is_line(place)

    async def scene(self, place: str, user: int) -> TryOut:
        """The person's line. Raises UnknownControl, Dropped and TableError."""
        return await line_of(self.bot, place, user)

    async def move(self, interaction: Any, scene: Scene, actions: Sequence[Action], seen: int | None) -> None:
        """Play the actions of one press on the board, and show it. Raises what `TryOuts.move` raises."""
        assert isinstance(scene, TryOut)
        await show(interaction, await self.bot.its(TryOuts).move(scene, actions, seen))

    async def guarded(self, interaction: Any, place: str, handle: Callable[[], Awaitable[None]]) -> None:
        """Do what was pressed on a board; what cannot be done is said on the board, which stays."""
        await guarded(self.bot, interaction, place, handle)
