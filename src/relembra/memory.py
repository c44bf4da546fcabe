"""Memory: every verb. It ties the rooms together and decides nothing itself that a plain function could."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from relembra.admitting import Admitting
from relembra.domain.audit import Actor, AuditEntry, Target, owner_only
from relembra.domain.candidate import Candidate
from relembra.domain.changes import deleted
from relembra.domain.choices import one
from relembra.domain.ids import new_id as uuid7
from relembra.domain.inquiry import Inquiry
from relembra.domain.jobs import FLUSH, SUMMARISE, Job, JobState, job_now, read_job
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Conversation, Message, Role
from relembra.domain.moment import Clock, system_clock
from relembra.domain.nights import clock_of
from relembra.domain.policy import LIFE, Policy
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Place, Scope, may_hear, person, shelf_of
from relembra.domain.searchable import item_text
from relembra.domain.text import checked_name, checked_text
from relembra.doorkeeping import Doorkeeping
from relembra.errors import (
    ConflictError,
    InvalidInputError,
    MindError,
    NotFoundError,
    RelembraError,
    StaleError,
    StoreReadOnlyError,
)
from relembra.learn.casework import Casework
from relembra.learn.decisions import Repeat
from relembra.learn.drafts import LONGEST_STATEMENT, Draft, DraftParts, said_as, told_whole, understood, worded
from relembra.learn.keeper import Keeper
from relembra.learn.learner import LEARN, Learner, Learnt
from relembra.learn.rollback import Rollback
from relembra.listen.duties import Flusher, LearnDuty, Listening, ReadDuty, Summariser
from relembra.listen.filters import REFUSALS, Doors, Refusal
from relembra.listen.intake import exchange, place_of
from relembra.minds.port import (
    Analyzer,
    Embedder,
    Inquirer,
    Matcher,
    NightReader,
    Observer,
    Outside,
    Reader,
    Tokens,
    Vector,
    family_of,
)
from relembra.recall.asked import ItemWishes, Listing, checked_limit, cursor_from, item_filter
from relembra.recall.finder import Finder
from relembra.recall.ranking import Hit, unasked
from relembra.remembering import Remembering
from relembra.store.port import (
    NOTHING,
    BufferMessage,
    Cache,
    CountUse,
    Enqueue,
    ExpectOpen,
    ExpectStamp,
    Gone,
    ItemFilter,
    ItemOrder,
    Kind,
    MessageFilter,
    PutMessage,
    Restored,
    Salvaged,
    Stats,
    Store,
    TouchConversation,
    TouchItems,
    TouchNotes,
    Verification,
)
from relembra.surveying import Surveying
from relembra.tend.backups import Backups
from relembra.tend.beginning import Beginner
from relembra.tend.indexing import Indexer, Progress, reindex
from relembra.tend.worker import Duty, Worker
from relembra.tending import Tending
from relembra.transfer.facts import IMPORTER, ImportReport, facts_of, report
from relembra.transferring import Transferring
from relembra.understanding import Understanding

if TYPE_CHECKING:
    from relembra.settings import Settings
    from relembra.tools.commands import CommandAnswer

log = logging.getLogger(__name__)

_list = list  # `Memory.list` is a verb

BULK = 256
PAGE = 50
LOOKED_AT_JOBS = 1_000
RECALL = "program:recall"


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save stored; `new` is False when the external id had been saved before."""

    conversation: str
    messages: tuple[Message, ...]
    new: bool
    refused: Refusal | None = None  # why nothing was kept
    left_out: tuple[str, ...] = ()  # of `messages`: what is no text, by its place


@dataclass(frozen=True, slots=True)
class History:
    """An item's line through time: what it replaced (oldest first), what replaced it, and every recorded change."""

    item: KnowledgeItem
    predecessors: tuple[KnowledgeItem, ...]
    successor: KnowledgeItem | None
    trail: tuple[AuditEntry, ...]


