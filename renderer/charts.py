"""Charts of a whole game: curves with their names at their ends, parts of worth as bars, and counts in a grid.

Like the cards they are 1,000 pixels wide and have no legend to go back and forth to. Nothing depends on colour alone:
every curve has its name or token at its end and dashes of its own, every part its figure, every count its number.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PIL import Image, ImageDraw

from engine.views import ChartView, CountsView, CurvesView, CurveView, SourcesView
from renderer import text
from renderer.geometry import Point, dashed
from renderer.png import Picture, finished
from renderer.theme import (
    BAND,
    CURVE_COLOURS,
    FAINT,
    HEAD,
    INK,
    LETTERS,
    PAPER,
    SOFT_INK,
    WHITE,
    Rgb,
    contrast,
    mix,
    rgb,
)
from renderer.tokens import centre_on, company_token

WIDTH = 1000
FIGURE, SCALE, TITLE = 36, 30, 42
_BAR, _EDGE, _TOKEN, _LINE = 84, 24, 25, 50
_PLOT = 440
"""The least height of the plot."""
_FINE = 3
"""Curves are drawn so many times too large, and then reduced."""
_DASHES: tuple[tuple[float, ...], ...] = ((), (26, 10), (9, 8), (26, 8, 7, 8), (44, 10), (14, 6))
_THICK = 6.0
_HIDDEN, _THINNED = "{} secret until the end", "One round in {} is shown"


def chart_picture(view: ChartView) -> Picture:
    """The chart, 1,000 pixels wide; its description reads out the last figures."""
    if isinstance(view, CurvesView):
        body, said, companies = _curves(view), _spoken_curves(view), view.companies
    elif isinstance(view, SourcesView):
        body, said, companies = _sources(view), _spoken_sources(view), ()
    else:
        body, said, companies = _counts(view), _spoken_counts(view), ()
    notes = [_HIDDEN.format(f"{name}:") for name in getattr(view, "hidden", ())]
    if isinstance(view, CountsView) and _every(view) > 1:
        notes.append(_THINNED.format(_every(view)))
    whole = Image.new("RGB", (WIDTH, _BAR + body.height + _LINE * len(notes)), PAPER)
    pen = ImageDraw.Draw(whole)
    pen.rectangle((0, 0, WIDTH, _BAR - 1), fill=HEAD)
    name, size = text.fitted(view.title, FIGURE, WIDTH * 0.5)
    text.draw(whole, WIDTH - _EDGE, _BAR / 2, name, size, mix(PAPER, HEAD, 0.08), align="r")
    about, size = text.fitted(view.about, TITLE, WIDTH - 3 * _EDGE - text.width(name, size), bold=True)
    text.draw(whole, _EDGE, _BAR / 2, about, size, PAPER, bold=True, align="l")
    whole.paste(body, (0, _BAR))
    for number, note in enumerate(notes):
        y = _BAR + body.height + _LINE * (number + 0.3)
        text.draw(whole, _EDGE, y, text.ellipsized(note, SCALE, WIDTH - 2 * _EDGE), SCALE, SOFT_INK, align="l")
    said = f"{said}. {'. '.join(notes)}" if notes else said
    told = text.clean(f"{view.about} in {view.title}. {said}.")[:1000]
    letters = (_darker(colour, LETTERS) for colour in CURVE_COLOURS)
    own = (*CURVE_COLOURS, *letters, *map(_shade, range(1, 11)))
    return finished(whole, told, (company.colour for company in companies), own)


# Curves


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where figures are drawn: pixels of the left, right, top and bottom, and the figures at bottom and top."""

    left: float
    right: float
    top: float
    bottom: float
    low: int
    high: int
    count: int
    """How many stops there are."""

    def at(self, stop: int, value: float) -> Point:
        x = self.left + (self.right - self.left) * (stop / max(1, self.count - 1))
        return x, self.bottom - (self.bottom - self.top) * (value - self.low) / max(1, self.high - self.low)


def _curves(view: CurvesView) -> Image.Image:
    drawn = [one for one in view.curves if any(value is not None for value in one.values)]
    figures = [value for one in drawn for value in one.values if value is not None] or [0]
    ticks = _ticks(min(0, *figures), max(1, *figures))
    going = [one for one in drawn if one.values[-1] is not None]
    labels = max((_label_wide(view, one) for one in going), default=60)
    high = max(_PLOT, (len(going) + 1) * _step(going))
    scale = max(text.width(_money(view.currency, tick), SCALE) for tick in ticks)
    plot = _Plot(_EDGE + scale + 14, WIDTH - _EDGE - labels - 34, 30, 30 + high, ticks[0], ticks[-1], len(view.stops))
    image = Image.new("RGB", (WIDTH, high + 30 + 70), PAPER)
    _grid(image, view, plot, ticks)
    image = _drawn_curves(image, view, plot, drawn)
    companies = {company.id: company for company in view.companies}
    for one in drawn:  # a company that has left: its token where it ended
        last = max(stop for stop, value in enumerate(one.values) if value is not None)
        if one.company is not None and one.values[-1] is None:
            centre_on(
                image, company_token(companies[one.company], view.companies, 18), plot.at(last, one.values[last] or 0)
            )
    _labels(image, view, plot, drawn, going)
    return image


