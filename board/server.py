"""The board's server: pages, parts, live news and presses, over HTTP beside the bot.

Whoever comes with a link gets a session for one game as one person; everything else asks for that session. What is sent
is made of the session's own view alone.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from aiohttp import web

from board import acting, drawing, live, page, past, place
from board.assets import ASSETS
from board.inside import LASTS as INSIDE_LASTS
from board.inside import Inside
from board.limits import WATCHERS, Limits
from board.live import BREATH, Live
from board.markup import Html, el, said, text
from board.view import View, Views
from bot.core.errors import DONE, Outdated, TableError, UnknownControl, explain
from bot.core.position import Scene
from bot.core.table import Table
from bot.core.tables import Tables
from bot.rooms.page.room import SESSION_LASTS, WATCH, BoardPass, Signer
from bot.rooms.past.room import film, must_have
from bot.rooms.past.workshop import Films
from bot.rooms.trying.lines import Dropped, TryOut, TryOuts
from bot.rooms.turn.deals import Agrees, Submission
from engine import Action, BadAction, Refused
from storage import LeaseLost, Unavailable

log = logging.getLogger("tetsudo.board")
COOKIE = "board"
FRAMED = web.RequestKey("framed", bool)
"""Marks a request whose answer Discord may show in its frame."""
ENTERING = 5.0
"""What letting somebody in costs of the allowance that all have together who are not known yet."""
LAUNCHED = 3 * ENTERING
"""What it costs of that of one launch of the Activity, whose people cannot take all."""
LARGEST = 32 * 1024
"""Bytes of a request."""
WATCHED = 4
"""How many requests of watchers are answered at a time."""
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
STATUSES: dict[type[Exception], int] = {Outdated: 409, LeaseLost: 421, Unavailable: 503}
"""What the page is told in numbers, since it does something about it: it fetches, tries elsewhere, or later."""
NO_SESSION = "This board needs a link of your own: press More… and Open the board in the game's channel."
BAD_LINK = "This link is no longer good. Press More… and Open the board in the game's channel for a new one."
TOO_FAST = "That was too much at once. Wait a moment, then try again."
WATCHING = "You are only watching: nothing can be done on this board."
FOREIGN = "This request does not come from the board. Reload the page."


T = TypeVar("T")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Host(Protocol):
    """What the board needs of the bot."""

    @property
    def tables(self) -> Tables:
        """The games."""

    def its(self, kind: type[T]) -> T:
        """What it keeps of this type for as long as it runs."""

    def wake(self) -> None:
        """Get what was stored sent."""


Epoch = Callable[[int], Awaitable[int]]
"""Tells the number that a person's passes must have."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request with its session: who looks at which table, or at which line of theirs."""

    given: BoardPass
    table: Table
    scene: Scene

    @property
    def user(self) -> int:
        """Who looks. Raises TableError for those without a name."""
        if not self.given.user:
            raise TableError(WATCHING)
        return self.given.user


