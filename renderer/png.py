"""Finished pictures: a drawn one as PNG with a palette, and those kept that were shown lately."""

from collections.abc import Callable, Hashable, Iterable, Mapping
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


Parameters = ParamSpec("Parameters")
_PICTURES: Cache[Picture] = share_of_all(0.2)


def remembered(draw: Callable[Parameters, Picture]) -> Callable[Parameters, Picture]:
    """Cache the latest pictures by everything they show."""

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Picture:
        key = _key(draw.__name__, args, kwargs)
        picture = _PICTURES.get(key)
        if picture is None:
            picture = draw(*args, **kwargs)
            _PICTURES.put(key, picture, len(picture.png))
        return picture

    return drawn


def recalled(drawing: Callable[[], Picture]) -> Picture | None:
    """The picture, if it was drawn lately, here or by another process that `keep` was told of."""
    return _PICTURES.get(_key_of(drawing)) if isinstance(drawing, partial) else None


def keep(drawing: Callable[[], Picture], picture: Picture) -> None:
    """Keep a picture that another process has drawn."""
    if isinstance(drawing, partial):
        _PICTURES.put(_key_of(drawing), picture, len(picture.png))


def _key_of(drawing: partial[Picture]) -> Hashable:
    return _key(getattr(drawing.func, "__name__", ""), drawing.args, drawing.keywords)


def _key(name: str, args: Iterable[object], kwargs: Mapping[str, object]) -> Hashable:
    said = [tuple(value) if isinstance(value, list) else value for value in (*args, *kwargs.values())]
    return (name, tuple(kwargs), *said)


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
