"""Two processes of the bot on one database give a channel one puzzle a day, whoever comes first."""

from __future__ import annotations

import asyncio
import copy
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from club import Club, text
from days import Day, Hand
from due import next_due
from simcord.http import router

from bot.core.hours import DAY
from bot.house import House
from bot.rooms.puzzles import room
from storage import Store

pytestmark = pytest.mark.threads


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, new_file: Path, tmp_path: Path) -> str:
    """Where a new database is."""
    if request.param == "sqlite":
        return shutil.copy(new_file, str(tmp_path / "games.sqlite3"))
    address: str = request.getfixturevalue("postgres").new_database()
    return address


@pytest_asyncio.fixture
async def store(place: str, hand: Hand) -> AsyncIterator[Store]:
    async with Store.open(place, clock=hand) as opened:
        yield opened


@pytest_asyncio.fixture
async def other(place: str, hand: Hand, club: Club) -> AsyncIterator[House]:
    """The bot as another process runs it, on the same Discord."""
    async with Store.open(place, clock=hand) as opened:
        one = copy.copy(club.bot)
        one.store = opened
        yield one


@pytest.fixture(autouse=True)
def nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord makes one message of two with the same nonce, which the simulation does not."""
    made, dispatch = dict[str, Any](), router.dispatch

    def once(backend: Any, method: str, path: str, *, json: Any = None, **rest: Any) -> Any:
        nonce = json.get("nonce") if isinstance(json, dict) and json.get("enforce_nonce") else None
        if nonce in made:
            return made[nonce]
        answer = dispatch(backend, method, path, json=json, **rest)
        if nonce is not None:
            made[nonce] = answer
        return answer

    monkeypatch.setattr(router, "dispatch", once)


def puzzles(day: Day) -> list[str]:
    return [said for said in day.said() if "Puzzle of the day" in said]


@pytest.mark.long
async def test_of_two_processes_that_look_at_once_one_posts(day: Day, other: House) -> None:
    club, hand = day.club, day.hand
    await club.bot.store.puzzles.start(club.channel.id, club.guild.id, club.aiko.id)
    for number in range(1, 4):
        done = await asyncio.gather(*(one.do_due("puzzles") for one in (club.bot, other) * 2))
        assert sum(done) == 1
        assert len(puzzles(day)) == number
        hand.now += DAY


async def test_a_process_whose_claim_ran_out_while_it_posted_makes_no_second_puzzle(day: Day, other: House) -> None:
    club = day.club
    await club.bot.store.puzzles.start(club.channel.id, club.guild.id, club.aiko.id)
    await asyncio.gather(*(room.post(one, club.channel.id) for one in (club.bot, other)))
    (shown,) = day.messages()
    assert "Puzzle of the day" in text(shown)
    begun = await other.store.puzzles.latest(club.channel.id, day.hand.now)
    assert begun is not None
    assert begun.message_id == shown.id
    assert await next_due(other.store.puzzles) == day.hand.now + DAY
