"""One position of a game as the bot needs it: legal actions and views, each found once and kept.

Everything slow is awaited in a worker thread, so that the event loop never waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any, TypeVar

import engine
from bot.labels import Labels
from bot.lexicon import Lexicon, lexicon
from bot.menus import RAISES, SPENDS, SPENDS_OWN
from engine.actions import Action, Dividend, Pass, RunTrains
from engine.facts import DividendDecided, Fact, PriceMoved, TileLaid, TokenPlaced
from engine.ids import CHANCE, CorpId, HexId, PlayerId, split_stop
from engine.market import price
from engine.state import State
from engine.title import Title
from engine.verbs import Decision
from engine.views import (
    BoardView,
    MarketView,
    RouteView,
    TableView,
    board_view,
    market_view,
    route_views,
    table_view,
)

T = TypeVar("T")


class Work:
    """Runs functions in worker threads."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self.executor, function, *args)


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
        self._actions: dict[str, asyncio.Task[tuple[Action, ...]]] = {}
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
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self.work.do(_legal, self.title, self.state, PlayerId(seat)))
            self._actions[seat] = task
        return await asyncio.shield(task)

    async def choices(self) -> list[Action]:
        """Everything that those who must decide may do, what several may do once."""
        found: dict[Action, Action] = {}
        for seat in self.up:
            for action in await self.actions(seat):
                found.setdefault(replace(action, by=PlayerId("")), action)
        return list(found.values())

    async def runs(self, seat: str) -> dict[Action, tuple[RouteView, ...]]:
        """The sets of routes that are proposed to the seat, traced."""
        runs = [action for action in await self.actions(seat) if isinstance(action, RunTrains)]
        return dict(zip(runs, await self.work.do(_drawn, self.title, self.state, runs), strict=True))

    async def outlooks(self, seat: str) -> dict[Action, tuple[int, int]]:
        """What each dividend that the seat may decide pays a share, and the company's price after it."""
        kinds = [action for action in await self.actions(seat) if isinstance(action, Dividend)]
        return await self.work.do(_outlooks, self.title, self.state, kinds) if kinds else {}

    async def told(self, seat: str, viewer: str | None = None) -> Labels:
        """Labels that also say what routes and dividends of the seat bring, for what the viewer may know."""
        return replace(self.labels(viewer), runs=await self.runs(seat), outlooks=await self.outlooks(seat))

    async def others_who_can_act(self) -> list[PlayerId]:
        """Seats that are not asked but may do something, such as using a private."""
        found = []
        for seat in self.state.players:
            if seat not in self.up and any(not isinstance(one, Pass) for one in await self.actions(seat)):
                found.append(seat)
        return found

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


def _drawn(title: Title, state: State, runs: Sequence[RunTrains]) -> list[tuple[RouteView, ...]]:
    return [route_views(title, state, run.corp, run.routes) for run in runs]


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
