"""Buying trains in 1890: the sales that an emergency allows, and what happens if they close the company itself."""

from dataclasses import replace

from engine.actions import BuyTrain, SellShares
from engine.ids import BANK
from engine.market import price
from engine.money import pay
from engine.state import State
from engine.steps import emergency, trains
from engine.steps.common import operator
from engine.title import Title, Verb
from engine.titles.t1890.companies import has_closed
from engine.titles.t1890.own import own
from engine.titles.t1890.ways import ways


def buy_train(t: Title, s: State, a: BuyTrain) -> None:
    """Buy the train, and what follows from it: a private that closes, the quake, the raids."""
    trains.buy_train(t, s, a)
    for effect in ways(t).after_train:
        effect(t, s, a)


def sell_for_train(t: Title, s: State, a: SellShares) -> None:
    """If the company that needs the train closes, all that was raised for it goes to the bank. {1890-EMR-08}"""
    corp = operator(s)
    s.own = replace(own(s), raised=own(s).raised + a.count * price(t, s, a.corp))
    emergency.sell_for_train(t, s, a)
    if has_closed(s, corp):
        pay(s, a.by, BANK, own(s).raised, "shares sold")


BUY_TRAIN = Verb(BuyTrain, trains.BUY_TRAIN.candidates, trains.BUY_TRAIN.guards, buy_train, open_ended=True)
SELL_FOR_TRAIN = replace(
    emergency.SELL_FOR_TRAIN.swap(emergency.no_president_changed, emergency.operator_keeps_president),
    perform=sell_for_train,
)
TRAINS = trains.TRAINS.swap(trains.BUY_TRAIN, BUY_TRAIN).swap(emergency.SELL_FOR_TRAIN, SELL_FOR_TRAIN)
