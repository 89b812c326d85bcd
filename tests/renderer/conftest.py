"""Golden pictures: compared a third of the size, with tolerance; see docs/pictures.md for how to renew them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from comparing import SHARE, Golden, differing, reduced  # noqa: E402 (its folder must be known first)

from renderer import Picture  # noqa: E402


@pytest.fixture
def golden() -> Golden:
    """Compare a picture with the golden one of this name; `TETSUDO_GOLDEN=renew` writes it instead."""

    def check(name: str, picture: Picture) -> None:
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
            pytest.fail(f"{name}: {share:.2%} of the pixels differ; see {failures}, and TETSUDO_GOLDEN=renew")

    return check
