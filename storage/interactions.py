"""Remembering what each press or command did, so that a repeated delivery does nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from storage.db import Tx
from storage.errors import Duplicate
from storage.shapes import Game, InteractionId
from storage.status import load


@asynccontextmanager
async def once(tx: Tx, game: str, did: str, interaction_id: InteractionId | None) -> AsyncIterator[Game]:
    """The game as it is, locked, for what an interaction does to it. Raises UnknownGame or Duplicate."""
    now = await load(tx, game)
    await refuse_repeats(tx, interaction_id)
    yield now
    await remember(tx, interaction_id, did, game, now.seq)


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
    first = last_seq if first_seq is None else first_seq
    await tx.insert(
        "interactions", id=str(interaction_id), did=did, game=game, first_seq=first, last_seq=last_seq, at=tx.now
    )
