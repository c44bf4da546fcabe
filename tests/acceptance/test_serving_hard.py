"""The real server with clients that are slow, gone or silent, and told to stop while others save."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from acceptance.running import RELEMBRA
from acceptance.served import PATIENCE_SECONDS, Running, serving, until, waiting
from loops import each
from relembra import sync


def all_of(sock: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    told = b""
    try:
        while part := sock.recv(65_536):
            told += part
    except ConnectionResetError:
        pass
    return told


def post(path: str, length: int) -> bytes:
    """The head of a request with a body of that length."""
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", f"Content-Length: {length}")
    return "\r\n".join((*lines, "", "")).encode()


# ── slow, half gone, silent ───────────────────────────────────────────────────────────────────────────────────────

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One that waits for nobody longer than a second."""
    folder = tmp_path_factory.mktemp("server")
    with waiting(folder, head_seconds=1.0, body_seconds=1.0, reading_seconds=1.0) as made:
        yield made
        until(lambda: made.connections() == 0)
        assert httpx.get(f"{made.url}/v1/knowledge?user=ana", timeout=60).json()["items"] == []
        assert made.stop() == 0


def test_heads_that_never_end_are_not_waited_for(running: Running) -> None:
    """Each of many clients says a little and no more; others are served meanwhile, and the many are let go."""
    heads = (b"", b"G", HALF, b"\r\n", b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 999)
    slow = [running.connected(head) for head in heads * 10]
    assert running.is_well()
    assert [all_of(sock) for sock in slow] == [b""] * len(slow)
    for sock in slow:
        sock.close()
    with running.connected(HALF + b"\r\n") as sock:  # nor is a second request on a connection
        assert sock.recv(12) == b"HTTP/1.1 200"
        sock.sendall(b"GET /healthz HTTP/1.1\r\nHost")
        assert b"HTTP/1.1" not in all_of(sock)
    assert running.is_well()


def test_a_head_without_end_is_refused(running: Running) -> None:
    with running.connected(b"GET /healthz HTTP/1.1\r\n") as sock:
        try:
            for number in range(10_000):
                sock.sendall(b"X-%d: " % number + b"a" * 1_000 + b"\r\n")
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert number < 9_000
    assert running.is_well()


@pytest.mark.parametrize("framing", [b"Content-Length: 100", b"Transfer-Encoding: chunked"])
def test_a_body_that_never_ends_is_answered(running: Running, framing: bytes) -> None:
    head = b"POST /v1/knowledge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + framing
    with running.connected(head + b'\r\n\r\n5\r\n{"use') as sock:
        assert running.is_well()
        told = all_of(sock)
    assert told.startswith(b"HTTP/1.1 408")
    assert b"application/problem+json" in told


def test_a_client_that_goes_or_closes_its_half_leaves_nothing_half_done(running: Running) -> None:
    for ending in (socket.SHUT_WR, socket.SHUT_RDWR):
        for _ in range(10):
            with running.connected(post("/v1/knowledge", 1000), b'{"user": "ana", "content": "Olinda"') as sock:
                sock.shutdown(ending)
                if ending == socket.SHUT_WR:
                    all_of(sock)
    body = json.dumps({"user": "bia", "said": "Moro em Olinda.", "replied": "Que bom!"}).encode()
    for _ in range(5):
        with running.connected(post("/v1/messages", len(body)) + body) as sock:
            sock.shutdown(socket.SHUT_WR)
            told = all_of(sock)
            assert told == b"" or told.startswith(b"HTTP/1.1 20")
    until(lambda: running.connections() == 0)
    kept = httpx.get(f"{running.url}/v1/messages?user=bia", timeout=60).json()["items"]
    assert len(kept) % 2 == 0, "both sides of a turn, or neither"


def test_a_client_that_never_reads_is_let_go(running: Running) -> None:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.settimeout(PATIENCE_SECONDS)
    sock.connect(running.address)
    with sock:
        sock.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        assert sock.recv(12) == b"HTTP/1.1 200", "it is being answered, and reads no more"
        assert running.is_well()
        until(lambda: running.connections() == 0)
    assert running.is_well()


