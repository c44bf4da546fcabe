"""Everything kept of one person or space, told row by row: a page is in memory at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from relembra.domain.case import Case, Outcome
from relembra.domain.jobs import LEARNING, NIGHT_WORK
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Note, NoteKind
from relembra.domain.scope import Place, Scope, shelf_of
from relembra.store.port import Buffer, Cursor, Ledger, LedgerRow, NoteFilter, Store
from relembra.transfer.parts import Part, plain, waiting_of, work_of

PAGE = 500
MOST_WORK = 1_000_000
VIEWS = ("user_memory",)

_LEDGERS = (
    (Part.CONVERSATION, Ledger.CONVERSATION),
    (Part.NOTE, Ledger.NOTE),
    (Part.ITEM, Ledger.ITEM),
    (Part.CASE, Ledger.CASE),
)

Told = tuple[Part, list[dict[str, Any]]]
"""Rows of one part; the parts come in their order, one part in as many lists as it takes."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Tells what a store keeps, as it is at a moment; whoever wants one state of it asks whether it changed since."""

    store: Store
    now: datetime

    async def everything(self, scope: Scope) -> AsyncIterator[Told]:
        """All of a person or space; of a person also the notes of spaces they took part in, for reading."""
        due = await self.store.unaccounted(scope, limit=MOST_WORK)
        messages, changes = {*due.messages, *due.buffered}, set(due.changes)
        buffered = await self.store.messages(scope, due.buffered)
        spaces = {row.place.space for row in buffered if row.place.space}
        for part, ledger in _LEDGERS:
            async for rows in whole(self.store, scope, ledger):
                spaces |= {row.place.space for row in rows if isinstance(row, Conversation) and row.place.space}
                yield part, [plain(row, now=self.now) for row in rows]
        async for told in self._trail(scope, changes):
            yield told
        async for rows in whole(self.store, scope, Ledger.RUN):
            yield Part.RUN, [plain(row) for row in rows]
        views = [await self.store.view(scope, name) for name in VIEWS]
        yield Part.VIEW, [plain(view) for view in views if view is not None]
        if scope.space is None:
            buffers = [buffer for shelf in shelves(scope, spaces) for buffer in await self.store.buffers(shelf)]
            yield Part.BUFFER, _waiting(buffers, scope.user)
        yield Part.WORK, await self._work(scope)
        async for rows in whole(self.store, scope, Ledger.MESSAGE):
            yield Part.MESSAGE, [plain(row, due=row.id in messages) for row in rows]
        if scope.space is None:
            async for note in space_notes(self.store, scope, spaces):
                yield Part.SPACE_NOTE, [plain(note)]

    async def _trail(self, scope: Scope, due: set[str]) -> AsyncIterator[Told]:
        after = 0
        while found := await self.store.page_trail(scope, after=after, limit=PAGE):
            yield Part.ENTRY, [plain(entry, due=entry.change in due) for _, entry in found]
            after = found[-1][0]

    async def _work(self, scope: Scope) -> list[dict[str, Any]]:
        """What is to be learnt and the nights to come; asked for by hand, a night is asked for again."""
        jobs = await self.store.jobs(scope=scope, kinds=(*LEARNING, *NIGHT_WORK), limit=MOST_WORK)
        work = [work_of(job) for job in jobs if job.kind in LEARNING or job.key is not None]
        return [plain(one) for one in sorted(work, key=lambda one: (one.kind, one.due_at, str(one.payload)))]


async def whole(store: Store, scope: Scope, ledger: Ledger) -> AsyncIterator[Sequence[LedgerRow]]:
    """Every row of a kind, oldest first, a page at a time."""
    after: Cursor | None = None
    while True:
        page = await store.page_whole(scope, ledger, after=after, limit=PAGE)
        if page.rows:
            yield page.rows
        after = page.next
        if after is None:
            return


async def everybody(store: Store, tenant: str) -> AsyncIterator[Scope]:
    """Whoever anything is kept of in a tenant; spaces come first."""
    after = ""
    while found := await store.owners(tenant, after=after, limit=PAGE):
        for scope in found:
            yield scope
        after = found[-1].user


async def spaces_of(store: Store, scope: Scope) -> set[str]:
    """The spaces a person talked in."""
    spaces: set[str] = set()
    async for rows in whole(store, scope, Ledger.CONVERSATION):
        spaces |= {row.place.space for row in rows if isinstance(row, Conversation) and row.place.space}
    return spaces


async def space_notes(store: Store, scope: Scope, spaces: Iterable[str]) -> AsyncIterator[Note]:
    """The notes of these spaces the person took part in, archived ones too, each space's oldest first."""
    for space in sorted(spaces):
        shelf = space_scope(scope.tenant, space)
        found: list[Note] = []
        after: Cursor | None = None
        while True:
            wanted = NoteFilter(participant=scope.user, archived=True)
            page = await store.page_notes(shelf, wanted, after=after, limit=PAGE)
            found += page.rows
            after = page.next
            if after is None:
                break
        for note in reversed(found):
            yield note


async def all_items(store: Store, scope: Scope) -> list[KnowledgeItem]:
    """Every item of a person, deleted ones too, oldest first."""
    found = [rows async for rows in whole(store, scope, Ledger.ITEM)]
    return [row for rows in found for row in rows if isinstance(row, KnowledgeItem)]


async def all_notes(store: Store, scope: Scope) -> list[Note]:
    """The notes of a person and of spaces they took part in, without deleted ones and summaries of talk going on."""
    found = [rows async for rows in whole(store, scope, Ledger.NOTE)]
    own = [row for rows in found for row in rows if isinstance(row, Note)]
    shared = [note async for note in space_notes(store, scope, await spaces_of(store, scope))]
    return [note for note in (*own, *shared) if note.deleted_at is None and note.kind is not NoteKind.SESSION]


async def open_cases(store: Store, scope: Scope) -> list[Case]:
    """The contradictions only the person can settle, oldest first."""
    found = [rows async for rows in whole(store, scope, Ledger.CASE)]
    cases = [row for rows in found for row in rows if isinstance(row, Case)]
    return [case for case in cases if case.outcome is Outcome.OPEN]


def shelves(scope: Scope, spaces: Iterable[str]) -> list[Scope]:
    """Where a person's messages may wait to be noted."""
    return [scope, *(space_scope(scope.tenant, space) for space in sorted(spaces))]


def space_scope(tenant: str, space: str) -> Scope:
    return shelf_of(Scope(tenant, "anybody"), Place(space, "any"))


def _waiting(buffers: Iterable[Buffer], user: str) -> list[dict[str, Any]]:
    waiting = [found for buffer in buffers if (found := waiting_of(buffer, user)) is not None]
    waiting.sort(key=lambda one: (one.opened_at, one.place.space or "", one.place.channel, one.conversation))
    return [plain(one) for one in waiting]
