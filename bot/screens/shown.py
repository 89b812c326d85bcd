"""What anybody may look at: the map and its parts, the market, what people hold, privates, trains, tiles, phases."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.play.errors import UnknownControl
from bot.play.table import Table
from bot.screens import cards, pictures
from bot.screens.footer import where
from bot.screens.screen import Button, Screen
from engine.ids import HexId


async def shown(table: Table, what: str, seat: str | None) -> Screen:
    """One of them, as far as the seat may see it (None: somebody who does not play)."""
    if what not in _SCREENS:
        raise UnknownControl()
    return await _SCREENS[what](table, seat)


def plain_screen(table: Table, text: str = "") -> Screen:
    """A private answer, with where the game stands below."""
    return Screen(text, game=table.game.id, seq=table.position.seq, footer=where(table.position))


async def map_screen(table: Table, around: Sequence[HexId] = (), local_names: bool | None = None) -> Screen:
    """The whole map, with a button for its parts, or the part around some hexes."""
    screen = plain_screen(table)
    screen.images = [await pictures.map_image(table.position, around=around, local_names=local_names)]
    if not around:
        screen.buttons(Button("Closer", "show|closer"), Button("Tiles", "show|tiles"))
    return screen


async def _closer(table: Table, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(table, "The map in parts, from left to right.")
    screen.images = await pictures.map_parts(table.position)
    return screen


async def _map(table: Table, seat: str | None) -> Screen:
    del seat
    return await map_screen(table)


async def _market(table: Table, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(table)
    screen.images = [await pictures.market_image(table.position)]
    return screen


async def _holdings(table: Table, seat: str | None) -> Screen:
    screen = plain_screen(table)
    screen.images = [await pictures.table_image(table.position, seat)]
    return screen


async def _tiles(table: Table, seat: str | None) -> Screen:
    del seat
    screen = cards.tiles_screen(table)
    screen.images = [await pictures.tiles_image(table.position)]
    return screen


async def _phases(table: Table, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(table)
    screen.images = [await pictures.phases_image(table.position)]
    return screen


async def _privates(table: Table, seat: str | None) -> Screen:
    del seat
    return cards.privates_screen(table)


async def _trains(table: Table, seat: str | None) -> Screen:
    del seat
    return cards.trains_screen(table)


_SCREENS: dict[str, Callable[[Table, str | None], Awaitable[Screen]]] = {
    "map": _map,
    "closer": _closer,
    "market": _market,
    "table": _holdings,
    "tiles": _tiles,
    "phases": _phases,
    "privates": _privates,
    "trains": _trains,
}
