"""Seats that change hands: offered by their players, left, taken, and given back. `absent` opens those of others.

Nobody gains a seat unless its player offers it or has left it, or the table opened it; what was taken like that can be
claimed back for a week. Each change is one transaction that names whom it saw in the seat, so of two who are as fast as
each other one is told that the seat is taken. What cannot be done raises TableError, and the rest returns what to tell
the person.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from bot.core import clock as clocks
from bot.core import clockwork, opponents
from bot.core.constitution import NO, YES, Ballot, ballot, must_play, voters
from bot.core.errors import OVER, NotYourTurn, TableError
from bot.core.hours import DAY
from bot.core.notices import say_notice, seat_notice
from bot.core.person import present
from bot.core.seated import Played, lost
from bot.core.table import Table
from bot.words.lexicon import clean_name, mentions, unlike
from storage import VACANT, AlreadyOffered, ClockStep, Loan, Notice, Proposal, SeatChange, Stale
from storage.shapes import ProposalKind

LONGEST_LOAN = 90
"""Days."""
LASTS = 7 * DAY
"""Seconds after which nobody can accept a proposal, nor claim a seat: seconds in which they could have acted."""
NO_LONGER = "Nothing was done, since things have changed. `/seat list` shows who sits where and which seats are open."
TAKEN = "Somebody else was faster: {} sits there now."
IN_YOUR_OWN = "✓ You play in your own seat again."
NOT_YOURS = "That is not your seat."
ASKS = "✓ The players have been asked. The seat is yours as soon as a majority agrees."
ASKED = "You have asked for this seat already: the players are still to agree."
TOO_LATE = "That seat was taken over more than a week ago, so it is no longer yours to claim."
OPENS, PLAYS_ON = "open {}", "bot {}"
"""The kinds of votes on whether to open a seat, and on whether an opponent plays on in it."""
SECOND = "You already play in this game. You can only take a seat that is open, if the others agree."
ELSEWHERE = "You are playing in {}'s seat in this game. Give it up first: then you can claim your own back."


# Offers of a player


async def offer(
    table: Table, user: int, seat: str, kind: ProposalKind, to_user: int, name: str, days: int, interaction: int
) -> str:
    """Offer a seat of one's own to somebody. Raises AlreadyOffered too."""
    async with changing(table):
        _must_be_own(table, user, seat)
        if to_user in table.people:
            raise TableError(
                "They already play in this game. They can only take a seat that is open, if the others agree."
            )
        whose = f"<@{to_user}>: {table.position.lexicon().player(seat)}"
        text = (
            f"{whose} offers you their seat, for the rest of the game."
            if kind == "give"
            else f"{whose} asks you to play for them for {days} day{'s' if days > 1 else ''}, and lends you their seat."
        )
        await _end_lapsed(table, seat, to_user)
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
    """Accept or decline what was proposed, or vote on it. Returns what its message says from now on."""
    async with changing(table):
        proposal, settle = table.tenures.proposal(number), table.store.tenures.settle
        if proposal is None:
            raise TableError(NO_LONGER)
        if await _lapsed(table, proposal):
            await settle(table.game.id, number, "stale")
            raise TableError("That was proposed more than a week ago, so it no longer holds.")
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
            await settle(table.game.id, number, "stale", interaction_id=interaction)
            return f"{names.player(proposal.seat)} has withdrawn the offer."
        words = f"<@{proposal.by_user}>: {other} would rather not play in your seat."
        told = say_notice(words, [proposal.by_user], by=user)
        await settle(table.game.id, number, "declined", interaction_id=interaction, notices=[told])
        return f"{other} has declined."


async def _accept(table: Table, proposal: Proposal, interaction: int) -> None:
    if proposal.user_id in table.people:  # since it was offered
        raise TableError(SECOND)
    seat, user, name = proposal.seat, proposal.user_id, table.position.lexicon().player(proposal.seat)
    if proposal.kind == "lend":
        ends_at = table.store.clock() + proposal.days * DAY
        change = SeatChange(seat, "lent", proposal.by_user, user, proposal.name, proposal.id, ends_at)
        said = f"<@{user}> plays for {name} until <t:{ends_at}:f>."
    else:
        host = _host_after(table, proposal.by_user, [seat], otherwise=user)
        change = SeatChange(seat, "given", proposal.by_user, user, proposal.name, proposal.id, host_id=host)
        said = f"<@{user}> has taken over {name}'s seat."
    await hand_over(table, change, said, [], interaction)


