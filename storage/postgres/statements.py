"""Statements as PostgreSQL numbers their values."""

from __future__ import annotations

import re
from functools import lru_cache

_MARK = re.compile(r"\?(\d*)")


@lru_cache(maxsize=1000)
def numbered(sql: str) -> str:
    """SQLite's `?` and `?1` as `$1`. As there, a bare `?` follows the greatest number before it."""
    last = 0

    def number(mark: re.Match[str]) -> str:
        nonlocal last
        here = int(mark[1]) if mark[1] else last + 1
        last = max(last, here)
        return f"${here}"

    return _MARK.sub(number, sql)
