"""Two people, or one person twice, do something in the same moment: it ends as if one had come after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from club import Club, buttons, text
from days import Day
from due import next_due
from player import passes
from test_run_out import near_the_end

from bot.core import clock, clockwork
from bot.core.errors import TableError
from bot.core.hours import DAY, HOUR
from bot.core.pace import PACES
from bot.core.table import Table
from bot.core.table_settings import TableSettings
from bot.rooms.mine import room as mine
from bot.rooms.programs import room as programs
from bot.rooms.seats import agreeing, lobby, setup
from bot.rooms.time import late
from bot.rooms.trying import room as trying
from bot.rooms.turn import asking
from bot.rooms.watching import room as watching
from engine import Refused
from engine.actions import Pass
from engine.ids import PlayerId
from programs import PassAhead
from storage import Duplicate, Game, Ping, Stale, TableFull
from storage import db as database

CALLS = [pytest.param(calls, marks=pytest.mark.slow if calls not in (0, 2, 6) else []) for calls in range(12)]
"""Before which call of the database the other one comes in between."""
TURNS = 500
"""Of the event loop, in which whoever comes in between does all that they can do."""
Doing = Callable[[], Awaitable[Any]]
Both = Callable[..., Awaitable[list[Any]]]
"""Does two things in the same moment; what they come to."""


async def in_one_moment(club: Club, calls: int, first: Doing, other: Doing, *, beside: bool = False) -> list[Any]:
    """What both come to, or why not, if the other is there before the database is called once more after so many.

    With `beside`, calls of other tasks count too, as where a command, or a request of the page, is done in its own.
    """
    store, me, came = club.bot.store, asyncio.current_task(), list[asyncio.Task[Any]]()
    write, read, left = store._db.write, store._db.all, calls

    async def comes() -> None:
        nonlocal left
        if (asyncio.current_task() is not me and not beside) or database._OPEN.get() is not None:
            return
        left -= 1
        if left < 0 and not came:
            came.append(asyncio.create_task(done(other)))
            for _ in range(TURNS):
                if not came[0].done():
                    await asyncio.sleep(0)

    async def done(what: Doing) -> Any:
        try:
            return await what()
        except Exception as error:
            return error

    async def writes(work: Any) -> Any:
        await comes()
        return await write(work)

    async def reads(sql: str, *values: Any) -> Any:
        await comes()
        return await read(sql, *values)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store._db, "write", writes)
        patched.setattr(store._db, "all", reads)
        result = await done(first)
        came = came or [asyncio.create_task(done(other))]
        results = [result, await came[0]]
    await club.says()
    return results


@pytest.fixture(params=CALLS)
def both(club: Club, request: pytest.FixtureRequest) -> Both:
    return partial(in_one_moment, club, request.param)


async def gathers(club: Club) -> Game:
    """Two people wait for their host to start."""
    await club.aiko.slash(club.channel, "game create", title="1889")
    await club.ben.slash(club.channel, "game join")
    return await club.game()


def in_lobby(club: Club, how: Callable[[Game, int], Awaitable[Any]]) -> Doing:
    """What the host does with the game as it is."""

    async def do() -> Any:
        return await how(await club.game(), club.aiko.id)

    return do


def steady(club: Club) -> Doing:
    return in_lobby(club, lambda game, host: agreeing.set_in_lobby(club.bot, game, host, PACES["steady"], 1))


def anyone(club: Club) -> Doing:
    return in_lobby(club, lambda game, host: agreeing.change(club.bot, game, host, {"undo": "anyone"}, 2))


def starts(club: Club) -> Doing:
    return in_lobby(club, lambda game, host: lobby.start(club.bot.store, game, host, 3))


def refused(result: Any) -> bool:
    if isinstance(result, Exception) and not isinstance(result, (TableError, Refused, Stale, Duplicate, TableFull)):
        raise result
    return isinstance(result, Exception)


def asking_for(day: Day, what: str) -> int:
    return sum(what in text(one) and bool(buttons(one)) for one in day.messages())


async def test_of_settings_none_is_lost(both: Both, club: Club) -> None:
    game = await gathers(club)
    paced, undone = await both(steady(club), anyone(club))
    settings = TableSettings.read((await club.bot.store.game(game.id)).settings)
    assert (settings.pace.name == "steady", settings.undo == "anyone") == (not refused(paced), not refused(undone))


async def test_of_rules_none_is_lost(both: Both, club: Club) -> None:
    game = await gathers(club)
    words = ("open_treasuries", "loose_tiles")

    def chooses(word: str) -> Doing:
        return in_lobby(club, lambda game, host: lobby.change_rules(club.bot.store, game, host, word))

    results = await both(*map(chooses, words))
    options = (await club.bot.store.game(game.id)).options
    assert [one in options for one in words] == [not refused(one) for one in results]


@pytest.mark.long
@pytest.mark.parametrize("first", ["start", "settings"])
async def test_a_game_starts_with_the_settings_that_its_host_was_told(both: Both, club: Club, first: str) -> None:
    game = await gathers(club)
    ways = [starts(club), anyone(club)]
    results = await both(*(ways if first == "start" else reversed(ways)))
    started, said = results if first == "start" else reversed(results)
    now = await club.bot.store.game(game.id)
    settings = TableSettings.read(now.settings)
    assert (now.status == "running", settings.seed != "") == (not refused(started),) * 2
    assert (settings.undo == "anyone") == (said == "✓ Settings changed.")


async def test_a_game_that_starts_while_it_is_moved_shows_its_turn_there(both: Both, club: Club) -> None:
    game, there = await gathers(club), club.guild.create_text_channel("there")
    moving = type("Moving", (), {"client": club.bot, "channel_id": there.id, "id": 9, "user": club.aiko})()

    async def begins() -> None:
        await starts(club)()
        await club.says()

    await both(in_lobby(club, lambda game, host: setup._move(moving, game)), begins)
    now = await club.bot.store.game(game.id)
    where = there if now.channel_id == there.id else club.channel
    assert sum("Pass" in buttons(one) for one in where.history()) == (now.status == "running")


@pytest.mark.long
@pytest.mark.parametrize(
    ("propose", "what"),
    [
        (lambda table, user, press: agreeing.propose(table, user, PACES["steady"], press), "another pace"),
        (lambda table, user, press: agreeing.vote_to_end(table, user, True, press), "to end the game"),
        (lambda table, user, press: agreeing.vote_to_run_out(table, user, True, press), "to run the game out"),
    ],
    ids=["another pace", "to end", "to run out"],
)
async def test_the_table_is_asked_once_about_what_two_propose(
    both: Both, club: Club, day: Day, propose: Callable[[Table, int, int], Awaitable[Any]], what: str
) -> None:
    table = await near_the_end(club)
    first, second = (one.id for one in club.members[:2])
    await both(lambda: propose(table, first, 1), lambda: propose(table, second, 2))
    assert asking_for(day, f"proposes {what}") == 1


@pytest.mark.long
async def test_a_table_that_has_agreed_is_not_asked_again(both: Both, club: Club, day: Day) -> None:
    """Whoever was last has pressed twice."""
    table, ben = await club.begin(2), club.ben.id
    await agreeing.propose(table, club.aiko.id, PACES["steady"], 1)
    await both(
        lambda: agreeing.agree(table, "pace", ben, True, 2),
        lambda: agreeing.agree(table, "pace", ben, True, 3),
    )
    assert (await club.table()).settings.pace.name == "steady"
    assert await club.bot.store.votes.of_game(table.game.id) == []
    assert asking_for(day, "proposes another pace") == 0


async def test_what_is_due_follows_from_the_pace_that_was_agreed_to(both: Both, club: Club, day: Day) -> None:
    """Somebody's clock is looked at, or they are told of their turn, as the last one agrees."""
    table = await club.begin(2)
    await agreeing.propose(table, club.aiko.id, PACES["fast"], 1)
    game, store = await club.bot.store.game(table.id), club.bot.store
    await both(
        lambda: clockwork.change(store, game, clock.looked),
        lambda: agreeing.agree(table, "pace", club.ben.id, True, 2),
    )
    assert await next_due(store.clocks) == clock.ticked(await clockwork.look(store, table.game)).due_at


