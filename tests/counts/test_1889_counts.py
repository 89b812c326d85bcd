"""The number of legal actions in fixed positions. A surprise prints the counts below each action, to bisect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from tables import Table, table

from engine import State, Title, apply, decision, legal
from engine.action_json import to_json


def opening() -> Table:
    return table("1889", 3).opening()


def first_par() -> Table:
    return table("1889", 4).stock(turn=1).private(A="p1", B="p2", C="p3", D="p4", E="p1", F="p2", G="p3")


def trading() -> Table:
    board = table("1889", 4).par("AR", 90).par("SR", 65, at=(5, 0)).par("IR", 75).private(E="p1", B="p2")
    return board.shares("AR", p1=4, p2=2, pool=2).shares("SR", p2=5, p1=3).shares("IR", p3=3)


def first_tile() -> Table:
    return table("1889", 3, "open_treasuries").operating("AR")


def upgrades() -> Table:
    return (
        table("1889", 3).operating("KO").tile("J3", "9", 2).tile("I2", "6", 5).tile("K6", "9", 0).tile("K8", "6", 1)
        .par("AR").shares("AR", p2=5).phase("3").private(A="KO", F="p2").cash(KO=400)
    )  # fmt: skip


def brown() -> Table:
    return upgrades().phase("5").tile("J5", "58", 3)


def buying() -> Table:
    board = (
        table("1889", 3, "open_treasuries").operating("AR", "trains").trains("AR", "4").tile("K8", "57", 1).phase("6")
    )
    return board.par("SR").shares("SR", p2=5).trains("SR", "5", "6").market_trains("5", "4").cash(AR=1200)


def emergency() -> Table:
    board = table("1889", 3).operating("AR", "trains").tile("K8", "57", 1).phase("3").shares("AR", p1=5)
    return board.par("SR", 65).shares("SR", p2=4, p1=3).par("KO", 80).shares("KO", p1=7).cash(AR=20, p1=10)


COUNTS: list[tuple[Callable[[], Table], dict[str, int], int]] = [
    (opening, {"BuyPrivate": 1, "Bid": 30, "Pass": 1}, 1018),
    (first_par, {"Par": 42, "Pass": 1, "ExchangePrivate": 1, "LayPowerTile": 10}, 2112),
    (trading, {"BuyShare": 4, "Par": 24, "SellShares": 6, "Pass": 1, "ExchangePrivate": 1, "LayPowerTile": 10}, 498),
    (first_tile, {"LayTile": 7, "Pass": 1}, 168),
    (upgrades, {"LayTile": 19, "Pass": 1, "CompanyBuysPrivate": 3}, 142),
    (brown, {"LayTile": 16, "Pass": 1}, 19),
    (buying, {"BuyTrain": 13, "Pass": 1}, 278),
    (emergency, {"SellShares": 7}, 18),
]
"""Position, legal actions of all seats by kind, actions of whoever is asked after each action of the seat asked now."""


def counted(t: Title, s: State) -> dict[str, int]:
    return dict(Counter(type(action).__name__ for player in s.players for action in legal(t, s, player)))


def below(t: Title, s: State) -> dict[str, int]:
    """For each action of the seat that is asked, the number of actions of whoever is asked then."""
    (player,) = decision(t, s).players
    counts = {}
    for action in legal(t, s, player):
        after = apply(t, s, action)
        counts[str(to_json(action))] = sum(1 for seat in decision(t, after).players for _ in legal(t, after, seat))
    return counts


@pytest.mark.parametrize(("position", "wanted", "two"), COUNTS, ids=lambda value: getattr(value, "__name__", ""))
def test_number_of_legal_actions(position: Callable[[], Table], wanted: dict[str, int], two: int) -> None:
    t, s = position().build()
    assert counted(t, s) == wanted
    deeper = below(t, s)
    assert sum(deeper.values()) == two, "\n".join(f"{count:5} {action}" for action, count in deeper.items())
