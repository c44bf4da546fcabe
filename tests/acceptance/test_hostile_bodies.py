"""The real server and bodies made to swell once they are read: how much room they take, and who waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import httpx
import msgspec
import pytest

from acceptance.running import RELEMBRA
from acceptance.served import PATIENCE_SECONDS, Running, serving
from builders import a_message
from relembra.interfaces.http.webhooks import Sent, signed
from relembra.transfer.parts import plain

MIB = 1024 * 1024
LARGE = 12 * MIB
ROOM = 200 * MIB
"""The most a server may grow by, whatever it is sent; before, a body took up to sixty times its size."""
LONGEST_WAIT_SECONDS = 5.0
"""Of others meanwhile; it is a tenth of a second, and was up to thirty."""

SECRET = "signed"
HEAD = b'{"format":"relembra","version":1,"tenant":"default","user":"ana","exported_at":"2026-01-01T00:00:00Z"'
LINE = HEAD.replace(b"{", b'{"row":"header",') + b"}\n"
EVERYBODY = LINE.replace(b'"user":"ana"', b'"user":null')
CHAT = b'{"model":"m","messages":['


def filled(start: bytes, unit: bytes, end: bytes, size: int) -> bytes:
    """As many times a value as fit in."""
    return start + (unit * ((size - len(start) - len(end)) // len(unit)))[:-1] + end


def named(start: bytes, size: int) -> bytes:
    """An object of very many names."""
    return start + b",".join(b'"%x":1' % number for number in range(size // 11)) + b"}"


BODIES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "import of lists": ("/v1/import?user=ana", lambda: filled(HEAD + b',"items":[', b"[],", b"]}", LARGE)),
    "import of one row": ("/v1/import?user=ana", lambda: filled(HEAD + b',"items":[{"a":[', b"[],", b"]}]}", LARGE)),
    "import of names": ("/v1/import?user=ana", lambda: named(HEAD + b",", LARGE)),
    "import of one line": ("/v1/import?user=ana", lambda: LINE + filled(b'{"row":"item","x":', b"[],", b"]}\n", LARGE)),
    "import of people": ("/v1/import", lambda: EVERYBODY + b'{"row":"person","user":"a"}\n' * (LARGE // 28)),
    "chat of lists": ("/v1/chat/completions", lambda: filled(CHAT, b"[],", b"]}", LARGE)),
    "chat of names": ("/v1/chat/completions", lambda: named(b"{", LARGE)),
    "knowledge with tags": ("/v1/knowledge", lambda: filled(b'{"user":"ana","tags":[', b"1,", b"]}", MIB)),
    "search with types": ("/v1/search", lambda: filled(b'{"user":"ana","query":"a","type":[', b"[],", b"]}", MIB)),
    "webhook with entries": (
        "/v1/webhooks/n8n",
        lambda: filled(b'{"id":"1","from":"2","text":[', b"1,", b"]}", MIB),
    ),
    "mcp": (
        "/mcp",
        lambda: filled(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":[', b"1,", b"]}}", MIB),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    command = (*RELEMBRA, "serve", "--json", "--db", "m.db", "--port", "0")
    with serving(tmp_path_factory.mktemp("server"), *command, RELEMBRA_WEBHOOK_SECRET=SECRET) as made:
        known = {"user": "ana", "content": "Mora em Olinda."}
        assert httpx.post(f"{made.url}/v1/knowledge", json=known, timeout=PATIENCE_SECONDS).status_code == 201
        yield made


def memory_of(running: Running, name: str) -> int:
    lines = Path(f"/proc/{running.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def answered(running: Running, path: str, body: bytes) -> httpx.Response:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    headers |= {"X-Relembra-Signature": signed(SECRET, Sent(path, body), datetime.now(UTC)), "X-Relembra-User": "ana"}
    return httpx.post(f"{running.url}{path}", content=body, headers=headers, timeout=300)


def longest_wait(running: Running, under_way: Future[httpx.Response]) -> float:
    """How long others wait at most while a request is under way."""
    longest = 0.0
    with httpx.Client(base_url=running.url, timeout=300) as client:
        while not under_way.done():
            started = time.perf_counter()
            assert client.get("/healthz").status_code == 200
            longest = max(longest, time.perf_counter() - started)
    return longest


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much a process took at most")
@pytest.mark.parametrize("name", BODIES)
def test_a_body_takes_no_more_room_than_it_should_and_nobody_waits(running: Running, name: str) -> None:
    path, body_of = BODIES[name]
    body = body_of()
    Path(f"/proc/{running.process.pid}/clear_refs").write_text("5")  # the most it took is counted anew
    before = memory_of(running, "VmRSS")
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(answered, running, path, body)
        waited = longest_wait(running, under_way)
    told = under_way.result()
    assert told.status_code in (400, 413, 422, 503) or told.json()["total"] == 0, told.text  # 503: no model is set
    assert memory_of(running, "VmHWM") - before < ROOM
    assert waited < LONGEST_WAIT_SECONDS


def test_others_are_answered_while_a_large_export_is_checked(running: Running) -> None:
    rows = [msgspec.json.encode(plain(a_message(text="Mora em Olinda. " * 100))) for _ in range(4_000)]
    body = HEAD + b',"messages":[' + b",".join(rows) + b"]}"
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(answered, running, "/v1/import?user=ana&dry_run=true", body)
        waited = longest_wait(running, under_way)
    assert (under_way.result().status_code, under_way.result().json()["total"]) == (200, len(rows))
    assert waited < LONGEST_WAIT_SECONDS
