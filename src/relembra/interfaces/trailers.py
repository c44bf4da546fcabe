"""The line after a reply that names what was remembered for it, and the reply without that line again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from relembra.domain.text import escaped, shortened

__all__ = ["trailer_of", "without_trailer"]

MOST_NAMED = 5
LONGEST_NAMED = 80

_MARK = "⁂"
_WORDS = {"en": "Remembered", "pt": "Lembrado"}
_TRAILER = re.compile(rf"\n\n{_MARK} (?:{'|'.join(_WORDS.values())}): [^\n]*\Z")


def trailer_of(contents: Sequence[str], language: str) -> str:
    """The line with the two breaks before it; nothing where nothing was remembered."""
    if not contents:
        return ""
    named = [f"“{escaped(shortened(content, LONGEST_NAMED))}”" for content in contents[:MOST_NAMED]]
    more = [f"+{len(contents) - MOST_NAMED}"] if len(contents) > MOST_NAMED else []
    return f"\n\n{_MARK} {_WORDS[language]}: {' · '.join([*named, *more])}"


def without_trailer(text: str) -> str:
    """A reply as the model gave it."""
    return _TRAILER.sub("", text)
