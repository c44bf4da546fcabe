"""What nobody means well: bodies without end, JSON that is none, values that would be headers. Never a mistake of ours,
and nothing of what is refused is kept."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from builders import a_note, kept
from houses import House, a_house
from loops import each
from relembra.interfaces.http.problems import PROBLEM, problem
from relembra.interfaces.http.routes import MOST_VALUES
from relembra.interfaces.http.webhooks import Sent, signed
from relembra.interfaces.turns import MOST_VALUES as CHAT_VALUES

JSON = {"Content-Type": "application/json"}
LARGEST = 4_096
BODIES = (
    "/v1/knowledge",
    "/v1/messages",
    "/v1/context",
    "/v1/knowledge/many",
    "/v1/chat/completions",
    "/v1/tools/search_knowledge",
)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(largest_body=LARGEST, webhook_secret="signed") as made:
        yield made


async def is_empty(house: House) -> bool:
    stats = await house.memory.stats()
    return stats.messages == 0 and sum(stats.items.values()) == 0


# ── length ────────────────────────────────────────────────────────────────────────────────────────────────────────


@each(BODIES)
async def test_a_body_too_long_is_refused_whether_it_says_so_or_not(path: str, house: House) -> None:
    text = json.dumps({"user": "ana", "content": "a" * LARGEST}).encode()

    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(text), 1_000):
            yield text[start : start + 1_000]

    async with house.client("write", **JSON) as client:
        for content in (text, parts()):
            answer = await client.post(path, content=content)
            assert answer.status_code == 413 or (answer.status_code == 503 and "chat" in path), answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert await is_empty(house)


@each(["-1", "1e3", "99999999999999999999", "abc", "١٢", "0x10", "5 "])
async def test_a_length_that_is_none_is_refused(length: str, house: House) -> None:
    async with house.client("write", **JSON) as client:
        request = client.build_request("POST", "/v1/knowledge", json={"user": "ana", "content": "Olinda"})
        request.headers["Content-Length"] = length.encode("utf-8").decode("latin-1")
        assert (await client.send(request)).status_code in (400, 413, 422)
    assert await is_empty(house)


async def test_imports_may_be_longer(house: House) -> None:
    async with house.client("write", **{"Content-Type": "application/x-ndjson"}) as client:
        answer = await client.post("/v1/import?user=ana", content=b"{}\n" * LARGEST)
    assert answer.status_code == 422, answer.text


# ── JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────

NO_JSON = {
    "nothing": b"",
    "cut off": b'{"user": "ana", "content": "Ol',
    "not UTF-8": b'{"user": "ana", "content": "\xff\xfe"}',
    "a mark before it": b"\xef\xbb\xbf" + b'{"user": "ana", "content": "Olinda"}',
    "UTF-16": '{"user": "ana", "content": "Olinda"}'.encode("utf-16"),
    "nested lists": b"[" * 2_000 + b"]" * 2_000,
    "nested objects": b'{"a":' * 600 + b"1" + b"}" * 600,
    "NaN": b'{"user": "ana", "content": "Olinda", "confidence": NaN}',
    "Infinity": b'{"user": "ana", "content": "Olinda", "confidence": Infinity}',
    "1e400": b'{"user": "ana", "content": "Olinda", "confidence": 1e400}',
    "half a character": b'{"user": "ana", "content": "\\ud800"}',
    "half a name": b'{"user": "\\ud800", "content": "Olinda"}',
    "half a field": b'{"user": "ana", "content": "Olinda", "\\udfff": 1}',
    "NUL": b'{"user": "ana", "content": "\\u0000"}',
    "NUL in a name": b'{"user": "an\\u0000a", "content": "Olinda"}',
    "lines in a name": b'{"user": "ana\\r\\nX-Evil: 1", "content": "Olinda"}',
    "comments": b'{"user": "ana", /* */ "content": "Olinda"}',
    "two values": b'{"user": "ana", "content": "Olinda"}{}',
    "a list": b"[]",
    "a word": b'"ana"',
    "null": b"null",
    "a long number": b'{"user": "ana", "content": "Olinda", "confidence": ' + b"9" * 3_000 + b"}",
    "a long field": b'{"user": "ana", "content": "Olinda", "' + b"x" * 3_000 + b'": 1}',
    "many unknown fields": json.dumps({"user": "ana", **{f"f{n}": n for n in range(250)}}).encode(),
}


@each(BODIES)
async def test_what_is_no_json_or_does_not_fit_is_refused_and_not_kept(path: str, house: House) -> None:
    async with house.client("write", **JSON) as client:
        for name, content in NO_JSON.items():
            answer = await client.post(path, content=content)
            assert answer.status_code in (400, 404, 422, 503), (name, answer.text)  # 503: no model is set behind chats
            assert len(answer.content) < 8_000, name
            if "chat" not in path:
                assert answer.headers["content-type"] == PROBLEM
    assert await is_empty(house)


async def test_json_nested_without_end_is_refused_by_every_reader() -> None:
    deep = b"[" * 100_000
    async with a_house(webhook_secret="signed") as house, house.client("admin", **JSON) as client:
        for path in (*BODIES, "/v1/import?user=ana", "/mcp", "/v1/responses", "/v1/webhooks/n8n"):
            for content in (deep, b'{"messages": ' + deep + b"]" * 100_000 + b"}", b'{"a":' * 100_000):
                answer = await client.post(path, content=content)
                assert answer.status_code < 500 or answer.status_code == 503, (path, answer.text)


READERS = ("/v1/knowledge", "/v1/context", "/v1/search", "/v1/tools/search_knowledge", "/v1/messages", "/mcp")


@each([(path,) for path in [*READERS, "/v1/chat/completions", "/v1/responses", "/v1/webhooks/n8n"]])
async def test_a_heap_of_small_values_is_refused_before_it_is_read(path: str) -> None:
    most = CHAT_VALUES if path in ("/v1/chat/completions", "/v1/responses") else MOST_VALUES
    heap = b'{"user": "ana", "tags": [' + b"1," * most + b'"a, [b], {c}"]}'
    async with a_house(webhook_secret="signed") as house, house.client("admin", **JSON) as client:
        headers = {"X-Relembra-Signature": signed("signed", Sent(path, heap), house.clock())}
        answer = await client.post(path, content=heap, headers=headers)
        assert answer.status_code in (400, 413, 422), answer.text
        assert f"{most:,} values" in answer.text
        assert await is_empty(house)


async def test_one_wrong_value_of_many_is_told_and_not_each(house: House) -> None:
    async with house.client("write", **JSON) as client:
        for path, field in (("/v1/knowledge", "tags"), ("/v1/search", "type"), ("/v1/context", "speakers")):
            answer = await client.post(path, json={"user": "ana", field: [1] * 1_000})
            told = [one["field"] for one in answer.json()["errors"] if one["field"].startswith(field)]
            assert (answer.status_code, told) == (422, [f"{field}.0"])


async def test_a_long_text_is_not_taken_for_many_values() -> None:
    said = ", ".join(["[a]: {b}"] * 20_000)
    async with a_house() as house, house.client("write") as client:
        answer = await client.post("/v1/messages", json={"user": "ana", "said": said})
        assert answer.status_code in (200, 201), answer.text


async def test_a_caller_takes_in_one_file_at_a_time(house: House) -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        begun.set()
        yield b"{"
        await over.wait()

    lines = {"Content-Type": "application/x-ndjson"}
    async with house.client("admin", **lines) as client, house.client("write", **lines) as other:
        first = asyncio.create_task(client.post("/v1/import?user=ana", content=slowly()))
        await begun.wait()
        for path in ("/v1/import?user=bia", "/v1/import_facts?user=bia"):
            second = await client.post(path, content=b"{}")
            assert (second.status_code, second.headers["retry-after"]) == (409, "1")
        assert (await other.post("/v1/import?user=bia", content=b"{}")).status_code == 422
        over.set()
        assert (await first).status_code == 422
        assert (await client.post("/v1/import?user=bia", content=b"{}")).status_code == 422


async def test_a_long_name_is_not_sent_back(house: House) -> None:
    long = "x" * 3_000
    async with house.client("write", **JSON) as client:
        for path, body in (
            ("/v1/tools/search_knowledge", {"user": "ana", "arguments": {long: 1}}),
            ("/v1/tools/search_knowledge", {"user": "ana", "arguments": {"query": "a", "type": long}}),
            ("/v1/search", {"user": "ana", "query": "a", long: 1}),
            ("/v1/context", {"user": "ana", "format": long}),
        ):
            answer = await client.post(path, json=body)
            assert answer.status_code < 500
            assert len(answer.content) < 3_000, (path, answer.text)


async def test_a_field_said_twice_counts_as_said_last(house: House) -> None:
    async with house.client("ana-write", **JSON) as client:
        answer = await client.post("/v1/knowledge", content=b'{"user": "ana", "user": "bia", "content": "Olinda"}')
    assert answer.status_code == 403, "the check and the verb read the same one"


# ── addresses and headers ─────────────────────────────────────────────────────────────────────────────────────────

STRANGE = (
    "%00",
    "%0d%0aX-Evil:%201",
    "%ff%fe",
    "%ed%a0%80",
    "%F0%9F%A6%A9",
    "..%2f..%2fetc%2fpasswd",
    "a" * 5_000,
    "%25",
    "'--",
    "%e2%80%ae",
)


@each(STRANGE)
async def test_strange_addresses_are_answered(word: str, house: House) -> None:
    paths = (
        f"/v1/knowledge/{word}",
        f"/v1/knowledge/{word}/history",
        f"/v1/notes/{word}/files",
        f"/v1/conversations/{word}",
    )
    async with house.client("admin") as client:
        for path in (*paths, f"/v1/tools/{word}", f"/v1/links/x/{word}", f"/{word}"):
            answer = await client.get(f"{path}?user=ana")
            assert answer.status_code < 500, (path, answer.text)
            assert "x-evil" not in answer.headers
        for path in (*paths, f"/v1/jobs/{word}", f"/v1/keys/{word}"):
            assert (await client.delete(f"{path}?user=ana")).status_code < 500
        for query in (
            "user",
            "type",
            "area",
            "since",
            "as_of",
            "after",
            "limit",
            "q",
            "fragment",
            "confidence",
            "deleted",
        ):
            answer = await client.get(f"/v1/knowledge?user=ana&{query}={word}")
            assert answer.status_code < 500, (query, answer.text)
            answer = await client.get(f"/v1/messages?user=ana&{query}={word}")
            assert answer.status_code < 500, (query, answer.text)


async def test_an_address_with_very_many_parts_is_answered(house: House) -> None:
    async with house.client("admin") as client:
        answer = await client.get("/v1/knowledge?user=ana&" + "&".join(f"tags=t{n}" for n in range(3_000)))
        assert answer.status_code < 500
        answer = await client.get("/v1/knowledge?user=ana&" + "&".join(f"x{n}=1" for n in range(3_000)))
        assert answer.status_code == 422
        assert len(answer.content) < 8_000


HEADERS = (
    "X-Relembra-Tenant",
    "X-Relembra-User",
    "X-Relembra-Conversation",
    "X-Relembra-Budget",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Accept-Language",
    "X-Relembra-Signature",
    "Accept",
    "Origin",
)


@each(HEADERS)
async def test_strange_headers_are_answered(name: str, house: House) -> None:
    house.app.state.stopping.set()  # so that what never ends does
    for value in (
        b"",
        b"\xff\xfe",
        b"a\x0bb",
        b'"' * 50,
        b"9" * 5_000,
        "۳".encode(),
        b"*",
        b"t=1,v1=",
        b"-1",
        b"\xe2\x80\xae",
    ):
        async with house.client("operator") as client:
            headers = {**client.headers, name: value.decode("latin-1")}
            for method, path in (
                ("GET", "/v1/knowledge?user=ana"),
                ("GET", "/v1/events?user=ana"),
                ("GET", "/docs"),
                ("POST", "/v1/knowledge"),
                ("POST", "/v1/messages"),
                ("POST", "/mcp"),
                ("POST", "/v1/chat/completions"),
                ("POST", "/v1/webhooks/n8n"),
            ):
                body = {"json": {"user": "ana", "content": "Olinda"}} if method == "POST" else {}
                sent = [(key.encode(), word.encode("latin-1")) for key, word in headers.items()]
                request = client.build_request(method, path, headers=sent, **body)  # type: ignore[arg-type]
                answer = await client.send(request)
                assert answer.status_code < 500 or answer.status_code == 503, (path, value, answer.text)
                assert not any("\n" in word or "\r" in word for word in answer.headers.values())


@each(
    [
        "Host",
        "Authorization",
        "X-Relembra-Key",
        "X-Relembra-Tenant",
        "X-Relembra-User",
        "Origin",
        "Content-Type",
        "Content-Length",
        "Idempotency-Key",
        "If-Match",
        "X-Relembra-Signature",
    ]
)
async def test_a_header_said_twice_is_refused_where_one_of_them_would_be_believed(name: str, house: House) -> None:
    """Even the same twice: who stands before us may have looked at the other one."""
    async with house.client("admin") as client:
        for values in (("localhost", "localhost"), ("localhost", "evil.example")):
            body = {"user": "ana", "content": "Olinda"}
            request = client.build_request("POST", "/v1/knowledge", json=body)
            kept = [(key, word) for key, word in request.headers.raw if key.lower() != name.lower().encode()]
            twice = [(name.encode(), value.encode()) for value in values]
            answer = await client.send(
                httpx.Request("POST", request.url, headers=[*kept, *twice], content=request.content)
            )
            assert (answer.status_code, answer.headers["content-type"]) == (400, PROBLEM), (name, answer.text)
            assert name.lower() in answer.json()["detail"]
    assert await is_empty(house)


async def test_headers_that_are_lists_may_come_in_parts(house: House) -> None:
    async with house.client("admin") as client:
        parts = [(b"Accept", b"text/html"), (b"Accept", b"*/*"), (b"X-Forwarded-For", b"a"), (b"X-Forwarded-For", b"b")]
        headers = [*client.headers.raw, *parts]
        assert (await client.get("/v1/knowledge?user=ana", headers=headers)).status_code == 200


@each(["localhost:8484, evil.example", "localhost:x", "localhost:1@evil.example", "[::1]evil.example", "localhost:1:2"])
async def test_a_host_that_only_begins_like_ours_is_another(host: str) -> None:
    async with a_house(is_open=True, keys=False) as house, house.client(peer="127.0.0.1") as client:
        assert (await client.get("/v1/knowledge?user=ana", headers={"Host": host})).status_code == 421
        for ours in ("localhost", "localhost:8484", "LOCALHOST:80", "[::1]:8484", "127.0.0.1"):
            assert (await client.get("/v1/knowledge?user=ana", headers={"Host": ours})).status_code == 200


@each(["conversa\r\nX-Evil: 1", "conversa\nSet-Cookie: a=b", "c\x00", "\u2028", 'a"; filename="b'])
async def test_what_is_told_in_a_header_cannot_begin_another(name: str, house: House) -> None:
    """Ids people choose come back in Location, Link and the headers of chats."""
    async with house.client("write") as client:
        said = await client.post("/v1/messages", json={"user": "ana", "said": "oi", "conversation": name})
        made = await client.post("/v1/conversations", json={"user": "ana", "title": name})
        chat = await client.post(
            "/v1/chat/completions", json={"user": name, "messages": [{"role": "user", "content": "oi"}]}
        )
        listed = await client.get("/v1/conversations", params={"user": "ana", "limit": 1})
    for answer in (said, made, chat, listed):
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        assert {"x-evil", "set-cookie"}.isdisjoint(answer.headers)
        assert not any("\n" in word or "\r" in word for word in answer.headers.values())


@each(['a"; filename="evil.exe', "日本 é", "x\r\nX-Evil: 1", "../../etc/passwd"])
async def test_the_name_of_a_file_is_only_a_name(title: str, house: House) -> None:
    note = a_note(title=title)
    await kept(house.memory._store, note)
    async with house.client("read") as client:
        for kind in ("zip", "markdown"):
            answer = await client.get(f"/v1/notes/{note.id}/files", params={"user": "ana", "format": kind})
            assert answer.status_code == 200
            assert re.fullmatch(r'attachment; filename="[\w.-]+"', answer.headers["content-disposition"], re.ASCII)
            assert "x-evil" not in answer.headers


async def test_methods_nobody_knows_are_answered(house: House) -> None:
    async with house.client("admin") as client:
        for method in ("TRACE", "CONNECT", "BREW", "OPTIONS", "HEAD", "PROPFIND"):
            answer = await client.request(method, "/v1/knowledge")
            assert answer.status_code in (404, 405), method
    async with house.client("operator") as client:
        numbers = (await client.get("/metrics")).text
    assert "BREW" not in numbers
    assert 'method="other"' in numbers


# ── what every answer carries ─────────────────────────────────────────────────────────────────────────────────────

CARRIED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


async def test_every_answer_carries_the_headers_that_keep_browsers_careful(house: House) -> None:
    house.app.add_api_route("/v1/broken", broken)
    async with house.client("admin") as client, house.client() as stranger:
        answers = [
            await client.get("/v1/knowledge?user=ana"),
            await client.get("/v1/broken"),
            await client.get("/v1/nothing"),
            await client.post("/v1/knowledge", content=b"{", headers=JSON),
            await client.post("/v1/knowledge", content=b"a" * LARGEST * 2, headers=JSON),
            await client.post("/v1/knowledge", content=b"a", headers={"Content-Type": "text/plain"}),
            await client.get("/v1/keys"),
            await stranger.get("/v1/keys"),
            await stranger.get("/healthz"),
            await stranger.get("/docs"),
            await stranger.get("/openapi.json"),
        ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 500, 404, 400, 413, 415, 200, 401, 200, 200, 200]
    for answer in answers:
        assert {name: answer.headers[name] for name in CARRIED} == CARRIED
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
    assert {answer.headers.get("cache-control") for answer in answers[:8]} == {"no-store"}


SAID = " ".join(["what", "somebody", "said"])


async def broken() -> None:
    raise RuntimeError(SAID)


async def test_a_mistake_of_ours_is_told_without_what_it_was_about(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.app.add_api_route("/v1/broken", broken)
    async with house.client("admin") as client:
        answer = await client.get("/v1/broken")
    assert (answer.status_code, answer.headers["content-type"]) == (500, PROBLEM)
    assert SAID not in answer.text
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.getMessage() == "GET /v1/broken failed: RuntimeError"
    assert record.exc_text is None or SAID not in record.exc_text
    assert SAID not in caplog.text


def test_a_problem_quotes_half_characters_as_something_that_can_be_sent() -> None:
    body: dict[str, Any] = json.loads(bytes(problem(422, "\ud800", field="x").body))
    assert body["detail"] == "?"
    assert json.loads(bytes(problem(529, "busy").body))["title"] == "Error"
