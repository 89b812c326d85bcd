"""What the whole table decides."""

from engine.actions import Action, EndGame
from engine.flow import finish
from engine.ids import PlayerId
from engine.state import State
from engine.title import Title, Verb


def never_offered(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Ending by agreement is no move: whoever runs the table collects the votes."""
    return []


def end_by_agreement(t: Title, s: State, a: EndGame) -> None:
    """The players end the game as it stands."""
    finish(t, s, "agreed")


END_GAME = Verb(EndGame, never_offered, (), end_by_agreement, open_ended=True, anybody=True)
