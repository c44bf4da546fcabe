"""Forgetting: taking rows out with every mention of them, so that nothing is left to find or to read.

An adapter sees to it afterwards that nothing of them is left in its files either (`Gone.erased`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from relembra.domain.audit import Target
from relembra.domain.jobs import LEARNING
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.domain.traces import SHORTEST_QUOTE, Traces, reports_quoting, still_said, words_in, words_of
from relembra.errors import StaleError
from relembra.store import rows
from relembra.store.port import Account, Forget, ForgetConversation, ForgetItem, ForgetPerson, Gone, Kind
from relembra.store.sql import Session, stamp, vectors
from relembra.store.sql.accounts import forget_replies
from relembra.store.sql.queue import account, take_out
from relembra.store.sql.reads import changes as entries_of
from relembra.store.sql.reads import find, get, values

_COUNTED = {
    "conversation": "conversations",
    "message": "messages",
    "note": "notes",
    "item": "items",
    "posting": "terms",
    "embedding": "vectors",
    "audit": "audit",
    "job": "jobs",
    "case_file": "cases",
}
PLACES = (*_COUNTED.values(), "pointers")
_UNCOUNTED = ("buffer", "buffered", "stored_view", "run", "unaccounted", "use", "slice", "vector_slice", "stamp",
              "access_key", "link")  # fmt: skip
"""All tables that hold rows of a person; of the last two, those bound to them."""
TABLES = (*_COUNTED, *_UNCOUNTED, "kept_reply", "access_session")
"""All tables something forgotten may have been in."""

_TARGETS: dict[Target, type[KnowledgeItem] | type[Note] | type[Conversation]] = {
    Target.ITEM: KnowledgeItem,
    Target.NOTE: Note,
    Target.CONVERSATION: Conversation,
}


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
        found = [(Target.ITEM, id) for id in sorted(self.ids[Kind.ITEM])]
        found += [(Target.NOTE, id) for id in sorted(self.ids[Kind.NOTE])]
        return found if self.conversation is None else [*found, (Target.CONVERSATION, self.conversation)]


Spaces = dict[Scope, Doomed]
"""The spaces something was said in, and what goes there with it."""


def forget(db: Session, scope: Scope, what: Forget) -> Gone:
    """Take something out within the writer's transaction."""
    db.run("keep_last_entry")
    match what:
        case ForgetItem(id, along):
            return _forget_item(db, scope, id, along)
        case ForgetConversation(id):
            return _forget_conversation(db, scope, id)
        case ForgetPerson():
            return _forget_person(db, scope)


def _forget_item(db: Session, scope: Scope, id: str, along: Mapping[str, int]) -> Gone:
    held = {item.id: item.version for item in get(db, scope, KnowledgeItem, sorted(along))}
    if held != along:
        raise StaleError(f"item {id!r} or what it was merged into changed: read it and decide again")
    doomed = Doomed()
    said = {message for item in get(db, scope, KnowledgeItem, [id, *along]) for message in item.message_ids}
    _doom_items(db, scope, doomed, [id, *along])
    counts = _take(db, scope, doomed)
    # Neither their note nor the night may learn from the messages again what was forgotten.
    account(db, scope, Account(messages=tuple(said)))
    counts["jobs"] += _scrub_jobs(db, scope, Doomed(also=said), kinds=LEARNING) + take_out(db, scope, said)
    return _finished(db, scope, counts, notes=doomed.ids[Kind.NOTE])


