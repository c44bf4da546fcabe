"""Knowledge items: adding, reading, correcting and undoing them, and watching them change."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Unpack

from relembra.domain.audit import Actor, AuditEntry, Target, archived, deleted, kept_local, owner_only, restored
from relembra.domain.jobs import CONSOLIDATE
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Message
from relembra.domain.scope import DEFAULT_TENANT, DIRECT, Place, Scope, may_hear, person
from relembra.domain.searchable import Inquiry, item_text
from relembra.domain.text import checked_text, one
from relembra.errors import NotFoundError
from relembra.ingest.intake import place_of
from relembra.learn.decisions import Repeat
from relembra.learn.drafts import Draft, DraftParts, understood, worded
from relembra.learn.keeper import KEEP_LOCAL
from relembra.learn.learner import Learnt, Proposal
from relembra.minds.port import Reader, Vector
from relembra.night.worker import Worker
from relembra.recall.query import ItemWishes, Listing, checked_limit, cursor_from, item_filter
from relembra.recall.ranking import Hit, unasked
from relembra.services import Part, Services, whole_id
from relembra.store.port import NOTHING, ItemFilter, ItemOrder
from relembra.visibility import Visibility

log = logging.getLogger(__name__)

BULK = 256
LOOKED_EVERY_SECONDS = 0.25
TOLD_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class History:
    """An item's line through time: what it replaced (oldest first), what replaced it, and every recorded change."""

    item: KnowledgeItem
    predecessors: tuple[KnowledgeItem, ...]
    successor: KnowledgeItem | None
    trail: tuple[AuditEntry, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """Something that was recorded of a person, under a number to go on after."""

    number: int
    entry: AuditEntry
    item: KnowledgeItem | None  # as it is now, where the entry is about an item that is still there


class Items(Part):
    """What is known, item by item."""

    def __init__(self, services: Services, visibility: Visibility, worker: Worker) -> None:
        super().__init__(services)
        self._visibility = visibility
        self._worker = worker

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
        item, learnt = await self.take(draft, scope, place, by, verb="add", judge=self._offline)
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

    async def take(
        self, draft: Draft, scope: Scope, place: Place, by: str | None, *, verb: str, judge: Reader
    ) -> tuple[KnowledgeItem, Learnt]:
        """Read what was given and decide about it as about what is said; the item, and what came of it."""
        actor = Actor.of(by, scope.user)
        item = self._worded(draft, scope, place, actor)
        read = await self._learner.said_in(item)
        item = self._learner.by_topic(understood(item, draft, read))
        vectors = await self._vectors_of([item])
        changed = read is not None and read.changed and item.attribute == read.attribute
        said_at = None if draft.held_from else item.created_at
        learnt = await self._learner.take(
            scope,
            [Proposal(item, changed, said_at, vector=vectors[0] if vectors else None)],
            actor=actor,
            judge=judge,
            verb=verb,
            finish=[self._listening.tonight(CONSOLIDATE, scope, item.zone, item.held_from)],
        )
        await self._casework.clear(scope, [row.id for row in learnt.ended])
        return item, learnt

    async def add_many(
        self,
        drafts: Iterable[Draft],
        *,
        user: str,
        space: str | None = None,
        channel: str | None = None,
        by: str | None = None,
        tenant: str = DEFAULT_TENANT,
    ) -> list[KnowledgeItem]:
        """Make many things known, some hundred to a transaction; each batch is kept whole or not at all."""
        scope, place = person(tenant, user), place_of(space, channel)
        actor = Actor.of(by, user)
        items = [self._learner.by_topic(self._worded(draft, scope, place, actor)) for draft in drafts]
        added: list[KnowledgeItem] = []
        for start in range(0, len(items), BULK):
            batch = items[start : start + BULK]
            vectors = await self._vectors_of(batch)
            first = batch[0]
            tonight = self._listening.tonight(CONSOLIDATE, scope, first.zone, first.held_from)
            added += await self._keeper.add(scope, batch, vectors, by, beside=[tonight])
        self._worker.wake()  # what is kept ready of this person is made anew behind it
        return added

    async def _vectors_of(self, items: list[KnowledgeItem]) -> list[Vector] | None:
        """The items' vectors; None where they are to be made later, or never, since one may not leave this machine."""
        if self._outside.embedder and any(item.local_only for item in items):
            return None
        return await self._finder.vectors([item_text(item) for item in items])

    def _worded(self, draft: Draft, scope: Scope, place: Place, actor: Actor) -> KnowledgeItem:
        return worded(
            draft, id=self._new_id(), scope=scope, place=place, zoned_now=self._clock(), actor=actor,
            policy=self._policy.confidence, language_of=self._language_of,
        )  # fmt: skip

    async def get(self, id: str, *, user: str, outside: bool = False, tenant: str = DEFAULT_TENANT) -> KnowledgeItem:
        """One item, deleted or superseded ones too."""
        return await self._heard(person(tenant, user), id, outside)

    async def _heard(self, scope: Scope, id: str, outside: bool) -> KnowledgeItem:
        """An item as the caller may see it; what is local-only is not found from outside."""
        away = await self._visibility.withheld(scope, outside)
        item = await self._keeper.held(scope, id)
        if id in away.items:
            raise NotFoundError("item", id)
        return (await self._visibility.as_shown(scope, [item], DIRECT, away))[0]

    async def find(
        self, fragment: str, *, user: str, outside: bool = False, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """The one item whose id starts or ends with a fragment of at least four characters."""
        scope = person(tenant, user)
        id = await whole_id(fragment, partial(self._store.ids_like, scope, KnowledgeItem), "items")
        return await self._heard(scope, id, outside)

    async def page(
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
        away = await self._visibility.withheld(scope, outside)
        page = await self._store.page(
            scope, replace(replace(wanted, without=away.items), order=chosen), after=start, limit=limit
        )
        if wanted.as_of or wanted.true_at:
            rows = [away.out_of(item) for item in page.rows]
        else:
            rows = await self._visibility.as_shown(scope, page.rows, wanted.asked_in, away)
        return Listing(replace(page, rows=tuple(rows)), chosen)

    async def validate(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
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

        async def vectors_of(item: KnowledgeItem) -> list[Vector] | None:
            return await self._vectors_of([item])

        return await self._keeper.correct(
            person(tenant, user),
            id,
            text,
            language=self._language_of(text),
            policy=self._policy.confidence,
            read=self._learner.said_in,
            by_topic=self._learner.by_topic,
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
        scope = person(tenant, user)
        hidden = await self._keeper.change_item(
            scope, id, verb="delete", by=by, change=deleted, why=why, version=version
        )
        await self._casework.clear(scope, [id, hidden.id])
        return hidden

    async def restore(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Show a deleted item again; when another value has taken its place, it is marked for the person to settle."""
        scope = person(tenant, user)
        return await self._keeper.change_item(scope, id, verb="restore", by=by, change=restored, version=version)

    async def archive(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Put an item away: no longer held, and brought back by `recover` or by a question it answers strongly."""
        scope = person(tenant, user)
        away = await self._keeper.change_item(
            scope, id, verb="archive", by=by, change=archived, brief=True, version=version
        )
        await self._casework.clear(scope, [id, away.id])
        return away

    async def recover(
        self, id: str, *, user: str, by: str | None = None, version: int | None = None, tenant: str = DEFAULT_TENANT
    ) -> KnowledgeItem:
        """Take an item out of the archive; where another value has taken its place, the person is to settle it."""
        return await self._keeper.recover(person(tenant, user), id, by, version)

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
        return await self._keeper.change_item(
            person(tenant, user),
            id,
            verb=KEEP_LOCAL if local else "let_out",
            by=by,
            change=lambda item, now: kept_local(item, local, now),
            brief=True,
            version=version,
        )

    async def history(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> History:
        """An item's line through time and every change recorded of it."""
        scope = person(tenant, user)
        item = await self._heard(scope, id, outside=False)
        before = await self._store.predecessors(scope, id)
        successor = await self._store.get(scope, KnowledgeItem, [item.superseded_by]) if item.superseded_by else []
        trail = await self._store.trail(scope, Target.ITEM, id)
        return History(item, tuple(before), successor[0] if successor else None, tuple(trail))

    async def sources(self, id: str, *, user: str, tenant: str = DEFAULT_TENANT) -> list[Message]:
        """The messages an item was learnt from, oldest first."""
        scope = person(tenant, user)
        item = await self._keeper.held(scope, id)
        return sorted(await self._store.get(scope, Message, item.message_ids), key=lambda row: (row.sent_at, row.id))

    async def related(self, id: str, *, user: str, limit: int = 5, tenant: str = DEFAULT_TENANT) -> list[Hit]:
        """Items connected to one: those it names, then the nearest by meaning and words."""
        scope, now = person(tenant, user), self._now()
        checked_limit(limit, self._policy.search.largest_limit)
        item = await self._keeper.held(scope, id)
        named = [
            held
            for held in await self._store.get(scope, KnowledgeItem, item.related)
            if held.is_current(now) and may_hear(held.place, item.place)
        ]
        wanted = ItemFilter(now=now, asked_in=item.place)
        hits = [unasked(held, self._policy.ranking) for held in named]
        if self._outside.embedder and id in (await self._visibility.withheld(scope, True)).items:
            return await self._visibility.shown_hits(scope, hits[:limit], wanted, NOTHING)
        asked = Inquiry(text=item_text(item), core=item_text(item))
        near = await self._finder.items(
            scope, asked, wanted, limit=limit, apart_from={id, *(held.id for held in named)}
        )
        return await self._visibility.shown_hits(scope, [*hits, *near][:limit], wanted, NOTHING)

    async def undo(
        self, id: str, *, user: str, by: str | None = None, tenant: str = DEFAULT_TENANT
    ) -> list[AuditEntry]:
        """Reverse a change, whole: by its id, or the last one of an item or conversation. The undo is recorded too."""
        scope = person(tenant, user)
        entries = await self._keeper.undo(scope, id, by)
        await self._casework.doubt_again(scope, {entry.target_id for entry in entries})
        return entries

    async def watch(
        self, *, user: str, after: int | None = None, every: float = LOOKED_EVERY_SECONDS, tenant: str = DEFAULT_TENANT
    ) -> AsyncGenerator[Told, None]:
        """What is learnt and changed of a person, as it is recorded, by whatever program; it goes on until closed.

        `after`: the number of what was told last, to miss nothing; without it, from now on. `every`: how many seconds
        lie between two looks. Reading leaves no record, and is not told.
        """
        scope = person(tenant, user)
        number = await self._store.last_entry(scope) if after is None else after
        seen = None
        while True:
            stamps = await self._store.stamps([scope])
            if stamps == seen:
                await asyncio.sleep(every)
                continue
            seen = stamps
            while page := await self._store.page_trail(scope, after=number, limit=TOLD_AT_ONCE):
                ids = [entry.target_id for _, entry in page if entry.target is Target.ITEM]
                items = {item.id: item for item in await self._store.get(scope, KnowledgeItem, ids)}
                for number, entry in page:
                    yield Told(number, entry, items.get(entry.target_id) if entry.target is Target.ITEM else None)
