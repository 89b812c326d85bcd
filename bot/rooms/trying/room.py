"""Trying out: what is pressed on a board and in its forms, and what cannot be done there."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import discord

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.layout import shorten
from bot.chat.press import Drafts, Form, Press
from bot.chat.room import Boards, Handler, Room
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.core.written import read_amount
from bot.rooms.opponents.room import Thinkers, must_be_advised, named_once
from bot.rooms.past.reviewing import Reviews, job_at, slip_of
from bot.rooms.programs.room import play_due
from bot.rooms.trying import screen as screens
from bot.rooms.trying.line import together
from bot.rooms.trying.lines import Dropped, TryOut, TryOuts
from bot.words.labels import request
from bot.words.lexicon import LONGEST_NAME
from bot.words.programs import sentence
from engine import Action, EngineError, PlayerId
from storage import TooManyBranches

PLACE = re.compile(r"(?P<game>[0-9a-zA-Z]+)-(?P<line>[0-9]{1,12})")
"""What controls of a board carry."""
AMOUNTS = "A line for each: who, a colon, how much."
AMOUNTS_TOGETHER = "A line for each: who, a colon, how much; {} together."
MOST_AMOUNTS = 1000
MOST_FORESEEN = 8
"""How many moves after a suggested one are laid out, at most until it is its player's turn again."""
FORESEEN = "**{}**, and what the bot expects after it. *Back* takes them back one by one."
MOVED_ON = "This line or its game has moved on, so nothing was done. This is where the line stands."
FULL = "⚠️ You cannot keep another line: delete one first."
UNREAD = "Write a line for each, as “{}: {}”."
SHOWN = {"compare": screens.compared_screen, "others": screens.others_screen}
CHANGES: dict[str, Callable[[TryOuts, TryOut], Awaitable[TryOut]]] = {
    "fork": TryOuts.fork,
    "back": TryOuts.back,
    "draw": TryOuts.draw,
}


async def _board(given: Press) -> None:
    """The way in from a game's message, or whatever is pressed on a board."""
    bot, way = given.bot, given.parts[0] if given.parts else ""
    if way in ("name", "assume"):
        one = await _line(bot, given.game, given.user)
        await given.interaction.response.send_modal(_form(bot, given.user, one, way))
        return
    await acknowledge(given.interaction, shows=True)
    if PLACE.fullmatch(given.game) is None:
        await _lines(given, way)
        return
    one = await _line(bot, given.game, given.user)
    if way == "lines":
        await _show_lines(bot, given.interaction, one.table)
    elif way == "follow":
        await given.show(screens.follow_screen(one))
    elif way == "following":
        given.check_fresh(one)
        program = await bot.its(TryOuts).follow(one, int(given.parts[1]), given.interaction.id)
        said = f"✓ {sentence(program, one.position.lexicon())} *My hand* shows it and switches it off."
        await play_due(bot, one.table.id)
        bot.sender.wake()
        await _show(given.interaction, one, said)
    elif way in SHOWN:
        await given.show(await SHOWN[way](one))
    elif way in CHANGES:
        given.check_fresh(one)
        await _show(given.interaction, await CHANGES[way](bot.its(TryOuts), one))
    elif not way:
        await _show(given.interaction, one)
    else:
        raise UnknownControl()


def _guarded(handle: Handler) -> Handler:
    """The same; what cannot be done is said on the board that it leads to, or beside the person's lines."""

    async def guarded(given: Press) -> None:
        await acknowledge(given.interaction, shows=True)
        await _on_board(given.interaction, given.game, partial(handle, given))

    return guarded


async def _foresee(given: Press) -> None:
    """A new line with a move that was suggested, and what the bot expects after it."""
    bot, table = given.bot, await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    must_be_advised(table, seat)
    await table.suggest(seat, given.interaction.id)
    lines = bot.its(TryOuts)
    suggested = await named_once(table.position, seat, await bot.its(Thinkers).advice(table.asks(seat, "strong")))
    choice, name = suggested[min(int(given.parts[0]), len(suggested) - 1)]
    one = await _foreseen(given.bot, await lines.begin(table, given.user), choice.action, seat)
    await _show(given.interaction, one, FORESEEN.format(name))


async def _foreseen(bot: Bot, one: TryOut, action: Action, seat: PlayerId) -> TryOut:
    """The line with a move of the seat, and what the bot expects after it."""
    lines = bot.its(TryOuts)
    one = await lines.move(one, [action])
    for _ in range(MOST_FORESEEN):
        position = one.position
        if position.over or position.chance or (position.up[0] == seat and position.decision.subject is None):
            break
        asked = Thought(one.title, position.state, PlayerId(position.up[0]), "regular", len(one.moves))
        one = await lines.move(one, [(await bot.its(Thinkers).choice(asked)).action])
    return one


async def _instead(given: Press) -> None:
    """A new line with what a review holds to be better, and what the bot expects after it."""
    table, (seat, number) = await given.table(), given.parts
    found = await given.bot.its(Reviews).make(await job_at(table, given.seq), given.user)
    slip = slip_of(table, found, PlayerId(seat), int(number))
    one = await given.bot.its(TryOuts).relive(table, slip.at, given.user)
    name = request(one.position.labels(), slip.better.action)
    await _show(
        given.interaction, await _foreseen(given.bot, one, slip.better.action, slip.seat), FORESEEN.format(name)
    )


