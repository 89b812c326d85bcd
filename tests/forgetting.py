"""Forgetting what was drawn, so that it is drawn anew."""

from __future__ import annotations

from renderer import cache, png, tiles


def pictures() -> None:
    png._PICTURES.clear()


def parts() -> None:
    """Parts of pictures, in memory."""
    tiles._OPEN.clear()
    tiles._FOUND.clear()
    cache.DRAWN.clear()


def held() -> int:
    """Bytes that all caches together hold now."""
    return sum(kept.total for kept, _ in cache._SHARES)
