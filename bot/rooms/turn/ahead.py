"""Drawing ahead: the hexes that a game's next pictures will show are drawn while nobody waits for a picture.

Most of what a map takes is hexes that were not drawn before. After a turn went out, or a game was read when the bot
starts, its map is gone through hex by hex. Before each, whoever waits for a picture goes first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from contextlib import suppress

import renderer
from bot.core.position import Position
from bot.core.work import Work

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
        self._waiting: OrderedDict[str, Position] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    def add(self, game: str, position: Position) -> None:
        """Draw the game's map ahead as it is now, not as it was."""
        if not self._drawing:
            return
        self._waiting.pop(game, None)
        self._waiting[game] = position
        if len(self._waiting) > MOST:
            self._waiting.popitem(last=False)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def idle(self) -> None:
        """Wait until nothing is left to be drawn ahead."""
        if self._task is not None:
            await asyncio.shield(self._task)

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
