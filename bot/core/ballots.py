"""Votes on what a table decides together: who votes, whose vote counts, and how many it takes.

The constitution says who decides about what, and by which share; a vote is stored by seat and counts for its person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.core.constitution import CONSTITUTION, right, voices
from bot.core.errors import NotYourTurn
from bot.core.seated import Seated
from bot.core.table import Table
from storage import Vote

WEEK = 7 * 24 * 3600
"""Seconds after which a vote no longer counts."""
NOT_THEIRS = "You play for <@{}>, who decides about this themself."


def voters(seated: Seated, what: str, *, but_for: Collection[int] = ()) -> list[int]:
    """Who decides about this together, each once, in seat order; `but_for` those whom it is about."""
    return [one for one in dict.fromkeys(_voices(seated, what).values()) if one not in but_for]


def needed(what: str, count: int) -> int:
    """How many of so many voters must agree."""
    share = next(one.share for one in CONSTITUTION[what] if one.share)
    return count if share == "all" else count // 2 + 1


def seats_voting(seated: Seated, what: str, user: int) -> list[str]:
    """The seats whose vote is the person's. Raises NotSeated, or NotYourTurn for whoever plays for an owner."""
    whose = _voices(seated, what)
    found = [seat for seat, one in whose.items() if one == user]
    if found:
        return found
    borrowed = [seat for seat in seated.seats_of(user) if seat in whose]
    if borrowed:
        raise NotYourTurn(NOT_THEIRS.format(whose[borrowed[0]]))
    raise seated.not_seated(user)


async def cast(
    table: Table,
    what: str,
    kind: str,
    user: int,
    choice: str = "yes",
    *,
    seen: int | None = None,
    interaction: int | None = None,
) -> list[Vote]:
    """Vote on the question `kind`, and return all votes on it. Raises what `seats_voting` and `Votes.cast` do."""
    votes: list[Vote] = []
    for seat in seats_voting(table, what, user):
        votes = await table.store.votes.cast(
            table.game.id, kind, seat, choice, expected_seq=seen, interaction_id=interaction
        )
        interaction = None
    return votes


def agreed(
    seated: Seated, what: str, votes: Iterable[Vote], choice: str = "yes", *, now: int | None = None
) -> set[int]:
    """Whose vote for this choice counts: those of the last week; a seat that changes hands has none."""
    votes, whose = list(votes), _voices(seated, what)
    latest = max((one.at for one in votes), default=0) if now is None else now
    said = (one for one in votes if one.choice == choice and one.seat in whose and one.at > latest - WEEK)
    return {whose[one.seat] for one in said}


def _voices(seated: Seated, what: str) -> dict[str, int]:
    line = right(what, seated.game)
    return {} if line is None or line.share is None else voices(seated, line.of)
