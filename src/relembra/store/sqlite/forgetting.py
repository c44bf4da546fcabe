"""Forgetting: taking rows out with every mention of them, so that nothing is left to find or to read in the file.

Pages freed here are overwritten (`secure_delete`), and the writer empties its log afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Gone, Kind
from relembra.store.sqlite.indexing import TABLES
from relembra.store.sqlite.reading import by_ids, conversation
from relembra.store.sqlite.statements import SQL, fetched, filled
from relembra.store.sqlite.threads import TRACES_LEFT
from relembra.store.traces import (
    SHORTEST_QUOTE,
    Traces,
    entry_without,
    item_without,
    loses_source,
    still_said,
    words_in,
    words_of,
)

PLACES = ("conversations", "messages", "notes", "items", "terms", "vectors", "audit", "jobs", "pointers")

_TABLES_OF_PERSON = {
    "conversations": "conversation",
    "messages": "message",
    "notes": "note",
    "items": "item",
    "terms": "posting",
    "vectors": "embedding",
    "audit": "audit",
    "jobs": "job",
    "": "slice",
}
_TARGETS = {Kind.ITEM: Target.ITEM, Kind.NOTE: Target.NOTE}
_MESSAGES = filled("messages_of_conversation", columns=rows.MESSAGE_COLUMNS)
_AUDIT = filled("audit_of_person", columns=rows.AUDIT_COLUMNS)
_AUDIT_OF_ROW = filled("audit_of_row", columns=rows.AUDIT_COLUMNS)


@dataclass(slots=True)
class _Doomed:
    """What is to go: rows, and the texts that may have been copied into rows that stay."""

    conversation: str | None = None
    ids: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in Kind})
    texts: set[str] = field(default_factory=set)

    @property
    def all_ids(self) -> set[str]:
        return set().union(*self.ids.values())

    @property
    def sources(self) -> set[str]:
        """What something may have been learnt from."""
        return self.ids[Kind.MESSAGE] | self.ids[Kind.NOTE]

    @property
    def targets(self) -> list[tuple[Target, str]]:
        """What the audit trail calls them."""
        found = [(target, id) for kind, target in _TARGETS.items() for id in sorted(self.ids[kind])]
        return found if self.conversation is None else [*found, (Target.CONVERSATION, self.conversation)]


def forget_item(db: apsw.Connection, scope: Scope, id: str) -> Gone:
    doomed = _Doomed()
    _doom_items(db, scope, doomed, [id])
    return _forget(db, scope, doomed)


def forget_conversation(db: apsw.Connection, scope: Scope, id: str) -> Gone:
    """With its messages go the notes made of them, the notes made of those, and what was learnt from nothing else."""
    doomed = _Doomed(conversation=id)
    held = conversation(db, scope, id)
    if held is not None:
        doomed.texts |= words_of(held)
    for row in db.execute(_MESSAGES, (scope.tenant, scope.user, id)):
        message = rows.message_of(scope, row)
        doomed.ids[Kind.MESSAGE].add(message.id)
        doomed.texts |= words_of(message)
    _doom_notes(db, scope, doomed)
    gone = doomed.sources
    _doom_items(db, scope, doomed, [id for id, sources in _sources(db, scope) if sources and sources <= gone])
    return _forget(db, scope, doomed)


def forget_person(db: apsw.Connection, scope: Scope) -> Gone:
    counts = dict.fromkeys(PLACES, 0)
    for place, table in _TABLES_OF_PERSON.items():
        db.execute(filled("drop_person", table=table), (scope.tenant, scope.user))
        if place:
            counts[place] = db.changes()
    return _gone(db, counts)


def _items(db: apsw.Connection, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
    return by_ids(db, scope, ids, table="item", columns=rows.ITEM_COLUMNS, decode=rows.item_of)


def _notes(db: apsw.Connection, scope: Scope, ids: Sequence[str]) -> list[Note]:
    return by_ids(db, scope, ids, table="note", columns=rows.NOTE_COLUMNS, decode=rows.note_of)


def _sources(db: apsw.Connection, scope: Scope) -> Iterable[tuple[str, set[str]]]:
    """Each item with the messages and the note it was learnt from."""
    statement = filled("all_of_person", table="item", columns="id, note_id, message_ids")
    for id, note_id, message_ids in db.execute(statement, (scope.tenant, scope.user)):
        yield rows.id_text(id), {*rows.from_json(message_ids), *([] if note_id is None else [rows.id_text(note_id)])}


def _doom_items(db: apsw.Connection, scope: Scope, doomed: _Doomed, ids: Sequence[str]) -> None:
    for item in _items(db, scope, ids):
        doomed.ids[Kind.ITEM].add(item.id)
        doomed.texts |= words_of(item)


def _doom_notes(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> None:
    """Notes made of the doomed messages, and notes made of those."""
    messages, notes = doomed.ids[Kind.MESSAGE], doomed.ids[Kind.NOTE]
    statement = filled("all_of_person", table="note", columns="id, message_ids, note_ids")
    held = [
        (rows.id_text(id), rows.from_json(message_ids), rows.from_json(note_ids))
        for id, message_ids, note_ids in db.execute(statement, (scope.tenant, scope.user))
    ]
    while more := {
        id
        for id, made_of_messages, made_of_notes in held
        if id not in notes and not (messages.isdisjoint(made_of_messages) and notes.isdisjoint(made_of_notes))
    }:
        notes |= more
    for note in _notes(db, scope, sorted(notes)):
        doomed.texts |= words_of(note)


# ── taking out ────────────────────────────────────────────────────────────────────────────────────────────────────


def _forget(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> Gone:
    counts = dict.fromkeys(PLACES, 0)
    person = (scope.tenant, scope.user)
    for kind, ids in doomed.ids.items():
        if ids:
            gone = tuple(rows.id_bytes(id) for id in sorted(ids))
            counts[f"{kind.value}s"] = _take_rows(db, scope, kind, gone)
            number = rows.KIND_NUMBERS[kind]
            db.execute(SQL["drop_postings_of"], (*person, number, apsw.carray(gone)))
            counts["terms"] += db.changes()
            db.execute(SQL["drop_vectors_of"], (*person, number, apsw.carray(gone)))
            counts["vectors"] += db.changes()
    if doomed.conversation is not None:
        db.execute(SQL["drop_conversation"], (*person, doomed.conversation))
        counts["conversations"] = db.changes()
    db.execute(SQL["drop_empty_slices"], person)
    counts["audit"], counts["pointers"] = _scrub_rows(db, scope, doomed)
    counts["jobs"] = _scrub_jobs(db, scope, doomed)
    return _gone(db, counts)


def _gone(db: apsw.Connection, counts: dict[str, int]) -> Gone:
    """The receipt; and a mark, in the same transaction, that the files have to be cleaned of what went."""
    gone = Gone(counts)
    if gone.total:
        db.execute(SQL["set_meta"], (TRACES_LEFT, "1"))
    return gone


def _take_rows(db: apsw.Connection, scope: Scope, kind: Kind, ids: tuple[bytes, ...]) -> int:
    """Delete rows and count them out of the statistics; how many there were."""
    key = (scope.tenant, scope.user, apsw.carray(ids))
    indexed, length = fetched(db, filled("indexed_length", table=TABLES[kind]), key)[0]
    if indexed:
        number = rows.KIND_NUMBERS[kind]
        db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, -indexed, -length))
    db.execute(filled("drop_rows", table=TABLES[kind]), key)
    return db.changes()


def _scrub_rows(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> tuple[int, int]:
    """Take out the entries of what went, and its traces from rows that stay; how many entries, how many items."""
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
    traces = Traces(doomed.all_ids, doomed.texts)
    pointers, unsourced = _unpoint(db, scope, doomed, traces)
    _scrub_entries(db, scope, doomed.all_ids, traces, changes=changes, unsourced=unsourced)
    return len(own), pointers


def _unpoint(db: apsw.Connection, scope: Scope, doomed: _Doomed, traces: Traces) -> tuple[int, set[str]]:
    """Clear items' pointers to what went and evidence from it; how many items changed, and which lost a source."""
    gone, sources = doomed.all_ids, doomed.sources
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
    for item in _items(db, scope, pointing):
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
            found = _items(db, scope, [entry.target_id])
        case Target.NOTE:
            found = _notes(db, scope, [entry.target_id])
        case Target.CONVERSATION:
            found = [conversation(db, scope, entry.target_id)]
    return still_said(found[0] if found else None)


def _scrub_jobs(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> int:
    """Drop the jobs that were for these alone, and let others go on without them; how many were dropped."""
    names = doomed.all_ids | ({doomed.conversation} if doomed.conversation is not None else set())
    traces = Traces(names)
    dropped = 0
    for id, text in fetched(db, SQL["jobs_of_person"], (scope.tenant, scope.user)):
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
