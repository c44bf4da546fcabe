"""Writing an export: one JSON document of a person, or a stream of lines of a person or of everybody.

Both hold the same rows. A stream ends with what was in it and a checksum, so that one cut off is noticed.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

import msgspec

from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import LEARNING, NIGHT_WORK
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note, NoteKind
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.errors import ConflictError, StoreError
from relembra.store.port import Ledger, LedgerRow, NoteFilter, Store, View, Whole, all_rows, pages
from relembra.transfer.parts import FORMAT, VERSION, Part, plain, waiting_of, work_of

PAGE = 500
TRIES = 3
MOST_WORK = 1_000_000
VIEWS = ("user_memory",)
CHECKSUM = "sha256"

Progress = Callable[[int, int], None]
"""Called with how many rows are done and how many there are in all, as far as is known."""

_encode = msgspec.json.Encoder().encode
_LEDGERS = {
    Part.CONVERSATION: Ledger.CONVERSATION,
    Part.NOTE: Ledger.NOTE,
    Part.ITEM: Ledger.ITEM,
    Part.CASE: Ledger.CASE,
}


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

    async def write(self, block: bytes, part: Part | None = None, rows: int = 0) -> None:
        await asyncio.to_thread(self._file.write, block)
        self._sum.update(block)
        self.bytes += len(block)
        if part is not None:
            self.counts[part.many] += rows
            if self._progress is not None:
                done = self.counts.total()
                self._progress(done, max(done, self._expected))

    async def steadily(self, store: Store, scope: Scope, write: Callable[[], Awaitable[None]]) -> bool:
        """Write until nothing changed meanwhile, a few times at most; whether it changed the last time too."""
        size, sum, counts = self.bytes, self._sum.copy(), self.counts.copy()
        for _ in range(TRIES):
            self._file.seek(size)
            self._file.truncate()
            self.bytes, self._sum, self.counts = size, sum.copy(), counts.copy()
            before = await store.stamps([scope])
            await write()
            if await store.stamps([scope]) == before:
                return False
        return True


async def write_document(
    store: Store, scope: Scope, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person as one JSON document; it is begun again where the memory changed meanwhile."""
    out = _Out(file, progress, await _expected_rows(store, scope))
    head = {"format": FORMAT, "version": VERSION, "exported_at": now, "tenant": scope.tenant, "user": scope.user}

    async def document() -> None:
        await out.write(_encode(head)[:-1])
        at: Part | None = None
        async for part, rows in everything(store, scope, now):
            if part is not at:
                await out.write((b"" if at is None else b"]") + f',\n"{part.many}": ['.encode(), part)
                at = part
            if rows:
                comma = b",\n" if out.counts[part.many] else b"\n"
                await out.write(comma + b",\n".join(_encode(row) for row in rows), part, len(rows))
        await out.write(b'],\n"counts": ' + _encode(dict(out.counts)) + b"}\n")

    changed = await out.steadily(store, scope, document)
    return Exported(counts=dict(out.counts), people=1, bytes=out.bytes, changed=changed)


