"""Damage to any row beside games, seats and logs is found and named; what the program changes itself is not."""

# ruff: noqa: ASYNC240 (small files)

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copy

import pytest

from storage import Store
from storage.db import Tx
from storage.sqlite.marks import OTHERWISE, TABLES

PROVED_OTHERWISE = {*OTHERWISE, "about", "processes", "shards", "session_starts", "registered", "inbox"}
ROWS = {
    "advice": "(game, seat, seq) VALUES ('{}', 'p1', 7000006)",
    "alive": "(id, at) VALUES (1, 7000001)",
    "branches": "(game, user_id, body, revision, changed_at) VALUES ('{}', 5, 'a branch', 0, 500)",
    "breaks": "(id, stopped_at, resumed_at) VALUES (1, 7000002, 7000003)",
    "clocks": "(game, body, due_at) VALUES ('{}', 'a clock', 900)",
    "disturbances": "(by_user, user_id, notice, at) VALUES (5, 6, 1, 7000004)",
    "guides": "(user_id, body, revision, changed_at) VALUES (5, 'a stage', 0, 500)",
    "handovers": "(game, seq, seat, how, from_id, from_name, to_id, to_name, at)"
    " VALUES ('{}', 1, 'p1', 'given', 5, 'a handover', 6, 'Ben', 500)",
    "interactions": "(id, did, game, first_seq, last_seq, at) VALUES ('99', 'an append', '{}', 1, 1, 500)",
    "lessons": "(user_id, kind, at) VALUES (5, 'track', 7000005)",
    "loans": "(game, seat, owner_id, owner_name, ends_at) VALUES ('{}', 'p1', 5, 'a lending', 900)",
    "messages": "(message_id, channel_id, game, seq, kind, posted_at) VALUES (12, 7, '{}', 1, 'a message', 500)",
    "notes": "(game, user_id, body) VALUES ('{}', 5, 'a note')",
    "offers": "(game, seq, body, from_seat, to_seat, status, made_at)"
    " VALUES ('{}', 1, 'an offer', 'p1', 'p2', 'open', 500)",
    "openings": "(game, seat, why, opened_at) VALUES ('{}', 'p1', 'an opening', 500)",
    "outbox": "(game, seq, kind, body, lane, created_at, next_attempt_at)"
    " VALUES ('{}', 1, 'say', 'a notice', 'table', 500, 500)",
    "people": "(user_id, body) VALUES (5, 'a person')",
    "pings": "(user_id, game, kind, body, at) VALUES (5, '{}', 'turn', 'a ping', 800)",
    "proposals": "(game, seat, kind, by_user, user_id, name, days, status, made_at)"
    " VALUES ('{}', 'p1', 'give', 5, 6, 'a proposal', 0, 'open', 500)",
    "puzzle_answers": "(channel_id, day, user_id, answer, hit, at) VALUES (7000007, 3, 5, 0, 1, 950)",
    "puzzle_channels": "(channel_id, guild_id, user_id, due_at) VALUES (7000008, 8, 5, 900)",
    "puzzle_days": "(channel_id, day, puzzle, begun_at) VALUES (7, 3, 'a puzzle', 900)",
    "snapshots": "(game, seq, format, \"blob\") VALUES ('{}', 1, 1, CAST('a position' AS bytea))",
    "standing_orders": "(game, seat, body, set_at) VALUES ('{}', 'p1', 'a program', 500)",
    "votes": "(game, kind, seat, choice, seq, at) VALUES ('{}', 'end', 'p1', 'a vote', 0, 500)",
    "watches": "(game, kind, user_id, channel_id, events, every, seq, told_at)"
    " VALUES ('{}', 'follow', 6, 0, 'a watch', 3600, 0, 0)",
}
OTHER = {"handovers": "lent", "proposals": "lend", "watches": "board"}
"""What the columns of these tables may hold that may not hold everything."""


async def filled(store: Store) -> str:
    """A game, and one row in each marked table, written by the program."""
    game = (await store.create_game(channel_id=7, host_id=1, title="1889")).id
    await write(store, game, *ROWS)
    return game


async def write(store: Store, game: str, *tables: str) -> None:
    """Write the row of each table, and nothing else, as the program does."""

    async def work(tx: Tx) -> None:
        for table in tables:
            await tx.run(f"DELETE FROM {table}")
            await tx.run(added(store, table, game))

    await store._db.write(work)


def added(store: Store, table: str, game: str) -> str:
    return worded(store, f"INSERT INTO {table} {ROWS[table].format(game)}")


def worded(store: Store, sql: str) -> str:
    """In the words of the store's engine."""
    return sql.replace("bytea", "blob") if isinstance(store._db.place, Path) else sql


def different(table: str, value: object) -> str:
    """Another value of the same kind, as SQL has it."""
    if isinstance(value, int):
        return str(value + 1)
    if isinstance(value, bytes):
        return "CAST('b position' AS bytea)"
    if value in ("given", "give", "follow"):
        return f"'{OTHER[table]}'"
    return "'stale'" if value == "open" else f"'{value}.'"


async def test_every_table_is_proved(store: Store) -> None:
    ours = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    named = await store._db.all(TABLES if isinstance(store._db.place, Path) else ours)
    tables = {name for (name,) in named}
    assert {one.name for one in await store._db.marked()} == tables - PROVED_OTHERWISE == set(ROWS)


