"""The strip with title, phase and round at the top of a picture."""

from __future__ import annotations

from PIL import Image, ImageDraw

from renderer import text
from renderer.theme import HEAD, INK, PAPER, mix


def draw_title(title: str, round_name: str, phase: str, width: int) -> Image.Image:
    """The title on the left, phase and round on the right, light on dark; its height is 4.5 % of the width."""
    unit = width / 1600
    high = round(72 * unit)
    strip = Image.new("RGB", (width, high), HEAD)
    middle = high / 2
    edge = 28 * unit
    right = width - edge
    if phase:
        words, size = text.fitted(f"Phase {phase}", round(32 * unit), width * 0.2, bold=True)
        wide = text.width(words, size, bold=True) + 32 * unit
        pen = ImageDraw.Draw(strip)
        box = (right - wide, middle - 24 * unit, right, middle + 24 * unit)
        pen.rounded_rectangle(box, 10 * unit, fill=PAPER)
        text.draw(strip, right - wide / 2, middle, words, size, INK, bold=True)
        right -= wide + 26 * unit
    name, name_size = text.fitted(title, round(38 * unit), width * 0.42, bold=True)
    text.draw(strip, edge, middle, name, name_size, PAPER, bold=True, align="l")
    left = edge + text.width(name, name_size, bold=True) + 30 * unit
    words, size = text.fitted(round_name, round(32 * unit), right - left)
    text.draw(strip, right, middle, words, size, mix(PAPER, HEAD, 0.08), align="r")
    return strip
