"""Boards that are open while the game goes on: moves appear at once, and neither a cut nor a restart loses anything."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from boarding import Party, begun, party, served
from browsing import DESKTOP, IN_ONE_LOOP, MOVING, PHONE, Window, blank, window

import engine
from board import live
from bot.core.position import Position
from bot.core.tables import Tables
from bot.core.work import Work
from bot.rooms.turn import deals
from engine.action_json import to_json
from engine.actions import BuyTrain, Pass
from storage import Store, Unavailable

pytestmark = [IN_ONE_LOOP, pytest.mark.long, pytest.mark.threads]
AT_ONCE = 3.0
"""Seconds within which a move must be on every board, however busy the machine is; the benchmark has real figures."""


def runs(position: Position) -> bool:
    return position.decision.step == "run"


async def test_a_move_made_elsewhere_is_on_every_board(tmp_path: Path, chromium: Any) -> None:
    async with (
        party(tmp_path) as here,
        window(chromium, here.link(1), PHONE) as mine,
        window(chromium, here.link(0), DESKTOP) as watching,
    ):
        seat, seq = here.table.position.up[0], here.table.position.seq
        began = time.monotonic()
        await here.table.submit(Pass(seat), user=here.user_of(seat))  # as the chat does
        await asyncio.gather(mine.at(seq + 1), watching.at(seq + 1))
        assert time.monotonic() - began < AT_ONCE
        assert "passes" in str(await watching.page.locator("#log .log").text_content())
        assert await watching.page.locator("[data-act]").count() == 0


async def test_what_another_process_stores_is_on_the_board_too(tmp_path: Path) -> None:
    async with Store.open(tmp_path / "games.sqlite3") as store:
        with ThreadPoolExecutor(1) as executor:
            ours, theirs = Tables(store, Work(executor)), Tables(store, Work(executor))
            table = await begun(ours, "1889", 3)
            async with served(ours) as (board, _, _), board.live.follow(table.game.id) as news:
                await asyncio.sleep(0.5)
                news.clear()
                other = await theirs.get(table.game.id)
                await other.submit(Pass(other.position.up[0]), user=1)
                await asyncio.wait_for(news.wait(), 5)
                view = await board.views.of(await ours.get(table.game.id), 1)
                assert view.seq == other.position.seq


@pytest.mark.broad
async def test_what_another_process_stores_before_the_first_look_is_on_the_board_at_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody moves while a page is just being opened."""
    monkeypatch.setattr(live, "LOOKS", 1.0)
    async with Store.open(tmp_path / "games.sqlite3") as store:
        with ThreadPoolExecutor(1) as executor:
            ours, theirs = Tables(store, Work(executor)), Tables(store, Work(executor))
            table = await begun(ours, "1889", 3)
            other = await theirs.get(table.game.id)
            async with served(ours) as (board, _, _), board.live.follow(table.game.id) as news:
                await other.submit(Pass(other.position.up[0]), user=1)
                await asyncio.wait_for(news.wait(), 3)


async def test_the_board_says_so_while_the_bot_is_away_and_comes_back(tmp_path: Path, chromium: Any) -> None:
    async with Store.open(tmp_path / "games.sqlite3") as store:
        with ThreadPoolExecutor(1) as executor:
            tables = Tables(store, Work(executor))
            table = await begun(tables, "1889", 3)
            async with blank(chromium, PHONE) as page:
                async with served(tables) as (board, host, url):
                    port = int(url.rpartition(":")[2])
                    link = Party(table, board, host, url).link(1)
                    await page.goto(link)
                    await page.wait_for_selector("#turn .choice, #turn .amount")
                await page.wait_for_selector("#banner.bad:not([hidden])")
                again = Tables(store, Work(executor))
                moved = await again.get(table.game.id)
                await moved.submit(Pass(moved.position.up[0]), user=1)
                async with served(again, port):
                    await Window(page, True).at(moved.position.seq)
                    await page.wait_for_selector("#banner", state="hidden")


