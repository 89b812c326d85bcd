"""Watching: what buttons and commands about it do, what is due of it, and sending it."""

import logging
from typing import Any

import discord

from bot.chat.answers import show_privately
from bot.chat.client import Bot
from bot.chat.messages import link
from bot.chat.rights import UNKNOWN_MEMBER, moderates, must_be_able_to_post, must_know, roles
from bot.core import clockwork, constitution
from bot.core.errors import TableError, UnknownControl
from bot.core.hours import DAY
from bot.core.moves import EVENTS
from bot.core.notices import LOBBY, BoardNotice, FollowNotice, PostNotice, queued, say_notice, turn_of
from bot.rooms.watching.screen import EVERY, digest_text, follow_screen
from storage import Game, Watch

log = logging.getLogger("tetsudo.watching")
USUAL = "round,company,train,bankrupt,end"
OFTEN = 3600
"""What followers begin with: which events, and so many seconds between two messages."""
BOARD_EVERY = 60
"""Seconds between two edits of a live board."""
MOST_BOARDS = 3
"""How many live boards a game can have: each is drawn anew after every turn."""
Interaction = discord.Interaction[Any]


async def follow(bot: Bot, interaction: Interaction, game_id: str, wanted: str = "") -> None:
    """Show what is followed, after changing it as `wanted`: "start", "stop", an event or seconds.

    Raises TableError.
    """
    game, user = await bot.store.game(game_id), interaction.user.id
    if game.status == "abandoned":
        raise TableError("This game has ended without a result, so there is nothing to follow.")
    here = _thread_of(interaction, game)
    watch = await bot.store.watches.find(game_id, "follow", user_id=user, channel_id=here)
    if wanted == "start":
        await _must_be_allowed(interaction, game, here)
        watch = await bot.store.watches.start(
            game_id, "follow", user_id=user, channel_id=here, events=USUAL, every=OFTEN
        )
    elif wanted:
        if watch is None:
            raise TableError("This game is not followed here.")
        _must_be_theirs(interaction, game, watch)
        watch = await _changed(bot, watch, wanted)
    await show_privately(interaction, follow_screen(game_id, game.seq, watch, here=bool(here)))


async def _changed(bot: Bot, watch: Watch, wanted: str) -> Watch | None:
    watches = bot.store.watches
    if wanted == "stop":
        await watches.stop(watch.id)
    elif wanted in EVENTS:
        chosen = set(watch.events.split(",")) ^ {wanted}
        await watches.change(watch.id, events=",".join(one for one in EVENTS if one in chosen))
    elif wanted.isdecimal() and int(wanted) in EVERY:
        await watches.change(watch.id, every=int(wanted))
    else:
        raise UnknownControl()
    return await watches.get(watch.id)


def _thread_of(interaction: Interaction, game: Game) -> int:
    """The thread of the game's channel in which the person is; 0 anywhere else: then by direct message."""
    channel = interaction.channel
    inside = isinstance(channel, discord.Thread) and channel.parent_id == game.channel_id
    return channel.id if inside and channel is not None else 0


async def _must_be_allowed(interaction: Interaction, game: Game, here: int) -> None:
    """Raise TableError unless the person sees the game's channel and, in a thread, may write there."""
    if here:
        if not interaction.permissions.send_messages_in_threads:
            raise TableError("You may not write in this thread, so you cannot have games told here.")
        return
    if not await _sees_channel(interaction, game):
        raise TableError("You can only follow a game whose channel you see: use `/game follow` there.")


def _must_be_theirs(interaction: Interaction, game: Game, watch: Watch) -> None:
    """Raise TableError unless the person wanted it, hosts the game, or is a moderator."""
    if interaction.user.id in (watch.user_id, game.host_id) or watch.channel_id == 0:
        return
    if not moderates(interaction, watch.channel_id):
        raise TableError(f"<@{watch.user_id}> wanted this; only they, the game's host and moderators can change it.")


async def sees(place: Any, member: discord.Member) -> bool:
    """Whether a member of the server sees a channel or thread; of private threads, Discord is asked."""
    rights = place.permissions_for(member)
    if not rights.view_channel:
        return False
    if not isinstance(place, discord.Thread) or not place.is_private() or rights.manage_threads:
        return True
    try:
        await place.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True


