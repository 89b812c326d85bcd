"""What an action leads to: the moves that follow it until a person has a choice again.

Everything here is slow and runs in a worker thread, once per action.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from itertools import islice

import engine
from bot.play.notes import Note
from bot.play.standing_passes import StandingPasses, cancelled_by
from bot.play.turns import Move, company_of
from engine.actions import Action, Pass
from engine.ids import CHANCE
from engine.state import State
from engine.title import Title

RANDOM = secrets.SystemRandom()


def outcome(
    title: Title, state: State, action: Action, user: int | None, note: Note | None, seq: int, orders: StandingPasses
) -> list[Move]:
    """The action as move `seq`, and every move that follows from it. Updates `orders`. Raises Refused or BadAction."""
    after = engine.apply(title, state, action)
    orders.drop(cancelled_by(action, after.facts, state, orders))
    return [
        Move(seq, action, user, note, after, company_of(state)),
        *following(title, after, seq + 1, orders),
    ]


def outcomes(
    title: Title,
    state: State,
    actions: Sequence[Action],
    user: int | None,
    note: Note | None,
    seq: int,
    orders: StandingPasses,
) -> list[Move]:
    """The actions of one press, one after the other from move `seq` on, each with every move that follows from it.

    Updates `orders`. Raises Refused or BadAction where one of them cannot be done; then none is.
    """
    moves: list[Move] = []
    for action in actions:
        moves += outcome(title, state, action, user, note, seq + len(moves), orders)
        state = moves[-1].state
    return moves


def following(title: Title, state: State, seq: int, orders: StandingPasses) -> Iterator[Move]:
    """Chance draws, standing passes and forced passes, from move `seq` on, until a person has a choice."""
    while not state.over and (automatic := _next(title, state, orders)) is not None:
        action, note = automatic
        company = company_of(state)
        state = engine.apply(title, state, action)
        orders.passed(action, state)
        yield Move(seq, action, None, note, state, company)
        seq += 1


def _next(title: Title, state: State, orders: StandingPasses) -> tuple[Action, Note] | None:
    """The move that the bot makes on its own here, or None if a person must choose."""
    asked = engine.decision(title, state)
    if asked.players == (CHANCE,):
        return RANDOM.choice(list(engine.legal(title, state, CHANCE))), Note("drawn by chance")
    seat = orders.passes_now(asked, state)
    if seat is not None:
        wanted = Pass(seat)
        return (wanted, Note("standing pass")) if engine.judge(title, state, wanted) is None else None
    if asked.subject is None and not title.policy.secrecy.open_cash:
        return None  # passing for the player would reveal how little they have
    return (Pass(asked.players[0]), Note("nothing else to do")) if _must_pass(title, state) else None


def _must_pass(title: Title, state: State) -> bool:
    """Whether the only seat that must decide can do nothing but pass."""
    asked = engine.decision(title, state).players
    if len(asked) != 1 or Pass not in engine.present_step(title, state).by_action:
        return False
    return {type(action) for action in islice(engine.legal(title, state, asked[0]), 2)} == {Pass}
