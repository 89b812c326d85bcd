"""Players of the program: three levels, pure, seeded, and counted in steps.

choose(title, state, "p2", "regular", seed=7)      the action, with its score and its reasons
advise(title, state, "p2", "regular", seed=7)      the best few
agrees(title, state, action, "p2", "regular")      whether the seat agrees to a deal that another proposes
"""

from opponents.choice import Choice, Reason
from opponents.levels import LEVELS, Level, advise, agrees, choose

__all__ = ["LEVELS", "Choice", "Level", "Reason", "advise", "agrees", "choose"]
