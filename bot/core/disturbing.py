"""Who may be pinged because of somebody else: not too often by the same person, and never by whom they have muted.

Turns are not asked about here, nor is what only time or the bot itself causes, but for games that a person has muted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.core.hours import DAY, HOUR
from bot.core.person import Person
from storage import Store

LIMITS = ((HOUR, 3), (DAY, 8))
"""Seconds, and how many pings of one person because of another there may be within them, whatever they are about."""


async def undisturbed(
    store: Store, game: str, by: int | None, users: Sequence[int], known: Mapping[int, Person], notice: int
) -> list[int]:
    """Whom of these people a notice may ping or tell later; `by` is who caused it, None if nobody did."""
    open_to = [one for one in users if game not in known[one].muted_games and by not in known[one].muted_people]
    if by is None or not open_to:
        return open_to
    return await store.disturbances.allowed(by, open_to, notice, LIMITS)
