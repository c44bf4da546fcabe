"""The store's sentences: what may be written together, what may be read, and what each answer means.

Everything belongs to a `Scope`. A row of another tenant or person answers exactly as one that does not exist.
An implementation owns persistence and what is derived from rows (terms, lengths), never policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from relembra.domain.audit import AuditEntry, Target
from relembra.domain.case import Case
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.minds.port import Vector

T = TypeVar("T")


class Kind(StrEnum):
    """What a searchable row is."""

    ITEM = "item"
    MESSAGE = "message"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Something computed from the ledgers and kept for speed, as plain JSON values; `body` None: to be made anew."""

    scope: Scope
    name: str
    version: int
    made_at: datetime
    body: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """The messages of a channel or conversation that wait to be noted: whose each is, and its id.

    Oldest first, by when they were sent and then id. What was forgotten is not among them any more.
    """

    id: str
    scope: Scope  # the shelf: a person's, or a space's
    place: Place
    conversation: str
    opened_at: datetime
    last_at: datetime  # when the newest message it took was sent
    is_open: bool
    messages: tuple[tuple[str, str], ...]  # (user, message id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What a model was asked for one task on one day."""

    day: date
    task: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int


# ── what may be written ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PutMessage:
    """Append a message. One whose external id and role this person saved before is left as it was (`Receipt.known`).

    A second one with the same own id is a `ConflictError`.
    """

    message: Message


@dataclass(frozen=True, slots=True)
class TouchConversation:
    """Create the conversation, or move the existing one's `updated_at` forward, never back.

    A deleted one is shown again, at the next version, and one without a title takes the given one. Where messages are
    put in the same `apply`, nothing happens unless one of them is of this conversation and was not known before.
    """

    conversation: Conversation


@dataclass(frozen=True, slots=True)
class PutConversation:
    """Replace a conversation whose version is `expects`; None: it must not exist. Else `StaleError`."""

    conversation: Conversation
    expects: int | None


@dataclass(frozen=True, slots=True)
class HideMessages:
    """Hide all messages of a conversation not yet hidden, at a moment."""

    conversation: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ShowMessages:
    """Show again the messages of a conversation that were hidden at exactly that moment."""

    conversation: str
    hidden_at: datetime


@dataclass(frozen=True, slots=True)
class ExpectHeld:
    """What is held of a subject and attribute at this point is exactly these items, else `StaleError`.

    Held: not deleted, superseded or archived; expired ones count. Placed before the puts, it makes a decision taken on
    all that was held fail when somebody added to it meanwhile.
    """

    subject: str
    attribute: str
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class PutItem:
    """Store an item and its terms. The stored version must be `expects` (None: no such row), else `StaleError`.

    Other words than before end its vectors, which belonged to the old ones.
    """

    item: KnowledgeItem
    expects: int | None


@dataclass(frozen=True, slots=True)
class PutNote:
    """Store a note and its terms; versions as for `PutItem`."""

    note: Note
    expects: int | None


