"""Text: loading fonts once, making hostile text harmless, measuring, fitting and drawing.

Western letters and digits are in Aileron, which is part of Pillow; other letters (Łódź, Київ, Αθήνα) in Source Sans
from the package font-source-sans-pro; what both lack (¥, arrows, Chinese, Japanese, Korean) in Noto Sans CJK from
noto-cjk-sans-jp-regular. Without these packages the replacements below are used.
"""

import importlib.util
import io
import math
import unicodedata
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from PIL import Image, ImageDraw, ImageFont

from renderer.cache import Cache, share_of_all
from renderer.sheet import Sheet
from renderer.theme import SMALL, Rgb

REPLACEMENTS = {
    "¥": "Y", "£": "L", "€": "E", "→": ">", "←": "<", "↑": "^", "↓": "v", "×": "x", "·": "-", "…": "...", "–": "-",
    "—": "-", "−": "-", "▲": "^", "▼": "v", "▶": ">", "★": "*", "’": "'", "‘": "'", "“": '"', "”": '"', "•": "-",
}  # fmt: skip
"""Replacements for characters that no loaded font has; any others become UNKNOWN."""
UNKNOWN = "?"
NARROW = {"×": "x"}
"""Replacements for characters that only the fallback font has, there as wide as an ideograph."""
LETTERS = "SourceSansPro-Regular.ttf"
EAST_ASIAN = "NotoSansCJKjp-Regular.otf"
_SCALES = {LETTERS: 1.08, EAST_ASIAN: 0.96}
"""With these the fonts look as large as Aileron at the same size."""
_BOLD = 0.026
"""Bold is drawn as a stroke around the regular letters; its width, as a fraction of the size."""
_TRACKING = 0.018
"""How much further apart bold letters are, as a fraction of the size."""
CAP = 0.357
"""Half the height of a capital, as a fraction of the size."""

Font = ImageFont.FreeTypeFont


def packaged_fonts() -> Iterator[Path]:
    """Where the fonts are installed that come in packages."""
    for package, file in (("font_source_sans_pro", f"files/{LETTERS}"), ("noto_cjk_sans_jp_regular", EAST_ASIAN)):
        spec = importlib.util.find_spec(package)
        folders = spec.submodule_search_locations if spec else None
        yield from (path for folder in folders or () if (path := Path(folder, file)).is_file())


@cache
def _sources() -> tuple[bytes | Path, ...]:
    """The fonts, first choice first: the bytes of a small one, the path of a large one, which need not all be read."""
    return latin_font(), *packaged_fonts()


@cache
def latin_font() -> bytes:
    """The file of the font for Latin letters, which comes with Pillow."""
    return cast(Font, ImageFont.load_default(20)).font_bytes


@lru_cache(maxsize=256)
def _font(source: int, size: int) -> Font:
    content = _sources()[source]
    if isinstance(content, bytes):
        return ImageFont.truetype(io.BytesIO(content), size, layout_engine=ImageFont.Layout.BASIC)
    scaled = max(6, round(size * _SCALES[content.name]))
    return ImageFont.truetype(content, scaled, layout_engine=ImageFont.Layout.BASIC)


@cache
def _missing(source: int) -> tuple[tuple[int, int], bytes]:
    mask = _font(source, 24).getmask("\uffff")
    return mask.size, bytes(mask)


@lru_cache(maxsize=8192)
def _source_of(char: str) -> int | None:
    """The first font that has a glyph for the character."""
    for source, content in enumerate(_sources()):
        if char == " ":
            return source
        if isinstance(content, Path) and content.name == LETTERS and not char.isalpha():
            continue  # signs such as arrows are larger in the other
        mask = _font(source, 24).getmask(char)
        if mask.size != (0, 0) and (mask.size, bytes(mask)) != _missing(source):
            return source
    return None


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """The text on one line, with control, format and combining characters dropped and unknown ones replaced.

    Emojis are unknown, too; they are left out where something else remains.
    """
    made, last = [], ""
    for char in map(_clean_char, unicodedata.normalize("NFC", text[:2000])):
        if char and not (char == last and char in (" ", UNKNOWN)):
            made.append(char)
            last = char[-1]
    return "".join(made).strip() or (UNKNOWN if text.strip() else "")


def counted(count: int, word: str) -> str:
    """The word with its count: "1 tile", "2 tiles"."""
    return f"{count} {word}{'' if count == 1 else 's'}"


