"""The stand-in's memory: people, channels, messages, interactions, who was pinged, and what goes wrong on purpose."""

from __future__ import annotations

import asyncio
import itertools
import re
import time
import zlib
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from wire_limits import COMPONENTS_V2, EDITED, EPHEMERAL, POSTED, check_message, text_of
from wire_shards import MOST_GUILDS, RECOMMENDED, Pace, Shard, Starts, shard_of

VIEW, SEND, EMBED, ATTACH, HISTORY, CONNECT = 1 << 10, 1 << 11, 1 << 14, 1 << 15, 1 << 16, 1 << 20
MANAGE_CHANNELS, MANAGE_SERVER = 1 << 4, 1 << 5
MANAGE_THREADS, THREADS = 1 << 34, 1 << 38
ALL = VIEW | SEND | EMBED | ATTACH | HISTORY | CONNECT | THREADS
"""What the bot may do unless a test says otherwise: not to manage threads."""
DIRECT = 1
TEXT, VOICE, CATEGORY, ANNOUNCEMENTS, NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE, FORUM = (
    0, 2, 4, 5, 10, 11, 12, 13, 15,
)  # fmt: skip
THREAD_KINDS = (NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)
OLD_EDITS, OLD_EDITS_SECONDS = 3, 6.0
"""How many edits of old messages a channel takes in so many seconds."""
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.the-secret-part-of-the-token-of-tests"
_counter = itertools.count(1)


def snowflake(seconds: float | None = None) -> int:
    """A new id of Discord's form, made at this time (now unless given)."""
    at = time.time() if seconds is None else seconds
    return ((int(at * 1000) - 1420070400000) << 22) | (next(_counter) % (1 << 22))


def stamp(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + "+00:00"


LAUNCH = {"name": "launch", "description": "Open the board", "type": 4, "handler": 2, "integration_types": [0],
          "contexts": [0], "dm_permission": True, "nsfw": False, "name_localizations": {"de": "start"},
          "default_member_permissions": "2048"}  # fmt: skip
"""The command that Discord makes where an application is switched on as an Activity, changed a little by its host."""


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
                "discriminator": "0", "bot": self.bot, "public_flags": 0, "flags": 0,
                "primary_guild": None}  # fmt: skip


