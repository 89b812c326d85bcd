"""Which shards a process serves, how fast it may talk, and when a session may begin."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from bot.settings import SettingsError, from_environment
from bot.shards import Wanted, read_shards
from bot.ui.pace import WINDOW, Pace
from bot.ui.sessions import APART, OwnSlots, Sessions

TOKEN = {"DISCORD_TOKEN": "a.b.c"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", None),
        ("0-3/16", Wanted((0, 1, 2, 3), 16, shared=True)),
        ("15/16", Wanted((15,), 16, shared=True)),
        (" auto ", Wanted(shared=True)),
        ("AUTO/32", Wanted(count=32, shared=True)),
    ],
)
def test_the_setting_names_shards(text: str, wanted: Wanted | None) -> None:
    assert read_shards(text) == wanted
    assert from_environment(TOKEN | {"TETSUDO_SHARDS": text}).shards == wanted


@pytest.mark.parametrize("text", ["0-16/16", "3-1/16", "16", "0/0", "auto/0", "auto/x", "-1/4", "0-3/16,5/16", "all"])
def test_shards_that_cannot_be_are_named_in_a_sentence(text: str) -> None:
    with pytest.raises(SettingsError, match=r"TETSUDO_SHARDS is .* such as 0-3/16"):
        from_environment(TOKEN | {"TETSUDO_SHARDS": text})


class Hand:
    """The time, which goes on only while somebody sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        for module in ("bot.ui.pace", "bot.ui.sessions"):
            monkeypatch.setattr(f"{module}.time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr("bot.ui.pace.asyncio", SimpleNamespace(sleep=self._slept, Lock=asyncio.Lock))

    async def _slept(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    return Hand(monkeypatch)


async def test_no_more_requests_begin_in_a_second_than_the_share_allows(hand: Hand) -> None:
    pace = Pace(20)
    pace.share(0.5)
    assert pace.allowed == 9
    began: list[float] = []

    async def one() -> None:
        await pace.wait()
        began.append(hand.now)

    await asyncio.gather(*(one() for _ in range(20)))
    for at in began:
        assert sum(1 for other in began if at <= other < at + 1) <= 9
    assert began[-1] - began[0] == pytest.approx(2 * WINDOW)


async def test_without_a_limit_of_ours_nothing_waits(hand: Hand) -> None:
    pace, began = Pace(0), hand.now
    for _ in range(1000):
        await pace.wait()
    assert hand.now == began


def test_the_smallest_share_is_one_request() -> None:
    pace = Pace(50)
    pace.share(0)
    assert pace.allowed == 1


@pytest.mark.usefixtures("hand")
async def test_sessions_of_one_bucket_are_apart_and_others_are_not() -> None:
    slots = OwnSlots()
    assert await slots.next_in(0, APART) == 0
    assert await slots.next_in(1, APART) == 0
    assert await slots.next_in(0, APART) == APART
    assert await slots.next_in(0, APART) == 2 * APART


async def test_discord_is_asked_once_for_sessions_that_follow_one_another() -> None:
    asked = 0

    async def gateway() -> tuple[int, str, dict[str, int]]:
        nonlocal asked
        asked += 1
        return 4, "", {"total": 1000, "remaining": 900, "reset_after": 1000, "max_concurrency": 16}

    sessions = Sessions(gateway)
    assert await sessions.recommended() == 4
    for shard in range(4):
        await sessions.may_begin(shard)
    assert asked == 1


async def test_the_last_sessions_of_a_day_are_left_alone() -> None:
    left = iter([10, 10, 1000])

    async def gateway() -> tuple[int, str, dict[str, int]]:
        return 1, "", {"total": 1000, "remaining": next(left), "reset_after": 20, "max_concurrency": 1}

    await Sessions(gateway).may_begin(0)
    assert next(left, None) is None
