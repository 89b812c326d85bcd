"""Something that is done and then taken back, so that another can be tried from the same position."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from storage import Store
from storage.db import _OPEN


class Undone(Exception):
    """What was tried is rolled back."""


def see_what_is_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads within a transaction see what it has written so far."""
    committed = store._db.all

    async def present(sql: str, *values: Any) -> Any:
        tx = _OPEN.get(None)
        return await (committed(sql, *values) if tx is None else tx.all(sql, *values))

    monkeypatch.setattr(store._db, "all", present)


async def taken_back(store: Store, work: Callable[[], Awaitable[None]]) -> None:
    """Do this in a transaction, and roll that back."""

    async def undone() -> None:
        await work()
        raise Undone()

    with pytest.raises(Undone):
        await store.together(undone)
