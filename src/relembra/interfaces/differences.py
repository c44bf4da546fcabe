"""What a record changed, row by row, as people read it: the trail of its changes folded into one line a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from relembra.domain.audit import AuditEntry, Target

SHOWN = (
    "content",
    "title",
    "type",
    "area",
    "value",
    "confidence",
    "weight",
    "priority",
    "observations",
    "validated",
    "local_only",
    "needs_resolution",
    "held_until",
    "expires_at",
    "related",
    "superseded_at",
    "archived_at",
    "deleted_at",
)
"""The parts of an item that mean something to people; counters and moments of bookkeeping do not."""


class Fate(StrEnum):
    """What became of a row."""

    CREATED = "created"
    CHANGED = "changed"
    ENDED = "ended"
    MERGED = "merged"
    ARCHIVED = "archived"
    NOTE = "notes"


@dataclass(frozen=True, slots=True)
class Difference:
    """One row before a record's changes and after them."""

    target: Target
    id: str
    fate: Fate
    verbs: tuple[str, ...]
    why: str | None
    before: Mapping[str, Any] | None  # None: it did not exist
    after: Mapping[str, Any]  # the parts the changes tell of
    parts: tuple[tuple[str, Any, Any], ...] = ()  # name, before, after, of those people care about
    becomes: str | None = None  # the id of the row in its place

    @property
    def text(self) -> str | None:
        """Its words, where the changes tell them."""
        name = "content" if self.target is Target.ITEM else "title"
        for told in (self.after, self.before or {}):
            if isinstance(told.get(name), str):
                return str(told[name])
        return None


@dataclass(slots=True)
class _Row:
    target: Target
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] = field(default_factory=dict)
    verbs: list[str] = field(default_factory=list)
    whys: list[str] = field(default_factory=list)


def differences(entries: Iterable[AuditEntry]) -> list[Difference]:
    """Each row the entries tell of, once, in the order they were first changed; what ends as it began is left out."""
    rows: dict[tuple[Target, str], _Row] = {}
    for entry in entries:
        key = (entry.target, entry.target_id)
        row = rows.get(key)
        if row is None:
            row = rows[key] = _Row(*key, None if entry.before is None else {})
        if row.before is not None and entry.before is not None:
            row.before = {**entry.before, **row.before}
        row.after |= entry.after or {}
        row.verbs.append(entry.verb)
        row.whys += [entry.why] if entry.why else []
    return [told for row in rows.values() if (told := _difference(row)) is not None]


def _difference(row: _Row) -> Difference | None:
    parts = _parts(row)
    fate = _fate(row)
    if fate is Fate.CHANGED and not parts:
        return None
    return Difference(
        target=row.target,
        id=row.id,
        fate=fate,
        verbs=tuple(dict.fromkeys(row.verbs)),
        why=row.whys[-1] if row.whys else None,
        before=row.before,
        after=row.after,
        parts=tuple(parts),
        becomes=row.after.get("superseded_by"),
    )


def _fate(row: _Row) -> Fate:
    if row.target is not Target.ITEM:
        return Fate.NOTE
    was = row.before or {}
    if row.after.get("superseded_at") is not None and was.get("superseded_at") is None:
        return Fate.MERGED if "merge" in row.verbs else Fate.ENDED
    if row.before is None:
        return Fate.CREATED
    if row.after.get("deleted_at") is not None and was.get("deleted_at") is None:
        return Fate.ENDED
    if row.after.get("archived_at") is not None and was.get("archived_at") is None:
        return Fate.ARCHIVED
    return Fate.CHANGED


def _parts(row: _Row) -> Sequence[tuple[str, Any, Any]]:
    if row.before is None:
        return []
    return [
        (name, row.before[name], row.after[name])
        for name in SHOWN
        if name in row.before and name in row.after and row.before[name] != row.after[name]
    ]


def moment_of(part: object) -> datetime | None:
    """A moment as a trail writes it down."""
    try:
        return datetime.fromisoformat(part) if isinstance(part, str) else None
    except ValueError:
        return None
