"""The programs of a table, by seat: which one moves now, what becomes of each, and how they are stored.

They are kept beside the log, never in it: a move of a program is its owner's own, judged and stored like a press. A
program stops for what its owner would want to know, which waits for them in `told`.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import engine
import programs
from bot.core.clock import PRIVATE, Circumstances
from bot.core.errors import TableError
from bot.core.hours import MINUTE
from bot.core.moves import TABLE, Move
from bot.words.lexicon import Lexicon
from bot.words.programs import stopped
from engine import Action, Decision, EngineError, PlayerId, State, Title
from engine.facts import RoundBegan, TurnBegan
from engine.ids import seat as seat_of
from engine.stored import ODD
from storage import VACANT, Order, Ping

log = logging.getLogger("tetsudo.programs")
T = TypeVar("T")
MOST = 12
"""How many programs a seat may have."""
MOST_TOLD = 6
"""How many stops are kept for their owner to read."""
LONGEST_DELAY = 24 * 60
"""Minutes."""
RANDOM = secrets.SystemRandom()
PAUSE = (1, 1)
"""Between how many minutes it waits as a round begins, so that anybody can stop it."""
Maker = tuple[str, int]
"""Whose program made a move, and its number there."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A program in force."""

    number: int
    """Tells apart the programs of a seat; never used again."""
    program: programs.Program
    last: int = 0
    """The last row of the log that it made, or that changed it; 0 if none."""
    since: int = 0
    """The row of the last move in force as it was switched on."""


@dataclass(frozen=True, slots=True)
class Halt:
    """A program that stopped, and why."""

    program: programs.Program | None
    """What it was, as it stopped; None if it cannot be read."""
    cause: programs.Cause
    at: int = 0
    """When its owner was told."""

    @classmethod
    def read(cls, body: Any) -> Halt:
        """Parse what is stored: by earlier releases, when and a sentence."""
        if isinstance(body, list | tuple):
            at, said = body
            return cls(None, programs.Cause("said", text=str(said)), int(at))
        return cls(
            _or(body, "program", programs.from_json, None), programs.cause_from_json(body["cause"]), int(body["at"])
        )

    def body(self) -> dict[str, Any]:
        program = None if self.program is None else programs.to_json(self.program)
        return {"at": self.at, "program": program, "cause": programs.cause_to_json(self.cause)}


@dataclass(frozen=True, slots=True)
class Desk:
    """What one seat has: its programs in the order in which they are asked, and what it has yet to read of them."""

    kept: tuple[Kept, ...] = ()
    delay: tuple[int, int] = (0, 0)
    """Between how many minutes its programs wait before they move."""
    told: tuple[Halt, ...] = ()
    """What stopped, the latest last."""
    made: int = 0
    """How many programs it has had."""
    due_at: int | None = None
    """When its programs move, or answer an offer, after waiting; None if they do not wait."""

    @classmethod
    def read(cls, order: Order, title: Title, game: str = "") -> Desk:
        """Parse what is stored. What is damaged is off: its owner and the log are told."""
        body = _object(order.body)
        if "pass" in body:  # as earlier versions wrote it
            return cls().having(programs.PassAhead(span="once" if body["pass"] == "once" else "round"))
        desk = cls(
            delay=_or(body, "delay", _delay, (0, 0)), made=_or(body, "made", int, 0), due_at=order.due_at,
            told=_or(body, "told", lambda value: tuple(map(Halt.read, value)), ()),
        )  # fmt: skip
        stored = body.get("programs", ())
        for one in stored if isinstance(stored, list | tuple) else (stored,):
            kept = _kept(one, title)
            if kept is None:
                log.warning("a program cannot be read and is off: %.500s", order.body, extra={"game": game})
                desk = desk.telling(Halt(None, programs.Cause("damaged"), order.due_at or 0))
            else:
                desk = replace(desk, kept=(*desk.kept, kept), made=max(desk.made, kept.number))
        return desk

    def order(self) -> Order | None:
        """As it is stored, if only to use no number again; None if there is nothing to store."""
        if replace(self, due_at=None) == Desk():
            return None
        kept = [
            {"number": one.number, "last": one.last, "since": one.since, "program": programs.to_json(one.program)}
            for one in self.kept
        ]
        told = [one.body() for one in self.told]
        body = {"programs": kept, "delay": self.delay, "told": told, "made": self.made}
        return Order(json.dumps(body), self.due_at)

    def having(self, program: programs.Program, since: int = 0) -> Desk:
        """With another program: asked first for one turn of a company, else last but before one for all offers."""
        made = Kept(self.made + 1, program, since=since)
        wider = (number for number, one in enumerate(self.kept) if _is_wider(one.program, program))
        once = isinstance(program, programs.Operate) and program.rounds == 1
        at = 0 if once else next(wider, len(self.kept))
        return replace(self, kept=(*self.kept[:at], made, *self.kept[at:]), made=made.number)

    def without(self, *numbers: int) -> Desk:
        return replace(self, kept=tuple(one for one in self.kept if one.number not in numbers))

    def awake(self, now: int, *, up: bool) -> Desk:
        """With when its programs are to be looked at: after their delay, if the seat is `up`. Raises TableError.

        Of another seat they are looked at where they are to answer an offer: when they were to.
        """
        first, last = self.delay
        if not 0 <= first <= last <= LONGEST_DELAY:
            raise TableError(f"A delay is between 0 and {LONGEST_DELAY} minutes, the shorter bound first.")
        return replace(self, due_at=(self.moves_at(now) if up else self.due_at) if self.kept else None)

    def moves_at(self, now: int) -> int:
        """When its programs move, or answer an offer, that could do so now: after the delay that they want."""
        return now + RANDOM.randint(*(MINUTE * one for one in self.delay))

    def delayed(self, first: int, last: int) -> Desk:
        """With programs that wait between so many minutes."""
        return replace(self, delay=(first, last))

    def telling(self, halt: Halt) -> Desk:
        """With this for its owner to read, unless passing ended as it was meant to; of many, the latest are kept."""
        if isinstance(halt.program, programs.PassAhead) and halt.cause.natural:
            return self
        return replace(self, told=(*self.told, halt)[-MOST_TOLD:])