@pytest.mark.long
@pytest.mark.parametrize(
    ("vote", "done", "told"),
    [
        (agreeing.vote_to_end, lambda table: table.position.over, "the game is over"),
        (agreeing.vote_to_run_out, lambda table: bool(table.orders.together), "runs the game out"),
    ],
    ids=["to end", "to run out"],
)
async def test_what_all_must_agree_to_is_done_only_if_nobody_was_told_that_it_is_not(
    both: Both, club: Club, vote: Callable[..., Awaitable[Any]], done: Callable[[Table], bool], told: str
) -> None:
    table = await near_the_end(club, 2)
    first, second = (one.id for one in club.members[:2])
    await vote(table, first, True, 1)
    agreed, kept = await both(lambda: vote(table, second, True, 2), lambda: vote(table, first, False, 3))
    assert done(table) == refused(kept) == (told in str(agreed))


@pytest.mark.long
async def test_an_end_that_all_agree_to_comes_whatever_else_is_voted_on(both: Both, club: Club, day: Day) -> None:
    table = await club.begin(2)
    first, second = (one.id for one in club.members[:2])
    await agreeing.vote_to_end(table, first, True, 1)
    await both(
        lambda: agreeing.vote_to_end(table, second, True, 2),
        lambda: agreeing.propose(table, first, PACES["steady"], 3),
    )
    assert table.position.over


