"""Actions and files that nobody should send: refused in a sentence, nothing changed, in bounded time and memory."""

from __future__ import annotations

from itertools import islice

import fuzz_actions
import fuzz_records as files
import pytest
from fuzz_actions import Fault, Report, attempt, positions

from engine import TITLES, Refused
from engine.actions import Pass
from engine.ids import PlayerId

EACH = 400


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_nonsense_is_refused_in_a_sentence_and_changes_nothing(title: str) -> None:
    report = Report()
    chance = fuzz_actions.random.Random(title)
    for (built, state), _ in zip(positions(title, 5, 200), range(10), strict=False):
        fuzz_actions.batch(built, state, chance, report, EACH)
    assert report.tried == 10 * EACH
    assert sum(report.refused.values()) > 300
    assert len(report.refused) > 10
    assert sum(report.without_rule.values()) == 0


@pytest.mark.slow
def test_a_million_actions_are_refused_in_a_sentence() -> None:
    assert fuzz_actions.run(1_000_000, 7).tried >= 1_000_000


def test_an_answer_that_is_no_sentence_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    built, state = next(positions("1889", 5, 60))
    monkeypatch.setattr(fuzz_actions, "judge", lambda title, state, action: Refused(action, "R", "no"))
    with pytest.raises(Fault, match="was answered with 'no'"):
        attempt(built, state, Pass(PlayerId("p1")), Report())


@pytest.mark.long
def test_damaged_records_are_refused_with_the_reason() -> None:
    report = files.run(250, 3)
    assert report.imported < 200
    assert len(report.reasons) > 15


@pytest.mark.slow
def test_ten_thousand_damaged_records_are_refused_with_the_reason() -> None:
    assert files.run(10_000, 4).tried == 10_000


@pytest.mark.parametrize("number", range(14))
@pytest.mark.long
def test_garbage_of_every_size_is_refused_with_the_reason(number: int) -> None:
    report = files.Report()
    files.attempt(next(islice(files.garbage(), number, None)), report)
    assert report.tried == 1
    assert report.imported == 0
