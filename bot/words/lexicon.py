"""Names of things as players read them: people, seats, companies, privates, hexes, shares, money, turned tiles.

Companies, trains and tiles also have a sign (an emoji of the bot's) beside their names; its key is made here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from engine import BANK, IPO, POOL, Action, BoardView, CompanyView, PlayerId, TileId, Title
from engine.actions import LayPowerTile, LayTile
from engine.board.hexes import Layout, across
from engine.board.tiles import Turned, turned
from engine.ids import CREDITS, RESERVED, split_stop
from engine.printed import Destination, Stop, colour_word
from engine.viewing import phase_rows
from engine.views import PhaseRow
from engine.wording import Wording

LONGEST_NAME = 32
MOST_MARKS = 2
"""Accents on one letter; more would let a name write over other lines."""
_PINGS = str.maketrans({"@": "＠", "<": "‹", ">": "›", "`": "'", "#": "＃"})


def clean_name(text: str, otherwise: str = "") -> str:
    """The name on one line, at most 32 characters, without invisible or direction-changing characters or mentions.

    If nothing is left, `otherwise` is used, and "Player" if nothing is left of that.
    """
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text[:400]):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] == "Z" or letter in "\n\r\t":
            kept.append(" ")
        elif kind[0] != "C" and marks <= MOST_MARKS:
            kept.append(letter)
    name = re.sub(r" +", " ", "".join(kept).translate(_PINGS)).strip()[:LONGEST_NAME].rstrip()
    if name and any(unicodedata.category(letter)[0] not in "MZ" for letter in name):
        return name
    return clean_name(otherwise) if otherwise else "Player"


def unlike(name: str, others: Collection[str]) -> str:
    """The name, with a number behind it where one of the others has it."""
    numbered = (f"{name[: LONGEST_NAME - 4]} {number}" for number in range(2, len(others) + 3))
    return next(one for one in (name, *numbered) if one not in others)


def _escaped(text: str) -> str:
    from discord.utils import escape_markdown  # whoever only replays games does without Discord's library

    return escape_markdown(text)


def bold(name: str) -> str:
    """The name, made harmless, in bold."""
    return f"**{_escaped(clean_name(name))}**"


def brought(rows: Sequence[PhaseRow]) -> dict[str, str]:
    """For each phase but the first, by name, how it differs from the phase before; "" where it does not.

    Trains that rust are left out: they are told where it happens, with their owners.
    """
    return {now.name: "; ".join(_news(before, now)) for before, now in pairwise(rows)}


def _news(before: PhaseRow, now: PhaseRow) -> Iterator[str]:
    colours = [colour for colour in now.colours if colour not in before.colours]
    if colours:
        yield f"{' and '.join(map(colour_word, colours))} tiles"
    if now.train_limit != before.train_limit:
        yield f"train limit {now.train_limit}"
    yield from now.news
    if now.operating_rounds != before.operating_rounds:
        yield f"{now.operating_rounds} operating rounds from the next set"


YOU_IS = "“You” is {} here."
TRAIN_SOURCES = {BANK: "the bank", POOL: "the open market"}
SHARE_SOURCES = {IPO: "the initial offering", POOL: "the open market"}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`names` are the players' current names by seat; the rest comes from views of the position."""

    currency: str
    names: Mapping[str, str]
    privates: Mapping[str, str]
    companies: Mapping[str, str]
    places: Mapping[str, str]
    own: Wording = field(default_factory=Wording)
    """The title's own words."""
    phases: Mapping[str, str] = field(default_factory=dict)
    """By phase: what it brings."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """By company: into how many shares it is divided, if not into ten."""
    tiles: Mapping[str, str] = field(default_factory=dict)
    """The printed numbers of tiles."""
    reader: str | None = None
    """The seat of whoever reads what others may do, "" without one; None where whoever acts reads it."""

    def percent(self, corp: str, count: int) -> str:
        """A number of the company's shares, as players say it: "30 %"."""
        return f"{self.share(corp, count)} %"

    def share(self, corp: str, count: int) -> int:
        """The same without its unit."""
        return count * 100 // self.shares.get(corp, 10)

    def money(self, amount: int) -> str:
        """The amount in the game's currency, with thousands separated and the sign first, which ends no line."""
        sign = "\N{NON-BREAKING HYPHEN}" if amount < 0 else ""
        return sign + self.currency.format(f"{abs(amount):,}")

    def player(self, seat: str) -> str:
        """The name in bold, with Discord's formatting escaped."""
        return f"**{_escaped(self.names.get(seat, seat))}**"

    def plain_player(self, seat: str) -> str:
        """The name without formatting, for buttons and lists; the seat where nobody sits."""
        return self.names.get(seat, seat)

    def is_you(self, seat: str, acts: str = "") -> bool:
        """Whether this seat reads what the one that acts may do, by default itself."""
        return seat == (self.reader if self.reader is not None else acts or seat)

    def addressed(self, said: str, seat: str) -> str:
        """What the rules say to whoever acts, for a reader who may be somebody else."""
        another = not self.is_you(seat) and re.search(r"\byou", said, re.IGNORECASE)
        return f"{said} {YOU_IS.format(self.plain_player(seat))}" if another else said

    def holder(self, who: str) -> str:
        """Whoever holds money, shares or trains: a player, the bank, a pile of shares, or a company."""
        if who in self.names:
            return self.player(who)
        if who in (BANK, CREDITS, RESERVED):
            return "the bank"
        return SHARE_SOURCES.get(who) or f"**{who}**"

    def company(self, corp: str) -> str:
        """Letters and full name: "AR Awa Railroad"; the name alone where the letters are a word of it."""
        name = self.companies.get(corp, "")
        return name if corp in name.split() else f"{corp} {name}".strip()

    def private(self, private: str) -> str:
        """Letters and full name: "A Takamatsu E-Railroad"."""
        name = self.privates.get(private, "")
        return f"{private} {name}".strip() if name != private else private

    def by_letters(self, privates: Iterable[str]) -> Lexicon:
        return replace(self, privates={**self.privates, **dict.fromkeys(privates, "")})

    def hex(self, hex_id: str) -> str:
        """The coordinate and the place name, if it has one."""
        return f"{hex_id} {self.places.get(hex_id, '')}".strip()

    def place(self, one: Destination) -> str:
        return f"{one.hex} {one.name}" if one.name else self.hex(one.hex)

    def destination(self, one: Destination) -> tuple[str, str]:
        """Where it is, and what it brings."""
        return self.place(one), "reached" if one.reached else f"+{self.money(one.bonus)}{' once' if one.once else ''}"

    def tile(self, tile: str) -> str:
        """The number that is printed on the tile."""
        return self.tiles.get(tile, tile)

    def filled(self, sentence: str, about: object) -> str:
        """The sentence with what a fact or an action has in its fields: "{player} bids {amount} on {private}."."""
        return sentence.format_map(_Worded(self, about))

    def stop(self, stop: str) -> str:
        """The hex of a stop such as "K4.0", as `hex` puts it."""
        return self.hex(split_stop(stop)[0])


