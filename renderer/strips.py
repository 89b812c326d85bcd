"""The strip with title, phase and round at the top of a picture."""

from PIL import Image, ImageDraw

from renderer import text
from renderer.theme import HEAD, INK, PAPER, PHONE_FIGURE, mix


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
