"""Company tokens: an enamel badge with letters on a white band between coloured, patterned caps.

The company's place in its title decides the pattern, so tokens differ even without colour.
"""

import math
from collections.abc import Sequence

from PIL import Image

from engine.views import CompanyView
from renderer import text
from renderer.geometry import Point
from renderer.packing import DRAWN
from renderer.pen import Pen, Shapes
from renderer.sheet import Sheet
from renderer.theme import INK, WHITE, Rgb, contrast, mix, rgb

PATTERNS = (
    "plain", "bars", "halves", "ring", "dots", "quarters", "slants", "lines",
    "open", "chevron", "wedge", "upper", "checks", "lower",
)  # fmt: skip
"""By `CompanyView.index`; with more companies they repeat."""
_BAND = 0.46
"""Half the height of the white band, as a fraction of the token's radius."""


def short_letters(company: CompanyView, others: Sequence[CompanyView] = ()) -> str:
    """The company's letters; if too long, only its capitals, or as many letters as tell it from the others."""
    letters = text.clean(company.id) or "?"
    if len(letters) <= (5 if len(_capitals(letters)) > 3 else 4):  # BHI&R and NGStL as they are written elsewhere
        return letters
    rest = [text.clean(other.id) for other in others if other.id != company.id]
    capitals = _capitals(letters)
    if 2 <= len(capitals) <= 4 and not any(other.startswith(capitals) for other in (*rest, *map(_capitals, rest))):
        return capitals
    for size in (4, 5, 6):
        if not any(other[:size] == letters[:size] for other in rest):
            return letters[:size]
    return letters[:6]


def _capitals(letters: str) -> str:
    return "".join(letter for letter in letters if letter.isupper())


def token(letters: str, colour: str, index: int, radius: int, ghost: bool = False) -> Image.Image:
    """An RGBA badge, 2 x radius + 2 pixels on each side. A ghost is pale, with a dashed rim."""
    looks = letters, colour, index, radius, ghost
    return DRAWN.get(("token", *looks), lambda: (_drawn(*looks), 0, 0))[0]


def _drawn(letters: str, colour: str, index: int, radius: int, ghost: bool) -> Image.Image:
    pen = Pen(radius, (1.0, 1.0))
    paint_badge(pen, colour, index, ghost)
    made = pen.finished()
    ink = mix(INK, WHITE, 0.35) if ghost else INK
    text.draw(made, made.width / 2, made.height / 2, letters, letter_size(letters, radius), ink, bold=True)
    return made


def letter_size(letters: str, radius: int) -> int:
    """The size of the letters on a badge, in pixels as its radius."""
    size = max(6, round(radius * 1.08))
    while size > 6 and text.width(letters, size, bold=True) > 2 * radius * 0.86:
        size -= 1
    return size


def paint_badge(pen: Shapes, colour: str, index: int, ghost: bool = False) -> None:
    """Draw a badge of radius 1 without its letters."""
    main = rgb(colour)
    pale = mix(WHITE, main, 0.12)
    if contrast(main, pale) < 1.9:
        pale = mix(main, INK, 0.55)
    if ghost:
        main, pale = mix(main, WHITE, 0.55), mix(pale, WHITE, 0.55)
    _caps(pen, PATTERNS[index % len(PATTERNS)], main, pale)
    band = [(-1.0, -_BAND), (1.0, -_BAND), (1.0, _BAND), (-1.0, _BAND)]
    pen.polygon(band, WHITE)
    edge = 0.07
    for y in (-_BAND, _BAND):
        pen.line([(-1, y), (1, y)], edge, mix(INK, WHITE, 0.5) if ghost else INK)
    pen.keep_inside([(0.99 * math.cos(a / 36 * math.pi), 0.99 * math.sin(a / 36 * math.pi)) for a in range(72)])
    if ghost:
        for start in range(0, 360, 30):
            pen.arc((0, 0), 0.93, start, start + 18, 0.1, INK)
    else:
        pen.ring((0, 0), 1.0, 0.09, INK)


def company_token(
    company: CompanyView, others: Sequence[CompanyView], radius: float, *, ghost: bool = False
) -> Image.Image:
    """The company's token, with letters that tell it from `others`; `radius` is in pixels, a ghost is pale."""
    return token(short_letters(company, others), company.colour, company.index, max(6, round(radius)), ghost)


def _caps(pen: Shapes, pattern: str, main: Rgb, pale: Rgb) -> None:
    """Draw a token's coloured caps; `main` and `pale` differ in lightness, so the pattern shows in greyscale."""
    square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    pen.polygon(square, pale if pattern in ("open",) else main)
    if pattern == "bars":
        for x in (-0.5, 0.0, 0.5):
            pen.line([(x, -1), (x, 1)], 0.22, pale)
    elif pattern == "halves":
        pen.polygon([(0, -1), (1, -1), (1, 1), (0, 1)], pale)
    elif pattern == "ring":
        pen.ring((0, 0), 0.84, 0.16, pale)
    elif pattern == "dots":
        for x, y in ((-0.42, 0.64), (0.0, 0.74), (0.42, 0.64)):
            for side in (-1, 1):
                pen.disc((x, side * y), 0.13, pale)
    elif pattern == "quarters":
        pen.polygon([(0, -1), (1, -1), (1, 0), (0, 0)], pale)
        pen.polygon([(0, 0), (0, 1), (-1, 1), (-1, 0)], pale)
    elif pattern == "slants":
        for x in (-0.9, -0.3, 0.3, 0.9):
            pen.line([(x - 1.0, 1.0), (x + 1.0, -1.0)], 0.2, pale)
    elif pattern == "lines":
        for y in (-0.68, 0.68):
            pen.line([(-1, y), (1, y)], 0.18, pale)
    elif pattern == "open":
        pen.disc((0, 0), 1.0, main)
        pen.disc((0, 0), 0.8, pale)
    elif pattern == "chevron":
        for side in (-1, 1):
            pen.polygon([(-0.45, side * 0.4), (0.45, side * 0.4), (0.0, side * 0.98)], pale)
    elif pattern == "wedge":
        pen.polygon(square, pale)
        for side in (-1, 1):
            pen.polygon([(-0.55, side * 0.4), (0.55, side * 0.4), (0.0, side * 0.98)], main)
    elif pattern == "upper":
        pen.polygon([(-1, 0), (1, 0), (1, 1), (-1, 1)], pale)
    elif pattern == "checks":
        for row, y in enumerate((-0.95, -0.7, 0.45, 0.7)):
            for column in range(5):
                if (row + column) % 2:
                    x = -1 + 0.4 * column
                    pen.polygon([(x, y), (x + 0.4, y), (x + 0.4, y + 0.25), (x, y + 0.25)], pale)
    elif pattern == "lower":
        pen.polygon([(-1, -1), (1, -1), (1, 0), (-1, 0)], pale)


def centre_on(image: Image.Image | Sheet, sprite: Image.Image, at: Point) -> None:
    """Paste a sprite centred on a point of the picture."""
    text.stamp(image, sprite, round(at[0] - sprite.width / 2), round(at[1] - sprite.height / 2))
