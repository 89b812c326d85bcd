"""What holds for every program in every position of random games of all titles."""

from __future__ import annotations

from functools import cache
from random import Random
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from some_programs import some_program
from tables import NAMES
from walks import some_title

import engine
from bot.core.moves import Move
from bot.core.orders import Desk, Halt, Orders
from bot.core.outcome import following, outcomes
from engine import State, Title
from engine.actions import Action, Pass
from engine.facts import Passed
from engine.ids import PlayerId, Rank
from programs import (
    BadProgram,
    BidFor,
    BidToPick,
    Cause,
    Event,
    PassAhead,
    Stopped,
    from_json,
    prompt,
    stops,
    to_json,
)
from records.simulate import choose

USERS = {f"p{number}": 100 + number for number in range(1, 8)}
ALL = sorted(engine.TITLES)


class Played:
    """A random game in which some players have programs from time to time."""

    def __init__(self, title: str, seed: int, most: int) -> None:
        self.random = Random(seed)
        self.t: Title = some_title(title, self.random)
        self.start: State = engine.start(self.t, NAMES[: self.t.players])
        self.moves: list[Move] = []
        self.by_program: set[int] = set()
        self.orders = Orders({}, USERS)
        self.play(most)

    @property
    def state(self) -> State:
        return self.moves[-1].state if self.moves else self.start

    def play(self, most: int) -> None:
        for _ in range(most):
            if self.state.over or len(self.moves) > 3 * most:
                return
            self.switch_some_on()
            action = choose(self.t, self.state, self.random)
            by_hand = engine.decision(self.t, self.state).players != (engine.CHANCE,)
            user, seq = 1 if by_hand else None, len(self.moves) + 1
            made = outcomes(self.t, self.state, [action], user, None, seq, self.orders)
            self.by_program |= {one.seq for one in made[1:] if one.note is None}
            self.moves += made

    def switch_some_on(self) -> None:
        seat = self.random.choice(self.state.players)
        program = some_program(self.t, self.state, seat, self.random) if self.random.random() < 0.4 else None
        if program is not None and len(self.orders.desk(seat).kept) < 3:
            self.orders.desks[seat] = self.orders.desk(seat).having(program)


@cache
def played_through(title: str, seed: int) -> Played:
    """A game that two tests look at."""
    return Played(title, seed, 60)


games = st.integers(0, 10**6)
same_games = st.sampled_from(range(6))
few = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=same_games)
@pytest.mark.long
def test_a_program_does_only_what_its_owner_could_press_at_that_moment(title: str, seed: int) -> None:
    played, before = played_through(title, seed), None
    for number, one in enumerate(played.moves):
        before = played.moves[number - 1].state if number else played.start
        if one.seq in played.by_program:
            assert engine.judge(played.t, before, one.action) is None
            assert one.action.by in engine.decision(played.t, before).players
            assert one.user == USERS[one.action.by]
            assert engine.consent(played.t, before, one.action) in (None, one.action.by)


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=same_games)
@pytest.mark.long
def test_a_game_with_programs_is_the_game_in_which_the_same_moves_are_pressed(title: str, seed: int) -> None:
    played = played_through(title, seed)
    state, none, pressed = played.start, Orders({}, USERS), list[Move]()
    for one in played.moves:
        if len(pressed) >= one.seq:  # it followed by itself from the press before
            assert pressed[one.seq - 1].action == one.action
            continue
        pressed += outcomes(played.t, state, [one.action], one.user, one.note, one.seq, none)
        state = pressed[-1].state
    told = [(one.seq, one.action, one.note, one.company, one.state.to_dict()) for one in played.moves]
    assert [(one.seq, one.action, one.note, one.company, one.state.to_dict()) for one in pressed] == told


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=games)
@pytest.mark.long
def test_no_program_acts_after_what_it_stops_for(title: str, seed: int) -> None:
    """Every program is followed from its start by itself: from the move on that it stops for, it makes none."""
    random = Random(seed)
    t = some_title(title, random)
    s = engine.start(t, NAMES[: t.players])
    orders = Orders({}, USERS)
    for seq in range(1, 90):
        if s.over:
            break
        seat = random.choice(s.players)
        program = some_program(t, s, seat, random)
        if program is not None and len(orders.desk(seat).kept) < 2:
            orders.desks[seat] = orders.desk(seat).having(program)
        before = {(seat, one.number): one.program for seat, desk in orders.desks.items() for one in desk.kept}
        action = choose(t, s, random)
        after = engine.apply(t, s, action)
        orders.moved(t, s, action, after, seq)
        left = {(seat, one.number) for seat, desk in orders.desks.items() for one in desk.kept}
        for (owner, number), one in before.items():
            event = Event(t, owner, s, action, after)
            ends = stops(one, event) or one.after(event)
            if after.over or isinstance(ends, Stopped):
                assert (owner, number) not in left
            else:
                assert (owner, number) in left
        s = after


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=games)
@pytest.mark.long
def test_what_was_seen_before_a_program_was_switched_on_never_stops_it(title: str, seed: int) -> None:
    """Whatever has happened before: where another player merely passes, no program stops for anything it watches."""
    random = Random(seed)
    t = some_title(title, random)
    s = engine.start(t, NAMES[: t.players])
    for _ in range(80):
        if s.over:
            return
        asked = engine.decision(t, s).players
        declined = Pass(asked[0])
        if asked[0] in s.players and engine.judge(t, s, declined) is None:
            after = engine.apply(t, s, declined)
            if all(isinstance(fact, Passed) for fact in after.facts):
                for seat in after.players:
                    _must_go_on(t, s, declined, after, seat, random)
        s = engine.apply(t, s, choose(t, s, random))


