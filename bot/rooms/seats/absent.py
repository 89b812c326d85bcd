"""Seats that are opened for others: of somebody absent, by the host or a majority; of somebody late, as was decided.

Whoever sits there keeps the seat until somebody takes it (`seats.take`), and closes it with their next move.
"""

from __future__ import annotations

from bot.core import clock as clocks
from bot.core import clockwork, constitution, opponents
from bot.core.errors import TableError
from bot.core.notices import seat_notice
from bot.core.table import Table
from bot.rooms.seats.handing import (
    DAY,
    changing,
    give_back,
    hand_over,
    must_know,
    question,
    settled,
    told_gone,
    who_may,
)
from storage import Change, Notice

FOREVER = 3650 * DAY
"""Seconds for which a seat is lent to an opponent, which its player can end at any time."""
NOT_OPEN = "{}'s seat is not open, so nobody plays on in it."
THERE = "{} plays on there already."
OWN = "That is your own seat: your next move, or *Keep my seat*, keeps it."
FOR_SOMEBODY = "{new}, {level}, plays on for {who}, as the others agreed. <@{holder}>, *I am back* returns your seat."
FOR_GOOD = "{new}, {level}, plays on in the seat that {who} has left, until somebody takes it."
PROPOSED = "{who} would like the bot to play on in {whose} seat. {others}: do you agree?"


def play_on_question(seat: str) -> str:
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
        others = constitution.voters(table, "substitute", but_for=[table.seats[seat].user_id])
        votes = table.store.votes
        before = await votes.of_game(table.game.id, play_on_question(seat))

        async def write() -> str:
            cast = await constitution.cast(table, "substitute", play_on_question(seat), user, interaction=interaction)
            agreed = constitution.agreed(table, "substitute", cast) & set(others)
            lacking = constitution.needed("substitute", len(others)) - len(agreed)
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
        settles=(*settled(seat), play_on_question(seat)),
    )
    about = f"back:{seat}" if absent else f"free:{seat}"
    later = "the bot plays on in your seat, and `/seat take` returns it"
    await hand_over(table, change, said, [held.user_id] if absent else [], None, about=about, later=later)
    if not absent:
        await table.store.tenures.open(table.game.id, seat, "the bot plays on", held_by=user)
    return f"✓ {name} plays on."


HOUR = 3600
ABSENT_AFTER, HOST_WAITS = 24 * HOUR, 72 * HOUR
"""Seconds for which somebody could have moved before the others, or the host alone, can open their seat."""


async def open_seat(table: Table, seat: str, why: str, interaction: int | None = None) -> None:
    """Let anybody on the server take the seat, and say so in the channel; `why` is a sentence: "Its clock ran out."

    Its player keeps it until somebody takes it, and closes it with their next move. A seat that is lent goes back to
    its owner instead. Raises TableError if the seat is open already or the game is not running.
    """
    async with changing(table):
        await _open_seat(table, seat, why, interaction)


async def _open_seat(table: Table, seat: str, why: str, interaction: int | None) -> None:
    loan, holder = table.tenures.loan(seat), table.seats[seat].user_id
    if loan is not None:
        await give_back(table, loan, f"{why} ", interaction)
        return
    if table.tenures.opening(seat) is not None:
        raise TableError("That seat is open already.")
    who = table.position.lexicon().player(seat)
    text = (
        f"{who}'s seat is **open**. {why} {who_may(table)}\n"
        f"<@{holder}>, the seat is yours until then: your next move, or *Keep my seat*, keeps it."
    )
    await table.store.tenures.open(
        table.game.id,
        seat,
        why,
        held_by=holder,
        interaction_id=interaction,
        notices=[
            seat_notice(f"open:{seat}", text, [holder], later="your seat is open, and your next move keeps it"),
            table.shown(),
        ],
    )
    await table.store.votes.clear(table.game.id, question(seat))


