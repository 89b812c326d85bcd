"""A live game: its log in memory, one lock, and the only way in which anything happens to it.

`submit` judges an action, stores it with what is to be said about it in one transaction, and only then makes
the new position the table's. Draws of chance, standing passes and passes without an alternative follow in the
same transaction as rows of their own. The position in memory is a cache: `load` makes it again from the log.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import engine
from bot.errors import NotSeated, NotYourTurn, Passed, TableError
from bot.orders import Orders, cancelled_by
from bot.orders import body as order_body
from bot.people import clean_name
from bot.position import Position, Work
from engine.actions import Action, EndGame, Pass, from_json, to_json
from engine.errors import EngineError, LogMismatch
from engine.facts import GameEnded
from engine.ids import CHANCE, PlayerId
from engine.log import Entry
from engine.state import State
from engine.title import Title
from storage import Game, LogRow, Notice, Row, Seat, Stale, Store

CHANCE_BITS = secrets.SystemRandom()
AUTOMATIC = "auto"


@dataclass(frozen=True, slots=True)
class Told:
    """One action in force, who did it, and the position that it made."""

    seq: int
    action: Action
    user: int | None
    note: str | None
    state: State
    company: str = ""
    """The company whose turn it was."""

    @property
    def automatic(self) -> bool:
        """Done by the bot: a draw of chance or a standing pass."""
        return self.action.by == CHANCE or (self.note or "").startswith(AUTOMATIC)


class Table:
    """One running or finished game."""

    def __init__(self, store: Store, work: Work, game: Game, seats: Sequence[Seat]) -> None:
        self.store = store
        self.work = work
        self.game = game
        self.lock = asyncio.Lock()
        self.seats: dict[str, Seat] = {}
        self.sit(seats)
        self.settings: dict[str, Any] = json.loads(game.settings or "{}")
        self.title: Title = engine.build(game.title, len(self.seats), json.loads(game.options or "[]"))
        self.entries: list[Entry] = []
        self.told: list[Told] = []
        self.beginning: State = engine.start(self.title, [seat.name for seat in self.seats.values()])
        self.orders = Orders({})
        self.position = Position(self.title, self.beginning, 0, self.names, work)

    # Who sits here

    def sit(self, seats: Sequence[Seat]) -> None:
        self.seats = {f"p{seat.seat}": replace(seat, name=clean_name(seat.name)) for seat in seats}

    @property
    def names(self) -> dict[str, str]:
        return {seat: row.name for seat, row in self.seats.items()}

    def seats_of(self, user: int) -> list[PlayerId]:
        return [PlayerId(seat) for seat, row in self.seats.items() if row.user_id == user]

    def seat_for(self, user: int, *, asked: Sequence[str] | None = None) -> PlayerId:
        """The seat in which the person acts now: an own seat that is asked, an own seat, or one they host.

        Raises NotSeated, or NotYourTurn where the host may act only for who must decide.
        """
        asked = self.position.up if asked is None else asked
        mine = self.seats_of(user)
        for seat in mine:
            if seat in asked:
                return seat
        if mine and not self.hosts(user):
            return mine[0]
        if self.hosts(user) and asked and asked[0] in self.seats:
            return PlayerId(asked[0])
        if mine:
            return mine[0]
        raise NotSeated()

    def hosts(self, user: int) -> bool:
        """Whether the person may act for other seats: the host, where the table allowed it."""
        return bool(self.settings.get("host_acts")) and user == self.game.host_id

    def may_act(self, user: int, seat: str) -> bool:
        return seat in self.seats and (self.seats[seat].user_id == user or self.hosts(user))

    # Loading

    async def load(self) -> None:
        """Make the position from the log. Raises LogMismatch at the first entry that no longer fits."""
        rows = await self.store.log(self.game.id)
        self.orders = Orders.read(await self.store.orders.of_game(self.game.id))
        entries = [_entry(row) for row in rows]
        told = await self.work.do(_retell, self.title, self.beginning, entries, rows)
        self.entries, self.told = entries, told
        self._arrive(rows[-1].seq if rows else 0)

    async def refresh(self) -> None:
        """Read the game again where another process may have written."""
        self.game = await self.store.game(self.game.id)
        self.sit(await self.store.seats(self.game.id))
        await self.load()

    def _arrive(self, seq: int) -> None:
        state = self.told[-1].state if self.told else self.beginning
        start = turn_start(self.title, self.told, self.beginning)
        before = turn_start(self.title, self.told[:start], self.beginning)
        latest = [fact for one in self.told[before:] for fact in one.state.facts]
        local = self.settings.get("names") == "local"
        self.position.passed = True
        self.position = Position(self.title, state, seq, self.names, self.work, latest, local_names=local)

    # Acting

    async def submit(
        self,
        action: Action,
        *,
        user: int,
        seen: int | None = None,
        interaction: int | None = None,
        accept: int | None = None,
    ) -> Position:
        """Do the action if `user` may and the rules allow it; the new position.

        Raises Passed if the table is no longer at `seen`, NotYourTurn, NotSeated, Refused, BadAction, or
        what the storage raises.
        """
        async with self.lock:
            self._check_seen(seen)
            if accept is None and not self.may_act(user, action.by):
                raise NotSeated()
            note = None if self.seats[action.by].user_id == user else "by the host"
            if accept is not None:
                note = f"offer {accept} accepted"
            done = [await self._perform(action, self.position.state, user, note, self.position.seq + 1)]
            await self._append(done, interaction=interaction, accept=accept)
            return self.position

    async def begin(self) -> None:
        """Let chance draw what it must before the first decision."""
        async with self.lock:
            if self.position.chance:
                await self._append([], interaction=None)

    async def end_by_consent(self, *, seen: int, interaction: int | None = None) -> Position:
        """All seats agreed: end the game here."""
        async with self.lock:
            self._check_seen(seen)
            action = EndGame(PlayerId(next(iter(self.seats))))
            done = [await self._perform(action, self.position.state, None, "agreed by all", self.position.seq + 1)]
            await self._append(done, interaction=interaction)
            return self.position

    def _check_seen(self, seen: int | None) -> None:
        if seen is not None and seen != self.position.seq:
            raise Passed()

    async def _perform(self, action: Action, state: State, user: int | None, note: str | None, seq: int) -> Told:
        if action.by in self.seats and self.position.up and not isinstance(action, EndGame):
            self._check_turn(action)
        new = await self.work.do(engine.apply, self.title, state, action)
        return Told(seq, action, user, note, new, state.operating or "")

    def _check_turn(self, action: Action) -> None:
        """A friendlier word than the engine's where somebody passes or acts out of turn."""
        if isinstance(action, Pass) and action.by not in engine.decision(self.title, self.position.state).players:
            waiting = ", ".join(self.names.get(seat, seat) for seat in self.position.up)
            raise NotYourTurn(f"It is not your turn: the game waits for {waiting}.")

    async def _append(self, done: list[Told], *, interaction: int | None, accept: int | None = None) -> None:
        """Store the actions and what follows by itself, then take the new position."""
        before = self.position.state
        orders = self.orders.copy()
        for one in done:
            orders.drop(cancelled_by(one.action, one.state.facts, before, orders))
            before = one.state
        await self._follow(done, before, orders)
        last = done[-1]
        changed = orders.changes(self.orders)
        rows = [_row(one) for one in done]
        told = self.told + done
        await self._write(rows, told, interaction=interaction, accept=accept, orders=changed)
        self.entries += [Entry(one.seq, "action", one.action) for one in done]
        self.told = told
        self.orders = orders
        self._arrive(last.seq)

    async def _follow(self, done: list[Told], state: State, orders: Orders) -> None:
        """Draws of chance, standing and forced passes, one after the other, until a person has a choice."""
        seq = done[-1].seq if done else self.position.seq
        while not state.over:
            asked = engine.decision(self.title, state)
            if asked.players == (CHANCE,):
                choices = await self.work.do(_all_legal, self.title, state)
                action, note = CHANCE_BITS.choice(choices), f"{AUTOMATIC}: drawn by chance"
            elif (seat := orders.passes_now(asked, state)) is not None:
                action, note = Pass(seat), f"{AUTOMATIC}: standing pass"
                if await self.work.do(engine.judge, self.title, state, action) is not None:
                    return
            elif asked.subject is None and not self.title.policy.open_cash:
                return  # that nothing else can be done would tell what the player has
            elif await self.work.do(_must_pass, self.title, state):
                action, note = Pass(asked.players[0]), f"{AUTOMATIC}: nothing else to do"
            else:
                return
            seq += 1
            company = state.operating or ""
            state = await self.work.do(engine.apply, self.title, state, action)
            orders.passed(action, state)
            done.append(Told(seq, action, None, note, state, company))

    async def _write(
        self,
        rows: list[Row],
        told: list[Told],
        *,
        interaction: int | None,
        accept: int | None = None,
        orders: dict[str, str | None] | None = None,
    ) -> None:
        """Store the rows that make `told` the actions in force, and the notice of the turn that begins."""
        scores = final_scores(told)
        ended = scores is not None
        status = "finished" if ended else ("running" if self.game.status == "finished" else None)
        notices = [Notice(f"turn:{turn_key(self.title, told, self.beginning)}", "{}")]
        try:
            await self.store.append(
                self.game.id,
                self.position.seq,
                rows,
                interaction_id=interaction,
                notices=notices,
                accept=accept,
                orders=orders or {},
                clear_votes_on=("end",) if ended else (),
                status=status,  # type: ignore[arg-type]
                result=json.dumps(scores) if ended else None,
            )
        except Stale as error:
            await self.refresh()
            raise Passed() from error
        if status is not None:
            self.game = await self.store.game(self.game.id)

    async def set_order(self, seat: PlayerId, kind: str | None, *, interaction: int | None = None) -> None:
        """Set a standing pass ("once" or "round"), or end it with None."""
        async with self.lock:
            if kind is not None and seat in self.position.up:
                raise TableError("It is your turn now: pass with the button of the turn, or with `/pass`.")
            if kind is not None and self.position.over:
                raise TableError("The game is over.")
            body = None if kind is None else order_body(kind)
            await self.store.orders.set(self.game.id, seat, body, interaction_id=interaction)
            orders = self.orders.copy()
            orders.drop([seat])
            if kind is not None:
                orders.kinds[seat] = kind
            self.orders = orders

    # Undo and redo

    async def undo(self, *, user: int, interaction: int | None = None) -> list[Told]:
        """Take back the last decision of a person with what followed by itself; the actions taken back."""
        async with self.lock:
            keep = len(self.told)
            while keep and self.told[keep - 1].automatic:
                keep -= 1
            if not keep:
                raise TableError("There is nothing to take back.")
            if any(one.action.by == CHANCE for one in self.told[keep - 1 :]):
                raise TableError("A draw has been made since; it cannot be taken back.")
            last = self.told[keep - 1]
            self._check_undo(user, last)
            target = self.told[keep - 2].seq if keep > 1 else 0
            await self._turn_back("undo", {"to": target}, user, interaction)
            return [last]

    async def redo(self, *, user: int, interaction: int | None = None) -> None:
        """Bring back what the last undo took away."""
        async with self.lock:
            if not engine.can_redo(self.entries):
                raise TableError("There is nothing to bring back.")
            if not self.seats_of(user) and user != self.game.host_id:
                raise NotSeated()
            await self._turn_back("redo", {}, user, interaction)

    def _check_undo(self, user: int, last: Told) -> None:
        if user == self.game.host_id or self.seats[last.action.by].user_id == user or last.user == user:
            return
        if not self.seats_of(user):
            raise NotSeated()
        if self.settings.get("undo") != "anyone":
            who = self.names[last.action.by]
            raise TableError(f"The last move was {who}'s: only {who} or the host can take it back.")

    async def _turn_back(self, kind: str, body: dict[str, Any], user: int, interaction: int | None) -> None:
        mine = self.seats_of(user)
        row = Row(kind, json.dumps(body), by_seat=mine[0] if mine else None, by_user=user)
        seq = self.position.seq + 1
        entries = [*self.entries, Entry(seq, kind, None, body.get("to"))]
        known = {one.seq: one for one in self.told}
        live = engine.live_actions(entries)
        told = [known[entry.seq] for entry in live if entry.seq in known]
        if len(told) < len(live):
            rows = await self.store.log(self.game.id)
            told = await self.work.do(_retell, self.title, self.beginning, entries, rows)
        await self._write([row], told, interaction=interaction)
        self.entries, self.told = entries, told
        self._arrive(seq)


