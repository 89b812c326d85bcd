"""Which card a decision gets, and what is at the foot of all of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import engine
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.company import (
    building_card,
    dividend_card,
    exchange_card,
    privates_card,
    run_card,
    trains_card,
)
from bot.rooms.turn.decision.shares import first_par_card, opening_card, shares_card, train_clock
from engine import actions as a
from engine.actions import Action
from engine.ids import OR
from engine.state import State
from engine.title import Title
from renderer.card import Card, CardRow, Detail, Section

Maker = Callable[[Asked], Card]
CARDS: tuple[tuple[frozenset[type[Action]], Maker], ...] = (
    (frozenset({a.RunTrains}), run_card),
    (frozenset({a.Dividend}), dividend_card),
    (frozenset({a.BuyTrain, a.DiscardTrain}), trains_card),
    (frozenset({a.LayTile, a.LayPowerTile, a.PlaceToken}), building_card),
    (frozenset({a.BuyShare, a.SellShares}), shares_card),
    (frozenset({a.Bid, a.BidToChoose, a.BuyPrivate}), opening_card),
    (frozenset({a.Par}), first_par_card),
    (frozenset({a.CompanyBuysPrivate}), privates_card),
    (frozenset({a.ExchangePrivate}), exchange_card),
)
"""The first line with an action of the step says which card it gets, whatever the title calls the step."""
ON_THE_MAP = (run_card, building_card)
"""Cards that go with the map."""


def maker(t: Title, s: State) -> Maker | None:
    """What makes the card of the present step; None for a step without one."""
    kinds = set(engine.present_step(t, s).by_action)
    return next((make for some, make in CARDS if some & kinds), None)


def card_of(asked: Asked) -> Card | None:
    """The card of the present step with where the game stands; None for a step without one."""
    make = maker(asked.title, asked.state)
    if make is None:
        return None
    card = make(asked)
    clock = train_clock(asked) if make is shares_card else ()
    standing = _standing(asked, titled=make is shares_card)
    facts = () if make is opening_card else (*clock, *standing)  # the bank is full in an opening
    foot = (Section((CardRow(facts=facts),)),) if facts else ()
    tells = asked.title.policy.milestones.reminder
    reminder = "" if make is run_card else tells(asked.title, asked.state)  # the map needs the room
    return replace(card, sections=(*card.sections, *foot), notes=(*card.notes, *filter(None, [reminder])))


def _standing(asked: Asked, *, titled: bool) -> Iterator[Detail]:
    """The round, unless it is the title, how long the game is thought to go on, and what is left of the bank."""
    view, round_ = asked.view, asked.title.rounds[asked.state.round]
    if not titled:
        yield Detail(round_.called.lower(), round_.number(asked.title, asked.state))
    what = "operating rounds to go" if titled or round_.name != OR else "to go"
    if asked.rounds:
        yield Detail(figure=f"about {asked.rounds}", behind=what) if asked.rounds > 1 else Detail("the last one")
    yield Detail("bank", view.bank_left, tone="alert" if view.bank_left == "broken" else "plain")
