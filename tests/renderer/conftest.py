"""Golden pictures: compared a third of the size, with tolerance; see docs/pictures.md for how to renew them."""

import io
import os
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
PER_PIXEL = 40
"""Differences of a channel up to this, of 255, are not counted."""
SHARE = 0.004
"""Share of pixels that may differ more."""


def opened(picture):
    return Image.open(io.BytesIO(picture.png)).convert("RGB")


def reduced(picture):
    return opened(picture).reduce(3)


def differing(got, want):
    """(share of pixels that differ visibly, picture of the differences)."""
    if got.size != want.size:
        return 1.0, got
    difference = ImageChops.difference(got, want)
    strongest = difference.convert("L").point([255 if value > PER_PIXEL else 0 for value in range(256)])
    return strongest.histogram()[255] / (got.width * got.height), difference


@pytest.fixture
def golden():
    """Compare a picture with the golden one of this name; `TETSUDO_GOLDEN=renew` writes it instead."""

    def check(name, picture):
        got = reduced(picture)
        path = HERE / "golden" / f"{name}.png"
        if os.environ.get("TETSUDO_GOLDEN") == "renew":
            path.parent.mkdir(exist_ok=True)
            got.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
            return
        want = Image.open(path).convert("RGB")
        share, difference = differing(got, want)
        if share > SHARE:
            failures = HERE / "failures"
            failures.mkdir(exist_ok=True)
            for kind, image in (("got", got), ("want", want), ("diff", difference)):
                image.save(failures / f"{name}-{kind}.png")
            pytest.fail(f"{name}: {share:.2%} of the pixels differ; see {failures}")

    return check
