"""The four scenarios: how many play, with what money, map, companies and trains. {1890-SET}"""

from collections.abc import Mapping
from dataclasses import replace

from engine.errors import BadAction
from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PrivateId
from engine.powers import Blocks
from engine.printed import Corporation, HexDef, Private
from engine.titles.t1890 import printed
from engine.titles.t1890.map import HEXES, WEST, YODO

SHORT_CASH = {2: 750, 3: 500, 4: 375}
LONG_CASH = {2: 1260, 3: 840, 4: 630, 5: 504, 6: 420, 7: 360}
"""1890-SET-04"""
SHORT_LIMIT = {2: 16, 3: 12, 4: 10}
LONG_LIMIT = {2: 26, 3: 18, 4: 15, 5: 13, 6: 11, 7: 10}
"""1890-SET-05"""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What one of the scenarios puts on the table."""

    name: str
    bank: int
    cash: Mapping[int, int]
    """Of each player, by number of players."""
    cert_limit: Mapping[int, int]
    turns: int
    """Number of the last game turn."""
    hexes: Mapping[HexId, HexDef]
    public: tuple[CorpId, ...]
    offered: tuple[str, ...]
    """Privates and minors in offering order."""
    trains: Mapping[str, int]
    late: tuple[PrivateId, ...] = ()
    company_rules: bool = False
    """Whether the particulars of Hanshin and Hankyu apply."""
    forms_kinki: bool = False
    """Whether Kinki is formed out of minors."""
    prices: Mapping[PrivateId, tuple[int, int]] | None = None
    """Values and incomes of privates that differ."""
    bare: tuple[PrivateId, ...] = ()
    """Privates without their particular powers: they only close hexes."""


_SHORT_TRAINS = {"2": 5, "3": 4, "4": 3, "5": 2, "6": 1}
_LONG_TRAINS = {"2+2": 3, "3": 5, "4": 4, "5": 3, "6": 2, "D": 6}
_WESTERN = (printed.JR, printed.SANYO, printed.HANSHIN, printed.HANKYU)
_ALL = tuple(sym for sym, corp in printed.CORPORATIONS.items() if corp.certificate is None)

A = Scenario(
    "Hanshin Railways", 6000, SHORT_CASH, SHORT_LIMIT, 10, WEST, _WESTERN, ("A", "B", "E", "D", "F", "M5"),
    _SHORT_TRAINS | {"D": 5},
    prices={printed.KEISHIN: (60, 15), printed.OME: (120, 30)}, bare=(printed.KEISHIN, printed.OME),
)  # fmt: skip
B = Scenario(
    "Keihanshin Railways", 6000, SHORT_CASH, SHORT_LIMIT, 8, YODO, (*_WESTERN, printed.KEIHAN),
    ("A", "B", "D", "F", "E", "M5"), _SHORT_TRAINS | {"D": 6}, prices={printed.OME: (120, 30)}, bare=(printed.OME,),
)  # fmt: skip
C = Scenario(
    "Osaka", 12000, LONG_CASH, LONG_LIMIT, 10, HEXES, _ALL,
    ("A", "B", "C", "D", "E", "F", "M1", "M2", "M3", "M4", "M5"), _LONG_TRAINS | {"2": 9, "3+3": 2},
    late=printed.LATE, company_rules=True, forms_kinki=True,
)  # fmt: skip
D = Scenario(
    "Simplified", 12000, LONG_CASH, LONG_LIMIT, 10, HEXES, _ALL,
    ("A", "B", "C", "D", "E", "F", "M5"), _LONG_TRAINS | {"2": 6},
)  # fmt: skip
SCENARIOS = {"scenario_a": A, "scenario_b": B, "scenario_d": D}
"""By option; without one of them C is played."""


def chosen(options: frozenset[str]) -> Scenario:
    """The scenario that the options name. BadAction if they name two."""
    named = [scenario for option, scenario in SCENARIOS.items() if option in options]
    if len(named) > 1:
        raise BadAction(f"A game has one scenario, not both {named[0].name} and {named[1].name}.")
    return named[0] if named else C


def without_minors(scenario: Scenario) -> Scenario:
    """Scenario C with Kinki as an ordinary company. {1890-VAR-11, 1890-VAR-11c}"""
    offered = tuple(sym for sym in scenario.offered if sym not in printed.RESERVED_FOR)
    trains = {rank: count for rank, count in scenario.trains.items() if rank != "3+3"}
    return replace(scenario, forms_kinki=False, offered=offered, trains=trains | {"2": scenario.trains["2"] - 3})


def corporations(scenario: Scenario) -> dict[CorpId, Corporation]:
    """The companies in play: public ones, minors, and Kobe Rapid with its token."""
    wanted = {*scenario.public, *scenario.offered, *scenario.late}
    return {sym: _on_map(corp, scenario) for sym, corp in printed.CORPORATIONS.items() if sym in wanted}


def _on_map(corp: Corporation, scenario: Scenario) -> Corporation:
    """Homes off the map are left out with their tokens; a Kinki formed by minors takes over their places."""
    if corp.id == printed.KINKI and scenario.forms_kinki:
        return replace(corp, homes=(), formed_in=printed.FORMED_IN)
    if corp.id == printed.KINKI:
        return replace(corp, token_costs=(0, 40, 100, 0, 0, 0))
    if corp.id == printed.KOBE_RAPID:
        return replace(corp, homes=())  # it takes a place when it is bought, none is kept for it
    homes = tuple(home for home in corp.homes if home[0] in scenario.hexes)
    return replace(corp, homes=homes, token_costs=corp.token_costs[len(corp.homes) - len(homes) :])


def privates(scenario: Scenario) -> dict[PrivateId, Private]:
    """Privates and minors in offering order, then the late privates."""
    return {
        PrivateId(sym): _as_played(printed.PRIVATES[PrivateId(sym)], scenario)
        for sym in (*scenario.offered, *scenario.late)
    }


def _as_played(private: Private, scenario: Scenario) -> Private:
    value, revenue = (scenario.prices or {}).get(private.id, (private.value, private.revenue))
    private = replace(private, value=value, revenue=revenue)
    if private.id in scenario.bare:
        kept = tuple(power for power in private.powers if isinstance(power, Blocks))
        closed = [one for power in kept for one in power.hexes if one in scenario.hexes]
        where = " and ".join(f"{scenario.hexes[one].name} ({one})" for one in closed)
        private = replace(private, powers=kept, note=f"Nobody builds in {where} until a company owns it.")
    return private
