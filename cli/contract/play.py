"""The ways to build a title, and games of it move by move: random ones, and those of the program's opponents."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from bot.rooms.opponents.reasons import told
from cli.contract import must
from cli.contract.texts import seen, undrawn
from cli.matches import RANDOM, moves, names
from engine import CHANCE, TITLES, Action, BadAction, PlayerId, State, Title, build, decision, judge, start
from engine.actions import EndGame
from engine.steps.track import SOLID
from opponents import advise
from opponents.levels import Level
from records.simulate import LONGEST, Picker, choose_among, steps

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida")
PLAYERS = ("regular", "learner", RANDOM)
"""Who plays, seat by seat and from the front again."""
ADVISED = 37
"""After every so many moves advice is asked for."""
LEVELS: tuple[Level, ...] = ("regular", "strong")


@dataclass(frozen=True, slots=True)
class Setup:
    """A title with a number of players and options."""

    title: str
    players: int
    options: tuple[str, ...] = ()

    def built(self) -> Title:
        """The title. Raises BadAction where its options exclude each other."""
        return build(self.title, self.players, self.options)

    def __str__(self) -> str:
        return ", ".join((f"{self.players} players", *self.options))


class NotBuilt(Exception):
    """A setup cannot be built; the cause says why."""


def setups(title: str) -> list[Setup]:
    """Every number of players plain, with each option and with all options, as far as that can be built.

    An option that cannot be chosen alone comes with the first other that makes it possible.
    """
    recipe = TITLES[title]
    found = [setup for options in ((), tuple(recipe.options)) for setup in _buildable(title, options)]
    for option in recipe.options:
        others = ((option, other) for other in recipe.options if other != option)
        found += next(filter(None, (_buildable(title, options) for options in ((option,), *others))), [])
    return sorted(dict.fromkeys(found), key=lambda setup: setup.players)


def _buildable(title: str, options: tuple[str, ...]) -> list[Setup]:
    """The options with every number of players that they can be built for. Raises NotBuilt."""
    found = []
    for players in TITLES[title].players:
        setup = Setup(title, players, options)
        with suppress(BadAction):
            try:
                setup.built()
            except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise NotBuilt(f"{setup}") from error
            found.append(setup)
    return found


def one_of_each_kind(title: str) -> list[Setup]:
    """One setup for each choice of options, with numbers of players that take turns."""
    by_options: dict[tuple[str, ...], list[Setup]] = {}
    for setup in setups(title):
        by_options.setdefault(setup.options, []).append(setup)
    return [fitting[index % len(fitting)] for index, fitting in enumerate(by_options.values())]


def fewest_and_most(title: str) -> list[Setup]:
    """The title without options, for as few and for as many as can play it."""
    players = TITLES[title].players
    return [Setup(title, count) for count in dict.fromkeys((players[0], players[-1]))]


def walk(
    t: Title, seed: int, most: int = LONGEST, pick: Picker = choose_among
) -> Iterator[tuple[State, Action, State]]:
    """(position, action, next position) of a random game, to its end or `most` actions."""
    names = NAMES[: t.players]
    s = start(t, names)
    for action, after in islice(steps(t, names, seed, pick), most):
        yield s, action, after
        s = after


NAMED = ("corp", "hex", "private", "rank", "tile")
"""Fields of actions that name what a title has."""


@dataclass
class Trail:
    """One game that a check plays, and how far it has come: where to look if a promise is broken."""

    setup: Setup
    seed: int
    actions: list[Action] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """Steps that were asked, kinds of actions that were taken and what they named, as `of_title` has them."""

    def walk(self, t: Title, most: int = LONGEST) -> Iterator[tuple[State, Action, State]]:
        """A random game, noted move by move."""
        for s, action, after in walk(t, self.seed, most):
            self.note(s, action)
            yield s, action, after

    def note(self, s: State, action: Action) -> None:
        """A move that is about to be looked at."""
        self.actions.append(action)
        self.seen |= {f"step {s.pending[-1].step if s.pending else s.step}", f"action {type(action).__name__}"}
        self.seen |= {f"{name} {getattr(action, name)}" for name in NAMED if hasattr(action, name)}
        self.seen.add(f"phase {self.setup.built().phase(s).name}")


def of_title(t: Title) -> set[str]:
    """All that should come up in games of the title, but for the end that a table agrees on: that is no move."""
    named: dict[str, Collection[str]] = {
        "tile": t.supply,
        "rank": t.trains,
        "corp": t.corporations,
        "private": t.privates,
    }
    named["phase"] = [phase.name for phase in t.phases]
    named["hex"] = [name for name, printed in t.hexes.items() if printed.face.colour not in SOLID]
    steps = [step for round_ in t.rounds.values() for step in round_.steps] + list(t.interrupts.values())
    kinds = {verb.action.__name__ for verb in t.every_verb()} - {EndGame.__name__}
    found = {f"{name} {one}" for name, ones in named.items() for one in ones}
    return found | {f"step {step.name}" for step in steps} | {f"action {kind}" for kind in kinds}


# Among opponents


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
