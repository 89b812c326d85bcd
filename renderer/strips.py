"""Strips of a picture: title, phase and round at its top, and what its signs mean, in columns."""

import math
from collections.abc import Sequence

from PIL import Image, ImageDraw

from renderer import text
from renderer.palette import Palette
from renderer.sheet import Sheet
from renderer.theme import HEAD, INK, PAPER, PHONE_FIGURE, PHONE_WORDS, mix
from renderer.tokens import centre_on

Entry = tuple[Image.Image, str]
"""A sign as an RGBA sprite, and what it means."""


def short(title: str) -> str:
    """The title without its subtitle: "1860" of "1860: Railways on the Isle of Wight"."""
    return title.partition(": ")[0]


def draw_title(title: str, round_name: str, phase: str, width: int) -> Image.Image:
    """The title on the left, round and phase on the right, light on dark; its height is 8 % of the width.

    Round and phase have letters for the phone; the title takes what room they leave, in its short form if need be.
    """
    unit = width / 1000
    high, edge, size = round(80 * unit), 20 * unit, round(PHONE_FIGURE * unit)
    strip = Image.new("RGB", (width, high), HEAD)
    middle, right = high / 2, width - edge
    if phase:
        words, fit = text.fitted(f"Phase {phase}", size, width * 0.3, bold=True)
        wide = text.width(words, fit, bold=True) + 24 * unit
        box = (right - wide, middle - 28 * unit, right, middle + 28 * unit)
        ImageDraw.Draw(strip).rounded_rectangle(box, 8 * unit, fill=PAPER)
        text.draw(strip, right - wide / 2, middle, words, fit, INK, bold=True)
        right -= wide + 18 * unit
    words, fit = text.fitted(round_name, size, width * 0.45)
    text.draw(strip, right, middle, words, fit, mix(PAPER, HEAD, 0.08), align="r")
    right -= text.width(words, fit) + 22 * unit
    whole = text.width(title, size, bold=True) <= right - edge
    name, fit = text.fitted(
        title if whole else short(title), round(42 * unit), right - edge, bold=True, floor=round(22 * unit)
    )
    text.draw(strip, edge, middle, name, fit, PAPER, bold=True, align="l")
    return strip


def legend(entries: Sequence[Entry], palette: Palette, room: int, width: int, columns: int = 0) -> Sheet:
    """The entries in at most `room` pixels, in a picture `width` pixels wide; in `columns`, or in as many as fit.

    What has digits is written as large as figures.
    """
    unit = width / 1000
    gap, space, edge = round(30 * unit), round(16 * unit), round(6 * unit)
    room = (room + gap) // columns - gap if columns else room
    swatch = max((sprite.width for sprite, _ in entries), default=0)
    lines = [_lines(words, (room - swatch - space) * 0.98, unit) for _, words in entries]
    wide = max((text.width(line, size) for said, size in lines for line in said), default=0)
    wide = min(room, swatch + space + math.ceil(wide) + 2)
    columns = columns or max(1, (room + gap) // (wide + gap))
    each = -(-len(entries) // columns)
    highs = [
        max(sprite.height, round(1.25 * size * len(said))) + 2 * edge
        for (sprite, _), (said, size) in zip(entries, lines, strict=True)
    ]
    whole = [sum(highs[start : start + each]) for start in range(0, len(highs), max(1, each))]
    sheet = Sheet.blank((columns * (wide + gap) - gap, max(whole, default=1)), PAPER, palette)
    y = 0.0
    for number, ((sprite, _), (said, size), high) in enumerate(zip(entries, lines, highs, strict=True)):
        y = y if number % each else 0
        left = number // each * (wide + gap)
        centre_on(sheet, sprite, (left + swatch / 2, y + high / 2))
        for row, line in enumerate(said):
            middle = y + high / 2 + (row - (len(said) - 1) / 2) * 1.25 * size
            text.draw(sheet, left + swatch + space, middle, line, size, INK, align="l")
        y += high
    return sheet


def _lines(words: str, room: float, unit: float) -> tuple[list[str], int]:
    size = round((PHONE_FIGURE if any(map(str.isdigit, words)) else PHONE_WORDS) * unit)
    return list(text.wrapped(words, size, room)), size
