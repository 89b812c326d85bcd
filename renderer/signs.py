"""Signs: small square pictures of what lists and sentences speak of, readable on light and on dark ground.

A company's token, a train, and the colour of a tile, each a PNG of 128 pixels with a transparent ground.
"""

import io
import math
from collections.abc import Sequence

from PIL import Image

from engine.views import CompanyView
from renderer import text
from renderer.pen import Pen
from renderer.theme import HEX_FILL, INK, WHITE
from renderer.tokens import company_token

SIDE = 128
_RADIUS = SIDE // 2 - 1
_RIM = 0.09
"""A white rim around what is dark, as a fraction of half the side: it is seen on dark ground."""


def company_sign(company: CompanyView, others: Sequence[CompanyView]) -> bytes:
    """The company's token, with a white rim."""
    pen = Pen(_RADIUS, (1.0, 1.0))
    pen.disc((0, 0), 1.0, WHITE)
    made = pen.finished()
    token = company_token(company, others, _RADIUS * (1 - _RIM))
    made.alpha_composite(token, ((made.width - token.width) // 2, (made.height - token.height) // 2))
    return _png(made)


def train_sign(rank: str) -> bytes:
    """A train as cards show it: its rank in a box."""
    pen = Pen(_RADIUS, (1.0, 1.0))
    pen.box((0, 0), (0.98, 0.78), 0.2, WHITE, (INK, 0.1))
    made = pen.finished()
    size = next(size for size in range(92, 5, -2) if size == 6 or text.width(rank, size, bold=True) <= made.width * 0.8)
    text.draw(made, made.width / 2, made.height / 2, rank, size, INK, bold=True)
    return _png(made)


def tile_sign(colour: str) -> bytes:
    """A hex in a colour of tiles."""
    pen = Pen(_RADIUS, (1.0, 1.0))
    for radius, fill in ((1.0, WHITE), (0.93, INK), (0.85, HEX_FILL[colour])):
        corners = [math.radians(60 * corner) for corner in range(6)]
        pen.polygon([(radius * math.cos(one), radius * math.sin(one)) for one in corners], fill)
    return _png(pen.finished())


def _png(drawn: Image.Image) -> bytes:
    square = Image.new("RGBA", (SIDE, SIDE))
    square.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    found = io.BytesIO()
    square.save(found, "PNG", optimize=True)
    return found.getvalue()
