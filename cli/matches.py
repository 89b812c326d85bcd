"""`tetsudo simulate --policy`: whole games among players of the program, and what came of them."""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from cli.failure import Failure
from engine import CHANCE, BadAction, State, Title, build, consent, decision, legal, scores, start
from engine.actions import Action
from engine.facts import RoundBegan
from engine.ids import OR, PlayerId
from opponents import LEVELS, Level, agrees, choose
from records.simulate import choose_among, draw, to_its_end

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RANDOM = "random"
POLICIES = (RANDOM, *LEVELS)
OFFERS = 20
"""How often a random player proposes something to which somebody else does not agree, before it does without."""
Agreed = Callable[[Action], bool]
"""Whether those agree whose agreement an action needs."""


class Player(Protocol):
    """Decides for a seat."""

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        """What the seat does: something legal to which everybody agrees who must."""
        ...

    def agrees(self, t: Title, s: State, action: Action, seat: PlayerId) -> bool:
        """Whether the seat agrees to a deal that another proposes."""
        ...


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player of the program."""

    level: Level
    seed: int

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        return choose(t, s, seat, self.level, self.seed).action

    def agrees(self, t: Title, s: State, action: Action, seat: PlayerId) -> bool:
        return agrees(t, s, action, seat, self.level)


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Does whatever is legal, and agrees to everything."""

    random: Random

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        """One of the legal actions, perhaps with another amount."""
        options = list(legal(t, s, seat))
        for _ in range(OFFERS):
            action = choose_among(t, s, options, self.random)
            if agreed(action):
                return action
        return self.random.choice([option for option in options if consent(t, s, option) is None])

    def agrees(self, t: Title, s: State, action: Action, seat: PlayerId) -> bool:
        return True


def player(policy: str, seed: int, random: Random) -> Player:
    """Whoever plays by a policy, in a game of this seed."""
    return RandomPlayer(random) if policy == RANDOM else Opponent(cast("Level", policy), seed)


@dataclass(frozen=True, slots=True)
class Match:
    """What came of one game."""

    seed: int
    worth: list[int]
    """By seat."""
    rounds: int
    """Operating rounds that began."""
    actions: int
    phase: str
    end: str
    """Why the game ended, as in `State.over`; "until" where it was stopped at a phase."""


def play(title: Title, players: Sequence[str | Player], seed: int, until: str | None = None) -> Match:
    """One game, as `moves` plays it; `until` is the name of a phase with which it stops."""
    rounds = actions = 0
    state = start(title, names(title))
    for _, state in moves(title, players, seed):
        actions += 1
        rounds += sum(isinstance(fact, RoundBegan) and fact.round == OR for fact in state.facts)
        if until is not None and title.phase(state).name == until:
            break
    worth = dict(scores(title, state))
    by_seat = [worth[seat] for seat in state.players]
    return Match(seed, by_seat, rounds, actions, title.phase(state).name, state.over or "until")


def names(title: Title) -> tuple[str, ...]:
    """What the players are called: P1, P2, ..."""
    return tuple(f"P{number}" for number in range(1, title.players + 1))


def moves(title: Title, players: Sequence[str | Player], seed: int) -> Iterator[tuple[Action, State]]:
    """The actions of one game, each with the position it leads to; `players` or their policies are by seat.

    AssertionError if the game does not end.
    """
    random = Random(seed)
    state = start(title, names(title))
    made = [player(one, seed, random) if isinstance(one, str) else one for one in players]
    by_seat = dict(zip(state.players, made, strict=True))
    return to_its_end(title, state, seed, lambda state: _move(title, state, by_seat, random))


def _move(title: Title, state: State, by_seat: dict[PlayerId, Player], random: Random) -> Action:
    seats = decision(title, state).players
    if seats == (CHANCE,):
        return draw(title, state, random)

    def agreed(action: Action) -> bool:
        other = consent(title, state, action)
        return other is None or by_seat[other].agrees(title, state, action, other)

    return by_seat[seats[0]].move(title, state, seats[0], agreed)


T = TypeVar("T", bound="DataclassInstance")


def kept(file: Path | None, kind: type[T]) -> list[T]:
    """The records that an earlier run added to the file. Raises Failure at a line that is none."""
    if file is None or not file.exists():
        return []
    found = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            found.append(kind(**json.loads(line)))
        except (TypeError, ValueError) as error:
            raise Failure(f"line {number} of {file} is no game that an earlier run kept: remove it.") from error
    return found


