"""A company's turn on the board in a real browser: by touch on a phone and by mouse on a desk, in every title."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from boarding import Party, party
from browsing import DESKTOP, IN_ONE_LOOP, PHONE, Window, window

from bot.core.position import Position
from engine import TITLES

pytestmark = IN_ONE_LOOP
MOST_TAPS = 6
QUICK = {("1889", 390)}
CASES = [
    pytest.param(
        title,
        how,
        id=f"{title}-{how['viewport']['width']}",
        marks=() if (title, how["viewport"]["width"]) in QUICK else pytest.mark.slow,
    )
    for title in TITLES
    for how in (PHONE, DESKTOP)
]


def lays_with_trains(position: Position) -> bool:
    """A company that has trains is to lay track."""
    corp = position.state.operating
    return position.decision.step == "track" and corp is not None and bool(position.state.trains[corp])


async def lay(shown: Window, party: Party) -> None:
    """Lay a tile with three taps: the hex, the tile, and that it is meant."""
    before, seq = shown.taps, party.table.position.seq
    hexes = await shown.marked()
    await shown.tap_hex(hexes[0])
    await shown.page.locator(".tile").first.wait_for()
    await shown.tap(".tile >> nth=-1")
    await shown.tap(".confirm button")
    await shown.at(seq + 1)
    assert shown.taps - before == 3


@pytest.mark.long
async def test_the_answers_to_a_short_question_stay_on_a_line(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), PHONE) as shown:
        await shown.page.route("**/act", lambda route: route.fulfill(json={"question": "<p>Sure?</p>"}))
        await shown.tap("#turn .choice.pass")
        await shown.page.wait_for_selector("#ask[open]")
        sure = shown.page.locator("#ask .danger")
        assert await sure.text_content() == "Yes, I am sure"
        assert (await sure.bounding_box())["height"] < 60  # two lines are 64


@pytest.mark.long
async def test_a_second_tap_decides_nothing_that_the_first_has_led_to(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        user, seq = here.user_up(), here.table.position.seq
        async with window(chromium, here.link(user), PHONE) as shown:
            await shown.page.evaluate("setTimeout = () => 0")  # however slow this machine is, the moment lasts
            box = await shown.page.locator("#turn .choice.pass").bounding_box()
            middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            await shown.page.touchscreen.tap(*middle)
            await shown.at(seq + 1)
            assert here.user_up() == user, "the same person decides what follows"
            await shown.page.touchscreen.tap(*middle)
            await asyncio.sleep(0.3)
            assert here.table.position.seq == seq + 1


@pytest.mark.long
@pytest.mark.parametrize(("title", "how"), CASES)
async def test_a_company_plays_its_turn_with_few_taps(
    tmp_path: Path, chromium: Any, title: str, how: dict[str, Any]
) -> None:
    players = max(3, TITLES[title].players[0])
    async with party(tmp_path, title, players) as here:
        await here.play(lays_with_trains, seed=3)
        company, user = here.table.position.decision.subject, here.user_up()
        async with window(chromium, here.link(user), how) as shown:
            await lay(shown, here)
            while here.table.position.decision.subject == company and shown.taps < 12:
                seq = here.table.position.seq
                await shown.tap("#turn .choice.success, #turn .choice.pass")
                await shown.at(seq + 1)
            assert here.table.position.decision.subject != company
            assert shown.taps <= MOST_TAPS
