"""Values for tests: each builder gives something ordinary, and a test names only what it is about."""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

from relembra.domain.access import Key, Right
from relembra.domain.audit import Actor, ActorKind, AuditEntry, Target
from relembra.domain.case import Case
from relembra.domain.jobs import Job, Run, RunKind
from relembra.domain.knowledge import KnowledgeItem, KnowledgeType, Source
from relembra.domain.message import Conversation, Message, Note, NoteKind, Role
from relembra.domain.scope import Scope
from relembra.minds.port import Vector
from relembra.store.port import Enqueue, InBuffer, ItemFilter, Op, Put, PutMessage, Query, Receipt, Record, Store, View

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


T = TypeVar("T")


def _builder(make: Callable[..., T], /, *ids: str, **ordinary: Any) -> Callable[..., T]:
    """What makes one with ordinary parts, but for those given; a new id wherever one is needed."""
    return lambda **changes: make(**{name: an_id() for name in ids} | ordinary | changes)


_MADE: dict[str, Any] = {"created_at": NOW, "updated_at": NOW}
an_item = _builder(
    KnowledgeItem, "id", scope=ANA, type=KnowledgeType.FACT, title="Works with glass", content="Ana works with glass.",
    source=Source.CONVERSATION, confidence=0.95, held_from=NOW, **_MADE,
)  # fmt: skip
a_message = _builder(
    Message, "id", scope=ANA, conversation="c1", role=Role.USER, author="ana", text="good morning", sent_at=NOW,
    saved_at=NOW,
)  # fmt: skip
a_conversation = _builder(Conversation, id="c1", scope=ANA, title="Good morning", **_MADE)
a_note = _builder(
    Note, "id", scope=ANA, kind=NoteKind.CONVERSATION, title="A morning", summary="Ana said good morning.",
    happened_at=NOW, created_at=NOW,
)  # fmt: skip
an_entry = _builder(
    AuditEntry, "id", "change", "target_id", scope=ANA, at=NOW, actor=Actor(ActorKind.PERSON, "ana"), verb="add",
    target=Target.ITEM, before=None, after={"title": "Works with glass"},
)  # fmt: skip
a_case = _builder(Case, "id", "old_id", "new_id", scope=ANA, judged_by="rule", why="one home at a time", opened_at=NOW)
a_view = _builder(View, scope=ANA, name="profile", version=1, made_at=NOW, body={"lines": ["Works with glass"]})
a_run = _builder(Run, "id", scope=ANA, kind=RunKind.CONSOLIDATION, night=None, since=None, until=NOW, started_at=NOW)


def a_key(**changes: Any) -> Key:
    return _builder(Key, "id", tenant="default", user=None, name="laptop", right=Right.WRITE, created_at=NOW)(
        **{"prefix": an_id()[-8:]} | changes
    )


def a_job(**changes: Any) -> Job:
    return _builder(Job, "id", scope=ANA, kind="index", due_at=NOW, created_at=NOW)(
        **{"payload": {"ids": [an_id()]}} | changes
    )


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
    *terms: str, vector: Vector | None = None, model: str | None = MODEL, limit: int = 10, also: tuple[str, ...] = ()
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
        case Message():
            return PutMessage(row)
        case AuditEntry():
            return Record(row)
        case Job():
            return Enqueue(row)
        case _:
            return Put(row, None)
