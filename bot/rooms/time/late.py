"""What the others are asked when somebody's time is up, and what an archived game says."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import discord

import engine
from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.screen import Button, Screen
from bot.core import clock as clocks
from bot.core import clockwork, constitution
from bot.core.clock import LATE, GameClock
from bot.core.errors import NotYourTurn, Outdated, TableError
from bot.core.notices import say_notice
from bot.core.pace import DELAYS
from bot.core.table import Table
from bot.rooms.seats import absent
from bot.words.lexicon import listed
from engine.actions import Pass
from engine.ids import PlayerId
from storage import Vote

log = logging.getLogger("tetsudo.late")
NOT_LATE = "Nobody is late any more: there is nothing to decide."


async def vote(bot: Bot, interaction: discord.Interaction[Any], table: Table, way: str, seat: str, seen: int) -> str:
    """Count a vote on what to do about a late seat, and do what a majority wants; what to tell the voter.

    Raises TableError, Outdated and storage errors.
    """
    user = interaction.user.id
    constitution.seats_voting(table, "late", user)
    clock = await clockwork.clock_of(table.store, table.game.id)
    run = clock.run_of(seat)
    if run is None or run.late_at is None:
        raise TableError(NOT_LATE)
    if table.position.seq != seen:
        raise Outdated()
    given = await clockwork.around(table.store, table.game, table.seats.values())
    deciding = clocks.others(given, run.user, bot.clock())
    if user == run.user:
        raise NotYourTurn("The others decide about this. You can simply move: it is still your turn.")
    if way not in await ways_for(table, clock, seat):
        raise TableError(f"That is not possible here{_why_not(way)}.")
    votes = await constitution.cast(table, "late", LATE, user, way, seen=seen, interaction=interaction.id)
    for_it = for_way(table, votes, way, deciding if user in deciding else [*deciding, user])
    if len(for_it) < needed(deciding):
        await _show(bot, interaction, await late_screen(table, seat))
        return f"✓ {WAYS[way]}: {len(for_it)} of {needed(deciding)} votes."
    await _decide(bot, table, seat, way, seen)
    await _show(bot, interaction, Screen(DECIDED.format(who=table.position.lexicon().player(seat), way=WAYS[way])))
    if interaction.message is not None:
        await table.store.messages.retire([interaction.message.id])
    return f"✓ {WAYS[way]}: decided."


def _why_not(way: str) -> str:
    return f": everybody can be excused {DELAYS} times in a game" if way == "wait" else ""


async def _show(bot: Bot, interaction: discord.Interaction[Any], screen: Screen | None) -> None:
    """Show in the question how the votes stand."""
    if screen is not None and interaction.message is not None:
        await bot.messages.edit(interaction.message.channel.id, interaction.message.id, screen)


async def _decide(bot: Bot, table: Table, seat: str, way: str, seen: int | None) -> None:
    """Do what was decided about a late seat, and tell the channel."""
    user, who = table.seats[seat].user_id, table.position.lexicon().player(seat)
    if way == "wait":
        await _wait(table, seat, f"The table waits {{hours}} h longer for <@{user}>.", [user])
    elif way == "open":
        await absent.open_late(table, seat)
        text = f"If nobody has taken {who}'s seat in {{hours}} h, the table decides again."
        await _wait(table, seat, text, [], excused=False)
    elif way == "pass":
        await table.act_for(PlayerId(seat), "pass", seen=seen, said=f"{who}'s time was up: the others passed for them.")
    else:
        said = f"{who}'s time was up: the bot plays this turn for them, cautiously."
        await table.act_for(PlayerId(seat), "bot", seen=seen, said=said)
    bot.sender.wake()


async def _wait(table: Table, seat: str, text: str, ping: list[int], *, excused: bool = True) -> None:
    """Give a late seat more time, and tell the channel how much."""
    store, game = table.store, table.game
    given = await clockwork.around(store, game, table.seats.values())
    hours = given.pace.delay // 3600
    longer = partial(clocks.granted, excused=excused)

    async def write() -> None:
        await store.clocks.change(
            game.id,
            clockwork.step(lambda clock, one, now, breaks: longer(clock, seat, one, now, breaks), given),
            [say_notice(text.format(hours=hours), ping)],
        )
        await store.votes.clear(game.id, LATE)

    await store.together(write)


async def as_agreed(bot: Bot, game_id: str, seat: str) -> None:
    """Do what the table agreed to at the start for whoever is late; where that is impossible, ask the others."""
    table = await bot.tables.get(game_id)
    clock = await clockwork.clock_of(table.store, game_id)
    run = clock.run_of(seat)
    if run is None or run.late_at is None or run.asked or seat not in table.position.up:
        return
    way = table.settings.pace.then
    try:
        if way in await ways_for(table, clock, seat):
            await _decide(bot, table, seat, way, table.position.seq)
            return
    except TableError:
        log.warning("what was agreed to is not possible", extra={"game": game_id}, exc_info=True)
    await clockwork.change(
        bot.store,
        table.game,
        lambda clock, one, now, breaks: clocks.asked_after_all(clock, seat, one, now, breaks),
    )


async def wake(bot: Bot, table: Table, user: int) -> str:
    """Wake an archived game; what to tell the person. Raises TableError."""
    constitution.must_play("wake", table, user)
    if (await clockwork.clock_of(table.store, table.game.id)).archived is None:
        raise TableError("This game is not archived: it goes on.")
    await table.reclock(clocks.woken)
    await bot.sender.announce(table.game.id)
    return "✓ The game goes on."


async def silence(bot: Bot, game_id: str, user: int) -> str:
    """Send the person no more reminders for this turn; what to tell them. Raises TableError."""
    game = await bot.store.game(game_id)
    if not (await clockwork.clock_of(bot.store, game_id)).waits_for(user):
        raise TableError("The game does not wait for you any more.")
    await clockwork.change(
        bot.store, game, lambda clock, given, now, breaks: clocks.silenced(clock, user, given, now, breaks)
    )
    return "✓ No more reminders for this turn."


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
SETTLED = "*This was settled.*"
DECIDED = "*The others decided about {who}: {way}.*"
ARCHIVED = (
    "### This game is archived\nNobody has moved for 45 days. Nothing is lost: any player can wake it, or just move."
)


async def late_screen(table: Table, seat: str) -> Screen | None:
    """The question about a seat whose time is up, with how the votes stand; None if it is not late any more."""
    clock = await clockwork.clock_of(table.store, table.game.id)
    run = clock.run_of(seat)
    if run is None or run.late_at is None or seat not in table.position.up:
        return None
    given = await clockwork.around(table.store, table.game, table.seats.values())
    deciding = clocks.others(given, run.user, table.store.clock())
    votes = await table.store.votes.of_game(table.game.id, clocks.LATE)
    ways = await ways_for(table, clock, seat)
    who = table.position.lexicon().player(seat)
    times = DELAYS - clock.accounts[seat].delays if seat in clock.accounts else DELAYS
    said = {
        "who": who,
        "hours": given.pace.delay // 3600,
        "times": "it is the last time in this game" if times == 1 else f"that can be done {times} more times",
    }
    lines = [
        f"### {who}'s time is up",
        f"{' '.join(f'<@{one}>' for one in deciding)}: what should happen? {_decides(deciding)} "
        f"Nothing happens until then, and {who} can still move.",
        *(f"- **{WAYS[way]}** {MEANS[way].format(**said)}{_tally(table, votes, way, deciding)}" for way in ways),
    ]
    if "wait" not in ways:
        lines.append(f"-# {who} has been excused {DELAYS} times in this game.")
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    styles: Mapping[str, str] = {"wait": "primary"}
    screen.buttons(
        *(Button(WAYS[way], codes.join("late", way, seat), "primary" if way in styles else "secondary") for way in ways)
    )
    return screen


async def ways_for(table: Table, clock: GameClock, seat: str) -> list[str]:
    """What the others can decide about the seat."""
    position = table.position
    passes = await position.work.do(engine.judge, table.title, position.state, Pass(PlayerId(seat))) is None
    ways = ["wait"] if clocks.can_wait(clock, seat) else []
    opened = table.tenures.opening(seat) is not None
    return [*ways, *(["pass"] if passes else []), "bot", *([] if opened else ["open"])]


def needed(deciding: Sequence[int]) -> int:
    """How many make a majority."""
    return constitution.needed("late", len(deciding))


def _decides(deciding: Sequence[int]) -> str:
    """How a decision comes about, as a sentence."""
    count = needed(deciding)
    return "You decide." if count == 1 else f"What {count} of you choose is done."


def for_way(table: Table, votes: Sequence[Vote], way: str, deciding: Sequence[int]) -> list[int]:
    """The people who want this."""
    users = [table.seats[one.seat].user_id for one in votes if one.choice == way and one.seat in table.seats]
    return [one for one in dict.fromkeys(users) if one in deciding]


def _tally(table: Table, votes: Sequence[Vote], way: str, deciding: Sequence[int]) -> str:
    users = for_way(table, votes, way, deciding)
    names = table.position.lexicon()
    people = [names.player(seat) for seat, row in table.seats.items() if row.user_id in users]
    return f" ({listed(dict.fromkeys(people))})" if people else ""


def archived_screen(table: Table, seq: int) -> Screen:
    """What the channel reads when a game is archived."""
    screen = Screen(ARCHIVED, game=table.game.id, seq=seq)
    screen.buttons(Button("Wake it", "wake", "primary"))
    return screen
