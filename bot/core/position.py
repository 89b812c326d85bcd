"""One position of a game as the bot needs it: legal actions and views, each computed once.

Everything slow runs in a worker thread, so the event loop never waits. What is foreseen of a game is foreseen once in a
`Stretch`, the present round in the present phase, from where it began.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import engine
from bot.core import passing
from bot.core.errors import Outdated
from bot.core.work import Work
from bot.words.consequences import Trial, consequences
from bot.words.labels import EXPLAINED, UNEXPLAINED, Labels, Payout, doubt, paid_run
from bot.words.lexicon import Lexicon, lexicon
from engine import CHANCE, Action, CorpId, Decision, Fact, HexId, PlayerId, Refused, State, Title
from engine.actions import Dividend, RunTrains
from engine.facts import DividendDecided, PriceMoved
from engine.ids import NOBODY
from engine.market import price
from engine.past import changed_hexes, moved_tokens
from engine.router import Best
from engine.secrets import hidden_purses, with_purses
from engine.steps.run import proposals
from engine.steps.track import lay_cost
from engine.viewing import Rows, board_view, market_view, route_views, table_view
from engine.views import BoardView, MarketView, RouteView, TableView
from opponents.forecast import course_of
from opponents.sight import seen

if TYPE_CHECKING:
    from renderer import Picture

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
MOST_TRIED = 100
"""How many actions are tried to say what they lead to, some 0.3 ms each: more than two lists hold."""


@dataclass(frozen=True, slots=True)
class ProposedRun:
    """A proposed set of routes: the action, its routes traced on the map, and the router's verdict."""

    action: RunTrains
    routes: tuple[RouteView, ...]
    best: Best
    legal: bool


