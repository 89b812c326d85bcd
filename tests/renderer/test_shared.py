"""The file of drawn parts outlives the bot and keeps to its size; whatever is wrong with it costs time alone."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from renderer import shared
from renderer.shared import SharedParts

MEGABYTE = 1 << 20


@pytest.mark.second
def test_shared_parts_keep_to_their_size_and_lose_the_oldest(tmp_path: Path) -> None:
    path = tmp_path / "parts.sqlite3"
    parts, other = SharedParts(path, MEGABYTE), SharedParts(path, MEGABYTE)
    for number in range(600):
        parts.put(("part", number), os.urandom(8000))
    assert other.get(("part", 0)) is None
    assert len(other.get(("part", 599)) or b"") == 8000
    assert parts._size() <= MEGABYTE + 16_000
    parts.close()
    other.close()


def test_parts_are_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "parts.drawn"
    first = SharedParts(path, MEGABYTE)
    first.put(("hex", 1), b"drawn")
    first.close()
    again = SharedParts(path, MEGABYTE)
    assert again.has(("hex", 1))
    assert again.get(("hex", 1)) == b"drawn"
    assert not again.has(("hex", 2))
    again.close()


def test_what_another_version_has_drawn_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = SharedParts(tmp_path / "parts.drawn", MEGABYTE)
    parts.put("hex", b"old colours")
    monkeypatch.setattr(shared, "_version", lambda: b"newer")
    assert not parts.has("hex")
    assert parts.get("hex") is None
    parts.close()


def test_a_part_that_was_written_in_part_is_drawn_anew(tmp_path: Path) -> None:
    path = tmp_path / "parts.drawn"
    parts = SharedParts(path, MEGABYTE)
    parts.put("hex", b"whole part")
    with sqlite3.connect(path) as other:
        other.execute("UPDATE parts SET part = ?", (b"whole",))
    other.close()
    assert parts.get("hex") is None
    parts.put("hex", b"whole part")
    assert parts.get("hex") == b"whole part"
    parts.close()


@pytest.mark.parametrize("damage", [b"no database at all " * 1000, None])
def test_a_damaged_file_is_replaced(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "parts.drawn"
    if damage is None:  # a good beginning, rubbish after it
        parts = SharedParts(path, MEGABYTE)
        for number in range(200):
            parts.put(number, os.urandom(4000))
        parts.close()
        damage = path.read_bytes()[:4096] + os.urandom(300_000)
    path.write_bytes(damage)
    parts = SharedParts(path, MEGABYTE)
    for _ in range(2):  # the first may find the damage
        parts.put("hex", b"part")
    assert parts.get("hex") == b"part"
    parts.close()


def test_without_a_folder_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    parts = SharedParts(tmp_path / "nowhere" / "parts.drawn", MEGABYTE)
    parts.put("hex", b"part")
    assert parts.get("hex") is None
    assert not parts.has("hex")
    parts.close()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of files are those of POSIX")
def test_only_the_bots_own_user_may_read_the_file(tmp_path: Path) -> None:
    parts = SharedParts(tmp_path / "parts.drawn", MEGABYTE)
    parts.put("hex", b"part")
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    parts.close()


@pytest.mark.second
def test_the_file_is_closed_once_no_thread_reads_it(tmp_path: Path) -> None:
    """SQLite crashes the process otherwise, as whoever draws when the bot ends does not know."""
    parts = SharedParts(tmp_path / "parts", 1 << 20)
    true, said = parts._file, list[str]()
    reads, goes_on = threading.Event(), threading.Event()

    class Slow:
        def execute(self, *_: Any) -> Any:
            reads.set()
            goes_on.wait(10)
            said.append("read")
            return SimpleNamespace(fetchall=list)

        def close(self) -> None:
            said.append("closed")

    parts._file = Slow()  # type: ignore[assignment]
    reader = threading.Thread(target=parts.get, args=("a hex",))
    closer = threading.Thread(target=parts.close)
    reader.start()
    assert reads.wait(10)
    closer.start()
    closer.join(0.05)
    goes_on.set()
    for one in (reader, closer):
        one.join(10)
    assert said == ["read", "closed"]
    assert parts.get("a hex") is None
    assert true is not None
    true.close()
