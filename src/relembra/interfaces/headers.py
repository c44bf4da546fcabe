"""What headers say, whatever door they come through."""

from __future__ import annotations


def in_utf8(header: str | None) -> str | None:
    """The words of a header, which come as if they were Latin-1, in UTF-8 where they are that."""
    try:
        return None if header is None else header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header
