"""The viewer's turn as they may decide it: each choice with what it leads to, which one tap makes."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from board.holdings import certificate, standing, tokens_of
from board.markup import Html, el, message, said, text
from bot.core import undoing
from bot.core.desks import program_lines
from bot.core.errors import NO_RESULT
from bot.core.moves import told_lines
from bot.core.position import Position, ProposedRun, Scene
from bot.core.table import Table
from bot.rooms.trying.lines import TryOut, may_begin
from bot.rooms.turn import pictures
from bot.rooms.turn.decision import shares
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.makers import notes_of
from bot.rooms.turn.screen import for_anybody, task_of
from bot.words.labels import CONTROLS, Labels, earnings, in_full, so_far, together
from bot.words.lexicon import listed
from bot.words.narration import Sentence
from bot.words.programs import stopped
from engine import BANK, CHANCE, POOL, Action, CorpId, HexId, PlayerId, RouteView, to_json
from engine import actions as a
from engine.ids import split_stop
from renderer import vector
from renderer.card import CardRow

BY_TOUCH = (a.LayTile, a.LayPowerTile)
"""Kinds that are chosen on the map alone."""
MOST_PROPOSED = 4
CHANGES = "-# `/my programs` in the channel changes them."


@dataclass(frozen=True, slots=True)
class OnOffer:
    """What the viewer may do now, and what is known of it."""

    seat: PlayerId
    actions: Sequence[Action]
    labels: Labels
    proposals: Sequence[ProposedRun] = ()
    notes: Sequence[str] = ()
    """What holds the viewer up, and what is special now."""
    to_choose: Sequence[CardRow] = ()
    """What the right that is bid for can be used for."""
    places: Mapping[CorpId, str] = field(default_factory=dict)
    """Where companies that can be started have their homes and destinations."""

    @property
    def pars(self) -> set[str]:
        """The cells of the market at which a company may be started."""
        return {cell_of(one) for one in self.actions if isinstance(one, a.Par)}

    @property
    def marks(self) -> dict[HexId, str]:
        """The hexes where something may be done: "lay" or "token"."""
        found: dict[HexId, str] = {one.hex: "lay" for one in self.actions if isinstance(one, BY_TOUCH)}
        found |= {split_stop(one.stop)[0]: "token" for one in self.actions if isinstance(one, a.PlaceToken)}
        return found


def cell_of(action: a.Par) -> str:
    """The cell of the market that a start is at, as the page calls it."""
    return f"{action.row}-{action.col}"


async def asked(scene: Scene, user: int) -> OnOffer | None:
    """What the person may do now; None for whoever has no seat or nothing to decide."""
    position = scene.position
    if position.over or (isinstance(scene, Table) and not _has_a_say(scene, user)):
        return None
    seat, viewer = scene.seat_for(user), scene.viewer_for(user)
    if isinstance(scene, Table) and not scene.may_act(user, seat):
        return None
    actions = await position.actions(seat)
    if not actions:
        return None
    labels = await position.full_labels(seat, viewer)
    proposed = await position.proposals(seat)
    best = next((one.action for one in proposed if one.legal), None)
    known = await position.work.do(_known, position, viewer, best) if seat in position.up else {}
    return OnOffer(seat, actions, labels, proposed, **known)


def _known(position: Position, viewer: PlayerId | None, best: a.RunTrains | None) -> dict[str, Any]:
    """What is known of the decision beside the choices; `best` are the routes proposed first."""
    asked = replace(pictures.asked(position, viewer), run=best)
    return {
        "notes": notes_of(asked),
        "to_choose": shares.to_choose(asked) if position.decision.step == "bid" else (),
        "places": {corp: _places(asked, corp) for corp in {one.corp for one in asked.choices(a.Par)}},
    }


def _places(asked: Asked, corp: CorpId) -> str:
    told = " · ".join(f"{one.label} {one.figure} {one.behind}".strip() for one in shares.places(asked, corp))
    return told.replace("+", "+\N{WORD JOINER}")  # no line ends there


def _has_a_say(table: Table, user: int) -> bool:
    return not table.stands_still and bool(table.seats_of(user) or table.hosts(user))


def header(scene: Scene, user: int) -> Html:
    """Round and phase, whom the game waits for, and what was done last."""
    view = scene.position.table()
    last = _last(scene) if isinstance(scene, Table) and not scene.position.over else ""
    here = None if scene.position.over else el("b", view.round)
    return text(
        [
            el("h1", f"Trying out: {scene.name}" if isinstance(scene, TryOut) else view.title),
            el("p", here, el("span", f"Phase {view.phase}", cls="badge"), cls="where"),
            el("p", waiting_for(scene, user), cls="whose", id="whose"),
            el("p", said(last), cls="last") if last else None,
        ]
    )


def _last(table: Table) -> str:
    """The latest move with what chance then brought, any event first, as there is one line for it.

    To pass is none, unless an event comes of it.
    """
    told: list[Sentence] = []
    for one in reversed(table.moves):
        lines = told_lines(one, table.lexicon_at(one.seq))
        if not isinstance(one.action, a.Pass) or any(line.event for line in lines):
            told = [*lines, *told]
            if one.action.by != CHANCE:
                break
    return " ".join(one.text for one in sorted(told, key=lambda one: not one.event))


def waiting_for(scene: Scene, user: int) -> str:
    """Whom the game waits for, and in which company's turn."""
    position = scene.position
    if position.over:
        return "The game is over"
    if isinstance(scene, Table) and scene.game.status == "abandoned":
        return "The game has ended without a result"
    if isinstance(scene, Table) and scene.change is not None:
        return "The game is waiting for the bot's host"
    if isinstance(scene, Table) and scene.orders.pauses:
        return f"The game is waiting for {scene.waits_for()}"
    names = position.lexicon()
    who = listed(
        scene.whose(one, plain=True) if isinstance(scene, Table) else names.plain_player(one) for one in position.up
    )
    about = f" for {position.about}" if position.about else ""
    if isinstance(scene, Table) and set(scene.seats_of(user)) & set(position.up):
        return f"Your turn{about}"
    if isinstance(scene, TryOut):
        return f"{who} to move{about}"
    return f"Waiting for {who}{f' ({position.about})' if position.about else ''}"


