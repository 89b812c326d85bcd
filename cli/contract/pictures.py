"""Pictures of a position: the map, the market, the table, the phases, and the card of the decision."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bot.core.work import Work
from bot.rooms.turn.pictures import card_image
from cli.contract.promise import must
from cli.contract.texts import seen
from engine import State, Title
from engine.viewing import board_view, market_view, phases_view, table_view
from renderer import Picture, map_picture, market_picture, phases_picture, table_picture

LEAST = 100
"""Pixels that a side of a picture has at least."""


def pictures(t: Title, s: State) -> Iterator[Picture]:
    """All that is drawn of the position for everybody."""
    yield map_picture(board_view(t, s))
    yield market_picture(market_view(t, s))
    yield table_picture(table_view(t, s))
    yield phases_picture(phases_view(t, s))


async def drawn(t: Title, s: State) -> None:
    """Every picture can be drawn, has a size, and says in words what it shows."""
    for picture in pictures(t, s):
        must(min(picture.width, picture.height) >= LEAST, f"A picture is {picture.width} x {picture.height} pixels.")
        must(picture.alt and "None" not in picture.alt, f"A picture is described as {picture.alt!r}.")
    with ThreadPoolExecutor(1) as pool:
        card = None if s.over else await card_image(seen(t, s, Work(pool)))
    must(card is None or "None" not in card.alt, f"The card of the decision is described as {card and card.alt!r}.")
