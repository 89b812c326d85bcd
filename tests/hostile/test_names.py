"""Names and texts that want to ping, to break lines, or to push other things out of a picture."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest

# The stand-in for Discord is in a folder of its own.
sys.path.insert(0, str(Path(__file__).parent.parent / "wire"))

from wire_people import Person, answered
from wire_play import party
from wire_process import BotProcess, settled
from wire_server import Server

import engine
import renderer
from bot.words.lexicon import LONGEST_NAME, clean_name
from engine.viewing import table_view

HOSTILE = (
    "@everyone", "@here", "<@123456789012345678>", "<@&42>", "**bold** __under__ `code` ||spoiler||", "# Heading",
    "a\nb\r\nc", "\u202eevil\u202c", "\u2066x\u2069", "\u200b\u200c\u200d\ufeff",
    "Z\u0300\u0301\u0302\u0303\u0304\u0305",
    "W" * 4000, "[x](https://example.invalid)", "```", "\u3164\u3164", "😀" * 50, "", " ", "A\0B",
    "> quote", "- list", "名前" * 30,
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_one_short_visible_line_that_mentions_nobody(name: str) -> None:
    shown = clean_name(name, "fallback")
    assert 1 <= len(shown) <= LONGEST_NAME
    assert not any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") for letter in shown)
    assert not set("@<>`#\n") & set(shown)
    assert clean_name(shown) == shown


def test_ordinary_names_stay_as_they_are() -> None:
    for name in ("Aiko", "Jörg Müller", "太郎", "O'Neill", "Łukasz_2", "Nguyễn"):
        assert clean_name(name) == unicodedata.normalize("NFC", name)
    assert clean_name("\u200b", "ben") == "ben"
    assert clean_name("\u200b", "\u200b") == "Player"


@pytest.mark.long
def test_no_name_changes_the_size_of_a_picture() -> None:
    title = engine.build("1889", 3)
    sizes = set()
    for name in ("Ann", *HOSTILE):
        state = engine.start(title, [clean_name(name), "Ben", "Cho"])
        picture = renderer.table_picture(table_view(title, state))
        sizes.add((picture.width, picture.height))
        assert len(picture.alt) <= 1024
    assert len(sizes) == 1


@pytest.mark.long
async def test_nobody_is_pinged_but_who_is_up(tmp_path: Path) -> None:
    """Over the wire: people with hostile names play, write nonsense, and ask for things that do not exist."""
    async with Server() as server, BotProcess(server, tmp_path / "games.sqlite3") as bot:
        table = await party(server, tmp_path / "games.sqlite3", 3)
        world = server.world
        victim = world.person("victim")
        names = ("@everyone", f"<@{victim.id}>", "**x**\n# Big ||y||")
        table.people = [Person(server, world.person(f"user{number}", name)) for number, name in enumerate(names)]
        await table.begin()
        for _ in range(4):
            await table.turn()
            await settled(server, table.database)
        person, texts = table.people[0], ("@everyone", f"<@{victim.id}>", "`" * 30, "x" * 4000, "\u202e", "💥" * 500)
        for text in texts:
            for command, option in (("stock buy", "share"), ("train buy", "train"), ("run", "routes"), ("lay", "tile")):
                if not has(server, command, option):
                    continue
                given = await person.slash(table.channel, command, **{option: text, **needed(server, command, option)})
                said = await answered(server, given)
                assert said.private
                assert len(said.text) <= 2000
        assert not any(message.everyone for message in table.channel.messages.values())
        assert victim.id not in {user for user, _ in world.pings}
        assert {user for user, _ in world.pings} <= {one.id for one in table.people}
        assert world.invalid == []
        assert "incident" not in bot.log()


def leaf(server: Server, command: str) -> dict[str, object] | None:
    first, *rest = command.split()
    found = next((one for one in server.world.commands if one["name"] == first), None)
    for word in rest:
        found = next((one for one in (found or {}).get("options", []) if one["name"] == word), None)
    return found


def has(server: Server, command: str, option: str) -> bool:
    found = leaf(server, command)
    return found is not None and any(one["name"] == option for one in found["options"])  # type: ignore[attr-defined]


def needed(server: Server, command: str, but: str) -> dict[str, object]:
    """Something for every other option that must be given."""
    found = leaf(server, command) or {}
    return {
        one["name"]: "x" if one["type"] == 3 else 1
        for one in found["options"]  # type: ignore[attr-defined]
        if one.get("required") and one["name"] != but
    }
