"""The checks of `tetsudo check-title`, each of one promise or some that belong together."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from cli.contract import moves, must
from cli.contract.box import box_is_sound
from cli.contract.brute import Tried
from cli.contract.play import NAMES, Setup, Trail, fewest_and_most, one_of_each_kind, opponents_play, setups
from cli.contract.rules import guards_are_asked, rules_are_known
from cli.contract.sound import audit_move, audit_start
from cli.contract.texts import drawn, seen, shown, told, undrawn
from engine import CHANCE, start

FIRST_TURNS = 200
"""Moves of a game that is not played to its end."""
NONSENSE = 25
"""Random actions that are tried at a position."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `run` plays a game of the trail's setup and seed, and raises where a promise is broken."""

    name: str
    about: str
    run: Callable[[Trail], None]
    where: Callable[[str], list[Setup]]
    """The setups of a title that it looks at."""


def rules(trail: Trail) -> None:
    """No game is played."""
    t = trail.setup.built()
    rules_are_known(t)
    if not trail.setup.options:
        guards_are_asked(t, [setup.built() for setup in one_of_each_kind(trail.setup.title)])


def box(trail: Trail) -> None:
    """No game is played."""
    box_is_sound(trail.setup.built(), trail.setup.title)


def first_turns(trail: Trail) -> None:
    """The first turns of a random game, and questions on the way."""
    t, random = trail.setup.built(), Random(trail.seed)
    audit_start(t, start(t, NAMES[: t.players]))
    for index, (s, action, after) in enumerate(moves.stays(trail.walk(t, FIRST_TURNS))):
        audit_move(t, s, after)
        if index % 13 == 0:
            moves.questions_change_nothing(t, s, action)
            moves.offers_are_accepted(t, s, random)
            moves.round_trip(t, after)
        if index % 39 == 0:
            moves.money_stays_secret(t, s)
        if index % 7 == 0:
            moves.wrong_seats_are_refused(t, s, action)


def whole_game(trail: Trail) -> None:
    """A random game to its end, its replay, and its files."""
    t = trail.setup.built()
    final = start(t, NAMES[: t.players])
    for before, _, after in moves.stays(trail.walk(t)):
        audit_move(t, before, after)
        final = after
    moves.nobody_moves_when_over(t, final)
    moves.replays(t, trail.actions, final)
    moves.comes_back(t, trail.actions, final)
    moves.goes_abroad(t, trail.actions, final)


def legal(trail: Trail) -> None:
    """What is offered against everything that there is."""
    t, tried = trail.setup.built(), Tried()
    for s, action, _ in trail.walk(t, 2 * FIRST_TURNS):
        if action.by != CHANCE:
            tried.look(t, s)


def nonsense(trail: Trail) -> None:
    """Actions of any kind with any values: allowed, refused in a sentence that cites a rule, or not understood."""
    t, random = trail.setup.built(), Random(trail.seed)
    for s, _, _ in trail.walk(t, FIRST_TURNS):
        before = s.to_dict()
        for _ in range(NONSENSE):
            moves.answered(t, s, moves.random_action(t, s, random))
        must(s.to_dict() == before, "A question changed the position.")


def texts(trail: Trail) -> None:
    """What people read in the first turns and, told move by move, to the end of the game."""
    t, work = trail.setup.built(), undrawn()
    names = None
    with work.executor:
        for index, (s, action, after) in enumerate(trail.walk(t)):
            names = names or seen(t, s, work).lexicon()
            told(t, after, names)
            if index % 7 == 0 and index < FIRST_TURNS and action.by != CHANCE:
                asyncio.run(shown(t, s, work))


def pictures(trail: Trail) -> None:
    """Some positions of a game, drawn."""
    t = trail.setup.built()
    for index, (s, _, after) in enumerate(trail.walk(t)):
        if index in (0, 40, 120) or index % 250 == 249:
            asyncio.run(drawn(t, s))
        final = after
    asyncio.run(drawn(t, final))


def opponents(trail: Trail) -> None:
    """A game among opponents, to its end."""
    must(opponents_play(trail.setup.built(), trail, 20_000).over, "The game has not ended.")


def opponents_begin(trail: Trail) -> None:
    """The first turns of a game among opponents."""
    opponents_play(trail.setup.built(), trail, FIRST_TURNS)


CHECKS = (
    Check("rules", "every rule that is cited is in the ledger", rules, one_of_each_kind),
    Check("box", "what is in the box fits together", box, setups),
    Check("turns", "nothing appears or vanishes, questions change nothing, offers are accepted", first_turns, setups),
    Check("games", "random games end, replay alike, and are the same from a file", whole_game, fewest_and_most),
    Check("legal", "what is offered is all that the guards accept", legal, fewest_and_most),
    Check("nonsense", "any action is allowed, refused with its rule, or not understood", nonsense, one_of_each_kind),
    Check("texts", "what people read has words and fits Discord", texts, one_of_each_kind),
    Check("pictures", "map, market, table, phases and cards are drawn", pictures, fewest_and_most),
    Check("opponents", "the program's players finish a game, and advise", opponents, fewest_and_most),
    Check("begin", "they play the first turns under every option", opponents_begin, one_of_each_kind),
)