def _forget_conversation(db: Session, scope: Scope, id: str) -> Gone:
    """With its messages go the notes made of them, the notes made of those, and what was learnt from nothing else."""
    doomed = Doomed(conversation=id)
    held = find(db, scope, Conversation, id)
    if held is not None:
        doomed.texts |= words_of(held)
    shelves: set[Scope] = set()
    for message in values(db, rows.MESSAGES, scope, "messages_of_conversation", id):
        doomed.ids[Kind.MESSAGE].add(message.id)
        doomed.texts |= words_of(message)
        shelves.add(shelf_of(scope, message.place))
    spaces = _doom_in_spaces(db, shelves - {scope}, doomed.ids[Kind.MESSAGE])
    doomed.shared = _notes_in(spaces)
    doomed.texts = doomed.texts.union(*(space.texts for space in spaces.values()))
    named = db.rows("all_of_person", scope, table="note", columns="id, conversation")
    doomed.ids[Kind.NOTE] |= {rows.id_text(note) for note, talk in named if talk == id}  # a document's passages too
    _doom_notes(db, scope, doomed, doomed.ids[Kind.MESSAGE])
    gone = doomed.sources
    learnt = [
        rows.id_text(item)
        for item, note, messages in db.rows("all_of_person", scope, table="item", columns="id, note_id, message_ids")
        if (sources := {*rows.from_json(messages), *([] if note is None else [rows.id_text(note)])}) and sources <= gone
    ]
    _doom_items(db, scope, doomed, learnt)
    counts = _take(db, scope, doomed)
    counts.update(_take_from_spaces(db, scope, spaces, doomed.ids[Kind.MESSAGE]))
    own = doomed.ids[Kind.NOTE] if scope.space is not None else set()
    counts.update(_take_from_others(db, scope, doomed.shared | own))
    return _finished(db, scope, counts, notes=doomed.ids[Kind.NOTE])


def _forget_person(db: Session, scope: Scope) -> Gone:
    said = db.rows("all_of_person", scope, table="message", columns="id, space")
    messages = {rows.id_text(id) for id, _ in said}
    shelves = {shelf_of(scope, Place(space)) for space in {space for _, space in said}}
    spaces = _doom_in_spaces(db, shelves - {scope}, messages)
    own: set[str] = set()  # of a space's notes other people's rows may name some
    if scope.space is not None:
        own = {rows.id_text(id) for (id,) in db.rows("all_of_person", scope, table="note", columns="id")}
    counts = _take_from_spaces(db, scope, spaces, messages)
    db.run("end_sessions_of_person", scope)
    for table, place in _COUNTED.items():
        counts[place] += db.run("drop_person", scope, table=table)
    uncounted = sum(db.run("drop_person", scope, table=table) for table in _UNCOUNTED) + forget_replies(db, scope)
    counts.update(_take_from_others(db, scope, _notes_in(spaces) | own))
    return _finished(db, scope, counts, uncounted=uncounted, is_whole=True)


# ── what is to go ─────────────────────────────────────────────────────────────────────────────────────────────────


def _doom_items(db: Session, scope: Scope, doomed: Doomed, ids: Sequence[str]) -> None:
    """Items, and the automatic notes that quote them or whatever else goes."""
    for item in get(db, scope, KnowledgeItem, ids):
        doomed.ids[Kind.ITEM].add(item.id)
        doomed.texts |= words_of(item)
    doomed.ids[Kind.NOTE] |= reports_quoting(doomed.texts, values(db, rows.NOTES, scope, "derived_notes"))


def _doom_notes(db: Session, scope: Scope, doomed: Doomed, messages: Collection[str]) -> None:
    """Notes made of these messages or of a space's notes that go, and notes made of those."""
    found = doomed.ids[Kind.NOTE]
    held = [
        (rows.id_text(id), rows.from_json(made_of_messages), rows.from_json(made_of_notes))
        for id, made_of_messages, made_of_notes in db.rows(
            "all_of_person", scope, table="note", columns="id, message_ids, note_ids"
        )
    ]
    said = set(messages)
    while more := {
        id
        for id, of_messages, of_notes in held
        if id not in found and not (said.isdisjoint(of_messages) and {*found, *doomed.shared}.isdisjoint(of_notes))
    }:
        found |= more
    for note in get(db, scope, Note, sorted(found)):
        doomed.texts |= words_of(note)


def _doom_in_spaces(db: Session, spaces: Iterable[Scope], messages: set[str]) -> Spaces:
    """The notes of these spaces made of a person's messages; losing a note is better than keeping their words."""
    found: Spaces = {}
    for space in spaces:
        found[space] = Doomed(also=messages)
        _doom_notes(db, space, found[space], messages)
    return found


def _notes_in(spaces: Spaces) -> set[str]:
    return set().union(*(doomed.ids[Kind.NOTE] for doomed in spaces.values()))


# ── taking out ────────────────────────────────────────────────────────────────────────────────────────────────────


