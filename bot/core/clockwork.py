"""Clocks as they are stored and told: what a game's clock depends on, the steps that it takes, and who may be pinged.

Whose time runs, and until when, is told in Discord's own time stamps, which everybody reads in their own zone.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from bot.core import clock as clocks
from bot.core.clock import Circumstances, GameClock, Look, Running
from bot.core.hours import DAY, HOUR
from bot.core.moves import TurnKey
from bot.core.opponents import is_person, level_of
from bot.core.pace import told
from bot.core.person import Person
from bot.core.seated import Played
from bot.core.table_settings import TableSettings
from engine import CHANCE
from storage import Break, ClockStep, Game, OwedPing, PersonTicked, Ping, Seat, Store, Ticked

Ticking = Callable[[Look], Ticked]
"""What becomes of a clock."""
T = TypeVar("T", GameClock, Person)
SAID = "said"
"""How the kinds of pings begin that are no turn's: an offer, an answer, something said."""


async def people_of(store: Store, users: Collection[int]) -> dict[int, Person]:
    """What is known of these people; those of whom nothing is are as everybody at first."""
    found = await store.people.of(list(users)) if users else {}
    return {user: _read(Person, found.get(user)) for user in users}


async def person_of(store: Store, user: int) -> Person:
    return (await people_of(store, [user]))[user]


async def around(store: Store, game: Game, seats: Iterable[Seat] | None = None) -> Circumstances:
    """What the game's clock depends on."""
    seated = await store.seats(game.id) if seats is None else seats
    holders = {f"p{one.seat}": one.user_id for one in seated}
    sits = {seat: user for seat, user in holders.items() if level_of(user) is None}
    people = await people_of(store, {*filter(is_person, sits.values()), game.host_id})
    return Circumstances(
        TableSettings.read(game.settings).pace, sits, game.host_id, people, frozenset({*holders, CHANCE} - {*sits})
    )


def step(how: Ticking, given: Circumstances) -> ClockStep:
    """The step as the storage calls it. A clock that cannot be read begins anew: no move may fail because of it."""
    return lambda text, now, breaks: how(Look(_read(GameClock, text), given, now, breaks))


def on_move(key: TurnKey, given: Circumstances, *, redone: bool = False) -> ClockStep:
    """The step that a move takes, or a redo, or the start of the game."""
    return step(partial(clocks.moved, turn=key, redone=redone), given)


def also(taken: ClockStep, pings: Sequence[Ping]) -> ClockStep:
    """The same step, with which people are owed these pings too."""

    def both(text: str | None, now: int, breaks: Sequence[Break]) -> Ticked | None:
        made = taken(text, now, breaks)
        return None if made is None else replace(made, pings=(*made.pings, *pings))

    return both if pings else taken


async def clock_of(store: Store, game: str) -> GameClock:
    """The game's clock; a new one if it has none."""
    return _read(GameClock, await store.clocks.of_game(game))


def thinks(text: str | None) -> bool:
    """Whether a stored clock waits for an opponent, or for chance."""
    return _read(GameClock, text).thinks


async def look(store: Store, game: Game, seats: Iterable[Seat] | None = None, *, by_now: bool = False) -> Look:
    """The game's clock as it stands; `by_now` also knows a break that has just ended."""
    clock, given = await clock_of(store, game.id), await around(store, game, seats)
    return Look(clock, given, store.clock(), await (breaks_by_now(store) if by_now else store.clocks.breaks()))


async def change(store: Store, game: Game, how: Ticking) -> None:
    """Take a step of the game's clock; what is due next follows from the pace that the game has then."""
    await store.clocks.change(game.id, step(how, await around(store, game)))
    now = await store.game(game.id)
    if now.settings != game.settings:
        await change(store, now, clocks.ticked)


async def breaks_by_now(store: Store) -> list[Break]:
    """The breaks, also one that has just ended: whoever asks for something says that the bot is there."""
    await store.clocks.beat()
    return await store.clocks.breaks()


async def heard(store: Store, games: Iterable[str], users: Collection[int]) -> None:
    """These people have been told that these games wait for them."""
    for game in games:
        await _hear(store, game, lambda one: one.user in users)


async def shown(store: Store, game: str) -> None:
    """The game's turn is shown, which tells those who are up, but for whoever is told apart from its message."""
    await _hear(store, game, lambda one: not one.rung)


async def _hear(store: Store, game: str, told: Callable[[Running], bool]) -> None:
    users = {one.user for one in (await clock_of(store, game)).runs if one.heard is None and told(one)}
    if users:
        await change(store, await store.game(game), partial(clocks.heard, users=users))


def _read(kind: type[T], text: str | None) -> T:
    """What is stored; a new one where that cannot be read."""
    try:
        return kind.read(text)
    except (ValueError, TypeError, KeyError):
        return kind()


# People who change what they want


async def change_person(store: Store, user: int, how: Callable[[Person, int], Person]) -> Person:
    """Change what is known of a person, in one transaction with the clocks that depend on it."""
    waiting = await _games_of(store, user)
    before = await person_of(store, user)
    after = how(before, store.clock())

    async def write() -> None:
        for game, old in waiting:
            new = replace(old, people={**old.people, user: after})
            await store.clocks.change(game.id, step(partial(_other_hours, user=user, new=new), old))
        await store.people.change(user, partial(_changed, how))  # what was written meanwhile stays

    await store.together(write)
    return after


async def moved(store: Store, user: int) -> None:
    """Whoever moves is back: they are greeted as if their absence had ended by itself."""
    if (await person_of(store, user)).is_away(store.clock()):
        await change_person(store, user, _back_by_now)


def _back_by_now(person: Person, now: int) -> Person:
    span = person.away_span
    return person if span is None else replace(person, away=(span[0], now))


