"""Reminders, absences and votes, as people see them, on a clock that tests move."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, buttons, selects, text
from days import MONDAY_NOON, Day, Hand
from player import answer, hands_over, passes, private_answer

from bot.chat.messages import Messages
from bot.core import clockwork
from bot.core.clock import Account, Look, ticked
from bot.core.hours import DAY, HOUR, MINUTE
from bot.core.notices import LateNotice, queued
from bot.core.person import WHERE, Person, Where
from bot.core.table import Table
from bot.core.table_settings import called
from bot.rooms.mine.room import mine_screen
from bot.rooms.time.rings import news_line, waiting
from bot.rooms.turn import asking
from storage import OwedPing, Ticked, Unavailable


async def late(club: Club, day: Day, players: int = 3) -> Table:
    """A table with somebody whose time is up."""
    table = await club.begin(players, pace="fast")
    await day.passes(25 * HOUR)
    return table


async def test_a_turn_has_two_reminders_that_answer_its_message_and_then_the_others_decide(
    club: Club, day: Day
) -> None:
    table = await club.begin(3, pace="steady")
    turn = club.packet()
    first = table.seats["p1"].user_id
    assert f"Time: 72 h, until <t:{MONDAY_NOON + 72 * HOUR}:f>" in text(turn)
    assert club.pinged() == [first]
    await day.passes(36 * HOUR - MINUTE)
    assert club.pinged() == [first]
    await day.passes(2 * MINUTE)
    assert club.pinged() == [first, first]
    (reminder,) = day.replies()
    assert reminder.reference.message_id == turn.id
    assert "it is still your turn" in text(reminder)
    await day.passes(35 * HOUR)
    assert club.pinged() == [first] * 3
    await day.passes(2 * HOUR)
    others = [table.seats["p2"].user_id, table.seats["p3"].user_id]
    assert club.pinged() == [first] * 3 + others
    ways = ["Wait longer", "Pass for them", "Let the bot play this turn", "Find a substitute"]
    assert list(buttons(day.question())) == ways
    await day.passes(5 * DAY)
    assert club.pinged() == [first] * 3 + others, "and then nobody is pinged any more"
    assert table.position.seq == 0, "nothing happens by itself"


async def test_a_majority_of_the_others_decides_and_nobody_else(club: Club, day: Day) -> None:
    table = await late(club, day)
    question = day.question()
    assert "whose turn it is. Time is up." in await answer(club.aiko.slash(club.channel, "pace"))
    for member, words in ((club.aiko, "The others decide"), (club.fumi, "no seat")):
        assert words in await answer(member.click(question, label="Pass for them"))
    await club.ben.click(question, label="Pass for them")
    assert table.position.seq == 0
    assert "**Pass for them** passes in their place (**Ben**)" in text(day.question())
    await club.chloe.click(question, label="Let the bot play this turn")
    assert table.position.seq == 0, "one vote each is no majority"
    await club.chloe.click(question, label="Pass for them")
    assert table.position.seq == 1
    assert str(table.moves[-1].note) == "passed by the others"
    await club.bot.sender.idle()
    assert any("Time was up for **Aiko**: the others passed." in one for one in day.said())
    gone = next(one for one in day.messages() if one.id == question.id)
    assert not buttons(gone)


async def test_a_vote_that_its_message_could_not_show_is_in_it_at_the_next_comparison(club: Club, day: Day) -> None:
    await late(club, day)
    question = day.question()
    club.env.inject_error("PATCH", f"/channels/*/messages/{question.id}", status=403, code=0)
    await club.ben.click(question, label="Wait longer")
    assert "(**Ben**)" not in text(day.question())
    await club.bot.compare()
    await club.says()
    assert "(**Ben**)" in text(day.question())


async def test_whoever_is_away_need_not_decide_and_may(club: Club, day: Day) -> None:
    table = await late(club, day, 4)
    await day.away(club.daichi, "", "3 d")
    await club.ben.click(day.question(), label="Pass for them")
    assert f"<@{club.daichi.id}>" not in text(day.question()), "the two others decide"
    assert table.position.seq == 0
    await club.daichi.click(day.question(), label="Pass for them")
    assert table.position.seq == 1


@pytest.mark.core
async def test_the_bot_plays_a_turn_and_says_so(club: Club, day: Day) -> None:
    table = await late(club, day)
    for member in club.members[1:3]:
        await member.click(day.question(), label="Let the bot play this turn")
    await club.env.settle()
    assert table.position.up == ("p2",)
    assert {str(one.note) for one in table.moves} == {"by the bot, cautiously"}
    assert any("*(by the bot, cautiously)*" in one for one in day.said())


async def test_the_others_wait_longer_three_times(club: Club, day: Day) -> None:
    table = await late(club, day)
    for number in range(3):
        question = day.question()
        for member in club.members[1:3]:
            await member.click(question, label="Wait longer")
        assert any("waits 12 h longer" in one for one in day.said())
        await day.passes(13 * HOUR)
        assert ("Wait longer" in buttons(day.question())) == (number < 2)
    assert "excused 3 times" in text(day.question())
    assert table.position.seq == 0


async def test_a_substitute_takes_over_with_time_of_their_own(club: Club, day: Day) -> None:
    table = await late(club, day)
    question = day.question()
    for member in club.members[1:3]:
        await member.click(question, label="Find a substitute")
    await club.bot.sender.idle()
    opened = next(one for one in reversed(day.messages()) if "Take the seat" in buttons(one))
    assert "a majority of the others opened it" in text(opened)
    await club.emma.click(opened, label="Take the seat")
    await club.bot.sender.idle()
    assert (await club.table()).seats["p1"].user_id == club.emma.id
    clock = await clockwork.clock_of(table.store, table.game.id)
    (run,) = clock.runs
    assert (run.user, run.late_at, run.told, run.budget) == (club.emma.id, None, 0, 24 * HOUR)
    before = club.pinged()
    await day.passes(23 * HOUR)
    assert club.pinged()[len(before) :] == [club.emma.id] * 2, "reminders, and nobody is asked"


async def test_in_a_game_that_is_moved_the_others_are_asked_where_it_goes_on(club: Club, day: Day) -> None:
    """Where its channel was gone as the time ran out, nobody had been asked at all; otherwise in both channels."""
    table, there = await late(club, day), club.guild.create_text_channel("there")
    await club.aiko.slash(there, "game move", game=table.game.id)
    await club.bot.sender.idle()
    (asked,) = [one for one in there.history() if "Pass for them" in buttons(one)]
    assert not any("Pass for them" in buttons(one) for one in day.messages())
    assert day.said().count(f"*The game has moved to <#{there.id}>.*") == 1
    for member in club.members[1:3]:
        await member.click(asked, label="Pass for them")
    assert table.position.seq == 1
    assert await answer(club.aiko.slash(there, "game move", game=table.game.id)) == "This game is here already."


async def test_whoever_plays_against_opponents_alone_is_late_for_nobody_where_the_game_is_moved_either(
    club: Club, day: Day
) -> None:
    table, there = await club.begin(1, opponents=1, pace="fast"), club.guild.create_text_channel("there")
    await day.passes(25 * HOUR)
    await club.aiko.slash(there, "game move", game=table.id)
    await club.says()
    assert not any("what should happen" in text(one) for one in there.history())


async def decided(club: Club, day: Day, label: str) -> None:
    """Both others decide like this about the second of three."""
    await day.passes(30 * HOUR)
    for one in (club.aiko, club.chloe):
        await one.click(day.question(), label=label)


async def test_the_others_wait_for_an_empty_seat_and_its_channel_goes_on(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    await club.leave(club.ben)
    await day.choose(club.chloe, "dm")
    await day.passes(26 * HOUR)
    assert "Time is up for an open seat, and the table decides what happens: " in day.direct(club.chloe)[-1]
    asked = text(day.question())
    assert "### Time is up for **Ben**'s open seat" in asked
    assert "can still move" not in asked, "nobody sits there"
    for one in (club.aiko, club.chloe):
        await one.click(day.question(), label="Wait longer")
    assert "The table waits 12 h longer for **Ben**'s open seat." in day.said()
    await club.emma.slash(club.channel, "seat take")
    await club.emma.slash(club.channel, "pass")
    assert f"<@{club.chloe.id}>, your turn" in text(club.packet())


async def test_a_late_player_may_be_called_anything(club: Club, day: Day) -> None:
    club.members[1] = club.guild.add_member(club.env.create_user("{X}"))
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    await decided(club, day, "Find a substitute")
    assert "If nobody has taken **{X}**'s seat in 12 h, the table decides again." in day.said()


async def test_the_lent_seat_of_somebody_late_goes_back_to_its_owner(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="fast")
    await hands_over(club, club.ben, club.emma, days=20)
    await day.moves(table, "p1")
    await day.passes(30 * HOUR)
    assert "**Find a substitute** gives the seat that was lent to **Emma** back to its owner" in text(day.question())
    await decided(club, day, "Find a substitute")
    assert table.seats["p2"].user_id == club.ben.id
    assert "*The others decided about **Emma**: Find a substitute.*" in day.said()
    assert not any("If nobody has taken" in one for one in day.said())
    assert not [one for one in await table.store.votes.of_game(table.game.id) if one.kind == "late"]


async def test_whoever_is_late_can_still_move(club: Club, day: Day) -> None:
    table = await late(club, day)
    question = day.question()
    await club.ben.click(question, label="Pass for them")
    await day.moves(table, "p1")
    assert await table.store.votes.of_game(table.game.id) == []
    gone = next(one for one in day.messages() if one.id == question.id)
    assert not buttons(gone)
    await table.store.outbox.post(table.game.id, [queued(LateNotice("p1"))])  # which Discord had refused until now
    await day.moves(table, "p2")
    assert club.pinged()[-1] == table.seats["p3"].user_id


async def begin_fast(club: Club, then: str) -> Table:
    """A fast table of two who agree to what happens when somebody's time is up."""
    host = club.aiko
    await host.slash(club.channel, "game create", title="1889")
    await host.slash(club.channel, "pace", pace="fast", then=then)
    await club.ben.slash(club.channel, "game join")
    await host.slash(club.channel, "seat order", how="joined")
    await host.slash(club.channel, "game start")
    return await club.table()


