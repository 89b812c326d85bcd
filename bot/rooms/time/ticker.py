"""What is due on clocks and for people, a little at a time; what follows is stored in the same transaction.

It asks an index for what is due and never looks at all games. So many games and people are looked at in one go, so that
hundreds that are due in the same minute are spread over the next ones.
"""

from __future__ import annotations

import logging

from bot.chat.client import Bot
from bot.core import clock as clocks
from bot.core import clockwork
from bot.core.person import Person
from bot.rooms.opponents.playing import Opponents
from bot.rooms.time import late
from bot.rooms.time.rings import Ringing, all_waiting, waiting
from storage import Unavailable, UnknownGame

log = logging.getLogger("tetsudo.ticker")
AT_ONCE = 20
"""How many games, and how many people, are looked at in one go."""


async def due(bot: Bot) -> int:
    """Look at the clocks and people whose time has come; how many they were."""
    store, owner = bot.store, bot.owner
    games = await store.clocks.claim(owner, limit=AT_ONCE, shards=bot.serving)
    for game in games:
        await _look(bot, game)
    people = await store.people.claim(owner, limit=AT_ONCE)
    for user in people:
        await _ring(bot, user)
    return len(games) + len(people)


async def _look(bot: Bot, game_id: str) -> None:
    """Take the step of a game's clock that is due."""
    store = bot.store
    game = await store.game(game_id)
    if game.status != "running":
        await store.clocks.change(game_id, clockwork.step(clocks.stopped, await clockwork.around(store, game)))
        return
    if (await clockwork.clock_of(store, game_id)).thinks:
        bot.its(Opponents).wake(game_id)  # the game stays claimed: until then nobody looks again
        return
    await clockwork.change(store, game, clocks.looked)
    clock = await clockwork.clock_of(store, game_id)
    if clock.late is not None and not clock.late.asked:
        try:
            await late.as_agreed(bot, game_id, clock.late.seat)
        except Unavailable:
            raise
        except Exception:
            log.exception("could not do what the table agreed to", extra={"game": game_id})


async def _ring(bot: Bot, user: int) -> None:
    """Tell a person what is due for them."""
    store, now = bot.store, bot.clock()
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
