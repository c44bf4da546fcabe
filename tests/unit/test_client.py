"""The client against a real server on this machine that answers as it is told."""

from __future__ import annotations

import asyncio
import inspect
import io
import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from loops import each
from relembra import Memory
from relembra.client import BlockingClient, Client
from relembra.errors import (
    BusyError,
    ConflictError,
    InvalidInputError,
    MindError,
    NotFoundError,
    RefusedError,
    RelembraError,
    StaleError,
    StoreFullError,
    StoreUnavailableError,
    TooLongError,
)
from relembra.verbs import VERBS as ROWS
from upstreams import Asked, Line, ScriptedUpstream, Step, answers, hangs_up, upstream


def said(status: int = 200, body: Any = None, **headers: str) -> Step:
    content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
    return answers(status, content, {name.replace("_", "-"): value for name, value in headers.items()})


def cut(content: bytes, at: int) -> Step:
    """An answer whose connection breaks off."""

    async def step(_: Asked, line: Line) -> None:
        head = f"HTTP/1.1 200 As Told\r\nContent-Length: {len(content)}\r\n\r\n"
        await line.write(head.encode() + content[:at])

    return step


class Waits(list[float]):
    """Notes how long it was asked to wait, and does not."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedUpstream]:
    async with upstream(said()) as running:
        running.url = running.url.removesuffix("/v1")
        yield running


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def client(server: ScriptedUpstream, waits: Waits) -> AsyncIterator[Client]:
    async with Client(server.url, key="rlb_abc_secret", user="ana", tenant="acme", sleep=waits) as one:
        yield one


async def told(given: Any, most: int) -> list[Any]:
    """The first things a stream tells."""
    found = [await anext(given) for _ in range(most)]
    await given.aclose()
    return found


READS = ("/v1/context", "/v1/search", "/v1/recall")  # asked in a body, so that no address holds what was asked
VERBS: list[tuple[Callable[[Any], Any], str, str, Any]] = [
    (lambda c: c.save(said="oi", replied="olá", conversation="c1"), "POST", "/v1/messages",
     {"user": "ana", "said": "oi", "replied": "olá", "conversation": "c1"}),
    (lambda c: c.save(messages=[{"role": "user", "at": datetime(2026, 3, 1, tzinfo=UTC), "id": None}]), "POST",
     "/v1/messages", {"user": "ana", "messages": [{"role": "user", "at": "2026-03-01T00:00:00+00:00"}]}),
    (lambda c: c.search("café & açúcar", limit=3, type="preference"), "POST", "/v1/search",
     {"user": "ana", "query": "café & açúcar", "limit": 3, "type": ["preference"]}),
    (lambda c: c.recall("where?", user="bia"), "POST", "/v1/recall", {"user": "bia", "query": "where?"}),
    (lambda c: c.add("Likes tea", type="preference", held_from=datetime(2026, 1, 2, tzinfo=UTC)), "POST",
     "/v1/knowledge",
     {"user": "ana", "content": "Likes tea", "type": "preference", "held_from": "2026-01-02T00:00:00+00:00"}),
    (lambda c: c.list(history=True, tags=["a", "b"]), "GET", "/v1/knowledge",
     {"user": ["ana"], "history": ["true"], "tags": ["a", "b"]}),
    (lambda c: c.get("a/../b?"), "GET", "/v1/knowledge/a%2F..%2Fb%3F", {"user": ["ana"]}),
    (lambda c: c.correct("i1", "Likes coffee", why="misheard"), "POST", "/v1/knowledge/i1/correct",
     {"user": "ana", "content": "Likes coffee", "why": "misheard"}),
    (lambda c: c.delete("i1"), "DELETE", "/v1/knowledge/i1", {"user": ["ana"]}),
    (lambda c: c.forget(all=True, dry_run=True), "POST", "/v1/forget", {"user": "ana", "all": True, "dry_run": True}),
    (lambda c: c.resolve("k1", keep="new"), "POST", "/v1/conflicts/k1/resolve", {"user": "ana", "keep": "new"}),
    (lambda c: c.rename_conversation("casa/geral", "Férias"), "PATCH", "/v1/conversations/casa%2Fgeral",
     {"user": "ana", "title": "Férias"}),
    (lambda c: c.call("block", "mallory"), "POST", "/v1/block", {"person": "mallory"}),
    (lambda c: c.call("rollback", "r1", space="casa", user="bia"), "POST", "/v1/consolidations/r1/rollback",
     {"user": "bia", "space": "casa"}),
]  # fmt: skip


@each(VERBS)
async def test_each_verb_is_one_request(
    call: Callable[[Any], Any], method: str, path: str, parts: Any, client: Client, server: ScriptedUpstream
) -> None:
    server.script(said(200, {"done": "sim"}))
    assert await call(client) == {"done": "sim"}
    asked, url = server.asked[-1], urlsplit(server.asked[-1].path)
    assert (asked.method, url.path, asked.body or parse_qs(url.query)) == (method, path, parts)
    assert asked.headers["authorization"] == "Bearer rlb_abc_secret"
    assert asked.headers["x-relembra-tenant"] == "acme"
    assert ("idempotency-key" in asked.headers) == (method != "GET" and path not in READS)


def test_what_may_be_given_by_position_is_what_memory_takes_so() -> None:
    verbs, blocking = ({name for name in dir(kind) if name[0] != "_"} for kind in (Client, BlockingClient))
    assert verbs == blocking
    for verb in ROWS.values():
        taken = inspect.signature(getattr(Memory, verb.name)).parameters.values()
        named = [one.name for one in taken if one.kind is one.POSITIONAL_OR_KEYWORD and one.name != "self"]
        if verb.name not in ("load", "tools", "reindex") and not verb.hidden:
            assert [*re.findall(r"{(\w+)", verb.path), *verb.positional] == named, verb.name


async def test_a_version_is_named_where_the_editor_expects_one(client: Client, server: ScriptedUpstream) -> None:
    await client.validate("i1", version=3)
    assert server.asked[0].headers["if-match"] == '"3"'
    server.script(said(412, {"detail": "changed since"}))
    with pytest.raises(StaleError, match="changed since"):
        await client.delete("i1", version=3)


@each(
    [(400, InvalidInputError), (401, RefusedError), (403, RefusedError), (404, NotFoundError), (409, ConflictError),
     (412, StaleError), (413, InvalidInputError), (422, InvalidInputError), (500, RefusedError), (501, RefusedError),
     (502, MindError), (504, TooLongError), (507, StoreFullError)]
)  # fmt: skip
async def test_problems_are_our_errors_in_the_server_s_words_and_not_tried_again(
    status: int, kind: type[RelembraError], client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    server.script(said(status, {"status": status, "detail": "não deu", "field": "query"}))
    before = len(server.asked)
    with pytest.raises(kind, match="não deu") as caught:
        await client.search("café")
    assert type(caught.value) is kind
    assert (len(server.asked) - before, waits, getattr(caught.value, "status", status)) == (1, [], status)
    assert getattr(caught.value, "field", "query") == "query"


async def test_what_cannot_be_sent_or_is_no_answer_of_ours_is_not_tried_again(
    client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    for step, words in (
        (said(418, b"<html>teapot</html>"), "answered 418"),
        (said(200, b"<html>hello</html>"), "no JSON object"),
        (said(302, b"[]"), "answered 302"),
    ):
        server.script(step)
        with pytest.raises(RefusedError, match=words):
            await client.notes()
    asked = len(server.asked)
    for id in ("", ".", ".."):
        with pytest.raises(InvalidInputError):
            await client.validate(id)
    with pytest.raises(InvalidInputError, match="no verb"):
        await client.call("salvage")
    for url, key in (("127.0.0.1:8484", None), ("ftp://127.0.0.1", None), (server.url, "rlb\n_x")):
        async with Client(url, key=key, sleep=waits) as other:
            with pytest.raises(InvalidInputError, match="check the url"):
                await other.list()
    assert (len(server.asked), waits) == (asked, [])


async def test_a_write_whose_answer_was_lost_is_sent_again_under_the_same_key(
    client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    server.script(hangs_up, cut(b"x" * 100, 10), said(503), said(201, {"id": "i1"}))
    assert await client.add("Likes tea") == {"id": "i1"}
    assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1
    assert ([asked.body["content"] for asked in server.asked], waits) == (["Likes tea"] * 4, [0.5, 1.0, 2.0])
    await client.add("Likes tea")
    assert server.asked[-1].headers["idempotency-key"] != server.asked[0].headers["idempotency-key"]


async def test_what_is_refused_for_the_moment_is_asked_again_when_the_server_says(
    client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    again = [said(status, {}, Retry_After="7") for status in (429, 503, 409)]
    server.script(*again, said(200, {"items": []}))
    assert await client.list() == {"items": []}
    server.script(said(503, {}, Retry_After="soon"), said())
    await client.list()
    assert waits == [7.0, 7.0, 7.0, 0.5]


async def test_it_gives_up_after_a_few_times_or_half_a_minute(
    client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    server.script(said(429, {"detail": "slow down"}, Retry_After="2"))
    with pytest.raises(RefusedError, match="slow down") as caught:
        await client.list()
    assert (caught.value.status, caught.value.retry_after_seconds, waits) == (429, 2.0, [2.0, 2.0, 2.0])
    server.script(said(409, {"detail": "at it"}, Retry_After="1"))
    with pytest.raises(BusyError, match="at it"):
        await client.undo("i1")
    waits.clear()
    server.script(said(503, {"detail": "being mended"}, Retry_After="3600"))
    with pytest.raises(StoreUnavailableError, match="being mended") as late:
        await client.list()
    assert (late.value.retry_after_seconds, waits) == (3600.0, [])
    async with Client("http://127.0.0.1:9", sleep=waits) as nobody:
        with pytest.raises(StoreUnavailableError, match="is it running"):
            await nobody.list()
    assert len(waits) == 3


async def test_an_export_is_a_whole_file_or_none(client: Client, server: ScriptedUpstream, tmp_path: Path) -> None:
    whole, target = b'{"relembra": 1}\n' * 10_000, tmp_path / "ana.json"
    server.script(cut(whole, 50_000), said(403, {"detail": "not yours"}), said(200, whole))
    with pytest.raises(StoreUnavailableError):
        await client.export(target)
    with pytest.raises(RefusedError, match="not yours"):
        await client.export(target)
    assert (list(tmp_path.iterdir()), await client.export(target)) == ([], len(whole))
    assert (target.read_bytes(), server.asked[-1].path) == (whole, "/v1/export?user=ana&format=json")
    with pytest.raises(ConflictError, match="overwrite"):
        await client.export(target)
    stream = io.BytesIO()
    server.script(said(200, b"{}\n"))
    await client.export(stream, format="jsonl")
    await client.export(target, overwrite=True)
    assert stream.getvalue() == target.read_bytes() == b"{}\n"


def an_event(number: int, **parts: Any) -> bytes:
    return f"id: {number}\nevent: add\ndata: {json.dumps({'number': number} | parts, ensure_ascii=False)}\n\n".encode()


async def test_what_is_learnt_is_told_and_a_broken_stream_is_taken_up_where_it_broke(
    client: Client, server: ScriptedUpstream, waits: Waits
) -> None:
    first = b": still here\r\n\r\n" + an_event(1, text="linha\u2028outra \x85 fim") + an_event(2)
    server.script(cut(first + an_event(3), len(first) + 12), said(200, an_event(3)), said(200, an_event(4)))
    found = await told(client.watch(after=0), 4)
    assert [event["number"] for event in found] == [1, 2, 3, 4]
    assert found[0]["text"] == "linha\u2028outra \x85 fim"
    assert ([asked.headers["last-event-id"] for asked in server.asked], waits) == (["0", "2", "3"], [0.5, 0.5])
    server.script(said(200, b""))
    with pytest.raises(StoreUnavailableError):
        await told(client.watch(), 1)
    server.script(said(401, {"detail": "no key"}))
    with pytest.raises(RefusedError, match="no key"):
        await told(client.watch(), 1)


async def test_the_blocking_client_does_the_same_and_without_a_user_or_a_key_none_is_sent(
    server: ScriptedUpstream,
) -> None:
    server.script(said(200, {"items": []}), said(200, b"{}\n"), said(200, an_event(1)), said(403, {"detail": "no"}))

    def use() -> None:
        with BlockingClient(server.url) as client:
            assert client.list() == {"items": []}
            assert client.export(stream := io.BytesIO()) == len(stream.getvalue()) == 3
            watching = client.watch()
            assert next(watching)["number"] == 1
            watching.close()
            with pytest.raises(RefusedError, match="no"):
                client.get("i1")

    await asyncio.to_thread(use)
    assert server.asked[0].path == "/v1/knowledge"
    assert "authorization" not in server.asked[0].headers
