"""Takes the rules of a title away one after the other and says which of that no test notices.

    python tests/mutation 1889                  all mutants; a minute or several for each title
    python tests/mutation 1889 --only guard     those whose key contains the word
    python tests/mutation 1889 --common         also the tests that run over every title
    python tests/mutation 1889 --sample 10      so many of them by chance; --seed 2 for others

Survivors that change nothing anybody could notice are explained in `explained.py`; one that is explained there and
found all the same is told too. Exits with 1 where a survivor is not explained.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS)]

from mutation.explained import reason  # noqa: E402
from mutation.mutants import Mutant, mutants  # noqa: E402
from mutation.trial import Trial  # noqa: E402

from engine.titles import TITLES  # noqa: E402

OWN = (TESTS / "titles", TESTS / "counts", TESTS / "engine" / "test_out_of_turn.py")
COMMON = (TESTS / "engine" / "test_contract.py", TESTS / "engine" / "test_endless.py")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("titles", nargs="+", choices=TITLES)
    parser.add_argument("--only", action="append", help="only mutants whose key contains this; may be repeated")
    parser.add_argument("--common", action="store_true", help="run the tests over every title too")
    parser.add_argument("--sample", type=int, help="only so many mutants of each title, by chance")
    parser.add_argument("--seed", default="1", help="of the chance")
    arguments = parser.parse_args()
    return max(try_title(title, arguments) for title in arguments.titles)


def chosen(title: str, arguments: argparse.Namespace) -> list[Mutant]:
    """The mutants that are asked for; the same sample for the same seed."""
    wanted = [one for one in mutants(title) if any(word in one.key for word in arguments.only or [""])]
    if arguments.sample is None or arguments.sample >= len(wanted):
        return wanted
    return random.Random(f"{title} {arguments.seed}").sample(wanted, arguments.sample)


def try_title(title: str, arguments: argparse.Namespace) -> int:
    """Try the title's mutants; 0 if each was found or is explained."""
    trial = Trial(title, chosen(title, arguments), _tell)
    began = time.time()
    files = [str(path) for path in (*OWN, *(COMMON if arguments.common else ()))]
    pytest.main([*files, "--capture=sys", "-p", "no:cacheprovider", "-p", "no:terminal", "-m", "not slow"], [trial])
    if trial.broken:
        print(f"{title}: these tests fail without a mutant:", *trial.broken, sep="\n  ")
        return 1
    return _sum_up(title, trial, time.time() - began)


def _tell(mutant: Mutant, found_by: str) -> None:
    if not found_by:
        print(f"  survives: {mutant.key} {mutant.rule}".rstrip(), file=sys.__stdout__, flush=True)


def _sum_up(title: str, trial: Trial, seconds: float) -> int:
    survived = [key for key, found_by in trial.outcome.items() if not found_by]
    open_ = [key for key in survived if not reason(title, key)]
    for key, found_by in trial.outcome.items():
        if found_by and reason(title, key):
            print(f"  found, though explained as equivalent: {key}\n    by {found_by}")
    print(f"{title}: kind, mutants, killed, explained, survived ({seconds:.0f} s)")
    for kind in (*dict.fromkeys(mutant.kind for mutant in trial.mutants), ""):
        keys = [key for key in trial.outcome if key.startswith(f"{kind} ") or not kind]
        left = sum(key in open_ for key in keys)
        known = sum(key in survived for key in keys) - left
        killed, rate = len(keys) - left - known, left / max(1, len(keys))
        print(f"  {kind or 'all':8} {len(keys):5} {killed:5} {known:5} {left:5}  {rate:.1%}")
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
