"""Finding the items of a memory that say the same thing, and making one of each.

Those of a night are looked for by the store's own search. Over a whole memory, candidates come from three cheap sorts
(the same words, the same value, the same plain state) and, for a mind to judge, from vectors that lie near.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

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
from relembra.night.task import NightServices, Task, batches
from relembra.store.port import CaseFilter, ItemFilter, Kind, Op, all_rows, pages

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]
    Whole = npt.NDArray[np.int64]

EXACT = 4_000  # so many are simply compared one with another
SAMPLE = 16  # rows a centre is made of, about
ROUNDS = 2  # in which centres move to the middle of their sample
BLOCK = 2_048
DIGITS = 5  # of a cosine that count, for machines add up in different orders


class _Near:
    """Pairs near enough, gathered block by block; each row keeps its nearest few."""

    def __init__(self, vectors: Matrix, codes: Whole, at_least: float, most: int) -> None:
        self.vectors, self.codes, self.at_least, self.most = vectors, codes, at_least, most
        self._kept: list[tuple[Whole, Whole, Matrix]] = []

    def compare(self, rows: Whole, others: Whole) -> None:
        """Compare rows with others, or one with another where they are the same."""
        for start in range(0, len(rows), BLOCK):
            for other in range(start if rows is others else 0, len(others), BLOCK):
                self._block(rows[start : start + BLOCK], others[other : other + BLOCK])

    def _block(self, rows: Whole, others: Whole) -> None:
        import numpy as np

        cosines = np.round(self.vectors[rows] @ self.vectors[others].T, DIGITS)
        mine, theirs = self.codes[rows][:, None], self.codes[others][None, :]
        wanted = (mine == theirs) | (mine == 0) | (theirs == 0)
        cosines[~wanted | (rows[:, None] == others[None, :])] = -1.0
        for best, first, second in ((cosines, rows, others), (cosines.T, others, rows)):
            place = np.broadcast_to(np.arange(best.shape[1]), best.shape)
            if best.shape[1] > 2 * self.most:
                place = np.argpartition(-best, self.most, axis=1)[:, : 2 * self.most]
                best = np.take_along_axis(best, place, axis=1)
            row, column = np.nonzero(best >= self.at_least)
            if len(row):
                self._kept.append((first[row], second[place[row, column]], best[row, column]))

    def pairs(self) -> list[tuple[int, int, float]]:
        """Each row's nearest few, each pair once with the lower first, nearest first."""
        import numpy as np

        if not self._kept:
            return []
        row, other, cosine = (np.concatenate(part) for part in zip(*self._kept, strict=True))
        order = np.lexsort((other, -cosine, row))
        row, other, cosine = row[order], other[order], cosine[order]
        once = np.r_[True, (row[1:] != row[:-1]) | (other[1:] != other[:-1])]
        row, other, cosine = row[once], other[once], cosine[once]
        few = np.arange(len(row)) - np.searchsorted(row, row) < self.most
        low, high = np.minimum(row, other)[few], np.maximum(row, other)[few]
        found = set(zip(low.tolist(), high.tolist(), cosine[few].tolist(), strict=True))
        return sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1]))


