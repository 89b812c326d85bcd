"""Watching from outside the table: /game follow and /game watch, what is due of it, sending and showing it.

What is told is what the channel was told, move by move, so no follower learns more than a spectator.
"""

import logging
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, game_label, game_named, matching
from bot.chat.messages import closed, link
from bot.chat.press import Press
from bot.chat.rights import UNKNOWN_MEMBER, channel_is_gone, knows, moderates, must_be_able_to_post, must_know, roles
from bot.chat.room import Room
from bot.chat.screen import Button, Option, Screen, where
from bot.core import clockwork, constitution
from bot.core.errors import NO_RESULT, NoGame, TableError, UnknownControl
from bot.core.hours import DAY
from bot.core.moves import EVENTS, events_of
from bot.core.notices import LOBBY, BoardNotice, FollowNotice, PostNotice, queued, read_notice, say_notice, turn_of
from bot.core.table import Table
from bot.rooms.past.history import final_screen
from bot.rooms.turn import pictures
from bot.rooms.turn.screen import story, task_of
from bot.words.narration import gathered
from engine.viewing import round_label
from storage import Game, OutboxItem, Watch

USUAL = "round,company,train,bankrupt,end"
OFTEN = 3600
"""What followers begin with: which events, and so many seconds between two messages."""
BOARD_EVERY = 60
"""Seconds between two edits of a live board."""
MOST_BOARDS = 3
"""How many live boards a game can have: each is drawn anew after every turn."""
LAST = 6
"""How many lines a live board has of what happened last."""
EVERY = {
    300: "at most every five minutes",
    3600: "at most hourly",
    6 * 3600: "at most every six hours",
    24 * 3600: "at most daily",
}
"""Seconds between two messages, as that is called."""
IN_THREADS = " To follow it in a thread, use `/game follow` in a thread of the game's channel."
NOT_FOLLOWED = "The game is over, and is not followed here."
MOST_LINES = 20
"""How many lines a follower is told at once."""


async def follow(bot: Bot, interaction: Interaction, game_id: str, wanted: str = "") -> None:
    """Show what is followed, after changing it as `wanted`: "start", "stop", an event or seconds.

    Raises TableError.
    """
    game, user = await bot.store.game(game_id), interaction.user.id
    if game.status == "abandoned":
        raise TableError(NO_RESULT)
    here = _thread_of(interaction, game)
    watch = await bot.store.watches.find(game_id, "follow", user_id=user, channel_id=here)
    over = game.status == "finished"
    if over and wanted == "start":
        wanted = ""
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
    gone = over and watch is None
    screen = Screen(NOT_FOLLOWED) if gone else follow_screen(game_id, game.seq, watch, here=bool(here))
    if watch is None and not gone and not isinstance(interaction.channel, discord.Thread):  # which has none itself
        screen.text += IN_THREADS
    await show_privately(interaction, screen)


async def _changed(bot: Bot, watch: Watch, wanted: str) -> Watch | None:
    watches = bot.store.watches
    if wanted == "stop":
        await watches.stop(watch.id)
    elif wanted in EVENTS:

        def toggled(events: str) -> str:
            chosen = set(events.split(",")) ^ {wanted}
            return ",".join(one for one in EVENTS if one in chosen)

        await watches.change(watch.id, events=toggled)
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
            raise TableError("You may not write in this thread, so you cannot have a game followed here.")
        return
    if interaction.guild_id is None:  # in direct messages, with which nothing of the server comes
        allowed = await _reader(interaction.client, game, interaction.user.id) is not None
    else:
        allowed = await _sees_channel(interaction, game)
    if not allowed:
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
    if game.status == "abandoned" and not stop:
        raise TableError(NO_RESULT)
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
    comes = "comes when the game starts" if game.status == "open" else "is on its way"
    return f"✓ The live board {comes}. It shows the game as it is, within a minute of each turn."


# What is due


