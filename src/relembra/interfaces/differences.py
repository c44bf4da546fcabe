"""What a record changed, row by row, as people read it: the trail of its changes folded into one line a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from relembra.domain.audit import AuditEntry, Target

SHOWN = (
    *("content", "title", "type", "area", "value", "confidence", "weight", "priority", "observations", "validated"),
    *("local_only", "needs_resolution", "held_until", "expires_at", "related"),
    *("superseded_at", "archived_at", "deleted_at"),
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


def differences(entries: Iterable[AuditEntry]) -> list[Difference]:
    """Each row the entries tell of, once, in the order they were first changed; what ends as it began is left out."""
    rows: dict[tuple[Target, str], list[AuditEntry]] = {}
    for entry in entries:
        rows.setdefault((entry.target, entry.target_id), []).append(entry)
    found = [_difference(*key, changes) for key, changes in rows.items()]
    return [row for row in found if row.fate is not Fate.CHANGED or row.parts]


def _difference(target: Target, id: str, changes: Sequence[AuditEntry]) -> Difference:
    before: dict[str, Any] | None = None if changes[0].before is None else {}
    after: dict[str, Any] = {}
    for entry in changes:
        if before is not None:
            before = {**(entry.before or {}), **before}
        after |= entry.after or {}
    verbs, whys = [entry.verb for entry in changes], [entry.why for entry in changes if entry.why]
    held = before or {}
    return Difference(
        target=target,
        id=id,
        fate=_fate(verbs, before, after) if target is Target.ITEM else Fate.NOTE,
        verbs=tuple(dict.fromkeys(verbs)),
        why=whys[-1] if whys else None,
        before=before,
        after=after,
        parts=tuple(
            (name, held[name], after[name])
            for name in SHOWN
            if name in held and name in after and held[name] != after[name]
        ),
        becomes=after.get("superseded_by"),
    )


def _fate(verbs: Sequence[str], before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> Fate:
    def is_set(name: str) -> bool:
        return after.get(name) is not None and (before or {}).get(name) is None

    if is_set("superseded_at"):
        return Fate.MERGED if "merge" in verbs else Fate.ENDED
    if before is None:
        return Fate.CREATED
    return Fate.ENDED if is_set("deleted_at") else Fate.ARCHIVED if is_set("archived_at") else Fate.CHANGED


def moment_of(part: object) -> datetime | None:
    """A moment as a trail writes it down."""
    try:
        return datetime.fromisoformat(part) if isinstance(part, str) else None
    except ValueError:
        return None
