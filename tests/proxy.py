"""A line between a program and a server that can be cut: at once, or when some words or their answer are on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

Cut = Literal["before", "after"]


class Proxy:
    """Forwards connections to a port of this machine. `port` is its own."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.refuses = False
        self.cuts = 0
        self._words = b""
        self._cut: Cut = "before"
        self._writers: set[asyncio.StreamWriter] = set()

    def cut_once(self, words: bytes, how: Cut) -> None:
        """Cut the connection that sends these words next: `before` the server has them, or `after` it has answered."""
        self._words, self._cut = words, how

    def cut_all(self) -> None:
        """Cut every connection."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either side ends it."""
        if self.refuses:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers |= {writer, back}
        answers = asyncio.create_task(self._forward(there, writer))
        with suppress(OSError):
            while data := await reader.read(65536):
                if self._words and self._words in data:
                    self._words = b""
                    self.cuts += 1
                    if self._cut == "after":
                        answers.cancel()
                        await asyncio.wait([answers])
                        back.write(data)
                        await there.read(65536)
                    break
                back.write(data)
                await back.drain()
        answers.cancel()
        for one in (writer, back):
            one.transport.abort()
        self._writers -= {writer, back}

    async def _forward(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await there.read(65536):
                writer.write(data)
                await writer.drain()
        writer.transport.abort()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    """A line to this port."""
    one = Proxy(target)
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0)
    one.port = int(server.sockets[0].getsockname()[1])
    try:
        yield one
    finally:
        one.cut_all()
        server.close()
