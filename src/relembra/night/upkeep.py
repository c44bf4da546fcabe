"""Giving rows what they are found by: the job behind every save, and the reindexing of a whole store."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path

from relembra.domain.jobs import INDEX, Job, JobState, Terms
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.domain.scope import Scope
from relembra.domain.searchable import item_text, message_pieces, note_text
from relembra.domain.time import Clock
from relembra.errors import ConflictError
from relembra.minds.port import Embedder, Vector
from relembra.store.port import FinishJob, IndexMessages, Kind, Op, PutVectors, Store

BATCH = 128

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Told how many rows are done, and how many there are in all, 0 while that is not known."""


class Indexer:
    """Embeds what jobs name, in one batch for many jobs, and writes vectors, terms and the jobs' end together."""

    kinds: tuple[str, ...] = (INDEX,)
    terms = Terms(claim_limit=64, turns=64, lease=timedelta(minutes=1), lane="index")

    def __init__(self, store: Store, embedder: Embedder, *, embeds_outside: bool = False) -> None:
        self._store = store
        self._embedder = embedder
        self._embeds_outside = embeds_outside  # what may not leave this machine gets no vector
        self._embedding = asyncio.Lock()  # held from looking what lacks a vector until it has one

    async def run(self, jobs: Sequence[Job]) -> None:
        """Do these jobs, terms first: words are found even while the embedder cannot answer."""
        read: list[_Work] = []
        groups: dict[tuple[Scope, Kind], list[Job]] = {}
        for job in jobs:
            groups.setdefault((job.scope, Kind(job.payload["kind"])), []).append(job)
        for (scope, kind), together in groups.items():
            rows = await _read(self._store, scope, kind, [id for job in together for id in job.payload["ids"]])
            terms = [IndexMessages(tuple(rows))] if kind is Kind.MESSAGE and rows else []
            part = _Work(scope, kind, together, rows)
            if terms and not await self._lacking(scope, kind, rows):  # embedded by whoever read them
                await self._end(part, {}, terms)
                continue
            if terms:
                await self._store.apply(scope, terms)
            read.append(part)
        if read:
            async with self._embedding:
                await self._embed(read)

    async def _embed(self, read: Sequence[_Work]) -> None:
        work = [replace(part, rows=await self._lacking(part.scope, part.kind, part.rows)) for part in read]
        vectors = iter(await vectors_of(self._embedder, [pieces for part in work for pieces in part.rows.values()]))
        for part in work:
            await self._end(part, {id: next(vectors) for id in part.rows})

    async def _end(self, part: _Work, found: Mapping[str, tuple[Vector, ...]], terms: Sequence[Op] = ()) -> None:
        """End the jobs of a part with what was found; where another worker was quicker with one, each on its own."""
        try:
            await self._finish(part, part.jobs, found, terms)
        except ConflictError:
            for job in part.jobs:
                try:
                    await self._finish(part, [job], found, terms)
                except ConflictError:
                    log.info("job %s was finished by another worker", job.id)

    @property
    def name(self) -> str:
        """The embedder's."""
        return self._embedder.name

    async def of_messages(self, scope: Scope, messages: Sequence[Message]) -> dict[str, Vector]:
        """The vectors of messages' whole texts by id; those lacking are made now, and their jobs will find them."""
        pieces = {row.id: message_pieces(row) for row in messages}
        async with self._embedding:
            if rows := await self._lacking(scope, Kind.MESSAGE, pieces):
                made = zip(rows, await vectors_of(self._embedder, list(rows.values())), strict=True)
                ops = [PutVectors(Kind.MESSAGE, id, self._embedder.name, vectors) for id, vectors in made]
                await self._store.apply(scope, ops)
        held = await self._store.vectors(scope, Kind.MESSAGE, self._embedder.name, [(id, 0) for id in pieces])
        return {id: vector for (id, _), vector in held.items()}

    async def _lacking(self, scope: Scope, kind: Kind, rows: dict[str, list[str]]) -> dict[str, list[str]]:
        """Those rows to embed: without a vector yet, but of items and notes all, whose words may have changed."""
        if kind is Kind.MESSAGE and rows:
            held = await self._store.vectors(scope, kind, self._embedder.name, [(id, 0) for id in rows])
            rows = {id: pieces for id, pieces in rows.items() if (id, 0) not in held}
        return await _leaving(self._store, scope, kind, rows) if self._embeds_outside else rows

    async def _finish(
        self, part: _Work, jobs: Sequence[Job], found: Mapping[str, tuple[Vector, ...]], terms: Sequence[Op] = ()
    ) -> None:
        ids = [id for job in jobs for id in job.payload["ids"] if id in found]
        ops: list[Op] = [PutVectors(part.kind, id, self._embedder.name, found[id]) for id in ids]
        await self._store.apply(part.scope, [*terms, *ops, *(FinishJob(job.id) for job in jobs)])


