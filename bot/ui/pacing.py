"""How a table changes its pace: its host before the start, and everybody together afterwards."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.play import clock as clocks
from bot.play import clockwork
from bot.play.errors import NotSeated, TableError
from bot.play.hours import DAY
from bot.play.notices import say_notice, vote_notice
from bot.play.pace import Pace, told
from bot.play.settings import TableSettings
from bot.play.table import Table
from storage import Game, Vote

if TYPE_CHECKING:
    from bot.ui.client import Bot

QUESTION = "pace"
VOTE_LASTS = 7 * DAY
"""Seconds after which a vote no longer counts, and after which nobody waits for the vote of whoever is up."""
NO = "no"


async def set_in_lobby(bot: Bot, game: Game, user: int, pace: Pace, interaction: int) -> str:
    """Set the pace before the start; what to tell the host. Raises TableError."""
    if user != game.host_id:
        raise TableError(f"Only the host, <@{game.host_id}>, chooses the pace before the game starts.")
    settings = replace(TableSettings.read(game.settings), pace=pace)
    await bot.store.change_game(game.id, settings=settings.text(), interaction_id=interaction)
    return f"✓ {told(pace)}."


async def propose(bot: Bot, table: Table, user: int, pace: Pace, interaction: int) -> str:
    """Propose another pace, which counts as agreeing to it; what to tell the person. Raises TableError."""
    if pace == table.settings.pace:
        raise TableError("That is the pace of this game already.")
    return await _cast(bot, table, user, json.dumps(pace.json(), sort_keys=True), interaction)


async def agree(bot: Bot, table: Table, user: int, agrees: bool, interaction: int) -> str:
    """Agree to the pace that was proposed last, or not; what to tell the person. Raises TableError."""
    proposed = _proposed(await table.store.votes.of_game(table.game.id, QUESTION), bot.clock())
    if proposed is None:
        raise TableError("Nobody has proposed another pace. `/pace` with a pace proposes one.")
    return await _cast(bot, table, user, proposed.choice if agrees else NO, interaction)


def _proposed(votes: list[Vote], now: int) -> Vote | None:
    """The newest proposal that still holds."""
    open_ones = [one for one in votes if one.choice != NO and one.at > now - VOTE_LASTS]
    return max(open_ones, key=lambda one: one.at, default=None)


async def _cast(bot: Bot, table: Table, user: int, choice: str, interaction: int) -> str:
    mine, store, game = table.seats_of(user), table.store, table.game.id
    if not mine:
        raise NotSeated()
    now = bot.clock()
    before = _proposed(await store.votes.of_game(game, QUESTION), now)
    votes = await store.votes.cast(game, QUESTION, mine[0], choice, interaction_id=interaction)
    if choice == NO:
        return "✓ You would rather keep the pace as it is."
    agreed = {table.seats[one.seat].user_id for one in votes if one.choice == choice and one.at > now - VOTE_LASTS}
    missing = [one for one in await _asked(table, now) if one not in agreed]
    pace = Pace.read(json.loads(choice))
    if missing:
        if before is None or before.choice != choice:
            await _ask(bot, table, user, pace, missing)
        return f"✓ You agree to {told(pace)}. Still to agree: {' '.join(f'<@{one}>' for one in missing)}."
    settings = replace(table.settings, pace=pace)

    async def write() -> None:
        await store.change_game(game, settings=settings.text())
        await store.votes.clear(game, QUESTION)
        await store.outbox.post(game, [say_notice(f"The table has agreed to another pace. {told(pace)}.")])

    await store.together(write)
    await table.read_on()
    await table.reclock(clocks.repaced)
    await store.outbox.post(game, [table.shown()])
    bot.sender.wake()
    return "✓ Everybody agreed."


async def _asked(table: Table, now: int) -> list[int]:
    """Whose consent is needed: every player's, but for those for whom the game has waited for a week."""
    clock = await clockwork.clock_of(table.store, table.game.id)
    gone = {one.user for one in clock.runs if now - clock.began > VOTE_LASTS}
    return [one for one in table.people if one not in gone]


async def _ask(bot: Bot, table: Table, user: int, pace: Pace, missing: list[int]) -> None:
    pings = " ".join(f"<@{one}>" for one in missing)
    text = f"<@{user}> proposes another pace. {told(pace)}. {pings}: do you agree? It holds once everybody has."
    await table.store.outbox.post(table.game.id, [vote_notice(QUESTION, text, missing)])
    bot.sender.wake()
