"""Lines to try out on the page, which reach nobody; and questions that others ask, answered there."""

from __future__ import annotations

import asyncio
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from boarding import Page, begun, page, party
from browsing import IN_ONE_LOOP, PHONE, window
from test_board_turns import lays_with_trains

from bot.core import desks
from bot.core.position import Position
from engine.actions import Bid, Par, Pass
from engine.errors import Refused
from engine.ids import PlayerId, PrivateId
from programs import Follow, PassAhead, RunOut
from storage import SeatChange


def starts(position: Position) -> bool:
    """A company may be started."""
    return position.decision.step == "shares"


async def a_line(mine: Page) -> Page:
    """The same person on the page of a new line."""
    seq = mine.party.table.position.seq
    status, said = await mine.post("line", {"way": "new", "seen": seq, "id": 900})
    assert status == 200, said
    line = Page(mine.party, mine.user, mine.session)
    line.at, line.csrf = f"{mine.at}/{said['go'].rstrip('/')}", mine.csrf
    return line


async def text_of(mine: Page, what: str) -> str:
    async with mine.session.get(f"{mine.at}/{what}") as answer:
        return await answer.text()


async def test_whoever_can_begin_no_line_is_offered_none(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine:
        assert "New line from now" in await text_of(mine, "ask/lines")
        await here.table.end_here()
        assert "New line from now" not in await text_of(mine, "ask/lines")


async def test_a_press_on_an_old_page_says_who_plays_in_the_seat_now(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        up = here.table.position.up[0]
        lent = SeatChange(up, "lent", mine.user, 9, "Dora", ends_at=2**40)
        await here.table.store.tenures.hand_over(here.table.id, lent)
        await here.table.read_on()
        status, said = await mine.act(Pass(up))
        assert status == 422
        assert "Dora" in said["error"]
        assert "plays in your seat now" in said["error"]


async def test_the_page_of_a_game_that_has_ended_without_a_result_says_so_and_offers_nothing(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        await here.table.submit(Pass(here.table.position.up[0]), user=mine.user)
        async with page(here, here.user_up()) as other:
            await here.table.store.set_status(here.table.id, "abandoned", expected="running")
            for one in (mine, other):
                parts = await one.parts()
                assert "The game has ended without a result" in parts["head"]
                assert "so nothing more happens in it" in parts["turn"]
                assert "<button" not in parts["turn"]
            await begun(here.host.tables, "1889", 2, channel=here.table.game.channel_id)
            assert "Another game has begun in this channel" in (await mine.parts())["turn"]


@pytest.mark.core
async def test_a_line_is_played_by_one_for_everybody_and_reaches_nobody(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        seq, up, line = here.table.position.seq, here.table.position.up[0], await a_line(mine)
        assert "Trying out: Line 1" in await text_of(line, "")
        first, said = await line.act(Pass(up), seen=7)
        assert first == 409, said
        revision = (await here.board.lines.of(here.table, mine.user))[0][0].position.seq
        status, said = await line.act(Pass(up), seen=revision)
        assert status == 200, said
        (one,), _ = await here.board.lines.of(here.table, mine.user)
        other = one.position.up[0]
        assert other != up, "another's turn, which is played here, too"
        status, said = await line.act(Pass(other), seen=one.position.seq)
        assert status == 200, said
        assert 'data-line="back"' in said["parts"]["turn"]
        assert here.table.position.seq == seq
        status, said = await line.post("line", {"way": "back", "seen": one.position.seq + 1, "id": 5})
        assert status == 200, said
        (one,), _ = await here.board.lines.of(here.table, mine.user)
        assert len(one.ahead) == 1


async def test_what_the_rules_refuse_in_a_line_says_whom_they_call_you(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        up = PlayerId(here.table.position.up[0])
        other = next(seat for seat in here.table.seats if seat != up)
        for seat, said in ((up, ""), (other, f" “You” is {here.table.names[up]} here.")):
            one = await here.board.lines.begin(here.table, here.user_of(seat))
            with pytest.raises(Refused) as refused:
                await here.board.lines.move(one, [Bid(up, PrivateId("B"), 99_999)])
            assert re.fullmatch(rf"You can bid at most ¥\d+\.{said}", refused.value.text)


@pytest.mark.long
async def test_in_a_line_its_owner_alone_is_you(tmp_path: Path) -> None:
    """Whoever moved in it was."""
    async with party(tmp_path) as here:
        await here.play(lambda position: starts(position) and bool(position.state.floated), seed=3)
        up = here.table.position.up[0]
        owner = next(seat for seat in here.table.seats if seat != up)
        for user, you in ((here.user_of(up), True), (here.user_of(owner), False)):
            async with page(here, user) as mine:
                line = await a_line(mine)
                turn = unescape((await line.parts())["turn"])
                why = str(json.loads(await text_of(line, "ask/why"))["html"])
            assert ("you hold" in turn) == you
            assert (f"{here.table.names[up]} holds" in turn) != you
            assert ("“You” is" in why) != you


@pytest.mark.core
async def test_a_line_is_seen_by_its_owner_alone(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine:
        line = await a_line(mine)
        for stranger in (2, 0):
            async with page(here, stranger) as theirs:
                at = f"{theirs.at}/line/{line.at.rpartition('/')[2]}/parts"
                async with theirs.session.get(at) as answer:
                    assert answer.status == 422, stranger
                status, said = await theirs.post("line", {"way": "drop", "number": 1, "seen": 1, "id": 3})
                assert status == (200 if stranger else 422), said
        assert "Trying out" in await text_of(line, "")


@pytest.mark.second
async def test_a_line_becomes_a_program(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        other = next(user for user in (1, 2, 3) if user != here.user_up())
        async with page(here, other) as mine:
            line = await a_line(mine)
            (one,), _ = await here.board.lines.of(here.table, other)
            while here.table.seats_of(other)[0] not in one.position.up:
                await here.board.lines.move(one, [Pass(one.position.up[0])])
                (one,), _ = await here.board.lines.of(here.table, other)
            await here.board.lines.move(one, [Pass(one.position.up[0])])
            assert "Play them for me" in await text_of(line, "ask/follow")
            status, said = await line.post("line", {"way": "follow", "seen": 0, "id": 6})
            assert status == 200, said
        await here.table.read_on()
        (kept,) = here.table.orders.desk(here.table.seats_of(other)[0]).kept
        assert isinstance(kept.program, Follow)


@pytest.mark.second
async def test_what_is_said_of_a_line_that_was_played_to_its_end_stays(tmp_path: Path) -> None:
    """Where others go on at once, the page said in red that the line is no longer kept."""
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        line, up = await a_line(mine), here.table.position.up[0]
        await desks.enable(here.table, PlayerId(next(seat for seat in here.table.seats if seat != up)), PassAhead())
        (one,), _ = await here.board.lines.of(here.table, mine.user)
        await here.board.lines.move(one, [Pass(up)])
        status, told = await line.post("line", {"way": "follow", "seen": 0, "id": 6})
        assert (status, told.get("over")) == (200, True), told
        assert told["said"].startswith("✓ Plays one of your moves")


@pytest.mark.core
async def test_a_request_to_undo_is_answered_on_the_page(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        first = here.table.position.up[0]
        await here.table.submit(Pass(first), user=here.user_of(first))
        second = here.table.position.up[0]
        await here.table.submit(Pass(second), user=here.user_of(second))
        row = here.table.moves[-2].seq
        async with page(here, here.user_of(first)) as asker, page(here, here.user_of(second)) as asked:
            for answer, told in (("no", "no longer stands"), ("yes", "")):
                body = {"seen": here.table.position.seq, "row": row}
                status, said = await asker.post("undo", {**body, "way": "ask", "id": len(answer)})
                assert status == 200, said
                assert 'data-undo="no"' in (await asker.parts())["turn"], "it can be withdrawn"
                assert 'data-undo="yes"' in (await asked.parts())["turn"]
                status, said = await asked.post("undo", {**body, "way": answer, "id": 10 + len(answer)})
                assert status == 200, said
                assert told in said["said"]
                assert 'data-undo="yes"' not in (await asked.parts())["turn"]
        async with page(here, here.user_up()) as third:
            await third.post("undo", {**body, "way": "yes", "id": 30})
        assert [one.action for one in here.table.moves if one.seq >= row] == []


@pytest.mark.long
async def test_why_not_names_the_rules(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "trains", seed=3)
        async with page(here, here.user_up()) as mine:
            assert "[1889-" in await text_of(mine, "ask/why")
        async with page(here, 0) as watching, watching.session.get(f"{watching.at}/ask/why") as answer:
            assert answer.status == 422


@IN_ONE_LOOP
@pytest.mark.long
async def test_lines_pars_and_runs_are_touched(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(starts, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            seq = here.table.position.seq
            await shown.tap("#tab-market")
            await shown.tap("#market [data-at] >> nth=1")
            await shown.tap("#ask [data-par]")
            await shown.at(seq + 1)
            assert isinstance(here.table.moves[-1].action, Par)
        await here.play(lays_with_trains, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            seq = here.table.position.seq
            await shown.tap("[data-ask=lines]")
            await shown.tap("[data-line=new]")
            await shown.page.wait_for_url("**/line/1/")
            await shown.tap_hex((await shown.marked())[0])
            await shown.page.locator(".tile small >> text=run").first.wait_for()
            await shown.tap(".confirm button")
            await shown.page.wait_for_selector("[data-line=back]")
            choices = shown.page.locator("#turn .choice").first
            foot = (await shown.page.locator("[role=tablist]").bounding_box())["y"]
            assert (await choices.bounding_box())["y"] < foot - 40, "what can be moved stands above the ways out"
            assert here.table.position.seq == seq
            await shown.tap("[data-go='../../']")
            await shown.page.wait_for_url("**/b/*/*/")


@pytest.mark.broad
async def test_films_are_made_and_a_game_that_is_over_shows_its_result(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.state.or_number > 0 and len(position.state.board.placed) > 2, seed=3)
        async with page(here, 1) as mine:
            async with mine.session.get(f"{mine.at}/film.gif", params={"of": "SR 1"}) as answer:
                assert (answer.status, (await answer.read())[:6]) == (200, b"GIF89a")
            async with mine.session.get(f"{mine.at}/film.gif", params={"of": "SR 77"}) as answer:
                assert "no round" in (await answer.json())["error"]
            assert 'value="SR 1"' in (await mine.parts())["log"]
            await here.table.end_here()
            turn = (await mine.parts())["turn"]
        assert "1st" in turn


@pytest.mark.second
async def test_an_open_line_that_the_game_leaves_is_told_why(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        up, line = here.table.position.up[0], await a_line(mine)
        (one,), _ = await here.board.lines.of(here.table, mine.user)
        await here.board.lines.move(one, [Pass(up)])
        async with line.session.get(f"{line.at}/live") as news:
            await heard(news)
            other = next(action for action in await here.table.position.actions(up) if not isinstance(action, Pass))
            await here.table.submit(other, user=mine.user)
            while not isinstance(said := await heard(news), str):
                assert said["parts"] == {}  # of the page as it still was
            assert "was dropped: the game went differently" in said


@pytest.mark.second
async def test_a_line_that_the_game_has_left_says_so(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        up, line = here.table.position.up[0], await a_line(mine)
        (one,), _ = await here.board.lines.of(here.table, mine.user)
        await here.board.lines.move(one, [Pass(up)])
        other = next(action for action in await here.table.position.actions(up) if not isinstance(action, Pass))
        await here.table.submit(other, user=mine.user)
        async with line.session.get(f"{line.at}/parts") as answer:
            assert answer.status == 422
            assert "was dropped" in (await answer.json())["error"]


@pytest.mark.core
async def heard(news: Any) -> Any:
    """The next that a board is told."""
    while not (line := await asyncio.wait_for(news.content.readline(), 5)).startswith(b"data: "):
        assert line, "nothing more is told"
    return json.loads(line.removeprefix(b"data: "))


@pytest.mark.second
async def test_an_open_board_is_sent_what_changed_and_nothing_else(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine:
        view = await here.board.views.of(here.table, 1)
        async with mine.session.get(f"{mine.at}/live", params={"stamp": view.stamp}) as news:
            assert news.headers["Content-Encoding"] == "gzip"
            assert (await heard(news))["parts"] == {}
            await here.table.submit(Pass(here.table.position.up[0]), user=here.user_up())
            while not (told := await heard(news))["parts"]:
                pass
        assert (told["from"], told["seq"]) == (view.stamp, here.table.position.seq)
        assert {"head", "turn", "log"} <= set(told["parts"])
        assert not {one for one in told["parts"] if one.startswith(("ground-", "top-"))}


@pytest.mark.second
async def test_whoever_plays_stops_running_the_game_out(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 2) as mine, page(here, 0) as watching:
        assert "data-stop" not in "".join((await mine.parts()).values())
        await desks.agree(here.table, RunOut())
        assert "data-stop" in "".join((await mine.parts()).values())
        assert "data-stop" not in "".join((await watching.parts()).values())
        await watching.post("stop", {"seen": 0, "id": 1})
        assert here.table.orders.together
        status, told = await mine.post("stop", {"seen": 0, "id": 1})
        assert (status, "Stopped" in told["said"]) == (200, True)
        assert not here.table.orders.together
        assert "data-stop" not in "".join((await mine.parts()).values())
