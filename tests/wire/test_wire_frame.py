"""The board in a real browser inside a frame of Discord's client, which a page at its name plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import CHROMIUM, NO_CHROMIUM, browser
from wire_frame import OPENSSL, client
from wire_inside import club
from wire_people import answered
from wire_process import settled

pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM),
    pytest.mark.skipif(OPENSSL is None, reason="no openssl on this machine, to make a certificate"),
]


async def test_a_move_is_made_inside_discord_by_who_says_who_they_are_and_on_no_other_page(
    tmp_path: Path, unused_tcp_port: int
) -> None:
    async with club(tmp_path, unused_tcp_port) as here:
        up = here.table.up(here.table.packet())
        instance = here.launch(up.account)
        async with client(here, up.account, instance, tmp_path) as discord, browser(*discord.arguments) as made:
            context = await made.new_context(ignore_https_errors=True, viewport={"width": 1280, "height": 900})
            page = await context.new_page()
            discord.willing = False
            await page.goto("https://discord.com/")
            frame = page.frame_locator("#activity")
            await frame.locator("#told", has_text="OAuth2 Authorization was denied").wait_for(timeout=60_000)
            assert await context.cookies() == []
            discord.willing = True
            await frame.locator("#again").click()
            board = frame.frame_locator("#board")
            await board.locator("#turn .choice.pass").click(timeout=60_000)
            await board.locator("body[data-seq='1']").wait_for(timeout=60_000)
            await settled(here.server, here.table.database)
            assert here.table.seq() == 1
            (cookie,) = await context.cookies()
            assert cookie["domain"] == here.origin.removeprefix("https://")
            assert cookie["httpOnly"]
            assert cookie["secure"]
            assert cookie["sameSite"] == "None"
            assert cookie["partitionKey"] == "https://discord.com"
            await answered(here.server, await up.slash(here.table.channel, "my board", off=True))
            await board.locator("#banner.bad", has_text="needs a link").wait_for(timeout=60_000)
            async with page.expect_console_message(lambda one: "frame-ancestors" in one.text, timeout=60_000):
                await page.goto("https://evil.example/")
