"""Exports, written and read: one JSON document of a person, or a stream of lines of a person or of everybody.

Both hold the same rows. A stream ends with what was in it and a checksum, so that one cut off is noticed.
"""

from __future__ import annotations

import asyncio
import codecs
import hashlib
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
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
from relembra.domain.scope import Place, Scope, person, shelf_of
from relembra.errors import ConflictError, InvalidInputError, StoreError
from relembra.store.port import Ledger, LedgerRow, MessageFilter, NoteFilter, Store, View, Whole, all_rows, pages
from relembra.transfer.parts import FORMAT, VERSION, Part, plain, waiting_of, work_of
from relembra.transfer.slices import Scanner, decode, refuse

PAGE = 500
TRIES = 3
MOST_WORK = 1_000_000
VIEWS = ("user_memory",)
CHECKSUM = "sha256"

Progress = Callable[[int, int], None]
"""Called with how many rows are done and how many there are in all, as far as is known."""

Block = tuple[bytes, Part | None, int]
"""Bytes of a file, with the part that is in them and how many of its rows."""

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

    async def steadily(self, store: Store, scope: Scope, blocks: Callable[[], AsyncIterator[Block]]) -> bool:
        """Write until nothing changed meanwhile, a few times at most; whether it changed the last time too."""
        size, sum, counts = self.bytes, self._sum.copy(), self.counts.copy()
        for _ in range(TRIES):
            self._file.seek(size)
            self._file.truncate()
            self.bytes, self._sum, self.counts = size, sum.copy(), counts.copy()
            before = await store.stamps([scope])
            async for block, part, rows in blocks():
                await self.write(block, part, rows)
            if await store.stamps([scope]) == before:
                return False
        return True


