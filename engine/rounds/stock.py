"""The stock round: players in turn buy and sell shares until all pass in a row."""

from collections.abc import Sequence

from engine.actions import Pass, SellShares
from engine.facts import Passed, RoundBegan
from engine.flow import can, enter, finish
from engine.ids import OR, SR, PlayerId
from engine.market import in_order, move, up
from engine.secrets import publicly, revealed
from engine.state import State
from engine.steps.common import just_pass
from engine.steps.shares import must_sell_first
from engine.title import SHARES, Predicate, Round, Step, Title, Verb


def end_turn(t: Title, s: State, a: Pass) -> None:
    """Pass, or be done with the turn."""
    if not _acted(s):
        s.passes += 1
        s.facts.append(Passed(a.by, s.step))
    _next_player(s)


def next_turn(t: Title, s: State) -> None:
    """End the turn of a player who can do nothing more; without an action it counts as a pass."""
    if not _acted(s):
        s.passes += 1
        s.facts.append(Passed(s.up, s.step, forced=True))
    _next_player(s)


def _acted(s: State) -> bool:
    return s.bought or bool(s.sold_now)


def _next_player(s: State) -> None:
    s.bought = s.sold_first = False
    s.sold_now = ()
    s.up = s.after(s.up)[0]


PASS = Verb(Pass, just_pass, (must_sell_first,), end_turn)


def something_to_do(t: Title, s: State) -> bool:
    """Whether the player whose turn it is can buy or sell anything."""
    return can_any(t, s, [verb for verb in t.share_step().verbs if verb.action is not Pass])


def can_any(t: Title, s: State, verbs: Sequence[Verb]) -> bool:
    """Whether the player whose turn it is can do any of these; sales are tried first, as most often something is."""
    sales_first = sorted(verbs, key=lambda verb: verb.action is not SellShares)
    return any(can(t, s, verb, s.up) for verb in sales_first)


def begin(t: Title, s: State) -> None:
    """Start with the holder of the priority deal."""
    s.up = s.priority
    s.last_actor = None
    s.passes = 0
    s.bought = s.sold_first = False
    s.sold_now = ()
    s.sold = {}
    s.step = "shares"
    s.or_number = 1
    s.operating = None
    s.facts.append(RoundBegan(SR, s.turn, 1))
    secrecy = t.policy.secrecy
    if not (secrecy.open_cash and secrecy.open_treasuries) and _idle_for_ever(t, s):
        finish(t, s, "stuck")


def _idle_for_ever(t: Title, s: State) -> bool:
    """Whether the rounds to come would end the game if only those were asked who can do something.

    Where cash is secret, others are asked too, and passing would go on for ever.
    """
    ahead = s.copy()
    proceed(revealed(t), ahead)
    return ahead.over == "stuck"


def proceed(t: Title, s: State) -> None:
    """Ask the player whose turn it is; one who can do nothing, as everybody can see, is passed over."""
    while s.passes < len(s.players):
        if t.share_step().asks(t, publicly(t, s, s.up)):
            return
        next_turn(t, s)
    _end(t, s)


def _end(t: Title, s: State) -> None:
    if t.policy.milestones.stock_closing(t, s) or s.over:
        return
    for corp in in_order(t, s, s.floated):
        if sum(s.held(corp, player) for player in s.players) == t.corporations[corp].shares:
            move(t, s, corp, up(t, s.cell[corp]), "sold out")
    s.priority = s.up  # all have passed since the last to act, so it is his left neighbour's turn
    s.or_count = t.phase(s).operating_rounds
    t.policy.milestones.stock_ended(t, s)
    if not s.over:
        enter(t, s, OR)


def actors(t: Title, s: State) -> tuple[PlayerId, ...]:
    """The player whose turn it is."""
    return (s.up,)


NAMED = "Stock round", lambda t, s: str(s.turn)


def stock_round(*verbs: Verb, asks: Predicate = something_to_do) -> Round:
    """A stock round whose turns offer these verbs while `asks` finds something to decide."""
    return Round(SR, (Step(SHARES, verbs, asks),), begin, proceed, actors, *NAMED)
