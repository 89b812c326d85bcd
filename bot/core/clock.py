"""The clock of one game: whose time runs since when, what each seat has left, and what is due next.

Every function here leads from one clock to the next and waits for nothing, so that the storage can call it within the
transaction of a move. Times are whole seconds since 1970, UTC. Only this module writes and reads what is stored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.core.hours import HOUR, Stops
from bot.core.moves import TurnKey
from bot.core.notices import ArchivedNotice, LateNotice, queued
from bot.core.pace import ARCHIVED_AFTER, DELAYS, GENTLE, Pace
from bot.core.person import NOTICE, Person, spans, stops
from engine.plain import plain, read_fields
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


def about_late(seat: str) -> str:
    """The kind of the votes on what to do about this seat, whose time is up."""
    return f"{LATE} {seat}"


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
class Running:
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

    @property
    def notice(self) -> int:
        """For how long the seat's player must have been able to act before its time is up."""
        return min(NOTICE, self.budget)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a clock depends on, apart from itself."""

    pace: Pace
    seats: Mapping[str, int]
    """Which people sit where; 0 where nobody does."""
    host: int
    people: Mapping[int, Person]
    opponents: frozenset[str] = frozenset()
    """Those who have no clock: the seats of opponents, and chance. What they decide is due at once."""

    def person(self, user: int) -> Person:
        return self.people.get(user, Person())

    def others(self, user: int, now: int) -> list[int]:
        """Who decides about somebody who is late: the other people of the table who are not away; all if all are."""
        everybody = [one for one in dict.fromkeys(self.seats.values()) if one not in (user, VACANT)]
        here = [one for one in everybody if not self.person(one).is_away(now)]
        return here or everybody


@dataclass(frozen=True, slots=True)
class GameClock:
    turn: str = ""
    start: int = 0
    first: int | None = None
    """After how many moves the turn began if it has only gone on since `start`; None as earlier releases have it."""
    began: int = 0
    moved: int = 0
    mark: int = 0
    """The last break before the last move."""
    had: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """After how many moves each seat's turns began that have had their increment, in order.

    Those that did not begin before the present turn were taken back, each of which counts for one still to come.
    """
    runs: tuple[Running, ...] = ()
    accounts: Mapping[str, Account] = field(default_factory=dict)
    archived: int | None = None
    thinks: bool = False
    """Whether the game waits for an opponent, or for chance."""

    @classmethod
    def read(cls, text: str | None) -> GameClock:
        """Parse the stored text; a new clock if there is none."""
        body: dict[str, Any] = json.loads(text or "{}")
        for run in body.get("runs", ()):
            run.setdefault("heard", run["since"])  # of an earlier release
        return cls(**read_fields(cls, body))

    def text(self) -> str:
        return json.dumps(plain(self))

    @property
    def of_turn(self) -> int:
        """After how many moves the turn began, also if others decided something in it."""
        return self.start if self.first is None else self.first

    def run_of(self, seat: str) -> Running | None:
        """The running time of a seat; None if it is not asked."""
        return next((one for one in self.runs if one.seat == seat), None)

    def waits_for(self, user: int) -> bool:
        return self.archived is None and any(one.user == user for one in self.runs)

    def each(self, change: Callable[[Running], Running]) -> GameClock:
        return replace(self, runs=tuple(change(one) for one in self.runs))

    def can_wait(self, seat: str) -> bool:
        """Whether the others may still excuse the seat."""
        return seat not in self.accounts or self.accounts[seat].delays < DELAYS

    @property
    def late(self) -> Running | None:
        """The first seat whose time is up and about whom the others are asked."""
        return next((one for one in self.runs if one.late_at is not None), None)


@dataclass(frozen=True, slots=True)
class Look:
    """A clock as somebody looks at it, with what it depends on: how much time has passed."""

    clock: GameClock
    around: Circumstances
    now: int
    breaks: Sequence[Break]

    @property
    def latest(self) -> int:
        """The last break."""
        return self.breaks[-1].id if self.breaks else 0

    def at(self, clock: GameClock) -> Look:
        return replace(self, clock=clock)

    def used(self, run: Running) -> int:
        """How much time the seat has used in this turn."""
        return run.used + self._running(self._stops(run), run)

    def left(self, run: Running) -> int:
        """How much time the seat has left in this turn; 0 without a clock."""
        return max(0, run.budget - self.used(run), run.notice - self.present(run))

    def reach(self, run: Running, seconds: int) -> int | None:
        """When the seat will have used so much time in this turn, if it goes on like this; None for never."""
        missing = seconds - self.used(run)
        return self.now if missing <= 0 else self._stops(run).reach(self.now, missing)

    def present(self, run: Running) -> int:
        """For how long the seat's player could have acted since they were told of the turn."""
        begins = self._counts_from(run)
        return run.present + (0 if begins is None else self._running(self._presence(run), run, begins))

    def waited(self, seat: str) -> int:
        """For how long a seat has let the game wait that could have moved; an opponent's could all the time."""
        run = self.clock.run_of(seat)
        return self.since_move() if run is None else self.present(run)

    def since_move(self) -> int:
        """How much time has passed since the last move."""
        return sum(end - start for start, end in spans(self.clock.moved, self.now, self.breaks, self.clock.mark))

    def excused(self, seat: str) -> bool:
        """Whether the seat's player is away, and may be."""
        run = self.clock.run_of(seat)
        if run is None or not self.around.person(run.user).is_away(self.now):
            return False
        return Stops(away=self._presence(run).away).running(self.now, self.now + 1) == 0

    def up_at(self, run: Running) -> int | None:
        """When the seat's time is up, if it goes on like this; None for never, or as long as nobody told its player."""
        spent, noticed = self.reach(run, run.budget), self._noticed_at(run)
        return None if spent is None or noticed is None else max(spent, noticed)

    def until(self, run: Running) -> int | None:
        """What people are told of when the seat's time is up: also before its player could be told of the turn."""
        up, hears = self.up_at(run), self.around.person(run.user).hears(self.now)
        if run.heard is not None or hears is None:
            return up
        spent = self.reach(run, run.budget)
        told = replace(self, now=hears)._noticed_at(replace(run, heard=hears, since=hears))
        by_then = None if spent is None or told is None else max(spent, told)
        # whoever stays away for too long needs no telling, but may be told before they go
        return min((one for one in (up, by_then) if one is not None), default=None)

    def settled(self, only: int | None = None) -> GameClock:
        """The clock with what was used written down: from now on, other hours may count. `only` one person's."""
        return self.clock.each(lambda one: self.written(one) if only in (None, one.user) else one)

    def written(self, run: Running) -> Running:
        """The running time with what was used written down."""
        away = Stops(away=self._stops(run).away)
        gone = sum(end - start - away.running(start, end) for start, end in self._spans(run))
        return replace(
            run, used=self.used(run), away=run.away + gone, present=self.present(run), since=self.now, mark=self.latest
        )

    def unnoticed(self, run: Running) -> Running:
        """Somebody late who gets more time: before it is up again, they must have been able to act."""
        return replace(self.written(run), late_at=None, asked=False, present=0)

    def _running(self, still: Stops, run: Running, begins: int = 0) -> int:
        """How much of the time since `run.since`, and since it `begins`, counts."""
        return sum(still.running(max(begins, start), end) for start, end in self._spans(run))

    def _spans(self, run: Running) -> list[tuple[int, int]]:
        return spans(run.since, self.now, self.breaks, run.mark)

    def _stops(self, run: Running) -> Stops:
        """When the seat's time stands still from `run.since` on."""
        return self.around.pace.stops(self.around.person(run.user), self._leave(run), run.since)

    def _presence(self, run: Running) -> Stops:
        return stops(self.around.person(run.user), run.since, self._leave(run))

    def _leave(self, run: Running) -> int:
        """For how long the seat's player may still be away, by the calendar: breaks meanwhile use up no leave."""
        account, span = self.clock.accounts.get(run.seat), self.around.person(run.user).away_span
        left = 0 if account is None else max(0, account.leave - run.away)
        start = run.since if span is None else max(run.since, span[0])
        for begin, end in self._spans(run):
            since = max(begin, start)
            if left <= end - since:
                return since + left - start
            left -= max(0, end - since)
        return max(self.now, start) + left - start

    def _counts_from(self, run: Running) -> int | None:
        """From when on a seat's player is expected to act; None for not yet.

        Whoever stays away for longer than the table lets them needs no telling: they said so themselves.
        """
        if run.heard is not None:
            return 0  # all that is not written down
        span = self.around.person(run.user).away_span
        over = None if span is None else max(span[0], run.since) + self._leave(run)
        return over if span is not None and over is not None and over < span[1] else None

    def _noticed_at(self, run: Running) -> int | None:
        begins = self._counts_from(run)
        missing = run.notice - self.present(run)
        if begins is None or missing <= 0:
            return None if begins is None else self.now
        return self._presence(run).reach(max(self.now, begins), missing)


