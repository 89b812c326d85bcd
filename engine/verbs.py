"""Verbs, guards, steps and rounds: how a title says what can be done, by whom, and when.

The title's tuples of these are read by `flow.py`; nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from engine.actions import Action, Lay
from engine.ids import PlayerId
from engine.state import State

if TYPE_CHECKING:
    from engine.title import Title

Guard = Callable[["Title", State, Any], str | None]
"""Returns None, or the sentence that objects to the action."""
Cites = Mapping[Guard | tuple[type[Action], Guard], str]
"""The rule that a guard implements; with a kind of action where that one's rule is another."""
Perform = Callable[["Title", State, Any], None]
Candidates = Callable[["Title", State, PlayerId], Iterable[Action]]
Question = Callable[["Title", State], bool]
Settle = Callable[["Title", State], None]
"""What follows by itself."""

_OF_SEAT: set[Guard] = set()
_OF_TILE: set[Guard] = set()


def of_seat(guard: Callable[[Title, State, Action], str | None]) -> Guard:
    """Mark a guard that looks at nothing of the action but who acts: all candidates of a seat ask it once."""
    _OF_SEAT.add(guard)
    return guard


def of_tile(guard: Callable[[Title, State, Lay], str | None]) -> Guard:
    """Mark a guard that looks at nothing of a lay but who lays which tile where: all rotations ask it once."""
    _OF_TILE.add(guard)
    return guard


@dataclass(frozen=True, slots=True)
class Verb:
    """One kind of action, at one place of the game.

    `candidates` gives what is worth trying for a seat, in a fixed order; `guards` run in order, the first
    objection counts; `perform` may assume that every guard agreed. `open_ended`: `candidates` is only a
    sensible choice of what the guards accept.
    """

    action: type[Action]
    candidates: Candidates
    guards: tuple[Guard, ...]
    perform: Perform
    open_ended: bool = False
    anybody: bool = False
    """Whether other seats than the one that is asked may do it (the guards then say who)."""
    of_seat: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    of_tile: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    of_action: tuple[Guard, ...] = field(init=False, repr=False, compare=False)
    """The guards marked `of_seat` or, if a tile is laid, `of_tile`, and the others."""

    def __post_init__(self) -> None:
        of_tile = _OF_TILE if issubclass(self.action, Lay) else set()
        object.__setattr__(self, "of_seat", tuple(guard for guard in self.guards if guard in _OF_SEAT))
        object.__setattr__(self, "of_tile", tuple(guard for guard in self.guards if guard in of_tile))
        others = (guard for guard in self.guards if guard not in _OF_SEAT and guard not in of_tile)
        object.__setattr__(self, "of_action", tuple(others))

    def plus(self, *guards: Guard) -> Verb:
        """The verb with further guards, asked last."""
        return replace(self, guards=self.guards + guards)

    def swap(self, old: Guard, new: Guard) -> Verb:
        """The verb with one guard replaced, in its place."""
        return replace(self, guards=tuple(new if guard is old else guard for guard in self.guards))

    def without(self, *guards: Guard) -> Verb:
        """The verb without these guards."""
        return replace(self, guards=tuple(guard for guard in self.guards if guard not in guards))


SHARES: Final = "shares"
"""Name of the step of a stock round."""


@dataclass(frozen=True, slots=True)
class Step:
    """A place in a turn. `asks` says whether it stops the turn for a decision; `skipped` is what happens if not."""

    name: str
    verbs: tuple[Verb, ...]
    asks: Question
    skipped: Settle | None = None
    by_action: dict[type[Action], Verb] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_action", {verb.action: verb for verb in self.verbs})

    def swap(self, old: Verb, new: Verb) -> Step:
        """The step with one verb replaced."""
        return replace(self, verbs=tuple(new if verb is old else verb for verb in self.verbs))


@dataclass(frozen=True, slots=True)
class Round:
    """A kind of round. `begin` sets it up; `proceed` runs after every action until somebody is asked.

    `actors` are the seats asked at the present step, `label` names the round for people.
    """

    name: str
    steps: tuple[Step, ...]
    begin: Settle
    proceed: Settle
    actors: Callable[[Title, State], tuple[PlayerId, ...]]
    label: Callable[[Title, State], str]
    by_name: dict[str, Step] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {step.name: step for step in self.steps})


@dataclass(frozen=True, slots=True)
class Decision:
    """Who is asked for what: the seats, the round and step, and the company or private concerned."""

    players: tuple[PlayerId, ...]
    round: str
    step: str
    subject: str | None = None
