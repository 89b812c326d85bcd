"""The log: appended at its end, once, all or nothing, and provably what was written."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count, product

import pytest
from clock import Clock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from posted import posted

from storage import BrokenLog, Duplicate, Game, LogRow, Notice, Row, Snapshot, Stale, Store, UnknownGame, events
from storage.db import Tx


def act(text: str = "{}", **more: object) -> Row:
    return Row("action", text, **more)  # type: ignore[arg-type]


async def test_rows_come_back_as_they_were_written(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [Row("action", '{"a":1}', "p2", 5, "host acted for seat p2")], interaction_id=77)
    (row,) = await store.log(game.id)
    assert (row.game, row.seq, row.kind, row.body) == (game.id, 1, "action", '{"a":1}')
    assert (row.by_seat, row.by_user, row.note, row.at) == ("p2", 5, "host acted for seat p2", 1_000_000)
    assert row.interaction_id == "77"


async def test_several_rows_are_one_append(store: Store, game: Game) -> None:
    assert await store.append(game.id, 0, [act("a"), act("b"), Row("undo", "c")], interaction_id=1) == 3
    assert [(row.seq, row.body, row.interaction_id) for row in await store.log(game.id)] == [
        (1, "a", "1"),
        (2, "b", None),
        (3, "c", None),
    ]
    assert (await store.game(game.id)).seq == 3


@pytest.mark.second
async def test_a_part_of_the_log_can_be_read(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [act(letter) for letter in "abcde"])
    assert [row.body for row in await store.log(game.id, after=2)] == ["c", "d", "e"]
    assert [row.body for row in await store.log(game.id, after=1, upto=3)] == ["b", "c"]


async def test_each_row_has_its_time(store: Store, game: Game, clock: Clock) -> None:
    began = clock.now
    await store.append(game.id, 0, [Row("action", "{}")])
    clock.now += 60
    await store.append(game.id, 1, [Row("action", "{}")] * 2)
    assert await store.times(game.id) == {1: began, 2: began + 60, 3: began + 60}
    assert await store.times(game.id, after=2) == {3: began + 60}
    assert await store.times("nosuch") == {}


async def test_messages_come_in_the_order_of_their_positions_with_buttons_or_without(store: Store, game: Game) -> None:
    for seq, number in ((0, 30), (2, 10), (1, 20)):
        await posted(store, game.id, seq, "turn:x", 7, number)
    await store.messages.retire([30])
    assert [one.message_id for one in await store.messages.of_game(game.id)] == [30, 20, 10]
    assert await store.messages.of_game("nosuch") == []


async def test_a_taken_seq_is_stale_and_nothing_is_written(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [act("first")])
    for expected in (0, 2):
        with pytest.raises(Stale, match="at position 1"):
            await store.append(game.id, expected, [act("late")], interaction_id=5, notices=[Notice("turn", "{}")])
    assert [row.body for row in await store.log(game.id)] == ["first"]
    assert await store.outbox.waiting() == 0
    assert await store.append(game.id, 1, [act("again")], interaction_id=5) == 2  # a stale press used up nothing


async def test_the_same_interaction_is_applied_once_and_says_what_it_did(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [act()])
    await store.append(game.id, 1, [act("a"), act("b")], interaction_id=99, notices=[Notice("turn", "{}")])
    for seen in (1, 3):
        with pytest.raises(Duplicate, match=rf"in game {game.id} \(append, position 3\)"):
            await store.append(game.id, seen, [act("a"), act("b")], interaction_id=99, notices=[Notice("turn", "{}")])
    assert (await store.game(game.id)).seq == 3
    assert await store.outbox.waiting() == 1


async def test_an_unknown_game_has_no_log(store: Store) -> None:
    with pytest.raises(UnknownGame):
        await store.append("nosuch", 0, [act()])
    with pytest.raises(UnknownGame):
        await store.verify("nosuch")


async def test_an_append_needs_a_row(store: Store, game: Game) -> None:
    with pytest.raises(ValueError, match="at least one row"):
        await store.append(game.id, 0, [])


@pytest.mark.second
async def test_the_last_action_ends_the_game_in_the_same_transaction(store: Store, game: Game, clock: Clock) -> None:
    await store.start_game(game.id)
    clock.now += 60
    await store.append(game.id, 0, [act()], status="finished", result='{"p1":100}')
    ended = await store.game(game.id)
    assert (ended.status, ended.result, ended.finished_at) == ("finished", '{"p1":100}', clock.now)
    await store.append(game.id, 1, [Row("undo", "0")], status="running")
    back = await store.game(game.id)
    assert (back.status, back.result, back.finished_at, back.started_at) == ("running", None, None, 1_000_000)


@pytest.mark.second
async def test_of_many_writers_at_one_position_one_wins(store: Store, game: Game) -> None:
    tries = [store.append(game.id, 0, [act(str(number))]) for number in range(20)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [result for result in results if not isinstance(result, Stale)] == [1]
    assert len(await store.log(game.id)) == 1


@pytest.mark.long
async def test_a_cancelled_append_is_whole_or_absent(store: Store, game: Game) -> None:
    written = 0
    for ticks in range(30):
        seq = (await store.game(game.id)).seq
        task = asyncio.create_task(store.append(game.id, seq, [act("a"), act("b")], notices=[Notice("turn", "{}")]))
        for _ in range(ticks):
            await asyncio.sleep(0.0001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.gather(*store._db._tasks, return_exceptions=True)  # the write under way
        written = await store.verify(game.id)
        assert written in (seq, seq + 2)
        assert await store.outbox.waiting() == written // 2
    assert written > 0


async def test_readers_do_not_wait_for_a_long_write(store: Store, game: Game) -> None:
    written, go_on = asyncio.Event(), asyncio.Event()

    async def long_write(tx: Tx) -> None:
        await tx.run("UPDATE games SET title = 'later'")
        written.set()
        await go_on.wait()

    write = asyncio.create_task(store._db.write(long_write))
    await written.wait()
    assert (await asyncio.wait_for(store.game(game.id), 60)).title == "1889"
    go_on.set()
    await write
    assert (await store.game(game.id)).title == "later"


@pytest.mark.parametrize(
    ("engine", "attack"),
    [
        *product(
            ("sqlite", "postgres"),
            (
                "UPDATE log SET body = 'x'",
                "DELETE FROM log",
                "INSERT INTO log SELECT game, 9, kind, body, by_seat, by_user, note, at, NULL, hash, NULL, NULL, NULL"
                " FROM log WHERE seq = 1",
            ),
        ),
        ("sqlite", "INSERT OR REPLACE INTO log SELECT * FROM log WHERE seq = 1"),
        ("postgres", "TRUNCATE log"),
        ("postgres", "TRUNCATE games CASCADE"),
    ],
)
async def test_the_database_itself_refuses_changes_to_the_log(
    store: Store, game: Game, by_hand: Callable[[str], None], attack: str
) -> None:
    await store.append(game.id, 0, [act("a"), act("b")])
    with pytest.raises(RuntimeError, match="append-only"):
        by_hand(attack)
    assert await store.verify(game.id) == 2


@pytest.mark.parametrize(
    ("attack", "seq"),
    [
        ("UPDATE log SET body = 'x' WHERE seq = 2", 2),
        ("UPDATE log SET note = 'not so' WHERE seq = 3", 3),
        ("UPDATE log SET at = at + 1 WHERE seq = 1", 1),
        ("UPDATE log SET hash = 'f' WHERE seq = 4", 4),
        ("DELETE FROM log WHERE seq = 2", 2),
        ("DELETE FROM log WHERE seq = 4", 4),
        ("DELETE FROM log", 1),
        ("UPDATE log SET seq = 9 WHERE seq = 4", 4),
        ("UPDATE games SET seq = 3", 4),
        ("UPDATE games SET head = ''", 4),
    ],
)
@pytest.mark.long
async def test_a_log_altered_behind_our_back_is_found(
    store: Store, game: Game, by_hand: Callable[[str], None], engine: str, attack: str, seq: int
) -> None:
    await store.append(game.id, 0, [act(letter) for letter in "abcd"])
    assert await store.verify(game.id) == 4
    for trigger in ("log_is_not_changed", "log_is_not_shortened"):
        drop(by_hand, trigger, engine)
    by_hand(attack)
    with pytest.raises(BrokenLog) as caught:
        await store.verify(game.id)
    assert caught.value.seq == seq
    assert str(caught.value) in await store.check()


@pytest.mark.second
async def test_a_row_altered_with_its_own_hash_is_found_by_the_next(
    store: Store, game: Game, by_hand: Callable[[str], None], engine: str
) -> None:
    await store.append(game.id, 0, [act("a"), act("b")])
    first, _ = await store.log(game.id)
    forged = events._hash("", replace(first, body="x"))
    drop(by_hand, "log_is_not_changed", engine)
    by_hand(f"UPDATE log SET body = 'x', hash = '{forged}' WHERE seq = 1")
    with pytest.raises(BrokenLog, match="broken at 2"):
        await store.verify(game.id)


async def test_an_empty_log_verifies(store: Store, game: Game) -> None:
    assert await store.verify(game.id) == 0
    assert await store.check() == []


def drop(by_hand: Callable[[str], None], trigger: str, engine: str) -> None:
    by_hand(f"DROP TRIGGER {trigger}" + (" ON log" if engine == "postgres" else ""))


CHANNELS = count(100)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ROWS = st.builds(Row, TEXT, TEXT, st.none() | TEXT, st.none() | st.integers(0, 2**63 - 1), st.none() | TEXT)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(appends=st.lists(st.tuples(st.integers(0, 1), st.lists(ROWS, min_size=1, max_size=4)), max_size=6))
@pytest.mark.broad
def test_what_was_appended_is_what_is_read(place: str, engine: str, appends: list[tuple[int, list[Row]]]) -> None:
    """Any rows, in any batches, in two games at once, read again after the database was closed."""

    async def play() -> None:
        written: list[list[Row]] = [[], []]
        async with Store.open(place) as store:
            games = [await store.create_game(channel_id=next(CHANNELS), host_id=1, title="1889") for _ in range(2)]
            for which, rows in appends:
                storable = [without_nul(row) for row in rows] if engine == "postgres" else rows
                seq = await store.append(games[which].id, len(written[which]), storable)
                written[which] += storable
                assert seq == len(written[which])
        async with Store.open(place) as store:
            for game, rows in zip(games, written, strict=True):
                log = await store.log(game.id)
                assert [Row(one.kind, one.body, one.by_seat, one.by_user, one.note) for one in log] == rows
                assert await store.verify(game.id) == len(rows)

    asyncio.run(play())


def without_nul(row: Row) -> Row:
    """PostgreSQL refuses the character of number 0, in a sentence."""
    texts = [text and text.replace("\0", "") for text in (row.kind, row.body, row.by_seat, row.note)]
    return Row(texts[0] or "", texts[1] or "", texts[2], row.by_user, texts[3])


async def test_the_snapshot_of_the_last_row_is_kept(store: Store, game: Game) -> None:
    for seq in range(1, 7):
        await store.append(game.id, seq - 1, [act()], snapshot=Snapshot(seq, 1, bytes([seq])))
    assert await store.snapshots.last(game.id) == Snapshot(6, 1, b"\x06")


async def test_what_is_told_of_earlier_rows_stays_with_the_snapshots_after_them(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [act()], snapshot=Snapshot(1, 1, b"1", "what was done"))
    await store.append(game.id, 1, [act()], snapshot=Snapshot(2, 1, b"2"))
    assert await store.snapshots.last(game.id) == Snapshot(2, 1, b"2", "what was done")
    await store.append(game.id, 2, [act()], snapshot=Snapshot(3, 1, b"3", "told anew"))
    assert await store.snapshots.last(game.id) == Snapshot(3, 1, b"3", "told anew")


async def test_a_snapshot_of_an_earlier_row_is_none(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [act()], snapshot=Snapshot(1, 1, b"first"))
    await store.append(game.id, 1, [act()])
    assert await store.snapshots.last(game.id) is None
    await store.snapshots.save(game.id, Snapshot(1, 1, b"late"))
    assert await store.snapshots.last(game.id) is None
    await store.snapshots.save(game.id, Snapshot(2, 2, b"second"))
    assert await store.snapshots.last(game.id) == Snapshot(2, 2, b"second")
    await store.snapshots.save(game.id, Snapshot(1, 1, b"late"))
    assert await store.snapshots.last(game.id) == Snapshot(2, 2, b"second")


@pytest.mark.parametrize("change", ["rules = 3", "position = '1:b'", "told = 'b'", "told = NULL"])
async def test_what_a_row_says_of_its_rules_is_under_its_hash(
    store: Store, game: Game, by_hand: Callable[[str], None], engine: str, change: str
) -> None:
    await store.append(game.id, 0, [act(), Row("action", "{}", rules=2, position="1:a", told="a"), act()])
    assert await store.verify(game.id) == 3
    drop(by_hand, "log_is_not_changed", engine)
    by_hand(f"UPDATE log SET {change} WHERE seq = 2")
    with pytest.raises(BrokenLog, match="broken at 2"):
        await store.verify(game.id)


@pytest.mark.second
async def test_writes_that_belong_together_are_all_there_or_none(store: Store) -> None:
    async def make(fails: bool) -> str:
        game = await store.create_game(channel_id=70, host_id=1, title="1889")
        await store.join(game.id, 1, "Ann", limit=2)
        await store.start_game(game.id)
        await store.append(game.id, 0, [Row("action", "first")], notices=[Notice("turn", "{}")])
        if fails:
            raise RuntimeError
        return game.id

    with pytest.raises(RuntimeError):
        await store.together(lambda: make(True))
    assert await store.game_in_channel(70) is None
    assert await store.outbox.waiting() == 0
    made = await store.together(lambda: make(False))
    assert (await store.game(made)).seq == 1
    assert await store.outbox.waiting() == 1
    await store.append(made, 1, [Row("action", "second")])  # nothing of the transaction is left over
    assert await store.verify(made) == 2


async def test_hashes_are_made_and_proved_beside_the_event_loop(
    store: Store, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    real = events._hash

    def noting(before: str, row: LogRow) -> str:
        threads.append(threading.current_thread())
        return real(before, row)

    monkeypatch.setattr(events, "_hash", noting)
    await store.append(game.id, 0, [act()] * 100)
    assert await store.verify(game.id) == 100
    assert len(threads) == 200
    assert threads.count(threading.current_thread()) < 10
