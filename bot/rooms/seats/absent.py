"""Seats that are opened for others: of somebody absent, by the host or a majority; of somebody late, as was decided.

Whoever sits there keeps the seat until somebody takes it (`handing.take`), and closes it with their next move.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import discord

from bot.chat.answers import FAILURES
from bot.chat.client import Bot
from bot.chat.rights import is_gone, not_found
from bot.core import clockwork, opponents
from bot.core.constitution import Ballot, ballot, voters
from bot.core.errors import NOT_THERE, TableError
from bot.core.hours import DAY, HOUR
from bot.core.notices import TURNS, seat_notice
from bot.core.opponents import is_person
from bot.core.table import Table
from bot.rooms.seats.handing import OPENS, PLAYS_ON, changing, give_back, hand_over, is_asked, must_know, who_may
from bot.words.lexicon import mentions
from engine import PlayerId
from storage import SeatChange

log = logging.getLogger("tetsudo.seats")
FOREVER = 3650 * DAY
"""Seconds for which a seat is lent to an opponent, which its player can end at any time."""
ABSENT_AFTER, HOST_WAITS = 24 * HOUR, 72 * HOUR
"""Seconds for which somebody could have moved before the others, or the host alone, can open their seat."""
SEEN = 3600.0
"""Seconds for which somebody who has used the bot on a server is taken to be there."""
IS_OPEN = "✓ The seat is open."
OWN = "That is your own seat: your next move, or *Keep my seat*, keeps it."
FOR_SOMEBODY = "{new}, {level}, plays on for {who}, as the others agreed. <@{holder}>, *I am back* returns your seat."
FOR_GOOD = "{new}, {level}, plays on in the seat that {who} has left, until somebody takes it."


async def _agree(
    vote: Ballot,
    user: int,
    interaction: int,
    about: str,
    proposal: str,
    said: str,
    effect: Callable[[], Awaitable[str]],
) -> str:
    """Agree to a proposal about a seat: it is done once enough have, and the others are asked by whoever is first."""
    store, game = vote.table.store, vote.table.game.id

    async def write() -> str:
        now = await vote.cast(user, interaction=interaction)
        if not now.lacking():
            return await effect()
        if not (vote.proposed and await is_asked(vote.table, f"seat:{about}")):
            missing = now.missing()
            text = f"{proposal} {mentions(missing)}: do you agree?"
            await store.outbox.post(game, [seat_notice(about, text, missing, by=user)])
        return f"{said} {now.lacking()} more must agree."

    return await store.together(write)


# An opponent plays on


async def propose(table: Table, user: int, seat: str, interaction: int) -> str:
    """Agree that an opponent plays on in an open seat, which takes a majority of the others. Raises TableError."""
    async with changing(table):
        mine = table.seats_of(user)
        if not mine:
            raise table.not_seated(user)
        names = table.position.lexicon()
        if seat not in table.seats or table.tenures.opening(seat) is None:
            raise TableError(f"{names.player(seat)}'s seat is not open, so nobody plays on in it.")
        if table.opponent(seat) is not None:
            raise TableError(f"{names.player(seat)} is already playing on there.")
        if seat in mine:
            raise TableError(OWN)
        await must_know(table, seat)
        vote = await _ballot(table, "substitute", PLAYS_ON, seat)
        proposal = f"{names.player(mine[0])} would like the bot to play on in {names.player(seat)}'s seat."
        said = "✓ You would like the bot to play on."
        return await _agree(vote, user, interaction, f"sub:{seat}", proposal, said, lambda: _play_on(table, seat))


async def _ballot(table: Table, what: str, question: str, seat: str) -> Ballot:
    """Everybody who plays decides about a seat but its own player."""
    return await ballot(table, what, question.format(seat), voters(table, what, but_for=[table.seats[seat].user_id]))


async def _play_on(table: Table, seat: str) -> str:
    level, holder = opponents.SUBSTITUTE, table.seats[seat].user_id
    user, name = opponents.newcomer(level, table.seats.values())
    words = {"new": f"**{name}**", "level": level, "who": table.position.lexicon().player(seat), "holder": holder}
    if is_person(holder):
        ends_at = table.store.clock() + FOREVER
        change = SeatChange(seat, "lent", holder, user, name, ends_at=ends_at)
        said = FOR_SOMEBODY.format(**words)
        await hand_over(table, change, said, [holder], None, about=f"back:{seat}", later="substituted")
    else:
        change = SeatChange(seat, "taken", holder, user, name)
        await hand_over(table, change, FOR_GOOD.format(**words), [], None, about=f"free:{seat}")
        await table.store.tenures.open(table.game.id, seat, held_by=user)
    return f"✓ {name} plays on."


# Opening a seat


async def open_seat(table: Table, seat: str, why: str, then: Callable[[], Awaitable[None]] | None = None) -> None:
    """Let anybody on the server take the seat, and say so in the channel; `why` is a sentence: "Its clock ran out."

    Its player keeps it until somebody takes it, and closes it with their next move. A seat that is lent goes back to
    its owner instead. Nothing is done if the seat is open already. `then` writes what follows, in the same transaction.
    Raises TableError if the game is not running.
    """

    async def write() -> None:
        if table.tenures.opening(seat) is None:
            await _open_seat(table, seat, why)
        if then is not None:
            await then()

    async with changing(table):
        await table.store.together(write)


async def _open_seat(table: Table, seat: str, why: str, interaction: int | None = None) -> None:
    loan, holder = table.tenures.loan(seat), table.seats[seat].user_id
    if loan is not None:
        await give_back(table, loan, f"{why} ", interaction)
        return
    text = (
        f"{table.position.lexicon().player(seat)}'s seat is **open**. {why} {who_may(table)}\n"
        f"<@{holder}>, the seat is yours until then: your next move, or *Keep my seat*, keeps it."
    )
    notices = [seat_notice(f"open:{seat}", text, [holder], later="opened"), table.shown()]
    await table.store.tenures.open(table.game.id, seat, held_by=holder, interaction_id=interaction, notices=notices)
    await table.store.votes.clear(table.game.id, OPENS.format(seat))


async def vote_to_open(table: Table, user: int, seat: str, gone: bool, interaction: int) -> str:
    """Open the seat of somebody absent as the host, or vote for that; what to tell the person. Raises TableError.

    `gone`: the seat's player has left the server.
    """
    async with changing(table):
        _must_be_anothers(table, user, seat)
        waited = None if gone else await _must_be_absent(table, seat)
        who = table.position.lexicon().player(seat)
        why = f"{who} has left the server." if waited is None else f"{who} has not moved in {waited // HOUR} hours."
        if user == table.game.host_id and (waited is None or waited >= HOST_WAITS):
            await _open_seat(table, seat, why, interaction)
            return IS_OPEN
        mine = table.seats_of(user)
        if not mine:
            raise TableError(
                f"The host alone can open a seat once the game has waited for it for {HOST_WAITS // HOUR} h."
            )

        async def effect() -> str:
            await _open_seat(table, seat, f"{why} A majority of the others opened it.")
            return IS_OPEN

        vote = await _ballot(table, "open", OPENS, seat)
        proposal = f"{table.position.lexicon().player(mine[0])} proposes to open {who}'s seat. {why}"
        said = f"✓ You want to open {who}'s seat."
        return await _agree(vote, user, interaction, f"absent:{seat}", proposal, said, effect)


def _must_be_anothers(table: Table, user: int, seat: str) -> None:
    if user not in table.people and user != table.game.host_id:
        raise table.not_seated(user)
    if seat not in table.seats:
        raise TableError(NOT_THERE)
    if table.seats[seat].user_id == user:
        raise TableError("That is your own seat: `/seat lend` and `/seat give` offer it, `/game leave` leaves it.")
    if table.tenures.opening(seat) is not None:
        raise TableError("That seat is open already.")


async def _must_be_absent(table: Table, seat: str) -> int:
    """For how many seconds the seat's player could have moved. Raises TableError if that is not long enough."""
    who = table.position.lexicon().player(seat)
    if seat not in table.position.up:
        raise TableError(f"The game is not waiting for {who}. Only the seat of somebody absent can be opened.")
    look = await clockwork.look(table.store, table.game, by_now=True)
    waited = look.waited(seat)
    if look.excused(seat):
        raise TableError(f"{who} has announced an absence, which keeps the seat: no time counts until they are back.")
    if waited < ABSENT_AFTER:
        raise TableError(
            f"{who} has had {waited // HOUR} h to move. The others can open the seat after "
            f"{ABSENT_AFTER // HOUR} hours, the host alone after {HOST_WAITS // HOUR}. Quiet hours and absences do not "
            "count, nor does the time before they were told or while the bot was out of order."
        )
    return waited


