"""What `/game settings` changes: alone where the constitution lets the host, otherwise by asking everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.chat.client import Bot
from bot.core import ballots
from bot.core.constitution import OWNER, must, right, roles_of, voices
from bot.core.errors import OVER, TableError
from bot.core.settings import TableSettings, told_terms
from bot.core.table import Table
from bot.rooms.seats import agreeing
from bot.rooms.seats.joining import redraw_lobby
from storage import Game

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
        ballots.seats_voting(table, "settings", user)
    said = []
    if alone:
        said.append(await _change_alone(bot, game, user, settings, alone, interaction))
    if together and table is not None:
        said.append(await agreeing.propose_settings(bot, table, user, together, None if alone else interaction))
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
    await agreeing.change_alone(bot, game, user, replace(settings, **changes), what, interaction, host)
    if game.status == "open":
        await redraw_lobby(bot, game.id)
    return "✓ Settings changed."
