"""The stand-in's HTTP interface: the requests that the bot makes, answered as Discord answers them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from base64 import urlsafe_b64encode
from typing import Any

from aiohttp import web
from discord_spec import specification
from wire_limits import (
    EDITED,
    EPHEMERAL,
    LOADING,
    POSTED,
    Invalid,
    check_callback,
    check_choices,
    check_commands,
    check_modal,
)
from wire_world import (
    FORUM,
    HISTORY,
    LAUNCH,
    MANAGE_THREADS,
    SEND,
    THREADS,
    TOKEN,
    Channel,
    Interaction,
    Message,
    Refusal,
    World,
    snowflake,
)

WORLD = web.AppKey("world", World)
TOKENS = "/oauth2/token"
"""Where codes are exchanged, which the specification leaves out."""
MOST_TAGS = 5
CLIENT_SECRET = "the-secret-of-the-client-of-tests"
LEFT_OUT = "You cannot remove this app's Entry Point command in a bulk update operation."


def answer(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """JSON with exactly the content type that discord.py looks for."""
    if body is None:
        return web.Response(status=204, headers=headers)
    return web.Response(body=json.dumps(body).encode(), status=status, content_type="application/json", headers=headers)


@web.middleware
async def courtesy(request: web.Request, handler: Any) -> web.StreamResponse:
    """Faults on purpose, rate limits, errors in Discord's form, and a look at every answer."""
    world = request.app[WORLD]
    if request.path == "/gateway":
        return await handler(request)
    path = request.path.removeprefix("/api")
    world.busy += 1
    status = 0
    try:
        response = await carried_out(request, path, handler)
        status = response.status
        look_at(world, request.method, path, response)
        return response
    finally:
        world.busy -= 1
        world.requests.append((sent_at(request) or time.time(), request.method, path, status))
        await world.note()


async def carried_out(request: web.Request, path: str, handler: Any) -> web.Response:
    """The answer of the handler, or the error that came before or after it."""
    world = request.app[WORLD]
    try:
        for fault in world.faults:
            await fault(request.method, path)
        limits(request, path)
        response: web.Response = await handler(request)
        for after in world.afters:
            await after(request.method, path)
        return response
    except Refusal as error:
        body: dict[str, Any] = {"message": error.text, "code": error.code}
        if error.status == 429:
            everywhere = "X-RateLimit-Global" in error.headers
            body |= {"retry_after": float(error.headers["Retry-After"]), "global": everywhere}
        return answer(body, error.status, {"Via": "1.1 stand-in"} | error.headers)
    except Invalid as error:
        world.invalid.append(f"{request.method} {path}: {error}")
        return answer({"message": f"Invalid Form Body: {error}", "code": 50035, "errors": {}}, 400)


def look_at(world: World, method: str, path: str, response: web.Response) -> None:
    """Note what the specification says against an answer of ours."""
    known = specification()
    if known is not None and path != TOKENS:
        body = json.loads(response.body) if response.body else None  # type: ignore[arg-type]
        wrong = known.answer_faults(method, path, response.status, body)
        world.misanswered += [f"{method} {path}: {one}" for one in wrong]


