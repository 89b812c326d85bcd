"""What is made of a whole game and takes long: one at a time, by another process that gives way to everything else.

The bot's own process only waits: whoever moves meanwhile notices nothing.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, ClassVar, Generic, TypeVar

import engine
from bot.core.errors import TableError
from bot.core.thinking import give_way
from bot.core.work import Died, Pool
from engine.action_json import from_json, to_json
from engine.errors import Refused
from engine.ids import PlayerId
from engine.state import State
from engine.stored import FORMAT, body_of, state_of
from engine.title import Title
from renderer.cache import Cache

T = TypeVar("T")
SECONDS = 600
"""After which making one thing is given up."""
QUEUE = 12
"""How many wait or are being made at most."""
EACH = 2
"""How many of them one person has asked for."""
ENOUGH = "You have asked for {} {} that are still being made. Ask again when you have one of them."
FULL = "Too many {} are being made at the moment. Please ask again in a few minutes."
STOPPED = "Stopped."


@dataclass(frozen=True, slots=True)
class Job:
    """What something is to be made of: a game, or a part of it."""

    title: str
    options: list[str]
    names: dict[str, str]
    beginning: dict[str, Any]
    """As `engine.stored.body_of` writes it, in the present format."""
    actions: list[dict[str, Any]]
    of: str
    """As `engine.past.span` names it."""

    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def job_of(title: Title, beginning: State, actions: Sequence[engine.actions.Action], of: str) -> Job:
    """A part of a game that began in this position."""
    names = {str(seat): name for seat, name in beginning.names.items()}
    return Job(title.id, sorted(title.options), names, body_of(beginning), [to_json(one) for one in actions], of)


class Workshop(Generic[T]):
    """Makes things of one kind, each for whoever asked for it, and keeps the latest."""

    what: ClassVar[str]
    """What they are called."""
    kept: ClassVar[int]
    """How much of them is kept, by `size`."""
    too_long: ClassVar[str]
    """What is said where making one took too long."""

    def __init__(self) -> None:
        self._busy = asyncio.Lock()
        self._kept: Cache[T] = Cache(self.kept)
        self._making: dict[str, asyncio.Task[T]] = {}
        self._asked: dict[str, int] = {}
        """Who wanted each of those first."""

    async def make(self, job: Job, user: int) -> T:
        """What is made of the job, for a person. Whoever asks for one that is being made waits for it too.

        Raises TableError, also where so many are wanted that nobody could wait for another.
        """
        key = _key(job)
        made = self._kept.get(key)
        if made is not None:
            return made
        task = self._making.get(key)
        if task is None:
            self._must_have_room(user)
            task = self._making[key] = asyncio.create_task(self._made(job))
            self._asked[key] = user
            task.add_done_callback(lambda _: self._over(key))
        try:
            made = await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise TableError(STOPPED) from None
            raise
        self._kept.put(key, made, self.size(made))
        return made

    def has(self, job: Job) -> bool:
        """Whether it is there already."""
        return self._kept.get(_key(job)) is not None

    def stop(self, job: Job, user: int) -> None:
        """Make it no longer, if the person asked for it first and it is still being made."""
        key = _key(job)
        if self._asked.get(key) == user:
            self._making[key].cancel()

    def _must_have_room(self, user: int) -> None:
        if list(self._asked.values()).count(user) >= EACH:
            raise TableError(ENOUGH.format(EACH, self.what))
        if len(self._asked) >= QUEUE:
            raise TableError(FULL.format(self.what))

    def _over(self, key: str) -> None:
        del self._making[key], self._asked[key]

    async def close(self) -> None:
        """Stop making anything."""
        making = list(self._making.values())
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)

    def size(self, made: T) -> int:
        """How much of what is kept it takes."""
        raise NotImplementedError

    async def _made(self, job: Job) -> T:
        raise NotImplementedError

    async def elsewhere(self, make: Callable[[Job], T], job: Job) -> T:
        """Make it in a process of its own, once nothing else is being made. Raises TableError."""
        async with self._busy:
            pool = Pool(self.what, 1, _give_way)
            try:
                return await pool.do(make, job, tries=1, seconds=SECONDS)
            except Died as error:
                raise TableError(self.too_long) from error
            finally:
                pool.close()


def _key(job: Job) -> str:
    return sha256(job.text().encode()).hexdigest()


def _give_way() -> None:
    """What the process does first: everything else goes before, thinkers too."""
    give_way()
    if sys.platform != "win32":  # which has no such thing
        os.nice(9)


def replayed(job: Job) -> tuple[Title, list[State]]:
    """The game of a job, position by position."""
    title = engine.build(job.title, len(job.names), job.options)
    names: Mapping[PlayerId, str] = {PlayerId(seat): name for seat, name in job.names.items()}
    states = [state_of(title, names, job.beginning, FORMAT)]
    for body in job.actions:
        action = from_json(body)
        try:
            states.append(engine.apply(title, states[-1], action))
        except Refused:  # a record that was played as it stands
            states.append(engine.apply_unjudged(title, states[-1], action))
    return title, states
