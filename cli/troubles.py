"""`tetsudo troubles`: what is stuck, and what helps."""

import argparse
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from bot.chat.heartbeat import illness, last_sign
from bot.core.notices import TURNS
from bot.version import rules
from cli.database import existing, place_option, run
from cli.failure import counted
from cli.looking import examine
from storage import Game, Place, Store
from storage.stuck import Blocked

HOUR, DAY = 3600, 24 * 3600
PATIENCE = 15 * 60
"""Seconds for which a notice may wait before it counts as stuck."""
MOST_READ = 200
"""Games that are read to see whether they wait for the host."""
OPEN_FOR = 14 * DAY
"""Seconds for which a seat may be open."""


def add_commands(command: Any) -> None:
    troubles = command(
        "troubles", _troubles, help="list what is stuck and why, with what helps; also while the bot runs"
    )
    place_option(troubles)


def _troubles(args: argparse.Namespace) -> int:
    """Print a line for each; 1 if there is any."""
    found = run(_all(existing(args)))
    print("\n".join(found) or "Nothing is stuck.")
    return 1 if found else 0


async def _all(place: Place) -> list[str]:
    async with Store.still(place) as store:
        store.play_by(rules())
        return [*_of_the_bot(place), *[one async for one in troubles(store)]]


def _of_the_bot(place: Place) -> list[str]:
    """What a bot on this machine says of itself."""
    sign = last_sign(place)
    if sign is None:
        where = "beside the file" if isinstance(place, Path) else "on this machine"
        return [f"No bot runs {where}: nothing is sent and nobody is reminded. Start it, and read its log."]
    found = [wrong] if (wrong := illness(sign, time.monotonic())) else []
    if seconds := int(sign.get("stopped_seconds", 0)):
        found.append(
            f"Discord has refused so much that nothing is sent for {seconds} s. Do not restart; see below why."
        )
    return found


async def troubles(store: Store) -> AsyncIterator[str]:
    """What is stuck in the games, a sentence each."""
    now = store.clock()
    for held in await store.stuck.notices(now - PATIENCE):
        yield _held(held, now)
    for game in await store.messages.unshown(TURNS):
        yield (
            f"{_name(game)}: no message shows its turn, and none is on its way. The bot looks every five minutes; "
            "`/game status` in the channel does it at once."
        )
    for game_id, seat, since in await store.stuck.seats(now - OPEN_FOR):
        yield (
            f"{_name(await store.game(game_id))}: seat {seat.removeprefix('p')} has been open for {_span(now - since)}."
            " There, `/seat take` fills it, or the table lets the bot play; a moderator may `/game end`."
        )
    for one in await store.puzzles.refusing():
        yield (
            f"The puzzle of the day in {_channel(one.guild_id, one.channel_id)} has been refused for "
            f"{_span(now - (one.refused_since or now))}: {(one.error or '').rstrip('.')}. Give the bot View Channel, "
            "Send Messages and Attach Files there, or `/puzzle stop` it; after a week it stops by itself."
        )
    async for line in _unread(store):
        yield line
    if late := await store.stuck.overdue(now - HOUR):
        yield (
            f"Due for over an hour, and nobody looks: {late} of the clocks, reminders, programs, puzzles and live "
            "boards. A bot that reaches Discord sees to them: `tetsudo health`."
        )


async def _unread(store: Store) -> AsyncIterator[str]:
    """Games that wait for the host, of those that other rules wrote last."""
    found = await store.unread()
    if len(found) > MOST_READ:
        yield (
            f"The bot still has to look at {len(found)} games since the rules changed, which it does once it runs; "
            "`tetsudo rules` says which of them wait for you."
        )
        return
    for game_id in found:
        game = await examine(store, await store.game(game_id))
        if game is not None and (game.change is None or not game.change.safe):
            yield game.text


def _held(held: Blocked, now: int) -> str:
    more = f" and {held.waiting - 1} more have" if held.waiting > 1 else " has"
    what = f"Game {held.game} in {_channel(held.guild_id, held.channel_id)}: a message{more} waited"
    told = f"{what} {_span(now - held.since)}"
    if held.error is None:
        return f"{told} and was never tried. No bot serves the game: `tetsudo health`."
    tried = f"{told} ({counted(held.attempts, 'attempt')}): {held.error.rstrip('.')}."
    if "closed to the bot" in held.error:
        return (
            f"{tried} Give the bot View Channel, Send Messages and Attach Files there, or unlock the thread; "
            "`/game move` moves the game to another channel."
        )
    return f"{tried} The bot's log has more under this game's id."


def _name(game: Game) -> str:
    return f"Game {game.id} ({game.title}) in {_channel(game.guild_id, game.channel_id)}"


def _channel(guild: int | None, channel: int) -> str:
    return f"https://discord.com/channels/{guild or '@me'}/{channel}"


def _span(seconds: int) -> str:
    for name, length in (("days", DAY), ("hours", HOUR)):
        if seconds >= 2 * length:
            return f"{seconds // length} {name}"
    return f"{seconds // 60} minutes"
