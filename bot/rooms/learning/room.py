"""Rules, help and lessons, as the house finds them."""

from bot.chat.press import Press, showing
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core.errors import NotSeated, UnknownControl
from bot.rooms.learning import lessons, rules
from bot.rooms.learning.help import game_here, help_here


@showing
async def _rule(given: Press) -> Screen:
    """A rule as it stands in the channel's game, or a section of rules."""
    game = await game_here(given.bot, given.interaction.channel_id or 0, given.game)
    return await given.bot.work.do(rules.named_screen, given.parts[0], game)


@showing
async def _help(given: Press) -> Screen:
    """A page of help, told of the channel's game or that of a board."""
    return await help_here(given.bot, given.interaction, given.parts[0], given.game)


@showing
async def _learned(given: Press) -> Screen:
    """Remember that the person needs no more tips of a kind, or of any, and take the tip from the turn's message."""
    table, (kind,) = await given.table(), given.parts
    if kind not in (*lessons.LESSONS, lessons.ALL, lessons.AGAIN):
        raise UnknownControl()
    if not table.seats_of(given.user):
        raise NotSeated()
    if kind == lessons.AGAIN:
        await given.bot.store.lessons.forget(given.user)
    else:
        await given.bot.store.lessons.dismiss(given.user, kind)
    if not table.position.over and given.user in {table.seats[seat].user_id for seat in table.position.up}:
        await given.bot.sender.announce(given.game)
    screen = lessons.dismissed_screen(kind)
    screen.game, screen.seq = given.game, given.seq
    return screen


ROOM = Room(presses={"rule": _rule, "help": _help, "learned": _learned}, cogs=(rules.Rules,))