async def _lines(given: Press, way: str) -> None:
    """The person's lines of a game: opened, deleted, or a new one begun."""
    table, user, lines = await given.table(), given.user, given.bot.its(TryOuts)
    if way == "open":
        await _show(given.interaction, await lines.get(table.id, int(given.parts[1]), user))
        return
    if way == "drop":
        await lines.remove(table, user, int(given.parts[1]))
    dropped, new = list[str](), None
    async with lines.beginning.of((table.id, user)):
        if not way:
            kept, dropped = await lines.of(table, user)
            way = "" if kept else "new"
        if way == "new":
            try:
                new = await lines.begin(table, user)
            except TooManyBranches:
                dropped = [FULL]
    if new is not None:
        await _show(given.interaction, new, "\n".join(dropped))
        return
    await _show_lines(given.bot, given.interaction, table, *dropped)


async def _line(bot: Bot, place: str, user: int) -> TryOut:
    """The person's line. Raises UnknownControl, Dropped and TableError."""
    match = PLACE.fullmatch(place)
    if match is None:
        raise UnknownControl()
    return await bot.its(TryOuts).get(match["game"], int(match["line"]), user)


async def _show(interaction: discord.Interaction[Any], one: TryOut, said: str = "") -> None:
    await show_privately(interaction, await screens.board_screen(one, said))


async def _show_lines(bot: Bot, interaction: discord.Interaction[Any], table: Table, *said: str) -> None:
    lines, dropped = await bot.its(TryOuts).of(table, interaction.user.id)
    await show_privately(interaction, screens.lines_screen(table, interaction.user.id, lines, [*said, *dropped]))


async def _move(interaction: Any, one: TryOut, actions: Sequence[Action], seen: int | None) -> None:
    """Play the actions of one press on the board, and show it. Raises what `TryOuts.move` raises."""
    await _show(interaction, await interaction.client.its(TryOuts).move(one, actions, seen))


async def _on_board(interaction: Any, place: str, handle: Callable[[], Awaitable[None]]) -> None:
    """Do what was pressed on a board; what cannot be done is said on the board, which stays."""
    bot, said = interaction.client, FULL
    try:
        await handle()
        return
    except TooManyBranches:
        pass
    except (TableError, EngineError) as error:
        await acknowledge(interaction, shows=True)
        on_line = PLACE.fullmatch(place) is not None
        said = f"⚠️ {MOVED_ON if on_line and isinstance(error, Outdated) else explain(error)}"
        if on_line and not isinstance(error, Dropped):
            try:
                one = await _line(bot, place, interaction.user.id)
            except TableError as gone:
                said = f"⚠️ {gone}"
            else:
                await _show(interaction, one, said)
                return
    await _show_lines(bot, interaction, await bot.tables.get(place.partition("-")[0]), said)


# Forms


def _form(bot: Bot, user: int, one: TryOut, way: str) -> Form:
    """The form that the person opens, as they left it if it was refused at this very position of the line."""
    draft = bot.its(Drafts).of(user, one.id, _draft_key(one, way))
    title = "Name this line" if way == "name" else "What is assumed"
    form = Form(title, one.id, one.position.seq, codes.join("board", way), draft)
    if way == "name":
        form.text("name", "What you call this line", one.name, most=LONGEST_NAME)
        return form
    names = one.position.lexicon()
    lines = [f"{names.plain_player(holder)}: {amount}" for holder, amount in one.assumed.items()]
    assumed = shorten("\n".join(lines), MOST_AMOUNTS)
    total = together(one.table.title, one.laid.origin, one.line.viewer)
    about = AMOUNTS if total is None else AMOUNTS_TOGETHER.format(names.money(total))
    form.text("amounts", "Money that you cannot see", assumed, about, most=MOST_AMOUNTS, long=True)
    return form


def _draft_key(one: TryOut, way: str) -> tuple[str, str]:
    return way, str(one.position.seq)


def _read_amounts(one: TryOut, text: str) -> dict[str, int]:
    """The amounts by holder, in the order of the lines or by name. Raises TableError."""
    names = one.position.lexicon()
    holders = {names.plain_player(holder).casefold(): holder for holder in one.assumed}
    amounts: dict[str, int] = {}
    for line in filter(str.strip, text.replace("：", ":").splitlines()):
        who, colon, amount = line.rpartition(":")
        holder = holders.get(who.strip().casefold())
        if not colon or holder is None:
            first, assumed = next(iter(one.assumed.items()))
            raise TableError(UNREAD.format(names.plain_player(first), assumed))
        amounts[holder] = read_amount(amount)
    return amounts


async def _submitted(given: Press) -> None:
    """Take what a form of a board says. Raises TableError where the line is gone."""
    bot, fields = given.bot, given.fields
    one, way = await _line(bot, given.game, given.user), "".join(given.parts)
    if way not in ("name", "assume"):
        raise UnknownControl()
    if way == "assume":  # the amounts are of where the line began then
        given.check_fresh(one)
    async with given.taking(_draft_key(one, way), given.code):
        if way == "name":
            shown = await bot.its(TryOuts).rename(one, fields.get("name", ""))
        else:
            shown = await bot.its(TryOuts).assume(one, _read_amounts(one, fields.get("amounts", "")))
        await _show(given.interaction, shown)


ROOM = Room(
    presses={"board": _board, "foresee": _guarded(_foresee), "instead": _guarded(_instead)},
    codes={
        "board": r"(?:new|lines|back|compare|name|fork|draw|assume|others|follow)?|(?:open|drop|following)\|\d{1,18}",
        "foresee": "[0-2]",
        "instead": r"p\d\|\d",
    },
    forms={"board": _guarded(_submitted)},
    boards=Boards(screens.TO_BOARD, PLACE, _line, _move, _on_board),
    keeps=lambda bot: (TryOuts(bot.tables, bot.aside),),
)
