"""Discord on loopback: HTTP and gateway in one small server, started before the bot.

async with Server() as discord:
    channel = discord.world.channel(discord.world.guild())
    ... start the bot with `discord.environment(database)` ...
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web
from wire_rest import WORLD, courtesy, routes
from wire_shards import (
    ALREADY_AUTHENTICATED,
    AUTHENTICATION_FAILED,
    GATEWAY_MESSAGES,
    INVALID_SHARD,
    ONLY,
    SHARDING_REQUIRED,
    TOO_MUCH_SAID,
    Shard,
    read_shard,
    shard_of,
)
from wire_world import ALL, TOKEN, Channel, World, snowflake, stamp

HEARTBEAT_MS = 20_000
ENDING = (1000, 1001)
"""Codes with which a bot ends its session; after any other it may go on with it."""
RECONNECT = 4000


@dataclass(eq=False)
class Session:
    """One session of the gateway, of one shard; it outlives its connections until it is made invalid."""

    id: str
    shard: Shard = ONLY
    seq: int = 0
    sent: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=1000))
    socket: web.WebSocketResponse | None = None


class Server:
    """The stand-in. `world` is what it knows."""

    def __init__(self) -> None:
        self.world = World()
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        self.resumed = 0
        self.port = 0
        self.bring: Callable[[dict[str, Any]], Awaitable[None]] = lambda body: self.dispatch("INTERACTION_CREATE", body)
        """Brings the bot an interaction: over the gateway, unless a test has an endpoint."""
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Server:
        app = web.Application(middlewares=[courtesy], client_max_size=60 * 1024 * 1024)
        app[WORLD] = self.world
        app.add_routes([*routes(), web.get("/gateway", self._gateway)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drop()
        assert self._runner is not None
        await self._runner.cleanup()

    def environment(self, database: Path | str) -> dict[str, str]:
        """The settings of a bot that is to talk to this server."""
        return {
            "DISCORD_TOKEN": TOKEN,
            "TETSUDO_DB": str(database),
            "TETSUDO_API_BASE": f"http://127.0.0.1:{self.port}/api",
            "TETSUDO_GATEWAY_URL": f"ws://127.0.0.1:{self.port}/gateway",
            "TETSUDO_RETRY_SECONDS": "1",
        }

    @property
    def connected(self) -> int:
        """How many shards listen."""
        return len(self.listening())

    def listening(self) -> list[Shard]:
        """The shards that listen; one that two processes serve is named twice."""
        return [one.shard for one in self.sessions.values() if one.socket is not None and not one.socket.closed]

    # The gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS}, "s": None, "t": None}))
        session: Session | None = None
        said: deque[float] = deque(maxlen=GATEWAY_MESSAGES)
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                now = time.monotonic()
                if len(said) == GATEWAY_MESSAGES and now - said[0] < 60:
                    await socket.close(code=TOO_MUCH_SAID, message=b"You are being rate limited.")
                    break
                said.append(now)
                body = json.loads(message.data)
                if body["op"] == 1:
                    await socket.send_str(json.dumps({"op": 11, "d": None, "s": None, "t": None}))
                elif body["op"] in (2, 6) and session is not None:
                    await socket.close(code=ALREADY_AUTHENTICATED, message=b"Already authenticated.")
                elif body["op"] == 2:
                    session = await self._identify(socket, body["d"])
                elif body["op"] == 6:
                    session = await self._resume(socket, body["d"])
                elif body["op"] == 8 and session is not None:
                    await self._send(session, "GUILD_MEMBERS_CHUNK", self._members(body["d"]))
        finally:
            if session is not None and session.socket is socket:
                session.socket = None
                if socket.close_code in ENDING:
                    self.sessions.pop(session.id, None)
            await self.world.note()
        return socket

    async def _identify(self, socket: web.WebSocketResponse, body: dict[str, Any]) -> Session | None:
        world = self.world
        shard = read_shard(body.get("shard"))
        if shard is not None and shard[0] in world.held:
            await world.held[shard[0]].wait()
        if body["token"] != TOKEN or world.reset:
            await socket.close(code=AUTHENTICATION_FAILED, message=b"Authentication failed.")
        elif world.starts.spent():
            world.reset = True
            await self.drop(code=AUTHENTICATION_FAILED, forget=True)
            await socket.close(code=AUTHENTICATION_FAILED, message=b"Authentication failed.")
        elif shard is None:
            await socket.close(code=INVALID_SHARD, message=b"Invalid shard.")
        elif not world.starts.may_begin(shard[0]):
            await socket.send_str(json.dumps({"op": 9, "d": False, "s": None, "t": None}))
        elif len(world.on_shard(shard)) > world.most_guilds:
            await socket.close(code=SHARDING_REQUIRED, message=b"Sharding required.")
        else:
            return await self._begin(socket, shard)
        return None

    async def _begin(self, socket: web.WebSocketResponse, shard: Shard) -> Session:
        self.identified += 1
        session = Session(f"s{snowflake()}", shard, socket=socket)
        self.sessions[session.id] = session
        world, guilds = self.world, self.world.on_shard(shard)
        await self._send(session, "READY", {
            "v": 10, "user": world.bot.payload(), "session_id": session.id, "session_type": "normal",
            "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway", "private_channels": [], "shard": list(shard),
            "guilds": [{"id": str(one), "unavailable": True} for one in guilds],
            "application": {"id": str(world.bot.id), "flags": 0}})  # fmt: skip
        for guild in guilds:
            await self._send(session, "GUILD_CREATE", self.guild_payload(guild))
        await world.note()
        return session

    async def _resume(self, socket: web.WebSocketResponse, body: dict[str, Any]) -> Session | None:
        session = self.sessions.get(body["session_id"])
        if session is None:
            await socket.send_str(json.dumps({"op": 9, "d": False, "s": None, "t": None}))
            return None
        self.resumed += 1
        before, session.socket = session.socket, socket
        if before is not None:  # a session has one connection
            asyncio.get_running_loop().create_task(before.close(code=RECONNECT))
        for missed in [one for one in session.sent if one["s"] > body["seq"]]:
            await socket.send_str(json.dumps(missed))
        await self._send(session, "RESUMED", {})
        await self.world.note()
        return session

    def _members(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Who of the people that are asked about, a hundred at most, is on the server: without an intent no others."""
        users = [str(one) for one in asked["user_ids"]]
        assert 0 < len(users) <= 100 <= asked["limit"]
        here = {one: self.world.member(int(one)) for one in users}
        return {"guild_id": str(asked["guild_id"]), "members": [one for one in here.values() if one is not None],
                "not_found": [one for one, member in here.items() if member is None], "chunk_index": 0,
                "chunk_count": 1, "nonce": asked["nonce"]}  # fmt: skip

    async def _send(self, session: Session, event: str, body: dict[str, Any]) -> None:
        session.seq += 1
        message = {"op": 0, "t": event, "s": session.seq, "d": body}
        session.sent.append(message)
        if session.socket is not None:
            with suppress(ConnectionError, RuntimeError):
                await session.socket.send_str(json.dumps(message))

    async def dispatch(self, event: str, body: dict[str, Any]) -> None:
        """Give an event to every session of its server's shard, also to those that will come back for it."""
        named = body.get("guild_id") or (body["id"] if event.startswith("GUILD_") else None)
        guild = None if named is None else int(named)
        for session in list(self.sessions.values()):
            if shard_of(guild, session.shard[1]) == session.shard[0]:
                await self._send(session, event, body)

    async def drop(self, *, code: int = 1006, forget: bool = False) -> None:
        """Cut every connection; `forget`: the sessions cannot be resumed."""
        if forget:
            gone, self.sessions = list(self.sessions.values()), {}
        else:
            gone = list(self.sessions.values())
        for session in gone:
            socket, session.socket = session.socket, None
            if socket is not None and not socket.closed:
                with suppress(Exception):
                    await asyncio.wait_for(socket.close(code=code if code != 1006 else 4000), 2)

    async def invalidate(self, *, resumable: bool) -> None:
        """Tell every session that it is invalid."""
        for session in list(self.sessions.values()):
            if session.socket is not None:
                await session.socket.send_str(json.dumps({"op": 9, "d": resumable, "s": None, "t": None}))
            if not resumable:
                self.sessions.pop(session.id, None)

    def guild_payload(self, guild: int) -> dict[str, Any]:
        world = self.world
        channels = [one for one in world.channels.values() if one.guild == guild]
        everyone = {"id": str(guild), "name": "@everyone", "color": 0, "colors": {"primary_color": 0}, "hoist": False,
                    "position": 0, "permissions": str(ALL), "managed": False, "mentionable": False,
                    "flags": 0}  # fmt: skip
        me = {"user": world.bot.payload(), "roles": [], "joined_at": stamp(0), "deaf": False, "mute": False,
              "flags": 0}  # fmt: skip
        return {"id": str(guild), "name": world.guilds[guild], "owner_id": "1", "roles": [everyone], "emojis": [],
                "features": [], "channels": [one.payload() for one in channels if not one.thread],
                "threads": [one.payload() for one in channels if one.thread and one.seen and not one.archived],
                "members": [me], "member_count": 1, "presences": [], "voice_states": [], "stage_instances": [],
                "guild_scheduled_events": [], "soundboard_sounds": [], "large": False, "unavailable": False,
                "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0,
                "mfa_level": 0, "system_channel_flags": 0, "premium_tier": 0, "nsfw_level": 0, "icon": None,
                "splash": None, "banner": None, "description": None, "afk_timeout": 60, "afk_channel_id": None,
                "system_channel_id": None, "preferred_locale": "en-US", "stickers": [],
                "premium_progress_bar_enabled": False, "application_id": None}  # fmt: skip

    # Things that people who run servers do

    async def delete_channel(self, channel: Channel) -> None:
        self.world.channels.pop(channel.id, None)
        await self.dispatch("THREAD_DELETE" if channel.thread else "CHANNEL_DELETE", channel.payload())

    async def change(self, channel: Channel) -> None:
        """Tell of a change of the channel."""
        await self.dispatch("THREAD_UPDATE" if channel.thread else "CHANNEL_UPDATE", channel.payload())

    async def add_to_thread(self, thread: Channel) -> None:
        """Somebody mentions the bot there."""
        thread.joined = True
        member = {"id": str(thread.id), "user_id": str(self.world.bot.id), "join_timestamp": stamp(0), "flags": 0}
        await self.dispatch("THREAD_CREATE", thread.payload() | {"member": member})
        added = {"id": str(thread.id), "guild_id": str(thread.guild), "member_count": 1, "added_members": [member]}
        await self.dispatch("THREAD_MEMBERS_UPDATE", added)

    async def remove_from_thread(self, thread: Channel) -> None:
        """Somebody removes the bot there."""
        thread.joined = False
        gone = {"id": str(thread.id), "guild_id": str(thread.guild), "member_count": 0,
                "removed_member_ids": [str(self.world.bot.id)]}  # fmt: skip
        await self.dispatch("THREAD_MEMBERS_UPDATE", gone)

    async def change_roles(self, guild: int, *roles: int) -> None:
        """The bot's own roles are others now. The roles themselves say nothing: rights are the channels' here."""
        body = {"guild_id": str(guild), "user": self.world.bot.payload(), "roles": [str(one) for one in roles],
                "joined_at": stamp(0), "deaf": False, "mute": False, "nick": None, "flags": 0}  # fmt: skip
        await self.dispatch("GUILD_MEMBER_UPDATE", body)

    async def remove_bot(self, guild: int) -> None:
        self.world.guilds.pop(guild)
        await self.dispatch("GUILD_DELETE", {"id": str(guild)})

    async def add_bot(self, guild: int, name: str = "Club") -> None:
        self.world.guilds[guild] = name
        body = self.guild_payload(guild)
        del body["unavailable"]  # so a server that is new differs from one that was away
        await self.dispatch("GUILD_CREATE", body)
