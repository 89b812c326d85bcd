"""The arithmetic of clocks: zones, changes of the hour, quiet hours across midnight, jumps of the clock, banks."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core import clock as clocks
from bot.core.clock import Circumstances, GameClock, Look
from bot.core.clockwork import due_of
from bot.core.errors import TableError
from bot.core.hours import DAY, HOUR, NIGHTS, Quiet, Stops, at_local, merged, quiet_spans, segments, zones
from bot.core.moves import TurnKey
from bot.core.pace import PACES, Pace, own
from bot.core.person import NOTICE, WHERE, Person, present
from bot.core.written import read_absence
from storage import Break, OwedPing, Ticked

T0 = int(datetime(2026, 3, 2, tzinfo=UTC).timestamp())
"""A Monday, four weeks before Europe changes its clocks."""
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kathmandu", "Australia/Lord_Howe",
         "America/St_Johns", "Pacific/Apia", "Africa/Casablanca", "Pacific/Chatham", "America/Santiago",
         "Asia/Kolkata")  # fmt: skip
times = st.integers(T0, T0 + 2 * 365 * DAY)
quiets = st.builds(
    lambda since, length: Quiet(since, (since + length) % 1440), st.integers(0, 1439), st.integers(1, 720)
)
weeks = st.one_of(st.just(()), st.tuples(*([st.one_of(st.none(), quiets)] * 7)))
absences = st.one_of(
    st.just(()), st.tuples(times, st.integers(1, 30 * DAY)).map(lambda one: ((one[0], one[0] + one[1]),))
)
stops = st.builds(Stops, st.sampled_from(ZONES), weeks, st.booleans(), absences)


def is_quiet(zone: str, week: tuple[Quiet | None, ...], at: int) -> bool:
    """The same question answered by wall clocks alone: for nights without a change of the hour."""
    there = datetime.fromtimestamp(at, ZoneInfo(zone))
    minutes = there.hour * 60 + there.minute
    today, before = week[there.weekday()], week[(there.weekday() - 1) % 7]
    if before is not None and before.until <= before.since and minutes < before.until:
        return True
    if today is None:
        return False
    if today.until <= today.since:
        return minutes >= today.since
    return today.since <= minutes < today.until


def test_every_zone_that_is_offered_is_known() -> None:
    assert len(zones()) > 400
    assert {"Europe/Berlin", "Asia/Tokyo", "UTC"} <= set(zones())
    for name in zones():
        at_local(name, datetime(2026, 6, 1, tzinfo=UTC).date(), 600)


@pytest.mark.broad
@given(st.sampled_from(ZONES), st.tuples(*([st.one_of(st.none(), quiets)] * 7)), times)
def test_quiet_hours_are_those_of_the_wall_clock(zone: str, week: tuple[Quiet | None, ...], at: int) -> None:
    at -= at % 60
    offsets = {datetime.fromtimestamp(at + days * DAY, ZoneInfo(zone)).utcoffset() for days in (-2, -1, 0, 1, 2)}
    if len(offsets) > 1:
        return  # the hour changes: see below
    found = any(start <= at < end for start, end in quiet_spans(zone, week, at - DAY, at + DAY))
    assert found == is_quiet(zone, week, at)


@pytest.mark.long
@given(stops, times, st.integers(0, 200 * HOUR), st.integers(0, 200 * HOUR))
def test_time_adds_up(one: Stops, start: int, first: int, second: int) -> None:
    middle, end = start + first, start + first + second
    whole = one.running(start, end)
    assert whole == one.running(start, middle) + one.running(middle, end)
    assert 0 <= whole <= end - start


@pytest.mark.long
@given(stops, times, st.integers(1, 200 * HOUR))
def test_what_is_reached_is_the_first_moment_at_which_so_much_has_counted(one: Stops, start: int, need: int) -> None:
    at = one.reach(start, need)
    assert at is not None
    assert one.running(start, at) == need
    assert one.running(start, at - 1) == need - 1


@pytest.mark.long
@given(stops, times, times)
def test_stops_are_in_order_and_apart(one: Stops, start: int, end: int) -> None:
    found = one.between(start, end)
    assert found == merged(found)
    assert all(start <= begin < finish <= end for begin, finish in found)


@pytest.mark.long
@given(
    times, st.integers(0, 20 * DAY), st.lists(st.tuples(st.integers(0, DAY), st.integers(-DAY, 7 * DAY)), max_size=5)
)
def test_breaks_and_clocks_that_are_set_never_count(start: int, last: int, jumps: list[tuple[int, int]]) -> None:
    """The machine's clock is read as time passes, and jumps now and then; what counts is what really passed."""
    reading, real, known = start, 0, []
    for runs, jump in jumps:
        reading, real = reading + runs, real + runs
        known.append((reading, reading + jump))
        reading += jump
    spans = segments(start, reading + last, known)
    assert sum(end - begin for begin, end in spans) == real + last


