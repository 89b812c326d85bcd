"""A game at the stand-in, and an automatic player who presses what the newest message offers. It knows no rules."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from asides import LEAVES, TOOLS
from wire_people import PATIENCE, NoAnswer, Person, acknowledged, answered, buttons, selects, until
from wire_process import Database, rows, settled
from wire_server import Server
from wire_shards import Shard
from wire_world import Channel, Interaction, Message

WEIGHTS = {"Pass": 0.5, "BuyTrain": 5.0, "SellShares": 0.5, "LayTile": 3.0, "yes": 3.0}
MOST_PRESSES = 8


@dataclass(frozen=True)
class Move:
    """One thing that can be pressed: a button, or an option of a list."""

    custom_id: str
    value: str | None
    code: str

    @property
    def kind(self) -> str:
        word, *rest = self.code.split("|")
        return rest[0] if word in ("menu", "lay", "hex", "try") else word


def code_of(custom_id: str) -> str:
    return custom_id.split(":", 3)[3]


def seq_of(message: Message) -> int:
    """The position that the controls of a message were drawn for, -1 without controls."""
    ids = [*buttons(message).values(), *selects(message)]
    return int(ids[0].split(":", 3)[2]) if ids else -1


def moves(message: Message) -> list[Move]:
    found = [Move(one, None, code_of(one)) for label, one in buttons(message).items() if label not in TOOLS]
    for custom_id, options in selects(message).items():
        found += [Move(custom_id, one["value"], one["value"]) for one in options]
    return [one for one in found if not one.code.startswith(LEAVES)]


def pick(chance: random.Random, offered: list[Move]) -> Move:
    """First a kind of move, then any of that kind."""
    kinds = list(dict.fromkeys(one.kind for one in offered))
    kind = chance.choices(kinds, [WEIGHTS.get(one, 1.0) for one in kinds])[0]
    return chance.choice([one for one in offered if one.kind == kind])


@dataclass(eq=False)
class Party:
    """One game in one channel, with its players."""

    server: Server
    channel: Channel
    people: list[Person]
    database: Any
    """A file, or the address of a PostgreSQL database."""
    game: str = ""
    chance: random.Random = field(default_factory=lambda: random.Random(1889))
    acks: list[float] = field(default_factory=list)
    presses: list[Interaction] = field(default_factory=list)
    """Every press, also those that got no answer."""
    twice: float = 0.0
    """How often a press is delivered twice."""

    async def begin(self, title: str = "1889", **options: object) -> None:
        """Create, join and start, through the commands."""
        await self.gather(title, **options)
        await answered(self.server, await self.people[0].slash(self.channel, "seat order", how="joined"))
        await self.start()

    async def gather(self, title: str, **options: object) -> None:
        host, *others = self.people
        await answered(self.server, await host.slash(self.channel, "game create", title=title, **options))
        for person in others:
            await answered(self.server, await person.slash(self.channel, "game join"))

    async def start(self) -> None:
        await answered(self.server, await self.people[0].slash(self.channel, "game start"))
        self.game = str(rows(self.database, "SELECT id FROM games WHERE channel_id = ?", self.channel.id)[0][0])
        await settled(self.server, self.database)

    def packet(self) -> Message:
        """The newest message with controls."""
        for message in reversed(self.channel.messages.values()):
            if buttons(message) or selects(message):
                return message
        raise AssertionError("no message with controls")

    def up(self, message: Message) -> Person:
        """Whom the message asks: it names them first."""
        found = re.search(r"<@(\d+)>", message.text)
        assert found, message.text
        return next(one for one in self.people if one.id == int(found[1]))

    def seq(self) -> int:
        return int(rows(self.database, "SELECT seq FROM games WHERE id = ?", self.game)[0][0])

    def over(self) -> bool:
        return rows(self.database, "SELECT status FROM games WHERE id = ?", self.game)[0][0] != "running"

    def ended(self) -> bool:
        """Whether the newest message shows the end of the game."""
        return any(code_of(one) == "rematch" for one in buttons(self.packet()).values())

    async def press(self, message: Message, person: Person, move: Move) -> Interaction:
        copies = 2 if self.chance.random() < self.twice else 1
        if move.value is None:
            given = await person.click(message, move.custom_id, copies=copies)
        else:
            given = await person.choose(message, move.custom_id, move.value, copies=copies)
        self.presses.append(given)
        await acknowledged(self.server, given)
        assert given.acked is not None
        self.acks.append(given.acked)
        return given

    async def passes(self) -> Interaction:
        """Whoever is up presses *Pass*; nothing is waited for."""
        packet = self.packet()
        return await self.up(packet).click(packet, buttons(packet)["Pass"])

    async def turn(self, wait: float = PATIENCE, first: Move | None = None) -> Interaction:
        """Press, `first` if told, until the newest message shows another position; the last press. Raises NoAnswer."""
        shown = message = self.packet()
        before = seq_of(shown)
        person = self.up(shown)
        for _ in range(MOST_PRESSES):
            offered = moves(message)
            assert offered, f"nothing to press in: {message.text}"
            move, first = first or pick(self.chance, offered), None
            given = await self.press(message, person, move)

            def moved(seen: Interaction = given) -> bool:
                newest = self.packet()
                return newest is not shown or seq_of(newest) != before or bool(seen.answers and not seen.loading)

            await until(self.server, moved, wait, f"a reaction to {move.code}")
            newest = self.packet()
            if newest is not shown or seq_of(newest) != before:
                return given
            message = given.answers[-1]
            if not moves(message):
                return given
        raise NoAnswer("went round in circles")

    async def plays(self, turns: int = 1) -> None:
        """So many turns, each of which is over once the bot has sent everything."""
        for _ in range(turns):
            await self.turn()
            await settled(self.server, self.database)


async def party(
    server: Server, database: Database, people: int = 3, name: str = "rails", shard: Shard | None = None
) -> Party:
    """A server of its own, of this shard if one is named, with a channel and people."""
    guild = server.world.guild(shard=shard)
    channel = server.world.channel(guild, name)
    names = ("aiko", "ben", "chloe", "daichi", "emma", "fumi")[:people]
    found = [Person(server, server.world.person(one)) for one in names]
    if server.connected:
        await server.dispatch("GUILD_CREATE", server.guild_payload(guild))
    return Party(server, channel, found, database)


async def playing(server: Server, database: Database, shard: Shard | None = None) -> Party:
    """Three people on a server of their own, whose game has begun."""
    found = await party(server, database, shard=shard)
    await found.begin()
    return found


async def shown(table: Party) -> None:
    """Wait until the channel shows the turn."""
    await until(table.server, lambda: seq_of(table.packet()) == table.seq(), what="the turn")
