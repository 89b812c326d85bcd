"""/train: buying and discarding trains, and bankruptcy."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge
from bot.chat.commands import AMOUNT, TEXT, Interaction, choices, legal_here
from bot.rooms.turn.act import act
from bot.rooms.turn.typed import do, operating, pick
from engine import actions as a
from engine.ids import BANK, POOL


@app_commands.guild_only()
class TrainCommands(commands.GroupCog, group_name="train", group_description="Buy and discard trains"):
    """The /train commands, for the company whose turn it is."""

    @app_commands.command()
    @app_commands.describe(train="Which train, and from whom", price="A different price, if you buy from a company")
    async def buy(self, interaction: Interaction, train: TEXT, price: AMOUNT | None = None) -> None:
        """Buy a train from the bank, the open market or another company"""
        await acknowledge(interaction, shows=True)
        table, seat, legal = await legal_here(interaction, a.BuyTrain)
        action = await pick(table, seat, a.BuyTrain, legal, train)
        assert isinstance(action, a.BuyTrain)
        if price is not None and action.source not in (BANK, POOL):
            action = replace(action, price=price)
        await act(interaction.client, interaction, table, action, None)

    @buy.autocomplete("train")
    async def _for_sale(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyTrain, current)

    @app_commands.command()
    @app_commands.describe(train="The train")
    async def discard(self, interaction: Interaction, train: TEXT) -> None:
        """Discard a train over the limit"""
        await do(interaction, a.DiscardTrain, train)

    @discard.autocomplete("train")
    async def _owned(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.DiscardTrain, current)

    @app_commands.command()
    async def bankrupt(self, interaction: Interaction) -> None:
        """Declare bankruptcy, if you must buy a train and nothing can pay for it"""
        await acknowledge(interaction, shows=True)
        table, seat, legal = await legal_here(interaction, a.GoBankrupt)
        action = legal[0] if legal else a.GoBankrupt(seat, await operating(table, seat, a.GoBankrupt))
        await act(interaction.client, interaction, table, action, None)
