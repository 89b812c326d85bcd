"""On what terms seats are held: opened for others, offered to somebody, lent, and how they have changed hands.

A seat is "p1", "p2", ... here. Whatever changes names the person whom the writer saw in the seat, and raises Stale if
somebody else sits there by now; so of two who take the same seat one does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from storage.choices import clear_votes, set_orders
from storage.clocks import take
from storage.db import Database, Tx
from storage.errors import AlreadyOffered, Stale, UnknownSeat
from storage.interactions import refuse_repeats, remember
from storage.outbox import post
from storage.seats import sit_down, stand_up, taken
from storage.shapes import (
    VACANT,
    ClockStep,
    Game,
    Handover,
    HandoverKind,
    InteractionId,
    Loan,
    Notice,
    OfferStatus,
    Opening,
    Proposal,
    ProposalKind,
    Seat,
    Tenures,
    columns,
)
from storage.status import load, touch

_PROPOSALS = f"SELECT {columns(Proposal)} FROM proposals"
_LOANS = f"SELECT {columns(Loan)} FROM loans"


@dataclass(frozen=True, slots=True)
class Change:
    """That a seat passes from the person `from_user` to another, or to `VACANT` if they leave."""

    seat: str
    how: HandoverKind
    from_user: int
    to_user: int
    to_name: str
    proposal: int | None = None
    """The open proposal that it carries out."""
    ends_at: int = 0
    """When what is lent goes back."""
    host_id: int | None = None
    """Who is the game's host from then on; None leaves it as it is."""
    settles: tuple[str, ...] = ()
    """The questions that need no more votes."""


