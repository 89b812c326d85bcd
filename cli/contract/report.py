"""The report of `tetsudo check-title`: which promises a title keeps, and where it breaks one."""

import argparse
import json
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from cli.contract import Broken
from cli.contract.checks import CHECKS, Check
from cli.contract.play import NAMES, NotBuilt, Setup, Trail, of_title, one_of_each_kind, setups
from cli.failure import Failure, written_whole
from cli.matches import built, how_many
from engine import TITLES, EngineError, Refused, apply, start
from records import native

ROOT = Path(__file__).parents[2]
STUCK = 20.0
"""Seconds of the processor in which there is a move, or something goes round in circles."""
MOST = 20
"""How many different faults are told in full."""


def add_commands(command: Any) -> None:
    check = command("check-title", run, help="try whether a title keeps what every title promises")
    check.add_argument("title", choices=sorted(TITLES))
    check.add_argument("--check", action="append", metavar="NAME", help="only this check, as the report names it")
    check.add_argument("--players", type=how_many, metavar="N", help="only with so many players")
    options = check.add_mutually_exclusive_group()
    options.add_argument("--option", action="append", metavar="NAME", help="only with this option, or with these")
    options.add_argument("--plain", dest="option", action="store_const", const=[], help="only without options")
    check.add_argument("--seed", type=int, default=1, metavar="S", help="of the (first) game of each check")
    check.add_argument("--games", type=how_many, default=1, metavar="N", help="how many games of each setup")
    check.add_argument("--out", type=Path, metavar="FOLDER", help="write each game that breaks a promise as a file")
    check.add_argument("--traceback", action="store_true", help="show where in the code it happened")


@dataclass(frozen=True, slots=True)
class Fault:
    """A promise that was broken: by which check, in which game, and how."""

    check: Check
    trail: Trail
    error: Exception

    @property
    def text(self) -> str:
        """What is wrong, and for an unexpected error where in the program it was raised."""
        if isinstance(self.error, Broken):
            return str(self.error)
        where = _place(self.error, self.trail.setup.title)
        if isinstance(self.error, Refused):
            return f"{self.error.action} is offered and refused: {self.error}{where}"
        return f"{type(self.error).__name__}: {self.error}{where}"

    @property
    def again(self) -> str:
        """The command that shows it again."""
        setup = self.trail.setup
        parts = [f"tetsudo check-title {setup.title} --check {self.check.name} --players {setup.players}"]
        parts += [f"--option {option}" for option in setup.options] or ["--plain"]
        return " ".join((*parts, f"--seed {self.trail.seed}"))

    def where(self) -> str:
        actions = self.trail.actions
        move = f", move {len(actions)}: {actions[-1]}" if actions else ""
        return f"{self.check.name}, {self.trail.setup}, seed {self.trail.seed}{move}"

    def written(self, folder: Path) -> Path:
        """The game up to there, as a file. Raises Failure or OSError."""
        title, setup = self.trail.setup.built(), self.trail.setup
        state = start(title, NAMES[: title.players])
        done = []
        for action in self.trail.actions:
            try:
                state = apply(title, state, action)
            except (EngineError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError, AttributeError):
                break  # the very move that breaks the promise
            done.append(action)
        folder.mkdir(parents=True, exist_ok=True)
        name = "-".join((setup.title, self.check.name, str(setup.players), *setup.options, str(self.trail.seed)))
        path = folder / f"{name}.json"
        written_whole(path, json.dumps(native.written(title, done, state), indent=1).encode())
        return path


def _place(error: BaseException, title: str) -> str:
    """Where in the program it was raised, and before that where the title's own code was left."""
    raised = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in raised if frame.filename.startswith(f"{ROOT}") and frame.filename != __file__]
    folder = Path(sys.modules[TITLES[title].build.__module__].__file__ or "").parent
    own = [frame for frame in frames if Path(frame.filename).parent == folder]
    told = dict.fromkeys(
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}, in {frame.name}{_code(frame.line or '')}"
        for frame in (*own[-1:], *frames[-1:])
    )
    return f" ({'; '.join(told)})" if told else ""


def _code(line: str) -> str:
    """The line that failed, unless it only says what the error says."""
    return "" if line.startswith("raise ") else f": {line}"


@contextmanager
def _stopped_if_stuck(trail: Trail) -> Iterator[None]:
    """Raise TimeoutError where the processor works on and on without a move, as in a loop that never ends."""
    moves = -1

    def look(*_: object) -> None:
        nonlocal moves
        if len(trail.actions) == moves:
            raise TimeoutError("There is no end of it. Is this a loop that never ends?")
        moves = len(trail.actions)

    if sys.platform != "win32" and current_thread() is main_thread():  # Windows has no such timer
        before = signal.signal(signal.SIGVTALRM, look)
        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK, STUCK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)
    else:
        yield


