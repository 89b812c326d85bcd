"""What anybody may look at: the map and its parts, the market, what people hold, privates, trains, tiles, phases."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.chat.screen import Button, Screen, where
from bot.core.errors import UnknownControl
from bot.core.position import Scene
from bot.rooms.turn import cards, pictures
from engine.ids import HexId


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


async def _closer(scene: Scene, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(scene, "The map in parts, from left to right.")
    screen.images = await pictures.map_parts(scene.position)
    return screen


async def _map(scene: Scene, seat: str | None) -> Screen:
    del seat
    return await map_screen(scene)


async def _market(scene: Scene, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(scene)
    screen.images = [await pictures.market_image(scene.position)]
    return screen


async def _holdings(scene: Scene, seat: str | None) -> Screen:
    screen = plain_screen(scene)
    screen.images = [await pictures.table_image(scene.position, seat)]
    return screen


async def _tiles(scene: Scene, seat: str | None) -> Screen:
    del seat
    screen = cards.tiles_screen(scene)
    screen.images = [await pictures.tiles_image(scene.position)]
    return screen


async def _phases(scene: Scene, seat: str | None) -> Screen:
    del seat
    screen = plain_screen(scene)
    screen.images = [await pictures.phases_image(scene.position)]
    return screen


async def _privates(scene: Scene, seat: str | None) -> Screen:
    del seat
    return cards.privates_screen(scene)


async def _trains(scene: Scene, seat: str | None) -> Screen:
    del seat
    return cards.trains_screen(scene)


_SCREENS: dict[str, Callable[[Scene, str | None], Awaitable[Screen]]] = {
    "map": _map,
    "closer": _closer,
    "market": _market,
    "table": _holdings,
    "tiles": _tiles,
    "phases": _phases,
    "privates": _privates,
    "trains": _trains,
}
