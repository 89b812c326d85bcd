"""A refusal with its rule to open."""

from __future__ import annotations

from bot.chat.codes import join
from bot.chat.screen import Button, Screen
from engine import Refused


def rule_code(rule: str) -> str:
    """The code of a control that opens the rule, or a section such as "1889-TRK"."""
    return join("rule", rule)


def rule_button(rule: str) -> Button:
    """Opens the rule."""
    return Button(f"Rule {rule}", rule_code(rule))


def refusal_screen(refused: Refused) -> Screen:
    """Why something is not allowed, and its rule to open."""
    screen = Screen(refused.text)
    screen.buttons(rule_button(refused.rule))
    return screen
