"""A picture of flat colours, such as a card or the market, drawn straight in its palette.

It takes a byte for each pixel, and there are no colours to be reduced in the end. Letters nearly always stand on one
colour: then they are looked up among the shades between the two, which are what reducing would give.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import cast

from PIL import Image, ImageDraw

from renderer.packing import DRAWN
from renderer.palette import Palette
from renderer.pen import Box
from renderer.theme import Rgb


class Sheet:
    """Numbers of colours, and a pen that takes such numbers."""

    def __init__(self, numbers: Image.Image, palette: Palette) -> None:
        self.numbers, self.palette = numbers, palette

    @classmethod
    def blank(cls, size: tuple[int, int], ground: Rgb, palette: Palette) -> Sheet:
        """A sheet of one colour."""
        return cls(Image.new("L", size, palette.number(ground)), palette)

    @cached_property
    def pen(self) -> ImageDraw.ImageDraw:
        """Draws with numbers of colours."""
        return ImageDraw.Draw(self.numbers)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.numbers.size

    @property
    def width(self) -> int:
        return self.numbers.width

    @property
    def height(self) -> int:
        return self.numbers.height

    def number(self, colour: Rgb) -> int:
        """What the pen takes for a colour."""
        return self.palette.number(colour)

    def lay(self, part: Sheet | Image.Image, left: int, top: int) -> None:
        """Cover a part with a sheet in the same palette, or with an RGB picture."""
        self.numbers.paste(part.numbers if isinstance(part, Sheet) else self.palette.reduced(part), (left, top))

    def ink(self, colour: Rgb, left: int, top: int, mask: Image.Image, plain: bytes, ground: Rgb | None = None) -> None:
        """Colour what the mask shows; `plain` are its bytes, `ground` is the one colour below it, if that is known."""
        box = self._within(left, top, mask)
        if box is None:
            return
        low, high = self._colours(box) if ground is None else (self.number(ground),) * 2
        if low == high:
            # Pillow's own look-up, `point`, rounds the whole table each time, which takes longer than all the rest.
            shades = plain.translate(self.palette.shades(low, colour))
            self.numbers.paste(Image.frombuffer("L", mask.size, shades, "raw", "L", 0, 1), (left, top))
        else:
            below = self._below(box)
            below.paste(colour, (left - box[0], top - box[1]), mask)
            self.lay(below, box[0], box[1])

    def stamp(self, sprite: Image.Image, left: int, top: int) -> None:
        """Draw an RGBA sprite over what is there."""
        box = self._within(left, top, sprite)
        if box is not None:
            below = self._below(box)
            below.paste(sprite, (left - box[0], top - box[1]), sprite)
            self.lay(below, box[0], box[1])

    def rgb(self) -> Image.Image:
        return self.palette.restored(self.numbers)

    def _within(self, left: int, top: int, shape: Image.Image) -> Box | None:
        """The box of a shape as far as it is on the sheet, None if it is elsewhere."""
        box = max(0, left), max(0, top), min(self.width, left + shape.width), min(self.height, top + shape.height)
        return box if box[0] < box[2] and box[1] < box[3] else None

    def _colours(self, box: Box) -> tuple[int, int]:
        """The lowest and the highest number in the box."""
        return cast(tuple[int, int], self.numbers.crop(box).getextrema())

    def _below(self, box: Box) -> Image.Image:
        return self.palette.restored(self.numbers.crop(box))


def kept(key: Hashable, palette: Palette, draw: Callable[[], Sheet]) -> Sheet:
    """The sheet that was drawn under this key before, or a new one; the key says all that it shows but its colours."""
    numbers, _, _ = DRAWN.get(("sheet", key, palette.colours), lambda: (draw().numbers, 0, 0))
    return Sheet(numbers, palette)
