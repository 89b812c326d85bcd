"""On what terms seats are held: opened, offered, lent and handed over, each once and by whoever holds them."""

from __future__ import annotations

import asyncio

import pytest
from clock import Clock

from storage import VACANT, AlreadyOffered, Duplicate, Game, Notice, Order, Proposal, Row, SeatChange, Stale, Store
from storage.shapes import ProposalKind

ANN, BOB, CY, DEE = 5, 6, 7, 8
GIVEN = SeatChange("p1", "given", ANN, CY, "Cy")


@pytest.fixture
async def running(store: Store, game: Game) -> str:
    """A running game of Ann and Bob."""
    for user, name in ((ANN, "Ann"), (BOB, "Bob")):
        await store.join(game.id, user, name, limit=2)
    await store.start_game(game.id)
    return game.id


async def holders(store: Store, game: str) -> list[int]:
    return [one.user_id for one in await store.seats(game)]


async def propose(store: Store, game: str, kind: ProposalKind = "give", user: int = CY, days: int = 0) -> Proposal:
    return await store.tenures.propose(
        game,
        "p1",
        kind,
        held_by=ANN,
        by_user=ANN,
        user_id=user,
        name="N",
        notice=lambda n: Notice("say", str(n)),
        days=days,
    )


async def test_a_game_that_does_not_run_hands_no_seat_over(store: Store, game: Game) -> None:
    await store.join(game.id, ANN, "Ann", limit=2)
    for work in (
        store.tenures.hand_over(game.id, GIVEN),
        store.tenures.open(game.id, "p1", held_by=ANN),
        propose(store, game.id),
    ):
        with pytest.raises(Stale):
            await work


async def test_of_two_who_take_an_open_seat_one_has_it(store: Store, running: str) -> None:
    await store.tenures.open(running, "p1", held_by=ANN)
    done = await asyncio.gather(
        *(store.tenures.hand_over(running, SeatChange("p1", "taken", ANN, user, "N")) for user in (CY, DEE)),
        return_exceptions=True,
    )
    assert [type(one) for one in done].count(Stale) == 1
    assert len((await store.tenures.of_game(running)).handovers) == 1
    assert (await store.tenures.of_game(running)).openings == ()


async def test_a_seat_that_is_not_open_is_not_taken(store: Store, running: str) -> None:
    with pytest.raises(Stale):
        await store.tenures.hand_over(running, SeatChange("p1", "taken", ANN, CY, "Cy"))
    with pytest.raises(Stale):
        await propose(store, running, "take")
    assert await holders(store, running) == [ANN, BOB]


@pytest.mark.second
async def test_a_seat_is_passed_on_only_by_whoever_was_seen_in_it(store: Store, running: str) -> None:
    await store.tenures.hand_over(running, GIVEN)
    for work in (
        store.tenures.hand_over(running, GIVEN),
        store.tenures.open(running, "p1", held_by=ANN),
        store.tenures.close(running, "p1", held_by=ANN),
        store.tenures.hand_over(running, SeatChange("p1", "returned", CY, ANN, "Ann")),  # it was given, not taken
        propose(store, running),
    ):
        with pytest.raises(Stale):
            await work
    assert await holders(store, running) == [CY, BOB]


async def test_a_proposal_is_carried_out_once(store: Store, running: str) -> None:
    made = await propose(store, running)
    await store.tenures.hand_over(running, SeatChange("p1", "given", ANN, CY, "Cy", made.id))
    with pytest.raises(Stale):
        await store.tenures.settle(running, made.id, "declined")
    with pytest.raises(Stale):
        await store.tenures.hand_over(running, SeatChange("p1", "given", CY, DEE, "Dee", made.id))


async def test_what_was_withdrawn_is_not_carried_out(store: Store, running: str) -> None:
    made = await propose(store, running)
    await store.tenures.settle(running, made.id, "stale")
    with pytest.raises(Stale):
        await store.tenures.hand_over(running, SeatChange("p1", "given", ANN, CY, "Cy", made.id))
    assert await holders(store, running) == [ANN, BOB]


async def test_an_offer_of_a_seat_takes_the_place_of_the_one_before(store: Store, running: str) -> None:
    await propose(store, running)
    with pytest.raises(AlreadyOffered):
        await propose(store, running)
    second = await propose(store, running, "lend", DEE, days=3)
    assert (await store.tenures.of_game(running)).proposals == (second,)


