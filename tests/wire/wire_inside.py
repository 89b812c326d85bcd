"""The board inside Discord, without a browser: what the page in the frame sends for a person at the stand-in."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from wire_play import Party, party
from wire_process import BotProcess
from wire_rest import CLIENT_SECRET
from wire_server import Server
from wire_world import Account

FRAME = {"Accept": "text/html"}


@dataclass(eq=False)
class Club:
    """A game at the stand-in, whose bot serves a board that opens inside Discord too."""

    server: Server
    table: Party
    bot: BotProcess
    board: str
    http: aiohttp.ClientSession

    @property
    def origin(self) -> str:
        return f"https://{self.server.world.bot.id}.discordsays.com"

    def launch(self, *people: Account) -> str:
        """An instance in the channel of the game, with these people."""
        return self.server.world.launch(self.table.channel, *people)

    async def page(self, instance: str) -> dict[str, str]:
        """What the page in the frame was given."""
        async with self.http.get(f"{self.board}/", params={"instance_id": instance}, headers=FRAME) as answer:
            assert answer.status == 200
            return dict(re.findall(r'data-(\w+)="([^"]*)"', await answer.text()))

    async def enter(self, given: dict[str, str], code: str, **changed: str) -> tuple[int, dict[str, Any], str]:
        """Send the code, as the page does: status, body and the cookie that was set."""
        sent = {"code": code, "state": given["state"], "instance": given["instance"]} | changed
        origin = {"Origin": sent.pop("origin", self.origin)}
        async with self.http.post(f"{self.board}/inside", json=sent, headers=origin) as answer:
            return answer.status, await answer.json(), answer.headers.get("Set-Cookie", "")

    async def opened(self, person: Account) -> tuple[str, str]:
        """The address of the board that opens for somebody who takes part, and the cookie to send there."""
        given = await self.page(self.launch(person))
        status, body, cookie = await self.enter(given, self.server.world.code(person, given["challenge"]))
        assert status == 200, body
        return body["at"], cookie.partition(";")[0]


@asynccontextmanager
async def club(folder: Path, port: int) -> AsyncIterator[Club]:
    """The whole of it, with a game that has begun."""
    async with Server() as server:
        server.world.embed()
        table = await party(server, folder / "games.sqlite3")
        settings = {
            "TETSUDO_BOARD": str(port), "TETSUDO_BOARD_URL": "https://board.example",
            "DISCORD_CLIENT_ID": str(server.world.bot.id), "DISCORD_CLIENT_SECRET": CLIENT_SECRET,
        }  # fmt: skip
        async with BotProcess(server, table.database, real=False, **settings) as bot:
            await table.begin()
            async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
                yield Club(server, table, bot, f"http://127.0.0.1:{port}", http)
        assert CLIENT_SECRET not in bot.log()