async def vote_to_open(table: Table, user: int, seat: str, gone: bool, interaction: int) -> str:
    """Open the seat of somebody absent as the host, or vote for that; what to tell the person. Raises TableError.

    `gone`: the seat's player is on the server no more.
    """
    async with changing(table):
        if user not in table.people and user != table.game.host_id:
            raise table.not_seated(user)
        if seat not in table.seats:
            raise TableError("That person has no seat in this game.")
        if table.seats[seat].user_id == user:
            raise TableError("That is your own seat: `/seat lend` and `/seat give` offer it, `/game leave` leaves it.")
        if table.tenures.opening(seat) is not None:
            raise TableError("That seat is open already.")
        waited = None if gone else await _must_be_absent(table, seat)
        who = table.position.lexicon().player(seat)
        if user == table.game.host_id and (waited is None or waited >= HOST_WAITS):
            await _open_seat(table, seat, _reason(who, waited), interaction)
            return "✓ The seat is open."
        return await _vote_to_open(table, user, seat, _reason(who, waited), interaction)


async def _vote_to_open(table: Table, user: int, seat: str, why: str, interaction: int) -> str:
    mine = table.seats_of(user)
    if not mine:
        raise TableError(f"The host alone can open a seat once the game has waited for it for {HOST_WAITS // HOUR} h.")
    others = constitution.voters(table, "open", but_for=[table.seats[seat].user_id])
    before = constitution.agreed(table, "open", await table.store.votes.of_game(table.game.id, question(seat)))

    async def write() -> str:
        votes = await constitution.cast(table, "open", question(seat), user, interaction=interaction)
        agreed = constitution.agreed(table, "open", votes) & set(others)
        lacking = constitution.needed("open", len(others)) - len(agreed)
        if lacking <= 0:
            await _open_seat(table, seat, f"{why} A majority of the others opened it.", None)
            return "✓ The seat is open."
        names = table.position.lexicon()
        if not before:
            missing = [one for one in others if one not in agreed]
            proposes = f"{names.player(mine[0])} proposes to open {names.player(seat)}'s seat. {why}"
            text = f"{proposes} {' '.join(f'<@{one}>' for one in missing)}: do you agree?"
            await _say(table, seat_notice(f"gone:{seat}", text, missing, by=user))
        return f"✓ You want to open {names.player(seat)}'s seat. {lacking} more must agree."

    return await table.store.together(write)


async def _must_be_absent(table: Table, seat: str) -> int:
    """For how many seconds the seat's player could have moved. Raises TableError if that is not long enough."""
    who = table.position.lexicon().player(seat)
    if seat not in table.position.up:
        raise TableError(f"The game is not waiting for {who}. Only the seat of somebody absent can be opened.")
    store, breaks = table.store, await clockwork.breaks_by_now(table.store)
    clock, given = await clockwork.clock_of(store, table.game.id), await clockwork.around(store, table.game)
    now = store.clock()
    waited = clocks.waited(clock, seat, given, now, breaks)
    if clocks.excused(clock, seat, given, now):
        raise TableError(f"{who} is away and said so, which keeps the seat: time does not count until they are back.")
    if waited < ABSENT_AFTER:
        raise TableError(
            f"{who} has had {waited // HOUR} h to move. The others can open the seat after "
            f"{ABSENT_AFTER // HOUR} hours, the host alone after {HOST_WAITS // HOUR}. Quiet hours and absences do not "
            "count, nor does the time before they were told or while the bot was out of order."
        )
    return waited


def _reason(who: str, waited: int | None) -> str:
    return f"{who} has left the server." if waited is None else f"{who} has not moved in {waited // HOUR} hours."


async def tell_gone(table: Table, seat: str) -> bool:
    """Tell the channel, once, that a seat's player has left the server; False if it knows or need not."""
    game, votes = table.game, table.store.votes
    async with table.steady():
        if table.game.status != "running" or table.tenures.opening(seat) is not None:
            return False
        if await votes.of_game(game.id, told_gone(seat)):
            return False
        text = (
            f"{table.position.lexicon().player(seat)} is on this server no more, so the game waits for somebody else "
            f"to play on. <@{table.game.host_id}> or a majority of the players can open the seat."
        )

        async def write() -> None:
            await votes.cast(game.id, told_gone(seat), seat)
            await _say(table, seat_notice(f"gone:{seat}", text, [table.game.host_id]))

        await table.store.together(write)
    return True


async def open_late(table: Table, seat: str) -> None:
    """Open the seat of somebody whose time is up, as the others have decided. Raises TableError."""
    async with changing(table):
        if table.tenures.opening(seat) is None:
            who = table.position.lexicon().player(seat)
            await _open_seat(table, seat, f"{who}'s time was up, and a majority of the others opened it.", None)


async def _say(table: Table, notice: Notice) -> None:
    await table.store.outbox.post(table.game.id, [notice])
