"""The fields of what programs export, each read as what it should be, or as nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def moment(value: object) -> datetime | None:
    """A moment as programs write it: ISO text, Unix seconds, or Unix milliseconds; None where it is no such thing."""
    if isinstance(value, str):
        text = value.strip()
        try:
            return datetime.fromisoformat(text.replace("Z", "+00:00") if text.endswith("Z") else text)
        except ValueError:
            try:
                value = float(text)
            except ValueError:
                return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            seconds = value / 1000 if abs(value) > 10**11 else value
            return datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return None


def words(value: object) -> str:
    """A text, or nothing."""
    return value if isinstance(value, str) else ""


def content_text(content: object) -> str:
    """The words of a content: a text, or a list of parts of which some have one, each a line."""
    parts = (words(named(part).get("text")) for part in listed(content))
    return content if isinstance(content, str) else "\n".join(filter(None, parts))


def listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def named(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
