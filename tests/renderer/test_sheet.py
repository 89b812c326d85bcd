"""Sheets, drawn straight in their palette, look like pictures that are reduced to it; packing loses nothing."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
from pathlib import Path

import forgetting
import pytest
from PIL import Image, ImageChops

from renderer import packing, text
from renderer.png import palette_for
from renderer.sheet import Sheet, kept
from renderer.theme import BAND, GLOW, HEAD, INK, PAPER, SOFT_INK, WHITE, Rgb

ROOT = Path(__file__).parents[2]
PALETTE = palette_for(("#d81e3e", "#4b8b3b"))


def worst(first: Image.Image, second: Image.Image) -> int:
    """The largest difference of a channel."""
    return max(high for _, high in ImageChops.difference(first, second).getextrema())  # type: ignore[misc]


@pytest.mark.parametrize(("ground", "ink"), [(PAPER, INK), (HEAD, PAPER), (BAND, GLOW), (WHITE, SOFT_INK)])
def test_letters_on_one_colour_look_as_if_they_were_reduced(ground: Rgb, ink: Rgb) -> None:
    sheet = Sheet.blank((300, 60), ground, PALETTE)
    plain = sheet.rgb()  # of the palette's colour nearest to the ground
    for image in (sheet, plain):
        text.draw(image, 150, 30, "¥1,040 of Ōzu", 38, ink, bold=True)
    assert sheet.rgb().tobytes() == PALETTE.restored(PALETTE.reduced(plain)).tobytes()


def test_letters_across_two_colours_leave_both_grounds() -> None:
    sheet, plain = Sheet.blank((300, 60), PAPER, PALETTE), Image.new("RGB", (300, 60), PAPER)
    sheet.pen.rectangle((0, 30, 300, 60), fill=sheet.number(HEAD))
    plain.paste(HEAD, (0, 30, 300, 60))
    for image in (sheet, plain):
        text.draw(image, 150, 30, "Tokushima", 38, GLOW)
    assert worst(sheet.rgb(), PALETTE.restored(PALETTE.reduced(plain))) == 0


@pytest.mark.parametrize("at", [(0, 0), (300, 60), (150, -2), (-400, 30)])
def test_what_sticks_out_of_a_sheet_is_cut(at: tuple[int, int]) -> None:
    sheet, plain = Sheet.blank((300, 60), PAPER, PALETTE), Image.new("RGB", (300, 60), PAPER)
    disc = Image.new("RGBA", (40, 40), (*GLOW, 255))
    for image in (sheet, plain):
        text.draw(image, *at, "Kōchi", 38, INK)
        text.stamp(image, disc, at[0] - 20, at[1] - 20)
    assert worst(sheet.rgb(), PALETTE.restored(PALETTE.reduced(plain))) == 0


def test_a_kept_sheet_comes_back_as_it_was_and_is_drawn_once() -> None:
    forgetting.parts()
    drawn = []

    def draw() -> Sheet:
        drawn.append(1)
        sheet = Sheet.blank((120, 50), PAPER, PALETTE)
        text.draw(sheet, 60, 25, "par", 30, INK)
        return sheet

    first, again = kept("par", PALETTE, draw), kept("par", PALETTE, draw)
    assert len(drawn) == 1
    assert again.rgb().tobytes() == first.rgb().tobytes()
    kept("par", palette_for(("#000001",)), draw)
    assert len(drawn) == 2  # its numbers mean other colours


def test_a_packed_picture_is_a_png_of_these_very_colours() -> None:
    sheet = Sheet.blank((301, 77), PAPER, PALETTE)
    text.draw(sheet, 150, 38, "Øresund 120", 38, INK)
    file = packing.png(sheet.numbers, PALETTE.colours)
    with Image.open(io.BytesIO(file)) as image:
        image.verify()
    with Image.open(io.BytesIO(file)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "P", (301, 77))
        assert image.convert("RGB").tobytes() == sheet.rgb().tobytes()


WITHOUT = """
import sys, io, hashlib
sys.modules["isal"] = None
from PIL import Image
from renderer import packing
image = Image.frombytes("L", (64, 64), bytes(range(256)) * 16)
with Image.open(io.BytesIO(packing.png(image, bytes(range(256)) * 3))) as found:
    print(packing.compress.__module__, hashlib.sha256(found.tobytes()).hexdigest())
print(packing.decompress(packing.compress(b"rails" * 99, packing.LEVEL)) == b"rails" * 99)
"""


@pytest.mark.long
def test_without_the_fast_library_pictures_are_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=True)
    whole = hashlib.sha256(bytes(range(256)) * 16).hexdigest()
    assert done.stdout.split() == ["zlib", whole, "True"]