# From one turn to the next


def moved(look: Look, turn: TurnKey, *, redone: bool = False) -> Ticked:
    """A move was made, or `redone`, or the game began: the clock goes on in this turn."""
    clock, around = look.clock, look.around
    thinks = not around.opponents.isdisjoint(turn.players)
    here = replace(clock, moved=look.now, mark=look.latest, archived=None, thinks=thinks)
    if clock.turn == str(turn) and {one.seat for one in clock.runs} == set(turn.players) - around.opponents:
        return ticked(look.at(here.each(lambda one: _in_time_again(look, one))), forget=(LATE, HOST))
    upto = clock.start if redone else turn.start
    closed = look.at(_closed(look.at(here), upto=upto if turn.start >= clock.start else None))
    begun = tuple(_begun(closed, seat) for seat in turn.players if seat in around.seats)
    after = replace(closed.clock, turn=str(turn), start=turn.start, first=turn.began, began=look.now, runs=begun)
    return ticked(look.at(after), pings=_told_of_turns(look, begun), forget=OF_A_TURN)


def _in_time_again(look: Look, run: Running) -> Running:
    """Somebody who was late has moved within their turn: they get time for the rest of it."""
    if run.late_at is None:
        return run
    return replace(look.unnoticed(run), budget=look.used(run) + GRACE, granted=run.granted + GRACE)


