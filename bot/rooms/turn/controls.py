"""Legal actions as buttons and lists.

Nothing is decided here: the actions come from the engine, and each control carries one of them or opens a
private list of some. Where a company's money is secret, what it can afford is only listed privately.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.chat import codes
from bot.chat.screen import MAX_OPTIONS, MAX_ROW, Button, Controls, Option, Screen, Select
from bot.words.labels import CONTROLS, Labels, Payout, Shape, Style, request
from bot.words.lexicon import listed, reading_order
from engine import BANK, POOL, Action, CorpId
from engine import actions as a
from engine.ids import split_stop

Actions = Sequence[Any]
BUY, BUY_OR_START = CONTROLS[a.BuyShare].hint, "Buy a share or start…"
BUY_PRIVATE, BUY_ANY = "Buy a share or private…", "Buy or start a company…"
IN_SHARES: Mapping[str, Mapping[str, str]] = {
    a.BuyPrivate.__name__: {BUY: BUY_PRIVATE},
    a.Par.__name__: {BUY: BUY_OR_START, BUY_PRIVATE: BUY_ANY},
}
"""What stands in the list of shares, too: by its kind, how the list is called then, by how it was called."""
JOINED = {a.BuyShare, a.BuyPrivate, a.Par}
"""What stands in one list, also where there is a single share and a single private to buy: buttons take two rows."""
OTHER_ROUTES, DRAWN = "Other routes…", "each drawn on the map, or written by you"
HEXES = "hex"
"""How the names of lists of hexes begin."""
MOST_BUTTONS = 5
"""How many choices of a kind stand as buttons; more are a list."""
MOST_LISTS = 2
"""How many lists of hexes a message has; more are opened privately."""


def by_kind(actions: Iterable[Action], standing: Collection[type[Action]] = ()) -> dict[type[Action], list[Any]]:
    """Actions by kind, in display order. A `standing` kind is included even without actions."""
    by_type: dict[type[Action], list[Any]] = {kind: [] for kind in CONTROLS}
    for action in actions:
        by_type[type(action)].append(action)
    return {kind: some for kind, some in by_type.items() if some or kind in standing}


def in_lists(actions: Iterable[Action]) -> frozenset[type[Action]]:
    """The kinds whose choices may stand in a list, which says what each leads to."""
    least = dict.fromkeys(("buttons", "trains", "dividends"), MOST_BUTTONS + 1) | {"owned": 1}
    found = by_kind(actions)
    lists = {kind for kind, some in found.items() if len(some) >= least.get(CONTROLS[kind].shape, 2)}
    return frozenset(lists | _joined(found))


def _joined(found: Mapping[type[Action], Actions]) -> set[type[Action]]:
    """The kinds of purchases that stand in the list of shares, where there is one."""
    shares, some = len(found.get(a.BuyShare, ())), JOINED & found.keys()
    return some if shares > 1 or (shares and len(some) > 1) else set()


def add_controls(
    screen: Screen,
    actions: Iterable[Action],
    labels: Labels,
    *,
    secret: Collection[type[Action]] = (),
    standing: Collection[type[Action]] = (),
) -> None:
    """Add lists and buttons for all the actions.

    A `secret` kind, whose choices would reveal hidden money, only gets a button that opens them privately;
    a `standing` kind gets its button whether or not there are any choices.
    """
    buttons: list[Button] = [_payout(one, labels) for one in labels.payouts]
    actions = list(actions)
    owned = [one for one in actions if CONTROLS[type(one)].shape == "owned"]
    in_list = len(owned) > 1 or any(map(labels.for_nothing, owned))
    if in_list:
        actions = [one for one in actions if one not in owned]
    found = by_kind(actions, standing)
    if list(found) == [a.Pass, a.ExchangePrivate]:  # to exchange is what is asked
        found = dict(reversed(found.items()))
    joined = set() if a.BuyShare in secret else _joined(found) - {a.Par}
    for kind, some in found.items():
        if kind in secret:
            buttons.append(Button(CONTROLS[kind].opener, codes.join("menu", kind.__name__), "primary"))
            continue
        if kind in joined and len(some) == 1:  # for `_join_purchases`
            _select(screen, some, labels)
        else:
            PRESENTERS[CONTROLS[kind].shape](screen, buttons, some, labels)
    if in_list:
        names, seat = labels.names, owned[0].by
        whose = "Your privates…" if names.is_you(seat) else f"{names.plain_player(seat)}'s privates…"
        screen.select("owned", whose, [_option(one, labels) for one in owned])
    screen.buttons(*buttons)
    _join_purchases(screen, {one.corp for one in actions if isinstance(one, a.Par)})


def _join_purchases(screen: Screen, starting: Collection[CorpId]) -> None:
    """Put privates and what starts a company into the list of shares, as far as there is room: all are a purchase."""
    lists = {row.name: row for row in screen.rows if isinstance(row, Select)}
    joined = buys = lists.get(a.BuyShare.__name__)
    if buys is None or joined is None:
        return
    taken = list[Select]()
    for name, hints in IN_SHARES.items():
        more = lists.get(name)
        if more is not None and len(joined.options) + len(more.options) <= MAX_OPTIONS:
            taken.append(more)
            options = _starts(more, starting) if name == a.Par.__name__ else more.options
            joined = replace(joined, hint=hints[joined.hint], options=(*joined.options, *options))
    joined = _from_players(screen, joined)
    screen.rows = [joined if row is buys else row for row in screen.rows if row not in taken]


def _from_players(screen: Screen, purchases: Select) -> Select:
    """The list of purchases with what opens those of players' privates, in place of its button."""
    opener = codes.join("menu", a.TradePrivate.__name__)
    kept, label = list[Controls](), ""
    for row in screen.rows:
        if isinstance(row, Select):
            kept.append(row)
            continue
        label = next((one.label for one in row if one.code == opener), label)
        kept += [left] if (left := tuple(one for one in row if one.code != opener)) else []
    if not label or len(purchases.options) >= MAX_OPTIONS:
        return purchases
    screen.rows = kept
    return replace(purchases, options=(*purchases.options, Option(label, opener, "a private, at a price to agree on")))


