"""Games with players and options drawn, for tests that want to see them all, and what is thought of positions."""

from __future__ import annotations

from random import Random

from tables import table
from walks import some_title

from engine import State, Title
from engine.ids import PlayerId
from engine.shares import certificates
from opponents import Choice, regular
from opponents.choice import best_first
from opponents.question import ask
from opponents.weights import STANDARD, Weights


def drawn_title(title_id: str, seed: int) -> Title:
    """The title with players and options drawn."""
    return some_title(title_id, Random(f"{title_id} {seed}"))


def considered(title: Title, state: State, seat: PlayerId, weights: Weights = STANDARD) -> Choice:
    """What a regular does that goes by no rule of thumb."""
    return best_first(regular.rate(ask(title, state, seat, weights), Random(0)))[0]


def near_the_limit(room: int) -> tuple[Title, State]:
    """A stock round of 1889 in which the limit of certificates leaves p1 room for none or one.

    A share of AR costs 70 and is worth 175; the others of p1, at 125, are worth keeping.
    """
    layout = table("1889", 6).phase("5").par("AR", 70, at=(0, 8)).trains("AR", "5").shares("AR", p2=5)
    for corp, count in (("IR", 4), ("SR", 4), ("KO", 3 - room)):
        layout.par(corp, 65, at=(0, 5)).trains(corp, "5").shares(corp, p1=count, p3=5, p4=5 - count)
    title, state = layout.stock("p1", 4).cash(p1=100).build()
    assert certificates(title, state, PlayerId("p1")) + room == title.policy.holdings.cert_limit(title, state)
    return title, state


def in_need() -> tuple[Title, State]:
    """1889: AR of p1 must buy a train soon, p1 has little money but good shares of others, which pay."""
    layout = table("1889", 3).phase("4", left_4=3).par("AR", 80, at=(2, 3)).shares("AR", p1=5).cash(AR=0, p1=40)
    for corp in ("IR", "SR"):
        layout.par(corp, 80, at=(1, 5)).trains(corp, "5").shares(corp, p1=2, p2=6).cash(**{corp: 300})
    return layout.stock("p1", 6).bank(900).build()
