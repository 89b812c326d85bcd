"""Discord's client in a browser, as a page that holds an Activity in a frame, and the proxy before its pages.

Both are at their own names, over TLS: the browser is told that these lead here.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from wire_inside import Club
from wire_world import Account

OPENSSL = shutil.which("openssl")
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "host", "accept-encoding"}
CLIENT = """<!doctype html><meta name="viewport" content="width=device-width"><title>Discord</title>
<style>iframe {{ width: 100%; height: 95vh; border: 0 }}</style>
<iframe id="activity" src="{src}"></iframe><script>
const frame = document.getElementById("activity"), origin = new URL(frame.src).origin;
const answer = (body) => frame.contentWindow.postMessage([1, body], origin);
addEventListener("message", async (event) => {{
  if (event.origin !== origin) return;
  const [kind, body] = event.data;
  if (kind === 0 && body.client_id === "{client}" && body.frame_id === "f1")
    answer({{cmd: "DISPATCH", evt: "READY", nonce: null, data: {{v: 1, config: {{}}}}}});
  if (kind === 1 && body.cmd === "AUTHORIZE") {{
    const told = await fetch("/authorize", {{method: "POST", body: JSON.stringify(body.args)}});
    answer({{cmd: "AUTHORIZE", evt: told.ok ? null : "ERROR", nonce: body.nonce, data: await told.json()}});
  }}
}});
</script>"""


class Client:
    """One person's client."""

    def __init__(self, club: Club, person: Account, instance: str) -> None:
        self.club, self.person, self.instance = club, person, instance
        self.port = 0
        self.willing = True
        """Whether the person lets the application know who they are."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the browser is started with."""
        hosts = ("discord.com", "evil.example", self.club.origin.removeprefix("https://"))
        return (f"--host-resolver-rules={','.join(f'MAP {one}:443 127.0.0.1:{self.port}' for one in hosts)}",)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.host == f"{self.club.server.world.bot.id}.discordsays.com":
            return await passed_on(request, self.club.board)
        if request.path == "/authorize":
            return self._authorize(json.loads(await request.text()))
        where = f"instance_id={self.instance}&channel_id={self.club.table.channel.id}&frame_id=f1&platform=desktop"
        page = CLIENT.format(src=f"{self.club.origin}/?{where}", client=self.club.server.world.bot.id)
        return web.Response(text=page, content_type="text/html")

    def _authorize(self, asked: dict[str, object]) -> web.Response:
        if not self.willing:
            return web.json_response({"code": 5000, "message": "OAuth2 Authorization was denied"}, status=403)
        assert (asked["scope"], asked["response_type"], asked["code_challenge_method"]) == (
            ["identify"],
            "code",
            "S256",
        )
        code = self.club.server.world.code(self.person, str(asked["code_challenge"]))
        return web.json_response({"code": code})


async def passed_on(request: web.Request, to: str, *, keep_host: bool = False) -> web.StreamResponse:
    """What is there answers, piece by piece, as behind a proxy."""
    headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
    headers |= {"Host": request.host} if keep_host else {}
    asked: dict[str, Any] = {"headers": headers, "data": await request.read(), "allow_redirects": False}
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
        session.request(request.method, to + request.path_qs.removeprefix("/.proxy"), **asked) as answer,
    ):
        sent = web.StreamResponse(status=answer.status)
        for name, value in answer.headers.items():
            if name.lower() not in HOP:
                sent.headers.add(name, value)
        await sent.prepare(request)
        with suppress(aiohttp.ClientPayloadError):  # cut there, and so here
            async for piece in answer.content.iter_any():
                await sent.write(piece)
        return sent


@asynccontextmanager
async def client(club: Club, person: Account, instance: str, folder: Path) -> AsyncIterator[Client]:
    """The person's client with the Activity's instance open in it."""
    assert OPENSSL is not None
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = [
        OPENSSL,
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    made += ["-subj", "/CN=discord.com", "-keyout", str(key), "-out", str(certificate)]
    await asyncio.to_thread(subprocess.run, made, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    one = Client(club, person, instance)
    runner = web.AppRunner(one.app(), access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
        one.port = int(runner.addresses[0][1])
        yield one
    finally:
        await runner.cleanup()
