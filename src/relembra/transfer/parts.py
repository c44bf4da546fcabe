"""The shape of an export: which parts a memory has, each row as plain JSON values, and a plain row checked and read.

A row never says whose it is: whoever reads it does. What is derived (vectors, terms) has no part here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec

from relembra.domain.audit import Actor, AuditEntry
from relembra.domain.case import Case
from relembra.domain.jobs import AT_ONCE, LEARN, LEARNING, NIGHT_WORK, Job, Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Conversation, Message, Note
from relembra.domain.scope import Place, Scope, is_id
from relembra.domain.text import LONGEST_TEXT_BYTES, checked_name, checked_text
from relembra.domain.time import local, not_ahead, to_keep
from relembra.errors import InvalidInputError
from relembra.store.port import Buffer, View
from relembra.transfer.slices import FIELD

FORMAT = "relembra"
VERSION = 1

DEEPEST = 24
LARGEST = 1 << 53
SINCE = datetime(1970, 1, 1, tzinfo=UTC)


class Part(StrEnum):
    """The parts of a memory, in the order they are written and taken in: what is learnt from comes last."""

    CONVERSATION = "conversation"
    NOTE = "note"
    ITEM = "item"
    CASE = "case"
    ENTRY = "entry"
    RUN = "run"
    VIEW = "view"
    BUFFER = "buffer"
    WORK = "work"
    MESSAGE = "message"
    SPACE_NOTE = "space_note"

    @property
    def many(self) -> str:
        """What the list of such rows is called in a document."""
        return _MANY.get(self, f"{self}s")


_MANY = {Part.ENTRY: "trail", Part.WORK: "work"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Messages of one person that wait to be noted, and where: a buffer without its own name."""

    place: Place
    conversation: str
    opened_at: datetime
    is_open: bool
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Queued work that is not derived from a row: learning from messages or a note, and the nights to come."""

    id: str | None = None  # of a night's, whose record has the same
    kind: str
    payload: Mapping[str, Any]
    due_at: datetime


Row = Conversation | Note | KnowledgeItem | Case | AuditEntry | Run | View | Waiting | Work | Message
TYPES: Mapping[Part, type[Any]] = {
    Part.CONVERSATION: Conversation,
    Part.NOTE: Note,
    Part.ITEM: KnowledgeItem,
    Part.CASE: Case,
    Part.ENTRY: AuditEntry,
    Part.RUN: Run,
    Part.VIEW: View,
    Part.BUFFER: Waiting,
    Part.WORK: Work,
    Part.MESSAGE: Message,
    Part.SPACE_NOTE: Note,
}

# ── to plain values ───────────────────────────────────────────────────────────────────────────────────────────────


def plain(row: Row, *, due: bool = False, now: datetime | None = None) -> dict[str, Any]:
    """The row as JSON values. `due`: still to be accounted for; `now`: by when an item is current or not."""
    values: dict[str, Any] = msgspec.to_builtins(row, enc_hook=_as_dict)
    values.pop("scope", None)
    if isinstance(row, AuditEntry):
        values["actor"] = str(row.actor)
    if isinstance(row, KnowledgeItem) and now is not None:
        values["is_current"] = row.is_current(now)
    if due:
        values["due"] = True
    return values


def waiting_of(buffer: Buffer, user: str) -> Waiting | None:
    """What of a buffer is one person's; None: nothing."""
    theirs = tuple(id for owner, id in buffer.messages if owner == user)
    if not theirs:
        return None
    return Waiting(
        place=buffer.place,
        conversation=buffer.conversation,
        opened_at=buffer.opened_at,
        is_open=buffer.is_open,
        messages=theirs,
    )


def work_of(job: Job) -> Work:
    names = ("note", "messages", "read") if job.kind in LEARNING else ("zone",)
    payload = {name: job.payload[name] for name in names if name in job.payload}
    if job.kind in LEARNING:
        return Work(kind=job.kind, payload=payload, due_at=AT_ONCE)
    return Work(id=job.id, kind=job.kind, payload=payload, due_at=job.due_at)


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError


# ── from plain values ─────────────────────────────────────────────────────────────────────────────────────────────


def is_due(values: Mapping[str, Any]) -> bool:
    return values.get("due") is True


def read(part: Part, values: object, scope: Scope, where: str, now: datetime) -> Row:
    """A plain row checked, as a row of this scope; what is wrong with it is said with where it stands."""
    try:
        row = _read(part, values, scope)
        if isinstance(row, Message):
            not_ahead(row.sent_at, now, "sent_at")
        return row
    except (InvalidInputError, msgspec.ValidationError, ValueError, TypeError, OverflowError, RecursionError) as exc:
        raise InvalidInputError(f"{where}: {exc}", field=FIELD) from exc