async def write_lines(
    store: Store, scope: Scope | None, tenant: str, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person, or of everybody of a tenant with its spaces, one row a line.

    Each one's rows are of one moment: they are begun again where something changed meanwhile.
    """
    out = _Out(file, progress, await _expected_rows(store, scope))
    await out.write(_header(tenant, scope, now))
    people, changed = 0, False
    async for owner in _owners(store, scope, tenant):
        people += owner.space is None

        async def section(owner: Scope = owner) -> None:
            async for block, part, rows in _section(store, owner, now, alone=scope is not None):
                await out.write(block, part, rows)

        changed |= await out.steadily(store, owner, section)
    await out.write(_footer(out.counts, out.checksum))
    return Exported(counts=dict(out.counts), people=people, bytes=out.bytes, changed=changed)


async def lines(store: Store, scope: Scope | None, tenant: str, *, now: datetime) -> AsyncIterator[bytes]:
    """The same, in blocks of whole lines as they are read; what changes meanwhile may be there in part."""
    counts: Counter[str] = Counter()
    header = _header(tenant, scope, now)
    sum = hashlib.sha256(header)
    yield header
    async for owner in _owners(store, scope, tenant):
        async for block, part, rows in _section(store, owner, now, alone=scope is not None):
            counts += Counter({} if part is None else {part.many: rows})
            sum.update(block)
            yield block
    yield _footer(counts, f"{CHECKSUM}:{sum.hexdigest()}")


async def _section(
    store: Store, owner: Scope, now: datetime, *, alone: bool
) -> AsyncIterator[tuple[bytes, Part | None, int]]:
    """The lines of one person or space, a part at a time, and how many rows each block has."""
    named = {"row": "person", "user": owner.user} if owner.space is None else {"row": "space", "space": owner.space}
    yield _encode(named) + b"\n", None, 0
    async for part, rows in everything(store, owner, now):
        if rows and (alone or part is not Part.SPACE_NOTE):
            yield b"".join(_encode({"row": part.value, **row}) + b"\n" for row in rows), part, len(rows)


def _header(tenant: str, scope: Scope | None, now: datetime) -> bytes:
    user = None if scope is None else scope.user
    head = {"row": "header", "format": FORMAT, "version": VERSION, "exported_at": now, "tenant": tenant, "user": user}
    return _encode(head) + b"\n"


def _footer(counts: Mapping[str, int], checksum: str) -> bytes:
    foot = {"row": "footer", "rows": sum(counts.values()), "counts": dict(counts), "checksum": checksum}
    return _encode(foot) + b"\n"


async def _owners(store: Store, scope: Scope | None, tenant: str) -> AsyncIterator[Scope]:
    """The person asked for, else everybody anything is kept of in the tenant; spaces come first."""
    if scope is not None:
        yield scope
        return
    after = ""
    while found := await store.owners(tenant, after=after, limit=PAGE):
        for owner in found:
            yield owner
        after = found[-1].user


async def _expected_rows(store: Store, scope: Scope | None) -> int:
    """How many rows there are, the trail and other small ones not counted."""
    stats = await store.stats(scope)
    return stats.conversations + stats.messages + stats.notes + sum(stats.items.values())


Target = str | Path | BinaryIO


@contextmanager
def written(target: Target, *, overwrite: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to and go back in; at the end it is at its place, and after an error nothing is.

    One that is there already is a `ConflictError` unless it may be overwritten. What is written to an open stream goes
    there at the end, in one piece.
    """
    if not isinstance(target, str | Path):
        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, target)
        target.flush()
        return
    path = Path(target).expanduser()
    if path.exists() and not overwrite:
        raise _taken(path)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    except OSError as exc:
        raise StoreError(f"nothing can be written to {path}: {exc.strerror}") from exc
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            _at_its_place(file, Path(name), path, overwrite=overwrite)
    except OSError as exc:
        raise StoreError(f"{path} could not be written: {exc.strerror}") from exc
    finally:
        Path(name).unlink(missing_ok=True)


def _at_its_place(file: IO[bytes], made: Path, path: Path, *, overwrite: bool) -> None:
    file.flush()
    os.fsync(file.fileno())
    if not overwrite:
        try:
            os.link(made, path)  # unlike a renaming, it refuses to take the place of one made meanwhile
        except FileExistsError:
            raise _taken(path) from None
        except OSError:  # a file system without links
            if path.exists():
                raise _taken(path) from None
        else:
            return
    made.replace(path)


def _taken(path: Path) -> ConflictError:
    return ConflictError(f"{path} is there already; choose another name, or overwrite it")


# ── reading the store ─────────────────────────────────────────────────────────────────────────────────────────────