async def _hears(bot: Bot, watch: Watch) -> int:
    """When what a watch tells disturbs nobody: at once, but for direct messages to whoever is asleep or away."""
    now = bot.clock()
    if watch.channel_id:
        return now
    person = await clockwork.person_of(bot.store, watch.user_id)
    return person.reachable(now) or now + DAY


async def tell(bot: Bot, number: int) -> None:
    """Queue what a watch that is due has to tell, if there is anything."""
    watch, notice = await bot.store.watches.get(number), None
    if watch is None:
        return
    if (at := await _hears(bot, watch)) > bot.clock():
        await bot.store.watches.put_off(watch.id, at)
        return
    game = await bot.store.game(watch.game)
    if watch.kind == "post":  # whose tags are true while people still join, too
        await bot.store.watches.tell(watch, game.seq, queued(PostNotice(watch.id)))
        return
    unseen = watch.kind == "board" and watch.message_id is None
    if game.status == "open" or (game.status == "abandoned" and unseen):  # its start makes it due again
        await bot.store.watches.tell(watch, game.seq, None)
        return
    if game.status == "abandoned" and watch.kind == "follow":  # perhaps before it began, or as it cannot be read
        ended = f"### The game in <#{game.channel_id}> has ended without a result"
        notice = queued(FollowNotice(watch.id, ended))
        await bot.store.watches.tell(watch, game.seq, notice)
        return
    table = await bot.tables.get(watch.game)
    if watch.kind == "board":
        notice = queued(BoardNotice(watch.id))
    elif (text := await table.work.do(digest_text, table, watch)) is not None:
        notice = queued(FollowNotice(watch.id, text))
    await table.store.watches.tell(watch, table.position.seq, notice)


# Sending


async def place_of(bot: Bot, watch: Watch) -> Any | None:
    """Where the watch is told: the channel, or the person's direct messages. None if they may not read it any more.

    Raises TableError while the game's server is out of sight, so that nobody knows who may.
    """
    if watch.channel_id:
        return await bot.messages.channel(watch.channel_id)
    reader = await _reader(bot, await bot.store.game(watch.game), watch.user_id)
    return None if reader is None else await reader.create_dm()


async def _reader(bot: Bot, game: Game, user: int) -> discord.Member | None:
    """The person, if they may read the game as a player or since they see its channel. Raises TableError, as above."""
    guild = bot.get_guild(game.guild_id or 0)
    if guild is None:
        raise TableError("I cannot see the game's server.")
    try:
        member = await guild.fetch_member(user)
    except discord.NotFound as error:
        if error.code in UNKNOWN_MEMBER:
            return None
        raise
    place = guild.get_channel_or_thread(game.channel_id) or await bot.messages.channel(game.channel_id)
    players = {seat.user_id for seat in await bot.store.seats(game.id)}
    return member if user in players or await sees(place, member) else None


async def ended(bot: Bot, watch: Watch) -> None:
    """End a watch that can tell nobody any more, and say so, once, where its game is played."""
    if watch.channel_id:
        what = "The live board" if watch.kind == "board" else "The news of this game"
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


# What is shown


def follow_screen(game: str, seq: int, watch: Watch | None, *, here: bool) -> Screen:
    """What somebody follows, with what changes it; `here`: in this thread, otherwise by direct message."""
    screen = Screen(game=game, seq=seq)
    place = "here" if here else "by direct message"
    if watch is None:
        screen.text = f"**Follow this game?** You will be told {place} what happens, as often as you like."
        return screen.buttons(Button("Follow here" if here else "Follow by direct message", "follow|start", "success"))
    chosen = [one for one in EVENTS if one in watch.events.split(",")]
    who, told = ("This thread follows the game", "It is") if here else (f"You follow this game {place}", "You are")
    screen.text = f"**{who}**, {EVERY.get(watch.every, '')}. {told} told when:"
    screen.buttons(
        *(
            Button(f"✓ {name}", codes.join("follow", one), "primary")
            if one in chosen
            else Button(f"– {name}", codes.join("follow", one))
            for one, name in EVENTS.items()
        )
    )
    screen.select(
        "every", "How often…", [Option(name[0].upper() + name[1:], f"follow|{every}") for every, name in EVERY.items()]
    )
    return screen.buttons(Button("Stop following", "follow|stop", "danger"))


