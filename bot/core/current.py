"""What a process has of a game in memory, behind one lock: made from the log, and read on when something was stored.

It is a cache: `load` makes it, and `read_on` makes it anew when the game's version tells that another process, or
another part of this one, has written since. What writes itself is `table`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from bot.core.errors import NO_RESULT, Outdated, TableError
from bot.core.loading import GoOn, RuleChange, load
from bot.core.moves import TABLE, Move, TurnKey, lately, turn_key
from bot.core.notices import turn_notice
from bot.core.opponents import seed_of
from bot.core.orders import Orders
from bot.core.position import Position
from bot.core.seated import Played
from bot.core.table_settings import TableSettings
from bot.core.thinking import Thought
from bot.core.work import Work
from bot.words.lexicon import listed
from engine import PlayerId, State
from opponents import Level
from storage import Game, Notice, Seat, Store


class Current(Played):
    """A running or finished game, as far as this process has read its log."""

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
        return self.game.id

    @property
    def awaited(self) -> tuple[PlayerId, ...]:
        """Who must decide now; nobody while it waits for the bot's host, or to go on by itself, as all have agreed."""
        return () if self.orders.pauses or self.change is not None else self.position.up

    def waits_for(self, task: str = "") -> str:
        """Whom the game waits for, in words, and for which task."""
        if self.change is not None:
            return "the bot's host"
        if self.orders.pauses:
            return "its next round, as the table runs the game out"
        who = listed(map(self.whose, self.position.up))
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

    def seats_for(self, user: int) -> list[PlayerId]:
        """The seats that an action of the person may be meant for: their own, or first one for which they host."""
        seat, mine = self.seat_for(user), self.seats_of(user)
        return [seat] if seat in mine or not mine else [seat, mine[0]]

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
        """Up to date, with the lock, for which whoever has it already need not wait."""
        if self._holder is asyncio.current_task():
            await self._catch_up()
            yield
            return
        async with self.lock:
            self._holder = asyncio.current_task()
            try:
                await self._catch_up()
                yield
            finally:
                self._holder = None

    @asynccontextmanager
    async def steady(self) -> AsyncIterator[None]:
        """Up to date, and changed by nobody else meanwhile; what is stored meanwhile is read on in the end."""
        async with self._alone():
            try:
                yield
            finally:
                await self._catch_up()

    async def read_on(self) -> None:
        """Take over what was stored since this copy was made. Raises what `load` raises."""
        if not await self._is_current() or self._reading:
            async with self._alone():
                pass

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

    # Where it stands

    def shown(self, orders: Orders | None = None) -> Notice:
        """What shows the present turn in the channel; with these `orders`, if any are given."""
        return turn_notice(self.key if orders is None else pausing(self._key_of(self.moves), orders))

    @property
    def key(self) -> TurnKey:
        return pausing(self._key_of(self.moves), self.orders)

    def _key_of(self, moves: list[Move]) -> TurnKey:
        return turn_key(self.title, moves, self.beginning, len(self.past))

    def check_seen(self, seen: int | None) -> None:
        """Raise Outdated unless the table is at `seen`, and what `must_go_on` raises."""
        self.must_go_on()
        if seen is not None and seen != self.position.seq:
            raise Outdated()

    @property
    def stands_still(self) -> bool:
        """Whether it waits for the bot's host, or has ended without a result."""
        return self.change is not None or self.game.status == "abandoned"

    def must_go_on(self) -> None:
        """Raise TableError while the game waits for the bot's host, and once it has ended without a result."""
        self.must_not_be_abandoned()
        if self.change is not None:
            raise TableError(f"{self.change.sentence} Nothing was done: the game is waiting for the bot's host.")

    def must_not_be_abandoned(self) -> None:
        """Raise TableError once the game has ended without a result."""
        if self.game.status == "abandoned":
            raise TableError(NO_RESULT)


def pausing(key: TurnKey, orders: Orders) -> TurnKey:
    """The turn, which is the whole table's while that waits to go on as all have agreed."""
    return replace(key, players=(TABLE,)) if orders.pauses else key
