"""A game's own row inside a transaction: locking it, checking it, changing its status; and what presses did to it.

Every write about a game locks its row (`load`) before it asks anything else, so that whatever it finds is still true
when it writes: others who write about the game wait, in this process or another, and then see what was written.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from storage.db import Tx
from storage.errors import ChannelTaken, Duplicate, Stale, UnknownGame
from storage.shapes import UNFINISHED, Game, InteractionId, Shards, Status, places


async def load(tx: Tx, game: str, *, ours: bool = True) -> Game:
    """The game, which nobody else changes until the transaction ends. Raises UnknownGame.

    Raises LeaseLost if another process serves it, unless not `ours`: for what is only queued for whoever does.
    """
    found = await tx.first(Game, f"WHERE id = ?{tx.LOCK}", game)
    if found is None:
        raise UnknownGame(game)
    if ours:
        await tx.db.lease.must_serve(tx, found.guild_id)
    return found


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
    done = await tx.one("SELECT did, game, last_seq FROM interactions WHERE id = ?", str(interaction_id))
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


def must_be_open(game: Game) -> None:
    """Raise Stale unless seats are still being taken."""
    if game.status != "open":
        raise Stale(f"Game {game.id} is {game.status}: seats are no longer being taken.")


async def must_be_free(tx: Tx, channel_id: int, but_for: str = "") -> None:
    """Raise ChannelTaken if the channel has an unfinished game other than `but_for`."""
    row = await tx.one(
        "SELECT id FROM games WHERE channel_id = ? AND id <> ? AND status IN ('open', 'running')", channel_id, but_for
    )
    if row:
        raise ChannelTaken(row[0])


async def enter_status(tx: Tx, game: str, status: Status, result: str | None) -> None:
    """Change the status, with the times that belong to it.

    In a game that is over nobody tries anything out, and what was proposed of its seats comes to nothing.
    """
    if status in UNFINISHED:
        await must_be_free(tx, (await load(tx, game)).channel_id, but_for=game)
        await tx.run(
            "UPDATE games SET status = ?1, finished_at = NULL, result = NULL,"
            " started_at = CASE ?1 WHEN 'open' THEN NULL ELSE coalesce(started_at, ?2) END WHERE id = ?3",
            *(status, tx.now, game),
        )
    else:
        await tx.run(
            "UPDATE games SET status = ?, finished_at = ?, result = ? WHERE id = ?", *(status, tx.now, result, game)
        )
        await tx.run("DELETE FROM branches WHERE game = ?", game)
        await tx.run(
            "UPDATE proposals SET status = 'stale', closed_at = ? WHERE game = ? AND status = 'open'", tx.now, game
        )


async def touch(tx: Tx, game: str) -> None:
    """Give the game its next version, so that copies of it in memory are known to be old."""
    await tx.run("UPDATE games SET version = version + 1 WHERE id = ?", game)


def must_be_version(game: Game, expected: int | None) -> None:
    """Raise Stale unless nothing of the game has changed since the writer read it; None asks nothing."""
    if expected is not None and game.version != expected:
        raise Stale(f"Game {game.id} has version {game.version}, not {expected}.")


def must_be_at(game: Game, expected_seq: int) -> None:
    """Raise Stale unless the game is still at the position that the writer saw."""
    if game.seq != expected_seq:
        raise Stale(f"Game {game.id} is at position {game.seq}, not {expected_seq}.")


OF_SERVERS = ("games", "puzzle_channels")
"""The tables whose rows say themselves of which server they are; others say of which game."""


def on_shards(table: str, shards: Shards | None) -> tuple[str, tuple[int, ...]]:
    """A condition on rows of a table, and its values: that they are on one of these shards; None for all."""
    if shards is None:
        return "", ()
    if not shards.own:
        return " AND 1 = 0", ()
    said_by = table if table in OF_SERVERS else "games"
    served = f"(coalesce({said_by}.guild_id, 0) >> 22) % ? IN ({places(len(shards.own))})"
    if said_by == table:
        condition = f" AND {served}"
    else:
        condition = f" AND EXISTS (SELECT 1 FROM games WHERE games.id = {table}.game AND {served})"
    return condition, (shards.count, *shards.own)
