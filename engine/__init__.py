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
from engine.viewing import board_view, market_view, route_views, table_view
from engine.views import BoardView, CompanyRow, CompanyView, HexView, MarketView, PlayerRow, RouteView, TableView

__all__ = [
    "BANK", "CHANCE", "CLOSED", "IPO", "OR", "POOL", "SR", "TITLES", "Action", "BadAction", "BoardView", "CompanyRow",
    "CompanyView", "CorpId", "Decision", "EngineError", "Entry", "Fact", "HexId", "HexView", "LogMismatch",
    "MarketView", "PlayerId", "PlayerRow", "PrivateId", "Rank", "Refused", "RouteView", "State", "StopId", "TableView",
    "TileId", "Title", "a_rank", "apply", "apply_unjudged", "board_view", "build", "can", "certificates", "consent",
    "decision", "from_json", "judge", "last_undo", "legal", "live_actions", "market_view", "possible", "present_step",
    "present_verbs", "refusals", "replay", "route_views", "scores", "start", "table_view", "to_json", "worth",
]  # fmt: skip
