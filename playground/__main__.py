"""`python -m playground`: play in the browser, without a Discord account or token."""

from __future__ import annotations  # types of an extra, which may be missing

import argparse
import asyncio
import logging
import sys
import tempfile
import webbrowser
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import engine
from bot.logs import start_logs
from engine.titles import AS_MOST_PLAY, BY_THE_BOOK
from opponents import LEVELS

missing = ""
"""What the playground needs and is not installed; the command line explains itself without it."""
try:
    from simcord import SetupError

    from playground.beside import beside
    from playground.page import page
    from playground.server import SEATS, LocalServer, local_server, moment
except ImportError as error:  # pragma: no cover - depends on the installation
    missing = str(error.name)

PORT = 8889
OPEN = """
  The playground is open:  {}

  New to such games? Press “Your first game” in the chat.
  Stop it with Ctrl-C.
"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line; ends the program with a sentence if it makes no sense."""
    parser = argparse.ArgumentParser(prog="tetsudo play", description="Play in a local page.")
    titles = ", ".join(sorted(engine.TITLES))
    parser.add_argument("--title", default="1889", choices=sorted(engine.TITLES), help=f"{titles} (default: 1889)")
    parser.add_argument("--players", type=int, help="how many players (default: 3, or as many as there are people)")
    parser.add_argument("--humans", type=int, default=1, help="how many of them are people (default: 1)")
    parser.add_argument("--level", default="regular", choices=LEVELS, help="how well the bot plays the others")
    parser.add_argument(
        "--options", help=f"options of the game, separated by commas (default: {AS_MOST_PLAY}; {BY_THE_BOOK} for none)"
    )
    parser.add_argument(
        "--at", default="", help="a phase (5) or a round (3.1, SR 4): until then, the bot plays for all"
    )
    parser.add_argument("--seed", type=int, help="a number: what chance and opponents decide is the same each time")
    parser.add_argument("--port", type=int, default=PORT, help=f"local port (default: {PORT}, or any free one)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    choice = parser.parse_args(given)
    if missing:
        sys.exit(f"The playground needs an extra: pip install 'tetsudo[playground]' ({missing} is missing).")
    allowed = engine.TITLES[choice.title].players
    choice.players = max(SEATS, choice.humans) if choice.players is None else choice.players
    if choice.players not in allowed:
        parser.error(f"{choice.title} is for {allowed[0]} to {allowed[-1]} players")
    if not 1 <= choice.humans <= choice.players:
        parser.error(f"of {choice.players} players, 1 to {choice.players} can be people")
    if not 0 <= choice.port < 65536:
        parser.error(f"{choice.port} is not a port: a port is a number up to 65535")
    if choice.options is None:
        choice.options = _usual(choice.title, choice.players)
    try:
        title = engine.build(choice.title, choice.players, choice.options.replace(",", " ").split())
        choice.at = choice.at and moment(title, choice.at)
    except (engine.BadAction, ValueError) as error:
        parser.error(str(error))
    return choice


def _usual(title: str, players: int) -> str:
    """The rules as most people play, where so many can."""
    try:
        engine.build(title, players, [AS_MOST_PLAY])
    except engine.BadAction:
        return BY_THE_BOOK
    return AS_MOST_PLAY


async def serve(choice: argparse.Namespace) -> None:
    """Serve the room until the page or the program is closed."""
    with tempfile.TemporaryDirectory(prefix="tetsudo-") as folder:
        place = Path(folder) / "playground.sqlite3"
        given = {"humans": choice.humans, "level": choice.level, "at": choice.at, "seed": choice.seed}
        async with (
            local_server(place, choice.title, choice.players, choice.options, **given) as here,
            AsyncExitStack() as stack,
        ):
            chat, url = await _open(stack, here, choice.port)
            print(OPEN.format(url), flush=True)
            if not choice.no_browser:
                webbrowser.open(url)
            await chat.wait_closed()


async def _open(stack: AsyncExitStack, here: LocalServer, port: int) -> tuple[Any, str]:
    """The chat on any free port; board and chat together on the requested port, or on any free one."""
    try:
        chat = await stack.enter_async_context(page(here))
    except SetupError as error:
        raise SystemExit("There is no free port on 127.0.0.1.") from error
    try:
        return chat, await stack.enter_async_context(beside(here, chat, port))
    except OSError:
        print(f"Port {port} is in use; using another.", file=sys.stderr)
        return chat, await stack.enter_async_context(beside(here, chat, None))


def main(given: Sequence[str] | None = None) -> int:
    """Serve until stopped; `given` are the arguments (default: the command line's)."""
    start_logs(logging.WARNING, as_json=False)
    choice = arguments(given)
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(choice))
    return 0


if __name__ == "__main__":
    sys.exit(main())
