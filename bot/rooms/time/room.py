"""Clocks and reminders, as the house finds them."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core.notices import ArchivedNotice, LateNotice, RingNotice
from bot.rooms.time import late, saying, ticker
from bot.rooms.time.commands import PaceCommands


async def _late(given: Press) -> None:
    """Vote on what to do about somebody whose time is up."""
    await acknowledge(given.interaction, shows=True)
    way, seat = given.parts
    text = await late.vote(given.bot, given.interaction, await given.table(), way, seat, given.seq)
    await show_privately(given.interaction, Screen(text))


async def _wake(given: Press) -> None:
    """Wake an archived game."""
    await acknowledge(given.interaction, shows=True)
    text = await late.wake(given.bot, await given.table(), given.user)
    given.bot.sender.wake()
    await show_privately(given.interaction, Screen(text))


async def _silence(given: Press) -> None:
    """Send the person no more reminders for this turn."""
    await acknowledge(given.interaction, shows=True)
    await show_privately(given.interaction, Screen(await late.silence(given.bot, given.game, given.user)))


ROOM = Room(
    presses={
        "late": _late,
        "wake": _wake,
        "silence": _silence,
    },
    says={RingNotice: saying.say_ring, LateNotice: saying.say_late, ArchivedNotice: saying.say_archived},
    stands=saying.stands,
    left=saying.left,
    due=ticker.due,
    cogs=(PaceCommands,),
)
