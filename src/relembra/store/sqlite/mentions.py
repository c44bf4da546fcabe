"""Taking the mentions and quotations of what is forgotten out of rows that stay: pointers, audit entries, jobs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Accounted, Kind
from relembra.store.sqlite.accounting import account
from relembra.store.sqlite.reading import by_ids, conversation
from relembra.store.sqlite.reading import changes as entries_of
from relembra.store.sqlite.statements import SQL, fetched, filled
from relembra.store.traces import (
    SHORTEST_QUOTE,
    Traces,
    entry_without,
    item_without,
    loses_source,
    still_said,
    words_in,
)

_TARGETS = {Kind.ITEM: Target.ITEM, Kind.NOTE: Target.NOTE}
_AUDIT = filled("audit_of_person", columns=rows.AUDIT_COLUMNS)
_AUDIT_OF_ROW = filled("audit_of_row", columns=rows.AUDIT_COLUMNS)


@dataclass(slots=True)
class Doomed:
    """What is to go from one shelf: rows, and the texts that may have been copied into rows that stay."""

    conversation: str | None = None
    ids: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in Kind})
    shared: set[str] = field(default_factory=set)  # notes that go from the shelves of spaces
    also: set[str] = field(default_factory=set)  # what goes from another shelf, and may be named on this one
    texts: set[str] = field(default_factory=set)

    @property
    def named(self) -> set[str]:
        """All ids that nothing may name any more."""
        return self.shared.union(self.also, *self.ids.values())

    @property
    def sources(self) -> set[str]:
        """What something may have been learnt from."""
        return self.ids[Kind.MESSAGE] | self.ids[Kind.NOTE] | self.shared

    @property
    def targets(self) -> list[tuple[Target, str]]:
        """What the audit trail calls them."""
        found = [(target, id) for kind, target in _TARGETS.items() for id in sorted(self.ids[kind])]
        return found if self.conversation is None else [*found, (Target.CONVERSATION, self.conversation)]


def items(db: apsw.Connection, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
    return by_ids(db, scope, ids, table="item", columns=rows.ITEM_COLUMNS, decode=rows.item_of)


def notes(db: apsw.Connection, scope: Scope, ids: Sequence[str]) -> list[Note]:
    return by_ids(db, scope, ids, table="note", columns=rows.NOTE_COLUMNS, decode=rows.note_of)


def scrub_rows(db: apsw.Connection, scope: Scope, doomed: Doomed) -> tuple[int, int]:
    """Take out the entries of what went, and its traces from rows that stay; how many entries, how many items.

    With the last entry of all that a night changed goes the night's record.
    """
    own: list[tuple[int]] = []
    changes: set[str] = set()
    for target, target_id in doomed.targets:
        for number, *row in fetched(db, _AUDIT_OF_ROW, (scope.tenant, scope.user, target.value, target_id)):
            entry = rows.audit_of(scope, row)
            own.append((number,))
            changes.add(entry.change)
            doomed.texts |= words_in(entry.before) | words_in(entry.after)
    if own:
        db.executemany(SQL["drop_audit"], own)
        left = {entry.change for entry in entries_of(db, scope, sorted(changes))}
        account(db, scope, Accounted(changes=tuple(changes - left)))
        db.execute(SQL["drop_empty_runs"], (scope.tenant, scope.user))
    traces = Traces(doomed.named, doomed.texts)
    pointers, unsourced = _unpoint(db, scope, doomed, traces)
    _scrub_entries(db, scope, doomed.named, traces, changes=changes, unsourced=unsourced)
    return len(own), pointers


def _unpoint(db: apsw.Connection, scope: Scope, doomed: Doomed, traces: Traces) -> tuple[int, set[str]]:
    """Clear items' pointers to what went and evidence from it; how many items changed, and which lost a source."""
    gone, sources = doomed.named, doomed.sources
    raw_gone = {rows.id_bytes(id) for id in gone}
    pointing = [
        rows.id_text(id)
        for id, related, message_ids, note_id, successor, evidence in db.execute(
            SQL["pointers"], (scope.tenant, scope.user)
        )
        if not (raw_gone.isdisjoint((note_id, successor)) and gone.isdisjoint(rows.ids_in(related + message_ids)))
        or (evidence is not None and traces.are_in(evidence, shortest=SHORTEST_QUOTE))
    ]
    unpointed: list[tuple[Any, ...]] = []
    unsourced: set[str] = set()
    for item in items(db, scope, pointing):
        left = item_without(item, gone, sources, traces)
        if loses_source(item, sources):
            unsourced.add(item.id)
        if left != item:
            row = dict(zip(rows.ITEM_COLUMNS.split(", "), rows.item_row(left), strict=True))
            pointers = (row[name] for name in ("related", "message_ids", "note_id", "superseded_by", "evidence"))
            unpointed.append((*pointers, scope.tenant, scope.user, row["id"]))
    if unpointed:
        db.executemany(SQL["set_pointers"], unpointed)
    return len(unpointed), unsourced


