"""Questions that are asked once more before what cannot be meant lightly: they say what would be lost."""

from __future__ import annotations

import renderer
from bot.chat import codes
from bot.chat.screen import Button, Image, Screen
from bot.core import undoing
from bot.core.settings import TableSettings
from bot.core.table import Table
from bot.core.undoing import Turnback
from bot.rooms.turn import pictures
from bot.rooms.turn.requests import Request
from bot.words.labels import CONTROLS
from bot.words.lexicon import listed
from engine.actions import Action
from engine.past import changed_hexes, moved_tokens
from engine.viewing import market_view
from storage import Game

MOST_LISTED = 15
"""How many lines of what would be taken back are shown."""


async def sure_screen(table: Table, action: Action, seen: int | None) -> Screen | None:
    """Asks whether the action is meant; None where its first press counts. Raises what `Table.submit` does."""
    labels = table.position.labels(action.by)
    warning = labels.said(CONTROLS[type(action)].warning, action)
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


async def undo_screen(table: Table, user: int, seq: int | None = None) -> Screen:
    """Asks whether to take back the decision in row `seq` and what followed, or to ask the others for it.

    Without a row it is the person's own last decision. Shows what would be taken back. Raises TableError.
    """
    table.must_go_on()
    back, names = undoing.turnback(table, user, seq), table.position.lexicon()
    screen = Screen(game=table.game.id, seq=table.position.seq, images=await _taken_back(table, back))
    if back.asked:
        asked = listed(names.player(one) for one in back.asked)
        must = "must agree" if len(back.asked) > 1 else "must agree, too"
        question = (
            f"**Ask to take this back?** {asked} {must}; the channel is asked, for a day or until the game moves on."
        )
    else:
        whose = back.taken[0].action.by
        other = "" if whose in table.seats_of(user) else f"It was {names.player(whose)}'s move, and everybody"
        question = f"**Undo this?** {other or 'Everybody'} will be told."
    screen.text = "\n".join([question, *_listed(table, back)])
    label, way = ("Ask them", "ask") if back.asked else ("Undo it", "sure")
    buttons = [Button(label, codes.join("undo", way, back.seq), "danger")]
    last = undoing.last(table, user)
    if seq is None and last.seq != back.seq:
        buttons.append(Button("Only the last move", codes.join("undo", "from", last.seq)))
    screen.buttons(*buttons)
    return screen


async def request_screen(table: Table, asked: Request) -> Screen:
    """The message in which those concerned agree to an undo."""
    names = table.position.lexicon()
    people = " ".join(f"<@{table.seats[seat].user_id}>" for seat in asked.missing)
    screen = Screen(game=table.game.id, seq=table.position.seq, images=await _taken_back(table, asked.back))
    lines = [f"### {names.player(asked.by)} asks to take this back", *_listed(table, asked.back)]
    if asked.agreed:
        lines.append(f"Agreed: {listed(names.player(seat) for seat in asked.back.asked if seat in asked.agreed)}.")
    lines.append(f"{people}: it is taken back as soon as you agree.")
    screen.text = "\n".join(lines)
    screen.buttons(
        Button("Agree", codes.join("undo", "yes", asked.back.seq), "success"),
        Button("Decline", codes.join("undo", "no", asked.back.seq), "danger"),
    )
    ends = "when everybody is back" if asked.until is None else f"<t:{asked.until}:R>"
    screen.footer = f"The request ends {ends}, or as soon as the game moves on."
    return screen


def _listed(table: Table, back: Turnback) -> list[str]:
    """What is taken back, the latest lines of it."""
    lines = table.account(back.taken)
    hidden = len(lines) - MOST_LISTED
    head = [f"- … {hidden} more in `/game history`"] if hidden > 0 else []
    return [*head, *(f"- {one}" for one in lines[-MOST_LISTED:])]


async def _taken_back(table: Table, back: Turnback) -> list[Image]:
    """The map, with the hexes marked that would be as before, and the market if prices would."""
    facts = [fact for one in back.taken for fact in one.state.facts]
    hexes, moved = changed_hexes(facts), moved_tokens(facts)
    images = []
    if hexes:
        images.append(await pictures.map_image(table.position, marked=hexes, name="undo-map"))
    if moved:
        view = market_view(table.title, table.position.state, moved)
        picture = await table.work.do(renderer.market_picture, view)
        images.append(Image(f"undo-market-{back.seq}.png", picture.png, picture.alt))
    return images


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
