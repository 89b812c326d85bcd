"""The lobby, seats that change hands, votes and a rematch."""

from __future__ import annotations

import discord

from bot.chat.answers import acknowledge, show_privately
from bot.chat.layout import view
from bot.chat.press import Press
from bot.chat.rights import must_be_able_to_post
from bot.chat.room import Handler
from bot.chat.screen import Screen
from bot.core.errors import TableError
from bot.rooms.seats import absent, agreeing, ending, handing, lobby, opening, seating
from bot.rooms.seats.joining import ask_to_leave, join, leave
from bot.rooms.seats.rematch import rematch
from bot.rooms.seats.screen import catch_up_screen
from bot.rooms.turn.act import NO_HAND


async def _join(given: Press) -> None:
    await acknowledge(given.interaction, shows=False)
    await join(given.bot, given.game, given.interaction)
    await _redraw_lobby(given)


async def _leave(given: Press) -> None:
    """Leave, after asking."""
    await acknowledge(given.interaction, shows=True)
    await (leave if given.parts == ["sure"] else ask_to_leave)(given.bot, given.game, given.interaction)


async def _redraw_lobby(given: Press) -> None:
    """By the press itself, which Discord lets edit its message even where the bot may do nothing."""
    game = await given.bot.store.game(given.game)
    screen = lobby.lobby_screen(game, await given.bot.store.seats(given.game))
    await given.interaction.edit_original_response(view=view(screen), allowed_mentions=discord.AllowedMentions.none())


async def _opponent(given: Press) -> None:
    """Seat an opponent of a level, or let one go."""
    await acknowledge(given.interaction, shows=False)
    store = given.bot.store
    await opening.seat_opponent(store, await store.game(given.game), given.user, given.parts[0], given.interaction.id)
    await _redraw_lobby(given)


async def _rules(given: Press) -> None:
    """Choose by which rules the game is played."""
    await acknowledge(given.interaction, shows=False)
    store = given.bot.store
    await opening.change_rules(store, await store.game(given.game), given.user, given.parts[0], given.interaction.id)
    given.bot.sender.witnessed(given.game, given.interaction)
    await _redraw_lobby(given)


async def _start(given: Press) -> None:
    await acknowledge(given.interaction, shows=False)
    game = await given.bot.store.game(given.game)
    await must_be_able_to_post(given.interaction)
    await opening.start(given.bot.store, game, given.user, given.interaction.id)
    given.bot.sender.witnessed(given.game, given.interaction)  # first, as the answer may come too late
    await _redraw_lobby(given)


async def _take(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await seating.take(given.bot, given.interaction, await given.table(), given.parts[0])


async def _keep(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    said = await handing.keep(await given.table(), given.user, given.parts[0], given.interaction.id)
    given.bot.sender.wake()
    await show_privately(given.interaction, Screen(said))


async def _substitute(given: Press) -> None:
    """Agree that an opponent plays on in an open seat."""
    await acknowledge(given.interaction, shows=True)
    said = await absent.propose(await given.table(), given.user, given.parts[0], given.interaction.id)
    given.bot.sender.wake()
    await show_privately(given.interaction, Screen(said))


async def _open(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await seating.open_seat(given.bot, given.interaction, await given.table(), given.parts[0])


async def _propose(given: Press, accept: bool) -> None:
    """Answer an offer of a seat, or vote on whoever would like to take one."""
    await acknowledge(given.interaction, shows=False)
    await seating.answer(given.bot, given.interaction, await given.table(), int(given.parts[0]), accept)


async def _vote(given: Press) -> None:
    """Vote on ending the game, on another pace, or on other settings."""
    await acknowledge(given.interaction, shows=True)
    question, answer = given.parts
    table, agrees, press = await given.table(), answer == "yes", given.interaction.id
    if question == "end":
        text = await ending.vote(given.bot, table, given.user, agrees, press)
    else:
        text = await agreeing.agree(given.bot, table, question, given.user, agrees, press)
    await show_privately(given.interaction, Screen(text))


async def _rematch(given: Press) -> None:
    """Open another game with the same people."""
    await acknowledge(given.interaction, shows=True)
    await rematch(given.bot, given.interaction, await given.table())


async def _catch_up(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    await show_privately(given.interaction, await catch_up_screen(table, mine[0]))


HANDLERS: dict[str, Handler] = {
    "join": _join,
    "leave": _leave,
    "opponent": _opponent,
    "rules": _rules,
    "start": _start,
    "take": _take,
    "keep": _keep,
    "substitute": _substitute,
    "open": _open,
    "accept": lambda given: _propose(given, True),
    "refuse": lambda given: _propose(given, False),
    "vote": _vote,
    "rematch": _rematch,
    "catchup": _catch_up,
}
