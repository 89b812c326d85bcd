"""Forgetting what was drawn, so that it is drawn anew."""

from __future__ import annotations

from renderer import cache, packing, tiles


def parts() -> None:
    """Parts of pictures, in memory."""
    tiles._FOUND.clear()
    packing.DRAWN._kept.clear()


def held() -> int:
    """Bytes that all caches together hold now."""
    return sum(kept.total for kept, _ in cache._SHARES)
