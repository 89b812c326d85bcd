"""The log of a game: entries of actions, undos and redos, and the position that they give."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

from engine.actions import Action
from engine.errors import EngineError, LogMismatch
from engine.flow import apply
from engine.frozen import dataclass
from engine.setup import start
from engine.state import State
from engine.title import Title

T = TypeVar("T")


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


class History(Generic[T]):
    """Things done one after another, of which the last may be undone and redone. Each step costs the same."""

    def __init__(self) -> None:
        self._done: list[T] = []
        self._kept = 0
        """How many of them are in force; those behind can be redone."""
        self._before: list[tuple[int, int]] = []
        """How many were in force before each undo that can be redone, and its number."""

    def do(self, one: T) -> None:
        del self._done[self._kept :]
        self._done.append(one)
        self._kept += 1
        self._before.clear()

    def undo(self, keep: int, number: int = 0) -> None:
        """Leave the first `keep` in force."""
        self._before.append((self._kept, number))
        self._kept = max(keep, 0)

    def redo(self) -> bool:
        """Take back the last undo that nothing followed. Returns whether there is one."""
        if not self._before:
            return False
        self._kept, _ = self._before.pop()
        return True

    def __len__(self) -> int:
        """How many are in force."""
        return self._kept

    def upto(self, target: Any, key: Callable[[T], Any]) -> int:
        """How many in force have a key of at most `target`, where keys rise."""
        return bisect_right(self._done, target, hi=self._kept, key=key)

    @property
    def live(self) -> list[T]:
        """What is in force, oldest first."""
        return self._done[: self._kept]

    @property
    def last(self) -> T | None:
        """The last that is in force."""
        return self._done[self._kept - 1] if self._kept else None

    @property
    def last_undo(self) -> int | None:
        """The number of the undo that a redo would take back."""
        return self._before[-1][1] if self._before else None


def live_actions(entries: Iterable[Entry]) -> list[Entry]:
    """The action entries in force after all undos and redos, oldest first."""
    history: History[Entry] = History()
    for entry in entries:
        _take(history, entry)
    return history.live


def branches(entries: Iterable[Entry]) -> Iterator[tuple[Entry, int]]:
    """Every action that was ever taken, in order, with the seq of the action on which it followed, 0 for the first."""
    history: History[Entry] = History()
    for entry in entries:
        last = history.last
        parent = 0 if last is None else last.seq
        _take(history, entry)
        if entry.kind == "action":
            yield entry, parent


def last_undo(entries: Iterable[Entry]) -> int | None:
    """The seq of the undo that a redo would take back; None if there is nothing to redo."""
    history: History[Entry] = History()
    for entry in entries:
        _take(history, entry)
    return history.last_undo


def _take(history: History[Entry], entry: Entry) -> None:
    """Add an entry to what was played before it."""
    if entry.kind == "action":
        history.do(entry)
    elif entry.kind == "undo":
        target = entry.target
        keep = len(history) - 1 if target is None else history.upto(target, attrgetter("seq"))
        if max(keep, 0) < len(history):  # an undo of nothing leaves nothing to redo
            history.undo(keep, entry.seq)
    elif entry.kind == "redo":
        history.redo()


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
