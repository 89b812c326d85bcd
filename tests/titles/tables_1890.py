"""A railway of 1890 in its turn, for the tests of that title."""

from __future__ import annotations

from tables import Table, allows, table

from engine import State, Title, decision
from engine.actions import Pass


def railway(
    corp: str = "Hankyu",
    step: str = "track",
    *options: str,
    players: int = 3,
    phase: str = "2",
    cash: int = 900,
    par: int = 80,
    held: dict[str, int] | None = None,
    turn: int = 2,
) -> Table:
    """The turn of a public company, par 80 unless told, run by p1 with six shares unless `held` says more."""
    found = table("1890", players, *options).phase(phase).par(corp, 100 if corp == "JR" else par)
    found.shares(corp, held or {"p1": 6}).operating(corp, step).cash(**{corp: cash})
    return found.rounds(turn, 1, found.title.phase(found.state).operating_rounds)


def minor(corp: str = "M2", step: str = "track", *options: str, phase: str = "1", cash: int = 200) -> Table:
    """The turn of a minor that p1 owns."""
    return table("1890", 3, *options).phase(phase).operating(corp, step).cash(**{corp: cash}).rounds(2, 1, 1)


def market(*options: str, players: int = 3, phase: str = "1", turn: int = 2) -> Table:
    """A stock round with p1 to act."""
    return table("1890", players, *options).phase(phase).stock(turn=turn)


def turn_over(t: Title, s: State) -> State:
    """Pass until another company operates."""
    now = s.operating, s.or_number
    while (s.operating, s.or_number) == now and s.round == "OR" and not s.pending:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s
