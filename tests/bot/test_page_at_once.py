"""The page beside the chat: a request of it and something else in the same moment end as if one had come first."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request
from club import Club
from days import Day
from player import passes
from test_at_once import Both, Doing, in_one_moment, refused, taken_back_by_anyone
from test_heirs import OFFER, offered
from test_opponents import begin as begin_with_opponents
from test_run_out import agreed

from board.server import COOKIE, BoardApp
from bot.core.errors import TableError
from bot.core.hours import HOUR
from bot.core.table import Table
from bot.rooms.opponents.room import Thinkers
from bot.rooms.page.room import BoardPass, Doors
from bot.rooms.programs.room import _pass_ahead, play_due
from bot.rooms.seats import agreeing, handing
from bot.rooms.trying.lines import TryOuts
from bot.rooms.turn import asking, deals
from engine.action_json import to_json
from engine.actions import Pass
from engine.ids import PlayerId
from engine.stored import fingerprint

pytestmark = pytest.mark.usefixtures("new_messages")
CALLS = [1, 3, *(pytest.param(calls, marks=pytest.mark.slow) for calls in (0, 2, *range(4, 16)))]
"""Before which call of the database the other one comes in between."""
NUMBERS = count(1)
ORIGIN = "https://board.example"
P1, P2, P3 = (PlayerId(seat) for seat in ("p1", "p2", "p3"))


@pytest.fixture(params=CALLS)
def both(club: Club, request: pytest.FixtureRequest) -> Both:
    return partial(in_one_moment, club, request.param)


@pytest.fixture(params=["page", "other"])
def either_first(both: Both, request: pytest.FixtureRequest) -> Both:
    """What the page asks for and something else, once with the one first and once with the other."""

    async def done(page: Doing, other: Doing) -> list[Any]:
        return await both(page, other) if request.param == "page" else (await both(other, page))[::-1]

    return done


@dataclass
class Page:
    """The page of one person, whose requests come one by one, as the table stands when it is made."""

    club: Club
    table: Table
    user: int

    def __post_init__(self) -> None:
        doors = self.club.bot.its(Doors)
        self.board = BoardApp(
            self.club.bot, doors.epoch, self.club.bot.its(Thinkers).agrees, doors.signer, origin=ORIGIN
        )
        self.given = BoardPass(self.user, self.table.id, self.table.store.clock() + HOUR)
        self.seen = self.table.position.seq

    def does(self, what: str, **body: Any) -> Callable[[], Awaitable[dict[str, Any]]]:
        """A request that is sent once this is called; it raises where the page is told of an error."""
        sent = {"seen": self.seen, "id": next(NUMBERS), "stamp": ""} | body
        handle = getattr(self.board, f"_{what}")

        async def do() -> dict[str, Any]:
            answer: Any = await self.board._guard(self.request(sent), handle)
            told: dict[str, Any] = json.loads(answer.body)
            if answer.status != 200:
                assert answer.status < 500, told
                raise Told(told["error"])
            return told

        return do

    def request(self, sent: dict[str, Any]) -> Any:
        token = self.board.signer.sign(self.given, "stay")
        headers = {"Cookie": f"{COOKIE}={token}", "Origin": ORIGIN, "X-Board": self.board.csrf(self.given)}
        line = {"line": str(sent.pop("at"))} if "at" in sent else {}
        made = make_mocked_request(
            "POST", "/", headers=headers, match_info={"game": self.table.id, "who": self.given.who, **line}
        )
        made._read_bytes = json.dumps(sent).encode()
        return made

    def passes(self, seat: PlayerId) -> Callable[[], Awaitable[dict[str, Any]]]:
        return self.does("act", actions=[to_json(Pass(seat))], sure=True)


class Told(TableError):
    """What the page was told that could not be done."""


def page(club: Club, table: Table, seat: PlayerId) -> Page:
    return Page(club, table, table.seats[seat].user_id)


def in_chat(table: Table, seat: PlayerId) -> Callable[[], Awaitable[Any]]:
    """The seat's pass by its button, as the table stands when this is made."""
    seen = table.position.seq
    return lambda: table.submit(Pass(seat), user=table.seats[seat].user_id, seen=seen)


