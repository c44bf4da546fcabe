"""The HTTP server under load: fifty clients save, load and search on SQLite, against the same verbs in this process.

The server is a process of its own, as `relembra serve` starts it; clients and server share the machine, so the ratio
holds the clients' own work too. Afterwards the server is told to stop, and every message it acknowledged is looked for
in the file.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.night import texts
from bench.table import Row, ms, percentile
from relembra import Memory

CLIENTS = 50
SECONDS = 60.0
QUICK_SECONDS = 8.0
MIX = (("save", 5), ("load", 3), ("search", 2))
FIRST = 20  # messages each has said before the clock starts
START_SECONDS = 60.0
STOP_SECONDS = 15.0

Verb = Callable[[str, str, str], Awaitable[list[str]]]
"""A verb's name, a person and a text to the ids of messages it acknowledged."""


@dataclass
class Load:
    """What a stretch of calls came to."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    kept: dict[str, list[str]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    took: float = 0.0

    @property
    def calls(self) -> int:
        return sum(map(len, self.seconds.values()))

    @property
    def saves(self) -> int:
        return sum(map(len, self.kept.values()))

    @property
    def a_second(self) -> float:
        return self.calls / self.took

    def p99(self, verb: str) -> float:
        return percentile(self.seconds[verb], 0.99)


async def _loaded(call: Verb, said: Sequence[str], seconds: float) -> Load:
    """Fifty people at once, each one call after another, until the time is over."""
    done = Load(kept={f"client-{number}": [] for number in range(CLIENTS)})
    names = [name for name, weight in MIX for _ in range(weight)]

    async def client(number: int, until: float) -> None:
        draw, user = random.Random(number), f"client-{number}"
        while time.perf_counter() < until:
            verb, text = draw.choice(names), draw.choice(said)
            began = time.perf_counter()
            try:
                done.kept[user] += await call(verb, user, text)
            except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
                done.errors[f"{verb}: {error or type(error).__name__}"] += 1
            else:
                done.seconds.setdefault(verb, []).append(time.perf_counter() - began)

    for number in range(CLIENTS):
        for text in said[:FIRST]:
            done.kept[f"client-{number}"] += await call("save", f"client-{number}", text)
    began = time.perf_counter()
    await asyncio.gather(*(client(number, began + seconds) for number in range(CLIENTS)))
    done.took = time.perf_counter() - began
    return done


async def _inside(folder: Path, said: Sequence[str], seconds: float) -> Load:
    """The verbs in this process."""
    async with Memory.open(folder / "inside.db") as memory:

        async def call(verb: str, user: str, text: str) -> list[str]:
            if verb == "save":
                return [message.id for message in (await memory.save(user=user, said=text)).messages]
            if verb == "load":
                await memory.load(user=user, query=text)
            else:
                await memory.search(text, user=user)
            return []

        return await _loaded(call, said, seconds)


class _Connection:
    """The least an HTTP client can be: one kept connection, JSON out and JSON in."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        reader, writer = self._free.pop() if self._free else await asyncio.open_connection("127.0.0.1", self._port)
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        answer = await reader.readuntil(b"\r\n\r\n")
        status = int(answer.split(b" ", 2)[1])
        length = next(int(line[15:]) for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        found = json.loads(await reader.readexactly(length))
        self._free.append((reader, writer))
        if status >= 300:
            raise RuntimeError(f"{status} {found.get('detail')}")
        return found

    def close(self) -> None:
        for _, writer in self._free:
            writer.close()


async def _outside(folder: Path, said: Sequence[str], seconds: float) -> tuple[Load, float, int]:
    """The verbs over HTTP; with it how long stopping took, and how many acknowledged messages are not in the file."""
    db = folder / "outside.db"
    command = [sys.executable, "-m", "relembra", "serve", "--db", str(db), "--port", "0", "--json"]
    server = await asyncio.to_thread(subprocess.Popen, command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = await asyncio.wait_for(asyncio.to_thread(server.stdout.readline), START_SECONDS)
        connection = _Connection(json.loads(line)["port"])

        async def call(verb: str, user: str, text: str) -> list[str]:
            if verb == "save":
                saved = await connection.post("/v1/messages", {"user": user, "said": text})
                return [message["id"] for message in saved["messages"]]
            if verb == "load":
                await connection.post("/v1/context", {"user": user, "query": text})
            else:
                await connection.post("/v1/search", {"user": user, "query": text})
            return []

        done = await _loaded(call, said, seconds)
        connection.close()
    finally:
        began = time.perf_counter()
        server.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(server.wait, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        stopped = time.perf_counter() - began
    return done, stopped, await _missing(db, done)


async def _missing(db: Path, done: Load) -> int:
    """How many acknowledged messages are not found in the file."""
    missing = 0
    async with Memory.open(db, background=False) as memory:
        for user, ids in done.kept.items():
            found: set[str] = set()
            after = None
            while True:
                page = await memory.messages(user=user, limit=500, after=after)
                found |= {message.id for message in page}
                after = page.next
                if after is None:
                    break
            missing += len(set(ids) - found)
    return missing


def rows(*, quick: bool = False) -> list[Row]:
    seconds = QUICK_SECONDS if quick else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        said = [text for text in texts() if len(text) <= 400][:500]
        inside = asyncio.run(_inside(Path(folder), said, seconds))
        outside, stopped, missing = asyncio.run(_outside(Path(folder), said, seconds))
    for what, count in outside.errors.most_common(5):
        print(f"{count} × {what}", file=sys.stderr)
    lost, wrong = float(missing), float(sum(outside.errors.values()))
    return [
        Row(
            f"calls a second of {CLIENTS} clients in {seconds:.0f} s, over HTTP / in this process",
            f"{outside.a_second:.0f}/s",
            f"{inside.a_second:.0f}/s",
            outside.a_second / inside.a_second,
            None,
        ),
        *(
            Row(
                f"{verb}, p99 of {CLIENTS} at once, over HTTP / in this process",
                ms(outside.p99(verb)),
                ms(inside.p99(verb)),
                outside.p99(verb) / inside.p99(verb),
                None,
            )
            for verb, _ in MIX
        ),
        Row("calls that failed", f"{wrong:.0f}", f"{outside.calls} calls", wrong, 0),
        Row("acknowledged messages not in the file", f"{lost:.0f}", f"{outside.saves} saved", lost, 0),
        Row("stopping afterwards, with work queued, seconds", f"{stopped:.2f} s", "", stopped, 10),
    ]


if __name__ == "__main__":
    from bench.table import printed

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    printed(rows(quick=parser.parse_args().quick), as_json=False)