async def everything(store: Store, scope: Scope, now: datetime) -> AsyncIterator[tuple[Part, list[dict[str, Any]]]]:
    """All rows of a person or space, part after part, a part in as many lists as it takes, the first of them empty.

    Of a person also the notes of spaces they took part in, for reading.
    """
    due = await store.unaccounted(scope, limit=MOST_WORK)
    messages, changes = {*due.messages, *due.buffered}, set(due.changes)
    spaces = {row.place.space for row in await store.get(scope, Message, due.buffered) if row.place.space}
    for part, ledger in _LEDGERS.items():
        yield part, []
        async for rows in _pages(store, scope, ledger):
            spaces |= {row.place.space for row in rows if isinstance(row, Conversation) and row.place.space}
            yield part, [plain(row, now=now) for row in rows]
    yield Part.ENTRY, []
    after = 0
    while found := await store.page_trail(scope, after=after, limit=PAGE):
        yield Part.ENTRY, [plain(entry, due=entry.change in changes) for _, entry in found]
        after = found[-1][0]
    yield Part.RUN, []
    async for rows in _pages(store, scope, Ledger.RUN):
        yield Part.RUN, [plain(row) for row in rows]
    views = [await store.find(scope, View, name) for name in VIEWS]
    yield Part.VIEW, [plain(view) for view in views if view is not None]
    if scope.space is None:
        shelves = [scope, *(space_scope(scope.tenant, space) for space in sorted(spaces))]
        buffers = [buffer for shelf in shelves for buffer in await store.buffers(shelf)]
        waiting = [one for buffer in buffers if (one := waiting_of(buffer, scope.user)) is not None]
        waiting.sort(key=lambda one: (one.opened_at, one.place.space or "", one.place.channel, one.conversation))
        yield Part.BUFFER, [plain(one) for one in waiting]
    jobs = await store.jobs(scope=scope, kinds=(*LEARNING, *NIGHT_WORK), limit=MOST_WORK)
    work = [work_of(job) for job in jobs if job.kind in LEARNING or job.key is not None]
    yield Part.WORK, [plain(one) for one in sorted(work, key=lambda one: (one.kind, one.due_at, str(one.payload)))]
    yield Part.MESSAGE, []
    async for rows in _pages(store, scope, Ledger.MESSAGE):
        yield Part.MESSAGE, [plain(row, due=row.id in messages) for row in rows]
    if scope.space is None:
        yield Part.SPACE_NOTE, [plain(note) for note in await _space_notes(store, scope, spaces)]


async def all_items(store: Store, scope: Scope) -> list[KnowledgeItem]:
    """Every item of a person, deleted ones too, oldest first."""
    return await _whole(store, scope, Ledger.ITEM)


async def open_cases(store: Store, scope: Scope) -> list[Case]:
    """The contradictions only the person can settle, oldest first."""
    return [case for case in await _whole(store, scope, Ledger.CASE) if case.outcome is Outcome.OPEN]


async def all_notes(store: Store, scope: Scope) -> list[Note]:
    """The notes of a person and of spaces they took part in, without deleted ones and summaries of talk going on."""
    spaces = {talk.place.space for talk in await _whole(store, scope, Ledger.CONVERSATION) if talk.place.space}
    notes = [*await _whole(store, scope, Ledger.NOTE), *await _space_notes(store, scope, spaces)]
    return [note for note in notes if note.deleted_at is None and note.kind is not NoteKind.SESSION]


async def _whole(store: Store, scope: Scope, ledger: Ledger) -> list[Any]:
    return await all_rows(partial(store.page, scope, Whole(ledger)), limit=PAGE)


def space_scope(tenant: str, space: str) -> Scope:
    return shelf_of(Scope(tenant, "anybody"), Place(space, "any"))


async def _pages(store: Store, scope: Scope, ledger: Ledger) -> AsyncIterator[Sequence[LedgerRow]]:
    async for rows in pages(partial(store.page, scope, Whole(ledger)), limit=PAGE):
        if rows:
            yield rows


async def _space_notes(store: Store, scope: Scope, spaces: Iterable[str]) -> list[Note]:
    """The notes of these spaces the person took part in, archived ones too, each space's oldest first."""
    wanted = NoteFilter(participant=scope.user, archived=True)
    found: list[Note] = []
    for space in sorted(spaces):
        page = partial(store.page, space_scope(scope.tenant, space), wanted)
        found += reversed(await all_rows(page, limit=PAGE))
    return found
