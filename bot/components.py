"""Screens as Discord messages: text, pictures, buttons and selects whose ids say all that they mean.

Every button and select is a `DynamicItem`: its id carries game, position and choice, so that it works after
a restart of the bot. No game lives in a view.
"""

from __future__ import annotations

import io
import re
from typing import Any

import discord
from discord import ui

from bot.codes import ID_PATTERN, LIMIT
from bot.lexicon import shorten
from bot.parts import MAX_ALT, MAX_LABEL, MAX_OPTION, MAX_TEXT, Button, Image, Screen, Select

STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


ALREADY_ACKNOWLEDGED = 40060


def component_id(kind: str, game: str, seq: int, code: str) -> str:
    """The id of a button ("b"), select ("s") or modal ("m"). A longer one than Discord takes is our own fault."""
    text = f"{kind}:{game or '-'}:{seq}:{code}"
    assert len(text) <= LIMIT, text
    return text


class PressButton(ui.DynamicItem[ui.Button[Any]], template=rf"b:{ID_PATTERN}"):
    """A button whose id names the game, the position and what pressing it does."""

    def __init__(self, item: ui.Button[Any], game: str, seq: int, code: str) -> None:
        super().__init__(item)
        self.game, self.seq, self.code = game, seq, code

    @classmethod
    def made(cls, button: Button, game: str, seq: int) -> PressButton:
        item: ui.Button[Any] = ui.Button(
            label=shorten(button.label, MAX_LABEL),
            style=STYLES[button.style],
            custom_id=component_id("b", game, seq, button.code),
        )
        return cls(item, game, seq, button.code)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> PressButton:
        assert isinstance(item, ui.Button)
        return cls(item, match["game"], int(match["seq"]), match["code"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.client.pressed(interaction, self.game, self.seq, self.code)


class ChooseOption(ui.DynamicItem[ui.Select[Any]], template=rf"s:{ID_PATTERN}"):
    """A select; the value of the option that was chosen is the code."""

    def __init__(self, item: ui.Select[Any], game: str, seq: int) -> None:
        super().__init__(item)
        self.game, self.seq = game, seq

    @classmethod
    def made(cls, select: Select, game: str, seq: int) -> ChooseOption:
        options = [
            discord.SelectOption(
                label=shorten(option.label, MAX_OPTION),
                value=option.code,
                description=shorten(option.note, MAX_OPTION) or None,
            )
            for option in select.options
        ]
        item: ui.Select[Any] = ui.Select(
            placeholder=shorten(select.hint, 150),
            options=options,
            custom_id=component_id("s", game, seq, select.name),
        )
        return cls(item, game, seq)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str]
    ) -> ChooseOption:
        assert isinstance(item, ui.Select)
        return cls(item, match["game"], int(match["seq"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        values = data.get("values") or []
        if values:
            await interaction.client.pressed(interaction, self.game, self.seq, str(values[0]))


def view(screen: Screen) -> ui.LayoutView:
    """The screen as Discord's layout. Text that is too long is cut; too many controls are our own fault.

    The layout is stopped at once: its controls are answered by their ids, so discord.py need not keep it.
    """
    layout = ui.LayoutView(timeout=None)
    room = MAX_TEXT - len(screen.footer) - 10
    if screen.text:
        layout.add_item(ui.TextDisplay(shorten(screen.text, room)))
    for image in screen.images:
        media = discord.MediaGalleryItem(f"attachment://{image.name}", description=shorten(image.alt, MAX_ALT) or None)
        layout.add_item(ui.MediaGallery(media))
    for row in screen.rows:
        line: ui.ActionRow[Any] = ui.ActionRow()
        if isinstance(row, Select):
            line.add_item(ChooseOption.made(row, screen.game, screen.seq))
        else:
            for button in row:
                line.add_item(PressButton.made(button, screen.game, screen.seq))
        layout.add_item(line)
    if screen.footer:
        layout.add_item(ui.TextDisplay(f"-# {screen.footer}"))
    layout.stop()
    return layout


def files(images: list[Image]) -> list[discord.File]:
    """The pictures as uploads, with their descriptions."""
    return [
        discord.File(io.BytesIO(image.png), image.name, description=shorten(image.alt, MAX_ALT) or None)
        for image in images
    ]


async def show_privately(interaction: discord.Interaction[Any], screen: Screen) -> None:
    """Answer only to the person: in the private message that was used, or in a new one."""
    if in_private(interaction) and interaction.type is discord.InteractionType.component:
        if not interaction.response.is_done():
            await interaction.response.edit_message(view=view(screen), attachments=files(screen.images))
        else:
            await interaction.edit_original_response(view=view(screen), attachments=files(screen.images))
        return
    if not interaction.response.is_done():
        await interaction.response.send_message(view=view(screen), files=files(screen.images), ephemeral=True)
    else:
        await interaction.followup.send(view=view(screen), files=files(screen.images), ephemeral=True)


def in_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the button that was pressed is in a message that only this person sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def acknowledge(interaction: discord.Interaction[Any], *, shows: bool) -> None:
    """Tell Discord at once that an answer is coming.

    `shows`: a private message will follow. Otherwise only the message with the button may change.
    """
    if interaction.response.is_done():
        return
    try:
        if interaction.type is discord.InteractionType.component and (in_private(interaction) or not shows):
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED:
            raise
        # Discord took a first attempt and answered it with an error; only the second was heard. Go on.
        interaction.response._response_type = discord.InteractionResponseType.deferred_channel_message
