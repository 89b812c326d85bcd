"""All that one viewer's page holds, in parts with digests, so that a page is sent only what changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2s

from board import holdings, map_parts, past, turn
from board.markup import Html, said
from board.turn import Asked
from bot.core.table import Table
from bot.words.narration import gathered

LATEST = 60
"""How many lines of the log the page holds."""
KEPT = 400
"""How many views are remembered by what they showed, to send only the difference."""


@dataclass(frozen=True, slots=True)
class View:
    """A page's parts by the ids of their elements."""

    game: str
    seq: int
    version: int
    asked: Asked | None
    parts: Mapping[str, Html]
    digests: Mapping[str, bytes] = field(default_factory=dict)
    stamp: str = ""

    def since(self, before: Mapping[str, bytes]) -> dict[str, Html]:
        """The parts that are not as they were."""
        return {name: part for name, part in self.parts.items() if before.get(name) != self.digests[name]}


class Views:
    """Makes views, and remembers what pages were sent."""

    def __init__(self) -> None:
        self._now: dict[str, tuple[tuple[int, int], dict[int, View]]] = {}
        self._sent: OrderedDict[str, Mapping[str, bytes]] = OrderedDict()

    async def of(self, table: Table, user: int) -> View:
        """What the person sees now; who neither sits here nor hosts sees what everybody may."""
        known = user if table.seats_of(user) or table.hosts(user) else 0
        while True:
            position, key = table.position, (table.game.version, table.position.seq)
            at, made = self._now.get(table.game.id, ((-1, -1), {}))
            if at != key:
                made = {}
            if known not in made:
                view = await _made(table, known)
                if (table.game.version, table.position.seq) != key or table.position is not position:
                    continue  # somebody moved meanwhile
                made[known] = view
                self._now[table.game.id] = key, made
                self._remember(view)
            return made[known]

    def before(self, stamp: str) -> Mapping[str, bytes]:
        """What a page with this stamp shows; nothing if that is no longer known."""
        return self._sent.get(stamp, {})

    def forget(self, game: str) -> None:
        """Let a game go that nobody looks at."""
        self._now.pop(game, None)

    def _remember(self, view: View) -> None:
        self._sent[view.stamp] = view.digests
        self._sent.move_to_end(view.stamp)
        while len(self._sent) > KEPT:
            self._sent.popitem(last=False)


async def _made(table: Table, user: int) -> View:
    position = table.position
    found = await turn.asked(table, user)
    offers = await turn.offers(table, user)
    parts = await position.work.do(_parts, table, user, found, offers)
    digests = {name: blake2s(part.encode(), digest_size=6).digest() for name, part in parts.items()}
    together = blake2s(b"".join(digests.values()) + table.game.id.encode(), digest_size=9).hexdigest()
    return View(table.game.id, position.seq, table.game.version, found, parts, digests, together)


def _parts(table: Table, user: int, found: Asked | None, offers: Html) -> dict[str, Html]:
    position, viewer = table.position, table.viewer_for(user)
    board, names, open_to = position.board(), position.lexicon(), position.table(viewer)
    best = next((one for one in found.proposals if one.legal), None) if found is not None else None
    marks = found.marks if found is not None else {}
    lines = gathered(table.tell(table.moves[-LATEST:]))
    return {
        "head": turn.header(table, user),
        **map_parts.layers(position),
        "routes": map_parts.routes(board, best.routes if best is not None else ()),
        "glow": map_parts.glowing(board, board.changed),
        "marks": map_parts.marked(board, marks),
        "hexes": map_parts.touched(board, names, marks),
        "turn": turn.panel(table, found, offers, user),
        "market": holdings.market(position.market(), names),
        "companies": holdings.companies(open_to, names),
        "players": holdings.players(open_to, names, viewer),
        "bank": holdings.bank(position, open_to, names),
        "log": past.panel(table, [said(line) for line in lines]),
    }
