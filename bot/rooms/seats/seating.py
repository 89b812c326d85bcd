"""What buttons and commands about seats share: taking, answering, opening, leaving, catching up."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import discord

from bot.chat.answers import show_privately
from bot.chat.client import Bot
from bot.chat.layout import view
from bot.chat.rights import is_gone
from bot.chat.screen import Screen
from bot.core.opponents import is_person
from bot.core.table import Table
from bot.rooms.seats import absent
from bot.rooms.seats import handing as seats
from bot.rooms.seats.screen import catch_up_screen, notice_screen
from bot.words.lexicon import clean_name
from storage import VACANT

log = logging.getLogger("tetsudo.seats")
SEEN = 3600.0
"""Seconds for which somebody who has used the bot on a server is taken to be there."""
Interaction = discord.Interaction[Any]


async def take(bot: Bot, interaction: Interaction, table: Table, seat: str) -> None:
    """Take a seat, or ask the players for it; whoever has it is told all that they need. Raises TableError."""
    user, had = interaction.user, table.seats_of(interaction.user.id)
    name = clean_name(user.display_name, user.name)
    said = await seats.take(table, user.id, name, seat, interaction.id)
    bot.sender.wake()
    if not await _caught_up(interaction, table, had, said):
        await show_privately(interaction, Screen(said))


async def answer(bot: Bot, interaction: Interaction, table: Table, proposal: int, accept: bool) -> None:
    """Accept, decline or vote on what a message proposes, which then says so. Raises TableError."""
    had = table.seats_of(interaction.user.id)
    said = await seats.answer(table, proposal, interaction.user.id, accept, interaction.id)
    bot.sender.wake()
    if table.tenures.proposal(proposal) is None:
        screen = Screen(said)
    else:
        screen = notice_screen(said, f"ask:{proposal}", table.game.id, table.position.seq)
    nobody = discord.AllowedMentions.none()
    await interaction.edit_original_response(view=view(screen), allowed_mentions=nobody)
    if interaction.message is not None and not screen.rows:
        await bot.store.messages.retire([interaction.message.id])
    await _caught_up(interaction, table, had, "")


async def open_seat(bot: Bot, interaction: Interaction, table: Table, seat: str) -> None:
    """Open the seat of somebody absent, or vote for that. Raises TableError."""
    holder = table.seats[seat].user_id if seat in table.seats else VACANT
    gone = is_person(holder) and await is_gone(interaction.guild, holder)
    said = await absent.vote_to_open(table, interaction.user.id, seat, gone, interaction.id)
    bot.sender.wake()
    await show_privately(interaction, Screen(said))


async def leave(bot: Bot, interaction: Interaction, table: Table) -> None:
    """Leave a running game. Raises TableError."""
    said = await seats.leave(table, interaction.user.id, interaction.id)
    bot.sender.wake()
    await show_privately(interaction, Screen(said))


async def look_for_absent(bot: Bot, table: Table) -> None:
    """Ask Discord whether those who must decide are still on the server, and tell the channel if not.

    Discord tells the bot of nobody who leaves; whoever has used it lately is taken to be there.
    """
    guild = bot.get_guild(table.game.guild_id or 0)
    for seat in table.position.up:
        user = table.seats[seat].user_id if seat in table.seats else VACANT
        try:
            known = not is_person(user) or guild is None or bot.seen(guild.id, user, SEEN)
            gone = not known and await is_gone(guild, user)
        except discord.HTTPException as error:
            log.info("nobody knows whether a player is there: %s", error, extra={"game": table.game.id})
            continue
        if gone and await absent.tell_gone(table, seat):
            bot.sender.wake()


async def _caught_up(interaction: Interaction, table: Table, had: Sequence[str], said: str) -> bool:
    """Show whoever has a seat that they had not where the game stands; False if they have none."""
    new = next((seat for seat in table.seats_of(interaction.user.id) if seat not in had), None)
    if new is None:
        return False
    await show_privately(interaction, await catch_up_screen(table, new, said), anew=not said)
    return True
