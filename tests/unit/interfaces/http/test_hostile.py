"""What nobody means well: bodies without end, JSON that is none, values that would be headers. Never a mistake of ours,
and nothing of what is refused is kept."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

import httpx
import pytest

from builders import a_note, kept
from houses import House, a_house
from loops import each
from relembra.interfaces.http.openai import MOST_VALUES as CHAT_VALUES
from relembra.interfaces.http.problems import PROBLEM, problem
from relembra.interfaces.http.routes import MOST_VALUES
from relembra.interfaces.http.webhooks import Sent, signed

JSON = {"Content-Type": "application/json"}
LARGEST = 4_096
CHATS = ("/v1/chat/completions", "/v1/responses")
BODIES = ("/v1/knowledge", "/v1/messages", "/v1/context", "/v1/knowledge/many", CHATS[0], "/v1/tools/search_knowledge")


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with a_house(largest_body=LARGEST, webhook_secret="signed") as made:
        yield made


@pytest.fixture
async def roomy() -> AsyncIterator[House]:
    async with a_house(webhook_secret="signed") as made:
        yield made


async def is_empty(house: House) -> bool:
    stats = await house.memory.stats()
    return stats.messages == 0 and sum(stats.items.values()) == 0


async def test_a_body_too_long_is_refused_whether_it_says_so_or_not(house: House) -> None:
    text = json.dumps({"user": "ana", "content": "a" * LARGEST}).encode()

    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(text), 1_000):
            yield text[start : start + 1_000]

    async with house.client("write", **JSON) as client:
        for path in BODIES:
            for content in (text, parts()):
                answer = await client.post(path, content=content)
                assert answer.status_code == 413 or (answer.status_code == 503 and "chat" in path), answer.text
        for length in ("-1", "1e3", "99999999999999999999", "abc", "١٢", "0x10", "5 "):
            request = client.build_request("POST", "/v1/knowledge", json={"user": "ana", "content": "Olinda"})
            request.headers["Content-Length"] = length.encode("utf-8").decode("latin-1")
            assert (await client.send(request)).status_code in (400, 413, 422), length
        lines = {"Content-Type": "application/x-ndjson"}
        longer = await client.post("/v1/import?user=ana", content=b"{}\n" * LARGEST, headers=lines)
        assert longer.status_code == 422, "imports may be longer"
    assert await is_empty(house)


OLINDA = b'{"user": "ana", "content": "Olinda"'
NO_JSON = {
    "nothing": b"",
    "cut off": b'{"user": "ana", "content": "Ol',
    "not UTF-8": b'{"user": "ana", "content": "\xff\xfe"}',
    "a mark before it": b"\xef\xbb\xbf" + OLINDA + b"}",
    "UTF-16": '{"user": "ana", "content": "Olinda"}'.encode("utf-16"),
    "nested lists": b"[" * 2_000 + b"]" * 2_000,
    "nested objects": b'{"a":' * 600 + b"1" + b"}" * 600,
    "NaN": OLINDA + b', "confidence": NaN}',
    "Infinity": OLINDA + b', "confidence": Infinity}',
    "1e400": OLINDA + b', "confidence": 1e400}',
    "half a character": b'{"user": "ana", "content": "\\ud800"}',
    "half a name": b'{"user": "\\ud800", "content": "Olinda"}',
    "half a field": OLINDA + b', "\\udfff": 1}',
    "NUL": b'{"user": "ana", "content": "\\u0000"}',
    "NUL in a name": b'{"user": "an\\u0000a", "content": "Olinda"}',
    "lines in a name": b'{"user": "ana\\r\\nX-Evil: 1", "content": "Olinda"}',
    "comments": b'{"user": "ana", /* */ "content": "Olinda"}',
    "two values": OLINDA + b"}{}",
    "a list": b"[]",
    "a word": b'"ana"',
    "null": b"null",
    "a long number": OLINDA + b', "confidence": ' + b"9" * 3_000 + b"}",
    "a long field": OLINDA + b', "' + b"x" * 3_000 + b'": 1}',
    "many unknown fields": json.dumps({"user": "ana", **{f"f{n}": n for n in range(250)}}).encode(),
}


@each(BODIES)
async def test_what_is_no_json_or_does_not_fit_is_refused_and_not_kept(path: str, house: House) -> None:
    async with house.client("write", **JSON) as client:
        for name, content in NO_JSON.items():
            answer = await client.post(path, content=content)
            assert answer.status_code in (400, 404, 422, 503), (name, answer.text)  # 503: no model is set behind chats
            assert len(answer.content) < 8_000, name
            assert answer.headers["content-type"] == ("application/json" if path in CHATS else PROBLEM)
    assert await is_empty(house)


async def test_json_without_end_and_heaps_of_small_values_are_refused_before_they_are_read(roomy: House) -> None:
    deep = b"[" * 100_000
    async with roomy.client("admin", **JSON) as client:
        for path in (*BODIES, "/v1/import?user=ana", "/mcp", "/v1/responses", "/v1/webhooks/n8n"):
            for content in (deep, b'{"messages": ' + deep + b"]" * 100_000 + b"}", b'{"a":' * 100_000):
                answer = await client.post(path, content=content)
                assert answer.status_code < 500 or answer.status_code == 503, (path, answer.text)
        for path in ("/v1/knowledge", "/v1/search", "/v1/tools/search_knowledge", "/mcp", *CHATS, "/v1/webhooks/n8n"):
            most = CHAT_VALUES if path in CHATS else MOST_VALUES
            heap = b'{"user": "ana", "tags": [' + b"1," * most + b'"a, [b], {c}"]}'
            headers = {"X-Relembra-Signature": signed("signed", Sent(path, heap), roomy.clock())}
            answer = await client.post(path, content=heap, headers=headers)
            assert answer.status_code in (400, 413, 422), answer.text
            assert f"{most:,} values" in answer.text
        assert await is_empty(roomy)
        long = {"user": "ana", "said": ", ".join(["[a]: {b}"] * 20_000)}
        assert (await client.post("/v1/messages", json=long)).status_code == 201, "a text is not many values"


async def test_of_many_wrong_values_or_a_long_name_little_is_sent_back(house: House) -> None:
    async with house.client("write", **JSON) as client:
        answer = await client.post("/v1/knowledge", json={"user": "ana", "tags": [1] * 1_000})
        told = [one["field"] for one in answer.json()["errors"] if one["field"].startswith("tags")]
        assert (answer.status_code, told) == (422, ["tags.0"])
        answer = await client.post("/v1/search", json={"user": "ana", "query": "a", "x" * 3_000: 1})
        assert (answer.status_code, len(answer.content) < 3_000) == (422, True)
    async with house.client("ana-write", **JSON) as client:
        answer = await client.post("/v1/knowledge", content=b'{"user": "ana", "user": "bia", "content": "Olinda"}')
    assert answer.status_code == 403, "of a field said twice the check and the verb read the same one"


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
        second = await client.post("/v1/import?user=bia", content=b"{}")
        assert (second.status_code, second.headers["retry-after"]) == (409, "1")
        assert (await other.post("/v1/import?user=bia", content=b"{}")).status_code == 422
        over.set()
        assert (await first).status_code == 422
        assert (await client.post("/v1/import?user=bia", content=b"{}")).status_code == 422


HEADERS = ["X-Relembra-Tenant", "X-Relembra-User", "X-Relembra-Conversation", "X-Relembra-Budget", "Idempotency-Key"]
HEADERS += ["If-Match", "Last-Event-ID", "Accept-Language", "X-Relembra-Signature", "Accept", "Origin"]
VALUES = (b"", b"\xff\xfe", b"a\x0bb", b'"' * 50, b"9" * 5_000, "۳".encode(), b"*", b"t=1,v1=", b"-1", b"\xe2\x80\xae")


@each(HEADERS)
async def test_strange_headers_are_answered(name: str, house: House) -> None:
    house.app.state.stopping.set()  # so that what never ends does
    gets = ("/v1/knowledge?user=ana", "/v1/events?user=ana", "/docs")
    posts = ("/v1/knowledge", "/v1/messages", "/mcp", "/v1/chat/completions", "/v1/webhooks/n8n")
    async with house.client("operator") as client:
        for value in VALUES:
            sent = [(key, word) for key, word in client.headers.raw if key.lower() != name.lower().encode()]
            for path in (*gets, *posts):
                body = {"json": {"user": "ana", "content": "Olinda"}} if path in posts else {}
                method, headers = "POST" if body else "GET", [*sent, (name.encode(), value)]
                answer = await client.send(client.build_request(method, path, headers=headers, **body))  # type: ignore[arg-type]
                assert answer.status_code < 500 or answer.status_code == 503, (path, value, answer.text)
                assert not any("\n" in word or "\r" in word for word in answer.headers.values())


BELIEVED = ["Host", "Authorization", "X-Relembra-Key", "X-Relembra-Tenant", "X-Relembra-User", "Origin", "Content-Type"]


@each([*BELIEVED, "Content-Length", "Idempotency-Key", "If-Match", "X-Relembra-Signature"])
async def test_a_header_said_twice_is_refused_where_one_of_them_would_be_believed(name: str, house: House) -> None:
    """Even the same twice: who stands before us may have looked at the other one."""
    async with house.client("admin") as client:
        for values in ((b"localhost", b"localhost"), (b"localhost", b"evil.example")):
            request = client.build_request("POST", "/v1/knowledge", json={"user": "ana", "content": "Olinda"})
            kept = [(key, word) for key, word in request.headers.raw if key.lower() != name.lower().encode()]
            twice = [*kept, *((name.encode(), value) for value in values)]
            answer = await client.send(httpx.Request("POST", request.url, headers=twice, content=request.content))
            assert (answer.status_code, answer.headers["content-type"]) == (400, PROBLEM), (name, answer.text)
            assert name.lower() in answer.json()["detail"]
        lists = [(b"Accept", b"text/html"), (b"Accept", b"*/*"), (b"X-Forwarded-For", b"a"), (b"X-Forwarded-For", b"b")]
        listed = await client.get("/v1/knowledge?user=ana", headers=[*client.headers.raw, *lists])
        assert listed.status_code == 200, "headers that are lists may come in parts"
    assert await is_empty(house)


@each(["conversa\r\nX-Evil: 1", "conversa\nSet-Cookie: a=b", "c\x00", "\u2028", 'a"; filename="b', "../../etc/passwd"])
async def test_what_is_told_in_a_header_cannot_begin_another(name: str, house: House) -> None:
    """Ids and titles people choose come back in Location, Link, the headers of chats and the names of files."""
    note = a_note(title=name)
    await kept(house.memory._store, note)
    talk = [{"role": "user", "content": "oi"}]
    async with house.client("write") as client:
        answers = [
            await client.post("/v1/messages", json={"user": "ana", "said": "oi", "conversation": name}),
            await client.post("/v1/conversations", json={"user": "ana", "title": name}),
            await client.post("/v1/chat/completions", json={"user": name, "messages": talk}),
            await client.get("/v1/conversations", params={"user": "ana", "limit": 1}),
        ]
        file = await client.get(f"/v1/notes/{note.id}/files", params={"user": "ana"})
        assert re.fullmatch(r'attachment; filename="[\w.-]+"', file.headers["content-disposition"], re.ASCII)
        answers.append(file)
    for answer in answers:
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        assert {"x-evil", "set-cookie"}.isdisjoint(answer.headers)
        assert not any("\n" in word or "\r" in word for word in answer.headers.values())


CARRIED = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SAID = " ".join(["what", "somebody", "said"])


async def broken() -> None:
    raise RuntimeError(SAID)


async def test_every_answer_carries_the_headers_that_keep_browsers_careful_and_tells_nothing_of_our_mistakes(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
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
        ]
        paths = ("/v1/keys", "/healthz", "/docs", "/openapi.json", "/enter", "/static/nothing")
        answers += [await stranger.get(path) for path in paths]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [200, 500, 404, 400, 413, 415, 200, 401, 200, 200, 200, 200, 404]
    for answer in answers:
        careful = CARRIED | ({"referrer-policy": "same-origin"} if answer is answers[-2] else {})  # a page of ours
        assert {name: answer.headers[name] for name in CARRIED} == careful
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
    assert {answer.headers.get("cache-control") for answer in answers[:8]} == {"no-store"}
    assert (answers[1].headers["content-type"], SAID in answers[1].text) == (PROBLEM, False)
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.getMessage() == "GET /v1/broken failed: RuntimeError"
    assert SAID not in caplog.text


def test_a_problem_quotes_half_characters_as_something_that_can_be_sent() -> None:
    assert json.loads(bytes(problem(422, "\ud800", field="x").body))["detail"] == "?"
    assert json.loads(bytes(problem(529, "busy").body))["title"] == "Error"
