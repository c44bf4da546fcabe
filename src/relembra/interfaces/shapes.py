"""Answers as plain JSON values, in the shapes docs/cli.md promises to programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from relembra.contexts import Trace
from relembra.domain.audit import AuditEntry
from relembra.domain.jobs import Job, Run
from relembra.domain.knowledge import KnowledgeItem
from relembra.domain.message import Note
from relembra.domain.scope import Scope
from relembra.items import Told
from relembra.learn.casework import Conflict
from relembra.learn.learner import Learnt
from relembra.learn.rollback import RolledBack
from relembra.lessons import Forecast, Foreseen
from relembra.memory import History, Saved
from relembra.night.gardener import Deed
from relembra.nightwork import RunDetail
from relembra.recall.assembly import MemoryContext
from relembra.recall.query import Listing, Missed, Recall
from relembra.recall.ranking import Hit, MessageHit, NoteHit
from relembra.store.port import Gone, Kind, Stats, Use, Verification
from relembra.tools.commands import CommandAnswer
from relembra.transfer.facts import ImportReport
from relembra.transfer.imports import Imported
from relembra.views.memory import UserMemory, to_body
from relembra.views.people import Person
from relembra.views.profile import Profile
from relembra.views.survey import Counts, OverTime


def json_text(data: Any) -> str:
    """JSON for programs: UTF-8, readable, moments in UTC."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


def flat(row: object) -> Any:
    """A row as one flat object: tenant, user, space and channel stand beside the rest."""
    return _flattened(msgspec.to_builtins(row))


def _flattened(value: Any) -> Any:
    if isinstance(value, dict):
        parts: dict[str, Any] = {}
        for key, part in value.items():
            if key in ("scope", "place") and isinstance(part, dict):
                parts |= part
            else:
                parts[key] = _flattened(part)
        return parts
    return [_flattened(part) for part in value] if isinstance(value, list | tuple) else value


def page(listing: Listing[Any]) -> dict[str, Any]:
    return {"items": [flat(row) for row in listing], "next": listing.next}


def hit(found: Hit) -> dict[str, Any]:
    return {"item": flat(found.item), "score": found.score, "why": msgspec.to_builtins(found.why)}


def hits(found: Iterable[Hit]) -> dict[str, Any]:
    return {"hits": [hit(each) for each in found]}


def message_hit(found: MessageHit) -> dict[str, Any]:
    said = {"message": flat(found.message), "excerpt": found.excerpt or found.message.text}
    return said | {"score": found.score, "why": msgspec.to_builtins(found.why)}


def note_hit(found: NoteHit) -> dict[str, Any]:
    return {"note": flat(found.note), "score": found.score, "why": msgspec.to_builtins(found.why)}


def recall(found: Recall) -> dict[str, Any]:
    return {
        "query": found.query,
        "inquiry": msgspec.to_builtins(found.inquiry),
        "items": [hit(each) for each in found.items],
        "notes": [note_hit(each) for each in found.notes],
        "messages": [message_hit(each) for each in found.messages],
        "conversations": list(found.conversations),
    }


def missed(one: Missed) -> dict[str, Any]:
    kind = Kind.ITEM if isinstance(one.row, KnowledgeItem) else Kind.NOTE if isinstance(one.row, Note) else Kind.MESSAGE
    row = {"kind": kind.value, kind.value: flat(one.row), "miss": one.miss.value}
    return row | {"score": one.score, "why": msgspec.to_builtins(one.why)}


def trace(told: Trace, left_out: Iterable[Missed]) -> dict[str, Any]:
    return {
        "inquiry": msgspec.to_builtins(told.inquiry),
        "context": context(told.context),
        "missed": [missed(one) for one in left_out],
    }


def command_answer(answer: CommandAnswer) -> dict[str, Any]:
    items = [flat(item) for item in answer.items]
    return {"name": answer.name, "text": answer.text, "done": answer.done, "items": items}


def context(made: MemoryContext) -> dict[str, Any]:
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "language": made.language,
        "format": made.format,
        "cut": made.cut,
        "shares": {part.value: msgspec.to_builtins(share) for part, share in made.shares.items()},
        "hits": [hit(found) for found in made.hits],
        "notes": [note_hit(found) for found in made.notes],
        "earlier": [message_hit(found) for found in made.earlier],
        "recent": [flat(message) for message in made.recent],
        "profiles": list(made.profiles),
        "summary": made.summary,
        "question": None if made.question is None else {"case": made.question.case_id, "text": made.question.text},
    }


def entry(recorded: AuditEntry) -> dict[str, Any]:
    shown: dict[str, Any] = flat(recorded)
    return shown | {"actor": str(recorded.actor)}


def history(told: History) -> dict[str, Any]:
    return {
        "item": flat(told.item),
        "predecessors": [flat(item) for item in told.predecessors],
        "successor": None if told.successor is None else flat(told.successor),
        "trail": [entry(recorded) for recorded in told.trail],
    }