@dataclass(frozen=True, slots=True)
class PutVector:
    """Store the vector of a row under a model's name, replacing an earlier one; of a row that is gone, nothing.

    A vector of another length than the model's first one is an `InvalidInputError`.
    """

    kind: Kind
    id: str
    model: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class IndexMessages:
    """Write the terms of messages that have none yet; others, and ids that are gone, are passed over."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TouchItems:
    """Count an access of each item; versions and `updated_at` stay."""

    ids: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Record:
    """Append to the audit trail."""

    entry: AuditEntry


@dataclass(frozen=True, slots=True)
class Enqueue:
    """Leave work to be done; an id queued before is a `ConflictError`.

    The job may be another's of the same tenant: a space's note leaves work for each who spoke.
    """

    job: Job


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferMessage:
    """Take a message, put in the same `apply`, into the open buffer of its conversation.

    The buffer belongs to `shelf_of(scope, message.place)` and is told from others by channel and conversation. An open
    one is closed first, and its flush made due at `now`, when it was opened at or before `now - window`, or when more
    than `quiet` lies between the message and the last one it took, by when they were sent. Without an open one a new
    one is opened under the given id, with a job of kind `FLUSH` of the same id and shelf, payload {"buffer": id}.
    Taking a message makes that job due at `now + quiet`, if it still waits. A message is taken once; one that was known
    already, or was not put before this in the same `apply`, is not taken. A taken id is a `ConflictError`.
    """

    message: Message
    buffer_id: str
    now: datetime
    quiet: timedelta
    window: timedelta


@dataclass(frozen=True, slots=True)
class CloseBuffer:
    """Let a buffer take no more; the next message opens another. A closed one stays closed, a gone one gone."""

    id: str


@dataclass(frozen=True, slots=True)
class DropBuffer:
    """Take a buffer away, its messages being noted; one that is gone gives `ConflictError`.

    With `noted`, it must hold exactly these messages, else `StaleError`: somebody may have been forgotten while they
    were noted, and the note would bring their words back.
    """

    id: str
    noted: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class PutCase:
    """Store a case; versions as for `PutItem`. An id another of the tenant has is a `ConflictError`."""

    case: Case
    expects: int | None


@dataclass(frozen=True, slots=True)
class PutView:
    """Store a view computed from the rest; versions as for `PutItem`."""

    view: View
    expects: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountUse:
    """Add to what a model was asked for a task on a day (of `at`, in UTC)."""

    task: str
    model: str
    at: datetime
    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class FinishJob:
    """Take a job out with the effects it had; one that is gone already gives `ConflictError`."""

    id: str


Op = (
    PutMessage
    | TouchConversation
    | PutConversation
    | HideMessages
    | ShowMessages
    | ExpectHeld
    | PutItem
    | PutNote
    | PutVector
    | IndexMessages
    | TouchItems
    | Record
    | Enqueue
    | FinishJob
    | BufferMessage
    | CloseBuffer
    | DropBuffer
    | PutCase
    | PutView
    | CountUse
)


@dataclass(frozen=True, slots=True)
class Receipt:
    """That the operations are durable; `known`: messages that were there already, as stored.

    `waiting`: how many of the person's messages (role user, any author) the last buffer that took one now holds.
    """

    known: tuple[Message, ...] = ()
    waiting: int = 0


# ── what may be asked ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items; every part narrows. Superseded, archived, expired and deleted ones are left out unless asked for."""

    now: datetime  # what expires before it is left out
    asked_in: Place = DIRECT  # what may not be heard there is left out
    types: tuple[KnowledgeType, ...] = ()  # empty: any
    areas: tuple[LifeArea, ...] = ()
    sources: tuple[Source, ...] = ()
    tags: tuple[str, ...] = ()  # all of them
    subject: str | None = None
    attribute: str | None = None
    confidence_at_least: float | None = None
    since: datetime | None = None  # created at or after
    until: datetime | None = None  # created before
    history: bool = False  # superseded, archived and expired ones as well
    deleted: bool = False  # deleted ones as well


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFilter:
    """Which messages; hidden ones never."""

    asked_in: Place = DIRECT
    said_there: bool = False  # only what was said in that very space and channel, or in private; not all heard there
    conversation: str | None = None
    roles: tuple[Role, ...] = ()
    since: datetime | None = None  # sent at or after
    until: datetime | None = None  # sent before


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFilter:
    """Which notes; deleted ones never, archived ones on request."""

    asked_in: Place = DIRECT  # what may not be heard there is left out
    kinds: tuple[NoteKind, ...] = ()
    conversation: str | None = None
    participant: str | None = None
    since: datetime | None = None  # happened at or after
    until: datetime | None = None  # happened before
    archived: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: the last row's moment and id."""

    at: datetime
    id: str


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows, and where to go on; no `next` on the last page."""

    rows: tuple[T, ...]
    next: Cursor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for, analysed and embedded by the caller; without a vector (or terms) that arm is silent."""

    terms: tuple[str, ...]  # distinct
    vector: Vector | None
    model: str | None
    limit: int  # the best of each arm


