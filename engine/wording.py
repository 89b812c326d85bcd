"""What a title's own things are called for people, beside the common words that bot and pictures have.

A title needs an entry only for what no other title has: its own steps, announcements and ways to end.
"""

from collections.abc import Mapping
from dataclasses import field

from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """A title's own words."""

    tasks: Mapping[str, str] = field(default_factory=dict)
    """By step: what is asked, after "your turn: "."""
    subjects: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By step and private or company: the company that people read the step is about, where that is another."""
    passes: Mapping[str, str] = field(default_factory=dict)
    """By step: what the button says that passes."""
    skips: Mapping[str, str] = field(default_factory=dict)
    """By step: what somebody did who passed, after the name: "lays no second tile"."""
    exchanges: Mapping[str, str] = field(default_factory=dict)
    """By private: what the button says that exchanges it, where that is no plain exchange for a share."""
    exchanged: Mapping[str, str] = field(default_factory=dict)
    """By private: a sentence about what such an exchange leads to, when its turn comes."""
    rolls: Mapping[str, str] = field(default_factory=dict)
    """By `DieRolled.why`: a sentence with {value}, for what is no die."""
    announcements: Mapping[str, str] = field(default_factory=dict)
    """By `Announced.what`: a sentence."""
    endings: Mapping[str, str] = field(default_factory=dict)
    """By the reason of `GameEnded`: a sentence."""
    states: Mapping[str, str] = field(default_factory=dict)
    """By what a company has become ("insolvent", or "leaderless" without a president): what that means, a clause."""
    head: str = "president"
    """What whoever runs a company is called."""
    headship: str = "presidency"
    """What they have, and can lose."""
    after_bank: str = "the game ends with this set of operating rounds or, in a stock round, with the next"
    """What follows when the bank has broken: a clause."""
    after_price: str = "the game ends after this turn"
    """What follows when a share price has reached the last one: a clause."""
    company_money: str = "treasury"
    """What a company's money is called."""
    stop: str = "stop"
    """What a route is told by how many of: something else where trains pass some without stopping."""
    company_kinds: Mapping[str, str] = field(default_factory=dict)
    """By kind of company with limits of its own: what these are called together."""

    def called(self, sentence: str) -> str:
        """The sentence, which speaks of presidents, with what this title calls them. Nobody's name may be in it yet."""
        if self.head == COMMON.head:
            return sentence
        plural = "presidencies", f"{self.headship}s"
        for common, own in (plural, (COMMON.headship, self.headship), (COMMON.head, self.head)):
            sentence = sentence.replace(common, own).replace(common.capitalize(), own.capitalize())
        return sentence


COMMON = Wording()
"""The words of a title without its own."""
