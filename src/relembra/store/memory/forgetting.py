"""Taking rows and every mention of them off a shelf."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.store.memory.choosing import known_rows
from relembra.store.memory.shelf import Shelf
from relembra.store.port import (
    Gone,
)
from relembra.store.traces import Traces, entry_without, item_without, loses_source, still_said, words_in, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """The rows that are to go."""

    conversation: str | None = None
    messages: Collection[str] = ()
    notes: Collection[str] = ()
    items: Collection[str] = ()

    @property
    def ids(self) -> set[str]:
        """Those ids that no other row and no word can have; a conversation's own id is chosen by people."""
        return {*self.messages, *self.notes, *self.items}

    def owns(self, entry: AuditEntry) -> bool:
        """Whether the entry is about one of these."""
        match entry.target:
            case Target.ITEM:
                return entry.target_id in self.items
            case Target.NOTE:
                return entry.target_id in self.notes
            case Target.CONVERSATION:
                return entry.target_id == self.conversation


def doomed_with(shelf: Shelf, conversation: str) -> Doomed:
    """A conversation, its messages, notes made of them, notes made of those, and items learnt from nothing else."""
    messages = {message.id for message in shelf.messages.values() if message.conversation == conversation}
    notes: set[str] = set()
    while more := {
        note.id
        for note in shelf.notes.values()
        if note.id not in notes and not (messages.isdisjoint(note.message_ids) and notes.isdisjoint(note.note_ids))
    }:
        notes |= more
    items = {item.id for item in shelf.items.values() if _learnt_only_from(item, messages, notes)}
    return Doomed(conversation=conversation, messages=messages, notes=notes, items=items)


def _learnt_only_from(item: KnowledgeItem, messages: Collection[str], notes: Collection[str]) -> bool:
    """Whether it names where it came from, and all of that is among these."""
    learnt_here = item.note_id in notes or any(id in messages for id in item.message_ids)
    elsewhere = (item.note_id is not None and item.note_id not in notes) or any(
        id not in messages for id in item.message_ids
    )
    return learnt_here and not elsewhere


def shelf_without(shelf: Shelf, doomed: Doomed) -> tuple[Shelf, int]:
    """The shelf without these rows and what names or quotes them, and how many items that stay had done so."""
    ids, sources = doomed.ids, {*doomed.messages, *doomed.notes}
    own = [entry for entry in shelf.trail if doomed.owns(entry)]
    traces = Traces(ids, _words(shelf, doomed, own))
    items = {id: item_without(item, ids, sources, traces) for id, item in shelf.items.items() if id not in ids}
    named = ids if doomed.conversation is None else {*ids, doomed.conversation}
    jobs = {id: job for id, held in shelf.jobs.items() if (job := _job_without(held, named)) is not None}
    left = Shelf(
        conversations={id: row for id, row in shelf.conversations.items() if id != doomed.conversation},
        messages={id: row for id, row in shelf.messages.items() if id not in ids},
        external={name: id for name, id in shelf.external.items() if id not in ids},
        notes={id: row for id, row in shelf.notes.items() if id not in ids},
        items=items,
        terms={key: terms for key, terms in shelf.terms.items() if key[1] not in ids},
        vectors={key: vector for key, vector in shelf.vectors.items() if key[1] not in ids},
        jobs=jobs,
    )
    changes = {entry.change for entry in own}
    unsourced = {id for id in items if loses_source(shelf.items[id], sources)}
    left.trail = [
        entry_without(entry, traces, still_said(left.row_of(entry)), changes=changes, unsourced=unsourced)
        for entry in shelf.trail
        if not doomed.owns(entry)
    ]
    return left, sum(item != shelf.items[id] for id, item in items.items())


def _words(shelf: Shelf, doomed: Doomed, own: Iterable[AuditEntry]) -> set[str]:
    """What the doomed rows say, and said earlier by their own entries."""
    found: set[str] = set()
    if doomed.conversation in shelf.conversations:
        found |= words_of(shelf.conversations[doomed.conversation])
    for message in known_rows(shelf.messages, doomed.messages):
        found |= words_of(message)
    for note in known_rows(shelf.notes, doomed.notes):
        found |= words_of(note)
    for item in known_rows(shelf.items, doomed.items):
        found |= words_of(item)
    for entry in own:
        found |= words_in(entry.before) | words_in(entry.after)
    return found


def _job_without(job: Job, ids: Collection[str]) -> Job | None:
    """The job for what is left of it; None when it was for these alone."""
    payload = Traces(ids).out_of(job.payload)
    if payload == job.payload:
        return job
    emptied = any(left in (None, []) and left != job.payload[name] for name, left in payload.items())
    return None if emptied else replace(job, payload=payload)


def receipt_of(before: Shelf, after: Shelf, *, pointers: int) -> Gone:
    def terms(shelf: Shelf) -> int:
        return sum(len(counted) for counted in shelf.terms.values())

    return Gone(
        {
            "conversations": len(before.conversations) - len(after.conversations),
            "messages": len(before.messages) - len(after.messages),
            "notes": len(before.notes) - len(after.notes),
            "items": len(before.items) - len(after.items),
            "terms": terms(before) - terms(after),
            "vectors": len(before.vectors) - len(after.vectors),
            "audit": len(before.trail) - len(after.trail),
            "jobs": len(before.jobs) - len(after.jobs),
            "pointers": pointers,
        }
    )