def turn_key(title: Title, told: Sequence[Told], beginning: State) -> str:
    """Names the turn that the last position belongs to: who is asked, for what, and since which action."""
    asked = engine.decision(title, told[-1].state if told else beginning)
    start = turn_start(title, told, beginning)
    return f"{'+'.join(asked.players) or 'over'}:{asked.round}:{asked.subject or ''}:{start}"


def turn_start(title: Title, told: Sequence[Told], beginning: State) -> int:
    """How many actions came before the present turn of whoever is asked."""
    states = [beginning, *(one.state for one in told)]
    asked = engine.decision(title, states[-1])
    index = len(states) - 1
    while index > 0:
        earlier = engine.decision(title, states[index - 1])
        if (earlier.players, earlier.round, earlier.subject) != (asked.players, asked.round, asked.subject):
            break
        if asked.subject is None and isinstance(told[index - 1].action, Pass):
            break
        index -= 1
    return index


def _entry(row: LogRow) -> Entry:
    body = json.loads(row.body)
    if row.kind == "action":
        return Entry(row.seq, "action", from_json(body))
    return Entry(row.seq, row.kind, None, body.get("to"))


def _row(one: Told) -> Row:
    return Row("action", json.dumps(to_json(one.action)), by_seat=one.action.by, by_user=one.user, note=one.note)


