"""Seats that change hands: offered by their players, left, taken, and given back. `absent` opens those of others.

Nobody gains a seat unless its player offers it or has left it, or the table opened it; what was taken like that can be
claimed back (`claims`). Each change is one transaction
that names whom it saw in the seat, so of two who are as fast as each other one is told that the seat is taken.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.core import clock as clocks
from bot.core import clockwork, constitution, opponents
from bot.core.constitution import must_play
from bot.core.errors import OVER, NotYourTurn, TableError
from bot.core.notices import say_notice, seat_notice
from bot.core.person import Person, present
from bot.core.table import Table
from bot.rooms.seats import claims
from bot.words.lexicon import clean_name
from engine.ids import PlayerId
from storage import VACANT, Change, ClockStep, Loan, Notice, Proposal, Stale
from storage.shapes import HandoverKind, ProposalKind

DAY = 24 * 3600
LASTS = 7 * DAY
"""Seconds after which nobody can accept a proposal."""
LONGEST_LOAN = 90
"""Days."""
NO_LONGER = "Nothing was done: that is no longer so. `/seat list` shows who sits where and which seats are open."
TAKEN = "Somebody was faster: {} sits there now."


def question(seat: str) -> str:
    """The kind of vote on whether to open a seat."""
    return f"open {seat}"


def told_gone(seat: str) -> str:
    """The kind of vote that remembers that the table knows of somebody who has left the server."""
    return f"gone {seat}"


def asked(proposal: int) -> str:
    """The kind of vote on whether somebody may take an open seat."""
    return f"take {proposal}"


def settled(seat: str) -> tuple[str, str]:
    """The kinds of votes that end when a seat changes hands."""
    return question(seat), told_gone(seat)


# Offers of a player


async def offer(
    table: Table, user: int, seat: str, kind: ProposalKind, to_user: int, name: str, days: int, interaction: int
) -> str:
    """Offer a seat of one's own to somebody; what to tell its player. Raises TableError or AlreadyOffered."""
    async with changing(table):
        _must_be_own(table, user, seat)
        if to_user in table.people:
            raise TableError(
                "They already play in this game. They can only take a seat that is open, if the others agree."
            )
        names = table.position.lexicon()
        whose = f"<@{to_user}>: {names.player(seat)}"
        text = (
            f"{whose} offers you their seat, for the rest of the game."
            if kind == "give"
            else f"{whose} asks you to play for them for {days} day{'s' if days > 1 else ''}, and lends you their seat."
        )
        await table.store.tenures.propose(
            table.game.id,
            seat,
            kind,
            held_by=user,
            by_user=user,
            user_id=to_user,
            name=name,
            days=days,
            notice=lambda number: seat_notice(f"offer:{number}", text, [to_user], by=user),
            interaction_id=interaction,
        )
    return f"✓ <@{to_user}> has been asked. Until they accept, the seat is yours; *Decline* withdraws the offer."


async def answer(table: Table, number: int, user: int, accept: bool, interaction: int) -> str:
    """Accept or decline what was proposed, or vote on it; what its message says from now on. Raises TableError."""
    async with changing(table):
        proposal = await _proposal(table, number)
        if proposal.kind == "take":
            return await _vote_on(table, proposal, user, accept, interaction)
        names, other = table.position.lexicon(), f"<@{proposal.user_id}>"
        if accept:
            if user != proposal.user_id:
                raise NotYourTurn(f"This seat is offered to {other} alone.")
            await _accept(table, proposal, interaction)
            return f"{other} has accepted."
        if user not in (proposal.user_id, proposal.by_user):
            raise NotYourTurn(f"That is for {other} and {names.player(proposal.seat)} to answer.")
        if user == proposal.by_user:
            await table.store.tenures.settle(table.game.id, number, "stale", interaction_id=interaction)
            return f"{names.player(proposal.seat)} has withdrawn the offer."
        words = f"<@{proposal.by_user}>: {other} would rather not play in your seat."
        told = say_notice(words, [proposal.by_user], by=user)
        await table.store.tenures.settle(table.game.id, number, "declined", interaction_id=interaction, notices=[told])
        return f"{other} has declined."


