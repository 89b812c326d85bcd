"""The board beside a bot on Discord, where its host wants one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from board.inside import Inside
from board.server import BoardApp, serving
from bot.house import House
from bot.main import CannotStart
from bot.rooms.opponents.room import Thinkers
from bot.rooms.page.room import Arrivals, Doors


@asynccontextmanager
async def beside(bot: House) -> AsyncIterator[None]:
    """Serve the board as long as the bot runs, if settings say where. Raises CannotStart."""
    if bot.settings.board is None:
        yield
        return
    doors, url = bot.its(Doors), urlsplit(bot.settings.board_url)
    activity = doors.activity
    inside = None if activity is None else Inside(activity, doors.signer, Arrivals(bot, activity).of)
    origin = f"{url.scheme}://{url.netloc}"
    board = BoardApp(bot, doors.epoch, bot.its(Thinkers).agrees, doors.signer, origin=origin, inside=inside)
    host, port = bot.settings.board
    doors.closing.append(board.close)
    async with serving(board.app(), host, port, taken=CannotStart):
        yield