def _closed(look: Look, *, upto: int | None = None) -> GameClock:
    """The clock between two turns: everybody has what is left, and the increment if the turn is a new one.

    `upto` so many moves the turn went; None where it is not over, or ends as a move before it was taken back.
    """
    clock, pace = look.clock, look.around.pace
    accounts = {seat: _account(look, seat) for seat in look.around.seats}
    for run in look.settled().runs:
        account = accounts.get(run.seat)
        if account is None:
            continue
        fresh = upto is not None and not any(one >= clock.of_turn for one in clock.had.get(run.seat, ()))
        bank = max(0, run.budget - run.granted - run.used) + fresh * pace.increment * HOUR
        accounts[run.seat] = replace(account, bank=min(pace.cap * HOUR, bank), leave=max(0, account.leave - run.away))
    return replace(clock, runs=(), accounts=accounts, had=clock.had if upto is None else _had(clock, upto))


def _had(clock: GameClock, upto: int) -> Mapping[str, tuple[int, ...]]:
    """Which turns have had their increment, with the present one; of those taken back none began before `upto`."""
    had, up = {}, {one.seat for one in clock.runs}
    for seat in dict.fromkeys((*clock.had, *sorted(up))):
        starts = clock.had.get(seat, ())
        start = clock.of_turn if seat in up else clock.start
        before = [one for one in starts if one < start]
        back = [max(one, upto) for one in starts if one >= start]
        had[seat] = (*before, start, *back[1:]) if seat in up else (*before, *back)
    return had


def _account(look: Look, seat: str) -> Account:
    """What the seat has, with the leave that it earned since."""
    known, pace = look.clock.accounts.get(seat), look.around.pace
    if known is None:
        return _first_account(look)
    earned = max(0, look.now - known.leave_at) // EARNED
    leave = max(known.leave, min(pace.leave_cap * HOUR, known.leave + earned))
    return replace(known, leave=leave, leave_at=look.now)


def _first_account(look: Look) -> Account:
    return Account(look.around.pace.bank * HOUR, look.around.pace.leave * HOUR, look.now)


def _begun(look: Look, seat: str) -> Running:
    pace, user = look.around.pace, look.around.seats[seat]
    rung = not look.around.person(user).pinged_in_channel(look.now)
    budget = max(look.clock.accounts[seat].bank, pace.increment * HOUR, HOUR) if pace.timed else 0
    return Running(seat, user, budget, look.now, look.latest, rung=rung, heard=look.now if user == VACANT else None)


def _told_of_turns(look: Look, runs: Iterable[Running]) -> Iterable[Ping]:
    """The pings that the turn's message does not make: later, by direct message, or both."""
    for run in runs:
        person = look.around.person(run.user)
        at = person.reachable(look.now)
        if at is not None and person.told_in != "digest" and (run.rung or person.told_in == "both"):
            yield Ping(run.user, TURN, json.dumps({"dm": not run.rung}), at)


