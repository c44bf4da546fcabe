"""Forgetting: taking rows out with every mention of them, so that nothing is left to find or to read in the file.

Pages freed here are overwritten (`secure_delete`), and the writer empties its log afterwards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import apsw

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import LEARNING
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import StaleError
from relembra.store import rows
from relembra.store.port import Account, Forget, ForgetConversation, ForgetItem, ForgetPerson, Gone, Kind
from relembra.store.sqlite import vectors
from relembra.store.sqlite.access import forget_replies
from relembra.store.sqlite.connection import SQL, fetched, filled, stamp
from relembra.store.sqlite.jobs import account, take_out
from relembra.store.sqlite.reads import changes as entries_of
from relembra.store.sqlite.reads import find, get
from relembra.store.sqlite.threads import TRACES_LEFT
from relembra.store.traces import (
    REPORTS,
    SHORTEST_QUOTE,
    Traces,
    entry_without,
    item_without,
    loses_source,
    reports_quoting,
    still_said,
    words_in,
    words_of,
)

_TARGETS = {Kind.ITEM: Target.ITEM, Kind.NOTE: Target.NOTE}
_AUDIT = filled("audit_of_person", columns=rows.ENTRIES.columns)
_AUDIT_OF_ROW = filled("audit_of_row", columns=rows.ENTRIES.columns)


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


def scrub_rows(db: apsw.Connection, scope: Scope, doomed: Doomed) -> tuple[int, int]:
    """Take out the entries of what went, and its traces from rows that stay; how many entries, how many items.

    With the last entry of all that a night changed goes the night's record.
    """
    own: list[tuple[int]] = []
    changes: set[str] = set()
    for target, target_id in doomed.targets:
        for number, *row in fetched(db, _AUDIT_OF_ROW, (scope.tenant, scope.user, target.value, target_id)):
            entry = rows.ENTRIES.of(scope, row)
            own.append((number,))
            changes.add(entry.change)
            doomed.texts |= words_in(entry.before) | words_in(entry.after)
    if own:
        db.executemany(SQL["drop_audit"], own)
        left = {entry.change for entry in entries_of(db, scope, sorted(changes))}
        account(db, scope, Account(changes=tuple(changes - left)))
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
    for item in get(db, scope, KnowledgeItem, pointing):
        left = item_without(item, gone, sources, traces)
        if loses_source(item, sources):
            unsourced.add(item.id)
        if left != item:
            row = dict(zip(rows.ITEMS.names, rows.ITEMS.row(left), strict=True))
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
        entry = rows.ENTRIES.of(scope, held)
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
            row = dict(zip(rows.ENTRIES.names, rows.ENTRIES.row(left), strict=True))
            scrubbed.append((row["before"], row["after"], row["why"], number))
    if scrubbed:
        db.executemany(SQL["set_audit"], scrubbed)


def _still(db: apsw.Connection, scope: Scope, entry: AuditEntry) -> str:
    found: Sequence[KnowledgeItem | Note | Conversation | None]
    match entry.target:
        case Target.ITEM:
            found = get(db, scope, KnowledgeItem, [entry.target_id])
        case Target.NOTE:
            found = get(db, scope, Note, [entry.target_id])
        case Target.CONVERSATION:
            found = [find(db, scope, Conversation, entry.target_id)]
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


PLACES = ("conversations", "messages", "notes", "items", "terms", "vectors", "audit", "jobs", "cases", "pointers")

_TABLES_OF_PERSON = {
    "conversation": "conversations",
    "message": "messages",
    "note": "notes",
    "item": "items",
    "posting": "terms",
    "embedding": "vectors",
    "audit": "audit",
    "job": "jobs",
    "case_file": "cases",
    "buffer": None,  # these are not counted
    "buffered": None,
    "stored_view": None,
    "run": None,
    "unaccounted": None,
    "use": None,
    "slice": None,
    "vector_slice": None,
    "stamp": None,
    "access_key": None,  # those bound to them
    "link": None,
}
_MESSAGES = filled("messages_of_conversation", columns=rows.MESSAGES.columns)

Spaces = dict[Scope, Doomed]
"""The spaces something was said in, and what goes there with it."""


def forget(db: apsw.Connection, scope: Scope, what: Forget) -> Gone:
    """Take something out within the writer's transaction."""
    match what:
        case ForgetItem(id, along):
            return _forget_item(db, scope, id, along)
        case ForgetConversation(id):
            return _forget_conversation(db, scope, id)
        case ForgetPerson():
            return _forget_person(db, scope)


