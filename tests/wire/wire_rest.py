"""The stand-in's HTTP interface: the requests that the bot makes, answered as Discord answers them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from aiohttp import web
from wire_limits import EPHEMERAL, Invalid, check_choices, check_commands, check_modal
from wire_world import HISTORY, TOKEN, Channel, Interaction, Message, Refusal, World, snowflake

WORLD = web.AppKey("world", World)


def answer(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """JSON with exactly the content type that discord.py looks for."""
    if body is None:
        return web.Response(status=204, headers=headers)
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json", headers=headers)


@web.middleware
async def courtesy(request: web.Request, handler: Any) -> web.StreamResponse:
    """Faults on purpose, rate limits, and errors in Discord's form."""
    world = request.app[WORLD]
    if request.path == "/gateway":
        return await handler(request)  # type: ignore[no-any-return]
    path = request.path.removeprefix("/api")
    world.busy += 1
    status = 0
    try:
        for fault in world.faults:
            await fault(request.method, path)
        limits(request, path)
        response = await handler(request)
        for after in world.afters:
            await after(request.method, path)
        status = response.status
        return response  # type: ignore[no-any-return]
    except Refusal as error:
        status = error.status
        body = {"message": error.text, "code": error.code}
        if status == 429:
            body = {"message": error.text, "retry_after": float(error.headers["Retry-After"]), "global": False}
        return answer(body, status, {"Via": "1.1 stand-in"} | error.headers)
    except Invalid as error:
        status = 400
        world.invalid.append(f"{request.method} {path}: {error}")
        return answer({"message": f"Invalid Form Body: {error}", "code": 50035, "errors": {}}, 400)
    finally:
        world.busy -= 1
        world.requests.append((time.time(), request.method, path, status))
        await world.note()


def limits(request: web.Request, path: str) -> None:
    """One bucket for each method and channel."""
    world = request.app[WORLD]
    if world.rate is None or not path.startswith("/channels/"):
        return
    most, seconds = world.rate
    bucket = (request.method, path.split("/")[2])
    now = time.time()
    begun, used = BUCKETS.get((id(world), bucket), (now, 0))
    if now - begun >= seconds:
        begun, used = now, 0
    BUCKETS[id(world), bucket] = (begun, used + 1)
    if used >= most:
        raise Refusal(429, 0, "You are being rate limited.", {"Retry-After": f"{begun + seconds - now:.3f}"})


BUCKETS: dict[Any, tuple[float, int]] = {}