async def write_document(
    store: Store, scope: Scope, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person as one JSON document; it is begun again where the memory changed meanwhile."""
    out = _Out(file, progress, await _expected_rows(store, scope))
    changed = await out.steadily(store, scope, partial(_document_of, store, scope, now))
    return Exported(counts=dict(out.counts), people=1, bytes=out.bytes, changed=changed)


async def _document_of(store: Store, scope: Scope, now: datetime) -> AsyncIterator[Block]:
    head = {"format": FORMAT, "version": VERSION, "exported_at": now, "tenant": scope.tenant, "user": scope.user}
    yield _encode(head)[:-1], None, 0
    counts: dict[str, int] = {}
    async for part, rows in everything(store, scope, now):
        opening = b""
        if part.many not in counts:
            opening = (b"]" if counts else b"") + f',\n"{part.many}": ['.encode()
            counts[part.many] = 0
        comma = b",\n" if counts[part.many] else b"\n"
        counts[part.many] += len(rows)
        yield opening + (comma if rows else b"") + b",\n".join(_encode(row) for row in rows), part, len(rows)
    yield b'],\n"counts": ' + _encode(counts) + b"}\n", None, 0


async def write_lines(
    store: Store, scope: Scope | None, tenant: str, file: IO[bytes], *, now: datetime, progress: Progress | None = None
) -> Exported:
    """Everything of one person, or of everybody of a tenant with its spaces, one row a line.

    Each one's rows are of one moment: they are begun again where something changed meanwhile.
    """
    out = _Out(file, progress, await _expected_rows(store, scope))
    user = None if scope is None else scope.user
    head = {"row": "header", "format": FORMAT, "version": VERSION, "exported_at": now, "tenant": tenant, "user": user}
    await out.write(_encode(head) + b"\n")
    people, changed = 0, False
    async for owner in _owners(store, scope, tenant):
        people += owner.space is None
        section = partial(_section, store, owner, now, alone=scope is not None)
        changed |= await out.steadily(store, owner, section)
    foot = {"row": "footer", "rows": out.counts.total(), "counts": dict(out.counts), "checksum": out.checksum}
    await out.write(_encode(foot) + b"\n")
    return Exported(counts=dict(out.counts), people=people, bytes=out.bytes, changed=changed)


async def _section(store: Store, owner: Scope, now: datetime, *, alone: bool) -> AsyncIterator[Block]:
    """The lines of one person or space, a part at a time."""
    named = {"row": "person", "user": owner.user} if owner.space is None else {"row": "space", "space": owner.space}
    yield _encode(named) + b"\n", None, 0
    async for part, rows in everything(store, owner, now):
        if rows and (alone or part is not Part.SPACE_NOTE):
            yield b"".join(_encode({"row": part.value, **row}) + b"\n" for row in rows), part, len(rows)


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
    path, made = Path(target).expanduser(), None
    try:
        _refuse_taken(path, overwrite)
        with tempfile.NamedTemporaryFile(
            prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent, delete=False
        ) as file:
            made = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        _refuse_taken(path, overwrite)  # by what came up meanwhile
        made.replace(path)
    except OSError as exc:
        raise StoreError(f"{path} could not be written: {exc.strerror}") from exc
    finally:
        if made is not None:
            made.unlink(missing_ok=True)


def _refuse_taken(path: Path, overwrite: bool) -> None:
    if path.exists() and not overwrite:
        raise ConflictError(f"{path} is there already; choose another name, or overwrite it", "file")


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


async def days_of_talk(store: Store, scope: Scope, day_of: Callable[[datetime], str]) -> AsyncIterator[list[Message]]:
    """What was said and is not hidden, a day at a time and the newest first, in each the talks as they began."""
    day: list[Message] = []
    async for rows in pages(partial(store.page, scope, MessageFilter()), limit=PAGE):
        for message in rows:
            if day and day_of(message.sent_at) != day_of(day[-1].sent_at):
                yield _by_talk(day)
                day = []
            day.append(message)
    if day:
        yield _by_talk(day)


def _by_talk(newest_first: Sequence[Message]) -> list[Message]:
    began = {message.conversation: message.sent_at for message in newest_first}
    return sorted(newest_first, key=lambda one: (began[one.conversation], one.conversation, one.sent_at, one.id))


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


LONGEST_BEGINNING = 4096
LONGEST_ROW = 16 * 1024 * 1024
MOST_IN_A_ROW = 200_000  # values and names


class _Header(msgspec.Struct):
    """What a file says of itself."""

    format: str | None = None
    version: int = 0
    tenant: str | None = None
    user: str | None = None
    counts: dict[str, int | None] = {}


_PARTS = {part.many: part for part in Part}
_TOLD = {"format", "version", "tenant", "user"}
_OURS = re.compile(rb'"format"\s*:\s*"%s"' % FORMAT.encode())
_LINES = re.compile(rb'\s*\{\s*"row"\s*:\s*"header"')


@dataclass(frozen=True, slots=True)
class Record:
    """One row as it stands in the file."""

    part: Part
    values: dict[str, Any]
    where: str


def is_export(file: IO[bytes]) -> bool:
    """Whether a file begins as an export of ours does, or as much of one as there is of it."""
    beginning = file.read(LONGEST_BEGINNING).removeprefix(codecs.BOM_UTF8)
    file.seek(0)
    return beginning.lstrip()[:1] == b"{" and _OURS.search(beginning) is not None


class ExportFile:
    """An open export. Its rows can be gone through more than once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.seek(0)
        if not is_export(file):
            refuse("this is no export of Relembra", "none")
        beginning = file.read(LONGEST_BEGINNING)
        self._start = len(beginning) - len(beginning.removeprefix(codecs.BOM_UTF8))
        self._is_lines = _LINES.match(beginning, self._start) is not None
        file.seek(self._start)
        self.tenant, self.user = _owner(_row(file.readline(LONGEST_ROW), 1) if self._is_lines else self._head())

    def rows(self) -> Iterator[Scope | Record]:
        """Everything in its order, each owner before their rows, in the tenant the file names.

        At the end what it says of itself is compared with what was read.
        """
        return self._lines() if self._is_lines else self._listed()

    def _scanner(self) -> Scanner:
        self._file.seek(0)
        return Scanner(self._file, _PARTS, longest=LONGEST_ROW, most=MOST_IN_A_ROW)

    def _head(self) -> dict[str, Any]:
        """What a document says of itself, read no further than that."""
        scanner = self._scanner()
        rows = scanner.elements()
        while next(rows, None) is not None and not scanner.root.keys() >= _TOLD:
            pass
        return scanner.root

    def _listed(self) -> Iterator[Scope | Record]:
        yield self._person()
        scanner = self._scanner()
        numbers: Counter[str] = Counter()
        for row in scanner.elements():
            if row.owner is not row.root:
                continue
            if not isinstance(row.value, dict):
                refuse(f"{row.where} must be an object")
            numbers[row.key] += 1
            yield Record(_PARTS[row.key], row.value, row.where)
        if wrong := next((name for name in _PARTS if name in scanner.root), None):
            refuse(f"{wrong} must be a list")
        for name, counted in _header(scanner.root).counts.items():
            if name in _PARTS and counted not in (None, numbers[name]):
                refuse(f"{name}: {numbers[name]} rows, where {counted} were counted", "changed")

    def _lines(self) -> Iterator[Scope | Record]:
        self._file.seek(self._start)
        sum = hashlib.sha256()
        number = rows = 0
        footer: dict[str, Any] | None = None
        while line := self._file.readline(LONGEST_ROW):
            number += 1
            if footer is not None:
                refuse(f"line {number}: something follows the end")
            values = _row(line, number)
            kind = values.pop("row")
            if kind == "footer":
                footer = values
                continue
            sum.update(line)
            if number == 1:
                continue
            if kind in ("person", "space"):
                yield self._section(kind, values, number)
            elif kind in set(Part):
                rows += 1
                yield Record(Part(kind), values, f"line {number}")
            else:
                refuse(f"line {number}: no row is called {kind[:40]!r}")
        if footer is None:
            refuse(f"the file is cut off after line {number}: its end is missing", "cut")
        if footer.get("rows") != rows or footer.get("checksum") != f"{CHECKSUM}:{sum.hexdigest()}":
            refuse("the file is not as it was written: its checksum does not agree", "changed")

    def _section(self, kind: str, values: dict[str, Any], number: int) -> Scope:
        name = values.get("user" if kind == "person" else "space")
        try:
            if not isinstance(name, str):
                raise InvalidInputError(f"a {kind} has a name")
            owner = person(self.tenant, name) if kind == "person" else space_scope(self.tenant, name)
        except InvalidInputError as exc:
            refuse(f"line {number}: {exc}")
        if self.user is not None and owner != self._person():
            refuse(f"line {number}: the file says it holds {self.user!r} alone")
        return owner

    def _person(self) -> Scope:
        if self.user is None:
            refuse("the file does not say whose memory it is")
        return person(self.tenant, self.user)


def _owner(told: dict[str, Any]) -> tuple[str, str | None]:
    """The tenant and the person a file is of; None for everybody."""
    head = _header(told)
    if head.format != FORMAT:
        refuse("this is no export of Relembra", "none")
    if head.version < 1:
        refuse("the export does not say which version of the format it has")
    if head.version > VERSION:
        said = f"the export has version {head.version} of the format; this program reads up to {VERSION}"
        refuse(f"{said}. Update it first", "newer")
    try:
        if head.tenant is None:
            raise InvalidInputError("it does not say whose memory it is")
        Scope(head.tenant, "anybody")
        if head.user is not None:
            person(head.tenant, head.user)
    except InvalidInputError as exc:
        refuse(f"the header cannot be used: {exc}")
    return head.tenant, head.user


def _header(told: dict[str, Any]) -> _Header:
    try:
        return msgspec.convert(told, _Header)
    except msgspec.ValidationError as exc:
        refuse(f"this is no export of Relembra, or its header cannot be used: {exc}")


def _row(line: bytes, number: int) -> dict[str, Any]:
    """The row on a line, whole."""
    if not line.endswith(b"\n"):
        is_long = len(line) == LONGEST_ROW
        refuse(f"line {number} is {'too long' if is_long else 'cut off'}", "swollen" if is_long else "cut")
    values = decode(line, f"line {number}", MOST_IN_A_ROW)
    if not isinstance(values, dict) or not isinstance(values.get("row"), str):
        refuse(f"line {number} is not a row")
    return values
