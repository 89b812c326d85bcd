"""/game: making a game, sitting down, looking at it, taking back, ending. Split over two classes for length."""

from __future__ import annotations

import io
import json
import re

import discord
from discord import app_commands
from discord.ext import commands

import engine
from bot import exchange, lobby
from bot.client import Bot
from bot.commands.common import NAMES, Interaction, matching, must_have_local_names, table_here
from bot.commands.look import Look
from bot.commands.move import Move
from bot.components import acknowledge, show_privately, view
from bot.errors import TableError
from bot.lexicon import listed, shorten
from bot.parts import Screen
from bot.presses import join, vote_to_end
from storage import ChannelTaken

HELP = """### How to play
Everything can be done with the buttons of the newest message; it pings whoever must decide.
- `/game create` makes a game in this channel, **Join** and **Start** begin it.
- **My hand** shows your cards, what only you may see, and lets you pass ahead.
- `/lay`, `/token`, `/run`, `/dividend`, `/train`, `/stock`, `/bid`, `/private` and `/pass` do the same by typing.
- `/game status`, `map`, `market`, `table`, `company`, `player`, `tiles`, `trains`, `history` show the game.
- `/game undo` takes back the last move, `/game redo` brings it back.
- `/turns` lists the games that wait for you, in every server.
"""
TAKEN = "This channel already has a game. Each channel or thread holds one: create a thread for another."
NO_PINGS = discord.AllowedMentions.none()


