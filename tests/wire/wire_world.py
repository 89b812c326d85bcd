"""The stand-in's memory: people, channels, messages, interactions, who was pinged, and what goes wrong on purpose."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from wire_limits import EPHEMERAL, check_message, text_of

VIEW, SEND, EMBED, ATTACH, HISTORY, THREADS = 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 16, 1 << 38
ALL = VIEW | SEND | EMBED | ATTACH | HISTORY | THREADS
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.the-secret-part-of-the-token-of-tests"
_counter = itertools.count(1)


def snowflake(seconds: float | None = None) -> int:
    """A new id of Discord's form, made at this time (now unless given)."""
    at = time.time() if seconds is None else seconds
    return ((int(at * 1000) - 1420070400000) << 22) | (next(_counter) % (1 << 22))


def stamp(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + "+00:00"


class Refusal(Exception):
    """An answer with an error: HTTP status, Discord's code, text."""

    def __init__(self, status: int, code: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(f"{status} {code} {text}")
        self.status, self.code, self.text = status, code, text
        self.headers = headers or {}


@dataclass(eq=False)
class Account:
    id: int
    name: str
    shown: str = ""
    bot: bool = False

    def payload(self) -> dict[str, Any]:
        return {"id": str(self.id), "username": self.name, "global_name": self.shown or None, "avatar": None,
                "discriminator": "0", "bot": self.bot, "public_flags": 0}  # fmt: skip


@dataclass(eq=False)
class Channel:
    id: int
    guild: int
    name: str
    kind: int = 0
    rights: int = ALL
    """The bot's permissions in it."""
    parent: int | None = None
    archived: bool = False
    locked: bool = False
    messages: dict[int, Message] = field(default_factory=dict)

    def payload(self) -> dict[str, Any]:
        body: dict[str, Any] = {"id": str(self.id), "guild_id": str(self.guild), "name": self.name, "type": self.kind,
                "position": 0, "permission_overwrites": [], "nsfw": False, "parent_id": None,
                "permissions": str(self.rights)}  # fmt: skip
        if self.kind == 11:
            meta = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": 1440,
                    "archive_timestamp": stamp(time.time())}  # fmt: skip
            body |= {"parent_id": str(self.parent), "owner_id": "1", "thread_metadata": meta, "message_count": 0,
                     "member_count": 1}  # fmt: skip
        return body

    @property
    def last(self) -> Message | None:
        return next(reversed(self.messages.values()), None)


@dataclass(eq=False)
class Message:
    id: int
    channel: Channel
    author: Account
    content: str
    components: list[dict[str, Any]]
    flags: int
    files: dict[str, int]
    """Name -> size."""
    alts: list[str]
    nonce: str | None = None
    pinged: tuple[int, ...] = ()
    everyone: bool = False
    edits: int = 0
    versions: list[tuple[list[dict[str, Any]], str]] = field(default_factory=list)
    """Components and text of every version, the first as posted."""

    @property
    def text(self) -> str:
        return text_of(self.content, self.components)

    @property
    def private(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    def payload(self) -> dict[str, Any]:
        made = ((self.id >> 22) + 1420070400000) / 1000
        return {"id": str(self.id), "channel_id": str(self.channel.id), "author": self.author.payload(),
                "content": self.content, "timestamp": stamp(made), "edited_timestamp": None, "tts": False,
                "mention_everyone": self.everyone, "mentions": [], "mention_roles": [], "embeds": [],
                "attachments": [attachment(name, size) for name, size in self.files.items()], "pinned": False,
                "type": 0, "flags": self.flags, "components": resolved(self.components)}  # fmt: skip


def attachment(name: str, size: int) -> dict[str, Any]:
    url = f"https://cdn.invalid/{name}"
    return {"id": str(abs(hash(name)) % 10**15 + 1), "filename": name, "size": size, "url": url, "proxy_url": url,
            "content_type": "image/png"}  # fmt: skip


def resolved(node: Any) -> Any:
    """Components as Discord gives them back: pictures by their address."""
    if isinstance(node, dict):
        return {key: resolved(value) for key, value in node.items()}
    if isinstance(node, list):
        return [resolved(one) for one in node]
    if isinstance(node, str) and node.startswith("attachment://"):
        return f"https://cdn.invalid/{node[13:]}"
    return node


@dataclass(eq=False)
class Interaction:
    id: int
    token: str
    person: Account
    channel: Channel
    made: float
    payload: dict[str, Any]
    source: Message | None = None
    acked: float | None = None
    """Seconds from delivery to the first answer."""
    kind: int = 0
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None
    original: Message | None = None
    loading: bool = False
    answers: list[Message] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """The texts of the answers when they came; a private message may change later."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, message: Message) -> None:
        self.answers.append(message)
        self.said.append(message.text)

    def expired(self) -> bool:
        return time.time() - self.made > 15 * 60


Step = Callable[[str, str], Awaitable[None]]


class World:
    """Everything that the stand-in knows. `faults` are called with method and path before a request is carried out,
    and `afters` once it was, before its answer is sent; either may wait or raise Refusal."""

    def __init__(self) -> None:
        self.bot = Account(123456789012345678, "tetsudo", bot=True)
        self.people: dict[int, Account] = {}
        self.channels: dict[int, Channel] = {}
        self.guilds: dict[int, str] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: list[dict[str, Any]] = []
        self.faults: list[Step] = []
        self.afters: list[Step] = []
        self.pings: list[tuple[int, Message]] = []
        self.requests: deque[tuple[float, str, str, int]] = deque(maxlen=5000)
        self.invalid: list[str] = []
        """Payloads that Discord would have refused, each with the reason."""
        self.nonce_seconds = 300.0
        self.ack_seconds = 3.0
        """How long an interaction can be acknowledged."""
        self.rate: tuple[int, float] | None = None
        """Requests for each route and channel in so many seconds, None for no limit."""
        self.busy = 0
        self.moved = asyncio.Condition()

    def guild(self, name: str = "Club") -> int:
        number = snowflake()
        self.guilds[number] = name
        return number

    def channel(self, guild: int, name: str = "rails", *, parent: Channel | None = None) -> Channel:
        made = Channel(snowflake(), guild, name, 11 if parent else 0, parent=parent.id if parent else None)
        self.channels[made.id] = made
        return made

    def person(self, name: str, shown: str = "") -> Account:
        made = Account(snowflake(), name, shown or name.title())
        self.people[made.id] = made
        return made

    async def note(self) -> None:
        """Tell whoever waits that something happened."""
        async with self.moved:
            self.moved.notify_all()

    def may(self, channel: Channel | None, *, post: bool, files: bool = False) -> Channel:
        """The channel if the bot may write there; raises Refusal as Discord would."""
        if channel is None or channel.id not in self.channels:
            raise Refusal(404, 10003, "Unknown Channel")
        if channel.guild not in self.guilds or not channel.rights & VIEW:
            raise Refusal(403, 50001, "Missing Access")
        if channel.archived and (channel.locked or not post):
            raise Refusal(400, 50083, "Thread is archived")
        wanted = (THREADS if channel.kind == 11 else SEND) if post else 0
        if files:
            wanted |= ATTACH
        if channel.rights & wanted != wanted:
            raise Refusal(403, 50013, "Missing Permissions")
        channel.archived = False
        return channel

    def post(
        self, channel: Channel, body: dict[str, Any], files: dict[str, bytes], *, private: bool = False
    ) -> Message:
        """A new message of the bot. The same nonce again gives the message that is there."""
        check_message(body, files, set())
        nonce = str(body["nonce"]) if body.get("nonce") else None
        if nonce and body.get("enforce_nonce"):
            for old in reversed(channel.messages.values()):
                age = time.time() - ((old.id >> 22) + 1420070400000) / 1000
                if old.nonce == nonce and age < self.nonce_seconds:
                    return old
        alts = [one.get("description") or "" for one in body.get("attachments") or []]
        flags = (body.get("flags") or 0) | (EPHEMERAL if private else 0)
        made = Message(snowflake(), channel, self.bot, body.get("content") or "", body.get("components") or [], flags,
                       {name: len(data) for name, data in files.items()}, alts, nonce)  # fmt: skip
        made.versions.append((made.components, made.text))
        if not made.private:
            channel.messages[made.id] = made
            made.pinged, made.everyone = mentioned(made.text, body.get("allowed_mentions"))
            self.pings += [(user, made) for user in made.pinged]
        return made

    def edit(self, message: Message, body: dict[str, Any], files: dict[str, bytes]) -> None:
        """Change a message. Files that the new list of attachments leaves out are gone."""
        kept = dict(message.files)
        if "attachments" in body:
            names = {one.get("filename") for one in body["attachments"] or []}
            kept = {name: size for name, size in kept.items() if name in names}
        whole = {"content": message.content, "components": message.components, "flags": message.flags} | {
            key: value for key, value in body.items() if key in ("content", "components", "flags", "attachments")
        }
        check_message(whole, files, set(kept))
        message.content, message.components = whole["content"] or "", whole["components"] or []
        message.flags = (whole["flags"] or 0) | (message.flags & EPHEMERAL)
        message.files = kept | {name: len(data) for name, data in files.items()}
        message.alts = [one.get("description") or "" for one in body.get("attachments") or []]
        message.edits += 1
        message.versions.append((message.components, message.text))


def mentioned(text: str, allowed: dict[str, Any] | None) -> tuple[tuple[int, ...], bool]:
    """Whom a message pings, and whether it pings everybody."""
    found = tuple(dict.fromkeys(int(number) for number in re.findall(r"<@!?(\d+)>", text)))
    everyone = "@everyone" in text or "@here" in text
    if allowed is None:
        return found, everyone
    parse = allowed.get("parse") or []
    users = {int(one) for one in allowed.get("users") or []}
    return tuple(one for one in found if "users" in parse or one in users), everyone and "everyone" in parse
