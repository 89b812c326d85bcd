"""Seats that were taken from players who were absent: for a week of their time they can claim them back."""

from __future__ import annotations

from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.hours import DAY
from bot.core.opponents import is_person
from bot.core.person import present
from bot.core.table import Table
from storage import Handover, Tenures

WITHIN = 7 * DAY
"""Seconds in which they could have acted."""
TOO_LATE = "That was taken over more than a week ago, so it is no longer yours to claim."
ELSEWHERE = "You play in {}'s seat of this game now. Give that up first: then you can claim your own back."


def lost(tenures: Tenures, seat: str) -> list[Handover]:
    """Who lost the seat to others, by the handover in which they did: the one whose it was first, first.

    Whoever has it again has lost nothing, nor has anybody who sat there only because they had lost it.
    """
    found: list[Handover] = []
    for one in (one for one in tenures.handovers if one.seat == seat):
        again = next((place for place, before in enumerate(found) if before.from_id == one.to_id), None)
        if again is not None and one.how != "lent":
            found = found[:again]
        elif one.how == "taken" and is_person(one.from_id):
            found.append(one)
    return found


def lost_by(table: Table, user: int, seat: str) -> Handover | None:
    """How the person lost the seat; None if they did not, or gave it up."""
    return next((one for one in lost(table.tenures, seat) if one.from_id == user), None)


async def claimable(table: Table, user: int) -> list[str]:
    """The seats that the person can claim back, in seat order; none as long as they play in another."""
    if table.seats_of(user):
        return []
    theirs = [(seat, one) for seat in table.seats if (one := lost_by(table, user, seat)) is not None]
    return [seat for seat, one in theirs if not await _lapsed(table, one)]


def why_not(table: Table, user: int) -> TableError:
    """Why somebody who lost a seat cannot claim it: they play in another by now, or it is too late."""
    other = next(iter(table.seats_of(user)), None)
    return TableError(TOO_LATE if other is None else ELSEWHERE.format(table.position.lexicon().player(other)))


async def _lapsed(table: Table, handover: Handover) -> bool:
    store, user = table.store, handover.from_id
    person = (await clockwork.people_of(store, [user]))[user]
    return present(person, handover.at, store.clock(), await clockwork.breaks_by_now(store)) >= WITHIN
