"""What a decision card is made from: the position as its reader may know it, and actions tried in it.

Where money is hidden from the reader, the card is made from the same position with those purses full. So whatever is
counted, tried or refused for it is the same for rich and poor, and a card cannot give away what it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import engine
from bot.core.opponents import MARK
from bot.words.consequences import Trial
from bot.words.lexicon import Lexicon
from engine import Action, CorpId, PlayerId, State, Title
from engine.actions import RunTrains
from engine.secrets import hidden_purses, with_purses
from engine.title import Verb
from engine.viewing import Rows, table_view
from engine.views import BoardView, CompanyRow, PlayerRow, RouteView, TableView

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Asked:
    """One decision for one reader."""

    title: Title
    state: State
    """The position, with full purses where the reader may not know them."""
    view: TableView
    """As the reader may see it."""
    board: BoardView
    names: Lexicon
    viewer: PlayerId | None
    seat: PlayerId
    """Who must decide."""
    rounds: int
    """Operating rounds that are thought to be left; 0 where nothing is known yet."""
    run: RunTrains | None = None
    """The best routes, where the company may run."""
    routes: Sequence[RouteView] = ()
    """Those routes, traced on the map."""

    @property
    def corp(self) -> CorpId | None:
        """The company whose turn it is."""
        subject = engine.decision(self.title, self.state).subject
        return CorpId(subject) if subject and subject in self.title.corporations else self.state.operating

    @property
    def company(self) -> CompanyRow | None:
        """Its row, as the reader may see it."""
        return None if self.corp is None else self.view.company(self.corp)

    @property
    def player(self) -> PlayerRow:
        """The row of whoever must decide, as the reader may see it."""
        return self.view.player(self.seat)

    def money(self, amount: int) -> str:
        return self.names.money(amount)

    @property
    def is_you(self) -> bool:
        """Whether the card is read by whoever is asked."""
        return self.names.is_you(self.seat)

    def name(self, holder: str) -> str:
        """A player's plain name, or a company's letters; an opponent's without its mark, unless that is taken."""
        name = self.names.plain_player(holder)
        short = name.removesuffix(f" {MARK}")
        return name if short in self.names.names.values() else short

    def verb(self, kind: type[Action]) -> Verb | None:
        return engine.present_step(self.title, self.state).by_action.get(kind)

    def candidates(self, kind: type[A]) -> list[A]:
        """What is worth trying, legal or not."""
        verb = self.verb(kind)
        found = verb.candidates(self.title, self.state, self.seat) if verb else ()
        return [action for action in found if isinstance(action, kind)]

    def choices(self, kind: type[A]) -> list[A]:
        """What is legal, hidden money apart."""
        verb = self.verb(kind)
        found = engine.possible(self.title, self.state, verb, self.seat) if verb else ()
        return [action for action in found if isinstance(action, kind)]

    def tried(self, action: Action) -> Trial:
        after = engine.apply(self.title, self.state, action)
        return Trial(action, self.view, Rows(self.title, after, self.viewer), after.facts, self.names)

    def after(self, action: Action) -> Asked:
        """The decision for the same reader once the action is done."""
        state = engine.apply(self.title, self.state, action)
        return replace(self, state=state, view=table_view(self.title, state, self.viewer), run=None, routes=())

    def refusal(self, action: Action) -> str:
        """Why the action is not possible, if that is so however much is in the purses that the reader cannot see."""
        refused = engine.judge(self.title, self.state, action)
        hidden = hidden_purses(self.title, self.state, self.viewer)
        if refused is None or not hidden:
            return refused.text if refused else ""
        poor = engine.judge(self.title, with_purses(self.state, hidden, 0), action)
        return refused.text if poor is not None and poor.text == refused.text else ""

    def money_decides(self, action: Action) -> bool:
        """Whether the action is possible or not as there is more or less in the purses that the reader cannot see."""
        return engine.judge(self.title, self.state, action) is not None and not self.refusal(action)

    def common_refusal(self, actions: Sequence[Action]) -> tuple[str, ...]:
        """Why none of the actions is possible, if that is so of all for one reason; nothing otherwise."""
        reasons = {self.refusal(action) for action in actions}
        return tuple(reasons) if len(reasons) == 1 and "" not in reasons else ()
