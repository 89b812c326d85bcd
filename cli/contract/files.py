"""Game files of a title: our own, and records of 18xx.games where they have it."""

import json
from collections.abc import Sequence

from cli.contract import must
from cli.contract.play import NAMES
from engine import Action, State, Title, scores
from records import native
from records.dialect import DIALECTS
from records.errors import BadRecord
from records.export_18xx import export
from records.files import parse, play
from records.shapes import Body


def comes_back(t: Title, actions: Sequence[Action], final: State) -> None:
    """The game is the same when its file is read."""
    played = play(_written(native.written(t, actions, final)))
    must(played.state.to_dict() == final.to_dict(), "The game's own file leads to another position.")
    must(not played.against_rules, f"The game's own file is played against the rules: {played.against_rules[:1]}.")


def goes_abroad(t: Title, actions: Sequence[Action], final: State) -> None:
    """The game is the same when it was exported to 18xx.games' format and imported again, where they have the title."""
    if not any(dialect.title == t.id for dialect in DIALECTS.values()):
        return
    try:
        record = export(t, NAMES[: t.players], actions)
    except BadRecord:
        return  # it says to its user why this game cannot be carried over
    played = play(_written(record))
    must(not played.departures, f"The game that was exported is another when imported: {played.departures[:1]}.")
    same = scores(played.title, played.state) == scores(t, final)
    must(same, "The game that was exported and imported again ends with another result.")


def _written(body: Body) -> Body:
    """The file as it is read again."""
    return parse(json.dumps(body).encode())