class SeatTerms:
    """The terms of every game's seats."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of_game(self, game: str) -> Tenures:
        """Its openings, loans, open proposals and handovers, each in the order in which they came about."""
        openings, loans, proposals, handovers = [
            await self._db.all(f"SELECT {columns(shape)} FROM {table} WHERE game = ?{and_so} ORDER BY {order}", game)
            for shape, table, and_so, order in (
                (Opening, "openings", "", "opened_at, seat"),
                (Loan, "loans", "", "seat"),
                (Proposal, "proposals", " AND status = 'open'", "id"),
                (Handover, "handovers", "", "id"),
            )
        ]
        return Tenures(
            tuple(Opening(*row) for row in openings),
            tuple(Loan(*row) for row in loans),
            tuple(Proposal(*row) for row in proposals),
            tuple(Handover(*row) for row in handovers),
        )

    async def loans_over(self, now: int, limit: int = 50) -> list[Loan]:
        """Loans in running games that have come to their end, the earliest first."""
        rows = await self._db.all(
            f"{_LOANS} WHERE ends_at <= ? AND game IN (SELECT id FROM games WHERE status = 'running')"
            " ORDER BY ends_at LIMIT ?",
            *(now, limit),
        )
        return [Loan(*row) for row in rows]

    async def open(
        self,
        game: str,
        seat: str,
        *,
        held_by: int,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> None:
        """Let others take a seat. Raises Stale if it is open or lent, or somebody else's, or the game does not run."""

        async def work(tx: Tx) -> None:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            _must_run(now)
            await _held(tx, game, seat, held_by)
            if await _is_open(tx, game, seat) or await tx.one(f"{_LOANS} WHERE game = ? AND seat = ?", game, seat):
                raise Stale(f"Seat {seat} of game {game} is open or lent.")
            await _open(tx, game, seat)
            await self._done(tx, now, "open seat", interaction_id, notices)

        await self._db.write(work)

    async def close(
        self,
        game: str,
        seat: str,
        *,
        held_by: int,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> None:
        """Let its player keep a seat that was open. Raises Stale if it is open no more, or somebody else's."""

        async def work(tx: Tx) -> None:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            _must_run(now)
            await _held(tx, game, seat, held_by)
            if not await _is_open(tx, game, seat):
                raise Stale(f"Seat {seat} of game {game} is not open.")
            await keep_seats(tx, game, [seat])
            await self._done(tx, now, "keep seat", interaction_id, notices)

        await self._db.write(work)

    async def propose(
        self,
        game: str,
        seat: str,
        kind: ProposalKind,
        *,
        held_by: int,
        by_user: int,
        user_id: int,
        name: str,
        notice: Callable[[int], Notice],
        days: int = 0,
        interaction_id: InteractionId | None = None,
    ) -> Proposal:
        """Propose that somebody sits in a seat, and post the notice for its id. What its player offered before ends.

        Raises AlreadyOffered if an equal proposal is open, Stale as `open` does; to "take" a seat it must be open.
        """

        async def work(tx: Tx) -> Proposal:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            _must_run(now)
            await _held(tx, game, seat, held_by)
            if kind == "take" and not await _is_open(tx, game, seat):
                raise Stale(f"Seat {seat} of game {game} is not open.")
            for one in await _open_proposals(tx, game, seat):
                if (one.kind, one.user_id, one.days) == (kind, user_id, days):
                    raise AlreadyOffered()
                if kind != "take" and one.kind != "take":
                    await _close_proposal(tx, one.id, "stale")
            made = await tx.one(
                "INSERT INTO proposals (game, seat, kind, by_user, user_id, name, days, status, made_at)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?) RETURNING {columns(Proposal)}",
                *(game, seat, kind, by_user, user_id, name, days, tx.now),
            )
            proposal = Proposal(*made)
            await self._done(tx, now, "propose", interaction_id, [notice(proposal.id)])
            return proposal

        return await self._db.write(work)

    async def settle(
        self,
        game: str,
        proposal: int,
        status: OfferStatus,
        *,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> None:
        """Close a proposal that comes to nothing. Raises Stale if it is closed."""

        async def work(tx: Tx) -> None:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            await _must_be_proposed(tx, game, proposal)
            await _close_proposal(tx, proposal, status)
            await self._done(tx, now, status, interaction_id, notices)

        await self._db.write(work)

    async def hand_over(
        self,
        game: str,
        change: Change,
        *,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
        clock: ClockStep | None = None,
    ) -> Handover:
        """Pass a seat on, and drop what was its holder's alone: standing orders, votes, offers, proposals.

        `clock` is the step of the game's clock.

        Raises Stale if the game does not run, the seat is not `from_user`'s, the proposal is closed, what is to be
        taken is not open, or what is to be returned was neither lent by `to_user` nor taken from them.
        """

        async def work(tx: Tx) -> Handover:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            _must_run(now)
            held = await _held(tx, game, change.seat, change.from_user)
            await _must_be_possible(tx, game, change)
            if change.proposal is not None:
                await _must_be_proposed(tx, game, change.proposal)
                await _close_proposal(tx, change.proposal, "accepted")
            await _drop_what_was_theirs(tx, game, change.seat)
            await clear_votes(tx, game, change.settles)
            if change.how == "lent":
                await tx.run(
                    "INSERT INTO loans (game, seat, owner_id, owner_name, ends_at) VALUES (?, ?, ?, ?, ?)",
                    *(game, change.seat, held.user_id, held.name, change.ends_at),
                )
            if change.to_user == VACANT:
                await _open(tx, game, change.seat)
            if change.host_id is not None:
                await tx.run("UPDATE games SET host_id = ? WHERE id = ?", change.host_id, game)
            await stand_up(tx, held)
            await sit_down(tx, game, held.seat, change.to_user, change.to_name)
            made = await tx.one(
                "INSERT INTO handovers (game, seq, seat, how, from_id, from_name, to_id, to_name, at)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {columns(Handover)}",
                *(game, now.seq, change.seat, change.how, held.user_id, held.name),
                *(change.to_user, change.to_name, tx.now),
            )
            await self._done(tx, now, "hand over", interaction_id, notices)
            if clock is not None:
                await take(tx, game, now.seq, clock)
            return Handover(*made)

        return await self._db.write(work)

    async def _done(
        self, tx: Tx, game: Game, did: str, interaction_id: InteractionId | None, notices: Sequence[Notice]
    ) -> None:
        await touch(tx, game.id)
        await post(tx, game.id, game.seq, notices)
        await remember(tx, interaction_id, did, game.id, game.seq)


async def keep_seats(tx: Tx, game: str, seats: Collection[str]) -> None:
    """Close these seats to others, who may have asked for them."""
    for seat in seats:
        await tx.run("DELETE FROM openings WHERE game = ? AND seat = ?", game, seat)
        for one in await _open_proposals(tx, game, seat):
            if one.kind == "take":
                await _close_proposal(tx, one.id, "stale")


def _must_run(game: Game) -> None:
    if game.status != "running":
        raise Stale(f"Game {game.id} is {game.status}: its seats do not change hands.")


async def _held(tx: Tx, game: str, seat: str, by: int) -> Seat:
    """The seat if this person holds it. Raises UnknownSeat or Stale."""
    held = next((one for one in await taken(tx, game) if f"p{one.seat}" == seat), None)
    if held is None:
        raise UnknownSeat(f"Game {game} has no seat {seat}.")
    if held.user_id != by:
        raise Stale(f"Seat {seat} of game {game} is somebody else's.")
    return held


async def _is_open(tx: Tx, game: str, seat: str) -> bool:
    return bool(await tx.one("SELECT 1 FROM openings WHERE game = ? AND seat = ?", game, seat))


async def _open(tx: Tx, game: str, seat: str) -> None:
    """`why` was a sentence that nobody read."""
    await tx.run("INSERT INTO openings (game, seat, why, opened_at) VALUES (?, ?, '', ?)", game, seat, tx.now)


async def _must_be_possible(tx: Tx, game: str, change: Change) -> None:
    lent = await tx.one("SELECT owner_id FROM loans WHERE game = ? AND seat = ?", game, change.seat)
    if change.how == "returned":
        if lent != (change.to_user,) and not await _was_taken_from(tx, game, change.seat, change.to_user):
            raise Stale(f"Seat {change.seat} of game {game} was neither lent by them nor taken from them.")
    elif lent:
        raise Stale(f"Seat {change.seat} of game {game} is lent.")
    if change.how == "taken" and not await _is_open(tx, game, change.seat):
        raise Stale(f"Seat {change.seat} of game {game} is not open.")


async def _was_taken_from(tx: Tx, game: str, seat: str, user: int) -> bool:
    found = await tx.one(
        "SELECT 1 FROM handovers WHERE game = ? AND seat = ? AND how = 'taken' AND from_id = ?", game, seat, user
    )
    return bool(found)


async def _drop_what_was_theirs(tx: Tx, game: str, seat: str) -> None:
    await set_orders(tx, game, {seat: None})
    await tx.run("DELETE FROM votes WHERE game = ? AND seat = ?", game, seat)
    await tx.run("DELETE FROM advice WHERE game = ? AND seat = ?", game, seat)
    await tx.run(
        "UPDATE offers SET status = 'stale', closed_at = ?"
        " WHERE game = ? AND status = 'open' AND ? IN (from_seat, to_seat)",
        *(tx.now, game, seat),
    )
    for one in await _open_proposals(tx, game, seat):
        await _close_proposal(tx, one.id, "stale")
    await tx.run("DELETE FROM openings WHERE game = ? AND seat = ?", game, seat)
    await tx.run("DELETE FROM loans WHERE game = ? AND seat = ?", game, seat)


async def _open_proposals(tx: Tx, game: str, seat: str) -> list[Proposal]:
    rows = await tx.all(f"{_PROPOSALS} WHERE game = ? AND seat = ? AND status = 'open' ORDER BY id", game, seat)
    return [Proposal(*row) for row in rows]


async def _must_be_proposed(tx: Tx, game: str, proposal: int) -> None:
    if not await tx.one("SELECT 1 FROM proposals WHERE id = ? AND game = ? AND status = 'open'", proposal, game):
        raise Stale(f"Proposal {proposal} is no longer open.")


async def _close_proposal(tx: Tx, proposal: int, status: OfferStatus) -> None:
    await tx.run("UPDATE proposals SET status = ?, closed_at = ? WHERE id = ?", status, tx.now, proposal)