class Setup(commands.Cog):
    """The commands that change a table rather than play."""

    @app_commands.command(description="Create a game in this channel")
    @app_commands.describe(
        title="Which game",
        options="Its options, separated by commas",
        host_acts="Whether the host may act for other players (the log says so)",
        undo="Who may take back the last move",
    )
    @app_commands.choices(
        undo=[
            app_commands.Choice(name="whoever made it, and the host", value="own"),
            app_commands.Choice(name="every player", value="anyone"),
        ]
    )
    async def create(
        self, interaction: Interaction, title: str, options: str = "", host_acts: bool = False, undo: str = "own"
    ) -> None:
        bot = interaction.client
        chosen = lobby.read_options(title, options)
        if host_acts:
            lobby.host_must_not_see(title, chosen)
        _must_be_able_to_post(interaction)
        await _must_be_free(interaction)
        settings = {"host_acts": host_acts, "undo": undo, "seats": "random"}
        await interaction.response.defer(thinking=True)
        try:
            game = await bot.store.create_game(
                channel_id=interaction.channel_id or 0,
                guild_id=interaction.guild_id,
                host_id=interaction.user.id,
                title=title,
                options=json.dumps(chosen),
                settings=json.dumps(settings),
                interaction_id=interaction.id,
            )
        except ChannelTaken as error:
            await interaction.delete_original_response()
            raise TableError(TAKEN) from error
        await join(bot, game.id, interaction, once=False)
        screen = lobby.lobby_screen(game, await bot.store.seats(game.id))
        message = await interaction.followup.send(view=view(screen), allowed_mentions=NO_PINGS, wait=True)
        await bot.store.messages.add(game.id, 0, "lobby", message.channel.id, message.id)

    @create.autocomplete("title")
    async def _titles(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        named = [
            (f"{entry.name} ({entry.players[0]}-{entry.players[-1]} players)", key)
            for key, entry in sorted(engine.TITLES.items())
        ]
        return matching(named, current)

    @create.autocomplete("options")
    async def _options(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        entry = engine.TITLES.get(str(getattr(interaction.namespace, "title", "") or ""))
        if entry is None:
            return []
        words = re.split(r"[\s,]+", current.strip())
        before = [word for word in words[:-1] if word in entry.options]
        said = [lobby.option_name(entry, option) for option in before]
        named = [
            (
                ", ".join([*said, f"{lobby.option_name(entry, option)}: {lobby.without_rule(entry.options[option])}"]),
                ", ".join([*before, option]),
            )
            for option in lobby.options_beside(entry, before)
            if words[-1].casefold() in f"{option} {entry.options[option].casefold()}"
        ]
        return [app_commands.Choice(name=shorten(name, 100), value=value) for name, value in named[:25]]

    @app_commands.command(description="Join the game of this channel")
    async def join(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        await join(interaction.client, game.id, interaction)
        await _redraw(interaction, game.id)
        await show_privately(interaction, Screen("✓ You have joined."))

    @app_commands.command(description="Leave a game that has not begun")
    async def leave(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        await interaction.client.store.leave(game.id, interaction.user.id, interaction_id=interaction.id)
        await _redraw(interaction, game.id)
        await show_privately(interaction, Screen("✓ You have left."))

    @app_commands.command(description="How people are seated: drawn, as joined, or as you say")
    @app_commands.describe(order="How", players="For “chosen”: mention the players in seat order")
    @app_commands.choices(order=[app_commands.Choice(name=name, value=name) for name in lobby.ORDERS])
    async def seats(self, interaction: Interaction, order: str, players: str = "") -> None:
        await acknowledge(interaction, shows=True)
        store = interaction.client.store
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if interaction.user.id != game.host_id or game.status != "open":
            raise TableError("Only the host can choose the seat order, before the game begins.")
        settings = json.loads(game.settings) | {"seats": order}
        if order == "chosen":
            wanted = [int(number) for number in re.findall(r"<@!?(\d+)>", players)]
            joined = {seat.user_id for seat in await store.seats(game.id)}
            if set(wanted) != joined or len(wanted) != len(joined):
                raise TableError("Mention every player who has joined, once each, in seat order.")
            settings["order"] = wanted
        await store.change_game(game.id, settings=json.dumps(settings))
        await _redraw(interaction, game.id)
        await show_privately(interaction, Screen(f"✓ Seat order: {order}."))

    @app_commands.command(description="Start the game of this channel")
    async def start(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        if game.status != "open":
            raise TableError("The game of this channel has begun already.")
        await lobby.start(bot.store, game, interaction.user.id, interaction.id)
        bot.herald.wake()
        await _redraw(interaction, game.id)
        await show_privately(interaction, Screen("✓ The game begins."))

    @app_commands.command(description="Settings of the game, for its host")
    @app_commands.describe(
        undo="Who may take back the last move",
        host="Make another player the host",
        names="Place names in the maps",
    )
    @app_commands.choices(
        undo=[
            app_commands.Choice(name="whoever made it, and the host", value="own"),
            app_commands.Choice(name="every player", value="anyone"),
        ],
        names=NAMES,
    )
    async def settings(
        self,
        interaction: Interaction,
        undo: str | None = None,
        host: discord.Member | None = None,
        names: str | None = None,
    ) -> None:
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        settings = json.loads(game.settings)
        if undo is None and host is None and names is None:
            rows = [f"Host: <@{game.host_id}>", f"Undo: {settings.get('undo', 'own')}"]
            rows += [f"Host acts for others: {'yes' if settings.get('host_acts') else 'no'} (settled at creation)"]
            rows += [f"Place names in maps: {settings.get('names', 'english')}"]
            rows += [f"Options: {', '.join(json.loads(game.options)) or 'none'}", f"Game id: {game.id}"]
            await show_privately(interaction, Screen("\n".join(rows)))
            return
        if interaction.user.id != game.host_id:
            raise TableError("Only the host can change the settings.")
        if host is not None and host.id not in {seat.user_id for seat in await bot.store.seats(game.id)}:
            raise TableError("The new host must be a player of this game.")
        if undo is not None:
            settings["undo"] = undo
        if names is not None:
            if names == "local":
                must_have_local_names(lobby.title_of(game))
            settings["names"] = names
        await bot.store.change_game(game.id, settings=json.dumps(settings), host_id=None if host is None else host.id)
        bot.tables.forget(game.id)
        await show_privately(interaction, Screen("✓ Changed."))

    @app_commands.command(description="End the game now, if everybody agrees; the host may drop one that has not begun")
    @app_commands.describe(agree="Whether you agree to stop now")
    async def end(self, interaction: Interaction, agree: bool = True) -> None:
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        game = await bot.tables.game_in(interaction.channel_id or 0)
        if game.status == "open":
            if interaction.user.id != game.host_id:
                raise TableError("Only the host can drop a game that has not begun. You can `/game leave`.")
            await bot.store.set_status(game.id, "abandoned", interaction_id=interaction.id)
            await _redraw(interaction, game.id)
            await show_privately(interaction, Screen("✓ The game is dropped."))
            return
        table = await bot.tables.get(game.id)
        text = await vote_to_end(bot, table, interaction.user.id, agree, interaction.id)
        await show_privately(interaction, Screen(text))

    @app_commands.command(description="Take back the last move")
    async def undo(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        await table.undo(user=interaction.user.id, interaction=interaction.id)
        interaction.client.herald.wake()
        await show_privately(interaction, Screen("✓ Taken back. `/game redo` brings it back."))

    @app_commands.command(description="Bring back what was taken back last")
    async def redo(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        await table.redo(user=interaction.user.id, interaction=interaction.id)
        interaction.client.herald.wake()
        await show_privately(interaction, Screen("✓ Brought back."))

    @app_commands.command(description="Export the game as a file that 18xx.games reads")
    async def export(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        text = await interaction.client.work.do(exchange.record_of, table)
        file = discord.File(io.BytesIO(text.encode()), f"{table.game.title}-{table.game.id}.json")
        await interaction.followup.send("The game so far.", file=file, ephemeral=True)

    @app_commands.command(name="import", description="Carry a game over from a file of 18xx.games")
    @app_commands.describe(file="The game's JSON file", players="Mention the players, in the order of the file")
    async def import_(self, interaction: Interaction, file: discord.Attachment, players: str) -> None:
        _must_be_able_to_post(interaction)
        await acknowledge(interaction, shows=True)
        bot = interaction.client
        data = await exchange.fetch(file)
        played = await bot.work.do(exchange.replay, data)
        users = [int(number) for number in re.findall(r"<@!?(\d+)>", players)]
        channel, guild, host = interaction.channel_id or 0, interaction.guild_id, interaction.user.id
        try:
            await exchange.bring_in(bot.store, played, users, channel=channel, guild=guild, host=host)
        except ChannelTaken as error:
            raise TableError(TAKEN) from error
        bot.herald.wake()
        await show_privately(interaction, Screen(f"✓ Imported, with {len(played.actions)} actions."))

    @app_commands.command(description="How to play with this bot")
    async def help(self, interaction: Interaction) -> None:
        titles = listed(f"{entry.name}" for entry in engine.TITLES.values())
        await show_privately(interaction, Screen(f"{HELP}\nGames: {titles}."))


def _must_be_able_to_post(interaction: Interaction) -> None:
    """Games are announced by messages of the bot's own, so it needs the right to post here."""
    allowed = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    wanted = {
        "View Channel": allowed.view_channel,
        "Send Messages in Threads" if in_thread else "Send Messages": (
            allowed.send_messages_in_threads if in_thread else allowed.send_messages
        ),
        "Embed Links": allowed.embed_links,
        "Attach Files": allowed.attach_files,
    }
    missing = [name for name, has in wanted.items() if not has]
    if missing:
        raise TableError(
            f"I cannot hold a game in this channel: I lack the permission {listed(missing)}. "
            "Ask whoever looks after the server to allow it for me, or choose another channel."
        )


async def _must_be_free(interaction: Interaction) -> None:
    """Say so before anything is posted where the channel has a game that is not over."""
    game = await interaction.client.store.game_in_channel(interaction.channel_id or 0)
    if game is not None and game.status in ("open", "running"):
        raise TableError(TAKEN)


async def _redraw(interaction: Interaction, game_id: str) -> None:
    """Show who has joined on the message that announced the game."""
    bot = interaction.client
    game = await bot.store.game(game_id)
    screen = lobby.lobby_screen(game, await bot.store.seats(game_id))
    for message in await bot.store.messages.live(game_id):
        if message.kind == "lobby":
            try:
                channel = await bot.herald.channel(message.channel_id)
                await channel.get_partial_message(message.message_id).edit(view=view(screen), allowed_mentions=NO_PINGS)
            except discord.HTTPException:
                return


@app_commands.guild_only()
class GameCommands(
    Setup, Move, Look, commands.GroupCog, group_name="game", group_description="Create, join and look at games"
):
    """All of /game."""


async def setup(bot: Bot) -> None:
    await bot.add_cog(GameCommands())
