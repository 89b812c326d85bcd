"""The program for a company's turns: what its president lays, places, pays and buys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from engine.actions import Action, BuyTrain, CompanyBuysPrivate, Dividend, LayTile, Pass, PlaceToken, RunTrains
from engine.depot import bank_trains
from engine.facts import TurnBegan
from engine.ids import BANK, CorpId, StopId
from programs.program import WAIT, Answer, Cause, Event, Program, Question, Stopped, Watched, question

Pay = Literal["ask", "pay", "withhold", "half", "least"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operate(Program):
    """Play a company's turns: the next `rounds`, or all of them. What is "ask" is left to the owner."""

    kind: ClassVar[str] = "operate"
    watches: ClassVar[tuple[Watched, ...]] = ("sale", "purchase", "presidency", "standing", "rust", "blocked")
    quiet: ClassVar[tuple[Watched, ...]] = ("purchase",)

    corp: CorpId | None = None
    """None for every company that the player presides over."""
    rounds: int = 1
    """For how many more of its turns; 0 for all of them."""
    track: Literal["ask", "none", "plan"] = "none"
    tiles: tuple[LayTile, ...] = ()
    """The tiles still to lay, in order, where there is a plan."""
    token: Literal["ask", "new", "none", "place"] = "none"
    """"new" asks where there is a place that its owner has not declined."""
    place: StopId | None = None
    """Where the token goes as soon as that is possible."""
    run: Literal["ask", "best"] = "best"
    pays: Pay = "pay"
    least: int = 0
    """What must be earned to be paid out, where `pays` is "least"."""
    trains: Literal["ask", "can", "none", "next"] = "none"
    """"can" asks where the company could pay for the bank's next train, and ends the turn elsewhere."""
    bought: bool = False
    """Whether it has bought a train in the present turn."""
    declined: tuple[str, ...] = ()
    """Places for tokens, and privates, that its owner declined: they are not asked about again."""
    rests: CorpId | None = None
    """The company whose present turn, or next one, its president plays by hand."""

    def move(self, q: Question) -> Answer:
        """What it does in the present step of the company's turn."""
        corp = q.s.operating
        ours = corp is not None and self.corp in (None, corp) and q.s.president_of(corp) == q.seat
        if corp is None or not ours or corp == self.rests or q.s.pending:
            return WAIT
        if LayTile in q.kinds:
            return self._lay(q, corp)
        if PlaceToken in q.kinds:
            return self._place(q, corp)
        if RunTrains in q.kinds:
            return WAIT if self.run == "ask" else next(q.legal(RunTrains), WAIT)
        if Dividend in q.kinds:
            return self._pay(q, corp)
        if BuyTrain in q.kinds:
            return self._buy(q, corp)
        if self.trains == "can" and any(one.private not in self.declined for one in self._sales(q)):
            return WAIT
        return q.passing() if Pass in q.kinds else WAIT

    def _lay(self, q: Question, corp: CorpId) -> Answer:
        if self.track == "ask":
            return WAIT
        planned = self.tiles[0] if self.track == "plan" and self.tiles else None
        if planned is None:
            return q.passing()
        refused = q.objection(replace(planned, by=q.seat, corp=corp))
        if refused is None:
            return replace(planned, by=q.seat, corp=corp)
        goes_on = bool(q.s.lays) or "blocked" in self.off  # one of the plan was laid: the next must wait for its turn
        return q.declined(Cause("blocked", corp=corp, text=refused.text), goes_on=goes_on)

    def _place(self, q: Question, corp: CorpId) -> Answer:
        if self.token == "ask":
            return WAIT
        if self.token == "new" and any(one.stop not in self.declined for one in q.legal(PlaceToken)):
            return WAIT
        if self.token == "place" and self.place is not None:
            action = PlaceToken(q.seat, corp, self.place)
            if q.allows(action):
                return action
        return q.passing()

    def _pay(self, q: Question, corp: CorpId) -> Answer:
        if self.pays == "ask":
            return WAIT
        kind = self.pays
        if kind == "least":
            kind = "pay" if q.s.income >= self.least else "withhold"
        action = Dividend(q.seat, corp, kind)
        refused = q.objection(action)
        return action if refused is None else Stopped(Cause("blocked", corp=corp, text=refused.text))

    def _buy(self, q: Question, corp: CorpId) -> Answer:
        if self.trains == "ask":
            return WAIT
        if self.trains == "none" or (self.trains == "next" and self.bought):
            return q.passing()
        for rank in bank_trains(q.t, q.s):
            price = q.t.trains[rank].price
            action: Action = BuyTrain(q.seat, corp, rank, BANK, price)
            if price <= q.s.cash[corp] and q.allows(action):
                return action if self.trains == "next" else WAIT
        return WAIT if self.trains == "can" and not q.allows(Pass(q.seat)) else q.passing()

    def after(self, e: Event) -> Program | Stopped:
        """It goes on to the company's next turn, without what it has laid, and ends with its last turn."""
        corp, one = e.before.operating, self._without_done(e)
        if self.corp is not None and e.before.president_of(self.corp) == e.seat != e.after.president_of(self.corp):
            return Stopped(Cause("lost", e.after.president_of(self.corp), self.corp))
        again = any(isinstance(fact, TurnBegan) and fact.corp == corp for fact in e.facts)
        if corp is None or self.corp not in (None, corp) or (corp == e.after.operating and not again):
            return one
        if self.rounds == 1:
            return Stopped(Cause("done", corp=self.corp))
        rests = None if corp == self.rests else self.rests
        return replace(one, rounds=max(0, self.rounds - 1), bought=False, rests=rests)

    def _without_done(self, e: Event) -> Operate:
        """Without the tile that was laid, and with what its owner bought or declined."""
        match e.action if e.own else None:
            case LayTile(hex=laid) if self.tiles and laid == self.tiles[0].hex:
                return replace(self, tiles=self.tiles[1:])
            case BuyTrain(corp=corp) if corp == e.before.operating:
                return replace(self, bought=True)
            case Pass() if self.token == "new" or self.trains == "can":
                q = question(e.t, e.before, e.seat)
                now = [*(str(one.stop) for one in q.legal(PlaceToken)), *(str(one.private) for one in self._sales(q))]
                return replace(self, declined=tuple(dict.fromkeys((*self.declined, *now))))
        return self

    def _sales(self, q: Question) -> list[CompanyBuysPrivate]:
        """The purchases of the owner's own privates."""
        return [one for one in q.legal(CompanyBuysPrivate) if q.s.owner[one.private] == q.seat]

    def about(self, e: Event) -> frozenset[CorpId]:
        """The company alone, or those that the player presides over."""
        mine = (one for one in e.t.corporations if e.before.president_of(one) == e.seat)
        return frozenset((self.corp,) if self.corp is not None else mine)
