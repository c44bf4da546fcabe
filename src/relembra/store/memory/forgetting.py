"""Taking rows and every mention of them off the shelves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.jobs import LEARNING, Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.run import Run, RunStatus
from relembra.domain.scope import Scope, shelf_of
from relembra.errors import StaleError
from relembra.store.memory.buffering import take_out
from relembra.store.memory.choosing import known_rows
from relembra.store.memory.shelf import Shelf
from relembra.store.port import Gone
from relembra.store.traces import (
    Traces,
    entry_without,
    item_without,
    loses_source,
    reports_quoting,
    still_said,
    words_in,
    words_of,
)

Shelves = dict[Scope, Shelf]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """The rows of one shelf that are to go, and what goes from the shelves of spaces with them."""

    conversation: str | None = None
    messages: Collection[str] = ()
    notes: Collection[str] = ()
    items: Collection[str] = ()
    unheard: frozenset[str] = frozenset()  # messages that stay, from which nothing is learnt any more
    spaces: Mapping[Scope, Collection[str]] = field(default_factory=dict)  # where they were said → notes made of them

    @property
    def ids(self) -> set[str]:
        """Those ids that no other row and no word can have; a conversation's own id is chosen by people."""
        return {*self.messages, *self.notes, *self.items}

    @property
    def shared(self) -> set[str]:
        """Notes of spaces, which other people's rows may name."""
        return {id for notes in self.spaces.values() for id in notes}

    @property
    def sources(self) -> set[str]:
        return {*self.messages, *self.notes, *self.shared}

    def owns(self, entry: AuditEntry) -> bool:
        """Whether the entry is about one of these."""
        match entry.target:
            case Target.ITEM:
                return entry.target_id in self.items
            case Target.NOTE:
                return entry.target_id in self.notes
            case Target.CONVERSATION:
                return entry.target_id == self.conversation


# ── what is to go ─────────────────────────────────────────────────────────────────────────────────────────────────


def doomed_with(shelves: Shelves, scope: Scope, conversation: str) -> Doomed:
    """A conversation, its messages, notes made of them, notes made of those, and items learnt from nothing else."""
    shelf = shelves.get(scope, Shelf())
    messages = [message for message in shelf.messages.values() if message.conversation == conversation]
    ids = {message.id for message in messages}
    spaces = _notes_of_spaces(shelves, scope, messages)
    shared = {id for notes in spaces.values() for id in notes}
    notes = _made_of(shelf.notes.values(), ids, shared)
    items = {item.id for item in shelf.items.values() if _learnt_only_from(item, ids, {*notes, *shared})}
    doomed = Doomed(conversation=conversation, messages=ids, notes=notes, items=items, spaces=spaces)
    return replace(doomed, notes={*notes, *_reports_of(shelf, doomed)})


def doomed_item(shelf: Shelf, id: str, along: Mapping[str, int]) -> Doomed:
    """An item and those that go along, at the versions they were read at; and the automatic notes that quote them."""
    held = {other: shelf.items[other].version for other in along if other in shelf.items}
    if held != along:
        raise StaleError(f"item {id!r} or what it was merged into changed: read it and decide again")
    ids = {id, *along} & shelf.items.keys()
    doomed = Doomed(items=ids, unheard=frozenset(said for one in ids for said in shelf.items[one].message_ids))
    return replace(doomed, notes=_reports_of(shelf, doomed))


def _reports_of(shelf: Shelf, doomed: Doomed) -> set[str]:
    return reports_quoting(_words(shelf, doomed, ()), shelf.notes.values())


def all_of(shelves: Shelves, scope: Scope) -> Doomed:
    shelf = shelves.get(scope, Shelf())
    spaces = _notes_of_spaces(shelves, scope, shelf.messages.values())
    return Doomed(messages=set(shelf.messages), notes=set(shelf.notes), items=set(shelf.items), spaces=spaces)


def _notes_of_spaces(shelves: Shelves, scope: Scope, messages: Iterable[Message]) -> dict[Scope, set[str]]:
    """The spaces these were said in, with the notes made of them there."""
    messages = list(messages)
    ids = {message.id for message in messages}
    spaces = {shelf_of(scope, message.place) for message in messages} - {scope}
    return {space: _made_of(shelves[space].notes.values(), ids, ()) for space in spaces if space in shelves}