class Candidate(NamedTuple):
    """A row some arm found: the evidence, and what a ranking weighs. The row itself is for whoever wants it.

    Its cosine is given wherever it has a vector, its BM25 where it was among the best by keyword. A tuple, since a
    search makes fifty and a frozen class takes five times as long to make.
    """

    id: str
    cosine: float | None
    bm25: float | None
    terms: tuple[str, ...]  # the query's terms it holds, in the query's order; empty unless the keyword arm found it
    moment: datetime  # an item's: when it was last said, else since when it holds; a message's: when it was sent
    weight: float = 1.0  # of items; messages keep these three
    priority: int = 5
    accesses: int = 0


@dataclass(frozen=True, slots=True)
class Gone:
    """The receipt of forgetting: how many rows went from where. Places with nothing are listed as 0.

    conversations, messages, notes, items, terms, vectors, audit, jobs, cases; pointers: items that stay, anybody's, and
    lost a mention. What went from a space's shelf is counted as well; buffers, views and use are not.
    """

    counts: Mapping[str, int]
    erased: bool = True  # False: bytes of forgotten rows are still in the file, since somebody reads it; they go later

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A row without a vector of the asked model."""

    scope: Scope
    kind: Kind
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and what did not agree; no problems means all is well."""

    checked: Mapping[str, int]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stats:
    """How much is held. `vectors`: by model name. `items` by state: current, superseded, archived, deleted.

    A space has numbers like a person, and is not one of the `people`.
    """

    people: int
    conversations: int
    messages: int
    notes: int
    items: Mapping[str, int]
    items_by_type: Mapping[str, int]
    items_by_area: Mapping[str, int]
    vectors: Mapping[str, int]
    jobs: Mapping[str, int]
    bytes: int


