"""Values as plain JSON: the one form that every interface gives to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec

from relembra.background import RunDetail
from relembra.contexts import Trace
from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Job, Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.learn.casework import Conflict
from relembra.learn.learner import Learnt
from relembra.learn.rollback import RolledBack
from relembra.lessons import Forecast
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Listing, Missed, Recall
from relembra.recall.ranking import MessageHit
from relembra.store.port import Gone, Kind, Verification
from relembra.transfer.imports import Imported
from relembra.views.memory import UserMemory, to_body
from relembra.views.profile import Person, Profile

Object = dict[str, Any]

FLATTENED = ("scope", "place")
"""Parts whose own parts stand beside the others: tenant, user, space and channel."""
CONTEXT = ("text", "tokens", "budget", "language", "format", "cut", "shares", "hits", "notes", "earlier", "recent")


def json_text(data: Any) -> str:
    """JSON for programs: UTF-8, readable, moments in UTC."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def wire(value: Any) -> Any:
    """A value as JSON holds it; a row is one flat object."""
    if (shape := SHAPES.get(type(value))) is not None:
        return shape(value)
    if is_dataclass(value):
        return _row(value)
    if isinstance(value, Mapping):
        return {"none" if key is None else str(key): wire(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [wire(part) for part in value]
    return msgspec.to_builtins(value)


def trace(made: Trace, left_out: Iterable[Missed]) -> Object:
    """How a recall came about, with as much of what was left out as was asked for."""
    return {"inquiry": wire(made.inquiry), "context": wire(made.context), "missed": wire(list(left_out))}


def learnt(what: Learnt, settled: Iterable[Conflict] = ()) -> Object:
    """What was learnt, and which open questions it settled."""
    known = {"added": what.added, "repeated": what.repeated, "replaced": what.ended, "opened": what.opened}
    rest = {"settled": list(settled), "unread": what.unread, "waiting": what.waiting, "why": what.why}
    return {name: wire(part) for name, part in (known | rest).items()}


def run(kept: Run, *, raw: bool = False) -> Object:
    """A record of night work; what a model answered may be long, so only where it is wanted."""
    seconds = None if kept.duration is None else kept.duration.total_seconds()
    row = _work(kept) | {"seconds": seconds}
    return row if raw else {name: part for name, part in row.items() if name != "raw"}


def record(detail: RunDetail, *, raw: bool = False) -> Object:
    return run(detail.run, raw=raw) | {"entries": wire(detail.entries)}


def _row(value: Any) -> Object:
    parts: Object = {}
    for field in fields(value):
        part = wire(getattr(value, field.name))
        parts |= part if field.name in FLATTENED else {field.name: part}
    return parts


def _work(row: Job | Run) -> Object:
    """Work of a space names it, and no person."""
    of_space = {} if row.scope.space is None else {"user": None, "space": row.scope.space}
    scope = {"tenant": row.scope.tenant, "user": row.scope.user}
    parts = {field.name: wire(getattr(row, field.name)) for field in fields(row) if field.name != "scope"}
    return scope | parts | of_space


def _context(made: MemoryContext) -> Object:
    question = None if made.question is None else {"case": made.question.case_id, "text": made.question.text}
    parts = {name: wire(getattr(made, name)) for name in CONTEXT}
    return parts | {"profiles": list(made.profiles), "summary": made.summary, "question": question}


def _missed(one: Missed) -> Object:
    kind = Kind.ITEM if isinstance(one.row, KnowledgeItem) else Kind.NOTE if isinstance(one.row, Note) else Kind.MESSAGE
    row = {"kind": kind.value, kind.value: wire(one.row), "miss": one.miss.value}
    return row | {"score": one.score, "why": wire(one.why)}


def _gone(receipt: Gone) -> Object:
    rest = {"erased": receipt.erased, "notes": list(receipt.notes), "dry_run": receipt.dry_run}
    return {"forgotten": dict(receipt.counts), "total": receipt.total, **rest}


def _person(known: Person) -> Object:
    return _row(known) | {"closeness": known.closeness.name.lower(), "items": [item.id for item in known.items]}


SHAPES: dict[type, Callable[[Any], Any]] = {
    AuditEntry: lambda entry: _row(entry) | {"actor": str(entry.actor)},
    Conflict: lambda found: _row(found.case) | {"old": wire(found.old), "new": wire(found.new)},
    Forecast: lambda what: {"foreseen": [wire(one) for one in what], "unread": what.unread},
    Gone: _gone,
    Imported: lambda came: _row(came) | {"total": came.total},
    Job: _work,
    Learnt: learnt,
    Listing: lambda page: {"items": [wire(row) for row in page], "next": page.next},
    MemoryContext: _context,
    MessageHit: lambda hit: _row(hit) | {"excerpt": hit.excerpt or hit.message.text},
    Missed: _missed,
    Person: _person,
    Profile: lambda made: _row(made) | {"text": made.text},
    Recall: lambda found: {name: part for name, part in _row(found).items() if name != "missed"},
    RolledBack: lambda done: _row(done) | {"run": run(done.run)},
    Run: run,
    RunDetail: record,
    UserMemory: lambda made: to_body(made) | {"text": made.text},
    Verification: lambda found: {"ok": not found.problems, **_row(found)},
}
"""Values whose JSON is not simply their parts."""
