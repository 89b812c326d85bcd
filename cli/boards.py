"""`tetsudo render`: pictures of a game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cli.files import Failure, read
from engine import State, start
from engine import apply as apply_action
from engine.viewing import board_view, market_view, table_view
from records.errors import BadRecord
from records.files import Played, play


def add_commands(commands: Any) -> None:
    """Add `render` to the parsers of the command line."""
    render = commands.add_parser("render", help="draw the map, the market and the table of a game file as PNG")
    render.add_argument("file", type=Path)
    render.add_argument("--at", type=int, metavar="N", help="after N actions instead of at the end")
    render.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")
    render.set_defaults(run=_render)


def _played(path: Path) -> Played:
    try:
        return play(read(path))
    except BadRecord as error:
        raise Failure(f"{path}: {error}") from error


def _position(played: Played, after: int | None) -> State:
    if after is None:
        return played.state
    state = start(played.title, played.names)
    for action in played.actions[: max(after, 0)]:
        state = apply_action(played.title, state, action)
    return state


def _render(args: argparse.Namespace) -> int:
    from renderer import map_picture, market_picture, table_picture

    played = _played(args.file)
    title, state = played.title, _position(played, args.at)
    pictures = {
        "map": map_picture(board_view(title, state)),
        "market": market_picture(market_view(title, state)),
        "table": table_picture(table_view(title, state)),
    }
    for name, picture in pictures.items():
        path = args.out / f"{args.file.stem}-{name}.png"
        try:
            args.out.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture.png)
        except OSError as error:
            raise Failure(f"{path} cannot be written: {error.strerror}") from error
        print(path)
    return 0
