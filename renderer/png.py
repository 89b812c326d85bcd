"""Turning a drawn picture into PNG bytes, with a palette where that makes no visible difference."""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from typing import ParamSpec

from PIL import Image

from renderer import theme
from renderer.cache import Kept, share_of_all
from renderer.theme import INK, PAPER, WHITE, Rgb, mix, rgb


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture: PNG bytes, size in pixels, and a description for those who cannot see it."""

    png: bytes
    width: int
    height: int
    alt: str


Parameters = ParamSpec("Parameters")
_PICTURES: Kept[Picture] = share_of_all(0.2)


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


def forget() -> None:
    """Clear the cache (for tests and measurements)."""
    _PICTURES.clear()


def finished(
    image: Image.Image, alt: str, company_colours: Iterable[str] = (), own_colours: Iterable[Rgb] = ()
) -> Picture:
    """Pack an RGB image. Theme and company colours fix the palette, so no time is spent searching for one.

    `own_colours` are further ones that only this kind of picture has.
    """
    palette = palette_of(tuple(sorted(set(company_colours))), tuple(own_colours))
    small = image.quantize(palette=palette, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    # Level 6 takes twice as long, for a sixth less.
    small.save(packed, "PNG", compress_level=3)
    return Picture(packed.getvalue(), image.width, image.height, alt)


@lru_cache(maxsize=64)
def palette_of(company_colours: tuple[str, ...], own_colours: tuple[Rgb, ...] = (), size: int = 256) -> Image.Image:
    """256 colours: the theme's, and steps between those that meet at edges; `size` limits how many differ."""
    plain = [value for value in vars(theme).values() if _is_rgb(value)]
    plain += [*theme.SHORE, *theme.FOOTHILLS, *theme.ROUTE_COLOURS, *theme.ZONE_TINTS, *theme.ZONE_BY_NAME.values()]
    fills = [*theme.HEX_FILL.values(), *theme.TIER_FILL.values()]
    companies = [rgb(colour) for colour in company_colours[:16]]
    wanted: dict[Rgb, None] = {}

    def want(colours: Iterable[Rgb]) -> None:
        for colour in colours:
            near = any(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) < 9 for other in wanted)
            if not near and len(wanted) < size:
                wanted[colour] = None

    want((INK, WHITE, PAPER))
    want(companies)
    want(own_colours)
    want(fills)
    want(plain)
    want(theme.HEX_LINE.values())
    for share in (0.5, 0.25, 0.75):
        want(mix(WHITE, INK, share) for _ in (0,))
        want(mix(fill, INK, share) for fill in dict.fromkeys(fills))
    want(mix(fill, WHITE, 0.5) for fill in fills)
    for share in (0.5, 0.62, 0.3):
        want(mix(colour, WHITE, share) for colour in companies)
        want(mix(colour, INK, share) for colour in companies)
    want(mix(colour, theme.SEA, 0.5) for colour in (INK, *theme.HEX_LINE.values()))
    want(mix(WHITE, INK, step / 12) for step in range(1, 12))
    want(
        mix(colour, WHITE, 0.5) for colour in (*theme.ROUTE_COLOURS, theme.GLOW, theme.RIVER, theme.BLOCKED, theme.HEAD)
    )
    want(mix(colour, fill, 0.5) for colour in (theme.GLOW, theme.GLOW_SOFT) for fill in fills)
    values = [part for colour in wanted for part in colour]
    made = Image.new("P", (1, 1))
    made.putpalette(values + list(INK) * (256 - len(wanted)))
    return made


def _is_rgb(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, int) for part in value)