class Position:
    """A state, with everything that has been asked about it so far."""

    def __init__(
        self,
        title: Title,
        state: State,
        seq: int,
        names: dict[str, str],
        work: Work,
        latest: Sequence[Fact] = (),
        *,
        built: Sequence[HexId] = (),
        local_names: bool = False,
        stretch: Stretch | None = None,
        reader: str | None = None,
    ) -> None:
        """`latest` is what happened in the last turn, which pictures highlight; `built` is where this one built.

        `local_names`: maps show place names in the local language. `stretch` is what it belongs to, by default its own.
        `reader`: see `Lexicon`.
        """
        self.local_names = local_names
        self.reader = reader
        self.changed = changed_hexes(latest)
        self.built = tuple(built)
        self.moved = moved_tokens(latest)
        self.title = title
        self.state = state
        self.stretch = stretch or Stretch(title, state)
        self.seq = seq
        self.names = names
        self.work = work
        self.decision: Decision = engine.decision(title, state)
        self.up = self.decision.players
        """The seats that must decide now."""
        self.over = bool(state.over)
        self.chance = self.up == (CHANCE,)
        self.pictures: dict[Hashable, asyncio.Task[Picture]] = {}
        """Drawn or being drawn, kept as long as the position lasts."""
        self.passed = False
        """Whether the table has moved on."""
        self.effort = 0
        """How many times the search for the best routes was extended."""
        self._actions: dict[str, asyncio.Task[tuple[Action, ...]]] = {}
        self._proposals: dict[tuple[str, int], asyncio.Task[tuple[ProposedRun, ...]]] = {}
        self._views: dict[Hashable, Any] = {}
        self._ahead: dict[tuple[Action, ...], Position] = {}

    @property
    def company(self) -> CorpId | None:
        """The company that the decision is about, in its turn or out of it."""
        subject = self.decision.subject
        return CorpId(subject) if subject and subject in self.title.corporations else self.state.operating

    @property
    def about(self) -> str:
        """The company that people read the decision is about; empty where it is about none."""
        names, subject = self.lexicon(), str(self.decision.subject or "")
        about = names.own.subjects.get((self.decision.step, subject), subject)
        return about if about in names.companies else ""

    async def actions(self, seat: str) -> tuple[Action, ...]:
        legal = await shared(self._actions, seat, lambda: self.work.do(_legal, self.title, self.state, PlayerId(seat)))
        if not self.effort:
            return legal
        better = [one.action for one in await self.proposals(seat) if one.legal]
        return (*better, *(action for action in legal if not isinstance(action, RunTrains)))

    async def proposals(self, seat: str, effort: int | None = None) -> tuple[ProposedRun, ...]:
        """The sets of routes proposed to the seat. More effort than before extends the search, for minutes perhaps.

        Raises Outdated if the table moved on before the search began.
        """
        effort = self.effort if effort is None else effort
        if seat not in self.up:
            return ()
        do = self.work.search if effort > self.effort else self.work.do
        proposed = await shared(self._proposals, (seat, effort), lambda: do(self._proposed, PlayerId(seat), effort))
        self.effort = max(self.effort, effort)
        return proposed

    async def choices(self) -> list[Action]:
        """Everything that those who must decide may do; what several of them may do is listed once."""
        distinct: dict[Action, Action] = {}
        for seat in self.up:
            for action in await self.actions(seat):
                distinct.setdefault(replace(action, by=NOBODY), action)
        return list(distinct.values())

    def _proposed(self, seat: PlayerId, effort: int) -> tuple[ProposedRun, ...]:
        title, state = self.title, self.state
        if self.passed and effort > self.effort:
            raise Outdated()
        if RunTrains not in engine.present_step(title, state).by_action:
            return ()
        proposed = []
        for run, best in proposals(title, state, seat, effort):
            routes = route_views(title, state, run.corp, run.routes)
            proposed.append(ProposedRun(run, routes, best, engine.judge(title, state, run) is None))
        return tuple(proposed)

    async def outlooks(self, seat: str) -> dict[Action, tuple[int, int]]:
        """For each possible dividend: what it pays per share, and the company's price afterwards."""
        kinds = [action for action in await self.actions(seat) if isinstance(action, Dividend)]
        return await self.work.do(_outlooks, self.title, self.state, kinds) if kinds else {}

    async def traced_labels(self, seat: str, viewer: str | None = None) -> Labels:
        """Labels that also say what the routes proposed to the seat earn."""
        proposed, names = [one for one in await self.proposals(seat) if one.legal], self.lexicon()
        return replace(
            self.labels(viewer),
            runs={one.action: one.routes for one in proposed},
            doubts={one.action: doubt(names, one.routes, one.best) for one in proposed if not one.best.proved},
        )

    async def full_labels(
        self, seat: str, viewer: str | None = None, told: Collection[type[Action]] = EXPLAINED
    ) -> Labels:
        """Labels that also say what the seat's routes and dividends earn, as far as the viewer may know.

        `told`: the kinds of choices of which it is told what they lead to.
        """
        return replace(
            await self.traced_labels(seat, viewer),
            outlooks=await self.outlooks(seat),
            foreseen=await self.foreseen(seat, viewer, told),
            payouts=await self.payouts(seat, viewer, told),
        )

    async def payouts(
        self, seat: str, viewer: str | None = None, told: Collection[type[Action]] = EXPLAINED
    ) -> tuple[Payout, ...]:
        """The best routes together with each dividend, where they are next; once no token is placed, with the first."""
        passes = await self.passes_to_run(seat)
        if passes is None:
            return ()
        at_run = await self.after(passes)
        best = next(iter(await at_run.proposals(seat)), None)
        if best is None or not best.legal or (passes and not best.best.proved):
            return ()
        then = await at_run.after([best.action])
        if (then.up, then.decision.subject) != (self.up, self.decision.subject):
            return ()
        labels = replace(then.labels(viewer), outlooks=await then.outlooks(seat))
        foreseen = await then.foreseen(seat, viewer, told)
        money = labels.names.money
        return tuple(
            Payout(
                best.action, one, paid_run(labels, one, declined=bool(passes)),
                f"price {money(labels.outlooks[one][1])}; {foreseen[one]}" if one in foreseen else "",
            )
            for one in [one for one in labels.outlooks if isinstance(one, Dividend)][: 1 if passes else None]
        )  # fmt: skip

    async def passes_to_run(self, seat: str) -> list[Action] | None:
        """What the seat declines to run trains next, nothing or a token; None where running is not next."""
        if seat not in self.up:
            return None
        return await self.work.do(passing.to_run, self.title, self.state, PlayerId(seat))

    async def after(self, actions: Sequence[Action]) -> Position:
        """The position as it would be after these actions. Raises Refused."""
        if not actions:
            return self
        kept = tuple(actions)
        if kept not in self._ahead:
            state = await self.work.do(_applied, self.title, self.state, kept)
            ahead = Position(
                self.title, state, self.seq, self.names, self.work, local_names=self.local_names, reader=self.reader
            )
            self._ahead[kept] = ahead
        return self._ahead[kept]

    async def foreseen(
        self, seat: str, viewer: str | None = None, told: Collection[type[Action]] = EXPLAINED
    ) -> dict[Action, str]:
        """What each of the seat's actions of these kinds leads to, in words, as far as the viewer may know."""
        tried = [action for action in await self.actions(seat) if type(action) in told][:MOST_TRIED]
        if not tried:
            return {}
        names, before = self.lexicon(), self.table(viewer)
        return await self.work.do(_foreseen, self.title, self.state, tried, viewer, before, names)

    async def outcome_of(self, action: Action) -> str:
        """What one action leads to, in words, as far as who takes it may know. Raises Refused and BadAction."""
        before, names = self.table(action.by), self.lexicon()
        found = await self.work.do(_foreseen, self.title, self.state, [action], action.by, before, names)
        return found[action]

    async def refusals(self, seat: str) -> list[Refused]:
        """What the seat might expect to do now and why it cannot, without the many tiles that do not fit."""
        who = PlayerId(seat)
        return await self.work.do(lambda: list(engine.refusals(self.title, self.state, who, without=UNEXPLAINED)))

    async def prospects(self, seat: str) -> tuple[passing.IfPassed, ...]:
        """What the seat's pass leads to and, where that is more, what follows if all pass. Raises Refused."""
        return await self.work.do(_prospects, self.title, self.state, PlayerId(seat))

    def board(self) -> BoardView:
        """The map, with the latest changes marked."""
        return self._view("board", lambda: board_view(self.title, self.state, self.changed))

    def market(self) -> MarketView:
        """The market, with the cells that moved tokens came from."""
        return self._view("market", lambda: market_view(self.title, self.state, self.moved))

    def table(self, viewer: str | None = None) -> TableView:
        """What the viewer may know, or without a viewer what everybody may know."""
        seat = None if viewer is None else PlayerId(viewer)
        return self._view(("table", viewer), lambda: table_view(self.title, self.state, seat))

    def lexicon(self) -> Lexicon:
        return self._view("lexicon", lambda: replace(lexicon(self.names, self.title), reader=self.reader))

    def labels(self, viewer: str | None = None) -> Labels:
        state, step = self.state, self.decision.step
        acted = state.bought or bool(state.sold_now) or (step == "track" and bool(state.lays))
        return Labels(
            self.lexicon(),
            self.table(viewer),
            self.market(),
            step,
            self.board(),
            self._costs(),
            self.title.tiles,
            acted,
            effort=self.effort,
            ends_turn=not self.over and passing.ends_turn(self.title, state),
        )

    def _costs(self) -> dict[str, int]:
        """What tiles cost the company whose turn it is, in the hexes that ask for money."""
        corp = self.state.operating
        if corp is None:
            return {}
        return {one.id: lay_cost(self.title, self.state, corp, one.id) for one in self.board().hexes if one.cost}

    def _view(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._views:
            self._views[key] = make()
        view: T = self._views[key]
        return view


async def shared(tasks: dict[K, asyncio.Task[T]], key: K, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What is made, once for all who ask for it under this key; what failed is made anew."""
    task = tasks.get(key)
    if task is None or failed(task):
        task = tasks[key] = asyncio.create_task(make())
    return await asyncio.shield(task)


def failed(task: asyncio.Task[Any]) -> bool:
    """Whether the task has ended without a result."""
    return task.done() and (task.cancelled() or task.exception() is not None)


def _outlooks(title: Title, state: State, kinds: Sequence[Dividend]) -> dict[Action, tuple[int, int]]:
    outlooks: dict[Action, tuple[int, int]] = {}
    for action in kinds:
        facts = engine.apply(title, state, action).facts
        paid = [fact.per_share for fact in facts if isinstance(fact, DividendDecided) and fact.corp == action.corp]
        moves = [fact.price for fact in facts if isinstance(fact, PriceMoved) and fact.corp == action.corp]
        outlooks[action] = (paid[0] if paid else 0, moves[0] if moves else price(title, state, action.corp))
    return outlooks


def _applied(title: Title, state: State, actions: Sequence[Action]) -> State:
    for action in actions:
        state = engine.apply(title, state, action)
    return state


def _foreseen(
    title: Title, state: State, actions: Sequence[Action], viewer: str | None, before: TableView, names: Lexicon
) -> dict[Action, str]:
    seat = None if viewer is None else PlayerId(viewer)
    found: dict[Action, str] = {}
    for action in actions:
        after = engine.apply(title, state, action)
        found[action] = consequences(Trial(action, before, Rows(title, after, seat), after.facts, names))
    return found


def _prospects(title: Title, state: State, seat: PlayerId) -> tuple[passing.IfPassed, ...]:
    first = passing.if_passed(title, state, seat)
    then = passing.if_all_passed(title, first, seat)
    return (first,) if then is None else (first, then)


def _legal(title: Title, state: State, seat: PlayerId) -> tuple[Action, ...]:
    return tuple(dict.fromkeys(engine.legal(title, state, seat)))


class Scene(Protocol):
    """Where somebody acts: the table of a game, or a line of moves that they try out from it."""

    @property
    def id(self) -> str:
        """What controls carry of it."""

    @property
    def title(self) -> Title:
        """The game's title, as it is played here."""

    @property
    def position(self) -> Position:
        """Where it stands."""

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat."""

    def seat_for(self, user: int) -> PlayerId:
        """The seat that the person acts for. Raises NotSeated."""

    def seats_for(self, user: int) -> list[PlayerId]:
        """The seats that an action may be meant for, the likeliest first, and last the one that is refused."""

    def viewer_for(self, user: int) -> PlayerId | None:
        """With whose knowledge the person looks; None for what everybody may know."""


class Stretch:
    """Positions of one round and phase, told by the first of them."""

    def __init__(self, title: Title, first: State) -> None:
        self.title = title
        self.first = first

    @cached_property
    def rounds(self) -> int:
        """Operating rounds to go, as far as everybody may know; 0 where nothing is known.

        That is so before a company is started, and where the bank never runs out or may come to: there a card says
        what is left to happen.
        """
        if not self.first.par or not self.title.policy.milestones.foreseeable(self.first):
            return 0
        hidden = hidden_purses(self.title, self.first, None)
        likely = seen(self.title, with_purses(self.first, hidden, self.title.cash // 2), None)
        return course_of(self.title, likely).rounds

    def reached(self, states: Sequence[State]) -> Stretch:
        """The stretch that these positions lead to: this one, as long as it lasts."""
        now, first = _stretch(states[-1]), states[-1]
        for state in reversed(states):
            if _stretch(state) != now:
                break
            first = state
        return self if first is self.first else Stretch(self.title, first)


def _stretch(s: State) -> tuple[str, int, int, int, bool]:
    return s.round, s.turn, s.or_number, s.phase, bool(s.par)