@dataclass(eq=False)
class Channel:
    id: int
    guild: int
    name: str
    kind: int = TEXT
    rights: int = ALL
    """The bot's permissions in it."""
    parent: int | None = None
    archived: bool = False
    locked: bool = False
    joined: bool = True
    """Whether the bot is a member, which matters in a private thread."""
    tags: list[str] = field(default_factory=list)
    """The tags of a forum, whose ids are their places counted from 1; or the ids of those of a post."""
    messages: dict[int, Message] = field(default_factory=dict)
    nonces: dict[str, Message] = field(default_factory=dict)
    """What was sent with them, also if it was deleted since."""
    recipient: Account | None = None
    """Whose direct messages these are, outside all servers."""
    old_edits: deque[float] = field(default_factory=lambda: deque(maxlen=OLD_EDITS))
    """When old messages were last edited."""

    @property
    def thread(self) -> bool:
        return self.kind in THREAD_KINDS

    @property
    def seen(self) -> bool:
        """Whether the bot may look into it."""
        if self.kind == PRIVATE_THREAD and not self.joined and not self.rights & MANAGE_THREADS:
            return False
        wanted = VIEW | (CONNECT if self.kind in (VOICE, STAGE) else 0)
        return self.rights & wanted == wanted

    def payload(self) -> dict[str, Any]:
        if self.recipient is not None:
            return {"id": str(self.id), "type": DIRECT, "flags": 0, "last_message_id": None,
                    "recipients": [self.recipient.payload()]}  # fmt: skip
        body: dict[str, Any] = {"id": str(self.id), "guild_id": str(self.guild), "name": self.name, "type": self.kind,
                "flags": 0, "permissions": str(self.rights)}  # fmt: skip
        if not self.thread:
            return body | {"position": 0, "permission_overwrites": [], "nsfw": False, "parent_id": None,
                           **self._of_its_kind()}  # fmt: skip
        meta = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": 1440,
                "archive_timestamp": stamp(time.time())}  # fmt: skip
        return body | {"parent_id": str(self.parent), "owner_id": "1", "thread_metadata": meta,
                       "applied_tags": self.tags, "message_count": 0, "member_count": 1, "total_message_sent": 0,
                       "rate_limit_per_user": 0}  # fmt: skip

    def _of_its_kind(self) -> dict[str, Any]:
        if self.kind in (VOICE, STAGE):
            return {"bitrate": 64000, "user_limit": 0, "rtc_region": None, "rate_limit_per_user": 0}
        if self.kind == FORUM:
            tags = [{"id": str(number), "name": name, "moderated": False, "emoji_id": None, "emoji_name": None}
                    for number, name in enumerate(self.tags, start=1)]  # fmt: skip
            return {"available_tags": tags, "default_reaction_emoji": None, "default_sort_order": None,
                    "default_forum_layout": 0, "topic": None, "rate_limit_per_user": 0}  # fmt: skip
        return {} if self.kind == CATEGORY else {"topic": None, "rate_limit_per_user": 0}

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
    answers: int | None = None
    """The message that it answers."""
    edits: int = 0
    edited: float | None = None
    versions: list[tuple[list[dict[str, Any]], str]] = field(default_factory=list)
    """Components and text of every version, the first as posted."""
    posted: float = field(default_factory=time.time)
    """When, by the machine's clock, whatever the id says."""

    @property
    def text(self) -> str:
        return text_of(self.content, self.components)

    @property
    def private(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def made(self) -> float:
        return ((self.id >> 22) + 1420070400000) / 1000

    def payload(self) -> dict[str, Any]:
        edited = None if self.edited is None else stamp(self.edited)
        body = {"id": str(self.id), "channel_id": str(self.channel.id), "author": self.author.payload(),
                "content": self.content, "timestamp": stamp(self.made), "edited_timestamp": edited, "tts": False,
                "mention_everyone": self.everyone, "mentions": [], "mention_roles": [], "embeds": [],
                "attachments": [attachment(name, size) for name, size in self.files.items()], "pinned": False,
                "type": 0, "flags": self.flags, "components": resolved(self.components)}  # fmt: skip
        return body if self.nonce is None else body | {"nonce": self.nonce}


def attachment(name: str, size: int) -> dict[str, Any]:
    url = f"https://cdn.invalid/{name}"
    return {"id": file_id(name), "filename": name, "size": size, "url": url, "proxy_url": url,
            "content_type": "image/png"}  # fmt: skip


def file_id(name: str) -> str:
    return str(zlib.crc32(name.encode()) + 1)


def resolved(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Components as Discord gives them back: all with numbers, pictures by their addresses."""
    numbers = itertools.count(1)

    def filled(node: Any) -> Any:
        if isinstance(node, list):
            return [filled(one) for one in node]
        if not isinstance(node, dict):
            return node
        body = {key: filled(value) for key, value in node.items() if value is not None}
        if isinstance(node.get("type"), int):
            body.setdefault("id", next(numbers))
        if node.get("type") in (3, 5, 6, 7, 8):
            body = {"min_values": 1, "max_values": 1} | body
        elif node.get("type") == 17:
            body = {"accent_color": None, "spoiler": False} | body
        elif "media" in node:
            body = {"description": None, "spoiler": False} | body
        elif "url" in node and "type" not in node:
            name = node["url"].removeprefix("attachment://")
            address = node["url"] if name == node["url"] else f"https://cdn.invalid/{name}"
            body |= {"id": file_id(name), "url": address, "proxy_url": address, "width": 1, "height": 1}
        return body

    found: list[dict[str, Any]] = filled(components)
    return found


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
    launched: str = ""
    """The instance of the Activity that the answer began."""
    choices: list[dict[str, Any]] | None = None
    original: Message | None = None
    loading: bool = False
    answers: list[Message] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """The texts of the answers when they came, but for what the public message that was pressed shows then."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, message: Message) -> None:
        self.answers.append(message)
        if message.private or message is not self.source:
            self.said.append(message.text)

    def expired(self) -> bool:
        return time.time() - self.made > 15 * 60


@dataclass(eq=False)
class Code:
    """What Discord's client gives an Activity's page, to be exchanged once for a token of the person."""

    account: Account
    challenge: str
    used: bool = False


@dataclass(eq=False)
class Instance:
    """An Activity that runs in a channel."""

    channel: Channel
    people: list[Account]


Step = Callable[[str, str], Awaitable[None]]


class World:
    """Everything that the stand-in knows. `faults` are called with method and path before a request is carried out,
    and `afters` once it was, before its answer is sent; either may wait or raise Refusal."""

    def __init__(self) -> None:
        self.bot = Account(123456789012345678, "tetsudo", bot=True)
        self.people: dict[int, Account] = {}
        self.channels: dict[int, Channel] = {}
        self.guilds: dict[int, str] = {}
        self.left: set[int] = set()
        """Who is on no server any more."""
        self.closed: set[int] = set()
        """Who accepts no direct messages of the bot."""
        self.interactions: dict[str, Interaction] = {}
        self.commands: list[dict[str, Any]] = []
        self.codes: dict[str, Code] = {}
        self.tokens: dict[str, Account] = {}
        """Whose they are, of those that were given for codes."""
        self.instances: dict[str, Instance] = {}
        self.emojis: dict[str, dict[str, Any]] = {}
        """Those of the application, by their ids."""
        self.faults: list[Step] = []
        self.afters: list[Step] = []
        self.pings: list[tuple[int, Message]] = []
        self.requests: deque[tuple[float, str, str, int]] = deque(maxlen=5000)
        """When they were sent, or else carried out; method, path and status."""
        self.invalid: list[str] = []
        """Payloads that Discord would have refused, each with the reason."""
        self.misanswered: list[str] = []
        """Answers of the stand-in itself that are not as Discord's specification says."""
        self.old_after = 3600.0
        """Seconds after which a message is old, so that edits of it have a limit of their own."""
        self.old_edits_seconds = OLD_EDITS_SECONDS
        self.aged = 0.0
        """By how many seconds messages are older, by their ids, than they are."""
        self.deprecated: list[str] = []
        """Follow-ups right after a deferral, where Discord wants the answer itself to be edited."""
        self.buckets: dict[tuple[str, str], tuple[float, int]] = {}
        """By method and channel: when the time of a limit began, and how often it was used."""
        self.nonce_seconds = 300.0
        self.ack_seconds = 3.0
        """How long an interaction can be acknowledged."""
        self.rate: tuple[int, float] | None = None
        """Requests for each route and channel in so many seconds, None for no limit."""
        self.pace = Pace()
        """Requests of the token as a whole."""
        self.starts = Starts()
        self.held: dict[int, asyncio.Event] = {}
        """By shard: before what its session does not begin."""
        self.most_guilds = MOST_GUILDS
        """Servers on one shard."""
        self.recommended: int | None = None
        """Shards that Discord recommends, None for as many as the servers need."""
        self.reset = False
        """The token was taken away: too many sessions were begun in a day."""
        self.busy = 0
        self.moved = asyncio.Condition()

    def guild(self, name: str = "Club", shard: Shard | None = None) -> int:
        """A new server, of this shard if one is named."""
        number, count = shard or (0, 1)
        made = snowflake()
        made += ((number - (made >> 22)) % count) << 22
        self.guilds[made] = name
        return made

    def on_shard(self, shard: Shard) -> list[int]:
        """The servers of a shard."""
        return [one for one in self.guilds if shard_of(one, shard[1]) == shard[0]]

    def shards(self) -> int:
        """How many shards Discord recommends."""
        return self.recommended or -(-max(len(self.guilds), 1) // RECOMMENDED)

    def channel(
        self, guild: int, name: str = "rails", *, parent: Channel | None = None, kind: int | None = None
    ) -> Channel:
        """A new channel, or thread of `parent`; a text channel or public thread unless told."""
        usual = TEXT if parent is None else NEWS_THREAD if parent.kind == ANNOUNCEMENTS else PUBLIC_THREAD
        made = Channel(snowflake(), guild, name, usual if kind is None else kind, parent=parent.id if parent else None)
        self.channels[made.id] = made
        return made

    def direct(self, person: Account) -> Channel:
        """The direct messages between the bot and somebody."""
        found = next((one for one in self.channels.values() if one.recipient is person), None)
        if found is None:
            found = Channel(snowflake(), 0, person.name, DIRECT, recipient=person)
            self.channels[found.id] = found
        return found

    def embed(self) -> None:
        """Switch the application on as an Activity, as its host does."""
        made = {"id": str(snowflake()), "application_id": str(self.bot.id), "version": "1"}
        self.commands.append(LAUNCH | made)

    @property
    def embedded(self) -> list[dict[str, Any]]:
        """The command that launches the Activity, if it is switched on."""
        return [one for one in self.commands if one["type"] == LAUNCH["type"]]

    def launch(self, channel: Channel, *people: Account) -> str:
        """An Activity that runs in the channel, and its id."""
        made = f"i-{snowflake()}-gc-{channel.guild}-{channel.id}"
        self.instances[made] = Instance(channel, list(people))
        return made

    def code(self, account: Account, challenge: str) -> str:
        """What the client gives a page that asks who the person is."""
        made = f"code{snowflake()}"
        self.codes[made] = Code(account, challenge)
        return made

    def person(self, name: str, shown: str = "") -> Account:
        made = Account(snowflake(), name, shown or name.title())
        self.people[made.id] = made
        return made

    def member(self, user: int) -> dict[str, Any] | None:
        """Somebody as a member of any server; None if they are on none."""
        found = self.people.get(user)
        if found is None or user in self.left:
            return None
        return {"user": found.payload(), "roles": [], "joined_at": stamp(0), "deaf": False, "mute": False,
                "nick": None, "flags": 0, "pending": False, "premium_since": None, "avatar": None, "banner": None,
                "communication_disabled_until": None}  # fmt: skip

    async def note(self) -> None:
        """Tell whoever waits that something happened."""
        async with self.moved:
            self.moved.notify_all()

    def may(self, channel: Channel | None, *, post: bool, files: bool = False) -> Channel:
        """The channel if the bot may write there; raises Refusal as Discord would."""
        if channel is None or channel.id not in self.channels:
            raise Refusal(404, 10003, "Unknown Channel")
        if channel.recipient is not None:
            if channel.recipient.id in self.closed | self.left:
                raise Refusal(403, 50007, "Cannot send messages to this user")
            return channel
        if channel.guild not in self.guilds or not channel.seen:
            raise Refusal(403, 50001, "Missing Access")
        if channel.kind in (CATEGORY, FORUM):
            raise Refusal(400, 50008, "Cannot send messages in a non-text channel")
        if post and channel.locked and not channel.rights & MANAGE_THREADS:
            raise Refusal(403, 160005, "Thread is locked")
        if channel.archived and not post:
            raise Refusal(400, 50083, "Thread is archived")
        wanted = (THREADS if channel.thread else SEND) if post else 0
        if files:
            wanted |= ATTACH
        if channel.rights & wanted != wanted:
            raise Refusal(403, 50013, "Missing Permissions")
        channel.archived = False
        return channel

    def spare(self, message: Message) -> None:
        """Raise Refusal where too many old messages of the channel were edited of late."""
        now, last = time.time(), message.channel.old_edits
        if now - message.made < self.old_after:
            return
        if len(last) == OLD_EDITS and now - last[0] < self.old_edits_seconds:
            text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
            raise Refusal(429, 30046, text, {"Retry-After": f"{last[0] + self.old_edits_seconds - now:.3f}"})
        last.append(now)

    def post(
        self, channel: Channel, body: dict[str, Any], files: dict[str, bytes], *, private: bool = False,
        flags: int = POSTED,
    ) -> Message:  # fmt: skip
        """A new message of the bot. The same nonce again gives the message that was sent with it, if it is there."""
        check_message(body, files, {}, flags=flags)
        nonce = str(body["nonce"]) if body.get("nonce") else None
        if nonce and body.get("enforce_nonce"):
            old = channel.nonces.get(nonce)
            if old is not None and time.time() - old.made < self.nonce_seconds:
                if old.id not in channel.messages:
                    raise Refusal(404, 10008, "Unknown Message")
                return old
        alts = [one.get("description") or "" for one in body.get("attachments") or []]
        shown = (body.get("flags") or 0) & ~EPHEMERAL | (EPHEMERAL if private else 0)
        number = snowflake(time.time() - self.aged)
        made = Message(number, channel, self.bot, body.get("content") or "", body.get("components") or [], shown,
                       {name: len(data) for name, data in files.items()}, alts, nonce)  # fmt: skip
        made.versions.append((made.components, made.text))
        if not made.private:
            channel.messages[made.id] = made
            channel.nonces |= {nonce: made} if nonce else {}
            made.pinged, made.everyone = mentioned(made.text, body.get("allowed_mentions"))
            self.pings += [(user, made) for user in made.pinged]
        reference = body.get("message_reference")
        made.answers = int(reference["message_id"]) if reference else None
        return made

    def said(self, channel: Channel, account: Account, *, ago: float = 0.0) -> Message:
        """A message that somebody posts, or posted so many seconds ago, and of which the bot is not told."""
        made = Message(snowflake(time.time() - ago), channel, account, "Nice move!", [], 0, {}, [])
        channel.messages[made.id] = made
        return made

    def edit(self, message: Message, body: dict[str, Any], files: dict[str, bytes], *, flags: int = EDITED) -> None:
        """Change a message. Files that the new list of attachments leaves out are gone; the components flag stays."""
        there, kept = {name: file_id(name) for name in message.files}, dict(message.files)
        if "attachments" in body:
            named = {str(one["id"]) for one in body["attachments"] or []}
            kept = {name: size for name, size in kept.items() if there[name] in named}
        whole = {"content": message.content, "components": message.components} | {
            key: value for key, value in body.items() if key in ("content", "components", "flags", "attachments")
        }
        stay = message.flags & (COMPONENTS_V2 | EPHEMERAL)
        known = {name: there[name] for name in kept}
        check_message(whole, files, known, flags=flags, has=stay)
        message.content, message.components = whole["content"] or "", whole["components"] or []
        message.flags = (body.get("flags") or 0) | stay
        message.files = kept | {name: len(data) for name, data in files.items()}
        message.alts = [one.get("description") or "" for one in body.get("attachments") or []]
        message.edits += 1
        message.edited = time.time()
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