async def _accept(table: Table, proposal: Proposal, interaction: int) -> None:
    seat, new = proposal.seat, _name(table, proposal.seat, proposal.name)
    names = table.position.lexicon()
    ends_at, host = 0, None
    if proposal.kind == "lend":
        ends_at = await table.store.time() + proposal.days * DAY
        said = f"<@{proposal.user_id}> plays for {names.player(seat)} until <t:{ends_at}:f>."
    else:
        host = _host_after(table, proposal.by_user, [seat], otherwise=proposal.user_id)
        said = f"<@{proposal.user_id}> has taken over {names.player(seat)}'s seat.{_new_host(host)}"
    how: HandoverKind = "lent" if proposal.kind == "lend" else "given"
    change = Change(seat, how, proposal.by_user, proposal.user_id, new, proposal.id, ends_at, host, settled(seat))
    await hand_over(table, change, said, [], interaction)


# Open seats: see `absent` for how they come to be open


async def keep(table: Table, user: int, seat: str, interaction: int) -> str:
    """Let its player keep an open seat; what to tell them. Raises TableError."""
    async with changing(table):
        _must_be_own(table, user, seat)
        if table.tenures.opening(seat) is None:
            raise TableError("Your seat is not open, so it is yours anyway.")
        said = f"{table.position.lexicon().player(seat)} keeps the seat."
        await table.store.tenures.close(
            table.game.id, seat, held_by=user, interaction_id=interaction, notices=[say_notice(said), table.shown()]
        )
    return "✓ You keep your seat."


async def take(table: Table, user: int, name: str, seat: str, interaction: int) -> str:
    """Take a seat that is open, offered to the person, lent by them, or was theirs; what to tell them.

    Raises TableError.
    """
    async with changing(table):
        if seat not in table.seats:
            raise TableError(NO_LONGER)
        loan = table.tenures.loan(seat)
        if loan is not None and loan.owner_id == user:
            await give_back(table, loan, "", interaction)
            return "✓ You play in your own seat again."
        offered = next((one for one in await proposed_to(table, user) if one.seat == seat), None)
        if offered is not None:
            await _accept(table, offered, interaction)
            return "✓ The seat is yours."
        if seat in await claims.claimable(table, user):
            await _claim(table, user, name, seat, interaction)
            return "✓ You play in your own seat again."
        if table.tenures.opening(seat) is None:
            if claims.lost_by(table, user, seat) is not None:
                raise claims.why_not(table, user)
            raise TableError(f"{table.position.lexicon().player(seat)}'s seat is not open.")
        if table.seats[seat].user_id == user:
            raise TableError("The seat is still yours: your next move, or *Keep my seat*, keeps it.")
        await must_know(table, seat)
        others = _voters(table, user, seat)
        if others and (user in table.people or table.settings.newcomers == "vote"):
            return await _ask_table(table, user, name, seat, others, interaction)
        await _take(table, user, name, seat, None, interaction)
        return "✓ The seat is yours."


async def must_know(table: Table, seat: str) -> None:
    """Raise TableError as long as nobody could tell an open seat's player that it is open."""
    holder, opened = table.seats[seat].user_id, table.tenures.opening(seat)
    if not opponents.is_person(holder) or opened is None:
        return
    person = (await clockwork.people_of(table.store, [holder]))[holder]
    told = replace(person, away=None, digested=0).hears(opened.opened_at)
    if told is not None and told > table.store.clock():
        who = table.position.lexicon().player(seat)
        raise TableError(f"{who} does not know yet that the seat is open. It can be taken from <t:{told}:f> on.")


