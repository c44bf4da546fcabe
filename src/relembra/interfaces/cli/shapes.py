"""Answers as plain JSON values, in the shapes docs/cli.md promises to programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from relembra.domain.audit import AuditEntry
from relembra.memory import History, Listing, Saved
from relembra.recall.assembly import MemoryContext
from relembra.recall.ranking import Hit, MessageHit
from relembra.store.port import Gone, Verification


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
    return {"message": flat(found.message), "score": found.score, "why": msgspec.to_builtins(found.why)}


def context(made: MemoryContext) -> dict[str, Any]:
    return {
        "text": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "language": made.language,
        "cut": made.cut,
        "hits": [hit(found) for found in made.hits],
        "earlier": [message_hit(found) for found in made.earlier],
        "recent": [flat(message) for message in made.recent],
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
    }


def gone(receipt: Gone) -> dict[str, Any]:
    return {"forgotten": dict(receipt.counts), "total": receipt.total, "erased": receipt.erased}


def verification(found: Verification) -> dict[str, Any]:
    return {"ok": not found.problems, "checked": dict(found.checked), "problems": list(found.problems)}
