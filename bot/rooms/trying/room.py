"""Trying out, as the house finds it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.chat.answers import acknowledge
from bot.chat.press import Press
from bot.chat.room import Room
from bot.core.errors import UnknownControl
from bot.rooms.programs.programming import play_due
from bot.rooms.trying import trying
from bot.rooms.trying.lines import TryOut, TryOuts
from bot.rooms.trying.screen import compared_screen, follow_screen, others_screen
from bot.words.programs import sentence
from storage import TooManyBranches

FOLLOWED = "*My hand* shows it and switches it off."


async def _board(given: Press) -> None:
    """The way in from a game's message, or whatever is pressed on a board."""
    way = given.parts[0] if given.parts else ""
    if way in ("name", "assume"):
        one = await trying.line_of(given.bot, given.game, given.user)
        await given.interaction.response.send_modal(trying.form_of(given.bot, given.user, one, way))
        return
    await acknowledge(given.interaction, shows=True)
    if not trying.is_line(given.game):
        await _lines(given, way)
        return
    one = await trying.line_of(given.bot, given.game, given.user)
    if way == "lines":
        await trying.show_lines(given.bot, given.interaction, one.table)
    elif way == "follow":
        await given.show(follow_screen(one))
    elif way == "following":
        program = await given.bot.its(TryOuts).follow(one, int(given.parts[1]), given.interaction.id)
        said = f"✓ {sentence(program, one.position.lexicon())} {FOLLOWED}"
        await play_due(given.bot, one.table.id)
        given.bot.sender.wake()
        await trying.show(given.interaction, one, said)
    elif way in SHOWN:
        await given.show(await SHOWN[way](one))
    elif way in CHANGES:
        given.check_fresh(one)
        await trying.show(given.interaction, await CHANGES[way](given, one))
    elif not way:
        await trying.show(given.interaction, one)
    else:
        raise UnknownControl()


async def _lines(given: Press, way: str) -> None:
    """The person's lines of a game: opened, deleted, or a new one begun."""
    table, user, lines = await given.table(), given.user, given.bot.its(TryOuts)
    if way == "open":
        await trying.show(given.interaction, await lines.get(table.id, int(given.parts[1]), user))
        return
    if way == "drop":
        await lines.remove(table, user, int(given.parts[1]))
    if way == "new" or (not way and not await given.bot.store.branches.of_user(table.id, user)):
        try:
            await trying.show(given.interaction, await lines.begin(table, user))
        except TooManyBranches:
            await trying.show_lines(given.bot, given.interaction, table, trying.FULL)
        return
    await trying.show_lines(given.bot, given.interaction, table)


async def _fork(given: Press, one: TryOut) -> TryOut:
    return await given.bot.its(TryOuts).fork(one)


async def _back(given: Press, one: TryOut) -> TryOut:
    return await given.bot.its(TryOuts).back(one)


async def _draw(given: Press, one: TryOut) -> TryOut:
    return await given.bot.its(TryOuts).draw(one)


SHOWN = {"compare": compared_screen, "others": others_screen}
CHANGES: dict[str, Callable[[Press, TryOut], Awaitable[TryOut]]] = {"fork": _fork, "back": _back, "draw": _draw}
ROOM = Room(presses={"board": _board}, forms={"board": trying.submitted})
