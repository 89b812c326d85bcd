"""Watching from outside the table: /game follow and /game watch, and what is said to those who watch."""

import logging

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, matching
from bot.chat.press import Press
from bot.chat.rights import channel_is_gone, knows
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core.errors import NoGame, TableError
from bot.core.notices import BoardNotice, FollowNotice, read_notice
from bot.core.settings import title_of
from bot.rooms.watching import watching
from bot.rooms.watching.watching import board_screen, digest_screen
from storage import Game, OutboxItem

log = logging.getLogger("tetsudo.watching")


async def _follow(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await watching.follow(given.bot, given.interaction, given.game, "".join(given.parts))


class Watching(commands.Cog):
    """Following games, and live boards."""

    @app_commands.command()
    async def follow(self, interaction: Interaction) -> None:
        """Be told what happens in this channel's game, by direct message or in a thread"""
        game = await _game_around(interaction)
        await watching.follow(interaction.client, interaction, game.id)

    @app_commands.command()
    @app_commands.describe(
        game="Which game, by its id; in a thread, that of its channel", stop="End the live board here"
    )
    async def watch(self, interaction: Interaction, game: TEXT | None = None, stop: bool = False) -> None:
        """Make this channel or thread a live board of a game: one message, edited after each turn"""
        shown = await _game_around(interaction) if game is None else await _game_named(interaction, game)
        said = await watching.watch(interaction, shown, stop)
        interaction.client.sender.wake()
        await show_privately(interaction, Screen(said))

    @watch.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        if not knows(interaction):
            return []
        games = await interaction.client.store.games_of_guild(interaction.guild_id or 0, "running")
        mine = [one for one in games if await watching.may_see(interaction.client, interaction, one)]
        return matching([(f"{title_of(one).name}, game {one.id}", one.id) for one in mine], current)


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
    found = await interaction.client.store.game(text.strip().lower())
    if found.guild_id != interaction.guild_id or not await watching.may_see(interaction.client, interaction, found):
        raise TableError(f"There is no game {found.id} on this server.")
    return found


async def _say_follow(bot: Bot, item: OutboxItem, told: FollowNotice) -> None:
    """Tell a follower, unless they no longer follow, or may not."""
    watch = await bot.store.watches.get(told.watch)
    place = None if watch is None else await watching.place_of(bot, watch)
    if watch is None or place is None:
        if watch is not None:
            await bot.store.watches.stop(watch.id)
        await bot.store.outbox.drop(item, "nobody follows any more")
        return
    if await bot.messages.sent_before(item, place=place):
        return
    link = await watching.link_to(bot, await bot.store.game(item.game))
    await bot.messages.post(item, digest_screen(told.text, item.game, item.seq, link), [], place=place)


async def _say_board(bot: Bot, item: OutboxItem, board: BoardNotice) -> None:
    """Show the game as it is now on a live board: in the message that there is, or a new one."""
    store, messages = bot.store, bot.messages
    watch = await store.watches.get(board.watch)
    if watch is None:
        await store.outbox.drop(item, "the board has ended")
        return
    table = await bot.tables.get(item.game)
    screen = await board_screen(table, await watching.link_to(bot, table.game))
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


async def _lost(bot: Bot, item: OutboxItem, error: discord.HTTPException) -> bool:
    """End a watch whose follower cannot be told, or whose board cannot be shown, any more; False if it can."""
    notice = read_notice(item.kind, item.body)
    watch = await bot.store.watches.get(notice.watch) if isinstance(notice, FollowNotice | BoardNotice) else None
    place = 0 if watch is None else watch.channel_id  # 0: direct messages
    if not isinstance(error, discord.Forbidden) and not await channel_is_gone(bot, place):
        return False
    log.warning("a watch ends: %s", error.text, extra={"game": item.game, "seq": item.seq, "kind": item.kind})
    if watch is not None:
        await watching.ended(bot, watch)
    await bot.store.outbox.drop(item, "nobody can be told")
    return True


ROOM = Room(
    presses={"follow": _follow},
    says={FollowNotice: _say_follow, BoardNotice: _say_board},
    lost=_lost,
    due={"watches": watching.tell},
)