def _made_of(held: Collection[Note], messages: Collection[str], notes: Collection[str]) -> set[str]:
    """Notes made of these messages or notes, and notes made of those."""
    found: set[str] = set()
    while more := {
        note.id
        for note in held
        if note.id not in found
        and not (set(messages).isdisjoint(note.message_ids) and {*notes, *found}.isdisjoint(note.note_ids))
    }:
        found |= more
    return found


def _learnt_only_from(item: KnowledgeItem, messages: Collection[str], notes: Collection[str]) -> bool:
    """Whether it names where it came from, and all of that is among these."""
    learnt_here = item.note_id in notes or any(id in messages for id in item.message_ids)
    elsewhere = (item.note_id is not None and item.note_id not in notes) or any(
        id not in messages for id in item.message_ids
    )
    return learnt_here and not elsewhere


# ── taking it away ────────────────────────────────────────────────────────────────────────────────────────────────


def without(shelves: Shelves, scope: Scope, doomed: Doomed, *, whole: bool = False) -> tuple[Shelves, Gone]:
    """All shelves without these rows and what names or quotes them, and the receipt; `whole`: the whole shelf goes."""
    left = dict(shelves)
    shared_words = {text for space, ids in doomed.spaces.items() for text in _words_of_notes(shelves[space], ids)}
    pointers = 0
    left[scope] = Shelf()
    if not whole:
        left[scope], pointers = _shelf_without(shelves.get(scope, Shelf()), doomed, shared_words)
        take_out(left[scope], scope.user, {*doomed.messages, *doomed.unheard})
    for space, notes in doomed.spaces.items():
        left[space], more = _shelf_without(shelves[space], Doomed(notes=notes), (), also=doomed.messages)
        take_out(left[space], scope.user, doomed.messages)
        pointers += more
    shared = named_by_others(scope, doomed)
    if shared:
        for other in left:
            if other.tenant == scope.tenant and other != scope:
                left[other], more = _unpointed(left[other], shared)
                pointers += more
    gone = replace(_receipt(shelves, left, pointers), notes=() if whole else tuple(sorted(doomed.notes)))
    if gone.total:
        for other in left:
            if other == scope or (shared and other.tenant == scope.tenant):
                left[other] = _unquoting(left[other])
    return {other: shelf for other, shelf in left.items() if not shelf.is_empty}, gone


def named_by_others(scope: Scope, doomed: Doomed) -> set[str]:
    """Of the notes that go, those of spaces: others' rows may name them, and whatever is kept may quote them."""
    return doomed.shared if scope.space is None else {*doomed.shared, *doomed.notes}


def _shelf_without(
    shelf: Shelf, doomed: Doomed, words: Iterable[str], *, also: Collection[str] = ()
) -> tuple[Shelf, int]:
    """A shelf without these rows, and how many items that stay named or quoted them; `also`: further names to go."""
    ids, sources = doomed.ids, doomed.sources
    named = {*ids, *doomed.shared, *also}
    own = [entry for entry in shelf.trail.values() if doomed.owns(entry)]
    traces = Traces(named, {*words, *_words(shelf, doomed, own)})
    items = {id: item_without(item, named, sources, traces) for id, item in shelf.items.items() if id not in ids}
    in_jobs = named if doomed.conversation is None else {*named, doomed.conversation}
    unheard = in_jobs | doomed.unheard
    jobs = {
        id: job
        for id, held in shelf.jobs.items()
        if (job := _job_without(held, unheard if held.kind in LEARNING else in_jobs)) is not None
    }
    left = Shelf(
        conversations={id: row for id, row in shelf.conversations.items() if id != doomed.conversation},
        messages={id: row for id, row in shelf.messages.items() if id not in ids},
        external={name: id for name, id in shelf.external.items() if id not in ids},
        notes={id: row for id, row in shelf.notes.items() if id not in ids},
        items=items,
        terms={key: terms for key, terms in shelf.terms.items() if key[1] not in ids},
        vectors={key: vector for key, vector in shelf.vectors.items() if key[1] not in ids},
        jobs=jobs,
        buffers=dict(shelf.buffers),
        cases={id: case for id, case in shelf.cases.items() if not {case.old_id, case.new_id} & set(doomed.items)},
        views=dict(shelf.views),
        uses=dict(shelf.uses),
        runs=dict(shelf.runs),
        due_messages=shelf.due_messages - ids - doomed.unheard,
    )
    changes = {entry.change for entry in own}
    unsourced = {id for id in items if loses_source(shelf.items[id], sources)}
    left.trail = {
        number: entry_without(entry, traces, still_said(left.row_of(entry)), changes=changes, unsourced=unsourced)
        for number, entry in shelf.trail.items()
        if not doomed.owns(entry)
    }
    recorded = {entry.change for entry in left.trail.values()}
    left.due_changes = {change: None for change in shelf.due_changes if change not in changes - recorded}
    if own:
        left.runs = {id: run for id, run in left.runs.items() if not _is_empty(run, recorded)}
    return left, sum(item != shelf.items[id] for id, item in items.items())


