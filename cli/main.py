"""The command `tetsudo`: play, run the bot, and work with game files."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from bot.version import full_version
from cli import boards, database, files, matches, puzzles, routes, troubles
from cli.arena import command as arena
from engine import TITLES
from records.errors import BadRecord


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit code: 0 done, 1 failed (with a message), 2 not understood, 130 broken off."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does: not every terminal can write every name
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except (files.Failure, matches.NotUnderstood, BadRecord) as failure:
        print(f"tetsudo: {failure}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print("tetsudo: broken off.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"tetsudo: {error.filename or 'a file'} cannot be used: {error.strerror or error}.", file=sys.stderr)
        return 1


class _Version(argparse.Action):
    """Prints the version; asking for the commit takes a while, so only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"Tetsudo {full_version()}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tetsudo", description="18xx railway games by chat.")
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="print the version, and the commit where it is known"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="open the playground: the bot in a local page, no token needed")
    play.add_argument("--title", help="which game to set up")
    play.add_argument("--players", type=int, help="how many players")
    play.add_argument("--humans", type=int, help="how many of them are people; the bot plays the others")
    play.add_argument("--level", help="how well those play")
    play.add_argument("--options", help="options of the game, separated by commas")
    play.add_argument("--at", help="a phase (5) or a round (3.1, SR 4): until then, the bot plays for all")
    play.add_argument("--seed", type=int, help="a number: what chance decides is the same each time")
    play.add_argument("--port", type=int, help="local port")
    play.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    play.set_defaults(run=_play)

    bot = commands.add_parser("bot", help="connect the bot to Discord (needs DISCORD_TOKEN)")
    bot.set_defaults(run=_bot)

    troubles.add_commands(commands)
    database.add_commands(commands)
    files.add_commands(commands)
    boards.add_commands(commands)
    puzzles.add_command(commands)
    boards.add_review(commands)
    routes.add_commands(commands)
    arena.add_command(commands)
    _add_check_title(commands)
    return parser


def _add_check_title(commands: Any) -> None:
    check = commands.add_parser("check-title", help="try whether a title keeps what every title promises")
    check.add_argument("title", choices=sorted(TITLES))
    check.add_argument("--check", action="append", metavar="NAME", help="only this check, as the report names it")
    check.add_argument("--players", type=matches.how_many, metavar="N", help="only with so many players")
    options = check.add_mutually_exclusive_group()
    options.add_argument("--option", action="append", metavar="NAME", help="only with this option, or with these")
    options.add_argument("--plain", dest="option", action="store_const", const=[], help="only without options")
    check.add_argument("--seed", type=int, default=1, metavar="S", help="of the (first) game of each check")
    check.add_argument("--games", type=matches.how_many, default=1, metavar="N", help="how many games of each setup")
    check.add_argument("--out", type=Path, metavar="FOLDER", help="write each game that breaks a promise as a file")
    check.add_argument("--traceback", action="store_true", help="show where in the code it happened")
    check.set_defaults(run=_check_title)


def _play(args: argparse.Namespace) -> int:
    from playground.__main__ import main as playground  # ends the program with a sentence where it is not installed

    given = [
        f"--{name}={value}"
        for name in ("title", "players", "humans", "level", "options", "at", "seed", "port")
        if (value := getattr(args, name)) is not None
    ]
    return int(playground([*given, *(["--no-browser"] if args.no_browser else [])]) or 0)


def _bot(args: argparse.Namespace) -> int:
    from board.hosted import beside
    from bot.main import main as bot

    return bot(beside)


def _check_title(args: argparse.Namespace) -> int:
    from cli.contract.report import run  # loads Discord's library, which no other command on files needs

    return run(args)


if __name__ == "__main__":
    sys.exit(main())
