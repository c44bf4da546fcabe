"""The client against a real server on this machine that answers as it is told."""

from __future__ import annotations

import inspect
import io
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

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

AnyClient = Client | BlockingClient


@dataclass
class Said:
    """One answer of the server: `broken` hangs up after this many bytes, before any where there are none."""

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    broken: int | None = None


@dataclass
class Heard:
    """One request as it arrived."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: Any


class Server:
    """Gives the answers it was told, one a request, and keeps what was asked."""

    def __init__(self) -> None:
        self.answers: list[Said] = []
        self.heard: list[Heard] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                url = urlsplit(self.path)
                named = {name.lower(): value for name, value in self.headers.items()}
                outer.heard.append(Heard(self.command, url.path, parse_qs(url.query), named, body))
                self.answer(outer.answers.pop(0))

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815  # the names the server looks for

            def answer(self, said: Said) -> None:
                content = said.body if isinstance(said.body, bytes) else json.dumps(said.body).encode()
                self.close_connection = True
                if said.broken == 0:
                    return
                self.send_response(said.status)
                usual = {"Content-Length": str(len(content)), "Connection": "close"}
                for name, value in (usual | said.headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content if said.broken is None else content[: said.broken])

            def log_message(self, *parts: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


class Waits(list[float]):
    """Notes how long it was asked to wait, and does not."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)

    async def awaited(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture(params=["awaited", "blocking"])
async def client(request: pytest.FixtureRequest, server: Server, waits: Waits) -> AsyncIterator[AnyClient]:
    if request.param == "awaited":
        async with Client(server.url, key="rlb_abc_secret", user="ana", tenant="acme", sleep=waits.awaited) as one:
            yield one
    else:
        with BlockingClient(server.url, key="rlb_abc_secret", user="ana", tenant="acme", sleep=waits) as other:
            yield other


async def answer(given: Any) -> Any:
    """What a verb answers, whichever client it is of."""
    return await given if inspect.isawaitable(given) else given


async def told(given: Any, most: int) -> list[Any]:
    """The first things a stream tells."""
    found: list[Any] = []
    if isinstance(given, AsyncIterator):
        async for one in given:
            found.append(one)
            if len(found) == most:
                await given.aclose()  # type: ignore[attr-defined]
                break
        return found
    for one in given:
        found.append(one)
        if len(found) == most:
            given.close()
            break
    return found


READS = ("/v1/context", "/v1/search", "/v1/recall")  # asked in a body, so that no address holds what was asked
VERBS: list[tuple[Callable[[AnyClient], Any], str, str, Any]] = [
    (lambda c: c.save(said="oi", replied="olá", conversation="c1"), "POST", "/v1/messages",
     {"user": "ana", "said": "oi", "replied": "olá", "conversation": "c1"}),
    (lambda c: c.messages(conversation="c1"), "GET", "/v1/messages", {"user": ["ana"], "conversation": ["c1"]}),
    (lambda c: c.load("café", budget=300), "POST", "/v1/context", {"user": "ana", "query": "café", "budget": 300}),
    (lambda c: c.search("café & açúcar", limit=3, type="preference"), "POST", "/v1/search",
     {"user": "ana", "query": "café & açúcar", "limit": 3, "type": ["preference"]}),
    (lambda c: c.recall("where?", user="bia"), "POST", "/v1/recall", {"user": "bia", "query": "where?"}),
    (lambda c: c.add("Likes tea", type="preference", held_from=datetime(2026, 1, 2, tzinfo=UTC)), "POST",
     "/v1/knowledge",
     {"user": "ana", "content": "Likes tea", "type": "preference", "held_from": "2026-01-02T00:00:00+00:00"}),
    (lambda c: c.list(history=True, tags=["a", "b"]), "GET", "/v1/knowledge",
     {"user": ["ana"], "history": ["true"], "tags": ["a", "b"]}),
    (lambda c: c.get("a/../b?"), "GET", "/v1/knowledge/a%2F..%2Fb%3F", {"user": ["ana"]}),
    (lambda c: c.validate("i1"), "POST", "/v1/knowledge/i1/validate", {"user": "ana"}),
    (lambda c: c.correct("i1", "Likes coffee", why="misheard"), "POST", "/v1/knowledge/i1/correct",
     {"user": "ana", "content": "Likes coffee", "why": "misheard"}),
    (lambda c: c.delete("i1"), "DELETE", "/v1/knowledge/i1", {"user": ["ana"]}),
    (lambda c: c.undo("i1"), "POST", "/v1/undo", {"user": "ana", "id": "i1"}),
    (lambda c: c.forget(all=True, dry_run=True), "POST", "/v1/forget", {"user": "ana", "all": True, "dry_run": True}),
    (lambda c: c.conflicts(open_only=True), "GET", "/v1/conflicts", {"user": ["ana"], "open_only": ["true"]}),
    (lambda c: c.resolve("k1", keep="new"), "POST", "/v1/conflicts/k1/resolve", {"user": "ana", "keep": "new"}),
    (lambda c: c.notes(), "GET", "/v1/notes", {"user": ["ana"]}),
    (lambda c: c.profile(language="pt"), "GET", "/v1/profile", {"user": ["ana"], "language": ["pt"]}),
]  # fmt: skip


@pytest.mark.parametrize(("call", "method", "path", "parts"), VERBS, ids=[f"{verb[1]} {verb[2]}" for verb in VERBS])
async def test_each_verb_is_one_request(
    client: AnyClient, server: Server, call: Callable[[AnyClient], Any], method: str, path: str, parts: Any
) -> None:
    server.answers = [Said(body={"done": "sim"})]
    assert await answer(call(client)) == {"done": "sim"}
    [heard] = server.heard
    assert (heard.method, heard.path) == (method, path)
    assert (heard.body if method == "POST" else heard.query) == parts
    assert heard.headers["authorization"] == "Bearer rlb_abc_secret"
    assert heard.headers["x-relembra-tenant"] == "acme"
    assert ("idempotency-key" in heard.headers) == (method != "GET" and path not in READS)


async def test_every_verb_is_tried_above() -> None:
    verbs, blocking = ({name for name in dir(kind) if name[0] != "_"} for kind in (Client, BlockingClient))
    assert verbs == blocking
    assert len(verbs - {"call", "close", "export", "watch"}) == len(VERBS)


async def test_any_verb_is_called_by_its_name_as_memory_takes_it(client: AnyClient, server: Server) -> None:
    server.answers = [Said(), Said(), Said()]
    await answer(client.call("rename_conversation", "casa/geral", "Férias"))
    await answer(client.call("block", "mallory"))
    await answer(client.call("rollback", "r1", space="casa", user="bia"))
    asked = [(heard.method, heard.path, heard.body) for heard in server.heard]
    assert asked == [
        ("PATCH", "/v1/conversations/casa%2Fgeral", {"user": "ana", "title": "Férias"}),
        ("POST", "/v1/block", {"person": "mallory"}),
        ("POST", "/v1/consolidations/r1/rollback", {"user": "bia", "space": "casa"}),
    ]
    with pytest.raises(InvalidInputError, match="no verb"):
        client.call("salvage")


def test_what_may_be_given_by_position_is_what_memory_takes_so() -> None:
    for verb in ROWS.values():
        taken = inspect.signature(getattr(Memory, verb.method)).parameters.values()
        named = [one.name for one in taken if one.kind is one.POSITIONAL_OR_KEYWORD and one.name != "self"]
        if verb.name not in ("load", "tools", "reindex") and not verb.hidden:
            assert [*re.findall(r"{(\w+)", verb.path), *verb.positional] == named, verb.name


async def test_a_list_of_messages_is_sent_with_its_moments_as_text(client: AnyClient, server: Server) -> None:
    server.answers = [Said()]
    said = {"role": "user", "content": "oi", "at": datetime(2026, 3, 1, tzinfo=UTC), "id": None}
    await answer(client.save(messages=[said]))
    assert server.heard[0].body == {
        "user": "ana",
        "messages": [{"role": "user", "content": "oi", "at": "2026-03-01T00:00:00+00:00"}],
    }


async def test_a_version_is_named_where_the_editor_expects_one(client: AnyClient, server: Server) -> None:
    server.answers = [Said(), Said(412, {"detail": "changed since"})]
    await answer(client.validate("i1", version=3))
    assert server.heard[0].headers["if-match"] == '"3"'
    with pytest.raises(StaleError, match="changed since"):
        await answer(client.delete("i1", version=3))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidInputError),
        (401, RefusedError),
        (403, RefusedError),
        (404, NotFoundError),
        (409, ConflictError),
        (412, StaleError),
        (413, InvalidInputError),
        (422, InvalidInputError),
        (500, RefusedError),
        (501, RefusedError),
        (502, MindError),
        (504, TooLongError),
        (507, StoreFullError),
    ],
)
async def test_problems_are_our_errors_in_the_server_s_words_and_not_tried_again(
    client: AnyClient, server: Server, waits: Waits, status: int, kind: type[RelembraError]
) -> None:
    problem = {"type": "about:blank", "title": "…", "status": status, "detail": "não deu", "field": "query"}
    server.answers = [Said(status, problem, {"Content-Type": "application/problem+json"})]
    with pytest.raises(kind, match="não deu") as caught:
        await answer(client.search("café"))
    assert type(caught.value) is kind
    assert len(server.heard) == 1
    assert waits == []
    if isinstance(caught.value, RefusedError):
        assert caught.value.status == status
    if isinstance(caught.value, InvalidInputError):
        assert caught.value.field == "query"


