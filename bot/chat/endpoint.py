"""Where Discord sends interactions over HTTP, if the host wants that: what it has signed is believed, nothing else.

It is told with 202 that one came; the answers go where those to interactions of the gateway go.
"""

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

from aiohttp import web

from bot import metrics
from bot.chat.arrivals import Arrivals, NotReady
from bot.chat.figures import site
from bot.settings import Endpoint, SettingsError

log = logging.getLogger("tetsudo.endpoint")
PATH = "/interactions"
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
            log.warning("a signed request is %s s old: is the clock of this machine right?", age)
            raise Forged("stale")
        try:
            read = json.loads(body)
            if read["type"] not in (PING, *KINDS) or not str(read["id"]).isdecimal():
                raise ValueError(read["type"])
        except (ValueError, TypeError, KeyError) as error:
            raise Forged("unreadable") from error
        return dict(read)


class Receiving(Protocol):
    """The bot, as far as interactions come to it over HTTP."""

    arrivals: Arrivals

    def clock(self) -> int:
        """Whole seconds since 1970, UTC."""


@asynccontextmanager
async def receiving(bot: Receiving, endpoint: Endpoint | None) -> AsyncIterator[None]:
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
    app.router.add_post(PATH, post)
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
