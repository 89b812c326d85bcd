"""Drawing in processes of their own: drawings go in, pictures come out."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bot.core.errors import NotDrawn
from bot.core.pool import Died, Pool
from renderer import Picture
from renderer.drawer import Drawing, begin, draw
from renderer.png import keep, recalled


class Drawers:
    """So many processes that draw, and share what they have drawn in a file."""

    def __init__(self, count: int, cache: int, parts: Path | None = None) -> None:
        """`cache` is in bytes: what the processes hold in memory together, and the size of the file.

        `parts` is that file; without it, it is a temporary one.
        """
        self._folder = Path(tempfile.mkdtemp(prefix="tetsudo-drawn-")) if parts is None else None
        self.parts = parts or Path(self._folder or "") / "parts.sqlite3"
        self.pool = Pool("drawers", count, begin, cache // count, self.parts, cache)

    async def draw(self, drawing: Drawing) -> Picture:
        """The picture. What drawing raises is raised here; NotDrawn if drawers died of it, or over it, twice."""
        picture = recalled(drawing)
        if picture is None:
            try:
                picture = await self.pool.do(draw, drawing)
            except Died as error:
                raise NotDrawn() from error
            keep(drawing, picture)
        return picture

    def begin(self, drawing: Drawing) -> None:
        """Have something drawn that nobody waits for."""
        self.pool.begin(draw, drawing)

    async def draw_part(self, draw: Callable[[], None]) -> None:
        """Have a part drawn and kept; if drawers die of it, it is left out."""
        with suppress(Died):
            await self.pool.do(draw, tries=1)

    def close(self) -> None:
        """End the processes, and delete a temporary file."""
        self.pool.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
