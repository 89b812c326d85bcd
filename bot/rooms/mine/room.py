"""What is a person's own, as the house finds it: /my, their cards, games, settings and notes.

`/turns` is the same as `/my games`.
"""

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import TEXT, Interaction, matching, table_here
from bot.chat.messages import link
from bot.chat.press import Form, Press, showing
from bot.chat.room import Room
from bot.chat.screen import MAX_TEXT, Screen
from bot.core import clockwork
from bot.core.clockwork import clock_lines
from bot.core.errors import TableError
from bot.core.hours import likely, local, zones
from bot.core.notices import LOBBY, turn_of
from bot.core.table import Table
from bot.rooms.mine import mine
from bot.rooms.page.room import TAKEN_BACK, Doors
from bot.rooms.programs.screen import programs_screen
from bot.rooms.time.rings import fitting
from bot.rooms.turn import cards
from bot.rooms.turn.screen import task_of
from engine.ids import PlayerId
from storage import Game

SPACE = MAX_TEXT - 100
"""Characters for the list of games, without what follows it."""
MOST_LETTERS = 1000
"""Of a note that a person writes down for themself in a game, which *My hand* shows; nobody else sees it."""
ALONE = "Only you see it, in My hand. Leave it empty to delete it."


@app_commands.guild_only()
class My(commands.GroupCog, group_name="my", group_description="Your cards, your games and your settings"):
    """The /my commands."""

    @app_commands.command()
    async def hand(self, interaction: Interaction) -> None:
        """Your own cards, and what only you may see"""
        await show_privately(interaction, await cards.hand_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def programs(self, interaction: Interaction) -> None:
        """What moves for you, known to you alone: buy, pass, bid, run a company"""
        await show_privately(interaction, programs_screen(*await _own_seat(interaction)))

    @app_commands.command()
    async def games(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)

    @app_commands.command()
    @app_commands.describe(zone="Your time zone, by the nearest large city")
    async def settings(self, interaction: Interaction, zone: TEXT | None = None) -> None:
        """Your time zone, quiet hours, where you are told, and when you are away"""
        await mine.settings(interaction, zone or "")

    @app_commands.command()
    @app_commands.describe(
        person="Whose pings to mute; leave out to mute this channel's game",
        off="Whether to lift the mute",
    )
    async def mute(self, interaction: Interaction, person: discord.Member | None = None, off: bool = False) -> None:
        """No more pings because of a person, or in this channel's game but for your turns"""
        if person is not None:
            await mine.mute_person(interaction, person.id, off)
        else:
            game = await interaction.client.tables.game_in(interaction.channel_id or 0)
            await mine.mute_game(interaction, game.id, off)

    @app_commands.command()
    @app_commands.describe(off="Take back all your links and close every board that is open as you")
    async def board(self, interaction: Interaction, off: bool = False) -> None:
        """A link to this channel's board, on which you see and play the game by touch"""
        doors = interaction.client.its(Doors)
        if off:
            await doors.close(interaction.user.id)
            await show_privately(interaction, Screen(TAKEN_BACK))
            return
        table = await table_here(interaction)
        await show_privately(interaction, await doors.screen(table.game.id, interaction.user.id))

    @settings.autocomplete("zone")
    async def _zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        now, wanted = interaction.client.clock(), current.strip().replace(" ", "_").casefold()
        fitting = [one for one in zones() if wanted in one.casefold()]
        if not wanted:
            fitting = [*filter(None, [likely(str(interaction.locale))]), *fitting]
        named = [(f"{one}, {local(one, now):%H:%M} now", one) for one in fitting[:100]]
        return matching(named, "")


async def _own_seat(interaction: Interaction) -> tuple[Table, PlayerId]:
    """The channel's table, and the person's seat there. Raises TableError."""
    table = await table_here(interaction)
    return table, cards.own_seat(table, interaction.user.id)


class Turns(commands.Cog):
    """/turns, which also works in direct messages."""

    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def turns(self, interaction: Interaction) -> None:
        """Your games everywhere, and which of them wait for you"""
        await _show_games(interaction)


async def _show_games(interaction: Interaction) -> None:
    """Show the person's games: first those that wait for them, the longest waiting first."""
    bot, user = interaction.client, interaction.user.id
    rows = [await _row(bot, game, user) for game in await bot.store.games_of_user(user)]
    waiting = [text for _, text in sorted((since, text) for since, text in rows if since)]
    others = [text for since, text in rows if not since]
    lines = ["**Your turn**", *waiting] if waiting else ["No game is waiting for you."]
    lines += ["**Other games**", *others] if others else []
    await show_privately(interaction, Screen("\n".join(fitting(lines, SPACE, "… and {} more"))))


async def _row(bot: Bot, game: Game, user: int) -> tuple[int, str]:
    """Since when the game waits for the person, 0 if it does not, and its line."""
    live = [one for one in await bot.store.messages.live(game.id) if turn_of(one.kind) or one.kind == LOBBY]
    place = f"- <#{game.channel_id}> ([message]({link(game, live[-1])}))" if live else f"- <#{game.channel_id}>"
    if game.status == "open":
        return 0, f"{place}: not started yet, created <t:{game.created_at}:R>"
    try:
        table = await bot.tables.get(game.id)
    except Exception as error:
        return 0, f"{place}: cannot be opened. {explain(error) or ''}"
    position, view = table.position, table.position.table()
    if (await clockwork.clock_of(bot.store, game.id)).archived is not None:
        return 0, f"{place}: {view.title}, archived, since nobody has moved for long"
    times = await bot.store.times(game.id, after=game.seq - 1)
    since = times.get(game.seq) or game.started_at or game.created_at
    clock, trouble = " ".join(await clock_lines(table)), bot.sender.trouble(game.id)
    asked = f"asked <t:{since}:R>{f'. {clock}' if clock else ''}"
    asked += f"\n  {trouble}" if trouble else ""
    if set(table.seats_of(user)) & set(table.awaited):
        return since, f"{place}: **{view.title}**, {view.round}: {task_of(position)}, {asked}"
    return 0, f"{place}: {view.title}, waiting for {table.waits_for()}, {asked}"


async def _note(given: Press) -> None:
    """Open the note as it is. Raises TableError for somebody without a seat."""
    seats = await given.bot.store.seats(given.game)
    if all(seat.user_id != given.user for seat in seats):
        raise TableError(cards.NO_HAND)
    form = Form("Your note", given.game, given.seq, "note")
    now = await given.bot.store.notes.of(given.game, given.user)
    form.text("note", "Your note", now, ALONE, most=MOST_LETTERS, long=True, required=False)
    await given.interaction.response.send_modal(form)


async def _noted(given: Press) -> Screen:
    """Keep what was written, and show it in the person's hand. Raises TableError for somebody without a seat."""
    table = await given.table()
    seat = cards.own_seat(table, given.user)
    await given.bot.store.notes.write(table.game.id, given.user, given.fields.get("note", "").strip())
    return await cards.hand_screen(table, seat)


ROOM = Room(
    presses={"mine": mine.pressed, "note": _note},
    forms={"mine": mine.submitted, "note": showing(_noted)},
    acted=mine.moved_while_away,
    cogs=(My, Turns),
)
