"""The log: appending rows, reading them, and proving that they are what was written.

Each row carries a hash of its content and of the previous hash, and the game carries the seq and hash of
its last row, so `verify` notices a row that was altered, removed, or cut off the end.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from operator import attrgetter

from storage.choices import clear_votes, set_orders
from storage.clocks import take
from storage.db import Area, Tx, Values, transaction
from storage.errors import BrokenLog, UnknownGame
from storage.offers import close, close_passed
from storage.outbox import post
from storage.shapes import ClockStep, InteractionId, LogRow, Notice, Order, Row, Snapshot, Status, columns, places
from storage.status import enter_status, load, must_be_at, must_be_version, refuse_repeats, remember, touch
from storage.tenures import keep_seats
from storage.watches import stir

_values: Callable[[LogRow], Values] = attrgetter(*columns(LogRow).split(", "))
"""The row as the database keeps it. (`astuple` would copy each value in depth.)"""


class Events(Area):
    """The logs of every game. `seq` counts the rows of a game from 1."""

    @transaction
    async def append(
        self,
        tx: Tx,
        game: str,
        expected_seq: int,
        rows: Sequence[Row],
        *,
        expected_version: int | None = None,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
        accept: int | None = None,
        orders: Mapping[str, Order | None] | None = None,
        clear_votes_on: Collection[str] = (),
        keeps: Collection[str] = (),
        events: Collection[str] = (),
        status: Status | None = None,
        result: str | None = None,
        snapshot: Snapshot | None = None,
        clock: ClockStep | None = None,
    ) -> int:
        """Append rows after position `expected_seq`, with all their consequences, in one transaction.

        `accept` is the offer that the rows carry out; other open offers become stale. `orders` replaces standing orders
        (None removes them). `keeps` are open seats whose players are back, and `events` what the rows mean to those who
        watch. `status` and `result` are for rows that end the game or reopen it. `clock` is the step of the game's
        clock.

        Returns the seq of the last row. Raises UnknownGame; Duplicate if the interaction has been
        handled; Stale if the log is not at `expected_seq`, the game not of `expected_version`, or the
        offer closed; ChannelTaken; Unavailable. After an error nothing has been written.
        """
        if not rows:
            raise ValueError("append needs at least one row")
        now = await load(tx, game)
        await refuse_repeats(tx, interaction_id)
        must_be_at(now, expected_seq)
        must_be_version(now, expected_version)
        last = now.seq + len(rows)
        (head,) = await tx.one("SELECT head FROM games WHERE id = ?", game)
        await _write(tx, game, _chained(game, now.seq, head, rows, tx.now, interaction_id))
        if accept is not None:
            await close(tx, game, accept, "accepted", interaction_id)
        await close_passed(tx, game, last)
        await set_orders(tx, game, orders or {})
        await touch(tx, game)
        await clear_votes(tx, game, clear_votes_on)
        await keep_seats(tx, game, keeps)
        await stir(tx, game, events)
        if status is not None:
            await enter_status(tx, game, status, result)
        if snapshot is not None:
            await keep(tx, game, snapshot)
        await post(tx, game, last, notices)
        await take(tx, game, last, clock)
        await remember(tx, interaction_id, "append", game, last, first_seq=now.seq + 1)
        return last

    async def log(self, game: str, after: int = 0, upto: int | None = None) -> list[LogRow]:
        """The rows with `after` < seq <= `upto`, in order; none for an unknown game."""
        rows = await self._db.all(
            f"SELECT {columns(LogRow)} FROM log WHERE game = ?1 AND seq > ?2 AND seq <= coalesce(?3, seq) ORDER BY seq",
            *(game, after, upto),
        )
        return await asyncio.to_thread(lambda: [LogRow(*row) for row in rows])

    async def times(self, game: str, after: int = 0) -> dict[int, int]:
        """When each row with `after` < seq was written, by seq; empty for an unknown game."""
        rows = await self._db.all("SELECT seq, at FROM log WHERE game = ? AND seq > ? ORDER BY seq", game, after)
        return dict(rows)

    async def steps(self, game: str) -> list[tuple[int | None, int, str, str | None]]:
        """Who wrote each row, None where nobody did, when, its kind and its note, in order."""
        rows = await self._db.all("SELECT by_user, at, kind, note FROM log WHERE game = ? ORDER BY seq", game)
        return [(by, at, kind, note) for by, at, kind, note in rows]

    async def verify(self, game: str) -> int:
        """Check a game's whole log against its hashes; return its length. Raises BrokenLog or UnknownGame."""
        # One statement, so that the rows and the head are consistent. A game without rows yields one row of NULLs.
        rows = await self._db.all(
            f"SELECT games.seq, games.head, {', '.join('log.' + name for name in columns(LogRow).split(', '))}"
            " FROM games LEFT JOIN log ON log.game = games.id WHERE games.id = ? ORDER BY log.seq",
            game,
        )
        if not rows:
            raise UnknownGame(game)
        return await asyncio.to_thread(_proved, game, rows)


