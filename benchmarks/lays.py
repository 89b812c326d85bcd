"""How long it takes to list all legal lays: python benchmarks/lays.py [TITLE...] [--boards N] [--first S]

Boards grow from the printed map by legal lays of random companies, chosen so that much track meets, with more and more
colours, and tokens here and there in cities that a company reaches, until nothing more can be laid. Every position on
the way is a question of its own, asked of a board that nobody has asked before: three times, of which the best time
counts, because on a machine in use single times mean little. Prints for each title the questions,
the lays found, processor milliseconds a question (median, 99 of 100, the most), how many took over 10 and 50 ms, and a
digest of all answers: two versions of the engine with the same digest found the same lays on the same boards.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from walks import some_title

from engine import CLOSED, TITLES, State, Title, start
from engine.actions import LayTile
from engine.board.board import Board
from engine.board.tiles import turned
from engine.flow import possible
from engine.ids import CorpId, HexId, PlayerId
from engine.steps.track import TRACK, put_tile

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Flo", "Gus")
ASKED = PlayerId("p1")
TRIES = 3
"""How often each question is asked, each time of a board of its own; the best time counts."""
FRUITLESS = 12
"""Companies in a row that can lay nothing, after which a board is grown."""
LAYS_A_PHASE = 14
"""How many tiles are laid before the next phase begins, at least."""


def bare(t: Title) -> tuple[State, list[CorpId]]:
    """The first position with all privates closed, and the companies that build, each rich and with its home tokens."""
    s = start(t, NAMES[: t.players])
    s.round, s.step, s.begun = "OR", "track", True
    s.owner.update(dict.fromkeys(s.owner, CLOSED))
    builders = [corp.id for corp in t.corporations.values() if corp.homes and corp.tokens_of is None]
    for corp in builders:
        s.president[corp], s.cash[corp] = ASKED, 10_000
        for home, printed in t.corporations[corp].homes:
            if home in t.hexes:
                index = s.board.printed_stop(home, printed)
                if None in s.board.places(home, index):
                    s.board = s.board.with_token(home, index, corp)
    return s, [corp for corp in builders if s.board.token_stops(corp)]


def grow(t: Title, random: Random) -> Iterator[tuple[State, list[LayTile], float]]:
    """Each position on the way, with the lays of the company in turn and the seconds it took to find them."""
    s, builders = bare(t)
    verb = t.own_step(TRACK).by_action[LayTile]
    fruitless = laid = 0
    until_next = random.randint(LAYS_A_PHASE, 3 * LAYS_A_PHASE)
    while fruitless < FRUITLESS:
        corp = random.choice(builders)
        seconds = float("inf")
        for _ in range(TRIES):
            take_turn(t, s, corp)
            began = time.process_time()
            lays = [lay for lay in possible(t, s, verb, ASKED) if isinstance(lay, LayTile)]
            seconds = min(seconds, time.process_time() - began)
        yield s, lays, seconds
        fruitless = 0 if lays else fruitless + 1
        if lays:
            lay = max(random.choices(lays, k=4), key=lambda lay: meeting(s.board, t, lay))
            put_tile(t, s, lay.hex, lay.tile, lay.rotation)
            laid += 1
            place_token(s, corp if random.random() < 0.5 else random.choice(builders), lay.hex, random)
        if (laid >= until_next or not lays) and s.phase + 1 < len(t.phases):
            s.phase += 1
            until_next = laid + random.randint(LAYS_A_PHASE, 3 * LAYS_A_PHASE)


def take_turn(t: Title, s: State, corp: CorpId) -> None:
    """Begin the company's turn, on a board that remembers nothing; it owns the longest train there is."""
    s.operating, s.lays, s.own = corp, (), t.own()
    s.trains[corp] = (next(rank for rank in reversed(tuple(t.trains)) if t.trains[rank].reach),)
    s.board = Board(s.board.grid, s.board.placed, s.board.tokens)


def meeting(board: Board, t: Title, lay: LayTile) -> int:
    """How much track the tile has, and how many of its sides meet track."""
    face = turned(t.tiles[lay.tile].face, lay.rotation)
    steps = (board.grid.beyond.get((lay.hex, side)) for side in face.exits)
    return len(face.segments) + 2 * sum(step is not None and step[1] in board.faces[step[0]].exits for step in steps)


def place_token(s: State, corp: CorpId, hex_id: HexId, random: Random) -> None:
    """Now and then a token of the company comes into a city of the hex that has room."""
    for index, stop in enumerate(s.board.face(hex_id).face.stops):
        room = stop.kind == "city" and None in s.board.places(hex_id, index)
        if room and random.random() < 0.3 and not any(here == hex_id for here, _ in s.board.token_stops(corp)):
            s.board = s.board.with_token(hex_id, index, corp)
            return


def measure(title: str, boards: int, first: int, slowest: Path | None) -> None:
    took: list[float] = []
    found = 0
    digest = hashlib.sha256()
    worst = 0.0
    seed = first
    while len(took) < boards:
        for s, lays, seconds in grow(some_title(title, Random(seed)), Random(seed)):
            took.append(seconds * 1000)
            found += len(lays)
            digest.update(json.dumps([(lay.corp, lay.hex, lay.tile, lay.rotation) for lay in lays]).encode())
            if slowest is not None and seconds > worst:
                worst = seconds
                write(slowest / f"{title}.json", title, seed, s)
            if len(took) == boards:
                break
        seed += 1
    print(
        f"{title}: {len(took)} questions on {seed - first} grown boards, {found} lays, {sum(took) / 1000:.2f} s, ms a "
        f"question: median {median(took):.2f}, 99 % {quantiles(took, n=100)[98]:.1f}, most {max(took):.1f}; over 10 ms "
        f"{sum(ms > 10 for ms in took)}, over 50 ms {sum(ms > 50 for ms in took)}; {digest.hexdigest()[:12]}",
        flush=True,
    )


def write(path: Path, title: str, seed: int, s: State) -> None:
    body = {"title": title, "seed": seed, "corp": s.operating, "phase": s.phase}
    path.write_text(json.dumps({**body, "placed": dict(s.board.placed), "tokens": dict(s.board.tokens)}))


def main() -> None:
    parser = argparse.ArgumentParser(description="How long it takes to list all legal lays.")
    parser.add_argument("titles", nargs="*", choices=[*TITLES, []], metavar="TITLE")
    parser.add_argument("--boards", type=int, default=1000, help="how many questions for each title")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--slowest", type=Path, help="a folder that the slowest board of each title is written to")
    options = parser.parse_args()
    for title in options.titles or TITLES:
        measure(title, options.boards, options.first, options.slowest)


if __name__ == "__main__":
    main()
