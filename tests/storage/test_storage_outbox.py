"""The outbox: nothing that was promised is lost, and a second sender sends again only when the first is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from clock import Clock
from posted import posted

from storage import Game, Notice, OutboxItem, Row, Shards, Store


async def tell(store: Store, game: Game, *bodies: str, lane: str = "table") -> None:
    await store.outbox.post(game.id, [Notice("turn", body, lane) for body in bodies])


async def test_notices_go_with_the_rows_they_tell_about(store: Store, game: Game) -> None:
    rows = [Row("action", "{}"), Row("action", "{}")]
    await store.append(game.id, 0, rows, notices=[Notice("turn", '{"x":1}'), Notice("ping", "{}", "ann")])
    turn, ping = await store.outbox.claim("us")
    assert (turn.game, turn.seq, turn.kind, turn.body, turn.lane) == (game.id, 2, "turn", '{"x":1}', "table")
    assert (ping.seq, ping.kind, ping.lane, ping.attempts, ping.created_at) == (2, "ping", "ann", 1, 1_000_000)


async def test_a_claimed_notice_is_nobody_elses_until_the_lease_ends(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (first,) = await store.outbox.claim("us", lease_seconds=30)
    assert await store.outbox.claim("us") == []
    clock.now += 29
    assert await store.outbox.claim("us") == []
    clock.now += 1
    (second,) = await store.outbox.claim("us", lease_seconds=30)
    assert (second.id, second.attempts) == (first.id, 2)
    assert second.nonce == first.nonce


async def test_a_sent_notice_never_comes_back(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (item,) = await store.outbox.claim("us")
    await store.outbox.done(item, channel_id=7, message_id=123)
    clock.now += 1000
    assert await store.outbox.claim("us") == []
    assert await store.outbox.waiting() == 0
    (message,) = await store.messages.live(game.id)
    assert (message.message_id, message.channel_id, message.seq, message.kind) == (123, 7, 0, "turn")


async def test_a_failure_is_tried_again_at_the_time_told(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (item,) = await store.outbox.claim("us", lease_seconds=60)
    await store.outbox.failed(item, "429", retry_at=clock.now + 5)
    assert await store.outbox.claim("us") == []
    clock.now += 5
    (again,) = await store.outbox.claim("us")
    assert again.attempts == 2


async def test_a_sender_that_lost_its_lease_cannot_hurry_the_next(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (slow,) = await store.outbox.claim("us", lease_seconds=10)
    clock.now += 10
    (quick,) = await store.outbox.claim("us", lease_seconds=60)
    await store.outbox.failed(slow, "timeout", retry_at=clock.now)
    assert await store.outbox.claim("us") == []
    await store.outbox.done(quick)
    await store.outbox.failed(slow, "timeout", retry_at=clock.now)
    assert await store.outbox.waiting() == 0


async def test_a_late_success_counts(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (slow,) = await store.outbox.claim("us", lease_seconds=10)
    clock.now += 10
    await store.outbox.claim("us", lease_seconds=60)
    await store.outbox.done(slow, channel_id=7, message_id=1)
    clock.now += 100
    assert await store.outbox.claim("us") == []


async def test_a_lane_keeps_its_order(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a", "b", "c")
    (a,) = await store.outbox.claim("us")
    assert a.body == "a"
    await store.outbox.failed(a, "503", retry_at=clock.now + 50)
    assert await store.outbox.claim("us") == []  # b waits behind a
    clock.now += 50
    (a,) = await store.outbox.claim("us")
    await store.outbox.done(a)
    (b,) = await store.outbox.claim("us")
    assert b.body == "b"
    await store.outbox.drop(b, "the channel is gone")
    assert [one.body for one in await store.outbox.claim("us")] == ["c"]


async def test_lanes_and_games_do_not_wait_for_each_other(store: Store, game: Game) -> None:
    other = await store.create_game(channel_id=8, host_id=1, title="1889")
    await tell(store, game, "a", "b")
    await tell(store, game, "c", lane="ann")
    await tell(store, other, "d")
    assert [one.body for one in await store.outbox.claim("us", limit=2)] == ["a", "c"]
    assert [one.body for one in await store.outbox.claim("us", limit=2)] == ["d"]
    assert (await store.outbox.waiting(), await store.outbox.waiting(game.id)) == (4, 3)


async def test_nonces_are_short_and_differ(store: Store, game: Game) -> None:
    for number in range(20):
        await tell(store, game, "same", lane=str(number))
    nonces = {one.nonce for one in await store.outbox.claim("us", limit=50)}
    assert len(nonces) == 20
    assert all(len(one) <= 25 for one in nonces)


@pytest.mark.second
async def test_the_nonce_is_the_same_after_a_restart(place: str, clock: Clock) -> None:
    async with Store.open(place, clock=clock) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await tell(store, game, "a")
        (before,) = await store.outbox.claim("us", lease_seconds=10)
    clock.now += 10
    async with Store.open(place, clock=clock) as store:
        (after,) = await store.outbox.claim("us")
    assert after.nonce == before.nonce


async def test_two_senders_never_hold_the_same_notice(place: str, store: Store, game: Game, clock: Clock) -> None:
    for number in range(10):
        await tell(store, game, str(number), lane=str(number))
    async with Store.open(place, clock=clock) as second:
        claimed = [*await store.outbox.claim("us", limit=6), *await second.outbox.claim("them", limit=6)]
    assert sorted(one.body for one in claimed) == [str(number) for number in range(10)]


async def test_what_is_under_way_is_left_out_even_when_its_claim_has_ended(
    store: Store, game: Game, clock: Clock
) -> None:
    await tell(store, game, "a", "b")
    await tell(store, game, "c", lane="ann")
    slow, _ = await store.outbox.claim("us", lease_seconds=10)
    clock.now += 10
    again = await store.outbox.claim("us", limit=1, under_way={slow.id})
    assert [one.body for one in again] == ["c"]  # and b waits behind a


async def test_a_sender_releases_its_own_claims_and_nobody_elses(store: Store, game: Game) -> None:
    await tell(store, game, "a")
    await tell(store, game, "b", lane="ann")
    (mine,) = await store.outbox.claim("us", limit=1)
    (theirs,) = await store.outbox.claim("them", limit=1)
    assert await store.outbox.release("us") == 1
    assert [one.id for one in await store.outbox.claim("us")] == [mine.id]
    assert await store.outbox.release("them") == 1
    assert [one.id for one in await store.outbox.claim("us")] == [theirs.id]


async def test_what_was_put_off_can_be_hurried_and_claims_cannot(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    await tell(store, game, "b", lane="ann")
    late, _ = await store.outbox.claim("us")
    await store.outbox.failed(late, "403", retry_at=clock.now + 3600)
    assert await store.outbox.hurry([game.id]) == 1
    assert [one.id for one in await store.outbox.claim("us")] == [late.id]


@pytest.mark.second
async def test_only_games_that_are_named_are_hurried(store: Store, clock: Clock) -> None:
    here, beside, elsewhere = [
        await store.create_game(channel_id=channel, host_id=1, title="1889", guild_id=guild)
        for guild, channel in ((100, 7), (100, 8), (200, 9))
    ]
    for one in (here, beside, elsewhere):
        await tell(store, one, "a")
    for item in await store.outbox.claim("us"):
        await store.outbox.failed(item, "403", retry_at=clock.now + 3600, refused=True)
    assert sorted(await store.outbox.put_off(100)) == sorted([(here.id, 7), (beside.id, 8)])
    assert await store.outbox.put_off(300) == []
    assert await store.outbox.hurry([]) == 0
    assert await store.outbox.hurry([here.id]) == 1
    assert [one.game for one in await store.outbox.claim("us")] == [here.id]
    assert await store.outbox.put_off(100) == [(beside.id, 8)]


@pytest.mark.second
async def test_what_discord_refused_is_not_hurried_when_a_connection_is_back(
    store: Store, game: Game, clock: Clock
) -> None:
    await tell(store, game, "refused", lane="a")
    await tell(store, game, "lost", lane="b")
    for item in await store.outbox.claim("us"):
        refused = item.body == "refused"
        await store.outbox.failed(item, item.body, retry_at=clock.now + 3600, refused=refused)
    assert await store.outbox.hurry_unsure(Shards((1,), 2)) == 0
    assert await store.outbox.hurry_unsure(Shards((0,), 2)) == 1
    assert [one.body for one in await store.outbox.claim("us")] == ["lost"]


async def test_what_was_tried_before_can_be_left_alone(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "old")
    (old,) = await store.outbox.claim("us")
    await store.outbox.failed(old, "403", retry_at=clock.now, refused=True)
    await tell(store, game, "behind it")
    await tell(store, game, "new", lane="ann")
    assert [one.body for one in await store.outbox.claim("us", again=False)] == ["new"]
    assert [one.body for one in await store.outbox.claim("us")] == ["old"]


@pytest.mark.second
async def test_since_when_a_notice_may_have_got_through_is_known(store: Store, game: Game, clock: Clock) -> None:
    async def attempt() -> OutboxItem:
        clock.now += 100
        (item,) = await store.outbox.claim("us", lease_seconds=50)
        return item

    await tell(store, game, "a")
    refused = await attempt()
    await store.outbox.failed(refused, "403", retry_at=clock.now, refused=True)
    lost = await attempt()
    assert (refused.unsure_since, lost.unsure_since) == (None, None)
    since = clock.now  # no word of it: the claim ends
    later = await attempt()
    await store.outbox.failed(later, "403", retry_at=clock.now, refused=True)
    assert (later.unsure_since, (await attempt()).unsure_since) == (since, since)


async def test_old_sent_notices_can_be_forgotten(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a", "b")
    (a,) = await store.outbox.claim("us")
    await store.outbox.done(a)
    assert await store.outbox.prune(before=clock.now) == 0
    assert await store.outbox.prune(before=clock.now + 1) == 1
    assert await store.outbox.waiting() == 1


@pytest.mark.second
async def test_buttons_of_earlier_positions_can_be_retired(store: Store, game: Game, clock: Clock) -> None:
    for seq, message_id in ((1, 11), (2, 12), (3, 13)):
        await posted(store, game.id, seq, "turn", 7, message_id)
    await posted(store, game.id, 3, "turn", 7, 13)  # told twice, kept once
    assert [one.message_id for one in await store.messages.live(game.id)] == [11, 12, 13]
    await store.messages.retire([11, 12])
    assert [one.message_id for one in await store.messages.live(game.id)] == [13]
    assert await store.messages.posted_since(game.id, "turn", clock.now) == 3
    assert await store.messages.posted_since(game.id, "turn", clock.now + 1) == 0
    assert await store.messages.posted_since(game.id, "say", clock.now) == 0
    assert await store.messages.find(99) is None


async def test_what_a_game_was_told_is_known_by_its_message(store: Store, game: Game, clock: Clock) -> None:
    begun = clock.now
    await store.outbox.post(game.id, [Notice("vote:end", "{}")])
    assert await store.outbox.told(game.id, "vote:end", clock.now + 100), "it waits"
    (item,) = await store.outbox.claim("us")
    await store.outbox.done(item, channel_id=7, message_id=70)
    clock.now += 10 * 86400
    assert await store.outbox.prune(clock.now) == 0, "it is a question, and open"
    await store.messages.retire([70])
    assert await store.outbox.prune(clock.now) == 1
    assert await store.outbox.told(game.id, "vote:end", begun)
    assert not await store.outbox.told(game.id, "vote:end", begun + 1)
    assert not await store.outbox.told(game.id, "vote:pace", 0)


async def test_a_notice_that_was_dropped_told_nobody(store: Store, game: Game) -> None:
    await store.outbox.post(game.id, [Notice("vote:end", "{}")])
    (item,) = await store.outbox.claim("us")
    await store.outbox.drop(item, "the vote is over")
    assert not await store.outbox.told(game.id, "vote:end", 0)


@pytest.mark.second
async def test_a_clock_set_back_holds_nothing_up(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    (item,) = await store.outbox.claim("us")
    await store.outbox.failed(item, "429", retry_at=clock.now + 5)
    for back in (3600, 1800, 20):
        clock.now -= back
        assert await store.outbox.claim("us") == []
    clock.now += 5
    (again,) = await store.outbox.claim("us")
    assert again.id == item.id


async def test_a_lease_is_as_long_after_the_clock_was_set_back(store: Store, game: Game, clock: Clock) -> None:
    await tell(store, game, "a")
    await store.outbox.claim("us", lease_seconds=60)
    clock.now -= 3600
    assert await store.outbox.claim("us") == []
    clock.now += 60
    assert len(await store.outbox.claim("us")) == 1


@pytest.mark.long
async def test_what_a_process_with_a_clock_far_ahead_left_is_due(place: str, clock: Clock) -> None:
    async with Store.open(place, clock=clock) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        await tell(store, game, "a")
        await store.outbox.claim("another")
    clock.now -= 3 * 3600
    async with Store.open(place, clock=clock) as store:
        assert len(await store.outbox.claim("us")) == 1


async def test_only_notices_of_chosen_shards_are_claimed(store: Store) -> None:
    for shard, guild in enumerate((None, 1 << 22, (5 << 22) + 7)):
        one = await store.create_game(channel_id=shard, guild_id=guild, host_id=1, title="1889")
        await tell(store, one, f"of shard {shard}")
    assert await store.outbox.claim("us", shards=Shards((), 4)) == []
    claimed = await store.outbox.claim("us", shards=Shards((1, 2), 4))
    assert [one.body for one in claimed] == ["of shard 1", "of shard 2"]
    assert [one.body for one in await store.outbox.claim("us", shards=Shards((0,), 4))] == ["of shard 0"]


@pytest.mark.second
async def test_games_are_found_whose_position_no_message_shows(store: Store, clock: Clock) -> None:
    async def unshown() -> list[str]:
        return [one.id for one in await store.messages.unshown("turn:%")]

    async def send(channel: int, message: int) -> None:
        (item,) = await store.outbox.claim("us")
        await store.outbox.done(item, channel_id=channel, message_id=message)

    async def move(seq: int) -> None:
        await store.append(game.id, seq, [Row("action", "{}")], notices=[Notice("turn:p1", "{}")])

    open_game = await store.create_game(channel_id=9, host_id=1, title="1889")
    game = await store.create_game(channel_id=7, host_id=1, title="1889", guild_id=3 << 22)
    await store.set_status(game.id, "running")
    assert await unshown() == [game.id]
    assert open_game.status == "open"
    await move(0)
    assert await unshown() == []  # it is to be sent
    await send(7, 70)
    assert await unshown() == []
    await move(1)
    await send(7, 70)  # the same message was edited
    assert await unshown() == []
    assert [(one.message_id, one.seq) for one in await store.messages.of_game(game.id)] == [(70, 1)]
    await move(2)
    (item,) = await store.outbox.claim("us")
    await store.outbox.drop(item, "lost")
    assert await unshown() == [game.id]
    for numbers, found in (((1,), 1), ((0,), 0), ((), 0)):
        assert len(await store.messages.unshown("turn:%", Shards(numbers, 2))) == found
    assert await store.messages.unshown("turn:%", game=open_game.id) == []
    await posted(store, game.id, 3, "turn:p1", 8, 80)
    assert await unshown() == [game.id]  # in another channel
    await posted(store, game.id, 3, "offer:p2", 7, 81)
    assert await unshown() == [game.id]  # another kind
    await posted(store, game.id, 3, "turn:p1", 7, 82)
    assert await unshown() == []
    await store.messages.retire([82])
    assert await unshown() == [game.id]


@pytest.mark.second
async def test_looking_for_turns_shown_lately_does_not_go_through_all_messages_for_each_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Store.open(tmp_path / "games.sqlite3") as store:
        ask, asked = store.messages._db.all, []

        async def listed(sql: str, *values: Any) -> Any:
            asked.append((sql, values))
            return await ask(sql, *values)

        monkeypatch.setattr(store.messages._db, "all", listed)
        assert await store.messages.games_shown("turn:%", 0) == []
        ((sql, values),) = asked
        plan = " ".join(str(row[-1]) for row in await ask(f"EXPLAIN QUERY PLAN {sql}", *values))
    assert "messages USING INDEX messages_with_buttons (game=?)" in plan, plan


async def test_games_are_found_with_messages_that_have_buttons_beside_the_present_turns(
    store: Store, clock: Clock
) -> None:
    async def found(shards: Shards | None = None) -> int:
        return len(await store.messages.unreduced("turn:%", ["offer:%"], shards))

    game = await store.create_game(channel_id=7, host_id=1, title="1889", guild_id=3 << 22)
    await store.set_status(game.id, "running")
    await store.append(game.id, 0, [Row("action", "{}")])
    await posted(store, game.id, 1, "turn:p1", 7, 70)
    await posted(store, game.id, 0, "seat:open:p2", 7, 71)
    assert await found() == 0
    await posted(store, game.id, 1, "offer:p2", 7, 72)
    assert await found() == 1
    await store.messages.retire([72])
    assert await found() == 0
    await store.append(game.id, 1, [Row("action", "{}")], notices=[Notice("turn:p2", "{}")])
    assert await found() == 0  # what is to be sent comes first
    (item,) = await store.outbox.claim("us")
    await store.outbox.done(item, channel_id=7, message_id=73)
    assert [await found(Shards(numbers, 2)) for numbers in ((1,), (0,), ())] == [1, 0, 0]
    await store.set_status(game.id, "finished")
    assert await found() == 1
    clock.now += 2 * 24 * 3600
    assert await found() == 0