def digest_text(table: Table, watch: Watch) -> str | None:
    """What has happened for a follower since they were last told; None if nothing that they follow."""
    wanted = set(watch.events.split(","))
    moves = [one for one in table.moves if one.seq > watch.seq and not events_of(one).isdisjoint(wanted)]
    told = gathered(table.tell(moves))
    if "turn" in wanted and any(one.kind == "undo" and one.seq > watch.seq for one in table.entries):
        told = ["Some moves were taken back.", *told]
    if not told:
        return None
    hidden = len(told) - MOST_LINES
    lines = [f"### {table.title.name} in <#{table.game.channel_id}>"]
    lines += [f"- … {hidden} more in `/game history` there"] if hidden > 0 else []
    lines += [f"- {line}" for line in told[-MOST_LINES:]]
    if table.game.status == "running":
        lines.append(f"-# {round_label(table.title, table.position.state)} · waiting for {table.waits_for()}")
    return "\n".join(lines)


def digest_screen(text: str, game: Game, seq: int, link: str) -> Screen:
    screen = Screen(f"{text}\n-# {link}" if link else text, game=game.id, seq=seq)
    return screen if game.status == "abandoned" else screen.buttons(Button("What I follow…", "follow"))


async def board_screen(table: Table, link: str) -> Screen:
    """A live board: what a spectator sees of the game now."""
    position = table.position
    if position.over:
        screen = await final_screen(table, pings=False)
        screen.rows.clear()
    elif table.game.status == "abandoned":
        screen = Screen(NO_RESULT)
    else:
        last = story(table, table.moves[-LAST:])[-LAST:]
        lines = [f"### {position.table().round}", f"Waiting for {table.waits_for(task_of(position))}."]
        screen = Screen("\n".join([*lines, *(f"- {line}" for line in last)]))
        await pictures.add(
            screen,
            position.work,
            pictures.map_image(position),
            pictures.market_image(position),
            pictures.table_image(position),
        )
    screen.game, screen.seq = table.game.id, position.seq
    screen.text += f"\n\n-# Live board of game {table.game.id}" + (f" · {link}" if link else "")
    if table.game.status == "running":
        screen.buttons(Button("Follow", "follow"))
    screen.footer = where(position)
    return screen


log = logging.getLogger("tetsudo.watching")


