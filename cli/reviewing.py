"""`tetsudo review`: what cost each player of a finished game most."""

import argparse
from pathlib import Path
from typing import Any

from cli.boards import positions, write_picture
from cli.files import Failure, played_from


def add_command(commands: Any) -> None:
    review = commands.add_parser("review", help="the decisions that cost each player of a game file most")
    review.add_argument("file", type=Path)
    review.add_argument("--out", type=Path, metavar="FOLDER", help="draw a chart of everybody's chances there, too")
    review.set_defaults(run=_review)


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
            print(f"     It cost about {plain(one.cost)}")
        if not slips:
            print(f"  {NOTHING}")
    if args.out is not None:
        write_picture(args.out, f"{args.file.stem}-chances.png", chart_picture(chances_chart(title, states, found)).png)
    return 0
