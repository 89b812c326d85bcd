"""A game's state as one canonical line of JSON, for comparison with other programs."""

import json
from typing import Any

from engine import BANK, CHANCE, CLOSED, IPO, POOL, CorpId, PlayerId, State, Title, certificates, decision, worth
from engine.ids import CREDITS
from engine.market import in_order, price
from records.dialect import Dialect
from records.shapes import Body

Ids = dict[PlayerId, Any]
"""The record's player ids by seat."""


def line(t: Title, s: State, dialect: Dialect, ids: Ids, index: int, action: Body | None) -> str:
    """One line of a trace: the state after the record's action (None: at the start), keys sorted."""
    body = {
        "i": index,
        "id": action.get("id") if action else None,
        "type": action.get("type") if action else None,
        "round": {"DEAL": "SR"}.get(s.round, s.round),
        "turn": s.turn,
        "or_num": s.or_number,
        "phase": dialect.phases.get(t.phase(s).name, t.phase(s).name),
        "active": _active(t, s, ids),
        "priority": ids[_priority(s)],
        "bank": s.cash[BANK] + s.cash.get(CREDITS, 0) + dialect.credits,
        "players": {str(ids[player]): _player(t, s, dialect, player) for player in s.players},
        "corporations": {corp: _corporation(t, s, dialect, ids, corp) for corp in t.corporations},
        "tiles": {hex_id: f"{tile}/{rotation}" for hex_id, (tile, rotation) in s.board.placed.items()},
        "depot": {"upcoming": _upcoming(t, s), "discarded": sorted(s.train_pool)},
        "closed_companies": sorted(dialect.private(p) for p, owner in s.owner.items() if owner == CLOSED),
        "finished": bool(s.over),
    }
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _active(t: Title, s: State, ids: Ids) -> list[Any]:
    if s.over:
        return [ids[player] for player in _last_asked(s)]
    return [ids[player] for player in decision(t, s).players if player != CHANCE]


def _last_asked(s: State) -> tuple[PlayerId, ...]:
    """Whom that program names after the end: all in priority order after the last round, otherwise whoever was up."""
    if s.over in ("bank", "price", "nationalisation"):
        return (s.priority, *s.after(s.priority)[:-1])
    president = s.president_of(s.operating) if s.operating else s.up
    return (president,) if president else ()


def _priority(s: State) -> PlayerId:
    """Who would have priority if everybody passed from now on, or its holder in operating rounds; never a bankrupt."""
    first = s.priority
    if s.round in ("ISR", "SR") and s.last_actor is not None and not s.pending:
        first = s.after(s.last_actor)[0]
    return next(player for player in (first, *s.after(first)) if player not in s.bankrupt)


def _player(t: Title, s: State, dialect: Dialect, player: PlayerId) -> Body:
    return {
        "cash": s.cash[player],
        "value": worth(t, s, player),
        "certs": certificates(t, s, player),
        "shares": {corp: held[player] * 10 for corp, held in s.shares.items() if player in held},
        "companies": sorted(dialect.private(private) for private, owner in s.owner.items() if owner == player),
        "bankrupt": player in s.bankrupt,
    }


def _corporation(t: Title, s: State, dialect: Dialect, ids: Ids, corp: CorpId) -> Body:
    cell = s.cell.get(corp)
    stack = in_order(t, s, [other for other in s.cell if s.cell[other] == cell]).index(corp) if cell else None
    president = s.president_of(corp)
    return {
        "cash": s.cash[corp],
        "par": s.par.get(corp),
        "price": price(t, s, corp) if cell else None,
        "row": cell[0] if cell else None,
        "col": cell[1] if cell else None,
        "stack": stack,
        "trains": sorted(s.trains[corp]),
        "tokens": sorted(hex_id for hex_id, _ in s.board.token_stops(corp)),
        "president": ids[president] if president else None,
        "floated": corp in s.floated,
        "operated": corp in s.operated,
        "ipo": s.held(corp, IPO) * 10,
        "market": s.held(corp, POOL) * 10,
        "companies": sorted(dialect.private(private) for private, owner in s.owner.items() if owner == corp),
        "closed": False,
    }


def _upcoming(t: Title, s: State) -> dict[str, int]:
    counts = {rank: s.depot.get(rank, 1) for rank in t.trains}
    return {rank: count for rank, count in counts.items() if count}