@asynccontextmanager
async def restarting(party: Party) -> AsyncIterator[tuple[str, Callable[[], AbstractAsyncContextManager[Any]]]]:
    """A link to a board for whoever is up, and what serves it, which can be ended and begun again."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    here = replace(party, url=f"http://127.0.0.1:{port}")
    yield here.link(here.user_up()), lambda: served(party.host.tables, port)


async def away(page: Any) -> None:
    """Wait until the page says that the bot cannot be reached."""
    await page.locator("#banner.bad", has_text="cannot reach the bot").wait_for()


async def back(page: Any) -> None:
    await page.locator("#banner").wait_for(state="hidden")


async def test_what_is_drawn_while_the_bot_is_away_is_there_when_it_is_back(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        (proposal, *_) = await here.table.position.proposals(here.table.position.up[0])
        stops = [str(part).partition(".")[0] for part in proposal.action.routes[0].path if isinstance(part, str)]
        async with restarting(here) as (link, serve), blank(chromium, PHONE) as page:
            shown = Window(page, True)
            async with serve():
                await page.goto(link)
                await shown.tap("[data-draw]")
                await page.wait_for_selector("#drawbar .go")
                best = await page.locator("#drawbar [data-train='0']").inner_text()
                await shown.tap("[data-clear]")
                await page.wait_for_selector("#drawbar .go", state="detached")
            await away(page)
            for stop in stops:
                await shown.tap_hex(stop)
            async with serve():
                await back(page)
                await page.locator("#drawbar [data-train='0']", has_text=best.splitlines()[-1]).wait_for()


async def test_a_tile_that_was_chosen_stays_chosen_while_the_bot_is_away(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        async with restarting(here) as (link, serve), blank(chromium, PHONE) as page:
            shown, seq = Window(page, True), here.table.position.seq
            async with serve():
                await page.goto(link)
                await shown.tap_hex((await shown.marked())[0])
                await page.locator(".tile").first.wait_for()
                await shown.tap(".tile >> nth=-1")
            await away(page)
            chosen = await page.locator(".tile[aria-pressed=true]").get_attribute("data-try")
            async with page.expect_event("requestfailed"):
                await shown.tap(".confirm button")
            assert here.table.position.seq == seq
            async with serve():
                await back(page)
                assert await page.locator(".tile[aria-pressed=true]").get_attribute("data-try") == chosen
                await shown.tap(".confirm button")
                await shown.at(seq + 1)
                assert json.loads(str(chosen)) == [to_json(here.table.moves[-1].action)]


TOLD = """window.EventSource = class extends EventSource {
  constructor(url) {
    super(url);
    this.addEventListener("news", () => { document.documentElement.dataset.told = "yes"; });
  }
};"""
"""Marks a page that has heard its bot."""


async def test_a_connection_that_died_without_a_word_is_begun_again(
    tmp_path: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for pause in ("board.server.BREATH", "board.live.LOOKS"):  # the page is told once, and no more
        monkeypatch.setattr(pause, 3600.0)
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await page.add_init_script(TOLD)
        await page.clock.install()
        heard: list[str] = []
        page.on("request", lambda one: heard.append(one.url) if "/live" in one.url else None)
        async with page.expect_request("**/live*"):
            await page.goto(here.link(1))
            await page.wait_for_selector("#turn .choice")
        await page.wait_for_selector("html[data-told]")
        await page.clock.run_for(20_000)
        assert len(heard) == 1
        async with page.expect_request("**/live*"):
            await page.clock.run_for(25_000)
        await page.locator("#banner").wait_for(state="hidden")
        assert len(heard) == 2


async def test_the_board_of_a_game_that_is_over_says_that_another_has_begun_in_its_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Any
) -> None:
    monkeypatch.setattr("board.server.BREATH", 0.2)
    async with party(tmp_path) as here, window(chromium, here.link(1), PHONE) as shown:
        await here.table.end_here()
        await shown.page.wait_for_selector("#turn .result")
        assert await shown.page.locator("#turn .onward").count() == 0
        await begun(here.host.tables, "1889", 2, channel=here.table.game.channel_id)
        await shown.page.locator("#turn .onward", has_text="Another game has begun in this channel").wait_for()


async def test_a_board_outlasts_a_database_that_cannot_be_used_for_a_while(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await page.goto(here.link(0))
        seat, seq = here.table.position.up[0], here.table.position.seq
        here.board.epoch = AsyncMock(side_effect=Unavailable("The database is started again."))
        await here.table.submit(Pass(seat), user=here.user_of(seat))
        await page.locator("#banner.bad", has_text="cannot read or save games").wait_for()
        here.board.epoch = here.host.epoch
        await Window(page, False).at(seq + 1)
        await back(page)


async def test_a_press_that_a_proxy_answers_is_told_as_lost_and_can_be_made_again(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await page.goto(here.link(here.user_up()))
        seq = here.table.position.seq
        await page.route("**/act", lambda one: one.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
        await page.locator("#turn .choice.pass").click()
        await away(page)
        assert await page.locator("#turn [aria-busy]").count() == 0
        await page.unroute("**/act")
        await page.locator("#turn .choice.pass").click()
        await Window(page, False).at(seq + 1)


async def test_routes_are_drawn_by_touch_and_the_past_is_looked_at(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("[data-draw]")
            await shown.page.wait_for_selector("#drawbar .go")
            best = await shown.page.locator("#drawbar .go").inner_text()
            hexes = await shown.page.evaluate("[...document.querySelectorAll('#drafts > g')].length")
            assert hexes >= 2
            await shown.tap("[data-clear]")
            await shown.page.wait_for_selector("#drawbar .go", state="detached")
            route = here.table.position
            (proposal, *_) = await route.proposals(route.up[0])
            stops = [str(part).partition(".")[0] for part in proposal.action.routes[0].path if isinstance(part, str)]
            for stop in stops:
                await shown.tap_hex(stop)
                await shown.page.wait_for_timeout(300)
            await shown.page.wait_for_selector("#drawbar .go")
            if len(proposal.action.routes) == 1:
                assert await shown.page.locator("#drawbar .go").inner_text() == best
            seq = here.table.position.seq
            await shown.tap("#drawbar .go")
            await shown.at(seq + 1)
            assert here.table.moves[-1].seq > seq
            await shown.tap("#tab-log")
            await shown.page.locator("#when").fill("3")
            await shown.page.wait_for_selector("body.past #looking:not([hidden])")
            await shown.tap("#looking [data-now]")
            await shown.page.wait_for_selector("body:not(.past)")


async def test_the_board_is_played_with_keys_alone(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP | MOVING) as shown:
            keys, page = shown.page.keyboard, shown.page
            await page.locator(".hex[tabindex='0']").focus()
            seen = set()
            for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"):
                await keys.press(key)
                seen.add(await page.evaluate("document.activeElement.dataset.hex"))
            assert len(seen) > 2
            hex_id = (await shown.marked())[0]
            await page.locator(f"#hex-{hex_id}").focus()
            await keys.press("Enter")
            await page.locator(".confirm button").focus()
            seq = here.table.position.seq
            await keys.press("Enter")
            await shown.at(seq + 1)
            assert here.table.position.seq > seq


@pytest.mark.broad
async def test_an_answer_that_comes_after_the_next_move_does_not_take_the_board_back(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), PHONE) as shown:
        seq = here.table.position.seq

        async def late(route: Any) -> None:
            answer = await route.fetch()
            await shown.at(seq + 1)  # as it was told meanwhile
            seat = here.table.position.up[0]
            await here.table.submit(Pass(seat), user=here.user_of(seat))
            await shown.at(seq + 2)
            await route.fulfill(response=answer)

        await shown.page.route("**/act", late)
        async with shown.page.expect_response("**/act"):
            await shown.tap("#turn .pass")
        await shown.page.wait_for_function("!document.querySelector('[aria-busy]')")
        assert int(await shown.page.evaluate("document.body.dataset.seq")) == seq + 2
        assert await shown.page.locator("#log .log >> text=passes").count() == 2


@pytest.mark.broad
async def test_a_page_that_changed_while_it_asked_for_changes_asks_again_and_is_not_taken_back(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await page.goto(here.link(here.user_up()))
        seq, shown = here.table.position.seq, "document.body.dataset.seq"
        again: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def late(route: Any) -> None:
            if here.table.position.seq == seq:
                answer = await route.fetch()  # as it was before the move
                seat = here.table.position.up[0]
                await here.table.submit(Pass(seat), user=here.user_of(seat))
                await Window(page, False).at(seq + 1)
                await route.fulfill(response=answer)
            else:
                shows = await page.evaluate(shown)
                await route.continue_()
                again.set_result(shows)

        await page.route("**/act", lambda one: one.fulfill(status=409, json={"error": "It has moved on."}))
        await page.route("**/parts?*", late)
        await page.locator("#turn .choice.pass").click()
        assert int(await asyncio.wait_for(again, 5)) == seq + 1


async def test_changes_that_were_asked_for_do_not_take_a_page_out_of_the_past(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await here.play(lambda position: position.seq > 2)
        seq = here.table.position.seq
        await page.goto(here.link(here.user_up()))
        shows: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def late(route: Any) -> None:
            await page.locator("#when").evaluate(
                "one => { one.value = 1; one.dispatchEvent(new InputEvent('input', {bubbles: true})); }"
            )
            await page.locator("body.past #looking:not([hidden])").wait_for(state="attached")
            seat = here.table.position.up[0]
            await here.table.submit(Pass(seat), user=here.user_of(seat))
            await route.fulfill(response=await route.fetch())
            await page.evaluate("fetch('at/1').then((answer) => answer.json())")  # the answer before has arrived
            shows.set_result(await page.evaluate("document.body.dataset.seq"))

        await page.route("**/act", lambda one: one.fulfill(status=409, json={"error": "It has moved on."}))
        await page.route("**/parts?*", late)
        await page.locator("#turn .choice.pass").click()
        assert int(await asyncio.wait_for(shows, 5)) == seq


def trains_of_others(position: Position) -> bool:
    """Whoever is up could offer another to buy a train of theirs."""
    if position.decision.step != "trains":
        return False
    t, s, seat = position.title, position.state, position.up[0]
    offers = (one for one in engine.legal(t, s, seat) if isinstance(one, BuyTrain))
    return any(engine.consent(t, s, one) not in (None, seat) for one in offers)


async def test_what_was_declined_may_be_offered_again(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(trains_of_others)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            press = shown.page.locator("#turn form[data-act*=BuyTrain] [type=submit]").first
            folded = press.locator("xpath=ancestor::details[not(@open)]/summary")
            for _ in range(2):
                if await folded.count():
                    await folded.first.tap()
                await press.tap()
                await shown.page.wait_for_selector("#turn .offer", timeout=5000)
                (offer,) = await here.table.store.offers.open(here.table.id)
                other = here.user_of(offer.to_seat)
                await deals.answer(here.table, offer.id, user=other, accept=False, interaction=None)
                await shown.page.wait_for_selector("#turn .offer", state="detached", timeout=5000)
