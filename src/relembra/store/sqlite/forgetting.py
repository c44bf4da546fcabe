"""Forgetting: taking rows out with every mention of them, so that nothing is left to find or to read in the file.

Pages freed here are overwritten (`secure_delete`), and the writer empties its log afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from relembra.domain.audit import Target
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.scope import Scope
from relembra.store import rows
from relembra.store.port import Gone, Kind
from relembra.store.sqlite.indexing import TABLES
from relembra.store.sqlite.reading import by_ids
from relembra.store.sqlite.statements import SQL, fetched, filled
from relembra.store.sqlite.threads import TRACES_LEFT

PLACES = ("conversations", "messages", "notes", "items", "terms", "vectors", "audit", "jobs", "pointers")

_SHORTEST_QUOTE = 12
"""Characters from which a forgotten text, found inside another one, is taken for a quotation."""

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


@dataclass(slots=True)
class _Doomed:
    """What is to go: rows, and the texts that may have been copied into the audit trail."""

    conversation: str | None = None
    ids: dict[Kind, set[str]] = field(default_factory=lambda: {kind: set() for kind in Kind})
    texts: set[str] = field(default_factory=set)

    @property
    def all_ids(self) -> set[str]:
        return set().union(*self.ids.values())


def forget_item(db: apsw.Connection, scope: Scope, id: str) -> Gone:
    doomed = _Doomed()
    for item in _items(db, scope, [id]):
        _doom_item(doomed, item)
    return _forget(db, scope, doomed)


def forget_conversation(db: apsw.Connection, scope: Scope, id: str) -> Gone:
    """With its messages go the notes made of them, the notes made of those, and what was learnt from nothing else."""
    doomed = _Doomed(conversation=id)
    for (raw,) in db.execute(SQL["messages_of_conversation"], (scope.tenant, scope.user, id)):
        doomed.ids[Kind.MESSAGE].add(rows.id_text(raw))
    messages, notes = doomed.ids[Kind.MESSAGE], doomed.ids[Kind.NOTE]
    held = list(_notes(db, scope))
    grown = -1
    while grown != len(notes):
        grown = len(notes)
        for note, made_of_messages, made_of_notes in held:
            if not (messages.isdisjoint(made_of_messages) and notes.isdisjoint(made_of_notes)):
                notes.add(note)
    learnt = [id for id, sources in _sources(db, scope) if sources and sources <= messages | notes]
    for item in _items(db, scope, learnt):
        _doom_item(doomed, item)
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


def _sources(db: apsw.Connection, scope: Scope) -> Iterable[tuple[str, set[str]]]:
    """Each item with the messages and the note it was learnt from."""
    statement = filled("all_of_person", table="item", columns="id, note_id, message_ids")
    for id, note_id, message_ids in db.execute(statement, (scope.tenant, scope.user)):
        yield rows.id_text(id), {*rows.from_json(message_ids), *([] if note_id is None else [rows.id_text(note_id)])}


def _notes(db: apsw.Connection, scope: Scope) -> Iterable[tuple[str, list[str], list[str]]]:
    statement = filled("all_of_person", table="note", columns="id, message_ids, note_ids")
    for id, message_ids, note_ids in db.execute(statement, (scope.tenant, scope.user)):
        yield rows.id_text(id), rows.from_json(message_ids), rows.from_json(note_ids)


def _doom_item(doomed: _Doomed, item: KnowledgeItem) -> None:
    doomed.ids[Kind.ITEM].add(item.id)
    texts = (item.content, item.title, item.evidence or "")
    doomed.texts |= {text for text in texts if len(text) >= _SHORTEST_QUOTE}


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
    counts["pointers"] = _unpoint(db, scope, doomed.all_ids)
    counts["audit"] = _scrub_audit(db, scope, doomed)
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


def _unpoint(db: apsw.Connection, scope: Scope, gone: Collection[str]) -> int:
    """Clear the pointers items have to these; how many items had one. What was superseded stays superseded."""
    raw_gone = {rows.id_bytes(id) for id in gone}
    unpointed = []
    for id, related, message_ids, note_id, successor in db.execute(SQL["pointers"], (scope.tenant, scope.user)):
        held = (related, message_ids, note_id, successor)
        left = (
            rows.list_json([other for other in rows.from_json(related) if other not in gone]),
            rows.list_json([other for other in rows.from_json(message_ids) if other not in gone]),
            None if note_id in raw_gone else note_id,
            None if successor in raw_gone else successor,
        )
        if left != held:
            unpointed.append((*left, scope.tenant, scope.user, id))
    if unpointed:
        db.executemany(SQL["set_pointers"], unpointed)
    return len(unpointed)


def _scrub_audit(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> int:
    """Take out the entries of what went; in others, blank its id and whatever quotes it. How many entries went."""
    own = {(_TARGETS[kind].value, id) for kind in _TARGETS for id in doomed.ids[kind]}
    own.add((Target.CONVERSATION.value, doomed.conversation or ""))
    ids = doomed.all_ids
    scrub = _Scrub(ids, doomed.texts)
    gone: list[tuple[int]] = []
    changed: list[tuple[Any, ...]] = []
    for number, target, target_id, *sides in db.execute(SQL["audit_of_person"], (scope.tenant, scope.user)):
        if (target, target_id) in own:
            gone.append((number,))
            continue
        before, after, why = sides
        if scrub.may_be_in(before, after, why):
            # What the row itself still says was not only the forgotten one's to say.
            kept = [text for item in _items(db, scope, [target_id]) for text in (item.content, item.title)]
            quoted = [text for text in doomed.texts if not any(text in held for held in kept)]
            careful = _Scrub(ids, quoted)
            cleaned = (careful.json(before), careful.json(after), careful.value(why))
            if cleaned != (before, after, why):
                changed.append((*cleaned, number))
    if gone:
        db.executemany(SQL["drop_audit"], gone)
    if changed:
        db.executemany(SQL["set_audit"], changed)
    return len(gone)


def _scrub_jobs(db: apsw.Connection, scope: Scope, doomed: _Doomed) -> int:
    """Drop the jobs that were for these alone, and let others go on without them; how many were dropped."""
    names = doomed.all_ids | ({doomed.conversation} if doomed.conversation is not None else set())
    scrub = _Scrub(names, ())
    dropped = 0
    for id, text in fetched(db, SQL["jobs_of_person"], (scope.tenant, scope.user)):
        payload: dict[str, Any] = rows.from_json(text)
        left = scrub.value(payload)
        if left == payload:
            continue
        if any(part in (None, []) and part != payload[name] for name, part in left.items()):
            db.execute(SQL["finish_job"], (scope.tenant, scope.user, id))
            dropped += 1
        else:
            db.execute(SQL["set_payload"], (rows.to_json(left), scope.tenant, scope.user, id))
    return dropped


class _Scrub:
    """Takes names, and texts that quote something, out of JSON values."""

    def __init__(self, names: Collection[str], texts: Collection[str]) -> None:
        self._names = names
        self._texts = texts
        # Also as they stand in JSON, to pass over most entries without decoding them.
        self._traces = {*texts, *(rows.to_json(text)[1:-1] for text in texts)}

    def may_be_in(self, *texts: str | None) -> bool:
        return any(
            text is not None
            and (not rows.ids_in(text).isdisjoint(self._names) or any(trace in text for trace in self._traces))
            for text in texts
        )

    def json(self, text: str | None) -> str | None:
        if text is None:
            return None
        value = rows.from_json(text)
        cleaned = self.value(value)
        return text if cleaned == value else rows.to_json(cleaned)

    def value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: self.value(part) for name, part in value.items() if name not in self._names}
        if isinstance(value, list):
            return [self.value(part) for part in value if not (isinstance(part, str) and self._is_trace(part))]
        return None if isinstance(value, str) and self._is_trace(value) else value

    def _is_trace(self, text: str) -> bool:
        return text in self._names or any(quoted in text for quoted in self._texts)
