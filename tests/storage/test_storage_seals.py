"""What is changed behind the program's back is found; what the program changes itself is not taken for that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from storage import Row, SeatChange, Store


async def two_games(store: Store) -> str:
    """The first one is running, with two people and a move."""
    for channel in (7, 8):
        game = await store.create_game(channel_id=channel, host_id=1, title="1889")
    first = (await store.games())[0]
    for user in (1, 2):
        await store.join(first.id, user, f"P{user}", limit=6)
    await store.start_game(first.id, order=[2, 1])
    await store.append(first.id, 0, [Row("action", "{}")])
    assert game.id != first.id
    return first.id


async def test_no_change_of_the_program_itself_is_reported(store: Store) -> None:
    game = await two_games(store)
    await store.tenures.hand_over(game, SeatChange("p2", "given", 1, 3, "P3"))
    await store.change_game(game, host_id=2, settings='{"undo": "anyone"}', channel_id=9)
    await store.together(lambda: store.set_status(game, "finished"))
    other = (await store.games())[0].id
    await store.join(other, 4, "P4", limit=6)
    await store.leave(other, 4)
    assert await store.check() == []


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE games SET host_id = 2 WHERE channel_id = 7", "the host or the status of game"),
        ("UPDATE games SET settings = '[]' WHERE channel_id = 7", "The settings"),
        ("UPDATE games SET options = '[1]' WHERE channel_id = 8", "The settings"),
        ("UPDATE games SET status = 'finished' WHERE channel_id = 7", "the status of game"),
        ("UPDATE games SET channel_id = 6 WHERE channel_id = 8", "were changed by another program"),
        ("UPDATE seats SET user_id = 9 WHERE seat = 1", "The seats of game"),
        ("UPDATE seats SET name = 'X' WHERE seat = 2", "The seats of game"),
        ("DELETE FROM seats WHERE seat = 2", "The seats of game"),
        (
            "INSERT INTO seats (game, seat, user_id, name, joined_at) SELECT game, 3, 9, 'X', 0 FROM seats LIMIT 1",
            "The seats of game",
        ),
        (
            "DELETE FROM seals WHERE number = 2; DELETE FROM games WHERE channel_id = 8",
            "Of 2 games that were made, 1 are missing",
        ),
        ("DELETE FROM seals WHERE number = 2", "was not made by this program"),
        (
            "INSERT INTO games (id, channel_id, title, options, settings, status, host_id, created_at)"
            " VALUES ('abc', 1, '1889', '[]', '{}', 'open', 1, 0)",
            "Game abc was not made by this program",
        ),
    ],
)
@pytest.mark.long
async def test_a_change_behind_the_programs_back_is_found(
    store: Store, by_hand: Callable[[str], None], sql: str, words: str
) -> None:
    game = await two_games(store)
    by_hand(sql)
    assert any(words in one for one in await store.check())
    if "channel_id = 7" in sql or "seats" in sql:
        assert any(words in one for one in await store.changed_elsewhere(game))


@pytest.mark.second
async def test_what_another_program_changed_stays_known_while_other_games_go_on(
    store: Store, by_hand: Callable[[str], None]
) -> None:
    game = await two_games(store)
    by_hand("UPDATE games SET host_id = 2 WHERE channel_id = 8")
    await store.append(game, 1, [Row("action", "{}")])
    assert len(await store.check()) == 1


@pytest.mark.second
async def test_what_is_rolled_back_touches_no_seal(store: Store) -> None:
    async def fails() -> None:
        await store.create_game(channel_id=9, host_id=1, title="1889")
        raise KeyError

    with pytest.raises(KeyError):
        await store.together(fails)
    await two_games(store)
    assert await store.check() == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seats SET user_id = 9 WHERE seat = 1",
        "DELETE FROM seals WHERE number = 1",
    ],
)
async def test_moves_do_not_cover_up_what_another_program_changed(
    store: Store, by_hand: Callable[[str], None], sql: str
) -> None:
    game = await two_games(store)
    by_hand(sql)
    found = await store.changed_elsewhere(game)
    await store.append(game, 1, [Row("action", "{}")])
    assert await store.changed_elsewhere(game) == found != []


async def test_names_in_any_script_are_sealed_as_they_are(store: Store) -> None:
    game = await store.create_game(channel_id=7, host_id=2**63 - 1, title="1889", settings='{"a": "\\u00e9\x07"}')
    await store.join(game.id, 2**63 - 1, 'Ai"ko \\ 愛子 🚂\n', limit=6)
    assert await store.check() == []


@pytest.mark.second
async def test_a_move_while_seals_are_read_is_not_taken_for_another_programs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, read, moved = await two_games(store), store._db.seals_of, list[int]()

    async def meanwhile(number: str) -> tuple[str, str]:
        if not moved:
            moved.append(await store.append(game, 1, [Row("action", "{}")]))
        return await read(number)

    monkeypatch.setattr(store._db, "seals_of", meanwhile)
    assert await store.check() == []
    assert moved == [2]
