"""Opening the board: a link of one's own, one for whoever only watches, and taking all of one's links back."""

from dataclasses import dataclass, replace

from bot.chat.press import Press, showing
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.errors import TableError
from bot.core.passes import LINK_LASTS, SESSION_LASTS, WATCHER, Pass, Signer
from bot.settings import Settings
from storage import Store

NO_BOARD = "This bot has no board: its host has not set one up. Everything can be done here in the chat."
TAKEN_BACK = "✓ None of your links opens a board any more, and those that are open are closed."


@dataclass(frozen=True, slots=True)
class Doors:
    """Makes links to the board, which is at `url`; without one there is none."""

    store: Store
    url: str
    signer: Signer

    @classmethod
    def of(cls, store: Store, settings: Settings) -> "Doors":
        """As the host has set it up. The bot's token is the secret of its links."""
        return cls(store, settings.board_url, Signer(settings.token.encode()))

    def link(self, user: int, game: str, epoch: int = 0) -> str:
        """A link for a person, or for whoever only watches. Raises TableError."""
        if not self.url:
            raise TableError(NO_BOARD)
        lasts = LINK_LASTS if user else SESSION_LASTS
        return f"{self.url}/open/{self.signer.sign(Pass(user, game, self.store.clock() + lasts, epoch), 'open')}"

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

    async def close(self, user: int) -> None:
        """Take back all links and boards of a person."""
        await clockwork.change_person(self.store, user, lambda one, now: replace(one, boards=one.boards + 1))


async def _open(given: Press) -> Screen:
    table = await given.table()
    return await given.bot.its(Doors).screen(table.game.id, given.user)


ROOM = Room(presses={"page": showing(_open)})