def _starts(pars: Select, starting: Collection[CorpId]) -> Iterator[Option]:
    """What starts a company, as a list of other purchases says it: one of several, or the only one at each par."""
    start = "Start" if len(starting) > 1 else f"Start {', '.join(starting)} at"
    return (replace(one, label=f"{start} {one.label}") for one in pars.options)


def add_menu(screen: Screen, kind: type[Action], actions: Actions, labels: Labels, subject: str = "") -> None:
    """Add the actions of one kind to a private message; `subject` narrows them to one company or private."""
    some = [action for action in actions if not subject or subject in (subject_of(action), getattr(action, "corp", ""))]
    if not some:
        return
    if kind is a.Par and len({action.corp for action in some}) > 1:
        _by_subject(screen, [], some, labels)
    elif CONTROLS[kind].few and len(some) <= 4 * MAX_ROW:
        screen.buttons(*(_button(action, labels) for action in some))
    else:
        _select(screen, some, labels)
    asked = _open_amounts(kind, some, labels)
    if len(asked) == 1:
        screen.buttons(Button(asked[0].label, asked[0].code))
    elif asked:
        screen.select("other", "Another amount for…", asked)


def _payout(one: Payout, labels: Labels) -> Button:
    code = codes.join("run", one.run.corp, codes.digest(one.run), labels.effort, one.dividend.kind)
    return Button(one.label, code, "success" if one.dividend.kind == "pay" else "secondary", one.note)


def _button(action: Action, labels: Labels, style: Style | None = None) -> Button:
    ends = labels.ends_turn and isinstance(action, a.Pass)
    return Button(
        "End the turn" if ends else labels.of(action),
        "end" if ends else codes.action_code(action),
        style or CONTROLS[type(action)].style,
        labels.foreseen.get(action, ""),
        "" if ends else labels.sign(action),
    )


def _option(action: Action, labels: Labels) -> Option:
    return Option(labels.of(action), codes.action_code(action), labels.note(action), labels.sign(action))


def subject_of(action: Any) -> str:
    """What the action is about: a private or a company; "" for one that is about neither."""
    return str(getattr(action, "private", None) or getattr(action, "corp", None) or "")


