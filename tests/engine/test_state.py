"""Copies of a position share nothing that rules change in place."""

from __future__ import annotations

from dataclasses import fields
from typing import get_origin, get_type_hints

from engine import State, build, start


def test_a_copy_has_containers_of_its_own() -> None:
    t = build("1889", 3)
    s = start(t, ("Ann", "Ben", "Cho"))
    s.bids["A"] = {"p1": 20}
    new, hints = s.copy(), get_type_hints(State)
    in_place = [field.name for field in fields(State) if get_origin(hints[field.name]) in (dict, list)]
    assert {"cash", "shares", "bids", "facts"} <= set(in_place)
    for name in in_place:
        old, copied = getattr(s, name), getattr(new, name)
        assert old is not copied, name
        assert old == copied, name
        if isinstance(old, dict):
            assert all(copied[key] is not value for key, value in old.items() if isinstance(value, dict)), name


def test_a_copy_is_equal_but_has_no_facts() -> None:
    t = build("1860", 3)
    s = start(t, ("Ann", "Ben", "Cho"))
    s.facts.append("something")  # type: ignore[arg-type]
    new = s.copy()
    assert new.facts == []
    s.facts.clear()
    assert new == s