def _forget_item(db: apsw.Connection, scope: Scope, id: str, along: Mapping[str, int]) -> Gone:
    held = {item.id: item.version for item in get(db, scope, KnowledgeItem, sorted(along))}
    if held != along:
        raise StaleError(f"item {id!r} or what it was merged into changed: read it and decide again")
    db.execute(SQL["keep_last_entry"])
    doomed = Doomed()
    said = {message for item in get(db, scope, KnowledgeItem, [id, *along]) for message in item.message_ids}
    _doom_items(db, scope, doomed, [id, *along])
    _doom_reports(db, scope, doomed)
    counts = _take(db, scope, doomed)
    counts["jobs"] += _teach_no_more(db, scope, said)
    return _finished(db, scope, counts, notes=doomed.ids[Kind.NOTE])


def _forget_conversation(db: apsw.Connection, scope: Scope, id: str) -> Gone:
    """With its messages go the notes made of them, the notes made of those, and what was learnt from nothing else."""
    db.execute(SQL["keep_last_entry"])
    doomed = Doomed(conversation=id)
    held = find(db, scope, Conversation, id)
    if held is not None:
        doomed.texts |= words_of(held)
    shelves: set[Scope] = set()
    for row in db.execute(_MESSAGES, (scope.tenant, scope.user, id)):
        message = rows.MESSAGES.of(scope, row)
        doomed.ids[Kind.MESSAGE].add(message.id)
        doomed.texts |= words_of(message)
        shelves.add(shelf_of(scope, message.place))
    spaces = _doom_in_spaces(db, shelves - {scope}, doomed.ids[Kind.MESSAGE])
    doomed.shared = _notes_in(spaces)
    doomed.texts = doomed.texts.union(*(space.texts for space in spaces.values()))
    _doom_notes(db, scope, doomed, doomed.ids[Kind.MESSAGE], doomed.shared)
    gone = doomed.sources
    _doom_items(db, scope, doomed, [id for id, sources in _sources(db, scope) if sources and sources <= gone])
    _doom_reports(db, scope, doomed)
    counts = _take(db, scope, doomed)
    counts.update(_take_from_spaces(db, scope, spaces, doomed.ids[Kind.MESSAGE]))
    counts.update(_take_from_others(db, scope, doomed.shared | _own_shared(scope, doomed.ids[Kind.NOTE])))
    return _finished(db, scope, counts, notes=doomed.ids[Kind.NOTE])


def _forget_person(db: apsw.Connection, scope: Scope) -> Gone:
    db.execute(SQL["keep_last_entry"])
    person = (scope.tenant, scope.user)
    said = fetched(db, filled("all_of_person", table="message", columns="id, space"), person)
    messages = {rows.id_text(id) for id, _ in said}
    shelves = {shelf_of(scope, Place(space)) for space in {space for _, space in said}}
    spaces = _doom_in_spaces(db, shelves - {scope}, messages)
    own = {rows.id_text(id) for (id,) in fetched(db, filled("all_of_person", table="note", columns="id"), person)}
    counts = _take_from_spaces(db, scope, spaces, messages)
    db.execute(SQL["end_sessions_of_person"], person)
    uncounted = 0
    for table, place in _TABLES_OF_PERSON.items():
        db.execute(filled("drop_person", table=table), person)
        if place is None:
            uncounted += db.changes()
        else:
            counts[place] += db.changes()
    uncounted += forget_replies(db, scope)
    counts.update(_take_from_others(db, scope, _notes_in(spaces) | _own_shared(scope, own)))
    return _finished(db, scope, counts, uncounted=uncounted, is_whole=True)