class _Worded(dict[str, object]):
    """The fields of a fact or an action, as sentences say them."""

    def __init__(self, names: Lexicon, about: object) -> None:
        super().__init__()
        self._names, self._about = names, about

    def __missing__(self, field: str) -> object:
        value = getattr(self._about, field)
        return WORDED[field](self._names, value) if field in WORDED else value


WORDED: Mapping[str, Callable[[Lexicon, Any], str]] = {
    "player": Lexicon.player,
    "private": Lexicon.private,
    "hex": Lexicon.hex,
    "stop": Lexicon.stop,
    **dict.fromkeys(("amount", "price", "capital", "revenue", "cost"), Lexicon.money),
}
"""How fields are said; others stand as they are."""


def lexicon(names: Mapping[PlayerId, str] | Mapping[str, str], title: Title) -> Lexicon:
    """The names of one game, in which the players are called `names`."""
    return replace(_of(title), names={str(seat): name for seat, name in names.items()})


@lru_cache(16)
def _of(title: Title) -> Lexicon:
    """The names that every game of the title has."""
    companies = title.corporations.values()
    return Lexicon(
        currency=title.currency,
        names={},
        privates={str(private): printed.name for private, printed in title.privates.items()},
        companies={str(corp.id): corp.name for corp in companies},
        places={str(name): printed.name for name, printed in title.hexes.items() if printed.name},
        own=title.wording,
        phases=brought(phase_rows(title)),
        shares={str(corp.id): corp.shares for corp in companies},
        tiles={str(tile): title.number(tile) for tile in title.tiles},
    )


