"""Nothing tells others that somebody tries out moves: a game with lines and one without are the same to them."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from club import Club, buttons
from days import Hand
from player import private_answer, tool
from twins import Twin, described, same_to_others

from bot.core.errors import TableError
from bot.rooms.programs.room import play_due
from bot.rooms.trying.lines import MOST_LINES, TryOut, TryOuts
from bot.rooms.trying.screen import board_screen, compared_screen, follow_screen, others_screen
from engine.errors import EngineError


class Tried(Twin):
    """The game in which two of three players try out."""

    tried = compared = followed = 0
    """Moves on boards, lines beside the game, and lines that were made programs."""

    async def with_lines(self, seed: int, most: int) -> None:
        """Play by chance; between moves the first two players try something out."""
        random = Random(seed)
        while not self.table.position.over and self.seen() < most:
            if random.random() < 0.5:
                await self._try_out(random, random.choice(("p1", "p2")))
            if self.seen() < most:
                await self.move(random)

    async def _try_out(self, random: Random, seat: str) -> None:
        member, trying = self.club.who(seat, self.table), self.club.bot.its(TryOuts)
        answer = private_answer(await tool(member, self.club.packet(), "Try out"))
        if "New line from now" in buttons(answer) and random.random() < 0.7:
            await member.click(answer, label="New line from now")
        lines, _ = await trying.of(self.table, member.id)
        if not lines:
            return
        one = lines[0]
        for _ in range(random.randint(1, 4)):
            with suppress(TableError, EngineError):  # it is full, or chance decides
                one = await trying.move(one, [random.choice(await one.position.choices())])
                self.tried += 1
        for screen in (board_screen, compared_screen, others_screen):
            await screen(one)
            self.compared += screen is compared_screen
        one = await self._changed(random, one)
        if len(lines) == MOST_LINES:
            await trying.remove(self.table, member.id, lines[-1].branch.id)
        if random.random() < 0.5 and one.to_follow():
            await self._follow(one)

    async def _changed(self, random: Random, one: TryOut) -> TryOut:
        """Another name, another line from there, a move less, or other sums in purses that are hidden."""
        trying, way = self.club.bot.its(TryOuts), random.choice(("name", "fork", "back", "assume"))
        with suppress(TableError, EngineError):
            if way == "name":
                return await trying.rename(one, f"Plan {one.branch.id}")
            if way == "fork":
                return await trying.fork(one)
            if way == "back":
                return await trying.back(one)
            first, second = random.sample(sorted(one.assumed), 2) if len(one.assumed) > 1 else ("", "")
            if first:
                moved = {first: one.assumed[first] + 10, second: one.assumed[second] - 10}
                return await trying.assume(one, moved)
        return one

    async def _follow(self, one: TryOut) -> None:
        """Make them programs; the first is played at once where it is the owner's turn."""
        before = self.seen()
        follow_screen(one)
        with suppress(TableError):
            await self.club.bot.its(TryOuts).follow(one, self.table.position.seq, 1_000 + self.followed)
            self.followed += 1
        await play_due(self.club.bot, self.table.game.id)
        if self.seen() > before:
            await self.shown(before)


GAMES = [
    pytest.param("1889", "", 45, marks=pytest.mark.slow),
    pytest.param("1889", "", 90, marks=pytest.mark.slow),
    pytest.param("1860", "", 90, marks=pytest.mark.slow),
    pytest.param("1888", "", 90, marks=pytest.mark.slow),
    pytest.param("1890", "hidden_train_price", 90, marks=pytest.mark.slow),
    ("1890", "hidden_cash, hidden_train_price", 32),
    pytest.param("1890", "hidden_cash, hidden_train_price", 45, marks=pytest.mark.slow),
    pytest.param("1890", "hidden_cash, hidden_train_price", 90, marks=pytest.mark.slow),
]


@pytest.mark.broad
@pytest.mark.rule("1889-SEC-03", "1860-SEC-02", "1890-VAR-05", "1890-VAR-06")
@pytest.mark.parametrize(("title", "options", "moves"), GAMES)
@pytest.mark.pictures
async def test_others_see_the_same_of_a_game_with_lines_and_of_one_without(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch, title: str, options: str, moves: int
) -> None:
    described(monkeypatch)
    one = Tried(club, club.channel, hand, monkeypatch)
    await one.begin(title, options)
    await one.with_lines(11, moves)
    done = one.tried, one.compared, one.followed
    assert min(one.tried - moves // 2, one.compared - moves // 6, one.followed - moves // 30) > 0, done
    other = Twin(club, club.guild.create_text_channel("other"), hand, monkeypatch)
    await other.begin(title, options)
    await same_to_others(one, other, monkeypatch)
