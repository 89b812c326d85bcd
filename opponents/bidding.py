"""How a quick player bids: up to what a private is worth to it, as long as it keeps enough to start a company."""

from collections.abc import Iterator, Mapping

from engine import State
from engine import actions as act
from engine.actions import Action
from engine.ids import BANK, PlayerId
from engine.money import free_cash
from engine.rounds.waterfall import least_bid, price_of
from opponents.auction import SHADED, reserve, stalled
from opponents.figures import Figures

HIGHER = 5.0
"""By how much a bid must be worth more than a purchase at once: what is bid for comes later."""


def bids(figures: Figures, s: State, seat: PlayerId, tastes: Mapping[str, float]) -> Iterator[Action]:
    """What the seat would like to do in an auction, the best first."""
    t = figures.t
    kinds = t.rounds[s.round].by_name[s.step].by_action
    growth = 1 + figures.w.cash_growth * figures.course.rounds
    if act.Bid in kinds:
        yield from _for_privates(figures, s, seat, tastes, growth, sale=act.BuyPrivate in kinds)
    elif act.BidToChoose in kinds:
        gains = sorted((gain * tastes[thing] for thing, gain in figures.gains(s, growth).items()), reverse=True)
        best, following = [*gains, 0.0, 0.0][:2]
        right = SHADED * (max(best, 0.0) - max(following, 0.0)) / growth
        least = min((bid.amount for bid in kinds[act.BidToChoose].candidates(t, s, seat)), default=0)  # type: ignore[attr-defined]
        if least <= right:
            yield act.BidToChoose(seat, least)
    else:
        yield from _choices(figures, s, seat, tastes, growth)
    yield act.Pass(seat)


def _for_privates(
    figures: Figures, s: State, seat: PlayerId, tastes: Mapping[str, float], growth: float, *, sale: bool
) -> Iterator[Action]:
    t = figures.t
    free, kept = free_cash(s, seat), reserve(t, s) * min(1.0, tastes["kept"])
    left = [private for private, owner in s.owner.items() if owner == BANK]
    wishes: list[tuple[float, Action]] = []
    for private in left if s.contested is None else [s.contested]:
        most = figures.private(s, private) * tastes[private] / growth
        standing = s.bids.get(private, {})
        if sale and private == left[0]:
            cost = price_of(t, s, private)
            if free - cost >= kept or stalled(t, s):
                wishes.append((most - cost, act.BuyPrivate(seat, private)))
        elif s.contested is not None or seat not in standing:
            amount = least_bid(t, s, private)
            if free + standing.get(seat, 0) - amount >= kept:
                wishes.append((most - amount - HIGHER, act.Bid(seat, private, amount)))
    wishes.sort(key=lambda wish: -wish[0])
    for gain, action in wishes:
        if gain > 0:
            yield action


def _choices(
    figures: Figures, s: State, seat: PlayerId, tastes: Mapping[str, float], growth: float
) -> Iterator[Action]:
    gains = figures.gains(s, growth)
    for thing in sorted(gains, key=lambda thing: -gains[thing] * tastes[thing]):
        if thing in figures.t.privates:
            yield act.BuyPrivate(seat, thing)  # type: ignore[arg-type]
        else:
            for _, par in reversed(figures.pars(s, seat, thing)):  # type: ignore[arg-type]
                yield act.Par(seat, par.corp, par.row, par.col)
