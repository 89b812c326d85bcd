"""The clock of one game: whose time runs since when, what each seat has left, and what is due next.

Every function here leads from one clock to the next and waits for nothing, so that the storage can call it within the
transaction of a move. Times are whole seconds since 1970, UTC. Only this module writes and reads what is stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bot.core.hours import HOUR, Stops
from bot.core.moves import TurnKey
from bot.core.notices import archived_notice, late_notice
from bot.core.pace import ARCHIVED_AFTER, DELAYS, GENTLE, Pace
from bot.core.person import NOTICE, Person, spans, stops
from storage import VACANT, Break, Notice, Ping, Ticked

TURN, REMINDER, LATE, HOST = "turn", "reminder", "late", "host"
"""The kinds of pings of a turn: it is theirs, it still is, somebody else is late, what a host is told."""
PRIVATE = "private"
"""How the kinds of pings begin that only a direct message may say."""
OF_A_TURN = (TURN, REMINDER, LATE, HOST)
AGAIN = 300
"""Seconds after which what should have followed by itself is tried again."""
GRACE = 12 * HOUR
"""Seconds that somebody who is late and then moves has at least for the rest of their turn."""
EARNED = 7
"""Of so many seconds one is earned to be away."""


@dataclass(frozen=True, slots=True)
class Account:
    """What a seat has between its turns."""

    bank: int
    leave: int
    """How long it may still be away while its time stands still."""
    leave_at: int
    """Until when `leave` is counted."""
    delays: int = 0
    """How often the others have excused it."""


@dataclass(frozen=True, slots=True)
class Run:
    """The time of a seat that is asked now."""

    seat: str
    user: int
    budget: int
    """How much it may use in this turn; 0 without a clock."""
    since: int
    """From when its time is counted beyond `used`."""
    mark: int
    """The last break before that."""
    used: int = 0
    away: int = 0
    """How much of its leave it used in that time."""
    granted: int = 0
    """How much of the budget the others granted."""
    told: int = 0
    """How many reminders it had."""
    silent: bool = False
    """Whether it wants no more of them in this turn."""
    rung: bool = False
    """Whether it is told apart from the turn's message, which then does not ping it."""
    late_at: int | None = None
    """Since when its time is up."""
    asked: bool = False
    """Whether the others are asked what to do; where the table has agreed to something, that is tried first."""
    heard: int | None = None
    """When its player was told of the turn."""
    present: int = 0
    """For how long they could have acted since, as far as that was counted before `since`."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a clock depends on, apart from itself."""

    pace: Pace
    seats: Mapping[str, int]
    """Which people sit where; 0 where nobody does."""
    host: int
    people: Mapping[int, Person]
    opponents: frozenset[str] = frozenset()
    """Those who have no clock: the seats of opponents, and chance. What they decide is due at once."""

    def person(self, user: int) -> Person:
        """What is known of somebody."""
        return self.people.get(user, Person())


@dataclass(frozen=True, slots=True)
class GameClock:
    """The clock of one game."""

    turn: str = ""
    start: int = 0
    began: int = 0
    moved: int = 0
    mark: int = 0
    """The last break before the last move."""
    upto: int = 0
    """Turns that began after fewer moves have had their increment."""
    runs: tuple[Run, ...] = ()
    accounts: Mapping[str, Account] = field(default_factory=dict)
    archived: int | None = None
    thinks: bool = False
    """Whether the game waits for an opponent, or for chance."""

    @classmethod
    def read(cls, text: str | None) -> GameClock:
        """Parse the stored text; a new clock if there is none."""
        body: dict[str, Any] = json.loads(text or "{}")
        known = {name: body[name] for name in cls.__slots__ if name in body}
        known["runs"] = tuple(Run(**{"heard": one["since"], **one}) for one in body.get("runs", ()))
        known["accounts"] = {seat: Account(**one) for seat, one in body.get("accounts", {}).items()}
        return cls(**known)

    def text(self) -> str:
        """As stored."""
        body = {name: getattr(self, name) for name in self.__slots__}
        body["runs"] = [asdict(one) for one in self.runs]
        body["accounts"] = {seat: asdict(one) for seat, one in self.accounts.items()}
        return json.dumps(body)

    def run_of(self, seat: str) -> Run | None:
        """The running time of a seat; None if it is not asked."""
        return next((one for one in self.runs if one.seat == seat), None)

    def waits_for(self, user: int) -> bool:
        """Whether the game waits for this person."""
        return self.archived is None and any(one.user == user for one in self.runs)

    def each(self, change: Callable[[Run], Run]) -> GameClock:
        """With every running time changed."""
        return replace(self, runs=tuple(change(one) for one in self.runs))

    @property
    def late(self) -> Run | None:
        """The first seat whose time is up and about whom the others are asked."""
        return next((one for one in self.runs if one.late_at is not None), None)