def near_pairs(
    ids: Sequence[str], vectors: Matrix, codes: Whole, *, at_least: float, most: int, exact: int = EXACT
) -> list[tuple[int, int, float]]:
    """Pairs of rows whose cosine is high enough, of each row its nearest `most`.

    `codes`: rows of two different ones are never paired; 0 goes with all. More than `exact` rows are first sorted by
    the nearest of some directions, and compared with those of the same and of the next nearest.
    """
    import numpy as np

    near, rows = _Near(vectors, codes, at_least, most), np.arange(len(ids))
    if len(rows) <= exact:
        near.compare(rows, rows)
        return near.pairs()
    centres = _centres(vectors, ids)
    own, next_to = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    for start in range(0, len(rows), BLOCK):
        likeness = vectors[start : start + BLOCK] @ centres.T
        own[start : start + BLOCK] = best = np.argmax(likeness, axis=1)
        likeness[np.arange(len(likeness)), best] = -2.0
        next_to[start : start + BLOCK] = np.argmax(likeness, axis=1)
    largest = max(exact, 8 * len(rows) // len(centres))
    for bucket in range(len(centres)):
        members, guests = rows[own == bucket], rows[next_to == bucket]
        if len(members) <= largest:
            near.compare(members, members)
            near.compare(guests, members)
        else:  # too many alike to be told apart: each is compared with a stretch of them
            for start in range(0, len(members), exact):
                some = members[start : start + exact]
                near.compare(some, some)
    return near.pairs()


def _centres(vectors: Matrix, ids: Sequence[str]) -> Matrix:
    """About √n directions, each the middle of a part of a sample; which rows are sampled, their ids decide."""
    import numpy as np

    count = 2 ** max(4, math.ceil(math.log2(math.sqrt(len(ids)))))
    drawn = sorted(range(len(ids)), key=lambda row: blake2b(ids[row].encode(), digest_size=8).digest())
    sample = vectors[np.array(drawn[: SAMPLE * count])]
    centres: Matrix = sample[:count].copy()
    for _ in range(ROUNDS):
        nearest = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres[:] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres)
    return centres


PAGE = 1_000
ASKED_AT_ONCE = 64
MOST_ASKED = 5_000  # pairs put to a mind in one go over a whole memory, the nearest first
AT_A_STRETCH = 50  # rows or pairs looked at before others have their turn: a server answers meanwhile
STATES_TRIED = 3  # items of the wider state each one of a narrower is tried with

log = logging.getLogger(__name__)

Pair = tuple[str, str]
Group = tuple[str, str, str, str]
"""Subject, space, mouth and class of type: items of two groups are never one."""


class _Sketch(NamedTuple):
    """What is kept of an item while all are looked through; the lowest of those alike is the one that stays."""

    standing: tuple[bool, int, bool, bool, datetime, str]
    held_from: datetime
    apart: str  # an event's day, else the attribute

    @property
    def id(self) -> str:
        return self.standing[-1]


@dataclass(slots=True)
class _Sorted:
    """A memory sorted by what its items could share, without the items themselves."""

    words: dict[tuple[Group, str], list[_Sketch]] = field(default_factory=lambda: defaultdict(list))
    values: dict[tuple[Group, str, frozenset[str]], list[_Sketch]] = field(default_factory=lambda: defaultdict(list))
    states: dict[Group, dict[str, list[_Sketch]]] = field(default_factory=lambda: defaultdict(dict))
    count: int = 0

    def add(self, item: KnowledgeItem) -> None:
        self.count += 1
        if item.type in UNMERGED or item.needs_resolution:
            return
        event = item.type is KnowledgeType.MEMORY
        day = item.held_from.date().isoformat() if event else ""  # two events of one day at most are one
        group: Group = (fold(item.subject), item.place.space or "", mouth(item), type_class(item))
        sketch = _Sketch(standing(item), item.held_from, day if event else item.attribute or "")
        self.words[group, f"{day} {content_key(item)}"].append(sketch)
        if item.attribute is not None and item.value is not None:
            self.values[group, item.attribute, words_of(item.value)].append(sketch)
        if (told := state(item)) is not None:
            self.states[group].setdefault(told, []).append(sketch)

    def pairs(self) -> Iterator[Pair]:
        """Pairs that rules may find to be one: each with the first and the one before it, so as many as there are."""
        for alike in (*self.words.values(), *self.values.values()):
            if len(alike) > 1:
                first = min(alike).id
                ordered = [one.id for one in sorted(alike, key=lambda one: (one.held_from, one.id))]
                yield from ((first, id) for id in ordered if id != first)
                yield from pairwise(ordered)
        for states in self.states.values():
            ids = {told: [one.id for one in sorted(alike)] for told, alike in states.items()}
            for told, rows in ids.items():
                yield from ((rows[0], row) for row in rows[1:])
                for narrower in sorted(implied(told) & ids.keys()):
                    yield from ((wide, row) for wide in rows[:STATES_TRIED] for row in ids[narrower])

    def groups(self) -> Iterator[list[tuple[str, str]]]:
        """Ids to be looked for by meaning, with what sets them apart; of those in the same words the one that stays."""
        found: dict[Group, list[tuple[str, str]]] = defaultdict(list)
        for (group, _), alike in self.words.items():
            if group[3] != KnowledgeType.EMOTION:
                best = min(alike)
                found[group].append((best.id, best.apart))
        return (sorted(found[group]) for group in sorted(found))


