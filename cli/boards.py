"""`tetsudo render`, `chart` and `film`: pictures of a game; `review`: what cost its players most."""

import argparse
from pathlib import Path
from typing import Any

from cli.failure import Failure, written_whole
from cli.files import played_from
from engine import Refused, State, apply_unjudged, board_view, market_view, start, table_view
from engine import apply as apply_action
from engine.charting import CHARTS, chart
from engine.past import rounds_of, span
from records.files import Replay


def add_commands(command: Any) -> None:
    render = command("render", _render, help="draw the map, the market and the table of a game file as PNG")
    render.add_argument("file", type=Path)
    render.add_argument("--at", type=int, metavar="N", help="after N actions instead of at the end")
    render.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")

    charts = command("chart", _chart, help="draw charts of a game file as PNG: worth, prices, revenue, trains")
    charts.add_argument("file", type=Path)
    charts.add_argument("--about", choices=CHARTS, action="append", help="which chart; all if left out")
    charts.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")

    films = command("film", _film, help="make a film (GIF) of a game file, or of one of its rounds or sets")
    films.add_argument("file", type=Path)
    films.add_argument("--of", default="", metavar="PART", help="a round (4.1, SR 2) or a set (4) instead of the game")
    films.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")

    review = command("review", _review, help="the decisions that cost each player of a game file most")
    review.add_argument("file", type=Path)
    review.add_argument("--out", type=Path, metavar="FOLDER", help="draw a chart of everybody's chances there, too")


def _render(args: argparse.Namespace) -> int:
    from renderer import map_picture, market_picture, table_picture

    played = played_from(args.file)
    title, state = played.title, played.state
    if args.at is not None:
        if not 0 <= args.at <= len(played.actions):
            raise Failure(f"--at goes from 0 to {len(played.actions)}, the number of this game's actions.")
        state = positions(played)[args.at]
    pictures = {
        "map": map_picture(board_view(title, state)),
        "market": market_picture(market_view(title, state)),
        "table": table_picture(table_view(title, state)),
    }
    for name, picture in pictures.items():
        write_picture(args.out, f"{args.file.stem}-{name}.png", picture.png)
    return 0


def positions(played: Replay) -> list[State]:
    """The beginning of a played game, and the position after each action."""
    states = [start(played.title, played.names)]
    for action in played.actions:
        try:
            states.append(apply_action(played.title, states[-1], action))
        except Refused:  # it was played as recorded
            states.append(apply_unjudged(played.title, states[-1], action))
    return states


def write_picture(folder: Path, name: str, data: bytes) -> None:
    """Write a picture into the folder, and say where. Raises Failure."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{folder} cannot be made: {error.strerror}") from error
    written_whole(folder / name, data)
    print(folder / name)


def _chart(args: argparse.Namespace) -> int:
    from renderer import chart_picture

    played = played_from(args.file)
    states = positions(played)
    for name in args.about or CHARTS:
        picture = chart_picture(chart(played.title, states, name))
        write_picture(args.out, f"{args.file.stem}-{name}.png", picture.png)
    return 0


def _film(args: argparse.Namespace) -> int:
    from bot.rooms.past.workshop import NOTHING, film_of

    played = played_from(args.file)
    states = positions(played)
    if span(states, args.of) is None:
        raise Failure(
            f"There is no round or set {args.of}; there are {', '.join(one.name for one in rounds_of(states))}."
        )
    gif = film_of(played.title, states, args.of)
    if not gif:
        raise Failure(NOTHING)
    write_picture(args.out, f"{args.file.stem}{'-' if args.of else ''}{args.of.replace(' ', '')}.gif", gif)
    return 0


def _review(args: argparse.Namespace) -> int:
    from bot.rooms.past.reviewing import NOTHING, chances_chart, told
    from bot.words.lexicon import lexicon
    from bot.words.narration import plain
    from opponents.coach import review
    from renderer import chart_picture

    played = played_from(args.file, as_recorded=True)
    title, states = played.title, positions(played)
    if not played.state.over:
        raise Failure(f"{args.file}: the game is not over.")
    names, found = lexicon(played.state.names, title), review(title, states, played.actions)
    for seat, slips in zip(played.state.players, found.slips, strict=True):
        print(played.state.names[seat])
        for slip in slips:
            one = told(title, states, slip, names)
            print(f"  {slip.at + 1}. {one.when}: {plain(one.done)}.")
            print(f"     Better: {plain(one.better)}. {plain(one.why)}")
            print(f"     It cost about {plain(one.cost)} in the end. {plain(one.first)}".rstrip())
        if not slips:
            print(f"  {NOTHING}")
    if args.out is not None:
        write_picture(args.out, f"{args.file.stem}-chances.png", chart_picture(chances_chart(title, states, found)).png)
    return 0
