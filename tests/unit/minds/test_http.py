"""The HTTP embedder against a real server on loopback that follows a script."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from loops import each
from relembra.errors import MindError, MindUnavailableError, MissingExtraError, SettingsError
from relembra.minds.embedders import LARGEST_BATCH, OpenAICompatibleEmbedder
from scripted import KEY, Raw, Request, ScriptedModel, Silence


def good(request: Request) -> Raw:
    """Each text becomes (its length, 1), so that order can be seen; they come in another order than asked for."""
    items = [{"index": place, "embedding": [len(text), 1.0]} for place, text in enumerate(request.body["input"])]
    return Raw(200, json.dumps({"data": items[::-1]}).encode(), {"Set-Cookie": "who=ana; Path=/"})


def status(code: int, **headers: str) -> Raw:
    return Raw(code, b"{}", {name.replace("_", "-"): value for name, value in headers.items()})


@asynccontextmanager
async def opened(server: ScriptedModel, **options: Any) -> AsyncIterator[tuple[OpenAICompatibleEmbedder, list[float]]]:
    """An embedder whose sleeps are only written down."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    embedder = OpenAICompatibleEmbedder(
        server.url, "m", api_key=KEY, **{"sleep": sleep, "timeout_seconds": 10.0, **options}
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


async def test_what_is_asked_is_what_the_protocol_says_and_no_cookie_is_carried(server: ScriptedModel) -> None:
    server.afresh(good)
    async with opened(server, dimensions=2) as (embedder, _):
        assert (embedder.dimensions, lengths(await embedder.embed(["abc", "", "a"]))) == (2, [3, 1, 1])
        assert embedder.name == f"m@{server.root.removeprefix('http://')}/2"
        await embedder.embed(["abcd"])
    first, second = server.requests
    assert (first.path, first.headers["authorization"]) == ("/v1/embeddings", f"Bearer {KEY}")
    assert first.body == {"model": "m", "input": ["abc", " ", "a"], "encoding_format": "float", "dimensions": 2}
    assert "cookie" not in second.headers


async def test_many_texts_go_in_batches_and_come_back_in_order(server: ScriptedModel) -> None:
    server.afresh(good)
    texts = ["x" * size for size in range(1, 151)]
    async with opened(server) as (embedder, _):
        assert (await embedder.embed([]), lengths(await embedder.embed(texts))) == ([], list(range(1, 151)))
    assert [len(request.body["input"]) for request in server.requests] == [LARGEST_BATCH, LARGEST_BATCH, 22]


async def test_the_size_is_learnt_from_the_first_reply_and_then_held_to(server: ScriptedModel) -> None:
    server.afresh(good, Raw(200, b'{"data": [{"embedding": [1, 2, 3]}]}'))
    async with opened(server) as (embedder, _):
        with pytest.raises(MindError, match="not known"):
            _ = embedder.dimensions
        name = embedder.name
        await embedder.embed(["x"])
        assert (embedder.dimensions, embedder.name) == (2, name)
        with pytest.raises(MindError, match="3 numbers where 2 were due"):
            await embedder.embed(["x"])


async def test_passing_trouble_is_waited_out(server: ScriptedModel) -> None:
    async with opened(server) as (embedder, slept):
        server.afresh(status(429, Retry_After="3"), status(500), good)
        assert lengths(await embedder.embed(["abcd"])) == [4]
    assert slept == [3.0, 1.0]


async def test_lasting_trouble_is_reported_with_when_to_come_back(server: ScriptedModel) -> None:
    server.afresh(status(503))
    async with opened(server) as (embedder, slept):
        with pytest.raises(MindUnavailableError, match="answered 503; tried 3 times") as caught:
            await embedder.embed(["x"])
        assert (caught.value.retry_after_seconds, slept, server.calls) == (2.0, [0.5, 1.0], 3)
        server.afresh(status(429, Retry_After="3600"))
        with pytest.raises(MindUnavailableError) as caught:
            await embedder.embed(["x"])
    assert caught.value.retry_after_seconds == 3600  # left to the caller


@each(["nan", "-1", "soon", "Fri, 31 Dec 9999 23:59:59 -2359"])
async def test_nonsense_about_when_to_come_back_is_passed_over(asked: str, server: ScriptedModel) -> None:
    server.afresh(status(429, Retry_After=asked), good)
    async with opened(server) as (embedder, slept):
        await embedder.embed(["x"])
    assert slept == [0.5]


async def test_a_server_that_says_nothing_or_is_not_there_is_unavailable(server: ScriptedModel) -> None:
    server.afresh(Silence())
    async with opened(server, timeout_seconds=0.05, attempts=2) as (embedder, slept):
        with pytest.raises(MindUnavailableError, match="ReadTimeout"):
            await embedder.embed(["x"])
    assert slept == [0.5]
    with pytest.raises(MindUnavailableError, match="ConnectError"):
        await OpenAICompatibleEmbedder("http://127.0.0.1:9", "m", attempts=1).embed(["x"])


@each([(400, "check the model"), (401, "check the API key"), (403, "may not"), (404, "check the URL")])
async def test_a_refusal_is_final_and_quotes_neither_key_nor_text(
    code: int, advice: str, server: ScriptedModel
) -> None:
    error = {"error": {"message": f"bad key {KEY} for secret text", "type": "invalid_request_error", "code": None}}
    server.afresh(Raw(code, json.dumps(error).encode()))
    async with opened(server) as (embedder, slept):
        with pytest.raises(MindError, match=advice) as caught:
            await embedder.embed(["secret text"])
    assert not isinstance(caught.value, MindUnavailableError)
    assert not any(word in str(caught.value) for word in (KEY, "secret text"))
    assert (slept, server.calls) == ([], 1)


NESTED = b'{"data": ' + b"[" * 100_000 + b"]" * 100_000 + b', "error": ' + b"[" * 100_000


@each(
    [
        b"<html>hello</html>",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}, {"index": 1, "embedding": [1, 0]}]}',
        b'{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}',
        NESTED,
    ]
)
async def test_a_reply_of_the_wrong_shape_is_an_error(content: bytes, server: ScriptedModel) -> None:
    server.afresh(Raw(200, content))
    async with opened(server) as (embedder, _):
        with pytest.raises(MindError):
            await embedder.embed(["a", "b"])


async def test_it_says_what_is_wrong_with_an_address_a_package_or_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = OpenAICompatibleEmbedder("https://user:pass@example.org/v1/", "text-embedding-3-small", dimensions=512)
    assert embedder.name == "text-embedding-3-small@example.org/512"
    for url in ("", "localhost:11434", "ftp://example.org", "http://"):
        with pytest.raises(SettingsError, match="http://"):
            OpenAICompatibleEmbedder(url, "m")
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"relembra\[http\]"):
        await embedder.embed(["x"])
    await embedder.close()
    with pytest.raises(MindError, match="closed"):
        await embedder.embed(["x"])