async def as_stored(club: Club, table: Table) -> None:
    """What is in memory is what anybody would read, and what everybody's page shows."""
    before = table.position
    club.bot.tables.forget(table.id)
    again = await club.bot.tables.get(table.id)
    assert (again.position.seq, fingerprint(again.position.state)) == (before.seq, fingerprint(before.state))
    assert [one.action for one in again.moves] == [one.action for one in table.moves]
    on = [{seat: desk.kept for seat, desk in one.orders.desks.items() if desk.kept} for one in (again, table)]
    assert (on[0], again.settings) == (on[1], table.settings)


@pytest.mark.long
async def test_one_decision_that_is_made_in_both_is_made_once(either_first: Both, club: Club) -> None:
    table = await club.begin(2)
    results = await either_first(page(club, table, P1).passes(P1), in_chat(table, P1))
    assert sorted(map(refused, results)) == [False, True]
    assert len(table.moves) == 1
    await as_stored(club, table)


async def test_a_move_on_the_page_and_an_undo_of_the_one_before(either_first: Both, club: Club) -> None:
    table = await club.begin(2)
    await table.submit(Pass(P1), user=club.aiko.id)
    seen = table.position.seq

    def undo() -> Awaitable[None]:
        return table.undo(user=club.aiko.id, seq=table.moves[0].seq, seen=seen)

    moved, undone = await either_first(page(club, table, P2).passes(P2), undo)
    assert (refused(moved), refused(undone)) in ((False, True), (True, False))
    assert len(table.moves) == (0 if refused(moved) else 2)
    await as_stored(club, table)


@pytest.mark.long
@pytest.mark.parametrize("way", ["sure", "redo"])
async def test_what_two_take_or_bring_back_in_the_same_moment_is_one_decision(both: Both, club: Club, way: str) -> None:
    table = await taken_back_by_anyone(club)
    rows = [one.seq for one in table.moves]
    if way == "redo":
        for row in reversed(rows):
            await table.undo(user=club.aiko.id, seq=row)
    ways = [page(club, table, seat).does("undo", way=way, row=rows[-1]) for seat in (P1, P2)]
    assert sorted(map(refused, await both(*ways))) == [False, True]
    assert len(table.moves) == 1
    await as_stored(club, table)


@pytest.mark.long
async def test_an_offer_is_accepted_or_declined(either_first: Both, club: Club) -> None:
    table = await club.begin(2)
    offer = await offered(table)
    accepts = page(club, table, P2).does("offer", offer=offer.id, accept=True)

    def declines() -> Awaitable[str]:
        return deals.answer(table, offer.id, user=table.seats[P2].user_id, accept=False, interaction=7)

    accepted, declined = await either_first(accepts, declines)
    assert (refused(accepted), refused(declined)) in ((False, True), (True, False))
    assert [one.action for one in table.moves] == ([] if refused(accepted) else [OFFER])
    status = (await table.store.offers.get(offer.id)).status
    assert status == ("declined" if refused(accepted) else "accepted")
    await as_stored(club, table)


@pytest.mark.long
async def test_a_request_to_undo_is_agreed_to_or_declined(either_first: Both, club: Club) -> None:
    table = await club.begin(3)
    await passes(table, P1, P2)
    row, users = table.moves[0].seq, [table.seats[seat].user_id for seat in (P1, P2, P3)]
    await asking.ask(table, users[0], row, 1)
    await asking.agree(table, users[1], row, 2)
    agrees = page(club, table, P3).does("undo", way="yes", row=row)

    def declines() -> Awaitable[Any]:
        return asking.refuse(table, users[1], row)

    yes, no = await either_first(agrees, declines)
    assert (refused(yes), refused(no)) in ((False, True), (True, False))
    assert len(table.moves) == (2 if refused(yes) else 0)
    await as_stored(club, table)


@pytest.mark.long
async def test_whoever_moves_as_their_time_runs_out_moves_once(either_first: Both, club: Club, day: Day) -> None:
    """Where the table has agreed that the bot passes then."""
    table = await club.begin(3, pace="fast")
    pace = replace(table.settings.pace, then="pass")
    await agreeing.propose(table, club.aiko.id, pace, 1)
    for number in (1, 2):
        await agreeing.agree(table, "pace", club.members[number].id, True, 1 + number)
    day.hand.now += 25 * HOUR
    await table.store._db.write(day._there)
    moved, _ = await either_first(page(club, table, P1).passes(P1), club.bot.tick)
    await day.tick()
    by = [one.user for one in table.moves if one.action.by == P1]
    assert by == [None if refused(moved) else club.aiko.id]
    await as_stored(club, table)


