"""Station tokens: ordinary ones at 40 and 100, places kept for homes to come, Kinki's free ones."""

from collections.abc import Iterator

from engine.actions import Action, BuyPassage, PlaceToken
from engine.board.reach import reach
from engine.facts import TokenPlaced
from engine.flow import can
from engine.ids import BANK, PlayerId, split_stop, stop_id
from engine.money import pay
from engine.rounds.operating import place_home_tokens
from engine.state import State
from engine.steps import token
from engine.steps.common import PASS_STEP, operator, own_turn
from engine.title import Step, Title, Verb
from engine.titles.t1890.companies import AUTOMATIC, may_operate, ordinary_token, reached, spend_token
from engine.titles.t1890.printed import KINKI
from engine.titles.t1890.ways import ways


def token_left(t: Title, s: State, a: PlaceToken) -> str | None:
    """Free tokens wait for homes; another one must be left on the charter."""
    return None if ordinary_token(s, a.corp) else f"{a.corp} has no station token left to place."


def token_affordable(t: Title, s: State, a: PlaceToken) -> str | None:
    """The treasury pays for the token."""
    cost = ordinary_token(s, a.corp) or 0
    if cost <= s.cash[a.corp]:
        return None
    return f"The next token of {a.corp} costs {t.money(cost)}; the treasury has {t.money(s.cash[a.corp])}."


def cities(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each city that the company reaches, if it has a token to place and has placed none in this turn."""
    corp = operator(s)
    if ordinary_token(s, corp) is not None and not s.tokened:
        yield from token.reached_cities(t, s, player, corp)


def place(t: Title, s: State, a: PlaceToken) -> None:
    """Pay for the next ordinary token and place it. {1890-TOK-03}"""
    cost = ordinary_token(s, a.corp)
    assert cost is not None
    pay(s, a.corp, BANK, cost, "token")
    spend_token(s, a.corp, cost)
    s.board = s.board.with_token(*split_stop(a.stop), a.corp)
    s.tokened = True
    s.facts.append(TokenPlaced(a.corp, a.stop, cost))


PLACE = Verb(
    PlaceToken,
    cities,
    (
        own_turn, token.one_token, token_left, token_affordable, token.a_city, token.one_in_hex,
        token.place_free, token.not_reserved, token.joined_to_token,
    ),
    place,
)  # fmt: skip


def can_place(t: Title, s: State) -> bool:
    """The step is asked while the company can do any of the step's other verbs."""
    player = s.president_of(operator(s))
    if s.tokened or player is None:
        return False
    verbs = t.own_step(token.TOKEN).verbs
    return any(can(t, s, verb, player) for verb in verbs if verb.action in (PlaceToken, BuyPassage))


TOKEN = Step(token.TOKEN.name, (PLACE, PASS_STEP), can_place)


def place_automatic(t: Title, s: State) -> None:
    """An ordinary Kinki gets its home, and free tokens where the phase has come, a place is free and it is connected.

    One that does not operate yet, for want of shares sold, gets none. {1890-VAR-11a, 1890-VAR-14}
    """
    if KINKI not in s.floated or ways(t).scenario.forms_kinki or not may_operate(t, s, KINKI):
        return
    place_home_tokens(t, s, (KINKI,))
    while True:
        stops = reach(s.board, KINKI).stops
        held = {hex_id for hex_id, _ in s.board.token_stops(KINKI)}
        for (hex_id, printed), phase in AUTOMATIC:
            index = s.board.printed_stop(hex_id, printed)
            free = None in s.board.places(hex_id, index)
            if hex_id not in held and free and reached(t, s, phase) and (hex_id, index) in stops:
                s.board = s.board.with_token(hex_id, index, KINKI)
                spend_token(s, KINKI, 0)
                s.facts.append(TokenPlaced(KINKI, stop_id(hex_id, index), 0, home=True))
                break
        else:
            return
