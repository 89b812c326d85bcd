"""Games: creating, finding, starting and ending them. What happens in them is in `events`."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from storage.clocks import take
from storage.db import Database, Tx
from storage.errors import ChannelTaken, Stale, UnknownGame
from storage.interactions import refuse_repeats, remember
from storage.outbox import post
from storage.seats import reorder
from storage.shapes import UNFINISHED, ClockStep, Game, InteractionId, Notice, Status
from storage.status import GAMES, enter_status, load, must_be_free, must_be_open, touch

ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: ids are read aloud and typed
ID_LENGTH = 6


class Games:
    """The games of the file."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def create_game(
        self,
        *,
        channel_id: int,
        host_id: int,
        title: str,
        guild_id: int | None = None,
        options: str = "[]",
        settings: str = "{}",
        interaction_id: InteractionId | None = None,
    ) -> Game:
        """Create an open game without seats. Raises ChannelTaken or Duplicate."""

        async def work(tx: Tx) -> Game:
            await refuse_repeats(tx, interaction_id)
            try:
                await must_be_free(tx, channel_id)
            except ChannelTaken:  # perhaps by this very press, which another process has handled in between
                await refuse_repeats(tx, interaction_id)
                raise
            game = await _unused_id(tx)
            await tx.run(
                "INSERT INTO games (id, guild_id, channel_id, title, options, settings, status, host_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?)",
                *(game, guild_id, channel_id, title, options, settings, host_id, tx.now),
            )
            await remember(tx, interaction_id, "create", game, 0)
            return await load(tx, game)

        return await self._db.write(work)

    async def game(self, game: str) -> Game:
        """The game with this id; raises UnknownGame."""
        row = await self._db.one(f"{GAMES} WHERE id = ?", game)
        if not row:
            raise UnknownGame(game)
        return Game(*row)

    async def version(self, game: str) -> int:
        """The game's version, to tell whether a copy in memory is old. Raises UnknownGame."""
        row = await self._db.one("SELECT version FROM games WHERE id = ?", game)
        if not row:
            raise UnknownGame(game)
        return int(row[0])

    async def game_in_channel(self, channel_id: int) -> Game | None:
        """The channel's unfinished game, otherwise the last one that ended there, otherwise None."""
        row = await self._db.one(
            f"{GAMES} WHERE channel_id = ?"
            " ORDER BY status IN ('open', 'running') DESC, finished_at DESC NULLS LAST, created_at DESC, rowid DESC"
            " LIMIT 1",
            channel_id,
        )
        return Game(*row) if row else None

    async def games_of_user(self, user_id: int, *statuses: Status) -> list[Game]:
        """The games in which the person holds a seat now, oldest first; by default the unfinished ones."""
        chosen = statuses or UNFINISHED
        rows = await self._db.all(
            f"{GAMES} WHERE id IN (SELECT game FROM seats WHERE user_id = ? AND left_at IS NULL)"
            f" AND status IN ({_marks(chosen)}) ORDER BY created_at, rowid",
            *(user_id, *chosen),
        )
        return [Game(*row) for row in rows]

    async def games_of_guild(self, guild_id: int, *statuses: Status) -> list[Game]:
        """The guild's games, oldest first; by default the unfinished ones."""
        chosen = statuses or UNFINISHED
        rows = await self._db.all(
            f"{GAMES} WHERE guild_id = ? AND status IN ({_marks(chosen)}) ORDER BY created_at, rowid",
            *(guild_id, *chosen),
        )
        return [Game(*row) for row in rows]

    async def games(self, *statuses: Status) -> list[Game]:
        """All games, oldest first; by default the unfinished ones."""
        chosen = statuses or UNFINISHED
        rows = await self._db.all(f"{GAMES} WHERE status IN ({_marks(chosen)}) ORDER BY created_at, rowid", *chosen)
        return [Game(*row) for row in rows]

    async def change_game(
        self,
        game: str,
        *,
        channel_id: int | None = None,
        host_id: int | None = None,
        options: str | None = None,
        settings: str | None = None,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> Game:
        """Replace what is given. Raises ChannelTaken, Duplicate, or Stale for options of a game that has started."""

        async def work(tx: Tx) -> Game:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            if options is not None and now.status != "open":
                raise Stale(f"Game {game} has started: its options can no longer change.")
            if channel_id is not None and channel_id != now.channel_id and now.status in UNFINISHED:
                await must_be_free(tx, channel_id)
            await tx.run(
                "UPDATE games SET channel_id = coalesce(?, channel_id), host_id = coalesce(?, host_id),"
                " options = coalesce(?, options), settings = coalesce(?, settings) WHERE id = ?",
                *(channel_id, host_id, options, settings, game),
            )
            await touch(tx, game)
            await post(tx, game, now.seq, notices)
            await remember(tx, interaction_id, "change", game, now.seq)
            return await load(tx, game)

        return await self._db.write(work)

    async def start_game(
        self,
        game: str,
        *,
        order: Sequence[int] | None = None,
        options: str | None = None,
        settings: str | None = None,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
        clock: ClockStep | None = None,
    ) -> Game:
        """Start an open game. Raises Stale if it is not open or `order` does not list the taken seats.

        `order` lists the taken seats in their new order: (3, 1, 2) moves the person in seat 3 to seat 1.
        Without it the seats keep their order and gaps are closed.
        """

        async def work(tx: Tx) -> Game:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            must_be_open(now)
            await reorder(tx, game, order)
            await tx.run(
                "UPDATE games SET options = coalesce(?, options), settings = coalesce(?, settings) WHERE id = ?",
                *(options, settings, game),
            )
            await enter_status(tx, game, "running", None)
            await touch(tx, game)
            await post(tx, game, 0, notices)
            if clock is not None:
                await take(tx, game, 0, clock)
            await remember(tx, interaction_id, "start", game, 0)
            return await load(tx, game)

        return await self._db.write(work)

    async def set_status(
        self,
        game: str,
        status: Status,
        *,
        expected: Status | None = None,
        result: str | None = None,
        interaction_id: InteractionId | None = None,
        notices: Sequence[Notice] = (),
    ) -> Game:
        """End a game, or reopen one.

        Raises Stale if its status is not the one `expected`, ChannelTaken if its channel has another game by now. The
        result is stored with an ended game and forgotten when it is reopened.
        """

        async def work(tx: Tx) -> Game:
            now = await load(tx, game)
            await refuse_repeats(tx, interaction_id)
            if expected not in (None, now.status):
                raise Stale(f"Game {game} is {now.status}, not {expected}.")
            seq = now.seq
            await enter_status(tx, game, status, result)
            await touch(tx, game)
            await post(tx, game, seq, notices)
            await remember(tx, interaction_id, status, game, seq)
            return await load(tx, game)

        return await self._db.write(work)


async def _unused_id(tx: Tx) -> str:
    while True:
        game = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        if not await tx.one("SELECT 1 FROM games WHERE id = ?", game):
            return game


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
