"""Games: creating, finding, starting and ending them. What happens in them is in `events`."""

from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Unpack

from storage.clocks import changing
from storage.db import Area, Reader, Tx, transaction
from storage.errors import ChannelTaken, Stale, UnknownGame
from storage.seats import reorder
from storage.shapes import UNFINISHED, Along, Game, InteractionId, Shards, Status, places
from storage.status import enter_status, load, must_be_free, must_be_open, on_shards, refuse_repeats, remember
from storage.watches import stir

ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: ids are read aloud and typed
ID_LENGTH = 6
RANDOM: Random = SystemRandom()


class Games(Area):
    @transaction
    async def create_game(
        self,
        tx: Tx,
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
        await refuse_repeats(tx, interaction_id)
        try:
            await must_be_free(tx, channel_id)
        except ChannelTaken:  # perhaps by this very press, which another process has handled in between
            await refuse_repeats(tx, interaction_id)
            raise
        game = await _unused_id(tx)
        where = {"guild_id": guild_id, "channel_id": channel_id, "host_id": host_id}
        what = {"title": title, "options": options, "settings": settings}
        await tx.insert("games", id=game, **where, **what, status="open", created_at=tx.now)
        await remember(tx, interaction_id, "create", game, 0)
        return await load(tx, game)

    async def game(self, game: str) -> Game:
        """The game with this id; raises UnknownGame."""
        found = await self._db.first(Game, "WHERE id = ?", game)
        if found is None:
            raise UnknownGame(game)
        return found

    async def version(self, game: str) -> int:
        """The game's version, to tell whether a copy in memory is old. Raises UnknownGame."""
        row = await self._db.one("SELECT version FROM games WHERE id = ?", game)
        if not row:
            raise UnknownGame(game)
        return int(row[0])

    async def game_in_channel(self, channel_id: int) -> Game | None:
        """The channel's unfinished game, otherwise the last one that ended there, otherwise None."""
        return await self._db.first(
            Game,
            "WHERE channel_id = ? ORDER BY status IN ('open', 'running') DESC,"
            " finished_at DESC NULLS LAST, created_at DESC, rowid DESC LIMIT 1",
            channel_id,
        )

    async def games_of_user(self, user_id: int, *statuses: Status) -> list[Game]:
        """The games in which the person holds a seat now, oldest first; by default the unfinished ones."""
        theirs = "id IN (SELECT game FROM seats WHERE user_id = ? AND left_at IS NULL) AND"
        return await _of_status(self._db, statuses, theirs, user_id)

    async def games_of_guild(self, guild_id: int, *statuses: Status) -> list[Game]:
        """The guild's games, oldest first; by default the unfinished ones."""
        return await _of_status(self._db, statuses, "guild_id = ? AND", guild_id)

    async def games(self, *statuses: Status) -> list[Game]:
        """All games, oldest first; by default the unfinished ones."""
        return await _of_status(self._db, statuses)

    async def unread(self, shards: Shards | None = None) -> list[str]:
        """The running games that were last written or read by other rules than these; all where none are named."""
        which, values = on_shards("games", shards)
        other = f"WHERE status = 'running' AND (rules IS NULL OR rules <> ?){which} ORDER BY id"
        found = await self._db.all(f"SELECT id FROM games {other}", self._db.rules or "", *values)
        return [game for (game,) in found]

    @transaction
    async def read(self, tx: Tx, game: str, version: int) -> None:
        """Note that the game has been read by these rules, unless it has changed since this version."""
        await load(tx, game)
        await tx.run("UPDATE games SET rules = ? WHERE id = ? AND version = ?", tx.db.rules, game, version)

    async def titles_played(self) -> list[str]:
        """The titles of running games, those of most games first."""
        rows = await self._db.all(
            "SELECT title FROM games WHERE status = 'running' GROUP BY title ORDER BY count(*) DESC, title"
        )
        return [title for (title,) in rows]

    async def numbers(self, shards: Shards | None = None) -> dict[Status, int]:
        """How many games there are of each status, on these shards."""
        which, values = on_shards("games", shards)
        counted = f"SELECT status, count(*) FROM games WHERE true{which} GROUP BY status"
        return dict(await self._db.all(counted, *values))

    @transaction
    async def change_game(
        self,
        tx: Tx,
        game: str,
        *,
        channel_id: int | None = None,
        host_id: int | None = None,
        options: str | None = None,
        settings: str | None = None,
        **along: Unpack[Along],
    ) -> Game:
        """Replace what is given. Raises ChannelTaken, Duplicate, or Stale, also for options of a started game."""
        async with changing(tx, game, "change", **along) as now:
            if options is not None and now.status != "open":
                raise Stale(f"Game {game} has started: its options can no longer change.")
            if channel_id is not None and channel_id != now.channel_id and now.status in UNFINISHED:
                await must_be_free(tx, channel_id)
            await tx.run(
                "UPDATE games SET channel_id = coalesce(?, channel_id), host_id = coalesce(?, host_id),"
                " options = coalesce(?, options), settings = coalesce(?, settings) WHERE id = ?",
                *(channel_id, host_id, options, settings, game),
            )
        return await load(tx, game)

    @transaction
    async def start_game(
        self,
        tx: Tx,
        game: str,
        *,
        order: Sequence[int] | None = None,
        settings: str | None = None,
        **along: Unpack[Along],
    ) -> Game:
        """Start an open game. Raises Stale if it is not open or `order` does not list the taken seats.

        `order` lists the taken seats in their new order: (3, 1, 2) moves the person in seat 3 to seat 1.
        Without it the seats keep their order and gaps are closed.
        """
        async with changing(tx, game, "start", **along) as now:
            must_be_open(now)
            await reorder(tx, game, order)
            await tx.run("UPDATE games SET settings = coalesce(?, settings) WHERE id = ?", settings, game)
            await enter_status(tx, game, "running", None)
            await stir(tx, game, ())
        return await load(tx, game)

    @transaction
    async def set_status(
        self, tx: Tx, game: str, status: Status, *, expected: Status | None = None, **along: Unpack[Along]
    ) -> Game:
        """End a game, or reopen one.

        Raises Stale if its status is not the one `expected`, ChannelTaken if its channel has another game by now. A
        game that is reopened has no result any more.
        """
        async with changing(tx, game, status, **along) as now:
            if expected not in (None, now.status):
                raise Stale(f"Game {game} is {now.status}, not {expected}.")
            await enter_status(tx, game, status, None)
            await stir(tx, game, {"end"} if status == "abandoned" else ())
        return await load(tx, game)


async def _unused_id(tx: Tx) -> str:
    while True:
        game = "".join(RANDOM.choice(ID_LETTERS) for _ in range(ID_LENGTH))
        if not await tx.one("SELECT 1 FROM games WHERE id = ?", game):
            return game


async def _of_status(reader: Reader, statuses: Sequence[Status], which: str = "", *values: int) -> list[Game]:
    chosen = statuses or UNFINISHED
    condition = f"{which} status IN ({places(len(chosen))})"
    return await reader.find(Game, f"WHERE {condition} ORDER BY created_at, rowid", *values, *chosen)
