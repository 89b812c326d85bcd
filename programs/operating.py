"""The program for a company's turns: what its president lays, places, pays and buys."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from engine import BANK, POOL, Action, CorpId, StopId
from engine import actions as a
from engine.depot import bank_trains
from engine.facts import TurnBegan
from programs.program import WAIT, Answer, Cause, Event, Program, Prompt, Stopped, Watched, prompt

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
    tiles: tuple[a.LayTile, ...] = ()
    """The tiles still to lay, in order, where there is a plan."""
    token: Literal["ask", "new", "none", "place"] = "none"
    """"new" asks where there is a place, or what the title has instead, that its owner has not declined."""
    place: StopId | None = None
    """Where the token goes as soon as that is possible."""
    run: Literal["ask", "best"] = "best"
    pays: Pay = "pay"
    least: int = 0
    """What must be earned to be paid out, where `pays` is "least"."""
    trains: Literal["ask", "can", "none", "next"] = "none"
    """"can" asks where the company could pay for a train that no company sells, and ends the turn elsewhere."""
    bought: bool = False
    """Whether it has bought a train in the present turn."""
    declined: tuple[str, ...] = ()
    """What its owner declined as to tokens and privates: it is not asked about again."""
    rests: CorpId | None = None
    """The company whose present turn, or next one, its president plays by hand."""

    def move(self, p: Prompt) -> Answer:
        """What it does in the present step of the company's turn."""
        corp = p.s.operating
        ours = corp is not None and self.corp in (None, corp) and p.s.president_of(corp) == p.seat
        if corp is None or not ours or corp == self.rests or p.s.pending:
            return WAIT
        if a.LayTile in p.kinds:
            return self._lay(p, corp)
        if a.PlaceToken in p.kinds:
            return self._place(p, corp)
        if a.RunTrains in p.kinds:
            return WAIT if self.run == "ask" else next(p.legal(a.RunTrains), WAIT)
        if a.Dividend in p.kinds:
            return self._pay(p, corp)
        if a.BuyTrain in p.kinds:
            return self._buy(p, corp)
        if self.trains == "can" and any(one not in self.declined for one in _of_privates(p)):
            return WAIT
        return p.passing(self.off) if a.Pass in p.kinds else WAIT

    def unasked(self, kinds: Collection[type[Action]]) -> Operate:
        """The same without what it leaves to its owner in a step of these kinds of action, in this turn and later."""
        if a.LayTile in kinds and self.track == "ask":
            return replace(self, track="none")
        if a.PlaceToken in kinds and self.token in ("ask", "new"):
            return replace(self, token="none")
        return replace(self, trains="none") if a.BuyTrain in kinds and self.trains in ("ask", "can") else self

    def withholding(self) -> Operate:
        """The same for one turn, in which the company keeps what it runs for."""
        return replace(self, rounds=1, pays="withhold", rests=None)

    def declines(self, p: Prompt) -> bool:
        """Whether its owner, who switches it on now, expects what is left of this step to be declined.

        That is a token, or more track. A company that has laid nothing yet lays track first.
        """
        left = bool(p.s.lays) if a.LayTile in p.kinds else a.PlaceToken in p.kinds
        return left and not p.s.pending and self.move(p) is WAIT and p.allows(a.Pass(p.seat))

    def _lay(self, p: Prompt, corp: CorpId) -> Answer:
        if self.track == "ask":
            return WAIT
        planned = self.tiles[0] if self.track == "plan" and self.tiles else None
        if planned is None:
            return p.passing(self.off)
        refused = p.objection(replace(planned, by=p.seat, corp=corp))
        if refused is None:
            return replace(planned, by=p.seat, corp=corp)
        goes_on = bool(p.s.lays) or "blocked" in self.off  # one of the plan was laid: the next must wait for its turn
        return p.passing(self.off) if goes_on else Stopped(Cause("blocked", corp=corp, text=refused.text))

    def _place(self, p: Prompt, corp: CorpId) -> Answer:
        if self.token == "ask":
            return WAIT
        if self.token == "new" and any(one not in self.declined for one in _of_tokens(p)):
            return WAIT
        if self.token == "place" and self.place is not None:
            action = a.PlaceToken(p.seat, corp, self.place)
            if p.allows(action):
                return action
        return p.passing(self.off)

    def _pay(self, p: Prompt, corp: CorpId) -> Answer:
        if self.pays == "ask":
            return WAIT
        kind = self.pays
        if kind == "least":
            kind = "pay" if p.s.income >= self.least else "withhold"
        return p.tried(a.Dividend(p.seat, corp, kind), self.off)

    def _buy(self, p: Prompt, corp: CorpId) -> Answer:
        if self.trains == "ask":
            return WAIT
        if self.trains == "none" or (self.trains == "next" and self.bought):
            return p.passing(self.off)
        for rank in bank_trains(p.t, p.s):
            price = p.t.trains[rank].price
            action: Action = a.BuyTrain(p.seat, corp, rank, BANK, price)
            if price <= p.s.cash[corp] and p.allows(action):
                return action if self.trains == "next" else WAIT
        other = any(one.source in (BANK, POOL) and one.price <= p.s.cash[corp] for one in p.legal(a.BuyTrain))
        return WAIT if self.trains == "can" and (other or not p.allows(a.Pass(p.seat))) else p.passing(self.off)

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
        """Without the tile that was laid, and with what its owner bought or declined for the company."""
        ours = self.corp in (None, e.before.operating)
        match e.action if e.own else None:
            case a.LayTile(corp=corp, hex=laid) if self.tiles and (corp, laid) == (self.corp, self.tiles[0].hex):
                return replace(self, tiles=self.tiles[1:])
            case a.BuyTrain(corp=corp) if ours and corp == e.before.operating:
                return replace(self, bought=True)
            case a.Pass() if ours and (self.token == "new" or self.trains == "can"):
                p = prompt(e.t, e.before, e.seat)
                return replace(self, declined=tuple(dict.fromkeys((*self.declined, *_of_tokens(p), *_of_privates(p)))))
        return self

    def about(self, e: Event) -> frozenset[CorpId]:
        """The company alone, or those that the player presides over."""
        mine = (one for one in e.t.corporations if e.before.president_of(one) == e.seat)
        return frozenset((self.corp,) if self.corp is not None else mine)


def _of_tokens(p: Prompt) -> list[str]:
    """The places for tokens, and what can be done about tokens instead."""
    others = (kind.__name__ for kind in (a.BuyPassage, a.RestoreToken) if any(p.legal(kind)))
    return [*(str(one.stop) for one in p.legal(a.PlaceToken)), *others]


def _of_privates(p: Prompt) -> list[str]:
    """The owner's own privates that the company can buy, and its own whose tile it can lay."""
    sales = [str(one.private) for one in p.legal(a.CompanyBuysPrivate) if p.s.owner[one.private] == p.seat]
    tiles = [f"{one.private}: tile" for one in p.legal(a.LayPowerTile) if p.s.owner[one.private] == p.s.operating]
    return [*sales, *tiles]