def owe_turn(look: Look, users: Collection[int]) -> Ticked:
    """The turn's message will not ping these people after all, since they may not be disturbed by now."""
    after = look.clock.each(lambda one: replace(one, rung=True) if one.user in users else one)
    return ticked(look.at(after), pings=_told_of_turns(look, (one for one in after.runs if one.user in users)))


def heard(look: Look, users: Collection[int]) -> Ticked:
    """These people were told of their turn: from now on it counts whether they could have acted."""

    def told(run: Running) -> Running:
        new = run.user in users and run.heard is None
        return replace(look.written(run), heard=look.now) if new else run

    return ticked(look.at(look.clock.each(told)))


# When its time has come


def looked(look: Look, *, newcomer: bool = False) -> Ticked:
    """Somebody looks at the clock: reminders, the question to the others and the archive, each once.

    `newcomer`: who has come to sit in a seat that is asked never sat there before, and does not borrow it.
    """
    clock, around, now = look.clock, look.around, look.now
    if not clock.runs or clock.archived is not None:
        return Ticked(clock.text(), now if clock.thinks and clock.archived is None else None)
    if _archived_at(look) <= now:
        return Ticked(replace(clock, archived=now).text(), None, notices=(queued(ArchivedNotice()),), forget=OF_A_TURN)
    runs, pings, notices = [], list[Ping](), list[Notice]()
    for one in clock.runs:
        if around.seats.get(one.seat) not in (None, one.user):  # somebody else sits there by now, who was told so
            look, new = _anew(look, one) if newcomer or not around.pace.timed else (look, _on(look, one))
            if around.person(new.user).pinged_in_channel(now):
                new = replace(new, heard=now)
            else:
                pings += _told_of_turns(look, [new])
            runs.append(new)
            continue
        spent = look.used(one)
        after = _reminded(one, spent, around)
        pings += _reminder(look, one, after)
        if around.pace.timed and spent >= after.budget and look.present(one) >= one.notice and after.late_at is None:
            after = replace(after, late_at=now, asked=around.pace.then == "ask")
            if after.asked:
                asked, asking = _asked(look, after)
                pings += asked
                notices += asking
        runs.append(after)
    return ticked(look.at(replace(look.clock, runs=tuple(runs))), pings=pings, notices=notices)


def _anew(look: Look, run: Running) -> tuple[Look, Running]:
    """The time of a seat that is a newcomer's from now on: all that everybody had at first."""
    look = look.at(replace(look.clock, accounts={**look.clock.accounts, run.seat: _first_account(look)}))
    return look, replace(_begun(look, run.seat), rung=True)


def _on(look: Look, run: Running) -> Running:
    """The time of a seat that is lent, left, or its player's again: it goes on, or lending it would bring more.

    Before it is up, whoever sits there must have been able to act.
    """
    new = replace(look.unnoticed(run), user=look.around.seats[run.seat], silent=False, rung=True)
    return replace(new, heard=look.now if new.user == VACANT else None)


def _reminded(run: Running, spent: int, around: Circumstances) -> Running:
    """With the reminders that are due by now; of several at once only the last is sent."""
    marks = around.pace.thresholds(run.budget, around.person(run.user))
    due = sum(spent >= one for one in marks)
    if around.pace.name == "gentle" and marks and spent >= marks[-1] + marks[0]:
        due = GENTLE + 1
    return replace(run, told=max(run.told, due))


def _reminder(look: Look, before: Running, after: Running) -> Iterable[Ping]:
    around, now = look.around, look.now
    if after.told == before.told or after.user == VACANT:
        return
    if around.pace.name == "gentle" and after.told > GENTLE:
        host = around.person(around.host).reachable(now)
        if host is not None and around.host != after.user:
            yield Ping(around.host, HOST, json.dumps({"seat": after.seat}), host)
        return
    person = around.person(after.user)
    at = person.reachable(now)
    if at is not None and not after.silent and person.told_in != "digest":
        yield Ping(after.user, REMINDER, json.dumps({"number": after.told}), at)


def _asked(look: Look, run: Running) -> tuple[list[Ping], list[Notice]]:
    """What the others are asked, and the pings of those whom the question itself may not disturb.

    Who plays against opponents alone is late for nobody.
    """
    pings, at_once, people = [], [], look.around.others(run.user, look.now)
    for user in people:
        person = look.around.person(user)
        if person.pinged_in_channel(look.now):
            at_once.append(user)
        elif (at := person.reachable(look.now)) is not None and person.told_in != "digest":
            pings.append(Ping(user, LATE, json.dumps({"seat": run.seat}), at))
    return pings, [queued(LateNotice(run.seat, tuple(at_once)))] if people else []