class Memory(Remembering, Understanding, Surveying, Tending, Transferring, Admitting, Doorkeeping):
    """A memory for many people. Open one with `Memory.open`; each verb says whose memory with `user` and `tenant`."""

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder,
        analyzer: Analyzer,
        tokens: Tokens,
        language_of: Callable[[str], str | None],
        offline: Reader,
        inquirer: Inquirer,
        offline_night: NightReader,
        observer: Observer,
        cache: Cache,
        backups: Backups | None = None,
        night: NightReader | None = None,
        reader: Reader | None = None,
        matcher: Matcher | None = None,
        outside: Outside = Outside(),  # noqa: B008 - a frozen value
        mend: Callable[[str], str] | None = None,
        policy: Policy = LIFE,
        doors: Doors | None = None,
        language: str = "en",
        user: str = "",
        home: str = "",
        clock: Clock = system_clock,
        new_id: Callable[[], str] = uuid7,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._tokens = tokens
        self._inquirer = inquirer
        self._cache = cache
        self._language_of = language_of
        self._policy = policy
        self._language = language
        self.user = user  # whose memory the settings mean, as on the command line and the page
        self._home = home  # the clock of whoever gives only an offset that it shows as well
        self._clock = clock
        self._new_id = new_id
        self._outside = outside
        self._finder = Finder(
            store,
            embedder=embedder,
            analyzer=analyzer,
            policy=policy,
            matcher=matcher,
            matches_outside=outside.matcher,
            mend=mend,
        )
        self._keeper = Keeper(store, embedder=embedder, clock=self._now, new_id=new_id)
        self._doors = doors or Doors()
        self._casework = Casework(store, policy=policy, clock=self._now, new_id=new_id)
        self._reader = reader or offline
        self._offline = offline
        self._told_to: _list[_list[tuple[Scope, Learnt]]] = []
        self._learner = Learner(
            store,
            reader=self._reader,
            offline=offline,
            reads_outside=outside.reader,
            embedder=embedder,
            casework=self._casework,
            policy=policy,
            clock=self._now,
            new_id=new_id,
            told=self._note_learnt,
        )
        indexer = Indexer(store, embedder, embeds_outside=outside.embedder)
        self._listening = Listening(
            store,
            reader=self._reader,
            offline=offline,
            reads_outside=outside.reader or outside.night,
            learns=self._learner,
            language_of=language_of,
            language=language,
            clock=self._now,
            new_id=new_id,
            vectors=indexer,
            calls_a_day=policy.learn.model_calls,
            night_hour=policy.tend.night_hour,
            home=home,
            hears=self._doors.hears,
        )
        summaries = self._reader if policy.listen.model_summaries else offline
        self._night = night or offline_night
        self._offline_night = offline_night
        self._observer = observer
        duties: _list[Duty] = [
            indexer,
            ReadDuty(self._listening),
            Flusher(self._listening),
            LearnDuty(self._listening),
            Summariser(self._listening, summaries, idle=policy.context.session_idle),
            Beginner(self._keeper),
            self._night_work(),
        ]
        self._worker = Worker(store, duties, chore=self._small_work, clock=clock)
        self._rollback = Rollback(store, self._keeper, clock=self._now, new_id=new_id)
        self._renewal: asyncio.Task[None] | None = None
        self._backups = backups
        self._backing_up: asyncio.Task[None] | None = None
        self._read: dict[tuple[Scope, Kind], set[str]] = {}
        self._revived: dict[tuple[Scope, Kind], set[str]] = {}
        self._portrayed: dict[tuple[Scope, str], None] = {}
        self._asked: dict[tuple[Scope, str], datetime] = {}
        self._keys_used: dict[str, datetime] = {}
        self._uses_noted: dict[str, datetime] = {}

    @staticmethod
    def open(
        db: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock = system_clock,
        background: bool = True,
        read_only: bool = False,
    ) -> AbstractAsyncContextManager[Memory]:
        """A memory on a file, made if it is not there; ":memory:" keeps it in this process only.

        `clock` is for simulations; without `background` work waits for `settle`. `read_only`: of a file that is there,
        also where it cannot be written; whatever would write is a `StoreReadOnlyError`.
        """
        from relembra.bootstrap import opened  # the one module that names adapters, and only when asked

        return opened(db, settings=settings, clock=clock, background=background, read_only=read_only)

    @staticmethod
    async def restore_backup(
        file: str | Path, db: str | Path | None = None, *, settings: Settings | None = None
    ) -> Restored:
        """Put a backup in the place of a memory's file, which no program may have open; what was there is put aside.

        The backup is checked first and stays as it is. `StoreUnavailableError` while the memory is in use.
        """
        from relembra.bootstrap import restore_backup

        return await restore_backup(Path(file), db, settings=settings)

    @staticmethod
    async def salvage(file: str | Path, target: str | Path) -> Salvaged:
        """Bring what can be read of a damaged file into a new one, and leave the damaged one as it is.

        Vectors are not brought along: open the new file and `reindex`.
        """
        from relembra.bootstrap import salvage

        return await salvage(Path(file), Path(target))

    # ── said ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def save(
        self,
        *,
        user: str,
        said: str | None = None,
        replied: str | None = None,
        messages: Sequence[Mapping[str, Any]] | None = None,
        at: datetime | None = None,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        external_id: str | None = None,
        author: str | None = None,
        author_name: str | None = None,
        program: bool = False,
        skip: bool = False,
        metadata: Mapping[str, str] | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Saved:
        """Keep what was said, what was replied, or both; durable on return. Indexing and learning go on behind it.

        `messages`: a list instead, as chat programs hold it, all kept or none; what in it is no text is left out.
        What is said in private is learnt from at once, in a space once it has been quiet there.
        `program`: a program said it, so nothing is learnt from it. `skip`: pass over this one. What is skipped, said by
        somebody blocked or in a space switched off is not kept at all (`Saved.refused` says why). `author_name`: how an
        app shows whoever said it; they are called so until they say what their name is.
        """
        scope, place, now = person(tenant, user), place_of(space, channel), self._now()
        turn = exchange(
            scope,
            said=said,
            replied=replied,
            messages=messages,
            at=at,
            now=self._clock(),
            place=place,
            conversation=conversation,
            external_id=external_id,
            author=author,
            author_name=author_name,
            program=program,
            metadata=metadata,
            new_id=self._new_id,
        )
        people = {user, author or user, *(one.author for one in turn.messages if one.role is not Role.ASSISTANT)}
        refusals = (self._doors.refusal(user, place, author=who, skip=skip) for who in people)
        if (refused := next((one for one in refusals if one is not None), None)) is not None:
            return Saved(turn.conversation.id, (), False, refused)
        ids = [message.id for message in turn.messages]
        listen = self._policy.listen
        heard = [
            BufferMessage(message=message, buffer_id=self._new_id(), now=now, quiet=listen.quiet, window=listen.window)
            for message in turn.messages
            if message.role is not Role.SYSTEM
        ]
        spoken = [message.id for message in turn.messages if message.role is Role.USER and place.is_private]
        reading = [read_job(scope, turn.conversation.id, spoken, id=self._new_id(), now=now)] if spoken else []
        await self._mark_asked(scope)
        receipt = await self._store.apply(
            scope,
            [
                ExpectOpen(people=tuple(sorted(people)), space=space),
                TouchConversation(turn.conversation),
                *(PutMessage(message) for message in turn.messages),
                *heard,
                self._keeper.later(scope, Kind.MESSAGE, ids),
                *map(Enqueue, reading),
                self._tonight(scope, clock_of(turn.messages[0].zone, turn.messages[0].sent_at, self._home)),
            ],
        )
        if receipt.closed is not None:
            return Saved(turn.conversation.id, (), False, REFUSALS[receipt.closed])
        asking = sum(one.message.role is Role.USER for one in heard)
        if receipt.waiting // listen.summary_every > max(0, receipt.waiting - asking) // listen.summary_every:
            await self._summarise_later(scope, place, turn.conversation.id)
        self._worker.wake()
        known = {(message.external_id, message.role): message for message in receipt.known}
        kept = tuple(known.get((message.external_id, message.role), message) for message in turn.messages)
        is_new = len(receipt.known) < len(kept)
        return Saved(kept[0].conversation, kept, is_new, left_out=turn.left_out)

    async def messages(
        self,
        *,
        user: str,
        conversation: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Listing[Message]:
        """What was said, newest first."""
        scope, place = person(tenant, user), place_of(space, channel)
        checked_limit(limit, self._policy.search.largest_page)
        away = (await self._withheld(scope, outside)).messages
        wanted = MessageFilter(asked_in=place, said_there=channel is not None, conversation=conversation, without=away)
        page = await self._store.page_messages(scope, wanted, after=cursor_from(after), limit=limit)
        return Listing(page)

    # ── conversations ─────────────────────────────────────────────────────────────────────────────────────────────

    async def start_conversation(
        self,
        *,
        user: str,
        id: str | None = None,
        title: str | None = None,
        space: str | None = None,
        channel: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> Conversation:
        """Open a conversation under an id of yours or a new one; an id in use is a `ConflictError`."""
        scope, now = person(tenant, user), self._now()
        conversation = Conversation(
            id=checked_name(id, "conversation") if id is not None else self._new_id(),
            scope=scope,
            place=place_of(space, channel),
            title=checked_text(title, "title") if title is not None else "",
            created_at=now,
            updated_at=now,
        )
        await self._keeper.start_conversation(conversation, by)
        return conversation

    async def conversations(
        self, *, user: str, limit: int = 50, after: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Listing[Conversation]:
        """A person's conversations, last used first."""
        checked_limit(limit, self._policy.search.largest_page)
        page = await self._store.page_conversations(person(tenant, user), after=cursor_from(after), limit=limit)
        return Listing(page)

    async def rename_conversation(
        self, id: str, title: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conversation:
        """Give a conversation another title."""
        scope = person(tenant, user)
        name = checked_text(title, "title")
        return await self._keeper.change_conversation(
            scope, id, verb="rename", by=by, change=lambda held: replace(held, title=name)
        )

    async def delete_conversation(
        self, id: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> Conversation:
        """Hide a conversation with its messages; `undo` brings both back. What was learnt from it stays known."""
        scope, now = person(tenant, user), self._now()
        return await self._keeper.change_conversation(
            scope, id, verb="delete", by=by, change=lambda held: replace(held, deleted_at=now)
        )

    # ── known ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def add(
        self,
        content: str,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
        **parts: Unpack[DraftParts],
    ) -> KnowledgeItem:
        """Make something known. By hand it is certain and confirmed; a value that replaces another ends the older."""
        draft = Draft(content=content, **parts)
        if draft.attribute is not None or draft.source == Source.IMPORT:
            added = await self.add_many([draft], user=user, space=space, channel=channel, by=by, tenant=tenant)
            return added[0]
        scope, place = person(tenant, user), place_of(space, channel)
        item, learnt = await self._took(draft, scope, place, by, verb="add", judge=self._offline)
        self._worker.wake()
        [decision] = learnt.decisions
        if not isinstance(decision, Repeat):
            return decision.item
        known = decision.item
        if item.validated:
            known = await self._keeper.validate(scope, known.id, self._policy.confidence, by)
        if known.local_only and not item.local_only:  # told in the words given, not those held
            return replace(item, id=known.id, version=known.version, observations=known.observations, local_only=True)
        return known

    async def _took(
        self, draft: Draft, scope: Scope, place: Place, by: str | None, *, verb: str, judge: Reader
    ) -> tuple[KnowledgeItem, Learnt]:
        """Let what somebody gave be read, and decide about it as about what is said; the item, and what came of it."""
        actor = Actor.of(by, scope.user)
        item = self._worded(draft, scope, place, actor)
        read = await self._read_in(item)
        item = understood(item, draft, read)
        learnt = await self._learner.take(
            scope,
            [item],
            changed={item.id: read is not None and read.changed and item.attribute == read.attribute},
            said_at={} if draft.held_from else {item.id: item.created_at},
            actor=actor,
            judge=judge,
            vectors=await self._vectors_of([item]) or [None],
            verb=verb,
            finish=[self._tonight(scope, clock_of(item.zone, item.held_from, self._home))],
        )
        await self._casework.clear(scope, [row.id for row in learnt.ended])
        return item, learnt

    async def _read_in(self, item: KnowledgeItem) -> Candidate | None:
        """What the words of an item say as a whole, by the reader that asks nobody; None where it cannot tell."""
        if len(item.content) > LONGEST_STATEMENT:
            return None
        talk = said_as(item, language=self._language)
        try:
            return told_whole(talk, (await self._offline.digest(talk)).candidates)
        except MindError as exc:
            log.warning("something added is kept unread: %s", type(exc).__name__)
            return None

    async def add_many(
        self,
        drafts: Iterable[Draft],
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> _list[KnowledgeItem]:
        """Make many things known, some hundred to a transaction; each batch is kept whole or not at all."""
        scope, place = person(tenant, user), place_of(space, channel)
        actor = Actor.of(by, user)
        items = [self._worded(draft, scope, place, actor) for draft in drafts]
        added: _list[KnowledgeItem] = []
        for start in range(0, len(items), BULK):
            batch = items[start : start + BULK]
            vectors = await self._vectors_of(batch)
            first = batch[0]
            tonight = self._tonight(scope, clock_of(first.zone, first.held_from or first.created_at, self._home))
            added += await self._keeper.add(scope, batch, vectors, by, beside=[tonight])
        self._worker.wake()  # what is kept ready of this person is made anew behind it
        return added

    async def import_facts(
        self, path: str | Path, *, user: str | None = None, dry_run: bool = False, tenant: str = DEFAULT_TENANT
    ) -> ImportReport:
        """Take over the facts of an older program's file, everybody's or one person's; a second time adds nothing.

        With `dry_run` nothing is kept, and the report says what would be.
        """
        from relembra.bootstrap import legacy_facts

        facts, users = await asyncio.to_thread(legacy_facts, Path(path))
        old = await asyncio.to_thread(facts_of, facts, users, user=user)
        known = {name: await self._imported(person(tenant, name)) for name in {fact.user for fact in old.facts}}
        new, told = await asyncio.to_thread(report, old, known, dry_run=dry_run)
        for name, rows in new.items() if not dry_run else ():
            drafts = [
                Draft(content=row.content, source=Source.IMPORT, tags=(row.tag,), held_from=row.held_from)
                for row in rows
            ]
            await self.add_many(drafts, user=name, by=IMPORTER, tenant=tenant)
        return told

    async def _imported(self, scope: Scope) -> set[tuple[str, str]]:
        """The tags and contents of everything a person's memory ever imported, also what was deleted since."""
        wanted = ItemFilter(now=self._now(), sources=(Source.IMPORT,), history=True, deleted=True)
        found: set[tuple[str, str]] = set()
        after = None
        while True:
            page = await self._store.page_items(scope, wanted, after=after, limit=BULK)
            found |= {(tag, item.content) for item in page.rows for tag in item.tags}
            after = page.next
            if after is None:
                return found

    async def _vectors_of(self, items: _list[KnowledgeItem]) -> _list[Vector] | None:
        """The items' vectors; None where they are to be made later, or never, since one may not leave this machine."""
        if self._outside.embedder and any(item.local_only for item in items):
            return None
        return await self._finder.vectors([item_text(item) for item in items])

    def _worded(self, draft: Draft, scope: Scope, place: Place, actor: Actor) -> KnowledgeItem:
        return worded(
            draft,
            id=self._new_id(),
            scope=scope,
            place=place,
            zoned_now=self._clock(),
            actor=actor,
            policy=self._policy.confidence,
            language_of=self._language_of,
        )

    async def get(self, id: str, *, user: str, outside: bool = False, tenant: str = DEFAULT_TENANT) -> KnowledgeItem:
        """One item, deleted or superseded ones too."""
        return await self._heard(person(tenant, user), id, outside)

    async def _heard(self, scope: Scope, id: str, outside: bool) -> KnowledgeItem:
        """An item as whoever asks may see it; what stays on this machine is not there for anybody outside."""
        away = await self._withheld(scope, outside)
        item = await self._keeper.held(scope, id)
        if id in away.items:
            raise NotFoundError("item", id)
        return (await self._as_shown(scope, [item], DIRECT, away))[0]

    async def find(
        self, fragment: str, *, user: str, outside: bool = False, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """The one item whose id starts or ends with a fragment of at least four characters."""
        scope = person(tenant, user)
        ids = await self._store.item_ids(scope, fragment.lower()) if len(fragment) >= 4 else []
        if len(ids) > 1:
            raise InvalidInputError(f"{fragment!r} fits several items; give more of the id", field="id")
        return await self._heard(scope, ids[0] if ids else fragment, outside)

    async def list(
        self,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        order: str = ItemOrder.NEWEST,
        limit: int = 50,
        after: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
        **wishes: Unpack[ItemWishes],
    ) -> Listing[KnowledgeItem]:
        """What is known, newest first; or the oldest, surest, unsure (the least sure) or last changed first."""
        scope = person(tenant, user)
        wanted = item_filter(self._now(), place_of(space, channel), **wishes)
        chosen = one(ItemOrder, order, "order")
        checked_limit(limit, self._policy.search.largest_page)
        start = cursor_from(after, chosen)
        away = await self._withheld(scope, outside)
        page = await self._store.page_items(
            scope, replace(wanted, without=away.items), order=chosen, after=start, limit=limit
        )
        if wanted.as_of or wanted.true_at:
            rows = [away.out_of(item) for item in page.rows]
        else:
            rows = await self._as_shown(scope, page.rows, wanted.asked_in, away)
        return Listing(replace(page, rows=tuple(rows)), chosen)

    async def validate(
        self,
        id: str,
        *,
        user: str,
        by: str | None = None,
        version: int | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> KnowledgeItem:
        """The person confirms an item: it grows surer, and no machine overwrites it from now on.

        An item that was merged since it was shown, here and in the verbs below: the one it was merged into is meant,
        and given back. `version`: a `StaleError` where the item is at another and was not just merged.
        """
        owner_only(by, user, "confirm")
        scope = person(tenant, user)
        return await self._keeper.validate(scope, id, self._policy.confidence, by, version=version)

    async def correct(
        self,
        id: str,
        content: str,
        *,
        user: str,
        why: str | None = None,
        by: str | None = None,
        version: int | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> KnowledgeItem:
        """Put a right item in the place of a wrong one; the wrong one is deleted and stays in its history.

        What another value has taken the place of stays history, in the right words.
        """
        owner_only(by, user, "correct")
        text = checked_text(content, "content")

        async def vectors_of(item: KnowledgeItem) -> _list[Vector] | None:
            return await self._vectors_of([item])

        return await self._keeper.correct(
            person(tenant, user),
            id,
            text,
            language=self._language_of(text),
            policy=self._policy.confidence,
            read=self._read_in,
            vectors_of=vectors_of,
            by=by,
            why=why,
            version=version,
        )

    async def delete(
        self,
        id: str,
        *,
        user: str,
        why: str | None = None,
        by: str | None = None,
        version: int | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> KnowledgeItem:
        """Hide an item at once; it stays in the audit trail and `restore` or `undo` brings it back."""
        scope, now = person(tenant, user), self._now()
        hidden = await self._keeper.change_item(
            scope, id, verb="delete", by=by, change=lambda item: deleted(item, now), why=why, version=version
        )
        await self._casework.clear(scope, [id, hidden.id])
        return hidden

    async def restore(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Show a deleted item again; when another value has taken its place, it is marked for the person to settle."""
        return await self._keeper.restore(person(tenant, user), id, by, version=version)

    async def archive(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Put an item away: no longer held, and brought back by `recover` or by a question it answers strongly."""
        scope = person(tenant, user)
        away = await self._keeper.archive(scope, id, by, version=version)
        await self._casework.clear(scope, [id, away.id])
        return away

    async def recover(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Take an item out of the archive; where another value has taken its place, the person is to settle it."""
        return await self._keeper.recover(person(tenant, user), id, by, version=version)

    async def keep_local(
        self,
        id: str,
        *,
        user: str,
        local: bool = True,
        by: str | None = None,
        version: int | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> KnowledgeItem:
        """Mark an item so that no model on another machine sees it or what it was learnt from, or take the mark off.

        Only the person may take it off.
        """
        if not local:
            owner_only(by, user, "let out")
        return await self._keeper.keep_local(person(tenant, user), id, local=local, by=by, version=version)

    async def history(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> History:
        """An item's line through time and every change recorded of it."""
        scope = person(tenant, user)
        item = await self._heard(scope, id, outside=False)
        before = await self._store.predecessors(scope, id)
        successor = await self._store.items(scope, [item.superseded_by]) if item.superseded_by else []
        trail = await self._store.trail(scope, Target.ITEM, id)
        return History(item, tuple(before), successor[0] if successor else None, tuple(trail))

    async def sources(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> _list[Message]:
        """The messages an item was learnt from, oldest first."""
        scope = person(tenant, user)
        item = await self._keeper.held(scope, id)
        return sorted(await self._store.messages(scope, item.message_ids), key=lambda row: (row.sent_at, row.id))

    async def related(self, id: str, *, user: str, limit: int = 5, tenant: str = DEFAULT_TENANT) -> _list[Hit]:
        """Items connected to one: those it names, then the nearest by meaning and words."""
        scope, now = person(tenant, user), self._now()
        checked_limit(limit, self._policy.search.largest_limit)
        item = await self._keeper.held(scope, id)
        named = [
            held
            for held in await self._store.items(scope, item.related)
            if held.is_current(now) and may_hear(held.place, item.place)
        ]
        wanted = ItemFilter(now=now, asked_in=item.place)
        hits = [unasked(held, self._policy.ranking) for held in named]
        if self._outside.embedder and id in (await self._withheld(scope, True)).items:
            return await self._shown_hits(scope, hits[:limit], wanted, NOTHING)
        asked = Inquiry(text=item_text(item), core=item_text(item))
        near = await self._finder.items(
            scope, asked, wanted, limit=limit, apart_from={id, *(held.id for held in named)}
        )
        return await self._shown_hits(scope, [*hits, *near][:limit], wanted, NOTHING)

    async def undo(
        self, id: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> _list[AuditEntry]:
        """Reverse a change, whole: by its id, or the last one of an item or conversation. The undo is recorded too."""
        scope = person(tenant, user)
        entries = await self._keeper.undo(scope, id, by)
        await self._casework.doubt_again(scope, {entry.target_id for entry in entries})
        return entries

    async def forget(
        self,
        *,
        user: str,
        item: str | None = None,
        conversation: str | None = None,
        all: bool = False,
        dry_run: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> Gone:
        """Remove for good one item, one conversation with what only it taught, or everything of a person.

        With `dry_run` nothing changes, and the receipt says what would go.
        """
        scope = person(tenant, user)
        if sum((item is not None, conversation is not None, all)) != 1:
            raise InvalidInputError("say what to forget: one item, one conversation, or all")
        if dry_run:
            return await self._gone(scope, item, conversation, dry_run=True)
        self._portrayed = {key: None for key in self._portrayed if key[0] != scope}
        for kind in Kind:
            self._read.pop((scope, kind), None)
            self._revived.pop((scope, kind), None)
        try:
            gone = await self._gone(scope, item, conversation, dry_run=False)
            if not all:
                await self._casework.calm(scope)
            return gone
        finally:
            await self._cache.clear()  # words of theirs may stand in what is kept for others they talked with

    async def _gone(self, scope: Scope, item: str | None, conversation: str | None, *, dry_run: bool) -> Gone:
        if item is not None:
            return await self._keeper.forget(scope, item, dry_run=dry_run)
        if conversation is not None:
            if await self._store.conversation(scope, conversation) is None:
                raise NotFoundError("conversation", conversation)
            return await self._store.forget_conversation(scope, conversation, dry_run=dry_run)
        return await self._store.forget_person(scope, dry_run=dry_run)

    # ── tools ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @staticmethod
    def tools(format: Literal["openai", "anthropic"] = "openai", language: str = "en") -> _list[dict[str, Any]]:
        """The three tools for an assistant, as OpenAI or Anthropic want them described."""
        from relembra.tools.schemas import tools

        return tools(format, language)

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        by: str = "model:assistant",
        language: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> dict[str, Any]:
        """Run one of the tools with the arguments a model gave; wrong ones are refused with what would be right."""
        from relembra.tools.answers import added, analyzed, found
        from relembra.tools.arguments import AddKnowledge, SearchKnowledge, parsed

        scope, place, now = person(tenant, user), place_of(space, channel), self._now()
        request = parsed(name, arguments, policy=self._policy.search)
        spoken = language or self._language
        if await self._refusal(tenant, user, place) is not None:
            raise InvalidInputError("nothing is remembered of this person or in this space", field="user")
        if isinstance(request, AddKnowledge):
            said = request.confidence >= self._policy.confidence.explicit_at_least
            draft = Draft(
                content=request.content,
                type=request.type,
                area=request.area,
                sub_area=request.sub_area,
                confidence=request.confidence,
                source=Source.CONVERSATION if said else Source.AI_INFERENCE,
            )
            item, learnt = await self._took(draft, scope, place, by, verb=LEARN, judge=self._reader)
            kept = (learnt.added or learnt.repeated)[0]
            private = (await self._withheld(scope, outside)).items
            told = item if kept.id in private and not learnt.added else kept  # in the words given, not those held
            ended = [row for row in learnt.ended if row.id not in private]
            return added(told, replaced=ended, language=spoken)
        away = await self._withheld(scope, outside)
        if isinstance(request, SearchKnowledge):
            wanted = ItemFilter(
                now=now,
                asked_in=place,
                types=() if request.type is None else (request.type,),
                areas=() if request.area is None else (request.area,),
                without=away.items,
            )
            inquiry = await self._inquiry(scope, request.query, without=away.items)
            hits = await self._finder.items(scope, inquiry, wanted, limit=request.limit)
            items = await self._as_shown(scope, [hit.item for hit in hits], place, away)
            return found(items, notes=await self._notes_of(scope, items, outside), language=spoken)
        wanted = ItemFilter(now=now, asked_in=place, areas=request.related_areas, without=away.items)
        inquiry = await self._inquiry(scope, request.current_topic, without=away.items)
        hits = await self._finder.items(scope, inquiry, wanted, limit=self._policy.search.tool_limit)
        related = await self._as_shown(scope, [hit.item for hit in hits], place, away)
        known = await self._current(scope, place, now, away)
        pending = await self._casework.page(
            scope, place=place, open_only=True, after=None, limit=PAGE, without=away.items
        )
        cases = [conflict.case for conflict in pending.rows]
        notes = await self._notes_of(scope, related, outside)
        return analyzed(request, related, known=known, cases=cases, notes=notes, language=spoken)

    async def command(
        self,
        text: str,
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        language: str | None = None,
        outside: bool = False,
        tenant: str = DEFAULT_TENANT,
    ) -> CommandAnswer | None:
        """The answer to a command in chat ("/lembrar …", "/forget …", "/perfil"); None where the text is none."""
        from relembra.tools.commands import answered

        keeps = await self._refusal(tenant, user, place_of(space, channel)) is None
        return await answered(
            self, text, user=user, space=space, channel=channel, language=language, keeps=keeps, outside=outside,
            tenant=tenant,
        )  # fmt: skip

    # ── upkeep ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def settle(self, *, flush: bool = False) -> int:
        """Finish all background work that is due now; how many jobs there were.

        With `flush` everybody's open buffers are noted and learnt from now, without waiting for quiet.
        """
        await (self._renewal or self._renew())
        if flush:
            await self._store.hasten(FLUSH, now=self._now())
        return await self._worker.run_due()

    async def retry(self) -> int:
        """Give up no more: let jobs that were given up be tried again; how many there were."""
        revived = await self._store.retry(now=self._now())
        self._worker.wake()
        return revived

    async def failed_jobs(self, *, within: str | None = None) -> _list[Job]:
        """Work that was tried and is not done, among the thousand pieces due first; the `error` of each says why.

        Everybody's, or one tenant's.
        """
        jobs = await self._store.jobs(tenant=within, limit=LOOKED_AT_JOBS)
        return [job for job in jobs if job.error is not None and job.state is not JobState.RUNNING]

    async def reindex(self, progress: Progress | None = None) -> int:
        """Give every row a vector of the embedder in use; may be interrupted and goes on where it stopped."""
        return await reindex(self._store, self._embedder, progress, embeds_outside=self._outside.embedder)

    async def other_models(self) -> _list[str]:
        """Models other than the one in use that left vectors here, which `reindex` would replace."""
        return [name for name in await self._store.model_names() if name != self._embedder.name]

    async def missing_vectors(self) -> int:
        """How many rows have no vector of the embedder in use, which `reindex` would give them. Counts everything."""
        stats = await self._store.stats()
        rows = stats.messages + stats.notes + sum(stats.items.values())
        return max(0, rows - (await self._store.models()).get(self._embedder.name, 0))

    async def verify(self) -> Verification:
        """Check that rows, text index and vectors agree."""
        return await self._store.verify()

    async def stats(self, *, user: str | None = None, tenant: str = DEFAULT_TENANT) -> Stats:
        """How much is held, of one person or of everybody."""
        return await self._store.stats(None if user is None else person(tenant, user))

    async def backup(self, target: str | Path) -> int:
        """Write a consistent copy while in use; its size in bytes."""
        return await self._store.backup(Path(target))

    def start(self) -> None:
        """Do queued work in the background from now on, and embed anew what another version of the model embedded."""
        self._worker.start()
        if self._backups is not None:
            self._backing_up = asyncio.create_task(self._backups.keep(), name="relembra-backups")
        self._renewal = asyncio.create_task(self._renew(), name="relembra-renewal")

    async def _renew(self) -> None:
        """After a new version of the model: reindex. Another model altogether may be a trial, so it is only told."""
        try:
            others = await self.other_models()
            if not others:
                return
            if any(family_of(name) != family_of(self._embedder.name) for name in others):
                log.warning("vectors of %s are not compared with %s; reindex embeds anew", others, self._embedder.name)
                return
            log.warning("vectors of %s are replaced by those of %s", others, self._embedder.name)
            await self.reindex()
        except RelembraError as exc:
            log.warning("embedding anew stopped and goes on at the next start: %s", type(exc).__name__)

    async def close(self) -> None:
        """Finish the batch at hand and let go; what is left stays queued for the next start."""
        try:
            behind = [task for task in (self._renewal, self._backing_up) if task is not None]
            for task in behind:
                task.cancel()
            await asyncio.gather(*behind, return_exceptions=True)
            await self._worker.stop()
            self._portrayed.clear()
            await self._small_work()
        except StoreReadOnlyError:
            log.debug("accesses are not counted in a memory that is only read")
        except RelembraError as exc:
            log.warning("the last access counts were lost: %s", type(exc).__name__)
        finally:
            await self._reader.close()
            await self._offline.close()
            await self._night.close()
            await self._offline_night.close()
            await self._embedder.close()
            await self._cache.close()
            await self._store.close()

    # ── inside ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _summarise_later(self, scope: Scope, place: Place, conversation: str) -> None:
        """Leave the renewal of a working summary, which is a view: were it lost, the next one would make up for it."""
        payload = {"space": place.space, "channel": place.channel, "name": conversation}
        shelf = shelf_of(scope, place)
        job = job_now(SUMMARISE, shelf, payload, id=self._new_id(), now=self._now())
        await self._store.apply(shelf, [Enqueue(job)])

    def _note_learnt(self, scope: Scope, learnt: Learnt) -> None:
        """Tell whoever waits for it what was learnt."""
        for told in self._told_to:
            told.append((scope, learnt))

    async def _small_work(self) -> None:
        """What follows answers and never holds one up: access counts, and that questions were put."""
        for scope in {scope for scope, _ in self._asked}:
            await self._mark_asked(scope)
        await self._count_matching()
        await self._revive()
        await self._portray_anew()
        await self._count_reads()
        await self._note_uses()
        await self._purge_replies()

    async def _mark_asked(self, scope: Scope) -> None:
        """Note which questions were put to a person, before an answer is looked for in what they say."""
        for key in [key for key in self._asked if key[0] == scope]:
            if (at := self._asked.pop(key, None)) is not None:
                await self._casework.mark_asked(scope, key[1], at)

    async def _count_reads(self) -> None:
        """Write the access counts gathered since; they follow answers and never hold one up."""
        read, self._read = self._read, {}
        for (scope, kind), ids in read.items():
            touch = TouchItems if kind is Kind.ITEM else TouchNotes
            await self._store.apply(scope, [touch(tuple(sorted(ids)), self._now())])

    async def _count_matching(self) -> None:
        """Count what a model was asked to compare questions with what was found."""
        spent, self._finder.spent = self._finder.spent, {}
        for scope, uses in spent.items():
            if not uses:
                continue
            [stamp] = await self._store.stamps([scope])
            if stamp.said:  # whoever was forgotten since is not written down again for having been asked about
                counted = [CountUse.of(one, self._now()) for one in uses]
                try:
                    await self._store.apply(scope, [ExpectStamp(stamp), *counted])
                except StaleError:
                    self._finder.spent.setdefault(scope, []).extend(uses)  # the next time

    async def _revive(self) -> None:
        """Bring back what a recall found in the archive."""
        revived, self._revived = self._revived, {}
        for (scope, kind), ids in revived.items():
            recover = self._keeper.recover if kind is Kind.ITEM else self._keeper.recover_note
            for id in sorted(ids):
                try:
                    await recover(scope, id, RECALL)
                except (NotFoundError, StaleError, ConflictError):
                    continue  # somebody else was quicker
