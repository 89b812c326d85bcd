"""Films: the map and the market, change by change, as an animated GIF, which every client plays.

A GIF stores of each picture the rectangle that differs from the one before, and of that only what differs; the rest is
transparent. All pictures share the palette of the still ones. Pictures are drawn and packed one at a time.
"""

import io
from collections.abc import Iterator, Sequence

from PIL import GifImagePlugin, Image, ImageChops

from engine.views import StillView
from renderer import text
from renderer.map import draw_board, stacked, whole
from renderer.market import draw_market, market_height
from renderer.palette import palette_of
from renderer.strips import draw_title
from renderer.theme import INK, PAPER

WIDTH = 800
LARGEST = 8 << 20
"""Bytes that everybody may post."""
SHOWN, LAST_SHOWN = 900, 4000
"""Milliseconds of a picture, and of the last one."""
MOST_SECONDS = 150
"""A longer film shows each picture for less, but at least QUICKEST."""
QUICKEST = 350
_CLEAR = 255
"""The colour that stands for what stays as it is."""
_CAPTION, _LINE, _LINES = 24, 34, 2


def film(stills: Sequence[StillView], *, largest: int = LARGEST) -> bytes:
    """The film as GIF, 800 pixels wide; if it would be too large, narrower, and in the end with fewer pictures."""
    assert stills
    made = b""
    while True:
        for width in (WIDTH, 640, 480):
            made = _packed(stills, width)
            if len(made) <= largest:
                return made
        if len(stills) < 3:
            return made
        stills = [*stills[:-1:2], stills[-1]]


def _packed(stills: Sequence[StillView], width: int) -> bytes:
    pace = max(QUICKEST, min(SHOWN, 1000 * MOST_SECONDS // len(stills)))
    out = io.BytesIO()
    before: Image.Image | None = None
    for number, frame in enumerate(_frames(stills, width)):
        lasts = LAST_SHOWN if number == len(stills) - 1 else pace
        if before is None:
            header, _ = GifImagePlugin.getheader(frame.copy(), info={"loop": 0, "optimize": False})
            out.write(b"".join(header))
            parts = GifImagePlugin.getdata(frame, duration=lasts, disposal=1)
        else:
            change, corner = _change(before, frame)
            parts = GifImagePlugin.getdata(change, corner, duration=lasts, disposal=1, transparency=_CLEAR)
        out.write(b"".join(parts))
        before = frame
    out.write(b";")
    return out.getvalue()


def _change(before: Image.Image, now: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """What of a picture is to be drawn over the one before, and where its upper left corner lies."""
    old, new = _numbers(before), _numbers(now)
    differs = ImageChops.difference(old, new).point([0] + [255] * 255)
    box = differs.getbbox() or (0, 0, 1, 1)
    clear = Image.new("L", (box[2] - box[0], box[3] - box[1]), _CLEAR)
    clear.paste(new.crop(box), mask=differs.crop(box))
    change = Image.frombytes("P", clear.size, clear.tobytes())
    change.putpalette(now.getpalette() or [])
    return change, (box[0], box[1])


def _numbers(image: Image.Image) -> Image.Image:
    """The numbers of the colours as grey values."""
    return Image.frombytes("L", image.size, image.tobytes())


def _frames(stills: Sequence[StillView], width: int) -> Iterator[Image.Image]:
    """The pictures in the film's palette, all of one size, since the market grows where tokens crowd."""
    first = stills[0]
    window = whole(first.board, width)
    market = max(market_height(one.market, width) for one in stills)
    palette = palette_of(tuple(sorted({company.colour for company in first.board.companies})), size=_CLEAR)
    for one in stills:
        paper = Image.new("RGB", (width, market), PAPER)
        paper.paste(draw_market(one.market, width), (0, 0))
        picture = stacked(
            [
                draw_title(one.board.title, one.board.round, one.board.phase, width),
                _caption(one.caption, width),
                draw_board(one.board, window, one.board.changed),
                paper,
            ],
            palette,
        )
        yield palette.coloured(picture.numbers)


def _caption(words: str, width: int) -> Image.Image:
    strip = Image.new("RGB", (width, _LINE * _LINES + 12), PAPER)
    lines = list(text.wrapped(words, _CAPTION, width - 28))
    shown = lines[:_LINES]
    if len(lines) > _LINES:
        shown[-1] = text.ellipsized(f"{shown[-1]} …", _CAPTION, width - 28)
    for number, line in enumerate(shown):
        text.draw(strip, 14, 6 + _LINE * (number + 0.5), line, _CAPTION, INK, align="l")
    return strip
