"""What is only shown to whoever asks: pictures and cards by /show, and what stands behind *More…* and *Look at…*."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord import app_commands
from discord.ext import commands

import engine
from bot.chat.answers import show_privately, show_publicly
from bot.chat.commands import (
    NAMES,
    PUBLIC,
    TEXT,
    Interaction,
    companies_here,
    matching,
    must_have_local_names,
    offered,
    or_nothing,
    table_here,
    titles_matching,
)
from bot.chat.press import Press, showing
from bot.chat.room import Handler
from bot.chat.screen import Button, Image, Screen, where
from bot.core.errors import TableError, UnknownControl
from bot.core.position import Scene
from bot.rooms.learning.help import FIRST, found, game_here, help_here, suggested
from bot.rooms.learning.rules import search_screen
from bot.rooms.turn import cards, deals, pictures, what_if, why_not
from engine.ids import HexId


class Reference(commands.Cog):
    """The commands with which newcomers look things up."""

    @app_commands.command()
    @app_commands.describe(title="Which game; this channel's if left out")
    @app_commands.autocomplete(title=titles_matching)
    async def phases(self, interaction: Interaction, title: TEXT | None = None) -> None:
        """The chart of phases and trains"""
        if title is None:
            table = await table_here(interaction)
            screen = await shown(table, "phases", None)
        else:
            screen = Screen(images=[await _printed(interaction, title)])
        await show_privately(interaction, screen)

    @app_commands.command()
    @app_commands.describe(about="A topic, or a term such as par or float")
    async def help(self, interaction: Interaction, about: TEXT | None = None) -> None:
        """How to play: the aim, the rounds, the terms, what is special in each game"""
        bot = interaction.client
        try:
            screen = await help_here(bot, interaction, FIRST if about is None else found(about))
        except TableError:  # no page has it, but perhaps the rules
            game = await game_here(bot, interaction.channel_id or 0)
            screen = await bot.work.do(search_screen, about or "", game.id if game is not None else "", game)
        await show_privately(interaction, screen)

    @help.autocomplete("about")
    async def _about(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return offered(suggested(current))


async def _printed(interaction: Interaction, title: str) -> Image:
    """The chart as it is before the game. Raises TableError for an unknown title."""
    if title not in engine.TITLES:
        raise TableError(f"I do not know a game “{title[:60]}”. Possible: {', '.join(engine.TITLES)}.")
    return await interaction.client.work.do(pictures.printed_phases, title)


class Looking(commands.Cog):
    """The commands that show the game."""

    @app_commands.command(name="map")
    @app_commands.describe(hex="Only show the part around this hex", names="Which place names", public=PUBLIC)
    @app_commands.choices(names=NAMES)
    async def map_(
        self, interaction: Interaction, hex: TEXT | None = None, names: str | None = None, public: bool = False
    ) -> None:
        """The map, or the part around a hex"""
        table = await table_here(interaction)
        around: tuple[HexId, ...] = ()
        if hex is not None:
            around = (HexId(hex.strip().upper().split(" ")[0]),)
            if around[0] not in {cell.id for cell in table.position.board().hexes}:
                raise TableError(f"There is no hex {around[0][:12]} on this map.")
        local = None if names is None else names == "local"
        if local:
            must_have_local_names(table.title)
        await _answer(interaction, await map_screen(table, around, local), public)

    @map_.autocomplete("hex")
    @or_nothing
    async def _hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await table_here(interaction)
        names = table.position.lexicon()
        return matching([(names.hex(cell.id), str(cell.id)) for cell in table.position.board().hexes], current)

    @app_commands.command()
    @app_commands.describe(public=PUBLIC)
    async def market(self, interaction: Interaction, public: bool = False) -> None:
        """The stock market"""
        table = await table_here(interaction)
        await _answer(interaction, await shown(table, "market", None), public)

    @app_commands.command()
    @app_commands.describe(public=PUBLIC)
    async def table(self, interaction: Interaction, public: bool = False) -> None:
        """What players and companies hold"""
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        await _answer(interaction, await shown(table, "table", mine[0] if mine and not public else None), public)

    @app_commands.command()
    @app_commands.describe(company="The company")
    @app_commands.autocomplete(company=companies_here)
    async def company(self, interaction: Interaction, company: TEXT) -> None:
        """One company"""
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        await show_privately(interaction, cards.company_screen(table, company.strip(), mine[0] if mine else None))

    @app_commands.command()
    @app_commands.describe(player="The player")
    async def player(self, interaction: Interaction, player: discord.Member) -> None:
        """One player"""
        table = await table_here(interaction)
        theirs = table.seats_of(player.id)
        await show_privately(interaction, cards.player_screen(table, theirs[0] if theirs else ""))

    @app_commands.command()
    async def privates(self, interaction: Interaction) -> None:
        """The private companies: who owns them, what they pay and do"""
        await show_privately(interaction, cards.privates_screen(await table_here(interaction)))

    @app_commands.command()
    async def tiles(self, interaction: Interaction) -> None:
        """The tiles left"""
        table = await table_here(interaction)
        await show_privately(interaction, await shown(table, "tiles", None))

    @app_commands.command()
    async def trains(self, interaction: Interaction) -> None:
        """The trains left"""
        await show_privately(interaction, cards.trains_screen(await table_here(interaction)))


async def _answer(interaction: Interaction, screen: Screen, public: bool) -> None:
    if public:
        await show_publicly(interaction, screen)
    else:
        await show_privately(interaction, screen)


async def _hand(given: Press) -> Screen:
    table = await given.table()
    return await cards.hand_screen(table, cards.own_seat(table, given.user))


async def _why(given: Press) -> Screen:
    scene = await given.fresh_scene()
    return await why_not.why_not_screen(scene, scene.seat_for(given.user))


async def _if_pass(given: Press) -> Screen:
    scene = await given.fresh_scene()
    return await what_if.what_if_screen(scene, scene.seat_for(given.user))


async def _show(given: Press) -> Screen:
    """A picture, for whoever asks."""
    scene = await given.scene()
    return await shown(scene, given.parts[0], scene.viewer_for(given.user))


async def _price(given: Press) -> Screen:
    """For the buyer or seller a price that is secret from the others."""
    table = await given.table()
    return Screen(await deals.priced(table, int(given.parts[0]), user=given.user))


HANDLERS: dict[str, Handler] = {
    "hand": showing(_hand),
    "why": showing(_why),
    "ifpass": showing(_if_pass),
    "show": showing(_show),
    "price": showing(_price),
}


async def shown(scene: Scene, what: str, seat: str | None) -> Screen:
    """One of them, as far as the seat may see it (None: somebody who does not play)."""
    if what not in _SCREENS:
        raise UnknownControl()
    return await _SCREENS[what](scene, seat)


def plain_screen(scene: Scene, text: str = "") -> Screen:
    """A private answer, with where the game stands below."""
    return Screen(text, game=scene.id, seq=scene.position.seq, footer=where(scene.position))


async def map_screen(scene: Scene, around: Sequence[HexId] = (), local_names: bool | None = None) -> Screen:
    """The whole map, with a button for its parts, or the part around some hexes."""
    screen = plain_screen(scene)
    screen.images = [await pictures.map_image(scene.position, around=around, local_names=local_names)]
    if not around:
        screen.buttons(Button("Closer", "show|closer"), Button("Tiles", "show|tiles"))
    return screen


async def _closer(scene: Scene) -> Screen:
    screen = plain_screen(scene, "The map in parts, from left to right.")
    screen.images = await pictures.map_parts(scene.position)
    return screen


async def _pictured(screen: Screen, *drawn: Awaitable[Image]) -> Screen:
    screen.images = [await one for one in drawn]
    return screen


_SCREENS: dict[str, Callable[[Scene, str | None], Awaitable[Screen]]] = {
    "map": lambda scene, _: map_screen(scene),
    "closer": lambda scene, _: _closer(scene),
    "market": lambda scene, _: _pictured(plain_screen(scene), pictures.market_image(scene.position)),
    "table": lambda scene, seat: _pictured(plain_screen(scene), pictures.table_image(scene.position, seat)),
    "tiles": lambda scene, _: _pictured(cards.tiles_screen(scene), pictures.tiles_image(scene.position)),
    "phases": lambda scene, _: _pictured(plain_screen(scene), pictures.phases_image(scene.position)),
    "privates": lambda scene, _: _pictured(cards.privates_screen(scene)),
    "trains": lambda scene, _: _pictured(cards.trains_screen(scene)),
}
"""What can be looked at, as far as a seat may see it."""
