"""A browser, and people who touch what a page of the board shows."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

# The first draws nothing but pages, and takes two thirds of what the others do.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
NO_CHROMIUM = "no Chromium on this machine (apt install chromium-headless-shell)"
# Without a graphics card, marks that march take most of a processor.
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
PHONE: dict[str, Any] = STILL | {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = STILL | {"viewport": {"width": 1280, "height": 900}}
IN_ONE_LOOP = pytest.mark.asyncio(loop_scope="session")
"""For tests that take `chromium`, which lives as long as the process: so must what talks to it."""
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
NO_SPARE = "--renderer-process-limit=1"
"""No process is started for a next page that never comes: an eighth of what pages take."""


@asynccontextmanager
async def browser(*more: str) -> AsyncIterator[Any]:
    """A browser, with `more` arguments. Skips the test where there can be none."""
    playwright = pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    async with playwright.async_playwright() as driver:
        made = await driver.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, NO_SPARE, *more])
        try:
            yield made
        finally:
            await made.close()


class Window:
    """One person's page."""

    def __init__(self, page: Any, touch: bool) -> None:
        self.page = page
        self.touch = touch
        self.taps = 0
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    async def tap(self, selector: str) -> None:
        """Touch or click what is there, as a person does who sees it."""
        found = self.page.locator(selector).first
        await (found.tap() if self.touch else found.click())  # which scrolls there
        self.taps += 1

    async def tap_hex(self, hex_id: str) -> None:
        """Touch or click the middle of a hex."""
        box = await self.page.locator(f"#hex-{hex_id}").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await (self.page.touchscreen.tap(x, y) if self.touch else self.page.mouse.click(x, y))
        self.taps += 1

    async def at(self, seq: int) -> None:
        """Wait until the page shows a position at least as late as this. The page's policy lets nothing wait within."""
        for _ in range(1000):
            if int(await self.page.evaluate("document.body.dataset.seq || -1")) >= seq:
                return
            await asyncio.sleep(0.02)
        raise TimeoutError(f"position {seq} is not shown")

    async def marked(self) -> list[str]:
        """The hexes on which a tile can be laid."""
        said = "[...document.querySelectorAll('.hex[aria-label*=\"can be laid\"]')].map(one => one.dataset.hex)"
        found: list[str] = await self.page.evaluate(said)
        return found


@asynccontextmanager
async def blank(made: Any, how: dict[str, Any], **more: Any) -> AsyncIterator[Any]:
    """A page in a context of its own."""
    context = await made.new_context(**how, **more)
    context.set_default_timeout(20_000)
    yield await context.new_page()
    await context.close()


@asynccontextmanager
async def window(made: Any, link: str, how: dict[str, Any], **more: Any) -> AsyncIterator[Window]:
    """Such a page, which opened the link. Any error that it reports fails the test."""
    async with blank(made, how, **more) as page:
        shown = Window(page, bool(how.get("has_touch")))
        await page.goto(link)
        yield shown
    assert not shown.errors, shown.errors
