"""Opponents move at the tables, and chance is drawn where nobody's move led to it.

Opponents think in processes of their own, which give way to all else. That one of them must move is due work: the
game's clock says so from the transaction of the move before. The table wakes us as soon as that is stored; what a stop
of the bot left undone the ticker finds. An opponent's move is stored like anybody's, one by one, so a stop loses what
was being thought and nothing else.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from bot import metrics
from bot.chat.client import Bot
from bot.core import outcome
from bot.core.errors import Outdated, TableError
from bot.core.table import Table
from bot.core.thinking import Thought, give_way, packed, think
from bot.core.work import Died, Pool, Work
from engine.actions import Action
from engine.errors import BadAction, Refused
from opponents import Choice, Level
from opponents.advice import Counsel
from storage import StorageError

log = logging.getLogger("tetsudo.opponents")
T = TypeVar("T")
LONGEST = 30.0
"""Seconds after which a thought is given up, and the process ended that has it. Nothing takes a tenth of that, however
busy the machine."""
IDLE = 600.0
"""Seconds without a question after which the processes end, and give back their memory."""


class Opponents:
    """Moves for the opponents of all games, and for chance, each game in a task of its own."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def wake(self, game_id: str) -> None:
        """Make the game's moves as long as it waits for no person."""
        self._again.add(game_id)
        if game_id not in self._playing:
            task = self._playing[game_id] = asyncio.create_task(self._play(game_id))
            task.add_done_callback(lambda _: self._playing.pop(game_id, None))

    async def idle(self) -> None:
        """Wait until nobody thinks."""
        while self._playing:
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def close(self) -> None:
        """Break off; whoever serves the games next goes on."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game_id: str) -> None:
        try:
            while game_id in self._again:
                self._again.discard(game_id)
                await self._move(game_id)
        except (TableError, StorageError) as error:
            log.warning("an opponent waits: %s", error, extra={"game": game_id})
        except Exception:
            log.exception("an opponent could not move", extra={"game": game_id})
        finally:
            self._again.discard(game_id)
            self.bot.sender.wake()

    async def _move(self, game_id: str) -> None:
        """Move until the game waits for a person, or nobody."""
        while True:
            table = await self.bot.tables.get(game_id)
            if not table.goes_on or not self.bot.is_ours(table.game.guild_id):
                return
            with suppress(Outdated):  # somebody has changed the game meanwhile, by an undo for instance
                if table.position.chance:
                    await table.go_on()
                else:
                    await self._decide(table, table.position.seq)

    async def _decide(self, table: Table, seen: int) -> None:
        seat = table.thinking
        level = None if seat is None else table.opponent(seat)
        if seat is None or level is None:
            return
        question = table.asks(seat, level)
        try:
            await table.decided(await self._thought(question), seen=seen)
        except (Refused, BadAction):
            log.exception("an opponent wanted what is not possible", extra={"game": table.game.id, "seq": seen})
            await table.decided(await self._whatever(question), seen=seen)

    async def _thought(self, question: Thought) -> Action:
        """What the opponent decides; if it fails to, what a regular would, and then something sensible."""
        levels: tuple[Level, ...] = (question.level, "regular")
        for level in dict.fromkeys(levels):
            try:
                return (await self.bot.its(Thinkers).choice(replace(question, level=level))).action
            except Exception:
                log.exception("an opponent could not decide")
        return await self._whatever(question)

    async def _whatever(self, question: Thought) -> Action:
        return await self.bot.work.do(outcome.whatever, question.title, question.state, question.seat)


class Thinkers:
    """Processes that think for opponents; without any, worker threads do.

    What goes in is a position and a question, what comes out an answer; a thinker remembers nothing.
    """

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self._work = work
        self.pool = Pool("thinkers", count, give_way)
        self._asked = 0.0
        self._asking = 0

    async def choice(self, question: Thought) -> Choice:
        """What an opponent does. Raises what thinking raises, and TableError if thinkers died of it twice."""
        return await self._ask(question, Thought.choice)

    async def advice(self, question: Thought) -> list[Choice]:
        """What there is to do, the best first."""
        return await self._ask(question, Thought.advice)

    async def counsel(self, question: Thought) -> Counsel:
        """What a person is told who asks what to do."""
        return await self._ask(question, Thought.counsel)

    async def agrees(self, question: Thought, action: Action) -> bool:
        """Whether an opponent agrees to a deal."""
        return await self._ask(question, Thought.agrees, action)

    async def _ask(self, question: Thought, how: Callable[..., T], *given: Any) -> T:
        with metrics.timed(metrics.THINKING):
            if not self.count:
                return await self._work.do(lambda: how(question, *given))
            return await self._ask_a_thinker(question, how, *given)

    async def _ask_a_thinker(self, question: Thought, how: Callable[..., T], *given: Any) -> T:
        self._asking += 1
        try:
            return await self.pool.do(think, await self._work.do(packed, question), how, given, seconds=LONGEST)
        except Died as error:
            raise TableError("The program could not think of anything: please try again.") from error
        finally:
            self._asking -= 1
            self._asked = time.monotonic()

    def let_go(self) -> None:
        """End the processes if nobody has asked them anything for long."""
        if not self._asking and time.monotonic() - self._asked > IDLE:
            self.close()

    def close(self) -> None:
        """End the processes."""
        self.pool.close()
