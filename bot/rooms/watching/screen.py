"""Watching from outside the table: what followers are told, and live boards.

What is told is what the channel was told, move by move, so no follower learns more than a spectator.
"""

from bot.chat import codes
from bot.chat.screen import Button, Option, Screen, where
from bot.core.moves import EVENTS, events_of
from bot.core.table import Table
from bot.rooms.past.finish import final_screen
from bot.rooms.turn import pictures
from bot.rooms.turn.screen import story, task_of
from bot.words.lexicon import mentions
from bot.words.narration import gathered
from engine.viewing import round_label
from storage import Watch

LAST = 6
"""How many lines a live board has of what happened last."""
EVERY = {300: "at once", 3600: "at most hourly", 6 * 3600: "at most every six hours", 24 * 3600: "at most daily"}
"""Seconds between two messages, as that is called; what happens at once is gathered for five minutes."""
MOST_LINES = 20
"""How many lines a follower is told at once."""


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
            Button(f"✓ {name}", codes.join("follow", one), "primary")
            if one in chosen
            else Button(f"– {name}", codes.join("follow", one))
            for one, name in EVENTS.items()
        )
    )
    screen.select(
        "every", "How often…", [Option(name[0].upper() + name[1:], f"follow|{every}") for every, name in EVERY.items()]
    )
    screen.buttons(Button("Stop following", "follow|stop", "danger"))
    return screen


def digest_text(table: Table, watch: Watch) -> str | None:
    """What has happened for a follower since they were last told; None if nothing that they follow."""
    wanted = set(watch.events.split(","))
    moves = [one for one in table.moves if one.seq > watch.seq and not events_of(one).isdisjoint(wanted)]
    told = gathered(table.tell(moves))
    if "turn" in wanted and any(one.kind == "undo" and one.seq > watch.seq for one in table.entries):
        told = ["Some moves were taken back.", *told]
    if not told:
        return None
    hidden = len(told) - MOST_LINES
    lines = [f"### {table.title.name} in <#{table.game.channel_id}>"]
    lines += [f"- … {hidden} more in `/game history` there"] if hidden > 0 else []
    lines += [f"- {line}" for line in told[-MOST_LINES:]]
    if not table.position.over:
        lines.append(f"-# {round_label(table.title, table.position.state)} · waiting for {table.waits_for()}")
    return "\n".join(lines)


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
        screen.text = screen.text.replace(f"{mentions(table.people)}\n", "")
        screen.rows.clear()
    else:
        last = story(table, table.moves[-LAST:])[-LAST:]
        lines = [f"### {position.table().round}", f"Waiting for {table.waits_for(task_of(position))}."]
        screen = Screen("\n".join([*lines, *(f"- {line}" for line in last)]))
        await pictures.add(
            screen, pictures.map_image(position), pictures.market_image(position), pictures.table_image(position)
        )
    screen.game, screen.seq = table.game.id, position.seq
    screen.text += f"\n\n-# Live board of game {table.game.id}" + (f" · {link}" if link else "")
    screen.buttons(Button("Follow", "follow"))
    screen.footer = where(position)
    return screen
