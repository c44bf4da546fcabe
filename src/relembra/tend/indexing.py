"""Giving rows what they are found by: the job behind every save, and the reindexing of a whole store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import groupby

from relembra.domain.jobs import INDEX, Job, JobState
from relembra.domain.searchable import item_text, message_text
from relembra.errors import ConflictError
from relembra.minds.port import Embedder
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
        texts: list[str] = []
        work: list[tuple[Job, Kind, list[str]]] = []
        for job in jobs:
            kind, ids, found = await self._read(job)
            work.append((job, kind, ids))
            texts += found
            if kind is Kind.MESSAGE and ids:
                await self._store.apply(job.scope, [IndexMessages(tuple(ids))])
        vectors = iter(await self._embedder.embed(texts))
        for job, kind, ids in work:
            ops: list[Op] = [PutVector(kind, id, self._embedder.name, next(vectors)) for id in ids]
            try:
                await self._store.apply(job.scope, [*ops, FinishJob(job.id)])
            except ConflictError:
                log.info("job %s was finished by another worker", job.id)

    async def _read(self, job: Job) -> tuple[Kind, list[str], list[str]]:
        """What is left of the job's rows: some may have been forgotten since."""
        kind, ids = Kind(job.payload["kind"]), list(job.payload["ids"])
        if kind is Kind.MESSAGE:
            messages = await self._store.messages(job.scope, ids)
            return kind, [message.id for message in messages], [message_text(message) for message in messages]
        items = await self._store.items(job.scope, ids)
        return kind, [item.id for item in items], [item_text(item) for item in items]


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
