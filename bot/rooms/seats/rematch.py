"""Another game with the same people, seated one place further."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord

from bot.chat.answers import show_publicly
from bot.chat.client import Bot
from bot.chat.rights import must_be_able_to_post
from bot.core.errors import TAKEN, NotSeated, TableError
from bot.core.notices import LOBBY, say_notice
from bot.core.opponents import is_person, level_of
from bot.core.settings import TableSettings
from bot.core.table import Table
from bot.rooms.seats import lobby, opening
from bot.rooms.seats.joining import join
from storage import ChannelTaken, Game

NOT_OVER = "This game is not over."
ASKED = "{who} would like a rematch: {others}, **Join** above if you play."
OPENED = "✓ The others can join below. Start when everybody is there: you sit one place further than last time."


async def rematch(bot: Bot, interaction: discord.Interaction[Any], table: Table) -> None:
    """Open a game like this one in its channel, hosted by whoever asks, and ask the others to join.

    Raises TableError, NotSeated and storage errors.
    """
    user = interaction.user.id
    if not table.seats_of(user):
        raise NotSeated()
    if not table.position.over:
        raise TableError(NOT_OVER)
    await must_be_able_to_post(interaction)
    game = await _create(bot, interaction, table)
    await join(bot, game.id, interaction, once=False)
    for row in table.seats.values():
        if (level := level_of(row.user_id)) is not None and table.tenures.loan(f"p{row.seat}") is None:
            await opening.seat_opponent(bot.store, game, user, level)
    screen = lobby.lobby_screen(game, await bot.store.seats(game.id))
    message = await show_publicly(interaction, screen, OPENED)
    await bot.store.messages.add(game.id, 0, LOBBY, message.channel.id, message.id)
    others = [one for one in people_of(table) if one != user]
    if others:
        words = ASKED.format(who=f"<@{user}>", others=" ".join(f"<@{one}>" for one in others))
        await bot.store.outbox.post(game.id, [say_notice(words, others, by=user)])
        bot.sender.wake()


def people_of(table: Table) -> list[int]:
    """Whose game it was, in seat order: those for whom an opponent played on are asked too."""
    whose = [(table.tenures.loan(seat), row.user_id) for seat, row in table.seats.items()]
    users = [loan.owner_id if loan is not None and not is_person(user) else user for loan, user in whose]
    return list(dict.fromkeys(filter(is_person, users)))


async def _create(bot: Bot, interaction: discord.Interaction[Any], table: Table) -> Game:
    before = table.game
    people = people_of(table)
    order = (*people[1:], *people[:1])
    settings = TableSettings.read(before.settings)
    kept = replace(settings, seats="chosen", order=order, seed="", imported=False, invited=(), over=False)
    try:
        return await bot.store.create_game(
            channel_id=interaction.channel_id or before.channel_id,
            guild_id=before.guild_id,
            host_id=interaction.user.id,
            title=before.title,
            options=before.options,
            settings=kept.text(),
            interaction_id=interaction.id,
        )
    except ChannelTaken as error:
        raise TableError(TAKEN) from error
