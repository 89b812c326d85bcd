"""Whether opponents play soundly, whoever wins: what goes plainly wrong in whole games, counted.

    python benchmarks/soundness.py [TITLE...] [--policy POLICY] [--players N] [--seeds S,S,...] [--keep FILE]

One policy plays every seat, or several, with commas between them, in turn. Of each game it prints the actions of the
longest stock round, idle cash at the ends of stock rounds as part of what all players are worth (median, most; the
first round left out), shares that somebody bought and sold again in the same round, trains bought of other companies
for next to nothing, the pars of the first stock round, how it ended, and what all were worth together. With `--keep`
games are added to a file, and those that are there are not played again.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.matches import keep, kept, moves
from engine import TITLES, State, Title, build, scores, start
from engine.actions import Action, BuyShare, BuyTrain, Par, SellShares
from engine.ids import SR
from engine.shares import worth

NEXT_TO_NOTHING = 10
"""The highest price of a train that counts as such."""


@dataclass(slots=True)
class Counts:
    """What went on in one game."""

    title: str
    policy: str
    players: int
    seed: int
    stock: list[int] = field(default_factory=list)
    """Actions of each stock round."""
    idle: list[float] = field(default_factory=list)
    """Players' cash at the end of each, as part of what they are worth."""
    turned: int = 0
    """Shares bought and sold again by the same player in the same stock round."""
    gifts: int = 0
    """Trains bought of other companies for next to nothing."""
    pars: list[str] = field(default_factory=list)
    """In the first stock round, in their order."""
    worth: list[int] = field(default_factory=list)
    end: str = ""
    seconds: float = 0.0


class _Counter:
    def __init__(self, t: Title, counts: Counts) -> None:
        self.t, self.counts = t, counts
        self.bought: Counter[tuple[str, str]] = Counter()
        self.actions = 0

    def saw(self, before: State, action: Action, after: State) -> None:
        if before.round == SR:
            self.actions += 1
            self._traded(before, action)
            if after.round != SR or after.turn != before.turn or after.over:
                self._ended(before)
        if isinstance(action, BuyTrain) and action.source in self.t.corporations:
            self.counts.gifts += action.price <= NEXT_TO_NOTHING

    def _traded(self, before: State, action: Action) -> None:
        match action:
            case BuyShare():
                self.bought[action.by, action.corp] += 1
            case SellShares():
                again = min(action.count, self.bought[action.by, action.corp])
                self.counts.turned += again
                self.bought[action.by, action.corp] -= again
            case Par() if before.turn == 1:
                cell = self.t.market.cell(action.row, action.col)
                self.counts.pars.append(f"{action.corp} {cell.price if cell else 0}")

    def _ended(self, before: State) -> None:
        self.counts.stock.append(self.actions)
        if before.turn > 1:
            cash = sum(before.cash[seat] for seat in before.players)
            self.counts.idle.append(round(cash / sum(worth(self.t, before, seat) for seat in before.players), 3))
        self.actions = 0
        self.bought.clear()


def one_game(title_id: str, policy: str, players: int, seed: int) -> Counts:
    title = build(title_id, players)
    names = policy.split(",")
    counts = Counts(title_id, policy, players, seed)
    counter = _Counter(title, counts)
    began = time.process_time()
    state = start(title, [f"P{number}" for number in range(1, players + 1)])
    for action, after in moves(title, [names[seat % len(names)] for seat in range(players)], seed):
        counter.saw(state, action, after)
        state = after
    counts.seconds = round(time.process_time() - began, 1)
    known = dict(scores(title, state))
    counts.worth, counts.end = [known[seat] for seat in state.players], state.over
    return counts


def told(game: Counts) -> str:
    """A line about one game."""
    idle = game.idle or [0.0]
    return (
        f"{game.title} {game.players}p seed {game.seed}: longest round {max(game.stock, default=0)}, "
        f"idle {median(idle):.0%} (most {max(idle):.0%}), turned {game.turned}, gifts {game.gifts}, "
        f"{game.end}, {sum(game.worth)} together ({', '.join(map(str, game.worth))}); {'; '.join(game.pars)}; "
        f"{game.seconds:.0f} s"
    )


def summed(games: list[Counts]) -> str:
    """A line about all games of a title."""
    idle = [share for game in games for share in game.idle] or [0.0]
    longest = [max(game.stock, default=0) for game in games]
    openings = Counter("; ".join(sorted(par.split()[1] for par in game.pars)) for game in games)
    return (
        f"{games[0].title}: {len(games)} games; longest stock rounds: median {median(longest):g}, most {max(longest)}, "
        f"over 90: {sum(count > 90 for count in longest)}; idle cash: median {median(idle):.0%}, over 15 % in "
        f"{sum(share > 0.15 for share in idle)} of {len(idle)} rounds; turned {sum(game.turned for game in games)}; "
        f"gifts {sum(game.gifts for game in games)}; bankrupt {sum(game.end == 'bankrupt' for game in games)}; "
        f"together: median {median(sum(game.worth) for game in games):.0f}; "
        f"{len(openings)} sets of pars, the most frequent in {openings.most_common(1)[0][1]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether opponents play soundly, whoever wins.")
    parser.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    parser.add_argument("--policy", default="strong")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    args = parser.parse_args()
    before = kept(args.keep, Counts)
    for title in args.titles or TITLES:
        found = []
        for seed in map(int, args.seeds.split(",")):
            kind = (title, args.policy, args.players, seed)
            known = [one for one in before if (one.title, one.policy, one.players, one.seed) == kind]
            game = known[0] if known else one_game(*kind)
            if not known:
                keep(args.keep, game)
            print(told(game), flush=True)
            found.append(game)
        print(summed(found), flush=True)


if __name__ == "__main__":
    main()
