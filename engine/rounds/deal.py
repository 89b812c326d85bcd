"""The opening in which the privates are dealt: one to each player, who pays its face value."""

from engine.actions import Action, Deal
from engine.facts import Dealt
from engine.flow import enter
from engine.ids import BANK, CHANCE, SR, PlayerId
from engine.money import sell_private
from engine.state import State
from engine.title import Round, Step, Title, Verb


def each_private_once(t: Title, s: State, a: Deal) -> str | None:
    """Every private in play goes to one player."""
    if sorted(a.privates) == sorted(t.privates):
        return None
    return f"The deal must give each of {', '.join(t.privates)} to one player."


def in_order(t: Title, s: State, player: PlayerId) -> list[Action]:
    """The privates in their order: a deal to try."""
    return [Deal(player, tuple(t.privates))]


def deal(t: Title, s: State, a: Deal) -> None:
    """Each player pays for the private dealt to him."""
    s.facts.append(Dealt(a.privates))
    for player, private in zip(s.players, a.privates, strict=True):
        sell_private(s, private, BANK, player, t.privates[private].value)


def begin(t: Title, s: State) -> None:
    """Have chance deal."""
    s.step = "deal"


def proceed(t: Title, s: State) -> None:
    """Go on to the first stock round."""
    enter(t, s, SR)


DEAL = Round(
    "DEAL",
    (Step("deal", (Verb(Deal, in_order, (each_private_once,), deal, open_ended=True),)),),
    begin,
    proceed,
    actors=lambda t, s: (CHANCE,),
    called="Dealing the privates",
)
