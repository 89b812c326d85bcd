"""Offers: actions that one seat proposes and that need another's consent.

An offer is made at a position. Accepting it is part of appending the action (`append(accept=...)`).
Appending anything makes earlier open offers stale, except those that `standing_offers` names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from storage.db import Database, Tx
from storage.errors import AlreadyOffered, Stale, TooManyOffers, UnknownOffer
from storage.interactions import refuse_repeats, remember
from storage.outbox import post
from storage.shapes import InteractionId, Notice, Offer, OfferStatus, columns
from storage.status import load, must_be_at

_OFFERS = f"SELECT {columns(Offer)} FROM offers"


class Offers:
    """The offers of every game."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def make(
        self,
        game: str,
        expected_seq: int,
        body: str,
        *,
        from_seat: str,
        to_seat: str,
        most: int = 5,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> Offer:
        """Make an offer at the position that its maker saw.

        Raises AlreadyOffered if an equal one is open, TooManyOffers if the maker has `most` open ones, Stale,
        Duplicate or UnknownGame.
        """

        async def work(tx: Tx) -> Offer:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            must_be_at(now, expected_seq)
            mine = await tx.all(
                "SELECT body, to_seat FROM offers WHERE game = ? AND from_seat = ? AND status = 'open'", game, from_seat
            )
            if (body, to_seat) in mine:
                raise AlreadyOffered()
            if len(mine) >= most:
                raise TooManyOffers(most)
            (offer,) = await tx.one(
                "INSERT INTO offers (game, seq, body, from_seat, to_seat, status, made_at, made_by_interaction)"
                " VALUES (?, ?, ?, ?, ?, 'open', ?, ?) RETURNING id",
                *(game, expected_seq, body, from_seat, to_seat, tx.now),
                None if interaction_id is None else str(interaction_id),
            )
            await post(tx, game, expected_seq, notices)
            await remember(tx, interaction_id, "offer", game, expected_seq)
            return await _find(tx, offer)

        return await self._db.write(work)

    async def get(self, offer: int) -> Offer:
        """The offer with this id. Raises UnknownOffer."""
        row = await self._db.one(f"{_OFFERS} WHERE id = ?", offer)
        if not row:
            raise UnknownOffer(offer)
        return Offer(*row)

    async def open(self, game: str) -> list[Offer]:
        """The game's offers that are waiting for an answer, oldest first."""
        rows = await self._db.all(f"{_OFFERS} WHERE game = ? AND status = 'open' ORDER BY id", game)
        return [Offer(*row) for row in rows]

    async def declined(self, game: str, since: int) -> list[Offer]:
        """The game's declined offers that were made at position `since` or later, oldest first."""
        rows = await self._db.all(
            f"{_OFFERS} WHERE game = ? AND status = 'declined' AND seq >= ? ORDER BY seq, id", game, since
        )
        return [Offer(*row) for row in rows]

    async def decline(
        self, offer: int, *, interaction_id: InteractionId | None = None, notices: Sequence[Notice] = ()
    ) -> Offer:
        """Decline an open offer. Raises Stale if it is closed, Duplicate, UnknownOffer."""
        return await self._close(offer, "declined", interaction_id, notices)

    async def withdraw(
        self, offer: int, *, interaction_id: InteractionId | None = None, notices: Sequence[Notice] = ()
    ) -> Offer:
        """Withdraw an open offer, which makes it stale. Raises Stale if it is closed, Duplicate, UnknownOffer."""
        return await self._close(offer, "stale", interaction_id, notices)

    async def _close(
        self, offer: int, status: OfferStatus, interaction_id: InteractionId | None, notices: Sequence[Notice]
    ) -> Offer:
        async def work(tx: Tx) -> Offer:
            game = (await _find(tx, offer)).game
            seq = (await load(tx, game)).seq
            await refuse_repeats(tx, interaction_id)
            await close(tx, game, offer, status, interaction_id)
            await post(tx, game, seq, notices)
            await remember(tx, interaction_id, status, game, seq)
            return await _find(tx, offer)

        return await self._db.write(work)


async def close(tx: Tx, game: str, offer: int, status: OfferStatus, interaction_id: InteractionId | None) -> None:
    """Close an open offer of the game. Raises Stale if it is closed already."""
    now = await _find(tx, offer)
    if now.game != game:
        raise UnknownOffer(offer)
    if now.status != "open":
        raise Stale(f"The offer is no longer open: it is {now.status}.")
    await tx.run(
        "UPDATE offers SET status = ?, closed_at = ?, closed_by_interaction = ? WHERE id = ?",
        *(status, tx.now, None if interaction_id is None else str(interaction_id), offer),
    )


async def close_passed(tx: Tx, game: str, seq: int, still_standing: Collection[int]) -> None:
    """Make the open offers from before position `seq` stale, except those that still stand."""
    passed = await tx.all("SELECT id FROM offers WHERE game = ? AND status = 'open' AND seq < ?", game, seq)
    await tx.many(
        "UPDATE offers SET status = 'stale', closed_at = ? WHERE id = ?",
        [(tx.now, offer) for (offer,) in passed if offer not in still_standing],
    )


async def _find(tx: Tx, offer: int) -> Offer:
    row = await tx.one(f"{_OFFERS} WHERE id = ?", offer)
    if not row:
        raise UnknownOffer(offer)
    return Offer(*row)
