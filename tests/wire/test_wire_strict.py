"""The stand-in takes what Discord takes and refuses what Discord refuses, so that what passes here passes there."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from discord_spec import ABSENT, specification
from wire_people import Person
from wire_server import Server
from wire_world import (
    ALL,
    ANNOUNCEMENTS,
    CATEGORY,
    CONNECT,
    FORUM,
    HISTORY,
    MANAGE_THREADS,
    PRIVATE_THREAD,
    STAGE,
    TOKEN,
    VOICE,
    Channel,
)

V2, PRIVATE = 1 << 15, 1 << 6
PNG = {"map.png": b"x"}
COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5

Body = dict[str, Any]


def text(content: str = "A turn", **more: Any) -> Body:
    return {"type": 10, "content": content} | more


def button(code: str = "b", **more: Any) -> Body:
    return {"type": 2, "style": 1, "label": "Pass", "custom_id": code} | more


def row(*inside: Body) -> Body:
    return {"type": 1, "components": list(inside)}


def option(value: str = "1", **more: Any) -> Body:
    return {"label": f"Option {value}", "value": value} | more


def choose(*options: Body, **more: Any) -> Body:
    return {"type": 3, "custom_id": "s", "options": list(options or [option()])} | more


def gallery(url: str = "attachment://map.png", **more: Any) -> Body:
    return {"type": 12, "items": [{"media": {"url": url}} | more]}


def layout(*components: Body, **more: Any) -> Body:
    return {"flags": V2, "components": list(components)} | more


def entry(**more: Any) -> Body:
    return {"type": 4, "custom_id": "amount", "style": 1} | more


def label(component: Body, **more: Any) -> Body:
    return {"type": 18, "label": "Price", "component": component} | more


def modal(*parts: Body, **more: Any) -> Body:
    return {"type": 9, "data": {"custom_id": "m", "title": "Bid", "components": list(parts or [label(entry())])} | more}


def choices(*named: tuple[Any, Any]) -> Body:
    return {"type": 8, "data": {"choices": [{"name": name, "value": value} for name, value in named]}}


def command(*options: Body, **more: Any) -> list[Body]:
    return [{"name": "game", "type": 1, "description": "Games", "options": list(options)} | more]


def typed(name: str = "amount", kind: int = 3, **more: Any) -> Body:
    return {"type": kind, "name": name, "description": "What is typed"} | more


def below(name: str = "create", *options: Body, kind: int = 1) -> Body:
    return {"type": kind, "name": name, "description": "A command", "options": list(options)}


CONTAINER = {"type": 17, "components": [text()]}
SECTION = {"type": 9, "components": [text()], "accessory": button("a")}
LONG = [below(f"c{n}", *(typed(f"o{m}", description="d" * 100) for m in range(10))) for n in range(10)]

GOOD: list[tuple[str, str, Any, dict[str, bytes]]] = [
    ("a plain text", "message", {"content": "x" * 2000}, {}),
    ("a turn", "message", layout(text(), gallery(), row(button()), row(choose()), attachments=[{"id": 0}]), PNG),
    ("an emoji for a label", "message", layout(row(button(label=None, emoji={"name": "🚂"}))), {}),
    ("a link", "message", layout(row({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org"})), {}),
    ("forty components", "message", layout(*(text("x", id=n + 1) for n in range(40))), {}),
    ("4,000 characters", "message", layout(text("x" * 2000), text("y" * 2000)), {}),
    ("nested ones", "message", layout(CONTAINER, SECTION), {}),
    ("two files of 9 MiB", "message", {"content": "x"}, {"a": b"x" * (9 << 20), "b": b"x" * (9 << 20)}),
    ("rows without the flag", "message", {"content": "x", "components": [row(button())]}, {}),
    ("a form", "component", modal(label(entry(min_length=1, max_length=5)), {"type": 10, "content": "x"}), {}),
    ("a private answer", "command", {"type": 4, "data": {"content": "x", "flags": PRIVATE}}, {}),
    ("25 choices", "autocomplete", choices(*((f"n{n}", f"v{n}") for n in range(25))), {}),
    ("a change of the message", "component", {"type": 7, "data": layout(text())}, {}),
    ("a silent acknowledgement", "component", {"type": 6}, {}),
    ("a command", "commands", command(below("create", typed(required=True), typed("more", autocomplete=True))), {}),
    ("a group", "commands", command(below("all", below(), kind=2)), {}),
]

BAD: list[tuple[str, str, Any, dict[str, bytes]]] = [
    # Messages
    ("empty", "message", {}, {}),
    ("empty layout", "message", layout(), {}),
    ("2,001 characters", "message", {"content": "x" * 2001}, {}),
    ("content beside a layout", "message", layout(text(), content="x"), {}),
    ("embeds beside a layout", "message", layout(text(), embeds=[{"title": "x"}]), {}),
    ("a layout without its flag", "message", {"components": [text()]}, {}),
    ("six rows without the flag", "message", {"components": [row(button(str(n))) for n in range(6)]}, {}),
    ("a private message in a channel", "message", {"content": "x", "flags": PRIVATE}, {}),
    ("a flag that cannot be set", "message", {"content": "x", "flags": 1 << 4}, {}),
    ("a flag as text", "message", {"content": "x", "flags": "32768"}, {}),
    ("content as a number", "message", {"content": 5}, {}),
    ("a nonce of 26 characters", "message", {"content": "x", "nonce": "n" * 26}, {}),
    ("eleven embeds", "message", {"embeds": [{"title": "x"}] * 11}, {}),
    ("embeds of 6,001", "message", {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]}, {}),
    ("users parsed and named", "message",
     {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, {}),
    ("mentions of nothing known", "message", {"content": "x", "allowed_mentions": {"parse": ["cats"]}}, {}),
    ("101 users", "message", {"content": "x", "allowed_mentions": {"users": [str(n) for n in range(101)]}}, {}),
    ("a user twice", "message", {"content": "x", "allowed_mentions": {"users": ["1", "1"]}}, {}),
    ("a user that is no id", "message", {"content": "x", "allowed_mentions": {"users": ["aiko"]}}, {}),
    # Files
    ("a picture that was not sent", "message", layout(gallery("attachment://other.png")), PNG),
    ("a picture of no web address", "message", layout(gallery("file:///map.png")), {}),
    ("a file that was not sent", "message", layout({"type": 13, "file": {"url": "attachment://x"}}), {}),
    ("a file from elsewhere", "message", layout({"type": 13, "file": {"url": "https://example.org/x"}}), {}),
    ("an attachment that was not sent", "message", {"content": "x", "attachments": [{"id": 1}]}, PNG),
    ("an attachment without id", "message", {"content": "x", "attachments": [{"filename": "map.png"}]}, PNG),
    ("an attachment twice", "message", {"content": "x", "attachments": [{"id": 0}, {"id": "0"}]}, PNG),
    ("a description of 1,025", "message", {"attachments": [{"id": 0, "description": "x" * 1025}]}, PNG),
    ("eleven files", "message", {"content": "x"}, {str(n): b"x" for n in range(11)}),
    ("a file above 10 MiB", "message", {"content": "x"}, {"a": b"x" * ((10 << 20) + 1)}),
    ("files above 25 MiB", "message", {"content": "x"}, {str(n): b"x" * (9 << 20) for n in range(3)}),
    # Components
    ("41 components", "message", layout(*(text("x") for _ in range(41))), {}),
    ("41 components, nested", "message", layout(*([CONTAINER] * 20), text()), {}),
    ("4,001 characters", "message", layout(text("x" * 2001), text("y" * 2000)), {}),
    ("4,001 characters, nested", "message", layout(CONTAINER, text("y" * 3995)), {}),
    ("an empty text", "message", layout(text(" ")), {}),
    ("a button outside a row", "message", layout(button()), {}),
    ("a list outside a row", "message", layout(choose()), {}),
    ("a text in a row", "message", layout(row(text())), {}),
    ("a row in a row", "message", layout(row(row(button()))), {}),
    ("a container in a container", "message", layout(CONTAINER | {"components": [CONTAINER]}), {}),
    ("a section without accessory", "message", layout({"type": 9, "components": [text()]}), {}),
    ("a section of four texts", "message", layout(SECTION | {"components": [text()] * 4}), {}),
    ("an entry in a message", "message", layout(row(entry())), {}),
    ("a label in a message", "message", layout(label(choose())), {}),
    ("an unknown component", "message", layout({"type": 99}), {}),
    ("an empty row", "message", layout(row()), {}),
    ("six buttons in a row", "message", layout(row(*(button(str(n)) for n in range(6)))), {}),
    ("a button beside a list", "message", layout(row(button(), choose())), {}),
    ("a custom_id twice", "message", layout(row(button("a")), row(button("a"))), {}),
    ("a custom_id twice, nested", "message", layout(SECTION, row(button("a"))), {}),
    ("a number twice", "message", layout(text(id=7), text(id=7)), {}),
    ("a custom_id of 101", "message", layout(row(button("x" * 101))), {}),
    ("a button without label", "message", layout(row(button(label=None))), {}),
    ("a button without custom_id", "message", layout(row(button(custom_id=None))), {}),
    ("a button of 81", "message", layout(row(button(label="x" * 81))), {}),
    ("a button of style 9", "message", layout(row(button(style=9))), {}),
    ("a link with custom_id", "message", layout(row(button(style=5, url="https://example.org"))), {}),
    ("a button with a link", "message", layout(row(button(url="https://example.org"))), {}),
    ("26 options", "message", layout(row(choose(*(option(str(n)) for n in range(26))))), {}),
    ("no options", "message", layout(row(choose() | {"options": []})), {}),
    ("a value twice", "message", layout(row(choose(option("1"), option("1")))), {}),
    ("an option of 101", "message", layout(row(choose(option(label="x" * 101)))), {}),
    ("an empty value", "message", layout(row(choose(option("", label="x")))), {}),
    ("more to choose than there is", "message", layout(row(choose(max_values=2))), {}),
    ("least above most", "message", layout(row(choose(option("1"), option("2"), min_values=2, max_values=1))), {}),
    ("two chosen of one", "message", layout(row(choose(option("1", default=True), option("2", default=True)))), {}),
    ("a placeholder of 151", "message", layout(row(choose(placeholder="x" * 151))), {}),
    ("a gallery of eleven", "message", layout({"type": 12, "items": gallery()["items"] * 11}), PNG),
    ("an empty alt text", "message", layout(gallery(description="")), PNG),
    # Changes and answers
    ("a change to nothing", "edit", {"components": []}, {}),
    ("content into a layout", "edit", {"content": "x"}, {}),
    ("an attachment it does not have", "edit", {"attachments": [{"id": "77"}]}, {}),
    ("a change to private", "edit", {"flags": PRIVATE}, {}),
    ("a form as answer to a form", "form", modal(), {}),
    ("a form as answer to typing", "autocomplete", modal(), {}),
    ("choices as answer to a command", "command", choices(("a", "a")), {}),
    ("choices as answer to a button", "component", choices(("a", "a")), {}),
    ("a deferral as answer to typing", "autocomplete", {"type": 5}, {}),
    ("a change as answer to a command", "command", {"type": 7, "data": layout(text())}, {}),
    ("a change of no message", "form", {"type": 6}, {}),
    ("an unknown type", "command", {"type": 11}, {}),
    ("no type", "command", {"data": {"content": "x"}}, {}),
    ("a form without parts", "component", modal(components=[]), {}),
    ("a form of six parts", "component", modal(*(label(entry(custom_id=str(n))) for n in range(6))), {}),
    ("a form with a button", "component", modal(row(button())), {}),
    ("a form with its title of 46", "component", modal(title="x" * 46), {}),
    ("a label of 46", "component", modal(label(entry(), label="x" * 46)), {}),
    ("an entry of 4,001", "component", modal(label(entry(max_length=4001))), {}),
    ("an entry shorter than its least", "component", modal(label(entry(min_length=9, max_length=5))), {}),
    ("an entry that does not fit", "component", modal(label(entry(max_length=3, value="1000"))), {}),
    ("an entry twice", "component", modal(label(entry()), label(entry())), {}),
    ("26 choices", "autocomplete", choices(*((f"n{n}", f"v{n}") for n in range(26))), {}),
    ("a choice of 101", "autocomplete", choices(("x" * 101, "v")), {}),
    ("a value of 101", "autocomplete", choices(("x", "v" * 101)), {}),
    ("a choice without name", "autocomplete", choices(("", "v")), {}),
    ("choices of two types", "autocomplete", choices(("a", "1"), ("b", 2)), {}),
    ("a follow-up of nothing", "follow-up", {}, {}),
    ("a follow-up of 41", "follow-up", layout(*(text("x") for _ in range(41))), {}),
    # Commands
    ("101 commands", "commands", [command(name=f"c{n}")[0] for n in range(101)], {}),
    ("a command twice", "commands", command() + command(), {}),
    ("capital letters", "commands", command(name="Game"), {}),
    ("a name with a space", "commands", command(name="my game"), {}),
    ("no description", "commands", command(description=""), {}),
    ("a description of 101", "commands", command(description="x" * 101), {}),
    ("8,001 characters", "commands", command(*LONG), {}),
    ("26 subcommands", "commands", command(*(below(f"c{n}") for n in range(26))), {}),
    ("subcommands beside options", "commands", command(below(), typed()), {}),
    ("a group in a group", "commands", command(below("a", below("b", below(), kind=2), kind=2)), {}),
    ("a subcommand in a subcommand", "commands", command(below("a", below("b"))), {}),
    ("an option in a group", "commands", command(below("a", typed(), kind=2)), {}),
    ("an option twice", "commands", command(typed(), typed()), {}),
    ("required after not", "commands", command(typed("a"), typed("b", required=True)), {}),
    ("choices and autocomplete", "commands",
     command(typed(autocomplete=True, choices=[{"name": "a", "value": "a"}])), {}),
    ("a choice twice", "commands", command(typed(choices=[{"name": "a", "value": "a"}] * 2)), {}),
    ("a choice of another type", "commands", command(typed(choices=[{"name": "a", "value": 1}])), {}),
    ("choices of a user", "commands", command(typed(kind=6, choices=[{"name": "a", "value": "a"}])), {}),
    ("least above most", "commands", command(typed(kind=4, min_value=2, max_value=1)), {}),
    ("an unknown type of option", "commands", command(typed(kind=99)), {}),
]  # fmt: skip
TYPES = {"command": COMMAND, "component": COMPONENT, "autocomplete": AUTOCOMPLETE, "form": FORM}


@dataclass
class Desk:
    """A stand-in, and somebody who sends it requests as the bot would."""

    server: Server
    session: aiohttp.ClientSession
    channel: Channel
    person: Person

    async def send(self, method: str, path: str, body: Any = None, files: dict[str, bytes] | None = None) -> int:
        """The status of the answer; its body is kept in `last`."""
        url = f"http://127.0.0.1:{self.server.port}/api{path}"
        headers = {"Authorization": f"Bot {TOKEN}"}
        if files:
            form = aiohttp.FormData()
            form.add_field("payload_json", json.dumps(body), content_type="application/json")
            for number, (name, data) in enumerate(files.items()):
                form.add_field(f"files[{number}]", io.BytesIO(data), filename=name)
            asked = self.session.request(method, url, data=form, headers=headers)
        else:
            asked = self.session.request(method, url, json=body, headers=headers)
        async with asked as answer:
            self.last: Any = await answer.json(content_type=None) if await answer.read() else None
            return answer.status

    async def interaction(self, kind: int) -> str:
        """The path at which a new interaction of this type is answered."""
        if kind == COMPONENT:
            await self.send("POST", f"/channels/{self.channel.id}/messages", layout(row(button())))
            given = await self.person.click(next(reversed(self.channel.messages.values())), "b")
        else:
            given = await self.person.interact(self.channel, kind, {})
        return f"/interactions/{given.id}/{given.token}/callback"

    async def hook(self, private: bool = False) -> str:
        """The path of follow-ups, after a deferral."""
        path = await self.interaction(COMMAND)
        assert await self.send("POST", path, {"type": 5, "data": {"flags": PRIVATE if private else 0}}) == 204
        return f"/webhooks/{self.server.world.bot.id}/{path.split('/')[3]}"

    async def carry_out(self, where: str, body: Any, files: dict[str, bytes]) -> int:
        if where in TYPES:
            return await self.send("POST", await self.interaction(TYPES[where]), body, files)
        if where == "commands":
            return await self.send("PUT", f"/applications/{self.server.world.bot.id}/commands", body)
        if where == "follow-up":
            return await self.send("POST", await self.hook(), body, files)
        messages = f"/channels/{self.channel.id}/messages"
        if where == "message":
            return await self.send("POST", messages, body, files)
        assert await self.send("POST", messages, layout(text())) == 200
        return await self.send("PATCH", f"{messages}/{self.last['id']}", body, files)


@pytest_asyncio.fixture
async def desk() -> AsyncIterator[Desk]:
    async with Server() as server, aiohttp.ClientSession() as session:
        channel = server.world.channel(server.world.guild())
        yield Desk(server, session, channel, Person(server, server.world.person("aiko")))


def named(table: list[tuple[str, str, Any, dict[str, bytes]]]) -> Any:
    return pytest.mark.parametrize(
        ("where", "body", "files"), [pytest.param(*rest, id=f"{rest[0]}: {name}") for name, *rest in table]
    )


@named(GOOD)
async def test_what_discord_takes_is_taken(desk: Desk, where: str, body: Any, files: dict[str, bytes]) -> None:
    assert await desk.carry_out(where, body, files) in (200, 204), desk.last


@pytest.mark.skipif(specification() is None, reason=ABSENT)
@named(BAD)
async def test_what_discord_refuses_is_refused(desk: Desk, where: str, body: Any, files: dict[str, bytes]) -> None:
    assert await desk.carry_out(where, body, files) == 400, desk.last
    assert desk.last["code"] == 50035
    assert len(desk.server.world.invalid) == 1
    desk.server.world.invalid.clear()


@pytest.mark.parametrize(
    ("kind", "rights", "joined", "locked", "archived", "code"),
    [
        pytest.param(VOICE, ALL, True, False, False, 0, id="voice"),
        pytest.param(VOICE, ALL & ~CONNECT, True, False, False, 50001, id="voice, without the right to connect"),
        pytest.param(STAGE, ALL, True, False, False, 0, id="stage"),
        pytest.param(ANNOUNCEMENTS, ALL, True, False, False, 0, id="announcements"),
        pytest.param(FORUM, ALL, True, False, False, 50008, id="forum"),
        pytest.param(CATEGORY, ALL, True, False, False, 50008, id="category"),
        pytest.param(PRIVATE_THREAD, ALL, True, False, False, 0, id="private thread"),
        pytest.param(PRIVATE_THREAD, ALL, False, False, False, 50001, id="private thread of others"),
        pytest.param(PRIVATE_THREAD, ALL | MANAGE_THREADS, False, False, False, 0, id="private thread, for moderators"),
        pytest.param(11, ALL, True, True, False, 160005, id="locked thread"),
        pytest.param(11, ALL | MANAGE_THREADS, True, True, False, 0, id="locked thread, for moderators"),
        pytest.param(11, ALL, True, False, True, 0, id="archived thread"),
        pytest.param(11, ALL, True, True, True, 160005, id="archived and locked thread"),
    ],
)
async def test_every_kind_of_channel_takes_messages_as_discord_does(
    desk: Desk, kind: int, rights: int, joined: bool, locked: bool, archived: bool, code: int
) -> None:
    parent = desk.channel if kind in (10, 11, 12) else None
    place = desk.server.world.channel(desk.channel.guild, parent=parent, kind=kind)
    place.rights, place.joined, place.locked, place.archived = rights, joined, locked, archived
    status = await desk.send("POST", f"/channels/{place.id}/messages", {"content": "x"})
    assert desk.last.get("code", 0) == code
    assert status == 200 if not code else status in (400, 403)
    seen = await desk.send("GET", f"/channels/{place.id}")
    assert seen == (403 if code == 50001 else 200)


async def test_a_post_in_a_forum_is_a_thread(desk: Desk) -> None:
    forum = desk.server.world.channel(desk.channel.guild, kind=FORUM)
    post = desk.server.world.channel(desk.channel.guild, parent=forum)
    assert await desk.send("POST", f"/channels/{post.id}/messages", {"content": "x"}) == 200


async def test_history_is_empty_without_the_right_to_read_it(desk: Desk) -> None:
    path = f"/channels/{desk.channel.id}/messages"
    assert await desk.send("POST", path, {"content": "x"}) == 200
    assert await desk.send("GET", path) == 200
    assert len(desk.last) == 1
    desk.channel.rights = ALL & ~HISTORY
    assert await desk.send("GET", path) == 200
    assert desk.last == []


async def test_a_follow_up_to_a_public_deferral_is_public(desk: Desk) -> None:
    """The flag is ignored, and the stand-in notes that such a follow-up is deprecated."""
    hook = await desk.hook()
    assert await desk.send("POST", hook, {"content": "a secret", "flags": PRIVATE}) == 200
    assert not desk.last["flags"] & PRIVATE
    assert desk.channel.last is not None
    assert desk.channel.last.text == "a secret"
    assert await desk.send("POST", hook, {"content": "another", "flags": PRIVATE}) == 200
    assert desk.last["flags"] & PRIVATE
    assert len(desk.server.world.deprecated) == 1
    desk.server.world.deprecated.clear()


async def test_the_answer_that_was_promised_keeps_its_privacy_and_its_layout(desk: Desk) -> None:
    hook = await desk.hook(private=True)
    assert await desk.send("PATCH", f"{hook}/messages/@original", layout(text())) == 200
    assert desk.last["flags"] == V2 | PRIVATE
    assert await desk.send("PATCH", f"{hook}/messages/@original", {"components": [text("again")]}) == 200
    assert desk.last["flags"] == V2 | PRIVATE
    assert desk.channel.messages == {}


async def test_old_messages_are_edited_three_times_in_six_seconds(desk: Desk) -> None:
    desk.server.world.aged = 7200.0
    path = f"/channels/{desk.channel.id}/messages"
    assert await desk.send("POST", path, {"content": "x"}) == 200
    one = f"{path}/{desk.last['id']}"
    assert [await desk.send("PATCH", one, {"content": str(n)}) for n in range(4)] == [200, 200, 200, 429]
    assert desk.last["code"] == 30046
    assert 0 < desk.last["retry_after"] <= 6


async def test_an_interaction_is_answered_once(desk: Desk) -> None:
    path = await desk.interaction(COMMAND)
    assert await desk.send("POST", path, {"type": 5}) == 204
    assert await desk.send("POST", path, {"type": 5}) == 400
    assert desk.last["code"] == 40060
