"""Trying out: lines of moves that people keep privately for a game, laid out to be played on.

Nothing here reaches the game: a line is a row of its own in the database, its positions are made anew when needed, in
one thread of their own, and no more than a few dozen are kept in memory.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from random import SystemRandom

import engine
from bot.core import desks
from bot.core.errors import OVER, Outdated, TableError
from bot.core.keyed import Locks
from bot.core.moves import Move, lately, state_after, tell
from bot.core.position import Position
from bot.core.secrecy import may_try_out
from bot.core.table import Table
from bot.core.tables import Tables
from bot.core.work import Work
from bot.rooms.trying import line as plain
from bot.rooms.trying.line import Line, Parted, happened, played
from bot.words.lexicon import Lexicon, bold, clean_name
from bot.words.narration import TURN_ENDED
from engine import CHANCE, Action, EngineError, Fact, HexId, PlayerId, Refused, State, Title
from programs import Follow
from programs.following import cut
from renderer.cache import Cache
from storage import Branch, Stale

RANDOM = SystemRandom()
MOST_LINES = 8
"""How many lines a person keeps of a game."""
KEPT = 40
"""How many lines stay laid out in memory."""
GONE = "This line is no longer kept."
ENDED = "This line is no longer kept: what was tried out is dropped when the game ends."
OTHERS = " *Try out* in the game's newest message shows those that are."
NOTHING_OWN = "There is no move of yours ahead that a program could make."
WRONG_SUM = "The bank's money shows that they hold {} together; your figures add up to {}."
TOO_LITTLE = "{} has at least {}."
WHY = {
    "taken back": "the move after which it began was taken back.",
    "known": "after the same moves, the game stands differently from what it assumed.",
    "past": "everything in it has happened, and the game has gone on.",
    "rules": "it was made with another version of the rules.",
}
OTHERWISE = "the game went differently. In the line: {} In the game: {}"


class Dropped(TableError):
    """A line that the game has left behind, and why."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{bold(name)} was dropped: {why}")
        self.why = why


@dataclass(frozen=True, slots=True)
class Made:
    """A move of a line, without the position it led to: those are large, and made again when needed."""

    action: Action
    lines: tuple[str, ...]
    """The move as it is told; none where there is nothing to tell."""
    automatic: bool
    """Whether nobody chose it."""
    by_hand: bool
    """Whether no program makes it: it needs another's consent, or its player is not asked, or not alone."""


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """A line, played and compared with its game."""

    origin: State
    """The game's position where it begins."""
    first: State
    """The same with what it assumes."""
    moves: tuple[Made, ...]
    happened: int
    """How many of its moves the game has made."""
    there: State
    """The game's position after those."""
    now: State
    """The same as the line has it."""
    last: State
    """Where the line leads."""
    latest: tuple[Fact, ...]
    built: tuple[HexId, ...]
    """What pictures mark there, see `turns.lately`."""


