"""Being guided: how far somebody is, the position where they act, and the opponents who answer.

Kept of it are the stage and the moves made in it. The position is played anew from these when it is needed, and a few
dozen are kept in memory.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from bot.core.errors import Outdated, TableError
from bot.core.moves import Move, Note, company_of, follow, lately, tell
from bot.core.opponents import SUBSTITUTE
from bot.core.outcome import must_pass
from bot.core.position import Position
from bot.core.thinking import Thought
from bot.core.work import Work
from bot.rooms.guide.stages import BY_KEY, OTHERS, STAGES, YOU, Attempt, Seen, Stage, Task, beginning, title
from bot.rooms.opponents.room import Thinkers
from bot.rooms.turn.deals import NO_DEAL
from bot.words.lexicon import Lexicon, clean_name
from engine import Action, EngineError, PlayerId, State, from_json, to_json
from engine.actions import Pass
from renderer.cache import Cache
from storage import Guide, Stale, Store

PLACE = "-guide"
"""What controls carry of it, in place of a game."""
KEPT = 40
"""How many people's positions stay in memory."""
MOST_ANSWERS = 200
"""How many moves of the others follow one of the person's at most."""
SEED = 3
FORCED = Note("forced")


@dataclass(frozen=True, slots=True)
class Where:
    """How far somebody is: the stage, "" once they are through; the moves made in it; and what they are called."""

    stage: str
    name: str
    moves: tuple[Action, ...] = ()

    def written(self) -> str:
        body = {"stage": self.stage, "name": self.name, "moves": [to_json(one) for one in self.moves]}
        return json.dumps(body, separators=(",", ":"))


def read(text: str) -> Where:
    """What `Where.written` wrote; the first stage where this version cannot read it."""
    try:
        body: dict[str, Any] = json.loads(text)
        found = Where(str(body["stage"]), str(body["name"]), tuple(map(from_json, body["moves"])))
    except (EngineError, ValueError, KeyError, TypeError):
        return Where(STAGES[0].key, clean_name(""))
    return found if found.stage in BY_KEY or not found.stage else Where(STAGES[0].key, found.name)


@dataclass(frozen=True, slots=True)
class Now:
    """What is to be done now, and how far that is."""

    task: Task
    seen: Seen
    since: int = 0
    """After how many moves of the stage the task came up."""
    before: str = ""
    """What was told of the task before."""

    @property
    def reached(self) -> bool:
        return self.seen.key in self.task.then

    @property
    def missed(self) -> bool:
        """Whether the aim cannot be reached any more."""
        return self.seen.key in self.task.missed

    def said(self, text: str) -> str:
        """A text of the task, with what it says of the position."""
        return text.format_map(self.seen.values)


def look(stage: Stage, first: State, after: Sequence[State], names: Lexicon) -> Now:
    """How far a stage is: its tasks are done one after the other, and what is decided stays so."""
    tasks, since, before = list(stage.tasks), 0, ""
    for count in range(len(after) + 1):
        attempt = Attempt(title(), first, tuple(after[:count]), names)
        now = Now(tasks[0], tasks[0].asks(attempt), since, before)
        while now.reached and len(tasks) > 1:
            since, before = count, now.said(now.task.then[now.seen.key])
            del tasks[0]
            now = Now(tasks[0], tasks[0].asks(attempt), since, before)
        if now.seen.key:
            break
    return now


class Guided:
    """One person's stage as they have played it: a `Scene`, in which they act for their seat alone."""

    def __init__(self, row: Guide, where: Where, first: State, moves: Sequence[Move], work: Work) -> None:
        self.row, self.where, self.stage = row, where, BY_KEY[where.stage]
        self.first, self.moves = first, tuple(moves)
        self.title, self.names = title(), {str(seat): name for seat, name in first.names.items()}
        latest, built = lately(self.title, moves, first)
        state = moves[-1].state if moves else first
        self.position = Position(self.title, state, row.revision, self.names, work, latest, built=built)
        self.now = look(self.stage, first, [one.state for one in moves], self.position.lexicon())

    id = PLACE

    @property
    def fresh(self) -> bool:
        """Whether the person has decided nothing since they were told what to do."""
        return not any(one.action.by == YOU and not one.automatic for one in self.moves[self.now.since :])

    def told(self) -> list[str]:
        """What happened since the person's last decision, that included."""
        names = self.position.lexicon()
        return [line for one in self.moves[len(without_last(self.moves)) :] for line in tell(one, names)]

    def seat_for(self, user: int) -> PlayerId:
        return YOU

    def seats_for(self, user: int) -> list[PlayerId]:
        """The same: they act for nobody else."""
        return [YOU]

    def viewer_for(self, user: int) -> PlayerId | None:
        """The same: they see what their seat sees."""
        return YOU


