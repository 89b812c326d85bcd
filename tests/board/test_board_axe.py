"""What axe finds on the board: nothing that keeps somebody from reading or using it, light or dark, in any panel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from boarding import party
from browsing import DESKTOP, IN_ONE_LOOP, PHONE, window

axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe is not installed")
pytestmark = IN_ONE_LOOP
PANELS = ("turn", "market", "companies", "players", "bank", "log")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MORE = {rule: {"enabled": True} for rule in ("heading-order", "label-content-name-mismatch")}
RULES = {"runOnly": TAGS, "rules": MORE, "resultTypes": ["violations"]}


@pytest.mark.broad
@pytest.mark.parametrize(("how", "scheme"), [(PHONE, "light"), pytest.param(DESKTOP, "dark", marks=pytest.mark.slow)])
async def test_axe_finds_nothing(tmp_path: Path, chromium: Any, how: dict[str, Any], scheme: str) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track" and len(position.state.floated) > 1, seed=3)
        link = here.link(here.user_up())
        async with window(chromium, link, how, color_scheme=scheme, bypass_csp=True) as shown:
            found = await violations(shown.page)
            for name in PANELS[1:]:
                await shown.page.locator(f"#tab-{name}").click()
                found |= await violations(shown.page, f"#{name}")
            await shown.page.locator("#tab-turn").click()
            await shown.tap_hex((await shown.marked())[0])
            await shown.page.locator(".confirm button").wait_for()
            found |= await violations(shown.page, "#focus")
            await shown.tap("#focus [data-close]")
            for box in ("why", "undo", "lines"):
                await shown.tap(f"[data-ask={box}]")
                await shown.page.wait_for_selector("#ask[open]")
                found |= await violations(shown.page, "#ask")
                await shown.tap("#ask [data-close]")
            await shown.tap("[data-ask=lines]")
            await shown.tap("[data-line=new]")
            await shown.page.wait_for_url("**/line/*/")
            found |= await violations(shown.page)
            assert found == {}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
async def test_axe_finds_nothing_where_companies_start_nor_at_the_end(
    tmp_path: Path, chromium: Any, scheme: str
) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "shares", seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE, color_scheme=scheme, bypass_csp=True) as shown:
            await shown.tap("#tab-market")
            found = await violations(shown.page, "#market")
            await shown.tap("#market [data-at]")
            found |= await violations(shown.page, "#ask")
            await shown.tap("#ask [data-close]")
            await here.table.end_here()
            await shown.tap("#tab-turn")
            await shown.page.wait_for_selector("#turn .result")
            found |= await violations(shown.page, "#turn")
            assert found == {}


async def violations(page: Any, part: str | None = None) -> dict[str, list[str]]:
    """By rule: the elements that break it, on the page or in a part that was not there when it was looked at."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(axe.Axe().axe_script)
    answer = await page.evaluate("([part, rules]) => axe.run(part || document, rules)", [part, RULES])
    return {one["id"]: [node["html"][:160] for node in one["nodes"]][:4] for one in answer["violations"]}
