"""Nothing public tells that a program moved: a game with programs and the same game by hand are the same to others."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from club import Club
from days import Hand
from twins import Twin, described, same_to_others

from bot.core import desks
from bot.core.errors import TableError
from bot.rooms.programs.room import play_due
from engine.ids import PlayerId
from programs import Operate, PassAhead, Program


class Programmed(Twin):
    """The game in which programs make some of the moves."""

    by_program = 0

    async def with_programs(self, seed: int, most: int, delay: tuple[int, int]) -> None:
        """Play by chance, with programs from time to time."""
        random = Random(seed)
        for seat in ("p1", "p2"):
            await desks.change(self.table, PlayerId(seat), lambda desk: desk.delayed(*delay))
        while not self.table.position.over and self.seen() < most:
            await self._switch_on(random)
            await self._let_them(delay)
            if self.table.position.over or self.seen() >= most:
                return
            await self.move(random)
            self.by_program += sum(not one.automatic for one in self.groups[-1]) - 1
            await self._let_them(delay)

    async def _let_them(self, delay: tuple[int, int]) -> None:
        """Let time pass until nobody's programs wait."""
        for _ in range(40):
            if not any(desk.due_at is not None for desk in self.table.orders.desks.values()):
                return
            before = self.seen()
            self.day.hand.now += 60 * delay[1] + 1
            await play_due(self.club.bot, self.table.game.id)
            if self.seen() > before:
                made = await self.shown(before)
                self.by_program += sum(not one.automatic for one in made)
            else:
                await self.show()

    async def _switch_on(self, random: Any) -> None:
        state = self.table.position.state
        seat = PlayerId(random.choice(("p1", "p2")))  # p3 looks on
        kept = self.table.orders.desk(seat).kept
        mine = [corp for corp in self.table.title.corporations if state.president_of(corp) == seat]
        program: Program = PassAhead(off=PassAhead.watches)
        if mine and random.random() < 0.7:
            pays = random.choice(("pay", "withhold"))
            trains = random.choice(("none", "next", "ask"))
            program = Operate(corp=random.choice(mine), rounds=2, pays=pays, trains=trains, off=Operate.watches)
        if len(kept) < 2 and random.random() < 0.35:
            with suppress(TableError):  # it would stop at once
                await desks.enable(self.table, seat, program)


GAMES = [
    pytest.param("1889", "", (0, 0), 60, marks=pytest.mark.slow),
    pytest.param("1889", "", (1, 3), 90, marks=pytest.mark.slow),
    pytest.param("1860", "", (0, 0), 90, marks=pytest.mark.slow),
    pytest.param("1890", "hidden_cash", (0, 0), 90, marks=pytest.mark.slow),
    ("1890", "hidden_cash", (2, 2), 42),
    pytest.param("1890", "hidden_cash", (2, 2), 60, marks=pytest.mark.slow),
    pytest.param("1890", "hidden_cash", (2, 2), 90, marks=pytest.mark.slow),
]


@pytest.mark.broad
@pytest.mark.rule("1889-SEC-03", "1890-VAR-05")
@pytest.mark.parametrize(("title", "options", "delay", "moves"), GAMES)
@pytest.mark.pictures
async def test_others_see_the_same_of_a_game_with_programs_and_of_one_by_hand(
    club: Club,
    hand: Hand,
    monkeypatch: pytest.MonkeyPatch,
    title: str,
    options: str,
    delay: tuple[int, int],
    moves: int,
) -> None:
    described(monkeypatch)
    one = Programmed(club, club.channel, hand, monkeypatch)
    await one.begin(title, options)
    await one.with_programs(9, moves, delay)
    assert one.by_program > moves // 9, one.by_program
    other = Twin(club, club.guild.create_text_channel("other"), hand, monkeypatch)
    await other.begin(title, options)
    await same_to_others(one, other, monkeypatch)
