"""What the things that 1860 alone has are called for people."""

from collections.abc import Mapping
from dataclasses import replace

from engine.titles.t1860.printed import MARKET
from engine.titles.t1860.ways import Lease
from engine.wording import Wording

LEASES: Mapping[Lease, str] = {
    "stations": "£40, and £20 a stop",
    "fixed": "£40, and £20 for each stop it could make",
    "half": "half its run, and all subsidy",
    "exact half": "half its run, and all subsidy",
}
"""What a leased train earns."""


def wording(lease: Lease, *, table_runs: bool = False) -> Wording:
    """The title's words, where leased trains earn so; `table_runs`: any player acts where there is no director."""
    earns = f"it keeps what a leased train earns ({LEASES[lease]}) until it can buy one"
    insolvent = f"{earns}, and builds nothing that costs money"
    acts = "any player acts for a floated company, which" if table_runs else "a floated company acts on its own,"
    leaderless = f"without one {acts} builds nothing and pays nothing"
    return replace(_WORDING, states={**_WORDING.states, "insolvent": insolvent, "leaderless": leaderless})


_WORDING = Wording(
    stop="place",  # trains pass halts, and with some options small stations
    tasks={
        "bid": "bid for the right to choose, or drop out",
        "choose": "choose a private or a director's certificate",
        "home tile": "lay the home tile",
        "excess": "discard a train",
    },
    passes={"bid": "Drop out"},
    skips={"bid": "drops out", "home tile": "lays no home tile"},
    announcements={
        "layer 2": "Companies of the second layer can be started.",
        "layer 3": "Companies of the third layer can be started.",
        "layer 4": "All companies can be started.",
        "fishbourne": "",  # the phase that brings these two tells them
        "no limits": "",
        "southern": "The Southern Railway forms: companies may build only until the next stock round.",
        "southern over": "Building is over: no more tiles or bases, and halts no longer count.",
        "british": "British Rail forms: from now on there are only operating rounds, and the lowest earners close.",
    },
    endings={
        "price": "A share price has reached the end of the market.",
        "nationalisation": "British Rail has taken over the last company.",
    },
    states={
        "bankrupt": "its shares go back to the initial offering, and it can be restarted at another par",
        "closed": "British Rail has taken it over; it keeps its price and never runs again",
    },
    after_bank="the game ends with this operating round or, in a stock round, with the next",
    after_price=MARKET.zones["end"].meaning,
    company_money="credits",
    head="director",
    headship="directorship",
)