async def test_a_lent_seat_goes_back_to_its_owner_alone(store: Store, running: str, clock: Clock) -> None:
    ends = clock.now + 100
    await store.tenures.hand_over(running, SeatChange("p1", "lent", ANN, CY, "Cy", ends_at=ends))
    for change in (
        SeatChange("p1", "given", CY, DEE, "Dee"),
        SeatChange("p1", "returned", CY, DEE, "Dee"),
        SeatChange("p1", "left", CY, VACANT, "Cy"),
    ):
        with pytest.raises(Stale):
            await store.tenures.hand_over(running, change)
    with pytest.raises(Stale):
        await store.tenures.open(running, "p1", held_by=CY)
    assert await store.tenures.loans_over(ends - 1) == []
    (loan,) = await store.tenures.loans_over(ends)
    assert (loan.owner_id, loan.owner_name) == (ANN, "Ann")
    await store.tenures.hand_over(running, SeatChange("p1", "returned", CY, ANN, "Ann"))
    assert await holders(store, running) == [ANN, BOB]
    assert await store.tenures.loans_over(ends) == []


async def test_loans_of_games_that_are_over_do_not_end(store: Store, running: str, clock: Clock) -> None:
    await store.tenures.hand_over(running, SeatChange("p1", "lent", ANN, CY, "Cy", ends_at=clock.now))
    assert await store.tenures.loans_over(clock.now)
    await store.set_status(running, "finished")
    assert await store.tenures.loans_over(clock.now) == []


@pytest.mark.second
async def test_what_was_the_holders_alone_goes_with_them(store: Store, running: str) -> None:
    await store.orders.set(running, {"p1": Order("{}")})
    await store.orders.set(running, {"p2": Order("{}")})
    for seat in ("p1", "p2"):
        await store.votes.cast(running, "end", seat)
    await store.votes.cast(running, "open p1", "p2")
    mine = await store.offers.make(running, 0, "a", from_seat="p1", to_seat="p2")
    theirs = await store.offers.make(running, 0, "b", from_seat="p2", to_seat="p1")
    await store.tenures.open(running, "p1", held_by=ANN)
    await propose(store, running, "take", DEE)
    await store.tenures.hand_over(running, SeatChange("p1", "taken", ANN, CY, "Cy", settles=("open p1",)))
    assert await store.orders.of_game(running) == {"p2": Order("{}")}
    assert [(one.kind, one.seat) for one in await store.votes.of_game(running)] == [("end", "p2")]
    assert [(await store.offers.get(one.id)).status for one in (mine, theirs)] == ["stale", "stale"]
    terms = await store.tenures.of_game(running)
    assert (terms.openings, terms.loans, terms.proposals) == ((), (), ())


async def test_a_seat_that_was_left_is_empty_and_open(store: Store, running: str) -> None:
    await store.append(running, 0, [Row("action", "{}")])
    await store.tenures.hand_over(running, SeatChange("p2", "left", BOB, VACANT, "Bob", host_id=ANN))
    assert await holders(store, running) == [ANN, VACANT]
    terms = await store.tenures.of_game(running)
    assert terms.opening("p2") is not None
    assert [(one.seq, one.seat, one.how, one.from_name) for one in terms.handovers] == [(1, "p2", "left", "Bob")]
    assert (await store.game(running)).host_id == ANN
    assert await store.games_of_user(BOB) == []


async def test_a_move_closes_the_open_seat_of_whoever_makes_it(store: Store, running: str) -> None:
    for number, seat in enumerate(("p1", "p2")):
        await store.tenures.open(running, seat, held_by=(ANN, BOB)[number])
    await propose(store, running, "take", DEE)
    await store.append(running, 0, [Row("action", "{}")], keeps=["p1"])
    terms = await store.tenures.of_game(running)
    assert [one.seat for one in terms.openings] == ["p2"]
    assert terms.proposals == ()


async def test_a_repeated_press_opens_proposes_and_settles_nothing_twice(store: Store, running: str) -> None:
    await store.tenures.open(running, "p1", held_by=ANN, interaction_id=1)
    with pytest.raises(Duplicate):
        await store.tenures.open(running, "p1", held_by=ANN, interaction_id=1)
    await store.tenures.close(running, "p1", held_by=ANN, interaction_id=2)
    with pytest.raises(Duplicate):
        await store.tenures.close(running, "p1", held_by=ANN, interaction_id=2)


async def test_the_notice_of_a_proposal_knows_its_number(store: Store, running: str) -> None:
    made = await propose(store, running)
    (notice,) = await store.outbox.claim("me")
    assert notice.body == str(made.id)


async def test_advice_is_known_from_where_it_was_given_and_passes_with_the_seat(store: Store, running: str) -> None:
    await store.append(running, 0, [Row("action", "{}")])
    with pytest.raises(Stale):
        await store.advice.give(running, "p1", expected_seq=0, interaction_id=3)
    for number in (4, 5):
        await store.advice.give(running, "p1", expected_seq=1, interaction_id=number)
    with pytest.raises(Duplicate):
        await store.advice.give(running, "p1", expected_seq=1, interaction_id=5)
    assert [await store.advice.given(running, "p1", seq) for seq in (0, 1, 2)] == [True, True, False]
    assert not await store.advice.given(running, "p2", 0)
    await store.tenures.hand_over(running, GIVEN)
    assert not await store.advice.given(running, "p1", 0)
