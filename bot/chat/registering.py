"""Telling Discord of the commands, beside which the one that launches the application's Activity stays.

That command is made in Discord's developer portal, and the library does not know its kind. Discord refuses a list of
commands that leaves it out.
"""

from typing import Any

import discord
from discord import app_commands

ENTRY_POINT = 4
"""Discord's number of that kind of command."""
LEFT_OUT = 50240
"""Discord's code where a list would take it away."""
KEPT = (
    "id", "type", "name", "name_localizations", "description", "description_localizations", "contexts",
    "integration_types", "handler",
)  # fmt: skip


async def register(client: discord.Client, tree: app_commands.CommandTree[Any], *, activity: bool) -> int:
    """Replace the commands that Discord knows, and give their number; `activity`: there is one that must stay.

    Raises discord.HTTPException.
    """
    own = [one.to_dict(tree) for one in tree.get_commands()]
    try:
        return await _replace(client, own + (await _entry_points(client) if activity else []))
    except discord.HTTPException as error:
        if error.code != LEFT_OUT:
            raise
        return await _replace(client, own + await _entry_points(client))  # the portal has it, the settings do not


async def _replace(client: discord.Client, commands: list[Any]) -> int:
    assert client.application_id is not None
    return len(await client.http.bulk_upsert_global_commands(client.application_id, payload=commands))


async def _entry_points(client: discord.Client) -> list[Any]:
    """The commands that launch the Activity, of which there is one at most, as they are to be sent again."""
    assert client.application_id is not None
    known: list[Any] = [*await client.http.get_global_commands(client.application_id)]
    return [_again(one) for one in known if one["type"] == ENTRY_POINT]


def _again(command: dict[str, Any]) -> dict[str, Any]:
    """A command as it is to be sent; what members need by default is told as text, and taken as a number."""
    needed = command.get("default_member_permissions")
    kept = {key: command[key] for key in KEPT if key in command}
    return kept | {"default_member_permissions": None if needed is None else int(needed)}
