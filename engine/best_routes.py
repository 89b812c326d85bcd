"""The router asked for a title: by what its policy says a president may aim at, with the trains that run."""

from collections.abc import Hashable

from engine.ids import CorpId
from engine.router import STATES, Best, best_pairs, best_runs
from engine.state import State
from engine.title import Title

MORE = 4
"""How many times as much work each further effort may take as the one before."""


def best_by_aims(t: Title, s: State, corp: CorpId, effort: int = 0) -> tuple[Best, ...]:
    """For each aim the best set of routes for the company's trains, or where a subsidy counts beside the revenue all
    sets that no other betters in both.
    """
    return ask_router(t, s, corp, _by_trains(t, s, corp), effort)


def best_by_aim(t: Title, s: State, corp: CorpId, number: int) -> tuple[Best, ...]:
    """The same for one of the aims, by its place among them."""
    return _ask(t, s, corp, _by_trains(t, s, corp), number, 0)


def _by_trains(t: Title, s: State, corp: CorpId) -> tuple[Hashable, ...]:
    """What the answers depend on beside the board."""
    rights = tuple(rules.through for rules in t.policy.routes.aims(t, s, corp))
    return corp, tuple(sorted(s.trains[corp])), s.phase, rights


def ask_router(t: Title, s: State, corp: CorpId, key: tuple[Hashable, ...], effort: int = 0) -> tuple[Best, ...]:
    """The router's answers to all aims, one after the other; kept with the board under `key` and the effort.

    Effort 0 is a first search. Each further one goes on where the one before left something unproved, so an answer
    depends on the position and the effort alone.
    """
    aims = range(len(t.policy.routes.aims(t, s, corp)))
    return tuple(best for number in aims for best in _ask(t, s, corp, key, number, effort))


def _ask(t: Title, s: State, corp: CorpId, key: tuple[Hashable, ...], number: int, effort: int) -> tuple[Best, ...]:
    """The router's answers to the aim of this number."""
    kept = ("best", effort, number, *key)
    known: tuple[Best, ...] | None = s.board.memo.get(kept)
    if known is None:
        known = _ask(t, s, corp, key, number, effort - 1) if effort else ()
        known = s.board.memo[kept] = (
            known if known and all(best.proved for best in known) else _search(t, s, corp, number, effort, known)
        )
    return known


def _search(t: Title, s: State, corp: CorpId, number: int, effort: int, known: tuple[Best, ...]) -> tuple[Best, ...]:
    rules, allowed = t.policy.routes.aims(t, s, corp)[number], STATES * MORE**effort
    trains = t.policy.routes.runners(t, s, corp) if rules.trains is None else rules.trains
    if rules.subsidy is None:
        return (best_runs(s.board, corp, trains, rules, allowed=allowed, before=known[0] if known else None),)
    return best_pairs(s.board, corp, trains, rules, allowed=allowed, before=known)
