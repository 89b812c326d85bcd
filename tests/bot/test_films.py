"""/show film, and what films are of."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, payload, text, walk
from player import draw_move, private_answer
from tables import table
from walks import whole_game

import engine
from bot.core.errors import TableError
from bot.core.work import Pool
from bot.rooms.past import workshop
from bot.rooms.past.room import parts_of
from bot.rooms.past.workshop import Films, caption, job_of, replayed, stills
from bot.words.lexicon import lexicon
from engine.actions import ExchangePrivate
from engine.facts import CompanyChanged, PrivateClosed, RoundBegan, TokenGone
from engine.ids import CorpId, HexId, PlayerId, PrivateId
from engine.past import rounds_of, span
from engine.views import HexView


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_the_other_process_replays_the_very_game(title_id: str) -> None:
    title, here, actions = whole_game(title_id)
    _, states = replayed(job_of(title, here[0], actions, ""))
    assert [state.facts for state in states[1:]] == [state.facts for state in here[1:]]
    assert states[-1].over


def seen(cell: HexView) -> tuple[object, ...]:
    """The tile with its tokens."""
    return cell.tile, cell.rotation, [stop.slots for stop in cell.stops if any(stop.slots)]


@pytest.mark.parametrize("title_id", engine.TITLES)
@pytest.mark.long
def test_a_film_of_a_round_is_of_its_moves_and_marks_each_change(title_id: str) -> None:
    title, states, _ = whole_game(title_id)
    for one in rounds_of(states):
        found = span(states, one.name)
        assert found == (one.start, one.end)
        shown = stills(title, states, one.name)
        for before, now in pairwise(shown):
            old, new = ({cell.id: cell for cell in view.board.hexes} for view in (before, now))
            assert {name for name in new if seen(new[name]) != seen(old[name])} <= set(now.board.changed)
            assert now.caption
            assert "*" not in now.caption
    whole = stills(title, states, "")
    assert len(whole) <= workshop.MOST + 1
    assert {cell.id: cell.tile for cell in whole[-1].board.hexes} == {
        cell.id: cell.tile for cell in engine.viewing.board_view(title, states[-1]).hexes
    }


def test_what_a_minor_leaves_behind_on_the_map_is_told() -> None:
    """Pictures in which only a minor's token was gone said nothing."""
    t, s = table("1890", 3).phase("1").private(M5="p1").operating("M5", "trains").rounds(2, 1, 1).build()
    after = engine.apply(t, s, ExchangePrivate(PlayerId("p1"), PrivateId("M5")))
    assert caption(after.facts, lexicon(dict(s.names), t), s).startswith("M5 is now a late private")
    merged = (PrivateClosed(PrivateId("M1")), CompanyChanged(CorpId("M1"), "closed", True))
    gone = TokenGone(CorpId("M1"), HexId("H15"))
    assert caption((gone, *merged), lexicon(dict(s.names), t), s) == "M1 Kanan Railway closes."


async def played(club: Club) -> Any:
    table = await club.begin(2)
    chance = random.Random(3)
    while not any(one.operating for one in rounds_of(table.states())[:-1]):
        await draw_move(club, table, chance)
    return table


@pytest.mark.broad
async def test_a_film_is_made_by_another_process_and_shown_to_whoever_asked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "_give_way", int)  # on a busy machine it would get no processor in time
    await played(club)
    answer = private_answer(await club.aiko.slash(club.channel, "show film"))
    described = [item["description"] for one in walk(payload(answer)) for item in one.get("items", [])]
    assert described == ["Film of Shikoku 1889: the whole game, the map above the market, one change after the other."]
    refused = private_answer(await club.aiko.slash(club.channel, "show film", of="9.9"))
    assert "no round “9.9”" in text(refused)
    assert "1.1" in text(refused)


