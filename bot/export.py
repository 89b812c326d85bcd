"""A live game as a record that other programs read."""

from __future__ import annotations

from bot.errors import TableError
from bot.table import Table


def record_of(table: Table) -> str:
    """The game as JSON text. Raises TableError where this title cannot be exported."""
    try:
        import records
    except ImportError:  # pragma: no cover
        raise TableError("This game cannot be exported yet.") from None
    write = getattr(records, "export_game", None)
    if write is None:
        raise TableError("This game cannot be exported yet.")
    text: str = write(table.title, list(table.names.values()), [one.action for one in table.told])
    return text
