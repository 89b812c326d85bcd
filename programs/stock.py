"""Programs for players' turns: buy shares, sell shares, pass."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from engine import IPO, OR, POOL, SR, Action, CorpId, PlayerId, State, Title
from engine.actions import BuyPrivate, BuyShare, ExchangePrivate, Par, Pass, SellShares
from engine.facts import CashMoved, PriceLowered, RoundBegan, SharesMoved
from engine.ids import Source
from engine.market import price
from programs.program import OTHERS, WAIT, Answer, Cause, Event, Program, Prompt, Stopped, Watched, prompt

Goal = Literal["shares", "float", "presidency"]
From = Literal["any", "ipo", "pool"]
SOURCES: dict[From, tuple[Source, ...]] = {"any": (IPO, POOL), "ipo": (IPO,), "pool": (POOL,)}
PURCHASES: tuple[type[Action], ...] = (BuyShare, Par, BuyPrivate, ExchangePrivate)
"""What makes a turn in a stock round worth while; sales alone do not."""


def round_over(e: Event) -> bool:
    """Whether a round of players has just ended."""
    return e.before.round != OR and any(isinstance(fact, RoundBegan) for fact in e.facts)


def all_passed(e: Event) -> bool:
    """Whether everybody has passed in the opening round, so that privates pay or get cheaper, and it goes on."""
    paid = any(isinstance(fact, CashMoved) and fact.why == "private income" for fact in e.facts)
    return e.before.round == e.t.opening and (paid or any(isinstance(fact, PriceLowered) for fact in e.facts))


def cost(p: Prompt, action: BuyShare | SellShares) -> int | None:
    """What a share costs or brings if the action is taken now; None if it is not allowed."""
    for fact in p.facts_of(action):
        if isinstance(fact, SharesMoved) and fact.corp == action.corp and action.by in (fact.source, fact.target):
            return fact.price // fact.count
    return None


def lowest_price(t: Title, s: State, corp: CorpId, sources: tuple[Source, ...]) -> int | None:
    """What the cheapest share costs that lies in these places; None if there is none, or no par yet."""
    if corp not in s.par:
        return None
    asked = {IPO: s.par[corp], POOL: price(t, s, corp)}
    return min((asked[one] for one in sources if s.held(corp, one)), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Buy(Program):
    """Buy a company's shares in a stock round, one a turn, up to a goal; then pass until the round ends."""

    kind: ClassVar[str] = "buy"
    watches: ClassVar[tuple[Watched, ...]] = (*OTHERS, "price", "blocked")
    quiet: ClassVar[tuple[Watched, ...]] = ("purchase",)

    corp: CorpId
    until: Goal = "shares"
    shares: int = 6
    """Shares that the owner wants to have, where the goal is a number of shares."""
    source: From = "any"
    most: int
    """The highest price for each share."""

    def reached(self, s: State, seat: PlayerId) -> bool:
        """Whether the goal is reached in this position."""
        if self.until == "float":
            return self.corp in s.floated
        if self.until == "presidency":
            return s.president.get(self.corp) == seat
        return s.held(self.corp, seat) >= self.shares

    def move(self, p: Prompt) -> Answer:
        """Buy the cheapest share at hand; pass where the goal is reached, this turn's is bought or it is too dear."""
        if BuyShare not in p.kinds or Pass not in p.kinds or not p.own_turn:
            return WAIT
        if p.s.bought or self.reached(p.s, p.seat):
            return p.passing(self.off)
        tries = [BuyShare(p.seat, self.corp, one) for one in SOURCES[self.source]]
        there = [one for one in tries if p.s.held(self.corp, one.source)]
        costs = [(paid, one) for one in tries if (paid := cost(p, one)) is not None]
        if costs:
            paid, best = min(costs, key=lambda pair: pair[0])
            return best if paid <= self.most else p.passing(self.off)
        low = lowest_price(p.t, p.s, self.corp, SOURCES[self.source])
        if low is not None and low > self.most:
            return p.passing(self.off)
        refused = p.objection((there or tries)[0])
        cause = Cause("blocked", corp=self.corp, text=refused.text if refused else "")
        return Stopped(cause) if self.wants("blocked") else p.passing(self.off)

    def after(self, e: Event) -> Program | Stopped:
        """It ends with the stock round in which it could act, and when the price passes its limit."""
        if e.before.round == SR and round_over(e):
            return Stopped(Cause("done" if self.reached(e.after, e.seat) else "round", corp=self.corp))
        sources = SOURCES[self.source]
        low = lowest_price(e.t, e.after, self.corp, sources)
        before = lowest_price(e.t, e.before, self.corp, sources)
        risen = low is not None and before is not None and before <= self.most < low
        if risen and not e.own and not self.reached(e.after, e.seat) and self.wants("price"):
            return Stopped(Cause("price", corp=self.corp, amount=low or 0))
        return self

    def about(self, e: Event) -> frozenset[CorpId]:
        """The owner's companies and the one that is bought."""
        return Program.about(self, e) | {self.corp}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sell(Program):
    """Sell a company's shares down to a number, once a share brings enough."""

    kind: ClassVar[str] = "sell"
    watches: ClassVar[tuple[Watched, ...]] = (*OTHERS, "blocked")
    quiet: ClassVar[tuple[Watched, ...]] = ("purchase", "company")

    corp: CorpId
    down_to: int = 0
    """Shares that the owner keeps."""
    least: int
    """The lowest price for each share."""
    then: Literal["pass", "wait"] = "pass"
    """Whether the turn ends with the sale, or its rest is left to other programs and the owner."""
    sold: bool = False
    """Whether it has sold in the present turn, which then ends; a sale by hand ends none."""

    def move(self, p: Prompt) -> Answer:
        """Sell as many as may be sold in one block, if the price is right."""
        if SellShares not in p.kinds or Pass not in p.kinds or not p.own_turn:
            return WAIT
        if self.corp in p.s.sold_now:
            return p.passing(self.off) if self.sold else WAIT
        if price(p.t, p.s, self.corp) < self.least:
            return WAIT
        spare = p.s.held(self.corp, p.seat) - self.down_to
        blocks = [SellShares(p.seat, self.corp, count) for count in range(spare, 0, -1)]
        sale = next((one for one in blocks if p.allows(one)), None)
        if sale is not None:
            paid = cost(p, sale)
            return sale if paid is not None and paid >= self.least else WAIT
        refused = p.objection(blocks[-1]) if blocks else None
        if refused is None or "blocked" in self.off:
            return WAIT
        return Stopped(Cause("blocked", corp=self.corp, text=refused.text))

    def after(self, e: Event) -> Program | Stopped:
        """It is done once no more is left than it keeps, and the turn is over if it should be."""
        left = e.after.held(self.corp, e.seat)
        turn = e.after.operating is None and e.after.up == e.seat and self.corp in e.after.sold_now
        sells = isinstance(e.action, SellShares) and self.move(prompt(e.t, e.before, e.seat)) == e.action
        sold = turn and self.then == "pass" and (self.sold or sells)
        if left <= self.down_to and not sold:
            return Stopped(Cause("done", corp=self.corp))
        return self if sold == self.sold else replace(self, sold=sold)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAhead(Program):
    """Pass in a round of players: the next turn, until the round ends, or whenever a purchase is over or impossible."""

    kind: ClassVar[str] = "pass"
    watches: ClassVar[tuple[Watched, ...]] = (*OTHERS, "outbid")

    span: Literal["once", "round", "bought", "idle"] = "round"
    """"bought" is after a purchase, "idle" where nothing can be bought (any more); both in all stock rounds."""
    fresh: bool = False
    """Whether the owner has yet to move in the round: "idle" leaves their first turn to them, as they may sell."""

    def move(self, p: Prompt) -> Answer:
        """Pass, or end the turn in which it was switched on, where that is allowed."""
        asked = p.own_turn and Pass in p.kinds and self._is_over(p)
        return Pass(p.seat) if asked and p.allows(Pass(p.seat)) else WAIT

    def _is_over(self, p: Prompt) -> bool:
        """Whether the turn is over as far as the program goes."""
        if self.span == "idle":
            return BuyShare in p.kinds and not self.fresh and not any(next(p.legal(one), None) for one in PURCHASES)
        return self.span != "bought" or p.s.bought

    def after(self, e: Event) -> Program | Stopped:
        """It ends with the round, or once it has passed."""
        if self.span == "idle" and (round_over(e) or (e.own and e.before.round != OR)):
            return replace(self, fresh=round_over(e))
        if self.span in ("bought", "idle"):
            return self
        passed = e.own and isinstance(e.action, Pass) and e.before.operating is None and not e.before.pending
        if passed and self.span == "once":
            return Stopped(Cause("done"))
        if round_over(e):
            return Stopped(Cause("round"))
        return Stopped(Cause("passed")) if all_passed(e) else self

    def about(self, e: Event) -> frozenset[CorpId]:
        """The owner's companies; where no trade in them matters, only what becomes of the owner's own presidencies."""
        return Program.about(self, e) if self.heeds_trade else frozenset()

    @property
    def heeds_trade(self) -> bool:
        """Whether trade in the owner's companies matters."""
        return self.wants("sale") or self.wants("purchase")
