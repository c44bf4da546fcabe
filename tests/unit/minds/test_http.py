"""The HTTP embedder against a real server on loopback that follows a script."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from loops import each
from relembra.errors import MindError, MindUnavailableError, MissingExtraError, SettingsError
from relembra.minds.http import LARGEST_BATCH, OpenAICompatibleEmbedder

KEY = "sk-very-secret"
NOW = datetime(2026, 11, 15, 12, 0, 0, tzinfo=UTC)

Body = dict[str, Any]
Answer = tuple[int, dict[str, str], bytes]
Step = Callable[[Body], Answer | None]


def reply(items: list[Body], status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    return status, headers or {}, json.dumps({"object": "list", "data": items, "model": "m"}).encode()


def good(body: Body) -> Answer:
    """Each text becomes (its length, 1), so that order can be seen."""
    return reply([{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(body["input"])])


def shuffled(body: Body) -> Answer:
    return reply([{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(body["input"])][::-1])


def status(code: int, body: bytes = b"{}", **headers: str) -> Step:
    return lambda _: (code, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def raw(body: bytes) -> Step:
    return status(200, body)


def silent(_: Body) -> None:
    """Keep the client waiting until it gives up."""


class Script:
    """A server that answers each request with the next step, the last one for ever."""

    def __init__(self) -> None:
        self.steps: list[Step] = [good]
        self.requests: list[tuple[str, dict[str, str], Body]] = []
        self.over = threading.Event()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                script.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                step = script.steps.pop(0) if len(script.steps) > 1 else script.steps[0]
                answer = step(body)
                if answer is None:
                    script.over.wait(20)
                    self.close_connection = True
                    return
                code, headers, content = answer
                self.send_response(code)
                for name, value in {**headers, "content-length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stop(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server() -> Iterator[Script]:
    script = Script()
    yield script
    script.stop()


@asynccontextmanager
async def opened(server: Script, **options: Any) -> AsyncIterator[tuple[OpenAICompatibleEmbedder, list[float]]]:
    """An embedder whose sleeps are only written down."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    embedder = OpenAICompatibleEmbedder(
        server.url, "m", api_key=KEY, **{"sleep": sleep, "clock": lambda: NOW, "timeout_seconds": 10.0, **options}
    )
    try:
        yield embedder, slept
    finally:
        await embedder.close()
        await embedder.close()


def lengths(vectors: list[bytes]) -> list[int]:
    """The text lengths that `good` put in."""
    pairs = [np.frombuffer(vector, "<f4") for vector in vectors]
    assert all(abs(float(pair @ pair) - 1) < 1e-5 for pair in pairs)
    return [round(float(pair[0] / pair[1])) for pair in pairs]


async def test_what_is_asked_is_what_the_protocol_says(server: Script) -> None:
    async with opened(server, dimensions=2) as (embedder, _):
        assert embedder.dimensions == 2
        assert lengths(await embedder.embed(["abc", "", "a"])) == [3, 1, 1]
        assert embedder.name == f"m@127.0.0.1:{server.port}/2"
    path, headers, body = server.requests[0]
    assert path == "/v1/embeddings"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {"model": "m", "input": ["abc", " ", "a"], "encoding_format": "float", "dimensions": 2}


async def test_a_cookie_is_not_carried_from_one_question_to_the_next(server: Script) -> None:
    def sets(body: Body) -> Answer | None:
        told = good(body)
        return None if told is None else (told[0], {**told[1], "Set-Cookie": "who=ana; Path=/"}, told[2])

    server.steps = [sets]
    async with opened(server, dimensions=2) as (embedder, _):
        await embedder.embed(["abc"])
        await embedder.embed(["abcd"])
    assert ["cookie" in headers for _, headers, _ in server.requests] == [False, False]


async def test_many_texts_go_in_batches_and_come_back_in_order(server: Script) -> None:
    server.steps = [shuffled]
    texts = ["x" * size for size in range(1, 151)]
    async with opened(server) as (embedder, _):
        assert lengths(await embedder.embed(texts)) == list(range(1, 151))
    assert [len(body["input"]) for _, _, body in server.requests] == [LARGEST_BATCH, LARGEST_BATCH, 22]