@dataclass(frozen=True, slots=True)
class _Work:
    """The jobs of one person about rows of one kind, and what is embedded of those rows, by id."""

    scope: Scope
    kind: Kind
    jobs: list[Job]
    rows: dict[str, list[str]]


async def _read(store: Store, scope: Scope, kind: Kind, ids: Sequence[str]) -> dict[str, list[str]]:
    """What is embedded of rows, by id: the whole text, then its passages; some may have been forgotten since."""
    match kind:
        case Kind.MESSAGE:
            return {row.id: message_pieces(row) for row in await store.get(scope, Message, ids)}
        case Kind.NOTE:
            return {row.id: [note_text(row)] for row in await store.get(scope, Note, ids)}
        case Kind.ITEM:
            return {row.id: [item_text(row)] for row in await store.get(scope, KnowledgeItem, ids)}


async def _leaving(store: Store, scope: Scope, kind: Kind, rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """Those rows that may leave this machine."""
    if not rows:
        return rows
    held = await store.withheld(scope)
    away = {Kind.ITEM: held.items, Kind.MESSAGE: held.messages, Kind.NOTE: held.notes}[kind]
    return {id: pieces for id, pieces in rows.items() if id not in away}


async def vectors_of(embedder: Embedder, rows: Sequence[Sequence[str]]) -> list[tuple[Vector, ...]]:
    """The vectors of each row's pieces, all asked for at once."""
    vectors = iter(await embedder.embed([piece for pieces in rows for piece in pieces]))
    return [tuple(islice(vectors, len(pieces))) for pieces in rows]


async def reindex(
    store: Store, embedder: Embedder, progress: Progress | None = None, *, embeds_outside: bool = False
) -> int:
    """Give every row the vector and terms it lacks, then drop vectors of other embedders; how many were embedded.

    Each batch is stored as it comes, so one that was interrupted goes on where it stopped.
    """
    stats = await store.stats()
    total = stats.messages + stats.notes + sum(stats.items.values())
    done = stats.vectors.get(embedder.name, 0)
    embedded = 0
    after = None
    while rows := await store.unembedded(embedder.name, limit=BATCH, after=after):
        for (scope, kind), group in groupby(rows, key=lambda row: (row.scope, row.kind)):
            pieces = await _read(store, scope, kind, [row.id for row in group])
            pieces = await _leaving(store, scope, kind, pieces) if embeds_outside else pieces
            vectors = await vectors_of(embedder, list(pieces.values()))
            ops = [PutVectors(kind, id, embedder.name, parts) for id, parts in zip(pieces, vectors, strict=True)]
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


LOOKED_EVERY_SECONDS = 600.0


class Backups:
    """Makes today's backup of a store once, whichever of several programs comes first, and keeps the newest few."""

    def __init__(self, store: Store, *, folder: Path, name: str, kept: int, clock: Clock) -> None:
        self._store = store
        self._folder = folder
        self._name = name
        self._kept = max(1, kept)
        self._clock = clock

    async def keep(self) -> None:
        """Look again and again until cancelled; a failure is logged and tried again."""
        while True:
            try:
                await self.make_due()
            except Exception as exc:  # noqa: BLE001 - no one awaits it; without it there would be no more backups
                log.warning("the automatic backup into %s failed: %s: %s", self._folder, type(exc).__name__, exc)
            await asyncio.sleep(LOOKED_EVERY_SECONDS)

    async def make_due(self) -> Path | None:
        """Make today's unless it is there, then remove the oldest; the new one."""
        target = self._folder / f"{self._name}-{self._clock().date().isoformat()}.db"
        if await asyncio.to_thread(target.exists):
            return None
        await asyncio.to_thread(self._folder.mkdir, mode=0o700, exist_ok=True)
        try:
            await self._store.backup(target)
        except ConflictError:  # another program was quicker
            return None
        await asyncio.to_thread(self._remove_oldest)
        return target

    def _remove_oldest(self) -> None:
        for day in backup_days(self._folder, self._name)[: -self._kept]:
            (self._folder / f"{self._name}-{day.isoformat()}.db").unlink(missing_ok=True)


def backup_name(file: Path) -> str:
    """What a file's backups are called before their date; those of another file of its name are called otherwise."""
    path = file.expanduser().resolve()
    return f"{path.stem}-{sha256(os.fsencode(path)).hexdigest()[:8]}"


def backup_days(folder: Path, name: str) -> Sequence[date]:
    """The days there are automatic backups of, the oldest first; other files in the folder are no one's business."""
    pattern = re.compile(rf"{re.escape(name)}-(\d{{4}}-\d{{2}}-\d{{2}})\.db")
    days = []
    for file in folder.iterdir() if folder.is_dir() else ():
        if (match := pattern.fullmatch(file.name)) is not None:
            with suppress(ValueError):  # there is no such day
                days.append(date.fromisoformat(match[1]))
    return sorted(days)
