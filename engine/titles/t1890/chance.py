"""The die that gives the value of Nishinomiya for the Tigers. {1890-VAR-16}

The seat `chance` acts; what it shows is made outside the engine and logged.
"""

from engine.actions import Action, RollDie
from engine.board.routes import Run
from engine.facts import DieRolled
from engine.ids import CHANCE, CorpId, PlayerId
from engine.state import Pending, State
from engine.steps import run
from engine.title import Step, Title, Verb
from engine.titles.t1890.run import after_quake, brown_nishinomiya

TIGERS = {1: 100, 2: 60, 3: 50, 4: 40, 5: 40, 6: 40}
"""What brown Nishinomiya counts for Hanshin by the die. {1890-VAR-16}"""
PRINTED = 40


def throw_for_tigers(t: Title, s: State, corp: CorpId, runs: list[Run]) -> None:
    """The die is thrown once the routes are fixed."""
    if brown_nishinomiya(s, corp, runs):
        s.pending += (Pending(TIGERS_DIE.name, CHANCE, corp),)


def one_to_six(t: Title, s: State, a: RollDie) -> str | None:
    """The die has six sides."""
    return None if a.value in TIGERS else f"A die shows 1 to 6, not {a.value}."


def six_sides(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each side of the die."""
    return [RollDie(player, value) for value in TIGERS]


def count_tigers(t: Title, s: State, a: RollDie) -> None:
    """Every route that counts brown Nishinomiya counts it by the die."""
    corp = CorpId(s.pending[-1].subject)
    s.pending = s.pending[:-1]
    runs = run.traced(s, s.routes)
    value = sum(revenue for revenue, _ in run.incomes(t, s, corp, s.routes))
    value += brown_nishinomiya(s, corp, runs) * (TIGERS[a.value] - PRINTED)
    s.income = s.last_run[corp] = after_quake(s, corp, value)
    s.facts.append(DieRolled(a.value, "tigers", corp, s.income))


TIGERS_DIE = Step("tigers", (Verb(RollDie, six_sides, (one_to_six,), count_tigers),))
