"""The rules of the games: pure, deterministic, standard library alone.

title = build("1889", players=3, options=["online"])
state = start(title, ["Ann", "Ben", "Cho"])
decision(title, state).players          who must decide
legal(title, state, "p1")               what they may do
state = apply(title, state, action)     raises Refused; state.facts says what happened
"""

from engine.action_json import from_json, to_json
from engine.actions import Action
from engine.errors import BadAction, EngineError, LogMismatch, Refused
from engine.facts import Fact
from engine.flow import (
    Decision,
    apply,
    apply_unjudged,
    can,
    consent,
    decision,
    judge,
    legal,
    possible,
    present_step,
    present_verbs,
    refusals,
)
from engine.ids import BANK, CHANCE, IPO, OR, POOL, SR, CorpId, HexId, PlayerId, PrivateId, Rank, StopId, TileId, a_rank
from engine.log import Entry, last_undo, live_actions, replay
from engine.setup import start
from engine.shares import certificates, scores, worth
from engine.state import CLOSED, State
from engine.title import Title
from engine.titles import TITLES, build

__all__ = [
    "BANK", "CHANCE", "CLOSED", "IPO", "OR", "POOL", "SR", "TITLES", "Action", "BadAction", "CorpId", "Decision",
    "EngineError", "Entry", "Fact", "HexId", "LogMismatch", "PlayerId", "PrivateId", "Rank", "Refused", "State",
    "StopId", "TileId", "Title", "a_rank", "apply", "apply_unjudged", "build", "can", "certificates", "consent",
    "decision", "from_json", "judge", "last_undo", "legal", "live_actions", "possible", "present_step",
    "present_verbs", "refusals", "replay", "scores", "start", "to_json", "worth",
]  # fmt: skip
