"""Lines of moves that somebody tries out: kept as text, compared with the game, made of what their seat may know."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables import table
from walks import some_title, walk

import engine
from bot.core.moves import Move, Note
from bot.rooms.trying.line import (
    FORCED,
    Line,
    LineMove,
    Parted,
    assumptions,
    back,
    begin,
    first_state,
    grown,
    happened,
    mark,
    played,
    read,
    shortened,
    together,
    tried,
    written,
)
from engine.actions import BuyTrain, Pass
from engine.errors import Refused
from engine.ids import PlayerId
from engine.secrets import hidden_purses
from engine.state import State
from engine.titles import TITLES

FEW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


class Game:
    """A random game so far, with a line that somebody began at one of its positions."""

    def __init__(self, title_id: str, seed: int, length: int) -> None:
        random = Random(seed)
        self.title = some_title(title_id, random)
        made = list(walk(self.title, seed, length))
        self.beginning: State = made[0][0]
        self.moves = [Move(number, action, 1, None, after) for number, (_, action, after) in enumerate(made, 1)]
        seats = list(self.beginning.names)
        self.seat = random.choice([*seats, ""])
        self.start = random.randrange(len(self.moves))
        self.line = self.begun_at(self.start)
        self.random = random

    def begun_at(self, start: int) -> Line:
        return begin(self.title, self.state(start), PlayerId(self.seat) if self.seat else None, start, "Line 1")

    def state(self, count: int) -> State:
        return self.moves[count - 1].state if count else self.beginning

    def followed(self, line: Line) -> tuple[Line, list[Move]]:
        """The line with the game's own moves, as far as they are possible by what it assumes."""
        title, first = tried(self.title), first_state(line, self.state(line.start))
        state, steps = first, list[LineMove]()
        for one in self.moves[line.start :]:
            try:
                state = engine.apply(title, state, one.action)
            except Refused:
                break
            steps.append(LineMove(one.action))
        return replace(line, steps=tuple(steps)), played(title, first, steps)

    def asked(self, line: Line, mine: list[Move], upto: int) -> int | Parted:
        return happened(self.title, line, mine, self.beginning, self.moves[: line.start + upto])


games = st.builds(Game, st.sampled_from(sorted(TITLES)), st.integers(0, 10_000), st.integers(4, 90))


@FEW
@given(games)
@pytest.mark.broad
def test_a_line_that_the_game_follows_goes_on(game: Game) -> None:
    line, mine = game.followed(game.line)
    hidden = bool(hidden_purses(game.title, game.state(game.start), line.viewer))
    for upto in range(len(mine) + 1):
        found = game.asked(line, mine, upto)
        if hidden and found == Parted("known", upto - 1):
            assert mark(game.title, game.state(game.start + upto), line.viewer) != mark(
                game.title, mine[upto - 1].state, line.viewer
            )
            return
        assert found == upto


@FEW
@given(games, st.integers(1, 30))
@pytest.mark.broad
def test_a_line_that_the_game_has_long_followed_goes_on_from_where_it_stands(game: Game, count: int) -> None:
    line, mine = game.followed(game.line)
    if game.asked(line, mine, count) != count:
        return
    there = game.state(game.start + count)
    short = shortened(game.title, line, mine, there, count)
    rest = played(tried(game.title), first_state(short, there), short.steps)
    assert [one.state.to_dict() for one in rest] == [one.state.to_dict() for one in mine[count:]]
    assert game.asked(short, rest, 0) == 0


@FEW
@given(games)
@pytest.mark.broad
def test_a_line_that_the_game_does_not_follow_is_dropped_where_they_part(game: Game) -> None:
    line, mine = game.followed(game.line)
    at = next((n for n in range(len(mine)) if len(list(_legal(game, mine, n))) > 1), None)
    if at is None:
        return
    first = first_state(line, game.state(line.start))
    other = game.random.choice([one for one in _legal(game, mine, at) if one != line.steps[at].action])
    away = replace(line, steps=(*line.steps[:at], LineMove(other)))
    moves = played(tried(game.title), first, away.steps)
    if isinstance(other, BuyTrain) and not game.title.policy.secrecy.open_train_prices:
        return
    found = game.asked(away, moves, at + 1)
    assert isinstance(found, Parted)
    assert found == Parted("otherwise", at) or found.how == "known"


