"""The market: cells with price, zone, par and arrows, and the companies' tokens in operating order."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.ids import CorpId
from engine.views import MarketView, PriceCellView
from renderer import text
from renderer.geometry import Point
from renderer.pen import Pen
from renderer.png import Picture, finished, remembered
from renderer.strips import draw_title
from renderer.theme import (
    CELL,
    CELL_LINE,
    GLOW,
    INK,
    PAPER,
    PAR_FRAME,
    SOFT_INK,
    WHITE,
    ZONE_BY_NAME,
    ZONE_TINTS,
    Rgb,
    mix,
)
from renderer.tokens import centre_on, company_token

Cell = tuple[int, int]
"""Row and column in the view."""
Box = tuple[int, int, int, int]

_BAND = 14
"""Columns per row of a two-tier market; the list continues below."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    unit: float
    cell: int
    price: int
    token: int
    small: int
    edge: int


@remembered
def market_picture(view: MarketView, *, width: int = 1400) -> Picture:
    """The market, `width` pixels wide. Rows with crowded cells are taller, so that every token is fully visible."""
    return finished(draw_market(view, width), _alt(view), (company.colour for company in view.companies))


def draw_market(view: MarketView, width: int, *, legend: bool = True) -> Image.Image:
    """The market as an RGB image; without the legend also without its heading."""
    sizes, ghosts = _sizes(view, width), _ghosts(view)
    edge, top = sizes.edge, sizes.edge
    if legend:
        head = draw_title(view.title, "Market", "", width)
        top += head.height
    boxes, bottom = _boxes(view, sizes, ghosts, top)
    spot, high = None, bottom + edge
    if legend:
        signs = _legend(view, sizes, 1)
        spot = _free_spot(boxes, signs.size, width - edge, bottom)
        signs = signs if spot else _legend(view, sizes, 2)
        high += 0 if spot else signs.height + edge // 2
    image = Image.new("RGB", (width, high), PAPER)
    for cell_at, box in boxes.items():
        _draw_cell(image, view, _cell_of(view, cell_at), box, sizes)
    _outline(image, view, boxes, sizes)
    _draw_moves(image, view, boxes, ghosts, sizes)
    for cell_at, box in boxes.items():
        _write_cell(image, _cell_of(view, cell_at), box, sizes)
    if legend:
        image.paste(head, (0, 0))
        image.paste(signs, spot or (edge, bottom + edge // 2))
    _draw_tokens(image, view, boxes, ghosts, sizes)
    return image


def market_height(view: MarketView, width: int) -> int:
    """How tall the market without its legend is at this width."""
    sizes = _sizes(view, width)
    return _boxes(view, sizes, _ghosts(view), sizes.edge)[1] + sizes.edge


def _sizes(view: MarketView, width: int) -> _Sizes:
    columns = _BAND + 0.5 if view.tiers else max(len(row) for row in view.rows)
    unit = width / 1400
    edge = round(22 * unit)
    cell = int((width - 2 * edge) / columns)
    # Two tokens fit side by side in a cell.
    price = max(15, min(round(27 * unit), int(cell * 0.36)))
    return _Sizes(unit, cell, price, int(cell * 0.235), max(15, round(16 * unit)), edge)


def _ghosts(view: MarketView) -> dict[Cell, list[CorpId]]:
    ghosts: dict[Cell, list[CorpId]] = defaultdict(list)
    for corp, came_from in view.moved:
        ghosts[came_from].append(corp)
    return ghosts


def _cell_of(view: MarketView, at: Cell) -> PriceCellView:
    cell = view.rows[at[0]][at[1]]
    assert cell is not None
    return cell


def _boxes(view: MarketView, sizes: _Sizes, ghosts: dict[Cell, list[CorpId]], top: int) -> tuple[dict[Cell, Box], int]:
    """Where each cell is drawn, and the bottom edge of the lowest."""
    boxes: dict[Cell, Box] = {}
    y = top
    for number, line in enumerate(_lines(view)):
        if view.tiers and number and number % 2 == 0:
            y += sizes.edge
        high = max((_height(view, at, sizes, ghosts) for at, _ in line), default=0)
        for at, column in line:
            left = sizes.edge + round(column * sizes.cell)
            boxes[at] = (left, y, left + sizes.cell, y + high)
        y += high
    return boxes, y


def _lines(view: MarketView) -> list[list[tuple[Cell, float]]]:
    """Cells line by line from the top, each with its position in cells. Two tiers are offset like bricks."""
    if not view.tiers:
        return [
            [((r, c), float(c)) for c, cell in enumerate(row) if cell is not None] for r, row in enumerate(view.rows)
        ]
    cells = range(len(view.rows[0]))
    return [
        [((0, c), c // 2 - start + 0.5 * tier) for c in cells if c % 2 == tier and start <= c // 2 < start + _BAND]
        for start in range(0, (len(cells) + 1) // 2, _BAND)
        for tier in (0, 1)
    ]


def _height(view: MarketView, at: Cell, sizes: _Sizes, ghosts: dict[Cell, list[CorpId]]) -> int:
    cell = _cell_of(view, at)
    rows = max(1, math.ceil((len(cell.tokens) + len(ghosts.get(at, ()))) / 2))
    pars = sizes.small * 1.2 * len(_par_lines(cell, sizes)) + (8 * sizes.unit if cell.pars else 0)
    return round(sizes.price * 1.32 + pars + rows * (2 * sizes.token + 4) + 4)


def _par_lines(cell: PriceCellView, sizes: _Sizes) -> list[str]:
    """The letters of the companies with their par in this cell, in lines that fit."""
    lines: list[str] = []
    room = sizes.cell - 16 * sizes.unit
    for corp in cell.pars:
        longer = f"{lines[-1]} {corp}" if lines else ""
        if longer and text.width(longer, sizes.small) <= room:
            lines[-1] = longer
        else:
            lines.append(text.ellipsized(corp, sizes.small, room))
    return lines


def zone_tint(view: MarketView, zone: str) -> Rgb:
    """The tint of a zone: by its name, otherwise by its place in the view's list."""
    if zone == "normal":
        return CELL
    if zone in ZONE_BY_NAME:
        return ZONE_BY_NAME[zone]
    names = [name for name, _ in view.zones]
    return ZONE_TINTS[names.index(zone) % len(ZONE_TINTS)] if zone in names else ZONE_TINTS[-1]


def zone_mark(view: MarketView, zone: str) -> int:
    """A zone's pattern: 0 none, 1 slanting lines, 2 dots, 3 crossed lines, 4 vertical lines, 5 horizontal lines."""
    names = [name for name, _ in view.zones if name != "normal"]
    if zone == "normal":
        return 0
    return names.index(zone) % 5 + 1 if zone in names else 5


@lru_cache(maxsize=128)
def _ground(tint: Rgb, mark: int, wide: int, high: int) -> Image.Image:
    """A cell's background with its zone's pattern."""
    pen = Pen(10, (wide / 20, high / 20))
    w, h = wide / 20, high / 20
    pen.polygon([(-w - 1, -h - 1), (w + 1, -h - 1), (w + 1, h + 1), (-w - 1, h + 1)], tint)
    line = mix(tint, INK, 0.2)
    step = 1.2
    count = math.ceil((w + h) / step) + 1
    for i in range(-count, count + 1):
        x = i * step
        if mark in (1, 3):
            pen.line([(x - h, h), (x + h, -h)], 0.13, line)
        if mark == 3:
            pen.line([(x - h, -h), (x + h, h)], 0.13, line)
        if mark == 4:
            pen.line([(x, -h), (x, h)], 0.13, line)
        if mark == 5:
            pen.line([(-w, x), (w, x)], 0.13, line)
        if mark == 2:
            for j in range(-count, count + 1):
                pen.disc((x + (j % 2) * step / 2, j * step * 0.7), 0.17, line)
    return pen.finished().crop((0, 0, wide, high)).convert("RGB")


@lru_cache(maxsize=64)
def _arrow(way: str, size: int) -> Image.Image:
    pen = Pen(size / 2, (1, 1))
    sign = 1 if way == "up" else -1
    pen.line([(0, 0.85 * sign), (0, -0.1 * sign)], 0.34, SOFT_INK)
    pen.polygon([(-0.62, 0.0), (0.62, 0.0), (0, -0.95 * sign)], SOFT_INK)
    return pen.finished()


def _draw_cell(image: Image.Image, view: MarketView, cell: PriceCellView, box: Box, sizes: _Sizes) -> None:
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    image.paste(_ground(zone_tint(view, cell.zone), zone_mark(view, cell.zone), wide, high), (left, top))
    pen = ImageDraw.Draw(image)
    pen.rectangle((left, top, right, bottom), outline=CELL_LINE)
    if cell.par:
        thick = max(2, round(4 * sizes.unit))
        pen.rectangle((left + 2, top + 2, right - 2, bottom - 2), outline=PAR_FRAME, width=thick)


def _write_cell(image: Image.Image, cell: PriceCellView, box: Box, sizes: _Sizes) -> None:
    left, top, right, _ = box
    inset = round(10 * sizes.unit)
    middle = top + inset + sizes.price * 0.36 + 2 * sizes.unit
    room = right - left - 2 * inset
    if cell.arrow in ("up", "down"):
        arrow = _arrow(cell.arrow, max(12, round(20 * sizes.unit)))
        centre_on(image, arrow, (right - inset - arrow.width / 2 + 6, middle))
        room -= arrow.width - 8
    words, size = text.fitted(str(cell.price), sizes.price, room, bold=True, floor=13)
    text.draw(image, left + inset, middle, words, size, INK, bold=True, align="l")
    for i, words in enumerate(_par_lines(cell, sizes)):
        y = top + sizes.price * 1.36 + sizes.small * (0.5 + 1.2 * i)
        text.draw(image, left + inset, y, words, sizes.small, PAR_FRAME, align="l")


def _outline(image: Image.Image, view: MarketView, boxes: dict[Cell, Box], sizes: _Sizes) -> None:
    """A thick edge where the market ends: no token crosses it."""
    pen = ImageDraw.Draw(image)
    thick = max(3, round(5 * sizes.unit))
    if view.tiers:
        return
    for (row, column), (left, top, right, bottom) in boxes.items():
        for other, line in (
            ((row, column - 1), (left, top, left, bottom)),
            ((row, column + 1), (right, top, right, bottom)),
            ((row - 1, column), (left, top, right, top)),
            ((row + 1, column), (left, bottom, right, bottom)),
        ):
            if other not in boxes:
                pen.line(line, fill=SOFT_INK, width=thick)


def _draw_tokens(
    image: Image.Image, view: MarketView, boxes: dict[Cell, Box], ghosts: dict[Cell, list[CorpId]], sizes: _Sizes
) -> None:
    known = {company.id: company for company in view.companies}
    moved = {corp for corp, _ in view.moved}
    for at, box in boxes.items():
        cell = _cell_of(view, at)
        standing = [(corp, False) for corp in cell.tokens if corp in known]
        standing += [(corp, True) for corp in ghosts.get(at, ()) if corp in known]
        for (corp, ghost), spot in zip(standing, _spots(box, len(standing), sizes), strict=True):
            sprite = company_token(known[corp], view.companies, sizes.token, ghost=ghost)
            if not ghost and corp in moved:
                pen = Pen(sizes.token, (1.3, 1.3))
                pen.disc((0, 0), 1.24, (*GLOW, 255))
                pen.disc((0, 0), 1.1, WHITE)
                centre_on(image, pen.finished(), spot)
            centre_on(image, sprite, spot)
        if len(cell.tokens) > 1:
            spots = _spots(box, len(standing), sizes)
            for i in range(len(cell.tokens)):
                _draw_badge(image, spots[i], i + 1, sizes)


def _draw_moves(
    image: Image.Image, view: MarketView, boxes: dict[Cell, Box], ghosts: dict[Cell, list[CorpId]], sizes: _Sizes
) -> None:
    """Draw arrows from where tokens were, below the prices and tokens."""
    known = {company.id for company in view.companies}
    now: dict[CorpId, Point] = {}
    before: dict[CorpId, Point] = {}
    for at, box in boxes.items():
        here = [corp for corp in _cell_of(view, at).tokens if corp in known]
        left = [corp for corp in ghosts.get(at, ()) if corp in known]
        spots = _spots(box, len(here) + len(left), sizes)
        now.update(zip(here, spots, strict=False))
        before.update(zip(left, spots[len(here) :], strict=True))
    for corp, start in before.items():
        if corp in now and math.dist(start, now[corp]) > 2.6 * sizes.token:
            _draw_move(image, start, now[corp], sizes.token)


def _spots(box: Box, count: int, sizes: _Sizes) -> list[Point]:
    """The centres of the tokens in a cell, in reading order."""
    left, _, right, bottom = box
    step = 2 * sizes.token + 3
    rows = math.ceil(count / 2)
    first = bottom - 5 - (rows - 0.5) * (step + 1)
    if count == 1:
        return [((left + right) / 2, bottom - 5 - (step + 1) / 2)]
    return [((left + right) / 2 + (i % 2 - 0.5) * step, first + (i // 2) * (step + 1)) for i in range(count)]


def _draw_badge(image: Image.Image, spot: Point, number: int, sizes: _Sizes) -> None:
    """Draw a token's position in its stack."""
    size = max(7, round(9 * sizes.unit))
    pen = Pen(size, (1.1, 1.1))
    pen.disc((0, 0), 1.08, WHITE)
    pen.disc((0, 0), 0.95, INK)
    at = (spot[0] - sizes.token * 0.80, spot[1] - sizes.token * 0.80)
    centre_on(image, pen.finished(), at)
    text.draw(image, *at, str(number), max(13, round(15 * sizes.unit)), WHITE, bold=True)


def _draw_move(image: Image.Image, start: Point, end: Point, radius: int) -> None:
    """Draw an arrow from where a token was to where it is."""
    distance = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    a = (start[0] + ux * radius, start[1] + uy * radius)
    b = (end[0] - ux * radius * 1.3, end[1] - uy * radius * 1.3)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    pen = Pen(1, (abs(b[0] - a[0]) / 2 + 14, abs(b[1] - a[1]) / 2 + 14))
    a, b = (a[0] - middle[0], a[1] - middle[1]), (b[0] - middle[0], b[1] - middle[1])
    neck = (b[0] - ux * 13, b[1] - uy * 13)
    for extra, fill in ((3.0, WHITE), (0.0, GLOW)):
        pen.line([a, neck], 5 + extra, fill)
        wing = 9 + extra
        pen.polygon(
            [
                (b[0] + ux * extra, b[1] + uy * extra),
                (neck[0] - uy * wing - ux * extra / 2, neck[1] + ux * wing - uy * extra / 2),
                (neck[0] + uy * wing - ux * extra / 2, neck[1] - ux * wing - uy * extra / 2),
            ],
            fill,
        )
    centre_on(image, pen.finished(), middle)


def _legend(view: MarketView, sizes: _Sizes, columns: int) -> Image.Image:
    """The meaning of the symbols in use, in this many columns."""
    cells = [cell for row in view.rows for cell in row if cell is not None]
    size = max(15, round(19 * sizes.unit))
    swatch = (round(size * 2.3), round(size * 1.35))
    rows: list[tuple[str, str]] = []
    for name, meaning in view.zones:
        if any(cell.zone == name for cell in cells):
            rows.append((name, meaning))
    if any(cell.par for cell in cells):
        rows.append(("+par", "par price"))
    if view.tiers:
        rows.append(("+tiers", "prices alternate between the tiers"))
    if any(cell.arrow for cell in cells):
        rows.append(("+arrow", "at the end of a row: up or down"))
    if any(len(cell.tokens) > 1 for cell in cells):
        rows.append(("+stack", "order in a cell: 1 operates first"))
    if view.moved:
        rows.append(("+moved", "was here before the last move"))
    room = round(560 * sizes.unit)
    entries = [(sign, text.ellipsized(words, size, room)) for sign, words in rows]
    widest = max((text.width(words, size) for _, words in entries), default=0)
    wide = swatch[0] + round(size * 0.8) + math.ceil(widest) + 4
    step = round(size * 1.75)
    gap = round(size * 2.5)
    lines = max(1, -(-len(entries) // columns))
    image = Image.new("RGB", (columns * wide + (columns - 1) * gap, step * lines), PAPER)
    for i, (sign, words) in enumerate(entries):
        left, y = i // lines * (wide + gap), i % lines * step + step // 2
        box = (left, y - swatch[1] // 2, left + swatch[0], y + swatch[1] // 2)
        _legend_sign(image, view, sign, box, sizes)
        text.draw(image, left + swatch[0] + size * 0.8, y, words, size, INK, align="l")
    return image


def _legend_sign(image: Image.Image, view: MarketView, sign: str, box: Box, sizes: _Sizes) -> None:
    left, top, right, bottom = box
    pen = ImageDraw.Draw(image)
    middle = ((left + right) / 2, (top + bottom) / 2)
    if not sign.startswith("+"):
        image.paste(_ground(zone_tint(view, sign), zone_mark(view, sign), right - left, bottom - top), (left, top))
        pen.rectangle((left, top, right - 1, bottom - 1), outline=CELL_LINE)
    elif sign == "+par":
        pen.rectangle(
            (left, top, right - 1, bottom - 1), outline=PAR_FRAME, width=max(2, round(4 * sizes.unit)), fill=CELL
        )
    elif sign == "+arrow":
        for i, way in enumerate(("up", "down")):
            centre_on(
                image,
                _arrow(way, max(12, round(20 * sizes.unit))),
                (middle[0] + (i - 0.5) * 20 * sizes.unit, middle[1]),
            )
    elif sign == "+tiers":
        half = (right - left) // 2
        for x, y in ((left, top), (left + half // 2, int(middle[1]))):
            pen.rectangle((x, y, x + half, y + (bottom - top) // 2), outline=SOFT_INK, fill=CELL)
    elif sign == "+stack":
        offset = (middle[0] + sizes.token * 0.80, middle[1] + sizes.token * 0.80)
        _draw_badge(image, offset, 1, sizes)
    elif sign == "+moved" and view.companies:
        moved = view.moved[0][0]
        company = next((c for c in view.companies if c.id == moved), view.companies[0])
        centre_on(image, company_token(company, view.companies, (bottom - top) / 2, ghost=True), middle)


def _free_spot(boxes: dict[Cell, Box], size: tuple[int, int], right: int, bottom: int) -> tuple[int, int] | None:
    """The left and top of a place for the legend in the market's empty lower right part, if it fits."""
    wide, high = size
    left, top = right - wide, bottom - high
    pad = 14
    for box_left, box_top, box_right, box_bottom in boxes.values():
        if box_right > left - pad and box_left < right and box_bottom > top - pad and box_top < bottom:
            return None
    return left, top


def _alt(view: MarketView) -> str:
    standing = [
        f"{corp} {view.currency.format(cell.price)}"
        for cell in sorted((c for row in view.rows for c in row if c is not None and c.tokens), key=lambda c: -c.price)
        for corp in cell.tokens
    ]
    moved: Sequence[str] = [corp for corp, _ in view.moved]
    first = f"Market of {view.title}: {', '.join(standing) if standing else 'no company has a price yet'}."
    return text.clean(first + (f" Moved last: {', '.join(moved)}." if moved else ""))[:1000]