def _grid(image: Image.Image, view: CurvesView, plot: _Plot, ticks: Sequence[int]) -> None:
    """Lines of round figures, and the rounds below: stock rounds shaded, by their names as far as there is room."""
    pen = ImageDraw.Draw(image)
    for stop, name in enumerate(view.stops):
        if stop and not name[0].isdigit():
            pen.rectangle((plot.at(stop - 1, 0)[0], plot.top, plot.at(stop, 0)[0], plot.bottom), fill=BAND)
    for tick in ticks:
        y = plot.at(0, tick)[1]
        pen.line((plot.left, y, plot.right, y), fill=SOFT_INK if tick == 0 else FAINT, width=3 if tick == 0 else 2)
        text.draw(image, plot.left - 14, y, _money(view.currency, tick), SCALE, SOFT_INK, align="r")
    free = 0.0
    for stop, name in enumerate(view.stops):
        x, wide = plot.at(stop, 0)[0], text.width(name, SCALE)
        shown = stop == len(view.stops) - 1 or (
            x - wide / 2 > free and x + wide / 2 < plot.right - text.width(view.stops[-1], SCALE) / 2 - 14
        )
        if name and shown and (not stop or not name[0].isdigit() or stop == len(view.stops) - 1 or x - wide / 2 > free):
            pen.line((x, plot.bottom, x, plot.bottom + 10), fill=SOFT_INK, width=2)
            text.draw(image, max(x, wide / 2 + 4), plot.bottom + 36, name, SCALE, SOFT_INK)
            free = x + wide / 2 + 16