@each(
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a browser that wants https
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        HALF + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        HALF + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /v1/knowledge HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        HALF + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /healthz HTTP/1.1\nHost: localhost\nX-A: b\rX-Evil: 1\n\n",
        HALF + b"X: a\x00b\r\n\r\n",
        HALF + b"Host: localhost\r\n\r\n",
    ]
)
def test_nonsense_is_no_trouble(nonsense: bytes, running: Running) -> None:
    with running.connected(nonsense) as sock:
        sock.shutdown(socket.SHUT_WR)
        told = all_of(sock)
    assert b"HTTP/1.1 5" not in told
    assert b"HTTP/1.1 200" not in told or nonsense.count(b"Host:") == 1
    assert running.is_well()


# ── told to stop ──────────────────────────────────────────────────────────────────────────────────────────────────


def saved_until_it_ends(running: Running, number: int, acknowledged: list[str], stopped: Event) -> None:
    """Save one message after the other until the server is gone; ids of those it said it has."""
    with httpx.Client(base_url=running.url, timeout=PATIENCE_SECONDS) as client:
        for turn in range(100_000):
            said = {"user": f"user{number}", "said": f"turn {turn} of {number}", "conversation": f"c{number}"}
            try:
                answer = client.post("/v1/messages", json=said)
            except httpx.HTTPError:
                if stopped.is_set():
                    return
                raise
            assert answer.status_code in (200, 201), answer.text
            acknowledged.extend(message["id"] for message in answer.json()["messages"])


def test_nothing_acknowledged_is_lost_when_it_is_told_to_stop(tmp_path: Path) -> None:
    clients = 8
    acknowledged: list[str] = []
    stopped = Event()
    with (
        serving(tmp_path, *RELEMBRA, "serve", "--json", "--db", "m.db", "--port", "0") as running,
        ThreadPoolExecutor(clients + 1) as pool,
    ):
        watching = pool.submit(watched, running)
        saving = [pool.submit(saved_until_it_ends, running, number, acknowledged, stopped) for number in range(clients)]
        until(lambda: len(acknowledged) > 40 or any(one.done() for one in saving))
        stopped.set()
        assert running.stop() == 0
        for one in saving:
            one.result(PATIENCE_SECONDS)
        assert watching.result(PATIENCE_SECONDS).startswith(": listening")
        assert running.process.stderr is not None
        assert "Traceback" not in running.process.stderr.read()
    found: set[str] = set()
    with sync.Memory.open(tmp_path / "m.db") as memory:
        for number in range(clients):
            after = None
            while True:
                page = memory.messages(user=f"user{number}", limit=500, after=after)
                found |= {message.id for message in page}
                after = page.next
                if after is None:
                    break
        verified = memory.verify()
    assert len(acknowledged) > 40
    assert [id for id in acknowledged if id not in found] == []
    assert verified.problems == ()


def watched(running: Running) -> str:
    """Everything an endless stream told until the server ended it in order."""
    with httpx.stream("GET", f"{running.url}/v1/events?user=user0", timeout=PATIENCE_SECONDS) as stream:
        return "".join(stream.iter_text())


def accepts(running: Running) -> bool:
    try:
        running.connected().close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize(("drain", "twice"), [(600, True), (1, False)])
def test_a_request_that_takes_too_long_does_not_keep_it_from_ending(tmp_path: Path, drain: int, twice: bool) -> None:
    """Told twice it ends at once, though the request would be waited for longer than this test waits."""
    head = post("/v1/knowledge", 9)
    with waiting(tmp_path, drain_seconds=drain, body_seconds=600.0) as slow, slow.connected(head + b"{"):
        until(lambda: slow.connections() == 1)
        assert slow.is_well()
        if twice:
            slow.process.send_signal(signal.SIGTERM)
            until(lambda: not accepts(slow))
            assert slow.process.poll() is None
        assert slow.stop() == 0


def test_a_request_under_way_is_finished(tmp_path: Path) -> None:
    body = json.dumps({"user": "ana", "content": "Mora em Olinda."}).encode()
    head = post("/v1/knowledge", len(body))
    with waiting(tmp_path, drain_seconds=60) as running, running.connected(head + body[:10]) as sock:
        until(lambda: running.connections() == 1)
        assert running.is_well()
        running.process.send_signal(signal.SIGTERM)
        until(lambda: not accepts(running))
        sock.sendall(body[10:])
        assert all_of(sock).startswith(b"HTTP/1.1 201")
        assert running.process.wait(PATIENCE_SECONDS) == 0
    with sync.Memory.open(tmp_path / "m.db") as memory:
        assert [item.content for item in memory.list(user="ana")] == ["Mora em Olinda."]
