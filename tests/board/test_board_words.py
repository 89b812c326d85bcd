"""Words on the board, whatever makes them."""

from __future__ import annotations

import re
from pathlib import Path

from boarding import page, party
from browsing import IN_ONE_LOOP

from board.markup import said, text

APART = re.compile(r"\d %")


@IN_ONE_LOOP
async def test_a_figure_and_its_sign_of_per_cent_stay_on_one_line(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "shares" and position.state.turn > 2)
        async with page(here, here.user_up()) as mine:
            parts = await mine.parts()
    shown = {name: re.sub(r"<[^>]*>", "", html) for name, html in parts.items()}
    assert [name for name, words in shown.items() if APART.search(words)] == []
    together = {name for name, words in shown.items() if "\N{NO-BREAK SPACE}%" in words}
    assert together >= {"turn", "log", "companies", "players"}


def test_a_name_may_end_in_a_space_and_the_sign() -> None:
    assert said("**Ann** buys 10 % of **A %**.") == "<b>Ann</b> buys 10\N{NO-BREAK SPACE}% of <b>A %</b>."
    assert text("40 % <") == "40\N{NO-BREAK SPACE}% &lt;"
