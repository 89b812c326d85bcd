"""Texts found by words: SQLite's search, which knows endings and weighs a word by how rare it is."""

import difflib
import re
import sqlite3
from collections.abc import Mapping, Sequence

_ALIKE = {
    "scrap": "rust", "director": "president", "president": "director", "station": "token", "flotation": "float",
    "float": "flotation", "diesel": "d", "bankruptc": "bankrupt",
}  # fmt: skip
"""What words that begin so may also be called."""
_WORDS = re.compile(r"[^\W_][\w+]*")
_SMALL = frozenset(
    _WORDS.findall(
        "a an and any are as at be by can do does for from get has have how i if in is it its many may much must my of"
        " on or that the their then there they this to what when where which who why will with you"
    )
)
"""Words that say nothing of what is sought."""
CLOSE = 0.75
"""How alike a mistyped word must be to one of the texts."""


class Shelf:
    """Texts by key, each in parts of unlike weight; any thread may search."""

    def __init__(self, texts: Mapping[str, Sequence[str]], weights: Sequence[float]) -> None:
        parts = [f"part{number}" for number in range(len(weights))]
        self._keys = tuple(texts)
        self._rank = f"bm25(texts, {', '.join(map(str, weights))})"
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute(f"CREATE VIRTUAL TABLE texts USING fts5({', '.join(parts)}, tokenize = 'porter unicode61')")
        self._db.executemany(f"INSERT INTO texts VALUES ({', '.join('?' * len(parts))})", texts.values())
        self._db.execute("CREATE VIRTUAL TABLE words USING fts5vocab(texts, row)")
        self._words = [word for (word,) in self._db.execute("SELECT term FROM words")]

    def find(self, typed: str, *, every: bool = False) -> list[str]:
        """The keys of the texts that have some of the words, or `every` one, best first. Words may be mistyped."""
        words = [word for word in _WORDS.findall(typed.casefold()) if word not in _SMALL]
        asked = (" AND " if every else " OR ").join(map(self._meant, words))
        rows = self._rows(asked) if asked else []
        return [self._keys[row - 1] for row, rank in rows if rank <= rows[0][1] / 3]  # the best rank is the lowest

    def _meant(self, word: str) -> str:
        """A word as SQLite is asked for it: itself, what begins so or means the same, or else is written nearly so."""
        stem = word.rstrip("s") or word
        alike = [other for begin, other in _ALIKE.items() if word.startswith(begin)]
        asked = " OR ".join([f'"{stem}"*', *(f'"{one}"' for one in (word, *alike))])
        near = [] if self._rows(asked) else difflib.get_close_matches(stem, self._words, n=2, cutoff=CLOSE)
        return "(" + " OR ".join([asked, *(f'"{one}"' for one in near)]) + ")"

    def _rows(self, asked: str) -> list[tuple[int, float]]:
        """Number and rank of the texts, the best first."""
        found = f"SELECT rowid, {self._rank} FROM texts WHERE texts MATCH ? ORDER BY 2, 1"
        return self._db.execute(found, (asked,)).fetchall()
