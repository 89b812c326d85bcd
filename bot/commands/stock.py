"""Commands of players: bids, shares, privates, passing."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

import engine
from bot import codes, laying
from bot.client import Bot
from bot.commands.common import (
    Interaction,
    choices,
    company_named,
    do,
    legal_here,
    matching,
    options,
    submit,
    table_here,
)
from bot.components import acknowledge, show_privately
from bot.errors import TableError
from bot.lexicon import shorten
from bot.parts import Screen
from bot.presses import act, set_standing_pass
from bot.table import Table
from engine import actions as a
from engine.actions import Action
from engine.ids import CorpId, PlayerId, PrivateId

AMOUNT = app_commands.Range[int, -(10**9), 10**9]


@app_commands.guild_only()
class Stock(commands.GroupCog, group_name="stock", group_description="Buy and sell shares, start companies"):
    """The stock round."""

    @app_commands.command(description="Start a company: buy its president's certificate and set its par")
    @app_commands.describe(company="The company", par="Its par price")
    async def par(self, interaction: Interaction, company: str, par: AMOUNT) -> None:
        await acknowledge(interaction, shows=True)
        table, seat, found = await legal_here(interaction, a.Par)
        labels = table.position.labels(seat)
        corp = company_named(table, company)
        mine = [one for one in found if one.corp == corp]
        fitting = [one for one in mine if labels.par_price(one) == par]
        if not fitting:
            prices = ", ".join(table.position.lexicon().money(labels.par_price(one)) for one in mine)
            raise TableError(
                f"{shorten(company, 20)} cannot be started at {par}. " + (f"Possible: {prices}." if mine else
                f"You can start {', '.join(dict.fromkeys(one.corp for one in found)) or 'no company'} now.")
            )  # fmt: skip
        await act(interaction.client, interaction, table, fitting[0], None)

    @par.autocomplete("company")
    async def _companies(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(interaction, a.Par, current, lambda labels, one: (_company(labels, one.corp), one.corp))

    @par.autocomplete("par")
    async def _pars(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        found = await options(
            interaction, a.Par, current, lambda labels, one: (labels.of(one), str(labels.par_price(one)))
        )
        return [app_commands.Choice(name=one.name, value=int(one.value)) for one in found]

    @app_commands.command(description="Buy a share")
    @app_commands.describe(share="Which share, from the offering or the market")
    async def buy(self, interaction: Interaction, share: str) -> None:
        await do(interaction, a.BuyShare, share)

    @buy.autocomplete("share")
    async def _shares(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyShare, current)

    @app_commands.command(description="Sell shares of one company in one block")
    @app_commands.describe(company="The company", shares="How many shares of 10 %")
    async def sell(self, interaction: Interaction, company: str, shares: AMOUNT) -> None:
        await submit(interaction, lambda table, seat: a.SellShares(seat, company_named(table, company), shares))

    @sell.autocomplete("company")
    async def _mine(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.SellShares, current, lambda labels, one: (_company(labels, one.corp), one.corp)
        )


def _company(labels: object, corp: str) -> str:
    row = labels.company(corp)  # type: ignore[attr-defined]
    return f"{corp} {row.company.name}" if row else str(corp)


@app_commands.guild_only()
class Private(commands.GroupCog, group_name="private", group_description="Private companies"):
    """Buying privates and using their powers."""

    @app_commands.command(description="Buy a private that is on offer")
    @app_commands.describe(private="The private")
    async def buy(self, interaction: Interaction, private: str) -> None:
        await do(interaction, a.BuyPrivate, private)

    @buy.autocomplete("private")
    async def _on_offer(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.BuyPrivate, current)

    @app_commands.command(description="Your company buys a private from a player at an agreed price")
    @app_commands.describe(private="The private", price="The agreed price")
    async def acquire(self, interaction: Interaction, private: str, price: AMOUNT) -> None:
        def make(table: Table, seat: PlayerId) -> Action:
            corp = operating(table)
            return a.CompanyBuysPrivate(seat, corp, PrivateId(private.strip().upper()), price)

        await submit(interaction, make)

    @acquire.autocomplete("private")
    async def _for_sale(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction,
            a.CompanyBuysPrivate,
            current,
            lambda labels, one: (labels.names.private(one.private), one.private),
        )

    @app_commands.command(description="Buy a private from another player at an agreed price")
    @app_commands.describe(private="The private", price="The agreed price")
    async def trade(self, interaction: Interaction, private: str, price: AMOUNT) -> None:
        wanted = PrivateId(private.strip().upper())
        await submit(interaction, lambda table, seat: a.TradePrivate(seat, wanted, price))

    @trade.autocomplete("private")
    async def _of_players(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(
            interaction, a.TradePrivate, current, lambda labels, one: (labels.names.private(one.private), one.private)
        )

    @app_commands.command(description="Exchange a private for its share, or change a minor as the game has it")
    @app_commands.describe(private="The private or minor")
    async def exchange(self, interaction: Interaction, private: str) -> None:
        await do(interaction, a.ExchangePrivate, private)

    @exchange.autocomplete("private")
    async def _exchangeable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.ExchangePrivate, current)

    @app_commands.command(description="Sell a private back to the bank")
    @app_commands.describe(private="The private")
    async def sell(self, interaction: Interaction, private: str) -> None:
        await do(interaction, a.SellPrivate, private)

    @sell.autocomplete("private")
    async def _sellable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.SellPrivate, current)

    @app_commands.command(description="Close a private of yours for good")
    @app_commands.describe(private="The private")
    async def close(self, interaction: Interaction, private: str) -> None:
        await do(interaction, a.ClosePrivate, private)

    @close.autocomplete("private")
    async def _closable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.ClosePrivate, current)

    @app_commands.command(description="Lay a tile by the power of a private")
    @app_commands.describe(private="The private", hex="The hex", tile="The tile", rotation="Turns of 60°")
    async def lay(
        self,
        interaction: Interaction,
        private: str,
        hex: str,
        tile: str | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
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


def operating(table: Table) -> CorpId:
    """The company whose turn it is. Raises TableError where no company operates."""
    subject = str(table.position.decision.subject or "")
    if subject not in table.title.corporations:
        raise TableError("It is no company's turn now, so this cannot be done.")
    return CorpId(subject)


async def lay_or_choose(
    interaction: Interaction, kind: str, subject: str, hex_id: str, tile: str | None, rotation: int | None
) -> None:
    """Lay the tile if all is given, otherwise show what is possible on the hex."""
    await acknowledge(interaction, shows=True)
    table = await table_here(interaction)
    seat = table.seat_for(interaction.user.id)
    place = hex_id.strip().upper().split(" ")[0]
    if tile is not None and rotation is not None:
        code = codes.join(kind, subject, place, tile.strip(), rotation)
        await act(interaction.client, interaction, table, codes.read_action(code, seat), None)
        return
    screen = await laying.tile_screen(table.position, table.game.id, seat, kind, subject, place)
    await show_privately(interaction, screen)


class Turn(commands.Cog):
    """Bids and passing."""

    @app_commands.command(description="Bid on a private company, or for the right to choose")
    @app_commands.describe(amount="Your bid", private="The private, where the bid is for one")
    @app_commands.guild_only()
    async def bid(self, interaction: Interaction, amount: AMOUNT, private: str | None = None) -> None:
        def make(table: Table, seat: PlayerId) -> Action:
            if private is not None:
                return a.Bid(seat, PrivateId(private.strip().upper()), amount)
            verbs = engine.present_step(table.title, table.position.state).by_action
            if a.Bid in verbs and a.BidToChoose not in verbs:
                raise TableError("Say on which private you bid.")
            return a.BidToChoose(seat, amount)

        await submit(interaction, make)

    @bid.autocomplete("private")
    async def _biddable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            table, _, found = await legal_here(interaction, a.Bid)
            least = {one.private: one.amount for one in reversed(found)}
            names = table.position.lexicon()
            named = [(f"{names.private(one)}, from {names.money(least[one])}", one) for one in sorted(least)]
        except Exception:
            return []
        return matching(named, current)

    @app_commands.command(name="pass", description="Pass, be done with the step, or pass ahead")
    @app_commands.describe(when="Now unless you choose something else")
    @app_commands.choices(
        when=[
            app_commands.Choice(name="now", value="now"),
            app_commands.Choice(name="ahead: my next turn", value="once"),
            app_commands.Choice(name="ahead: for the rest of this round", value="round"),
            app_commands.Choice(name="stop passing ahead", value="stop"),
        ]
    )
    @app_commands.guild_only()
    async def pass_(self, interaction: Interaction, when: str = "now") -> None:
        if when == "now":
            await submit(interaction, lambda table, seat: a.Pass(seat))
            return
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        text = await set_standing_pass(interaction.client, table, interaction.user.id, when, interaction.id)
        await show_privately(interaction, Screen(text))


async def setup(bot: Bot) -> None:
    await bot.add_cog(Stock())
    await bot.add_cog(Private())
    await bot.add_cog(Turn())