class TryOut:
    """One line of one person, laid out: the position it leads to, and who may move in it, which is its owner alone."""

    def __init__(self, table: Table, branch: Branch, line: Line, laid: PlayedLine, work: Work) -> None:
        self.table, self.branch, self.line, self.laid = table, branch, line, laid
        self.moves, self.happened, self.first, self.now = laid.moves, laid.happened, laid.first, laid.now
        self.title, self.name, self.names = plain.opened(table.title), line.name, table.names
        self.seen = table.position.seq  # where its game stood when it was compared
        seq, local = branch.revision, table.settings.names == "local"
        self.position = Position(
            self.title, laid.last, seq, self.names, work, laid.latest, built=laid.built, local_names=local,
            reader=line.viewer or "",
        )  # fmt: skip

    @property
    def id(self) -> str:
        """What controls carry of it: the game and the number of the line."""
        return f"{self.branch.game}-{self.branch.id}"

    @property
    def ahead(self) -> tuple[Made, ...]:
        """The moves that the game has not made."""
        return self.moves[self.happened :]

    @property
    def assumed(self) -> dict[str, int]:
        """What is assumed to be in the hidden purses of players, and of companies that can have money."""
        return {
            holder: amount
            for holder, amount in self.line.assumed.items()
            if amount or holder in self.names or holder in self.first.floated
        }

    def to_follow(self) -> tuple[Action, ...]:
        """As much of what is ahead as a program can play for the owner; nothing if none of it is the owner's.

        What needs another's consent, or is done out of turn, is nothing that a program does.
        """
        mine = self.line.viewer
        taken = takewhile(lambda one: not (one.by_hand and one.action.by == mine), self.ahead)
        return cut(tuple(one.action for one in taken), mine or "")

    def seat_for(self, user: int) -> PlayerId:
        """The seat that is asked: its owner moves for all."""
        return PlayerId(self.position.up[0]) if self.position.up else PlayerId(next(iter(self.names)))

    def seats_for(self, user: int) -> list[PlayerId]:
        """Everybody, those that are asked first."""
        seat = self.seat_for(user)
        return [seat, *(PlayerId(one) for one in (*self.position.up, *self.names) if one != seat), seat]

    def viewer_for(self, user: int) -> PlayerId | None:
        """Nobody in particular: what its owner may not know is assumed, so everything lies open."""
        return None

    def tell(self, moves: Sequence[Made]) -> list[str]:
        who = self.position.lexicon().holder
        return [line for one in moves for line in one.lines or [TURN_ENDED.format(who(one.action.by))]]


