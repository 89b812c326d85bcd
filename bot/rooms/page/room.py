"""Opening the board: inside Discord, by a link of one's own, or one for whoever only watches; and taking links back.

A link becomes a session; both are signed, and good for a time. The pass in them says who looks at which game and until
when. Nothing of it is stored: the signature is proof. What revokes all passes of a person is their `epoch`, a number
that goes up. Inside Discord, who has opened the board, and in which channel, is Discord's word, not the page's.
"""

import asyncio
import hashlib
import hmac
import logging
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import aiohttp
import discord
from discord.http import Route

from bot.chat.answers import acknowledge, launch
from bot.chat.press import Press
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.errors import TableError
from bot.settings import Activity, Settings
from storage import Store

LINK_LASTS = 15 * 60
"""Seconds for which a link opens the board."""
SESSION_LASTS = 30 * 24 * 3600
WATCHER = 0
"""Stands for whoever only watches."""
WATCH = "watch"
"""The same in paths."""

Use = Literal["open", "stay", "inside"]
"""A link that is opened, the session that follows, or one inside Discord."""
_FORM = re.compile(
    r"(?P<body>(?P<user>\d{1,20})\.(?P<game>[\w-]{1,40})\.(?P<until>\d{1,12})\.(?P<epoch>\d{1,9}))\.(?P<mac>[\w-]{22})"
)
NO_BOARD = "This bot has no board: its host has not set one up. Everything can be done here in the chat."
TAKEN_BACK = "✓ None of your links opens a board any more, and all your open boards are closed."
log = logging.getLogger("tetsudo.activity")
SECONDS = aiohttp.ClientTimeout(total=10)
LOOKS = (0.0, 0.5, 1.5)
"""Seconds before each look at who takes part: Discord may show the page before it counts its reader in."""
UNKNOWN = "Discord does not confirm who you are. Close the board, then open it again."
NOT_THERE = "Discord does not see you at a board in this channel. Close the board, then open it again there."
AWAY = "Discord cannot be asked who you are at the moment. Try again in a minute."


@dataclass(frozen=True, slots=True)
class BoardPass:
    """Who may look at a game as whom, until when (seconds since 1970)."""

    user: int
    game: str
    until: int
    epoch: int = 0

    @property
    def who(self) -> str:
        """As paths have it."""
        return str(self.user) if self.user else WATCH


class Signer:
    """Signs passes with the secret of the host."""

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.blake2b(secret, digest_size=32, person=b"tetsudo board").digest()

    def sign(self, given: BoardPass, use: Use) -> str:
        """The pass as it stands in a link or a cookie."""
        body = f"{given.user}.{given.game}.{given.until}.{given.epoch}"
        return f"{body}.{self.mac(body, use)}"

    def read(self, token: str, use: Use, now: int) -> BoardPass | None:
        """The pass, None if it is forged, for another use, or over."""
        match = _FORM.fullmatch(token)
        if match is None or not hmac.compare_digest(match["mac"], self.mac(match["body"], use)):
            return None
        given = BoardPass(int(match["user"]), match["game"], int(match["until"]), int(match["epoch"]))
        return given if now < given.until else None

    def mac(self, body: str, use: str) -> str:
        made = hashlib.blake2b(f"{use}\0{body}".encode(), digest_size=16, key=self._key).digest()
        return urlsafe_b64encode(made).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Doors:
    """Makes links to the board, which is at `url`; without one there is none."""

    store: Store
    url: str
    signer: Signer
    activity: Activity | None = None
    """Where Discord shows the board itself."""
    closing: list[Callable[[int], None]] = field(default_factory=list)
    """Are told of a person who takes all links back; other processes see it soon."""

    @classmethod
    def of(cls, store: Store, settings: Settings) -> "Doors":
        """As the host has set it up. The bot's token is the secret of its links."""
        return cls(store, settings.board_url, Signer(settings.token.encode()), settings.activity)

    def link(self, user: int, game: str, epoch: int = 0) -> str:
        """A link for a person, or for whoever only watches. Raises TableError."""
        if not self.url:
            raise TableError(NO_BOARD)
        lasts = LINK_LASTS if user else SESSION_LASTS
        return f"{self.url}/open/{self.signer.sign(BoardPass(user, game, self.store.clock() + lasts, epoch), 'open')}"

    async def epoch(self, user: int) -> int:
        """The number that the person's passes must have; those of watchers stay good."""
        return (await clockwork.person_of(self.store, user)).boards if user != WATCHER else 0

    async def screen(self, game: str, user: int) -> Screen:
        """Links to the board of a game, for one person. Raises TableError."""
        mine, others = self.link(user, game, await self.epoch(user)), self.link(WATCHER, game)
        lines = [
            f"### [Open the board]({mine})",
            f"The link is yours alone, and good for {LINK_LASTS // 60} minutes; then the board stays open in that "
            "browser. Do not pass it on; `/my board off:True` takes it back.",
            f"-# [This one]({others}) is for whoever only watches.",
        ]
        return Screen("\n".join(lines))

    async def opens(self, game: str, channel: int | None) -> bool:
        """Whether Discord, asked to open the board in the channel, opens that of this game."""
        if self.activity is None or channel is None:
            return False
        here = await self.store.game_in_channel(channel)
        return here is not None and here.id == game

    async def close(self, user: int) -> None:
        """Take back all links and boards of a person."""
        await clockwork.change_person(self.store, user, lambda one, now: replace(one, boards=one.boards + 1))
        for close in self.closing:
            close(user)


async def _open(given: Press) -> None:
    """Open the board inside Discord; where that cannot be, give a link."""
    doors = given.bot.its(Doors)
    if await doors.opens(given.game, given.interaction.channel_id) and await launch(given.interaction):
        return
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    await given.show(await doors.screen(table.game.id, given.user))


# Inside Discord


@dataclass(frozen=True, slots=True)
class Arrival:
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


ROOM = Room(presses={"page": _open}, keeps=lambda bot: (Doors.of(bot.store, bot.settings),))
