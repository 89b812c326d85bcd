"""Who may do what with seats: every control and command, by everybody, while a seat is offered, lent, open or left."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
import pytest
from club import Club
from taken_back import see_what_is_written, taken_back

from bot.chat.rights import is_gone
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.seats import absent
from bot.rooms.seats import handing as seats
from storage import Duplicate

HOLDER, OTHER, HOST, ADDRESSEE, WATCHER = "holder", "other", "host", "addressee", "watcher"
ROLES = (HOLDER, OTHER, HOST, ADDRESSEE, WATCHER)
NOBODY: tuple[str, ...] = ()
ALLOWED: dict[str, dict[str, tuple[str, ...]]] = {
    "offered": {
        "accept": (ADDRESSEE,),
        "refuse": (ADDRESSEE, HOLDER),
        "take": (ADDRESSEE,),
        "substitute": NOBODY,
        "keep": NOBODY,
        "open": NOBODY,
        "give": (HOLDER,),
        "leave": (HOLDER, OTHER, HOST),
    },
    "lent": {  # the addressee sits there, and the holder is its owner
        "accept": NOBODY,
        "refuse": NOBODY,
        "take": (HOLDER,),
        "substitute": NOBODY,
        "keep": NOBODY,
        "open": NOBODY,
        "give": NOBODY,
        "leave": (ADDRESSEE, OTHER, HOST),
    },
    "open": {
        "accept": NOBODY,
        "refuse": NOBODY,
        "take": (WATCHER, ADDRESSEE, OTHER, HOST),  # whoever plays already asks the others
        "substitute": (OTHER, HOST),
        "keep": (HOLDER,),
        "open": NOBODY,
        "give": (HOLDER,),
        "leave": (HOLDER, OTHER, HOST),
    },
    "left": {
        "accept": NOBODY,
        "refuse": NOBODY,
        "take": (HOLDER, WATCHER, ADDRESSEE, OTHER, HOST),
        "substitute": (OTHER, HOST),
        "keep": NOBODY,
        "open": NOBODY,
        "give": NOBODY,
        "leave": (OTHER, HOST),
    },
}
"""By position and what is done: by whom something changes."""
SEAT = "p2"


async def position(club: Club, name: str) -> tuple[Table, dict[str, Any]]:
    """A game of three in which the second seat is offered, lent, open or left."""
    table = await club.begin(3)
    host, holder, other, addressee, watcher = club.members[:5]
    if name in ("offered", "lent"):
        await seats.offer(table, holder.id, SEAT, "lend", addressee.id, "Daichi", 3, 901)
    if name == "lent":
        await seats.answer(table, 1, addressee.id, True, 902)
    if name == "open":
        await absent.open_seat(table, SEAT, "The table agreed.")
    if name == "left":
        await seats.leave(table, holder.id, 903)
    return table, {HOST: host, HOLDER: holder, OTHER: other, ADDRESSEE: addressee, WATCHER: watcher}


async def fingerprint(table: Table) -> Any:
    game = await table.store.game(table.game.id)
    tenures, votes = await table.store.tenures.of_game(game.id), await table.store.votes.of_game(game.id)
    return game, await table.store.seats(game.id), tenures, votes


async def attempt(table: Table, what: str, user: int, number: int) -> None:
    """Do it as this person. Raises TableError."""
    match what:
        case "accept" | "refuse":
            await seats.answer(table, 1, user, what == "accept", number)
        case "take":
            await seats.take(table, user, f"N{user}", SEAT, number)
        case "keep":
            await seats.keep(table, user, SEAT, number)
        case "substitute":
            await absent.propose(table, user, SEAT, number)
        case "open":
            await absent.vote_to_open(table, user, SEAT, False, number)
        case "give":
            await seats.offer(table, user, SEAT, "give", 77, "Somebody", 0, number)
        case "leave":
            await seats.leave(table, user, number)


@pytest.mark.parametrize("name", list(ALLOWED))
async def test_everybody_does_with_seats_what_is_theirs_and_nothing_else(
    club: Club, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, people = await position(club, name)
    before, tried = await fingerprint(table), 0
    for what, allowed in ALLOWED[name].items():
        for role in (one for one in ROLES if one not in allowed):
            with pytest.raises(TableError):
                await attempt(table, what, people[role].id, 1000 + tried)
            assert await fingerprint(table) == before, (what, role)
            tried += 1
    assert tried >= 15
    see_what_is_written(club.bot.store, monkeypatch)
    for what, allowed in ALLOWED[name].items():
        for role in allowed:
            await taken_back(club.bot.store, partial(done, club, name, what, role, people[role].id))


async def done(club: Club, name: str, what: str, role: str, user: int) -> None:
    """Somebody does what they may; once more with the same press it is refused."""
    club.bot.tables._tables.clear()
    table = await club.table()
    before = await fingerprint(table)
    await attempt(table, what, user, 2000)
    assert await fingerprint(table) != before, (what, role)
    with pytest.raises((TableError, Duplicate)):
        await attempt(table, what, user, 2000)
    gains = {row.user_id for row in (await fingerprint(table))[1]} - {row.user_id for row in before[1]}
    if what == "take" and name in ("open", "left"):
        assert gains <= {user}
        assert bool(gains) == (role in (WATCHER, ADDRESSEE, HOLDER))  # the others were asked
    elif what in ("keep", "give", "refuse"):
        assert gains == set()


async def test_who_is_on_the_server_is_not_gone(club: Club) -> None:
    guild = club.bot.get_guild(club.guild.id)
    assert isinstance(guild, discord.Guild)
    assert not await is_gone(guild, club.members[3].id)
    club.guild.remove_member(club.members[3])
    assert await is_gone(guild, club.members[3].id)
