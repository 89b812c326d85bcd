"""What every title promises, whatever its rules: no branch here asks for a title."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from itertools import product
from random import Random
from typing import Any, get_args, get_type_hints

import pytest
from tables import NAMES
from walks import walk

from engine import (
    BANK,
    CHANCE,
    BadAction,
    Entry,
    LogMismatch,
    State,
    Title,
    apply,
    build,
    consent,
    decision,
    judge,
    last_undo,
    legal,
    possible,
    present_step,
    replay,
    scores,
    start,
)
from engine.action_json import from_json, to_json
from engine.actions import ACTIONS, Action, Pass, Route
from engine.facts import TrainExported, TrainsRusted
from engine.ids import IPO, POOL, RESERVED, Rank, stop_id
from engine.state import CLOSED
from engine.title import Verb
from engine.titles import TITLES
from engine.viewing import board_view, market_view, table_view


def _buildable(title: str, players: int, options: tuple[str, ...]) -> bool:
    """Some options exclude each other."""
    with suppress(BadAction):
        return bool(build(title, players, options))
    return False


SETUPS = [
    (title, players, options)
    for title, recipe in TITLES.items()
    for players in recipe.players
    for options in ((), *((option,) for option in recipe.options), tuple(recipe.options))
    if _buildable(title, players, options)
]
KINDS = list(dict.fromkeys((title, options) for title, _, options in SETUPS))


def one_of_a_kind(setup: tuple[str, int, tuple[str, ...]]) -> bool:
    """Whether these options are tried with this number of players, which differs from kind to kind."""
    title, players, options = setup
    fitting = [count for name, count, given in SETUPS if (name, given) == (title, options)]
    return players == fitting[KINDS.index((title, options)) % len(fitting)]


SLOW = pytest.mark.slow
PLAIN = [(title, players, ()) for title, recipe in TITLES.items() for players in recipe.players]
FEWEST_AND_MOST = [
    pytest.param(setup, marks=[] if setup[1] in (TITLES[setup[0]].players[0], TITLES[setup[0]].players[-1]) else [SLOW])
    for setup in PLAIN
]
SENTENCE = re.compile(r"[-A-Z0-9¥£“].{8,}[.]", re.DOTALL)


def named(setup: tuple[str, int, tuple[str, ...]]) -> str:
    title, players, options = setup
    return "-".join((title, str(players), *(("all",) if len(options) > 1 else options)))


def audit(t: Title, s: State) -> None:
    """Nothing appears or vanishes."""
    assert sum(s.cash.values()) == t.bank
    assert all(amount >= 0 for holder, amount in s.cash.items() if holder not in (BANK, t.policy.companies.bank))
    for corp, held in s.shares.items():
        if t.corporations[corp].certificate is not None:  # a minor: nothing but its certificate
            assert not held, corp
            assert corp not in s.par
            assert corp not in s.cell
            continue
        assert sum(held.values()) == 10, corp
        assert all(count > 0 for count in held.values()), corp
        president = s.president[corp]
        assert held.get(president, 0) >= 2, f"{president} holds the president's certificate of {corp}"
        assert president in (IPO, RESERVED) if corp not in s.par else president != IPO
        if president != IPO:
            assert all(held.get(player, 0) <= held[president] for player in s.players), corp
        assert held.get(POOL, 0) <= t.policy.holdings.pool_limit
        assert (corp in s.cell) == (corp in s.par)
    _audit_board(t, s)
    _audit_trains(t, s)
    holders = {*s.players, *t.corporations, BANK, CLOSED, RESERVED}
    assert list(s.owner) == list(t.privates)
    assert set(s.owner.values()) <= holders
    assert all(0 <= sum(bids.get(player, 0) for bids in s.bids.values()) <= s.cash[player] for player in s.players)


def _audit_board(t: Title, s: State) -> None:
    on_map = Counter(tile for tile, _ in s.board.placed.values())
    for tile, count in t.supply.items():
        assert s.supply[tile] + on_map[tile] == count, f"tile {tile}"
        assert s.supply[tile] >= 0
    assert set(on_map) <= set(t.supply)
    placed = Counter(token for places in s.board.tokens.values() for token in places if token)
    for corp in t.corporations.values():
        assert placed[corp.id] + len(s.tokens[corp.id]) == len(corp.token_costs), corp.id
    for stop, places in s.board.tokens.items():
        hex_id, _, index = stop.partition(".")
        assert len(places) == s.board.stop(hex_id, int(index)).slots, stop


def _audit_trains(t: Title, s: State) -> None:
    begun = {phase.starts_on for phase in t.phases[: s.phase + 1]}
    for rank, count in trains_in_play(s).items():
        rusted = t.trains[rank].rusts_on in begun and t.trains[rank].rusts_on is not None
        assert count == s.depot[rank] if rusted else count >= 0, f"{rank}-trains are scrapped"
    waiting = {item.subject for item in s.pending}
    for corp, ranks in s.trains.items():
        later = s.over or not t.policy.trains.discards_at_once
        assert len(ranks) <= t.train_limit(s, corp) or corp in waiting or later, corp


def trains_in_play(s: State) -> Counter[Rank]:
    """Trains by rank, wherever they are."""
    return Counter(rank for ranks in s.trains.values() for rank in ranks) + Counter(s.train_pool) + Counter(s.depot)


def audit_move(t: Title, before: State, after: State) -> None:
    """The position after an action is sound, and no train came or went but those exported or scrapped."""
    audit(t, after)
    exported = Counter(fact.rank for fact in after.facts if isinstance(fact, TrainExported))
    rusted = {fact.rank for fact in after.facts if isinstance(fact, TrainsRusted)}
    was, now = trains_in_play(before), trains_in_play(after)
    for rank, train in t.trains.items():
        if train.count is not None and rank not in rusted:
            assert now[rank] == was[rank] - exported[rank], rank


@pytest.mark.parametrize(
    "setup", [one if one_of_a_kind(one) else pytest.param(one, marks=pytest.mark.slow) for one in SETUPS], ids=named
)
def test_random_play_keeps_the_promises(setup: tuple[str, int, tuple[str, ...]]) -> None:
    title, players, options = setup
    t = build(title, players, options)
    random = Random(players)
    first = start(t, NAMES[:players])
    audit(t, first)
    assert trains_in_play(first) == Counter({rank: train.count for rank, train in t.trains.items() if train.count})
    for index, (s, action, after) in enumerate(walk(t, seed=100 + len(options), most=200)):
        audit_move(t, s, after)
        assert from_json(json.loads(json.dumps(to_json(action)))) == action
        if index % 13 == 0:
            _questions_change_nothing(t, s, action)
            _offers_are_accepted(t, s, random)
            _round_trip(t, after)
        if index % 7 == 0:
            _wrong_seats_are_refused(t, s, action)


def _questions_change_nothing(t: Title, s: State, action: Action) -> None:
    before, facts = json.dumps(s.to_dict()), list(s.facts)
    decision(t, s)
    present_step(t, s)
    judge(t, s, action)
    consent(t, s, action)
    scores(t, s)
    board_view(t, s)
    market_view(t, s)
    for viewer in (None, *s.players):
        table_view(t, s, viewer)
        list(legal(t, s, viewer or CHANCE))
    after = apply(t, s, action)
    for value in (after.cash, after.shares, after.trains, after.supply, after.owner, after.bids, after.sold):
        value.clear()
    for held in s.copy().shares.values():
        held.clear()
    assert json.dumps(s.to_dict()) == before
    assert s.facts == facts


def _offers_are_accepted(t: Title, s: State, random: Random) -> None:
    for player in (*s.players, CHANCE):
        offers = list(legal(t, s, player))
        assert len(offers) == len(set(offers)), "an action is offered twice"
        assert offers == list(legal(t, s, player)), "the order is fixed"
        for action in random.sample(offers, min(len(offers), 6)):
            assert action.by == player
            assert judge(t, s, action) is None
            assert from_json(json.loads(json.dumps(to_json(action)))) == action
            audit_move(t, s, apply(t, s, action))
    assert s.over or any(list(legal(t, s, player)) for player in decision(t, s).players)


def _round_trip(t: Title, s: State) -> None:
    body = json.loads(json.dumps(s.to_dict()))
    again = State.from_dict(t, body)
    assert again.to_dict() == s.to_dict()
    for name in State.__slots__:
        if name not in ("board", "facts"):
            assert getattr(again, name) == getattr(s, name), name
    assert decision(t, again) == decision(t, s)
    for player in s.players:
        assert list(legal(t, again, player)) == list(legal(t, s, player))


def _wrong_seats_are_refused(t: Title, s: State, action: Action) -> None:
    verb = present_step(t, s).by_action.get(type(action))
    if verb is None or verb.anybody:
        return
    for player in {*s.players, CHANCE} - set(decision(t, s).players):
        refusal = judge(t, s, replace(action, by=player))
        assert refusal is not None
        assert SENTENCE.fullmatch(refusal.text), refusal.text
        assert refusal.rule


@pytest.mark.parametrize("setup", FEWEST_AND_MOST, ids=named)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 30))])
def test_random_games_end(setup: tuple[str, int, tuple[str, ...]], seed: int) -> None:
    title, players, options = setup
    t = build(title, players, options)
    entries: list[Entry] = []
    final = start(t, NAMES[:players])
    for before, action, after in walk(t, seed):
        entries.append(Entry(len(entries) + 1, "action", action))
        final = after
        audit_move(t, before, after)
    assert final.over
    assert decision(t, final).players == ()
    assert not [action for player in final.players for action in legal(t, final, player)]
    refusal = judge(t, final, Pass(final.players[0]))
    assert refusal is not None
    assert SENTENCE.fullmatch(refusal.text)
    replayed = replay(t, NAMES[:players], entries)
    assert replayed.to_dict() == final.to_dict()
    assert replayed.facts == final.facts


@pytest.mark.parametrize("setup", PLAIN[:2], ids=named)
def test_a_log_with_undos_replays_like_the_game(setup: tuple[str, int, tuple[str, ...]]) -> None:
    title, players, options = setup
    t = build(title, players, options)
    steps = list(walk(t, seed=5, most=40))
    entries = [Entry(index + 1, "action", action) for index, (_, action, _) in enumerate(steps)]
    undone = [*entries, Entry(41, "undo"), Entry(42, "undo", target=20)]
    assert replay(t, NAMES[:players], undone).to_dict() == steps[20][0].to_dict()
    assert last_undo(undone) == 42
    redone = [*undone, Entry(43, "redo"), Entry(44, "redo")]
    assert replay(t, NAMES[:players], redone).to_dict() == steps[-1][2].to_dict()
    broken = [entry for entry in entries if entry.seq != 7]
    with pytest.raises(LogMismatch) as stopped:
        replay(t, NAMES[:players], broken)
    assert stopped.value.seq > 7
    assert stopped.value.cause


# What is legal is what the judge accepts


DOMAINS: dict[str, Any] = {
    "corp": lambda t, s: t.corporations,
    "private": lambda t, s: t.privates,
    "hex": lambda t, s: t.hexes,
    "tile": lambda t, s: t.supply,
    "rotation": lambda t, s: range(6),
    "rank": lambda t, s: t.trains,
    "source": lambda t, s: (IPO, POOL, BANK, *s.players[:1]),
    "count": lambda t, s: range(-1, 12),
    "value": lambda t, s: range(-1, 8),
    "row": lambda t, s: range(-1, len(t.market.rows) + 1),
    "col": lambda t, s: range(-1, max(map(len, t.market.rows)) + 1),
    "kind": lambda t, s: ("pay", "withhold", "half", ""),
    "stop": lambda t, s: [
        stop_id(name, i) for name, face in s.board.faces.items() for i in range(len(face.face.stops))
    ],
}


def brute(t: Title, s: State, verb: Verb, player: str) -> Iterator[Action]:
    """Every action of the verb's kind that there is, legal or not."""
    names = [field.name for field in fields(verb.action) if field.name != "by"]
    hints = get_type_hints(verb.action)
    domains = [[*DOMAINS[name](t, s), *([None] if type(None) in get_args(hints[name]) else [])] for name in names]
    for values in product(*domains):
        yield verb.action(player, *values)