def _is_wider(one: programs.Program, other: programs.Program) -> bool:
    """Whether one answers all offers of a kind where the other answers those for one thing."""
    match one, other:
        case programs.AnswerOffers(deal=every, of=""), programs.AnswerOffers(deal=some, of=of):
            return every == some and bool(of)
    return False


def _object(text: str) -> dict[str, Any]:
    """The JSON object; of damaged text one with a program that cannot be read."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    return body if isinstance(body, dict) else {"programs": [text]}


def _or(body: Mapping[str, Any], name: str, read: Callable[[Any], T], default: T) -> T:
    """What is stored under a name; the default where nothing is, or nothing that can be read."""
    try:
        return read(body[name]) if name in body else default
    except ODD:
        return default


def _delay(value: Any) -> tuple[int, int]:
    first, last = value
    if not 0 <= first <= last <= LONGEST_DELAY:
        raise ValueError(value)
    return int(first), int(last)


def _kept(body: Any, title: Title) -> Kept | None:
    try:
        kept = Kept(int(body["number"]), _program(body["program"]), int(body["last"]), int(body.get("since", 0)))
        return kept if programs.fits(kept.program, title) else None
    except ODD:
        return None


def _program(body: Any) -> programs.Program:
    """The program that is stored; one of a newer version stays as it is."""
    try:
        return programs.from_json(body)
    except programs.NewerProgram:
        return programs.Newer(text=json.dumps(body))


def _said(one: Kept, ask: Callable[[], T]) -> T | programs.Stopped:
    """What a program says. One that fails stops, as a fault in it is not the table's."""
    try:
        return ask()
    except (EngineError, *ODD):
        log.exception("a program failed and is off: %r", one.program)
        return programs.Stopped(programs.Cause("damaged"))


