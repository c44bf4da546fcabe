"""Files of data: JSON, one JSON value a line, and either of them packed; and the dates written in them."""

from __future__ import annotations

import gzip
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from relembra.errors import InvalidInputError

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?: \(\w+\))?(?: (\d{1,2}):(\d{2}))?")
_SPOKEN = re.compile(r"(\d{1,2}):(\d{2}) ?([ap])m on (\d{1,2}) ([A-Za-z]+),? (\d{4})", re.IGNORECASE)


class DataError(InvalidInputError):
    """A file of data that is not there or not what it should be."""

    def __init__(self, message: str, *, field: str = "data") -> None:
        super().__init__(message, field=field)


def parsed(path: Path) -> Any:
    """A file's content: a JSON value, or for `.jsonl` a list with one value a line."""
    name = path.name.lower().removesuffix(".gz")
    if not name.endswith((".json", ".jsonl")):
        raise DataError(f"{path} should end in .json, .json.gz or .jsonl")
    if not path.is_file():
        raise DataError(f"there is no file {path}")
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")
        if name.endswith(".jsonl"):
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        return json.loads(text)
    except (OSError, EOFError, ValueError) as exc:
        raise DataError(f"{path} cannot be read: {exc}") from exc


def moment(text: str) -> datetime:
    """A moment as data sets write it: 2023/04/10 (Mon) 23:07, 1:56 pm on 8 May, 2023, or ISO 8601; UTC without one."""
    if found := _SLASHED.fullmatch(text.strip()):
        year, month, day, hour, minute = (int(part or 0) for part in found.groups())
        return _made(text, year, month, day, hour, minute)
    if found := _SPOKEN.fullmatch(text.strip()):
        hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
        name = found[5][:3].lower()
        if name in _MONTHS:
            return _made(text, int(found[6]), _MONTHS.index(name) + 1, int(found[4]), hour, int(found[2]))
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        raise DataError(f"no date can be read from {text!r}") from None
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)


def _made(text: str, year: int, month: int, day: int, hour: int, minute: int) -> datetime:
    try:
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        raise DataError(f"no date can be read from {text!r}") from None


def mismatch(exc: Exception) -> str:
    """What reading a file in the wrong shape stumbled over."""
    return f"{exc} is missing" if isinstance(exc, KeyError) else "its parts are not what they should be"
