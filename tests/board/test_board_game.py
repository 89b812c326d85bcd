"""A whole game of 1889 on the page, by touch, against the program: from the first bid to the score."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from boarding import Party, party
from browsing import IN_ONE_LOOP, PHONE, Window, window

from bot.rooms.turn import deals
from engine.action_json import from_json
from engine.ids import PlayerId
from storage import Offer, Stale

pytestmark = [IN_ONE_LOOP, pytest.mark.slow, pytest.mark.long]
ME = 1
MOST = 900
"""Moves of the longest game."""
MOVED = "Number(document.body.dataset.seq) > seq"
ANSWERED = f"seq => {MOVED} || document.querySelector('#ask[open], #turn .offer')"
ANSWERED_MOVE = f"seq => {MOVED} || document.querySelector('#turn .offer')"
"""What a press leads to: a move, a question, or an offer that waits."""
SETTLED = "() => !document.querySelector('#turn .offer')"
REACHED = """ids => ids.filter((id) => {
  const {x, y, width, height} = document.getElementById(`hex-${id}`).getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.id === `hex-${id}`;
})"""
SLIPS = 12
"""After so many decisions one is taken back, and made again."""


@pytest.mark.parametrize("seed", [5])
async def test_a_whole_game_is_played_by_touch(tmp_path: Path, chromium: Any, seed: int) -> None:
    chance, decisions, slips = random.Random(seed), 0, 0
    async with party(tmp_path) as here, window(chromium, here.link(ME), PHONE) as shown:
        while not here.table.position.over:
            assert len(here.table.moves) < MOST
            await programs_move(here)
            if here.table.position.over:
                break
            await shown.at(here.table.position.seq)
            await decide(shown, here, chance)
            decisions += 1
            if decisions % SLIPS == 0 and await take_back(shown, here):
                slips += 1
        await shown.page.wait_for_selector("#turn .result")
        result = str(await shown.page.locator("#turn .result").text_content())
        assert "1st" in result
        assert all(name in result for name in here.table.names.values())
        print(f"{decisions} decisions with {shown.taps} taps, {slips} taken back, {len(here.table.moves)} moves")
        assert slips


async def programs_move(here: Party) -> None:
    """The other seats play as opponents do."""
    table = here.table
    while not table.position.over and here.user_up() != ME:
        asked = table.asks(table.position.up[0], "regular")
        choice = await table.work.do(asked.choice)
        await table.submit(choice.action, user=here.user_up())


async def decide(shown: Window, here: Party, chance: random.Random) -> None:
    """Press one thing that the page offers: a tile rather than none, a paying run, or anything."""
    seq = here.table.position.seq
    marked = await in_reach(shown) if here.table.position.decision.step == "track" else []
    if marked and chance.random() < 0.9:
        await lay(shown, chance.choice(marked), chance)
    elif await shown.page.locator("#turn .choice.success").count():
        await shown.tap("#turn .choice.success")
    else:
        await press_any(shown, chance)
    await shown.page.wait_for_function(ANSWERED, arg=seq)
    if await shown.page.locator("#ask[open] .danger").count():
        await shown.tap("#ask .danger")
        await shown.page.wait_for_function(ANSWERED_MOVE, arg=seq)
    for offer in await here.table.store.offers.open(here.table.id):
        await answer(here, offer)
        await shown.page.wait_for_function(SETTLED)  # or the next press would seem to be answered by this offer


async def answer(here: Party, offer: Offer) -> None:
    """Another seat accepts a deal or not, as an opponent would."""
    thought = here.table.asks(PlayerId(offer.to_seat), "regular")
    accept = await here.table.work.do(thought.agrees, from_json(json.loads(offer.body)))
    with suppress(Stale):  # the game has gone on with another
        await deals.answer(here.table, offer.id, user=here.user_of(offer.to_seat), accept=accept, interaction=None)


async def in_reach(shown: Window) -> list[str]:
    """The marked hexes that can be tapped; the whole map is shown first if none can."""
    marked = await shown.marked()
    found: list[str] = await shown.page.evaluate(REACHED, marked)
    if marked and not found:
        await shown.tap("[data-zoom=fit]")
        found = await shown.page.evaluate(REACHED, marked)
    return found


async def lay(shown: Window, hex_id: str, chance: random.Random) -> None:
    await shown.tap_hex(hex_id)
    await shown.page.locator(".confirm button").wait_for()
    count = await shown.page.locator(".tile").count()
    await shown.tap(f".tile >> nth={chance.randrange(count)}")
    await shown.tap(".confirm button")


async def press_any(shown: Window, chance: random.Random) -> None:
    """Any of the choices; passing is one of the last."""
    offered = shown.page.locator("#turn button[data-act]:not(.pass), #turn form[data-act] [type=submit]")
    count = await offered.count()
    if not count or chance.random() < 0.25:
        offered = shown.page.locator("#turn button[data-act], #turn button[data-end]")
        count = await offered.count()
    one = offered.nth(chance.randrange(count))
    folded = one.locator("xpath=ancestor::details[not(@open)]/summary")
    if await folded.count():
        await folded.first.tap()
        shown.taps += 1
    await one.tap()
    shown.taps += 1


async def take_back(shown: Window, here: Party) -> bool:
    """Take the last decision back, where that needs nobody else."""
    seq = here.table.position.seq
    if not await shown.page.locator("[data-ask=undo]").count():
        return False
    await shown.tap("[data-ask=undo]")
    await shown.page.wait_for_selector("#ask[open]")
    if not await shown.page.locator("#ask [data-undo=sure]").count():
        await shown.tap("#ask [data-close]")
        return False
    await shown.tap("#ask [data-undo=sure]")
    await shown.at(seq + 1)
    return True
