"""What the whole table is asked to agree to, with the buttons that answer."""

from __future__ import annotations

from bot.chat import codes
from bot.chat.screen import Button, Screen

ANSWERS = {"end": ("End it", "Play on"), "pace": ("Agree", "Keep the pace"), "settings": ("Agree", "Keep them")}
"""The labels of yes and no, by what the vote is about."""


def vote_screen(text: str, question: str, game: str, seq: int) -> Screen:
    """The question, with a button for either answer."""
    yes, no = ANSWERS[question]
    screen = Screen(text, game=game, seq=seq)
    screen.buttons(
        Button(yes, codes.join("vote", question, "yes"), "success"),
        Button(no, codes.join("vote", question, "no")),
    )
    return screen
