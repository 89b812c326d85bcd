"""A position in which nobody can ever do anything again ends the game instead of coming round for ever.

Only 1860 can come to that, and only its ledger has a rule for it: in 1889 and 1888 the privates go on paying until
somebody can start a company, whose shares can then be sold, and 1890 ends with its last turn.
"""

from __future__ import annotations

import pytest

from engine import BANK, CLOSED, TITLES, State, Title, apply, build, decision, judge, legal, start
from engine.actions import Action, BidToChoose, BuyPrivate, EndGame, Pass, SellPrivate, SellShares
from engine.facts import GameEnded
from engine.flow import enter
from engine.ids import PlayerId
from records.simulate import steps


def penniless(title: str) -> tuple[Title, State]:
    """Before the first stock round nobody has money, and nothing will ever pay."""
    t = build(title, min(TITLES[title].players))
    s = start(t, tuple(f"P{n}" for n in range(t.players)))
    s.cash.update(dict.fromkeys(s.players, 0))
    s.owner.update(dict.fromkeys(s.owner, CLOSED))
    s.pending, s.facts = (), []
    return t, s


@pytest.mark.parametrize("title", TITLES)
def test_a_game_in_which_nothing_can_happen_any_more_ends(title: str) -> None:
    t, s = penniless(title)
    enter(t, s, "SR")
    assert s.over == "stuck"
    ended = [fact for fact in s.facts if isinstance(fact, GameEnded)]
    assert [fact.reason for fact in ended] == ["stuck"]


@pytest.mark.parametrize("title", TITLES)
def test_it_goes_on_where_somebody_will_be_able_to_do_something(title: str) -> None:
    t, s = penniless(title)
    s.cash[s.players[0]] = 1_000
    enter(t, s, "SR")
    assert not s.over
    assert decision(t, s).players


@pytest.mark.rule("1860-END-21")
@pytest.mark.parametrize("options", [(), ("online",), ("online", "variable_privates")])
def test_it_ends_in_1860_too_where_18xx_games_asks_for_ever(options: tuple[str, ...]) -> None:
    """All money but a few pounds has gone for bids, and the privates lie with the bank, for sale to nobody."""
    t = build("1860", 2, options)
    s = start(t, ("Ann", "Ben"))
    s.cash.update(p1=20, p2=29)
    s.owner.update({private: BANK for private in s.owner if private != "FFC"})
    s.pending, s.facts = (), []
    enter(t, s, "SR")
    assert s.over == "stuck"


@pytest.mark.rule("1860-END-21")
@pytest.mark.parametrize("options", [(), ("online",)])
@pytest.mark.parametrize("hope", ["income", "a private to sell", "money for a private"])
def test_it_goes_on_in_1860_as_long_as_there_is_hope(options: tuple[str, ...], hope: str) -> None:
    t = build("1860", 2, options)
    s = start(t, ("Ann", "Ben"))
    s.cash.update(p1=20, p2=30 if hope == "money for a private" else 29)
    s.owner.update({private: BANK for private in s.owner if private != "FFC"})
    s.owner.update({"income": {"BHC": "p1"}, "a private to sell": {"CMH": "p2"}}.get(hope, {}))
    s.pending, s.facts, s.turn = (), [], 2
    enter(t, s, "SR")
    assert not s.over


@pytest.mark.rule("1860-END-21")
@pytest.mark.parametrize("options", [(), ("online",)])
def test_a_game_whose_money_goes_for_bids_and_losses_ends_by_itself(options: tuple[str, ...]) -> None:
    t = build("1860", 2, options)
    s = start(t, ("Ann", "Ben"))
    for _ in range(200):
        if s.over:
            break
        seat = decision(t, s).players[0]
        s = apply(t, s, _wasteful(t, s, seat))
    assert s.over == "stuck"


def _wasteful(t: Title, s: State, seat: PlayerId) -> Action:
    """Bid as much as may be, buy privates and sell them with a loss, sell what can be sold, and else pass."""
    found = [action for action in legal(t, s, seat) if not isinstance(action, EndGame)]
    if any(isinstance(action, BidToChoose) for action in found):
        amounts = range(s.cash[seat], 0, -1)
        return next(bid for bid in (BidToChoose(seat, amount) for amount in amounts) if judge(t, s, bid) is None)
    kinds = (SellPrivate, BuyPrivate, SellShares, Pass)
    return next((action for kind in kinds for action in found if isinstance(action, kind)), found[0])


@pytest.mark.slow
def test_a_random_game_that_came_round_for_ever_ends() -> None:
    """About one in thirty is such a game; which ones changes with what is offered."""
    t = build("1860", 4, ["accelerated_track"])
    lasts = (list(steps(t, ("Ann", "Ben", "Cho", "Dan"), seed))[-1][1] for seed in range(1010, 1110))
    assert any(last.over == "stuck" for last in lasts)
