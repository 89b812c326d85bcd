"""Positions as JSON: whatever a title keeps is written and read, and positions of other versions are read too."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from engine import TITLES, build, start
from engine.plain import plain, reader
from engine.state import Own
from engine.stored import state_of
from engine.titles.t1860.own import Auction, Own1860
from engine.titles.t1888n.own import Own1888
from engine.titles.t1890.own import Own1890

FULL: dict[type[Own], dict[str, Any]] = {
    Own: {},
    Own1888: {"first_tile": "C4", "second_due": True},
    Own1860: {
        "auction": Auction({"p1": 20, "p2": 5}, ("p3",)),
        "layer": 3,
        "insolvent": ("IOW",),
        "bankrupt": ("FYN", "C&N"),
        "closed": ("S&C",),
        "no_limits": True,
        "southern": "over",
        "british": True,
        "paid": {"IOW": 30},
        "destinations": ("IOW G5",),
        "kept_values": {"BHC": "p2"},
        "bought": "IOW",
        "new_priority": True,
        "laid": ("J4", "J6"),
        "ran": True,
        "subsidy": 10,
    },
    Own1890: {
        "closed": ("M1",),
        "face_zero": ("C",),
        "uncounted": ("M5",),
        "passage": ("Sanyo",),
        "expo": True,
        "declared": ("M2",),
        "formed": True,
        "special_turn": True,
        "incremental": ("Keihan",),
        "laid": "F9",
        "raised": 90,
        "quaked": True,
        "quake": True,
        "damages": {"p1": 300},
        "face_down": ("Hankyu",),
        "beside": {"F9": ("Hankyu", "Sanyo")},
    },
}


@pytest.mark.parametrize("title_id", TITLES)
def test_every_field_that_a_title_keeps_comes_back(title_id: str) -> None:
    t = build(title_id, 3)
    s = start(t, ("Ann", "Ben", "Cho"))
    full = FULL[t.own]
    assert set(full) == {field.name for field in fields(t.own)}
    assert all(value != getattr(t.own(), name) for name, value in full.items()), "otherwise a lost one is not noticed"
    s.own = replace(s.own, **full)
    again = state_of(t, s.names, json.loads(json.dumps(s.to_dict())))
    assert again.own == s.own
    assert type(again.own) is t.own


def test_fields_of_another_version_are_left_out_and_missing_ones_have_defaults() -> None:
    t = build("1860", 3)
    s = start(t, ("Ann", "Ben", "Cho"))
    s.own, s.passes = replace(s.own, layer=3, british=True), 2  # type: ignore[call-arg]
    body = s.to_dict()
    body["once"], body["own"]["once"] = "known", 1
    del body["passes"], body["own"]["british"]
    again = state_of(t, s.names, body)
    assert (again.passes, again.own) == (0, replace(s.own, british=False))  # type: ignore[call-arg]
    del body["own"]
    assert state_of(t, s.names, body).own == t.own()


@dataclass(frozen=True)
class Odd:
    either: tuple[int, ...] | int = 0


def test_types_that_json_does_not_tell_apart_are_refused() -> None:
    assert plain(Odd((1, 2))) == {"either": [1, 2]}
    for hint in (tuple[int, ...] | int, list[int], float):
        with pytest.raises(TypeError):
            reader(hint)
