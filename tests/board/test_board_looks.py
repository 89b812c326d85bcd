"""What a person sees of the board at a glance, in a real browser: marks that show, and words that nothing covers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from boarding import party
from browsing import DESKTOP, IN_ONE_LOOP, PHONE, window

from bot.core.position import Position
from bot.words.narration import plain
from engine import legal
from engine.actions import Par, Pass
from engine.facts import Passed
from renderer import text

pytestmark = [IN_ONE_LOOP, pytest.mark.long]


def runs_two(position: Position) -> bool:
    """Several trains are to be run."""
    corp = position.state.operating
    return position.decision.step == "run" and corp is not None and len(position.state.trains[corp]) > 1


async def test_the_train_whose_route_is_drawn_is_marked(tmp_path: Path, chromium: object) -> None:
    async with party(tmp_path) as here:
        await here.play(runs_two, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("[data-draw]")
            trains = shown.page.locator("#drawbar [data-train]")
            for drawn in (0, 1):
                await shown.tap(f"#drawbar [data-train='{drawn}']")
                edges = await trains.evaluate_all("all => all.map(one => getComputedStyle(one).borderColor)")
                assert edges.count(edges[drawn]) == 1


async def test_names_on_the_map_are_as_wide_as_in_the_pictures_at_any_zoom(tmp_path: Path, chromium: object) -> None:
    """A browser that fits letters to its pixels spreads small ones unevenly."""
    measured = "all => all.map(one => [one.textContent, one.getComputedTextLength(), one.getAttribute('font-size')])"
    async with party(tmp_path) as here, window(chromium, here.link(0), PHONE) as shown:
        names = await shown.page.locator("#map .drawn text:not(.b, .halo)").evaluate_all(measured)
    got = {name: long for name, long, _ in names}
    assert got == pytest.approx({name: text.width(name, int(size)) for name, _, size in names}, rel=0.03)


def has_passed_later(position: Position) -> bool:
    """Somebody has just passed, and a share has been bought before."""
    return bool(position.state.par) and any(isinstance(one, Passed) for one in position.state.facts)


@pytest.mark.parametrize("how", [PHONE, DESKTOP])
async def test_what_was_done_last_stands_on_one_line_above_the_board(
    tmp_path: Path, chromium: object, how: dict[str, object]
) -> None:
    async with party(tmp_path) as here:
        await here.play(has_passed_later, seed=3)
        async with window(chromium, here.link(here.user_up()), how) as shown:
            last = shown.page.locator(".head .last")
            done = [one for one in here.table.moves if not isinstance(one.action, Pass)]
            assert here.table.moves[-1] != done[-1]
            words = (await last.text_content()).replace("\N{NO-BREAK SPACE}", " ")
            assert words == plain(" ".join(here.table.tell(done[-1:])))
            assert (await last.bounding_box())["height"] < 24


async def test_a_page_that_only_says_something_can_be_read_on_a_desktop(tmp_path: Path, chromium: object) -> None:
    """The columns of a board put its words over each other."""
    async with party(tmp_path) as here, window(chromium, here.link(1), DESKTOP) as shown:
        await shown.page.context.clear_cookies()
        await shown.page.route("**/live*", lambda route: route.abort())
        await shown.page.reload()
        heading, words = [await shown.page.locator(f"main.plain {one}").bounding_box() for one in ("h1", "p")]
        assert heading["y"] + heading["height"] < words["y"]
        shown.errors.clear()  # a page that is refused


async def test_the_market_of_two_tiers_fits_a_phone(tmp_path: Path, chromium: object) -> None:
    async with party(tmp_path, "1860") as here, window(chromium, here.link(1), PHONE) as shown:
        await shown.tap("#tab-market")
        wide = shown.page.locator("#market .wide")
        assert await wide.evaluate("one => one.scrollWidth <= one.clientWidth")


def can_start(position: Position) -> bool:
    return any(isinstance(one, Par) for one in legal(position.title, position.state, position.up[0]))


@pytest.mark.parametrize("title", ["1889", "1860"])
async def test_prices_at_which_a_company_may_start_have_room_for_a_finger(
    tmp_path: Path, chromium: object, title: str
) -> None:
    """They were 39 pixels wide; and the market of two tiers still fits a phone."""
    async with party(tmp_path, title) as here:
        await here.play(can_start, seed=5)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("#tab-market")
            prices = shown.page.locator("#market button.price")
            assert set(await prices.evaluate_all("all => all.map(one => one.offsetWidth)")) == {44}
            wide = await shown.page.locator("#market .wide").evaluate("one => one.scrollWidth - one.clientWidth")
            assert (wide > 0) == (title == "1889")


def starts_beside_a_token(position: Position) -> bool:
    """A company may be started at a price at which another stands."""
    return position.decision.step == "shares" and len(position.state.par) == 2


async def test_tokens_leave_the_price_free_where_a_company_may_start(tmp_path: Path, chromium: object) -> None:
    above = """all => all.map(one => {
        const words = document.createRange();
        words.selectNodeContents(one.closest('td').querySelector('.price'));
        return one.getBoundingClientRect().top - words.getBoundingClientRect().bottom;
    })"""
    async with party(tmp_path, options='["beginner"]') as here:
        await here.play(starts_beside_a_token, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("#tab-market")
            tokens = shown.page.locator("#market td:has(button.price) .token")
            assert await tokens.count()
            assert min(await tokens.evaluate_all(above)) > -3, "a line is higher than its letters"


async def test_whoever_looks_back_is_told_so_beside_every_panel_and_led_to_the_present(
    tmp_path: Path, chromium: object
) -> None:
    """The turn's panel was empty then, below a line that said whose turn it is."""
    async with party(tmp_path) as here:
        await here.play(starts_beside_a_token, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.tap("#tab-log")
            await shown.page.locator("#when").fill("3")
            await shown.page.wait_for_selector("body.past #looking:not([hidden])")
            assert not await shown.page.locator("#past").is_visible(), "it is said above"
            await shown.tap("#tab-turn")
            said = await shown.page.locator("#past").inner_text()
            assert said.startswith("You are looking at move 3 of ")
            await shown.tap("#past [data-now]")
            await shown.page.wait_for_selector("body:not(.past)")
            assert not await shown.page.locator("#past").is_visible()


def lays(position: Position) -> bool:
    """Track is to be laid."""
    return position.decision.step == "track"


def chooses(position: Position) -> bool:
    """One of all privates and of two companies is to be chosen."""
    return position.decision.step == "choose"


@pytest.mark.parametrize(("title", "until", "most"), [("1860", chooses, 0.64), ("1889", lays, 0.46)])
async def test_choices_have_more_room_on_a_phone_where_nothing_is_asked_on_the_map(
    tmp_path: Path, chromium: object, title: str, until: Callable[[Position], bool], most: float
) -> None:
    async with party(tmp_path, title) as here:
        await here.play(until, seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            limit = "one => parseFloat(getComputedStyle(one).maxHeight) / innerHeight"
            assert await shown.page.locator(".side").evaluate(limit) == pytest.approx(most, abs=0.01)


async def test_a_list_of_what_would_be_taken_back_shows_that_it_goes_on_until_its_end(
    tmp_path: Path, chromium: object
) -> None:
    """It ended between two lines, as if that were all."""
    async with party(tmp_path) as here:
        await here.play(lays, seed=3)
        user = here.user_up() % 3 + 1
        async with window(chromium, here.link(user), PHONE) as shown:
            await shown.page.set_viewport_size({"width": 390, "height": 330})
            await shown.tap("[data-ask=undo]")
            listed = shown.page.locator("#ask .taken")
            assert await listed.evaluate("one => one.scrollHeight > one.clientHeight")
            cut = await listed.screenshot()
            await listed.evaluate("one => { one.style.background = 'none'; }")
            assert await listed.screenshot() != cut
            await listed.evaluate("one => { one.scrollTop = one.scrollHeight; }")
            end = await listed.screenshot()
            await listed.evaluate("one => { one.style.background = ''; }")
            assert await listed.screenshot() == end


async def test_a_list_that_is_seen_to_its_end_ends_without_a_line(tmp_path: Path, chromium: object) -> None:
    """A rounded edge let the shadow through that says that there is more below."""
    dense = PHONE | {"device_scale_factor": 2.625}
    async with party(tmp_path) as here:
        await here.play(lays, seed=3)
        async with window(chromium, here.link(here.user_up() % 3 + 1), dense) as shown:
            await shown.tap("[data-ask=undo]")
            listed = shown.page.locator("#ask .taken")
            for down in range(5):
                await listed.evaluate("(one, down) => { one.style.marginTop = `${down * 0.3}px`; }", down)
                end = await listed.bounding_box()
                middle = {"x": end["x"] + 99, "y": end["y"] + end["height"] - 10, "width": 9, "height": 12}
                drawn = await shown.page.screenshot(clip=middle)
                await listed.evaluate("one => { one.style.background = 'none'; }")
                assert await shown.page.screenshot(clip=middle) == drawn
                await listed.evaluate("one => { one.style.background = ''; }")


async def test_whatever_is_touched_on_a_phone_is_as_high_as_a_finger(tmp_path: Path, chromium: object) -> None:
    low = """all => all.filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 43.9)
        .map(one => one.outerHTML)"""
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), PHONE) as shown:
        await shown.tap_hex("K8")
        assert await shown.page.locator("#focus button").evaluate_all(low) == []
        for tab in ("turn", "market", "companies", "players", "bank", "log"):
            await shown.tap(f"#tab-{tab}")
            assert await shown.page.locator("button, input, select, summary").evaluate_all(low) == []


