"""Nobody is pinged again and again because of the same person, whatever it is about; turns are told as ever."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from club import Club
from days import Day, Hand
from player import answer, presses, private_answer

from bot.core.clockwork import LIMITS
from bot.core.hours import DAY, HOUR
from bot.rooms.seats import handing as seats
from storage import Store

MOST = LIMITS[0][1]


async def offers_a_seat(club: Club) -> None:
    await club.ben.slash(club.channel, "seat give", user=club.daichi)
    await presses(club, club.ben, "Decline")


async def asks_for_an_undo(club: Club) -> None:
    asked = private_answer(await club.ben.slash(club.channel, "game undo", move=1))
    await club.ben.click(asked, label="Ask them")
    await presses(club, club.ben, "Decline")


async def proposes_a_pace(club: Club) -> None:
    number = len(club.channel.history())
    await club.ben.slash(club.channel, "pace", bank=10 + number, increment=1, cap=500)


async def proposes_settings(club: Club) -> None:
    number = len(club.channel.history())
    await club.ben.slash(club.channel, "game settings", **({"undo": "anyone"} if number % 2 else {"suggest": False}))


async def asks_for_an_open_seat(club: Club) -> None:
    await club.daichi.slash(club.channel, "seat take")
    await presses(club, club.daichi, "Wait for others")


LOOPS: dict[str, tuple[Callable[[Club], Awaitable[None]], tuple[int, ...]]] = {
    "a seat offered": (offers_a_seat, (3,)),
    "an undo": (asks_for_an_undo, (0, 2)),
    "a pace": (proposes_a_pace, (0, 2)),
    "settings": (proposes_settings, (0, 2)),
    "an open seat, by somebody without one": (asks_for_an_open_seat, (0, 2)),
}
"""What is done again and again, and the members who are asked."""


async def begin(club: Club, name: str) -> None:
    table = await club.begin(3)
    for member in club.members[:2]:
        await member.slash(club.channel, "pass")
    if "open seat" in name:
        await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
        await seats.leave(table, club.ben.id, 901)
    await club.bot.sender.idle()


def pings(club: Club, member: int) -> int:
    return club.pinged().count(club.members[member].id)


@pytest.mark.long
@pytest.mark.parametrize("name", list(LOOPS))
async def test_what_somebody_repeats_is_told_and_soon_pings_nobody(club: Club, day: Day, name: str) -> None:
    repeated, asked = LOOPS[name]
    await begin(club, name)
    before, messages = {one: pings(club, one) for one in asked}, len(club.channel.history())
    for _ in range(MOST + 3):
        await repeated(club)
        await club.bot.sender.idle()
    assert {one: pings(club, one) - before[one] for one in asked} == dict.fromkeys(asked, MOST)
    assert len(club.channel.history()) >= messages + MOST + 3, "the messages still appear"


async def test_the_limit_is_one_for_all_kinds_and_outlives_a_restart(club: Club, hand: Hand, day: Day) -> None:
    await begin(club, "")
    before = pings(club, 2)
    await proposes_a_pace(club)
    await asks_for_an_undo(club)
    await club.restart()
    await proposes_settings(club)
    await club.bot.sender.idle()
    assert pings(club, 2) - before == MOST
    await asks_for_an_undo(club)
    await club.bot.sender.idle()
    assert pings(club, 2) - before == MOST
    hand.now += HOUR + 1
    await proposes_a_pace(club)
    await club.bot.sender.idle()
    assert pings(club, 2) - before == MOST + 1


async def test_somebody_who_is_pinged_too_often_is_not_told_later_either(club: Club, day: Day) -> None:
    await begin(club, "")
    await day.choose(club.chloe, "dm")
    told = len(day.direct(club.chloe))
    for _ in range(MOST + 3):
        await proposes_a_pace(club)
        await club.bot.sender.idle()
        await day.tick()
    assert len(day.direct(club.chloe)) - told <= MOST


async def test_one_person_may_be_muted_and_another_still_asks(club: Club, day: Day) -> None:
    await begin(club, "")
    host, ben, chloe = club.members[:3]
    told = await answer(chloe.slash(club.channel, "my mute", person=ben))
    assert f"**Muted:** <@{ben.id}>. Nothing that they ask pings you; `/my mute person: off:True` ends this." in told
    before = pings(club, 2), pings(club, 0)
    await proposes_a_pace(club)
    await club.bot.sender.idle()
    assert (pings(club, 2), pings(club, 0)) == (before[0], before[1] + 1)
    await host.slash(club.channel, "game end")
    await club.bot.sender.idle()
    assert pings(club, 2) == before[0] + 1
    await chloe.slash(club.channel, "my mute", person=ben, off=True)
    await proposes_a_pace(club)
    await club.bot.sender.idle()
    assert pings(club, 2) == before[0] + 2


async def test_a_muted_game_pings_for_turns_alone(club: Club, day: Day) -> None:
    await club.begin(3)
    host, ben = club.members[:2]
    told = await answer(ben.slash(club.channel, "my mute"))
    assert f"**Muted:** the game in <#{club.channel.id}>. You are pinged only for your own turns; " in told
    assert "`/my mute off:True` there ends this." in told
    await host.slash(club.channel, "game end")
    await club.bot.sender.idle()
    assert pings(club, 1) == 0
    await host.slash(club.channel, "pass")
    await club.bot.sender.idle()
    assert pings(club, 1) == 1


async def test_pings_are_counted_once_and_forgotten_in_time(tmp_path: Path, hand: Hand) -> None:
    async with Store.open(tmp_path / "pings.sqlite3", clock=hand) as store:
        allowed = store.disturbances.allowed
        for _ in range(2):  # the same notice, sent again
            assert await allowed(1, [2, 3], 10, LIMITS) == [2, 3]
        for notice in range(11, 10 + MOST):
            assert await allowed(1, [2], notice, LIMITS) == [2]
        assert await allowed(1, [2, 3], 99, LIMITS) == [3]
        assert await allowed(4, [2], 100, LIMITS) == [2]
        hand.now += DAY
        assert await allowed(1, [2], 101, LIMITS) == [2]
        assert await store._db.all("SELECT notice FROM disturbances") == [(101,)]