def _read(part: Part, values: object, scope: Scope) -> Row:
    if not isinstance(values, dict):
        raise InvalidInputError(f"the {part} must be an object of names and values")
    _refuse_harmful(values, 0)
    given = {**values, "scope": {"tenant": scope.tenant, "user": scope.user}}
    if part is Part.ENTRY:
        given["actor"] = _actor(values.get("actor"))
    row: Row = _checked(msgspec.convert(given, TYPES[part]))
    match row:
        case KnowledgeItem():
            _between(row.priority, 1, 10, "priority")
        case Case() if row.settled_by is not None:
            Actor.parse(row.settled_by)
        case AuditEntry():
            row = replace(row, before=_of_scope(row.before, scope), after=_of_scope(row.after, scope))
        case Work():
            row = _checked_work(row)
    return row


def _actor(text: object) -> dict[str, str]:
    if not isinstance(text, str):
        raise InvalidInputError("actor must be text, like person:ana")
    actor = Actor.parse(text)
    return {"kind": actor.kind.value, "name": actor.name}


def _checked_work(work: Work) -> Work:
    if work.kind in LEARNING:
        note, messages = work.payload.get("note"), work.payload.get("messages")
        named = isinstance(note, str) if work.kind == LEARN else note is None
        if not named or not isinstance(messages, list) or not all(isinstance(id, str) for id in messages):
            raise InvalidInputError("learning names a note and messages, reading names messages")
        _check_ids(*([] if note is None else [note]), *messages)
        about: dict[str, Any] = {} if note is None else {"note": note, "read": work.payload.get("read") is True}
        return replace(work, payload={**about, "messages": messages})
    if work.kind not in NIGHT_WORK:
        raise InvalidInputError(f"no work {work.kind!r}; there is {', '.join((*LEARNING, *NIGHT_WORK))}")
    zone = work.payload.get("zone", "+00:00")
    if not isinstance(zone, str):
        raise InvalidInputError("zone must be text")
    _check_zone(zone)
    return replace(work, payload={"zone": zone})


_TEXTS = ("text", "content")
_NAMES = ("author", "conversation", "external_id", "change")
_IDS = ("id", "note_id", "superseded_by", "old_id", "new_id", "message_ids", "note_ids", "related", "messages")


def _checked(row: Any) -> Any:
    """The row with its moments in UTC, once its texts, names, ids and numbers are what they may be."""
    changes: dict[str, Any] = {}
    for part in fields(row):
        name, value = part.name, getattr(row, part.name)
        match value:
            case datetime():
                changes[name] = to_keep(value, name)
            case bool():
                pass
            case float():
                _between(value, 0, 1, name)
            case int():
                _between(value, 1 if name == "version" else 0, LARGEST, name)
            case str() if name in _TEXTS:
                checked_text(value, name)
            case str() if name in _NAMES or (name == "id" and isinstance(row, Conversation)):
                checked_name(value, name)
            case str() if name == "name" and isinstance(row, View):
                checked_name(value, name)
            case str() if name == "zone":
                _check_zone(value)
            case str() if name in _IDS:
                _check_ids(value)
            case tuple() if name in _IDS:
                _check_ids(*value)
            case _ if is_dataclass(value) and not isinstance(value, type):
                changes[name] = _checked(value)
    return replace(row, **changes) if changes else row


def _between(number: float, least: float, most: float, name: str) -> None:
    if not least <= number <= most:
        raise InvalidInputError(f"{name} {number} is not between {least} and {most}")


def _check_ids(*ids: str) -> None:
    for id in ids:
        if not is_id(id):
            raise InvalidInputError(f"{id[:80]!r} is not an id")


def _check_zone(zone: str) -> None:
    try:
        local(SINCE, zone)
    except (KeyError, ValueError, OSError) as exc:
        raise InvalidInputError(f"no timezone {zone[:80]!r}") from exc


def _of_scope(snapshot: Mapping[str, Any] | None, scope: Scope) -> Mapping[str, Any] | None:
    """A recorded row belongs to whoever the record does."""
    if snapshot is None or "scope" not in snapshot:
        return snapshot
    return {**snapshot, "scope": {"tenant": scope.tenant, "user": scope.user}}


def _refuse_harmful(value: object, depth: int) -> None:
    """Refuse what no store could keep or show: numbers out of range, NUL characters, endless text and nesting."""
    if depth > DEEPEST:
        raise InvalidInputError(f"it is nested deeper than {DEEPEST}")
    match value:
        case bool() | None:
            return
        case int():
            if abs(value) > LARGEST:
                raise InvalidInputError("a number is too large")
        case float():
            if not math.isfinite(value):
                raise InvalidInputError("a number is not finite")
        case str():
            if "\x00" in value or len(value) > LONGEST_TEXT_BYTES:
                raise InvalidInputError(f"a text holds a NUL character or is longer than {LONGEST_TEXT_BYTES}")
        case list() | tuple():
            for inner in value:
                _refuse_harmful(inner, depth + 1)
        case dict():
            for name, inner in value.items():
                _refuse_harmful(name, depth + 1)
                _refuse_harmful(inner, depth + 1)
        case _:
            raise InvalidInputError(f"{type(value).__name__} cannot be kept")
