"""A live game: its log in memory, one lock, and the only ways to change it.

`submit` judges an action, stores it and its notice in one transaction, and only then adopts the new position.
Chance draws, moves of programs and passes without an alternative follow as rows of their own in the same
transaction. The position in memory is a cache: `load` makes it from the log, and `read_on` makes it anew when the
game's version tells that something was stored since.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import engine
from bot.core import clockwork, undoing
from bot.core.clock import Circumstances, about_late
from bot.core.errors import NotYourTurn, Outdated, TableError
from bot.core.loading import GoOn, RuleChange, load, snapshot_of
from bot.core.log import border_row, replayed, rows_of, told_instead, turning_row
from bot.core.moves import TABLE, How, Move, Note, TurnKey, events_in, final_scores, follow, lately, turn_key
from bot.core.notices import say_notice, turn_notice
from bot.core.opponents import seed_of
from bot.core.orders import Orders
from bot.core.outcome import cautious_turn, following, outcomes
from bot.core.position import Position
from bot.core.seated import Played
from bot.core.settings import TableSettings
from bot.core.thinking import Thought
from bot.core.work import Work
from bot.words.lexicon import listed
from bot.words.programs import broken_off
from bot.words.rule_changes import ended
from engine.actions import Action, EndGame, Pass
from engine.errors import LogMismatch
from engine.flow import finish
from engine.ids import PlayerId
from engine.log import Entry
from engine.state import State
from opponents import Level
from storage import ClockStep, Game, Notice, Ping, Row, Seat, Stale, Store

WAITS = "{} Nothing was done: the game is waiting for the bot's host."
KEEPS = "{} is back, and keeps the seat that was open."


@dataclass(frozen=True, slots=True)
class Occasion:
    """What brings about a write, besides its rows: the press, the offer that it accepts, and what else is told."""

    interaction: int | None = None
    accept: int | None = None
    also: tuple[Notice, ...] = ()


class Table(Played):
    """One running or finished game."""

    def __init__(
        self,
        store: Store,
        work: Work,
        game: Game,
        seats: Sequence[Seat],
        advance: Callable[[str], None] = lambda game: None,
        moved: Callable[[str], None] = lambda game: None,
    ) -> None:
        """`advance` is called with the game's id where it has come to what no person decides, or a program stopped.

        `moved` is called with it as soon as another position is the table's.
        """
        super().__init__(store, work, game, seats)
        self._advance = advance
        self._moved = moved
        self.lock = asyncio.Lock()
        self._holder: asyncio.Task[Any] | None = None
        self._reading = False
        """Whether it is being read on: its version is new then, and its position may be old."""
        self.undone: list[list[Move]] = []
        """What was taken back since the table was loaded and can be redone, the last one last."""
        self.change: RuleChange | None = None
        """What changed rules mean for the game, where it waits for the host of the bot to decide."""
        self.orders = Orders()

    @property
    def id(self) -> str:
        """The game's id, which controls carry."""
        return self.game.id

    @property
    def awaited(self) -> tuple[PlayerId, ...]:
        """Who must decide now; nobody while it waits to go on by itself, as the table has agreed."""
        return () if self.orders.pauses else self.position.up

    def waits_for(self, task: str = "") -> str:
        """Whom the game waits for, in words, and for which task."""
        if self.orders.pauses:
            return "its next round, as the table runs the game out"
        who = listed(self.position.lexicon().player(seat) for seat in self.position.up)
        return f"{who}: {task}" if task else who

    @property
    def thinking(self) -> PlayerId | None:
        """The seat of the opponent who must decide now; None where the game waits for others."""
        if self.game.status != "running" or self.position.over or self.change is not None:
            return None
        return next((seat for seat in self.awaited if self.opponent(seat) is not None), None)

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on without any person: an opponent must decide, or chance."""
        drawn = self.position.chance and self.game.status == "running" and self.change is None
        return drawn or self.thinking is not None

    def asks(self, seat: PlayerId, level: Level, state: State | None = None) -> Thought:
        """What an opponent would do in this seat now, or in an earlier position."""
        state = self.position.state if state is None else state
        return Thought(self.title, state, seat, level, seed_of(self.game.id, seat), self.levels)

    def seat_for(self, user: int) -> PlayerId:
        """The seat the person acts for, of those that must decide if one is theirs. Raises NotSeated."""
        return self.seat_among(user, self.position.up)

    def seats_for(self, user: int) -> list[PlayerId]:
        """The seats that an action of the person may be meant for: their own, or first one for which they host."""
        seat, mine = self.seat_for(user), self.seats_of(user)
        return [seat] if seat in mine or not mine else [seat, mine[0]]

    def viewer_for(self, user: int) -> PlayerId | None:
        """The person's own seat, of several one that must decide: what is offered there is meant for it."""
        mine = self.seats_of(user)
        return next((seat for seat in mine if seat in self.position.up), next(iter(mine), None))

    # Loading

    async def load(self, *, go_on: GoOn = "safe") -> RuleChange | None:
        """Make the position from the log; what changed rules mean for the game, or None. Raises what `loading` does."""
        loaded = await load(self, go_on)
        reading = loaded.reading
        self.game = replace(self.game, version=loaded.version)
        self.past, self.beginning = reading.past, reading.beginning
        self.entries, self.moves, self.undone = reading.entries, reading.moves, []
        self.orders, self.change = loaded.orders, loaded.waits
        self.tenures = await self.store.tenures.of_game(self.game.id)
        self._arrive(loaded.seq)
        return loaded.change

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """With the lock, for which whoever has it already need not wait."""
        if self._holder is asyncio.current_task():
            yield
            return
        async with self.lock:
            self._holder = asyncio.current_task()
            try:
                yield
            finally:
                self._holder = None

    @asynccontextmanager
    async def steady(self) -> AsyncIterator[None]:
        """Up to date, and changed by nobody else meanwhile; what is stored meanwhile is read on in the end."""
        async with self._alone():
            await self._catch_up()
            try:
                yield
            finally:
                await self._catch_up()

    async def read_on(self) -> None:
        """Take over what was stored since this copy was made. Raises what `load` raises."""
        if not await self._is_current() or self._reading:
            async with self._alone():
                await self._catch_up()

    async def _is_current(self) -> bool:
        return await self.store.version(self.game.id) == self.game.version

    async def _catch_up(self) -> None:
        if await self._is_current():
            return
        before, self._reading = self.game, True
        try:
            await self._read_again()
        except BaseException:
            self.game = before  # so that it is tried again
            raise
        finally:
            self._reading = False
        self._go_on_alone()

    def _go_on_alone(self) -> None:
        if self.goes_on or self.orders.halts:
            self._advance(self.game.id)

    async def _read_again(self) -> None:
        """The whole game if it has moved or other people sit here, otherwise only what is not in the log."""
        before, people = self.game, self.names
        self.game = await self.store.game(before.id)
        self.settings = TableSettings.read(self.game.settings)
        self.sit(await self.store.seats(before.id))
        if self.game.seq != self.position.seq or self.names != people or self.change is not None:
            await self.load()
            return
        self.orders = Orders.read(await self.store.orders.of_game(before.id), self.title, before.id)
        self.tenures = await self.store.tenures.of_game(before.id)
        if self.game.settings != before.settings:
            self._arrive(self.position.seq)

    def _written(self) -> None:
        """Note a write of our own to the version that this copy has."""
        self.game = replace(self.game, version=self.game.version + 1)

    def _arrive(self, seq: int) -> None:
        state = self._end_of(self.moves)
        latest, built = lately(self.title, self.moves, self.beginning)
        local = self.settings.names == "local"
        self.position.passed = True
        stretch = self.position.stretch.reached(self.states())
        self.position = Position(
            self.title, state, seq, self.names, self.work, latest, built=built, local_names=local, stretch=stretch
        )
        self._moved(self.game.id)

    # Acting

    async def submit(
        self,
        *actions: Action,
        user: int,
        seen: int | None = None,
        interaction: int | None = None,
        accept: int | None = None,
    ) -> Position:
        """Take the actions of one press, all of one seat, if `user` may and the rules allow them all.

        Returns the new position.

        Raises Outdated if the table is no longer at `seen`, NotYourTurn, NotSeated, Refused, BadAction, or
        a storage error.
        """
        async with self._alone():
            await self._catch_up()
            seq = self.position.seq
            cause = Occasion(interaction, accept)
            try:
                await self._submit(actions, user, seen, cause)
            except Outdated:
                if self.position.seq != seq or seen not in (None, seq):
                    raise
                await self._submit(actions, user, seen, cause)  # other settings or orders, same position
            return self.position

    async def _submit(self, actions: Sequence[Action], user: int, seen: int | None, cause: Occasion) -> None:
        self.check_seen(seen)
        seat = actions[0].by
        if cause.accept is None and not self.may_act(user, seat):
            raise self.not_seated(user)
        own = self.seats[seat].user_id == user
        note = await self._suggested(seat) if own else Note("host")
        if cause.accept is not None:
            note = Note("offer", cause.accept)
        await self._do(actions, user, note, cause)

    async def suggest(self, seat: PlayerId, interaction: int) -> None:
        """Note that the seat asks what to do now, so that its move says so. Raises Stale or Duplicate."""
        seq = self.position.seq
        await self.store.advice.give(self.game.id, seat, expected_seq=seq, interaction_id=interaction)

    async def _suggested(self, seat: PlayerId) -> Note | None:
        """That the seat was told what to do in this position, or in one that was taken back since; None if not."""
        last = self.moves[-1].seq if self.moves else 0
        return Note("suggested") if await self.store.advice.given(self.game.id, seat, last) else None

    async def decided(self, action: Action, *, seen: int) -> None:
        """Take what the opponent in its seat has decided. Raises Outdated, Refused, or a storage error."""
        async with self._alone():
            await self._catch_up()
            self.check_seen(seen)
            if self.thinking != action.by:
                raise Outdated()
            await self._do([action], self.seats[action.by].user_id, None, Occasion())

    async def play_ahead(self, action: Action, *, seen: int) -> None:
        """Make a person's move before the game begins for them. Raises Outdated, Refused, or a storage error."""
        async with self._alone():
            await self._catch_up()
            self.check_seen(seen)
            await self._do([action], None, Note("ahead"), Occasion())

    async def act_for(self, seat: PlayerId, how: Literal["pass", "bot"], *, seen: int | None = None, said: str) -> None:
        """Pass for a seat that is late, or let the bot play its turn cautiously; `said` is posted in the channel.

        Raises Outdated, TableError, or Refused where passing is not legal.
        """
        async with self._alone():
            await self._catch_up()
            self.check_seen(seen)
            if seat not in self.position.up:
                raise Outdated()
            cause = Occasion(also=(say_notice(said),))
            if how == "pass":
                await self._do([Pass(seat)], None, Note("voted"), cause)
                return
            orders = self._orders()
            position = self.position
            played = await self.work.do(cautious_turn, self.title, position.state, seat, position.seq + 1, orders)
            if not played:
                raise TableError("The bot has no cautious move to make here: only the player can decide.")
            await self._append(played, orders, cause)

    async def reclock(self, how: clockwork.Ticking | None = None, *, shows: bool = False) -> None:
        """Let the clock go on in the present turn, or change it; `shows`: the turn is shown anew with it."""
        async with self._alone():
            await self._catch_up()
            given = await clockwork.around(self.store, self.game, self.seats.values())
            taken = clockwork.on_move(self.key, given) if how is None else clockwork.step(how, given)
            await self.store.clocks.change(self.game.id, taken, [self.shown()] if shows else [])

    async def go_on(self) -> bool:
        """Make the moves that no person is asked for: of chance, and of programs that have waited long enough.

        Returns whether there were any. Raises Outdated.
        """
        async with self._alone():
            await self._catch_up()
            seats = self.orders.due(self.store.clock())
            if not seats and not self.position.chance:
                return False
            orders, done = self._orders(seats), list[Move]()
            orders.by_companies = True
            if self.change is None and not self.position.over:
                seq = self.position.seq + 1
                done = await self.work.do(lambda: list(following(self.title, self.position.state, seq, orders)))
            if done:
                await self._append(done, orders, Occasion())
            elif seats:
                around = await clockwork.around(self.store, self.game, self.seats.values())
                pings = self._settled(orders, around, still=True)
                owing = clockwork.also(clockwork.on_move(self.key, around), pings) if pings else None
                await self.keep(orders, clock=owing)
            return bool(done)

    async def end_here(self, *, moderator: int | None = None, interaction: int | None = None) -> None:
        """End the game where it stands, as all agreed or as a moderator does, which the channel is told.

        Also one that waits since rules changed.
        """
        how: How = "agreed" if moderator is None else "moderator"
        cause = Occasion(interaction, also=() if moderator is None else (say_notice(ended(moderator)),))
        async with self._alone():
            await self._catch_up()
            if self.change is not None:
                await self._end_waiting(moderator, cause)
            else:
                action = EndGame(PlayerId(next(iter(self.seats))))
                await self._do([action], moderator, Note(how), cause)

    async def _end_waiting(self, moderator: int | None, cause: Occasion) -> None:
        """End a game that cannot go on; what it shows is its result."""
        state, names = self.position.state.copy(), self.position.lexicon()
        finish(self.title, state, "agreed")
        before = len(self.past) + len(self.moves) + 1
        rows = await self.store.log(self.game.id)
        instead = await self.work.do(told_instead, self.moves, rows, names)
        row = border_row(self.title, state, {"ended": moderator}, instead)
        key = turn_key(self.title, [], state, before)
        self._reading = True  # until the position is the written one
        try:
            await self._write([row], state, key, cause, events=("turn", "end"))
            await self.load()
        finally:
            self._reading = False

    def shown(self, orders: Orders | None = None) -> Notice:
        """What shows the present turn in the channel; with these `orders`, if any are given."""
        return turn_notice(self.key if orders is None else _pausing(self._key_of(self.moves), orders))

    @property
    def key(self) -> TurnKey:
        return _pausing(self._key_of(self.moves), self.orders)

    def _key_of(self, moves: list[Move]) -> TurnKey:
        return turn_key(self.title, moves, self.beginning, len(self.past))

    def check_seen(self, seen: int | None) -> None:
        """Raise Outdated unless the table is at `seen`, and TableError while the game waits for the bot's host."""
        self.must_go_on()
        if seen is not None and seen != self.position.seq:
            raise Outdated()

    def must_be_asked(self, action: Action) -> None:
        """Raise NotYourTurn if the action is a pass of somebody who is not asked."""
        up = self.position.up
        if isinstance(action, Pass) and up and action.by in self.seats and action.by not in up:
            raise NotYourTurn.waits_for(self.names.get(seat, seat) for seat in up)

    def must_go_on(self) -> None:
        """Raise TableError while the game waits for the bot's host."""
        if self.change is not None:
            raise TableError(WAITS.format(self.change.sentence))

    async def _do(self, actions: Sequence[Action], user: int | None, note: Note | None, cause: Occasion) -> None:
        """Take the actions with what follows from them, store it all, and adopt the new position."""
        position, orders = self.position, self._orders()
        self.must_be_asked(actions[0])
        done = await self.work.do(outcomes, self.title, position.state, actions, user, note, position.seq + 1, orders)
        await self._append(done, orders, cause)

    async def _append(self, done: list[Move], orders: Orders, cause: Occasion) -> None:
        """Store new moves and the programs they leave, then adopt the new position."""
        moves, names = self.moves + done, self.position.lexicon()
        themselves = {one.action.by: None for one in done if one.note is None or one.note.how == "suggested"}
        keeps = [seat for seat in themselves if self.has_person(seat) and self.tenures.opening(seat) is not None]
        kept = (say_notice(KEEPS.format(names.player(seat))) for seat in keeps)
        await self._write(
            await self.work.do(rows_of, self.title, done, names),
            self._end_of(moves),
            self._key_of(moves),
            replace(cause, also=(*cause.also, *kept)),
            orders=orders,
            keeps=keeps,
            events=events_in(done),
            shown=self._shows(done[-1].state, orders),
        )
        self.entries += [Entry(one.seq, "action", one.action) for one in done]
        for one, state in zip(done, [self.position.state, *(one.state for one in done)], strict=False):
            follow(state, one.state)
        self.moves, self.undone = moves, []
        self._arrive(done[-1].seq)
        if keeps:
            self.tenures = await self.store.tenures.of_game(self.game.id)
        self._go_on_alone()

    def _shows(self, state: State, orders: Orders) -> bool:
        """Whether the channel is shown what moves have led to: what follows one another without a person, at once."""
        if TABLE in orders.waiting:
            return not orders.goes_on
        up = () if state.over else engine.decision(self.title, state).players
        alone = bool(up) and all(self.opponent(seat) is not None for seat in up)
        return self.thinking is None or not alone

    async def _write(
        self,
        rows: list[Row],
        state: State,
        key: TurnKey,
        cause: Occasion,
        *,
        orders: Orders | None = None,
        keeps: Sequence[str] = (),
        events: Sequence[str] = ("turn",),
        shown: bool = True,
    ) -> None:
        """Store the rows that lead to this turn, and the notices: those of its cause, then the one that shows it.

        `orders` are what the rows leave of the players' programs; they become the table's.
        """
        scores = final_scores(self.title, state)
        around = await clockwork.around(self.store, self.game, self.seats.values())
        orders = self._orders() if orders is None else orders
        pings = self._settled(orders, around)
        key, names = _pausing(key, orders), self.position.lexicon()
        told = [] if orders.broken_off is None else [say_notice(broken_off(orders.broken_off, names))]
        ended = scores is not None
        settled = [*map(about_late, self.seats), *(["end"] if ended else [])]
        status = "finished" if ended else ("running" if self.game.status == "finished" else None)
        try:
            await self.store.append(
                self.game.id,
                self.position.seq,
                rows,
                expected_version=self.game.version,
                interaction_id=cause.interaction,
                notices=[*cause.also, *told, *([turn_notice(key)] if shown else [])],
                accept=cause.accept,
                orders=orders.changes(self.orders),
                keeps=keeps,
                events=events,
                clear_votes_on=settled,
                status=status,  # type: ignore[arg-type]
                result=json.dumps(scores) if ended else None,
                snapshot=await self.work.do(snapshot_of, self.position.seq + len(rows), state),
                clock=clockwork.also(clockwork.on_move(key, around, redone=rows[0].kind == "redo"), pings),
            )
        except Stale as error:
            await self._catch_up()
            raise Outdated() from error
        if status is not None:
            self.game = replace(await self.store.game(self.game.id), version=self.game.version)
        self._written()  # last: from here on the copy passes for the newest
        self.orders = orders

    # Programs

    def _orders(self, released: Iterable[str] = ()) -> Orders:
        """A copy of the programs, to be changed by a press; `released` have waited long enough."""
        return self.orders.copy({seat: row.user_id for seat, row in self.seats.items()}, released)

    def _settled(self, orders: Orders, around: Circumstances, *, still: bool = False) -> list[Ping]:
        """Write down what stopped; and tell those by direct message who are told everything there."""
        now, names = self.store.clock(), self.position.lexicon()
        orders.settle(self.orders, now, still=still)
        return orders.pings(around, now, self.game.version, names)

    async def keep(
        self,
        orders: Orders,
        *,
        interaction: int | None = None,
        clock: ClockStep | None = None,
        notices: Sequence[Notice] = (),
        settles: Collection[str] = (),
    ) -> None:
        """Store programs that changed without a move, the rest as storage does. Raises Outdated if somebody moved."""
        changes = orders.changes(self.orders)
        turned = orders.pauses != self.orders.pauses
        if clock is None and turned:
            around = await clockwork.around(self.store, self.game, self.seats.values())
            clock = clockwork.on_move(_pausing(self._key_of(self.moves), orders), around)
        try:
            await self.store.orders.set(
                self.game.id,
                changes,
                expected_version=self.game.version,
                interaction_id=interaction,
                clock=clock,
                notices=notices,
                settles=settles,
            )
        except Stale as error:
            await self._catch_up()
            raise Outdated() from error
        self._written()
        self.orders = orders
        if turned:
            self._go_on_alone()

    # Undo and redo

    async def undo(
        self,
        *,
        user: int,
        seq: int | None = None,
        agreed: Collection[str] = (),
        interaction: int | None = None,
        seen: int | None = None,
    ) -> None:
        """Take back the decision in row `seq` and what followed, and tell the channel who took back whose.

        Without a row it is the last decision. Raises TableError unless those whose agreement it needs have `agreed`,
        and Outdated unless the table is at `seen`.
        """
        async with self._alone():
            await self._catch_up()
            self.check_seen(seen)
            back = undoing.last(self, user) if seq is None else undoing.turnback(self, user, seq)
            if set(back.asked) - set(agreed):
                raise TableError(undoing.NOT_FREE)
            kept, taken = self.moves[: back.kept], list(back.taken)
            body = {"to": kept[-1].seq if kept else 0}
            orders = self._orders()
            orders.undone(body["to"], taken)
            await self._turn_back("undo", body, kept, taken, user, interaction, agreed=back.asked, orders=orders)
            self.undone.append(taken)

    async def redo(self, *, user: int, interaction: int | None = None, seen: int | None = None) -> None:
        """Restore what the last undo took back, and tell the channel who did.

        Raises TableError for whoever may not, and Outdated unless the table is at `seen`.
        """
        async with self._alone():
            await self._catch_up()
            self.check_seen(seen)
            undo = await self.work.do(engine.last_undo, self.entries)
            if undo is None:
                raise TableError("There is nothing to redo.")
            moves = self.moves + self.undone[-1] if self.undone else await self._redone()
            turned = moves[len(self.moves) :]
            undoing.must_bring_back(self, user, turned, *await self.store.log(self.game.id, undo - 1, undo))
            orders = self._orders()
            await self.work.do(orders.redone, self.title, self.position.state, turned)
            await self._turn_back("redo", {}, moves, turned, user, interaction, orders=orders)
            del self.undone[-1:]

    async def _redone(self) -> list[Move]:
        """The moves after a redo of what was taken back before the table was loaded."""
        entries = [*self.entries, Entry(self.position.seq + 1, "redo")]
        rows = await self.store.log(self.game.id)
        try:
            return await self.work.do(replayed, self.title, self.beginning, entries, rows)
        except LogMismatch as error:
            raise TableError("The rules have changed since, so it cannot be redone.") from error

    async def _turn_back(
        self,
        kind: str,
        body: dict[str, Any],
        moves: list[Move],
        turned: list[Move],
        user: int,
        interaction: int | None,
        agreed: Sequence[PlayerId] = (),
        orders: Orders | None = None,
    ) -> None:
        """Store an undo or redo that leaves these moves in force, tell the channel, and adopt their position."""
        mine = self.seats_of(user)
        seq = self.position.seq + 1
        state = self._end_of(moves)
        row = turning_row(self.title, kind, body, state, mine[0] if mine else None, user)
        cause = Occasion(interaction, also=(say_notice(undoing.told(self, kind, turned, user, agreed)),))
        await self._write([row], state, self._key_of(moves), cause, orders=orders)
        self.entries.append(Entry(seq, kind, None, body.get("to")))
        self.moves = moves
        self._arrive(seq)
        self._go_on_alone()


def _pausing(key: TurnKey, orders: Orders) -> TurnKey:
    """The turn, which is the whole table's while that waits to go on as all have agreed."""
    return replace(key, players=(TABLE,)) if orders.pauses else key
