"""Offers: actions that one seat proposes and that need another's consent.

An offer is made at a position. Accepting it is part of appending the action (`append(accept=...)`).
Appending anything makes earlier open offers stale.
"""

from typing import Unpack

from storage.clocks import changing
from storage.db import Area, Reader, Tx, transaction
from storage.errors import AlreadyOffered, Stale, TooManyOffers, UnknownOffer
from storage.shapes import Along, InteractionId, Offer, OfferStatus
from storage.status import must_be_at


class Offers(Area):
    @transaction
    async def make(
        self,
        tx: Tx,
        game: str,
        expected_seq: int,
        body: str,
        *,
        from_seat: str,
        to_seat: str,
        most: int = 5,
        **along: Unpack[Along],
    ) -> Offer:
        """Make an offer at the position that its maker saw.

        Raises AlreadyOffered if an equal one is open, TooManyOffers if the maker has `most` open ones, Stale,
        Duplicate or UnknownGame.
        """
        async with changing(tx, game, "offer", **along) as now:
            must_be_at(now, expected_seq)
            mine = await tx.find(Offer, "WHERE game = ? AND from_seat = ? AND status = 'open'", game, from_seat)
            if any((one.body, one.to_seat) == (body, to_seat) for one in mine):
                raise AlreadyOffered()
            if len(mine) >= most:
                raise TooManyOffers(most)
            parties = {"from_seat": from_seat, "to_seat": to_seat}
            made = {"status": "open", "made_at": tx.now, "made_by_interaction": _by(along.get("interaction_id"))}
            return await tx.made(Offer, game=game, seq=now.seq, body=body, **parties, **made)

    async def get(self, offer: int) -> Offer:
        """The offer with this id. Raises UnknownOffer."""
        return await _known(self._db, offer)

    async def open(self, game: str) -> list[Offer]:
        """The game's offers that are waiting for an answer, oldest first."""
        return await self._db.find(Offer, "WHERE game = ? AND status = 'open' ORDER BY id", game)

    async def declined(self, game: str, since: int) -> list[Offer]:
        """The game's declined offers that were made at position `since` or later, oldest first."""
        which = "WHERE game = ? AND status = 'declined' AND seq >= ? ORDER BY seq, id"
        return await self._db.find(Offer, which, game, since)

    async def made_at(self, game: str, seq: int) -> list[Offer]:
        """The game's offers that were made at this position, whatever became of them."""
        return await self._db.find(Offer, "WHERE game = ? AND seq = ? ORDER BY id", game, seq)

    @transaction
    async def decline(self, tx: Tx, offer: int, **along: Unpack[Along]) -> Offer:
        """Decline an open offer. Raises Stale if it is closed, Duplicate, UnknownOffer."""
        game = (await _known(tx, offer)).game
        async with changing(tx, game, "declined", **along):
            await close(tx, game, offer, "declined", along.get("interaction_id"))
            return await _known(tx, offer)


async def close(tx: Tx, game: str, offer: int, status: OfferStatus, interaction_id: InteractionId | None) -> None:
    """Close an open offer of the game. Raises Stale if it is closed already."""
    now = await _known(tx, offer)
    if now.game != game:
        raise UnknownOffer(offer)
    if now.status != "open":
        raise Stale(f"The offer is no longer open: it is {now.status}.")
    await tx.run(
        "UPDATE offers SET status = ?, closed_at = ?, closed_by_interaction = ? WHERE id = ?",
        *(status, tx.now, _by(interaction_id), offer),
    )


async def close_passed(tx: Tx, game: str, seq: int) -> None:
    """Make the open offers from before position `seq` stale."""
    await tx.run(
        "UPDATE offers SET status = 'stale', closed_at = ? WHERE game = ? AND status = 'open' AND seq < ?",
        *(tx.now, game, seq),
    )


def _by(interaction_id: InteractionId | None) -> str | None:
    return None if interaction_id is None else str(interaction_id)


async def _known(reader: Reader, offer: int) -> Offer:
    found = await reader.first(Offer, "WHERE id = ?", offer)
    if not found:
        raise UnknownOffer(offer)
    return found
