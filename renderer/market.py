"""The market: cells with price, zone, par and arrows, the companies' tokens, and a list of their prices.

Made for the phone, where a picture is 350 pixels wide: a column has just room for three digits 9 pixels high, so tokens
stand one below the other, and all else that is told of a company is in the list.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.ids import CorpId
from engine.views import CompanyView, MarketView, PriceCellView
from renderer import text, theme
from renderer.geometry import Point
from renderer.palette import Palette
from renderer.pen import Box, Pen
from renderer.png import Picture, finished, palette_for
from renderer.sheet import Sheet, kept
from renderer.strips import draw_title, legend
from renderer.tokens import centre_on, company_token, short_letters

Cell = tuple[int, int]
"""Row and column in the view."""

_BAND = 7
"""Columns per row of a two-tier market; the list continues below."""
_EDGE, _PAR_LINE, _END_LINE = 10, 4, 5
_PRICE = 34
"""Letter size of prices where columns are narrow: digits 9 pixels high at 350."""
_PRICE_LINE, _ARROW_LINE, _ARROW = 44, 26, 26
_HEAD = 13
"""Length of the head of an arrow from cell to cell."""
_LISTED = 28
"""Radius of the tokens in the list."""
_OVERLAP = 1.45
"""Distance of many tokens in a cell, in radii: each covers part of the next, but not its letters."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    cell: float
    price: int
    token: int
    """Radius."""
    abreast: int
    """How many tokens fit beside each other in a cell."""
    narrow: float
    """The share of their width that the prices keep, so that the longest fits."""


def market_picture(view: MarketView) -> Picture:
    """The market, 1,000 pixels wide. Rows with crowded cells are taller."""
    grid = _Grid(view)
    head, cells = draw_title(view.title, "Market", "", theme.PHONE_WIDTH), grid.drawn()
    beside = _beside(view, list(grid.boxes.values()), grid.bottom)
    high = max([cells.height, *(y + one.height for one, _, y in beside)]) + _EDGE
    sheet = Sheet.blank((theme.PHONE_WIDTH, head.height + high), theme.PAPER, cells.palette)
    sheet.lay(head, 0, 0)
    sheet.lay(cells, 0, head.height)
    for one, x, y in beside:
        sheet.lay(one, x, head.height + y)
    return finished(sheet, _alt(view))


def draw_market(view: MarketView, width: int) -> Image.Image:
    """The cells with what stands on them alone, as an RGB image."""
    cells = _Grid(view).drawn().rgb()
    return cells.resize((width, _scaled(cells.height, width)), Image.Resampling.LANCZOS)


def market_height(view: MarketView, width: int) -> int:
    """How tall the cells are at this width."""
    return _scaled(_Grid(view).bottom + _EDGE, width)


def _scaled(height: int, width: int) -> int:
    return round(height * width / theme.PHONE_WIDTH)


def _ghosts(view: MarketView) -> dict[Cell, list[CorpId]]:
    ghosts: dict[Cell, list[CorpId]] = defaultdict(list)
    for corp, came_from in view.moved:
        if corp not in _cell_of(view, came_from).tokens:
            ghosts[came_from].append(corp)
    return ghosts


