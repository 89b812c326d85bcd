"""Properties that no single golden picture shows: colours, tokens, hostile text, fonts, threads, sizes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import drawn_boards as boards
import forgetting
import pytest
import samples
from comparing import SHARE, differing, opened
from PIL import Image, ImageChops, ImageStat

import engine
import renderer
from engine.board.hexes import Layout
from engine.board.tile_list import TILES
from engine.ids import CorpId, HexId, PrivateId, Rank, StopId, TileId
from engine.viewing import board_view, laid_stops
from engine.views import CompanyView, RouteView, StopView, TableView, TrainRow
from renderer import hex_plan, market, routes, strips, text, theme, tile_choices, tiles, tokens
from renderer.card import LEGIBLE, WIDTH, Card, CardRow, Section, Word, laid_out, spoken
from renderer.map_signs import draw_signs
from renderer.png import palette_for
from renderer.table import table_card

HOSTILE = (
    "W" * 200,
    "\u202eSTAR\u202d\u200f\u200e",
    "a\u200b\u200d\ufeffb\x00\x07\n\r\tc",
    "🚂🚃🚋👩‍👩‍👧‍👦",
    "Z̴͎̈́a̵͖̾l̶̰̈́g̶̝̈́ó̶̗" * 20,
    "漢字" * 60,
    "שלום עולם مرحبا",
    "",
    "{}%s<@123>`**",
    "\U0010ffff\ud83d",
)


def forget() -> None:
    forgetting.parts()


def grey_token(index: int) -> Image.Image:
    return tokens.token("XX", "#6f6f6f", index, 24).convert("RGBA")


def on_white(sprite: Image.Image) -> Image.Image:
    base = Image.new("RGB", sprite.size, "white")
    base.paste(sprite, (0, 0), sprite)
    return base.convert("L")


def test_tokens_differ_with_the_colour_taken_away() -> None:
    drawn = [on_white(grey_token(i)) for i in range(len(tokens.PATTERNS))]
    for i, a in enumerate(drawn):
        for b in drawn[:i]:
            difference = ImageChops.difference(a, b).point([255 if value > 60 else 0 for value in range(256)])
            assert ImageStat.Stat(difference).mean[0] / 255 > 0.035


def test_tokens_of_1889_differ_in_greyscale() -> None:
    drawn = [on_white(tokens.token("XX", c.colour, c.index, 24)) for c in samples.COMPANIES]
    for i, a in enumerate(drawn):
        for b in drawn[:i]:
            difference = ImageChops.difference(a, b).point([255 if value > 50 else 0 for value in range(256)])
            assert ImageStat.Stat(difference).mean[0] / 255 > 0.05


def test_long_letters_are_cut_but_stay_distinct() -> None:
    companies = [
        CompanyView(CorpId(letters), letters, "#aa0000", i)
        for i, letters in enumerate(("Hanshin", "Hankyu", "Keihan", "JR"))
    ]
    short = [tokens.short_letters(company, companies) for company in companies]
    assert short == ["Hans", "Hank", "Keih", "JR"]


@pytest.mark.parametrize("colour", ["white", "yellow", "green", "brown", "gray", "red", "blue"])
def test_text_on_every_hex_colour_has_contrast(colour: str) -> None:
    assert theme.contrast(theme.INK, theme.HEX_FILL[colour]) >= 4.5


def test_tile_colours_stay_apart_in_greyscale() -> None:
    shades = sorted(theme.luminance(theme.HEX_FILL[colour]) for colour in ("white", "yellow", "green", "brown"))
    assert all(b - a > 0.1 for a, b in pairwise(shades))


def test_every_train_has_its_own_colour_and_dash() -> None:
    pairs = [(routes.colour_of(i), routes.dash_of(i)) for i in range(8)]
    assert len({colour for colour, _ in pairs}) == len({dash for _, dash in pairs}) == 8
    assert len({(routes.colour_of(i), routes.dash_of(i)) for i in range(16)}) == 16


def test_the_table_card_marks_who_holds_as_many_certificates_as_they_may() -> None:
    view = samples.table(3)
    limit = view.cert_limit
    assert limit is not None
    held = (limit - 1, limit, limit + 1)
    full = replace(view, players=tuple(replace(one, certs=n) for one, n in zip(view.players, held, strict=True)))
    rows = table_card(full).sections[0].rows
    assert [row.cells[-1].tone for row in rows] == ["plain", "alert", "alert"]


def test_routes_on_one_track_lie_side_by_side() -> None:
    board, (_, route, *_) = samples.routes()
    lines = routes._lines({one.id: one for one in board.hexes}, (route, route), board.layout)
    for here in lines.values():
        assert len({line for _, line, _ in here}) == 2


def test_zones_have_marks_that_need_no_colour() -> None:
    view = samples.market_crowd()
    marks = [market.zone_mark(view, name) for name in ("normal", *(name for name, _ in view.zones))]
    assert marks[0] == 0
    assert len(set(marks)) == len(marks)


def test_trains_that_are_sold_out_are_gone_only_once_nobody_has_one_and_say_till_then_what_rusts_them() -> None:
    table = samples.table(4)
    depot = tuple(replace(row, left=0) for row in table.depot)

    def told(view: TableView) -> set[str]:
        trains = next(section for section in table_card(view).sections if section.title == "Trains")
        return {f"{fact.figure} {fact.behind}".rstrip() for row in trains.rows for fact in row.facts}

    def still(row: TrainRow) -> str:
        return f"sold out, till {row.rusts_on}" if row.rusts_on else "sold out"

    sold = replace(table, depot=depot, train_pool=())
    owned = {rank for row in table.companies for rank in row.trains}
    assert told(sold) == {f"{row.rank} {still(row) if row.rank in owned else 'gone'}" for row in depot}
    assert any(row.rank in owned and row.rusts_on for row in depot)
    assert told(replace(sold, companies=())) == {f"{row.rank} gone" for row in depot}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.long
def test_hostile_names_break_no_picture(name: str) -> None:
    table = samples.table(4, names=(name, name, "Bo", name))
    assert renderer.table_picture(table).width == WIDTH
    assert all(left >= 0 and right <= WIDTH for left, right in ends(laid_out(table_card(table)).words))
    board = samples.start()
    board = replace(
        board, title=name, round=name, phase=name[:40], hexes=tuple(replace(h, name=name) for h in board.hexes)
    )
    assert renderer.map_picture(board, width=800).width == 800
    crowd = samples.market_crowd()
    assert renderer.market_picture(replace(crowd, title=name, zones=((crowd.zones[0][0], name),))).width == WIDTH


@pytest.mark.parametrize("name", HOSTILE)
def test_text_is_cut_to_its_room(name: str) -> None:
    assert text.width(text.ellipsized(name, 26, 200), 26) <= 200
    lines, size = text.two_lines(name, 26, 200)
    assert all(text.width(line, size) <= 200 for line in lines)
    cleaned = text.clean(name)
    assert all(char.isprintable() for char in cleaned)


def test_emojis_are_left_out_of_what_has_letters() -> None:
    names = ["🚂 Choo Choo Master 🚂", "👍🏽 Bob", "ア🎉ド", "🚂", "ا"]
    assert [text.clean(name) for name in names] == ["Choo Choo Master", "Bob", "アド", "?", "?"]


def ends(words: Sequence[Word]) -> Iterator[tuple[float, float]]:
    """Where each word begins and ends, from left to right."""
    for one in words:
        wide = max(text.width(one.text, one.size, one.bold), one.boxed)
        left = one.x - {"l": 0, "m": 0.5, "r": 1}[one.align] * wide
        yield left, left + wide


TABLES = {
    "1889": lambda: samples.table(6),
    "1860": lambda: boards.views(boards.wight())[2],
    "1888": lambda: boards.views(boards.china())[2],
    "1890": lambda: boards.views(boards.osaka())[2],
}


@pytest.mark.parametrize("title", TABLES)
def test_figures_of_the_table_card_are_large_enough_for_a_phone(title: str) -> None:
    words = laid_out(table_card(TABLES[title]())).words
    assert all(one.size >= LEGIBLE for one in words if any(map(str.isdigit, one.text)))
    assert all(left >= 0 and right <= WIDTH for left, right in ends(words))


def test_companies_of_which_nothing_is_left_share_a_line_with_those_not_started() -> None:
    view = TABLES["1890"]()
    minors = {"M1", "M2"}
    companies = tuple(
        replace(row, states=("closed",), president=None, trains=(), last_run=90) if row.company.id in minors else row
        for row in view.companies
    )
    made = table_card(replace(view, companies=companies)).sections
    assert not minors & {row.token for section in made for row in section.rows}
    facts = [fact for section in made for row in section.rows for fact in row.facts]
    assert next(fact.said for fact in facts if fact.label == "closed") == "closed: Sanyo, M1, M2"


def test_nobody_has_the_priority_deal_once_the_game_is_over() -> None:
    view = samples.table(6)
    assert "priority deal" in spoken(table_card(view))
    assert "priority deal" not in spoken(table_card(replace(view, finished=True)))


def test_a_price_is_told_of_what_is_for_sale_now() -> None:
    rows = {row.id: row for row in samples.table(6).privates}
    said = spoken(table_card(replace(samples.table(6), players=(), companies=())))
    assert f"for sale for ¥{rows[PrivateId('E')].price}" in said
    assert said.count("for sale") == 1
    assert said.count(", unsold") == 1
    assert "owner unsold" not in said


def test_the_table_card_is_read_out_with_whole_names_per_cents_and_words_for_signs() -> None:
    said = spoken(table_card(replace(TABLES["1890"](), privates=(), depot=())))
    assert "Hankyu" in said
    assert "Hank " not in said
    assert "secret" in said
    assert "•" not in said
    closed = replace(TABLES["1890"]().companies[0], president=None, states=("closed",))
    said = spoken(table_card(replace(TABLES["1890"](), players=(), companies=(closed,))))
    assert f"Companies: {closed.company.id}, closed, " in said
    assert "bold" not in spoken(table_card(replace(samples.table(6), players=(), companies=(), privates=())))


@pytest.mark.parametrize(
    ("ran", "paid", "told"),
    [(50, 0, "ran for ¥50, kept"), (50, 5, "ran for ¥50, ¥5 a share"), (50, None, "ran for ¥50"), (0, 0, "ran for ¥0")],
)
def test_what_became_of_a_run_is_told_after_it_once_it_is_decided(ran: int, paid: int | None, told: str) -> None:
    row = replace(samples.table(6).companies[0], last_run=ran, last_paid=paid, has_shares=True)
    card = table_card(replace(samples.table(6), players=(), companies=(row,), privates=(), depot=()))
    assert f"{told}. Trains" in spoken(card)


def test_rows_read_out_end_in_no_stop_before_the_next_one() -> None:
    rows = tuple(CardRow(note=note) for note in ("The company is Kinki.", "It came with M2."))
    assert spoken(Card("Par", "", (Section(rows),), ())) == "Par. The company is Kinki; It came with M2."


def forget_fonts() -> None:
    """Have the next text look for the fonts again."""
    kept = (text._sources, text._font, text._missing, text._source_of, text._clean_char, text.clean, text._runs)
    for function in (*kept, text.width, text.ink, text._advance):
        function.cache_clear()
    text._MASKS.clear()


@pytest.mark.long
def test_without_the_packages_of_fonts_pillows_own_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "packaged_fonts", lambda: iter(()))
    forget_fonts()
    forget()
    try:
        assert text.clean("¥5 → 10") == "Y5 > 10"
        assert text.clean("高松") == "?"
        for picture in (
            renderer.map_picture(samples.middle()),
            renderer.market_picture(samples.market_crowd()),
            renderer.table_picture(samples.table()),
        ):
            assert len(picture.png) > 10_000
    finally:
        forget_fonts()
        forget()


@pytest.mark.parametrize(
    "written",
    ["¥5 £3 → ← ↑ ↓ 香川 长城 煤矿 서울", "Łukasz Źdźbło", "Őrs Şimşek", "Віталій", "Ελένη", "Nguyễn"],
)
def test_money_and_names_from_around_the_world_are_drawn(written: str) -> None:
    assert text.clean(written) == written


@pytest.mark.parametrize(("written", "drawn"), [("𝓙𝓸𝓱𝓷", "John"), ("ꜰʀᴇᴅ ✨", "FRED"), ("Åsa ᴙ", "Åsa ?")])
def test_ornamental_letters_are_drawn_as_those_they_stand_for(written: str, drawn: str) -> None:
    assert text.clean(written) == drawn


def test_a_count_is_as_narrow_as_other_words() -> None:
    assert text.width("×3", 30) < 2.5 * text.width("3", 30)


def test_figures_are_tabular() -> None:
    assert len({text.width(figure, 30) for figure in "0123456789"}) == 1
    assert len({text.width(figure, 30, True) for figure in "0123456789"}) == 1


def test_letters_keep_their_size() -> None:
    """At 1,600 what is read first has letters of 26 pixels or more, all else of 15."""
    radius = 84
    assert round(hex_plan.VALUE * radius) >= 26
    assert min(round(size * radius) for size in (hex_plan.COORDINATE, hex_plan.NAME, hex_plan.NUMBER)) >= theme.SMALL


@pytest.mark.long
def test_glow_marks_the_hexes_asked_for() -> None:
    board = samples.start()
    plain = opened(renderer.map_picture(board, glow=()))
    lit = opened(renderer.map_picture(board, glow=(HexId("E8"),)))
    changed = ImageChops.difference(plain, lit).getbbox()
    assert changed is not None
    assert changed[2] - changed[0] < 250
    assert changed[3] - changed[1] < 250


@pytest.mark.second
@pytest.mark.parametrize("radius", [60, 120, 240])
def test_a_strip_of_a_hex_is_that_part_of_the_whole(radius: int) -> None:
    board = samples.middle()
    look = hex_plan.HexLook(board.layout, radius, texts=False, coordinate=False, number=False)
    for view in [one for one in board.hexes if one.stops or one.track][:10]:
        for at in ((-0.6 * radius, radius), (radius, 2.5 * radius), (0.5 * radius, -0.3 * radius)):
            whole, strip = (Image.new("RGB", (2 * radius, 2 * radius)) for _ in range(2))
            tiles.lay_ground(whole, view, look, at)
            tiles.lay_top(whole, view, look, board.companies, at)
            tiles.lay_strip(strip, view, look, board.companies, at)
            assert differing(strip.reduce(3), whole.reduce(3))[0] <= SHARE  # Pillow rounds lines that begin outside


@pytest.mark.long
def test_the_glow_covers_no_words_of_the_hexes_around() -> None:
    board = samples.start()
    plain, lit = (opened(renderer.map_picture(board, glow=glow)).convert("L") for glow in ((), (HexId("E6"),)))
    assert not [a for a, b in zip(plain.tobytes(), lit.tobytes(), strict=True) if a < 100 and b > 110]


@pytest.mark.parametrize(("title", "here"), [("1860", "blue"), ("1889", "red")])
def test_the_legend_shows_off_board_areas_in_their_own_colour(title: str, here: str) -> None:
    t = engine.build(title, 3)
    sheet = draw_signs(board_view(t, engine.start(t, ("a", "b", "c"))), 1600, palette_for(()))
    pixels = sheet.numbers.histogram()
    areas = {name: pixels[sheet.number(theme.HEX_FILL[name])] for name in ("blue", "red")}
    assert [name for name, area in areas.items() if area > 500] == [here]


def test_a_title_that_finds_no_room_leaves_out_its_subtitle(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[tuple[str, int]] = []
    monkeypatch.setattr(strips.text, "draw", lambda image, x, y, words, size, *rest, **more: said.append((words, size)))
    for round_name in ("Market", "Operating round 5.2 (of 2)"):
        strips.draw_title("1860: Railways on the Isle of Wight", round_name, "5", 1600)
    whole, short = (one for one in said if one[0].startswith("1860"))
    assert whole[0] == "1860: Railways on the Isle of Wight"
    assert short[0] == "1860"
    assert min(whole[1], short[1]) >= theme.PHONE_FIGURE * 1.6 - 1


@pytest.mark.second
def test_last_change_glows_by_default() -> None:
    board = samples.start()
    assert (
        renderer.map_picture(replace(board, changed=(HexId("E8"),))).png
        == renderer.map_picture(board, glow=(HexId("E8"),)).png
    )


@pytest.mark.second
def test_hexes_to_choose_from_are_not_read_out_as_changed() -> None:
    board = replace(samples.start(), changed=(HexId("E8"),))
    assert "Changed last: E8" in renderer.map_picture(board).alt
    assert "Marked: E8" in renderer.map_picture(board, glow=(HexId("E8"),)).alt
    many = tuple(cell.id for cell in board.hexes[:11])
    assert renderer.map_picture(board, glow=many).alt.endswith(" and 3 more.")


@pytest.mark.long
def test_a_part_of_the_map_names_only_those_marked_hexes_that_it_shows() -> None:
    marked = HexId("A8"), HexId("E2")
    assert "Marked: E2" in renderer.map_picture(samples.start(), focus=marked[1:], glow=marked).alt


@pytest.mark.second
def test_a_tile_is_named_once_for_all_its_rotations() -> None:
    picture = samples.tile_choices(samples.middle(), "E2", [("448", 0), ("448", 1), ("15", 0)])
    assert "tile 448: 1 joining J9-L9; 2 joining J9-L9; tile 15: 3 joining" in picture.alt


@pytest.mark.second
def test_unknown_hexes_are_left_out() -> None:
    assert renderer.map_picture(samples.start(), focus=("Z99",)).width == 1600


@pytest.mark.long
def test_drawing_is_safe_in_threads() -> None:
    views = [samples.start(), samples.middle()]
    alone = [renderer.map_picture(view, width=700).png for view in views]
    forget()
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda i: renderer.map_picture(views[i % 2], width=700).png, range(8)))
    assert all(png == alone[i % 2] for i, png in enumerate(drawn))


@pytest.mark.long
def test_crop_keeps_its_proportions() -> None:
    for focus in (("A8",), ("A8", "L7"), ("K4",)):
        picture = renderer.map_picture(samples.middle(), focus=tuple(HexId(h) for h in focus))
        assert 0.4 < picture.height / picture.width < 1.15


@pytest.mark.parametrize("width", [350, 800, 2400])
@pytest.mark.long
def test_other_widths_work(width: int) -> None:
    picture = renderer.map_picture(samples.middle(), width=width)
    assert Image.open(io.BytesIO(picture.png)).width == width
    assert len(picture.png) < 2 * 1024 * 1024


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
@pytest.mark.long
def test_tables_of_every_size(players: int) -> None:
    picture = renderer.table_picture(samples.table(players))
    assert picture.height > 900


def test_companies_that_left_the_same_cell_stand_there_in_their_order() -> None:
    view = samples.market({}, moved=[("AR", (0, 3)), ("IR", (0, 3)), ("SR", (0, 4))])
    assert market._ghosts(view) == {(0, 3): ["AR", "IR"], (0, 4): ["SR"]}


def test_a_company_that_still_stands_in_the_cell_that_it_left_has_no_ghost_beside_it() -> None:
    view = samples.market({(0, 3): ["AR"]}, moved=[("AR", (0, 3)), ("IR", (0, 3))])
    assert market._ghosts(view) == {(0, 3): ["IR"]}


@pytest.mark.long
def test_the_extra_tiles_of_a_beginners_game_online_are_drawn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    title = engine.build("1889", 3, ["beginner", "online"])
    view = board_view(title, engine.start(title, ["Ann", "Ben", "Cem"]))
    words: list[str] = []
    monkeypatch.setattr(text, "draw", lambda image, x, y, said, size, fill, **more: words.append(said))
    forget()
    picture = samples.tile_choices(view, "K8", [("Beg6", 0), ("6", 0)])
    assert picture.alt == (
        "2 choices for K8 Tokushima, Shikoku 1889; tile 6: 1 joining J9-L9; tile 6: 2 joining J9-L9."
    )
    assert [said for said in words if said in ("1", "2", "6")] == ["1", "6", "2", "6"]
    words.clear()
    renderer.tiles_left_picture(view)
    assert words.count("6") == 2


def test_tokens_stand_on_a_tile_to_choose_where_they_come_to_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    title = engine.build("1888", 3)
    state = engine.start(title, ["Ann", "Ben", "Cem"])
    state.board = state.board.with_token(HexId("C9"), 0, CorpId("JZR")).with_token(HexId("C9"), 1, CorpId("JHR"))
    choices = [(TileId("L42"), turns) for turns in (0, 4)]
    drawn: list[list[tuple[CorpId | None, ...]]] = []
    monkeypatch.setattr(
        tile_choices, "_draw_choice", lambda panel, view, one: drawn.append([stop.slots for stop in one.stops])
    )
    forget()
    stops = [laid_stops(title, state, HexId("C9"), *one) for one in choices]
    renderer.tile_choices_picture(board_view(title, state), HexId("C9"), choices, stops, ["C7", "C7"])
    assert drawn == [[("JZR",), (None,), (None,), ("JHR",)], [("JHR",), ("JZR",), (None,), (None,)]]


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_the_ring_around_the_end_of_a_route_is_whole(layout: Layout) -> None:
    """Also around a city at the very side of its hex."""
    stop = StopView("city", 20, slots=(None,), at="3")
    view = replace(samples.plain_hex(TILES[TileId("57")], TileId("57")), id=HexId("A1"), stops=(stop,), track=((3, 6),))
    ends = tuple((StopId("A1.0"), 20) for _ in range(2))
    (_, drawn), *_ = routes.overlays({view.id: view}, [RouteView(Rank("2"), ends, (), 20)] * 3, layout, 60)
    left, top, right, bottom = drawn.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert 0 < left < right < drawn.width
    assert 0 < top < bottom < drawn.height


def test_what_trains_earn_is_written_like_all_money() -> None:
    board, (route, *_) = samples.routes()
    run = (replace(route, value=1240), replace(route, value=80))
    assert "5 for ¥1,240, 5 for ¥80, together ¥1,320" in renderer.map_picture(board, routes=run).alt
    assert routes.earned(board, 1240, 1000) == "¥1,240 + ¥1,000"
