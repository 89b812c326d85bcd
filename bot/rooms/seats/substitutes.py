"""Opponents that play on in an open seat, as the others agree: for somebody absent until they are back, or for good.

The seat of somebody absent is lent to the opponent, so its player takes it back with a press. A seat that somebody has
left stays open while an opponent plays in it, so that a person can still take it.
"""

from __future__ import annotations

from bot.core import ballots, opponents
from bot.core.errors import TableError
from bot.core.notices import seat_notice
from bot.core.table import Table
from bot.rooms.seats.handing import DAY, changing, hand_over, must_know, settled
from storage import Change

FOREVER = 3650 * DAY
"""Seconds for which a seat is lent to an opponent, which its player can end at any time."""
NOT_OPEN = "{}'s seat is not open, so nobody plays on in it."
THERE = "{} plays on there already."
OWN = "That is your own seat: your next move, or *Keep my seat*, keeps it."
FOR_SOMEBODY = "{new}, {level}, plays on for {who}, as the others agreed. <@{holder}>, *I am back* returns your seat."
FOR_GOOD = "{new}, {level}, plays on in the seat that {who} has left, until somebody takes it."
PROPOSED = "{who} would like the bot to play on in {whose} seat. {others}: do you agree?"


def question(seat: str) -> str:
    """The kind of vote on whether an opponent plays on in a seat."""
    return f"bot {seat}"


async def propose(table: Table, user: int, seat: str, interaction: int) -> str:
    """Agree that an opponent plays on in an open seat; with a majority of the others one does. Raises TableError."""
    async with changing(table):
        mine = table.seats_of(user)
        if not mine:
            raise table.not_seated(user)
        names = table.position.lexicon()
        if seat not in table.seats or table.tenures.opening(seat) is None:
            raise TableError(NOT_OPEN.format(names.player(seat)))
        if table.opponent(seat) is not None:
            raise TableError(THERE.format(names.player(seat)))
        if seat in mine:
            raise TableError(OWN)
        await must_know(table, seat)
        others = ballots.voters(table, "substitute", but_for=[table.seats[seat].user_id])
        votes = table.store.votes
        before = await votes.of_game(table.game.id, question(seat))

        async def write() -> str:
            cast = await ballots.cast(table, "substitute", question(seat), user, interaction=interaction)
            agreed = ballots.agreed(table, "substitute", cast) & set(others)
            lacking = ballots.needed("substitute", len(others)) - len(agreed)
            if lacking <= 0:
                return await _play_on(table, seat)
            missing = [one for one in others if one not in agreed]
            if not before:
                asked = " ".join(f"<@{one}>" for one in missing)
                text = PROPOSED.format(who=names.player(mine[0]), whose=f"{names.player(seat)}'s", others=asked)
                await table.store.outbox.post(table.game.id, [seat_notice(f"sub:{seat}", text, missing, by=user)])
            return f"✓ You agree that the bot plays on. {lacking} more must agree."

        return await table.store.together(write)


async def _play_on(table: Table, seat: str) -> str:
    """Seat an opponent."""
    level, held = opponents.SUBSTITUTE, table.seats[seat]
    user, name = opponents.newcomer(level, table.seats.values())
    absent = opponents.is_person(held.user_id)
    said = (FOR_SOMEBODY if absent else FOR_GOOD).format(
        new=f"**{name}**", level=level, who=table.position.lexicon().player(seat), holder=held.user_id
    )
    change = Change(
        seat,
        "lent" if absent else "taken",
        held.user_id,
        user,
        name,
        ends_at=await table.store.time() + FOREVER if absent else 0,
        settles=(*settled(seat), question(seat)),
    )
    about = f"back:{seat}" if absent else f"free:{seat}"
    later = "the bot plays on in your seat, and `/seat take` returns it"
    await hand_over(table, change, said, [held.user_id] if absent else [], None, about=about, later=later)
    if not absent:
        await table.store.tenures.open(table.game.id, seat, "the bot plays on", held_by=user)
    return f"✓ {name} plays on."