@pytest.mark.parametrize(
    ("zone", "night", "length"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 23, tzinfo=UTC), 8),  # an hour is missing
        ("Europe/Berlin", datetime(2026, 10, 24, 23, tzinfo=UTC), 10),  # an hour comes twice
        ("Europe/Berlin", datetime(2026, 6, 6, 23, tzinfo=UTC), 9),
        ("Australia/Lord_Howe", datetime(2026, 4, 4, 23, tzinfo=UTC), 9.5),  # half an hour comes twice
        ("America/New_York", datetime(2026, 3, 7, 23, tzinfo=UTC), 8),
    ],
)
def test_a_night_in_which_the_clocks_change_is_as_long_as_it_is(zone: str, night: datetime, length: float) -> None:
    start = int(night.replace(tzinfo=ZoneInfo(zone)).timestamp())
    spans = [one for one in quiet_spans(zone, NIGHTS, start - HOUR, start + 12 * HOUR) if one[0] == start]
    assert [end - begin for begin, end in spans] == [length * HOUR]


def test_quiet_hours_that_begin_in_a_missing_hour_begin_after_it() -> None:
    week: tuple[Quiet | None, ...] = (Quiet(150, 240),) * 7  # 2:30 to 4:00
    start = int(datetime(2026, 3, 29, 0, tzinfo=UTC).timestamp())
    (span,) = quiet_spans("Europe/Berlin", week, start, start + 6 * HOUR)
    assert [datetime.fromtimestamp(at, UTC).strftime("%H:%M") for at in span] == ["01:30", "02:00"]  # 3:30 to 4:00


@pytest.mark.long
@given(st.sampled_from(ZONES), weeks, absences, times)
def test_whoever_can_be_reached_later_is_neither_asleep_nor_away_then(
    zone: str, week: tuple[Quiet | None, ...], away: tuple[tuple[int, int], ...], now: int
) -> None:
    person = Person(zone=zone, quiet=week, away=away[0] if away else None)
    at = person.reachable(now)
    assert at is not None
    assert at >= now
    assert not person.is_away(at)
    assert not [one for one in quiet_spans(zone, week, at - DAY, at + DAY) if one[0] <= at < one[1]]
    assert person.reachable(at) == at


def test_nobody_knows_when_somebody_is_back_who_did_not_say() -> None:
    assert Person(away=(T0, None)).reachable(T0 + 5) is None
    assert Person(away=(T0 + 10, None)).reachable(T0 + 5) == T0 + 5


@pytest.mark.broad
@given(st.sampled_from(ZONES), weeks, st.integers(0, 23), times)
def test_a_digest_comes_once_a_day_at_its_hour_or_when_the_night_is_over(
    zone: str, week: tuple[Quiet | None, ...], hour: int, now: int
) -> None:
    person = Person(zone=zone, quiet=week, where="digest", digest=hour)
    first = person.next_digest(now)
    assert first is not None
    assert first == person.reachable(first)
    assert now < first <= now + 2 * DAY
    second = replace(person, digested=first).next_digest(first)
    assert second is not None
    assert 0 < second - first <= 2 * DAY


@pytest.mark.long
@given(st.builds(lambda zone, week: Person(zone=zone, quiet=week), st.sampled_from(ZONES), weeks), times)
def test_a_person_is_stored_whole(person: Person, at: int) -> None:
    for one in (
        person,
        replace(person, away=(at, None), past=((at - 9, at - 5),)),
        replace(person, away=(at, at + 5), where="both"),
    ):
        assert Person.read(one.text()) == one


# Banks and increments