async def test_amounts_and_cards_fit_a_phone_with_large_letters(tmp_path: Path, chromium: object) -> None:
    async with party(tmp_path) as here, window(chromium, here.link(here.user_up()), PHONE) as shown:
        await shown.page.evaluate("document.documentElement.style.fontSize = '200%'")
        for tab in ("turn", "players"):
            await shown.tap(f"#tab-{tab}")
            assert await shown.page.locator(".panels").evaluate("one => one.scrollWidth <= one.clientWidth")
            assert (await shown.page.locator("#stage").bounding_box())["height"] > 130
            assert (await shown.page.locator(".zoom").bounding_box())["height"] < 50
            assert (await shown.page.locator(".panels").bounding_box())["height"] > 200


async def test_on_a_phone_on_its_side_map_and_choices_stand_beside_each_other(tmp_path: Path, chromium: object) -> None:
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        how = PHONE | {"viewport": {"width": 844, "height": 390}}
        async with window(chromium, here.link(here.user_up()), how) as shown:
            for selector in ("#stage", ".panels"):
                assert (await shown.page.locator(selector).bounding_box())["height"] > 200
            await shown.tap_hex((await shown.marked())[0])
            await shown.page.locator(".confirm button").wait_for()
            assert (await shown.page.locator("#focus").bounding_box())["height"] > 200