# Players who have left the server


class Looked:
    """Until when new turns were looked at for players who have left the server."""

    def __init__(self, since: int) -> None:
        self.since = since


async def look_for_absent(bot: Bot) -> int:
    """Ask Discord about those who must decide in turns that were posted since the last look; how many have left."""
    looked, now, gone = bot.its(Looked), bot.clock(), 0
    unseen: dict[discord.Guild, list[tuple[Table, PlayerId]]] = {}
    for game in await bot.store.messages.games_shown(TURNS, looked.since, bot.serving):
        with _nobody_knows():
            table = await bot.tables.get(game)
            if (guild := bot.get_guild(table.game.guild_id or 0)) is not None:
                unseen.setdefault(guild, []).extend((table, seat) for seat in _unseen(bot, table))
    for guild, seats in unseen.items():
        with _nobody_knows():
            missing = await not_found(guild, {table.seats[seat].user_id for table, seat in seats})
            for table, seat in seats:
                user = table.seats[seat].user_id
                if user in missing and await is_gone(guild, user):
                    gone += await _tell_gone(table, seat)
    looked.since = now
    return gone


def _unseen(bot: Bot, table: Table) -> list[PlayerId]:
    """Those who must decide and have not used the bot on this server lately: they may have left."""
    asked = [seat for seat in table.position.up if seat in table.seats and is_person(table.seats[seat].user_id)]
    guild = table.game.guild_id or 0
    return [seat for seat in asked if not bot.seen(guild, table.seats[seat].user_id, SEEN)]


@contextmanager
def _nobody_knows() -> Iterator[None]:
    """Log why nobody could be told whether players are there."""
    try:
        yield
    except (TableError, KeyError, *FAILURES) as error:
        log.info("nobody knows whether players are there: %r", error)


async def _tell_gone(table: Table, seat: PlayerId) -> bool:
    """Tell the channel, once, that a seat's player has left the server; False if it knows or need not."""
    async with table.steady():
        if table.game.status != "running" or table.tenures.opening(seat) is not None:
            return False
        since = max((one.at for one in table.tenures.handovers if one.seat == seat), default=0)
        if await is_asked(table, f"seat:gone:{seat}", since):
            return False
        text = (
            f"{table.position.lexicon().player(seat)} has left this server, so the game waits for somebody else "
            f"to play on. <@{table.game.host_id}> or a majority of the players can open the seat."
        )
        notice = seat_notice(f"gone:{seat}", text, [table.game.host_id])
        await table.store.outbox.post(table.game.id, [notice])
    return True