def without_last(moves: Sequence[Move]) -> tuple[Action, ...]:
    """The moves without the person's last decision and all that followed."""
    chosen = [number for number, one in enumerate(moves) if one.action.by == YOU and not one.automatic]
    return tuple(one.action for one in moves[: chosen[-1] if chosen else 0])


class GuidedGames:
    def __init__(self, store: Store, work: Work, thinkers: Thinkers) -> None:
        self.store, self.work, self.thinkers = store, work, thinkers
        self._kept: Cache[Guided] = Cache(KEPT)

    async def row(self, user: int) -> Guide | None:
        """What is kept of a person; None for one who has not begun."""
        return await self.store.guides.of_user(user)

    async def of(self, user: int) -> Guided | None:
        """Where the person is; None before they begin and once they are through."""
        row = await self.row(user)
        return None if row is None else await self._laid_out(row)

    async def go(self, user: int, stage: str, name: str) -> Guided | None:
        """Take the person to the beginning of a stage; None for the end. Raises Outdated if another press was first."""
        return await self._change(user, await self.row(user), Where(stage, clean_name(name)))

    async def back(self, one: Guided) -> Guided | None:
        """Take back the person's last decision. Raises Outdated."""
        return await self._change(one.row.user_id, one.row, replace(one.where, moves=without_last(one.moves)))

    async def _change(self, user: int, row: Guide | None, where: Where) -> Guided | None:
        try:
            return await self._laid_out(await self.store.guides.change(user, where.written(), row))
        except Stale as error:
            raise Outdated() from error

    async def move(self, one: Guided, actions: Sequence[Action], seen: int | None) -> Guided | None:
        """The person's actions of one press, and what the others answer. Raises Refused, BadAction, TableError."""
        if seen is not None and seen != one.row.revision:
            raise Outdated()
        moves = list(one.moves)
        for action in actions:
            await self._must_agree(moves[-1].state if moves else one.first, action)
            moves = await self.work.do(_grown, one.first, moves, action)
        moves = await self._answered(one, moves)
        where = replace(one.where, moves=tuple(made.action for made in moves))
        return await self._change(one.row.user_id, one.row, where)

    async def _must_agree(self, state: State, action: Action) -> None:
        """Raise what is wrong with a deal: the rules, or that the other side does not agree."""
        if (refused := await self.work.do(engine.judge, title(), state, action)) is not None:
            raise refused
        other = engine.consent(title(), state, action)
        if other in OTHERS and not await self.thinkers.agrees(_question(state, PlayerId(other)), action):
            raise TableError(NO_DEAL.format(OTHERS[str(other)]))

    async def _answered(self, one: Guided, moves: list[Move]) -> list[Move]:
        """The moves with the others' until the person is asked again, or the stage is decided."""
        for _ in range(MOST_ANSWERS):
            states, names = [made.state for made in moves], one.position.lexicon()
            now = await self.work.do(look, one.stage, one.first, states, names)
            up = engine.decision(title(), states[-1]).players
            if now.seen.key or not up or up[0] == YOU:
                break
            choice = await self.thinkers.choice(_question(states[-1], up[0]))
            moves = await self.work.do(_grown, one.first, moves, choice.action)
        return moves

    async def _laid_out(self, row: Guide) -> Guided | None:
        where, known = read(row.body), self._kept.get(row.user_id)
        if not where.stage:
            return None
        if known is not None and known.row == row:
            return known
        first, moves = await self.work.do(_played, where)
        made = Guided(row, where, first, moves, self.work)
        self._kept.put(row.user_id, made, 1)
        return made


def _question(state: State, seat: PlayerId) -> Thought:
    return Thought(title(), state, seat, SUBSTITUTE, SEED)


def _played(where: Where) -> tuple[State, list[Move]]:
    """The stage's first position and its moves. Those that the rules do not allow any more are left out."""
    stage = BY_KEY[where.stage]
    first = beginning(stage.game, stage.at).copy()
    first.names = {YOU: where.name, **{PlayerId(seat): other for seat, other in OTHERS.items()}}
    moves: list[Move] = []
    for action in where.moves:
        try:
            moves = _made(first, moves, action)
        except EngineError:
            break
    return first, moves


def _made(first: State, moves: Sequence[Move], action: Action) -> list[Move]:
    before = moves[-1].state if moves else first
    after = engine.apply(title(), before, action)
    if before is not first:
        follow(before, after)
    forced = isinstance(action, Pass) and must_pass(title(), before)
    note = FORCED if forced else None
    return [*moves, Move(len(moves) + 1, action, None, note, after, company_of(before))]


def _grown(first: State, moves: Sequence[Move], action: Action) -> list[Move]:
    """The moves with one more, and the passes that follow since nothing else can be done."""
    made = _made(first, moves, action)
    while not made[-1].state.over and must_pass(title(), made[-1].state):
        made = _made(first, made, Pass(engine.decision(title(), made[-1].state).players[0]))
    return made
