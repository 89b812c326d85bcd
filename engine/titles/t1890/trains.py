"""Buying trains in 1890: the sales that an emergency allows, and what happens if they close the company itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.actions import BuyTrain, GoBankrupt, SellShares
from engine.flow import possible
from engine.ids import BANK
from engine.market import down, price
from engine.money import pay
from engine.state import State
from engine.steps import trains
from engine.steps.common import operator
from engine.titles.t1890.companies import has_closed
from engine.titles.t1890.printed import CLOSING
from engine.titles.t1890.ways import ways
from engine.verbs import Guard, Verb

if TYPE_CHECKING:
    from engine.title import Title


def buy_train(t: Title, s: State, a: BuyTrain) -> None:
    trains.buy_train(t, s, a)
    for effect in ways(t).after_train:
        effect(t, s, a)


def sell_for_train(t: Title, s: State, a: SellShares) -> None:
    """If the company that needs the train closes, all that was raised for it goes to the bank. {1890-EMR-08}

    `state.own["raised"]` is the sum so far.
    """
    corp = operator(s)
    s.own["raised"] = s.own.get("raised", 0) + a.count * price(t, s, a.corp)
    trains.sell_for_train(t, s, a)
    if has_closed(s, corp):
        pay(s, a.by, BANK, s.own["raised"], "shares sold")


def no_sale_closes(t: Title, s: State, a: GoBankrupt) -> str | None:
    """A sale that closes the company ends its need, so it comes before bankruptcy."""
    for sale in possible(t, s, SELL_FOR_TRAIN, a.by):
        if isinstance(sale, SellShares) and sale.corp == a.corp:
            cell = t.market.cell(*down(t, s.cell[a.corp], sale.count))
            if cell is not None and cell.zone == CLOSING:
                return f"You can still sell {a.corp}, which closes it and ends its need of a train."
    return None


BUY_TRAIN = Verb(BuyTrain, trains.BUY_TRAIN.candidates, trains.BUY_TRAIN.guards, buy_train, open_ended=True)
SELL_FOR_TRAIN = Verb(
    SellShares,
    trains.SELL_FOR_TRAIN.candidates,
    trains.SELL_FOR_TRAIN.swap(trains.no_president_changed, trains.operator_keeps_president).guards,
    sell_for_train,
)
BANKRUPT = trains.BANKRUPT.plus(no_sale_closes)
TRAINS = (
    trains.TRAINS.swap(trains.BUY_TRAIN, BUY_TRAIN)
    .swap(trains.SELL_FOR_TRAIN, SELL_FOR_TRAIN)
    .swap(trains.BANKRUPT, BANKRUPT)
)
CITES: Mapping[Guard, str] = {
    trains.operator_keeps_president: "1890-EMR-05",
    no_sale_closes: "1890-EMR-08",
}
