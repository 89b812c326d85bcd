"""Charts of a game so far, as far as its reader may know."""

from functools import partial

import renderer
from bot.chat import codes
from bot.chat.screen import Button, Image, Screen, where
from bot.core.table import Table
from engine.charting import CHARTS, chart
from engine.ids import PlayerId
from renderer.drawer import Drawing

NAMES = {
    "worth": "Worth",
    "prices": "Prices",
    "revenue": "Revenue",
    "sources": "Where worth came from",
    "trains": "Trains",
}
"""How the charts are called on buttons and in the command's list."""
assert tuple(NAMES) == CHARTS


async def chart_screen(table: Table, name: str, viewer: PlayerId | None) -> Screen:
    """One chart, with buttons for the others."""
    position = table.position
    screen = Screen(
        game=table.game.id, seq=position.seq, footer=where(position), images=[await image(table, name, viewer)]
    )
    if table.past:
        screen.text = "The chart begins where the rules of the game changed."
    screen.buttons(*(Button(label, codes.join("chart", key)) for key, label in NAMES.items() if key != name))
    return screen


async def image(table: Table, name: str, viewer: PlayerId | None) -> Image:
    """The picture of the chart of this name."""
    states, title = table.states(), table.title

    def prepare() -> Drawing:
        return partial(renderer.chart_picture, chart(title, states, name, viewer))

    picture = await table.work.draw(prepare)
    return Image(f"{name}-{table.position.seq}.png", picture.png, picture.alt)
