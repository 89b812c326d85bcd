"""Interactions that come over HTTP: each is done once, by whoever serves its server, and acknowledged in time.

Where processes share the shards, whoever receives one keeps it in the database, and whoever serves its server takes it
from there. If nobody does in time, because the one who did has just died, another *borrows* it: it lets the room begin,
which acknowledges the press or opens its form, and then leaves the rest to whoever takes over. What somebody took and
has not done when they end is taken anew; the storage refuses what they had done.

Discord sends them here if the host wants that; what it has signed is believed, nothing else. It is told with 202 that
one came, and the answers go where those to interactions of the gateway go.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from aiohttp import web

from bot import metrics
from bot.chat.connection import Connection
from bot.chat.health import site
from bot.settings import Endpoint, SettingsError
from storage import InboxItem, LeaseLost, Unavailable

if TYPE_CHECKING:
    from storage.postgres.inbox import Inbox

log = logging.getLogger("tetsudo.inbox")
door = logging.getLogger("tetsudo.endpoint")
EVERY = 0.25
"""Seconds between two looks at what nobody has told of: what is free again, or waits for too long."""
PATIENCE = 1.0
"""Seconds that keeping an interaction may take, of the three that Discord waits."""
PRUNED = 30.0
REMEMBERED = 60.0
"""Seconds for which this process knows what came to it."""
AUTOCOMPLETE, LAUNCHES = 4, 4
"""Discord's numbers: a type of interaction, and the type of the command that launches the Activity."""


class NotReady(Exception):
    """This process cannot answer anybody now; others may."""


class Receiver(Connection, Protocol):
    """The bot, as far as interactions come to it."""

    arrivals: Arrivals

    def interacted(self, body: dict[str, Any]) -> Collection[asyncio.Task[Any]]: ...


@dataclass(slots=True)
class Came:
    """An interaction that is under way here."""

    at: float
    """When it came to whichever process, by this one's `time.monotonic()`."""
    kept: bool
    """Whether others take it if this process does not do it."""
    borrowed: bool = False
    """Whether it is only acknowledged here."""
    again: bool = False
    """Whether another process may have begun with it."""
    left: bool = False
    """Whether the rest was left to others."""


class Arrivals:
    """What came over HTTP, and is under way in this process."""

    def __init__(self, bot: Receiver) -> None:
        self._bot = bot
        self._kept: Inbox | None = None
        self._ready = False
        self._under_way: dict[int, Came] = {}
        self._lately: dict[int, float] = {}
        """When interactions came to this process."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard = asyncio.Event()

    def open(self, kept: Inbox | None) -> None:
        """Do what comes from now on; `kept` where processes share it."""
        self._kept, self._ready = kept, True
        if kept is not None:
            self._do(self._look_after(kept))

    def close(self) -> None:
        """Begin with nothing more."""
        self._ready = False
        for task in self._tasks:
            task.cancel()

    def wake(self) -> None:
        """Look for what is ours at once."""
        self._heard.set()

    # What comes

    async def keep(self, body: dict[str, Any], text: str) -> InboxItem | None:
        """Note that an interaction came; None if it came before. Raises NotReady where nobody would do it."""
        number, guild = int(body["id"]), int(body.get("guild_id") or 0) or None
        self._forget_old()
        if number in self._lately:
            return None
        if not self._ready or not self._bot.requests.may():
            raise NotReady
        item = InboxItem(number, text)
        if self._kept is None or _at_once(body):
            self._under_way[number] = Came(time.monotonic(), kept=False)
        else:
            ours = self._bot.is_ours(guild)
            try:
                async with asyncio.timeout(PATIENCE):
                    if not await self._kept.keep(number, guild, text, ours=ours):
                        return None
            except (Unavailable, TimeoutError) as error:
                log.warning("not kept: %s", str(error) or "the database does not answer")
                ours = False  # it says itself that nothing can be done
                self._under_way[number] = Came(time.monotonic(), kept=False)
            if ours:
                self._under_way[number] = Came(time.monotonic(), kept=True)
        self._lately[number] = time.monotonic()
        return item

    async def begin(self, item: InboxItem) -> None:
        """Do it, or tell whoever serves it that it came, once Discord knows that it did."""
        if item.id in self._under_way:
            self._feed(item, self._under_way[item.id])
        elif self._kept is not None:
            with suppress(Unavailable):  # they look themselves, too
                await self._kept.tell()

    def _feed(self, item: InboxItem, came: Came) -> None:
        self._under_way[item.id] = came
        metrics.INBOX.labels("borrowed" if came.borrowed else "served" if came.kept else "at once").inc()
        try:
            tasks = self._bot.interacted(json.loads(item.body))
        except Exception:
            log.exception("an interaction that cannot be read", extra={"interaction": item.id})
            tasks = ()
        self._do(self._finish(item.id, came, tasks))

    async def _finish(self, number: int, came: Came, tasks: Collection[asyncio.Task[Any]]) -> None:
        if tasks:
            await asyncio.wait(tasks)
        while came.kept and self._kept is not None:
            try:
                await (self._kept.leave(number) if came.left else self._kept.done(number))
                break
            except Unavailable:
                await asyncio.sleep(1)
        if self._under_way.get(number) is came:
            del self._under_way[number]

    # What rooms' answers ask

    def came(self, number: int) -> Came | None:
        """The interaction, if it came over HTTP and is under way here."""
        return self._under_way.get(number)

    def leave(self, number: int) -> bool:
        """Leave an interaction to whoever serves it; False if nobody else would do it."""
        came = self._under_way.get(number)
        if came is None or not came.kept:
            return False
        came.left = True
        return True

    # What nobody has done

    async def _look_after(self, kept: Inbox) -> None:
        pruned = time.monotonic()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._heard.wait()
            self._heard.clear()
            try:
                await self._look(kept)
                if time.monotonic() - pruned > PRUNED:
                    pruned = time.monotonic()
                    await kept.prune()
            except (Unavailable, OSError) as error:
                log.debug("the inbox cannot be read: %s", error)
            except Exception:
                log.exception("looking into the inbox")

    async def _look(self, kept: Inbox) -> None:
        """Do what is ours and free, and borrow what waits for too long. Raises Unavailable."""
        serving = self._bot.serving
        if serving is None or not self._bot.requests.may():
            return
        with suppress(LeaseLost):
            for item in await kept.take(serving):
                self._feed(item, Came(time.monotonic() - item.age, kept=True, again=True))
        for item in await kept.borrow():
            self._feed(item, Came(time.monotonic() - item.age, kept=True, borrowed=True, again=True))

    def _do(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget_old(self) -> None:
        now = time.monotonic()
        while self._lately and now - next(iter(self._lately.values())) > REMEMBERED:
            del self._lately[next(iter(self._lately))]


def _at_once(body: dict[str, Any]) -> bool:
    """Whether any process answers it, since it only looks, and later answers would be too late."""
    data = body.get("data") or {}
    return body.get("type") == AUTOCOMPLETE or (body.get("type") == 2 and data.get("type") == LAUNCHES)


# What Discord sends

LARGEST = 1 << 20
"""Bytes of an interaction."""
FRESH = 10.0
"""Seconds by which a request's time may differ from ours: Discord waits three for an answer."""
PING, PONG = 1, {"type": 1}
KINDS = (2, 3, 4, 5)
"""The types of interactions that something is done about."""


