"""The engine's questions: who must decide, what is allowed, and what an action makes of a position.

`judge` is the one judge; `legal` is what it accepts among each verb's candidates; `apply` judges, copies,
performs and lets the round go on to whoever is asked next.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from engine import actions as act
from engine.actions import PHRASES, Action
from engine.depot import ask_discards
from engine.errors import BadAction, Refused
from engine.facts import BankBroke, GameEnded, Passed, RoundBegan
from engine.frozen import dataclass
from engine.ids import CHANCE, CorpId, PlayerId
from engine.shares import scores
from engine.state import CLOSED, State
from engine.title import Guard, Perform, Step, Title, Verb


@dataclass(frozen=True, slots=True)
class Decision:
    """Who is asked for what: the seats, the round and step, and the company or private concerned."""

    players: tuple[PlayerId, ...]
    round: str
    step: str
    subject: str | None = None


def decision(t: Title, s: State) -> Decision:
    """Who is asked, and for what. No seats once the game is over."""
    if s.over:
        return Decision((), s.round, "over")
    if s.pending:
        top = s.pending[-1]
        return Decision((top.player,), s.round, top.step, top.subject)
    return Decision(t.rounds[s.round].actors(t, s), s.round, s.step, s.operating or s.contested)


_OVER = Step("over", ())


def present_step(t: Title, s: State) -> Step:
    """The step that is asked now: the last interrupt, or the round's own; one without verbs once the game is over."""
    if s.over:
        return _OVER
    return t.interrupts[s.pending[-1].step] if s.pending else t.rounds[s.round].by_name[s.step]


def present_verbs(t: Title, s: State) -> list[Verb]:
    """What can be done now: the step's verbs, and those of any time but what the step has a verb of its own for."""
    step = present_step(t, s)
    return [*step.verbs, *(verb for verb in t.anytime if verb.action not in step.by_action)]


def judge(t: Title, s: State, action: Action) -> Refused | None:
    """The refusal of an action, or None where it is allowed. BadAction if it names what does not exist."""
    verdict = _judged(t, s, action)
    return verdict if isinstance(verdict, Refused) else None


def _judged(t: Title, s: State, action: Action) -> Verb | Refused:
    """The verb whose guards all accept the action, or the first refusal."""
    check_names(t, s, action)
    verb = _find_verb(t, s, action)
    if isinstance(verb, Refused):
        return verb
    for guard in verb.guards:
        text = guard(t, s, action)
        if text is not None:
            return Refused(action, t.rule(verb, guard), text)
    return verb


def _find_verb(t: Title, s: State, action: Action) -> Verb | Refused:
    kind = type(action)
    if s.over:
        return Refused(action, "", "The game is over.")
    step = present_step(t, s)
    verb = step.by_action.get(kind)
    if verb is None:
        verb = next((verb for verb in t.anytime if verb.action is kind), None)
    asked = decision(t, s).players
    if verb is not None and (verb.anybody or action.by in asked):
        return verb
    phrases = list(dict.fromkeys(PHRASES[verb.action] for verb in step.verbs if verb.action in PHRASES))
    choices = " or ".join(filter(None, (", ".join(phrases[:-1]), *phrases[-1:])))
    who = "you" if action.by in asked else people(s, asked)
    return Refused(action, t.turn_rules[s.round], f"That is not possible now: it is up to {who} to {choices}.")


def people(s: State, players: tuple[PlayerId, ...]) -> str:
    """Names for a sentence."""
    return " or ".join(s.names.get(player, "chance") for player in players)