def _must_go_on(t: Title, s: State, declined: Pass, after: State, seat: str, random: Random) -> None:
    if seat == declined.by:
        return
    program = some_program(t, s, seat, random, without="follow")  # a line is left by any move that is not in it
    if program is None:
        return
    event = Event(t, seat, s, declined, after)
    ends = stops(program, event) or program.after(event)
    assert not isinstance(ends, Stopped) or ends.cause.natural, ends


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=games)
@pytest.mark.long
def test_programs_are_written_and_read_back_and_nothing_else_is(title: str, seed: int) -> None:
    random = Random(seed)
    t = some_title(title, random)
    s = engine.start(t, NAMES[: t.players])
    for _ in range(random.randint(0, 60)):
        if not s.over:
            s = engine.apply(t, s, choose(t, s, random))
    for seat in s.players:
        program = some_program(t, s, seat, random)
        if program is None:
            continue
        body = to_json(program)
        assert from_json(body) == program
        cause = Cause(
            "blocked", PlayerId(seat), next(iter(t.corporations)), rank=Rank("2"), amount=40, text="No. " * 60
        )
        desk = Desk(delay=(3, 9)).having(program).telling(Halt(program, cause, 5))
        order = desk.order()
        assert order is not None
        assert Desk.read(order, t) == desk
        hints = get_type_hints(type(program))
        for name in body:
            odd: tuple[Any, ...] = (-1, 1.5, None, "x" * 100, [[]], {"a": 1}, 10**9)
            for wrong in odd:
                if wrong != body[name] and not (wrong is None and NoneType in get_args(hints.get(name))):
                    with pytest.raises(BadProgram):
                        from_json({**body, name: wrong})
        with pytest.raises(BadProgram):
            from_json({**body, "more": 1})


@pytest.mark.parametrize("title", ALL)
@few
@given(seed=games)
@pytest.mark.long
def test_an_undo_switches_off_what_made_or_followed_the_moves_it_takes_back(title: str, seed: int) -> None:
    played = Played(title, seed, 30)
    to = Random(seed).randint(0, len(played.moves))
    before = {(seat, one.number): one.last for seat, desk in played.orders.desks.items() for one in desk.kept}
    played.orders.undone(to)
    left = {(seat, one.number) for seat, desk in played.orders.desks.items() for one in desk.kept}
    assert left == {key for key, last in before.items() if last <= to}


@pytest.mark.parametrize("title", ALL)
def test_programs_of_everybody_end_by_themselves(title: str) -> None:
    t = engine.build(title, 3)
    s = engine.start(t, NAMES[:3])
    private = list(t.privates)[-1]
    for program in (PassAhead(), BidFor(private=private, most=1, off=("price",)), BidToPick(most=1, off=("price",))):
        orders = Orders({seat: Desk().having(program) for seat in s.players}, USERS)
        assert len(list(following(t, s, 1, orders))) < 60


def test_an_action_that_the_rules_refuse_is_never_made_whatever_a_program_says() -> None:
    class Rogue(PassAhead):
        def move(self, q: Any) -> Action:
            return Pass("p2")

    t = engine.build("1889", 3)
    s = engine.start(t, NAMES[:3])
    orders = Orders({"p1": Desk().having(Rogue())}, USERS)
    assert orders.move(t, s, engine.decision(t, s)) is None
    assert [halt.cause.why for _, halt in orders.halts] == ["blocked"]
    assert prompt(t, s, "p1").allows(Pass("p1"))
