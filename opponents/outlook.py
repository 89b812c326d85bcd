"""What is foreseen: of a company, and of everybody's worth. Plain records."""

from dataclasses import dataclass, field

from engine.ids import CorpId


@dataclass(slots=True)
class Prospect:
    """What a company promises."""

    paid: float
    """Dividends of a share until the end, with what they may bring when invested."""
    price: float
    """Its price at the end."""
    owed: float
    """What its president must pay for trains."""
    soon: float
    """What of that he must pay before long."""
    due: int
    """The operating round from now in which he must first pay; NEVER if in none."""
    income: float
    """Revenue of its next turn."""
    left: int
    """Money in the treasury at the end."""


@dataclass(slots=True)
class Outcome:
    """The worth of each seat, and what it is made of."""

    worth: list[float]
    owed: list[float]
    """What each seat must pay for trains."""
    firms: dict[CorpId, Prospect] = field(default_factory=dict)
