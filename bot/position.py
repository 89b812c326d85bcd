"""One position of a game as the bot needs it: legal actions and views, each found once and kept.

Everything slow is awaited in a worker thread, so that the event loop never waits.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import engine
from bot.errors import Passed
from bot.labels import Labels, doubt
from bot.lexicon import Lexicon, lexicon
from bot.menus import RAISES, SPENDS, SPENDS_OWN
from engine.actions import Action, Dividend, RunTrains
from engine.board.router import Best
from engine.facts import DividendDecided, Fact, PriceMoved, TileLaid, TokenPlaced
from engine.ids import CHANCE, CorpId, HexId, PlayerId, split_stop
from engine.market import price
from engine.state import State
from engine.steps.run import proposals
from engine.title import Title
from engine.verbs import Decision
from engine.viewing import board_view, market_view, route_views, table_view
from engine.views import BoardView, MarketView, RouteView, TableView

T = TypeVar("T")


class Work:
    """Runs functions in worker threads."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self._searching = asyncio.Lock()

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *args)

    async def search(self, function: Callable[..., T], *args: Any) -> T:
        """The same for what may take minutes: one at a time, in a thread of its own that ends with the program."""
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(function(*args))
            except BaseException as error:
                done.set_exception(error)

        async with self._searching:
            done.set_running_or_notify_cancel()
            threading.Thread(target=run, name="search", daemon=True).start()
            return await asyncio.wrap_future(done)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A set of routes that is proposed, traced, and what the router knows of it."""

    action: RunTrains
    routes: tuple[RouteView, ...]
    best: Best
    legal: bool


class Position:
    """A state with what was asked about it so far."""

    def __init__(
        self,
        title: Title,
        state: State,
        seq: int,
        names: dict[str, str],
        work: Work,
        latest: Sequence[Fact] = (),
        *,
        local_names: bool = False,
    ) -> None:
        """`latest` is what happened in the last turn, to be marked in pictures.

        `local_names`: maps show the places' names in their own language.
        """
        self.local_names = local_names
        self.changed = changed_hexes(latest)
        self.moved = moved_tokens(latest)
        self.title = title
        self.state = state
        self.seq = seq
        self.names = names
        self.work = work
        self.decision: Decision = engine.decision(title, state)
        self.kept: dict[Any, Any] = {}
        """Whatever else is worth keeping for as long as the position lasts: pictures, for instance."""
        self.passed = False
        """Whether the table has moved on."""
        self.effort = 0
        """How often the search for the best routes has gone on."""
        self._actions: dict[str, asyncio.Task[tuple[Action, ...]]] = {}
        self._proposals: dict[tuple[str, int], asyncio.Task[tuple[Proposal, ...]]] = {}
        self._views: dict[Any, Any] = {}

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    @property
    def up(self) -> tuple[PlayerId, ...]:
        """The seats that must decide now."""
        return self.decision.players

    @property
    def chance(self) -> bool:
        return self.up == (CHANCE,)

    async def actions(self, seat: str) -> tuple[Action, ...]:
        """Everything that the seat may do now."""
        task = self._actions.get(seat)
        if task is None or _failed(task):
            task = asyncio.create_task(self.work.do(_legal, self.title, self.state, PlayerId(seat)))
            self._actions[seat] = task
        found = await asyncio.shield(task)
        if not self.effort:
            return found
        better = [one.action for one in await self.proposals(seat) if one.legal]
        return (*better, *(action for action in found if not isinstance(action, RunTrains)))

    async def proposals(self, seat: str, effort: int | None = None) -> tuple[Proposal, ...]:
        """The sets of routes proposed to the seat. A greater effort than so far searches on, which may take minutes.

        Raises Passed if the table moved on before the search began.
        """
        effort = self.effort if effort is None else effort
        if seat not in self.up:
            return ()
        task = self._proposals.get((seat, effort))
        if task is None or _failed(task):
            do = self.work.search if effort > self.effort else self.work.do
            task = asyncio.create_task(do(self._proposed, PlayerId(seat), effort))
            self._proposals[seat, effort] = task
        found = await asyncio.shield(task)
        self.effort = max(self.effort, effort)
        return found

    async def choices(self) -> list[Action]:
        """Everything that those who must decide may do, what several may do once."""
        found: dict[Action, Action] = {}
        for seat in self.up:
            for action in await self.actions(seat):
                found.setdefault(replace(action, by=PlayerId("")), action)
        return list(found.values())

    def _proposed(self, seat: PlayerId, effort: int) -> tuple[Proposal, ...]:
        title, state = self.title, self.state
        if self.passed and effort > self.effort:
            raise Passed()
        if RunTrains not in engine.present_step(title, state).by_action:
            return ()
        found = []
        for run, best in proposals(title, state, seat, effort):
            routes = route_views(title, state, run.corp, run.routes)
            found.append(Proposal(run, routes, best, engine.judge(title, state, run) is None))
        return tuple(found)

    async def outlooks(self, seat: str) -> dict[Action, tuple[int, int]]:
        """What each dividend that the seat may decide pays a share, and the company's price after it."""
        kinds = [action for action in await self.actions(seat) if isinstance(action, Dividend)]
        return await self.work.do(_outlooks, self.title, self.state, kinds) if kinds else {}

    async def told(self, seat: str, viewer: str | None = None) -> Labels:
        """Labels that also say what routes and dividends of the seat bring, for what the viewer may know."""
        proposed, names = [one for one in await self.proposals(seat) if one.legal], self.lexicon()
        return replace(
            self.labels(viewer),
            runs={one.action: one.routes for one in proposed},
            doubts={one.action: doubt(names, one.routes, one.best) for one in proposed if not one.best.proved},
            outlooks=await self.outlooks(seat),
        )

    def board(self) -> BoardView:
        return self._view("board", lambda: board_view(self.title, self.state, self.changed))

    def market(self) -> MarketView:
        return self._view("market", lambda: market_view(self.title, self.state, self.moved))

    def table(self, viewer: str | None = None) -> TableView:
        """What the viewer may know; without a viewer what everybody knows."""
        seat = None if viewer is None else PlayerId(viewer)
        return self._view(("table", viewer), lambda: table_view(self.title, self.state, seat))

    def lexicon(self) -> Lexicon:
        return self._view("lexicon", lambda: lexicon(self.names, self.board(), self.table(), self.title.wording))

    def labels(self, viewer: str | None = None) -> Labels:
        """Labels for what the viewer may know."""
        acted = self.state.bought or bool(self.state.sold_now)
        return Labels(self.lexicon(), self.table(viewer), self.market(), self.decision.step, acted)

    def secret(self) -> frozenset[type[Action]]:
        """Kinds of action whose choices would tell the public money that is hidden from it."""
        hidden: frozenset[type[Action]] = frozenset()
        if any(row.operating and row.treasury is None for row in self.table().companies):
            hidden |= SPENDS | RAISES
        if self.cash_hidden():
            hidden |= SPENDS_OWN if self.decision.subject is None else SPENDS_OWN | RAISES
        return hidden

    def standing(self) -> frozenset[type[Action]]:
        """Kinds of which the public is shown that the step has them, though not whether anything can be paid."""
        step = engine.present_step(self.title, self.state) if self.up else None
        return SPENDS_OWN & set(step.by_action) if step and self.cash_hidden() else frozenset()

    def cash_hidden(self) -> bool:
        """Whether the money of whoever is asked is hidden from the public."""
        return any(row.cash is None for row in self.table().players)

    def _view(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._views:
            self._views[key] = make()
        view: T = self._views[key]
        return view


def changed_hexes(facts: Iterable[Fact]) -> tuple[HexId, ...]:
    """Where tiles and tokens were put."""
    found: dict[HexId, None] = {}
    for fact in facts:
        if isinstance(fact, TileLaid):
            found[fact.hex] = None
        elif isinstance(fact, TokenPlaced):
            found[split_stop(fact.stop)[0]] = None
    return tuple(found)


def moved_tokens(facts: Iterable[Fact]) -> tuple[tuple[CorpId, tuple[int, int]], ...]:
    """Companies whose price moved, with the cell that they came from."""
    first: dict[CorpId, tuple[int, int]] = {}
    for fact in facts:
        if isinstance(fact, PriceMoved):
            first.setdefault(fact.corp, fact.source)
    return tuple(first.items())


def _failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _outlooks(title: Title, state: State, kinds: Sequence[Dividend]) -> dict[Action, tuple[int, int]]:
    found: dict[Action, tuple[int, int]] = {}
    for action in kinds:
        facts = engine.apply(title, state, action).facts
        paid = [fact.per_share for fact in facts if isinstance(fact, DividendDecided) and fact.corp == action.corp]
        moves = [fact.price for fact in facts if isinstance(fact, PriceMoved) and fact.corp == action.corp]
        found[action] = (paid[0] if paid else 0, moves[0] if moves else price(title, state, action.corp))
    return found


def _legal(title: Title, state: State, seat: PlayerId) -> tuple[Action, ...]:
    return tuple(dict.fromkeys(engine.legal(title, state, seat)))
