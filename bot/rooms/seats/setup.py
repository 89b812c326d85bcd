"""/game create, join, leave, start, settings, end, status and move: what sets up a table, rather than plays at it."""

import json
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands

import engine
from bot.chat.answers import show_privately, tell
from bot.chat.commands import (
    LONG_TEXT,
    NAMES,
    PACES,
    TEXT,
    Interaction,
    folded,
    game_label,
    game_named,
    matching,
    must_have_local_names,
    offered,
    or_nothing,
    table_here,
    title_named,
    titles_matching,
)
from bot.chat.rights import knows, must_be_able_to_post, roles, seems_gone
from bot.chat.screen import Screen
from bot.core import clockwork, constitution
from bot.core.errors import OVER, TableError, Unreadable
from bot.core.notices import LobbyNotice, queued, say_notice
from bot.core.opponents import ABOUT
from bot.core.pace import chosen
from bot.core.table_settings import LASTING, TERMS, Newcomers, TableSettings, UndoRule, title_of
from bot.rooms.past.history import final_screen
from bot.rooms.seats import agreeing, lobby, posts
from bot.rooms.seats.options import (
    host_must_not_see,
    must_have_room,
    option_name,
    options_beside,
    options_typed,
    read_options,
    rules_lines,
    without_rule,
)
from bot.rooms.turn import screen as turn
from bot.rooms.turn.shown import plain_screen
from opponents import LEVELS, Level
from storage import Game
from storage.shapes import UNFINISHED

MOST_OPPONENTS = 6
UNDO_ABOUT = "Who may undo the last move"
UNDO = [
    app_commands.Choice(name="whoever made it; beyond that, the others are asked", value="own"),
    app_commands.Choice(name="every player", value="anyone"),
]
STARTS = [
    app_commands.Choice(name="its host", value="by_host"),
    app_commands.Choice(name="the bot, once all seats are taken", value="when_full"),
]
SUGGEST_ABOUT = "Whether people may ask the bot what it would do"
NEWCOMERS: dict[Newcomers, str] = {
    "anybody": "anybody on this server",
    "vote": "whoever a majority of the players accepts",
}