# ── what is to go ─────────────────────────────────────────────────────────────────────────────────────────────────


def _sources(db: apsw.Connection, scope: Scope) -> Iterable[tuple[str, set[str]]]:
    """Each item with the messages and the note it was learnt from."""
    statement = filled("all_of_person", table="item", columns="id, note_id, message_ids")
    for id, note_id, message_ids in db.execute(statement, (scope.tenant, scope.user)):
        yield rows.id_text(id), {*rows.from_json(message_ids), *([] if note_id is None else [rows.id_text(note_id)])}


def _doom_items(db: apsw.Connection, scope: Scope, doomed: Doomed, ids: Sequence[str]) -> None:
    for item in get(db, scope, KnowledgeItem, ids):
        doomed.ids[Kind.ITEM].add(item.id)
        doomed.texts |= words_of(item)


def _doom_notes(
    db: apsw.Connection, scope: Scope, doomed: Doomed, messages: Collection[str], shared: Collection[str]
) -> None:
    """Notes made of these messages or of a space's notes, and notes made of those."""
    found = doomed.ids[Kind.NOTE]
    statement = filled("all_of_person", table="note", columns="id, message_ids, note_ids")
    held = [
        (rows.id_text(id), rows.from_json(message_ids), rows.from_json(note_ids))
        for id, message_ids, note_ids in db.execute(statement, (scope.tenant, scope.user))
    ]
    while more := {
        id
        for id, made_of_messages, made_of_notes in held
        if id not in found
        and not (set(messages).isdisjoint(made_of_messages) and {*found, *shared}.isdisjoint(made_of_notes))
    }:
        found |= more
    for note in get(db, scope, Note, sorted(found)):
        doomed.texts |= words_of(note)


def _doom_reports(db: apsw.Connection, scope: Scope, doomed: Doomed) -> None:
    """Automatic notes that quote what goes."""
    statement = filled("all_of_person", table="note", columns="id, kind")
    made = [rows.id_text(id) for id, kind in db.execute(statement, (scope.tenant, scope.user)) if kind in REPORTS]
    doomed.ids[Kind.NOTE] |= reports_quoting(doomed.texts, get(db, scope, Note, made))


def _doom_in_spaces(db: apsw.Connection, spaces: Iterable[Scope], messages: set[str]) -> Spaces:
    """The notes of these spaces made of somebody's messages; losing a note is better than keeping their words."""
    found: Spaces = {}
    for space in spaces:
        found[space] = Doomed(also=messages)
        _doom_notes(db, space, found[space], messages, ())
    return found


def _notes_in(spaces: Spaces) -> set[str]:
    return set().union(*(doomed.ids[Kind.NOTE] for doomed in spaces.values()))


def _own_shared(scope: Scope, notes: set[str]) -> set[str]:
    """Of notes that go, those other people's rows may name: a space's."""
    return set() if scope.space is None else notes


# ── taking out ────────────────────────────────────────────────────────────────────────────────────────────────────


def _take(db: apsw.Connection, scope: Scope, doomed: Doomed) -> Counter[str]:
    """Take rows off one shelf, and their mentions off the rows that stay there."""
    counts: Counter[str] = Counter()
    person = (scope.tenant, scope.user)
    for kind, ids in doomed.ids.items():
        if ids:
            gone = tuple(rows.id_bytes(id) for id in sorted(ids))
            counts[f"{kind.value}s"] = _take_rows(db, scope, kind, gone)
            number = rows.KIND_NUMBERS[kind]
            db.execute(SQL["drop_postings_of"], (*person, number, apsw.carray(gone)))
            counts["terms"] += db.changes()
            counts["vectors"] += vectors.drop(db, scope, kind, gone)
    if doomed.ids[Kind.ITEM]:
        sides = tuple(rows.id_bytes(id) for id in sorted(doomed.ids[Kind.ITEM]))
        db.execute(SQL["drop_cases_of"], (*person, apsw.carray(sides)))
        counts["cases"] = db.changes()
    account(db, scope, Account(messages=tuple(doomed.ids[Kind.MESSAGE])))
    if doomed.conversation is not None:
        db.execute(filled("drop_row", table="conversation"), (*person, doomed.conversation))
        counts["conversations"] = db.changes()
    db.execute(SQL["drop_empty_slices"], person)
    counts["audit"], counts["pointers"] = scrub_rows(db, scope, doomed)
    counts["jobs"] = scrub_jobs(db, scope, doomed) + take_out(db, scope, doomed.ids[Kind.MESSAGE])
    return counts