async def watch(interaction: Interaction, game: Game, stop: bool) -> str:
    """Begin or end a live board of the game in this channel; what to tell the person. Raises TableError."""
    bot, channel = interaction.client, interaction.channel_id or 0
    constitution.must("board", game, roles(interaction, game))
    board = await bot.store.watches.find(game.id, "board", user_id=interaction.user.id, channel_id=channel)
    if stop:
        if board is None:
            raise TableError("There is no live board of this game here.")
        await bot.store.watches.stop(board.id)
        return "✓ The live board stays as it is now."
    if channel == game.channel_id:
        raise TableError("The game is played here. A live board belongs in another channel, or in a thread.")
    if board is not None:
        raise TableError("There is a live board of this game here already. `stop:True` ends it.")
    if len([one for one in await bot.store.watches.of_game(game.id) if one.kind == "board"]) >= MOST_BOARDS:
        raise TableError(f"This game has {MOST_BOARDS} live boards already. `stop:True` ends one, in its channel.")
    await must_be_able_to_post(interaction)
    about = {"user_id": interaction.user.id, "channel_id": channel}
    await bot.store.watches.start(game.id, "board", **about, events="", every=BOARD_EVERY, now=True)
    await bot.do_due("watches")
    return "✓ The live board is on its way. It shows the game as it is, a minute after each turn at the latest."


# What is due


async def _hears(bot: Bot, watch: Watch) -> int:
    """When what a watch tells disturbs nobody: at once, but for direct messages to whoever is asleep or away."""
    now = bot.clock()
    if watch.channel_id:
        return now
    person = (await clockwork.people_of(bot.store, [watch.user_id]))[watch.user_id]
    return person.reachable(now) or now + DAY


async def tell(bot: Bot, number: int) -> None:
    """Queue what a watch that is due has to tell, if there is anything."""
    watch, notice = await bot.store.watches.get(number), None
    if watch is None:
        return
    if (at := await _hears(bot, watch)) > bot.clock():
        await bot.store.watches.put_off(watch.id, at)
        return
    if watch.kind == "post":  # whose tags are true while people still join, too
        game = await bot.store.game(watch.game)
        await bot.store.watches.tell(watch, game.seq, queued(PostNotice(watch.id)))
        return
    table = await bot.tables.get(watch.game)
    if watch.kind == "board":
        notice = queued(BoardNotice(watch.id))
    elif (text := await table.work.do(digest_text, table, watch)) is not None:
        notice = queued(FollowNotice(watch.id, watch.user_id, watch.channel_id, text))
    await table.store.watches.tell(watch, table.position.seq, notice)


# Sending


async def place_of(bot: Bot, watch: Watch) -> Any | None:
    """Where the watch is told: the channel, or the person's direct messages. None if they may not read it any more.

    Raises TableError while the game's server is out of sight, so that nobody knows who may.
    """
    if watch.channel_id:
        return await bot.messages.channel(watch.channel_id)
    game = await bot.store.game(watch.game)
    guild = bot.get_guild(game.guild_id or 0)
    if guild is None:
        raise TableError("The game's server is not in sight.")
    try:
        member = await guild.fetch_member(watch.user_id)
    except discord.NotFound as error:
        if error.code in UNKNOWN_MEMBER:
            return None
        raise
    place = guild.get_channel_or_thread(game.channel_id) or await bot.messages.channel(game.channel_id)
    players = {seat.user_id for seat in await bot.store.seats(game.id)}
    return await member.create_dm() if watch.user_id in players or await sees(place, member) else None


async def ended(bot: Bot, watch: Watch) -> None:
    """End a watch that can tell nobody any more, and say so, once, where its game is played."""
    if watch.channel_id:
        what = "The live board" if watch.kind == "board" else "What was told of this game"
        said = say_notice(f"{what} in <#{watch.channel_id}> has ended: I can no longer post there.")
    else:
        text = (
            f"<@{watch.user_id}>: I cannot send you direct messages, so you no longer follow this game. "
            "Allow direct messages from this server, then press *Follow* again; or follow it in a thread."
        )
        said = say_notice(text, [watch.user_id])

    async def write() -> None:
        if await bot.store.watches.stop(watch.id):
            await bot.store.outbox.post(watch.game, [said])

    await bot.store.together(write)
    bot.sender.wake()


async def link_to(bot: Bot, game: Game) -> str:
    """A link to the newest message of the game that has controls, or to its channel."""
    live = [one for one in await bot.store.messages.live(game.id) if turn_of(one.kind) or one.kind == LOBBY]
    return f"[the game]({link(game, live[-1])})" if live else f"<#{game.channel_id}>"


async def may_see(bot: Bot, interaction: Interaction, game: Game) -> bool:
    """Whether the person sees the game's channel, or plays in the game."""
    plays = any(seat.user_id == interaction.user.id for seat in await bot.store.seats(game.id))
    return plays or await _sees_channel(interaction, game)


async def _sees_channel(interaction: Interaction, game: Game) -> bool:
    """Whether the person sees the game's channel, from where they are."""
    if interaction.channel_id == game.channel_id:
        return True
    must_know(interaction)
    place = None if interaction.guild is None else interaction.guild.get_channel_or_thread(game.channel_id)
    member = interaction.user
    return place is not None and isinstance(member, discord.Member) and await sees(place, member)
