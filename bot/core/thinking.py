"""What an opponent is asked: a decision in a position, as it goes to another process and is answered there.

It needs little beside the engine and the package `opponents`, so that a process that thinks stays small.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

import engine
from engine import Action, PlayerId, State, Title
from engine.stored import body_of, state_of
from opponents import Choice, Level, advise, agrees, choose
from opponents.advice import Counsel, counsel
from opponents.levels import Levels

T = TypeVar("T")
Packed = tuple[str, tuple[str, ...], dict[str, str], dict[str, Any], PlayerId, Level, int, Levels]


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision that somebody is asked, in this position."""

    title: Title
    state: State
    seat: PlayerId
    level: Level
    seed: int
    levels: Levels = field(default_factory=dict)

    def choice(self) -> Choice:
        """What an opponent does."""
        return choose(self.title, self.state, self.seat, self.level, self.seed)

    def advice(self) -> list[Choice]:
        """What it looks at, the best first."""
        return advise(self.title, self.state, self.seat, self.level, self.seed)

    def counsel(self) -> Counsel:
        """What a person in its place is told."""
        return counsel(self.title, self.state, self.seat, self.seed, self.levels)

    def agrees(self, action: Action) -> bool:
        """Whether it agrees to a deal that another proposes."""
        return agrees(self.title, self.state, action, self.seat, self.level)


def packed(question: Thought) -> Packed:
    """What another process needs to ask the same."""
    title, state = question.title, question.state
    names = {str(seat): name for seat, name in state.names.items()}
    asked = question.seat, question.level, question.seed, question.levels
    return title.id, tuple(sorted(title.options)), names, body_of(state), *asked


def give_way() -> None:
    """What a thinker does first. Whoever plays goes before, and it ends with the bot, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the bot ends its thinkers itself
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    if sys.platform != "win32":  # which has no such thing
        os.nice(10)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def think(question: Packed, how: Callable[..., T], given: tuple[Any, ...]) -> T:
    """Ask it here."""
    title_id, options, names, body, seat, level, seed, levels = question
    title = _title(title_id, len(names), options)
    state = state_of(title, {PlayerId(key): name for key, name in names.items()}, body)
    return how(Thought(title, state, seat, level, seed, levels), *given)


@cache
def _title(title: str, players: int, options: tuple[str, ...]) -> Title:
    return engine.build(title, players, list(options))