@pytest.mark.long
async def test_a_program_that_is_switched_on_as_its_turn_comes_moves_once(either_first: Both, club: Club) -> None:
    table = await club.begin(3)
    user = table.seats[P2].user_id
    ways = [page(club, table, P1).passes(P1), lambda: _pass_ahead(club.bot, table, user, "once", 5)]
    moved, switched_on = await either_first(*ways)
    assert not refused(moved)
    assert [one.action.by for one in table.moves] == ([P1] if refused(switched_on) else [P1, P2])
    await as_stored(club, table)


@pytest.mark.long
async def test_running_out_that_is_stopped_on_the_page_stops(either_first: Both, club: Club, day: Day) -> None:
    table = await agreed(club)
    before = len(table.moves)
    day.hand.now += HOUR
    await table.store._db.write(day._there)
    stopped, _ = await either_first(
        page(club, table, P1).does("stop_running_out"), lambda: play_due(club.bot, table.id)
    )
    if not refused(stopped):
        assert not table.orders.together
        count = len(table.moves)
        await day.passes(2 * HOUR)
        assert len(table.moves) == count
    else:
        assert len(table.moves) > before


@pytest.mark.parametrize("way", ["new", "fork"])
async def test_two_lines_that_are_begun_at_once_have_two_names(both: Both, club: Club, way: str) -> None:
    table = await club.begin(2)
    here, lines = page(club, table, P1), club.bot.its(TryOuts)
    at = {"at": (await lines.begin(table, here.user)).branch.id} if way == "fork" else {}
    await both(here.does("line", way=way, **at), here.does("line", way=way, **at))
    names = [one.name for one in (await lines.of(table, here.user))[0]]
    assert len(set(names)) == len(names) == 2 + (way == "fork")


async def test_of_two_moves_in_a_line_one_is_made(both: Both, club: Club) -> None:
    """On the page and in the chat, or in two windows."""
    table = await club.begin(2)
    here, lines = page(club, table, P1), club.bot.its(TryOuts)
    number = (await lines.begin(table, here.user)).branch.id
    ways = [here.does("act", actions=[to_json(Pass(P1))], at=number) for _ in range(2)]
    assert sorted(map(refused, await both(*ways))) == [False, True]
    assert len((await lines.get(table.id, number, here.user)).ahead) == 1


@pytest.mark.long
async def test_what_the_page_is_sent_is_of_one_position(either_first: Both, club: Club) -> None:
    """With the stamp of what it has, the page asks for what it lacks: nothing is left out."""
    table = await club.begin(3)
    here = page(club, table, P3)
    shown, _ = await either_first(here.does("parts"), in_chat(table, P1))
    now = await here.does("parts")()
    assert shown["seq"] in (0, 1)
    assert now["seq"] == 1
    differ = {name for name, part in now["parts"].items() if shown["parts"].get(name) != part}
    assert (shown["stamp"] == now["stamp"]) == (not differ) == (shown["seq"] == 1)


async def test_a_seat_that_is_given_away_moves_for_one_of_them(both: Both, club: Club) -> None:
    """Whoever had it presses as the other takes it."""
    table = await club.begin(3)
    aiko, dan = club.aiko.id, club.emma
    await handing.offer(table, aiko, P1, "give", dan.id, "Dan", 0, 1)

    def takes() -> Awaitable[str]:
        return handing.take(table, dan.id, "Dan", P1, 2)

    moved, _ = await both(page(club, table, P1).passes(P1), takes)
    assert [one.user for one in table.moves] == ([] if refused(moved) else [aiko])
    assert table.seats[P1].user_id == dan.id
    await as_stored(club, table)


@pytest.mark.long
async def test_an_undo_on_the_page_as_an_opponent_moves(either_first: Both, club: Club) -> None:
    """One of them comes too late: nobody takes back what they have not seen, nor moves in a turn that is gone."""
    table = await begin_with_opponents(club, people=1, opponents=1)
    table._advance = lambda game: None
    aiko = club.aiko.id
    await table.submit(Pass(P1), user=aiko)
    seen = table.position.seq
    undoes = page(club, table, P1).does("undo", way="sure", row=table.moves[0].seq)
    undone, decided = await either_first(undoes, lambda: table.decided(Pass(P2), seen=seen))
    assert (refused(undone), refused(decided)) in ((False, True), (True, False))
    assert len(table.moves) == (2 if refused(undone) else 0)
    await as_stored(club, table)
