"""A real Redis server for tests: an ordinary process on a socket in a folder of its own, that keeps nothing on disk."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import redis

PATIENCE = timedelta(seconds=30)


def executable() -> str:
    found = shutil.which("redis-server")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("no redis-server here, and these tests must run: sh requirements/system.sh")
        pytest.skip("no redis-server here; on Debian: apt-get install redis-server")
    return found


class RedisServer:
    """Can be stopped, begun again empty, and held up while connections to it stay open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.socket = folder / "redis.sock"
        self.url = f"unix://{self.socket}"
        self.start()

    def start(self) -> None:
        options = {"port": 0, "unixsocket": self.socket, "dir": self._folder, "save": "", "appendonly": "no"}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            [executable(), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "ready to accept connections" in line.casefold():
                break
        else:
            pytest.fail("redis-server did not start")
        self.client = redis.Redis(unix_socket_path=str(self.socket), socket_timeout=PATIENCE.total_seconds())

    def stop(self) -> None:
        self.client.close()
        self._process.kill()
        self._process.communicate()
        self.socket.unlink(missing_ok=True)

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """It hears and answers nothing until the block is over, and then all at once."""
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def names(self, kind: str | None = None) -> list[bytes]:
        """Everything in it, or what is of one kind, by name."""
        return sorted(bytes(name) for name in self.client.scan_iter(_type=kind))

    def dumped(self) -> bytes:
        """All there is in it: names, and what stands under them."""
        held = b""
        for name in self.names():
            kind = self.client.type(name)
            value = self.client.hgetall(name) if kind == b"hash" else self.client.get(name)
            held += name + b" " + repr(value).encode() + b"\n"
        return held


@contextmanager
def a_redis() -> Iterator[RedisServer]:
    executable()
    with tempfile.TemporaryDirectory(prefix="relembra-redis-") as folder:  # a socket's path has to be short
        server = RedisServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()
