"""Station tokens: ordinary ones at 40 and 100, places kept for homes to come, Kinki's free ones."""

from engine.actions import PlaceToken
from engine.board.reach import reach
from engine.facts import TokenPlaced
from engine.ids import stop_id
from engine.rounds.operating import place_home_tokens
from engine.state import State
from engine.steps import token
from engine.title import Title
from engine.titles.t1890.companies import AUTOMATIC, may_operate, reached
from engine.titles.t1890.printed import KINKI
from engine.titles.t1890.ways import ways


def token_left(t: Title, s: State, a: PlaceToken) -> str | None:
    """Free tokens wait for homes; another one must be left on the charter."""
    return None if token.next_token(s, a.corp) else f"{a.corp} has no station token left to place."


PLACE = token.PLACE.swap(token.token_left, token_left)
TOKEN = token.TOKEN.swap(token.PLACE, PLACE)


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
                token.spend_token(s, KINKI, 0)
                s.facts.append(TokenPlaced(KINKI, stop_id(hex_id, index), 0, home=True))
                break
        else:
            return
