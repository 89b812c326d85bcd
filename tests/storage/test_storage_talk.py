"""Offers, standing orders, votes and personal settings."""

from __future__ import annotations

import pytest
from clock import Clock

from storage import (
    AlreadyOffered,
    Duplicate,
    Game,
    Notice,
    Offer,
    Order,
    Row,
    Stale,
    Store,
    TooManyOffers,
    UnknownOffer,
)


async def offer(store: Store, game: Game, seq: int = 0, body: str = "{}") -> Offer:
    return await store.offers.make(game.id, seq, body, from_seat="p1", to_seat="p2")


async def test_an_offer_waits_for_its_answer(store: Store, game: Game) -> None:
    made = await offer(store, game, body='{"price":40}')
    assert (made.seq, made.from_seat, made.to_seat, made.status) == (0, "p1", "p2", "open")
    assert await store.offers.open(game.id) == [made]
    assert await store.offers.get(made.id) == made
    with pytest.raises(UnknownOffer):
        await store.offers.get(999)


async def test_accepting_is_part_of_the_action(store: Store, game: Game) -> None:
    made = await offer(store, game)
    await store.append(game.id, 0, [Row("action", made.body)], accept=made.id, interaction_id=5)
    assert (await store.offers.get(made.id)).status == "accepted"
    with pytest.raises(Stale, match="accepted"):
        await store.append(game.id, 1, [Row("action", made.body)], accept=made.id)
    assert (await store.game(game.id)).seq == 1


async def test_an_offer_of_another_game_cannot_be_accepted(store: Store, game: Game) -> None:
    other = await store.create_game(channel_id=8, host_id=1, title="1889")
    made = await offer(store, other)
    with pytest.raises(UnknownOffer):
        await store.append(game.id, 0, [Row("action", "{}")], accept=made.id)
    assert await store.log(game.id) == []


async def test_a_declined_offer_cannot_be_accepted(store: Store, game: Game) -> None:
    made = await offer(store, game)
    declined = await store.offers.decline(made.id, interaction_id=5, notices=[Notice("declined", "{}")])
    assert declined.status == "declined"
    assert await store.outbox.waiting() == 1
    with pytest.raises(Stale):
        await store.append(game.id, 0, [Row("action", "{}")], accept=made.id)
    with pytest.raises(Stale):
        await store.offers.decline(made.id)


async def test_offers_pass_with_the_position(store: Store, game: Game) -> None:
    passing = await offer(store, game)
    await store.append(game.id, 0, [Row("action", "{}")])
    assert (await store.offers.get(passing.id)).status == "stale"
    assert await store.offers.open(game.id) == []
    with pytest.raises(Stale):
        await offer(store, game, seq=0)
    assert (await offer(store, game, seq=1)).seq == 1


async def test_an_offer_that_is_open_is_not_made_again(store: Store, game: Game) -> None:
    made = await offer(store, game)
    with pytest.raises(AlreadyOffered):
        await offer(store, game)
    await store.offers.make(game.id, 0, "{}", from_seat="p3", to_seat="p2")
    await store.offers.decline(made.id)
    assert (await offer(store, game)).status == "open"


async def test_a_seat_has_only_so_many_open_offers(store: Store, game: Game) -> None:
    for price in range(2):
        await store.offers.make(game.id, 0, f"{price}", from_seat="p1", to_seat="p2", most=2, notices=[Notice("o", "")])
    with pytest.raises(TooManyOffers, match="2 offers"):
        await store.offers.make(game.id, 0, "2", from_seat="p1", to_seat="p3", most=2, notices=[Notice("o", "")])
    assert (len(await store.offers.open(game.id)), await store.outbox.waiting()) == (2, 2)


async def test_a_repeated_offer_or_answer_counts_once(store: Store, game: Game) -> None:
    made = await store.offers.make(game.id, 0, "{}", from_seat="p1", to_seat="p2", interaction_id=5)
    with pytest.raises(Duplicate, match="offer"):
        await store.offers.make(game.id, 0, "{}", from_seat="p1", to_seat="p2", interaction_id=5)
    await store.offers.decline(made.id, interaction_id=6)
    with pytest.raises(Duplicate):
        await store.offers.decline(made.id, interaction_id=6)
    assert (await store.offers.get(made.id)).status == "declined"


async def test_standing_orders_are_replaced_used_up_and_taken_away(store: Store, game: Game) -> None:
    await store.orders.set(game.id, {"p1": Order('{"pass":3}')})
    await store.orders.set(game.id, {"p1": Order('{"pass":2}'), "p2": Order('{"pass":1}')})
    await store.append(game.id, 0, [Row("action", "{}")], orders={"p1": Order('{"pass":1}', 700), "p2": None})
    assert await store.orders.of_game(game.id) == {"p1": Order('{"pass":1}', 700)}
    await store.orders.set(game.id, {"p1": None})
    assert await store.orders.of_game(game.id) == {}


async def test_a_stale_append_uses_up_no_standing_order(store: Store, game: Game) -> None:
    await store.orders.set(game.id, {"p1": Order("{}")})
    with pytest.raises(Stale):
        await store.append(game.id, 4, [Row("action", "{}")], orders={"p1": None})
    assert await store.orders.of_game(game.id) == {"p1": Order("{}")}


async def test_standing_orders_are_looked_at_when_their_time_has_come(store: Store, game: Game, clock: Clock) -> None:
    await store.orders.set(game.id, {"p1": Order("{}"), "p2": Order("{}", clock.now + 60)})
    await store.orders.look_at(game.id, "p1", clock.now + 30)
    assert await store.orders.claim("bot", limit=5) == []
    clock.now += 30
    assert await store.orders.claim("bot", limit=5) == [game.id]
    assert await store.orders.claim("another", limit=5) == []
    await store.orders.set(game.id, {"p1": Order("{}")})
    clock.now += 200
    assert await store.orders.claim("bot", limit=5) == [game.id]
    before = await store.version(game.id)
    await store.orders.look_at(game.id, "p1", clock.now)
    assert await store.version(game.id) == before + 1


async def test_each_seat_has_one_vote_on_a_question(store: Store, game: Game) -> None:
    await store.votes.cast(game.id, "end", "p1", "no")
    await store.votes.cast(game.id, "undo", "p1")
    await store.votes.cast(game.id, "end", "p2")
    votes = await store.votes.cast(game.id, "end", "p1")
    assert [(one.seat, one.choice) for one in votes] == [("p1", "yes"), ("p2", "yes")]
    assert [(one.kind, one.seat) for one in await store.votes.of_game(game.id)] == [
        ("end", "p1"),
        ("end", "p2"),
        ("undo", "p1"),
    ]
    await store.append(game.id, 0, [Row("undo", "0")], clear_votes_on=["undo"])
    assert await store.votes.of_game(game.id, "undo") == []
    await store.votes.clear(game.id, "end")
    assert await store.votes.of_game(game.id) == []


async def test_a_vote_on_a_position_that_passed_is_stale(store: Store, game: Game) -> None:
    await store.append(game.id, 0, [Row("action", "{}")])
    with pytest.raises(Stale):
        await store.votes.cast(game.id, "undo", "p1", expected_seq=0)
    (vote,) = await store.votes.cast(game.id, "undo", "p1", expected_seq=1, interaction_id=3)
    assert vote.seq == 1
    with pytest.raises(Duplicate):
        await store.votes.cast(game.id, "undo", "p1", expected_seq=1, interaction_id=3)
