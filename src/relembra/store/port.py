"""The contract of every store: what may be written together, what may be read, and what each answer means.

Everything belongs to a `Scope`. A row of another tenant or person answers exactly as one that does not exist.
An implementation owns persistence and what is derived from rows (terms, lengths), never policy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from relembra.domain.access import Block, BlockKind, Key, Link, Session
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.candidate import Spent
from relembra.domain.case import Case
from relembra.domain.jobs import Job, JobState, Run, RunKind
from relembra.domain.knowledge import ItemState, KnowledgeItem, KnowledgeType, LifeArea, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.minds.port import Vector

T = TypeVar("T")
R = TypeVar("R", bound="Conversation | Message | Note | KnowledgeItem | Case | Run | View | Buffer")

NAMING = ("relation", "nickname", "name")
"""Attributes whose value is a person's name."""


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
    """The messages of a channel or conversation that wait to be noted, oldest first by when they were sent, then id."""

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
class Put:
    """Store a row whose stored version is `expects` (None: there is none), else `StaleError`.

    Items and notes are stored with their terms; new words drop their vectors. A second run of the same scope, kind and
    night is a `ConflictError` (one asked for by hand has no night), and so is the id of another case of the tenant.
    """

    row: Conversation | KnowledgeItem | Note | Case | Run | View
    expects: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InBuffer:
    """Where a message waits to be noted: in the open buffer of its conversation, else in a new one of this id.

    The buffer belongs to `shelf_of(scope, message.place)`, one for each channel and conversation. An open one is closed
    first, and its flush made due at `now`, when it was opened at or before `now - window`, or when more than `quiet`
    lies between the message and the last one it took, by when they were sent. A new one comes with a job of kind
    `FLUSH` of the same id and shelf, payload {"buffer": id}. Taking a message makes that job due at `now + quiet`, if
    it still waits. A taken id is a `ConflictError`.
    """

    id: str
    now: datetime
    quiet: timedelta
    window: timedelta


@dataclass(frozen=True, slots=True)
class PutMessage:
    """Append a message. One whose external id and role this person saved before is left as it was (`Receipt.known`).

    A second one with the same own id is a `ConflictError`. A new one of role user is due to be accounted for, and a new
    one with a `buffer` waits in it.
    """

    message: Message
    buffer: InBuffer | None = None


@dataclass(frozen=True, slots=True)
class TouchConversation:
    """Create the conversation, or move the existing one's `updated_at` forward, never back.

    A deleted one is shown again, at the next version, and one without a title takes the given one. Where messages are
    put in the same `apply`, nothing happens unless one of them is of this conversation and was not known before.
    """

    conversation: Conversation


@dataclass(frozen=True, slots=True)
class HideMessages:
    """Hide all messages of a conversation not yet hidden, at a moment; `undo`: show those hidden at that moment."""

    conversation: str
    at: datetime
    undo: bool = False


