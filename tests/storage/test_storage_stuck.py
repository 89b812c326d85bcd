"""What has waited for too long, and what `tetsudo troubles` says of it."""

from __future__ import annotations

from clock import Clock

from cli.troubles import DAY, HOUR, troubles
from storage import Game, Notice, Store, Ticked
from storage.stuck import Blocked


async def told(store: Store) -> list[str]:
    return [one async for one in troubles(store)]


async def started(store: Store, channel: int = 7) -> Game:
    """A running game of two whose turn is shown."""
    game = await store.create_game(guild_id=5, channel_id=channel, host_id=1, title="1889")
    for user in (1, 2):
        await store.join(game.id, user, f"P{user}", limit=2)
    await store.start_game(game.id, notices=[Notice("turn:1", "{}")])
    (item,) = await store.outbox.claim("us")
    await store.outbox.done(item, channel_id=channel, message_id=100 + channel)
    return await store.game(game.id)


async def test_nothing_is_stuck_where_turns_are_shown_and_seats_taken(store: Store, clock: Clock) -> None:
    await started(store)
    clock.now += 30 * DAY
    assert await told(store) == []


async def test_a_closed_channel_is_named_with_what_opens_it(store: Store, clock: Clock) -> None:
    game = await started(store)
    await store.outbox.post(game.id, [Notice("turn:2", "{}"), Notice("told", "{}")])
    (item,) = await store.outbox.claim("us")
    error = "the channel is closed to the bot, says Discord: Missing Access"
    await store.outbox.failed(item, error, clock.now + 60, refused=True)
    assert await told(store) == []
    clock.now += 3 * HOUR
    (line,) = await told(store)
    assert f"Game {game.id} in https://discord.com/channels/5/7: a message and 1 more have waited 3 hours" in line
    assert "(1 attempt): the channel is closed to the bot, says Discord: Missing Access. Give the bot" in line
    assert "`/game move`" in line


async def test_what_was_never_tried_points_to_the_bot(store: Store, clock: Clock) -> None:
    game = await started(store)
    await store.outbox.post(game.id, [Notice("turn:2", "{}")])
    since = clock.now
    clock.now += HOUR
    assert await store.stuck.notices(clock.now - 60) == [Blocked(game.id, 5, 7, since, 0, None, 1)]
    (line,) = await told(store)
    assert "60 minutes and was never tried. No bot serves the game" in line


async def test_a_turn_that_no_message_shows_is_named(store: Store) -> None:
    game = await started(store)
    await store.messages.retire([107])
    (line,) = await told(store)
    assert f"Game {game.id} (1889)" in line
    assert "no message shows its turn" in line


async def test_a_seat_that_is_open_for_weeks_is_named(store: Store, clock: Clock) -> None:
    game = await started(store)
    await store.tenures.open(game.id, "p2", held_by=2)
    assert await told(store) == []
    clock.now += 15 * DAY
    (line,) = await told(store)
    assert "seat 2 has been open for 15 days" in line


async def test_what_nobody_looks_at_though_it_is_due_is_counted(store: Store, clock: Clock) -> None:
    game = await started(store)
    await store.clocks.change(game.id, lambda text, now, breaks: Ticked("x", now + 10, (), (), ()))
    clock.now += HOUR
    assert await told(store) == []
    clock.now += HOUR
    (line,) = await told(store)
    assert line.startswith(
        "Due for over an hour, and nobody looks: 1 of the clocks, reminders, programs, puzzles and live boards."
    )
    assert await store.clocks.claim("us", limit=1) == [game.id]
    assert await told(store) == []
