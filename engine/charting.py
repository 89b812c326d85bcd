"""What charts show of a whole game (`views.ChartView`), from its positions in order.

`states` are the beginning of a game and the position after each of its moves. Worth is `shares.worth` throughout.
What is secret stays so until the last of these positions is the end: `viewer` is who looks, None for everybody.
"""

from collections.abc import Callable, Sequence

from engine.facts import CashMoved, DividendDecided, RoundBegan
from engine.ids import POOL, CorpId, PlayerId
from engine.market import price
from engine.past import PlayedRound, rounds_of
from engine.secrets import cash_visible
from engine.shares import worth
from engine.state import State
from engine.title import Title
from engine.viewing import companies
from engine.views import ChartView, CountsView, CurvesView, CurveView, SourcesView

SOURCES = ("start", "dividends", "shares", "privates", "other")


def worth_curves(t: Title, states: Sequence[State], viewer: PlayerId | None = None) -> CurvesView:
    """Everybody's worth at the start and at the end of each round."""
    last, ends = states[-1], rounds_of(states)
    seen = [player for player in last.players if cash_visible(t, last, player, viewer)]
    curves = tuple(
        CurveView(
            last.names[player],
            None,
            (worth(t, states[0], player), *(worth(t, states[one.end], player) for one in ends)),
        )
        for player in seen
    )
    return _curves(t, last, "Worth", ends, curves, hidden=_hidden(last, seen))


def price_curves(t: Title, states: Sequence[State]) -> CurvesView:
    """Each company's share price at the end of each round, since its first and as long as it has one."""
    ends = rounds_of(states)

    def at(corp: CorpId, state: State) -> int | None:
        return price(t, state, corp) if corp in state.cell else None

    curves = tuple(
        CurveView(corp, corp, (at(corp, states[0]), *(at(corp, states[one.end]) for one in ends)))
        for corp in t.corporations
    )
    return _curves(t, states[-1], "Share prices", ends, _with_figures(curves))


def revenue_curves(t: Title, states: Sequence[State]) -> CurvesView:
    """What each company's trains earned in each operating round; None where it did not operate."""
    rounds = rounds_of(states)
    earned: list[dict[CorpId, int]] = [{} for _ in rounds]
    number = 0
    for fact in (fact for state in states[1:] for fact in state.facts):
        if isinstance(fact, RoundBegan):  # and the move that ended the round before may go on in this one
            number += 1
        elif isinstance(fact, DividendDecided):
            earned[number][fact.corp] = earned[number].get(fact.corp, 0) + fact.revenue
    runs = [(one.name, some) for one, some in zip(rounds, earned, strict=True) if one.operating]
    curves = tuple(CurveView(corp, corp, tuple(some.get(corp) for _, some in runs)) for corp in t.corporations)
    names = tuple(name for name, _ in runs)
    return CurvesView(t.name, "Revenue", t.currency, names, _with_figures(curves), companies(t))


def worth_sources(t: Title, states: Sequence[State], viewer: PlayerId | None = None) -> SourcesView:
    """Where everybody's worth came from; the parts add up to the worth.

    Shares and privates count what they are worth now and what they brought, less what they cost.
    """
    last = states[-1]
    seen = [player for player in last.players if cash_visible(t, last, player, viewer)]
    rows = tuple((last.names[player], _sources(t, states, player)) for player in seen)
    return SourcesView(t.name, "Where worth came from", t.currency, SOURCES, rows, _hidden(last, seen))


def worth_parts(t: Title, s: State, player: PlayerId) -> tuple[int, int, int]:
    """What the player's cash, shares and privates count; together the worth.

    A title counts shares in its own way, so what they count is what would be missing without them.
    """
    without = s.copy()
    for corp, held in without.shares.items():
        held.pop(player, None)
        if without.president.get(corp) == player:
            without.president[corp] = POOL
    whole, rest = worth(t, s, player), worth(t, without, player)
    return s.cash[player], whole - rest, rest - s.cash[player]


def _sources(t: Title, states: Sequence[State], player: PlayerId) -> tuple[int, ...]:
    gained = {"dividends": 0, "shares": 0, "privates": 0}
    kinds = {
        "dividend": "dividends",
        "share": "shares",
        "shares sold": "shares",
        "private income": "privates",
        "private": "privates",
        "bid": "privates",
    }
    for state in states[1:]:
        for fact in state.facts:
            if isinstance(fact, CashMoved) and fact.why in kinds and player in (fact.source, fact.target):
                gained[kinds[fact.why]] += fact.amount if fact.target == player else -fact.amount
    (_, shares_then, privates_then), (_, shares, privates) = (
        worth_parts(t, one, player) for one in (states[0], states[-1])
    )
    gained["shares"] += shares - shares_then
    gained["privates"] += privates - privates_then
    start = worth(t, states[0], player)
    other = worth(t, states[-1], player) - start - sum(gained.values())
    return (start, gained["dividends"], gained["shares"], gained["privates"], other)


def train_counts(t: Title, states: Sequence[State]) -> CountsView:
    """How many trains of each rank companies had at the end of each operating round."""
    ends = [one for one in rounds_of(states) if one.operating]
    owned = [[rank for own in states[one.end].trains.values() for rank in own] for one in ends]
    ranks = [rank for rank in t.trains if any(rank in own for own in owned)]
    rows = tuple((rank, tuple(own.count(rank) for own in owned)) for rank in ranks)
    return CountsView(t.name, "Trains", tuple(one.name for one in ends), rows)


def _curves(
    t: Title,
    s: State,
    about: str,
    ends: Sequence[PlayedRound],
    curves: tuple[CurveView, ...],
    hidden: tuple[str, ...] = (),
) -> CurvesView:
    return CurvesView(t.name, about, t.currency, ("start", *(one.name for one in ends)), curves, companies(t), hidden)


def _with_figures(curves: tuple[CurveView, ...]) -> tuple[CurveView, ...]:
    return tuple(one for one in curves if any(value is not None for value in one.values))


def _hidden(s: State, seen: Sequence[PlayerId]) -> tuple[str, ...]:
    return tuple(s.names[player] for player in s.players if player not in seen)


CHARTS: dict[str, Callable[[Title, Sequence[State], PlayerId | None], ChartView]] = {
    "worth": worth_curves,
    "prices": lambda t, states, _: price_curves(t, states),
    "revenue": lambda t, states, _: revenue_curves(t, states),
    "sources": worth_sources,
    "trains": lambda t, states, _: train_counts(t, states),
}


def chart(t: Title, states: Sequence[State], name: str, viewer: PlayerId | None = None) -> ChartView:
    """The chart of this name, one of CHARTS."""
    return CHARTS[name](t, states, viewer)
