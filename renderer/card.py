"""The decision card: what one decision needs, as sections of labelled figures, drawn for a phone.

A `Card` is plain data without rules. Nothing in it has a fixed place: a column is as wide as its widest cell, the
elastic ones share what is left, and facts flow onto as many lines as they need. So figures are never cut; only the
words of elastic columns, labels and single facts without commas that are too long, and headings are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain, compress, groupby
from typing import Literal, TypeVar

from engine.ids import CorpId
from engine.views import CompanyView
from renderer import text, theme
from renderer.palette import Palette
from renderer.png import Picture, finished, palette_for
from renderer.sheet import Sheet
from renderer.tokens import short_letters, token

A = TypeVar("A")
Tone = Literal["plain", "strong", "soft", "alert"]
Align = Literal["l", "m", "r"]

WIDTH, FIGURE, WORDS = theme.PHONE_WIDTH, theme.PHONE_FIGURE, theme.PHONE_WORDS
TITLE = 42
LEGIBLE = 36
"""What figures may be where names then need one line: digits are 9 pixels high where it is 350 wide."""
_EDGE, _GAP, _LEAST_GAP = 24, 26, 12
_BAR, _HEADING, _LINE, _PAD = 74, 42, 46, 6
_CLOSE = 2
"""Above and below a row with two lines of cells, which its token and its band hold together."""
_SECOND = 38
"""From the first line of cells to the second."""
_NEXT = 36
"""From one line of a cell to the next."""
_TOKEN = 34
"""Radius of a company's token."""
_BOX = 19
"""Half the height of the small card around a train: it touches no figure above it."""
PERCENT = " %"
"""Ends a heading above figures that would not have room for it."""
NONE = "–"
"""Drawn where there is nothing of it."""
HIDDEN = "•••"
"""Shown for what the viewer may not know."""
_INK: dict[Tone, theme.Rgb] = {"plain": theme.INK, "strong": theme.INK, "soft": theme.SOFT_INK, "alert": theme.GLOW}


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a table: words, or trains as small cards."""

    text: str = ""
    tone: Tone = "plain"
    trains: tuple[str, ...] = ()
    said: str | None = None
    """What is read out, where that is not the column's heading and what is drawn."""


