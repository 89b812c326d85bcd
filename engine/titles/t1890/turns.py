"""Game turns: a stock round, initial or regular, and the operating rounds after it. {1890-OR-05, 1890-OR-06}"""

from __future__ import annotations

from engine.flow import enter, finish
from engine.ids import OR, SR
from engine.rounds.waterfall import unsold
from engine.state import State
from engine.title import Title
from engine.titles.t1890.auction import lower_price


def end_operating_round(t: Title, s: State) -> None:
    """Another operating round, the end of the game, or the next game turn."""
    if s.or_number < s.or_count:
        s.or_number += 1
        enter(t, s, OR)
    elif s.broken:
        finish(t, s, "bank")
    elif s.turn == t.policy.course.last_turn:
        finish(t, s, "turns")
    else:
        s.turn += 1
        lower_price(t, s)
        enter(t, s, "ISR" if unsold(s) else SR)
