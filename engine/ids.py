"""Names of things. Each is a `str`; the NewTypes only keep them apart for the type checker.

A seat is "p1" to "p7" in seat order, so that a log names no person and a seat can change hands.
A corporation or private goes by its printed letters ("AR", "D"), a hex by its coordinate ("C4"),
a tile by its number ("57"), a train by its rank ("3", "D", "2+1").
A stop is "HEX.INDEX", the index counting the stops printed on the hex or tile from 0.
"""

from collections.abc import Iterable
from typing import Final, Literal, NewType

PlayerId = NewType("PlayerId", str)
CorpId = NewType("CorpId", str)
PrivateId = NewType("PrivateId", str)
HexId = NewType("HexId", str)
TileId = NewType("TileId", str)
StopId = NewType("StopId", str)
Rank = NewType("Rank", str)

Holder = str
"""Whoever holds shares, money, privates or trains: a player, a corporation, or one of those below."""

BANK: Final = "bank"
IPO: Final = "ipo"
POOL: Final = "pool"
RESERVED: Final = "reserved"

Source = Literal["ipo", "pool"]
"""Where a player gets a share: IPO or POOL."""

CREDITS = "credits"
"""Where titles whose companies do not deal with the bank keep the companies' money; it has as much as is asked for."""

CHANCE = PlayerId("chance")
"""Acts where a shuffle, a draw or a die decides; the outcome is made outside the engine and logged."""

NOBODY = PlayerId("")
"""Acts where the rules alone decide, and stands for whoever it may be."""


SR: Final = "SR"
OR: Final = "OR"
"""Rounds that every title has: stock and operating rounds."""


def seat(index: int) -> PlayerId:
    """The id of the seat at `index`, counted from 0: "p1" is the first."""
    return PlayerId(f"p{index + 1}")


def stop_id(hex_id: str, index: int) -> StopId:
    """The stop as actions write it: "C4.0"."""
    return StopId(f"{hex_id}.{index}")


def split_stop(stop: str) -> tuple[HexId, int]:
    """The hex and the index of a stop: "K4.0" gives ("K4", 0)."""
    hex_id, _, index = stop.partition(".")
    return HexId(hex_id), int(index)


def stops_of(path: Iterable[object]) -> list[StopId]:
    """Where a route stops or may, in order."""
    return [StopId(part) for part in path if isinstance(part, str)]


def a_rank(rank: str) -> str:
    """ "a 5", "an 8+4"."""
    return f"an {rank}" if rank.startswith("8") else f"a {rank}"
