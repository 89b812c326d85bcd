"""A write-ahead log that is cut short and pages that are damaged, under a bot that starts and one that runs."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from wire_checker import sound
from wire_people import acknowledged, answered, buttons, until
from wire_play import Party, playing, seq_of
from wire_process import BotProcess, rows, settled
from wire_server import Server

from cli.main import main as tetsudo

Log = list[tuple[object, ...]]


async def played(table: Party, turns: int) -> list[Log]:
    """Pass some times; the log after each."""
    logs = []
    for _ in range(turns):
        packet = table.packet()
        known = table.seq()
        await table.up(packet).click(packet, buttons(packet)["Pass"])
        await until(table.server, lambda k=known: table.seq() > k, what="the action")  # type: ignore[misc]
        await settled(table.server, table.database)
        logs.append(log_of(table.database))
    return logs


def log_of(database: Path) -> Log:
    return rows(database, "SELECT * FROM log ORDER BY game, seq")


def wal_of(database: Path) -> Path:
    return database.with_name(f"{database.name}-wal")


async def verify(database: Path) -> int:
    """The exit code of `tetsudo verify`."""
    return await asyncio.to_thread(tetsudo, ["verify", "--database", str(database)])


def scramble(database: Path, table: str) -> None:
    """Damage the page at which a table begins."""
    with closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = other.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(os.urandom(size))


async def test_a_write_ahead_log_cut_short_leaves_whole_turns_and_the_table_is_shown_where_it_stands(
    server: Server, bot: BotProcess, table: Party, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = await played(table, 4)
    await bot.kill()
    wal = wal_of(table.database)
    size = wal.stat().st_size
    cut = size - 1000
    while log_of(table.database) == logs[-1]:  # into a frame, until the last turn is no longer there
        cut -= 10_001
        os.truncate(wal, cut)
    kept = log_of(table.database)
    assert kept in logs
    assert await verify(table.database) == 0, capsys.readouterr().out
    async with bot:
        await settled(server, table.database)
        lost = table.packet()
        assert seq_of(lost) > table.seq()
        given = await table.up(lost).click(lost, buttons(lost)["Pass"])
        await until(server, lambda: bool(given.said), what="a private answer")
        assert "older copy" in given.said[-1]
        assert given.answers[-1].private
        assert log_of(table.database) == kept
        await until(server, lambda: not buttons(lost) and table.channel.last is not lost, what="the turn")
        assert seq_of(table.packet()) == table.seq()
        assert table.packet().pinged == (table.up(table.packet()).id,)
        await settled(server, table.database)
        await played(table, 1)


async def test_a_write_ahead_log_cut_short_under_a_running_bot_leaves_no_half_written_turn(
    server: Server, bot: BotProcess, table: Party, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = await played(table, 3)
    os.truncate(wal_of(table.database), wal_of(table.database).stat().st_size // 2)
    packet, known = table.packet(), len(logs[-1])
    given = await table.up(packet).click(packet, buttons(packet)["Pass"])
    await acknowledged(server, given)
    await until(server, lambda: bool(given.said) or len(bot.log()) > 0, what="something")
    assert not bot.ended
    await bot.kill()
    kept = log_of(table.database)
    assert len(kept) <= known + 1
    assert kept[:known] == logs[-1][: len(kept)]
    await sound(table.database)
    assert await verify(table.database) == 0, capsys.readouterr().out
    async with bot:
        await settled(server, table.database)
        assert "Traceback" not in bot.log()


async def test_a_damaged_page_is_told_as_damage_and_named_by_verify(
    server: Server, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = BotProcess(server, database)
    async with bot:
        table = await playing(server, database)
        await played(table, 2)
        await bot.stop()
    async with bot:  # it runs, and has not yet read the game
        await settled(server, table.database)
        scramble(table.database, "log")
        told = await answered(server, await table.passes())
        assert "damaged" in told.text
        assert "Nothing was changed" in told.text
        assert "again" not in told.text  # trying again helps nobody
        assert table.seq() == 2
        assert "restore it from a backup" in bot.log()
        assert not bot.ended
        await bot.stop()
    capsys.readouterr()
    assert await verify(table.database) == 1
    said = capsys.readouterr()
    assert "damaged" in said.out + said.err
    assert "Traceback" not in said.out + said.err


async def test_a_damaged_first_page_stops_the_start_in_one_sentence(server: Server, database: Path) -> None:
    bot = BotProcess(server, database)
    async with bot:
        table = await playing(server, database)
        await bot.stop()
    with table.database.open("r+b") as file:
        file.seek(100)  # after the header: the list of all tables
        file.write(os.urandom(3900))
    before = table.database.read_bytes()
    assert await bot.fails() == 1, bot.log()
    assert "damaged: restore it from a backup" in bot.log()
    assert table.database.read_bytes() == before