def limits(request: web.Request, path: str) -> None:
    """A limit for all requests of the token, and one bucket for each method and channel.

    Answers to interactions, which carry no token, are not counted.
    """
    world = request.app[WORLD]
    if "Authorization" in request.headers and (left := world.pace.wait(sent_at(request))):
        everywhere = {"Retry-After": f"{left:.3f}", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
        raise Refusal(429, 0, "You are being rate limited.", everywhere)
    if world.rate is None or not path.startswith("/channels/"):
        return
    most, seconds = world.rate
    bucket = (request.method, path.split("/")[2])
    now = time.time()
    begun, used = world.buckets.get(bucket, (now, 0))
    if now - begun >= seconds:
        begun, used = now, 0
    world.buckets[bucket] = (begun, used + 1)
    if used >= most:
        raise Refusal(429, 0, "You are being rate limited.", {"Retry-After": f"{begun + seconds - now:.3f}"})


def sent_at(request: web.Request) -> float | None:
    """When a bot with crash points sent it."""
    return float(request.headers["X-Sent-At"]) if "X-Sent-At" in request.headers else None


async def body_of(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """The payload, valid by the specification, and the uploads by file name. Raises Invalid."""
    body: Any = {}
    files: dict[str, bytes] = {}
    if request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            data = bytes(await part.read())  # type: ignore[union-attr]
            if part.name == "payload_json":  # type: ignore[union-attr]
                body = json.loads(data)
            else:
                files[part.filename or "file"] = data  # type: ignore[union-attr]
    elif request.can_read_body:
        body = await request.json()
    known = specification()
    if known is not None:
        wrong = known.request_faults(request.method, request.path.removeprefix("/api"), body)
        if wrong:
            raise Invalid("; ".join(wrong))
    return body, files


def authorized(request: web.Request) -> World:
    world = request.app[WORLD]
    if request.headers.get("Authorization") != f"Bot {TOKEN}" or world.reset:
        raise Refusal(401, 0, "401: Unauthorized")
    return world


async def gateway(request: web.Request) -> web.Response:
    """Where the gateway is, how many shards are recommended, and how many sessions may be begun."""
    world = authorized(request)
    address = f"ws://{request.host}/gateway"
    return answer({"url": address, "shards": world.shards(), "session_start_limit": world.starts.payload()})


async def me(request: web.Request) -> web.Response:
    """The bot, or the person whose token it is."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    person = request.app[WORLD].tokens.get(token) if kind == "Bearer" else authorized(request).bot
    if person is None:
        raise Refusal(401, 0, "401: Unauthorized")
    return answer(person.payload() | {"mfa_enabled": True, "locale": "en-US"})


async def exchange(request: web.Request) -> web.Response:
    """A token for a code, to the application that it was made for and who knows what its challenge was made of."""
    world, given = request.app[WORLD], await request.post()
    if (given.get("client_id"), given.get("client_secret")) != (str(world.bot.id), CLIENT_SECRET):
        return answer({"error": "invalid_client"}, 401)
    found = world.codes.get(str(given.get("code")))
    proof = hashlib.sha256(str(given.get("code_verifier")).encode()).digest()
    fits = found is not None and found.challenge == urlsafe_b64encode(proof).rstrip(b"=").decode()
    if given.get("grant_type") != "authorization_code" or found is None or found.used or not fits:
        return answer({"error": "invalid_grant", "error_description": 'Invalid "code" in request.'}, 400)
    found.used = True
    token = f"token{snowflake()}"
    world.tokens[token] = found.account
    return answer({"access_token": token, "token_type": "Bearer", "expires_in": 604800, "scope": "identify"})


async def get_instance(request: web.Request) -> web.Response:
    """An Activity that runs, and who takes part."""
    world, number = authorized(request), request.match_info["instance"]
    found = world.instances.get(number)
    if found is None:
        raise Refusal(404, 0, "404: Not Found")
    guild, channel = str(found.channel.guild), str(found.channel.id)
    where = {"id": f"gc-{guild}-{channel}", "kind": "gc", "channel_id": channel, "guild_id": guild}
    return answer({"application_id": str(world.bot.id), "instance_id": number, "launch_id": number.split("-")[1],
                   "location": where, "users": [str(one.id) for one in found.people]})  # fmt: skip


async def application(request: web.Request) -> web.Response:
    world = authorized(request)
    owner = {"id": "1", "username": "owner", "discriminator": "0", "avatar": None, "global_name": None,
             "public_flags": 0, "flags": 0, "primary_guild": None}  # fmt: skip
    return answer({"id": str(world.bot.id), "name": "Tetsudo", "icon": None, "description": "", "bot_public": True,
                   "bot_require_code_grant": False, "verify_key": "0", "flags": 0, "flags_new": "0", "owner": owner,
                   "team": None, "type": None, "redirect_uris": [], "interactions_endpoint_url": None,
                   "role_connections_verification_url": None, "approximate_guild_count": len(world.guilds),
                   "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
                   "explicit_content_filter": 0, "eligible_oauth2_scopes": []})  # fmt: skip


def stored(node: Any) -> Any:
    """What was sent, without what was left open."""
    if isinstance(node, dict):
        return {key: stored(value) for key, value in node.items() if value is not None}
    return [stored(one) for one in node] if isinstance(node, list) else node


async def list_commands(request: web.Request) -> web.Response:
    return answer(authorized(request).commands)


async def register(request: web.Request) -> web.Response:
    world = authorized(request)
    commands, _ = await body_of(request)
    check_commands(commands)
    if world.embedded and not any(one.get("type") == LAUNCH["type"] for one in commands):
        raise Refusal(400, 50240, LEFT_OUT)
    world.commands = [{"type": 1, "integration_types": [0, 1], "contexts": None, "dm_permission": True, "nsfw": False,
                       "id": str(snowflake()), **stored(one), "application_id": str(world.bot.id), "version": "1",
                       "default_member_permissions": needed(one)} for one in commands]  # fmt: skip
    return answer(world.commands)


def needed(command: dict[str, Any]) -> str | None:
    """What members need for a command, as Discord tells it."""
    given = command.get("default_member_permissions")
    return None if given is None else str(given)


async def list_emojis(request: web.Request) -> web.Response:
    return answer({"items": list(authorized(request).emojis.values())})


async def add_emoji(request: web.Request) -> web.Response:
    world = authorized(request)
    sent, _ = await body_of(request)
    if any(one["name"] == sent["name"] for one in world.emojis.values()):
        raise Invalid("two emojis of one name")
    made = {"id": str(snowflake()), "name": sent["name"], "roles": [], "require_colons": True, "managed": False,
            "animated": False, "available": True}  # fmt: skip
    world.emojis[made["id"]] = made
    return answer(made, 201)


async def remove_emoji(request: web.Request) -> web.Response:
    del authorized(request).emojis[request.match_info["emoji"]]
    return answer(None)


# Channels and messages


def channel_of(request: web.Request) -> Channel:
    world = authorized(request)
    found = world.channels.get(int(request.match_info["channel"]))
    if found is None:
        raise Refusal(404, 10003, "Unknown Channel")
    if found.recipient is None and (found.guild not in world.guilds or not found.seen):
        raise Refusal(403, 50001, "Missing Access")
    return found


async def get_user(request: web.Request) -> web.Response:
    found = authorized(request).people.get(int(request.match_info["user"]))
    if found is None:
        raise Refusal(404, 10013, "Unknown User")
    return answer(found.payload())


async def get_channel(request: web.Request) -> web.Response:
    return answer(channel_of(request).payload())


async def open_direct(request: web.Request) -> web.Response:
    """The direct messages with somebody; Discord opens them for everybody, and refuses messages only."""
    world = authorized(request)
    body, _ = await body_of(request)
    person = world.people.get(int(body["recipient_id"]))
    if person is None:
        raise Refusal(400, 50033, "Invalid Recipient(s)")
    return answer(world.direct(person).payload())


async def get_thread_member(request: web.Request) -> web.Response:
    """Who was added to a private thread, which the stand-in has for nobody but the bot."""
    channel_of(request)
    raise Refusal(404, 10007, "Unknown Member")


async def get_member(request: web.Request) -> web.Response:
    found = authorized(request).member(int(request.match_info["user"]))
    if found is None:
        raise Refusal(404, 10007, "Unknown Member")
    return answer(found)


async def change_channel(request: web.Request) -> web.Response:
    """Only a thread can be changed by the bot, and only opened."""
    channel = channel_of(request)
    body, _ = await body_of(request)
    manages = channel.rights & MANAGE_THREADS
    if not manages and (
        not channel.thread or channel.locked or not channel.rights & THREADS or set(body) - {"archived"}
    ):
        raise Refusal(403, 50013, "Missing Permissions")
    channel.tags = tags_of(request, channel.parent, body.get("applied_tags", channel.tags))
    channel.archived = bool(body.get("archived", channel.archived))
    channel.locked = bool(body.get("locked", channel.locked))
    return answer(channel.payload())


def tags_of(request: web.Request, forum: int | None, tags: list[Any]) -> list[str]:
    """The tags of a post, at most five of its forum's. Raises Invalid."""
    there = request.app[WORLD].channels[forum].tags if forum is not None else []
    if len(tags) > MOST_TAGS or not all(1 <= int(one) <= len(there) for one in tags):
        raise Invalid("applied_tags: at most five of the forum's")
    return [str(one) for one in tags]


async def open_post(request: web.Request) -> web.Response:
    """A post in a forum: a thread that begins with a message of its own number."""
    world, forum = request.app[WORLD], channel_of(request)
    body, files = await body_of(request)
    if forum.kind != FORUM or not forum.rights & SEND:
        raise Refusal(403, 50013, "Missing Permissions")
    made = world.channel(forum.guild, body["name"], parent=forum)
    made.rights, made.tags = forum.rights, tags_of(request, forum.id, body.get("applied_tags", []))
    first = world.post(made, body["message"], files)
    del made.messages[first.id]
    first.id = made.id
    made.messages[made.id] = first
    return answer(made.payload() | {"message": first.payload()}, status=201)


async def history(request: web.Request) -> web.Response:
    """The messages of a channel; none where the bot may see the channel and not what was said."""
    channel = channel_of(request)
    if not channel.rights & HISTORY:
        return answer([])
    after, before = int(request.query.get("after", 0)), int(request.query.get("before", 2**63))
    limit = int(request.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise Invalid("limit: 1 to 100")
    found = [one for one in channel.messages.values() if after < one.id < before]
    found = found[:limit] if after else found[-limit:]
    return answer([one.payload() for one in reversed(found)])


async def post_message(request: web.Request) -> web.Response:
    world, channel = request.app[WORLD], channel_of(request)
    body, files = await body_of(request)
    world.may(channel, post=True, files=bool(files))
    if body.get("message_reference") and not channel.rights & HISTORY:
        raise Refusal(403, 160002, "Cannot reply without permission to read message history")
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
    world.spare(message)
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
    check_callback(found.payload["type"], kind, from_message=found.source is not None)
    private = bool((data.get("flags") or 0) & EPHEMERAL)
    if kind == 4:
        found.original = world.post(found.channel, data, files, private=private, flags=POSTED | EPHEMERAL)
        found.show(found.original)
    elif kind == 5:
        flags = LOADING | (EPHEMERAL if private else 0)
        found.original = Message(snowflake(), found.channel, world.bot, "", [], flags, {}, [])
        found.loading = True
    elif kind in (6, 7):
        found.original = found.source
        if kind == 7:
            assert found.source is not None
            world.edit(found.source, data, files, flags=POSTED)
            found.show(found.source)
    elif kind == 8:
        check_choices(data.get("choices") or [])
        found.choices = data.get("choices") or []
    elif kind == 9:
        check_modal(data)
        found.modal = data
    elif kind == 12:
        if not world.embedded:
            raise Refusal(400, 50234, "Application does not have Activities enabled")
        found.launched = world.launch(found.channel, found.person)
    found.acked, found.kind = time.time() - found.made, kind
    found.changed.set()
    return answer(told(found, kind)) if request.query.get("with_response") else answer(None)


def told(found: Interaction, kind: int) -> dict[str, Any]:
    """What Discord tells of a callback to whoever asks for it."""
    body: dict[str, Any] = {"id": str(found.id), "type": found.payload["type"]}
    if found.launched:
        return {"interaction": body, "resource": {"type": kind, "activity_instance": {"id": found.launched}}}
    if found.original is None:
        return {"interaction": body}
    body |= {"response_message_id": str(found.original.id), "response_message_loading": found.loading,
             "response_message_ephemeral": found.original.private}  # fmt: skip
    if kind not in (4, 7):
        return {"interaction": body}
    return {"interaction": body, "resource": {"type": kind, "message": found.original.payload()}}


def webhook(request: web.Request) -> Interaction:
    world = request.app[WORLD]
    found = world.interactions.get(request.match_info["token"])
    if found is None or found.acked is None:
        raise Refusal(404, 10015, "Unknown Webhook")
    if found.expired():
        raise Refusal(401, 50027, "Invalid Webhook Token")
    return found


async def follow_up(request: web.Request) -> web.Response:
    """Another answer; right after a deferral it takes the place of the answer that was promised, as private as that."""
    world, found = request.app[WORLD], webhook(request)
    body, files = await body_of(request)
    promised = found.original if found.loading else None
    private = promised.private if promised is not None else bool((body.get("flags") or 0) & EPHEMERAL)
    made = world.post(found.channel, body, files, private=private, flags=POSTED | EPHEMERAL)
    if promised is not None:
        found.channel.messages.pop(made.id, None)
        made.id, found.loading, found.original = promised.id, False, made
        world.deprecated.append(f"{request.method} {request.path}")
        if not private:
            found.channel.messages[made.id] = made
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
    first = found.loading and message is found.original
    world.edit(message, body, files, flags=POSTED if first else EDITED)
    if first:
        message.flags &= ~LOADING
        found.loading = False
        if not message.private:
            found.channel.messages[message.id] = message
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
        web.get("/api/gateway/bot", gateway),
        web.get("/api/oauth2/applications/@me", application),
        web.post(f"/api{TOKENS}", exchange),
        web.get("/api/applications/{app}/activity-instances/{instance}", get_instance),
        web.get("/api/applications/{app}/commands", list_commands),
        web.put("/api/applications/{app}/commands", register),
        web.get("/api/applications/{app}/emojis", list_emojis),
        web.post("/api/applications/{app}/emojis", add_emoji),
        web.delete("/api/applications/{app}/emojis/{emoji}", remove_emoji),
        web.post("/api/users/@me/channels", open_direct),
        web.get("/api/users/{user}", get_user),
        web.get("/api/guilds/{guild}/members/{user}", get_member),
        web.get(one, get_channel),
        web.patch(one, change_channel),
        web.post(one + "/threads", open_post),
        web.get(one + "/thread-members/{user}", get_thread_member),
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