async def _take(table: Table, user: int, name: str, seat: str, proposal: int | None, interaction: int | None) -> None:
    old = table.seats[seat].user_id
    host = _host_after(table, old, [seat], otherwise=user)
    said = f"<@{user}> plays on in {table.position.lexicon().player(seat)}'s seat.{_new_host(host)}"
    new = _name(table, seat, name)
    change = Change(seat, "taken", old, user, new, proposal, host_id=host, settles=settled(seat))
    ping = [user] if interaction is None else []
    if not opponents.is_person(old):
        await hand_over(table, change, said, ping, interaction)
        return
    told = (
        f"<@{old}>, your seat was open, and <@{user}> plays on in it. For a week in which you are not away it is still "
        "yours to claim: with the button, or with `/seat take`."
    )
    lost = seat_notice(f"lost:{seat}", told, [old], later="somebody plays on in your seat, and `/seat take` returns it")
    await hand_over(table, change, said, ping, interaction, more=[lost])


async def _claim(table: Table, user: int, name: str, seat: str, interaction: int) -> None:
    """Return a seat to whom it was taken from, whoever has it now: with a program's, a borrower's or nobody's."""
    old, loan = table.seats[seat].user_id, table.tenures.loan(seat)
    host = _host_after(table, old, [seat], otherwise=user)
    change = Change(seat, "returned", old, user, _name(table, seat, name), host_id=host, settles=settled(seat))
    ended = [one for one in (old, VACANT if loan is None else loan.owner_id) if opponents.is_person(one)]
    thanks = f" Thank you, {' and '.join(f'<@{one}>' for one in ended)}: the seat is theirs again." if ended else ""
    said = f"<@{user}> is back and has claimed their seat, after {table.position.lexicon().player(seat)}."
    later = "the player whose seat you had is back and plays in it again"
    await hand_over(table, change, f"{said}{thanks}{_new_host(host)}", ended, interaction, later=later)


async def _ask_table(table: Table, user: int, name: str, seat: str, others: list[int], interaction: int) -> str:
    text = (
        f"<@{user}> would like to play on in {table.position.lexicon().player(seat)}'s seat. "
        f"{' '.join(f'<@{one}>' for one in others)}: do you agree?"
    )
    await table.store.tenures.propose(
        table.game.id,
        seat,
        "take",
        held_by=table.seats[seat].user_id,
        by_user=user,
        user_id=user,
        name=name,
        notice=lambda number: seat_notice(f"ask:{number}", text, others, by=user),
        interaction_id=interaction,
    )
    return "✓ The players have been asked. The seat is yours as soon as a majority agrees."


async def _vote_on(table: Table, proposal: Proposal, user: int, accept: bool, interaction: int) -> str:
    """Vote on whoever wants to take an open seat."""
    if user == proposal.user_id and not accept:
        await table.store.tenures.settle(table.game.id, proposal.id, "stale", interaction_id=interaction)
        return f"<@{user}> no longer wants the seat."
    voters = _voters(table, proposal.user_id, proposal.seat)
    if user not in voters:
        raise NotYourTurn("That is for the other players of this game to decide.")
    votes = await constitution.cast(
        table, "take", asked(proposal.id), user, "yes" if accept else "no", interaction=interaction
    )
    agreed = constitution.agreed(table, "take", votes) & set(voters)
    against = constitution.agreed(table, "take", votes, "no") & set(voters)
    needed = constitution.needed("take", len(voters))
    if len(agreed) >= needed:
        await _take(table, proposal.user_id, proposal.name, proposal.seat, proposal.id, None)
        return f"The players have agreed: <@{proposal.user_id}> plays on."
    if len(voters) - len(against) < needed:
        words = f"<@{proposal.user_id}>: the players would rather wait for somebody else."
        told = say_notice(words, [proposal.user_id])
        await table.store.tenures.settle(table.game.id, proposal.id, "declined", notices=[told])
        return f"The players have not agreed to <@{proposal.user_id}>."
    return (
        f"<@{proposal.user_id}> would like to play on in {table.position.lexicon().player(proposal.seat)}'s seat. "
        f"Agreed: {len(agreed)} of {needed}. "
        f"Still asked: {' '.join(f'<@{one}>' for one in voters if one not in agreed | against)}."
    )


