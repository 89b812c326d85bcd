"""Random games under `online`, exported and judged by the engine of 18xx.games, which must accept them and agree.

    python benchmarks/carried_over.py LIB [--games N] [--seed S] [--title TITLE ...] [--keep FOLDER]

LIB is the folder `lib` of that program's public repository; Ruby must be installed. Players and options take turns; in
some games people do anything, in others they build and buy trains, and come to the last phases. A game that the export
itself declines, as it meets a listed difference, is counted with its rule. Exit code 1 if any other export is refused
there, or has another result, end or revenue.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations, takewhile
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

# ruff: noqa: E402 (the folders above must be known first)

from tastes import eager

from engine import BadAction, Title, build
from engine.actions import Action
from records.dialect import DIALECTS
from records.errors import BadRecord
from records.export_18xx import export
from records.simulate import Picker, choose_among, steps

JUDGE = Path(__file__).with_name("judge_18xx.rb")
NAMES = ("Ann", "Ben", "Cho", "Dee", "Eve", "Fay")
STRIDE = 37
"""Between the setups of one game and the next, so that few games already have most options."""
LAST_TURN = 100
TASTES = {"any": choose_among, "eager": eager}
PLAYERS = {"1860": range(2, 5), "1888": range(2, 7), "1889": range(2, 7)}


def setups(name: str) -> list[Title]:
    """The title for every number of players, with no, one and two of the options that 18xx.games knows."""
    options = sorted(DIALECTS[name].known())
    chosen = chain([()], ((one,) for one in options), combinations(options, 2))
    built = []
    for some in chosen:
        for players in PLAYERS[name]:
            with suppress(BadAction):
                built.append(build(name, players, [*some, "online"]))
    return built


def games(name: str, count: int, seed: int, folder: Path) -> Iterator[tuple[str, Path | str]]:
    """Each game's name with the file of its record, or with why it was not exported."""
    choices = setups(name)
    for number in range(count):
        title = choices[(seed + number) * STRIDE % len(choices)]
        options = "+".join(sorted(title.options - {"online"})) or "plain"
        taste = Random(seed + number).choice(sorted(TASTES))
        label = f"{name}-{title.players}p-{options}-{taste}-{seed + number}"
        names = NAMES[: title.players]
        try:
            record = export(title, names, played(title, names, seed + number, TASTES[taste]))
        except BadRecord as error:
            yield label, str(error)
            continue
        path = folder / f"{label}.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        yield label, path


def played(title: Title, names: tuple[str, ...], seed: int, pick: Picker) -> list[Action]:
    """A random game, broken off where 18xx.games ends every game: no people play a hundred turns."""
    random_game = steps(title, names, seed, pick)
    return [action for action, _ in takewhile(lambda step: step[1].turn < LAST_TURN, random_game)]


def judged(lib: Path, path: Path) -> str:
    """What 18xx.games finds wrong with the record; empty if nothing."""
    ran = subprocess.run(["ruby", str(JUDGE), str(lib), str(path)], capture_output=True, text=True, check=False)
    if ran.returncode:
        return ran.stderr.strip().splitlines()[0] if ran.stderr.strip() else "the judge ended without a word"
    told, record = json.loads(ran.stdout), json.loads(path.read_text(encoding="utf-8"))
    return "; ".join(_wrong(told, record))


def _wrong(told: dict[str, Any], record: dict[str, Any]) -> Iterator[str]:
    for number, stated, earned in told["revalued"]:
        yield f"action {number} states {stated}, worth {earned} there"
    if "refusal" in told:
        yield f"action {told['action']} of {len(record['actions'])} is refused: {told['refusal']}"
        return
    if told["result"] != record["result"]:
        yield f"the result is {told['result']} there, {record['result']} here"
    if told["finished"] != (record["status"] == "finished"):
        yield "only one of the two has ended"
    if told["reason"] != record["game_end_reason"]:
        yield f"it ends by {told['reason']} there, {record['game_end_reason']} here"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lib", type=Path)
    parser.add_argument("--games", type=int, default=10, help="of each title")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--title", action="append", choices=sorted(DIALECTS))
    parser.add_argument("--keep", type=Path, help="a folder for the records")
    args = parser.parse_args(arguments)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(exist_ok=True)
        for name in args.title or sorted(DIALECTS):
            for label, what in games(name, args.games, args.seed, folder):
                kind, text = _verdict(args.lib, what)
                found[f"{name} {kind}"] += 1
                print(label, kind, text, flush=True)
    print(dict(found))
    return 1 if any(kind.endswith("wrong") for kind in found) else 0


def _verdict(lib: Path, what: Path | str) -> tuple[str, str]:
    if isinstance(what, str):
        listed = re.search(r"\[(\d+-[A-Z]+-\d+)", what)
        return (f"listed {listed[1]}", what) if listed else ("wrong", what)
    text = judged(lib, what)
    return ("wrong", text) if text else ("agreed", "")


if __name__ == "__main__":
    sys.exit(main())
