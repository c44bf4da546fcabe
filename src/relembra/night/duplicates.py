"""Finding the items of a memory that say the same thing, and making one of each.

Rules are tried on items sorted by what they could share (the same words, the same value, the same plain state); a mind
is asked about those whose vectors lie near.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from functools import partial
from itertools import pairwise

from relembra.domain.audit import Target
from relembra.domain.candidate import Comparison
from relembra.domain.case import implied, state
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text
from relembra.domain.text import fold
from relembra.errors import MindError
from relembra.learn.trail import Change
from relembra.learn.values import words_of
from relembra.minds.port import Vector
from relembra.night.merges import (
    UNMERGED,
    Merge,
    Same,
    Standing,
    content_key,
    gathered,
    grouped,
    may_mean_the_same,
    mouth,
    same_thing,
    standing,
    still_same,
    type_class,
)  # fmt: skip
from relembra.night.task import Task, batches
from relembra.store.port import CaseFilter, ItemFilter, Kind, Op, all_rows, pages

PAGE = 1_000
ASKED_AT_ONCE = 64
MOST_ASKED = 5_000  # pairs put to a mind in one go, the nearest first
MOST_LOOKED_AT = 5_000  # items whose neighbours are looked for in one go, the newest
AT_A_STRETCH = 50  # rows or pairs looked at before others have their turn: a server answers meanwhile
STATES_TRIED = 3  # items of the wider state each one of a narrower is tried with

log = logging.getLogger(__name__)

Pair = tuple[str, str]
Group = tuple[str, str, str, str]
"""Subject, space, mouth and class of type: items of two groups are never one."""


class _Sorted:
    """A memory sorted by what its items could share, without the items themselves."""

    def __init__(self) -> None:
        self._alike: dict[tuple[object, ...], list[tuple[datetime, Standing]]] = defaultdict(list)
        self._states: dict[Group, dict[str, list[Standing]]] = defaultdict(lambda: defaultdict(list))

    def add(self, item: KnowledgeItem) -> None:
        group: Group = (fold(item.subject), item.place.space or "", mouth(item), type_class(item))
        day = item.held_from.date() if item.type is KnowledgeType.MEMORY else None  # events of one day may be one
        held = (item.held_from, standing(item))
        self._alike[group, day, content_key(item)].append(held)
        if item.attribute is not None and item.value is not None:
            self._alike[group, item.attribute, words_of(item.value)].append(held)
        if (told := state(item)) is not None:
            self._states[group][told].append(held[1])

    def pairs(self) -> Iterator[Pair]:
        """Pairs that rules may find to be one: each with the first and the one before it, so as many as there are."""
        for alike in self._alike.values():
            first = min(one for _, one in alike)[-1]
            ordered = [one[-1] for _, one in sorted(alike, key=lambda row: (row[0], row[1][-1]))]
            yield from ((first, id) for id in ordered if id != first)
            yield from pairwise(ordered)
        for states in self._states.values():
            ids = {told: [one[-1] for one in sorted(alike)] for told, alike in states.items()}
            for told, rows in ids.items():
                yield from ((rows[0], row) for row in rows[1:])
                for narrower in sorted(implied(told) & ids.keys()):
                    yield from ((wide, row) for wide in rows[:STATES_TRIED] for row in ids[narrower])


class Merger(Task):
    """Finds what says the same thing. It changes nothing by itself: `write` puts merges into a change."""

    async def near(self, scope: Scope, ids: Sequence[str]) -> list[Merge]:
        """Duplicates of these items among all that is held; the cost is theirs and the store's search for each."""
        now, garden = self._clock(), self._policy.garden
        asked = await self._in_question(scope)
        held = await self._store.get(scope, KnowledgeItem, ids)
        items = {item.id: item for item in held if _may_merge(item, now) and item.id not in asked}
        vectors = await self._stored_vectors(scope, list(items))
        try:
            vectors |= await self._embedded([item for id, item in items.items() if id not in vectors])
        except MindError as exc:
            log.warning("%d items are not looked for by meaning: %s", len(items) - len(vectors), type(exc).__name__)
        near = await self._nearest(scope, vectors, min(self._policy.learn.near_at_least, garden.near_at_least))
        rows = await self._rows(scope, near, items)
        rows = {id: row for id, row in rows.items() if _may_merge(row, now) and id not in asked}
        near_enough = {pair for pair, cosine in near.items() if cosine >= garden.near_at_least}
        pairs, _ = await self._same(rows, sorted(near), near_enough)
        return await self._apart(scope, grouped(pairs))

    async def everywhere(
        self, scope: Scope, *, now: datetime | None = None, since: datetime | None = None
    ) -> list[Merge]:
        """Duplicates among all that is held of a scope, in the order of the ids that stay.

        `since`: what has not changed from then on was compared by its meaning before.
        """
        now = now or self._clock()
        memory, asked, held, new = _Sorted(), await self._in_question(scope), set[str](), list[str]()
        async for rows in pages(partial(self._store.page, scope, ItemFilter(now=now)), limit=PAGE):
            for number, item in enumerate(rows):
                if number % AT_A_STRETCH == 0:
                    await asyncio.sleep(0)
                if _may_merge(item, now) and item.id not in asked:
                    memory.add(item)
                    held.add(item.id)
                    if since is None or item.updated_at > since:
                        new.append(item.id)
        same: list[Same] = []
        for some in batches(sorted({_pair(*pair) for pair in memory.pairs()}), PAGE):
            same += (await self._same(await self._rows(scope, some), some))[0]
        near: dict[Pair, float] = {}
        for page in batches(new[:MOST_LOOKED_AT], PAGE):
            vectors = await self._stored_vectors(scope, page)
            near |= await self._nearest(scope, vectors, self._policy.garden.near_at_least)
        known = {_pair(old.id, new.id) for old, new, _ in same}
        room = MOST_ASKED
        nearest = sorted(near, key=lambda pair: (-near[pair], pair))
        for some in batches([pair for pair in nearest if pair not in known and held.issuperset(pair)], PAGE):
            more, asked_about = await self._same(await self._rows(scope, some), some, set(some), most=room)
            room -= asked_about
            same += more
            if room <= 0:
                break
        return await self._apart(scope, grouped(same))

    async def renewed(self, scope: Scope, merges: Sequence[Merge]) -> list[Merge]:
        """The merges over rows as they are now, without those that do not hold any more or are done."""
        ids = list(dict.fromkeys(id for merge in merges for id in merge.ids))
        asked = await self._in_question(scope)
        rows = {row.id: row for row in await self._store.get(scope, KnowledgeItem, ids) if row.id not in asked}
        return still_same(merges, rows, self._clock(), self._policy.garden)

    def write(self, change: Change, merges: Sequence[Merge], scope: Scope) -> list[Op]:
        """Put merges into a change, each row once; what is to be done beside it, for rows with other words now."""
        now = self._clock()
        other_words: list[str] = []
        for merge in merges:
            kept, ended = gathered(merge, now)
            if kept is not merge.keep:
                change.put(kept, merge.keep, verb="merge", why=merge.why, brief=True)
                if item_text(kept) != item_text(merge.keep):
                    other_words.append(kept.id)
            for past, other, why in zip(ended, merge.others, merge.whys, strict=True):
                change.put(past, other, verb="merge", why=why.text, brief=True)
        return self._index(scope, Kind.ITEM, other_words)

    # ── finding pairs ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _nearest(self, scope: Scope, vectors: Mapping[str, Vector], at_least: float) -> dict[Pair, float]:
        """Pairs of items with others whose vectors lie near, in one look, and their cosines."""
        found = await self._store.nearest(
            scope, Kind.ITEM, self._embedder.name, list(vectors.values()),
            limit=4 * self._policy.garden.compared, at_least=at_least,
        )  # fmt: skip
        return {
            _pair(id, other): cosine
            for id, hits in zip(vectors, found, strict=True)
            for other, cosine in hits
            if other != id
        }

    async def _stored_vectors(self, scope: Scope, ids: Sequence[str]) -> dict[str, Vector]:
        found = await self._store.vectors(scope, Kind.ITEM, self._embedder.name, [(id, 0) for id in ids])
        return {id: vector for (id, _), vector in found.items()}

    async def _embedded(self, items: Sequence[KnowledgeItem]) -> dict[str, Vector]:
        """The vectors of those items that may be embedded, made now."""
        items = [item for item in items if not (item.local_only and self._embeds_outside)]
        vectors = await self._embedder.embed([item_text(item) for item in items]) if items else []
        return {item.id: vector for item, vector in zip(items, vectors, strict=True)}

    # ── judging them ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _rows(
        self, scope: Scope, pairs: Iterable[Pair], known: Mapping[str, KnowledgeItem] | None = None
    ) -> dict[str, KnowledgeItem]:
        rows = dict(known or {})
        unread = sorted({id for pair in pairs for id in pair if id not in rows})
        return rows | {row.id: row for row in await self._store.get(scope, KnowledgeItem, unread)}

    async def _same(
        self,
        rows: Mapping[str, KnowledgeItem],
        pairs: Sequence[Pair],
        near: Set[Pair] = frozenset(),
        most: int = MOST_ASKED,
    ) -> tuple[list[Same], int]:
        """Which pairs are one: by rules, and of the near ones by asking a mind; and how many it was asked about."""
        garden, same = self._policy.garden, []
        open_pairs: list[tuple[KnowledgeItem, KnowledgeItem]] = []
        for number, pair in enumerate(pairs, start=1):
            if number % AT_A_STRETCH == 0:
                await asyncio.sleep(0)
            if pair[0] not in rows or pair[1] not in rows:
                continue
            old, new = sorted((rows[pair[0]], rows[pair[1]]), key=lambda row: (row.created_at, row.id))
            why = same_thing(old, new, None, policy=garden)
            if why is not None:
                same.append((old, new, why))
            elif pair in near and may_mean_the_same(old, new):
                open_pairs.append((old, new))
        open_pairs = open_pairs[:most]
        for (old, new), comparison in zip(open_pairs, await self._compared(open_pairs), strict=False):
            why = same_thing(old, new, comparison, policy=garden)
            if why is not None:
                same.append((old, new, why))
        return same, len(open_pairs)

    async def _compared(self, pairs: Sequence[tuple[KnowledgeItem, KnowledgeItem]]) -> list[Comparison]:
        """What a mind says of pairs, the older first; of none any more once it cannot answer."""
        compared: list[Comparison] = []
        try:
            for some in batches(pairs, ASKED_AT_ONCE):
                compared += await self._reader.compare([(old.content, new.content) for old, new in some])
        except MindError as exc:
            log.warning("%d pairs stay apart for now: %s", len(pairs) - len(compared), type(exc).__name__)
        return compared

    async def _apart(self, scope: Scope, merges: Sequence[Merge]) -> list[Merge]:
        """The merges without those that were made before and taken back: whoever did that knows them to be two."""
        kept: list[Merge] = []
        for merge in merges:
            stay = [
                (other, why)
                for other, why in zip(merge.others, merge.whys, strict=True)
                if not await self._was_parted(scope, merge.keep, other)
                and not await self._was_parted(scope, other, merge.keep)
            ]
            if stay:
                kept.append(Merge(merge.keep, tuple(other for other, _ in stay), tuple(why for _, why in stay)))
        return kept

    async def _in_question(self, scope: Scope) -> set[str]:
        """The sides of what the person is being asked: a merge would take the ground from under the question."""
        cases = await all_rows(partial(self._store.page, scope, CaseFilter(open_only=True)), limit=PAGE)
        return {id for case in cases for id in (case.old_id, case.new_id)}

    async def _was_parted(self, scope: Scope, one: KnowledgeItem, other: KnowledgeItem) -> bool:
        """Whether one was ended by the other in a merge, and is held again."""
        if one.version == 1:
            return False
        trail = await self._store.trail(scope, Target.ITEM, one.id)
        return any(entry.verb == "merge" and (entry.after or {}).get("superseded_by") == other.id for entry in trail)


def _may_merge(item: KnowledgeItem, now: datetime) -> bool:
    return item.is_current(now) and item.type not in UNMERGED and not item.needs_resolution


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)