def _retell(title: Title, beginning: State, entries: list[Entry], rows: Sequence[LogRow]) -> list[Told]:
    """Replay the actions in force, keeping every position."""
    by_seq = {row.seq: row for row in rows}
    state, told = beginning, []
    for entry in engine.live_actions(entries):
        assert entry.action is not None
        company = state.operating or ""
        try:
            state = engine.apply(title, state, entry.action)
        except EngineError as error:
            raise LogMismatch(entry.seq, error) from error
        row = by_seq[entry.seq]
        told.append(Told(entry.seq, entry.action, row.by_user, row.note, state, company))
    return told


def _must_pass(title: Title, state: State) -> bool:
    """Whether the one seat that is asked can do nothing but pass."""
    asked = engine.decision(title, state).players
    if len(asked) != 1 or Pass not in engine.present_step(title, state).by_action:
        return False
    kinds = {type(action) for action in islice(engine.legal(title, state, asked[0]), 2)}
    return kinds == {Pass}


def _all_legal(title: Title, state: State) -> list[Action]:
    return list(engine.legal(title, state, CHANCE))


def final_scores(told: Sequence[Told]) -> dict[str, int] | None:
    """The final worth by seat, best first, once the game is over; None before."""
    if not told or not told[-1].state.over:
        return None
    ends = [fact for fact in told[-1].state.facts if isinstance(fact, GameEnded)]
    return dict(ends[-1].scores) if ends else {}
