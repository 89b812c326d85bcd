"""The time of a seat that changes hands, and votes on whoever is late: both are for whoever sits there."""

from __future__ import annotations

from typing import Any

from club import Club, buttons, text
from days import Day
from player import answer, begin_at
from tables import table as position

from bot.core import clockwork
from bot.core.clock import Look, Running
from bot.core.hours import HOUR
from bot.core.pace import PACES
from bot.core.table import Table
from engine.ids import IPO, POOL, CorpId

STEADY = PACES["steady"]


async def time_of(table: Table) -> tuple[Look, Running]:
    await table.read_on()
    look = await clockwork.look(table.store, table.game, table.seats.values())
    run = look.clock.run_of("p1")
    assert run is not None
    return look, run


async def left(table: Table) -> float:
    look, run = await time_of(table)
    return look.left(run) / HOUR


async def handed(club: Club, day: Day, how: str) -> None:
    """Ann offers her seat to Daichi, who accepts."""
    await club.aiko.slash(club.channel, f"seat {how}", user=club.daichi, **({"days": 10} if how == "lend" else {}))
    await club.bot.sender.idle()
    await club.daichi.click(next(one for one in reversed(day.messages()) if "Accept" in buttons(one)), label="Accept")


async def test_whoever_leaves_and_comes_back_has_the_time_that_was_left(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    await day.passes(60 * HOUR)
    await club.leave(club.aiko)
    await club.aiko.slash(club.channel, "seat take")
    assert table.seats["p1"].user_id == club.aiko.id
    assert await left(table) == STEADY.bank - 60


async def test_a_lent_seat_brings_no_time_neither_going_nor_coming(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    await day.passes(60 * HOUR)
    await handed(club, day, "lend")
    assert await left(table) == STEADY.bank - 60
    await day.passes(2 * HOUR)
    await club.aiko.slash(club.channel, "seat take")
    assert await left(table) == STEADY.bank - 62


async def test_whoever_plays_for_somebody_late_has_hours_in_which_they_could_act(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    await day.passes(73 * HOUR)
    await handed(club, day, "lend")
    look, run = await time_of(table)
    assert (run.late_at, look.left(run)) == (None, 4 * HOUR)
    await day.passes(4 * HOUR + 1)
    assert (await time_of(table))[1].late_at is not None


async def test_a_newcomer_has_all_the_time_that_everybody_had_at_first(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    await day.passes(60 * HOUR)
    await handed(club, day, "give")
    assert await left(table) == STEADY.bank


async def test_how_often_somebody_was_excused_is_not_forgotten_by_lending(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    await day.passes(73 * HOUR)
    for member in club.members[1:3]:
        await member.click(day.question(), label="Wait longer")
    await handed(club, day, "lend")
    assert (await time_of(table))[0].clock.accounts["p1"].delays == 1


# Votes


def questions(day: Day) -> list[Any]:
    return [one for one in day.messages() if "Let the bot play this turn" in buttons(one)]


async def test_a_vote_on_somebody_late_is_none_on_whoever_plays_for_them(club: Club, day: Day) -> None:
    await club.begin(3, pace="steady")
    await day.passes(73 * HOUR)
    await club.ben.click(day.question(), label="Let the bot play this turn")
    await club.aiko.slash(club.channel, "seat lend", user=club.daichi, days=10)
    await club.bot.sender.idle()
    await club.daichi.click(next(one for one in day.messages() if "Accept" in buttons(one)), label="Accept")
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
    for member, question in ((club.aiko, about_ben), (club.daichi, about_chloe)):
        assert await answer(member.click(question, label="Wait longer")) == "✓ Wait longer: 1 of 2 votes."
