"""What the figures that a record states make of people's money, worked out from the record and the printed market.

A second method beside the import: it knows only what 18xx.games does with a stated figure, and asks the rules for none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine import State, Title, apply, start
from engine import actions as act
from engine.actions import Action
from engine.facts import CashMoved


def disagreements(
    title: Title, names: Sequence[str], actions: Sequence[Action], recorded: Sequence[dict[str, Any]]
) -> Iterator[str]:
    """Where the money that the record's figures move is not what moved in the game, one action for one action."""
    state = start(title, tuple(names))
    ran: dict[str, Any] | None = None
    told = iter(recorded)
    for number, action in enumerate(actions, start=1):
        before, state = state, apply(title, state, action)
        if isinstance(action, act.Deal):
            continue
        body = next(told)
        if isinstance(action, act.SellShares):
            due = _proceeds(title, before, action, body)
            yield from _wrong(number, "the sale", due, _paid(state, action.by, "shares sold"))
        if isinstance(action, act.RunTrains):
            ran = body
        if isinstance(action, act.Dividend) and ran is not None:
            yield from _dividend(number, before, state, action, ran)


def _proceeds(title: Title, before: State, action: act.SellShares, body: dict[str, Any]) -> int:
    cell = title.market.cell(*before.cell[action.corp])
    assert cell is not None
    return int(body["percent"]) // 10 * int(body.get("share_price", cell.price))


def _dividend(number: int, before: State, after: State, action: act.Dividend, ran: dict[str, Any]) -> Iterator[str]:
    revenue = sum(route["revenue"] for route in ran["routes"])
    subsidy = sum(route.get("subsidy", 0) for route in ran["routes"])
    if ran["subsidy"] != subsidy:
        yield f"{number}: the whole subsidy is {ran['subsidy']}, its parts {subsidy}"
    kept = revenue if action.kind == "withhold" else 0
    for player in before.players:
        due = (revenue - kept) // 10 * before.held(action.corp, player)
        yield from _wrong(number, f"the dividend of {player}", due, _paid(after, player, "dividend"))
    due = kept + subsidy
    if _pool_pays(before):
        due += (revenue - kept) // 10 * before.held(action.corp, "pool")
    yield from _wrong(
        number, f"what {action.corp} gets", due, _paid(after, action.corp, "dividend", "withheld", "subsidy")
    )


def _pool_pays(state: State) -> bool:
    """In 1860 alone the pool's shares bring the company nothing."""
    return "IOW" not in state.shares


def _paid(after: State, holder: Any, *why: str) -> int:
    """What the bank paid the holder for these reasons in the action that led here."""
    moved = (fact for fact in after.facts if isinstance(fact, CashMoved))
    return sum(fact.amount for fact in moved if fact.target == holder and fact.why in why)


def _wrong(number: int, what: str, due: int, paid: int) -> Iterator[str]:
    if due != paid:
        yield f"{number}: {what} is {due} by the record, {paid} in the game"
