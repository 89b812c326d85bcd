"""Commands for a company's turn: track, token, routes, dividend."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge
from bot.chat.commands import TEXT, Interaction, choices, legal_here, offered, options
from bot.rooms.turn import run_trains, written_routes
from bot.rooms.turn.act import act
from bot.rooms.turn.typed import do, lay_or_choose, operating
from bot.rooms.turn.why_not import nothing_of
from bot.words.track import without_twins
from engine import actions as a
from engine.actions import Action


class CompanyCommands(commands.Cog):
    """A president's commands in an operating round."""

    @app_commands.command()
    @app_commands.describe(hex="The hex", tile="The tile's number", rotation="Clockwise turns of 60°")
    @app_commands.guild_only()
    async def lay(
        self,
        interaction: Interaction,
        hex: TEXT,
        tile: TEXT | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
        """Lay or upgrade a tile; leave out tile and rotation to choose from pictures"""
        await lay_or_choose(interaction, "LayTile", None, hex, tile, rotation)

    @lay.autocomplete("hex")
    async def _hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await options(interaction, a.LayTile, current, lambda labels, one: (labels.names.hex(one.hex), one.hex))

    @lay.autocomplete("tile")
    async def _tiles(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        place = str(getattr(interaction.namespace, "hex", "") or "").upper().split(" ")[0]
        return await options(
            interaction, a.LayTile, current, lambda labels, one: (one.tile, one.tile), lambda one: one.hex == place
        )

    @lay.autocomplete("rotation")
    async def _rotations(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        place = str(getattr(interaction.namespace, "hex", "") or "").upper().split(" ")[0]
        tile = str(getattr(interaction.namespace, "tile", "") or "")
        try:
            table, seat, legal = await legal_here(interaction, a.LayTile)
        except Exception:
            return []
        labels = table.position.labels(seat)
        mine = without_twins(table.title, (one for one in legal if (one.hex, one.tile) == (place, tile)))
        return offered((f"{one.rotation}: joining {labels.joins(one)}", one.rotation) for one in mine)

    @app_commands.command()
    @app_commands.describe(city="The city")
    @app_commands.guild_only()
    async def token(self, interaction: Interaction, city: TEXT) -> None:
        """Place a station token"""
        await do(interaction, a.PlaceToken, city)

    @token.autocomplete("city")
    async def _cities(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.PlaceToken, current)

    @app_commands.command()
    @app_commands.describe(routes="Your routes, such as “3: K4 J5 I6; 2: K4 K6”; leave out for the best")
    @app_commands.guild_only()
    async def run(self, interaction: Interaction, routes: app_commands.Range[str, 1, 1500] | None = None) -> None:
        """Run your trains: on the best routes, or on those you type"""
        await acknowledge(interaction, shows=True)
        table, seat, legal = await legal_here(interaction, a.RunTrains)
        also = ""
        if routes is not None:
            corp = await operating(table, seat, a.RunTrains)
            action: Action = await interaction.client.work.do(
                written_routes.read_routes, routes, table.position, seat, corp
            )
        elif legal:
            action = legal[0]
            also = "\n".join(run_trains.unproved(table.position, await table.position.proposals(seat)))
        else:
            raise await nothing_of(table.position, seat, a.RunTrains)
        await act(interaction.client, interaction, table, action, None, also)

    @app_commands.command()
    @app_commands.describe(choice="What to do with the revenue")
    @app_commands.guild_only()
    async def dividend(self, interaction: Interaction, choice: TEXT) -> None:
        """Pay out or withhold the revenue"""
        await do(interaction, a.Dividend, choice)

    @dividend.autocomplete("choice")
    async def _dividends(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await choices(interaction, a.Dividend, current)
