"""What is only shown to whoever asks."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.screen import Screen
from bot.core.errors import NotSeated, TableError, UnknownControl
from bot.core.moments import all_of
from bot.rooms.learning import rules, teaching
from bot.rooms.learning.lessons import LESSONS
from bot.rooms.opponents import advice
from bot.rooms.past.browser import browser_screen, place_of
from bot.rooms.past.charts import chart_screen
from bot.rooms.past.history import Wanted, history_screen
from bot.rooms.past.since import since_own_screen
from bot.rooms.programs.screen import stop_lines
from bot.rooms.seats.screen import catch_up_screen
from bot.rooms.server import server_games
from bot.rooms.turn import cards, deals, what_if, why_not
from bot.rooms.turn.act import NO_HAND, game_here, help_here
from bot.rooms.turn.press import Handler, Press
from bot.rooms.turn.shown import shown


async def _hand(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    screen = await cards.hand_screen(table, mine[0])
    await show_privately(given.interaction, screen)


async def _why(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    given.check_fresh(scene)
    await given.show(await why_not.why_not_screen(scene, scene.seat_for(given.user)))


async def _suggest(given: Press) -> None:
    """What the bot would do, for whoever is up; their move says that they asked."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    question = advice.asked(table, seat)
    await table.suggest(seat, given.interaction.id)
    choices = await given.bot.thinkers.advice(question)
    given.check_fresh(table)
    await show_privately(given.interaction, await advice.suggest_screen(table, seat, choices))


async def _reasons(given: Press) -> None:
    """Why an opponent made a move, once the game is over."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    seq = int(given.parts[0])
    moment = next((one for one in await all_of(table) if one.move.seq == seq), None)
    question = None if moment is None else advice.explained(table, moment)
    if moment is None or question is None:
        raise TableError(advice.NOT_NOW)
    choices = await given.bot.thinkers.advice(question)
    await show_privately(given.interaction, await advice.why_screen(table, moment, choices))


async def _if_pass(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    given.check_fresh(scene)
    await given.show(await what_if.what_if_screen(scene, scene.seat_for(given.user)))


async def _rule(given: Press) -> None:
    """A rule as it stands in the channel's game, or a section of rules."""
    await acknowledge(given.interaction, shows=True)
    game = await game_here(given.bot, given.interaction.channel_id or 0, given.game)
    await given.show(await given.bot.work.do(rules.named_screen, given.parts[0], game))


async def _help(given: Press) -> None:
    """A page of help, told of the channel's game."""
    await acknowledge(given.interaction, shows=True)
    await show_privately(given.interaction, await help_here(given.bot, given.interaction, given.parts[0]))


async def _learned(given: Press) -> None:
    """Remember that the person needs no more tips of a kind, or of any, and take the tip from the turn's message."""
    await acknowledge(given.interaction, shows=True)
    table, (kind,) = await given.table(), given.parts
    if kind not in (*LESSONS, teaching.ALL, teaching.AGAIN):
        raise UnknownControl()
    if not table.seats_of(given.user):
        raise NotSeated()
    if kind == teaching.AGAIN:
        await given.bot.store.lessons.forget(given.user)
    else:
        await given.bot.store.lessons.dismiss(given.user, kind)
    if not table.position.over and given.user in {table.seats[seat].user_id for seat in table.position.up}:
        await given.bot.sender.announce(given.game)
    screen = teaching.dismissed_screen(kind)
    screen.game, screen.seq = given.game, given.seq
    await show_privately(given.interaction, screen)


async def _show(given: Press) -> None:
    """Show a picture to whoever asks."""
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    await given.show(await shown(scene, given.parts[0], scene.viewer_for(given.user)))


async def _chart(given: Press) -> None:
    """Another chart, as far as whoever presses may know."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(given.interaction, await chart_screen(table, given.parts[0], mine[0] if mine else None))


async def _history(given: Press) -> None:
    """Another page of the history, with the same filters."""
    await acknowledge(given.interaction, shows=True)
    page, *wanted = given.parts
    screen = await history_screen(await given.table(), int(page), Wanted(*wanted))
    await show_privately(given.interaction, screen)


async def _past(given: Press) -> None:
    """Another move of the history, in pictures."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(
        given.interaction, await browser_screen(table, place_of(given.parts), mine[0] if mine else None)
    )


async def _since(given: Press) -> None:
    """What happened since the person's own last move."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    screen = await since_own_screen(table, mine[0] if mine else None)
    stopped = stop_lines(table.orders.desk(mine[0])) if mine else []
    screen.text = "\n".join([screen.text, *stopped])
    await show_privately(given.interaction, screen)


async def _as_text(given: Press) -> None:
    """The page of the history with a move."""
    await acknowledge(given.interaction, shows=True)
    screen = await history_screen(await given.table(), 1, Wanted(), around=int(given.parts[0]))
    await show_privately(given.interaction, screen)


async def _price(given: Press) -> None:
    """Show the buyer or seller a price that is secret from the others."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await deals.priced(table, int(given.parts[0]), user=given.user)
    await show_privately(given.interaction, Screen(text))


async def _catch_up(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    await show_privately(given.interaction, await catch_up_screen(table, mine[0]))


async def _games(given: Press) -> None:
    """Another page of the server's games."""
    await acknowledge(given.interaction, shows=True)
    await server_games.show(given.bot, given.interaction, int(given.parts[0]))


HANDLERS: dict[str, Handler] = {
    "hand": _hand,
    "why": _why,
    "ifpass": _if_pass,
    "suggest": _suggest,
    "reasons": _reasons,
    "rule": _rule,
    "learned": _learned,
    "help": _help,
    "chart": _chart,
    "history": _history,
    "past": _past,
    "astext": _as_text,
    "since": _since,
    "show": _show,
    "price": _price,
    "catchup": _catch_up,
    "games": _games,
}
