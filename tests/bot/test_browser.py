"""The history in pictures: every move, forwards and back, also those that were taken back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from club import Club, buttons, payload, selects, text, walk
from player import answer, played, private_answer

import engine
import renderer
from bot.rooms.past.history import NONE, VIEWS, Bookmark, browser_screen
from engine.actions import Bid, Pass
from engine.ids import PlayerId, PrivateId
from engine.past import rounds_of
from engine.views import BoardView, MarketView, TableView


@pytest.mark.core
async def test_the_history_leads_from_text_to_pictures_and_back(club: Club) -> None:
    table = await played(club, 8)
    first = club.aiko
    page = private_answer(await first.slash(club.channel, "game history"))
    shown = private_answer(await first.click(page, label="In pictures"))
    seen: list[str] = []
    for _ in range(len(table.moves) + 2):
        seen.append(text(shown).splitlines()[0])
        shown = private_answer(await first.click(shown, label="◀ Back"))
    assert seen[-1] == seen[-2] == f"### Move 1 of {len(table.moves)}"
    shown = private_answer(await first.click(shown, label="Last"))
    count = len(table.moves)
    assert text(shown).startswith(f"### Move {count} of {count}")
    assert "https://discord.com/channels/" in text(shown)
    for label in ("Market", "Holdings", "Map"):
        shown = private_answer(await first.click(shown, label=label))
        assert label not in buttons(shown)
        assert text(shown).startswith(f"### Move {count} of {count}")
    assert await answer(first.click(shown, label="As text")) == text(page)


@pytest.mark.broad
async def test_a_round_or_a_move_can_be_jumped_to(club: Club) -> None:
    table = await played(club, 60)
    rounds = [one for one in rounds_of(table.states()) if one.end > one.start]
    assert len(rounds) > 3
    shown = private_answer(await club.aiko.slash(club.channel, "game history", move=7))
    assert text(shown).startswith("### Move 7 of 60")
    ((custom_id, options),) = selects(shown).items()
    assert [one["label"] for one in options] == [one.name for one in rounds]
    for option, one in zip(options, rounds, strict=True):
        shown = private_answer(await club.aiko.select(shown, [option["value"]], custom_id=custom_id))
        assert text(shown).startswith(f"### Move {one.start + 1} of 60")
        ((custom_id, _),) = selects(shown).items()


@pytest.mark.pictures
async def test_every_picture_is_of_the_position_after_its_move(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await played(club, 60)
    drawn: list[Any] = []

    def draw(view: Any, **_: Any) -> renderer.Picture:
        drawn.append(view)
        return renderer.Picture(b"", 1, 1, "")

    monkeypatch.setattr(renderer, "map_picture", draw)
    for move in table.moves[::9]:
        await browser_screen(table, Bookmark(move.seq), None)
        now = {cell.id: (cell.tile, cell.rotation) for cell in drawn[-1].hexes}
        assert now == {
            cell.id: (cell.tile, cell.rotation) for cell in engine.viewing.board_view(table.title, move.state).hexes
        }


@pytest.mark.pictures
async def test_a_move_is_shown_on_the_map_on_the_market_or_by_holdings(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, drawn = await played(club, 3), list[type]()

    def draw(view: Any, **_: Any) -> renderer.Picture:
        drawn.append(type(view))
        return renderer.Picture(b"", 1, 1, "")

    for view in VIEWS:
        monkeypatch.setattr(renderer, f"{view}_picture", draw)
    for view in VIEWS:
        await browser_screen(table, Bookmark(2, view), None)
    assert drawn == [BoardView, MarketView, TableView]


async def test_what_was_taken_back_is_left_out_or_shown_as_such(club: Club) -> None:
    table = await club.begin(2)
    first, second = club.members[:2]
    await table.submit(Pass(PlayerId("p1")), user=first.id)
    await table.submit(Bid(PlayerId("p2"), PrivateId("B"), 35), user=second.id)
    await table.undo(user=second.id)
    await table.submit(Pass(PlayerId("p2")), user=second.id)
    assert [one.move.seq for one in table.moments()] == [1, 4]
    assert [(one.move.seq, one.undone) for one in await table.all_moments()] == [(1, False), (2, True), (4, False)]
    shown = private_answer(await first.slash(club.channel, "game history", move=1))
    assert text(shown).startswith("### Move 1 of 2")
    shown = private_answer(await first.click(shown, label="Show undone"))
    shown = private_answer(await first.click(shown, label="Forward ▶"))
    assert text(shown).startswith("### Move 2 of 3")
    assert re.search(r"~~\*\*Ben\*\* bids ¥35 .*~~ \*taken back\*", text(shown))
    shown = private_answer(await first.click(shown, label="Hide undone"))
    assert text(shown).startswith("### Move 2 of 2")
    assert "bids" not in text(shown)


@pytest.mark.pictures
async def test_undone_moves_are_played_again_as_they_were(club: Club) -> None:
    table = await played(club, 12)
    before = [one.state for one in table.moves]
    for _ in range(4):
        decided = [one for one in table.moves if not one.automatic]
        await table.undo(user=table.seats[decided[-1].action.by].user_id)
    await club.bot.tables.get(table.game.id)
    moments = await table.all_moments()
    assert sum(one.undone for one in moments) == 12 - len(table.moves)
    assert [engine.stored.fingerprint(one.move.state) for one in moments] == [*map(engine.stored.fingerprint, before)]


@pytest.mark.pictures
async def test_before_the_first_move_there_is_nothing_to_browse(club: Club) -> None:
    await club.begin(2)
    assert await answer(club.aiko.slash(club.channel, "game history", move=3)) == NONE


@pytest.mark.broad
@pytest.mark.pictures
async def test_pictures_of_the_past_are_described(club: Club) -> None:
    await played(club, 3)
    shown = private_answer(await club.aiko.slash(club.channel, "game history", move=2))
    described = [item["description"] for one in walk(payload(shown)) for item in one.get("items", [])]
    assert described
    assert described[0].startswith("Map of Shikoku 1889")