@dataclass(frozen=True, slots=True)
class Detail:
    """A figure with a label before it ("cash ¥90") or behind it ("3 to float")."""

    label: str = ""
    figure: str = ""
    behind: str = ""
    tone: Tone = "plain"
    trains: tuple[str, ...] = ()
    said: str | None = None
    """What is read out, where that is not what is drawn."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of cells, one for each column, and below it a second one, facts, and a sentence.

    `here` is what the decision is about.
    """

    cells: tuple[Cell, ...] = ()
    facts: tuple[Detail, ...] = ()
    token: CorpId | None = None
    here: bool = False
    second: tuple[Cell, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """An elastic column takes what room is left and cuts what two lines cannot hold; others take what they need."""

    heading: str = ""
    align: Align = "r"
    elastic: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A table; without columns only the facts of its rows. `second` are the columns of second lines of cells."""

    rows: tuple[CardRow, ...]
    title: str = ""
    columns: tuple[Column, ...] = ()
    second: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """Everything on one card. `companies` are those of the title: their tokens must be told apart."""

    title: str
    phase: str
    sections: tuple[Section, ...]
    companies: tuple[CompanyView, ...]
    token: CorpId | None = None
    notes: tuple[str, ...] = ()
    """Sentences above the sections, for what must not be overlooked."""


@dataclass(frozen=True, slots=True)
class Word:
    """Words in their place: `x` is the left, middle or right end, `y` half the height of the capitals."""

    x: float
    y: float
    text: str
    size: int
    fill: theme.Rgb
    bold: bool = False
    align: Align = "l"
    boxed: float = 0
    """Width of the small card around a train; 0 for plain words."""


def card_picture(card: Card) -> Picture:
    """The card, 1,000 pixels wide and as tall as it needs; its description reads out all that it says."""
    plan = laid_out(card)
    sheet = Sheet.blank((WIDTH, plan.height), theme.PAPER, palette_for(company.colour for company in card.companies))
    for top, bottom, colour in plan.bands:
        sheet.pen.rectangle((0, top, WIDTH, bottom - 1), fill=sheet.number(colour))
    views = {company.id: company for company in card.companies}
    for corp, x, y in plan.tokens:
        company = views[corp]
        letters = short_letters(company, card.companies)
        made = _token_on(plan.ground(y), letters, company.colour, company.index, sheet.palette)
        sheet.lay(made, round(x - made.width / 2), round(y - made.height / 2))
    for word in plan.words:
        ground = plan.ground(word.y)
        if word.boxed:
            _draw_train(sheet, word)
        else:
            text.draw(
                sheet, word.x, word.y, word.text, word.size, word.fill, bold=word.bold, align=word.align, ground=ground
            )
    return finished(sheet, spoken(card))


@lru_cache(maxsize=256)
def _token_on(ground: theme.Rgb, letters: str, colour: str, index: int, palette: Palette) -> Sheet:
    """A company's token on one colour."""
    sprite = token(letters, colour, index, _TOKEN)
    sheet = Sheet.blank(sprite.size, ground, palette)
    sheet.stamp(sprite, 0, 0)
    return sheet


def _draw_train(sheet: Sheet, word: Word) -> None:
    box = (word.x, word.y - _BOX, word.x + word.boxed, word.y + _BOX)
    sheet.pen.rounded_rectangle(box, 7, fill=sheet.number(theme.WHITE), outline=sheet.number(theme.SOFT_INK), width=2)
    text.draw(sheet, word.x + word.boxed / 2, word.y, word.text, word.size, word.fill, ground=theme.WHITE)


def spoken(card: Card) -> str:
    """The card read out: its title, notes, and each section row by row; at most 1,000 letters."""
    parts = [f"{card.title}, phase {card.phase}" if card.phase else card.title, *card.notes]
    for section in card.sections:
        rows = [said.rstrip(".") for said in (_spoken_row(section, row) for row in section.rows) if said]
        parts.append((f"{section.title}: " if section.title else "") + "; ".join(rows))
    told = text.clean(". ".join(part.rstrip(".") for part in parts if part)).replace(HIDDEN, "secret")
    return f"{told[:998]}…." if len(told) > 999 else f"{told}."


def _spoken_row(section: Section, row: CardRow) -> str:
    said = [str(row.token)] if row.token else []
    for column, cell in (
        *zip(section.columns, row.cells, strict=False),
        *zip(section.second, row.second, strict=False),
    ):
        said.append(_spoken_cell(column.heading, cell))
    said += map(_said, row.facts)
    said += [row.note] if row.note else []
    return reduce(_and_then, filter(None, said), "")


def _spoken_cell(heading: str, cell: Cell) -> str:
    if cell.said is not None:
        return cell.said
    words = " ".join((*cell.trains, "nothing" if cell.text == NONE else cell.text)).strip()
    percent = heading.endswith(PERCENT)
    return f"{heading.removesuffix(PERCENT)} {words}{PERCENT if percent else ''}".strip() if words else ""


def _said(fact: Detail) -> str:
    if fact.said is not None:
        return fact.said
    return " ".join(filter(None, (fact.label, *fact.trains, fact.figure, fact.behind)))


def _and_then(told: str, more: str) -> str:
    """What is read out next: after a semicolon where it begins a group, as what costs the same."""
    between = "" if not told else " " if told.endswith(":") else "; " if more.endswith(":") else ", "
    return f"{told}{between}{more}"


# Layout


@dataclass(frozen=True, slots=True)
class _Placed:
    """Columns with what stands in them, the left edge and width of each, and the size of their figures."""

    columns: Sequence[Column]
    lines: Sequence[Sequence[Cell]]
    places: Sequence[tuple[float, float]] = ()
    size: int = FIGURE

    def headings(self) -> list[Word]:
        """The headings in their columns, at no height yet."""
        return [
            Word(_anchor(column.align, place), 0, column.heading, WORDS, theme.HEAD, align=column.align)
            for column, place in zip(self.columns, self.places, strict=True)
            if column.heading
        ]

    def needs(self, number: int, size: int = 0) -> float:
        """The width of a column's widest cell."""
        cells, size = [line[number] for line in self.lines], size or self.size
        wide = [
            _trains_wide(one.trains) if one.trains else text.width(one.text, size, one.tone == "strong")
            for one in cells
        ]
        return max([text.width(self.columns[number].heading, WORDS), *wide])


class Layout:
    """What is drawn where, made from top to bottom before anything is drawn."""

    def __init__(self) -> None:
        self.words: list[Word] = []
        self.tokens: list[tuple[CorpId, float, float]] = []
        self.bands: list[tuple[int, int, theme.Rgb]] = []
        """Full-width rectangles: top, bottom, colour."""
        self.height = 0
        """Of what was placed so far."""

    def ground(self, y: float) -> theme.Rgb:
        """The one colour below what stands at this height."""
        return next((colour for top, bottom, colour in self.bands if top <= y < bottom), theme.PAPER)

    def bar(self, card: Card) -> None:
        """The title with the company's token, and the phase."""
        self.bands.append((0, _BAR, theme.HEAD))
        y, left, right = _BAR / 2, float(_EDGE), WIDTH - _EDGE
        if card.token is not None:
            self.tokens.append((card.token, left + _TOKEN, y))
            left += 2 * _TOKEN + 18
        if card.phase:
            words = f"Phase {card.phase}"
            self.words.append(Word(right, y, words, FIGURE, theme.mix(theme.PAPER, theme.HEAD, 0.08), align="r"))
            right -= round(text.width(words, FIGURE)) + _GAP
        title, size = text.fitted(card.title, TITLE, right - left, bold=True, floor=FIGURE)
        self.words.append(Word(left, y, title, size, theme.PAPER, bold=True))
        self.height = _BAR

    def notes(self, notes: Sequence[str]) -> None:
        """Sentences, on as many lines as they need."""
        if not notes:
            return
        start = self.height
        self.height += _PAD
        for note in notes:
            self._sentence(note, _EDGE, FIGURE)
        self.height += _PAD
        self.bands.append((start, self.height, theme.UP_ROW))

    def _sentence(self, sentence: str, left: float, size: int) -> None:
        """A sentence on as many lines as it needs."""
        for line in text.wrapped(sentence, size, WIDTH - _EDGE - left):
            self.words.append(Word(left, self.height + _LINE / 2, line, size, theme.INK))
            self.height += _NEXT + 4

    def section(self, section: Section) -> None:
        left = _EDGE + (2 * _TOKEN + 18 if any(row.token for row in section.rows) else 0)
        section = _without_empty_columns(replace(section, rows=tuple(map(_with_trains_below, section.rows))))
        first = _placed(section.columns, [row.cells for row in section.rows if row.cells], left)
        second = _placed(section.second, [row.second for row in section.rows if row.second], left)
        self._heading(section, first)
        self._second_heading(second)
        for number, row in enumerate(section.rows):
            start, pad = self.height, _CLOSE if row.second else _PAD
            self.height += pad
            if row.cells:
                self._cells(first, row.cells)
            if row.second:
                self.height -= _LINE - _SECOND
                self._cells(second, row.second)
            self._facts(row.facts, left)
            self._sentence(row.note, left, _label_size(row.note))
            self.height += pad
            if row.token is not None:
                self.height = max(self.height, start + 2 * _TOKEN + _PAD)
                self.tokens.append((row.token, _EDGE + _TOKEN, (start + self.height) / 2))
            if row.here or number % 2:
                self.bands.append((start, self.height, theme.UP_ROW if row.here else theme.BAND))

    def _heading(self, section: Section, placed: _Placed) -> None:
        if not section.title and not any(column.heading for column in section.columns):
            if self.height > _BAR:
                self.bands.append((self.height, self.height + 2, theme.FAINT))
                self.height += 2
            return
        headings = placed.headings()
        start, size = self.height, _label_size(section.title)
        free = min((_left_end(word) for word in headings), default=WIDTH - _EDGE + _GAP) - _GAP - _EDGE
        alone = bool(section.title and headings) and text.width(section.title, size, bold=True) > free
        if section.title:
            title = text.ellipsized(section.title, size, WIDTH - 2 * _EDGE, bold=True)
            self.words.append(Word(_EDGE, self.height + _HEADING / 2, title, size, theme.HEAD, bold=True))
        self.height += _HEADING if alone else 0
        self.words += [replace(word, y=self.height + _HEADING / 2) for word in headings]
        self.height += _HEADING
        self.bands.append((start, self.height, theme.mix(theme.HEAD, theme.PAPER, 0.86)))

    def _second_heading(self, placed: _Placed) -> None:
        """What stands in the second lines, below the heading of the first."""
        headings = placed.headings()
        if headings:
            start = self.height
            self.height += _HEADING - 2 * _PAD
            self.words += [replace(word, y=(start + self.height) / 2 - _PAD / 2) for word in headings]
            self.bands.append((start, self.height, theme.mix(theme.HEAD, theme.PAPER, 0.86)))

    def _cells(self, placed: _Placed, cells: Sequence[Cell]) -> None:
        y, most, size = self.height + _LINE / 2, 1, placed.size
        for number, (column, cell, (left, wide)) in enumerate(zip(placed.columns, cells, placed.places, strict=True)):
            at = _anchor(column.align, (left, wide))
            if cell.trains:
                start = at - {"l": 0.0, "m": 0.5, "r": 1.0}[column.align] * _trains_wide(cell.trains)
                self._trains(cell.trains, start, y)
            elif cell.text:
                fill, bold = _INK[cell.tone], cell.tone == "strong"
                tight = column.elastic and placed.needs(number) > wide
                lines, own = _tightened(cell, size, wide) if tight else ((cell.text,), size)
                for line, words in enumerate(lines):
                    self.words.append(Word(at, y + line * _NEXT, words, own, fill, bold=bold, align=column.align))
                most = max(most, len(lines))
        self.height += _LINE + (most - 1) * _NEXT

    def _facts(self, facts: Sequence[Detail], left: float) -> None:
        """Facts one after the other, a new line where the next does not fit."""
        x, room = left, WIDTH - _EDGE - left
        for fact in chain.from_iterable(_within(fact, room) for fact in facts):
            wide = _fact_wide(fact)
            if x > left and x + wide > WIDTH - _EDGE:
                x, self.height = left, self.height + _LINE
            self._fact(fact, x, room)
            x += wide + _GAP
        if facts:
            self.height += _LINE

    def _fact(self, fact: Detail, x: float, room: float) -> None:
        y = self.height + _LINE / 2
        end = x + room
        if fact.label:
            self.words.append(Word(x, y, fact.label, _label_size(fact.label), theme.SOFT_INK))
            x += text.width(fact.label, _label_size(fact.label)) + 10
        if fact.trains:
            self._trains(fact.trains, x, y)
            x += _trains_wide(fact.trains) + 10
        if fact.figure:
            bold = fact.tone == "strong"
            words = _cut(fact.figure, FIGURE, end - x, bold)
            self.words.append(Word(x, y, words, FIGURE, _INK[fact.tone], bold=bold))
            x += text.width(words, FIGURE, bold) + 10
        if fact.behind:
            fill = theme.GLOW if fact.tone == "alert" else theme.SOFT_INK
            self.words.append(Word(x, y, fact.behind, _label_size(fact.behind), fill))

    def _trains(self, trains: Sequence[str], x: float, y: float) -> None:
        for train, times in _gathered(trains):
            wide = _train_wide(train)
            self.words.append(Word(x, y, train, FIGURE, theme.INK, boxed=wide))
            x += wide + 6
            if times:
                self.words.append(Word(x, y, times, FIGURE, theme.INK))
                x += text.width(times, FIGURE) + 6


def laid_out(card: Card) -> Layout:
    """Where everything goes."""
    plan = Layout()
    plan.bar(card)
    plan.notes(card.notes)
    for section in card.sections:
        plan.section(section)
    plan.height += _PAD
    return plan


def _placed(columns: Sequence[Column], lines: Sequence[Sequence[Cell]], left: float) -> _Placed:
    """Where the columns go: closer, a little smaller, where names then need one line; small if nothing else helps."""
    made = _Placed(columns, lines)
    room = WIDTH - _EDGE - left
    elastic = [number for number, column in enumerate(columns) if column.elastic]
    least = _LEAST_ELASTIC * len(elastic)
    ways = [(_GAP, FIGURE), *((_LEAST_GAP, size) for size in range(FIGURE, 11, -1))]
    tries = [*((way, True) for way in ways if way[1] >= LEGIBLE), *((way, False) for way in ways)]
    gap: float
    for (gap, size), whole in tries:
        wide = [0.0 if column.elastic else made.needs(number, size) for number, column in enumerate(columns)]
        free = room - sum(wide) - gap * max(0, len(wide) - 1)
        if free >= (sum(made.needs(number, size) for number in elastic) if whole else least):
            break
    if elastic:
        for number, own in zip(elastic, _shared(free, [made.needs(n, size) for n in elastic]), strict=True):
            wide[number] = own
    elif len(wide) > 1:
        gap += free / (len(wide) - 1)
    places = []
    for own in wide:
        places.append((left, own))
        left += own + gap
    return replace(made, places=places, size=size)


def _shared(free: float, needs: Sequence[float]) -> list[float]:
    """What each elastic column gets: what it needs, as far as that goes around; the first has what is left."""
    given = [0.0] * len(needs)
    for rank, number in enumerate(sorted(range(len(needs)), key=lambda one: needs[one])):
        given[number] = min(needs[number], free / (len(needs) - rank))
        free -= given[number]
    given[0] += free
    return given


def _tightened(cell: Cell, size: int, wide: float) -> tuple[tuple[str, ...], int]:
    """The words of a cell in a column that is too narrow, and their size: as labels, on two lines if need be.

    Where a name must be cut, the figure behind it stays.
    """
    size, bold = min(size, _label_size(cell.text)), cell.tone == "strong"
    lines, size = text.two_lines(cell.text, size, wide, floor=size, bold=bold)
    return (lines if len(lines) > 1 else (_cut(cell.text, size, wide, bold),)), size


def _cut(words: str, size: int, room: float, bold: bool) -> str:
    """The words, cut where they are too wide; of a name with a figure behind it the name is."""
    named = _NAMED.fullmatch(words)
    if named is None or text.width(words, size, bold) <= room:
        return text.ellipsized(words, size, room, bold)
    figure = named["figure"]
    return text.ellipsized(named["name"], size, room - text.width(figure, size, bold), bold) + figure


_LEAST_ELASTIC = 150
"""Room for some letters of a name."""
_NAMED = re.compile(r"(?P<name>.*\S)(?P<figure> [^\s\d]?\d[\d,]*(?:\s%)?)")
"""A name and what it has: "Ann 40 %", "Ann ¥90"."""


def _anchor(align: Align, place: tuple[float, float]) -> float:
    left, wide = place
    return left + {"l": 0.0, "m": wide / 2, "r": wide}[align]


def _left_end(word: Word) -> float:
    return word.x - {"l": 0.0, "m": 0.5, "r": 1.0}[word.align] * text.width(word.text, word.size, word.bold)


def _label_size(label: str) -> int:
    return FIGURE if any(map(str.isdigit, label)) else WORDS


def _within(fact: Detail, room: float) -> Iterator[Detail]:
    """The fact: on several lines where its names need them, or with as much of its label as leaves its figures room."""
    cuts = ((head, tail) for head, tail in _cuts(fact) if _fact_wide(head) <= room)
    if _fact_wide(fact) <= room:
        yield fact
    elif cut := next(cuts, None):
        yield cut[0]
        yield from _within(cut[1], room)
    else:
        size = _label_size(fact.label)
        left = room - _fact_wide(fact) + text.width(fact.label, size)
        label = text.ellipsized(fact.label, size, max(left, _LEAST_ELASTIC)) if fact.label else ""
        yield replace(fact, label=label)


def _cuts(fact: Detail) -> Iterator[tuple[Detail, Detail]]:
    """The fact in two, after each of its commas, from the last on."""
    for label, rest in _at_commas(fact.label):
        yield Detail(label), replace(fact, label=rest)
    for figure, rest in _at_commas(fact.figure):
        yield replace(fact, figure=figure, behind=""), replace(fact, label="", trains=(), figure=rest)


def _at_commas(words: str) -> Iterator[tuple[str, str]]:
    return ((words[: at.start() + 1], words[at.end() :]) for at in reversed([*re.finditer(", ", words)]))


def _fact_wide(fact: Detail) -> float:
    parts = [text.width(label, _label_size(label)) for label in (fact.label, fact.behind) if label]
    parts += [text.width(fact.figure, FIGURE, fact.tone == "strong")] if fact.figure else []
    parts += [_trains_wide(fact.trains)] if fact.trains else []
    return sum(parts) + 10 * (len(parts) - 1)


def _train_wide(train: str) -> float:
    return max(40.0, text.width(train, FIGURE) + 18)


def _trains_wide(trains: Sequence[str]) -> float:
    parts = [part for train, times in _gathered(trains) for part in (_train_wide(train), text.width(times, FIGURE))]
    return sum(parts) + 6 * (sum(map(bool, parts)) - 1)


_MOST_TRAINS, _TRAINS_OF_LINE = 318, 8
"""How wide trains may be in a column, and how many go on a line below it."""


def _with_trains_below(row: CardRow) -> CardRow:
    """The row with those trains as facts that would leave the other columns no room."""
    many = [cell.trains for cell in (*row.cells, *row.second) if _trains_wide(cell.trains) > _MOST_TRAINS]
    parts = [some[at : at + _TRAINS_OF_LINE] for some in many for at in range(0, len(some), _TRAINS_OF_LINE)]
    cells, second = (
        tuple(Cell() if cell.trains in many else cell for cell in line) for line in (row.cells, row.second)
    )
    facts = (*(Detail("" if number else "trains", trains=part) for number, part in enumerate(parts)), *row.facts)
    return replace(row, cells=cells, second=second, facts=facts)


def _gathered(trains: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The trains with how often where three or more are alike, so that they leave room for names."""
    for train, some in groupby(trains):
        count = len([*some])
        yield from [(train, f"×{count}")] if count > 2 else [(train, "")] * count


def _without_empty_columns(section: Section) -> Section:
    """The section without the columns that have only a heading."""
    first = _filled([row.cells for row in section.rows if row.cells], len(section.columns))
    second = _filled([row.second for row in section.rows if row.second], len(section.second))
    rows = (replace(row, cells=_kept(row.cells, first), second=_kept(row.second, second)) for row in section.rows)
    return replace(
        section, rows=tuple(rows), columns=_kept(section.columns, first), second=_kept(section.second, second)
    )


def _filled(lines: Sequence[Sequence[Cell]], columns: int) -> list[bool]:
    return [any(line[number].text or line[number].trains for line in lines) for number in range(columns)]


def _kept(values: Sequence[A], which: Sequence[bool]) -> tuple[A, ...]:
    return tuple(compress(values, which))
