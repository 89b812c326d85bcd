"""The board's server: pages, parts, live news and presses, over HTTP beside the bot.

Whoever comes with a link gets a session for one game as one person; everything else asks for that session. What is sent
is made of the session's own view alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from aiohttp import web

from board import acting, drawing, page, past, place
from board.assets import ASSETS
from board.limits import WATCHERS, Limits
from board.live import BREATH, Live
from board.markup import Html, el, said, text
from board.view import View, Views
from bot.core.errors import Outdated, TableError, explain
from bot.core.passes import SESSION_LASTS, Pass, Signer
from bot.core.table import Table
from bot.core.tables import Tables
from bot.rooms.turn.doing import Agrees, Press
from engine.errors import BadAction, Refused

log = logging.getLogger("tetsudo.board")
COOKIE = "board"
LARGEST = 32 * 1024
"""Bytes of a request."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {frames}"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
NO_SESSION = "This board needs a link of your own: press More… and Open the board in the game's channel."
BAD_LINK = "This link is no longer good. Press More… and Open the board in the game's channel for a new one."
TOO_FAST = "That is more than the bot can follow. Wait a moment, then try again."
FOREIGN = "This request does not come from the board. Reload the page."


class Host(Protocol):
    """What the board needs of the bot."""

    @property
    def tables(self) -> Tables:
        """The games."""

    def wake(self) -> None:
        """Get what was stored sent."""


Epoch = Callable[[int], Awaitable[int]]
"""Tells the number that a person's passes must have."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A request with its session: who looks at which table."""

    given: Pass
    table: Table


