"""Screens as Discord messages: text, pictures, and buttons and selects that need nothing but their ids.

Every button and select is a `DynamicItem`: its id carries the game, position and choice, so it still works
after the bot restarts. No game lives in a view.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterable
from typing import Any

import discord
from discord import ui

from bot.chat import signs
from bot.chat.codes import ID_PATTERN, LIMIT
from bot.chat.screen import MAX_ALT, MAX_LABEL, MAX_OPTION, MAX_TEXT, Button, Image, Screen, Select

STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def component_id(kind: str, game: str, seq: int, code: str) -> str:
    """The id of a button ("b"), select ("s") or modal ("m"). Exceeding Discord's limit is a bug."""
    text = f"{kind}:{game or '-'}:{seq}:{code}"
    assert len(text) <= LIMIT, text
    return text


def is_ours(interaction: discord.Interaction[Any]) -> bool:
    """Whether the control that was used has an id as `component_id` makes them."""
    data: dict[str, Any] = dict(interaction.data or {})
    return re.fullmatch(rf"[bs]:{ID_PATTERN}", str(data.get("custom_id"))) is not None


class PressButton(ui.DynamicItem[ui.Button[Any]], template=rf"b:{ID_PATTERN}"):
    """A button whose id says the game, the position and what pressing it does."""

    def __init__(self, item: ui.Button[Any], game: str, seq: int, code: str) -> None:
        super().__init__(item)
        self.game, self.seq, self.code = game, seq, code

    @classmethod
    def made(cls, button: Button, game: str, seq: int) -> PressButton:
        item: ui.Button[Any] = ui.Button(
            label=shorten(button.label, MAX_LABEL),
            style=STYLES[button.style],
            custom_id=component_id("b", game, seq, button.code),
            emoji=signs.SHOWN.get(button.sign),
        )
        return cls(item, game, seq, button.code)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> PressButton:
        """The button as it was made, read from its id; it works after a restart too."""
        assert isinstance(item, ui.Button)
        return cls(item, match["game"], int(match["seq"]), match["code"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.pressed(interaction, self.game, self.seq, self.code)


class ChooseOption(ui.DynamicItem[ui.Select[Any]], template=rf"s:{ID_PATTERN}"):
    """A select; the chosen option's value is the code."""

    def __init__(self, item: ui.Select[Any], game: str, seq: int) -> None:
        super().__init__(item)
        self.game, self.seq = game, seq

    @classmethod
    def made(cls, select: Select, game: str, seq: int) -> ChooseOption:
        labels = told_apart([option.label for option in select.options])
        options = [
            discord.SelectOption(
                label=label,
                value=option.code,
                description=shorten(option.note, MAX_OPTION) or None,
                emoji=signs.SHOWN.get(option.sign),
            )
            for label, option in zip(labels, select.options, strict=True)
        ]
        item: ui.Select[Any] = ui.Select(
            placeholder=shorten(select.hint, 150),
            options=options,
            custom_id=component_id("s", game, seq, select.name),
            # above those that Discord gives; a list of another position begins with nothing chosen
            id=1000 + zlib.crc32(f"{game}:{seq}:{select.name}".encode()) % 2**30,
        )
        return cls(item, game, seq)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> ChooseOption:
        """The list as it was made, read from its id; it works after a restart too."""
        assert isinstance(item, ui.Select)
        return cls(item, match["game"], int(match["seq"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the chosen option to the bot as a press."""
        data: dict[str, Any] = dict(interaction.data or {})
        values = data.get("values") or []
        if values:
            await interaction.client.pressed(interaction, self.game, self.seq, str(values[0]))


def view(screen: Screen) -> ui.LayoutView:
    """The screen as a Discord layout. Text that is too long is cut; too many controls are a bug.

    The layout is stopped at once: its controls work by their ids, so discord.py need not keep it.
    """
    layout = ui.LayoutView(timeout=None)
    parts = _parts(screen)
    if screen.frame is None:
        for part in parts:
            layout.add_item(part)
    else:
        colour = discord.Colour.from_str(screen.frame) if screen.frame else None
        layout.add_item(ui.Container(*parts, accent_colour=colour))
    layout.stop()
    return layout


def _parts(screen: Screen) -> list[ui.Item[Any]]:
    parts: list[ui.Item[Any]] = []
    buttons = (button for row in screen.rows if not isinstance(row, Select) for button in row)
    noted = (f"{one.label} → {one.note}" for one in buttons if one.note)
    notes = "\n".join(f"-# {discord.utils.escape_markdown(one)}" for one in noted)
    room = MAX_TEXT - len(screen.footer) - len(notes) - sum(len(one.text) for one in screen.asides) - 10
    text, *beside_text = _signed(screen, room)
    if text:
        parts.append(ui.TextDisplay(text))
    for aside, told in zip(screen.asides, beside_text, strict=True):
        beside = PressButton.made(aside.button, screen.game, screen.seq)
        parts.append(ui.Section(ui.TextDisplay(told), accessory=beside))
    for image in screen.images:
        media = discord.MediaGalleryItem(f"attachment://{image.name}", description=shorten(image.alt, MAX_ALT) or None)
        parts.append(ui.MediaGallery(media))
    if notes:
        parts.append(ui.TextDisplay(notes))
    for row in screen.rows:
        line: ui.ActionRow[Any] = ui.ActionRow()
        if isinstance(row, Select):
            line.add_item(ChooseOption.made(row, screen.game, screen.seq))
        else:
            for button in row:
                line.add_item(PressButton.made(button, screen.game, screen.seq))
        parts.append(line)
    if screen.footer:
        parts.append(ui.TextDisplay(f"-# {screen.footer}"))
    return parts


def _signed(screen: Screen, room: int) -> list[str]:
    """The text, and that of each aside, with signs as long as there is room for them."""
    texts = [shorten(screen.text, room), *(one.text for one in screen.asides)]
    spare, told = room - len(texts[0]), []
    for text in texts:
        signed = signs.told(text, screen.signs)
        longer = len(signed) - len(text)
        told.append(signed if longer <= spare else text)
        spare -= longer if longer <= spare else 0
    return told


def files(images: list[Image]) -> list[discord.File]:
    return [
        discord.File(io.BytesIO(image.png), image.name, description=shorten(image.alt, MAX_ALT) or None)
        for image in images
    ]


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters; longer text ends in an ellipsis, after a whole word where there is one nearby."""
    if len(text) <= limit:
        return text
    cut = text[: max(0, limit - 1)]
    words = cut if not text[len(cut)].isalnum() else cut.rpartition(" ")[0]
    return (words if len(words) > len(cut) * 2 / 3 else cut).rstrip(" ,;:·") + "…"


def told_apart(names: Iterable[str]) -> list[str]:
    """The names as long as a choice may be, numbered where they read the same: a phone takes the first of equals."""
    taken: list[str] = []
    for name in names:
        made, number = shorten(name, MAX_OPTION), 1
        while made in taken:
            number += 1
            mark = f" ({number})"
            made = shorten(name, MAX_OPTION - len(mark)) + mark
        taken.append(made)
    return taken
