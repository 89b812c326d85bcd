"""Who may look after a place: moderators, whom Discord lets manage the channel or the server."""

from __future__ import annotations

from typing import Any

import discord

from bot.core import clockwork, constitution
from bot.core.constitution import Role
from bot.core.person import present
from bot.core.seated import Seated
from storage import Game

LOBBY_LASTS = 7 * 24 * 3600
"""Seconds after which anybody may cancel a game that has not started."""
UNKNOWN_MEMBER = (10007, 10013)


def moderates(interaction: discord.Interaction[Any], channel_id: int) -> bool:
    """Whether the person may manage this channel of the server, or the whole server."""
    here = interaction.permissions
    if here.administrator or here.manage_guild:
        return True
    if channel_id == interaction.channel_id:
        return here.manage_channels
    place = None if interaction.guild is None else interaction.guild.get_channel_or_thread(channel_id)
    member = interaction.user
    return isinstance(member, discord.Member) and place is not None and place.permissions_for(member).manage_channels


def roles(interaction: discord.Interaction[Any], game: Game, seated: Seated | None = None) -> set[Role]:
    """What the person is at the table, as the constitution calls it."""
    moderator = moderates(interaction, game.channel_id)
    return constitution.roles_of(interaction.user.id, game, seated, moderator=moderator)


async def may_cancel(interaction: discord.Interaction[Any], game: Game) -> bool:
    """Whether the person may cancel a game that has not started.

    Its host and moderators may; anybody may once the host has left the server, or could have started it for a week.
    """
    if constitution.may("cancel", game, roles(interaction, game)):
        return True
    store = interaction.client.store
    host = (await clockwork.people_of(store, [game.host_id]))[game.host_id]
    could = present(host, game.created_at, store.clock(), await clockwork.breaks_by_now(store))
    return could > LOBBY_LASTS or await is_gone(interaction.guild, game.host_id)


async def is_gone(guild: discord.Guild | None, user: int) -> bool:
    """Whether Discord says that the person is on this server no more; if it says nothing, they are there."""
    if guild is None:
        return False
    try:
        await guild.fetch_member(user)
    except discord.NotFound as error:
        return error.code in UNKNOWN_MEMBER
    return False
