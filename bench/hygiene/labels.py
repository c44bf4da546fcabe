"""The hand-written labels: what a memory should learn from a message, and what it should hold after a story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from relembra.domain.knowledge import SELF
from relembra.domain.text import fold

DATA = Path(__file__).parent / "data"
LANGUAGES = ("pt", "en")

Half = Literal["dev", "test"]
Split = Literal["dev", "test", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One thing expected: whom it is about, and the words every right rendering of it holds."""

    subject: str = SELF
    attribute: str | None = None
    value: str | None = None  # as said; None where only the words are told
    type: str | None = None
    words: tuple[tuple[str, ...], ...]  # of each word the alternatives, folded
    date: str | None = None  # 2026-03-12 or 2026-03
    optional: bool = False

    def __str__(self) -> str:
        return f"{self.subject}/{self.attribute}/{' '.join('|'.join(one) for one in self.words)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMessage:
    """A message that stands alone; nothing expected means nothing may be kept."""

    id: str
    language: str
    at: datetime
    text: str
    expect: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    at: datetime
    said: str | None = None
    replied: str | None = None
    author: str | None = None
    program: bool = False
    space: str | None = None
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What a person said over a long time, and what must be held, ended and asked at its end."""

    id: str
    language: str
    owner: str
    turns: tuple[Turn, ...]
    current: tuple[Label, ...]
    retired: tuple[Label, ...]
    asked: tuple[Label, ...]


def messages(folder: Path, half: Half, language: str) -> list[LabelledMessage]:
    return [
        LabelledMessage(
            id=row["id"],
            language=row["lang"],
            at=datetime.fromisoformat(row["at"]),
            text=row["text"],
            expect=_labels(row["expect"]),
        )
        for row in _lines(folder / f"messages.{language}.{half}.jsonl")
    ]


def stories(folder: Path, half: Half) -> list[Story]:
    return [
        Story(
            id=row["id"],
            language=row["lang"],
            owner=row["owner"],
            turns=tuple(_turn(turn) for turn in row["turns"]),
            current=_labels(row["current"]),
            retired=_labels(row["retired"]),
            asked=_labels(row["asked"]),
        )
        for row in _lines(folder / f"stories.{half}.jsonl")
    ]


def halves(split: Split) -> tuple[Half, ...]:
    return ("dev", "test") if split == "all" else (split,)


def label(row: dict[str, Any]) -> Label:
    """A label as it stands in a file."""
    return Label(
        subject=row["subject"],
        attribute=row["attribute"],
        value=row.get("value"),
        type=row.get("type"),
        words=tuple(tuple(fold(one) for one in word.split("|")) for word in row["words"]),
        date=row.get("date"),
        optional=row.get("optional", False),
    )


def _labels(rows: list[dict[str, Any]]) -> tuple[Label, ...]:
    return tuple(label(row) for row in rows)


def _turn(row: dict[str, Any]) -> Turn:
    return Turn(**{**row, "at": datetime.fromisoformat(row["at"])})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_bytes().splitlines():
        if line.strip():
            yield msgspec.json.decode(line)
