"""/game chart."""

from __future__ import annotations

from typing import Any

import pytest
from club import Club, buttons, payload, text, walk
from player import private_answer

from bot.rooms.past.history import CHART_NAMES


def described(message: Any) -> str:
    """The description of the message's picture."""
    return next(str(item["description"]) for one in walk(payload(message)) for item in one.get("items", []))


@pytest.mark.pictures
async def test_charts_are_shown_to_one_and_turn_into_one_another(club: Club) -> None:
    await club.begin(2)
    shown = private_answer(await club.aiko.slash(club.channel, "game chart"))
    assert described(shown) == "Worth in Shikoku 1889. After opening: Aiko ¥420, Ben ¥420."
    assert set(buttons(shown)) == set(CHART_NAMES.values()) - {CHART_NAMES["worth"]}
    for label in list(CHART_NAMES.values())[1:]:
        shown = private_answer(await club.aiko.click(shown, label=label))
        assert label not in buttons(shown)
        assert described(shown)


async def test_a_chart_can_be_shown_to_the_channel(club: Club) -> None:
    await club.begin(2)
    answer = await club.aiko.slash(club.channel, "game chart", about="prices", public=True)
    assert "Shown to everybody" in text(answer.response or answer.followups[0])
    assert described(club.channel.history()[-1]) == "blank"
