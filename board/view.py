"""All that one viewer's page holds, in parts with digests, so that a page is sent only what changed."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2s

from board import holdings, lines, map_parts, past, questions, turn
from board.live import told
from board.markup import Html, el, said, text
from bot.core.hours import HOUR
from bot.core.keyed import Lately
from bot.core.position import Position, Scene, failed, shared
from bot.core.table import Table
from bot.rooms.trying.lines import TryOut
from bot.words.narration import gathered
from renderer import vector

LATEST = 60
"""How many lines of the log the page holds."""
KEPT = 400
"""How many views are remembered by what they showed, to send only the difference."""
SPARE = 40
"""How many scenes are kept beside those that open boards show: pages may ask once and never again."""

Parts = dict[str, tuple[Html, bytes]]
"""By the ids of their elements: what they hold, and its digest."""


@dataclass(frozen=True, slots=True)
class View:
    """A page's parts."""

    seq: int
    asked: turn.OnOffer | None
    parts: Mapping[str, Html]
    digests: Mapping[str, bytes]
    stamp: str
    news: dict[tuple[str, bool], bytes] = field(default_factory=dict)
    """What pages are sent, by what they showed before."""

    def since(self, before: Mapping[str, bytes]) -> dict[str, Html]:
        """The parts that are not as they were."""
        return {name: part for name, part in self.parts.items() if before.get(name) != self.digests[name]}


ONWARD = "Another game has begun in this channel: press More… and Open the board there."
Key = tuple[int, int, Position, bool]


@dataclass(frozen=True, slots=True)
class _Now:
    """A scene as it stands: what all see of it, and each viewer's page."""

    key: Key
    shared: asyncio.Task[Parts]
    views: dict[int, asyncio.Task[View]] = field(default_factory=dict)


class Views:
    """Makes views, each once however many pages ask for it, and remembers what pages were sent."""

    def __init__(self, boards: Callable[[], int] = lambda: 0) -> None:
        """`boards`: how many are open."""
        self._boards = boards
        self.onward = ONWARD
        """What the page of a game that is over says once another has begun in its channel; "" for nothing."""
        self._now: OrderedDict[str, _Now] = OrderedDict()
        self._sent = Lately[str, Mapping[str, bytes]](KEPT)

    async def of(self, scene: Scene, user: int) -> View:
        """What the person sees now; who neither sits here nor hosts sees what everybody may."""
        known = user if not isinstance(scene, Table) or scene.seats_of(user) or scene.hosts(user) else 0
        onward = bool(self.onward) and isinstance(scene, Table) and await _goes_on(scene)
        while True:
            now = self._stands(scene, onward)
            view = await shared(now.views, known, partial(_made, scene, known, now))
            if _key(scene, onward) == now.key:  # otherwise somebody moved meanwhile
                self._sent[view.stamp] = view.digests
                return view

    def _stands(self, scene: Scene, onward: bool) -> _Now:
        now = self._now.get(scene.id)
        if now is None or now.key != _key(scene, onward) or failed(now.shared):
            shared = asyncio.create_task(scene.position.work.do(_shared, scene))
            now = self._now[scene.id] = _Now(_key(scene, onward), shared)
        self._now.move_to_end(scene.id)
        while len(self._now) > SPARE + self._boards():
            self._now.popitem(last=False)
        return now

    def before(self, stamp: str) -> Mapping[str, bytes]:
        """What a page with this stamp shows; nothing if that is no longer known."""
        return self._sent.get(stamp, {})

    def news(self, stamp: str, view: View, zipped: bool) -> bytes:
        """The event that makes a page with this stamp show the view."""
        before = self.before(stamp)
        known = stamp if before else "", zipped  # a page may make stamps up, and all of these are sent the same
        if known not in view.news:
            body = {"from": known[0], "seq": view.seq, "stamp": view.stamp, "parts": view.since(before)}
            view.news[known] = told(json.dumps(body, separators=(",", ":")), zipped)
        return view.news[known]

    def forget(self, game: str) -> None:
        """Let a game go that nobody looks at, with its lines."""
        for name in [one for one in self._now if one.partition("-")[0] == game]:
            del self._now[name]


def _key(scene: Scene, onward: bool) -> Key:
    """Another one whenever the page may be another, also as time passes, in which requests lapse."""
    if isinstance(scene, Table):
        return scene.game.version, scene.store.clock() // HOUR, scene.position, onward
    return 0, 0, scene.position, onward


async def _goes_on(table: Table) -> bool:
    """Whether the game is over, also without a result, and another has begun in its channel."""
    over = table.position.over or table.game.status == "abandoned"
    here = await table.store.game_in_channel(table.game.channel_id) if over else None
    return here is not None and here.status == "running" and here.id != table.id


async def _made(scene: Scene, user: int, now: _Now) -> View:
    position = scene.position
    found = await turn.asked(scene, user)
    first = Html("")
    if isinstance(scene, Table):
        first = await (position.work.do(past.result, scene) if position.over else questions.waiting(scene, user))
        first = text([el("p", ONWARD, cls="onward") if now.key[-1] else None, first])
    parts = await asyncio.shield(now.shared) | await position.work.do(_own, scene, user, found, first)
    digests = {name: digest for name, (_, digest) in parts.items()}
    together = blake2s(b"".join(digests.values()) + scene.id.encode(), digest_size=9).hexdigest()
    return View(position.seq, found, {name: part for name, (part, _) in parts.items()}, digests, together)


def _digested(parts: Mapping[str, Html]) -> Parts:
    return {name: (part, blake2s(part.encode(), digest_size=6).digest()) for name, part in parts.items()}


def _shared(scene: Scene) -> Parts:
    """What everybody sees alike."""
    position = scene.position
    board = position.board()
    parts = {**map_parts.layers(position), "glow": map_parts.glowing(board, board.changed)}
    if isinstance(scene, Table):
        parts["log"] = past.panel(scene, [said(line) for line in gathered(scene.tell(scene.moves[-LATEST:]))])
    elif isinstance(scene, TryOut):
        parts["log"] = holdings.log([said(line) for line in gathered(scene.tell(scene.ahead))])
    return _digested(parts)


def _own(scene: Scene, user: int, found: turn.OnOffer | None, first: Html) -> Parts:
    """What may be another for each viewer."""
    position, viewer = scene.position, scene.viewer_for(user)
    board, names, open_to = position.board(), position.lexicon(), position.table(viewer)
    best = next((one for one in found.proposals if one.legal), None) if found is not None else None
    marks = found.marks if found is not None else {}
    below = lines.about(scene) if isinstance(scene, TryOut) else Html("")  # on a phone the decision is seen first
    return _digested(
        {
            "head": turn.header(scene, user),
            "routes": Html(vector.routes_layer(board, best.routes if best is not None else ())),
            "marks": map_parts.marked(board, marks),
            "hexes": map_parts.touched(board, names, marks),
            "turn": text([turn.panel(scene, found, first, user), below, turn.programs(scene, user)]),
            "market": holdings.market(position.market(), names, found.pars if found is not None else ()),
            "companies": holdings.companies(open_to, names),
            "players": holdings.players(open_to, names, viewer),
            "bank": holdings.bank(position, open_to, names),
        }
    )