@pytest.mark.long
async def test_a_late_player_is_given_time_once(both: Both, club: Club, day: Day) -> None:
    """Three vote for it, where two are enough."""
    table = await club.begin(4, pace="fast")
    await day.passes(25 * HOUR)
    votes = [_votes_to_wait(club, table, one, number) for number, one in enumerate(club.members[1:4])]
    await votes[0]()
    await both(votes[1], votes[2])
    account = (await clockwork.clock_of(club.bot.store, table.game.id)).accounts["p1"]
    assert account.delays == 1
    assert sum("The table waits" in one for one in day.said()) == 1


def _votes_to_wait(club: Club, table: Table, member: Any, number: int) -> Doing:
    press = type("Voting", (), {"user": member, "id": number, "message": None})()
    return lambda: late.vote(club.bot, press, table, "wait", "p1", table.position.seq)


async def taken_back_by_anyone(club: Club) -> Table:
    """A game in which every player may undo, after two passes."""
    await gathers(club)
    await anyone(club)()
    await starts(club)()
    table = await club.table()
    await passes(table, *table.seats)
    return table


@pytest.mark.long
async def test_a_press_that_comes_twice_takes_one_decision_back(both: Both, club: Club) -> None:
    """Where all of them are free: the row before would be next."""
    table = await taken_back_by_anyone(club)
    before = len(table.moves)
    member = club.who(table.moves[-1].action.by, table)
    seen, seq = table.position.seq, table.moves[-1].seq

    def undo() -> Awaitable[None]:
        return table.undo(user=member.id, seq=seq, seen=seen)

    results = await both(undo, undo)
    assert sorted(map(refused, results)) == [False, True]
    assert len(table.moves) == before - 1


@pytest.mark.long
async def test_whoever_presses_twice_asks_once_to_take_back(both: Both, club: Club, day: Day) -> None:
    table, aiko = await club.begin(3), club.aiko.id
    seq = await _two_pass(table)
    await both(lambda: asking.ask(table, aiko, seq, 1), lambda: asking.ask(table, aiko, seq, 2))
    assert asking_for(day, "asks to take this back") == 1


@pytest.mark.long
async def test_nobody_asks_to_take_back_what_they_have_not_seen(both: Both, club: Club) -> None:
    table, (aiko, _, chloe) = await club.begin(3), (one.id for one in club.members[:3])
    seq = await _two_pass(table)
    asked, _ = await both(
        lambda: asking.ask(table, aiko, seq, 1),
        lambda: table.submit(Pass(PlayerId("p3")), user=chloe),
    )
    assert refused(asked) or not await asking.standing(table)


@pytest.mark.long
async def test_what_somebody_has_declined_is_not_taken_back(both: Both, club: Club) -> None:
    table, (aiko, ben, chloe) = await club.begin(3), (one.id for one in club.members[:3])
    seq = await _two_pass(table)
    await asking.ask(table, aiko, seq, 1)
    await asking.agree(table, ben, seq, 2)
    before = len(table.moves)
    _, declined = await both(lambda: asking.agree(table, chloe, seq, 3), lambda: asking.refuse(table, ben, seq))
    assert (len(table.moves) == before) != refused(declined)


async def _two_pass(table: Table) -> int:
    """The row of the first pass."""
    await passes(table, "p1", "p2")
    return table.moves[0].seq


async def test_two_that_are_seated_at_once_are_two(both: Both, club: Club) -> None:
    game = await gathers(club)
    seats = in_lobby(club, lambda game, host: lobby.seat_opponent(club.bot.store, game, host, "regular"))
    assert await both(seats, seats) == [None, None]
    assert len(await club.bot.store.seats(game.id)) == 4