def _teach_no_more(db: apsw.Connection, scope: Scope, messages: set[str]) -> int:
    """Let neither their note nor the night learn from messages again what was forgotten; how many jobs went."""
    account(db, scope, Account(messages=tuple(messages)))
    dropped = scrub_jobs(db, scope, Doomed(also=messages), kinds=LEARNING)
    return dropped + take_out(db, scope, messages)


def _take_from_spaces(db: apsw.Connection, scope: Scope, spaces: Spaces, messages: set[str]) -> Counter[str]:
    """Take the notes made of a person's messages off the spaces' shelves, and the messages out of their buffers."""
    counts: Counter[str] = Counter()
    for space, doomed in spaces.items():
        counts.update(_take(db, space, doomed))
    stamp(db, dict.fromkeys(spaces, True))
    counts["jobs"] += take_out(db, scope, messages)
    return counts


def _take_from_others(db: apsw.Connection, scope: Scope, notes: set[str]) -> Counter[str]:
    """Let nobody's rows name a space's notes that went, or views, records and kept replies quote them."""
    if not notes:
        return Counter()
    raw = apsw.carray(tuple(rows.id_bytes(id) for id in sorted(notes)))
    owners = {owner for (owner,) in fetched(db, SQL["owners_of_views"], (scope.tenant,))}
    owners |= {owner for owner, _ in fetched(db, SQL["others_items_of_notes"], (scope.tenant, raw, scope.user))}
    stamp(db, {Scope(scope.tenant, owner): True for owner in owners})
    db.execute(filled("clear_views", person=""), (scope.tenant,))
    db.execute(filled("clear_runs", whose="<>"), (scope.tenant, scope.user))
    forget_replies(db, scope, everybodys=True)
    return Counter(pointers=unpoint_others(db, scope, notes))


def _take_rows(db: apsw.Connection, scope: Scope, kind: Kind, ids: tuple[bytes, ...]) -> int:
    """Delete rows and count them out of the statistics; how many there were."""
    key = (scope.tenant, scope.user, apsw.carray(ids))
    indexed, length = fetched(db, filled("indexed_length", table=rows.SEARCHED[kind].name), key)[0]
    if indexed:
        number = rows.KIND_NUMBERS[kind]
        db.execute(SQL["count_in_slice"], (scope.tenant, scope.user, number, -indexed, -length))
    db.execute(filled("drop_rows", table=rows.SEARCHED[kind].name), key)
    return db.changes()


def _finished(
    db: apsw.Connection,
    scope: Scope,
    counts: Counter[str],
    *,
    notes: Iterable[str] = (),
    uncounted: int = 0,
    is_whole: bool = False,
) -> Gone:
    """The receipt; and a mark, in the same transaction, that the files have to be cleaned of what went.

    A view, what a model answered at night, or a reply kept for a request may quote anything of its person's, so that
    none outlives what is forgotten. Of a scope forgotten as a whole not even a stamp is left.
    """
    gone = Gone({place: counts[place] for place in PLACES}, notes=tuple(sorted(notes)))
    if gone.total and not is_whole:
        person = "AND owner = ?2"
        db.execute(filled("clear_views", person=person), (scope.tenant, scope.user))
        db.execute(filled("clear_runs", whose="="), (scope.tenant, scope.user))
        forget_replies(db, scope)
        stamp(db, {scope: True})
    if gone.total or uncounted:
        db.execute(SQL["set_meta"], (TRACES_LEFT, "1"))
    return gone