# How much time has passed


def stops_of(clock: GameClock, run: Run, around: Around) -> Stops:
    """When the seat's time stands still from `run.since` on."""
    return around.pace.stops(around.person(run.user), _leave(clock, run), run.since)


def _leave(clock: GameClock, run: Run) -> int:
    """For how long the seat's player may still be away."""
    account = clock.accounts.get(run.seat)
    return 0 if account is None else max(0, account.leave - run.away)


def used(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int:
    """How much time the seat has used in this turn."""
    still = stops_of(clock, run, around)
    return run.used + sum(still.running(*span) for span in spans(run.since, now, breaks, run.mark))


def left(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int:
    """How much time the seat has left in this turn; 0 without a clock."""
    missing = _notice(run) - present(clock, run, around, now, breaks)
    return max(0, run.budget - used(clock, run, around, now, breaks), missing)


def reach(clock: GameClock, run: Run, around: Around, seconds: int, now: int, breaks: Sequence[Break]) -> int | None:
    """When the seat will have used so much time in this turn, if it goes on like this; None for never."""
    missing = seconds - used(clock, run, around, now, breaks)
    return now if missing <= 0 else stops_of(clock, run, around).reach(now, missing)


def present(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int:
    """For how long the seat's player could have acted since they were told of the turn."""
    begins = _counts_from(clock, run, around)
    if begins is None:
        return run.present
    still = _presence(clock, run, around)
    counted = [(max(begins, start), end) for start, end in spans(run.since, now, breaks, run.mark)]
    return run.present + sum(still.running(*span) for span in counted)


def waited(clock: GameClock, seat: str, around: Around, now: int, breaks: Sequence[Break]) -> int:
    """For how long a seat has let the game wait that could have moved; an opponent's could all the time."""
    run = clock.run_of(seat)
    if run is None:
        return sum(end - start for start, end in spans(clock.moved, now, breaks, clock.mark))
    return present(clock, run, around, now, breaks)


def excused(clock: GameClock, seat: str, around: Around, now: int) -> bool:
    """Whether the seat's player is away, and may be."""
    run = clock.run_of(seat)
    if run is None or not around.person(run.user).is_away(now):
        return False
    return Stops(away=_presence(clock, run, around).away).running(now, now + 1) == 0


def _counts_from(clock: GameClock, run: Run, around: Around) -> int | None:
    """From when on a seat's player is expected to act; None for not yet.

    Whoever stays away for longer than the table lets them needs no telling: they said so themselves.
    """
    if run.heard is not None:
        return run.since
    span = around.person(run.user).away_span
    over = None if span is None else max(span[0], run.since) + _leave(clock, run)
    return over if span is not None and over is not None and over < span[1] else None


def _presence(clock: GameClock, run: Run, around: Around) -> Stops:
    return stops(around.person(run.user), run.since, _leave(clock, run))


def _notice(run: Run) -> int:
    """For how long the seat's player must have been able to act before its time is up."""
    return min(NOTICE, run.budget)


def up_at(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int | None:
    """When the seat's time is up, if it goes on like this; None for never, or as long as nobody told its player."""
    spent = reach(clock, run, around, run.budget, now, breaks)
    noticed = _noticed_at(clock, run, around, now, breaks)
    return None if spent is None or noticed is None else max(spent, noticed)


def _noticed_at(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int | None:
    begins = _counts_from(clock, run, around)
    missing = _notice(run) - present(clock, run, around, now, breaks)
    if begins is None or missing <= 0:
        return None if begins is None else now
    return _presence(clock, run, around).reach(max(now, begins), missing)


def until(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> int | None:
    """What people are told of when the seat's time is up: also before its player could be told of the turn."""
    hears = around.person(run.user).hears(now)
    if _counts_from(clock, run, around) is not None or hears is None:
        return up_at(clock, run, around, now, breaks)
    spent = reach(clock, run, around, run.budget, now, breaks)
    told = _noticed_at(clock, replace(run, heard=hears, since=hears), around, hears, breaks)
    return None if spent is None or told is None else max(spent, told)


def _latest(breaks: Sequence[Break]) -> int:
    return breaks[-1].id if breaks else 0


def settled(clock: GameClock, around: Around, now: int, breaks: Sequence[Break], only: int | None = None) -> GameClock:
    """The same clock with what was used written down: from now on, other hours may count. `only` one person's."""
    return clock.each(lambda one: _settled(clock, one, around, now, breaks) if only in (None, one.user) else one)


def _settled(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> Run:
    spent = used(clock, run, around, now, breaks)
    away = Stops(away=stops_of(clock, run, around).away)
    gone = sum(end - start - away.running(start, end) for start, end in spans(run.since, now, breaks, run.mark))
    could = present(clock, run, around, now, breaks)
    return replace(run, used=spent, away=run.away + gone, present=could, since=now, mark=_latest(breaks))


# From one turn to the next


def moved(clock: GameClock, turn: TurnKey, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """A move was made, or the game began: the clock goes on in this turn."""
    thinks = not around.opponents.isdisjoint(turn.players)
    here = replace(clock, moved=now, mark=_latest(breaks), archived=None, thinks=thinks)
    if clock.turn == str(turn) and {one.seat for one in clock.runs} == set(turn.players) - around.opponents:
        again = here.each(lambda one: _in_time_again(clock, one, around, now, breaks))
        return ticked(again, around, now, breaks, forget=(LATE, HOST))
    closed = _closed(here, around, now, breaks)
    begun = tuple(_begun(closed, seat, around, now, breaks) for seat in turn.players if seat in around.seats)
    after = replace(closed, turn=str(turn), start=turn.start, began=now, runs=begun)
    pings = [ping for one in begun for ping in _told_of_turn(one, around, now)]
    return ticked(after, around, now, breaks, pings=pings, forget=OF_A_TURN)


def _in_time_again(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> Run:
    """Somebody who was late has moved within their turn: they get time for the rest of it."""
    if run.late_at is None:
        return run
    budget = used(clock, run, around, now, breaks) + GRACE
    return replace(_unnoticed(clock, run, around, now, breaks), budget=budget, granted=run.granted + GRACE)


def _unnoticed(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> Run:
    """Somebody late who gets more time: before it is up again, they must have been able to act."""
    return replace(_settled(clock, run, around, now, breaks), late_at=None, asked=False, present=0)


def _closed(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> GameClock:
    """The clock between two turns: everybody has what is left, and the increment if the turn is a new one."""
    accounts = {seat: _account(clock, seat, around.pace, now) for seat in around.seats}
    for run in settled(clock, around, now, breaks).runs:
        account = accounts.get(run.seat)
        if account is None:
            continue
        fresh = clock.start >= clock.upto
        bank = max(0, run.budget - run.granted - run.used) + fresh * around.pace.increment * HOUR
        accounts[run.seat] = replace(
            account, bank=min(around.pace.cap * HOUR, bank), leave=max(0, account.leave - run.away)
        )
    upto = max(clock.upto, clock.start + 1) if clock.runs else clock.upto
    return replace(clock, runs=(), accounts=accounts, upto=upto)


def _account(clock: GameClock, seat: str, pace: Pace, now: int) -> Account:
    """What the seat has, with the leave that it earned since."""
    known = clock.accounts.get(seat)
    if known is None:
        return Account(pace.bank * HOUR, pace.leave * HOUR, now)
    earned = max(0, now - known.leave_at) // EARNED
    return replace(known, leave=max(known.leave, min(pace.leave_cap * HOUR, known.leave + earned)), leave_at=now)


def _begun(clock: GameClock, seat: str, around: Around, now: int, breaks: Sequence[Break]) -> Run:
    user = around.seats[seat]
    rung = not around.person(user).pinged_in_channel(now)
    budget = max(clock.accounts[seat].bank, around.pace.increment * HOUR, HOUR) if around.pace.timed else 0
    return Run(seat, user, budget, now, _latest(breaks), rung=rung, heard=now if user == VACANT else None)


def _told_of_turn(run: Run, around: Around, now: int) -> Iterable[Ping]:
    """The ping that the turn's message does not make: later, by direct message, or both."""
    person = around.person(run.user)
    at = person.reachable(now)
    if at is not None and person.told_in != "digest" and (run.rung or person.told_in == "both"):
        yield Ping(run.user, TURN, json.dumps({"dm": not run.rung}), at)


def owe_turn(clock: GameClock, around: Around, users: Iterable[int], now: int, breaks: Sequence[Break]) -> Ticked:
    """The turn's message will not ping these people after all, since they may not be disturbed by now."""
    late = set(users)
    after = clock.each(lambda one: replace(one, rung=True) if one.user in late else one)
    pings = [ping for one in after.runs if one.user in late for ping in _told_of_turn(one, around, now)]
    return ticked(after, around, now, breaks, pings=pings)


def heard(clock: GameClock, users: Collection[int], around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """These people were told of their turn: from now on it counts whether they could have acted."""

    def told(run: Run) -> Run:
        new = run.user in users and run.heard is None
        return replace(_settled(clock, run, around, now, breaks), heard=now) if new else run

    return ticked(clock.each(told), around, now, breaks)


# When its time has come


def looked(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """Somebody looks at the clock: reminders, the question to the others and the archive, each once."""
    if not clock.runs or clock.archived is not None:
        return Ticked(clock.text(), now if clock.thinks and clock.archived is None else None)
    if _archived_at(clock, now, breaks) <= now:
        return Ticked(replace(clock, archived=now).text(), None, notices=(archived_notice(),), forget=OF_A_TURN)
    runs, pings, notices = [], list[Ping](), list[Notice]()
    for one in clock.runs:
        if around.seats.get(one.seat) not in (None, one.user):  # somebody else sits there by now, who was told so
            begins = Account(around.pace.bank * HOUR, around.pace.leave * HOUR, now)
            clock = replace(clock, accounts={**clock.accounts, one.seat: begins})
            new = replace(_begun(clock, one.seat, around, now, breaks), rung=True)
            if around.person(new.user).pinged_in_channel(now):
                new = replace(new, heard=now)
            else:
                pings += _told_of_turn(new, around, now)
            runs.append(new)
            continue
        spent = used(clock, one, around, now, breaks)
        after = _reminded(one, spent, around)
        pings += _reminder(one, after, around, now)
        noticed = present(clock, one, around, now, breaks) >= _notice(one)
        if around.pace.timed and spent >= after.budget and noticed and after.late_at is None:
            after = replace(after, late_at=now, asked=around.pace.then == "ask")
            if after.asked:
                asked, asking = _asked(after, around, now)
                pings += asked
                notices += asking
        runs.append(after)
    return ticked(replace(clock, runs=tuple(runs)), around, now, breaks, pings=pings, notices=notices)


def _reminded(run: Run, spent: int, around: Around) -> Run:
    """With the reminders that are due by now; of several at once only the last is sent."""
    marks = around.pace.thresholds(run.budget, around.person(run.user))
    due = sum(spent >= one for one in marks)
    if around.pace.name == "gentle" and marks and spent >= marks[-1] + marks[0]:
        due = GENTLE + 1
    return replace(run, told=max(run.told, due))


def _reminder(before: Run, after: Run, around: Around, now: int) -> Iterable[Ping]:
    if after.told == before.told or after.user == VACANT:
        return
    if around.pace.name == "gentle" and after.told > GENTLE:
        host = around.person(around.host).reachable(now)
        if host is not None and around.host != after.user:
            yield Ping(around.host, HOST, json.dumps({"seat": after.seat}), host)
        return
    person = around.person(after.user)
    at = person.reachable(now)
    if at is not None and not after.silent and person.told_in != "digest" and after.late_at is None:
        yield Ping(after.user, REMINDER, json.dumps({"number": after.told}), at)


def others(around: Around, user: int, now: int) -> list[int]:
    """Who decides about somebody who is late: the other people of the table who are not away; all if all are."""
    everybody = [one for one in dict.fromkeys(around.seats.values()) if one not in (user, VACANT)]
    here = [one for one in everybody if not around.person(one).is_away(now)]
    return here or everybody


def _asked(run: Run, around: Around, now: int) -> tuple[list[Ping], list[Notice]]:
    """What the others are asked, and the pings of those whom the question itself may not disturb.

    Who plays against opponents alone is late for nobody.
    """
    pings, at_once, people = [], [], others(around, run.user, now)
    for user in people:
        person = around.person(user)
        if person.pinged_in_channel(now):
            at_once.append(user)
        elif (at := person.reachable(now)) is not None and person.told_in != "digest":
            pings.append(Ping(user, LATE, json.dumps({"seat": run.seat}), at))
    return pings, [late_notice(run.seat, at_once)] if people else []


def _archived_at(clock: GameClock, now: int, breaks: Sequence[Break]) -> int:
    waited = sum(end - start for start, end in spans(clock.moved, now, breaks, clock.mark))
    return now + ARCHIVED_AFTER - waited


def ticked(
    clock: GameClock,
    around: Around,
    now: int,
    breaks: Sequence[Break],
    *,
    pings: Iterable[Ping] = (),
    notices: Iterable[Notice] = (),
    forget: tuple[str, ...] = (),
) -> Ticked:
    """The clock as it is stored, with when to look at it next."""
    due = [] if not clock.runs or clock.archived is not None else [_archived_at(clock, now, breaks)]
    for one in clock.runs if due else ():
        due += [at for at in _next_of(clock, one, around, now, breaks) if at is not None]
    due += [now] if clock.thinks else []
    return Ticked(clock.text(), min(due, default=None), tuple(pings), tuple(notices), forget)


def _next_of(clock: GameClock, run: Run, around: Around, now: int, breaks: Sequence[Break]) -> Iterable[int | None]:
    """When something is due for the seat."""
    pace = around.pace
    marks = pace.thresholds(run.budget, around.person(run.user))
    if run.late_at is not None:
        if not run.asked:
            yield now + AGAIN
        return
    if pace.name == "gentle":
        marks = [*marks, marks[-1] + marks[0]]
    if run.told < len(marks):
        yield reach(clock, run, around, marks[run.told], now, breaks)
    if pace.timed:
        yield up_at(clock, run, around, now, breaks)


# What people do to it


def granted(
    clock: GameClock, seat: str, around: Around, now: int, breaks: Sequence[Break], *, excused: bool = True
) -> Ticked:
    """The others wait longer for a seat, which was `excused` by that, or while they look for somebody else."""

    def longer(run: Run) -> Run:
        if run.seat != seat or run.late_at is None:
            return run
        more = around.pace.delay
        budget = used(clock, run, around, now, breaks) + more
        again = _unnoticed(clock, run, around, now, breaks)
        return replace(again, budget=budget, granted=run.granted + more, told=2)

    accounts = dict(clock.accounts)
    if seat in accounts and excused:
        accounts[seat] = replace(accounts[seat], delays=accounts[seat].delays + 1)
    return ticked(replace(clock.each(longer), accounts=accounts), around, now, breaks, forget=(LATE,))


def asked_after_all(clock: GameClock, seat: str, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """What the table had agreed to is not possible here: the others are asked."""
    run = clock.run_of(seat)
    if run is None or run.late_at is None or run.asked:
        return ticked(clock, around, now, breaks)
    after = clock.each(lambda one: replace(one, asked=True) if one.seat == seat else one)
    pings, notices = _asked(run, around, now)
    return ticked(after, around, now, breaks, pings=pings, notices=notices)


def can_wait(clock: GameClock, seat: str) -> bool:
    """Whether the others may still excuse the seat."""
    return seat not in clock.accounts or clock.accounts[seat].delays < DELAYS


def silenced(clock: GameClock, user: int, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """Somebody wants no further reminders in this turn."""
    after = clock.each(lambda one: replace(one, silent=True) if one.user == user else one)
    return ticked(after, around, now, breaks, forget=(REMINDER,))


def woken(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """An archived game goes on: whoever is asked has their time anew and is told."""
    runs = tuple(
        replace(_begun(_closed(clock, around, now, breaks), one.seat, around, now, breaks), rung=True)
        for one in clock.runs
        if one.seat in around.seats
    )
    pings = [ping for one in runs for ping in _told_of_turn(one, around, now)]
    after = replace(clock, archived=None, runs=runs, began=now, moved=now, mark=_latest(breaks))
    return ticked(after, around, now, breaks, pings=pings)


def repaced(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """The table agreed to another pace: everybody begins anew, whoever is asked from now on."""
    blank = GameClock(turn=clock.turn, start=clock.start, began=clock.began, upto=clock.upto)
    opened = _closed(blank, around, now, breaks)
    runs = tuple(
        replace(_begun(opened, one.seat, around, now, breaks), rung=one.rung, heard=one.heard and now)
        for one in clock.runs
        if one.seat in around.seats
    )
    after = replace(opened, runs=runs, moved=now, mark=_latest(breaks))
    return ticked(after, around, now, breaks, forget=(REMINDER, LATE, HOST))


def stopped(clock: GameClock, around: Around, now: int, breaks: Sequence[Break]) -> Ticked:
    """The game is over or was called off: nobody's time runs."""
    return Ticked(replace(clock, runs=(), thinks=False).text(), None, forget=OF_A_TURN)
