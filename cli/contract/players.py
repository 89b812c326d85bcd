"""Opponents of the program at a title: they play it to its end, and advise in words."""

from bot.rooms.opponents.reasons import told
from cli.contract import must
from cli.contract.play import Trail
from cli.contract.texts import seen, undrawn
from cli.matches import RANDOM, moves, names
from engine import CHANCE, PlayerId, State, Title, decision, judge, start
from opponents import advise
from opponents.levels import Level

PLAYERS = ("regular", "learner", RANDOM)
"""Who plays, seat by seat and from the front again."""
ADVISED = 37
"""After every so many moves advice is asked for."""
LEVELS: tuple[Level, ...] = ("regular", "strong")


def opponents_play(t: Title, trail: Trail, most: int) -> State:
    """A game among them, of at most so many moves; advice in between. The last position."""
    policies = [PLAYERS[number % len(PLAYERS)] for number in range(t.players)]
    before = start(t, names(t))
    for number, (action, after) in enumerate(moves(t, policies, trail.seed)):
        if number == most:
            break
        trail.note(before, action)
        asked = decision(t, before).players
        if number % ADVISED == 0 and asked and asked[0] != CHANCE:
            advice_is_told(t, before, asked[0])
        before = after
    return before


def advice_is_told(t: Title, s: State, seat: PlayerId) -> None:
    """What the program would do there is legal, and its reasons have words."""
    names = seen(t, s, undrawn()).lexicon()
    for level in LEVELS:
        choices = advise(t, s, seat, level)
        must(choices, f"The {level} opponent has no advice for {seat}.")
        refusal = judge(t, s, choices[0].action)
        must(refusal is None, f"The {level} opponent advises {choices[0].action}, which is refused: {refusal}")
        for choice in choices[:3]:
            text = told(choice, names)
            must("None" not in text, f"Advice is told as {text!r}.")
