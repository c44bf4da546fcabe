"""What is known of a person, as other programs take it: mem0's JSON, and a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import datetime
from hashlib import md5
from typing import IO, Any

import msgspec

from relembra.domain.knowledge import SELF, KnowledgeItem

COLUMNS = (
    *("id", "type", "area", "sub_area", "subject", "speaker", "attribute", "value", "title", "content", "source"),
    *("confidence", "validated", "tags", "held_from", "held_until", "superseded_by", "superseded_at", "expires_at"),
    *("archived_at", "local_only", "created_at", "updated_at", "is_current"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_TOLD = ("type", "area", "sub_area", "subject", "attribute", "value", "confidence", "held_from")


def write_mem0(file: IO[bytes], user: str, items: Sequence[KnowledgeItem], now: datetime) -> int:
    """Write what is held now as mem0 lists its memories, and say how many there are.

    Such a memory cannot say that something is over, that somebody else claims it, or that no model elsewhere may see
    it: what was replaced, what others said and what is kept local stay out.
    """
    told = [item for item in items if item.is_current(now) and item.speaker in (None, user) and not item.local_only]
    results = [
        {
            "id": item.id,
            "memory": item.content,
            "hash": md5(item.content.encode(), usedforsecurity=False).hexdigest(),  # as mem0 makes it
            "metadata": {name: _plain(value) for name in _TOLD if (value := getattr(item, name)) not in (None, SELF)},
            "categories": list(item.tags),
            "created_at": item.created_at,
            "updated_at": item.updated_at,
            "user_id": user,
        }
        for item in told
    ]
    file.write(msgspec.json.format(msgspec.json.encode({"results": results})) + b"\n")
    return len(told)


def write_csv(file: IO[bytes], items: Sequence[KnowledgeItem], now: datetime) -> int:
    """Write the items that are not deleted as a table (RFC 4180), and say how many there are.

    It begins with the mark by which spreadsheets know UTF-8. What they would take for a formula has an apostrophe
    before it.
    """
    shown = [item for item in items if item.deleted_at is None]
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for item in shown:
        values = (item.is_current(now) if name == "is_current" else getattr(item, name) for name in COLUMNS)
        rows.writerow([_cell(value) for value in values])
    text.detach()
    return len(shown)


def _cell(value: Any) -> str:
    plain = _plain(value)
    text = "" if plain is None else ("false", "true")[plain] if isinstance(plain, bool) else str(plain)
    return f"'{text}" if isinstance(value, str | tuple) and text.lstrip(" \u00a0\ufeff").startswith(_FORMULA) else text


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case tuple():
            return ", ".join(value)
        case str():
            return str(value)
        case _:
            return value