def around(pace: Pace, **people: Person) -> Circumstances:
    return Circumstances(pace, {"p1": 1, "p2": 2}, 1, {1: people.get("ann", Person()), 2: people.get("ben", Person())})


def look(clock: GameClock, given: Circumstances, now: int, breaks: tuple[Break, ...] = ()) -> Look:
    return Look(clock, given, now, breaks)


def after(made: Ticked) -> GameClock:
    return GameClock.read(made.body)


def turn(number: int, seat: str, began: int | None = None) -> TurnKey:
    return TurnKey((seat,), "SR", "", number, number if began is None else began)


def begun(given: Circumstances, at: int = T0) -> GameClock:
    """A game's first turn, of which its player is told as soon as they can be."""
    clock = after(clocks.moved(look(GameClock(), given, at), turn(0, "p1")))
    hears = given.person(1).hears(at)
    return clock if hears is None else after(clocks.heard(look(clock, given, hears), [1]))


def play(pace: Pace, spent: list[int], breaks: tuple[Break, ...] = ()) -> tuple[GameClock, int]:
    """A game in which the seats take turns and use so many seconds each; the clock at its end, and the time."""
    given, now = around(pace), T0
    clock = after(clocks.moved(look(GameClock(), given, now, breaks), turn(0, "p1")))
    for number, seconds in enumerate(spent, start=1):
        now += seconds
        clock = after(clocks.moved(look(clock, given, now, breaks), turn(number, f"p{1 + number % 2}")))
    return clock, now


@pytest.mark.broad
@given(st.lists(st.integers(0, 150 * HOUR), max_size=12), st.sampled_from(["steady", "fast"]))
def test_banks_are_what_is_left_and_the_increment_up_to_the_cap(spent: list[int], name: str) -> None:
    pace = PACES[name]  # type: ignore[index]
    clock, _ = play(pace, spent)
    for index, seat in ((0, "p1"), (1, "p2")):
        bank = pace.bank * HOUR
        for number, seconds in enumerate(spent):
            if number % 2 == index:
                budget = max(bank, pace.increment * HOUR)
                bank = min(pace.cap * HOUR, max(0, budget - seconds) + pace.increment * HOUR)
        run = clock.run_of(seat)
        assert clock.accounts[seat].bank == bank
        assert run is None or run.budget == max(bank, pace.increment * HOUR)


def test_an_increment_comes_once_for_a_turn_however_often_it_is_taken_back() -> None:
    pace, given, now = own(10, 5, 100), around(own(10, 5, 100)), T0
    clock = after(clocks.moved(look(GameClock(), given, now), turn(0, "p1")))
    for _ in range(6):  # a move, and its undoing
        clock = after(clocks.moved(look(clock, given, now), turn(1, "p2")))
        clock = after(clocks.moved(look(clock, given, now), turn(0, "p1")))
    assert clock.accounts["p1"].bank == (pace.bank + pace.increment) * HOUR
    assert clock.accounts["p2"].bank == pace.bank * HOUR


def test_a_turn_that_ends_because_the_move_before_is_taken_back_brings_no_increment() -> None:
    """It brought one, and another where the turn then began after more moves than before."""
    given, now = around(own(10, 5, 100)), T0
    clock = after(clocks.moved(look(GameClock(), given, now), turn(0, "p1")))
    for moves in (1, 2, 3):
        clock = after(clocks.moved(look(clock, given, now), turn(moves, "p2")))
        now += HOUR
        clock = after(clocks.moved(look(clock, given, now), turn(0, "p1")))
    assert clock.accounts["p2"].bank == 7 * HOUR
    clock = after(clocks.moved(look(clock, given, now), turn(1, "p2")))
    clock = after(clocks.moved(look(clock, given, now), turn(2, "p1")))
    assert clock.accounts["p2"].bank == (7 + 5) * HOUR