def _drawn_curves(image: Image.Image, view: CurvesView, plot: _Plot, drawn: Sequence[CurveView]) -> Image.Image:
    fine = image.resize((image.width * _FINE, image.height * _FINE), Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(fine)
    casings = [(_THICK + 4, PAPER), (_THICK, None)]
    places = {company.id: company.index for company in view.companies}
    for number, one in reversed(list(enumerate(drawn))):
        colour = _colour(view, one, number)
        place = number if one.company is None else places[one.company]  # a company has the same dashes in all charts
        dashes = _DASHES[(place + place // len(_DASHES)) % len(_DASHES)]  # 1860 has red and green six places apart
        for points in _stretches(plot, one):
            for thick, fill in casings:
                for piece in dashed(points, dashes if fill is None else ()):
                    line = [(x * _FINE, y * _FINE) for x, y in piece]
                    pen.line(line, fill=colour if fill is None else fill, width=round(thick * _FINE), joint="curve")
            for x, y in (points[0], points[-1]):
                size = _THICK * 0.9 * _FINE
                pen.ellipse((x * _FINE - size, y * _FINE - size, x * _FINE + size, y * _FINE + size), fill=colour)
    return fine.reduce(_FINE)


def _stretches(plot: _Plot, one: CurveView) -> Iterator[list[Point]]:
    """The points of the curve, in stretches without gaps."""
    for there, group in groupby(enumerate(one.values), key=lambda pair: pair[1] is not None):
        if there:
            yield [plot.at(stop, value) for stop, value in group if value is not None]


def _labels(
    image: Image.Image, view: CurvesView, plot: _Plot, drawn: Sequence[CurveView], going: Sequence[CurveView]
) -> None:
    """Names and last figures at the right, each as near to the end of its curve as the others leave room."""
    pen = ImageDraw.Draw(image)
    ends = sorted(((plot.at(plot.count - 1, one.values[-1] or 0)[1], one) for one in going), key=lambda pair: pair[0])
    step = _step(going)
    places = _spread([y for y, _ in ends], step, plot.top + step / 2 - 20, plot.bottom - step / 2 + 20)
    companies = {company.id: company for company in view.companies}
    for (end, one), y in zip(ends, places, strict=True):
        left = plot.right + 34
        colour = _colour(view, one, drawn.index(one))
        pen.line((plot.right + 8, end, left - 8, y), fill=mix(colour, PAPER, 0.4), width=3)
        if one.company is not None:
            token = company_token(companies[one.company], view.companies, _TOKEN)
            centre_on(image, token, (left + _TOKEN, y))
            left += 2 * _TOKEN + 10
        else:
            name, size = text.fitted(one.name, FIGURE, _NAME, bold=True, floor=_LEAST)
            above = _LINE * 0.42 if step > _LINE + 4 else 0
            text.draw(image, left, y - above, name, size, _darker(colour, LETTERS), bold=True, align="l")
            left += 0 if above else text.width(name, size, bold=True) + 12
            y += above
        text.draw(image, left, y, _money(view.currency, one.values[-1] or 0), FIGURE, INK, align="l")


_NAME, _SHORT = 420, 190
"""Room for a player's name; a longer one than `_SHORT` stands above its figure."""
_LEAST = 26
"""The smallest letters of a name, and figures: 9 pixels where the chart is 350 wide."""


def _step(going: Sequence[CurveView]) -> int:
    """The height of a label, of all alike: two lines where a player's name is long."""
    players = [one.name for one in going if one.company is None]
    long = any(text.width(name, FIGURE, bold=True) > _SHORT for name in players)
    return 2 * _LINE - 4 if long else _LINE + 4


def _label_wide(view: CurvesView, one: CurveView) -> float:
    figure = text.width(_money(view.currency, one.values[-1] or 0), FIGURE)
    if one.company is not None:
        return 2 * _TOKEN + 10 + figure
    name, size = text.fitted(one.name, FIGURE, _NAME, bold=True, floor=_LEAST)
    wide = text.width(name, size, bold=True)
    return max(wide, figure) if wide > _SHORT else wide + 12 + figure


def _spread(wanted: Sequence[float], step: float, top: float, bottom: float) -> list[float]:
    """Rising places at least `step` apart, near where they are wanted, within top and bottom."""
    places: list[float] = []
    for y in wanted:
        places.append(max(y, top, places[-1] + step if places else top))
    limit = bottom
    for number in reversed(range(len(places))):
        places[number] = min(places[number], limit)
        limit = places[number] - step
    return places


def _colour(view: CurvesView, one: CurveView, number: int) -> Rgb:
    """A player's own, or the company's as printed, darker where the paper would swallow it."""
    company = next((company for company in view.companies if company.id == one.company), None)
    if company is None:
        return CURVE_COLOURS[number % len(CURVE_COLOURS)]
    return _darker(rgb(company.colour), 2.5)


def _darker(colour: Rgb, least: float) -> Rgb:
    """The colour as dark as it must be to stand out on the paper so much."""
    while contrast(colour, PAPER) < least:
        colour = mix(colour, INK, 0.15)
    return colour


def _ticks(low: int, high: int) -> list[int]:
    """Round figures from at most `low` to at least `high`, four to seven of them."""
    step = 1
    for step in (base * 10**power for power in range(9) for base in (1, 2, 5)):
        if (high - low) / step <= 5.5:
            break
    return list(range(math.floor(low / step) * step, math.ceil(high / step) * step + 1, step))


def _money(currency: str, amount: int) -> str:
    return ("-" if amount < 0 else "") + currency.format(f"{abs(amount):,}")


# Parts of worth


def _sources(view: SourcesView) -> Image.Image:
    """For each player the worth, a bar of its parts (losses to the left), and the figures in their colours."""
    most = max((sum(part for part in parts if part > 0) for _, parts in view.rows), default=1)
    least = min((sum(part for part in parts if part < 0) for _, parts in view.rows), default=0)
    unit = (WIDTH - 2 * _EDGE) / max(1, most - least)
    zero = _EDGE - least * unit
    rows = [(name, parts, _chips(view, parts)) for name, parts in view.rows]
    image = Image.new("RGB", (WIDTH, sum(120 + _LINE * len(chips) + 18 for _, _, chips in rows) + 8), PAPER)
    pen = ImageDraw.Draw(image)
    top = 0
    for number, (name, parts, chips) in enumerate(rows):
        high = 120 + _LINE * len(chips) + 18
        if number % 2:
            pen.rectangle((0, top, WIDTH, top + high - 1), fill=BAND)
        whole = _money(view.currency, sum(parts))
        text.draw(image, WIDTH - _EDGE, top + 36, whole, FIGURE, INK, bold=True, align="r")
        shown = text.ellipsized(name, FIGURE, WIDTH - 3 * _EDGE - text.width(whole, FIGURE, True), bold=True)
        text.draw(image, _EDGE, top + 36, shown, FIGURE, INK, bold=True, align="l")
        _bar(pen, parts, zero, unit, top + 66)
        for line, chips_of_line in enumerate(chips):
            x = float(_EDGE)
            for colour, words in chips_of_line:
                y = top + 120 + _LINE * (line + 0.5)
                pen.rectangle((x, y - 14, x + 28, y + 14), fill=colour, outline=INK, width=2)
                text.draw(image, x + 38, y, words, SCALE, INK, align="l")
                x += 38 + text.width(words, SCALE) + 26
        top += high
    return image


def _bar(pen: ImageDraw.ImageDraw, parts: Sequence[int], zero: float, unit: float, top: float) -> None:
    right = left = zero
    for number, part in enumerate(parts):
        if not part:
            continue
        start = right if part > 0 else left + part * unit
        box = (start, top, start + abs(part) * unit, top + 44)
        if box[2] - box[0] >= 1:
            pen.rectangle(box, fill=CURVE_COLOURS[number % len(CURVE_COLOURS)], outline=WHITE, width=2)
        right, left = (right + part * unit, left) if part > 0 else (right, start)
    pen.line((zero, top - 8, zero, top + 52), fill=INK, width=3)


def _chips(view: SourcesView, parts: Sequence[int]) -> list[list[tuple[Rgb, str]]]:
    """The parts that are not nothing, with their colours, in lines."""
    lines: list[list[tuple[Rgb, str]]] = [[]]
    x = float(_EDGE)
    for number, (name, part) in enumerate(zip(view.parts, parts, strict=True)):
        words = f"{name} {_money(view.currency, part)}"
        wide = 38 + text.width(words, SCALE) + 26
        if not part:
            continue
        if lines[-1] and x + wide > WIDTH:
            lines.append([])
            x = float(_EDGE)
        lines[-1].append((CURVE_COLOURS[number % len(CURVE_COLOURS)], words))
        x += wide
    return lines


# Counts

_BESIDE = 6
"""Room beside a number in its column."""


def _counts(view: CountsView) -> Image.Image:
    """A row for each kind of train, a column for each round, numbers on darker and darker ground."""
    heading = _heading(view)
    shown = _columns(view)
    wide = min(90.0, (WIDTH - heading - _EDGE) / max(1, len(shown)))
    high = 62
    image = Image.new("RGB", (WIDTH, high * len(view.rows) + 84), PAPER)
    pen = ImageDraw.Draw(image)
    most = max((count for _, counts in view.rows for count in counts), default=1) or 1
    for number, (name, counts) in enumerate(view.rows):
        y = 14 + high * (number + 0.5)
        text.draw(image, _EDGE, y, name, FIGURE, INK, bold=True, align="l")
        for column, count in enumerate(counts[stop] for stop in shown):
            x = heading + wide * column
            box = (x + 2, y - high / 2 + 3, x + wide - 2, y + high / 2 - 3)
            fill = _shade(round(10 * count / most) or 1) if count else BAND
            pen.rectangle(box, fill=fill)
            if count:
                ink = WHITE if contrast(fill, WHITE) > contrast(fill, INK) else INK
                words, size = text.fitted(str(count), FIGURE, wide - _BESIDE, floor=_LEAST)
                text.draw(image, x + wide / 2, y, words, size, ink)
    free = 0.0
    for column, name in enumerate(view.stops[stop] for stop in shown):
        x, own = heading + wide * (column + 0.5), text.width(name, SCALE)
        if x - own / 2 > free:
            text.draw(image, x, 14 + high * len(view.rows) + 34, name, SCALE, SOFT_INK)
            free = x + own / 2 + 14
    return image


def _heading(view: CountsView) -> float:
    """Where the columns begin."""
    return max((text.width(name, FIGURE, bold=True) for name, _ in view.rows), default=0) + 2 * _EDGE


def _columns(view: CountsView) -> list[int]:
    """The rounds that have a column, to the last: of many only one in so many, so that numbers can be read."""
    return list(range(len(view.stops) - 1, -1, -_every(view)))[::-1]


def _every(view: CountsView) -> int:
    """Of how many rounds one has a column."""
    widest = max((text.width(str(count), _LEAST) for _, counts in view.rows for count in counts), default=0)
    most = int((WIDTH - _heading(view) - _EDGE) // (widest + _BESIDE))
    return max(1, math.ceil(len(view.stops) / most))


def _shade(tenths: int) -> Rgb:
    """Darker and darker, but for the middling grey on which neither ink is read."""
    return mix(PAPER, HEAD, 0.18 + 0.07 * tenths + (0.07 if tenths > 5 else 0))


# Read out


def _spoken_curves(view: CurvesView) -> str:
    said = [
        f"{one.name} {_money(view.currency, one.values[-1])}"
        for one in view.curves
        if one.values and one.values[-1] is not None
    ]
    return f"After {view.stops[-1]}: {', '.join(said)}" if said else "Nothing yet"


def _spoken_sources(view: SourcesView) -> str:
    rows = []
    for name, parts in view.rows:
        each = ", ".join(f"{part} {_money(view.currency, n)}" for part, n in zip(view.parts, parts, strict=True) if n)
        rows.append(f"{name} {_money(view.currency, sum(parts))}: {each}")
    return "; ".join(rows) or "Nothing yet"


def _spoken_counts(view: CountsView) -> str:
    last = [text.counted(counts[-1], f"{name}-train") for name, counts in view.rows if counts and counts[-1]]
    return f"After {view.stops[-1]}: {', '.join(last)}" if last else "None"