class Jobs(Protocol):
    """The durable queue. A job is done at least once, and its effects once, since `FinishJob` goes in with them."""

    async def claim(self, kinds: Sequence[str], *, now: datetime, lease: timedelta, limit: int) -> list[Job]:
        """Take due jobs, oldest due first, for the length of the lease; each goes to one claimer, attempts counted.

        A job whose lease ran out is due again.
        """

    async def fail(self, id: str, *, error: str, retry_at: datetime | None) -> None:
        """Give a job back with its reason, due at `retry_at`; None: dead until retried. A gone job stays gone."""

    async def hand_back(self, ids: Sequence[str]) -> None:
        """Give claimed jobs back undone: due as they were, and the try not counted. Any other stays as it is."""

    async def jobs(self, *, state: JobState | None = None, limit: int = 100) -> list[Job]:
        """Jobs of everybody, oldest due first."""

    async def next_due(self) -> datetime | None:
        """When the next waiting job is due or the next lease runs out; None: nothing waits."""

    async def hasten(self, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
        """Make the waiting jobs of a kind that would be due later due now, everybody's or one scope's; how many."""

    async def retry(self, *, now: datetime, kind: str | None = None) -> int:
        """Make dead jobs, of a kind or all, due now with their tries counted from none; how many."""

    async def drop_jobs(self, *, kind: str, state: JobState) -> int:
        """Remove everybody's jobs of a kind in a state; how many went."""


class Store(Jobs, Protocol):
    """Where everything is kept."""

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        """All or none, durable on return, in the given order. A row of another scope is a `ValueError`."""

    async def items(self, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
        """In the order asked, deleted ones too; unknown ids are left out."""

    async def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        """In the order asked, hidden ones too; unknown ids are left out."""

    async def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        """In the order asked; unknown ids are left out."""

    async def conversation(self, scope: Scope, id: str) -> Conversation | None:
        """The conversation, deleted or not."""

    async def item_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        """Ids of items, deleted ones too, that start or end with the fragment."""

    async def page_items(
        self, scope: Scope, wanted: ItemFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[KnowledgeItem]:
        """Newest first, by creation and then id."""

    async def page_messages(
        self, scope: Scope, wanted: MessageFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Message]:
        """Newest first, by when it was sent and then id."""

    async def page_conversations(
        self, scope: Scope, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Conversation]:
        """Those not deleted, last used first, and then by id."""

    async def page_notes(
        self, scope: Scope, wanted: NoteFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Note]:
        """Newest first, by when it happened and then id."""

    async def buffer(self, scope: Scope, id: str) -> Buffer | None:
        """The buffer of that id on that shelf."""

    async def buffers(self, scope: Scope) -> list[Buffer]:
        """The buffers of a shelf, open and closed, oldest first."""

    async def cases(self, scope: Scope, ids: Sequence[str]) -> list[Case]:
        """In the order asked; unknown ids are left out."""

    async def case_scope(self, tenant: str, id: str) -> Scope | None:
        """Whose the case of that id is, within a tenant; None when unknown there."""

    async def page_cases(
        self,
        scope: Scope,
        *,
        asked_in: Place = DIRECT,
        open_only: bool = False,
        item: str | None = None,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> Page[Case]:
        """Newest first, by when they were opened and then id; those of one item (either side), where one is named.

        A case is heard where `may_hear` lets its place be heard.
        """

    async def view(self, scope: Scope, name: str) -> View | None:
        """The view of that name; its body is None once something it may quote was forgotten."""

    async def usage(self, scope: Scope | None = None, *, since: date | None = None) -> list[Use]:
        """What models were asked, of one person or summed over all, by day, task and model in that order."""

    async def predecessors(self, scope: Scope, id: str) -> list[KnowledgeItem]:
        """Items this one superseded, and those they superseded, oldest first; deleted ones too."""

    async def trail(self, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
        """What happened to one row, in the order it was recorded, whatever the clocks said."""

    async def change(self, scope: Scope, change: str) -> list[AuditEntry]:
        """The entries of one change, in the order they were recorded; empty when unknown."""

    async def search_items(self, scope: Scope, query: Query, wanted: ItemFilter) -> list[Candidate]:
        """The union of the arms' best among the wanted items, in no promised order, each once."""

    async def search_messages(self, scope: Scope, query: Query, wanted: MessageFilter) -> list[Candidate]:
        """The same over messages; a message is found by its words from the moment it is saved."""

    async def forget_item(self, scope: Scope, id: str) -> Gone:
        """Remove an item and every mention of it: terms, vector, audit, queued work, other rows' pointers to it.

        Where other rows' audit entries and evidence quote what it says or said, they lose the quotation (`store.traces`
        says what one is), and a change that touched it loses its `why`. What it had replaced does not come back. Cases
        it was a side of go, and whatever was forgotten, all of the person's views lose their body, at their version.
        """

    async def forget_conversation(self, scope: Scope, id: str) -> Gone:
        """Remove a conversation, its messages, the notes made of them, and items learnt from nothing else.

        Mentions and quotations go as for an item. Items learnt from something else as well stay at their version,
        without the pointers and without their evidence, which may be this talk's words; also in the audit.

        The messages are taken out of buffers, and a buffer left without any goes with its job. What was said in a space
        takes the space's notes made of it along, for they tell its words, although others spoke as well. Their items
        and jobs stay without the note's name, and all views of the tenant lose their body.
        """

    async def forget_person(self, scope: Scope) -> Gone:
        """Remove everything of this person in this tenant, and from buffers and spaces as for a conversation."""

    async def unindexed(self, *, limit: int) -> list[tuple[Scope, str]]:
        """Messages of everybody without terms, hidden ones too, oldest first: by when they were saved and then id."""

    async def unembedded(self, model: str, *, limit: int, after: Unembedded | None = None) -> list[Unembedded]:
        """Rows of everybody, not forgotten, without a vector of this model, in a stable order, after the given row."""

    async def drop_other_vectors(self, model: str) -> int:
        """Remove vectors of every other model; how many went."""

    async def model_names(self) -> list[str]:
        """Models that left vectors here, without counting them: quick on a large store."""

    async def models(self) -> dict[str, int]:
        """How many vectors each model has."""

    async def verify(self) -> Verification:
        """Compare rows, terms, vectors and buffers with what they should be, the file with itself. Changes nothing."""

    async def stats(self, scope: Scope | None = None) -> Stats:
        """How much is held, of one person or of all."""

    async def backup(self, target: Path) -> int:
        """Write a consistent copy while in use; its size in bytes. An existing target is a `ConflictError`."""

    async def close(self) -> None:
        """Finish what is under way and let go; safe to call twice."""
