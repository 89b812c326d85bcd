"""A decision as a player of the program is asked it: the position as the seat sees it, and what it may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine import BadAction, Refused, State, Title, apply, consent, decision, judge, legal
from engine import actions as act
from engine.actions import Action
from engine.ids import CorpId, PlayerId
from opponents.sight import seen
from opponents.weights import STANDARD, Weights

LEFT = 1
"""What a company keeps where its president says the price: with nothing at all it cannot even buy a train for next to
nothing of another of its president's, who then pays for one of the bank's."""


@dataclass(frozen=True, slots=True)
class Question:
    """Who is asked what, and the position as they see it."""

    t: Title
    s: State
    """As the seat sees it."""
    seat: PlayerId
    step: str
    corp: CorpId | None
    """The company whose turn it is, or that the decision is about."""
    options: tuple[Action, ...]
    """What the seat may do, without deals that another player would have to agree to."""
    w: Weights = STANDARD
    seed: int = 0
    """What the seat believes of what nobody knows comes of this."""

    def after(self, action: Action) -> State | None:
        """The position that the action leads to, as far as the seat can know; None where that cannot be tried."""
        try:
            after = apply(self.t, self.s, action)
        except (Refused, BadAction):
            return None
        return self._exchanged(after) if isinstance(action, act.ExchangePrivate) else after

    def _exchanged(self, after: State) -> State:
        """The position once what is only announced has happened, at the end of the company's turn."""
        s = self.s
        while (after.owner, after.president, after.operating) == (s.owner, s.president, s.operating):
            try:
                after = apply(self.t, after, act.Pass(self.seat))
            except Refused:
                break
        return after

    def is_auction(self) -> bool:
        """Whether privates, or the right to choose one, are bid for or bought in the opening round."""
        kinds = self.kinds()
        if act.Bid in kinds or act.BidToChoose in kinds:
            return True
        return self.s.round == self.t.opening and act.BuyPrivate in kinds and act.Par not in kinds

    def kinds(self) -> set[type[Action]]:
        """The kinds of action among the options."""
        return {type(option) for option in self.options}


def ask(t: Title, s: State, seat: PlayerId, weights: Weights = STANDARD, seed: int = 0) -> Question:
    """The decision that the seat is asked for in this position."""
    sight = seen(t, s, seat)
    asked = decision(t, s)
    allowed: Callable[[Action], bool] = (
        (lambda action: True) if sight is s else (lambda action: judge(t, s, action) is None)
    )
    options = tuple(
        action
        for action in legal(t, sight, seat)
        if not isinstance(action, act.EndGame) and consent(t, sight, action) is None and allowed(action)
    )
    if not options:
        options = tuple(action for action in legal(t, s, seat) if consent(t, s, action) is None)
    options = tuple(_leaving(t, s, option, options) for option in options)
    corp = CorpId(asked.subject) if asked.subject and asked.subject in t.corporations else s.operating
    return Question(t, sight, seat, asked.step, corp, options, weights, seed)


def _leaving(t: Title, s: State, action: Action, options: tuple[Action, ...]) -> Action:
    """The action; where a company would spend all it has on a deal with its president or another of his companies, at a
    price that leaves it `LEFT`."""
    if not isinstance(action, act.BuyTrain | act.CompanyBuysPrivate):
        return action
    if isinstance(action, act.BuyTrain) and action.source not in t.corporations:
        return action
    less = replace(action, price=action.price - LEFT)
    spent = action.price == s.cash[action.corp] and action.price > LEFT
    return less if spent and less not in options and judge(t, s, less) is None else action
