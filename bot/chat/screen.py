"""Messages as plain records: text, pictures, buttons and selects, before Discord sees them.

A `Screen` is one message. Everything the bot shows is built as a Screen, so Discord's limits are kept in one
place: 40 components, 4,000 characters, 25 options, 5 buttons per row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from bot.core.position import Position
from bot.words.labels import Style

MAX_COMPONENTS = 40
MAX_TEXT = 4000
MAX_OPTIONS = 25
MAX_ROW = 5
MAX_LABEL = 80
MAX_OPTION = 100
MAX_ALT = 1024


@dataclass(frozen=True, slots=True)
class Button:
    """A button; `code` says what pressing it does (see `codes`)."""

    label: str
    code: str
    style: Style = "secondary"
    note: str = ""
    """What pressing it leads to, in a small line above the buttons."""
    sign: str = ""
    """What is drawn before the label, by the key that `bot.words.lexicon` gives it."""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a list, with a note below it; `code` says what choosing it does."""

    label: str
    code: str
    note: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A list to choose one thing from; the code of the chosen option says which."""

    name: str
    """A few letters that tell apart the selects in one message."""
    hint: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture; `name` is its file name in the message."""

    name: str
    png: bytes = field(repr=False)
    alt: str


@dataclass(frozen=True, slots=True)
class Aside:
    """A sentence with its button beside it."""

    text: str
    button: Button


Controls = Select | tuple[Button, ...]


@dataclass(slots=True)
class Screen:
    """One message: text, asides, pictures, rows of controls, and a small line at the bottom.

    What adds controls returns the screen, so that a plain one is made in one expression.
    """

    text: str = ""
    asides: list[Aside] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    rows: list[Controls] = field(default_factory=list)
    footer: str = ""
    game: str = ""
    seq: int = 0
    """`game` and `seq` are in the ids of the controls."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """The signs of companies, which stand before their names in bold, by these names."""
    frame: str | None = None
    """A frame around all of it, its edge in this colour ("#e02020"; empty: in none)."""

    def buttons(self, *buttons: Button) -> Self:
        """Add buttons, five per row."""
        for start in range(0, len(buttons), MAX_ROW):
            self.rows.append(tuple(buttons[start : start + MAX_ROW]))
        return self

    def beside(self, button: Button) -> Self:
        """Add a button to the last row, or below it if that is a list or full."""
        last = self.rows[-1] if self.rows else None
        if isinstance(last, tuple) and len(last) < MAX_ROW:
            self.rows[-1] = (*last, button)
        else:
            self.rows.append((button,))
        return self

    def select(self, name: str, hint: str, options: list[Option]) -> None:
        """Add a select, or several if there are more than 25 options."""
        pages = [options[start : start + MAX_OPTIONS] for start in range(0, len(options), MAX_OPTIONS)]
        for number, page in enumerate(pages):
            more = f" ({number + 1} of {len(pages)})" if len(pages) > 1 else ""
            key = name if number == 0 else f"{name}{number}"
            self.rows.append(Select(key, hint + more, tuple(page)))


def where(position: Position, *, title: bool = True) -> str:
    """The round and the bank in one line, with the title and the phase unless a card tells them."""
    view = position.table()
    place = f"{view.title} · {view.round} · phase {view.phase}" if title else view.round
    return f"{place} · bank {view.bank_left}"
