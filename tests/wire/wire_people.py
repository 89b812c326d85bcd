"""People at the stand-in: they press, choose, type commands and fill in forms, and wait for what they see."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from wire_limits import walk
from wire_server import Server
from wire_world import Account, Channel, Interaction, Message, snowflake, stamp

PATIENCE = 60.0
"""Seconds to wait for what must happen, however slow and busy the machine."""


class NoAnswer(Exception):
    """The bot did not answer in time: a person reads "The application did not respond"."""


def buttons(message: Message) -> dict[str, str]:
    """Label -> custom id."""
    return {one["label"]: one["custom_id"] for one in walk(message.components) if one.get("type") == 2}


def selects(message: Message) -> dict[str, list[dict[str, Any]]]:
    """Custom id -> options."""
    return {one["custom_id"]: one["options"] for one in walk(message.components) if one.get("type") == 3}


@dataclass(eq=False)
class Person:
    """Somebody with an account."""

    server: Server
    account: Account
    rights: int = 0
    """What they may do in every channel, as Discord's bits."""

    @property
    def id(self) -> int:
        return self.account.id

    def _member(self) -> dict[str, Any]:
        return {"user": self.account.payload(), "roles": [], "joined_at": stamp(0), "deaf": False, "mute": False,
                "nick": None, "permissions": str(self.rights), "flags": 0}  # fmt: skip

    async def interact(
        self, channel: Channel, kind: int, data: dict[str, Any], source: Message | None = None, *, copies: int = 1,
        late: float = 0.0,
    ) -> Interaction:  # fmt: skip
        """Send an interaction to the bot, `copies` times; `late` makes it that many seconds old."""
        made = time.time() - late
        number = snowflake(made)
        token = f"aW50ZXJhY3Rpb246{number}-token-of-the-interaction"
        guild = channel.guild
        body: dict[str, Any] = {"id": str(number), "application_id": str(self.server.world.bot.id), "type": kind,
            "data": data, "guild_id": str(guild), "guild": {"id": str(guild), "locale": "en-US", "features": []},
            "channel": channel.payload(), "channel_id": str(channel.id), "member": self._member(), "token": token,
            "version": 1, "app_permissions": str(channel.rights), "locale": "en-US", "guild_locale": "en-US",
            "entitlements": [], "authorizing_integration_owners": {}, "context": 0,
            "attachment_size_limit": 10485760}  # fmt: skip
        if channel.recipient is not None:
            for key in ("guild_id", "guild", "guild_locale", "member"):
                del body[key]
            body |= {"user": self.account.payload(), "context": 1}
        if source is not None:
            body["message"] = source.payload()
        given = Interaction(number, token, self.account, channel, made, body, source)
        self.server.world.interactions[token] = given
        for _ in range(copies):
            await self.server.bring(body)
        return given

    async def click(self, message: Message, custom_id: str, **more: Any) -> Interaction:
        data = {"custom_id": custom_id, "component_type": 2, "id": 1}
        return await self.interact(message.channel, 3, data, message, **more)

    async def choose(self, message: Message, custom_id: str, value: str, **more: Any) -> Interaction:
        data = {"custom_id": custom_id, "component_type": 3, "values": [value], "id": 1}
        return await self.interact(message.channel, 3, data, message, **more)

    async def slash(self, channel: Channel, command: str, **options: Any) -> Interaction:
        """A command as it is written, "game create", with its options."""
        return await self.interact(channel, 2, self._command(command, options))

    async def complete(self, channel: Channel, command: str, focus: str, text: str = "") -> Interaction:
        """Begin to type an option of a command."""
        data = self._command(command, {focus: text})
        leaf = data
        while leaf["options"][0]["type"] < 3:
            leaf = leaf["options"][0]
        leaf["options"][0]["focused"] = True
        return await self.interact(channel, 4, data)

    async def fill(self, channel: Channel, modal: dict[str, Any], **fields: str) -> Interaction:
        """Send a form that was shown."""
        parts = []
        for one in modal["components"]:
            inner = one.get("component") or one["components"][0]
            name = inner["custom_id"]
            entry: dict[str, Any] = {"type": inner["type"], "custom_id": name, "id": 2}
            entry |= {"values": [fields[name]]} if inner["type"] == 3 else {"value": fields.get(name, "")}
            parts.append({"type": 18, "id": 1, "component": entry})
        return await self.interact(channel, 5, {"custom_id": modal["custom_id"], "components": parts})

    def _command(self, command: str, options: dict[str, Any]) -> dict[str, Any]:
        first, *rest = command.split()
        found = next(one for one in self.server.world.commands if one["name"] == first)
        spec = found
        for word in rest:
            spec = next(one for one in spec["options"] if one["name"] == word)
        kinds = {one["name"]: one["type"] for one in spec.get("options") or []}
        given = [{"name": name, "type": kinds[name], "value": value} for name, value in options.items()]
        for word in reversed(rest):
            given = [{"name": word, "type": 1, "options": given}]
        return {"id": found["id"], "name": first, "type": 1, "options": given}


async def until(server: Server, ready: Callable[[], bool], seconds: float = PATIENCE, what: str = "it") -> None:
    """Wait until something is so on the stand-in. Raises NoAnswer."""
    limit = time.monotonic() + seconds
    while not ready():
        left = limit - time.monotonic()
        if left <= 0:
            raise NoAnswer(f"{what} did not happen in {seconds} s")
        async with server.world.moved:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, 0.05)):  # `wait_for` may swallow that somebody cancels us
                    await server.world.moved.wait()


async def acknowledged(server: Server, given: Interaction) -> Interaction:
    """Wait for the first answer, as a person does."""
    await until(server, lambda: given.acked is not None, server.world.ack_seconds + 0.2, "an answer")
    return given


async def answered(server: Server, given: Interaction, seconds: float = PATIENCE) -> Message:
    """Wait for something to read, and give it."""
    await acknowledged(server, given)
    await until(server, lambda: bool(given.answers) and not given.loading, seconds, "a message")
    return given.answers[-1]


async def tool(server: Server, person: Person, packet: Message, label: str) -> Message:
    """Press what a turn's message has behind *More…*."""
    more = await answered(server, await person.click(packet, buttons(packet)["More…"]))
    return await answered(server, await person.click(more, buttons(more)[label]))