async def test_whoever_dismissed_the_message_that_says_to_wait_gets_the_film_all_the_same(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They read “The message that you used has been deleted. Nothing was changed.”; so after a review."""
    await played(club)

    gone = {"method": "PATCH", "path": "/webhooks/*/@original", "status": 404, "code": 10008}

    async def made(self: Films, job: object) -> bytes:
        club.env.backend.faults.append({**gone, "message": "Unknown Message", "times": 1})
        return b"GIF"

    monkeypatch.setattr(Films, "_made", made)
    answer = private_answer(await club.aiko.slash(club.channel, "show film"))
    assert [one.filename.endswith(".gif") for one in answer.attachments] == [True]
    assert "deleted" not in text(answer)


@pytest.fixture
def gif(monkeypatch: pytest.MonkeyPatch) -> None:
    """A film is made at once."""
    monkeypatch.setattr(Films, "_made", AsyncMock(return_value=b"GIF"))


async def test_a_film_that_everybody_is_shown_is_no_longer_said_to_be_made(club: Club, gif: None) -> None:
    """“The film is being made…” stayed above “✓ Shown to everybody.” for ever."""
    await played(club)
    result = await club.aiko.slash(club.channel, "show film", public=True)
    assert [text(result.response), *(one.ephemeral for one in result.followups)] == ["✓ Shown to everybody.", False]


@pytest.mark.parametrize(
    ("code", "why"),
    [(40005, "That is too large for Discord."), (50013, "I am not allowed to do that in this channel.")],
)
async def test_what_could_not_be_shown_to_everybody_is_not_said_to_be(
    club: Club, gif: None, code: int, why: str
) -> None:
    """They read that it was, and below it that it was not; for a film too large also that something went wrong."""
    await played(club)
    status = 413 if code == 40005 else 403
    club.env.inject_error("POST", "/webhooks/*", status=status, code=code, message="Refused")
    result = await club.aiko.slash(club.channel, "show film", public=True)
    assert text(result.response) == "It could not be shown to everybody."
    assert [text(one)[: len(why)] for one in result.followups] == [why]


async def test_a_film_too_large_for_discord_is_no_longer_said_to_be_made(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """“The film is being made…” stayed above “That is too large for Discord.” for ever."""
    await played(club)
    large = {"method": "PATCH", "path": "/webhooks/*/@original", "status": 413, "code": 40005, "message": "Too large"}

    async def made(self: Films, job: object) -> bytes:
        club.env.backend.faults.append({**large, "times": 1})
        return b"GIF"

    monkeypatch.setattr(Films, "_made", made)
    result = await club.aiko.slash(club.channel, "show film")
    assert text(result.response).startswith("That is too large for Discord.")
    assert result.followups == []


async def test_only_what_a_film_can_show_is_offered(club: Club) -> None:
    table = await played(club)
    states, rounds = table.states(), rounds_of(table.states())
    names = {"", *(str(one.turn) for one in rounds if one.turn), *(one.name for one in rounds)}
    shown = {name for name in names if stills(table.title, states, name)}
    assert {of for _, of in parts_of(table)} == shown < names
    table.moves.clear()
    assert parts_of(table) == []


@pytest.mark.second
def test_a_round_that_began_anew_is_offered_once() -> None:
    """As a stock round of 1860 does where a company goes bankrupt in it."""
    _, (state, *_), _ = whole_game("1860")
    states = [state.copy() for _ in range(5)]
    states[1].facts = states[3].facts = [RoundBegan("SR", 2, 1)]
    states[2].facts = states[4].facts = [TokenGone(CorpId("IOW"), HexId("F2"))]
    here: Any = SimpleNamespace(states=lambda: states)
    assert [name for name, _ in parts_of(here)] == ["the whole game", "set 2", "SR 2"]


@pytest.mark.broad
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such thing")
async def test_what_makes_films_gives_way_to_all_else() -> None:
    pool = Pool("films", 1, workshop._give_way)
    try:
        assert await pool.do(os.nice, 0) == 19, "the lowest there is"
    finally:
        pool.close()


@pytest.mark.second
async def test_what_is_waited_for_longer_than_an_answer_may_take_is_there_when_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    films, done = Films(), asyncio.Event()

    async def make(job: object) -> bytes:
        await done.wait()
        return b"GIF"

    monkeypatch.setattr(films, "_made", make)
    monkeypatch.setattr(workshop, "PATIENCE", 0.01)
    title, (beginning, *_), _ = whole_game("1889")
    job = job_of(title, beginning, [], "")
    with pytest.raises(TableError, match="ask again"):
        await asyncio.wait_for(films.make(job, 1), 5)
    done.set()
    await asyncio.sleep(0.01)
    assert films.has(job)
    assert await films.make(job, 1) == b"GIF"


@pytest.mark.long
async def test_two_who_ask_for_one_film_wait_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    films, made = Films(), []

    async def make(text: str) -> bytes:
        made.append(text)
        await asyncio.sleep(0)
        return b"GIF"

    monkeypatch.setattr(films, "_made", make)
    title, (beginning, *_), actions = whole_game("1889")
    job = job_of(title, beginning, actions[:40], "")
    assert {*await asyncio.gather(films.make(job, 1), films.make(job, 2))} == {b"GIF"}
    assert await films.make(job, 1) == b"GIF"
    assert len(made) == 1


async def test_one_person_waits_for_few_films_and_all_together_for_not_many(monkeypatch: pytest.MonkeyPatch) -> None:
    films, there = Films(), asyncio.Event()

    async def make(text: str) -> bytes:
        await there.wait()
        return b"GIF"

    def asked(user: int, moves: int) -> asyncio.Task[bytes]:
        return asyncio.create_task(films.make(job_of(title, beginning, actions[:moves], ""), user))

    monkeypatch.setattr(films, "_made", make)
    title, (beginning, *_), actions = whole_game("1889")
    waiting = [asked(user, 10 * user + number) for user in range(1, 7) for number in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(TableError, match="You have asked for 2 films"):
        await asyncio.wait_for(asked(1, 100), 5)
    with pytest.raises(TableError, match="Too many films"):
        await asyncio.wait_for(asked(7, 100), 5)
    waiting.append(asked(7, 10))  # one that is being made costs nothing more
    there.set()
    assert {*await asyncio.gather(*waiting)} == {b"GIF"}
    assert await asked(1, 100) == b"GIF"


async def test_a_bot_that_ends_breaks_off_the_films_that_are_being_made(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    films = club.bot.its(Films)
    monkeypatch.setattr(films, "_made", lambda job: asyncio.Event().wait())
    title, (beginning, *_), actions = whole_game("1889")
    waiting = asyncio.create_task(films.make(job_of(title, beginning, actions[:10], ""), 1))
    await asyncio.sleep(0)
    await club.bot.end()
    done, _ = await asyncio.wait([waiting], timeout=5)
    assert done


async def test_films_that_failed_are_no_longer_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    films = Films()
    monkeypatch.setattr(films, "_made", AsyncMock(side_effect=TableError(workshop.TOO_LONG)))
    title, (beginning, *_), actions = whole_game("1889")
    for moves in range(5):
        with pytest.raises(TableError, match="took too long"):
            await films.make(job_of(title, beginning, actions[:moves], ""), 1)


@pytest.mark.broad
async def test_a_film_of_nothing_is_refused_in_a_sentence() -> None:
    title, (beginning, *_), _ = whole_game("1889")
    with pytest.raises(TableError, match="nothing to film"):
        await Films().make(job_of(title, beginning, [], ""), 1)


async def test_a_film_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workshop, "SECONDS", 0.01)
    title, (beginning, *_), actions = whole_game("1889")
    with pytest.raises(TableError, match="took too long"):
        await Films().make(job_of(title, beginning, actions, ""), 1)
