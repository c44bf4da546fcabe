"""Values as plain JSON: the one form that every interface gives to programs, and what the API's document says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any

import msgspec

from relembra.background import RunDetail
from relembra.contexts import Trace
from relembra.conversations import Thread
from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Job, Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Message, Note
from relembra.learn.casework import Conflict, Question
from relembra.learn.learner import Learnt
from relembra.lessons import Forecast, Foreseen
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Listing, Missed, Recall
from relembra.recall.ranking import MessageHit
from relembra.store.port import Gone, Kind, Verification
from relembra.tools.commands import CommandAnswer
from relembra.transfer.imports import Imported
from relembra.views.memory import UserMemory
from relembra.views.profile import Person, Profile

Object = dict[str, Any]
Get = Callable[[Any], Any]

FLAT = ("scope", "place")
"""Parts whose own parts stand beside the others: tenant, user, space and channel."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a value's JSON differs from its fields: what is left out, what is spread out, and what is there besides."""

    without: str = ""
    flat: tuple[str, ...] = FLAT
    parts: Mapping[str, tuple[Any, Get | None]] = field(default_factory=dict)  # type and value; None: the attribute
    optional: Mapping[str, tuple[Any, Get]] = field(default_factory=dict)  # left out where they are None


def _shape(without: str = "", *, flat: str = "", optional: Object | None = None, **parts: Any) -> Shape:
    named = {name: part if isinstance(part, tuple) else (part, None) for name, part in parts.items()}
    return Shape(without, (*FLAT, *flat.split()), named, optional or {})


def _row_of(kind: type) -> Get:
    return lambda one: one.row if isinstance(one.row, kind) else None


_WORK: Object = {
    "tenant": (str, lambda row: row.scope.tenant),
    "user": (str | None, lambda row: row.scope.user if row.scope.space is None else None),
}
_OF_SPACE: Object = {"space": (str | None, lambda row: row.scope.space)}

_KINDS: dict[Kind, type] = {Kind.ITEM: KnowledgeItem, Kind.NOTE: Note, Kind.MESSAGE: Message}

SHAPES: dict[type, Shape] = {
    AuditEntry: _shape(actor=(str, lambda entry: str(entry.actor))),
    CommandAnswer: _shape(name=str | None, text=str | None),  # without them where a text is no command
    Conflict: _shape(flat="case"),
    Forecast: _shape(foreseen=(list[Foreseen], list), unread=bool),
    Gone: _shape("counts", forgotten=(dict[str, int], lambda receipt: receipt.counts), total=int),
    Imported: _shape(total=int),
    Job: _shape("scope", optional=_OF_SPACE, **_WORK),
    Learnt: _shape(
        "ended decisions noted counted",
        replaced=(list[KnowledgeItem], lambda what: what.ended),
        settled=(list[Conflict], lambda _: []),
    ),
    MemoryContext: _shape("lines frame", question=Question | None, insight=KnowledgeItem | None),
    MessageHit: _shape(excerpt=(str, lambda hit: hit.excerpt or hit.message.text)),
    Missed: _shape(
        "row",
        kind=(Kind, lambda one: next(kind for kind, of in _KINDS.items() if isinstance(one.row, of))),
        optional={kind.value: (of | None, _row_of(of)) for kind, of in _KINDS.items()},
    ),
    Person: _shape(
        closeness=(str, lambda known: known.closeness.name.lower()),
        items=(list[str], lambda known: [item.id for item in known.items]),
    ),
    Profile: _shape(text=str),
    Question: _shape("case_id", case=(str, lambda asked: asked.case_id)),
    Recall: _shape("missed"),
    Run: _shape(
        "scope raw",
        optional=_OF_SPACE | {"raw": (str | None, lambda _: None)},  # only where `record` puts it in
        seconds=(float | None, lambda kept: None if kept.duration is None else kept.duration.total_seconds()),
        **_WORK,
    ),
    RunDetail: _shape(flat="run"),
    Thread: _shape(flat="conversation"),
    UserMemory: _shape("tokens", text=str),
    Verification: _shape(ok=(bool, lambda found: not found.problems)),
}
"""Values whose JSON is not simply their fields."""


@cache
def shape_of(kind: type) -> tuple[Shape, list[str]]:
    """The shape of a kind of value, and which of its fields stand in it as they are."""
    shape = SHAPES.get(kind, Shape())
    named = fields(kind) if is_dataclass(kind) else ()
    return shape, [part.name for part in named if part.name not in (*shape.without.split(), *shape.parts)]


def json_text(data: Any) -> str:
    """JSON for programs: UTF-8, readable, moments in UTC."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def wire(value: Any) -> Any:
    """A value as JSON holds it; a row is one flat object."""
    if isinstance(value, Listing):
        return {"items": [wire(row) for row in value], "next": value.next}
    if is_dataclass(value) or type(value) in SHAPES:
        return _row(value)
    if isinstance(value, Mapping):
        return {"none" if key is None else str(key): wire(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [wire(part) for part in value]
    return msgspec.to_builtins(value)


def _row(value: object) -> Object:
    shape, shown = shape_of(type(value))  # type: ignore[arg-type]  # mypy takes no type for hashable
    row: Object = {}
    for name in shown:
        part = wire(getattr(value, name))
        row |= part if name in shape.flat else {name: part}
    for name, (_, get) in shape.parts.items():
        row[name] = wire(getattr(value, name) if get is None else get(value))
    for name, (_, get) in shape.optional.items():
        if (part := get(value)) is not None:
            row[name] = wire(part)
    return row


def trace(made: Trace, left_out: Iterable[Missed]) -> Object:
    """How a recall came about, with as much of what was left out as was asked for."""
    return {"inquiry": wire(made.inquiry), "context": wire(made.context), "missed": wire(list(left_out))}


def learnt(what: Learnt, settled: Iterable[Conflict]) -> Object:
    """What was learnt, and which open questions it settled."""
    return {**wire(what), "settled": wire(list(settled))}


def record(detail: RunDetail, *, raw: bool) -> Object:
    """A record of night work; what a model answered may be long, so only where it is wanted."""
    return {**wire(detail), **({"raw": detail.run.raw} if raw else {})}
