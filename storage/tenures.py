"""On what terms seats are held: opened for others, offered to somebody, lent, and how they have changed hands.

A seat is "p1", "p2", ... here. Whatever changes names the person whom the writer saw in the seat, and raises Stale if
somebody else sits there by now; so of two who take the same seat one does.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Unpack

from storage import shapes
from storage.choices import clear_votes, set_orders
from storage.clocks import changing
from storage.db import Area, Tx, transaction
from storage.errors import AlreadyOffered, Stale, UnknownSeat
from storage.outbox import post
from storage.seats import sit_down, stand_up, taken


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A seat that passes from the person `from_user` to another, or to `VACANT` if they leave."""

    seat: str
    how: shapes.HandoverKind
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


class SeatTerms(Area):
    """The terms of every game's seats."""

    async def of_game(self, game: str) -> shapes.Tenures:
        """Its openings, loans, open proposals and handovers, each in the order in which they came about."""
        return shapes.Tenures(
            tuple(await self._db.find(shapes.Opening, "WHERE game = ? ORDER BY opened_at, seat", game)),
            tuple(await self._db.find(shapes.Loan, "WHERE game = ? ORDER BY seat", game)),
            tuple(await self._db.find(shapes.Proposal, "WHERE game = ? AND status = 'open' ORDER BY id", game)),
            tuple(await self._db.find(shapes.Handover, "WHERE game = ? ORDER BY id", game)),
        )

    async def loans_over(self, now: int) -> list[shapes.Loan]:
        """Loans in running games that have come to their end, the earliest first."""
        running = "game IN (SELECT id FROM games WHERE status = 'running')"
        return await self._db.find(shapes.Loan, f"WHERE ends_at <= ? AND {running} ORDER BY ends_at LIMIT 50", now)

    @transaction
    async def open(self, tx: Tx, game: str, seat: str, *, held_by: int, **along: Unpack[shapes.Along]) -> None:
        """Let others take a seat. Raises Stale if it is open or lent, or somebody else's, or the game does not run."""
        async with changing(tx, game, "open seat", **along) as now:
            await _held(tx, now, seat, held_by)
            lent = await tx.one("SELECT 1 FROM loans WHERE game = ? AND seat = ?", game, seat)
            if lent or await _is_open(tx, game, seat):
                raise Stale(f"Seat {seat} of game {game} is open or lent.")
            await _open(tx, game, seat)

    @transaction
    async def close(self, tx: Tx, game: str, seat: str, *, held_by: int, **along: Unpack[shapes.Along]) -> None:
        """Let its player keep a seat that was open. Raises Stale if it is open no more, or somebody else's."""
        async with changing(tx, game, "keep seat", **along) as now:
            await _held(tx, now, seat, held_by)
            await _must_be_open(tx, game, seat)
            await keep_seats(tx, game, [seat])

    @transaction
    async def propose(
        self,
        tx: Tx,
        game: str,
        seat: str,
        kind: shapes.ProposalKind,
        *,
        held_by: int,
        by_user: int,
        user_id: int,
        name: str,
        notice: Callable[[int], shapes.Notice],
        days: int = 0,
        **along: Unpack[shapes.Along],
    ) -> shapes.Proposal:
        """Propose that somebody sits in a seat, and post the notice for its id. What its player offered before ends.

        Raises AlreadyOffered if an equal proposal is open, Stale as `open` does; to "take" a seat it must be open.
        """
        async with changing(tx, game, "propose", **along) as now:
            await _held(tx, now, seat, held_by)
            if kind == "take":
                await _must_be_open(tx, game, seat)
            for one in await _open_proposals(tx, game, seat):
                if (one.kind, one.user_id, one.days) == (kind, user_id, days):
                    raise AlreadyOffered()
                if kind != "take" and one.kind != "take":
                    await _close_proposal(tx, one.id, "stale")
            whose = {"by_user": by_user, "user_id": user_id, "name": name}
            made = {"status": "open", "made_at": tx.now}
            proposal = await tx.made(shapes.Proposal, game=game, seat=seat, kind=kind, days=days, **whose, **made)
            await post(tx, game, now.seq, [notice(proposal.id)])
            return proposal

    @transaction
    async def settle(
        self, tx: Tx, game: str, proposal: int, status: shapes.OfferStatus, **along: Unpack[shapes.Along]
    ) -> None:
        """Close a proposal that comes to nothing. Raises Stale if it is closed."""
        async with changing(tx, game, status, **along):
            await _must_be_proposed(tx, game, proposal)
            await _close_proposal(tx, proposal, status)

    @transaction
    async def hand_over(self, tx: Tx, game: str, change: SeatChange, **along: Unpack[shapes.Along]) -> shapes.Handover:
        """Pass a seat on, and drop what was its holder's alone: standing orders, votes, offers, proposals.

        Raises Stale if the game does not run, the seat is not `from_user`'s, the proposal is closed, what is to be
        taken is not open, or what is to be returned was neither lent by `to_user` nor taken from them.
        """
        async with changing(tx, game, "hand over", **along) as now:
            held = await _held(tx, now, change.seat, change.from_user)
            await _must_be_possible(tx, game, change)
            if change.proposal is not None:
                await _must_be_proposed(tx, game, change.proposal)
                await _close_proposal(tx, change.proposal, "accepted")
            await _drop_what_was_theirs(tx, game, change.seat)
            await clear_votes(tx, game, change.settles)
            await _set_terms(tx, held, change)
            if change.host_id is not None:
                await tx.run("UPDATE games SET host_id = ? WHERE id = ?", change.host_id, game)
            await stand_up(tx, held)
            await sit_down(tx, game, held.seat, change.to_user, change.to_name)
            before = {"from_id": held.user_id, "from_name": held.name}
            after = {"to_id": change.to_user, "to_name": change.to_name}
            about = {"game": game, "seq": now.seq, "seat": change.seat, "how": change.how}
            return await tx.made(shapes.Handover, **about, **before, **after, at=tx.now)


