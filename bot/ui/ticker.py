"""The ticker: does what is due, a little at a time. What follows goes into the outbox, in the same transaction.

It asks an index for what is due and never looks at all games. A tick takes so many games and people, so that hundreds
that are due in the same minute are spread over the next ones.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from bot.core import clock as clocks
from bot.core import clockwork
from bot.core.person import Person
from bot.rooms.programs import programming
from bot.rooms.time import deciding as late
from bot.rooms.time.rings import Ringing, all_waiting, waiting
from storage import Unavailable, UnknownGame

if TYPE_CHECKING:
    from bot.chat.client import Bot

log = logging.getLogger("tetsudo.ticker")
AT_ONCE = 20
"""How many games, and how many people, a tick looks at."""
BEAT = 60
"""Seconds between two signs of life, by which outages are noticed."""


class Ticker:
    """Looks at the clocks and people whose time has come."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._beaten: int | None = None

    async def start(self) -> None:
        """Give up what a process of ours had claimed that was killed."""
        owner = self.bot.sender.owner
        for due in (self.bot.store.clocks, self.bot.store.people, self.bot.store.orders):
            await due.release(owner)

    async def tick(self) -> int:
        """Do what is due; how many games and people that were. Nothing while Discord cannot be reached."""
        if not self.bot.online:
            return 0
        try:
            await self._beat()
            store, owner = self.bot.store, self.bot.sender.owner
            games = await store.clocks.claim(owner, limit=AT_ONCE, shards=self.bot.serving)
            for game in games:
                await self._look(game)
            programs = await store.orders.claim(owner, limit=AT_ONCE, shards=self.bot.serving)
            for game in dict.fromkeys(programs):
                await self._play(game)
            people = await store.people.claim(owner, limit=AT_ONCE)
            for user in people:
                await self._ring(user)
        except Unavailable as error:
            log.warning("what is due waits: %s", error)
            return 0
        if games or people or programs:
            self.bot.sender.wake()
        return len(games) + len(people) + len(programs)

    async def _beat(self) -> None:
        now = self.bot.clock()
        if self._beaten is not None and 0 <= now - self._beaten < BEAT:
            return
        found = await self.bot.store.clocks.beat()
        self._beaten = now
        if found is not None:
            log.warning("all clocks stood still", extra={"from": found.stopped_at, "to": found.resumed_at})

    async def _look(self, game_id: str) -> None:
        """Take the step of a game's clock that is due."""
        store = self.bot.store
        game = await store.game(game_id)
        if game.status != "running":
            await store.clocks.change(game_id, clockwork.step(clocks.stopped, await clockwork.around(store, game)))
            return
        if (await clockwork.clock_of(store, game_id)).thinks:
            self.bot.opponents.wake(game_id)  # the game stays claimed: until then nobody looks again
            return
        await clockwork.change(store, game, clocks.looked)
        clock = await clockwork.clock_of(store, game_id)
        if clock.late is not None and not clock.late.asked:
            try:
                await late.as_agreed(self.bot, game_id, clock.late.seat)
            except Unavailable:
                raise
            except Exception:
                log.exception("could not do what the table agreed to", extra={"game": game_id})

    async def _play(self, game_id: str) -> None:
        """Let programs move whose time has come."""
        try:
            await programming.play_due(self.bot, game_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("programs could not move", extra={"game": game_id})

    async def _ring(self, user: int) -> None:
        """Tell a person what is due for them."""
        store, now = self.bot.store, self.bot.clock()
        person = (await clockwork.people_of(store, [user]))[user]
        greets = person.was_away(now)
        if greets:
            person = await clockwork.change_person(store, user, lambda one, at: one.back(at))
        owed = [one for one in await store.people.owed(user) if one.at <= now]
        games = {}
        for game in {one.game for one in owed}:
            try:
                games[game] = await waiting(store, await store.game(game), user)
            except UnknownGame:
                continue
        everything = tuple(await all_waiting(store, user)) if greets or _wants_digest(person, now) else ()
        await store.people.change(user, Ringing(user, games, everything, greets).told)


def _wants_digest(person: Person, now: int) -> bool:
    due = person.next_digest(now - 1)
    return due is not None and due <= now
