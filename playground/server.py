"""A simulated server with the bot, its players, a spectator, and a game that has just started."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import simcord

from bot.chat.layout import view
from bot.chat.screen import Screen, Select
from bot.core import outcome
from bot.house import House
from bot.rooms.learning.help import FIRST_GAME
from bot.rooms.opponents.room import Opponents
from bot.rooms.turn.room import present_screen
from bot.settings import Settings, Wanted
from bot.words.lexicon import listed
from engine import State, Title
from engine.facts import RoundBegan
from engine.past import round_name
from opponents import choose
from storage import Store, games

PLAYERS = ("Aiko", "Ben", "Chloe", "Emma", "Fumi", "Goro", "Hana")
WATCHER = "Dai (watching)"
SEATS = 3
SETTLE_SECONDS = 120.0
WELCOME = """### Welcome to the playground
This is a Discord channel that exists only on your machine. A game for {players} has just started below.
- The newest message says whose turn it is. {whose}
- Use the buttons and lists under the pictures.
- **My hand** shows what only that player may see. {watcher} has no seat and can only watch.
- Type `/` in the box at the bottom for all commands; `/game help` explains them.
- Pressing the wrong thing does no harm: the bot says why, and **Undo** takes back your last move."""
SEVERAL = "The page opens as that person; when it is somebody else's turn, choose them in **Viewing as** at the top."
OPPONENTS = "Those marked (bot) are played by the bot and move by themselves."

ASIDE = ("look", "rules", "opponents")
"""Lists that are not what the decision is about."""
BESIDE = ("more", "undo", "learned", "program")
"""Buttons that do not decide it, or not only that."""
HINT = "**Begin here:** it is your turn, {player}. {press} {whose}"
HINT_SEVERAL = "When it is somebody else's turn, choose them in **Viewing as** at the top of the page."
FIRST = "\nNever played one of these games? **Your first game** guides you through one in a quarter of an hour."
NEVER = "**This game is over and never came to {at}.** Begin again with another `--seed`, or at another moment."
HINT_ALONE = "Then the others answer by themselves."


@dataclass
class LocalServer:
    """What the page shows."""

    env: Any
    bot: House
    channel: Any
    people: list[Any]

    def asked(self) -> Any:
        """Who must decide now, of the people; the first of them where nobody must."""
        tables = [table for table in self.bot.tables.loaded() if table.game.channel_id == self.channel.id]
        users = [
            table.seats[seat].user_id for table in tables[-1:] for seat in table.position.up if seat in table.seats
        ]
        return next((one for one in self.people if one.id in users), self.people[0])


@asynccontextmanager
async def local_server(
    database: Path,
    title: str,
    players: int = SEATS,
    options: str = "",
    *,
    humans: int = 1,
    level: str = "regular",
    at: str = "",
    seed: int | None = None,
) -> AsyncIterator[LocalServer]:
    """The server with everybody in it and the game started; opponents have the seats that are not for `humans`.

    With `at`, a phase or a round, everybody's moves until then have been made as the bot makes them. What chance and
    opponents decide is the same for the same `seed`; they vary by the game's id.
    """
    with _dice(seed):
        async with Store.open(database) as store:
            bot = House(store, replace(Settings(), database=database, shards=Wanted(count=1), thinkers=0))
            async with simcord.run(bot, check_errors=False, settle_timeout=SETTLE_SECONDS) as env:
                guild = env.create_guild("Tetsudo playground")
                channel = guild.create_text_channel("railways")
                await _named(bot)
                clock: Any = env.backend.clock
                clock.now = lambda: datetime.now(UTC)  # SimCord's own stands still
                people = [_person(env, guild, name) for name in [*PLAYERS[:humans], WATCHER]]
                given = {"title": title, "opponents": players - humans, "level": level, "teaching": humans == 1}
                await _welcome(bot, channel, people[:-1], players - humans)
                given |= {"options": options} if options else {}
                await _begin(channel, people[:-1], given, drawn=humans > 1 and seed is None)
                missed = await _play_to(bot, channel.id, at, seed or 0) if at else ""
                await env.settle()
                await (_say(bot, channel, Screen(missed)) if missed else _hint(bot, channel, alone=humans == 1))
                await env.settle()
                yield LocalServer(env, bot, channel, people)


@contextmanager
def _dice(seed: int | None) -> Iterator[None]:
    """What chance decides, and the ids of games, by which opponents vary, follow from the seed meanwhile."""
    before = outcome.RANDOM, games.RANDOM
    if seed is not None:
        outcome.RANDOM = games.RANDOM = Random(seed)
    try:
        yield
    finally:
        outcome.RANDOM, games.RANDOM = before


async def _named(bot: House) -> None:
    if bot.user is not None:
        await bot.user.edit(username="Tetsudo")


def _person(env: Any, guild: Any, name: str) -> Any:
    return guild.add_member(env.create_user(name.split()[0].lower(), global_name=name))


async def _welcome(bot: House, channel: Any, people: list[Any], opponents: int) -> None:
    """Explain the page, in the first message."""
    others = [f"{opponents} opponent{'s' if opponents > 1 else ''}"] if opponents else []
    players = listed([*(person.name.title() for person in people), *others])
    whose = " ".join([*([SEVERAL] if len(people) > 1 else []), *([OPPONENTS] if opponents else [])])
    await _say(bot, channel, Screen(WELCOME.format(players=players, whose=whose, watcher=WATCHER.split()[0])))


async def _say(bot: House, channel: Any, screen: Screen) -> None:
    place: Any = bot.get_channel(channel.id)
    await place.send(view=view(screen))


async def _begin(channel: Any, players: list[Any], given: dict[str, Any], *, drawn: bool) -> None:
    await players[0].slash(channel, "game create", host_acts=False, **given)
    for person in players[1:]:
        await person.slash(channel, "game join")
    if not drawn:  # a newcomer begins; and a draw goes by people's ids, which differ each time
        await players[0].slash(channel, "seat order", how="joined")
    await players[0].slash(channel, "game start")


async def _play_to(bot: House, channel: int, at: str, seed: int) -> str:
    """Make everybody's moves until the phase or the round begins, or the game is over; only the last turn is shown.

    What to tell if the game was over before; else "".
    """
    table, reached, looked = await bot.tables.in_channel(channel), False, 0
    while not table.position.over and not (reached and table.thinking is None):
        seen, state, seat = table.position.seq, table.position.state, table.position.up[0]
        if table.thinking is None:
            choice = await asyncio.to_thread(choose, table.title, state, seat, "regular", seed)
            await table.play_ahead(choice.action, seen=seen)
        else:
            bot.advance(table.game.id)
            await bot.its(Opponents).idle()
        states = table.states()
        reached = reached or came_to(table.title, states[looked:], at)
        looked = len(states)
    await bot.sender.announce(table.game.id)
    await bot.sender.idle()
    kind = "phase" if at in (phase.name for phase in table.title.phases) else "round"
    return NEVER.format(at=f"{kind} {at}") if table.position.over else ""


def moment(title: Title, at: str) -> str:
    """A phase ("5", "phase 5") or a round ("3.1", "OR3.1", "sr 4") by its name. Raises ValueError if it is neither."""
    said = at.strip().upper().removeprefix("PHASE").lstrip()
    if said in (phase.name for phase in title.phases):
        return said
    found = re.fullmatch(r"(?:OR *)?(\d+\.\d+)|(I?SR) *(\d+)", said)
    if not found:
        phases = listed([phase.name for phase in title.phases], "or")
        raise ValueError(f"{at} is neither a phase ({phases}) nor a round (such as 3.1 or SR 4)")
    return found[1] or f"{found[2]} {found[3]}"


def came_to(title: Title, states: Iterable[State], at: str) -> bool:
    """Whether a phase or a round, by its name, is that of one of the positions or began there.

    Opponents may have been quicker than whoever looks, and have gone on since.
    """
    return any(
        title.phase(state).name == at
        or at in [round_name(fact) for fact in state.facts if isinstance(fact, RoundBegan)]
        for state in states
    )


async def _hint(bot: House, channel: Any, *, alone: bool) -> None:
    """Tell a newcomer what to press, in the newest message, where the page opens."""
    table = await bot.tables.in_channel(channel.id)
    who = " and ".join(table.names[seat] for seat in table.position.up)
    press = what_to_press(await present_screen(bot, table))
    whose = HINT_ALONE if alone else HINT_SEVERAL
    screen = Screen(HINT.format(player=who, press=press, whose=whose))
    if alone:
        screen.text += FIRST
        screen.buttons(FIRST_GAME)
    await _say(bot, channel, screen)


def what_to_press(screen: Screen) -> str:
    """The lists and the first two buttons of a turn's message, as what to do with them."""
    lists = [f"**{row.hint.rstrip('…')}**" for row in screen.rows if isinstance(row, Select) and row.name not in ASIDE]
    rows = [row for row in screen.rows if not isinstance(row, Select)]
    labels = [
        f"**{one.label.rstrip('…')}**"
        for row in rows[:1]
        for one in row[:2]
        if one.code.partition("|")[0] not in BESIDE
    ]
    ways = [f"choose from {listed(lists, 'or')}"] if lists else []
    ways += [f"press {listed(labels, 'or')}"] if labels else []
    return f"Above, {', or '.join(ways)}." if ways else ""
