"""Several decisions of one person in one press: no token, run and pay out; buy nothing more and end the turn.

Each stays an action of its own, judged by the engine and a row of the log; only the pressing is spared. What is
declined on the way was on offer beside the press.
"""

from __future__ import annotations

import engine
from engine.actions import Action, Pass, PlaceToken, RunTrains
from engine.ids import PlayerId
from engine.state import State
from engine.title import Title


def ends_turn(t: Title, s: State) -> bool:
    """Whether declining the present step may decline the rest of the company's turn too.

    That is so where no later step offers what this one does not. It follows from the title alone, and tells nothing of
    what the company could pay for.
    """
    step = engine.present_step(t, s)
    if s.operating is None or s.pending or Pass not in step.by_action:
        return False
    steps = t.rounds[s.round].steps
    later = [verb for one in steps[steps.index(step) + 1 :] for verb in one.verbs if verb.action is not Pass]
    return bool(later) and all(verb in step.verbs for verb in later)


def to_end_of_turn(t: Title, s: State, seat: PlayerId) -> list[Action]:
    """The passes that decline the present step and the rest of the company's turn. Raises Refused."""
    passes: list[Action] = []
    company = s.operating
    while not s.over and s.operating == company and seat in engine.decision(t, s).players and not s.pending:
        passes.append(Pass(seat))
        s = engine.apply(t, s, passes[-1])
    return passes


def to_run(t: Title, s: State, seat: PlayerId) -> list[Action] | None:
    """What leads from here to running: nothing if that is asked now, the pass if it comes next after a token.

    None elsewhere.
    """
    verbs = engine.present_step(t, s).by_action
    if RunTrains in verbs:
        return []
    if PlaceToken not in verbs or Pass not in verbs or s.pending:
        return None
    declined = Pass(seat)
    if engine.judge(t, s, declined) is not None:
        return None
    after = engine.apply(t, s, declined)
    goes_on = after.operating == s.operating and not after.pending and not after.over
    return [declined] if goes_on and RunTrains in engine.present_step(t, after).by_action else None