async def test_what_the_table_agreed_to_happens_by_itself(club: Club, day: Day) -> None:
    table = await begin_fast(club, then="bot")
    await day.passes(25 * HOUR)
    assert table.position.up == ("p2",)
    assert str(table.moves[0].note) == "by the bot, cautiously"
    assert not any("what should happen" in one for one in day.said())


async def test_the_bot_does_not_play_as_agreed_where_the_channel_was_deleted_and_the_others_are_asked_in_the_next(
    club: Club, day: Day
) -> None:
    """It played a turn that nobody could see or take, since nobody had moved the game yet."""
    table = await begin_fast(club, then="bot")
    await day.passes(HOUR)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await day.passes(30 * HOUR)
    assert table.position.seq == 0
    there = club.guild.create_text_channel("there")
    await club.ben.slash(there, "game move", game=table.id)
    await day.tick()
    (asked,) = [one for one in there.history() if "Let the bot play this turn" in buttons(one)]
    assert "**Aiko** can still move" in text(asked)
    await club.ben.click(asked, label="Let the bot play this turn")
    assert table.position.up == ("p2",)


async def test_where_what_was_agreed_to_is_impossible_the_others_are_asked(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin_fast(club, then="pass")
    monkeypatch.setattr("bot.rooms.time.late.Late.ways", AsyncMock(return_value=["wait", "bot"]))
    await day.passes(30 * HOUR)
    assert sum("what should happen" in one for one in day.said()) == 1


async def test_nobody_is_pinged_at_night(club: Club, day: Day) -> None:
    table = await club.begin(2)
    shown = await day.zone(club.ben, "Asia/Tokyo")
    assert "Asia/Tokyo, where it is 21:00 now" in text(shown)
    assert "daily 23:00-8:00" in text(shown)
    await day.passes(3 * HOUR)
    before = club.pinged()
    await day.moves(table, "p1")
    assert f"<@{club.ben.id}>, your turn" in text(club.packet())
    assert club.pinged() == before, "the turn is shown, but nobody is woken"
    await day.passes(7 * HOUR + 50 * MINUTE)
    assert club.pinged() == before
    await day.passes(20 * MINUTE)
    assert club.pinged() == [*before, club.ben.id]
    (told,) = day.replies()
    assert told.reference.message_id == club.packet().id
    assert "it is your turn" in text(told)


async def test_quiet_hours_are_typed_once_the_zone_is_known(club: Club) -> None:
    await club.begin(2)
    settings = private_answer(await club.ben.slash(club.channel, "my settings"))
    assert "Tell me your time zone first" in await answer(club.ben.click(settings, label="Quiet hours…"))
    settings = private_answer(await club.ben.slash(club.channel, "my settings"))
    zoned = private_answer(await club.ben.click(settings, label="My zone is America/New_York"))
    assert "**Quiet hours:** daily 23:00-8:00" in text(zoned)
    form = await club.ben.click(zoned, label="Quiet hours…")
    assert "**Quiet hours:** Mon-Fri 22:00-7:00." in await answer(
        club.ben.submit_modal(form, {"hours": "mon - fri 22-7"})
    )


async def test_a_turn_that_is_shown_only_once_the_night_has_begun_wakes_nobody(
    club: Club, day: Day, hand: Hand
) -> None:
    """As when Discord was out of reach in between."""
    table = await club.begin(2)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(2 * HOUR - 10)
    before = club.pinged()
    await passes(table, "p1")
    hand.now += 20
    await club.says()
    assert f"<@{club.ben.id}>, your turn" in text(club.packet())
    assert club.pinged() == before
    await day.passes(10 * HOUR)
    assert club.pinged() == [*before, club.ben.id]


@pytest.mark.long
@pytest.mark.parametrize("where", ["channel", "dm", "both", "digest"])
async def test_what_can_be_said_only_once_the_night_has_begun_is_said_in_the_morning(
    club: Club, day: Day, hand: Hand, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when Discord was out of reach since it was due."""
    table = await club.begin(2)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(3 * HOUR)
    await day.moves(table, "p1")
    if where != "channel":
        await day.choose(club.ben, where)
    asleep = club.pinged(), day.direct(club.ben)
    with monkeypatch.context() as unreachable:
        unreachable.setattr(club.bot.sender, "wake", lambda: None)
        await day.passes(23 * HOUR)
    assert (club.pinged(), day.direct(club.ben)) == asleep
    await club.says()
    await day.passes(HOUR)
    assert (club.pinged(), day.direct(club.ben)) == asleep, "it is one o'clock in the night"
    await day.passes(9 * HOUR)
    told = club.pinged()[len(asleep[0]) :], day.direct(club.ben)[len(asleep[1]) :]
    assert (told[0], len(told[1])) == ([club.ben.id] * (where in ("channel", "both")), int(where != "channel"))
    assert all("t is your turn in" in one or "These games are waiting" in one for one in told[1])
    run = (await clockwork.clock_of(club.bot.store, table.game.id)).runs[0]
    assert run.heard == MONDAY_NOON + 35 * HOUR, "from then on they are expected to move"


@pytest.mark.long
@pytest.mark.parametrize("asleep", [False, True])
@pytest.mark.parametrize("hours", [1, 14, 24])
async def test_a_turn_that_was_told_of_before_the_bot_died_is_told_of_once(
    club: Club, day: Day, hand: Hand, asleep: bool, hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its own message or, to whoever was asleep then, in the morning; whatever the hour when the bot is back."""
    monkeypatch.setattr("bot.chat.messages.CLOCKS", 100 * DAY)  # SimCord's messages are of January
    table = await club.begin(2, pace="fast")
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes((3 if asleep else 1) * HOUR)

    async def moves() -> None:
        await passes(table, "p1")
        await club.says()

    if asleep:
        await moves()
        hand.now += 8 * HOUR
    with monkeypatch.context() as dying:
        dying.setattr(clockwork, "heard", AsyncMock(side_effect=Unavailable("The bot is dead.")))
        await (day.tick() if asleep else moves())
    told = club.pinged()
    assert told[-1] == club.ben.id
    hand.now += hours * HOUR
    await club.restart()
    await club.bot.sender.idle()
    await day.tick()
    await day.passes(3 * HOUR)
    assert club.pinged() == told
    assert (await clockwork.clock_of(club.bot.store, table.game.id)).runs[0].heard is not None


async def test_whom_the_first_try_to_say_something_put_off_the_second_does_not_ping(
    club: Club, day: Day, hand: Hand
) -> None:
    table = await club.begin(2)
    ben, store = club.ben, club.bot.store
    await day.zone(ben, "Asia/Tokyo")
    await day.passes(3 * HOUR)
    assert await clockwork.pinged_for(store, table.game.id, [ben.id], 77, "said") == []
    hand.now += 8 * HOUR
    assert await clockwork.pinged_for(store, table.game.id, [ben.id], 77, "said") == [], "they are told of it just now"
    before = club.pinged()
    await day.passes(MINUTE)
    assert club.pinged() == [*before, ben.id]


async def test_a_request_to_undo_wakes_nobody(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(HOUR)
    await day.moves(table, "p1")
    await day.moves(table, "p2")
    await day.passes(2 * HOUR)
    before = club.pinged()
    await asking.ask(table, club.aiko.id, 1, 900)
    await club.says()
    assert "Agree" in buttons(club.packet())
    assert club.pinged() == before
    await day.passes(9 * HOUR)
    assert club.pinged()[len(before) :] == [club.ben.id]
    assert "somebody wants to take something back" in day.said_last(club.ben)


async def with_little_time(club: Club, then: str = "ask") -> Table:
    """A fast table whose second player has only the four hours left that a turn adds."""
    table = await begin_fast(club, then)

    def spent(look: Look) -> Ticked:
        clock = look.clock
        return ticked(look.at(replace(clock, accounts={**clock.accounts, "p2": Account(0, 0, look.now)})))

    await table.reclock(spent)
    return table


async def test_whoever_runs_out_of_time_in_the_night_has_some_hours_of_the_morning(club: Club, day: Day) -> None:
    table = await with_little_time(club)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(2 * HOUR + MINUTE)
    await day.moves(table, "p1")
    before, wakes = club.pinged(), MONDAY_NOON + 11 * HOUR
    assert f"until <t:{wakes + 4 * HOUR}:f>" in text(club.packet())
    await day.passes(wakes - day.hand.now - 1)
    assert club.pinged() == before, "nobody is asked about somebody who does not know"
    await day.passes(2)
    assert club.pinged() == [*before, club.ben.id]
    assert f"it is your turn, since <t:{MONDAY_NOON + 2 * HOUR + MINUTE}:f>" in day.said_last(club.ben)
    assert f"you have time until <t:{wakes + 4 * HOUR}:f>" in day.said_last(club.ben)
    await day.passes(4 * HOUR - 2)
    assert club.pinged() == [*before, club.ben.id]
    await day.passes(HOUR)
    assert "Time is up for **Ben**" in text(day.question())


async def test_a_reminder_of_the_night_is_given_in_the_morning(club: Club, day: Day) -> None:
    table = await with_little_time(club)
    ben = club.ben
    await day.passes(HOUR)
    await day.zone(ben, "Asia/Tokyo")
    await day.moves(table, "p1")
    assert club.pinged()[-1] == ben.id
    before = club.pinged()
    await day.passes(9 * HOUR)
    assert ben.id not in club.pinged()[len(before) :]
    await day.passes(2 * HOUR)
    assert club.pinged()[len(before) :].count(ben.id) == 1, "of the two that were due"
    assert "it is still your turn" in day.said_last(ben)
    assert f"you have time until <t:{MONDAY_NOON + 14 * HOUR}:f>" in day.said_last(ben), "an hour of four was before"


async def test_the_bot_plays_for_nobody_whom_it_has_not_told(club: Club, day: Day) -> None:
    table = await with_little_time(club, then="bot")
    await day.zone(club.ben, "UTC")
    await day.passes(11 * HOUR + 30 * MINUTE)
    await day.moves(table, "p1")
    before = club.pinged()
    await day.passes(8 * HOUR + 20 * MINUTE)
    assert (club.pinged(), table.position.seq) == (before, 1)
    await day.passes(4 * HOUR)
    assert (club.pinged()[: len(before) + 1], table.position.seq) == ([*before, club.ben.id], 1)
    await day.passes(HOUR)
    assert table.position.seq == 2
    assert any("the bot plays this turn, cautiously" in one for one in day.said())


async def test_nobodys_time_is_up_while_discord_does_not_take_the_turn(club: Club, day: Day) -> None:
    table = await with_little_time(club, then="bot")
    club.env.inject_error(
        "POST", "/channels/*/messages", status=403, code=50013, message="Missing Permissions", times=None
    )
    await day.moves(table, "p1")
    await day.passes(3 * DAY)
    assert table.position.seq == 1


async def test_a_reminder_comes_where_the_bot_may_not_read_what_was_said_before(club: Club, day: Day) -> None:
    """Discord lets it reply to nothing there, and the turns waited behind the reminder."""
    table = await club.begin(3, pace="steady")
    club.env.inject_error("POST", f"/channels/{club.channel.id}/messages", status=403, code=160002, times=1)
    await day.passes(37 * HOUR)
    assert any("it is still your turn" in one for one in day.said())
    assert await table.store.outbox.waiting() == 0


async def test_no_time_runs_while_the_bot_is_removed_from_the_server(club: Club, day: Day) -> None:
    """Nobody can move then. A table that had agreed to it had its turns played by the bot."""
    table = await with_little_time(club, then="bot")
    await day.moves(table, "p1")
    club.env.inject_error("GET", f"/channels/{club.channel.id}", status=403, code=50001, times=None)
    club.bot._connection.parsers["GUILD_DELETE"]({"id": str(club.guild.id)})
    await day.passes(3 * DAY)
    assert table.position.seq == 1
    (run,) = (await clockwork.clock_of(table.store, table.id)).runs
    assert run.late_at is None


async def test_time_runs_while_only_the_connection_has_forgotten_the_server(club: Club, day: Day) -> None:
    """As where another process served it until now."""
    table = await with_little_time(club, then="bot")
    await day.moves(table, "p1")
    club.bot._connection._remove_guild(club.bot.guilds[0])
    await day.passes(3 * DAY)
    assert table.position.seq > 1


async def test_whoever_moves_in_the_night_is_told_nothing_in_the_morning(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(3 * HOUR)
    await day.moves(table, "p1")
    await day.moves(table, "p2")
    before = club.pinged()
    await day.passes(DAY)
    assert club.pinged() == before


@pytest.mark.core
async def test_clocks_stand_still_while_somebody_is_away_and_others_see_until_when(club: Club, day: Day) -> None:
    table = await club.begin(2, pace="fast")
    assert "until <t:" in await day.away(club.ben, "", "3 days")
    await day.moves(table, "p1")
    before, back = club.pinged(), MONDAY_NOON + 3 * DAY
    assert f"**Ben** is away, back <t:{back}:D>." in text(club.packet())
    assert f"until <t:{back + 24 * HOUR}:f>" in text(club.packet())
    assert f"**Ben** is away, back <t:{back}:D>." in await answer(club.aiko.slash(club.channel, "game status"))
    await day.passes(3 * DAY - HOUR)
    assert club.pinged() == before
    await day.passes(2 * HOUR)
    assert club.pinged() == [*before, club.ben.id]
    assert any("welcome back. These games are waiting for you" in one for one in day.said())
    assert not (await clockwork.people_of(table.store, [club.ben.id]))[club.ben.id].away
    await day.passes(12 * HOUR)
    assert club.pinged() == [*before, club.ben.id, club.ben.id], "and half of the time is the same as before"


@pytest.mark.parametrize("where", ["channel", "digest"])
async def test_whoever_comes_back_in_the_night_is_greeted_in_the_morning(club: Club, day: Day, where: str) -> None:
    await day.zone(club.ben, "Europe/Berlin")
    await day.choose(club.ben, where)
    table = await club.begin(2)
    await day.moves(table, "p1")
    await day.away(club.ben, "", "Wednesday")

    def greetings() -> int:
        return sum("elcome back. These games are waiting for you" in one for one in day.said() + day.direct(club.ben))

    await day.passes(3 * DAY - 6 * HOUR)  # Thursday, 7:00 there
    assert "**Away:** no." in await answer(club.ben.slash(club.channel, "my settings"))
    assert not greetings()
    await day.passes(2 * HOUR)
    assert greetings() == 1
    await day.passes(2 * HOUR)
    assert greetings() == 1


@pytest.mark.parametrize("news", [False, True])
async def test_a_digest_repeats_nothing_of_a_greeting_of_the_same_day(club: Club, day: Day, news: bool) -> None:
    table = await club.begin(2)
    await day.choose(club.ben, "digest")
    await day.moves(table, "p1")
    await day.away(club.ben, "", "Wednesday")

    def told() -> int:
        return sum("These games are waiting for you" in one for one in day.direct(club.ben))

    await day.passes(3 * DAY - 6 * HOUR)  # Thursday, 6:00
    assert told() == 1
    if news:
        second = Club(club.env, club.guild, club.guild.create_text_channel("kansai"), club.members)
        await day.moves(await second.begin(2), "p1")
    await day.passes(6 * HOUR)
    assert told() == 1 + news
    await day.passes(DAY)
    assert told() == 2 + news


async def test_whoever_comes_back_sooner_than_they_said_is_told_once_of_what_they_missed(club: Club, day: Day) -> None:
    """What waited for the day that they had named at first was told again on that day."""
    table = await club.begin(2)
    await day.away(club.ben, "", "5 days")
    await day.moves(table, "p1")
    await clockwork.pinged_for(table.store, table.game.id, [club.ben.id], 7, "said")
    await day.away(club.ben, "", "2 days")
    before = club.pinged()
    await day.passes(6 * DAY)
    assert club.pinged() == [*before, club.ben.id]
    assert "something was said to you" in day.said_last(club.ben)


async def test_whoever_goes_away_later_than_they_said_reads_what_waits_until_then(club: Club, day: Day) -> None:
    """Nobody told them of a turn that had begun while it was not known when they would be back."""
    table = await club.begin(2)
    await day.away(club.ben, "", "")
    await day.moves(table, "p1")
    await day.passes(HOUR)
    answered = await day.away(club.ben, "3 days", "5 days")
    assert "Welcome back. These games are waiting for you" in answered
    assert f"**Away:** from <t:{MONDAY_NOON + HOUR + 3 * DAY}:f>" in answered
    await day.passes(HOUR)
    (run,) = (await clockwork.clock_of(table.store, table.game.id)).runs
    assert run.heard == MONDAY_NOON + HOUR


async def test_the_first_move_ends_an_absence_with_a_greeting(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.away(club.ben, "", "")
    await day.moves(table, "p1")
    assert "**Ben** is away." in text(club.packet())
    assert "Welcome back" in await answer(club.ben.click(club.packet(), label="Pass"))
    assert not (await clockwork.people_of(table.store, [club.ben.id]))[club.ben.id].away


async def test_whoever_is_told_directly_reads_about_whom_the_table_decides(club: Club, day: Day) -> None:
    await club.begin(3, pace="fast")
    await day.choose(club.chloe, "dm")
    await day.passes(25 * HOUR)
    assert "Time is up for Aiko, and the table decides what happens: " in day.direct(club.chloe)[-1]


async def test_the_host_of_a_gentle_table_is_told_who_has_not_moved_after_all_reminders(club: Club, day: Day) -> None:
    table = await club.begin(2, pace="gentle")
    await day.moves(table, "p1")
    await day.passes(7 * DAY)
    assert "despite all reminders, Ben has not moved: " in day.said_last(club.aiko)


async def test_a_reminder_can_be_silenced_for_its_turn(club: Club, day: Day) -> None:
    await club.begin(2, pace="steady")
    await day.passes(37 * HOUR)
    (reminder,) = day.replies()
    assert "is not waiting for you" in await answer(club.ben.click(reminder, label="No more reminders"))
    assert "No more reminders" in await answer(club.aiko.click(reminder, label="No more reminders"))
    before = club.pinged()
    await day.passes(30 * HOUR)
    assert club.pinged() == before


async def test_what_reminds_of_two_games_is_silenced_for_both(club: Club, day: Day) -> None:
    await club.begin(2, pace="steady")
    second = Club(club.env, club.guild, club.guild.create_text_channel("kansai"), club.members)
    await second.begin(2, title="1890", options="scenario_b", pace="steady")
    await day.passes(37 * HOUR)
    told = [one for place in (club, second) for one in place.channel.history()]
    reminder = next(one for one in told if "these are waiting" in text(one))
    assert "1890: Keihanshin Railways, since" in text(reminder), "the scenario, as everywhere else"
    assert "these turns" in await answer(club.aiko.click(reminder, label="No more reminders"))
    before = club.pinged()
    await day.passes(30 * HOUR)
    assert club.pinged() == before


async def test_a_game_with_an_option_that_is_gone_is_still_told_of(club: Club) -> None:
    table = await club.begin(2)
    assert called(replace(table.game, options='["gone"]')) == "Shikoku 1889"


async def test_a_bot_that_was_off_for_a_week_runs_nobody_out_of_time(club: Club, day: Day, hand: Hand) -> None:
    table = await club.begin(3, pace="fast")
    before = club.pinged()
    await day.passes(HOUR)
    hand.now += 7 * DAY
    await day.tick()
    assert club.pinged() == before
    status = private_answer(await club.ben.slash(club.channel, "game status"))
    assert f"Time: 23 h, until <t:{hand.now + 23 * HOUR}:f>" in text(status)
    await day.passes(24 * HOUR)
    assert table.position.seq == 0
    assert len(club.pinged()) == len(before) + 2 + 2


async def test_an_archived_game_is_woken_by_any_player(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.passes(46 * DAY)
    message = day.messages()[-1]
    assert "This game is archived" in text(message)
    assert "no seat" in await answer(club.emma.click(message, label="Wake it"))
    before = club.pinged()
    await club.ben.click(message, label="Wake it")
    await day.tick()
    assert club.pinged() == [*before, table.seats["p1"].user_id]
    gone = next(one for one in day.messages() if one.id == message.id)
    assert not buttons(gone)


async def test_an_archived_game_that_is_moved_is_woken_where_it_goes_on(club: Club, day: Day) -> None:
    table, there = await club.begin(2), club.guild.create_text_channel("there")
    await day.passes(60 * DAY)
    await table.store.outbox.prune(day.hand.now)
    await club.aiko.slash(there, "game move", game=table.id)
    await club.says()
    (asked,) = [one for one in there.history() if "Wake it" in buttons(one)]
    assert not any(buttons(one) for one in day.messages())
    assert await answer(club.ben.click(asked, label="Wake it")) == "✓ The game goes on."


async def test_a_zone_may_be_named_by_its_city_alone(club: Club, day: Day) -> None:
    for typed, zone in (("berlin", "Europe/Berlin"), ("New York", "America/New_York"), ("utc", "UTC")):
        assert f"**Time zone:** {zone}" in text(await day.zone(club.ben, typed))
    assert "I do not know the time zone “Mars”" in text(await day.zone(club.ben, "Mars"))


@pytest.mark.parametrize(
    ("label", "wrong", "why", "right"),
    [
        ("Quiet hours…", {"hours": "at night"}, "“at night” is not clear to me.", {"hours": "daily 23:00-7:00"}),
        ("Away…", {"since": "", "until": "ever"}, "“ever” is not clear to me.", {"since": "", "until": "2 weeks"}),
    ],
)
async def test_quiet_hours_and_absences_that_are_refused_are_corrected_in_the_form(
    club: Club, day: Day, label: str, wrong: dict[str, str], why: str, right: dict[str, str]
) -> None:
    panel = await day.zone(club.ben, "Europe/Berlin")
    refused = private_answer(await club.ben.submit_modal(await club.ben.click(panel, label=label), wrong))
    assert why in text(refused)
    form: Any = await club.ben.click(refused, label="Correct it…")
    problem, *fields = form.modal["components"]
    assert why in problem["content"]
    assert [one["component"].get("value", "") for one in fields] == list(wrong.values())
    panel = private_answer(await club.ben.submit_modal(form, right))
    assert text(panel).startswith("✓ Saved.")
    form = await club.ben.click(panel, label=label)
    assert len(form.modal["components"]) == len(fields), "what was wrong is forgotten"


async def test_whoever_wants_it_is_told_by_direct_message_alone(club: Club, day: Day) -> None:
    table = await club.begin(2)
    said = text(await day.choose(club.ben, "dm"))
    assert "Notified** by direct message; at *Gentle* tables reminded every 24 h, 5 times." in said
    before = club.pinged()
    await day.moves(table, "p1")
    assert club.pinged() == before
    assert "It is your turn in" in day.direct(club.ben)[-1]


async def test_a_direct_reminder_of_a_game_whose_channel_was_deleted_says_how_it_goes_on(club: Club, day: Day) -> None:
    table = await club.begin(3, pace="steady")
    for one in (club.ben, club.chloe):
        await day.choose(one, "dm")
    await day.moves(table, "p1")
    assert "/game move" not in day.direct(club.ben)[-1]
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await day.passes(37 * HOUR)
    told = day.direct(club.ben)[-1]
    assert "It is still your turn" in told
    assert told.endswith("The channel is gone: `/game move` moves the game to another.")
    await day.passes(37 * HOUR)
    told = day.direct(club.chloe)[-1]
    assert "the table decides what happens" in told
    assert told.endswith("The channel is gone: `/game move` moves the game to another.")


async def test_closed_direct_messages_are_told_of_once_and_then_the_channel_is_used(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(2)
    await day.choose(club.ben, "dm")
    monkeypatch.setattr(Messages, "send_direct", AsyncMock(return_value=None))
    before = club.pinged()
    await day.moves(table, "p1")
    assert club.pinged() == [*before, club.ben.id]
    assert sum("I cannot send you direct messages" in one for one in day.said()) == 1
    await day.moves(table, "p2")
    await day.moves(table, "p1")
    assert club.pinged()[-1] == club.ben.id
    assert sum("I cannot send you direct messages" in one for one in day.said()) == 1


@pytest.mark.parametrize("where", WHERE)
def test_whoever_accepts_no_direct_messages_reads_so_in_their_settings(where: Where) -> None:
    said = mine_screen(Person(where=where, closed=True), (), MONDAY_NOON, "", "").text
    assert ("I cannot send you direct messages" in said) == (where != "channel")


async def test_hundreds_that_are_due_at_once_are_spread(club: Club, day: Day) -> None:
    store = club.bot.store
    for number in range(55):
        game = await store.create_game(channel_id=900 + number, host_id=1, title="1889", guild_id=club.guild.id)
        await store.clocks.change(game.id, lambda text, now, breaks: Ticked("{}", now))
    done = [await club.bot.tick() for _ in range(4)]
    assert done == [20, 20, 15, 0]


async def test_a_digest_lists_every_game_once_a_day(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.choose(club.ben, "digest")
    before = club.pinged()
    await day.moves(table, "p1")
    count = len(day.direct(club.ben))
    await day.passes(3 * DAY)
    assert club.pinged() == before
    found = day.direct(club.ben)
    assert len(found) == count + 3
    assert sum("These games are waiting for you" in one and f"<#{club.channel.id}>" in one for one in found) == 3


async def test_of_two_things_that_somebody_changes_at_once_both_hold(club: Club) -> None:
    """A digest is one of them, and that links to boards are taken back."""
    store, ben = club.bot.store, club.ben
    await asyncio.gather(
        clockwork.change_person(store, ben.id, lambda one, now: replace(one, boards=one.boards + 1)),
        clockwork.change_person(store, ben.id, lambda one, now: replace(one, digested=7)),
    )
    person = (await clockwork.people_of(store, [ben.id]))[ben.id]
    assert (person.boards, person.digested) == (1, 7)


async def two_votes(club: Club) -> None:
    """Aiko proposes another pace and other settings."""
    await club.aiko.slash(club.channel, "pace", pace="steady")
    await club.aiko.slash(club.channel, "game settings", undo="anyone")
    await club.bot.sender.idle()


async def agrees_to_both(club: Club, day: Day) -> None:
    await club.ben.slash(club.channel, "pace", agree=True)
    question = next(one for one in day.messages() if "proposes to change" in text(one))
    await club.ben.click(question, label="Agree")


async def test_a_digest_tells_once_what_still_asks_for_an_answer(club: Club, day: Day) -> None:
    """Not what was settled by then, nor the same line for each of several votes."""
    await club.begin(2)
    await day.choose(club.ben, "digest")
    await two_votes(club)
    await day.passes(DAY)
    assert day.direct(club.ben)[-1].count("the table is voting") == 1
    await club.aiko.slash(club.channel, "pace", pace="fast")
    await club.bot.sender.idle()
    await agrees_to_both(club, day)
    told = len(day.direct(club.ben))
    await day.passes(DAY)
    assert day.direct(club.ben)[told:] == []


@pytest.mark.parametrize("settled", [False, True])
async def test_whoever_is_back_is_told_what_still_asks_for_an_answer(club: Club, day: Day, settled: bool) -> None:
    await club.begin(2)
    await day.away(club.ben, "", "")
    await two_votes(club)
    if settled:
        await agrees_to_both(club, day)
    panel, other = [private_answer(await club.ben.slash(club.channel, "my settings")) for _ in range(2)]
    told = text(private_answer(await club.ben.click(panel, label="I am back")))
    assert told.count("the table is voting") == (0 if settled else 1)
    assert "You are not away." in await answer(club.ben.click(other, label="I am back"))


async def elsewhere(club: Club) -> tuple[Club, Table]:
    """A game of the same two people on another server."""
    guild = club.env.create_guild("Elsewhere")
    here = [guild.add_member(one.user) for one in club.members[:2]]
    other = Club(club.env, guild, guild.create_text_channel("tokushima"), here)
    return other, await other.begin(2)


async def test_a_turn_on_another_server_counts_as_told_with_the_one_that_is_named(club: Club, day: Day) -> None:
    """Otherwise nobody could ever open the seat, and no time would run out."""
    tables, ben = [await club.begin(2)], club.ben
    await day.zone(ben, "UTC")
    other, second = await elsewhere(club)
    tables.append(second)
    await day.passes(11 * HOUR + 30 * MINUTE)  # until the night
    for table in tables:
        await day.moves(table, "p1")
    await day.passes(10 * HOUR)
    told = [text(one) for place in (club, other) for one in place.channel.history()]
    assert sum("and 1 more on other servers" in one for one in told) == 1
    for table in tables:
        (run,) = (await clockwork.clock_of(table.store, table.game.id)).runs
        assert run.heard is not None
    await day.passes(4 * DAY)
    opened = await other.members[0].slash(other.channel, "seat open", player=other.members[1])
    assert "✓ The seat is open" in text(private_answer(opened))


async def test_a_channel_does_not_read_what_somebody_plays_on_another_server(club: Club, day: Day) -> None:
    tables, ben = [await club.begin(2)], club.ben
    other, second = await elsewhere(club)
    tables.append(second)
    await day.away(ben, "", "2 days")
    for table in tables:
        await day.moves(table, "p1")
    await day.passes(4 * DAY)
    welcomes = [text(one) for place in (club, other) for one in place.channel.history() if "welcome back" in text(one)]
    assert len(welcomes) == 1
    assert "and 1 more on other servers: `/turns`" in welcomes[0]
    assert f"<#{other.channel.id}>" not in welcomes[0] or f"<#{club.channel.id}>" not in welcomes[0]


@pytest.mark.long
@pytest.mark.parametrize("late", [0, 17, 4 * HOUR])
async def test_a_digest_comes_however_late_its_hour_is_noticed(club: Club, day: Day, hand: Hand, late: int) -> None:
    """The bot looks every twenty seconds, and not at all while it is off."""
    table = await club.begin(2)
    await day.choose(club.ben, "digest")
    await day.moves(table, "p1")
    count = len(day.direct(club.ben))
    for morning in (1, 2):
        hand.now = MONDAY_NOON + morning * DAY - 4 * HOUR + late
        await day.tick()
        await day.tick()
        assert len(day.direct(club.ben)) == count + morning


async def test_a_digest_whose_hour_is_a_quiet_one_comes_when_the_night_is_over(
    club: Club, day: Day, hand: Hand
) -> None:
    table = await club.begin(2)
    await day.zone(club.ben, "UTC")
    panel = await day.choose(club.ben, "digest")
    (hours,) = (one for one in selects(panel) if "digest" in one)
    await club.ben.select(panel, ["mine|digest|6"], custom_id=hours)
    await day.moves(table, "p1")
    count = len(day.direct(club.ben))
    await day.passes(20 * HOUR - 1)
    assert len(day.direct(club.ben)) == count
    hand.now += 10
    await day.tick()
    assert "These games are waiting for you" in day.direct(club.ben)[count]
    await day.passes(23 * HOUR)
    assert len(day.direct(club.ben)) == count + 1


@pytest.mark.core
async def test_the_hour_of_a_digest_is_utc_and_said_to_be_until_the_zone_is_known(club: Club, day: Day) -> None:
    panel = await day.choose(club.ben, "digest")
    assert "at 8:00 UTC, until your time zone is known." in text(panel)
    (hours,) = (options for custom_id, options in selects(panel).items() if "digest" in custom_id)
    assert hours[8]["label"] == "At 8:00 UTC"
    panel = await day.zone(club.ben, "Asia/Tokyo")
    assert "at 8:00." in text(panel)
    assert "UTC" not in str(selects(panel))


async def test_a_pace_changes_when_everybody_agrees(club: Club, day: Day) -> None:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pace", pace="steady")
    assert table.settings.pace.name == "none"
    question = next(one for one in day.messages() if "proposes another pace. Steady" in text(one))
    assert "no seat" in await answer(club.fumi.slash(club.channel, "pace", agree=True))
    assert "no seat" in text(private_answer(await club.fumi.click(question, label="Agree")))
    await day.moves(table, "p1")
    await club.ben.click(question, label="Agree")
    assert table.settings.pace.name == "none"
    assert "keep the pace" in text(private_answer(await club.chloe.click(question, label="Keep the pace")))
    await club.chloe.slash(club.channel, "pace", agree=True)
    assert (await club.table()).settings.pace.name == "steady"
    clock = await clockwork.clock_of(table.store, table.game.id)
    assert clock.runs[0].budget == 72 * HOUR
    await club.bot.sender.idle()
    assert "Time: 72 h" in text(club.packet())
    assert not buttons(next(one for one in day.messages() if one.id == question.id))


async def test_a_pace_waits_for_the_vote_of_somebody_away(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.away(club.ben, "", "10 d")
    await day.moves(table, "p1")
    await day.passes(9 * DAY)
    await club.aiko.slash(club.channel, "pace", pace="fast")
    assert (await club.table()).settings.pace.name == "none"
    await day.passes(9 * DAY)
    await club.aiko.slash(club.channel, "pace", pace="fast")
    assert (await club.table()).settings.pace.name == "fast", "a week in which Ben could have moved"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bank": 0, "increment": 1, "cap": 5}, "bank and cap at least 1"),
        ({"bank": 50, "increment": 1, "cap": 5}, "cap must be at least the bank"),
        ({"then": "bot"}, "needs a clock"),
    ],
)
async def test_numbers_that_make_no_clock_are_refused(club: Club, options: dict[str, Any], words: str) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    assert words in await answer(club.aiko.slash(club.channel, "pace", **options))


async def test_who_plays_against_opponents_alone_is_late_for_nobody(club: Club, day: Day) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", pace="fast", opponents=2)
    await club.aiko.slash(club.channel, "seat order", how="joined")
    await club.aiko.slash(club.channel, "game start")
    before = len(club.channel.history())
    await day.passes(60 * HOUR)
    assert not any("what should happen" in text(one) for one in club.channel.history())
    assert len(club.channel.history()) <= before + 2  # the reminders
    assert await club.bot.store.clocks.waiting() == 0
    await club.aiko.click(next(one for one in club.channel.history() if "Pass" in buttons(one)), label="Pass")
    table = await club.table()
    assert table.position.up == ("p1",)
    assert {one.action.by for one in table.moves} == {"p1", "p2", "p3"}


async def test_a_game_that_waits_is_linked_to_its_turns_message_and_never_to_the_turn_before(club: Club) -> None:
    """After an outage people are told of a turn before its message is there."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    await passes(table, "p1")
    user = table.seats["p2"].user_id
    before = await waiting(club.bot, await table.store.game(table.game.id), user)
    assert before.place == f"<#{club.channel.id}>"
    await club.says()
    after = await waiting(club.bot, await table.store.game(table.game.id), user)
    assert f"/{club.packet().id})" in after.place


@pytest.mark.parametrize(
    ("stored", "told"),
    [("offer", "an offer is waiting for your answer"), ("somebody offers you a train", "somebody offers you a train")],
)
def test_what_somebody_missed_is_told_in_a_sentence_also_if_an_earlier_version_stored_it(
    stored: str, told: str
) -> None:
    assert news_line("<#1>", OwedPing(1, "g", "said:7", stored, 0)) == f"<#1>: {told}"