@pytest.mark.slow
async def test_names_fit_with_large_letters(tmp_path: Path, chromium: object) -> None:
    """A name ran below its company's price, or out of the page."""
    beyond = """all => all.filter(one => {
        const name = new Range(), price = one.parentElement.querySelector('.big')?.getBoundingClientRect();
        name.selectNodeContents(one);
        const {top, right, bottom} = name.getBoundingClientRect();
        return right > innerWidth || (price && right > price.left && top < price.bottom && bottom > price.top);
    }).map(one => one.textContent)"""
    async with party(tmp_path, "1890") as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        async with window(chromium, here.link(here.user_up()), PHONE) as shown:
            await shown.page.evaluate("document.documentElement.style.fontSize = '200%'")
            await shown.tap("#tab-companies")
            assert await shown.page.locator("#companies :is(.name, .idle li)").evaluate_all(beyond) == []


@pytest.mark.slow
async def test_tiles_can_be_seen_where_letters_are_large_or_the_window_is_low(tmp_path: Path, chromium: object) -> None:
    """The button that lays one covered them."""
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        for size, letters in (((390, 844), "200%"), ((320, 568), "100%"), ((320, 256), "100%")):
            low = DESKTOP | {"viewport": dict(zip(("width", "height"), size, strict=True))}
            async with window(chromium, here.link(here.user_up()), low) as shown:
                await shown.page.evaluate(f"document.documentElement.style.fontSize = '{letters}'")
                await shown.page.locator(".hex[tabindex='0']").focus()
                await shown.page.keyboard.press("Enter")
                await shown.page.locator(".confirm button").wait_for()
                sheet, confirm = [await shown.page.locator(one).bounding_box() for one in ("#focus", ".confirm")]
                assert sheet["height"] - confirm["height"] > 90, size


@pytest.mark.slow
async def test_what_colours_say_stays_where_the_system_chooses_them(tmp_path: Path, chromium: object) -> None:
    """Prices to start at and zones of the market, and the tile that is chosen."""
    looks = (
        """all => new Set(all.map(one => getComputedStyle(one)).map(one => one.backgroundColor + one.boxShadow)).size"""
    )
    async with party(tmp_path) as here:
        await here.play(lambda position: position.decision.step == "track", seed=3)
        async with window(chromium, here.link(here.user_up()), DESKTOP, forced_colors="active") as shown:
            await shown.tap_hex((await shown.marked())[0])
            await shown.page.locator(".confirm button").wait_for()
            assert await shown.page.locator(".tile").evaluate_all(looks) == 2
            await shown.tap("#tab-market")
            assert (
                await shown.page.locator(".legend .sample").evaluate_all(looks)
                == await shown.page.locator(".legend li").count()
            )