# Open seats: see `absent` for how they come to be open


async def keep(table: Table, user: int, seat: str, interaction: int) -> str:
    async with changing(table):
        _must_be_own(table, user, seat)
        if table.tenures.opening(seat) is None:
            raise TableError("Your seat is not open, so it is yours anyway.")
        said = say_notice(f"{table.position.lexicon().player(seat)} keeps the seat.")
        await table.store.tenures.close(
            table.game.id, seat, held_by=user, interaction_id=interaction, notices=[said, table.shown()]
        )
    return "✓ You keep your seat."


async def take(table: Table, user: int, name: str, seat: str, interaction: int) -> str:
    """Take a seat that is open, offered to the person, lent by them, or was theirs."""
    async with changing(table):
        if seat not in table.seats:
            raise TableError(NO_LONGER)
        loan = table.tenures.loan(seat)
        if loan is not None and loan.owner_id == user:
            await give_back(table, loan, "", interaction, by=user)
            return IN_YOUR_OWN
        offered = next((one for one in await _proposed_to(table, user) if one.seat == seat), None)
        if offered is not None:
            await _accept(table, offered, interaction)
            return "✓ The seat is yours."
        if seat in await claimable(table, user):
            await _claim(table, user, name, seat, interaction)
            return IN_YOUR_OWN
        await _must_be_free(table, user, seat)
        others = _others(table, user, seat)
        if others and (user in table.people or table.settings.newcomers == "vote"):
            return await _ask_table(table, user, name, seat, others, interaction)
        await _take(table, user, name, seat, None, interaction)
        return "✓ The seat is yours."


async def _must_be_free(table: Table, user: int, seat: str) -> None:
    """Raise TableError, which says why, unless the person may take the seat as an open one."""
    if table.tenures.opening(seat) is None:
        if any(one.from_id == user for one in lost(table.tenures, seat)):
            other = next(iter(table.seats_of(user)), None)
            raise TableError(TOO_LATE if other is None else ELSEWHERE.format(table.position.lexicon().player(other)))
        raise TableError(f"{table.position.lexicon().player(seat)}'s seat is not open.")
    if table.seats[seat].user_id == user:
        raise TableError("The seat is still yours: your next move, or *Keep my seat*, keeps it.")
    await must_know(table, seat)


async def must_know(table: Table, seat: str) -> None:
    """Raise TableError as long as nobody could tell an open seat's player that it is open."""
    holder, opened = table.seats[seat].user_id, table.tenures.opening(seat)
    if not opponents.is_person(holder) or opened is None:
        return
    person = await clockwork.person_of(table.store, holder)
    told = replace(person, away=None, digested=0).hears(opened.opened_at)
    if told is not None and told > table.store.clock():
        who = table.position.lexicon().player(seat)
        raise TableError(f"{who} does not know yet that the seat is open. It can be taken from <t:{told}:f> on.")


async def _take(table: Table, user: int, name: str, seat: str, proposal: int | None, interaction: int | None) -> None:
    old = table.seats[seat].user_id
    host = _host_after(table, old, [seat], otherwise=user)
    change = SeatChange(seat, "taken", old, user, name, proposal, host_id=host)
    said = f"<@{user}> plays on in {table.position.lexicon().player(seat)}'s seat."
    told = (
        f"<@{old}>, your seat was open, and <@{user}> plays on in it. For a week in which you are not away it is still "
        "yours to claim: with the button, or with `/seat take`."
    )
    claim = [seat_notice(f"lost:{seat}", told, [old], later="taken")] if opponents.is_person(old) else []
    await hand_over(table, change, said, [user] if interaction is None else [], interaction, more=claim)


