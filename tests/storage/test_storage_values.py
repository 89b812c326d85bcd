"""What a database cannot hold or do is refused in a sentence, by either engine."""

from __future__ import annotations

import pytest

from storage import Game, Row, StorageError, Store, Unavailable


async def test_what_the_database_cannot_hold_is_refused_in_a_sentence(store: Store, game: Game) -> None:
    for attempt in (store.offers.get(2**63), store.game("\ud800"), store.join(game.id, 2**63, "Ann", limit=6)):
        with pytest.raises(StorageError, match="too large to be stored"):
            await attempt
    assert await store.seats(game.id) == []


async def test_a_closed_store_says_so(place: str) -> None:
    async with Store.open(place) as store:
        pass
    for call in (store.game("any"), store.append("any", 0, [Row("action", "{}")])):
        with pytest.raises(Unavailable, match="closed"):
            await call


async def test_a_row_that_the_schema_refuses_is_no_raw_error(store: Store, game: Game) -> None:
    with pytest.raises(StorageError, match="refused a row"):
        await store.append(game.id, 0, [Row("action", None)])  # type: ignore[arg-type]
    assert await store.log(game.id) == []


async def test_the_character_of_number_0_is_refused_in_a_sentence_where_it_cannot_be(
    store: Store, game: Game, engine: str
) -> None:
    if engine == "sqlite":
        assert (await store.join(game.id, 5, "A\0nn", limit=3)).name == "A\0nn"
    else:
        with pytest.raises(StorageError, match="letters that cannot be"):
            await store.join(game.id, 5, "A\0nn", limit=3)
        assert await store.seats(game.id) == []
        assert await store.check() == []
