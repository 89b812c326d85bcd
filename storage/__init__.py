"""All games in one SQLite file: logs, seats, messages waiting to be sent, and caches.

    async with Store.open("tetsudo.sqlite") as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        seq = await store.append(game.id, 0, [Row("action", body)], interaction_id=99, notices=[Notice("turn", "{}")])

Once a method returns, its writes are on disk. The package imports none of our others and never parses a body.
"""

from storage.errors import (
    AlreadyOffered,
    AlreadySeated,
    BrokenLog,
    ChannelTaken,
    Duplicate,
    Stale,
    StorageError,
    TableFull,
    TooManyOffers,
    Unavailable,
    UnknownGame,
    UnknownOffer,
    UnknownSeat,
)
from storage.lock import sole_user
from storage.migrate import look
from storage.shapes import (
    VACANT,
    Game,
    Handover,
    InteractionId,
    Loan,
    LogRow,
    Message,
    Notice,
    Offer,
    OfferStatus,
    Opening,
    OutboxItem,
    Proposal,
    Row,
    Seat,
    Snapshot,
    Status,
    Tenures,
    Vote,
)
from storage.store import Store
from storage.tenures import Change

__all__ = [
    "VACANT",
    "AlreadyOffered",
    "AlreadySeated",
    "BrokenLog",
    "Change",
    "ChannelTaken",
    "Duplicate",
    "Game",
    "Handover",
    "InteractionId",
    "Loan",
    "LogRow",
    "Message",
    "Notice",
    "Offer",
    "OfferStatus",
    "Opening",
    "OutboxItem",
    "Proposal",
    "Row",
    "Seat",
    "Snapshot",
    "Stale",
    "Status",
    "StorageError",
    "Store",
    "TableFull",
    "Tenures",
    "TooManyOffers",
    "Unavailable",
    "UnknownGame",
    "UnknownOffer",
    "UnknownSeat",
    "Vote",
    "look",
    "sole_user",
]
