"""Amounts of money as people write them."""

from __future__ import annotations

import re

from bot.core.errors import TableError
from engine.action_json import LARGEST


def read_amount(text: str) -> int:
    """Parse a whole number as people write it: "1,100" or "¥85". Raises TableError."""
    digits = re.sub(r"[\s,_'’]", "", text).lstrip("¥£$€")
    if not re.fullmatch(r"[+-]?\d{1,12}", digits) or abs(int(digits)) > LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number.")
    return int(digits)
