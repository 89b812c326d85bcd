"""Pictures compared: what is read back from a drawn one, and how much two of them differ."""

from __future__ import annotations

import io
from collections.abc import Callable

from PIL import Image, ImageChops

from renderer import Picture

Golden = Callable[[str, Picture], None]
"""Compares a picture with the golden one of this name; a fixture."""

PER_PIXEL = 40
"""Differences of a channel up to this, of 255, are not counted."""
SHARE = 0.004
"""Share of pixels that may differ more."""


def opened(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png)).convert("RGB")


def reduced(picture: Picture) -> Image.Image:
    return opened(picture).reduce(3)


def differing(got: Image.Image, want: Image.Image) -> tuple[float, Image.Image]:
    """(share of pixels that differ visibly, picture of the differences)."""
    if got.size != want.size:
        return 1.0, got
    difference = ImageChops.difference(got, want)
    strongest = difference.convert("L").point([255 if value > PER_PIXEL else 0 for value in range(256)])
    return strongest.histogram()[255] / (got.width * got.height), difference