def keep(file: Path | None, record: "DataclassInstance") -> None:
    """Add a record to the file, so that a long run can be broken off and gone on with."""
    if file is not None:
        with file.open("a", encoding="utf-8") as opened:
            opened.write(json.dumps(asdict(record)) + "\n")


# The command


def run(args: argparse.Namespace) -> int:
    """Play as many games as asked for and tell their results. Raises Failure."""
    title, policies = _asked(args)
    results = []
    for result in played(title, policies, range(args.seed, args.seed + args.games), args.jobs, args.until):
        results.append(result)
        if args.json:
            print(json.dumps({"policies": policies, **asdict(result)}), flush=True)
    if not args.json:
        print("\n".join(table(policies, results)))
    return 0


def recorded(args: argparse.Namespace) -> tuple[Title, list[Action], State]:
    """One game, action by action, with the position at its end. Raises Failure."""
    title, policies = _asked(args)
    if args.games != 1 or args.until is not None or args.json:
        raise Failure("--out writes one whole game: leave out --games, --until and --json.")
    made = list(moves(title, policies, args.seed))
    return title, [action for action, _ in made], made[-1][1]


MOST = 100_000


def how_many(text: str) -> int:
    """A number on the command line that says how many. Raises ArgumentTypeError."""
    if not text.isdecimal() or not 0 < int(text[: len(str(MOST)) + 1]) <= MOST:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST:,} is wanted, not {text[:20]!r}")
    return int(text)


def built(title: str, players: int, options: Sequence[str]) -> Title:
    """The title. Raises Failure where so many cannot play it with these options."""
    try:
        return build(title, players, options)
    except BadAction as error:
        raise Failure(str(error)) from error


def _asked(args: argparse.Namespace) -> tuple[Title, list[str]]:
    """The title to play and who plays, seat by seat. Raises Failure."""
    policies = args.policy.split(",")
    unknown = [name for name in policies if name not in POLICIES]
    if unknown:
        raise Failure(f"there is no policy {unknown[0]!r}; there are {', '.join(POLICIES)}.")
    if len(policies) == 1 and args.players is not None:
        policies *= args.players
    if args.players not in (None, len(policies)):
        raise Failure(f"{len(policies)} policies do not fit {args.players} players.")
    title = built(args.title, len(policies), args.option)
    if args.until is not None and args.until not in [phase.name for phase in title.phases]:
        raise Failure(f"{title.name} has the phases {', '.join(phase.name for phase in title.phases)}.")
    return title, policies


def played(
    title: Title, policies: Sequence[str], seeds: range, jobs: int = 1, until: str | None = None
) -> Iterator[Match]:
    """The results in the order of the seeds, each as soon as it and those before are there."""
    if jobs == 1:
        for seed in seeds:
            yield play(title, policies, seed, until)
        return
    one = partial(_built_and_played, title.id, sorted(title.options), tuple(policies), until)
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, seeds)


def _built_and_played(
    title_id: str, options: list[str], policies: tuple[str, ...], until: str | None, seed: int
) -> Match:
    return play(build(title_id, len(policies), options), policies, seed, until)


def table(policies: Sequence[str], results: Sequence[Match]) -> list[str]:
    """The results for people: by seat how often it came first and its worth, and how the games went."""
    lines = [f"{'seat':<5} {'policy':<9} {'first':>6} {'worth: mean':>12} {'least':>7} {'most':>7}"]
    for seat, policy in enumerate(policies):
        worth = [result.worth[seat] for result in results]
        first = sum(share_of_first(result.worth, seat) for result in results)
        lines.append(
            f"{f'p{seat + 1}':<5} {policy:<9} {first:>6.1f} {mean(worth):>12.0f} {min(worth):>7} {max(worth):>7}"
        )
    ends = ", ".join(f"{end} {count}" for end, count in Counter(result.end for result in results).most_common())
    last = ", ".join(f"{phase} {count}" for phase, count in sorted(Counter(r.phase for r in results).items()))
    rounds = [result.rounds for result in results]
    lines += [
        f"{len(results)} games; ends: {ends}; last phase: {last}",
        f"operating rounds: {min(rounds)} to {max(rounds)}, median {median(rounds):g}; "
        f"actions: median {median(result.actions for result in results):g}",
    ]
    return lines


def share_of_first(worth: Sequence[int], seat: int) -> float:
    """1 for the seat that is worth most; shared where several are."""
    best = max(worth)
    return 1 / worth.count(best) if worth[seat] == best else 0.0