def _proved(game: str, rows: Sequence[Values]) -> int:
    """The length of a log, read with the seq and head of its game. Raises BrokenLog."""
    length, head = rows[0][:2]
    last, seen = "", 0
    for row in (LogRow(*values[2:]) for values in rows if values[2] is not None):
        seen += 1
        if row.seq != seen:
            raise BrokenLog(game, seen, f"the next row is {row.seq}")
        if row.hash != _hash(last, row):
            raise BrokenLog(game, seen, "its content or the row before it was altered")
        last = row.hash
    if seen != length:
        raise BrokenLog(game, min(seen, length) + 1, f"there are {seen} rows, but {length} were written")
    if last != head:
        raise BrokenLog(game, seen, "it is not the last row that was written")
    return seen


def _chained(
    game: str, seq: int, head: str, rows: Sequence[Row], now: int, interaction_id: InteractionId | None
) -> Iterator[LogRow]:
    """The rows numbered and hashed to follow position `seq`, whose hash is `head`."""
    mark = None if interaction_id is None else str(interaction_id)
    for number, row in enumerate(rows, start=seq + 1):
        since = (row.rules, row.position, row.told)
        bare = LogRow(game, number, row.kind, row.body, row.by_seat, row.by_user, row.note, now, mark, "", *since)
        head = _hash(head, bare)
        yield replace(bare, hash=head)
        mark = None


def _hash(before: str, row: LogRow) -> str:
    """SHA-256, in hexadecimal, of the previous hash and the row's content."""
    *first, _, rules, position, told = _values(row)
    content = [before, *first]
    if (rules, position, told) != (None, None, None):  # rows of earlier versions were hashed without these
        content += [rules, position, told]
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


async def _write(tx: Tx, game: str, rows: Iterator[LogRow]) -> None:
    """Store the rows, which are made and hashed in the writer's thread."""
    marks = places(len(fields(LogRow)))
    await tx.many(f"INSERT INTO log ({columns(LogRow)}) VALUES ({marks})", map(_values, rows))
    await tx.run(
        "UPDATE games SET (seq, head) = (SELECT seq, hash FROM log WHERE game = ?1 ORDER BY seq DESC LIMIT 1),"
        " rules = ?2 WHERE id = ?1",
        *(game, tx.db.rules),
    )


class Snapshots(Area):
    """One snapshot a game, made with the last rows that were appended."""

    @transaction
    async def save(self, tx: Tx, game: str, snapshot: Snapshot) -> None:
        """Keep the snapshot if the game still stands at its seq; raises UnknownGame."""
        if (await load(tx, game)).seq == snapshot.seq:
            await keep(tx, game, snapshot)

    async def last(self, game: str) -> Snapshot | None:
        """The snapshot of the game's last row; None if there is none, or only one of an earlier row."""
        row = await self._db.one(
            "SELECT snapshots.seq, format, blob, told FROM snapshots"
            " JOIN games ON games.id = game AND games.seq = snapshots.seq WHERE game = ?",
            game,
        )
        return Snapshot(*row) if row else None


async def keep(tx: Tx, game: str, snapshot: Snapshot) -> None:
    """Keep a snapshot instead of the one before it."""
    await tx.run(
        "INSERT INTO snapshots (game, seq, format, blob, told) VALUES (?, ?, ?, ?, ?) ON CONFLICT (game) DO UPDATE"
        " SET seq = excluded.seq, format = excluded.format, blob = excluded.blob,"
        " told = coalesce(excluded.told, snapshots.told)",
        *(game, snapshot.seq, snapshot.format, snapshot.blob, snapshot.told),
    )
