"""Who has found how many of a channel's puzzles."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat.screen import Screen
from bot.words.lexicon import listed
from storage import PuzzleAnswer

NOBODY_YET = "Nobody has answered a puzzle in this channel yet. `/puzzle start` posts one a day."
HOW = "Right of those answered; in a row: how many of the last answers were right."
MOST, MOST_NAMED = 20, 10
"""How many people are listed, and how many are named beneath a puzzle."""


@dataclass(frozen=True, slots=True)
class Score:
    """One person's answers."""

    user: int
    right: int
    answered: int
    row: int
    """How many of the last were right, one after the other."""


def scores(given: Sequence[PuzzleAnswer]) -> list[Score]:
    """Everybody's answers, the oldest first, added up: who found most comes first, of equals who missed least."""
    hits: dict[int, list[int]] = {}
    for one in given:
        hits.setdefault(one.user_id, []).append(one.hit)
    found = [Score(user, sum(one), len(one), [*one[::-1], 0].index(0)) for user, one in hits.items()]
    return sorted(found, key=lambda one: (-one.right, one.answered))


def results_screen(given: Sequence[PuzzleAnswer], user: int) -> Screen:
    """The best of a channel, and the person who asks."""
    found = scores(given)
    if not found:
        return Screen(NOBODY_YET)
    lines = [_line(place, one) for place, one in enumerate(found, start=1) if place <= MOST or one.user == user]
    return Screen("\n".join(["### Puzzles of this channel", *lines]), footer=HOW)


def _line(place: int, one: Score) -> str:
    row = f" · {one.row} in a row" if one.row > 1 else ""
    return f"{place}. <@{one.user}> **{one.right}** of {one.answered}{row}"


def found_by(given: Sequence[PuzzleAnswer]) -> str:
    """Who found the right answer, of how many."""
    right = [one.user_id for one in given if one.hit]
    if not given:
        return "Nobody answered."
    if not right:
        return f"Nobody found it, of {len(given)} who answered."
    more = [f"{len(right) - MOST_NAMED} more"] if len(right) > MOST_NAMED else []
    return f"{listed([*(f'<@{one}>' for one in right[:MOST_NAMED]), *more])} found it, of {len(given)} who answered."
