"""Facts in sentences."""

from __future__ import annotations

from typing import Any

import pytest

from bot.text.lexicon import Lexicon
from bot.text.narration import narrate
from engine import facts as f
from engine.titles.t1860.wording import WORDING

NAMES = Lexicon("£{}", {"p1": "Ann_1"}, {"BHC": "Brading"}, {"IOW": "Isle of Wight"}, {"F2": "Cowes"}, WORDING)
ANN = r"**Ann\_1**"


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        (
            [f.ParSet("IOW", "p1", 74), f.SharesMoved("IOW", "ipo", "p1", 2, 148)],
            f"{ANN} starts **IOW** at a par of £74 and takes 20 % for £148.",
        ),
        ([f.SharesMoved("IOW", "p1", "ipo", 3, 0)], "30 % of **IOW** goes back to the initial offering."),
        ([f.PrivateSold("BHC", "p1", "bank", 0)], f"{ANN} sells BHC Brading to the bank for £0."),
        ([f.PrivateSold("BHC", "bank", "p1", 30)], f"{ANN} buys BHC Brading for £30."),
        ([f.RightBid("p1", 15)], f"{ANN} bids £15 for the right to choose."),
        ([f.CashMoved("p1", "bank", 15, "bid")], f"{ANN} wins with £15."),
        ([f.CashMoved("credits", "IOW", 30, "subsidy")], "**IOW** receives a subsidy of £30."),
        (
            [f.CompanyChanged("IOW", "insolvent", True)],
            "**IOW** is now insolvent: "
            "it keeps what a leased train earns until it can buy one, and builds only for nothing.",
        ),
        ([f.CompanyChanged("IOW", "insolvent", False)], "**IOW** is no longer insolvent."),
        (
            [f.PresidentChanged("IOW", "p1", "pool")],
            "**IOW** has no president: the president's certificate is in the open market; "
            "in receivership it acts on its own, builds nothing and pays nothing.",
        ),
        ([f.Announced("layer 3")], "*Companies of the third layer can be started.*"),
        ([f.TrainExported("3")], "A 3-train is exported: it leaves the game."),
        (
            [f.BankBroke()],
            "**The bank is broken:** payments go on, and the game ends with this operating round, "
            "in a stock round with the next.",
        ),
    ],
)
def test_what_happened_is_one_sentence(facts: list[Any], line: str) -> None:
    assert narrate(facts, NAMES) == [line]


def test_income_is_told_where_it_was_paid() -> None:
    facts: list[Any] = [
        f.RoundBegan("OR", 1, 1),
        f.CashMoved("bank", "p1", 5, "private income"),
        f.TrainExported("2"),
    ]
    assert narrate(facts, NAMES) == [
        "*Operating round 1.1*",
        f"Private companies pay {ANN} £5.",
        "A 2-train is exported: it leaves the game.",
    ]
