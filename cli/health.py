"""`tetsudo health`: can games be saved, and does the bot respond?

A container is asked each minute, so this imports nothing that takes long.
"""

import argparse
import asyncio
import time
from pathlib import Path
from typing import Any

from bot.chat.heartbeat import illness, last_sign
from bot.settings import SettingsError, check_database, from_environment
from cli.failure import Failure, counted
from storage import Unavailable, look


def add_commands(command: Any) -> None:
    command("health", _health, help="check that games can be saved and a running bot still responds")


def _health(args: argparse.Namespace) -> int:
    """Check the file and the bot. Raises Failure if either is unwell."""
    try:
        database = from_environment(need_token=False).database
        if isinstance(database, Path) and not database.exists():
            raise Failure(f"{database} does not exist. The bot creates it when it starts.")
        check_database(database)
        asyncio.run(look(database))
    except (SettingsError, Unavailable) as error:
        raise Failure(str(error)) from error
    sign = last_sign(database)
    if sign is not None and (wrong := illness(sign, time.monotonic())):
        raise Failure(wrong)
    print(f"{database} can be read and written." + ("" if sign is None else f" The bot is well: {_well(sign)}."))
    return 0


def _well(sign: dict[str, Any]) -> str:
    hours = int(sign.get("up_seconds", 0)) / 3600
    servers = counted(int(sign.get("guilds", 0)), "server")
    told = f"up {hours:.1f} h, {servers}, {counted(int(sign.get('notices_waiting', 0)), 'message')} waiting"
    if refused := int(sign.get("refused_lately", 0)):
        told += f", {counted(refused, 'request')} refused by Discord in ten minutes"
        told += f" (it stops by itself at {sign['refused_most']})"
    if seconds := int(sign.get("stopped_seconds", 0)):
        told += f"; STOPPED sending so that Discord does not ban it, goes on in {seconds} s"
    return told
