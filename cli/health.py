"""`tetsudo health`: can the games be read and kept? For container health checks and monitoring."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

from bot.settings import SettingsError, check_database, from_environment
from cli.files import Failure
from storage import Store, Unavailable


def add_commands(commands: Any) -> None:
    health = commands.add_parser("health", help="look whether the games can be read and kept")
    health.set_defaults(run=_health)


def _health(args: argparse.Namespace) -> int:
    """It looks at the file and the disk; a process that ended is noticed by whatever started it."""
    try:
        database = from_environment(need_token=False).database
        if not database.exists():
            raise Failure(f"{database} does not exist. The bot makes it when it starts.")
        check_database(database)
        asyncio.run(_opens(database))
    except (SettingsError, Unavailable) as error:
        raise Failure(str(error)) from error
    print(f"{database} can be read and written.")
    return 0


async def _opens(database: Path) -> None:
    async with Store.open(database):
        pass
