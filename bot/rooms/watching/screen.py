"""Watching from outside the table: following a game, live boards, and all games of a server."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import codes
from bot.chat.messages import board_mark
from bot.chat.screen import Button, Option, Screen, where
from bot.core.moves import EVENTS
from bot.core.table import Table
from bot.rooms.past.finish import final_screen
from bot.rooms.turn import pictures
from bot.rooms.turn.screen import story, task_of
from bot.rooms.watching.following import EVERY
from bot.words.labels import Style
from bot.words.lexicon import listed
from storage import Watch

LAST = 6
"""How many lines a live board has of what happened last."""
PAGE = 10
"""Games on a page."""


def follow_screen(game: str, seq: int, watch: Watch | None, *, here: bool) -> Screen:
    """What somebody follows, with what changes it; `here`: in this thread, otherwise by direct message."""
    screen = Screen(game=game, seq=seq)
    place = "here" if here else "by direct message"
    if watch is None:
        screen.text = f"**Follow this game?** You will be told {place} what happens, as often as you like. " + (
            "" if here else "To follow it in a thread, use `/game follow` in a thread of the game's channel."
        )
        screen.buttons(Button("Follow here" if here else "Follow by direct message", "follow|start", "success"))
        return screen
    chosen = [one for one in EVENTS if one in watch.events.split(",")]
    screen.text = f"**This game is followed {place}**, {EVERY.get(watch.every, '')}. Tell when:"
    screen.buttons(
        *(
            Button(f"{'✓' if one in chosen else '–'} {name}", codes.join("follow", one), _style(one in chosen))
            for one, name in EVENTS.items()
        )
    )
    screen.select(
        "every", "How often…", [Option(name[0].upper() + name[1:], f"follow|{every}") for every, name in EVERY.items()]
    )
    screen.buttons(Button("Stop following", "follow|stop", "danger"))
    return screen


def _style(chosen: bool) -> Style:
    return "primary" if chosen else "secondary"


def digest_screen(text: str, game: str, seq: int, link: str) -> Screen:
    """What a follower is told."""
    screen = Screen(f"{text}\n-# {link}" if link else text, game=game, seq=seq)
    screen.buttons(Button("What I follow…", "follow"))
    return screen


async def board_screen(table: Table, link: str) -> Screen:
    """A live board: what a spectator sees of the game now."""
    position = table.position
    if position.over:
        screen = await final_screen(table)
        screen.text = screen.text.replace(f"{' '.join(f'<@{user}>' for user in table.people)}\n", "")
        screen.rows.clear()
    else:
        names = position.lexicon()
        waits = listed(names.player(seat) for seat in position.up)
        last = story(table, table.moves[-LAST:])[-LAST:]
        lines = [f"### {position.table().round}", f"Waiting for {waits}: {task_of(position)}."]
        screen = Screen("\n".join([*lines, *(f"- {line}" for line in last)]))
        await pictures.add(
            screen, pictures.map_image(position), pictures.market_image(position), pictures.table_image(position)
        )
    screen.game, screen.seq = table.game.id, position.seq
    screen.text += f"\n\n-# {board_mark(table.game.id)}" + (f" · {link}" if link else "")
    screen.buttons(Button("Follow", "follow"))
    screen.footer = where(position)
    return screen


def games_screen(lines: Sequence[str], page: int, pages: int) -> Screen:
    """A page of a server's games."""
    text = "\n".join(["### Games on this server", *lines]) if lines else "No game is being played on this server."
    screen = Screen(text, footer=f"Page {page} of {pages}" if pages > 1 else "")
    turns = [("◀ Back", page - 1)] if page > 1 else []
    turns += [("More ▶", page + 1)] if page < pages else []
    screen.buttons(*(Button(label, codes.join("games", number)) for label, number in turns))
    return screen