async def test_an_answer_that_is_no_problem_document_is_told_by_its_status(client: AnyClient, server: Server) -> None:
    server.answers = [Said(418, b"<html>teapot</html>"), Said(200, b"<html>hello</html>"), Said(302, b"[]")]
    with pytest.raises(RefusedError, match="answered 418"):
        await answer(client.notes())
    with pytest.raises(RefusedError, match="no JSON object"):
        await answer(client.notes())
    with pytest.raises(RefusedError, match="answered 302"):
        await answer(client.notes())


async def test_a_write_whose_answer_was_lost_is_sent_again_under_the_same_key(
    client: AnyClient, server: Server, waits: Waits
) -> None:
    server.answers = [Said(broken=0), Said(body={"id": "x" * 100}, broken=10), Said(503), Said(201, {"id": "i1"})]
    assert await answer(client.add("Likes tea")) == {"id": "i1"}
    assert len({heard.headers["idempotency-key"] for heard in server.heard}) == 1
    assert [heard.body["content"] for heard in server.heard] == ["Likes tea"] * 4
    assert waits == [0.5, 1.0, 2.0]
    server.answers = [Said(201, {"id": "i2"})]
    await answer(client.add("Likes tea"))
    assert server.heard[-1].headers["idempotency-key"] != server.heard[0].headers["idempotency-key"]


