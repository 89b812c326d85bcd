"""`tetsudo check-title`: whether a title keeps what every title promises."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engine import TITLES


def add_commands(commands: Any) -> None:
    """Add `check-title` to the parsers of the command line."""
    check = commands.add_parser("check-title", help="try whether a title keeps what every title promises")
    check.add_argument("title", choices=sorted(TITLES))
    check.add_argument("--check", action="append", metavar="NAME", help="only this check, as the report names it")
    check.add_argument("--players", type=int, metavar="N", help="only with so many players")
    options = check.add_mutually_exclusive_group()
    options.add_argument("--option", action="append", metavar="NAME", help="only with this option, or with these")
    options.add_argument("--plain", dest="option", action="store_const", const=[], help="only without options")
    check.add_argument("--seed", type=int, default=1, metavar="S", help="of the (first) game of each check")
    check.add_argument("--games", type=int, default=1, metavar="N", help="how many games of each setup")
    check.add_argument("--out", type=Path, metavar="FOLDER", help="write each game that breaks a promise as a file")
    check.add_argument("--traceback", action="store_true", help="show where in the code it happened")
    check.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from cli.contract.report import run  # loads Discord's library, which no other command on files needs

    return run(args)
