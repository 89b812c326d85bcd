"""The scripts that lead a database from version to version.

`migrations/sqlite/NNN_name.sql` leads from version NNN - 1 to NNN, and does so in PostgreSQL, too, unless there is
another of this name in `migrations/postgres/`. A version is the same in both engines: same tables, same columns.
PostgreSQL's first script makes what SQLite had by then.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from storage.errors import Unavailable
from storage.place import Place

FOLDER = Path(__file__).parent / "migrations"


def must_be_known(place: Place, version: int, newest: int) -> None:
    """Raise Unavailable where a database is of a newer version than this program."""
    if version > newest:
        raise Unavailable(
            f"The database {place} has version {version}, but this program only knows versions up to {newest}: "
            "use the newer program, or restore a backup made before the upgrade."
        )


@cache
def read(folder: Path) -> Mapping[int, str]:
    """Version -> the script that leads to it, numbered from 1 without gaps. Raises Unavailable."""
    files = sorted(folder.glob("[0-9][0-9][0-9]_*.sql"))
    numbers = [int(file.name[:3]) for file in files]
    if numbers != list(range(1, 1 + len(files))):
        raise Unavailable(f"The migrations in {folder} are not numbered from 1 without gaps: {numbers}.")
    return dict(zip(numbers, (file.read_text("utf-8") for file in files), strict=True))
