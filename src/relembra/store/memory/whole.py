"""Reading whole memories: every row of a kind in the order of time, and whose there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from relembra.domain.case import Case
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.run import Run
from relembra.domain.scope import Scope
from relembra.store.memory.shelf import Shelf
from relembra.store.port import Cursor, Ledger, LedgerRow, Page


def page_whole(shelf: Shelf, ledger: Ledger, *, after: Cursor | None, limit: int) -> Page[LedgerRow]:
    if limit <= 0:
        return Page((), None)
    placed = sorted(((place_of(row), row) for row in _rows(shelf, ledger)), key=lambda pair: (pair[0].at, pair[0].id))
    left = [pair for pair in placed if after is None or (pair[0].at, pair[0].id) > (after.at, after.id)]
    taken = left[:limit]
    return Page(tuple(row for _, row in taken), taken[-1][0] if len(left) > limit else None)


def owners(shelves: Mapping[Scope, Shelf], tenant: str, *, after: str, limit: int) -> list[Scope]:
    found = [scope for scope in shelves if scope.tenant == tenant and scope.user > after and _kept(shelves[scope])]
    return sorted(found, key=lambda scope: scope.user)[: max(0, limit)]


def place_of(row: LedgerRow) -> Cursor:
    match row:
        case KnowledgeItem() | Conversation():
            return Cursor(row.created_at, row.id)
        case Message():
            return Cursor(row.sent_at, row.id)
        case Note():
            return Cursor(row.happened_at, row.id)
        case Case():
            return Cursor(row.opened_at, row.id)
        case Run():
            return Cursor(row.started_at, row.id)


def _rows(shelf: Shelf, ledger: Ledger) -> Iterable[LedgerRow]:
    match ledger:
        case Ledger.CONVERSATION:
            return shelf.conversations.values()
        case Ledger.NOTE:
            return shelf.notes.values()
        case Ledger.ITEM:
            return shelf.items.values()
        case Ledger.CASE:
            return shelf.cases.values()
        case Ledger.RUN:
            return shelf.runs.values()
        case Ledger.MESSAGE:
            return shelf.messages.values()


def _kept(shelf: Shelf) -> bool:
    parts = (
        shelf.conversations,
        shelf.messages,
        shelf.notes,
        shelf.items,
        shelf.cases,
        shelf.runs,
        shelf.views,
        shelf.trail,
    )
    return any(parts)
