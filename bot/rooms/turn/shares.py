"""/stock: buying and selling shares, starting companies."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge
from bot.chat.commands import AMOUNT, TEXT, Interaction, choices, company_named, legal_here, options
from bot.chat.layout import shorten
from bot.core.errors import TableError
from bot.rooms.turn.act import act
from bot.rooms.turn.typed import do, submit
from bot.rooms.turn.why_not import nothing_of
from bot.words.labels import Labels
from engine import actions as a


@app_commands.guild_only()
class StockCommands(commands.GroupCog, group_name="stock", group_description="Buy and sell shares, start companies"):
    """The /stock commands."""

    @app_commands.command()
    @app_commands.describe(company="The company", par="Its par price")
    async def par(self, interaction: Interaction, company: TEXT, par: AMOUNT) -> None:
        """Start a company: buy its president's certificate and set its par price"""
        await acknowledge(interaction, shows=True)
        table, seat, legal = await legal_here(interaction, a.Par)
        if not legal:
            raise await nothing_of(table.position, seat, a.Par)
        labels = table.position.labels(seat)
        corp = company_named(table, company)
        mine = [one for one in legal if one.corp == corp]
        fitting = [one for one in mine if labels.par_price(one) == par]
        if not fitting:
            prices = ", ".join(table.position.lexicon().money(labels.par_price(one)) for one in mine)
            raise TableError(
                f"{shorten(company, 20)} cannot be started at {par}. " + (f"Possible: {prices}." if mine else
                f"You can start {', '.join(dict.fromkeys(one.corp for one in legal))} now.")
            )  # fmt: skip
        await act(interaction.client, interaction, table, fitting[0], None)

    @par.autocomplete("company")
    async def _companies(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(interaction, a.Par, current, lambda labels, one: (_company(labels, one.corp), one.corp))

    @par.autocomplete("par")
    async def _pars(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        return await options(interaction, a.Par, current, lambda labels, one: (labels.of(one), labels.par_price(one)))

    @app_commands.command()
    @app_commands.describe(share="Which share, from the initial offering or the open market")
    async def buy(self, interaction: Interaction, share: TEXT) -> None:
        """Buy a share"""
        await do(interaction, a.BuyShare, share)

    @buy.autocomplete("share")
    async def _shares(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyShare, current)

    @app_commands.command()
    @app_commands.describe(company="The company", shares="How many shares")
    async def sell(self, interaction: Interaction, company: TEXT, shares: AMOUNT) -> None:
        """Sell a block of shares of one company"""
        await submit(interaction, lambda table, seat: a.SellShares(seat, company_named(table, company), shares))

    @sell.autocomplete("company")
    async def _mine(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.SellShares, current, lambda labels, one: (_company(labels, one.corp), one.corp)
        )


def _company(labels: Labels, corp: str) -> str:
    row = labels.company(corp)
    return f"{corp} {row.company.name}" if row else str(corp)