@pytest.mark.parametrize("title", TITLES)
def test_legal_is_what_the_judge_accepts_of_everything(title: str) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for players in (TITLES[title].players[0], TITLES[title].players[-1]):
        t = build(title, players, ())
        for s, _, _ in walk(t, seed=7, most=400):
            step = present_step(t, s)
            player = decision(t, s).players[0]
            for verb in (*step.verbs, *t.anytime):
                key = (step.name, verb.action.__name__)
                size = 1
                for field in fields(verb.action):
                    size *= 1 if field.name == "by" or verb.open_ended else len(DOMAINS[field.name](t, s))
                if verb.open_ended or seen[key] >= (1 if size > 5000 else 6) or size > 250_000:
                    continue
                offered = set(possible(t, s, verb, player))
                if not offered and seen[key] == 0:
                    continue
                seen[key] += 1
                accepted = {
                    action for action in brute(t, s, verb, player) if all(g(t, s, action) is None for g in verb.guards)
                }
                assert accepted == offered, key
    assert len(seen) >= 8, seen


ODD: dict[str, tuple[Any, ...]] = {
    "int": (-(10**9), -1, 0, 1, 5, 40, 80, 10**9),
    "str": ("", "p1", "x", "K4", "¥", "7"),
}


def random_action(t: Title, s: State, random: Random) -> Action:
    """Any kind of action with any values, most of them nonsense at the moment."""
    kind = random.choice(list(ACTIONS.values()))
    values: dict[str, Any] = {"by": random.choice((*s.players, CHANCE))}
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.name == "by":
            continue
        if field.name == "routes":
            stops = DOMAINS["stop"](t, s)
            ways = [(random.choice(stops), *random.choices(range(6), k=random.randrange(4)), random.choice(stops))]
            values["routes"] = tuple(Route(random.choice(list(t.trains)), way) for way in ways * random.randrange(3))
        elif field.name == "privates":
            values["privates"] = tuple(random.choices(list(t.privates), k=random.randrange(4)))
        elif field.name in DOMAINS and random.random() < 0.9:
            values[field.name] = random.choice(list(DOMAINS[field.name](t, s)))
        else:
            values[field.name] = random.choice(ODD["int" if hints[field.name] in (int, int | None) else "str"])
    return kind(**values)


