"""How a table changes what it agreed to, its pace and settings: its host before the start, everybody afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.chat.client import Bot
from bot.core import clock as clocks
from bot.core import clockwork, constitution
from bot.core.constitution import OWNER, must, right, roles_of, voices
from bot.core.errors import OVER, TableError
from bot.core.hours import DAY
from bot.core.notices import say_notice, vote_notice
from bot.core.opponents import is_person
from bot.core.pace import Pace, told
from bot.core.settings import TableSettings, told_terms
from bot.core.table import Table
from bot.rooms.seats.joining import redraw_lobby
from storage import Game, Vote

SO_ALREADY = "That is so already."
NAMED = {"english": "Place names are in English", "local": "Place names are in the local language"}
NO_PLAYER = "The new host must be a player of this game."


async def change(
    bot: Bot, game: Game, user: int, terms: Mapping[str, Any], names: str | None, host: int | None, interaction: int
) -> str:
    """Change these terms, the place names and the host, or propose that; what to tell the person. Raises TableError."""
    settings = TableSettings.read(game.settings)
    table = None if game.status == "open" else await bot.tables.get(game.id)
    asked: dict[str, Any] = {name: one for name, one in terms.items() if getattr(settings, name) != one}
    asked |= {} if host in (None, game.host_id) else {"host": host}
    if "host" in asked:
        await _must_play(bot, game, table, asked["host"])
    together = {name: one for name, one in asked.items() if _is_agreed(name, settings, game)}
    alone = {name: one for name, one in asked.items() if name not in together}
    if names is not None and settings.names != names:
        alone["names"] = names
    if not alone and not together:
        raise TableError(SO_ALREADY)
    for name in alone:
        must(name if name in ("names", "host") else "settings", game, roles_of(user, game, table))
    if together and table is not None:
        constitution.seats_voting(table, "settings", user)
    said = []
    if alone:
        said.append(await _change_alone(bot, game, user, settings, alone, interaction))
    if together and table is not None:
        said.append(await propose_settings(bot, table, user, together, None if alone else interaction))
    return "\n".join(said)


def _is_agreed(name: str, settings: TableSettings, game: Game) -> bool:
    """Whether a change of this is for everybody to agree to now. Raises TableError once the game is over."""
    what = "settings" if name != "host" else "acting host" if settings.host_acts else "host"
    line = right(what, game)
    if line is None:
        raise TableError(OVER)
    return line.share is not None


async def _must_play(bot: Bot, game: Game, table: Table | None, host: int) -> None:
    if table is None:
        players = {one.user_id for one in await bot.store.seats(game.id)}
    else:
        players = set(voices(table, OWNER).values())
    if host not in players:
        raise TableError(NO_PLAYER)


async def _change_alone(
    bot: Bot, game: Game, user: int, settings: TableSettings, changes: Mapping[str, Any], interaction: int
) -> str:
    """What the host changes alone, told to whoever else plays."""
    changes = dict(changes)
    host = changes.pop("host", None)
    told = [told_terms(changes), NAMED.get(changes.get("names", ""), ""), f"<@{host}> is the host now" if host else ""]
    what = ". ".join(filter(None, told))
    await change_alone(bot, game, user, replace(settings, **changes), what, interaction, host)
    if game.status == "open":
        await redraw_lobby(bot, game.id)
    return "✓ Settings changed."


VOTE_LASTS = 7 * DAY
"""Seconds after which a vote no longer counts, and after which nobody waits for the vote of whoever is up."""
NO = "no"
CHANGED = "{who} has changed this table. {what}."
NOTHING = {
    "pace": "Nobody has proposed another pace. `/pace` with a pace proposes one.",
    "settings": "Nobody has proposed other settings. `/game settings` proposes some.",
}
KEPT = {
    "pace": "✓ You would rather keep the pace as it is.",
    "settings": "✓ You would rather keep the settings as they are.",
}
PROPOSES = {"pace": "proposes another pace", "settings": "proposes to change what you agreed to"}


async def set_in_lobby(bot: Bot, game: Game, user: int, pace: Pace, interaction: int) -> str:
    """Set the pace before the start; what to tell the host. Raises TableError."""
    constitution.must("pace", game, constitution.roles_of(user, game))
    settings = replace(TableSettings.read(game.settings), pace=pace)
    await change_alone(bot, game, user, settings, f"Pace: {told(pace)}", interaction)
    return f"✓ {told(pace)}."


async def change_alone(
    bot: Bot, game: Game, user: int, settings: TableSettings, what: str, interaction: int, host: int | None = None
) -> None:
    """Change a game before its start, or what its host decides alone, and tell those who have joined."""
    joined = {one.user_id for one in await bot.store.seats(game.id) if is_person(one.user_id)}
    said = [say_notice(CHANGED.format(who=f"<@{user}>", what=what))] if joined - {user} else []

    async def write() -> None:
        await bot.store.change_game(game.id, settings=settings.text(), host_id=host, interaction_id=interaction)
        await bot.store.outbox.post(game.id, said)

    await bot.store.together(write)
    bot.sender.wake()


async def propose(bot: Bot, table: Table, user: int, pace: Pace, interaction: int) -> str:
    """Propose another pace, which counts as agreeing to it; what to tell the person. Raises TableError."""
    if pace == table.settings.pace:
        raise TableError("That is the pace of this game already.")
    return await _cast(bot, table, "pace", user, json.dumps(pace.json(), sort_keys=True), interaction)


async def propose_settings(bot: Bot, table: Table, user: int, terms: Mapping[str, Any], interaction: int | None) -> str:
    """Propose other terms, of those in `agreements`; what to tell the person. Raises TableError."""
    return await _cast(bot, table, "settings", user, json.dumps(terms, sort_keys=True), interaction)


async def agree(bot: Bot, table: Table, what: str, user: int, agrees: bool, interaction: int) -> str:
    """Agree to the pace or the settings that were proposed last, or not; what to tell the person. Raises TableError."""
    proposed = _proposed(await table.store.votes.of_game(table.game.id, what), bot.clock())
    if proposed is None:
        raise TableError(NOTHING[what])
    return await _cast(bot, table, what, user, proposed.choice if agrees else NO, interaction)


def _proposed(votes: list[Vote], now: int) -> Vote | None:
    """The newest proposal that still holds."""
    open_ones = [one for one in votes if one.choice != NO and one.at > now - VOTE_LASTS]
    return max(open_ones, key=lambda one: one.at, default=None)


async def _cast(bot: Bot, table: Table, what: str, user: int, choice: str, interaction: int | None) -> str:
    store, game, now = table.store, table.game.id, bot.clock()
    before = _proposed(await store.votes.of_game(game, what), now)
    votes = await constitution.cast(table, what, what, user, choice, interaction=interaction)
    if choice == NO:
        return KEPT[what]
    agreed = constitution.agreed(table, what, votes, choice, now=now)
    missing = [one for one in await _asked(table, what, now) if one not in agreed]
    if missing:
        if before is None or before.choice != choice:
            await _ask(bot, table, what, user, choice, missing)
        return f"✓ You agree to {_told(what, choice)}. Still to agree: {' '.join(f'<@{one}>' for one in missing)}."
    terms: dict[str, Any] = json.loads(choice)
    terms = {"pace": Pace.read(terms)} if what == "pace" else terms
    host = terms.pop("host", None)
    settings = replace(table.settings, **terms)

    async def write() -> None:
        await store.change_game(game, settings=settings.text(), host_id=host)
        await store.votes.clear(game, what)
        await store.outbox.post(game, [say_notice(f"The table has agreed. {_told(what, choice)}.")])

    await store.together(write)
    await table.read_on()
    if what == "pace":
        await table.reclock(clocks.repaced)
    await store.outbox.post(game, [table.shown()])
    bot.sender.wake()
    return "✓ Everybody agreed."


async def _asked(table: Table, what: str, now: int) -> list[int]:
    """Whose consent is needed: every player's, but for those who could have moved for a week."""
    clock = await clockwork.clock_of(table.store, table.game.id)
    given, breaks = await clockwork.around(table.store, table.game), await clockwork.breaks_by_now(table.store)
    gone = {one.user for one in clock.runs if clocks.present(clock, one, given, now, breaks) > VOTE_LASTS}
    return constitution.voters(table, what, but_for=gone)


def _told(what: str, choice: str) -> str:
    terms = json.loads(choice)
    return told(Pace.read(terms)) if what == "pace" else told_terms(terms)


async def _ask(bot: Bot, table: Table, what: str, user: int, choice: str, missing: list[int]) -> None:
    pings = " ".join(f"<@{one}>" for one in missing)
    text = f"<@{user}> {PROPOSES[what]}. {_told(what, choice)}. {pings}: do you agree? It holds once everybody has."
    await table.store.outbox.post(table.game.id, [vote_notice(what, text, missing, by=user)])
    bot.sender.wake()
