"""What has a sign (an emoji of the bot's) beside its words: the key of each, of which its emoji's name is made."""

from __future__ import annotations

import re

from engine.views import CompanyView


def of_company(company: CompanyView) -> str:
    """A company's token: companies of two titles may share letters, but then not their looks."""
    return f"c_{_plain(company.id)}_{company.colour.lstrip('#')}_{company.index}"


def of_train(rank: str) -> str:
    """A train."""
    return f"t_{_plain(rank.replace('+', 'p'))}"


def of_tile(colour: str) -> str:
    """The colour of a tile."""
    return f"h_{colour}"


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", name)
