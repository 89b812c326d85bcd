"""Whatever somebody does from a private message is answered in that message, also a form and a refusal."""

from __future__ import annotations

from typing import Any

import pytest
from club import Club, buttons, selects, text
from player import answer, private_answer
from test_few_presses import operating, put, towards_water

from bot.core.errors import STALE
from engine import actions as a


def private_messages(club: Club) -> list[int]:
    """The ids of all messages that only one person sees."""
    return [number for number, one in club.env.backend.messages[club.channel.id].items() if not one.visible_to(None)]


async def test_a_lay_from_the_hex_to_its_confirmation_is_one_private_message(club: Club) -> None:
    here = await put(club, *towards_water().build())
    member, before = club.who("p1", here), private_messages(club)
    custom_id, options = next(iter(selects(club.packet()).items()))
    shown: Any = private_answer(await member.select(club.packet(), [options[0]["value"]], custom_id=custom_id))
    while not isinstance(here.moves[-1].action if here.moves else None, a.LayTile):
        label = next(label for label in ("Lay it", "1") if label in buttons(shown))
        shown = private_answer(await member.click(shown, label=label))
    assert len(private_messages(club)) == len(before) + 1
    assert "lays tile" in text(shown)


@pytest.mark.core
async def test_a_form_opened_from_a_private_message_is_answered_there(club: Club) -> None:
    here = await put(club, *operating("trains", "open_treasuries").private(A="p1").build())
    member, before = club.who("p1", here), private_messages(club)
    shown = private_answer(await member.click(club.packet(), label="Buy a private…"))
    for amount, words in (("999", "between"), ("many", "not a whole number"), ("21", "buys A")):
        form = await member.click(shown, label=next(x for x in buttons(shown) if x.endswith("…")))
        assert words in await answer(member.submit_modal(form, {"amount": amount}))
    assert len(private_messages(club)) == len(before) + 1


async def test_a_press_that_comes_too_late_is_answered_in_the_private_message(club: Club) -> None:
    here = await put(club, *towards_water().build())
    member = club.who("p1", here)
    custom_id, options = next(iter(selects(club.packet()).items()))
    shown = private_answer(await member.select(club.packet(), [options[0]["value"]], custom_id=custom_id))
    before = private_messages(club)
    await here.submit(a.Pass("p1"), user=member.id)
    assert await answer(member.click(shown, label=next(iter(buttons(shown))))) == STALE
    assert private_messages(club) == before