@dataclass
class Tally:
    """What came of one check."""

    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    """Steps and kinds of actions that came up."""

    def add(self, fault: Fault | None, trail: Trail) -> None:
        self.games += 1
        self.moves += len(trail.actions)
        self.seen |= trail.seen
        self.faults += [fault] if fault else []


def checked(check: Check, setups: Sequence[Setup], seeds: Sequence[int]) -> Tally:
    """The check with each setup and seed, up to one that never ends: there would be more, each of which takes long."""
    result, began = Tally(), time.monotonic()
    for setup, seed in product(setups, seeds):
        trail = Trail(setup, seed)
        result.add(fault := _fault(check, trail), trail)
        if fault and isinstance(fault.error, TimeoutError):
            break
    result.seconds = time.monotonic() - began
    return result


def _fault(check: Check, trail: Trail) -> Fault | None:
    try:
        with _stopped_if_stuck(trail):
            check.run(trail)
    except Exception as error:  # whatever a title's code may raise is what its author wants to know
        return Fault(check, trail, error)
    return None


def run(args: argparse.Namespace) -> int:
    """Check a title and report; 1 if a promise is broken. Raises Failure."""
    checks = _asked(args.check)
    seeds = range(args.seed, args.seed + args.games)
    print(f"{TITLES[args.title].name} ({args.title})\n", flush=True)
    _must_be_built(args.title)
    results = []
    for check in checks:
        fitting = _fitting(check, args)
        if not fitting:
            continue
        result = checked(check, fitting, seeds)
        print(_line(check, result), flush=True)
        results.append(result)
    if not results:
        raise Failure(f"{args.title} cannot be built with these players and options.")
    faults = [fault for result in results for fault in result.faults]
    print("\n".join(("", *_told(faults, args), *(() if faults else _unseen(args, checks, results)))))
    return 1 if faults else 0


def _must_be_built(title: str) -> None:
    """Raise Failure where a title finds its own data wrong, before anything else is tried."""
    try:
        setups(title)
    except NotBuilt as error:
        cause = error.__cause__ or error
        said = f"{type(cause).__name__}: {cause}{_place(cause, title)}"
        raise Failure(f"It cannot be built for {error}. {said}") from error


def _asked(names: Sequence[str] | None) -> list[Check]:
    known = {check.name: check for check in CHECKS}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise Failure(f"There is no check {unknown[0]}; there are {', '.join(known)}.")
    return [known[name] for name in names or known]


def _fitting(check: Check, args: argparse.Namespace) -> list[Setup]:
    """The setups that the check would look at, or the one that was asked for, which need not be among them."""
    if args.option is not None and args.players is not None:
        built(args.title, args.players, args.option)
        return [Setup(args.title, args.players, tuple(args.option))]
    options = None if args.option is None else tuple(args.option)
    return [
        setup
        for setup in check.where(args.title)
        if args.players in (None, setup.players) and options in (None, setup.options)
    ]


def _line(check: Check, result: Tally) -> str:
    said = f"{len(result.faults)} BROKEN" if result.faults else "kept"
    games = f"{result.games} games, {result.moves:,} moves" if result.moves else f"{result.games} setups"
    return f"{check.name:<10} {said:<9} {games:<26} {result.seconds:6.1f} s  {check.about}"


def _told(faults: Sequence[Fault], args: argparse.Namespace) -> Iterator[str]:
    """Each different fault once, with all that is needed to see it again."""
    alike: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        alike.setdefault((fault.check.name, fault.text), []).append(fault)
    if not alike:
        yield "Every promise was kept."
        return
    for number, ((_, text), same) in enumerate(list(alike.items())[:MOST], 1):
        first = min(same, key=lambda fault: len(fault.trail.actions))
        yield f"{number}. {text}"
        yield f"   {first.where()}" + _besides(len(same) - 1)
        yield f"   again:  {first.again}"
        if args.out is not None:
            path = first.written(args.out)
            yield f"   the game up to there:  {path} (tetsudo render {path})"
        if args.traceback:
            yield "".join(traceback.format_exception(first.error))
    if len(alike) > MOST:
        yield f"... and {len(alike) - MOST} more."


def _besides(others: int) -> str:
    return f"; and in {others} other game{'s' if others > 1 else ''}" if others else ""


def _unseen(args: argparse.Namespace, checks: Sequence[Check], results: Sequence[Tally]) -> Iterator[str]:
    """What came up in no game: of that the report says nothing."""
    if len(checks) < len(CHECKS) or args.players is not None or args.option is not None:
        return
    all_of_it = set().union(*(of_title(setup.built()) for setup in one_of_each_kind(args.title)))
    unseen = sorted(all_of_it - set().union(*(result.seen for result in results)))
    if unseen:
        yield f"\nIn no game there was: {', '.join(unseen)}."
        yield "More games (--games) may come to it; tests of your own will."
