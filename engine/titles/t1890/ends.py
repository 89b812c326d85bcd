"""What ends a game of 1890 beside bank and last turn, what everybody is worth, and the stacks of price tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.flow import finish
from engine.ids import PlayerId
from engine.market import price
from engine.state import State
from engine.titles.t1890.ways import ways

if TYPE_CHECKING:
    from engine.title import Title


def end_if_price_reached(t: Title, s: State) -> None:
    """1890-VAR-09"""
    wanted = ways(t).ends_at_price
    if wanted is not None and any(price(t, s, corp) >= wanted for corp in s.floated):
        finish(t, s, "price")


def stock_ended(t: Title, s: State) -> None:
    for settle in ways(t).stock_settles:
        settle(t, s)
    end_if_price_reached(t, s)


def restack(s: State) -> None:
    """At the end of an operating round companies that have not started lie on top of those that have. {1890-MKT-04}"""
    order = sorted(s.cell, key=lambda corp: (corp in s.floated, s.arrived[corp]))
    s.arrived = {corp: ticket for ticket, corp in enumerate(order, 1)}
    s.tickets = len(order)


def worth(t: Title, s: State, player: PlayerId) -> int:
    """Cash, shares at market price, faces of privates, minors and late privates. {1890-END-04}"""
    shares = sum(held.get(player, 0) * price(t, s, corp) for corp, held in s.shares.items() if player in held)
    nothing = s.own.get("face zero", ())
    faces = sum(
        t.privates[private].value for private, owner in s.owner.items() if owner == player and private not in nothing
    )
    return s.cash[player] + shares + faces
