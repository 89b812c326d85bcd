"""The room that the playground's page shows."""

from __future__ import annotations

import random
import time
from itertools import islice
from pathlib import Path

import aiohttp
import pytest
from club import Club, buttons, text
from discord.utils import snowflake_time
from player import private_answer, take_turn

from bot.chat.screen import Button, Screen
from bot.core import outcome
from engine import build
from engine.actions import EndGame
from engine.facts import RoundBegan
from engine.ids import PlayerId
from engine.past import round_name
from engine.state import State
from engine.title import Title
from opponents import choose
from opponents.choice import Choice
from playground.__main__ import arguments
from playground.beside import beside
from playground.page import page
from playground.server import came_to, local_server, what_to_press
from records.simulate import steps


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.broad
async def test_the_room_explains_itself_and_a_game_can_be_played_there(tmp_path: Path) -> None:
    async with local_server(tmp_path / "x.sqlite3", "1889", 3, humans=3) as here:
        club = Club(here.env, None, here.channel, here.people)
        history = here.channel.history()
        assert "Viewing as" in text(history[0])
        assert "your turn" in text(history[-2])
        assert "Begin here" in text(history[-1])
        assert abs(time.time() - snowflake_time(history[-1].id).timestamp()) < 600
        assert "Above, choose from **Bid**, or press **Buy A for ¥20** or **Another bid**." in text(history[-1])
        chance = random.Random(1)
        for _ in range(10):
            await take_turn(club, chance)
        watcher = here.people[-1]
        refused = await watcher.click(club.packet(), label="Pass" if "Pass" in buttons(club.packet()) else "My hand")
        assert "no seat" in text(private_answer(refused))
        async with (
            here.env.preview(here.channel, viewers=here.people, layout="channel") as page,
            aiohttp.ClientSession() as session,
            session.get(page.url) as answer,
        ):
            assert answer.status == 200
        assert here.env.errors == []


def test_whoever_begins_is_told_of_what_decides_the_turn() -> None:
    screen = Screen()
    screen.buttons(Button("No track", "pass"), Button("Withhold once", "program|do|withhold"), Button("More…", "more"))
    assert what_to_press(screen) == "Above, press **No track**."


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.broad
async def test_the_page_opens_as_whoever_is_up(tmp_path: Path) -> None:
    async with local_server(tmp_path / "x.sqlite3", "1889", 3, humans=3) as here, page(here) as shown:
        club, seen = Club(here.env, None, here.channel, here.people), []
        for _ in range(3):
            table = await here.bot.tables.in_channel(here.channel.id)
            (seat,) = table.position.up
            assert shown._open_page().viewer.id == table.seats[seat].user_id
            seen.append(seat)
            await club.who(seat, table).click(club.packet(), label="Pass")
        assert seen == ["p1", "p2", "p3"]


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.long
async def test_a_newcomer_alone_plays_against_two_opponents_who_answer_by_themselves(tmp_path: Path) -> None:
    async with local_server(tmp_path / "x.sqlite3", "1889") as here:
        history = here.channel.history()
        assert "A game for Aiko and 2 opponents" in text(history[0])
        assert "it is your turn, Aiko" in text(history[-1])
        assert "Viewing as" not in text(history[0]) + text(history[-1])
        (table,) = here.bot.tables.loaded()
        assert table.settings.teaching
        assert "Your first game" in buttons(history[-1])
        await here.people[0].click(history[-2], label="Pass")
        assert table.position.up == ("p1",)
        assert {one.action.by for one in table.moves} == {"p1", "p2", "p3"}
        assert here.env.errors == []


def test_the_page_plays_as_most_people_do_unless_told_or_too_few() -> None:
    assert arguments([]).options == "as_most_people_play"
    assert arguments(["--options", "by_the_book"]).options == "by_the_book"
    assert arguments(["--title", "1888", "--players", "2"]).options == "by_the_book"


@pytest.mark.parametrize(
    ("at", "is_"),
    [
        ("sr3", "SR 3"),
        (" SR 12", "SR 12"),
        ("or 3.1", "3.1"),
        ("3.1", "3.1"),
        ("Phase 5", "5"),
        ("d", "D"),
        ("isr1", "ISR 1"),
    ],
)
def test_a_late_game_may_be_asked_for_as_one_writes_it(at: str, is_: str) -> None:
    assert arguments(["--at", at]).at == is_


