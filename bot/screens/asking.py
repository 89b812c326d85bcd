"""Questions that are asked once more before what cannot be meant lightly: they say what would be lost."""

from __future__ import annotations

from bot.play.settings import TableSettings
from bot.play.table import Table
from bot.screens import codes
from bot.screens.screen import Button, Screen
from bot.text.labels import CONTROLS
from engine.actions import Action, EndGame
from storage import Game


async def sure_screen(table: Table, action: Action, seen: int | None) -> Screen | None:
    """Asks whether the action is meant; None where its first press counts. Raises what `Table.submit` does."""
    labels = table.position.labels(action.by)
    warning = CONTROLS[type(action)].warning(labels, action)
    if not warning:
        return None
    table.check_seen(seen)
    table.must_be_asked(action)
    label = labels.of(action)
    follows = await table.position.outcome_of(action)
    lines = [f"**{label}?** {warning}", *([f"What follows: {follows}."] if follows else [])]
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    screen.buttons(Button(label, codes.join("sure", codes.action_code(action)), "danger"))
    return screen


def undo_screen(table: Table, user: int) -> Screen:
    """Asks whether to undo the last move, and shows whose it was and what it was. Raises TableError."""
    taken = table.undoable(user)
    other = taken[0].action.by not in table.seats_of(user) and not isinstance(taken[0].action, EndGame)
    whose = (
        f"It was {table.position.lexicon().player(taken[0].action.by)}'s move, and everybody" if other else "Everybody"
    )
    lines = [f"**Undo this?** {whose} will be told.", *(f"- {one}" for one in table.account(taken))]
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    screen.buttons(Button("Undo it", "undo|sure", "danger"))
    return screen


def leave_screen(game: Game, user: int) -> Screen:
    """Asks whether to give up a seat of a game that has not started, or to decline the one kept for the person."""
    screen = Screen(game=game.id)
    if TableSettings.read(game.settings).invited:
        screen.text = "**Decline?** Nobody can then play this imported game on here: it is cancelled."
        screen.buttons(Button("Decline for everybody", "leave|sure", "danger"))
        return screen
    host = " You stay its host." if user == game.host_id else ""
    screen.text = f"**Leave this game?** Your seat is free for somebody else then.{host}"
    screen.buttons(Button("Leave the game", "leave|sure", "danger"))
    return screen