async def _follow(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await follow(given.bot, given.interaction, given.game, "".join(given.parts))


class Watching(commands.Cog):
    @app_commands.command()
    async def follow(self, interaction: Interaction) -> None:
        """Be told what happens in this channel's game, by direct message or in a thread"""
        game = await _game_around(interaction)
        await follow(interaction.client, interaction, game.id)

    @app_commands.command()
    @app_commands.describe(
        game="Which game, by its id; in a thread, that of its channel", stop="End the live board here"
    )
    async def watch(self, interaction: Interaction, game: TEXT | None = None, stop: bool = False) -> None:
        """Make this channel or thread a live board of a game: one message, edited after each turn"""
        shown = await _game_around(interaction) if game is None else await _game_named(interaction, game)
        said = await watch(interaction, shown, stop)
        interaction.client.sender.wake()
        await show_privately(interaction, Screen(said))

    @watch.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        if not knows(interaction):
            return []
        stops = bool(getattr(interaction.namespace, "stop", False))
        games = await interaction.client.store.games_of_guild(interaction.guild_id or 0)
        mine = [one for one in games if await _may_watch(interaction, one, stops)]
        return matching([(game_label(one), one.id) for one in mine], current)


async def _may_watch(interaction: Interaction, game: Game, stops: bool) -> bool:
    """Whether the person may show the game on a live board in this channel, or end the one that there is."""
    bot, here, user = interaction.client, interaction.channel_id or 0, interaction.user.id
    allowed = game.channel_id != here and constitution.may("board", game, roles(interaction, game))
    if not allowed or not await may_see(bot, interaction, game):
        return False
    return stops == (await bot.store.watches.find(game.id, "board", user_id=user, channel_id=here) is not None)


async def _game_around(interaction: Interaction) -> Game:
    """The game of this channel, or of the channel that this thread belongs to. Raises NoGame."""
    tables, channel = interaction.client.tables, interaction.channel
    try:
        return await tables.game_in(interaction.channel_id or 0)
    except NoGame:
        if not isinstance(channel, discord.Thread) or channel.parent_id is None:
            raise
        return await tables.game_in(channel.parent_id)


async def _game_named(interaction: Interaction, text: str) -> Game:
    """The game of this server with the id. Raises TableError for one that the person does not see."""
    found = await interaction.client.store.game(game_named(text))
    if found.guild_id != interaction.guild_id or not await may_see(interaction.client, interaction, found):
        raise TableError(f"There is no game {found.id} on this server.")
    return found


async def _say_follow(bot: Bot, item: OutboxItem, told: FollowNotice) -> None:
    """Tell a follower, unless they no longer follow, or may not."""
    watch = await bot.store.watches.get(told.watch)
    place = None if watch is None else await place_of(bot, watch)
    if watch is None or place is None:
        if watch is not None:
            await bot.store.watches.stop(watch.id)
        await bot.store.outbox.drop(item, "nobody follows any more")
        return
    if await bot.messages.sent_before(item, place=place):
        return
    game = await bot.store.game(item.game)
    await bot.messages.post(item, digest_screen(told.text, game, item.seq, await link_to(bot, game)), [], place=place)


async def _say_board(bot: Bot, item: OutboxItem, board: BoardNotice) -> None:
    """Show the game as it is now on a live board: in the message that there is, or a new one."""
    store, messages = bot.store, bot.messages
    watch = await store.watches.get(board.watch)
    if watch is None:
        await store.outbox.drop(item, "the board has ended")
        return
    table = await bot.tables.get(item.game)
    screen = await board_screen(table, await link_to(bot, table.game))
    place = await messages.channel(watch.channel_id)
    known = watch.message_id
    if known is None and (earlier := await messages.earlier(item, place)) is not None:
        known = earlier.id
        await store.watches.shown(watch.id, known)
    if known is not None and await messages.edit(watch.channel_id, known, screen):
        await store.outbox.done(item)
        return
    message = await messages.send(place, screen, nonce=item.nonce)

    async def write() -> None:
        await store.watches.shown(watch.id, message.id)
        await store.outbox.done(item, message_id=message.id)

    await store.together(write)


async def _is_over(bot: Bot, watch: Watch, error: discord.HTTPException) -> bool:
    """Whether it can never be told: what may be wrong with the game's own channel ends no follow by direct message."""
    if not watch.channel_id:
        return closed(error)
    return isinstance(error, discord.Forbidden) or await channel_is_gone(bot, watch.channel_id)


async def _lost(bot: Bot, item: OutboxItem, error: discord.HTTPException) -> bool:
    """End a watch whose follower cannot be told, or whose board cannot be shown, any more; False if it can."""
    notice = read_notice(item.kind, item.body)
    watch = await bot.store.watches.get(notice.watch) if isinstance(notice, FollowNotice | BoardNotice) else None
    if watch is not None and not await _is_over(bot, watch, error):
        return False
    log.warning("a watch ends: %s", error.text, extra={"game": item.game, "seq": item.seq, "kind": item.kind})
    if watch is not None:
        await ended(bot, watch)
    await bot.store.outbox.drop(item, "nobody can be told")
    return True


ROOM = Room(
    presses={"follow": _follow},
    codes={"follow": r"(?:[a-z]{1,10}|\d{1,6})?"},
    says={FollowNotice: _say_follow, BoardNotice: _say_board},
    lost=_lost,
    due={"watches": tell},
)
