"""How programs are put together: with what each kind begins, what can be chosen, what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.chat.screen import MAX_OPTIONS
from bot.core.errors import TableError, UnknownControl
from bot.core.table import Table
from bot.core.written import read_amount
from bot.words.programs import tiles
from engine.actions import BidToChoose, LayTile
from engine.ids import BANK, RESERVED, CorpId, HexId, PlayerId, PrivateId, StopId, TileId
from programs import AnswerOffers, BidFor, BidToPick, Buy, Operate, PassAhead, Program, Sell
from programs.operating import offered
from programs.program import LARGEST
from programs.stored import BadProgram, from_json, to_json

HOW_TILES = "Hex, tile and its turn, 0 to 5 to the right, as in “C4 8 2”."
MOST_TILES = 30
RAISES = {"most": "At most", "step": "Raise by at least"}
Choices = dict[str, str]
"""Labels by what they set: fields of the program, as "name=value" joined by commas."""


@dataclass(frozen=True, slots=True)
class Maker:
    """How one kind of program is put together."""

    first: Callable[[Table, PlayerId], Program | None]
    """What is likely to be meant; None where there is nothing that it could be for."""
    lists: Callable[[Table, PlayerId, Any], dict[str, Choices]]
    """What there is to choose from, by what it is called."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """What is typed: the name of a field of numbers, and what it is called."""


def begun(table: Table, seat: PlayerId, kind: str) -> Program:
    """A program of this kind with what is likely to be meant. Raises UnknownControl if there is nothing to choose."""
    program = BY_KIND[kind].first(table, seat) if kind in BY_KIND else None
    if program is None:
        raise UnknownControl()
    return replace(program, off=type(program).quiet)


def chosen(table: Table, program: Program, values: str) -> Program:
    """The program once somebody has chosen this, with amounts of what it is about now. Raises TableError."""
    return _fitted(table, program, changed(program, dict(_pairs(values))))


def changed(program: Program, values: Mapping[str, object]) -> Program:
    """The program with other values in some fields, read as strictly as what is stored. Raises TableError."""
    body = to_json(program)
    for name, value in values.items():
        known = body.get(name)
        text = isinstance(value, str)
        if text and isinstance(known, bool):
            value = value == "yes"
        elif text and isinstance(known, int):
            value = int(str(value)) if str(value).isdecimal() else value
        body[name] = value
    try:
        return from_json(body)
    except BadProgram as error:
        raise TableError("That does not fit this program.") from error


def toggled(program: Program, why: str) -> Program:
    """The program that stops for this, or no longer does. Raises UnknownControl for what it does not watch."""
    found = next((one for one in type(program).watches if one == why), None)
    if found is None:
        raise UnknownControl()
    off = [one for one in program.off if one != found] if found in program.off else [*program.off, found]
    return replace(program, off=tuple(off))


def problem(program: Program) -> str:
    """What is still missing before the program makes sense; empty if nothing is."""
    match program:
        case Buy(most=0) | BidFor(most=0) | BidToPick(most=0):
            return "How much may it cost at most? *Amounts…* says so."
        case Operate(track="plan", tiles=()):
            return "Which tiles should it lay? *Tiles and amounts…* lists them."
        case AnswerOffers(agrees=True, price=0):
            return "At what price should it agree? *Amounts…* says so."
    return ""


def _fitted(table: Table, old: Program, new: Program) -> Program:
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


def in_force(program: Program, choices: Choices) -> str:
    """The label of what is chosen now; empty if it is none of these."""
    return next((label for values, label in choices.items() if _has(program, values)), "")


def _has(program: Program, values: str) -> bool:
    words = {True: "yes", False: "no"}
    found = ((getattr(program, name), value) for name, value in _pairs(values))
    return all(value == (words[now] if isinstance(now, bool) else str(now)) for now, value in found)


def _pairs(values: str) -> Iterable[tuple[str, str]]:
    return ((name, value) for name, _, value in (one.partition("=") for one in values.split(",")))


# Shares


def _companies(table: Table, held_by: str | None = None) -> list[CorpId]:
    state = table.position.state
    return [corp for corp in state.par if held_by is None or state.held(corp, held_by) > 0]


def _named(table: Table, corps: Sequence[CorpId]) -> Choices:
    names = table.position.lexicon()
    return {f"corp={one}": f"{one} {names.companies.get(one, '')}".strip() for one in corps}


def _first_buy(table: Table, seat: PlayerId) -> Program | None:
    for corp in _companies(table):
        shares = min(10, table.position.state.held(corp, seat) + 1)
        return Buy(corp=corp, shares=shares, most=_dearest(table, corp))
    return None


def _dearest(table: Table, corp: CorpId) -> int:
    """What a share costs at most now."""
    row = table.position.table().company(corp)
    return 0 if row is None else max(row.par or 0 if row.ipo else 0, row.price or 0)


def _buy(table: Table, seat: PlayerId, one: Buy) -> dict[str, Choices]:
    names = table.position.lexicon()
    up_to = range(1, min(table.position.title.corporations[one.corp].shares, MAX_OPTIONS - 2) + 1)
    goals = {f"until=shares,shares={count}": f"until I have {names.percent(one.corp, count)}" for count in up_to}
    goals |= {"until=float": "until it floats", "until=presidency": f"until I am its {names.own.head}"}
    sources = {
        "source=any": "offering or market, the cheaper",
        "source=ipo": "initial offering",
        "source=pool": "open market",
    }
    return {"Company": _named(table, _companies(table)), "Buy": goals, "From": sources}


def _first_sell(table: Table, seat: PlayerId) -> Program | None:
    return next((Sell(corp=corp, least=_brings(table, corp)) for corp in _companies(table, seat)), None)


def _brings(table: Table, corp: CorpId) -> int:
    """What a share sells for now."""
    row = table.position.table().company(corp)
    return (row.sells_for or 0) if row else 0


def _sell(table: Table, seat: PlayerId, one: Sell) -> dict[str, Choices]:
    held, names = table.position.state.held(one.corp, seat), table.position.lexicon()
    keeps = {"down_to=0": "keep none"}
    keeps |= {f"down_to={count}": f"keep {names.percent(one.corp, count)}" for count in range(1, held)}
    then = {"then=pass": "then end the turn", "then=wait": "then leave the turn to me"}
    return {"Company": _named(table, _companies(table, seat)), "Sell and": keeps, "Then": then}


def _pass(table: Table, seat: PlayerId, one: PassAhead) -> dict[str, Choices]:
    return {"Pass": {"span=round": "until the round ends", "span=once": "once"}}


# Auctions


def _unsold(table: Table) -> list[PrivateId]:
    return [private for private, owner in table.position.state.owner.items() if owner in (BANK, RESERVED)]


def _first_bid(table: Table, seat: PlayerId) -> Program | None:
    unsold = [] if _has_rights(table) else _unsold(table)
    return next((BidFor(private=private, most=_least(table, private)) for private in unsold), None)


def _least(table: Table, private: PrivateId) -> int:
    """What the private takes at least now: its price, or the lowest bid."""
    row = table.position.table().private(private)
    if row is None or row.on_sale:
        return row.price if row else 0
    return max([row.value, *(amount for _, amount in row.bids)]) + table.title.policy.auctions.bid_step


def _bid(table: Table, seat: PlayerId, one: BidFor) -> dict[str, Choices]:
    names = table.position.lexicon()
    then = {"then=pass": "pass when there is nothing to bid", "then=wait": "leave other turns to me"}
    return {"Private": {f"private={each}": names.private(each) for each in _unsold(table)}, "Otherwise": then}


def _first_right(table: Table, seat: PlayerId) -> Program | None:
    return BidToPick(most=0) if _has_rights(table) else None


def _has_rights(table: Table) -> bool:
    """Whether the right to choose is bid for in this game, and still is."""
    opening = table.title.rounds[table.title.opening]
    verbs = {verb.action for step in opening.steps for verb in step.verbs}
    return BidToChoose in verbs and table.position.state.round == table.title.opening


# Companies


def _run_by(table: Table, seat: PlayerId) -> list[CorpId]:
    state = table.position.state
    return [corp for corp in table.title.corporations if state.president_of(corp) == seat and corp in state.floated]


def _first_operate(table: Table, seat: PlayerId) -> Program | None:
    mine, state = _run_by(table, seat), table.position.state
    coming = [corp for corp in (state.operating, *state.queue) if corp in mine]
    return next((offered(state, corp) for corp in (*coming, *mine)), None)


def _operate(table: Table, seat: PlayerId, one: Operate) -> dict[str, Choices]:
    plan = f"lay as planned: {tiles(one.tiles)}" if one.tiles else "lay the tiles that I list"
    labels = table.position.labels(seat)
    tokens = {"token=none": "place none", "token=ask": "ask me"}
    tokens |= {f"token=place,place={at}": f"on {labels.city(at)} when possible" for at in token_places(table, one.corp)}
    pays = {
        "pays=pay": "pay out",
        "pays=withhold": "withhold",
        "pays=half": "pay half",
        "pays=least": "pay out at or above an amount, else withhold",
        "pays=ask": "ask me",
    }
    trains = {
        "trains=none": "buy none",
        "trains=next": "buy the bank's next one, from the treasury",
        "trains=ask": "ask me",
    }
    turns = {f"rounds={n}": "its next turn" if n == 1 else f"its next {n} turns" for n in range(1, 9)}
    return {
        "Company": _named(table, _run_by(table, seat)),
        "For": turns,
        "Track": {"track=none": "lay nothing", "track=plan": plan[:90], "track=ask": "ask me"},
        "Token": tokens,
        "Revenue": pays,
        "Trains": trains,
    }


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


def _answer(table: Table, seat: PlayerId, one: AnswerOffers) -> dict[str, Choices]:
    names, state = table.position.lexicon(), table.position.state
    deals = {"deal=train,of=": "offers for trains of mine", "deal=private,of=": "offers for privates of mine"}
    deals |= {f"deal=train,of={corp}": f"offers for trains of {corp}" for corp in _run_by(table, seat)}
    mine = [private for private, owner in state.owner.items() if owner == seat]
    deals |= {f"deal=private,of={private}": f"offers for {names.private(private)}" for private in mine}
    ways = {"agrees=yes": "agree at or above a price", "agrees=no": "decline, all or below a price"}
    return {"Answer": deals, "And": ways}


BY_KIND: Mapping[str, Maker] = {
    "buy": Maker(_first_buy, _buy, {"most": "At most for each share"}),
    "sell": Maker(_first_sell, _sell, {"least": "At least for each share"}),
    "pass": Maker(lambda table, seat: PassAhead(), _pass),
    "bid": Maker(_first_bid, _bid, RAISES),
    "right": Maker(_first_right, lambda table, seat, one: {}, RAISES),
    "operate": Maker(_first_operate, _operate, {"least": "Pay out at or above this revenue"}),
    "answer": Maker(lambda table, seat: AnswerOffers(deal="private", agrees=False), _answer, {"price": "Price"}),
}
"""By kind, in the order in which they are listed."""


# What is typed


def read_number(text: str) -> int:
    """A whole number from 0 on as people write it: "1,100" or "¥85"; nothing is 0. Raises TableError."""
    amount = read_amount(text if text.strip() else "0")
    if not 0 <= amount <= LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number of 0 or more.")
    return amount


def written_tiles(plan: Sequence[LayTile]) -> str:
    """A plan of tiles as it is typed."""
    return "\n".join(f"{one.hex} {one.tile} {one.rotation}" for one in plan)


def read_tiles(table: Table, seat: PlayerId, corp: CorpId, text: str) -> list[LayTile]:
    """The tiles that were typed, one a line: hex, tile, turn. Raises TableError for what the game does not have."""
    plan = []
    for line in filter(None, (one.strip() for one in text.splitlines())):
        match = re.fullmatch(r"([^\s:,]{1,6})[\s:,]+([^\s:,]{1,8})[\s:,]+([0-5])", line)
        if match is None:
            raise TableError(f"“{line[:40]}” is not a tile to lay. {HOW_TILES}")
        hex_id, tile = HexId(match[1].upper()), TileId(match[2])
        if hex_id not in table.title.hexes or tile not in table.title.tiles:
            raise TableError(f"This game has no tile {tile} or no hex {hex_id}.")
        plan.append(LayTile(seat, corp, hex_id, tile, int(match[3])))
    return plan[:MOST_TILES]
