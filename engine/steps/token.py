"""Placing station tokens."""

from collections.abc import Iterator

from engine.actions import Action, BuyPassage, PlaceToken
from engine.board.reach import reach, reaches
from engine.errors import BadAction
from engine.facts import TokenPlaced
from engine.flow import can
from engine.ids import CorpId, HexId, PlayerId, split_stop, stop_id
from engine.money import pay
from engine.state import State
from engine.steps.common import PASS_STEP, operator, own_turn
from engine.title import Step, Title, Verb


def next_token(s: State, corp: CorpId) -> int | None:
    """The price of the company's next token; free ones wait for homes. None if none is left."""
    return next((cost for cost in s.tokens[corp] if cost), None)


def spend_token(s: State, corp: CorpId, cost: int) -> None:
    """Take a token of this price from the charter."""
    left = list(s.tokens[corp])
    left.remove(cost)
    s.tokens[corp] = tuple(left)


def one_token(t: Title, s: State, a: PlaceToken) -> str | None:
    """One token in a turn."""
    return f"{a.corp} has already placed a token this turn." if s.tokened else None


def token_left(t: Title, s: State, a: PlaceToken) -> str | None:
    """A token must be left on the charter."""
    return None if s.tokens[a.corp] else f"{a.corp} has placed all its station tokens."


def a_city(t: Title, s: State, a: PlaceToken) -> str | None:
    """Tokens lie in cities."""
    hex_id, index = _stop(s, a)
    kind = s.board.stop(hex_id, index).kind
    return None if kind == "city" else f"{hex_id} has no city to put a station token in."


def _stop(s: State, a: PlaceToken) -> tuple[HexId, int]:
    try:
        hex_id, index = split_stop(a.stop)
    except ValueError as error:
        raise BadAction(f"{a.stop!r} is not a stop.") from error
    if hex_id not in s.board.faces or not 0 <= index < len(s.board.faces[hex_id].face.stops):
        raise BadAction(f"There is no stop {a.stop!r} on the map.")
    return hex_id, index


def _city(s: State, hex_id: HexId) -> str:
    """The city for a sentence; where the hex has others, what is said does not hold of all."""
    alone = sum(stop.kind == "city" for stop in s.board.face(hex_id).face.stops) == 1
    return hex_id if alone else f"that city of {hex_id}"


def one_in_hex(t: Title, s: State, a: PlaceToken) -> str | None:
    """A company has at most one token in a hex."""
    hex_id, _ = _stop(s, a)
    if s.board.in_hex(hex_id, a.corp):
        return f"{a.corp} already has a token in {hex_id}."
    return None


def place_free(t: Title, s: State, a: PlaceToken) -> str | None:
    """The city needs a free place."""
    hex_id, index = _stop(s, a)
    if None in s.board.places(hex_id, index):
        return None
    return f"There is no free place for a token in {_city(s, hex_id)}."


def not_reserved(t: Title, s: State, a: PlaceToken) -> str | None:
    """The last free places of a city are kept for the home tokens still to come."""
    hex_id, index = _stop(s, a)
    keepers = [corp for corp in t.policy.companies.waiting_homes(t, s, hex_id, index) if corp != a.corp]
    if s.board.places(hex_id, index).count(None) > len(keepers):
        return None
    return f"The last free place in {_city(s, hex_id)} is kept for the home token of {' and '.join(keepers)}."


def token_affordable(t: Title, s: State, a: PlaceToken) -> str | None:
    """The treasury pays for the token."""
    cost = next_token(s, a.corp) or 0
    if cost > s.cash[a.corp]:
        return f"The next token of {a.corp} costs {t.money(cost)}; the treasury has {t.money(s.cash[a.corp])}."
    return None


def joined_to_token(t: Title, s: State, a: PlaceToken) -> str | None:
    """A route of any length joins the city to one of the company's tokens."""
    hex_id, index = _stop(s, a)
    if reaches(s.board, a.corp, lambda reached: (hex_id, index) in reached.stops):
        return None
    return f"No open track joins {_city(s, hex_id)} to a token of {a.corp}."


def cities(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each city that the company reaches, if it has a token to place and has placed none in this turn."""
    corp = operator(s)
    if next_token(s, corp) is None or s.tokened:
        return
    reached = reach(s.board, corp)
    for hex_id in t.hexes:
        for index, stop in enumerate(s.board.face(hex_id).face.stops if hex_id in reached.hexes else ()):
            if stop.kind == "city" and (hex_id, index) in reached.stops:
                yield PlaceToken(player, corp, stop_id(hex_id, index))


def place(t: Title, s: State, a: PlaceToken) -> None:
    """Pay for the token and place it."""
    hex_id, index = _stop(s, a)
    cost = next_token(s, a.corp)
    assert cost is not None
    pay(s, a.corp, t.policy.companies.bank, cost, "token")
    spend_token(s, a.corp, cost)
    s.board = s.board.with_token(hex_id, index, a.corp)
    s.tokened = True
    s.facts.append(TokenPlaced(a.corp, a.stop, cost))


PLACE = Verb(
    PlaceToken,
    candidates=cities,
    guards=(
        own_turn, one_token, token_left, token_affordable, a_city, one_in_hex, place_free, not_reserved,
        joined_to_token,
    ),
    perform=place,
)  # fmt: skip


def can_place(t: Title, s: State) -> bool:
    """The step is asked while a token can be placed somewhere, or what takes its place be done."""
    player = s.president_of(operator(s))
    if s.tokened or player is None:
        return False
    verbs = t.own_step(TOKEN).verbs
    return any(can(t, s, verb, player) for verb in verbs if verb.action in (PlaceToken, BuyPassage))


TOKEN = Step("token", (PLACE, PASS_STEP), can_place)
