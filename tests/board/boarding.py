"""A board on a game of its own, without Discord, and people with links to it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from board.server import BoardApp, serving
from bot.core.position import Position
from bot.core.table import Table
from bot.core.tables import Tables
from bot.core.thinking import Thought
from bot.core.work import Work
from bot.rooms.page.room import BoardPass, Signer
from bot.rooms.trying.lines import TryOuts
from engine.action_json import to_json
from engine.actions import Action, EndGame
from records.simulate import choose
from storage import Store


@dataclass
class Host:
    """The bot, as the board knows it."""

    tables: Tables
    epochs: dict[int, int] = field(default_factory=dict)
    woken: int = 0
    kept: dict[type[Any], Any] = field(default_factory=dict)

    def its(self, kind: type[Any]) -> Any:
        return self.kept.setdefault(kind, kind(self.tables, self.tables.work) if kind is TryOuts else kind())

    def wake(self) -> None:
        self.woken += 1

    async def epoch(self, user: int) -> int:
        return self.epochs.get(user, 0)


@dataclass
class Party:
    """A running game whose players are the people 1, 2, 3, and a board that serves it."""

    table: Table
    board: BoardApp
    host: Host
    url: str

    def link(self, user: int) -> str:
        """A link for a person, or with 0 for whoever only watches."""
        given = BoardPass(user, self.table.game.id, self.table.store.clock() + 600, self.host.epochs.get(user, 0))
        return f"{self.url}/open/{self.board.signer.sign(given, 'open')}"

    def user_up(self) -> int:
        """Whose turn it is."""
        return self.table.seats[self.table.position.up[0]].user_id

    def user_of(self, seat: str) -> int:
        """Who sits there."""
        return self.table.seats[seat].user_id

    async def play(self, until: Callable[[Position], bool], seed: int = 1, most: int = 900) -> None:
        """Make moves by chance until a position is as wanted."""
        chance = random.Random(seed)
        for _ in range(most):
            position = self.table.position
            if position.up and until(position):
                return
            assert not position.over
            action = choose(position.title, position.state, chance)
            if not isinstance(action, EndGame):
                await self.table.submit(action, user=self.table.seats[action.by].user_id)
        raise AssertionError("never came to it")


async def agree(thought: Thought, action: Action) -> bool:
    return True


@asynccontextmanager
async def party(folder: Path, title: str = "1889", players: int = 3, options: str = "[]") -> AsyncIterator[Party]:
    """The game, begun, and its board on a port of its own."""
    async with Store.open(folder / "games.sqlite3") as store:
        with ThreadPoolExecutor(1) as executor:
            tables = Tables(store, Work(executor))
            table = await begun(tables, title, players, options)
            async with served(tables) as (board, host, url):
                yield Party(table, board, host, url)


async def begun(tables: Tables, title: str, players: int, options: str = "[]", channel: int = 7) -> Table:
    """A game that has just started; what chance decides at first is decided."""
    game = await tables.store.create_game(channel_id=channel, host_id=1, title=title, options=options)
    for user in range(1, players + 1):
        await tables.store.join(game.id, user, f"Player {user}", limit=players)
    table = await tables.get((await tables.store.start_game(game.id)).id)
    await table.go_on()
    return table


@asynccontextmanager
async def served(tables: Tables, port: int = 0, secret: bytes = b"secret") -> AsyncIterator[tuple[BoardApp, Host, str]]:
    """A board for these tables."""
    host = Host(tables)
    board = BoardApp(host, host.epoch, agree, Signer(secret))
    async with serving(board.app(), "127.0.0.1", port) as found:
        yield board, host, f"http://127.0.0.1:{found}"


class Page:
    """What a browser would send for one person."""

    def __init__(self, party: Party, user: int, session: aiohttp.ClientSession) -> None:
        self.party, self.user, self.session = party, user, session
        self.at = f"{party.url}/b/{party.table.game.id}/{user or 'watch'}"
        self.csrf = ""
        self.number = 0

    async def open(self) -> str:
        async with self.session.get(self.party.link(self.user)) as answer:
            body = await answer.text()
        self.csrf = body.partition('data-csrf="')[2].partition('"')[0]
        return body

    async def post(self, what: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        sent = {"X-Board": self.csrf, "Origin": self.party.url} | headers
        async with self.session.post(f"{self.at}/{what}", json=body, headers=sent) as answer:
            return answer.status, await answer.json()

    async def parts(self) -> dict[str, str]:
        """All that the page holds now."""
        async with self.session.get(f"{self.at}/parts") as answer:
            found: dict[str, str] = (await answer.json())["parts"]
        return found

    async def act(self, *actions: Any, seen: int | None = None, **more: Any) -> tuple[int, dict[str, Any]]:
        self.number += 1
        seen = self.party.table.position.seq if seen is None else seen
        given = [one if isinstance(one, dict) else to_json(one) for one in actions]
        return await self.post("act", {"actions": given, "seen": seen, "id": self.number} | more)


@asynccontextmanager
async def page(party: Party, user: int) -> AsyncIterator[Page]:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        made = Page(party, user, session)
        await made.open()
        yield made
