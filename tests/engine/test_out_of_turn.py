"""What may be done by who is not asked: nothing but what is listed here, in every title."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import TITLES, BadAction, Title, build

OUT_OF_TURN = {
    "1889": {"discard DiscardTrain", "EndGame", "ExchangePrivate", "LayPowerTile"},
    "1888": {"discard DiscardTrain", "EndGame"},
    "1860": {"EndGame", "ExchangePrivate"},
    "1890": {"discard DiscardTrain", "EndGame", "ExchangePrivate"},
}
WITH_OPTION = {
    ("1889", "beginner"): {"discard DiscardTrain", "EndGame"},
    ("1860", "variable_privates"): {"ClosePrivate", "EndGame"},
}


def out_of_turn(t: Title) -> Iterator[str]:
    steps = [step for part in t.rounds.values() for step in part.steps] + list(t.interrupts.values())
    for step in steps:
        yield from (f"{step.name} {verb.action.__name__}" for verb in step.verbs if verb.anybody)
    yield from (verb.action.__name__ for verb in t.anytime if verb.anybody)


@pytest.mark.parametrize("title", TITLES)
def test_only_these_are_open_to_those_who_are_not_asked(title: str) -> None:
    for option in ("", *TITLES[title].options):
        try:
            t = build(title, 3, [option] if option else [])
        except BadAction:  # for two players only
            continue
        assert set(out_of_turn(t)) == WITH_OPTION.get((title, option), OUT_OF_TURN[title]), option
