"""Standing passes: a player passes in advance, once or for the rest of a round of players.

A standing pass ends when its owner acts, when somebody else acts on a company its owner holds or a private
its owner bid on, and with the round.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from engine.actions import Action, Pass
from engine.facts import Fact, RoundBegan
from engine.ids import PlayerId
from engine.state import State
from engine.verbs import Decision


class StandingPasses:
    """The standing passes of one table, by seat."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds: dict[str, str] = dict(kinds)

    @classmethod
    def read(cls, bodies: Mapping[str, str]) -> StandingPasses:
        """Parse the stored texts."""
        kinds = {seat: json.loads(body).get("pass", "") for seat, body in bodies.items()}
        return cls({seat: kind for seat, kind in kinds.items() if kind in ("once", "round")})

    def copy(self) -> StandingPasses:
        """Passes of their own, so that a failed action leaves the table's untouched."""
        return StandingPasses(self.kinds)

    def drop(self, seats: Iterable[str]) -> None:
        """Cancel the standing passes of these seats; seats without one are no error."""
        for seat in list(seats):
            self.kinds.pop(seat, None)

    def passes_now(self, asked: Decision, state: State) -> PlayerId | None:
        """The seat that must decide and wants to pass. Only in rounds of players, where turns may be passed."""
        if len(asked.players) != 1 or asked.subject is not None or state.pending or state.bought or state.sold_now:
            return None
        seat = asked.players[0]
        return seat if seat in self.kinds else None

    def passed(self, action: Action, state: State) -> None:
        """Record that a standing pass was carried out, and led to `state`."""
        if isinstance(action, Pass) and self.kinds.get(action.by) == "once":
            del self.kinds[action.by]
        if round_ended(state.facts):
            self.kinds.clear()

    def changes(self, before: StandingPasses) -> dict[str, str | None]:
        """What must change in the storage to get from `before` to these."""
        changed: dict[str, str | None] = {seat: None for seat in before.kinds if seat not in self.kinds}
        for seat, kind in self.kinds.items():
            if before.kinds.get(seat) != kind:
                changed[seat] = body(kind)
        return changed


def body(kind: str) -> str:
    """A standing pass as it is stored; `kind` is "once" or "round"."""
    return json.dumps({"pass": kind})


def round_ended(facts: Iterable[Fact]) -> bool:
    """Whether the action with these facts began another round."""
    return any(isinstance(fact, RoundBegan) for fact in facts)


def cancelled_by(action: Action, facts: Iterable[Fact], before: State, orders: StandingPasses) -> list[str]:
    """The seats whose standing pass ends when a person takes this action at `before`."""
    if round_ended(facts):
        return list(orders.kinds)
    corp = getattr(action, "corp", None)
    private = getattr(action, "private", None)
    seats = []
    for seat in orders.kinds:
        mine = PlayerId(seat)
        if (
            action.by == seat
            or (corp is not None and before.held(corp, mine) > 0)
            or (private is not None and mine in before.bids.get(private, {}))
        ):
            seats.append(seat)
    return seats
