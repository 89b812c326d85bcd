"""Commands of a company's turn: track, token, routes, dividend."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot import running
from bot.client import Bot
from bot.commands.common import Interaction, choices, do, legal_here, options, submit, table_here
from bot.commands.stock import lay_or_choose, operating
from bot.components import acknowledge
from bot.errors import TableError
from bot.presses import act
from engine import actions as a
from engine.actions import Action


class Company(commands.Cog):
    """What a president does in an operating round."""

    @app_commands.command(description="Lay or upgrade a tile; without tile and rotation you choose from pictures")
    @app_commands.describe(hex="The hex", tile="The tile's number", rotation="Turns of 60°")
    @app_commands.guild_only()
    async def lay(
        self,
        interaction: Interaction,
        hex: str,
        tile: str | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
        table = await table_here(interaction)
        corp = str(table.position.decision.subject or "")
        await lay_or_choose(interaction, "LayTile", corp, hex, tile, rotation)

    @lay.autocomplete("hex")
    async def _hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(interaction, a.LayTile, current, lambda labels, one: (labels.names.hex(one.hex), one.hex))

    @lay.autocomplete("tile")
    async def _tiles(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        place = str(getattr(interaction.namespace, "hex", "") or "").upper().split(" ")[0]
        found = await options(
            interaction, a.LayTile, current, lambda labels, one: (one.tile, one.tile if one.hex == place else "")
        )
        return [one for one in found if one.value]

    @lay.autocomplete("rotation")
    async def _rotations(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        place = str(getattr(interaction.namespace, "hex", "") or "").upper().split(" ")[0]
        tile = str(getattr(interaction.namespace, "tile", "") or "")
        try:
            _, _, found = await legal_here(interaction, a.LayTile)
        except Exception:
            return []
        turns = sorted({one.rotation for one in found if one.hex == place and one.tile == tile})
        return [app_commands.Choice(name=str(turn), value=turn) for turn in turns]

    @app_commands.command(description="Place a station token")
    @app_commands.describe(city="The city")
    @app_commands.guild_only()
    async def token(self, interaction: Interaction, city: str) -> None:
        await do(interaction, a.PlaceToken, city)

    @token.autocomplete("city")
    async def _cities(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.PlaceToken, current)

    @app_commands.command(description="Buy the right to run past a token that is in the way, in place of a token")
    @app_commands.guild_only()
    async def passage(self, interaction: Interaction) -> None:
        await submit(interaction, lambda table, seat: a.BuyPassage(seat, operating(table)))

    @app_commands.command(description="Pay for a token of your company that is out of use")
    @app_commands.guild_only()
    async def restore(self, interaction: Interaction) -> None:
        await submit(interaction, lambda table, seat: a.RestoreToken(seat, operating(table)))

    @app_commands.command(description="Run the trains: the best routes, or those you write")
    @app_commands.describe(routes="Own routes, such as “3: K4 J5 I6; 2: K4 K6”; leave out for the best")
    @app_commands.guild_only()
    async def run(self, interaction: Interaction, routes: app_commands.Range[str, 1, 1500] | None = None) -> None:
        await acknowledge(interaction, shows=True)
        table, seat, found = await legal_here(interaction, a.RunTrains)
        also = ""
        if routes is not None:
            corp = operating(table)
            action: Action = await interaction.client.work.do(running.read_routes, routes, table.position, seat, corp)
        elif found:
            action = found[0]
            also = "\n".join(running.unproved(table.position, await table.position.proposals(seat)))
        else:
            raise TableError("You have no trains to run now.")
        await act(interaction.client, interaction, table, action, None, also)

    @app_commands.command(description="Pay the revenue out or withhold it")
    @app_commands.describe(choice="What becomes of the revenue")
    @app_commands.guild_only()
    async def dividend(self, interaction: Interaction, choice: str) -> None:
        await do(interaction, a.Dividend, choice)

    @dividend.autocomplete("choice")
    async def _dividends(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.Dividend, current)


async def setup(bot: Bot) -> None:
    await bot.add_cog(Company())
