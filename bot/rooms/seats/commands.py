"""/seat: who sits where, and seats that change hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import LONG_TEXT, Interaction, matching, mentioned, table_here
from bot.chat.layout import shorten
from bot.chat.screen import Screen
from bot.core import constitution
from bot.core.errors import TableError
from bot.core.opponents import is_person
from bot.core.settings import SEAT_ORDERS, TableSettings
from bot.core.table import Table
from bot.rooms.seats import handing as seats
from bot.rooms.seats import seating
from bot.rooms.seats.joining import redraw_lobby
from bot.rooms.seats.screen import seats_screen
from bot.words.lexicon import clean_name, listed
from storage.shapes import ProposalKind

DAYS = app_commands.Range[int, 1, seats.LONGEST_LOAN]


@app_commands.guild_only()
class SeatsCommands(commands.GroupCog, group_name="seat", group_description="Who sits where"):
    """The /seat commands."""

    @app_commands.command()
    @app_commands.describe(how="The seat order", players="For “chosen”: mention the players in seat order")
    @app_commands.choices(how=[app_commands.Choice(name=name, value=name) for name in SEAT_ORDERS])
    async def order(self, interaction: Interaction, how: str, players: LONG_TEXT = "") -> None:
        """Choose how people are seated: at random, as they joined, or in your order"""
        await acknowledge(interaction, shows=True)
        store = interaction.client.store
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        constitution.must("order", game, constitution.roles_of(interaction.user.id, game))
        if TableSettings.read(game.settings).invited:
            raise TableError("The seats of an imported game are those of its record.")
        chosen = next((one for one in SEAT_ORDERS if one == how), None)
        if chosen is None:
            raise TableError(f"“{shorten(how, 60)}” is no seat order. Possible: {', '.join(SEAT_ORDERS)}.")
        settings = replace(TableSettings.read(game.settings), seats=chosen)
        if how == "chosen":
            wanted = mentioned(players)
            joined = {seat.user_id for seat in await store.seats(game.id) if is_person(seat.user_id)}
            if set(wanted) != joined or len(wanted) != len(joined):
                raise TableError("Mention everyone who has joined, once each, in seat order. Opponents sit after you.")
            settings = replace(settings, order=tuple(wanted))
        await store.change_game(game.id, settings=settings.text())
        await redraw_lobby(interaction.client, game.id)
        await show_privately(interaction, Screen(f"✓ Seat order: {how}."))

    @app_commands.command()
    @app_commands.describe(user="Who plays for you", days="For how long", seat="Which seat, if you have several")
    async def lend(self, interaction: Interaction, user: discord.Member, days: DAYS, seat: str | None = None) -> None:
        """Let somebody play for you for some days; your seat comes back by itself"""
        await _offer(interaction, "lend", user, days, seat)

    @app_commands.command()
    @app_commands.describe(user="Who goes on", seat="Which seat, if you have several")
    async def give(self, interaction: Interaction, user: discord.Member, seat: str | None = None) -> None:
        """Give your seat to somebody for the rest of the game"""
        await _offer(interaction, "give", user, 0, seat)

    @app_commands.command()
    @app_commands.describe(seat="Whose seat: one that is open, offered to you, lent by you, or that was yours")
    async def take(self, interaction: Interaction, seat: str | None = None) -> None:
        """Take a seat that is open or offered to you, or take back one that you have lent or lost"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        possible = await seats.takeable(table, interaction.user.id)
        chosen = _seat_named(table, seat, possible)
        if chosen is None:
            raise TableError(
                "There is no seat for you to take: none is open, offered to you, lent by you, or was yours lately."
                if not possible
                else f"Whose seat? You can take that of {listed(table.names[one] for one in possible)}."
            )
        await seating.take(interaction.client, interaction, table, chosen)

    @app_commands.command(name="open")
    @app_commands.describe(player="Whose seat")
    async def open_(self, interaction: Interaction, player: discord.Member) -> None:
        """Open the seat of somebody who is absent, as the host or by a majority of the others"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        await seating.open_seat(interaction.client, interaction, table, next(iter(table.seats_of(player.id)), ""))

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        """Who sits where, and which seats are open, lent or offered"""
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, seats_screen(await table_here(interaction)))

    @take.autocomplete("seat")
    async def _takeable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await _table_quietly(interaction)
        possible = [] if table is None else await seats.takeable(table, interaction.user.id)
        return [] if table is None else matching([(table.names[seat], seat) for seat in possible], current)

    @lend.autocomplete("seat")
    @give.autocomplete("seat")
    async def _own(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await _table_quietly(interaction)
        own = [] if table is None else table.seats_of(interaction.user.id)
        return [] if table is None else matching([(table.names[seat], seat) for seat in own], current)


async def _offer(
    interaction: Interaction, kind: ProposalKind, member: discord.Member, days: int, seat: str | None
) -> None:
    """Offer a seat of one's own to somebody of this server."""
    await acknowledge(interaction, shows=True)
    bot, user = interaction.client, interaction.user.id
    table = await table_here(interaction)
    if member.bot:
        raise TableError("Bots cannot take seats.")
    own = seats.own_seat(table, user)
    chosen = own if seat is None else _seat_named(table, seat, table.seats_of(user))
    if chosen is None:
        raise TableError("That is no seat of yours.")
    name = clean_name(member.display_name, member.name)
    said = await seats.offer(table, user, chosen, kind, member.id, name, days, interaction.id)
    bot.sender.wake()
    await show_privately(interaction, Screen(said))


def _seat_named(table: Table, text: str | None, possible: Sequence[str]) -> str | None:
    """The one of the possible seats that is meant, by its number or its player's name; None if that is not clear."""
    if text is None:
        return possible[0] if len(possible) == 1 else None
    wanted = text.strip().casefold()
    return next((one for one in possible if wanted in (one, table.names[one].casefold())), None)


async def _table_quietly(interaction: Interaction) -> Table | None:
    """The channel's game for autocomplete, which has no answer but choices; None if there is none."""
    try:
        return await table_here(interaction)
    except Exception:
        return None