# Leaving, and giving back


async def leave(table: Table, user: int, interaction: int) -> str:
    """Leave a running game: own seats are open from now on, lent ones go back; what to tell them. Raises TableError."""
    async with changing(table):
        must_play("leave", table, user)
        mine = table.seats_of(user)
        loans = [loan for seat in mine if (loan := table.tenures.loan(seat)) is not None]
        own = [str(seat) for seat in mine if table.tenures.loan(seat) is None]
        if own and table.people == [user]:
            said = "Everybody has left, so the game has ended without a result. Its log is kept."
            await table.store.set_status(
                table.game.id, "abandoned", expected="running", interaction_id=interaction, notices=[say_notice(said)]
            )
            return "✓ You have left, and the game has ended without a result."

        async def write() -> None:
            once: int | None = interaction
            for loan in loans:
                await give_back(table, loan, "", once)
                once = None
            host = _host_after(table, user, own, otherwise=None) if own else None
            for seat in own:
                await _leave_seat(table, user, seat, host, once)
                once, host = None, None

        await table.store.together(write)
    return "✓ You have left the game. As long as your seat is open, you can take it again."


async def _leave_seat(table: Table, user: int, seat: str, host: int | None, interaction: int | None) -> None:
    who = table.position.lexicon().player(seat)
    text = f"{who} has left, and the seat is **open**. {who_may(table)}{_new_host(host)}"
    change = Change(seat, "left", user, VACANT, table.names[seat], host_id=host, settles=settled(seat))
    notices = [seat_notice(f"left:{seat}", text), table.shown()]
    await table.store.tenures.hand_over(
        table.game.id, change, interaction_id=interaction, notices=notices, clock=await _clock_after(table, change)
    )


async def end_loan(table: Table, loan: Loan) -> None:
    """Give a seat back whose loan has come to its end; nothing if it has been given back by now."""
    async with changing(table):
        if table.tenures.loan(loan.seat) == loan:
            await give_back(table, loan, "The loan is over: ", None)


async def give_back(table: Table, loan: Loan, why: str, interaction: int | None) -> None:
    old = table.seats[loan.seat].user_id
    said = f"{why}<@{loan.owner_id}> plays in their own seat again, after {table.position.lexicon().player(loan.seat)}."
    owner = _name(table, loan.seat, loan.owner_name)
    change = Change(loan.seat, "returned", old, loan.owner_id, owner, settles=settled(loan.seat))
    await hand_over(table, change, said[0].upper() + said[1:], [loan.owner_id], interaction)


# What these share


async def proposed_to(table: Table, user: int) -> list[Proposal]:
    """The seats that their players offer to the person."""
    mine = [one for one in table.tenures.proposals if one.user_id == user and one.kind != "take"]
    return [one for one in mine if not await _lapsed(table, one)]


async def takeable(table: Table, user: int) -> list[str]:
    """The seats that the person can take, ask for, or take back, in seat order."""
    offered = {one.seat for one in await proposed_to(table, user)} | set(await claims.claimable(table, user))
    lent = {one.seat for one in table.tenures.loans if one.owner_id == user}
    opened = {one.seat for one in table.tenures.openings if table.seats[one.seat].user_id != user}
    return [seat for seat in table.seats if seat in offered | lent | opened]


@asynccontextmanager
async def changing(table: Table) -> AsyncIterator[None]:
    """The table as it is now, for a change of its seats. Raises TableError unless the game runs."""
    async with table.steady():
        if table.game.status != "running" or table.position.over:
            raise TableError(OVER)
        before = {seat: row.user_id for seat, row in table.seats.items()}
        try:
            yield
        except Stale as error:
            seats = await table.store.seats(table.game.id)
            other = next((one for one in seats if before[f"p{one.seat}"] not in (one.user_id, VACANT)), None)
            text = NO_LONGER if other is None or not other.user_id else TAKEN.format(clean_name(other.name))
            raise TableError(text) from error