def panel(scene: Scene, found: OnOffer | None, first: Html, user: int) -> Html:
    """All choices, or whom the game waits for; `first` stands above."""
    if found is None:
        return text([first, _theirs(scene), _beside(scene, found, user)])
    tokens = tokens_of(found.labels.table)
    kinds = {kind: list(some) for kind, some in groupby(sorted(found.actions, key=_place), key=_kind)}
    made: list[Html | None] = [first, _asked_for(scene, found)]
    notes = [said(for_anybody(scene.position)), *found.notes]
    made += [el("p", one, cls="hint") for one in notes if one]
    payouts = [_payout(one, found.labels) for one in found.labels.payouts]
    if payouts:
        made.append(el("div", payouts, cls="choices"))
    for kind, some in kinds.items():
        made.append(SECTIONS.get(kind, _buttons)(some, found, tokens))
    return text([*made, _beside(scene, found, user)])


def programs(scene: Scene, user: int) -> Html | None:
    """Which programs the viewer has on, and which have stopped; nothing without any."""
    seat = scene.viewer_for(user)
    if seat is None or not isinstance(scene, Table):
        return None
    desk, names = scene.orders.desk(seat), scene.position.lexicon()
    ended = [stopped(one.program, one.cause, names) for one in desk.told]
    lines = [*(["**Programs of yours that stopped**", *ended] if ended else []), *program_lines(desk, names)]
    return el("div", message([*lines, CHANGES]), cls="programs") if lines else None


