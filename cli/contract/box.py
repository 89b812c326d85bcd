"""What is in the box fits together: the slips of an author who types tables, each as a sentence that says where.

No game is played. A title may be odd: a slip is only what no rules could mean.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from itertools import combinations, pairwise
from math import dist
from types import FunctionType
from typing import Any, get_args, get_origin, get_type_hints

from cli.contract import must
from cli.contract.play import setups
from cli.contract.rules import known_rules
from engine import OR, SR, TITLES, CorpId, HexId, TileId, Title, build
from engine import actions as a
from engine.board.hexes import Layout, across, opposite, position
from engine.board.tiles import turned
from engine.plain import reader
from engine.powers import CompanyLay, Exchange, ExtraLay, Power, TokenExchange
from engine.printed import COLOURS, Corporation, HexDef, PriceCell
from engine.steps.track import SOLID
from renderer.map_signs import MEANINGS
from renderer.theme import rgb

RULE = r"\b[0-9A-Z]+-[A-Z]+-[0-9]+[a-z]?\b"
"""How a rule's ID reads."""
SIDES = frozenset(range(6))
APART = 24
"""How far apart the colours of two companies are at least, in RGB."""
LONGEST_NAME = 40
"""Letters of the name of a place or company that pictures and choices have room for."""
READ_BY: Mapping[type[Power], type[a.Action]] = {
    Exchange: a.ExchangePrivate,
    TokenExchange: a.ExchangePrivate,
    ExtraLay: a.LayPowerTile,
    CompanyLay: a.LayPowerTile,
}
"""Powers that do nothing without a kind of action."""


def box_is_sound(t: Title, key: str) -> None:
    """Nothing in the tables of the title, which TITLES has by that key, is a slip. Raises Broken with all of them."""
    plain = build(key, t.players)
    parts = [
        _recipe(t, key), _table(t), _map(t, plain), _tiles(t), _companies(t), _trains(t), _phases(t), _market(t),
        _privates(t, plain), _own(t), _turns(t),
    ]  # fmt: skip
    if not t.options and t.players == TITLES[key].players[0]:
        parts.append(_idle(key))
    found = dict.fromkeys(slip for part in parts for slip in part)
    must(not found, "\n   ".join(found))


def _recipe(t: Title, key: str) -> Iterator[str]:
    recipe = TITLES[key]
    if t.id != key:
        yield f"The title calls itself {t.id}, its recipe {key}."
        return  # whose ledger would be asked?
    for option, sentence in recipe.options.items():
        if not sentence:
            yield f"Option {option} has no sentence."
        yield from (
            f"Option {option} cites {rule}, which is no rule of the ledger."
            for rule in re.findall(RULE, sentence)
            if rule not in known_rules(t)
        )
    for option in recipe.as_most_play.options.union(recipe.covers, *recipe.covers.values()) - set(recipe.options):
        yield f"AS_MOST_PLAY or COVERS names the option {option}, which does not exist."


def _idle(key: str) -> Iterator[str]:
    """Options without which the title is built just the same."""
    everything = setups(key)
    for option in TITLES[key].options:
        built = [setup for setup in everything if setup.options == (option,)]
        if built and all(_alike(build(key, setup.players), setup.built()) for setup in built):
            yield f"Option {option} changes nothing: the title is built the same without it."


