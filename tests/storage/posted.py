"""Messages that were posted, as the outbox records them."""

from storage import Store
from storage.messages import record


async def posted(store: Store, game: str, seq: int, kind: str, channel_id: int, message_id: int) -> None:
    await store._db.write(lambda tx: record(tx, game, seq, kind, channel_id, message_id))