def _take(db: Session, scope: Scope, doomed: Doomed) -> Counter[str]:
    """Take rows off one shelf, and their mentions off the rows that stay there."""
    counts: Counter[str] = Counter()
    for kind, ids in doomed.ids.items():
        if ids:
            gone, number, table = rows.known_ids(ids), rows.KIND_NUMBERS[kind], rows.SEARCHED[kind]
            indexed, length = db.rows("indexed_length", scope, gone, table=table)[0]
            if indexed:
                db.run("count_in_slice", scope, number, -indexed, -length)
            counts[f"{kind.value}s"] = db.run("drop_rows", scope, gone, table=table)
            counts["terms"] += db.run("drop_postings_of", scope, number, gone)
            counts["vectors"] += vectors.drop(db, scope, kind, gone)
    counts["cases"] = db.run("drop_cases_of", scope, rows.known_ids(doomed.ids[Kind.ITEM]))
    account(db, scope, Account(messages=tuple(doomed.ids[Kind.MESSAGE])))
    if doomed.conversation is not None:
        counts["conversations"] = db.run("drop_row", scope, doomed.conversation, table=rows.CONVERSATIONS)
    db.run("drop_empty_slices", scope)
    counts["audit"], counts["pointers"] = _scrub_rows(db, scope, doomed)
    counts["jobs"] = _scrub_jobs(db, scope, doomed) + take_out(db, scope, doomed.ids[Kind.MESSAGE])
    return counts


def _take_from_spaces(db: Session, scope: Scope, spaces: Spaces, messages: set[str]) -> Counter[str]:
    """Take the notes made of a person's messages off the spaces' shelves, and the messages out of their buffers."""
    counts: Counter[str] = Counter()
    for space, doomed in spaces.items():
        counts.update(_take(db, space, doomed))
    stamp(db, dict.fromkeys(spaces, True))
    counts["jobs"] += take_out(db, scope, messages)
    return counts


def _take_from_others(db: Session, scope: Scope, notes: set[str]) -> Counter[str]:
    """Let nobody's rows name a space's notes that went, or views, records and kept replies quote them."""
    if not notes:
        return Counter()
    pointing: dict[str, list[bytes]] = defaultdict(list)
    for owner, id in db.rows("others_items_of_notes", scope.tenant, rows.known_ids(notes), scope.user):
        pointing[owner].append(id)
    owners = {owner for (owner,) in db.rows("owners_of_views", scope.tenant)} | pointing.keys()
    stamp(db, {Scope(scope.tenant, owner): True for owner in owners})
    db.run("clear_views", scope.tenant, person="")
    db.run("clear_runs", scope, whose="<>")
    forget_replies(db, scope, everybodys=True)
    traces = Traces(notes)
    for owner, ids in pointing.items():
        db.many("clear_note", [(scope.tenant, owner, id) for id in ids])
        _scrub_entries(db, Scope(scope.tenant, owner), set(notes), traces, changes=(), unsourced=())
    for owner, id, text in db.rows("jobs_of_others", scope):
        if not rows.ids_in(text).isdisjoint(notes):
            db.run("set_payload", rows.to_json(traces.out_of(rows.from_json(text))), scope.tenant, owner, id)
    return Counter(pointers=sum(len(ids) for ids in pointing.values()))


def _finished(
    db: Session,
    scope: Scope,
    counts: Counter[str],
    *,
    notes: Iterable[str] = (),
    uncounted: int = 0,
    is_whole: bool = False,
) -> Gone:
    """The receipt. `erased` is False where anything went, for its bytes are still to be cleaned out of files.

    A view, what a model answered at night, or a reply kept for a request may quote anything of its person's, so that
    none outlives what is forgotten. Of a scope forgotten as a whole not even a stamp is left.
    """
    gone = Gone({place: counts[place] for place in PLACES}, notes=tuple(sorted(notes)))
    if gone.total and not is_whole:
        db.run("clear_views", scope, person="AND owner = ?2")
        db.run("clear_runs", scope, whose="=")
        forget_replies(db, scope)
        stamp(db, {scope: True})
    if gone.total or uncounted:
        db.run("set_meta", TRACES_LEFT, "1")
    return gone


TRACES_LEFT = "traces_left"
"""In `meta`, from a forgetting until nothing of it is left in files: where to go on with cleaning them; else "0"."""


