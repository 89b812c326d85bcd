"""What is kept of pictures is bounded, all caches together."""

from __future__ import annotations

from collections.abc import Iterator

import drawn_boards as boards
import forgetting
import pytest

import renderer
from renderer import cache


@pytest.fixture
def limit() -> Iterator[int]:
    small = 1 << 20
    cache.limit_all(small)
    yield small
    cache.limit_all(cache.DEFAULT)


@pytest.mark.broad
def test_all_caches_together_keep_to_their_limit(limit: int) -> None:
    for title in ("1889", "1860"):
        for width in (600, 900):  # of which nearly four times as much would be kept
            renderer.map_picture(boards.printed(title, 3), width=width)
    assert 0 < forgetting.held() <= limit


def test_a_lower_limit_drops_what_is_beyond_it() -> None:
    kept: cache.Cache[bytes] = cache.Cache(100)
    for number in range(10):
        kept.put(number, b"", 10)
    kept.resize(35)
    assert kept.total == 30
    assert [number for number in range(10) if kept.get(number) is not None] == [7, 8, 9]


def test_shares_of_all_are_no_more_than_all() -> None:
    assert sum(part for _, part in cache._SHARES) <= 1.0


def test_what_was_just_used_stays_longest() -> None:
    kept = cache.Cache[str](3)
    for key in "abc":
        kept.put(key, key, 1)
    assert kept.get("a") == "a"
    kept.put("d", "d", 1)
    assert [key for key in "abcd" if key in kept] == ["a", "c", "d"]