def _archived_at(look: Look) -> int:
    return look.now + ARCHIVED_AFTER - look.since_move()


def ticked(
    look: Look, *, pings: Iterable[Ping] = (), notices: Iterable[Notice] = (), forget: tuple[str, ...] = ()
) -> Ticked:
    """The clock as it is stored, with when to look at it next."""
    clock = look.clock
    due = [] if not clock.runs or clock.archived is not None else [_archived_at(look)]
    for one in clock.runs if due else ():
        due += [at for at in _next_of(look, one) if at is not None]
    due += [look.now] if clock.thinks else []
    return Ticked(clock.text(), min(due, default=None), tuple(pings), tuple(notices), forget)


def _next_of(look: Look, run: Running) -> Iterable[int | None]:
    """When something is due for the seat."""
    pace = look.around.pace
    marks = pace.thresholds(run.budget, look.around.person(run.user))
    if run.late_at is not None:
        if not run.asked:
            yield look.now + AGAIN
        return
    if pace.name == "gentle":
        marks = [*marks, marks[-1] + marks[0]]
    if run.told < len(marks):
        yield look.reach(run, marks[run.told])
    if pace.timed:
        yield look.up_at(run)


# What people do to it


def granted(look: Look, seat: str, *, excused: bool = True) -> Ticked:
    """The others wait longer for a seat, which was `excused` by that, or while they look for somebody else."""
    more = look.around.pace.delay

    def longer(run: Running) -> Running:
        if run.seat != seat or run.late_at is None:
            return run
        return replace(look.unnoticed(run), budget=look.used(run) + more, granted=run.granted + more, told=2)

    accounts = dict(look.clock.accounts)
    if seat in accounts and excused:
        accounts[seat] = replace(accounts[seat], delays=accounts[seat].delays + 1)
    return ticked(look.at(replace(look.clock.each(longer), accounts=accounts)), forget=(LATE,))


def asked_after_all(look: Look, seat: str) -> Ticked:
    """What the table had agreed to is not possible here: the others are asked."""
    run = look.clock.run_of(seat)
    if run is None or run.late_at is None or run.asked:
        return ticked(look)
    after = look.clock.each(lambda one: replace(one, asked=True) if one.seat == seat else one)
    pings, notices = _asked(look, run)
    return ticked(look.at(after), pings=pings, notices=notices)


def silenced(look: Look, user: int) -> Ticked:
    """Somebody wants no further reminders in this turn."""
    after = look.clock.each(lambda one: replace(one, silent=True) if one.user == user else one)
    return ticked(look.at(after), forget=(REMINDER,))


def woken(look: Look) -> Ticked:
    """An archived game goes on: whoever is asked has their time anew and is told. Any other goes on as it is."""
    if look.clock.archived is None:
        return ticked(look)
    closed = look.at(_closed(look))
    here = [one.seat for one in look.clock.runs if one.seat in look.around.seats]
    runs = tuple(replace(_begun(closed, seat), rung=True) for seat in here)
    after = replace(look.clock, archived=None, runs=runs, began=look.now, moved=look.now, mark=look.latest)
    return ticked(look.at(after), pings=_told_of_turns(look, runs))


def repaced(look: Look) -> Ticked:
    """The table agreed to another pace: everybody begins anew, whoever is asked from now on."""
    clock = look.clock
    blank = replace(clock, moved=0, mark=0, runs=(), accounts={}, archived=None)
    opened = look.at(_closed(look.at(blank)))
    runs = tuple(
        replace(_begun(opened, one.seat), rung=one.rung, heard=one.heard and look.now)
        for one in clock.runs
        if one.seat in look.around.seats
    )
    after = replace(opened.clock, runs=runs, moved=look.now, mark=look.latest)
    return ticked(look.at(after), forget=(REMINDER, LATE, HOST))


def stopped(look: Look) -> Ticked:
    """The game is over or was called off: nobody's time runs."""
    return Ticked(replace(look.clock, runs=(), thinks=False).text(), None, forget=OF_A_TURN)


def held(look: Look) -> Ticked:
    """Nobody can move, as the game waits for the bot's host, or the bot was removed from the server.

    So nothing is due, and whoever is up has their time anew.
    """
    anew = look.clock.each(
        lambda one: replace(one, used=0, since=look.now, mark=look.latest, away=0, told=0, present=0)
    )
    return ticked(look.at(replace(anew, moved=look.now, mark=look.latest)))
