"""Legal actions as buttons and lists.

Nothing is decided here: the actions come from the engine, and every control carries one of them or opens a
private list of some of them. Where a company's money is secret, what it can afford is listed privately only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from bot import codes
from bot.labels import Labels
from bot.lexicon import listed
from bot.parts import MAX_OPTIONS, MAX_ROW, Button, Option, Screen, Style
from engine import actions as a
from engine.actions import Action
from engine.ids import BANK, POOL

ORDER: tuple[type[Action], ...] = (
    a.BuyPrivate, a.Bid, a.BidToChoose, a.Par, a.BuyShare, a.SellShares, a.RunTrains, a.Dividend, a.LayTile,
    a.LayPowerTile, a.PlaceToken, a.BuyPassage, a.RestoreToken, a.BuyTrain, a.DiscardTrain, a.CompanyBuysPrivate,
    a.TradePrivate, a.SellPrivate, a.ExchangePrivate, a.ClosePrivate, a.GoBankrupt,
)  # fmt: skip
Kinds = frozenset[type[Action]]
SPENDS: Kinds = frozenset((a.PlaceToken, a.BuyPassage, a.RestoreToken, a.BuyTrain, a.CompanyBuysPrivate))
"""Kinds whose choices tell how much money a company has."""
SPENDS_OWN: Kinds = frozenset((a.BuyPrivate, a.Bid, a.BidToChoose, a.Par, a.BuyShare, a.TradePrivate))
"""Kinds whose choices tell how much money a player has."""
RAISES: Kinds = frozenset((a.SellShares,))
"""Kinds whose choices tell how much money is missing, where shares are sold to raise it."""

Actions = Sequence[Any]


def by_kind(actions: Iterable[Action], standing: Collection[type[Action]] = ()) -> dict[type[Action], list[Any]]:
    """The actions of each kind, kinds in the order in which they are shown, passing last.

    A `standing` kind is there without actions too.
    """
    found: dict[type[Action], list[Any]] = {kind: [] for kind in ORDER}
    for action in actions:
        found.setdefault(type(action), []).append(action)
    found[a.Pass] = found.pop(a.Pass, [])
    return {kind: some for kind, some in found.items() if some or kind in standing}


def add_controls(
    screen: Screen,
    actions: Iterable[Action],
    labels: Labels,
    *,
    secret: Collection[type[Action]] = (),
    standing: Collection[type[Action]] = (),
) -> None:
    """Add lists and buttons for all the actions.

    Of `secret` kinds, whose choices tell what is hidden, there is only a button that opens them privately; of
    `standing` kinds it is there whether or not there is a choice.
    """
    buttons: list[Button] = []
    for kind, some in by_kind(actions, standing).items():
        if kind in secret:
            buttons.append(Button(OPENERS[kind], codes.join("menu", kind.__name__), "primary"))
            continue
        present = PRESENTERS.get(kind, _as_buttons)
        present(screen, buttons, some, labels)
    screen.buttons(*buttons)


def add_menu(screen: Screen, kind: type[Action], actions: Actions, labels: Labels, subject: str = "") -> None:
    """A private list of the actions of one kind; `subject` narrows it to one company or private."""
    some = [action for action in actions if not subject or subject in (_subject(action), getattr(action, "corp", ""))]
    if not some:
        return
    if kind is a.Par and len({action.corp for action in some}) > 1:
        _by_subject(screen, [], some, labels)
    elif kind in BUTTONS_IN_MENUS and len(some) <= 4 * MAX_ROW:
        screen.buttons(*(_button(action, labels) for action in some))
    else:
        screen.select(kind.__name__, HINTS.get(kind, "Choose"), [_option(action, labels) for action in some])
    asked = _open_amounts(kind, some, labels)
    if len(asked) == 1:
        screen.buttons(Button(asked[0].label, asked[0].code))
    elif asked:
        screen.select("other", "Another amount for…", asked)


def _button(action: Action, labels: Labels) -> Button:
    return Button(labels.of(action), codes.action_code(action), STYLES.get(type(action), "secondary"))


def _option(action: Action, labels: Labels) -> Option:
    return Option(labels.of(action), codes.action_code(action), labels.note(action))


def _subject(action: Any) -> str:
    return str(getattr(action, "private", None) or getattr(action, "corp", None) or "")


def _as_buttons(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A button each, or a list where that would be too many."""
    if len(some) <= 5:
        buttons.extend(_button(action, labels) for action in some)
    else:
        _as_list(screen, buttons, some, labels)


