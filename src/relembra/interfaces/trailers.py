"""The line after a reply that names what was remembered for it, and the reply without that line again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from relembra.domain.text import quoted, shortened

__all__ = ["message_without_trailer", "trailer_of", "without_trailer"]

MOST_NAMED = 5
LONGEST_NAMED = 80

_MARK = "⁂"
_WORDS = {"en": "Remembered", "pt": "Lembrado"}
_TRAILER = re.compile(rf"\n\n{_MARK} (?:{'|'.join(_WORDS.values())}): [^\n]*\Z")


def trailer_of(contents: Sequence[str], language: str) -> str:
    """The line with the two breaks before it; nothing where nothing was remembered."""
    if not contents:
        return ""
    named = [quoted(shortened(content, LONGEST_NAMED)) for content in contents[:MOST_NAMED]]
    more = [f"+{len(contents) - MOST_NAMED}"] if len(contents) > MOST_NAMED else []
    return f"\n\n{_MARK} {_WORDS[language]}: {' · '.join([*named, *more])}"


def without_trailer(text: str) -> str:
    """A reply as the model gave it."""
    return _TRAILER.sub("", text)


def message_without_trailer(message: Any) -> Any:
    """A message of a request as the model said it; what no assistant said stays as it is."""
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return message
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": without_trailer(content)}
    if not isinstance(content, list):
        return message
    return {**message, "content": [_part_without_trailer(part) for part in content]}


def _part_without_trailer(part: Any) -> Any:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return {**part, "text": without_trailer(part["text"])}
    return part
