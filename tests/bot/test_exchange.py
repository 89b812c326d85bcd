"""Carrying games over from and to files."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from club import Club, buttons, text
from player import answer, private_answer

from bot.core import clockwork
from bot.core.errors import TableError
from bot.rooms.past import history
from bot.rooms.seats import game_files, lobby
from bot.rooms.seats.game_files import LARGEST, bring_in, fetch, record_of, replay
from bot.rooms.turn.screen import last_of
from engine.flow import finish
from storage import Stale


async def record(club: Club, moves: int) -> bytes:
    """A game of the first three members, exported."""
    table = await club.begin(3)
    for _ in range(moves):
        await club.who(table.position.up[0], table).click(club.packet(), label="Pass")
    return record_of(table).encode()


async def brought(club: Club, file: bytes, importer: int = 0) -> tuple[Any, Any]:
    """The file imported by a member into a channel of its own, and the answer."""
    other = club.guild.create_text_channel("elsewhere")
    players = " ".join(f"<@{one.id}>" for one in club.members[:3])
    result = await club.members[importer].slash(other, "game import", file=("game.json", file), players=players)
    return other, result


async def test_an_imported_game_goes_on_once_everybody_has_accepted(club: Club) -> None:
    file = await record(club, 5)
    table, before = await club.table(), club.pinged()
    other, _ = await brought(club, file)
    (invitation,) = other.history()
    assert list(buttons(invitation)) == ["Accept", "Decline"]
    assert club.pinged() == before
    game = await club.bot.tables.game_in(other.id)
    assert [seat.user_id for seat in await club.bot.store.seats(game.id)] == [club.aiko.id]
    await club.chloe.click(invitation, label="Accept")
    assert (await club.bot.store.game(game.id)).status == "open"
    await club.ben.slash(other, "game join")
    again = await club.bot.tables.get(game.id)
    assert [one.action for one in again.moves] == [one.action for one in table.moves]
    assert [seat.user_id for seat in again.seats.values()] == [one.id for one in club.members[:3]]
    assert again.names == table.names
    assert "your turn" in text(other.last_message)
    assert not buttons(other.history()[0])
    assert "Undo" not in buttons(other.last_message), "none of those who sit here has made a move here"
    assert [last_of(again, seat) for seat in again.seats] == [4, 5, 3], "what was played before is theirs"


async def test_the_servers_list_says_for_how_many_an_imported_game_waits(club: Club) -> None:
    other, _ = await brought(club, await record(club, 5))
    await club.ben.click(other.last_message, label="Accept")
    listed = private_answer(await club.aiko.slash(club.channel, "server games"))
    assert f"<#{other.id}> · Shikoku 1889 · 2 of 3 have accepted" in text(listed)


async def test_an_imported_game_that_waits_asks_nobody_to_start_it(club: Club) -> None:
    """“press Start or use `/game start`”, which there is none of."""
    other, _ = await brought(club, await record(club, 5))
    for command in ("show map", "pass"):
        assert "waits until everybody has accepted" in await answer(club.aiko.slash(other, command)), command


async def test_an_invitation_says_what_begins_once_all_have_accepted(club: Club) -> None:
    other, _ = await brought(club, await record(club, 1))
    assert "with 1 move.\nIt continues here once" in text(other.last_message)
    for member in club.members[:3]:
        await member.slash(club.channel, "game end")
    over, _ = await brought(club, record_of(await club.table()).encode())
    assert "with 2 moves.\nIt is over. All can look back on it here once" in text(over.last_message)


async def test_the_clock_of_an_imported_game_begins_with_the_last_acceptance(club: Club) -> None:
    other, _ = await brought(club, await record(club, 5))
    store, invitation = club.bot.store, other.last_message
    game = await club.bot.tables.game_in(other.id)
    await club.ben.click(invitation, label="Accept")
    assert await store.clocks.of_game(game.id) is None
    await club.chloe.click(invitation, label="Accept")
    table = await club.bot.tables.get(game.id)
    (run,) = (await clockwork.clock_of(store, game.id)).runs
    assert (run.seat,) == table.position.up
    assert abs(run.since - store.clock()) < 60


@pytest.mark.core
async def test_nobody_is_seated_or_pinged_by_an_import_that_they_decline(club: Club) -> None:
    file = await record(club, 2)
    before = club.pinged()
    other, _ = await brought(club, file)
    invitation = other.last_message
    assert "kept for the people" in await answer(club.fumi.click(invitation, label="Accept"))
    for work in (
        club.aiko.slash(other, "game start"),
        club.aiko.slash(other, "seat order", how="joined"),
    ):
        assert text(private_answer(await work)).startswith(("An imported game", "The seats of an imported game"))
    question = private_answer(await club.ben.click(invitation, label="Decline"))
    assert "is then cancelled" in text(question)
    asked = await club.fumi.click(invitation, label="Decline")
    assert "You have no seat in this game" in text(private_answer(asked))
    await club.ben.click(question, label="Decline for everybody")
    assert "declined" in text(other.last_message)
    assert club.pinged() == before
    game = await club.bot.store.game_in_channel(other.id)
    assert game is not None
    assert game.status == "abandoned"
    with pytest.raises(Stale):
        await lobby.accept(club.bot.store, game, club.chloe.id, None)


async def test_who_imports_a_game_of_others_gets_no_seat(club: Club) -> None:
    file = await record(club, 0)
    other, _ = await brought(club, file, importer=4)
    game = await club.bot.tables.game_in(other.id)
    assert await club.bot.store.seats(game.id) == []
    for member in club.members[:3]:
        await member.slash(other, "game join")
    assert "your turn" in text(other.last_message)


async def test_a_finished_game_is_finished_where_it_is_imported(club: Club) -> None:
    data = json.loads(await record(club, 1))
    store = club.bot.store
    played = replay(json.dumps(data).encode())
    finish(played.title, played.state, "bank")
    users = [member.id for member in club.members[:3]]
    game = await bring_in(store, played, users, channel=5, guild=club.guild.id, host=users[0])
    assert [await lobby.accept(store, game, user, None) for user in users] == [False, False, True]
    assert (await store.game(game.id)).status == "finished"


async def test_people_who_accept_at_once_begin_the_game_once(club: Club) -> None:
    played = replay(await record(club, 1))
    store, users = club.bot.store, [member.id for member in club.members[:3]]
    game = await bring_in(store, played, users, channel=5, guild=club.guild.id, host=users[0])
    begun = await asyncio.gather(*(lobby.accept(store, game, user, None) for user in reversed(users)))
    assert sorted(begun) == [False, False, True]
    assert [seat.user_id for seat in await store.seats(game.id)] == users


async def test_export_gives_a_file(club: Club) -> None:
    await club.begin(2, options="open_treasuries")
    answer = private_answer(await club.aiko.slash(club.channel, "game export"))
    assert [file.filename.endswith(".json") for file in answer.attachments] == [True]


SECRETIVE = (("1889", ""), ("1860", ""), ("1890", ""), ("1890", "open_treasuries hidden_cash"))
OPEN = (("1889", "open_treasuries"), ("1888", ""), ("1860", "open_treasuries"))


@pytest.mark.long
@pytest.mark.parametrize(("title", "options"), SECRETIVE)
async def test_a_game_that_hides_money_is_exported_once_it_is_over(club: Club, title: str, options: str) -> None:
    table = await club.begin(3, title, options=options)
    for member in (club.aiko, club.goro):
        answer = private_answer(await member.slash(club.channel, "game export"))
        assert "hides money" in text(answer)
        assert not answer.attachments
    for member in club.members[:3]:
        await member.slash(club.channel, "game end")
    assert table.position.over
    answer = private_answer(await club.goro.slash(club.channel, "game export"))
    assert "hides money" not in text(answer)
    assert len(answer.attachments) == (title != "1890")  # which 18xx.games does not have


@pytest.mark.parametrize(("title", "options"), OPEN)
async def test_a_game_that_hides_nothing_is_exported_at_any_time(club: Club, title: str, options: str) -> None:
    await club.begin(3, title, options=options)
    answer = private_answer(await club.goro.slash(club.channel, "game export"))
    assert len(answer.attachments) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe\x00", "not text"),
        (b"{", "not JSON"),
        (b"[1]", "not a game"),
        (b"{}", "does not say which game"),
        (json.dumps({"title": "1830"}).encode(), "unknown"),
        (b"[" * 100_000, "cannot be imported"),
    ],
)
def test_garbage_is_refused_with_the_reason(data: bytes, words: str) -> None:
    with pytest.raises(TableError, match=words):
        replay(data)


async def test_an_illegal_action_is_named_by_its_position(club: Club) -> None:
    table = await club.begin(2)
    record = json.loads(record_of(table))
    record["actions"] = [{"type": "buy_shares", "entity": 1, "entity_type": "player", "id": 1, "shares": ["AR_1"]}]
    with pytest.raises(TableError, match="1"):
        replay(json.dumps(record).encode())


async def test_a_huge_file_is_not_even_fetched() -> None:
    class File:
        size = LARGEST + 1

    file: Any = File()
    with pytest.raises(TableError, match="the most I can read"):
        await fetch(file)


@pytest.mark.threads
async def test_histories_and_exports_are_written_beside_the_event_loop(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noting(name: str, answer: object) -> Callable[..., object]:
        def work(*given: object) -> object:
            threads[name] = threading.current_thread()
            return answer

        return work

    threads: dict[str, threading.Thread] = {}
    await club.begin(3, options="open_treasuries")
    monkeypatch.setattr(history, "_pages", noting("history", [[]]))
    monkeypatch.setattr(game_files, "record_of", noting("record", ""))
    monkeypatch.setattr(game_files, "log_of", noting("log", "{}"))
    for command in ("game history", "game export"):
        await club.aiko.slash(club.channel, command)
    assert list(threads) == ["history", "record", "log"]
    assert threading.current_thread() not in threads.values()
