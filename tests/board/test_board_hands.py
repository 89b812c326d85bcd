"""What hands do on the board while the game goes on: pinch, drag, type, turn the phone, use keys, come late."""

from __future__ import annotations

from base64 import b64decode
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from boarding import Party, party
from browsing import DESKTOP, IN_ONE_LOOP, PHONE, Window, blank, window

import engine
from bot.core.position import Position
from bot.rooms.past.history import result
from bot.rooms.turn import asking
from engine.actions import Bid, Pass, SellShares
from engine.ids import PlayerId, split_stop, stops_of

pytestmark = [IN_ONE_LOOP, pytest.mark.long]
LOOK = "(one, at) => { one.value = at; one.dispatchEvent(new InputEvent('input', {bubbles: true})); }"
MIDDLE = """() => {
  const {x, y, width, height} = document.getElementById('stage').getBoundingClientRect();
  return document.elementsFromPoint(x + width / 2, y + height / 2).find((one) => one.matches('.hex'))?.id;
}"""
DOT = b64decode("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==")
FOCUSED = "document.activeElement.id"
RING = """(({outlineOffset, outlineWidth}) => parseInt(outlineOffset) + parseInt(outlineWidth))(
  getComputedStyle(document.activeElement))"""
"""How far it stands out around what has the keyboard."""
WORDS_OF_TABS = """[...document.querySelectorAll('[role=tab]')].map((one) => {
  const range = new Range();
  range.selectNodeContents(one);
  return range.getBoundingClientRect().toJSON();
})"""
SMALL = {"turned phone": (844, 390), "laptop at 200 %": (640, 450), "small phone": (360, 520)}


def runs(position: Position) -> bool:
    return position.decision.step == "run"


async def passes(here: Party, *shown: Window) -> None:
    """Whoever is up passes elsewhere, and the pages show it."""
    seat, seq = here.table.position.up[0], here.table.position.seq
    await here.table.submit(Pass(seat), user=here.user_of(seat))
    for one in shown:
        await one.at(seq + 1)


