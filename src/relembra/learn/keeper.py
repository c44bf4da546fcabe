"""Keeping: read, decide, store and record as one change, again when somebody was quicker."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar

from relembra.domain.audit import Actor, ActorKind, AuditEntry, Target
from relembra.domain.changes import corrected, restored
from relembra.domain.jobs import INDEX, Job
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation
from relembra.domain.moment import Clock
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Scope, reaches
from relembra.errors import ConflictError, NotFoundError, ProtectedError, StaleError
from relembra.learn.supersession import follows_a_rule, settle
from relembra.learn.trail import Change, last_reversible, reversed_row, visibility
from relembra.minds.port import Vector
from relembra.store.port import Enqueue, ItemFilter, Kind, Op, PutVector, Store

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)  # due whatever the clock says, also when it goes back
MOST_ATTEMPTS = 5

log = logging.getLogger(__name__)

T = TypeVar("T")


class Keeper:
    """Changes what is held, never without a record, never over a change it has not seen."""

    def __init__(self, store: Store, *, model: str, clock: Clock, new_id: Callable[[], str]) -> None:
        self._store = store
        self._model = model
        self._clock = clock
        self._new_id = new_id

    async def held(self, scope: Scope, id: str) -> KnowledgeItem:
        """The item, or `NotFoundError`."""
        found = await self._store.items(scope, [id])
        if not found:
            raise NotFoundError("item", id)
        return found[0]

    def later(self, scope: Scope, kind: Kind, ids: Sequence[str]) -> Enqueue:
        """Work to index rows, due at once."""
        payload = {"kind": kind, "ids": list(ids)}
        return Enqueue(
            Job(id=self._new_id(), scope=scope, kind=INDEX, payload=payload, due_at=AT_ONCE, created_at=self._clock())
        )

    async def add(
        self, scope: Scope, batch: Sequence[KnowledgeItem], vectors: Sequence[Vector] | None, by: str | None
    ) -> list[KnowledgeItem]:
        """Store a batch, all or none, ending what its values replace; each item is a change of its own to undo."""

        async def decide() -> list[KnowledgeItem]:
            ops: list[Op] = []
            stored: dict[str, KnowledgeItem] = {}
            for item in batch:
                change = self._change(scope, "add", by)
                held = await self._rivals(scope, item, stored) if follows_a_rule(item.attribute) else {}
                settled = settle(item, list(held.values()), self._clock())
                change.put(settled.item, None, entry_id=self._new_id())
                for ended in settled.ended:
                    change.put(ended, held[ended.id], entry_id=self._new_id(), verb="supersede", why=settled.why)
                stored |= {row.id: row for row in (settled.item, *settled.ended)}
                ops += change.ops
            ids = [item.id for item in batch]
            await self._store.apply(scope, [*ops, *self._embedding(scope, ids, vectors)])
            return [stored[id] for id in ids]

        return await self._deciding(decide)

    async def restore(self, scope: Scope, id: str, by: str | None) -> KnowledgeItem:
        """Show a deleted item again; when another value has taken its place meanwhile, the person is to say which."""

        async def decide() -> KnowledgeItem:
            before = await self.held(scope, id)
            self._respect(before, scope, by)
            after = restored(before, self._clock())
            if after is not before:
                if follows_a_rule(after.attribute) and after.superseded_at is None:
                    rivals = await self._rivals(scope, after, {})
                    after = replace(after, needs_resolution=after.needs_resolution or bool(rivals))
                change = self._change(scope, "restore", by)
                change.put(after, before, entry_id=self._new_id())
                await self._store.apply(scope, change.ops)
            return after

        return await self._deciding(decide)

    async def change_item(
        self,
        scope: Scope,
        id: str,
        *,
        verb: str,
        by: str | None,
        change: Callable[[KnowledgeItem], KnowledgeItem],
        why: str | None = None,
    ) -> KnowledgeItem:
        """Change one item; when nothing changes, nothing is recorded."""

        async def decide() -> KnowledgeItem:
            before = await self.held(scope, id)
            after = change(before)
            self._respect(before, scope, by)
            if after is not before:
                recorded = self._change(scope, verb, by, why)
                recorded.put(after, before, entry_id=self._new_id())
                await self._store.apply(scope, recorded.ops)
            return after

        return await self._deciding(decide)

    async def correct(
        self,
        scope: Scope,
        id: str,
        content: str,
        *,
        language: str | None,
        policy: ConfidencePolicy,
        vectors_of: Callable[[KnowledgeItem], Awaitable[Sequence[Vector] | None]],
        by: str | None,
        why: str | None,
    ) -> KnowledgeItem:
        """Put a right item in the place of a wrong one, as one change."""

        async def decide() -> KnowledgeItem:
            item = await self.held(scope, id)
            self._respect(item, scope, by)
            if item.superseded_at is not None:
                raise ConflictError(f"item {id} was already replaced by {item.superseded_by}; correct that one")
            wrong, right = corrected(item, content, new_id=self._new_id(), now=self._clock(), policy=policy)
            right = replace(right, language=language or right.language)
            change = self._change(scope, "correct", by, why)
            change.put(right, None, entry_id=self._new_id())
            change.put(wrong, item, entry_id=self._new_id())
            vectors = await vectors_of(right)
            await self._store.apply(scope, [*change.ops, *self._embedding(scope, [right.id], vectors)])
            return right

        return await self._deciding(decide)

    async def start_conversation(self, conversation: Conversation, by: str | None) -> None:
        """Store a new conversation; an id in use is a `ConflictError`."""
        change = self._change(conversation.scope, "start", by)
        change.put(conversation, None, entry_id=self._new_id())
        await self._store.apply(conversation.scope, change.ops)

    async def change_conversation(
        self, scope: Scope, id: str, *, verb: str, by: str | None, change: Callable[[Conversation], Conversation]
    ) -> Conversation:
        """Change one conversation that is not deleted; its messages hide or show with it."""

        async def decide() -> Conversation:
            before = await self._store.conversation(scope, id)
            if before is None or before.deleted_at is not None:
                raise NotFoundError("conversation", id)
            after = replace(change(before), updated_at=self._clock(), version=before.version + 1)
            recorded = self._change(scope, verb, by)
            recorded.put(after, before, entry_id=self._new_id())
            await self._store.apply(scope, [*recorded.ops, *visibility(before, after)])
            return after

        return await self._deciding(decide)

    async def undo(self, scope: Scope, id: str, by: str | None) -> list[AuditEntry]:
        """Reverse the change an id stands for, whole; the entries that were reversed."""

        async def decide() -> list[AuditEntry]:
            entries = await self._reversible(scope, id)
            change = self._change(scope, "undo", by, undoes=entries[0].change)
            shown: list[Op] = []
            for entry in reversed(entries):
                current = await self._row(scope, entry)
                if isinstance(current, KnowledgeItem):
                    self._respect(current, scope, by)
                earlier = reversed_row(entry, current, self._clock())
                change.put(earlier, current, entry_id=self._new_id())
                if isinstance(current, Conversation) and isinstance(earlier, Conversation):
                    shown += visibility(current, earlier)
            await self._store.apply(scope, [*change.ops, *shown])
            return entries

        return await self._deciding(decide)

    def _respect(self, item: KnowledgeItem, scope: Scope, by: str | None) -> None:
        """Refuse a machine's change of what the person confirmed."""
        actor = Actor.of(by, scope.user)
        if item.validated and actor.kind is not ActorKind.PERSON:
            raise ProtectedError(f"item {item.id} was confirmed by its person; {actor} may not change it")

    def _change(
        self, scope: Scope, verb: str, by: str | None, why: str | None = None, undoes: str | None = None
    ) -> Change:
        actor = Actor.of(by, scope.user)
        return Change(scope, id=self._new_id(), verb=verb, actor=actor, at=self._clock(), why=why, undoes=undoes)

    def _embedding(self, scope: Scope, ids: Sequence[str], vectors: Sequence[Vector] | None) -> list[Op]:
        """The rows' vectors, or a job for them when the embedder could not answer."""
        if vectors is None:
            return [self.later(scope, Kind.ITEM, ids)]
        return [PutVector(Kind.ITEM, id, self._model, vector) for id, vector in zip(ids, vectors, strict=True)]

    async def _rivals(
        self, scope: Scope, item: KnowledgeItem, stored: Mapping[str, KnowledgeItem]
    ) -> dict[str, KnowledgeItem]:
        """What is currently held of the same subject and attribute, in the store and in the batch at hand."""
        now = self._clock()
        wanted = ItemFilter(now=now, subject=item.subject, attribute=item.attribute)
        page = await self._store.page_items(scope, wanted, limit=100)
        rows = {row.id: row for row in page.rows} | {
            row.id: row for row in stored.values() if (row.subject, row.attribute) == (item.subject, item.attribute)
        }
        return {id: row for id, row in rows.items() if row.is_current(now) and reaches(item.place, row.place)}

    async def _row(self, scope: Scope, entry: AuditEntry) -> KnowledgeItem | Conversation | None:
        if entry.target is Target.CONVERSATION:
            return await self._store.conversation(scope, entry.target_id)
        found = await self._store.items(scope, [entry.target_id])
        return found[0] if found else None

    async def _reversible(self, scope: Scope, id: str) -> list[AuditEntry]:
        """The entries of the change an id stands for: its own, or the last of an item or conversation."""
        entries = await self._store.change(scope, id)
        if entries:
            return entries
        for target in (Target.ITEM, Target.CONVERSATION):
            trail = await self._store.trail(scope, target, id)
            if trail:
                last = last_reversible(trail)
                if last is None:
                    raise ConflictError(f"every change of {target} {id} is undone already")
                return await self._store.change(scope, last.change)
        raise NotFoundError("change, item or conversation", id)

    async def _deciding(self, decide: Callable[[], Awaitable[T]]) -> T:
        """Take a decision again when what it was based on changed meanwhile."""
        for _ in range(MOST_ATTEMPTS - 1):
            try:
                return await decide()
            except StaleError:
                log.debug("deciding again: the row changed meanwhile")
        return await decide()
