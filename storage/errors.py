"""The exceptions of the storage: a full sentence each. All but the last three are about what somebody asked for."""


class StorageError(Exception):
    """Base class of all storage errors; those of sqlite3 and asyncpg never leave the package."""


class UnknownGame(StorageError):
    """No game has this id."""

    def __init__(self, game: str) -> None:
        super().__init__(f"There is no game {game}.")


class UnknownSeat(StorageError):
    """Nobody holds the named seat, or the named person holds none."""


class UnknownOffer(StorageError):
    """No offer has this id."""

    def __init__(self, offer: int) -> None:
        super().__init__(f"There is no offer {offer}.")


class Stale(StorageError):
    """Things have moved on from what the writer saw: the seq is taken, the game has started, the offer is answered.

    Nothing was written.
    """


class Duplicate(StorageError):
    """The interaction has already been handled ("append", "create", ...); nothing was written this time."""

    def __init__(self, did: str, game: str, seq: int) -> None:
        super().__init__(f"This was already done in game {game} ({did}, position {seq}).")


class AlreadyOffered(StorageError):
    """The same offer is waiting for an answer; nothing was written."""

    def __init__(self) -> None:
        super().__init__("This has already been offered, and waits for an answer.")


class TooManyOffers(StorageError):
    """Too many offers of the seat are waiting for an answer; nothing was written."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You already have {most} offers that wait for an answer.")


class TooManyBranches(StorageError):
    """The person has too many branches of the game; nothing was written."""

    def __init__(self, most: int) -> None:
        super().__init__(f"You already keep {most} lines of this game.")


class ChannelTaken(StorageError):
    """The channel already has an open or running game."""

    def __init__(self, game: str) -> None:
        super().__init__(f"This channel already has the unfinished game {game}.")


class AlreadySeated(StorageError):
    """The person already holds a seat of this game."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"This person already holds seat {seat}.")


class TableFull(StorageError):
    """Every seat of the game is taken."""


class BrokenLog(StorageError):
    """A stored log is not what was written; `seq` is the first row that is wrong or missing."""

    def __init__(self, game: str, seq: int, why: str) -> None:
        super().__init__(f"The log of game {game} is broken at {seq}: {why}.")
        self.seq = seq


class Unavailable(StorageError):
    """The database cannot be used: full, locked, read-only, out of reach, damaged, of a newer version.

    Nothing was done, or nobody knows whether all was or nothing: then the text says so. `damaged`: it stays unusable
    until it is restored from a backup.
    """

    def __init__(self, text: str, *, damaged: bool = False) -> None:
        super().__init__(text)
        self.damaged = damaged


class LeaseLost(Unavailable):
    """Another process serves the game's shard, or may do so by now; nothing was done."""

    def __init__(self) -> None:
        super().__init__("Another process of the bot serves this game now, so nothing was done.")
