"""A proxy before a server, by which connections are cut while both ends live on."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class Proxy:
    """Passes on what is said, until it is cut.

    async with Proxy(port) as proxy: ... connect to proxy.port ...
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.shut = False
        """Whether new connections are refused."""

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._passed, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Cut every connection, without a word to either end."""
        for writer in list(self._open):
            writer.transport.abort()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.shut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._open -= {writer, back}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.transport.abort()
