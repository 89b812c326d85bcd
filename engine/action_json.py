"""Actions to and from JSON, as logs and game files keep them."""

from collections.abc import Mapping
from typing import Any, get_type_hints

from engine.actions import ACTIONS, Action, Route
from engine.errors import BadAction
from engine.ids import Rank
from engine.plain import unfolded

LARGEST = 10**9
"""No amount in any game comes near it; larger numbers are refused as malformed."""


def to_json(action: Action) -> dict[str, Any]:
    """A JSON object with the action's kind under "do"; fields that are None are left out."""
    return {"do": type(action).__name__} | _filled(action)


def _filled(record: Action | Route) -> dict[str, Any]:
    return {name: _as_json(value) for name, value in unfolded(record).items() if value is not None}


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_as_json(item) for item in value]
    return _filled(value) if isinstance(value, Route) else value


_NUMBERS = {
    kind: {name for name, hint in get_type_hints(kind).items() if hint in (int, int | None)}
    for kind in ACTIONS.values()
}
"""By kind of action, the fields that hold a number."""


def from_json(body: Mapping[str, Any]) -> Action:
    """The action that `to_json` wrote. Raises BadAction for anything else."""
    kind = ACTIONS.get(str(body.get("do"))) if isinstance(body, Mapping) else None
    if kind is None:
        raise BadAction("This is not an action that the game knows.")
    known = kind.__dataclass_fields__
    unknown = [str(name) for name in body if name not in known and name != "do"]
    if unknown:
        raise BadAction(f"{kind.__name__} has no {', '.join(sorted(unknown))}.")
    values = {name: _checked(kind, name, value) for name, value in body.items() if name != "do"}
    try:
        return kind(**values)
    except TypeError as error:
        raise BadAction(f"{kind.__name__} is incomplete.") from error


def _checked(kind: type[Action], name: str, value: Any) -> Any:
    if name == "routes":
        return _routes(value)
    if name == "privates":
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadAction("The deal must list one private for each seat.")
        return tuple(value)
    wants_number = name in _NUMBERS[kind]
    if wants_number and (isinstance(value, bool) or not isinstance(value, int) or abs(value) > LARGEST):
        raise BadAction(f"{name} of {kind.__name__} must be a whole number.")
    if not wants_number and not (isinstance(value, str) and len(value) <= 40):
        raise BadAction(f"{name} of {kind.__name__} must be a short text.")
    return value


def _routes(value: Any) -> tuple[Route, ...]:
    if not isinstance(value, list) or len(value) > 20:
        raise BadAction("Routes must be a short list.")
    routes = []
    for item in value:
        if (
            not isinstance(item, Mapping)
            or not isinstance(item.get("train"), str)
            or not isinstance(item.get("path"), list)
        ):
            raise BadAction("A route names its train and its path.")
        path = item["path"]
        if len(path) > 400 or not all(
            isinstance(part, str) or (isinstance(part, int) and not isinstance(part, bool) and 0 <= part < 6)
            for part in path
        ):
            raise BadAction("A path is a list of stops and of sides from 0 to 5.")
        halts = item.get("halts")
        if halts is not None and (isinstance(halts, bool) or not isinstance(halts, int) or not 0 <= halts <= 100):
            raise BadAction("The halts of a route are a small number.")
        routes.append(Route(Rank(item["train"]), tuple(path), halts))
    return tuple(routes)
