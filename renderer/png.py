"""Finished pictures: a drawn one as PNG with a palette, and those kept that were shown lately."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial, wraps
from typing import ParamSpec

from PIL import Image

from renderer import packing
from renderer.cache import Cache, share_of_all
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
Parameters = ParamSpec("Parameters")
_PICTURES: Cache[Picture] = share_of_all(0.2)


def remembered(draw: Callable[Parameters, Picture]) -> Callable[Parameters, Picture]:
    """Cache the latest pictures by everything they show."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Picture:
        drawing = partial(draw, *args, **kwargs)
        picture = recalled(drawing)
        if picture is None:
            picture = drawing()
            keep(drawing, picture)
        return picture

    return drawn


def recalled(drawing: Drawing) -> Picture | None:
    """The picture, if it was drawn lately, here or by another process that `keep` was told of."""
    return _PICTURES.get(_key(drawing))


def keep(drawing: Drawing, picture: Picture) -> None:
    """Keep a picture, perhaps one that another process has drawn."""
    _PICTURES.put(_key(drawing), picture, len(picture.png))


def _key(drawing: Drawing) -> Hashable:
    given = (*drawing.args, *drawing.keywords.values())
    said = [tuple(value) if isinstance(value, list) else value for value in given]
    return (getattr(drawing.func, "__name__", ""), tuple(drawing.keywords), *said)


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