@dataclass(slots=True)
class Orders:
    """The programs of one table: by seat, and those of `TABLE`, which act for every seat and are asked first."""

    desks: dict[str, Desk] = field(default_factory=dict)
    users: Mapping[str, int] = field(default_factory=dict)
    """Who sits where: a program's move is theirs."""
    released: set[str] = field(default_factory=set)
    """Seats whose programs have waited long enough for this turn."""
    waiting: set[str] = field(default_factory=set)
    """Seats whose programs would move now, but wait first."""
    halts: list[tuple[PlayerId, Halt]] = field(default_factory=list)
    """What has stopped since this copy was made, and whose."""
    by_companies: bool = False
    """Whether what the table does together leaves off after each company, so that it can be stopped there."""
    goes_on: bool = False
    """Whether it has left off so, and goes on at once."""
    broken_off: programs.Cause | None = None
    """Why the table no longer has done together what it had when this copy was made; None if it was not broken off."""

    @classmethod
    def read(cls, orders: Mapping[str, Order], title: Title, game: str = "") -> Orders:
        """Parse what is stored of a game."""
        seats = {TABLE, *(seat_of(number) for number in range(title.players))}
        for seat in orders.keys() - seats:
            log.warning("programs of no seat are left out: %.100s", seat, extra={"game": game})
        return cls({seat: Desk.read(order, title, game) for seat, order in orders.items() if seat in seats})

    def copy(self, users: Mapping[str, int], released: Iterable[str] = ()) -> Orders:
        """Orders of their own for a press, so that a failed action leaves the table's untouched."""
        goes_on = () if self.pauses else (TABLE,)
        return Orders(dict(self.desks), users, {*released, *goes_on})

    def desk(self, seat: str) -> Desk:
        """What the seat has; nothing if it has no programs."""
        return self.desks.get(seat, Desk())

    # What the table has done together

    @property
    def together(self) -> bool:
        """Whether something is done for every seat."""
        return bool(self.desk(TABLE).kept)

    @property
    def pauses(self) -> bool:
        """Whether that waits: nobody has anything to decide meanwhile."""
        return self.desk(TABLE).due_at is not None

    def agreed(self, program: programs.Program, now: int) -> None:
        """From now on it is done for every seat, after a pause."""
        self.desks[TABLE] = Desk(delay=PAUSE).having(program).awake(now, up=True)

    def stopped(self) -> None:
        self.desks[TABLE] = Desk()

    # Moving

    def move(self, title: Title, state: State, asked: Decision) -> tuple[Action, Maker] | None:
        """What a program does about this decision, and which one; None if a person must decide.

        The first that has something to say counts. A program that waits before it moves only notes that it would.
        """
        alone = asked.players if len(asked.players) == 1 else ()
        self.released &= {TABLE, *alone}
        for owner in (TABLE, *alone):
            if self.desk(owner).kept:
                found = self._moving(owner, programs.prompt(title, state, asked.players[0]))
                if found is not None or owner in self.waiting:
                    return found
        return None

    def _moving(self, owner: str, p: programs.Prompt) -> tuple[Action, Maker] | None:
        for one in self.desk(owner).kept:
            answer = self._answer(one, p)
            if isinstance(answer, programs.Stopped):
                self._stop(owner, one, answer.cause)
            elif answer is not programs.WAIT:
                assert isinstance(answer, Action)
                if self.desk(owner).delay != (0, 0) and owner not in self.released:
                    self.waiting.add(owner)
                    return None
                return answer, (owner, one.number)
        return None

    def _answer(self, one: Kept, p: programs.Prompt) -> Any:
        """What a program says, where the rules allow it."""
        answer = _said(one, lambda: one.program.move(p))
        if isinstance(answer, Action):
            refused = p.objection(answer)
            if refused is not None or answer.by != p.seat or engine.consent(p.t, p.s, answer) not in (None, p.seat):
                return programs.Stopped(programs.Cause("blocked", text="" if refused is None else refused.text))
        return answer

    def moved(
        self, title: Title, before: State, action: Action, after: State, seq: int, *, maker: Maker | None = None
    ) -> None:
        """Tell every program what somebody did in row `seq`: each goes on, changes or stops.

        `maker` is the program that did it, if one did.
        """
        owner, number = maker or ("", 0)
        made = next((one for one in self.desk(owner).kept if one.number == number), None)
        if made is not None:
            self._change(owner, replace(made, last=seq))
        begun = {type(fact) for fact in after.facts} & {RoundBegan, TurnBegan}
        if RoundBegan in begun or (begun and self.by_companies):
            self.released.discard(TABLE)
            self.goes_on = RoundBegan not in begun
        for seat, desk in list(self.desks.items()):
            event = programs.Event(title, PlayerId(seat), before, action, after)
            for one in desk.kept:
                found = _said(one, lambda: programs.stops(one.program, event) or one.program.after(event))  # noqa: B023
                if isinstance(found, programs.Stopped):
                    self._stop(seat, one, found.cause)
                elif found is not one.program:
                    self._change(seat, replace(one, program=found, last=seq))
        if after.over:
            self.desks, self.halts = {seat: Desk(made=desk.made) for seat, desk in self.desks.items()}, []

    def overruled(self, title: Title, before: State, action: Action) -> None:
        """A person is about to move by hand: the program that would do something else stops."""
        asked = engine.decision(title, before)
        kept = [(owner, one) for owner in (TABLE, action.by) for one in self.desk(owner).kept]
        if (
            not kept
            or action.by not in asked.players
            or type(action) not in engine.present_step(title, before).by_action
        ):
            return
        p = programs.prompt(title, before, action.by)
        for owner, one in kept:
            answer = _said(one, lambda: one.program.move(p))  # noqa: B023
            if isinstance(answer, Action) and answer != action:
                self._stop(owner, one, programs.Cause("hand", action.by))
            if isinstance(answer, Action):
                return

    def undone(self, to: int, taken: Sequence[Move] = ()) -> None:
        """These moves after row `to` are taken back: programs that did some of them, or followed them, are off.

        So are those made for what is no longer there: a round that has not begun now, the moves that a line followed.
        So is what the table has done together.
        """
        rounds = (one.seq for one in taken if any(isinstance(fact, RoundBegan) for fact in one.state.facts))
        begun = next(rounds, None)
        for seat, desk in list(self.desks.items()):
            for one in desk.kept:
                of_round = begun is not None and one.since >= begun
                of_line = isinstance(one.program, programs.Follow) and one.since > to
                if one.last > to or of_round or of_line or seat == TABLE:
                    self._stop(seat, one, programs.Cause("undone"))

    def redone(self, title: Title, before: State, turned: Sequence[Move]) -> None:
        """These moves are in force again: programs learn of them as of any, and whoever is up then has theirs asked."""
        for one in turned:
            self.moved(title, before, one.action, one.state, one.seq)
            before = one.state
        up = () if before.over else engine.decision(title, before).players
        for owner in (TABLE, *(up if len(up) == 1 else ())):
            if self.desk(owner).kept:
                self.waiting.add(owner)

    def _stop(self, owner: str, one: Kept, cause: programs.Cause) -> None:
        if owner == TABLE:
            self.stopped()
            self.broken_off = cause
            return
        self.desks[owner] = self.desks[owner].without(one.number)
        self.halts.append((PlayerId(owner), Halt(one.program, cause)))

    def _change(self, seat: str, one: Kept) -> None:
        desk = self.desks[seat]
        self.desks[seat] = replace(desk, kept=tuple(one if old.number == one.number else old for old in desk.kept))

    # Offers

    def answer(self, title: Title, state: State, seat: PlayerId, offer: Action) -> bool | None:
        """Whether the seat's programs agree to an offer; None if the person must say."""
        p = programs.prompt(title, state, seat)
        for one in self.desk(seat).kept:
            found = _said(one, lambda: one.program.answer(p, offer))  # noqa: B023
            if isinstance(found, bool):
                return found
        return None

    # Storing

    def settle(self, before: Orders, now: int, *, still: bool = False) -> None:
        """Write down what stopped, and when those who wait will move; or answer, where the game stands `still`."""
        for owner, halt in self.halts:
            self.desks[owner] = self.desk(owner).telling(replace(halt, at=now))
        for seat, desk in self.desks.items():
            known = before.desk(seat).due_at
            later = known if known is not None and known > now else None
            due = later if still else None
            if seat in self.waiting:
                due = desk.moves_at(now) if later is None else later
                due = now if seat == TABLE and self.goes_on else due
            self.desks[seat] = replace(desk, due_at=due)

    def pings(self, around: Circumstances, now: int, mark: int, names: Lexicon) -> list[Ping]:
        """What stopped, for those who are told by direct message; `mark` tells one press from another."""
        found = []
        for number, (seat, halt) in enumerate(one for one in self.halts if not one[1].cause.natural):
            user = around.seats.get(seat, VACANT)
            person = around.person(user)
            at = person.reachable(now)
            if at is not None and person.told_in in ("dm", "both"):
                found.append(Ping(user, f"{PRIVATE}:{mark}:{number}", stopped(halt.program, halt.cause, names), at))
        return found

    def changes(self, before: Orders) -> dict[str, Order | None]:
        """What must change in the storage to get from `before` to these."""
        changed: dict[str, Order | None] = {}
        for seat in dict.fromkeys((*before.desks, *self.desks)):
            if before.desk(seat) != self.desk(seat) or seat in self.released:
                changed[seat] = self.desk(seat).order()
        return changed

    def due(self, now: int) -> Sequence[str]:
        """Seats whose programs have waited long enough."""
        return [seat for seat, desk in self.desks.items() if desk.due_at is not None and desk.due_at <= now]
