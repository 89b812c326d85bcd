"""Who sits at a game, and for which seats each person may act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.core.errors import NotSeated
from bot.core.opponents import is_person, level_of
from bot.core.settings import TableSettings
from bot.words.names import clean_name
from engine.ids import PlayerId
from opponents import Level
from storage import VACANT, Game, Seat, Tenures


class Seated:
    """The seats of a game, by "p1", "p2" and so on, and whose they are."""

    def __init__(self, game: Game, seats: Sequence[Seat]) -> None:
        self.game = game
        self.settings = TableSettings.read(game.settings)
        self.tenures = Tenures()
        self.seats: dict[str, Seat] = {}
        self.sit(seats)

    def sit(self, seats: Sequence[Seat]) -> None:
        """Replace who sits here; their names are made harmless."""
        self.seats = {f"p{seat.seat}": replace(seat, name=clean_name(seat.name)) for seat in seats}

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat; a seat that somebody has left keeps their name until another takes it."""
        return {seat: row.name for seat, row in self.seats.items()}

    @property
    def people(self) -> list[int]:
        """The people who sit here, each once, in seat order; neither an empty seat nor an opponent's is one's."""
        return list(dict.fromkeys(row.user_id for row in self.seats.values() if is_person(row.user_id)))

    def has_person(self, seat: str) -> bool:
        """Whether a person sits there, rather than an opponent or nobody."""
        return seat in self.seats and is_person(self.seats[seat].user_id)

    def opponent(self, seat: str) -> Level | None:
        """The level of the opponent who sits there; None where none does."""
        return level_of(self.seats[seat].user_id) if seat in self.seats else None

    def seats_of(self, user: int) -> list[PlayerId]:
        """The seats of one person, in seat order: none, one, or several."""
        return [PlayerId(seat) for seat, row in self.seats.items() if row.user_id == user]

    def seat_among(self, user: int, asked: Sequence[str]) -> PlayerId:
        """The seat the person acts for: their own of those `asked`, any of their own, or one they host.

        Raises NotSeated.
        """
        mine = self.seats_of(user)
        for seat in mine:
            if seat in asked:
                return seat
        if mine and not self.hosts(user):
            return mine[0]
        if self.hosts(user) and asked and asked[0] in self.seats and self.opponent(asked[0]) is None:
            return PlayerId(asked[0])
        if mine:
            return mine[0]
        raise self.not_seated(user)

    def viewer_for(self, user: int) -> PlayerId | None:
        """The person's own seat, with whose knowledge they look; None for whoever has none."""
        return next(iter(self.seats_of(user)), None)

    def not_seated(self, user: int) -> NotSeated:
        """That the person has no seat; if they had one, who plays there now."""
        had = next((one for one in reversed(self.tenures.handovers) if one.from_id == user), None)
        if had is None:
            return NotSeated()
        if self.seats[had.seat].user_id == VACANT:
            return NotSeated("You have left this game. As long as your seat is open, you can take it again.")
        lent = self.tenures.loan(had.seat)
        back = " `/seat take` takes it back." if lent is not None and lent.owner_id == user else ""
        return NotSeated(f"{self.names[had.seat]} plays in your seat now.{back}")

    def hosts(self, user: int) -> bool:
        """Whether the person may act for other seats: the host may, if the table allows it."""
        return self.settings.host_acts and user == self.game.host_id

    def may_act(self, user: int, seat: str) -> bool:
        """Whether the person may act for the seat, as its player or as the host; an opponent acts for itself."""
        if seat not in self.seats or self.opponent(seat) is not None:
            return False
        return self.seats[seat].user_id == user or self.hosts(user)
