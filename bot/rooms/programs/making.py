"""How each kind of program is put together: with what it begins, what can be chosen, what is typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.chat.screen import MAX_OPTIONS
from bot.core.table import Table
from bot.words.programs import tiles
from engine.actions import BidToChoose
from engine.ids import BANK, RESERVED, CorpId, PlayerId, PrivateId, StopId
from programs import AnswerOffers, BidFor, BidToPick, Buy, Operate, PassAhead, Program, Sell
from programs.operating import offered

MOST_CHOICES = 25


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: the fields that it sets, as "name=value" joined by commas."""

    label: str
    values: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A list to choose from; the hint says what is chosen now."""

    name: str
    hint: str
    choices: Sequence[Choice]


Fields = Callable[[Table, PlayerId, Any], list[Field]]


@dataclass(frozen=True, slots=True)
class Maker:
    """How one kind of program is put together."""

    fits: Callable[[Table, PlayerId], bool]
    """Whether there is anything that it could be for in this game."""
    first: Callable[[Table, PlayerId], Program]
    fields: Fields
    typed: str = ""
    """The label of the button for what is typed; empty if nothing is."""
    entries: tuple[tuple[str, str], ...] = ()
    """What is typed: the name of a field of numbers, and what it is called."""


def _field(name: str, label: str, choices: Sequence[Choice], now: str) -> Field:
    """A list whose hint is the choice that is in force."""
    chosen = next((one.label for one in choices if one.values == now), "")
    return Field(name, f"{label}: {chosen}" if chosen else f"{label}…", choices[:MOST_CHOICES])


def problem(table: Table, seat: PlayerId, program: Program) -> str:
    """What is still missing before the program makes sense; empty if nothing is."""
    match program:
        case Buy(most=0) | BidFor(most=0) | BidToPick(most=0):
            return "How much may it cost at most? *Amounts…* says so."
        case Operate(track="plan", tiles=()):
            return "Which tiles should it lay? *Tiles and amounts…* lists them."
        case AnswerOffers(agrees=True, price=0):
            return "From which price on should it agree? *Amounts…* says so."
    return ""


def fitted(table: Table, old: Program, new: Program) -> Program:
    """The program with amounts of what it is about now, where that is something else than before."""
    match old, new:
        case (Buy(corp=before), Buy(corp=now)) if before != now:
            return replace(new, most=_dearest(table, now))
        case (Sell(corp=before), Sell(corp=now)) if before != now:
            return replace(new, least=_brings(table, now), down_to=0)
        case (BidFor(private=before), BidFor(private=now)) if before != now:
            return replace(new, most=_least(table, now))
        case (Operate(corp=before), Operate(corp=now)) if before != now:
            return replace(offered(table.position.state, now), rounds=new.rounds, off=new.off)
    return new


# Shares


def _companies(table: Table, held_by: str | None = None) -> list[CorpId]:
    state = table.position.state
    return [corp for corp in state.par if held_by is None or state.held(corp, held_by) > 0]


def _corp_field(table: Table, corps: Sequence[CorpId], now: CorpId) -> Field:
    names = table.position.lexicon()
    choices = [Choice(f"{one} {names.companies.get(one, '')}".strip(), f"corp={one}") for one in corps]
    return _field("corp", "Company", choices, f"corp={now}")


def _first_buy(table: Table, seat: PlayerId) -> Program:
    corp, state = _companies(table)[0], table.position.state
    return Buy(corp=corp, shares=min(10, state.held(corp, seat) + 1), most=_dearest(table, corp))


def _dearest(table: Table, corp: CorpId) -> int:
    """What a share costs at most now."""
    row = table.position.table().company(corp)
    return 0 if row is None else max(row.par or 0 if row.ipo else 0, row.price or 0)


def _buy(table: Table, seat: PlayerId, one: Buy) -> list[Field]:
    names = table.position.lexicon()
    up_to = range(1, min(table.position.title.corporations[one.corp].shares, MAX_OPTIONS - 2) + 1)
    goals = [
        Choice(f"until I have {names.percent(one.corp, count)}", f"until=shares,shares={count}") for count in up_to
    ]
    goals += [Choice("until it floats", "until=float"), Choice("until I am its president", "until=presidency")]
    goal = f"until=shares,shares={one.shares}" if one.until == "shares" else f"until={one.until}"
    sources = [
        Choice("offering or market, the cheaper", "source=any"),
        Choice("initial offering", "source=ipo"),
        Choice("open market", "source=pool"),
    ]
    return [
        _corp_field(table, _companies(table), one.corp),
        _field("until", "Buy", goals, goal),
        _field("source", "From", sources, f"source={one.source}"),
    ]


def _first_sell(table: Table, seat: PlayerId) -> Program:
    corp = _companies(table, seat)[0]
    return Sell(corp=corp, least=_brings(table, corp))


def _brings(table: Table, corp: CorpId) -> int:
    """What a share sells for now."""
    row = table.position.table().company(corp)
    return (row.sells_for or 0) if row else 0


def _sell(table: Table, seat: PlayerId, one: Sell) -> list[Field]:
    held = table.position.state.held(one.corp, seat)
    names = table.position.lexicon()
    keeps = [
        Choice(f"keep {names.percent(one.corp, count)}" if count else "keep none", f"down_to={count}")
        for count in range(held)
    ]
    then = [Choice("then end the turn", "then=pass"), Choice("then leave the turn to me", "then=wait")]
    return [
        _corp_field(table, _companies(table, seat), one.corp),
        _field("down_to", "Sell and", keeps or [Choice("keep none", "down_to=0")], f"down_to={one.down_to}"),
        _field("then", "Then", then, f"then={one.then}"),
    ]


def _pass(table: Table, seat: PlayerId, one: PassAhead) -> list[Field]:
    spans = [Choice("until the round ends", "span=round"), Choice("once", "span=once")]
    return [_field("span", "Pass", spans, f"span={one.span}")]


# Auctions


def _unsold(table: Table) -> list[PrivateId]:
    return [private for private, owner in table.position.state.owner.items() if owner in (BANK, RESERVED)]


def _first_bid(table: Table, seat: PlayerId) -> Program:
    private = _unsold(table)[0]
    return BidFor(private=private, most=_least(table, private))


def _least(table: Table, private: PrivateId) -> int:
    """What the private takes at least now: its price, or the lowest bid."""
    row = table.position.table().private(private)
    if row is None or row.on_sale:
        return row.price if row else 0
    return max([row.value, *(amount for _, amount in row.bids)]) + table.title.policy.auctions.bid_step


def _bid(table: Table, seat: PlayerId, one: BidFor) -> list[Field]:
    names = table.position.lexicon()
    choices = [Choice(names.private(private), f"private={private}") for private in _unsold(table)]
    then = [Choice("pass when there is nothing to bid", "then=pass"), Choice("leave other turns to me", "then=wait")]
    return [
        _field("private", "Private", choices, f"private={one.private}"),
        _field("then", "Otherwise", then, f"then={one.then}"),
    ]


def _has_rights(table: Table, seat: PlayerId) -> bool:
    """Whether the right to choose is bid for in this game, and still is."""
    opening = table.title.rounds[table.title.opening]
    verbs = {verb.action for step in opening.steps for verb in step.verbs}
    return BidToChoose in verbs and table.position.state.round == table.title.opening


# Companies


def _run_by(table: Table, seat: PlayerId) -> list[CorpId]:
    state = table.position.state
    return [corp for corp in table.title.corporations if state.president_of(corp) == seat and corp in state.floated]


def _first_operate(table: Table, seat: PlayerId) -> Program:
    mine, state = _run_by(table, seat), table.position.state
    coming = (corp for corp in (state.operating, *state.queue) if corp in mine)
    return offered(state, next(coming, mine[0]))


def _operate(table: Table, seat: PlayerId, one: Operate) -> list[Field]:
    plan = f"lay as planned: {tiles(one.tiles)}" if one.tiles else "lay the tiles that I list"
    track = [Choice("lay nothing", "track=none"), Choice(plan[:90], "track=plan"), Choice("ask me", "track=ask")]
    labels = table.position.labels(seat)
    tokens = [Choice("place none", "token=none"), Choice("ask me", "token=ask")]
    places = token_places(table, one.corp)[: MOST_CHOICES - 2]
    tokens += [Choice(f"on {labels.city(at)} when possible", f"token=place,place={at}") for at in places]
    token = f"token=place,place={one.place}" if one.token == "place" else f"token={one.token}"
    pays = [
        *(Choice("pay out", "pays=pay"), Choice("withhold", "pays=withhold"), Choice("pay half", "pays=half")),
        Choice("pay out from an amount on, else withhold", "pays=least"),
        Choice("ask me", "pays=ask"),
    ]
    trains = [
        Choice("buy none", "trains=none"),
        Choice("buy the bank's next one, from the treasury", "trains=next"),
        Choice("ask me", "trains=ask"),
    ]
    turns = [Choice("its next turn" if n == 1 else f"its next {n} turns", f"rounds={n}") for n in range(1, 9)]
    return [
        _corp_field(table, _run_by(table, seat), one.corp),
        _field("rounds", "For", turns, f"rounds={one.rounds}"),
        _field("track", "Track", track, f"track={one.track}"),
        _field("token", "Token", tokens, token),
        _field("pays", "Revenue", pays, f"pays={one.pays}"),
        _field("trains", "Trains", trains, f"trains={one.trains}"),
    ]


def token_places(table: Table, corp: CorpId) -> list[StopId]:
    """Cities in which the company has no token and a place is free, in the order of the map."""
    board = table.position.state.board
    found = []
    for hex_id in table.title.hexes:
        for index, stop in enumerate(board.face(hex_id).face.stops):
            places = board.places(hex_id, index)
            if stop.kind == "city" and None in places and corp not in places:
                found.append(StopId(f"{hex_id}.{index}"))
    return found


# Offers


def _answer(table: Table, seat: PlayerId, one: AnswerOffers) -> list[Field]:
    names, state = table.position.lexicon(), table.position.state
    deals = [
        Choice("offers for trains of mine", "deal=train,of="),
        Choice("offers for privates of mine", "deal=private,of="),
    ]
    deals += [Choice(f"offers for trains of {corp}", f"deal=train,of={corp}") for corp in _run_by(table, seat)]
    mine = [private for private, owner in state.owner.items() if owner == seat]
    deals += [Choice(f"offers for {names.private(private)}", f"deal=private,of={private}") for private in mine]
    ways = [Choice("agree from a price on", "agrees=yes"), Choice("decline, all or below a price", "agrees=no")]
    return [
        _field("deal", "Answer", deals, f"deal={one.deal},of={one.of}"),
        _field("agrees", "And", ways, f"agrees={'yes' if one.agrees else 'no'}"),
    ]


def _always(table: Table, seat: PlayerId) -> bool:
    return True


BY_KIND: Mapping[str, Maker] = {
    "buy": Maker(
        lambda table, seat: bool(_companies(table)),
        _first_buy,
        _buy,
        "Amounts…",
        (("most", "At most for each share"),),
    ),
    "sell": Maker(
        lambda table, seat: bool(_companies(table, seat)),
        _first_sell,
        _sell,
        "Amounts…",
        (("least", "At least for each share"),),
    ),
    "pass": Maker(_always, lambda table, seat: PassAhead(), _pass),
    "bid": Maker(
        lambda table, seat: bool(_unsold(table)) and not _has_rights(table, seat),
        _first_bid,
        _bid,
        "Amounts…",
        (("most", "At most"), ("step", "Raise by at least")),
    ),
    "right": Maker(
        _has_rights,
        lambda table, seat: BidToPick(most=0),
        lambda table, seat, one: [],
        "Amounts…",
        (("most", "At most"), ("step", "Raise by at least")),
    ),
    "operate": Maker(
        lambda table, seat: bool(_run_by(table, seat)),
        _first_operate,
        _operate,
        "Tiles and amounts…",
        (("least", "Pay out from this revenue on"),),
    ),
    "answer": Maker(
        _always,
        lambda table, seat: AnswerOffers(deal="private", agrees=False),
        _answer,
        "Amounts…",
        (("price", "Price"),),
    ),
}
"""By kind, in the order in which they are listed."""
