"""The matrix of who may do what. A command or a kind of button without a row here fails the test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from test_wire_authority import VALUES, commands_of, fingerprint, forged
from wire_people import Person, acknowledged, answered, buttons, until
from wire_play import Party, party
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import MANAGE_SERVER

from bot.house import ROOMS
from engine.actions import ACTIONS

LOOK, NOBODY, ANYBODY, ACT, PASS, AHEAD, PLAYER, UNDO, REDO, HOST, MOVE, MODERATOR, EVERYBODY = (
    "look", "nobody", "anybody", "act", "pass", "ahead", "player", "undo", "redo", "host", "move",
    "moderator", "everybody")  # fmt: skip
ROLES = ("up", "mover", "host", "spectator", "stranger", "moderator")
"""Who must decide; who made the last move; the host; somebody of the server without a seat; one of another server, who
may manage that; one without a seat who may manage this server."""
CHANGES = {
    LOOK: (),
    NOBODY: (),
    ANYBODY: ("up", "mover", "host", "spectator", "moderator"),
    ACT: ("up",),
    PASS: ("up",),
    AHEAD: ("mover", "host"),
    PLAYER: ("up", "mover", "host"),
    UNDO: ("mover",),
    REDO: ("up",),
    HOST: ("host",),
    MOVE: ("host", "moderator"),
    MODERATOR: ("moderator",),
    EVERYBODY: ROLES,
}
COMMANDS = {
    LOOK: "turns; my games; my hand; my programs; my board; guide; game status; game history; game help; game phases;"
    " game export; show map; show market; show table; show company; show player; show privates; show tiles;"
    " show trains; game undo; rule; game leave; game chart; game review; show film; game since; game follow; seat list;"
    " my settings; pace; puzzle now; puzzle results; server games; server table; stats",
    NOBODY: "puzzle start; puzzle stop; game create; game join; game start; seat order; game import; seat take;"
    " seat open; game watch",
    ANYBODY: "my mute",
    PASS: "pass",
    PLAYER: "game end; game settings; seat lend; seat give",
    REDO: "game redo",
    MOVE: "game move",
    ACT: "bid; do; lay; token; run; dividend; stock par; stock buy; stock sell; train buy; train discard;"
    " train bankrupt; private buy; private acquire; private trade; private exchange; private sell; private close;"
    " private lay",
}
PREFIXES = {
    "menu|Bid": LOOK, "lay|LayTile|AR": LOOK, "hex|LayTile|AR|C4": LOOK, "try|LayTile|AR|C4|57|0": LOOK,
    "routes|AR": LOOK, "further|AR|1": LOOK, "ask|Bid|TR": LOOK, "hand": LOOK, "why": LOOK,
    "ifpass": LOOK,
    "board": LOOK, "more": LOOK, "page": LOOK, "note": LOOK, "guide|on": LOOK,
    "rule|1889-TRK-08": LOOK, "help|par": LOOK, "learned|track": LOOK,
    "show|market": LOOK, "history|1|||": LOOK,
    "undo|sure": UNDO, "undo|from|1": LOOK, "undo|yes|1": NOBODY, "undo|no|1": NOBODY,
    "pass|once": AHEAD, "yes|1": NOBODY, "no|1": NOBODY, "price|1": NOBODY,
    "vote|end|no": PLAYER, "vote|pace|no": PLAYER, "vote|runout|yes": NOBODY, "stop": NOBODY,
    "join": NOBODY, "leave|sure": PLAYER, "start": NOBODY, "sure|Pass": PASS, "opponent|regular": NOBODY,
    "suggest": PASS, "foresee|0": LOOK, "reasons|1": LOOK, "rules|printed": NOBODY,
    "take|p1": NOBODY, "keep|p1": NOBODY, "substitute|p1": NOBODY,
    "open|p1": NOBODY, "accept|9": NOBODY, "refuse|9": NOBODY, "catchup": LOOK,
    "chart|worth": LOOK, "past|1|map||p": LOOK, "astext|1": LOOK, "since": LOOK, "records": LOOK,
    "review": LOOK, "instead|p1|0": LOOK,
    "rematch": NOBODY, "puzzle|day|1|0": NOBODY,
    "program|do|round": PLAYER,
    "follow|start": ANYBODY, "games|1": LOOK,
    "late|wait|p1": NOBODY, "wake": NOBODY, "silence": LOOK, "mine|after|48": EVERYBODY,
    "run|AR|0123456789|0|pay": ACT, "end": ACT}  # fmt: skip
VARIANTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "game end at_once": ("game end", {"at_once": True}, MODERATOR),
    "pace pace": ("pace", {"pace": "gentle"}, PLAYER),
    "my settings zone": ("my settings", {"zone": "UTC"}, EVERYBODY),
}
"""What an option makes of a command that others may use without it."""
GIVEN: dict[str, dict[str, Any]] = {"game settings": {"suggest": False}, "game create": {"title": "1889"}}


@dataclass
class Matrix:
    """One position: the host and the mover have passed, somebody is up, and one pass has been taken back."""

    table: Party
    people: dict[str, Person]
    abroad: Party
    second: Any
    host_acts: bool
    seq: int = 0
    acted: str = ""
    """Who was the last to try something."""

    def expected(self, kind: str, role: str) -> bool | None:
        """Whether something changes; None if that is for the rules to say."""
        acts = role in CHANGES[kind] or (self.host_acts and role == "host" and kind in (ACT, PASS, REDO))
        return None if acts and kind == ACT else acts

    async def attempt(self, role: str, what: str, kind: str, given: Any) -> None:
        server, table, before = self.table.server, self.table, self.before
        self.acted = role
        await acknowledged(server, given)
        done = lambda: bool(given.said) or given.kind == 9 or fingerprint(table.database) != before  # noqa: E731
        await until(server, done, what=f"an answer to {what} of the {role}")
        await settled(server, table.database)
        changed = fingerprint(table.database) != before
        wanted = self.expected(kind, role)
        assert wanted is None or changed == wanted, f"{what} by the {role}: {given.said}"
        if not changed:
            assert all(one.private for one in given.answers), what
        await self.restore(what)

    @property
    def before(self) -> list[list[Any]]:
        return self._before

    def look(self) -> None:
        self._before = fingerprint(self.table.database)

    async def restore(self, what: str) -> None:
        """Back to the position, if something happened."""
        table, host = self.table, self.people["host"]
        if self.table.seq() != self.seq:
            last = rows(table.database, "SELECT kind FROM log WHERE game = ? ORDER BY seq DESC", table.game)[0][0]
            if last == "undo":
                await answered(table.server, await self.people[self.acted].slash(table.channel, "game redo"))
            else:
                await undo(table, self.people["up" if last == "redo" else self.acted])
        elif what == "game move":
            await answered(table.server, await host.slash(table.channel, "game move", game=table.game))
        elif what == "game settings" and fingerprint(table.database) != self.before:
            keeps = forged(table, "vote|settings|no")
            await answered(
                table.server, await self.people[self.acted].click(keeps, next(iter(buttons(keeps).values())))
            )
        elif rows(table.database, "SELECT 1 FROM openings"):
            await self.come_back()
        await settled(table.server, table.database)
        self.seq = table.seq()

    async def come_back(self) -> None:
        """Whoever has left takes the seat again, and the host is the host again."""
        table, server = self.table, self.table.server
        sql = "SELECT from_id FROM handovers WHERE how = 'left' ORDER BY id DESC LIMIT 1"
        gone = next(one for one in self.people.values() if [(one.id,)] == rows(table.database, sql))
        await answered(server, await gone.slash(table.channel, "seat take"))
        hosting = rows(table.database, "SELECT host_id FROM games WHERE id = ?", table.game)[0][0]
        if hosting == self.people["host"].id:
            return
        players = [self.people[one] for one in ("up", "mover", "host")]
        for other in sorted(players, key=lambda one: one.id != hosting):  # where the host acts for others, all agree
            data = other._command("game settings", {"host": str(self.people["host"].id)})
            account = self.people["host"].account
            member = {key: value for key, value in other._member().items() if key != "user"}
            data["resolved"] = {"users": {str(account.id): account.payload()}, "members": {str(account.id): member}}
            await answered(server, await other.interact(table.channel, 2, data))

    async def row(self, role: str) -> int:
        """Everything, by one of them. How much that was."""
        self.seq = self.table.seq()
        person, channel = self.people[role], self.abroad.channel if role == "stranger" else self.table.channel
        kinds = {name: kind for kind, names in COMMANDS.items() for name in names.split("; ")}
        for name, needs in commands_of(self.table.server).items():
            self.look()
            await self.attempt(role, name, kinds[name], await self.command(person, channel, name, needs, role))
        for name, (command, options, kind) in VARIANTS.items():
            self.look()
            await self.attempt(role, name, kind, await person.slash(channel, command, **options))
        codes = PREFIXES | dict.fromkeys(ACTIONS, ACT) | {"Pass": PASS, "EndGame": NOBODY}
        for code, kind in codes.items():
            self.look()
            message = forged(self.table, code)
            message.channel = channel
            await self.attempt(role, code, kind, await person.click(message, next(iter(buttons(message).values()))))
        return len(kinds) + len(VARIANTS) + len(codes)

    async def command(self, person: Person, channel: Any, name: str, needs: list[dict[str, Any]], role: str) -> Any:
        others = self.people["spectator" if name in ("seat lend", "seat give") else "mover"].account
        file = {"id": "7", "filename": "a.json", "size": 9, "url": "http://127.0.0.1:9/a", "proxy_url": "http://x/a"}
        values = VALUES | {6: lambda one: str(others.id), 11: lambda one: "7"}
        options = {one["name"]: values[one["type"]](one) for one in needs}
        if role != "stranger" or name != "game create":
            options |= GIVEN.get(name, {})
        if name == "game move":
            channel, options = (channel if role == "stranger" else self.second), {"game": self.table.game}
        data = person._command(name, options)
        member = {key: value for key, value in person._member().items() if key != "user"}
        data["resolved"] = {
            "attachments": {"7": file},
            "users": {str(others.id): others.payload()},
            "members": {str(others.id): member},
        }
        return await person.interact(channel, 2, data)


async def undo(table: Party, person: Person) -> None:
    """Undo the last move, as somebody who was asked and means it."""
    question = forged(table, "undo|sure")
    await answered(table.server, await person.click(question, next(iter(buttons(question).values()))))


async def matrix(server: Server, database: Path, *, host_acts: bool) -> Matrix:
    table = await party(server, database)
    await table.begin(host_acts=host_acts, options="open_treasuries")
    host, mover, up = table.people
    for person in (host, mover, up):
        packet = table.packet()
        assert table.up(packet) is person
        await acknowledged(server, await person.click(packet, buttons(packet)["Pass"]))
        await until(server, lambda: table.packet() is not packet, what="the turn")  # noqa: B023
        await settled(server, database)
    await undo(table, up)
    await settled(server, database)
    second = server.world.channel(table.channel.guild, "second")
    abroad = await party(server, database, 1, "abroad")
    await server.dispatch("CHANNEL_CREATE", second.payload())
    people = {"host": host, "mover": mover, "up": up, "stranger": abroad.people[0],
              "spectator": Person(server, server.world.person("watcher")),
              "moderator": Person(server, server.world.person("keeper"), MANAGE_SERVER)}  # fmt: skip
    abroad.people[0].rights = MANAGE_SERVER
    return Matrix(table, people, abroad, second, host_acts)


async def test_every_command_and_kind_of_button_has_a_row(server: Server, database: Path) -> None:
    async with BotProcess(server, database):
        listed = [name for names in COMMANDS.values() for name in names.split("; ")]
        assert sorted(listed) == sorted(commands_of(server))
    words = {word for room in ROOMS for word in room.presses} - set(ACTIONS)
    assert {code.partition("|")[0] for code in PREFIXES} == words


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
async def test_everybody_can_do_what_is_theirs_and_nothing_else(server: Server, database: Path, role: str) -> None:
    async with BotProcess(server, database):
        one = await matrix(server, database, host_acts=False)
        assert await one.row(role) > 60


@pytest.mark.slow
async def test_the_host_acts_for_others_only_where_the_game_was_made_so(server: Server, database: Path) -> None:
    async with BotProcess(server, database):
        one = await matrix(server, database, host_acts=True)
        await one.row("host")
