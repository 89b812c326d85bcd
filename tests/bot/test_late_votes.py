"""Votes on somebody whose time is up count for that seat, as long as the same person is late there."""

from __future__ import annotations

from typing import Any

from club import Club, buttons, text
from days import Day
from player import answer, begin_at
from tables import table as position

from bot.core.hours import HOUR
from engine.ids import IPO, POOL, CorpId


def questions(day: Day) -> list[Any]:
    return [one for one in day.messages() if "Let the bot play this turn" in buttons(one)]


async def test_a_vote_on_somebody_late_is_none_on_whoever_plays_for_them(club: Club, day: Day) -> None:
    await club.begin(3, pace="steady")
    ann, ben, _, daichi = club.members[:4]
    await day.passes(73 * HOUR)
    await ben.click(day.question(), label="Let the bot play this turn")
    await ann.slash(club.channel, "seat lend", user=daichi, days=10)
    await club.bot.sender.idle()
    await daichi.click(next(one for one in day.messages() if "Accept" in buttons(one)), label="Accept")
    await day.passes(80 * HOUR)
    assert "Daichi" in text(day.question())
    assert "Ben" not in text(day.question())


async def test_a_vote_on_somebody_late_is_none_on_another(club: Club, day: Day) -> None:
    """In 1860 all are asked for a company without a director, and may be late at once."""
    table = await club.begin(4, "1860", pace="steady")
    t, s = position("1860", 4).par("IOW", 74).trains("IOW", "2+1").operating("IOW", "run").build()
    iow = CorpId("IOW")
    s.president[iow], s.shares[iow] = POOL, {IPO: 5, "p1": 1, POOL: 4}
    begin_at(table, t, s)
    await table.reclock()
    await day.passes(80 * HOUR)
    about_ben, about_chloe, _ = questions(day)
    for member, question in ((club.members[0], about_ben), (club.members[3], about_chloe)):
        assert await answer(member.click(question, label="Wait longer")) == "✓ Wait longer: 1 of 2 votes."