def judged(t: Title, s: State, action: Action) -> tuple[str, str, str]:
    """Whether the action is "allowed", "refused" or "bad", with the text and the rule."""
    try:
        refusal = judge(t, s, action)
    except BadAction as error:
        return "bad", str(error), ""
    return ("allowed", "", "") if refusal is None else ("refused", refusal.text, refusal.rule)


@pytest.mark.parametrize("setup", FEWEST_AND_MOST, ids=named)
def test_any_action_is_allowed_refused_in_a_sentence_or_not_understood(setup: tuple[str, int, tuple[str, ...]]) -> None:
    title, players, options = setup
    t = build(title, players, options)
    random = Random(players)
    answers: Counter[str] = Counter()
    for s, _, _ in walk(t, seed=players, most=160):
        before = s.to_dict()
        for _ in range(25):
            action = random_action(t, s, random)
            answer, text, rule = judged(t, s, action)
            answers[answer] += 1
            if answer == "allowed":
                audit_move(t, s, apply(t, s, action))
                continue
            assert SENTENCE.fullmatch(text), text
            assert "None" not in text
            assert answer == "bad" or re.fullmatch(r"[0-9]{4}-[A-Z]+-[0-9]+[a-z]?", rule)
        assert s.to_dict() == before
    assert min(answers["bad"], answers["refused"], answers["allowed"]) > 0, answers


