"""The trail every change leaves: who, what, before, after, why; the changes themselves; and how sure an item is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from relembra.domain.case import superseded
from relembra.domain.knowledge import KnowledgeItem, Source
from relembra.domain.message import Note
from relembra.domain.policy import ConfidencePolicy
from relembra.domain.scope import Scope
from relembra.domain.text import shortened
from relembra.errors import InvalidInputError


class ActorKind(StrEnum):
    PERSON = "person"
    PROGRAM = "program"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who made a change."""

    kind: ActorKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    def is_owner(self, user: str) -> bool:
        """Whether this is the person whose memory it is; another person's word is a claim."""
        return self.kind is ActorKind.PERSON and self.name == user

    @classmethod
    def of(cls, by: str | None, user: str) -> Actor:
        """Who `by` names; without it, the person whose memory it is."""
        return cls(ActorKind.PERSON, user) if by is None else cls.parse(by)

    @classmethod
    def parse(cls, text: str) -> Actor:
        """From "person:ana", "program:gardener" or "model:openai:gpt-5"."""
        kind, _, name = text.partition(":")
        if kind not in set(ActorKind) or not name:
            raise InvalidInputError(
                f"{text!r} does not say who: use person:NAME, program:NAME or model:NAME", field="by"
            )
        return cls(ActorKind(kind), name)


def owner_only(by: str | None, user: str, verb: str) -> None:
    """Refuse others who would speak for the person."""
    if not Actor.of(by, user).is_owner(user):
        raise InvalidInputError(f"only {user} can {verb} what is known of {user}, not {by}", field="by")


class Target(StrEnum):
    ITEM = "item"
    CONVERSATION = "conversation"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row's change within a change. Entries of one verb share a `change` and are undone together."""

    id: str
    change: str
    scope: Scope
    at: datetime
    actor: Actor
    verb: str
    target: Target
    target_id: str
    before: Mapping[str, Any] | None  # None: it did not exist
    after: Mapping[str, Any] | None
    why: str | None = None
    undoes: str | None = None  # the change this one reversed


LONGEST_TITLE = 80


def titled(content: str) -> str:
    """The short title an item gets when none is given."""
    return shortened(content, LONGEST_TITLE)


def deleted(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    """Hidden from now on; deleting again changes nothing, and so it is with the changes below."""
    return item if item.deleted_at is not None else _changed(item, now, deleted_at=now)


def restored(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    return item if item.deleted_at is None else _changed(item, now, deleted_at=None)


def archived(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    return item if item.archived_at is not None else _changed(item, now, archived_at=now)


def recovered(item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    return item if item.archived_at is None else _changed(item, now, archived_at=None)


def kept_local(item: KnowledgeItem, local: bool, now: datetime) -> KnowledgeItem:
    return item if item.local_only is local else _changed(item, now, local_only=local)


def tagged(tag: str, item: KnowledgeItem, now: datetime) -> KnowledgeItem:
    return item if tag in item.tags else _changed(item, now, tags=(*item.tags, tag))


def archived_note(note: Note, now: datetime) -> Note:
    return note if note.archived_at is not None else replace(note, archived_at=now, version=note.version + 1)


def recovered_note(note: Note) -> Note:
    return note if note.archived_at is None else replace(note, archived_at=None, version=note.version + 1)


def _changed(item: KnowledgeItem, now: datetime, **parts: Any) -> KnowledgeItem:
    return replace(item, updated_at=now, version=item.version + 1, **parts)


def _value_in(content: str, item: KnowledgeItem) -> str | None:
    """The value a corrected sentence gives, where it is worded as the old one was; else it has none known."""
    if item.value is None or item.value not in item.content:
        return None
    before, _, after = item.content.partition(item.value)
    body = content.rstrip(". ")
    tail = after.rstrip(". ")
    if body.startswith(before) and body.endswith(tail) and len(body) > len(before) + len(tail):
        return body[len(before) : len(body) - len(tail)].strip() or None
    return None


def corrected(
    item: KnowledgeItem, content: str, *, new_id: str, now: datetime, policy: ConfidencePolicy
) -> tuple[KnowledgeItem, KnowledgeItem]:
    """The wrong item, deleted and pointing to the right one, and the right one, certain and confirmed.

    What another value had taken the place of is history, and so is what is right about it.
    """
    right = replace(
        item,
        id=new_id,
        content=content,
        title=titled(content),
        value=_value_in(content, item),
        source=Source.USER_INPUT,
        evidence=None,
        confidence=policy.user_input,
        validated=True,
        needs_resolution=False,
        observations=1,
        accesses=0,
        last_access=None,
        held_until=item.held_until if item.superseded_at is not None else None,
        archived_at=None,
        deleted_at=None,
        created_at=now,
        updated_at=now,
        reinforced_at=None,
        version=1,
    )
    wrong = replace(superseded(item, right, now), deleted_at=now)
    return wrong, right


class ConfidenceLevel(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    DOUBTFUL = "doubtful"  # under what the policy calls low


def level(confidence: float, policy: ConfidencePolicy) -> ConfidenceLevel:
    if confidence >= policy.high:
        return ConfidenceLevel.HIGH
    if confidence >= policy.medium:
        return ConfidenceLevel.MEDIUM
    if confidence >= policy.low:
        return ConfidenceLevel.LOW
    return ConfidenceLevel.DOUBTFUL


def first_confidence(source: Source, given: float | None, policy: ConfidencePolicy) -> float:
    """The confidence an item starts with: user input is certain, explicit talk at least high, an inference modest."""
    if given is not None and not 0.0 <= given <= 1.0:
        raise InvalidInputError(f"confidence {given} is not between 0 and 1", field="confidence")
    match source:
        case Source.USER_INPUT:
            return policy.user_input
        case Source.CONVERSATION:
            return policy.explicit if given is None else max(given, policy.explicit_at_least)
        case Source.AI_INFERENCE:
            return policy.inference if given is None else given
        case Source.IMPORT:
            return policy.explicit if given is None else given


def validated(item: KnowledgeItem, now: datetime, policy: ConfidencePolicy) -> KnowledgeItem:
    """The item once its person confirmed it; confirming again adds nothing, but settles what was open."""
    if item.validated and not item.needs_resolution:
        return item
    bonus = 0.0 if item.validated else policy.validation_bonus
    confidence = min(1.0, round(item.confidence + bonus, 6))
    return replace(
        item, validated=True, needs_resolution=False, confidence=confidence, updated_at=now, version=item.version + 1
    )
