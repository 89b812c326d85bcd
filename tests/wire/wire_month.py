"""A month of games at the stand-in on a clock of its own: people with habits in twelve zones, a bot that is killed.

    python tests/wire/wire_month.py --games 60 --people 150 --days 30

Each person is fast or slow, vanishes for good, or goes on holiday and says so. Whoever is asked about somebody late
votes; open seats are taken. The bot is killed every few hours, and now and then stays away for a while. Afterwards
everything that was sent is held against what the rules of reminders say, by a reckoning of its own, minute by minute.
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import json
import random
import re
import struct
import sys
import tempfile
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).parent.parent))

from wire_notice import NOTICE, could_act, told_at, unnoticed
from wire_people import NoAnswer, Person, acknowledged, answered, buttons, until
from wire_play import Move, Party
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Message

MINUTE, HOUR, DAY = 60, 3600, 86400
START = 1_772_409_600
"""2026-03-02, 00:00 UTC: a Monday. In the month, the clocks change in America and in Europe."""
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "America/Los_Angeles", "Europe/London", "Asia/Kolkata",
         "Australia/Sydney", "America/Sao_Paulo", "Pacific/Auckland", "Africa/Lagos", "Asia/Kathmandu",
         "America/St_Johns")  # fmt: skip
TITLES = {"1889": "", "1888": "", "1860": "", "1890": ""}
PACES = ("none", "gentle", "steady", "fast", "own")
OWN = {"bank": 6, "increment": 3, "cap": 12, "quiet_free": False}
"""Numbers with which time is often up in a night."""
THENS = ("ask", "bot", "pass")
HABITS = ("fast", "fast", "fast", "slow", "slow", "vanishing", "holiday")
LONGEST_STEP = 2 * HOUR
DUE = """SELECT min(due_at), (SELECT at FROM alive) FROM (SELECT due_at FROM clocks UNION SELECT due_at FROM people)"""
"""When something is due next, and when the bot last gave a sign of life."""
SHOWN = "SELECT message_id, kind FROM messages WHERE game = ? AND kind LIKE 'turn:%'"
SLACK = 10 * MINUTE
"""How late something may be: the script looks every two hours at the latest, but always when something is due."""


@dataclass(eq=False)
class Member:
    """A person with their habits."""

    person: Person
    zone: str
    habit: str
    asleep: bool
    """Whether they have told the bot of their nights."""
    leaves_at: int = 2**60
    """When they vanish."""
    holiday: tuple[int, int] | None = None
    gone_at: float = 2.0**60
    """When, by the machine's clock, the bot had heard of their holiday."""

    @property
    def id(self) -> int:
        return self.person.id

    def night(self, at: int) -> bool:
        """Whether it is between 23:00 and 8:00 there."""
        return self.asleep and not 8 <= datetime.fromtimestamp(at, ZoneInfo(self.zone)).hour < 23

    def away(self, at: int) -> bool:
        return self.holiday is not None and self.holiday[0] <= at < self.holiday[1]

    def awake_from(self, at: int) -> int:
        """When they can act at the earliest."""
        while not 8 <= datetime.fromtimestamp(at, ZoneInfo(self.zone)).hour < 23 or self.away(at):
            at += 10 * MINUTE
        return at


class Table(Party):
    """A game whose players look for what asks for a move, whatever else was said since."""

    async def begin_at(self, title: str, pace: str, then: str) -> None:
        """As `begin`, at a pace, and with seats by lot."""
        await self.gather(title)
        numbers = OWN if pace == "own" else {}
        await answered(self.server, await self.people[0].slash(self.channel, "pace", pace=pace, then=then, **numbers))
        await self.start()

    def packet(self) -> Message:
        for message in reversed(self.channel.messages.values()):
            if "More…" in buttons(message) or "Accept" in buttons(message):
                return message
        raise AssertionError("no message that asks for a move")


@dataclass(eq=False)
class Game:
    party: Table
    pace: str
    began: int
    known: tuple[Any, ...] = ()
    """The position for which somebody's next move has been planned."""
    asked: set[int] = field(default_factory=set)
    """Questions about somebody late, by message, that the others have seen."""

    @property
    def least(self) -> int:
        """The seconds that every turn has at least."""
        return {"steady": 24, "fast": 4, "own": OWN["increment"]}.get(self.pace, 0) * HOUR