async def _games_of(store: Store, user: int) -> list[tuple[Game, Circumstances]]:
    """The running games whose clock waits for the person, with what these depend on now."""
    games = await store.games_of_user(user, "running")
    texts = await store.clocks.of_games([one.id for one in games])
    return [(one, await around(store, one)) for one in games if _read(GameClock, texts.get(one.id)).waits_for(user)]


def _other_hours(look: Look, user: int, new: Circumstances) -> Ticked:
    """The clock with what was used by the old hours, going on by the new ones."""
    return clocks.ticked(replace(look, clock=look.settled(only=user), around=new))


def _changed(how: Callable[[Person, int], Person], text: str, now: int, owed: Sequence[OwedPing]) -> PersonTicked:
    person = how(_read(Person, text), now)
    return PersonTicked(person.text(), due_of(person, owed, now))


def due_of(person: Person, owed: Sequence[OwedPing], now: int) -> int | None:
    """When to look at a person next: for a ping, for their digest, or since they are back."""
    waits = person.reachable(now) if owed and person.where != "digest" else None  # a digest tells all at its hour
    digest = person.reachable(now) if person.digest_due(now) else person.next_digest(now)
    return min((one for one in (waits, digest, person.greeted_at(now)) if one is not None), default=None)


# Who may be pinged now


async def pinged_for_turn(store: Store, game: Game, users: Sequence[int]) -> list[int]:
    """Whom the turn's message may ping now; the others are told as soon as they may be disturbed."""
    now, known = store.clock(), await people_of(store, users)
    rung = {one.user for one in (await clock_of(store, game.id)).runs if one.rung}
    free = [one for one in users if one not in rung and known[one].pinged_in_channel(now)]
    asleep = [one for one in users if one not in rung and one not in free]
    if asleep:
        await change(store, game, partial(clocks.owe_turn, users=asleep))
    return free


async def pinged_for(
    store: Store, game: str, users: Sequence[int], about: int, what: str, by: int | None = None
) -> list[int]:
    """Whom a message that is no turn's may ping now; the others are told `what` there was when they may be disturbed.

    `about` tells the message apart from others, so that trying again to send it does not tell it twice; `by` is the
    person who caused it, if somebody did, by whom nobody is pinged too often. Whoever has muted them or the game is
    told nothing.
    """
    now, known = store.clock(), await people_of(store, users)
    users = [one for one in users if game not in known[one].muted_games and by not in known[one].muted_people]
    if by is not None and users:
        users = await store.disturbances.allowed(by, users, about, LIMITS)
    kind = f"{SAID}:{about}"
    waits = {one for one in users if any(ping.kind == kind for ping in await store.people.owed(one))}
    free = [one for one in users if one not in waits and known[one].pinged_in_channel(now)]
    later = [one for one in users if one not in waits and one not in free]
    if held := [Ping(one, kind, what, known[one].reachable(now) or now) for one in later]:
        await store.people.owe(game, held)
    return free


LIMITS = ((HOUR, 3), (DAY, 8))
"""Seconds, and how many pings of one person because of another there may be within them, whatever they are about."""
ARCHIVED = "This game is archived, since nobody has moved for 45 days. Any move resumes it."


async def clock_lines(table: Played) -> list[str]:
    """How much time whoever is up has, and whether they are away; nothing without a clock."""
    position, seen = table.position, await look(table.store, table.game, table.seats.values())
    names = position.lexicon()
    lines = []
    for seat in position.up:
        if seat not in table.seats:
            continue
        lines.append(absence(names.player(seat), seen.around.person(table.seats[seat].user_id), seen.now))
        run = seen.clock.run_of(seat)
        if run is not None:
            whose = f"{table.whose(seat)}: " if len(position.up) > 1 else ""
            lines.append(time_line(seen, run, whose))
    return [one for one in lines if one]


def time_line(look: Look, run: Running, whose: str = "") -> str:
    """How much time a seat has, and until when."""
    if not look.around.pace.timed:
        return ""
    if run.late_at is not None:
        return f"{whose}Time is up."
    until = look.until(run)
    when = f", until <t:{until}:f>, <t:{until}:R>" if until is not None else ""
    return f"{whose}Time: {hours(look.left(run))}{when}."


def hours(seconds: int) -> str:
    """A span in words: "71 h"; in minutes below two hours."""
    return f"{seconds // HOUR} h" if seconds >= 2 * HOUR else f"{seconds // 60} min"


async def status_lines(table: Played) -> list[str]:
    """The table's pace, everybody's time, and who is away."""
    names, seen = table.position.lexicon(), await look(table.store, table.game, table.seats.values())
    clock, given = seen.clock, seen.around
    lines = [ARCHIVED] if clock.archived is not None else []
    lines.append(f"**Pace:** {told(given.pace)}.")
    for seat, row in table.seats.items():
        run, account = clock.run_of(seat), clock.accounts.get(seat)
        if given.pace.timed and run is not None:
            lines.append(f"- {time_line(seen, run, f'{table.whose(seat)}, whose turn it is. ')}")
        elif given.pace.timed and level_of(row.user_id) is None:
            bank = given.pace.bank * HOUR if account is None else account.bank
            lines.append(f"- {table.whose(seat)}: {hours(bank)}")
        away = absence(names.player(seat), given.person(row.user_id), seen.now)
        lines += [f"- {away}"] if away else []
    return lines


def absence(name: str, person: Person, now: int) -> str:
    """What the others read of somebody who is away; "" for somebody who is not."""
    if not person.is_away(now):
        return ""
    assert person.away is not None
    until = "" if person.away[1] is None else f", back <t:{person.away[1]}:D>"
    return f"{name} is away{until}."
