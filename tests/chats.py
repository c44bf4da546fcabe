"""Small exports of other programs, as each of them writes them, for tests to take in."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from relembra.transfer.chats import Context, Found, Left, Said, recognised
from relembra.transfer.sources import Sources

RECIFE = ZoneInfo("America/Recife")


def found_in(
    content: bytes | str, name: str = "", language: str = "en", *, beside: Mapping[str, bytes | str] | None = None,
    inside: str = "",
) -> tuple[str | None, list[Found]]:  # fmt: skip
    """The format of one file, and what it holds; with a name it is in a zip, called `inside`, with those `beside`."""
    given = content.encode() if isinstance(content, str) else content
    if name:
        given = zipped({name: given, **(beside or {})})
    with Sources(io.BytesIO(given), inside) as sources:
        [file] = [file for file in sources.files if name in ("", file.name)]
        format = recognised(file)
        return (None, []) if format is None else (format.name, list(format.read(file, Context(RECIFE, language))))


def told(found: list[Found]) -> list[tuple[str, str, str]]:
    """Who said what, and when."""
    return [
        (one.author or one.role.value, "" if one.at is None else one.at.isoformat(), one.text)
        for one in found
        if isinstance(one, Said)
    ]


def left(found: list[Found]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in found:
        if isinstance(one, Left):
            counts[one.why.value] = counts.get(one.why.value, 0) + one.many
    return counts


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def node(id: str, parent: str | None, children: list[str], role: str, text: Any, at: float = 0, **more: Any) -> Any:
    """A node of a ChatGPT conversation's tree."""
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    message = {"id": id, "author": {"role": role}, "content": content, "create_time": at or None, "metadata": {}} | more
    return {"id": id, "parent": parent, "children": children, "message": message}


def chatgpt(*nodes: Any, current: str | None = None, **more: Any) -> str:
    mapping = {one["id"]: one for one in nodes}
    talk = {"title": "Viagem", "create_time": 1_700_000_000, "conversation_id": "c1", "mapping": mapping}
    return json.dumps([talk | ({} if current is None else {"current_node": current}) | more])


def whatsapp(*lines: str) -> str:
    return "\n".join(lines) + "\n"