class Month:
    """The whole of it."""

    def __init__(self, server: Server, database: Path, games: int, people: int, days: int, seed: int) -> None:
        self.server, self.database, self.days = server, database, days
        self.chance = random.Random(seed)
        self.now = START
        self.times: list[tuple[float, int]] = []
        """When, by the machine's clock, the bot's clock was set, and to what."""
        self.file = database.with_suffix(".time")
        self.set_time(START)
        server.world.old_after = 1e12
        self.bot = BotProcess(server, database, WIRE_TIME=str(self.file))
        self.members = [self.member(number) for number in range(people)]
        self.by_id = {one.id: one for one in self.members}
        self.games: list[Game] = []
        self.wanted = games
        self.plans: list[tuple[int, int, Callable[[], Any]]] = []
        self.count = Counter[str]()
        self.outages: list[tuple[int, int]] = []

    def set_time(self, now: int) -> None:
        self.now = now
        with open(self.file, "r+b" if self.file.exists() else "w+b") as file:
            file.write(struct.pack("<q", now))
        self.server.world.aged = time.time() - now
        self.times.append((time.time(), now))

    def bot_time(self, message: Message) -> int:
        """What the bot's clock said when it posted the message; between two steps only Discord's goes on."""
        return self.times[bisect_right(self.times, (message.posted, 0)) - 1][1]

    def member(self, number: int) -> Member:
        chance = self.chance
        habit = HABITS[number % len(HABITS)]
        made = Member(
            Person(self.server, self.server.world.person(f"person{number}")),
            ZONES[number % len(ZONES)], habit, chance.random() < 0.8,
        )  # fmt: skip
        if habit == "vanishing":
            made.leaves_at = START + chance.randrange(2, max(3, self.days)) * DAY
        if habit == "holiday":
            first = START + chance.randrange(1, max(2, self.days - 3)) * DAY + 12 * HOUR
            made.holiday = (first, first + chance.randrange(3, 9) * DAY)
        return made

    def plan(self, at: int, what: Callable[[], Any]) -> None:
        self.count["planned"] += 1
        heapq.heappush(self.plans, (max(at, self.now + 1), self.count["planned"], what))

    # Setting up

    async def begin(self) -> None:
        await self.bot.start()
        guild = self.server.world.guild()
        await self.server.dispatch("GUILD_CREATE", self.server.guild_payload(guild))
        channels = [self.server.world.channel(guild, f"rails-{number}") for number in range(self.wanted)]
        for channel in channels:
            await self.server.dispatch("CHANNEL_CREATE", channel.payload())
        for one in self.members:
            await self.introduce(one, channels[0])
        for number, channel in enumerate(channels):
            title = list(TITLES)[number % len(TITLES)]
            size = self.chance.choice((2, 3, 4))
            size = max(size, 3) if title in ("1890",) else size
            players = self.chance.sample(self.members, size)
            party = Table(self.server, channel, [one.person for one in players], self.database)
            party.chance = random.Random(number)
            pace = PACES[number % len(PACES)] if number % 4 else "steady"
            try:
                await party.begin_at(title, pace, THENS[number % len(THENS)])
            except (AssertionError, IndexError):
                continue
            self.games.append(Game(party, pace, self.now))

    async def introduce(self, one: Member, channel: Any) -> None:
        """They say where they live, and those on holiday will say so in time."""
        if one.asleep:
            await answered(self.server, await one.person.slash(channel, "my settings", zone=one.zone))
        if one.holiday is not None:
            self.plan(one.holiday[0] - HOUR, lambda: self.say_away(one, channel))

    async def say_away(self, one: Member, channel: Any) -> None:
        """Fill in the form; once that is answered, they are away."""
        assert one.holiday is not None
        until, one.holiday = one.holiday[1], None
        hours = (until - self.now) // HOUR
        if hours < 1:  # the bot was out of order for all of it
            return
        panel = await answered(self.server, await one.person.slash(channel, "my settings"))
        form = await acknowledged(self.server, await one.person.click(panel, buttons(panel)["Away…"]))
        assert form.modal is not None
        await answered(self.server, await one.person.fill(channel, form.modal, since="", until=f"{hours} h"))
        one.holiday, one.gone_at = (self.now, self.now + hours * HOUR), time.time()
        self.count["holidays"] += 1

    # Living

    async def live(self) -> None:
        end, kill_at = START + self.days * DAY, START + self.chance.randrange(2, 8) * HOUR
        await self.quiet()
        while self.now < end:
            self.think()
            due = rows(self.database, DUE)
            soon = [end, kill_at, self.now + LONGEST_STEP, *(at for at, _, _ in self.plans[:1])]
            self.set_time(max(self.now + 1, min([*soon, *([due[0][0]] if due[0][0] else [])])))
            await self.quiet()
            if self.plans and self.plans[0][0] <= self.now:
                while self.plans and self.plans[0][0] <= self.now:
                    await self.do(heapq.heappop(self.plans)[2])
                await self.quiet()
            if self.now >= kill_at:
                await self.kill()
                kill_at = self.now + self.chance.randrange(3, 9) * HOUR

    async def quiet(self) -> None:
        """Until the bot has seen what time it is, and done everything that is due."""

        def still() -> bool:
            [(due, seen)] = rows(self.database, DUE)
            return (due is None or due > self.now) and seen == self.now

        await until(self.server, still, 60, "everything that is due")
        await settled(self.server, self.database)

    async def do(self, what: Callable[[], Any]) -> None:
        try:
            await what()
        except NoAnswer as error:
            self.count["unanswered"] += 1
            print(f"# no answer: {error}", file=sys.stderr)

    async def kill(self) -> None:
        """The bot dies in the middle of something, and sometimes stays away."""
        games = [one for one in self.games if not one.party.over()]
        busy = None
        if games:
            busy = asyncio.create_task(self.do(lambda: self.move(self.chance.choice(games), anyway=True)))
            await asyncio.sleep(self.chance.random() * 0.1)
        await self.bot.kill()
        if busy is not None:  # nobody presses on while the clock moves
            busy.cancel()
            await asyncio.gather(busy, return_exceptions=True)
        self.count["kills"] += 1
        if self.count["kills"] == 4 or self.chance.random() < 0.15:  # once at least
            gone = self.chance.randrange(4, 30) * HOUR
            self.outages.append((self.now, self.now + gone))
            self.set_time(self.now + gone)
            self.count["outages"] += 1
        await self.bot.start()
        await self.quiet()

    def think(self) -> None:
        """Everybody who is asked something new decides when to answer."""
        clocks = dict(rows(self.database, "SELECT game, body FROM clocks"))
        for game in self.games:
            body = json.loads(clocks.get(game.party.game, "{}"))
            seq = rows(self.database, "SELECT seq FROM games WHERE id = ?", game.party.game)[0][0]
            runs = body.get("runs", [])
            if runs and game.known != (body["turn"], seq, runs[0]["user"]):
                game.known = (body["turn"], seq, runs[0]["user"])
                self.expect(game, self.by_id.get(runs[0]["user"]), game.known)
                self.plan(self.now + self.chance.randrange(26, 90) * HOUR, partial(self.open, game, game.known))
            for message in list(game.party.channel.messages.values())[-6:]:
                self.ask(game, message)

    def expect(self, game: Game, member: Member | None, known: tuple[Any, ...]) -> None:
        """Plan when the member moves."""
        if member is None:
            return
        hours = self.chance.uniform(0.2, 5) if member.habit in ("fast", "holiday") else self.chance.uniform(6, 40)
        at = member.awake_from(self.now + int(hours * HOUR))
        if at < member.leaves_at:
            self.plan(at, lambda: self.move(game, known=known))

    async def move(self, game: Game, *, known: tuple[Any, ...] = (), anyway: bool = False) -> None:
        """Whoever is asked presses something."""
        if (game.known != known and not anyway) or game.party.over():
            return
        try:
            packet = game.party.packet()
            member = self.by_id[int(re.findall(r"<@(\d+)>", packet.text)[0])]
            if member.away(self.now) and not anyway:
                return
            if anyway and (member.away(self.now) or self.now >= member.leaves_at or member.night(self.now)):
                return
            await self.press(game, member, packet)
            self.count["moves"] += 1
        except (AssertionError, StopIteration, KeyError, IndexError) as error:
            if game.party.over():  # by this move
                return
            self.count["stuck"] += 1
            print(f"# {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
            await answered(self.server, await game.party.people[0].slash(game.party.channel, "game status"))

    async def press(self, game: Game, member: Member, packet: Message) -> None:
        """One decision: a pass half of the time, as it is quick; otherwise whatever is offered."""
        labels = buttons(packet)
        first = Move(labels["Pass"], None, "Pass") if "Pass" in labels and self.chance.random() < 0.5 else None
        people, game.party.people = game.party.people, [member.person]
        try:
            await game.party.turn(first=first)
        finally:
            game.party.people = people

    def ask(self, game: Game, message: Message) -> None:
        """The others see a question, an open seat, or an archived game."""
        if message.id in game.asked:
            return
        labels = buttons(message)
        if "Let the bot play this turn" in labels:
            game.asked.add(message.id)
            for user in {int(one) for one in re.findall(r"<@(\d+)>", message.text)}:
                voter = self.by_id[user]
                at = voter.awake_from(self.now + self.chance.randrange(10, 300) * MINUTE)
                if at < voter.leaves_at:
                    self.plan(at, partial(self.vote, game, voter, message))
        if "Take the seat" in labels:
            game.asked.add(message.id)
            spare = [one for one in self.members if one.person not in game.party.people and one.habit == "fast"]
            if spare:
                taker = self.chance.choice(spare)
                at = taker.awake_from(self.now + 2 * HOUR)
                self.plan(at, lambda: self.take(game, taker, message))
        if "Claim my seat back" in labels:
            game.asked.add(message.id)
            loser = self.by_id[int(re.findall(r"<@(\d+)>", message.text)[0])]
            at = loser.awake_from(self.now + self.chance.randrange(1, 60) * HOUR)
            if at < loser.leaves_at:
                self.plan(at, partial(self.claim, game, loser, message))

    async def open(self, game: Game, known: tuple[Any, ...]) -> None:
        """Somebody has lost their patience, and asks for the seat of whoever is up to be opened."""
        others = [self.by_id[one.id] for one in game.party.people if one.id != known[2]]
        voter = next((one for one in others if one.awake_from(self.now) == self.now < one.leaves_at), None)
        if game.known != known or game.party.over() or voter is None or known[2] not in self.by_id:
            return
        absent = self.by_id[known[2]].person
        data = voter.person._command("seat open", {"player": str(absent.id)})
        member = {key: value for key, value in absent._member().items() if key != "user"}
        data["resolved"] = {"users": {str(absent.id): absent.account.payload()}, "members": {str(absent.id): member}}
        await answered(self.server, await voter.person.interact(game.party.channel, 2, data))
        self.count["wanted open"] += 1

    async def claim(self, game: Game, loser: Member, message: Message) -> None:
        labels = buttons(message)
        if loser.away(self.now) or "Claim my seat back" not in labels:
            return
        await answered(self.server, await loser.person.click(message, labels["Claim my seat back"]))
        self.count["claims"] += 1

    async def vote(self, game: Game, voter: Member, message: Message) -> None:
        labels = buttons(message)
        if voter.away(self.now):
            return
        wishes = [one for one in ("Let the bot play this turn", "Pass for them", "Find a substitute", "Wait longer")
                  if one in labels]  # fmt: skip
        if not wishes:
            return
        wish = random.Random(message.id).choice(wishes)
        given = await voter.person.click(message, labels[wish])
        await answered(self.server, given)
        self.count["votes"] += 1

    async def take(self, game: Game, taker: Member, message: Message) -> None:
        labels = buttons(message)
        if "Take the seat" not in labels:
            return
        given = await taker.person.click(message, labels["Take the seat"])
        await answered(self.server, given)
        game.party.people.append(taker.person)
        self.count["substitutes"] += 1


# Holding it against the rules


@dataclass
class Verdict:
    """What was found."""

    figures: dict[str, int]
    wrong: list[str]


def judge(month: Month) -> Verdict:
    """Hold everything that was sent against what should have been."""
    wrong: list[str] = []
    figures = Counter[str](month.count)
    for user, message in month.server.world.pings:
        member, at = month.by_id[user], month.bot_time(message)
        figures["pings"] += 1
        figures["stamped at night, sent before"] += member.night(int(message.made)) and not member.night(at)
        if member.night(at):
            when = f"{datetime.fromtimestamp(at, ZoneInfo(member.zone)):%a %d %H:%M:%S}"
            wrong.append(f"{member.zone}: a ping at {when}, first said: {message.versions[0][1][:200]!r}")
        if member.away(at) and message.posted > member.gone_at:
            wrong.append(f"a ping while away: {message.text[:80]}")
    told = told_of(month)
    for game in month.games:
        wrong += turns(month, game, told, figures) + unnoticed(month, game, figures)
    missing = rows(month.database, "SELECT count(*) FROM outbox WHERE done_at IS NULL")[0][0]
    if missing:
        wrong.append(f"{missing} notices were not sent")
    if month.count["unanswered"]:
        wrong.append(f"{month.count['unanswered']} times somebody got no answer")
    if "incident" in month.bot.log():
        wrong.append("there was an incident: see the log")
    wrong += month.server.world.invalid[:5]
    return Verdict(dict(figures), wrong)


@dataclass
class Told:
    """How often a turn was told of."""

    pinged: Counter[int] = field(default_factory=Counter)
    """By person: somebody may have taken over the seat of whom the turn's message had pinged."""
    reminded: Counter[int] = field(default_factory=Counter)
    """By person, too: whoever takes a seat over has reminders of their own."""
    listed: bool = False


def told_of(month: Month) -> dict[int, Told]:
    """How each turn was told of and reminded, by its message: in itself, in answer to it, or in a list."""
    told: dict[int, Told] = defaultdict(Told)
    shown = {number for (number,) in rows(month.database, "SELECT message_id FROM messages WHERE kind LIKE 'turn:%'")}
    for game in month.games:
        for message in game.party.channel.messages.values():
            if message.id in shown:
                told[message.id].pinged.update(message.pinged)
                continue
            if not message.pinged:
                continue
            for line in message.text.split("\n"):
                turn = told[turn_told(month, line, message, shown)]
                turn.pinged.update(message.pinged if "it is your turn" in line else ())
                turn.reminded.update(message.pinged if "it is still your turn" in line else ())
                turn.listed |= "<#" in line
    return told


def turn_told(month: Month, line: str, message: Message, shown: set[int]) -> int:
    """The message of the turn of which a line speaks: it is linked, or answered, or was not yet posted."""
    place, since = re.search(r"<#([0-9]+)>", line), re.search(r"since <t:([0-9]+)", line)
    if linked := re.search(r"/([0-9]+)\)", line):
        return int(linked[1])
    if place is None or since is None:
        return message.answers or 0
    there = month.server.world.channels[int(place[1])].messages.values()
    return next((one.id for one in there if one.id in shown and month.bot_time(one) >= int(since[1])), 0)


def turns(month: Month, game: Game, told: dict[int, Told], figures: Counter[str]) -> list[str]:
    """Each turn pinged once, was reminded as its pace says, and did not stall."""
    wrong = []
    messages = list(game.party.channel.messages.values())
    shown = dict(rows(month.database, SHOWN, game.party.game))
    ids = [number for number in shown if number in game.party.channel.messages]
    for number in ids:
        figures["turns"] += 1
        turn = told[number]
        figures["reminders"] += turn.reminded.total()
        about = f"{game.pace}, {game.party.game}, {game.party.channel.messages[number].versions[0][1][:120]!r}"
        wrong += [f"{about}: {user} pinged {often} times" for user, often in turn.pinged.items() if often > 1]
        most = {"none": 0, "gentle": 5, "steady": 2, "fast": 2, "own": 2}[game.pace]
        for user, often in turn.reminded.items():
            if often > most * 4:  # each *Wait longer* begins anew
                wrong.append(f"{about}: {often} reminders of one turn for {user}")
        ends = next((one.made for one in messages if one.id in shown and one.id > number), float(month.now))
        if not turn.pinged and not turn.listed and untold(month, game, number, int(ends)):
            wrong.append(f"{about}: they could be told of it, and were not")
    wrong += stalled(month, game, figures)
    return wrong


def untold(month: Month, game: Game, number: int, ends: int) -> bool:
    """Whether the person of a turn could be told within it: for longer than the script may take to notice."""
    message = game.party.channel.messages[number]
    asked = re.findall(r"<@(\d+)>, your turn", message.versions[0][1])
    member = month.by_id.get(int(asked[0])) if asked else None
    if member is None or len(asked) > 1:
        return False
    free = 0
    for at in range(int(message.made), ends, MINUTE):
        out = any(begin <= at < finish for begin, finish in month.outages)
        free = 0 if out or member.away(at) or member.night(at) else free + MINUTE
        if free > SLACK:
            return True
    return False


def stalled(month: Month, game: Game, figures: Counter[str]) -> list[str]:
    """The present turn, reckoned minute by minute: reminders and the question came when they should have."""
    text = rows(month.database, "SELECT body FROM clocks WHERE game = ?", game.party.game)[0][0]
    body = json.loads(text)
    if game.pace not in ("steady", "fast", "own") or not body["runs"]:
        return []
    run = body["runs"][0]
    if run["granted"] or run["away"]:
        return []
    member = month.by_id.get(run["user"])
    if member is None:
        return []
    begins = body["began"] if run["used"] else run["since"]  # somebody else may have taken the seat since
    spent = reckoned(month, game, member, begins, month.now)
    figures["reckoned"] += 1
    told = told_at(month, game, member, begins, month.now)
    could, notice = 0 if told is None else could_act(month, member, told, month.now), min(NOTICE, run["budget"])
    if spent > run["budget"] + SLACK and could > notice + SLACK and run["late_at"] is None:
        return [f"{game.pace}: {spent // HOUR} h of {run['budget'] // HOUR} h are used, and nobody was asked"]
    if (spent < run["budget"] - SLACK or could < notice - SLACK) and run["late_at"] is not None:
        return [f"{game.pace}: the others were asked after {spent // HOUR} h of {run['budget'] // HOUR} h"]
    due = (spent >= run["budget"] / 2) + (spent >= run["budget"] * 0.8)
    near = any(abs(spent - run["budget"] * share) < SLACK for share in (0.5, 0.8))
    if not near and run["told"] != due and run["late_at"] is None:
        after = f"after {spent // HOUR} of {run['budget'] // HOUR} h"
        return [f"{game.pace}: {run['told']} reminders instead of {due} {after}"]
    return []


def reckoned(month: Month, game: Game, member: Member, start: int, end: int) -> int:
    """The seconds that count, one minute after the other."""
    free, spent = game.pace == "steady", 0
    for at in range(start, end, MINUTE):
        out = any(begin <= at < finish for begin, finish in month.outages)
        spent += 0 if out or member.away(at) or (free and member.night(at)) else MINUTE
    return spent


async def run(games: int, people: int, days: int, seed: int, folder: Path) -> Verdict:
    """The month, and what was found."""
    async with Server() as server:
        server.world.ack_seconds = 20.0
        month = Month(server, folder / "month.sqlite3", games, people, days, seed)
        try:
            await month.begin()
            await month.live()
            return judge(month)
        finally:
            await month.bot.kill()


def main() -> int:
    """Run it and print the figures; the exit code says whether anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--people", type=int, default=150)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(given.games, given.people, given.days, given.seed, Path(folder)))
    print(f"{given.games} games, {given.people} people, {given.days} days, {time.monotonic() - began:.0f} s")
    print(json.dumps(dict(sorted(found.figures.items())), indent=1))
    for one in found.wrong[:40]:
        print("WRONG:", one)
    return bool(found.wrong)


if __name__ == "__main__":
    sys.exit(main())
