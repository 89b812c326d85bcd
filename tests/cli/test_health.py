"""`tetsudo health`, as a container asks it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cli.main import main
from storage import Store


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("TETSUDO_DB", str(path))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return path


async def _make(path: Path) -> None:
    async with Store.open(path):
        pass


def test_a_sound_database_is_healthy_without_a_token(database: Path) -> None:
    asyncio.run(_make(database))
    assert main(["health"]) == 0


def test_a_missing_database_is_not_made(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["health"]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert not database.exists()


def test_a_damaged_database_is_named(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database.write_bytes(b"not a database" * 400)
    assert main(["health"]) == 1
    assert str(database) in capsys.readouterr().err


def test_a_wrong_setting_is_named(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TETSUDO_WORKERS", "many")
    assert main(["health"]) == 1
    assert "TETSUDO_WORKERS" in capsys.readouterr().err