def _legal(game: Game, mine: list[Move], at: int) -> list[engine.actions.Action]:
    state = mine[at - 1].state if at else first_state(game.line, game.state(game.start))
    by = mine[at].action.by
    return list(engine.legal(tried(game.title), state, by))


@pytest.mark.long
@FEW
@given(games)
def test_a_line_ends_where_the_game_went_past_it_or_back_before_it(game: Game) -> None:
    line = game.line
    assert game.asked(line, [], 0) == 0
    assert game.asked(line, [], 1) == Parted("past", 0)
    if line.start:
        moves = game.moves[: line.start - 1]
        assert happened(game.title, line, [], game.beginning, moves) == Parted("taken back")
    assert game.asked(replace(line, mark="0:another version"), [], 0) == Parted("rules")


@pytest.mark.long
@FEW
@given(games, st.integers(0, 10_000))
def test_what_others_hide_changes_nothing_that_is_shown_or_assumed(game: Game, shift: int) -> None:
    title, state, viewer = game.title, game.state(game.start), game.line.viewer
    hidden = hidden_purses(title, state, viewer)
    if len(hidden) < 2:
        return
    other = state.copy()
    least = engine.money.set_aside(other, PlayerId(hidden[0])) if hidden[0] in other.names else 0
    moved = shift % max(1, other.cash[hidden[0]] - least + 1)
    other.cash[hidden[0]] -= moved
    other.cash[hidden[1]] += moved
    assert mark(title, other, viewer) == mark(title, state, viewer)
    assert assumptions(title, other, viewer) == assumptions(title, state, viewer)
    one, same = (first_state(game.line, each) for each in (state, other))
    assert engine.stored.fingerprint(one) == engine.stored.fingerprint(same)


@pytest.mark.long
@FEW
@given(games)
def test_assumptions_fit_what_the_bank_shows(game: Game) -> None:
    state, line = game.state(game.start), game.line
    first, total = first_state(line, state), together(game.title, state, line.viewer)
    assert set(line.assumed) == set(hidden_purses(game.title, state, line.viewer))
    assert all(amount >= 0 for amount in line.assumed.values())
    if total is not None:
        assert sum(line.assumed.values()) == total
        assert sum(first.cash.values()) == sum(state.cash.values())
    seen = {holder for holder in state.cash if holder not in line.assumed}
    assert all(first.cash[holder] == state.cash[holder] for holder in seen)


def test_whoever_is_asked_in_the_game_is_asked_in_a_line() -> None:
    """As a company that is secretly too poor for a train: otherwise its president's pass would part the two."""
    laid = table("1889", 3).par("AR", 80).par("IR", 80).trains("AR", "2").operating("AR", "run", then=("IR",))
    t, s = laid.shares("IR", president="p2", p2=5).cash(AR=0, IR=200).build()
    line = begin(t, s, PlayerId("p1"), 0, "Line 1")
    run = next(iter(engine.legal(t, s, PlayerId("p1"))))
    steps = grown(tried(t), first_state(line, s), [run])
    assert [one.note for one in steps] == [None, FORCED]
    theirs = played(t, s, [LineMove(run), LineMove(Pass(PlayerId("p1")))])
    line = replace(line, steps=tuple(steps))
    assert happened(t, line, played(tried(t), first_state(line, s), steps), s, theirs) == len(theirs)


@FEW
@given(games)
@pytest.mark.broad
def test_a_line_reads_as_it_was_written(game: Game) -> None:
    line, _ = game.followed(game.line)
    noted = replace(line, steps=tuple(replace(one, note=Note("forced")) for one in line.steps))
    assert read(written(line)) == line
    assert read(written(noted)) == noted


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"steps": [["x", ""]]}', '{"steps": [[{"do": "Fly"}, ""]]}'])
def test_what_cannot_be_read_is_no_line(text: str) -> None:
    assert read(text) is None


def test_back_takes_the_last_decision_with_what_followed_by_itself() -> None:
    chosen, drawn = LineMove(Pass(PlayerId("p1"))), LineMove(Pass(PlayerId("p2")), Note("drawn"))
    forced = LineMove(Pass(PlayerId("p3")), Note("forced"))
    assert back([chosen, chosen, forced, forced]) == (chosen,)
    assert back([chosen, drawn]) == (chosen,)
    assert back([forced]) == ()
    assert back([]) == ()
