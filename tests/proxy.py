"""A line between a program and a server that can be cut: at once, or when some words or their answer are on it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal

Cut = Literal["before", "after"]


class Proxy:
    """Forwards connections to a port of this machine: `async with Proxy(target) as line`. `port` is its own."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.refuses = False
        """Whether new connections are refused."""
        self.cuts = 0
        self._words = b""
        self._cut: Cut = "before"
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut_all()
        self._server.close()

    def cut_once(self, words: bytes, how: Cut) -> None:
        """Cut the connection that sends these words next: `before` the server has them, or `after` it has answered."""
        self._words, self._cut = words, how

    def cut_all(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either side ends it."""
        if self.refuses:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
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