async def _set_terms(tx: Tx, held: shapes.Seat, change: SeatChange) -> None:
    """What is noted of a seat that changes hands: that it is lent, or open."""
    if change.how == "lent":
        owner = {"owner_id": held.user_id, "owner_name": held.name}
        await tx.insert("loans", game=held.game, seat=change.seat, **owner, ends_at=change.ends_at)
    if change.to_user == shapes.VACANT:
        await _open(tx, held.game, change.seat)


async def keep_seats(tx: Tx, game: str, seats: Collection[str]) -> None:
    """Close these seats to others, who may have asked for them."""
    for seat in seats:
        await tx.run("DELETE FROM openings WHERE game = ? AND seat = ?", game, seat)
        for one in await _open_proposals(tx, game, seat):
            if one.kind == "take":
                await _close_proposal(tx, one.id, "stale")


async def _held(tx: Tx, game: shapes.Game, seat: str, by: int) -> shapes.Seat:
    """The seat if the game runs and this person holds it. Raises UnknownSeat or Stale."""
    if game.status != "running":
        raise Stale(f"Game {game.id} is {game.status}: its seats do not change hands.")
    held = next((one for one in await taken(tx, game.id) if f"p{one.seat}" == seat), None)
    if held is None:
        raise UnknownSeat(f"Game {game.id} has no seat {seat}.")
    if held.user_id != by:
        raise Stale(f"Seat {seat} of game {game.id} is somebody else's.")
    return held


async def _is_open(tx: Tx, game: str, seat: str) -> bool:
    return bool(await tx.one("SELECT 1 FROM openings WHERE game = ? AND seat = ?", game, seat))


async def _open(tx: Tx, game: str, seat: str) -> None:
    """`why` was a sentence that nobody read."""
    await tx.insert("openings", game=game, seat=seat, why="", opened_at=tx.now)


async def _must_be_open(tx: Tx, game: str, seat: str) -> None:
    if not await _is_open(tx, game, seat):
        raise Stale(f"Seat {seat} of game {game} is not open.")


async def _must_be_possible(tx: Tx, game: str, change: SeatChange) -> None:
    lent = await tx.one("SELECT owner_id FROM loans WHERE game = ? AND seat = ?", game, change.seat)
    if change.how == "returned":
        if lent != (change.to_user,) and not await _was_taken_from(tx, game, change.seat, change.to_user):
            raise Stale(f"Seat {change.seat} of game {game} was neither lent by them nor taken from them.")
    elif lent:
        raise Stale(f"Seat {change.seat} of game {game} is lent.")
    if change.how == "taken":
        await _must_be_open(tx, game, change.seat)


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


async def _open_proposals(tx: Tx, game: str, seat: str) -> list[shapes.Proposal]:
    return await tx.find(shapes.Proposal, "WHERE game = ? AND seat = ? AND status = 'open' ORDER BY id", game, seat)


async def _must_be_proposed(tx: Tx, game: str, proposal: int) -> None:
    if not await tx.one("SELECT 1 FROM proposals WHERE id = ? AND game = ? AND status = 'open'", proposal, game):
        raise Stale(f"Proposal {proposal} is no longer open.")


async def _close_proposal(tx: Tx, proposal: int, status: shapes.OfferStatus) -> None:
    await tx.run("UPDATE proposals SET status = ?, closed_at = ? WHERE id = ?", status, tx.now, proposal)