@pytest.mark.parametrize("title", TITLES)
def test_garbage_is_not_understood(title: str) -> None:
    bid, run = {"do": "Bid", "by": "p1", "private": "A"}, {"do": "RunTrains", "by": "p1", "corp": "AR"}
    odd_amounts: tuple[Any, ...] = ("5", 5.0, True, None, [], 10**30)
    garbage: list[Any] = [
        {}, [], None, "pass", {"do": "Steal"}, {"do": "Pass"}, {"do": "Pass", "by": 3}, {"do": "Pass", "by": "p" * 99},
        {"do": "Pass", "by": "p1", "x": 1}, *({**bid, "amount": odd} for odd in odd_amounts),
        {**run, "routes": "all"}, {**run, "routes": [{"train": "2", "path": ["A1.0", 9, "A1.0"]}]},
        {**run, "routes": [{"train": "2", "path": [0] * 1000}]}, {**run, "routes": [{"train": 2, "path": []}]},
        {"do": "Deal", "by": "chance", "privates": [1, 2]},
    ]  # fmt: skip
    for body in garbage:
        with pytest.raises(BadAction):
            from_json(body)
    t = build(title, TITLES[title].players[0], ())
    s = start(t, NAMES[: t.players])
    for unknown in ("p9", "", "Ann", BANK):
        for action in (Pass(unknown), *(verb.action(unknown) for verb in t.anytime if len(fields(verb.action)) == 1)):
            with suppress(BadAction):
                assert judge(t, s, action) is not None
