"""Run the bot: settings, logs, the store, then Discord until it is stopped."""

import asyncio
import gc
import logging
import signal
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path

import aiohttp
import discord

from bot.chat.arrivals import receiving
from bot.chat.health import served
from bot.core.work import Drawers, give_back, keep_small
from bot.house import House
from bot.logs import start_logs, telling
from bot.rooms.learning.ledger import ledger
from bot.rooms.turn import pictures
from bot.settings import Settings, SettingsError, check_database, from_environment
from engine import TITLES
from renderer.cache import limit_all
from renderer.packing import DRAWN
from renderer.shared import SharedParts
from storage import Store, Unavailable, serving

log = logging.getLogger("tetsudo.main")
SWITCHING = 0.0005
"""Seconds after which a thread that searches or draws lets another have the interpreter's lock.

With Python's 5 ms a press waited some 25 ms beside two searching threads, with this 4, and the searches were as fast
(`benchmarks/switching.py`). So a process of its own for long searches, with the memory it takes, would gain little.
"""
COLLECTED_AFTER = 10_000
"""Objects made after which Python looks for circles of garbage: looking after 700, as it does by itself, is felt in
reading and drawing, and memory is the same (`benchmarks/memory.py`)."""
BAD_TOKEN = (
    "Discord does not accept DISCORD_TOKEN. Make a new one in the developer portal (Applications, your bot, Bot, "
    "Reset Token) and start the bot again with it."
)
SHARDING_REQUIRED = 4011
TOO_FEW_SHARDS = (
    " The bot is on more servers than its shards may serve: set TETSUDO_SHARDS to more of them, or leave it out."
)


class CannotStart(Exception):
    """The bot cannot start; the text is for the person who tried."""


class CannotStartNow(CannotStart):
    """Another start may do: what is missing is no setting."""


Beside = Callable[[House], AbstractAsyncContextManager[object]]
"""What runs as long as the bot does, in its process."""


@asynccontextmanager
async def alone(bot: House) -> AsyncIterator[None]:
    """The bot without its board, which stands above it and is given. Raises CannotStart where there should be one."""
    if bot.settings.board is not None:
        raise CannotStart("TETSUDO_BOARD is set: start the bot with `tetsudo bot`, which serves the board too.")
    yield


async def run(settings: Settings, beside: Beside = alone) -> None:
    """Run until stopped. Raises CannotStart, which says what to do."""
    use_addresses(settings)
    limit_all(settings.cache << 20)
    try:
        async with (
            serving(settings.database, alone=settings.shards is None),
            Store.open(settings.database) as store,
            kept_parts(settings) as parts,
            House(store, settings, parts=parts) as bot,
            served(bot, settings.metrics),
            receiving(bot, settings.endpoint),
            telling(settings),
            beside(bot),
        ):
            loop = asyncio.get_running_loop()
            ending: list[asyncio.Future[None]] = []
            for name in (signal.SIGINT, signal.SIGTERM):
                with suppress(NotImplementedError):
                    loop.add_signal_handler(name, lambda: ending.append(asyncio.ensure_future(bot.close())))
            warming = asyncio.create_task(warm_up_for(bot))
            try:
                await bot.start(settings.token)
            except Exception:
                if not ending:  # otherwise it is only what was being asked of Discord just then
                    raise
            finally:
                warming.cancel()
    except Unavailable as error:
        raise CannotStartNow(str(error)) from error
    except discord.LoginFailure as error:
        raise CannotStart(BAD_TOKEN) from error
    except discord.PrivilegedIntentsRequired as error:  # pragma: no cover - none are asked for
        raise CannotStart("Discord asks for privileged intents, which this bot does not use.") from error
    except discord.ConnectionClosed as error:
        why = TOO_FEW_SHARDS if error.code == SHARDING_REQUIRED else ""
        raise CannotStart(f"Discord closed the connection for good (code {error.code}).{why}") from error
    except (aiohttp.ClientError, discord.GatewayNotFound, discord.HTTPException, OSError) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise CannotStartNow(f"{error.filename} cannot be used: {error.strerror}.") from error
        raise CannotStartNow(f"Discord cannot be reached: {error}. Check the network, then start again.") from error


@asynccontextmanager
async def kept_parts(settings: Settings) -> AsyncIterator[Path]:
    """The file of parts of pictures that were drawn, from now on in use.

    Beside a file of games it outlives the bot, so that nothing is drawn anew after a restart; only one bot serves that.
    """
    if isinstance(settings.database, Path):
        place: AbstractContextManager[str] = nullcontext(str(settings.database.parent))
        name = f"{settings.database.name}.drawn"
    else:
        place, name = tempfile.TemporaryDirectory(prefix="tetsudo-drawn-"), "parts.drawn"
    with place as folder:
        parts = SharedParts(Path(folder) / name, settings.cache << 20)
        DRAWN.share(parts)
        try:
            yield Path(folder) / name
        finally:
            DRAWN.share(None)
            parts.close()


async def warm_up_for(bot: House) -> None:
    """Warm up for the games that are played, once people can be answered; they only wait for their own pictures."""
    await bot.up()
    try:
        titles = await bot.store.titles_played()
    except Unavailable as error:
        log.warning("nothing is drawn ahead: %s", error)
        return
    threading.Thread(target=warm_up, args=(bot.work.drawers, titles, pictures.REST), name="warm", daemon=True).start()


def warm_up(drawers: Drawers | None = None, titles: Iterable[str] = TITLES, rest: float = 0) -> None:
    """Read the rules and have these titles drawn once, so that ledgers, fonts and tiles are cached.

    After each picture nothing is done for `rest` times as long as it took. In the end all that is there is left out of
    garbage collections: they hold up every thread, and it stays for good. Those that remain come seldom.
    """
    ledger()
    for title in titles:
        for drawing in pictures.first_drawings(title):
            if drawers is None:
                began = time.monotonic()
                drawing()
                time.sleep(rest * (time.monotonic() - began))
            else:
                drawers.pool.begin(drawing)
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
    give_back()


def use_addresses(settings: Settings) -> None:
    """Use the addresses in the settings instead of Discord's own."""
    if settings.api_base:
        discord.http.Route.BASE = settings.api_base
    if settings.gateway_url:
        import yarl

        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway_url)


def main(beside: Beside = alone) -> int:
    """Run the bot, and what is `beside` it; return the exit code: 1 if another start may do, 2 where none will."""
    try:
        settings = from_environment()
        secrets = (settings.token, settings.activity.secret if settings.activity is not None else "")
        start_logs(logging.getLevelNamesMapping()[settings.log_level], *secrets, as_json=settings.log_format == "json")
        check_database(settings.database)
        keep_small()
        sys.setswitchinterval(SWITCHING)
        asyncio.run(run(settings, beside))
    except (SettingsError, CannotStart) as error:
        print(f"Tetsudo cannot start. {error}", file=sys.stderr)
        return 1 if isinstance(error, CannotStartNow) else 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
