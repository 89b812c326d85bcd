"""Remembering what each press or command did, so that a repeated delivery does nothing."""

from __future__ import annotations

from storage.db import Tx
from storage.errors import Duplicate
from storage.shapes import InteractionId


async def refuse_repeats(tx: Tx, interaction_id: InteractionId | None) -> None:
    """Raise Duplicate, which says what was done, if the interaction has been handled."""
    if interaction_id is None:
        return
    done = await tx.one("SELECT did, game, first_seq, last_seq FROM interactions WHERE id = ?", str(interaction_id))
    if done:
        raise Duplicate(*done)


async def remember(
    tx: Tx, interaction_id: InteractionId | None, did: str, game: str, last_seq: int, first_seq: int | None = None
) -> None:
    """Record what the interaction did; `first_seq` only if it appended rows."""
    if interaction_id is None:
        return
    await tx.run(
        "INSERT INTO interactions (id, did, game, first_seq, last_seq, at) VALUES (?, ?, ?, ?, ?, ?)",
        str(interaction_id),
        did,
        game,
        last_seq if first_seq is None else first_seq,
        last_seq,
        tx.now,
    )
