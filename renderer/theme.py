"""Colours and proportions of all pictures; nothing else in the renderer names a colour or a size.

Lengths "of R" are fractions of a hex side; all others are pixels in the finished picture.
"""

from functools import cache

Rgb = tuple[int, int, int]
Fill = Rgb | tuple[int, int, int, int]
CLEAR = (0, 0, 0, 0)


@cache
def rgb(colour: str) -> Rgb:
    """Red, green and blue of "#rrggbb"; mid-grey for anything else, so that no bad colour can stop a picture."""
    digits = colour.lstrip("#")
    try:
        if len(digits) != 6:
            raise ValueError
        return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
    except ValueError:
        return 128, 128, 128


def mix(first: Rgb, second: Rgb, share: float) -> Rgb:
    """The colour `share` of the way from the first to the second."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(first, second, strict=True))
    return r, g, b


def luminance(colour: Rgb) -> float:
    """Relative luminance, 0 black to 1 white."""

    def channel(value: int) -> float:
        part = value / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    r, g, b = colour
    return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)


def contrast(first: Rgb, second: Rgb) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


LETTERS = 4.5
"""The least contrast of letters with what they stand on."""


@cache
def faded(ink: Rgb, ground: Rgb, share: float) -> Rgb:
    """The ink this share of the way to its ground, or as far as it can be read."""
    while share > 0 and contrast(mix(ink, ground, share), ground) < LETTERS:
        share -= 0.01
    return mix(ink, ground, max(0.0, share))


INK = rgb("#1b1f24")
PAPER = rgb("#fbf8f0")
WHITE = rgb("#ffffff")
SOFT_INK = rgb("#565b63")
"""Secondary text."""
FAINT = rgb("#d9d4c6")
"""Table rules and frames."""
BAND = rgb("#f1ecdf")
"""Every other table row."""
HEAD = rgb("#24384a")
"""Heading background; its text is PAPER."""
SEA = rgb("#b9d4e0")
VALUE_FILL = rgb("#fffdf6")
"""Background of ringed numbers."""
SHORE = (rgb("#c4dce6"), rgb("#d3e6ec"), rgb("#e3f0f2"))
"""Water, closer and closer to the coast."""
LAND = rgb("#e6e1d2")
"""What surrounds a map that is not of islands."""
FOOTHILLS = (rgb("#e2dccb"), rgb("#dcd5c2"), rgb("#d3cbb5"))
"""Shadow, closer and closer to the map."""
GLOW = rgb("#c4007a")
"""The latest changes, and whose turn it is."""
GLOW_SOFT = rgb("#ff9bd8")
UP_ROW = rgb("#ffe3f3")
"""Row background of whoever must decide."""
RIVER = rgb("#1f66c1")
BLOCKED = rgb("#8a3b12")

HEX_FILL: dict[str, Rgb] = {
    "white": rgb("#f4efdf"),
    "yellow": rgb("#fbdc55"),
    "green": rgb("#7cc27a"),
    "brown": rgb("#bf8048"),
    "gray": rgb("#c3c6cc"),
    "red": rgb("#e35870"),
    "blue": rgb("#7397d0"),
}
HEX_LINE: dict[str, Rgb] = {
    "white": rgb("#c9c0a4"),
    "yellow": rgb("#a98a16"),
    "green": rgb("#4b7f35"),
    "brown": rgb("#734418"),
    "gray": rgb("#70747c"),
    "red": rgb("#8f2437"),
    "blue": rgb("#46699f"),
}
TIER_FILL: dict[str, Rgb] = {
    "yellow": HEX_FILL["yellow"],
    "green": HEX_FILL["green"],
    "brown": HEX_FILL["brown"],
    "gray": rgb("#cfd1d6"),
    "diesel": rgb("#3c4148"),
}

# The palette of Okabe and Ito, darkened where needed: distinct under the common kinds of colour blindness.
ROUTE_COLOURS = tuple(
    map(rgb, ("#d0021b", "#0057c2", "#007a4d", "#8a00b8", "#c25700", "#00788a", "#5b4a00", "#3a3a3a"))
)
ROUTE_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (0.34, 0.16),
    (0.10, 0.10),
    (0.34, 0.10, 0.09, 0.10),
    (0.60, 0.14),
    (0.20, 0.09),
    (0.34, 0.08, 0.08, 0.08, 0.08, 0.08),
    (0.09, 0.19),
)
"""Lengths on and off, of R; empty is solid. A route's pattern continues from hex to hex."""

CURVE_COLOURS = tuple(map(rgb, ("#0057c2", "#b8860b", "#a4000f", "#000000", "#2f9fd0", "#7f7f7f", "#663366")))
"""Of players and of parts in charts: far apart for everybody, whichever cones they lack; the seventh is of 1890."""

TRACK_WIDTH = 1 / 7
CASING = 1 / 40
BARRIER = 0.15
"""A side that cannot be crossed."""
TOWN_BAR = (1 / 3, 1 / 8.5)
TOWN_DOT = 1 / 8.5

ZONE_TINTS = tuple(map(rgb, ("#f7d774", "#eeae6a", "#c79a74", "#e59a94", "#b7b9c6")))
"""Tints of market zones, in the title's order."""
ZONE_BY_NAME: dict[str, Rgb] = {
    "no_cert": rgb("#fbe08a"),
    "no_cert_no_cap": rgb("#e0994f"),
    "closed": rgb("#8f9299"),
    "bankrupt": rgb("#8f9299"),
    "red letter": rgb("#f2aec4"),
    "red": rgb("#f2aec4"),
    "end": rgb("#9cc3e6"),
}
CELL = rgb("#fdfbf4")
CELL_LINE = rgb("#b8b09a")
PAR_FRAME = rgb("#0057c2")

SMALL = 15
"""The smallest letters."""

PHONE_WIDTH = 1000
"""Width of pictures whose letters are chosen for the phone, in pixels; there they are shown 350 wide."""
PHONE_FIGURE = 38
"""What has digits in such a picture: digits are 10 pixels high where it is 350 wide, 16 at 550."""
PHONE_WORDS = 30
"""Labels and headings, which have no digits."""