async def body_of(request: web.Request) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The payload and the uploads, by file name."""
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else {}), {}
    body: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    async for part in await request.multipart():
        data = bytes(await part.read())  # type: ignore[union-attr]
        if part.name == "payload_json":  # type: ignore[union-attr]
            body = json.loads(data)
        else:
            files[part.filename or "file"] = data  # type: ignore[union-attr]
    return body, files


def authorized(request: web.Request) -> World:
    if request.headers.get("Authorization") != f"Bot {TOKEN}":
        raise Refusal(401, 0, "401: Unauthorized")
    return request.app[WORLD]


async def me(request: web.Request) -> web.Response:
    return answer(authorized(request).bot.payload())


async def application(request: web.Request) -> web.Response:
    world = authorized(request)
    owner = {"id": "1", "username": "owner", "discriminator": "0", "avatar": None, "global_name": None}
    return answer({"id": str(world.bot.id), "name": "Tetsudo", "icon": None, "description": "", "bot_public": True,
                   "bot_require_code_grant": False, "verify_key": "0", "flags": 0, "owner": owner, "team": None,
                   "summary": ""})  # fmt: skip


async def register(request: web.Request) -> web.Response:
    world = authorized(request)
    commands = await request.json()
    check_commands(commands)
    world.commands = [{**one, "id": str(snowflake()), "application_id": str(world.bot.id), "version": "1",
                       "default_member_permissions": None, "dm_permission": True, "nsfw": False}
                      for one in commands]  # fmt: skip
    return answer(world.commands)


# Channels and messages


def channel_of(request: web.Request) -> Channel:
    world = authorized(request)
    found = world.channels.get(int(request.match_info["channel"]))
    if found is None:
        raise Refusal(404, 10003, "Unknown Channel")
    if found.guild not in world.guilds:
        raise Refusal(403, 50001, "Missing Access")
    return found


async def get_channel(request: web.Request) -> web.Response:
    return answer(channel_of(request).payload())


async def change_channel(request: web.Request) -> web.Response:
    channel = channel_of(request)
    body = await request.json()
    if channel.locked:
        raise Refusal(403, 50013, "Missing Permissions")
    channel.archived = bool(body.get("archived", channel.archived))
    return answer(channel.payload())


async def history(request: web.Request) -> web.Response:
    channel = channel_of(request)
    if not channel.rights & HISTORY:
        raise Refusal(403, 50013, "Missing Permissions")
    after = int(request.query.get("after", 0))
    limit = int(request.query.get("limit", 50))
    found = [one for one in channel.messages.values() if one.id > after]
    found = found[:limit] if after else found[-limit:]
    return answer([one.payload() for one in reversed(found)])


async def post_message(request: web.Request) -> web.Response:
    world, channel = request.app[WORLD], channel_of(request)
    body, files = await body_of(request)
    world.may(channel, post=True, files=bool(files))
    return answer(world.post(channel, body, files).payload())


def message_of(request: web.Request) -> Message:
    found = channel_of(request).messages.get(int(request.match_info["message"]))
    if found is None:
        raise Refusal(404, 10008, "Unknown Message")
    return found


async def get_message(request: web.Request) -> web.Response:
    return answer(message_of(request).payload())


async def edit_message(request: web.Request) -> web.Response:
    world, message = request.app[WORLD], message_of(request)
    body, files = await body_of(request)
    world.may(message.channel, post=False, files=bool(files))
    world.edit(message, body, files)
    return answer(message.payload())


# Interactions


async def callback(request: web.Request) -> web.Response:
    """The first answer to an interaction."""
    world = request.app[WORLD]
    found = world.interactions.get(request.match_info["token"])
    if found is None or (time.time() - found.made > world.ack_seconds and found.acked is None):
        raise Refusal(404, 10062, "Unknown interaction")
    body, files = await body_of(request)
    if found.acked is not None:
        raise Refusal(400, 40060, "Interaction has already been acknowledged.")
    kind, data = body["type"], body.get("data") or {}
    private = bool((data.get("flags") or 0) & EPHEMERAL)
    if kind == 4:
        found.original = world.post(found.channel, data, files, private=private)
        found.show(found.original)
    elif kind == 5:
        empty: list[dict[str, Any]] = []
        flags = EPHEMERAL if private else 0
        found.original = Message(snowflake(), found.channel, world.bot, "", empty, flags, {}, [])
        found.loading = True
    elif kind in (6, 7):
        found.original = found.source
        if kind == 7:
            assert found.source is not None
            world.edit(found.source, data, files)
            found.show(found.source)
    elif kind == 8:
        check_choices(data["choices"])
        found.choices = data["choices"]
    elif kind == 9:
        check_modal(data)
        found.modal = data
    found.acked, found.kind = time.time() - found.made, kind
    found.changed.set()
    shown = found.original
    result: dict[str, Any] = {"interaction": {"id": str(found.id), "type": found.payload["type"],
        "response_message_id": str(shown.id) if shown else None, "response_message_loading": found.loading,
        "response_message_ephemeral": private}}  # fmt: skip
    if kind in (4, 5, 7) and shown is not None:
        result["resource"] = {"type": kind, "message": shown.payload()}
    return answer(result) if request.query.get("with_response") else answer(None)


def webhook(request: web.Request) -> Interaction:
    world = request.app[WORLD]
    found = world.interactions.get(request.match_info["token"])
    if found is None or found.acked is None:
        raise Refusal(404, 10015, "Unknown Webhook")
    if found.expired():
        raise Refusal(401, 50027, "Invalid Webhook Token")
    return found


async def follow_up(request: web.Request) -> web.Response:
    world, found = request.app[WORLD], webhook(request)
    body, files = await body_of(request)
    if found.loading and found.original is not None:
        made = world.post(found.channel, body, files, private=found.original.private)
        made.id, found.loading, found.original = made.id, False, made
    else:
        private = bool((body.get("flags") or 0) & EPHEMERAL)
        made = world.post(found.channel, body, files, private=private)
    found.show(made)
    found.changed.set()
    return answer(made.payload())


def shown_by(request: web.Request, found: Interaction) -> Message:
    which = request.match_info["message"]
    if which == "@original" and found.original is not None:
        return found.original
    for one in found.answers:
        if str(one.id) == which:
            return one
    raise Refusal(404, 10008, "Unknown Message")


async def edit_answer(request: web.Request) -> web.Response:
    world, found = request.app[WORLD], webhook(request)
    message = shown_by(request, found)
    body, files = await body_of(request)
    world.edit(message, body, files)
    found.loading = False
    found.show(message)
    found.changed.set()
    return answer(message.payload())


async def get_answer(request: web.Request) -> web.Response:
    return answer(shown_by(request, webhook(request)).payload())


async def delete_answer(request: web.Request) -> web.Response:
    found = webhook(request)
    message = shown_by(request, found)
    found.channel.messages.pop(message.id, None)
    found.loading = False
    found.changed.set()
    return answer(None)


async def slow(seconds: float) -> None:
    await asyncio.sleep(seconds)


def routes() -> list[web.RouteDef]:
    hook, one = "/api/webhooks/{app}/{token}", "/api/channels/{channel}"
    return [
        web.get("/api/users/@me", me),
        web.get("/api/oauth2/applications/@me", application),
        web.put("/api/applications/{app}/commands", register),
        web.get(one, get_channel),
        web.patch(one, change_channel),
        web.get(one + "/messages", history),
        web.post(one + "/messages", post_message),
        web.get(one + "/messages/{message}", get_message),
        web.patch(one + "/messages/{message}", edit_message),
        web.post("/api/interactions/{id}/{token}/callback", callback),
        web.post(hook, follow_up),
        web.get(hook + "/messages/{message}", get_answer),
        web.patch(hook + "/messages/{message}", edit_answer),
        web.delete(hook + "/messages/{message}", delete_answer),
    ]
