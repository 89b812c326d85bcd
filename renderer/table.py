"""The table card: who has what. Players and their shares, companies, private companies, trains and the bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.views import CompanyRow, PlayerRow, PrivateRow, TableView, TrainRow
from renderer import text
from renderer.pen import Pen
from renderer.png import Picture, finished, remembered
from renderer.strips import draw_title
from renderer.theme import BAND, FAINT, GLOW, HEAD, INK, PAPER, SOFT_INK, UP_ROW, WHITE, Rgb, mix
from renderer.tokens import centre_on, company_token

HIDDEN = "•••"
"""Shown for what the viewer may not know."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: heading, left edge and width in pixels, and the alignment of its cells."""

    heading: str
    left: float
    width: float
    align: str = "r"

    def x(self, pad: float) -> float:
        """Where the cell's anchor is: its left edge, its middle, or its right edge less `pad`."""
        return {"l": self.left, "m": self.left + self.width / 2, "r": self.left + self.width - pad}[self.align]


def _money(view: TableView, amount: int) -> str:
    return ("-" if amount < 0 else "") + view.currency.format(f"{abs(amount):,}")


class _Card:
    """The card while it is being drawn, from top to bottom."""

    def __init__(self, view: TableView, width: int) -> None:
        self.view, self.width = view, width
        self.unit = width / 1600
        self.size = max(15, self.px(30))
        self.small = max(15, self.px(19))
        self.edge = self.px(24)
        self.row = self.px(54)
        self.names: Mapping[str, str] = {player.id: player.name for player in view.players}
        self.companies = [row.company for row in view.companies]
        self.shown = [row for row in view.companies if row.has_shares or row.floated or row.status]
        """The companies with a line: minors without an owner, or gone, have none."""
        self.shared = [row for row in view.companies if row.has_shares]
        self.image = Image.new("RGB", (width, self._height()), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.top = 0

    def px(self, amount: float) -> int:
        return round(amount * self.unit)

    def money(self, amount: int | None) -> str:
        return HIDDEN if amount is None else _money(self.view, amount)

    def who(self, holder: str) -> str:
        return self.names.get(holder, holder)

    def _height(self) -> int:
        view = self.view
        rows = len(view.players) + len(self._stocks()) + len(self.shown)
        privates = (len(self._privates()) + 1) // 2
        high = self.px(72) + 2 * self.px(46) + rows * self.row + 3 * self.px(18)
        if privates:
            high += self.px(46) + privates * self.px(48) + self.px(18)
        return high + self.px(46) + self.px(104) + self.px(58)

    def _privates(self) -> list[PrivateRow]:
        return [private for private in self.view.privates if private.owner != "closed"]

    def draw(self) -> Image.Image:
        view = self.view
        head = draw_title(view.title, "Game over" if view.finished else view.round, view.phase, self.width)
        self.image.paste(head, (0, 0))
        self.top = head.height
        self._players()
        self._companies()
        if self._privates():
            self._private_companies()
        self._trains()
        self._footer()
        return self.image

    def say(
        self,
        column: Column,
        words: str,
        *,
        size: int = 0,
        fill: Rgb = INK,
        bold: bool = False,
        dy: float = 0.0,
        top: int | None = None,
    ) -> None:
        """Write in a column of the current row, cut to fit."""
        size = size or self.size
        pad = self.px(12)
        words, size = text.fitted(words, size, column.width - pad, bold, floor=max(15, round(size * 0.72)))
        if words == HIDDEN:
            fill = mix(SOFT_INK, PAPER, 0.45)
        y = (self.top if top is None else top) + self.row / 2 + dy
        text.draw(self.image, column.x(pad), y, words, size, fill, bold=bold, align=column.align)

    def heading(self, columns: Sequence[Column], title: str) -> None:
        high = self.px(46)
        self.top += self.px(10)
        self.pen.rectangle((0, self.top, self.width, self.top + high), fill=mix(HEAD, PAPER, 0.86))
        y = self.top + high / 2
        if title:
            text.draw(self.image, self.edge, y, title, self.px(24), HEAD, bold=True, align="l")
        for column in columns:
            words = text.ellipsized(column.heading, self.small, column.width)
            text.draw(self.image, column.x(self.px(12)), y, words, self.small, HEAD, align=column.align)
        self.top += high

    def band(self, odd: int, colour: Rgb | None = None) -> None:
        if colour is not None or odd % 2:
            self.pen.rectangle((0, self.top, self.width, self.top + self.row - 1), fill=colour or BAND)

    # -- players

    def _columns(self) -> tuple[list[Column], list[Column]]:
        """The columns of the players' table: the fixed ones, then one per company and one for privates."""
        u = self.unit
        limit = f"certs / {self.view.cert_limit}" if self.view.cert_limit else "certs"
        plan = [("", 62, "m"), ("", 236, "l"), ("cash", 140, "r"), (limit, 116, "r"), ("worth", 138, "r")]
        left = float(self.edge)
        fixed = []
        for name, wide, align in plan:
            fixed.append(Column(name, left, wide * u, align))
            left += wide * u
        left += 14 * u
        room = self.width - self.edge - left
        each = min(92 * u, (room - 150 * u) / max(1, len(self.shared)))
        shares = [Column("", left + i * each, each, "m") for i in range(len(self.shared))]
        rest = left + len(shares) * each + 14 * u
        return fixed, [*shares, Column("privates", rest, self.width - self.edge - rest, "l")]

    def _players(self) -> None:
        fixed, shares = self._columns()
        top = self.top + self.px(10) + self.px(23)
        self.heading([*fixed, shares[-1]], "Players")
        for column, row in zip(shares, self.shared, strict=False):
            badge = company_token(row.company, self.companies, min(self.px(21), column.width * 0.46))
            centre_on(self.image, badge, (column.left + column.width / 2, top))
        for i, player in enumerate(self.view.players):
            self._player(player, i, fixed, shares)
        self.pen.line((self.edge, self.top, self.width - self.edge, self.top), fill=FAINT, width=2)
        for words, amounts in self._stocks():
            label = Column("", fixed[1].left, shares[0].left - fixed[1].left, "l")
            self.say(label, words, size=self.px(23), fill=SOFT_INK)
            for column, amount in zip(shares, amounts, strict=False):
                if amount:
                    self.say(column, f"{amount * 10}", size=self.px(27), fill=SOFT_INK)
            self.top += self.row
        self.top += self.px(8)

    def _stocks(self) -> list[tuple[str, list[int]]]:
        """What the bank has of each company: in the offering, in the pool and, if any, set aside."""
        stocks = [
            ("Bank offers (IPO)", [row.ipo for row in self.shared]),
            ("Bank pool", [row.pool for row in self.shared]),
        ]
        reserved = [row.reserved for row in self.shared]
        return [*stocks, ("Reserved for mergers", reserved)] if any(reserved) else stocks

    def _player(self, player: PlayerRow, index: int, fixed: Sequence[Column], shares: Sequence[Column]) -> None:
        self.band(index, UP_ROW if player.up and not self.view.finished else None)
        colour = mix(SOFT_INK, PAPER, 0.3) if player.bankrupt else INK
        self._signs(player, fixed[0])
        name = player.name + (" (bankrupt)" if player.bankrupt else "")
        self.say(fixed[1], name, bold=player.up, fill=colour)
        if player.cash is not None and player.free_cash is not None and player.free_cash != player.cash:
            self.say(fixed[2], self.money(player.cash), dy=-self.px(9), size=self.px(27))
            self.say(fixed[2], f"free {self.money(player.free_cash)}", size=self.px(17), fill=SOFT_INK, dy=self.px(15))
        else:
            self.say(fixed[2], self.money(player.cash), fill=colour)
        limit = self.view.cert_limit
        full = limit is not None and player.certs >= limit
        self.say(fixed[3], f"{player.certs}", bold=full, fill=GLOW if full else colour)
        self.say(fixed[4], self.money(player.worth), bold=True, fill=colour)
        held = dict(player.shares)
        for column, row in zip(shares, self.shared, strict=False):
            company = row.company
            if not held.get(company.id):
                continue
            if company.id in player.president_of:
                half = min(self.px(32), column.width / 2 - 2)
                middle = column.left + column.width / 2
                box = (middle - half, self.top + self.px(8), middle + half, self.top + self.row - self.px(9))
                self.pen.rounded_rectangle(box, self.px(9), outline=INK, width=max(2, self.px(3)), fill=WHITE)
            self.say(column, f"{held[company.id] * 10}", bold=company.id in player.president_of)
        if player.privates:
            self.say(shares[-1], " ".join(player.privates))
        self.top += self.row

    def _signs(self, player: PlayerRow, column: Column) -> None:
        """Draw an arrow for whoever must decide, and a P for the priority deal."""
        y = self.top + self.row / 2
        left, middle = column.left + self.px(12), column.left + self.px(39)
        if player.up and not self.view.finished:
            pen = Pen(self.px(12), (1, 1))
            pen.polygon([(-0.8, -0.95), (0.85, 0.0), (-0.8, 0.95)], GLOW)
            centre_on(self.image, pen.finished(), (left, y))
        if player.priority:
            pen = Pen(self.px(17), (1, 1))
            pen.box((0, 0), (0.85, 0.95), 0.25, HEAD)
            centre_on(self.image, pen.finished(), (middle, y))
            text.draw(self.image, middle, y, "P", self.px(24), WHITE, bold=True)

    # -- companies

    def _companies(self) -> None:
        plan = [
            ("", 66, "m"), ("", 272, "l"), ("president", 178, "l"), ("par", 84, "r"), ("price", 92, "r"),
            (self.view.company_money, 148, "r"),
            ("  trains", 232, "l"), ("tokens", 128, "r"), ("last run", 116, "r"), ("a share", 98, "r"), ("", 138, "l"),
        ]  # fmt: skip
        columns = []
        left = float(self.edge)
        for name, wide, align in plan:
            columns.append(Column(name, left, wide * self.unit, align))
            left += wide * self.unit
        self.heading(columns, "Companies")
        for i, row in enumerate(self.shown):
            self._company(row, i, columns)
        self.top += self.px(8)

    def _company(self, row: CompanyRow, index: int, columns: Sequence[Column]) -> None:
        self.band(index, UP_ROW if row.operating and not self.view.finished else None)
        started = row.par is not None or row.price is not None or row.floated or bool(row.status or row.trains)
        colour = INK if started else mix(SOFT_INK, PAPER, 0.25)
        badge = company_token(row.company, self.companies, self.px(22))
        centre_on(self.image, badge, (columns[0].left + self.px(24), self.top + self.row / 2))
        lines, size = text.two_lines(
            row.company.name, self.px(21), columns[1].width - self.px(10), floor=max(15, self.px(18))
        )
        for i, line in enumerate(lines):
            dy = (2 * i - len(lines) + 1) * size * 0.55
            self.say(columns[1], line, size=size, dy=dy, fill=colour, bold=row.operating)
        if row.president is not None:
            self.say(columns[2], self.who(row.president), size=self.px(26))
        self.say(columns[3], "" if row.par is None else str(row.par), size=self.px(26), fill=SOFT_INK)
        self.say(columns[4], "" if row.price is None else str(row.price), bold=True)
        if started:
            self.say(columns[5], self.money(row.treasury))
        self._train_cards(row.trains, columns[6])
        tokens = f"{row.tokens_left}" + (
            f" · {self.money(row.next_token)}" if row.next_token is not None and started else ""
        )
        self.say(columns[7], tokens if row.tokens_left or started else "", size=self.px(23), fill=colour)
        if row.last_run is not None:
            self.say(columns[8], str(row.last_run))
            paid = "half" if not row.has_shares and row.last_run else "kept" if row.last_paid == 0 else row.last_paid
            self.say(columns[9], str(paid), size=self.px(26), fill=SOFT_INK)
        state = row.status or ("" if row.floated or not started else "not floated")
        extra = [one for one in (state, "+" + " ".join(row.privates) if row.privates else "") if one]
        words = Column("", columns[10].left + self.px(12), columns[10].width - self.px(2), "l")
        for i, line in enumerate(extra):
            dy = (2 * i - len(extra) + 1) * self.px(12)
            self.say(words, line, size=self.px(20), dy=dy, fill=GLOW if line == row.status else SOFT_INK)
        self.top += self.row

    def _train_cards(self, trains: Sequence[str], column: Column) -> None:
        """Draw each train as a small card."""
        x = column.left + self.px(14)
        right = column.left + column.width
        size = self.px(25)
        for i, train in enumerate(trains):
            words = text.ellipsized(train, size, self.px(80), bold=True)
            wide = max(self.px(36), text.width(words, size, bold=True) + self.px(18))
            more = i + 1 < len(trains)
            if x + wide + (self.px(40) if more else 0) > right:
                text.draw(self.image, x, self.top + self.row / 2, f"+{len(trains) - i}", size, INK, align="l")
                return
            box = (x, self.top + self.px(9), x + wide, self.top + self.row - self.px(10))
            self.pen.rounded_rectangle(box, self.px(6), fill=WHITE, outline=SOFT_INK, width=max(1, self.px(2)))
            text.draw(self.image, x + wide / 2, self.top + self.row / 2, words, size, INK, bold=True)
            x += wide + self.px(7)

    # -- privates, trains, bank

    def _private_companies(self) -> None:
        self.heading((), "Private companies")
        high = self.px(48)
        half = (self.width - 2 * self.edge) / 2
        for i, row in enumerate(self._privates()):
            if i % 4 >= 2 and i % 2 == 0:
                self.pen.rectangle((0, self.top, self.width, self.top + high - 1), fill=BAND)
            self._private(row, self.edge + (i % 2) * (half + self.px(18)), half - self.px(36), self.top + high / 2)
            if i % 2 or i + 1 == len(self._privates()):
                self.top += high
        self.top += self.px(8)

    def _private(self, row: PrivateRow, left: float, room: float, y: float) -> None:
        right = left + room
        text.draw(
            self.image,
            left,
            y,
            text.ellipsized(row.id, self.px(26), self.px(80), True),
            self.px(26),
            INK,
            bold=True,
            align="l",
        )
        left += (
            max(self.px(44), text.width(row.id, self.px(26), True) + self.px(14)) if len(row.id) < 6 else self.px(94)
        )
        if row.owner:
            state, strong = self.who(row.owner), INK
        elif row.bids:
            high = sorted(row.bids, key=lambda bid: -bid[1])
            state, strong = "bids " + ", ".join(f"{self.who(who)} {amount}" for who, amount in high), GLOW
        else:
            state, strong = f"for {self.money(row.price)}", HEAD
        words, size = text.fitted(state, self.px(24), room * 0.42, floor=max(15, self.px(19)))
        text.draw(self.image, right, y, words, size, strong, bold=not row.owner, align="r")
        right -= text.width(words, size, bold=not row.owner) + self.px(18)
        facts = f"{row.value} · pays {row.revenue}" if row.revenue else str(row.value)
        text.draw(self.image, right, y, facts, self.small, SOFT_INK, align="r")
        right -= text.width(facts, self.small) + self.px(16)
        words, size = text.fitted(row.name, self.px(23), right - left, floor=max(15, self.px(18)))
        text.draw(self.image, left, y, words, size, INK, align="l")

    def _trains(self) -> None:
        limit = f"train limit {self.view.train_limit}" if self.view.train_limit else ""
        self.heading((Column(limit, self.edge, self.width - 2 * self.edge, "r"),), "Trains in the depot")
        high = self.px(104)
        depot = self.view.depot
        bank = self.px(250)
        each = min(self.px(230), (self.width - 2 * self.edge - bank) / max(1, len(depot)))
        for i, row in enumerate(depot):
            self._train(row, self.edge + i * each, each - self.px(10), high)
        right = self.width - self.edge
        text.draw(self.image, right, self.top + high * 0.27, "Bank", self.small, SOFT_INK, align="r")
        words, size = text.fitted(self.money(self.view.bank), self.px(36), bank - self.px(20), bold=True)
        text.draw(self.image, right, self.top + high * 0.56, words, size, INK, bold=True, align="r")
        if self.view.train_pool:
            pool = text.ellipsized("pool: " + " ".join(self.view.train_pool), self.small, bank - self.px(10))
            text.draw(self.image, right, self.top + high * 0.86, pool, self.small, INK, align="r")
        self.top += high

    def _train(self, row: TrainRow, left: float, wide: float, high: float) -> None:
        gone = row.left == 0
        pale = mix(SOFT_INK, PAPER, 0.5)
        box = (left, self.top + self.px(10), left + wide, self.top + high - self.px(4))
        if not gone:
            edge = INK if row.on_sale else FAINT
            self.pen.rounded_rectangle(
                box, self.px(8), fill=WHITE if row.on_sale else PAPER, outline=edge, width=max(2, self.px(3))
            )
        y = self.top + self.px(38)
        inner = self.px(13)
        rank, size = text.fitted(row.rank, self.px(34), wide * 0.4, bold=True)
        text.draw(self.image, left + inner, y, rank, size, pale if gone else INK, bold=True, align="l")
        amount = "gone" if gone else "∞" if row.left is None else f"×{row.left}"
        text.draw(
            self.image, left + wide - inner, y, amount, self.px(26), pale if gone else INK, bold=not gone, align="r"
        )
        y = self.top + self.px(78)
        price = self.money(row.price)
        text.draw(self.image, left + inner, y, price, self.px(21), pale if gone else INK, align="l")
        if row.rusts_on and not gone:
            room = wide - 2 * inner - text.width(price, self.px(21)) - self.px(6)
            small = max(15, self.px(17))
            note = (
                f"rusts: {row.rusts_on}"
                if text.width(f"rusts: {row.rusts_on}", small) <= room
                else f"till {row.rusts_on}"
            )
            note = text.ellipsized(note, small, room)
            text.draw(self.image, left + wide - inner, y, note, max(15, self.px(17)), SOFT_INK, align="r")

    def _footer(self) -> None:
        y = self.top + self.px(32)
        words = "arrow: must decide now   ·   P: priority deal   ·   framed: president   ·   shares in per cent"
        if any(None in (player.cash, player.worth) for player in self.view.players):
            words += f"   ·   {HIDDEN} hidden"
        words, size = text.fitted(words, self.small, self.width - 2 * self.edge)
        text.draw(self.image, self.edge, y, words, size, SOFT_INK, align="l")


@remembered
def table_picture(view: TableView, *, width: int = 1600) -> Picture:
    """The table card, `width` pixels wide and as tall as its rows need."""
    image = _Card(view, width).draw()
    return finished(image, _alt(view), (row.company.colour for row in view.companies))


def _alt(view: TableView) -> str:
    rich = [f"{player.name} {_money(view, player.worth)}" for player in view.players if player.worth is not None]
    up = [player.name for player in view.players if player.up]
    first = f"Table of {view.title}, {'game over' if view.finished else view.round}, phase {view.phase}"
    first += f": worth {', '.join(rich)}." if rich else "."
    waiting = f" {', '.join(up)} to decide;" if up and not view.finished else ""
    return text.clean(f"{first}{waiting} bank {_money(view, view.bank)}.")[:1000]