def legal(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Everything the seat may do now, in a fixed order; open-ended verbs give a sensible choice."""
    if s.over:
        return
    asked = player in decision(t, s).players
    for verb in present_verbs(t, s):
        if asked or (verb.anybody and verb in t.anytime):
            yield from possible(t, s, verb, player)


def refusals(t: Title, s: State, player: PlayerId, without: Container[type[Action]] = ()) -> Iterator[Refused]:
    """What the guards object to among the candidates of all that the seat is asked, one objection each."""
    if s.over or player not in decision(t, s).players:
        return
    for verb in present_verbs(t, s):
        if verb.action not in without:
            for action in verb.candidates(t, s, player):
                refusal = judge(t, s, action)
                if refusal is not None:
                    yield refusal


def possible(t: Title, s: State, verb: Verb, player: PlayerId) -> Iterator[Action]:
    """The verb's candidates that its guards accept."""
    of_seat = verb.of_seat
    last, fits = None, True  # lay but for its rotation, and what the guards said that do not look at that
    for action in verb.candidates(t, s, player):
        for guard in of_seat:
            if guard(t, s, action) is not None:
                return
        of_seat = ()  # asked once: they say the same of all candidates
        if verb.of_tile:
            assert isinstance(action, act.Lay)
            lay = (action.corp, action.hex, action.tile)
            if lay != last:
                last, fits = lay, _agree(t, s, verb.of_tile, action)
        if fits and _agree(t, s, verb.of_action, action):
            yield action


def once_done(t: Title, s: State, verb: Verb, action: Action) -> State:
    """What the position would be after the action alone, which is allowed, before what follows by itself."""
    after = s.copy()
    verb.perform(t, after, action)
    return after


def _agree(t: Title, s: State, guards: tuple[Guard, ...], action: Action) -> bool:
    for guard in guards:  # noqa: SIM110 (asked of every candidate: a generator would take longer)
        if guard(t, s, action) is not None:
            return False
    return True


def can(t: Title, s: State, verb: Verb, player: PlayerId) -> bool:
    """Whether the seat has any legal action of this verb."""
    return next(possible(t, s, verb, player), None) is not None


def apply(t: Title, s: State, action: Action) -> State:
    """The position after the action, its facts in `.facts`. Raises Refused or BadAction; `s` never changes."""
    verb = _judged(t, s, action)
    if isinstance(verb, Refused):
        raise verb
    return _done(t, s, action, verb)


def _done(t: Title, s: State, action: Action, verb: Verb) -> State:
    """What the verb makes of the position, with all that follows by itself."""
    new = s.copy()
    new.begun = new.begun or not verb.anybody
    verb.perform(t, new, action)
    for settle in t.settle:
        settle(t, new)
    if not new.over and not new.pending:
        t.rounds[new.round].proceed(t, new)
        for settle in t.settle:
            settle(t, new)
    return new


def apply_unjudged(t: Title, s: State, action: Action) -> State:
    """The position after an action that was played elsewhere although the rules refuse it: no guard is asked.

    The verb is that of the present step or, where it has none, of another step of the round. Raises BadAction where
    there is none, or where the action cannot be carried out in this position; `s` never changes.
    """
    check_names(t, s, action)
    verb = None if s.over else _verb_anywhere(t, s, type(action))
    if verb is None:
        raise BadAction(f"{type(action).__name__} cannot be done at all in this position.")
    if isinstance(action, act.BuyTrain) and t.policy.trains.discards_at_once:
        verb = replace(verb, perform=_then_discarding(verb.perform))
    try:
        return _done(t, s, action, verb)
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
        # What a verb does relies on its guards; here they did not speak.
        raise BadAction(f"{type(action).__name__} cannot be carried out in this position.") from error


def _then_discarding(perform: Perform) -> Perform:
    """A company that bought beyond its limit is asked at once what it discards."""

    def perform_and_ask(t: Title, s: State, a: Action) -> None:
        perform(t, s, a)
        ask_discards(t, s, s.operating)

    return perform_and_ask


def _verb_anywhere(t: Title, s: State, kind: type[Action]) -> Verb | None:
    steps = (present_step(t, s), *t.rounds[s.round].steps)
    verbs = (*(step.by_action.get(kind) for step in steps), *t.anytime)
    return next((verb for verb in verbs if verb is not None and verb.action is kind), None)


def enter(t: Title, s: State, name: str) -> None:
    """Begin another round; the caller's `proceed` must not touch the state after this."""
    s.round = name
    t.rounds[name].begin(t, s)
    if not s.over and _came_round(s):
        finish(t, s, "stuck")
    if not s.over and not s.pending:
        t.rounds[name].proceed(t, s)


def _came_round(s: State) -> bool:
    """Whether the same round began before in this action and nothing has happened since but that players passed."""
    begun = set()
    for fact in reversed(s.facts):
        if isinstance(fact, Passed):
            continue
        if not isinstance(fact, RoundBegan) or (fact.round, fact.number) in begun:
            return isinstance(fact, RoundBegan)
        begun.add((fact.round, fact.number))
    return False


def break_bank(t: Title, s: State) -> None:
    """Notice that the bank is broken; it stays so."""
    if not s.broken and t.policy.milestones.bank_broken(s):
        s.broken = True
        s.facts.append(BankBroke())


def finish(t: Title, s: State, reason: str) -> None:
    """End the game now."""
    s.over = reason
    s.pending = ()
    s.facts.append(GameEnded(reason, scores(t, s)))


def check_names(t: Title, s: State, action: Action) -> None:
    """Raise BadAction if the action names a seat, company, hex, tile, ... that this game does not have."""
    if action.by not in s.names and action.by != CHANCE:
        raise BadAction(f"There is no seat {action.by!r} at this table.")
    for name, known in _NAMED[type(action)]:
        value = getattr(action, name)
        if value is not None and value not in known(t):
            raise BadAction(f"There is no {_CALLED.get(name, name)} “{value}” in {t.name}.")


_SOURCES: dict[str, Callable[[Title], Container[object]]] = {
    "corp": lambda t: t.corporations,
    "private": lambda t: t.privates,
    "hex": lambda t: t.hexes,
    "tile": lambda t: t.tiles,
    "rank": lambda t: t.trains,
    "rotation": lambda t: range(6),
}
_CALLED = {"corp": "company", "rank": "train"}
_NAMED = {
    kind: tuple((name, known) for name, known in _SOURCES.items() if name in kind.__dataclass_fields__)
    for kind in act.ACTIONS.values()
}


def consent(t: Title, s: State, action: Action) -> PlayerId | None:
    """Whose agreement the action needs beside its actor's: the seller's, in a deal; None if nobody's."""
    if isinstance(action, act.BuyTrain) and action.source in t.corporations:
        seller = s.president_of(CorpId(action.source))
        return seller if seller != action.by else None
    if isinstance(action, act.CompanyBuysPrivate | act.TradePrivate):
        owner = s.owner.get(action.private, CLOSED)
        return PlayerId(owner) if owner in s.names and owner != action.by else None
    return None
