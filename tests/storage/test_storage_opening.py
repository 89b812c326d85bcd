"""What a place is, and which engine it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from storage import Address, BadAddress, place_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "address", ["postgresql://ann:secret@db.example:5433/games?sslmode=require", "postgres://db/x"]
)
def test_an_address_is_shown_without_its_password(address: str) -> None:
    place = place_of(address)
    assert isinstance(place, Address)
    assert place.url == address
    assert "secret" not in f"{place} {place!r}"
    assert str(place) in ("postgresql://ann@db.example:5433/games", "postgresql://db/x")


def test_everything_else_is_a_file() -> None:
    for name in ("games.sqlite3", "data/postgresql", r"C:\games\x.sqlite3"):
        assert place_of(name) == Path(name)


@pytest.mark.parametrize("scheme", ["sqlite", "mysql", "POSTGRESQL", "postgresql+asyncpg"])
def test_no_new_file_is_begun_where_another_kind_of_address_is_named(scheme: str) -> None:
    with pytest.raises(BadAddress) as refused:
        place_of(f"{scheme}://ann:secret@db/games")
    assert "secret" not in str(refused.value)


@pytest.mark.long
def test_without_its_package_postgresql_says_what_to_install() -> None:
    program = """
import asyncio, sys
sys.modules["asyncpg"] = None
from storage import Store, Unavailable
async def main():
    async with Store.open("postgresql://localhost/games"):
        pass
try:
    asyncio.run(main())
except Unavailable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert "pip install 'tetsudo[postgres]'" in done.stdout, done.stderr
