"""What people have for themselves: how far they are in the guided game, tips they need no more, moves they try out."""

from __future__ import annotations

import pytest

from storage import Game, Stale, Store, TooManyBranches, UnknownGame


@pytest.mark.long
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


@pytest.mark.second
async def test_a_press_that_comes_too_late_changes_nothing(store: Store) -> None:
    first = await store.guides.change(5, "one", None)
    with pytest.raises(Stale):
        await store.guides.change(5, "anew", None)
    await store.guides.change(5, "two", first)
    with pytest.raises(Stale):
        await store.guides.change(5, "late", first)
    row = await store.guides.of_user(5)
    assert row is not None
    assert row.body == "two"


@pytest.mark.long
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


@pytest.mark.long
async def test_branches_are_kept_by_person_and_game(place: str) -> None:
    async with Store.open(place) as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        other = await store.create_game(channel_id=8, host_id=1, title="1889")
        first = await store.branches.add(game.id, 5, "first", most=3)
        second = await store.branches.add(game.id, 5, "second", most=3)
        await store.branches.add(game.id, 6, "another's", most=3)
        await store.branches.add(other.id, 5, "of another game", most=3)
    async with Store.open(place) as store:
        assert [one.body for one in await store.branches.of_user(game.id, 5)] == ["second", "first"]
        assert await store.branches.get(first.id) == first
        await store.branches.remove(game.id, [second.id, 999])
        await store.branches.remove(other.id, [first.id])
        assert await store.branches.of_user(game.id, 5) == [first]
        assert await store.branches.get(second.id) is None


@pytest.mark.second
async def test_of_two_who_change_a_branch_one_learns_that_it_changed(store: Store, game: Game) -> None:
    made = await store.branches.add(game.id, 5, "first", most=3)
    changed = await store.branches.change(made, "then")
    assert (changed.body, changed.revision) == ("then", 1)
    with pytest.raises(Stale):
        await store.branches.change(made, "too late")
    assert await store.branches.get(made.id) == changed
    await store.branches.remove(game.id, [made.id])
    with pytest.raises(Stale):
        await store.branches.change(changed, "gone")


async def test_a_person_keeps_so_many_and_no_more(store: Store, game: Game) -> None:
    for _ in range(2):
        await store.branches.add(game.id, 5, "one", most=2)
    with pytest.raises(TooManyBranches):
        await store.branches.add(game.id, 5, "one too many", most=2)
    await store.branches.add(game.id, 6, "another's", most=2)
    with pytest.raises(UnknownGame):
        await store.branches.add("nosuch", 5, "none", most=2)


async def test_a_branch_changes_nothing_of_its_game_and_ends_with_it(store: Store, game: Game) -> None:
    made = await store.branches.add(game.id, 5, "first", most=2)
    await store.branches.change(made, "then")
    assert await store.version(game.id) == game.version
    await store.set_status(game.id, "abandoned")
    assert await store.branches.of_user(game.id, 5) == []
