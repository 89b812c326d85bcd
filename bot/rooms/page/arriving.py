"""The board inside Discord: who has opened it there, and in which channel. Both are Discord's word, not the page's."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.core.errors import TableError
from bot.settings import Activity

log = logging.getLogger("tetsudo.activity")
SECONDS = aiohttp.ClientTimeout(total=10)
LOOKS = (0.0, 0.5, 1.5)
"""Seconds before each look at who takes part: Discord may show the page before it counts its reader in."""
UNKNOWN = "Discord does not confirm who you are. Close the board, then open it again."
NOT_THERE = "Discord does not find you at a board in this channel. Close the board, then open it again there."
AWAY = "Discord cannot be asked who you are at the moment. Try again in a minute."


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who has opened the board, and in which channel."""

    user: int
    channel: int


class Arrivals:
    """Asks Discord about them."""

    def __init__(self, client: discord.Client, activity: Activity) -> None:
        self._client, self._activity = client, activity

    async def of(self, code: str, verifier: str, instance: str) -> Arrival:
        """Whose code it is, and where the Activity runs in which they take part. Raises TableError."""
        try:
            user = await self._user(code, verifier)
            return Arrival(user, await self._channel(instance, user))
        except (aiohttp.ClientError, TimeoutError, discord.HTTPException) as error:
            log.warning("nobody can be let onto the board: %r", error)
            raise TableError(AWAY) from error

    async def _user(self, code: str, verifier: str) -> int:
        """Exchange the code for a token, with which nothing is asked but who it is."""
        given = {
            "client_id": str(self._activity.client),
            "client_secret": self._activity.secret,
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": verifier,
        }
        async with aiohttp.ClientSession(timeout=SECONDS) as session:
            async with session.post(f"{Route.BASE}/oauth2/token", data=given) as answer:
                token = await self._read(answer)
            bearer = {"Authorization": f"Bearer {token['access_token']}"}
            async with session.get(f"{Route.BASE}/users/@me", headers=bearer) as answer:
                return int((await self._read(answer))["id"])

    async def _read(self, answer: aiohttp.ClientResponse) -> Mapping[str, Any]:
        """What Discord says. Raises TableError for a code that is not good, else aiohttp.ClientError."""
        if answer.status == 400:
            raise TableError(UNKNOWN)
        if answer.status == 401:
            log.warning("Discord does not accept DISCORD_CLIENT_ID with DISCORD_CLIENT_SECRET")
        answer.raise_for_status()
        said: Mapping[str, Any] = await answer.json()
        return said

    async def _channel(self, instance: str, user: int) -> int:
        """Where the instance of the Activity runs. Raises TableError unless the person takes part in it."""
        where = Route(
            "GET", "/applications/{application_id}/activity-instances/{instance_id}",
            application_id=self._activity.client, instance_id=instance,
        )  # fmt: skip
        for wait in LOOKS:
            await asyncio.sleep(wait)
            try:
                found = await self._client.http.request(where)
            except discord.NotFound:
                continue
            if str(user) in found["users"]:
                return int(found["location"]["channel_id"])
        raise TableError(NOT_THERE)
