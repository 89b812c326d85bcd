"""What 18xx.games calls the things in each title, where its names differ from ours."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from engine import PrivateId, Title

# That program's linear congruential generator.
_FACTOR, _ADDEND, _MODULUS = 1103515245, 12345, 2**31


@dataclass(frozen=True)
class Dialect:
    """Names of one title in its records. `privates` maps ours to theirs; titles and companies are called the same."""

    options: Mapping[str, str]
    """Our options by the record's optional rules; every record is played with `online` besides."""
    privates: Mapping[PrivateId, str] = field(default_factory=dict)
    otherwise: Mapping[str, str] = field(default_factory=dict)
    """Optional rules of theirs that our standard game follows, with our option that leaves them out."""
    wholes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Optional rules of theirs that say as much as these together, some of which are unknown here by themselves."""
    phases: Mapping[str, str] = field(default_factory=dict)
    """Their names of phases by ours, where they differ."""
    subsidies: bool = False
    """Whether its routes state what they bring the treasury itself."""
    credits: int = 0
    """What that program's bank holds beside the players' money, for companies that have a purse of their own here."""

    def ours(self, rules: Collection[str]) -> set[str]:
        """Our options for a record's optional rules; ValueError names the first that is unknown."""
        for whole, parts in self.wholes.items():
            if whole in rules or set(parts) <= set(rules):
                rules = [whole, *(rule for rule in rules if rule not in (whole, *parts))]
        unknown = [rule for rule in rules if rule not in self.options and rule not in self.otherwise]
        if unknown:
            parts = next((parts for parts in self.wholes.values() if unknown[0] in parts), ())
            others = " and ".join(rule for rule in parts if rule != unknown[0])
            raise ValueError(unknown[0] + (f" without {others}" if others else ""))
        named = {option for rule, option in self.options.items() if rule in rules}
        return {"online"} | named | {option for rule, option in self.otherwise.items() if rule not in rules}

    def theirs(self, options: Collection[str]) -> list[str]:
        """Their optional rules for our options."""
        named = [rule for rule, option in self.options.items() if option in options]
        return named + [rule for rule, option in self.otherwise.items() if option not in options]

    def known(self) -> set[str]:
        """Our options that have a counterpart there."""
        return {*self.options.values(), *self.otherwise.values()}

    def deal(self, title: Title, seed: int) -> tuple[PrivateId, ...]:
        """Which private each seat was dealt: that program draws a number for each in turn and sorts by it."""
        drawn: dict[PrivateId, int] = {}
        for private in title.privates:
            seed = (_FACTOR * seed + _ADDEND) % _MODULUS
            drawn[private] = seed
        return tuple(sorted(drawn, key=lambda private: drawn[private]))

    def seed_for(self, title: Title, dealt: tuple[PrivateId, ...]) -> int:
        """A seed that deals the privates like this."""
        return next(seed for seed in range(_MODULUS) if self.deal(title, seed) == dealt)

    def private(self, ours: PrivateId) -> str:
        """That program's name of a private."""
        return self.privates.get(ours, ours)

    @cached_property
    def our_privates(self) -> dict[str, PrivateId]:
        """Our ids of privates by that program's names."""
        return {theirs: ours for ours, theirs in self.privates.items()}


DIALECTS: dict[str, Dialect] = {
    "1860": Dialect(
        options={
            "two_player_map": "small_map",
            "original_insolvency": "original_insolvency",
            "simplified_insolvency": "simplified_insolvency",
            "original_game": "first_edition",
            "re_enter_hexes": "reenter_hexes",
            "non_operated_full_value": "full_price_unoperated",
        },
        wholes={"original_game": ("two_player_map", "original_insolvency", "no_skip_towns")},
        subsidies=True,
        credits=10_000,
    ),
    "1889": Dialect(
        options={"beginner_game": "beginner"},
        privates={
            PrivateId(ours): theirs
            for ours, theirs in zip("ABCDEFG", ("TR", "MF", "ER", "SMR", "DR", "SIR", "UTF"), strict=True)
        },
    ),
    "1888": Dialect(
        options={},
        otherwise={"north": "prototype"},
        wholes={"north": ("north", "small_bank")},  # its bank and float, chosen apart in older games
        phases={"1": "2", "7": "D"},
        subsidies=True,
    ),
}