def saved(kept: Saved) -> dict[str, Any]:
    return {
        "conversation": kept.conversation,
        "new": kept.new,
        "messages": [flat(message) for message in kept.messages],
        "refused": kept.refused,
        "left_out": list(kept.left_out),
    }


def gone(receipt: Gone) -> dict[str, Any]:
    return {
        "forgotten": dict(receipt.counts),
        "total": receipt.total,
        "erased": receipt.erased,
        "notes": list(receipt.notes),
        "dry_run": receipt.dry_run,
    }


def stats(held: Stats, uses: Iterable[Use]) -> dict[str, Any]:
    counted: dict[str, Any] = flat(held)
    parts = ("task", "model", "calls", "input_tokens", "output_tokens")
    return counted | {"usage": [{part: getattr(use, part) for part in parts} for use in uses]}


def foreseen(one: Foreseen) -> dict[str, Any]:
    return {
        "verdict": one.verdict,
        "why": one.why,
        "item": flat(one.item),
        "against": [flat(item) for item in one.against],
    }


def forecast(what: Forecast) -> dict[str, Any]:
    return {"foreseen": [foreseen(one) for one in what], "unread": what.unread}


def learnt(what: Learnt, settled: Iterable[Conflict]) -> dict[str, Any]:
    return {
        "added": [flat(item) for item in what.added],
        "repeated": [flat(item) for item in what.repeated],
        "replaced": [flat(item) for item in what.ended],
        "opened": [flat(case) for case in what.opened],
        "settled": [conflict(each) for each in settled],
        "unread": what.unread,
        "waiting": what.waiting,
        "why": what.why,
    }


def conflict(found: Conflict) -> dict[str, Any]:
    case: dict[str, Any] = flat(found.case)
    return case | {"old": flat(found.old), "new": flat(found.new)}


def person(known: Person) -> dict[str, Any]:
    return {
        "name": known.name,
        "relation": known.relation,
        "closeness": known.closeness.name.lower(),
        "birthday": None if known.birthday is None else msgspec.to_builtins(known.birthday),
        "facts": list(known.facts),
        "items": [item.id for item in known.items],
    }


def profile(made: Profile) -> dict[str, Any]:
    shown: dict[str, Any] = flat(made)
    return shown | {"text": made.text}


def user_memory(made: UserMemory) -> dict[str, Any]:
    return to_body(made) | {"text": made.text}


def counts(found: Counts) -> dict[str, Any]:
    shown: dict[str, Any] = flat(replace(found, areas={}))
    return shown | {"areas": _by_area(found.areas)}


def over_time(told: OverTime) -> dict[str, Any]:
    steps = [{**flat(replace(step, learnt={})), "learnt": _by_area(step.learnt)} for step in told.steps]
    return {"step": told.step, "zone": told.zone, "steps": steps}


def _by_area(counts: Mapping[str | None, int]) -> dict[str, int]:
    """What belongs to no area is counted under `none`."""
    return {area or "none": items for area, items in counts.items()}


def told(one: Told) -> dict[str, Any]:
    item = None if one.item is None else flat(one.item)
    return {"number": one.number, "entry": entry(one.entry), "item": item}


def job(queued: Job) -> dict[str, Any]:
    shown: dict[str, Any] = flat(queued)
    return _of_space(shown, queued.scope)


def run(kept: Run, *, raw: bool) -> dict[str, Any]:
    """A record of night work; what a model answered may be long, so only where it is wanted."""
    shown: dict[str, Any] = flat(kept)
    seconds = None if kept.duration is None else kept.duration.total_seconds()
    told = _of_space(shown, kept.scope) | {"seconds": seconds}
    return told if raw else {name: part for name, part in told.items() if name != "raw"}


def record(told: RunDetail, *, raw: bool) -> dict[str, Any]:
    return run(told.run, raw=raw) | {"entries": [entry(each) for each in told.entries]}


def rolled_back(done: RolledBack) -> dict[str, Any]:
    left = [{"target": one.target.value, "id": one.id, "why": one.why} for one in done.left]
    return {"restored": list(done.restored), "left": left, "change": done.change, "run": run(done.run, raw=False)}


def deed(would: Deed) -> dict[str, Any]:
    shown: dict[str, Any] = flat(would)
    return shown


def _of_space(shown: dict[str, Any], scope: Scope) -> dict[str, Any]:
    """Work of a space names it, and no person."""
    return shown if scope.space is None else shown | {"user": None, "space": scope.space}


def imported(told: ImportReport) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(told)
    return shown | {"total": told.total}


def taken_in(came: Imported) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(came)
    return shown | {"total": came.total}


def verification(found: Verification) -> dict[str, Any]:
    return {"ok": not found.problems, "checked": dict(found.checked), "problems": list(found.problems)}
