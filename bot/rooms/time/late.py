"""What the others are asked when somebody's time is up, and what an archived game says."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import discord

from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.rights import seems_gone
from bot.chat.screen import Button, Screen
from bot.core import clock as clocks
from bot.core import clockwork
from bot.core.constitution import Ballot, ballot, seats_voting
from bot.core.errors import NotYourTurn, Outdated, TableError
from bot.core.hours import HOUR
from bot.core.notices import say_notice
from bot.core.pace import DELAYS
from bot.core.secrecy import may_pass
from bot.core.table import Table
from bot.rooms.seats import absent
from bot.words.lexicon import listed, mentions
from engine import PlayerId

log = logging.getLogger("tetsudo.late")
WAYS = {
    "wait": "Wait longer",
    "pass": "Pass for them",
    "bot": "Let the bot play this turn",
    "open": "Find a substitute",
}
"""What the others can decide, by the word in the code."""
MEANS = {
    "wait": "gives {who} {hours} h more; {times}",
    "pass": "passes in their place",
    "bot": "plays cautiously: it runs the best routes, pays, passes, and buys only what the rules force it to",
    "open": "opens their seat to somebody else",
}
RETURNS = "gives the seat that was lent to {who} back to its owner"
WAITS = "The table waits {hours} h longer for {who}."
OPENED = "If nobody has taken {who}'s seat in {hours} h, the table decides again."
ARCHIVED = (
    "### This game is archived\nNobody has moved for 45 days. Nothing is lost: any player can wake it, or just move."
)


@dataclass(frozen=True, slots=True)
class Late:
    """A seat whose time is up, and the vote on what to do about it."""

    table: Table
    look: clocks.Look
    run: clocks.Running
    vote: Ballot
    """By those who are not away."""

    @property
    def who(self) -> str:
        return self.table.whose(self.run.seat)

    async def ways(self) -> list[str]:
        """What the others can decide."""
        position, seat = self.table.position, PlayerId(self.run.seat)
        possible = {
            "wait": self.look.clock.can_wait(seat),
            "pass": await position.work.do(may_pass, position.title, position.state, seat),
            "bot": True,
            "open": self.table.tenures.opening(seat) is None,
        }
        return [way for way, can in possible.items() if can]


async def late_seat(table: Table, seat: str) -> Late | None:
    """The seat, if its time is up."""
    look = await clockwork.look(table.store, table.game, table.seats.values())
    run = look.clock.run_of(seat)
    if run is None or run.late_at is None:
        return None
    deciding = look.around.others(run.user, look.now)
    return Late(table, look, run, await ballot(table, "late", clocks.about_late(seat), deciding))


async def vote(bot: Bot, interaction: discord.Interaction[Any], table: Table, way: str, seat: str, seen: int) -> str:
    """Count a vote on what to do about a late seat, and do what a majority wants; what to tell the voter.

    Raises TableError, Outdated and storage errors.
    """
    async with table.steady():
        screen, said, over = await _vote(table, way, seat, seen, interaction.user.id, interaction.id)
    message = interaction.message
    if message is not None and screen is not None:
        await bot.messages.edit(message.channel.id, message.id, screen)
        if over:
            await table.store.messages.retire([message.id])
    return f"✓ {WAYS[way]}: {said}"


async def _vote(
    table: Table, way: str, seat: str, seen: int, user: int, interaction: int
) -> tuple[Screen | None, str, bool]:
    """What the question says from now on, what to tell the voter, and whether it is decided."""
    seats_voting(table, "late", user)
    late = await late_seat(table, seat)
    if late is None:
        raise TableError("Nobody is late any more: there is nothing to decide.")
    if table.position.seq != seen:
        raise Outdated()
    if user == late.run.user:
        raise NotYourTurn("The others decide about this. You can simply move: it is still your turn.")
    if way not in await late.ways():
        why = f": everybody can be excused {DELAYS} times in a game" if way == "wait" else ""
        raise TableError(f"That is not possible here{why}.")
    asked, who = late.vote, late.who
    if user not in asked.voters:  # away, and here after all
        asked = replace(asked, voters=(*asked.voters, user))
    counted = await asked.cast(user, way, seen=seen, interaction=interaction)
    if counted.lacking(way):
        return await late_screen(table, seat), f"{len(counted.agreed(way))} of {counted.needed} votes.", False
    await _decide(table, seat, way, seen)
    return Screen(f"*The others decided about {who}: {WAYS[way]}.*"), "decided.", True


async def _decide(table: Table, seat: str, way: str, seen: int) -> None:
    """Do what was decided about a late seat, and tell the channel."""
    user, who = table.seats[seat].user_id, table.whose(seat)
    if way == "wait":
        named, ping = (f"<@{user}>", [user]) if table.has_person(seat) else (who, [])
        await _wait(table, seat, WAITS, named, ping)
    elif way == "open" and table.tenures.loan(seat) is not None:
        over = partial(table.store.votes.clear, table.game.id, clocks.about_late(seat))
        await absent.open_seat(table, seat, f"{who}'s time was up, and a majority of the others decided.", over)
    elif way == "open":
        waits = partial(_wait, table, seat, OPENED, who, [], excused=False)
        await absent.open_seat(table, seat, f"{who}'s time was up, and a majority of the others opened it.", waits)
    elif way == "pass":
        await table.act_for(PlayerId(seat), "pass", seen=seen, said=f"Time was up for {who}: the others passed.")
    else:
        said = f"Time was up for {who}: the bot plays this turn, cautiously."
        await table.act_for(PlayerId(seat), "bot", seen=seen, said=said)


async def _wait(table: Table, seat: str, text: str, who: str, ping: list[int], *, excused: bool = True) -> None:
    """Give a late seat more time, and tell the channel how much."""
    store, game = table.store, table.game
    given = await clockwork.around(store, game, table.seats.values())
    said = say_notice(text.format(who=who, hours=given.pace.delay // HOUR), ping)
    step = clockwork.step(partial(clocks.granted, seat=seat, excused=excused), given)

    async def write() -> None:
        await store.clocks.change(game.id, step, [said])
        await store.votes.clear(game.id, clocks.about_late(seat))

    await store.together(write)


async def as_agreed(bot: Bot, game_id: str, seat: str) -> None:
    """Do what the table agreed to at the start for whoever is late; where that is impossible, ask the others.

    So they are where the channel is gone, in which it was to be told, once the game is in another.
    """
    table = await bot.tables.get(game_id)
    late = await late_seat(table, seat)
    if late is None or late.run.asked or seat not in table.position.up:
        return
    way = table.settings.pace.then
    try:
        if way in await late.ways() and not await seems_gone(bot, table.game):
            await _decide(table, seat, way, table.position.seq)
            bot.sender.wake()
            return
    except TableError:
        log.warning("what was agreed to is not possible", extra={"game": game_id}, exc_info=True)
    await clockwork.change(bot.store, table.game, partial(clocks.asked_after_all, seat=seat))


async def late_screen(table: Table, seat: str) -> Screen | None:
    """The question about a seat whose time is up, with how the votes stand; None if it is late for nobody."""
    late = await late_seat(table, seat)
    if late is None or seat not in table.position.up or not late.vote.voters:
        return None
    ways, who, needed = await late.ways(), late.who, late.vote.needed
    account = late.look.clock.accounts.get(seat)
    left = DELAYS - (0 if account is None else account.delays)
    said = {
        "who": who,
        "hours": late.look.around.pace.delay // HOUR,
        "times": "it is the last time in this game" if left == 1 else f"that can be done {left} more times",
    }
    decides = "You decide." if needed == 1 else f"What {needed} of you choose will be done."
    lines = [
        f"### Time is up for {who}",
        f"{mentions(late.vote.voters)}: what should happen? {decides} "
        "Nothing happens until then" + (f", and {who} can still move." if table.has_person(seat) else "."),
        *(_line(late, way, said) for way in ways),
    ]
    if "wait" not in ways:
        lines.append(f"-# {who} has been excused {DELAYS} times in this game.")
    buttons = (
        Button(WAYS[way], codes.join("late", way, seat), "primary" if way == "wait" else "secondary") for way in ways
    )
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq).buttons(*buttons)


def _line(late: Late, way: str, said: Mapping[str, Any]) -> str:
    users, names = late.vote.agreed(way), late.table.position.lexicon()
    people = dict.fromkeys(names.player(seat) for seat, row in late.table.seats.items() if row.user_id in users)
    lent = way == "open" and late.table.tenures.loan(late.run.seat) is not None
    means = (RETURNS if lent else MEANS[way]).format(**said)
    return f"- **{WAYS[way]}** {means}{f' ({listed(people)})' if people else ''}"
