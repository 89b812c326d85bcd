"""What a decision's choices would reveal about hidden money, and what can be shown to everybody."""

from collections.abc import Sequence
from itertools import chain

import engine
from bot.core.position import Position
from bot.core.seated import Played
from bot.words.labels import CONTROLS, telling
from engine import BANK, Action, Refused, State, Title, possible
from engine.actions import BuyTrain, GoBankrupt, LayPowerTile, LayTile, Pass, PlaceToken
from engine.ids import Holder, PlayerId
from engine.secrets import PLENTY, hidden_purses, with_purses
from engine.steps.emergency import shortfall

Kinds = frozenset[type[Action]]
LISTED = (LayTile, BuyTrain)
"""Kinds whose choices the public is shown even where a treasury is hidden."""
PAID = (*LISTED, LayPowerTile, *telling("company"))
"""Kinds that a company pays for."""


def may_try_out(table: Played, user: int) -> bool:
    """Whether the person may lay the position out; without a seat only where no money is hidden."""
    return table.viewer_for(user) is not None or not hidden_purses(table.title, table.position.state, None)


def secret_kinds(position: Position) -> Kinds:
    """Kinds of action whose choices would reveal money that is hidden from the public."""
    hidden: Kinds = frozenset()
    if treasury_hidden(position):
        hidden |= telling("company", "sale")
    if cash_hidden(position):
        hidden |= telling("player") if position.decision.subject is None else telling("player", "sale")
    return hidden


async def public_choices(position: Position) -> list[Action]:
    """What those who must decide may do, as everybody may know it.

    Where a treasury is hidden, what it pays for is there as if it could pay for all, and a pass as if it could for
    nothing: who chooses what the money in it forbids is told so alone. So is a president whose own money is hidden.
    Nor does anybody else see that only bankruptcy is left: that stands beside the sales, which are shown privately.
    """
    choices = await position.choices()
    title, state, do = position.title, position.state, position.work.do
    if not treasury_hidden(position):
        if state.operating is None or not cash_hidden(position):
            return choices
        helped = await do(choices_with, title, state, BuyTrain, PLENTY, position.up)
        return [*helped, *(action for action in choices if not isinstance(action, BuyTrain | GoBankrupt))]
    rich = [await do(choices_with, title, state, kind) for kind in CONTROLS if kind in PAID]
    poor = await do(choices_with, title, state, Pass, 0)
    return [*chain(*rich), *(action for action in choices if not isinstance(action, (*PAID, Pass, GoBankrupt))), *poor]


async def public_places(position: Position) -> list[Action]:
    """The tokens, and the tiles of privates, that the company could place if it had the money."""
    offered = engine.present_step(position.title, position.state).by_action
    return [
        action
        for kind in (PlaceToken, LayPowerTile)
        if kind in offered  # most steps have neither, and need no worker
        for action in await position.work.do(choices_with, position.title, position.state, kind)
    ]


def choices_with(
    t: Title, s: State, kind: type[Action], amount: int = PLENTY, purses: Sequence[Holder] = ()
) -> list[Action]:
    """What the company whose turn it is could do of this kind with so much money, its own if no purses are named."""
    if s.operating is None:
        return []
    seat, filled = engine.decision(t, s).players[0], with_purses(s, purses or [s.operating], amount)
    verbs = [one for one in engine.present_verbs(t, s) if one.action is kind]
    return [action for verb in verbs for action in possible(t, filled, verb, seat)]


def unpaid(t: Title, s: State, kind: type[Action], hex_id: str = "") -> Refused | None:
    """What is said of the first choice of the kind, on that hex if one is named, that a company with more money had."""
    rich = (one for one in choices_with(t, s, kind) if not hex_id or getattr(one, "hex", "") == hex_id)
    return next(filter(None, (engine.judge(t, s, one) for one in rich)), None)


def may_pass(t: Title, s: State, seat: PlayerId) -> bool:
    """Whether the seat may pass, as everybody may know it: money that is hidden could oblige it to buy."""
    return engine.judge(t, with_purses(s, hidden_purses(t, s, None)), Pass(seat)) is None


def treasury_hidden(position: Position) -> bool:
    """Whether the money of the company whose turn it is is hidden, and cannot be told from what the bank has.

    If all other money lies open, what is missing from the bank is the company's.
    """
    rows = [row for row in position.table().companies if row.treasury is None]
    if not any(row.operating for row in rows):
        return False
    others = [row for row in rows if not row.operating and (row.floated or row.par is not None or row.privates)]
    return bool(others) or cash_hidden(position) or position.title.policy.companies.bank != BANK


def standing_kinds(position: Position) -> Kinds:
    """Kinds that the public is shown whether or not anything can be afforded: by the rich something could."""
    cash = cash_hidden(position)
    if not position.up or not (cash or treasury_hidden(position)):
        return frozenset()
    t, s = position.title, position.state
    poor = with_purses(s, hidden_purses(t, s, None), 0)
    forced = s.operating is not None and shortfall(t, poor, s.operating) > 0
    rich, kinds = with_purses(s, hidden_purses(t, s, None)), telling("player") if cash else frozenset()
    verbs = [one for one in engine.present_verbs(t, s) if one.action in kinds]
    bought = {one.action for one in verbs if any(possible(t, rich, one, position.up[0]))}
    sold = telling("sale") & set(engine.present_step(t, s).by_action) if forced else frozenset()
    return sold.union(bought)


def cash_hidden(position: Position) -> bool:
    """Whether the money of whoever must decide is hidden from the public."""
    return any(row.cash is None for row in position.table().players)
