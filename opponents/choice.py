"""What a player of the program answers: an action, what it is thought to be worth, and why, as data."""

from dataclasses import dataclass, field
from typing import Literal

from engine.actions import Action

Why = Literal[
    "only", "runs", "outlook", "costs", "leaves", "rounds", "rust", "worth", "rivals", "contribution", "value", "price",
    "starts", "buys", "gets", "looked", "later", "habit", "trainless", "firsts", "range",
]  # fmt: skip
"""What a figure is about; `docs/opponents.md` lists them."""


SENSELESS = -1e6
"""The score of what is not thought worth doing."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One figure that speaks for or against an action. `before` is the figure without it, where there is one."""

    why: Why
    amount: int
    before: int | None = None
    what: str = ""
    """The company, private or rank of trains that it is about."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An action with its score; scores of one decision can be compared with each other, in whole money."""

    action: Action
    score: float
    reasons: tuple[Reason, ...] = field(default=())

    @property
    def purpose(self) -> Reason | None:
        """Of a sale, what it is for in the same turn; None if it is for nothing in particular."""
        return next((one for one in self.reasons if one.why in ("starts", "buys", "gets")), None)

    @property
    def sensible(self) -> bool:
        """Whether it is thought worth doing at all."""
        return self.score > SENSELESS / 2


def best_first(choices: list[Choice]) -> list[Choice]:
    """The choices by score; of equal ones that which was offered first comes first."""
    return sorted(choices, key=lambda choice: -choice.score)