@dataclass(frozen=True, slots=True)
class PutVectors:
    """Store the vectors of a row under a model's name: part 0 of its whole text, the others of its passages in order.

    They replace all earlier ones of that row and model, also where these are fewer; of a row that is gone, nothing. A
    vector of another length than the model's first one is an `InvalidInputError`.
    """

    kind: Kind
    id: str
    model: str
    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class IndexMessages:
    """Write the terms of messages that have none yet; others, and ids that are gone, are passed over."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Touch:
    """Count an access of each item or note; versions and `updated_at` stay."""

    kind: Kind
    ids: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class NameNote:
    """Name a note as where these items are from, if they name none; versions and `updated_at` stay."""

    ids: tuple[str, ...]
    note_id: str


@dataclass(frozen=True, slots=True)
class Record:
    """Append to the audit trail."""

    entry: AuditEntry


@dataclass(frozen=True, slots=True)
class Enqueue:
    """Leave work to be done; an id queued before is a `ConflictError`.

    The job may be another's of the same tenant: a space's note leaves work for each who spoke. With a key, where a job
    of the same scope, kind and key waits already, the first due of them takes it in as `domain.jobs.joined` says: due
    at the earlier of both moments, with the messages of both.
    """

    job: Job


@dataclass(frozen=True, slots=True)
class FinishJob:
    """Take a job out with the effects it had; one that is gone already gives `ConflictError`, unless it may be."""

    id: str
    may_be_gone: bool = False


@dataclass(frozen=True, slots=True)
class EndBuffer:
    """Let a buffer take no more; the next message opens another. A closed one stays closed, a gone one gone.

    `drop`: remove it, its messages being noted; one that is gone gives `ConflictError`. With `noted`, it must hold
    exactly these messages, else `StaleError`: a note would bring back the words of who was forgotten meanwhile.
    """

    id: str
    drop: bool = False
    noted: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class CountUse:
    """Add to what a model was asked for a task on a day."""

    use: Use

    @classmethod
    def of(cls, spent: Spent, at: datetime) -> CountUse:
        """Count what a mind spent on the day, in UTC, of a moment."""
        return cls(Use(day=at.astimezone(UTC).date(), **asdict(spent)))


@dataclass(frozen=True, slots=True)
class Account:
    """Messages and changes are accounted for, those that were not due being passed over; the change `due` is due to be.

    What is due goes into the record of the next consolidation.
    """

    messages: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    due: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Expect:
    """What must still be true, or nothing is applied.

    `stamp`: the scope's, else `StaleError`; for what is made of all a person has. `job`: queued in this scope, else
    `ConflictError`: it was done, or went with a person forgotten. `people` and `space`: not blocked, else the receipt
    says which is. `held`: of this subject and attribute exactly these items are held at this point (not deleted,
    superseded or archived; expired ones count), else `StaleError`; placed before the puts of a decision taken on them.
    """

    stamp: Stamp | None = None
    job: str | None = None
    people: tuple[str, ...] = ()
    space: str | None = None
    held: tuple[str, str, frozenset[str]] | None = None


Op = (
    Put | PutMessage | TouchConversation | HideMessages | PutVectors | IndexMessages | Touch | NameNote
    | Record | Enqueue | FinishJob | EndBuffer | CountUse | Account | Expect
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Receipt:
    """That the operations are durable; `known`: messages that were there already, as stored.

    `waiting`: how many of the person's messages (role user, any author) the last buffer that took one now holds.
    `blocked`: what is blocked though it was expected not to be, so that nothing was applied; of several, a person.
    """

    known: tuple[Message, ...] = ()
    waiting: int = 0
    blocked: BlockKind | None = None


# ── what may be asked ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: the last row's moment and id, and its confidence where that comes before them."""

    at: datetime
    id: str
    confidence: float | None = None


class ItemOrder(StrEnum):
    """What comes first; among equals the id decides."""

    NEWEST = "newest"  # by creation
    OLDEST = "oldest"  # the exact reverse
    SUREST = "surest"  # by confidence, and among equals the newest
    UNSURE = "unsure"  # the exact reverse
    CHANGED = "changed"  # last updated first

    @property
    def is_rising(self) -> bool:
        """Whether the least comes first."""
        return self in (ItemOrder.OLDEST, ItemOrder.UNSURE)


class Ledger(StrEnum):
    """A kind of row a whole memory is made of."""

    CONVERSATION = "conversation"
    NOTE = "note"
    ITEM = "item"
    CASE = "case"
    RUN = "run"
    MESSAGE = "message"


LedgerRow = Conversation | Note | KnowledgeItem | Case | Run | Message