async def _ask_table(table: Table, user: int, name: str, seat: str, others: Sequence[int], interaction: int) -> str:
    await _end_lapsed(table, seat, user)
    if await _ask_again(table, user, seat):
        return ASKS
    text = (
        f"<@{user}> would like to play on in {table.position.lexicon().player(seat)}'s seat. "
        f"{mentions(others)}: do you agree?"
    )
    try:
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
    except AlreadyOffered as error:
        raise TableError(ASKED) from error
    return ASKS


async def _ask_again(table: Table, user: int, seat: str) -> bool:
    """Ask whoever has not voted on this newcomer, if the message that asked is gone; whether it was."""
    mine = (one for one in table.tenures.proposals if (one.kind, one.seat, one.user_id) == ("take", seat, user))
    proposal = next(mine, None)
    if proposal is None or await _lapsed(table, proposal) or await is_asked(table, f"seat:ask:{proposal.id}"):
        return False
    vote = await _vote_of(table, proposal)
    missing = [one for one in vote.missing() if one not in vote.agreed(NO)]
    notice = seat_notice(f"ask:{proposal.id}", _so_far(table, proposal, vote), missing, by=user)
    await table.store.outbox.post(table.game.id, [notice])
    return True


async def _vote_on(table: Table, proposal: Proposal, user: int, accept: bool, interaction: int) -> str:
    """Vote on whoever wants to take an open seat."""
    settle, newcomer = table.store.tenures.settle, proposal.user_id
    if user == newcomer and not accept:
        await settle(table.game.id, proposal.id, "stale", interaction_id=interaction)
        return f"<@{newcomer}> no longer wants the seat."
    vote = await _vote_of(table, proposal)
    if user not in vote.voters:
        raise NotYourTurn("That is for the other players of this game to decide.")
    vote = await vote.cast(user, YES if accept else NO, interaction=interaction)
    if not vote.lacking():
        await _take(table, newcomer, proposal.name, proposal.seat, proposal.id, None)
        return f"The players have agreed: <@{newcomer}> plays on."
    if len(vote.voters) - len(vote.agreed(NO)) < vote.needed:
        told = say_notice(f"<@{newcomer}>: the players would rather wait for somebody else.", [newcomer])
        await settle(table.game.id, proposal.id, "declined", notices=[told])
        return f"The players have not agreed to <@{newcomer}>."
    return _so_far(table, proposal, vote)


def _so_far(table: Table, proposal: Proposal, vote: Ballot) -> str:
    against = vote.agreed(NO)
    return (
        f"<@{proposal.user_id}> would like to play on in {table.position.lexicon().player(proposal.seat)}'s seat. "
        f"Agreed: {len(vote.agreed())} of {vote.needed}. "
        f"Still asked: {mentions(one for one in vote.missing() if one not in against)}."
    )


async def asks_by_now(table: Table, number: int) -> str | None:
    """What the message says in which the players are asked about a newcomer; None for what it said at first."""
    proposal = table.tenures.proposal(number)
    if proposal is None:
        return None
    vote = await _vote_of(table, proposal)
    return _so_far(table, proposal, vote) if vote.votes else None


async def _vote_of(table: Table, proposal: Proposal) -> Ballot:
    return await ballot(table, "take", f"take {proposal.id}", _others(table, proposal.user_id, proposal.seat))


def _others(table: Table, newcomer: int, seat: str) -> list[int]:
    """Who decides on a newcomer: everybody else who plays, but for whoever may lose the seat."""
    return voters(table, "take", but_for=(newcomer, table.seats[seat].user_id))


# Seats that were taken from players who were absent


async def claimable(table: Table, user: int) -> list[str]:
    """The seats that the person can claim back, in seat order; none as long as they play in another."""
    if table.seats_of(user):
        return []
    theirs = [(seat, one) for seat in table.seats for one in lost(table.tenures, seat) if one.from_id == user]
    return [seat for seat, one in theirs if not await _had_a_week(table, user, one.at)]


