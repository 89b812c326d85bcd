"""A random player who builds, runs and buys trains whenever possible, so that games come to the last phases."""

from __future__ import annotations

from random import Random

from engine import State, Title
from engine import actions as act
from engine.actions import Action
from records.simulate import WEIGHTS, varied

_WEIGHTS = {
    **WEIGHTS,
    act.Pass: 0.3,
    act.BuyPrivate: 30,
    act.Bid: 0.3,
    act.Par: 6,
    act.BuyShare: 12,
    act.SellShares: 0.05,
    act.TradePrivate: 0.002,
    act.CompanyBuysPrivate: 0.05,
    act.RunTrains: 50,
    act.LayTile: 30,
    act.LayPowerTile: 10,
    act.PlaceToken: 10,
    act.BuyTrain: 30,
    act.GoBankrupt: 0.01,
}


def eager(title: Title, state: State, options: list[Action], random: Random) -> Action:
    """One of these legal actions: it starts companies at high prices, pays out, and leaves others' trains alone."""
    options = [
        one for one in options if not (isinstance(one, act.BuyTrain) and one.source in title.corporations)
    ] or options
    kinds = list(dict.fromkeys(type(option) for option in options))
    kind = random.choices(kinds, [_WEIGHTS.get(kind, 1) for kind in kinds])[0]
    alike = _ambitious(title, [option for option in options if type(option) is kind])
    return varied(title, state, random.choice(alike), random)


def _ambitious(title: Title, alike: list[Action]) -> list[Action]:
    """The choices that bring the most money into the game."""
    first = alike[0]
    if isinstance(first, act.Dividend):
        return [one for one in alike if isinstance(one, act.Dividend) and one.kind == "pay"] or alike
    if isinstance(first, act.Par):
        price: dict[Action, int] = {
            one: cell.price
            for one in alike
            if isinstance(one, act.Par) and (cell := title.market.cell(one.row, one.col))
        }
        return [one for one in alike if price[one] == max(price.values())]
    return alike
