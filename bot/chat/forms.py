"""Forms: opened with an id that says what they are for, and handled by it alone, after a restart too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import discord
from discord import ui

from bot.chat.client import Bot
from bot.chat.codes import ID_PATTERN
from bot.chat.drafts import Draft
from bot.chat.layout import component_id, shorten

FORM_ID = re.compile(rf"m:{ID_PATTERN}")
EMPTY = Draft()


class Form(ui.Modal):
    """A form whose id says what it is for; the room that has its word handles it."""

    def __init__(self, title: str, game: str, seq: int, code: str, draft: Draft = EMPTY) -> None:
        super().__init__(title=shorten(title, 45), custom_id=component_id("m", game, seq, code), timeout=None)
        if draft.problem:
            self.add_item(ui.TextDisplay(f"⚠️ {draft.problem}"))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: the house handles it."""


@dataclass(frozen=True)
class Submitted:
    """A form that was submitted: who, where, and what it is for."""

    bot: Bot
    interaction: discord.Interaction[Any]
    game: str
    seq: int
    parts: list[str]

    @property
    def user(self) -> int:
        return self.interaction.user.id

    @cached_property
    def fields(self) -> dict[str, str]:
        """The values entered, by field."""
        return fields_of(self.interaction)


def fields_of(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """The values entered, by field."""
    entered: dict[str, str] = {}
    data: dict[str, Any] = dict(interaction.data or {})

    def read(node: Any) -> None:
        if isinstance(node, dict):
            if "custom_id" in node and "value" in node:
                entered[node["custom_id"]] = str(node["value"])
            elif "custom_id" in node and node.get("values"):
                entered[node["custom_id"]] = str(node["values"][0])
            for key in ("components", "component"):
                read(node.get(key))
        elif isinstance(node, list):
            for one in node:
                read(one)

    read(data.get("components"))
    return entered
