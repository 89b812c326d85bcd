"""The games of an arena: who sits where, and what came of it."""

import shlex
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from cli.arena.outside import Outside
from cli.failure import Failure
from cli.matches import POLICIES, Player, keep, kept, play, player
from engine import build


@dataclass(frozen=True, slots=True)
class Entrant:
    """Whoever takes part."""

    name: str
    policy: str
    """`random` or a level; "" for an outside program."""
    command: tuple[str, ...] = ()
    """Which starts an outside program."""

    def player(self, seed: int, seconds: float) -> Player:
        """It, for a seat of one game."""
        if self.command:
            return Outside(self.command, seed, seconds)
        return player(self.policy, seed, Random(f"{seed} {self.name}"))


def entrant(text: str) -> Entrant:
    """The entrant that is written so: `strong` or `mine=python mine.py`. Raises Failure."""
    name, is_outside, command = text.partition("=")
    if is_outside:
        try:
            words = tuple(shlex.split(command))
        except ValueError:  # a quotation without an end
            words = ()
        if not name or not words or shutil.which(words[0]) is None:
            raise Failure(f"{text!r} names no program that can be started.")
        return Entrant(name, "", command=words)
    if text not in POLICIES:
        raise Failure(f"there is no player {text!r}: say {', '.join(POLICIES)} or NAME=COMMAND.")
    return Entrant(text, text)


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all games of an arena have in common."""

    title: str
    options: tuple[str, ...]
    players: int
    entrants: tuple[Entrant, ...]
    seconds: float
    """For a decision of an outside program."""

    @property
    def key(self) -> str:
        """By which games of the same terms are found in a file."""
        return repr((self.title, self.options, self.players, self.entrants))


@dataclass(frozen=True, slots=True)
class ArenaGame:
    key: str
    seed: int
    seats: list[str]
    """Names of entrants."""
    worth: list[int]
    """By seat."""
    end: str
    faults: dict[str, list[str]] = field(default_factory=dict)
    """By outside program, why decisions were made for it."""


def seated(entrants: Sequence[Entrant], players: int, seed: int) -> list[Entrant]:
    """Who sits where: in as many games as there are entrants each sits in each seat once, in an order that changes."""
    order = list(entrants)
    Random(seed // len(order)).shuffle(order)
    return [order[(seat + seed) % len(order)] for seat in range(players)]


def games(terms: Conditions, seeds: range, jobs: int, file: Path | None) -> Iterator[ArenaGame]:
    """The games with these seeds, as they are finished; those first that an earlier run kept in the file."""
    before = [game for game in kept(file, ArenaGame) if game.key == terms.key and game.seed in seeds]
    yield from before
    missing = sorted(set(seeds) - {game.seed for game in before})
    pool = ProcessPoolExecutor(jobs)
    try:
        for done in as_completed([pool.submit(one_game, terms, seed) for seed in missing]):
            keep(file, done.result())
            yield done.result()
    finally:  # where it is broken off, games that have not begun are not played
        pool.shutdown(cancel_futures=True)


def one_game(terms: Conditions, seed: int) -> ArenaGame:
    entrants = seated(terms.entrants, terms.players, seed)
    players = [one.player(seed, terms.seconds) for one in entrants]
    outside = [(one.name, player) for one, player in zip(entrants, players, strict=True) if isinstance(player, Outside)]
    with ExitStack() as stack:
        for _, player in outside:
            stack.callback(player.close)
        result = play(build(terms.title, terms.players, terms.options), players, seed)
    faults: dict[str, list[str]] = {}
    for name, player in outside:
        if player.faults:
            faults.setdefault(name, []).extend(player.faults)
    return ArenaGame(terms.key, seed, [one.name for one in entrants], result.worth, result.end, faults)
