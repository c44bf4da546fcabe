"""The store in one SQLite file. Each method crosses to a thread once; what happens there is in the modules beside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw

from relembra.domain.access import Key, Link, Session
from relembra.domain.audit import AuditEntry, Target
from relembra.domain.case import Case
from relembra.domain.doors import Door, DoorKind
from relembra.domain.jobs import Job, JobState
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.run import Run, RunKind
from relembra.domain.scope import DIRECT, Place, Scope
from relembra.errors import StoreError, StoreUnavailableError, StoreVersionError
from relembra.minds.port import Analyzer, Vector
from relembra.store import rows
from relembra.store.access import KeptReply
from relembra.store.locality import withheld
from relembra.store.port import (
    Buffer,
    Candidate,
    Cursor,
    EventFilter,
    Gone,
    ItemCount,
    ItemFilter,
    ItemOrder,
    Kind,
    Ledger,
    LedgerRow,
    MessageFilter,
    NoteFilter,
    Op,
    Page,
    Passing,
    Query,
    Receipt,
    Stamp,
    Stats,
    Unaccounted,
    Unembedded,
    Use,
    Verification,
    View,
    Withheld,
    Words,
)
from relembra.store.sqlite import (
    access,
    accounting,
    backups,
    buffering,
    doors,
    forgetting,
    queue,
    reading,
    records,
    runs,
    searching,
    tallying,
    upkeep,
    verifying,
    whole,
    writing,
)
from relembra.store.sqlite.connection import Durability, check_library, open_reader, open_writer, refuse_strangers
from relembra.store.sqlite.errors import translated
from relembra.store.sqlite.filters import (
    Wanted,
    wanted_cases,
    wanted_conversations,
    wanted_events,
    wanted_items,
    wanted_messages,
    wanted_notes,
)
from relembra.store.sqlite.hot import HotSlices
from relembra.store.sqlite.locality import Shelves
from relembra.store.sqlite.migrating import lacks_steps, migrate
from relembra.store.sqlite.presence import Presence
from relembra.store.sqlite.stamps import stamps
from relembra.store.sqlite.threads import NoWriter, Readers, Work, Writer, in_snapshot

T = TypeVar("T")


class SqliteStore:
    """Keeps everything in one file, which several processes may share. Its analyzer is called from several threads."""

    def __init__(
        self,
        path: Path,
        *,
        analyzer: Analyzer,
        writer: Writer | NoWriter,
        readers: Readers,
        presence: Presence | None,
        hot: HotSlices | None = None,
    ) -> None:
        self._path = path
        self._analyzer = analyzer
        self._writer = writer
        self._readers = readers
        self._presence = presence
        self._hot = HotSlices() if hot is None else hot
        self._closing = False

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        analyzer: Analyzer,
        durability: Durability = "full",
        readers: int = 3,
        create: bool = True,
        read_only: bool = False,
        hot: HotSlices | None = None,
    ) -> SqliteStore:
        """Open the file, bringing it up to date. `durability` "normal": the last commits may be lost with the power.

        Rows indexed by another version of the analyzer are indexed anew first, which takes a while on a large store.
        `read_only`: nothing is written, neither to the file nor beside it where that is not possible, and a file of an
        earlier version is refused. `hot`: where vectors searched often are kept at hand, one of its own unless told.
        """
        check_library()
        path = await asyncio.to_thread(path.resolve)  # SQLite keeps what belongs to it beside the real file
        if read_only:
            held = await asyncio.to_thread(_look, path)
            reading = Readers(path, readers, read_only=True)
            return cls(path, analyzer=analyzer, writer=NoWriter(path), readers=reading, presence=held, hot=hot)
        db, presence = await asyncio.to_thread(_prepare, path, analyzer, durability, create)
        return cls(
            path,
            analyzer=analyzer,
            writer=Writer(db, path),
            readers=Readers(path, readers),
            presence=presence,
            hot=hot,
        )

    async def close(self) -> None:
        """Finish what is queued and let go of the file, whose log is then folded in; safe to call twice."""
        self._closing = True
        await asyncio.to_thread(self._readers.close)
        await asyncio.to_thread(self._writer.close)
        if self._presence is not None:
            await asyncio.to_thread(self._presence.leave)
        self._hot.clear()

    # ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def apply(self, scope: Scope, ops: Sequence[Op]) -> Receipt:
        writing.refuse_foreign(scope, ops)
        analyzer = self._analyzer
        return await self._writer.do(lambda db: writing.apply(db, scope, ops, analyzer))

    # ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def items(self, scope: Scope, ids: Sequence[str]) -> list[KnowledgeItem]:
        read = partial(reading.by_ids, table="item", columns=rows.ITEM_COLUMNS, decode=rows.item_of)
        return await self._readers.do(lambda db: read(db, scope, ids))

    async def messages(self, scope: Scope, ids: Sequence[str]) -> list[Message]:
        read = partial(reading.by_ids, table="message", columns=rows.MESSAGE_COLUMNS, decode=rows.message_of)
        return await self._readers.do(lambda db: read(db, scope, ids))

    async def notes(self, scope: Scope, ids: Sequence[str]) -> list[Note]:
        read = partial(reading.by_ids, table="note", columns=rows.NOTE_COLUMNS, decode=rows.note_of)
        return await self._readers.do(lambda db: read(db, scope, ids))

    async def conversation(self, scope: Scope, id: str) -> Conversation | None:
        return await self._readers.do(lambda db: reading.conversation(db, scope, id))

    async def hidden_conversations(self, scope: Scope, ids: Sequence[str]) -> set[str]:
        return await self._readers.do(lambda db: reading.hidden_conversations(db, scope, ids))

    async def item_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        return await self._readers.do(lambda db: reading.ids_like(db, scope, fragment, limit, table="item"))

    async def page_items(
        self,
        scope: Scope,
        wanted: ItemFilter,
        *,
        order: ItemOrder = ItemOrder.NEWEST,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> Page[KnowledgeItem]:
        read = partial(reading.page_items, order=order, after=after, limit=limit)
        return await self._readers.do(lambda db: read(db, scope, wanted_items(wanted)))

    async def count_items(self, scope: Scope, wanted: ItemFilter) -> list[ItemCount]:
        return await self._readers.do(lambda db: tallying.counts(db, scope, wanted))

    async def page_events(
        self, scope: Scope, wanted: EventFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[KnowledgeItem]:
        read = partial(
            reading.page,
            table="item",
            columns=rows.ITEM_COLUMNS,
            moment="held_from",
            decode=rows.item_of,
            cursor=lambda item: Cursor(item.held_from, item.id),
        )
        return await self._readers.do(lambda db: read(db, scope, wanted_events(wanted), after=after, limit=limit))

    async def passings(
        self,
        scope: Scope,
        moments: Sequence[datetime],
        *,
        asked_in: Place = DIRECT,
        without: frozenset[str] = frozenset(),
    ) -> list[Passing]:
        return await self._readers.do(lambda db: tallying.passings(db, scope, moments, asked_in, without))

    async def page_messages(
        self, scope: Scope, wanted: MessageFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Message]:
        read = partial(
            reading.page,
            table="message",
            columns=rows.MESSAGE_COLUMNS,
            moment="sent_at",
            decode=rows.message_of,
            cursor=lambda message: Cursor(message.sent_at, message.id),
        )
        return await self._readers.do(lambda db: read(db, scope, wanted_messages(wanted), after=after, limit=limit))

    async def beside(
        self, scope: Scope, ids: Sequence[str], *, before: int, after: int, wanted: MessageFilter
    ) -> dict[str, tuple[Message, ...]]:
        read = partial(reading.beside, before=before, after=after)
        return await self._readers.do(lambda db: read(db, scope, ids, wanted_messages(wanted)))

    async def page_conversations(
        self, scope: Scope, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Conversation]:
        read = partial(
            reading.page,
            table="conversation",
            columns=rows.CONVERSATION_COLUMNS,
            moment="updated_at",
            decode=rows.conversation_of,
            cursor=lambda conversation: Cursor(conversation.updated_at, conversation.id),
            raw_id=str,
        )
        return await self._readers.do(lambda db: read(db, scope, wanted_conversations(), after=after, limit=limit))

    async def page_notes(
        self, scope: Scope, wanted: NoteFilter, *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Note]:
        read = partial(
            reading.page,
            table="note",
            columns=rows.NOTE_COLUMNS,
            moment="happened_at",
            decode=rows.note_of,
            cursor=lambda note: Cursor(note.happened_at, note.id),
        )
        return await self._readers.do(lambda db: read(db, scope, wanted_notes(wanted), after=after, limit=limit))

    async def buffer(self, scope: Scope, id: str) -> Buffer | None:
        return await self._readers.do(lambda db: buffering.read(db, scope, id))

    async def buffers(self, scope: Scope) -> list[Buffer]:
        return await self._readers.do(lambda db: buffering.read_all(db, scope))

    async def cases(self, scope: Scope, ids: Sequence[str]) -> list[Case]:
        read = partial(reading.by_ids, table="case_file", columns=rows.CASE_COLUMNS, decode=rows.case_of)
        return await self._readers.do(lambda db: read(db, scope, ids))

    async def case_scope(self, tenant: str, id: str) -> Scope | None:
        return await self._readers.do(lambda db: records.case_scope(db, tenant, id))

    async def page_cases(
        self,
        scope: Scope,
        *,
        asked_in: Place = DIRECT,
        open_only: bool = False,
        items: Collection[str] | None = None,
        after: Cursor | None = None,
        limit: int = 50,
    ) -> Page[Case]:
        read = partial(
            reading.page,
            table="case_file",
            columns=rows.CASE_COLUMNS,
            moment="opened_at",
            decode=rows.case_of,
            cursor=lambda case: Cursor(case.opened_at, case.id),
        )
        wanted = wanted_cases(asked_in, open_only=open_only, items=items)
        return await self._readers.do(lambda db: read(db, scope, wanted, after=after, limit=limit))

    async def stamps(self, scopes: Sequence[Scope]) -> tuple[Stamp, ...]:
        return await self._readers.do(lambda db: stamps(db, scopes))

    async def view(self, scope: Scope, name: str) -> View | None:
        return await self._readers.do(lambda db: records.view(db, scope, name))

    async def unaccounted(self, scope: Scope, *, limit: int) -> Unaccounted:
        return await self._readers.do(lambda db: accounting.unaccounted(db, scope, limit))

    async def run(self, scope: Scope, id: str) -> Run | None:
        return await self._readers.do(lambda db: runs.read(db, scope, id))

    async def run_of_night(self, scope: Scope, kind: RunKind, night: date) -> Run | None:
        return await self._readers.do(lambda db: runs.of_night(db, scope, kind, night))

    async def run_ids(self, scope: Scope, fragment: str, *, limit: int = 2) -> list[str]:
        return await self._readers.do(lambda db: reading.ids_like(db, scope, fragment, limit, table="run"))

    async def page_runs(
        self, scope: Scope | None, kinds: Sequence[RunKind] = (), *, after: Cursor | None = None, limit: int = 50
    ) -> Page[Run]:
        return await self._readers.do(lambda db: runs.page(db, scope, kinds, after, limit))

    async def usage(self, scope: Scope | None = None, *, since: date | None = None) -> list[Use]:
        return await self._readers.do(lambda db: records.usage(db, scope, since))

    async def withheld(self, scope: Scope) -> Withheld:
        return await self._readers.do(lambda db: withheld(Shelves(db, scope.tenant), scope))

    async def acquaintances(self, scope: Scope, *, without: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
        return await self._readers.do(lambda db: reading.acquaintances(db, scope, without))

    async def predecessors(self, scope: Scope, id: str) -> list[KnowledgeItem]:
        return await self._readers.do(lambda db: reading.predecessors(db, scope, id))

    async def trail(self, scope: Scope, target: Target, id: str) -> list[AuditEntry]:
        return await self._readers.do(lambda db: reading.trail(db, scope, target, id))

    async def change(self, scope: Scope, change: str) -> list[AuditEntry]:
        return await self._readers.do(lambda db: reading.change(db, scope, change))

    async def changes(self, scope: Scope, changes: Sequence[str]) -> list[AuditEntry]:
        return await self._readers.do(lambda db: reading.changes(db, scope, changes))

    async def page_trail(self, scope: Scope, *, after: int = 0, limit: int = 1_000) -> list[tuple[int, AuditEntry]]:
        return await self._readers.do(lambda db: reading.page_trail(db, scope, after, limit))

    async def last_entry(self, scope: Scope) -> int:
        return await self._readers.do(lambda db: reading.last_entry(db, scope))

    async def page_whole(
        self, scope: Scope, ledger: Ledger, *, after: Cursor | None = None, limit: int = 500
    ) -> Page[LedgerRow]:
        return await self._readers.do(lambda db: whole.page_whole(db, scope, ledger, after=after, limit=limit))

    async def owners(self, tenant: str, *, after: str = "", limit: int = 500) -> list[Scope]:
        return await self._readers.do(lambda db: whole.owners(db, tenant, after=after, limit=limit))

    async def vectors(
        self, scope: Scope, kind: Kind, model: str, parts: Sequence[tuple[str, int]]
    ) -> dict[tuple[str, int], Vector]:
        return await self._readers.do(lambda db: reading.vectors(db, scope, kind, model, parts))

    # ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def words(self, scope: Scope, kind: Kind, query: Query) -> Words:
        return await self._readers.do(lambda db: searching.Keywords(db, scope, kind, query, self._analyzer))

    async def nearest(
        self, scope: Scope, kind: Kind, model: str, vectors: Sequence[Vector], *, limit: int, at_least: float
    ) -> list[list[tuple[str, float]]]:
        hot = self._hot
        return await self._readers.do(
            lambda db: searching.nearest(
                db, scope, kind, model, vectors, limit=limit, at_least=at_least, hot=hot, epoch=hot.epoch
            )
        )

    async def search_items(self, scope: Scope, query: Query, wanted: ItemFilter) -> list[Candidate]:
        return await self._search(scope, Kind.ITEM, query, wanted_items(wanted))

    async def search_messages(self, scope: Scope, query: Query, wanted: MessageFilter) -> list[Candidate]:
        return await self._search(scope, Kind.MESSAGE, query, wanted_messages(wanted))

    async def search_notes(self, scope: Scope, query: Query, wanted: NoteFilter) -> list[Candidate]:
        return await self._search(scope, Kind.NOTE, query, wanted_notes(wanted))

    async def _search(self, scope: Scope, kind: Kind, query: Query, wanted: Wanted) -> list[Candidate]:
        analyzer, hot = self._analyzer, self._hot
        return await self._readers.do(
            lambda db: searching.search(db, scope, kind, query, wanted, analyzer=analyzer, hot=hot, epoch=hot.epoch)
        )

    # ── forgetting ────────────────────────────────────────────────────────────────────────────────────────────────

    async def forget_item(
        self, scope: Scope, id: str, *, along: Mapping[str, int] | None = None, dry_run: bool = False
    ) -> Gone:
        return await self._forget(scope, lambda db: forgetting.forget_item(db, scope, id, along or {}), dry_run)

    async def forget_conversation(self, scope: Scope, id: str, *, dry_run: bool = False) -> Gone:
        return await self._forget(scope, lambda db: forgetting.forget_conversation(db, scope, id), dry_run)

    async def forget_person(self, scope: Scope, *, dry_run: bool = False) -> Gone:
        return await self._forget(scope, lambda db: forgetting.forget_person(db, scope), dry_run)

    async def _forget(self, scope: Scope, work: Work[Gone], dry_run: bool) -> Gone:
        if dry_run:
            return replace(await self._writer.try_out(work), erased=False, dry_run=True)
        gone, is_erased = await self._writer.forget(work, afterwards=lambda: self._hot.drop(scope))
        return replace(gone, erased=is_erased)

    # ── the queue ─────────────────────────────────────────────────────────────────────────────────────────────────

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
        return await self._writer.do(
            lambda db: queue.claim(db, kinds, now, lease, limit, one_a_scope=one_a_scope, after=after, scopes=scopes)
        )

    async def fail(
        self, id: str, *, claim: int, error: str, retry_at: datetime | None, is_counted: bool = True
    ) -> None:
        await self._writer.do(lambda db: queue.fail(db, id, claim, error, retry_at, is_counted=is_counted))

    async def hand_back(self, claims: Mapping[str, int]) -> None:
        await self._writer.do(lambda db: queue.hand_back(db, claims))

    async def postpone(self, id: str, *, claim: int, until: datetime) -> None:
        await self._writer.do(lambda db: queue.postpone(db, id, claim, until))

    async def jobs(
        self,
        *,
        state: JobState | None = None,
        scope: Scope | None = None,
        tenant: str | None = None,
        kinds: Sequence[str] = (),
        limit: int = 100,
    ) -> list[Job]:
        return await self._readers.do(lambda db: queue.jobs(db, state, scope, tenant, kinds, limit))

    async def job(self, id: str) -> Job | None:
        return await self._readers.do(lambda db: queue.job(db, id))

    async def job_ids(self, fragment: str, *, limit: int = 2) -> list[str]:
        return await self._readers.do(lambda db: reading.job_ids_like(db, fragment, limit))

    async def cancel(self, id: str) -> bool:
        return await self._writer.do(lambda db: queue.cancel(db, id))

    async def next_due(self) -> datetime | None:
        return await self._readers.do(queue.next_due)

    async def hasten(self, kind: str, *, now: datetime, scope: Scope | None = None) -> int:
        return await self._writer.do(lambda db: queue.hasten(db, kind, now, scope))

    async def retry(self, *, now: datetime, kind: str | None = None, id: str | None = None) -> int:
        return await self._writer.do(lambda db: queue.retry(db, now, kind, id))

    async def drop_jobs(self, *, kind: str, state: JobState) -> int:
        return await self._writer.do(lambda db: queue.drop_jobs(db, kind, state))

    # ── who may come in ───────────────────────────────────────────────────────────────────────────────────────────

    async def put_key(self, key: Key, digest: bytes) -> None:
        await self._writer.do(lambda db: access.put_key(db, key, digest))

    async def keys(self, tenant: str | None = None) -> list[Key]:
        return await self._readers.do(lambda db: access.keys(db, tenant))

    async def key_by_prefix(self, prefix: str) -> tuple[Key, bytes] | None:
        return await self._readers.do(lambda db: access.key_by_prefix(db, prefix))

    async def revoke_key(self, id: str, at: datetime) -> Key | None:
        return await self._writer.do(lambda db: access.revoke_key(db, id, at))

    async def touch_keys(self, used: Mapping[str, datetime]) -> None:
        await self._writer.do(lambda db: access.touch_keys(db, used))

    async def put_session(self, session: Session, digest: bytes) -> None:
        await self._writer.do(lambda db: access.put_session(db, session, digest))

    async def session(self, digest: bytes) -> tuple[Session, Key] | None:
        return await self._readers.do(lambda db: access.session(db, digest))

    async def end_session(self, digest: bytes) -> bool:
        return await self._writer.do(lambda db: access.end_session(db, digest))

    async def put_link(self, link: Link) -> Link | None:
        return await self._writer.do(lambda db: access.put_link(db, link))

    async def drop_link(self, tenant: str, channel: str, id: str) -> bool:
        return await self._writer.do(lambda db: access.drop_link(db, tenant, channel, id))

    async def link(self, tenant: str, channel: str, id: str) -> Link | None:
        return await self._readers.do(lambda db: access.read_link(db, tenant, channel, id))

    async def links(self, tenant: str, user: str | None = None) -> list[Link]:
        return await self._readers.do(lambda db: access.links(db, tenant, user))

    async def close_door(
        self, tenant: str, kind: DoorKind, name: str, *, since: datetime, new_id: Callable[[], str]
    ) -> Door:
        return await self._writer.do(lambda db: doors.close(db, tenant, kind, name, since, new_id))

    async def open_door(self, tenant: str, kind: DoorKind, name: str) -> bool:
        return await self._writer.do(lambda db: doors.open_(db, tenant, kind, name))

    async def doors(self, tenant: str) -> list[Door]:
        return await self._readers.do(lambda db: doors.doors(db, tenant))

    async def closed(self, tenant: str, *, people: Sequence[str] = (), space: str | None = None) -> list[Door]:
        return await self._readers.do(lambda db: doors.closed(db, tenant, people, space))

    async def spaces(self, tenant: str) -> list[str]:
        return await self._readers.do(lambda db: doors.spaces(db, tenant))

    async def begin_reply(
        self, tenant: str, caller: str, key: str, *, fingerprint: str, now: datetime, lease: timedelta
    ) -> KeptReply | None:
        return await self._writer.do(lambda db: access.begin_reply(db, (tenant, caller, key), fingerprint, now, lease))

    async def end_reply(
        self,
        tenant: str,
        caller: str,
        key: str,
        *,
        user: str | None,
        status: int,
        headers: Mapping[str, str],
        body: bytes,
        now: datetime,
        keep: timedelta,
    ) -> None:
        reply = KeptReply(status=status, headers=headers, body=body)
        await self._writer.do(lambda db: access.end_reply(db, (tenant, caller, key), user, reply, now + keep))

    async def drop_reply(self, tenant: str, caller: str, key: str) -> None:
        await self._writer.do(lambda db: access.drop_reply(db, (tenant, caller, key)))

    async def purge_replies(self, now: datetime) -> int:
        return await self._writer.do(lambda db: access.purge_replies(db, now))

    # ── keeping house ─────────────────────────────────────────────────────────────────────────────────────────────

    async def unindexed(self, *, limit: int) -> list[tuple[Scope, str]]:
        return await self._readers.do(lambda db: upkeep.unindexed(db, limit))

    async def unembedded(self, model: str, *, limit: int, after: Unembedded | None = None) -> list[Unembedded]:
        return await self._readers.do(lambda db: upkeep.unembedded(db, model, limit, after))

    async def drop_other_vectors(self, model: str) -> int:
        dropped = await self._writer.do(lambda db: upkeep.drop_other_vectors(db, model))
        self._hot.clear()
        return dropped

    async def model_names(self) -> list[str]:
        return await self._readers.do(upkeep.model_names)

    async def models(self) -> dict[str, int]:
        return await self._readers.do(upkeep.models)

    async def verify(self) -> Verification:
        return await self._aside(lambda db: in_snapshot(db, lambda db: verifying.verify(db, self._analyzer)))

    async def stats(self, scope: Scope | None = None) -> Stats:
        return await self._readers.do(lambda db: upkeep.stats(db, scope, self._path))

    async def backup(self, target: Path) -> int:
        return await self._aside(lambda db: backups.backup(db, target))

    async def _aside(self, work: Work[T]) -> T:
        """Something long, on a connection of its own, so that nobody waits behind it."""
        if self._closing:
            raise StoreError(f"the store {self._path} is closed")
        read_only = isinstance(self._writer, NoWriter)
        return await asyncio.to_thread(_on_its_own, self._path, work, read_only=read_only)


def _prepare(path: Path, analyzer: Analyzer, durability: Durability, create: bool) -> tuple[apsw.Connection, Presence]:
    """The file up to date; where nobody else is at it, what a killed program was at is free to be taken at once."""
    if not create and not path.exists():
        raise StoreError(f"there is no store at {path}")
    presence = Presence(path)
    db: apsw.Connection | None = None
    try:
        db = open_writer(path, durability=durability, create=create)
        with translated(path, db):
            migrate(db, path)
            if presence.is_alone:
                queue.free_all(db)
            presence.stay()
            upkeep.index_anew(db, analyzer)
    except BaseException:
        if db is not None:
            db.close()
        presence.leave()
        raise
    return db, presence


def _look(path: Path) -> Presence | None:
    """Check a file that is only read; present there, so that nobody replaces it, where that can be told."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}")
    try:
        presence: Presence | None = Presence(path)
    except StoreUnavailableError:
        raise
    except StoreError:
        presence = None
    try:
        _on_its_own(path, lambda db: _refuse_older(db, path), read_only=True)
        if presence is not None:
            presence.stay()
    except BaseException:
        if presence is not None:
            presence.leave()
        raise
    return presence


def _refuse_older(db: apsw.Connection, path: Path) -> None:
    refuse_strangers(db, path)
    if lacks_steps(db, path):
        raise StoreVersionError(f"{path} is of an earlier version; open it once for writing to bring it up to date")


def _on_its_own(path: Path, work: Work[T], *, read_only: bool) -> T:
    db = open_reader(path, read_only=read_only)
    try:
        with translated(path, db):
            return work(db)
    finally:
        db.close()
