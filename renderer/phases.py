"""The chart of phases and trains: a block for each phase, narrow enough to be read on a phone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.ids import Rank
from engine.printed import colour_word
from engine.views import PhaseRow, PhasesView, TrainRow
from renderer import text
from renderer.geometry import corners
from renderer.png import Picture, finished
from renderer.theme import BLOCKED, FAINT, GLOW, HEAD, HEX_FILL, HEX_LINE, INK, PAPER, SOFT_INK, UP_ROW, Rgb, mix

WIDTH = 720
"""In pixels; at 350 on a phone, the figures are still more than 9 high."""
LETTERS = 28
NAME = 44
LINE = 40
PAD = 20
BADGE = 104
"""Width of the box with the phase's name."""
SWATCH = 17
"""Radius of the hexes that show which tiles may be laid."""
HEADING = 76


_Line = tuple[str, Rgb, bool]
"""Words, their colour, and whether they are bold."""


@dataclass(frozen=True, slots=True)
class _Block:
    """One phase as it is drawn."""

    row: PhaseRow
    lines: tuple[_Line, ...]
    past: bool
    present: bool

    @property
    def height(self) -> int:
        return max(HEADING, LINE + len(self.lines) * LINE + PAD) + PAD // 2


def phases_picture(view: PhasesView) -> Picture:
    """Every phase with its tiles, train limit, operating rounds, trains, and what it ends and begins."""
    blocks = _blocks(view)
    head, foot = 64, 56
    image = Image.new("RGB", (WIDTH, head + sum(block.height for block in blocks) + foot), PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, WIDTH, head), fill=HEAD)
    title, size = text.fitted(view.title, 32, WIDTH - 2 * PAD, bold=True, floor=LETTERS)
    text.draw(image, PAD, head / 2, title, size, PAPER, bold=True, align="l")
    top = head
    for block in blocks:
        _draw(image, pen, block, top)
        top += block.height
    note = "OR: operating rounds in a set that begins then"
    text.draw(image, PAD, top + foot / 2, note, LETTERS - 1, SOFT_INK, align="l")
    return finished(image, text.clean(_alt(view)))


def _blocks(view: PhasesView) -> list[_Block]:
    names = [row.name for row in view.rows]
    present = names.index(view.phase)
    depot = {train.rank: train for train in view.depot}
    return [
        _Block(row, tuple(_lines(view, row, depot, past=index < present)), index < present, index == present)
        for index, row in enumerate(view.rows)
    ]


def _lines(view: PhasesView, row: PhaseRow, depot: Mapping[Rank, TrainRow], *, past: bool) -> list[_Line]:
    """The trains of the phase, what rusts with the first of them, and what else begins."""
    room = WIDTH - BADGE - 3 * PAD
    soft = SOFT_INK if past else INK
    lines = [(_train(view, depot[rank]), soft, not past) for rank in row.trains]
    if row.rusts:
        lines.append((f"{' and '.join(row.rusts)}-trains rust", SOFT_INK if past else BLOCKED, not past))
    for clause in row.news:
        lines += [(words, soft, False) for words in text.wrapped(clause[0].upper() + clause[1:], LETTERS, room)]
    return lines


def _train(view: PhasesView, train: TrainRow) -> str:
    left = "any number" if train.left is None else f"{train.left} left" if train.left else "none left"
    rusts = f", rusts at {train.rusts_on}" if train.rusts_on else ""
    return f"{train.rank}-train {view.currency.format(f'{train.price:,}')}, {left}{rusts}"


def _draw(image: Image.Image, pen: ImageDraw.ImageDraw, block: _Block, top: int) -> None:
    row, bottom = block.row, top + block.height
    if block.present:
        pen.rectangle((0, top, WIDTH, bottom), fill=UP_ROW)
        pen.rectangle((0, top, 8, bottom), fill=GLOW)
    pen.line((0, bottom, WIDTH, bottom), fill=FAINT, width=2)
    soft = SOFT_INK if block.past else INK
    _badge(image, pen, block, top)
    left, middle = PAD + BADGE + PAD, top + PAD / 2 + LINE / 2
    for index, colour in enumerate(row.colours):
        _hex(pen, left + SWATCH + index * (2 * SWATCH + 4), middle, colour)
    rounds = f"{row.operating_rounds} OR"
    text.draw(image, WIDTH - PAD, middle, rounds, LETTERS, soft, bold=True, align="r")
    right = WIDTH - PAD - text.width(rounds, LETTERS, bold=True) - PAD
    limit = f"limit {row.train_limit}" if row.train_limit else "no train limit"
    room = right - (left + len(row.colours) * (2 * SWATCH + 4) + 8)
    words, size = text.fitted(limit, LETTERS, room, floor=LETTERS - 2)
    text.draw(image, right, middle, words, size, soft, align="r")
    for number, (words, fill, bold) in enumerate(block.lines, 1):
        text.draw(image, left, middle + number * LINE, words, LETTERS, fill, bold=bold, align="l")


def _badge(image: Image.Image, pen: ImageDraw.ImageDraw, block: _Block, top: int) -> None:
    """The phase's name on its newest colour of tiles, and below it where the game is."""
    colour = block.row.colours[-1]
    box = (PAD, top + PAD // 2, PAD + BADGE, top + PAD // 2 + 58)
    fill = mix(HEX_FILL[colour], PAPER, 0.5) if block.past else HEX_FILL[colour]
    pen.rounded_rectangle(box, 10, fill=fill, outline=HEX_LINE[colour], width=2)
    text.draw(image, PAD + BADGE / 2, top + PAD // 2 + 29, block.row.name, NAME, INK, bold=True)
    if block.present:
        text.draw(image, PAD + BADGE / 2, top + PAD // 2 + 58 + LINE / 2, "now", LETTERS, GLOW, bold=True)


def _hex(pen: ImageDraw.ImageDraw, x: float, y: float, colour: str) -> None:
    at = [(x + dx, y + dy) for dx, dy in corners("flat", SWATCH)]
    pen.polygon(at, fill=HEX_FILL[colour], outline=HEX_LINE[colour], width=2)


def _alt(view: PhasesView) -> str:
    """The chart in words, phase by phase."""
    told = []
    for row in view.rows:
        now = " (now)" if row.name == view.phase else ""
        limit = f"train limit {row.train_limit}" if row.train_limit else "no train limit"
        parts: Sequence[str] = (
            f"{', '.join(map(colour_word, row.colours))} tiles", limit, f"{row.operating_rounds} OR",
            *(f"{rank}-trains rust" for rank in row.rusts), *row.news,
        )  # fmt: skip
        told.append(f"{row.name}{now}: {'; '.join(parts)}.")
    return f"Phases of {view.title}. {' '.join(told)}"
