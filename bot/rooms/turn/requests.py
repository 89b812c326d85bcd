"""Asking the others to agree to an undo.

A request is votes for the position at which it was made, so it lapses when the game moves on, and once those asked had
a day for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core import clockwork
from bot.core.errors import NotYourTurn, TableError
from bot.core.notices import say_notice, undo_notice
from bot.core.person import over_at
from bot.core.table import Table
from bot.core.undoing import Turnback, turnback
from engine.ids import PlayerId
from storage import VACANT, Vote

LASTS = 24 * 3600
"""Seconds that those who are asked have for their answer."""
GONE = "This request no longer stands: the game has moved on, it was declined, or it is older than a day. Ask again."
NOT_ASKED = "Only those who were asked can answer this request."
ASKS, AGREES = "ask", "yes"


def kind_of(seq: int) -> str:
    """The kind of the votes on taking back the decision in this row and what followed."""
    return f"undo {seq}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that stands: who asks, what for, and who has agreed."""

    by: PlayerId
    back: Turnback
    agreed: frozenset[str]
    until: int | None
    """When it lapses; None for not before the game moves on."""

    @property
    def missing(self) -> tuple[PlayerId, ...]:
        """Who has not agreed yet."""
        return tuple(seat for seat in self.back.asked if seat not in self.agreed)


async def ask(table: Table, user: int, seq: int, interaction: int) -> Request:
    """Ask those concerned, in the channel. Raises TableError, Outdated, Stale, Duplicate."""
    back = turnback(table, user, seq)
    if not back.asked:
        raise TableError("Nobody needs to agree to that: press **Undo** again.")
    seat, store, game = table.seats_of(user)[0], table.store, table.game.id
    pings = list(dict.fromkeys(table.seats[one].user_id for one in back.asked))

    async def write() -> None:
        await store.votes.clear(game, kind_of(back.seq))
        await store.votes.cast(
            game, kind_of(back.seq), seat, ASKS, expected_seq=table.position.seq, interaction_id=interaction
        )
        await store.outbox.post(game, [undo_notice(back.seq, pings)])

    await store.together(write)
    return await request(table, back.seq)


async def request(table: Table, seq: int) -> Request:
    """The request about this row that stands now. Raises TableError if none does."""
    votes = [
        one
        for one in await table.store.votes.of_game(table.game.id, kind_of(seq))
        if one.seq == table.position.seq and one.seat in table.seats
    ]
    asker = next((one for one in votes if one.choice == ASKS), None)
    if asker is None or table.seats[asker.seat].user_id == VACANT:
        raise TableError(GONE)
    back = turnback(table, table.seats[asker.seat].user_id, seq)
    until = await _stands_until(table, back.asked, asker.at)
    if until is not None and until <= table.store.clock():
        raise TableError(GONE)
    return Request(PlayerId(asker.seat), back, frozenset(_agreed(votes)), until)


async def _stands_until(table: Table, asked: Sequence[PlayerId], since: int) -> int | None:
    """When all who were asked have had a day for their answer; None if somebody is away until they are back."""
    store, users = table.store, [table.seats[one].user_id for one in asked]
    people, breaks = await clockwork.people_of(store, users), await store.clocks.breaks()
    ends = [over_at(people[one], since, LASTS, store.clock(), breaks) for one in users]
    return None if None in ends else max((one for one in ends if one is not None), default=since + LASTS)


def _agreed(votes: Sequence[Vote]) -> list[str]:
    return [one.seat for one in votes if one.choice == AGREES]


async def agree(table: Table, user: int, seq: int, interaction: int) -> Request:
    """Agree for one's seats; the last agreement takes it back. Raises TableError, Stale, Duplicate."""
    asked = await request(table, seq)
    mine = [seat for seat in table.seats_of(user) if seat in asked.back.asked]
    if not mine:
        raise NotYourTurn(NOT_ASKED)
    for seat in mine:  # voting again changes nothing; only the undo itself must happen once
        await table.store.votes.cast(table.game.id, kind_of(seq), seat, AGREES, expected_seq=table.position.seq)
    asked = await request(table, seq)
    if not asked.missing:
        await table.undo(user=table.seats[asked.by].user_id, seq=seq, agreed=asked.agreed, interaction=interaction)
        await table.store.votes.clear(table.game.id, kind_of(seq))
    return asked


async def refuse(table: Table, user: int, seq: int) -> Request:
    """Decline, or withdraw one's own request: it no longer stands, and the channel is told. Raises TableError."""
    asked = await request(table, seq)
    mine = table.seats_of(user)
    names = table.position.lexicon()
    if asked.by in mine:
        said = f"{names.player(asked.by)} no longer asks to take anything back."
    elif set(mine) & set(asked.back.asked):
        asker = table.seats[asked.by].user_id
        said = f"<@{asker}>: {names.player(mine[0])} does not agree to take that back."
    else:
        raise NotYourTurn(NOT_ASKED)

    async def write() -> None:
        await table.store.votes.clear(table.game.id, kind_of(seq))
        await table.store.outbox.post(table.game.id, [say_notice(said)])

    await table.store.together(write)
    return asked