@pytest.mark.long
async def test_a_stranger_takes_no_seat_of_an_opponent(both: Both, club: Club) -> None:
    host, stranger = club.members[:2]

    def creates() -> Awaitable[Any]:
        return host.slash(club.channel, "game create", title="1889", players=2, opponents=1)

    joins = in_lobby(club, lambda game, _: club.bot.store.join(game.id, stranger.id, "Ben", limit=2))
    _, joined = await both(creates, joins, beside=True)
    assert refused(joined)
    assert all(one in text(club.packet()) for one in ("1. Aiko", "2. Hikari (bot)"))


async def test_the_lobby_shows_everybody_who_has_joined(both: Both, club: Club) -> None:
    game = await gathers(club)
    names = ("Chloe", "Daichi")

    def joins(number: int) -> Doing:
        async def do() -> None:
            await club.bot.store.join(game.id, club.members[number + 2].id, names[number], limit=6)
            await lobby.redraw_lobby(club.bot, game.id)

        return do

    await both(joins(0), joins(1))
    assert all(one in text(club.packet()) for one in names)


async def test_of_what_a_follower_changes_none_is_lost(both: Both, club: Club) -> None:
    table = await club.begin(2)
    about = {"user_id": club.daichi.id, "channel_id": 0, "events": "round,turn", "every": 3600}
    watch = await club.bot.store.watches.start(table.game.id, "follow", **about)
    await both(
        lambda: watching._changed(club.bot, watch, "round"),
        lambda: watching._changed(club.bot, watch, "train"),
    )
    now = await club.bot.store.watches.get(watch.id)
    assert now is not None
    assert set(now.events.split(",")) == {"turn", "train"}


async def test_whoever_comes_back_is_told_what_came_meanwhile(both: Both, club: Club) -> None:
    table, ben = await club.begin(2), club.ben.id
    ping = Ping(ben, f"{clockwork.SAID}:7", "said", 0)
    greeted, _ = await both(
        lambda: mine._greeting(club.bot, ben),
        lambda: club.bot.store.people.owe(table.game.id, [ping]),
    )
    assert ("something was said to you" in greeted) != bool(await club.bot.store.people.owed(ben))


async def test_a_game_that_goes_on_already_is_not_woken(club: Club, day: Day) -> None:
    """Whoever is up by then is told of their turn once."""
    table = await club.begin(2)
    await day.passes(47 * DAY)
    await day.moves(table, "p1")
    before = await clockwork.clock_of(club.bot.store, table.game.id)
    await table.reclock(clock.woken)
    assert await clockwork.clock_of(club.bot.store, table.game.id) == before


async def test_whoever_presses_twice_begins_one_line(both: Both, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table, aiko = await club.begin(2), club.aiko.id
    shown = list[str]()

    async def show(_: Any, one: Any, *more: Any) -> None:
        shown.append(one.name)

    async def show_lines(*_: Any) -> None:
        shown.append("all")

    monkeypatch.setattr(trying, "_show", show)
    monkeypatch.setattr(trying, "_show_lines", show_lines)
    press = type("Trying", (), {"bot": club.bot, "user": aiko, "parts": [], "interaction": None})()
    press.table = club.table
    await both(lambda: trying._lines(press, ""), lambda: trying._lines(press, ""))
    assert sorted(shown) == ["Line 1", "all"]
    assert len(await club.bot.store.branches.of_user(table.id, aiko)) == 1


async def test_a_turn_that_is_shown_elsewhere_was_not_undone(club: Club) -> None:
    table, there = await club.begin(2), club.guild.create_text_channel("there")
    await club.aiko.slash(there, "game move", game=table.game.id)
    await club.bot.sender.idle()
    assert not any("undone" in text(one) for one in club.channel.history())
    assert sum("This turn is shown in a newer message" in text(one) for one in club.channel.history()) == 1
    assert sum(f"The game has moved to <#{there.id}>." in text(one) for one in club.channel.history()) == 1


async def test_whoever_presses_twice_has_one_program(both: Both, club: Club) -> None:
    table, ben = await club.begin(2), club.ben.id
    presses = [partial(programs._pass_ahead, club.bot, table, ben, "round", press) for press in (1, 2)]
    await both(*presses)
    assert [one.program for one in table.orders.desk("p2").kept] == [PassAhead()]
