"""Values for tests: each builder gives something ordinary, and a test names only what it is about."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from relembra.domain.access import Key, Right
from relembra.domain.audit import Actor, ActorKind, AuditEntry, Target
from relembra.domain.case import Case
from relembra.domain.jobs import Job, Run, RunKind
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import Scope
from relembra.minds.port import Vector
from relembra.store.port import (
    Enqueue,
    InBuffer,
    ItemFilter,
    Op,
    Put,
    PutMessage,
    Query,
    Receipt,
    Record,
    Store,
    View,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANA = Scope("default", "ana")
BIA = Scope("default", "bia")
ANA_ELSEWHERE = Scope("other", "ana")
STRANGERS = (BIA, ANA_ELSEWHERE)
MODEL = "words-1"

AnyRow = KnowledgeItem | Note | Message | Conversation | AuditEntry | Job | Case | Run

_numbers = count(1)


class Words:
    """An analyzer whose terms are the words in small letters."""

    version = 1

    def terms(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.casefold())


def an_id(number: int | None = None) -> str:
    """A UUIDv7 that sorts by its number; the next free one unless told."""
    return f"01900000-0000-7000-8000-{next(_numbers) + 1_000_000 if number is None else number:012x}"


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def days(number: float) -> timedelta:
    return timedelta(days=number)


def an_item(**changes: Any) -> KnowledgeItem:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "type": KnowledgeType.FACT,
        "title": "Works with glass",
        "content": "Ana works with glass.",
        "source": Source.CONVERSATION,
        "confidence": 0.95,
        "held_from": NOW,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return KnowledgeItem(**ordinary | changes)


def a_message(**changes: Any) -> Message:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "conversation": "c1",
        "role": Role.USER,
        "author": "ana",
        "text": "good morning",
        "sent_at": NOW,
        "saved_at": NOW,
    }
    return Message(**ordinary | changes)


def a_conversation(**changes: Any) -> Conversation:
    ordinary: dict[str, Any] = {
        "id": "c1",
        "scope": ANA,
        "title": "Good morning",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Conversation(**ordinary | changes)


def a_note(**changes: Any) -> Note:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "kind": NoteKind.CONVERSATION,
        "title": "A morning",
        "summary": "Ana said good morning.",
        "happened_at": NOW,
        "created_at": NOW,
    }
    return Note(**ordinary | changes)


def an_entry(**changes: Any) -> AuditEntry:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "change": an_id(),
        "scope": ANA,
        "at": NOW,
        "actor": Actor(ActorKind.PERSON, "ana"),
        "verb": "add",
        "target": Target.ITEM,
        "target_id": an_id(),
        "before": None,
        "after": {"title": "Works with glass"},
    }
    return AuditEntry(**ordinary | changes)


def a_key(**changes: Any) -> Key:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "tenant": "default",
        "user": None,
        "name": "laptop",
        "prefix": an_id()[-8:],
        "right": Right.WRITE,
        "created_at": NOW,
    }
    return Key(**ordinary | changes)


def a_job(**changes: Any) -> Job:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "kind": "index",
        "payload": {"ids": [an_id()]},
        "due_at": NOW,
        "created_at": NOW,
    }
    return Job(**ordinary | changes)


def a_case(**changes: Any) -> Case:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "old_id": an_id(),
        "new_id": an_id(),
        "judged_by": "rule",
        "why": "one home at a time",
        "opened_at": NOW,
    }
    return Case(**ordinary | changes)


def a_view(**changes: Any) -> View:
    ordinary: dict[str, Any] = {
        "scope": ANA,
        "name": "profile",
        "version": 1,
        "made_at": NOW,
        "body": {"lines": ["Works with glass"]},
    }
    return View(**ordinary | changes)


def a_run(**changes: Any) -> Run:
    ordinary: dict[str, Any] = {
        "id": an_id(),
        "scope": ANA,
        "kind": RunKind.CONSOLIDATION,
        "night": None,
        "since": None,
        "until": NOW,
        "started_at": NOW,
    }
    return Run(**ordinary | changes)


def a_night(number: int) -> date:
    """That day of March."""
    return date(2026, 3, number)


def buffering(message: Message, buffer_id: str | None = None, **changes: Any) -> PutMessage:
    """Putting a message into the buffer that is open, or else into one of that id."""
    ordinary: dict[str, Any] = {"now": NOW, "quiet": minutes(10), "window": minutes(60)}
    return PutMessage(message, InBuffer(id=buffer_id or an_id(), **ordinary | changes))


def a_vector(*numbers: float) -> Vector:
    """These numbers brought to unit length."""
    length = sum(number * number for number in numbers) ** 0.5
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def a_query(
    *terms: str,
    vector: Vector | None = None,
    model: str | None = MODEL,
    limit: int = 10,
    also: tuple[str, ...] = (),
) -> Query:
    return Query(terms=terms, vector=vector, model=model if vector is not None else None, limit=limit, also=also)


def items_where(**changes: Any) -> ItemFilter:
    return ItemFilter(**{"now": NOW} | changes)


def puts(*rows: AnyRow) -> list[Op]:
    """The operations that store rows seen for the first time."""
    return [_put(row) for row in rows]


async def kept(store: Store, *rows: AnyRow) -> Receipt:
    """Store rows seen for the first time, each with its own person; the last person's receipt."""
    by_scope: dict[Scope, list[AnyRow]] = defaultdict(list)
    for row in rows:
        by_scope[row.scope].append(row)
    receipt = Receipt()
    for scope, theirs in by_scope.items():
        receipt = await store.apply(scope, puts(*theirs))
    return receipt


def ids_of(rows: Sequence[AnyRow]) -> list[str]:
    return [row.id for row in rows]


def _put(row: AnyRow) -> Op:
    match row:
        case KnowledgeItem():
            return Put(row, None)
        case Note():
            return Put(row, None)
        case Message():
            return PutMessage(row)
        case Conversation():
            return Put(row, None)
        case AuditEntry():
            return Record(row)
        case Job():
            return Enqueue(row)
        case Case():
            return Put(row, None)
        case Run():
            return Put(row, None)
