"""All games in one database: logs, seats, messages waiting to be sent, and caches.

    async with Store.open("tetsudo.sqlite") as store:
        game = await store.create_game(channel_id=7, host_id=1, title="1889")
        seq = await store.append(game.id, 0, [Row("action", body)], interaction_id=99, notices=[Notice("turn", "{}")])

The database is a SQLite file, or PostgreSQL by its address. Once a method returns, its writes are on disk. The package
imports none of our others and never parses a body.
"""

from storage.due import Due
from storage.errors import (
    AlreadyOffered,
    AlreadySeated,
    BrokenLog,
    ChannelTaken,
    Duplicate,
    LeaseLost,
    Stale,
    StorageError,
    TableFull,
    TooManyBranches,
    TooManyOffers,
    Unavailable,
    UnknownGame,
    UnknownOffer,
    UnknownSeat,
)
from storage.opening import BEFORE, look, serving
from storage.place import Address, BadAddress, Place, place_of
from storage.shapes import (
    ARRIVED,
    VACANT,
    Branch,
    Break,
    ClockStep,
    Game,
    Guide,
    Handover,
    InboxItem,
    Loan,
    LogRow,
    Message,
    Notice,
    Offer,
    Order,
    OutboxItem,
    OwedPing,
    PersonTicked,
    Ping,
    Proposal,
    PuzzleAnswer,
    PuzzleDay,
    Row,
    Seat,
    Session,
    Shards,
    Snapshot,
    Status,
    Tenures,
    Ticked,
    Vote,
    Watch,
)
from storage.sqlite.lock import sole_user
from storage.store import Store
from storage.tenures import SeatChange
