"""Pictures of a position, drawn in a worker thread and cached as long as the position lives."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import engine
import renderer
from bot.chat.screen import Image, Screen
from bot.core.errors import NotDrawn
from bot.core.keyed import Lately
from bot.core.position import Position, shared
from bot.core.work import Work
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.makers import card_of, maker
from bot.rooms.turn.decision.shares import par_card
from bot.words.lexicon import joins
from engine import CorpId, HexId, PlayerId, RouteView, State, TileId, Title, board_view, market_view
from engine.board.tiles import turned
from engine.secrets import hidden_purses, with_purses
from engine.viewing import laid_stops, phases_view
from renderer.png import Drawing

log = logging.getLogger("tetsudo.ahead")
MOST = 60
"""Games whose maps can wait to be drawn ahead; of more, those that wait longest are left out."""
REST = 2
"""How many times as long as a hex took nothing is drawn ahead: it never takes more than a third of a core."""


class Ahead:
    """Positions whose maps are to be drawn ahead, each game once."""

    def __init__(self, work: Work, *beside: Work, drawing: bool = True) -> None:
        """It is done by `work`, while no other waits for a picture either; unless `drawing`, never."""
        self._work = work
        self._all = (work, *beside)
        self._drawing = drawing
        self._waiting = Lately[str, Position](MOST)
        self._task: asyncio.Task[None] | None = None

    def add(self, game: str, position: Position) -> None:
        """Draw the game's map ahead as it is now, not as it was."""
        if not self._drawing:
            return
        self._waiting[game] = position
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Leave out what is left."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while self._waiting:
            game, position = self._waiting.popitem()
            try:
                await self._draw(game, position)
            except Exception:
                log.exception("a map was not drawn ahead", extra={"game": game})

    async def _quiet(self) -> None:
        while any(not work.is_quiet for work in self._all):
            for work in self._all:
                await work.quiet()

    async def _draw(self, game: str, position: Position) -> None:
        await self._quiet()
        for hex_drawn in await self._work.do(lambda: renderer.hexes_ahead(position.board(), position.local_names)):
            if game in self._waiting:  # the game went on; what was drawn so far stays
                return
            await self._quiet()
            began = time.monotonic()
            await self._work.draw_part(hex_drawn)
            await asyncio.sleep(REST * (time.monotonic() - began))


async def _kept(position: Position, key: Hashable, name: str, prepare: Callable[[], Drawing]) -> Image:
    """Draw once per position; concurrent requests wait for the same drawing."""
    return image(f"{name}-{position.seq}", await shared(position.pictures, key, lambda: position.work.draw(prepare)))


def image(name: str, picture: renderer.Picture) -> Image:
    return Image(f"{name}.png", picture.png, picture.alt)


async def add(screen: Screen, work: Work, *drawn: Awaitable[list[Image] | Image]) -> None:
    """Add pictures to what is posted for all; it goes out without those that cannot be drawn or take too long, and says
    so."""
    try:
        async with asyncio.timeout(work.patience):
            made = await asyncio.gather(*drawn)
    except (NotDrawn, TimeoutError):
        screen.text += "\n-# The pictures could not be drawn this time; `/show` tries again."
    else:
        screen.images += [image for one in made for image in ([one] if isinstance(one, Image) else one)]


def first_drawings(title_id: str) -> list[Drawing]:
    """What a title shows when a game begins: its map and its market."""
    title, state = _begun(title_id)
    return [
        partial(renderer.map_picture, board_view(title, state)),
        partial(renderer.market_picture, market_view(title, state)),
    ]


def _begun(title_id: str) -> tuple[Title, State]:
    """A title for the fewest players, and its first position."""
    players = engine.TITLES[title_id].players[0]
    title = engine.build(title_id, players)
    return title, engine.start(title, [str(number) for number in range(players)])


async def map_image(
    position: Position,
    *,
    routes: Sequence[RouteView] = (),
    around: Sequence[HexId] = (),
    marked: Sequence[HexId] = (),
    name: str = "map",
    local_names: bool | None = None,
    titled: bool = True,
) -> Image:
    """The map, or the part around some hexes; `marked` hexes glow instead of the last changes.

    Place names follow the table's settings, unless `local_names` says otherwise.
    """
    local = position.local_names if local_names is None else local_names

    def prepare() -> Drawing:
        return partial(
            renderer.map_picture,
            position.board(),
            routes=tuple(routes),
            focus=tuple(around) or None,
            glow=tuple(marked) or None,
            local_names=local,
            titled=titled,
        )

    return await _kept(position, ("map", tuple(routes), tuple(around), tuple(marked), local, titled), name, prepare)


