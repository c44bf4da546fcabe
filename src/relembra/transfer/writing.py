"""Writing an export: one JSON document of a person, or a stream of lines of a person or of everybody.

Both hold the same rows. A stream ends with what was in it and a checksum, so that one cut off is noticed.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

import msgspec

from relembra.domain.scope import Scope
from relembra.store.port import Store
from relembra.transfer.parts import FORMAT, VERSION, Part
from relembra.transfer.telling import Telling, everybody

TRIES = 3
CHECKSUM = "sha256"

Progress = Callable[[int, int], None]
"""Told how many rows are done and how many there are in all, as far as is known."""

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an export holds: how many rows of each part, of how many people, and its size."""

    counts: Mapping[str, int]  # by part: conversations, messages, items, …
    people: int
    bytes: int
    changed: bool = False  # it was written to all the while, so parts of it may be of different moments

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class _Out:
    """A file written to and gone back in, with the checksum and the counts of what is in it."""

    def __init__(self, file: IO[bytes], progress: Progress | None, expected: int) -> None:
        self._file = file
        self._sum = hashlib.sha256()
        self._progress = progress
        self._expected = expected
        self.counts: Counter[str] = Counter()
        self.bytes = 0

    @property
    def checksum(self) -> str:
        return f"{CHECKSUM}:{self._sum.hexdigest()}"

    async def write(self, block: bytes) -> None:
        await asyncio.to_thread(self._file.write, block)
        self._sum.update(block)
        self.bytes += len(block)

    def count(self, part: Part, rows: int) -> None:
        self.counts[part.many] += rows
        if self._progress is not None:
            done = self.counts.total()
            self._progress(done, max(done, self._expected))

    def mark(self) -> _Mark:
        return _Mark(self.bytes, self._sum.copy(), self.counts.copy())

    def back_to(self, mark: _Mark) -> None:
        self._file.seek(mark.bytes)
        self._file.truncate()
        self.bytes, self._sum, self.counts = mark.bytes, mark.sum.copy(), mark.counts.copy()


@dataclass(frozen=True, slots=True)
class _Mark:
    bytes: int
    sum: Any
    counts: Counter[str]


# ── one document ──────────────────────────────────────────────────────────────────────────────────────────────────


async def write_document(
    store: Store, scope: Scope, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person as one JSON document; it is begun again where the memory changed meanwhile."""
    out = _Out(file, progress, await expected_rows(store, scope))
    changed = await _steadily(store, scope, out, lambda: _document(Telling(store, now), scope, out))
    return Exported(counts=dict(out.counts), people=1, bytes=out.bytes, changed=changed)


async def _document(telling: Telling, scope: Scope, out: _Out) -> None:
    head = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": telling.now,
        "tenant": scope.tenant,
        "user": scope.user,
    }
    await out.write(_encode(head)[:-1])
    at: Part | None = None
    for part in Part:
        out.counts[part.many] += 0
    async for part, rows in telling.everything(scope):
        await out.write(_opened(at, part))
        at = part
        if rows:
            comma = b",\n" if out.counts[part.many] else b"\n"
            await out.write(comma + b",\n".join(_encode(row) for row in rows))
            out.count(part, len(rows))
    await out.write(_opened(at, None) + b'],\n"counts": ' + _encode(dict(out.counts)) + b"}\n")


def _opened(at: Part | None, part: Part | None) -> bytes:
    """The beginnings of the lists on the way from one part to another or to the end, those between them empty."""
    order = list(Part)
    start = 0 if at is None else order.index(at) + 1
    end = len(order) if part is None else order.index(part) + 1
    return b"".join(
        (b"" if passed is order[0] else b"]") + b',\n"' + passed.many.encode() + b'": [' for passed in order[start:end]
    )


# ── a stream of lines ─────────────────────────────────────────────────────────────────────────────────────────────


async def write_lines(
    store: Store, scope: Scope | None, tenant: str, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person, or of everybody of a tenant with its spaces, one row a line.

    Each one's rows are of one moment: they are begun again where something changed meanwhile.
    """
    out = _Out(file, progress, await expected_rows(store, scope))
    telling = Telling(store, now)
    await out.write(header(tenant, scope, now))
    people, changed = 0, False
    async for owner in _owners(store, scope, tenant):
        people += owner.space is None

        async def section(owner: Scope = owner) -> None:
            await out.write(_section(owner))
            async for part, rows in telling.everything(owner):
                if rows and not (scope is None and part is Part.SPACE_NOTE):
                    await out.write(b"".join(_line(part, row) for row in rows))
                    out.count(part, len(rows))

        changed |= await _steadily(store, owner, out, section)
    await out.write(footer(out.counts, out.checksum))
    return Exported(counts=dict(out.counts), people=people, bytes=out.bytes, changed=changed)


async def lines(store: Store, scope: Scope | None, tenant: str, *, now: datetime) -> AsyncIterator[bytes]:
    """The same, in blocks of whole lines as they are read; what changes meanwhile may be told in part."""
    counts: Counter[str] = Counter()
    sum = hashlib.sha256()

    def told(block: bytes) -> bytes:
        sum.update(block)
        return block

    yield told(header(tenant, scope, now))
    async for owner in _owners(store, scope, tenant):
        yield told(_section(owner))
        async for part, rows in Telling(store, now).everything(owner):
            if rows and not (scope is None and part is Part.SPACE_NOTE):
                counts[part.many] += len(rows)
                yield told(b"".join(_line(part, row) for row in rows))
    yield footer(counts, f"{CHECKSUM}:{sum.hexdigest()}")


def header(tenant: str, scope: Scope | None, now: datetime) -> bytes:
    user = None if scope is None else scope.user
    head = {"row": "header", "format": FORMAT, "version": VERSION, "exported_at": now, "tenant": tenant, "user": user}
    return _encode(head) + b"\n"


def footer(counts: Mapping[str, int], checksum: str) -> bytes:
    foot = {"row": "footer", "rows": sum(counts.values()), "counts": dict(counts), "checksum": checksum}
    return _encode(foot) + b"\n"


def _section(owner: Scope) -> bytes:
    named = {"row": "person", "user": owner.user} if owner.space is None else {"row": "space", "space": owner.space}
    return _encode(named) + b"\n"


def _line(part: Part, row: dict[str, Any]) -> bytes:
    return _encode({"row": part.value, **row}) + b"\n"


# ── both ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def _steadily(store: Store, scope: Scope, out: _Out, write: Callable[[], Awaitable[None]]) -> bool:
    """Write until nothing changed while it was written, a few times at most; whether it changed the last time too."""
    mark = out.mark()
    for _ in range(TRIES):
        out.back_to(mark)
        before = await store.stamps([scope])
        await write()
        if await store.stamps([scope]) == before:
            return False
    return True


async def _owners(store: Store, scope: Scope | None, tenant: str) -> AsyncIterator[Scope]:
    if scope is not None:
        yield scope
        return
    async for owner in everybody(store, tenant):
        yield owner


async def expected_rows(store: Store, scope: Scope | None) -> int:
    """How many rows there are, the trail and other small ones not counted."""
    stats = await store.stats(scope)
    return stats.conversations + stats.messages + stats.notes + sum(stats.items.values())
