"""The playground's page in a real browser: what a newcomer presses opens, stays where it is, and does the move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from browsing import IN_ONE_LOOP, blank

from engine.ids import CorpId
from playground.beside import beside
from playground.page import page
from playground.server import LocalServer, local_server

pytestmark = IN_ONE_LOOP
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 60_000
# Long enough for pictures that are drawn again to be back, and for a list that closes because of it to have closed.
SETTLED_MS = 500
READY = "() => simcordPreview.ready && !simcordPreview.pendingQuery"
SEEN_BY = """name => {
    const chosen = document.getElementById('viewer-picker').selectedOptions[0];
    return chosen?.label === name && chosen.value === simcordPreview.viewerId;
}"""
FOOT = (
    "() => { const channel = document.getElementById('channel-timeline'); channel.scrollTop = channel.scrollHeight; }"
)


@asynccontextmanager
async def browser_at(here: LocalServer, chromium: Any) -> AsyncIterator[Any]:
    """The server's page in a browser."""
    async with page(here) as shown, blank(chromium, {}) as window:
        window.set_default_timeout(PATIENCE_MS)
        await window.goto(shown.url)
        await window.wait_for_selector(".channel-message")
        yield window


@asynccontextmanager
async def board_beside(tmp_path: Path, chromium: Any, size: Any) -> AsyncIterator[tuple[LocalServer, Any]]:
    """A game for one, and its board and chat side by side in a browser."""
    async with (
        local_server(tmp_path / "x.sqlite3", "1889", 3, humans=1) as here,
        page(here) as shown,
        beside(here, shown, None) as at,
        blank(chromium, {"viewport": size}) as window,
    ):
        window.set_default_timeout(PATIENCE_MS)
        await window.goto(at)
        yield here, window


async def view_as(window: Any, name: str) -> None:
    await window.locator("#viewer-picker").select_option(label=name)
    await window.wait_for_function(SEEN_BY, arg=name)


async def open_list(window: Any, label: str) -> Any:
    """Go to the foot of the channel and open the list of this name there, as a person does; its options.

    Fails where the list moved as it opened or closed again.
    """
    trigger = window.locator(".select-trigger", has_text=label).last
    await trigger.wait_for()
    for _ in range(2):  # the newest picture may still be on its way
        await window.wait_for_timeout(SETTLED_MS)
        await window.wait_for_function(READY)
        await window.evaluate(FOOT)
    before = await trigger.bounding_box()
    assert before["y"] + before["height"] <= window.viewport_size["height"]
    await window.mouse.click(before["x"] + 20, before["y"] + before["height"] / 2)
    await window.wait_for_timeout(SETTLED_MS)
    after = await trigger.bounding_box()
    assert after["y"] == pytest.approx(before["y"], abs=1)
    options = window.locator(".preview-select.is-open [role=option]")
    assert await options.first.is_visible()
    return options


async def told(window: Any, words: str) -> None:
    """Wait until the channel says so."""
    await window.locator(".channel-message", has_text=words).first.wait_for()


async def up(here: LocalServer) -> tuple[str, Any]:
    """The name of the player whose turn it is, and the table."""
    table = await here.bot.tables.in_channel(here.channel.id)
    (seat,) = table.position.up
    return table.names[seat], table


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
@pytest.mark.long
async def test_bids_are_chosen_from_the_list_at_the_foot(tmp_path: Path, chromium: Any, size: Any) -> None:
    async with (
        local_server(tmp_path / "x.sqlite3", "1889", 3, humans=3) as here,
        browser_at(here, chromium) as window,
    ):
        await window.set_viewport_size(size)
        name, table = await up(here)
        await view_as(window, name)
        options = await open_list(window, "Bid")
        await options.first.click()
        await told(window, f"{name} bids")
        assert table.position.seq == 1


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.slow)])
@pytest.mark.long
async def test_companies_are_started_from_the_list_at_the_foot(tmp_path: Path, chromium: Any, size: Any) -> None:
    async with (
        local_server(tmp_path / "x.sqlite3", "1889", 3, "beginner", humans=3) as here,
        browser_at(here, chromium) as window,
    ):
        await window.set_viewport_size(size)
        name, table = await up(here)
        await view_as(window, name)
        options = await open_list(window, "Start a company")
        await options.filter(has_text="IR ").first.click()
        prices = window.locator(".channel-message").get_by_role("button", name="¥65", exact=True)
        await prices.last.click()
        await told(window, f"{name} starts IR")
        assert table.position.state.par[CorpId("IR")] == 65


