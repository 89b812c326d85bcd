"""The half of /game that only shows: everybody may look, and sees what they may know."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import hands, packet, pictures
from bot.commands.common import NAMES, Interaction, matching, must_have_local_names, table_here
from bot.components import acknowledge, files, show_privately, view
from bot.errors import TableError
from bot.lexicon import listed
from bot.parts import Screen
from bot.table import Table

PUBLIC = "Show it to everybody in the channel"
PAGE = 25


class Look(commands.Cog):
    """Pictures and cards."""

    @app_commands.command(description="Who must decide, and where the game stands")
    async def status(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        if game.status == "open":
            from bot import lobby

            await show_privately(interaction, lobby.lobby_screen(game, await interaction.client.store.seats(game.id)))
            return
        table = await table_here(interaction)
        if table.position.over:
            await show_privately(interaction, await packet.final_screen(table))
            return
        names = table.position.lexicon()
        waiting = listed(names.player(seat) for seat in table.position.up)
        last = packet.told_lines(table, table.told[-3:])
        lines = [f"The game waits for {waiting}.", *(f"- {line}" for line in last[-6:])]
        await show_privately(interaction, _screen(table, "\n".join(lines)))

    @app_commands.command(name="map", description="The map, or the part around a hex")
    @app_commands.describe(hex="Show only the part around this hex", names="In which language", public=PUBLIC)
    @app_commands.choices(names=NAMES)
    async def map_(
        self, interaction: Interaction, hex: str | None = None, names: str | None = None, public: bool = False
    ) -> None:
        await _begin(interaction, public)
        table = await table_here(interaction)
        around: tuple[str, ...] = ()
        if hex is not None:
            around = (hex.strip().upper().split(" ")[0],)
            if around[0] not in {cell.id for cell in table.position.board().hexes}:
                raise TableError(f"There is no hex {around[0][:12]} on this map.")
        screen = _screen(table)
        local = None if names is None else names == "local"
        if local:
            must_have_local_names(table.title)
        screen.images = [await pictures.map_image(table.position, around=around, local_names=local)]  # type: ignore[arg-type]
        await _show(interaction, screen, public)

    @map_.autocomplete("hex")
    async def _hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            table = await table_here(interaction)
        except Exception:
            return []
        names = table.position.lexicon()
        return matching([(names.hex(cell.id), str(cell.id)) for cell in table.position.board().hexes], current)

    @app_commands.command(description="The stock market")
    @app_commands.describe(public=PUBLIC)
    async def market(self, interaction: Interaction, public: bool = False) -> None:
        await _begin(interaction, public)
        table = await table_here(interaction)
        screen = _screen(table)
        screen.images = [await pictures.market_image(table.position)]
        await _show(interaction, screen, public)

    @app_commands.command(description="What all players and companies hold")
    @app_commands.describe(public=PUBLIC)
    async def table(self, interaction: Interaction, public: bool = False) -> None:
        await _begin(interaction, public)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        screen = _screen(table)
        screen.images = [await pictures.table_image(table.position, mine[0] if mine and not public else None)]
        await _show(interaction, screen, public)

    @app_commands.command(description="Your own cards, and what only you may see")
    async def hand(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        if not mine:
            raise TableError("You have no seat in this game. `/game table` shows what everybody holds.")
        await show_privately(interaction, await hands.hand_screen(table, mine[0]))

    @app_commands.command(description="One company")
    @app_commands.describe(company="The company")
    async def company(self, interaction: Interaction, company: str) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        await show_privately(interaction, hands.company_screen(table, company.strip(), mine[0] if mine else None))

    @company.autocomplete("company")
    async def _companies(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            table = await table_here(interaction)
        except Exception:
            return []
        rows = table.position.table().companies
        return matching([(f"{row.company.id} {row.company.name}", str(row.company.id)) for row in rows], current)

    @app_commands.command(description="One player")
    @app_commands.describe(player="The player")
    async def player(self, interaction: Interaction, player: discord.Member) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        theirs = table.seats_of(player.id)
        await show_privately(interaction, hands.player_screen(table, theirs[0] if theirs else ""))

    @app_commands.command(description="The private companies: whose they are, what they pay and do")
    async def privates(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, hands.privates_screen(await table_here(interaction)))

    @app_commands.command(description="Tiles left")
    async def tiles(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        screen = hands.tiles_screen(table)
        screen.images = [await pictures.tiles_image(table.position)]
        await show_privately(interaction, screen)

    @app_commands.command(description="Trains left")
    async def trains(self, interaction: Interaction) -> None:
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, hands.trains_screen(await table_here(interaction)))

    @app_commands.command(description="What has happened, newest last")
    @app_commands.describe(page="1 is the newest page")
    async def history(self, interaction: Interaction, page: app_commands.Range[int, 1, 1000] = 1) -> None:
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        lines = packet.told_lines(table, table.told)
        pages = max(1, -(-len(lines) // PAGE))
        shown = min(page, pages)
        end = len(lines) - PAGE * (shown - 1)
        text = "\n".join(f"- {line}" for line in lines[max(0, end - PAGE) : end]) or "Nothing has happened yet."
        screen = _screen(table, text)
        screen.footer = f"Page {shown} of {pages} · {screen.footer}"
        await show_privately(interaction, screen)


def _screen(table: Table, text: str = "") -> Screen:
    return Screen(text, game=table.game.id, seq=table.position.seq, footer=packet.where(table.position))


async def _begin(interaction: Interaction, public: bool) -> None:
    if public:
        await interaction.response.defer(thinking=True)
    else:
        await acknowledge(interaction, shows=True)


async def _show(interaction: Interaction, screen: Screen, public: bool) -> None:
    if public:
        await interaction.followup.send(view=view(screen), files=files(screen.images))
    else:
        await show_privately(interaction, screen)
