"""The audit trail: how a change is recorded, and what reversing it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from relembra.domain.audit import Actor, AuditEntry, Target, deleted
from relembra.domain.case import Case, Outcome
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note
from relembra.domain.scope import DIRECT, Scope, may_hear
from relembra.domain.searchable import item_text, note_text
from relembra.domain.time import read_as_of
from relembra.errors import ConflictError
from relembra.store.port import HideMessages, Kind, Op, Put, Record

MERGE = "merge"
"""The verb of what ends an item in favour of another that says the same."""

Row = KnowledgeItem | Conversation | Note

_KINDS: dict[type[Row], tuple[Target, Kind | None, Callable[[Any], str]]] = {
    KnowledgeItem: (Target.ITEM, Kind.ITEM, item_text),
    Note: (Target.NOTE, Kind.NOTE, note_text),
    Conversation: (Target.CONVERSATION, None, str),  # not searched by its words
}
_COUNTERS = frozenset({"version", "updated_at", "accesses", "last_access"})  # move without anybody deciding anything


def snapshot(row: Row) -> dict[str, Any]:
    """The row as plain JSON values, the same before and after a store wrote them down."""
    import msgspec  # not at import time: it would double the package's start

    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(row))
    return values


class Change:
    """One verb's doings: collects operations with their audit entries under one id."""

    def __init__(
        self,
        scope: Scope,
        *,
        new_id: Callable[[], str],
        verb: str,
        actor: Actor,
        at: datetime,
        why: str | None = None,
        undoes: str | None = None,
    ) -> None:
        self._new_id = new_id
        self.id = id = new_id()
        self.scope, self.actor, self.at = scope, actor, at
        self._entry = AuditEntry(
            id=id, change=id, scope=scope, at=at, actor=actor, verb=verb, target=Target.ITEM, target_id="",
            before=None, after=None, why=why, undoes=undoes,
        )  # fmt: skip
        self.ops: list[Op] = []
        self.reworded: dict[Kind, list[str]] = {}  # rows that were there and have other words now, without vectors

    def put(
        self, after: Row, before: Row | None, *, verb: str | None = None, why: str | None = None, brief: bool = False
    ) -> None:
        """Store a row in place of what it was, and say so; `brief`: tell only the parts that changed.

        What is put away would otherwise lie in the trail twice.
        """
        expects = None if before is None else before.version
        was, becomes = None if before is None else snapshot(before), snapshot(after)
        if brief and was is not None:
            changed = [name for name, part in becomes.items() if was[name] != part]
            was, becomes = {name: was[name] for name in changed}, {name: becomes[name] for name in changed}
        target, kind, text_of = _KINDS[type(after)]
        self.ops.append(Put(after, expects))
        if kind is not None and before is not None and text_of(before) != text_of(after):
            self.reworded.setdefault(kind, []).append(after.id)
        entry = replace(self._entry, id=self._new_id(), target=target, target_id=after.id, before=was, after=becomes)
        self.ops.append(Record(replace(entry, verb=verb or entry.verb, why=why or entry.why)))

    def case(
        self,
        new: KnowledgeItem,
        old: KnowledgeItem,
        why: str,
        outcome: Outcome,
        *,
        judged_by: str = "rule",
        certainty: float = 1.0,
        said_at: datetime | None = None,
    ) -> Case:
        """The case of a new item against an older one; heard in a shared place only where both its sides are.

        It is as old as the words it is about, so that nobody is asked what they doubted years ago.
        """
        is_open = outcome is Outcome.OPEN
        return Case(
            id=self._new_id(),
            scope=self.scope,
            place=new.place if may_hear(old.place, new.place) else DIRECT,
            old_id=old.id,
            new_id=new.id,
            judged_by=judged_by,
            why=why,
            certainty=certainty,
            outcome=outcome,
            settled_by=None if is_open else str(self.actor),
            change=None if is_open else self.id,
            opened_at=read_as_of(said_at, self.at),
            settled_at=None if is_open else self.at,
        )


def last_reversible(trail: Sequence[AuditEntry]) -> AuditEntry | None:
    """The newest entry still in effect that is no undo itself. An undo that was undone takes nothing back."""
    cancelled: set[str] = set()
    for entry in reversed(trail):
        if entry.change in cancelled:
            continue
        if entry.undoes is None:
            return entry
        cancelled.add(entry.undoes)
    return None


def merge_of(item: KnowledgeItem, trail: Iterable[AuditEntry]) -> AuditEntry | None:
    """The entry that ended an item because another says the same; None where it is held, or another value ended it."""
    ended_by, at = item.superseded_by, item.superseded_at
    if ended_by is None or at is None:
        return None
    merges = (entry for entry in trail if entry.verb == MERGE and (entry.after or {}).get("superseded_by") == ended_by)
    return next((one for one in merges if datetime.fromisoformat((one.after or {})["superseded_at"]) == at), None)


def reversed_row(entry: AuditEntry, current: Row | None, now: datetime) -> Row:
    """The row as it was before the entry, where that tells; a row that did not exist becomes a deleted one."""
    if current is None or not _stands(entry.after, current):
        raise ConflictError(f"{entry.target} {entry.target_id} changed since; undo the later change first", "changed")
    if entry.before is None:
        if isinstance(current, KnowledgeItem):
            return deleted(current, now)
        return _changed(replace(current, deleted_at=now), current.version + 1, now)
    import msgspec

    try:
        earlier: Row = msgspec.convert({**snapshot(current), **entry.before}, type(current))
    except msgspec.ValidationError as exc:  # words were taken out when something it quoted was forgotten
        raise ConflictError(
            f"what {entry.target} {entry.target_id} was before has been forgotten", "forgotten"
        ) from exc
    if not isinstance(earlier, Conversation) and not isinstance(current, Conversation):
        earlier = replace(earlier, accesses=current.accesses, last_access=current.last_access)
    # an item may have been learnt before its note was written
    names_note = any((side or {}).get("note_id") is not None for side in (entry.before, entry.after))
    if isinstance(earlier, KnowledgeItem) and isinstance(current, KnowledgeItem) and not names_note:
        earlier = replace(earlier, note_id=current.note_id)
    return _changed(earlier, current.version + 1, now)


def _changed(row: Row, version: int, now: datetime) -> Row:
    """At its next version, and changed now where it tells when that was."""
    return replace(row, version=version) if isinstance(row, Note) else replace(row, updated_at=now, version=version)


def hiding(id: str, was: datetime | None, now: datetime | None) -> list[Op]:
    """What happens to the messages of a conversation that was deleted at one moment, or not, and now is at another."""
    if was is None and now is not None:
        return [HideMessages(id, now)]
    return [HideMessages(id, was, undo=True)] if was is not None and now is None else []


def _stands(after: Mapping[str, Any] | None, current: Row) -> bool:
    """Whether the row still is what the entry made of it, counters aside; a message may have revived a conversation."""
    if after is None:
        return False
    now = snapshot(current)
    free = _COUNTERS | {"deleted_at"} if isinstance(current, Conversation) else _COUNTERS
    return all(
        now.get(key) == value or (key, value) == ("note_id", None) for key, value in after.items() if key not in free
    )
