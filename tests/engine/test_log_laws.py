"""Undo and redo in the log, for any order of rows."""

from __future__ import annotations

import pytest
from counted import Counted
from hypothesis import given
from hypothesis import strategies as st

from engine import Entry, last_undo, live_actions
from engine.actions import Pass

ROWS = st.lists(
    st.one_of(
        st.just(("action", None)),
        st.just(("undo", None)),
        st.just(("redo", None)),
        st.tuples(st.just("undo"), st.integers(0, 40)),
    ),
    max_size=40,
)


def log(rows: list[tuple[str, int | None]]) -> list[Entry]:
    action = Pass("p1")
    return [
        Entry(index + 1, kind, action if kind == "action" else None, target)
        for index, (kind, target) in enumerate(rows)
    ]


def seqs(entries: list[Entry]) -> list[int]:
    return [entry.seq for entry in live_actions(entries)]


@pytest.mark.long
@given(ROWS)
def test_what_is_live_are_actions_in_order(rows: list[tuple[str, int | None]]) -> None:
    live = seqs(log(rows))
    assert live == sorted(set(live))
    assert {rows[seq - 1][0] for seq in live} <= {"action"}


@pytest.mark.long
@given(ROWS)
def test_undo_takes_back_the_last_and_redo_brings_it_again(rows: list[tuple[str, int | None]]) -> None:
    before = seqs(log(rows))
    assert seqs(log([*rows, ("undo", None)])) == before[:-1]
    assert seqs(log([*rows, ("undo", None), ("redo", None)])) == before or not before
    assert seqs(log([*rows, ("undo", 0)])) == []


@pytest.mark.long
@given(ROWS, st.integers(0, 45))
def test_undo_to_an_entry_keeps_what_came_up_to_it(rows: list[tuple[str, int | None]], target: int) -> None:
    before = seqs(log(rows))
    assert seqs(log([*rows, ("undo", target)])) == [seq for seq in before if seq <= target]


@pytest.mark.long
@given(ROWS)
def test_an_action_ends_all_redoing(rows: list[tuple[str, int | None]]) -> None:
    entries = log([*rows, ("action", None)])
    assert last_undo(entries) is None
    assert seqs(entries)[-1] == len(entries)
    assert seqs([*entries, Entry(len(entries) + 1, "redo")]) == seqs(entries)


@given(ROWS)
@pytest.mark.broad
def test_there_is_an_undo_to_take_back_where_a_redo_changes_anything(rows: list[tuple[str, int | None]]) -> None:
    changes = seqs(log([*rows, ("redo", None)])) != seqs(log(rows))
    undo = last_undo(log(rows))
    assert (undo is not None) == changes
    assert undo is None or rows[undo - 1][0] == "undo"


@pytest.mark.long
@given(ROWS)
def test_as_many_redos_as_undos_restore_everything(rows: list[tuple[str, int | None]]) -> None:
    """A plain list with a cursor gives the same answer where every undo takes back one action."""
    done: list[int] = []
    cursor = 0
    for index, (kind, _) in enumerate(rows):
        if kind == "action":
            done[cursor:] = [index + 1]
            cursor += 1
        elif kind == "undo":
            cursor = max(cursor - 1, 0)
        else:
            cursor = min(cursor + 1, len(done))
    assert seqs(log([(kind, None) for kind, _ in rows])) == done[:cursor]


def test_each_undo_costs_little_however_long_the_log() -> None:
    action, length, turns = Pass("p1"), 2000, 500
    entries = [Entry(Counted(seq), "action", action) for seq in range(1, length + 1)]
    for number in range(turns):
        entries.append(Entry(length + 2 * number + 1, "undo", None, Counted(length - 1)))
        entries.append(Entry(length + 2 * number + 2, "redo"))
    Counted.compared = 0
    live_actions(entries)
    assert 0 < Counted.compared <= turns * 12  # the logarithm of the length, and one
