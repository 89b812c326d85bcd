"""The picture of one hex, cached by what it shows.

A hex is drawn in two layers, so that routes can go above the track and below the stops.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

from PIL import Image

from engine.views import CompanyView, HexView
from renderer.cache import Kept
from renderer.faces import Look, curve, places, plain_hex
from renderer.hex_art import HexArt

__all__ = ["Look", "curve", "hex_layers", "places", "plain_hex", "whole_hex"]

Packed = tuple[tuple[int, int], bytes, bytes]
Key = tuple[HexView, Look, tuple[CompanyView, ...]]
_KEPT: Kept[Image.Image] = Kept(20 << 20)
_KEPT_LAYERS: Kept[tuple[Image.Image, Image.Image]] = Kept(8 << 20)
_PACKED: Kept[Packed] = Kept(24 << 20)
"""Layers, compressed to a tenth of their size: unpacking one is a hundred times faster than drawing it."""


def whole_hex(
    view: HexView, look: Look, companies: Sequence[CompanyView], *, first_of_group: bool = True
) -> Image.Image:
    """A hex with everything on it: an RGBA image of its bounding box and a one-pixel margin."""
    key = _seen(view, look, companies, first_of_group)
    made = _KEPT.get(key)
    if made is None:
        made = Image.alpha_composite(*hex_layers(view, look, companies, first_of_group=first_of_group))
        _KEPT.put(key, made, made.width * made.height * 4)
    return made


def hex_layers(
    view: HexView, look: Look, companies: Sequence[CompanyView], *, first_of_group: bool = True
) -> tuple[Image.Image, Image.Image]:
    """The same in two layers, with room for routes between: fill, terrain and track; stops, values and words."""
    key = _seen(view, look, companies, first_of_group)
    made = _KEPT_LAYERS.get(key)
    if made is None:
        made = _unpacked(key) or _drawn(key)
        _KEPT_LAYERS.put(key, made, 2 * made[0].width * made[0].height * 4)
    return made


def _drawn(key: Key) -> tuple[Image.Image, Image.Image]:
    art = HexArt(*key)
    ground, top = art.ground(), art.top()
    packed = (ground.size, zlib.compress(ground.tobytes(), 1), zlib.compress(top.tobytes(), 1))
    _PACKED.put(key, packed, len(packed[1]) + len(packed[2]))
    return ground, top


def _unpacked(key: Key) -> tuple[Image.Image, Image.Image] | None:
    packed = _PACKED.get(key)
    if packed is None:
        return None
    size, ground, top = packed
    return (
        Image.frombytes("RGBA", size, zlib.decompress(ground)),
        Image.frombytes("RGBA", size, zlib.decompress(top)),
    )


def _seen(view: HexView, look: Look, companies: Sequence[CompanyView], first_of_group: bool) -> Key:
    """What a hex's picture depends on, which excludes where it is and companies without a token there."""
    shown = {corp for stop in view.stops for corp in (*stop.slots, *stop.reserved)}
    concerned = tuple(company for company in companies if company.id in shown)
    if any(len(company.id) > 4 for company in concerned):
        concerned = tuple(companies)
    seen = replace(view, x=0, y=0)
    if not first_of_group:
        seen = replace(
            seen, name="", name_local="", stops=tuple(replace(stop, tiers=(), value=0) for stop in view.stops)
        )
    return seen, look, concerned


def forget() -> None:
    """Clear the cache (for tests and measurements)."""
    _KEPT.clear()
    _KEPT_LAYERS.clear()
    _PACKED.clear()
