"""What the others are asked when somebody's time is up, and what an archived game says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import engine
from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core import ballots, clockwork
from bot.core import clock as clocks
from bot.core.clock import GameClock
from bot.core.pace import DELAYS
from bot.core.table import Table
from bot.words.lexicon import listed
from engine.actions import Pass
from engine.ids import PlayerId
from storage import Vote

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
    return ballots.needed("late", len(deciding))


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
