"""Names of people as Discord gives them, made harmless for messages, pictures and files."""

from __future__ import annotations

import re
import unicodedata

from discord.utils import escape_markdown

LONGEST_NAME = 32
MOST_MARKS = 2
"""Accents on one letter; more would let a name write over other lines."""
_PINGS = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "'", "#": "＃"})


def clean_name(text: str, otherwise: str = "") -> str:
    """The name on one line, at most 32 characters, without invisible or direction-changing characters or mentions.

    If nothing is left, `otherwise` is used, and "Player" if nothing is left of that.
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text[:400]):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] == "Z" or letter in "\n\r\t":
            kept.append(" ")
        elif kind[0] != "C" and marks <= MOST_MARKS:
            kept.append(letter)
    name = re.sub(r" +", " ", "".join(kept).translate(_PINGS)).strip()[:LONGEST_NAME].rstrip()
    if name and any(unicodedata.category(letter)[0] not in "MZ" for letter in name):
        return name
    return clean_name(otherwise) if otherwise else "Player"


def bold(name: str) -> str:
    """The name, made harmless, in bold."""
    return f"**{escape_markdown(clean_name(name))}**"