class Filter(Generic[T]):
    """Which rows of a type a page is of; each kind of filter says in which order they come."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter(Filter[KnowledgeItem]):
    """Which items; every part narrows, but for `history`, `archived` and `deleted`, which ask for more. An item is left
    out once it is superseded, archived or deleted, and when it has expired by `now`.

    `as_of` asks what was believed then: what was created, and not yet superseded, archived, deleted or expired, by that
    moment, whatever `now` says. `true_at` asks what was true then, by what is believed now or at `as_of`: held from
    that moment or earlier and until later, superseded or not, for a replaced value was true in its time; expiry is
    looked at by that moment. An item superseded after `as_of` had no end then, so its end is ignored. `only` narrows by
    what was decided about an item, as it stands now: those confirmed, in question or kept local among whatever else is
    asked for; those deleted (by `as_of`, where that is given), whatever else became of them; those unconfirmed among
    what is held, whatever `history`, `archived` and `deleted` say. A page is in `order`, which a search and a count
    ignore.
    """

    now: datetime  # what has expired by then is left out
    asked_in: Place = DIRECT  # what may not be heard there is left out
    types: tuple[KnowledgeType, ...] = ()  # empty: any
    areas: tuple[LifeArea, ...] = ()
    no_area: bool = False  # of no area; beside `areas`, of one of these or of none
    sub_area: str | None = None
    sources: tuple[Source, ...] = ()
    tags: tuple[str, ...] = ()  # all of them
    subject: str | None = None
    attribute: str | None = None
    confidence_at_least: float | None = None
    confidence_below: float | None = None
    since: datetime | None = None  # created at or after
    until: datetime | None = None  # created before
    as_of: datetime | None = None
    true_at: datetime | None = None
    period: tuple[datetime, datetime] | None = None  # created, held from or said again from one until the other
    without: frozenset[str] = frozenset()  # ids that are left out as if they were not there
    note_ids: tuple[str, ...] = ()  # learnt in one of these notes; empty: anywhere
    from_space: str | None = None  # learnt in that very space, and there in that very channel; None: any
    from_channel: str | None = None
    message_ids: tuple[str, ...] = ()  # learnt from one of these messages; empty: from any or none
    only: ItemState | None = None
    history: bool = False  # superseded, archived and expired ones as well
    archived: bool = False  # archived ones as well
    deleted: bool = False  # deleted ones as well
    order: ItemOrder = ItemOrder.NEWEST

    def spelt_out(self) -> ItemFilter:
        """The same, with what `only` says of the past in the parts that ask for more."""
        match self.only:
            case ItemState.DELETED:
                return replace(self, history=True, deleted=True)
            case ItemState.UNCONFIRMED:
                return replace(self, history=False, archived=False, deleted=False)
        return self

    def takes(self, area: LifeArea | None) -> bool:
        """Whether items of an area, or of none, are wanted."""
        if area is None:
            return self.no_area or not self.areas
        return area in self.areas or not (self.areas or self.no_area)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFilter(Filter[T]):
    """Which rows of some time; deleted and hidden ones never."""

    asked_in: Place = DIRECT  # what may not be heard there is left out
    said_there: bool = False  # only what is of that very space and channel, or private; not all heard there
    conversation: str | None = None
    from_space: str | None = None  # of that very space, and there of that very channel; None: any
    from_channel: str | None = None
    since: datetime | None = None  # at that moment or later
    until: datetime | None = None  # before that moment
    without: frozenset[str] = frozenset()  # ids that are left out as if they were not there


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFilter(TimeFilter[Message]):
    """Which messages, newest first by when they were sent and then id.

    `owners`: of the scope of a space, which holds no messages of its own, those of these people, which `search` and
    `beside` alone understand; only with `said_there`.
    """

    roles: tuple[Role, ...] = ()
    prompts: bool = True  # False: without what a program tells its assistant (`Message.is_prompt`)
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFilter(TimeFilter[Note]):
    """Which notes, newest first by when they happened and then id; archived ones on request."""

    kinds: tuple[NoteKind, ...] = ()
    participant: str | None = None
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter(TimeFilter[KnowledgeItem]):
    """Items of type `memory` or of an attribute of `domain.knowledge.EVENTS`, newest first by `held_from` and then id.

    Superseded ones never; archived and expired ones too, for they took place. They are of no conversation.
    """


KIND_OF: dict[type[Filter[Any]], Kind] = {ItemFilter: Kind.ITEM, NoteFilter: Kind.NOTE, MessageFilter: Kind.MESSAGE}
"""Of which kind a filter's rows are."""


@dataclass(frozen=True, slots=True)
class ConversationFilter(Filter[Conversation]):
    """All conversations that are not deleted, last used first and then by id.

    `tenant`: of everybody in it, asked for with no scope; among equals by whose they are, and then by id.
    """

    tenant: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter(Filter[Case]):
    """Which cases, newest first by when they were opened and then id."""

    asked_in: Place = DIRECT  # what may not be heard there is left out
    open_only: bool = False
    items: Collection[str] | None = None  # with one of these on either side; None: any


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter(Filter[Run]):
    """Which records of night work, newest first by when they started and then id."""

    kinds: tuple[RunKind, ...] = ()  # empty: any
    night: date | None = None  # the one of that night


@dataclass(frozen=True, slots=True)
class Whole(Filter[LedgerRow]):
    """Every row of a kind, deleted, hidden and archived ones too, oldest first and then by id.

    By when an item or conversation was made, a case opened, a run started, a message sent, and a note's happened.
    """

    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Withheld:
    """What a model on another machine may not see, by id; what is shown to one is chosen as if these were not there."""

    items: frozenset[str] = frozenset()
    messages: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    conversations: frozenset[str] = frozenset()  # in which one of the messages was said: nothing may sum them up

    def __bool__(self) -> bool:
        return bool(self.items or self.messages or self.notes)

    def out_of(self, item: KnowledgeItem) -> KnowledgeItem:
        """An item that may be shown, without evidence that may be the words of what may not."""
        quotes = item.note_id in self.notes or not self.messages.isdisjoint(item.message_ids)
        return replace(item, evidence=None) if quotes and item.evidence is not None else item


NOTHING = Withheld()
"""Nothing stays behind."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows, and where to go on; no `next` on the last page."""

    rows: tuple[T, ...]
    next: Cursor | None


