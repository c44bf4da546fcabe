"""What the memory proxy adds before the first word of a reply, against `load` alone in the same run.

A client asks a model's server on loopback directly, then through the proxy, then the same memory is loaded by itself;
so round after round, and all in one process, so that whatever else the machine does falls on all three.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import uvicorn

from bench.corpus import Corpus
from bench.table import Row, median, ms, percentile
from relembra import Draft, Memory
from relembra.interfaces.http.app import create_app
from relembra.interfaces.http.server import bound
from relembra.settings import Settings

ITEMS = 10_000
ROUNDS = 200
QUICK_ROUNDS = 60
WARM_UP = 20
GOAL = 1.5

_EVENT = b'data: {"id":"1","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Yes."}}]}\n\n'
_STREAM = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (_EVENT, b"data: [DONE]\n\n")) + b"0\r\n\r\n"
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + _STREAM


@asynccontextmanager
async def _model() -> AsyncIterator[str]:
    """The address of a model that answers at once."""
    busy: set[asyncio.StreamWriter] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        busy.add(writer)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                [length] = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                await reader.readexactly(int(length.partition(b":")[2]))
                writer.write(_REPLY)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            busy.discard(writer)
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        for writer in list(busy):
            writer.close()
        await server.wait_closed()


@asynccontextmanager
async def _proxy(memory: Memory, upstream: str) -> AsyncIterator[str]:
    app = create_app(memory, Settings(user="ana", upstream=upstream, upstream_local="no"), is_open=True)
    with bound("127.0.0.1", 0, others=0) as listening:
        server = uvicorn.Server(uvicorn.Config(app, lifespan="on", log_config=None, access_log=False, ws="none"))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        finally:
            server.should_exit = True
            await running


async def _first_word(client: httpx.AsyncClient, url: str, question: str) -> float:
    """Seconds until the first piece of a reply is there; the rest is waited for as well."""
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": question}]}
    start = time.perf_counter()
    async with client.stream("POST", f"{url}/chat/completions", json=body) as reply:
        pieces = reply.aiter_raw()
        await anext(pieces)
        took = time.perf_counter() - start
        async for _ in pieces:
            pass
    return took


async def measured(folder: Path, *, quick: bool) -> list[Row]:
    corpus = Corpus()
    async with Memory.open(folder / "proxy.db", settings=Settings(), background=False) as memory:
        drafts = [Draft(content=f"{corpus.sentence(9)} {number}") for number in range(ITEMS)]
        await memory.add_many(drafts, user="ana")
        await memory.settle()
        direct: list[float] = []
        through: list[float] = []
        loaded: list[float] = []
        async with _model() as model, _proxy(memory, model) as proxy, httpx.AsyncClient() as client:
            for number in range(WARM_UP + (QUICK_ROUNDS if quick else ROUNDS)):
                question = f"{corpus.sentence(8)} {number}?"
                direct.append(await _first_word(client, model, question))
                through.append(await _first_word(client, proxy, question))
                start = time.perf_counter()
                await memory.load(
                    user="ana", query=f"{corpus.sentence(8)} {number}?", conversation=f"c{number}", outside=True
                )
                loaded.append(time.perf_counter() - start)
    alone = median(loaded[WARM_UP:])
    added = [through_it - without for through_it, without in zip(through[WARM_UP:], direct[WARM_UP:], strict=True)]
    usual, late = median(added), percentile(added, 0.95)
    return [
        Row("proxy, added before the first word: p50 / load", ms(usual), ms(alone), usual / alone, GOAL),
        Row("proxy, added before the first word: p95 / p50", ms(late), ms(usual), late / usual, None),
    ]


def rows(*, quick: bool) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder), quick=quick))