class BoardApp:
    """The application, for as long as the bot runs."""

    def __init__(
        self, host: Host, epoch: Epoch, agrees: Agrees, signer: Signer, *, origin: str = "", frames: str = "'none'",
        inside: Inside | None = None,
    ) -> None:  # fmt: skip
        """`origin` is where people reach it, by default wherever they say; `frames`: who may show it within a page.

        With `inside` it opens inside Discord too, where pages and sessions of their own are framed, and no others.
        """
        self.host, self.epoch, self.agrees, self.signer, self.inside = host, epoch, agrees, signer, inside
        self.origin, self.secure = origin, origin.startswith("https:")
        self.lines = host.its(TryOuts)
        self.live = Live(host.tables)
        self.views = Views(lambda: self.live.boards)
        self.limits = Limits()
        self._watching = asyncio.Semaphore(WATCHED)
        self._headers = _headers(frames)
        self._inside = _headers(inside.frames if inside is not None else frames)
        self._open: dict[asyncio.Task[Any], int] = {}
        """What tells each open board, and whose it is."""
        self.viewers: Callable[[BoardPass], Html | None] = lambda given: None
        """What stands above the page, where one person may look as several."""

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        at = "/b/{game}/{who}"
        app.router.add_get("/static/{version}/{name}", ASSETS.serve)
        app.router.add_get("/open/{token}", self._enter)
        seen = {
            "": self._page, "live": self._news, "parts": self._parts, "hex/{hex}": self._hex,
            "hex/{hex}/runs": self._runs, "ask/{what}": self._ask, "at/{number:[0-9]{1,6}}": self._at,
            "chart/{name}.png": self._chart, "film.gif": self._film, "rules": self._rules,
        }  # fmt: skip
        done = {
            "act": self._act, "end": self._end, "offer": self._offer, "undo": self._undo, "routes": self._routes,
            "line": self._line, "stop": self._stop_running_out,
        }  # fmt: skip
        for where in (at, at + "/line/{line:[0-9]{1,12}}"):
            for name, handler in seen.items():
                app.router.add_get(f"{where}/{name}", handler if name in ("", "live") else self._in_turn(handler))
            for name, handler in done.items():
                app.router.add_post(f"{where}/{name}", handler)
        if self.inside is not None:
            app.router.add_get("/", self._doorway)
            app.router.add_post("/inside", self._enter_inside)
        app.on_shutdown.append(self._stop)
        return app

    def close(self, user: int) -> None:
        """End what tells the boards of somebody whose session is taken back: they ask again, and are told why."""
        for task, whose in tuple(self._open.items()):
            if whose == user:
                task.cancel()

    def _in_turn(self, handler: Handler) -> Handler:
        """Answers few at a time of those without a name, whom nothing tells apart: all games share the threads."""

        async def handle(request: web.Request) -> web.StreamResponse:
            if request.match_info["who"] != WATCH:
                return await handler(request)
            async with self._watching:
                return await handler(request)

        return handle

    async def _stop(self, app: web.Application) -> None:
        for task in tuple(self._open):
            task.cancel()
        await self.live.close()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every answer has the headers that keep others out, every error a sentence."""
        try:
            answer = await handler(request)
        except web.HTTPException as error:
            words = error.text or error.reason
            answer = error if error.status < 400 else self._failure(request, words, error.status)
        except Exception as error:
            answer = self._explained(request, error)
        if not answer.prepared:
            for name, value in (self._inside if request.get(FRAMED) else self._headers).items():
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
        status = next((code for kind, code in STATUSES.items() if isinstance(error, kind)), 422)
        return self._failure(request, words, status, rule)

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
        stays = BoardPass(given.user, given.game, now + SESSION_LASTS, given.epoch)
        answer = web.Response(status=303, headers={"Location": _place(given)})
        answer.set_cookie(
            COOKIE, self.signer.sign(stays, "stay"), path=_place(given), max_age=SESSION_LASTS, httponly=True,
            secure=self.secure, samesite="Lax",
        )  # fmt: skip
        return answer

    async def _doorway(self, request: web.Request) -> web.Response:
        """The page that Discord frames."""
        assert self.inside is not None
        request[FRAMED] = True
        words = self.inside.page(request.query.get("instance_id", ""), self.host.tables.store.clock())
        policy = f"{self._inside['Content-Security-Policy']}; frame-src 'self'"
        return web.Response(text=words, content_type="text/html", headers={"Content-Security-Policy": policy})

    async def _enter_inside(self, request: web.Request) -> web.Response:
        """Open a session, inside Discord alone, for whoever Discord says it is, and the game of where it says."""
        assert self.inside is not None
        if request.headers.get("Origin") != self.inside.activity.origin:
            raise web.HTTPForbidden(text=FOREIGN)
        body, now = await _body(request), self.host.tables.store.clock()
        code, state, instance = (str(body.get(name, ""))[:500] for name in ("code", "state", "instance"))
        self.inside.good_until(state, instance, now)  # what is made up takes from nobody's allowance
        if not (self.limits.allows(f"inside {instance}", LAUNCHED) and self.limits.allows("inside", ENTERING)):
            raise web.HTTPTooManyRequests(text=TOO_FAST)
        came = await self.inside.arrival(code, state, instance, now)
        table = await self.host.tables.in_channel(came.channel)
        given = BoardPass(came.user, table.game.id, now + INSIDE_LASTS, await self.epoch(came.user))
        kept = f"{COOKIE}={self.signer.sign(given, 'inside')}; Path={_place(given)}; Max-Age={INSIDE_LASTS}"
        limits = "HttpOnly; Secure; SameSite=None; Partitioned"  # the last only newer Pythons know
        return web.json_response({"at": _place(given)}, headers={"Set-Cookie": f"{kept}; {limits}"})

    def _session(self, request: web.Request) -> BoardPass | None:
        """The pass that a request's cookie holds. Unless it came by a link, Discord may frame what is answered."""
        token, now = request.cookies.get(COOKIE, ""), self.host.tables.store.clock()
        given = self.signer.read(token, "stay", now)
        if given is None and self.inside is not None:
            request[FRAMED] = True
            given = self.signer.read(token, "inside", now)
        return given

    async def _seen(self, request: web.Request, cost: float = 1.0) -> Visit:
        """The session of a request, and its table up to date. Raises HTTPForbidden, HTTPTooManyRequests, TableError."""
        given = self._session(request)
        asked = request.match_info["game"], request.match_info["who"]
        if given is None or asked != (given.game, given.who) or given.epoch != await self.epoch(given.user):
            raise web.HTTPForbidden(text=NO_SESSION)
        key = str(given.user) if given.user else f"watch {request.remote}"  # behind a proxy, that of all who watch
        if not self.limits.allows(key, cost if given.user else cost / WATCHERS):
            raise web.HTTPTooManyRequests(text=TOO_FAST)
        table = await self.host.tables.get(given.game)
        return Visit(given, table, await self._scene(table, given, request))

    async def _scene(self, table: Table, given: BoardPass, request: web.Request) -> Scene:
        """The table, or the line that the address names. Raises TableError."""
        line = request.match_info.get("line")
        return table if line is None else await self.lines.get(given.game, int(line), given.user)

    def csrf(self, given: BoardPass) -> str:
        """What a page of this session sends with each press."""
        return self.signer.mac(self.signer.sign(given, "stay"), "csrf")

    async def _pressed(self, request: web.Request, cost: float = 3.0) -> tuple[Visit, dict[str, Any]]:
        """The session and the body of a press. Raises HTTPForbidden for one that is not of our own page."""
        seen = await self._seen(request, cost)
        own = self.inside.activity.origin if self.inside is not None and request.get(FRAMED) else self.origin
        ours = request.headers.get("Origin", "") == (own or f"http://{request.host}")
        token = request.headers.get("X-Board", "")
        if not ours or not secrets.compare_digest(token.encode(), self.csrf(seen.given).encode()):
            raise web.HTTPForbidden(text=FOREIGN)
        return seen, await _body(request)

    async def _press(self, seen: Visit, body: dict[str, Any]) -> Submission:
        """What a press asks for. Raises Outdated for one that is sent again, as its answer was lost on its way."""
        user, number = seen.user, -1 - acting.number(body, "id")  # Discord's own are positive
        if await self.host.tables.store.was_done(number):
            raise Outdated(DONE)
        return Submission(user, acting.number(body, "seen"), number, body.get("sure") is True)

    # Seeing

    async def _page(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 4.0)
        view = await self.views.of(seen.scene, seen.given.user)
        words = page.document(
            seen.scene.position, view, csrf=self.csrf(seen.given), may_act=bool(seen.given.user),
            viewers=self.viewers(seen.given),
        )  # fmt: skip
        answer = web.Response(text=words, content_type="text/html")
        answer.enable_compression()
        return answer

    async def _parts(self, request: web.Request) -> web.Response:
        seen = await self._seen(request)
        return self._json(await self._difference(seen, request.query.get("stamp", "")))

    async def _difference(self, seen: Visit, stamp: str) -> dict[str, Any]:
        view: View = await self.views.of(seen.scene, seen.given.user)
        return {"seq": view.seq, "stamp": view.stamp, "parts": view.since(self.views.before(stamp))}

    def _json(self, body: dict[str, Any]) -> web.Response:
        answer = web.json_response(body)
        answer.enable_compression()
        return answer

    async def _hex(self, request: web.Request) -> web.Response:
        seen = await self._seen(request)
        view = await self.views.of(seen.scene, seen.given.user)
        viewer = seen.scene.viewer_for(seen.given.user)
        made = await place.sheet(seen.scene.position, view.asked, viewer, request.match_info["hex"])
        return self._json({"html": made, "seq": view.seq})

    async def _runs(self, request: web.Request) -> web.Response:
        """What the tiles that may be laid on a hex do to the company's best run, in the order of its sheet."""
        seen = await self._seen(request, 2.0)
        view = await self.views.of(seen.scene, seen.given.user)
        return self._json({"runs": await place.runs(seen.scene.position, view.asked, request.match_info["hex"])})

    async def _ask(self, request: web.Request) -> web.Response:
        """What is said in a box above the page: why not, what an undo takes back, the person's lines, what follows."""
        seen = await self._seen(request, 2.0)
        answer = await acting.asked(seen.table, seen.scene, seen.user, request.match_info["what"], self.lines)
        return self._json({"html": answer})

    async def _at(self, request: web.Request) -> web.Response:
        """The game as it was after so many moves."""
        seen = await self._seen(request)
        number = int(request.match_info["number"])
        return self._json({"parts": await seen.table.work.do(past.at, seen.table, seen.given.user, number)})

    async def _chart(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 4.0)
        drawn = await past.chart(seen.table, seen.given.user, request.match_info["name"])
        return web.Response(body=drawn, content_type="image/png")

    async def _film(self, request: web.Request) -> web.Response:
        seen, part = await self._seen(request, 4.0), request.query.get("of", "")[:20]
        must_have(seen.table, part)
        made = await film(self.host.its(Films), seen.table, part, seen.given.user)
        return web.Response(body=made, content_type="image/gif")

    async def _rules(self, request: web.Request) -> web.Response:
        seen = await self._seen(request, 2.0)
        words = request.query.get("q", "")[:80]
        return self._json({"html": await seen.table.work.do(past.rules, seen.table.title, words)})

    async def _news(self, request: web.Request) -> web.StreamResponse:
        """Tells as long as the page listens that there is something new to fetch."""
        seen = await self._seen(request)
        if not self.limits.opens(seen.given.user):
            raise web.HTTPTooManyRequests(text=TOO_FAST)
        answer = web.StreamResponse(
            headers={**self._headers, **live.HEADERS[_zipped(request)], "Content-Type": "text/event-stream"}
        )
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = seen.given.user
        try:
            await answer.prepare(request)
            async with self._following(seen.given.game) as event:
                await self._tell(answer, event, request, seen.given)
        except (ConnectionError, TableError, Unavailable, asyncio.CancelledError):
            pass  # the page is closed, its line, session or database gone, or the bot stops: it comes again and is told
        finally:
            del self._open[task]
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

    async def _tell(
        self, answer: web.StreamResponse, event: asyncio.Event, request: web.Request, given: BoardPass
    ) -> None:
        """Send what changed on the page until it is closed, its line is gone or its session is over or taken back.

        Also where nothing did: answers to presses may have changed the page meanwhile, and it hears that we are here.
        """
        stamp, zipped = request.query.get("stamp", ""), _zipped(request)
        await answer.write(live.begin(zipped))
        clock = self.host.tables.store.clock
        while clock() < given.until and given.epoch == await self.epoch(given.user):
            event.clear()
            try:
                scene = await self._scene(await self.live.table(given.game), given, request)
            except Dropped as gone:
                await answer.write(live.told(json.dumps(text(said(str(gone)))), zipped, "over"))
                return
            view = await self.views.of(scene, given.user)
            await answer.write(self.views.news(stamp, view, zipped))
            stamp = view.stamp
            with suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), BREATH)

    # Acting

    async def _act(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        actions = acting.read(body.get("actions"))
        return await self._done(seen, body, await self._do(seen, actions, await self._press(seen, body)))

    async def _do(self, seen: Visit, actions: list[Action], press: Submission) -> acting.Reply:
        if isinstance(seen.scene, TryOut):
            return await acting.try_out(self.lines, seen.scene, actions, press)
        return await acting.act(seen.table, actions, press, self.agrees)

    async def _end(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        press = await self._press(seen, body)
        acting.must_be_at(seen.scene, press.seen)
        actions = await acting.end_of_turn(seen.scene, press.user)
        return await self._done(seen, body, await self._do(seen, actions, press))

    async def _offer(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        offer, accept = acting.number(body, "offer"), body.get("accept") is True
        return await self._done(
            seen, body, await acting.answer_offer(seen.table, offer, accept, await self._press(seen, body))
        )

    async def _undo(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        way, row = str(body.get("way", "")), acting.number(body, "row")
        return await self._done(seen, body, await acting.undo(seen.table, way, row, await self._press(seen, body)))

    async def _stop_running_out(self, request: web.Request) -> web.Response:
        seen, body = await self._pressed(request)
        return await self._done(seen, body, await acting.stop(seen.table, await self._press(seen, body)))

    async def _routes(self, request: web.Request) -> web.Response:
        """What the drawn routes earn, or the best ones to begin with."""
        seen, body = await self._pressed(request, 1.0)
        view = await self.views.of(seen.scene, seen.given.user)
        position = seen.scene.position
        if view.asked is None or not view.asked.proposals:
            raise TableError("There are no trains to run now.")
        seat, best = view.asked.seat, view.asked.proposals[0].action
        if body.get("trains") is None:
            trains = drawing.begin(position, best.routes, position.table().company(best.corp).trains)
        else:
            trains = drawing.read(body["trains"])
        made = await position.work.do(drawing.drawn, position, seat, best.corp, trains)
        return self._json({**made, "seq": view.seq})

    async def _line(self, request: web.Request) -> web.Response:
        """Begin a line, or change the one that is shown."""
        seen, body = await self._pressed(request)
        press, way = await self._press(seen, body), str(body.get("way", ""))
        if way == "drop":
            await self.lines.remove(seen.table, press.user, acting.number(body, "number"))
            return self._json({"html": await acting.asked(seen.table, seen.scene, press.user, "lines", self.lines)})
        if way == "new":
            return self._json({"go": f"line/{(await self.lines.begin(seen.table, press.user)).branch.id}/"})
        if not isinstance(seen.scene, TryOut):
            raise UnknownControl()
        if way == "fork":
            return self._json({"go": f"../{(await self.lines.fork(seen.scene)).branch.id}/"})
        return await self._done(seen, body, await acting.change_line(self.lines, seen.scene, way, press))

    async def _done(self, seen: Visit, body: dict[str, Any], answer: acting.Reply) -> web.Response:
        """What came of a press, with what it changed on the page."""
        self.host.wake()
        if answer.question:
            return self._json({"question": answer.said})
        table = await self.host.tables.get(seen.given.game)
        now = seen.scene
        try:
            scene = (
                await self.lines.get(table.id, now.branch.id, now.branch.user_id) if isinstance(now, TryOut) else table
            )
        except TableError:
            if body.get("way") != "follow":
                raise
            return self._json({"said": answer.said, "over": True})  # it has been played, and the game has gone on
        changed = await self._difference(Visit(seen.given, table, scene), str(body.get("stamp", "")))
        return self._json({"said": answer.said, **changed})


def _zipped(request: web.Request) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


def _headers(frames: str) -> dict[str, str]:
    return {name: value.replace("{frames}", frames) for name, value in HEADERS.items()}


def _place(given: BoardPass) -> str:
    """Where the board of a pass is, and its cookie is sent."""
    return f"/b/{given.game}/{given.who}/"


async def _body(request: web.Request) -> dict[str, Any]:
    """What the page sent. Raises BadAction."""
    try:
        body = await request.json()
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError, ConnectionError) as error:
        raise BadAction("The page sent something that makes no sense. Reload it.") from error
    if not isinstance(body, dict):
        raise BadAction("The page sent something that makes no sense. Reload it.")
    return body


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