def test_an_increment_comes_once_for_a_turn_that_is_replayed_in_another_number_of_moves() -> None:
    """It came again where the turn then began after more moves, and not for a later one where it began after fewer."""
    given, bank = around(own(10, 5, 100)), 10 * HOUR

    def banks(*turns: TurnKey, redone: bool = False) -> tuple[int, int]:
        clock = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
        for one in turns:
            clock = after(clocks.moved(look(clock, given, T0), one, redone=redone and one is turns[-1]))
        return tuple((clock.accounts[seat].bank - bank) // HOUR for seat in ("p1", "p2"))  # type: ignore[return-value]

    played = turn(2, "p2"), turn(4, "p1"), turn(0, "p1")
    assert banks(*played) == (5, 5)
    assert banks(*played, turn(3, "p2"), turn(4, "p1"), turn(9, "p2")) == (10, 5)
    assert banks(*played, turn(3, "p2"), turn(0, "p1"), turn(7, "p2"), turn(8, "p1")) == (5, 5)
    assert banks(*played, turn(1, "p2"), turn(2, "p1"), turn(3, "p2"), turn(4, "p1")) == (10, 10)
    assert banks(*played, turn(4, "p1"), redone=True) == (5, 5)


def test_what_was_redone_brings_its_increments_once_and_what_follows_brings_more() -> None:
    given, clock = around(own(10, 5, 100)), GameClock()
    for number, seat, redone in ((0, 1, 0), (2, 2, 0), (4, 1, 0), (0, 1, 0), (4, 1, 1), (5, 2, 0), (6, 1, 0)):
        clock = after(clocks.moved(look(clock, given, T0), turn(number, f"p{seat}"), redone=bool(redone)))
    assert [clock.accounts[seat].bank for seat in ("p1", "p2")] == [20 * HOUR, 20 * HOUR]


def test_a_turn_that_others_interrupt_brings_one_increment_however_it_is_taken_back() -> None:
    """It brought another each time that it went on."""
    given, bank = around(own(10, 5, 100)), 10 * HOUR

    def banks(*turns: TurnKey) -> tuple[int, int]:
        clock = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
        for one in turns:
            clock = after(clocks.moved(look(clock, given, T0), one))
        return tuple((clock.accounts[seat].bank - bank) // HOUR for seat in ("p1", "p2"))  # type: ignore[return-value]

    asked, goes_on = turn(2, "p2"), turn(3, "p1", 0)
    assert banks(asked, goes_on, turn(5, "p2")) == (5, 5)
    assert banks(asked, goes_on, turn(4, "p2"), turn(5, "p1", 0), turn(6, "p2")) == (5, 10)
    assert banks(asked, goes_on, asked, goes_on, turn(0, "p1"), asked, goes_on, turn(4, "p2")) == (5, 5)
    assert banks(asked, goes_on, turn(0, "p1"), turn(1, "p2"), turn(2, "p1")) == (5, 5)
    assert banks(asked, goes_on, turn(4, "p2"), turn(5, "p1"), turn(6, "p2")) == (10, 10)


def test_whoever_is_woken_has_the_increment_of_the_turn_as_it_ends() -> None:
    """It came as the game was woken, too, to whoever still had time."""
    given = around(own(700, 5, 720), ann=Person(zone="UTC", quiet=(Quiet(20 * 60, 8 * 60),) * 7))
    clock = after(clocks.looked(look(begun(given), given, T0 + 45 * DAY)))
    assert clock.archived is not None
    left = look(clock, given, T0 + 45 * DAY).left(clock.runs[0])
    clock = after(clocks.woken(look(clock, given, T0 + 45 * DAY)))
    assert clock.runs[0].budget == left > 5 * HOUR
    clock = after(clocks.moved(look(clock, given, T0 + 45 * DAY), turn(1, "p2")))
    assert clock.accounts["p1"].bank == left + 5 * HOUR


def test_a_break_within_an_absence_uses_up_no_leave() -> None:
    """It did, unless something was written down of the clock between the break and the end of the leave."""
    given, leave = around(PACES["fast"], ann=Person(away=(T0 + HOUR, T0 + 40 * DAY))), 7 * DAY
    clock, now = begun(given), T0 + 9 * DAY
    off = (Break(1, T0 + DAY, T0 + 6 * DAY),)
    written = look(look(clock, given, T0 + 6 * DAY, off).settled(), given, now, off)
    for seen in (written, look(clock, given, now, off)):
        (run,) = seen.clock.runs
        assert seen.used(run) == HOUR
        assert seen.excused("p1")
        assert seen.up_at(run) == T0 + HOUR + 5 * DAY + leave + 23 * HOUR
        assert seen.written(run).away == 4 * DAY - HOUR
    untold = look(after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1"))), given, now, off)
    assert untold.up_at(untold.clock.runs[0]) == T0 + HOUR + 5 * DAY + leave + 23 * HOUR
    assert written.at(clock).settled() == look(clock, given, now, off).settled()


def test_whoever_is_told_before_they_leave_for_good_has_the_time_that_is_said_before() -> None:
    """It was said to last until their leave was over, as if nobody told them of the turn before they left."""
    asleep = Person("UTC", NIGHTS, away=(T0 + 60 * HOUR, None))
    given = around(PACES["fast"], ann=asleep)
    clock = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
    before = look(clock, given, T0)
    up = T0 + 24 * HOUR
    assert before.until(clock.runs[0]) == up
    morning = T0 + 8 * HOUR
    told = look(after(clocks.heard(look(clock, given, morning), [1])), given, morning)
    assert told.until(told.clock.runs[0]) == up


@pytest.mark.parametrize("hour", [0, 10, 29])
def test_whoever_reads_digests_hears_of_a_turn_when_they_are_back(hour: int) -> None:
    """They are greeted then; after a digest that they missed, the next was said to be the first."""
    person = Person("UTC", where="digest", digest=8, away=(T0 - HOUR, T0 + 30 * HOUR))
    assert person.hears(T0 + hour * HOUR) == T0 + 30 * HOUR
    assert person.hears(T0 + 33 * HOUR) == T0 + 33 * HOUR, "who was not greeted then is as soon as that is seen"
    assert person.back(T0 + 30 * HOUR).hears(T0 + 33 * HOUR) == T0 + 56 * HOUR, "then as before"


def walked(clock: GameClock, given: Circumstances, now: int, until: int) -> list[tuple[int, Ticked]]:
    """What happens as the clock is looked at whenever it says, with when."""
    seen, due = [], clocks.ticked(look(clock, given, now)).due_at
    while due is not None and due <= until:
        made = clocks.looked(look(clock, given, due))
        seen.append((due, made))
        assert made.due_at is None or made.due_at > due, "it says the same again"
        clock, due = after(made), made.due_at
    return seen


def test_there_is_a_reminder_at_half_and_one_at_four_fifths_and_then_the_others_are_asked() -> None:
    given = around(PACES["steady"])
    clock = begun(given)
    seen = [(at - T0, [one.kind for one in made.pings], [one.kind for one in made.notices])
            for at, made in walked(clock, given, T0, T0 + 40 * DAY)]  # fmt: skip
    assert seen == [
        (36 * HOUR, ["reminder"], []),
        (72 * HOUR * 80 // 100, ["reminder"], []),
        (72 * HOUR, [], ["late:p1"]),
    ]


def test_gentle_reminds_five_times_and_then_tells_the_host() -> None:
    given = Circumstances(PACES["gentle"], {"p1": 1, "p2": 2}, 2, {1: Person(after=12)})
    clock = begun(given)
    seen = [((at - T0) // HOUR, [(one.user_id, one.kind) for one in made.pings])
            for at, made in walked(clock, given, T0, T0 + 40 * DAY)]  # fmt: skip
    assert seen == [(12 * number, [(1, "reminder")]) for number in range(1, 6)] + [(72, [(2, "host")])]


def test_without_a_clock_nothing_happens_for_45_days_and_then_the_game_is_archived() -> None:
    given = around(PACES["none"])
    clock = begun(given)
    ((at, made),) = walked(clock, given, T0, T0 + 400 * DAY)
    assert at == T0 + 45 * DAY
    assert [one.kind for one in made.notices] == ["archived"]
    assert after(made).archived == at
    woken = clocks.woken(look(after(made), given, at + 9 * DAY))
    assert after(woken).archived is None
    assert woken.due_at == at + 9 * DAY + 45 * DAY


def test_a_break_is_nobodys_time() -> None:
    given = around(PACES["steady"])
    clock = begun(given)
    week = (Break(1, T0 + HOUR, T0 + HOUR + 7 * DAY),)
    late = clocks.looked(look(clock, given, T0 + 7 * DAY + 2 * HOUR, week))
    assert (late.pings, late.notices) == ((), ())
    assert late.due_at == T0 + 7 * DAY + 36 * HOUR
    back = (Break(1, T0 + 30 * HOUR, T0 + 20 * HOUR),)  # set back by ten hours
    assert clocks.looked(look(clock, given, T0 + 21 * HOUR, back)).due_at == T0 + 26 * HOUR


def test_time_stands_still_while_somebody_is_away_as_long_as_their_leave_lasts() -> None:
    pace = PACES["steady"]
    for days, expected in ((5, 72 * HOUR + 5 * DAY), (60, 72 * HOUR + pace.leave * HOUR)):
        given = around(pace, ann=Person(away=(T0, T0 + days * DAY)))
        clock = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
        run = clock.run_of("p1")
        assert run is not None
        assert look(clock, given, T0).reach(run, run.budget) == T0 + expected
    clock = after(clocks.moved(look(clock, given, T0 + 4 * DAY), turn(1, "p2")))
    rest = pace.leave * HOUR - 4 * DAY + 4 * DAY // 7
    assert clock.accounts["p1"].leave == rest, "what was used is gone"
    later = after(clocks.moved(look(clock, given, T0 + 11 * DAY), turn(2, "p1")))
    assert later.accounts["p1"].leave == rest + DAY, "and is earned again slowly"


def test_other_hours_count_from_now_on_alone() -> None:
    old = around(PACES["steady"])
    new = around(PACES["steady"], ann=Person(zone="UTC", quiet=NIGHTS))
    clock = begun(old)
    now = T0 + 24 * HOUR
    settled = look(clock, old, now).settled(only=1)
    run = settled.run_of("p1")
    assert run is not None
    assert look(settled, new, now).used(run) == 24 * HOUR
    assert look(settled, new, now + 24 * HOUR).used(run) == 39 * HOUR


def test_three_delays_a_game() -> None:
    given, now = around(own(2, 0, 10)), T0
    clock = begun(given)
    for number in range(3):
        assert clock.can_wait("p1"), number
        now, made = next(one for one in walked(clock, given, now, now + 2 * DAY) if after(one[1]).late is not None)
        clock = after(made)
        clock = after(clocks.granted(look(clock, given, now), "p1"))
        run = clock.run_of("p1")
        assert run is not None
        assert look(clock, given, now).left(run) == 12 * HOUR
    assert not clock.can_wait("p1")


@pytest.mark.long
@settings(max_examples=60)
@given(
    st.sampled_from(["gentle", "steady", "fast"]),
    st.builds(lambda zone, week: Person(zone=zone, quiet=week), st.sampled_from(ZONES), weeks),
    st.integers(0, 40 * DAY),
)
def test_no_turn_is_reminded_more_often_than_said_and_never_at_night(name: str, person: Person, shift: int) -> None:
    pace, start = PACES[name], T0 + shift  # type: ignore[index]
    given = around(pace, ann=person)
    began = clocks.moved(look(GameClock(), given, start), turn(0, "p1"))
    seen = walked(begun(given, start), given, start, start + 40 * DAY)
    pings = [one for _, made in seen for one in made.pings if one.kind == "reminder"]
    assert len(pings) == (5 if name == "gentle" else 2)
    for one in [*began.pings, *pings]:
        assert person.reachable(one.at) == one.at
    asked = [at for at, made in seen if made.notices]
    assert len(asked) == (name != "gentle")


def test_somebody_asleep_is_told_of_their_turn_in_the_morning_and_others_by_the_turn_itself() -> None:
    ann = Person(zone="Europe/Berlin", quiet=NIGHTS)
    given, night = around(PACES["none"], ann=ann), T0 + timedelta(hours=23).seconds
    made = clocks.moved(look(GameClock(), given, night), turn(0, "p1"))
    assert [(one.user_id, one.kind, one.at) for one in made.pings] == [(1, "turn", T0 + DAY + 7 * HOUR)]
    assert after(made).runs[0].rung
    awake = clocks.moved(look(GameClock(), given, night), turn(0, "p2"))
    assert (awake.pings, after(awake).runs[0].rung) == ((), False)


# Nobody's time is up before they knew, and could act


def late_at(given: Circumstances, clock: GameClock, breaks: tuple[Break, ...] = ()) -> int | None:
    """When the others, or the bot, may decide about the first player."""
    return next((at for at, made in walked(clock, given, T0, T0 + 90 * DAY) if after(made).late), None)


@pytest.mark.second
def test_nobodys_time_is_up_before_they_were_told() -> None:
    given = around(PACES["fast"])
    untold = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
    assert late_at(given, untold) is None
    made = clocks.looked(look(untold, given, T0 + 30 * DAY))
    assert (after(made).late, made.notices) == (None, ())
    told = after(clocks.heard(look(after(made), given, T0 + 30 * DAY), [1]))
    assert late_at(given, told) == T0 + 30 * DAY + NOTICE
    assert late_at(given, after(clocks.heard(look(told, given, T0 + 31 * DAY), [1]))) == T0 + 30 * DAY + NOTICE


@settings(max_examples=80)
@given(
    st.sampled_from([*PACES.values(), own(1, 0, 1), own(4, 1, 8), replace(own(4, 1, 8), quiet_free=False)]),
    st.builds(
        lambda zone, week, where: Person(zone=zone, quiet=week, where=where),
        st.sampled_from(ZONES), weeks, st.sampled_from(WHERE),
    ),
    st.integers(0, 40 * DAY),
)  # fmt: skip
@pytest.mark.broad
def test_whoever_is_late_was_told_and_then_awake_for_some_hours(pace: Pace, person: Person, shift: int) -> None:
    given, start = around(pace, ann=person), T0 + shift
    hears = person.hears(start)
    assert hears is not None
    late = late_at(given, begun(given, start))
    assert (late is not None) == pace.timed
    if late is not None:
        awake = Stops(person.zone, person.quiet).running(hears, late)
        assert awake >= min(NOTICE, max(pace.bank, 1) * HOUR)
        assert late >= start + pace.bank * HOUR


def test_a_turn_that_came_in_the_evening_is_not_lost_in_the_night() -> None:
    ann = Person(zone="UTC", quiet=(Quiet(20 * 60, 8 * 60),) * 7)
    given, evening = around(replace(PACES["fast"], bank=5), ann=ann), T0 + 20 * HOUR + 1800
    assert late_at(given, begun(given, evening)) == T0 + 32 * HOUR + NOTICE
    just_before = begun(given, T0 + 19 * HOUR)
    assert late_at(given, just_before) == T0 + 32 * HOUR + NOTICE - HOUR, "the hour before the night counts"
    run = just_before.run_of("p1")
    assert run is not None
    assert look(just_before, given, T0 + 19 * HOUR).until(run) == T0 + 32 * HOUR + NOTICE - HOUR
    assert look(just_before, given, T0 + 32 * HOUR).left(run) == NOTICE - HOUR
    asleep = after(clocks.moved(look(GameClock(), given, evening), turn(0, "p1")))
    assert look(asleep, given, evening).until(asleep.runs[0]) == T0 + 32 * HOUR + NOTICE, "as it will be"


def test_a_break_and_an_absence_are_no_notice() -> None:
    given = around(replace(PACES["fast"], bank=1))
    clock = begun(given)
    off = (Break(1, T0 + 60, T0 + 60 + 3 * DAY),)
    assert look(clock, given, T0 + 3 * DAY + HOUR, off).present(clock.runs[0]) == HOUR
    away = around(replace(PACES["fast"], bank=1), ann=Person(away=(T0 + 60, T0 + 3 * DAY + 60)))
    assert look(clock, away, T0 + 3 * DAY + HOUR).present(clock.runs[0]) == HOUR


def test_time_counts_as_before_when_the_clock_is_set_back_to_before_the_turn() -> None:
    """Until it came to where the turn had begun, nobody counted as having been told, nor as being away."""
    back, now = (Break(1, T0 + 3 * HOUR, T0 - DAY),), T0 - DAY + 2 * HOUR
    for away, counted in ((None, 5 * HOUR), ((T0 - 2 * DAY, None), 0)):
        clock = begun(given := around(PACES["fast"], ann=Person(away=away)))
        seen = look(clock, given, now, back)
        (run,) = clock.runs
        assert (seen.used(run), seen.present(run)) == (counted, counted)


def test_whoever_stays_away_for_longer_than_they_may_is_late_in_the_end() -> None:
    given = around(PACES["fast"], ann=Person(away=(T0 - DAY, None)))
    untold = after(clocks.moved(look(GameClock(), given, T0), turn(0, "p1")))
    assert late_at(given, untold) == T0 + PACES["fast"].leave * HOUR + DAY


def test_whoever_is_given_more_time_in_the_evening_has_some_of_it_awake() -> None:
    ann = Person(zone="UTC", quiet=(Quiet(20 * 60, 8 * 60),) * 7)
    given = around(replace(PACES["fast"], bank=5), ann=ann)
    clock = begun(given, T0 + 10 * HOUR)
    late = late_at(given, clock)
    assert late == T0 + 15 * HOUR
    made = clocks.looked(look(clock, given, late))
    longer = after(clocks.granted(look(after(made), given, T0 + 20 * HOUR), "p1"))
    assert late_at(given, longer) == T0 + 32 * HOUR + NOTICE


def test_a_clock_that_was_stored_before_told_its_players_when_it_began() -> None:
    given = around(PACES["fast"])
    body = json.loads(begun(given).text())
    for run in body["runs"]:
        del run["heard"], run["present"]
    old = GameClock.read(json.dumps(body))
    assert late_at(given, old) == T0 + 24 * HOUR


def test_an_absence_that_has_ended_is_known_as_long_as_it_lasted() -> None:
    person = Person(away=(T0, T0 + 10 * DAY)).back(T0 + 3 * DAY)
    assert (person.away, person.past) == (None, ((T0, T0 + 3 * DAY),))
    assert present(person, T0 - HOUR, T0 + 4 * DAY, ()) == HOUR + DAY
    assert present(person, T0 - HOUR, T0 + 4 * DAY, (Break(1, T0 + 3 * DAY, T0 + 3 * DAY + HOUR),)) == DAY
    assert Person(away=(T0, None)).leaving((T0 + DAY, None), T0 - HOUR).past == (), "it never began"
    assert person.back(T0 + 200 * DAY).past == ()


def test_a_digest_that_the_night_puts_off_is_the_next_one() -> None:
    """Whoever changed a setting between its hour and the end of the night had none that day."""
    person = Person("UTC", (Quiet(23 * 60, 9 * 60),) * 7, where="digest", digest=8, digested=T0 - 15 * HOUR)
    assert due_of(person, (), T0 + 8 * HOUR + 60) == person.hears(T0 + 8 * HOUR + 60) == T0 + 9 * HOUR
    told = replace(person, digested=T0 + 9 * HOUR)
    assert due_of(told, (), T0 + 9 * HOUR) == T0 + DAY + 9 * HOUR


def test_what_waits_for_a_digest_makes_nobody_look_before_its_hour() -> None:
    owed = [OwedPing(1, "g", "said:1", "", T0 + 9 * HOUR)]
    assert due_of(Person(where="digest", digested=T0 + 8 * HOUR), owed, T0 + 10 * HOUR) == T0 + DAY + 8 * HOUR
    assert due_of(Person(), owed, T0 + 10 * HOUR) == T0 + 10 * HOUR


@pytest.mark.parametrize(
    ("until", "ends"),
    [
        ("2028-02-29", datetime(2028, 3, 1, tzinfo=BERLIN)),
        ("2027-12-31", datetime(2028, 1, 1, tzinfo=BERLIN)),
        ("2027-12-24 24:00", datetime(2027, 12, 25, tzinfo=BERLIN)),
        ("2028-03-26 2:30", datetime(2028, 3, 26, 3, 30, tzinfo=BERLIN)),  # an hour that there is not
        ("2027-10-31 2:30", datetime(2027, 10, 31, 2, 30, tzinfo=BERLIN)),  # the first of two
    ],
)
def test_an_absence_ends_when_it_was_written_to(until: str, ends: datetime) -> None:
    now = int(datetime(2027, 10, 30, 12, tzinfo=BERLIN).timestamp())
    assert read_absence("", until, "Europe/Berlin", now) == (now, int(ends.timestamp()))


def test_a_date_beyond_all_years_is_refused_in_a_sentence() -> None:
    with pytest.raises(TableError, match="more than a year from now"):
        read_absence("", "9999-12-31", "Europe/Berlin", T0)
