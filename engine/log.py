"""The log of a game: entries of actions, undos and redos, and the position that they give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.actions import Action
from engine.errors import EngineError, LogMismatch
from engine.flow import apply
from engine.state import State
from engine.title import start

if TYPE_CHECKING:
    from engine.title import Title


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: an action, or an undo or redo.

    An undo with `target` returns to just after that entry (0: the start), without it it takes back the last
    live action. A redo takes back the last undo that nothing followed.
    """

    seq: int
    kind: str
    action: Action | None = None
    target: int | None = None


def live_actions(entries: Iterable[Entry]) -> list[Entry]:
    """The action entries in force after all undos and redos, oldest first."""
    return _played(entries)[0]


def can_redo(entries: Iterable[Entry]) -> bool:
    """Whether a redo would bring something back."""
    return bool(_played(entries)[1])


def _played(entries: Iterable[Entry]) -> tuple[list[Entry], list[list[Entry]]]:
    """The entries in force, and what each undo took back that can still be redone, the last one last."""
    live: list[Entry] = []
    undone: list[list[Entry]] = []
    for entry in entries:
        if entry.kind == "action":
            live.append(entry)
            undone.clear()
        elif entry.kind == "undo":
            keep = len(live) - 1 if entry.target is None else sum(1 for item in live if item.seq <= entry.target)
            taken = live[max(keep, 0) :]
            if taken:  # an undo of nothing leaves nothing to redo
                undone.append(taken)
                del live[-len(taken) :]
        elif entry.kind == "redo" and undone:
            live += undone.pop()
    return live, undone


def replay(title: Title, names: Sequence[str], entries: Iterable[Entry]) -> State:
    """The position after the log. LogMismatch names the first entry that is no longer accepted."""
    state = start(title, tuple(names))
    for entry in live_actions(entries):
        assert entry.action is not None
        try:
            state = apply(title, state, entry.action)
        except EngineError as error:
            raise LogMismatch(entry.seq, error) from error
    return state
