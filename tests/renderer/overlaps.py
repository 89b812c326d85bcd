"""What the words and signs on a hex cover, measured on what is drawn and not by the code that finds room for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageChops, ImageDraw

from engine.board.hexes import Layout
from engine.views import BoardView, HexView
from renderer import atoms, text
from renderer.geometry import Point, corners, direction, half_size, side_ends
from renderer.hex_art import HexArt
from renderer.hex_ground import TERRAIN
from renderer.hex_plan import HexLook
from renderer.pen import Pen
from renderer.theme import BARRIER, INK, TRACK_WIDTH

TOUCHES = 3
"""Pixels that may meet where both edges are smoothed."""


@dataclass(frozen=True)
class Label:
    """Something written or drawn beside the track, with a mask of the room that it fills."""

    words: str
    mask: Image.Image


def overlaps(view: HexView, look: HexLook) -> list[str]:
    """What covers what on one hex: labels over track, stops, rivers or the hex's side, and over one another."""
    return found_on(HexArt(view, look))


def found_on(art: HexArt) -> list[str]:
    """The same on a hex with everything placed."""
    labels = _labels(art)
    found = []
    for name, drawn in _geometry(art).items():
        found += [f"{label.words} over {name}" for label in labels if _meet(label.mask, drawn)]
    for i, one in enumerate(labels):
        found += [
            f"{one.words} over {other.words}"
            for other in labels[:i]
            if not _row(one, other) and _meet(one.mask, other.mask)
        ]
    return [f"{art.view.id} ({art.view.tile or 'printed'}): {words}" for words in found]


def of_board(view: BoardView, radius: int, *, local_names: bool = False) -> list[str]:
    """All that is covered on a board, drawn with `radius` pixels for a hex's side."""
    look = HexLook(view.layout, radius, local_names=local_names)
    return [words for hex_view in view.hexes for words in overlaps(hex_view, look)]


def _meet(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.darker(one, other).histogram()[255] > TOUCHES


def _row(one: Label, other: Label) -> bool:
    """Whether both are boxes of one stop's values, which touch."""
    return one.words.startswith("tier") and other.words.startswith("tier")


def _size(art: HexArt) -> tuple[int, int]:
    """The size of the layer that a pen draws on, in pixels."""
    wide, high = (2 * math.ceil(side * art.look.radius + 1) for side in half_size(art.layout))
    return wide, high


def _pixel(art: HexArt, at: Point) -> Point:
    wide, high = _size(art)
    return wide / 2 + at[0] * art.look.radius, high / 2 + at[1] * art.look.radius


def _solid(pen: Pen) -> Image.Image:
    """A mask of what the pen has drawn: 255 where more of a pixel is drawn than not."""
    return pen.finished().getchannel("A").point([0] * 128 + [255] * 128)


@cache
def _beyond(layout: Layout, radius: int, size: tuple[int, int]) -> Image.Image:
    """A mask of what lies outside the hex."""
    mask = Image.new("L", size, 255)
    at = [(size[0] / 2 + x * radius, size[1] / 2 + y * radius) for x, y in corners(layout)]
    ImageDraw.Draw(mask).polygon(at, fill=0)
    return mask


def _geometry(art: HexArt) -> dict[str, Image.Image]:
    """Masks of what must stay in sight."""
    found = {"the side": _beyond(art.layout, art.look.radius, _size(art))}
    half = half_size(art.layout)
    if art.curves:
        track = Pen(art.look.radius, half)
        for a, b, line in art.curves:
            if any(end >= 6 and art.view.stops[end - 6].kind == "offboard" for end in (a, b)):
                atoms.stub(track, direction(art.layout, min(a, b)), TRACK_WIDTH, INK)
            else:
                track.line(line, TRACK_WIDTH, INK)
        found["track"] = _solid(track)
    if art.view.stops:
        stops = Pen(art.look.radius, half)
        for i, (stop, place) in enumerate(zip(art.view.stops, art.places, strict=True)):
            if stop.kind == "city":
                atoms.city(stops, place, max(1, len(stop.slots)))
            elif stop.kind in ("town", "halt"):
                atoms.town(stops, place, sum(6 + i in pair for pair in art.view.track), halt=stop.kind == "halt")
        found["a stop"] = _solid(stops)
    if art.view.impassable:
        rivers = Pen(art.look.radius, half)
        for side in art.view.impassable:
            rivers.line(side_ends(art.layout, side), BARRIER, INK)
        found["a river"] = _solid(rivers)
    return found


def _labels(art: HexArt) -> list[Label]:
    """Everything written, and the symbols that are not the ground of an empty hex."""
    framed = [("value " + value, at, half, min(half)) for at, half, value, _ in art.values]
    framed += [("a cost's plate", at, half, 0.03) for at, half in art.plates]
    for at, _, boxes in art.tiers:
        framed += [(f"tier {box.value}", (at[0] + box.at[0], at[1] + box.at[1]), box.half, 0.0) for box in boxes]
    found = [Label(words, _frame(art, at, half, round_by)) for words, at, half, round_by in framed]
    frames = list(found)
    for at, words, size, _, bold, _ in art.texts:
        mask = _written(art, at, words, size, bold)
        if not any(_covers(frame.mask, mask) for frame in frames):
            found.append(Label(repr(words), mask))
    for kind, at, across in art.signs:
        if kind not in TERRAIN or not art.empty:
            pen = Pen(art.look.radius, half_size(art.layout))
            atoms.sign(pen, kind, at, across, atoms.CLEAR)
            found.append(Label(f"sign {kind}", _boxed(_solid(pen))))
    return found


def _frame(art: HexArt, at: Point, half: Point, round_by: float) -> Image.Image:
    """A filled box with round corners, as large as it is drawn."""
    mask = Image.new("L", _size(art), 0)
    (left, top), (right, bottom) = (_pixel(art, (at[0] + way * half[0], at[1] + way * half[1])) for way in (-1, 1))
    ImageDraw.Draw(mask).rounded_rectangle((left, top, right - 1, bottom - 1), round_by * art.look.radius, fill=255)
    return mask


def _written(art: HexArt, at: Point, words: str, size: int, bold: bool) -> Image.Image:
    page = Image.new("RGB", _size(art), "white")
    text.draw(page, *_pixel(art, at), words, size, (0, 0, 0), bold=bold)
    return _boxed(page.convert("L").point([255] * 128 + [0] * 128))


def _boxed(mask: Image.Image) -> Image.Image:
    """The box around what is drawn, filled."""
    whole = Image.new("L", mask.size, 0)
    box = mask.getbbox()
    if box is not None:
        whole.paste(255, box)
    return whole


def _covers(one: Image.Image, other: Image.Image) -> bool:
    return ImageChops.subtract(other, one).histogram()[255] <= TOUCHES
