"""1890: eager random players, who get to late phases, with every position audited."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from tables import NAMES
from tastes import eager

from engine import CLOSED, IPO, POOL, State, Title, build, start
from engine.ids import RESERVED
from engine.titles.t1890.companies import has_closed, reached
from engine.titles.t1890.own import own
from engine.titles.t1890.ways import Ways1890
from records.simulate import steps


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
        (3, 3, ()), (2, 5, ("close_minors", "private_jr")), (5, 4, ("incremental_float", "end_at_400")),
        (4, 0, ("plain_kinki", "tigers_die")), (3, 1, ("scenario_a", "special_companies")), (4, 0, ("scenario_b",)),
        (3, 2, ("scenario_d",)),
    ],
)  # fmt: skip
@pytest.mark.long
def test_eager_play_loses_nothing(players: int, seed: int, options: tuple[str, ...]) -> None:
    t = build("1890", players, options)
    audit(t, start(t, NAMES[:players]))
    for _, s in islice(steps(t, NAMES[:players], seed, eager), 700):
        audit(t, s)
        if reached(t, s, "6"):
            break
    assert reached(t, s, "4"), f"{t.phase(s).name} in game turn {s.turn}"
    assert State.from_dict(t, s.to_dict()).to_dict() == s.to_dict()