async def test_a_row_is_named_by_its_key_as_it_was_marked_by_earlier_versions(store: Store) -> None:
    keys = {one.name: one.key for one in await store._db.marked()}
    assert (keys["votes"], keys["breaks"]) == (("game", "kind", "seat"), ("id",))


@pytest.mark.broad
async def test_what_the_program_changes_is_no_damage(store: Store) -> None:
    await filled(store)
    for found in await store._db.marked():
        for column in sorted(set(found.columns) - set(found.key) - {"game"}):
            (value,) = await store._db.one(f'SELECT "{column}" FROM {found.name}')
            if value is not None:
                changed = f'UPDATE {found.name} SET "{column}" = {different(found.name, value)}'
                await store._db.write(partial(run, worded(store, changed)))
        assert await store.damaged_beside() == [], found.name


async def run(sql: str, tx: Tx) -> None:
    await tx.run(sql)


@pytest.mark.broad
async def test_every_value_that_another_program_changes_is_found(store: Store, by_hand: Callable[[str], None]) -> None:
    """One of each table at a time."""
    game = await filled(store)
    assert await store.damaged_beside() == await store.damaged_beside(game) == []
    left = {one.name: sorted(set(one.columns) - set(one.key) - {"game"}) for one in await store._db.marked()}
    assert sum(map(len, left.values())) > 80
    while any(left.values()):
        changes = {}
        for table, column in [(table, columns.pop()) for table, columns in left.items() if columns]:
            (value,) = await store._db.one(f'SELECT "{column}" FROM {table}')
            if value is not None:
                changes[table] = worded(store, f'UPDATE {table} SET "{column}" = {different(table, value)}')
        by_hand("; ".join(changes.values()))
        assert told(await store.damaged_beside(), "was changed by another program, or damaged.") == list(changes), left
        await write(store, game, *changes)
        assert await store.damaged_beside() == [], left


@pytest.mark.second
async def test_every_row_that_another_program_removes_is_found(store: Store, by_hand: Callable[[str], None]) -> None:
    await filled(store)
    by_hand("; ".join(f"DELETE FROM {table}" for table in ROWS))
    assert told(await store.damaged_beside(), "is missing.") == sorted(ROWS)


@pytest.mark.long
async def test_every_row_that_another_program_adds_is_found(store: Store, by_hand: Callable[[str], None]) -> None:
    async def emptied(tx: Tx) -> None:
        for table in ROWS:
            await tx.run(f"DELETE FROM {table}")

    game = await filled(store)
    await store._db.write(emptied)
    assert await store.damaged_beside() == []
    by_hand("; ".join(added(store, table, game) for table in ROWS))
    assert told(await store.damaged_beside(), "was changed by another program, or damaged.") == sorted(ROWS)


def told(said: list[str], what: str) -> list[str]:
    """The tables of which this is told of one row."""
    found = [re.fullmatch(rf"A row of (\w+) \(.*\) {re.escape(what)}", one) for one in said]
    return [one[1] if one else "?" for one in found]


@pytest.mark.second
async def test_a_game_is_looked_at_alone(store: Store, by_hand: Callable[[str], None]) -> None:
    await filled(store)
    other = (await store.create_game(channel_id=8, host_id=1, title="1889")).id
    await store.branches.add(other, 5, "another branch", most=3)
    by_hand("UPDATE branches SET body = 'damaged' WHERE body = 'a branch'")
    assert await store.damaged_beside(other) == []
    assert len(await store.damaged_beside()) == 1


async def test_many_damaged_rows_are_counted(store: Store, by_hand: Callable[[str], None]) -> None:
    for user in range(25):
        await store.lessons.dismiss(user, "track")
    by_hand("UPDATE lessons SET at = at + 1")
    found = await store.damaged_beside()
    assert len(found) == 11
    assert found[-1] == "So are 15 more rows of lessons."


async def test_what_is_rolled_back_leaves_the_marks(store: Store) -> None:
    async def fails() -> None:
        await store.lessons.dismiss(5, "token")
        raise KeyError

    await filled(store)
    with pytest.raises(KeyError):
        await store.together(fails)
    assert await store.damaged_beside() == []


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "every"])
@pytest.mark.parametrize("table", ROWS)
@pytest.mark.long
async def test_a_byte_that_the_disk_changes_is_found(path: Path, new_file: Path, table: str, every: bool) -> None:
    """Every byte of every place, or one of each place."""
    async with Store.open(copy(new_file, path)) as store:
        await filled(store)
    words = re.findall(r"'(an? [a-z ]+)'|(70000\d\d)", ROWS[table])
    (text,) = {one or other for one, other in words if one or other != "7000003"}
    stored = text.encode() if text[0] == "a" else int(text).to_bytes(4, "big").lstrip(b"\0")
    data = path.read_bytes()
    assert data.count(stored) >= 1
    for number, place in enumerate(one.start() for one in re.finditer(re.escape(stored), data)):
        for byte in range(len(stored)) if every else [(len(table) + number) % len(stored)]:
            damaged = bytearray(data)
            damaged[place + byte] ^= 1 << (byte % 7)
            path.write_bytes(damaged)
            async with Store.still(path) as found:
                said = await found.damaged_beside() + await found.check()  # the latter has what stands in indexes
            assert any(re.search(rf"\b{table}", one) for one in said), (place, byte)
