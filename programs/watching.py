"""What the owner of a program would want to know: what others did that concerns them, in the order of weight.

Only what happens after a program was enabled is looked at, and never the owner's own moves.
"""

from collections.abc import Callable, Iterator
from typing import Any

from engine import POOL, CorpId, PlayerId
from engine import facts as f
from programs.program import Cause, Event, Program, Stopped, Watched

Concern = Callable[[Event, frozenset[CorpId], Any], Cause | None]


def stops(program: Program, e: Event) -> Stopped | None:
    """The weightiest thing in a move for which the program stops; None if it goes on."""
    if e.own:
        return None
    found = (cause for why, cause in concerns(e, program.about(e)) if program.wants(why))
    return next(map(Stopped, found), None)


def concerns(e: Event, about: frozenset[CorpId]) -> Iterator[tuple[Watched, Cause]]:
    """All that concerns the owner in what somebody else did, the weightiest first."""
    for why, kind, looks in _LOOKS:
        for fact in e.facts:
            if isinstance(fact, kind) and (cause := looks(e, about, fact)) is not None:
                yield why, cause


def _another(e: Event, who: str) -> PlayerId | None:
    """The player, if it is one, and not the owner."""
    return next((one for one in e.after.names if one == who and one != e.seat), None)


def _presidency(e: Event, about: frozenset[CorpId], fact: f.PresidentChanged) -> Cause | None:
    concerned = e.seat in (fact.source, fact.target) or fact.corp in about
    return Cause("presidency", e.after.president_of(fact.corp), fact.corp) if concerned else None


def _standing(e: Event, about: frozenset[CorpId], fact: f.SharesMoved) -> Cause | None:
    """A rival now has as much of a company that the owner presides over: one more share takes it."""
    rival = _another(e, fact.target)
    if rival is None or e.after.president[fact.corp] != e.seat:
        return None
    near = e.after.held(fact.corp, rival) >= e.after.held(fact.corp, e.seat)
    return Cause("standing", rival, fact.corp) if near else None


def _rust(e: Event, about: frozenset[CorpId], fact: f.TrainsRusted) -> Cause | None:
    mine = next((one for one in fact.owners if e.before.president.get(CorpId(one)) == e.seat), None)
    return None if mine is None else Cause("rust", corp=CorpId(mine), rank=fact.rank)


def _sale(e: Event, about: frozenset[CorpId], fact: f.SharesMoved) -> Cause | None:
    seller = _another(e, fact.source)
    if seller is None or fact.target != POOL or fact.corp not in about:
        return None
    return Cause("sale", seller, fact.corp, amount=fact.count)


def _company(e: Event, about: frozenset[CorpId], fact: f.ParSet) -> Cause | None:
    return Cause("company", fact.player, fact.corp, amount=fact.price) if fact.player != e.seat else None


def _outbid(e: Event, about: frozenset[CorpId], fact: f.BidMade) -> Cause | None:
    if fact.player == e.seat or e.seat not in e.before.bids.get(fact.private, {}):
        return None
    return Cause("outbid", fact.player, private=fact.private, amount=fact.amount)


def _purchase(e: Event, about: frozenset[CorpId], fact: f.SharesMoved) -> Cause | None:
    buyer = _another(e, fact.target)
    if buyer is None or fact.corp not in about or fact.source in e.after.names:
        return None
    return Cause("purchase", buyer, fact.corp, amount=fact.count)


_LOOKS: tuple[tuple[Watched, type[f.Fact], Concern], ...] = (
    ("presidency", f.PresidentChanged, _presidency),
    ("standing", f.SharesMoved, _standing),
    ("rust", f.TrainsRusted, _rust),
    ("sale", f.SharesMoved, _sale),
    ("company", f.ParSet, _company),
    ("outbid", f.BidMade, _outbid),
    ("purchase", f.SharesMoved, _purchase),
)
