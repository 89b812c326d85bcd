"""PostgreSQL's errors in plain words."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from storage.errors import StorageError, Unavailable
from storage.place import Address

_CAUSES = {
    "25006": "it is read-only; perhaps it is a replica",
    "28000": "it does not let this user in",
    "28P01": "it does not accept the password",
    "3D000": "the server has no database of this name",
    "42501": "the user lacks permissions: make it the owner of the database",
    "53100": "the server's disk is full",
    "53200": "the server is out of memory",
    "53300": "the server has too many connections",
    "55P03": "another process keeps it locked",
    "57014": "it takes too long to answer",
    "57P01": "the server is shutting down",
    "57P02": "the server has crashed and is starting again",
    "57P03": "the server is starting or shutting down",
    "57P05": "it closed the connection, which had been idle",
    "58030": "the server's disk fails",
    "XX001": "it is damaged: restore it from a backup",
    "XX002": "it is damaged: restore it from a backup",
}
_DAMAGE = ("XX001", "XX002")
_NOT_STORABLE = ("22000", "22003", "22021", "22P05")
"""Letters and numbers that it does not know, as the server or asyncpg finds."""
_LOST = ("57P01", "57P02", "57P03", "57P05", "25P03")
AGAIN = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.UniqueViolationError,
    asyncpg.InvalidCachedStatementError,
)
"""Somebody else came in between. Done again, the transaction sees what they did, and says so in words."""


def is_lost(error: BaseException) -> bool:
    """Whether the error means that the connection is gone, or about to be."""
    if isinstance(error, asyncpg.PostgresError):
        return isinstance(error, asyncpg.PostgresConnectionError) or error.sqlstate in _LOST
    if isinstance(error, asyncpg.InterfaceError):
        return "closed" in str(error) or "released" in str(error)
    return isinstance(error, OSError | asyncpg.InternalClientError) and not isinstance(error, TimeoutError)


@contextmanager
def in_plain_words(place: Address) -> Iterator[None]:
    """Translate asyncpg's errors, and those of the network, into ours."""
    try:
        yield
    except StorageError:
        raise
    except (OverflowError, UnicodeEncodeError) as error:
        raise _not_storable() from error
    except UnicodeError as error:
        raise Unavailable(_unusable(place, "it has a host that cannot be a name")) from error
    except asyncpg.IntegrityConstraintViolationError as error:
        raise StorageError(f"The database {place} refused a row: {_first_line(error)}.") from error
    except asyncpg.PostgresError as error:
        code = error.sqlstate or ""
        if code in _NOT_STORABLE:
            raise _not_storable() from error
        cause = _CAUSES.get(code) or ("the connection was lost" if is_lost(error) else _first_line(error))
        raise Unavailable(_unusable(place, cause), damaged=code in _DAMAGE) from error
    except (asyncpg.InterfaceError, asyncpg.InternalClientError) as error:
        cause = "the connection was lost" if is_lost(error) else _first_line(error)
        raise Unavailable(_unusable(place, cause)) from error
    except TimeoutError as error:
        raise Unavailable(_unusable(place, "it does not answer in time")) from error
    except OSError as error:
        raise Unavailable(_unusable(place, f"it cannot be reached ({error.strerror or error})")) from error


def _not_storable() -> StorageError:
    return StorageError("A number is too large to be stored, or a text has letters that cannot be.")


def _unusable(place: Address, cause: str) -> str:
    return f"The database {place} cannot be used: {cause}."


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0].rstrip(".") or type(error).__name__
