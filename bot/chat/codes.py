"""Writing actions and positions into the ids of buttons, and reading them back.

An id is `KIND:GAME:SEQ:CODE`, 100 characters at most. KIND tells buttons, selects and modals apart, GAME
is the game's id and SEQ the position the control was made for. CODE is a word and its arguments joined
by "|". An action's code is its kind and its fields in order, without the seat, which is that of whoever
presses. `read` lets through what the bot can have made, and `must_be_of` what there is in the game; whether it may be
done now is for the engine.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from bot.core.errors import UnknownControl
from bot.words.labels import CONTROLS
from engine.action_json import from_json, to_json
from engine.actions import ACTIONS, Action, RunTrains
from engine.errors import BadAction
from engine.ids import BANK, POOL, PlayerId
from engine.title import Title

ID_PATTERN = r"(?P<game>[0-9a-zA-Z-]{1,20}):(?P<seq>[0-9]{1,7}):(?P<code>.{1,70})"
LIMIT = 100
NOT_OFFERED = "That is not one of the choices: please pick from the list."
SEPARATOR = "|"
_NAME = r"[\w&+.-]{1,20}"
_LAY = rf"(?:LayTile|LayPowerTile)\|{_NAME}"
_ASK = (
    rf"Bid(?:\|{_NAME})?|BidToChoose|BuyTrain(?:\|{_NAME}){{3}}|CompanyBuysPrivate\|{_NAME}\|{_NAME}"
    rf"|TradePrivate\|{_NAME}|RunTrains\|{_NAME}"
)
_OFFER = r"\d{1,18}"
SHOWN = ("map", "closer", "market", "table", "privates", "trains", "tiles", "phases")
"""What can be looked at; each is a screen of `bot/rooms/turn/shown.py`."""
_SEAT = r"p\d"
_MINE = (
    r"show|back|quiet|away|where\|(?:channel|dm|both|digest)|after\|\d{1,3}|digest\|\d{1,2}"
    r"|zone\|[A-Za-z0-9_+/-]{1,50}"
)


def _shape_of(kind: type[Action]) -> str:
    """The fields of an action, without the seat."""
    return r"\|".join(r"[^|]{0,40}" for field in fields(kind) if field.name != "by")


_PROGRAM = rf"show|seen|(?:off|rest|quiet)\|\d{{1,6}}|do\|[a-z]{{2,10}}(?:\|{_NAME})?|form\|[a-z]{{2,10}}\|(?:{_NAME})?"
"""What a button about programs does: "do" switches on what is offered, "form" opens the form of a kind."""

_BARE = "end hand more page note why ifpass suggest since records rematch wake silence stop join start catchup"
SHAPES: dict[str, str] = {
    **{kind.__name__: _shape_of(kind) for kind in CONTROLS if kind is not RunTrains},
    "sure": "|".join(
        kind.__name__ + (rf"\|{shape}" if (shape := _shape_of(kind)) else "")
        for kind, one in CONTROLS.items()
        if one.warning
    ),
    "RunTrains": rf"{_NAME}\|[0-9a-f]{{10}}(?:\|[12])?",
    "menu": rf"(?:{'|'.join(kind.__name__ for kind in CONTROLS)})(?:\|{_NAME})?",
    "lay": _LAY,
    "hex": rf"{_LAY}\|{_NAME}(?:\|\d{{1,2}})?",
    "try": rf"{_LAY}\|{_NAME}\|{_NAME}\|[0-5]",
    "run": rf"{_NAME}\|[0-9a-f]{{10}}\|[0-2]\|(?:pay|withhold|half)",
    **dict.fromkeys(_BARE.split(), ""),
    **dict.fromkeys(("yes", "no", "price", "accept", "refuse"), _OFFER),
    **dict.fromkeys(("take", "keep", "substitute", "open"), _SEAT),
    **dict.fromkeys(("ask", "amount"), _ASK),
    "routes": _NAME,
    "foresee": "[0-2]",
    "further": rf"{_NAME}\|[12]",
    "program": _PROGRAM,
    "chart": "worth|prices|revenue|sources|trains",
    "reasons": r"\d{1,7}",
    "review": r"(?:stop|p\d(?:\|\d)?)?",
    "instead": r"p\d\|\d",
    "help": r"[a-z0-9]{2,20}",
    "history": rf"\d{{1,4}}\|(?:p\d(?:\+p\d){{0,6}})?\|(?:{_NAME})?\|(?:money|track)?",
    "past": r"\d{1,7}\|(?:map|market|table)\|u?\|[0-3pruv]",
    "astext": r"\d{1,7}",
    "learned": r"[a-z ]{2,20}",
    "rule": r"\d{4}-[A-Z]{2,3}(?:-\d{2}[a-z]?)?",
    "board": r"(?:new|lines|back|compare|name|fork|draw|assume|others|follow)?|(?:open|drop|following)\|\d{1,18}",
    "show": "|".join(SHOWN),
    "undo": r"(?:sure|(?:sure|from|ask|yes|no)\|\d{1,7})?",
    "pass": "once|round|stop",
    "vote": r"(?:end|runout|pace|settings)\|(?:yes(?:\|[0-9a-f]{10})?|no)",
    "late": r"(?:wait|pass|bot|open)\|p\d",
    "mine": _MINE,
    "leave": "(?:sure)?",
    "opponent": r"learner|regular|strong|p\d",
    "rules": r"[a-z0-9_]{1,40}",
    "follow": r"(?:[a-z]{1,10}|\d{1,6})?",
    "games": r"\d{1,4}",
    "puzzle": r"day\|\d{1,6}\|[0-4]|(?:try\|[0-4]|another)\|\d{4}-\d{1,4}-\d{1,4}",
    "guide": r"(?:on|more|back|end|table|(?:to|scene)\|[a-z]{2,10})?",
}
"""What may follow each word that a code begins with."""
_SHAPES = {word: re.compile(shape, re.ASCII) for word, shape in SHAPES.items()}
_OF_THINGS = ("menu", "lay", "hex", "try", "routes", "further", "ask", "amount")
"""The words whose arguments name things of the game."""


def join(*parts: object) -> str:
    """The parts as one code; None becomes an empty part."""
    return SEPARATOR.join("" if part is None else str(part) for part in parts)


def split(code: str) -> list[str]:
    """The parts of a code that `join` made, all as text."""
    return code.split(SEPARATOR)


def read(code: str) -> tuple[str, list[str]]:
    """The word and the arguments of a code. Raises UnknownControl unless the bot makes such codes."""
    word, _, rest = code.partition(SEPARATOR)
    if len(code) > LIMIT or word not in _SHAPES or not _SHAPES[word].fullmatch(rest):
        raise UnknownControl()
    return word, split(rest) if rest else []


def must_be_of(title: Title, word: str, parts: Sequence[str]) -> None:
    """Raise UnknownControl if the code names what the game does not have."""
    things = (ACTIONS, title.corporations, title.privates, title.hexes, title.tiles, title.trains, (BANK, POOL))
    known = (part.isdecimal() or any(part in some for some in things) for part in parts)
    if word in _OF_THINGS and not all(known):
        raise UnknownControl()


def action_code(action: Action, effort: int = 0) -> str:
    """A short code for the action; routes are too long, so their code is a digest and the effort that finds them."""
    if isinstance(action, RunTrains):
        return join("RunTrains", action.corp, digest(action), *([effort] if effort else []))
    body = to_json(action)
    names = [field.name for field in fields(action) if field.name != "by"]
    return join(type(action).__name__, *(body.get(name) for name in names))


def digest(action: Action) -> str:
    """Ten characters that tell apart actions at the same position."""
    body = {key: value for key, value in to_json(action).items() if key != "by"}
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:10]


def read_action(code: str, by: PlayerId) -> Action:
    """The action that `action_code` encoded, taken by seat `by`. Raises BadAction."""
    name, *values = split(code)
    kind = ACTIONS.get(name)
    if kind is None or kind not in CONTROLS or kind is RunTrains:
        raise BadAction(NOT_OFFERED)
    slots = [field for field in fields(kind) if field.name != "by"]
    if len(values) != len(slots):
        raise BadAction(NOT_OFFERED)
    body: dict[str, Any] = {"do": name, "by": by}
    for field, value in zip(slots, values, strict=True):
        if value == "":
            continue
        body[field.name] = _number(value) if field.type is int else value
    return from_json(body)


def _number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,12}", text):
        raise BadAction(NOT_OFFERED)
    return int(text)
