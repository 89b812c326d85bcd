"""Clocks, people and pings: what a step answers is stored with what follows, once; what is due is found and claimed."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import Mock

import pytest
from clock import Clock
from due import next_due

from storage import Break, Game, Notice, OwedPing, PersonTicked, Ping, Row, Store, Ticked, UnknownGame


def to(body: str, due: int | None, *pings: Ping, say: str = "", forget: tuple[str, ...] = ()) -> object:
    """A step to this text, whatever was before."""
    notices = (Notice("say", say),) if say else ()
    return lambda text, now, breaks: Ticked(body, due, pings, notices, forget)


async def test_a_move_takes_the_step_of_its_clock_or_nothing_is_stored(store: Store, game: Game) -> None:
    seen: list[str | None] = []

    def step(text: str | None, now: int, breaks: Sequence[Break]) -> Ticked:
        seen.append(text)
        return Ticked(f"{text}+", now + 60, (Ping(5, "turn", "{}", now + 9),))

    await store.append(game.id, 0, [Row("action", "{}")], clock=step)
    assert await store.clocks.of_game(game.id) == "None+"
    assert [one.kind for one in await store.people.owed(5)] == ["turn"]
    with pytest.raises(RuntimeError):
        await store.append(game.id, 1, [Row("action", "{}")], clock=Mock(side_effect=RuntimeError))
    assert (await store.game(game.id)).seq == 1
    assert await store.clocks.of_games([game.id, "other"]) == {game.id: "None+"}


async def test_a_step_stores_its_notices_with_it_and_forgets_what_no_longer_matters(store: Store, game: Game) -> None:
    await store.clocks.change(game.id, to("a", 7, Ping(5, "turn", "x", 1), Ping(5, "late", "y", 1)))  # type: ignore[arg-type]
    await store.clocks.change(game.id, to("b", 8, Ping(6, "turn", "z", 1), say="late", forget=("turn",)))  # type: ignore[arg-type]
    assert [(one.kind, one.body) for one in await store.people.owed(5)] == [("late", "y")]
    assert [one.body for one in await store.people.owed(6)] == ["z"]
    assert [one.body for one in await store.outbox.claim("me")] == ["late"]
    assert not await store.clocks.change(game.id, lambda text, now, breaks: None)
    with pytest.raises(UnknownGame):
        await store.clocks.change("nobody", to("a", 1))  # type: ignore[arg-type]


@pytest.mark.second
async def test_what_is_due_is_claimed_in_order_by_one_and_again_when_the_claim_runs_out(
    store: Store, clock: Clock
) -> None:
    games = [(await store.create_game(channel_id=number, host_id=1, title="1889")).id for number in range(4)]
    for number, game in enumerate(games):
        await store.clocks.change(game, to("x", clock.now + 10 * number))  # type: ignore[arg-type]
    clock.now += 20
    assert await store.clocks.claim("one", limit=2) == games[:2]
    assert await store.clocks.claim("two", limit=9) == [games[2]]
    assert await next_due(store.clocks) == clock.now - 20
    await store.clocks.release("one")
    assert await store.clocks.claim("two", limit=9) == games[:2]
    clock.now += 121
    assert await store.clocks.claim("three", limit=9) == games
    await store.clocks.change(games[0], to("y", None))  # type: ignore[arg-type]
    clock.now += 121
    assert await store.clocks.claim("four", limit=9) == games[1:]


async def test_a_person_is_looked_at_when_the_first_ping_may_go_out_and_told_once(
    store: Store, game: Game, clock: Clock
) -> None:
    pings = [Ping(5, kind, "", clock.now + after) for kind, after in (("late", 50), ("turn", 20), ("host", 70))]
    await store.people.owe(game.id, pings)
    assert await next_due(store.people) == clock.now + 20

    def told(text: str, now: int, owed: Sequence[OwedPing]) -> PersonTicked:
        assert text == "{}"
        return PersonTicked("me", now + 30, ((game.id, Notice("ring", "hello")),), tuple(owed[:1]))

    clock.now += 20
    assert await store.people.claim("one", limit=5) == [5]
    await store.people.change(5, told)
    assert await store.people.of([5, 6]) == {5: "me"}
    assert [one.kind for one in await store.people.owed(5)] == ["late", "host"]
    assert [one.kind for one in await store.outbox.claim("me")] == ["ring"]


@pytest.mark.second
async def test_silences_and_set_clocks_are_breaks_and_what_is_due_moves_with_the_clock(
    store: Store, game: Game, clock: Clock
) -> None:
    assert await store.clocks.beat() is None
    clock.now += 200
    assert await store.clocks.beat() is None
    clock.now += 5000
    assert await store.clocks.beat() == Break(1, clock.now - 5000, clock.now)
    await store.clocks.change(game.id, to("x", clock.now + 100, Ping(5, "turn", "", clock.now + 60)))  # type: ignore[arg-type]
    clock.now -= 3600
    assert await store.clocks.beat() == Break(2, clock.now + 3600, clock.now)
    assert await next_due(store.clocks) == clock.now + 100
    assert await next_due(store.people) == clock.now + 60
    assert [one.at for one in await store.people.owed(5)] == [clock.now + 60]
    assert [one.id for one in await store.clocks.breaks()] == [1, 2]


async def test_what_a_clock_that_was_ahead_put_off_does_not_wait_for_that_time(
    store: Store, game: Game, clock: Clock
) -> None:
    year, right = 365 * 24 * 3600, clock.now
    await store.watches.start(game.id, "follow", user_id=5, channel_id=0, events="move", every=60)
    await store.puzzles.start(7, 1, 5)
    clock.now += year
    await store.clocks.beat()
    await store.append(game.id, 0, [Row("action", "{}")], events=("move",))
    begun = await store.puzzles.begin(7, lambda day: "one")
    assert begun is not None
    await store.puzzles.posted(begun[0], 99)
    clock.now = right + 300
    await store.clocks.beat()
    clock.now += 3600
    assert len(await store.watches.claim("us", limit=9)) == 1
    clock.now += 2 * 24 * 3600
    assert await store.puzzles.claim("us", limit=9) == [7]
