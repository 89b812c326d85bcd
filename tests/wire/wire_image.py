"""Starts the bot of an image against the stand-in, and plays a turn: `.ci/image` calls this.

    python tests/wire/wire_image.py VERSION docker run --rm --network host -- IMAGE

Settings go between, as `--env NAME=VALUE`, and what is to be run after it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from wire_people import Person, answered, until  # noqa: E402
from wire_server import Server  # noqa: E402

PATIENCE = 180


def command(start: Sequence[str], image: str, run: Sequence[str], settings: dict[str, str]) -> list[str]:
    """What starts a program of the image with these settings."""
    return [*start, *(word for name, value in settings.items() for word in ("--env", f"{name}={value}")), image, *run]


def check_version(version: str, start: Sequence[str], image: str) -> None:
    """Raises AssertionError where another one is in the image."""
    asked = command(start, image, ["tetsudo", "--version"], {})
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"Tetsudo {version}"), said


async def check(start: Sequence[str], image: str) -> None:
    """Raises AssertionError, or NoAnswer, where the bot of the image does not play."""
    async with Server() as server:
        settings = server.environment("/data/tetsudo.sqlite3")
        process = await asyncio.create_subprocess_exec(*command(start, image, ["tetsudo", "bot"], settings))
        try:
            await until(
                server, lambda: server.identified > 0 or process.returncode is not None, PATIENCE, "a connection"
            )
            assert process.returncode is None, "the bot ended"
            await _play(server)
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()


async def _play(server: Server) -> None:
    """Two people begin a game; its first turn is shown with a picture."""
    guild = server.world.guild()
    channel = server.world.channel(guild, "rails")
    await server.dispatch("GUILD_CREATE", server.guild_payload(guild))
    host, guest = (Person(server, server.world.person(name)) for name in ("aiko", "ben"))
    await answered(server, await host.slash(channel, "game create", title="1889"))
    await answered(server, await guest.slash(channel, "game join"))
    await answered(server, await host.slash(channel, "game start"))
    await until(server, lambda: any(one.files for one in channel.messages.values()), PATIENCE, "a picture")
    assert not server.world.invalid, server.world.invalid


if __name__ == "__main__":
    version, *words = sys.argv[1:]
    number = words.index("--")
    check_version(version, words[:number], words[number + 1])
    asyncio.run(check(words[:number], words[number + 1]))
    print(f"Tetsudo {version}: the image starts, answers and draws.")