def _as_list(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """One list; where it would need more than two, the company or private is chosen first."""
    kind = type(some[0])
    if len(some) <= 2 * MAX_OPTIONS:
        screen.select(kind.__name__, HINTS.get(kind, "Choose"), [_option(action, labels) for action in some])
        return
    _by_subject(screen, buttons, some, labels)


def _by_subject(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """A list of companies; the rest is chosen in a private message."""
    kind = type(some[0])
    if len({action.corp for action in some}) == 1:
        hint = f"{some[0].corp}: {HINTS.get(kind, 'Choose')}"
        screen.select(kind.__name__, hint, [_option(action, labels) for action in some])
        return
    options = []
    for corp in dict.fromkeys(action.corp for action in some):
        row = labels.company(corp)
        mine = [labels.of(action) for action in some if action.corp == corp]
        note = listed(mine) if len(mine) < 8 else f"{mine[0]} … {mine[-1]}"
        name = f"{corp} {row.company.name}" if row else str(corp)
        options.append(Option(name, codes.join("menu", kind.__name__, corp), note))
    screen.select(kind.__name__, HINTS.get(kind, "Choose"), options)


def _bids(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The lowest bid on each private; more is a private list or a form away."""
    if len({action.private for action in some}) == 1:
        buttons.extend(_button(action, labels) for action in some[:4])
        buttons.append(Button("Another bid…", codes.join("ask", "Bid", some[0].private)))
        return
    least = {action.private: action for action in reversed(some)}
    options = [_option(least[private], labels) for private in dict.fromkeys(action.private for action in some)]
    screen.select("Bid", HINTS[a.Bid], options)
    buttons.append(Button("Another bid…", codes.join("menu", "Bid")))


def _rights(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """Bids for the right to choose: the least and some higher ones; any other by a form."""
    buttons.extend(_button(action, labels) for action in some[:3])
    buttons.append(Button("Another bid…", codes.join("ask", "BidToChoose")))


def _purchases(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The one private on offer as a button; a choice of them as a list that says what each does."""
    if len(some) == 1:
        _as_buttons(screen, buttons, some, labels)
    else:
        _as_list(screen, buttons, some, labels)


def _lays(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    for corp in dict.fromkeys(action.corp for action in some):
        buttons.append(Button("Lay track…", codes.join("lay", "LayTile", corp), "primary"))


def _power_lays(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    for private in dict.fromkeys(action.private for action in some):
        label = f"Lay the tile of {labels.names.private(private)}…"
        buttons.append(Button(label, codes.join("lay", "LayPowerTile", private)))


def _runs(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    """The best routes as a button; where revenue can be given for subsidy, the others as a list."""
    best = some[0]
    buttons.append(Button(labels.of(best), codes.action_code(best), "success"))
    if len(some) > 1:
        screen.select("RunTrains", HINTS[a.RunTrains], [_option(action, labels) for action in some[:MAX_OPTIONS]])
    buttons.append(Button("Other routes…", codes.join("routes", best.corp)))


def _dividends(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    for action in some:
        style: Style = "success" if action.kind == "pay" else "secondary"
        buttons.append(Button(labels.of(action), codes.action_code(action), style))


def _trains(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    fixed = [action for action in some if action.source in (BANK, POOL)]
    if len(fixed) > 5:
        _as_list(screen, buttons, fixed, labels)
    else:
        buttons.extend(Button(labels.of(action), codes.action_code(action), "primary") for action in fixed)
    if len(fixed) < len(some):
        buttons.append(Button("From another company…", codes.join("menu", a.BuyTrain.__name__)))


def _opener(screen: Screen, buttons: list[Button], some: Actions, labels: Labels) -> None:
    kind = type(some[0])
    style = STYLES.get(kind, "secondary")
    buttons.append(Button(OPENERS[kind], codes.join("menu", kind.__name__), style))


def _open_amounts(kind: type[Action], some: Actions, labels: Labels) -> list[Option]:
    """For each deal whose price is agreed: a choice that asks for another amount."""
    options: dict[str, Option] = {}
    for action in some:
        if kind is a.BuyTrain and action.source not in (BANK, POOL):
            code = codes.join("ask", "BuyTrain", action.corp, action.rank, action.source)
            options[code] = Option(f"Another price for the {action.rank}-train of {action.source}…", code)
        elif kind in (a.CompanyBuysPrivate, a.TradePrivate):
            buyer = [action.corp] if kind is a.CompanyBuysPrivate else []
            code = codes.join("ask", kind.__name__, *buyer, action.private)
            options[code] = Option(f"Another price for {labels.names.private(action.private)}…", code)
        elif kind is a.Bid:
            code = codes.join("ask", "Bid", action.private)
            options[code] = Option(f"Another bid on {labels.names.private(action.private)}…", code)
        elif kind is a.BidToChoose:
            code = codes.join("ask", "BidToChoose")
            options[code] = Option("Another bid…", code)
    return list(options.values())


BUTTONS_IN_MENUS = (a.Par, a.GoBankrupt, a.DiscardTrain, a.ClosePrivate, a.BuyPassage, a.RestoreToken)
"""Kinds of which few are possible at a time."""
Presenter = Callable[[Screen, list[Button], Actions, Labels], None]
PRESENTERS: dict[type[Action], Presenter] = {
    a.BuyPrivate: _purchases,
    a.Bid: _bids,
    a.BidToChoose: _rights,
    a.Par: _by_subject,
    a.BuyShare: _as_list,
    a.SellShares: _as_list,
    a.LayTile: _lays,
    a.LayPowerTile: _power_lays,
    a.PlaceToken: _as_list,
    a.RunTrains: _runs,
    a.Dividend: _dividends,
    a.BuyTrain: _trains,
    a.CompanyBuysPrivate: _opener,
    a.TradePrivate: _opener,
    a.ClosePrivate: _opener,
    a.GoBankrupt: _opener,
}
HINTS: dict[type[Action], str] = {
    a.BuyPrivate: "Choose a private…",
    a.RunTrains: "Run for…",
    a.SellPrivate: "Sell a private to the bank…",
    a.Bid: "Bid…",
    a.Par: "Start a company…",
    a.BuyShare: "Buy a share…",
    a.SellShares: "Sell shares…",
    a.PlaceToken: "Place a token on…",
    a.BuyTrain: "Buy a train…",
    a.CompanyBuysPrivate: "Buy a private…",
    a.TradePrivate: "Buy a private of another player…",
    a.ExchangePrivate: "Exchange…",
}
OPENERS: dict[type[Action], str] = {
    a.BuyPrivate: "Buy a private…",
    a.Bid: "Bid…",
    a.BidToChoose: "Bid…",
    a.Par: "Start a company…",
    a.BuyShare: "Buy a share…",
    a.SellShares: "Sell shares…",
    a.BuyPassage: "Right of passage…",
    a.RestoreToken: "Restore a token…",
    a.PlaceToken: "Place a token…",
    a.BuyTrain: "Buy a train…",
    a.CompanyBuysPrivate: "Buy a private…",
    a.TradePrivate: "Buy from a player…",
    a.ClosePrivate: "Close a private…",
    a.GoBankrupt: "Bankruptcy…",
}
STYLES: dict[type[Action], Any] = {
    a.BuyPrivate: "primary",
    a.BuyTrain: "primary",
    a.Par: "primary",
    a.BidToChoose: "primary",
    a.ClosePrivate: "danger",
    a.GoBankrupt: "danger",
    a.DiscardTrain: "danger",
}