def _is_empty(run: Run, recorded: set[str]) -> bool:
    """Whether a record names changes of which nothing is on record any more; work under way keeps its own."""
    return run.status is not RunStatus.RUNNING and bool(run.changes) and recorded.isdisjoint(run.changes)


def _unpointed(shelf: Shelf, notes: Collection[str]) -> tuple[Shelf, int]:
    """Somebody else's shelf without the names of a space's notes, and how many of its items had them."""
    left = shelf.copy()
    traces = Traces(notes)
    left.jobs = {id: replace(job, payload=traces.out_of(job.payload)) for id, job in shelf.jobs.items()}
    pointing = [item for item in shelf.items.values() if item.note_id in notes]
    left.items |= {item.id: replace(item, note_id=None) for item in pointing}
    if pointing:
        left.trail = {
            number: entry_without(entry, traces, still_said(left.row_of(entry)), changes=(), unsourced=())
            for number, entry in shelf.trail.items()
        }
    return left, len(pointing)


def _unquoting(shelf: Shelf) -> Shelf:
    """The shelf without what may quote anything: what views say, and what models answered at night."""
    left = shelf.copy()
    left.runs = {
        id: replace(run, raw=None, version=run.version + (run.status is RunStatus.RUNNING))
        for id, run in shelf.runs.items()
    }
    left.views = {name: replace(view, body=None) for name, view in shelf.views.items()}
    return left


def _words(shelf: Shelf, doomed: Doomed, own: Iterable[AuditEntry]) -> set[str]:
    """What the doomed rows say, and said earlier by their own entries."""
    found = _words_of_notes(shelf, doomed.notes)
    if doomed.conversation in shelf.conversations:
        found |= words_of(shelf.conversations[doomed.conversation])
    for message in known_rows(shelf.messages, doomed.messages):
        found |= words_of(message)
    for item in known_rows(shelf.items, doomed.items):
        found |= words_of(item)
    for entry in own:
        found |= words_in(entry.before) | words_in(entry.after)
    return found


def _words_of_notes(shelf: Shelf, ids: Collection[str]) -> set[str]:
    return {text for note in known_rows(shelf.notes, ids) for text in words_of(note)}


def _job_without(job: Job, ids: Collection[str]) -> Job | None:
    """The job for what is left of it; None when it was for these alone."""
    payload = Traces(ids).out_of(job.payload)
    if payload == job.payload:
        return job
    emptied = any(left in (None, []) and left != job.payload[name] for name, left in payload.items())
    return None if emptied else replace(job, payload=payload)


def _receipt(before: Shelves, after: Shelves, pointers: int) -> Gone:
    had, has = _counted(before), _counted(after)
    return Gone({place: had[place] - has[place] for place in had} | {"pointers": pointers})


def _counted(shelves: Shelves) -> Counter[str]:
    counts: Counter[str] = Counter()
    for shelf in (*shelves.values(), Shelf()):
        counts.update(
            conversations=len(shelf.conversations),
            messages=len(shelf.messages),
            notes=len(shelf.notes),
            items=len(shelf.items),
            terms=sum(len(counted) for counted in shelf.terms.values()),
            vectors=sum(len(parts) for parts in shelf.vectors.values()),
            audit=len(shelf.trail),
            jobs=len(shelf.jobs),
            cases=len(shelf.cases),
        )
    return counts
