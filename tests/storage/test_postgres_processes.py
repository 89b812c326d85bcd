"""What several processes do to one PostgreSQL database at the same time holds together as it does in one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

import pytest
from clock import Clock

from storage import (
    AlreadyOffered,
    AlreadySeated,
    Duplicate,
    Game,
    Notice,
    Offer,
    Row,
    Seat,
    Shards,
    Stale,
    Store,
    TableFull,
    TooManyOffers,
    Unavailable,
    games,
    serving,
)
from storage.db import Tx
from storage.shapes import InteractionId

PATIENCE = 60.0
"""Seconds that something may take on a slow and busy machine."""


@pytest.fixture
def engine() -> str:
    return "postgres"


@pytest.fixture
async def other(place: str, clock: Clock) -> AsyncIterator[Store]:
    """The store as another process has it open."""
    async with Store.open(place, clock=clock, busy_seconds=PATIENCE) as opened:
        yield opened


@pytest.fixture
async def store(place: str, clock: Clock) -> AsyncIterator[Store]:
    async with Store.open(place, clock=clock, busy_seconds=PATIENCE) as opened:
        yield opened


def outcomes(results: Iterable[object]) -> list[str]:
    return sorted(type(one).__name__ for one in results)


async def test_a_channel_gets_one_game_of_two_processes(store: Store, other: Store) -> None:
    for channel in range(10):
        tries = [one.create_game(channel_id=channel, host_id=1, title="1889") for one in (store, other) * 3]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert outcomes(results) == ["ChannelTaken"] * 5 + ["Game"]
    assert len(await store.games()) == 10
    assert await store.check() == []


async def test_a_game_moves_into_a_channel_or_a_new_one_is_made_there(store: Store, other: Store) -> None:
    for channel in range(10):
        game = await store.create_game(channel_id=100 + channel, host_id=1, title="1889")
        results = await asyncio.gather(
            store.change_game(game.id, channel_id=channel),
            other.create_game(channel_id=channel, host_id=1, title="1889"),
            return_exceptions=True,
        )
        assert outcomes(results) == ["ChannelTaken", "Game"]


async def test_a_press_that_two_processes_hear_is_done_once(store: Store, other: Store, game: Game) -> None:
    for press in range(10):
        tries = [one.append(game.id, press, [Row("action", "{}")], interaction_id=press) for one in (store, other) * 2]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert outcomes(results) == ["Duplicate"] * 3 + ["int"]
    made = [one.create_game(channel_id=8, host_id=1, title="1889", interaction_id=99) for one in (store, other) * 2]
    assert outcomes(await asyncio.gather(*made, return_exceptions=True)) == ["Duplicate"] * 3 + ["Game"]


async def test_a_press_that_another_process_handles_in_between_is_not_taken_for_another_game(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, press = games.refuse_repeats, 99

    async def then_the_other(tx: Tx, interaction_id: InteractionId | None) -> None:
        await real(tx, interaction_id)
        if tx.db is store._db:
            monkeypatch.setattr(games, "refuse_repeats", real)
            await other.create_game(channel_id=8, host_id=1, title="1889", interaction_id=press)

    monkeypatch.setattr(games, "refuse_repeats", then_the_other)
    with pytest.raises(Duplicate):
        await store.create_game(channel_id=8, host_id=1, title="1889", interaction_id=press)


async def test_two_processes_fill_each_seat_once(store: Store, other: Store, game: Game) -> None:
    people = [5, 6, 7, 8, 5, 6, 7, 8]
    tries = [one.join(game.id, user, "A", limit=3) for one, user in zip((store, other) * 4, people, strict=True)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert outcomes(results).count("Seat") == 3
    assert {type(one) for one in results} <= {Seat, AlreadySeated, TableFull}
    assert [one.seat for one in await store.seats(game.id)] == [1, 2, 3]
    assert await store.check() == []


async def test_two_processes_do_not_flood_a_seat_with_offers(store: Store, other: Store, game: Game) -> None:
    def offer(one: Store, body: str) -> Awaitable[Offer]:
        return one.offers.make(game.id, 0, body, from_seat="p1", to_seat="p2", most=3)

    same = await asyncio.gather(*(offer(one, "same") for one in (store, other) * 3), return_exceptions=True)
    assert outcomes(same) == ["AlreadyOffered"] * 5 + ["Offer"]
    tries = [offer(one, str(price)) for price in range(4) for one in (store, other)]
    many = await asyncio.gather(*tries, return_exceptions=True)
    assert outcomes(many).count("Offer") == 2
    assert {type(one) for one in many if isinstance(one, Exception)} <= {AlreadyOffered, TooManyOffers}


async def test_an_offer_is_accepted_or_declined(store: Store, other: Store, game: Game) -> None:
    for seq in range(10):
        made = await store.offers.make(game.id, seq, "{}", from_seat="p1", to_seat="p2")
        accepted, declined = await asyncio.gather(
            store.append(game.id, seq, [Row("action", "{}")], accept=made.id),
            other.offers.decline(made.id),
            return_exceptions=True,
        )
        assert isinstance(accepted, Stale) != isinstance(declined, Stale)
        if isinstance(accepted, Stale):
            await store.append(game.id, seq, [Row("action", "{}")])


async def test_two_processes_claim_different_notices_at_once(store: Store, other: Store, game: Game) -> None:
    for lane in range(40):
        await store.outbox.post(game.id, [Notice("turn", str(lane), str(lane)), Notice("turn", "later", str(lane))])
    claims = [one.outbox.claim(f"{which}", limit=7) for which, one in enumerate((store, other) * 4)]
    claimed = [item.body for items in await asyncio.gather(*claims) for item in items]
    rest = [item.body for item in await store.outbox.claim("us", limit=100)]
    assert sorted(claimed + rest, key=int) == [str(lane) for lane in range(40)]
    assert len(claimed) > 7


async def test_a_claim_does_not_wait_for_rows_that_others_hold(store: Store, other: Store, game: Game) -> None:
    await store.outbox.post(game.id, [Notice("turn", "a", "a"), Notice("turn", "b", "b")])

    async def holds_a(tx: Tx) -> list[str]:
        await tx.all("SELECT id FROM outbox WHERE body = 'a' FOR UPDATE")
        async with asyncio.timeout(PATIENCE / 4):
            return [one.body for one in await other.outbox.claim("them")]

    assert await store._db.write(holds_a) == ["b"]


async def test_writes_to_two_games_in_opposite_orders_are_both_done(store: Store, other: Store) -> None:
    one, two = [(await store.create_game(channel_id=number, host_id=1, title="1889")).id for number in (1, 2)]

    async def both(by: Store, first: str, second: str) -> None:
        async def write() -> None:
            await by.change_game(first, host_id=2)
            await asyncio.sleep(0.05)
            await by.change_game(second, host_id=2)

        await by.together(write)

    await asyncio.gather(both(store, one, two), both(other, two, one))
    assert [game.version for game in await store.games()] == [2, 2]
    assert await store.check() == []


async def test_a_write_waits_for_another_process_only_so_long(place: str, store: Store, game: Game) -> None:
    async with Store.open(place, busy_seconds=0.2) as impatient:

        async def holds(tx: Tx) -> None:
            await tx.run("UPDATE games SET title = 'x'")
            with pytest.raises(Unavailable, match="another process keeps it locked"):
                await impatient.append(game.id, 0, [Row("action", "{}")])
            assert (await impatient.game(game.id)).title == "1889"  # reading goes on

        await store._db.write(holds)
        assert await impatient.append(game.id, 0, [Row("action", "{}")]) == 1


async def test_notices_of_other_processes_are_hinted_at(store: Store, other: Store, game: Game) -> None:
    hints = store.hints()
    async with asyncio.timeout(PATIENCE):
        assert await anext(hints) == ""
        await other.append(game.id, 0, [Row("action", "{}")], notices=[Notice("turn", "{}")])
        assert await anext(hints) == game.id
    await hints.aclose()  # type: ignore[attr-defined]


async def test_hints_come_again_after_a_lost_connection(
    store: Store, game: Game, by_hand: Callable[[str], None]
) -> None:
    hints = store.hints()
    async with asyncio.timeout(PATIENCE):
        assert await anext(hints) == ""
        by_hand("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        assert await anext(hints) == ""  # something may have been missed
        await store.outbox.post(game.id, [Notice("turn", "{}")])
        assert await anext(hints) == game.id
    await hints.aclose()  # type: ignore[attr-defined]


async def test_one_process_serves_alone_or_several_beside_each_other(store: Store) -> None:
    async with serving(store._db.place, 0):
        for alone in (True, False):
            with pytest.raises(Unavailable, match=r"Another process \(number \d+ on .*\) plays the games"):
                async with serving(store._db.place, 0, alone=alone):
                    pass
    async with serving(store._db.place, 0, alone=False), serving(store._db.place, 0, alone=False):
        with pytest.raises(Unavailable, match="plays the games"):
            async with serving(store._db.place, 0):
                pass


@pytest.mark.parametrize("alone", [True, False])
async def test_who_serves_takes_the_lock_again_after_a_lost_connection(
    store: Store, by_hand: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    monkeypatch.setattr("storage.postgres.lock.EVERY", 0.05)
    async with serving(store._db.place, 0, alone=alone):
        by_hand("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'")
        for _ in range(200):
            await asyncio.sleep(0.1)
            if not await served(store, 0):
                break
        assert not await served(store, 0), "a second bot could start, or what no bot may run beside"
    assert await served(store, 0)


async def test_a_second_server_waits_for_the_first_to_end(store: Store) -> None:
    async with asyncio.timeout(PATIENCE):
        async with serving(store._db.place, 0):
            second = asyncio.create_task(served(store))
            await asyncio.sleep(0.2)
            assert not second.done()
        assert await second


async def served(store: Store, seconds: float = PATIENCE) -> bool:
    try:
        async with serving(store._db.place, seconds):
            return True
    except Unavailable:
        return False


def test_a_server_without_a_number_is_on_the_first_shard() -> None:
    assert Shards((0,), 4).has(None)
    assert [Shards((1, 3), 4).has(number << 22) for number in range(5)] == [False, True, False, True, False]
