"""A live game: the only ways to change it.

`submit` judges an action, stores it and its notice in one transaction, and only then adopts the new position.
Chance draws, moves of programs and passes without an alternative follow as rows of their own in the same
transaction. What is in memory is `current`.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import engine
from bot.core import clockwork, undoing
from bot.core.clock import Circumstances, about_late
from bot.core.current import Current, pausing
from bot.core.errors import CHANNEL_TAKEN, NotYourTurn, Outdated, TableError
from bot.core.loading import snapshot_of
from bot.core.log import border_row, replayed, rows_of, told_instead, turning_row
from bot.core.moves import TABLE, How, Move, Note, TurnKey, events_of, final_scores, follow, turn_key
from bot.core.notices import say_notice, turn_notice
from bot.core.orders import Orders
from bot.core.outcome import cautious_turn, following, outcomes
from bot.core.position import Position
from bot.words.programs import broken_off
from bot.words.rule_changes import ended
from engine import Action, Entry, LogMismatch, PlayerId, State
from engine.actions import EndGame, Pass
from engine.flow import finish
from storage import ClockStep, Notice, Ping, Row, Stale

ASKED = ("end", "runout", "pace", "settings")
"""The kinds of votes whose messages lose their buttons with the end: should it be taken back, all are asked anew."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What brings about a write, besides its rows: the press, the offer that it accepts, and what else is told."""

    interaction: int | None = None
    accept: int | None = None
    also: tuple[Notice, ...] = ()


class Table(Current):
    """A running or finished game, with all that changes it."""

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
            self.check_seen(seen)
            if self.thinking != action.by:
                raise Outdated()
            await self._do([action], self.seats[action.by].user_id, None, Occasion())

    async def play_ahead(self, action: Action, *, seen: int) -> None:
        """Make a person's move before the game begins for them. Raises Outdated, Refused, or a storage error."""
        async with self._alone():
            self.check_seen(seen)
            await self._do([action], None, Note("ahead"), Occasion())

    async def act_for(self, seat: PlayerId, how: Literal["pass", "bot"], *, seen: int | None = None, said: str) -> None:
        """Pass for a seat that is late, or let the bot play its turn cautiously; `said` is posted in the channel.

        Raises Outdated, TableError, or Refused where passing is not legal.
        """
        async with self._alone():
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
            given = await clockwork.around(self.store, self.game, self.seats.values())
            taken = clockwork.on_move(self.key, given) if how is None else clockwork.step(how, given)
            await self.store.clocks.change(self.game.id, taken, [self.shown()] if shows else [])

    async def go_on(self) -> bool:
        """Make the moves that no person is asked for: of chance, and of programs that have waited long enough.

        Returns whether there were any. Raises Outdated.
        """
        async with self._alone():
            seats = self.orders.due(self.store.clock())
            if not seats and not self.position.chance:
                return False
            orders, done = self._orders(seats), list[Move]()
            orders.by_companies = True
            if self.change is None and self.game.status == "running":
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
            await self._write([row], state, key, cause, orders=self._orders(), events=("turn", "end"))
            await self.load()
        finally:
            self._reading = False

    def must_be_asked(self, action: Action) -> None:
        """Raise NotYourTurn if the action is of somebody who is not asked, and of no kind that others may do, too."""
        up, verbs = self.position.up, engine.present_verbs(self.title, self.position.state)
        others_may = any(one.anybody and one.action is type(action) for one in verbs)
        if up and action.by in self.seats and action.by not in up and not others_may:
            raise NotYourTurn.waits_for(self.waits_for())

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
        kept = (say_notice(f"{names.player(seat)} is back, and keeps the seat that was open.") for seat in keeps)
        await self._write(
            await self.work.do(rows_of, self.title, done, names),
            self._end_of(moves),
            self._key_of(moves),
            replace(cause, also=(*cause.also, *kept)),
            orders=orders,
            keeps=keeps,
            events={event for one in done for event in events_of(one)},
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
        orders: Orders,
        keeps: Sequence[str] = (),
        events: Collection[str] = ("turn",),
        shown: bool = True,
    ) -> None:
        """Store the rows that lead to this turn, and the notices: those of its cause, then the one that shows it.

        `orders` are what the rows leave of the players' programs; they become the table's.
        """
        scores = final_scores(self.title, state)
        around = await clockwork.around(self.store, self.game, self.seats.values())
        pings = self._settled(orders, around)
        key, names = pausing(key, orders), self.position.lexicon()
        told = [] if orders.broken_off is None else [say_notice(broken_off(orders.broken_off, names))]
        ended = scores is not None
        settled = [*map(about_late, self.seats), *(ASKED if ended else [])]
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
            self.tenures = await self.store.tenures.of_game(self.game.id)  # of which none is proposed after the end
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
            clock = clockwork.on_move(pausing(self._key_of(self.moves), orders), around)
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

    async def must_have_its_channel(self) -> None:
        """Raise TableError if the game is over and another is in its channel by now, where it cannot go on."""
        here = await self.store.game_in_channel(self.game.channel_id) if self.position.over else None
        if here is not None and here.id != self.id and here.status in ("open", "running"):
            raise TableError(CHANNEL_TAKEN)

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
            self.check_seen(seen)
            await self.must_have_its_channel()
            back = undoing.last(self, user) if seq is None else undoing.turnback(self, user, seq)
            if set(back.asked) - set(agreed):
                raise TableError(undoing.NOT_FREE)
            kept, taken = self.moves[: back.kept], list(back.taken)
            body = {"to": kept[-1].seq if kept else 0}
            orders = self._orders()
            orders.undone(body["to"], taken)
            await self._turn_back("undo", body, kept, taken, user, interaction, orders, back.asked)
            self.undone.append(taken)

    async def redo(self, *, user: int, interaction: int | None = None, seen: int | None = None) -> None:
        """Restore what the last undo took back, and tell the channel who did.

        Raises TableError for whoever may not, and Outdated unless the table is at `seen`.
        """
        async with self._alone():
            self.check_seen(seen)
            undo = await self.work.do(engine.last_undo, self.entries)
            if undo is None:
                raise TableError("There is nothing to redo.")
            moves = self.moves + self.undone[-1] if self.undone else await self._redone()
            turned = moves[len(self.moves) :]
            undoing.must_bring_back(self, user, turned, *await self.store.log(self.game.id, undo - 1, undo))
            orders = self._orders()
            await self.work.do(orders.redone, self.title, self.position.state, turned)
            await self._turn_back("redo", {}, moves, turned, user, interaction, orders)
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
        orders: Orders,
        agreed: Sequence[PlayerId] = (),
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
