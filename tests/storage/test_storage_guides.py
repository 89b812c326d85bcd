"""How far people are in the guided game: one row each, changed only by who has read it."""

from __future__ import annotations

import pytest

from storage import Stale, Store


async def test_a_stage_is_kept_by_person(place: str) -> None:
    async with Store.open(place, clock=lambda: 500) as store:
        assert await store.guides.of_user(5) is None
        first = await store.guides.change(5, "one", None)
        second = await store.guides.change(5, "two", first)
        other = await store.guides.change(6, "another's", None)
    async with Store.open(place) as store:
        assert await store.guides.of_user(5) == second
        assert await store.guides.of_user(6) == other
        assert (second.body, second.revision, second.changed_at) == ("two", 1, 500)


async def test_a_press_that_comes_too_late_changes_nothing(place: str) -> None:
    async with Store.open(place) as store:
        first = await store.guides.change(5, "one", None)
        with pytest.raises(Stale):
            await store.guides.change(5, "anew", None)
        await store.guides.change(5, "two", first)
        with pytest.raises(Stale):
            await store.guides.change(5, "late", first)
        row = await store.guides.of_user(5)
        assert row is not None
        assert row.body == "two"
