"""Plain messages, one JSON object a line: `{"role": "user", "content": "…", "at": "2024-03-01T10:00:00-03:00"}`.

Also `text` for the content, `created_at` or `timestamp` for the moment, and where given `id`, `author` or `name`,
`conversation`, `title`, `space` and `channel`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from relembra.domain.message import Role
from relembra.domain.text import is_blank
from relembra.transfer.chats import GENERAL, Context, Found, Left, LocalTimes, Said, Sample, Why
from relembra.transfer.chats.fields import content_text, moment, words
from relembra.transfer.slices import LONGEST_ELEMENT, blocks, decode, refuse
from relembra.transfer.sources import File

ROLES = {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "ai": Role.ASSISTANT}


def objects(file: File) -> Iterator[dict[str, Any]]:
    """The object on each line; what is none is an `InvalidInputError` with the number of its line."""
    with file.open() as stream:
        rest, number = b"", 0
        for block in blocks(stream):
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if len(rest) > LONGEST_ELEMENT:
                refuse(f"line {number + 1} is longer than {LONGEST_ELEMENT >> 20} MiB", "swollen")
            for line in lines:
                number += 1
                if line.strip():
                    yield _object(line, number)
        if rest.strip():
            yield _object(rest, number + 1)


def _object(line: bytes, number: int) -> dict[str, Any]:
    value = decode(line, f"line {number}")
    if not isinstance(value, dict):
        refuse(f"line {number} is no object")
    return value


def fits(sample: Sample) -> bool:
    return bool(sample.lines) and all("role" in line and ("content" in line or "text" in line) for line in sample.lines)


def read(file: File, context: Context) -> Iterator[Found]:
    times = LocalTimes(context.zone)
    for row in objects(file):
        role = ROLES.get(words(row.get("role")).lower())
        if role is None:
            yield Left(Why.HIDDEN if row.get("role") in ("system", "developer") else Why.TOOL)
            continue
        text = content_text(row.get("content", row.get("text")))
        if is_blank(text):
            yield Left(Why.EMPTY)
            continue
        at = next((found for name in ("at", "created_at", "timestamp") if (found := moment(row.get(name)))), None)
        if at is not None and at.tzinfo is None:
            at = times(at)
        talk, space = words(row.get("conversation")), words(row.get("space"))
        yield Said(
            talk=talk or file.stem or "chat", text=text, at=at, role=role, id=words(row.get("id")) or None,
            author="" if role is Role.ASSISTANT else words(row.get("author") or row.get("name")),
            title=words(row.get("title")), group=space or None, channel=words(row.get("channel")) or GENERAL,
        )  # fmt: skip
