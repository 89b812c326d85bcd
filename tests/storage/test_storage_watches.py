"""Followers and live boards: due when something has happened, no sooner than they want, and told once."""

from __future__ import annotations

import asyncio

import pytest
from clock import Clock
from due import next_due

from storage import Game, Notice, Row, Store, Watch

EMMA, FUMI, THREAD = 5, 6, 77
NOTICE = Notice("follow:1", "{}", lane="watch 1")


async def follow(store: Store, game: Game, events: str = "round", user: int = EMMA, channel: int = 0) -> Watch:
    return await store.watches.start(game.id, "follow", user_id=user, channel_id=channel, events=events, every=100)


async def happens(store: Store, game: Game, *events: str) -> int:
    seq = (await store.game(game.id)).seq
    return await store.append(game.id, seq, [Row("action", "{}")], events=events)


async def test_a_watch_is_due_when_something_that_it_tells_has_happened(store: Store, game: Game) -> None:
    watch = await follow(store, game, "round,end")
    assert await next_due(store.watches) is None
    await happens(store, game, "turn")
    assert await store.watches.claim("me", limit=9) == []
    await happens(store, game, "turn", "round")
    assert await store.watches.claim("me", limit=9) == [watch.id]


async def test_what_happens_until_the_pause_is_over_is_gathered(store: Store, game: Game, clock: Clock) -> None:
    watch = await follow(store, game)
    seq = await happens(store, game, "round")
    await store.watches.claim("me", limit=9)
    assert await store.watches.tell(watch, seq, NOTICE)
    await happens(store, game, "round")
    await happens(store, game, "round")
    assert await store.watches.claim("me", limit=9) == []
    assert await next_due(store.watches) == clock.now + 100
    clock.now += 100
    assert await store.watches.claim("me", limit=9) == [watch.id]


async def test_a_watch_is_told_once_though_two_look_at_it(store: Store, game: Game, clock: Clock) -> None:
    watch = await follow(store, game)
    seq = await happens(store, game, "round")
    assert await store.watches.claim("one", limit=9) == [watch.id]
    assert await store.watches.claim("other", limit=9) == []
    clock.now += 1000  # the claim has run out
    assert await store.watches.claim("other", limit=9) == [watch.id]
    done = await asyncio.gather(*(store.watches.tell(watch, seq, NOTICE) for _ in range(2)))
    assert sorted(done) == [False, True]
    assert await store.outbox.waiting() == 1


async def test_the_next_process_takes_over_what_one_had_claimed(store: Store, game: Game) -> None:
    watch = await follow(store, game)
    await happens(store, game, "round")
    await store.watches.claim("me", limit=9)
    await store.watches.release("other")
    assert await store.watches.claim("me", limit=9) == []
    await store.watches.release("me")
    assert await store.watches.claim("me", limit=9) == [watch.id]


async def test_what_happens_while_it_is_told_is_told_next(store: Store, game: Game, clock: Clock) -> None:
    watch = await follow(store, game)
    seq = await happens(store, game, "round")
    await store.watches.claim("me", limit=9)
    await happens(store, game, "round")
    await store.watches.tell(watch, seq, NOTICE)
    assert await next_due(store.watches) == clock.now + 100


async def test_one_person_follows_once_and_a_channel_once(store: Store, game: Game) -> None:
    mine = await follow(store, game)
    assert await follow(store, game, "end") == mine
    here = await follow(store, game, channel=THREAD)
    assert await follow(store, game, user=FUMI, channel=THREAD) == here
    board = await store.watches.start(game.id, "board", user_id=EMMA, channel_id=THREAD, events="", every=60, now=True)
    assert await store.watches.of_game(game.id) == [mine, here, board]
    assert await store.watches.claim("me", limit=9) == [board.id]


async def test_a_stopped_watch_is_told_nothing(store: Store, game: Game) -> None:
    watch = await follow(store, game)
    seq = await happens(store, game, "round")
    assert await store.watches.stop(watch.id)
    assert not await store.watches.stop(watch.id)
    assert not await store.watches.tell(watch, seq, NOTICE)
    assert await store.outbox.waiting() == 0


async def test_a_clock_that_is_set_back_keeps_nobody_waiting_longer_than_their_pause(
    store: Store, game: Game, clock: Clock
) -> None:
    watch = await follow(store, game)
    seq = await happens(store, game, "round")
    await store.watches.claim("me", limit=9)
    await store.watches.tell(watch, seq, NOTICE)
    clock.now -= 10_000
    await happens(store, game, "round")
    assert await next_due(store.watches) == clock.now + 100


async def test_a_failed_append_makes_nothing_due(store: Store, game: Game) -> None:
    await follow(store, game)
    with pytest.raises(Exception, match="position"):
        await store.append(game.id, 5, [Row("action", "{}")], events=["round"])
    assert await next_due(store.watches) is None