class Merger(Task):
    """Finds what says the same thing. It changes nothing by itself: `write` puts merges into a change."""

    def __init__(self, services: NightServices, *, exact: int = EXACT) -> None:
        super().__init__(services)
        self._exact = exact  # so many items of a group are compared one with another

    async def near(self, scope: Scope, ids: Sequence[str]) -> list[Merge]:
        """Duplicates of these items among all that is held; the cost is theirs and the store's search for each."""
        now = self._clock()
        asked = await self._in_question(scope)
        held = await self._store.get(scope, KnowledgeItem, ids)
        items = [item for item in held if _may_merge(item, now) and item.id not in asked]
        vectors = await self._stored_vectors(scope, [item.id for item in items])
        try:
            vectors |= await self._embedded([item for item in items if item.id not in vectors])
        except MindError as exc:
            log.warning("%d items are not looked for by meaning: %s", len(items) - len(vectors), type(exc).__name__)
        near, rows = await self._nearest(scope, [item for item in items if item.id in vectors], vectors, now)
        near_enough = {pair for pair, cosine in near.items() if cosine >= self._policy.garden.near_at_least}
        rows = {id: row for id, row in rows.items() if id not in asked}
        pairs, _ = await self._same(rows, sorted(near), near_enough)
        return await self._apart(scope, grouped(pairs))

    async def everywhere(
        self, scope: Scope, *, now: datetime | None = None, found: Mapping[str, KnowledgeItem] | None = None
    ) -> list[Merge]:
        """Duplicates among all that is held of a scope, in the order of the ids that stay.

        `found`: rows that have changed since the look began, as they were then; so that a look taken up again sees the
        same memory and comes to the same.
        """
        now = now or self._clock()
        before = dict(found or {})
        memory, asked = _Sorted(), await self._in_question(scope)
        async for item in self._held(scope, now, before):
            if item.id not in asked:
                memory.add(item)
                if memory.count % AT_A_STRETCH == 0:
                    await asyncio.sleep(0)
        same: list[Same] = []
        for some in batches(sorted({_pair(*pair) for pair in memory.pairs()}), PAGE):
            same += (await self._same(await self._rows(scope, some, before), some))[0]
        known = {_pair(old.id, new.id) for old, new, _ in same}
        near: list[tuple[float, Pair]] = []
        for members in memory.groups():
            near += await self._near_in(scope, members, before)
        room = MOST_ASKED
        for some in batches([pair for _, pair in sorted(near) if pair not in known], PAGE):  # the nearest first
            rows = {id: row for id, row in (await self._rows(scope, some, before)).items() if _may_merge(row, now)}
            more, asked_about = await self._same(rows, some, set(some), most=room)
            room -= asked_about
            same += more
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
                change.put(kept, merge.keep, entry_id=self._new_id(), verb="merge", why=merge.why, brief=True)
                if item_text(kept) != item_text(merge.keep):
                    other_words.append(kept.id)
            for past, other, why in zip(ended, merge.others, merge.whys, strict=True):
                change.put(past, other, entry_id=self._new_id(), verb="merge", why=why.text, brief=True)
        return self._index(scope, Kind.ITEM, other_words)

    # ── finding pairs ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _nearest(
        self, scope: Scope, items: Sequence[KnowledgeItem], vectors: Mapping[str, Vector], now: datetime
    ) -> tuple[dict[Pair, float], dict[str, KnowledgeItem]]:
        """Pairs of these items with held ones of the same subject that lie near, in one look; and all their rows."""
        garden = self._policy.garden
        found = await self._store.nearest(
            scope,
            Kind.ITEM,
            self._embedder.name,
            [vectors[item.id] for item in items],
            limit=4 * garden.compared,
            at_least=min(self._policy.learn.near_at_least, garden.near_at_least),
        )
        near: dict[Pair, float] = {
            _pair(item.id, other): cosine
            for item, hits in zip(items, found, strict=True)
            for other, cosine in hits
            if other != item.id
        }
        rows = await self._rows(scope, near, {item.id: item for item in items})
        subjects = {id: row.subject for id, row in rows.items() if row.is_current(now)}
        return {
            (one, other): cosine
            for (one, other), cosine in near.items()
            if one in subjects and subjects.get(other) == subjects[one]
        }, rows

    async def _held(
        self, scope: Scope, now: datetime, before: Mapping[str, KnowledgeItem]
    ) -> AsyncIterator[KnowledgeItem]:
        """All that is held, page by page, and what was when the look began."""
        async for rows in pages(partial(self._store.page, scope, ItemFilter(now=now)), limit=PAGE):
            for item in rows:
                if item.id not in before:
                    yield item
        for item in before.values():
            if item.is_current(now):
                yield item

    async def _near_in(
        self, scope: Scope, members: Sequence[tuple[str, str]], before: Mapping[str, KnowledgeItem]
    ) -> list[tuple[float, Pair]]:
        """Pairs of one group whose vectors lie near, each with how far apart they are."""
        if len(members) < 2:
            return []
        ids, vectors, codes = await self._matrix(scope, members, before)
        garden = self._policy.garden
        near = await asyncio.to_thread(
            near_pairs, ids, vectors, codes, at_least=garden.near_at_least, most=garden.compared, exact=self._exact
        )
        return [(-cosine, _pair(ids[one], ids[other])) for one, other, cosine in near]

    async def _matrix(
        self, scope: Scope, members: Sequence[tuple[str, str]], before: Mapping[str, KnowledgeItem]
    ) -> tuple[list[str], Matrix, Whole]:
        """The vectors of members that have one, read page by page, and a number for the attribute of each."""
        import numpy as np

        numbers: dict[str, int] = {"": 0}
        ids: list[str] = []
        codes: list[int] = []
        dimensions = self._embedder.dimensions
        matrix = np.zeros((len(members), dimensions), np.float32)
        for page in batches(members, PAGE):
            stored = await self._stored_vectors(scope, [id for id, _ in page])
            changed = [before[id] for id, _ in page if id in before]
            now = {row.id: row for row in await self._store.get(scope, KnowledgeItem, [item.id for item in changed])}
            stored |= await self._embedded(
                [item for item in changed if item.id in now and item_text(now[item.id]) != item_text(item)]
            )
            for id, attribute in page:
                vector = stored.get(id)
                if vector is not None and len(vector) == 4 * dimensions:
                    matrix[len(ids)] = np.frombuffer(vector, "<f4")
                    ids.append(id)
                    codes.append(numbers.setdefault(attribute, len(numbers)))
        return ids, matrix[: len(ids)], np.array(codes, np.int64)

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
        self, scope: Scope, pairs: Iterable[Pair], known: Mapping[str, KnowledgeItem]
    ) -> dict[str, KnowledgeItem]:
        ids = sorted({id for pair in pairs for id in pair})
        unread = [id for id in ids if id not in known]
        read = {row.id: row for row in await self._store.get(scope, KnowledgeItem, unread)} if unread else {}
        return read | {id: known[id] for id in ids if id in known}

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
