"""The trail of an item's changes, and its line through time, as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from relembra.domain.audit import Actor, ActorKind, AuditEntry
from relembra.domain.knowledge import KnowledgeItem
from relembra.interfaces import reasons
from relembra.interfaces.differences import differences
from relembra.interfaces.reasons import reason
from relembra.interfaces.recorded import part_said
from relembra.interfaces.web.visits import Visit

REPLACING = ("supersede", "correct", "merge", "learn", "resolve")
"""Verbs that put one item in the place of another."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a change changed; an empty side says there was nothing."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Told:
    """One change of an item."""

    change: str
    at: datetime
    verb: str
    who: str
    why: str
    parts: tuple[Part, ...]
    is_first: bool  # it made the item
    is_last: bool  # nothing happened since, so it may be taken back


@dataclass(frozen=True, slots=True)
class Held:
    """One item of a line through time: what it was replaced for, and whether it is the one being looked at."""

    item: KnowledgeItem
    why: str
    is_here: bool
    is_now: bool


def trail(visit: Visit, entries: Iterable[AuditEntry]) -> list[Told]:
    """Every change, the last one first."""
    rows = list(entries)
    told = [
        Told(
            change=entry.change,
            at=entry.at,
            verb=visit.words.name("verb", entry.verb),
            who=who(visit, entry.actor),
            why="" if entry.why is None else reason(visit.words, entry.why),
            parts=tuple(_parts(visit, entry)),
            is_first=entry.before is None,
            is_last=entry is rows[-1] and entry.undoes is None,
        )
        for entry in rows
    ]
    return told[::-1]


def line(visit: Visit, here: KnowledgeItem, items: Sequence[KnowledgeItem], whys: Sequence[str]) -> list[Held]:
    """Items that followed one another, oldest first, turned round so that the current one leads."""
    now = visit.now
    held = [Held(item, why, item.id == here.id, item.is_current(now)) for item, why in zip(items, whys, strict=True)]
    return held[::-1]


def why_replaced(visit: Visit, entries: Iterable[AuditEntry]) -> str:
    """Why something took an item's place, as its own trail tells it."""
    ended = [entry for entry in entries if entry.verb in REPLACING and (entry.after or {}).get("superseded_at")]
    if not ended:
        return ""
    last = ended[-1]
    if last.why:
        return reason(visit.words, last.why)
    return visit.words("page.item.corrected") if last.verb == "correct" else ""


def who(visit: Visit, actor: Actor) -> str:
    """Who made a change: the person as "you", the engine's own hands by what they do."""
    words = visit.words
    if actor.is_owner(visit.user):
        return words("page.item.who.you")
    key = f"page.item.who.{actor.name}"
    if actor.kind is not ActorKind.PERSON and words.has(key):
        return words(key)
    return reasons.who(words, actor)


def _parts(visit: Visit, entry: AuditEntry) -> list[Part]:
    def side(name: str, part: Any) -> str:
        return part_said(visit.words, name, part, visit.clock.moment)

    return [
        Part(visit.words(f"aspect.{name}"), side(name, before), side(name, after))
        for row in differences([entry])
        for name, before, after in row.parts
    ]