def _as_buttons(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A button each, or a list if there would be too many."""
    if len(some) <= MOST_BUTTONS:
        buttons.extend(_button(action, labels) for action in some)
    else:
        _as_list(screen, buttons, some, labels)


def _as_list(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A button for the only choice; a list; if that is too short, the company is chosen first."""
    if len(some) == 1:
        buttons.append(_alone(some[0], labels))
    elif len(some) <= MAX_OPTIONS:
        _select(screen, some, labels)
    else:
        _by_subject(screen, buttons, some, labels)


def _select(screen: Screen, some: Actions, labels: Labels) -> None:
    kind = type(some[0])
    hexes = {split_stop(one.stop)[0] for one in some if isinstance(one, a.PlaceToken)}
    hint = _with_seen(CONTROLS[kind].hint, hexes, labels)
    screen.select(kind.__name__, hint, [_option(action, labels) for action in some])


def _alone(action: Action, labels: Labels) -> Button:
    """The only choice of its kind."""
    return replace(_button(action, labels), label=request(labels, action), note=labels.note(action))


def _by_subject(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A list of companies; the rest is chosen privately."""
    kind = type(some[0])
    if len({action.corp for action in some}) == 1:
        hint = f"Start {some[0].corp}…" if kind is a.Par else f"{some[0].corp}: {CONTROLS[kind].hint}"
        screen.select(kind.__name__, hint, [_option(action, labels) for action in some])
        return
    options = []
    for corp in dict.fromkeys(action.corp for action in some):
        mine = [labels.of(action) for action in some if action.corp == corp]
        note = listed(mine) if len(mine) < 8 else f"{mine[0]} … {mine[-1]}"
        sign = labels.sign(next(action for action in some if action.corp == corp))
        options.append(Option(labels.names.company(corp), codes.join("menu", kind.__name__, corp), note, sign))
    screen.select(kind.__name__, CONTROLS[kind].hint, options)


def _bids(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The lowest bid on each private, and a form for others; for a single one some higher bids too."""
    if len({action.private for action in some}) == 1:
        buttons.extend(
            replace(_button(action, labels), label=f"Bid {labels.names.money(action.amount)}") for action in some[:2]
        )
        buttons.append(Button("Another bid…", codes.join("ask", "Bid", some[0].private)))
        return
    least = {action.private: action for action in reversed(some)}
    options = [_option(least[private], labels) for private in dict.fromkeys(action.private for action in some)]
    screen.select("Bid", CONTROLS[a.Bid].hint, options)
    buttons.append(Button("Another bid…", codes.join("ask", "Bid")))


def _rights(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """Bids for the right to choose: the lowest and some higher ones, and a form for any other."""
    buttons.extend(_button(action, labels) for action in some[:2])
    buttons.append(Button("Another bid…", codes.join("ask", "BidToChoose")))


def _purchases(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A single private on offer, which the card tells of, as a button; several as a list that says what each does."""
    if len(some) == 1:
        price = labels.names.money(labels.table.private(some[0].private).price)
        buttons.append(replace(_button(some[0], labels), label=f"Buy {some[0].private} for {price}"))
    else:
        _as_list(screen, buttons, some, labels)


def _lays(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The hexes as lists, a company at a time; if even those are too short, a button that opens them privately."""
    for corp in dict.fromkeys(action.corp for action in some):
        lays = [action for action in some if action.corp == corp]
        hexes = sorted({action.hex for action in lays}, key=reading_order)
        if len(hexes) == 1:
            label = f"Lay a tile on {labels.names.hex(hexes[0])}…"
            code = codes.join("hex", "LayTile", corp, hexes[0])
            buttons.append(Button(label, code, "primary", labels.place(hexes[0], lays)))
        elif len(hexes) <= MOST_LISTS * MAX_OPTIONS:
            add_hexes(screen, lays, "LayTile", corp, labels)
        else:
            buttons.append(Button("Lay track…", codes.join("lay", "LayTile", corp), "primary"))


def add_hexes(
    screen: Screen, lays: Sequence[a.LayTile | a.LayPowerTile], kind: str, subject: str, labels: Labels
) -> None:
    """Lists of the hexes where tiles can be laid, split by region if there are more than 25."""
    hexes = sorted({action.hex for action in lays}, key=reading_order)
    count = -(-len(hexes) // MAX_OPTIONS)
    size = -(-len(hexes) // count)
    for page in (hexes[start : start + size] for start in range(0, len(hexes), size)):
        options = [
            Option(
                labels.names.hex(one),
                codes.join("hex", kind, subject, one),
                labels.place(one, lays),
                labels.sign(next(lay for lay in lays if lay.hex == one)),
            )
            for one in page
        ]
        hint = CONTROLS[a.LayTile].hint if count == 1 else f"Lay a tile on {page[0]} to {page[-1]}…"
        screen.rows.append(Select(f"{HEXES}{page[0]}", _with_seen(hint, page, labels), tuple(options)))


def _with_seen(hint: str, hexes: Collection[str], labels: Labels) -> str:
    """What a list of hexes is called, with how many of them the map above it shows, unless it shows all."""
    seen = sum(one not in labels.unseen for one in hexes)
    return hint if seen == len(hexes) else f"{hint} ({seen} of {len(hexes)} in the picture)"


def _power_lays(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """Beside the hexes where other tiles can be laid, with what the private does; without these a button each."""
    below = screen.rows[-1] if screen.rows else None
    hexes = below if isinstance(below, Select) and below.name.startswith(HEXES) else None
    for private in dict.fromkeys(action.private for action in some):
        code = codes.join("lay", "LayPowerTile", private)
        if hexes is not None and len(hexes.options) < MAX_OPTIONS:
            tile = Option(f"The tile of {labels.names.private(private)}…", code, labels.table.private(private).note)
            screen.rows[-1] = hexes = replace(hexes, options=(*hexes.options, tile))
        else:
            style: Style = "secondary" if screen.rows else "primary"  # beside shares to buy, it is not what is asked
            buttons.append(Button(f"Lay the tile of {private}…", code, style))


def _runs(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The best routes as a button; the others, which trade revenue for subsidy, as a list."""
    best, own = some[0], codes.join("routes", some[0].corp)
    if not labels.payouts:
        buttons.append(Button(labels.of(best), codes.action_code(best), "success"))
    if len(some) > 1:
        options = [_option(action, labels) for action in some[: MAX_OPTIONS - 1]]
        screen.select("RunTrains", CONTROLS[a.RunTrains].hint, [*options, Option(OTHER_ROUTES, own, DRAWN)])
    else:
        buttons.append(Button(OTHER_ROUTES, own))


def _dividends(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    buttons.extend(_button(one, labels, "success" if one.kind == "pay" else "secondary") for one in some)


def _trains(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    fixed = [action for action in some if action.source in (BANK, POOL)]
    if len(fixed) > MOST_BUTTONS:
        _as_list(screen, buttons, fixed, labels)
    else:
        buttons.extend(_button(action, labels) for action in fixed)
    if len(fixed) < len(some):
        buttons.append(Button("From another company…", codes.join("menu", a.BuyTrain.__name__)))


def _opener(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    kind, control = type(some[0]), CONTROLS[type(some[0])]
    buttons.append(Button(control.opener, codes.join("menu", kind.__name__), control.style))


def _open_amounts(kind: type[Action], some: Actions, labels: Labels) -> list[Option]:
    """For each deal with a negotiable price, an option that asks for another amount."""
    options: dict[str, Option] = {}
    for action in some:
        if kind is a.BuyTrain and action.source not in (BANK, POOL):
            code = codes.join("ask", "BuyTrain", action.corp, action.rank, action.source)
            options[code] = Option(f"Another price for {action.source}'s {action.rank}-train…", code)
        elif kind in (a.CompanyBuysPrivate, a.TradePrivate):
            buyer = [action.corp] if kind is a.CompanyBuysPrivate else []
            code = codes.join("ask", kind.__name__, *buyer, action.private)
            options[code] = Option(f"Another price for {labels.names.private(action.private)}…", code)
        elif kind in (a.Bid, a.BidToChoose):
            code = codes.join("ask", kind.__name__)
            options[code] = Option("Another bid…", code)
    return list(options.values())


Presenter = Callable[[Screen, list[Button], Actions, Labels], None]
PRESENTERS: dict[Shape, Presenter] = {
    "buttons": _as_buttons,
    "list": _as_list,
    "list by company": _by_subject,
    "purchase": _purchases,
    "bids": _bids,
    "rights": _rights,
    "lays": _lays,
    "power lays": _power_lays,
    "runs": _runs,
    "dividends": _dividends,
    "trains": _trains,
    "opener": _opener,
    "owned": _as_buttons,
}
