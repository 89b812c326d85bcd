"""Pictures of a position: from the plain views of `engine.views` to PNG."""

from renderer.card import card_picture
from renderer.charts import chart_picture
from renderer.film import film
from renderer.map import hexes_ahead, map_picture, parts_of, pictured, readable
from renderer.market import market_picture
from renderer.phases import phases_picture
from renderer.png import Picture
from renderer.supply import tiles_left_picture
from renderer.table import table_picture
from renderer.tile_choices import tile_choices_picture

__all__ = [
    "Picture", "card_picture", "chart_picture", "film", "hexes_ahead", "map_picture", "market_picture", "parts_of",
    "phases_picture", "pictured", "readable", "table_picture", "tile_choices_picture", "tiles_left_picture",
]  # fmt: skip
