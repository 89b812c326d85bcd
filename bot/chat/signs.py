"""Signs as emojis of the application: drawn, uploaded once, and put before labels and names once Discord has them.

An emoji's name is its key and a digest of the drawing, so a drawing that has changed is another emoji, and the old one
goes. Whoever serves the first shard uploads; all others only look.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Mapping
from functools import cache

import aiohttp
import discord

import engine
from bot.words.lexicon import sign_of_company, sign_of_tile, sign_of_train
from engine.viewing import companies
from renderer.signs import company_sign, tile_sign, train_sign

log = logging.getLogger("tetsudo.signs")
COLOURS = ("yellow", "green", "brown", "gray")
NAME = re.compile(r"(?P<key>[cth]_\w+)_(?P<digest>[0-9a-f]{8})")
"""The names of our emojis; others of the application are none of our business."""
AGAIN = 600.0
"""Seconds after which a process that does not upload looks again for what is missing."""
SHOWN: dict[str, discord.PartialEmoji] = {}
"""By key: the emojis that Discord has of this application. A process has one application."""


@cache
def drawn() -> Mapping[str, bytes]:
    """All signs as PNG, by key; this takes a second."""
    found: dict[str, bytes] = {sign_of_tile(colour): tile_sign(colour) for colour in COLOURS}
    for recipe in engine.TITLES.values():
        title = recipe.build(recipe.players[0], frozenset())
        views = companies(title)
        found |= {sign_of_company(one): company_sign(one, views) for one in views}
        found |= {sign_of_train(rank): train_sign(rank) for rank in title.trains}
    return found


def named(key: str, png: bytes) -> str:
    return f"{key}_{hashlib.sha256(png).hexdigest()[:8]}"


async def bring(client: discord.Client, *, upload: bool) -> None:
    """Show the signs that Discord has; with `upload` after giving it those that it lacks, and taking back old ones.

    What Discord refuses is logged: then there is text alone.
    """
    try:
        wanted = {named(key, png): key for key, png in (await asyncio.to_thread(drawn)).items()}
        while True:
            _show(await client.fetch_application_emojis(), wanted)
            if upload or len(SHOWN) == len(wanted):
                break
            await asyncio.sleep(AGAIN)
        if upload:
            await _upload(client, wanted)
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        log.warning("signs could not be brought to Discord: %s", error)


async def _upload(client: discord.Client, wanted: Mapping[str, str]) -> None:
    missing = [name for name, key in wanted.items() if key not in SHOWN]
    for name in missing:
        emoji = await client.create_application_emoji(name=name, image=drawn()[wanted[name]])
        SHOWN[wanted[name]] = discord.PartialEmoji(name=emoji.name, id=emoji.id)
    for emoji in await client.fetch_application_emojis():
        if NAME.fullmatch(emoji.name) and emoji.name not in wanted:
            await emoji.delete()
    log.info("signs", extra={"shown": len(SHOWN), "uploaded": len(missing)})


def _show(emojis: list[discord.Emoji], wanted: Mapping[str, str]) -> None:
    there = {wanted[one.name]: discord.PartialEmoji(name=one.name, id=one.id) for one in emojis if one.name in wanted}
    SHOWN.clear()
    SHOWN.update(there)


def told(text: str, keys: Mapping[str, str]) -> str:
    """The text with signs before names in bold; `keys` are those of the signs, by name."""

    def with_sign(found: re.Match[str]) -> str:
        sign = SHOWN.get(keys.get(found[1], ""))
        return f"{sign} {found[0]}" if sign is not None else found[0]

    return re.sub(r"\*\*([^*\n]{1,10})\*\*", with_sign, text) if SHOWN else text