async def test_the_size_is_learnt_from_the_first_reply_and_then_held_to(server: Script) -> None:
    async with opened(server) as (embedder, _):
        with pytest.raises(MindError, match="not known"):
            _ = embedder.dimensions
        name = embedder.name
        await embedder.embed(["x"])
        assert (embedder.dimensions, embedder.name) == (2, name)
        server.steps = [raw(b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}')]
        with pytest.raises(MindError, match="3 numbers where 2 were due"):
            await embedder.embed(["x"])


async def test_passing_trouble_is_waited_out(server: Script) -> None:
    server.steps = [status(429, Retry_After="3"), status(500), good]
    async with opened(server) as (embedder, slept):
        assert await embedder.embed([]) == []
        assert lengths(await embedder.embed(["abcd"])) == [4]
        server.steps = [status(503, Retry_After="Sun, 15 Nov 2026 12:00:07 GMT"), status(503, Retry_After="soon"), good]
        await embedder.embed(["x"])
    assert slept == [3.0, 1.0, 7.0, 1.0]
    assert len(server.requests) == 6


async def test_lasting_trouble_is_reported_with_when_to_come_back(server: Script) -> None:
    server.steps = [status(503)]
    async with opened(server) as (embedder, slept):
        with pytest.raises(MindUnavailableError, match="answered 503; tried 3 times") as caught:
            await embedder.embed(["x"])
        assert caught.value.retry_after_seconds == 2.0
        assert (slept, len(server.requests)) == ([0.5, 1.0], 3)
        server.steps = [status(429, Retry_After="3600")]
        with pytest.raises(MindUnavailableError) as caught:
            await embedder.embed(["x"])
    assert caught.value.retry_after_seconds == 3600  # left to the caller


@each(["9" * 400, "1e308", "nan", "-1", "Fri, 31 Dec 9999 23:59:59 -2359", "Mon, 01 Jan 0001 00:00:00 +2359"])
async def test_nonsense_about_when_to_come_back_waits_six_hours_at_most(asked: str, server: Script) -> None:
    server.steps = [status(429, Retry_After=asked)]
    async with opened(server) as (embedder, _):
        with pytest.raises(MindUnavailableError) as caught:
            await embedder.embed(["x"])
    assert caught.value.retry_after_seconds is not None
    assert 0 <= caught.value.retry_after_seconds <= 21_600


async def test_a_server_that_says_nothing_is_unavailable(server: Script) -> None:
    server.steps = [silent]
    async with opened(server, timeout_seconds=0.05, attempts=2) as (embedder, slept):
        with pytest.raises(MindUnavailableError, match="ReadTimeout"):
            await embedder.embed(["x"])
    assert slept == [0.5]


async def test_a_server_that_is_not_there_is_unavailable(server: Script) -> None:
    async with opened(server, attempts=1) as (embedder, _):
        server.stop()
        with pytest.raises(MindUnavailableError, match="ConnectError"):
            await embedder.embed(["x"])


@pytest.mark.parametrize(
    ("code", "advice"), [(400, "check the model"), (401, "check the API key"), (403, "may not"), (404, "check the URL")]
)
async def test_a_refusal_is_final_and_quotes_neither_key_nor_text(server: Script, code: int, advice: str) -> None:
    error = {"error": {"message": f"bad key {KEY} for secret text", "type": "invalid_request_error", "code": None}}
    server.steps = [status(code, json.dumps(error).encode())]
    async with opened(server) as (embedder, slept):
        with pytest.raises(MindError, match=advice) as caught:
            await embedder.embed(["secret text"])
    assert "(invalid_request_error)" in str(caught.value)
    assert not isinstance(caught.value, MindUnavailableError)
    assert KEY not in str(caught.value)
    assert "secret text" not in str(caught.value)
    assert (slept, len(server.requests)) == ([], 1)


@each(
    [
        b"<html>hello</html>",
        b'{"data": [{"index": 0, "embed',
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 2, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [null]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 0]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 0]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}',
    ]
)
async def test_a_reply_of_the_wrong_shape_is_an_error(content: bytes, server: Script) -> None:
    server.steps = [raw(content)]
    async with opened(server) as (embedder, _):
        with pytest.raises(MindError):
            await embedder.embed(["a", "b"])


async def test_a_reply_without_numbers_is_read_in_its_own_order(server: Script) -> None:
    server.steps = [raw(b'{"data": [{"embedding": [3, 1]}, {"embedding": [5, 1]}]}')]
    async with opened(server) as (embedder, _):
        assert lengths(await embedder.embed(["a", "b"])) == [3, 5]


def test_the_name_holds_no_credentials() -> None:
    embedder = OpenAICompatibleEmbedder("https://user:pass@example.org/v1/", "text-embedding-3-small", dimensions=512)
    assert embedder.name == "text-embedding-3-small@example.org/512"
    assert "pass" not in repr(embedder)


@each(["", "localhost:11434", "ftp://example.org", "http://"])
def test_a_url_without_scheme_or_host_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="http://"):
        OpenAICompatibleEmbedder(url, "m")


async def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"relembra\[http\]"):
        await OpenAICompatibleEmbedder("http://127.0.0.1:9", "m").embed(["x"])


async def test_after_closing_it_answers_no_more(server: Script) -> None:
    async with opened(server) as (embedder, _):
        await embedder.close()
        with pytest.raises(MindError, match="closed"):
            await embedder.embed(["x"])


@pytest.mark.parametrize("code", [200, 400])
async def test_a_body_nested_without_end_is_no_list_of_embeddings(server: Script, code: int) -> None:
    server.steps = [status(code, b'{"data": ' + b"[" * 100_000 + b"]" * 100_000 + b', "error": ' + b"[" * 100_000)]
    async with opened(server) as (embedder, _):
        with pytest.raises(MindError):
            await embedder.embed(["x"])
