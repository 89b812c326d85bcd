"""Notices as the outbox holds them: what is read is what was queued, also as earlier releases wrote it."""

import json

import pytest

from bot.core.notices import (
    AnyNotice,
    ArchivedNotice,
    BoardNotice,
    FollowNotice,
    LateNotice,
    OfferNotice,
    RingNotice,
    SayNotice,
    TurnNotice,
    UndoNotice,
    VoteNotice,
    queued,
    read_notice,
)

NOTICES: tuple[tuple[AnyNotice, str, str], ...] = (
    (TurnNotice("p1:SR:AR:17"), "turn:p1:SR:AR:17", "table"),
    (TurnNotice("p1:SR:AR:17", again=True), "turn:p1:SR:AR:17", "table"),
    (OfferNotice("p2", '{"do": "BuyTrain"}'), "offer:p2", "offers"),
    (UndoNotice(17, (1, 2)), "undo:17", "table"),
    (VoteNotice("pace", (1,), by=2), "vote:pace", "table"),
    (SayNotice("Hello.", (1,), by=2), "say", "table"),
    (SayNotice("It is open.", (1,), "open:p2", "opened"), "seat:open:p2", "table"),
    (FollowNotice(4, "A train rusts."), "follow:4", "watch 4"),
    (BoardNotice(4), "board:4", "watch 4"),
    (RingNotice(1, "It is your turn.", dm=True, turns=("a", "b"), pings=(("a", "turn", "{}"),)), "ring", "dm 1"),
    (RingNotice(1, "It is your turn.", dm=False), "ring", "table"),
    (LateNotice("p2", (1, 3)), "late:p2", "table"),
    (ArchivedNotice(), "archived", "table"),
)


@pytest.mark.parametrize(("notice", "kind", "lane"), NOTICES, ids=lambda one: one if isinstance(one, str) else "")
def test_what_is_read_is_what_was_queued(notice: AnyNotice, kind: str, lane: str) -> None:
    row = queued(notice)
    assert (row.kind, row.lane) == (kind, lane)
    assert read_notice(row.kind, row.body) == notice


def test_what_earlier_releases_queued_is_still_read() -> None:
    assert read_notice("late:p2", json.dumps({"seat": "p2", "ping": [1]})) == LateNotice("p2", (1,))
    assert read_notice("offer:p2", json.dumps({"action": "x"})) == OfferNotice("p2", "x")
    assert read_notice("follow:4", json.dumps({"user": 1, "channel": 0, "text": "x"})) == FollowNotice(4, "x")
    assert read_notice("turn:p1:SR::0", '{"again": true}') == TurnNotice("p1:SR::0", again=True)
