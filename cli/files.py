"""Commands that work with game files: replay, simulate, export, import."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from cli import matches
from cli.failure import Failure, must_take, written_whole
from engine import TITLES, Action, State, Title, scores
from records import native
from records.dialect import DIALECTS, Dialect
from records.errors import BadRecord
from records.export_18xx import export
from records.files import Replay, parse, play
from records.simulate import simulate
from records.trace import Ids, line


def add_commands(command: Any) -> None:
    replay = command("replay", _replay, help="replay a game file and compare its result")
    replay.add_argument("file", type=Path)
    replay.add_argument("--trace", type=Path, metavar="OUT", help="write the state after every action")
    _add_as_recorded(replay)

    _add_simulate(command)

    out = command("export", _export, help="turn a game file into a record that 18xx.games accepts")
    out.add_argument("file", type=Path)
    out.add_argument("--out", type=Path, metavar="FILE")

    into = command("import", _import, help="turn an 18xx.games record into our own game file")
    into.add_argument("file", type=Path)
    into.add_argument("--out", type=Path, metavar="FILE")
    _add_as_recorded(into)


def _add_simulate(command: Any) -> None:
    random = command("simulate", _simulate, help="play a random legal game to its end, or games among opponents")
    random.add_argument("title", choices=sorted(TITLES))
    random.add_argument(
        "--players", type=matches.how_many, metavar="N", help="how many play, unless --policy names several"
    )
    random.add_argument("--seed", type=int, default=0, metavar="S", help="of the (first) game")
    random.add_argument("--option", action="append", default=[], metavar="NAME", help="an option of the title")
    random.add_argument("--out", type=Path, metavar="FILE", help="write the game file (standard output if left out)")
    text = f"who plays, seat by seat or one for all: {', '.join(matches.POLICIES)}; prints results unless --out"
    random.add_argument("--policy", metavar="LIST", help=text)
    random.add_argument("--games", type=matches.how_many, default=1, metavar="N", help="with --policy: how many games")
    random.add_argument(
        "--jobs", type=matches.how_many, default=1, metavar="J", help="with --policy: in how many processes"
    )
    random.add_argument("--until", metavar="PHASE", help="with --policy: stop a game when this phase begins")
    random.add_argument("--json", action="store_true", help="with --policy: one JSON object a game")


def _add_as_recorded(command: argparse.ArgumentParser) -> None:
    text = "carry on where the rules refuse an action or a stated figure, and list every such place"
    command.add_argument("--as-recorded", action="store_true", help=text)


def read(path: Path) -> dict[str, Any]:
    """The JSON object in a game file. Raises Failure if it cannot be read."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}") from error
    except BadRecord as error:
        raise Failure(f"{path}: {error}") from error


def played_from(path: Path, *, as_recorded: bool = False) -> Replay:
    """The game in a file, played. Raises Failure."""
    try:
        return play(read(path), as_recorded=as_recorded)
    except BadRecord as error:
        raise Failure(f"{path}: {error}") from error


def write(path: Path | None, body: dict[str, Any]) -> None:
    """Write JSON to the file, or to standard output without one. Raises Failure."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")) + "\n"
    if path is None:
        print(text, end="")
        return
    written_whole(path, text.encode())


def _must_differ(out: Path | None, file: Path) -> None:
    """Refuse to write over the game that is read. Raises Failure."""
    if out is not None and out.resolve() == file.resolve():
        raise Failure(f"{out} is the game itself: what is written needs a file of its own.")


def _replay(args: argparse.Namespace) -> int:
    body = read(args.file)
    try:
        played = _traced(body, args) if args.trace else play(body, as_recorded=args.as_recorded)
    except BadRecord as error:
        print(error)
        return 1
    for text in (*played.against_rules, *played.differences):
        print(text)
    for player, value in scores(played.title, played.state):
        print(played.ids[player], played.state.names[player], value)
    if not played.state.over:
        print("All actions have been played; the game has not ended.")
    difference = played.difference()
    if difference:
        print(difference)
    return 1 if difference or (played.differences and not args.as_recorded) else 0


def _traced(body: dict[str, Any], args: argparse.Namespace) -> Replay:
    _must_differ(args.trace, args.file)
    try:
        with args.trace.open("w", encoding="utf-8") as out:

            def watch(title: Title, ids: Ids, index: int, state: State, action: dict[str, Any] | None) -> None:
                dialect = DIALECTS.get(title.id, Dialect({}))  # our own names where they do not have the title
                out.write(line(title, state, dialect, ids, index, action) + "\n")

            return play(body, watch, as_recorded=args.as_recorded)
    except OSError as error:
        raise Failure(f"{args.trace} cannot be written: {error.strerror}") from error


def _simulate(args: argparse.Namespace) -> int:
    if args.policy is None:
        write(args.out, native.written(*_random_game(args)))
        return 0
    if args.out is None:
        return matches.run(args)
    must_take(args.out)
    write(args.out, native.written(*matches.recorded(args)))
    return 0


def _random_game(args: argparse.Namespace) -> tuple[Title, list[Action], State]:
    if args.games != 1 or args.jobs != 1 or args.until is not None or args.json:
        raise Failure("--games, --jobs, --until and --json need to know who plays: --policy LIST.")
    if args.players is None:
        raise Failure("say how many play: --players N, or who: --policy LIST.")
    title = matches.built(args.title, args.players, args.option)
    return title, *simulate(title, matches.names(title), args.seed)


def _export(args: argparse.Namespace) -> int:
    _must_differ(args.out, args.file)
    played = play(read(args.file))
    write(args.out, export(played.title, played.names, played.actions))
    return 0


def _import(args: argparse.Namespace) -> int:
    _must_differ(args.out, args.file)
    played = play(read(args.file), as_recorded=args.as_recorded)
    departures = played.departures
    if departures and not args.as_recorded:
        raise Failure("\n".join(departures))
    for text in departures:
        print(f"tetsudo: {text}", file=sys.stderr)
    write(args.out, native.written(played.title, played.actions, played.state))
    return 0
