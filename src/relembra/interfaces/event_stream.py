"""Server-sent events as bytes: cut where they end, and otherwise left as they came."""

from __future__ import annotations

import re

__all__ = ["Events", "data_of", "event_of"]

_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE = re.compile(rb"\r\n|\n|\r")


class Events:
    """Puts pieces of a stream together until an event is whole."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """The events that are whole now, each with the empty line that ends it."""
        held = self._rest + piece
        whole: list[bytes] = []
        start = 0
        for end in _END.finditer(held, max(0, len(self._rest) - 3)):
            whole.append(held[start : end.end()])
            start = end.end()
        self._rest = held[start:]
        return whole

    def rest(self) -> bytes:
        """What came and is no whole event."""
        rest, self._rest = self._rest, b""
        return rest


def data_of(event: bytes) -> bytes | None:
    """What an event says; None for comments and empty ones."""
    lines = [line[5:].removeprefix(b" ") for line in _LINE.split(event) if line.startswith(b"data:")]
    return b"\n".join(lines) if lines else None


def event_of(data: bytes, name: str | None = None) -> bytes:
    """An event that says this."""
    return (b"" if name is None else b"event: " + name.encode() + b"\n") + b"data: " + data + b"\n\n"
