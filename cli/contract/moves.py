"""What `judge`, `legal`, `apply` and `replay` promise of one another, position by position."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from random import Random
from typing import Any, get_type_hints

import engine
from cli.contract import must
from cli.contract.brute import DOMAINS
from cli.contract.play import NAMES
from cli.contract.rules import SENTENCE, refusal_is_told
from cli.contract.sound import audit_move
from engine import Action, PlayerId, State, Title, board_view, from_json, market_view, table_view, to_json
from engine.actions import ACTIONS, Pass, Route
from engine.secrets import hidden_purses, with_purses
from engine.stored import differences, state_of
from engine.viewing import round_label
from records import native
from records.dialect import DIALECTS
from records.errors import BadRecord
from records.export_18xx import export
from records.files import parse, play
from records.shapes import Body


def stays(
    moves: Iterable[tuple[State, Action, State]],
) -> Iterator[tuple[State, Action, State]]:
    """The moves of a game, each of which changes the position, while looking for the next one does not."""
    kept = None
    for before, action, after in moves:
        if kept is not None:
            must(_same(kept, before), f"Asking what is possible changed the position: {_which(kept, before)}.")
        must(not _same(before, after), f"{action} changes nothing: the same is asked again.")
        kept = after.copy()
        yield before, action, after


def _same(one: State, other: State) -> bool:
    """Whether the positions are equal, whatever led to them."""
    return bool(_parts(one) == _parts(other))


def _which(one: State, other: State) -> str:
    """The fields in which positions differ, for a sentence."""
    return ", ".join(f"`{name}`" for name in differences(one, other))


_parts = attrgetter(*(name for name in State.__slots__ if name != "facts"))
QUESTIONS: dict[str, Callable[[Title, State, Action], object]] = {
    "decision": lambda t, s, a: engine.decision(t, s),
    "present_step": lambda t, s, a: engine.present_step(t, s),
    "judge": engine.judge,
    "consent": engine.consent,
    "scores": lambda t, s, a: engine.scores(t, s),
    "board_view": lambda t, s, a: board_view(t, s),
    "market_view": lambda t, s, a: market_view(t, s),
    "table_view": lambda t, s, a: [table_view(t, s, viewer) for viewer in (None, *s.players)],
    "reminder": lambda t, s, a: t.policy.milestones.reminder(t, s),
    "legal": lambda t, s, a: [list(engine.legal(t, s, player)) for player in (*s.players, engine.CHANCE)],
}


TOLD: dict[str, Callable[[Title, State, PlayerId | None], object]] = {
    "Who is asked": lambda t, s, viewer: engine.decision(t, s),
    "The table": table_view,
    "`milestones.reminder`": lambda t, s, viewer: t.policy.milestones.reminder(t, s),
    "What is legal": lambda t, s, viewer: list(engine.legal(t, s, viewer)) if viewer else None,
}
"""What somebody learns of a position."""


def questions_change_nothing(t: Title, s: State, action: Action) -> None:
    """No question about a position changes it, nor does anything done to the position after it, or to a copy."""
    before, kept, facts = json.dumps(s.to_dict()), s.copy(), list(s.facts)
    for name, ask in QUESTIONS.items():
        ask(t, s, action)
        must(_same(kept, s), f"A question changed the position: `{name}` changed {_which(kept, s)}.")
    after, again = engine.apply(t, s, action), engine.apply(t, s, action)
    must(not differences(after, again), f"{action} leads to another position the second time: {_which(after, again)}.")
    must(after.facts == again.facts, f"{action} is told differently the second time.")
    must(json.dumps(s.to_dict()) == before, "Applying an action changed the position before it.")
    for value in (after.cash, after.shares, after.trains, after.supply, after.owner, after.bids, after.sold):
        value.clear()
    for held in s.copy().shares.values():
        held.clear()
    must(json.dumps(s.to_dict()) == before, "A copy of the position shares something with it that changes.")
    must(s.facts == facts, "The facts of the position have changed.")


def money_stays_secret(t: Title, s: State) -> None:
    """Nobody can tell from what is asked and shown how much is in a purse that is secret to them."""
    for viewer in (None, *s.players):
        hidden = hidden_purses(t, s, viewer)
        if not hidden:
            continue
        told, other = ([ask(t, one, viewer) for ask in TOLD.values()] for one in (s, with_purses(s, hidden)))
        for name, one, two in zip(TOLD, told, other, strict=True):
            must(one == two, f"{name} tells {viewer or 'everybody'} of money that is secret, of {', '.join(hidden)}.")


def offers_are_accepted(t: Title, s: State, random: Random) -> None:
    """What is offered is accepted, once each and in a fixed order; and somebody who is asked is offered something."""
    for player in (*s.players, engine.CHANCE):
        offers = list(engine.legal(t, s, player))
        twice = [action for action, count in Counter(offers).items() if count > 1]
        must(not twice, f"{twice[:1]} is offered twice.")
        must(offers == list(engine.legal(t, s, player)), "What is offered comes in another order the second time.")
        for action in random.sample(offers, min(len(offers), 6)):
            must(action.by == player, f"{action} is offered to {player}.")
            refusal = engine.judge(t, s, action)
            must(refusal is None, f"{action} is offered and refused: {refusal}")
            again = from_json(json.loads(json.dumps(to_json(action))))
            must(again == action, f"{action} is a different action when read back from JSON.")
            audit_move(t, s, engine.apply(t, s, action))
    asked = engine.decision(t, s)
    must(
        s.over or any(list(engine.legal(t, s, player)) for player in asked.players), f"Nobody can do anything: {asked}."
    )


def round_trip(t: Title, s: State) -> None:
    """The position written and read again is the same and allows the same."""
    again = state_of(t, s.names, json.loads(json.dumps(s.to_dict())))
    same = again.to_dict() == s.to_dict()
    must(same, f"The position differs when written and read back: {_which(again, s)}.")
    for name in State.__slots__:
        if name not in ("board", "facts"):
            must(getattr(again, name) == getattr(s, name), f"`{name}` differs when the position is read back.")
    must(engine.decision(t, again) == engine.decision(t, s), "The position read again asks somebody else.")
    for player in s.players:
        same = list(engine.legal(t, again, player)) == list(engine.legal(t, s, player))
        must(same, f"The position read again allows {player} something else.")


def wrong_seats_are_refused(t: Title, s: State, action: Action) -> None:
    """Who is not asked is refused, unless the verb is for anybody."""
    verb = engine.present_step(t, s).by_action.get(type(action))
    if verb is None or verb.anybody:
        return
    for player in {*s.players, engine.CHANCE} - set(engine.decision(t, s).players):
        other = replace(action, by=player)
        refusal = engine.judge(t, s, other)
        must(refusal is not None, f"{other} is accepted, though {player} is not asked.")
        assert refusal is not None
        refusal_is_told(t, refusal.text, refusal.rule)


def nobody_moves_when_over(t: Title, final: State) -> None:
    """After the end nobody is asked, nothing is offered, and everything is refused."""
    asked = engine.decision(t, final)
    must(final.over, f"The game has not ended. {round_label(t, final)}, step {asked.step} is asked.")
    must(engine.decision(t, final).players == (), "Somebody is asked after the end.")
    offers = [action for player in final.players for action in engine.legal(t, final, player)]
    must(not offers, f"{offers[:1]} is offered after the end.")
    refusal = engine.judge(t, final, Pass(final.players[0]))
    must(refusal is not None and SENTENCE.fullmatch(refusal.text), "A pass after the end is not refused in a sentence.")


def replays(t: Title, actions: Sequence[Action], final: State) -> None:
    """The log gives the position that was played, with its facts."""
    entries = [engine.Entry(number, "action", action) for number, action in enumerate(actions, 1)]
    replayed = engine.replay(t, NAMES[: t.players], entries)
    must(replayed.to_dict() == final.to_dict(), "The log replays to another position than was played.")
    must(replayed.facts == final.facts, "The log replays to other facts than were played.")


def comes_back(t: Title, actions: Sequence[Action], final: State) -> None:
    """The game is the same when its file is read."""
    played = play(_written(native.written(t, actions, final)))
    must(played.state.to_dict() == final.to_dict(), "The game's own file leads to another position.")
    must(not played.against_rules, f"The game's own file is played against the rules: {played.against_rules[:1]}.")


def goes_abroad(t: Title, actions: Sequence[Action], final: State) -> None:
    """The game is the same when it was exported to 18xx.games' format and imported again, where they have the title."""
    if t.id not in DIALECTS:
        return
    try:
        record = export(t, NAMES[: t.players], actions)
    except BadRecord:
        return  # it says to its user why this game cannot be carried over
    played = play(_written(record))
    must(not played.departures, f"The game that was exported differs when imported: {played.departures[:1]}.")
    same = engine.scores(played.title, played.state) == engine.scores(t, final)
    must(same, "The game that was exported and imported again ends with another result.")