async def _claim(table: Table, user: int, name: str, seat: str, interaction: int) -> None:
    """Return a seat to whom it was taken from, whoever has it now: with a program's, a borrower's or nobody's."""
    old, loan = table.seats[seat].user_id, table.tenures.loan(seat)
    change = SeatChange(seat, "returned", old, user, name, host_id=_host_after(table, old, [seat], otherwise=user))
    ended = [one for one in (old, VACANT if loan is None else loan.owner_id) if opponents.is_person(one)]
    thanks = f" Thank you, {' and '.join(f'<@{one}>' for one in ended)}: the seat is theirs again." if ended else ""
    said = f"<@{user}> is back and has claimed their seat, after {table.position.lexicon().player(seat)}.{thanks}"
    await hand_over(table, change, said, ended, interaction, later="returned")


# Leaving, and giving back


async def leave(table: Table, user: int, interaction: int) -> str:
    """Leave a running game: own seats are open from now on, lent ones go back."""
    async with changing(table):
        must_play("leave", table, user)
        loans = {seat: table.tenures.loan(seat) for seat in table.seats_of(user)}
        own = [seat for seat, loan in loans.items() if loan is None]
        if own and table.people == [user]:
            said = "Everybody has left, so the game has ended without a result. Its log is kept."
            await table.store.set_status(
                table.game.id, "abandoned", expected="running", interaction_id=interaction, notices=[say_notice(said)]
            )
            return "✓ You have left, and the game has ended without a result."

        async def write() -> None:
            once: int | None = interaction
            for loan in filter(None, loans.values()):
                await give_back(table, loan, "", once)
                once = None
            host = _host_after(table, user, own, otherwise=None) if own else None
            for seat in own:
                said = f"{table.position.lexicon().player(seat)} has left, and the seat is **open**. {who_may(table)}"
                change = SeatChange(seat, "left", user, VACANT, table.names[seat], host_id=host)
                await hand_over(table, change, said, [], once, about=f"left:{seat}")
                once, host = None, None

        await table.store.together(write)
    return f"✓ You have left the game. {table.way_back}"


async def end_loan(table: Table, loan: Loan) -> None:
    """Give a seat back whose loan has come to its end; nothing if it has been given back by now."""
    async with changing(table):
        if table.tenures.loan(loan.seat) == loan:
            await give_back(table, loan, "The loan is over: ", None)


async def give_back(table: Table, loan: Loan, why: str, interaction: int | None, by: int | None = None) -> None:
    """Return a lent seat to its owner; `why` begins what the channel is told. Done `by` them, it pings the other."""
    old, owner, after = table.seats[loan.seat].user_id, loan.owner_id, table.position.lexicon().player(loan.seat)
    ping = [owner]
    if by == owner:
        ping = [old] if opponents.is_person(old) else []
        after = f"<@{old}>" if ping else after
    said = f"{why}<@{owner}> plays in their own seat again, after {after}."
    change = SeatChange(loan.seat, "returned", old, owner, loan.owner_name)
    later = "returned" if by == owner else ""
    await hand_over(table, change, said[0].upper() + said[1:], ping, interaction, later=later)


# What these share


async def takeable(table: Table, user: int) -> list[str]:
    """The seats that the person can take, ask for, or take back, in seat order."""
    offered = {one.seat for one in await _proposed_to(table, user)} | set(await claimable(table, user))
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
    change: SeatChange,
    said: str,
    ping: list[int],
    interaction: int | None,
    *,
    about: str = "",
    later: str = "",
    more: Sequence[Notice] = (),
) -> None:
    """Pass a seat on, and say so, and `more`; `about` and `later` as in `seat_notice`: whoever is new catches up.

    Nobody plays under the name of another seat.
    """
    if change.host_id is not None:
        said += f" <@{change.host_id}> is the host now."
    others = {row.name for seat, row in table.seats.items() if seat != change.seat}
    name = unlike(clean_name(change.to_name), others)
    over = (OPENS.format(change.seat), PLAYS_ON.format(change.seat), clocks.about_late(change.seat))
    change = replace(change, to_name=name, settles=over)
    notices = [seat_notice(about or f"new:{change.seat}", said, ping, later=later), *more, table.shown()]
    await table.store.tenures.hand_over(
        table.game.id, change, interaction_id=interaction, notices=notices, clock=await _clock_after(table, change)
    )


