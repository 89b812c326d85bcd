"""Points with a single answer where the scenarios and options of 1890 differ, beside those of all titles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from engine.policy import Policy
from engine.titles.t1890.scenarios import C, Scenario

if TYPE_CHECKING:
    from engine.title import Title


@dataclass(frozen=True, slots=True)
class Ways(Policy):
    scenario: Scenario = field(default=C)


def ways(t: Title) -> Ways:
    """The title's policy, which is always of this kind."""
    return cast(Ways, t.policy)
