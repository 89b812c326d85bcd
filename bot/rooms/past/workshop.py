"""What is made of a whole game and takes long, as films: one at a time, by another process that gives way to all else.

The bot's own process only waits: whoever moves meanwhile notices nothing.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import chain, groupby
from typing import Any, ClassVar, Generic, TypeVar

import engine
from bot.core.errors import TableError
from bot.core.thinking import give_way
from bot.core.work import Died, Pool
from bot.words.lexicon import Lexicon, lexicon
from bot.words.narration import narrate, plain
from engine import PlayerId, Refused, State, Title, board_view, from_json, market_view, to_json
from engine import facts as f
from engine.past import changed_hexes, moved_tokens, span
from engine.stored import FORMAT, body_of, state_of
from engine.views import StillView
from opponents.levels import Levels
from renderer.cache import Cache

T = TypeVar("T")
SECONDS = 600
"""After which making one thing is given up."""
PATIENCE = 14 * 60
"""Seconds that one is waited for: what a person did is answered within a quarter of an hour, or not at all."""
QUEUE = 12
"""How many wait or are being made at most."""
EACH = 2
"""How many of them one person has asked for."""
ENOUGH = "You have asked for {} {} that are still being made. Ask again when you have one of them."
FULL = "Too many {} are being made at the moment. Please ask again in a few minutes."
LATER = "Others were first, so this takes longer than I can wait. Please ask again in a few minutes."
STOPPED = "Stopped."
NOT_FIRST = "Somebody else asked for it before you, so it goes on."


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
    levels: Levels = field(default_factory=dict)
    """Of the opponents who sat there."""

    @property
    def key(self) -> str:
        """The same for jobs that make the same."""
        return sha256(json.dumps(asdict(self)).encode()).hexdigest()


def job_of(title: Title, beginning: State, actions: Sequence[engine.actions.Action], of: str) -> Job:
    """A part of a game that began in this position."""
    names = {str(seat): name for seat, name in beginning.names.items()}
    return Job(title.id, sorted(title.options), names, body_of(beginning), [to_json(one) for one in actions], of)


class Workshop(Generic[T]):
    """Makes things of one kind, each for whoever asked for it, and keeps the latest."""

    what: ClassVar[str]
    """What they are called."""
    made: ClassVar[Callable[[Job], Any]]
    """Makes one, in the other process. What it raises is raised here."""
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
        key = job.key
        made = self._kept.get(key)
        if made is not None:
            return made
        task = self._making.get(key)
        if task is None:
            self._must_have_room(user)
            task = self._making[key] = asyncio.create_task(self._made(job))
            self._asked[key] = user
            task.add_done_callback(lambda done: self._ended(key, done))
        try:
            return await asyncio.wait_for(asyncio.shield(task), PATIENCE)
        except TimeoutError:
            raise TableError(LATER) from None
        except asyncio.CancelledError:
            if task.cancelled():
                raise TableError(STOPPED) from None
            raise

    def _ended(self, key: str, task: asyncio.Task[T]) -> None:
        del self._making[key], self._asked[key]
        if not task.cancelled() and task.exception() is None:
            self._kept.put(key, task.result(), self.size(task.result()))

    def has(self, job: Job) -> bool:
        return self._kept.get(job.key) is not None

    def stop(self, job: Job, user: int) -> None:
        """Make it no longer, if it is still being made. Raises TableError unless the person asked for it first."""
        key = job.key
        if self._asked.get(key, user) != user:
            raise TableError(NOT_FIRST)
        if key in self._making:
            self._making[key].cancel()

    def _must_have_room(self, user: int) -> None:
        if list(self._asked.values()).count(user) >= EACH:
            raise TableError(ENOUGH.format(EACH, self.what))
        if len(self._asked) >= QUEUE:
            raise TableError(FULL.format(self.what))

    async def close(self) -> None:
        making = list(self._making.values())
        for task in making:
            task.cancel()
        await asyncio.gather(*making, return_exceptions=True)

    def size(self, made: T) -> int:
        """How much of what is kept it takes."""
        return 1

    async def _made(self, job: Job) -> T:
        """Make it in a process of its own, once nothing else is being made. Raises TableError."""
        async with self._busy:
            pool = Pool(self.what, 1, _give_way)
            try:
                made: T = await pool.do(type(self).made, job, tries=1, seconds=SECONDS)
                return made
            except Died as error:
                raise TableError(self.too_long) from error
            finally:
                pool.close()


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


SHOWN = (f.TileLaid, f.TileRemoved, f.TokenPlaced, f.TokenReturned, f.TokenGone, f.PriceMoved, f.ParSet)
"""What is to be seen in a film."""
MOST = 160
"""Pictures of the longest film: if there are more turns than that, each shows several."""
KEPT = 16 << 20
"""Bytes of films that are kept."""
TOO_LONG = "That film could not be made: it took too long. A set or a round takes less: `/show film of:4.1`."
MAKING = "The film is being made; that takes up to a minute…"
NOTHING = "Nothing happened on the map or the market in that time, so there is nothing to film."


def stills(title: Title, states: Sequence[State], of: str) -> list[StillView]:
    """The pictures of a film: the position at its start, then one for each change, or each turn of the whole game."""
    found = span(states, of)
    if found is None:
        return []
    first, last = found
    steps = [[number] for number in range(first + 1, last + 1)]
    groups = [one for one in steps if shows(states, one)]
    if len(groups) > MOST or not of:
        turns = groupby(range(first + 1, last + 1), key=lambda number: _turn(states[number - 1]))
        groups = _joined([one for one in (list(numbers) for _, numbers in turns) if shows(states, one)])
    start = states[first]
    names = lexicon(start.names, title)
    made = [StillView(board_view(title, start), market_view(title, start), "")]
    for numbers in groups:
        facts = [fact for number in numbers for fact in states[number].facts]
        now, before = states[numbers[-1]], states[numbers[0] - 1]
        view = board_view(title, now, changed_hexes(facts))
        made.append(StillView(view, market_view(title, now, moved_tokens(facts)), caption(facts, names, before)))
    return made if groups else []


def _joined(groups: list[list[int]]) -> list[list[int]]:
    """As many neighbours together as leave at most MOST."""
    each = -(-len(groups) // MOST) or 1
    return [[*chain(*groups[start : start + each])] for start in range(0, len(groups), each)]


def caption(facts: Sequence[f.Fact], names: Lexicon, before: State) -> str:
    company = str(before.operating or "")
    gone = {str(fact.corp) for fact in facts if isinstance(fact, f.TokenGone)}
    told = [line for fact in facts if _is_told(fact, gone) for line in narrate([fact], names, company)]
    return plain(" ".join(told))


def _is_told(fact: f.Fact, gone: Collection[str]) -> bool:
    """What is seen, and that a company closes, or a minor whose tokens are `gone`."""
    if isinstance(fact, f.PrivateClosed | f.CompanyChanged):
        who = fact.private if isinstance(fact, f.PrivateClosed) else fact.corp
        return who in gone or (isinstance(fact, f.CompanyChanged) and fact.state == "closed")
    return isinstance(fact, SHOWN)


def shows(states: Sequence[State], numbers: Sequence[int]) -> bool:
    """Whether anything in these positions came about that a film shows."""
    return any(isinstance(fact, SHOWN) for number in numbers for fact in states[number].facts)


def _turn(state: State) -> tuple[object, ...]:
    """The same in every position of a company's turn, and of a player's in a stock round."""
    return state.round, state.turn, state.or_number, state.operating or state.up


def film_of(title: Title, states: Sequence[State], of: str) -> bytes:
    """The film as GIF; empty if there is nothing to show."""
    from renderer.film import film

    shown = stills(title, states, of)
    return film(shown) if shown else b""


def film_of_job(job: Job) -> bytes:
    """The same of a job. Raises TableError where there is nothing to show."""
    film = film_of(*replayed(job), job.of)
    if not film:
        raise TableError(NOTHING)
    return film


class Films(Workshop[bytes]):
    what, made, kept, too_long = "films", film_of_job, KEPT, TOO_LONG

    def size(self, made: bytes) -> int:
        return len(made)
