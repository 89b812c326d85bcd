"""The scripts that lead a database from version to version, a folder of them for each engine.

`migrations/ENGINE/NNN_name.sql` leads from version NNN - 1 to NNN. A version is the same in both engines: same tables,
same columns. PostgreSQL's first script makes what SQLite had by then.
"""

from pathlib import Path

from storage.errors import Unavailable

FOLDER = Path(__file__).parent / "migrations"


def read(folder: Path, first: int) -> dict[int, str]:
    """Version -> the script that leads to it, numbered from `first` without gaps. Raises Unavailable."""
    files = sorted(folder.glob("[0-9][0-9][0-9]_*.sql"))
    numbers = [int(file.name[:3]) for file in files]
    if numbers != list(range(first, first + len(files))):
        raise Unavailable(f"The migrations in {folder} are not numbered from {first} without gaps: {numbers}.")
    return dict(zip(numbers, (file.read_text("utf-8") for file in files), strict=True))
