"""A thread of its own for a game, or a post in a forum, whose tags say the title, the round and whose turn it is."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

import engine
from bot.chat.client import Bot
from bot.chat.layout import view
from bot.chat.messages import THREAD_IS_ARCHIVED
from bot.chat.rights import missing_permissions, must_know, permissions
from bot.chat.screen import Screen
from bot.core.errors import TableError
from bot.core.notices import PostNotice
from storage import VACANT, Game, OutboxItem
from storage.shapes import UNFINISHED

EVERY = 360
"""Seconds between two changes of a post: Discord allows two in ten minutes."""
MOST_TAGS, LONGEST_TAG, MOST_WORN = 20, 20, 5
"""Of a forum, letters of each, and those of a post."""
JOINING, OVER = "Joining", "Over"
COMING = "The game will be here in a moment."
ParentChannel = discord.TextChannel | discord.ForumChannel


class Parent(app_commands.Transformer):
    """A channel in which threads can be opened, or a forum."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return [discord.ChannelType.text, discord.ChannelType.forum]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> ParentChannel:
        """The channel as the bot knows it. Raises TableError."""
        must_know(interaction)
        found = value.resolve()
        if not isinstance(found, ParentChannel):
            raise TableError(f"I cannot see <#{value.id}>.")
        return found


async def opened(interaction: discord.Interaction[Any], where: ParentChannel, name: str) -> discord.Thread:
    """A thread in the channel, or a post in the forum. Raises TableError where the person or the bot may not open it.

    A post begins with a message that is to become the lobby; it has the thread's own id.
    """
    allowed, forum = where.permissions_for(where.guild.me), isinstance(where, discord.ForumChannel)
    missing = missing_permissions(allowed, where)
    missing += [] if forum or allowed.create_public_threads else ["Create Public Threads"]
    missing += [] if allowed.send_messages_in_threads else ["Send Messages in Threads"]
    if missing:
        raise TableError(f"I cannot open a thread in <#{where.id}> without {permissions(missing)}.")
    member = interaction.user
    theirs = where.permissions_for(member) if isinstance(member, discord.Member) else discord.Permissions.none()
    if not (theirs.send_messages if forum else theirs.create_public_threads):
        raise TableError(f"You may not open a thread in <#{where.id}>.")
    if isinstance(where, discord.TextChannel):
        return await where.create_thread(name=name, type=discord.ChannelType.public_thread)
    tags = await _tags(where, [name, JOINING])
    made = await where.create_thread(name=name, view=view(Screen(COMING)), applied_tags=tags)
    return made.thread


def first_message(place: object) -> int | None:
    """The message with which a post in a forum begins; None for another channel."""
    return place.id if isinstance(place, discord.Thread) and isinstance(place.parent, discord.ForumChannel) else None


async def follow(bot: Bot, game: Game, place: object, *, opened: bool) -> None:
    """Keep the tags of the game's channel true if it is a post in a forum; those of one just opened are."""
    if (post := first_message(place)) is not None:
        about = {"user_id": game.host_id, "channel_id": post}
        await bot.store.watches.start(game.id, "post", **about, events="", every=EVERY, now=not opened)


async def say_post(bot: Bot, item: OutboxItem, notice: PostNotice) -> None:
    """Bring the tags up to date; for a post that is gone, or that the bot may not change, that ends."""
    watch, game = await bot.store.watches.get(notice.watch), await bot.store.game(item.game)
    if watch is None:
        await bot.store.outbox.drop(item, "the post is no longer followed")
        return
    try:
        post = await bot.messages.channel(watch.channel_id)
        forum = getattr(post, "parent", None)
        here = game.channel_id == watch.channel_id
        if not isinstance(forum, discord.ForumChannel) or not here:
            await bot.store.watches.stop(watch.id)
        other = None if here else await bot.store.game_in_channel(watch.channel_id)
        if isinstance(forum, discord.ForumChannel) and (other is None or other.status not in UNFINISHED):
            tags = await _tags(forum, await _wanted(bot, game, here=here))
            if {one.id for one in tags} != {one.id for one in post.applied_tags}:
                await post.edit(applied_tags=tags)
    except (discord.Forbidden, discord.NotFound):
        await bot.store.watches.stop(watch.id)
    except discord.HTTPException as error:
        if error.code != THREAD_IS_ARCHIVED:  # the next turn opens it again
            raise
    await bot.store.outbox.done(item)


async def _wanted(bot: Bot, game: Game, *, here: bool = True) -> list[str]:
    """The names of the tags that fit now; unless it is still `here`, only what was played."""
    title = engine.TITLES[game.title].name
    if not here:
        return [title]
    if game.status != "running":
        return [title, JOINING if game.status == "open" else OVER]
    table = await bot.tables.get(game.id)
    position = table.position
    if position.over:
        return [title, OVER]
    round_ = table.title.rounds[position.state.round]
    up = [row.name for seat, row in table.seats.items() if seat in table.awaited and row.user_id != VACANT]
    return [title, round_.called, *up]


async def _tags(forum: discord.ForumChannel, names: Sequence[str]) -> list[discord.ForumTag]:
    """The forum's tags of these names, as many as a post may have; those that it lacks are made, if the bot may."""
    short = (name if len(name) <= LONGEST_TAG else name.partition(":")[0] for name in names)
    wanted = dict.fromkeys(name[:LONGEST_TAG].strip() for name in short)
    there = {tag.name.casefold(): tag for tag in forum.available_tags}
    missing = [name for name in wanted if name.casefold() not in there][: MOST_TAGS - len(there)]
    if missing and forum.permissions_for(forum.guild.me).manage_channels:
        new = [*forum.available_tags, *(discord.ForumTag(name=name) for name in missing)]
        changed = await forum.edit(available_tags=new) or forum
        there = {tag.name.casefold(): tag for tag in changed.available_tags}
    return [there[name.casefold()] for name in wanted if name.casefold() in there][:MOST_WORN]
