"""Two hundred games of four titles move to PostgreSQL and back, and stand there as they stood here."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import engine
from bot.core.table import Table
from bot.core.work import Work
from bot.rooms.seats import game_files, lobby
from cli.main import main
from engine import TITLES
from engine.stored import fingerprint
from records import native
from records.files import play
from records.simulate import steps
from storage import Store

GAMES, WHOLE, LONGEST = 200, 4, 150
"""How many; of how many all moves are played; how many moves the others have at most."""
Standing = dict[str, tuple[str, int, str, str]]
"""By game: its status, the last row of its log and its hash, the fingerprint of the position."""


async def fill(path: Path) -> None:
    random = Random(1889)
    async with Store.open(path) as store:
        for number in range(GAMES):
            title = sorted(TITLES)[number % len(TITLES)]
            await begin(store, title, number, None if number < WHOLE else random.randint(1, LONGEST), random)


async def begin(store: Store, name: str, number: int, upto: int | None, random: Random) -> None:
    """A game that random players have played so far, brought in from a file and begun by its people."""
    title = engine.build(name, random.choice(TITLES[name].players))
    names = tuple(f"P{one}" for one in range(1, title.players + 1))
    played = list(islice(steps(title, names, number), upto))
    file = play(native.written(title, [action for action, _ in played], played[-1][1]))
    users = [1000 * number + seat for seat in range(1, title.players + 1)]
    game = await game_files.bring_in(store, file, users, channel=number, guild=number << 22, host=users[0])
    for user in users:
        await lobby.accept(store, await store.game(game.id), user, 10**9 + user)


async def standing(place: str) -> Standing:
    found: Standing = {}
    with ThreadPoolExecutor(1) as executor:
        async with Store.open(place) as store:
            for game in await store.games("running", "finished"):
                table = Table(store, Work(executor), game, await store.seats(game.id))
                assert await table.load(go_on="never") is None
                (row,) = await store.log(game.id, after=game.seq - 1)
                found[game.id] = game.status, game.seq, row.hash, fingerprint(table.position.state)
    return found


@pytest.mark.slow
def test_two_hundred_games_stand_where_they_stood(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, back = tmp_path / "here.sqlite3", tmp_path / "back.sqlite3"
    asyncio.run(fill(here))
    assert main(["move-to", address, "--database", str(here)]) == 0
    assert main(["move-to", str(back), "--database", address]) == 0
    before = asyncio.run(standing(str(here)))
    assert len(before) == GAMES
    assert asyncio.run(standing(address)) == before
    assert asyncio.run(standing(str(back))) == before
    print(capsys.readouterr().out)
