"""Companies of 1860 in their turns and on the market, for the tests of that title."""

from __future__ import annotations

from tables import Table, price_at, table

from engine import IPO, POOL, State, Title
from engine.actions import LayTile, Par, Route, RunTrains
from engine.titles.t1860.printed import LAYERS, MARKET, PAR_RANGE
from engine.titles.t1860.ways import Ways1860


def col(price: int) -> int:
    """Where a price stands in the market's one row."""
    return next(index for index, cell in enumerate(MARKET.rows[0]) if cell and cell.price == price)


def at(price: int) -> tuple[int, int]:
    return 0, col(price)


def price_of(t: Title, s: State, corp: str = "IOW") -> int:
    return price_at(t, *s.cell[corp])


def ways(t: Title) -> Ways1860:
    """The title's policies with those that 1860 alone has."""
    assert isinstance(t.policy, Ways1860)
    return t.policy


OPEN = ("open_treasuries",)
"""Nobody is asked who can do nothing: how treasuries are kept secret has tests of its own."""


def railway(
    corp: str,
    step: str,
    *trains: str,
    par: int = 0,
    price: int = 0,
    phase: str = "2",
    cash: int = 500,
    players: int = 3,
    options: tuple[str, ...] = OPEN,
    held: dict[str, int] | None = None,
    then: tuple[str, ...] = (),
) -> Table:
    """The turn of a company at its lowest par, or at `price`; p1 has half of it unless `held` says more."""
    par = par or PAR_RANGE[LAYERS[corp]][0]
    laid = table("1860", players, *options).par(corp, par, at(price or par)).trains(corp, *trains).phase(phase)
    if held:
        laid.shares(corp, held)
    return laid.operating(corp, step, then=then).cash(**{corp: cash})


def east_coast(step: str = "track", *trains: str, **more: object) -> Table:
    """IOW with track from Ryde Esplanade (I3: 30) by Ryde (J4: 20) to Brading (J6: 10)."""
    return railway("IOW", step, *trains, **more).tile("J4", "6", 0).tile("J6", "746", 0)  # type: ignore[arg-type]


ESPLANADE_RYDE = ("I3.0", 5, "J4.0")
RYDE_BRADING = ("J4.0", 0, "J6.0")
ESPLANADE_BRADING = ("I3.0", 5, "J4.0", 0, "J6.0")


def run(*routes: tuple, corp: str = "IOW", by: str = "p1") -> RunTrains:
    """Routes written as (train, path) or (train, path, halts called at)."""
    return RunTrains(by, corp, tuple(Route(*route) for route in routes))


def lay(hex_id: str, tile: str, rotation: int, corp: str = "IOW") -> LayTile:
    return LayTile("p1", corp, hex_id, tile, rotation)


def par(player: str, corp: str, price: int) -> Par:
    return Par(player, corp, *at(price))


def holding(price: int = 74, *options: str, players: int = 3, pool: int = 0, corp: str = "IOW", **held: int) -> Table:
    """A stock round: IOW has operated and owns a train, p1 is up, everybody has 1000."""
    laid = table("1860", players, *options).par(corp, 74, at(price)).shares(corp, held or {"p1": 5}, pool=pool)
    laid.trains(corp, "2+1").set(operated=frozenset({corp}))
    return laid.cash(**{f"p{seat}": 1000 for seat in range(1, players + 1)})


def without_director(s: State, corp: str = "IOW") -> None:
    """The director's certificate lies in the pool; p1 keeps one share."""
    s.president[corp] = POOL
    s.shares[corp] = {IPO: 5, "p1": 1, POOL: 4}
