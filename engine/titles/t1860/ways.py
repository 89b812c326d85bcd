"""Points with a single answer where the options of 1860 differ, beside those of all titles."""

from collections.abc import Callable, Sequence
from typing import Literal, cast

from engine.board.routes import StopRef
from engine.frozen import dataclass
from engine.ids import CorpId
from engine.state import State
from engine.title import Policy, Title

Lease = Literal["stations", "half", "exact half", "fixed"]


@dataclass(frozen=True, slots=True)
class Ways1860(Policy):
    """The title's policy: what all titles answer, and what only the options of 1860 vary."""

    skips_small: bool = False
    """Whether trains may pass small stations without a call. {1860-RTE-07, 1860-VAR-11}"""
    counts_calls_apart: bool = False
    """Whether large and small calls limit upgrades each by itself, see `Limit.apart`."""
    upgrades_raise: bool = True
    """Whether an upgrade without usable new track must raise a stop, not only change it. {1860-TRK-11, 1860-VAR-15}"""
    in_layers: bool = True
    """Whether companies open layer by layer, so that a table hears of it. {1860-SR-25, 1860-VAR-03}"""
    reenters_hexes: bool = False
    """1860-VAR-12"""
    reaches_once: bool = True
    """Whether trains enter no hex twice on the way to new track either. {1860-TRK-04, 1860-VAR-12, 1860-VAR-15}"""
    lease: Lease = "stations"
    """How a leased train earns. {1860-EMR-06, 1860-VAR-01, 1860-VAR-13}"""
    table_runs_receivership: bool = False
    """Whether the table acts for a company without a director, instead of the program."""
    british_ends_building: bool = True
    """1860-PHS-11"""
    bankrupt_paid_least: bool = True
    """Whether a company that goes bankrupt under British Rail is one of the two that paid least. {1860-END-17}"""
    restarts_at_par: bool = True
    """Whether sales leave the price of a restarted company alone until it floats. {1860-EMR-25}"""
    still_dividend_goes_under: bool = True
    """1860-MKT-09"""
    buys_at_price: bool = True
    """Whether a treasury that equals the price must buy. {1860-TRN-11}"""
    after_run: tuple[Callable[[Title, State, CorpId, Sequence[set[StopRef]]], None], ...] = ()
    """What follows from the places that each of the turn's routes reached."""


def ways(t: Title) -> Ways1860:
    """The title's policy, which is always of this kind."""
    return cast(Ways1860, t.policy)
