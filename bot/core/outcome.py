"""What an action leads to: the moves that follow it until a person has a choice again.

Everything here is slow and runs in a worker thread, once per action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import engine
from bot.core.notes import SUGGESTED, Note
from bot.core.orders import RANDOM, Orders
from bot.core.turns import Move, company_of
from engine.actions import Action, Pass
from engine.ids import CHANCE
from engine.secrets import hidden_purses, with_purses
from engine.state import State
from engine.title import Title

LONGEST_CHAIN = 500
"""Moves that follow from one press at most; programs of several players can play whole rounds."""


def outcome(
    title: Title, state: State, action: Action, user: int | None, note: Note | None, seq: int, orders: Orders
) -> list[Move]:
    """The action as move `seq`, and every move that follows from it. Updates `orders`. Raises Refused or BadAction."""
    after = engine.apply(title, state, action)
    if note is None or note.how in ("by the host", SUGGESTED):
        orders.overruled(title, state, action)
    orders.moved(title, state, action, after, seq)
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
    orders: Orders,
) -> list[Move]:
    """The actions of one press, one after the other from move `seq` on, each with every move that follows from it.

    Updates `orders`. Raises Refused or BadAction where one of them cannot be done; then none is.
    """
    moves: list[Move] = []
    for action in actions:
        moves += outcome(title, state, action, user, note, seq + len(moves), orders)
        state = moves[-1].state
    return moves


def following(title: Title, state: State, seq: int, orders: Orders) -> Iterator[Move]:
    """Chance draws, forced passes and moves of programs, from move `seq` on, until a person has a choice.

    A program's move is its owner's own: nothing in it says that a program made it.
    """
    for number in range(seq, seq + LONGEST_CHAIN):
        automatic = None if state.over else _next(title, state, orders)
        if automatic is None:
            return
        action, note, maker = automatic
        company, before = company_of(state), state
        state = engine.apply(title, before, action)
        orders.moved(title, before, action, state, number, maker=maker)
        user = None if maker is None else orders.users.get(action.by)
        yield Move(number, action, user, note, state, company)


def _next(title: Title, state: State, orders: Orders) -> tuple[Action, Note | None, int | None] | None:
    """The move that needs nobody here, and the program that makes it; None if a person must choose."""
    asked = engine.decision(title, state)
    if asked.players == (CHANCE,):
        return RANDOM.choice(list(engine.legal(title, state, CHANCE))), Note("drawn by chance"), None
    if must_pass(title, state) and must_pass(title, with_purses(state, hidden_purses(title, state, None))):
        # If only somebody with more money could do something, passing for them would reveal how little there is.
        return Pass(asked.players[0]), Note("nothing else to do"), None
    found = orders.move(title, state, asked)
    return None if found is None else (found[0], None, found[1])


def must_pass(title: Title, state: State) -> bool:
    """Whether the only seat that must decide can do nothing but pass."""
    asked = engine.decision(title, state).players
    if len(asked) != 1 or Pass not in engine.present_step(title, state).by_action:
        return False
    return {type(action) for action in islice(engine.legal(title, state, asked[0]), 2)} == {Pass}