def mentions(users: Iterable[int]) -> str:
    return " ".join(f"<@{one}>" for one in users)


def listed(items: Iterable[str], joiner: str = "and") -> str:
    """ "a, b and c"."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joiner} {words[-1]}"


def sentence(clause: str) -> str:
    """The clause with a capital letter and a full stop; "" stays so."""
    return f"{clause[0].upper()}{clause[1:]}." if clause else ""


def reading_order(hex_id: str) -> tuple[str, int]:
    """The order in which people look for a hex: by its letters, then by its number."""
    letters = hex_id.rstrip("0123456789-")
    return letters, int(hex_id[len(letters) :] or 0)


A = TypeVar("A", bound=Action)


def joined(tile: Turned) -> tuple[tuple[int, ...], ...]:
    """The sides that lead to each stop, cities first, and those that plain track joins.

    Stops without slots that look the same come in one order, since turning the tile only swaps them.
    """
    stops = enumerate(tile.face.stops)
    ordered = sorted((_rank(stop, index), tile.stop_sides(index)) for index, stop in stops)
    plain = sorted(segment for segment in tile.segments if max(segment) < 6)
    return (*(sides for _, sides in ordered if sides), *plain)


def _rank(stop: Stop, index: int) -> tuple[int, str, int, int]:
    return (index, "", 0, 0) if stop.slots else (6, stop.kind, -stop.revenue, -stop.subsidy)


def joins(layout: Layout, hex_id: str, tile: Turned) -> str:
    """The hexes that the track joins: "F9-H11", or "F9-H11 and G8-I10" where it does not meet."""
    groups = ["-".join(across(layout, hex_id, side) for side in sides) for sides in joined(tile)]
    return " and ".join([", ".join(groups[:-1]), groups[-1]] if len(groups) > 1 else groups)


def beside(board: BoardView, stop: str) -> str:
    """The hexes to which a city's track leads, where its hex has other cities: "A19-C21"; else ""."""
    hex_id, index = split_stop(stop)
    cell = next((one for one in board.hexes if one.id == hex_id), None)
    if cell is None or sum(bool(one.slots) for one in cell.stops) < 2:
        return ""
    return "-".join(across(board.layout, hex_id, side) for side, end in cell.track if end == 6 + index and side < 6)


def without_twins(title: Title, actions: Iterable[A]) -> list[A]:
    """The actions without lays that look the same as an earlier one."""
    different: dict[object, A] = {}
    for action in actions:
        different.setdefault(_look(title, action), action)
    return list(different.values())


def _look(title: Title, action: Action) -> object:
    if not isinstance(action, LayTile | LayPowerTile):
        return action
    subject = action.corp if isinstance(action, LayTile) else action.private
    face = title.tiles[action.tile].face
    track = joined(turned(face, action.rotation))
    return type(action), action.by, subject, action.hex, title.number(action.tile), face, track


def tile_meant(names: Lexicon, supply: Mapping[TileId, int], number: str) -> TileId:
    """The tile of this number; of several, the one of which most are left."""
    meant = [one for one in supply if number in (one, names.tile(one))]
    return max(meant, key=lambda one: supply[one], default=TileId(number))


# Signs


def sign_of_company(company: CompanyView) -> str:
    """The sign of a company is its token: companies of two titles may share letters, but then not their looks."""
    return f"c_{_letters(company.id)}_{company.colour.lstrip('#')}_{company.index}"


def sign_of_train(rank: str) -> str:
    return f"t_{_letters(rank.replace('+', 'p'))}"


def sign_of_tile(colour: str) -> str:
    return f"h_{colour}"


def _letters(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", name)
