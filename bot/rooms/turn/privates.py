"""/private: buying private companies and using their powers."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge
from bot.chat.commands import AMOUNT, TEXT, Interaction, choices, options, table_here
from bot.rooms.turn.act import act
from bot.rooms.turn.typed import do, lay_or_choose, operating, submit
from engine import actions as a
from engine.ids import PrivateId


@app_commands.guild_only()
class PrivateCommands(commands.GroupCog, group_name="private", group_description="Private companies"):
    """The /private commands."""

    @app_commands.command()
    @app_commands.describe(private="The private")
    async def buy(self, interaction: Interaction, private: TEXT) -> None:
        """Buy a private that is on offer"""
        await do(interaction, a.BuyPrivate, private)

    @buy.autocomplete("private")
    async def _on_offer(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyPrivate, current)

    @app_commands.command()
    @app_commands.describe(private="The private", price="The agreed price")
    async def acquire(self, interaction: Interaction, private: TEXT, price: AMOUNT) -> None:
        """Have your company buy a private from a player at an agreed price"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        seat = table.seat_for(interaction.user.id)
        corp = await operating(table, seat, a.CompanyBuysPrivate)
        action = a.CompanyBuysPrivate(seat, corp, PrivateId(private.strip().upper()), price)
        await act(interaction.client, interaction, table, action, None)

    @acquire.autocomplete("private")
    async def _for_sale(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction,
            a.CompanyBuysPrivate,
            current,
            lambda labels, one: (labels.names.private(one.private), one.private),
        )

    @app_commands.command()
    @app_commands.describe(private="The private", price="The agreed price")
    async def trade(self, interaction: Interaction, private: TEXT, price: AMOUNT) -> None:
        """Buy a private from another player at an agreed price"""
        wanted = PrivateId(private.strip().upper())
        await submit(interaction, lambda table, seat: a.TradePrivate(seat, wanted, price))

    @trade.autocomplete("private")
    async def _of_players(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.TradePrivate, current, lambda labels, one: (labels.names.private(one.private), one.private)
        )

    @app_commands.command()
    @app_commands.describe(private="The private or minor")
    async def exchange(self, interaction: Interaction, private: TEXT) -> None:
        """Exchange a private for a share, or convert a minor"""
        await do(interaction, a.ExchangePrivate, private)

    @exchange.autocomplete("private")
    async def _exchangeable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.ExchangePrivate, current)

    @app_commands.command()
    @app_commands.describe(private="The private")
    async def sell(self, interaction: Interaction, private: TEXT) -> None:
        """Sell a private back to the bank"""
        await do(interaction, a.SellPrivate, private)

    @sell.autocomplete("private")
    async def _sellable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.SellPrivate, current)

    @app_commands.command()
    @app_commands.describe(private="The private")
    async def close(self, interaction: Interaction, private: TEXT) -> None:
        """Close one of your privates for good"""
        await do(interaction, a.ClosePrivate, private)

    @close.autocomplete("private")
    async def _closable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.ClosePrivate, current)

    @app_commands.command()
    @app_commands.describe(private="The private", hex="The hex", tile="The tile", rotation="Clockwise turns of 60°")
    async def lay(
        self,
        interaction: Interaction,
        private: TEXT,
        hex: TEXT,
        tile: TEXT | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
        """Lay a tile with a private's power"""
        await lay_or_choose(interaction, "LayPowerTile", private.strip().upper(), hex, tile, rotation)

    @lay.autocomplete("private")
    async def _powers(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.LayPowerTile, current, lambda labels, one: (labels.names.private(one.private), one.private)
        )

    @lay.autocomplete("hex")
    async def _power_hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.LayPowerTile, current, lambda labels, one: (labels.names.hex(one.hex), one.hex)
        )
