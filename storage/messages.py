"""The messages posted about positions, so that old ones can lose their buttons."""

from collections.abc import Sequence

from storage.db import Area, Tx, transaction
from storage.shapes import Game, Message, Shards
from storage.status import on_shards

DAY = 24 * 3600


class Posted(Area):
    async def find(self, message_id: int) -> Message | None:
        return await self._db.first(Message, "WHERE message_id = ?", message_id)

    async def live(self, game: str) -> list[Message]:
        """Messages that still have buttons, oldest first."""
        return await self._db.find(Message, "WHERE game = ? AND retired_at IS NULL ORDER BY seq, message_id", game)

    async def of_game(self, game: str) -> list[Message]:
        """All its messages, with buttons or without, in the order of their positions."""
        return await self._db.find(Message, "WHERE game = ? ORDER BY seq, message_id", game)

    async def unshown(self, kind: str, shards: Shards | None = None, *, game: str | None = None) -> list[Game]:
        """Running games of which no message of this kind shows the position and none is to be sent.

        `kind` is a pattern, as in "turn:%". Only messages in the game's channel count, with their buttons. On these
        shards, or only this game.
        """
        which, values = on_shards("games", shards) if game is None else (" AND games.id = ?", (game,))
        return await self._db.find(
            Game,
            f"WHERE status = 'running'{which}"
            " AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.game = games.id AND retired_at IS NULL"
            " AND kind LIKE ? AND messages.channel_id = games.channel_id"
            " AND coalesce(shows, messages.seq) >= games.seq)"
            " AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.game = games.id AND done_at IS NULL AND kind LIKE ?)"
            " ORDER BY games.id",
            *(*values, kind, kind),
        )

    async def unreduced(self, turns: str, others: Sequence[str], shards: Shards | None = None) -> list[Game]:
        """Games with messages that have buttons beside the one that shows the position, while no turn is to be sent.

        That one counts, too, once a game has ended without a result. Of the kinds `turns` and `others`, patterns; of
        games that go on or were over less than a day ago.
        """
        own, numbers = on_shards("games", shards)
        kinds = " OR ".join(["kind LIKE ?"] * (1 + len(others)))
        return await self._db.find(
            Game,
            f"WHERE (status = 'running' OR finished_at > ?){own}"
            f" AND EXISTS (SELECT 1 FROM messages WHERE messages.game = games.id AND retired_at IS NULL AND ({kinds})"
            " AND NOT (status <> 'abandoned' AND kind LIKE ? AND messages.channel_id = games.channel_id"
            " AND coalesce(shows, messages.seq) >= games.seq))"
            " AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.game = games.id AND done_at IS NULL AND kind LIKE ?)"
            " ORDER BY games.id",
            *(self._db.clock() - DAY, *numbers, turns, *others, turns, turns),
        )

    async def games_shown(self, kind: str, since: int, shards: Shards | None = None) -> list[str]:
        """Running games on these shards with a message of this kind, a pattern, posted at that time or later.

        Only messages with their buttons count: an index has these by their games.
        """
        own, numbers = on_shards("games", shards)
        rows = await self._db.all(
            f"SELECT id FROM games WHERE status = 'running'{own} AND EXISTS (SELECT 1 FROM messages"
            " WHERE messages.game = games.id AND retired_at IS NULL AND kind LIKE ? AND posted_at >= ?) ORDER BY id",
            *(*numbers, kind, since),
        )
        return [game for (game,) in rows]

    async def posted_since(self, game: str, kind: str, since: int) -> int:
        """How many messages of this kind were posted at that time or later, with buttons or without."""
        row = await self._db.one(
            "SELECT count(*) FROM messages WHERE game = ? AND kind = ? AND posted_at >= ?", game, kind, since
        )
        return int(row[0])

    @transaction
    async def retire(self, tx: Tx, message_ids: Sequence[int]) -> None:
        """Record that these messages have lost their buttons."""
        await tx.many(
            "UPDATE messages SET retired_at = ? WHERE message_id = ? AND retired_at IS NULL",
            [(tx.now, message_id) for message_id in message_ids],
        )


async def record(tx: Tx, game: str, seq: int, kind: str, channel_id: int, message_id: int) -> None:
    """Remember a posted message; of one that is known, the position that it shows by now."""
    await tx.run(
        "INSERT INTO messages (message_id, channel_id, game, seq, kind, posted_at, shows) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (message_id) DO UPDATE SET shows = excluded.shows",
        *(message_id, channel_id, game, seq, kind, tx.now, seq),
    )