@pytest.mark.parametrize("status", [429, 503, 409])
async def test_what_is_refused_for_the_moment_is_asked_again_when_the_server_says(
    client: AnyClient, server: Server, waits: Waits, status: int
) -> None:
    server.answers = [Said(status, {}, {"Retry-After": "7"}), Said(body={"items": []})]
    assert await answer(client.list()) == {"items": []}
    assert waits == [7.0]


async def test_the_moment_may_be_a_date(client: AnyClient, server: Server, waits: Waits) -> None:
    late = format_datetime(datetime.now(UTC) - timedelta(minutes=1), usegmt=True)
    server.answers = [
        Said(503, {}, {"Retry-After": late}),
        Said(503, {}, {"Retry-After": "soon"}),
        Said(),
    ]
    await answer(client.list())
    assert waits == [0.0, 1.0]


async def test_it_gives_up_after_a_few_times(client: AnyClient, server: Server, waits: Waits) -> None:
    server.answers = [Said(429, {"detail": "slow down"}, {"Retry-After": "2"})] * 4
    with pytest.raises(RefusedError, match="slow down") as caught:
        await answer(client.list())
    assert (caught.value.status, caught.value.retry_after_seconds) == (429, 2.0)
    assert waits == [2.0, 2.0, 2.0]
    server.answers = [Said(409, {"detail": "at it"}, {"Retry-After": "1"})] * 4
    with pytest.raises(BusyError, match="at it"):
        await answer(client.undo("i1"))


