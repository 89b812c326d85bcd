"""How a program is made: one form for each kind, in which nothing is filled in that would cost its owner anything."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from discord import ui

from bot.chat import codes
from bot.chat.press import Draft, Form
from bot.core.errors import TableError, UnknownControl
from bot.core.table import Table
from bot.core.written import narrow, read_amount
from bot.words.lexicon import tile_meant
from bot.words.programs import BUY_PRIVATE, NAMES, called, watched
from engine import CLOSED
from engine.actions import Action, Bid, BidToChoose, CompanyBuysPrivate, LayTile, TradePrivate
from engine.ids import BANK, RESERVED, CorpId, HexId, PlayerId, PrivateId, StopId
from programs import AnswerOffers, BidFor, BidToPick, Buy, Operate, PassAhead, Program, Sell
from programs.program import LARGEST
from programs.stock import SOURCES, lowest_price
from programs.stored import BadProgram, from_json, to_json

HOW_PLACES = "A line each: a tile “{} {} 2”, a token’s hex “{}”, a revenue from which to pay out “120”."
MOST_TILES = 30
MOST_TYPED = 800


@dataclass(frozen=True)
class Maker:
    about: Callable[[Table, PlayerId], Iterable[str]]
    """What there could be a form for: companies, or "" for one form; nothing where the kind makes no sense."""
    fields: Callable[[Form, Table, PlayerId], None]
    """Adds what there is to choose and to type."""
    read: Callable[[Table, PlayerId, str, Mapping[str, str]], Mapping[str, object]]
    """The fields of the program, as they are stored, from what was entered. Raises TableError."""
    kind: type[Program]


def form(table: Table, seat: PlayerId, kind: str, about: str, draft: Draft) -> Form:
    """The form for a program of this kind, with what was entered before. Raises UnknownControl."""
    maker = _maker(table, seat, kind, about)
    title = f"{NAMES[kind]}: {about}" if about else named(table, kind)
    made = Form(title, table.game.id, 0, codes.join("program", "form", kind, about), Draft(draft.entered))
    maker.fields(made, table, seat)
    _add_stops(made, maker.kind, table)
    if draft.problem:
        _mark_wrong(made, draft.problem)
    return made


def named(table: Table, kind: str, about: str = "") -> str:
    """What the form for a program of this kind is called: where nobody bids any more, a private is just bought."""
    return BUY_PRIVATE if kind == BidFor.kind and not _auctions(table, Bid) else called(kind, about)


def _mark_wrong(made: Form, problem: str) -> None:
    """Tell the problem at the field that it quotes, else at the first that is typed: above five there is no room."""
    fields = [one for one in made.children if isinstance(one, ui.Label)]
    typed = [(one, one.component.default) for one in fields if isinstance(one.component, ui.TextInput)]
    quoted = [one for one, entered in typed if f"“{entered}”" in problem]
    (*quoted, *(one for one, _ in typed), *fields)[0].description = problem[:100]


def made(table: Table, seat: PlayerId, kind: str, about: str, entered: Mapping[str, str]) -> Program:
    """The program that a form describes. Raises TableError, which says what is wrong."""
    maker = _maker(table, seat, kind, about)
    watched, stops = maker.kind.watches, entered.get("stops", entered.get("heeds", "")).split(",")
    body = {
        **maker.read(table, seat, about, entered),
        "kind": kind,
        "off": [one for one in watched if one not in stops],
    }
    try:
        return from_json(body)
    except BadProgram as error:
        raise TableError("That does not fit this program.") from error


def _maker(table: Table, seat: PlayerId, kind: str, about: str) -> Maker:
    if kind not in BY_KIND or about not in BY_KIND[kind].about(table, seat):
        raise UnknownControl()
    return BY_KIND[kind]


def _add_stops(made: Form, kind: type[Program], table: Table) -> None:
    if kind.watches and kind is not Operate:
        on = ",".join(one for one in kind.watches if one not in kind.quiet)
        names = table.position.lexicon()
        made.tick("stops", "Stop for", {one: watched(one, names) for one in kind.watches}, on)


# Shares


def _held(table: Table, seat: PlayerId) -> list[CorpId]:
    return [corp for corp in table.position.state.par if table.position.state.held(corp, seat)]


def _on_sale(table: Table) -> list[CorpId]:
    title, state = table.title, table.position.state
    return [corp for corp in state.par if lowest_price(title, state, corp, SOURCES["any"]) is not None]


def _add_company(made: Form, table: Table, corps: Sequence[CorpId]) -> None:
    names = table.position.lexicon()
    made.choose("corp", "Company", {one: f"{one} {names.companies.get(one, '')}".strip() for one in corps})


def _add_number(made: Form, name: str, label: str, hint: str = "", *, needed: bool = False) -> None:
    made.text(name, label, "", hint, most=10, required=needed)


def _buy(made: Form, table: Table, seat: PlayerId) -> None:
    more = {str(count): f"until I have {word} more" for count, word in ((1, "one"), (2, "two"), (3, "three"))}
    head = table.position.lexicon().own.head
    goals = {**more, "all": "as long as I can", "float": "until it floats", "presidency": f"until I am its {head}"}
    sources = {"any": "wherever it is cheaper", "ipo": "the initial offering", "pool": "the open market"}
    _add_company(made, table, _on_sale(table))
    made.choose("until", "Buy a share every turn", goals)
    made.choose("source", "From", sources, "any")
    _add_number(made, "most", "At most for each share", "Left empty: what one costs now.")


def _read_buy(table: Table, seat: PlayerId, about: str, entered: Mapping[str, str]) -> Mapping[str, object]:
    corp, until = CorpId(entered.get("corp", "")), entered.get("until", "")
    if corp not in table.position.state.par:
        raise UnknownControl()
    held, every = table.position.state.held(corp, seat), table.title.corporations[corp].shares
    goal = {"until": until} if until in ("float", "presidency") else {"until": "shares"}
    shares = min(every, held + int(until)) if until.isdecimal() else every
    most = read_number(entered.get("most", "")) or _dearest(table, corp)
    return {**goal, "corp": corp, "shares": shares, "source": entered.get("source"), "most": most}


def _dearest(table: Table, corp: CorpId) -> int:
    """What a share costs at most now."""
    row = table.position.table().company(corp)
    return max(row.par or 0 if row.ipo else 0, row.price or 0)


def _sell(made: Form, table: Table, seat: PlayerId) -> None:
    keeps = {"0": "keep none", **{str(count): f"keep {count}" for count in range(1, 6)}}
    then = {"pass": "end the turn", "wait": "leave the rest of the turn to me"}
    _add_company(made, table, _held(table, seat))
    made.choose("down_to", "Sell, and", keeps)
    _add_number(made, "least", "At least for each share", "Left empty: what one brings now.")
    made.choose("then", "Then", then, "pass")


def _read_sell(table: Table, seat: PlayerId, about: str, entered: Mapping[str, str]) -> Mapping[str, object]:
    corp = entered.get("corp", "")
    brings = table.position.table().company(corp).sells_for if corp in table.title.corporations else None
    least, kept = read_number(entered.get("least", "")) or brings or 0, read_number(entered.get("down_to", ""))
    return {"corp": corp, "down_to": kept, "least": least, "then": entered.get("then")}


def _pass(made: Form, table: Table, seat: PlayerId) -> None:
    spans = {} if seat in table.position.up else {"once": "my next turn"}
    spans |= {"round": "until the round ends", "bought": "every turn, once I have bought a share"}
    made.choose("span", "Pass", spans)


# Auctions


def _bids(table: Table, seat: PlayerId) -> Iterable[str]:
    return [] if _has_rights(table) or not _unsold(table) else [""]


def _unsold(table: Table) -> list[PrivateId]:
    return [private for private, owner in table.position.state.owner.items() if owner in (BANK, RESERVED)]


def _raises(made: Form, table: Table, seat: PlayerId) -> None:
    _add_number(made, "most", "At most", needed=True)
    _add_number(made, "step", "Raise by at least", "Left empty: as needed.")


def _bid(made: Form, table: Table, seat: PlayerId) -> None:
    names = table.position.lexicon()
    then = {"pass": "pass when there is nothing to bid", "wait": "leave other turns to me"}
    made.choose("private", "Private", {str(one): names.private(one) for one in _unsold(table)})
    if _auctions(table, Bid):
        _raises(made, table, seat)
        made.choose("then", "Otherwise", then, "pass")
    else:
        _add_number(made, "most", "At most", needed=True)


def _read_raises(table: Table, seat: PlayerId, about: str, entered: Mapping[str, str]) -> Mapping[str, object]:
    amounts = {name: read_number(entered.get(name, "")) for name in ("most", "step")}
    if not amounts["most"]:
        raise TableError("How much may it cost at most?")
    if "private" not in entered:
        return amounts
    return amounts | {"private": entered["private"], "then": entered.get("then", "wait")}


def _has_rights(table: Table) -> bool:
    """Whether the right to choose is bid for in this game, and still is."""
    return _auctions(table, BidToChoose)


def _auctions(table: Table, kind: type[Action]) -> bool:
    """Whether this is how bids are made in this game, and they still are."""
    opening = table.title.rounds[table.title.opening]
    verbs = {verb.action for step in opening.steps for verb in step.verbs}
    return kind in verbs and table.position.state.round == table.title.opening


# Companies


def _run_by(table: Table, seat: PlayerId) -> list[CorpId]:
    """The companies that the player runs, the next to operate first."""
    state = table.position.state
    mine = [corp for corp in table.title.corporations if state.president_of(corp) == seat and corp in state.floated]
    coming = [corp for corp in (state.operating, *state.queue) if corp in mine]
    return list(dict.fromkeys((*coming, *mine)))


ASKS = {"track": "track", "token": "every token", "new": "a token where it reaches another city", "run": "the routes"}


def _operate(made: Form, table: Table, seat: PlayerId) -> None:
    heeds = {one: f"ask me: {label}" for one, label in ASKS.items()}
    heeds |= {one: f"stop: {watched(one, table.position.lexicon())}" for one in Operate.watches}
    trains = {
        "none": "buy none",
        "can": "ask me when it could afford one",
        "ask": "ask me every time",
        "next": "buy the bank's next one, from the treasury",
    }
    turns = {"1": "its next turn", "2": "its next two turns", "4": "its next four turns", "0": "every turn"}
    on = ",".join(("track", "new", *(one for one in Operate.watches if one not in Operate.quiet)))
    planned, how = "Tiles and token, if they are planned", _how_places(table)
    made.choose("rounds", "For", turns, "0")
    made.choose("pays", "Revenue", {"pay": "pay out", "withhold": "withhold", "ask": "ask me"}, "pay")
    made.choose("trains", "Trains", trains, "can")
    made.text("places", planned, "", how, most=MOST_TYPED, long=True, required=False)
    made.tick("heeds", "Check with me", heeds, on)


def _read_operate(table: Table, seat: PlayerId, about: str, entered: Mapping[str, str]) -> Mapping[str, object]:
    corp, heeds = CorpId(about), entered.get("heeds", "").split(",")
    planned = Operate(
        corp=corp,
        rounds=read_number(entered.get("rounds", "")),
        track="ask" if "track" in heeds else "none",
        token="ask" if "token" in heeds else "new" if "new" in heeds else "none",
        run="ask" if "run" in heeds else "best",
    )
    body = to_json(read_places(table, seat, planned, entered.get("places", "")))
    pays = entered.get("pays") if body["pays"] != "least" else "least"
    return {**body, "pays": pays, "trains": entered.get("trains")}


def read_places(table: Table, seat: PlayerId, program: Operate, text: str) -> Operate:
    """The program with what is planned, a line each. Raises TableError for what the game does not have."""
    tiles, names, supply = list[LayTile](), table.position.lexicon(), table.position.state.supply
    for line in filter(None, (one.strip() for one in narrow(text).splitlines())):
        lay = re.fullmatch(r"([^\s:,]{1,6})[\s:,]+([^\s:,]{1,8})[\s:,]+([0-5])", line)
        hex_id, tile = HexId((lay[1] if lay else line).upper()), tile_meant(names, supply, lay[2] if lay else "")
        if lay and hex_id in table.title.hexes and tile in table.title.tiles and program.corp is not None:
            tiles.append(LayTile(seat, program.corp, hex_id, tile, int(lay[3])))
        elif lay:
            raise TableError(f"This game has no tile {tile} or no hex {hex_id}.")
        elif hex_id in table.title.hexes:
            program = replace(program, token="place", place=_place(table, hex_id))
        elif re.search(r"\d", line) and not re.match(r"[A-Za-z]", line):
            program = replace(program, pays="least", least=read_number(line))
        else:
            raise TableError(f"“{line[:40]}” is neither a tile, nor a hex, nor an amount. {_how_places(table)}")
    return replace(program, track="plan", tiles=tuple(tiles[:MOST_TILES])) if tiles else program


def _how_places(table: Table) -> str:
    """How to write what is planned, with hexes and a tile of this game."""
    hexes = table.title.hexes.items()
    plain = next(name for name, one in hexes if one.face.colour == "white" and not one.face.stops)
    city = next(name for name, one in hexes if any(stop.kind == "city" for stop in one.face.stops))
    return HOW_PLACES.format(plain, next(iter(table.title.tiles)), city)


def _place(table: Table, hex_id: HexId) -> StopId:
    """The first city of the hex with a free place. Raises TableError."""
    board = table.position.state.board
    for index, stop in enumerate(board.face(hex_id).face.stops):
        if stop.kind == "city" and None in board.places(hex_id, index):
            return StopId(f"{hex_id}.{index}")
    raise TableError(f"No city on {hex_id} has a free place.")


# Offers


def _answer(made: Form, table: Table, seat: PlayerId) -> None:
    names, state = table.position.lexicon(), table.position.state
    deals = {"train|": "offers for trains of mine"}
    deals |= {f"train|{corp}": f"offers for trains of {corp}" for corp in _run_by(table, seat)}
    if traded := _traded(table):
        deals["private|"] = "offers for privates of mine"
        mine = [private for private in traded if state.owner[private] == seat]
        deals |= {f"private|{private}": f"offers for {names.private(private)}" for private in mine}
    ways = {"yes": "agree at a price or more", "no": "decline, all or below a price"}
    made.choose("deal", "Answer", deals)
    made.choose("agrees", "And", ways)
    _add_number(made, "price", "Price")


def _traded(table: Table) -> list[PrivateId]:
    """The privates that can still be sold to others: minors and those that come late never are."""
    t, s = table.title, table.position.state
    verbs = {verb.action for verb in t.every_verb()}
    bought = CompanyBuysPrivate in verbs and any(phase.buys_privates for phase in t.phases[s.phase :])
    if not bought and TradePrivate not in verbs:
        return []
    plain = [one for one, printed in t.privates.items() if CorpId(one) not in t.corporations and not printed.later]
    return [one for one in plain if s.owner[one] not in (CLOSED, *t.corporations)]


def _read_answer(table: Table, seat: PlayerId, about: str, entered: Mapping[str, str]) -> Mapping[str, object]:
    deal, _, of = entered.get("deal", "").partition("|")
    agrees, price = entered.get("agrees") == "yes", read_number(entered.get("price", ""))
    if agrees and not price:
        raise TableError("At what price or more should it agree?")
    return {"deal": deal, "of": of, "agrees": agrees, "price": price}


def _always(table: Table, seat: PlayerId) -> Iterable[str]:
    return [""]


def _where(found: Callable[[Table, PlayerId], object]) -> Callable[[Table, PlayerId], Iterable[str]]:
    return lambda table, seat: [""] if found(table, seat) else []


BY_KIND: Mapping[str, Maker] = {
    "operate": Maker(_run_by, _operate, _read_operate, Operate),
    "buy": Maker(_where(lambda table, seat: _on_sale(table)), _buy, _read_buy, Buy),
    "sell": Maker(_where(_held), _sell, _read_sell, Sell),
    "pass": Maker(_always, _pass, lambda table, seat, about, entered: {"span": entered.get("span")}, PassAhead),
    "bid": Maker(_bids, _bid, _read_raises, BidFor),
    "right": Maker(_where(lambda table, seat: _has_rights(table)), _raises, _read_raises, BidToPick),
    "answer": Maker(_always, _answer, _read_answer, AnswerOffers),
}
"""By kind, in the order in which they are listed."""


def read_number(text: str) -> int:
    """A whole number from 0 on as people write it: "1,100" or "¥85"; nothing is 0. Raises TableError."""
    amount = read_amount(text if text.strip() else "0")
    if not 0 <= amount <= LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number of 0 or more.")
    return amount
