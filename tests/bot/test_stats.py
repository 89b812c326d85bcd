"""/stats and /server table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from club import Club, text
from player import private_answer

from bot.core.hours import HOUR, NIGHTS
from bot.core.person import Person
from bot.rooms.server.room import Result, duration, ratings, results, seconds_to_move, stats_screen
from engine.actions import Pass
from engine.ids import PlayerId
from storage import VACANT, PersonTicked, Row, SeatChange, Store


def result(title: str, *places: tuple[int, int], rated: bool = True) -> Result:
    return Result("g", title, places, rated)


def test_ratings_follow_places_and_are_kept_apart_by_title() -> None:
    played = [
        result("1889", (1, 0), (2, 1), (3, 2)),
        result("1889", (1, 0), (2, 1), (3, 2)),
        result("1860", (3, 0), (1, 1)),
    ]
    found = ratings(played, "1889")
    assert [(one.user, one.games) for one in found] == [(1, 2), (2, 2), (3, 2)]
    assert found[0].value > found[1].value > found[2].value
    assert [one.user for one in ratings(played, "1860")] == [3, 1]
    assert ratings(played, "1890") == []


def test_a_tie_rates_both_alike_and_a_game_that_does_not_count_changes_nothing() -> None:
    one, two = ratings([result("1889", (1, 0), (2, 0))], "1889")
    assert one.value == pytest.approx(two.value)
    assert ratings([result("1889", (1, 0), (2, 1), rated=False)], "1889") == []


def test_a_game_in_which_somebody_ended_in_two_seats_is_one_game() -> None:
    said = stats_screen(1, [result("1889", (1, 0), (2, 1), (1, 2))], None).text
    assert "1 game finished on this server" in said
    assert "1 game · 1st ×1, 3rd ×1" in said


@pytest.mark.parametrize(
    ("seconds", "words"), [(45, "45 s"), (720, "12 min"), (12_000, "3 h 20 min"), (7200, "2 h"), (180_000, "2 days")]
)
def test_durations_are_told_in_round_figures(seconds: float, words: str) -> None:
    assert duration(seconds) == words


async def test_quiet_hours_are_no_time_that_somebody_took_to_move(tmp_path: Path) -> None:
    evening = now = 1_772_452_800  # 21:00 in Tokyo
    moves = ((1, 0), (2, 12 * HOUR), (1, 13 * HOUR), (2, 14 * HOUR))
    async with Store.open(tmp_path / "games.sqlite3", clock=lambda: now) as store:
        game = await store.create_game(channel_id=1, host_id=1, title="1889")
        for user in (1, 2):
            await store.join(game.id, user, f"p{user}", limit=2)
        await store.start_game(game.id)
        night = Person("Asia/Tokyo", NIGHTS).text()
        await store.people.change(2, lambda text, at, owed: PersonTicked(night, None))
        for seq, (user, later) in enumerate(moves):
            now = evening + later
            await store.append(game.id, seq, [Row("action", "{}", by_user=user)])
        assert await seconds_to_move(store, [game.id], 1) == HOUR
        assert await seconds_to_move(store, [game.id], 2) == 2 * HOUR, "three from 21:00 to 9:00, and one"


async def test_only_a_players_own_moves_are_timed_and_only_from_when_they_could_make_them(tmp_path: Path) -> None:
    now = begun = 1_772_452_800
    rows = [
        (50, Row("action", "{}", by_user=1)),
        (51, Row("action", "{}", by_user=2)),
        (61, Row("undo", '{"to": 2}', by_user=1)),
        (62, Row("redo", "{}", by_user=1)),
        (63, Row("action", "{}", by_user=2)),
        (73, Row("action", "{}", by_user=1, note="by the host")),
        (74, Row("action", "{}", by_user=2)),
        (84, Row("action", "{}", by_user=1, note="offer 1 accepted")),
        (85, Row("action", "{}", by_user=2)),
        (99, Row("action", "{}", by_user=3)),
    ]
    async with Store.open(tmp_path / "games.sqlite3", clock=lambda: now) as store:
        game = await store.create_game(channel_id=1, host_id=1, title="1889")
        for user in (1, 2):
            await store.join(game.id, user, f"p{user}", limit=2)
        await store.append(game.id, 0, [Row("action", "{}", note="imported")])
        now = begun + 48 * HOUR
        await store.start_game(game.id)
        for seq, (hours, row) in enumerate(rows, start=1):
            now = begun + 96 * HOUR
            if row.by_user == 3:
                await store.tenures.open(game.id, "p1", held_by=1)
                await store.tenures.hand_over(game.id, SeatChange("p1", "taken", 1, 3, "p3"))
            now = begun + hours * HOUR
            await store.append(game.id, seq, [row])
        assert await seconds_to_move(store, [game.id], 1) == 2 * HOUR, "since the imported game began here"
        assert await seconds_to_move(store, [game.id], 2) == HOUR
        assert await seconds_to_move(store, [game.id], 3) == 3 * HOUR, "since the seat is theirs"


async def finished(club: Club, **options: Any) -> Any:
    table = await club.begin(2, **options)
    for number in range(4):
        await table.submit(Pass(PlayerId(f"p{1 + number % 2}")), user=club.members[number % 2].id)
    await table.end_here()
    return table


@pytest.mark.core
async def test_a_finished_game_counts_for_its_players_but_not_for_ratings_if_it_was_stopped(club: Club) -> None:
    table = await finished(club, rated=True)
    (one,) = await results(table.store, club.guild.id)
    assert {user for user, _ in one.places} == {club.aiko.id, club.ben.id}
    assert not one.rated
    said = text(private_answer(await club.aiko.slash(club.channel, "stats")))
    assert "1 game finished on this server." in said
    assert "**Shikoku 1889**: 1 game · 1st ×1" in said
    assert "rating" not in said
    assert "Nobody has a rating here yet" in text(private_answer(await club.aiko.slash(club.channel, "server table")))
    other = text(private_answer(await club.aiko.slash(club.channel, "stats", player=club.fumi)))
    assert "has not finished a game" in other


@pytest.mark.parametrize("to", [5, VACANT - 11])
async def test_a_seat_that_is_lent_at_the_end_counts_for_its_owner(club: Club, to: int) -> None:
    table = await club.begin(2)
    aiko, ben = club.members[:2]
    change = SeatChange("p2", "lent", ben.id, club.members[to].id if to > 0 else to, "Standing in", ends_at=1 << 40)
    await table.store.tenures.hand_over(table.game.id, change)
    await (await club.table()).end_here()
    (one,) = await results(table.store, club.guild.id)
    assert {user for user, _ in one.places} == {aiko.id, ben.id}


@pytest.mark.parametrize("rated", [False, True])
async def test_a_game_that_is_not_rated_or_in_which_somebody_was_substituted_does_not_count(
    club: Club, monkeypatch: pytest.MonkeyPatch, rated: bool
) -> None:
    monkeypatch.setattr("bot.rooms.server.room.stopped", lambda rows: False)
    table = await club.begin(2, rated=rated)
    if rated:
        game, tenures = table.game.id, table.store.tenures
        await tenures.open(game, "p1", held_by=club.aiko.id)
        await tenures.hand_over(game, SeatChange("p1", "taken", club.aiko.id, club.chloe.id, "Chloe"))
        club.bot.tables.forget(game)
    await (await club.table()).end_here()
    assert len(await results(table.store, club.guild.id)) == 1
    assert "Nobody has a rating here yet" in text(private_answer(await club.aiko.slash(club.channel, "server table")))


async def test_a_rated_game_that_ends_by_itself_counts(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await finished(club, rated=True)
    monkeypatch.setattr("bot.rooms.server.room.stopped", lambda rows: False)
    said = text(private_answer(await club.aiko.slash(club.channel, "server table")))
    assert "**Shikoku 1889**" in said
    assert f"<@{club.aiko.id}>" in said
    assert "rating" in text(private_answer(await club.ben.slash(club.channel, "stats")))


async def test_the_lobby_says_that_a_game_is_rated(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", rated=True)
    assert "A rated game" in text(club.packet())