class TryOuts:
    """Everybody's lines, laid out when they are asked for."""

    def __init__(self, tables: Tables, work: Work) -> None:
        self.tables = tables
        self.store = tables.store
        self.work = work
        self._kept: Cache[TryOut] = Cache(KEPT)
        self.beginning = Locks()
        """By game and person: whoever presses twice begins one line."""
        self._naming = Locks()
        """Likewise: no two lines that are begun in one moment have one name."""

    async def get(self, game: str, number: int, user: int) -> TryOut:
        """The person's line of this number, up to date with its game. Raises Dropped where that has left it."""
        table = await self.tables.get(game)
        table.must_not_be_abandoned()
        branch = await self.store.branches.get(number)
        if branch is None or (branch.game, branch.user_id) != (game, user):
            raise TableError(ENDED if table.position.over else GONE + OTHERS)
        return await self._laid_out(table, branch, user)

    async def of(self, table: Table, user: int) -> tuple[list[TryOut], list[str]]:
        """The person's lines of a game, the most recently changed first, and why others were dropped just now.

        A line without moves that the game has left is not worth a word. Raises TableError.
        """
        table.must_not_be_abandoned()
        kept, dropped = [], []
        for branch in await self.store.branches.of_user(table.id, user):
            line = plain.read(branch.body)
            if not _may_see(table, user, line):
                continue
            try:
                kept.append(await self._laid_out(table, branch, user))
            except Dropped as gone:
                if line is None or line.steps or gone.why != WHY["past"]:
                    dropped.append(str(gone))
        return kept, dropped

    async def begin(self, table: Table, user: int) -> TryOut:
        """A new line from where the game stands. Raises TableError and TooManyBranches."""
        _must_begin(table, user)
        position, seat = table.position, table.viewer_for(user)
        make = partial(plain.begin, table.title, position.state, seat, len(table.moves))
        return await self._named(table, user, make)

    async def relive(self, table: Table, start: int, user: int) -> TryOut:
        """A new line from where a game that is over stood after so many moves. Raises TableError, TooManyBranches."""
        if not table.position.over:
            raise TableError("This is possible once the game is over.")
        state = state_after(table.moves, start, table.beginning)
        return await self._named(table, user, partial(plain.relived, table.title, state, start))

    async def fork(self, one: TryOut) -> TryOut:
        """A new line with the same moves so far. Raises TooManyBranches."""
        return await self._named(one.table, one.branch.user_id, lambda name: replace(one.line, name=name))

    async def move(self, one: TryOut, actions: Sequence[Action], seen: int | None = None) -> TryOut:
        """Take the actions of one press, whosever they are. Raises Outdated, Refused, BadAction, TableError."""
        if seen is not None and seen != one.position.seq:
            raise Outdated()
        try:
            return await self._grow(one, actions, drawn=False)
        except Refused as no:
            said = one.position.lexicon().addressed(no.text, no.action.by)
            raise Refused(no.action, no.rule, said) from no

    async def draw(self, one: TryOut) -> TryOut:
        """Let chance decide. Raises TableError where it does not."""
        if not one.position.chance:
            raise TableError("Nothing is drawn now.")
        return await self._grow(one, [RANDOM.choice(await one.position.actions(CHANCE))], drawn=True)

    async def back(self, one: TryOut) -> TryOut:
        """Take back the last decision. Raises TableError."""
        steps = plain.back(one.line.steps)
        if not one.line.steps:
            raise TableError("There is no move to take back.")
        if len(steps) < one.happened:
            raise TableError("That move has been made in the game, so the line cannot be without it.")
        return await self._change(one, replace(one.line, steps=steps))

    async def rename(self, one: TryOut, name: str) -> TryOut:
        return await self._change(one, replace(one.line, name=clean_name(name, one.name)))

    async def assume(self, one: TryOut, amounts: Mapping[str, int]) -> TryOut:
        """The same moves with other money in hidden purses. Raises TableError, or Refused where they cannot be made."""
        names, state, line = one.position.lexicon(), one.laid.origin, one.line
        assumed = {**line.assumed, **{holder: amounts[holder] for holder in line.assumed if holder in amounts}}
        for holder, amount in assumed.items():
            if amount < plain.least(state, holder):
                raise TableError(TOO_LITTLE.format(names.holder(holder), names.money(plain.least(state, holder))))
        total = plain.together(one.table.title, state, line.viewer)
        if total is not None and sum(assumed.values()) != total:
            raise TableError(WRONG_SUM.format(names.money(total), names.money(sum(assumed.values()))))
        return await self._change(one, replace(line, assumed=assumed))

    async def follow(self, one: TryOut, seen: int, interaction: int) -> Follow:
        """Have a program play the owner's moves of the line, instead of another's. Raises as `desks.enable`."""
        moves = one.to_follow()
        if not moves:
            raise TableError(NOTHING_OWN)
        seat, program = moves[-1].by, Follow(name=one.name, moves=moves)
        await desks.enable(
            one.table, seat, program, instead=lambda it: isinstance(it, Follow), interaction=interaction, seen=seen
        )
        return program

    async def remove(self, table: Table, user: int, number: int) -> None:
        """Forget a line of the person's; one that is gone is no error."""
        mine = [one.id for one in await self.store.branches.of_user(table.id, user) if one.id == number]
        await self.store.branches.remove(table.id, mine)

    async def _grow(self, one: TryOut, actions: Sequence[Action], *, drawn: bool) -> TryOut:
        steps = await self.work.do(
            plain.grown, plain.tried(one.table.title), one.position.state, actions, plain.DRAWN if drawn else None
        )
        if len(one.ahead) + len(steps) > plain.MOST_STEPS:
            raise TableError(f"A line has at most {plain.MOST_STEPS} moves. *Back* takes the last one away.")
        return await self._change(one, replace(one.line, steps=(*one.line.steps, *steps)))

    async def _change(self, one: TryOut, line: Line) -> TryOut:
        """Keep the line as it is now. Raises Outdated if it was changed meanwhile."""
        line, laid = await self.work.do(_changed, one, line)
        try:
            branch = await self.store.branches.change(one.branch, plain.written(line))
        except Stale as error:
            raise Outdated() from error
        one.position.passed = True
        return self._keep(TryOut(one.table, branch, line, laid, self.work))

    async def _named(self, table: Table, user: int, make: Callable[[str], Line]) -> TryOut:
        """A new line, named by the first of "Line 1", "Line 2", ... that none of the person's lines has."""
        async with self._naming.of((table.id, user)):
            lines = [plain.read(one.body) for one in await self.store.branches.of_user(table.id, user)]
            taken = {line.name for line in lines if line is not None}
            names = (f"Line {number}" for number in range(1, MOST_LINES + 2))
            line = await self.work.do(make, next(name for name in names if name not in taken))
            branch = await self.store.branches.add(table.id, user, plain.written(line), most=MOST_LINES)
            return await self._laid_out(table, branch, user)

    async def _laid_out(self, table: Table, branch: Branch, user: int) -> TryOut:
        """The line up to date with its game. Raises Dropped, after which it is no longer kept."""
        known = self._kept.get(branch.id)
        if known is not None and known.branch != branch:
            known = None
        line = plain.read(branch.body) if known is None else known.line
        if not _may_see(table, user, line):
            raise TableError("This line cannot be opened: it was made in a seat that you do not have now.")
        if known is not None and (known.seen, known.table) == (table.position.seq, table):
            return known
        title, names = table.title, table.position.lexicon()
        found = await self.work.do(_compared, title, line, table.beginning, tuple(table.moves), names)
        if isinstance(found, str) or line is None:
            await self.store.branches.remove(table.id, [branch.id])
            raise Dropped("A line" if line is None else line.name, str(found))
        return self._keep(TryOut(table, branch, line, found, self.work))

    def _keep(self, one: TryOut) -> TryOut:
        self._kept.put(one.branch.id, one, 1)
        return one


