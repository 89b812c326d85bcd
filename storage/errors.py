"""What can go wrong with the stored games, as exceptions.

    StorageError
      UnknownGame     no game has this id
      UnknownSeat     nobody holds this seat (or the person holds none)
      UnknownOffer    no offer has this id
      Stale           the position moved on: the seq is taken, the game started, the offer was answered
      Duplicate       this interaction was handled before: `.did`, `.game`, `.first_seq`, `.last_seq`
      ChannelTaken    the channel has an unfinished game: `.game`
      AlreadySeated   the person already holds a seat: `.seat`
      TableFull       every seat is taken
      BrokenLog       a stored log was altered or cut short: `.game`, `.seq` of the first wrong row
      Unavailable     the file cannot be used now: full, locked, read-only, damaged, of a newer version

All but the last two say what a person did; their texts are full sentences.
"""

from __future__ import annotations


class StorageError(Exception):
    """Base of all errors that the storage raises; sqlite3 errors never leave the package."""


class UnknownGame(StorageError):
    """No game has this id."""

    def __init__(self, game: str) -> None:
        super().__init__(f"There is no game {game}.")
        self.game = game


class UnknownSeat(StorageError):
    """Nobody holds the seat that was named, or the person named holds none."""


class UnknownOffer(StorageError):
    """No offer has this id."""

    def __init__(self, offer: int) -> None:
        super().__init__(f"There is no offer {offer}.")
        self.offer = offer


class Stale(StorageError):
    """What the writer had seen is no longer so; nothing was written."""


class Duplicate(StorageError):
    """The interaction was handled before; nothing was written now.

    `did` names what it did ("append", "create", "join", ...). For "append" the rows are `first_seq` to
    `last_seq`; for the rest both are the position at the time.
    """

    def __init__(self, did: str, game: str, first_seq: int, last_seq: int) -> None:
        super().__init__(f"This was already done in game {game} ({did}, position {last_seq}).")
        self.did = did
        self.game = game
        self.first_seq = first_seq
        self.last_seq = last_seq


class ChannelTaken(StorageError):
    """The channel already has an open or running game, whose id is `game`."""

    def __init__(self, game: str) -> None:
        super().__init__(f"This channel already has the unfinished game {game}.")
        self.game = game


class AlreadySeated(StorageError):
    """The person already holds a seat of this game, number `seat`."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"This person already holds seat {seat}.")
        self.seat = seat


class TableFull(StorageError):
    """Every seat of the game is taken."""


class BrokenLog(StorageError):
    """A stored log is not what was written: `seq` is that of the first row that is wrong or missing."""

    def __init__(self, game: str, seq: int, why: str) -> None:
        super().__init__(f"The log of game {game} is broken at {seq}: {why}.")
        self.game = game
        self.seq = seq


class Unavailable(StorageError):
    """The database file cannot be used now; what was asked for was not done.

    `damaged`: it never can be again, unless it is restored from a backup.
    """

    def __init__(self, text: str, *, damaged: bool = False) -> None:
        super().__init__(text)
        self.damaged = damaged