async def test_it_does_not_wait_longer_than_half_a_minute(client: AnyClient, server: Server, waits: Waits) -> None:
    server.answers = [Said(503, {"detail": "being mended"}, {"Retry-After": "3600"})]
    with pytest.raises(StoreUnavailableError, match="being mended") as caught:
        await answer(client.list())
    assert caught.value.retry_after_seconds == 3600.0
    assert waits == []


async def test_a_server_that_is_not_there(client: AnyClient, server: Server, waits: Waits) -> None:
    server._http.server_close()
    with pytest.raises(StoreUnavailableError, match="is it running"):
        await answer(client.list())
    assert len(waits) == 3


async def test_what_cannot_be_sent_is_not_tried_again(server: Server, waits: Waits) -> None:
    for url, key in (("127.0.0.1:8484", None), ("ftp://127.0.0.1", None), (server.url, "rlb\n_x")):
        async with Client(url, key=key, sleep=waits.awaited) as client:
            with pytest.raises(InvalidInputError, match="check the url"):
                await client.list()
    assert waits == []


async def test_an_id_that_is_none_is_refused_before_it_is_sent(client: AnyClient, server: Server) -> None:
    for id in ("", ".", ".."):
        with pytest.raises(InvalidInputError):
            client.validate(id)
    assert server.heard == []


async def test_an_export_is_a_whole_file_or_none(client: AnyClient, server: Server, tmp_path: Path) -> None:
    whole = b'{"relembra": 1}\n' * 10_000
    target = tmp_path / "ana.json"
    server.answers = [Said(body=whole, broken=50_000), Said(403, {"detail": "not yours"}), Said(body=whole)]
    with pytest.raises(StoreUnavailableError):
        await answer(client.export(target))
    with pytest.raises(RefusedError, match="not yours"):
        await answer(client.export(target))
    assert list(tmp_path.iterdir()) == []
    assert await answer(client.export(target)) == len(whole)
    assert target.read_bytes() == whole
    assert server.heard[-1].query == {"user": ["ana"], "format": ["json"]}
    with pytest.raises(ConflictError, match="overwrite"):
        await answer(client.export(target))
    stream = io.BytesIO()
    server.answers = [Said(body=b"{}\n"), Said(body=b"{}\n")]
    await answer(client.export(stream, format="jsonl"))
    assert stream.getvalue() == b"{}\n"
    await answer(client.export(target, overwrite=True))
    assert target.read_bytes() == b"{}\n"


def an_event(number: int, **parts: Any) -> bytes:
    return f"id: {number}\nevent: add\ndata: {json.dumps({'number': number} | parts, ensure_ascii=False)}\n\n".encode()


async def test_what_is_learnt_is_told_and_a_broken_stream_is_taken_up_where_it_broke(
    client: AnyClient, server: Server, waits: Waits
) -> None:
    first = b": still here\r\n\r\n" + an_event(1, text="linha\u2028outra \x85 fim") + an_event(2)
    server.answers = [
        Said(body=first + an_event(3), broken=len(first) + 12),
        Said(body=an_event(3)),
        Said(body=an_event(4)),
    ]
    found = await told(client.watch(after=0), 4)
    assert [event["number"] for event in found] == [1, 2, 3, 4]
    assert found[0]["text"] == "linha\u2028outra \x85 fim"
    assert [heard.headers["last-event-id"] for heard in server.heard] == ["0", "2", "3"]
    assert waits == [0.5, 0.5]


async def test_a_stream_that_tells_nothing_any_more_is_given_up(client: AnyClient, server: Server) -> None:
    server.answers = [Said(body=b"")] * 4
    with pytest.raises(StoreUnavailableError):
        await told(client.watch(), 1)
    server.answers = [Said(401, {"detail": "no key"})]
    with pytest.raises(RefusedError, match="no key"):
        await told(client.watch(), 1)


async def test_without_a_user_or_a_key_none_is_sent(server: Server) -> None:
    async with Client(server.url) as client:
        server.answers = [Said()]
        await client.list()
    assert server.heard[0].query == {}
    assert "authorization" not in server.heard[0].headers