class _Grid:
    """Where the cells of a market are drawn, with the tokens on them and the ghosts of those that were there."""

    def __init__(self, view: MarketView) -> None:
        self.view, self.sizes, self.ghosts = view, _sizes(view), _ghosts(view)
        self.known = {company.id: company for company in view.companies}
        self.boxes: dict[Cell, Box] = {}
        self.bottom = _EDGE
        """The bottom edge of the lowest cell."""
        for number, line in enumerate(_lines(view)):
            if view.tiers and number and number % 2 == 0:
                self.bottom += 2 * _EDGE
            high = max((self._height(at) for at, _ in line), default=0)
            for at, column in line:
                left, right = (round(_EDGE + one * self.sizes.cell) for one in (column, column + 1))
                self.boxes[at] = (left, self.bottom, right, self.bottom + high)
            self.bottom += high

    def _height(self, at: Cell) -> int:
        cell = _cell_of(self.view, at)
        down = _downs(len(cell.tokens) + len(self.ghosts.get(at, ())), self.sizes)
        tokens = down[-1] + 2 * self.sizes.token + 8 if down else 0
        return _PRICE_LINE + max(tokens + (_ARROW_LINE if cell.arrow and tokens else 0), _ARROW_LINE)

    def drawn(self) -> Sheet:
        """The cells with all that stands on them."""
        sheet = Sheet.blank((theme.PHONE_WIDTH, self.bottom + _EDGE), theme.PAPER, _palette(self.view))
        for cell_at, box in self.boxes.items():
            _draw_cell(sheet, self.view, _cell_of(self.view, cell_at), box)
        if not self.view.tiers:
            _outline(sheet, self.boxes)
        self._draw_moves(sheet)
        for cell_at, box in self.boxes.items():
            self._write_cell(sheet, cell_at, box)
        self._draw_tokens(sheet)
        return sheet

    def _standing(self) -> Iterator[tuple[CorpId, bool, Point]]:
        """Every token on the market, with its place, and whether it is only the ghost of one that was there."""
        for at, box in self.boxes.items():
            here = [(corp, False) for corp in _cell_of(self.view, at).tokens if corp in self.known]
            here += [(corp, True) for corp in self.ghosts.get(at, ()) if corp in self.known]
            for (corp, ghost), spot in zip(here, _spots(box, len(here), self.sizes), strict=True):
                yield corp, ghost, spot

    def _draw_tokens(self, sheet: Sheet) -> None:
        moved, size = {corp for corp, _ in self.view.moved}, self.sizes.token
        # The first of a stack is drawn last: it lies on top.
        for corp, ghost, spot in reversed(list(self._standing())):
            if not ghost and corp in moved:
                _draw_ring(sheet, spot, size)
            centre_on(sheet, company_token(self.known[corp], self.view.companies, size, ghost=ghost), spot)

    def _draw_moves(self, sheet: Sheet) -> None:
        """Draw arrows from where tokens were, below the prices and tokens."""
        placed = list(self._standing())
        now = {corp: spot for corp, ghost, spot in placed if not ghost}
        for corp, ghost, start in placed:
            if ghost and corp in now and math.dist(start, now[corp]) > 2.6 * self.sizes.token:
                _draw_move(sheet, start, now[corp], self.sizes.token)

    def _write_cell(self, sheet: Sheet, at: Cell, box: Box) -> None:
        left, top, right, bottom = box
        cell, middle = _cell_of(self.view, at), (left + right) / 2
        if cell.arrow in ("up", "down"):
            crowded = cell.tokens or self.ghosts.get(at)
            y = bottom - _ARROW_LINE / 2 - 2 if crowded else top + _PRICE_LINE + _ARROW_LINE / 2 - 3
            centre_on(sheet, _arrow(cell.arrow), (middle, y))
        here = sheet.numbers.crop((left, top, right, top + _PRICE_LINE)).histogram()
        halo = zone_tint(self.view, cell.zone) if here[sheet.number(theme.GLOW)] else None  # an arrow runs through it
        text.draw(
            sheet, middle, top + _PRICE_LINE / 2 + 1, str(cell.price), self.sizes.price, theme.INK,
            bold=True, halo=halo, narrow=self.sizes.narrow,
        )  # fmt: skip


def _palette(view: MarketView) -> Palette:
    return palette_for(company.colour for company in view.companies)


def _sizes(view: MarketView) -> _Sizes:
    columns = _BAND + 0.5 if view.tiers else max(len(row) for row in view.rows)
    cell = (theme.PHONE_WIDTH - 2 * _EDGE) / columns
    abreast = 2 if cell > 4 * 26 else 1
    token = min(32, int(cell / 2 / abreast) - 2)
    price = theme.PHONE_FIGURE if abreast > 1 else _PRICE
    longest = max(text.width(str(one.price), price, bold=True) for row in view.rows for one in row if one is not None)
    return _Sizes(cell, price, token, abreast, min(1.0, (cell - 8) / longest))


