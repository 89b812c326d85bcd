"""The page of the playground: the board and the chat side by side, or one behind the other on a phone."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from board import page
from board.assets import ASSETS
from board.markup import el
from board.server import BoardApp, serving
from bot.rooms.opponents.room import Thinkers
from bot.rooms.page.room import LINK_LASTS, WATCHER, BoardPass, Doors, Signer
from playground.page import kept_current
from playground.server import LocalServer

ADDRESS = "127.0.0.1"


@asynccontextmanager
async def beside(here: LocalServer, chat: Any, port: int | None) -> AsyncIterator[str]:
    """Serve the page with the board; `chat` is the preview of the channel. Yields its address. Raises OSError."""
    signer = Signer(secrets.token_bytes(32))
    board = BoardApp(here.bot, here.bot.its(Doors).epoch, here.bot.its(Thinkers).agrees, signer, frames="'self'")
    board.views.onward = ""  # the page around it leads there
    app = board.app()

    async def whole(request: web.Request) -> web.Response:
        return web.Response(text=_page(here, chat.url), content_type="text/html", headers=_headers(chat.url))

    async def look(request: web.Request) -> web.Response:
        """The board as one of the people sees it, or as whoever only watches."""
        known = {str(one.id): one.id for one in here.people[:-1]}
        table = await here.bot.tables.in_channel(here.channel.id)
        user = known.get(request.match_info["user"], WATCHER)
        given = BoardPass(user, table.game.id, here.bot.clock() + LINK_LASTS)
        return web.Response(status=303, headers={"Location": f"/open/{signer.sign(given, 'open')}"})

    async def now(request: web.Request) -> web.Response:
        """The id of the channel's game; nothing while people are still joining."""
        game = await here.bot.store.game_in_channel(here.channel.id)
        return web.Response(text=game.id if game is not None and game.status in ("running", "finished") else "")

    async def guided(request: web.Request) -> web.Response:
        """Have the person who plays alone guided, in the chat."""
        await here.people[0].slash(here.channel, "guide")
        return web.Response(status=204)

    app.router.add_get("/", whole)
    app.router.add_post("/guide", guided)
    app.router.add_get("/as/{user}", look)
    app.router.add_get("/now", now)
    async with serving(app, ADDRESS, port or 0) as found, kept_current(chat, here):
        _let_in(chat, f"http://{ADDRESS}:{found}")
        yield f"http://{ADDRESS}:{found}/"


def _let_in(chat: Any, origin: str) -> None:
    """Let this page hold the chat, which otherwise refuses to stand in any. SimCord has no setting for it."""
    server = getattr(chat, "_server", None)
    headers = dict(getattr(server, "_SECURITY_HEADERS", {}))
    if not headers:
        return
    headers.pop("X-Frame-Options", None)
    policy = headers.get("Content-Security-Policy", "")
    headers["Content-Security-Policy"] = policy.replace("frame-ancestors 'none'", f"frame-ancestors {origin}")
    server._SECURITY_HEADERS = headers  # type: ignore[union-attr]


def _headers(chat: str) -> dict[str, str]:
    own = "default-src 'none'; img-src data:; style-src 'self'; script-src 'self'; connect-src 'self'"
    return {
        "Content-Security-Policy": f"{own}; frame-ancestors 'none'; frame-src 'self' {'/'.join(chat.split('/')[:3])}"
    }


def _page(here: LocalServer, chat: str) -> str:
    people = [(one.id, one.name) for one in here.people[:-1]]
    first = here.asked().id
    options = [el("option", name.title(), value=user, selected=user == first) for user, name in people]
    options.append(el("option", "Watching", value="watch"))
    bar = el(
        "nav",
        el("b", "Tetsudo"),
        el("label", "Board of ", el("select", options, id="viewer")),
        el("button", "Guide", type="button", id="guide", title="A guided first game", hidden=len(people) > 1),
        el("button", "Chat", type="button", id="switch"),
    )
    onward = el(
        "p", "A new game goes on here. ", el("button", "Open its board", type="button"), id="onward", role="status",
        hidden=True,
    )  # fmt: skip
    frames = [
        el("iframe", src=f"/as/{first}", title="Board", id="board"),
        el("iframe", src=chat, title="Chat", id="chat"),
    ]
    head = page.head("Tetsudo playground", "beside.js", [el("link", rel="stylesheet", href=ASSETS.url("beside.css"))])
    return f"<!doctype html>{el('html', head, el('body', bar, onward, el('main', frames)), lang='en')}"
