"""When what the bot looks after is due, which it finds out by looking."""

from __future__ import annotations

from storage.due import Due


async def next_due(rows: Due) -> int | None:
    """When the next of these rows is due, None for never."""
    found: tuple[int | None] = await rows._db.one(f"SELECT min(due_at) FROM {rows.TABLE}")
    return found[0]