async def pages(
    page: Callable[..., Awaitable[Page[T]]], *, limit: int, most: int | None = None
) -> AsyncIterator[tuple[T, ...]]:
    """The rows of one page after another, `most` at most; `page`: a read that takes `after` and `limit`."""
    after: Cursor | None = None
    left = most
    while left is None or left > 0:
        found = await page(after=after, limit=limit if left is None else min(limit, left))
        yield found.rows
        if (after := found.next) is None:
            return
        left = None if left is None else left - len(found.rows)


async def all_rows(page: Callable[..., Awaitable[Page[T]]], *, limit: int, most: int | None = None) -> list[T]:
    """The rows of all pages together."""
    return [row async for rows in pages(page, limit=limit, most=most) for row in rows]


class ItemCount(NamedTuple):
    """How many items are alike in all of this."""

    area: LifeArea | None
    type: KnowledgeType
    source: Source
    confidence: float
    validated: bool
    unresolved: bool
    items: int


class Fate(StrEnum):
    """What becomes of an item at some moment."""

    LEARNT = "learnt"
    ENDED = "ended"  # superseded
    ARCHIVED = "archived"
    DELETED = "deleted"
    FADED = "faded"  # lost weight, by the audit trail


class Passing(NamedTuple):
    """How many items met a fate in a stretch of time; those learnt are counted by area."""

    stretch: int  # 0: between the first two moments asked about
    fate: Fate
    area: LifeArea | None
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to look for, analysed and embedded by the caller; without a vector (or terms) that arm is silent."""

    terms: tuple[str, ...]  # distinct
    vector: Vector | None
    model: str | None
    limit: int  # the best of each arm
    weights: tuple[float, ...] = ()  # of the terms, by which their BM25 is multiplied; empty: all weigh 1
    words: Words | None = None  # of these terms, as `Store.words` gave it; without it the arm is run now
    also: tuple[str, ...] = ()  # rows that come with their cosines as well, if wanted, though no arm finds them


class Words(Protocol):
    """What the keyword arm says of a question's terms, asked for ahead; only the store it came from understands it."""


class Stamp(NamedTuple):
    """When anything to be read of a scope last changed, and when anything known did: its items, notes (but for working
    summaries) or cases. Vectors, terms, access counts and the queue leave both as they were.
    """

    said: int
    known: int


class Voice(NamedTuple):
    """Somebody who spoke in a channel: in whose memory their words are, as whom, and how an app showed them last."""

    scope: Scope
    author: str
    shown: str


class Candidate(NamedTuple):
    """A row some arm found: the evidence, and what a ranking weighs.

    Its cosines are given wherever it has a vector, its BM25 wherever it holds one of the terms. A tuple, since a search
    makes fifty and a frozen class takes five times as long to make.
    """

    id: str
    cosine: float | None  # of the nearest of its vectors
    bm25: float | None
    terms: tuple[str, ...]  # the query's terms it holds, in the query's order
    moment: datetime  # an item's: last said, else held since; a message's: when sent; a note's: when it happened
    weight: float = 1.0  # of items; messages and notes keep these two
    priority: int = 5
    accesses: int = 0  # of items and notes
    whole: float | None = None  # the cosine of its whole text
    part: int = 0  # which of its vectors is the nearest, the first of equals; 0: the whole text's
    length: int = 0  # how many terms it holds; 0 while it is not indexed
    conversation: str | None = None  # of messages
    role: Role | None = None  # of messages
    type: KnowledgeType | None = None  # of items; these four
    area: LifeArea | None = None
    subject: str | None = None
    note_id: str | None = None
    archived: bool = False  # of items and notes
    opens: bool = False  # of messages: the first of its conversation
    shares: tuple[float, ...] = ()  # of the terms held: each one's weight times its rarity, of that of all the query's
    author: str | None = None  # of messages
    owner: str | None = None  # of messages: in whose memory it is


@dataclass(frozen=True, slots=True)
class ForgetItem:
    """An item with every mention of it: terms, vector, audit, queued work, other rows' pointers to it.

    Other rows' audit entries and evidence lose quotations of what it says or said (`domain.traces` says what one is),
    and a change that touched it loses its `why`. What it had replaced does not come back. Cases it was a side of go,
    and so do automatic notes (weekly, monthly, appointment) that quote it, and records of nights that named changes
    none of which has an entry left. Whatever is forgotten, all of the person's views lose their body, at their version,
    and the records of their nights what a model answered; one of work under way stays and goes to its next version, so
    that nothing is written that was read before. The messages it was learnt from stay, and nothing is learnt from them
    any more: they leave the open buffers, work that waits to learn from them, and what the night has yet to look at.
    """

    id: str
    along: Mapping[str, int] = field(default_factory=dict)
    """Items that go in the same transaction, and their versions; at another, or gone, they are a `StaleError`."""


