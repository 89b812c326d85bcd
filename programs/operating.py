"""The program for a company's turns: what its president lays, places, pays and buys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from engine.actions import Action, BuyTrain, Dividend, LayTile, Pass, PlaceToken, RunTrains
from engine.depot import bank_trains
from engine.ids import BANK, CorpId, StopId
from engine.state import State
from programs.program import OTHERS, WAIT, Answer, Cause, Event, Program, Question, Stopped, Watched

Pay = Literal["ask", "pay", "withhold", "half", "least"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operate(Program):
    """Play a company's turns, this one or the next `rounds`. What is "ask" is left to the owner."""

    kind: ClassVar[str] = "operate"
    watches: ClassVar[tuple[Watched, ...]] = (*OTHERS, "blocked")
    quiet: ClassVar[tuple[Watched, ...]] = ("purchase", "company")

    corp: CorpId
    rounds: int = 1
    """For how many more of its turns."""
    track: Literal["ask", "none", "plan"] = "none"
    tiles: tuple[LayTile, ...] = ()
    """The tiles still to lay, in order, where there is a plan."""
    token: Literal["ask", "none", "place"] = "none"
    place: StopId | None = None
    """Where the token goes as soon as that is possible."""
    run: Literal["ask", "best"] = "best"
    pays: Pay = "pay"
    least: int = 0
    """What must be earned to be paid out, where `pays` is "least"."""
    trains: Literal["ask", "none", "next"] = "none"
    bought: bool = False
    """Whether it has bought a train in the present turn."""

    def move(self, q: Question) -> Answer:
        """What it does in the present step of the company's turn."""
        if q.s.operating != self.corp or q.s.pending or q.s.president_of(self.corp) != q.seat:
            return WAIT
        if LayTile in q.kinds:
            return self._lay(q)
        if PlaceToken in q.kinds:
            return self._place(q)
        if RunTrains in q.kinds:
            return WAIT if self.run == "ask" else next(q.legal(RunTrains), WAIT)
        if Dividend in q.kinds:
            return self._pay(q)
        if BuyTrain in q.kinds:
            return self._buy(q)
        return q.passing() if Pass in q.kinds else WAIT

    def _lay(self, q: Question) -> Answer:
        if self.track == "ask":
            return WAIT
        planned = self.tiles[0] if self.track == "plan" and self.tiles else None
        if planned is None:
            return q.passing()
        refused = q.objection(replace(planned, by=q.seat, corp=self.corp))
        if refused is None:
            return replace(planned, by=q.seat, corp=self.corp)
        goes_on = bool(q.s.lays) or "blocked" in self.off  # one of the plan was laid: the next must wait for its turn
        return q.declined(Cause("blocked", corp=self.corp, text=refused.text), goes_on=goes_on)

    def _place(self, q: Question) -> Answer:
        if self.token == "ask":
            return WAIT
        if self.token == "place" and self.place is not None:
            action = PlaceToken(q.seat, self.corp, self.place)
            if q.allows(action):
                return action
        return q.passing()

    def _pay(self, q: Question) -> Answer:
        if self.pays == "ask":
            return WAIT
        kind = self.pays
        if kind == "least":
            kind = "pay" if q.s.income >= self.least else "withhold"
        action = Dividend(q.seat, self.corp, kind)
        refused = q.objection(action)
        return action if refused is None else Stopped(Cause("blocked", corp=self.corp, text=refused.text))

    def _buy(self, q: Question) -> Answer:
        if self.trains == "ask":
            return WAIT
        ranks = bank_trains(q.t, q.s) if self.trains == "next" and not self.bought else []
        for rank in ranks:
            price = q.t.trains[rank].price
            action: Action = BuyTrain(q.seat, self.corp, rank, BANK, price)
            if price <= q.s.cash[self.corp] and q.allows(action):
                return action
        return q.passing()

    def after(self, e: Event) -> Program | Stopped:
        """It goes on to the company's next turn, without what it has laid, and ends with its last turn."""
        if e.before.president_of(self.corp) == e.seat != e.after.president_of(self.corp):
            return Stopped(Cause("lost", e.after.president_of(self.corp), self.corp))
        if e.before.operating == self.corp != e.after.operating:
            if self.rounds <= 1:
                return Stopped(Cause("done", corp=self.corp))
            return replace(self._without_laid(e), rounds=self.rounds - 1, bought=False)
        after = self._without_laid(e)
        if e.own and isinstance(e.action, BuyTrain) and e.action.corp == self.corp:
            after = replace(after, bought=True)
        return after

    def _without_laid(self, e: Event) -> Operate:
        laid = e.action
        if e.own and isinstance(laid, LayTile) and self.tiles and laid.hex == self.tiles[0].hex:
            return replace(self, tiles=self.tiles[1:])
        return self

    def about(self, e: Event) -> frozenset[CorpId]:
        """The company alone."""
        return frozenset((self.corp,))


def offered(s: State, corp: CorpId) -> Operate:
    """What a company's president is offered to begin with: its next turn, paying as it last did."""
    kept = bool(s.last_run.get(corp)) and not s.last_paid.get(corp)
    return Operate(corp=corp, pays="withhold" if kept else "pay")
