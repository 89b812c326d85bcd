"""A disk that is full, and a database that is locked, read-only or damaged, under a bot that runs or starts."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path

from wire_checker import sound
from wire_people import acknowledged, answered, buttons, until
from wire_play import Party, party, seq_of
from wire_process import BotProcess, settled
from wire_server import Server


async def test_a_locked_database_is_told_to_the_player_and_nothing_is_half_done(
    server: Server, bot: BotProcess, table: Party
) -> None:
    packet = table.packet()
    other = sqlite3.connect(table.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    given = await table.up(packet).click(packet, buttons(packet)["Pass"])
    await acknowledged(server, given)
    told = await answered(server, given)
    assert "cannot read or save games right now" in told.text
    assert told.private
    other.execute("ROLLBACK")
    other.close()
    assert table.seq() == 0
    await table.turn()
    assert table.seq() >= 1
    assert "locked" in bot.log()


async def test_a_full_disk_is_told_to_the_player_and_the_game_goes_on_when_there_is_room(
    server: Server, bot: BotProcess, table: Party
) -> None:
    await bot.stop()
    await asyncio.to_thread(fill, table.database)
    bot.file_limit = table.database.stat().st_size + 40_000

    def full() -> bool:
        return "size limit" in bot.log() or "disk failed" in bot.log()

    async with bot:
        for _ in range(40):
            packet, known = table.packet(), table.seq()
            given = await table.up(packet).click(packet, buttons(packet)["Pass"])
            await acknowledged(server, given)
            await until(server, lambda g=given, k=known: bool(g.said) or table.seq() > k, what="something")  # type: ignore[misc]
            if given.said:
                break
            # The disk may be full just when the next turn is to be shown.
            await until(server, lambda k=known: full() or seq_of(table.packet()) > k, what="the turn")  # type: ignore[misc]
        assert full()
        assert not bot.ended
        assert not given.said or "cannot read" in given.said[-1] or "moved on" in given.said[-1], given.said
    bot.file_limit = None
    await sound(table.database)
    async with bot:
        await settled(server, table.database)
        assert seq_of(table.packet()) == table.seq()
        await table.turn()


def fill(database: Path) -> None:
    """Make the file larger than its companions will get, so that a limit on files meets both."""
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE ballast (x BLOB)")
        other.execute("INSERT INTO ballast VALUES (zeroblob(200000))")
    other.close()


async def test_a_start_that_cannot_be_says_why_in_one_sentence(server: Server, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(os.urandom(40_000))
    nowhere = Path("/proc/none/x.sqlite3")
    for path, words, code in ((damaged, "damaged: restore it from a backup", 1), (nowhere, "folder", 2)):
        bot = BotProcess(server, path)
        bot.log_file = tmp_path / f"{path.stem}.log"
        assert await bot.fails() == code
        assert words in bot.log()
        assert "Traceback" not in bot.log()


async def test_a_damaged_page_of_one_game_is_named_and_other_games_are_played(server: Server, database: Path) -> None:
    tables = [await party(server, database, name=f"rails{number}") for number in range(2)]
    async with BotProcess(server, database) as bot:
        for table in tables:
            await table.begin()
            await table.plays()
        await bot.stop()
    with sqlite3.connect(database) as other:
        other.execute("DROP TRIGGER log_is_not_changed")
        other.execute('UPDATE log SET body = \'{"do": "Pass", "by": "p9"}\' WHERE game = ?', (tables[0].game,))
    other.close()
    async with bot:
        broken, whole = tables
        packet = broken.packet()
        told = await answered(server, await broken.up(packet).click(packet, next(iter(buttons(packet).values()))))
        assert "log is damaged at entry 1" in told.text, told.text
        await whole.turn()
