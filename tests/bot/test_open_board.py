"""From the chat to the board: the link behind Open the board is one's own, opens as oneself, and can be taken back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
from club import Club, buttons, text
from player import private_answer

from board.hosted import beside
from board.live import BREATH, LOOKS
from bot.rooms.page.room import NO_BOARD, Doors
from bot.settings import Activity, SettingsError, from_environment

TOKEN = "aaaa.bbbb.cccc"
LINK = re.compile(r"\((http://[^)]+)\)")


@pytest_asyncio.fixture
async def hosted(club: Club, unused_tcp_port: int) -> AsyncIterator[Club]:
    """The club's bot with a board."""
    port = unused_tcp_port
    bot = club.bot
    bot.settings = replace(bot.settings, token=TOKEN, board=("127.0.0.1", port), board_url=f"http://127.0.0.1:{port}")
    bot.keep(Doors.of(bot.store, bot.settings))
    async with beside(bot):
        yield club


async def links(club: Club, member: Any) -> list[str]:
    """Open the board in More…: the link for the member, and the one for those who only watch."""
    more = private_answer(await member.click(club.packet(), label="More…"))
    assert "Open the board" in buttons(more)
    return LINK.findall(text(private_answer(await member.click(more, label="Open the board"))))


@pytest.mark.broad
async def test_the_board_opens_from_the_turns_message(hosted: Club) -> None:
    table = await hosted.begin(3)
    member = hosted.who(table.position.up[0], table)
    mine, watching = await links(hosted, member)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(mine) as answer:
            page = await answer.text()
            assert answer.status == 200
        assert "Your turn" in page
        assert "data-act=" in page
        async with session.get(watching) as answer:
            page = await answer.text()
        assert "Your turn" not in page
        assert "data-act=" not in page
        assert "off" in text(private_answer(await member.slash(hosted.channel, "my board")))
        at = f"{hosted.bot.settings.board_url}/b/{table.game.id}/{member.id}"
        async with session.get(f"{at}/live") as news:
            await asyncio.sleep(LOOKS * 3)  # until it waits for news
            await member.slash(hosted.channel, "my board", off=True)
            await asyncio.wait_for(news.read(), BREATH / 3)  # it ends
        for again in (mine, f"{at}/parts"):
            async with session.get(again) as answer:
                assert answer.status == 403


async def test_without_a_board_there_is_no_button(club: Club) -> None:
    table = await club.begin(3)
    member = club.who(table.position.up[0], table)
    more = private_answer(await member.click(club.packet(), label="More…"))
    assert "Open the board" not in buttons(more)
    assert text(private_answer(await member.slash(club.channel, "my board"))) == NO_BOARD


def test_what_opens_the_board_inside_discord_comes_from_the_environment() -> None:
    env = {"DISCORD_TOKEN": TOKEN, "TETSUDO_BOARD": "8890", "TETSUDO_BOARD_URL": "https://x.example"}
    both = {"DISCORD_CLIENT_ID": "123456789012345678", "DISCORD_CLIENT_SECRET": "hush"}
    assert from_environment(env).activity is None
    found = from_environment(env | both)
    assert found.activity == Activity(123456789012345678, "hush")
    assert "hush" not in repr(found)
    for name in both:
        with pytest.raises(SettingsError):
            from_environment(env | {name: both[name]})
    with pytest.raises(SettingsError):
        from_environment(env | both | {"DISCORD_CLIENT_ID": "me"})
    with pytest.raises(SettingsError, match="https"):
        from_environment({**env, **both, "TETSUDO_BOARD_URL": ""})


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://Board.Example", "https://board.example"),
        ("https://x.example:443", "https://x.example"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://x.example:8443", "https://x.example:8443"),
    ],
)
def test_the_board_is_where_browsers_say_that_presses_come_from(url: str, named: str) -> None:
    """Otherwise no press on it would be taken for one of its own."""
    found = from_environment({"DISCORD_TOKEN": TOKEN, "TETSUDO_BOARD": "8890", "TETSUDO_BOARD_URL": url})
    assert found.board_url == named


def test_where_the_board_is_comes_from_the_environment() -> None:
    env = {"DISCORD_TOKEN": TOKEN, "TETSUDO_BOARD": "8890"}
    assert from_environment(env).board == ("127.0.0.1", 8890)
    assert from_environment(env).board_url == "http://127.0.0.1:8890"
    assert from_environment(env | {"TETSUDO_BOARD_URL": "https://x.example/"}).board_url == "https://x.example"
    assert from_environment({"DISCORD_TOKEN": TOKEN}).board is None
    wrong = ("x", "https://x.example/y", "https://x.example?y=1", "https://x.example#y", "https://me@x.example")
    for one in ({"TETSUDO_BOARD": "no"}, *({"TETSUDO_BOARD_URL": url} for url in wrong)):
        with pytest.raises(SettingsError):
            from_environment(env | one)
    with pytest.raises(SettingsError):
        from_environment({"DISCORD_TOKEN": TOKEN, "TETSUDO_BOARD_URL": "https://x.example"})