def _must_begin(table: Table, user: int) -> None:
    """Raise TableError, which says why, if the person can begin no line."""
    table.must_go_on()
    if table.position.over:
        raise TableError(OVER)
    if not may_try_out(table, user):
        raise TableError("Money is hidden at this table, so only its players can try out.")


def may_begin(table: Table, user: int) -> bool:
    try:
        _must_begin(table, user)
    except TableError:
        return False
    return True


def _may_see(table: Table, user: int, line: Line | None) -> bool:
    """Whether the person still has the seat whose knowledge the line was made with."""
    return line is None or line.viewer is None or line.viewer in table.seats_of(user)


def _changed(one: TryOut, line: Line) -> tuple[Line, PlayedLine]:
    """The line as it is to be kept, and played. Raises what `engine.apply` raises."""
    old, names, title = one.laid, one.position.lexicon(), plain.tried(one.table.title)
    first = plain.first_state(line, old.origin)
    mine = played(title, first, line.steps)
    if one.happened <= plain.MOST_BEHIND:
        return line, _laid(one.title, names, old.origin, first, mine, one.happened, old.there)
    line = plain.shortened(one.table.title, line, mine, old.there, one.happened)
    first = plain.first_state(line, old.there)
    return line, _laid(one.title, names, old.there, first, played(title, first, line.steps), 0, old.there)


def _laid(
    title: Title, names: Lexicon, origin: State, first: State, mine: Sequence[Move], count: int, there: State
) -> PlayedLine:
    states = [first, *(one.state for one in mine)]
    made = tuple(
        Made(one.action, tuple(tell(one, names)), one.automatic, _by_hand(title, before, one.action))
        for one, before in zip(mine, states, strict=False)
    )
    latest, built = lately(title, mine, first)
    return PlayedLine(origin, first, made, count, there, states[count], states[-1], tuple(latest), built)


def _by_hand(title: Title, before: State, action: Action) -> bool:
    asked = engine.decision(title, before).players == (action.by,)
    return not asked or engine.consent(title, before, action) is not None


def _compared(
    title: Title, line: Line | None, beginning: State, moves: Sequence[Move], names: Lexicon
) -> PlayedLine | str:
    """The line, played and compared with the game; or why the game has left it."""
    if line is None:
        return WHY["rules"]
    if line.start > len(moves):
        return WHY["taken back"]
    origin = state_after(moves, line.start, beginning)
    first = plain.first_state(line, origin)
    try:
        mine = played(plain.tried(title), first, line.steps)
    except EngineError:
        return WHY["rules" if plain.mark(title, origin, line.viewer) == line.mark else "taken back"]
    count = happened(title, line, mine, beginning, moves)
    if not isinstance(count, Parted):
        return _laid(
            plain.opened(title), names, origin, first, mine, count, state_after(moves, line.start + count, beginning)
        )
    if count.how == "otherwise":
        both = (mine[count.at], moves[line.start + count.at])
        one, other = (" ".join(tell(each, names)) or "nothing." for each in both)
        return OTHERWISE.format(one, other)
    return WHY[count.how]