def _written(body: Body) -> Body:
    """The file as it is read again."""
    return parse(json.dumps(body).encode())


HINTS = {kind: get_type_hints(kind) for kind in ACTIONS.values()}
"""By kind of action, the types of its fields."""
ODD: dict[str, tuple[Any, ...]] = {
    "int": (-(10**9), -1, 0, 1, 5, 40, 80, 10**9),
    "str": ("", "p1", "x", "K4", "¥", "7"),
}


def random_action(t: Title, s: State, random: Random) -> Action:
    """Any kind of action with any values, most of them nonsense at the moment."""
    kind = random.choice(list(ACTIONS.values()))
    values: dict[str, Any] = {"by": random.choice((*s.players, engine.CHANCE))}
    hints = HINTS[kind]
    for field in fields(kind):
        if field.name == "by":
            continue
        if field.name == "routes":
            stops = DOMAINS["stop"](t, s)
            ways = [(random.choice(stops), *random.choices(range(6), k=random.randrange(4)), random.choice(stops))]
            values["routes"] = tuple(Route(random.choice(list(t.trains)), way) for way in ways * random.randrange(3))
        elif field.name == "privates":
            values["privates"] = tuple(random.choices(list(t.privates) or ["x"], k=random.randrange(4)))
        elif field.name in DOMAINS and random.random() < 0.9:
            values[field.name] = random.choice([*DOMAINS[field.name](t, s)] or ["x"])
        else:
            values[field.name] = random.choice(ODD["int" if hints[field.name] in (int, int | None) else "str"])
    return kind(**values)


def answered(t: Title, s: State, action: Action) -> str:
    """Whether any action is "allowed", "refused" or "bad"; whatever the answer is, it is in order."""
    try:
        refusal = engine.judge(t, s, action)
    except engine.BadAction as error:
        must(SENTENCE.fullmatch(str(error)), f"{action} is not understood, but in no sentence: {error}")
        return "bad"
    if refusal is None:
        audit_move(t, s, engine.apply(t, s, action))
        return "allowed"
    refusal_is_told(t, refusal.text, refusal.rule)
    return "refused"
