"""Rules, help and lessons, as the house finds them."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Room
from bot.core.errors import NotSeated, UnknownControl
from bot.rooms.learning import rules, teaching
from bot.rooms.learning.commands import Rules
from bot.rooms.learning.help import game_here, help_here
from bot.rooms.learning.lessons import LESSONS


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


ROOM = Room(
    presses={
        "rule": _rule,
        "help": _help,
        "learned": _learned,
    },
    cogs=(Rules,),
)
