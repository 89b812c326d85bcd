"""The summary in the ledgers' README is what their marks say: departures from 18xx.games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

LEDGERS = Path(__file__).parents[1] / "engine" / "ledgers"
README = (LEDGERS / "README.md").read_text()
TITLES = ("1889", "1888", "1860", "1890")
LINE = re.compile(r"^- \*\*\d{4}-([A-Z]+-\d\d[a-z]?)\*\* (.*(?:\n  - .*)*)$", re.MULTILINE)


def lines(title: str) -> dict[str, str]:
    """Each rule's line with its details, by the rest of its ID, in the ledger's order."""
    return dict(LINE.findall((LEDGERS / f"{title}.md").read_text()))


def listed(heading: str, title: str) -> list[str]:
    """What the README lists of the title below the heading."""
    below = README[README.index(heading) :]
    found = re.search(rf"^- {title}: (.*)$", below.partition("\n\n")[0], re.MULTILINE)
    return found[1].split(", ") if found else []


@pytest.mark.parametrize("title", TITLES)
def test_every_departure_from_18xx_games_is_listed(title: str) -> None:
    assert listed("IDs that differ", title) == [rule for rule, line in lines(title).items() if "≠X" in line]


@pytest.mark.parametrize("title", TITLES)
def test_whatever_online_changes_is_marked_as_a_departure(title: str) -> None:
    ledger = lines(title)
    online = next((line for line in ledger.values() if line.startswith("`online`")), "")
    touched = re.findall(r"\{(?:off|changes): ([^}]*)\}", online)
    area, unmarked = "", []
    for rule in ", ".join(touched).split(", ") if touched else ():
        area = rule.partition("-")[0] or area
        name = f"{area}-{rule.partition('-')[2]}"
        unmarked += [] if "≠X" in ledger[name] else [name]
    assert not unmarked


def test_what_online_does_not_follow_is_listed() -> None:
    kept = [
        f"{title}-{rule}"
        for title in TITLES
        for line in lines(title).values()
        if (found := re.search(r"[Nn]ot followed: (.*)", line))
        for rule in re.findall(r"\(([A-Z]+-\d\d)\)", found[1])
    ]
    said = re.search(r"with `online` too \([^)]*\): (.*)\.", README)
    assert said is not None
    assert said[1].split(", ") == kept


@pytest.mark.parametrize("title", TITLES)
def test_the_conflicts_are_numbered(title: str) -> None:
    numbers = re.findall(r"^\| (\d+) \|", (LEDGERS / f"{title}.md").read_text(), re.MULTILINE)
    assert len(numbers) == len(set(numbers))