def _theirs(scene: Scene) -> Html | None:
    """What others are to decide; nothing where the game stands still."""
    position = scene.position
    if isinstance(scene, Table) and scene.game.status == "abandoned":
        return el("p", NO_RESULT, cls="idle-note")
    if position.over or (isinstance(scene, Table) and (scene.change is not None or scene.orders.pauses)):
        return None
    names, task = position.lexicon(), task_of(position)
    opened = [names.plain_player(one) for one in position.up if isinstance(scene, Table) and scene.is_open(one)]
    if opened:
        free = f"The seat of {listed(opened)} is open: {task}. It can be taken in the channel."
        return el("p", free, cls="idle-note")
    who = listed(map(names.plain_player, position.up))
    return el("p", f"{who} {'are' if len(position.up) > 1 else 'is'} to {task}.", cls="idle-note")


def _asked_for(scene: Scene, found: OnOffer) -> Html | None:
    """What is to be decided; for whoever only may do something meanwhile, by whom."""
    if found.seat not in scene.position.up:
        return _theirs(scene)
    task = task_of(scene.position)
    return el("p", f"{task[0].upper()}{task[1:]}.", cls="task")


def _beside(scene: Scene, found: OnOffer | None, user: int) -> Html:
    """What can be done besides the decision."""
    ways = {"why": ("Why not?", found is not None and found.seat in scene.position.up)}
    if isinstance(scene, Table):
        ways["undo"] = "Undo…", bool(user) and not scene.stands_still and undoing.may_ask(scene, user)
        ways["lines"] = "Try out…", bool(user) and may_begin(scene, user)
    made = [el("button", label, type="button", data_ask=way) for way, (label, possible) in ways.items() if possible]
    return el("div", made, cls="beside")


_PLACE = {kind: number for number, kind in enumerate(CONTROLS)}


def _place(action: Action) -> tuple[bool, int]:
    """Where it stands among the choices: to pass is the last."""
    return isinstance(action, a.Pass), _PLACE.get(_kind(action), 0)


def _kind(action: Action) -> type[Action]:
    """What it is shown with: one tap on the map finds all tiles, a private's too."""
    return a.LayTile if isinstance(action, BY_TOUCH) else type(action)


def choice(
    actions: Sequence[Action],
    label: str,
    note: str = "",
    *,
    style: str = "",
    head: Html | None = None,
    cls: str = "",
    par: str | None = None,
) -> Html:
    """A button that does these actions together; `par` is the cell of the market that it is about."""
    look = f"choice {style} {cls}".strip()
    return el("button", head, _words(label, note), type="button", cls=look, data_act=written(actions), data_par=par)


def written(actions: Sequence[Action]) -> str:
    """Actions as the page has them."""
    return json.dumps([to_json(one) for one in actions], separators=(",", ":"))


def _words(label: str, note: str = "") -> Html:
    return el("span", el("b", label), el("small", note) if note else None, cls="words")


def _payout(one: Any, labels: Labels) -> Html:
    style = "success" if one.dividend.kind == "pay" else ""
    ahead = [] if labels.step == "run" else [a.Pass(one.run.by)]
    return choice([*ahead, one.run, one.dividend], one.label, one.note, style=style)


def _one(
    action: Action, found: OnOffer, tokens: Mapping[str, Html], label: str | None = None, par: str | None = None
) -> Html:
    labels = found.labels
    return choice(
        [action],
        in_full(labels, action) if label is None else label,
        labels.note(action),
        style=CONTROLS[type(action)].style,
        head=tokens.get(str(getattr(action, "corp", None) or "")),
        par=par,
    )


