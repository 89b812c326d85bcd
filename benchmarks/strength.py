"""How strong and how fast the players of the program are, and how often people play what they would.

    python benchmarks/strength.py games [TITLE...] [--one LEVEL|TRICK] [--others POLICY] [--games N] [--jobs J]
                                        [--keep FILE]
    python benchmarks/strength.py people FILE... [--level LEVEL] [--every N]

`games` plays games of one player among others of another kind, seats, numbers of players and scenarios in rotation,
and prints for each title how often the one comes first (a tie is shared), that as a multiple of its share of seats,
mean worths and by what part of the table's mean the one ends above the others, with 95 % intervals; then how the games
ended, what all were worth together, the processor time of its decisions and the most memory used. The others may be
those of an earlier commit: `--others strong@d4968f4`; the one may be a player with a trick (`TRICKS`). With
`--keep` games are added to a file, and those that are there are not played again: a long measure can be broken off and
gone on with.
`people` goes through recorded games and prints, by kind of decision, how often the recorded move is the first choice
of the level, or among the first three; of runs, whether they bring the same, of lays, whether they look the same. All
decisions count in which there was a choice, also where the level thinks of one thing alone.
"""

import argparse
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev
from typing import cast

sys.path.insert(0, str(Path(__file__).parents[1]))

from earlier import Earlier, level_and_revision

from cli import matches
from cli.matches import Agreed, Opponent, Player
from engine import TITLES, BadAction, State, Title, apply, build, decision, legal, start
from engine import actions as act
from engine.actions import Action, LayPowerTile, LayTile, RunTrains
from engine.ids import SR, PlayerId
from opponents import LEVELS, Level, advise
from opponents.question import ask
from opponents.track import look
from records.files import play as replayed


@dataclass(frozen=True, slots=True)
class Played:
    title: str
    seed: int
    one: str
    others: str
    seat: int
    """Of the one."""
    worth: list[int]
    """By seat."""
    rounds: int
    """Operating rounds that began."""
    phase: str
    end: str
    seconds: list[float]
    """Processor time of each decision of the one."""
    megabytes: int
    """Most memory that the process had used by then."""

    @property
    def first(self) -> float:
        """Whether the one came first; its part of a tie."""
        return matches.share_of_first(self.worth, self.seat)

    @property
    def share(self) -> float:
        return 1 / len(self.worth)

    @property
    def rest(self) -> float:
        """What the others are worth in the mean."""
        return mean(worth for seat, worth in enumerate(self.worth) if seat != self.seat)

    @property
    def lead(self) -> float:
        """By what part of the mean worth of the table the one ends above the others."""
        return (self.worth[self.seat] - self.rest) / max(1.0, mean(self.worth))


PLAIN = 1.96
"""Standard errors of a 95 % interval."""
ROTATION = 1000
"""With how many games the rotation begins again."""
STRIDE = 7
"""How far the rotation goes on from one game to the next, so that few games are already of all kinds."""


def games(args: argparse.Namespace) -> None:
    before = matches.kept(args.keep, Played)
    with ProcessPoolExecutor(args.jobs) as pool:
        for title in args.titles or TITLES:
            kind = title, args.one, args.others
            seeds = range(args.seed, args.seed + args.games)
            found = [game for game in before if of_kind(game) == kind and game.seed in seeds]
            missing = set(seeds) - {game.seed for game in found}
            running = [pool.submit(one_game, kind, seed) for seed in missing]
            for done in as_completed(running):
                found.append(done.result())
                matches.keep(args.keep, found[-1])
            told(title, args, found)


Kind = tuple[str, str, str]
"""Title, the one, and the others."""


def of_kind(game: Played) -> Kind:
    return game.title, game.one, game.others


def boxes(title_id: str) -> list[Title]:
    """The title for all numbers of players, and in all scenarios where it has some."""
    scenarios = [(), *((name,) for name in TITLES[title_id].options if name.startswith("scenario_"))]
    found = []
    for players in TITLES[title_id].players:
        for options in scenarios:
            with suppress(BadAction):
                found.append(build(title_id, players, options))
    return found


def setting(title_id: str, others: str, seed: int) -> tuple[Title, int, str | Player]:
    """The box that the rotation comes to with this seed, where the one sits, and who has the other seats."""
    tables, number = boxes(title_id), seed % ROTATION
    title = tables[number * STRIDE % len(tables)]
    level, revision = level_and_revision(others)
    return title, number // len(tables) % title.players, Earlier(revision, level, seed) if revision else level


def one_game(kind: Kind, seed: int) -> Played:
    """One game; the seed also says which of the rotation it is."""
    title_id, one, others = kind
    title, mine, rest = setting(title_id, others, seed)
    timed = Timed("strong", seed, one) if one in TRICKS else Timed(cast("Level", one), seed)
    result = matches.play(title, [timed if index == mine else rest for index in range(title.players)], seed)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Played(
        title_id, seed, one, others, mine, result.worth, result.rounds, result.phase, result.end, timed.seconds,
        megabytes,
    )  # fmt: skip


# Players with one trick, who decide as the strong does in all else: whether what no sound player does beats it.

MOST_BID = 30
"""What a bidder pays for whatever is bid for."""


def bidder(s: State, seat: PlayerId, options: list[Action]) -> Action | None:
    """Takes every right to choose, and every private, that it can have for little."""
    bids = [option for option in options if isinstance(option, act.Bid | act.BidToChoose) and option.amount <= MOST_BID]
    return max(bids, key=lambda bid: bid.amount, default=None)


