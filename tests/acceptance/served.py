"""A real server in a process of its own, for tests: `relembra serve`, or one that waits as long as it is told to."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil  # type: ignore[import-untyped]  # it has no stubs

from acceptance.running import environment

PATIENCE_SECONDS = 60.0
"""How long a test waits for what has to happen; nothing depends on how soon it does."""

PROGRAM = """
import asyncio, json, sys
from relembra.bootstrap import opened
from relembra.interfaces.http.server import Patience
from relembra.interfaces.http.server import serve
from relembra.settings import Settings

async def main():
    settings = Settings(db="m.db", port=0)
    async with opened(settings=settings) as memory:
        told = lambda started: print(json.dumps({"url": started.url}), flush=True)
        await serve(memory, settings, any_port=False, told=told, patience=Patience(**json.loads(sys.argv[1])))

asyncio.run(main())
"""


@dataclass
class Running:
    """A server that listens."""

    process: subprocess.Popen[str]
    url: str
    folder: Path

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", int(self.url.rpartition(":")[2])

    def connected(self, *parts: bytes) -> socket.socket:
        sock = socket.create_connection(self.address, timeout=PATIENCE_SECONDS)
        for part in parts:
            sock.sendall(part)
        return sock

    def is_well(self) -> bool:
        return httpx.get(f"{self.url}/healthz", timeout=PATIENCE_SECONDS).status_code == 200

    def connections(self) -> int:
        """How many clients it holds."""
        here = psutil.Process(self.process.pid).net_connections("tcp")
        return sum(1 for one in here if one.raddr and one.laddr.port == self.address[1])

    def stop(self, sig: int = signal.SIGTERM) -> int:
        self.process.send_signal(sig)
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def started(folder: Path, *command: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """A program in a folder of its own; where it has not ended at the end of the block, it is ended."""
    process = subprocess.Popen(
        command, cwd=folder, env=environment(folder, **env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line it says; where it ended instead, what it said about that."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.stderr.read() if process.stderr else ""
    return line


@contextmanager
def serving(folder: Path, *command: str, **env: str) -> Iterator[Running]:
    """A program that says in one line of JSON where it listens."""
    with started(folder, *command, **env) as process:
        yield Running(process, json.loads(line_of(process))["url"], folder)


@contextmanager
def waiting(folder: Path, **patience: float) -> Iterator[Running]:
    """A server that waits as long as it is told to."""
    with serving(folder, sys.executable, "-c", PROGRAM, json.dumps(patience)) as running:
        yield running


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)
