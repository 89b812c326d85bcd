"""Commands for trains."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.client import Bot
from bot.commands.common import Interaction, choices, do, legal_here, pick
from bot.commands.stock import AMOUNT, operating
from bot.components import acknowledge
from bot.presses import act
from engine import actions as a
from engine.ids import BANK, POOL


@app_commands.guild_only()
class Train(commands.GroupCog, group_name="train", group_description="Buy and discard trains"):
    """Trains of the company whose turn it is."""

    @app_commands.command(description="Buy a train from the bank, the market or another company")
    @app_commands.describe(train="Which train and from whom", price="Another price, when you buy from a company")
    async def buy(self, interaction: Interaction, train: str, price: AMOUNT | None = None) -> None:
        await acknowledge(interaction, shows=True)
        table, seat, found = await legal_here(interaction, a.BuyTrain)
        action = pick(table, seat, a.BuyTrain, found, train)
        assert isinstance(action, a.BuyTrain)
        if price is not None and action.source not in (BANK, POOL):
            action = replace(action, price=price)
        await act(interaction.client, interaction, table, action, None)

    @buy.autocomplete("train")
    async def _for_sale(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyTrain, current)

    @app_commands.command(description="Discard a train that is over the limit")
    @app_commands.describe(train="The train")
    async def discard(self, interaction: Interaction, train: str) -> None:
        await do(interaction, a.DiscardTrain, train)

    @discard.autocomplete("train")
    async def _owned(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.DiscardTrain, current)

    @app_commands.command(description="Declare bankruptcy, when a train must be bought and nothing can pay for it")
    async def bankrupt(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table, seat, found = await legal_here(interaction, a.GoBankrupt)
        action = found[0] if found else a.GoBankrupt(seat, operating(table))
        await act(interaction.client, interaction, table, action, None)


async def setup(bot: Bot) -> None:
    await bot.add_cog(Train())
