"""Giving rows what they are found by: the job behind every save, and the reindexing of a whole store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from relembra.domain.jobs import INDEX, Job, JobState
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text, message_text, note_text
from relembra.errors import ConflictError
from relembra.minds.port import Embedder, Vector
from relembra.store.port import FinishJob, IndexMessages, Kind, Op, PutVector, Store

BATCH = 128

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Told how many rows are done and how many there are in all."""


class Indexer:
    """Embeds what jobs name, in one batch for many jobs, and writes vectors, terms and the jobs' end together."""

    kinds: tuple[str, ...] = (INDEX,)
    claim_limit = 64
    lease = timedelta(minutes=1)

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder

    async def run(self, jobs: Sequence[Job]) -> None:
        """Do these jobs, terms first: words are found even while the embedder cannot answer."""
        work: list[_Work] = []
        for (scope, kind), together in _grouped(jobs).items():
            rows = await self._read(scope, kind, [id for job in together for id in job.payload["ids"]])
            work.append(_Work(scope, kind, together, rows))
            if kind is Kind.MESSAGE and rows:
                await self._store.apply(scope, [IndexMessages(tuple(rows))])
        texts = [text for part in work for text in part.rows.values()]
        vectors = iter(await self._embedder.embed(texts))
        for part in work:
            found = {id: next(vectors) for id in part.rows}
            try:
                await self._finish(part, part.jobs, found)
            except ConflictError:  # another worker was quicker with one of them: each on its own
                for job in part.jobs:
                    await self._finish_alone(part, job, found)

    async def _finish(self, part: _Work, jobs: Sequence[Job], found: Mapping[str, Vector]) -> None:
        ids = [id for job in jobs for id in job.payload["ids"] if id in found]
        ops: list[Op] = [PutVector(part.kind, id, self._embedder.name, found[id]) for id in ids]
        await self._store.apply(part.scope, [*ops, *(FinishJob(job.id) for job in jobs)])

    async def _finish_alone(self, part: _Work, job: Job, found: Mapping[str, Vector]) -> None:
        try:
            await self._finish(part, [job], found)
        except ConflictError:
            log.info("job %s was finished by another worker", job.id)

    async def _read(self, scope: Scope, kind: Kind, ids: Sequence[str]) -> dict[str, str]:
        """The texts of the jobs' rows, by id; some may have been forgotten since."""
        match kind:
            case Kind.MESSAGE:
                return {row.id: message_text(row) for row in await self._store.messages(scope, ids)}
            case Kind.NOTE:
                return {row.id: note_text(row) for row in await self._store.notes(scope, ids)}
            case Kind.ITEM:
                return {row.id: item_text(row) for row in await self._store.items(scope, ids)}


@dataclass(frozen=True, slots=True)
class _Work:
    """The jobs of one person about rows of one kind, and those rows' texts by id."""

    scope: Scope
    kind: Kind
    jobs: list[Job]
    rows: dict[str, str]


def _grouped(jobs: Sequence[Job]) -> dict[tuple[Scope, Kind], list[Job]]:
    groups: dict[tuple[Scope, Kind], list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.scope, Kind(job.payload["kind"])), []).append(job)
    return groups


async def reindex(store: Store, embedder: Embedder, progress: Progress | None = None) -> int:
    """Give every row the vector and terms it lacks, then drop vectors of other embedders; how many were embedded.

    Each batch is stored as it comes, so one that was interrupted goes on where it stopped.
    """
    stats = await store.stats()
    total = stats.messages + stats.notes + sum(stats.items.values())
    done = (await store.models()).get(embedder.name, 0)
    embedded = 0
    after = None
    while rows := await store.unembedded(embedder.name, limit=BATCH, after=after):
        vectors = await embedder.embed([row.text for row in rows])
        for scope, group in groupby(zip(rows, vectors, strict=True), key=lambda pair: pair[0].scope):
            ops = [PutVector(row.kind, row.id, embedder.name, vector) for row, vector in group]
            await store.apply(scope, ops)
        embedded += len(rows)
        after = rows[-1]
        if progress:
            progress(min(done + embedded, total), total)
    while waiting := await store.unindexed(limit=BATCH):
        for scope, ids in groupby(waiting, key=lambda pair: pair[0]):
            await store.apply(scope, [IndexMessages(tuple(id for _, id in ids))])
    await store.drop_other_vectors(embedder.name)
    await store.drop_jobs(kind=INDEX, state=JobState.DEAD)
    return embedded
