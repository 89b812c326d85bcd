"""What a program is: a frozen record that says what its owner wants done, and when it must stop.

A program is asked about one decision at a time, sees what its seat sees, and answers with an action, `WAIT` (it has
nothing to say) or `Stopped`. After every move of anybody it is told what happened, and goes on as it is, as another
record, or stops. It never acts itself: whoever plays it judges its action like a press.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, islice
from typing import ClassVar, Final, Literal, TypeVar

from engine import Decision, State, Title, apply, consent, decision, judge, possible, present_step, present_verbs
from engine.actions import Action, Pass
from engine.errors import BadAction, Refused
from engine.facts import Fact
from engine.ids import CorpId, PlayerId, PrivateId, Rank
from engine.secrets import hidden_purses, with_purses

Watched = Literal[
    "sale", "purchase", "company", "presidency", "standing", "outbid", "rust", "price", "blocked",
]  # fmt: skip
"""What an owner may want to know, each of which can be switched off for a program."""
Why = Literal[Watched, "done", "round", "passed", "lost", "hand", "otherwise", "undone", "damaged", "said", "endless"]
"""Why a program stopped; those that are not watched cannot be switched off. Earlier releases kept what was "said"."""
OTHERS: tuple[Watched, ...] = ("sale", "purchase", "company", "presidency", "standing", "rust")
"""What others may do to whoever has shares."""
LARGEST = 10**6
"""No amount in a program is larger."""
A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a program stopped, and who or what it was about."""

    why: Why
    player: PlayerId | None = None
    corp: CorpId | None = None
    private: PrivateId | None = None
    rank: Rank | None = None
    amount: int = 0
    text: str = ""
    """The rules' own sentence, where they did not allow something; or what was said."""

    @property
    def natural(self) -> bool:
        """Whether the program had simply done what it was for."""
        return self.why in ("done", "round")


@dataclass(frozen=True, slots=True)
class Stopped:
    """The program stops now."""

    cause: Cause


class Wait(Enum):
    """The program leaves a decision to another program or to the owner."""

    WAIT = "wait"


WAIT: Final = Wait.WAIT
Answer = Action | Wait | Stopped


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision that a seat is asked for."""

    t: Title
    s: State
    """The position as the seat may know it: others' hidden purses are full."""
    seat: PlayerId
    asked: Decision
    _true: State

    @property
    def own_turn(self) -> bool:
        """Whether it is a turn of the player's own, as in a stock round, and no company's or interrupt."""
        return self.asked.subject is None and not self.s.pending

    @property
    def kinds(self) -> frozenset[type[Action]]:
        """The kinds of action that the present step has."""
        return frozenset(present_step(self.t, self.s).by_action)

    def objection(self, action: Action) -> Refused | None:
        """What the rules say against the action, as they would to a press of the seat's."""
        try:
            return judge(self.t, self._true, action)
        except BadAction as error:
            return Refused(action, "", str(error))

    def allows(self, action: Action) -> bool:
        """Whether the seat could press it now."""
        return self.objection(action) is None

    def legal(self, kind: type[A]) -> Iterator[A]:
        """What the seat may do of this kind now, in the rules' order."""
        verb = next((one for one in present_verbs(self.t, self._true) if one.action is kind), None)
        if verb is None or self.seat not in self.asked.players:
            return
        for action in possible(self.t, self._true, verb, self.seat):
            if isinstance(action, kind):
                yield action

    def only(self) -> Action | None:
        """What the seat must do, where all can see that nothing else is possible; None where it has a choice."""
        public = replace(self, _true=with_purses(self._true, hidden_purses(self.t, self._true, None)))
        mine, known = (list(islice(chain.from_iterable(map(one.legal, one.kinds)), 2)) for one in (self, public))
        alone = len(mine) == 1 and mine == known and consent(self.t, self._true, mine[0]) in (None, self.seat)
        return mine[0] if alone else None

    def facts_of(self, action: Action) -> list[Fact]:
        """What the action would do, as far as the seat may know; nothing if it cannot be done."""
        if not self.allows(action):
            return []
        try:
            return apply(self.t, self.s, action).facts
        except (Refused, BadAction):
            return []

    def tried(self, action: Action, off: Collection[Watched] = ()) -> Answer:
        """The action; where the rules do not allow it the program stops, or leaves it to its owner if that is `off`."""
        refused = self.objection(action)
        if refused is None:
            return action
        return WAIT if "blocked" in off else Stopped(Cause("blocked", text=refused.text))

    def passing(self, off: Collection[Watched] = ()) -> Answer:
        """A pass, tried like any action."""
        return self.tried(Pass(self.seat), off)


def prompt(t: Title, s: State, seat: PlayerId) -> Prompt:
    """The decision that this position asks of the seat."""
    return Prompt(t, with_purses(s, hidden_purses(t, s, seat)), seat, decision(t, s), s)


@dataclass(frozen=True, slots=True)
class Event:
    """A move of anybody: the position before it, and the one that it led to, whose facts say what happened."""

    t: Title
    seat: PlayerId
    """Whose program is told of it."""
    before: State
    action: Action
    after: State

    @property
    def own(self) -> bool:
        """Whether the owner made it, by hand or by a program."""
        return self.action.by == self.seat

    @property
    def facts(self) -> list[Fact]:
        return self.after.facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Base of all kinds. Fields are plain values with which the kind can be written as JSON and read back."""

    kind: ClassVar[str]
    """Its name in JSON."""
    watches: ClassVar[tuple[Watched, ...]] = ()
    """What it stops for unless that is switched off."""
    quiet: ClassVar[tuple[Watched, ...]] = ()
    """What of that is switched off at first."""

    off: tuple[Watched, ...] = ()
    """What it does not stop for."""

    def wants(self, why: Watched) -> bool:
        """Whether it stops for that."""
        return why in self.watches and why not in self.off

    def move(self, p: Prompt) -> Answer:
        """What to do about a decision that its owner is asked for."""
        return WAIT

    def after(self, e: Event) -> Program | Stopped:
        """What becomes of the program once somebody has moved; what it watches was looked at before."""
        return self

    def answer(self, p: Prompt, offer: Action) -> bool | None:
        """Whether to agree to what somebody offers the owner; None to leave it to them."""
        return None

    def about(self, e: Event) -> frozenset[CorpId]:
        """The companies whose shares matter to it: those of which its owner has some."""
        return frozenset(corp for corp in e.t.corporations if e.before.held(corp, e.seat) > 0)