class Forged(Exception):
    """The request is not believed; the text says why in a word."""


class Checked:
    """What Discord has signed lately, with the key whose public half is known."""

    def __init__(self, key: bytes, clock: Callable[[], int]) -> None:
        """`clock`: seconds since 1970. Raises SettingsError where signatures cannot be checked."""
        try:
            from nacl.exceptions import BadSignatureError
            from nacl.signing import VerifyKey
        except ModuleNotFoundError as error:
            raise SettingsError(
                "TETSUDO_ENDPOINT needs the package PyNaCl: pip install 'tetsudo[endpoint]'."
            ) from error
        self._key, self._wrong, self._clock = VerifyKey(key), BadSignatureError, clock

    def read(self, signature: str, stamp: str, body: bytes) -> dict[str, Any]:
        """The interaction. Raises Forged."""
        try:
            signed, at = bytes.fromhex(signature), int(stamp)
            self._key.verify(stamp.encode() + body, signed)
        except (ValueError, self._wrong) as error:
            raise Forged("forged" if signature and stamp else "unsigned") from error
        if abs(age := self._clock() - at) > FRESH:
            door.warning("a signed request is %s s old: is the clock of this machine right?", age)
            raise Forged("stale")
        try:
            read = json.loads(body)
            if read["type"] not in (PING, *KINDS) or not str(read["id"]).isdecimal():
                raise ValueError(read["type"])
        except (ValueError, TypeError, KeyError) as error:
            raise Forged("unreadable") from error
        return dict(read)


@asynccontextmanager
async def receiving(bot: Receiver, endpoint: Endpoint | None) -> AsyncIterator[None]:
    """Take interactions at this host and port, if any. Raises SettingsError if that cannot be."""
    if endpoint is None:
        yield
        return
    checked = Checked(endpoint.key, bot.clock)

    async def post(request: web.Request) -> web.StreamResponse:
        signature, stamp = (request.headers.get(f"X-Signature-{name}", "") for name in ("Ed25519", "Timestamp"))
        body = await request.read() if signature and stamp else b""
        try:
            return await _received(bot.arrivals, request, checked.read(signature, stamp, body), body)
        except Forged as error:
            metrics.ENDPOINT_REFUSED.labels(str(error)).inc()
            return web.Response(status=400 if str(error) == "unreadable" else 401, text="invalid request signature")

    app = web.Application(client_max_size=LARGEST)
    app.router.add_post("/interactions", post)
    async with site(app, endpoint.place, "TETSUDO_ENDPOINT"):
        yield


async def _received(arrivals: Arrivals, request: web.Request, given: dict[str, Any], body: bytes) -> web.StreamResponse:
    if given["type"] == PING:
        return web.json_response(PONG)
    try:
        item = await arrivals.keep(given, body.decode())
    except NotReady:
        return web.Response(status=503)
    answer = web.Response(status=202)
    if item is None:  # a balancer may have tried another process before
        metrics.ENDPOINT_REFUSED.labels("replayed").inc()
        return answer
    try:
        await answer.prepare(request)
        await answer.write_eof()
    finally:
        await arrivals.begin(item)
    return answer