@pytest.mark.long
async def test_a_picture_that_is_on_its_way_is_as_high_as_once_it_is_there(tmp_path: Path, chromium: Any) -> None:
    """Its words stand in its place, and were higher or narrower: what is below moved, so that lists closed as they
    opened."""
    async with local_server(tmp_path / "x.sqlite3", "1889", 3) as here, browser_at(here, chromium) as window:
        await window.set_viewport_size(PHONE)
        await window.wait_for_function(READY)
        picture = window.locator(".gallery-image").last
        before = await picture.bounding_box()
        words = await picture.get_attribute("alt")
        for alt in (words * 3, "Map"):
            await picture.evaluate("(it, alt) => { it.alt = alt; it.removeAttribute('src'); }", alt)
            box = await picture.bounding_box()
            assert (box["width"], box["height"]) == pytest.approx((before["width"], before["height"]), abs=1)


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
@pytest.mark.long
async def test_what_is_done_beside_the_chat_is_told_there_without_a_press(
    tmp_path: Path, chromium: Any, size: Any
) -> None:
    """On a phone, the chat is out of sight meanwhile, and fills the page once it is looked at."""
    async with board_beside(tmp_path, chromium, size) as (_, window):
        chat, board = window.frame_locator("#chat"), window.frame_locator("#board")
        await chat.locator(".channel-message").first.wait_for(state="attached")
        await board.get_by_role("button", name="Buy A ").click()
        await chat.locator(".channel-message", has_text="Aiko buys A").first.wait_for(state="attached")
        await window.locator("#guide").click()
        await chat.locator(".channel-message", has_text="Seven short scenes").first.wait_for()
        channel, frame = chat.locator("#channel-timeline"), window.locator("#chat")
        assert (await channel.bounding_box())["width"] > (await frame.bounding_box())["width"] * 0.9


@pytest.mark.long
@pytest.mark.usefixtures("plain_pictures")
async def test_a_board_of_a_game_that_is_over_leads_to_the_one_that_goes_on(tmp_path: Path, chromium: Any) -> None:
    async with board_beside(tmp_path, chromium, PHONE) as (here, window):
        onward, board = window.locator("#onward"), window.frame_locator("#board")
        await board.get_by_role("button", name="Buy A ").wait_for()
        await (await here.bot.tables.in_channel(here.channel.id)).end_here()
        await board.locator("#whose", has_text="The game is over").wait_for()
        assert not await onward.is_visible()
        await here.people[0].slash(here.channel, "game create", title="1889", opponents=2)
        await here.people[0].slash(here.channel, "game start")
        await onward.get_by_role("button").click()
        await board.locator("#whose", has_text="The game is over").wait_for(state="detached")
        await onward.wait_for(state="hidden")


@pytest.mark.long
async def test_the_bar_names_whose_board_is_shown_also_on_the_way_back(tmp_path: Path, chromium: Any) -> None:
    async with board_beside(tmp_path, chromium, DESKTOP) as (_, window):
        viewer, board = window.locator("#viewer"), window.frame_locator("#board")
        await board.locator("#turn").wait_for()
        first = await viewer.input_value()
        await viewer.select_option("watch")
        await board.locator("body:not([data-acts])").wait_for()
        await window.evaluate("history.back()")
        await board.locator("body[data-acts]").wait_for()
        assert await viewer.input_value() == first
