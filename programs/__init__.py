"""Programs: what a player wants done on their behalf, pure and without words.

p = prompt(title, state, "p1")
program.move(p)             an action, WAIT, or Stopped with its cause
stops(program, event)       what somebody else did that its owner would want to know
program.after(event)        the program as it goes on, or Stopped
"""

from programs.auction import BidFor, BidToPick
from programs.following import Follow
from programs.offers import AnswerOffers
from programs.operating import Operate
from programs.presets import presets
from programs.program import WAIT, Answer, Cause, Event, Program, Prompt, Stopped, Watched, prompt
from programs.run_out import RunOut, near_end
from programs.stock import Buy, PassAhead, Sell
from programs.stored import (
    KINDS,
    BadProgram,
    Newer,
    NewerProgram,
    cause_from_json,
    cause_to_json,
    fits,
    from_json,
    to_json,
)
from programs.watching import stops
