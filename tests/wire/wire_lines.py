"""Crash the bot at many points while somebody tries moves out, and check what is left of the lines.

python tests/wire/wire_lines.py 300 --title 1889
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from wire_checker import Wrong, sound
from wire_crashes import ForkedBot, ForkServer, kinds, or_crash
from wire_people import NoAnswer, Person, acknowledged, answered, buttons, selects, tool
from wire_play import Move, Party, code_of, moves, party, pick
from wire_process import rows, settled
from wire_server import Server
from wire_world import Interaction, Message

from bot.rooms.trying.line import FORCED

KINDS = {"": 24, "http": 6, "COMMIT": 2, "drawing": 4}
"""Kinds of points, and about how many of them there are between a press on a board and its answer."""
BESIDE = ("Back", "Another line from here", "Name this line…", "Compare", "My lines")
"""What a board has beside the moves."""
MOST_PRESSES = 4
MOST_LINES = 5
CLOSED = ("board", "look", "why")
"""Words of controls that lead nowhere from a board, or are no moves."""


@dataclass(frozen=True)
class Kept:
    """A line as it is stored."""

    name: str
    revision: int
    steps: tuple[str, ...]
    """Each with its note, as text."""

    @property
    def decisions(self) -> int:
        """How many of its moves were not forced."""
        return sum(json.loads(one)[1] != str(FORCED) for one in self.steps)


Lines = dict[int, Kept]


def ways(board: Message) -> dict[str, tuple[str, str]]:
    """What a board has beside the moves, by its label: the control, and the value of one that is in a list."""
    listed = {one["label"]: (control, one["value"]) for control, some in selects(board).items() for one in some}
    return listed | {label: (control, "") for label, control in buttons(board).items()}


async def take(person: Person, board: Message, label: str, **more: Any) -> Interaction:
    """Press it, or choose it."""
    control, value = ways(board)[label]
    return await (person.choose(board, control, value, **more) if value else person.click(board, control, **more))


class LineRun:
    """One person who tries out at a table whose bot crashes again and again."""

    def __init__(self, folder: Path, seed: int, title: str = "1889", *, turns: int = 3) -> None:
        """`turns`: how many were played before."""
        self.folder, self.title, self.turns = folder, title, turns
        self.chance = random.Random(seed)
        self.crashed_at: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        """What was stored of the presses on which the bot crashed."""

    @property
    def database(self) -> Path:
        return self.folder / "games.sqlite3"

    async def run(self, points: int) -> None:
        """Crash `points` times. Raises Wrong, or NoAnswer where the person cannot go on."""
        async with Server() as server, ForkServer(self.folder) as forks:
            self.server, self.forks = server, forks
            bot = await self._started()
            self.party: Party = await party(server, self.database)
            self.party.chance = self.chance
            await self.party.begin(self.title)
            for _ in range(self.turns):
                await self.party.turn()
                await settled(server, self.database)
            self.person: Person = self.party.people[1]
            await bot.end()
            self.game = self._game()
            for _ in range(points):
                self.crashed_at[f"trying out: {await self._crash()}"] += 1
            await sound(self.database)

    async def _started(self, crash: str = "") -> ForkedBot:
        bot = await self.forks.start(self.server, self.database, crash)
        await bot.connected()
        await settled(self.server, self.database)
        return bot

    async def _crash(self) -> str:
        """Crash on a press of a board, start again, and let the person go on."""
        kind = self.chance.choice(list(KINDS))
        bot = await self._started(f"signal:{kind}:{self.chance.randint(1, KINDS[kind])}")
        board = await self._board()
        before = self._lines()
        bot.arm()
        await self._press_or_crash(bot, board, before)
        point = await bot.end()
        after = self._lines()
        self.done[change(before, after)] += 1
        self._game_is_untouched()
        again = await self._started()
        if self._lines() != after:
            raise Wrong("a start changed somebody's lines")
        await self._goes_on(board)
        await again.end()
        return point

    async def _goes_on(self, old: Message) -> None:
        """The board from before the crash answers, and the line can be opened and moved on."""
        for label in ("My lines", "Back"):
            if label in ways(old):
                told = await answered(self.server, await take(self.person, old, label))
                if not told.text.strip():
                    raise Wrong(f"{label} on an old board answered nothing")
        for _ in range(12):
            board = await self._board()
            before = self._lines()
            with suppress(NoAnswer):
                await self._pressed(board, before, [one for one in moves(board) if is_move(one)])
            after = self._lines()
            if change(before, after) == "one decision more":
                return
            if any(one.decisions >= 20 for one in after.values()):
                await self._delete(next(number for number, one in after.items() if one.decisions >= 20))
        raise Wrong("nothing could be moved on the board after a crash")

    # What the person does

    async def _board(self) -> Message:
        """A line's board, as the game's newest message leads there."""
        packet = self.party.packet()
        shown = await tool(self.server, self.person, packet, "Try out")
        while len(self._lines()) > MOST_LINES:
            await self._delete(next(iter(self._lines())))
        opening = [one for one in selects(shown) if code_of(one) == "open"]
        if opening:
            value = self.chance.choice([one["value"] for one in selects(shown)[opening[0]]])
            if int(value.split("|")[2]) not in self._lines():
                return await self._board()
            shown = await answered(self.server, await self.person.choose(shown, opening[0], value))
        elif "New line from now" in buttons(shown):
            shown = await answered(self.server, await self.person.click(shown, buttons(shown)["New line from now"]))
        if "Trying out" not in shown.text:
            raise Wrong(f"no board: {shown.text}")
        return shown

    async def _delete(self, number: int) -> None:
        packet = self.party.packet()
        shown = await tool(self.server, self.person, packet, "Try out")
        dropping = next(one for one in selects(shown) if code_of(one) == "drop")
        await answered(self.server, await self.person.choose(shown, dropping, f"board|drop|{number}"))

    async def _press_or_crash(self, bot: ForkedBot, board: Message, before: Lines) -> None:
        offered = [one for one in moves(board) if is_move(one)]
        label = self.chance.choice([*BESIDE, *(["move"] * 4)])
        if label == "move" or label not in ways(board):
            acting = self._pressed(board, before, offered, bot)
        elif label == "Name this line…":
            acting = self._named(board)
        else:
            acting = self._clicked(board, label)

        async def pressing() -> None:
            try:
                await acting
            except NoAnswer as error:
                if not bot.ended:
                    raise Wrong(f"a press got no answer from a bot that lives: {error}") from error

        await or_crash(bot, pressing())

    async def _clicked(self, board: Message, label: str) -> None:
        await answered(self.server, await take(self.person, board, label, copies=self._copies()))

    async def _named(self, board: Message) -> None:
        given = await acknowledged(self.server, await take(self.person, board, "Name this line…"))
        assert given.modal is not None
        name = f"plan {self.chance.randint(0, 999)}"
        await answered(self.server, await self.person.fill(board.channel, given.modal, name=name))

    async def _pressed(self, board: Message, before: Lines, offered: list[Move], bot: ForkedBot | None = None) -> None:
        """Press on from the board until the line has moved, through the lists that are in between."""
        message = board
        for _ in range(MOST_PRESSES):
            if not offered:
                return
            move = pick(self.chance, offered)
            given = await self._press(message, move)
            message = await answered(self.server, given)
            if self._lines() != before or (bot is not None and bot.ended):
                return
            offered = [one for one in moves(message) if is_move(one)]

    async def _press(self, message: Message, move: Move) -> Interaction:
        copies = self._copies()
        if move.value is None:
            return await self.person.click(message, move.custom_id, copies=copies)
        return await self.person.choose(message, move.custom_id, move.value, copies=copies)

    def _copies(self) -> int:
        """A tenth of all presses is delivered twice."""
        return 2 if self.chance.random() < 0.1 else 1

    # What is stored

    def _lines(self) -> Lines:
        found = rows(self.database, "SELECT id, body, revision FROM branches ORDER BY id")
        return {number: kept(json.loads(body), revision) for number, body, revision in found}

    def _game(self) -> tuple[Any, ...]:
        """Everything about the game that trying out must leave as it is."""
        game = rows(self.database, "SELECT seq, version, status, settings FROM games")
        log = rows(self.database, "SELECT seq, body, by_user, note FROM log ORDER BY seq")
        kept = rows(self.database, "SELECT * FROM standing_orders")
        notices = rows(self.database, "SELECT count(*) FROM outbox")
        said = [message.id for message in self.party.channel.messages.values()]
        return game, log, kept, notices, said, len(self.server.world.pings)

    def _game_is_untouched(self) -> None:
        if self._game() != self.game:
            raise Wrong("trying out changed the game, its messages or who was pinged")


def is_move(one: Move) -> bool:
    """Whether a control moves on the board, or leads there."""
    return one.code.split("|")[0] not in CLOSED


def kept(body: dict[str, Any], revision: int) -> Kept:
    return Kept(body["name"], revision, tuple(json.dumps(one) for one in body["steps"]))


def change(before: Lines, after: Lines) -> str:
    """What one press did. Raises Wrong where it did more or less than that."""
    if before == after:
        return "nothing"
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    other = [number for number in before.keys() & after.keys() if before[number] != after[number]]
    if (len(gone), len(new), len(other)) == (0, 1, 0):
        made = after[new.pop()]
        if made.steps and all(one.steps != made.steps for one in before.values()):
            raise Wrong("a new line has the moves of none")
        return "a line more"
    if (len(gone), len(new), len(other)) != (0, 0, 1):
        raise Wrong(f"one press took away {len(gone)} lines, made {len(new)} and changed {len(other)}")
    return _changed(before[other[0]], after[other[0]])


def _changed(old: Kept, new: Kept) -> str:
    if new.revision != old.revision + 1:
        raise Wrong(f"one press changed a line {new.revision - old.revision} times")
    if new.name != old.name and new.steps == old.steps:
        return "another name"
    longer, shorter = (new, old) if len(new.steps) > len(old.steps) else (old, new)
    if longer.steps[: len(shorter.steps)] != shorter.steps or new.name != old.name:
        raise Wrong("a press made another line of a line")
    if longer.decisions - shorter.decisions < 1:
        raise Wrong("only forced moves were made or taken back")
    return "one decision more" if longer is new else "one decision less"


async def main(points: int, run: LineRun) -> None:
    began = time.monotonic()
    try:
        await run.run(points)
    except BaseException:
        print((run.folder / "bot.log").read_text()[-4000:])
        raise
    finally:
        for name, times in sorted(kinds(run.crashed_at).items()):
            print(f"{times:5} {name}")
        for name, times in run.done.items():
            print(f"{times:5} stored: {name}")
    print(f"{run.title}: {points} crashes at {len(run.crashed_at)} points in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("points", type=int)
    parser.add_argument("--title", default="1889")
    parser.add_argument("--seed", type=int, default=1889)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tetsudo-lines-") as folder:
        asyncio.run(main(given.points, LineRun(Path(folder), given.seed, given.title, turns=given.turns)))
