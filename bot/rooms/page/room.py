"""Opening the board: inside Discord, by a link of one's own, or one for whoever only watches; and taking links back."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bot.chat.answers import acknowledge, launch
from bot.chat.press import Press
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.passes import LINK_LASTS, SESSION_LASTS, WATCHER, BoardPass, Signer
from bot.settings import Activity, Settings
from storage import Store

NO_BOARD = "This bot has no board: its host has not set one up. Everything can be done here in the chat."
TAKEN_BACK = "✓ None of your links opens a board any more, and those that are open are closed."


@dataclass(frozen=True, slots=True)
class Doors:
    """Makes links to the board, which is at `url`; without one there is none."""

    store: Store
    url: str
    signer: Signer
    activity: Activity | None = None
    """Where Discord shows the board itself."""
    closing: list[Callable[[int], None]] = field(default_factory=list)
    """Are told of a person who takes all links back; other processes see it soon."""

    @classmethod
    def of(cls, store: Store, settings: Settings) -> "Doors":
        """As the host has set it up. The bot's token is the secret of its links."""
        return cls(store, settings.board_url, Signer(settings.token.encode()), settings.activity)

    def link(self, user: int, game: str, epoch: int = 0) -> str:
        """A link for a person, or for whoever only watches. Raises TableError."""
        if not self.url:
            raise TableError(NO_BOARD)
        lasts = LINK_LASTS if user else SESSION_LASTS
        return f"{self.url}/open/{self.signer.sign(BoardPass(user, game, self.store.clock() + lasts, epoch), 'open')}"

    async def epoch(self, user: int) -> int:
        """The number that the person's passes must have; those of watchers stay good."""
        return (await clockwork.people_of(self.store, [user]))[user].boards if user != WATCHER else 0

    async def screen(self, game: str, user: int) -> Screen:
        """Links to the board of a game, for one person. Raises TableError."""
        mine, others = self.link(user, game, await self.epoch(user)), self.link(WATCHER, game)
        lines = [
            f"### [Open the board]({mine})",
            f"The link is yours alone, and good for {LINK_LASTS // 60} minutes; then the board stays open in that "
            "browser. Do not pass it on; `/my board off:True` takes it back.",
            f"-# [This one]({others}) is for whoever only watches.",
        ]
        return Screen("\n".join(lines))

    async def opens(self, game: str, channel: int | None) -> bool:
        """Whether Discord, asked to open the board in the channel, opens that of this game."""
        if self.activity is None or channel is None:
            return False
        here = await self.store.game_in_channel(channel)
        return here is not None and here.id == game

    async def close(self, user: int) -> None:
        """Take back all links and boards of a person."""
        await clockwork.change_person(self.store, user, lambda one, now: replace(one, boards=one.boards + 1))
        for close in self.closing:
            close(user)


async def _open(given: Press) -> None:
    """Open the board inside Discord; where that cannot be, give a link."""
    doors = given.bot.its(Doors)
    if await doors.opens(given.game, given.interaction.channel_id) and await launch(given.interaction):
        return
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    await given.show(await doors.screen(table.game.id, given.user))


ROOM = Room(presses={"page": _open})
