"""The shipped puzzles: each position replays, runs and trains are proved anew, and moves to choose from are legal."""

from __future__ import annotations

import pytest
from every_title import Question
from test_router_every_title import tried_all

import engine
from bot.rooms.puzzles.laid import Shelved, read, shelf, written
from engine.ids import CorpId, PlayerId
from opponents.puzzles import first_of_next

ALL = [pytest.param(one, id=name) for name, one in shelf().items()]


def of(kind: str) -> list[Shelved]:
    return [one for one in shelf().values() if one.puzzle.kind == kind]


def test_there_are_enough_of_each_kind_and_title() -> None:
    found = {(one.game.title, one.puzzle.kind) for one in shelf().values()}
    assert found == {(title, kind) for title in engine.TITLES for kind in ("run", "rust", "shares")}
    assert len(shelf()) >= 60


def test_the_command_writes_what_the_bot_reads() -> None:
    found = [(one.name.rpartition("-")[0], one.puzzle) for one in shelf().values()]
    games = {one.name.rpartition("-")[0]: one.game for one in shelf().values()}
    assert read(written(games, found)) == list(shelf().values())


@pytest.mark.long
@pytest.mark.parametrize("one", ALL)
def test_a_position_replays_and_its_answer_is_right(one: Shelved) -> None:
    puzzle, t, s = one.puzzle, one.game.box(), one.game.after(one.puzzle.at)
    assert 2 < len(puzzle.answers) == len(set(puzzle.answers)) < 6
    seat = engine.decision(t, s).players[0]
    if puzzle.kind == "shares":
        assert all(engine.judge(t, s, move) is None for move in puzzle.answers if not isinstance(move, int | str))
    elif puzzle.kind == "rust":
        bought = first_of_next(t, s, PlayerId(seat))
        assert bought is not None
        rank = bought[0].rank
        rusting = {old for old, train in t.trains.items() if train.rusts_on == rank}
        held = {corp: {*s.trains[corp]} - rusting | ({rank} if corp == puzzle.who else set()) for corp in s.trains}
        bare = [corp for corp, trains in s.trains.items() if trains and not held[corp]]
        assert bare == [puzzle.answers[puzzle.right]]
    else:
        corp = CorpId(puzzle.who)
        question = Question(one.name, t, s, corp, PlayerId(seat))
        trains, aims = tuple(t.policy.routes.runners(t, s, corp)), t.policy.routes.aims(t, s, corp)
        tried = [total for rules in aims for total, _ in tried_all(question, rules.trains or trains, rules)]
        assert max(tried) == puzzle.answers[puzzle.right]