async def test_a_pinch_leaves_the_route_that_is_drawn(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("[data-draw]")
            await shown.page.wait_for_selector("#drawbar .go")
            best = await shown.page.locator("#drawbar").inner_text()
            await shown.tap("[data-zoom=fit]")
            box = await shown.page.locator(f"#{await shown.page.evaluate(MIDDLE)}").bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            session = await shown.page.context.new_cdp_session(shown.page)

            async def touch(kind: str, **at: float) -> None:
                points = [{"id": int(one[1:]), "x": to, "y": y} for one, to in at.items()]
                await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

            await touch("touchStart", f0=x - 20)
            await touch("touchStart", f0=x - 20, f1=x + 40)
            await touch("touchMove", f0=x - 40, f1=x + 60)
            await touch("touchEnd", f0=x - 40)
            for to in (x + 40, x + 20, x):
                await touch("touchMove", f1=to)
            await touch("touchEnd", f1=x)
            await shown.page.wait_for_function("() => !document.querySelector('#map.moving')")
            assert await shown.page.locator("#drawbar").inner_text() == best


@pytest.mark.slow
async def test_a_panel_that_is_opened_while_a_route_is_drawn_is_seen(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("[data-draw]")
            await shown.page.wait_for_selector("#drawbar .go")
            await shown.tap("#tab-companies")
            assert await shown.page.locator("#companies .card").first.is_visible()
            await shown.tap("#tab-turn")
            assert await shown.page.locator("#turn").is_hidden()
            assert await shown.page.locator("#drawbar .go").is_visible()


@pytest.mark.slow
async def test_the_middle_of_the_map_stays_there_when_a_phone_is_turned(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), PHONE) as shown:
        for _ in range(3):
            await shown.tap("[data-zoom=in]")
        middle = await shown.page.evaluate(MIDDLE)
        assert middle
        for width, height in ((844, 390), (390, 844)):
            await shown.page.set_viewport_size({"width": width, "height": height})
            await shown.page.wait_for_function(f"() => ({MIDDLE})() === '{middle}'", timeout=3000)


async def test_the_middle_of_the_map_stays_there_though_the_board_is_hidden_meanwhile(
    tmp_path: Path, chromium: Any
) -> None:
    """As in the playground on a phone, while one writes in the chat."""
    async with party(tmp_path) as here, window(chromium, here.link(0), PHONE) as shown:
        for _ in range(3):
            await shown.tap("[data-zoom=in]")
        await shown.page.mouse.move(200, 200)
        await shown.page.mouse.down()
        await shown.page.mouse.move(320, 320)
        await shown.page.mouse.up()
        middle = await shown.page.evaluate(MIDDLE)
        assert middle
        for display, height in (("none", 500), ("", 844)):
            await shown.page.evaluate(f"document.querySelector('main').style.display = {display!r}")
            await shown.page.set_viewport_size({"width": 390, "height": height})
            await shown.page.evaluate("new Promise((done) => setTimeout(done, 100))")
        assert await shown.page.evaluate(MIDDLE) == middle


@pytest.mark.slow
async def test_only_the_first_button_of_a_mouse_chooses_and_the_browsers_own_zoom_leaves_the_map(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        page = shown.page
        before = await page.locator("#map").get_attribute("style")
        await page.keyboard.press("Control+Equal")
        assert await page.locator("#map").get_attribute("style") == before
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        box = await page.locator("#hex-E2").bounding_box()
        await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button="right")
        await shown.tap_hex("F3")
        await page.locator("#focus h2").wait_for()
        assert not [one for one in asked if "hex/E2" in one]


@pytest.mark.slow
async def test_the_keyboard_is_back_on_the_map_when_a_hex_is_closed(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        page = shown.page
        await page.locator("#hex-E2").focus()
        await page.keyboard.press("Enter")
        await page.locator("#focus .close").focus()
        await page.keyboard.press("Enter")
        assert await page.evaluate(FOCUSED) == "hex-E2"


@pytest.mark.slow
async def test_keys_zoom_the_map_but_not_from_a_field_nor_behind_a_question(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        page, style = shown.page, shown.page.locator("#map").get_attribute
        before = await style("style")
        await shown.tap("#tab-log")
        await page.locator("input[type=search]").fill("1889")
        await page.keyboard.type("+-0")
        assert await page.locator("input[type=search]").input_value() == "1889+-0"
        await shown.tap("#tab-turn")
        await shown.tap("[data-ask=why]")
        await shown.tap("#ask[open] p")
        await page.keyboard.press("+")
        assert await style("style") == before
        await page.keyboard.press("Escape")
        await page.keyboard.press("+")
        assert await style("style") != before


@pytest.mark.slow
async def test_the_keyboard_stays_in_a_panel_that_changes(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        await shown.page.locator("#turn .choice.pass").focus()
        await passes(here, shown)
        assert await shown.page.evaluate("document.activeElement.className") == "panels"


@pytest.mark.slow
async def test_the_keyboard_is_never_lost_while_routes_are_drawn(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            page = shown.page
            await page.locator("[data-draw]").focus()
            await page.keyboard.press("Enter")
            await page.locator("#drawbar [data-train]:focus").wait_for()
            assert await page.evaluate(RING) <= 0
            await page.locator("#drawbar [data-clear]").focus()
            await page.keyboard.press("Enter")
            await page.locator("#drawbar p:not([hidden])").wait_for()
            assert await page.evaluate(FOCUSED) == "clear"
            assert await page.locator("#told").inner_text() == await page.locator("#drawbar p").inner_text()
            await page.locator("#drawbar [data-leave]").focus()
            await page.keyboard.press("Enter")
            assert await page.evaluate("document.activeElement.className") == "panels"


async def test_without_a_mouse_a_train_is_said_to_be_one_and_tab_comes_to_where_its_route_begins(
    tmp_path: Path, chromium: Any
) -> None:
    """“2 ¥60”; and Tab came to the first hex of the map."""
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        (best, *_) = await here.table.position.proposals(here.table.position.up[0])
        route = best.action.routes[0]
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            await shown.tap("[data-draw]")
            first = shown.page.locator("#drawbar [data-train]").first
            await first.wait_for()
            assert f'"{route.train}-train ¥' in await first.aria_snapshot()
            for _ in range(2):
                (to,) = await shown.page.locator(".hex[tabindex='0']").all()
                assert await to.get_attribute("data-hex") == split_stop(stops_of(route.path)[0])[0]
                await to.focus()
                await shown.page.keyboard.press("ArrowRight")
                await first.click()


@pytest.mark.slow
async def test_the_keyboard_is_not_lost_on_the_way_back_to_now(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        await passes(here, shown)
        await shown.tap("#tab-log")
        await shown.page.locator("#when").evaluate(LOOK, "0")
        await shown.tap("#tab-market")
        await shown.page.locator("#past button").focus()
        await shown.page.keyboard.press("Enter")
        await shown.page.wait_for_selector("body:not(.past)")
        assert await shown.page.evaluate("document.activeElement.className") == "panels"


@pytest.mark.slow
async def test_from_a_tab_the_keyboard_goes_into_its_panel(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        await shown.page.locator("#tab-turn").focus()
        await shown.page.keyboard.press("ArrowRight")
        await shown.page.keyboard.press("Tab")
        assert await shown.page.evaluate("document.activeElement.className") == "panels"


@pytest.mark.slow
async def test_the_keyboard_is_seen_on_the_edge_of_what_it_is_in(tmp_path: Path, chromium: Any) -> None:
    """A ring around what fills a frame that cuts off what stands out of it was a line, or nothing."""
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        await shown.page.locator("#hex-E2").focus()
        for _ in range(3):
            await shown.page.keyboard.press("Tab")
            assert await shown.page.evaluate(RING) <= 0


@pytest.mark.slow
async def test_the_map_goes_along_with_the_keyboard(tmp_path: Path, chromium: Any) -> None:
    """Keys came to hexes out of sight, or the browser scrolled the map, and what zooms it, out of its frame."""
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        page = shown.page
        for _ in range(3):
            await shown.tap("[data-zoom=in]")
        frame = await page.locator("#stage").bounding_box()
        await page.locator("[data-zoom=in]").focus()
        for key in ("Shift+Tab", *["ArrowRight"] * 5, *["ArrowDown"] * 5, *["ArrowLeft"] * 8):
            await page.keyboard.press(key)
            await page.evaluate("() => new Promise(requestAnimationFrame)")
            hex_box = await page.locator(".hex:focus").bounding_box()
            x, y = (hex_box[at] + hex_box[size] / 2 - frame[at] for at, size in (("x", "width"), ("y", "height")))
            assert 0 < x < frame["width"], key
            assert 0 < y < frame["height"], key
        assert await page.locator("#stage").evaluate("(one) => one.scrollTop + one.scrollLeft") == 0


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), SMALL.values(), ids=SMALL.keys())
async def test_a_small_window_shows_all_of_what_zooms(tmp_path: Path, chromium: Any, width: int, height: int) -> None:
    low = DESKTOP | {"viewport": {"width": width, "height": height}}
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), low) as shown:
        await shown.tap("#tab-bank")  # which leaves the map the least room
        stage = await shown.page.locator("#stage").bounding_box()
        closer = await shown.page.locator("[data-zoom=in]").bounding_box()
        assert closer["y"] >= stage["y"]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
async def test_letters_are_as_large_as_the_browser_is_set_to_and_a_phone_still_has_room_for_tabs_and_choices(
    tmp_path: Path, chromium: Any, width: int, height: int
) -> None:
    held = PHONE | {"viewport": {"width": width, "height": height}}
    async with party(tmp_path) as here, window(chromium, here.link(0), held) as shown:
        session = await shown.page.context.new_cdp_session(shown.page)
        await session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 32}})
        assert await shown.page.evaluate("getComputedStyle(document.body).fontSize") == "32px"
        words = await shown.page.evaluate(WORDS_OF_TABS)
        assert all(one["right"] <= other["left"] for one, other in pairwise(words))
        assert (await shown.page.locator(".panels").bounding_box())["height"] > 200


