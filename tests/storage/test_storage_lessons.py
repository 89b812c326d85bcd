"""What people need not be taught again."""

from __future__ import annotations

from storage import Store


async def test_what_is_dismissed_stays_so_for_that_person_alone(place: str) -> None:
    async with Store.open(place) as store:
        await store.lessons.dismiss(5, "track")
        await store.lessons.dismiss(5, "track")
        await store.lessons.dismiss(5, "run")
    async with Store.open(place) as store:
        assert await store.lessons.of_user(5) == {"track", "run"}
        assert await store.lessons.of_user(6) == set()
        await store.lessons.forget(5)
        assert await store.lessons.of_user(5) == set()