def _beside(view: MarketView, taken: list[Box], bottom: int) -> list[tuple[Sheet, int, int]]:
    """The list of prices and the legend with their places: where the market leaves room, or below it."""
    placed = []
    for draw in (_prices, _legend):
        spot = None
        for room in (330, 430, 560, 700):
            block = draw(view, room, 1)
            spot = _free_spot(taken, block.size, theme.PHONE_WIDTH - _EDGE, bottom)
            if spot or block.width < room - 130:
                break
        if spot is None:
            block = draw(view, theme.PHONE_WIDTH - 4 * _EDGE, 0)
            spot = (2 * _EDGE, bottom + 2 * _EDGE)
            bottom += block.height + 2 * _EDGE
        taken.append((*spot, spot[0] + block.width, spot[1] + block.height))
        placed.append((block, *spot))
    return placed


def _cell_of(view: MarketView, at: Cell) -> PriceCellView:
    cell = view.rows[at[0]][at[1]]
    assert cell is not None
    return cell


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


def _downs(count: int, sizes: _Sizes) -> list[int]:
    """How far below the first token of a cell each stands."""
    rows = math.ceil(count / sizes.abreast)
    step = 2 * sizes.token + 3 if rows < 4 else _OVERLAP * sizes.token
    return [round(i // sizes.abreast * step) for i in range(count)]


def zone_tint(view: MarketView, zone: str) -> theme.Rgb:
    """The tint of a zone: by its name, otherwise by its place in the view's list."""
    if zone == "normal":
        return theme.CELL
    if zone in theme.ZONE_BY_NAME:
        return theme.ZONE_BY_NAME[zone]
    names = [name for name, _ in view.zones]
    return theme.ZONE_TINTS[names.index(zone) % len(theme.ZONE_TINTS)] if zone in names else theme.ZONE_TINTS[-1]


def zone_mark(view: MarketView, zone: str) -> int:
    """A zone's pattern: 0 none, 1 slanting lines, 2 dots, 3 crossed lines, 4 vertical lines, 5 horizontal lines."""
    names = [name for name, _ in view.zones if name != "normal"]
    if zone == "normal":
        return 0
    return names.index(zone) % 5 + 1 if zone in names else 5


@lru_cache(maxsize=128)
def _ground(tint: theme.Rgb, mark: int, wide: int, high: int) -> Image.Image:
    """A cell's background with its zone's pattern."""
    pen = Pen(10, (wide / 20, high / 20))
    w, h = wide / 20, high / 20
    pen.polygon([(-w - 1, -h - 1), (w + 1, -h - 1), (w + 1, h + 1), (-w - 1, h + 1)], tint)
    line = theme.mix(tint, theme.INK, 0.2)
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
def _arrow(way: str) -> Image.Image:
    pen = Pen(_ARROW / 2, (1, 1))
    sign = 1 if way == "up" else -1
    pen.line([(0, 0.85 * sign), (0, -0.1 * sign)], 0.34, theme.SOFT_INK)
    pen.polygon([(-0.62, 0.0), (0.62, 0.0), (0, -0.95 * sign)], theme.SOFT_INK)
    return pen.finished()


def _draw_cell(sheet: Sheet, view: MarketView, cell: PriceCellView, box: Box) -> None:
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    tint, mark = zone_tint(view, cell.zone), zone_mark(view, cell.zone)
    if mark:
        sheet.lay(_ground(tint, mark, wide, high), left, top)
    else:
        sheet.pen.rectangle((left, top, right, bottom), fill=sheet.number(tint))
    sheet.pen.rectangle((left, top, right, bottom), outline=sheet.number(theme.CELL_LINE))
    if cell.par:
        inner = (left + 2, top + 2, right - 2, bottom - 2)
        sheet.pen.rectangle(inner, outline=sheet.number(theme.PAR_FRAME), width=_PAR_LINE)


def _outline(sheet: Sheet, boxes: dict[Cell, Box]) -> None:
    """A thick edge where the market ends: no token crosses it."""
    edge = sheet.number(theme.SOFT_INK)
    for (row, column), (left, top, right, bottom) in boxes.items():
        for other, line in (
            ((row, column - 1), (left, top, left, bottom)),
            ((row, column + 1), (right, top, right, bottom)),
            ((row - 1, column), (left, top, right, top)),
            ((row + 1, column), (left, bottom, right, bottom)),
        ):
            if other not in boxes:
                sheet.pen.line(line, fill=edge, width=_END_LINE)


def _spots(box: Box, count: int, sizes: _Sizes) -> list[Point]:
    """The centres of the tokens in a cell, in reading order."""
    left, top, right, _ = box
    middle, first = (left + right) / 2, top + _PRICE_LINE + sizes.token + 2
    across = [0.0] if count == 1 or sizes.abreast == 1 else [-sizes.token - 1.5, sizes.token + 1.5]
    return [(middle + across[i % len(across)], first + down) for i, down in enumerate(_downs(count, sizes))]


def _draw_ring(sheet: Sheet | Image.Image, spot: Point, radius: int) -> None:
    pen = Pen(radius, (1.3, 1.3))
    pen.disc((0, 0), 1.2, (*theme.GLOW, 255))
    pen.disc((0, 0), 1.05, theme.WHITE)
    centre_on(sheet, pen.finished(), spot)


def _draw_move(sheet: Sheet, start: Point, end: Point, radius: int) -> None:
    """Draw an arrow from where a token was to where it is."""
    distance = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    a = (start[0] + ux * radius, start[1] + uy * radius)
    short = 1.3 * radius + max(0.0, uy) * _PRICE_LINE
    # Coming down, its head is seen above the price; one that is too short for that goes on below it.
    short = short if distance - radius - short > 2 * _HEAD else 1.3 * radius
    b = (end[0] - ux * short, end[1] - uy * short)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    pen = Pen(1, (abs(b[0] - a[0]) / 2 + 14, abs(b[1] - a[1]) / 2 + 14))
    a, b = (a[0] - middle[0], a[1] - middle[1]), (b[0] - middle[0], b[1] - middle[1])
    neck = (b[0] - ux * _HEAD, b[1] - uy * _HEAD)
    for extra, fill in ((3.0, theme.WHITE), (0.0, theme.GLOW)):
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
    centre_on(sheet, pen.finished(), middle)


def _prices(view: MarketView, room: int, columns: int) -> Sheet:
    """The companies in operating order with price and par, in this many columns (0: as many as fit)."""
    known = {company.id: company for company in view.companies}
    cells = {corp: cell for row in view.rows for cell in row if cell is not None for corp in cell.tokens}
    pars = {corp: cell.price for row in view.rows for cell in row if cell is not None for corp in cell.pars}
    shown = [corp for corp in view.order or cells if corp in known and corp in cells]
    if not shown:
        return Sheet.blank((1, 1), theme.PAPER, _palette(view))
    prices = [view.currency.format(cells[corp].price) for corp in shown]
    told = [f"par {view.currency.format(pars[corp])}" if corp in pars else "" for corp in shown]
    name = 2 * _LISTED + 14
    price = name + max(text.width(corp, theme.PHONE_FIGURE, bold=True) for corp in shown) + 18
    par = price + max(text.width(words, theme.PHONE_FIGURE, bold=True) for words in prices) + 18
    wide = math.ceil(par + max(text.width(words, theme.PHONE_FIGURE) for words in told)) + 2
    step, top = 2 * _LISTED + 6, round(theme.PHONE_WORDS * 1.5)
    columns = columns or max(1, (room + 40) // (wide + 40))
    each = -(-len(shown) // columns)
    sheet = Sheet.blank((columns * (wide + 40) - 40, top + each * step), theme.PAPER, _palette(view))
    text.draw(sheet, 0, theme.PHONE_WORDS * 0.7, "In operating order", theme.PHONE_WORDS, theme.SOFT_INK, align="l")
    for number, corp in enumerate(shown):
        left, y = number // each * (wide + 40), top + (number % each + 0.5) * step
        centre_on(sheet, company_token(known[corp], view.companies, _LISTED), (left + _LISTED, y))
        text.draw(sheet, left + name, y, corp, theme.PHONE_FIGURE, theme.INK, bold=True, align="l")
        text.draw(sheet, left + price, y, prices[number], theme.PHONE_FIGURE, theme.INK, bold=True, align="l")
        text.draw(sheet, left + par, y, told[number], theme.PHONE_FIGURE, theme.SOFT_INK, align="l")
    return sheet


def _legend(view: MarketView, room: int, columns: int) -> Sheet:
    """The meaning of the signs in use, in this many columns (0: as many as fit)."""
    shown, palette = signs(view), _palette(view)
    sample = _sample(view)
    token = sample and (short_letters(sample, view.companies), sample.colour, sample.index)
    key = ("zones", tuple(shown), view.zones, token, room, columns)
    return kept(
        key,
        palette,
        lambda: legend([(_sign(view, sign), said) for sign, said in shown], palette, room, theme.PHONE_WIDTH, columns),
    )


def _sample(view: MarketView) -> CompanyView | None:
    """The company whose token stands in the legend for those that moved."""
    moved = view.moved[0][0] if view.moved else None
    return next((one for one in view.companies if one.id == moved), view.companies[0]) if moved else None


def signs(view: MarketView) -> list[tuple[str, str]]:
    """The signs in use with their meaning: zones by their names, all others with a plus."""
    cells = [cell for row in view.rows for cell in row if cell is not None]
    used = [(name, meaning) for name, meaning in view.zones if any(cell.zone == name for cell in cells)]
    used += [("+par", "par price")] if any(cell.par for cell in cells) else []
    used += [("+tiers", "prices alternate between the tiers")] if view.tiers else []
    used += [("+arrow", "at the end of a row: up or down")] if any(cell.arrow for cell in cells) else []
    used += [("+moved", "moved last, and where from")] if view.moved else []
    return used


def _sign(view: MarketView, sign: str) -> Image.Image:
    wide, high = 72, 40
    image = Image.new("RGBA", (wide, high), (*theme.PAPER, 0))
    pen, middle = ImageDraw.Draw(image), (wide / 2, high / 2)
    box = (0, 0, wide - 1, high - 1)
    if not sign.startswith("+"):
        image.paste(_ground(zone_tint(view, sign), zone_mark(view, sign), wide, high), (0, 0))
        pen.rectangle(box, outline=theme.CELL_LINE)
    elif sign == "+par":
        pen.rectangle(box, outline=theme.PAR_FRAME, width=_PAR_LINE, fill=theme.CELL)
    elif sign == "+arrow":
        for i, way in enumerate(("up", "down")):
            centre_on(image, _arrow(way), (middle[0] + (i - 0.5) * _ARROW * 1.3, middle[1]))
    elif sign == "+tiers":
        for x, y in ((4, 2), (22, high // 2)):
            pen.rectangle((x, y, x + 40, y + high // 2 - 3), outline=theme.SOFT_INK, fill=theme.CELL, width=2)
    elif sign == "+moved" and (company := _sample(view)) is not None:
        _draw_ring(image, (wide - 20, middle[1]), 14)
        for x, ghost in ((wide - 20, False), (16, True)):
            centre_on(image, company_token(company, view.companies, 14, ghost=ghost), (x, middle[1]))
    return image


def _free_spot(taken: Sequence[Box], size: tuple[int, int], right: int, bottom: int) -> tuple[int, int] | None:
    """The left and top of a place in the market's empty lower right part, if the block fits there."""
    wide, high = size
    left, pad = right - wide, 14
    above = [(box[1], box[3]) for box in taken if box[2] > left - pad and box[0] < right]
    for top in range(bottom - high, 0, -20):
        if not any(box_bottom > top - pad and box_top < top + high + pad for box_top, box_bottom in above):
            return left, top
    return None


def _alt(view: MarketView) -> str:
    standing = [
        f"{corp} {view.currency.format(cell.price)}"
        for cell in sorted((c for row in view.rows for c in row if c is not None and c.tokens), key=lambda c: -c.price)
        for corp in cell.tokens
    ]
    moved: Sequence[str] = [corp for corp, _ in view.moved]
    first = f"Market of {view.title}: {', '.join(standing) if standing else 'no company has a price yet'}."
    return text.clean(first + (f" Moved last: {', '.join(moved)}." if moved else ""))[:1000]
