"""The opponents of an earlier revision, to play against: `strong@d4968f4` as a policy is the strong of that commit.

They are taken out of the repository's history, so that a baseline needs no code that is kept beside today's. The rules
are today's; what has changed in how they are asked is changed in the code that is taken out.
"""

import importlib
import io
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType

from cli.matches import Agreed
from engine import State, Title
from engine.actions import Action
from engine.board.board import Board
from engine.ids import PlayerId

ROOT = Path(__file__).parents[1]
PACKAGE = "opponents"
CHANGED = (
    ("from engine.viewing import hidden_purses", "from engine.secrets import hidden_purses"),
    (" successor(s, ", " successor(t, s, "),
    (".policy.course.", ".policy.milestones."),
    ("t.policy.milestones.set_ended is not nothing_more", "bool(t.policy.trains.exported)"),
)
"""What earlier revisions ask of the engine, and how that is asked today. To find what more is needed, check the package
of the revision with mypy beside today's engine."""


def level_and_revision(policy: str) -> tuple[str, str]:
    """A policy's parts; "" for the revision where it is today's."""
    level, _, revision = policy.partition("@")
    return level, revision


class Earlier:
    """A player that decides as the opponents of a revision did, but for deals, which it refuses."""

    def __init__(self, revision: str, level: str, seed: int) -> None:
        self.package, self.level, self.seed = _package(revision), level, seed
        self._boards: dict[int, tuple[Board, Board]] = {}

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        apart = s.copy()
        apart.board = self._own(t, s.board)
        action: Action = self.package.choose(t, apart, seat, self.level, self.seed).action
        return action

    def agrees(self, t: Title, s: State, action: Action, seat: PlayerId) -> bool:
        """Never: nobody it plays with proposes anything."""
        return False

    def _own(self, t: Title, board: Board) -> Board:
        """The same board with a memo of its own: what one revision noted may mean something else to another."""
        known = self._boards.get(id(board))
        if known is None:
            if len(self._boards) > 50:
                self._boards.clear()
            known = self._boards[id(board)] = (board, Board(t.grid, board.placed, board.tokens))
        return known[1]


@cache
def _package(revision: str) -> ModuleType:
    """The package as it was, imported beside today's."""
    asked = ["git", "archive", "--format=zip", revision, PACKAGE]
    packed = subprocess.run(asked, cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(folder)
        for path in Path(folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for was, now in CHANGED:
                text = text.replace(was, now)
            path.write_text(text, encoding="utf-8")
        return _imported_from(folder)


def _imported_from(folder: str) -> ModuleType:
    todays = _modules()
    for name in todays:
        del sys.modules[name]
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(PACKAGE)
    finally:
        sys.path.remove(folder)
        for name in _modules():
            del sys.modules[name]
        sys.modules.update(todays)


def _modules() -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if name.split(".")[0] == PACKAGE}