class SetupCommands(commands.Cog):
    @app_commands.command()
    @app_commands.describe(
        title="Which game to play",
        options="Which rules: choose from the list, with commas between several",
        host_acts="Whether the host may act for other players (the log says when)",
        undo=UNDO_ABOUT,
        teaching="Explain each kind of decision to a player the first time it comes up",
        pace="How much time the players have; /pace offers more",
        rated="Whether the result counts in the server's table of ratings",
        opponents="How many opponents the bot plays; the lobby can seat others",
        level="How well they play",
        suggest=SUGGEST_ABOUT,
        players="How many seats there are, opponents included; otherwise as many as the title takes",
        start="Who starts the game",
        thread="Open a thread for the game in this channel, or a post with tags in this forum",
    )
    @app_commands.choices(
        undo=UNDO,
        pace=PACES,
        start=STARTS,
        level=[app_commands.Choice(name=f"{level}: {ABOUT[level]}", value=level) for level in LEVELS],
    )
    @app_commands.autocomplete(title=titles_matching)
    async def create(
        self,
        interaction: Interaction,
        title: TEXT,
        options: LONG_TEXT = "",
        host_acts: bool = False,
        undo: str = "own",
        teaching: bool = False,
        pace: str = "none",
        rated: bool = False,
        opponents: app_commands.Range[int, 0, MOST_OPPONENTS] = 0,
        level: str = "regular",
        suggest: bool = True,
        players: app_commands.Range[int, 2, MOST_OPPONENTS + 1] = 0,
        start: str = "by_host",
        thread: app_commands.Transform[posts.ParentChannel, posts.Parent] | None = None,
    ) -> None:
        """Create a game in this channel, or in a thread of its own"""
        title = title_named(title)
        picked = read_options(title, options)
        if host_acts:
            host_must_not_see(title, picked)
        must_have_room(title, picked, opponents, players)
        if thread is None:
            await must_be_able_to_post(interaction)
        whose: UndoRule = "anyone" if undo == "anyone" else "own"
        settings = TableSettings(
            host_acts=host_acts, undo=whose, teaching=teaching, rated=rated, pace=chosen(pace), suggest=suggest,
            players=players, start="when_full" if start == "when_full" else "by_host",
        )  # fmt: skip
        levels = [cast(Level, level)] * opponents
        made = None if thread is None else await posts.opened(interaction, thread, engine.TITLES[title].name)
        game = await lobby.create(interaction, title, json.dumps(picked), settings, levels, made)
        await lobby.when_full(interaction, game.id)  # first, as the answer may not come through
        told = "✓ Game created: others can join below." if made is None else f"✓ Game created: <#{made.id}>"
        await show_privately(interaction, Screen(told))

    @create.autocomplete("options")
    @or_nothing
    async def _options(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        recipe = engine.TITLES[title_named(str(getattr(interaction.namespace, "title", "") or ""))]
        *words, last = [*options_typed(recipe, current), *([""] if current.strip()[-1:] in ("", ",") else [])]
        before = [word for word in words if word in recipe.options or word in recipe.presets]
        said = [option_name(recipe, option) for option in before]
        about = {word: preset.about for word, preset in recipe.presets.items() if not before}
        about |= {one: without_rule(recipe.options[one]) for one in options_beside(recipe, before)}
        named = [
            (", ".join([*said, f"{option_name(recipe, one)}: {text}"]), ", ".join([*before, one]))
            for one, text in about.items()
            if last in f"{one} {folded(text)}"
        ]
        return offered(named)

    @app_commands.command()
    async def join(self, interaction: Interaction) -> None:
        """Join this channel's game"""
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        await lobby.join(bot, game, interaction)
        await lobby.redraw_lobby(bot, game.id)
        await tell(interaction, "✓ You have joined.")

    @app_commands.command()
    async def leave(self, interaction: Interaction) -> None:
        """Leave this channel's game, after asking once more; in a running game your seat is open then"""
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        await show_privately(interaction, await lobby.leaving(interaction.client, game.id, interaction.user.id))

    @app_commands.command()
    async def start(self, interaction: Interaction) -> None:
        """Start this channel's game"""
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        if game.status != "open":
            raise TableError("This channel's game has already started.")
        lobby.must_prepare("start", game, interaction.user.id)
        await must_be_able_to_post(interaction)
        await lobby.start(bot.store, game, interaction.user.id, interaction.id)
        bot.advance(game.id)
        bot.sender.witnessed(game.id, interaction)
        await lobby.redraw_lobby(bot, game.id)
        await tell(interaction, "✓ The game has started.", game.id)

    @app_commands.command()
    @app_commands.describe(
        undo=UNDO_ABOUT,
        host="Make another player the host",
        names="Place names on maps",
        newcomers="Who may take an open seat",
        suggest=SUGGEST_ABOUT,
    )
    @app_commands.choices(
        undo=UNDO,
        names=NAMES,
        newcomers=[app_commands.Choice(name=name, value=value) for value, name in NEWCOMERS.items()],
    )
    async def settings(
        self,
        interaction: Interaction,
        undo: str | None = None,
        host: discord.Member | None = None,
        names: str | None = None,
        newcomers: str | None = None,
        suggest: bool | None = None,
    ) -> None:
        """Show the game's settings; change them as the host before the start, together with everybody afterwards"""
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        given: dict[str, Any] = {"undo": undo, "newcomers": newcomers, "suggest": suggest, "names": names}
        given["host"] = None if host is None else host.id
        wanted = {name: value for name, value in given.items() if value is not None}
        if not wanted:
            await show_privately(interaction, Screen(_settings_of(game)))
            return
        if names == "local":
            must_have_local_names(title_of(game))
        await bot.present.forget_gone(game.id, "vote:settings")
        await tell(interaction, await agreeing.change(bot, game, interaction.user.id, wanted, interaction.id), game.id)

    @app_commands.command()
    @app_commands.describe(
        agree="Whether you agree to end it now",
        at_once="End it without a vote; for moderators, who may manage this channel or the server",
    )
    async def end(self, interaction: Interaction, agree: bool = True, at_once: bool = False) -> None:
        """Agree to end the game now, or cancel one that has not started"""
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if game.status == "finished":
            raise TableError(OVER)
        if game.status == "open":
            if not agree:
                raise TableError("This game has not started, so nobody has proposed to end it.")
            await tell(interaction, await agreeing.cancel(interaction, game), game.id)
        else:
            await tell(interaction, await _end(interaction, game, agree, at_once), game.id)

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Who must decide, and where the game stands"""
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        if game.status == "open":
            await show_privately(
                interaction, lobby.lobby_screen(game, await bot.store.seats(game.id), interaction.user.id)
            )
            return
        table = await table_here(interaction)
        if table.position.over:
            await show_privately(interaction, await final_screen(table, reader=interaction.user.id))
            return
        if table.change is not None:
            await show_privately(interaction, await turn.waiting_screen(table, table.change.sentence))
            return
        story = await bot.work.do(turn.whole_story, table) if table.past else turn.story(table, table.moves[-3:])
        lines = [
            f"The game is waiting for {table.waits_for(turn.asked_line(table.position))}.",
            *(f"- {line}" for line in story[-6:]),
        ]
        lines += ["", *await clockwork.status_lines(table)]
        lines += filter(None, [bot.sender.trouble(game.id)])
        await show_privately(interaction, plain_screen(table, "\n".join(lines)))
        await bot.present.look(game.id)

    @app_commands.command()
    @app_commands.describe(game="The game's id, at the bottom of its first message")
    async def move(self, interaction: Interaction, game: TEXT) -> None:
        """Move a game of this server to this channel"""
        bot = interaction.client
        moved = await bot.store.game(game_named(game))
        if moved.guild_id != interaction.guild_id or moved.status == "abandoned":
            raise TableError(f"There is no game {moved.id} on this server.")
        if moved.channel_id == interaction.channel_id:
            raise TableError("This game is here already.")
        if not await _may_move(interaction, moved):
            raise TableError(constitution.CONSTITUTION["move"][0].refusal)
        await must_be_able_to_post(interaction)
        await tell(interaction, await _move(interaction, moved), moved.id)

    @move.autocomplete("game")
    @or_nothing
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        store, here = interaction.client.store, interaction.channel_id or 0
        played = await store.game_in_channel(here)
        if not knows(interaction) or (played is not None and played.status in UNFINISHED):
            return []
        games = [one for one in await store.games_of_guild(interaction.guild_id or 0) if one.channel_id != here]
        mine = [one for one in games if await _may_move(interaction, one)]
        return matching([(game_label(one), one.id) for one in mine], current)


async def _end(interaction: Interaction, game: Game, agree: bool, at_once: bool) -> str:
    try:
        table = await interaction.client.tables.get(game.id)
    except Unreadable as error:
        if not agree:
            raise
        return await agreeing.end_unread(interaction, game, error)
    if at_once:
        return await agreeing.end_as_moderator(interaction, table)
    await interaction.client.present.forget_gone(game.id, "vote:end")
    return await agreeing.vote_to_end(table, interaction.user.id, agree, interaction.id)


def _settings_of(game: Game) -> str:
    settings = TableSettings.read(game.settings)
    return "\n".join(
        [
            f"Host: <@{game.host_id}>",
            f"Undo: {TERMS['undo'][settings.undo]}",
            f"Host acts for others: {'yes' if settings.host_acts else 'no'} (fixed when the game was created)",
            f"Teaching game: {'yes' if settings.teaching else 'no'}",
            f"{agreeing.NAMED[settings.names]}",
            f"Suggestions of the bot: {'for everybody' if settings.suggest else 'for nobody'}",
            f"Open seats: for {NEWCOMERS[settings.newcomers]}",
            LASTING,
            *rules_lines(engine.TITLES[game.title], json.loads(game.options)),
            f"Game id: {game.id}",
        ]
    )


async def _may_move(interaction: Interaction, game: Game) -> bool:
    if constitution.may("move", game, roles(interaction, game)):
        return True
    seats = await interaction.client.store.seats(game.id)
    return any(seat.user_id == interaction.user.id for seat in seats) and await seems_gone(interaction.client, game)


async def _move(interaction: Interaction, game: Game) -> str:
    """Give the game this channel, and say so in it, with its turn; what to tell the person. Raises ChannelTaken."""
    store, told = interaction.client.store, "✓ The game continues here."
    notices = [say_notice(f"<@{interaction.user.id}> moved the game here from <#{game.channel_id}>.")]
    if game.status == "open":
        notices.append(queued(LobbyNotice()))
    else:
        try:
            table = await interaction.client.tables.get(game.id)
            notices.append(table.shown())
            game = table.game
            notices += await interaction.client.present.questions(table)
        except Unreadable as error:
            told = f"✓ The game has moved here. {error}"
    await store.change_game(
        game.id,
        channel_id=interaction.channel_id,
        expected_version=game.version,
        interaction_id=interaction.id,
        notices=notices,
    )
    interaction.client.sender.moved(game.id)
    await posts.follow(interaction.client, game, interaction.channel, opened=False)
    return told
