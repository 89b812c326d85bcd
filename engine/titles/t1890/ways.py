"""Points with a single answer where the scenarios and variants of 1890 differ, beside those of all titles."""

from collections.abc import Callable
from typing import cast

from engine.actions import BuyTrain
from engine.board.routes import Run
from engine.frozen import dataclass
from engine.ids import CorpId
from engine.state import State
from engine.title import Policy, Settle, Title
from engine.titles.t1890.scenarios import C, Scenario

AfterRun = Callable[["Title", State, CorpId, list[Run]], None]
AfterTrain = Callable[["Title", State, BuyTrain], None]


@dataclass(frozen=True, slots=True)
class Ways1890(Policy):
    """The title's policy: what all titles answer, and what only scenarios and variants of 1890 vary."""

    scenario: Scenario = C
    kobe_converts_in: str = ""
    """Phase in which Kobe Electric must become a late private; empty: never. {1890-VAR-08}"""
    incremental: bool = False
    """Whether companies operate as soon as enough shares are sold, paid share by share. {1890-VAR-14}"""
    jr_par: int | None = 100
    """1890-COR-02; None: any par. {1890-VAR-23}"""
    jr_tiles: int = 2
    """How many tiles JR lays in a turn before phase 4. {1890-TRK-02, 1890-VAR-03}"""
    jr_pays_half: bool = True
    """1890-DIV-06, 1890-VAR-22"""
    jr_full_in: str = ""
    """Phase from which JR pays in full; empty: never. {1890-VAR-15}"""
    tigers: bool = False
    """Whether Nishinomiya's stadium always brings Hanshin more; by a die, `after_run` asks for it. {1890-COR-16}"""
    hankyu: bool = False
    """Whether Hankyu has its revue and sells its land. {1890-COR-17, 1890-COR-18}"""
    kobe_share: Callable[[Title, State, Run], int] = lambda t, s, run: 0
    """What Kobe Rapid's owner gets for a route through Kobe of a company without a token there. {1890-PRV-20}"""
    incomes: tuple[Settle, ...] = ()
    """Paid at the start of an operating round, after the privates' own."""
    after_run: tuple[AfterRun, ...] = ()
    """What follows from the routes run, beside the company's revenue."""
    after_train: tuple[AfterTrain, ...] = ()
    """What follows when a company has bought a train."""


def ways(t: Title) -> Ways1890:
    """The title's policy, which is always of this kind."""
    return cast(Ways1890, t.policy)
