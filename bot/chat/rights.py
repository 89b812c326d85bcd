"""What people and the bot may do in a channel: who looks after it, and whether the bot can post there."""

import asyncio
from collections.abc import Collection
from typing import Any

import discord

from bot.chat.answers import FAILURES
from bot.core import clockwork, constitution
from bot.core.constitution import Role
from bot.core.errors import TableError
from bot.core.person import present
from bot.core.seated import Played
from bot.words.lexicon import listed
from storage import Game

LOBBY_LASTS = 7 * 24 * 3600
"""Seconds after which anybody may cancel a game that has not started."""
UNKNOWN_MEMBER = (10007, 10013)
ANSWERED = 10.0
"""Seconds in which Discord says who of some people is on a server."""
MOST_MEMBERS = 100
"""About how many people it can be asked at once."""


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


NOT_KNOWN_YET = (
    "I have only just come back to this server and do not know its channels yet. Please try again in a minute."
)


def knows(interaction: discord.Interaction[Any]) -> bool:
    """Whether the server's channels and roles are known; shortly after another process served it they are not."""
    guild = interaction.client.get_guild(interaction.guild_id)
    return guild is not None and not guild.unavailable


def must_know(interaction: discord.Interaction[Any]) -> None:
    """Raise TableError while the server's channels and roles are not known."""
    if not knows(interaction):
        raise TableError(NOT_KNOWN_YET)


def roles(interaction: discord.Interaction[Any], game: Game, seated: Played | None = None) -> set[Role]:
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
    host = await clockwork.person_of(store, game.host_id)
    could = present(host, game.created_at, store.clock(), await clockwork.breaks_by_now(store))
    return could > LOBBY_LASTS or await is_gone(interaction.guild, game.host_id)


async def is_gone(guild: discord.Guild | None, user: int) -> bool:
    """Whether Discord says that the person has left this server; if it says nothing, they are there."""
    if guild is None:
        return False
    try:
        await guild.fetch_member(user)
    except discord.NotFound as error:
        return error.code in UNKNOWN_MEMBER
    return False


async def not_found(guild: discord.Guild, users: Collection[int]) -> set[int]:
    """Those of these people whom Discord does not find on the server, asked over the gateway.

    That counts as no request, unlike `is_gone`, which has to confirm it. Raises TimeoutError, OSError, and KeyError if
    the server's shard was given up.
    """
    missing, waiting = set(users), list(users)
    while waiting:
        asked, waiting = waiting[:MOST_MEMBERS], waiting[MOST_MEMBERS:]
        async with asyncio.timeout(ANSWERED):
            found = await guild.query_members(user_ids=asked, limit=MOST_MEMBERS, cache=False)
        missing -= {one.id for one in found}
    return missing


MISSING_ACCESS = 50001
THREAD_IS_LOCKED = 160005
NOT_A_MEMBER = (
    "I am not a member of this private thread: I can answer you, but I cannot post turns here. "
    "Mention me once in the thread to add me."
)
LOCKED = (
    "This thread is locked: I can answer you, but I cannot post turns here. "
    "Somebody who can manage threads can unlock it."
)


async def must_be_able_to_post(interaction: discord.Interaction[Any]) -> None:
    """Raise TableError, with what to do, if the bot cannot post messages of its own in this channel."""
    missing = missing_permissions(interaction.app_permissions, interaction.channel)
    if missing:
        raise TableError(
            f"I cannot do that in this channel without {permissions(missing)}. "
            "Please ask a server admin for that, or use another channel."
        )
    if not isinstance(interaction.channel, discord.Thread):
        return
    try:
        thread = await interaction.client.fetch_channel(interaction.channel.id)
    except discord.Forbidden as error:
        raise TableError(NOT_A_MEMBER) from error
    if isinstance(thread, discord.Thread) and thread.locked and not interaction.app_permissions.manage_threads:
        raise TableError(LOCKED)


def permissions(names: Collection[str]) -> str:
    return f"the permission{'s' if len(names) > 1 else ''} {listed(names)}"


def missing_permissions(allowed: discord.Permissions, channel: object) -> list[str]:
    """The permissions the bot lacks for a game in the channel, by Discord's names."""
    in_thread = isinstance(channel, discord.Thread)
    wanted = {
        "View Channel": allowed.view_channel,
        "Send Messages in Threads" if in_thread else "Send Messages": (
            allowed.send_messages_in_threads if in_thread else allowed.send_messages
        ),
        "Embed Links": allowed.embed_links,
        "Attach Files": allowed.attach_files,
        "Read Message History": allowed.read_message_history,
    }
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        wanted["Connect"] = allowed.connect
    return [name for name, has in wanted.items() if not has]


async def channel_is_gone(bot: Any, channel_id: int) -> bool:
    """Whether Discord knows no such channel: a single answer that something is unknown may be a slip of its own."""
    if not channel_id:
        return True
    try:
        await bot.fetch_channel(channel_id)
    except discord.NotFound:
        return True
    except (discord.InvalidData, *FAILURES):
        return False
    return False


async def seems_gone(bot: Any, game: Game) -> bool:
    """Whether the game's channel was deleted; Discord is asked only if the bot does not see it on the server."""
    guild = bot.get_guild(game.guild_id or 0)
    unseen = guild is not None and not guild.unavailable and guild.get_channel_or_thread(game.channel_id) is None
    return unseen and await channel_is_gone(bot, game.channel_id)


async def was_removed(bot: Any, game: Game) -> bool:
    """Whether the bot was removed from the game's server; Discord is asked only if the bot does not see the server."""
    if bot.get_guild(game.guild_id or 0) is not None:
        return False
    try:
        await bot.fetch_channel(game.channel_id)
    except (discord.NotFound, discord.Forbidden):
        return True
    except (discord.InvalidData, *FAILURES):
        return False
    return False


GONE = "The channel is gone: `/game move` moves the game to another."


def trouble(error: discord.HTTPException, channel_id: int, *, gone: bool) -> str:
    """What to tell players when the bot cannot post: why, and what to do about it; `gone` if the channel is."""
    place = f"<#{channel_id}>"
    if error.code == THREAD_IS_LOCKED:
        todo = "The thread is locked: somebody who can manage threads can unlock it."
    elif error.code == MISSING_ACCESS:
        todo = "I have no access: in a private thread, mention me once; elsewhere, give me the permission View Channel."
    elif gone:
        todo = GONE
    else:
        todo = (
            f"Discord says: {error.text}. I need Send Messages (in threads: Send Messages in Threads) and Attach Files."
        )
    return f"⚠ I cannot post turns in {place}. {todo} Nothing is lost: I will post as soon as I can."
