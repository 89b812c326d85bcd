"""The command `tetsudo`: play, run the bot, and work with game files."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from cli.failure import Failure
from records.errors import BadRecord

MODULES = {
    "cli.health": ["health"],
    "cli.troubles": ["troubles"],
    "cli.database": ["backup", "restore", "verify", "rules", "move-to"],
    "cli.files": ["replay", "simulate", "export", "import"],
    "cli.boards": ["render", "chart", "film", "review"],
    "cli.puzzles": ["puzzles"],
    "cli.routes": ["routes"],
    "cli.arena.command": ["arena"],
    "cli.contract.report": ["check-title"],
}
"""The commands that each module adds. Only that of the command asked for is imported: some take a while."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit code: 0 done, 1 failed (and said why), 2 not understood, 130 interrupted."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does: not every terminal can write every name
    try:
        return _done(sys.argv[1:] if argv is None else [*argv])
    finally:
        _write_out()


def _done(words: list[str]) -> int:
    try:
        if words[:1] == ["play"]:
            return _play(words[1:])
        args = _parser(words[0] if words else "").parse_args(words)
        return int(args.run(args))
    except (Failure, BadRecord) as failure:
        print(f"tetsudo: {failure}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print("tetsudo: interrupted.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"tetsudo: {error.filename or 'a file'} cannot be used: {error.strerror or error}.", file=sys.stderr)
        return 1


def _write_out() -> None:
    """Write what is left for standard output: what fails when Python itself does so, nobody words."""
    if not isinstance(sys.stdout, TextIOWrapper):  # closed, or a test's
        return
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python tries once more
        if not isinstance(error, BrokenPipeError):
            sys.exit(f"tetsudo: standard output cannot be written: {error.strerror}.")


class _Version(argparse.Action):
    """Prints the version; asking for the commit takes a while, so only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from bot.version import full_version

        print(f"Tetsudo {full_version()}")
        parser.exit()


def _parser(word: str) -> argparse.ArgumentParser:
    """What understands this command; all of them where it is none."""
    parser = argparse.ArgumentParser(prog="tetsudo", description="18xx railway games by chat.")
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="print the version, and the commit where it is known"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], **told: Any) -> argparse.ArgumentParser:
        made = commands.add_parser(name, **told)
        made.set_defaults(run=run)
        return made

    commands.add_parser("play", help="open the playground: the bot in a local page, no token needed")
    command("bot", _bot, help="connect the bot to Discord (needs DISCORD_TOKEN)")
    if word not in ("bot", "--version"):
        found = [module for module, names in MODULES.items() if word in names]
        for module in found or MODULES:
            import_module(module).add_commands(command)
    return parser


def _play(words: Sequence[str]) -> int:
    """The playground, which reads what is asked of it itself."""
    from playground.__main__ import main as playground  # ends the program with a sentence if it cannot be opened

    return playground(words)


def _bot(args: argparse.Namespace) -> int:
    from board.hosted import beside
    from bot.main import main as bot

    return bot(beside)


if __name__ == "__main__":
    sys.exit(main())
