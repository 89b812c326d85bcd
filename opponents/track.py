"""Tiles and tokens: what a company would run for afterwards, and what the map would promise it."""

from dataclasses import replace
from math import inf

from engine import State, Title, legal
from engine import actions as act
from engine.board.reach import reach
from engine.board.tiles import turned
from engine.depot import left_of
from engine.ids import CorpId, Rank
from engine.steps.track import lay_cost
from opponents.choice import Choice, Reason
from opponents.earning import outlook, potential, revenue, stop_values
from opponents.facts import facts_of
from opponents.question import Question

TRIED = 8
"""For how many lays or tokens the router is asked; the others promise less."""
JOINING = 4
"""One in so many of these lays is one that joins track of the company, if there is any: it promises nothing more, but
may bring a better run at once."""


def likely_trains(t: Title, s: State, corp: CorpId) -> tuple[Rank, ...]:
    """The trains that the company will run next: its own, or the one it is going to buy; none where it cannot pay for
    one and nobody has to help, or while it runs what it does not own."""
    if s.trains[corp]:
        return tuple(sorted(s.trains[corp]))
    rank = next((rank for rank in t.trains if left_of(s, rank)), None)
    if rank is None or t.policy.routes.runners(t, s, corp):
        return ()
    return (rank,) if facts_of(t).presidents_pay or t.trains[rank].price <= s.cash[corp] else ()


def _later(t: Title, s: State, corp: CorpId) -> float:
    """What a train may earn that companies may have later on: the one after those on sale now."""
    ranks = [rank for rank in t.trains if left_of(s, rank)][:2]
    facts = facts_of(t)
    return potential(stop_values(t, s, corp), facts.trains[facts.place[ranks[-1]]].reach if ranks else 5.0)


def next_price(t: Title, s: State) -> int:
    """What the cheapest train costs that the bank still has; 0 where it has none."""
    return min((t.trains[rank].price for rank in t.trains if left_of(s, rank)), default=0)


def spare(q: Question) -> float:
    """What the company may spend without risking its president's bankruptcy: while it has no train, what is left when
    both have put together the price of one."""
    t, s, corp = q.t, q.s, q.corp
    assert corp is not None
    if s.trains[corp] or not facts_of(t).presidents_pay:
        return inf
    return max(0, s.cash[corp] - max(0, next_price(t, s) - s.cash[q.seat]))


def look(t: Title, lay: act.LayTile | act.LayPowerTile) -> tuple[object, ...]:
    """What tells a lay from others: turned by half, a straight looks the same."""
    return replace(lay, rotation=0), turned(t.tiles[lay.tile].face, lay.rotation).segments


def rate_lays(
    q: Question,
    now: float = 3.0,
    later: float = 0.6,
    promise: float = 0.5,
    thrift: float = 0.6,
    tried_closely: int = TRIED,
    ahead: float = 0.0,
) -> list[Choice]:
    """The lays that look different, by what they bring to the company: the more that it runs for at once weighs most.

    `ahead` is what part counts, where it then runs for nothing, of what it could run for after another lay: so that
    track leads somewhere.
    """
    t, s, corp = q.t, q.s, q.corp
    assert corp is not None
    trains = likely_trains(t, s, corp)
    before, before_later, hope = revenue(t, s, corp, trains), _later(t, s, corp), outlook(t, s, corp)
    reached, most = reach(s.board, corp, ()).hexes, spare(q)
    tried = []
    different: dict[tuple[object, ...], act.LayTile | act.LayPowerTile] = {}
    for lay in q.options:
        if isinstance(lay, act.LayTile | act.LayPowerTile) and lay.hex in reached:
            different.setdefault(look(t, lay), lay)
    for action in different.values():
        spent = lay_cost(t, s, corp, action.hex) if isinstance(action, act.LayTile) else 0
        if spent > most:
            continue
        after = s.copy()
        after.board = s.board.with_tile(action.hex, action.tile, action.rotation)
        gain = outlook(t, after, corp) - hope
        hopes = _later(t, after, corp) - before_later
        tried.append((later * hopes + promise * gain - thrift * spent, action, after, spent, gain, hopes))
    tried.sort(key=lambda entry: -entry[0])
    choices = []
    best = tried_closely - tried_closely // JOINING
    tried[best:] = sorted(tried[best:], key=lambda entry: not _joins(t, s, corp, entry[1]))
    for score, action, after, spent, gain, hopes in tried[:tried_closely]:
        runs = revenue(t, after, corp, trains)
        reasons = _reasons(q, (runs, before), gain, hopes, spent)
        if ahead and not runs:
            score += ahead * now * _after_another(q, after, trains)
        choices.append(Choice(action, score + now * (runs - before), reasons))
    return choices


def _joins(t: Title, s: State, corp: CorpId, lay: act.LayTile | act.LayPowerTile) -> bool:
    """Whether new track of the lay meets the company's from two sides."""
    before = s.board.face(lay.hex).exits
    new = turned(t.tiles[lay.tile].face, lay.rotation).exits - before
    return sum((lay.hex, side) in reach(s.board, corp, ()).sides for side in new) > (not before)


def _reasons(q: Question, runs: tuple[int, int], gain: float, hopes: float, spent: int) -> tuple[Reason, ...]:
    """What is told of a lay or a token: `runs` with and without it, what it promises, and its cost."""
    assert q.corp is not None
    reasons = (Reason("runs", *runs, str(q.corp)), Reason("outlook", round(gain)), Reason("later", round(hopes)))
    return (*reasons, Reason("costs", spent), *([] if q.s.trains[q.corp] else [Reason("trainless", 1)]))


def _after_another(q: Question, s: State, trains: tuple[Rank, ...]) -> int:
    """The most that the company runs for after one more lay."""
    assert q.corp is not None
    reached = reach(s.board, q.corp, ()).hexes
    best = 0
    for action in legal(q.t, s, q.seat):
        if isinstance(action, act.LayTile) and action.hex in reached:
            after = s.copy()
            after.board = s.board.with_tile(action.hex, action.tile, action.rotation)
            best = max(best, revenue(q.t, after, q.corp, trains))
    return best


def rate_tokens(q: Question, rounds: float, thrift: float = 1.0) -> list[Choice]:
    """The tokens, by what the company would run for in the rounds left, now and with its next train."""
    t, s, corp = q.t, q.s, q.corp
    assert corp is not None
    trains = likely_trains(t, s, corp)
    before, before_later, hope = revenue(t, s, corp, trains), _later(t, s, corp), outlook(t, s, corp)
    tried, most = [], spare(q)
    for action in q.options:
        after = q.after(action) if isinstance(action, act.PlaceToken) else None
        if after is None:
            continue
        spent = s.cash[corp] - after.cash[corp]
        if spent > most:
            continue
        gain = outlook(t, after, corp) - hope
        hopes = _later(t, after, corp) - before_later
        tried.append((rounds * 0.3 * hopes + 0.5 * gain - thrift * spent, action, after, spent, gain, hopes))
    tried.sort(key=lambda entry: -entry[0])
    choices = []
    for score, action, after, spent, gain, hopes in tried[:TRIED]:
        runs = revenue(t, after, corp, trains)
        reasons = _reasons(q, (runs, before), gain, hopes, spent)
        choices.append(Choice(action, score + rounds * 0.5 * (runs - before), reasons))
    return choices