async def hand_over(
    table: Table,
    change: Change,
    said: str,
    ping: list[int],
    interaction: int | None,
    *,
    about: str = "",
    later: str = "",
    more: Sequence[Notice] = (),
) -> None:
    """Pass a seat on, and say so, and `more`; `about` and `later` as in `seat_notice`: whoever is new catches up."""
    notices = [seat_notice(about or f"new:{change.seat}", said, ping, later=later), *more, table.shown()]
    await table.store.tenures.hand_over(
        table.game.id, change, interaction_id=interaction, notices=notices, clock=await _clock_after(table, change)
    )


async def _clock_after(table: Table, change: Change) -> ClockStep:
    """The step of the clock: whoever sits there from now on has their own hours, and time for the turn."""
    number = int(change.seat[1:])
    seats = [replace(row, user_id=change.to_user) if row.seat == number else row for row in table.seats.values()]
    after = await clockwork.around(table.store, table.game, seats)
    if opponents.level_of(change.from_user) or opponents.level_of(change.to_user):
        return clockwork.on_move(table.key, after)  # who has a clock now, or has none any more
    return clockwork.step(clocks.looked, after)


def _must_be_own(table: Table, user: int, seat: str) -> None:
    if seat not in table.seats_of(user):
        raise table.not_seated(user)
    loan = table.tenures.loan(seat)
    if loan is not None:
        raise TableError(f"This seat is lent to you until <t:{loan.ends_at}:f>: only {loan.owner_name} can offer it.")


async def _proposal(table: Table, number: int) -> Proposal:
    found = table.tenures.proposal(number)
    if found is None:
        raise TableError(NO_LONGER)
    if await _lapsed(table, found):
        await table.store.tenures.settle(table.game.id, number, "stale")
        raise TableError("That was proposed more than a week ago, so it no longer holds.")
    return found


async def _lapsed(table: Table, proposal: Proposal) -> bool:
    """Whether whoever should answer an offer had a week for it; what was asked of the table stands for a week."""
    user, store = proposal.user_id, table.store
    person = Person() if proposal.kind == "take" else (await clockwork.people_of(store, [user]))[user]
    return present(person, proposal.made_at, store.clock(), await clockwork.breaks_by_now(store)) >= LASTS


def _voters(table: Table, newcomer: int, seat: str) -> list[int]:
    """Who decides on a newcomer: everybody else who plays, but for whoever may lose the seat."""
    return constitution.voters(table, "take", but_for=(newcomer, table.seats[seat].user_id))


def who_may(table: Table) -> str:
    if table.settings.newcomers == "vote":
        return "Whoever wants to play on presses *Take the seat*, and the players decide."
    return "Anybody on this server can play on: *Take the seat*."


def _host_after(table: Table, user: int, given: list[str], *, otherwise: int | None) -> int | None:
    """Who hosts the game once the person has given up these seats; None if that does not change."""
    if user != table.game.host_id or set(map(str, table.seats_of(user))) - set(given):
        return None
    lent = {table.seats[one.seat].user_id for one in table.tenures.loans}
    others = sorted((one for one in table.people if one != user), key=lambda one: one in lent)
    return next(iter(others), otherwise)


def _new_host(host: int | None) -> str:
    return f" <@{host}> is the host now." if host is not None else ""


def _name(table: Table, seat: str, name: str) -> str:
    """The name under which somebody plays in a seat: unlike that of every other seat."""
    others = {row.name for key, row in table.seats.items() if key != seat}
    cleaned = clean_name(name)
    named = (f"{cleaned[:28]} {number}" for number in range(2, len(others) + 3))
    return cleaned if cleaned not in others else next(one for one in named if one not in others)


def own_seat(table: Table, user: int) -> PlayerId:
    """The seat that the person can offer or leave: their own before one that is lent to them. Raises NotSeated."""
    mine = table.seats_of(user)
    if not mine:
        raise table.not_seated(user)
    return next((seat for seat in mine if table.tenures.loan(seat) is None), mine[0])
