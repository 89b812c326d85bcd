"""Comparing the figures that a record states with those the rules give.

18xx.games trusts several figures in its records: a run's revenue and subsidy, the price of a sale. If they differ
from ours, the record is a different game from that action on, even if none of its actions is refused.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from engine import BANK, POOL, State, Title
from engine.actions import Route
from engine.board.routes import Run, follow
from engine.facts import PrivateSold, SharesMoved, TileLaid, TokenPlaced, TrainsRan
from engine.market import price
from records.shapes import Record, shown

Compare = Callable[[Title, State, Record, State], Iterator[str]]
"""Called with title, position before, recorded action and position after; yields a clause per difference."""


def differences(t: Title, before: State, recorded: Record, after: State) -> list[str]:
    """Where the recorded action states different figures from the rules', a clause each."""
    compare = _COMPARED.get(str(recorded.get("type")))
    return list(compare(t, before, recorded, after)) if compare else []


def _differs(t: Title, what: str, stated: Any, ours: int) -> Iterator[str]:
    if stated is not None and stated != ours:
        theirs = t.money(stated) if type(stated) is int else shown(stated)
        yield f"states {what} of {theirs}, where the rules give {t.money(ours)}"


def _par(t: Title, before: State, recorded: Record, after: State) -> Iterator[str]:
    stated, row, col = str(recorded["share_price"]).split(",")
    cell = t.market.cell(int(row), int(col))
    if cell is not None:
        yield from _differs(t, "a par", int(stated), cell.price)


def _bought_private(t: Title, before: State, recorded: Record, after: State) -> Iterator[str]:
    for fact in after.facts[:2]:  # the purchase itself; what it sets off comes later
        if isinstance(fact, PrivateSold):
            yield from _differs(t, "a price", recorded.get("price"), _listed(t, before, fact))


def _listed(t: Title, before: State, sold: PrivateSold) -> int:
    """The price; the printed one where the bank takes all the cash there is instead. {1860-AUC-09}"""
    printed = t.privates[sold.private].value
    return printed if sold.source == BANK and sold.price == before.cash[sold.target] < printed else sold.price


def _bought_shares(t: Title, before: State, recorded: Record, after: State) -> Iterator[str]:
    moved = next((fact for fact in after.facts if isinstance(fact, SharesMoved)), None)
    if moved is not None:
        yield from _differs(t, "a share price", recorded.get("share_price"), moved.price // moved.count)


def _sold_shares(t: Title, before: State, recorded: Record, after: State) -> Iterator[str]:
    sold = next((fact for fact in after.facts if isinstance(fact, SharesMoved) and fact.target == POOL), None)
    if sold is None:
        return
    each, full = sold.price // sold.count, price(t, before, sold.corp)
    stated = recorded.get("share_price")
    if stated is None and each != full:
        yield f"states no share price, which stands for {t.money(full)}, where the rules give {t.money(each)}"
    yield from _differs(t, "a share price", stated, each)


def _built(kind: type[TileLaid | TokenPlaced], t: Title, _: State, recorded: Record, after: State) -> Iterator[str]:
    cost = sum(fact.cost for fact in after.facts if isinstance(fact, kind))
    yield from _differs(t, "a cost", recorded.get("cost"), cost)


def _ran(t: Title, before: State, recorded: Record, after: State) -> Iterator[str]:
    ran = next((fact for fact in after.facts if isinstance(fact, TrainsRan)), None)
    routes = [route for route in recorded["routes"] if route.get("connections") or len(route.get("hexes") or ()) > 1]
    if ran is None or len(ran.routes) != len(routes):
        return  # a revenue that was taken as stated, or a lease that needs no route
    for route, (ours, revenue) in zip(routes, ran.routes, strict=True):
        yield from _differs(t, f"for train {route['train']} a revenue", route.get("revenue"), revenue)
        if route.get("subsidy") is not None:
            yield from _differs(
                t, f"for train {route['train']} a subsidy", route["subsidy"], _subsidy(t, before, ran, ours)
            )
    if recorded.get("subsidy") is not None and all(route.get("subsidy") is None for route in routes):
        # the sum only counts if its parts are not stated
        subsidy = sum(_subsidy(t, before, ran, ours) for ours, _ in ran.routes)
        yield from _differs(t, "a subsidy", recorded["subsidy"], subsidy)
    yield from _differs(t, "an extra revenue", recorded.get("extra_revenue"), 0)


def _subsidy(t: Title, before: State, ran: TrainsRan, route: Route) -> int:
    run = follow(before.board, route)
    assert isinstance(run, Run), run
    return t.policy.routes.income(t, before, ran.corp, route, run)[1]


_COMPARED: Mapping[str, Compare] = {
    "par": _par,
    "bid": _bought_private,
    "buy_company": _bought_private,
    "sell_company": _bought_private,
    "buy_shares": _bought_shares,
    "sell_shares": _sold_shares,
    "lay_tile": partial(_built, TileLaid),
    "place_token": partial(_built, TokenPlaced),
    "run_routes": _ran,
}