@dataclass(frozen=True, slots=True)
class ForgetConversation:
    """A conversation, its messages, the notes of it or made of them, and items learnt from nothing else.

    Mentions and quotations go as for an item. Items learnt from something else as well stay at their version, without
    the pointers and without their evidence, which may be this talk's words; also in the audit. The messages are taken
    out of buffers, and a buffer left without any goes with its job. What was said in a space takes the space's notes
    made of it along, for they tell its words, although others spoke as well. Their items and jobs stay without the
    note's name, and all views and records of the tenant lose what they may quote.
    """

    id: str


@dataclass(frozen=True, slots=True)
class ForgetPerson:
    """Everything of this person in this tenant, and from buffers and spaces as for a conversation."""


Forget = ForgetItem | ForgetConversation | ForgetPerson


@dataclass(frozen=True, slots=True)
class Gone:
    """The receipt of forgetting: how many rows went from where. Places with nothing are listed as 0.

    conversations, messages, notes, items, terms, vectors (each part), audit, jobs, cases; pointers: items that stay,
    anybody's, and lost a mention. What went from a space's shelf is counted as well; buffers, views and use are not.
    """

    counts: Mapping[str, int]
    erased: bool = (
        True  # False: forgotten rows are still in the file or tables, since another reads them; they go later
    )
    notes: tuple[str, ...] = ()  # ids of the person's own notes that go with an item or a conversation, in order
    dry_run: bool = False  # True: counted as if it had been done, but nothing went, and `erased` is False

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A backup that took a store's place. `aside`: where the file lies that was there; None where there was none.

    `unchecked_keys`: keys it lets in that may have been revoked since, for the file that was there could not tell.
    """

    path: Path
    aside: Path | None
    bytes: int
    unchecked_keys: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """What was brought out of a damaged file into a new one: rows by table, and rows known of that were lost."""

    path: Path
    read: Mapping[str, int]
    lost: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What one store holds of another now: rows by table, all compared, and how many were there before."""

    rows: Mapping[str, int]
    people: int
    known: int  # people, spaces and tenants whose rows were all there already
    problems: Sequence[str] = ()  # where what came differs, table and id: the move ended there
    of: str = ""  # whose that is


@dataclass(frozen=True, slots=True)
class Stats:
    """How much is held. `vectors`: rows that have some, by model name.

    `items` by state: current, superseded, archived, deleted. A space has numbers like a person, and is not one of the
    `people`.
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


@dataclass(frozen=True, slots=True)
class Unaccounted:
    """What is due to be accounted for: messages by id, those still in a buffer apart, and changes by id."""

    messages: tuple[str, ...]  # in the order of their ids
    buffered: tuple[str, ...]
    changes: tuple[str, ...]  # in the order they were recorded


class Jobs(Protocol):
    """The durable queue. A job is done at least once, and its effects once, since `FinishJob` goes in with them."""

    async def claim(
        self,
        kinds: Sequence[str],
        *,
        now: datetime,
        lease: timedelta,
        limit: int,
        one_a_scope: bool = False,
        after: Sequence[str] = (),
        scopes: Sequence[Scope] = (),
    ) -> list[Job]:
        """Take due jobs, oldest due first, for the length of the lease; each goes to one claimer, attempts counted.

        A job whose lease ran out is due again. `one_a_scope`: at most one of each scope, and none of a scope of which
        one of these kinds is running. `after`: none of a scope of which a job of one of those kinds is due or running.
        `scopes`: only jobs of these; none: everybody's. Whoever gives a job back says by its `attempts` which claim of
        it was theirs; a job that is gone, waits or was claimed by another since stays as it is.
        """

    async def give_back(
        self,
        claims: Mapping[str, int],
        *,
        error: str | None = None,
        due_at: datetime | None = None,
        is_dead: bool = False,
        is_counted: bool = False,
    ) -> None:
        """Give claimed jobs back, by their ids and claims: waiting, due as they were unless `due_at` says otherwise.

        `error`: the reason, if there is one. `is_dead`: nobody gets it until it is retried. The try is taken back
        unless `is_counted`.
        """

    async def jobs(
        self,
        *,
        state: JobState | None = None,
        scope: Scope | None = None,
        tenant: str | None = None,
        kinds: Sequence[str] = (),
        limit: int = 100,
    ) -> list[Job]:
        """Jobs of everybody, one tenant or one scope, of any or some kinds, oldest due first."""

    async def job(self, id: str) -> Job | None:
        """The job of that id; None once it is done or was cancelled."""

    async def cancel(self, id: str) -> bool:
        """Remove a job that waits or is dead; whether there was one. One that is running is a `ConflictError`."""

    async def next_due(self) -> dict[str, datetime]:
        """When the next waiting job of each kind is due, or its next lease runs out."""

    async def hasten(self, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
        """Make the waiting jobs of a kind that would be due later due now, everybody's or one scope's; how many."""

    async def retry(self, *, now: datetime, kind: str | None = None, id: str | None = None) -> int:
        """Make dead jobs, of a kind or all, due now with their tries counted from none; how many.

        With an id only that one, also where it still waits for its time.
        """

    async def drop_jobs(self, *, kind: str, state: JobState) -> int:
        """Remove everybody's jobs of a kind in a state; how many went."""


