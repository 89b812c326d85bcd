"""The program that plays a line: the owner's moves of it, as long as everybody else moves as in it, too."""

from dataclasses import dataclass, replace
from typing import ClassVar

from engine import CHANCE, Action, Title
from engine.actions import BuyTrain
from programs.program import WAIT, Answer, Cause, Event, Program, Prompt, Stopped

MOST_OWN = 10
"""How many moves of its owner it plays."""
MOST_MOVES = 40
"""How many moves of everybody it looks ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Follow(Program):
    """Play the owner's moves of a line, each only if everything before it went as in the line."""

    kind: ClassVar[str] = "follow"

    name: str
    """What its owner calls the line."""
    moves: tuple[Action, ...]
    """What is yet to come of it, everybody's, the last one the owner's."""

    def move(self, p: Prompt) -> Answer:
        """The owner's next move, if it is next in the line."""
        if not self.moves or self.moves[0].by != p.seat:
            return WAIT
        refused = p.objection(self.moves[0])
        return self.moves[0] if refused is None else Stopped(Cause("blocked", text=refused.text))

    def after(self, e: Event) -> Program | Stopped:
        """It goes on with what is left where the line was followed, and stops where not."""
        if not self.moves or told(e.t, e.action) != told(e.t, self.moves[0]):
            return Stopped(
                Cause("hand") if e.own else Cause("otherwise", None if e.action.by == CHANCE else e.action.by)
            )
        left = self.moves[1:]
        return replace(self, moves=left) if left else Stopped(Cause("done"))


def told(t: Title, action: Action) -> Action:
    """The action as everybody is told of it: what companies paid each other for a train may be secret."""
    secret = not t.policy.secrecy.open_train_prices
    if secret and isinstance(action, BuyTrain) and action.source in t.corporations:
        return replace(action, price=0)
    return action


def cut(moves: tuple[Action, ...], seat: str) -> tuple[Action, ...]:
    """As much of a line as can be followed for the seat, up to the last of its moves; nothing if it has none."""
    taken: tuple[Action, ...] = ()
    own = 0
    for number, one in enumerate(moves[:MOST_MOVES], 1):
        if one.by == seat and own < MOST_OWN:
            own += 1
            taken = moves[:number]
    return taken
