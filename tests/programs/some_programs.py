"""Programs of every kind that make some sense in a position, drawn by chance."""

from __future__ import annotations

from typing import Any

from engine import BANK, State, Title, apply, consent
from engine.actions import Action, LayTile
from engine.market import price
from programs import (
    KINDS,
    AnswerOffers,
    BidFor,
    BidToPick,
    Buy,
    Follow,
    Operate,
    PassAhead,
    Program,
    RunOut,
    Sell,
    prompt,
)
from programs.following import cut
from records.simulate import choose


def some_program(t: Title, s: State, seat: str, random: Any, without: str = "") -> Program | None:
    """A program of a random kind for the seat, but for one; None if there is nothing that it could be for."""
    kind = random.choice([one for one in KINDS if one != without])
    off = tuple(one for one in KINDS[kind].watches if random.random() < 0.5)
    started, unsold = list(s.par), [one for one, owner in s.owner.items() if owner == BANK]
    mine = [corp for corp in t.corporations if s.president_of(corp) == seat and corp in s.floated]
    if kind == "buy" and started:
        corp = random.choice(started)
        most = price(t, s, corp) + random.choice((-10, 0, 20, 100))
        until = random.choice(("shares", "float", "presidency"))
        source = random.choice(("any", "ipo", "pool"))
        return Buy(corp=corp, until=until, shares=random.randint(1, 8), source=source, most=max(0, most), off=off)
    if kind == "sell" and started:
        corp = random.choice(started)
        least = max(0, price(t, s, corp) + random.choice((-20, 0, 10)))
        then = random.choice(("pass", "wait"))
        return Sell(corp=corp, down_to=random.randint(0, 3), least=least, then=then, off=off)
    if kind == "pass":
        return PassAhead(span=random.choice(("once", "round")), off=off)
    if kind == "bid" and unsold:
        private = random.choice(unsold)
        most = t.privates[private].value + random.choice((-10, 0, 10, 50))
        step = random.choice((0, 5, 15))
        return BidFor(private=private, most=max(0, most), step=step, then=random.choice(("pass", "wait")), off=off)
    if kind == "right":
        return BidToPick(most=random.choice((0, 20, 60)), step=random.choice((0, 10)), off=off)
    if kind == "operate" and mine:
        return _operate(t, s, seat, random.choice(mine), random, off)
    if kind == "answer":
        return AnswerOffers(deal="train", agrees=random.random() < 0.5, price=random.choice((0, 100)))
    if kind == "run out":
        return RunOut(rounds=random.randint(1, 4))
    return _follow(t, s, seat, random) if kind == "follow" else None


def _follow(t: Title, s: State, seat: str, random: Any) -> Program | None:
    """A line of moves chosen by chance, without deals."""
    moves: list[Action] = []
    while len(moves) < 12 and not s.over:
        moves.append(choose(t, s, random))
        if consent(t, s, moves[-1]) is not None:
            moves.pop()
            break
        s = apply(t, s, moves[-1])
    taken = cut(tuple(moves), seat)
    return Follow(name="Line 1", moves=taken) if taken else None


def _operate(t: Title, s: State, seat: str, corp: str, random: Any, off: tuple[str, ...]) -> Program:
    lays = list(prompt(t, s, seat).legal(LayTile)) if s.operating == corp else []
    tiles = tuple(random.sample(lays, min(2, len(lays))))
    return Operate(
        corp=corp,
        rounds=random.randint(1, 3),
        track=random.choice(("ask", "none", "plan")),
        tiles=tiles,
        token=random.choice(("ask", "none")),
        run=random.choice(("ask", "best")),
        pays=random.choice(("ask", "pay", "withhold", "least")),
        least=random.choice((0, 50)),
        trains=random.choice(("ask", "none", "next")),
        off=off,  # type: ignore[arg-type]
    )
