"""/bid, and /do for anything else that the turn offers."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

import engine
from bot.chat import codes
from bot.chat.answers import acknowledge
from bot.chat.commands import AMOUNT, TEXT, Interaction, legal_here, matching, moves_named, table_here
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.turn.act import act
from bot.rooms.turn.typed import no_match, submit
from engine import actions as a
from engine.actions import Action
from engine.ids import PlayerId, PrivateId


class TurnCommands(commands.Cog):
    """Bids, and whatever else there is to do."""

    @app_commands.command()
    @app_commands.describe(amount="Your bid", private="The private you bid on, if any")
    @app_commands.guild_only()
    async def bid(self, interaction: Interaction, amount: AMOUNT, private: TEXT | None = None) -> None:
        """Bid on a private company, or for the right to choose"""

        def make(table: Table, seat: PlayerId) -> Action:
            if private is not None:
                return a.Bid(seat, PrivateId(private.strip().upper()), amount)
            verbs = engine.present_step(table.title, table.position.state).by_action
            if a.Bid in verbs and a.BidToChoose not in verbs:
                raise TableError("Which private are you bidding on? Please name it.")
            return a.BidToChoose(seat, amount)

        await submit(interaction, make)

    @bid.autocomplete("private")
    async def _biddable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            table, _, legal = await legal_here(interaction, a.Bid)
            least = {one.private: one.amount for one in reversed(legal)}
            names = table.position.lexicon()
            named = [(f"{names.private(one)}, from {names.money(least[one])}", one) for one in sorted(least)]
        except Exception:
            return []
        return matching(named, current)

    @app_commands.command()
    @app_commands.describe(move="What to do")
    @app_commands.guild_only()
    async def do(self, interaction: Interaction, move: TEXT) -> None:
        """Do anything you may do now, by name"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        seat = table.seat_for(interaction.user.id)
        named = {one: name for name, one in await moves_named(table.position, seat)}
        wanted = move.strip().casefold()
        meant = [one for one in named if codes.action_code(one) == move]
        meant = meant or [one for one, name in named.items() if name.casefold() == wanted]
        meant = meant or [one for one, name in named.items() if wanted in name.casefold()]
        if len(meant) != 1:
            raise no_match(move, [named[one] for one in meant or named], ambiguous=bool(meant))
        await act(interaction.client, interaction, table, meant[0], None)

    @do.autocomplete("move")
    async def _moves(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            table = await table_here(interaction)
            seat = table.seat_for(interaction.user.id)
            named = [(name, codes.action_code(one)) for name, one in await moves_named(table.position, seat)]
        except Exception:
            return []
        return matching(named, current)