async def test_no_finger_makes_a_phone_enlarge_the_page(tmp_path: Path, chromium: Any) -> None:
    """An iPhone does so for a field with letters below 16 px that is chosen, and for two quick taps on a button."""
    size = "all => Math.min(...all.map(one => parseFloat(getComputedStyle(one).fontSize)))"
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), PHONE) as shown:
        assert await shown.page.locator("input:not([type=range]), select").evaluate_all(size) >= 16
        steps = shown.page.locator(".amount [data-step]").last
        assert await steps.evaluate("one => getComputedStyle(one).touchAction") == "manipulation"


@pytest.mark.slow
async def test_a_screen_reader_reads_each_place_of_the_map_once(tmp_path: Path, chromium: Any) -> None:
    """It read each coordinate, cost and name, some twice, before it came to the hexes, which have them all."""
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        assert (await shown.page.locator("#map").aria_snapshot()).count("Sukumo") == 1


@pytest.mark.slow
async def test_a_screen_reader_reads_no_arrow_of_what_opens(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "shares", seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            await shown.page.locator("#turn summary").first.wait_for()
            assert "›" not in await shown.page.locator("#turn").aria_snapshot()


@pytest.mark.slow
async def test_a_screen_reader_names_a_question_and_says_whose_turn_it_is_now(tmp_path: Path, chromium: Any) -> None:
    """As the page's tab does for whoever is elsewhere meanwhile."""
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        assert (await shown.page.title()).startswith("Your turn")
        await shown.tap("[data-ask=why]")
        await shown.page.get_by_role("dialog", name="Why not?").wait_for()
        await shown.page.keyboard.press("Escape")
        await passes(here, shown)
        waits = await shown.page.get_by_role("status").first.inner_text()
        assert "Waiting for" in waits
        assert (await shown.page.title()).startswith(f"{waits} – ")


@pytest.mark.slow
async def test_a_screen_reader_says_whose_turn_it_is_once(tmp_path: Path, chromium: Any) -> None:
    """It said so again with whatever else was new on the page."""
    async with party(tmp_path) as here, window(chromium, here.link(2), DESKTOP) as shown:
        await passes(here, shown)
        await passes(here, shown)
        said = await shown.page.locator("#told").evaluate_handle("(told) => told.firstChild")
        first = here.table.moves[0]
        await asking.ask(here.table, here.table.seats[first.action.by].user_id, first.seq, 1)
        await shown.page.locator("#turn").get_by_text("to take this back").wait_for()
        assert await said.evaluate("(one) => one.isConnected")


@pytest.mark.slow
async def test_a_key_that_opens_a_hex_leads_to_its_tiles_and_each_says_what_it_does(
    tmp_path: Path, chromium: Any
) -> None:
    """The keyboard stayed on the map, six stops away, and nothing was said of what had opened."""
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track" and len(position.state.floated) > 1, seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            page = shown.page
            await page.locator(".hex[tabindex='0']").focus()
            await page.keyboard.press("Enter")
            await page.locator("#focus .tile:focus").wait_for(timeout=3000)
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")
            note = await page.locator("#focus .confirm .notes").text_content()
            assert note
            assert note == await page.locator("#told").text_content()
            await page.keyboard.press("Escape")
            assert await page.evaluate(FOCUSED) == await page.locator(".hex[tabindex='0']").get_attribute("id")


@pytest.mark.slow
async def test_keys_go_from_one_marked_hex_to_the_next(tmp_path: Path, chromium: Any) -> None:
    """Whoever does not see the marks had to go through the whole map."""
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track" and len(position.state.floated) > 1, seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            marked, came = [f"hex-{one}" for one in await shown.marked()], []
            await shown.page.locator(".hex[tabindex='0']").focus()
            for _ in marked:
                await shown.page.keyboard.press("PageDown")
                came.append(await shown.page.evaluate(FOCUSED))
            assert came == [*marked[1:], marked[0]]
            await shown.page.keyboard.press("PageUp")
            assert await shown.page.evaluate(FOCUSED) == marked[-1]


@pytest.mark.slow
async def test_a_screen_reader_says_what_another_did_and_what_is_asked_then(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.up[0] == "p1", seed=3)
        async with window(chromium, here.link(here.user_of("p2")), DESKTOP) as shown:
            position = here.table.position
            bid = next(
                one for one in engine.legal(position.title, position.state, PlayerId("p1")) if isinstance(one, Bid)
            )
            await here.table.submit(bid, user=here.user_of("p1"))
            await shown.at(here.table.position.seq)
            said = await shown.page.locator("#told").inner_text()
            assert said.startswith("Player 1 bids ")
            assert ". Your turn: " in said


@pytest.mark.slow
async def test_a_screen_reader_says_what_is_entered_and_what_was_done_in_a_move_that_is_looked_at(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here:
        await passes(here)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            told, form = shown.page.locator("#told"), shown.page.locator("#turn form.amount").first
            await form.locator("[data-step='5']").click()
            assert await told.text_content() == await form.locator("input").input_value()
            await shown.tap("#tab-log")
            await shown.page.locator("#when").evaluate(LOOK, "0")
            await told.get_by_text("The game begins.").wait_for()


@pytest.mark.slow
async def test_the_keyboard_is_not_lost_when_a_question_is_closed_after_a_move(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), DESKTOP) as shown:
        await shown.page.locator("[data-ask=why]").focus()
        await shown.page.keyboard.press("Enter")
        await shown.page.locator("#ask[open]").wait_for()
        await passes(here, shown)
        await shown.page.keyboard.press("Escape")
        assert await shown.page.evaluate("document.activeElement.className") == "panels"


@pytest.mark.slow
async def test_a_refusal_is_seen_though_it_is_of_a_choice_in_a_question(tmp_path: Path, chromium: Any) -> None:
    """It stood behind the question, dimmed, and no screen reader came to it."""
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await here.play(lambda position: position.decision.step == "shares", seed=3)
        await page.goto(here.link(here.user_up()))
        await page.locator("#tab-market").click()
        await page.locator("#market [data-at]").first.click()
        await page.route("**/act", lambda route: route.fulfill(status=400, json={"error": "<p>No.</p>"}))
        await page.locator("#ask [data-act]").first.click()
        await page.locator("#banner.bad").wait_for()
        assert (
            await page.locator("#banner").evaluate("one => !document.querySelector(':modal') && one.innerText") == "No."
        )


async def test_whoever_is_asked_to_agree_reads_so_in_another_panel(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(2), DESKTOP) as shown:
        await passes(here, shown)
        await passes(here, shown)
        await shown.tap("#tab-market")
        await shown.page.locator("#tab-turn:not(.hot)").wait_for()
        first = here.table.moves[0]
        await asking.ask(here.table, here.table.seats[first.action.by].user_id, first.seq, 1)
        await shown.page.locator("#tab-turn.hot").wait_for(timeout=3000)
        assert "asks to take this back" in await shown.page.locator("#banner").inner_text()


async def test_what_somebody_types_and_looks_at_outlasts_the_moves_of_others(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        await passes(here, shown)
        await shown.tap("#tab-log")
        await shown.tap("[data-chart=worth]")
        await shown.page.locator("#chart img").wait_for()
        await shown.page.locator("[data-rules] input").press_sequentially("tra")
        await passes(here, shown)
        await shown.page.keyboard.type("in")
        assert await shown.page.locator("[data-rules] input").input_value() == "train"
        assert await shown.page.locator("#chart img").count() == 1


@pytest.mark.slow
async def test_a_film_that_is_being_made_is_shown_though_somebody_moves(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        assert await shown.page.locator("[data-film]").count() == 0, "there is nothing to film yet"
        await here.play(lambda position: bool(position.state.par))
        await passes(here, shown)
        count = len(here.table.moves)

        async def slow(route: Any) -> None:
            if len(here.table.moves) == count:
                await passes(here, shown)
            await route.fulfill(content_type="image/gif", body=DOT)

        await shown.page.route("**/film.gif*", slow)
        await shown.tap("#tab-log")
        await shown.tap("[data-film] [type=submit]")
        await shown.page.locator("#film img").wait_for(timeout=3000)


async def test_an_amount_that_is_typed_is_bid_though_something_is_asked_meanwhile(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here:
        asker = here.user_up()
        await passes(here)
        await passes(here)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            seq, amount = here.table.position.seq, shown.page.locator("#turn form.amount input").first
            await amount.fill("175")
            await asking.ask(here.table, asker, here.table.moves[0].seq, 1)
            await shown.page.locator("[data-undo=yes]").wait_for()
            await shown.page.keyboard.press("Enter")
            await shown.at(seq + 1)
            bid = here.table.moves[-1].action
            assert isinstance(bid, Bid)
            assert bid.amount == 175


async def test_whoever_means_it_means_it_of_the_position_that_was_asked_about(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await page.goto(here.link(here.user_up()))
        asked = {"json": {"question": "<p>Sure?</p>"}}
        await page.route("**/act", lambda route: route.fulfill(**asked), times=1)
        await page.locator("#turn .choice.pass").click()
        await page.locator("#ask .danger").wait_for()
        for _ in range(3):  # as in another tab
            await passes(here, Window(page, touch=False))
        seq = here.table.position.seq
        async with page.expect_response("**/act") as answer:
            await page.locator("#ask .danger").click()
        assert (await answer.value).status == 409
        assert here.table.position.seq == seq


@pytest.mark.slow
async def test_a_slider_that_is_dragged_asks_for_one_move_at_a_time_and_ends_at_the_last(
    tmp_path: Path, chromium: Any
) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.seq >= 60, seed=4)
        async with window(chromium, here.link(0), DESKTOP) as shown:
            asked: list[str] = []
            shown.page.on("request", lambda one: asked.append(one.url) if "/at/" in one.url else None)
            drag = f"one => {{ for (let at = 59; at > 2; at--) ({LOOK})(one, at); }}"
            await shown.page.locator("#when").evaluate(drag)
            await shown.page.wait_for_function("() => document.getElementById('then').textContent")
            for _ in range(60):
                if asked[-1].endswith("/at/3"):
                    break
                await shown.page.wait_for_timeout(50)
            assert [one.rpartition("/")[2] for one in asked] == ["59", "3"]


@pytest.mark.slow
async def test_a_move_that_cannot_be_looked_at_is_not_said_to_be_shown(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await here.play(lambda position: position.seq >= 9)
        await page.goto(here.link(0))
        slider, past = page.locator("#when"), page.locator("body.past")
        await page.route("**/at/3", lambda one: one.abort())
        await slider.evaluate(LOOK, 3)
        await past.wait_for(state="detached", timeout=3000)
        assert await slider.input_value() == "9"
        await slider.evaluate(LOOK, 5)
        await page.locator("#looking:not([hidden])").wait_for(state="attached")
        await slider.evaluate(LOOK, 3)
        await page.wait_for_function("() => document.getElementById('when').value === '5'", timeout=3000)
        assert await past.count() == 1
        assert await page.locator("#past-said").text_content() == "You are looking at move 5 of 9."


async def test_a_route_that_is_drawn_waits_while_the_past_is_looked_at(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP) as shown:
            page = shown.page
            await shown.tap("[data-draw]")
            await page.locator("#drawbar .go").wait_for()
            best = await page.locator("#drawbar").inner_text()
            await shown.tap("#tab-log")
            await page.locator("#when").evaluate(LOOK, 3)
            await page.locator("#looking:not([hidden])").wait_for()
            assert await page.locator("#drawbar").is_hidden()
            box = await page.locator("#hex-G8").bounding_box()
            await page.mouse.move(box["x"] + 5, box["y"] + 20)
            await page.mouse.down()
            await page.mouse.move(box["x"] + 120, box["y"] + 60, steps=8)
            await page.mouse.up()
            await shown.tap("#looking [data-now]")
            await page.locator("#drawbar .go").wait_for()
            assert await page.locator("#drawbar").inner_text() == best


@pytest.mark.slow
async def test_a_panel_begins_at_its_top(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(0), PHONE) as shown:
            await shown.tap("#tab-companies")
            await shown.page.evaluate("document.querySelector('.panels').scrollTop = 300")
            await shown.tap("#tab-players")
            assert await shown.page.evaluate("document.querySelector('.panels').scrollTop") == 0


SEEN = """() => {
  const {top, bottom, left, right} = document.getElementById('stage').getBoundingClientRect();
  return [...document.querySelectorAll('#marks .mark')].some((one) => {
    const {x, y, width, height} = one.getBoundingClientRect(), across = x + width / 2, down = y + height / 2;
    return across > left && across < right && down > top && down < bottom;
  });
}"""


@pytest.mark.slow
async def test_a_decision_is_seen_whatever_one_looked_at_before(tmp_path: Path, chromium: Any) -> None:
    def lays(position: Position) -> bool:
        return position.decision.step == "track"

    async with party(tmp_path) as here:
        await here.play(lays, seed=3)
        seat, user = here.table.position.up[0], here.user_up()
        async with window(chromium, here.link(user), PHONE) as shown:
            await here.play(lambda position: position.up[0] != seat or not lays(position), seed=3)
            await shown.at(here.table.position.seq)
            await shown.tap("[data-zoom=fit]")
            for _ in range(6):
                await shown.tap("[data-zoom=in]")
            await here.play(lambda position: position.up[0] == seat and lays(position), seed=3)
            await shown.at(here.table.position.seq)
            assert await shown.page.evaluate(SEEN)


@pytest.mark.slow
async def test_sales_stay_open_from_one_to_the_next(tmp_path: Path, chromium: Any) -> None:
    def sells(position: Position) -> bool:
        legal = engine.legal(position.title, position.state, PlayerId(position.up[0]))
        return position.decision.step == "shares" and sum(isinstance(one, SellShares) for one in legal) > 6

    async with party(tmp_path) as here:
        await here.play(sells, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            seq = here.table.position.seq
            await shown.tap("#turn summary >> text=Sell shares")
            way, panels = [await shown.page.locator(one).bounding_box() for one in ("#turn .pass", ".panels")]
            assert way["y"] + way["height"] <= panels["y"] + panels["height"], "to pass is in reach"
            await shown.tap("#turn details[open] .choice >> nth=-1")
            await shown.at(seq + 1)
            assert await shown.page.locator("#turn details[open] summary >> text=Sell shares").count() == 1


@pytest.mark.slow
async def test_what_is_asked_next_begins_at_its_top(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(runs, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            seq = here.table.position.seq
            await shown.page.set_viewport_size({"width": 390, "height": 480})
            await shown.page.evaluate("document.querySelector('.panels').scrollTop = 99")
            await shown.page.locator("#turn .choice.success").evaluate("one => one.click()")  # where it is
            await shown.at(seq + 2)
            assert here.table.position.decision.step == "trains"
            assert await shown.page.evaluate("document.querySelector('.panels').scrollTop") == 0


@pytest.mark.broad
async def test_what_decided_a_game_leads_to_its_move_and_stays_to_choose_from(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.state.or_number == 2, seed=3)
        await here.table.end_here()
        told = [move for _, move in result(here.table) if move]
        async with window(chromium, here.link(1), PHONE) as shown:
            for move in (told[0], told[-1]):
                await shown.tap(f"#turn .moment[data-move='{move}']")
                said = f"You are looking at move {move} of {len(here.table.moves)}."
                await shown.page.locator("#past-said", has_text=said).wait_for()
                await shown.page.locator("#looking:not([hidden])").wait_for(state="attached")
                assert await shown.page.locator("#past").is_visible()
            await shown.tap("#past [data-now]")
            await shown.page.locator("body:not(.past)").wait_for()


@pytest.mark.slow
async def test_the_past_is_marked_until_the_present_is_shown(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await passes(here)
        await page.goto(here.link(0))
        await page.locator("#tab-log").click()
        await page.locator("#when").evaluate(LOOK, 0)
        await page.locator("#looking:not([hidden])").wait_for()
        await page.route("**/parts?*", lambda one: one.abort(), times=1)
        async with page.expect_event("requestfailed"):
            await page.locator("#looking [data-now]").click()
        assert await page.locator("body.past").count() == 1
        await passes(here, Window(page, touch=False))
        await page.locator("body:not(.past)").wait_for()


@pytest.mark.slow
async def test_what_is_refused_for_the_moment_is_asked_for_again(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, blank(chromium, DESKTOP) as page:
        await passes(here)
        await page.goto(here.link(0))
        await page.locator("#when").evaluate(LOOK, 0)
        await page.locator("#looking:not([hidden])").wait_for(state="attached")
        busy = {"status": 503, "json": {"error": "Too many ask at once."}}
        await page.route("**/parts?*", lambda route: route.fulfill(**busy), times=2)  # also where news makes it ask
        await page.locator("#looking [data-now]").dispatch_event("click")
        await page.locator("body:not(.past)").wait_for(timeout=12_000)  # before the bot gives a sign of life
        assert await page.locator("#banner").is_hidden()


@pytest.mark.slow
async def test_the_map_stays_where_it_was_moved_to_when_others_move(tmp_path: Path, chromium: Any) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(0), DESKTOP) as shown:
        page = shown.page
        await shown.tap_hex("B11")
        await page.locator("#focus h2").wait_for()
        for _ in range(5):
            await shown.tap("[data-zoom=in]")  # towards the middle, so that the hex is out of sight
        before = await page.locator("#map").get_attribute("style")
        async with page.expect_response("**/hex/B11"):
            await passes(here, shown)
        await page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
        assert await page.locator("#map").get_attribute("style") == before
