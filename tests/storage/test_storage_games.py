"""Games and the people who sit in them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from clock import Clock

from storage import (
    AlreadySeated,
    ChannelTaken,
    Duplicate,
    Game,
    Notice,
    Order,
    Row,
    Seat,
    SeatChange,
    Shards,
    Stale,
    Store,
    TableFull,
    UnknownGame,
    UnknownSeat,
)
from storage.games import ID_LETTERS


async def seat_history(store: Store, game: str) -> list[Seat]:
    """Everyone who ever held a seat, in the order they sat down."""
    return await store._db.find(Seat, "WHERE game = ? ORDER BY id", game)


async def test_a_new_game_is_open_and_readable(store: Store) -> None:
    made = await store.create_game(
        channel_id=7, guild_id=70, host_id=1, title="1889", options='["short"]', settings='{"undo":"host"}'
    )
    assert await store.game(made.id) == made
    assert (made.guild_id, made.channel_id, made.host_id, made.title) == (70, 7, 1, "1889")
    assert (made.options, made.settings, made.status, made.seq) == ('["short"]', '{"undo":"host"}', "open", 0)
    assert (made.created_at, made.started_at, made.finished_at, made.result) == (1_000_000, None, None, None)


@pytest.mark.second
async def test_ids_are_short_and_unlike_each_other(store: Store) -> None:
    ids = {(await store.create_game(channel_id=number, host_id=1, title="1889")).id for number in range(50)}
    assert len(ids) == 50
    assert all(len(one) == 6 and set(one) <= set(ID_LETTERS) for one in ids)


async def test_an_id_that_is_taken_is_drawn_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = iter("aaaaaa" * 2 + "bbbbbb")
    monkeypatch.setattr("storage.games.RANDOM.choice", lambda _: next(letters))
    ids = [(await store.create_game(channel_id=number, host_id=1, title="1889")).id for number in (1, 2)]
    assert ids == ["aaaaaa", "bbbbbb"]


async def test_unknown_games_are_refused_by_every_door(store: Store) -> None:
    for call in (
        store.game("nosuch"),
        store.set_status("nosuch", "abandoned"),
        store.start_game("nosuch"),
        store.change_game("nosuch", host_id=3),
        store.join("nosuch", 1, "Ann", limit=3),
        store.leave("nosuch", 1),
        store.tenures.hand_over("nosuch", SeatChange("p1", "given", 1, 2, "Bob")),
        store.tenures.open("nosuch", "p1", held_by=1),
        store.outbox.post("nosuch", []),
        store.offers.make("nosuch", 0, "{}", from_seat="p1", to_seat="p2"),
        store.orders.set("nosuch", {"p1": Order("{}")}),
        store.votes.cast("nosuch", "end", "p1"),
    ):
        with pytest.raises(UnknownGame, match="nosuch"):
            await call


async def test_a_channel_has_one_unfinished_game(store: Store, game: Game) -> None:
    with pytest.raises(ChannelTaken, match=game.id):
        await store.create_game(channel_id=7, host_id=2, title="1860")
    await store.set_status(game.id, "abandoned")
    second = await store.create_game(channel_id=7, host_id=2, title="1860")
    with pytest.raises(ChannelTaken):
        await store.set_status(game.id, "running")
    assert (await store.game_in_channel(7)) == second


@pytest.mark.second
async def test_two_games_made_at_once_in_a_channel_become_one(store: Store) -> None:
    tries = [store.create_game(channel_id=7, host_id=host, title="1889") for host in range(5)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(result) for result in results].count(ChannelTaken) == 4
    assert len(await store.games()) == 1


async def test_the_channel_remembers_its_last_game(store: Store, game: Game) -> None:
    assert await store.game_in_channel(8) is None
    await store.set_status(game.id, "finished")
    ended = await store.game_in_channel(7)
    assert ended is not None
    assert (ended.id, ended.status) == (game.id, "finished")


@pytest.mark.second
async def test_games_move_to_another_channel_unless_it_is_taken(store: Store, game: Game) -> None:
    await store.create_game(channel_id=8, host_id=1, title="1889")
    with pytest.raises(ChannelTaken):
        await store.change_game(game.id, channel_id=8)
    moved = await store.change_game(game.id, channel_id=9, host_id=2, settings="[1]")
    assert (moved.channel_id, moved.host_id, moved.settings, moved.options) == (9, 2, "[1]", "[]")
    assert await store.game_in_channel(7) is None


async def test_options_are_settled_when_the_game_begins(store: Store, game: Game) -> None:
    await store.change_game(game.id, options='["beginner"]')
    begun = await store.start_game(game.id)
    assert (begun.options, begun.status, begun.started_at) == ('["beginner"]', "running", 1_000_000)
    with pytest.raises(Stale):
        await store.change_game(game.id, options="[]")
    with pytest.raises(Stale):
        await store.start_game(game.id)


@pytest.mark.second
async def test_games_are_found_by_person_guild_and_status(store: Store, game: Game) -> None:
    other = await store.create_game(channel_id=8, guild_id=70, host_id=1, title="1860")
    abroad = await store.create_game(channel_id=9, guild_id=71, host_id=1, title="1890")
    for one in (game, other, abroad):
        await store.join(one.id, 5, "Ann", limit=3)
    await store.join(game.id, 6, "Bob", limit=3)
    await store.leave(abroad.id, 5)
    await store.set_status(other.id, "finished")
    assert [one.id for one in await store.games_of_user(5)] == [game.id]
    assert [one.id for one in await store.games_of_user(5, "open", "finished")] == [game.id, other.id]
    assert [one.id for one in await store.games_of_guild(70)] == [game.id]
    assert [one.id for one in await store.games_of_guild(70, "finished")] == [other.id]
    assert [one.id for one in await store.games()] == [game.id, abroad.id]


@pytest.mark.second
async def test_people_sit_down_in_the_first_free_seat(store: Store, game: Game) -> None:
    for user, name in ((5, "Ann"), (6, "Bob"), (7, "Cy")):
        await store.join(game.id, user, name, limit=3)
    await store.leave(game.id, 6)
    assert (await store.join(game.id, 8, "Dee", limit=3)).seat == 2
    assert [(one.seat, one.name) for one in await store.seats(game.id)] == [(1, "Ann"), (2, "Dee"), (3, "Cy")]


async def test_nobody_sits_twice_or_beyond_the_limit_or_late(store: Store, game: Game) -> None:
    await store.join(game.id, 5, "Ann", limit=2)
    with pytest.raises(AlreadySeated, match="seat 1"):
        await store.join(game.id, 5, "Ann", limit=2)
    await store.join(game.id, 6, "Bob", limit=2)
    with pytest.raises(TableFull):
        await store.join(game.id, 7, "Cy", limit=2)
    with pytest.raises(UnknownSeat):
        await store.leave(game.id, 7)
    await store.start_game(game.id)
    for call in (store.join(game.id, 7, "Cy", limit=9), store.leave(game.id, 5)):
        with pytest.raises(Stale, match="running"):
            await call


async def test_a_crowd_at_once_fills_each_seat_once(store: Store, game: Game) -> None:
    tries = [store.join(game.id, user, f"player {user}", limit=4) for user in range(10)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(result) for result in results].count(TableFull) == 6
    assert [one.seat for one in await store.seats(game.id)] == [1, 2, 3, 4]


@pytest.mark.second
async def test_the_order_of_seats_is_settled_at_the_start(store: Store, game: Game) -> None:
    for user, name in ((5, "Ann"), (6, "Bob"), (7, "Cy")):
        await store.join(game.id, user, name, limit=6)
    for wrong in ((1, 2), (1, 2, 3, 4), (1, 1, 2)):
        with pytest.raises(Stale):
            await store.start_game(game.id, order=wrong)
    await store.start_game(game.id, order=(3, 1, 2))
    assert [(one.seat, one.name) for one in await store.seats(game.id)] == [(1, "Cy"), (2, "Ann"), (3, "Bob")]


async def test_gaps_between_seats_are_closed_at_the_start(store: Store, game: Game) -> None:
    for user, name in ((5, "Ann"), (6, "Bob"), (7, "Cy")):
        await store.join(game.id, user, name, limit=6)
    await store.leave(game.id, 5)
    await store.start_game(game.id)
    assert [(one.seat, one.name) for one in await store.seats(game.id)] == [(1, "Bob"), (2, "Cy")]


async def test_a_seat_changes_hands_and_its_history_is_kept(store: Store, game: Game, clock: Clock) -> None:
    await store.join(game.id, 5, "Ann", limit=2)
    await store.join(game.id, 6, "Bob", limit=2)
    await store.start_game(game.id)
    clock.now += 100
    await store.tenures.hand_over(game.id, SeatChange("p1", "given", 5, 8, "Dee"))
    with pytest.raises(UnknownSeat):
        await store.tenures.hand_over(game.id, SeatChange("p3", "given", 5, 8, "Dee"))
    assert [(one.seat, one.user_id) for one in await store.seats(game.id)] == [(1, 8), (2, 6)]
    assert [(one.seat, one.user_id, one.left_at) for one in await seat_history(store, game.id)] == [
        (1, 5, clock.now),
        (2, 6, None),
        (1, 8, None),
    ]
    assert await store.games_of_user(5) == []


@pytest.mark.parametrize("did", ["create", "join", "leave", "start", "abandoned", "hand over"])
async def test_a_repeated_press_does_nothing_and_says_what_it_did(store: Store, game: Game, did: str) -> None:
    await store.join(game.id, 5, "Ann", limit=3)
    press = {
        "create": lambda: store.create_game(channel_id=8, host_id=1, title="1889", interaction_id=50),
        "join": lambda: store.join(game.id, 6, "Bob", limit=3, interaction_id=50),
        "leave": lambda: store.leave(game.id, 5, interaction_id=50),
        "start": lambda: store.start_game(game.id, interaction_id=50),
        "abandoned": lambda: store.set_status(game.id, "abandoned", interaction_id=50),
        "hand over": lambda: store.tenures.hand_over(
            game.id, SeatChange("p1", "given", 5, 9, "Eve"), interaction_id=50
        ),
    }[did]
    if did == "hand over":
        await store.start_game(game.id)
    await press()
    before = await store.games("open", "running", "abandoned"), await seat_history(store, game.id)
    with pytest.raises(Duplicate, match=rf"\({did}, "):
        await press()
    assert (await store.games("open", "running", "abandoned"), await seat_history(store, game.id)) == before


async def test_games_do_not_see_each_other(store: Store, game: Game) -> None:
    other = await store.create_game(channel_id=8, host_id=1, title="1889")
    await store.append(game.id, 0, [Row("action", "a")])
    await store.join(other.id, 5, "Ann", limit=3)
    assert await store.log(other.id) == []
    assert await store.seats(game.id) == []


@pytest.mark.second
async def test_every_change_of_what_a_copy_holds_gives_the_game_another_version(store: Store, game: Game) -> None:
    async def changed(work: Awaitable[object]) -> bool:
        before = await store.version(game.id)
        await work
        return await store.version(game.id) != before

    assert await changed(store.join(game.id, 5, "Ann", limit=3))
    assert await changed(store.join(game.id, 6, "Ben", limit=3))
    assert await changed(store.leave(game.id, 6))
    assert await changed(store.start_game(game.id))
    assert await changed(store.append(game.id, 0, [Row("action", "{}")]))
    assert await changed(store.orders.set(game.id, {"p1": Order("{}")}))
    assert await changed(store.offers.make(game.id, 1, "{}", from_seat="p1", to_seat="p2"))
    (offer,) = await store.offers.open(game.id)
    assert await changed(store.offers.decline(offer.id))
    assert await changed(store.tenures.hand_over(game.id, SeatChange("p1", "given", 5, 7, "Chloe")))
    assert await changed(store.tenures.open(game.id, "p1", held_by=7))
    assert await changed(store.tenures.close(game.id, "p1", held_by=7))
    assert await changed(store.change_game(game.id, settings="{}"))
    assert await changed(store.set_status(game.id, "finished"))
    assert await changed(store.votes.cast(game.id, "end", "p1"))
    assert await changed(store.votes.clear(game.id, "end"))
    assert not await changed(store.outbox.post(game.id, [Notice("say", "{}")]))
    assert (await store.game(game.id)).version == await store.version(game.id)


@pytest.mark.second
async def test_a_writer_with_an_old_copy_is_refused(store: Store, game: Game) -> None:
    version = await store.version(game.id)
    await store.orders.set(game.id, {"p1": Order("{}")}, expected_version=version)
    with pytest.raises(Stale):
        await store.orders.set(game.id, {"p1": None}, expected_version=version)
    with pytest.raises(Stale):
        await store.append(game.id, 0, [Row("action", "{}")], expected_version=version)
    await store.append(game.id, 0, [Row("action", "{}")], expected_version=version + 1)
    assert await store.orders.of_game(game.id) == {"p1": Order("{}")}


@pytest.mark.second
async def test_a_game_that_has_started_meanwhile_is_not_cancelled(store: Store, game: Game) -> None:
    await store.start_game(game.id)
    with pytest.raises(Stale, match="running, not open"):
        await store.set_status(game.id, "abandoned", expected="open")
    assert (await store.game(game.id)).status == "running"
    await store.set_status(game.id, "abandoned", expected="running")


@pytest.mark.second
async def test_games_that_other_rules_wrote_last_are_found_by_shard_until_they_are_read(store: Store) -> None:
    store.play_by("now")
    games = []
    for number in range(3):
        made = await store.create_game(channel_id=number, guild_id=number << 22, host_id=1, title="1889")
        await store.join(made.id, 5, "Ann", limit=1)
        await store.start_game(made.id)
        games.append(made.id)
    await store.append(games[0], 0, [Row("action", "{}")])
    assert set(await store.unread()) == set(games[1:])
    assert await store.unread(Shards((2,), 3)) == [games[2]]
    await store.read(games[1], (await store.game(games[1])).version - 1)
    assert set(await store.unread()) == set(games[1:]), "it has changed since it was read"
    await store.read(games[1], (await store.game(games[1])).version)
    assert await store.unread() == [games[2]]
    store.play_by("later")
    assert set(await store.unread()) == set(games)
    await store.set_status(games[0], "abandoned")
    assert games[0] not in await store.unread()
    assert await store.check() == []
    assert await store.numbers() == {"running": 2, "abandoned": 1}


@pytest.mark.second
async def test_the_titles_that_are_played_begin_with_the_one_of_most_games(store: Store) -> None:
    for number, title in enumerate(("1889", "1860", "1860", "1888", "1888", "1888")):
        made = await store.create_game(channel_id=number, host_id=1, title=title)
        await store.start_game(made.id)
        if number == 5:
            await store.set_status(made.id, "abandoned")
    await store.create_game(channel_id=9, host_id=1, title="1890")
    assert await store.titles_played() == ["1860", "1888", "1889"]