@pytest.mark.parametrize("at", ["SR", "phase 9", "7", "3.", "OR 3", "x"])
def test_what_is_no_phase_or_round_is_said_so_instead_of_playing_to_the_end(
    at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arguments(["--at", at])
    assert f"{at} is neither a phase (2, 3, 4, 5, 6 or D) nor a round (such as 3.1 or SR 4)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--options", "nope"], "Shikoku 1889 has no option nope"),
        (["--title", "1890", "--players", "5", "--options", "scenario_a"], "is for 2 to 4 players, not 5"),
        (["--port", "70000"], "70000 is not a port"),
    ],
)
def test_what_cannot_be_opened_is_said_so_in_a_sentence(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        arguments(given)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["SR", "OR"])
def test_a_round_that_began_is_not_missed_though_opponents_have_gone_on_since(kind: str) -> None:
    """Otherwise the game was played to its end."""
    title = build("1889", 3)
    states = [state for _, state in islice(steps(title, ("Ann", "Ben", "Cho"), seed=3), 200)]
    name, began = next(
        (round_name(fact), number)
        for number, state in enumerate(states)
        for fact in state.facts
        if isinstance(fact, RoundBegan) and fact.round == kind
    )
    assert came_to(title, states[began : began + 3], name)
    assert not came_to(title, states[began + 1 : began + 3], name)


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize(("title", "at"), [("1889", "SR 2"), ("1889", "3")])
@pytest.mark.broad
async def test_a_late_game_begins_at_a_round_or_phase_with_a_persons_turn(tmp_path: Path, title: str, at: str) -> None:
    async with local_server(tmp_path / "x.sqlite3", title, at=at, seed=5) as here:
        table = await here.bot.tables.in_channel(here.channel.id)
        facts = [fact for state in table.states() for fact in state.facts]
        rounds = [round_name(fact) for fact in facts if isinstance(fact, RoundBegan)]
        phases = [table.title.phase(state).name for state in table.states()]
        assert at in rounds or phases[-1] == at or (at in phases and phases[-1] == "4"), "4 may follow before the turn"
        assert table.position.up == ("p1",)
        assert "your turn" in text(here.channel.history()[-2])
        assert any(one.action.by == "p1" for one in table.moves)
        assert "Undo" not in buttons(here.channel.history()[-2]), "the bot has made all moves"


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.broad
async def test_a_game_with_the_same_seed_is_the_same_with_its_opponents(tmp_path: Path) -> None:
    games = []
    for name in ("a", "b"):
        async with local_server(tmp_path / name, "1889", 3, humans=2, at="1.1", seed=5) as here:
            table = await here.bot.tables.in_channel(here.channel.id)
            games.append(([seat.name for seat in table.seats.values()], [one.action for one in table.moves]))
    assert games[0] == games[1]
    assert isinstance(outcome.RANDOM, random.SystemRandom), "a playground that is closed leaves chance as it was"


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.long
async def test_a_game_that_ends_before_the_moment_asked_for_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(title: Title, state: State, seat: PlayerId, *how: object) -> Choice:
        return Choice(EndGame(seat), 0.0) if state.par else choose(title, state, seat, "regular")

    monkeypatch.setattr("playground.server.choose", ended)
    async with local_server(tmp_path / "x.sqlite3", "1889", 2, "beginner", at="SR 99", seed=5) as here:
        *_, over, last = map(text, here.channel.history())
    assert "The game is over" in over
    assert last.startswith("**This game is over and never came to round SR 99.**")


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.long
async def test_the_page_leads_whoever_plays_alone_to_the_guide(tmp_path: Path) -> None:
    """Also where the board is in front, on a phone."""
    async with (
        local_server(tmp_path / "x.sqlite3", "1889", 3) as here,
        page(here) as chat,
        beside(here, chat, None) as at,
    ):
        async with aiohttp.ClientSession() as browser:
            async with browser.get(at) as shown:
                assert 'id="guide"' in await shown.text()
            async with browser.post(f"{at}guide") as asked:
                assert asked.status == 204
        told = here.channel.history(viewer=here.people[0])
        assert "Seven short scenes" in text(told[-1])