@lru_cache(maxsize=8192)
def _clean_char(char: str) -> str:
    """What is shown for the character."""
    kind = unicodedata.category(char)
    if kind.startswith("Z") or char in "\t\n\r":
        return " "
    if kind[0] == "C" or kind in ("Mn", "Me"):
        return ""
    if char in NARROW:
        return NARROW[char]
    small_capital = unicodedata.name(char, "").partition("LATIN LETTER SMALL CAPITAL ")[2]
    if len(small_capital) == 1:  # an ornament: fonts have only some of them
        return small_capital
    if _source_of(char) is not None:
        return char
    plain = unicodedata.normalize("NFKC", char)
    if plain != char:  # an ornamental letter, such as 𝓐
        return "".join(map(_clean_char, plain))
    return REPLACEMENTS.get(char, "" if kind in ("So", "Sk") else UNKNOWN)


@lru_cache(maxsize=8192)
def _runs(text: str) -> tuple[tuple[int, str], ...]:
    runs: list[tuple[int, str]] = []
    for char in clean(text):
        source = _source_of(char) or 0
        if runs and (runs[-1][0] == source or char == " "):
            runs[-1] = (runs[-1][0], runs[-1][1] + char)
        else:
            runs.append((source, char))
    return tuple(runs)


@lru_cache(maxsize=16384)
def width(text: str, size: int, bold: bool = False) -> float:
    """The width of the drawn text in pixels."""
    total = sum(_font(source, size).getlength(run) for source, run in _runs(text))
    return total + (len(clean(text)) * _TRACKING + 2 * _BOLD) * size if bold else total


def ellipsized(text: str, size: int, room: float, bold: bool = False) -> str:
    """The text, cut with "…" if it is wider than `room` pixels."""
    text = clean(text)
    if width(text, size, bold) <= room:
        return text
    lengths = range(1, len(text))
    fits = bisect_right(lengths, room, key=lambda length: width(text[:length].rstrip() + "…", size, bold))
    return clean(text[:fits].rstrip() + "…") if fits else ""


def fitted(text: str, size: int, room: float, bold: bool = False, floor: int = SMALL) -> tuple[str, int]:
    """(text, size): in smaller letters, down to `floor`, if it is too wide, and then cut."""
    while size > floor and width(text, size, bold) > room:
        size -= 1
    return ellipsized(text, size, room, bold), size


def two_lines(text: str, size: int, room: float, floor: int = SMALL, bold: bool = False) -> tuple[tuple[str, ...], int]:
    """(lines, size): the text on one line, or on two split at the best space, or cut."""
    text = clean(text)
    words = text.split(" ")
    breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    while True:
        if width(text, size, bold) <= room:
            return (text,), size
        fits = [pair for pair in breaks if max(width(part, size, bold) for part in pair) <= room]
        if fits:
            return min(fits, key=lambda pair: max(width(part, size, bold) for part in pair)), size
        if size <= floor:
            return (ellipsized(text, floor, room, bold),), floor
        size -= 1


def wrapped(text: str, size: int, room: float) -> Iterator[str]:
    """The words in lines of at most `room` pixels; a longer word is cut."""
    line = ""
    for word in clean(text).split(" "):
        longer = f"{line} {word}".strip()
        if line and width(longer, size) > room:
            yield line
            longer = word
        line = ellipsized(longer, size, room)
    if line:
        yield line


def draw(
    image: Image.Image | Sheet,
    x: float,
    y: float,
    text: str,
    size: int,
    fill: Rgb,
    *,
    bold: bool = False,
    align: str = "m",
    halo: Rgb | None = None,
    narrow: float = 1.0,
    ground: Rgb | None = None,
) -> None:
    """Draw one line; (x, y) is its left ("l"), middle ("m") or right ("r") end, at half the height of capitals.

    `narrow` is the share of their width that the letters keep. On a sheet of which all that lies below has one colour,
    it is quicker to name that as the `ground`.
    """
    total = width(text, size, bold) * narrow
    left = x - {"l": 0.0, "m": total / 2, "r": total}[align]
    for colour, stroke in ((halo, round(size * 0.13)), (fill, 0)):
        if colour is None:
            continue
        mask, plain, dx, dy = _mask(text, size, bold, stroke, narrow)
        at = (round(left) - dx, round(y) - dy)
        if isinstance(image, Sheet):
            image.ink(colour, *at, mask, plain, ground)
        elif image.mode == "RGBA":
            # On a transparent layer the colour must not blend with the emptiness below.
            letters = Image.new("RGBA", mask.size, (*colour, 0))
            letters.putalpha(mask)
            stamp(image, letters, *at)
        else:
            image.paste(colour, at, mask)


