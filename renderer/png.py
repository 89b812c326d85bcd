"""Finished pictures: a drawn one as PNG with a palette."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from PIL import Image

from renderer import packing
from renderer.palette import Palette, palette_of
from renderer.sheet import Sheet
from renderer.theme import Rgb


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: PNG bytes, size in pixels, and a description for those who cannot see it."""

    png: bytes
    width: int
    height: int
    alt: str


Drawing = partial[Picture]
"""A picture still to be drawn: a function of the renderer with its views, which another process can be sent."""


def finished(
    image: Image.Image | Sheet, alt: str, company_colours: Iterable[str] = (), own_colours: Iterable[Rgb] = ()
) -> Picture:
    """Pack an RGB image, or a sheet in its own palette.

    `own_colours` are further ones that only this kind of picture has.
    """
    palette = image.palette if isinstance(image, Sheet) else palette_for(company_colours, own_colours)
    numbers = image.numbers if isinstance(image, Sheet) else palette.reduced(image)
    return Picture(packing.png(numbers, palette.colours), image.width, image.height, alt)


def palette_for(company_colours: Iterable[str], own_colours: Iterable[Rgb] = ()) -> Palette:
    """The palette of a picture on which these companies are shown."""
    return palette_of(tuple(sorted(set(company_colours))), tuple(own_colours))
