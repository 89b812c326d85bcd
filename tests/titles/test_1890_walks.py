"""1890: eager random players, who get to late phases, with every position audited."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tables import NAMES

from engine import CLOSED, IPO, POOL, State, Title, apply, build, decision, legal, start
from engine import actions as act
from engine.actions import Action
from engine.ids import RESERVED
from engine.stored import state_of
from engine.titles.t1890.companies import has_closed, reached
from engine.titles.t1890.own import own
from engine.titles.t1890.ways import Ways1890

_WEIGHTS: dict[type[Action], float] = {
    act.Pass: 0.4, act.BuyPrivate: 20, act.Bid: 0.3, act.Par: 6, act.BuyShare: 12, act.SellShares: 0.15,
    act.LayTile: 20, act.PlaceToken: 2, act.BuyTrain: 12, act.CompanyBuysPrivate: 0.6, act.ExchangePrivate: 0.1,
    act.TradePrivate: 0.05, act.RunTrains: 5, act.Dividend: 5, act.GoBankrupt: 0.05,
}  # fmt: skip


def eager(t: Title, s: State, random: Random) -> Action:
    """An action that gets the game on: trains from the bank, shares, track."""
    asked = decision(t, s).players
    seat = asked[0] if random.random() < 0.97 else random.choice((*s.players, *asked))
    options = list(legal(t, s, seat)) or list(legal(t, s, asked[0]))
    assert options, f"nobody can do anything: {decision(t, s)}"
    kinds = list(dict.fromkeys(type(option) for option in options))
    kind = random.choices(kinds, [_WEIGHTS.get(kind, 1) for kind in kinds])[0]
    options = [option for option in options if type(option) is kind]
    from_bank = [a for a in options if isinstance(a, act.BuyTrain) and a.source in ("bank", POOL)]
    return random.choice(from_bank if from_bank and random.random() < 0.85 else options)


def audit(t: Title, s: State) -> None:
    """Money, certificates, tokens and trains are all somewhere."""
    assert sum(s.cash.values()) == t.bank
    assert all(amount >= 0 for holder, amount in s.cash.items() if holder != "bank")
    holders = {*s.players, IPO, POOL, RESERVED, CLOSED}
    placed = Counter(token for places in s.board.tokens.values() for token in places if token)
    for corp in t.corporations.values():
        held = s.shares[corp.id]
        assert sum(held.values()) == (0 if corp.certificate else 10)
        assert set(held) <= holders
        assert placed[corp.id] + len(s.tokens[corp.id]) == len(corp.token_costs)
        if has_closed(s, corp.id):
            assert (s.cash[corp.id], s.trains[corp.id], placed[corp.id]) == (0, (), 0)
            assert corp.id not in (*s.floated, *s.queue)
        elif not corp.certificate and corp.id in s.floated and all(item.step != "join" for item in s.pending):
            assert s.held(corp.id, s.president[corp.id]) == max(s.held(corp.id, player) for player in s.players)
        waiting = any(item.subject == corp.id for item in s.pending)
        assert waiting or s.over or len(s.trains[corp.id]) <= t.train_limit(s, corp.id)
    about = Counter(rank for ranks in (*s.trains.values(), s.train_pool) for rank in ranks)
    begun = {phase.starts_on for phase in t.phases[: s.phase + 1]}
    for rank, train in t.trains.items():
        assert s.depot[rank] + about[rank] == train.count or train.rusts_on in begun
    assert isinstance(t.policy, Ways1890)
    if not s.pending and s.operating is None and t.policy.scenario.forms_kinki and reached(t, s, "3"):
        assert own(s).formed or has_closed(s, "Kinki")


@pytest.mark.rule("1890-COR-06", "1890-MIN-08", "1890-COR-05")
@pytest.mark.parametrize(
    ("players", "seed", "options"),
    [
        (3, 2, ()), (2, 1, ("close_minors", "private_jr")), (5, 1, ("incremental_float", "end_at_400")),
        (4, 0, ("plain_kinki", "tigers_die")), (3, 3, ("scenario_a", "special_companies")), (4, 2, ("scenario_b",)),
        (3, 1, ("scenario_d",)),
    ],
)  # fmt: skip
@pytest.mark.long
def test_eager_play_loses_nothing(players: int, seed: int, options: tuple[str, ...]) -> None:
    t = build("1890", players, options)
    s, random = start(t, NAMES[:players]), Random(seed)
    audit(t, s)
    for _ in range(700):
        if s.over or reached(t, s, "6"):
            break
        s = apply(t, s, eager(t, s, random))
        audit(t, s)
    assert reached(t, s, "3"), f"{t.phase(s).name} in game turn {s.turn}"
    assert state_of(t, s.names, s.to_dict()).to_dict() == s.to_dict()
