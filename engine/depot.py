"""Trains for sale by the bank, and what their first purchase sets off: phases, rust, limits."""

from typing import Final

from engine.facts import PhaseBegan, TrainDiscarded, TrainExported, TrainsRusted
from engine.ids import POOL, CorpId, Holder, Rank
from engine.printed import TrainType
from engine.state import Pending, State
from engine.title import Title


def without_one(ranks: tuple[Rank, ...], rank: Rank) -> tuple[Rank, ...]:
    """The trains but for one of this rank."""
    place = ranks.index(rank)
    return ranks[:place] + ranks[place + 1 :]


def left_of(s: State, rank: Rank) -> bool:
    """Whether the bank has a train of the rank (unlimited ranks are not counted)."""
    return s.depot.get(rank, 1) > 0


def bank_trains(t: Title, s: State) -> list[Rank]:
    """Ranks that the bank sells now: the first not sold out, and those on sale beside it."""
    on_sale: list[Rank] = []
    for rank, train in t.trains.items():
        if (not on_sale or _sold_beside(t, s, train)) and left_of(s, rank):
            on_sale.append(rank)
    return on_sale


def _sold_beside(t: Title, s: State, train: TrainType) -> bool:
    """Whether the phase has begun from which the train is on sale beside earlier ones."""
    beside = train.on_sale_with
    return beside is not None and any(phase.starts_on == beside for phase in t.phases[: s.phase + 1])


def cheapest(t: Title, s: State) -> Rank | None:
    """The cheapest train of bank and market; None when both are empty."""
    ranks = [*bank_trains(t, s), *s.train_pool]
    return min(ranks, key=lambda rank: t.trains[rank].price, default=None)


def take_from_bank(t: Title, s: State, rank: Rank, buyer: CorpId | None) -> None:
    """Remove a train from the bank's stack; the first of its rank starts a phase."""
    if rank in s.depot:
        s.depot[rank] -= 1
    following = next((index for index, phase in enumerate(t.phases) if phase.starts_on == rank), 0)
    if following > s.phase:
        _begin_phase(t, s, following, buyer)


def export(t: Title, s: State) -> None:
    """After a set of operating rounds the bank's next train leaves the game, if its rank does, with all that a purchase
    would set off.
    """
    rank = next((rank for rank in t.trains if left_of(s, rank)), None)
    if rank in t.policy.trains.exported:
        s.facts.append(TrainExported(rank))
        take_from_bank(t, s, rank, None)


def _begin_phase(t: Title, s: State, index: int, buyer: CorpId | None) -> None:
    s.phase = index
    phase = t.phases[index]
    s.facts.append(PhaseBegan(phase.name))
    for rank, train in t.trains.items():
        if train.rusts_on == phase.starts_on:
            rust(s, rank)
    for event in phase.events:
        t.events[event](t, s)
    if t.policy.trains.discards_at_once:
        ask_discards(t, s, buyer)


def rust(s: State, rank: Rank) -> None:
    """Scrap all trains of the rank, those of the market and those that came back to the bank included."""
    owners: list[Holder] = [corp for corp, ranks in s.trains.items() if rank in ranks]
    if rank in s.train_pool:
        owners.append(POOL)
    for corp in owners:
        if corp != POOL:
            s.trains[CorpId(corp)] = tuple(other for other in s.trains[CorpId(corp)] if other != rank)
    s.train_pool = tuple(other for other in s.train_pool if other != rank)
    if rank in s.depot:
        s.depot[rank] = 0
    if owners:
        s.facts.append(TrainsRusted(rank, tuple(owners)))


def over_limit(t: Title, s: State, corp: CorpId) -> bool:
    """Whether the company owns more trains than the phase allows."""
    return len(s.trains[corp]) > t.train_limit(s, corp)


TO_DISCARD: Final = "discard"
"""Name of the interrupt in which a company discards."""


def ask_discards(t: Title, s: State, buyer: CorpId | None) -> None:
    """Interrupt for every company over its limit: the buyer first, then in operating order."""
    companies = (
        t.policy.companies.operating_order(t, s, s.trains) if t.policy.trains.discards_in_order else list(s.trains)
    )
    crowded = [corp for corp in companies if over_limit(t, s, corp)]
    if t.policy.trains.discards_in_order and buyer in crowded:
        crowded.remove(buyer)
        crowded.insert(0, buyer)
    asked = {pending.subject for pending in s.pending if pending.step == TO_DISCARD}
    for corp in reversed(crowded):
        president = s.president_of(corp)
        if corp not in asked and president is not None:
            s.pending += (Pending(TO_DISCARD, president, corp),)


def discard(t: Title, s: State, corp: CorpId, rank: Rank) -> None:
    """Put one train of the company onto the market."""
    s.trains[corp] = without_one(s.trains[corp], rank)
    s.train_pool += (rank,)
    s.facts.append(TrainDiscarded(corp, rank))
    if not over_limit(t, s, corp):
        s.pending = tuple(item for item in s.pending if item.step != TO_DISCARD or item.subject != corp)
