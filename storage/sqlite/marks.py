"""How marks are renewed in a file: by triggers, which exist on this program's own connection alone."""

import hashlib
from itertools import groupby
from operator import itemgetter

from storage.db import Reader, Tx, Values
from storage.shapes import Relation

SINCE = 19
"""The version of the file that has marks. The migration to it marks every row as it finds it."""
OTHERWISE = frozenset({"games", "seats", "log", "seals", "marks"})
"""Tables that are proved by other means."""
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name"
_COLUMNS = f"SELECT t.name, c.name, c.pk FROM ({TABLES}) t JOIN pragma_table_info(t.name) c ORDER BY t.name, c.cid"
"""Of each table its columns in order, and of each column its place in the table's key, counted from 1; 0 for none."""


async def marked(db: Reader) -> list[Relation]:
    """The tables whose rows have marks: ours all have a key, one that somebody has put into the file may not."""
    return [one for one in await tables(db) if one.name not in OTHERWISE and one.key]


async def tables(db: Reader) -> list[Relation]:
    """All tables of a file, by name."""
    return [_table(name, list(columns)) for name, columns in groupby(await db.all(_COLUMNS), key=itemgetter(0))]


def _table(name: str, columns: list[Values]) -> Relation:
    key = sorted((place, column) for _, column, place in columns if place)
    return Relation(name, tuple(column for _, column, _ in columns), tuple(column for _, column in key))


async def mark_all(tx: Tx) -> None:
    """Mark every row as it is now, where none has been marked."""
    for table in await marked(tx):
        marks = [(table.name, key, mark_of(text)) for key, text in await tx.all(rows(table))]
        await tx.many("INSERT INTO marks (of_table, row_key, hash) VALUES (?, ?, ?)", marks)


def rows(table: Relation) -> str:
    """The query for the keys of a table's rows, and for their texts, of which marks are made."""
    return f"SELECT {_key(table)}, {_text(table)} FROM {table.name}"


def triggers(table: Relation) -> list[str]:
    """The statements that renew the marks of the table with every change from then on."""
    keep = (
        f"INSERT INTO marks (of_table, row_key, hash)"
        f" VALUES ('{table.name}', {_key(table, 'NEW.')}, mark_of({_text(table, 'NEW.')}))"
        " ON CONFLICT (of_table, row_key) DO UPDATE SET hash = excluded.hash;"
    )
    drop = f"DELETE FROM marks WHERE of_table = '{table.name}' AND row_key = {_key(table, 'OLD.')}"
    moved = f"{drop} AND row_key <> {_key(table, 'NEW.')};"
    done = (("INSERT", keep), ("UPDATE", moved + keep), ("DELETE", f"{drop};"))
    return [
        f"CREATE TEMP TRIGGER {table.name}_marked_{event.lower()} AFTER {event} ON main.{table.name} BEGIN {what} END"
        for event, what in done
    ]


def _key(table: Relation, of: str = "") -> str:
    return " || ' ' || ".join(f"CAST({of}{name} AS TEXT)" for name in table.key)


def _text(table: Relation, of: str = "") -> str:
    """The values as text, without those that are NULL."""
    return " || ".join(
        f"CASE WHEN {of}{name} IS NULL THEN '' ELSE '{name}=' || quote({of}{name}) || ';' END" for name in table.columns
    )


def mark_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
