"""Seats that were taken from somebody absent, and come back to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from club import Club, buttons, text
from days import Day, Hand
from due import next_due
from player import answer, hands_over, presses, private_answer

from bot.core.seated import lost
from bot.core.table import Table
from bot.rooms.seats import absent
from bot.rooms.seats import handing as seats
from storage import VACANT, Handover, SeatChange, Stale, Tenures

HOUR, DAY = 3600, 24 * 3600


async def taken(club: Club, day: Day, players: int = 3, **options: Any) -> Table:
    """A game in which a friend has taken the seat of the second player, who did not answer."""
    table = await club.begin(players, **options)
    await day.moves(table, "p1")
    await day.passes(74 * HOUR)
    assert "✓ The seat is open" in await answer(club.aiko.slash(club.channel, "seat open", player=club.ben))
    await day.tick()
    assert "✓ The seat is yours" in await answer(club.daichi.slash(club.channel, "seat take", seat="p2"))
    await day.tick()
    return table


def holder(table: Table) -> int:
    return table.seats["p2"].user_id


async def test_one_press_in_the_message_that_tells_them_claims_a_seat_back(club: Club, day: Day) -> None:
    table = await taken(club, day)
    told = club.newest("Claim my seat back")
    assert f"<@{club.ben.id}>, your seat was open, and <@{club.daichi.id}> plays on in it" in text(told)
    assert club.pinged().count(club.ben.id) == 3, "of the turn, of the open seat, and of this"
    await day.moves(table, "p2")
    played = table.position.seq
    await day.passes(3 * DAY)
    assert "not open" in await presses(club, club.emma, "Claim my seat back")
    assert "You play in your own seat again" in await presses(club, club.ben, "Claim my seat back")
    await day.tick()
    assert (holder(table), table.position.seq) == (club.ben.id, played), "what was played stands"
    said = next(one for one in day.said() if "has claimed their seat" in one)
    assert f"<@{club.ben.id}> is back" in said
    assert f"Thank you, <@{club.daichi.id}>" in said
    assert club.pinged()[-2:].count(club.daichi.id) == 1
    assert "Claim my seat back" not in buttons(next(one for one in day.messages() if one.id == told.id))


async def test_the_command_claims_it_too_and_nobody_who_had_it_meanwhile_claims_it_again(club: Club, day: Day) -> None:
    table = await taken(club, day)
    assert "You play in your own seat again" in await answer(club.ben.slash(club.channel, "seat take"))
    assert holder(table) == club.ben.id
    assert "There is no seat for you to take" in await answer(club.daichi.slash(club.channel, "seat take"))
    assert "nothing" not in await answer(club.ben.slash(club.channel, "my hand"))


async def test_a_week_is_one_in_which_they_could_have_claimed_it(club: Club, day: Day, hand: Hand) -> None:
    table = await taken(club, day)
    await day.away(club.ben, "", "10 d")
    await day.passes(12 * DAY)
    hand.now += 3 * DAY  # the bot is out of order
    await day.tick()
    await day.passes(4 * DAY + HOUR)
    assert seats.LASTS == 7 * DAY
    assert await seats.claimable(table, club.ben.id) == ["p2"]
    await day.passes(DAY)
    assert await seats.claimable(table, club.ben.id) == []
    assert "more than a week ago" in await presses(club, club.ben, "Claim my seat back")
    assert holder(table) == club.daichi.id


async def test_it_comes_back_from_whoever_has_it_by_then(club: Club, day: Day) -> None:
    table = await taken(club, day)
    await hands_over(club, club.daichi, club.emma, days=3)
    assert holder(table) == club.emma.id
    await day.tick()
    await presses(club, club.ben, "Claim my seat back")
    await day.tick()
    assert (holder(table), table.tenures.loans) == (club.ben.id, ())
    assert any(f"Thank you, <@{club.emma.id}> and <@{club.daichi.id}>" in one for one in day.said())
    assert club.chloe.id not in (one.from_id for one in table.tenures.handovers)


@pytest.mark.core
async def test_it_comes_back_when_the_substitute_has_left_and_the_bot_plays(club: Club, day: Day) -> None:
    table = await taken(club, day)
    await club.leave(club.daichi)
    await day.tick()
    await presses(club, club.aiko, "Let the bot play on")
    await presses(club, club.chloe, "Let the bot play on")
    await day.tick()
    assert table.opponent("p2") is not None
    assert "You play in your own seat again" in await answer(club.ben.slash(club.channel, "seat take", seat="p2"))
    assert (table.opponent("p2"), holder(table)) == (None, club.ben.id)
    assert table.tenures.opening("p2") is None


async def test_whoever_plays_in_another_seat_by_then_gives_that_up_first(club: Club, day: Day) -> None:
    table = await taken(club, day)
    await hands_over(club, club.chloe, club.ben)
    assert table.seats["p3"].user_id == club.ben.id
    assert "You are playing in **Ben**'s seat in this game" in await presses(club, club.ben, "Claim my seat back")


async def test_nothing_is_claimed_once_the_game_is_over(club: Club, day: Day) -> None:
    table = await taken(club, day)
    await table.end_here()
    assert "already over" in await answer(club.ben.slash(club.channel, "seat take", seat="p2"))
    assert holder(table) == club.daichi.id


async def test_whoever_hosts_only_since_then_hands_that_back_too(club: Club, day: Day) -> None:
    table = await taken(club, day)
    await club.aiko.slash(club.channel, "game settings", host=club.daichi)
    assert (await table.store.game(table.game.id)).host_id == club.daichi.id
    await presses(club, club.ben, "Claim my seat back")
    assert (await table.store.game(table.game.id)).host_id == club.aiko.id


@pytest.mark.long
@pytest.mark.parametrize("where", ["channel", "digest", "back"])
async def test_whoever_cannot_be_told_at_once_is_told_later(club: Club, day: Day, where: str) -> None:
    await day.zone(club.ben, "UTC")
    if where == "digest":
        await day.choose(club.ben, "digest")
    table = await club.begin(3)
    await day.moves(table, "p1")
    await day.passes(6 * DAY)
    await answer(club.aiko.slash(club.channel, "seat open", player=club.ben))
    await day.passes(DAY + 11 * HOUR)  # near midnight
    if where == "back":
        await day.away(club.ben, "", "")
    before = club.pinged().count(club.ben.id)
    await answer(club.daichi.slash(club.channel, "seat take"))
    await day.tick()
    assert club.pinged().count(club.ben.id) == before
    assert (await next_due(table.store.people) or 2**40) > day.hand.now, "nobody looks again and again"
    await day.passes(10 * HOUR)
    told = "somebody plays on in your seat, and `/seat take` returns it"
    if where == "channel":
        assert told in day.said_last(club.ben)
    elif where == "digest":
        assert told in day.direct(club.ben)[-1]
        assert (await next_due(table.store.people) or 0) >= day.hand.now + 12 * HOUR
    else:
        assert not any(told in one for one in day.said())
        panel = private_answer(await club.ben.slash(club.channel, "my settings"))
        assert told in await answer(club.ben.click(panel, label="I am back"))


def hands(*changes: tuple[str, int, int]) -> Tenures:
    return Tenures(
        handovers=tuple(
            Handover(number, "g", number, "p2", how, old, "", new, "", number)  # type: ignore[arg-type]
            for number, (how, old, new) in enumerate(changes)
        )
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("taken", 1, 2)], [1]),
        ([("given", 1, 2)], []),
        ([("left", 1, VACANT), ("taken", VACANT, 2)], []),
        ([("taken", 1, 2), ("given", 2, 3)], [1]),
        ([("taken", 1, 2), ("taken", 2, 3)], [1, 2]),
        ([("taken", 1, 2), ("taken", 2, 3), ("returned", 3, 2)], [1]),
        ([("taken", 1, 2), ("taken", 2, 3), ("returned", 3, 1)], []),
        ([("taken", 1, 2), ("lent", 2, 3), ("returned", 3, 2)], [1]),
        ([("taken", 1, 2), ("lent", 2, 1), ("returned", 1, 2)], [1]),
        ([("taken", 1, 2), ("taken", 2, 1)], []),
        ([("taken", 1, 2), ("left", 2, VACANT), ("taken", VACANT, -5)], [1]),
        ([("lent", 1, -5), ("returned", -5, 1), ("taken", 1, 2)], [1]),
    ],
)
def test_who_has_lost_a_seat_is_told_by_how_it_changed_hands(
    changes: list[tuple[str, int, int]], expected: list[int]
) -> None:
    assert [one.from_id for one in lost(hands(*changes), "p2")] == expected


async def test_the_store_returns_a_seat_to_nobody_from_whom_it_was_not_taken(club: Club, day: Day) -> None:
    table = await taken(club, day)
    change = SeatChange("p2", "returned", holder(table), club.emma.id, "Emma")
    with pytest.raises(Stale):
        await table.store.tenures.hand_over(table.game.id, change)


async def test_where_the_players_vote_on_newcomers_whoever_lost_an_open_seat_reads_that_they_can_claim_it(
    club: Club, day: Day
) -> None:
    """Once the seat was open again, they read only that they can ask for it."""
    table = await taken(club, day)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    await absent.open_seat(table, "p2", "The table agreed.")
    await day.tick()
    assert await answer(club.ben.slash(club.channel, "pass")) == (
        "Daichi plays in your seat now. For a week in which you are not away, `/seat take` claims it back. "
        "As long as the seat is open, you can ask the players for it."
    )
    assert "You play in your own seat again" in await answer(club.ben.slash(club.channel, "seat take"))
