"""Programs for auctions: bid up to a limit, and buy what comes at a good price."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from engine import Action, PrivateId
from engine.actions import Bid, BidToChoose, BuyPrivate, Pass
from engine.facts import CashMoved, PriceLowered, PrivateSold
from programs.program import WAIT, Answer, Cause, Event, Program, Prompt, Stopped, Watched
from programs.stock import all_passed


def raised(p: Prompt, bids: Sequence[Bid | BidToChoose], highest: int, most: int, step: int) -> Action | None:
    """The lowest of these bids, raised to `step` above the highest one as far as `most` allows; None above it."""
    least = min(bids, key=lambda one: one.amount, default=None)
    if least is None or least.amount > most:
        return None
    amount = max(least.amount, min(most, highest + step))
    higher: Action = Bid(p.seat, least.private, amount) if isinstance(least, Bid) else BidToChoose(p.seat, amount)
    return higher if p.allows(higher) else least


@dataclass(frozen=True, slots=True, kw_only=True)
class BidFor(Program):
    """Bid for one private up to a limit, and buy it if it comes at that or less."""

    kind: ClassVar[str] = "bid"
    watches: ClassVar[tuple[Watched, ...]] = ("price", "presidency", "company", "sale")
    quiet: ClassVar[tuple[Watched, ...]] = ("presidency", "company", "sale")

    private: PrivateId
    most: int
    step: int = 0
    """By how much it raises the highest bid, if that is more than the rules ask for."""
    then: Literal["pass", "wait"] = "pass"
    """What it does in turns of the opening round in which it has nothing to bid."""

    def move(self, p: Prompt) -> Answer:
        """Buy it if it is cheap enough, bid if somebody else has bid more, and otherwise pass."""
        if not {Bid, BuyPrivate} & p.kinds or p.s.pending or p.asked.subject not in (None, self.private):
            return WAIT
        buy = BuyPrivate(p.seat, self.private)
        paid = next((fact.price for fact in p.facts_of(buy) if isinstance(fact, PrivateSold)), None)
        if paid is not None and paid <= self.most:
            return buy
        bids = p.s.bids.get(self.private, {})
        highest = max(bids.values(), default=0)
        leads = bool(bids) and bids.get(p.seat) == highest
        mine = [one for one in p.legal(Bid) if one.private == self.private]
        if mine and not leads:
            higher = raised(p, mine, highest, self.most, self.step)
            if higher is not None:
                return higher
            if self.wants("price"):
                return Stopped(Cause("price", private=self.private, amount=min(one.amount for one in mine)))
        if p.asked.subject is None and (self.then == "wait" or Bid not in p.kinds):
            return WAIT
        return Pass(p.seat) if Pass in p.kinds and p.allows(Pass(p.seat)) else WAIT

    def after(self, e: Event) -> Program | Stopped:
        """It is done once the private is sold."""
        for fact in e.facts:
            if isinstance(fact, PrivateSold) and fact.private == self.private:
                player = next((one for one in e.after.names if one == fact.target), None)
                why = Cause("done" if player == e.seat else "lost", player, private=self.private, amount=fact.price)
                return Stopped(why)
        cheaper = any(isinstance(fact, PriceLowered) and fact.private == self.private for fact in e.facts)
        return Stopped(Cause("passed")) if all_passed(e) and not cheaper else self


@dataclass(frozen=True, slots=True, kw_only=True)
class BidToPick(Program):
    """Bid for the right to choose a certificate, up to a limit, until it is won once."""

    kind: ClassVar[str] = "right"
    watches: ClassVar[tuple[Watched, ...]] = ("price",)

    most: int
    step: int = 0

    def move(self, p: Prompt) -> Answer:
        """Raise as long as that stays within the limit; above it drop out, or ask the owner."""
        if BidToChoose not in p.kinds or p.s.pending:
            return WAIT
        bids = list(p.legal(BidToChoose))
        highest = max(p.t.policy.auctions.right_bids(p.t, p.s).values(), default=0)
        higher = raised(p, bids, highest, self.most, self.step)
        if higher is not None:
            return higher
        amount = min((one.amount for one in bids), default=0)
        return Stopped(Cause("price", amount=amount)) if self.wants("price") else p.passing()

    def after(self, e: Event) -> Program | Stopped:
        """It is done once its owner has the right to choose, and when the auctions are over."""
        for fact in e.facts:
            if isinstance(fact, CashMoved) and fact.why == "bid" and fact.source == e.seat:
                return Stopped(Cause("done", amount=fact.amount))
        return Stopped(Cause("round")) if e.after.round != e.before.round else self