def _buttons(some: Sequence[Action], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    return el("div", [_one(one, found, tokens) for one in some], cls="choices")


def _on_map(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    hexes = sorted({one.hex for one in some})
    of = dict.fromkeys(found.labels.names.private(one.private) for one in some if isinstance(one, a.LayPowerTile))
    what = ["a tile"] if any(isinstance(one, a.LayTile) for one in some) else []
    what += [f"the tile of {listed(of, 'or')}"] if of else []
    where = f"one of the {len(hexes)} marked hexes" if len(hexes) > 1 else found.labels.names.hex(hexes[0])
    return el("p", f"Tap {where} to lay {listed(what, 'or')}.", cls="hint")


def _tokens(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    return text([el("p", "Tap a marked city, or choose here.", cls="hint"), _buttons(some, found, tokens)])


def _pars(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    """Companies to start, each with its prices."""
    labels, made, corps = found.labels, [], dict.fromkeys(one.corp for one in some)
    for corp in corps:
        row, head = labels.table.company(corp), {str(corp): text([tokens.get(str(corp)), el("span", corp, cls="said")])}
        prices = [_one(one, found, head, labels.of(one), cell_of(one)) for one in some if one.corp == corp]
        summary = el("summary", tokens.get(str(corp)), el("b", corp), " ", el("span", row.company.name, cls="name"))
        where = el("p", found.places[corp], cls="hint") if found.places.get(corp) else None
        ways = el("div", prices, cls="choices pars")
        made.append(el("details", summary, where, ways, name="pars", open=len(corps) == 1))
    return el("div", el("h2", "Start a company"), made, cls="starts")


def _sales(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    """What may be sold, a company at a time."""
    summary = el("summary", el("b", "Sell shares"))
    return el("details", summary, _buttons(some, found, tokens), open=len(some) <= 3)


def _bids(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    """The lowest bid on each private, and a field for any other."""
    least = {one.private: one for one in reversed(some)}
    made = []
    for private in dict.fromkeys(one.private for one in some):
        row = found.labels.table.private(private)
        about = [row.name, *standing(row.bids, found.labels.names)]
        made.append(amount(least[private], "amount", f"Bid on {private}", found.labels, " · ".join(about)))
    return el("div", made, cls="amounts")


def _rights(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    least, labels = min(some, key=lambda one: one.amount), found.labels
    bids = [(row.id, row.right_bid) for row in labels.table.players if row.right_bid]
    entry = amount(least, "amount", "Bid", labels, " · ".join(standing(bids, labels.names)))
    lots = [certificate(row, tokens) for row in found.to_choose]
    return text([entry, el("h2", "To choose from"), el("ul", lots, cls="rows")])


def amount(action: Action, field: str, label: str, labels: Labels, about: str = "") -> Html:
    """A choice whose amount is entered; it begins with the action's own, and says what that one leads to.

    A bid is at least that.
    """
    value = getattr(action, field)
    ahead = labels.foreseen.get(action)
    leads = f"{labels.names.money(value)}: {ahead}" if ahead else ""
    note = " · ".join(filter(None, [about, leads, labels.said(CONTROLS[type(action)].note, action)]))
    entry = el(
        "input",
        type="number",
        value=value,
        min=value if field == "amount" else 0,
        step=1,
        inputmode="numeric",
        name=field,
        aria_label=f"{label}: amount",
    )
    return el(
        "form",
        _words(label, note),
        el("button", "−", type="button", data_step=-5, aria_label=f"{label}: less"),
        entry,
        el("button", "+", type="button", data_step=5, aria_label=f"{label}: more"),
        el("button", "OK", type="submit", cls="primary", aria_label=f"{label}: OK"),
        cls="amount", data_act=written([action]), data_field=field,
    )  # fmt: skip


def _trains(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    fixed = [one for one in some if one.source in (BANK, POOL)]
    others = {(one.source, one.rank, one.trade_in): one for one in reversed(some) if one.source not in (BANK, POOL)}
    labels = found.labels
    asking = [
        amount(one, "price", f"Buy {one.source}'s {one.rank}-train", labels, _agreeing(one, found))
        for one in others.values()
    ]
    more = (
        el("details", el("summary", el("b", "From another company")), el("div", asking, cls="amounts"))
        if asking
        else None
    )
    return text([_buttons(fixed, found, tokens) if fixed else None, more])


def _agreeing(action: a.BuyTrain, found: OnOffer) -> str:
    """Who must agree to the purchase of another company's train."""
    president = found.labels.table.company(action.source).president
    return f"{found.labels.names.plain_player(president)} must agree" if president not in (None, found.seat) else ""


def _deals(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    first = {one.private: one for one in reversed(some)}
    made = []
    for private, one in first.items():
        name = found.labels.table.private(private).name
        made.append(amount(one, "price", f"Buy {private}", found.labels, name))
    return el("details", el("summary", el("b", "Buy a private")), el("div", made, cls="amounts"))


def _rare(some: Sequence[Action], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    kind = CONTROLS[type(some[0])]
    summary = el("summary", el("b", kind.opener.rstrip("…") or kind.hint.rstrip("…")))
    return el("details", summary, _buttons(some, found, tokens))


def _ruin(some: Sequence[Action], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    """The player's own end, not the company's."""
    return el("div", [_one(one, found, {}, found.labels.of(one)) for one in some], cls="choices")


def _runs(some: Sequence[Any], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    """The proposals, each drawn on the map when it is touched, and a way to draw others."""
    labels, made = found.labels, []
    for number, one in enumerate(found.proposals[:MOST_PROPOSED]):
        if not one.legal:
            continue
        ways = [_way(index, view, labels) for index, view in enumerate(one.routes)]
        told = so_far(labels.names, one.routes, one.best) if not one.best.proved else ""
        label = f"Run for {together(labels.names, one.routes)}"
        if number == 0 and labels.payouts:  # whose buttons run so
            end = el("p", told, cls="hint") if told else None
        else:
            end = choice([one.action], label, told, style="" if number else "success")
        made.append(el("div", el("ul", ways, cls="ways"), end, cls="proposal", data_proposal=number))
    draw = el("button", "Draw other routes", type="button", cls="quiet", data_draw=some[0].corp)
    return el("div", made, draw, cls="runs")


def _way(index: int, view: RouteView, labels: Labels) -> Html:
    stops = "–".join(hex_id for hex_id, _ in groupby(split_stop(stop)[0] for stop, _ in view.stops))
    earned = earnings(labels.names, view.value, view.subsidy)
    sample = el("svg", Html(vector.route_sample(index)), viewBox="0 0 100 24", cls="sample", aria_hidden="true")
    return el("li", sample, el("b", view.train), " ", stops, " ", el("b", earned))


def _passes(some: Sequence[Action], found: OnOffer, tokens: Mapping[str, Html]) -> Html:
    action = some[0]
    labels = found.labels
    note = labels.foreseen.get(action, "")
    if labels.ends_turn:
        made = el("button", _words("End the turn", note), type="button", cls="choice pass", data_end=True)
    else:
        made = choice([action], labels.of(action), note, cls="pass")
    return el("div", made, cls="choices")


Section = Callable[[Sequence[Any], OnOffer, Mapping[str, Html]], Html]
SECTIONS: Mapping[type[Action], Section] = {
    a.LayTile: _on_map,
    a.PlaceToken: _tokens,
    a.Par: _pars,
    a.SellShares: _sales,
    a.Bid: _bids,
    a.BidToChoose: _rights,
    a.BuyTrain: _trains,
    a.CompanyBuysPrivate: _deals,
    a.TradePrivate: _deals,
    a.RunTrains: _runs,
    a.GoBankrupt: _ruin,
    a.ClosePrivate: _rare,
    a.SellPrivate: _rare,
    a.Pass: _passes,
}


def by_hex(found: OnOffer, hex_id: str) -> Iterable[Action]:
    """What may be done on a hex."""
    for one in found.actions:
        lies = isinstance(one, BY_TOUCH) and one.hex == hex_id
        if lies or (isinstance(one, a.PlaceToken) and split_stop(one.stop)[0] == hex_id):
            yield one
