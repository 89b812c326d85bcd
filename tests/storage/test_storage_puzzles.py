"""The puzzle of the day: one a day at its time, begun once, answered once a person and only while it is the day's."""

from __future__ import annotations

import asyncio

from clock import Clock
from due import next_due

from storage import PuzzleDay, Shards, Store

DAY = 24 * 3600
CHANNEL, GUILD, ANN, BEN = 77, 88 << 22, 5, 6


async def begin(store: Store) -> PuzzleDay:
    begun = await store.puzzles.begin(CHANNEL, lambda day: f"puzzle {day}")
    assert begun is not None
    return begun[0]


async def start(store: Store) -> bool:
    return await store.puzzles.start(CHANNEL, GUILD, ANN)


async def test_a_day_begins_once_and_the_next_is_due_a_day_later(store: Store, clock: Clock) -> None:
    assert await start(store)
    assert not await start(store)
    since = clock.now
    assert await store.puzzles.claim("me", limit=9) == [CHANNEL]
    assert await store.puzzles.claim("other", limit=9) == []
    begun = await asyncio.gather(*(store.puzzles.begin(CHANNEL, str) for _ in range(2)))
    assert sorted(one[1] for one in begun if one) == [False, True]
    first = await begin(store)
    await store.puzzles.posted(first, 111)
    await store.puzzles.posted(first, 111)  # another process found it
    assert await next_due(store.puzzles) == since + DAY
    assert await store.puzzles.day(CHANNEL, first.day) == PuzzleDay(CHANNEL, first.day, first.puzzle, since, 111)


async def test_days_that_were_missed_are_not_made_up_for(store: Store, clock: Clock) -> None:
    await start(store)
    since = clock.now
    first = await begin(store)
    await store.puzzles.posted(first, 111)
    clock.now += 4 * DAY + 3600
    assert await store.puzzles.claim("me", limit=9) == [CHANNEL]
    later = await begin(store)
    assert later.day == first.day + 4
    await store.puzzles.posted(later, 112)
    assert await next_due(store.puzzles) == since + 5 * DAY
    assert await store.puzzles.latest(CHANNEL, later.day) == await store.puzzles.day(CHANNEL, first.day)


async def test_stopping_and_starting_anew_gives_no_second_puzzle_on_a_day(store: Store, clock: Clock) -> None:
    await start(store)
    first = await begin(store)
    await store.puzzles.posted(first, 111)
    assert await store.puzzles.stop(CHANNEL)
    assert not await store.puzzles.stop(CHANNEL)
    assert await store.puzzles.begin(CHANNEL, str) is None
    clock.now += 60
    await start(store)
    assert (await begin(store)).message_id == 111


async def test_the_first_answer_counts_and_none_after_the_next_day_has_begun(store: Store, clock: Clock) -> None:
    await start(store)
    first = await begin(store)
    await store.puzzles.posted(first, 111)
    given = await store.puzzles.answer(first, ANN, 2, hit=True)
    assert given is not None
    assert await store.puzzles.answer(first, ANN, 1, hit=False) == given
    clock.now += DAY
    second = await begin(store)
    assert await store.puzzles.answer(first, BEN, 2, hit=True) is None
    assert await store.puzzles.answer(first, ANN, 2, hit=True) == given
    await store.puzzles.answer(second, BEN, 0, hit=False)
    assert [(one.day, one.user_id, one.hit) for one in await store.puzzles.answers(CHANNEL)] == [
        (first.day, ANN, 1),
        (second.day, BEN, 0),
    ]


async def test_a_channel_that_refuses_is_tried_again_the_next_day_and_known(store: Store, clock: Clock) -> None:
    await start(store)
    since = clock.now
    await begin(store)
    await store.puzzles.refused(CHANNEL, "Missing Permissions")
    clock.now += DAY
    await store.puzzles.refused(CHANNEL, "Missing Access")
    (known,) = await store.puzzles.refusing()
    assert (known.refused_since, known.error, known.due_at) == (since, "Missing Access", since + 2 * DAY)
    assert await start(store)  # whoever has put it right need not wait
    assert await store.puzzles.claim("me", limit=9) == [CHANNEL]
    await store.puzzles.posted(await begin(store), 111)
    assert await store.puzzles.refusing() == []


async def test_only_whoever_serves_the_server_posts_there(store: Store) -> None:
    await start(store)
    assert await store.puzzles.claim("me", limit=9, shards=Shards((0,), 3)) == []
    assert await store.puzzles.claim("me", limit=9, shards=Shards((88 % 3,), 3)) == [CHANNEL]


async def test_a_day_that_was_begun_by_a_clock_that_went_ahead_ends_no_earlier_one(store: Store, clock: Clock) -> None:
    clock.now += 1000 * DAY
    await start(store)
    await store.puzzles.posted(await begin(store), 111)
    clock.now -= 1000 * DAY
    assert await start(store), "what is due only in years is wanted anew"
    today = await begin(store)
    await store.puzzles.posted(today, 112)
    assert await next_due(store.puzzles) == clock.now + DAY
    assert await store.puzzles.answer(today, ANN, 1, hit=True) is not None
