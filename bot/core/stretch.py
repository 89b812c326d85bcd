"""The present round in the present phase: what is foreseen of a game is foreseen once in it, from where it began."""

from collections.abc import Sequence
from functools import cached_property

from engine.secrets import hidden_purses, with_purses
from engine.state import State
from engine.title import Title
from opponents.forecast import course_of
from opponents.sight import seen


class Stretch:
    """Positions of one round and phase, told by the first of them."""

    def __init__(self, title: Title, first: State) -> None:
        self.title = title
        self.first = first

    @cached_property
    def rounds(self) -> int:
        """Operating rounds to go, as far as everybody may know; 0 where no company was started, so nothing is known."""
        if not self.first.par:
            return 0
        hidden = hidden_purses(self.title, self.first, None)
        likely = seen(self.title, with_purses(self.first, hidden, self.title.cash // 2), None)
        return course_of(self.title, likely).rounds

    def reached(self, states: Sequence[State]) -> "Stretch":
        """The stretch that these positions lead to: this one, as long as it lasts."""
        now, first = _stretch(states[-1]), states[-1]
        for state in reversed(states):
            if _stretch(state) != now:
                break
            first = state
        return self if first is self.first else Stretch(self.title, first)


def _stretch(s: State) -> tuple[str, int, int, int, bool]:
    return s.round, s.turn, s.or_number, s.phase, bool(s.par)
