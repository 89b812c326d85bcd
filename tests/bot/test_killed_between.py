"""The bot dies between two writes of one press: whoever presses again then has all of it done, and once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from club import Club, buttons, text
from days import Day
from player import more
from test_exchange import brought, record
from test_run_out import AGREE, near_the_end, propose

from bot.core import clockwork
from bot.core.hours import DAY, HOUR
from bot.rooms.seats import agreeing
from storage import Duplicate, Unavailable

pytestmark = pytest.mark.usefixtures("new_messages")
WRITES = range(5)
"""After how many of them it dies; a press makes fewer."""


@asynccontextmanager
async def dying(club: Club, writes: int) -> AsyncIterator[None]:
    """Within, the bot writes so often and then no more, and sends nothing; afterwards it does both again."""
    database, left = club.bot.store._db, writes
    transact = database._transact

    async def until_it_dies(work: Callable[[Any], Awaitable[Any]]) -> Any:
        nonlocal left
        if left == 0:
            raise Unavailable("it is dead")
        left -= 1
        return await transact(work)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "_transact", until_it_dies)
        patched.setattr(club.bot.sender, "wake", lambda: None)
        yield
        await club.env.settle()
    await club.says()


def asking(day: Day, what: str) -> list[Any]:
    """The messages that ask the table for its votes on this."""
    return [one for one in day.messages() if what in text(one) and buttons(one)]


@pytest.mark.parametrize("writes", WRITES)
async def test_the_table_is_asked_about_a_pace_that_was_proposed(club: Club, day: Day, writes: int) -> None:
    await club.begin(3)
    async with dying(club, writes):
        await club.aiko.slash(club.channel, "pace", pace="steady")
    await club.aiko.slash(club.channel, "pace", pace="steady")
    await club.bot.sender.idle()
    assert len(asking(day, "proposes another pace")) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", WRITES)
async def test_a_pace_that_all_agree_to_holds_with_its_clock(club: Club, day: Day, writes: int) -> None:
    table = await club.begin(2)
    await club.aiko.slash(club.channel, "pace", pace="steady")
    await club.bot.sender.idle()
    (question,) = asking(day, "proposes another pace")
    async with dying(club, writes):
        await club.ben.click(question, label="Agree")
    await club.ben.slash(club.channel, "pace", agree=True)
    await club.bot.sender.idle()
    assert (await club.table()).settings.pace.name == "steady"
    assert (await clockwork.clock_of(club.bot.store, table.game.id)).runs[0].budget == 72 * HOUR
    assert "Time: 72 h" in text(club.packet())
    assert sum("The table has agreed" in one for one in day.said()) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", WRITES)
async def test_the_table_is_asked_whether_to_run_the_game_out(club: Club, day: Day, writes: int) -> None:
    await near_the_end(club)
    turn = club.packet()
    async with dying(club, writes):
        await club.aiko.click(await more(club.aiko, turn), label=AGREE)
    await club.aiko.click(await more(club.aiko, turn), label=AGREE)
    await club.bot.sender.idle()
    assert len(asking(day, "proposes to run the game out")) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", WRITES)
async def test_running_out_that_was_stopped_takes_all_votes_anew(club: Club, day: Day, writes: int) -> None:
    table = await near_the_end(club, 2)
    await propose(club, club.aiko)
    await club.bot.sender.idle()
    (question,) = asking(day, "proposes to run the game out")
    async with dying(club, writes):
        await club.ben.click(question, label=AGREE)
    if not table.orders.together:
        await club.ben.click(question, label=AGREE)
    assert table.orders.together
    assert await club.bot.store.votes.of_game(table.game.id, "runout") == []


@pytest.mark.long
@pytest.mark.parametrize("writes", WRITES)
async def test_everybody_reads_that_running_out_was_stopped(club: Club, day: Day, writes: int) -> None:
    table = await near_the_end(club, 2)
    await propose(club, club.aiko)
    await club.bot.sender.idle()
    await club.ben.click(club.packet(), label=AGREE)
    await club.bot.sender.idle()
    assert "The table runs the game out" in text(club.packet())
    async with dying(club, writes):
        await club.aiko.click(club.packet(), label="Stop")
    if table.orders.together:
        await club.aiko.click(club.packet(), label="Stop")
        await club.bot.sender.idle()
    assert sum("has stopped it" in one for one in day.said()) == 1


async def test_a_last_vote_that_comes_again_after_a_death_decides(club: Club, day: Day) -> None:
    """Over HTTP, whoever takes over takes up what the dead process had begun: the vote is stored, the end is not."""
    table = await club.begin(2)
    first, second = (one.id for one in club.members[:2])
    await agreeing.vote_to_end(table, first, True, 1)
    with pytest.raises(Unavailable):
        async with dying(club, 1):
            await agreeing.vote_to_end(table, second, True, 2)
    with pytest.raises(Duplicate):
        await agreeing.vote_to_end(table, first, False, 1)
    assert not table.position.over
    assert "the game is over" in await agreeing.vote_to_end(table, second, True, 2)
    assert table.position.over


@pytest.mark.long
@pytest.mark.parametrize("writes", range(8))
@pytest.mark.parametrize("where", ["channel", "digest"])
async def test_whoever_comes_back_is_greeted(club: Club, day: Day, where: str, writes: int) -> None:
    await club.begin(2)
    ben = club.ben
    await day.choose(ben, where)
    await day.away(ben, "", "3 days")
    await day.moves(await club.table(), "p1")
    await day.passes(3 * DAY - HOUR)
    day.hand.now += HOUR + 1
    with suppress(Unavailable):
        async with dying(club, writes):
            await club.bot.tick()
    await day.passes(HOUR)
    assert sum("elcome back. These games are waiting for you" in one for one in [*day.said(), *day.direct(ben)]) == 1


@pytest.mark.parametrize("writes", range(4))
async def test_a_game_that_is_created_or_moved_shows_where_to_join_it(club: Club, day: Day, writes: int) -> None:
    host, store, there = club.aiko, club.bot.store, club.guild.create_text_channel("there")
    async with dying(club, writes):
        await host.slash(club.channel, "game create", title="1889")
    if await store.game_in_channel(club.channel.id) is None:
        await host.slash(club.channel, "game create", title="1889")
        await club.bot.sender.idle()
    await club.ben.slash(club.channel, "game join")
    assert ["Ben" in text(one) for one in day.messages() if "Join" in buttons(one)] == [True]
    game = await club.game()
    async with dying(club, writes):
        await host.slash(there, "game move", game=game.id)
    if (await store.game(game.id)).channel_id != there.id:
        await host.slash(there, "game move", game=game.id)
        await club.bot.sender.idle()
    assert [sum("Join" in buttons(one) for one in place.history()) for place in (club.channel, there)] == [0, 1]


@pytest.mark.long
@pytest.mark.parametrize("writes", range(4))
@pytest.mark.parametrize("start", ["when_full", "by_host"])
async def test_a_table_whose_last_seat_is_taken_goes_on(club: Club, day: Day, start: str, writes: int) -> None:
    """It starts, or its host is told, where nobody else can join any more."""
    host, last = club.members[:2]
    await host.slash(club.channel, "game create", title="1889", players=2, start=start)
    async with dying(club, writes):
        await last.slash(club.channel, "game join")
    if len(await club.bot.store.seats((await club.game()).id)) < 2:
        await last.slash(club.channel, "game join")
    await club.bot.sender.idle()
    said = "1889 begins" if start == "when_full" else "The table is full"
    assert sum(said in one for one in day.said()) == 1


@pytest.mark.parametrize("writes", range(3))
async def test_a_game_that_was_moved_shows_its_turn_there(club: Club, day: Day, writes: int) -> None:
    table, host, there = await club.begin(2), club.aiko, club.guild.create_text_channel("there")
    async with dying(club, writes):
        await host.slash(there, "game move", game=table.game.id)
    if (await club.bot.store.game(table.game.id)).channel_id != there.id:
        await host.slash(there, "game move", game=table.game.id)
    await club.bot.sender.idle()
    assert sum("moved the game here" in text(one) for one in there.history()) == 1
    assert sum("Pass" in buttons(one) for one in there.history()) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", range(6))
async def test_a_late_seat_that_is_opened_has_time_to_be_taken(club: Club, day: Day, writes: int) -> None:
    table = await club.begin(2, pace="fast")
    await day.passes(25 * HOUR)
    question = day.question()
    async with dying(club, writes):
        await club.ben.click(question, label="Find a substitute")
    if table.tenures.opening("p1") is None:
        await club.ben.click(question, label="Find a substitute")
        await club.bot.sender.idle()
    assert sum("seat is **open**" in one for one in day.said()) == 1
    assert sum("If nobody has taken" in one for one in day.said()) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", range(6))
async def test_the_others_are_asked_to_a_rematch_once(club: Club, day: Day, writes: int) -> None:
    table, (host, other) = await club.begin(2, opponents=1), club.members[:2]
    await table.end_here()
    await club.says()
    over = club.packet()
    async with dying(club, writes):
        await host.click(over, label="Rematch")
    if (await club.game()).id == table.id:
        await host.click(over, label="Rematch")
    await club.bot.sender.idle()
    game = await club.game()
    assert [one.user_id > 0 for one in await club.bot.store.seats(game.id)] == [True, False]
    assert sum("would like a rematch" in one and f"<@{other.id}>" in one for one in day.said()) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", range(4))
async def test_an_imported_game_that_begins_has_its_clock(club: Club, day: Day, writes: int) -> None:
    other, _ = await brought(club, await record(club, 5))
    invitation, store = other.last_message, club.bot.store
    await club.ben.click(invitation, label="Accept")
    async with dying(club, writes):
        await club.chloe.click(invitation, label="Accept")
    game = await club.bot.tables.game_in(other.id)
    if game.status == "open":
        await club.chloe.click(invitation, label="Accept")
        await club.bot.sender.idle()
    assert (await clockwork.clock_of(store, game.id)).runs
    assert sum("your turn" in text(one) for one in other.history()) == 1


@pytest.mark.long
@pytest.mark.parametrize("writes", range(4))
async def test_a_game_that_was_woken_shows_the_new_time(club: Club, day: Day, writes: int) -> None:
    table = await club.begin(2, pace="steady")
    await day.passes(46 * DAY)
    sleeping = next(one for one in day.messages() if "Wake it" in buttons(one))
    async with dying(club, writes):
        await club.aiko.click(sleeping, label="Wake it")
    if (await clockwork.clock_of(club.bot.store, table.id)).archived is not None:
        await club.aiko.click(sleeping, label="Wake it")
        await club.bot.sender.idle()
    look = await clockwork.look(club.bot.store, table.game)
    turn = next(one for one in day.messages() if "Pass" in buttons(one))
    assert f"until <t:{look.until(look.clock.runs[0])}:f>" in text(turn)