def dumper(s: State, seat: PlayerId, options: list[Action]) -> Action | None:
    """Sells all it can of every company of which it is not president."""
    sales = [
        option
        for option in options
        if isinstance(option, act.SellShares) and s.round == SR and s.president[option.corp] != seat
    ]
    return max(sales, key=lambda sale: sale.count, default=None)


def hoarder(s: State, seat: PlayerId, options: list[Action]) -> Action | None:
    """Buys no more once a company of its own has floated."""
    if s.round != SR or not any(s.president[corp] == seat for corp in s.floated):
        return None
    return next((option for option in options if isinstance(option, act.Pass)), None)


TRICKS: dict[str, Callable[[State, PlayerId, list[Action]], Action | None]] = {
    "bidder": bidder,
    "dumper": dumper,
    "hoarder": hoarder,
}


@dataclass(frozen=True, slots=True)
class Exploiter(Opponent):
    """Plays its trick where it can, and as its level besides; without a trick it is no other than that level."""

    trick: str = ""

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        """The trick, or what the level does."""
        played = TRICKS[self.trick](s, seat, list(legal(t, s, seat))) if self.trick else None
        return played or Opponent.move(self, t, s, seat, agreed)


@dataclass(frozen=True, slots=True)
class Timed(Exploiter):
    """An opponent whose decisions are timed, with a trick or without."""

    seconds: list[float] = field(default_factory=list)

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        began = time.process_time()
        action = Exploiter.move(self, t, s, seat, agreed)
        self.seconds.append(time.process_time() - began)
        return action


def told(title: str, args: argparse.Namespace, found: list[Played]) -> None:
    count = len(found)
    share, won = mean(game.share for game in found), mean(game.first for game in found)
    over = won / share
    off = PLAIN * sqrt(sum((game.first - over * game.share) ** 2 for game in found)) / count / share
    own, rest = mean(game.worth[game.seat] for game in found), mean(game.rest for game in found)
    leads = [game.lead for game in found]
    spread = PLAIN * stdev(leads) / sqrt(count) if count > 1 else 0.0
    times = sorted(second for game in found for second in game.seconds)
    ends = Counter(f"{game.end} in {game.phase}" for game in found)
    rounds = [game.rounds for game in found]
    totals = [sum(game.worth) for game in found]
    memory = max(game.megabytes for game in found)
    print(
        f"{title}: {args.one} among {args.others}: first in {won:.0%} of {count} games, "
        f"{over:.2f} ± {off:.2f} of its share; worth {own:.0f} against {rest:.0f}, {mean(leads):+.0%} ± {spread:.0%}\n"
        f"  ends: {', '.join(f'{end} {number}' for end, number in ends.most_common())}; "
        f"operating rounds {min(rounds)} to {max(rounds)}, median {median(rounds):g}; "
        f"worth of all together {min(totals)} to {max(totals)}, median {median(totals):.0f}\n"
        f"  ms a decision: median {median(times) * 1000:.1f}, 99 % {times[len(times) * 99 // 100] * 1000:.0f}, "
        f"most {times[-1] * 1000:.0f}; up to {memory} MB",
        flush=True,
    )


def people(args: argparse.Namespace) -> None:
    first: Counter[str] = Counter()
    third: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for name in args.files:
        played = replayed(json.loads(Path(name).read_text(encoding="utf-8")), as_recorded=True)
        state = start(played.title, played.names)
        for number, action in enumerate(played.actions):
            if number % args.every == 0 and action.by in decision(played.title, state).players:
                compare(played.title, state, action, args.level, (all_, first, third))
            try:
                state = apply(played.title, state, action)
            except Exception as error:
                print(f"{name}: stopped at action {number}: {error}", file=sys.stderr)
                break
    for kind, count in all_.most_common():
        print(f"{kind:<20} first {first[kind] / count:.0%}, among three {third[kind] / count:.0%} of {count}")


def compare(
    t: Title, s: State, action: Action, level: Level, counts: tuple[Counter[str], Counter[str], Counter[str]]
) -> None:
    if len(ask(t, s, action.by).options) < 2:
        return
    choices = [choice.action for choice in advise(t, s, action.by, level)]
    every, first, third = counts
    kind = f"{s.round} {decision(t, s).step}"
    every[kind] += 1
    alike = [choice == action or same_effect(t, s, choice, action) for choice in choices[:3]]
    first[kind] += alike[0]
    third[kind] += any(alike)


def same_effect(t: Title, s: State, ours: Action, theirs: Action) -> bool:
    """Whether both run trains for the same amount, or lay what looks the same: each can be written in many ways."""
    if isinstance(ours, RunTrains) and isinstance(theirs, RunTrains):
        return apply(t, s, ours).income == apply(t, s, theirs).income
    if isinstance(ours, LayTile | LayPowerTile) and isinstance(theirs, LayTile | LayPowerTile):
        return look(t, ours) == look(t, theirs)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong and how fast the players of the program are.")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("games")
    one.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    one.add_argument("--one", choices=(*LEVELS, *TRICKS), default="regular")
    one.add_argument("--others", default="learner", metavar="POLICY", help="a level, random, or LEVEL@COMMIT")
    one.add_argument("--games", type=int, default=200)
    one.add_argument("--seed", type=int, default=0, help="of the first game")
    one.add_argument("--jobs", type=int, default=1)
    one.add_argument("--keep", type=Path, metavar="FILE", help="what games are added to and not played again")
    one.set_defaults(run=games)
    other = commands.add_parser("people")
    other.add_argument("files", nargs="+", metavar="FILE")
    other.add_argument("--level", choices=LEVELS, default="regular")
    other.add_argument("--every", type=int, default=1, help="look at every Nth action only")
    other.set_defaults(run=people)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