def _scrub_entries(
    db: apsw.Connection,
    scope: Scope,
    ids: set[str],
    traces: Traces,
    *,
    changes: Collection[str],
    unsourced: Collection[str],
) -> None:
    """Clean the entries of rows that stay."""
    scrubbed: list[tuple[Any, ...]] = []
    for number, *held in db.execute(_AUDIT, (scope.tenant, scope.user)):
        entry = rows.audit_of(scope, held)
        if not (
            entry.change in changes
            or entry.target_id in unsourced
            or (entry.why is not None and traces.are_in(entry.why))
            or any(side is not None and not ids.isdisjoint(rows.ids_in(side)) for side in (held[7], held[8]))
            or traces.are_in_words(entry.before)
            or traces.are_in_words(entry.after)
        ):
            continue
        left = entry_without(entry, traces, _still(db, scope, entry), changes=changes, unsourced=unsourced)
        if left != entry:
            row = dict(zip(rows.AUDIT_COLUMNS.split(", "), rows.audit_row(left), strict=True))
            scrubbed.append((row["before"], row["after"], row["why"], number))
    if scrubbed:
        db.executemany(SQL["set_audit"], scrubbed)


def _still(db: apsw.Connection, scope: Scope, entry: AuditEntry) -> str:
    found: Sequence[KnowledgeItem | Note | Conversation | None]
    match entry.target:
        case Target.ITEM:
            found = items(db, scope, [entry.target_id])
        case Target.NOTE:
            found = notes(db, scope, [entry.target_id])
        case Target.CONVERSATION:
            found = [conversation(db, scope, entry.target_id)]
    return still_said(found[0] if found else None)


def scrub_jobs(db: apsw.Connection, scope: Scope, doomed: Doomed, *, kinds: Collection[str] = ()) -> int:
    """Drop the jobs that were for these alone, and let others go on without them; how many were dropped.

    With `kinds` only jobs of these.
    """
    names = doomed.named | ({doomed.conversation} if doomed.conversation is not None else set())
    traces = Traces(names)
    dropped = 0
    for id, kind, text in fetched(db, SQL["jobs_of_person"], (scope.tenant, scope.user)):
        if kinds and kind not in kinds:
            continue
        payload: dict[str, Any] = rows.from_json(text)
        left = traces.out_of(payload)
        if left == payload:
            continue
        if any(part in (None, []) and part != payload[name] for name, part in left.items()):
            db.execute(SQL["finish_job"], (scope.tenant, scope.user, id))
            dropped += 1
        else:
            db.execute(SQL["set_payload"], (rows.to_json(left), scope.tenant, scope.user, id))
    return dropped


def unpoint_others(db: apsw.Connection, scope: Scope, notes: Collection[str]) -> int:
    """Take the names of a space's notes out of everybody else's rows, whose jobs go on without; how many items."""
    raw = tuple(rows.id_bytes(id) for id in sorted(notes))
    pointing: dict[str, list[bytes]] = defaultdict(list)
    for owner, id in fetched(db, SQL["others_items_of_notes"], (scope.tenant, apsw.carray(raw), scope.user)):
        pointing[owner].append(id)
    traces = Traces(notes)
    for owner, ids in pointing.items():
        db.executemany(SQL["clear_note"], [(scope.tenant, owner, id) for id in ids])
        _scrub_entries(db, Scope(scope.tenant, owner), set(notes), traces, changes=(), unsourced=())
    for owner, id, text in fetched(db, SQL["jobs_of_others"], (scope.tenant, scope.user)):
        if not rows.ids_in(text).isdisjoint(notes):
            left = rows.to_json(traces.out_of(rows.from_json(text)))
            db.execute(SQL["set_payload"], (left, scope.tenant, owner, id))
    return sum(len(ids) for ids in pointing.values())