@lru_cache(maxsize=4096)
def ink(text: str, size: int, bold: bool = False) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn of a line, from the place of its middle, in pixels."""
    mask, _, edge, middle = _mask(text, size, bold, 0)
    left, top, right, bottom = mask.getbbox() or (edge, middle, edge, middle)
    start = edge + width(text, size, bold) / 2
    return left - start, top - middle, right - start, bottom - middle


Mask = tuple[Image.Image, bytes, int, int]
"""What is drawn, as an image and its bytes, and where in it a line or letter begins."""
_MASKS: Cache[Mask] = share_of_all(0.1)


def _mask(text: str, size: int, bold: bool, stroke: int, narrow: float = 1.0) -> Mask:
    """A line as a mask, and where in it its left end is, at half the height of capitals."""
    key = text, size, bold, stroke, narrow
    mask = _MASKS.get(key)
    if mask is None:
        image, left, middle = _drawn_mask(text, size, bold, stroke)
        if narrow < 1:
            image, left = image.resize((max(1, round(image.width * narrow)), image.height)), round(left * narrow)
        mask = _kept_mask(key, image, left, middle)
    return mask


def _kept_mask(key: Hashable, image: Image.Image, left: int, top: int) -> Mask:
    plain = image.tobytes()
    # An image made of bytes has no other memory.
    made = Image.frombuffer("L", image.size, plain, "raw", "L", 0, 1), plain, left, top
    _MASKS.put(key, made, len(plain) + 500)
    return made


def _drawn_mask(text: str, size: int, bold: bool, stroke: int) -> tuple[Image.Image, int, int]:
    edge = stroke + 3
    total = width(text, size, bold)
    # Letters such as Å rise above the capitals, and those such as g hang below, by about half their size.
    mask = Image.new("L", (int(total) + 2 * edge + 2, 2 * size + 2 * edge), 0)
    middle = size + edge
    left = edge + (size * _BOLD if bold else 0)
    thick = stroke + (size * _BOLD if bold else 0)
    # A baseline on a whole pixel keeps the letters crisp.
    base = round(middle + size * CAP)
    for source, run in _runs(text):
        for char, after in zip(run, (*run[1:], ""), strict=True):
            steps = round(left * _STEPS)
            letter, _, dx, dy = _letter(char, source, size, thick, steps % _STEPS)
            mask.paste(255, (steps // _STEPS + dx, base + dy), letter)
            left += _advance(char + after, source, size) + (_TRACKING * size if bold else 0)
    box = mask.getbbox()
    if box is None:
        return mask, edge, middle
    # Pasting takes time by area, and more than half of the line is empty.
    return mask.crop(box), edge - box[0], middle - box[1]


_STEPS = 4
"""Places within a pixel at which a letter can begin."""


@lru_cache(maxsize=8192)
def _advance(pair: str, source: int, size: int) -> float:
    """How far it is from the first letter to the second."""
    font = _font(source, size)
    return font.getlength(pair) - (font.getlength(pair[1:]) if len(pair) > 1 else 0)


def _letter(char: str, source: int, size: int, thick: float, step: int) -> Mask:
    """A letter as a mask, and its left and top from where it begins. Kept: few letters make all words."""
    key = char, source, size, thick, step
    letter = _MASKS.get(key)
    if letter is None:
        edge = math.ceil(thick) + size
        font = _font(source, size)
        mask = Image.new("L", (math.ceil(font.getlength(char)) + 2 * edge, 2 * size + 2 * edge), 0)
        start = (edge + step / _STEPS, size + edge)
        ImageDraw.Draw(mask).text(start, char, font=font, fill=255, anchor="ls", stroke_width=thick)
        box = mask.getbbox() or (edge, size + edge, edge, size + edge)
        letter = _kept_mask(key, mask.crop(box), box[0] - edge, box[1] - size - edge)
    return letter


def stamp(image: Image.Image | Sheet, sprite: Image.Image, left: int, top: int) -> None:
    """Paste an RGBA sprite onto a sheet, an RGB picture or an RGBA layer, clipped to it."""
    if isinstance(image, Sheet):
        image.stamp(sprite, left, top)
    elif image.mode == "RGBA":
        layer = Image.new("RGBA", image.size)
        layer.paste(sprite, (left, top))
        image.alpha_composite(layer)
    else:
        image.paste(sprite, (left, top), sprite)