# ── mentions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _scrub_rows(db: Session, scope: Scope, doomed: Doomed) -> tuple[int, int]:
    """Take out the entries of what went, and its traces from rows that stay; how many entries, how many items.

    With the last entry of all that a night changed goes the night's record.
    """
    own: list[tuple[int]] = []
    changes: set[str] = set()
    for target, target_id in doomed.targets:
        for number, *row in db.rows("audit_of_row", scope, target.value, target_id):
            entry = rows.ENTRIES.of(scope, row)
            own.append((number,))
            changes.add(entry.change)
            doomed.texts |= words_in(entry.before) | words_in(entry.after)
    if own:
        db.many("drop_audit", own)
        left = {entry.change for entry in entries_of(db, scope, sorted(changes))}
        account(db, scope, Account(changes=tuple(changes - left)))
        db.run("drop_empty_runs", scope)
    traces = Traces(doomed.named, doomed.texts)
    pointers, unsourced = _unpoint(db, scope, doomed, traces)
    _scrub_entries(db, scope, doomed.named, traces, changes=changes, unsourced=unsourced)
    return len(own), pointers


def _unpoint(db: Session, scope: Scope, doomed: Doomed, traces: Traces) -> tuple[int, set[str]]:
    """Clear items' pointers to what went and evidence from it; how many items changed, and which lost a source."""
    gone, sources = doomed.named, doomed.sources
    raw_gone = set(rows.known_ids(gone))
    pointing = [
        rows.id_text(id)
        for id, related, message_ids, note_id, successor, evidence in db.each("pointers", scope)
        if not (raw_gone.isdisjoint((note_id, successor)) and gone.isdisjoint(rows.ids_in(related + message_ids)))
        or (evidence is not None and traces.are_in(evidence, shortest=SHORTEST_QUOTE))
    ]
    unpointed: list[tuple[Any, ...]] = []
    unsourced: set[str] = set()
    for item in get(db, scope, KnowledgeItem, pointing):
        if item.note_id in sources or not sources.isdisjoint(item.message_ids):
            unsourced.add(item.id)
        left = replace(
            item,
            superseded_by=None if item.superseded_by in gone else item.superseded_by,
            note_id=None if item.note_id in gone else item.note_id,
            related=tuple(id for id in item.related if id not in gone),
            message_ids=tuple(id for id in item.message_ids if id not in gone),
            evidence=None if item.id in unsourced or traces.are_in_evidence(item) else item.evidence,
        )
        if left != item:
            row = dict(zip(rows.ITEMS.names, rows.ITEMS.row(left), strict=True))
            pointers = (row[name] for name in ("related", "message_ids", "note_id", "superseded_by", "evidence"))
            unpointed.append((*pointers, scope, row["id"]))
    db.many("set_pointers", unpointed)
    return len(unpointed), unsourced


def _scrub_entries(
    db: Session, scope: Scope, ids: set[str], traces: Traces, *, changes: Collection[str], unsourced: Collection[str]
) -> None:
    """Clean the entries of rows that stay.

    They do not say why one of the `changes` was made either, for these touched what was forgotten, or give the evidence
    of an item that lost a source.
    """
    scrubbed: list[tuple[Any, ...]] = []
    for number, *held in db.rows("audit_of_person", scope):
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
        still = still_said(find(db, scope, _TARGETS[entry.target], entry.target_id))
        before, after = (traces.out_of_row(side, still) for side in (entry.before, entry.after))
        for side in (before, after):
            if side is not None and entry.target_id in unsourced and "evidence" in side:
                side["evidence"] = None
        why = None if entry.change in changes else traces.out_of(entry.why, still)
        left = replace(entry, before=before, after=after, why=why)
        if left != entry:
            row = dict(zip(rows.ENTRIES.names, rows.ENTRIES.row(left), strict=True))
            scrubbed.append((row["before"], row["after"], row["why"], number))
    db.many("set_audit", scrubbed)


def _scrub_jobs(db: Session, scope: Scope, doomed: Doomed, *, kinds: Collection[str] = ()) -> int:
    """Drop the jobs that were for these alone, and let others go on without them; how many were dropped.

    With `kinds` only jobs of these.
    """
    traces = Traces(doomed.named | ({doomed.conversation} if doomed.conversation is not None else set()))
    dropped = 0
    for id, kind, text in db.rows("jobs_of_person", scope):
        payload: dict[str, Any] = rows.from_json(text)
        left = traces.out_of(payload)
        if left == payload or (kinds and kind not in kinds):
            continue
        if any(part in (None, []) and part != payload[name] for name, part in left.items()):
            dropped += db.run("finish_job", scope, id)
        else:
            db.run("set_payload", rows.to_json(left), scope, id)
    return dropped