async def map_parts(position: Position) -> list[Image]:
    """The map in parts with larger figures, from left to right."""
    count = renderer.parts_of(position.board())

    def prepare(part: int) -> Drawing:
        return partial(renderer.map_picture, position.board(), part=part, width=1000, local_names=position.local_names)

    return [await _kept(position, ("part", part), f"map{part + 1}", partial(prepare, part)) for part in range(count)]


async def card_image(position: Position, viewer: PlayerId | None = None) -> Image | None:
    """The card of the present decision, as far as the viewer may know; None for a step without one."""
    if maker(position.title, position.state) is None or not position.up:
        return None
    best = next((one for one in await position.proposals(position.up[0]) if one.legal), None)
    run, routes = (best.action, best.routes) if best is not None else (None, ())

    def prepare() -> Drawing:
        card = card_of(replace(asked(position, viewer), run=run, routes=routes))
        assert card is not None
        return partial(renderer.card_picture, card)

    return await _kept(position, ("card", viewer, routes), "card", prepare)


async def private_card(position: Position, seat: PlayerId) -> list[Image]:
    """The card as whoever must decide may see it, if that is more than the message of the turn says; or nothing."""
    if seat not in position.up or position.table(seat) == position.table():
        return []
    card = await card_image(position, seat)
    return [] if card is None else [card]


async def par_image(position: Position, seat: PlayerId, corp: CorpId) -> Image:
    """What starting the company would cost the seat at each par, for itself alone."""

    def prepare() -> Drawing:
        return partial(renderer.card_picture, par_card(asked(position, seat), corp))

    return await _kept(position, ("par", seat, corp), "par", prepare)


def asked(position: Position, viewer: PlayerId | None) -> Asked:
    """The present decision for a viewer, or for everybody."""
    title, state = position.title, position.state
    seat = PlayerId(viewer if viewer in position.up else position.up[0])
    full = with_purses(state, hidden_purses(title, state, viewer))
    view, board, names = position.table(viewer), position.board(), position.lexicon()
    return Asked(title, full, view, board, names, viewer, seat, position.stretch.rounds)


async def market_image(position: Position) -> Image:
    """The market, with the cells that moved tokens came from."""
    return await _kept(position, "market", "market", lambda: partial(renderer.market_picture, position.market()))


async def table_image(position: Position, viewer: str | None = None) -> Image:
    """Players and companies, as far as the viewer may see."""
    known = partial(position.table, viewer)
    return await _kept(position, ("table", viewer), "table", lambda: partial(renderer.table_picture, known()))


async def phases_image(position: Position) -> Image:
    """The chart of phases and trains, with the present phase marked."""
    chart = partial(phases_view, position.title, position.state)
    return await _kept(position, "phases", "phases", lambda: partial(renderer.phases_picture, chart()))


def printed_phases(title_id: str) -> Image:
    """The chart before the game; to be called in a worker thread."""
    title, state = _begun(title_id)
    return image("phases", renderer.phases_picture(phases_view(title, state)))


async def tiles_image(position: Position) -> Image:
    return await _kept(position, "tiles", "tiles", lambda: partial(renderer.tiles_left_picture, position.board()))


async def choices_image(position: Position, hex_id: HexId, choices: Sequence[tuple[TileId, int]]) -> Image:
    """The legal tiles on a hex, numbered from 1."""

    def prepare() -> Drawing:
        title, board = position.title, position.board()
        stops = [laid_stops(title, position.state, hex_id, *one) for one in choices]
        joined = [joins(board.layout, hex_id, turned(title.tiles[tile].face, turns)) for tile, turns in choices]
        return partial(renderer.tile_choices_picture, board, hex_id, choices, stops, joined)

    return await _kept(position, ("choices", hex_id, tuple(choices)), "tiles", prepare)


async def preview_image(position: Position, then: State, hex_id: HexId) -> Image:
    """The map around a hex as it would be after a lay."""

    def prepare() -> Drawing:
        view = board_view(position.title, then)
        return partial(renderer.map_picture, view, focus=(hex_id,), glow=(hex_id,), local_names=position.local_names)

    return image(f"preview-{position.seq}", await position.work.draw(prepare))