def _alike(one: Any, other: Any) -> bool:
    """Whether parts of two titles are the same, functions that `build` makes anew included."""
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, FunctionType):
        cells = ([cell.cell_contents for cell in each.__closure__ or ()] for each in (one, other))
        return one.__code__ == other.__code__ and _alike(*map(tuple, cells))
    if is_dataclass(one):
        names = [each.name for each in fields(one) if each.name != "options"]
        return all(_alike(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(_alike(one[name], other[name]) for name in one)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _table(t: Title) -> Iterator[str]:
    if "7" not in t.currency.format("7"):
        yield f"The currency {t.currency!r} leaves out the amount: it is a format, such as '£{{}}'."
    if t.cash * t.players > t.bank:
        yield f"{t.players} players get {t.money(t.cash * t.players)}; the bank has {t.money(t.bank)}."
    if t.cert_limit < 1:
        yield f"The certificate limit of {t.players} players is {t.cert_limit}."
    for name, records in (("corporations", t.corporations), ("privates", t.privates)):
        yield from (f"{name}[{key!r}] is {one.id}." for key, one in records.items() if key != one.id)
    yield from (f"trains[{key!r}] is the rank {one.rank}." for key, one in t.trains.items() if key != one.rank)


def _map(t: Title, plain: Title) -> Iterator[str]:
    odd = Counter(sum(position(t.layout, name)) % 2 for name in t.hexes).most_common()[-1][0]
    both = len({sum(position(t.layout, name)) % 2 for name in t.hexes}) > 1
    for name, printed in t.hexes.items():
        if both and sum(position(t.layout, name)) % 2 == odd:
            yield f"{name} lies between the hexes of a {t.layout} map: its number should be one more or less."
        elif not any(across(t.layout, name, side) in t.hexes for side in SIDES):
            yield f"{name} has no neighbour on the map."
        yield from _exits({**plain.hexes, **t.hexes}, t.layout, name, printed)
        yield from _stops(t, name, printed)
        if printed.impassable - SIDES or printed.joined - SIDES:
            yield f"{name} names sides that are not 0 to 5."
        for side in printed.joined & SIDES:
            other = t.hexes.get(across(t.layout, name, side))
            if other is None or opposite(side) not in other.joined:
                yield f"{name} is joined across side {side} to a hex that is not joined to it."
        signs = {*(printed.terrain.kinds if printed.terrain else ()), *(one.partition(":")[0] for one in printed.icons)}
        yield from (f"{name} shows {sign!r}, which no picture knows." for sign in sorted(signs - set(MEANINGS)))
        for icon in printed.icons:
            kind, _, corp = icon.partition(":")
            if kind == "destination" and corp not in t.corporations:
                yield f"{name} is the destination of {corp}, which is no company."
        if printed.terrain and printed.terrain.cost < 0:
            yield f"A tile on {name} costs {printed.terrain.cost}."
        if len(printed.name) > LONGEST_NAME:
            yield f"The name of {name} has {len(printed.name)} letters; there is room for {LONGEST_NAME}."


def _exits(hexes: Mapping[HexId, HexDef], layout: Layout, name: HexId, printed: HexDef) -> Iterator[str]:
    """Track off the map or against a side that stays blank; an off-board area may point outwards, but not only.

    An option may take hexes off the map, so those of the title without options count too.
    """
    exits = turned(printed.face, 0).exits
    dead = []
    for side in sorted(exits):
        other = hexes.get(across(layout, name, side))
        blank = other and other.face.colour in SOLID and opposite(side) not in turned(other.face, 0).exits
        if other is None or blank or side in printed.impassable:
            dead.append(side)
    if dead and (printed.face.colour not in ("red", "blue") or len(dead) == len(exits)):
        yield f"{name} has track to nowhere: over side {', '.join(map(str, dead))} no track can go on."


def _stops(t: Title, name: HexId, printed: HexDef) -> Iterator[str]:
    face = turned(printed.face, 0)
    tiers = {phase.tier for phase in t.phases}
    special = {train.tier for train in t.trains.values()} - {""}
    for index, stop in enumerate(printed.face.stops):
        if printed.face.colour in SOLID and not face.from_end[6 + index] and not printed.joined:
            yield f"{name} never changes, and no track leads to its {stop.kind}."
        if stop.kind in ("city", "offboard") and not printed.name and not printed.joined:
            yield f"{name} has a {stop.kind}, but no name."
        values = {tier for tier, _ in stop.tiers}
        if values and tiers - values:
            yield f"{name} has no value for {' and '.join(sorted(tiers - values))}, tiers of phases."
        for train in t.trains.values():
            if values and train.tier in special - values:
                yield f"{name} has no value for {train.tier!r}, which the {train.rank}-trains count."
        yield from (f"{name} has a value for {tier!r}, no tier of phases." for tier in sorted(values - tiers - special))


def _tiles(t: Title) -> Iterator[str]:
    looks = dict[object, TileId]()
    for tile, count in t.supply.items():
        if count < 1:
            yield f"There are {count} tiles {tile}."
        one, face = t.tiles[tile], t.tiles[tile].face
        track = min(sorted(turned(face, side).segments) for side in SIDES)
        look = face.colour, face.stops, face.label, one.cost, one.fixed_rotation, one.icons, *track
        first = looks.setdefault(look, tile)
        if (one.printed or tile) != (t.tiles[first].printed or first):
            yield f"Tile {tile} shows the same as tile {first}."
        fixed = one.fixed_rotation
        if fixed is not None and fixed not in SIDES:
            yield f"Tile {tile} lies only at rotation {fixed}; there are 0 to 5."


def _companies(t: Title) -> Iterator[str]:
    limit = t.policy.holdings.holding_limit
    for corp in t.corporations.values():
        yield from _homes(t, corp)
        if corp.certificate is None:
            if not 1 <= corp.president_shares <= min(corp.shares, limit):
                yield (
                    f"The president's certificate of {corp.id} is {corp.president_shares} of {corp.shares} shares;"
                    f" nobody may hold more than {limit}."
                )
            if not 1 <= corp.float_shares <= corp.shares:
                yield f"{corp.id} floats with {corp.float_shares} of {corp.shares} shares."
        elif corp.certificate not in t.privates:
            yield f"{corp.id} has its certificate from {corp.certificate}, which is no private."
        if corp.tokens_of and corp.tokens_of not in t.corporations:
            yield f"{corp.id} uses the tokens of {corp.tokens_of}, which is no company."
        if corp.formed_in and corp.formed_in not in {phase.name for phase in t.phases}:
            yield f"{corp.id} is formed in phase {corp.formed_in}, which does not exist."
        if not re.fullmatch("#[0-9a-fA-F]{6}", corp.colour):
            yield f"The colour of {corp.id} is {corp.colour!r}, not #rrggbb."
        if len(corp.name) > LONGEST_NAME:
            yield f"The name of {corp.id} has {len(corp.name)} letters; there is room for {LONGEST_NAME}."
        lacking = [phase.name for phase in t.phases if corp.kind not in phase.train_limit]
        if lacking:
            yield f"{corp.id} is {corp.kind}; phase {', '.join(lacking)} has no train limit for that kind."
    for one, other in combinations(t.corporations.values(), 2):
        if one.name == other.name:
            yield f"{one.id} and {other.id} are both called {one.name}."
        if dist(rgb(one.colour), rgb(other.colour)) < APART:
            yield f"The colours of {one.id} ({one.colour}) and {other.id} ({other.colour}) can hardly be told apart."


def _homes(t: Title, corp: Corporation) -> Iterator[str]:
    if not (corp.homes or corp.formed_in or corp.certificate or corp.tokens_of):
        yield f"{corp.id} has no home."
    if corp.homes and not (corp.token_costs or corp.tokens_of):
        yield f"{corp.id} has a home, but no token for it."
    if corp.homes and corp.token_costs and corp.token_costs[: len(corp.homes)] != (0,) * len(corp.homes):
        yield f"The home token of {corp.id} is free, but its first price is {corp.token_costs[0]}, not 0."
    if min(corp.token_costs, default=0) < 0:
        yield f"A token of {corp.id} costs {min(corp.token_costs)}."
    for name, index in corp.homes:
        stops = t.hexes[name].face.stops if name in t.hexes else ()
        if name not in t.hexes:
            yield f"The home of {corp.id}, {name}, is not on the map."
        elif not 0 <= index < len(stops) or stops[index].kind != "city":
            yield f"The home of {corp.id}, stop {index} of {name}, is no city."
        elif len(_at_home(t, name, index)) > stops[index].slots:
            others = ", ".join(_at_home(t, name, index))
            yield f"{name} is the home of {others}, but has room for {stops[index].slots} only."


def _at_home(t: Title, name: HexId, index: int) -> list[CorpId]:
    return [corp.id for corp in t.corporations.values() if (name, index) in corp.homes and not corp.tokens_of]


def _trains(t: Title) -> Iterator[str]:
    order = list(t.trains)
    begin = {phase.starts_on for phase in t.phases}
    for at, (rank, train) in enumerate(t.trains.items()):
        trade = train.trade_in
        for rust, why in ((train.rusts_on, "rust on"), (train.on_sale_with, "are on sale with")):
            if rust is not None and (rust not in order or (rust == train.rusts_on and order.index(rust) <= at)):
                yield f"The {rank}-trains {why} {rust}, which is no train that comes later."
            elif rust is not None and rust not in begin:
                yield f"The {rank}-trains {why} {rust}, but no phase begins with it, so nothing happens."
        if trade and (set(trade.accepts) - set(order) or trade.discount > train.price):
            yield f"The {rank}-trains take {', '.join(trade.accepts)} in part payment for {trade.discount}."
        if (
            train.price < 1
            or (train.count is not None and train.count < 1)
            or (train.reach is not None and train.reach < 1)
        ):
            yield f"The {rank}-trains: price {train.price}, {train.count} of them, reach {train.reach}."
        if train.tier and not any(
            train.tier in dict(stop.tiers) for one in t.hexes.values() for stop in one.face.stops
        ):
            yield f"The {rank}-trains count the tier {train.tier!r}, which no stop has."


def _phases(t: Title) -> Iterator[str]:
    order = [None, *t.trains]
    yield from (
        f"Two phases are called {name}."
        for name, count in Counter(phase.name for phase in t.phases).items()
        if count > 1
    )
    for index, phase in enumerate(t.phases):
        if phase.starts_on not in order or (phase.starts_on is None) != (index == 0):
            yield f"Phase {phase.name} starts on {phase.starts_on}; the first starts on None, others on a train."
        if phase.operating_rounds < 1:
            yield f"Phase {phase.name} has {phase.operating_rounds} operating rounds."
        if phase.colours != COLOURS[: len(phase.colours)]:
            yield f"Phase {phase.name} has the colours {', '.join(phase.colours)}; they come as {', '.join(COLOURS)}."
        if not phase.rule:
            yield f"Phase {phase.name} names no rule."
        for kind, limit in phase.train_limit.items():
            if limit < 1 and any(other.train_limit.get(kind) for other in t.phases):
                yield f"The train limit of phase {phase.name} is {limit} ({kind})."
    for before, after in pairwise(t.phases):
        if len(after.colours) < len(before.colours):
            yield f"Phase {after.name} has fewer colours than phase {before.name}."
        if after.starts_on in order and before.starts_on in order[order.index(after.starts_on) + 1 :]:
            yield f"Phase {after.name} comes after {before.name}, but its train is sold before."


def _market(t: Title) -> Iterator[str]:
    if not any(cell and cell.par for row in t.market.rows for cell in row):
        yield "The market has no par cell."
    for number, row in enumerate(t.market.rows):
        cells = [at for at, cell in enumerate(row) if cell]
        if not cells or cells != list(range(cells[0], cells[-1] + 1)):
            yield f"Row {number} of the market has a gap."
            continue
        for left, right in pairwise(row[cells[0] : cells[-1] + 1]):
            if left and right and left.price > right.price:
                yield f"Row {number} of the market falls from {left.price} to {right.price}."
        yield from (slip for at in cells if (cell := row[at]) for slip in _cell(t, number, at, cell))


def _cell(t: Title, row: int, col: int, cell: PriceCell) -> Iterator[str]:
    where = f"The cell of {cell.price} in row {row}"
    if cell.par and cell.price < 1:
        yield f"{where} is a par."
    if cell.zone != "normal" and cell.zone not in t.market.zones:
        yield f"{where} is in zone {cell.zone!r}, which the market does not have."
    if cell.arrow and not t.market.cell(row + {"up": -1, "down": 1}.get(cell.arrow, -row - 1), col):
        yield f"{where} has the arrow {cell.arrow!r}, which leads to no cell."


def _privates(t: Title, plain: Title) -> Iterator[str]:
    done = {verb.action for verb in (*t.every_verb(), *plain.every_verb())}
    hexes = {**plain.hexes, **t.hexes}
    ground = {kind for one in t.hexes.values() if one.terrain for kind in one.terrain.kinds}
    known: dict[str, Collection[object]] = {
        "hex": hexes, "hexes": hexes, "tiles": t.supply, "corp": t.corporations, "kind": ground,
    }  # fmt: skip
    for private in t.privates.values():
        for power in private.powers:
            kind, reader = type(power).__name__, READ_BY.get(type(power))
            for field in fields(power):
                value = getattr(power, field.name)
                for one in value if isinstance(value, tuple) else (value,):
                    if one not in known.get(field.name, (one,)):
                        yield f"{private.id}: {kind} names {one}, which does not exist."
            if reader and reader not in done:
                yield f"{private.id}: {kind} does nothing, as no step has the action {reader.__name__}."
        if private.value < 0 or private.revenue < 0:
            yield f"{private.id}: value {private.value}, revenue {private.revenue}."
        if not private.note:
            yield f"{private.id} has no note on what it does."
        company = t.corporations.get(CorpId(private.id))
        if company and company.certificate != private.id:
            yield f"{private.id} is a private and a company."


def _own(t: Title) -> Iterator[str]:
    """What the title alone remembers can be written and read, and begins with something."""
    for field in fields(t.own):
        hint = get_type_hints(t.own)[field.name]
        where = f"`{t.own.__name__}.{field.name}`"
        if field.default is MISSING and field.default_factory is MISSING:
            yield f"{where} has no default."
        try:
            reader(hint)
        except TypeError:
            yield f"{where} is {hint}: positions hold records, tuples, frozensets, Mappings, and no lists or sets."
        if get_origin(hint) in (dict, Mapping) and get_args(hint)[0] is int:
            yield f"{where} has numbers for keys, which come back as text."


def _turns(t: Title) -> Iterator[str]:
    if t.opening not in t.rounds:
        yield f"The game opens with {t.opening}, which is no round."
    yield from (f"There is no round {name}." for name in (SR, OR) if name not in t.rounds)
    for round_ in t.rounds.values():
        if len(round_.by_name) < len(round_.steps):
            yield f"Two steps of {round_.name} have one name."
    for step in [step for round_ in t.rounds.values() for step in round_.steps] + list(t.interrupts.values()):
        if len(step.by_action) < len(step.verbs):
            yield f"Step {step.name} has two verbs for one kind of action."
