"""Servers that read recordings and pictures: real HTTP on loopback that answers from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Reply = tuple[int, bytes]
BROKEN = (200, b"\x1f\x8b no gzip")
"""An answer that says it is packed and is not."""


class Server:
    """Answers one reply after another, the last for ever, and keeps what it was asked."""

    def __init__(self, url: str, replies: Sequence[Reply]) -> None:
        self.url = url
        self.replies = [*replies]
        self.asked: list[tuple[str, str, bytes]] = []  # path, key, body


@contextmanager
def served(*replies: Reply) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            server.asked.append((self.path, self.headers.get("authorization", ""), body))
            status, content = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            if content.startswith(b"\x1f\x8b"):
                self.send_header("content-encoding", "gzip")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as loopback:
        server = Server(f"http://127.0.0.1:{loopback.server_address[1]}/v1", replies)
        thread = threading.Thread(target=loopback.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            loopback.shutdown()
            thread.join()


def heard(text: str) -> Reply:
    return 200, json.dumps({"text": text}).encode()


def described(words: str | None, **usage: int) -> Reply:
    return 200, json.dumps({"choices": [{"message": {"content": words}}], "usage": usage}).encode()