class Board:
    """The application, for as long as the bot runs."""

    def __init__(
        self, host: Host, epoch: Epoch, agrees: Agrees, signer: Signer, *, origin: str = "", frames: str = "'none'"
    ) -> None:
        """`origin` is where people reach it, by default wherever they say; `frames`: who may show it within a page."""
        self.host, self.epoch, self.agrees, self.signer = host, epoch, agrees, signer
        self.origin, self.secure = origin, origin.startswith("https:")
        self.live = Live(host.tables)
        self.views = Views()
        self.limits = Limits()
        self._headers = {name: value.replace("{frames}", frames) for name, value in HEADERS.items()}
        self._open: set[asyncio.Task[Any]] = set()
        self.viewers: Callable[[Pass], Html | None] = lambda given: None
        """What stands above the page, where one person may look as several."""

    def app(self) -> web.Application:
        """The application to serve."""
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        at = "/b/{game}/{who}"
        app.router.add_get("/static/{version}/{name}", ASSETS.serve)
        app.router.add_get("/open/{token}", self._enter)
        app.router.add_get(at + "/", self._page)
        app.router.add_get(at + "/live", self._news)
        app.router.add_get(at + "/parts", self._parts)
        app.router.add_get(at + "/hex/{hex}", self._hex)
        app.router.add_get(at + "/undo", self._undo_question)
        app.router.add_get(at + "/at/{number:[0-9]{1,6}}", self._at)
        app.router.add_get(at + "/chart/{name}.png", self._chart)
        app.router.add_get(at + "/rules", self._rules)
        for name, handler in {
            "act": self._act, "end": self._end, "offer": self._offer, "undo": self._undo, "routes": self._routes,
        }.items():  # fmt: skip
            app.router.add_post(f"{at}/{name}", handler)
        app.on_shutdown.append(self._stop)
        return app

    async def _stop(self, app: web.Application) -> None:
        for task in tuple(self._open):
            task.cancel()
        await self.live.close()

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Every answer has the headers that keep others out, every error a sentence."""
        try:
            answer = await handler(request)
        except web.HTTPException as error:
            words = error.text or error.reason
            answer = error if error.status < 400 else self._failure(request, words, error.status)
        except Exception as error:
            answer = self._explained(request, error)
        if not answer.prepared:
            for name, value in self._headers.items():
                answer.headers.setdefault(name, value)
        return answer

    def _explained(self, request: web.Request, error: Exception) -> web.Response:
        known = explain(error)
        if known is None:
            incident = secrets.token_hex(4)
            log.error("incident %s", incident, exc_info=error, extra={"incident": incident})
            return self._failure(request, f"Sorry, something went wrong on my side. (Incident {incident})", 500)
        rule = error.rule if isinstance(error, Refused) else ""
        words = error.text if isinstance(error, Refused) else known
        return self._failure(request, words, 409 if isinstance(error, Outdated) else 422, rule)

    def _failure(self, request: web.Request, words: str, status: int, rule: str = "") -> web.Response:
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return web.Response(text=page.plain("Tetsudo", words), content_type="text/html", status=status)
        body = {"error": text([said(words), el("small", f"Rule {rule}") if rule else None])}
        return web.json_response(body, status=status)

    # Who it is

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """Exchange a link for a session."""
        now = self.host.tables.store.clock()
        given = self.signer.read(request.match_info["token"], "open", now)
        if given is None or given.epoch != await self.epoch(given.user):
            raise web.HTTPForbidden(text=BAD_LINK)
        at = f"/b/{given.game}/{given.who}/"
        stays = Pass(given.user, given.game, now + SESSION_LASTS, given.epoch)
        answer = web.Response(status=303, headers={"Location": at})
        answer.set_cookie(
            COOKIE, self.signer.sign(stays, "stay"), path=at, max_age=SESSION_LASTS, httponly=True, secure=self.secure,
            samesite="Lax",
        )  # fmt: skip
        return answer

    async def _seen(self, request: web.Request, cost: float = 1.0) -> Seen:
        """The session of a request, and its table up to date. Raises HTTPForbidden, HTTPTooManyRequests, TableError."""
        given = self.signer.read(request.cookies.get(COOKIE, ""), "stay", self.host.tables.store.clock())
        asked = request.match_info["game"], request.match_info["who"]
        if given is None or asked != (given.game, given.who) or given.epoch != await self.epoch(given.user):
            raise web.HTTPForbidden(text=NO_SESSION)
        key = str(given.user) if given.user else f"watch {request.remote}"  # behind a proxy, that of all who watch
        if not self.limits.allows(key, cost if given.user else cost / WATCHERS):
            raise web.HTTPTooManyRequests(text=TOO_FAST)
        return Seen(given, await self.host.tables.get(given.game))

    def csrf(self, given: Pass) -> str:
        """What a page of this session sends with each press."""
        return self.signer.mac(self.signer.sign(given, "stay"), "csrf")

    async def _pressed(self, request: web.Request) -> tuple[Seen, dict[str, Any]]:
        """The session and the body of a press. Raises HTTPForbidden for one that is not of our own page."""
        seen = await self._seen(request, 3.0)
        origin = request.headers.get("Origin", "")
        ours = origin == (self.origin or f"http://{request.host}")
        token = request.headers.get("X-Board", "")
        if not ours or not secrets.compare_digest(token.encode(), self.csrf(seen.given).encode()):
            raise web.HTTPForbidden(text=FOREIGN)
        try:
            body = await request.json()
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadAction("The page sent something that makes no sense. Reload it.") from error
        if not isinstance(body, dict):
            raise BadAction("The page sent something that makes no sense. Reload it.")
        return seen, body

    def _press(self, seen: Seen, body: dict[str, Any]) -> Press:
        if not seen.given.user:
            raise TableError("You only watch here: nothing can be done on this board.")
        number = -1 - acting.number(body, "id")  # Discord's own are positive
        return Press(seen.given.user, acting.number(body, "seen"), number, body.get("sure") is True)

    # Seeing

    async def _page(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 4.0)
        view = await self.views.of(seen.table, seen.given.user)
        words = page.document(
            seen.table.position, view, csrf=self.csrf(seen.given), may_act=bool(seen.given.user),
            viewers=self.viewers(seen.given),
        )  # fmt: skip
        answer = web.Response(text=words, content_type="text/html")
        answer.enable_compression()
        return answer

    async def _parts(self, request: web.Request) -> web.Response:
        seen = await self._seen(request)
        return self._json(await self._difference(seen, request.query.get("stamp", "")))

    async def _difference(self, seen: Seen, stamp: str) -> dict[str, Any]:
        view: View = await self.views.of(seen.table, seen.given.user)
        return {"seq": view.seq, "stamp": view.stamp, "parts": view.since(self.views.before(stamp))}

    def _json(self, body: dict[str, Any]) -> web.Response:
        answer = web.json_response(body)
        answer.enable_compression()
        return answer

    async def _hex(self, request: web.Request) -> web.Response:
        seen = await self._seen(request)
        view = await self.views.of(seen.table, seen.given.user)
        viewer = seen.table.viewer_for(seen.given.user)
        made = await place.sheet(seen.table.position, view.asked, viewer, request.match_info["hex"])
        return self._json({"html": made, "seq": view.seq})

    async def _at(self, request: web.Request) -> web.Response:
        """The game as it was after so many moves."""
        seen = await self._seen(request)
        number = int(request.match_info["number"])
        return self._json({"parts": await seen.table.work.do(past.at, seen.table, seen.given.user, number)})

    async def _chart(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 4.0)
        drawn = await past.chart(seen.table, seen.given.user, request.match_info["name"])
        return web.Response(body=drawn, content_type="image/png")

    async def _rules(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 2.0)
        words = request.query.get("q", "")[:80]
        return self._json({"html": await seen.table.work.do(past.rules, seen.table.game.title, words)})

    async def _news(self, request: web.Request) -> web.StreamResponse:
        """Tells as long as the page listens that there is something new to fetch."""
        seen = await self._seen(request)
        if not self.limits.opens(seen.given.user):
            raise web.HTTPTooManyRequests(text=TOO_FAST)
        answer = web.StreamResponse(
            headers={**self._headers, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await answer.prepare(request)
            async with self._following(seen.given.game) as event:
                await self._tell(answer, event, seen.given)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the page was closed, or the bot stops: it connects again
        finally:
            self._open.discard(task)
            self.limits.closes(seen.given.user)
        return answer

    @asynccontextmanager
    async def _following(self, game: str) -> AsyncIterator[asyncio.Event]:
        try:
            async with self.live.follow(game) as event:
                yield event
        finally:
            if not self.live.on(game):
                self.views.forget(game)

    async def _tell(self, answer: web.StreamResponse, event: asyncio.Event, given: Pass) -> None:
        """Tell of news until the page is closed or its session is taken back."""
        await answer.write(b"retry: 1000\nevent: news\ndata: 0\n\n")
        while given.epoch == await self.epoch(given.user):
            word = b"event: news\ndata: 1\n\n"
            try:
                await asyncio.wait_for(event.wait(), BREATH)
            except TimeoutError:
                word = b": still here\n\n"
            event.clear()
            await answer.write(word)

    # Acting

    async def _act(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        actions = acting.read(body.get("actions"))
        answer = await acting.act(seen.table, actions, self._press(seen, body), self.agrees)
        return await self._done(seen, body, answer)

    async def _end(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        press = self._press(seen, body)
        seen.table.check_seen(press.seen)
        actions = await acting.end_of_turn(seen.table, press.user)
        return await self._done(seen, body, await acting.act(seen.table, actions, press, self.agrees))

    async def _offer(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        offer, accept = acting.number(body, "offer"), body.get("accept") is True
        return await self._done(
            seen, body, await acting.answer_offer(seen.table, offer, accept, self._press(seen, body))
        )

    async def _undo_question(self, request: web.Request) -> web.Response:
        seen = await self._seen(request)
        if not seen.given.user:
            raise TableError("You only watch here: nothing can be done on this board.")
        return self._json({"html": acting.undo_question(seen.table, seen.given.user).said})

    async def _undo(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        way, row = str(body.get("way", "")), acting.number(body, "row")
        return await self._done(seen, body, await acting.undo(seen.table, way, row, self._press(seen, body)))

    async def _routes(self, request: web.Request) -> web.Response:
        """What the drawn routes earn, or the best ones to begin with."""
        seen, body = await self._pressed(request)
        view = await self.views.of(seen.table, seen.given.user)
        position = seen.table.position
        if view.asked is None or not view.asked.proposals:
            raise TableError("There are no trains to run now.")
        seat, best = view.asked.seat, view.asked.proposals[0].action
        if body.get("trains") is None:
            row = position.table().company(best.corp)
            trains = drawing.begin(position, seat, best.routes, row.trains if row else ())
            body["trains"] = trains
        trains_drawn = drawing.read(body["trains"])
        made = await position.work.do(drawing.drawn, position, seat, best.corp, trains_drawn)
        return self._json({**made.to_json(), "trains": [train for train, _ in trains_drawn], "seq": view.seq})

    async def _done(self, seen: Seen, body: dict[str, Any], answer: acting.Answer) -> web.Response:
        """What came of a press, with what it changed on the page."""
        self.host.wake()
        if answer.question:
            return self._json({"question": answer.said})
        table = await self.host.tables.get(seen.given.game)
        changed = await self._difference(Seen(seen.given, table), str(body.get("stamp", "")))
        return self._json({"said": answer.said, **changed})


@asynccontextmanager
async def serving(
    app: web.Application, address: str, port: int, *, taken: Callable[[str], Exception] = OSError
) -> AsyncIterator[int]:
    """Serve the application there; yields the port. Raises `taken` with a sentence where that cannot be."""
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, address, port).start()
        except OSError as error:
            raise taken(f"The board cannot be served at {address}:{port}: {error.strerror}.") from error
        yield int(runner.addresses[0][1])
    finally:
        with suppress(asyncio.CancelledError):
            await runner.cleanup()