async def _clock_after(table: Table, change: SeatChange) -> ClockStep:
    """The step of the clock: whoever sits there from now on has their own hours, and time for the turn."""
    number, before = int(change.seat[1:]), await clockwork.people_of(table.store, [change.from_user])
    seats = [replace(row, user_id=change.to_user) if row.seat == number else row for row in table.seats.values()]
    after = await clockwork.around(table.store, table.game, seats)
    if opponents.level_of(change.from_user) or opponents.level_of(change.to_user):
        return clockwork.on_move(table.key, after)  # who has a clock now, or has none any more
    sat = {one.from_id for one in table.tenures.handovers if one.seat == change.seat} | {change.from_user}
    newcomer = change.how in ("given", "taken") and change.to_user not in sat
    counted = replace(after, people={**before, **after.people})  # whoever sat there used time by their own hours
    return clockwork.step(partial(clocks.looked, newcomer=newcomer), counted)


def _must_be_own(table: Table, user: int, seat: str) -> None:
    mine = table.seats_of(user)
    if seat not in mine:
        raise TableError(NOT_YOURS) if mine else table.not_seated(user)
    loan = table.tenures.loan(seat)
    if loan is not None:
        raise TableError(f"This seat is lent to you until <t:{loan.ends_at}:f>: only {loan.owner_name} can offer it.")


async def _proposed_to(table: Table, user: int) -> list[Proposal]:
    """The seats that their players offer to the person."""
    mine = [one for one in table.tenures.proposals if one.user_id == user and one.kind != "take"]
    return [one for one in mine if not await _lapsed(table, one)]


async def _end_lapsed(table: Table, seat: str, user: int) -> None:
    """End what nobody has answered for a week, or is asked about this person, so that it can be proposed again.

    What was asked of the table is asked again, so that its votes count (`_ask_again`).
    """
    for one in table.tenures.proposals:
        offered = one.user_id == user and one.kind != "take"
        gone = offered and not await is_asked(table, f"seat:offer:{one.id}")
        if one.seat == seat and (gone or await _lapsed(table, one)):
            await table.store.tenures.settle(table.game.id, one.id, "stale")


async def is_asked(table: Played, kind: str, since: int = 0) -> bool:
    """Whether a message of this kind asks, posted since then, or will; one that lost its buttons asks nobody."""
    store, game = table.store, table.game.id
    live = any(one.kind == kind for one in await store.messages.live(game))
    return await store.outbox.told(game, kind, since if live else store.clock() + 1)


async def _lapsed(table: Table, proposal: Proposal) -> bool:
    """Whether whoever should answer an offer had a week for it; what was asked of the table stands for a week."""
    return await _had_a_week(table, VACANT if proposal.kind == "take" else proposal.user_id, proposal.made_at)


async def _had_a_week(table: Table, user: int, since: int) -> bool:
    """Whether the person had a week since in which they could have acted."""
    store = table.store
    person = await clockwork.person_of(store, user)
    return present(person, since, store.clock(), await clockwork.breaks_by_now(store)) >= LASTS


def who_may(table: Table) -> str:
    """Who may take an open seat, or leave it to the bot."""
    bot = "Or the bot plays on, if a majority of the others agrees."
    if table.settings.newcomers == "vote":
        return f"To play on, press *Take the seat*; the players decide. {bot}"
    return f"Anybody on this server can play on: press *Take the seat*. {bot}"


def _host_after(table: Table, user: int, given: Sequence[str], *, otherwise: int | None) -> int | None:
    """Who hosts the game once the person has given up these seats; None if that does not change."""
    if user != table.game.host_id or set(table.seats_of(user)) - set(given):
        return None
    lent = {table.seats[one.seat].user_id for one in table.tenures.loans}
    others = sorted((one for one in table.people if one != user), key=lambda one: one in lent)
    return next(iter(others), otherwise)