@runtime_checkable
class TellsOfWork(Protocol):
    """A queue that knows when another process left work; without it, what is due is looked for when it may be."""

    async def changed(self) -> None:
        """Wait until another process may have left work, or some seconds have gone by."""


MOST_PURGED = 100
"""How many replies whose time is over are taken away at once, also by each that is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReply:
    """What was answered to a request, to be answered again when it comes a second time."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Access(Protocol):
    """Where keys, sessions, links, blocks and kept replies live, no part of what is remembered or exported.

    Forgetting a person takes the keys bound to them with their sessions, their links and the replies kept for them, but
    lifts no block. A backup has no sessions, for one that was ended since would come back with it. Forgetting anything
    takes all replies of its person, which may quote it, all of that tenant kept for nobody in particular, and those
    under way; where a space's notes go, all of the tenant.
    """

    async def put_key(self, key: Key, digest: bytes) -> None:
        """Keep a key with its secret's digest; an id or prefix that is taken is a `ConflictError`."""

    async def keys(self, tenant: str | None = None) -> list[Key]:
        """Keys of one tenant or of all, revoked and expired ones too, newest first and then by id, the later first.

        A key for every tenant is none of a single one's.
        """

    async def key_by_prefix(self, prefix: str) -> tuple[Key, bytes] | None:
        """The key of that prefix with its secret's digest, however it stands."""

    async def revoke_key(self, id: str, at: datetime) -> Key | None:
        """The key as it is now, its sessions ended; one revoked before stays revoked since then. None: no such id."""

    async def touch_keys(self, used: Mapping[str, datetime]) -> None:
        """Note when keys were used, never going back; ids that are gone are passed over."""

    async def put_session(self, session: Session, digest: bytes) -> None:
        """Keep a session under the digest of its pass; some that were over when it began go on the way.

        A digest that is taken, or a key that is gone, is a `ConflictError`.
        """

    async def session(self, digest: bytes) -> tuple[Session, Key] | None:
        """The session of that digest, also one that is over, with its key, however that stands."""

    async def end_session(self, digest: bytes) -> bool:
        """Whether there was one; of many who end it together, one gets True."""

    async def put_link(self, link: Link) -> Link | None:
        """Say whose an account is; the link it replaces, its own earlier one too, or None."""

    async def drop_link(self, tenant: str, channel: str, id: str) -> bool:
        """Remove an account's link; whether there was one."""

    async def links(
        self, tenant: str, user: str | None = None, *, account: tuple[str, str] | None = None
    ) -> list[Link]:
        """The links of a tenant, one person or one account (its channel and id), by channel and then id."""

    async def block(
        self, tenant: str, kind: BlockKind, name: str, *, since: datetime, new_id: Callable[[], str]
    ) -> Block:
        """Block; one blocked before stays as it was, in its name's spelling too. The block as it is kept.

        A space that is blocked is listed no more. `LISTED` blocks nothing and lets nothing go.

        What waits behind it is let go in the same transaction, for good: messages of that person (theirs, or said by
        them) or said in that space leave every buffer, all learning that is queued, and what the night would read
        again. They stay messages. A buffer or job left without any goes; learning from others is queued again under a
        new id. Work on what was let go that is under way finds its buffer, job or run changed, and leaves nothing.
        """

    async def unblock(self, tenant: str, kind: BlockKind, name: str) -> bool:
        """Whether it was blocked."""

    async def blocks(
        self, tenant: str, *, people: Sequence[str] | None = None, space: str | None = None
    ) -> list[Block]:
        """People, then spaces, each by their folded name: all, or of those named; a look at each, however many are.

        A named space is also blocked by a block of all `SPACES`, unless it is `LISTED`.
        """

    async def spaces(self, tenant: str) -> list[str]:
        """Every space that anybody has a conversation in, deleted ones too, by name."""

    async def begin_reply(
        self, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
    ) -> KeptReply | None:
        """Take up a request under the key its caller chose for it. None: it is yours to do, yours alone for `lease`.

        One done before gives what was answered. The same key with another fingerprint is a `ConflictError`, and one
        under way whose lease has not ended a `BusyError`. Some of what is older than its time goes on the way.
        """

    async def end_reply(
        self, tenant: str, caller: str, key: str, reply: KeptReply, *, user: str | None, until: datetime
    ) -> None:
        """Keep what was answered for so long, as about a person, or about nobody in particular.

        Where it was dropped meanwhile nothing is kept: what it quotes may have been forgotten.
        """

    async def drop_reply(self, tenant: str, caller: str, key: str) -> None:
        """Let a request be taken up again, since it failed; one that is gone stays gone."""

    async def purge_replies(self, now: datetime) -> int:
        """Take away some of those whose time is over, longest first; how many went, `MOST_PURGED` at most."""


class Store(Jobs, Access, Protocol):
    """Where everything is kept."""

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        """All or none, durable on return, in the given order. A row of another scope is a `ValueError`."""

    async def get(self, scope: Scope, of: type[R], ids: Sequence[str]) -> list[R]:
        """Rows of a type in the order asked, hidden and deleted ones too; unknown ids are left out.

        Views are asked for by name; the body of one is None once something it may quote was forgotten. A buffer is its
        shelf's.
        """

    async def find(self, scope: Scope, of: type[R], id: str) -> R | None:
        """The same for a single row; None where there is none."""

    async def page(
        self, scope: Scope | None, wanted: Filter[T], *, after: Cursor | None = None, limit: int = 50
    ) -> Page[T]:
        """Some of the wanted rows; `after` is where a page of the same filter ended. Only runs and
        a tenant's conversations may be everybody's.
        """

    async def ids_like(
        self, scope: Scope | None, of: type[KnowledgeItem | Run | Job], fragment: str, *, limit: int = 2
    ) -> list[str]:
        """Ids of a scope's or everybody's rows, deleted ones too, that start or end with the fragment, in order."""

    async def count_items(self, scope: Scope, wanted: ItemFilter) -> list[ItemCount]:
        """How many items are wanted, those that are alike counted together; in no promised order, none twice."""

    async def passings(
        self,
        scope: Scope,
        moments: Sequence[datetime],
        *,
        asked_in: Place = DIRECT,
        without: frozenset[str] = frozenset(),
    ) -> list[Passing]:
        """How many items were learnt, ended, archived, deleted and faded between each two neighbouring moments.

        The moments rise; a stretch begins with one and ends before the next. Items count as they stand: one that was
        brought back is not counted as gone, and what was learnt counts whatever became of it. An item that faded twice
        in a stretch counts once. Only what is not zero is listed, in no promised order.
        """

    async def beside(
        self, scope: Scope, ids: Sequence[str], *, before: int, after: int, wanted: MessageFilter
    ) -> dict[str, tuple[Message, ...]]:
        """For each message its nearest wanted neighbours in its conversation, so many before it and so many after.

        In the order of time and then id, without the message itself; unknown ids are left out. With `owners` the
        neighbours are those in the channel, whosever they are.
        """

    async def buffers(self, scope: Scope) -> list[Buffer]:
        """The buffers of a shelf, open and closed, oldest first."""

    async def case_scope(self, tenant: str, id: str) -> Scope | None:
        """Whose the case of that id is, within a tenant; None when unknown there."""

    async def stamps(self, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
        """Two numbers a scope that grow with committed changes, so that a kept answer is known to be fresh or stale.

        No number comes again, also not for a scope that was forgotten and made anew; 0 for one nobody wrote to.
        """

    async def unaccounted(self, scope: Scope, *, limit: int) -> Unaccounted:
        """What is due to be accounted for, up to so many messages not in a buffer, and so many changes."""

    async def usage(self, scope: Scope | None = None, *, since: date | None = None) -> list[Use]:
        """What models were asked, of one person or summed over all, by day, task and model in that order."""

    async def withheld(self, scope: Scope) -> Withheld:
        """What of a scope stays on this machine: items marked local-only, and whatever would tell of them.

        That is all they replaced, and insights that rest on their messages; the messages they were learnt from, with
        the answers that follow each up to the person's next words; the notes they name or that were made of such a
        message, working summaries of such a conversation, clusters and reports that name such a message or note, and
        reports that quote such an item. Of a space: the notes of its shelf that tell of anybody's items learnt there.
        Deleted, superseded and archived ones count as well.
        """

    async def acquaintances(self, scope: Scope, *, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
        """Whom current items are about but for the owner, each with what they are called: (subject, name or tie).

        `without`: items that are left out. A tie or nickname is called by its value ("irmã"), anything else by the
        subject's own name; in order, each once.
        """

    async def speakers(self, scope: Scope) -> list[tuple[str, str]]:
        """Everybody whose messages of role user a person's memory holds, by id, with how an app showed them last."""

    async def voices(self, tenant: str, place: Place, *, messages: int) -> list[Voice]:
        """Who said the newest so many messages of role user in a channel, who spoke last first; hidden ones left out.

        Where none of the newest is anybody's in particular, as with a bridge, one owner is named with several authors.
        """

    async def predecessors(self, scope: Scope, id: str) -> list[KnowledgeItem]:
        """Items this one superseded, and those they superseded, oldest first; deleted ones too."""

    async def trail(self, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
        """What happened to one row, in the order it was recorded, whatever the clocks said."""

    async def changes(self, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
        """The entries of changes, in the order they were recorded; unknown ones are left out."""

    async def page_trail(self, scope: Scope, *, after: int = 0, limit: int = 1_000) -> list[tuple[int, AuditEntry]]:
        """Everything recorded of a person, in the order it was recorded, each with a number to go on after.

        Numbers grow, and none comes again, also not that of something forgotten.
        """

    async def last_entry(self, scope: Scope) -> int:
        """The number of what was last recorded of a person and is still there; 0: nothing."""

    async def owners(self, tenant: str, *, after: str = "", limit: int = 500) -> list[Scope]:
        """Everybody of whom rows or views are kept in a tenant, spaces too, by the scopes' user, after a given one."""

    async def words(self, scope: Scope, kind: Kind, query: Query) -> Words:
        """The keyword arm by itself, for `Query.words`: it can be run while the question is still being embedded."""

    async def search(
        self, scope: Scope, query: Query, wanted: ItemFilter | MessageFilter | NoteFilter
    ) -> list[Candidate]:
        """The union of the arms' best among the wanted rows, in no promised order, each once.

        A message is found by its words from the moment it is saved, and the wanted messages that open the conversations
        of those found come along. A note that is archived is found by its metadata and its vector only.

        With `owners` the newest `MOST_IN_CHANNEL` wanted messages of the channel are searched, and weighed by how often
        words are used among these; those that open conversations do not come along.
        """

    async def nearest(
        self, scope: Scope, kind: Kind, model: str, vectors: Sequence[Vector], *, limit: int, at_least: float
    ) -> list[list[tuple[str, float]]]:
        """For each vector the rows nearest to it with their cosines, nearest first: so many at most, none farther off.

        All of the person's rows of the kind, whatever became of them; one look for many vectors.
        """

    async def vectors(
        self, scope: Scope, kind: Kind, model: str, parts: Sequence[tuple[str, int]]
    ) -> dict[tuple[str, int], Vector]:
        """The vectors of rows' parts, those that are there."""

    async def forget(self, scope: Scope, what: Forget, *, dry_run: bool = False) -> Gone:
        """Remove something for good, with every trace of it; `dry_run`: only count what would go."""

    async def unindexed(self, *, limit: int) -> list[tuple[Scope, str]]:
        """Messages of everybody without terms, hidden ones too, oldest first: by when they were saved and then id."""

    async def unembedded(self, model: str, *, limit: int, after: Unembedded | None = None) -> list[Unembedded]:
        """Rows of everybody, not forgotten, without a vector of this model, in a stable order, after the given row."""

    async def drop_other_vectors(self, model: str) -> int:
        """Remove vectors of every other model; how many went, passages' counted."""

    async def model_names(self) -> list[str]:
        """Models that left vectors here, without counting them: quick on a large store."""

    async def verify(self) -> Verification:
        """Compare rows, terms, vectors and buffers with what they should be, the file with itself. Changes nothing."""

    async def stats(self, scope: Scope | None = None) -> Stats:
        """How much is held, of one person or of all."""

    async def identity(self) -> str:
        """A secret of this store and no other, made when it is first asked for; a copy of the store has another.

        `StoreReadOnlyError` where there is none yet and none can be kept.
        """

    async def backup(self, target: Path) -> int:
        """Write a consistent copy while in use; its size in bytes. An existing target is a `ConflictError`."""

    async def close(self) -> None:
        """Finish what is under way and let go; safe to call twice."""


def cache_key(name: str, *parts: str | int | None) -> str:
    """A key of a name and a digest of what the value depends on, so that no key tells what was asked or remembered."""
    written = json.dumps(parts, ensure_ascii=True).encode()
    return f"{name}:{hashlib.blake2b(written, digest_size=16).hexdigest()}"
